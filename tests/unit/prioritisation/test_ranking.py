import numpy as np
import pandas as pd
import pytest

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.ranking import RANK_COLUMNS, rank_all_genes, rank_candidates

LISTS = pd.DataFrame(
    {
        "case_id": ["b", "a"],
        "candidate_genes": [["x", "y"], ["z", "x", "y"]],
        "causal_index": [1, 0],
    }
)


def scored(*rows):
    return pd.DataFrame(rows, columns=["system", "case_id", "gene", "score", "candidate_index"])


FULL = scored(
    ("R", "a", "z", 2.0, 0),
    ("R", "a", "x", 2.0, 1),
    ("R", "a", "y", 5.0, 2),
    ("R", "b", "x", 1.0, 0),
    ("R", "b", "y", 3.0, 1),
)


@pytest.mark.parametrize(
    ("rule", "rank_of_a"), [("candidate_order", 2), ("alphabetical", 3), ("mean", 2.5), ("worst", 3), ("best", 2)]
)
def test_ranks_by_rule_with_lists_of_different_length(rule, rank_of_a):
    ranks = rank_candidates(FULL, LISTS, tie_rule=rule)
    assert ranks.columns.tolist() == list(RANK_COLUMNS)
    assert ranks.to_numpy().tolist() == [["R", "a", rank_of_a, 3, 2, rule], ["R", "b", 1.0, 2, 1, rule]]


def test_systems_are_ranked_apart_and_a_missing_case_has_no_rank():
    both = pd.concat([FULL.assign(system="S")[FULL["case_id"] == "b"], FULL])
    ranks = rank_candidates(both, LISTS, tie_rule="mean")
    assert ranks[["system", "case_id"]].to_numpy().tolist() == [["R", "a"], ["R", "b"], ["S", "a"], ["S", "b"]]
    assert np.isnan(ranks.loc[2, "rank"])
    assert ranks.loc[2, ["n_candidates", "tied"]].tolist() == [3, 0]


def test_scores_that_are_on_no_list_are_an_error():
    for stray in (scored(("R", "c", "x", 1.0, 0)), scored(("R", "b", "x", 1.0, 2))):
        with pytest.raises(BadInputError, match="on no list"):
            rank_candidates(stray, LISTS, tie_rule="mean")


def test_lists_without_their_causal_gene_are_an_error():
    for index in (-1, 2):
        with pytest.raises(BadInputError, match="without the causal gene, the first b"):
            rank_candidates(FULL, LISTS.assign(causal_index=[index, 0]), tie_rule="mean")


def test_ranks_among_all_genes():
    cases = pd.DataFrame({"case_id": ["b", "a", "c", "d"], "causal_gene": ["g2", "g3", "g9", "g1"]})
    matrix = np.array([[1.0, 1.0, 0.0], [1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    chunks = [(slice(0, 3), matrix[:3]), (slice(3, 4), matrix[3:])]
    ranks = rank_all_genes(
        chunks,
        ["g1", "g2", "g3"],
        cases,
        system="R",
        tie_rules=["mean", "alphabetical"],
        evaluable=np.array([True, True, True, False]),
    )
    by_rule = {rule: part.set_index("case_id")["rank"] for rule, part in ranks.groupby("tie_rule")}
    assert by_rule["mean"][["a", "b"]].tolist() == [1.0, 1.5]
    assert by_rule["alphabetical"][["a", "b"]].tolist() == [1.0, 2.0]
    assert by_rule["mean"][["c", "d"]].isna().all()
    assert ranks["n_candidates"].eq(3).all()
