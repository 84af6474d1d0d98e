"""The processes of a deployment, on one machine: code servers, daemon and webserver on a PostgreSQL-backed instance.

What docker/compose.yaml starts as containers, started as processes; runs are processes of the code server
(DefaultRunLauncher) in the place of containers. Runs are asked for as a user does, through the webserver.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import yaml
from postgres import Cluster, ends_with_us

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PATIENCE_S = 180.0  # for a machine that is busy with other things; a good answer comes long before
_LAUNCH = """mutation($p: ExecutionParams!) {launchRun(executionParams: $p) {
  __typename ... on LaunchRunSuccess {run {runId}} ... on PythonError {message}}}"""
_LOCATIONS = """{workspaceOrError {... on Workspace {locationEntries {
  name loadStatus locationOrLoadError {__typename ... on PythonError {message}}}}}}"""
OVER = (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)


def compose_settings() -> dict[str, Any]:
    """docker/dagster.yaml, but with runs as processes, and with the patience of a test."""
    settings: dict[str, Any] = yaml.safe_load((ROOT / "docker" / "dagster.yaml").read_text())
    del settings["run_launcher"]
    settings["run_monitoring"] |= {"poll_interval_seconds": 1, "free_slots_after_run_end_seconds": 1}
    settings["run_coordinator"]["config"]["dequeue_interval_seconds"] = 1
    return settings


@dataclass
class Stage:
    """A running deployment."""

    cluster: Cluster
    instance: dg.DagsterInstance
    port: int
    folder: Path
    variables: Mapping[str, str]
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def ask(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """One GraphQL request to the webserver."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql",
            json.dumps({"query": query, "variables": variables}).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own webserver
            found = json.load(answer)
        assert "errors" not in found, found
        return dict(found["data"])

    def launch(self, location: str, assets: list[str], tags: Mapping[str, str] | None = None) -> str:
        """Ask for a run that makes these assets; returns its id."""
        selector = {
            "repositoryLocationName": location,
            "repositoryName": "__repository__",
            "jobName": "__ASSET_JOB",
            "assetSelection": [{"path": asset.split("/")} for asset in assets],
        }
        asked = [{"key": key, "value": value} for key, value in (tags or {}).items()]
        parameters = {"selector": selector, "runConfigData": {}, "executionMetadata": {"tags": asked}}
        found = until(lambda: self._accepted({"p": parameters}), "the webserver to accept a run", pause_s=0.5)
        assert found["__typename"] == "LaunchRunSuccess", found
        return str(found["run"]["runId"])

    def _accepted(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request for a run; none from a connection that a restart of the database has cut (500)."""
        try:
            return dict(self.ask(_LAUNCH, variables)["launchRun"])
        except urllib.error.HTTPError as error:
            if error.code != 500:
                raise
            return {}

    def status(self, run_id: str) -> dg.DagsterRunStatus:
        """Status of a run."""
        run = self.instance.get_run_by_id(run_id)
        assert run is not None, "a run that was accepted is never lost"
        return run.status

    def finished(self, run_id: str) -> dg.DagsterRunStatus:
        """Wait for a run to be over."""
        return until(
            lambda: (status := self.status(run_id)) in OVER and status, f"run {run_id} to be over", pause_s=0.25
        )

    def events(self, run_id: str) -> list[dg.EventLogEntry]:
        """Events of a run, in order."""
        return self.instance.all_logs(run_id)

    def worker(self, run_id: str) -> int:
        """Process id of a run's worker, once it has said so."""

        def told() -> int:
            texts = [entry.dagster_event.message or "" for entry in self.events(run_id) if entry.dagster_event]
            found = [match for text in texts if (match := re.search(r"Started process for run \(pid: (\d+)\)", text))]
            return int(found[0][1]) if found else 0

        return int(until(told, f"the worker of {run_id}"))

    def free_slots(self) -> dict[str, bool]:
        """Whether every slot of each known pool is free."""
        storage = self.instance.event_log_storage
        found = {}
        for pool in sorted(storage.get_concurrency_keys()):
            info = storage.get_concurrency_info(pool)
            found[pool] = not info.active_slot_count and not info.pending_step_count and not info.assigned_step_count
        return found

    def start(self, name: str, command: list[str]) -> None:
        """Start a Python process of the deployment; what it says goes to its log."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, *command],
                env=dict(self.variables),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=ends_with_us(signal.SIGTERM),  # noqa: PLW1509 - one thread, one system call
            )

    def restart(self, name: str) -> None:
        """End a process and start it again, as `docker compose restart` does."""
        old = self.processes[name]
        old.terminate()
        old.wait(60)
        self.start(name, list(map(str, old.args[1:])))  # type: ignore[index]

    def alive(self) -> dict[str, bool]:
        """Whether each process is up."""
        return {name: process.poll() is None for name, process in self.processes.items()}

    def last_words(self) -> str:
        """The end of the log of every process that is not up."""
        dead = [name for name, up in self.alive().items() if not up]
        return "\n".join(f"{name}: ...{(self.folder / f'{name}.log').read_text()[-2000:]}" for name in dead)


def until(look: Callable[[], Any], what: str, patience_s: float = PATIENCE_S, pause_s: float = 0.1) -> Any:
    """Look until something is there, and return it."""
    end = time.monotonic() + patience_s
    while not (found := look()):
        assert time.monotonic() < end, f"waited {patience_s} s for {what}"
        time.sleep(pause_s)
    return found


@contextmanager
def running_stage(
    cluster: Cluster,
    folder: Path,
    locations: list[str],
    settings: Mapping[str, Any],
    environment: Mapping[str, str] | None = None,
) -> Iterator[Stage]:
    """Start everything on an empty database; all is ended afterwards, runs too.

    Args:
        cluster: of `running_cluster`.
        folder: for the instance's files and logs.
        locations: modules beside this one, each a code location of its name.
        settings: content of dagster.yaml.
        environment: further variables of the processes.
    """
    (folder / "dagster.yaml").write_text(yaml.safe_dump(dict(settings)))
    ports = {name: _free_port() for name in (*locations, "web")}
    (folder / "workspace.yaml").write_text(_workspace({name: ports[name] for name in locations}))
    mine = {**cluster.environment(), "DAGSTER_HOME": str(folder), "DAGSTER_LOGS": str(folder / "logs")}
    variables = {
        **os.environ,
        **mine,
        "PYTHONPATH": f"{HERE}:{ROOT}",
        "PYTHONWARNINGS": "ignore",
        **(environment or {}),
    }
    cluster.recreate_database()
    with ExitStack() as opened, _environment(mine):
        instance = opened.enter_context(dg.DagsterInstance.get())  # makes the tables, once, before anybody else comes
        stage = Stage(cluster, instance, ports["web"], folder, variables)
        opened.callback(_end, stage)
        for name in locations:
            where = ["-h", "127.0.0.1", "-p", str(ports[name])]
            server = [str(HERE / "preloaded.py"), "api", "grpc", *where, "-m", name]
            stage.start(name, server)
        until(lambda: all(_listens(ports[name]) for name in locations), "the code servers", pause_s=0.3)
        workspace = ["-w", str(folder / "workspace.yaml")]
        web = ["-m", "dagster_webserver", *workspace, "-h", "127.0.0.1", "-p", str(ports["web"])]
        stage.start("web", web)
        daemon = ["-m", "dagster._daemon", "run", *workspace]  # the module behind the program dagster-daemon
        stage.start("daemon", daemon)
        until(lambda: _loaded(stage, locations), "the webserver", pause_s=0.5)
        yield stage


def _workspace(ports: Mapping[str, int]) -> str:
    """docker/workspace.yaml, with the code servers of this machine in the place of the container."""
    ((kind, declared),) = yaml.safe_load((ROOT / "docker" / "workspace.yaml").read_text())["load_from"][0].items()
    here = [{kind: {**declared, "host": "127.0.0.1", "port": ports[name], "location_name": name}} for name in ports]
    return yaml.safe_dump({"load_from": here})


def _loaded(stage: Stage, locations: list[str]) -> bool:
    assert all(stage.alive().values()), stage.last_words()
    try:
        entries = stage.ask(_LOCATIONS)["workspaceOrError"]["locationEntries"]
    except (OSError, urllib.error.URLError):
        return False
    bad = [entry for entry in entries if (entry["locationOrLoadError"] or {}).get("__typename") == "PythonError"]
    assert not bad, bad
    return len([entry for entry in entries if entry["loadStatus"] == "LOADED"]) == len(locations)


def _end(stage: Stage) -> None:
    import psutil

    family = []
    for process in stage.processes.values():
        if process.poll() is None:
            family += psutil.Process(process.pid).children(recursive=True)
            process.terminate()
    for process in stage.processes.values():
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for child in family:
        if child.is_running():
            child.kill()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
