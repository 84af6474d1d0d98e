"""How long the code location takes to load, beside Dagster alone: fresh processes, in one run.

Goal: definitions under 3 s. Bound by importing Dagster itself; ours is what comes on top.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

ROUNDS = 5
STATEMENTS = {"dagster": "import dagster", "definitions": "import genoplatform.definitions"}


def seconds(statement: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - start


def main() -> None:
    for statement in STATEMENTS.values():  # the first time also writes bytecode
        seconds(statement)
    rounds = [{name: seconds(statement) for name, statement in STATEMENTS.items()} for _ in range(ROUNDS)]
    median = {name: statistics.median(taken[name] for taken in rounds) for name in STATEMENTS}
    for name, value in median.items():
        print(f"import {name:<12} {value:6.2f} s (median of {ROUNDS} fresh processes)")
    ratio = statistics.median(taken["definitions"] / taken["dagster"] for taken in rounds)
    print(f"ratio {ratio:.2f} (median over rounds); goal: definitions under 3 s")


if __name__ == "__main__":
    main()
