"""Declared checks inside runs: a blocking one fails the run by name and stops what is downstream."""

import pyarrow.parquet as pq
import pytest
from homes import open_home

from genoplatform.dbt_like_checks.compile import all_checks, table_checks
from genoplatform.dbt_like_checks.declared import DeclaredTable, declared_tables
from genoplatform.dbt_like_checks.run_tables import run_columns
from genoplatform.provenance.sidecar import read_checks
from genoplatform.runner.failure import RunFailedError
from genoplatform.runner.nodes import SelectionError

GENES = '+key:"core/ontology/genes"'
LISTS = '+key:"core/cohort/candidates"'


def declared(asset, columns, tests=(), key=("case_id",)):
    described = {name: {"type": kind, "description": name} for name, kind in columns.items()}
    return DeclaredTable.model_validate({"asset": asset, "key": list(key), "columns": described, "tests": list(tests)})


def candidate_lists(index_type, *tests):
    columns = {"case_id": "string", "difficulty": "string", "candidate_genes": "list<string>"}
    return [
        table_checks(
            declared("core/cohort/candidates", columns | {"causal_index": index_type, "seed": "string"}, tests)
        )
    ]


def test_a_failing_row_count_fails_the_run_by_name_and_stops_downstream(world, tmp_path):
    home = open_home(tmp_path, world, checks=all_checks())
    with pytest.raises(RunFailedError) as caught:
        home.run()
    assert "core/ontology/genes row_count_" in str(caught.value)
    assert "73 rows" in str(caught.value), "the world has 73 symbols, the declared minimum is that of a real release"
    assert home.path("core/ontology/genes").exists(), "the table is kept for looking at"
    assert not home.path("core/cohort/selection", kind="tables").exists()
    record = read_checks(home.path("core/ontology/genes"))
    assert [check.name.partition("_")[0] for check in record.checks if not check.passed] == ["row"]
    assert home.stale(GENES)["core/ontology/genes"].startswith("check row_count_")
    with pytest.raises(SelectionError, match=r"it needs core/ontology/\w+: check row_count_\w+ failed"):
        home.stale('key:"core/cohort/selection"')


def test_a_failed_warning_is_told_and_stops_nothing(embedded, copy_of, world):
    home = copy_of(embedded, world, checks=candidate_lists("int", {"row_count": {"min": 1000, "severity": "warn"}}))
    assert set(home.stale(LISTS).values()) == {"not checked yet"}
    summary = home.run(LISTS)
    assert len(summary.made) == 2
    assert len(summary.warned) == 2
    assert all("core/cohort/candidates row_count_" in line and "38 rows" in line for line in summary.warned)
    assert home.stale(LISTS) == {}


def test_a_run_checks_only_the_partition_it_made(embedded, copy_of, world):
    """Else a partition of an earlier state, to be made again later in the same command, would block that command."""
    wrong = copy_of(embedded, world, checks=candidate_lists("string"))
    with pytest.raises(RunFailedError, match=r"causal_index: declared string, found int"):
        wrong.run(LISTS)
    right = open_home(wrong.platform.home_path, world, checks=candidate_lists("int"))
    right.path("core/cohort/candidates", "hard").write_bytes(b"cut off")
    assert [label for label in right.run(LISTS).made if "candidates" in label] == [
        "core/cohort/candidates[standard]",
        "core/cohort/candidates[hard]",
    ]
    assert right.stale(LISTS) == {}


def test_an_unreadable_check_record_is_made_again(embedded, copy_of, world):
    home = copy_of(embedded, world, checks=candidate_lists("int"))
    home.run(LISTS)
    record = home.path("core/cohort/candidates", "hard").with_name("hard.parquet.checks.json")
    record.write_text("{")
    assert list(home.stale(LISTS)) == ["core/cohort/candidates[hard]"]
    home.run(LISTS)
    assert read_checks(home.path("core/cohort/candidates", "hard")).checks


def test_a_crashed_check_is_not_called_bad_data(embedded, copy_of, world, monkeypatch):
    home = copy_of(embedded, world, checks=candidate_lists("int"))

    def crash(*arguments, **options):
        raise RuntimeError("the checker broke")

    monkeypatch.setattr("genoplatform.dbt_like_checks.run_tests.run_tests", crash)
    with pytest.raises(
        RunFailedError, match=r"running checks_core__cohort__candidates: RuntimeError: the checker broke"
    ):
        home.run(LISTS)


def test_every_table_has_its_declared_columns(embedded):
    """The `columns` test of every declared table of the benchmark: types and order, whatever the row counts."""
    wrong, looked_at = {}, 0
    for asset, table in declared_tables().items():
        if asset not in {label.partition("[")[0] for label in embedded.labels()}:
            continue
        (columns,) = (test for test in table.declared_tests() if test.test == "columns")
        for partition in embedded.nodes[asset].partitions:
            outcome = run_columns(pq.read_schema(embedded.path(asset, partition)), columns.arguments)
            looked_at += 1
            if not outcome.passed:
                wrong[asset, partition] = outcome.detail
    assert wrong == {}
    assert looked_at > 20
