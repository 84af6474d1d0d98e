"""`--select`, `--partition` and `--force`: what they choose, and what they refuse."""

import shutil

import pytest
from homes import SPINE, open_home

from genoplatform.runner.nodes import SelectionError, select

LISTS = "core/cohort/candidates"


def test_a_selection_makes_only_what_it_names(world, tmp_path):
    home = open_home(tmp_path, world)
    made = home.run('+key:"core/ontology/genes"').made
    assert made == ["raw/ontology/hgnc", "core/ontology/genes"]
    assert set(home.files()) == {
        f"{asset}{suffix}{record}"
        for asset, suffix in (("raw/ontology/hgnc", ".json"), ("core/ontology/genes", ".parquet"))
        for record in ("", ".provenance.json")
    }


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ('key:"core/cohort/cases"', {"core/cohort/cases"}),
        ('key:"core/cohort/*"', {"core/cohort/selection", "core/cohort/cases", "core/cohort/candidates"}),
        ('+key:"core/ontology/genes"', {"raw/ontology/hgnc", "core/ontology/genes"}),
        ("group:core_cohort", {"core/cohort/selection", "core/cohort/cases", "core/cohort/candidates"}),
    ],
)
def test_selection_syntax(selection, expected, embedded):
    assert select(embedded.defs, selection) == expected


def test_no_selection_is_every_asset(embedded):
    assert select(embedded.defs, None) == set(embedded.nodes)


@pytest.mark.parametrize(
    ("selection", "found"),
    [
        ("((", "Invalid selection string"),
        ('key:"core/nothing/*"', "it matches no asset"),
        ("core/ontology/gene", "no AssetsDefinition"),
    ],
)
def test_a_selection_that_means_nothing(selection, found, embedded):
    with pytest.raises(SelectionError) as caught:
        select(embedded.defs, selection)
    assert found in str(caught.value)
    assert repr(selection) in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_partition_is_made_alone(embedded, copy_of, world):
    home = copy_of(embedded, world)
    before = home.files()
    shutil.rmtree(home.path("eval/inference/items", "hard").parent)
    items = '+key:"eval/inference/items"'
    assert home.run(items, partition="hard").made == ["eval/inference/items[hard]"]
    assert not home.path("eval/inference/items", "standard").exists()
    assert home.run(items).made == ["eval/inference/items[standard]"]
    assert home.files() == before


def test_a_partition_leaves_out_the_others_and_what_is_made_from_all(embedded):
    summary = embedded.run(SPINE, partition="hard")
    assert summary.made == []
    partitioned = {label for label in summary.skipped if "[" in label}
    assert partitioned == {label for label in embedded.labels() if label.endswith("[hard]")}
    assert "out/report/benchmark" not in summary.skipped
    assert "core/cohort/cases" in summary.skipped, "partitions rest on it"


@pytest.mark.parametrize(
    ("selection", "partition"),
    [(SPINE, "soft"), ('key:"out/report/benchmark"', "standard"), ('key:"core/cohort/cases"', "standard")],
)
def test_a_partition_nothing_selected_has(selection, partition, embedded):
    with pytest.raises(SelectionError, match=rf"partition '{partition}': no selected asset has it\n.*hard.*standard"):
        embedded.run(selection, partition=partition)


def test_a_selection_whose_inputs_are_not_made_is_refused_before_anything_runs(world, tmp_path):
    home = open_home(tmp_path, world)
    with pytest.raises(SelectionError) as caught:
        home.run('key:"core/ontology/genes"')
    assert str(caught.value) == (
        "planning core/ontology/genes: it needs raw/ontology/hgnc: not made yet"
        "\n  -> select that too: put + before the selection for everything upstream"
    )
    assert home.all_runs() == []


def test_force_makes_again_what_is_selected_and_nothing_else(embedded, copy_of, world):
    home = copy_of(embedded, world)
    before = home.files()
    summary = home.run(f'key:"{LISTS}"', force=True)
    assert summary.made == [f"{LISTS}[standard]", f"{LISTS}[hard]"]
    assert home.files() == before
