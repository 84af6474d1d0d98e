"""Pools, limits, priorities and automation as declared; and what automation does, evaluated tick by tick."""

from datetime import timedelta

import dagster as dg
import pytest

from genoplatform.assets.automation import FOLLOWED, follows_inputs
from genoplatform.definitions import defs
from genoplatform.resources.pools import POOLS
from genoplatform.sensors.automation import BACKGROUND, follow_inputs, pins_to_obtain

# What opens the embedder, the index or the cross-encoder; what asks a model; what runs Java; what moves most data.
IN_POOLS = {
    "gpu": {"core/retrieval/embeddings", "core/retrieval/collection", "eval/agents/search_cells"},
    "llm": {"eval/agents/judge", "eval/agents/sensitivity", "eval/agents/ablation"},
    "java": {"eval/prioritisation/exomiser_scores", "eval/prioritisation/lirical_scores"},
    "io": {"raw/literature/articles", "core/literature/articles", "core/literature/chunks", "raw/expression/cohort"},
}
NEEDS = {"llm": {"llm"}, "gpu": {"embedder", "reranker", "vector_index"}, "java": {"exomiser", "lirical"}}


def name(asset: dg.AssetsDefinition) -> str:
    return "/".join(asset.key.path)


def assets() -> dict[str, dg.AssetsDefinition]:
    return {name(asset): asset for asset in defs.assets}


def pool(asset: dg.AssetsDefinition) -> str | None:
    return asset.op.pool


def test_pools_are_the_machine_s_four():
    assert POOLS == ("gpu", "llm", "io", "java")
    used = {found for asset in defs.assets if (found := pool(asset))}
    assert used == set(POOLS), "no asset waits for a pool that is not there, and none is idle"
    for expected, names in IN_POOLS.items():
        assert {key: pool(assets()[key]) for key in names} == dict.fromkeys(names, expected)


@pytest.mark.parametrize("asset", defs.assets, ids=name)
def test_whoever_needs_what_there_is_one_of_is_in_its_pool(asset):
    needs = asset.required_resource_keys
    if needs & NEEDS["gpu"]:
        assert pool(asset) == "gpu", "a model server's too: the embedded index lets one process in"
    elif needs & NEEDS["llm"]:
        assert pool(asset) == "llm"
    elif needs & NEEDS["java"]:
        assert pool(asset) == "java"
    else:
        assert pool(asset) in (None, "io")


def test_checks_that_open_the_index_wait_for_it_too():
    for check in defs.asset_checks:
        if "vector_index" in check.required_resource_keys:
            assert check.op.pool == "gpu"


@pytest.mark.parametrize("asset", defs.assets, ids=name)
def test_no_step_is_repeated_blindly(asset):
    """Retries of transient faults are where the fault is: downloads, the model's and the index's servers, Java's cases.

    A step that failed has failed: its error is permanent for run retries (`retry_on_asset_or_op_failure: false`) and
    for automation (below).
    """
    assert asset.op.retry_policy is None


@pytest.mark.parametrize("asset", defs.assets, ids=name)
def test_layers_follow_or_are_looked_at(asset):
    (spec,) = asset.specs
    layer = spec.key.path[0]
    assert (spec.automation_condition is not None) is (layer in FOLLOWED)
    if spec.automation_condition is not None:
        assert spec.automation_condition.get_label() == "follows_inputs"
    assert (spec.freshness_policy is not None) is (layer == "raw" and asset.partitions_def is None)


def test_background_runs_yield_and_end():
    schedules = {schedule.name: schedule for schedule in defs.schedules}
    jobs = {job.name: job for job in defs.jobs}
    background = [
        follow_inputs.run_tags,
        jobs["obtain_pins"].tags,
        jobs["stage_release"].tags,
        jobs["audit_store"].tags,
    ]
    for tags in background:
        assert int(tags["dagster/priority"]) < 0
        assert 0 < int(tags["dagster/max_runtime"]) <= 24 * 3600
    assert BACKGROUND["dagster/max_retries"] == "1", "of a worker that died; a failed step is never tried again"
    assert follow_inputs.default_status == dg.DefaultSensorStatus.STOPPED
    assert schedules["weekly_pins"].cron_schedule < schedules["weekly_audit"].cron_schedule, "the same day, before it"


def test_pins_are_looked_at_more_often_than_they_grow_stale():
    due = pins_to_obtain()
    fresh = {spec.key for asset in defs.assets for spec in asset.specs if spec.freshness_policy is not None}
    assert set(due) == fresh
    for asset in defs.assets:
        (spec,) = asset.specs
        if spec.freshness_policy is not None:
            assert spec.freshness_policy.warn_window.to_timedelta() > timedelta(days=7)


