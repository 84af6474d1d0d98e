"""HGNC and MONDO: the fail-fast facts of rare_disease.md section 3 and inputs.md (rows by number)."""

import pytest

from genoplatform.ontology import (
    alias_map,
    disease_to_mondo,
    protein_coding,
    read_hgnc,
    read_mondo_terms,
    read_sssom,
)


@pytest.fixture(scope="module")
def hgnc(pinned):
    return read_hgnc(pinned("hgnc@2025-06"))


@pytest.fixture(scope="module")
def mondo(pinned):
    return read_mondo_terms(pinned("mondo-terms@2026-05-05"))


def test_protein_coding_genes(hgnc):
    symbols = protein_coding(hgnc)
    assert len(symbols) == 19293
    assert {"BRCA1", "TP53", "TTN"} <= set(symbols)
    assert symbols == sorted(symbols)


def test_aliases_lead_to_current_symbols_only(hgnc):
    aliases, symbols = alias_map(hgnc), set(protein_coding(hgnc))
    assert set(aliases.values()) <= symbols
    assert symbols.isdisjoint(aliases)
    assert [aliases[name] for name in ("p53", "MLL", "HNRPA2B1")] == ["TP53", "KMT2A", "HNRNPA2B1"]


def test_mondo_terms(mondo):
    assert len(mondo.terms) == 31958
    # rare_disease.md sections 3 and 4: looked up by the verification, and the roots of categories and exclusions
    labels = mondo.terms.set_index("id")
    roots = ["MONDO:0005071", "MONDO:0005066", "MONDO:0005046", "MONDO:0021147", "MONDO:0019118"]
    excluded = ["MONDO:0019042", "MONDO:0044970"]
    assert not labels.loc[["MONDO:0007947", *roots, *excluded], "obsolete"].any()
    assert labels.loc["MONDO:0005071", "label"] == "nervous system disorder"


def test_mondo_ancestors_are_reflexive_and_closed(mondo):
    pairs = mondo.ancestors
    own = pairs[pairs["id"] == pairs["ancestor"]]
    assert len(own) == len(mondo.terms)
    marfan = set(pairs.loc[pairs["id"] == "MONDO:0007947", "ancestor"])
    for ancestor in marfan:
        assert set(pairs.loc[pairs["id"] == ancestor, "ancestor"]) <= marfan


def test_one_mondo_id_with_two_omim_exact_matches(pinned):
    # inputs.md 24
    mapping = read_sssom(pinned("mondo-mappings@2025"))
    assert mapping.loc[mapping["mondo_id"] == "MONDO:0001046", "disease_id"].tolist() == ["OMIM:207500", "OMIM:301800"]
    lookup = disease_to_mondo(mapping).set_index("disease_id")["mondo_ids"]
    assert lookup["OMIM:301800"] == ["MONDO:0001046"]


@pytest.mark.shared
def test_the_omim_mapping_of_the_reference_data(shared):
    mapping = read_sssom(shared / "ontology" / "mondo_exactmatch_omim.sssom.tsv")
    assert mapping["disease_id"].is_unique
    assert mapping.loc[mapping["mondo_id"] == "MONDO:0001046", "disease_id"].tolist() == ["OMIM:207500", "OMIM:301800"]
