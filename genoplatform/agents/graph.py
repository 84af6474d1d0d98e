"""The agents as a LangGraph state graph: planner, retriever, critic, its loop, synthesizer.

Belongs here: nodes, edges and the router. Does not belong here: what an agent does (its own module), or many cases
(cell_run). Source: rare-disease specification, section 7. LangGraph is imported when a graph is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from genoplatform.agents.critic import weak_grades
from genoplatform.agents.gene_names import GeneNames
from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.passes import first_pass, later_pass
from genoplatform.agents.planner import plan_queries
from genoplatform.agents.retriever import Retriever, merged, wanted
from genoplatform.agents.rewriting import STRATEGIES, genes_in_need, rewrite
from genoplatform.agents.state import AgentState, Case, Grade, LlmLog, PassRecord, Retrieved
from genoplatform.agents.synthesizer import synthesize
from genoplatform.agents.untraced import untraced

Loop = Literal["none", "repeat", "rewrite"]
MAX_ITERATIONS = 3
WEAK_RELEVANCE, WEAK_ALLOWED = 2, 5


class GraphCritic(Protocol):
    """Grades the chunks of a case; a critic that asks a model leaves logs."""

    def __call__(self, retrieved: Retrieved, labels: Sequence[str]) -> tuple[dict[str, list[Grade]], list[LlmLog]]:
        """Grades of every gene's chunks in their order, and logs."""
        ...


Planner = Callable[[Case, Sequence[str]], tuple[dict[str, str], list[LlmLog]]]
Selection = Callable[[Retrieved, dict[str, str]], dict[str, list[Any]]]
Aggregation = Callable[[AgentState], AgentState]


@dataclass(frozen=True)
class Flow:
    """How a cell walks through the graph.

    Attributes:
        expand: the critic and the planner see the terms expanded towards more general ones; else the patient's own.
        loop: "repeat" asks the same queries again, as published, which cannot change anything; "rewrite" asks others.
        max_iterations: further passes, at most.
        weak_allowed: grades of relevance 2 or less that do not yet call for another pass.
    """

    expand: bool = True
    loop: Loop = "repeat"
    max_iterations: int = MAX_ITERATIONS
    weak_allowed: int = WEAK_ALLOWED


@dataclass(frozen=True)
class Agents:
    """Who works on a case.

    Attributes:
        lexicon, names: words for terms and genes.
        retriever: searches.
        critic: grades.
        planner: writes the first queries; None for the published ones.
        select: keeps the best chunks of each gene (a reranker); None keeps all.
        aggregate: re-ranks the head of the list with a model; None leaves the deterministic ranking.
    """

    lexicon: Lexicon
    names: GeneNames
    retriever: Retriever
    critic: GraphCritic
    planner: Planner | None = None
    select: Selection | None = None
    aggregate: Aggregation | None = None


