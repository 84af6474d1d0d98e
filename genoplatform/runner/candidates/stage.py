"""Staging: one release of a feed becomes a candidate with a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from genoplatform.errors import BadInputError
from genoplatform.resources.feeds import FeedEntry, read_feed, release_order
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.sources.progress import Progress
from genoplatform.runner.candidates.obtain import obtain
from genoplatform.runner.candidates.record import Candidate, Finding, PinChange, State, write_candidate
from genoplatform.runner.candidates.trial import try_out
from genoplatform.settings.accepted import AcceptedPins
from genoplatform.settings.feeds import FEEDS_FILE, Feed, load_feeds
from genoplatform.settings.sources import Licence, Source, load_licences


def stage(
    platform: PlatformResource,
    feed_name: str,
    version: str | None = None,
    *,
    feeds_file: Path = FEEDS_FILE,
    progress: Progress | None = None,
) -> Candidate:
    """Obtain a release, try it for the profile in force and record the verdict.

    Args:
        platform: home and profile; not changed but for the candidate's own folder and the cache.
        feed_name: a feed of the settings.
        version: which release; None takes the newest.
        feeds_file: feeds of one's own in the place of the package's.
        progress: told about transfers.

    Raises:
        SettingsError, BadInputError: no such feed or release.
        FeedError: the feed could not be read.
        MirrorError: a file could not be had.
    """
    feed = feed_of(feed_name, feeds_file)
    entry = _entry(feed, read_feed(feed), version)
    sources = obtain(feed, entry, _licence(feed), platform.sources(), progress)
    slots = filled_slots(feed, sources, platform.settings().name)
    pins = _pin_changes(platform, slots)
    findings = _other_bytes_under_a_known_id(platform, sources)
    changes: dict[str, list[str]] = {}
    if slots and not pins:
        state: State = "unchanged"
    else:
        if feed.check and slots:
            proposed = platform.accepted().with_pins(sources, {platform.settings().name: slots})
            tried, changes = try_out(platform, entry.id, proposed, feed.check)
            findings += tried
        state = "refused" if any(finding.level == "error" for finding in findings) else "proposed"
    candidate = Candidate(
        feed=feed.name,
        version=entry.version,
        profile=platform.settings().name,
        state=state,
        sources=sources,
        pins=pins,
        findings=tuple(findings),
        changes=changes,
    )
    write_candidate(platform.home_path, candidate)
    return candidate


def feed_of(name: str, feeds_file: Path = FEEDS_FILE) -> Feed:
    """A feed by name.

    Raises:
        BadInputError: there is none of that name.
    """
    feeds = load_feeds(feeds_file)
    if name not in feeds:
        raise BadInputError(f"opening feed {name!r}", "no such feed", f"one of {', '.join(feeds)}")
    return feeds[name]


def filled_slots(feed: Feed, sources: Sequence[Source], profile: str) -> dict[str, str]:
    """Slot -> source id, of the files that have a place in the profile."""
    placed = zip(feed.files, sources, strict=True)
    return {file.slots[profile]: source.id for file, source in placed if profile in file.slots}


def accepted_with(platform: PlatformResource, candidate: Candidate) -> AcceptedPins:
    """What the home accepts once it has accepted a candidate."""
    slots = {change.slot: change.then for change in candidate.pins}
    return platform.accepted().with_pins(candidate.sources, {candidate.profile: slots} if slots else {})


def _entry(feed: Feed, entries: list[FeedEntry], version: str | None) -> FeedEntry:
    newest_first = sorted(entries, key=lambda entry: release_order(entry.version), reverse=True)
    if version is None:
        return newest_first[0]
    for entry in newest_first:
        if entry.version == version:
            return entry
    shown = ", ".join(entry.version for entry in newest_first[:5])
    raise BadInputError(f"staging {feed.name}@{version}", "the feed has no such release", f"its newest are {shown}")


def _licence(feed: Feed) -> Licence:
    licences = load_licences()
    if feed.licence not in licences:
        raise BadInputError(
            f"staging {feed.name}", f"unknown licence {feed.licence!r}", f"one of {', '.join(licences)}"
        )
    return licences[feed.licence]


def _pin_changes(platform: PlatformResource, slots: dict[str, str]) -> tuple[PinChange, ...]:
    now = platform.settings().slots
    changes = [PinChange(slot=slot, now=now.pin_of(slot), then=then) for slot, then in sorted(slots.items())]
    return tuple(change for change in changes if change.now != change.then)


def _other_bytes_under_a_known_id(platform: PlatformResource, sources: Sequence[Source]) -> list[Finding]:
    """A publisher that puts other bytes under a version that is pinned already."""
    catalogue = platform.sources().catalogue
    known = {source.id: source.sha256 for source in catalogue}
    return [
        Finding(
            level="error",
            name=f"{source.id} re-published",
            text=f"pinned with sha256 {known[source.id]}, the feed now delivers {source.sha256}",
        )
        for source in sources
        if known.get(source.id, source.sha256) != source.sha256
    ]
