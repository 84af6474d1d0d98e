"""Which pictures a cohort and an answer have, in order. What each shows is in its own module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.linked_tables import linked_from_tables
from genoplatform.expression.pictures.batches import batches_of
from genoplatform.expression.pictures.components import components_picture
from genoplatform.expression.pictures.genes import coefficients_picture, volcano_picture
from genoplatform.expression.pictures.missing import missing_picture
from genoplatform.expression.pictures.p_values import histogram_picture, qq_picture
from genoplatform.expression.pictures.page import CohortFindings, Drawn, build_page, unusable_page
from genoplatform.expression.pictures.picture import Picture
from genoplatform.expression.statistics.arrays import Floats, Samples
from genoplatform.expression.statistics.batch_effect import benchmark_rule, hidden_structure
from genoplatform.expression.statistics.mixed_test import benjamini_hochberg
from genoplatform.expression.statistics.result import Answer, gene_table
from genoplatform.expression.statistics.screen import screen_genes, screen_plainly

_LEVEL = 0.05
Tables = Mapping[str, pd.DataFrame]


def find(cohort: LinkedCohort, *, permutations: int = 40, seed: int = 42) -> CohortFindings:
    """Everything a cohort's page tells, computed."""
    y = cohort.clinical.iloc[:, 0].to_numpy(dtype=np.float64)
    samples = Samples(cohort.values, y, np.empty((len(y), 0)), cohort.groups)
    structure = hidden_structure(samples.x, y, samples.z, permutations=permutations, seed=seed)
    plain = screen_plainly(samples).p
    return CohortFindings(cohort, structure, benchmark_rule(cohort.values), screen_genes(samples), plain)


def cohort_pictures(
    found: CohortFindings,
    measured: Floats,
    batches: Sequence[str] | None = None,
    *,
    gene_limit: float = 0.2,
    sample_limit: float = 0.05,
) -> list[Picture]:
    """Components, missingness, volcano, histogram and QQ.

    Args:
        found: of `find`.
        measured: genes x samples before values are filled in.
        batches: batch of each sample of the cohort, where known.
        gene_limit, sample_limit: shares of missing values above which genes and samples are dropped.
    """
    cohort, tests = found.cohort, found.screen.tests
    labels: dict[str, Sequence[object]] = {name: cohort.clinical[name].tolist() for name in cohort.clinical.columns}
    if cohort.groups is not None:
        labels["person"] = cohort.groups
    if batches is not None:
        labels["batch"] = batches
    corrected = benjamini_hochberg(tests.p)
    genes = gene_table(
        cohort.genes, tests.beta, np.asarray(corrected < _LEVEL, dtype=np.bool_), set(), tested=True, p=tests.p
    )
    return [
        components_picture(cohort.values, labels),
        missing_picture(measured, gene_limit, sample_limit),
        volcano_picture(genes, _LEVEL),
        histogram_picture(tests.p),
        qq_picture({"plain test": found.plain, "mixed model": tests.p}),
    ]


def answer_picture(answer: Answer, level: float) -> Picture:
    """Volcano where genes were tested, else their coefficients."""
    return volcano_picture(answer.genes, level) if answer.tested else coefficients_picture(answer.genes)


def page_of(
    key: str,
    linked: Tables,
    gene_data: Tables,
    series: Tables,
    draw: Callable[[Picture], str],
    *,
    permutations: int,
    seed: int,
) -> tuple[bytes, list[Picture]]:
    """The page of a stored cohort, and its pictures; without pictures where it is not usable.

    Args:
        key: `Trait|Cohort`. linked, gene_data, series: its tables as stored.
        draw: picture -> data URI.
        permutations, seed: of the test for hidden structure.
    """
    cohort = linked_from_tables(dict(linked))
    record = linked["record"].iloc[0]
    if cohort is None or not bool(record["is_usable"]):
        trait, _, name = key.partition("|")
        return unusable_page(trait, name, str(record["reason"])), []
    found = find(cohort, permutations=permutations, seed=seed)
    measured = gene_data["genes"].iloc[:, 1:].to_numpy(dtype=np.float64)
    batches = batches_of(series["characteristics"], [str(name) for name in cohort.clinical.index])
    pictures = cohort_pictures(found, measured, batches)
    return build_page(found, [Drawn(one, draw(one)) for one in pictures]), pictures
