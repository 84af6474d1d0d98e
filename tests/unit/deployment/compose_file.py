"""docker/compose.yaml as the engine would see it: anchors merged, variables put in. Its profiles and services."""

import re
from pathlib import Path
from typing import Any

import yaml

DOCKER = Path(__file__).parents[3] / "docker"
# A person has to give these; `:?` in the file makes the engine refuse without them.
GIVEN = {
    "POSTGRES_PASSWORD": "pw-1",
    "QDRANT_API_KEY": "key-1",
    "DOCKER_GID": "998",
    "GENOPLATFORM_INPUTS": "/srv/inputs",
}
_REFERENCE = re.compile(r"\$\{(?P<name>\w+)(?:(?P<how>:-|:\?)(?P<rest>[^}]*))?\}")


class MissingVariableError(Exception):
    """A required variable is not given; the text is the file's own."""


def text() -> str:
    return (DOCKER / "compose.yaml").read_text()


def references() -> dict[str, str]:
    """Variables that the file reads -> how: `:-` with a default, `:?` required."""
    return {found["name"]: found["how"] or "" for found in _REFERENCE.finditer(text())}


def composed(given: dict[str, str] | None = None) -> dict[str, Any]:
    """The whole file: anchors merged, and variables put in by the rules of the specification that it uses."""
    variables = GIVEN if given is None else given

    def value(found: re.Match[str]) -> str:
        if variables.get(found["name"]):
            return variables[found["name"]]
        if found["how"] == ":?":
            raise MissingVariableError(f"{found['name']}: {found['rest']}")
        return found["rest"] or ""

    def put_in(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: put_in(inner) for key, inner in item.items()}
        if isinstance(item, list):
            return [put_in(inner) for inner in item]
        return _REFERENCE.sub(value, item) if isinstance(item, str) else item

    return dict(put_in(yaml.safe_load(text())))


def services(profile: str | None = None, given: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Services of a profile, or all."""
    found = composed(given)["services"]
    return {name: service for name, service in found.items() if profile is None or profile in service["profiles"]}


def example() -> dict[str, str]:
    """What docker/.env.example sets, with the lines that are commented out."""
    found = {}
    for line in (DOCKER / ".env.example").read_text().splitlines():
        if match := re.fullmatch(r"(?:# )?([A-Z][A-Z_]+)=(\S*)(?:\s+#.*)?", line):
            found[match[1]] = match[2]
    return found
