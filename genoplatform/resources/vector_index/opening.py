"""From the store's record to an open searcher: the embedder of the vectors, the index, built again where it is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from genoplatform.errors import BadInputError, EmptyResultError, SettingsError
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.events import tell
from genoplatform.resources.partition_keys import LITERATURE_PACKAGE, keys_of
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import read_verified, verified
from genoplatform.resources.vector_index.resource import VectorIndexResource, progress_file
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.collection import CollectionRecord, fill
from genoplatform.retrieval.index import VectorIndex
from genoplatform.retrieval.points import embedding_shards
from genoplatform.retrieval.remembered import Remembered
from genoplatform.retrieval.searcher import IndexSearcher
from genoplatform.retrieval.vectors import Embedder
from genoplatform.settings.retrieval import EmbeddingSettings, IndexSettings, RetrievalSettings

COLLECTION, EMBEDDINGS = "core/retrieval/collection", "core/retrieval/embeddings"
MODEL_SLOT, TOKENIZER_SLOT = "embedding_model", "embedding_tokenizer"
_HINT = f"run `genoplatform run --select '+key:\"{COLLECTION}\"'`"


@dataclass(frozen=True)
class Declared:
    """The three sections of a profile that has retrieval."""

    embedding: EmbeddingSettings
    index: IndexSettings
    retrieval: RetrievalSettings


def declared_retrieval(platform: PlatformResource) -> Declared:
    """The profile's sections.

    Raises:
        SettingsError: it has not all three.
    """
    profile = platform.settings()
    if profile.embedding is None or profile.index is None or profile.retrieval is None:
        found = f"profile {profile.name} has not all of the sections embedding, index and retrieval"
        raise SettingsError("searching", found, "choose another profile")
    return Declared(profile.embedding, profile.index, profile.retrieval)


def open_embedder(platform: PlatformResource, resource: EmbedderResource) -> AbstractContextManager[Embedder]:
    """The profile's embedder, its pinned files obtained."""
    settings = declared_retrieval(platform).embedding.embedder
    return resource.open(settings, *(_pinned(platform, slot) for slot in (MODEL_SLOT, TOKENIZER_SLOT)))


def make_bm25(settings: EmbeddingSettings) -> Bm25:
    """The profile's sparse side."""
    return Bm25(**settings.bm25.model_dump())


def open_index(
    platform: PlatformResource,
    record: CollectionRecord,
    resource: VectorIndexResource,
    directories: Callable[[], Mapping[str, Path]],
    *,
    may_fill: bool = True,
) -> VectorIndex:
    """The recorded collection, filled from its embeddings unless it holds them all already.

    Args:
        platform: home and profile.
        record: of the collection.
        resource: where the engine is.
        directories: gives package -> embedding shards; asked only if points are missing, since it may hash them all.
        may_fill: whether points that are missing are inserted, or an error.

    Raises:
        BadInputError: it does not hold what it should, and may not be filled.
    """
    settings = declared_retrieval(platform).index
    dimension = int(record.embedder["dimension"])
    index = resource.open(settings, platform.home_path, record.collection, dimension)
    try:
        done = progress_file(platform.home_path, record.collection)
        for again in (False, True):
            points, wanted = index.count(), record.fingerprint["distinct"]
            if points == wanted:
                break
            if not may_fill:
                found = f"{points} points where {wanted} are recorded"
                raise BadInputError(f"opening the collection {record.collection}", found, f"{_HINT}, with --force")
            tell("filling", record.collection)
            if again:  # every shard was inserted and points are missing: insert all of them once more
                done.unlink(missing_ok=True)
            fill(index, labelled_shards(directories()), dimension, batch=settings.batch, done=done)
    except BaseException:
        index.close()
        raise
    return index


def labelled_shards(directories: Mapping[str, Path]) -> list[tuple[str, Path]]:
    """(package/shard, path) of every embedding shard, sorted by package."""
    return [
        (f"{package}/{shard.name}", shard)
        for package, folder in sorted(directories.items())
        for shard in embedding_shards([folder])
    ]


@contextmanager
def open_searcher(
    platform: PlatformResource,
    record: Mapping[str, Any] | None = None,
    *,
    embedder: EmbedderResource | None = None,
    vector_index: VectorIndexResource | None = None,
) -> Iterator[IndexSearcher]:
    """A searcher of the store's collection, closed at the end.

    Args:
        platform: home and profile.
        record: value of `core/retrieval/collection`; None reads it from the store.
        embedder: machine settings of the dense model.
        vector_index: machine settings of the engine.

    Raises:
        BadInputError: the store has no collection yet, or the profile's embedder is not the collection's.
        EmptyResultError: the profile has no articles, so there is nothing to search.
        IndexInUseError: the embedded index is open elsewhere.
    """
    declared = declared_retrieval(platform)
    recorded = CollectionRecord(**(record if record is not None else _stored(platform)))
    with open_embedder(platform, embedder or EmbedderResource()) as model:
        if dict(model.identity) != recorded.embedder:
            found = f"its vectors are of {recorded.embedder}, the profile's embedder is {dict(model.identity)}"
            raise BadInputError(f"searching {recorded.collection}", found, _HINT)
        # The embedded engine's data are cheap to make again; a server is not loaded because somebody searches it.
        index = open_index(
            platform,
            recorded,
            vector_index or VectorIndexResource(),
            lambda: _directories(platform),
            may_fill=declared.index.engine == "edge",
        )
        try:
            yield make_searcher(index, Remembered(model), declared)
        finally:
            index.close()


def make_searcher(index: VectorIndex, model: Embedder, declared: Declared, *, exact: bool = False) -> IndexSearcher:
    """A searcher as the profile declares it; `exact` compares with every dense vector."""
    search = declared.retrieval.search
    return IndexSearcher(
        index,
        model,
        make_bm25(declared.embedding),
        rrf_constant=search.rrf_constant,
        prefetch_factor=search.prefetch_factor,
        exact=exact,
    )


def _stored(platform: PlatformResource) -> dict[str, Any]:
    try:
        record: dict[str, Any] = read_verified(platform.artefact(COLLECTION, None, "json"), FORMATS["json"])
    except FileNotFoundError as error:
        raise BadInputError("opening the collection", "it is not in the store", _HINT) from error
    if not record:
        raise EmptyResultError("opening the collection", "this profile has no articles", "choose another profile")
    return record


def _directories(platform: PlatformResource) -> dict[str, Path]:
    keys: Sequence[str] = keys_of(LITERATURE_PACKAGE, platform)
    return {key: verified(platform.artefact(EMBEDDINGS, key, "directory")) for key in keys}


def _pinned(platform: PlatformResource, slot: str) -> Path | None:
    pin = platform.pin(slot)
    return None if pin is None else platform.locate(pin)
