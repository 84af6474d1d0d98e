"""The page: everything put together and rendered to one self-contained HTML file.

Belongs here: which figures, tables and sentences are shown. Does not belong here: how any of them is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from genoplatform.report import alt_texts, limits, record_tables, tables, wording
from genoplatform.report.formatting import count
from genoplatform.report.headline import headline
from genoplatform.report.images import data_uri
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.part import Part
from genoplatform.report.part_density import density
from genoplatform.report.part_estimates import four_estimates
from genoplatform.report.part_releases import time_travel
from genoplatform.report.part_sensitivity import by_disease, not_estimated
from genoplatform.report.plot_cohort import PANELS, plot_cohort_panel
from genoplatform.report.plot_overlap import plot_overlap
from genoplatform.report.plot_rank_change import plot_rank_change
from genoplatform.report.plot_recall import plot_recall_curves
from genoplatform.report.plot_releases import plot_releases
from genoplatform.report.systems import list_label

TEMPLATE = "benchmark.html"
# More findings than this are shown as tables.
MOST_CARDS = 4


@dataclass(frozen=True)
class Image:
    """A figure in the page."""

    uri: str
    alt: str


def build_report(inputs: ReportInputs) -> bytes:
    """Render the report: one HTML page with its plots inside, in UTF-8; the same inputs give the same bytes."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415  only a rendered page needs it

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(TEMPLATE).render(_context(inputs)).encode("utf-8")


def figures(inputs: ReportInputs) -> dict[str, bytes]:
    """Every figure of the page as SVG, by file name, in the order of the page."""
    return {f"{name}.svg": paint() for name, paint in _painters(inputs).items()}


def _painters(inputs: ReportInputs) -> dict[str, Callable[[], bytes]]:
    painters: dict[str, Callable[[], bytes]] = {}
    for name in inputs.difficulties:
        evaluation, ranks = {name: inputs.evaluations[name]}, {name: inputs.ranks[name]}
        painters |= {
            f"overlap_{name}": partial(plot_overlap, evaluation, fmt="svg"),
            f"recall_{name}": partial(plot_recall_curves, ranks, inputs.cases, evaluation, fmt="svg"),
            f"ranks_{name}": partial(plot_rank_change, ranks, inputs.cases, inputs.removed, fmt="svg"),
        }
    if inputs.releases is not None and not inputs.releases.empty:
        painters["releases"] = partial(plot_releases, inputs.releases, fmt="svg")
    for panel in PANELS:
        painters[f"cohort_{panel}"] = partial(plot_cohort_panel, panel, inputs.cases, inputs.funnel, fmt="svg")
    return painters


def _context(inputs: ReportInputs) -> dict[str, Any]:
    numbers = headline(inputs)
    return {
        "profile": inputs.profile,
        "tiles": wording.tiles(numbers),
        "findings": wording.findings(numbers),
        "answers": [
            (wording.lead(name, found), tables.answer_table(found, list_label(name)))
            for name, found in numbers["difficulties"].items()
        ],
        "most_cards": MOST_CARDS,
        "data_text": wording.data_text(inputs),
        "limits": limits.limits(inputs, numbers),
        "notes": inputs.notes,
        "images": _images(inputs),
        "travel": time_travel(inputs),
        "closer": _closer_look(inputs),
        "results": [_results(inputs, name) for name in inputs.difficulties],
        "strata": record_tables.strata_table(inputs.strata),
        "pins": record_tables.pins_table(inputs),
        "artefacts": record_tables.artefacts_table(inputs),
        "parameters": record_tables.parameters_table(inputs),
        "draws": _declared(inputs, "bootstrap_draws"),
        "permutations": _declared(inputs, "permutation_draws"),
        "tie_rules": sorted({str(rule) for table in inputs.ranks.values() for rule in table["tie_rule"].unique()}),
    }


def _images(inputs: ReportInputs) -> dict[str, list[Image]]:
    drawn = figures(inputs)
    describe = {"overlap": alt_texts.overlap_alt, "recall": alt_texts.recall_alt, "ranks": alt_texts.rank_change_alt}
    images = {
        kind: [Image(data_uri(drawn[f"{kind}_{name}.svg"]), alt(inputs, name)) for name in inputs.difficulties]
        for kind, alt in describe.items()
    }
    cohort = [Image(data_uri(drawn[f"cohort_{panel}.svg"]), alt_texts.cohort_alt(inputs, panel)) for panel in PANELS]
    travel = [Image(data_uri(drawn["releases.svg"]), alt_texts.releases_alt(inputs))] if "releases.svg" in drawn else []
    return {**images, "releases": travel, "cohort": cohort}


def _closer_look(inputs: ReportInputs) -> list[Part]:
    found = [four_estimates(inputs), density(inputs), by_disease(inputs), not_estimated(inputs)]
    return [part for part in found if part is not None]


def _results(inputs: ReportInputs, difficulty: str) -> dict[str, Any]:
    found, title = inputs.evaluations[difficulty], list_label(difficulty)
    boundary = int(inputs.parameter("cohort", "recency_boundary") or 2020)
    shown = [tables.metrics_table(found, "Systems by group of cases", boundary)]
    if len(found["contrasts"]):
        shown.append(tables.contrast_table(found, "Pairs of systems on the same cases, top-1", boundary))
    if len(found["overlap_shift"]):
        shown.append(tables.shift_table(found, "Exposed against unexposed, top-1"))
    weighted = inputs.weighted(difficulty)
    if weighted is not None:
        shown.append(tables.weighted_table(weighted, "Top-1 weighted by design", boundary))
    return {"title": title, "tables": shown}


def _declared(inputs: ReportInputs, name: str) -> str:
    value = inputs.parameter("inference", name)
    return "" if value is None else count(int(value))
