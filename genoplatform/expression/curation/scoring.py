"""A curator against labelled decision records: agreement by field and fold, and every disagreement with both reasons.

Labels are silver: read from notebooks of people who were sometimes wrong. Nothing here decides who is right.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from genoplatform.errors import BadInputError
from genoplatform.expression.curation.curate import curate
from genoplatform.expression.curation.demographics import age_key_rank, gender_key
from genoplatform.expression.curation.facts import CohortFacts
from genoplatform.expression.curation.key_kinds import is_about
from genoplatform.expression.curation.text import fold, split_cell
from genoplatform.expression.decisions import CohortDecisions, Variable

Fold = Literal["developed on", "held out"]
VARIABLES = ("trait", "age", "gender")
_HELD_OUT_OF = 6
_TOLERANCE = 1e-6
_WEIGHTS = {"gene": 2.0, "trait row": 3.0, "age row": 2.0, "gender row": 2.0, "mapping": 2.0, "columns": 2.0}
_CODES_WEIGHT = 1.0


@dataclass(frozen=True)
class Outcome:
    """One field of one cohort.

    Attributes:
        field: "gene", "trait row", "trait codes", ..., "mapping", "columns".
        agrees: whether ours equals the label.
        label, ours: both, in short.
        why: our reason.
        usable_label: False where the label breaks the benchmark's own rules (a row that is absent, the same for all
            samples, or of another thing, as a gender row labelled trait; codes that are constant or all unknown).
    """

    field: str
    agrees: bool
    label: str
    ours: str
    why: str
    usable_label: bool = True


@dataclass(frozen=True)
class Scored:
    """One record: its cohort, fold, outcomes by field, and (truth, ours) of expression data where labelled."""

    trait: str
    cohort: str
    fold: Fold
    outcomes: list[Outcome]
    gene: tuple[bool, bool] | None

    @property
    def distance(self) -> float:
        """Weighted number of disagreements."""
        return sum(_WEIGHTS.get(o.field, _CODES_WEIGHT) for o in self.outcomes if not o.agrees)


@dataclass(frozen=True)
class Line:
    """Agreement on one measure: share of n cohorts."""

    measure: str
    fold: str
    value: float
    n: int


@dataclass(frozen=True)
class Acceptance:
    """The result.

    Attributes:
        lines: measures by fold ("all", "developed on", "held out").
        worst: the records with most disagreement, worst first.
        skipped: records that cannot be scored, by reason.
    """

    lines: list[Line]
    worst: list[Scored]
    skipped: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """For machines: lines, worst records with their disagreements, skipped counts."""
        return {
            "measures": [
                {**asdict(line), "value": None if math.isnan(line.value) else line.value} for line in self.lines
            ],
            "worst": [
                {
                    "trait": s.trait,
                    "cohort": s.cohort,
                    "fold": s.fold,
                    "disagreements": [asdict(o) for o in s.outcomes if not o.agrees],
                }
                for s in self.worst
            ],
            "skipped": self.skipped,
        }


def fold_of(cohort: str) -> Fold:
    """Fold of a cohort: a sixth is held out, by the SHA-256 of the accession, so that a series is in one fold only."""
    return "held out" if int(hashlib.sha256(cohort.encode()).hexdigest(), 16) % _HELD_OUT_OF == 0 else "developed on"


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Records of a JSON-lines file, plain or xz.

    Raises:
        BadInputError: a line is no JSON object.
    """
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise BadInputError(
                    f"reading {path.name}", f"line {number}: {error}", "one JSON object a line"
                ) from error
            if not isinstance(record, dict) or "cohort" not in record:
                raise BadInputError(
                    f"reading {path.name}", f"line {number} is no decision record", "it needs trait and cohort"
                )
            yield record


def accept(
    records: Iterable[Mapping[str, Any]], curator: Callable[[CohortFacts], CohortDecisions] = curate, worst: int = 10
) -> Acceptance:
    """Score a curator on labelled records.

    Args:
        records: records of GEO cohorts; others are counted as skipped.
        curator: facts to decisions.
        worst: how many of the worst records to keep.
    """
    scored: list[Scored] = []
    skipped: dict[str, int] = {}
    for record in records:
        if "characteristics" not in record:
            skipped["no GEO record (TCGA: columns without values)"] = (
                skipped.get("no GEO record (TCGA: columns without values)", 0) + 1
            )
            continue
        scored.append(scored_record(record, curator(CohortFacts.from_record(record))))
    if not scored:
        raise BadInputError("scoring a curator", "no GEO record among the input", "give step-decision records")
    lines = [line for name in ("all", "developed on", "held out") for line in _lines(name, _in_fold(scored, name))]
    ranked = sorted(scored, key=lambda s: (-s.distance, s.trait, s.cohort))
    return Acceptance(lines, [s for s in ranked[:worst] if s.distance], skipped)


def _in_fold(scored: list[Scored], name: str) -> list[Scored]:
    return [s for s in scored if name in ("all", s.fold)]


