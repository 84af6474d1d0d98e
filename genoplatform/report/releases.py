"""The same cases against a series of annotation releases, release by release.

Belongs here: the series as plain Python, oldest release first. Does not belong here: computing it
(inference.release_series), drawing it (plot_releases) or putting it into words (travel).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from genoplatform.report.formatting import number


def releases(series: pd.DataFrame | None) -> list[dict[str, Any]]:
    """Overlap rate and scores of every release; empty where no release was followed.

    Args:
        series: release, system, overlap_rate, ranked, top1, top10 with their _lo and _hi.

    Returns:
        release, overlap_rate, systems: system -> ranked, top1 [value, lo, hi], top10 [value, lo, hi].
    """
    if series is None or series.empty:
        return []
    return [
        {
            "release": str(release),
            "overlap_rate": number(rows["overlap_rate"].iloc[0]),
            "systems": {str(row["system"]): _scores(row) for row in rows.sort_values("system").to_dict("records")},
        }
        for release, rows in series.groupby("release", sort=True)
    ]


def followed(series: Sequence[Mapping[str, Any]]) -> list[str]:
    """Systems that every release has, by name: those that can be followed from the first to the last."""
    names = [set(release["systems"]) for release in series]
    return sorted(set.intersection(*names)) if names else []


def month(release: str) -> str:
    """ "2020-10-13" as "2020-10"; a release that is not named by its day keeps its name."""
    return release[:7] if _is_day(release) else release


def day(release: str) -> pd.Timestamp | None:
    """When a release named by its day was made; None for other names."""
    return pd.Timestamp(release) if _is_day(release) else None


def _is_day(release: str) -> bool:
    return not pd.isna(pd.to_datetime(release, format="%Y-%m-%d", errors="coerce"))


def _scores(row: Mapping[Any, Any]) -> dict[str, Any]:
    scores = {name: [number(row[name + end]) for end in ("", "_lo", "_hi")] for name in ("top1", "top10")}
    return {"ranked": number(row["ranked"]), **scores}
