"""Names of a gene in text: its symbol and aliases as whole words, in any case.

Belongs here: finding names. Does not belong here: what a mention is worth (critic) or whether it is denied (negation).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

Span = tuple[int, int]


class GeneNames:
    """Symbols and their aliases.

    Args:
        aliases: alias or previous symbol -> current symbol (`ontology.hgnc.alias_map`).
        shortest_alias: aliases with fewer characters are not used. The published critic uses all (1), although one
            of two letters turns up in texts that mean something else.
    """

    def __init__(self, aliases: Mapping[str, str] | None = None, *, shortest_alias: int = 1) -> None:
        by_symbol: dict[str, list[str]] = defaultdict(list)
        for alias, symbol in sorted((aliases or {}).items()):
            if len(alias) >= shortest_alias:
                by_symbol[symbol].append(alias)
        self._aliases = dict(by_symbol)
        self._lowered: dict[str, tuple[str, ...]] = {}

    def aliases(self, symbol: str) -> list[str]:
        """Aliases of a symbol, in code-point order."""
        return list(self._aliases.get(symbol, ()))

    def mentioned(self, symbol: str, lowered: str) -> bool:
        """Whether lower-cased text names the gene."""
        return next(self.mentions(symbol, lowered), None) is not None

    def mentions(self, symbol: str, lowered: str) -> Iterator[Span]:
        """Where lower-cased text names the gene: name after name, each from left to right."""
        for name in self._names(symbol):
            yield from occurrences(name, lowered)

    def _names(self, symbol: str) -> Sequence[str]:
        found = self._lowered.get(symbol)
        if found is None:
            names = [symbol, *self._aliases.get(symbol, ())]
            found = self._lowered[symbol] = tuple(dict.fromkeys(name.lower() for name in names))
        return found


def occurrences(name: str, lowered: str) -> Iterator[Span]:
    """Spans where `name` stands as a whole word: no letter, digit or underscore touches it."""
    start = lowered.find(name)
    while start >= 0:
        end = start + len(name)
        if not (in_word(lowered[start - 1 : start] if start else "") or in_word(lowered[end : end + 1])):
            yield start, end
        start = lowered.find(name, start + 1)


def in_word(character: str) -> bool:
    """Whether a character continues a word; none does not."""
    return character.isalnum() or character == "_"
