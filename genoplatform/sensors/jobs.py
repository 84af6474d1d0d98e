"""Jobs that sensors and schedules start. Each runs one command line in a process of its own, and fails for good.

A process of its own, because staging opens a second home; for good, because asking again does not mend a bad release.
"""

import json
import subprocess
import sys
from typing import Any

import dagster as dg

from genoplatform.resources.platform import PlatformResource

PERMANENT = "permanent failure"
_TAGS = {"dagster/priority": "-1", "dagster/max_runtime": "14400"}


class StageConfig(dg.Config):
    """Which release to stage."""

    feed: str
    version: str


class PatientConfig(dg.Config):
    """Which phenopacket of the inbox to rank."""

    phenopacket: str
    result: str


def run_command(platform: PlatformResource, arguments: list[str], log: Any) -> dict[str, Any]:
    """Run a `genoplatform ... --json` command on the home and profile in force, and return what it prints.

    Raises:
        dg.Failure: it failed; not to be retried.
    """
    profile = platform.settings().name
    command = [sys.executable, "-m", "genoplatform.cli", *arguments, "--json"]
    command += ["--home", str(platform.home_path), "--profile", profile]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.stderr:
        log.info(done.stderr)
    if done.returncode not in (0, 1) or not done.stdout.strip():
        raise dg.Failure(f"{PERMANENT}: {done.stderr.strip() or f'exit code {done.returncode}'}", allow_retries=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@dg.op(description="Obtain a release, try it beside the pin and propose or refuse it.")
def stage_candidate(context: dg.OpExecutionContext, config: StageConfig, platform: PlatformResource) -> None:
    """Stage one release; a refused one fails the run, so that whoever is alerted of failures hears of it."""
    found = run_command(platform, ["sources", "stage", config.feed, "--version", config.version], context.log)
    context.log.info(f"{found['id']}: {found['state']}")
    for finding in found["findings"]:
        context.log.warning(f"{finding['level']} {finding['name']}: {finding['text']}")
    if found["state"] == "refused":
        text = "; ".join(f"{item['name']}: {item['text']}" for item in found["findings"] if item["level"] == "error")
        raise dg.Failure(f"{PERMANENT}: {found['id']} is refused: {text}", allow_retries=False)


@dg.op(description="Re-hash every artefact and pin, and walk each artefact back to its pins.")
def verify_store(context: dg.OpExecutionContext, platform: PlatformResource) -> None:
    """Audit the store; a finding fails the run."""
    found = run_command(platform, ["audit", "verify"], context.log)
    context.log.info(f"{found['artefacts']} artefacts, {found['pins_verified']} pins re-hashed")
    if not found["ok"]:
        text = "; ".join(f"{item['node']}: {item['problem']}" for item in found["findings"][:20])
        raise dg.Failure(f"{PERMANENT}: {text}", allow_retries=False)


@dg.op(description="Rank genes for a phenopacket that was put into the inbox.")
def rank_patient(context: dg.OpExecutionContext, config: PatientConfig, platform: PlatformResource) -> None:
    """Rank one patient's genes; the table is written beside the inbox."""
    from pathlib import Path

    from genoplatform.provenance.atomic import write_text

    found = run_command(platform, ["prioritise", "--phenopacket", config.phenopacket], context.log)
    write_text(Path(config.result), json.dumps(found, indent=1, sort_keys=True) + "\n")
    context.log.info(f"ranked: {config.result}")


@dg.job(description="Stage one release of a feed.", tags=_TAGS)
def stage_release() -> None:
    """One release, one run."""
    stage_candidate()


@dg.job(description="Audit the store.", tags=_TAGS)
def audit_store() -> None:
    """The whole store."""
    verify_store()


@dg.job(description="Rank genes for one phenopacket.", tags=_TAGS)
def rank_inbox_patient() -> None:
    """One packet, one run."""
    rank_patient()


JOBS: list[dg.JobDefinition] = [stage_release, audit_store, rank_inbox_patient]
