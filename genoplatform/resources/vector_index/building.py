"""Making a collection from embedding shards: fingerprint, index, record; older embedded ones are cleared away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from genoplatform.literature.fingerprint import chunk_pairs, fingerprint, read_fingerprint
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.vector_index.opening import COLLECTION, declared_retrieval, open_index
from genoplatform.resources.vector_index.resource import VectorIndexResource, remove_older
from genoplatform.retrieval.collection import CollectionRecord, planned_record, point_faults
from genoplatform.retrieval.embedding_shards import made_with


@dataclass(frozen=True)
class Built:
    """The record, and for people the engine with its version and the collections removed."""

    record: CollectionRecord
    engine: str
    removed: list[str]


def build_collection(
    platform: PlatformResource, directories: Mapping[str, Path], corpus: Path, resource: VectorIndexResource
) -> Built:
    """Build the collection of all embeddings, or find it built.

    Args:
        platform: home and profile.
        directories: package -> embedding shards, at least one.
        corpus: directory with the fingerprint of all chunks.
        resource: where the engine is.
    """
    declared = declared_retrieval(platform)
    work = platform.work_dir(COLLECTION)
    planned = planned_record(
        declared.index,
        made_with(directories.values()),
        declared.embedding.bm25,
        fingerprint(chunk_pairs(directories.values()), work),
        read_fingerprint(corpus),
    )
    index = open_index(platform, planned, resource, lambda: directories)
    try:
        record, engine = replace(planned, points=index.count()), index.engine
    finally:
        index.close()
    return Built(record, engine, remove_older(platform.home_path, declared.index, record.collection))


def live_faults(platform: PlatformResource, value: Mapping[str, Any], resource: VectorIndexResource) -> list[str]:
    """What is wrong with the index of a stored record, opened as it is now; see `collection.point_faults`."""
    declared = declared_retrieval(platform)
    record = CollectionRecord(**value)
    dimension = int(record.embedder["dimension"])
    index = resource.open(declared.index, platform.home_path, record.collection, dimension)
    try:
        return point_faults(record, index.count(), whole=declared.embedding.chunks_per_article is None)
    finally:
        index.close()
