import pytest

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.ontology import alias_map, protein_coding, read_hgnc

HEADER = "hgnc_id\tsymbol\tname\tlocus_group\tstatus\talias_symbol\tprev_symbol\tentrez_id\tensembl_gene_id\n"
CODING = "protein-coding gene"
TABLE = HEADER + "".join(
    "\t".join(fields) + "\n"
    for fields in [
        ("HGNC:3", "C", "third", CODING, "Approved", '"SHARED|A"', "OLDC", "3", "ENSG3"),
        ("HGNC:1", "A", "first", CODING, "Approved", '"SHARED| A1 |"', '"OLDA|OLDC"', "1", "ENSG1"),
        ("HGNC:2", "LNC", "a list, with 'quotes'", "non-coding RNA", "Approved", "LNCALIAS", "", "2", ""),
    ]
)


def test_lists_and_cross_references(write):
    table = read_hgnc(write(TABLE))
    assert table["symbol"].tolist() == ["C", "A", "LNC"]  # the file's order: aliases go to the first
    assert table["alias_symbols"].tolist() == [["SHARED", "A"], ["SHARED", "A1"], ["LNCALIAS"]]
    assert table["prev_symbols"].tolist() == [["OLDC"], ["OLDA", "OLDC"], []]
    assert table["entrez_id"].tolist() == ["3", "1", "2"]


def test_protein_coding_symbols_are_sorted(write):
    assert protein_coding(read_hgnc(write(TABLE))) == ["A", "C"]


def test_the_first_gene_keeps_an_alias_and_a_symbol_is_no_alias(write):
    # rare_disease.md section 6
    assert alias_map(read_hgnc(write(TABLE))) == {"SHARED": "C", "OLDC": "C", "A1": "A", "OLDA": "A"}


@pytest.mark.parametrize(
    ("text", "error", "found"),
    [
        ("", BadInputError, "No columns"),
        (HEADER, EmptyResultError, "no gene"),
        ("hgnc_id\tsymbol\nHGNC:1\tA\n", BadInputError, "locus_group"),
        (TABLE + "x\tD\t\t\t\t\t\t\t\n", BadInputError, r"lines \[5\]"),
        (TABLE + '"broken\n', BadInputError, "hgnc"),
    ],
)
def test_a_table_that_cannot_be_used_is_named(write, text, error, found):
    with pytest.raises(error, match=found):
        read_hgnc(write(text, "hgnc.txt"))
