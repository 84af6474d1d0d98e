"""Declared parameters of the expression area: preprocessing here; statistics has its own sections beside it.

No paths or hosts: where cohorts lie is a slot of the profile.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, NonNegativeInt

from genoplatform.settings.section import Section


def _with_group(pattern: str) -> str:
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    if not groups:
        raise ValueError(f"{pattern!r} has no group")
    return pattern


Share = Annotated[float, Field(ge=0, le=1)]
Pattern = Annotated[str, AfterValidator(_with_group)]
Rules = Literal["sound", "compat_v2", "compat_v1"]


class ExpressionSettings(Section):
    """How cohorts are read and preprocessed (expression.md section B).

    Attributes:
        rules: `sound`, or one of the two releases of the benchmark with its quirks kept.
        cohort_of_pin: `Trait|Cohort` that a pinned file in slot `expression_cohorts` is; None for a directory.
        platforms: `Trait|Cohort` -> GPL accession, where a platform is chosen by hand.
        subjects: `Trait|Cohort` -> regular expression whose first group, found in a sample's title, names the person;
            for series that tell repeated persons in no other way.
        log2: sound rules only: take logarithms of values that are plainly on a linear scale, or never.
        gene_missing: a gene is kept up to this share of missing samples.
        sample_missing: a sample is kept up to this share of missing genes.
        rare_share: a binary variable is biased if its rarer label has less than this share ...
        rare_count: ... and fewer than this many samples.
        min_genes: fewer normalised genes than this are reported as a likely wrong column.
        platform_match: least share of measured ids that the annotation must know.
    """

    rules: Rules = "sound"
    cohort_of_pin: str | None = None
    platforms: dict[str, str] = {}
    subjects: dict[str, Pattern] = {}
    log2: Literal["auto", "never"] = "auto"
    gene_missing: Share = 0.2
    sample_missing: Share = 0.05
    rare_share: Share = 0.1
    rare_count: NonNegativeInt = 5
    min_genes: NonNegativeInt = 100
    platform_match: Share = 0.5


class StatisticsSettings(Section):
    """How problems are answered (expression.md section C).

    Attributes:
        rules: `sound`, or one of the two releases of the benchmark with its quirks kept.
        problems: `Trait|Condition` to answer, `None` for no condition; empty: those of the catalogue whose trait has a
            cohort, or, without a catalogue, every trait that has one, without a condition.
        known_traits: trait of a cohort -> trait of the catalogue whose known genes and conditions it takes.
        model: `auto` takes the Lasso where samples share no hidden structure and no person repeats, else tests every
            gene in a mixed model; or one of them for all. Compat knows `auto`, `lasso` and `lmm_lasso` only.
        penalties: candidates; empty: from the largest useful one down (sound), or the release's grid (compat).
        penalty_rule: least held-out deviance, or the largest penalty within one standard error of it.
        folds, seed: of cross-validation and every other random choice.
        reml: restricted likelihood in mixed models.
        fdr: false-discovery level of genes tested one by one.
        exclude_trait_genes: known genes of the trait are no regressors of a condition.
        permutations: of the test for hidden structure.
        stability_pairs: random splits of stability selection; 0 leaves it out.
    """

    rules: Rules = "sound"
    problems: list[str] = []
    known_traits: dict[str, str] = {}
    model: Literal["auto", "lasso", "lmm_test", "lmm_lasso"] = "auto"
    penalties: list[float] = []
    penalty_rule: Literal["minimum", "one_standard_error"] = "minimum"
    folds: Annotated[int, Field(ge=2)] = 5
    seed: int = 42
    reml: bool = True
    fdr: Share = 0.05
    exclude_trait_genes: bool = False
    permutations: Annotated[int, Field(ge=19)] = 40
    stability_pairs: NonNegativeInt = 0
