import numpy as np
import pandas as pd
import pytest
from resnik_examples import A, C, D, diamond, gene_rows

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.annotations import from_genes_to_phenotype
from genoplatform.prioritisation.candidate_scores import score_candidates
from genoplatform.prioritisation.hard_scores import ScoreRows
from genoplatform.prioritisation.resnik import ResnikScorer

GENES = ["g1", "g2", "g3"]
CASES = pd.DataFrame({"case_id": ["b", "a", "c"]})
MATRIX = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
LISTS = pd.DataFrame({"case_id": ["a", "b"], "candidate_genes": [["g3", "x", "g1"], ["g2", "g1"]]})


def chunks(sizes=(2, 1)):
    start = 0
    for size in sizes:
        yield slice(start, start + size), MATRIX[start : start + size]
        start += size


def test_candidates_are_picked_from_the_right_case_and_gene():
    found = score_candidates(chunks(), GENES, CASES, LISTS, system="R")
    assert found.scored.to_numpy().tolist() == [
        ["R", "a", "g3", 6.0, 0],
        ["R", "a", "x", 0.0, 1],
        ["R", "a", "g1", 4.0, 2],
        ["R", "b", "g2", 2.0, 0],
        ["R", "b", "g1", 1.0, 1],
    ]
    assert found.report == {"cases": 2, "candidates": 5, "candidates_unknown": 1, "cases_not_scored": 0}


def test_cases_that_cannot_be_scored_are_marked_and_counted():
    found = score_candidates(chunks(), GENES, CASES, LISTS, system="R", evaluable=np.array([True, False, True]))
    by_case = found.scored.groupby("case_id")["score"]
    assert by_case.count().to_dict() == {"a": 0, "b": 2}
    assert found.report["cases_not_scored"] == 1


def test_lists_of_unknown_cases_and_missing_scores_are_errors():
    stray = pd.DataFrame({"case_id": ["z"], "candidate_genes": [["g1"]]})
    with pytest.raises(BadInputError, match="the first z"):
        score_candidates(chunks(), GENES, CASES, stray, system="R")
    with pytest.raises(BadInputError, match="scores of 2 cases for 3"):
        score_candidates(chunks((2,)), GENES, CASES, LISTS, system="R")
    with pytest.raises(BadInputError, match="several lists"):
        score_candidates(chunks(), GENES, CASES, pd.concat([LISTS, LISTS]), system="R")


def test_no_list_gives_an_empty_table():
    found = score_candidates(chunks(), GENES, CASES, LISTS[:0], system="R")
    assert found.scored.empty
    assert found.scored.columns.tolist() == ["system", "case_id", "gene", "score", "candidate_index"]


def test_score_rows_equal_the_matrix_in_any_order():
    kb = from_genes_to_phenotype(gene_rows(("g1", C, "d1"), ("g2", D, "d2"), ("g3", A, "d3")), diamond())
    scorer = ResnikScorer.from_knowledge_base(kb)
    cases = [[C], [D], [A], [C, D], []]
    rows = ScoreRows(scorer, scorer.queries(cases), chunk=2)
    whole = scorer.score_all(cases)
    for at in (0, 1, 4, 2, 3, 0):
        assert np.array_equal(rows(at), whole[at])
