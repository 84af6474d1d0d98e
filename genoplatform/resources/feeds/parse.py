"""From the text of a feed to its releases. One function a kind; all of them refuse what is not of that kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urljoin

from genoplatform.resources.feeds.entries import EntryFile, FeedEntry
from genoplatform.settings.feeds import Feed

Listed = Mapping[str, EntryFile]  # file name -> what the feed says of it


def parse_feed(feed: Feed, text: str) -> list[FeedEntry]:
    """Complete releases of a feed, in its order; a release that lacks a file it should hold is not there yet.

    Raises:
        ValueError: the text is not what a feed of this kind holds.
    """
    entries = []
    for version, listed in _PARSERS[feed.kind](feed, text):
        files = [_entry_file(item.name, item.url, version, listed) for item in feed.files]
        if all(files):
            entries.append(FeedEntry(feed.name, version, tuple(file for file in files if file)))
    return entries


def _entry_file(name: str, url: str | None, version: str, listed: Listed) -> EntryFile | None:
    name = name.format(version=version)
    return EntryFile(name, url.format(version=version)) if url is not None else listed.get(name)


def _github_releases(feed: Feed, text: str) -> Iterable[tuple[str, Listed]]:
    releases = json.loads(text)
    if not isinstance(releases, list):
        raise ValueError(f"a list of releases is asked for, found a {type(releases).__name__}")
    for release in releases:
        if not release["draft"] and not release["prerelease"]:
            files = [_github_asset(asset) for asset in release["assets"]]
            yield release["tag_name"].removeprefix("v"), {file.name: file for file in files}


def _github_asset(asset: Mapping[str, Any]) -> EntryFile:
    digest = asset.get("digest") or ""
    sha256 = digest.removeprefix("sha256:") if digest.startswith("sha256:") else None
    return EntryFile(asset["name"], asset["browser_download_url"], asset.get("size"), sha256)


def _bucket_listing(feed: Feed, text: str) -> Iterable[tuple[str, Listed]]:
    listing = json.loads(text)
    if not isinstance(listing, dict) or "items" not in listing:
        raise ValueError("an object with `items` is asked for")
    files = [
        EntryFile(item["name"].rsplit("/", 1)[-1], item["mediaLink"], int(item["size"])) for item in listing["items"]
    ]
    return _by_version(feed, files)


def _html_index(feed: Feed, text: str) -> Iterable[tuple[str, Listed]]:
    reader = _Links()
    reader.feed(text)
    if not reader.links:
        raise ValueError("a page of links is asked for, there is none in it")
    files = [EntryFile(_last_part(link), urljoin(feed.url, link)) for link in dict.fromkeys(reader.links)]
    return _by_version(feed, files)


def _by_version(feed: Feed, files: list[EntryFile]) -> Iterable[tuple[str, Listed]]:
    listed = {file.name: file for file in files}
    pattern = re.compile(feed.pattern or "")
    versions = [match[1] for file in files if (match := pattern.search(unquote(file.url)))]
    return [(version, listed) for version in dict.fromkeys(versions)]


def _last_part(link: str) -> str:
    return unquote(link).rstrip("/").rsplit("/", 1)[-1]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]


_PARSERS: dict[str, Callable[[Feed, str], Iterable[tuple[str, Listed]]]] = {
    "github_releases": _github_releases,
    "bucket_listing": _bucket_listing,
    "html_index": _html_index,
}
