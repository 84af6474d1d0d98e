"""The store's IO managers: what they write beside a value, and that no read gets past a changed byte."""

import hashlib
import logging
import os
from types import SimpleNamespace

import dagster as dg
import numpy as np
import pandas as pd
import pytest
import yaml
from test_platform import CONTENT, catalogue_of

from genoplatform.provenance import InputRef, PinRef, UnsupportedTypeError, file_sha256, read_sidecar, verify_store
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import SidecarError, checks_path, sidecar_path
from genoplatform.resources import store_io
from genoplatform.resources.events import LOGGER
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import (
    Envelope,
    IntegrityError,
    PinIOManager,
    PinnedInput,
    StoreIO,
    read_verified,
    store_io_managers,
    verified,
    write_with_provenance,
)
from genoplatform.runner.nodes import Node
from genoplatform.runner.plan import make_plan

FRAME = pd.DataFrame({"id": ["a", "b"], "n": pd.array([1, None], dtype="Int64"), "l": [["x"], []]})
VALUES = {
    "parquet": FRAME,
    "json": {"a": [1, None]},
    "npz": {"x": np.arange(3)},
    "tables": {"one": FRAME},
    "directory": {"sub/index.html": b"<p>"},
}


@pytest.fixture
def platform(tmp_path):
    return PlatformResource(home=str(tmp_path / "home"), profile="embedded", offline=True)


def wrapped(value, **changes):
    return Envelope(**{"value": value, "data_version": content_sha256(value), "code_version": "1"} | changes)


def manager(platform, kind):
    return store_io_managers(platform)[kind].create_io_manager(None)


def dump(platform, kind, asset, value):
    """Store a value as Dagster would, without the weight of a context."""
    context = SimpleNamespace(asset_key=dg.AssetKey(asset.split("/")), has_asset_partitions=False)
    manager(platform, kind).dump_to_path(
        context, value, platform.artefact(asset, None, "json" if kind == "pin" else kind)
    )


@pytest.mark.parametrize("partition", [None, "standard", "v1.5"])
def test_every_format_goes_through_dagster_and_back(platform, partition):
    partitions = dg.StaticPartitionsDefinition([partition]) if partition else None
    seen = {}

    def writer(kind):
        @dg.asset(key=["core", "cohort", kind], io_manager_key=kind, partitions_def=partitions)
        def write():
            return dg.MaterializeResult(value=wrapped(VALUES[kind]))

        return write

    def reader(kind):
        upstream = {"value": dg.AssetIn(["core", "cohort", kind])}

        @dg.asset(key=["eval", "cohort", kind], io_manager_key="json", ins=upstream, partitions_def=partitions)
        def read(value):
            seen[kind] = content_sha256(value)
            return dg.MaterializeResult(value=wrapped(None))

        return read

    assets = [make(kind) for kind in VALUES for make in (writer, reader)]
    assert dg.materialize(assets, resources=store_io_managers(platform), partition_key=partition).success
    assert seen == {kind: content_sha256(value) for kind, value in VALUES.items()}
    for kind, version in seen.items():
        path = platform.artefact(f"core/cohort/{kind}", partition, kind)
        sidecar = read_sidecar(path)
        assert (sidecar.asset, sidecar.partition, sidecar.file) == (f"core/cohort/{kind}", partition, path.name)
        assert (sidecar.sha256, sidecar.data_version) == (file_sha256(path), version)


def test_the_sidecar_says_what_the_envelope_said(platform):
    used = InputRef(asset="raw/a/b", sha256="1" * 64, data_version="2" * 64)
    said = {"code_version": "7", "parameters": {"cohort": {"seed": 42}}, "inputs": [used]}
    path = platform.artefact("core/a/b", None, "parquet")
    sidecar = write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(FRAME, **said))
    assert read_sidecar(path) == sidecar
    assert {name: getattr(sidecar, name) for name in said} == said
    assert sidecar.bytes == path.stat().st_size
    assert len(sidecar.code.source_sha256) == 64


def test_writing_twice_gives_the_same_bytes_and_the_same_sidecar(platform):
    path = platform.artefact("core/a/b", None, "parquet")
    write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(FRAME))
    first = path.read_bytes(), sidecar_path(path).read_bytes()
    write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(FRAME))
    assert (path.read_bytes(), sidecar_path(path).read_bytes()) == first


