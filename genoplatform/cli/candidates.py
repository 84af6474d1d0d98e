"""`genoplatform sources feeds|stage|candidates|show|accept|revert`: new releases, from feed to a person's decision.

Belongs here: arguments, tables, exit codes. How a release is tried belongs to `runner.candidates`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, FeedsFile, Home, Json, ProfileName

if TYPE_CHECKING:
    from genoplatform.resources.platform import PlatformResource
    from genoplatform.runner.candidates.record import Candidate

CandidateId = Annotated[str, typer.Argument(metavar="CANDIDATE", help="<feed>@<version>, as `candidates` lists them.")]


def add_candidate_commands(app: typer.Typer) -> None:
    """Add the commands to `genoplatform sources`."""
    for command in (feeds, stage, candidates, show, accept, revert):
        app.command()(command)


def feeds(
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    feeds_file: FeedsFile = None,
    as_json: Json = False,
) -> None:
    """Read every feed and show its newest release beside the pin. Exit code 1 if a feed could not be read."""
    from genoplatform.resources.feeds import FeedError, read_feed, release_order
    from genoplatform.sensors.releases import pinned_version
    from genoplatform.settings.feeds import FEEDS_FILE, load_feeds

    platform = _platform(home, profile)
    rows = []
    for feed in load_feeds(feeds_file or FEEDS_FILE).values():
        row = {
            "feed": feed.name,
            "title": feed.title,
            "pinned": pinned_version(feed, platform),
            "newest": None,
            "error": None,
        }
        try:
            row["newest"] = max((entry.version for entry in read_feed(feed)), key=release_order)
        except FeedError as error:
            row["error"] = error.found
        rows.append(row)
    if as_json:
        typer.echo(json.dumps({"feeds": rows}))
    else:
        for row in rows:
            newest = row["newest"] or f"not read: {row['error']}"
            typer.echo(f"{row['feed']:<18} pinned {row['pinned'] or '-':<14} newest {newest}")
    raise typer.Exit(1 if any(row["error"] for row in rows) else 0)


def stage(
    feed: Annotated[str, typer.Argument(metavar="FEED", help="A feed of settings/feeds.yml.")],
    version: Annotated[str | None, typer.Option("--version", help="Which release; by default the newest.")] = None,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    feeds_file: FeedsFile = None,
    as_json: Json = False,
) -> None:
    """Obtain a release beside the pin, try it and compare. Exit code 1 if it is refused; no pin changes either way."""
    from genoplatform.cli.download_progress import DownloadProgress
    from genoplatform.runner.candidates.stage import stage as stage_release
    from genoplatform.settings.feeds import FEEDS_FILE

    platform = _platform(home, profile)
    progress = None if as_json else DownloadProgress()
    found = stage_release(platform, feed, version, feeds_file=feeds_file or FEEDS_FILE, progress=progress)
    _print(found, as_json)
    raise typer.Exit(1 if found.state == "refused" else 0)


def candidates(home: Home = DEFAULT_HOME, as_json: Json = False) -> None:
    """List the releases that were staged here."""
    from genoplatform.runner.candidates.record import candidates as staged

    found = staged(home.resolve())
    if as_json:
        typer.echo(
            json.dumps(
                {"candidates": [{"id": item.id, "profile": item.profile, "state": item.state} for item in found]}
            )
        )
        return
    for item in found:
        typer.echo(f"{item.id:<34} {item.profile:<12} {item.state:<10} {len(item.errors)} errors")
    if not found:
        typer.echo("none; `genoplatform sources feeds` shows what there is to stage")


def show(candidate: CandidateId, home: Home = DEFAULT_HOME, as_json: Json = False) -> None:
    """Show a candidate: the pins it would change, what was found, and every figure that moved."""
    from genoplatform.runner.candidates.record import read_candidate

    _print(read_candidate(home.resolve(), candidate), as_json)


def accept(
    candidate: CandidateId,
    force: Annotated[bool, typer.Option("--force", help="Although it was refused.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Make a candidate's files the pins of this home. Until then everything downstream stays on the old ones."""
    from genoplatform.runner.candidates.accept import accept as accept_candidate
    from genoplatform.runner.candidates.record import read_candidate

    platform = _platform(home, profile)
    if not as_json:
        _print(read_candidate(platform.home_path, candidate), as_json=False)
        if not yes:
            typer.confirm(f"Accept {candidate} for profile {profile}?", abort=True)
    found = accept_candidate(platform, candidate, force=force)
    if as_json:
        typer.echo(json.dumps({"id": found.id, "state": found.state, "pins": [pin.model_dump() for pin in found.pins]}))
        return
    typer.echo("accepted; see what changes: genoplatform run --plan")


def revert(
    slot: Annotated[str, typer.Argument(metavar="SLOT", help="A slot that an accepted pin fills.")],
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
) -> None:
    """Give a slot back to the pin of the package."""
    from genoplatform.runner.candidates.accept import revert as give_back

    typer.echo(f"{slot}: {give_back(_platform(home, profile), slot) or 'empty'}")


def _platform(home: Home, profile: str) -> PlatformResource:
    from genoplatform.resources.platform import PlatformResource

    return PlatformResource(home=str(home.resolve()), profile=profile)


def _print(found: Candidate, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"id": found.id, **found.model_dump(mode="json")}))
        return
    typer.echo(f"{found.id} for profile {found.profile}: {found.state}")
    for pin in found.pins:
        typer.echo(f"  {pin.slot}: {pin.now or 'empty'} -> {pin.then}")
    for source in found.sources:
        typer.echo(f"  {source.id}: {source.bytes:,} bytes, sha256 {source.sha256}")
    for finding in found.findings:
        typer.echo(f"  {finding.level.upper():<5} {finding.name}: {finding.text}")
    for table, lines in found.changes.items():
        typer.echo(f"  {table}")
        for line in lines:
            typer.echo(f"    {line}")
