"""The frequency field of HPO annotation files, parsed to facts; how a ranker weighs them is not decided here."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

#: Midpoints of the HPO frequency terms as used by phenol/LIRICAL (Robinson et al. 2020, AJHG).
FREQUENCY_TERMS = {
    "HP:0040280": 1.0,  # Obligate
    "HP:0040281": 0.895,  # Very frequent
    "HP:0040282": 0.545,  # Frequent
    "HP:0040283": 0.17,  # Occasional
    "HP:0040284": 0.025,  # Very rare
    "HP:0040285": 0.0,  # Excluded
}
_LABELS = {
    "obligate": "HP:0040280",
    "very frequent": "HP:0040281",
    "frequent": "HP:0040282",
    "occasional": "HP:0040283",
    "very rare": "HP:0040284",
    "excluded": "HP:0040285",
}
_NOT_STATED = {"", "-"}
IMPOSSIBLE = "impossible frequency"
UNREADABLE = "unreadable frequency"
_FRACTION = re.compile(r"(\d+)\s*/\s*(\d+)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")

_Parsed = tuple[int | None, int | None, float, str, str]


def parse_frequency(raw: pd.Series) -> pd.DataFrame:
    """Parse frequency fields.

    Args:
        raw: n strings: "", "-", "k/n", an HPO frequency term or its label, or "p%".

    Returns:
        n rows, the index of `raw`: numerator and denominator (Int64, as written, NA unless k/n), value (share of
        patients in [0, 1], NaN when not stated), kind ("none", "fraction", "term", "percent", "") and problem
        ("" or the reason why the field cannot be used).
    """
    codes, uniques = pd.factorize(raw)
    parsed = [_parse_one(str(text)) for text in uniques]
    table = pd.DataFrame(parsed, columns=["numerator", "denominator", "value", "kind", "problem"]).astype(
        {"numerator": "Int64", "denominator": "Int64", "value": "float64", "kind": "str", "problem": "str"}
    )
    return table.take(codes).set_axis(raw.index)


def _parse_one(text: str) -> _Parsed:
    text = text.strip()
    if text in _NOT_STATED:
        return None, None, np.nan, "none", ""
    if match := _FRACTION.fullmatch(text):
        numerator, denominator = int(match[1]), int(match[2])
        if denominator == 0 or numerator > denominator:
            return None, None, np.nan, "", IMPOSSIBLE
        return numerator, denominator, numerator / denominator, "fraction", ""
    if match := _PERCENT.fullmatch(text):
        share = float(match[1]) / 100
        return (None, None, share, "percent", "") if share <= 1 else (None, None, np.nan, "", IMPOSSIBLE)
    term = _LABELS.get(text.lower(), text)
    if term in FREQUENCY_TERMS:
        return None, None, FREQUENCY_TERMS[term], "term", ""
    return None, None, np.nan, "", UNREADABLE
