"""OBO files (hp.obo, mondo.obo) as two tables, terms and is_a edges. What the graph can answer is in `graph`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pronto
from scipy import sparse
from scipy.sparse import csgraph

from genoplatform.errors import BadInputError

_HINT = "fetch the source again; an OBO release file is expected"
_LISTED = 5


@dataclass(frozen=True)
class OboRelease:
    """One release of an ontology.

    Attributes:
        version: the date in data-version ("2025-01-16"), or the whole field where it holds no date.
        terms: id, name, obsolete, replaced_by, consider, alt_ids, synonyms (sorted lists), sorted by id.
        edges: child, parent, order (position in the child's list of is_a lines) of non-obsolete terms, sorted by
            child and order.
    """

    version: str
    terms: pd.DataFrame
    edges: pd.DataFrame


def read_obo(path: Path) -> OboRelease:
    """Read an OBO file with pronto.

    Args:
        path: the file.

    Raises:
        BadInputError: not an OBO file, truncated, no data-version, no term, an is_a parent that does not exist or
            is obsolete, or a cycle of is_a.
    """
    ontology, is_a = load_obo(path)
    records = sorted((_record(term) for term in ontology.terms()), key=lambda record: str(record["id"]))
    terms = pd.DataFrame(records).astype({"id": "str", "name": "str", "obsolete": "bool"})
    edges = _edges(terms, is_a)
    _check_edges(terms, edges, path)
    return OboRelease(_version(ontology, path), terms, edges)


def load_obo(path: Path) -> tuple[Any, dict[str, list[str]]]:
    """The parsed `pronto.Ontology`, and term id -> is_a parents, both in the order of the file.

    pronto keeps parents as a set; their order in the file is read beside it because breadth-first searches depend on
    it. Both readings must find the same terms.
    """
    text = _text(path)
    is_a = _scan_is_a(text, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ontology = pronto.Ontology(str(path), import_depth=0)
    except Exception as error:  # pronto and fastobo raise a dozen unrelated types
        raise BadInputError(f"parsing {path.name}", f"{type(error).__name__}: {error}", _HINT) from error
    parsed = {term.id for term in ontology.terms()}
    if lost := sorted(set(is_a) ^ parsed):
        raise BadInputError(f"parsing {path.name}", f"the parser and the file differ in {_some(lost)}", _HINT)
    return ontology, is_a


def _text(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"reading {path}", str(error.strerror), _HINT) from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"reading {path.name}", "not UTF-8 text", _HINT) from error
    if not text.strip():
        raise BadInputError(f"reading {path.name}", "the file is empty", _HINT)
    if not re.search(r"^format-version:", text[:10_000], re.MULTILINE):
        raise BadInputError(f"reading {path.name}", "no format-version line: not an OBO file", _HINT)
    return text


def _scan_is_a(text: str, path: Path) -> dict[str, list[str]]:
    """Term id -> is_a parents in file order. What pronto would merge or trip over is refused here, by name."""
    stanzas = re.split(r"^\[(\w+)\]\s*$", text, flags=re.MULTILINE)
    is_a: dict[str, list[str]] = {}
    repeated = []
    for kind, body in zip(stanzas[1::2], stanzas[2::2], strict=True):
        match = re.search(r"^id:[ \t]*(\S+)", body, re.MULTILINE)
        if kind == "Term" and match:
            repeated += [match[1]] if match[1] in is_a else []
            is_a[match[1]] = list(dict.fromkeys(re.findall(r"^is_a:[ \t]*(\S+)", body, re.MULTILINE)))
    missing = sorted({parent for parents in is_a.values() for parent in parents if parent not in is_a})
    if not is_a:
        raise BadInputError(f"reading {path.name}", "no [Term] stanza", _HINT)
    if repeated:
        raise BadInputError(f"reading {path.name}", f"several stanzas of {_some(repeated)}", _HINT)
    if missing:
        found = f"truncated: {len(missing)} is_a parents have no stanza: {_some(missing)}"
        raise BadInputError(f"reading {path.name}", found, _HINT)
    return is_a


def _record(term: Any) -> dict[str, object]:
    return {
        "id": term.id,
        "name": term.name or "",
        "obsolete": bool(term.obsolete),
        "replaced_by": sorted(term.replaced_by.ids),
        "consider": sorted(term.consider.ids),
        "alt_ids": sorted(term.alternate_ids),
        "synonyms": sorted({synonym.description for synonym in term.synonyms}),
    }


def _edges(terms: pd.DataFrame, is_a: Mapping[str, list[str]]) -> pd.DataFrame:
    live = terms.loc[~terms["obsolete"], "id"]
    records = [(child, parent, order) for child in live for order, parent in enumerate(is_a[child])]
    edges = pd.DataFrame(records, columns=["child", "parent", "order"])
    return edges.astype({"child": "str", "parent": "str", "order": "int64"})


def _check_edges(terms: pd.DataFrame, edges: pd.DataFrame, path: Path) -> None:
    live = pd.Index(terms.loc[~terms["obsolete"], "id"])
    obsolete = edges.loc[~edges["parent"].isin(live), "parent"].unique()
    if len(obsolete):
        found = f"{len(obsolete)} is_a parents are obsolete: {_some(sorted(obsolete))}"
        raise BadInputError(f"checking {path.name}", found, _HINT)
    if members := cycle_members(live, edges):
        raise BadInputError(f"checking {path.name}", f"is_a cycle through {_some(members)}", _HINT)


def cycle_members(ids: pd.Index, edges: pd.DataFrame) -> list[str]:
    """Sorted ids of the terms that are their own ancestor."""
    child, parent = ids.get_indexer(pd.Index(edges["child"])), ids.get_indexer(pd.Index(edges["parent"]))
    matrix = sparse.csr_array((np.ones(len(child), dtype=np.int8), (child, parent)), shape=(len(ids), len(ids)))
    _, labels = csgraph.connected_components(matrix, directed=True, connection="strong")
    in_cycle = np.bincount(labels)[labels] > 1
    in_cycle[child[child == parent]] = True
    return sorted(ids[in_cycle])


def _version(ontology: Any, path: Path) -> str:
    field = ontology.metadata.data_version
    if not field:
        raise BadInputError(f"reading {path.name}", "no data-version line", "use an official release file")
    match = re.search(r"\d{4}-\d{2}-\d{2}", field)
    return match[0] if match else str(field)


def _some(items: list[str]) -> str:
    more = f" and {len(items) - _LISTED} more" if len(items) > _LISTED else ""
    return ", ".join(items[:_LISTED]) + more
