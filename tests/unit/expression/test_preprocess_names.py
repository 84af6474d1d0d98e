"""Gene names: alias dictionaries, symbols in annotation text, dates that were symbols (A.2, B.7, B.8, E.6)."""

import json

import pandas as pd
import pytest
from geo_files import put

from genoplatform.errors import BadInputError
from genoplatform.expression.aliases import (
    alias_table,
    aliases_of,
    dictionary_table,
    read_synonyms,
    rule_a2,
    rule_a2_of,
)
from genoplatform.expression.preprocess.excel_dates import date_candidates, repaired
from genoplatform.expression.preprocess.symbols import SoundRule, symbols_v1, symbols_v2


def hgnc(*rows):
    """Genes as (symbol, aliases, former symbols)."""
    records = [(s, str(i), f"ENSG{i:011d}", a.split(), f.split()) for i, (s, a, f) in enumerate(rows, start=1)]
    return pd.DataFrame(records, columns=["symbol", "entrez_id", "ensembl_gene_id", "alias_symbols", "prev_symbols"])


GENES = hgnc(
    ("QARS1", "GLNRS", "QARS"),
    ("EPRS1", "", "QARS EPRS"),
    ("SEPTIN2", "", "SEPT2"),
    ("SEPTIN6", "SEP2", "SEPT6"),
    ("MARCHF1", "", "MARCH1"),
    ("MTARC1", "", "MARC1"),
    ("MARCHF3", "", "MARCH3"),
    ("POU5F1", "OCT4", ""),
    ("HLA-DRB1", "", ""),
    ("C1orf112", "", ""),
    ("TP53", "P53 A1", ""),
    ("RFC1", "A1", ""),
)
ALIASES = aliases_of(alias_table(GENES))


def test_rule_a2_lets_later_genes_take_aliases_over_but_not_symbols():
    """Marked in A.2 and by HGNChelper issue 14: an ambiguous alias silently means one gene."""
    found = rule_a2([("A", ["X", "b"]), ("B", ["X", "A"]), ("C1orf1", ["x"])])
    assert found == {"A": "A", "X": "C1orf1", "B": "B", "C1ORF1": "C1orf1"}
    assert rule_a2_of(GENES)["QARS"] == "EPRS1"


def test_the_sound_dictionary_names_one_gene_or_none():
    assert ALIASES.resolve("QARS") is None
    assert ALIASES.ambiguous["QARS"] == ("EPRS1", "QARS1")
    assert ALIASES.ambiguous["A1"] == ("RFC1", "TP53")
    assert ALIASES.resolve("glnrs") == "QARS1"
    assert ALIASES.resolve("c1ORF112") == "C1orf112"
    assert ALIASES.resolve("ENSG00000000011.7") == "TP53"
    assert ALIASES.resolve("11") is None, "digits are names of genes only where a column says so"
    assert ALIASES.entrez["11"] == "TP53"


def test_a_former_symbol_goes_before_an_alias():
    found = aliases_of(alias_table(hgnc(("AA", "OLD", ""), ("BB", "", "OLD"))))
    assert found.resolve("OLD") == "BB"


def test_synonym_files(tmp_path):
    path = put(tmp_path / "gene_synonym.json", json.dumps({"P53": "TP53", "tp53": "TP53"}))
    assert read_synonyms(path) == {"P53": "TP53", "TP53": "TP53"}
    assert aliases_of(dictionary_table(read_synonyms(path))).resolve("p53") == "TP53"
    for wrong in ("[]", "{}", '{"a": 1}', "nothing"):
        with pytest.raises(BadInputError):
            read_synonyms(put(tmp_path / "wrong.json", wrong))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DDR1 /// MIR4640", ["DDR1", "MIR4640"]),
        ("C1orf112 and C1ORF112", ["C1orf112", "C1ORF112"]),
        ("LOC12 LINC01128 LOCX", ["LOCX"]),
        ("NM_000546 // TP53 // tumor protein p53 // 17p13.1", ["TP53"]),
        ("DNA RNA PCR EST CHR chr TP53 TP53", ["TP53"]),
        ("A B2", ["B2"]),
    ],
)
def test_release_2_symbols(text, found):
    assert symbols_v2(text) == found


