"""What the agents' assets share: opening their tools, staging their files, and what a run shows of itself."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.assets.declare import Made
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.events import tell
from genoplatform.resources.llm.resource import LlmResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.reranker.resource import RerankerResource
from genoplatform.resources.vector_index import VectorIndexResource

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.agents.campaign import Campaign
    from genoplatform.agents.cells import Tools
    from genoplatform.agents.llm import Llm
    from genoplatform.settings.agents import AgentsSettings
    from genoplatform.settings.profiles import Profile

NOT_USED_FILE = "not_used.json"
Pair = tuple["pd.DataFrame", "pd.DataFrame"]


@dataclass(frozen=True)
class CellRun:
    """One asset's run over one list; `llm` is None where no model is asked."""

    asset: str
    partition: str
    settings: "Profile"
    platform: PlatformResource
    reranker: RerankerResource
    llm: LlmResource | None
    embedder: EmbedderResource
    vector_index: VectorIndexResource

    def cells(self, cohort: Pair, words: Pair, collection: dict[str, Any], *, asks_model: bool) -> Made:
        """Run the declared cells that ask a model, or those that do not.

        Args:
            cohort: cases and candidate lists.
            words: HPO terms and genes.
            collection: record of the index.
            asks_model: which cells.
        """
        from genoplatform.agents.cells import cell
        from genoplatform.agents.declared import cells_to_run

        declared = self.settings.agents
        names = [] if declared is None else cells_to_run(declared, self.partition)
        names = [name for name in names if cell(name).asks_model == asks_model]
        if declared is None or not names:
            return not_used(self.platform, self.asset, self.partition)
        with self.campaign(cohort, words, collection, names) as campaign:
            root = self.platform.work_dir(self.asset, self.partition)
            finished = self.platform.artefact(self.asset, self.partition, "directory")
            reports = campaign.run(names, root, finished, self.progress)
            llm = campaign.tools.llm
        remove_others(root, names)
        return Made(root, {**shown(reports, llm), "cases": len(campaign.cases)}, recorded=model_of(llm))

    @contextmanager
    def campaign(self, cohort: Pair, words: Pair, collection: dict[str, Any], names: list[str]) -> "Iterator[Campaign]":
        """The tools of these cells, open, over the cases that the profile declares."""
        from genoplatform.agents.campaign import Campaign
        from genoplatform.agents.declared import cases_to_run, cohort_of
        from genoplatform.provenance.canonical import content_sha256

        declared = self.settings.agents
        if declared is None:
            raise TypeError("the profile has no section `agents`")
        cases = cases_to_run(cohort_of(*cohort), declared)
        world = {"terms": content_sha256(words[0]), "genes": content_sha256(words[1]), "collection": collection}
        with self._tools(words, collection, names) as tools:
            yield Campaign(tools, self.partition, cases, world, declared.texts, declared.block)

    @contextmanager
    def _tools(self, words: Pair, collection: dict[str, Any], names: list[str]) -> "Iterator[Tools]":
        from genoplatform.agents.cells import Tools, cell
        from genoplatform.agents.declared import limits_of
        from genoplatform.agents.lexicon import Lexicon
        from genoplatform.errors import EmptyResultError
        from genoplatform.ontology.hgnc import alias_map
        from genoplatform.resources.vector_index.opening import open_searcher

        definitions, declared = [cell(name) for name in names], self.settings.agents
        searcher = reranker = None
        with ExitStack() as opened:
            if any(each.kind != "llm_only" for each in definitions):
                if not collection:
                    raise EmptyResultError("searching for the agents", "this profile has no articles", "give it some")
                searcher = opened.enter_context(
                    open_searcher(self.platform, collection, embedder=self.embedder, vector_index=self.vector_index)
                )
            if any(each.rerank for each in definitions):
                reranker = self.reranker.reranker(None if searcher is None else searcher.embedder)
            asks = any(each.asks_model for each in definitions)
            model = self.llm.model() if asks and self.llm is not None else None
            lexicon, aliases = Lexicon.from_table(words[0]), alias_map(words[1])
            limits = limits_of(declared) if declared is not None else None
            yield Tools(lexicon, aliases, searcher, reranker, model, **({"limits": limits} if limits else {}))

    def progress(self, what: str, done: int, of: int) -> None:
        """Tell how far a cell is."""
        tell(f"cell {what} {done}/{of}", self.asset, self.partition)


def shown(reports: Mapping[str, Mapping[str, int]], llm: "Llm | None") -> dict[str, Any]:
    """Reports of the cells, and whose figures they are."""
    metadata: dict[str, Any] = {f"cell {name}": dict(report) for name, report in reports.items()}
    if llm is not None:
        metadata |= {"model": dict(llm.identity), "evidence": evidence_of(llm)}
    return metadata


def evidence_of(llm: "Llm | None") -> str:
    """What figures made with this model are worth."""
    from genoplatform.agents.cell_tables import NATIVE

    return NATIVE if llm is None else dict(llm.identity).get("evidence", "unknown")


def model_of(llm: "Llm | None") -> dict[str, Any]:
    """The model's identity, for the provenance record."""
    return {} if llm is None else {"model": dict(llm.identity)}


def not_used(platform: PlatformResource, asset: str, partition: str | None) -> Made:
    """An artefact that says that the profile has no use for it."""
    from genoplatform.agents.case_files import write_json
    from genoplatform.provenance.atomic import remove

    root = platform.work_dir(asset, partition)
    remove(root)
    write_json(root / NOT_USED_FILE, {})
    return Made(root, {"report": "not used by this profile"})


def remove_others(root: Path, names: list[str]) -> None:
    """Remove what an earlier, unfinished run staged for cells that are no longer declared."""
    from genoplatform.provenance.atomic import remove

    for path in sorted(root.iterdir()):
        if path.name not in names:
            remove(path)


def staged_fusion(
    platform: PlatformResource,
    cohort: Pair,
    model_cells: Path,
    systems: "Mapping[str, pd.DataFrame]",
    declared: "AgentsSettings",
    partition: str,
) -> Made:
    """Cell N's files, from a declared system's scores and cell S's files."""
    from genoplatform.agents.campaign import cases_digest, stored_rankings
    from genoplatform.agents.case_files import LISTS
    from genoplatform.agents.cells import cell
    from genoplatform.agents.checkpoints import open_folder
    from genoplatform.agents.declared import cases_to_run, cohort_of
    from genoplatform.agents.fused_cell import FUSED, FUSED_DIRECTORY, write_fused
    from genoplatform.assets.agents import FUSED_CELL
    from genoplatform.errors import SettingsError
    from genoplatform.provenance.atomic import remove

    first = declared.fusion_first or ""
    scored = systems.get(first)
    if scored is None or scored.empty:
        ran = sorted(name for name, table in systems.items() if len(table))
        raise SettingsError("fusing cell N", f"system {first!r} has no scores in this profile", f"one of {ran}")
    cases = cases_to_run(cohort_of(*cohort), declared)
    second = stored_rankings(model_cells / "S", cell("S"), partition)
    root = platform.work_dir(FUSED_CELL, partition)
    remove(root)
    folder = open_folder(root / FUSED, {"first": first, "cases": cases_digest(cases)})
    report = write_fused(folder / LISTS[partition] / FUSED_DIRECTORY, cases, scored[scored["system"] == first], second)
    return Made(root, {"report": report, "fused": f"{first} and S"})
