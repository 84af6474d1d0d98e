"""A small store, all of its artefacts honest: a pinned file, a table of it, two partitions of a result, a report.

raw/ontology/terms -> core/ontology/terms -> eval/ranks/scores [standard, hard] -> out/report/page
"""

import hashlib
import json

import pandas as pd

from genoplatform.provenance import PinRef, Sidecar, file_sha256, tree_bytes
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.formats import FORMATS, write_artefact
from genoplatform.provenance.layout import artefact_path
from genoplatform.provenance.sidecar import (
    CheckOutcome,
    CheckRecord,
    CodeIdentity,
    checks_path,
    sidecar_path,
    write_record,
)

PINNED = b"the pinned bytes"
CODE = CodeIdentity(package_version="0", commit=None, source_sha256="0" * 64, lock_sha256=None)
PIN = PinRef(source_id="terms@1", file_name="terms.obo", sha256=hashlib.sha256(PINNED).hexdigest(), bytes=len(PINNED))
PINS = {PIN.source_id: PIN.sha256}
RAW, CORE = ("raw/ontology/terms", None), ("core/ontology/terms", None)
STANDARD, HARD = ("eval/ranks/scores", "standard"), ("eval/ranks/scores", "hard")
REPORT = ("out/report/page", None)
KINDS = {RAW: "json", CORE: "parquet", STANDARD: "parquet", HARD: "parquet", REPORT: "directory"}
INPUTS = {RAW: [], CORE: [RAW], STANDARD: [CORE], HARD: [CORE], REPORT: [CORE, STANDARD, HARD]}


class SmallStore:
    """Paths and sidecars by node; `put` writes an artefact with the provenance it should have."""

    def __init__(self, folder):
        self.root = folder / "store"
        self.cached = folder / "cache" / "terms.obo"
        self.cached.parent.mkdir()
        self.cached.write_bytes(PINNED)
        self.put(RAW, PIN.model_dump(mode="json"), pin=PIN)
        self.put(CORE, pd.DataFrame({"id": ["a", "b"], "n": [1, 2]}))
        self.put(STANDARD, pd.DataFrame({"score": [0.5, None]}))
        self.put(HARD, pd.DataFrame({"score": [0.25, None]}))
        self.put(REPORT, {"index.html": b"<p>", "img/a.png": b"png"})

    def path(self, node):
        return artefact_path(self.root, *node, KINDS[node])

    def sidecar(self, node):
        return Sidecar.model_validate_json(sidecar_path(self.path(node)).read_bytes())

    def put(self, node, value, pin=None, **changes):
        path = self.path(node)
        write_artefact(path, value, FORMATS[KINDS[node]])
        sidecar = Sidecar(
            asset=node[0],
            partition=node[1],
            file=path.name,
            sha256=file_sha256(path),
            bytes=tree_bytes(path),
            data_version=pin.sha256 if pin else content_sha256(value),
            code_version="1",
            code=CODE,
            inputs=[self.sidecar(other).reference() for other in INPUTS[node]],
            pin=pin,
        )
        write_record(sidecar_path(path), sidecar.model_copy(update=changes))

    def edit(self, node, **changes):
        """Change fields of a sidecar and nothing else."""
        file = sidecar_path(self.path(node))
        file.write_text(json.dumps(json.loads(file.read_bytes()) | changes))

    def check(self, node, *outcomes, sha256=None):
        """Write a check record of (name, severity, passed) outcomes."""
        checks = [
            CheckOutcome(name=n, severity=severity, passed=passed, detail="why") for n, severity, passed in outcomes
        ]
        record = CheckRecord(
            asset=node[0], partition=node[1], sha256=sha256 or self.sidecar(node).sha256, checks=checks
        )
        write_record(checks_path(self.path(node)), record)

    def locate(self, pin):
        return self.cached if self.cached.exists() else None
