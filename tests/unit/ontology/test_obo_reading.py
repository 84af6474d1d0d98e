import pytest
from ontology_texts import OBO_HEADER, stanza

from genoplatform.errors import BadInputError
from genoplatform.ontology import read_obo

SMALL = (
    OBO_HEADER
    + stanza("HP:0000001")
    + stanza("HP:0000002", 'is_a: HP:0000001 {source="x"} ! term 1')
    + stanza(
        "HP:0000003",
        "alt_id: HP:0000013",
        "alt_id: HP:0000012",
        'synonym: "second" EXACT []',
        'synonym: "first" EXACT []',
        "is_a: HP:0000002 ! term 2",
        "is_a: HP:0000001 ! term 1",
    )
    + stanza("HP:0000004", "is_obsolete: true", "replaced_by: HP:0000003", "replaced_by: HP:0000002")
    + stanza("HP:0000005", "is_obsolete: true", "consider: HP:0000003", "consider: HP:0000002")
    + "[Typedef]\nid: part_of\nname: part of\n"
)


def test_terms_keep_every_alternative_and_every_replacement(write):
    release = read_obo(write(SMALL))
    terms = release.terms.set_index("id")
    assert release.version == "2025-01-16"
    assert release.terms["id"].tolist() == [f"HP:000000{i}" for i in range(1, 6)]
    assert terms.loc["HP:0000003", "alt_ids"] == ["HP:0000012", "HP:0000013"]
    assert terms.loc["HP:0000003", "synonyms"] == ["first", "second"]
    assert terms.loc["HP:0000004", "replaced_by"] == ["HP:0000002", "HP:0000003"]
    assert terms.loc["HP:0000005", "consider"] == ["HP:0000002", "HP:0000003"]
    assert terms["obsolete"].tolist() == [False, False, False, True, True]


def test_edges_keep_the_order_of_the_file(write):
    edges = read_obo(write(SMALL)).edges
    assert edges.values.tolist() == [
        ["HP:0000002", "HP:0000001", 0],
        ["HP:0000003", "HP:0000002", 0],
        ["HP:0000003", "HP:0000001", 1],
    ]


def test_windows_line_ends_make_no_difference(write):
    plain, windows = read_obo(write(SMALL)), read_obo(write(SMALL.replace("\n", "\r\n"), "crlf.obo"))
    assert plain.terms.equals(windows.terms)
    assert plain.edges.equals(windows.edges)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ("<html>404 not found</html>", "not an OBO file"),
        ('<?xml version="1.0"?><rdf:RDF/>', "not an OBO file"),
        (OBO_HEADER, "no .Term. stanza"),
        (SMALL.replace("data-version: hp/releases/2025-01-16\n", ""), "no data-version"),
        (SMALL + stanza("HP:0000006", "is_a: HP:0000099 ! lost"), "truncated.*HP:0000099"),
        (SMALL + stanza("HP:0000006", "is_a: HP:0000004 ! gone"), "obsolete: HP:0000004"),
        (SMALL + stanza("HP:0000006", "is_a: HP:0000006 ! itself"), "cycle through HP:0000006"),
        (
            SMALL + stanza("HP:0000006", "is_a: HP:0000007") + stanza("HP:0000007", "is_a: HP:0000006"),
            "cycle through HP:0000006, HP:0000007",
        ),
        (SMALL + stanza("HP:0000003", "is_a: HP:0000001"), "several stanzas of HP:0000003"),
        (SMALL[: SMALL.index("EXACT")], "SyntaxError"),
        (SMALL + "\n[Term]\nid: HP:00", "SyntaxError"),
        (OBO_HEADER.encode() + b"! caf\xe9\n", "not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(write, text, found):
    with pytest.raises(BadInputError, match=found):
        read_obo(write(text, "hp.obo"))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadInputError, match=r"nowhere\.obo"):
        read_obo(tmp_path / "nowhere.obo")
