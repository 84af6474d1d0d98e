"""An analysis evaluated from its files: what is read, what is missing, and the command that prints it."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from genoplatform.cli.expression import expression_app
from genoplatform.errors import BadInputError
from genoplatform.expression.evaluation.directories import Analysis
from genoplatform.expression.evaluation.evaluate import evaluate, nothing_evaluated
from genoplatform.expression.statistics.problems import Catalogue

GENES = [f"G{i:02d}" for i in range(40)]


def write_json(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def write_analysis(root, genes=("G00", "G01")):
    """One trait, two cohorts, three problems; tables of ten samples."""
    rng = np.random.default_rng(0)
    folder = root / "output" / "preprocess" / "Asthma"
    record = {"is_available": True, "is_usable": True, "sample_size": 10, "has_age": True, "has_gender": False}
    write_json(folder / "cohort_info.json", {"GSE1": record, "GSE2": record | {"sample_size": 8}})
    samples = [f"GSM{i}" for i in range(10)]
    clinical = pd.DataFrame({"Asthma": np.arange(10) % 2, "Age": 30 + np.arange(10)}, index=samples)
    values = pd.DataFrame(rng.normal(size=(10, 40)), index=samples, columns=GENES)
    for name in ("gene_data", "clinical_data"):
        (folder / name).mkdir()
    values.T.to_csv(folder / "gene_data" / "GSE1.csv", index_label="Gene")
    clinical.T.to_csv(folder / "clinical_data" / "GSE1.csv")
    clinical.join(values).to_csv(folder / "GSE1.csv")
    performance = {"prediction": {"accuracy": 90.0, "precision": 80.0, "recall": 70.0, "f1": 75.0}, "selection": {}}
    answer = {"significant_genes": {"Variable": ["Age", *genes], "Coefficient": [0.1] * (1 + len(genes))}}
    for condition in ("None", "Age", "Obesity"):
        path = root / "output" / "regress" / "Asthma" / f"significant_genes_condition_{condition}.json"
        write_json(path, answer | {"cv_performance": performance})
    return root


@pytest.fixture
def gold(tmp_path):
    return write_analysis(tmp_path / "gold")


def means(found):
    return found.summary.set_index(["task", "group", "metric"])


def test_an_analysis_against_itself_is_perfect(gold):
    found = evaluate(Analysis.at(gold), Analysis.at(gold))
    table = means(found)
    for task, metric in (("filtering", "f1"), ("selection", "accuracy"), ("preprocessing linked", "csc")):
        assert table.loc[(task, "overall", metric), "penalised"] == 100.0
    for metric in ("precision", "recall", "f1", "jaccard", "auroc"):
        assert table.loc[("genes", "overall", metric), "penalised"] == 100.0
    assert table.loc[("prediction", "overall", "prediction_f1"), "penalised"] == 75.0
    assert found.genes["universe"].tolist() == [40, 40, 0], "no linked table answers the two-step problem"
    assert found.genes["predicted"].tolist() == [2, 2, 2], "the covariate is no gene"
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_is_missing_counts_as_nothing_in_the_headline(gold, tmp_path):
    mine = shutil.copytree(gold, tmp_path / "mine")
    (mine / "output/regress/Asthma/significant_genes_condition_None.json").write_text("{broken")
    (mine / "output/preprocess/Asthma/gene_data/GSE1.csv").unlink()
    (mine / "output/preprocess/Asthma/cohort_info.json").unlink()
    table = means(evaluate(Analysis.at(mine), Analysis.at(gold)))
    assert table.loc[("genes", "overall", "f1"), ["penalised", "found_only"]].tolist() == [66.67, 100.0]
    assert table.loc[("genes", "overall", "success"), "penalised"] == 66.67
    assert table.loc[("genes", "unconditional", "f1"), "penalised"] == 0.0
    assert table.loc[("preprocessing gene", "overall", "csc"), "penalised"] == 0.0
    assert table.loc[("preprocessing linked", "overall", "csc"), "penalised"] == 100.0
    assert table.loc[("filtering", "overall", "f1"), "penalised"] == 0.0
    assert table.loc[("selection", "overall", "accuracy"), "penalised"] == 0.0


def test_regressors_decide_on_pairs_where_known_genes_are_given(gold):
    info = {
        "Asthma": {"related_genes": [], "conditions": ["Obesity"]},
        "Obesity": {"related_genes": ["G07"], "conditions": []},
    }
    obesity = gold / "output/preprocess/Obesity"
    write_json(obesity / "cohort_info.json", {"GSE9": {"is_available": True, "is_usable": True, "sample_size": 5}})
    found = evaluate(Analysis.at(gold), Analysis.at(gold), Catalogue.of(info))
    chosen = found.selection.set_index("condition")["reference"]
    assert chosen["Obesity"] == "none", "its cohort has no linked table that measures G07"
    (obesity / "GSE9.csv").write_text(",Obesity,G07\ns,1,2\n")
    again = evaluate(Analysis.at(gold), Analysis.at(gold), Catalogue.of(info))
    assert again.selection.set_index("condition")["reference"]["Obesity"] == "GSE1 + GSE9"


def test_what_is_no_analysis_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="neither preprocess/ nor regress/"):
        Analysis.at(tmp_path)
    assert nothing_evaluated()["summary"].empty


def test_command_prints_tables_or_one_json_object(gold):
    run = CliRunner().invoke(expression_app, ["evaluate", str(gold), str(gold), "--json"])
    assert run.exit_code == 0, run.output
    assert {row["task"] for row in json.loads(run.stdout)["summary"]} >= {"filtering", "selection", "genes"}
    run = CliRunner().invoke(expression_app, ["evaluate", str(gold), str(gold)])
    assert run.exit_code == 0, run.output
    assert "missing counted as 0" in run.output
    assert "Asthma | Obesity" in run.output
