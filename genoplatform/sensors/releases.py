"""One sensor a feed: it looks for releases newer than the last one handled and asks for their staging.

The cursor is the version handled last; before the first look it is the pin in force. A feed that cannot be read raises:
the tick is red, the cursor stays, and nobody takes a failure to read for an empty feed.
"""

import dagster as dg

from genoplatform.resources.feeds import after, read_feed, release_order
from genoplatform.resources.platform import PlatformResource
from genoplatform.sensors.jobs import stage_release
from genoplatform.settings.feeds import Feed

DAY_S = 24 * 3600
PER_TICK = 5


def release_sensor(feed: Feed) -> dg.SensorDefinition:
    """The sensor of one feed."""

    @dg.sensor(
        name=f"releases_of_{feed.name}",
        job=stage_release,
        minimum_interval_seconds=DAY_S,
        description=f"New releases of {feed.title}, staged beside the pin and proposed.",
    )
    def look(context: dg.SensorEvaluationContext, platform: PlatformResource) -> dg.SensorResult | dg.SkipReason:
        entries = read_feed(feed)
        known = context.cursor or pinned_version(feed, platform)
        if known is None and feed.every:
            # Packages of the past are a baseline that somebody chose; only what comes from now on is news.
            newest = max((entry.version for entry in entries), key=release_order)
            return dg.SensorResult(skip_reason=f"watching from {newest} on", cursor=newest)
        fresh = after(entries, known, feed, PER_TICK)
        if not fresh:
            return dg.SkipReason(f"nothing after {known} among {len(entries)} releases")
        requests = [dg.RunRequest(run_key=entry.id, run_config=_config(feed.name, entry.version)) for entry in fresh]
        return dg.SensorResult(run_requests=requests, cursor=fresh[-1].version)

    return look


def pinned_version(feed: Feed, platform: PlatformResource) -> str | None:
    """The newest version that fills a slot of this feed in the profile in force; None where it fills none."""
    settings = platform.settings()
    slots = [file.slots[settings.name] for file in feed.files if settings.name in file.slots]
    pins = [settings.slots.pin_of(slot) for slot in slots]
    versions = [pin.partition("@")[2] for pin in pins if pin and "@" in pin]
    return max(versions, key=release_order, default=None)


def _config(feed: str, version: str) -> dg.RunConfig:
    from genoplatform.sensors.jobs import StageConfig

    return dg.RunConfig(ops={"stage_candidate": StageConfig(feed=feed, version=version)})
