"""The workflow's cells in numbers: beside native systems, how reliable their confidence is, and their arms."""

import json

import numpy as np
import pandas as pd
import pytest

from genoplatform.inference.arm_tables import TABLES, arm_tables
from genoplatform.inference.cell_evaluation import cell_evaluation, reliability_of, tables_of
from genoplatform.inference.reliability import reliability
from genoplatform.settings.agents import CalibrationSettings

DRAWS = {"n_boot": 50, "n_perm": 50, "seed": 42}


def cases(n=6):
    ids = [f"x:{i}" for i in range(n)]
    return pd.DataFrame(
        {
            "case_id": ids,
            "cluster": [f"PMID:{i // 2}" for i in range(n)],
            "category": "metabolic",
            "exposed": [i % 2 for i in range(n)],
            "publication_year": pd.array([2010 + 4 * i for i in range(n)], dtype="Int64"),
        }
    )


def ranks(system, values, case_ids=None):
    ids = case_ids or [f"x:{i}" for i in range(len(values))]
    return pd.DataFrame({"system": system, "case_id": ids, "rank": np.array(values, dtype=float)})


def test_native_systems_are_held_against_the_cells_on_the_cells_cases_alone():
    native = pd.concat([ranks("likelihood", [1, 1, 2, 2, 1, 1]), ranks("resnik", [1] * 6)])
    cells = ranks("S", [1, 2, 1, 2])
    tables, _ = cell_evaluation(
        cases(), cells, native, [("S", "likelihood"), ("S", "K")], recency_boundary=2020, **DRAWS
    )
    full = tables["metrics"].query("subset == 'full' and metric == 'top1'").set_index("system")
    assert full["n"].to_dict() == {"S": 4, "likelihood": 4, "resnik": 4}
    assert full["value"].to_dict() == {"S": 0.5, "likelihood": 0.5, "resnik": 1.0}
    contrast = tables["contrasts"].query("subset == 'full'").iloc[0]
    assert (contrast["system_b"], contrast["delta"], contrast["b"], contrast["c"]) == ("likelihood", 0.0, 1, 1)
    assert len(tables["contrasts"].query("subset == 'full'")) == 1  # K is not there


def test_one_publication_is_nothing_to_resample():
    tables, notes = cell_evaluation(
        cases(), ranks("S", [1, 2]), ranks("resnik", [1] * 6), [], recency_boundary=2020, **DRAWS
    )
    assert tables == {}
    assert notes == ["1 publications: nothing to resample"]
    assert {name: len(table) for name, table in tables_of().items()} == dict.fromkeys(tables_of(), 0)


def outcomes(n, cell="S", seed=3):
    rng = np.random.default_rng(seed)
    confidence = rng.random(n)
    rank = np.where(rng.random(n) < confidence, 1, 5)
    ids = [f"x:{i}" for i in range(n)]
    cluster = [f"PMID:{i // 2}" for i in range(n)]
    return pd.DataFrame({"cell": cell, "case_id": ids, "cluster": cluster, "confidence": confidence, "rank": rank})


def test_a_handful_is_measured_but_not_calibrated():
    bins, errors = reliability(outcomes(8), method="isotonic", folds=5, min_cases=50)
    assert len(bins) == 0
    assert errors["confidence"].tolist() == ["raw"]
    assert errors["note"].tolist() == ["not calibrated: 8 cases, 50 needed"]


def test_a_cohort_has_bins_of_both_confidences():
    bins, errors = reliability(outcomes(200), method="platt", folds=5, min_cases=50, draws=50)
    assert bins.groupby("run")["n"].sum().to_dict() == {"S calibrated": 200, "S raw": 200}
    assert errors.set_index("confidence")["n"].to_dict() == {"raw": 200, "calibrated": 200}
    raw = bins[bins["run"] == "S raw"]
    assert np.corrcoef(raw["mean_score"], raw["accuracy"])[0, 1] > 0.8  # made that way


def test_cells_whose_figure_is_no_confidence_are_left_out():
    table = pd.concat([outcomes(8, "N"), outcomes(8, "A"), outcomes(8, "D")])
    _, errors = reliability_of(table, CalibrationSettings(), seed=42)
    assert errors["system"].tolist() == ["D"]


