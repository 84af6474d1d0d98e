"""docs/deployment.md says what the files say."""

import re
import subprocess

import pytest
import yaml
from compose_file import DOCKER, composed, services

PAGE = (DOCKER.parent / "docs" / "deployment.md").read_text()
SETTINGS = yaml.safe_load((DOCKER / "dagster.yaml").read_text())


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", blocks("yaml"))
def test_values_for_larger_machines_are_yaml(block):
    assert isinstance(yaml.safe_load(block), dict)


def test_every_service_image_and_profile_is_there():
    for name, service in services().items():
        assert f"`{name}`" in PAGE or name == "auditor"
        if not service["image"].startswith("genoplatform:"):
            assert f"`{service['image']}`" in PAGE
    profiles = {profile for service in composed()["services"].values() for profile in service["profiles"]}
    assert {f"`{profile}`" for profile in profiles} <= set(re.findall(r"^\| (`\w+`) \|", PAGE, re.MULTILINE))


def test_limits_are_those_of_the_instance():
    runs = SETTINGS["concurrency"]["runs"]
    assert f"| {runs['max_concurrent_runs']}; {runs['tag_concurrency_limits'][0]['limit']} |" in PAGE
    days = SETTINGS["run_monitoring"]["max_runtime_seconds"] // 86400
    assert f"| {days} days; background work 1 day or less |" in PAGE
    minutes = SETTINGS["run_monitoring"]["free_slots_after_run_end_seconds"] // 60
    assert f"free after {minutes} minutes" in PAGE


def test_the_instance_without_an_engine_is_the_same_but_for_its_launcher():
    (line,) = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("sed ")]
    command = line.split(" > ")[0]
    script = re.search(r"'(.*)'", command)
    assert script is not None
    done = subprocess.run(["sed", script[1], DOCKER / "dagster.yaml"], capture_output=True, text=True, check=True)
    assert yaml.safe_load(done.stdout) == {key: value for key, value in SETTINGS.items() if key != "run_launcher"}


def test_inputs_lie_where_the_containers_look():
    environment = services()["code"]["environment"]
    named = {value.removeprefix("/inputs/") for value in environment.values() if str(value).startswith("/inputs/")}
    assert len(named) >= 9
    tree = PAGE.partition("### Inputs")[2].partition("### Secrets")[0]
    assert [name for name in named if name not in tree] == []
