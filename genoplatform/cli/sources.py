"""`genoplatform sources`: list, fetch, verify and prune the pinned inputs.

Belongs here: arguments, tables, exit codes. Does not belong here: how a source is obtained
(`genoplatform.resources.sources`). Imports inside functions keep `genoplatform --help` quick.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from genoplatform.resources.sources.fetch import SourceStore
    from genoplatform.resources.sources.progress import Progress

sources_app = typer.Typer(help="Pinned external inputs: what they are, where they are, whether they are intact.")

Home = Annotated[Path, typer.Option("--home", help="Platform home; the cache is below it.")]
Ids = Annotated[list[str] | None, typer.Argument(help="Source ids, as `sources list` shows them.", metavar="[ID]...")]
DEFAULT_HOME = Path(".genoplatform")


@sources_app.command("list")
def list_sources(
    home: Home = DEFAULT_HOME,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array on stdout.")] = False,
) -> None:
    """Show every source with its version, licence, size and whether it is in the cache."""
    rows = _store(home).status()
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows], indent=2))
        return
    header = ("id", "version", "licence", "bytes", "cached")
    table = [
        (r.id, r.version, r.licence, f"{r.bytes:,}" if r.bytes is not None else "unknown", "yes" if r.cached else "no")
        for r in rows
    ]
    for line in _columns([header, *table]):
        typer.echo(line)
    typer.echo(f"{len(rows)} sources, {sum(r.cached for r in rows)} cached below {home}")


@sources_app.command("fetch")
def fetch_sources(
    ids: Ids = None,
    profile: Annotated[str | None, typer.Option("--profile", help="All sources a profile needs.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="The whole catalogue.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Ask only the cache and the local mirror.")] = False,
    home: Home = DEFAULT_HOME,
) -> None:
    """Obtain sources into the cache. Exit code 1 if any could not be had; the others are kept."""
    from genoplatform.cli.download_progress import DownloadProgress
    from genoplatform.errors import GenoplatformError

    store = _store(home, offline=offline, progress=DownloadProgress())
    sources = [store.catalogue.get(i) for i in _selection(store, ids, profile, everything)]
    failed = 0
    for source in sources:
        try:
            typer.echo(f"{source.id}  {store.fetch(source.id).path}")
        except GenoplatformError as error:
            failed += 1
            typer.echo(f"{source.id}  FAILED\n{error}", err=True)
    typer.echo(f"{len(sources) - failed} of {len(sources)} sources in the cache")
    if failed:
        raise typer.Exit(1)


@sources_app.command("verify")
def verify_sources(ids: Ids = None, home: Home = DEFAULT_HOME) -> None:
    """Re-hash the cache. Exit code 1 if an entry is corrupt, or one named is missing; nothing is changed."""
    results = _store(home).verify(ids or None)
    bad = [r for r in results if r.state == "corrupt" or (ids and r.state == "missing")]
    for result in results:
        if result.state == "corrupt":
            typer.echo(f"{result.id}  CORRUPT  expected {result.expected}, found {result.actual}  {result.path}")
        elif result.state == "ok" or ids:
            typer.echo(f"{result.id}  {result.state}")
    counts = {state: sum(r.state == state for r in results) for state in ("ok", "corrupt", "missing")}
    typer.echo(", ".join(f"{n} {state}" for state, n in counts.items()))
    if bad:
        typer.echo(f"obtain again with: genoplatform sources fetch {' '.join(r.id for r in bad)}", err=True)
        raise typer.Exit(1)


@sources_app.command("prune")
def prune_sources(home: Home = DEFAULT_HOME) -> None:
    """Delete kept wheels, partial downloads and corrupt entries; verified files stay."""
    typer.echo(f"{_store(home).cache.prune():,} bytes freed below {home}")


def _store(home: Path, *, offline: bool = False, progress: Progress | None = None) -> SourceStore:
    from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment
    from genoplatform.settings.accepted import FILE_NAME, read_accepted

    store = SourceStore(home, mirror_dir=mirror_from_environment(), offline=offline, progress=progress)
    store.catalogue = read_accepted(home / FILE_NAME).added_to(store.catalogue)
    return store


def _selection(store: SourceStore, ids: list[str] | None, profile: str | None, everything: bool) -> list[str]:
    """The ids that exactly one way of choosing yields, without repetition."""
    if (bool(ids) + (profile is not None) + everything) != 1:
        raise typer.BadParameter("say which sources: ids, or --profile NAME, or --all")
    if profile is not None:
        from genoplatform.settings.profiles import load_profile

        return load_profile(profile).source_ids
    return store.catalogue.ids if everything else list(dict.fromkeys(ids or []))


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows padded to columns; digits under a numeric heading stay left-aligned, as ids do."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
