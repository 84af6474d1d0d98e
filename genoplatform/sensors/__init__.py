"""Sensors, schedules, automation and alerts: what starts work, or says what happened. No science is decided here."""

from collections.abc import Mapping

import dagster as dg

from genoplatform.sensors.alerts import tell_of_failures
from genoplatform.sensors.inbox import new_partitions, phenopacket_inbox
from genoplatform.sensors.jobs import JOBS
from genoplatform.sensors.releases import release_sensor
from genoplatform.sensors.schedules import SCHEDULES
from genoplatform.settings.feeds import Feed, load_feeds

__all__ = ["JOBS", "SCHEDULES", "all_sensors"]


def all_sensors(feeds: Mapping[str, Feed] | None = None) -> list[dg.SensorDefinition]:
    """Every sensor; those of releases for the given feeds, by default the package's."""
    watched = load_feeds() if feeds is None else feeds
    return [*(release_sensor(feed) for feed in watched.values()), new_partitions, phenopacket_inbox, tell_of_failures]
