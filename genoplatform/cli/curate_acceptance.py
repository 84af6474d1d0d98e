"""`genoplatform expression acceptance`: the rule-based curator against a file of labelled decisions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genoplatform.cli.options import Json

if TYPE_CHECKING:
    from rich.table import Table

    from genoplatform.expression.curation.scoring import Acceptance, Scored

RecordFile = Annotated[
    Path, typer.Argument(help="Labelled decisions, one JSON object a line, plain or .xz.", exists=True, dir_okay=False)
]
_FOLDS = ("all", "developed on", "held out")
_WIDTH_WHEN_PIPED = 160
TARGETS = {
    "expression data F1": 0.90,
    "trait row": 0.75,
    "age row": 0.92,
    "gender row": 0.92,
    "trait codes": 0.80,
    "codes of all three": 0.80,
    "annotation columns": 0.92,
}


def acceptance(
    records: RecordFile,
    worst: Annotated[int, typer.Option("--worst", help="How many of the worst cohorts to show.", min=0)] = 10,
    strict: Annotated[
        bool, typer.Option("--strict", help="Do not let a row stand for the trait (no proxies).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare the curator with labelled decisions: agreement by field, on the part it was developed on and on the part
    held out, and the worst cohorts with both reasons. Labels are silver; the disagreements are for reading.
    """
    from genoplatform.expression.curation.curate import curate
    from genoplatform.expression.curation.scoring import accept, read_records

    result = accept(read_records(records), lambda facts: curate(facts, proxies=not strict), worst)
    if as_json:
        typer.echo(json.dumps(result.as_json(), ensure_ascii=False, allow_nan=False, default=str))
        return
    _print(result)


def _print(result: Acceptance) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _WIDTH_WHEN_PIPED, highlight=False)
    console.print(_table(result))
    for reason, count in result.skipped.items():
        console.print(f"Skipped: {count} records, {reason}.", markup=False)
    if result.worst:
        console.print(f"\nThe {len(result.worst)} cohorts that differ most:", markup=False)
    for scored in result.worst:
        for line in _told(scored):
            console.print(line, markup=False, soft_wrap=True)


def _table(result: Acceptance) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, title="Curator against labels: share of agreement (cohorts)", title_justify="left"
    )
    table.add_column("measure")
    table.add_column("target", justify="right")
    for fold in _FOLDS:
        table.add_column(fold, justify="right")
    values = {(line.measure, line.fold): f"{line.value:.3f} ({line.n})" for line in result.lines}
    for measure in dict.fromkeys(line.measure for line in result.lines):
        target = f"{TARGETS[measure]:.2f}" if measure in TARGETS else ""
        table.add_row(measure, target, *(values[measure, fold] for fold in _FOLDS))
    return table


def _told(scored: Scored) -> list[str]:
    lines = [f"{scored.trait} {scored.cohort} ({scored.fold})"]
    for outcome in scored.outcomes:
        if not outcome.agrees:
            note = "" if outcome.usable_label else " [the label breaks the benchmark's own rules]"
            lines.append(f"  {outcome.field}: label {outcome.label or '-'} | ours {outcome.ours or '-'}{note}")
            lines.append(f"    because {outcome.why}")
    return lines
