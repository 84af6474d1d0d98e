"""One bounded request to a feed."""

from __future__ import annotations

import time
from http.client import HTTPException
from urllib.error import URLError
from urllib.request import Request, urlopen

from genoplatform.resources.feeds.entries import FeedEntry
from genoplatform.resources.feeds.errors import FeedError
from genoplatform.resources.feeds.parse import parse_feed
from genoplatform.settings.feeds import Feed

MOST_BYTES = 64 << 20
DEADLINE_S = 12.0  # a sensor has 20 s in all
_BLOCK = 1 << 16


def read_feed(feed: Feed, deadline_s: float = DEADLINE_S) -> list[FeedEntry]:
    """Complete releases that a feed announces now.

    Args:
        feed: which one.
        deadline_s: for the whole answer, s; a server that drips is cut off.

    Raises:
        FeedError: no answer in time, an error page, another form, or no release at all. An official feed is never
            empty, so an empty one is a failure to read, not news.
    """
    try:
        entries = parse_feed(feed, _text(feed.url, deadline_s))
    except (URLError, HTTPException, OSError) as error:
        raise _failure(feed, f"{getattr(error, 'reason', '') or error or type(error).__name__}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _failure(feed, f"its answer is not a {feed.kind} feed ({type(error).__name__}: {error})") from error
    if not entries:
        raise _failure(feed, "no complete release in it")
    return entries


def _text(url: str, deadline_s: float) -> str:
    until = time.monotonic() + deadline_s
    request = Request(url, headers={"User-Agent": "genoplatform", "Accept-Encoding": "identity"})  # noqa: S310
    content = bytearray()
    with urlopen(request, timeout=deadline_s) as response:  # noqa: S310  the schema admits https, or http to loopback
        while block := response.read1(_BLOCK):
            content += block
            if len(content) > MOST_BYTES:
                raise ValueError(f"more than {MOST_BYTES >> 20} MiB")
            if time.monotonic() > until:
                raise TimeoutError(f"not finished within {deadline_s:g} s")
    return content.decode("utf-8")


def _failure(feed: Feed, found: str) -> FeedError:
    return FeedError(
        f"reading the feed {feed.name} ({feed.url})", found, "the next look tries again; nothing was changed"
    )
