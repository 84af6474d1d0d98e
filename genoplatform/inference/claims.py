"""Claimed numbers held against the artefacts they come from.

Belongs here: what a claim is, reading a claims file, and the comparison. A claim keeps its digits as written
(a string): the computed value is rounded half up to the same last digit with decimal arithmetic and the two are
compared as decimals. Does not belong here: which numbers are claimed (settings), or stopping a run on a
mismatch (assets).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from genoplatform.errors import SettingsError
from genoplatform.inference.claim_tables import claims_of_table

OK, ROUNDING, MISMATCH, NO_ARTEFACT = "OK", "ROUNDING", "MISMATCH", "NO_ARTEFACT"

_KEYS = {"name", "value", "artefact", "column", "where", "tolerance", "source"}
_REQUIRED = ("name", "value", "artefact", "column")


@dataclass(frozen=True)
class Claim:
    """One claimed number.

    Attributes:
        name: unique name, shown when the claim fails.
        value: the number as written; its last digit sets the precision of the comparison.
        artefact: name of the table it comes from (of a stored artefact: see `named_tables`).
        column: column of the cell.
        where: column -> value conditions that pick exactly one row; empty for a one-row table.
        tolerance: absolute difference still OK, for results that depend on draws of another generator.
        source: where the number is claimed.
    """

    name: str
    value: str
    artefact: str
    column: str
    where: Mapping[str, str | int | float] = field(default_factory=dict)
    tolerance: float = 0.0
    source: str = ""

    def __post_init__(self) -> None:
        try:
            finite = Decimal(self.value).is_finite()
        except InvalidOperation:
            finite = False
        if not finite:
            raise SettingsError(f"reading claim {self.name}", f"value {self.value!r} is not a number")
        if not isinstance(self.tolerance, int | float) or not 0.0 <= self.tolerance < math.inf:
            hint = "a number from 0 up; YAML takes 5e-05 for text, write 5.0e-05"
            raise SettingsError(f"reading claim {self.name}", f"tolerance {self.tolerance!r}", hint)

    @property
    def cell(self) -> str:
        """The cell's address in words."""
        return ", ".join([*(f"{k}={v}" for k, v in self.where.items()), self.column])


def read_claims(path: Path) -> list[Claim]:
    """Read a YAML file of claims: a list under the key `claims`, tables of them under `tables`, or both.

    Raises:
        SettingsError: an unknown or missing key, a value that is not quoted (a bare 0.690 would lose its zero)
            or not a whole number, a table whose rows do not fit its columns, or two claims of one name.
    """
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    lists = {key: document.get(key, []) for key in ("claims", "tables")} if isinstance(document, dict) else {}
    if not any(lists.values()) or not all(isinstance(entries, list) for entries in lists.values()):
        raise SettingsError(f"reading {path.name}", "no list under the key 'claims' or 'tables'")
    tabled = [entry for table in lists["tables"] for entry in claims_of_table(table, path.name)]
    claims = [_claim(entry, path.name) for entry in [*lists["claims"], *tabled]]
    twice = sorted(name for name, count in Counter(claim.name for claim in claims).items() if count > 1)
    if twice:
        raise SettingsError(f"reading {path.name}", f"claimed twice: {twice}")
    return claims


