"""docker/dagster.yaml and dagster.gpu.yaml as Dagster loads them, on a real PostgreSQL; no engine is asked anything."""

import re
import subprocess
import sys
from pathlib import Path

import dagster as dg
import psycopg2
import pytest
import yaml
from postgres import DATABASE, USER, running_cluster

from genoplatform.runner.health.instance import instance as look_at_instance

DOCKER = Path(__file__).parents[2] / "docker"
PASSED_ON = yaml.safe_load((DOCKER / "dagster.yaml").read_text())["run_launcher"]["config"]["env_vars"]


@pytest.fixture(scope="module")
def cluster():
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def home(cluster, tmp_path, monkeypatch):
    """A DAGSTER_HOME as the containers have it, and their environment."""
    for name in PASSED_ON:
        monkeypatch.setenv(name, f"value-of-{name}")
    for name, value in cluster.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DAGSTER_LOGS", str(tmp_path / "logs"))
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    cluster.recreate_database()
    return tmp_path


@pytest.fixture(params=["dagster.yaml", "dagster.gpu.yaml"])
def instance(request, home):
    (home / "dagster.yaml").write_bytes((DOCKER / request.param).read_bytes())
    with dg.DagsterInstance.get() as instance:
        yield instance


def test_everything_is_kept_in_postgres(instance):
    from dagster_postgres import PostgresEventLogStorage, PostgresRunStorage, PostgresScheduleStorage

    assert isinstance(instance.run_storage, PostgresRunStorage)
    assert isinstance(instance.event_log_storage, PostgresEventLogStorage)
    assert isinstance(instance.schedule_storage, PostgresScheduleStorage)


def test_runs_are_containers_with_the_limits_of_the_others(instance):
    from dagster_docker import DockerRunLauncher
    from docker.types import HostConfig

    launcher = instance.run_launcher
    assert isinstance(launcher, DockerRunLauncher)
    assert launcher.supports_check_run_worker_health, "a container that died is noticed"
    assert launcher.networks == ["genoplatform"]
    assert set(launcher.env_vars) == set(PASSED_ON)
    kwargs = {key: value for key, value in launcher.container_kwargs.items() if key != "user"}
    host = HostConfig(version="1.43", **{"binds" if key == "volumes" else key: value for key, value in kwargs.items()})
    assert host["AutoRemove"] is True
    assert host["Init"] is True
    assert host["CapDrop"] == ["ALL"]
    assert "genoplatform_inputs:/inputs:ro" in host["Binds"]
    assert len(host.get("DeviceRequests") or []) == ("device_requests" in kwargs)


def test_the_queue_and_its_limits(instance):
    assert isinstance(instance.run_coordinator, dg.QueuedRunCoordinator)
    config = instance.get_concurrency_config()
    assert config.run_queue_config.max_concurrent_runs == 4
    assert config.run_queue_config.tag_concurrency_limits == [{"key": "dagster/backfill", "limit": 2}]
    assert config.pool_config.default_pool_limit == 1
    assert config.pool_config.pool_granularity.value == "op"
    assert (instance.run_retries_enabled, instance.run_retries_max_retries) == (True, 0)
    assert instance.run_retries_retry_on_asset_or_op_failure is False
    assert instance.run_monitoring_enabled
    assert instance.get_settings("run_monitoring")["free_slots_after_run_end_seconds"] == 300
    assert instance.telemetry_enabled is False


def test_what_steps_print_goes_to_the_volume(instance, home):
    path = instance.compute_log_manager.get_captured_local_path(["run", "compute_logs", "step"], "out")
    assert Path(path).is_relative_to(home / "logs")


def test_a_variable_that_is_missing_is_named(home, monkeypatch):
    (home / "dagster.yaml").write_bytes((DOCKER / "dagster.yaml").read_bytes())
    monkeypatch.delenv("POSTGRES_PASSWORD")
    with pytest.raises(Exception, match="POSTGRES_PASSWORD"), dg.DagsterInstance.get():
        pass


def test_the_password_counts(cluster):
    """Or the tests above would have passed without it."""
    with pytest.raises(psycopg2.OperationalError, match="password authentication failed"):
        psycopg2.connect(host="127.0.0.1", port=cluster.port, user=USER, password="another", dbname=DATABASE)  # noqa: S106


def test_what_the_containers_are_told_to_run_exists():
    """Every program of the image's command, the services and their health checks knows the options it is given."""
    image = re.search(r"^CMD (\[.*\])$", (DOCKER / "Dockerfile").read_text(), re.MULTILINE)
    services = yaml.safe_load((DOCKER / "compose.yaml").read_text())["services"]
    commands = [yaml.safe_load(image[1])]
    commands += [services[name]["command"] for name in ("webserver", "daemon", "auditor")]
    commands += [services[name]["healthcheck"]["test"][1:] for name in ("code", "daemon")]
    for command in commands:
        options = [word for word in command if word.startswith("--")]
        named = command[: next((at for at, word in enumerate(command) if word.startswith("--")), len(command))]
        program = Path(sys.executable).with_name(named[0])
        told = subprocess.run([program, *named[1:], "--help"], capture_output=True, text=True, check=True).stdout
        assert [option for option in options if option not in told] == [], command


def test_doctor_looks_into_the_database(cluster, home, monkeypatch):
    (home / "dagster.yaml").write_bytes((DOCKER / "dagster.yaml").read_bytes())
    told, database = look_at_instance(home)
    assert told.found == f"PostgreSQL, settings in {home}"
    assert database.ok
    assert database.found.endswith("empty yet")
    with dg.DagsterInstance.get():
        pass
    assert look_at_instance(home)[1].found.endswith("its tables are there")
    monkeypatch.setenv("POSTGRES_PASSWORD", "another")
    refused = look_at_instance(home)[1]
    assert refused.lacks
    assert "password authentication failed" in refused.found
