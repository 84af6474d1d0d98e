"""Export an artefact with its whole provenance as an RO-Crate that verifies itself offline.

A crate holds the artefact's bytes, the record of every step it rests on (with `with_inputs` their bytes too), the pins,
the profile's claims about any of it, the claimed tables as CSV, and `verify.py`. How the steps are described in JSON-LD
is in `crate_metadata.py`; what verifies them in `crate_verifier.py` and `crate_content.py`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from genoplatform.errors import BadInputError
from genoplatform.provenance import crate_content, crate_verifier
from genoplatform.provenance.atomic import atomic_path
from genoplatform.provenance.crate_metadata import Described, describe
from genoplatform.provenance.crate_tables import write_tables
from genoplatform.provenance.digests import canonical_json, file_sha256
from genoplatform.provenance.graph import (
    DATA,
    RECORDS,
    Graph,
    GraphNode,
    NodeKey,
    artefacts_of,
    label_of,
    read_graph,
    row_count,
    upstream,
)
from genoplatform.provenance.sidecar import checks_path, sidecar_path

TABLE_ROWS = 200_000  # a target table of more is not written as CSV, unless numbers of it are claimed


@dataclass(frozen=True)
class CrateFacts:
    """What a crate says that the records do not.

    Attributes:
        profile: name of the profile.
        date: of the export, YYYY-MM-DD; the one thing in a crate that the store does not determine.
        pins: by catalogue id: version, licence, sha256, bytes, file.
        claims: name, value, artefact, column, where, tolerance, source; see `inference.claims.Claim`.
    """

    profile: str
    date: str
    pins: Mapping[str, Mapping[str, Any]]
    claims: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


@dataclass(frozen=True)
class ExportedCrate:
    """What was exported: counts, and the seal to publish beside the crate."""

    steps: int
    files: int
    bytes: int
    claims: int
    seal: str


def export_crate(
    store: Path, asset: str, target: Path, facts: CrateFacts, *, with_inputs: bool = False
) -> ExportedCrate:
    """Write the crate of every partition of an asset.

    Args:
        store: root of a profile's store.
        asset: `layer/domain/name`, or `layer/domain/name[partition]`.
        target: directory to write; must not exist, or be empty.
        facts: what the records do not say.
        with_inputs: take along the bytes of everything upstream.

    Raises:
        BadInputError: no such asset, a target that holds something, or an artefact upstream that is not in the store.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadInputError(f"exporting to {target}", "it holds something", "name another directory")
    graph = read_graph(store)
    targets = artefacts_of(graph, asset)
    keys = upstream(graph, targets)
    _refuse_gaps(graph, keys)
    with atomic_path(target) as temporary:
        temporary.mkdir()
        return _Writer(store, temporary, graph, keys, targets, facts).write(with_inputs)


def _refuse_gaps(graph: Graph, keys: Sequence[NodeKey]) -> None:
    for key in keys:
        for used in graph[key].sidecar.inputs:
            other = graph.get((used.asset, used.partition))
            if other is None or other.sidecar.reference() != used:
                where = label_of((used.asset, used.partition))
                raise BadInputError(
                    f"exporting the provenance of {label_of(key)}",
                    f"{where} is not in the store as it was used",
                    "bring the store up to date: `genoplatform run`",
                )


