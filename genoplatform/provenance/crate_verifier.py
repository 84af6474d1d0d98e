#!/usr/bin/env python3
"""Verify this crate offline: python3 -I verify.py [--claim NAME] [--seal HEX] [--pins DIR] [--json]

Needs Python 3.9 or newer and nothing else: no package, no network. It checks that every file is the one the manifest
names, that every step's record is unchanged, agrees with the description and leads through its inputs to the declared
pins, that tables say what the records say (their content digest is computed anew from the CSV), that no blocking check
failed, and that every claimed number is what its cell says. Exit codes: 0 verified, 1 something does not hold, 2 usage.

The seal is the digest of the manifest. Whoever could change every file together would change it too: compare it with
the one the publisher gave.
"""

from __future__ import annotations

import argparse
import csv
import json
import struct
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

from genoplatform.provenance.crate_content import canonical, compare, file_sha256, sha256, table_sha256, typed

UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)
MANIFEST, DESCRIPTION = "manifest-sha256.txt", "ro-crate-metadata.json"


class Crate:
    """One crate and what is wrong with it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.findings: list[dict[str, str]] = []
        self.said: list[str] = []
        self.workflow: dict[str, Any] = {"steps": [], "targets": {}}
        self.steps: dict[str, Any] = {}
        self.records: dict[str, Any] = {}
        self.cells: dict[str, tuple[list[str], list[list[Any]]]] = {}

    def open(self) -> None:
        """Read the steps and their records."""
        self.workflow = self.load("workflow.json")
        self.steps = {step["label"]: step for step in self.workflow["steps"]}
        for label, step in self.steps.items():
            try:
                self.records[label] = self.load(step["record"])
            except (OSError, ValueError) as error:
                self.fail(label, f"its record cannot be read: {error}")

    def load(self, name: str) -> Any:
        """A JSON file of the crate."""
        return json.loads((self.root / name).read_bytes())

    def fail(self, node: str, problem: str) -> None:
        """Note what does not hold, and where."""
        self.findings.append({"node": node, "problem": problem})

    def node_of(self, name: str) -> str:
        """The step a file belongs to, or the file's own name."""
        for label, step in self.steps.items():
            if any(name == own or name.startswith(own + "/") for own in step["files"]):
                return str(label)
        return name

    def check_manifest(self) -> str:
        """Every file is there and unchanged, and none is added; returns the seal."""
        content = (self.root / MANIFEST).read_bytes()
        listed = {line[66:]: line[:64] for line in content.decode().splitlines()}
        here = {path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file()}
        for name in sorted(set(listed) | (here - {MANIFEST})):
            if name not in here:
                self.fail(self.node_of(name), f"{name} is missing")
            elif name not in listed:
                self.fail(self.node_of(name), f"{name} is not in the manifest")
            elif file_sha256(self.root / name) != listed[name]:
                self.fail(self.node_of(name), f"{name} was changed")
        self.said.append(f"{len(listed)} files")
        return sha256(content)

    def check_chain(self) -> None:
        """Records are those that were exported, read the inputs they name, and end in declared pins."""
        pins = self.load("pins.json")
        chains: dict[str, str] = {}
        for label, record in self.records.items():  # inputs stand before what is made of them
            step, inputs = self.steps[label], []
            for used in sorted(record["inputs"], key=lambda item: (item["asset"], item["partition"] or "")):
                name = used["asset"] if used["partition"] is None else f"{used['asset']}[{used['partition']}]"
                other = self.records.get(name)
                if other is None or name not in chains:
                    self.fail(label, f"its input {name} is not in the crate")
                elif (other["sha256"], other["data_version"]) != (used["sha256"], used["data_version"]):
                    self.fail(label, f"it was made from another state of {name}")
                inputs.append(chains.get(name, ""))
            digest = file_sha256(self.root / step["record"])
            if digest != step["record_sha256"]:
                self.fail(label, "its record is not the one exported")
            chains[label] = sha256(canonical([digest, inputs]))
            self.check_pin(label, record, pins)
            if not record["pin"] and not record["inputs"] and not record["asset"].startswith("raw/"):
                self.fail(label, "it leads back to no pin")
        for label, chain in self.workflow["targets"].items():
            if chains.get(label) != chain:
                self.fail(label, "the records it rests on are not those exported")
        self.said.append(f"{len(self.steps)} steps down to {len(pins)} pins")

    def check_pin(self, label: str, record: Any, pins: Any) -> None:
        """A raw record names bytes that the crate declares."""
        pin = record["pin"]
        if pin and pins.get(pin["source_id"], {}).get("sha256") != pin["sha256"]:
            self.fail(label, f"pin {pin['source_id']} is not declared with sha256 {pin['sha256']}")

    def check_description(self) -> None:
        """What the RO-Crate metadata says of each step is what its record says."""
        graph = {item["@id"]: item for item in self.load(DESCRIPTION)["@graph"]}
        for label, record in self.records.items():
            action = graph.get(self.steps[label]["action"])
            if action is None:
                self.fail(label, "the description lacks its action")
                continue
            tool = graph.get(action["instrument"]["@id"], {})
            result = graph.get(action["result"]["@id"], {})
            said = {"code version": tool.get("softwareVersion"), "sha256": result.get("sha256")}
            said["data version"] = result.get("version")
            for name, key in (("code version", "code_version"), ("sha256", "sha256"), ("data version", "data_version")):
                if said[name] != record[key]:
                    self.fail(label, f"{name}: the description says {said[name]}, the record {record[key]}")

    def check_data(self) -> None:
        """Artefacts in the crate are those of the records, and their tables read as CSV say the same."""
        for label, step in self.steps.items():
            record, data = self.records[label], step.get("data")
            if data and (not (self.root / data).exists() or file_sha256(self.root / data) != record["sha256"]):
                self.fail(label, f"{data} is not what its record names")
        for label, tables in self.load("tables.json").items():
            digests = {table["name"]: self.read_table(label, table) for table in tables["tables"]}
            whole = next(iter(digests.values())) if tables["single"] else sha256(canonical(digests))
            if whole != self.records[label]["data_version"]:
                self.fail(label, f"its tables have content {whole}, its record {self.records[label]['data_version']}")
        self.said.append(f"{len(self.cells)} tables")

    def read_table(self, label: str, table: Any) -> str:
        """Read one CSV and return its content digest; kept for claims under the name they use."""
        names = [column["name"] for column in table["columns"]]
        kinds = [column["type"] for column in table["columns"]]
        columns: list[list[Any]] = [[] for _ in names]
        try:
            with (self.root / table["file"]).open(newline="", encoding="utf-8") as handle:
                lines = csv.reader(handle)
                if next(lines) != names:
                    raise ValueError("other columns")
                for line in lines:
                    for place, text in enumerate(line):
                        columns[place].append(typed(text, kinds[place]))
            digest = table_sha256(names, kinds, columns)
        except (OSError, ValueError, KeyError, IndexError, StopIteration, struct.error, csv.Error) as error:
            self.fail(label, f"{table['file']} cannot be read: {error}")
            digest = ""
        self.cells[table["claimed_as"]] = (names, columns)
        return digest

    def check_checks(self) -> None:
        """Check results speak of the exported state, and no blocking check failed."""
        passed = 0
        for label, step in self.steps.items():
            found = self.load(step["checks"]) if step.get("checks") else {"checks": [], "sha256": None}
            if found["checks"] and found["sha256"] != self.records[label]["sha256"]:
                self.fail(label, "its check results speak of another state")
            for check in found["checks"]:
                passed += check["passed"]
                if not check["passed"] and check["severity"] == "error":
                    self.fail(label, f"check {check['name']} failed: {check['detail']}")
        self.said.append(f"{passed} checks passed")

    def check_claims(self, name: str | None) -> bool:
        """Claimed numbers are what their cells say; False if there is no claim of that name."""
        claims = [claim for claim in self.load("claims.json") if name in (None, claim["name"])]
        for claim in claims:
            status, found = self.judge(claim)
            if status != "OK":
                text = f"{status} claim {claim['name']!r}: claimed {claim['value']}, found {found}"
                self.fail(claim["artefact"].split(".", 1)[0], text)
            elif name:
                self.said.append(f"claim {name!r}: {claim['value']} is what {claim['artefact']} says")
        self.said += [f"{len(claims)} claims"] if name is None else []
        return bool(claims) or name is None

    def judge(self, claim: Any) -> tuple[str, str]:
        """Status of a claim and the value found, rounded half up to the claim's last digit."""
        names, columns = self.cells.get(claim["artefact"], ([], []))
        needed = [*claim["where"], claim["column"]]
        if any(column not in names for column in needed):
            return "NO_ARTEFACT", "no such table or column"
        picked = [columns[names.index(column)] for column in claim["where"]]
        wanted = list(claim["where"].values())
        rows = [row for row in range(len(columns[0])) if [column[row] for column in picked] == wanted]
        if len(rows) != 1:
            return "NO_ARTEFACT", f"{len(rows)} rows"
        value = columns[names.index(claim["column"])][rows[0]]
        try:
            exact = Decimal(repr(float(value)))
        except (TypeError, ValueError):
            return "NO_ARTEFACT", f"{value!r}"
        if not exact.is_finite():
            return "NO_ARTEFACT", f"{value!r}"
        return compare(Decimal(claim["value"]), exact, Decimal(repr(float(claim["tolerance"]))))

    def check_cached_pins(self, folder: Path) -> None:
        """Pinned bytes below a directory, found by their digest."""
        wanted = {pin["sha256"]: name for name, pin in self.load("pins.json").items()}
        found = {file_sha256(path) for path in folder.rglob("*") if path.is_file()}
        for digest, name in wanted.items():
            if digest not in found:
                self.fail(name, f"no file below {folder} has its sha256 {digest}")
        self.said.append(f"{len(wanted)} pins re-hashed")


