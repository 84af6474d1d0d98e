"""Tables about what the results rest on: strata, pins, artefacts and declared parameters.

Belongs here: rows and cells as text. Does not belong here: result tables (tables) or markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from genoplatform.report.formatting import NOTHING, count, percent
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.systems import printable
from genoplatform.report.tables import Cell, Group, Table


def strata_table(strata: pd.DataFrame) -> Table:
    """Eligible and drawn cases of every stratum."""
    rows = [
        [
            Cell(printable(str(row["stratum"])).replace("|", ", ")),
            Cell(count(int(row["eligible"]))),
            Cell(count(int(row["drawn"]))),
            Cell(percent(float(row["inclusion_probability"]))),
        ]
        for row in strata.to_dict("records")
    ]
    columns = ["Stratum", "Eligible", "Drawn", "Inclusion probability"]
    return Table("What the sample was drawn from", columns, [Group("", rows)])


def pins_table(inputs: ReportInputs) -> Table:
    """Every pin that anything on the page rests on: its hash and the roles it plays."""
    hashes: dict[str, str] = {}
    for row in inputs.provenance:
        for pin in row.get("pins") or ():
            name, _, sha256 = str(pin).partition(" ")
            hashes[name] = sha256
    roles: dict[str, list[str]] = {}
    for role, pin in inputs.profile.get("slots", {}).items():
        for name in _pins_of(str(pin or ""), sorted(hashes)):
            roles.setdefault(name, []).append(str(role))
    rows = [
        [Cell(printable(pin)), Cell(", ".join(roles.get(pin, [])) or NOTHING), Cell(hashes.get(pin, NOTHING))]
        for pin in sorted({*hashes, *roles})
    ]
    return Table("Pinned inputs", ["Pin", "Role", "SHA-256"], [Group("", rows)], frozenset({"Role", "SHA-256"}))


def artefacts_table(inputs: ReportInputs) -> Table:
    """Every artefact at or above what the page shows."""
    rows = [
        [
            Cell(_name(row)),
            Cell(str(row.get("sha256") or NOTHING)),
            Cell(", ".join(str(pin).partition(" ")[0] for pin in row.get("pins") or ()) or NOTHING),
        ]
        for row in inputs.provenance
    ]
    columns = ["Artefact", "SHA-256", "Rests on"]
    return Table("Artefacts this page is made from", columns, [Group("", rows)], frozenset(columns[1:]))


def parameters_table(inputs: ReportInputs) -> Table:
    """Declared parameters, grouped by section."""
    groups = [
        Group(name, [[Cell(str(key)), Cell(_value(value))] for key, value in section.items()])
        for name, section in inputs.sections.items()
    ]
    return Table("Declared parameters", ["Parameter", "Value"], groups, frozenset({"Value"}))


def _pins_of(slot: str, known: list[str]) -> list[str]:
    """The pins that fill a slot: one, or with "{partition}" in its place every known pin that fits."""
    head, template, tail = slot.partition("{partition}")
    if not template:
        return [slot] if slot else []
    return [pin for pin in known if pin.startswith(head) and pin.endswith(tail)]


def _name(row: Mapping[str, Any]) -> str:
    partition = row.get("partition")
    return str(row["asset"]) if partition is None else f"{row['asset']} [{partition}]"


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return NOTHING if value is None else str(value)
