"""Cell M: LIRICAL's phenotype-only ranking, run by the original program.

Here: what the program is told for each case. Not here: reading its output (lirical_output.py), running it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd

from genoplatform.prioritisation.baselines.lirical_output import best_disease, lirical_diseases
from genoplatform.prioritisation.baselines.scoring import BaselineScores, observed, score_baseline
from genoplatform.prioritisation.baselines.tool import DATA, OUTPUT, ToolJob, ToolRunner
from genoplatform.prioritisation.ties import TieRule

LIRICAL = "lirical"
LIRICAL_TIE_RULE: TieRule = "candidate_order"
PREFIX = "result"
ALL_DISEASES = 100_000


@dataclass(frozen=True)
class LiricalRecipe:
    """How a case is put to LIRICAL.

    Attributes:
        use_excluded: also pass the terms that were looked for and not found (the published comparison does not).
        use_orphanet: rank ORPHA diseases too.
        output: file format; TSV rounds probabilities to a hundredth of a per cent.
    """

    use_excluded: bool = False
    use_orphanet: bool = True
    output: Literal["json", "tsv"] = "json"


PUBLISHED = LiricalRecipe()


def run_lirical(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    runner: ToolRunner,
    links: pd.DataFrame,
    *,
    recipe: LiricalRecipe = PUBLISHED,
    system: str = LIRICAL,
) -> BaselineScores:
    """Score every candidate list with LIRICAL: a gene scores the largest post-test probability of its diseases.

    Rank with LIRICAL_TIE_RULE, as published.

    Args:
        cases: case_id, hpo_terms; excluded_terms where the recipe uses them.
        candidates: case_id, candidate_genes; one row per case.
        runner: runs LIRICAL (genoplatform.resources.lirical).
        links: disease_id, gene_symbol, of `lirical_disease_genes`.
        recipe: the published set-up, or another.
        system: label of the result.
    """

    def job(row: pd.Series) -> ToolJob:
        excluded = list(row["excluded_terms"]) if recipe.use_excluded else []
        return lirical_job(row["case_id"], list(row["hpo_terms"]), excluded, recipe)

    def scores(folder: Path) -> dict[str, float]:
        return best_disease(lirical_diseases(folder, PREFIX), links)

    return score_baseline(cases, candidates, runner, system=system, make_job=job, gene_scores=scores)


def lirical_job(
    case_id: str, terms: list[str], excluded: list[str] | None = None, recipe: LiricalRecipe = PUBLISHED
) -> ToolJob:
    """The arguments of one case; there is no input file.

    Args:
        case_id: the case.
        terms: observed terms; repeated ones count once.
        excluded: terms looked for and not found.
        recipe: the set-up.

    Raises:
        BadInputError: a malformed term.
    """
    absent = observed(excluded or [], case_id)
    arguments = (
        *("prioritize", "-p", ",".join(observed(terms, case_id))),
        *(("-n", ",".join(absent)) if absent else ()),
        *("-d", DATA, "-m", str(ALL_DISEASES)),
        *(("--use-orphanet",) if recipe.use_orphanet else ()),
        *("-f", recipe.output, "-o", OUTPUT, "-x", PREFIX),
    )
    return ToolJob(case_id, {}, arguments, keep=(f"{PREFIX}.{recipe.output}",))
