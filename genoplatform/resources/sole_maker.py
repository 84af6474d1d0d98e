"""One maker of an artefact at a time: whoever makes it holds a lock until artefact and sidecar are stored.

A pool counts steps of one Dagster instance and knows no command line; `run.lock` keeps command lines apart and knows no
daemon. This lock is the system's: it holds between all processes, and containers, that share the home's file system,
and ends with its holder, however that ends.
"""

from __future__ import annotations

import fcntl
import glob
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from genoplatform.provenance.atomic import PARTIAL_SUFFIX, remove
from genoplatform.provenance.sidecar import checks_path, sidecar_path

LOCKS = "locks"
_POLL_S = 0.2


@contextmanager
def sole_maker(home: Path, store: Path, artefact: Path, waiting: Callable[[str], None]) -> Iterator[None]:
    """Be the only maker of `artefact` while the block runs; waits for its turn.

    What an earlier, killed maker left half written is cleared away first: under the lock, nobody is writing it.

    Args:
        home: the platform's home; locks lie in it, outside the store.
        store: root of the store.
        artefact: path in the store.
        waiting: told once, in words, if there is somebody to wait for.
    """
    lock = home / LOCKS / store.name / f"{artefact.relative_to(store)}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        told = False
        while not _taken(descriptor):
            if not told:
                waiting(f"another run is making {artefact.relative_to(store)}; waiting for it to end")
                told = True
            time.sleep(_POLL_S)  # not a blocking call: a run that is cancelled must notice
        for path in (artefact, sidecar_path(artefact), checks_path(artefact)):
            clear_leftovers(path)
        yield
    finally:
        os.close(descriptor)


def clear_leftovers(target: Path) -> None:
    """Remove the temporaries that writers of `target` left; an old version set aside is put back if it is the only one.

    Only for whoever knows that nobody writes `target` now.
    """
    if not target.parent.is_dir():
        return
    for path in sorted(target.parent.glob(f".{glob.escape(target.name)}.pid*{PARTIAL_SUFFIX}")):
        if path.name.endswith(f".old{PARTIAL_SUFFIX}") and not target.exists():
            path.rename(target)
        else:
            remove(path)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
