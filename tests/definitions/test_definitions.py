"""The code location: it loads whole, loads light, and every asset says what the house asks an asset to say."""

import importlib
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import dagster as dg
import pytest
import yaml

from genoplatform.assets.declare import known_formats
from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.definitions import build_defs, defs
from genoplatform.settings.profiles import Profile, Slots

ROOT = Path(__file__).parents[2]
LAYERS = {"raw": 20, "core": 29, "eval": 34, "out": 3}
HEAVY = [
    "torch", "transformers", "sentence_transformers", "qdrant_client", "qdrant_edge", "great_expectations",
    "matplotlib", "statsmodels", "sklearn", "pandas", "scipy", "pyarrow", "pronto",
]  # fmt: skip


def specs():
    return [spec for definition in defs.assets for spec in definition.specs]


def name(key):
    return "/".join(key.path)


def test_nothing_is_lost_on_the_way_to_the_repository():
    """A definitions module can drop assets or checks and still load; whoever adds one adds it here."""
    graph = defs.get_repository_def().asset_graph
    found = {name(key) for key in graph.get_all_asset_keys()}
    assert Counter(key.partition("/")[0] for key in found) == LAYERS
    assert found == {name(spec.key) for spec in specs()}
    declared = {(asset, test.name) for asset, table in declared_tables().items() for test in table.declared_tests()}
    checks = {(name(key.asset_key), key.name) for key in graph.asset_check_keys}
    assert declared - checks == set()
    assert len(declared) == sum(len(table.declared_tests()) for table in declared_tables().values()), "names are unique"
    assert len(checks) >= len(declared) >= 200


def test_definitions_are_valid_and_parts_can_be_overridden():
    dg.Definitions.validate_loadable(defs)
    other = build_defs(checks=[], resources={"exomiser": "another"})
    assert list(other.asset_checks) == []
    assert other.resources["exomiser"] == "another"
    assert set(other.resources) == set(defs.resources)


@pytest.mark.parametrize("spec", specs(), ids=lambda spec: name(spec.key))
def test_every_asset_says_what_it_is(spec):
    layer, domain, short = spec.key.path
    assert layer in LAYERS
    assert spec.group_name == f"{layer}_{domain}"
    assert short == short.lower()
    assert spec.description.endswith(".")
    assert len(spec.description.split()) >= 3
    assert spec.owners == ["team:genoplatform"]
    assert spec.kinds
    assert spec.code_version
    kind = spec.metadata["genoplatform/io"]
    assert kind in known_formats()
    assert set(spec.metadata["genoplatform/reads"]) <= set(Profile.model_fields)
    if kind == "parquet":
        assert name(spec.key) in declared_tables(), "a table without declared columns and checks"
        assert spec.metadata["dagster/column_schema"].columns


def test_every_declared_table_is_a_stored_table():
    stored = {name(spec.key) for spec in specs() if spec.metadata["genoplatform/io"] == "parquet"}
    assert set(declared_tables()) == stored


def test_every_asset_leads_back_to_raw_ones_and_nothing_is_circular():
    inputs = {name(spec.key): {name(dep.asset_key) for dep in spec.deps} for spec in specs()}
    roots = {}
    for key in TopologicalSorter(inputs).static_order():  # raises CycleError
        assert key in inputs, f"{key} is read but not declared"
        upstream = {root for other in inputs[key] for root in roots[other]}
        roots[key] = {key} if key.startswith("raw/") else upstream
        assert not (key.startswith("raw/") and inputs[key]), "raw assets read nothing"
    assert [key for key, found in roots.items() if not found] == []


def test_every_slot_of_a_profile_has_its_raw_asset():
    slots = [spec.metadata["genoplatform/slot"] for spec in specs() if "genoplatform/slot" in spec.metadata]
    assert sorted(slots) == sorted(Slots.model_fields)
    assert all(name(spec.key).startswith("raw/") for spec in specs() if "genoplatform/slot" in spec.metadata)


def test_partitions_stay_few():
    sizes = {
        name(definition.key): len(definition.partitions_def.get_partition_keys())
        for definition in defs.assets
        if isinstance(definition.partitions_def, dg.StaticPartitionsDefinition)
    }
    assert sizes["core/cohort/candidates"] == 2
    assert max(sizes.values()) < 5_000
    assert len(specs()) < 200


def test_blocking_checks_are_those_declared_as_errors():
    found = [spec for check in defs.asset_checks for spec in check.check_specs]
    blocking = {(name(spec.asset_key), spec.name): spec.blocking for spec in found}
    for asset, table in declared_tables().items():
        for test in table.declared_tests():
            assert blocking[asset, test.name] is (test.severity == "error")


def test_definitions_load_without_heavy_imports():
    code = f"import sys, genoplatform.definitions; print(sorted(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_the_workspace_names_this_code_location(monkeypatch):
    (location,) = yaml.safe_load((ROOT / "workspace.yaml").read_text())["load_from"]
    module = importlib.import_module(location["python_module"]["module_name"])
    (found,) = [value for value in vars(module).values() if isinstance(value, dg.Definitions)]
    assert found is defs, "exactly one Definitions, or Dagster refuses the module"


def test_the_instance_settings_load(tmp_path, monkeypatch):
    settings = ROOT / "genoplatform" / "settings" / "dagster.yaml"
    assert (ROOT / "dagster.yaml").read_bytes() == settings.read_bytes()
    (tmp_path / "dagster.yaml").write_bytes(settings.read_bytes())
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    with dg.DagsterInstance.get() as instance:
        assert instance.telemetry_enabled is False
        assert instance.nux_enabled is False
        assert instance.run_retries_enabled is True
        assert instance.run_monitoring_enabled is True
        assert instance.get_runs() == []
