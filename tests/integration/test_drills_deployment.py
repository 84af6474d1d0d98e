"""Faults of a deployment while it works: workers killed, the database restarted, two runs at once, the clock set.

After each: nothing half made can be read, nothing is green that is not right, the next run recovers, and every pool has
its slots back. One deployment lives through all of it.
"""

import os
import random
import signal
import time

import dagster as dg
import pytest
from drill_location import ALONE, CHAIN, CHECK, FAILING, HANGING, LEAVE, SHARDS, TOTAL, TRACE
from drills import files, findings, green, home_of, readable
from postgres import running_cluster
from stage import Stage, compose_settings, running_stage, until
from wall_clock import DAY_S, WallClock, make_clock

from genoplatform.provenance import read_sidecar

LOCATION = "drill_location"
SUCCESS, FAILURE = dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE
KILLS, SEED = 10, 20260606


@pytest.fixture(scope="module")
def clock(tmp_path_factory) -> WallClock | None:
    return make_clock(tmp_path_factory.mktemp("clock"))


@pytest.fixture(scope="module")
def stage(tmp_path_factory, clock):
    folder = tmp_path_factory.mktemp("drills")
    variables = {"GENOPLATFORM_HOME": str(folder / "home"), "GENOPLATFORM_PROFILE": "embedded"}
    variables |= clock.environment if clock else {}
    with (
        running_cluster() as cluster,
        running_stage(cluster, folder, [LOCATION], compose_settings(), variables) as stage,
    ):
        yield stage


@pytest.fixture(scope="module")
def platform(stage: Stage):
    return home_of(stage.folder / "home")


@pytest.fixture(scope="module")
def undisturbed(stage: Stage, platform):
    """What a run that nothing disturbs leaves: its events and its files."""
    run_id = stage.launch(LOCATION, list(CHAIN))
    assert stage.finished(run_id) == SUCCESS
    assert readable(platform) == set(CHAIN)
    assert green(platform)
    return stage.events(run_id), files(platform)


def whole(platform, undisturbed) -> dict[str, str]:
    """What should lie in the store: the chain as undisturbed, and what other drills made beside it."""
    return undisturbed[1] | {name: digest for name, digest in files(platform).items() if ALONE in name}


def kinds(stage: Stage, run_id: str) -> list[str]:
    return [entry.dagster_event.event_type_value for entry in stage.events(run_id) if entry.dagster_event]


def recovered(stage: Stage, platform, expected: dict[str, str]) -> None:
    """The next run makes everything again, as if nothing had been."""
    assert stage.finished(stage.launch(LOCATION, list(CHAIN))) == SUCCESS
    assert files(platform) == expected
    assert findings(platform) == []
    assert green(platform)
    until(lambda: all(stage.free_slots().values()), "the slots")
    assert all(stage.alive().values()), stage.last_words()


def killed_after(stage: Stage, run_id: str, events: int, jitter_s: float) -> None:
    """Kill the worker of a run once it has got so far."""
    worker = stage.worker(run_id)
    until(lambda: len(stage.events(run_id)) >= events, f"{events} events of {run_id}", pause_s=0.02)
    time.sleep(jitter_s)
    os.kill(worker, signal.SIGKILL)


def test_workers_killed_at_random_points(stage, platform, undisturbed):
    events, _ = undisturbed
    chance = random.Random(SEED)
    first = next(at for at, entry in enumerate(events) if "Started process" in str(entry.dagster_event)) + 1
    points = sorted(chance.sample(range(first, len(events) - 3), KILLS))
    for point in points:
        run_id = stage.launch(LOCATION, list(CHAIN))
        killed_after(stage, run_id, point, chance.uniform(0, 0.05))
        assert stage.finished(run_id) == FAILURE, f"killed after {point} of {len(events)} events"
        there = readable(platform)
        assert not green(platform) or TOTAL in there, "green is right"
    recovered(stage, platform, whole(platform, undisturbed))


