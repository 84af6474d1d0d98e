"""What a person sees of a hit."""

from hypothesis import given
from hypothesis import strategies as st

from genoplatform.cli.search import year_span
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.passages import article_link, passage

BM25 = Bm25()


def test_terms_are_marked_by_their_stems():
    found = passage("Mutations in this gene cause ataxia.", "a mutation causing ataxias", BM25)
    assert found.marked("<", ">") == "<Mutations> in this gene <cause> <ataxia>."
    assert passage("the brca1 gene", "x", BM25, gene="BRCA1").marked("<", ">") == "the <brca1> gene"


def test_the_window_is_where_the_terms_are():
    filler = "nothing of interest stands in these words " * 30
    found = passage(filler + "ataxia with seizures and ataxia " + filler, "ataxia seizure", BM25, width=100)
    assert "<ataxia> with <seizures> and <ataxia>" in found.marked("<", ">")
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")
    assert len(found.text) <= 104


@given(st.text(), st.text(max_size=30), st.integers(1, 80))
def test_spans_lie_in_order_inside_the_passage(text, query, width):
    found = passage(text, query, BM25, width=width)
    ends = [place for span in found.spans for place in span]
    assert ends == sorted(ends)
    assert not ends or (ends[0] >= 0 and ends[-1] <= len(found.text))
    assert found.marked("", "") == found.text


def test_links_follow_the_kind_of_id():
    assert article_link("PMC123") == "https://pmc.ncbi.nlm.nih.gov/articles/PMC123/"
    assert article_link("doi:10.1371/journal.pbio.0020188") == "https://doi.org/10.1371/journal.pbio.0020188"
    assert article_link("something") == ""


def test_years_as_people_write_them():
    assert [year_span(text) for text in ("2010-2015", "2010-", "-2015", "2012")] == [
        (2010, 2015),
        (2010, None),
        (None, 2015),
        (2012, 2012),
    ]
