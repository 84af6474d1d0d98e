import pytest

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.ontology import disease_genes, read_gene_annotations

SIX = "ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\tfrequency\tdisease_id\n"
NINE = (
    "#Format: entrez-gene-id<tab>entrez-gene-symbol<tab>HPO-Term-ID<tab>HPO-Term-Name<tab>Frequency-Raw"
    "<tab>Frequency-HPO<tab>Additional Info from G-D source<tab>G-D source<tab>disease-ID for link\n"
)
SWAPPED = NINE.replace("HPO-Term-ID<tab>HPO-Term-Name", "HPO-Term-Name<tab>HPO-Term-ID")
LAYOUTS = {
    "6 columns": SIX + "57167\tSALL4\tHP:0001249\tx\t1/3\tOMIM:607323\n",
    "6 columns, prefixed gene id": SIX + "NCBIGene:57167\tSALL4\tHP:0001249\tx\t1/3\tOMIM:607323\n",
    "9 columns": NINE + "57167\tSALL4\tHP:0001249\tx\t1/3\t\t-\tmim2gene\tOMIM:607323\n",
    "9 columns, real tabs": NINE.replace("<tab>", "\t") + "57167\tSALL4\tHP:0001249\tx\t1/3\t\t-\tm\tOMIM:607323\n",
    "9 columns, names swapped": SWAPPED + "57167\tSALL4\tHP:0001249\tx\t1/3\t\t-\tmim2gene\tOMIM:607323\n",
    "4 columns": "ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\n57167\tSALL4\tHP:0001249\tx\n",
    "phenotype_to_genes, 7 columns": (
        "#Format: HPO-id<tab>HPO label<tab>entrez-gene-id<tab>entrez-gene-symbol<tab>Additional Info from G-D source"
        "<tab>G-D source<tab>disease-ID for link\nHP:0001249\tx\t57167\tSALL4\t-\tmim2gene\tOMIM:607323\n"
    ),
    "phenotype_to_genes, 4 columns": "hpo_id\thpo_name\tncbi_gene_id\tgene_symbol\nHP:0001249\tx\t57167\tSALL4\n",
    "phenotype_to_genes, 5 columns": (
        "hpo_id\thpo_name\tncbi_gene_id\tgene_symbol\tdisease_id\nHP:0001249\tx\t57167\tSALL4\tOMIM:607323\n"
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_historic_layout_is_read_by_name(write, layout):
    annotations = read_gene_annotations(write(LAYOUTS[layout]))
    row = annotations.rows.iloc[0]
    assert (row["gene_id"], row["gene_symbol"], row["hpo_id"]) == ("NCBIGene:57167", "SALL4", "HP:0001249")
    assert row["disease_id"] == ("" if "4 columns" in layout else "OMIM:607323")
    has_frequency = layout.startswith(("6", "9"))
    assert row["frequency"] == ("1/3" if has_frequency else "")
    assert annotations.report["rows without a frequency column"] == (0 if has_frequency else 1)


def test_absence_is_kept_as_absence(write):
    # inputs.md #5: ANTXR2 HP:0001249 0/30
    text = SIX + "118429\tANTXR2\tHP:0001249\tx\t0/30\tOMIM:228600\n118429\tANTXR2\tHP:0000002\tx\t-\tOMIM:228600\n"
    rows = read_gene_annotations(write(text)).rows
    assert rows["present"].tolist() == [False, True]
    assert rows["frequency"].tolist() == ["0/30", ""]


def test_the_second_frequency_column_serves_where_the_first_is_empty(write):
    text = NINE + "1\tA\tHP:0000001\tx\t\tHP:0040285\t-\tmim2gene\tOMIM:1\n"
    rows = read_gene_annotations(write(text)).rows
    assert rows["frequency"].tolist() == ["HP:0040285"]
    assert rows["present"].tolist() == [False]


def test_a_header_without_rows_is_refused(write):
    # inputs.md #1: phenotype_to_genes.txt of 2026-06-06, 52 bytes
    with pytest.raises(EmptyResultError, match="0 data lines"):
        read_gene_annotations(write("hpo_id\thpo_name\tncbi_gene_id\tgene_symbol\tdisease_id\n"))


@pytest.mark.parametrize(("missing", "refused"), [(1, False), (2, True), (100, True)])
def test_a_release_without_gene_symbols_is_refused(write, missing, refused):
    # inputs.md #1: every gene_symbol "-"; 1 % is allowed, one more row is not
    lines = [f"{i}\t{'-' if i < missing else 'GENE'}\tHP:0000001\tx\t-\tOMIM:{i}\n" for i in range(100)]
    path = write(SIX + "".join(lines))
    if refused:
        with pytest.raises(BadInputError, match="no gene symbol"):
            read_gene_annotations(path)
    else:
        annotations = read_gene_annotations(path)
        assert annotations.report["no gene symbol"] == 1
        assert len(annotations.rows) == 99
        assert annotations.rejected["line"].tolist() == [2]


def test_an_unknown_layout_names_found_and_expected_columns(write):
    with pytest.raises(BadInputError, match=r"(?s)gene, phenotype.*gene_symbol"):
        read_gene_annotations(write("gene\tphenotype\nA\tHP:0000001\n"))


def test_bad_rows_are_counted_by_reason(write):
    good = "1\tA\tHP:0000001\tx\t-\tOMIM:1\n"
    text = SIX + good + good + "1\tA\n" + "1\tA\tHP:1\tx\t-\tOMIM:1\n" + "1\tA\tHP:0000002\tx\t3/2\tOMIM:1\n"
    annotations = read_gene_annotations(write(text))
    assert {k: v for k, v in annotations.report.items() if v} == {
        "lines": 5,
        "rows": 1,
        "exact duplicate": 1,
        "short row": 1,
        "malformed id": 1,
        "impossible frequency": 1,
    }
    assert annotations.rejected["line"].tolist() == [3, 4, 5, 6]


def test_disease_genes_are_distinct_and_sorted(write):
    text = SIX + "".join(
        f"{g}\t{s}\tHP:000000{h}\tx\t-\t{d}\n"
        for g, s, h, d in [(2, "B", 1, "OMIM:2"), (2, "B", 2, "OMIM:2"), (1, "A", 1, "OMIM:2"), (1, "A", 1, "OMIM:1")]
    )
    pairs = disease_genes(read_gene_annotations(write(text)).rows)
    assert pairs.values.tolist() == [["OMIM:1", "A"], ["OMIM:2", "A"], ["OMIM:2", "B"]]
