"""A download in the making: the bytes so far, and the validator that says whether they may be continued."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

from genoplatform.settings.sources import Source


@dataclass(frozen=True)
class PartialFile:
    """Bytes of one source from one address; survives a killed process.

    Attributes:
        data: the bytes obtained so far.
        validator_file: the server's ETag or date of the file those bytes belong to.
    """

    data: Path
    validator_file: Path

    @classmethod
    def of(cls, folder: Path, source: Source, url: str) -> PartialFile:
        """The partial file of `source` from `url`; two addresses never share one."""
        stem = f"{source.sha256}-{hashlib.sha256(url.encode()).hexdigest()[:12]}"
        return cls(folder / f"{stem}.partial", folder / f"{stem}.json")

    @property
    def size(self) -> int:
        """Bytes obtained so far."""
        return self.data.stat().st_size if self.data.is_file() else 0

    def validator(self) -> str:
        """What to send as `If-Range`; empty if the bytes cannot be continued safely."""
        try:
            content = json.loads(self.validator_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ""
        return str(content.get("validator", "")) if isinstance(content, dict) else ""

    def restart(self, headers: Message) -> None:
        """Forget the bytes and note the validator of the file that is about to arrive.

        A weak ETag does not promise equal bytes (RFC 9110, section 13.1.5), so the date stands in for it.
        """
        etag = headers.get("ETag", "")
        validator = etag if etag and not etag.startswith("W/") else headers.get("Last-Modified", "")
        self.discard()
        draft = self.validator_file.with_suffix(".tmp")
        draft.write_text(json.dumps({"validator": validator}), encoding="utf-8")
        draft.replace(self.validator_file)

    def discard(self) -> None:
        """Forget everything."""
        self.data.unlink(missing_ok=True)
        self.validator_file.unlink(missing_ok=True)
