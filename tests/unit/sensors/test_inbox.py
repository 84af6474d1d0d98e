"""What of the inbox is taken, and when."""

import dagster as dg
import pytest

from genoplatform.resources.partition_keys import KINDS, keys_of
from genoplatform.resources.platform import PlatformResource
from genoplatform.sensors.inbox import PER_TICK, new_partitions, phenopacket_inbox, settled

OLD, NEW = [10, 1], [20, 2]


@pytest.mark.parametrize(
    ("now", "waiting", "done", "ready"),
    [
        ({"a": OLD}, {}, {}, {}),  # first seen: it may still arrive
        ({"a": OLD}, {"a": OLD}, {}, {"a": OLD}),  # as it was: taken
        ({"a": NEW}, {"a": OLD}, {}, {}),  # it changed between two looks
        ({"a": OLD}, {}, {"a": OLD}, {}),  # handled
        ({"a": NEW}, {"a": NEW}, {"a": OLD}, {"a": NEW}),  # handled, then replaced by another
    ],
)
def test_a_file_is_taken_once_it_has_stopped_changing(now, waiting, done, ready):
    assert settled(now, waiting, done)[1] == ready


def test_many_files_come_in_pages_and_none_is_lost():
    now = {f"{n:03d}": OLD for n in range(3 * PER_TICK)}
    waiting, done, taken = now, {}, []
    for _ in range(4):
        waiting, ready, done = settled(now, waiting, done)
        taken += ready
        done = {**done, **ready}
    assert taken == sorted(now)


def test_a_packet_is_asked_for_once_over_many_looks(tmp_path):
    platform = PlatformResource(home=str(tmp_path), profile="embedded")
    packets = tmp_path / "inbox" / "phenopackets"
    packets.mkdir(parents=True)
    (packets / "case.json").write_text("{}")
    cursor, keys = None, []
    with dg.instance_for_test() as instance:
        for _ in range(20):
            context = dg.build_sensor_context(instance=instance, cursor=cursor, resources={"platform": platform})
            data = phenopacket_inbox.evaluate_tick(context)
            cursor, keys = data.cursor, keys + [request.run_key for request in data.run_requests]
    assert len(keys) == 1
    assert keys[0].startswith("case.json:2:")


def test_partitions_the_profile_has_are_registered_once(tmp_path):
    platform = PlatformResource(home=str(tmp_path), profile="embedded")
    with dg.instance_for_test() as instance:
        context = dg.build_sensor_context(instance=instance, resources={"platform": platform})
        data = new_partitions.evaluate_tick(context)
        asked = {item.partitions_def_name: list(item.partition_keys) for item in data.dynamic_partitions_requests}
        assert asked == {kind: keys for kind in KINDS if (keys := keys_of(kind, platform))}
        for kind, keys in asked.items():
            instance.add_dynamic_partitions(kind, keys)
        assert not new_partitions.evaluate_tick(context).dynamic_partitions_requests