def scored_record(record: Mapping[str, Any], decisions: CohortDecisions) -> Scored:
    """Compare the decisions on one record with its labels."""
    outcomes: list[Outcome] = []
    truth = record.get("is_gene_available")
    gene = None
    if truth is not None and record.get("background"):
        gene = (bool(truth), decisions.is_gene_available)
        outcomes.append(_outcome("gene", str(truth), str(decisions.is_gene_available), decisions.why.get("gene", "")))
    if record.get("characteristics"):
        for name in VARIABLES:
            outcomes += _variable_outcomes(record, decisions, name)
    mapping = record.get("requires_gene_mapping")
    if mapping is not None and decisions.needs_mapping is not None:
        outcomes.append(
            _outcome("mapping", str(mapping), str(decisions.needs_mapping), decisions.why.get("mapping", ""))
        )
    if record.get("annotation_preview") and record.get("probe_col") and record.get("gene_col"):
        label, ours = (
            f"{record['probe_col']}, {record['gene_col']}",
            f"{decisions.id_column}, {decisions.gene_column}",
        )
        outcomes.append(_outcome("columns", label, ours, decisions.why.get("columns", "")))
    return Scored(record["trait"], record["cohort"], fold_of(record["cohort"]), outcomes, gene)


def _outcome(name: str, label: str, ours: str, why: str, *, usable: bool = True) -> Outcome:
    return Outcome(name, label == ours, label, ours, why, usable)


def _variable_outcomes(record: Mapping[str, Any], decisions: CohortDecisions, name: str) -> list[Outcome]:
    variable: Variable | None = getattr(decisions, f"{name}_variable")
    row = variable.row if variable else None
    label = record.get(f"{name}_row")
    values = [v for v in record["characteristics"].get(str(label), ()) if v]
    usable = label is None or (len(set(values)) > 1 and _is_possible(name, values))
    said = f"{label}" + (f" ({values[0]!r}, ...)" if values else "")
    ours = f"{row}" + (f" ({next(iter(variable.codes), '')!r}, ...)" if variable else "")
    why = decisions.why.get(name, "")
    outcomes = [Outcome(f"{name} row", row == label, said, ours, why, usable)]
    if row == label and variable is not None:
        outcomes.append(_codes_outcome((record.get("encoding") or {}).get(name) or {}, variable, name))
    return outcomes


def _is_possible(name: str, cells: list[str]) -> bool:
    """Whether a row can be the variable at all: a gender row is no trait, a row without age is no age."""
    keys = {split_cell(cell)[0] for cell in cells}
    genders, ages = any(map(gender_key, keys)), any(age_key_rank(key) is not None for key in keys)
    if name == "trait":
        return not (all(map(gender_key, keys)) or all(is_about(fold(key), "technical") for key in keys))
    return genders if name == "gender" else ages


def _codes_outcome(label: Mapping[str, object], variable: Variable, name: str) -> Outcome:
    shown = {cell: code for cell, code in label.items() if cell != "None"}
    wrong = [cell for cell, code in shown.items() if not _same(code, variable.codes.get(cell))]
    known = {code for code in shown.values() if code is not None}
    first = wrong[:3]
    return Outcome(
        f"{name} codes",
        not wrong,
        "; ".join(f"{cell} -> {shown[cell]}" for cell in first),
        "; ".join(f"{cell} -> {variable.codes.get(cell)}" for cell in first),
        f"{len(wrong)} of {len(shown)} values differ; rule {variable.rule!r}",
        len(known) > 1,
    )


def _same(one: object, other: float | None) -> bool:
    """Equal codes; a label that is no number (a converter of the notebooks gave words) equals nothing."""
    if one is None or other is None:
        return one is other
    if not isinstance(one, int | float):
        return False
    return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _lines(fold: str, scored: list[Scored]) -> Iterator[Line]:
    pairs = [s.gene for s in scored if s.gene is not None]
    found = sum(truth and ours for truth, ours in pairs)
    claimed, true = sum(ours for _, ours in pairs), sum(truth for truth, _ in pairs)
    yield Line("expression data F1", fold, _ratio(2 * found, claimed + true), len(pairs))
    yield Line(
        "expression data recall of 'no'",
        fold,
        _ratio(sum(not t and not o for t, o in pairs), len(pairs) - true),
        len(pairs) - true,
    )
    for name in (f"{v} row" for v in VARIABLES):
        yield _share(name, fold, scored, name)
        yield _share(f"{name}, usable labels", fold, scored, name, usable=True)
    for name in (f"{v} codes" for v in VARIABLES):
        yield _share(name, fold, scored, name)
        yield _share(f"{name}, usable labels", fold, scored, name, usable=True)
    codes = [o for s in scored for o in s.outcomes if o.field.endswith("codes")]
    yield Line("codes of all three", fold, _ratio(sum(o.agrees for o in codes), len(codes)), len(codes))
    yield _share("mapping needed", fold, scored, "mapping")
    yield _share("annotation columns", fold, scored, "columns")


def _share(measure: str, fold: str, scored: list[Scored], name: str, *, usable: bool = False) -> Line:
    """Share of agreement; `usable` leaves unusable labels out."""
    outcomes = [o for s in scored for o in s.outcomes if o.field == name and (o.usable_label or not usable)]
    return Line(measure, fold, _ratio(sum(o.agrees for o in outcomes), len(outcomes)), len(outcomes))


def _ratio(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else math.nan
