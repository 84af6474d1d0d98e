"""Gene scores in what Exomiser 12 to 14 write: TSV_GENE, or JSON.

Here: one result file -> score per gene symbol. Not here: running the tool, ranks.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from genoplatform.prioritisation.baselines.numbers import score_or_zero
from genoplatform.prioritisation.baselines.tool import EmptyOutputError, ToolOutputError
from genoplatform.prioritisation.baselines.tool_text import find_output, read_json, read_lines, require_output

# The header names 22 columns and the writer emits 17 values, of which the last is free text that may hold tabs.
RELIABLE_COLUMNS = 16
SYMBOL_COLUMNS = ("#GENE_SYMBOL", "GENE_SYMBOL")
SCORE_COLUMNS = ("EXOMISER_GENE_PHENO_SCORE", "PHENO_SCORE", "EXOMISER_GENE_COMBINED_SCORE")
SCORE_KEYS = ("priorityScore", "combinedScore")
_HINT = "a result like this counts as a failure of the tool; see the case's logs"


def exomiser_scores(folder: Path, prefix: str) -> dict[str, float]:
    """Gene scores of one case's output directory: the TSV where there is one, else the JSON.

    Args:
        folder: the output directory.
        prefix: the output file name the tool was told.

    Raises:
        MissingOutputError: neither file.
        EmptyOutputError: no byte, or no gene.
        ToolOutputError: not readable to its end.
    """
    table = find_output(folder, f"{prefix}*.genes.tsv")
    if table is not None:
        return read_gene_tsv(table)
    document = find_output(folder, f"{prefix}*.json")
    return read_gene_json(document) if document is not None else read_gene_tsv(require_output(folder, "*.genes.tsv"))


def read_gene_tsv(path: Path) -> dict[str, float]:
    """Score per symbol from a TSV_GENE file; of a repeated symbol the last row counts, a bad score is 0.

    Raises:
        EmptyOutputError: no byte, or a header and no gene.
        ToolOutputError: no known symbol or score column, a row with fewer than the columns used, a cut-off file, or
            no readable score at all.
    """
    header, *rows = read_lines(path)
    names = [name.strip() for name in header.split("\t")][:RELIABLE_COLUMNS]
    symbol = _position(names, SYMBOL_COLUMNS, path)
    score = _position(names, SCORE_COLUMNS, path)
    if not rows:
        raise EmptyOutputError(f"reading {path.name}", "a header and no gene", _HINT)
    cells = []
    for line, row in enumerate(rows, start=2):
        fields = row.split("\t", len(names))
        if len(fields) < len(names):
            raise ToolOutputError(f"reading {path.name}", f"line {line}: {len(fields)} of {len(names)} columns", _HINT)
        cells.append((fields[symbol].strip(), fields[score]))
    return _scores(cells, path)


def read_gene_json(path: Path) -> dict[str, float]:
    """Score per symbol from a JSON result: priorityScore, else combinedScore; null is 0.

    Raises:
        EmptyOutputError: no byte, or an empty list.
        ToolOutputError: no whole JSON, not a list of genes with symbols, or no readable score at all.
    """
    content = read_json(path)
    if not isinstance(content, list):
        raise ToolOutputError(f"reading {path.name}", f"{type(content).__name__} where a list of genes belongs", _HINT)
    if not content:
        raise EmptyOutputError(f"reading {path.name}", "a list of no gene", _HINT)
    cells = []
    for position, gene in enumerate(content):
        symbol = gene.get("geneSymbol") if isinstance(gene, dict) else None
        if not isinstance(symbol, str):
            raise ToolOutputError(f"reading {path.name}", f"entry {position} has no geneSymbol", _HINT)
        given = [gene[key] for key in SCORE_KEYS if gene.get(key) is not None]
        cells.append((symbol, given[0] if given else None))
    return _scores(cells, path)


def _position(names: list[str], wanted: tuple[str, ...], path: Path) -> int:
    for name in wanted:
        if name in names:
            return names.index(name)
    raise ToolOutputError(
        f"reading {path.name}", f"no column {' or '.join(wanted)}; found {', '.join(names)[:200]}", _HINT
    )


def _scores(cells: Iterable[tuple[str, object]], path: Path) -> dict[str, float]:
    scores, readable = {}, False
    for symbol, value in cells:
        scores[symbol], good = score_or_zero(value)
        readable |= good
    if not readable:
        raise ToolOutputError(f"reading {path.name}", f"no readable score among {len(scores)} genes", _HINT)
    return scores
