"""Schedules: once a week the pins are obtained again from cache or mirror and the whole store is audited."""

import dagster as dg

from genoplatform.sensors.jobs import audit_store

weekly_audit = dg.ScheduleDefinition(
    name="weekly_audit",
    job=audit_store,
    cron_schedule="0 4 * * 1",
    execution_timezone="UTC",
    description="Mondays at 4 UTC: every artefact and every pin is re-hashed.",
)
SCHEDULES = [weekly_audit]
