"""Checks of a table that does not fit a frame: peak memory and time of the SQL route against the frame route.

One run, one input, one child process a route: `python benchmarks/checks_memory.py [ROWS]`. Figures are ratios.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.dbt_like_checks.declared import parse_tables
from genoplatform.dbt_like_checks.run_tests import Around, run_tests

ROWS = 4_000_000
TESTS = ["not_null", "unique", {"matches_regex": {"pattern": r"G\d+"}}]


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        size = write(path, rows)
        found = {route: child(path, route) for route in ("sql", "frame")}
    sql, frame = found["sql"], found["frame"]
    print(f"{rows:,} rows, a file of {size / 1e6:.0f} MB; same outcomes: {sql['failing'] == frame['failing']}")
    for name, unit in (("peak", "MB"), ("seconds", "s")):
        ratio = sql[name] / frame[name]
        print(f"{name:<8} sql {sql[name]:.0f} {unit}, frame {frame[name]:.0f} {unit}: x{ratio:.2f}")


def write(path: Path, rows: int) -> int:
    draws = np.random.default_rng(1)
    schema = pa.schema([("id", pa.string()), ("score", pa.float64()), ("kind", pa.string())])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 500_000):
            n = min(500_000, rows - start)
            ids = [f"G{start + i}" for i in range(n)]
            kinds = np.array(["a", "b"])[draws.integers(0, 2, n)]
            writer.write_table(pa.table([pa.array(ids), draws.random(n), pa.array(kinds)], schema=schema))
    return path.stat().st_size


def child(path: Path, route: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, __file__, "--child", str(path), route], capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(path: Path, route: str) -> None:
    columns = {
        "id": {"type": "string", "description": "id", "tests": TESTS},
        "score": {
            "type": "float",
            "description": "score",
            "tests": ["not_null", {"accepted_range": {"min": 0, "max": 0.999999}}],
        },
        "kind": {"type": "string", "description": "kind", "tests": [{"accepted_values": {"values": ["a", "b"]}}]},
    }
    table = parse_tables({"core/bench/table": {"key": ["id"], "columns": columns}}, "benchmark")["core/bench/table"]
    started = time.perf_counter()
    around = Around(frame_bytes=-1 if route == "sql" else 1 << 60, spill=path.parent / "spill")
    outcomes = run_tests(path, table, table.declared_tests(), around)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    failing = {name: outcome.failing_rows for name, outcome in outcomes.items()}
    print(json.dumps({"seconds": seconds, "peak": peak, "failing": failing}))


if __name__ == "__main__":
    run(Path(sys.argv[2]), sys.argv[3]) if "--child" in sys.argv else main()
