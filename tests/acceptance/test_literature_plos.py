"""The 122 PLOS articles of the embedded profile, from XML to chunks, against counts made without this package.

The counts come from the XML by the standard library's ElementTree (sections, headings, text) and a plain-Python BERT
tokeniser (cleaning, punctuation, greedy WordPiece over the wheel's vocab.txt), with `1 + ceil((tokens - 512) / 462)`
chunks above 512 tokens; the section types were assigned by reading the headings. The bodies of the first three
articles and of pone.0040259 were also read by eye. pmed.1001186 ends with a section of exactly 512 tokens.
"""

import pytest

from genoplatform.literature.chunk_table import CHUNK_COLUMNS
from genoplatform.literature.chunking import article_chunks, iter_articles
from genoplatform.literature.fingerprint import fingerprint
from genoplatform.literature.jats import parse_article
from genoplatform.literature.members import iter_members
from genoplatform.literature.packages import Package
from genoplatform.literature.reading import ReadOptions, read_outcomes, read_package
from genoplatform.literature.staging import Staging
from genoplatform.literature.windows import Chunker
from genoplatform.settings.profiles import load_profile

pytestmark = pytest.mark.network

# article -> (section type, heading, chunks) of every section
TABLE = {
    "ppat.1005207": [("other", None, 1)],  # a retraction: a body of paragraphs alone
    "pone.0097541": [("other", "Notice of Republication", 1)],  # a correction: its second section holds no paragraph
    "pbio.0030408": [("other", None, 2)],
    "pbio.0020188": [("abstract", "Abstract", 1), ("other", None, 2)],
    "pmed.0020402": [("other", None, 3)],
    "pmed.0030445": [("abstract", "Abstract", 1), ("other", None, 3)],
    "pbio.1001289": [
        ("abstract", "Abstract", 1),
        ("introduction", "Introduction", 1),
        ("other", "Brain–Computer Interfaces", 2),
        ("other", "Warfighter Enhancement", 2),
        ("other", "Neuroscientific Deception Detection and Interrogation", 2),
        ("other", "Recommendations", 1),
    ],
    "pmed.0030132": [
        ("abstract", "Abstract", 1),
        ("other", None, 1),
        ("other", "The Rise of Lifestyle Drugs", 1),
        ("other", "Redefining the Prevalence of ED and Its Psychological Effects", 3),
        ("other", "Viagra for Any Degree of ED", 2),
        ("other", "Economic and Social Implications of the Expanding Market for Lifestyle Drugs", 2),
        ("discussion", "Conclusion", 1),
    ],
    "pone.0040259": [
        ("abstract", "Abstract", 1),
        ("introduction", "Introduction", 2),
        ("other", "Design", 1),
        ("other", "Participants", 1),
        ("other", "Materials", 1),
        ("methods", "Procedure", 2),
        ("other", "Coding of interviews", 1),
        ("results", "Results", 1),
        ("discussion", "Discussion", 1),
        ("other", "Design", 1),
        ("other", "Participants", 1),
        ("other", "Materials", 1),
        ("methods", "Procedure", 1),
        ("results", "Results", 1),
        ("discussion", "Discussion", 1),
        ("other", "Design", 1),
        ("other", "Videos", 1),
        ("other", "Coding", 1),
        ("results", "Results", 1),
        ("discussion", "Discussion", 2),
    ],
    "pmed.1001186": [
        ("abstract", "Abstract", 1),
        ("introduction", "Introduction", 2),
        ("other", "Box 1. The Task Force on Developing Health Systems Guidance", 1),
        ("other", "Links between Guidance Development and Policy Development", 1),
        ("other", "Policy Development at the Global Level", 1),
        ("other", "Guidance Development at the National Level", 1),
        ("other", "Policy Development at the National Level", 1),
        ("other", "Will This Proposed Division of Labour Work?", 1),
        ("other", "Factors That Can Influence Policy Development", 1),
        ("other", "Key Features of an Assessment about How to Address a Health System Problem", 1),
        (
            "other",
            "Key Features of Health Systems That Can Influence Decision-Making about How to Address a Health System "
            "Problem",
            1,
        ),
        (
            "other",
            "Key Features of Political Systems That Can Influence Decision-Making about How to Address a Health System "
            "Problem",
            1,
        ),
        ("other", "How Do These Assessments Relate to One Another and to Other Approaches?", 1),
        ("discussion", "Conclusions", 1),
    ],
}
SECTIONS, CHUNKS = 2061, 3197
"""Of all 122 articles, counted the same way: sections with text, and chunks (of 1,019,963 tokens)."""


