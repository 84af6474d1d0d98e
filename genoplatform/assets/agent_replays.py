"""Bodies of the arms: leave-one-paper-out, replays of stored prompts, the judge; staged, resumable, labelled."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.assets.agent_runs import CellRun, Pair, evidence_of, model_of
from genoplatform.assets.declare import Made
from genoplatform.resources.events import tell
from genoplatform.resources.llm.resource import LlmResource
from genoplatform.resources.platform import PlatformResource

if TYPE_CHECKING:
    from genoplatform.agents.case_files import CaseFacts, StoredRecords
    from genoplatform.agents.llm import Llm
    from genoplatform.settings.agents import AgentsSettings

LOPO_FOLDERS = {"standard": "lopo", "hard": "eval_hard"}


def run_lopo(run: CellRun, cohort: Pair, words: Pair, collection: dict[str, Any]) -> Made:
    """Both arms of cell S over the declared cases."""
    from genoplatform.agents.checkpoints import open_folder
    from genoplatform.agents.lopo import LopoRun

    with run.campaign(cohort, words, collection, ["S"]) as campaign:
        setup = campaign.setup({"arms": "leave one paper out"}, asks_model=True)
        root = open_folder(run.platform.work_dir(run.asset, run.partition), setup)
        lopo = LopoRun(campaign.tools, root / LOPO_FOLDERS[run.partition], texts=campaign.texts)
        report = lopo.run(campaign.cases, lambda done, of: run.progress("lopo", done, of))
        llm = campaign.tools.llm
    return Made(root, {"report": report.counts(), "evidence": evidence_of(llm)}, recorded=model_of(llm))


@dataclass(frozen=True)
class Replays:
    """What is asked of cell S's stored prompts and answers."""

    asset: str
    partition: str
    declared: "AgentsSettings"
    platform: PlatformResource
    llm: LlmResource

    def sensitivity(self, cohort: Pair, model_cells: Path) -> Made:
        """Every wording, by the profile's model."""
        from genoplatform.agents.replay import Replay, stored_prompts

        declared = self.declared.sensitivity
        if declared is None:
            raise TypeError("not declared")
        cases, responses = self._sample(cohort, model_cells, declared.per_category)
        prompts, missing = stored_prompts(cases, responses)
        llm = self.llm.model()
        root = self._root(declared.model_dump(), cases, {"model": dict(llm.identity)}, model_cells)
        replay = Replay(llm, root, declared.max_tokens, declared.structured, self.declared.block)
        report = replay.sensitivity(prompts, self._told("prompt wording")).counts()
        return Made(root, {"report": report | {"without a prompt": missing}, **_labels(llm)}, recorded=model_of(llm))

    def ablation(self, cohort: Pair, model_cells: Path) -> Made:
        """Every other model, one after the other."""
        from genoplatform.agents.case_files import LISTS
        from genoplatform.agents.replay import Replay, stored_prompts

        declared = self.declared.ablation
        if declared is None:
            raise TypeError("not declared")
        cases, responses = self._sample(cohort, model_cells, declared.per_category)
        prompts, missing = stored_prompts(cases, responses)
        models = {name: self.llm.model(name) for name in declared.models}
        identities = {name: dict(llm.identity) for name, llm in models.items()}
        root = self._root(declared.model_dump(), cases, identities, model_cells)
        shown: dict[str, Any] = {"without a prompt": missing}
        for name, llm in models.items():
            folder = root / LISTS[self.partition]
            replay = Replay(llm, folder, declared.max_tokens, declared.structured, self.declared.block)
            report = replay.ablation(name, prompts, self._told(f"model {name}"))
            shown[f"model {name}"] = report.counts() | _labels(llm)
        return Made(root, shown, recorded={"models": identities})

    def judge(self, cohort: Pair, model_cells: Path) -> Made:
        """Scores of the judge, for a sample of the cases."""
        from genoplatform.agents.case_files import LISTS
        from genoplatform.agents.judge import Judge
        from genoplatform.agents.judge_run import run_judge

        declared = self.declared.judge
        if declared is None:
            raise TypeError("not declared")
        cases, responses = self._sample(cohort, model_cells, declared.per_category)
        llm = self.llm.model(declared.model)
        root = self._root(declared.model_dump(), cases, {"model": dict(llm.identity)}, model_cells)
        report = run_judge(
            Judge(llm, declared.max_tokens),
            cases,
            responses,
            root / LISTS[self.partition],
            mode=declared.mode,
            difficulty=self.partition,
            contexts=declared.contexts,
            progress=self._told("judge"),
        )
        return Made(root, {"report": report, **_labels(llm)}, recorded=model_of(llm))

    def _sample(self, cohort: Pair, model_cells: Path, per_category: int) -> "tuple[list[CaseFacts], StoredRecords]":
        from genoplatform.agents.campaign import stored_responses
        from genoplatform.agents.cells import cell
        from genoplatform.agents.declared import cases_to_run, cohort_of
        from genoplatform.agents.sampling import sample_by_category

        ran = cases_to_run(cohort_of(*cohort), self.declared)
        sample = sample_by_category(ran, per_category, self.declared.seed)
        return sample, stored_responses(model_cells / "S", cell("S"), self.partition)

    def _root(self, declared: dict[str, Any], cases: "list[CaseFacts]", models: Any, model_cells: Path) -> Path:
        from genoplatform.agents.campaign import VERSION, cases_digest
        from genoplatform.agents.checkpoints import open_folder
        from genoplatform.provenance import read_sidecar

        setup = {"what": self.asset, "version": VERSION, "declared": declared, "cases": cases_digest(cases)}
        setup |= {"models": models, "answers": read_sidecar(model_cells).sha256}
        return open_folder(self.platform.work_dir(self.asset, self.partition), setup)

    def _told(self, what: str) -> Callable[[int, int], None]:
        return lambda done, of: tell(f"{what} {done}/{of}", self.asset, self.partition)


def _labels(llm: "Llm") -> dict[str, Any]:
    return {"model": dict(llm.identity).get("model", ""), "evidence": evidence_of(llm)}
