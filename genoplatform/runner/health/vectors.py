"""The vector engine, and whether the index that the store records is there and holds what it should."""

from __future__ import annotations

import json
import os
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from genoplatform.errors import GenoplatformError
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.vector_index.resource import (
    DEFAULT_URL,
    KEY_VARIABLE,
    URL_VARIABLE,
    VectorIndexResource,
    index_folder,
)
from genoplatform.runner.health.finding import Finding
from genoplatform.settings.retrieval import IndexSettings

SERVER_VERSION = "1.14.1"  # of the published index
_TIMEOUT_S = 5.0
_START = f"docker run -p 127.0.0.1:6533:6333 qdrant/qdrant:v{SERVER_VERSION}"


def vectors(platform: PlatformResource) -> list[Finding]:
    """Findings of engine and index; none for a profile without retrieval."""
    settings = platform.settings().index
    if settings is None:
        return []
    engine = _embedded() if settings.engine == "edge" else server()
    return [engine, *_index(platform, settings)] if engine.ok else [engine]


def _embedded() -> Finding:
    try:
        found = f"qdrant-edge {version('qdrant-edge-py')}, in the process"
    except PackageNotFoundError:
        return Finding(
            "vector engine", False, "qdrant-edge-py is missing", True, "pip install 'genoplatform[literature]'"
        )
    return Finding("vector engine", True, found, True)


def server() -> Finding:
    """Whether the Qdrant server answers, and is of the index's version."""
    url = (os.environ.get(URL_VARIABLE) or DEFAULT_URL).rstrip("/")
    fix = f"{_START}, or export {URL_VARIABLE}=http://host:port"
    if not url.startswith(("http://", "https://")):
        return Finding("Qdrant server", False, f"{url!r} is no http address", True, fix)
    key = os.environ.get(KEY_VARIABLE, "")
    request = Request(url, headers={"api-key": key} if key else {})  # noqa: S310 - the scheme is checked above
    try:
        with urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
            told: Any = json.load(answer)
        number = str(told["version"])
    except (URLError, OSError) as error:
        return Finding("Qdrant server", False, f"{url} does not answer: {error}", True, fix)
    except (ValueError, KeyError, TypeError):
        return Finding("Qdrant server", False, f"what answers at {url} is no Qdrant", True, fix)
    right = number == SERVER_VERSION
    return Finding("Qdrant server", right, f"{number} at {url} (published index: {SERVER_VERSION})", False, _START)


def _index(platform: PlatformResource, settings: IndexSettings) -> list[Finding]:
    from genoplatform.provenance.formats import FORMATS
    from genoplatform.resources.store_io import read_verified
    from genoplatform.resources.vector_index.opening import COLLECTION
    from genoplatform.retrieval.collection import CollectionRecord

    fix = f"genoplatform run --select '+key:\"{COLLECTION}\"' --profile {platform.settings().name}"
    try:
        value = read_verified(platform.artefact(COLLECTION, None, "json"), FORMATS["json"])
    except FileNotFoundError:
        return [Finding("index", False, "not built yet", False, fix)]
    except GenoplatformError as error:
        return [Finding("index", False, error.found, False, fix)]
    if not value:
        return [Finding("index", True, "this profile has no articles", False)]
    record = CollectionRecord(**value)
    if settings.engine == "edge" and not (index_folder(platform.home_path) / record.collection).is_dir():
        return [Finding("index", False, f"{record.collection} is recorded, but not on this disk", False, fix)]
    return [_live(platform, value, record.collection, fix)]


def _live(platform: PlatformResource, value: dict[str, Any], name: str, fix: str) -> Finding:
    from genoplatform.resources.vector_index.building import live_faults

    try:
        faults = live_faults(platform, value, VectorIndexResource())
    except GenoplatformError as error:
        return Finding("index", False, error.found, False, error.hint or fix)
    return Finding("index", not faults, "; ".join(faults) or f"{name}: {value['points']} points", False, fix)
