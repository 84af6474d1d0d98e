"""`genoplatform doctor`: what this machine can run, and the command that fixes what it lacks."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName


def doctor(home: Home = DEFAULT_HOME, profile: ProfileName = DEFAULT_PROFILE, as_json: Json = False) -> None:
    """Look at machine, pins, instance, programs, GPU, index and models; exit code 1 if the profile lacks something."""
    from genoplatform.resources.platform import PlatformResource
    from genoplatform.runner.health import Finding, look

    def line(item: Finding) -> str:
        mark = "ok  " if item.ok else ("LACK" if item.needed else "-   ")
        return f"{mark}  {item.what:<22} {item.found}" + (f"  -> {item.fix}" if not item.ok and item.fix else "")

    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    findings = look(platform)
    ok = not any(item.lacks for item in findings)
    if as_json:
        typer.echo(json.dumps({"ok": ok, "findings": [asdict(item) for item in findings]}))
    else:
        for item in findings:
            typer.echo(line(item))
    raise typer.Exit(0 if ok else 1)