@pytest.mark.parametrize("kind", VALUES)
def test_a_changed_byte_is_never_read(platform, kind):
    path = platform.artefact("core/a/b", None, kind)
    write_with_provenance(path, FORMATS[kind], "core/a/b", None, wrapped(VALUES[kind]))
    target = path if path.is_file() else next(item for item in path.rglob("*") if item.is_file())
    content = bytearray(target.read_bytes())
    content[len(content) // 2] ^= 1
    target.write_bytes(content)
    with pytest.raises(IntegrityError, match="sha256 recorded"):
        read_verified(path, FORMATS[kind])
    with pytest.raises(IntegrityError):
        manager(platform, kind).load_from_path(None, path)


def test_what_is_not_there_is_not_found(platform):
    with pytest.raises(FileNotFoundError):
        verified(platform.artefact("core/a/b", None, "parquet"))


@pytest.mark.parametrize("value", [FRAME, None, {"a": 1}, b"x"])
def test_only_envelopes_are_stored(platform, value):
    with pytest.raises(UnsupportedTypeError, match="core/a/b"):
        dump(platform, "json", "core/a/b", value)
    assert not platform.store().exists()


def test_a_value_of_another_format_is_not_stored_and_leaves_nothing_trusted(platform):
    path = platform.artefact("core/a/b", None, "parquet")
    write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(FRAME))
    with pytest.raises(UnsupportedTypeError):
        write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped({"a": 1}))
    with pytest.raises(SidecarError):
        verified(path)
    assert [item.name for item in path.parent.iterdir()] == ["b.parquet"]


def test_an_unknown_format_is_refused(platform):
    with pytest.raises(UnsupportedTypeError, match="pickle"):
        StoreIO(platform=platform, kind="pickle").create_io_manager(None)
    assert set(store_io_managers(platform)) == {"pin", "parquet", "json", "npz", "tables", "directory"}


def why_planned(platform):
    """Why the next run would make core/a/b again; None if it would not."""
    node = Node("core/a/b", "parquet", "1", (), None, (), (None,), frozenset())
    (task,) = make_plan({node.asset: node}, platform, {node.asset})
    return task.reason


STEPS = ["write_artefact", "file_sha256", "tree_bytes", "code_identity", "write_record"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("exists", [False, True], ids=["first write", "rewrite"])
def test_a_kill_before_the_sidecar_leaves_nothing_trusted(platform, monkeypatch, step, exists):
    """Whichever step of the write is the last one: the next read refuses, the next write mends."""
    path = platform.artefact("core/a/b", None, "parquet")
    other = pd.DataFrame({"id": ["c"]})
    if exists:
        write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(FRAME))
        checks_path(path).write_text("{}")
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(store_io, step, lambda *arguments: os._exit(9))
        write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(other))
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert not checks_path(path).exists()
    with pytest.raises((SidecarError, FileNotFoundError)):
        verified(path)
    assert why_planned(platform)
    write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(other))
    assert content_sha256(read_verified(path, FORMATS["parquet"])) == content_sha256(other)
    assert why_planned(platform) is None


def test_a_rewrite_takes_the_check_record_of_the_old_state_away(platform):
    path = platform.artefact("core/a/b", None, "parquet")
    write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(FRAME))
    checks_path(path).write_text("{}")
    write_with_provenance(path, FORMATS["parquet"], "core/a/b", None, wrapped(FRAME))
    assert not checks_path(path).exists()


@pytest.fixture
def pinned(tmp_path, monkeypatch):
    """A platform with a catalogue of one source, the pin of it, and the pin's artefact in the store."""
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "terms.obo").write_bytes(CONTENT)
    monkeypatch.setenv("GENOPLATFORM_MIRROR", str(tmp_path / "mirror"))
    settings = tmp_path / "catalogue.yml"
    settings.write_text(yaml.safe_dump(catalogue_of(CONTENT)))
    platform = PlatformResource(home=str(tmp_path / "home"), profile="embedded", catalogue=str(settings), offline=True)
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    pin = PinRef(source_id="terms@1", file_name="terms.obo", sha256=sha256, bytes=len(CONTENT))
    store_pin(platform, pin.model_dump(mode="json"), pin)
    return platform, pin, settings


