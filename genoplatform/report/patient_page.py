"""One patient's ranking as one self-contained page: findings, genes by every system, cited passages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from genoplatform.report.systems import system_label


def patient_page(
    report: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    changes: Sequence[str],
    evidence: Sequence[Any] = (),
    missing: str = "",
) -> str:
    """The page as HTML.

    Args:
        report: profile, systems, terms, labels, excluded.
        rows: rank, gene, diseases, and score and rank of each system (`score_<system>`, `rank_<system>`).
        changes: notes on terms and genes.
        evidence: per gene `gene`, `verdict`, `citations`; may be of fewer genes than `rows`.
        missing: why the literature was not searched.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415  only a rendered page needs it

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    verdicts = {found.gene: found.verdict for found in evidence}
    systems = list(report["systems"])
    return environment.get_template("patient.html").render(
        report=report,
        columns=[{"label": system_label(name)} for name in systems],
        rows=[_row(row, systems, verdicts) for row in rows],
        changes=list(changes),
        evidence=list(evidence),
        missing=missing,
    )


def _row(row: Mapping[str, Any], systems: Sequence[str], verdicts: Mapping[str, str]) -> dict[str, Any]:
    cells = [{"score": shown_score(row[f"score_{name}"]), "rank": _rank(row[f"rank_{name}"])} for name in systems]
    plain = {"rank": row["rank"], "gene": row["gene"], "diseases": row["diseases"]}
    return {**plain, "cells": cells, "verdict": verdicts.get(row["gene"], "")}


def shown_score(value: Any) -> str:
    """Three decimals; an impossible gene as such, an unknown one as a dash."""
    if value is None or math.isnan(value):
        return "–"
    return "impossible" if math.isinf(value) else f"{value:.3f}"


def _rank(value: Any) -> str:
    return "–" if value is None or value != value else str(value)  # noqa: PLR0124  NaN
