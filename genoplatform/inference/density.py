"""Is the overlap shift a matter of how densely a disease is annotated?

Belongs here: density by overlap with the Mann-Whitney test, Gaussian GEEs of the shift without and with log
density, the system-by-overlap interaction without and with it, and the shift within density quintiles.
Does not belong here: counting annotations (cohort) and the zero-density stratum (`zero_density.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import mannwhitneyu

from genoplatform.inference.gee import GeeFit, fit_gee
from genoplatform.inference.interaction import stack
from genoplatform.inference.panel import BoolArray, Panel, require_both_groups
from genoplatform.inference.resampling import FloatArray, IntArray

COVARIATE = "log_density"


def density_by_overlap(cases: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Distribution of each density column by overlap, and the two-sided Mann-Whitney test between the groups.

    Args:
        cases: one row per case with exposed and the columns.
        columns: density definitions, for example rows_total and density.

    Returns:
        One row per column and group: column, group, n, mean, q25, median, q75, zero, mwu_u (of the exposed
        group), mwu_p.
    """
    exposed = cases["exposed"].to_numpy() == 1
    rows = []
    for name in columns:
        values = cases[name].to_numpy(dtype=np.float64)
        test = mannwhitneyu(values[exposed], values[~exposed], alternative="two-sided")
        for group, part in (("present", values[exposed]), ("absent", values[~exposed])):
            q25, median, q75 = np.percentile(part, [25, 50, 75])
            rows.append(
                {
                    "column": name,
                    "group": group,
                    "n": len(part),
                    "mean": part.mean(),
                    "q25": q25,
                    "median": median,
                    "q75": q75,
                    "zero": int((part == 0).sum()),
                    "mwu_u": float(test.statistic),
                    "mwu_p": float(test.pvalue),
                }
            )
    return pd.DataFrame(rows)


def density_adjusted_shift(panel: Panel) -> pd.DataFrame:
    """Per system, `hit ~ absent` and `hit ~ absent + log_density`, Gaussian GEE, exchangeable by publication.

    Returns:
        system, crude, crude_se, crude_p, adjusted, adjusted_se, adjusted_p, log_density, log_density_se,
        log_density_p, note (of the estimator), attenuation (per cent of the crude shift that the adjustment takes
        away).
    """
    require_both_groups(panel, "adjusting the shift for density")
    ones, absent = np.ones(len(panel.cases)), panel.absent.astype(np.float64)
    crude_design = np.column_stack([ones, absent])
    full_design = np.column_stack([ones, absent, panel.column(COVARIATE)])
    groups = panel.groups
    rows: list[dict[str, object]] = []
    for j, system in enumerate(panel.systems):
        y = panel.hits[:, j]
        crude = fit_gee(y, crude_design, ("intercept", "absent"), groups, "gaussian")
        full = fit_gee(y, full_design, ("intercept", "absent", COVARIATE), groups, "gaussian")
        rows.append({"system": system, **_terms(crude, "crude", 1), **_terms(full, "adjusted", 1)})
        rows[-1] |= {**_terms(full, COVARIATE, 2), "note": _notes(crude, full)}
    table = pd.DataFrame(rows)
    return table.assign(attenuation=100.0 * (1.0 - table["adjusted"] / table["crude"]))


def density_interaction(panel: Panel, reference: str) -> pd.DataFrame:
    """The interaction `system * absent` of the stacked panel, crude and with `log_density + system:log_density`.

    Returns:
        One row per other system: system, reference, crude, crude_se, crude_p, adjusted, adjusted_se, adjusted_p,
        note.
    """
    require_both_groups(panel, "adjusting the interaction for density")
    crude, full = stack(panel, reference), stack(panel, reference, COVARIATE)
    fits = [fit_gee(d.y, d.design, d.names, d.groups, "gaussian") for d in (crude, full)]
    rows = [
        {
            "system": name,
            "reference": reference,
            **_terms(fits[0], "crude", crude.interaction(name)),
            **_terms(fits[1], "adjusted", full.interaction(name)),
            "note": _notes(*fits),
        }
        for name in crude.others
    ]
    return pd.DataFrame(rows)


def quintile_shifts(panel: Panel, bins: int = 5) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The shift within equal-count density bins, and its mean over bins by size.

    Returns:
        strata: system, bin (1..), density_min, density_max, n_present, n_absent, present, absent, shift
            (missing where a bin lacks a group); pooled: system, shift (missing where every bin does), bins_used.
    """
    density = panel.column("density")
    code = equal_count_bins(density, bins)
    rows = []
    for b in range(bins):
        here = code == b
        present, absent = here & ~panel.absent, here & panel.absent
        table = pd.DataFrame(
            {
                "system": panel.systems,
                "bin": b + 1,
                "density_min": density[here].min(),
                "density_max": density[here].max(),
                "n_present": int(present.sum()),
                "n_absent": int(absent.sum()),
                "present": _rate(panel.hits, present),
                "absent": _rate(panel.hits, absent),
            }
        )
        rows.append(table)
    strata = pd.concat(rows, ignore_index=True)
    strata = strata.assign(shift=strata["absent"] - strata["present"])
    strata = strata.sort_values(["system", "bin"], kind="stable", ignore_index=True)
    used = strata.dropna(subset="shift")
    used = used.assign(size=used["n_present"] + used["n_absent"])
    used = used.assign(part=used["shift"] * used["size"])
    sums = used.groupby("system")[["part", "size"]].sum()
    pooled = pd.DataFrame({"shift": sums["part"] / sums["size"], "bins_used": used.groupby("system").size()})
    pooled = pooled.reindex(list(panel.systems)).rename_axis("system").reset_index()
    return strata, pooled.fillna({"bins_used": 0}).astype({"bins_used": "int64"})


def equal_count_bins(values: FloatArray, bins: int) -> IntArray:
    """Bin 0.. of each value: ranks 1..n, ties by order, cut at the equally spaced quantiles of the ranks."""
    rank = np.empty(len(values))
    rank[np.argsort(values, kind="stable")] = np.arange(1, len(values) + 1)
    edges = np.quantile(np.arange(1, len(values) + 1), np.linspace(0, 1, bins + 1)[1:-1])
    return np.searchsorted(edges, rank, side="left").astype(np.int64)


def _rate(hits: FloatArray, mask: BoolArray) -> FloatArray:
    if not mask.any():
        return np.full(hits.shape[1], np.nan)
    rate: FloatArray = hits[mask].mean(axis=0)
    return rate


def _terms(fit: GeeFit, name: str, at: int) -> dict[str, object]:
    return {name: float(fit.coef[at]), f"{name}_se": float(fit.se[at]), f"{name}_p": float(fit.p[at])}


def _notes(crude: GeeFit, full: GeeFit) -> str:
    notes = {"crude": crude.note, "adjusted": full.note}
    return "; ".join(f"{model}: {note}" for model, note in notes.items() if note)