@dataclass
class AgentGraph:
    """A compiled graph; `run` takes one case through it."""

    agents: Agents
    flow: Flow = field(default_factory=Flow)

    def __post_init__(self) -> None:
        from langgraph.graph import END, START, StateGraph  # noqa: PLC0415  (4 s to import; not for definitions)

        graph = StateGraph(AgentState)
        graph.add_node("query_planner", self._plan)
        graph.add_node("retriever", self._retrieve)
        graph.add_node("critic", self._grade)
        graph.add_node("retriever_loop", self._retrieve_again)
        graph.add_node("synthesizer", self._synthesize)
        graph.add_edge(START, "query_planner")
        graph.add_edge("query_planner", "retriever")
        graph.add_edge("retriever", "critic")
        graph.add_conditional_edges("critic", self.route, ["retriever_loop", "synthesizer"])
        graph.add_edge("retriever_loop", "critic")
        if self.agents.aggregate is None:
            graph.add_edge("synthesizer", END)
        else:
            graph.add_node("evidence_aggregation", self.agents.aggregate)
            graph.add_edge("synthesizer", "evidence_aggregation")
            graph.add_edge("evidence_aggregation", END)
        self._compiled = graph.compile()

    def run(self, case: Case) -> AgentState:
        """The final state of one case; `ranked` is its ranking."""
        with untraced():
            state: AgentState = self._compiled.invoke(
                {"case": case, "iteration": 0, "passes": [], "logs": [], "searched": {}},
                config={"recursion_limit": 10 + 2 * self.flow.max_iterations},
            )
        return state

    def route(self, state: AgentState) -> str:
        """Another pass while iterations remain and more than `weak_allowed` grades are weak."""
        open_still = self.flow.loop != "none" and state["iteration"] < self.flow.max_iterations
        weak = weak_grades(state["grades"], WEAK_RELEVANCE) if open_still else 0
        return "retriever_loop" if weak > self.flow.weak_allowed else "synthesizer"

    def _plan(self, state: AgentState) -> AgentState:
        case, lexicon = state["case"], self.agents.lexicon
        terms = lexicon.resolve(case.hpo_terms)
        expanded = lexicon.expand(terms) if self.flow.expand else terms
        labels = lexicon.labels(expanded)
        if self.agents.planner is None:
            return {"expanded_hpo": expanded, "labels": labels, "queries": plan_queries(case.candidate_genes, labels)}
        queries, logs = self.agents.planner(case, labels)
        return {"expanded_hpo": expanded, "labels": labels, "queries": queries, "logs": [*state["logs"], *logs]}

    def _retrieve(self, state: AgentState) -> AgentState:
        asked = wanted(state["case"].candidate_genes, state["queries"])
        found = self.agents.retriever.search(asked, state["searched"])
        searched = {**state["searched"], **found}
        retrieved = {gene: list(searched[query]) for gene, query in asked.items()}
        return {"searched": searched, "retrieved": self._selected(retrieved, asked)}

    def _selected(self, retrieved: dict[str, list[Any]], queries: dict[str, str]) -> dict[str, list[Any]]:
        return retrieved if self.agents.select is None else self.agents.select(retrieved, queries)

    def _grade(self, state: AgentState) -> AgentState:
        grades, logs = self._graded(state)
        passes = list(state["passes"])
        if not passes:
            passes.append(first_pass(len(state["searched"]), grades))
        else:
            # The pass is measured where its grades are known; what it sent was noted when it was made.
            sent, genes = passes.pop(), state["case"].candidate_genes
            passes.append(later_pass(sent.number, sent.strategy, sent.queries, genes, state["grades"], grades))
        return {"grades": grades, "passes": passes, "logs": [*state["logs"], *logs]}

    def _graded(self, state: AgentState) -> tuple[dict[str, list[Grade]], list[LlmLog]]:
        """Grades of what was retrieved; chunks are only ever added, so the same number of them are the same."""
        known, retrieved = state.get("grades"), state["retrieved"]
        if known is not None and all(len(known.get(gene, ())) == len(hits) for gene, hits in retrieved.items()):
            return known, []
        return self.agents.critic(retrieved, state["labels"])

    def _retrieve_again(self, state: AgentState) -> AgentState:
        number = state["iteration"] + 1
        strategy, queries = self._next_queries(state, number)
        found = self.agents.retriever.search(queries, state["searched"])
        searched = {**state["searched"], **found}
        again = {gene: list(searched[query]) for gene, query in queries.items()}
        record = PassRecord(number, strategy, queries=len(found), new_chunks=0)
        return {
            "iteration": number,
            "searched": searched,
            "retrieved": merged(state["retrieved"], self._selected(again, queries)),
            "passes": [*state["passes"], record],
        }

    def _next_queries(self, state: AgentState, number: int) -> tuple[str, dict[str, str]]:
        case = state["case"]
        if self.flow.loop == "repeat":
            return "same queries", wanted(case.candidate_genes, state["queries"])
        if number > len(STRATEGIES):
            return "none left", {}
        strategy, agents = STRATEGIES[number - 1], self.agents
        genes = genes_in_need(case.candidate_genes, state["grades"])
        terms = agents.lexicon.resolve(case.hpo_terms)
        return strategy, rewrite(strategy, genes, terms, agents.lexicon, agents.names)

    def _synthesize(self, state: AgentState) -> AgentState:
        return {"ranked": synthesize(state["case"].candidate_genes, state["grades"])}
