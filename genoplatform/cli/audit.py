"""`genoplatform audit`: prove, offline, that the store is what its provenance says."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from genoplatform.cli.audit_trail import diff, export, lineage
from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName

audit_app = typer.Typer(help="Verify every artefact down to pinned bytes, offline, without Dagster's event log.")
for command in (export, diff, lineage):
    audit_app.command()(command)


@audit_app.callback()
def _group() -> None:
    """Audit the store."""


@audit_app.command("claims")
def claims(home: Home = DEFAULT_HOME, profile: ProfileName = DEFAULT_PROFILE, as_json: Json = False) -> None:
    """Compare every number the profile claims with the store: OK, ROUNDING, MISMATCH or NO_ARTEFACT. Exit code 1 if any
    is not OK.
    """
    from genoplatform.errors import SettingsError
    from genoplatform.inference.claims import failing
    from genoplatform.resources.claims import audited_claims, claims_file
    from genoplatform.resources.platform import PlatformResource

    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    if claims_file(platform) is None:
        raise SettingsError(f"auditing claims of profile {profile}", "it claims nothing", "name a file as its `claims`")
    audit = audited_claims(platform)
    wrong = failing(audit)
    counts = {str(name): int(n) for name, n in audit["status"].value_counts().sort_index().items()}
    if as_json:
        rows = json.loads(wrong.to_json(orient="records"))
        typer.echo(json.dumps({"ok": wrong.empty, "counts": counts, "failing": rows}))
    else:
        for row in wrong.to_dict("records"):
            found = row["found"] or "-"
            typer.echo(f"{row['status']:<12} {row['name']}: claimed {row['claimed']}, found {found}, {row['artefact']}")
        typer.echo(f"{len(audit)} claims: " + ", ".join(f"{n} {name}" for name, n in counts.items()))
    raise typer.Exit(0 if wrong.empty else 1)


@audit_app.command("verify")
def verify(
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
) -> None:
    """Re-hash every artefact and walk each back to its pins. Exit code 1 if anything does not hold."""
    from genoplatform.errors import BadInputError
    from genoplatform.provenance import verify_store
    from genoplatform.resources.platform import PlatformResource

    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    store = platform.store()
    if not store.is_dir():
        raise BadInputError(f"auditing {store}", "there is no store", "run `genoplatform demo` first")
    pins = {source.id: source.sha256 for source in platform.sources().catalogue}
    report = verify_store(store, pins, platform.locate)
    if report.artefacts == 0 and not report.findings:
        raise BadInputError(f"auditing {store}", "the store is empty", "run `genoplatform demo` first")
    failed = not report.ok or (strict and bool(report.findings))
    if as_json:
        typer.echo(json.dumps({"ok": not failed, **asdict(report)}))
    else:
        for finding in report.findings:
            typer.echo(f"{finding.level:<8} {finding.node}: {finding.problem}: {finding.detail}")
        typer.echo(
            f"{report.artefacts} artefacts ({report.bytes_hashed / 1e6:.1f} MB) re-hashed, "
            f"{report.pins_verified} pins re-hashed, {len(report.findings)} findings: {'FAILED' if failed else 'OK'}"
        )
    raise typer.Exit(1 if failed else 0)
