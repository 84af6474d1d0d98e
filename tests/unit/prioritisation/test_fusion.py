import numpy as np
import pandas as pd
import pytest

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.prioritisation.candidate_scores import SCORED_COLUMNS
from genoplatform.prioritisation.fusion import candidate_ranks, fuse
from genoplatform.prioritisation.listed_ranks import listed_ranks, mark_causal


def ranked(case_id: str, *genes: str) -> pd.DataFrame:
    return pd.DataFrame({"case_id": case_id, "gene": list(genes), "rank": range(1, len(genes) + 1)})


def order(fused: pd.DataFrame) -> list[str]:
    return fused.sort_values("candidate_index")["gene"].tolist()


def test_scores_and_order_worked_out_by_hand():
    """b: 1/61 + 1/62; a and c: 1/62 + 1/63 and 1/63 + 1/61; d: 1/64 + 1/64."""
    fused = fuse(ranked("x", "b", "a", "c", "d"), ranked("x", "c", "b", "a", "d"), system="N")
    assert fused.columns.tolist() == list(SCORED_COLUMNS)
    assert fused[["system", "gene", "score", "candidate_index"]].to_numpy().tolist() == [
        ["N", "b", 0.032522, 0],
        ["N", "c", 0.032266, 1],
        ["N", "a", 0.032002, 2],
        ["N", "d", 0.03125, 3],
    ]


def test_equal_scores_go_to_the_better_rank_of_the_first_system():
    first, second = ranked("x", "late", "early"), ranked("x", "early", "late")
    assert order(fuse(first, second, system="N")) == ["late", "early"]
    assert order(fuse(second, first, system="N")) == ["early", "late"]


def test_candidates_alike_in_both_ranks_stand_in_symbol_order():
    """Two genes share rank 2 in both systems, so only the symbol is left."""
    one = pd.DataFrame({"case_id": "x", "gene": ["b", "a", "c"], "rank": [2, 2, 1]})
    assert order(fuse(one, one, system="N")) == ["c", "a", "b"]


def test_a_missing_rank_is_one_more_than_the_candidates():
    """Three candidates between them, so a missing rank is 4."""
    fused = fuse(ranked("x", "a", "b"), ranked("x", "c"), system="N").set_index("gene")["score"]
    assert fused.to_dict() == {
        "a": round(1 / 61 + 1 / 64, 6),
        "b": round(1 / 62 + 1 / 64, 6),
        "c": round(1 / 64 + 1 / 61, 6),
    }


def test_a_case_of_one_system_only_keeps_that_systems_order():
    fused = fuse(ranked("x", "b", "a"), pd.concat([ranked("x", "a", "b"), ranked("y", "q", "p")]), system="N")
    assert order(fused[fused["case_id"] == "y"]) == ["q", "p"]


def test_the_order_comes_before_the_rounding():
    """At a large constant all scores round alike; the places stay."""
    fused = fuse(ranked("x", "c", "b", "a"), ranked("x", "c", "b", "a"), system="N", constant=10_000_000)
    assert fused["score"].nunique() == 1
    assert order(fused) == ["c", "b", "a"]


def test_the_constant_is_a_parameter():
    fused = fuse(ranked("x", "a"), ranked("x", "a"), system="N", constant=2)
    assert fused["score"].tolist() == [0.666667]
    for constant in (-1, float("nan"), float("inf")):
        with pytest.raises(SettingsError, match="constant"):
            fuse(ranked("x", "a"), ranked("x", "a"), system="N", constant=constant)


def test_many_cases_at_once_equal_the_cases_one_by_one():
    rng = np.random.default_rng(0)
    genes = [f"g{i:02d}" for i in range(50)]
    sides = [pd.concat([ranked(f"c{i}", *rng.permutation(genes)) for i in range(20)]) for _ in range(2)]
    together = fuse(*sides, system="N")
    alone = [fuse(*(side[side["case_id"] == f"c{i}"] for side in sides), system="N") for i in range(20)]
    expected = pd.concat(alone).sort_values(["case_id", "candidate_index"], ignore_index=True)
    pd.testing.assert_frame_equal(together, expected)


def plain_fusion(first: dict[str, int], second: dict[str, int]) -> list[str]:
    """Section 8 in words, one case: the reference this file's vectorised fusion is held against."""
    genes = sorted({*first, *second})
    missing = len(genes) + 1
    places = {gene: (first.get(gene, missing), second.get(gene, missing)) for gene in genes}
    return sorted(genes, key=lambda g: (-(1 / (60 + places[g][0]) + 1 / (60 + places[g][1])), *places[g]))


def test_fusion_equals_a_plain_implementation_on_random_lists_with_gaps():
    rng = np.random.default_rng(7)
    genes = [f"g{i}" for i in range(30)]
    lists = [{f"c{i}": list(rng.permutation(genes)[: rng.integers(1, 30)]) for i in range(100)} for _ in range(2)]
    fused = fuse(
        *(pd.concat([ranked(case_id, *names) for case_id, names in side.items()]) for side in lists), system="N"
    )
    for case_id, part in fused.groupby("case_id"):
        places = [{gene: i for i, gene in enumerate(side[case_id], 1)} for side in lists]
        assert order(part) == plain_fusion(*places)


SCORED = pd.DataFrame(
    {
        "case_id": ["x"] * 4,
        "gene": ["a", "b", "c", "d"],
        "score": [0.2, 0.9, 0.9, np.nan],
        "candidate_index": [0, 2, 1, 3],
    }
)


def test_ranks_by_score_keep_list_order_among_equals_and_leave_unscored_out():
    assert candidate_ranks(SCORED).set_index("gene")["rank"].to_dict() == {"c": 1, "b": 2, "a": 3}


def test_ranks_as_listed_follow_the_list_whatever_the_scores():
    assert candidate_ranks(SCORED, order="listed").set_index("gene")["rank"].to_dict() == {"a": 1, "c": 2, "b": 3}


def test_what_cannot_be_ranked_or_fused_is_an_error():
    with pytest.raises(BadInputError, match="a gene twice"):
        candidate_ranks(pd.concat([SCORED, SCORED]))
    with pytest.raises(SettingsError, match="one of score, listed"):
        candidate_ranks(SCORED, order="alphabet")
    twice = pd.concat([ranked("x", "a"), ranked("x", "a")])
    with pytest.raises(BadInputError, match="a gene twice"):
        fuse(ranked("x", "a"), twice, system="N")


def test_the_causal_genes_rank_is_read_off_the_fused_order():
    fused = fuse(ranked("x", "b", "a", "c"), ranked("x", "c", "b", "a"), system="N")
    candidates = pd.DataFrame({"case_id": ["x"], "candidate_genes": [["a", "b", "c"]], "causal_index": [2]})
    ranks = listed_ranks(mark_causal(fused, candidates), ["x"], list_size=3)
    assert ranks[["system", "rank", "tied"]].to_numpy().tolist() == [["N", 2.0, 1]]
