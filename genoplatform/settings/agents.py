"""Which cells of the agentic workflow run, on how many cases, and what their model is shown; a section of a profile."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt, model_validator

from genoplatform.settings.section import Section

CellName = Literal["A", "B", "D", "L", "S", "O", "N", "D_real", "L_real", "S_real", "D_llm", "N"]


class LeaSettings(Section):
    """Evidence aggregation (rare_disease.md section 8); the defaults are the published ones.

    Attributes:
        head: genes of the preliminary ranking that the model compares.
        chunks_per_gene: excerpts shown of each.
        chunk_characters: characters of an excerpt.
        labels: phenotype labels shown.
        max_tokens: of the answer.
        rationale_characters: asked for, at most, in a structured answer.
        structured: the server is asked to keep to the answer's schema; the published fallbacks presuppose that an
            answer may be anything, and stay in force.
    """

    head: PositiveInt = 15
    chunks_per_gene: PositiveInt = 3
    chunk_characters: PositiveInt = 1600
    labels: PositiveInt = 12
    max_tokens: PositiveInt = 1500
    rationale_characters: PositiveInt = 180
    structured: bool = True


class LlmOnlySettings(Section):
    """Cell O; as published without a schema, because a grammar distorts the order at temperature 0."""

    labels: PositiveInt = 12
    max_tokens: PositiveInt = 4096
    structured: bool = False


class CriticSettings(Section):
    """The model's critic: chunks a batch, characters of each, labels, tokens of the answer (base + so many a chunk)."""

    batch: PositiveInt = 10
    characters: PositiveInt = 2400
    labels: PositiveInt = 12
    base_tokens: NonNegativeInt = 1500
    chunk_tokens: PositiveInt = 250


class SensitivitySettings(Section):
    """Cell S's prompts asked again in other words: cases of each category, tokens of an answer."""

    per_category: PositiveInt
    max_tokens: PositiveInt = 2048
    structured: bool = False


class AblationSettings(Section):
    """Cell S's prompts asked of other models: names among the profile's `llm.alternatives`."""

    per_category: PositiveInt
    models: Annotated[list[str], Field(min_length=1)]
    max_tokens: PositiveInt = 4096
    structured: bool = True


class JudgeSettings(Section):
    """A judge of cell S's rationales.

    Attributes:
        per_category: cases of each category.
        model: name among the profile's `llm.alternatives`; empty is the profile's own model.
        mode: judge the whole answer, or one sentence about the first gene.
        contexts: passages, at most.
        max_tokens: of an answer.
    """

    per_category: PositiveInt
    model: str = ""
    mode: Literal["full", "top1only"] = "full"
    contexts: PositiveInt = 20
    max_tokens: PositiveInt = 1024


class CalibrationSettings(Section):
    """Calibration of a cell's rank-1 confidence: the fit, folds of publications, fewest cases it is made with."""

    method: Literal["isotonic", "platt"] = "isotonic"
    folds: Annotated[int, Field(ge=2)] = 5
    min_cases: PositiveInt = 50


class AgentsSettings(Section):
    """The cells that run.

    Attributes:
        cells: their names (`agents.cells`); N fuses `fusion_first` with S.
        cases_per_category: cases of each category, drawn with `seed`; null runs the whole cohort. Cells of a part of
            the cohort are held against other systems on that part alone.
        most_cases: of those drawn, the first so many, one category after the other; null runs all.
        fusion_first: native system or tool that cell N fuses with S.
        lists_without: cell -> lists it is not run on (the paper has no cell O on hard lists).
        leave_one_paper_out: run the two arms of cell S on the standard lists.
        rerank_kept: chunks the reranker keeps.
        texts: keep chunk texts in the response files of cells that rerank, as released; 1 MB a case.
        block: cases whose prompts are asked in one call of the model's client.
        contrasts: pairs of systems, cells or native ones, compared on the cases that ran.
        seed: of the draws.
    """

    cells: Annotated[list[CellName], Field(min_length=1)]
    cases_per_category: PositiveInt | None
    most_cases: PositiveInt | None = None
    fusion_first: str | None = None
    lists_without: dict[CellName, list[Literal["standard", "hard"]]] = {"O": ["hard"]}
    leave_one_paper_out: bool = False
    rerank_kept: PositiveInt = 10
    texts: bool = True
    block: PositiveInt = 8
    lea: LeaSettings = LeaSettings()
    llm_only: LlmOnlySettings = LlmOnlySettings()
    critic: CriticSettings = CriticSettings()
    sensitivity: SensitivitySettings | None = None
    ablation: AblationSettings | None = None
    judge: JudgeSettings | None = None
    calibration: CalibrationSettings = CalibrationSettings()
    contrasts: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = []
    seed: int = 42

    @model_validator(mode="after")
    def _parts_fit_together(self) -> AgentsSettings:
        if ("N" in self.cells) != (self.fusion_first is not None):
            raise ValueError("cell N and fusion_first belong together")
        needs_s = ("N" in self.cells, self.sensitivity, self.ablation, self.judge)
        if any(needs_s) and "S" not in self.cells:
            raise ValueError("cell N, sensitivity, ablation and judge rest on cell S, which is not among the cells")
        return self
