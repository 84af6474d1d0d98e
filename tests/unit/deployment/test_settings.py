"""dagster.yaml, dagster.gpu.yaml and workspace.yaml: what they say without a database. With one: tests/integration."""

import re
from pathlib import Path

import pytest
import yaml
from compose_file import DOCKER, services

from genoplatform.resources.pools import POOLS

SETTINGS = ["dagster.yaml", "dagster.gpu.yaml"]
PACKAGE = DOCKER.parent / "genoplatform"
NOT_FOR_RUNS = re.compile(r"GENOPLATFORM_ALERT_\w+")  # the sensor that alerts runs in the code server


def settings(name: str) -> dict:
    return yaml.safe_load((DOCKER / name).read_text())


def read_by_the_code() -> set[str]:
    """Every variable that the package names, in code or as a profile's directory."""
    found = set()
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.yml")]:
        found |= set(re.findall(r"\bGENOPLATFORM_[A-Z0-9_]*[A-Z0-9]\b", path.read_text(encoding="utf-8")))
    return found


def named_in(value: object) -> set[str]:
    """Variables that a settings file reads with `env:`."""
    if isinstance(value, dict):
        mine = {value["env"]} if set(value) == {"env"} else set()
        return mine.union(*(named_in(item) for item in value.values()))
    return set().union(*(named_in(item) for item in value)) if isinstance(value, list) else set()


def test_both_are_one_instance_that_differs_by_its_card():
    one, other = map(settings, SETTINGS)
    kwargs = other["run_launcher"]["config"]["container_kwargs"]
    assert kwargs.pop("device_requests") == [{"driver": "nvidia", "count": 1, "capabilities": [["gpu"]]}]
    assert kwargs.pop("shm_size") == "8g"
    assert one == other


@pytest.mark.parametrize("name", SETTINGS)
def test_a_run_has_what_the_code_location_has(name):
    code = services()["code"]
    config = settings(name)["run_launcher"]["config"]
    given = {key for key in code["environment"] if not NOT_FOR_RUNS.fullmatch(key)} - {"DAGSTER_CURRENT_IMAGE"}
    assert set(config["env_vars"]) == given
    assert named_in(settings(name)) <= set(code["environment"])
    kwargs = config["container_kwargs"]
    assert (kwargs["user"], kwargs["cap_drop"], kwargs["security_opt"]) == (
        code["user"], code["cap_drop"], code["security_opt"],
    )  # fmt: skip
    inside = [volume.split(":", 1)[1] for volume in code["volumes"] if not volume.startswith("./")]
    assert [volume.split(":", 1)[1] for volume in kwargs["volumes"]] == inside


def test_variables_are_those_that_the_code_reads():
    """GENOPLATFORM_LLM_URL is for a profile of the user's own, which names the variable itself."""
    known = read_by_the_code()
    assert {"GENOPLATFORM_HOME", "GENOPLATFORM_PMC_OA"} <= known
    for name in ("code", "webserver", "daemon", "auditor"):
        used = {key for key in services()[name]["environment"] if key.startswith("GENOPLATFORM_")}
        assert used - known - {"GENOPLATFORM_LLM_URL"} == set()
    directories = set(re.findall(r"directory:(GENOPLATFORM_\w+)", (PACKAGE / "settings" / "profiles.yml").read_text()))
    assert directories <= set(services()["code"]["environment"]), "every directory a profile may want has its place"
    image = set(re.findall(r"\b(GENOPLATFORM_\w+)=", (DOCKER / "Dockerfile").read_text()))
    assert image <= known


@pytest.mark.parametrize(
    "path", [*(DOCKER / name for name in SETTINGS), PACKAGE / "settings" / "dagster.yaml"], ids=str
)
def test_limits_of_every_instance(path: Path):
    found = yaml.safe_load(path.read_text())
    assert found["telemetry"] == {"enabled": False}
    assert found["concurrency"]["pools"] == {"default_limit": 1, "granularity": "op"}, f"one slot each of {POOLS}"
    assert found["run_retries"] == {"enabled": True, "max_retries": 0, "retry_on_asset_or_op_failure": False}
    monitoring = found["run_monitoring"]
    assert monitoring["enabled"]
    assert monitoring["free_slots_after_run_end_seconds"] > 0
    assert monitoring["max_runtime_seconds"] > 0
    assert "run_queue" not in found, "Dagster refuses it beside concurrency.runs"


def test_the_workspace_is_the_code_container():
    (location,) = yaml.safe_load((DOCKER / "workspace.yaml").read_text())["load_from"]
    assert location == {"grpc_server": {"host": "code", "port": 4000, "location_name": "genoplatform"}}
    test = services()["code"]["healthcheck"]["test"]
    assert test[-1] == str(location["grpc_server"]["port"])
    command = (DOCKER / "Dockerfile").read_text()
    assert '"--port", "4000", "--module-name", "genoplatform.definitions"' in command
