"""Gene symbols that a spreadsheet turned into dates ("2-Sep" for SEPT2), turned back where only one gene can be meant.

Source: expression.md E.6 (genekitr issue 14); concerned: SEPT1 to SEPT14, SEP15, MARCH1 to MARCH11, MARC1, MARC2
and DEC1. "1-Mar" may be MARCH1 or MARC1: such a name stays unknown.
"""

from __future__ import annotations

import re

from genoplatform.expression.aliases import Aliases

_STEMS = {"MAR": ("MARCH", "MARC"), "SEP": ("SEPT", "SEP"), "DEC": ("DEC",)}
_MONTH = "|".join(_STEMS)
_DAY_FIRST = re.compile(rf"0?(\d{{1,2}})-({_MONTH})[A-Z]*(?:-\d{{2,4}})?", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"({_MONTH})[A-Z]*-0?(\d{{1,2}})", re.IGNORECASE)


def date_candidates(name: str) -> list[str]:
    """Symbols that a date may have been; none if the name is no date."""
    if found := _DAY_FIRST.fullmatch(name):
        day, month = found[1], found[2]
    elif found := _MONTH_FIRST.fullmatch(name):
        month, day = found[1], found[2]
    else:
        return []
    return [f"{stem}{int(day)}" for stem in _STEMS[month.upper()]]


def repaired(name: str, aliases: Aliases) -> str | None:
    """The official symbol behind a date, if exactly one gene can be meant; None for anything else."""
    if "-" not in name or aliases.resolve(name):
        return None
    # Only what once was an official symbol: spreadsheets of array annotations held those, not aliases.
    found = {aliases.symbols[c] for c in date_candidates(name) if c in aliases.symbols_once}
    return found.pop() if len(found) == 1 else None
