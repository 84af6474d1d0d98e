import pandas as pd
import pytest
from resnik_examples import A, B, C, D, diamond, gene_rows, hpoa_rows

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.annotations import from_genes_to_phenotype, from_hpoa
from genoplatform.prioritisation.evidence import EvidenceIndex

LINKS = pd.DataFrame({"disease_id": ["d1", "d2", "d3"], "gene_symbol": ["g1", "g1", "g2"]})


def lost(kb, pmid, diseases=None):
    """Lost edges as (gene, term)."""
    gene, term = kb.direct.tocoo().coords
    pairs = [(kb.genes[g], kb.graph.ids[t]) for g, t in zip(gene, term, strict=True)]
    return [pairs[edge] for edge in EvidenceIndex.from_knowledge_base(kb).lost_edges(pmid, diseases)]


def test_only_edges_without_other_support_are_lost():
    rows = hpoa_rows(
        ("d1", A, ["PMID:1"]),  # nothing else: lost
        ("d1", B, ["PMID:1"]),  # also stated by another publication: stays
        ("d1", B, ["PMID:2"]),
        ("d1", C, ["PMID:1"]),  # also stated without a publication: stays
        ("d1", C, []),
        ("d1", D, ["PMID:1"]),  # the gene has the term through its other disease too: stays
        ("d2", D, ["PMID:2"]),
    )
    assert lost(from_hpoa(rows, LINKS, diamond()), "PMID:1") == [("g1", A)]


def test_a_row_that_also_cites_others_goes_and_repeated_rows_go_together():
    rows = hpoa_rows(("d1", A, ["PMID:1", "PMID:2"]), ("d1", B, ["PMID:1"]), ("d1", B, ["PMID:1"]))
    kb = from_hpoa(rows, LINKS, diamond())
    assert lost(kb, "PMID:1") == [("g1", A), ("g1", B)]
    assert lost(kb, "PMID:2") == [("g1", A)]


def test_scope_limits_the_removal_to_the_given_diseases():
    rows = hpoa_rows(("d1", A, ["PMID:1"]), ("d3", B, ["PMID:1"]), ("d1", D, ["PMID:1"]), ("d2", D, ["PMID:1"]))
    kb = from_hpoa(rows, LINKS, diamond())
    assert lost(kb, "PMID:1") == [("g1", A), ("g1", D), ("g2", B)]
    # d is left to g1 by its other disease, whose rows of the same publication now stay.
    assert lost(kb, "PMID:1", ["d1"]) == [("g1", A)]
    assert lost(kb, "PMID:1", []) == []


def test_annotations_of_the_gene_table_without_a_row_never_go():
    genes = gene_rows(("g1", A, "d1"), ("g1", B, "d1"))
    kb = from_genes_to_phenotype(genes, diamond(), hpoa_rows(("d1", A, ["PMID:1"])))
    assert lost(kb, "PMID:1") == [("g1", A)]


def test_unknown_and_empty_publications_remove_nothing():
    kb = from_hpoa(hpoa_rows(("d1", A, []), ("d1", B, ["PMID:1"])), LINKS, diamond())
    assert lost(kb, "") == []
    assert lost(kb, "PMID:404") == []


def test_a_knowledge_base_without_evidence_cannot_be_traced():
    kb = from_genes_to_phenotype(gene_rows(("g1", A, "d1")), diamond())
    with pytest.raises(BadInputError, match="without evidence rows"):
        EvidenceIndex.from_knowledge_base(kb)
