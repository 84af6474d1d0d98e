"""The description of a crate: RO-Crate 1.1 with the Provenance Run Crate profile, one action a step.

https://www.researchobject.org/ro-crate/1.1/ and https://w3id.org/ro/wfrun/provenance/0.5. The graph of assets is the
workflow, an asset is one of its steps, the making of an artefact is a CreateAction with its inputs and parameters as
objects. There are no times: the store keeps none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from genoplatform.provenance.graph import GraphNode, label_of
from genoplatform.provenance.sidecar import CodeIdentity

Entity = dict[str, Any]
_PROFILES = [f"https://w3id.org/ro/wfrun/{name}/0.5" for name in ("process", "workflow", "provenance")]
_OWN_LICENCE = "https://spdx.org/licenses/Apache-2.0"
_WORKFLOW, _RUN, _ENGINE, _ENGINE_RUN = "workflow.json", "#run", "#engine", "#engine-run"


@dataclass(frozen=True)
class Described:
    """What there is to describe; `steps` and `tables` as in the crate's own JSON files."""

    profile: str
    date: str
    pins: Mapping[str, Mapping[str, Any]]
    steps: Sequence[Mapping[str, Any]]
    tables: Mapping[str, Mapping[str, Any]]
    targets: Sequence[str]

    @staticmethod
    def action_id(node: GraphNode) -> str:
        """Identifier of the action that made an artefact."""
        return f"#made/{quote(label_of(node.key))}"


def describe(what: Described, nodes: Sequence[GraphNode]) -> Entity:
    """The content of `ro-crate-metadata.json`."""
    data = {step["label"]: step.get("data") for step in what.steps}
    ids = {label_of(node.key): _artefact_id(node, data[label_of(node.key)]) for node in nodes}
    graph: list[Entity] = [*_frame(what, nodes, ids), *_pins(what)]
    for code in {_code_id(node.sidecar.code): node.sidecar.code for node in nodes}.values():
        graph += _code(code)
    for asset in dict.fromkeys(node.sidecar.asset for node in nodes):
        graph.append(_how_to(asset, [node for node in nodes if node.sidecar.asset == asset]))
    tools: dict[str, Entity] = {}
    for node, step in zip(nodes, what.steps, strict=True):
        tool = _tool(node)
        tools[tool["@id"]] = tool
        graph += [*_step(node, step, ids, tool["@id"]), *_parameters(node)]
    files = [entity for entity in _files(what) if entity["@id"] not in {item["@id"] for item in graph}]
    return {"@context": _context(), "@graph": [*graph, *tools.values(), *files]}


def _context() -> list[Any]:
    terms = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
    return ["https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/terms/workflow-run/context", terms]


def _ref(*ids: str) -> Any:
    return {"@id": ids[0]} if len(ids) == 1 else [{"@id": item} for item in ids]


def _artefact_id(node: GraphNode, data: str | None) -> str:
    if data is None:
        return f"#artefact/{quote(label_of(node.key))}"
    return quote(data) + ("/" if node.data is not None and node.data.is_dir() else "")


def _frame(what: Described, nodes: Sequence[GraphNode], ids: Mapping[str, str]) -> Iterator[Entity]:
    parts = [_WORKFLOW, *(entity["@id"] for entity in _files(what))] + [
        item for item in ids.values() if not item.startswith("#")
    ]
    yield {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": _ref("https://w3id.org/ro/crate/1.1"),
        "about": _ref("./"),
    }
    yield {
        "@id": "./",
        "@type": "Dataset",
        "name": f"{', '.join(what.targets)} of profile {what.profile}, with its provenance",
        "description": "Outputs, every step down to the pinned inputs, check results, claims, and verify.py.",
        "datePublished": what.date,
        "license": _ref(_OWN_LICENCE),
        "conformsTo": _ref(*_PROFILES, "https://w3id.org/workflowhub/workflow-ro-crate/1.0"),
        "mainEntity": _ref(_WORKFLOW),
        "mentions": _ref(_RUN, _ENGINE_RUN),
        "hasPart": [{"@id": item} for item in sorted(set(parts))],
    }
    for profile in [*_PROFILES, "https://w3id.org/workflowhub/workflow-ro-crate/1.0"]:
        yield {"@id": profile, "@type": "CreativeWork", "name": profile.rsplit("/", 2)[1], "version": profile[-3:]}
    yield {"@id": _OWN_LICENCE, "@type": "CreativeWork", "name": "Apache License 2.0"}
    yield from _workflow(what, nodes, ids)


