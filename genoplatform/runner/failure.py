"""Why a Dagster run failed, in the words of the error that was raised first, not of the frames around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import dagster as dg

from genoplatform.errors import GenoplatformError

if TYPE_CHECKING:
    from genoplatform.runner.plan import Task

# What a step raises whose blocking checks failed, and what Ctrl-C becomes inside one; Dagster exports neither class.
_CHECK_FAILED = "DagsterAssetCheckFailedError"
_INTERRUPTED = "DagsterExecutionInterruptedError"


class RunFailedError(GenoplatformError):
    """A run did not finish: an asset failed, or a blocking check did."""


def failed_checks(result: dg.ExecuteInProcessResult, severity: dg.AssetCheckSeverity) -> list[str]:
    """`asset check: what was found` of every failed check of a severity."""
    return [
        f"{evaluation.asset_key.to_user_string()} {evaluation.check_name}: {evaluation.description or 'failed'}"
        for evaluation in result.get_asset_check_evaluations()
        if not evaluation.passed and evaluation.severity == severity
    ]


def explain(result: dg.ExecuteInProcessResult, stage: list[Task]) -> RunFailedError:
    """The error that tells a command-line user why the run of `stage` failed.

    A step that crashed comes first: a crashed check says nothing of the data. Then the blocking checks that failed.
    """
    labels = {task.key.to_python_identifier(): task.label for task in stage}
    for event in result.all_events:
        error = event.step_failure_data.error if event.is_step_failure else None
        if error is not None and error.cls_name != _CHECK_FAILED:
            step = str(event.step_key)
            return RunFailedError(f"making {labels[step]}" if step in labels else f"running {step}", *_words(error))
    if failed := failed_checks(result, dg.AssetCheckSeverity.ERROR):
        return RunFailedError("checking what was made", "; ".join(failed), "see the check in `genoplatform ui`")
    return RunFailedError("running the plan", "the run failed without a failed step", "see `genoplatform ui`")


def _words(error: Any) -> tuple[str, str]:
    """Found and hint of the original error. One of ours carries its own hint; of any other there is a traceback."""
    while error.cause is not None and (error.cls_name or "").startswith("Dagster"):
        error = error.cause
    if error.cls_name == _INTERRUPTED:
        return "interrupted", "run again: what was made before stays"
    head, _, message = error.message.strip().partition(": ")
    if head.startswith("genoplatform."):
        return message, ""
    return f"{head}: {message}", "the traceback is in `genoplatform ui`"
