"""`genoplatform checks`: what must be true of each table, whether it was when last looked at, and why not.

Exit codes: 0 all passed (warnings allowed); 1 a blocking check failed; 2 wrong usage; 3 the home is in use.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName

if TYPE_CHECKING:
    from genoplatform.dbt_like_checks.listing import ListedCheck
    from genoplatform.resources.platform import PlatformResource

checks_app = typer.Typer(help="Declared checks: list them, run them again on what is stored, explain a failure.")
SHOWN_KEYS = 20
Assets = Annotated[list[str] | None, typer.Option("--asset", help="Only of this asset; may be repeated.")]


@checks_app.command("list")
def list_them(
    assets: Assets = None,
    failing: Annotated[bool, typer.Option("--failing", help="Only those that have not passed.")] = False,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Show every check with its asset, severity and last outcome."""
    checks = _listed(_platform(home, profile), assets)
    if failing:
        checks = [check for check in checks if check.state != "passed"]
    _show(checks, as_json)


@checks_app.command("run")
def run_them(
    names: Annotated[
        list[str] | None, typer.Argument(help="Checks by name; all without any.", metavar="[NAME]...")
    ] = None,
    assets: Assets = None,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Run checks again on the stored artefacts, without making anything, and record what they find."""
    from genoplatform.dbt_like_checks.listing import find_checks
    from genoplatform.runner.recheck import recheck

    platform = _platform(home, profile)
    checks = _listed(platform, assets)
    if names:
        checks = [check for name in names for check in _found(find_checks, checks, name)]
    made = [check for check in checks if check.state != "not made"]
    recheck(platform, made)
    keys = {(check.asset, check.name) for check in made}
    after = [
        check for check in _listed(platform, sorted({key[0] for key in keys})) if (check.asset, check.name) in keys
    ]
    _show(after, as_json)
    raise typer.Exit(1 if any(check.state == "failed" for check in after) else 0)


@checks_app.command("explain")
def explain(
    name: Annotated[str, typer.Argument(help="Name of a check, or enough of its start; 'ASSET NAME' if several fit.")],
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Say what a check tests, with which arguments, what it found, and which rows fail."""
    from genoplatform.dbt_like_checks.listing import failing_rows, find_checks

    platform = _platform(home, profile)
    reports = []
    for check in _found(find_checks, _listed(platform, None), name):
        rows = [(str(path), keys) for path, keys in failing_rows(platform, check, SHOWN_KEYS)]
        arguments = check.test.arguments.model_dump(mode="json", exclude_defaults=True) if check.test else {}
        failures = [{"path": path, "keys": keys} for path, keys in rows]
        reports.append({**check.as_dict(), "arguments": arguments, "failures": failures})
    if as_json:
        typer.echo(json.dumps({"checks": reports}))
        return
    typer.echo("\n\n".join(_explained(report) for report in reports))


@checks_app.command("accept")
def accept(
    asset: Annotated[str, typer.Argument(help="Asset whose drift is meant.")],
    partition: Annotated[str | None, typer.Option("--partition", metavar="K", help="Only this partition.")] = None,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
) -> None:
    """Take the stored state of a table as the good one that later states are compared with, and check it again.

    Refused where a blocking check other than drift has not passed.
    """
    from genoplatform.runner.recheck import accept_drift

    accepted = accept_drift(_platform(home, profile), asset, partition)
    typer.echo("\n".join(f"{label}: accepted as the last good state" for label in accepted))


def _platform(home: Path, profile: str) -> PlatformResource:
    from genoplatform.resources.platform import PlatformResource

    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    platform.settings()
    return platform


def _listed(platform: PlatformResource, assets: list[str] | None) -> list[ListedCheck]:
    from genoplatform.dbt_like_checks.listing import list_checks
    from genoplatform.errors import SettingsError

    try:
        return list_checks(platform, assets)
    except SettingsError as error:
        if assets is None:
            raise
        raise typer.BadParameter(f"{', '.join(assets)}: {error.found}; {error.hint}", param_hint="--asset") from error


def _found(find: Any, checks: list[ListedCheck], name: str) -> list[ListedCheck]:
    from genoplatform.errors import SettingsError

    try:
        found: list[ListedCheck] = find(checks, name)
    except SettingsError as error:
        raise typer.BadParameter(str(error), param_hint="NAME") from error
    return found


def _show(checks: list[ListedCheck], as_json: bool) -> None:
    counts: dict[str, int] = {}
    for check in checks:
        counts[check.state] = counts.get(check.state, 0) + 1
    if as_json:
        typer.echo(json.dumps({"counts": counts, "checks": [check.as_dict() for check in checks]}))
        return
    width = max((len(check.name) for check in checks), default=0)
    asset = ""
    for check in checks:
        if check.asset != asset:
            asset = check.asset
            typer.echo(asset)
        rows = f"  {check.failing_rows:,} rows" if check.failing_rows else ""
        typer.echo(f"  {check.state:<9} {check.severity:<5}  {check.name:<{width}}  {check.description}{rows}")
    summary = ", ".join(f"{n} {state}" for state, n in sorted(counts.items()))
    typer.echo(f"{len(checks)} checks: {summary or 'none'}")


def _explained(report: dict[str, Any]) -> str:
    lines = [
        f"{report['name']}, a check of {report['asset']} ({report['severity']}): {report['state']}",
        f"  tests      {report['description']}",
        f"  arguments  {json.dumps(report['arguments'], ensure_ascii=False)}",
    ]
    for label, outcome in report["artefacts"].items():
        found = "no result for the present state" if outcome is None else _words(outcome)
        lines.append(f"  {label}: {found}")
    for failure in report["failures"]:
        lines.append(f"  failing keys in {failure['path']}, the first {len(failure['keys'])}:")
        lines += [f"    {', '.join(f'{name}={value}' for name, value in key.items())}" for key in failure["keys"]]
    return "\n".join(lines)


def _words(outcome: dict[str, Any]) -> str:
    verdict = "passed" if outcome["passed"] else "failed" if outcome["severity"] == "error" else "warned"
    return f"{verdict}{': ' + outcome['detail'] if outcome['detail'] else ''}"
