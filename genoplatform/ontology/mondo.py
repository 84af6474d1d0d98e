"""MONDO terms with their ancestors, and disease id -> MONDO id from term cross-references.

Reads the CELLxGENE guide's JSON (plain or zstd) and mondo.obo. Mapping files are in `sssom`.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import zstandard

from genoplatform.errors import BadInputError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.ontology.obo import load_obo, read_obo

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_HINT = "use MONDO-ontology-v*.json.zst of cellxgene-ontology-guide, or mondo.obo"


@dataclass(frozen=True)
class MondoRelease:
    """One release of MONDO.

    Attributes:
        version: the release date; "" where neither the file nor its name tells.
        terms: id, label, obsolete; sorted by id.
        ancestors: id, ancestor; reflexive is_a closure of all terms (an obsolete one has only itself), sorted.
    """

    version: str
    terms: pd.DataFrame
    ancestors: pd.DataFrame


def read_mondo_terms(path: Path) -> MondoRelease:
    """Read MONDO from .json, .json.zst (CELLxGENE guide) or .obo; the content decides, not the suffix.

    Raises:
        BadInputError: no file, none of these formats, or truncated.
    """
    head = _head(path)
    if head.startswith(_ZSTD_MAGIC) or head.lstrip().startswith(b"{"):
        return _from_json(_load_json(path), path)
    return _from_obo(path)


def read_mondo_xrefs(path: Path, *, prefixes: tuple[str, ...] = ("OMIM",)) -> pd.DataFrame:
    """Inverted term cross-references of mondo.obo.

    Args:
        path: mondo.obo.
        prefixes: database prefixes to keep, as the file writes them.

    Returns:
        disease_id, mondo_id; where several terms carry one cross-reference the first in the file's order wins
        (the rule of the paper's cohort). Sorted by disease_id.
    """
    ontology, order = load_obo(path)
    first: dict[str, str] = {}
    for term_id in order:
        for xref in sorted(x.id for x in ontology[term_id].xrefs):
            if xref.partition(":")[0] in prefixes:
                first.setdefault(xref, term_id)
    return pd.DataFrame(sorted(first.items()), columns=["disease_id", "mondo_id"], dtype="str")


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64)
    except OSError as error:
        raise BadInputError("reading MONDO", f"{path}: {error.strerror}", _HINT) from error


def _load_json(path: Path) -> dict[str, dict[str, Any]]:
    data = path.read_bytes()
    try:
        if data.startswith(_ZSTD_MAGIC):
            with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)) as reader:
                data = reader.read()
        content: dict[str, dict[str, Any]] = json.loads(data)
    except (zstandard.ZstdError, ValueError) as error:
        raise BadInputError(f"reading {path.name}", f"broken or truncated: {error}", _HINT) from error
    shaped = isinstance(content, dict) and all(
        isinstance(term, dict) and "label" in term and isinstance(term.get("ancestors"), dict)
        for term in content.values()
    )
    if not shaped or not content:
        raise BadInputError(f"reading {path.name}", "not an object of id -> {label, ancestors}", _HINT)
    return content


def _from_json(content: dict[str, dict[str, Any]], path: Path) -> MondoRelease:
    ids = sorted(content)
    terms = pd.DataFrame(
        {
            "id": ids,
            "label": [content[i]["label"] or "" for i in ids],
            "obsolete": [bool(content[i].get("deprecated", False)) for i in ids],
        }
    )
    pairs = [(i, a) for i in ids for a in sorted({i, *content[i]["ancestors"]})]
    ancestors = pd.DataFrame(pairs, columns=["id", "ancestor"], dtype="str")
    if unknown := sorted(set(ancestors["ancestor"]) - set(ids)):
        raise BadInputError(f"reading {path.name}", f"ancestors that are no term: {unknown[:5]}", _HINT)
    match = re.search(r"\d{4}-\d{2}-\d{2}", path.name)
    return MondoRelease(match[0] if match else "", terms, ancestors)


def _from_obo(path: Path) -> MondoRelease:
    release = read_obo(path)
    graph = OntologyGraph.from_tables(release.terms, release.edges)
    ids = pd.Index(graph.ids)
    pairs = graph.ancestors.tocoo()
    live = pd.DataFrame({"id": ids[pairs.row], "ancestor": ids[pairs.col]})
    gone = release.terms.loc[release.terms["obsolete"], "id"]
    ancestors = pd.concat([live, pd.DataFrame({"id": gone, "ancestor": gone})])
    terms = release.terms[["id", "name", "obsolete"]].rename(columns={"name": "label"})
    return MondoRelease(release.version, terms, ancestors.sort_values(["id", "ancestor"], ignore_index=True))
