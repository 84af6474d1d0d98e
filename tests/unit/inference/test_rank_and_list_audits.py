"""Audits that start from whole lists, and the adjustment within families, on tables written out by hand."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.inference.list_audit import audited_lists
from genoplatform.inference.multiplicity import holm
from genoplatform.inference.rank_audit import case_bootstrap_table, difficulty, family_wise, rank_audit

CASES = pd.DataFrame({"case_id": ["a", "b", "c"], "exposed": [1, 0, 0]})
CANDIDATES = pd.DataFrame(
    {
        "case_id": ["a", "b", "c"],
        "candidate_genes": [["G1", "G2", "G3"], ["G3", "G1", "G2"], ["G2", "G3", "G1"]],
        "causal_index": [0, 1, 2],  # always G1
    }
)


def scored(system: str, **scores: list[float]) -> pd.DataFrame:
    """One row a candidate, in list order."""
    genes = dict(zip(CANDIDATES["case_id"], CANDIDATES["candidate_genes"], strict=True))
    parts = [
        pd.DataFrame(
            {"system": system, "case_id": case, "gene": genes[case], "score": values, "candidate_index": range(3)}
        )
        for case, values in scores.items()
    ]
    return pd.concat(parts, ignore_index=True)


def listed(system: str, case: str, scores: list[float], causal: int) -> pd.DataFrame:
    rank = np.arange(1, len(scores) + 1)
    return pd.DataFrame(
        {"system": system, "case_id": case, "is_causal": rank == causal, "score": scores, "final_rank": rank}
    )


# a: causal first; b: causal ties with the gene listed before it; c: a distractor is closer
SIMILARITY = pd.concat(
    [
        scored("resnik", a=[3.0, 1.0, 0.0], b=[2.0, 2.0, 0.0], c=[5.0, 0.0, 4.0]),
        scored("resnik_decontaminated", a=[0.0, 1.0, 0.0], b=[2.0, 2.0, 0.0], c=[5.0, 0.0, 4.0]),
    ],
    ignore_index=True,
)
RELEASED = pd.concat(
    [
        listed("K", "a", [0.9, 0.5, 0.1], 3),
        listed("K", "b", [0.9, 0.5, 0.1], 1),
        listed("K", "c", [0.9, 0.5, 0.5], 2),
    ],
    ignore_index=True,
)
NONE = RELEASED.iloc[:0]


def test_perfect_cells_count_unexposed_lists_only_and_ties_all_lists():
    tables = rank_audit(RELEASED, ["b", "c"], 3)
    assert set(tables) == {"tie_audit", "tie_sizes", "perfect_cells"}
    top1 = tables["perfect_cells"].set_index("top_k").loc[1]
    assert top1[["n", "hits", "tied_cases", "max_rank"]].tolist() == [2, 1, 1, 2]
    assert tables["tie_audit"]["n"].tolist() == [3]
    assert tables["tie_sizes"][["tied", "n_cases"]].to_numpy().tolist() == [[1, 3]]


def test_without_unexposed_lists_there_are_no_perfect_cells():
    assert set(rank_audit(RELEASED, [], 3)) == {"tie_audit", "tie_sizes"}


def test_difficulty_and_floor_by_hand():
    marked = SIMILARITY[SIMILARITY["system"] == "resnik"].assign(is_causal=lambda t: t["gene"] == "G1")
    tables = difficulty(marked, "hard", 3)
    split = tables["difficulty_split"].iloc[0]
    assert (split["difficulty"], split["n_cases"]) == ("hard", 3)
    counts = ["matches_or_exceeds_n", "strict_exceeds_n", "tie_above_zero_n", "tie_at_zero_n"]
    assert split[counts].tolist() == [2, 1, 1, 0]
    floor = tables["model_free_floor"].iloc[0]
    assert floor[["lower_hits", "upper_hits"]].tolist() == [1, 2]
    assert floor["chance"] == pytest.approx(1 / 3)


def test_similarity_lists_are_ranked_in_list_order_and_audited_with_the_released_ones():
    tables = audited_lists(CASES, CANDIDATES, SIMILARITY, RELEASED, "standard")
    audit = tables["tie_audit"].set_index("system")
    assert audit["n"].to_dict() == {"K": 3, "resnik": 3, "resnik_decontaminated": 3}
    # b: two candidates share the first score, and the causal gene stands second of them in the list
    assert audit.loc["resnik", ["max_tied", "causal_in_tie", "causal_lost"]].tolist() == [2, 2, 1]
    assert audit.loc["resnik_decontaminated", ["causal_in_tie", "causal_lost"]].tolist() == [1, 1]
    cells = tables["perfect_cells"].set_index(["system", "top_k"])
    assert cells.loc[("resnik", 1), ["n", "hits"]].tolist() == [2, 0]
    assert cells.loc[("resnik", 5), ["hits", "worst_tie_hits", "max_rank"]].tolist() == [2, 2, 2]


def test_difficulty_is_that_of_the_plain_similarity():
    """Without its own publication case a would be hard: a distractor scores 1, the causal gene 0."""
    split = audited_lists(CASES, CANDIDATES, SIMILARITY, NONE, "standard")["difficulty_split"].iloc[0]
    assert (split["n_cases"], split["strict_exceeds_n"]) == (3, 1)


def test_a_case_that_could_not_be_scored_has_no_list_to_audit():
    gone = SIMILARITY.assign(score=SIMILARITY["score"].where(SIMILARITY["case_id"] != "b"))
    tables = audited_lists(CASES, CANDIDATES, gone, NONE, "standard")
    assert tables["tie_audit"]["n"].tolist() == [2, 2]
    assert tables["difficulty_split"]["n_cases"].tolist() == [2]


def test_released_lists_alone_have_no_difficulty_and_nothing_has_no_tables():
    assert set(audited_lists(CASES, CANDIDATES, SIMILARITY.iloc[:0], RELEASED, "standard")) == {
        "tie_audit",
        "tie_sizes",
        "perfect_cells",
    }
    assert audited_lists(CASES, CANDIDATES, SIMILARITY.iloc[:0], NONE, "standard") == {}


def test_the_case_bootstrap_table_takes_ranks_case_by_case():
    ranks = pd.DataFrame({"system": list("YXYX"), "case_id": list("baab"), "rank": [1.0, 1.0, 2.0, np.nan]})
    table = case_bootstrap_table(ranks)
    shuffled = case_bootstrap_table(ranks.sample(frac=1, random_state=1))
    pd.testing.assert_frame_equal(table, shuffled)
    assert sorted(table["system"].unique()) == ["X", "Y"]


P = pd.DataFrame(
    {
        "subset": ["full", "full", "overlap_absent", "overlap_absent"],
        "system_a": ["S", "S", "S", "S"],
        "system_b": ["K", "M", "K", "M"],
        "p_cluster": [0.01, 0.04, 0.03, np.nan],
    }
)


def test_adjustment_stays_inside_its_family_in_the_order_declared():
    families = {
        "second": [("full", "S", "M"), ("full", "S", "K")],
        "first": [("overlap_absent", "S", "K"), ("overlap_absent", "S", "M"), ("full", "S", "X")],
        "nobody": [("full", "L", "D")],
    }
    table = family_wise(P, families)
    assert table[["family", "subset", "system_b"]].to_numpy().tolist() == [
        ["second", "full", "M"],
        ["second", "full", "K"],
        ["first", "overlap_absent", "K"],
    ]
    assert table["p_holm"].tolist() == [0.04, 0.02, 0.03], "a member without a p does not count in its family"
    assert table["p_bh"].tolist() == [0.04, 0.02, 0.03]


def test_no_families_is_an_empty_table_with_its_columns():
    table = family_wise(P, {})
    assert table.empty
    assert list(table.columns) == ["family", "subset", "system_a", "system_b", "p_cluster", "p_holm", "p_bh"]


def test_holm_of_a_family_is_holm_of_its_members():
    families = {"all": [("full", "S", "K"), ("full", "S", "M"), ("overlap_absent", "S", "K")]}
    expected = holm({"a": 0.01, "b": 0.04, "c": 0.03})
    assert family_wise(P, families)["p_holm"].tolist() == list(expected.values())
