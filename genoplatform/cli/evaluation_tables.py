"""An evaluation as text tables for people.

Belongs here: layout and rounding for the eye. Does not belong here: numbers (inference.evaluate).
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.inference.evaluate import Evaluation

_WIDTH_WHEN_PIPED = 160
_METRIC_TITLES = {"top1": "top-1", "top5": "top-5", "top10": "top-10", "mrr": "MRR", "ndcg10": "NDCG@10", "hit": "hit"}


def print_evaluation(result: Evaluation) -> None:
    """Print metrics by subset, overlap shifts, one table per contrast, and the notes, to stdout."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH_WHEN_PIPED, highlight=False)
    console.print(_headline(result.summary), markup=False)
    for subset, table in result.metrics.groupby("subset", sort=False):
        console.print(_metric_table(str(subset), table))
    if len(result.overlap_shift):
        console.print(_shift_table(result.overlap_shift))
    for (a, b), table in result.contrasts.groupby(["system_a", "system_b"], sort=False):
        console.print(_contrast_table(str(a), str(b), table, adjusted=len(result.contrasts) > len(table)))
    console.print(_method(result.settings), markup=False)
    for note in result.notes:
        console.print(f"Note: {note}", markup=False)


def _headline(summary: dict[str, Any]) -> str:
    exposed = f"; {summary['exposed']} exposed, {summary['unexposed']} not" if "exposed" in summary else ""
    return (
        f"{summary['items']} items from {summary['publications']} publications "
        f"(largest {summary['largest_publication']}){exposed}; systems: {', '.join(summary['systems'])}"
    )


def _method(settings: dict[str, int]) -> str:
    return (
        f"Brackets: 95 % publication-cluster bootstrap ({settings['n_boot']} draws, seed {settings['seed']}) unless "
        f"said. Cluster p: {settings['n_perm']} sign flips of whole publications. Case interval and McNemar take items "
        "as independent."
    )


def _metric_table(subset: str, table: pd.DataFrame) -> Table:
    first = table.iloc[0]
    metrics = list(dict.fromkeys(table["metric"]))
    out = _table(f"{subset}: {first['n']} items, {first['n_publications']} publications", ["system"])
    for metric in metrics:
        out.add_column(_METRIC_TITLES[metric], justify="right")
    for system, rows in table.groupby("system", sort=False):
        cells = {row["metric"]: _score(row) for row in rows.to_dict("records")}
        out.add_row(escape(str(system)), *[cells.get(metric, "") for metric in metrics])
    return out


def _shift_table(table: pd.DataFrame) -> Table:
    out = _table("overlap shift: unexposed minus exposed", ["system", "exposed", "unexposed", "shift"])
    for row in table.to_dict("records"):
        out.add_row(
            escape(row["system"]),
            f"{row['present']:.3f} (n={row['n_present']})",
            f"{row['absent']:.3f} (n={row['n_absent']})",
            f"{row['shift']:+.3f} {_interval(row['lo'], row['hi'], 3)}",
        )
    return out


def _contrast_table(a: str, b: str, table: pd.DataFrame, *, adjusted: bool) -> Table:
    p_columns = {"p_mcnemar": "McNemar p", "p_cluster": "cluster p"}
    p_columns |= {"p_holm": "Holm", "p_bh": "BH"} if adjusted else {}
    columns = ["subset", "n (pubs)", "correct", "delta", "cluster interval", "case interval", "only A, only B"]
    family = "; Holm and BH over the contrasts of a subset" if adjusted else ""
    out = _table(f"A = {a} against B = {b}, top-1 hits{family}", [*columns, *p_columns.values()])
    for row in table.to_dict("records"):
        out.add_row(
            row["subset"],
            f"{row['n']} ({row['n_publications']})",
            f"{row['correct_a']}, {row['correct_b']}",
            f"{row['delta']:+.6f}",
            _interval(row["cluster_lo"], row["cluster_hi"], 6),
            _interval(row["case_lo"], row["case_hi"], 6),
            f"{row['b']}, {row['c']}",
            *["-" if math.isnan(row[name]) else f"{row[name]:.6g}" for name in p_columns],
        )
    return out


def _table(title: str, columns: list[str]) -> Table:
    out = Table(title=escape(title), title_justify="left", box=box.SIMPLE_HEAD)
    for i, column in enumerate(columns):
        out.add_column(column, justify="left" if i == 0 else "right")
    return out


def _score(row: dict[Any, Any]) -> str:
    return f"{row['value']:.3f} {_interval(row['cluster_lo'], row['cluster_hi'], 3)}"


def _interval(lo: float, hi: float, digits: int) -> str:
    return "-" if math.isnan(lo) else f"[{lo:.{digits}f}, {hi:.{digits}f}]"
