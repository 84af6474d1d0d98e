"""Column names of item tables as people bring them: aliases, and the wide layout with one column per system.

Belongs here: names and shape only. Does not belong here: what the cells may hold (items).
"""

from __future__ import annotations

import pandas as pd

from genoplatform.errors import BadInputError

ALIASES = {
    "item": ("case_id",),
    "cluster": ("source_pmid", "pmid"),
    "exposed": ("overlap",),
    "recent": ("post2020",),
    "publication_year": ("year",),
    "system": (),
    "rank": (),
    "hit": (),
}
OUTCOMES = ("rank", "hit")


def to_long(frame: pd.DataFrame, tried: str) -> tuple[pd.DataFrame, list[str]]:
    """Rename aliases, turn `rank_<SYSTEM>` and `hit_<SYSTEM>` columns into rows, and leave unknown columns out.

    Args:
        frame: one row per item and system, or per item with a column per system. Names are matched without regard
            to case and surrounding blanks; a canonical name wins over its aliases.
        tried: what the caller is doing, for the error.

    Returns:
        The long table (index kept, so that a message can name the line), and the names left out.

    Raises:
        BadInputError: a needed column is missing, twice there, or has two aliases.
    """
    named, ignored = _canonical(frame, tried)
    wide = [c for c in frame.columns if _wide_system(c)]
    if "system" in named or not wide:
        ignored += [str(c) for c in wide]
        _require(named, frame, tried)
        return named, ignored
    if clash := [c for c in OUTCOMES if c in named]:
        raise BadInputError(tried, f"column {clash[0]!r} beside {wide[0]!r} but no column 'system'", _LAYOUTS)
    long = _stack(named, frame, [str(c) for c in wide], tried)
    _require(long, frame, tried)
    return long, ignored


_LAYOUTS = (
    "give item, cluster, system and rank or hit (one row per item and system), or item, cluster and rank_<SYSTEM> "
    "or hit_<SYSTEM> columns (one row per item); exposed (0/1) is optional"
)


def _canonical(frame: pd.DataFrame, tried: str) -> tuple[pd.DataFrame, list[str]]:
    plain = {str(c).strip().casefold(): c for c in frame.columns}
    if len(plain) < frame.shape[1]:
        raise BadInputError(tried, f"a column name occurs twice in {[str(c) for c in frame.columns]}")
    found: dict[str, str] = {}
    for name, aliases in ALIASES.items():
        present = [name] if name in plain else [a for a in aliases if a in plain]
        if len(present) > 1:
            hint = f"name the one that is meant {name!r}"
            raise BadInputError(tried, f"columns {' and '.join(present)} could both be the {name}", hint)
        if present:
            found[name] = plain[present[0]]
    ignored = [str(c) for c in frame.columns if c not in found.values() and not _wide_system(c)]
    return frame[list(found.values())].set_axis(list(found), axis=1), ignored


def _wide_system(column: object) -> tuple[str, str] | None:
    """("rank" or "hit", system) of a wide column."""
    outcome, _, system = str(column).strip().partition("_")
    return (outcome.casefold(), system) if outcome.casefold() in OUTCOMES and system else None


def _stack(named: pd.DataFrame, frame: pd.DataFrame, wide: list[str], tried: str) -> pd.DataFrame:
    by_system: dict[str, dict[str, str]] = {}
    for column in wide:
        outcome, system = _wide_system(column) or ("", "")
        if outcome in by_system.setdefault(system, {}):
            raise BadInputError(tried, f"system {system!r} has two {outcome} columns")
        by_system[system][outcome] = column
    parts = []
    for system, columns in by_system.items():
        part = named.assign(system=system)
        for outcome, column in columns.items():
            part[outcome] = frame[column]
        parts.append(part)
    return pd.concat(parts)


def _require(named: pd.DataFrame, frame: pd.DataFrame, tried: str) -> None:
    missing = [c for c in ("item", "cluster", "system") if c not in named]
    missing += [] if any(c in named for c in OUTCOMES) else ["rank or hit"]
    if missing:
        have = ", ".join(str(c) for c in frame.columns) or "none"
        raise BadInputError(tried, f"no column {', '.join(missing)}; columns found: {have}", _LAYOUTS)