# --- what automation does -------------------------------------------------------------------------------------------

VERSIONS = {"source": "1"}
FAULTS: set[str] = set()


@dg.asset
def source() -> dg.MaterializeResult:
    return dg.MaterializeResult(data_version=dg.DataVersion(VERSIONS["source"]))


@dg.asset_check(asset=source, blocking=True)
def sound() -> dg.AssetCheckResult:
    return dg.AssetCheckResult(passed="red" not in FAULTS)


@dg.asset(deps=[source], automation_condition=follows_inputs())
def middle() -> dg.MaterializeResult:
    if "middle" in FAULTS:
        raise dg.Failure("permanent failure", allow_retries=False)
    return dg.MaterializeResult(data_version=dg.DataVersion(f"of {VERSIONS['source']}"))


@dg.asset(deps=[middle], automation_condition=follows_inputs())
def result() -> dg.MaterializeResult:
    return dg.MaterializeResult(data_version=dg.DataVersion(f"from {VERSIONS['source']}"))


WORLD = dg.Definitions(assets=[source, middle, result], asset_checks=[sound])


class Days:
    """Ticks of the sensor on an instance of its own; what it asks for is run only when a test does so."""

    def __init__(self) -> None:
        self.instance = dg.DagsterInstance.ephemeral()
        self.cursor = None

    def tick(self) -> set[str]:
        """Assets asked for."""
        found = dg.evaluate_automation_conditions(defs=WORLD, instance=self.instance, cursor=self.cursor)
        self.cursor = found.cursor
        return {key.to_user_string() for key in (source.key, middle.key, result.key) if found.get_num_requested(key)}

    def run(self, *wanted: dg.AssetsDefinition, checks: bool = True) -> bool:
        """A person, or the daemon, runs these."""
        selection = dg.AssetSelection.assets(*wanted)
        if not checks:
            selection = selection.without_checks()
        jobs = dg.Definitions(
            assets=[source, middle, result], asset_checks=[sound], jobs=[dg.define_asset_job("job", selection)]
        )
        done = jobs.resolve_job_def("job").execute_in_process(instance=self.instance, raise_on_error=False)
        return done.success


@pytest.fixture
def days():
    VERSIONS["source"] = "1"
    FAULTS.clear()
    days = Days()
    assert days.run(source, middle, result)
    assert days.tick() == set()
    return days


def test_nothing_is_asked_for_while_nothing_changes(days):
    assert [days.tick() for _ in range(3)] == [set(), set(), set()]


def test_other_content_is_followed_through_the_graph_once(days):
    VERSIONS["source"] = "2"
    days.run(source)
    assert days.tick() == {"middle", "result"}, "in one run, the one after the other"
    assert days.run(middle, result)
    assert [days.tick(), days.tick()] == [set(), set()]


def test_the_same_content_again_starts_nothing(days):
    days.run(source)
    assert [days.tick(), days.tick()] == [set(), set()]


def test_a_red_blocking_check_upstream_stops_automation_until_it_is_green(days):
    VERSIONS["source"] = "2"
    FAULTS.add("red")
    days.run(source)
    assert [days.tick(), days.tick()] == [set(), set()]
    FAULTS.clear()
    days.run(source)
    assert "middle" in days.tick()


def test_a_check_that_has_not_run_has_not_passed():
    VERSIONS["source"] = "1"
    FAULTS.clear()
    days = Days()
    days.run(source, checks=False)
    days.run(middle, result)
    assert days.tick() == set()
    VERSIONS["source"] = "2"
    days.run(source, checks=False)
    assert [days.tick(), days.tick()] == [set(), set()]
    days.run(source)
    assert "middle" in days.tick()


def test_a_run_that_failed_is_not_asked_for_again(days):
    VERSIONS["source"] = "2"
    FAULTS.add("middle")
    days.run(source)
    assert days.tick() == {"middle", "result"}
    assert not days.run(middle, result)
    assert [days.tick() for _ in range(3)] == [set(), set(), set()]
    FAULTS.clear()
    VERSIONS["source"] = "3"
    days.run(source)
    assert days.tick() == {"middle", "result"}, "until its input changes again"


def test_a_missing_input_is_waited_for():
    VERSIONS["source"] = "1"
    FAULTS.clear()
    days = Days()
    assert [days.tick(), days.tick()] == [set(), set()]
    days.run(source)
    assert "middle" in days.tick()
