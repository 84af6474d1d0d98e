"""The Dagster instance: the home's own, or the one that DAGSTER_HOME names; and its database, where it has one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from genoplatform.runner.health.finding import Finding

_TIMEOUT_S = 5
_DRIVER = "pip install 'genoplatform[docker]'"


def instance(home: Path) -> list[Finding]:
    """Findings of the instance that a run of this home would write to."""
    folder = Path(os.environ.get("DAGSTER_HOME") or home / "dagster")
    settings = folder / "dagster.yaml"
    if not settings.is_file():
        if os.environ.get("DAGSTER_HOME"):
            fix = f"cp docker/dagster.yaml {folder}/, or unset DAGSTER_HOME"
            return [Finding("Dagster instance", False, f"no dagster.yaml in {folder}", False, fix)]
        return [Finding("Dagster instance", True, "made by the first run", False)]
    content = _read(settings)
    if content is None:
        return [Finding("Dagster instance", False, f"{settings} is no YAML mapping", True, f"restore {settings}")]
    database = (content.get("storage") or {}).get("postgres")
    if database is None:
        return [Finding("Dagster instance", True, f"SQLite in {folder}: one user, one run at a time", True)]
    return [Finding("Dagster instance", True, f"PostgreSQL, settings in {folder}", True), postgres(database)]


def _read(path: Path) -> dict[str, Any] | None:
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError):
        return None
    return content if isinstance(content, dict) else None


def postgres(declared: dict[str, Any]) -> Finding:
    """Whether the database answers with the account that the instance has.

    Args:
        declared: the block `storage.postgres` of dagster.yaml.
    """
    unset = sorted(name for name in _variables(declared) if not os.environ.get(name))
    if unset:
        text = f"not set: {', '.join(unset)}"
        return Finding("PostgreSQL", False, text, True, " ".join(f"export {name}=..." for name in unset))
    try:
        import psycopg2
    except ImportError:
        return Finding("PostgreSQL", False, "its driver is not installed", True, _DRIVER)
    where = _value(declared)
    fix = "start the server, or correct the POSTGRES_ variables"
    try:
        connection = psycopg2.connect(connect_timeout=_TIMEOUT_S, **_arguments(where))
    except psycopg2.Error as error:
        return Finding("PostgreSQL", False, _first_line(error), True, fix)
    try:
        with connection.cursor() as cursor:
            cursor.execute("select current_setting('server_version'), to_regclass('event_logs') is not null")
            number, made = cursor.fetchone()
    finally:
        connection.close()
    return Finding("PostgreSQL", True, f"{number}, {'its tables are there' if made else 'empty yet'}", True)


def _arguments(where: dict[str, Any]) -> dict[str, Any]:
    if "postgres_url" in where:
        return {"dsn": where["postgres_url"]}
    parts = where.get("postgres_db", {})
    names = {"hostname": "host", "port": "port", "username": "user", "password": "password", "db_name": "dbname"}
    return {argument: parts[name] for name, argument in names.items() if name in parts}


def _value(item: Any) -> Any:
    if isinstance(item, dict):
        return os.environ[item["env"]] if set(item) == {"env"} else {key: _value(inner) for key, inner in item.items()}
    return item


def _variables(item: Any) -> set[str]:
    if not isinstance(item, dict):
        return set()
    return {item["env"]} if set(item) == {"env"} else set().union(*(_variables(inner) for inner in item.values()))


def _first_line(error: Exception) -> str:
    text = re.sub(r"\s+", " ", str(error)).strip()
    return text or type(error).__name__
