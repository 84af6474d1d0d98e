from math import log

import numpy as np
import pytest
from resnik_examples import ROOT, A, B, C, D, E, diamond, gene_rows, hpoa_rows
from scipy.sparse import csr_array

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.prioritisation.annotations import from_genes_to_phenotype, from_hpoa
from genoplatform.prioritisation.information_content import (
    STEP,
    InformationContent,
    information_content,
    propagate,
)


def content_of(kb, corpus):
    content = information_content(propagate(kb.corpus_profiles(corpus), kb.graph.ancestors))
    return dict(zip(kb.graph.ids, content.values, strict=True))


def test_content_counts_each_gene_once_per_ancestor_and_unused_terms_get_zero():
    kb = from_genes_to_phenotype(gene_rows(("g1", C, "d1"), ("g2", D, "d2"), ("g3", A, "d3")), diamond())
    content = content_of(kb, "genes")
    # Of three genes: all below the root, two below a (g1, g3) and below b (g1, g2), one each at c and d.
    expected = {ROOT: 0.0, A: log(3 / 2), B: log(3 / 2), C: log(3), D: log(3), E: 0.0}
    assert content == pytest.approx(expected, abs=1e-11)


def test_corpus_of_diseases_counts_diseases_without_a_gene_too():
    rows = hpoa_rows(("d1", C, []), ("d2", D, []), ("d3", D, []), ("d4", A, []))
    links = gene_rows(("g1", C, "d1"), ("g2", D, "d2"))[["disease_id", "gene_symbol"]]
    kb = from_hpoa(rows, links, diamond())
    assert content_of(kb, "diseases")[D] == pytest.approx(log(4 / 2), abs=1e-11)
    assert content_of(kb, "genes")[D] == pytest.approx(log(2 / 1), abs=1e-11)


def test_items_without_terms_do_not_count():
    propagated = csr_array(np.array([[1, 1], [1, 0], [0, 0]], dtype=np.int8))
    content = information_content(propagated)
    assert content.n_items == 2
    assert content.values == pytest.approx([0.0, log(2)], abs=1e-11)


def test_every_content_is_a_whole_number_of_steps_close_to_the_logarithm():
    counts = np.arange(0, 5128)
    content = InformationContent.from_counts(counts, 5127)
    steps = content.values / STEP
    assert np.array_equal(steps, np.round(steps))
    assert content.values[1:] == pytest.approx(-np.log(counts[1:] / 5127), abs=STEP / 2)


def test_sums_of_a_large_profile_do_not_depend_on_their_order():
    content = InformationContent.from_counts(np.arange(1, 5001), 5127).values
    shuffled = np.random.default_rng(1).permutation(content)
    assert sum(content.tolist()) == sum(shuffled.tolist()) == content.sum()


def test_codes_rise_with_content():
    content = InformationContent.from_counts(np.array([7, 3, 1, 0]), 7)
    assert content.codes.tolist() == [0, 4, 6, 0]


def test_nothing_annotated_is_an_error():
    with pytest.raises(EmptyResultError, match="no annotated item"):
        InformationContent.from_counts(np.zeros(3, dtype=np.int64), 0)


def test_more_items_than_codes_is_an_error():
    with pytest.raises(BadInputError, match="70000 items"):
        InformationContent.from_counts(np.array([1]), 70_000)
