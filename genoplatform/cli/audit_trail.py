"""`genoplatform audit export|diff|lineage`: hand a result's provenance to others, and read it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName

if TYPE_CHECKING:
    from genoplatform.provenance.crate import CrateFacts
    from genoplatform.provenance.graph import GraphNode, NodeKey
    from genoplatform.resources.platform import PlatformResource

Asset = Annotated[str, typer.Argument(help="layer/domain/name, or layer/domain/name[partition].")]
State = Annotated[Path, typer.Argument(help="A home, a profile's store, or an exported crate.")]


def export(
    asset: Asset,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Directory of the crate; must not exist yet.")],
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    with_inputs: Annotated[
        bool, typer.Option("--with-inputs", help="Take along the bytes of everything upstream, not only the records.")
    ] = False,
    dated: Annotated[str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Date of the crate; today.")] = None,
    as_json: Json = False,
) -> None:
    """Write an asset with its whole provenance as an RO-Crate that anyone can verify with plain Python, offline."""
    from genoplatform.provenance.crate import export_crate
    from genoplatform.resources.platform import PlatformResource

    try:
        day = date.fromisoformat(dated) if dated else date.today()
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--date") from error
    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    facts = _facts(platform, day)
    made = export_crate(platform.store(), asset, to, facts, with_inputs=with_inputs)
    if as_json:
        typer.echo(json.dumps({"crate": str(to), **asdict(made)}))
        return
    typer.echo(f"{made.steps} steps, {made.claims} claims, {made.files} files ({made.bytes / 1e6:.1f} MB) in {to}")
    typer.echo(f"seal    sha256:{made.seal}  (publish it beside the crate)")
    typer.echo(f"verify  python3 -I {to / 'verify.py'}")


def _facts(platform: PlatformResource, day: date) -> CrateFacts:
    from genoplatform.inference.claims import read_claims
    from genoplatform.provenance.crate import CrateFacts
    from genoplatform.resources.claims import claims_file

    file = claims_file(platform)
    pins = {
        source.id: {
            "title": source.title,
            "version": source.version,
            "license": source.licence.id,
            "license_url": source.licence.url,
            "sha256": source.sha256,
        }
        for source in platform.sources().catalogue
    }
    claims = [asdict(claim) | {"where": dict(claim.where)} for claim in read_claims(file)] if file else []
    return CrateFacts(platform.settings().name, day.isoformat(), pins, claims)


def lineage(
    asset: Asset,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Print everything an asset rests on, with code versions, data versions, rows, checks and pins."""
    from genoplatform.provenance.lineage import lineage_rows, lineage_text

    graph = _graph(home, profile)
    if as_json:
        typer.echo(json.dumps({"lineage": lineage_rows(graph, asset)}))
        return
    for line in lineage_text(graph, asset):
        typer.echo(line)


def diff(
    a: State,
    b: State,
    profile: ProfileName = DEFAULT_PROFILE,
    asset: Annotated[str | None, typer.Option("--asset", help="Only this asset and what it rests on.")] = None,
    as_json: Json = False,
) -> None:
    """Explain what changed from A to B: pins, code, parameters and rows, causes first. Exit code 1 if anything did."""
    from genoplatform.dbt_like_checks.row_difference import row_difference
    from genoplatform.provenance.diff import diff_graphs
    from genoplatform.provenance.graph import artefacts_of, upstream

    old, new = _graph(a, profile), _graph(b, profile)
    if asset:
        old, new = ({key: graph[key] for key in upstream(graph, artefacts_of(graph, asset))} for graph in (old, new))
    changes = diff_graphs(old, new, row_difference)
    if as_json:
        typer.echo(json.dumps({"same": not changes, "changes": [asdict(change) for change in changes]}))
    else:
        _show(changes)
    raise typer.Exit(1 if changes else 0)


def _show(changes: list[Any]) -> None:
    titles = {
        "changed": "Causes", "unexplained": "Changed without a recorded cause", "follows": "Follows from its inputs",
        "same content": "Made otherwise, same content", "only in A": "Only in A", "only in B": "Only in B",
    }  # fmt: skip
    for status, title in titles.items():
        mine = [change for change in changes if change.status == status]
        if mine:
            typer.echo(f"{title}:")
        for change in mine:
            typer.echo(f"  {change.artefact}" + (f"  {change.words}" if change.words else ""))
    if not changes:
        typer.echo("nothing changed")


def _graph(root: Path, profile: str) -> dict[NodeKey, GraphNode]:
    from genoplatform.provenance.graph import read_graph
    from genoplatform.provenance.layout import store_root

    store = store_root(root, profile)
    return read_graph(store if store.is_dir() else root)
