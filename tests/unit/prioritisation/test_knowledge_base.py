import pandas as pd
import pytest
from resnik_examples import ROOT, A, B, C, D, diamond, gene_rows, hpoa_rows

from genoplatform.errors import EmptyResultError
from genoplatform.prioritisation.annotations import from_genes_to_phenotype, from_hpoa

LINKS = pd.DataFrame({"disease_id": ["d1", "d2", "d2"], "gene_symbol": ["g1", "g2", "g3"]})


def edges(kb):
    return sorted(set(kb.contributions[["gene_symbol", "hpo_id"]].itertuples(index=False, name=None)))


def test_gene_table_keeps_terms_seen_in_no_patient_and_hpoa_does_not():
    absent = pd.concat(
        [hpoa_rows(("d1", C, ["PMID:1"])), hpoa_rows(("d1", A, ["PMID:1"]), present=False).assign(row=2)]
    )
    table = from_genes_to_phenotype(gene_rows(("g1", C, "d1"), ("g1", A, "d1")), diamond(), absent)
    sound = from_hpoa(absent, LINKS, diamond())
    assert edges(table) == [("g1", A), ("g1", C)]
    assert table.report["contributions_without_evidence"] == 0
    assert edges(sound) == [("g1", C)]
    assert sound.report["evidence_rows_absent"] == 1


def test_a_term_present_in_one_row_and_absent_in_another_is_present():
    rows = pd.concat([hpoa_rows(("d1", C, [])), hpoa_rows(("d1", C, []), present=False).assign(row=2)])
    assert edges(from_hpoa(rows, LINKS, diamond())) == [("g1", C)]


def test_negated_rows_support_nothing():
    negated = hpoa_rows(("d1", C, ["PMID:1"]), negated=True, present=False)
    kb = from_genes_to_phenotype(gene_rows(("g1", C, "d1")), diamond(), negated)
    assert kb.evidence.empty
    assert kb.report["contributions_without_evidence"] == 1


def test_a_disease_of_several_genes_annotates_each_and_diseases_without_gene_are_counted():
    kb = from_hpoa(hpoa_rows(("d2", C, []), ("d9", D, [])), LINKS, diamond())
    assert edges(kb) == [("g2", C), ("g3", C)]
    assert kb.report["diseases_without_gene"] == 1
    assert set(kb.evidence["disease_id"]) == {"d2", "d9"}


def test_terms_are_mapped_to_primary_ids_once_and_unknown_ones_counted():
    rows = gene_rows(("g1", "HP:0000099", "d1"), ("g1", D, "d1"), ("g1", "HP:9999999", "d1"))
    kb = from_genes_to_phenotype(rows, diamond())
    assert edges(kb) == [("g1", D)]
    assert {k: kb.report[k] for k in ("gene_rows", "gene_rows_mapped", "gene_rows_unresolved")} == {
        "gene_rows": 3,
        "gene_rows_mapped": 1,
        "gene_rows_unresolved": 1,
    }


def test_branch_leaves_out_other_terms_and_counts_them():
    rows = gene_rows(("g1", C, "d1"), ("g1", A, "d1"), ("g1", D, "d1"), ("g1", ROOT, "d1"))
    kb = from_genes_to_phenotype(rows, diamond(), branch=B)
    assert edges(kb) == [("g1", C), ("g1", D)]
    assert kb.report["gene_rows_outside_branch"] == 2


def test_evidence_has_one_line_per_row_and_publication():
    kb = from_hpoa(hpoa_rows(("d1", C, ["PMID:2", "PMID:1"]), ("d1", C, [])), LINKS, diamond())
    assert kb.evidence.to_numpy().tolist() == [
        ["d1", C, 1, "PMID:1"],
        ["d1", C, 1, "PMID:2"],
        ["d1", C, 2, ""],
    ]
    assert kb.gene_diseases.to_numpy().tolist() == [["g1", "d1"]]


def test_no_annotation_left_is_an_error():
    with pytest.raises(EmptyResultError, match="no gene annotation left"):
        from_hpoa(hpoa_rows(("d7", C, [])), LINKS, diamond())
