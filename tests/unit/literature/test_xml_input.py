"""What is let in as XML, and what is refused and why: bombs, broken files, foreign encodings, namespaces."""

import resource
import socket

import pytest
from lxml import etree

from genoplatform.literature import xml_input
from genoplatform.literature.jats import text_of
from genoplatform.literature.xml_input import ArticleError, parse_xml

BOMB = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def reason(content: bytes) -> str:
    with pytest.raises(ArticleError) as caught:
        parse_xml(content)
    assert str(caught.value).startswith("reading an article: ")
    return caught.value.reason


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty_file"),
        (b" \n\t", "empty_file"),
        (b"not xml", "xml_syntax"),
        (b"<article><front></article>", "xml_syntax"),
        (b"<article><front>", "xml_syntax"),
        (b"<article/>trailing", "xml_syntax"),
        (b"<article>\x00</article>", "xml_syntax"),
        ('<?xml version="1.0" encoding="UTF-8"?><a>é</a>'.encode("latin-1"), "xml_syntax"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', "xml_syntax"),
        (b"<a>&nbsp;</a>", "xml_syntax"),  # no DTD that could define it
        (b'<!DOCTYPE a SYSTEM "a.dtd"><a>&nosuchname;</a>', "unknown_entity"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>d</a>', "entity_declaration"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>', "entity_declaration"),
        (f'<!DOCTYPE a [<!ENTITY l0 "lol">{BOMB}]><a>&l9;</a>'.encode(), "xml_syntax"),  # libxml2's own guard
        (f'<!DOCTYPE a [<!ENTITY l0 "lol">{BOMB}]><a>&l2;</a>'.encode(), "entity_declaration"),
        (b"<a>" * 5000 + b"</a>" * 5000, "xml_syntax"),  # deeper than libxml2 goes
    ],
)
def test_refused(content, expected):
    assert reason(content) == expected


def test_a_bomb_in_an_attribute_does_not_go_off():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    content = f'<!DOCTYPE a [<!ENTITY l0 "{"lol" * 40}">{BOMB}]><a b="&l9;"/>'.encode()
    assert reason(content) in {"entity_declaration", "xml_syntax"}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10, "kilobytes"


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd">',
        '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p.ent"> %p;]>',
        '<?xml-stylesheet href="http://127.0.0.1:9/s.xsl"?>',
    ],
)
def test_nothing_is_fetched(head, monkeypatch, tmp_path):
    def refuse(*arguments, **options):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    content = f"{head}<a>b</a>".encode()
    if "ENTITY" in head:
        assert reason(content) in {"entity_declaration", "xml_syntax"}
    else:
        assert parse_xml(content).text == "b"


def test_a_local_dtd_is_not_read(tmp_path):
    dtd = tmp_path / "a.dtd"
    dtd.write_text('<!ENTITY nosuchname "leaked">')
    assert reason(f'<!DOCTYPE a SYSTEM "{dtd}"><a>&nosuchname;</a>'.encode()) == "unknown_entity"


def test_named_characters_of_the_dtd_become_characters():
    root = parse_xml(b'<!DOCTYPE a SYSTEM "a.dtd"><a>x&alpha;<b/>y&mdash;z<c>&nbsp;</c></a>')
    assert text_of(root) == "xαy—z"
    assert list(root.iter(etree.Entity)) == []


def test_comments_and_instructions_are_not_text():
    assert text_of(parse_xml(b"<a>one<!-- no --> two<?no?>, three</a>")) == "one two, three"


def test_encodings_that_are_declared_are_read():
    for encoding in ("iso-8859-1", "utf-16"):
        content = f'<?xml version="1.0" encoding="{encoding}"?><a>é</a>'.encode(encoding)
        assert parse_xml(content).text == "é"


def test_the_namespace_of_the_root_is_taken_off_and_others_stay():
    root = parse_xml(b'<j:article xmlns:j="urn:jats" xmlns:m="urn:m"><j:front><m:x/></j:front></j:article>')
    assert root.tag == "article"
    assert [element.tag for element in root.iter()] == ["article", "front", "{urn:m}x"]
    assert parse_xml(b'<article xmlns="urn:jats"><front/></article>').find("front") is not None


def test_an_article_beyond_the_bound_is_refused_before_it_is_parsed(monkeypatch):
    monkeypatch.setattr(xml_input, "MAX_ARTICLE_BYTES", 10)
    assert reason(b"<a>12345678</a>") == "too_large"
    assert parse_xml(b"<a>123</a>").text == "123"
