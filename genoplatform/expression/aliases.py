"""Gene names: which official symbol an alias, a former symbol or a gene id means. Source: expression.md A.2, B.8, E.6.

Two dictionaries: the benchmark's rule A.2, where a later gene silently takes an alias over (!), and the sound one,
where an official symbol means itself, a former symbol and then an alias mean a gene only if they mean one alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from genoplatform.errors import BadInputError, EmptyResultError

OFFICIAL, FORMER, ALIAS, ENSEMBL, ENTREZ, GIVEN = "official", "former", "alias", "ensembl", "entrez", "given"
COLUMNS = ("name", "kind", "symbols")


@dataclass(frozen=True)
class Aliases:
    """A dictionary of gene names.

    Attributes:
        symbols: NAME IN UPPER CASE -> official symbol.
        ambiguous: NAME IN UPPER CASE -> the genes it may mean, two or more; not in `symbols`.
        entrez: Entrez gene id -> official symbol.
        symbols_once: the names in `symbols` that are, or were, somebody's official symbol.
    """

    symbols: Mapping[str, str]
    ambiguous: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entrez: Mapping[str, str] = field(default_factory=dict)
    symbols_once: frozenset[str] = frozenset()

    def resolve(self, name: str) -> str | None:
        """Official symbol of a name; None if unknown or ambiguous. Ensembl ids may carry a version."""
        upper = name.upper()
        if upper.startswith("ENSG"):
            upper = upper.partition(".")[0]
        return self.symbols.get(upper)


def rule_a2(genes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """The benchmark's alias dictionary.

    Genes are visited in order; an alias already taken is overwritten, except where its present value is another gene's
    symbol equal to the alias itself.

    Args:
        genes: (official symbol, its synonyms), in file order.

    Returns:
        ALIAS IN UPPER CASE -> official symbol; symbols map to themselves.
    """
    found: dict[str, str] = {}
    for symbol, synonyms in genes:
        for name in (symbol, *synonyms):
            key = name.upper()
            present = found.get(key)
            if present is None or present == symbol or present.upper() != key:
                found[key] = symbol
    return found


def alias_table(genes: pd.DataFrame) -> pd.DataFrame:
    """The sound dictionary of an HGNC gene table, as a table.

    Args:
        genes: symbol, entrez_id, ensembl_gene_id, alias_symbols (list), prev_symbols (list); rows in file order.

    Returns:
        name (upper case; Entrez ids as digits), kind, symbols (list; several where the name is ambiguous); by kind and
        name. A former symbol that is somebody's official one is left out, an alias that is either of them too.
    """
    symbols = genes["symbol"].tolist()
    official = _owners(symbols, [[symbol] for symbol in symbols])
    former = _owners(symbols, genes["prev_symbols"], known=(official,))
    kinds = {
        OFFICIAL: official,
        FORMER: former,
        ALIAS: _owners(symbols, genes["alias_symbols"], known=(official, former)),
        ENSEMBL: _owners(symbols, [[name] if name else [] for name in genes["ensembl_gene_id"]]),
        ENTREZ: _owners(symbols, [[name] if name else [] for name in genes["entrez_id"]]),
    }
    if not official:
        raise EmptyResultError("making the alias table", "no gene in it", "look at the HGNC pin")
    rows = [(name, kind) for kind in sorted(kinds) for name in sorted(kinds[kind])]
    frame = pd.DataFrame(rows, columns=list(COLUMNS[:2]))
    frame["symbols"] = pd.Series([sorted(kinds[kind][name]) for name, kind in rows], dtype=object)
    return frame


def dictionary_table(symbols: Mapping[str, str]) -> pd.DataFrame:
    """A plain dictionary (of rule A.2, or a file's) as a table of the same form, kind `given`."""
    rows = [(name, GIVEN, [symbol]) for name, symbol in sorted(symbols.items())]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def no_names() -> pd.DataFrame:
    """A table without names."""
    return pd.DataFrame(
        {"name": pd.Series(dtype="str"), "kind": pd.Series(dtype="str"), "symbols": pd.Series(dtype="object")}
    )


def aliases_of(table: pd.DataFrame) -> Aliases:
    """The dictionary of a table of `alias_table` or `dictionary_table`."""
    owners = [list(item) for item in table["symbols"]]
    rows = list(zip(table["name"].tolist(), table["kind"].tolist(), owners, strict=True))
    return Aliases(
        symbols={name: own[0] for name, kind, own in rows if kind != ENTREZ and len(own) == 1},
        ambiguous={name: tuple(own) for name, kind, own in rows if kind != ENTREZ and len(own) > 1},
        entrez={name: own[0] for name, kind, own in rows if kind == ENTREZ and len(own) == 1},
        symbols_once=frozenset(name for name, kind, own in rows if kind in (OFFICIAL, FORMER) and len(own) == 1),
    )


def rule_a2_of(genes: pd.DataFrame) -> dict[str, str]:
    """Rule A.2 on an HGNC gene table, where no synonym file is given."""
    lists = zip(genes["symbol"], genes["alias_symbols"], genes["prev_symbols"], strict=True)
    return rule_a2((symbol, [*alias, *former]) for symbol, alias, former in lists)


def read_synonyms(path: Path) -> dict[str, str]:
    """A `gene_synonym.json` of the benchmark: a flat object ALIAS -> symbol; plain or xz.

    Raises:
        BadInputError: not such a file.
    """
    try:
        data = path.read_bytes()
        if data[:6] == b"\xfd7zXZ\0":
            import lzma  # noqa: PLC0415 - seldom needed

            data = lzma.decompress(data)
        content: Any = json.loads(data)
    except (OSError, ValueError) as error:
        raise BadInputError(f"reading {path.name}", str(error), "it should be gene_synonym.json") from error
    if not isinstance(content, dict) or not content or not all(isinstance(v, str) for v in content.values()):
        raise BadInputError(f"reading {path.name}", "not a flat object of names", "it should be gene_synonym.json")
    return {str(name).upper(): symbol for name, symbol in content.items()}


def _owners(
    symbols: Sequence[str], names: Iterable[Iterable[str]], known: tuple[Mapping[str, list[str]], ...] = ()
) -> dict[str, list[str]]:
    """NAME IN UPPER CASE -> the genes it stands at; names that are `known` are left out."""
    owners: dict[str, list[str]] = {}
    for symbol, own in zip(symbols, names, strict=True):
        for name in own:
            upper = str(name).upper()
            if any(upper in other for other in known):
                continue
            present = owners.setdefault(upper, [])
            if symbol not in present:
                present.append(symbol)
    return owners
