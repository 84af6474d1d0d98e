"""Chunk windows as properties: they cover every token, neighbours share the overlap, decoding is the tokenizer's."""

import json
import string
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_literature import tokenizer_json, write_tokenizer
from tokenizers import Tokenizer

from genoplatform.errors import BadInputError
from genoplatform.literature.windows import MIN_SECTION_CHARACTERS, Chunker, Windowing

SIZES = st.tuples(st.integers(1, 60), st.integers(0, 59)).filter(lambda pair: pair[1] < pair[0])
WORDS = st.text(string.ascii_letters + string.digits + " .,;()é∂漢\n", max_size=400)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return write_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@given(SIZES, st.integers(1, 5_000))
def test_windows_cover_everything_and_overlap_exactly(pair, n_tokens):
    size, overlap = pair
    bounds = list(Windowing(size, overlap).bounds(n_tokens))
    assert bounds[0][0] == 0
    assert bounds[-1][1] == n_tokens
    assert all(0 < end - start <= size for start, end in bounds)
    assert all(end - start == size for start, end in bounds[:-1]), "only the last may be short"
    for (start, end), (next_start, next_end) in pairwise(bounds):
        assert end - next_start == overlap
        assert next_start > start
        assert next_end > end, "each brings tokens that none before had"


def test_the_papers_windows():
    windowing = Windowing()
    assert (windowing.size, windowing.overlap) == (512, 50)
    assert list(windowing.bounds(512)) == [(0, 512)]
    assert list(windowing.bounds(513)) == [(0, 512), (462, 513)]
    assert list(windowing.bounds(974)) == [(0, 512), (462, 974)]
    assert list(windowing.bounds(975)) == [(0, 512), (462, 974), (924, 975)]


def test_windows_that_would_not_advance_are_refused():
    with pytest.raises(BadInputError, match="0 <= overlap < size"):
        Windowing(50, 50)


@settings(max_examples=200, deadline=None)
@given(texts=st.lists(WORDS, max_size=4), pair=SIZES)
def test_chunks_are_the_tokenizers_own_windows(tokenizer, texts, pair):
    """Against the library, one text and one window at a time."""
    plain = Tokenizer.from_file(str(tokenizer))
    plain.no_truncation()
    plain.no_padding()
    windowing = Windowing(*pair)
    expected = []
    for text in texts:
        ids = plain.encode(text, add_special_tokens=False).ids
        if len(text.strip()) < MIN_SECTION_CHARACTERS:
            expected.append([])
        elif len(ids) <= windowing.size:
            expected.append([text])
        else:
            decoded = [plain.decode(ids[start:end]).strip() for start, end in windowing.bounds(len(ids))]
            expected.append([chunk for chunk in decoded if chunk])
    assert Chunker(tokenizer, windowing).split(texts) == expected


@settings(max_examples=50, deadline=None)
@given(words=st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=9), min_size=30, max_size=120), pair=SIZES)
def test_the_text_can_be_put_together_again(tokenizer, words, pair):
    """Of a text in the tokenizer's own spelling nothing is lost: windows without their overlap give it back."""
    size, overlap = pair
    text = " ".join(words)
    (chunks,) = Chunker(tokenizer, Windowing(size, overlap)).split([text])
    if len(text) < MIN_SECTION_CHARACTERS:
        assert chunks == []
        return
    if len(chunks) == 1:
        assert chunks == [text]
        return
    letters = [chunk.replace("##", "").replace(" ", "") for chunk in chunks]  # one letter a token, here
    assert letters[0] + "".join(letter[overlap:] for letter in letters[1:]) == text.replace(" ", "")
    for before, after in pairwise(letters):
        assert overlap == 0 or before[-overlap:] == after[:overlap]


def test_short_sections_are_not_chunked_and_fitting_ones_stay_as_they_are(tokenizer):
    short, fits = "x" * 49, "  Über   49 Characters, in a spelling of its own: é. " + "y" * 9
    assert Chunker(tokenizer).split([short, f"  {short}  ", "", fits]) == [[], [], [], [fits]]


def test_a_window_of_unknown_characters_alone_is_dropped(tokenizer):
    text = "abcde " * 2 + "漢" * 30 + " fghij" * 4
    (chunks,) = Chunker(tokenizer, Windowing(10, 0)).split([text])
    assert chunks == ["abcde abcde", "fghij fghij", "fghij fghij"]


def test_the_order_and_company_of_texts_do_not_matter(tokenizer):
    texts = [f"text {n} " * (10 + 7 * n) for n in range(12)]
    chunker = Chunker(tokenizer, Windowing(40, 5))
    together = chunker.split(texts)
    assert [chunker.split([text])[0] for text in texts] == together
    assert chunker.split(texts[::-1]) == together[::-1]


def test_decoders_that_look_across_tokens_are_left_to_the_library(tmp_path):
    described = json.loads(tokenizer_json()) | {"decoder": {"type": "BPEDecoder", "suffix": "x"}}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(described))
    plain = Tokenizer.from_file(str(path))
    plain.no_truncation()
    plain.no_padding()
    text = "next boxes fix xylophones " * 4
    ids = plain.encode(text, add_special_tokens=False).ids
    expected = [plain.decode(ids[start:end]).strip() for start, end in Windowing(20, 3).bounds(len(ids))]
    assert Chunker(path, Windowing(20, 3)).split([text]) == [expected]


def test_a_file_that_is_no_tokenizer(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInputError, match=r"reading the tokenizer tokenizer\.json"):
        Chunker(tmp_path / "tokenizer.json")
