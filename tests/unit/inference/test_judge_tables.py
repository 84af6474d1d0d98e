"""Judge statistics of a made-up release of six cases; every value counted by hand."""

import pandas as pd
import pytest

from genoplatform.inference.judge_tables import COLUMNS, judge_tables, no_judge_tables

IDS = list("abcdef")
NAN = float("nan")


@pytest.fixture
def cases() -> pd.DataFrame:
    return pd.DataFrame(
        {"case_id": IDS, "cluster": ["p1", "p1", "p2", "p3", "p4", "p5"], "exposed": [1, 1, 1, 1, 0, 0]}
    )


@pytest.fixture
def lists() -> pd.DataFrame:
    """S is right on a, b and c and wrong on d and e; it has no list of f. M is always right."""
    first = pd.DataFrame(
        {
            "case_id": IDS[:5],
            "score": [0.95, 0.9, 0.4, 0.9, 0.6],
            "is_causal": [True, True, True, False, False],
            "final_rank": 1,
        }
    )
    second = first.assign(score=0.1, is_causal=~first["is_causal"], final_rank=2)
    return pd.concat([table.assign(system=name) for name in ("S", "M") for table in (first, second)]).assign(
        is_causal=lambda t: t["is_causal"].where(t["system"] == "S", t["final_rank"] == 1)
    )


def scored(run, values, metric="faithfulness"):
    return pd.DataFrame({"run": run, "case_id": IDS[: len(values)], "metric": metric, "value": values})


def ablation():
    rows = [("One", "a", 1, False), ("One", "b", 1, True), ("One", "e", 0, True), ("One", "f", 1, False)]
    return pd.DataFrame(rows, columns=["model", "case_id", "hit", "error"])


def made(cases, lists, scores, records=None):
    records = ablation() if records is None else records
    return judge_tables(cases, lists, scores, records, draws=200, triage_draws=200)


def test_means_triage_points_and_bins_of_a_run(cases, lists):
    # Scores of hits: 0.9, 0.8, 0.5; of misses: 0.5, 0.1, 0.5. Two of nine pairs are ties: AUROC 8 / 9.
    scores = pd.concat(
        [scored("full_n6", [0.9, 0.8, 0.5, 0.5, 0.1, 0.5]), scored("full_n6", [1.0, NAN, 0.5], "context_recall")]
    )
    tables = made(cases, lists, scores)
    assert {name: tuple(table.columns) for name, table in tables.items()} == COLUMNS
    means = tables["means"].set_index(["run", "metric"])
    assert means.loc[("full_n6", "faithfulness"), ["n", "n_missing", "mean"]].tolist() == [6, 0, pytest.approx(0.55)]
    # Cases d, e and f have no entry under context_recall: missing like b, whose value is.
    assert means.loc[("full_n6", "context_recall"), ["n", "n_missing", "mean"]].tolist() == [2, 4, 0.75]
    triage = tables["triage"].iloc[0]
    assert triage[["run", "n", "n_publications", "prevalence"]].tolist() == ["full_n6", 6, 5, 0.5]
    assert triage["auroc"] == pytest.approx(8 / 9)
    points = tables["points"].set_index("rule")
    columns = ["threshold", "n_above", "n_below", "accuracy_above", "accuracy_below", "recall"]
    assert points.loc["median", columns].tolist() == [0.5, 5, 1, 0.6, 0.0, 1.0]
    # Sensitivity + specificity - 1 is 1/3 at 0.9, 2/3 at 0.8 and 1/3 at 0.5.
    assert points.loc["youden", columns].tolist() == pytest.approx([0.8, 2, 4, 1.0, 0.25, 2 / 3])
    assert tables["bins"]["n"].tolist() == [2, 2, 1, 1]
    assert tables["bins"]["accuracy"].tolist() == [0.5, 0.0, 1.0, 1.0]
    assert tables["not_estimated"].empty


def test_confidence_is_that_of_the_judged_systems_first_rank(cases, lists):
    tables = made(cases, lists, scored("full_n6", [0.5]))
    table = tables["confidence"].set_index("threshold")
    assert set(table["system"]) == {"S"}
    assert table.loc[0.5, ["n_above", "n_below", "accuracy_above", "accuracy_below"]].tolist() == [4, 1, 0.5, 1.0]
    assert table.loc[0.9, ["n_above", "share_above"]].tolist() == [3, 0.6]
    # Hits .95, .9, .4 against misses .9, .6: pairs won 1 + 1 + .5 + 1 of 6.
    found = tables["confidence_triage"].set_index("system")
    assert found.loc["S", "auroc"] == pytest.approx(3.5 / 6)


def test_ablation_by_scope(cases, lists):
    table = made(cases, lists, scored("full_n6", [])).pop("ablation").set_index(["model", "scope"])
    columns = ["n", "errors", "as_run", "n_ok", "error_excluded"]
    assert table.loc[("One", "all"), columns].tolist() == [4, 2, 0.75, 2, 1.0]
    assert table.loc[("One", "overlap_absent"), columns].tolist() == [2, 1, 0.5, 1, 1.0]


@pytest.mark.parametrize(
    ("values", "reason"),
    [([0.5, 0.5, NAN], "2 cases with a score"), ([NAN, NAN, NAN, 0.1, 0.2, 0.3], "3 cases with a score")],
)
def test_a_run_too_small_to_triage_is_said_so_and_its_mean_is_kept(cases, lists, values, reason):
    tables = made(cases, lists, scored("full_n6", values))
    assert tables["triage"].empty
    assert tables["not_estimated"].to_numpy().tolist() == [["full_n6: triage by faithfulness", reason]]
    assert len(tables["means"]) == 1


def test_without_the_judged_systems_lists_there_is_no_triage(cases, lists):
    tables = made(cases, lists[lists["system"] == "M"], scored("full_n6", [0.9, 0.8, 0.5, 0.5]))
    assert tables["confidence"].empty
    assert tables["not_estimated"]["reason"].tolist() == ["the judged system has no rankings"]


def test_hits_alone_cannot_be_triaged(cases, lists):
    right = lists.assign(is_causal=lists["final_rank"] == 1)
    tables = made(cases, right, scored("full_n6", [0.9, 0.8, 0.5, 0.5]))
    assert set(tables["not_estimated"]["reason"]) == {"every case is a hit"}


def test_nothing_released_has_every_table_and_no_row(cases, lists):
    empty = no_judge_tables()
    rejected = {"rejected": ("path", "reason", "detail")}
    assert {name: tuple(table.columns) for name, table in empty.items()} == COLUMNS | rejected
    assert sum(len(table) for table in empty.values()) == 0
    nothing = made(cases, lists.iloc[:0], scored("full_n6", []), ablation().iloc[:0])
    assert [len(table) for table in nothing.values()] == [0] * len(COLUMNS)
