"""Seeds and random candidate lists, and cases whose gene is not in the pool."""

import random
from hashlib import blake2b

import pandas as pd
import pytest

from genoplatform.cohort.candidates import per_case_seed, sample_then_shuffle, standard_candidates
from genoplatform.errors import BadInputError

POOL = [f"G{i:04d}" for i in range(300)]
CASES = pd.DataFrame({"case_id": ["B:1", "A:1", "C:1"], "causal_gene": ["G0007", "G0299", "RNU4-2"]})


def test_seed_is_the_big_endian_blake2b_64_of_seed_and_case():
    digest = blake2b(b"42|A:1", digest_size=8).hexdigest()
    assert per_case_seed("A:1") == int(digest, 16)
    assert per_case_seed("A:1", seed=7) != per_case_seed("A:1")


def test_list_is_causal_plus_sample_shuffled_by_the_same_generator():
    rng = random.Random(5)
    expected = ["C", *rng.sample(POOL, 4)]
    rng.shuffle(expected)
    assert sample_then_shuffle("C", POOL, 4, 5) == expected


def test_lists_are_unique_indexed_and_ordered_by_case():
    table = standard_candidates(CASES, POOL[::-1] + POOL[:5]).table
    assert table["case_id"].tolist() == ["A:1", "B:1"]
    for row in table.itertuples():
        assert len(set(row.candidate_genes)) == 50
        causal = CASES.set_index("case_id").loc[row.case_id, "causal_gene"]
        assert row.candidate_genes[row.causal_index] == causal
        assert row.candidate_genes == sample_then_shuffle(causal, [g for g in POOL if g != causal], 49, int(row.seed))


def test_a_case_whose_gene_is_not_in_the_pool_is_dropped_and_counted():
    lists = standard_candidates(CASES, POOL)
    assert lists.dropped.to_dict("records") == [{"case_id": "C:1", "reason": "causal_not_in_pool", "detail": "RNU4-2"}]
    assert lists.report == {"cases": 2, "pool": 300, "causal_not_in_pool": 1}


def test_a_pool_too_small_for_one_list_is_an_error():
    with pytest.raises(BadInputError, match="49 symbols"):
        standard_candidates(CASES, POOL[:49])
