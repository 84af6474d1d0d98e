"""A JATS article to its record, field by field, as the specification has it (rare_disease.md sections 1.2 and 1.3)."""

import pytest
from tiny_literature import jats

from genoplatform.literature.article import ARTICLE_SCHEMA, Article, Author, Section, as_row, from_row
from genoplatform.literature.jats import parse_article
from genoplatform.literature.xml_input import ArticleError

FULL = """<article article-type="case-report" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:ali="http://www.niso.org/schemas/ali/1.0/"><front><journal-meta>
 <journal-id journal-id-type="nlm-ta">Tiny Rep</journal-id><journal-title>Tiny Reports</journal-title>
 <issn pub-type="ppub">1111-1111</issn><issn pub-type="epub">2222-2222</issn>
 <publisher><publisher-name>Tiny House</publisher-name></publisher></journal-meta><article-meta>
 <article-id pub-id-type="pmc">PMC123</article-id><article-id pub-id-type="pmid">456</article-id>
 <article-id pub-id-type="doi">10.1/x</article-id>
 <article-categories><subj-group><subject>Genetics</subject><subj-group><subject>Rare
 Diseases</subject></subj-group></subj-group></article-categories>
 <title-group><article-title>A <italic>TG01</italic> variant</article-title></title-group>
 <contrib-group><contrib contrib-type="author"><name><surname>Doe</surname><given-names>Jane</given-names></name>
 <xref ref-type="aff" rid="a1 a2"/></contrib><contrib contrib-type="editor"><name><surname>No</surname></name></contrib>
 <contrib contrib-type="author"><collab>A Consortium</collab></contrib></contrib-group>
 <aff id="a1">One Place</aff>
 <pub-date pub-type="collection"><year>2019</year></pub-date>
 <pub-date pub-type="epub"><day>3</day><month>2</month><year>2018</year></pub-date>
 <permissions><copyright-statement>© Doe</copyright-statement><license xlink:href="https://example.org/l">
 <ali:license_ref>https://example.org/by</ali:license_ref><license-p>Free to use.</license-p></license></permissions>
 <abstract><title>Summary</title><p>First.</p></abstract><abstract abstract-type="toc"><p>Second.</p></abstract>
 <funding-group><funding-statement>Paid by nobody.</funding-statement></funding-group>
 </article-meta></front><body><p>Outside any section.</p>
 <sec><title>Materials and <italic>Methods</italic></title><p>One   <bold>b</bold>old
 paragraph.</p><table-wrap><p>No.</p></table-wrap><p/><p>Two.</p>
 <sec><title><italic>Results</italic></title><p>Nested.</p><list><list-item><p>No.</p></list-item></list></sec></sec>
 <sec><title>Empty</title></sec></body>
 <back><ref-list><ref/><ref/></ref-list></back></article>"""


PRINTED = '<pub-date pub-type="ppub"><year>2001</year></pub-date>'


def article(content: str | bytes, **options) -> Article:
    return parse_article(content.encode() if isinstance(content, str) else content, **options)


def test_every_field():
    found = article(FULL)
    assert found == Article(
        pmcid="PMC123",
        pmid="456",
        doi="10.1/x",
        article_type="case-report",
        title="A TG01 variant",
        pub_year=2018,
        mesh_terms=("Genetics", "Rare Diseases"),
        authors=(Author("Doe", "Jane", ("a1", "a2")),),
        affiliations=(("a1", "One Place"),),
        journal_title="Tiny Reports",
        journal_ids=(("nlm-ta", "Tiny Rep"),),
        issns=(("ppub", "1111-1111"), ("epub", "2222-2222")),
        publisher="Tiny House",
        license_text="Free to use.",
        license_url="https://example.org/by",
        copyright="© Doe",
        funding=("Paid by nobody.",),
        n_references=2,
        sections=(
            Section("abstract", "Abstract", "SummaryFirst."),  # the first abstract, its title flattened in
            Section("other", "Materials and", "One bold paragraph.\n\nTwo."),  # a heading ends where markup begins
            Section("other", None, "Nested."),
        ),
    )
    assert found.abstract == "SummaryFirst."
    assert found.issn == "2222-2222"
    assert str(found.authors[0]) == "Doe, Jane"
    assert str(Author("Doe", "")) == "Doe"


