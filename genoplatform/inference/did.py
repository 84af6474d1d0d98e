"""Difference-in-differences: does one system lose more than another where its knowledge base cites the case?

Belongs here: the difference of overlap shifts (absent - present) against a reference system under one joint
cluster bootstrap, and the two models that estimate the same interaction: the linear mixed model and the
logistic GEE. Does not belong here: a single system's shift (`overlap_shift.py`), adjustment for category
(`standardise.py`) or annotation density (`density.py`), or the estimators themselves (`mixed.py`, `gee.py`).

The mixed model is a linear probability model: every publication holds every system equally often, so its
interaction equals the raw difference of shifts and only its standard error is news. That error is the
within-publication residual's: it treats the interaction as free of publication effects, which the cluster
bootstrap does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from genoplatform.inference.gee import fit_gee
from genoplatform.inference.interaction import stack
from genoplatform.inference.mixed import fit_random_intercept
from genoplatform.inference.overlap_shift import overlap_shift
from genoplatform.inference.panel import N_DRAWS, SEED, Z95, Panel, require_both_groups
from genoplatform.inference.resampling import FloatArray


@dataclass(frozen=True)
class DidResult:
    """The difference-in-differences analysis.

    Attributes:
        shifts: system, n_present, n_absent, present, absent, shift, lo, hi.
        differences: system, reference, difference, lo, hi; difference of shifts, system minus reference.
        mixed: system, reference, coef, se, lo, hi, z, p, n_obs, n_groups, residual_variance, group_variance.
        gee: system, reference, coef, odds_ratio, lo, hi, z, p, converged, note; lo and hi of the odds ratio.
    """

    shifts: pd.DataFrame
    differences: pd.DataFrame
    mixed: pd.DataFrame
    gee: pd.DataFrame


def difference_in_differences(panel: Panel, reference: str, draws: int = N_DRAWS, seed: int = SEED) -> DidResult:
    """All four tables for one panel.

    Args:
        panel: balanced panel with exposed and unexposed cases.
        reference: the system the others are compared with (the paper: the likelihood-ratio baseline).
        draws: cluster bootstrap draws over all publications.
        seed: bootstrap seed.
    """
    require_both_groups(panel, "estimating the difference in differences")
    return DidResult(
        _shifts(panel.hits, panel.systems, panel, draws, seed),
        shift_differences(panel, reference, draws, seed),
        mixed_interactions(panel, reference),
        logit_interactions(panel, reference),
    )


def shift_differences(panel: Panel, reference: str, draws: int = N_DRAWS, seed: int = SEED) -> pd.DataFrame:
    """Each other system's shift minus the reference's: the shift of the paired difference of hits.

    Both shifts are recomputed in every draw, so the interval is that of the joint cluster bootstrap.
    """
    others = [name for name in panel.systems if name != reference]
    gaps = panel.only(others).hits - panel.hits[:, [panel.index(reference)]]
    table = _shifts(gaps, others, panel, draws, seed)
    return pd.DataFrame(
        {
            "system": others,
            "reference": reference,
            "difference": table["shift"],
            "lo": table["lo"],
            "hi": table["hi"],
        }
    )


def _shifts(values: FloatArray, names: Sequence[str], panel: Panel, draws: int, seed: int) -> pd.DataFrame:
    exposed, clusters = panel.cases["exposed"].to_numpy(), panel.cases["cluster"]
    return overlap_shift(values, names, exposed, clusters, draws=draws, seed=seed)


def mixed_interactions(panel: Panel, reference: str) -> pd.DataFrame:
    """`hit ~ system * absent`, random intercept per publication, REML; one row per other system."""
    data = stack(panel, reference)
    fit = fit_random_intercept(data.y, data.design, data.names, data.groups)
    at = [data.interaction(name) for name in data.others]
    table = _wald(data.others, reference, fit.coef[at], fit.se[at])
    return table.assign(
        z=fit.z[at],
        p=fit.p[at],
        n_obs=fit.n_obs,
        n_groups=fit.n_groups,
        residual_variance=fit.residual_variance,
        group_variance=fit.group_variance,
    )


def logit_interactions(panel: Panel, reference: str) -> pd.DataFrame:
    """The same formula as a logistic GEE, exchangeable within publications; odds ratios of the interaction."""
    data = stack(panel, reference)
    fit = fit_gee(data.y, data.design, data.names, data.groups, "binomial")
    at = [data.interaction(name) for name in data.others]
    table = _wald(data.others, reference, fit.coef[at], fit.se[at])
    ratios = pd.DataFrame(
        {
            "system": table["system"],
            "reference": reference,
            "coef": table["coef"],
            "odds_ratio": np.exp(table["coef"]),
            "lo": np.exp(table["lo"]),
            "hi": np.exp(table["hi"]),
            "z": fit.z[at],
            "p": fit.p[at],
        }
    )
    return ratios.assign(converged=fit.converged, note=fit.note)


def side_by_side(result: DidResult, further: pd.DataFrame | None = None) -> pd.DataFrame:
    """All estimates of the interaction in one table, a row per system that is not the reference.

    Args:
        result: the analysis.
        further: another estimate by system (for example the counterfactual's), its columns named to be told apart;
            a system it lacks gets missing values.

    Returns:
        system, reference, raw, raw_lo, raw_hi, mixed, mixed_se, mixed_p, odds_ratio, odds_ratio_lo, odds_ratio_hi,
        odds_ratio_p, gee_converged, and the columns of `further`.
    """
    raw = result.differences.rename(columns={"difference": "raw", "lo": "raw_lo", "hi": "raw_hi"})
    mixed = result.mixed[["system", "coef", "se", "p"]]
    mixed = mixed.rename(columns={"coef": "mixed", "se": "mixed_se", "p": "mixed_p"})
    odds = result.gee[["system", "odds_ratio", "lo", "hi", "p", "converged"]]
    odds = odds.rename(columns={name: f"odds_ratio_{name}" for name in ("lo", "hi", "p")})
    table = raw.merge(mixed, on="system", validate="1:1").merge(odds, on="system", validate="1:1")
    table = table.rename(columns={"converged": "gee_converged"})
    return table if further is None else table.merge(further, on="system", how="left", validate="1:1")


def _wald(systems: tuple[str, ...], reference: str, coef: FloatArray, se: FloatArray) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "system": systems,
            "reference": reference,
            "coef": coef,
            "se": se,
            "lo": coef - Z95 * se,
            "hi": coef + Z95 * se,
        }
    )
