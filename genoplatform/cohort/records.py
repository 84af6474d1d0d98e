"""Canonical case records: the published JSONL serialisation and its two digests.

Here: key order, separators, digests and manifest of a finished cohort. Not here: what the records contain.
Source: the geno_agent finalise step (keys in insertion order, default separators, non-ASCII kept, one case a line,
sorted by case id; the core digest leaves out the one field that depends on a literature index).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pandas as pd

from genoplatform.cohort.candidates import N_DISTRACTORS
from genoplatform.cohort.inclusion import MIN_HPO_TERMS
from genoplatform.cohort.sampling import RANDOM_SEED
from genoplatform.errors import BadInputError

INDEX_FIELD = "pmc_article_count"
MIN_PMC_ARTICLES = 5
Record = dict[str, Any]


@dataclass(frozen=True)
class Digests:
    """sha256 of the file, sha256_core of the same lines without ``pmc_article_count``, and the file's bytes."""

    sha256: str
    sha256_core: str
    size: int


def canonical_records(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    records: pd.DataFrame,
    *,
    pmc_counts: Mapping[str, int] | None = None,
    source_prefix: str = "",
) -> list[Record]:
    """Finished records in canonical key order, sorted by case id.

    Args:
        cases: columns case_id, category, causal_gene.
        candidates: candidate table of ONE difficulty; cases without a list are left out.
        records: ``PhenopacketRelease.records`` (terms and diseases as the packet states them).
        pmc_counts: case_id -> articles found by a literature index; None writes null.
        source_prefix: put before each packet's path; the full digest depends on it.

    Raises:
        BadInputError: two lists for one case, or a case without a packet.
    """
    table = cases[["case_id", "category", "causal_gene"]].merge(candidates, on="case_id", validate="one_to_one")
    packets = records[["case_id", "hpo_terms", "disease_ids", "disease_labels", "source_path"]]
    joined = table.merge(packets, on="case_id", how="left", validate="one_to_one").sort_values("case_id")
    if joined["source_path"].isna().any():
        missing = joined.loc[joined["source_path"].isna(), "case_id"].tolist()
        raise BadInputError("writing canonical records", f"no packet for {len(missing)} case(s), first {missing[0]}")
    return [_record(row, pmc_counts, source_prefix) for row in joined.to_dict("records")]


def canonical_jsonl(records: Iterable[Record]) -> bytes:
    """The records as newline-terminated UTF-8 JSON lines."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def read_jsonl(content: bytes) -> list[Record]:
    """The inverse of `canonical_jsonl`.

    Raises:
        BadInputError: a line that is no JSON object.
    """
    out = []
    for number, line in enumerate(content.decode().splitlines(), 1):
        try:
            out.append(dict(json.loads(line)))
        except (ValueError, TypeError) as error:
            raise BadInputError("reading canonical records", f"line {number}: {error}") from error
    return out


def digests(records: Sequence[Record]) -> Digests:
    """Both digests of a cohort."""
    content = canonical_jsonl(records)
    core = canonical_jsonl({k: v for k, v in r.items() if k != INDEX_FIELD} for r in records)
    return Digests(sha256(content).hexdigest(), sha256(core).hexdigest(), len(content))


def manifest(
    records: Sequence[Record],
    pins: Mapping[str, str],
    *,
    created_at_utc: str,
    output_path: str,
    coverage_validated: bool = False,
) -> dict[str, Any]:
    """Manifest of a finished cohort.

    Args:
        records: from `canonical_records`.
        pins: role -> version of the releases used; never defaulted.
        created_at_utc: given, since nothing here reads a clock.
        output_path: where the caller writes the lines.
        coverage_validated: whether ``pmc_article_count`` was gated.
    """
    digest = digests(records)
    covered = sum((r[INDEX_FIELD] or 0) >= MIN_PMC_ARTICLES for r in records)
    return {
        "created_at_utc": created_at_utc,
        **pins,
        "random_seed": RANDOM_SEED,
        "n_cases": len(records),
        "category_distribution": dict(sorted(Counter(r["category"] for r in records).items())),
        "min_hpo_terms": MIN_HPO_TERMS,
        "min_pmc_articles_per_gene": MIN_PMC_ARTICLES,
        "n_distractors_per_case": N_DISTRACTORS,
        "n_cases_with_pmc_coverage": covered,
        "pmc_coverage_validated": coverage_validated,
        "output_path": output_path,
        "sha256": digest.sha256,
        "sha256_core": digest.sha256_core,
        "bytes": digest.size,
    }


def _record(row: Mapping[Any, Any], pmc_counts: Mapping[str, int] | None, prefix: str) -> Record:
    diseases = zip(row["disease_ids"], row["disease_labels"], strict=True)
    record: Record = {
        "case_id": row["case_id"],
        "category": row["category"],
        "hpo_terms": list(row["hpo_terms"]),
        "diseases": [{"id": disease, "label": label} for disease, label in diseases],
        "causal_gene": row["causal_gene"],
        "candidate_genes": list(row["candidate_genes"]),
        "causal_gene_index_in_candidates": int(row["causal_index"]),
        INDEX_FIELD: None if pmc_counts is None else int(pmc_counts[row["case_id"]]),
        "source_phenopacket": prefix + row["source_path"],
    }
    return record | ({"candidate_difficulty": "hard"} if row["difficulty"] == "hard" else {})
