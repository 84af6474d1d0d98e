"""Execute a plan as Dagster runs on the home's own instance, one run at a time, so that the UI shows them too.

What failed and why is put into words in `failure`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import dagster as dg

from genoplatform.errors import GenoplatformError, SettingsError
from genoplatform.provenance.atomic import sweep_partials
from genoplatform.resources.partition_keys import register_keys
from genoplatform.resources.platform import HOME_VARIABLE, PROFILE_VARIABLE, PlatformResource
from genoplatform.runner.failure import explain, failed_checks
from genoplatform.runner.memory import release_memory
from genoplatform.runner.nodes import Node
from genoplatform.runner.plan import Task, make_plan, stages

PID_TAG = "genoplatform/pid"
INSTANCE_SETTINGS = Path(__file__).parents[1] / "settings" / "dagster.yaml"
_OPEN = [dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED]


class HomeBusyError(GenoplatformError):
    """Another command is running in this home."""

    exit_code = 3


@dataclass
class RunSummary:
    """What a `run` did: labels made and unchanged, and the checks of severity `warn` that failed."""

    made: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)


def prepare_home(home: Path, profile: str) -> None:
    """Create the home with its Dagster instance, and point this process and its children at it.

    Raises:
        SettingsError: the home cannot be created or written.
    """
    instance = home / "dagster"
    target = instance / "dagster.yaml"
    try:
        instance.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copyfile(INSTANCE_SETTINGS, target)
    except OSError as error:
        raise SettingsError(f"opening the home {home}", str(error), "choose another place with --home") from error
    os.environ["DAGSTER_HOME"] = str(instance.resolve())
    os.environ[HOME_VARIABLE] = str(home.resolve())
    os.environ[PROFILE_VARIABLE] = profile


@contextmanager
def exclusive(home: Path) -> Iterator[bool]:
    """Hold the home for one writing command; yields whether the last holder was killed.

    The lock file holds the pid of its holder, and nothing once that has let go in an orderly way.

    Raises:
        HomeBusyError: another process holds it.
    """
    home.mkdir(parents=True, exist_ok=True)
    with (home / "run.lock").open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HomeBusyError(
                f"starting a run in {home}", "another genoplatform command is running there", "wait, or use --home"
            ) from error
        handle.seek(0)
        killed = bool(handle.read())
        handle.truncate(0)
        handle.write(str(os.getpid()))
        handle.flush()
        try:
            yield killed
        finally:
            handle.truncate(0)


def run_assets(
    defs: dg.Definitions,
    nodes: dict[str, Node],
    platform: PlatformResource,
    selected: set[str],
    *,
    partition: str | None = None,
    force: bool = False,
    on_plan: Callable[[list[Task]], None] = lambda tasks: None,
) -> RunSummary:
    """Bring the selected assets up to date.

    Raises:
        SelectionError: see `make_plan`.
        RunFailedError: naming the failed asset or checks; what was made before it stays.
        HomeBusyError: another command is running in the home.
    """
    with exclusive(platform.home_path) as killed:
        sweep_partials(platform.store())
        tasks = make_plan(nodes, platform, selected, partition, force)
        on_plan(tasks)
        summary = RunSummary(skipped=[task.label for task in tasks if not task.reason])
        stale = list(stages(nodes, tasks))
        if stale or killed:
            with dg.DagsterInstance.get() as instance:
                close_orphans(instance)
                register_keys(instance, platform)
                for stage in stale:
                    summary.warned += _run_stage(defs, instance, stage, platform)
                    summary.made += [task.label for task in stage]
                    release_memory()
        return summary


def close_orphans(instance: dg.DagsterInstance) -> list[str]:
    """Mark open command-line runs as failed (a kill leaves them `STARTED` for ever); returns their ids.

    Only the holder of the home's lock may call this: any such run is then not its holder's any more.
    """
    closed = []
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=_OPEN)):
        if pid := run.tags.get(PID_TAG):
            instance.report_run_failed(run, f"process {pid} is gone")
            closed.append(run.run_id)
    return closed


def _run_stage(
    defs: dg.Definitions, instance: dg.DagsterInstance, stage: list[Task], platform: PlatformResource
) -> list[str]:
    keys = [task.key for task in stage]
    job = defs.resolve_implicit_job_def_def_for_assets(keys) or defs.resolve_implicit_global_asset_job_def()
    result = job.execute_in_process(
        asset_selection=keys,
        partition_key=stage[0].partition,
        instance=instance,
        raise_on_error=False,
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        tags={PID_TAG: str(os.getpid()), "genoplatform/profile": platform.settings().name},
    )
    if not result.success:
        raise explain(result, stage)
    return failed_checks(result, dg.AssetCheckSeverity.WARN)
