"""Source recall, symbol grounding and coverage on hits that are known, and the paper's sample by its definition."""

import hashlib
import random

import pandas as pd
import pytest

from genoplatform.retrieval.hits import Hit
from genoplatform.retrieval.validation import (
    NothingFound,
    article_coverage,
    eligible_cases,
    replacements,
    sampled_genes,
    source_recall,
    symbol_grounding,
)


class Fixed:
    """Finds what it is told to, and remembers how it was asked."""

    def __init__(self, found):
        self.found, self.asked = found, []

    def search(self, queries, **options):
        self.asked.append(options)
        return [self.found.get(query, []) for query in queries]


def hits(*pmcids, text=""):
    return [Hit(f"id{n}", pmcid, text, "results", 1.0 / (n + 1)) for n, pmcid in enumerate(pmcids)]


CASES = pd.DataFrame(
    {
        "case_id": ["c2", "c1", "c3"],
        "causal_gene": ["BBB", "AAA", "CCC"],
        "hpo_terms": [["HP:1", "HP:2"], ["HP:2"], ["HP:9"]],
        "source_pmid": ["PMID:12", "PMID:11", ""],
    }
)


def test_source_recall_is_over_parents_of_chunks():
    cases = eligible_cases(CASES, {"HP:1": "Ataxia", "HP:2": "Seizure"}, {"11": "PMC1", "12": "PMC2"})
    assert [(case.case_id, case.gene, case.labels) for case in cases] == [
        ("c1", "AAA", "Seizure"),
        ("c2", "BBB", "Ataxia Seizure"),
    ]
    searcher = Fixed({"AAA": hits("PMC9", "PMC1"), "BBB": hits(*["PMC7"] * 10, "PMC2"), "Ataxia Seizure": hits("PMC2")})
    table = source_recall(searcher, cases, [50, 10], 100)
    assert table.to_dict("records") == [
        {"query": "gene", "depth": 10, "cases": 2, "found": 1, "recall": 0.5},
        {"query": "gene", "depth": 50, "cases": 2, "found": 2, "recall": 1.0},
        {"query": "hpo", "depth": 10, "cases": 2, "found": 1, "recall": 0.5},
        {"query": "hpo", "depth": 50, "cases": 2, "found": 1, "recall": 0.5},
    ]
    assert searcher.asked == [{"limit": 100, "prefetch": 100}] * 2, "both sides 100 deep (section 2.5)"
    assert source_recall(NothingFound(), [], [10], 100)["recall"].isna().all()


def test_grounding_is_case_sensitive_with_word_boundaries():
    found = [*hits("PMC1", text="AAA-positive"), *hits("PMC2", text="aaa variants"), *hits("PMC3", text="AAAS")]
    table = symbol_grounding(Fixed({"AAA": found}), ["AAA", "BBB"], 100)
    assert table.to_dict("records") == [
        {"gene": "AAA", "chunks": 3, "share": pytest.approx(1 / 3), "share_any_case": pytest.approx(2 / 3)},
        {"gene": "BBB", "chunks": 0, "share": 0.0, "share_any_case": 0.0},
    ]


def test_the_sample_of_genes_is_the_papers():
    genes = [f"G{n:03d}" for n in range(300)]
    digest = hashlib.blake2b(b"42|retrieval_substrate_symbol_grounding", digest_size=8).digest()
    expected = random.Random(int.from_bytes(digest, "big")).sample(genes, 100)
    assert sampled_genes([*reversed(genes), "G000"], 100, 42) == expected
    assert sorted(sampled_genes(["B", "A", "A"], 100, 42)) == ["A", "B"]


def test_coverage_counts_distinct_articles():
    searcher = Fixed({"AAA": hits("PMC1", "PMC1", "PMC2", "PMC3", "PMC4", "PMC5"), "BBB": hits(*["PMC1"] * 9)})
    table = article_coverage(searcher, ["BBB", "AAA", "AAA", "CCC"], 100, 5)
    assert table.to_dict("list") == {
        "gene": ["AAA", "BBB", "CCC"],
        "articles": [5, 1, 0],
        "covered": [True, False, False],
    }


def test_replacements_come_from_the_same_category_by_one_generator():
    groups = {f"n{i}": "neuro" for i in range(6)} | {f"m{i}": "metabolic" for i in range(3)}
    chosen = replacements(["n0", "m0", "n1"], groups, ["n0", "n1", "m0"], lambda case: case not in {"n2", "m1"}, 42)
    rng = random.Random(42)
    expected, taken = {}, {"n0", "n1", "m0"}
    for case in ("n0", "m0", "n1"):
        rest = sorted(other for other in groups if groups[other] == groups[case] and other not in taken)
        rng.shuffle(rest)
        expected[case] = next(other for other in rest if other not in {"n2", "m1"})
        taken.add(expected[case])
    assert chosen == expected
    assert replacements(["m0"], groups, list(groups), lambda case: True, 42) == {"m0": None}
