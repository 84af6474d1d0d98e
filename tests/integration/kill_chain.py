"""Runs one home of the tiny world again and again, each run killed (SIGKILL) at its own point; then lets it finish.

A script: `kill_chain.py MIRROR CATALOGUE PROFILES HOME` prints one JSON list of [point, how the run ended]. Every run
is a fork of one process that has the imports behind it, so that a dozen runs can be afforded.
"""

import importlib
import json
import logging
import os
import pkgutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from homes import SPINE, Home, open_home
from tiny import World

import genoplatform
from genoplatform.resources.events import LOGGER

LISTS = '+key:"core/cohort/candidates"'
# ("event", x): when the platform says so. ("into", x): when a finished temporary file is about to become x.
POINTS = [
    ("event", "making raw/ontology/hgnc"),  # before a body
    ("into", "hgnc.txt"),  # fetched, not yet in the cache
    ("event", "made raw/ontology/hp_obo"),  # stored, not yet recorded by Dagster
    ("into", "core/ontology/genes.parquet"),  # written, not yet there
    ("into", "core/ontology/hpo_terms.parquet.provenance.json"),  # artefact there, sidecar not
    ("event", "making core/cohort/selection"),
    ("into", "core/cohort/selection.tables"),  # a directory
    ("into", "core/cohort/selection.tables.provenance.json"),
    ("into", "core/cohort/candidates/standard.parquet"),
    ("event", "made core/cohort/candidates[standard]"),
    ("event", "making core/cohort/candidates[hard]"),  # between two Dagster runs of one command
    ("event", "made core/cohort/candidates[hard]"),  # all is made, the Dagster run has not ended
]
# Made again by force: the new artefact is in the old one's place, its sidecar is not there yet.
AGAIN = ("into", "core/cohort/candidates/hard.parquet.provenance.json")


def install(kind: str, what: str) -> None:
    """Make this process kill itself at a point."""

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    class Killer(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.getMessage() == what:
                die()

    def killing(move: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def moved(self: Path, target: Path) -> Path:
            if target.as_posix().endswith(f"/{what}"):
                die()
            return move(self, target)

        return moved

    if kind == "event":
        LOGGER.addHandler(Killer())
        LOGGER.setLevel(logging.INFO)
    else:
        Path.replace, Path.rename = killing(Path.replace), killing(Path.rename)


def run_forked(home: Home, point: tuple[str, str] | None, selection: str = LISTS, force: bool = False) -> str:
    """Run the home in a child; returns how the child ended."""
    child = os.fork()
    if child == 0:
        if point is not None:
            install(*point)
        home.run(selection, force=force)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return "killed" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL else f"status {status}"


def preload(home: Home) -> None:
    """Import what every run would import for itself."""
    for module in pkgutil.walk_packages(genoplatform.__path__, "genoplatform."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    assert home.all_runs() == []


def main(mirror: str, catalogue: str, profiles: str, home_path: str) -> None:
    home = open_home(Path(home_path), World(Path(mirror), Path(catalogue), Path(profiles)))
    preload(home)
    ends = [(point, run_forked(home, point)) for point in POINTS]
    ends.append((AGAIN, run_forked(home, AGAIN, 'key:"core/cohort/candidates"', force=True)))
    ends.append((None, run_forked(home, None, SPINE)))
    sys.stdout.write(json.dumps(ends))


if __name__ == "__main__":
    main(*sys.argv[1:])
