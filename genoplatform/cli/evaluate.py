"""`genoplatform evaluate`: check and evaluate anyone's item table, for people (tables) or scripts (one JSON object).

Belongs here: arguments. Does not belong here: any number (inference.evaluate) or its layout (evaluation_tables). The
heavy imports are in the function body, so that `genoplatform --help` stays quick.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from genoplatform.cli.evaluation_tables import print_evaluation
from genoplatform.errors import SettingsError


def evaluate(
    items_csv: Annotated[
        Path,
        typer.Argument(
            metavar="ITEMS.csv",
            help="item, cluster, exposed (0/1, optional), system and rank or hit; or one rank_<SYSTEM> column each.",
        ),
    ],
    contrast: Annotated[
        list[str] | None, typer.Option("--contrast", metavar="A,B", help="Compare system A with B; repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout instead of tables.")] = False,
    boot: Annotated[int, typer.Option("--boot", metavar="N", help="Bootstrap draws.")] = 10_000,
    perm: Annotated[int, typer.Option("--perm", metavar="N", help="Sign-flip permutations.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of every random stream.")] = 42,
) -> None:
    """Metrics, overlap shift and paired contrasts of an item table, with intervals that respect its publications."""
    from genoplatform.inference.evaluate import evaluate_items
    from genoplatform.inference.items import read_items

    pairs = [_pair(text) for text in contrast or []]
    result = evaluate_items(read_items(items_csv), pairs, n_boot=boot, n_perm=perm, seed=seed)
    if as_json:
        typer.echo(json.dumps(result.to_dict(), allow_nan=False))
    else:
        print_evaluation(result)


def _pair(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise SettingsError("reading --contrast", f"{text!r} is not two systems", "write --contrast A,B")
    return names[0], names[1]