def test_what_release_2_loses_or_invents_and_sound_does_not():
    """Marked in B.7: symbols of more than ten characters, cuts at a hyphen, accessions and capital words."""
    rule = SoundRule(
        aliases_of(alias_table(hgnc(("HLA-DRB1", "", ""), ("ABCDEFGHIJK", "", ""), ("LONGNAME-AS1", "", ""))))
    )
    assert symbols_v2("ABCDEFGHIJK") == []
    assert rule("ABCDEFGHIJK") == ["ABCDEFGHIJK"]
    assert symbols_v2("LONGNAME-AS1") == ["LONGNAME-", "AS1"]
    assert rule("LONGNAME-AS1") == ["LONGNAME-AS1"]
    assert symbols_v2("U48705 // HLA-DRB1 // MHC class II // SIMILAR TO") == [
        "U48705",
        "HLA-DRB1",
        "MHC",
        "II",
        "SIMILAR",
        "TO",
    ]
    assert rule("U48705 // HLA-DRB1 // MHC class II // SIMILAR TO") == ["HLA-DRB1"]


def test_release_1_pieces_are_not_trimmed_and_sound_ones_are():
    """Marked in B.7."""
    assert symbols_v1("TP53 /// RFC1;QARS1|POU5F1,(x)[y]") == ["TP53 ", " RFC1", "QARS1", "POU5F1", "x", "y"]
    assert SoundRule(ALIASES)("TP53 /// RFC1;QARS1|POU5F1,(x)[y]") == ["TP53", "RFC1", "QARS1", "POU5F1"]


def test_sound_symbols_of_every_column_kind():
    first = "NR_1 // TP53 // tumor protein // 17p13 // 7157 /// ENST2 // TP53 // same // 17 // 1"
    records = f"{first} /// X // RFC1 // r // 4 // 2"
    assert SoundRule(ALIASES, "gene_assignment")(records) == ["TP53", "RFC1"]
    assert SoundRule(ALIASES, "ENTREZ_GENE_ID")("11 /// 12") == ["TP53", "RFC1"]
    assert SoundRule(ALIASES, "Symbol")("11") == []
    assert SoundRule(ALIASES, "SPOT_ID")("ENSG00000000011") == ["TP53"]
    assert SoundRule(ALIASES)("P53 /// TP53") == ["TP53"], "two names of one gene are one gene"
    assert SoundRule(ALIASES)("---") == []


def test_ambiguous_names_and_dates_are_counted():
    rule = SoundRule(ALIASES)
    assert [rule(text) for text in ("QARS", "A1", "2-Sep", "1-Mar")] == [[], [], ["SEPTIN2"], []]
    assert rule.report() == {"names that mean several genes, left out": 2, "dates turned back into symbols": 1}


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("2-Sep", "SEPTIN2"),
        ("02-Sep", "SEPTIN2"),
        ("Sep-02", "SEPTIN2"),
        ("2-sept", "SEPTIN2"),
        ("2-Sep-20", "SEPTIN2"),
        ("3-Mar", "MARCHF3"),
        ("1-Mar", None),
        ("4-Oct", None),
        ("HLA-DRB1", None),
        ("TP53", None),
        ("32-Sep", None),
    ],
)
def test_spreadsheet_dates(name, symbol):
    """genekitr issue 14. 1-Mar may be MARCH1 or MARC1; OCT4 never was an official symbol, so 4-Oct stays unknown."""
    assert repaired(name, ALIASES) == symbol
    assert date_candidates("1-Mar") == ["MARCH1", "MARC1"]
