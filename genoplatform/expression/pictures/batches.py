"""Which batch each sample is of, where the series says so: a characteristic called batch, plate, chip or the like."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

_BATCH = re.compile(r"\b(batch|plate|chip|array date|scan date|run date|hyb(?:ridi[sz]ation)? date)\b", re.IGNORECASE)
_MOST = 0.5


def batches_of(characteristics: pd.DataFrame, samples: Sequence[str]) -> list[str] | None:
    """Batch of each sample; None where no characteristic tells, or it tells nearly every sample apart.

    Args:
        characteristics: row, sample, cell, key, value. samples: in the order wanted.
    """
    for key in sorted({str(key) for key in characteristics["key"] if _BATCH.search(str(key))}):
        cells = characteristics[characteristics["key"] == key].drop_duplicates("sample")
        values = dict(zip(cells["sample"].astype(str), cells["value"].astype(str), strict=True))
        found = [values.get(sample, "not known") for sample in samples]
        if 1 < len(set(found)) <= max(2, _MOST * len(samples)):
            return found
    return None