@pytest.fixture(scope="module")
def chunker(pinned):
    return Chunker(pinned("minilm-tokenizer@0.1.0"))


@pytest.fixture(scope="module")
def articles(pinned):
    found = {}
    for member in iter_members(pinned("plos-articles@0.11.1")):
        name = member.name.rpartition("journal.")[2].removesuffix(".xml")
        found[name] = parse_article(member.read(), ("pmc", "doi"))
    return found


@pytest.fixture(scope="module")
def rows(articles, chunker):
    return [dict(zip(CHUNK_COLUMNS, row, strict=True)) for row in article_chunks(articles.values(), "local", chunker)]


@pytest.mark.parametrize("name", TABLE)
def test_ten_articles_counted_by_hand(articles, rows, name):
    article = articles[name]
    assert article.pmcid == f"doi:10.1371/journal.{name}"
    mine = [row for row in rows if row["pmcid"] == article.pmcid]
    assert len(mine) == sum(chunks for _, _, chunks in TABLE[name])
    starts = [row for row in mine if row["chunk_index"] == 0]
    found = [(row["section_type"], row["section_heading"], row["total_chunks_in_section"]) for row in starts]
    assert found == TABLE[name]
    assert [(section.section_type, section.heading) for section in article.sections] == [
        (kind, heading) for kind, heading, _ in TABLE[name]
    ]


def test_all_122_articles(articles, rows):
    assert len(articles) == 122
    assert sum(len(article.sections) for article in articles.values()) == SECTIONS
    assert len(rows) == CHUNKS
    assert len({row["pmcid"] for row in rows}) == 122
    assert all(article.doi and not article.pmid for article in articles.values()), "PLOS's own files know only DOIs"


def test_the_package_of_the_embedded_profile_is_whole(pinned, articles, tmp_path):
    declared = load_profile("embedded").literature
    staging = Staging(tmp_path / "read", {})
    options = ReadOptions(declared.identified_by, declared.only_relevant)
    read_package(pinned("plos-articles@0.11.1"), Package("plos"), staging, options)
    assert read_outcomes(staging.folder) == [("parsed", 122)]
    assert list(iter_articles(staging.folder, list(range(122)))) == list(articles.values())


def test_as_the_paper_identifies_articles_none_of_them_would_be_left(pinned, tmp_path):
    staging = Staging(tmp_path / "read", {})
    declared = load_profile("workstation").literature
    read_package(
        pinned("plos-articles@0.11.1"),
        Package("plos"),
        staging,
        ReadOptions(declared.identified_by, only_relevant=True),
    )
    assert read_outcomes(staging.folder) == [("no_id", 122)]


def test_the_fingerprint_does_not_depend_on_the_order(rows, tmp_path):
    pairs = [(row["chunk_id"], row["pmcid"]) for row in rows]
    (tmp_path / "forth").mkdir()
    (tmp_path / "back").mkdir()
    found = fingerprint(pairs, tmp_path / "forth", run_lines=1_000)
    assert fingerprint(pairs[::-1], tmp_path / "back") == found
    assert (found.chunks, found.distinct, found.articles) == (CHUNKS, len({chunk for chunk, _ in pairs}), 122)