def store_pin(platform, record, pin):
    version = pin.sha256 if pin else content_sha256(record)
    dump(platform, "pin", "raw/a/terms", wrapped(record, data_version=version, pin=pin))


def load_pin(platform):
    io = manager(platform, "pin")
    assert isinstance(io, PinIOManager)
    return io.load_from_path(None, platform.artefact("raw/a/terms", None, "json"))


def test_a_pin_hands_out_verified_bytes(pinned):
    platform, pin, _ = pinned
    found = load_pin(platform)
    assert isinstance(found, PinnedInput)
    assert (found.pin, file_sha256(found.path)) == (pin, pin.sha256)
    assert verify_store(platform.store(), {pin.source_id: pin.sha256}, platform.locate).findings == []


def test_an_empty_slot_hands_out_nothing(pinned):
    platform = pinned[0]
    store_pin(platform, {"slot": "terms", "source_id": None}, None)
    assert load_pin(platform) is None


def test_corrupt_bytes_in_the_cache_are_not_handed_out(pinned):
    platform, pin, _ = pinned
    path = load_pin(platform).path
    path.chmod(0o644)
    path.write_bytes(b"corrupt")
    assert load_pin(platform).path.read_bytes() != b"corrupt"  # set aside, and obtained anew from the mirror
    assert file_sha256(load_pin(platform).path) == pin.sha256


def test_bytes_of_a_catalogue_that_moved_on_are_not_passed_off_as_the_recorded_ones(pinned, tmp_path):
    platform, _, settings = pinned
    settings.write_text(yaml.safe_dump(catalogue_of(b"another release under the same id")))
    (tmp_path / "mirror" / "terms.obo").write_bytes(b"another release under the same id")
    with pytest.raises(IntegrityError, match="the catalogue now pins"):
        load_pin(platform)


def test_a_changed_pin_record_is_not_followed(pinned):
    platform = pinned[0]
    path = platform.artefact("raw/a/terms", None, "json")
    path.write_text(path.read_text().replace("terms@1", "terms@2"))
    with pytest.raises(IntegrityError):
        load_pin(platform)


def test_a_directory_that_changed_since_is_not_handed_out(pinned, tmp_path, monkeypatch):
    platform, folder = pinned[0], tmp_path / "packets"
    folder.mkdir()
    (folder / "one.json").write_text("{}")
    monkeypatch.setenv("MY_PACKETS", str(folder))
    pin = PinRef(source_id="directory:MY_PACKETS", kind="directory", file_name="p", sha256=file_sha256(folder), bytes=2)
    store_pin(platform, pin.model_dump(mode="json"), pin)
    assert load_pin(platform).path == folder
    (folder / "one.json").write_text("[]")
    with pytest.raises(IntegrityError, match="MY_PACKETS"):
        load_pin(platform)
    monkeypatch.delenv("MY_PACKETS")
    with pytest.raises(IntegrityError, match="MY_PACKETS"):
        load_pin(platform)


def test_writes_are_told_to_whoever_listens(platform):
    told = []
    listener = logging.Handler()
    listener.emit = lambda record: told.append((record.event, record.label))
    LOGGER.addHandler(listener)
    LOGGER.setLevel(logging.INFO)
    try:
        dump(platform, "json", "core/a/b", wrapped({"a": 1}))
    finally:
        LOGGER.removeHandler(listener)
    assert told == [("made", "core/a/b")]


def test_dagster_runs_on_verified_inputs(platform):
    """Through real runs: the reader of a tampered table fails, and what it would have made is not there."""

    @dg.asset(key=["core", "a", "one"], io_manager_key="parquet")
    def first():
        return dg.MaterializeResult(value=wrapped(FRAME))

    @dg.asset(key=["core", "a", "two"], io_manager_key="parquet", ins={"table": dg.AssetIn(["core", "a", "one"])})
    def second(table):
        return dg.MaterializeResult(value=wrapped(table))

    managers = store_io_managers(platform)
    assert dg.materialize([first], resources=managers).success
    target = platform.artefact("core/a/one", None, "parquet")
    target.write_bytes(target.read_bytes() + b" ")
    with dg.DagsterInstance.ephemeral() as instance:
        run = dg.materialize(
            [first, second], selection=[second], resources=managers, instance=instance, raise_on_error=False
        )
    assert not run.success
    assert not platform.artefact("core/a/two", None, "parquet").exists()
