"""Publishing across runs: a report is refused while anything it rests on is not proven, whoever starts the run."""

import dagster as dg
import pytest
from homes import SPINE, in_home, open_home

from genoplatform.dbt_like_checks.compile import table_checks
from genoplatform.dbt_like_checks.declared import DeclaredTable
from genoplatform.provenance.sidecar import checks_path, read_checks
from genoplatform.runner.failure import RunFailedError
from genoplatform.runner.nodes import SelectionError

REPORT = "out/report/benchmark"
ONLY_REPORT = f'key:"{REPORT}"'
GENES_COLUMNS = dict.fromkeys(("hgnc_id", "symbol", "locus_group", "status", "entrez_id", "ensembl_gene_id"), "string")
GENES_COLUMNS |= {"alias_symbols": "list<string>", "prev_symbols": "list<string>"}


def gene_checks(*tests):
    described = {name: {"type": kind, "description": name} for name, kind in GENES_COLUMNS.items()}
    table = {"asset": "core/ontology/genes", "key": ["hgnc_id"], "columns": described, "tests": list(tests)}
    return [table_checks(DeclaredTable.model_validate(table))]


def launch(home):
    """The report alone, as the UI launches it: no planner has looked at what is upstream."""
    key = dg.AssetKey(REPORT.split("/"))
    with in_home(home), dg.DagsterInstance.get() as instance:
        job = home.defs.resolve_implicit_job_def_def_for_assets([key])
        return job.execute_in_process(asset_selection=[key], instance=instance, raise_on_error=False)


def refusal(result):
    (error,) = [event.step_failure_data.error for event in result.all_events if event.is_step_failure]
    while error.cause is not None and "Unproven" not in (error.cls_name or ""):
        error = error.cause
    return error.message


def test_a_report_launched_from_the_ui_is_refused_while_a_check_has_not_run(embedded, copy_of, world):
    home = copy_of(embedded, world, checks=gene_checks({"row_count": {"min": 70}}))
    before = home.files()
    result = launch(home)
    assert not result.success
    assert "core/ontology/genes columns_" in refusal(result)
    assert "has no result for the present state" in refusal(result)
    assert home.files() == before, "the report that is there stays"


def test_it_is_made_once_the_checks_have_passed_and_refused_again_when_one_fails(embedded, copy_of, world):
    home = copy_of(embedded, world, checks=gene_checks({"row_count": {"min": 70}}))
    home.run('key:"core/ontology/genes"')
    assert launch(home).success
    stricter = open_home(home.platform.home_path, world, checks=gene_checks({"row_count": {"min": 80}}))
    with pytest.raises(RunFailedError, match="73 rows"):
        stricter.run('key:"core/ontology/genes"')
    result = launch(stricter)
    assert not result.success
    assert "failed: 73 rows" in refusal(result)


def test_the_planner_refuses_a_report_for_what_lies_far_upstream(embedded, copy_of, world):
    home = copy_of(embedded, world, checks=gene_checks({"row_count": {"min": 70}}))
    with pytest.raises(SelectionError, match=r"core/ontology/genes: check \w+ has not run"):
        home.run(ONLY_REPORT, force=True)
    home.run('key:"core/ontology/genes"')
    assert home.run(ONLY_REPORT, force=True).made == [REPORT]
    checks_path(home.path("core/ontology/genes")).unlink()
    with pytest.raises(SelectionError, match="has not run"):
        home.run(ONLY_REPORT, force=True)


def test_a_check_made_blocking_is_asked_again(embedded, copy_of, world):
    """Names leave the severity out, so that history survives: the record must not let an old warning pass for it."""
    warning = {"row_count": {"min": 80, "severity": "warn"}}
    home = copy_of(embedded, world, checks=gene_checks(warning))
    assert home.run(SPINE).warned
    blocking = open_home(home.platform.home_path, world, checks=gene_checks({"row_count": {"min": 80}}))
    (name,) = (item.name for item in read_checks(home.path("core/ontology/genes")).checks if not item.passed)
    assert blocking.stale()["core/ontology/genes"] == f"the severity of {name} changed"
    with pytest.raises(RunFailedError, match="73 rows"):
        blocking.run()
