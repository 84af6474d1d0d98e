"""How this platform declares an asset: a plain function becomes one with key, schema, version and provenance.

A body reads its inputs, calls one domain function and returns a value, or `Made(value, metadata)`. It may also ask, by
parameter name, for `settings` (the profile), `partition` (the partition key) or `platform` (raw assets only).
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg

from genoplatform.assets.automation import of_layer
from genoplatform.assets.upstream import (
    STORED,
    Ins,
    Stored,
    Upstream,
    choices,
    chosen_values,
    input_references,
)
from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.provenance import PinRef
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import STATED
from genoplatform.resources.events import tell
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.sole_maker import sole_maker
from genoplatform.resources.store_io import PIN, Envelope

OWNERS = ["team:genoplatform"]
COHORT_LISTS = dg.StaticPartitionsDefinition(["standard", "hard"])
_EXTRAS = {"settings", "partition", "platform"}
_GUARD = "guard"  # of the published layer, see dbt_like_checks/guard.py


@dataclass(frozen=True)
class Made:
    """What a body returns when it has something to show beside its value.

    `data_version` stands for the content where its bytes do not (an index is known by its fingerprint).
    """

    value: Any
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pin: PinRef | None = None
    recorded: Mapping[str, Any] = field(default_factory=dict)
    data_version: str | None = None


def asset_name(key: dg.AssetKey) -> str:
    """`layer/domain/name` of a key."""
    return "/".join(key.path)


def platform_asset(
    key: str,
    *,
    io: str,
    version: str,
    kinds: Sequence[str],
    ins: Ins | None = None,
    reads: Sequence[str] = (),
    partitions: dg.PartitionsDefinition[str] | None = None,
    slot: str | None = None,
    needs: Sequence[str] = (),
    **dagster_arguments: Any,
) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """Declare an asset.

    Args:
        key: `layer/domain/name`; also gives the group, `layer_domain`.
        io: format name: parquet, json, npz, directory, or pin.
        version: code version; raise it when the body's meaning changes.
        kinds: what the UI shows as badges.
        ins: parameter name -> key of the upstream asset, or an `Upstream` with a choice of its partitions.
        reads: sections of the profile whose values the result depends on; recorded as parameters.
        partitions: partitions definition, if any.
        slot: the profile's slot a raw asset pins.
        needs: resources the body asks for by parameter name, beside the platform.
        dagster_arguments: handed to `dagster.asset` (pool, tags, ...), over those of the layer (`automation`).
    """
    layer, domain, _ = key.split("/")
    upstream = dict(ins or {})
    STORED[key] = Stored("json" if io == PIN else io, partitions, choices(upstream))

    def decorate(body: Callable[..., Any]) -> dg.AssetsDefinition:
        extras = _extras(key, body, upstream, needs)

        def compute(context: dg.AssetExecutionContext, **inputs: Any) -> Iterator[dg.MaterializeResult[Envelope]]:
            with _alone(context, key):  # Dagster stores what is yielded before it comes back: the writing is covered
                yield _materialise(context, body, inputs, extras, tuple(reads), upstream, version)

        declared: dg.AssetsDefinition = dg.asset(
            key=key.split("/"),
            ins={name: dg.AssetIn(key=key.split("/")) for name, key in upstream.items() if isinstance(key, str)},
            deps=_chosen_deps(upstream),
            group_name=f"{layer}_{domain}",
            description=inspect.getdoc(body),
            owners=OWNERS,
            kinds=set(kinds),
            code_version=version,
            io_manager_key=io,
            partitions_def=partitions,
            metadata=_declared_metadata(key, io, reads, slot),
            required_resource_keys={"platform", *needs, *([_GUARD] if layer == "out" else [])},
            **{**of_layer(layer, partitions), **dagster_arguments},
        )(compute)
        return declared

    return decorate


def _alone(context: dg.AssetExecutionContext, key: str) -> AbstractContextManager[Any]:
    """Hold the artefact of this run's partition, so that two runs never make it at once."""
    platform: PlatformResource = context.resources.platform
    partition = context.partition_key if context.has_partition_key else None
    artefact = platform.artefact(key, partition, STORED[key].kind)
    return sole_maker(platform.home_path, platform.store(), artefact, context.log.info)


def _chosen_deps(upstream: Ins) -> list[dg.AssetDep]:
    every = dg.AllPartitionMapping()
    return [
        dg.AssetDep(item.asset.split("/"), partition_mapping=every)
        for item in upstream.values()
        if isinstance(item, Upstream)
    ]


def _extras(key: str, body: Callable[..., Any], upstream: Ins, needs: Sequence[str]) -> list[str]:
    extras = [name for name in inspect.signature(body).parameters if name not in upstream]
    if unknown := set(extras) - _EXTRAS - set(needs):
        raise TypeError(f"{key}: parameters {sorted(unknown)} are neither inputs nor one of {sorted(_EXTRAS)}")
    return extras


def _declared_metadata(key: str, io: str, reads: Sequence[str], slot: str | None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"genoplatform/io": io, "genoplatform/reads": list(reads)}
    if slot is not None:
        metadata["genoplatform/slot"] = slot
    if (table := declared_tables().get(key)) is not None:
        metadata["dagster/column_schema"] = table.table_schema()
    return metadata


def _materialise(
    context: dg.AssetExecutionContext,
    body: Callable[..., Any],
    inputs: dict[str, Any],
    extras: list[str],
    reads: tuple[str, ...],
    upstream: Ins,
    version: str,
) -> dg.MaterializeResult[Envelope]:
    from genoplatform.provenance.canonical import content_sha256

    platform: PlatformResource = context.resources.platform
    profile = platform.settings()
    partition = context.partition_key if context.has_partition_key else None
    offered = {"settings": profile, "platform": platform, "partition": partition}
    tell("making", asset_name(context.asset_key), partition)
    if context.asset_key.path[0] == "out":
        context.resources.guard.refuse(
            platform, asset_name(context.asset_key), input_references(upstream, partition, platform)
        )
    asked = {name: offered[name] if name in offered else getattr(context.resources, name) for name in extras}
    made = body(**inputs, **chosen_values(upstream, partition, platform), **asked)
    if not isinstance(made, Made):
        made = Made(made)
    data_version = made.data_version or (made.pin.sha256 if made.pin is not None else content_sha256(made.value))
    envelope = Envelope(
        value=made.value,
        data_version=data_version,
        code_version=version,
        parameters=profile.parameters(reads),
        inputs=input_references(upstream, partition, platform, as_read=True),
        pin=made.pin,
        recorded=dict(made.recorded) | ({STATED: made.data_version} if made.data_version else {}),
    )
    return dg.MaterializeResult(
        value=envelope,
        data_version=dg.DataVersion(data_version),
        metadata={**_shape_metadata(made.value), **made.metadata},
    )


def _shape_metadata(value: Any) -> dict[str, Any]:
    if not hasattr(value, "columns"):
        if isinstance(value, Path):
            return {"dagster/row_count": sum(1 for item in value.rglob("*") if item.is_file())}
        rows = len(value) if isinstance(value, dict | list) else 1
        return {"dagster/row_count": rows}
    columns = [dg.TableColumn(str(name), str(kind)) for name, kind in value.dtypes.items()]
    return {"dagster/row_count": len(value), "dagster/column_schema": dg.TableSchema(columns=columns)}


def known_formats() -> list[str]:
    """Every value `io` may have."""
    return [PIN, *FORMATS]
