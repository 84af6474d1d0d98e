"""Analysis in the graph: problems from a catalogue, an answer or a reason each, files, evaluation, and cohort pages."""

import json

import pytest
import yaml
from homes import open_home
from test_expression_graph import SLOT, write_series
from tiny import write_world

from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.dbt_like_checks.run_tests import run_tests
from genoplatform.provenance import read_sidecar
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.expression_evaluation import export_regressions
from genoplatform.resources.expression_export import export_preprocessed
from genoplatform.resources.partition_keys import EXPRESSION_PROBLEM, keys_of

ANSWERS = '+key:"eval/expression/results" or +key:"out/expression/significant_genes" or +key:"core/expression/problems"'
KEYS = ["Asthma|Age", "Asthma|None", "Asthma|Obesity", "Eczema|None"]
TASK_INFO = {
    "Asthma": {"related_genes": ["TG01", "TG02"], "conditions": ["Age", "Obesity"]},
    "Eczema": {"related_genes": [], "conditions": []},
    "Obesity": {"related_genes": ["TG03"], "conditions": []},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A home with every problem answered; tests may add to it."""
    folder = tmp_path_factory.mktemp("analysis")
    write_series(folder / "cohorts" / "GEO" / "Asthma" / "GSE11", cases=10, controls=10)
    write_series(folder / "cohorts" / "GEO" / "Eczema" / "GSE12", title="Nothing to do with it")
    (folder / "task_info.json").write_text(json.dumps(TASK_INFO))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENOPLATFORM_EXPRESSION", str(folder / "cohorts"))
        patch.setenv("GENOPLATFORM_TASK_INFO", str(folder / "task_info.json"))
        patch.setenv("GENOPLATFORM_EXPRESSION_REFERENCE", str(folder / "reference"))
        home = open_home(folder / "home", _world(folder / "world"), checks=[])
        home.run(ANSWERS)
        yield home


def _world(folder):
    world = write_world(folder)
    profiles = yaml.safe_load(world.profiles.read_text())
    profiles["embedded"]["slots"] |= {
        "expression_cohorts": SLOT,
        "expression_problems": "directory:GENOPLATFORM_TASK_INFO",
        "expression_reference": "directory:GENOPLATFORM_EXPRESSION_REFERENCE",
    }
    profiles["embedded"]["expression"] = {"rules": "sound"}
    profiles["embedded"]["expression_statistics"] = {"rules": "sound", "model": "lasso", "permutations": 19}
    world.profiles.write_text(yaml.safe_dump(profiles))
    return world


def stored(home, asset, key=None, kind="parquet"):
    return FORMATS[kind].read(home.path(asset, key, kind))


def test_problems_are_those_of_the_catalogue_whose_trait_has_a_cohort(made):
    assert keys_of(EXPRESSION_PROBLEM, made.platform) == KEYS
    table = stored(made, "core/expression/problems")
    assert len(table) == 5, "the catalogue lists all of its problems"
    assert stored(made, "core/expression/known_genes")["gene"].tolist() == ["TG01", "TG02", "TG03"]


def test_every_problem_has_an_answer_or_a_reason(made):
    results = stored(made, "eval/expression/results").set_index(["trait", "condition"])
    assert results["answered"].to_dict() == {
        ("Asthma", "Age"): True,
        ("Asthma", "None"): True,
        ("Asthma", "Obesity"): False,
        ("Eczema", "None"): False,
    }
    assert results.loc[("Asthma", "Obesity"), "why"] == "no usable cohort of the condition Obesity"
    assert results.loc[("Asthma", "None"), ["trait_cohort", "samples", "model"]].tolist() == ["GSE11", 20, "lasso"]


def test_answers_name_their_rules_and_the_cohorts_they_read(made):
    sidecar = read_sidecar(made.path("eval/expression/regression", "Asthma|None", "tables"))
    assert sidecar.recorded == {"rules": "sound", "model": "lasso"}
    assert sidecar.parameters["expression_statistics"]["model"] == "lasso"
    read = {item.partition for item in sidecar.inputs if item.asset == "core/expression/linked"}
    assert read == {"Asthma|GSE11"}


def test_files_are_the_benchmark_s(made, tmp_path):
    folder = made.path("out/expression/significant_genes", "Asthma|Age", "directory")
    found = json.loads((folder / "regress/Asthma/significant_genes_condition_Age.json").read_text())
    assert found.keys() == {"significant_genes", "cv_performance"}
    none = made.path("out/expression/significant_genes", "Eczema|None", "directory")
    assert [path.name for path in none.iterdir()] == ["no_answer.txt"]
    assert len(export_regressions(made.platform, tmp_path)) == 2


def test_declared_tables_hold(made):
    for asset in ("core/expression/problems", "core/expression/known_genes", "eval/expression/results"):
        declared = declared_tables()[asset]
        outcomes = run_tests(made.path(asset), declared, declared.declared_tests())
        warned = {test.name for test in declared.declared_tests() if test.severity == "warn"}
        assert {name for name, outcome in outcomes.items() if not outcome.passed} <= warned, asset


def test_an_analysis_held_against_itself_is_perfect(made, tmp_path_factory):
    reference = made.platform.home_path.parent / "reference"
    for _ in export_preprocessed(made.platform, reference):
        pass
    export_regressions(made.platform, reference)
    made.run('+key:"eval/expression/evaluation"')
    summary = stored(made, "eval/expression/evaluation", kind="tables")["summary"].set_index(
        ["task", "group", "metric"]
    )
    assert summary.loc[("preprocessing linked", "overall", "csc"), "penalised"] == 100.0
    assert summary.loc[("selection", "overall", "accuracy"), "penalised"] == 100.0
    assert summary.loc[("genes", "overall", "success"), "penalised"] == 100.0
    assert not (made.platform.home_path / "work" / "embedded" / "eval").exists() or not any(
        (made.platform.home_path / "work" / "embedded" / "eval").rglob("*.csv")
    )


def test_pages_of_cohorts(made):
    made.run('+key:"out/expression/cohort_page"')
    page = made.path("out/expression/cohort_page", "Asthma|GSE11", "directory") / "index.html"
    assert "10 : 10" in page.read_text()
    other = made.path("out/expression/cohort_page", "Eczema|GSE12", "directory") / "index.html"
    assert "This cohort is not analysed." in other.read_text()
