"""The fingerprint against its definition, computed plainly; the same in any order; refusing ids of two articles."""

import hashlib
import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genoplatform.errors import BadInputError
from genoplatform.literature.fingerprint import COUNTS, Fingerprint, fingerprint, read_fingerprint
from genoplatform.literature.ids import article_url, chunk_id

ARTICLES = st.integers(1, 30).map(lambda n: f"PMC{n}")
PAIRS = st.lists(st.tuples(ARTICLES, st.integers(0, 9)), max_size=80).map(
    lambda items: [(chunk_id(pmcid, "other", index, "t"), pmcid) for pmcid, index in items]
)


def plainly(pairs):
    """rare_disease.md section 2.6, step by step."""
    unique = sorted({f"{chunk}\t{pmcid}".encode() for chunk, pmcid in pairs})
    ids = "".join(f"{line.decode().split(chr(9))[0]}\n" for line in unique)
    counts = Counter(line.decode().split("\t")[1] for line in unique)
    table = "".join(f"{pmcid}\t{counts[pmcid]}\n" for pmcid in sorted(counts, key=str.encode))
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in (ids, table)]
    return Fingerprint(len(pairs), len(unique), len(pairs) - len(unique), len(counts), *digests), table


@settings(max_examples=60, deadline=None)
@given(pairs=PAIRS, run_lines=st.integers(2, 50), seed=st.integers(0, 99))
def test_as_defined_in_any_order(tmp_path_factory, pairs, run_lines, seed):
    folder = tmp_path_factory.mktemp("fingerprint")
    expected, table = plainly(pairs)
    assert fingerprint(pairs, folder, run_lines=run_lines) == expected
    assert (folder / COUNTS).read_text() == table
    shuffled = random.Random(seed).sample(pairs, len(pairs))
    assert fingerprint(shuffled, folder) == expected
    assert read_fingerprint(folder) == expected
    assert {path.name for path in folder.iterdir()} == {COUNTS, "fingerprint.json"}, "no scratch is left"


def test_of_nothing(tmp_path):
    empty = hashlib.sha256(b"").hexdigest()
    assert fingerprint([], tmp_path) == Fingerprint(0, 0, 0, 0, empty, empty)
    assert json.loads((tmp_path / "fingerprint.json").read_text())["chunks"] == 0


def test_one_id_of_two_articles_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="chunk a belongs to PMC1 and to PMC2"):
        fingerprint([("a", "PMC1"), ("b", "PMC1"), ("a", "PMC2")], tmp_path)


def test_ids_depend_on_all_they_are_made_of():
    base = ("PMC1", "other", 0, "text")
    changed = [("PMC2", *base[1:]), ("PMC1", "results", 0, "text"), ("PMC1", "other", 1, "text"), (*base[:3], "text ")]
    assert len({chunk_id(*parts) for parts in (base, *changed)}) == 5
    assert chunk_id(*base) == chunk_id(*base)
    assert chunk_id(*base[:3], "lone \ud800") != chunk_id(*base[:3], "lone ")


def test_where_people_find_an_article():
    assert article_url("PMC123") == "https://pmc.ncbi.nlm.nih.gov/articles/PMC123/"
    assert article_url("doi:10.1371/a(b)") == "https://doi.org/10.1371/a(b)"
