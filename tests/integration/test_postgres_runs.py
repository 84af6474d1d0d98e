"""A hundred runs on a PostgreSQL-backed instance, four at a time: none is lost, no pool ever holds more than it may.

Judged by the event log alone. Run workers are processes that the code server forks (preloaded.py): as fresh
interpreters they would take ten minutes of a core, and mean the same.
"""

from collections import Counter
from collections.abc import Iterable

import dagster as dg
import pytest
from pooled_location import EACH, POOLS
from postgres import running_cluster
from stage import Stage, compose_settings, running_stage, until

RUNS, AT_ONCE = 100, 4
LIMITS = {"gpu": 1, "llm": 1, "io": 2, "java": 1}  # io has a limit of its own; the others have the default of one
LOCATION = "pooled_location"


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    settings = compose_settings()
    assert settings["concurrency"]["runs"]["max_concurrent_runs"] == AT_ONCE
    folder = tmp_path_factory.mktemp("postgres-runs")
    with running_cluster() as cluster, running_stage(cluster, folder, [LOCATION], settings) as stage:
        stage.instance.event_log_storage.set_concurrency_slots("io", LIMITS["io"])
        yield stage


def asset(pool: str, number: int) -> str:
    return f"pooled/{pool}_{number % EACH}"


@pytest.fixture(scope="module")
def hundred(stage: Stage) -> dict[str, str]:
    """Run id -> asset of a hundred runs, all over."""
    wanted = [asset(pool, number) for number in range(RUNS // len(POOLS)) for pool in POOLS]
    ids = {stage.launch(LOCATION, [name]): name for name in wanted}
    for run_id in ids:
        stage.finished(run_id)
    return ids


def most_at_once(intervals: Iterable[tuple[float, float]]) -> int:
    """The largest number of intervals that share a moment; one that ends when another starts does not."""
    changes = sorted((moment, step) for start, end in intervals for moment, step in ((start, 1), (end, -1)))
    most = now = 0
    for _, step in changes:
        now += step
        most = max(most, now)
    return most


def step_intervals(stage: Stage, run_ids: Iterable[str]) -> list[tuple[float, float]]:
    """Start and end of every step, from the event log."""
    found = []
    for run_id in run_ids:
        times = {
            entry.dagster_event.event_type_value: entry.timestamp
            for entry in stage.events(run_id)
            if entry.is_dagster_event
        }
        found.append((times["STEP_START"], times["STEP_SUCCESS"]))
    return found


def test_most_at_once_counts_what_overlaps():
    assert most_at_once([(0, 2), (1, 3), (2, 4)]) == 2
    assert most_at_once([(0, 5), (1, 2), (1, 3), (4, 6)]) == 3
    assert most_at_once([]) == 0


def test_none_of_a_hundred_runs_is_lost(stage, hundred):
    assert len(hundred) == RUNS
    known = {run.run_id: run.status for run in stage.instance.get_runs()}
    assert {run_id: known[run_id].value for run_id in hundred} == dict.fromkeys(hundred, "SUCCESS")
    made = Counter()
    for pool in POOLS:
        for number in range(EACH):
            key = dg.AssetKey(asset(pool, number).split("/"))
            records = stage.instance.fetch_materializations(key, limit=RUNS).records
            made.update({record.run_id: 1 for record in records})
    assert made == Counter(dict.fromkeys(hundred, 1)), "each run materialised its asset, once"


def test_four_run_at_a_time_and_never_more(stage, hundred):
    records = stage.instance.get_run_records(dg.RunsFilter(run_ids=list(hundred)))
    most = most_at_once((record.start_time, record.end_time) for record in records)
    assert 2 <= most <= AT_ONCE


@pytest.mark.parametrize("pool", POOLS)
def test_no_pool_ever_holds_more_than_its_limit(stage, hundred, pool):
    mine = [run_id for run_id, name in hundred.items() if name.startswith(f"pooled/{pool}_")]
    assert len(mine) == RUNS // len(POOLS)
    assert 1 <= most_at_once(step_intervals(stage, mine)) <= LIMITS[pool]


def test_pools_do_not_wait_for_each_other(stage, hundred):
    """Else the limits would have been kept by running everything in turn."""
    assert most_at_once(step_intervals(stage, hundred)) >= 2


def test_every_slot_is_returned(stage, hundred):
    until(lambda: all(stage.free_slots().values()), "the slots")
    assert set(stage.free_slots()) == set(POOLS)


def test_urgent_runs_overtake_the_queue(stage, hundred):
    """Six runs want the one slot of a pool; the last to come asks for priority."""
    usual = [stage.launch(LOCATION, [asset("gpu", number)]) for number in range(5)]
    urgent = stage.launch(LOCATION, [asset("gpu", 5)], {"dagster/priority": "10"})
    for run_id in (*usual, urgent):
        assert stage.finished(run_id) == dg.DagsterRunStatus.SUCCESS
    records = stage.instance.get_run_records(dg.RunsFilter(run_ids=[*usual, urgent]))
    started = [record.dagster_run.run_id for record in sorted(records, key=lambda record: record.start_time)]
    assert started.index(urgent) < started.index(usual[-1])
    assert all(stage.alive().values()), "and nothing fell over"
