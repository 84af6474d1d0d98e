"""Diseases in what LIRICAL 2 writes: JSON (as published) or TSV, and the genes behind them.

Here: one result file -> post-test probability per disease -> best disease per gene. Not here: running the tool, which
disease has which gene (disease_genes.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from genoplatform.prioritisation.baselines.numbers import (
    parse_number,
    parse_probability,
    parse_whole,
    score_or_zero,
)
from genoplatform.prioritisation.baselines.tool import EmptyOutputError, ToolOutputError
from genoplatform.prioritisation.baselines.tool_text import find_output, read_json, read_lines, require_output

TSV_COLUMNS = ("rank", "diseaseName", "diseaseCurie", "pretestprob", "posttestprob", "compositeLR")
RESULT_COLUMNS = ("rank", "disease_id", "posttest", "log10_lr")
_ID_KEYS = ("diseaseId", "diseaseCurie")
_HINT = "a result like this counts as a failure of the tool; see the case's logs"


def lirical_diseases(folder: Path, prefix: str) -> pd.DataFrame:
    """Diseases of one case's output directory: the JSON where there is one, else the TSV.

    Returns:
        RESULT_COLUMNS in the order of the file: rank (from 1), disease_id ("OMIM:n", "ORPHA:n"), posttest in [0, 1],
        log10_lr (NaN where the file does not tell, -inf for a ratio of 0).

    Raises:
        MissingOutputError: neither file.
        EmptyOutputError: no byte, or no disease.
        ToolOutputError: not readable to its end.
    """
    document = find_output(folder, f"{prefix}.json")
    return read_disease_json(document) if document else read_disease_tsv(require_output(folder, f"{prefix}.tsv"))


def read_disease_json(path: Path) -> pd.DataFrame:
    """Read a JSON result; a bad or missing posttestProbability is 0. Returns and raises as `lirical_diseases`."""
    content = read_json(path)
    results = content.get("analysisResults") if isinstance(content, dict) else None
    if not isinstance(results, list):
        raise ToolOutputError(f"reading {path.name}", "no list analysisResults", _HINT)
    if not results:
        raise EmptyOutputError(f"reading {path.name}", "an analysis of no disease", _HINT)
    rows, readable = [], False
    for position, entry in enumerate(results, start=1):
        disease = _disease_id(entry)
        if disease is None:
            raise ToolOutputError(f"reading {path.name}", f"entry {position} has no diseaseId", _HINT)
        posttest, good = score_or_zero(entry.get("posttestProbability"))
        readable |= good
        rows.append((position, disease, posttest, np.nan))
    if not readable:
        raise ToolOutputError(f"reading {path.name}", f"no readable posttestProbability of {len(rows)}", _HINT)
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def read_disease_tsv(path: Path) -> pd.DataFrame:
    """Read a TSV result, with or without the columns that a VCF adds. Returns and raises as `lirical_diseases`."""
    body = [(number, line) for number, line in enumerate(read_lines(path), start=1) if not line.startswith("!")]
    if not body:
        raise EmptyOutputError(f"reading {path.name}", "header lines only", _HINT)
    names = body[0][1].split("\t")
    if missing := [name for name in TSV_COLUMNS if name not in names]:
        raise ToolOutputError(f"reading {path.name}", f"no column {', '.join(missing)}: {body[0][1][:200]!r}", _HINT)
    if len(body) == 1:
        raise EmptyOutputError(f"reading {path.name}", "a header and no disease", _HINT)
    positions = [names.index(name) for name in TSV_COLUMNS]
    rows = [_disease_row(line, positions, number, path) for number, line in body[1:]]
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def best_disease(diseases: pd.DataFrame, links: pd.DataFrame) -> dict[str, float]:
    """Score of every gene that a listed disease has: the largest post-test probability among its diseases.

    Args:
        diseases: disease_id, posttest.
        links: disease_id, gene_symbol.
    """
    posttest = diseases.groupby("disease_id")["posttest"].max()
    score = links["disease_id"].map(posttest)
    best = score.groupby(links["gene_symbol"]).max().dropna()
    return {str(gene): float(value) for gene, value in best.items()}


def _disease_id(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return None
    return next((entry[key] for key in _ID_KEYS if isinstance(entry.get(key), str) and entry[key]), None)


def _disease_row(line: str, positions: list[int], number: int, path: Path) -> tuple[int, str, float, float]:
    fields = line.split("\t")
    try:
        if len(fields) <= max(positions):
            raise ValueError(f"{len(fields)} of {max(positions) + 1} columns")
        rank, _, disease, pretest, posttest, ratio = (fields[at].strip() for at in positions)
        parse_probability(pretest)
        if ":" not in disease:
            raise ValueError(f"{disease!r} is no disease id")
        return parse_whole(rank), disease, parse_probability(posttest), parse_number(ratio)
    except ValueError as error:
        raise ToolOutputError(f"reading {path.name}", f"line {number}: {error}", _HINT) from error
