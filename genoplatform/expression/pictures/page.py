"""The page of one cohort: its size and balance, what to beware of, pictures, and the genes that stand out.

Belongs here: what the page says. Does not belong here: computing or drawing; images come as data URIs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.pictures.picture import Picture
from genoplatform.expression.statistics.arrays import is_binary
from genoplatform.expression.statistics.batch_effect import BenchmarkRule, HiddenStructure
from genoplatform.expression.statistics.mixed_test import benjamini_hochberg, inflation_factor
from genoplatform.expression.statistics.screen import Screen

_TOP = 25
# Inflation of a plain screen above which people are warned.
_INFLATED = 1.5


@dataclass(frozen=True)
class Drawn:
    """A picture with its image."""

    picture: Picture
    uri: str

    @property
    def name(self) -> str:
        """Anchor in the page."""
        return self.picture.name

    @property
    def title(self) -> str:
        """Heading."""
        return self.picture.title

    @property
    def words(self) -> str:
        """Caption, and the text for those who do not see the image."""
        return self.picture.words


@dataclass(frozen=True)
class CohortFindings:
    """What the page tells of a usable cohort.

    Attributes:
        cohort: itself. structure: test for hidden structure. rule: the published rule on the same data.
        screen: mixed-model screen. plain: p-values that take samples as independent, shape (p,).
    """

    cohort: LinkedCohort
    structure: HiddenStructure
    rule: BenchmarkRule
    screen: Screen
    plain: Any


def build_page(findings: CohortFindings, drawn: Sequence[Drawn]) -> bytes:
    """The page as HTML in UTF-8, images inside; the same inputs give the same bytes."""
    cohort = findings.cohort
    title = f"{cohort.trait.replace('_', ' ')}: cohort {cohort.cohort}"
    lede = "Gene expression after curation and preprocessing, screened gene by gene for the trait."
    return _render(title, lede, _tiles(findings), _warnings(findings), drawn, [_top_table(findings)])


def unusable_page(trait: str, cohort: str, reason: str) -> bytes:
    """The page of a cohort that is not usable: it says why."""
    title = f"{trait.replace('_', ' ')}: cohort {cohort}"
    return _render(
        title, "This cohort is not analysed.", [("no", "usable")], [reason or "no reason was recorded"], [], []
    )


def _render(
    title: str, lede: str, tiles: Sequence[tuple[str, str]], warnings: Sequence[str], drawn: Sequence[Drawn],
    tables: Sequence[dict[str, Any]],
) -> bytes:  # fmt: skip
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415  only a rendered page needs it

    here = Path(__file__).parent
    environment = Environment(
        loader=FileSystemLoader(here), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.get_template("cohort_page.html").render(
        title=title,
        style=here.joinpath("cohort_page.css").read_text(encoding="utf-8"),
        lede=lede,
        tiles=tiles,
        warnings=warnings,
        figures=drawn,
        tables=tables,
        footer="Made by genoplatform; the record beside this page names every input by its hash. Not for diagnosis.",
    )
    return page.encode("utf-8")


def _tiles(found: CohortFindings) -> list[tuple[str, str]]:
    cohort = found.cohort
    y = cohort.clinical.iloc[:, 0].to_numpy(dtype=np.float64)
    tiles = [(f"{len(y):,}", "samples"), (f"{len(cohort.genes):,}", "genes")]
    if is_binary(y):
        cases = int((y == y.max()).sum())
        tiles.append((f"{cases} : {len(y) - cases}", "cases to controls"))
    if cohort.groups is not None:
        tiles.append((f"{len(set(cohort.groups)):,}", "persons"))
    tiles.append((f"{found.structure.components}", "hidden directions of variation"))
    q = benjamini_hochberg(found.screen.tests.p)
    tiles.append((f"{int((q < 0.05).sum()):,}", "genes below a false-discovery rate of 5 %"))
    return tiles


def _warnings(found: CohortFindings) -> list[str]:
    texts = []
    plain, mixed = inflation_factor(found.plain), inflation_factor(found.screen.tests.p)
    if plain > _INFLATED:
        texts.append(
            f"Taken as independent samples, p-values are inflated by {plain:.1f}; in the mixed model by {mixed:.2f}. "
            "Lists from plain tests of this cohort are not to be trusted."
        )
    if found.structure.found:
        fires = "fires too" if found.rule.batch else "does not see it"
        texts.append(
            f"{found.structure.components} directions of variation beside the trait exceed chance: batches, tissue "
            f"composition or other hidden structure. The published batch rule {fires}."
        )
    if found.screen.null.edge == "low":
        texts.append("The samples' likeness explains the trait entirely: single genes are hard to tell from structure.")
    if found.cohort.groups is not None:
        unit = "persons, averaged" if found.screen.unit == "person" else "samples, with persons as a random effect"
        texts.append(f"Persons repeat; the tests count {found.screen.units} {unit}.")
    return texts


def _top_table(found: CohortFindings) -> dict[str, Any]:
    tests = found.screen.tests
    table = pd.DataFrame({"gene": found.cohort.genes, "effect": tests.beta, "p": tests.p})
    table["q"] = benjamini_hochberg(tests.p)
    table = table.sort_values(["p", "gene"], ignore_index=True).head(_TOP)
    rows = [(row.gene, f"{row.effect:+.3f}", f"{row.p:.2e}", f"{row.q:.2e}") for row in table.itertuples()]
    return {
        "title": f"The {len(rows)} genes with the smallest p-values",
        "columns": ["gene", "effect of one standard deviation", "p (mixed model)", "q (Benjamini-Hochberg)"],
        "rows": rows,
        "note": "Effects are in units of the trait. A short list is no diagnosis, and association is not cause.",
    }
