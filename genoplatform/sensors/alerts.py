"""Whoever is to be told is told once when a run fails, by the ways that the environment configures."""

import dagster as dg

from genoplatform.resources.alerts import Alerts, Notice


@dg.run_failure_sensor(
    name="tell_of_failures",
    minimum_interval_seconds=30,
    description="Failed runs, told to the log, a webhook or by e-mail, as GENOPLATFORM_ALERT_* say.",
)
def tell_of_failures(context: dg.RunFailureSensorContext, alerts: Alerts) -> None:
    """Send one notice for one failed run."""
    assets = sorted(key.to_user_string() for key in context.dagster_run.asset_selection or ())
    alerts.send(
        Notice(
            subject=f"genoplatform: {context.dagster_run.job_name} failed",
            run_id=context.dagster_run.run_id,
            assets=tuple(assets),
            text=context.failure_event.message or "no message",
        )
    )
