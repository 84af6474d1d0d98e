"""How long the code location takes to load, beside Dagster alone: fresh processes, in one run.

Goal: definitions under 3 s. Bound by importing Dagster itself; ours is what comes on top.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
STATEMENTS = {"dagster": "import dagster", "definitions": "import genoplatform.definitions"}


def seconds(statement: str, environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True, env=environment)
    return time.perf_counter() - start


def measured() -> list[dict[str, float]]:
    """Seconds of each statement in each round, with bytecode at hand as it is from the second start on."""
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = bytecode
        for statement in STATEMENTS.values():
            seconds(statement, environment)
        return [
            {name: seconds(statement, environment) for name, statement in STATEMENTS.items()} for _ in range(ROUNDS)
        ]


def main() -> None:
    rounds = measured()
    median = {name: statistics.median(taken[name] for taken in rounds) for name in STATEMENTS}
    for name, value in median.items():
        print(f"import {name:<12} {value:6.2f} s (median of {ROUNDS} fresh processes)")
    ratio = statistics.median(taken["definitions"] / taken["dagster"] for taken in rounds)
    print(f"ratio {ratio:.2f} (median over rounds); goal: definitions under 3 s")


if __name__ == "__main__":
    main()
