"""The JATS files of a package one after the other, each read only when asked for; nothing is unpacked to disk.

Order is fixed: tar members as they lie in the archive, files of zips and directories by name.
"""

from __future__ import annotations

import functools
import gzip
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from genoplatform.errors import BadInputError
from genoplatform.literature.packages import ARCHIVE_SUFFIXES, FILE_LIST_SUFFIX, XML_SUFFIXES
from genoplatform.literature.xml_input import MAX_ARTICLE_BYTES, ArticleError

_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError)
_REST = 1 << 20


class DamagedPackageError(BadInputError):
    """An archive cannot be read to its end; the members before the damage are whole."""


@dataclass(frozen=True)
class Member:
    """One JATS file.

    Attributes:
        name: path in its package.
        size: bytes as announced.
        content: reads it; only until the next member is asked for.
    """

    name: str
    size: int
    content: Callable[[], bytes]

    def read(self) -> bytes:
        """The file's bytes.

        Raises:
            ArticleError: too_large, or damaged_file where the rest of the package can still be read.
            DamagedPackageError: the archive ends, or cannot be decompressed, within it.
        """
        if self.size > MAX_ARTICLE_BYTES:
            raise ArticleError("too_large", f"{self.size:,} bytes, at most {MAX_ARTICLE_BYTES:,} are read")
        try:
            return self.content()
        except _DAMAGE as error:
            raise _damaged(self.name, error) from error


def file_list_of(package: Path) -> Path | None:
    """The file list in a package's directory, if it has one."""
    lists = sorted(package.glob(f"*{FILE_LIST_SUFFIX}")) if package.is_dir() else []
    if len(lists) > 1:
        found = ", ".join(path.name for path in lists)
        raise BadInputError(f"reading {package.name}", f"several file lists: {found}", "leave one")
    return lists[0] if lists else None


def iter_members(package: Path) -> Iterator[Member]:
    """JATS files of a package.

    Args:
        package: an archive; or a directory with one, or with JATS files in it.

    Raises:
        DamagedPackageError: after the last member that could be read.
    """
    archives = [package] if package.is_file() else _archives(package)
    try:
        for archive in archives:
            yield from _from_zip(archive) if archive.suffix in {".zip", ".whl"} else _from_tar(archive)
    except _DAMAGE as error:
        raise _damaged(package.name, error) from error
    if not archives:
        yield from _from_directory(package)


def _damaged(name: str, error: Exception) -> DamagedPackageError:
    return DamagedPackageError(f"reading {name}", f"{type(error).__name__}: {error}", "get the package again")


def _archives(directory: Path) -> list[Path]:
    return sorted(path for path in directory.iterdir() if path.name.endswith(ARCHIVE_SUFFIXES) and path.is_file())


def _from_tar(path: Path) -> Iterator[Member]:
    # tarfile's own decompression takes a truncated file for the end of the archive; gzip does not.
    with gzip.open(path) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        while (entry := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # it would remember every member it has passed
            if entry.isreg() and entry.name.endswith(XML_SUFFIXES):
                yield Member(entry.name, entry.size, functools.partial(_content, archive, entry))
        # A damaged header ends the iteration too; behind the true end there are only zeros.
        while rest := archive.fileobj.read(_REST):
            if rest.strip(b"\0"):
                raise tarfile.ReadError("a member's header is damaged")


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(entry)
    content = stream.read() if stream is not None else b""
    if len(content) < entry.size:
        raise EOFError(f"{entry.name} is cut short")
    return content


def _from_zip(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            if not entry.is_dir() and entry.filename.endswith(XML_SUFFIXES):
                yield Member(entry.filename, entry.file_size, functools.partial(_unzipped, archive, entry))


def _unzipped(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise ArticleError("damaged_file", str(error)) from error


def _from_directory(directory: Path) -> Iterator[Member]:
    files = (path for path in directory.rglob("*") if path.name.endswith(XML_SUFFIXES) and path.is_file())
    for path in sorted(files, key=lambda path: path.relative_to(directory).as_posix()):
        yield Member(path.relative_to(directory).as_posix(), path.stat().st_size, path.read_bytes)
