"""Orphanet's disorder-gene associations (en_product6.xml).

The file is read with a parser that refuses entity declarations: nothing can be expanded, nothing external is loaded.
"""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

import pandas as pd

from genoplatform.errors import BadInputError, EmptyResultError

_HINT = "use en_product6.xml of orphadata.com, as LIRICAL downloads it"
_CODE = ("Disorder", "OrphaCode")
_SYMBOL = ("DisorderGeneAssociation", "Gene", "Symbol")


def read_orphanet_genes(path: Path) -> pd.DataFrame:
    """Read the gene symbols of every disorder, as Orphanet writes them.

    Returns:
        disease_id ("ORPHA:<code>"), gene_symbol; distinct, sorted.

    Raises:
        BadInputError: no file, no well-formed XML, or one that declares entities.
        EmptyResultError: no association.
    """
    collector = _Collector()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    parser.EntityDeclHandler = _refuse
    try:
        with path.open("rb") as handle:
            parser.ParseFile(handle)
    except OSError as error:
        raise BadInputError(f"reading {path.name}", str(error.strerror), _HINT) from error
    except expat.ExpatError as error:
        raise BadInputError(f"reading {path.name}", f"not well-formed XML: {error}", _HINT) from error
    if not collector.links:
        raise EmptyResultError(f"reading {path.name}", "no disorder with a gene", _HINT)
    links = pd.DataFrame(collector.links, columns=["disease_id", "gene_symbol"])
    return links.drop_duplicates().sort_values(["disease_id", "gene_symbol"], ignore_index=True)


class _Collector:
    """Follows the path of open elements and keeps (disorder, symbol) pairs."""

    def __init__(self) -> None:
        self.links: list[tuple[str, str]] = []
        self._path: list[str] = []
        self._text = ""
        self._code = ""
        self._symbols: list[str] = []

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self._path.append(name)
        self._text = ""
        if name == "Disorder":
            self._code, self._symbols = "", []

    def text(self, data: str) -> None:
        self._text += data

    def end(self, name: str) -> None:
        path = tuple(self._path)
        if path[-2:] == _CODE:
            self._code = self._text.strip()
        elif path[-3:] == _SYMBOL and self._text.strip():
            self._symbols.append(self._text.strip())
        elif name == "Disorder" and self._code:
            self.links += [(f"ORPHA:{self._code}", symbol) for symbol in self._symbols]
        self._path.pop()
        self._text = ""


def _refuse(name: str, *_: object) -> None:
    raise BadInputError("reading Orphanet's genes", f"the file declares an entity ({name[:40]})", _HINT)
