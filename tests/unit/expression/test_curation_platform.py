"""Is it expression data, must ids be mapped, and by which annotation columns."""

import pytest

from genoplatform.expression.curation import CharacteristicsRow, CohortFacts, curate
from genoplatform.expression.curation.identifiers import choose_columns, id_kind, needs_mapping


def decided(**more):
    return curate(CohortFacts(trait="Asthma", cohort="GSE1", **more))


@pytest.mark.parametrize(
    ("identifier", "kind"),
    [
        ("1007_s_at", "affymetrix"),
        ("TC01000001.hg.1", "affymetrix"),
        ("ILMN_1343291", "illumina"),
        ("A_23_P100001", "agilent"),
        ("ENST00000000233", "ensembl"),
        ("hsa-miR-21-5p", "mirna"),
        ("cg00000029", "methylation"),
        ("rs123456", "snp"),
        ("7892501", "number"),
        ("A1BG", "symbol"),
        ("C1orf112", "symbol"),
        ("HLA-DRB1", "symbol"),
        ("2-Sep", "symbol"),
        ("GSM4602151", "other"),
        ("RTS0050057", "other"),
    ],
)
def test_ids_are_told_by_their_form(identifier, kind):
    assert id_kind(identifier) == kind


def test_symbols_need_no_mapping_probes_do():
    assert needs_mapping(["A1BG", "A2M", "AAAS"], {})[0] is False
    assert needs_mapping(["1007_s_at", "1053_at"], {})[0] is True
    assert needs_mapping([], {"ID": ["AB1", "TP53"], "ORF": ["AB1", "TP53"]})[0] is False
    assert needs_mapping([], {})[0] is None


@pytest.mark.parametrize(
    ("columns", "gene"),
    [
        (["ID", "GB_ACC", "Gene Title", "Gene Symbol", "ENTREZ_GENE_ID"], "Gene Symbol"),
        (["ID", "ILMN_Gene", "Entrez_Gene_ID", "Symbol", "GB_ACC"], "Symbol"),
        (["ID", "GENE", "GENE_SYMBOL", "GENE_NAME"], "GENE_SYMBOL"),
        (["ID", "seqname", "gene_assignment", "mrna_assignment"], "gene_assignment"),
        (["ID", "ENTREZ_GENE_ID", "SPOT_ID"], "ENTREZ_GENE_ID"),
        (["ID", "GB_ACC", "SPOT_ID"], None),
    ],
)
def test_gene_columns_by_name(columns, gene):
    chosen = choose_columns(dict.fromkeys(columns, ("x",)))
    assert (chosen.id_column, chosen.gene_column) == ("ID", gene)
    assert chosen.why


def test_a_second_spot_column_counts_only_if_it_holds_genes():
    described = ("NM_1 // RefSeq // olfactory receptor (OR4F5), mRNA.",)
    assert choose_columns({"ID": ("1",), "SPOT_ID.1": described}).gene_column == "SPOT_ID.1"
    assert choose_columns({"ID": ("1",), "SPOT_ID.1": ("chr1:1-2",)}).gene_column is None


@pytest.mark.parametrize("ids", [("hsa-miR-1", "hsa-let-7a"), ("cg00000029", "cg00000108"), ("rs1000", "rs1001")])
def test_other_ids_are_no_expression(ids):
    found = decided(first_ids=ids)
    assert not found.is_gene_available
    assert ids[0] in found.why["gene"]


@pytest.mark.parametrize(
    ("title", "available"),
    [
        ("MicroRNA profiling of asthma", False),
        ("Genome-wide DNA methylation in asthma", False),
        ("SNP array data of asthma", False),
        ("Gene and miRNA expression in asthma", True),
        ("Gene expression and DNA methylation in asthma", True),
        ("Single-cell RNA-seq of asthma", False),
        ("Peripheral blood in asthma, microarray", True),
    ],
)
def test_titles_speak_where_ids_do_not(title, available):
    assert decided(background=f'!Series_title\t"{title}"').is_gene_available is available


def test_ids_go_before_words():
    found = decided(background='!Series_title\t"MicroRNA-mediated suppression"', first_ids=("1007_s_at", "1053_at"))
    assert found.is_gene_available


def test_samples_that_do_not_look_human_are_told():
    row = CharacteristicsRow.of(0, ["strain: C57BL/6", "strain: C57BL/6"])
    assert "do not look human" in decided(characteristics=(row,)).why["species"]
