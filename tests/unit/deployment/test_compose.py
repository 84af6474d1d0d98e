"""The compose file without an engine: the specification's own types, and the rules of this house."""

import itertools
import re

import pytest
import yaml
from compose_file import (
    DOCKER,
    GIVEN,
    MissingVariableError,
    composed,
    example,
    references,
    services,
    text,
)

compose_spec = pytest.importorskip("compose_spec", reason="compose-spec is not installed (extra `dev`)")
OURS = ["code", "webserver", "daemon", "auditor"]
RUNS_AS = {"qdrant": "the image's own user (unprivileged)", "postgres": "root owns the directory, postgres serves"}
CARD = {
    "GENOPLATFORM_TARGET": "gpu",
    "GENOPLATFORM_IMAGE": "genoplatform:gpu",
    "GENOPLATFORM_DAGSTER_YAML": "dagster.gpu.yaml",
}


@pytest.mark.parametrize("given", [GIVEN, {**GIVEN, **CARD}], ids=["cpu", "gpu"])
def test_it_is_a_compose_file(given):
    parsed = compose_spec.PyCompose.from_yaml(yaml.safe_dump(composed(given)))
    for check in (parsed.validate, parsed.validate_networks, parsed.validate_volumes, parsed.validate_secrets):
        check()
    assert sorted(parsed.service_names()) == sorted(composed()["services"])


def test_the_specification_notices_a_mistake():
    """Or the test above would prove nothing."""
    broken = yaml.safe_dump(composed()).replace("    healthcheck:", "    helthcheck:", 1)
    with pytest.raises(ValueError, match="helthcheck"):
        compose_spec.PyCompose.from_yaml(broken)


def test_profiles():
    common = {"postgres", "qdrant", "code", "webserver", "daemon"}
    assert set(services("cpu")) == set(services("gpu")) == common
    assert set(services("audit")) == {"auditor"}
    assert set(services("vllm")) == {"vllm"}
    for profile in ("cpu", "gpu"):
        for service in services(profile).values():
            assert set(service.get("depends_on", {})) <= common, "what is waited for is started"


@pytest.mark.parametrize("name", services())
def test_every_service(name):
    service = services()[name]
    image = service["image"]
    assert re.fullmatch(r"genoplatform:(latest|gpu)|[\w/.-]+:v?\d+\.\d+(\.\d+)?(-\w+)?", image), "an exact version"
    assert service["healthcheck"]["test"]
    assert {"interval", "timeout", "retries"} <= set(service["healthcheck"])
    assert service["restart"] == "unless-stopped"
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.get("privileged")
    assert service["logging"]["options"], "logs end some day"
    user = str(service.get("user", ""))
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user) or name in RUNS_AS, "not root"
    for port in service.get("ports", []):
        assert re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port), "this machine only"
    assert "network_mode" not in service
    assert service["networks"] == ["genoplatform"]


def test_versions_are_those_of_the_specifications():
    assert services()["qdrant"]["image"] == "qdrant/qdrant:v1.14.1-unprivileged"
    assert services()["postgres"]["image"].startswith("postgres:15.")
    command = services()["vllm"]["command"]
    from genoplatform.settings.profiles import load_profile

    model = load_profile("workstation").llm
    assert model is not None
    flags = dict(itertools.pairwise(command))
    assert (flags["--model"], flags["--revision"]) == (model.model, model.revision)
    assert (flags["--dtype"], flags["--max-model-len"]) == (model.dtype, str(model.context_tokens))
    assert (DOCKER / "requirements-vllm.in").read_text().splitlines()[-1] == f"vllm=={model.version}"


def test_only_who_starts_and_ends_runs_has_the_engine():
    has_socket = {
        name for name, service in services().items() if any("docker.sock" in str(v) for v in service["volumes"])
    }
    assert has_socket == {"webserver", "daemon"}


def test_the_auditor_can_change_nothing():
    auditor = services()["auditor"]
    assert "--read-only" in auditor["command"]
    assert all(volume.endswith(":ro") for volume in auditor["volumes"])


def test_nothing_starts_without_its_secrets():
    for name in GIVEN:
        with pytest.raises(MissingVariableError, match=name):
            composed({key: value for key, value in GIVEN.items() if key != name})
    assert {name for name, how in references().items() if how == ":?"} == set(GIVEN)


def test_no_secret_is_written_down():
    secret = re.compile(r"PASSWORD|SECRET|TOKEN$|API_KEY", re.IGNORECASE)
    for name, service in services(given=GIVEN).items():
        for key, value in service.get("environment", {}).items():
            if secret.search(key):
                assert value in {"", GIVEN["POSTGRES_PASSWORD"], GIVEN["QDRANT_API_KEY"]}, f"{name} {key}"
    assert {key: value for key, value in example().items() if secret.search(key) and value} == {}
    assert "docker/.env" in (DOCKER.parent / ".gitignore").read_text().splitlines()


def test_the_example_names_every_variable_and_no_other():
    optional = {"GENOPLATFORM_GPU_IMAGE", "VLLM_MODEL", "VLLM_REVISION"}  # with defaults that nobody need change
    assert set(references()) - optional == set(example())


def test_the_two_images_share_one_build():
    for given, target in ((GIVEN, "platform"), ({**GIVEN, **CARD}, "gpu")):
        code = services(given=given)["code"]
        assert code["build"]["target"] == target
        assert {services(given=given)[name]["image"] for name in OURS} == {code["image"]}
        assert code["environment"]["DAGSTER_CURRENT_IMAGE"] == code["image"], "runs are of the same image"
    assert services()["vllm"]["build"]["target"] == "gpu"


def test_the_file_says_how_to_start_it():
    assert "docker compose -f docker/compose.yaml --profile cpu up" in text()
