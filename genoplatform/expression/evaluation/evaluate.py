"""An analysis evaluated against a reference: one table a task, and one summary (expression.md D).

What is expected is what the reference holds; what the analysis lacks is a failure, listed as such.
Belongs here: walking both analyses. Does not belong here: any metric, or layout for the eye.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from genoplatform.expression.evaluation.cohorts import chosen_cohorts, filtering, shared_regressors
from genoplatform.expression.evaluation.directories import Analysis, genes_of
from genoplatform.expression.evaluation.means import everything, joined, summarise
from genoplatform.expression.evaluation.ranking import (
    enrichment,
    honest_auroc,
    published_auroc,
    published_enrichment,
)
from genoplatform.expression.evaluation.tables import NOTHING, Orientation, compare_tables, samples_as_rows
from genoplatform.expression.statistics.problems import NO_CONDITION, Catalogue, Problem
from genoplatform.expression.statistics.scores import gene_scores

FILTERING = ("precision", "recall", "f1", "accuracy")
TABLES = ("aj", "sj", "correlation", "csc")
GENES = (
    "precision", "recall", "f1", "jaccard", "precision_zero", "recall_zero", "f1_zero", "auroc", "enrichment",
    "auroc_v2", "auroc_corrected", "enrichment_v2", "enrichment_corrected",
)  # fmt: skip
PREDICTION = ("accuracy", "precision", "recall", "f1")
_TABLE_NAMES = ("summary", "filtering", "selection", "tables", "genes")
_GROUPS = {"unconditional": "unconditional", "conditional one-step": "demographic", "two-step": "two_step"}


@dataclass(frozen=True)
class Evaluation:
    """Results.

    Attributes:
        filtering: a row a trait. selection: a row a problem. tables: a row a preprocessed file. genes: a row a problem.
        summary: a row a task, group and metric, with failures counted as 0 and left out.
        notes: what a reader must know to use the numbers.
    """

    filtering: pd.DataFrame
    selection: pd.DataFrame
    tables: pd.DataFrame
    genes: pd.DataFrame
    summary: pd.DataFrame
    notes: list[str]

    def tables_by_name(self) -> dict[str, pd.DataFrame]:
        """The tables, as they are stored."""
        return {name: getattr(self, name) for name in _TABLE_NAMES}

    def to_dict(self) -> dict[str, Any]:
        """Plain values; NaN becomes None."""
        return {name: _plain(table) for name, table in self.tables_by_name().items()} | {"notes": self.notes}


def evaluate(
    predicted: Analysis, reference: Analysis, catalogue: Catalogue | None = None, orientation: Orientation = "found"
) -> Evaluation:
    """Evaluate an analysis.

    Args:
        predicted: the analysis. reference: what it is held against.
        catalogue: problems and known genes; without it problems are those the reference answers, and any two cohorts
            count as sharing regressors.
        orientation: how clinical tables lie, see `samples_as_rows`.
    """
    problems = catalogue.problems() if catalogue else reference.problems()
    kept = filtering_table(predicted, reference)
    chosen = selection_table(predicted, reference, problems, catalogue or Catalogue({}, {}))
    files = preprocessing_table(predicted, reference, orientation)
    genes = gene_result_table(predicted, reference)
    parts = [summarise("filtering", kept, FILTERING, everything(kept))]
    parts += [summarise("selection", chosen, ["accuracy"], _by_kind(chosen))]
    for kind in ("linked", "gene", "clinical"):
        part = files[files["kind"] == kind].reset_index(drop=True)
        parts.append(summarise(f"preprocessing {kind}", part, TABLES, everything(part)))
    parts.append(summarise("genes", genes, GENES, _by_kind(genes)))
    parts.append(summarise("prediction", genes, [f"prediction_{name}" for name in PREDICTION], _by_kind(genes)))
    return Evaluation(kept, chosen, files, genes, joined(parts), _notes(catalogue, genes))


def nothing_evaluated() -> dict[str, pd.DataFrame]:
    """The summary of no evaluation."""
    return {"summary": joined([])}


def filtering_table(predicted: Analysis, reference: Analysis) -> pd.DataFrame:
    """A row a trait of the reference; a trait without readable records is a failure."""
    rows = []
    for trait in reference.traits():
        gold = reference.cohort_info(trait)
        if gold is None:
            continue
        mine = predicted.cohort_info(trait)
        rows.append({"trait": trait, "found": mine is not None, "cohorts": len(gold)} | filtering(mine or {}, gold))
    kinds = {"trait": "str", "found": "bool", "cohorts": "int64"} | dict.fromkeys(FILTERING, "float64")
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def selection_table(
    predicted: Analysis, reference: Analysis, problems: list[Problem], catalogue: Catalogue
) -> pd.DataFrame:
    """A row a problem of a trait that the reference has records of."""
    rows = []
    for problem in problems:
        if reference.cohort_info(problem.trait) is None:
            continue
        gold, mine = (_choose(analysis, problem, catalogue) for analysis in (reference, predicted))
        rows.append(
            _of(problem)
            | {"found": predicted.cohort_info(problem.trait) is not None}
            | {"predicted": " + ".join(mine) or "none", "reference": " + ".join(gold) or "none"}
            | {"accuracy": 100.0 if mine == gold else 0.0}
        )
    kinds = dict.fromkeys(("trait", "condition", "kind"), "str") | {"found": "bool", "predicted": "str"}
    kinds |= {"reference": "str", "accuracy": "float64"}
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def preprocessing_table(predicted: Analysis, reference: Analysis, orientation: Orientation = "found") -> pd.DataFrame:
    """A row a preprocessed file of the reference; per cent."""
    rows = []
    for trait, kind, cohort in reference.tables():
        gold, mine = reference.table(trait, kind, cohort), predicted.table(trait, kind, cohort)
        scores = NOTHING
        if gold is not None and mine is not None:
            turned = [samples_as_rows(table, kind, trait, orientation) for table in (mine, gold)]
            scores = compare_tables(*turned)
        base = {"trait": trait, "kind": kind, "cohort": cohort, "found": mine is not None}
        rows.append(base | {name: 100.0 * value for name, value in scores.items()})
    kinds = dict.fromkeys(("trait", "kind", "cohort"), "str") | {"found": "bool"} | dict.fromkeys(TABLES, "float64")
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def gene_result_table(predicted: Analysis, reference: Analysis) -> pd.DataFrame:
    """A row a problem that the reference answers; per cent."""
    rows = []
    for problem in reference.problems():
        gold, mine = reference.regression(problem), predicted.regression(problem)
        if gold is None:
            continue
        wanted = genes_of(gold, problem)
        ranked = genes_of(mine, problem) if mine else []
        universe = _universe(predicted, reference, problem)
        counts = {"predicted": len(ranked), "reference": len(wanted), "universe": len(universe)}
        scores = _gene_metrics(ranked, wanted, universe) | _prediction(mine)
        rows.append(_of(problem) | {"found": mine is not None} | counts | scores)
    kinds = dict.fromkeys(("trait", "condition", "kind"), "str") | {"found": "bool"}
    kinds |= dict.fromkeys(("predicted", "reference", "universe"), "int64")
    kinds |= dict.fromkeys((*GENES, *(f"prediction_{name}" for name in PREDICTION)), "float64")
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def _gene_metrics(ranked: list[str], wanted: list[str], universe: set[str]) -> dict[str, float]:
    zero = gene_scores(ranked, wanted)
    areas = {
        "auroc": honest_auroc(ranked, wanted, universe),
        "enrichment": enrichment(ranked, wanted, universe),
        "auroc_v2": published_auroc(ranked, wanted, "v2"),
        "auroc_corrected": published_auroc(ranked, wanted, "corrected"),
        "enrichment_v2": published_enrichment(ranked, wanted, "v2"),
        "enrichment_corrected": published_enrichment(ranked, wanted, "corrected"),
    }
    plain = gene_scores(ranked, wanted, empty="v2")
    other = {f"{name}_zero": zero[name] for name in ("precision", "recall", "f1")}
    return plain | other | {name: 100.0 * value for name, value in areas.items()}


def _prediction(regression: dict[str, Any] | None) -> dict[str, float]:
    performance = (regression or {}).get("cv_performance")
    scores = performance.get("prediction") if isinstance(performance, dict) else None
    scores = scores if isinstance(scores, dict) else {}
    values = {name: scores.get(name) for name in PREDICTION}
    return {f"prediction_{n}": float(v) if isinstance(v, int | float) else math.nan for n, v in values.items()}


def _universe(predicted: Analysis, reference: Analysis, problem: Problem) -> set[str]:
    """Genes that could have been listed: those of the reference's cohort; all listed ones where there is none."""
    for analysis in (reference, predicted):
        chosen = _choose(analysis, problem, Catalogue({}, {}))
        columns = set(analysis.columns(problem.trait, chosen[0])) if chosen else set()
        if columns:
            return columns - {problem.trait, "Age", "Gender"}
    return set()


