"""The published serialisation: key order, separators, digests."""

import hashlib

import pandas as pd
import pytest

from genoplatform.cohort.records import canonical_jsonl, canonical_records, digests, manifest, read_jsonl
from genoplatform.errors import BadInputError

RECORDS = pd.DataFrame(
    {
        "case_id": ["B:1", "A:1"],
        "hpo_terms": [["HP:1"], ["HP:2", "HP:3"]],
        "disease_ids": [["OMIM:1"], ["OMIM:2"]],
        "disease_labels": [["Sjögren"], ["two"]],
        "source_path": ["B/1.json", "A/1.json"],
    }
)
CASES = pd.DataFrame({"case_id": ["B:1", "A:1"], "category": ["metabolic"] * 2, "causal_gene": ["BBB", "AAA"]})
CANDIDATES = pd.DataFrame(
    {
        "case_id": ["A:1", "B:1"],
        "difficulty": "standard",
        "candidate_genes": [["X", "AAA"], ["BBB", "Y"]],
        "causal_index": [1, 0],
        "seed": ["1", "2"],
    }
)
LINES = (
    '{"case_id": "A:1", "category": "metabolic", "hpo_terms": ["HP:2", "HP:3"], "diseases": [{"id": "OMIM:2", '
    '"label": "two"}], "causal_gene": "AAA", "candidate_genes": ["X", "AAA"], "causal_gene_index_in_candidates": 1, '
    '"pmc_article_count": 24, "source_phenopacket": "data/A/1.json"}\n'
    '{"case_id": "B:1", "category": "metabolic", "hpo_terms": ["HP:1"], "diseases": [{"id": "OMIM:1", '
    '"label": "Sjögren"}], "causal_gene": "BBB", "candidate_genes": ["BBB", "Y"], '
    '"causal_gene_index_in_candidates": 0, "pmc_article_count": 3, "source_phenopacket": "data/B/1.json"}\n'
)


def records(**changes):
    arguments = {"pmc_counts": {"A:1": 24, "B:1": 3}, "source_prefix": "data/"} | changes
    return canonical_records(CASES, CANDIDATES, RECORDS, **arguments)


def test_lines_are_byte_for_byte_the_published_form():
    assert canonical_jsonl(records()) == LINES.encode()
    assert read_jsonl(LINES.encode()) == records()


def test_both_digests():
    found = digests(records())
    core = LINES.replace('"pmc_article_count": 24, ', "").replace('"pmc_article_count": 3, ', "")
    assert found.sha256 == hashlib.sha256(LINES.encode()).hexdigest()
    assert found.sha256_core == hashlib.sha256(core.encode()).hexdigest()
    assert found.size == len(LINES.encode())


def test_the_core_digest_does_not_depend_on_the_literature_index():
    assert digests(records()).sha256_core == digests(records(pmc_counts=None)).sha256_core
    assert digests(records()).sha256 != digests(records(pmc_counts=None)).sha256


def test_hard_lists_say_so_in_the_last_key():
    hard = canonical_records(CASES, CANDIDATES.assign(difficulty="hard"), RECORDS)
    assert list(hard[0])[-1] == "candidate_difficulty"
    assert hard[0]["candidate_difficulty"] == "hard"


def test_manifest_counts_and_pins():
    found = manifest(records(), {"hpo_version": "v1"}, created_at_utc="2026-01-01T00:00:00Z", output_path="x.jsonl")
    wanted = {
        "n_cases": 2,
        "n_cases_with_pmc_coverage": 1,
        "category_distribution": {"metabolic": 2},
        "hpo_version": "v1",
    }
    assert {k: found[k] for k in wanted} == wanted
    assert found["sha256"] == digests(records()).sha256


def test_a_case_without_a_packet_and_a_broken_line_are_errors():
    with pytest.raises(BadInputError, match="A:1"):
        canonical_records(CASES, CANDIDATES, RECORDS[RECORDS["case_id"] == "B:1"])
    with pytest.raises(BadInputError, match="line 2"):
        read_jsonl(b'{"a": 1}\n{"a": \n')
