"""`genoplatform demo` and `genoplatform run`: bring assets up to date, skipping what has not changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName

if TYPE_CHECKING:
    from genoplatform.resources.platform import PlatformResource
    from genoplatform.runner.execute import RunSummary

REPORT = "out/report/benchmark"


def demo(
    home: Home = DEFAULT_HOME,
    force: Annotated[bool, typer.Option("--force", help="Make everything again.")] = False,
    as_json: Json = False,
) -> None:
    """Make the whole embedded asset graph and its report; print the headline. A second time only what changed."""
    platform, summary = _bring_up_to_date(home, DEFAULT_PROFILE, None, None, force, quiet=as_json)
    folder = platform.artefact(REPORT, None, "directory")
    numbers: dict[str, Any] = json.loads((folder / "headline.json").read_bytes())
    if as_json:
        typer.echo(json.dumps({"headline": numbers, "report": str(folder / "index.html"), **_counts(summary)}))
        return
    from genoplatform.report import headline_text

    typer.echo("")
    typer.echo(headline_text(numbers))
    typer.echo(f"\nReport: {folder / 'index.html'}")
    typer.echo(f"Verify: genoplatform audit verify --home {home}")


def run(
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    select: Annotated[
        str | None, typer.Option("--select", metavar="SEL", help="Dagster selection, e.g. '+key:\"out/report/*\"'.")
    ] = None,
    partition: Annotated[
        str | None,
        typer.Option(
            "--partition", metavar="K", help="Only this partition; what is made from all of them is left out."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Make what is selected again.")] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would run, and why.")] = False,
    as_json: Json = False,
) -> None:
    """Bring the selected assets of a profile up to date."""
    if plan:
        _show_plan(home, profile, select, partition, force, as_json)
        return
    _, summary = _bring_up_to_date(home, profile, select, partition, force, quiet=as_json)
    if as_json:
        typer.echo(json.dumps(_counts(summary) | {"assets": summary.made}))


def _counts(summary: RunSummary) -> dict[str, Any]:
    return {"made": len(summary.made), "unchanged": len(summary.skipped), "warnings": summary.warned}


def _bring_up_to_date(
    home: Path, profile: str, select: str | None, partition: str | None, force: bool, *, quiet: bool
) -> tuple[PlatformResource, RunSummary]:
    from genoplatform.cli.run_progress import RunProgress
    from genoplatform.runner.execute import run_assets
    from genoplatform.runner.session import open_session

    session = open_session(home, profile)
    with RunProgress(quiet) as progress:
        summary = run_assets(
            session.defs,
            session.nodes,
            session.platform,
            session.select(select),
            partition=partition,
            force=force,
            on_plan=progress.planned,
        )
    if not quiet:
        for warning in summary.warned:
            typer.echo(f"warning: {warning}", err=True)
        typer.echo(f"{len(summary.made)} made, {len(summary.skipped)} unchanged, in {session.platform.store()}")
    return session.platform, summary


def _show_plan(home: Path, profile: str, select: str | None, partition: str | None, force: bool, as_json: bool) -> None:
    from genoplatform.runner.plan import make_plan
    from genoplatform.runner.session import open_session

    session = open_session(home, profile)
    tasks = make_plan(session.nodes, session.platform, session.select(select), partition, force)
    if as_json:
        rows = [{"asset": task.asset, "partition": task.partition, "reason": task.reason} for task in tasks]
        typer.echo(json.dumps({"plan": rows}))
        return
    for task in tasks:
        typer.echo(f"{'run ' if task.reason else 'skip'}  {task.label:<50} {task.reason or 'unchanged'}")
