"""A mention is the symbol or an alias, whole word, any case (rare_disease.md section 7)."""

import pytest

from genoplatform.agents.gene_names import GeneNames

NAMES = GeneNames({"OLD1": "NEW1", "P5": "NEW1", "NEW1B": "NEW1B"})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a variant in NEW1 was found", True),
        ("a variant in new1.", True),
        ("NEW1-related disease", True),
        ("the old1 locus", True),
        ("protein p5 is short", True),
        ("NEW10 is another gene", False),
        ("NEW1B is another gene", False),
        ("xNEW1", False),
        ("NEW1_2", False),
        ("renew 1", False),
        ("", False),
    ],
)
def test_whole_words_in_any_case(text, named):
    assert NAMES.mentioned("NEW1", text.lower()) is named


def test_an_alias_shorter_than_asked_is_no_name():
    names = GeneNames({"OLD1": "NEW1", "P5": "NEW1"}, shortest_alias=3)
    assert names.aliases("NEW1") == ["OLD1"]
    assert not names.mentioned("NEW1", "protein p5 is short")


def test_every_place_is_found():
    assert list(NAMES.mentions("NEW1", "new1, old1 and new1")) == [(0, 4), (15, 19), (6, 10)]