def _choose(analysis: Analysis, problem: Problem, catalogue: Catalogue) -> tuple[str, ...]:
    mine = analysis.cohort_info(problem.trait) or {}
    theirs = analysis.cohort_info(problem.condition or "") or {} if problem.kind == "two_step" else {}
    return chosen_cohorts(problem, mine, theirs, shared_regressors(analysis.columns, catalogue.genes))


def _of(problem: Problem) -> dict[str, Any]:
    return {"trait": problem.trait, "condition": problem.condition or NO_CONDITION, "kind": problem.kind}


def _by_kind(table: pd.DataFrame) -> dict[str, pd.Series]:
    return {name: table["kind"] == kind for name, kind in _GROUPS.items()} | everything(table)


def _notes(catalogue: Catalogue | None, genes: pd.DataFrame) -> list[str]:
    notes = ["Headlines count what is missing as 0; found_only leaves it out, as the benchmark's second release does."]
    if catalogue is None:
        notes.append(
            "Without a task_info file, problems are those answered, and any cohorts count as sharing regressors."
        )
    if lacking := int((genes["universe"] == 0).sum()):
        notes.append(f"{lacking} problems without a linked table: AUROC and enrichment over listed genes only.")
    return notes


def _plain(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows = table.to_dict("records")
    return [{str(k): None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()} for row in rows]
