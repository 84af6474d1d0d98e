"""SSSOM mapping files: MONDO id to disease id of another database, by predicate."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from genoplatform.errors import BadInputError, EmptyResultError

_COLUMNS = ["subject_id", "predicate_id", "object_id"]
_HINT = "use mondo.sssom.tsv of a MONDO release"
#: MONDO writes "Orphanet:n" where the HPO annotation files write "ORPHA:n".
_SAME_PREFIX = {"Orphanet": "ORPHA"}


def read_sssom(path: Path, *, predicate: str = "skos:exactMatch", object_prefix: str = "OMIM") -> pd.DataFrame:
    """Read the mappings of one predicate to one database.

    Args:
        path: SSSOM TSV with its "#" metadata block; subjects are MONDO ids.
        predicate: predicate_id to keep.
        object_prefix: database of the objects, "OMIM", "ORPHA" (written "Orphanet" in the file), ...

    Returns:
        Distinct mondo_id, disease_id, sorted. A MONDO id may have several disease ids and the reverse.

    Raises:
        BadInputError: no file, not SSSOM, or subjects that are not MONDO ids.
        EmptyResultError: no mapping of that predicate and database.
    """
    try:
        frame = pd.read_csv(
            path, sep="\t", comment=None, dtype=str, na_filter=False, skiprows=_metadata(path), quoting=3
        )
    except (OSError, ValueError) as error:
        raise BadInputError(f"reading {path.name}", str(error), _HINT) from error
    if missing := [c for c in _COLUMNS if c not in frame.columns]:
        found = f"columns missing: {', '.join(missing)}; found {', '.join(map(str, frame.columns[:10]))}"
        raise BadInputError(f"reading {path.name}", found, _HINT)
    parts = frame["object_id"].str.extract(r"^([^:]*):?(.*)$")
    prefix, local = parts[0].replace(_SAME_PREFIX), parts[1]
    wanted = (frame["predicate_id"] == predicate) & (prefix == object_prefix)
    mapping = pd.DataFrame({"mondo_id": frame["subject_id"], "disease_id": prefix + ":" + local})[wanted]
    if mapping.empty:
        raise EmptyResultError(f"reading {path.name}", f"no {predicate} to {object_prefix}", _HINT)
    if not mapping["mondo_id"].str.fullmatch(r"MONDO:\d{7}").all():
        raise BadInputError(f"reading {path.name}", "subjects that are not MONDO ids", _HINT)
    return mapping.drop_duplicates().sort_values(["mondo_id", "disease_id"], ignore_index=True)


def disease_to_mondo(mapping: pd.DataFrame) -> pd.DataFrame:
    """One row per disease: disease_id, mondo_ids (sorted list); from mondo_id, disease_id pairs."""
    pairs = mapping[["disease_id", "mondo_id"]].drop_duplicates().sort_values(["disease_id", "mondo_id"])
    grouped = pairs.groupby("disease_id")["mondo_id"].agg(list).rename("mondo_ids").reset_index()
    return grouped.astype({"mondo_ids": object})


def _metadata(path: Path) -> int:
    """Number of leading "#" lines."""
    with path.open(encoding="utf-8") as file:
        for count, line in enumerate(file):
            if not line.startswith("#"):
                return count
    return 0
