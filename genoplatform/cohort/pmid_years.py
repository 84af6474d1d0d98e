"""Publication years: from a file of dates, otherwise from the order in which PMIDs were given out.

Here: year anchors, their derivation from known dates, and the lookup. Not here: asking PubMed.
Method: PMIDs grow with time, so the first PMID of a year is read off a monotone fit of dates on PMIDs. Numbers
below the first anchor and in ``unordered`` blocks were handed to back files out of order and get no year.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd
import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from scipy.optimize import isotonic_regression

from genoplatform.errors import SettingsError

ANCHORS_FILE = "pmid_years.yml"


class YearAnchors(BaseModel):
    """First PMID of each year, and where the order holds (``ordered_until`` exclusive, blocks inclusive)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    licence: str
    method: str
    ordered_until: int
    unordered: list[tuple[int, int]]
    first_pmid: dict[int, int]

    def years(self, pmids: np.ndarray[Any, np.dtype[np.int64]]) -> pd.Series:
        """Year of each PMID number (Int64; NA outside the ordered range)."""
        years, starts = np.array(list(self.first_pmid)), np.array(list(self.first_pmid.values()))
        at = np.searchsorted(starts, pmids, side="right") - 1
        known = (at >= 0) & (pmids < self.ordered_until)
        for low, high in self.unordered:
            known &= (pmids < low) | (pmids > high)
        return pd.Series(years[np.maximum(at, 0)], dtype="Int64").mask(~known)


def read_year_anchors() -> YearAnchors:
    """The anchors shipped with the package.

    Raises:
        SettingsError: the file does not follow its schema or its anchors do not grow.
    """
    text = files("genoplatform.settings").joinpath(ANCHORS_FILE).read_text(encoding="utf-8")
    return parse_year_anchors(text)


def parse_year_anchors(text: str) -> YearAnchors:
    """Anchors from YAML text; same errors as `read_year_anchors`."""
    try:
        anchors = YearAnchors.model_validate(yaml.safe_load(text))
    except (ValidationError, yaml.YAMLError) as error:
        raise SettingsError(f"reading {ANCHORS_FILE}", str(error)) from error
    pairs = list(anchors.first_pmid.items())
    if not pairs or pairs != sorted(pairs) or len(set(anchors.first_pmid.values())) != len(pairs):
        raise SettingsError(f"reading {ANCHORS_FILE}", "years and first PMIDs must grow together")
    return anchors


def derive_anchors(pmid_dates: Mapping[str, str], years: range) -> dict[int, int]:
    """First PMID of each year by isotonic regression of date on PMID, read at 1 January.

    Args:
        pmid_dates: PMID digits -> ISO date, in PMID ranges where the order holds.
        years: years wanted; beyond the last date the slope of its last 365 days is carried on.
    """
    table = sorted((int(p), _decimal_year(d)) for p, d in pmid_dates.items())
    pmids = np.array([p for p, _ in table], dtype=np.float64)
    when = np.asarray(isotonic_regression(np.array([d for _, d in table])).x)
    rising = np.concatenate([[True], np.diff(when) > 0])
    pmids, when = pmids[rising], when[rising]
    last_year = when >= when[-1] - 1
    slope = (pmids[-1] - pmids[last_year][0]) / (when[-1] - when[last_year][0])
    wanted = np.array(list(years), dtype=np.float64)
    inside = np.interp(wanted, when, pmids)
    beyond = pmids[-1] + (wanted - when[-1]) * slope
    return {y: round(p) for y, p in zip(years, np.where(wanted > when[-1], beyond, inside), strict=True)}


def publication_years(
    source_pmids: pd.Series, *, pmid_dates: Mapping[str, str] | None = None, anchors: YearAnchors | None = None
) -> pd.DataFrame:
    """Year and its source for each "PMID:n" ("" = none).

    Returns:
        columns publication_year (Int64) and year_source ("file", "interpolated", ""), index of the input.
    """
    digits = source_pmids.str.removeprefix("PMID:")
    year = pd.Series(pd.NA, index=source_pmids.index, dtype="Int64")
    if pmid_dates:
        stated = digits.map({pmid: int(day[:4]) for pmid, day in pmid_dates.items() if day})
        year = stated.astype("Int64")
    source = pd.Series("", index=source_pmids.index, dtype="str").mask(year.notna(), "file")
    if anchors is not None:
        numbers = pd.to_numeric(digits, errors="coerce").fillna(-1).to_numpy(dtype=np.int64)
        guess = anchors.years(numbers).set_axis(source_pmids.index)
        source = source.mask(year.isna() & guess.notna(), "interpolated")
        year = year.fillna(guess)
    return pd.DataFrame({"publication_year": year, "year_source": source})


def _decimal_year(iso: str) -> float:
    day = date.fromisoformat(iso)
    return day.year + (day.timetuple().tm_yday - 1) / 365.25
