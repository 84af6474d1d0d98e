"""What an asset is made from: which partitions of which upstream assets, read from the store, named by their sidecars.

Identity and one-for-all are Dagster's own; `Upstream` is for inputs whose partitions are chosen by name from a set that
grows with the data, which Dagster's lineage shows as the whole asset and the sidecar names one by one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from genoplatform.provenance import InputRef, read_sidecar
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.partition_keys import keys_in
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import read_verified, require_as_read

Choice = Callable[[str | None, Sequence[str]], list[str]]


def every_partition(partition: str | None, upstream: Sequence[str]) -> list[str]:
    """All there are."""
    return list(upstream)


def same_trait(partition: str | None, upstream: Sequence[str]) -> list[str]:
    """Of `Trait|Cohort` keys those of a problem `Trait|Condition`: of its trait, and of a condition that is a trait."""
    traits = (partition or "").split("|")
    return [key for key in upstream if key.split("|")[0] in traits]


@dataclass(frozen=True)
class Upstream:
    """An input that arrives as {partition: value}, of the partitions that `choose` picks; directories come as paths.

    Attributes:
        asset: `layer/domain/name` of a partitioned asset.
        choose: (partition of the run or None, keys there are) -> keys to read; pure.
    """

    asset: str
    choose: Choice = every_partition


Ins = Mapping[str, str | Upstream]


@dataclass(frozen=True)
class Stored:
    """How an asset lies in the store, file format and partitions, and which partitions it chooses of what it reads."""

    kind: str
    partitions: dg.PartitionsDefinition[str] | None
    choices: Mapping[str, Choice] = field(default_factory=dict)


# Filled by `platform_asset`: a run names its inputs by their sidecars, so it must know where those lie.
STORED: dict[str, Stored] = {}


def upstream_name(item: str | Upstream) -> str:
    """Asset name of an input."""
    return item if isinstance(item, str) else item.asset


def choices(ins: Ins) -> dict[str, Choice]:
    """Choice of partitions by upstream asset, of the inputs that have one."""
    return {item.asset: item.choose for item in ins.values() if isinstance(item, Upstream)}


def chosen_values(ins: Ins, partition: str | None, platform: PlatformResource) -> dict[str, dict[str, Any]]:
    """Values of the `Upstream` inputs by parameter name, each {partition: verified value}."""
    found = {}
    for name, item in ins.items():
        if isinstance(item, Upstream):
            stored = STORED[item.asset]
            found[name] = {
                key: read_verified(platform.artefact(item.asset, key, stored.kind), FORMATS[stored.kind])
                for key in item.choose(partition, keys_in(_partitions(item.asset), platform))
            }
    return found


def input_references(
    ins: Ins, partition: str | None, platform: PlatformResource, *, as_read: bool = False
) -> list[InputRef]:
    """The upstream artefacts a run reads, by their sidecars, sorted by asset and partition.

    Args:
        ins: inputs of the asset.
        partition: partition of the run, or None.
        platform: home and profile.
        as_read: refuse (IntegrityError) what another run made again since this process read it: the record would name
            bytes that nobody computed with.
    """
    found = []
    chosen = choices(ins)
    for asset in sorted({upstream_name(item) for item in ins.values()}):
        stored = STORED[asset]
        for key in partitions_read(stored.partitions, partition, chosen.get(asset), platform):
            path = platform.artefact(asset, key, stored.kind)
            reference = read_sidecar(path).reference()
            if as_read:
                require_as_read(path, reference.sha256)
            found.append(reference)
    return found


def partitions_read(
    upstream: dg.PartitionsDefinition[str] | None,
    partition: str | None,
    choose: Choice | None,
    platform: PlatformResource,
) -> list[str | None]:
    """Chosen partitions; else the partition of the run, if the upstream asset has it; of any other, all there are."""
    if upstream is None:
        return [None]
    keys = keys_in(upstream, platform)
    if choose is not None:
        return [*choose(partition, keys)]
    return [partition] if partition is not None and partition in keys else [*keys]


def _partitions(asset: str) -> dg.PartitionsDefinition[str]:
    partitions = STORED[asset].partitions
    if partitions is None:
        raise TypeError(f"{asset} has no partitions to choose from")
    return partitions
