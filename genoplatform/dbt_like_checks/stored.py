"""Where a checked table, the keys of its failing rows and its last good state lie under a home."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from genoplatform.dbt_like_checks.declared import DeclaredTest
from genoplatform.provenance import file_sha256
from genoplatform.provenance.formats import FORMATS, write_artefact
from genoplatform.provenance.sidecar import sidecar_path
from genoplatform.resources.platform import PlatformResource

KEPT_KEYS = 1_000


def stored_partitions(platform: PlatformResource, asset: str, kind: str = "parquet") -> list[Path]:
    """Artefacts of an asset: the one there is, or one a partition, sorted.

    Without a sidecar a file is what a killed run left: it is no artefact, and the next run makes it again.
    """
    single = platform.artefact(asset, None, kind)
    folder = single.with_name(single.name.removesuffix(FORMATS[kind].suffix)) if FORMATS[kind].suffix else single
    stored = [single, *sorted(folder.glob(f"*{FORMATS[kind].suffix}"))]
    return [path for path in stored if path.exists() and sidecar_path(path).is_file()]


def last_good_root(platform: PlatformResource) -> Path:
    """Folder of the profile's records of last good states, beside its store."""
    return platform.home_path / "last_good" / platform.settings().name


def failures_path(platform: PlatformResource, test: DeclaredTest, partition: str | None = None) -> Path:
    """Where the keys of the rows of one artefact that fail a test are kept."""
    folder = platform.home_path / "failures" / platform.settings().name / Path(*test.asset.split("/"))
    return folder / ".".join([test.name, *([partition] if partition else []), "parquet"])


def failure_files(platform: PlatformResource, test: DeclaredTest) -> list[Path]:
    """Every file of failing keys of a test, one an artefact, sorted."""
    folder = failures_path(platform, test).parent
    return sorted(folder.glob(f"{test.name}.*parquet"))


def keep_keys(path: Path, artefact: str, keys: Iterable[dict[str, Any]]) -> str | None:
    """Write failing keys with their artefact's name, or remove what an earlier check left; their sha256, or None."""
    import pandas as pd

    rows = [{"artefact": artefact, **key} for key in keys][:KEPT_KEYS]
    if not rows:
        path.unlink(missing_ok=True)
        return None
    write_artefact(path, pd.DataFrame(rows), FORMATS["parquet"])
    return file_sha256(path)