def verify(root: Path, claim: str | None, seal: str | None, pins: Path | None) -> tuple[Crate, str, bool]:
    """Run every check; the crate with its findings, its seal, and whether the named claim exists."""
    csv.field_size_limit(1 << 30)
    crate, known = Crate(root), True
    try:
        crate.open()
    except UNREADABLE as error:
        crate.fail("workflow.json", f"cannot be read: {error}")
    found = crate.check_manifest()
    if seal and seal.replace("sha256:", "") != found:
        crate.fail(MANIFEST, f"the seal is {found}, expected {seal}")
    stages = [crate.check_chain, crate.check_description, crate.check_data, crate.check_checks]
    try:
        for stage in stages:
            stage()
        known = crate.check_claims(claim)
        if pins:
            crate.check_cached_pins(pins)
    except UNREADABLE as error:
        crate.fail("crate", f"the check ended early: {type(error).__name__}: {error}")
    return crate, found, known


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Verify this crate offline.")
    parser.add_argument("--claim", metavar="NAME", help="check and show this claim only")
    parser.add_argument("--seal", metavar="HEX", help="the seal the publisher gave")
    parser.add_argument("--pins", metavar="DIR", type=Path, help="re-hash the pinned inputs kept below DIR")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--crate", metavar="DIR", type=Path, default=Path(__file__).resolve().parent)
    asked = parser.parse_args()
    try:
        crate, seal, known = verify(asked.crate, asked.claim, asked.seal, asked.pins)
    except OSError as error:
        sys.stdout.write(f"FAILED  {asked.crate} cannot be read as a crate: {error}\n")
        return 1
    if not known:
        sys.stderr.write(f"no claim {asked.claim!r}; see claims.json\n")
        return 2
    ok = not crate.findings
    if asked.json:
        sys.stdout.write(json.dumps({"ok": ok, "seal": seal, "said": crate.said, "findings": crate.findings}) + "\n")
    else:
        lines = [f"FAILED  {item['node']}: {item['problem']}" for item in crate.findings]
        lines += [f"seal    sha256:{seal}", f"{'VERIFIED' if ok else 'FAILED'}  {', '.join(crate.said)}"]
        sys.stdout.write("\n".join(lines) + "\n")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
