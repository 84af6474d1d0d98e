"""TCGA cohorts as UCSC Xena serves them: clinical matrix and expression file. Source: expression.md A.1, B.12.

Values of the PANCAN file are log2(x+1) counts, mean-centred per gene over all of TCGA; those of the plain file are not
centred. Nothing here changes them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.expression.readers.lines import opened
from genoplatform.expression.readers.number_table import ExpressionTable, parse_number_table

BARCODE = re.compile(r"TCGA-\w{2}-\w{4}(-\d{2}\w?.*)?")
TURNED = "table turned: barcodes stood in the rows"


def read_xena_clinical(path: Path) -> pd.DataFrame:
    """The clinical matrix: first column `sample` (barcode), then every clinical column as strings, empty where missing.

    Raises:
        BadInputError: not such a table.
    """
    try:
        with opened(path) as stream:
            frame = pd.read_csv(stream, sep="\t", dtype=str, na_filter=False, quoting=3, index_col=False)
    except (ValueError, pd.errors.ParserError) as error:
        raise BadInputError(f"reading {path.name}", str(error), "it should be a Xena clinicalMatrix") from error
    if frame.shape[1] < 2 or frame.empty:
        raise BadInputError(f"reading {path.name}", f"{frame.shape} rows and columns", "it should have a row a sample")
    frame = frame.rename(columns={frame.columns[0]: "sample"}).astype("str")
    return frame.drop_duplicates("sample", ignore_index=True)


def read_xena_expression(path: Path) -> ExpressionTable:
    """The expression file, genes in rows; one with barcodes in its rows is turned, and the report says so.

    Raises:
        BadInputError: barcodes neither in rows nor in columns.
    """
    with opened(path) as stream:
        table = parse_number_table(stream)
    if _share_of_barcodes(table.samples) >= 0.5:
        return table
    if _share_of_barcodes(table.ids) >= 0.5:
        return ExpressionTable(table.samples, table.ids, table.values.T.copy(), table.report | {TURNED: 1})
    raise BadInputError(
        f"reading {path.name}", f"no TCGA barcodes; columns {table.samples[:3]}", "it should be a Xena expression file"
    )


def _share_of_barcodes(names: list[str]) -> float:
    return sum(BARCODE.fullmatch(name) is not None for name in names) / len(names) if names else 0.0
