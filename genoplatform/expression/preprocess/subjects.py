"""Which samples are of one person: needed wherever samples are split. Found in the facts, or by a declared pattern."""

from __future__ import annotations

import re

import pandas as pd

from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.layout import TCGA
from genoplatform.expression.readers.characteristics import cells_of_key, key_and_value

_KEY = re.compile(
    r"(subject|patient|donor|individual|participant|volunteer|person|case)s?"
    r"[ _.-]*(id|no\.?|number|num|code|identifier|#)?",
    re.IGNORECASE,
)
_PATIENT_PART = 12


def subjects(tables: CohortTables, title_pattern: re.Pattern[str] | None = None) -> list[str]:
    """Person of every sample, in the order of `tables.samples`; all empty where no person is seen to repeat.

    TCGA barcodes name the patient in their first twelve characters. Elsewhere it is a characteristic such as
    `subject id` (the first key of that kind whose values repeat), or what the pattern's first group finds in the title.
    A sample without such a mark is a person of its own.
    """
    samples = tables.samples["sample"].tolist()
    if tables.cohort == TCGA:
        return _if_repeated([sample[:_PATIENT_PART] for sample in samples], samples)
    if title_pattern is not None:
        found = [title_pattern.search(title) for title in tables.samples["title"]]
        return _if_repeated([match[1] if match else "" for match in found], samples)
    for key in dict.fromkeys(tables.characteristics["key"]):
        if key and _KEY.fullmatch(key):
            cells = cells_of_key(tables.characteristics, key, samples)
            marked = _if_repeated([key_and_value(cell)[1] for cell in cells], samples)
            if any(marked):
                return marked
    return [""] * len(samples)


def _if_repeated(marks: list[str], samples: list[str]) -> list[str]:
    given = pd.Series([mark for mark in marks if mark], dtype="str")
    if given.nunique() < 2 or not given.duplicated().any():
        return [""] * len(samples)
    return [mark or f"sample {sample}" for mark, sample in zip(marks, samples, strict=True)]