def _workflow(what: Described, nodes: Sequence[GraphNode], ids: Mapping[str, str]) -> Iterator[Entity]:
    """The asset graph, the engine that ran it, and both as actions."""
    finals = [ids[label] for label in what.targets]
    pinned = [f"#pin/{quote(name)}" for name in what.pins]
    assets = list(dict.fromkeys(node.sidecar.asset for node in nodes))
    yield {
        "@id": _WORKFLOW,
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
        "name": "The asset graph of this result",
        "programmingLanguage": _ref(_ENGINE),
        "step": [{"@id": f"#step/{asset}"} for asset in assets],
        "hasPart": [{"@id": item} for item in dict.fromkeys(_tool(node)["@id"] for node in nodes)],
    }
    yield {
        "@id": _ENGINE,
        "@type": ["ComputerLanguage", "SoftwareApplication"],
        "name": "Dagster",
        "url": "https://dagster.io",
    }
    yield {
        "@id": _RUN,
        "@type": "CreateAction",
        "name": f"Making of {', '.join(what.targets)}",
        "instrument": _ref(_WORKFLOW),
        "object": [{"@id": item} for item in pinned],
        "result": [{"@id": item} for item in finals],
    }
    yield {
        "@id": _ENGINE_RUN,
        "@type": "OrganizeAction",
        "name": "Run of the asset graph",
        "instrument": _ref(_ENGINE),
        "object": [{"@id": f"#control/{quote(label_of(node.key))}"} for node in nodes],
        "result": _ref(_RUN),
    }


def _pins(what: Described) -> Iterator[Entity]:
    licences = {pin["license_url"]: pin["license"] for pin in what.pins.values() if pin.get("license_url")}
    for url, name in sorted(licences.items()):
        if url != _OWN_LICENCE:
            yield {"@id": url, "@type": "CreativeWork", "name": name}
    for name, pin in what.pins.items():
        yield {
            "@id": f"#pin/{quote(name)}",
            "@type": "CreativeWork",
            "name": pin.get("title", name),
            "identifier": name,
            "sha256": pin["sha256"],
            "contentSize": str(pin["bytes"]),
            "alternateName": pin["file"],
            **({"version": pin["version"]} if pin.get("version") else {}),
            **({"license": _ref(pin["license_url"])} if pin.get("license_url") else {}),
        }


def _code_id(code: CodeIdentity) -> str:
    return f"#code/{code.source_sha256[:16]}/{(code.commit or 'none')[:12]}/{(code.lock_sha256 or 'none')[:12]}"


def _code(code: CodeIdentity) -> Iterator[Entity]:
    own = _code_id(code)
    known = {"commit": code.commit, "source sha256": code.source_sha256, "lock file sha256": code.lock_sha256}
    values = [
        {"@id": f"{own}/{quote(name)}", "@type": "PropertyValue", "name": name, "value": value}
        for name, value in known.items()
        if value
    ]
    yield {
        "@id": own,
        "@type": "SoftwareSourceCode",
        "name": "genoplatform",
        "version": code.package_version,
        "identifier": code.commit or f"sha256:{code.source_sha256}",
        "programmingLanguage": "Python",
        "additionalProperty": [{"@id": value["@id"]} for value in values],
    }
    yield from values


def _how_to(asset: str, nodes: Sequence[GraphNode]) -> Entity:
    tools = sorted({_tool(node)["@id"] for node in nodes})
    return {"@id": f"#step/{asset}", "@type": "HowToStep", "name": asset, "workExample": _ref(*tools)}


