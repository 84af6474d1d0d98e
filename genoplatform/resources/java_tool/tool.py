"""A Java program as installed: which jar, which data, how it is called, and the sha256 of all of it.

Not here: running it (runner.py), which cases it is given.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from genoplatform.errors import SettingsError
from genoplatform.provenance.atomic import write_bytes
from genoplatform.provenance.digests import canonical_json, file_sha256

LIBRARIES = "lib"
# What the H2 database leaves beside itself while it is open: no part of the data.
_TRANSIENT = (".lock.db", ".trace.db")


@dataclass(frozen=True)
class JavaTool:
    """An installed program.

    Attributes:
        name: of the program ("exomiser").
        version: the release its jar's name must end in.
        jar: the jar; libraries in `lib` beside it belong to it.
        data_dir: the data it reads.
        java: the Java launcher.
        heap: largest heap, as `-Xmx` takes it.
        cwd_files: file name -> text, written into every working directory.
        settings: what those files say that a result may depend on; recorded, unlike paths of this machine.
        batch_option: option that takes a file with one line of arguments a case; "" where there is none.
    """

    name: str
    version: str
    jar: Path
    data_dir: Path
    java: str = "java"
    heap: str = "4g"
    cwd_files: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    batch_option: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[1-9]\d*[kmgKMG]", self.heap):
            raise SettingsError(f"configuring {self.name}", f"heap {self.heap!r}", "as -Xmx takes it, for example 4g")

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The whole command line.

        Raises:
            SettingsError: there is no such Java launcher.
        """
        launcher = shutil.which(self.java)
        if launcher is None:
            hint = "install a Java runtime, or name one in the tool's `java` setting"
            raise SettingsError(f"running {self.name} {self.version}", f"no program {self.java!r}", hint)
        return [launcher, f"-Xmx{self.heap}", "-jar", str(self.jar), *arguments]

    def identity(self, memory: Path) -> dict[str, str]:
        """Version, settings, and sha256 of jar, libraries and every top-level entry of the data.

        Args:
            memory: file that remembers digests by size and modification time: genome data take minutes to hash.
        """
        known = DigestMemory(memory)
        found = {"tool": self.name, "version": self.version, "jar": known.digest(self.jar)}
        libraries = self.jar.parent / LIBRARIES
        if libraries.is_dir():
            found[LIBRARIES] = known.digest(libraries)
        found |= {f"settings/{key}": value for key, value in sorted(self.settings.items())}
        for entry in sorted(self.data_dir.iterdir()):
            found[f"data/{entry.name}"] = known.digest(entry)
        known.save()
        return found


def fingerprint(identity: Mapping[str, str]) -> str:
    """One sha256 over everything an identity names."""
    return hashlib.sha256(canonical_json(dict(identity))).hexdigest()


class DigestMemory:
    """Sha256 of files, hashed again only when size or modification time changed.

    Args:
        path: JSON file that holds what is known; a damaged one is forgotten.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._known: dict[str, list[int | str]] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self._known = {}

    def digest(self, path: Path) -> str:
        """Sha256 of a file, or of a directory's sorted lines `<relative path> TAB <sha256>`."""
        if not path.is_dir():
            return self._file(path)
        files = sorted(item for item in path.rglob("*") if item.is_file() and not item.name.endswith(_TRANSIENT))
        lines = [f"{item.relative_to(path).as_posix()}\t{self._file(item)}\n" for item in files]
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def save(self) -> None:
        """Write what is known."""
        write_bytes(self._path, json.dumps(self._known, sort_keys=True).encode())

    def _file(self, path: Path) -> str:
        state = path.stat()
        key, stamp = str(path.resolve()), [state.st_size, state.st_mtime_ns]
        if self._known.get(key, [])[:2] != stamp:
            self._known[key] = [*stamp, file_sha256(path)]
        return str(self._known[key][2])
