"""`python preloaded.py MODULE ...`: a Dagster code server whose run workers start with their imports behind them.

Dagster starts each run worker as a fresh interpreter: 5 s of a core before the first step. Here the worker is forked
from a process that has imported what it needs, and is otherwise the same: a process of its own, started by the code
server when the daemon asks for a run, told nothing but the run's id. That makes runs by the hundred affordable.
"""

import multiprocessing
import sys
from typing import Any

# What a worker on PostgreSQL imports before its first step, and the code location (added below).
_WORKER = ["dagster", "dagster._grpc.server", "dagster._grpc.impl", "dagster._core.executor.in_process"]
_STORAGE = ["dagster_postgres.event_log", "dagster_postgres.run_storage", "dagster_postgres.schedule_storage"]


def serve(arguments: list[str]) -> None:
    """Run `dagster ...` in this process."""
    module = arguments[arguments.index("-m") + 1]
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload([*_WORKER, *_STORAGE, module])
    asked = multiprocessing.get_context

    def get_context(method: str | None = None) -> Any:
        return forking if method == "spawn" else asked(method)

    multiprocessing.get_context = get_context  # type: ignore[assignment]
    from dagster._cli import main

    sys.argv = ["dagster", *arguments]
    main()


if __name__ == "__main__":
    serve(sys.argv[1:])
