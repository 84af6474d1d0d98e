"""The cells: which agents work how, under the published names, and those of ours that are not inert.

Belongs here: each cell's definition, and building its workers from the tools at hand. Does not belong here: running
them over a cohort (cell_run). Source: rare-disease specification, section 8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar

from genoplatform.agents.critic import Critic, CriticRules
from genoplatform.agents.gene_names import GeneNames
from genoplatform.agents.graph import AgentGraph, Agents, Flow, GraphCritic
from genoplatform.agents.lea import LeaLimits, LeaSynthesizer
from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.llm import Llm, Reranker
from genoplatform.agents.llm_critic import LlmCritic, LlmCriticLimits
from genoplatform.agents.llm_only import LlmOnly, LlmOnlyLimits
from genoplatform.agents.llm_planner import LlmPlanner
from genoplatform.agents.retriever import Retriever
from genoplatform.agents.selecting import KEPT, RerankSelection
from genoplatform.agents.single_agent import SingleAgent
from genoplatform.agents.state import AgentState, Case, Grade, LlmLog, Retrieved
from genoplatform.errors import SettingsError
from genoplatform.retrieval.hits import Mode, Searcher

Kind = Literal["graph", "single_agent", "llm_only"]
Worker = Callable[[Sequence[Case]], list[AgentState]]
SHORTEST_REAL_ALIAS = 3
_Tool = TypeVar("_Tool")


@dataclass(frozen=True)
class CellDefinition:
    """One cell.

    Attributes:
        name: its short name, and the system's in every table.
        directory: of its rankings, as released.
        kind: the graph, a single search agent, or the model alone.
        flow: how a case walks through the graph.
        rules: of the critic.
        fetch: chunks a gene from the index.
        rerank: keep the best of them by the reranker.
        mode: sides of the index.
        lea: re-rank the head with the model.
        grounded: the model must cite, and what it cites must hold.
        llm_planner, llm_critic: ask the model there too.
        shortest_alias: aliases with fewer characters are not names of a gene.
    """

    name: str
    directory: str
    kind: Kind = "graph"
    flow: Flow = field(default_factory=Flow)
    rules: CriticRules = field(default_factory=CriticRules)
    fetch: int = 10
    rerank: bool = False
    mode: Mode = "hybrid"
    lea: bool = False
    grounded: bool = False
    llm_planner: bool = False
    llm_critic: bool = False
    shortest_alias: int = 1

    @property
    def asks_model(self) -> bool:
        """Whether a language model has a part in it."""
        return self.kind == "llm_only" or self.lea or self.llm_planner or self.llm_critic

    def record(self) -> dict[str, Any]:
        """The definition as plain values, for fingerprints."""
        return asdict(self)


_SINGLE_PASS = Flow(expand=False, loop="none")
_REAL_RULES = CriticRules(negation=True, case_report_sections=True)
_REAL: dict[str, Any] = {"rules": _REAL_RULES, "shortest_alias": SHORTEST_REAL_ALIAS}
_L: dict[str, Any] = {"flow": _SINGLE_PASS, "fetch": 50, "rerank": True}

CELLS = {
    cell.name: cell
    for cell in (
        CellDefinition("A", "cell_A", kind="single_agent", mode="dense"),
        CellDefinition("B", "cell_B", kind="single_agent"),
        CellDefinition("D", "cell_D_multi_hybrid"),
        CellDefinition("L", "cell_L_rerank_inside_d", **_L),
        CellDefinition("S", "cell_S_rerank_inside_plus_lea", lea=True, **_L),
        CellDefinition("O", "cell_O_llm_only", kind="llm_only"),
        CellDefinition("D_real", "cell_D_real", flow=Flow(loop="rewrite"), **_REAL),
        CellDefinition("L_real", "cell_L_real", **_L, **_REAL),
        CellDefinition("S_real", "cell_S_real", lea=True, grounded=True, **_L, **_REAL),
        CellDefinition("D_llm", "cell_D_llm", llm_planner=True, llm_critic=True, lea=True),
    )
}
"""Published cells follow the specification to the letter. `_real` ones rewrite queries when they loop, know negation
and case-report sections, pass over two-letter aliases, and make the model cite; `D_llm` asks the model everywhere."""


@dataclass(frozen=True)
class Limits:
    """What a model is shown and may say, and how many chunks a reranker keeps; declared by the profile."""

    lea: LeaLimits = field(default_factory=LeaLimits)
    llm_only: LlmOnlyLimits = field(default_factory=LlmOnlyLimits)
    critic: LlmCriticLimits = field(default_factory=LlmCriticLimits)
    rerank_kept: int = KEPT


@dataclass(frozen=True)
class Tools:
    """What cells work with; a cell that needs what is None cannot be built."""

    lexicon: Lexicon
    aliases: dict[str, str]
    searcher: Searcher | None = None
    reranker: Reranker | None = None
    llm: Llm | None = None
    limits: Limits = field(default_factory=Limits)


def cell(name: str) -> CellDefinition:
    """The cell called `name`.

    Raises:
        SettingsError: there is none.
    """
    if name not in CELLS:
        raise SettingsError(f"building cell {name!r}", "no such cell", f"one of {', '.join(sorted(CELLS))}, N")
    return CELLS[name]


def build_worker(definition: CellDefinition, tools: Tools) -> Worker:
    """What ranks cases as the cell does: a function from cases to final states.

    Raises:
        SettingsError: the cell needs a searcher, a reranker or a model that the tools do not have.
    """
    if definition.kind == "llm_only":
        return LlmOnly(_needed(definition, "llm", tools.llm), tools.lexicon, tools.limits.llm_only).rank
    retriever = Retriever(searcher_of(definition, tools), definition.fetch, definition.mode)
    if definition.kind == "single_agent":
        agent = SingleAgent(tools.lexicon, retriever)
        return lambda cases: [agent.run(case) for case in cases]
    return _graph_worker(definition, tools, retriever)


def _graph_worker(definition: CellDefinition, tools: Tools, retriever: Retriever) -> Worker:
    graph = AgentGraph(build_agents(definition, tools, retriever), definition.flow)
    if not definition.lea:
        return lambda cases: [graph.run(case) for case in cases]
    # A block of cases is aggregated in one call, so that a server with several slots is kept busy.
    lea = build_lea(definition, tools)
    return lambda cases: lea.aggregate([graph.run(case) for case in cases])


def searcher_of(definition: CellDefinition, tools: Tools) -> Searcher:
    """The searcher, which the cell needs."""
    return _needed(definition, "searcher", tools.searcher)


def build_agents(definition: CellDefinition, tools: Tools, retriever: Retriever) -> Agents:
    """The agents of a cell that walks through the graph, without the aggregation."""
    names = GeneNames(tools.aliases, shortest_alias=definition.shortest_alias)
    rules = Critic(names, definition.rules)
    critic: GraphCritic = rules_only(rules)
    if definition.llm_critic:
        critic = LlmCritic(_needed(definition, "llm", tools.llm), rules, tools.limits.critic)
    planner = LlmPlanner(_needed(definition, "llm", tools.llm)) if definition.llm_planner else None
    select = None
    if definition.rerank:
        select = RerankSelection(_needed(definition, "reranker", tools.reranker), tools.limits.rerank_kept)
    return Agents(tools.lexicon, names, retriever, critic, planner, select)


def build_lea(definition: CellDefinition, tools: Tools) -> LeaSynthesizer:
    """The evidence aggregation of a cell."""
    limits = LeaLimits(**{**asdict(tools.limits.lea), "grounded": definition.grounded})
    return LeaSynthesizer(_needed(definition, "llm", tools.llm), limits)


def rules_only(critic: Critic) -> GraphCritic:
    """A deterministic critic in the place of one that leaves logs."""

    def grade(retrieved: Retrieved, labels: Sequence[str]) -> tuple[dict[str, list[Grade]], list[LlmLog]]:
        return critic.grade(retrieved, labels), []

    return grade


def _needed(definition: CellDefinition, what: str, tool: _Tool | None) -> _Tool:
    if tool is None:
        raise SettingsError(f"building cell {definition.name}", f"no {what}", f"the profile must declare a {what}")
    return tool
