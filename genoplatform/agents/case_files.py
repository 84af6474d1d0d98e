"""Per-case files of a cell: the ranking in the released schema, and beside it what it was made of.

Belongs here: names, schemas, writing and reading back. Does not belong here: making the rankings (cells), tables
(cell_tables). Source: rare-disease specification, sections 8 and 13. Nothing written depends on a clock: the model's
latency is null here and stands in the client's log of calls.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from genoplatform.agents.grounding import Claim, deterministic_claims
from genoplatform.agents.state import AgentState, Candidate, Case, Grade, LlmLog
from genoplatform.errors import BadInputError
from genoplatform.provenance.atomic import PARTIAL_SUFFIX
from genoplatform.retrieval.hits import Hit

_LONGEST_NAME = 200
LISTS = {"standard": "eval_1050", "hard": "eval_hard"}
"""Directory of each list's cells, as released, so that the reader of released files reads these too."""


@dataclass(frozen=True)
class CaseFacts:
    """What is known of a case beside what the agents see; it enters files after the run."""

    case: Case
    causal_gene: str
    category: str = ""
    source_pmid: str = ""

    @property
    def case_id(self) -> str:
        """The case's id."""
        return self.case.case_id


def file_name(case_id: str) -> str:
    """A name for the case's file that every file system takes; `case_of` undoes it.

    Raises:
        BadInputError: an empty id, or one too long for a file name.
    """
    name = quote(case_id, safe="")
    name = "%2E" + name[1:] if name.startswith(".") else name
    if not name or len(name) > _LONGEST_NAME:
        raise BadInputError("naming a case's file", f"case id {case_id[:60]!r} of {len(case_id)} characters")
    return f"{name}.json"


def case_of(path: Path) -> str:
    """The case id a file name was made of."""
    return unquote(path.name.removesuffix(".json"))


def ranking_records(ranked: Sequence[Candidate], causal_gene: str) -> list[dict[str, Any]]:
    """The released list of one case."""
    return [
        {
            "symbol": each.symbol,
            "is_causal": each.symbol == causal_gene,
            "aggregate_confidence": each.aggregate_confidence,
            "supporting_chunks": list(each.supporting_chunks),
            "final_rank": each.final_rank,
        }
        for each in ranked
    ]


def response_record(facts: CaseFacts, state: AgentState, *, texts: bool) -> dict[str, Any]:
    """What a ranking was made of: chunks, grades, passes, calls of a model, claims.

    Args:
        facts: of the case.
        state: the graph's final state.
        texts: keep the chunks' texts, as released; else their ids and scores only.
    """
    logs = state.get("logs", [])
    lea = next((log for log in logs if log.purpose in ("lea", "llm_only")), None)
    grades = state.get("grades", {})
    return {
        "case_id": facts.case_id,
        "hpo_terms": list(facts.case.hpo_terms),
        "candidate_genes": list(facts.case.candidate_genes),
        "causal_gene": facts.causal_gene,
        "category": facts.category,
        "use_lea": lea is not None and lea.purpose == "lea",
        "queries": dict(state.get("queries", {})),
        "retrieved_per_gene": {
            gene: [_chunk(hit, texts) for hit in hits] for gene, hits in state.get("retrieved", {}).items()
        },
        "grades_per_gene": {gene: [_grade(each) for each in items] for gene, items in grades.items()},
        "passes": [asdict(each) for each in state.get("passes", [])],
        "lea_log": None if lea is None else _lea_log(lea),
        "agent_logs": [_short(log) for log in logs if log is not lea],
        "claims": claims_of(state, lea),
        "ranked": ranking_records(state["ranked"], facts.causal_gene),
    }


def claims_of(state: AgentState, lea: LlmLog | None) -> list[dict[str, Any]]:
    """Claim records: the model's where it made any, else those of the deterministic ranking; none without grades."""
    said = list(lea.details.get("grounding", [])) if lea is not None else []
    if said or "grades" not in state:
        return said
    claims: Iterable[Claim] = deterministic_claims(state["ranked"], state["grades"])
    return [claim.record() for claim in claims]


def _chunk(hit: Hit, texts: bool) -> dict[str, Any]:
    return {
        "chunk_id": hit.chunk_id,
        "text": hit.text if texts else None,
        "source_pmcid": hit.pmcid,
        "source_pmid": hit.pmid,
        "section_type": hit.section_type,
        "score_dense": hit.score_dense,
        "score_bm25": hit.score_bm25,
        "score_rrf": hit.score_rrf,
    }


def _grade(grade: Grade) -> dict[str, Any]:
    return {
        "chunk_id": grade.chunk_id,
        "gene_mention_valid": grade.gene_mention_valid,
        "relevance": grade.relevance,
        "evidence_type": grade.evidence_type,
    }


def _lea_log(log: LlmLog) -> dict[str, Any]:
    return {
        "lea_system_prompt": log.system_prompt,
        "lea_user_prompt": log.user_prompt,
        "lea_response_raw": log.response_raw,
        "lea_response_parsed": log.response_parsed,
        "lea_tokens_in": log.tokens_in,
        "lea_tokens_out": log.tokens_out,
        "lea_finish_reason": log.finish_reason,
        "lea_latency_s": None,
        "lea_fallback_reason": log.fallback_reason,
        **log.details,
    }


def _short(log: LlmLog) -> dict[str, Any]:
    record = {"purpose": log.purpose, "response_raw": log.response_raw, "fallback_reason": log.fallback_reason}
    return {**record, **log.details}


def write_json(path: Path, value: Any, *, compact: bool = False) -> None:
    """Write a value as released files are written: indent 2, non-ASCII kept; whole or not at all.

    Compact is for the large ones: Python writes an indented megabyte twenty times slower. Nothing is forced to disk
    here, which would take longer than ranking the case: the store does that when a run is finished, and a file that
    a power cut left empty is not `whole`.
    """
    text = json.dumps(value, indent=None if compact else 2, ensure_ascii=False, allow_nan=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.pid{os.getpid()}-{uuid.uuid4().hex[:12]}{PARTIAL_SUFFIX}")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def whole(path: Path) -> bool:
    """Whether a file of `write_json` is there to its closing bracket."""
    try:
        with path.open("rb") as handle:
            handle.seek(-1, os.SEEK_END)
            return handle.read(1) in (b"]", b"}")
    except OSError:
        return False


class StoredRecords(Mapping[str, Any]):
    """Case id -> content of its JSON file in a folder, sorted by case id, each read when it is asked for.

    A cohort's response files are a gigabyte and more, so they are never held together.
    """

    def __init__(self, folder: Path) -> None:
        self._paths = {case_of(path): path for path in sorted(folder.glob("*.json"), key=case_of)}

    def __getitem__(self, case_id: str) -> Any:
        return json.loads(self._paths[case_id].read_bytes())

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def read_records(folder: Path) -> dict[str, Any]:
    """All of them at once; for small ones."""
    return dict(StoredRecords(folder))


def facts_of(rows: Iterable[Mapping[str, Any]]) -> list[CaseFacts]:
    """Cases from rows with case_id, hpo_terms, candidate_genes, causal_gene, category, source_pmid."""
    return [
        CaseFacts(
            Case(row["case_id"], tuple(row["hpo_terms"]), tuple(row["candidate_genes"])),
            row["causal_gene"],
            row["category"],
            row["source_pmid"],
        )
        for row in rows
    ]