def named_tables(asset: str, partition: str, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The tables of one artefact under the names that claims call them by: `asset[partition].table`."""
    return {f"{asset}[{partition}].{name}": table for name, table in tables.items()}


def audit_claims(claims: Sequence[Claim], artefacts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare every claim with its artefact.

    Returns:
        One row per claim in order: name, status, claimed, found (both as decimal strings at the claim's
        precision; found empty without artefact), difference, artefact, cell, source, detail. OK = the strings
        agree or the difference is within the declared tolerance; ROUNDING = off by no more than one unit of the
        claim's last decimal place; MISMATCH = more, and any difference of a whole number; NO_ARTEFACT = the table,
        row or value is not there.
    """
    cells = {name: _Cells(table) for name, table in artefacts.items()}
    return pd.DataFrame([_audit(claim, cells) for claim in claims], columns=_RESULT)


def failing(audit: pd.DataFrame) -> pd.DataFrame:
    """The claims a gate must stop at: everything that is not OK, rounding slips included."""
    return audit.loc[audit["status"] != OK].reset_index(drop=True)


_RESULT = ["name", "status", "claimed", "found", "difference", "artefact", "cell", "source", "detail"]


def _claim(entry: Any, file: str) -> Claim:
    if not isinstance(entry, dict):
        raise SettingsError(f"reading {file}", f"claim {entry!r} is not a mapping")
    name = entry.get("name", "without a name")
    unknown, missing = sorted(set(entry) - _KEYS), [key for key in _REQUIRED if key not in entry]
    if unknown or missing:
        raise SettingsError(f"reading {file}, claim {name}", f"unknown keys {unknown}, missing {missing}")
    value = entry["value"]
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise SettingsError(
            f"reading {file}, claim {name}", f"value {value!r} is not text", "quote it, to keep its digits"
        )
    return Claim(**{**entry, "value": str(value)})


class _Cells:
    """A table's columns as plain arrays, each made once: thousands of claims look into the same few."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table
        self._columns: dict[str, np.ndarray[Any, Any]] = {}

    def column(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self._columns:
            self._columns[name] = self.table[name].to_numpy(dtype=object, na_value=np.nan)
        return self._columns[name]

    def rows(self, where: Mapping[str, str | int | float]) -> np.ndarray[Any, Any]:
        """Positions of the rows that meet every condition."""
        keep = np.ones(len(self.table), dtype=bool)
        for name, value in where.items():
            keep &= (self.column(name) == value).astype(bool)
        return np.flatnonzero(keep)


def _audit(claim: Claim, artefacts: Mapping[str, _Cells]) -> dict[str, object]:
    head = {"name": claim.name, "claimed": claim.value, "artefact": claim.artefact}
    head |= {"cell": claim.cell, "source": claim.source}
    found, detail = _look_up(claim, artefacts)
    if found is None:
        return {**head, "status": NO_ARTEFACT, "found": "", "difference": math.nan, "detail": detail}
    status, rounded, difference = compare(claim.value, found, claim.tolerance)
    return {**head, "status": status, "found": rounded, "difference": difference, "detail": detail}


def compare(claimed: str, found: float, tolerance: float = 0.0) -> tuple[str, str, float]:
    """Status, the found value rounded half up to the claim's last digit, and found - claimed unrounded.

    Half up means away from zero, on the shortest decimal that reads back as the same float.
    """
    target = Decimal(claimed)
    exponent = int(target.as_tuple().exponent)
    with localcontext() as context:
        context.prec = 400
        exact = Decimal(repr(float(found)))
        rounded = exact.quantize(Decimal((0, (1,), exponent)), rounding=ROUND_HALF_UP)
        difference = exact - target
        slip = abs(rounded - target)
        if slip == 0 or abs(difference) <= Decimal(repr(float(tolerance))):
            status = OK
        elif exponent < 0 and slip <= Decimal((0, (1,), exponent)):
            status = ROUNDING
        else:
            status = MISMATCH
    return status, str(rounded), float(difference)


def _look_up(claim: Claim, artefacts: Mapping[str, _Cells]) -> tuple[float | None, str]:
    if claim.artefact not in artefacts:
        return None, f"no artefact {claim.artefact}"
    cells = artefacts[claim.artefact]
    if absent := [name for name in (*claim.where, claim.column) if name not in cells.table.columns]:
        return None, f"no column {', '.join(absent)}"
    rows = cells.rows(claim.where)
    if len(rows) != 1:
        return None, f"{len(rows)} rows where {claim.cell}"
    value = cells.column(claim.column)[rows[0]]
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None, f"{value!r} is not a number"
    return (number, "") if math.isfinite(number) else (None, "the value is missing")
