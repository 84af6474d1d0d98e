"""Leave-one-paper-out: cell S with and without the case's own publication among its sources.

Belongs here: the two arms' chunks, the leak record, both files. Does not belong here: comparing the arms
(`inference.lopo`). Source: rare-disease specification, section 12: 80 chunks a gene are fetched once; the control arm
is the first 50, the other the first 50 of those that are not of the case's publication. Chunks without a PMID stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from genoplatform.agents.case_files import CaseFacts, file_name, ranking_records, response_record, whole, write_json
from genoplatform.agents.cell_run import Progress, RunReport
from genoplatform.agents.cells import Tools, build_agents, build_lea, cell, searcher_of
from genoplatform.agents.graph import AgentGraph
from genoplatform.agents.held_back import HeldBack, reasons
from genoplatform.agents.planner import plan_queries
from genoplatform.agents.retriever import Retriever
from genoplatform.agents.selecting import FETCHED
from genoplatform.agents.state import AgentState, Retrieved
from genoplatform.retrieval.hits import Hit, Mode

SPARE = 30
"""Chunks fetched beyond those an arm keeps, to fill the places of the publication's."""
ARMS = ("control", "lopo")
LEAKS = "leak_S"


def arm_chunks(hits: Sequence[Hit], source_pmid: str, kept: int = FETCHED) -> tuple[list[Hit], list[Hit]]:
    """The control arm's and the other arm's chunks of one gene.

    Args:
        hits: the common pool, best first.
        source_pmid: of the case, with or without "PMID:"; "" drops nothing.
        kept: chunks of an arm.
    """
    source = digits(source_pmid)
    others = [hit for hit in hits if not source or digits(hit.pmid) != source]
    return list(hits[:kept]), others[:kept]


def digits(pmid: str) -> str:
    """A PMID without its prefix."""
    return pmid.removeprefix("PMID:").strip()


def leak_record(facts: CaseFacts, pools: Retrieved) -> dict[str, Any]:
    """Where the case's own publication turned up; places count from 1, null where it did not."""
    source = digits(facts.source_pmid)
    found = {
        gene: [at for at, hit in enumerate(hits, 1) if source and digits(hit.pmid) == source]
        for gene, hits in pools.items()
    }
    causal = found.get(facts.causal_gene, [])
    total = sum(len(places) for places in found.values())
    return {
        "case_id": facts.case_id,
        "source_pmid": facts.source_pmid,
        "source_in_causal_pool": bool(causal),
        "source_best_pos_in_causal_pool": causal[0] if causal else None,
        "source_chunks_in_causal_pool": len(causal),
        "source_chunks_all_genes": total,
        "category": facts.category,
        "n_source_chunks_dropped": total,
    }


@dataclass
class _Pool:
    """A searcher that answers from chunks fetched before."""

    chunks: dict[str, list[Hit]]

    def search(
        self,
        queries: Sequence[str],
        *,
        mode: Mode = "hybrid",
        limit: int = 10,
        prefetch: int | None = None,
        gene: str | None = None,
        years: tuple[int | None, int | None] | None = None,
    ) -> list[list[Hit]]:
        return [self.chunks[query][:limit] for query in queries]


class LopoRun:
    """Both arms of cell S.

    Args:
        tools: searcher, reranker and model.
        root: where `cell_S_control`, `cell_S_lopo`, `leak_S` go, and the responses beside them.
        texts: keep chunk texts in the responses.
    """

    def __init__(self, tools: Tools, root: Path, *, texts: bool = True) -> None:
        definition = cell("S")
        self._root, self._texts, self._lexicon = root, texts, tools.lexicon
        self._fetch = Retriever(searcher_of(definition, tools), FETCHED + SPARE)
        self._pool = _Pool({})
        agents = build_agents(definition, tools, Retriever(self._pool, definition.fetch))
        self._graph = AgentGraph(agents, definition.flow)
        self._lea = build_lea(definition, tools)

    def run(self, cases: Sequence[CaseFacts], progress: Progress | None = None) -> RunReport:
        """Write both arms of every case that is not finished; a case's leak record is written last.

        Raises:
            ModelUnavailableError: see `held_back`.
        """
        waiting = [facts for facts in cases if not self._done(facts)]
        resumed, held = len(cases) - len(waiting), HeldBack("leave-one-paper-out")
        for facts in waiting:
            leak, states = self._case(facts)
            held.add(reasons(states), partial(self._write, facts, leak, states))
            if progress is not None:
                progress(resumed + held.written, len(cases))
        held.close()
        return RunReport(len(cases), resumed, held.written, held.fallbacks)

    def _done(self, facts: CaseFacts) -> bool:
        folders = [f"cell_S_{arm}{part}" for arm in ARMS for part in ("", "_responses")]
        return all(whole(self._root / folder / file_name(facts.case_id)) for folder in (LEAKS, *folders))

    def _case(self, facts: CaseFacts) -> tuple[dict[str, Any], list[AgentState]]:
        labels = self._lexicon.labels(self._lexicon.resolve(facts.case.hpo_terms))
        queries = plan_queries(facts.case.candidate_genes, labels)
        found = self._fetch.search(queries, {})
        arms = {query: arm_chunks(hits, facts.source_pmid) for query, hits in found.items()}
        states = []
        for arm in range(len(ARMS)):
            self._pool.chunks = {query: chunks[arm] for query, chunks in arms.items()}
            states.append(self._graph.run(facts.case))
        leak = leak_record(facts, {gene: found[query] for gene, query in queries.items()})
        return leak, self._lea.aggregate(states)

    def _write(self, facts: CaseFacts, leak: dict[str, Any], states: Sequence[AgentState]) -> None:
        name = file_name(facts.case_id)
        for arm, state in zip(ARMS, states, strict=True):
            response = response_record(facts, state, texts=self._texts)
            write_json(self._root / f"cell_S_{arm}_responses" / name, response, compact=True)
            write_json(self._root / f"cell_S_{arm}" / name, ranking_records(state["ranked"], facts.causal_gene))
        write_json(self._root / LEAKS / name, leak)