def test_a_record_survives_its_table_form():
    found = article(FULL)
    row = as_row(found, 7, "oa_comm", "a.tar.gz")
    assert list(ARTICLE_SCHEMA.names) == sorted(row, key=ARTICLE_SCHEMA.names.index)
    assert set(row) == set(ARTICLE_SCHEMA.names)
    assert (row["position"], row["tier"], row["source_tarball"]) == (7, "oa_comm", "a.tar.gz")
    assert from_row(row) == found


def test_without_a_front_it_is_no_article():
    for content in ("<article><body/></article>", "<OAI-PMH><article><front/></article></OAI-PMH>"):
        with pytest.raises(ArticleError, match="has no front") as caught:
            article(content)
        assert caught.value.reason == "no_front"


@pytest.mark.parametrize(
    ("ids", "identified_by", "expected"),
    [
        ({"pmc": "PMC1"}, ("pmc",), "PMC1"),
        ({"pmc": "1"}, ("pmc",), "PMC1"),
        ({"doi": "10.1/a"}, ("pmc",), None),
        ({"doi": "10.1/a"}, ("pmc", "doi"), "doi:10.1/a"),
        ({"pmcid": "PMC2"}, ("pmc", "pmcid", "doi"), "PMC2"),
        ({"doi": "10.1/a", "pmc": "PMC1"}, ("pmc", "doi"), "PMC1"),
        ({"pmc": "", "doi": "10.1/a"}, ("pmc", "doi"), "doi:10.1/a"),
        ({"pmid": "7"}, ("pmid",), "pmid:7"),
        ({}, ("pmc", "doi"), None),
    ],
)
def test_what_identifies_an_article(ids, identified_by, expected):
    assert article(jats(1, ids=ids), identified_by=identified_by).pmcid == expected


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        (f'{PRINTED}<pub-date pub-type="epub"><year>2000</year></pub-date>', 2000),
        (f'<pub-date pub-type="epub"><year>MMI</year></pub-date>{PRINTED}', 2001),
        ('<pub-date date-type="pub"><year>2022</year><month>1</month></pub-date>', 2022),
        ('<pub-date pub-type="epreprint"><year>2023</year></pub-date>', 2023),
        ('<pub-date pub-type="nihms-submitted"><year>2024</year></pub-date>', None),
        ('<pub-date pub-type="epub"><month>5</month></pub-date>', None),
        ('<pub-date><year>2020</year></pub-date>', None),
        ("", None),
    ],
)  # fmt: skip
def test_the_publication_year(dates, year):
    assert article(f"<article><front><article-meta>{dates}</article-meta></front></article>").pub_year == year


def sections(body: str, abstract: str | None = None) -> list[tuple[str, str | None, str]]:
    found = article(jats(1, body=body, abstract=abstract)).sections
    return [(section.section_type, section.heading, section.text) for section in found]


def test_a_body_without_sections_is_one_text():
    assert sections("<p>One. </p><p>Two.</p>") == [("other", None, "One. Two.")]
    assert sections("<p>One.</p>", abstract="Told.") == [("abstract", "Abstract", "Told.")], (
        "only where nothing else is"
    )
    assert sections("<sec><title>Results</title></sec><p>Lost.</p>") == []
    assert sections("") == []


def test_paragraphs_are_joined_by_a_blank_line_and_never_twice():
    body = "<sec><title>Results</title><p>a</p><sec><title>Results</title><p>b</p></sec><p>c</p></sec>"
    assert sections(body) == [("results", "Results", "a\n\nc"), ("results", "Results", "b")]


def test_an_article_of_nothing_but_a_front():
    found = article("<article><front/></article>")
    assert found == Article(pmcid=None)
    assert found.abstract == ""
    assert found.issn is None


def test_a_huge_article_is_read():
    paragraphs = "".join(f"<p>{'word ' * 20}{n}</p>" for n in range(50_000))
    ((kind, _, text),) = sections(f"<sec><title>Results</title>{paragraphs}</sec>")
    assert kind == "results"
    assert text.count("\n\n") == 49_999
