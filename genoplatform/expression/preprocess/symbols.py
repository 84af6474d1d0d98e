"""Gene symbols in the text of an annotation cell: the benchmark's two rules, and ours. Source: expression.md B.7."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from genoplatform.expression.aliases import Aliases
from genoplatform.expression.preprocess.excel_dates import repaired

_V2 = re.compile(r"\b(?:[A-Z][A-Z0-9-]{1,9}|C\d+orf\d+)\b")
_V2_REFUSED = re.compile(r"NR_|XR_|LOC\d+|LINC\d+")
_V2_WORDS = frozenset({"DNA", "RNA", "PCR", "EST", "CHR"})
_V1 = re.compile(r";|\|+|/{2,}|,|\[|\]|\(|\)")
_SPLIT = re.compile(r"\s*(?:///|//|;|\||,|\s)\s*")
_RECORDS = re.compile(r"\s*///\s*")
_FIELDS = re.compile(r"\s*//\s*")
_NOTHING = frozenset({"", "-", "---", "NA", "N/A", "NULL", "NONE"})
_MIN_FIELDS = 3

SymbolRule = Callable[[str], list[str]]


def symbols_v2(text: str) -> list[str]:
    """Release 2: words that look like symbols, wherever they stand (!).

    A symbol of more than ten characters is lost, or cut at a hyphen; capital words and GenBank accessions count.
    """
    found = dict.fromkeys(_V2.findall(text))
    return [word for word in found if word not in _V2_WORDS and not _V2_REFUSED.match(word)]


def symbols_v1(text: str) -> list[str]:
    """Release 1: the text split at separators; pieces are not trimmed (!)."""
    return [piece for piece in _V1.split(text) if piece]


class SoundRule:
    """Our rule: names of known genes only, as official symbols, each once.

    Cells are lists of names, or records of an Affymetrix assignment (`accession // symbol // title // ...`), whose
    second field is the name. Ids of Ensembl are known names; digits are Entrez ids only in a column that says so.

    Args:
        aliases: the sound dictionary.
        column: name of the annotation column.

    Attributes:
        ambiguous: names met that may mean several genes.
        dates: names met that a spreadsheet made of one gene's symbol, and were turned back.
    """

    def __init__(self, aliases: Aliases, column: str = "") -> None:
        self._aliases = aliases
        self._entrez = aliases.entrez if re.search(r"entrez|gene.?id|locuslink", column, re.IGNORECASE) else {}
        self.ambiguous: set[str] = set()
        self.dates: set[str] = set()

    def __call__(self, text: str) -> list[str]:
        """Official symbols in one cell."""
        return list(dict.fromkeys(symbol for symbol in map(self.symbol, _names(text)) if symbol))

    def symbol(self, name: str) -> str | None:
        """Official symbol of one name; None where unknown or ambiguous."""
        if symbol := self._entrez.get(name) or self._aliases.resolve(name):
            return symbol
        if name.upper() in self._aliases.ambiguous:
            self.ambiguous.add(name)
        elif symbol := repaired(name, self._aliases):
            self.dates.add(name)
            return symbol
        return None

    def report(self) -> dict[str, int]:
        """Counts of what was met."""
        return {
            "names that mean several genes, left out": len(self.ambiguous),
            "dates turned back into symbols": len(self.dates),
        }


def _names(text: str) -> list[str]:
    whole = text.strip()
    if "//" in whole:
        records = [_FIELDS.split(record) for record in _RECORDS.split(whole)]
        if all(len(record) >= _MIN_FIELDS for record in records):
            return [record[1] for record in records]
    return [name for name in _SPLIT.split(whole) if name.upper() not in _NOTHING]


def extract(texts: Iterable[str], rule: SymbolRule) -> list[list[str]]:
    """Symbols of every text; equal texts are looked at once."""
    known: dict[str, list[str]] = {}
    found = []
    for text in texts:
        if text not in known:
            known[text] = rule(text)
        found.append(known[text])
    return found
