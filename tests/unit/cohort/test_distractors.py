"""Hard lists: highest scores first, same-disease genes out, deterministic ties and fill."""

import random

import numpy as np
import pandas as pd
import pytest

from genoplatform.cohort.candidates import per_case_seed
from genoplatform.cohort.distractors import hard_candidates
from genoplatform.errors import BadInputError

POOL = [f"G{i:02d}" for i in range(12)]
GENES = ["G03", "G01", "G02", "G00", "NOTCODING"]
LINKS = pd.DataFrame({"gene_symbol": ["G01", "G05"], "disease_id": ["OMIM:2", "OMIM:9"]})
CASE = pd.DataFrame({"case_id": ["A:1"], "causal_gene": ["G00"], "disease_ids": [["OMIM:1"]]})


def chosen(scores, n=2, case=CASE, **kw):
    lists = hard_candidates(case, np.array([scores]), GENES, POOL, LINKS, n_distractors=n, **kw)
    row = lists.table.iloc[0]
    return set(row["candidate_genes"]) - {"G00"}, row, lists


def test_the_highest_scoring_coding_genes_other_than_the_causal():
    assert chosen([0.5, 3.0, 1.0, 9.0, 8.0])[0] == {"G01", "G02"}


def test_genes_of_the_case_disease_are_no_distractors():
    case = CASE.assign(disease_ids=[["OMIM:2"]])
    assert chosen([0.5, 3.0, 1.0, 9.0, 8.0], case=case)[0] == {"G02", "G03"}


def test_ties_go_alphabetical_even_when_the_last_bits_differ():
    assert chosen([0.3, 0.1 + 0.2, 0.3, 9.0, 8.0])[0] == {"G01", "G02"}
    assert chosen([0.3, 0.3, 0.1 + 0.2, 9.0, 8.0])[0] == {"G01", "G02"}


def test_zero_scores_are_not_similar_and_missing_places_are_filled_at_random_from_the_seed():
    found, row, lists = chosen([0.0, 2.0, 0.0, 9.0, 8.0], n=3)
    rest = [g for g in POOL if g not in {"G00", "G01"}]
    assert found == {"G01", *random.Random(per_case_seed("A:1")).sample(rest, 2)}
    assert lists.report["filled"] == 1
    assert row["seed"] == str(per_case_seed("A:1"))


def test_the_list_is_shuffled_by_a_fresh_generator_on_the_case_seed():
    row = chosen([0.5, 3.0, 1.0, 9.0, 8.0])[1]
    expected = ["G00", "G01", "G02"]
    random.Random(per_case_seed("A:1")).shuffle(expected)
    assert row["candidate_genes"] == expected
    assert (row["difficulty"], expected[row["causal_index"]]) == ("hard", "G00")


def test_a_callable_serves_one_row_at_a_time_by_the_position_of_the_case():
    cases = pd.DataFrame(
        {"case_id": ["B:1", "C:1", "A:1"], "causal_gene": ["G00", "RNU4-2", "G00"], "disease_ids": [["OMIM:1"]] * 3}
    )
    matrix = np.array([[1.0, 2, 0, 0, 0], [0.0, 0, 0, 0, 0], [0.0, 0, 5, 0, 0]])
    by_row = hard_candidates(cases, lambda i: matrix[i], GENES, POOL, LINKS, n_distractors=1)
    whole = hard_candidates(cases, matrix, GENES, POOL, LINKS, n_distractors=1)
    pd.testing.assert_frame_equal(by_row.table, whole.table)
    genes = {r.case_id: set(r.candidate_genes) for r in whole.table.itertuples()}
    assert genes == {"A:1": {"G00", "G02"}, "B:1": {"G00", "G01"}}
    assert whole.dropped["case_id"].tolist() == ["C:1"]


@pytest.mark.parametrize("scores", [[1.0, 2.0], [1.0, np.nan, 0, 0, 0]])
def test_scores_of_another_shape_or_with_nan_are_refused(scores):
    with pytest.raises(BadInputError, match="A:1"):
        chosen(scores)
