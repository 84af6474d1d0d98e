"""`genoplatform ui`: Dagster's web interface on the home's own instance."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, ProfileName


def ui(
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; localhost by default.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port.")] = 3000,
    read_only: Annotated[bool, typer.Option("--read-only", help="For auditors: look, launch nothing.")] = False,
) -> None:
    """Serve the asset graph, its history and its checks; Ctrl-C stops it."""
    import dagster as dg

    from genoplatform.resources.partition_keys import register_keys
    from genoplatform.resources.platform import PlatformResource
    from genoplatform.runner.execute import prepare_home
    from genoplatform.settings.profiles import load_profile

    load_profile(profile)
    prepare_home(home, profile)
    with dg.DagsterInstance.get() as instance:
        register_keys(instance, PlatformResource(home=str(home.resolve()), profile=profile))
    os.environ.setdefault("PYTHONWARNINGS", "ignore")  # Dagster's own notices on beta parameters
    module = ["-m", "genoplatform.definitions"]
    command = ["dagster_webserver", *module, "--read-only"] if read_only else ["dagster", "dev", *module]
    typer.echo(f"http://{host}:{port}  (profile {profile}, home {Path(home).resolve()})")
    os.execv(sys.executable, [sys.executable, "-m", *command, "-h", host, "-p", str(port)])  # noqa: S606
