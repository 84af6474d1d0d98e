"""Options several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_HOME = Path(".genoplatform")
DEFAULT_PROFILE = "embedded"

Home = Annotated[
    Path,
    typer.Option("--home", envvar="GENOPLATFORM_HOME", help="Holds the Dagster instance, the store and the cache."),
]
ProfileName = Annotated[
    str, typer.Option("--profile", envvar="GENOPLATFORM_PROFILE", help="Profile: which pins and which parameters.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
FeedsFile = Annotated[
    Path | None, typer.Option("--feeds", help="Feeds of one's own instead of the package's.", exists=True)
]