class _Writer:
    """Writes one crate below `root`."""

    def __init__(
        self,
        store: Path,
        root: Path,
        graph: Graph,
        keys: Sequence[NodeKey],
        targets: Sequence[NodeKey],
        facts: CrateFacts,
    ) -> None:
        self.store, self.root, self.graph, self.keys, self.targets = store, root, graph, keys, targets
        self.facts = facts
        labels = {label_of(key) for key in keys}
        self.claims = [claim for claim in facts.claims if str(claim["artefact"]).split(".", 1)[0] in labels]
        self.claimed = {str(claim["artefact"]).split(".", 1)[0] for claim in self.claims}

    def write(self, with_inputs: bool) -> ExportedCrate:
        """Everything; the manifest last, because it is about the rest."""
        steps: list[dict[str, Any]] = []
        chains: dict[NodeKey, str] = {}
        for key in self.keys:
            step = self._step(self.graph[key], with_inputs or key in self.targets)
            above = [chains[other] for other in self.graph[key].inputs]
            chains[key] = step["chain"] = crate_content.sha256(canonical_json([step["record_sha256"], above]))
            steps.append(step)
        tables = {label_of(key): self._tables(key) for key in self.keys if self._as_tables(key)}
        pins = self._pins()
        self._json("pins.json", pins)
        self._json("claims.json", list(self.claims))
        self._json("tables.json", tables)
        finals = {label_of(key): chains[key] for key in self.targets}
        described = Described(self.facts.profile, self.facts.date, pins, steps, tables, list(finals))
        for step, node in zip(steps, (self.graph[key] for key in self.keys), strict=True):
            step["action"] = described.action_id(node)
        self._json("workflow.json", {"format": "genoplatform-crate/1", "targets": finals, "steps": steps})
        (self.root / "verify.py").write_text(verifier_text(), encoding="utf-8")
        self._json("ro-crate-metadata.json", describe(described, [self.graph[key] for key in self.keys]))
        return self._seal(len(steps))

    def _step(self, node: GraphNode, with_data: bool) -> dict[str, Any]:
        place = node.record.relative_to(self.store)
        record = self._copied(sidecar_path(node.record), Path(RECORDS))
        step: dict[str, Any] = {"label": label_of(node.key), "record": record, "files": [record]}
        step |= {"record_sha256": file_sha256(self.root / record), "rows": row_count(node)}
        if node.checks is not None:
            step["checks"] = self._copied(checks_path(node.record), Path(RECORDS))
            step["files"].append(step["checks"])
        if with_data and node.data is not None:
            step["data"] = self._copied(self.store / place, Path(DATA))
            step["files"].append(step["data"])
        return step

    def _copied(self, source: Path, folder: Path) -> str:
        name = folder / source.relative_to(self.store)
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
        return name.as_posix()

    def _as_tables(self, key: NodeKey) -> bool:
        rows = row_count(self.graph[key])
        if rows is None:
            return False
        return label_of(key) in self.claimed or (key in self.targets and rows <= TABLE_ROWS)

    def _tables(self, key: NodeKey) -> dict[str, Any]:
        node = self.graph[key]
        place = node.record.relative_to(self.store)
        return write_tables(node, self.root, (Path("tables") / place.with_suffix("")).as_posix())

    def _pins(self) -> dict[str, Any]:
        used = [pin for key in self.keys if (pin := self.graph[key].sidecar.pin) is not None]
        found: dict[str, Any] = {}
        for pin in sorted(used, key=lambda pin: pin.source_id):
            declared = dict(self.facts.pins.get(pin.source_id, {}))
            own = {"sha256": pin.sha256, "bytes": pin.bytes, "file": pin.file_name, "kind": pin.kind}
            # The catalogue's hash, where the catalogue knows the pin: the verifier holds the record against it.
            found[pin.source_id] = own | declared
        return found

    def _json(self, name: str, value: Any) -> None:
        text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
        (self.root / name).write_text(text + "\n", encoding="utf-8")

    def _seal(self, steps: int) -> ExportedCrate:
        files = sorted(path for path in self.root.rglob("*") if path.is_file())
        lines = [f"{file_sha256(path)}  {path.relative_to(self.root).as_posix()}\n" for path in files]
        manifest = self.root / crate_verifier.MANIFEST
        manifest.write_text("".join(lines), encoding="utf-8")
        size = sum(path.stat().st_size for path in files)
        return ExportedCrate(steps, len(files), size, len(self.claims), file_sha256(manifest))


def verifier_text() -> str:
    """The text of `verify.py`: the verifier with the part that computes put in the place of its import."""
    verifier = Path(crate_verifier.__file__).read_text(encoding="utf-8")
    content = Path(crate_content.__file__).read_text(encoding="utf-8")
    body = content[content.index("BATCH_ROWS =") :].rstrip()
    lines = verifier.splitlines()
    (place,) = (number for number, line in enumerate(lines) if line.startswith("from genoplatform."))
    needed = ["import hashlib"]
    (imports,) = (number for number, line in enumerate(lines) if line == "import json")
    text = [*lines[:imports], *needed, *lines[imports:place], body, *lines[place + 1 :]]
    return (
        "\n".join(text).replace(
            "from decimal import Decimal\n", "from decimal import ROUND_HALF_UP, Decimal, localcontext\n"
        )
        + "\n"
    )