def test_a_run_whose_worker_died_is_tried_again_if_it_asks_for_that(stage, platform, undisturbed):
    run_id = stage.launch(LOCATION, list(CHAIN), {"dagster/max_retries": "1"})
    killed_after(stage, run_id, len(undisturbed[0]) // 2, 0.0)
    assert stage.finished(run_id) == FAILURE

    def second() -> str:
        filters = dg.RunsFilter(tags={"dagster/parent_run_id": run_id})
        return next((run.run_id for run in stage.instance.get_runs(filters=filters)), "")

    assert stage.finished(until(second, "the second try")) == SUCCESS
    assert files(platform) == whole(platform, undisturbed)


def test_a_step_that_failed_has_failed_for_good(stage, undisturbed):
    """However often the run may be tried: trying again does not mend bad data."""
    (stage.folder / "home" / LEAVE).touch()
    run_id = stage.launch(LOCATION, [FAILING], {"dagster/max_retries": "3"})
    assert stage.finished(run_id) == FAILURE
    assert "STEP_UP_FOR_RETRY" not in kinds(stage, run_id)
    # A run that comes later in the event log has come and gone: the daemon has seen the failure too, and let it be.
    assert stage.finished(stage.launch(LOCATION, [ALONE])) == SUCCESS
    time.sleep(3)
    assert list(stage.instance.get_runs(filters=dg.RunsFilter(tags={"dagster/parent_run_id": run_id}))) == []


def test_a_run_that_hangs_is_ended_and_gives_its_pool_back(stage, platform, undisturbed):
    run_id = stage.launch(LOCATION, [HANGING], {"dagster/max_runtime": "2"})
    assert stage.finished(run_id) == FAILURE
    until(lambda: all(stage.free_slots().values()), "the slots")
    assert stage.finished(stage.launch(LOCATION, [SHARDS])) == SUCCESS, "the same pool"
    assert files(platform) == whole(platform, undisturbed)


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_the_database_restarts_in_the_middle_of_a_run(stage, platform, undisturbed, how):
    """In an orderly way, and as after a crash. The run may fail; it may not lie."""
    run_id = stage.launch(LOCATION, list(CHAIN))
    until(lambda: f"{SHARDS.replace('/', '__')}" in str(stage.events(run_id)[-1]), "the middle", pause_s=0.02)
    stage.cluster.stop(how)
    time.sleep(1)
    stage.cluster.start()
    status = stage.finished(run_id)
    made = [
        e.dagster_event.asset_key.to_user_string()
        for e in stage.events(run_id)
        if e.dagster_event and e.dagster_event.is_step_materialization
    ]
    assert status != SUCCESS or made == list(CHAIN), "a run that succeeded has said of every asset that it made it"
    assert set(made) <= readable(platform)
    known = {run.run_id for run in stage.instance.get_runs()}
    assert run_id in known
    recovered(stage, platform, whole(platform, undisturbed))


def test_two_runs_of_one_asset_at_once_take_turns(stage, platform, undisturbed):
    """No pool keeps them apart; the second waits for the first, and both are recorded."""
    trace, leave = platform.home_path / TRACE, platform.home_path / LEAVE
    leave.unlink(missing_ok=True)
    trace.write_text("")

    def waits(run_id: str) -> list[str]:
        return [text for entry in stage.events(run_id) if "another run is making" in (text := entry.user_message or "")]

    first = stage.launch(LOCATION, [ALONE])
    until(lambda: trace.read_text().startswith("in"), "the first run to be inside")
    second = stage.launch(LOCATION, [ALONE])
    told = until(lambda: waits(second), "the second to wait")
    leave.touch()
    assert [stage.finished(run_id) for run_id in (first, second)] == [SUCCESS, SUCCESS]
    assert told == [f"another run is making {ALONE}.json; waiting for it to end"]
    assert waits(first) == []
    lines = [line.split() for line in trace.read_text().splitlines()]
    assert [what for what, _ in lines] == ["in", "out", "in", "out"]
    assert len({process for _, process in lines}) == 2
    assert findings(platform) == []


@pytest.mark.parametrize("days", [30, -30])
def test_the_clock_is_set_in_the_middle_of_a_run(stage, platform, undisturbed, clock, days):
    """Nothing made holds the time of day: forward or back, the bytes are the same, and later runs are runs as any.

    Dagster's daemon waits by the time of day: set back, it stands still until it is restarted (docs/deployment.md).
    """
    if clock is None:
        pytest.skip("no C compiler for a clock that can be set")
    expected = whole(platform, undisturbed)
    run_id = stage.launch(LOCATION, list(CHAIN))
    until(lambda: SHARDS.replace("/", "__") in str(stage.events(run_id)[-1]), "the middle", pause_s=0.02)
    clock.jump(days * DAY_S)
    status = stage.finished(run_id)
    # A month on is more than a run may take: the daemon may end it. Then it failed, and did not lie.
    assert status == SUCCESS or days > 0
    assert not green(platform) or TOTAL in readable(platform)
    for ahead in (days * DAY_S, 0):
        back = ahead < 0 or (ahead == 0 and days > 0)
        clock.jump(ahead)
        if back:
            stage.restart("daemon")
        recovered(stage, platform, expected)


def test_every_check_that_the_log_calls_passed_is_recorded_for_the_bytes_there_are(stage, platform, undisturbed):
    """After all of the above: the event log and the store tell one story."""
    key = dg.AssetCheckKey(dg.AssetKey(TOTAL.split("/")), CHECK)
    history = stage.instance.event_log_storage.get_asset_check_execution_history(key, limit=1)
    assert history[0].status.value == "SUCCEEDED"
    assert green(platform)
    for asset in CHAIN:
        event = stage.instance.get_latest_materialization_event(dg.AssetKey(asset.split("/")))
        version = event.asset_materialization.tags["dagster/data_version"]
        assert read_sidecar(platform.artefact(asset, None, CHAIN[asset])).data_version == version
    leftovers = [path.name for path in platform.store().rglob(".*")]
    assert leftovers == []