GENES = [f"G{n:02d}" for n in range(50)]


def write_list(path, first):
    order = [first, *(gene for gene in GENES if gene != first)]
    entries = [
        {"symbol": g, "is_causal": g == "G00", "aggregate_confidence": 0.5, "supporting_chunks": [], "final_rank": at}
        for at, g in enumerate(order, 1)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entries))


@pytest.fixture
def folders(tmp_path):
    for i in range(4):
        name = f"x%3A{i}.json"
        write_list(tmp_path / "lopo" / "lopo" / "cell_S_control" / name, "G00")
        write_list(tmp_path / "lopo" / "lopo" / "cell_S_lopo" / name, "G00" if i else "G07")
        leak = tmp_path / "lopo" / "lopo" / "leak_S" / name
        leak.parent.mkdir(parents=True, exist_ok=True)
        leak.write_text(json.dumps({"case_id": f"x:{i}", "source_in_causal_pool": i == 0}))
        for variant, hit in (("production", True), ("paraphrase_a", i > 0), ("paraphrase_b", False)):
            record = tmp_path / "sensitivity" / variant / name
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(json.dumps({"top1_correct": hit, "parse_ok": True}))
        record = tmp_path / "ablation" / "eval_1050" / "cell_S_ablation_other" / name
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps({"case_id": f"x:{i}", "model": "other", "top1_correct": i < 3, "top1": "G00"}))
    judged = tmp_path / "judge" / "eval_1050" / "ragas_full_n4_standard.json"
    judged.parent.mkdir(parents=True)
    per_case = [{"case_id": f"x:{i}", "faithfulness": i / 4} for i in range(4)]
    judged.write_text(
        json.dumps({"judge_model": "m", "metrics": ["faithfulness"], "n_cases_total": 4, "per_case": per_case})
    )
    return {name: tmp_path / name for name in ("lopo", "sensitivity", "ablation", "judge")}


def s_outcomes():
    return outcomes(4).assign(rank=[1, 1, 1, 1])


def test_every_arm_in_numbers(folders):
    tables, report = arm_tables(
        folders, cases(4), s_outcomes(), ranks("S", [1] * 4), difficulty="standard", draws=50, seed=42
    )
    assert tuple(tables) == TABLES
    full = tables["lopo_comparison"].query("subset == 'full'").iloc[0]
    # One of four loses its first place without its own paper, which was in that one's pool alone.
    assert (full["control_top1"], full["left_out_top1"], full["delta"], full["source_in_pool"]) == (
        1.0,
        0.75,
        0.25,
        0.25,
    )
    worded = tables["sensitivity"].set_index("variant")
    assert worded["top1"].to_dict() == {"production": 1.0, "paraphrase_a": 0.75, "paraphrase_b": 0.0}
    assert worded.loc["paraphrase_a", ["n_unexposed", "top1_unexposed", "agreement"]].tolist() == [2, 0.5, 0.75]
    assert report["prompt wording: top1, percentage points"] == 100.0
    means = tables["judge_means"].iloc[0]
    assert (means["metric"], means["mean"]) == ("faithfulness", pytest.approx(0.375))
    other = tables["judge_ablation"].query("scope == 'all'").iloc[0]
    assert (other["model"], other["as_run"]) == ("other", 0.75)


def test_arms_that_did_not_run_have_empty_tables(tmp_path):
    nothing = dict.fromkeys(("lopo", "sensitivity", "ablation", "judge"), tmp_path)
    (tmp_path / "not_used.json").write_text("{}")
    tables, report = arm_tables(
        nothing, cases(4), s_outcomes(), ranks("S", [1] * 4), difficulty="hard", draws=5, seed=1
    )
    assert {len(table) for table in tables.values()} == {0}
    tables, report = arm_tables(
        nothing, cases(4), s_outcomes().iloc[:0], ranks("S", []), difficulty="standard", draws=5, seed=1
    )
    assert (tuple(tables), report) == (TABLES, {"report": "cell S did not run"})
