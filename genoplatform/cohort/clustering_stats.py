"""How cases group by source publication, overall and in the published strata.

Here: the counts of ``clustering_stats``. Not here: inference that respects the clusters (``inference``).
Source: geno_agent clustering statistics.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import pandas as pd


def cluster_counts(clusters: pd.Series) -> dict[str, int | float]:
    """Cases, publications and cases per publication (median, mean to 4 decimals, maximum) of one stratum."""
    sizes = clusters.value_counts()
    return {
        "n_cases": len(clusters),
        "n_unique_pmids": len(sizes),
        "median_cases_per_pmid": median(sizes.tolist()) if len(sizes) else 0,
        "mean_cases_per_pmid": round(len(clusters) / len(sizes), 4) if len(sizes) else 0.0,
        "max_cases_per_pmid": int(sizes.max()) if len(sizes) else 0,
    }


def clustering_strata(cases: pd.DataFrame, recent: pd.Series) -> dict[str, Any]:
    """Counts of every published stratum.

    Args:
        cases: columns cluster, category, exposed.
        recent: 1 (or true) for publications from 2020 on, aligned with ``cases``; NA belongs to neither side.
    """
    clusters, exposed = cases["cluster"], cases["exposed"] == 1
    late = recent.eq(1).fillna(False).astype(bool)
    early = recent.eq(0).fillna(False).astype(bool)
    strata = {"full_cohort": pd.Series(data=True, index=cases.index)}
    strata |= {f"category_{c}": cases["category"] == c for c in sorted(cases["category"].unique())}
    strata |= {"overlap_present": exposed, "overlap_absent": ~exposed, "pre_2020": early, "post_2020": late}
    strata["post_2020_x_overlap_absent"] = late & ~exposed
    return {name: cluster_counts(clusters[mask]) for name, mask in strata.items()}
