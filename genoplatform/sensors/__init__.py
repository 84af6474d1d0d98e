"""Sensors, schedules, automation and alerts: what starts work, or says what happened. No science is decided here."""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from genoplatform.sensors.alerts import tell_of_failures
from genoplatform.sensors.automation import follow_inputs, obtain_pins, weekly_pins
from genoplatform.sensors.inbox import new_partitions, phenopacket_inbox
from genoplatform.sensors.jobs import JOBS as OP_JOBS
from genoplatform.sensors.releases import release_sensor
from genoplatform.sensors.schedules import SCHEDULES as OP_SCHEDULES
from genoplatform.settings.feeds import Feed, load_feeds

__all__ = ["JOBS", "SCHEDULES", "all_sensors"]

JOBS: list[Any] = [*OP_JOBS, obtain_pins]  # Dagster exports no name for what a job may be
SCHEDULES = [*OP_SCHEDULES, weekly_pins]


def all_sensors(feeds: Mapping[str, Feed] | None = None) -> list[dg.SensorDefinition]:
    """Every sensor; those of releases for the given feeds, by default the package's."""
    watched = load_feeds() if feeds is None else feeds
    releases = [release_sensor(feed) for feed in watched.values()]
    return [*releases, new_partitions, phenopacket_inbox, tell_of_failures, follow_inputs]