def _tool(node: GraphNode) -> Entity:
    sidecar = node.sidecar
    return {
        "@id": f"#tool/{sidecar.asset}/{quote(sidecar.code_version)}",
        "@type": "SoftwareApplication",
        "name": f"the code that makes {sidecar.asset}",
        "softwareVersion": sidecar.code_version,
    }


def _step(node: GraphNode, step: Mapping[str, Any], ids: Mapping[str, str], tool: str) -> Iterator[Entity]:
    sidecar, label, action = node.sidecar, label_of(node.key), Described.action_id(node)
    used = [ids[label_of(key)] for key in node.inputs] + (
        [f"#pin/{quote(sidecar.pin.source_id)}"] if sidecar.pin else []
    )
    values = [entity["@id"] for entity in _parameters(node)]
    yield {
        "@id": action,
        "@type": "CreateAction",
        "name": f"Making of {label}",
        "instrument": _ref(tool),
        "object": [{"@id": item} for item in (*used, *values)],
        "result": _ref(ids[label]),
        "subjectOf": _ref(quote(step["record"])),
        "softwareRequirements": _ref(_code_id(sidecar.code)),
    }
    yield {
        "@id": f"#control/{quote(label)}",
        "@type": "ControlAction",
        "name": f"Step {label}",
        "instrument": _ref(f"#step/{sidecar.asset}"),
        "object": _ref(action),
    }
    kind = "Dataset" if ids[label].endswith("/") else "CreativeWork" if ids[label].startswith("#") else "File"
    rows = {"size": f"{step['rows']} rows"} if step.get("rows") is not None else {}
    yield {
        "@id": ids[label],
        "@type": kind,
        "name": label,
        "sha256": sidecar.sha256,
        "contentSize": str(sidecar.bytes),
        "version": sidecar.data_version,
        **rows,
    }
    if node.checks is not None:
        yield _assessment(node, step, ids[label])


def _assessment(node: GraphNode, step: Mapping[str, Any], artefact: str) -> Entity:
    checks = node.checks.checks if node.checks else []
    failed = [check for check in checks if check.blocks]
    warned = sum(not check.passed for check in checks) - len(failed)
    return {
        "@id": f"#checked/{quote(label_of(node.key))}",
        "@type": "AssessAction",
        "name": f"Checks of {label_of(node.key)}",
        "object": _ref(artefact),
        "result": _ref(quote(step["checks"])),
        "actionStatus": "http://schema.org/" + ("FailedActionStatus" if failed else "CompletedActionStatus"),
        "description": f"{sum(check.passed for check in checks)} passed, {warned} warned, {len(failed)} failed",
    }


def _parameters(node: GraphNode) -> Iterator[Entity]:
    """Every parameter the step read, seeds among them, one PropertyValue each."""
    for name, value in leaves(node.sidecar.parameters):
        place = f"#value/{quote(label_of(node.key))}/{quote(name)}"
        yield {"@id": place, "@type": "PropertyValue", "name": name, "value": value}


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """`a.b` names and values of nested mappings; anything else than a mapping or a scalar as text."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from leaves(value[key], f"{name}.{key}" if name else str(key))
    else:
        yield name, value if isinstance(value, bool | int | float | str) else str(value)


def _files(what: Described) -> Iterator[Entity]:
    about = {
        "verify.py": "Verifies this crate offline with plain Python: python3 -I verify.py",
        "pins.json": "The declared pins: every external input by id and sha256",
        "claims.json": "Numbers claimed of these results, each with its cell",
        "tables.json": "Columns and types of the tables below tables/",
    }
    yield from ({"@id": name, "@type": "File", "name": name, "description": text} for name, text in about.items())
    for step in what.steps:
        for name in (step["record"], step.get("checks")):
            if name:
                yield {"@id": quote(name), "@type": "File", "name": name, "encodingFormat": "application/json"}
    for tables in what.tables.values():
        for table in tables["tables"]:
            yield {"@id": quote(table["file"]), "@type": "File", "name": table["file"], "encodingFormat": "text/csv"}
