"""The inbox: what people put there becomes partitions, or a ranking. A file is taken once it has stopped changing.

`<home>/inbox/phenopackets/*.json` are ranked, results go to `<home>/inbox/results/`. New cohorts of the profile's
expression directory, and new literature packages, become partitions as soon as the profile sees them.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import dagster as dg

from genoplatform.resources.partition_keys import KINDS, keys_of
from genoplatform.resources.platform import PlatformResource
from genoplatform.sensors.jobs import PatientConfig, rank_inbox_patient

PER_TICK = 10
State = Mapping[str, list[int]]  # file name -> [size, mtime in ns]


@dg.sensor(
    name="new_partitions",
    minimum_interval_seconds=300,
    description="Cohorts and packages that the profile's directories hold and the instance does not know yet.",
)
def new_partitions(context: dg.SensorEvaluationContext, platform: PlatformResource) -> dg.SensorResult | dg.SkipReason:
    """Register partitions that appeared; nothing is run and none is removed."""
    requests: list[dg.AddDynamicPartitionsRequest | dg.DeleteDynamicPartitionsRequest] = []
    for kind in KINDS:
        known = set(context.instance.get_dynamic_partitions(kind))
        if fresh := [key for key in keys_of(kind, platform) if key not in known]:
            requests.append(dg.AddDynamicPartitionsRequest(kind, fresh))
    if not requests:
        return dg.SkipReason("no new partition")
    return dg.SensorResult(dynamic_partitions_requests=requests)


@dg.sensor(
    name="phenopacket_inbox",
    job=rank_inbox_patient,
    minimum_interval_seconds=60,
    description="Phenopackets put into the inbox, each ranked once.",
)
def phenopacket_inbox(
    context: dg.SensorEvaluationContext, platform: PlatformResource
) -> dg.SensorResult | dg.SkipReason:
    """Ask for a ranking of every packet that is as it was at the last look and has no run yet."""
    inbox = platform.home_path / "inbox"
    seen: dict[str, State] = json.loads(context.cursor) if context.cursor else {"waiting": {}, "done": {}}
    waiting, ready, done = settled(look(inbox / "phenopackets"), seen["waiting"], seen["done"])
    requests = [_request(inbox, name, state) for name, state in ready.items()]
    cursor = json.dumps({"waiting": waiting, "done": {**done, **ready}}, sort_keys=True)
    if not requests:
        return dg.SensorResult(skip_reason=f"{len(waiting)} still arriving", cursor=cursor)
    return dg.SensorResult(run_requests=requests, cursor=cursor)


def look(folder: Path) -> dict[str, list[int]]:
    """Size and time of every packet that lies in the folder now."""
    found = {}
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        state = path.stat()
        found[path.name] = [state.st_size, state.st_mtime_ns]
    return found


def settled(now: State, waiting: State, done: State) -> tuple[State, State, State]:
    """Which files still arrive, which are ready, and which were handled; pure.

    Args:
        now: the folder as it is.
        waiting: files seen changing at the last look.
        done: files handled, as they were then; a file that left the folder is forgotten.

    Returns:
        (waiting, ready, done); at most `PER_TICK` are ready at once, the others keep waiting.
    """
    unhandled = {name: state for name, state in now.items() if done.get(name) != state}
    still = [name for name, state in unhandled.items() if waiting.get(name) == state]
    ready = {name: unhandled[name] for name in still[:PER_TICK]}
    left = {name: state for name, state in unhandled.items() if name not in ready}
    return left, ready, {name: state for name, state in done.items() if now.get(name) == state}


def _request(inbox: Path, name: str, state: list[int]) -> dg.RunRequest:
    config = PatientConfig(phenopacket=str(inbox / "phenopackets" / name), result=str(inbox / "results" / name))
    return dg.RunRequest(run_key=f"{name}:{state[0]}:{state[1]}", run_config=dg.RunConfig(ops={"rank_patient": config}))
