"""Homes of the tiny world: opening one, running it, and looking at what lies in its store."""

import hashlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import matplotlib.figure
import pytest
from tiny import World

from genoplatform.definitions import build_defs
from genoplatform.provenance import AuditReport, verify_store
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.execute import RunSummary, prepare_home, run_assets
from genoplatform.runner.nodes import Node, read_nodes, select
from genoplatform.runner.plan import make_plan

# The benchmark and all it rests on. Assets beside it have tests of their own.
SPINE = '+key:"out/report/benchmark"'
warnings.filterwarnings("ignore", category=dg.BetaWarning)


@dataclass(frozen=True)
class Home:
    """A home and the definitions it is run with."""

    world: World
    platform: PlatformResource
    defs: dg.Definitions
    nodes: dict[str, Node]

    def run(self, selection: str = SPINE, partition: str | None = None, force: bool = False) -> RunSummary:
        """Bring the selection up to date."""
        selected = select(self.defs, selection)
        with in_home(self):
            return run_assets(self.defs, self.nodes, self.platform, selected, partition=partition, force=force)

    def stale(self, selection: str = SPINE, nodes: dict[str, Node] | None = None) -> dict[str, str]:
        """Label -> reason of everything that would be made."""
        tasks = make_plan(nodes or self.nodes, self.platform, select(self.defs, selection))
        return {task.label: task.reason for task in tasks if task.reason}

    def labels(self) -> set[str]:
        """Every artefact of the benchmark."""
        chosen = (self.nodes[asset] for asset in select(self.defs, SPINE))
        return {node.asset if key is None else f"{node.asset}[{key}]" for node in chosen for key in node.partitions}

    def downstream(self, *assets: str) -> set[str]:
        """Labels of these assets and everything below them in the benchmark, by Dagster's own graph."""
        keys = [dg.AssetKey(asset.split("/")) for asset in assets]
        found = dg.AssetSelection.assets(*keys).downstream().resolve(list(self.defs.assets))
        names = {"/".join(key.path) for key in found}
        return {label for label in self.labels() if label.partition("[")[0] in names}

    def path(self, asset: str, partition: str | None = None, kind: str = "parquet") -> Path:
        """Where an artefact lies."""
        return self.platform.artefact(asset, partition, kind)

    def files(self) -> dict[str, str]:
        """Relative path -> sha256 of every file of the store, artefacts and records alike."""
        root = self.platform.store()
        found = sorted(path for path in root.rglob("*") if path.is_file())
        return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}

    def audit(self) -> AuditReport:
        """What `audit verify` sees."""
        pins = {source.id: source.sha256 for source in self.platform.sources().catalogue}
        return verify_store(self.platform.store(), pins, self.platform.locate)

    def open_runs(self) -> list[dg.DagsterRun]:
        """Dagster runs that have not ended."""
        ended = (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)
        return [run for run in self.all_runs() if run.status not in ended]

    def all_runs(self) -> list[dg.DagsterRun]:
        """Every Dagster run of the home."""
        with in_home(self), dg.DagsterInstance.get() as instance:
            return list(instance.get_runs())


@contextmanager
def in_home(home: Home) -> Iterator[None]:
    """The environment of a run, undone afterwards. Plots are not drawn: that takes longest, and has its unit tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DAGSTER_HOME", "GENOPLATFORM_HOME", "GENOPLATFORM_PROFILE"):
            patch.setenv(name, "")
        patch.setenv("GENOPLATFORM_MIRROR", str(home.world.mirror))
        patch.setattr(matplotlib.figure.Figure, "savefig", lambda self, file, **options: file.write(b"<svg></svg>"))
        prepare_home(home.platform.home_path, home.platform.profile)
        yield


def open_home(path: Path, world: World, profile: str = "embedded", *, checks: list | None = None) -> Home:
    """A home of the world. Without `checks` none are run: the declared row counts are those of real releases."""
    platform = PlatformResource(
        home=str(path), profile=profile, profiles_file=str(world.profiles), catalogue=str(world.catalogue)
    )
    defs = build_defs(platform=platform, checks=[] if checks is None else checks)
    return Home(world, platform, defs, read_nodes(defs, platform))
