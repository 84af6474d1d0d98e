"""Bringing a candidate's files into the cache, under the hash they turn out to have."""

from __future__ import annotations

from genoplatform.errors import BadInputError
from genoplatform.provenance import file_sha256
from genoplatform.resources.feeds import FeedEntry
from genoplatform.resources.feeds.entries import EntryFile
from genoplatform.resources.sources.download import download
from genoplatform.resources.sources.fetch import SourceStore
from genoplatform.resources.sources.progress import Progress, Silent
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.settings.feeds import Feed, FeedFile
from genoplatform.settings.sources import HttpsMirror, Licence, LocalMirror, Source

_NOT_KNOWN_YET = "0" * 64


def obtain(
    feed: Feed, entry: FeedEntry, licence: Licence, store: SourceStore, progress: Progress | None = None
) -> tuple[Source, ...]:
    """Download every file of a release and describe it as the source it would become.

    Raises:
        MirrorError: the address does not deliver.
        BadInputError: a file is not the one the feed announces, or is empty.
    """
    return tuple(
        _obtain(feed, named, listed, entry.version, licence, store, progress or Silent())
        for named, listed in zip(feed.files, entry.files, strict=True)
    )


def _obtain(
    feed: Feed,
    named: FeedFile,
    listed: EntryFile,
    version: str,
    licence: Licence,
    store: SourceStore,
    progress: Progress,
) -> Source:
    source = Source(
        id=f"{named.source}@{version}",
        title=f"{feed.title}: {listed.name}",
        version=version,
        file=listed.name,
        licence=licence,
        sha256=listed.sha256 or _NOT_KNOWN_YET,
        bytes=listed.bytes,
        mirrors=(LocalMirror(kind="local", name=listed.name), HttpsMirror(kind="https", url=listed.url)),
    )
    progress.begin(f"{source.id} (https)", listed.bytes)
    try:
        path = download(listed.url, source, store.cache.directory("partial"), progress, RetryPlan()).partial.data
    finally:
        progress.end()
    found, size = file_sha256(path), path.stat().st_size
    if not size or (listed.sha256 or found) != found:
        path.unlink()
        what = "the file is empty" if not size else f"announced sha256 {listed.sha256}, found {found}"
        raise BadInputError(f"obtaining {source.id}", what, "the release may still be being published: try again later")
    source = source.model_copy(update={"sha256": found, "bytes": size})
    store.cache.publish(path, source, listed.url)
    return source
