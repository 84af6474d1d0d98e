"""Resumable download over https.

Belongs here: ranges, validators, truncation, retries of transient faults. Does not belong here: hashes (a download is
only a candidate until the cache publishes it) and other mirrors. Standard library only.
"""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from genoplatform.resources.sources.errors import MirrorError, SourceError, TruncatedDownloadError
from genoplatform.resources.sources.partial import PartialFile
from genoplatform.resources.sources.progress import Progress
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.resources.sources.streaming import check_size, copy_capped
from genoplatform.settings.sources import Source

TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
CONNECTION_LOST = (HTTPException, ConnectionError, TimeoutError, ssl.SSLError)
"""Faults of a transfer under way. A full disk is a plain OSError and not among them."""


@dataclass(frozen=True)
class Downloaded:
    """A finished transfer, not yet compared with the pin.

    Attributes:
        partial: the bytes.
        resumed: whether bytes of an earlier transfer are among them.
    """

    partial: PartialFile
    resumed: bool


def download(url: str, source: Source, folder: Path, progress: Progress, retry: RetryPlan) -> Downloaded:
    """Bring the file at `url` to `folder`, continuing what an earlier, interrupted call left there.

    A transfer is continued only under the server's own validator (`If-Range`); a server that ignores ranges, or whose
    file changed, starts it afresh. Tries that bring new bytes do not count against `retry.attempts`.

    Raises:
        MirrorError: permanent refusal, or transient faults beyond the plan (`transient` is set).
        SizeMismatchError: the server announces or sends another size than the pin's.
    """
    partial = PartialFile.of(folder, source, url)
    furthest, failures = partial.size, 0
    while True:
        try:
            return Downloaded(partial, _transfer(url, source, partial, progress, retry.timeout))
        except SourceError as error:
            if not error.transient:
                partial.discard()
                raise
            failures = 1 if partial.size > furthest else failures + 1
            furthest = max(furthest, partial.size)
            if failures >= retry.attempts:
                raise
            progress.note(f"{source.id}: {error.found}; trying again")
            retry.wait(failures)


def _transfer(url: str, source: Source, partial: PartialFile, progress: Progress, timeout: float) -> bool:
    """One request; True if it continued earlier bytes."""
    offset = partial.size if partial.validator() else 0
    if offset and offset == source.bytes:
        return True
    with _open(url, partial, offset, timeout) as response:
        start = _start_of(response, url, partial, offset)
        length = response.headers.get("Content-Length")
        total = start + int(length) if length and length.isdigit() else None
        check_size(source, f"https {url}", total)
        if not start:
            partial.restart(response.headers)
        try:
            done = copy_capped(response, partial.data, source, f"https {url}", progress, start)
        except CONNECTION_LOST as error:
            raise _truncated(url, partial.size, total, error) from error
    expected = total if total is not None else source.bytes
    if expected is not None and done < expected:
        raise _truncated(url, done, expected, None)
    return start > 0


def _open(url: str, partial: PartialFile, offset: int, timeout: float) -> HTTPResponse:
    headers = {"User-Agent": "genoplatform", "Accept-Encoding": "identity"}
    if offset:
        headers |= {"Range": f"bytes={offset}-", "If-Range": partial.validator()}
    try:
        return urlopen(Request(url, headers=headers), timeout=timeout)  # type: ignore[no-any-return]  # noqa: S310
    except HTTPError as error:
        error.close()
        if error.code == 416:
            partial.discard()
        transient = error.code in TRANSIENT_STATUS or error.code == 416
        raise MirrorError(f"downloading {url}", f"HTTP {error.code} {error.reason}", transient=transient) from error
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise MirrorError(
            f"downloading {url}",
            f"cannot be reached ({reason})",
            "check the network, or a proxy set by HTTPS_PROXY",
            transient=not isinstance(reason, ssl.SSLCertVerificationError),
        ) from error


def _start_of(response: HTTPResponse, url: str, partial: PartialFile, offset: int) -> int:
    """First byte that the response carries: `offset` if the range was honoured, else 0."""
    if response.status != 206:
        return 0
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if match is None or int(match[1]) != offset:
        partial.discard()
        raise MirrorError(f"downloading {url}", "the server sent another range than asked for", transient=True)
    return offset


def _truncated(url: str, done: int, expected: int | None, cause: Exception | None) -> TruncatedDownloadError:
    of = f" of {expected:,}" if expected is not None else ""
    detail = f" ({cause})" if cause is not None else ""
    return TruncatedDownloadError(
        f"downloading {url}",
        f"truncated after {done:,}{of} bytes{detail}",
        "run the command again: it continues where this one stopped",
        transient=True,
    )
