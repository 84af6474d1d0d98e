"""`genoplatform expression evaluate`: an analysis against a reference, both as directories in the benchmark's layout.

Belongs here: arguments and layout for the eye. Does not belong here: any number (expression.evaluation).
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genoplatform.cli.options import Json

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

_WIDTH_WHEN_PIPED = 160
_WORST = 10


def evaluate(
    predicted: Annotated[Path, typer.Argument(metavar="PRED", help="The analysis.", exists=True, file_okay=False)],
    reference: Annotated[Path, typer.Argument(metavar="GOLD", help="The reference.", exists=True, file_okay=False)],
    task_info: Annotated[
        Path | None,
        typer.Option("--task-info", metavar="FILE", help="Problems and known genes (task_info.json).", dir_okay=False),
    ] = None,
    published_orientation: Annotated[
        bool, typer.Option("--published-orientation", help="Turn every clinical table, as the benchmark does.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Filtering, selection, preprocessing, genes, prediction; what is missing counts as 0 (beside it: left out)."""
    from genoplatform.expression.evaluation.directories import Analysis
    from genoplatform.expression.evaluation.evaluate import evaluate as evaluated
    from genoplatform.expression.statistics.problems import read_catalogue

    catalogue = read_catalogue(task_info) if task_info is not None else None
    orientation = "published" if published_orientation else "found"
    found = evaluated(Analysis.at(predicted), Analysis.at(reference), catalogue, orientation)  # type: ignore[arg-type]
    if as_json:
        typer.echo(json.dumps(found.to_dict(), allow_nan=False))
        return
    _print(found.summary, found.genes, found.notes)


def _print(summary: pd.DataFrame, genes: pd.DataFrame, notes: list[str]) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _WIDTH_WHEN_PIPED, highlight=False)
    for task, rows in summary.groupby("task", sort=False):
        console.print(_task_table(str(task), rows))
    if len(genes):
        console.print(_worst_table(genes))
    for note in notes:
        console.print(f"Note: {note}", markup=False)


def _task_table(task: str, rows: pd.DataFrame) -> Table:
    out = _table(f"{task}: missing counted as 0 (left out in brackets), %")
    out.add_column("group")
    metrics = list(dict.fromkeys(rows["metric"]))
    for metric in ["there", *metrics]:
        out.add_column(metric, justify="right")
    for group, part in rows.groupby("group", sort=False):
        if not part["expected"].iloc[0]:
            continue
        cells = {row["metric"]: _both(row["penalised"], row["found_only"]) for row in part.to_dict("records")}
        there = f"{part['found'].iloc[0]} of {part['expected'].iloc[0]}"
        out.add_row(str(group), there, *[cells.get(metric, "") for metric in metrics])
    return out


def _worst_table(genes: pd.DataFrame) -> Table:
    out = _table(f"The {min(_WORST, len(genes))} problems with the lowest F1 of genes")
    for name in ("problem", "predicted", "reference", "F1", "AUROC"):
        out.add_column(name, justify="left" if name == "problem" else "right")
    worst = genes.sort_values(["f1", "trait", "condition"]).head(_WORST)
    for row in worst.to_dict("records"):
        predicted = str(row["predicted"]) if row["found"] else "missing"
        name = f"{row['trait']} | {row['condition']}"
        out.add_row(name, predicted, str(row["reference"]), _number(row["f1"]), _number(row["auroc"]))
    return out


def _table(title: str) -> Table:
    from rich import box
    from rich.table import Table

    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)


def _both(penalised: float, found_only: float) -> str:
    first, second = _number(penalised), _number(found_only)
    return first if first == second else f"{first} ({second})"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2f}"
