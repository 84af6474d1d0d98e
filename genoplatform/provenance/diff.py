"""What changed between two states of the same assets, and what of it is a cause and what only follows.

A state is a store or a crate, read as a graph. Causes are what a person or a source changed: pins, code, parameters.
All else that is different is different because of its inputs, or is not explained by the records: then it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from genoplatform.provenance.crate_metadata import leaves
from genoplatform.provenance.graph import Graph, GraphNode, NodeKey, label_of, order, row_count, upstream
from genoplatform.provenance.sidecar import Sidecar

Status = Literal["only in A", "only in B", "changed", "follows", "unexplained", "same content"]
RowDifference = Callable[[Path, Path], tuple[int, int]]


@dataclass(frozen=True)
class Change:
    """One artefact that is not the same in both states.

    Attributes:
        artefact: its label.
        status: whether it changed by a cause of its own (`changed`), by its inputs (`follows`), by nothing recorded
            (`unexplained`), or has the same content although something about it changed (`same content`).
        causes: kind (pin, code, parameter, source code, packages) and words, of its own.
        inputs: labels of inputs whose content changed.
        rows: before and after, where both are tables that are here.
        rows_gone, rows_new: rows of one state that the other lacks, where they could be compared.
    """

    artefact: str
    status: Status
    causes: list[tuple[str, str]] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    rows: tuple[int, int] | None = None
    rows_gone: int | None = None
    rows_new: int | None = None

    @property
    def words(self) -> str:
        """The change in one line."""
        parts = [f"{kind}: {text}" for kind, text in self.causes]
        if self.inputs:
            parts.append(f"from {', '.join(self.inputs)}")
        if self.rows is not None and self.status != "same content":
            before, after = self.rows
            parts.append(f"rows {before:,} -> {after:,}" if before != after else f"{before:,} rows")
        if self.rows_gone is not None:
            parts.append(f"{self.rows_gone:,} rows gone, {self.rows_new:,} new")
        return "; ".join(parts)


def diff_graphs(old: Graph, new: Graph, row_difference: RowDifference | None = None) -> list[Change]:
    """Every artefact that differs, inputs before what is made of them.

    Args:
        old: state A.
        new: state B.
        row_difference: (parquet A, parquet B) -> rows of A that B lacks, and of B that A lacks.
    """
    found = [Change(label_of(key), "only in A") for key in sorted(old.keys() - new.keys(), key=order)]
    for key in upstream(new, new.keys()):
        if key not in old:
            found.append(Change(label_of(key), "only in B"))
        elif change := _change(key, old, new, row_difference):
            found.append(change)
    return found


def _change(key: NodeKey, old: Graph, new: Graph, row_difference: RowDifference | None) -> Change | None:
    a, b = old[key].sidecar, new[key].sidecar
    same = a.data_version == b.data_version
    causes = [*_pins(a, b), *_code(a, b), *_parameters(a, b)]
    inputs = _changed_inputs(a, b)
    if same and not causes:
        return None
    if same:
        return Change(label_of(key), "same content", causes, inputs)
    weak = [*_weak_causes(a, b)]
    status: Status = "changed" if causes else "follows" if inputs else "changed" if weak else "unexplained"
    gone, come = _row_difference(old[key], new[key], row_difference)
    rows = row_count(old[key]), row_count(new[key])
    known = (rows[0], rows[1]) if rows[0] is not None and rows[1] is not None else None
    return Change(label_of(key), status, causes or ([] if inputs else weak), inputs, known, gone, come)


def _pins(a: Sidecar, b: Sidecar) -> Iterator[tuple[str, str]]:
    if (a.pin and (a.pin.source_id, a.pin.sha256)) != (b.pin and (b.pin.source_id, b.pin.sha256)):
        yield "pin", f"{_pin_words(a)} -> {_pin_words(b)}"


def _pin_words(sidecar: Sidecar) -> str:
    return f"{sidecar.pin.source_id} ({sidecar.pin.sha256[:12]})" if sidecar.pin else "none"


def _code(a: Sidecar, b: Sidecar) -> Iterator[tuple[str, str]]:
    if a.code_version != b.code_version:
        yield "code", f"version {a.code_version} -> {b.code_version}"


def _weak_causes(a: Sidecar, b: Sidecar) -> Iterator[tuple[str, str]]:
    """What may explain a change that nothing else does: the package's own files, or the packages it stands on."""
    if a.code.source_sha256 != b.code.source_sha256:
        commits = (f"{(code.commit or 'no commit')[:12]}" for code in (a.code, b.code))
        yield "source code", " -> ".join(commits) + ", without a new code version"
    if a.code.lock_sha256 != b.code.lock_sha256:
        yield "packages", "another lock file"


def _parameters(a: Sidecar, b: Sidecar) -> Iterator[tuple[str, str]]:
    before, after = dict(leaves(a.parameters)), dict(leaves(b.parameters))
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield "parameter", f"{name} {_value(before, name)} -> {_value(after, name)}"


def _value(values: dict[str, Any], name: str) -> str:
    return str(values[name]) if name in values else "unset"


def _changed_inputs(a: Sidecar, b: Sidecar) -> list[str]:
    before = {(used.asset, used.partition): used.data_version for used in a.inputs}
    after = {(used.asset, used.partition): used.data_version for used in b.inputs}
    changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    return [label_of(key) for key in sorted(changed, key=order)]


def _row_difference(a: GraphNode, b: GraphNode, compare: RowDifference | None) -> tuple[int | None, int | None]:
    if compare is None or a.data is None or b.data is None:
        return None, None
    if not (a.data.is_file() and a.data.suffix == b.data.suffix == ".parquet"):
        return None, None
    return compare(a.data, b.data)
