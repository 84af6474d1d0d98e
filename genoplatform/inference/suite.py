"""Every analysis of section 11 on one panel, as named tables: what the asset `eval/inference/analyses` holds.

Here: which analysis runs on which part of the panel, the counterfactual estimate beside the others, and what could not
be estimated. Not here: any estimator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from genoplatform.errors import EmptyResultError, GenoplatformError
from genoplatform.inference import density, did, weights
from genoplatform.inference.case_items import decontaminated_pairs
from genoplatform.inference.overlap_shift import overlap_shift
from genoplatform.inference.panel import N_DRAWS, SEED, Panel, build_panel, require_both_groups
from genoplatform.inference.publication_level import publication_tests
from genoplatform.inference.recency import recency_shifts
from genoplatform.inference.resampling import cluster_bootstrap, percentile_interval
from genoplatform.inference.standardise import standardise
from genoplatform.inference.zero_density import zero_density

Tables = dict[str, pd.DataFrame]
_COVARIATES = ["case_id", "cluster", "exposed", "category", "rows_total", "density", "log_density"]
_EFFECT_COLUMNS = ["system", "n", "n_publications", "with_own", "without_own", "contamination", "lo", "hi"]


def panel_of(cases: pd.DataFrame, ranks: pd.DataFrame, recency_boundary: int) -> Panel:
    """The balanced panel of a cohort's rank table, cases in the order of their ids.

    Args:
        cases: the case table.
        ranks: system, case_id, rank of every system on every case; a missing rank is a miss.
        recency_boundary: cases of this year or later are recent; without a year they count as not recent.
    """
    recent = (cases["publication_year"] >= recency_boundary).fillna(False).astype("int64")
    disease = cases["disease_ids"].map(lambda ids: ids[0] if len(ids) else "")
    covariates = cases[_COVARIATES].assign(
        weight=1.0 / cases["inclusion_probability"],
        recent=recent,
        disease=disease.where(disease != "", cases["case_id"]),
    )
    long = ranks[["system", "case_id", "rank"]].merge(covariates, on="case_id", validate="many_to_one")
    return build_panel(long.sort_values(["case_id", "system"], ignore_index=True))


def run_suite(
    panel: Panel,
    reference: str,
    contrasts: Sequence[tuple[str, str]] = (),
    *,
    joint: Sequence[str] = (),
    density_over: Sequence[str] = (),
    draws: int = N_DRAWS,
    seed: int = SEED,
) -> Tables:
    """Run everything the panel allows.

    Args:
        panel: systems, and the decontaminated counterparts of those that have one.
        reference: the system the interactions are measured against.
        contrasts: pairs compared by publication and by design weights; default every system with the reference.
        joint: systems of the joint models (mixed model, logistic GEE); default all.
        density_over: systems of the joint model adjusted for density; default all.
        draws: bootstrap draws and permutations.
        seed: of every stream.

    Returns:
        Tables by analysis, and `not_estimated` (analysis, reason) for what this panel does not allow.
    """
    pairs = decontaminated_pairs(list(panel.systems))
    counterparts = {b for _, b in pairs}
    native = panel.only([name for name in panel.systems if name not in counterparts])
    contrasts = list(contrasts) or [(name, reference) for name in native.systems if name != reference]
    together = native.only([name for name in native.systems if not joint or name in joint])
    adjusted = native.only([name for name in native.systems if not density_over or name in density_over])
    analyses: dict[str, Callable[[], Tables]] = {
        "difference in differences": lambda: _did(panel, together, pairs, reference, draws, seed),
        "counterfactual": lambda: {"counterfactual": counterfactual_effect(panel, pairs, draws, seed)},
        "by disease": lambda: {"shifts_by_disease": shifts_by_disease(native, draws, seed)},
        "standardisation": lambda: _standardised(native),
        "design weights": lambda: {"weighted": weights.weighted_rates(panel, draws, seed)},
        "design-weighted contrasts": lambda: {
            "weighted_deltas": weights.weighted_deltas(_compared(native, reference), contrasts, draws, seed)
        },
        "density": lambda: _density(native),
        "density-adjusted interaction": lambda: {
            "density_interaction": density.density_interaction(_compared(adjusted, reference), reference)
        },
        "zero density": lambda: _zero(panel, reference, draws, seed),
        "publication level": lambda: {"publication_level": publication_tests(native.where(native.absent), contrasts)},
        "recency": lambda: {"recency": recency_shifts(native, draws, seed)},
    }
    return _estimated(analyses)


def _estimated(analyses: Mapping[str, Callable[[], Tables]]) -> Tables:
    tables: Tables = {}
    skipped = []
    for name, run in analyses.items():
        try:
            tables |= run()
        except GenoplatformError as error:
            skipped.append((name, error.found))
    return tables | {"not_estimated": pd.DataFrame(skipped, columns=["analysis", "reason"], dtype="str")}


def counterfactual_effect(panel: Panel, pairs: Sequence[tuple[str, str]], draws: int, seed: int) -> pd.DataFrame:
    """Contamination measured by removing it: hits lost by exposed cases when their own publication is taken away.

    Returns:
        system, n, n_publications, with_own, without_own, contamination (with - without), lo, hi (95 % cluster
        bootstrap).
    """
    exposed = panel.where(~panel.absent)
    if not pairs or exposed.cases.empty:
        return pd.DataFrame(columns=_EFFECT_COLUMNS)
    before = np.column_stack([exposed.hits[:, exposed.index(a)] for a, _ in pairs])
    after = np.column_stack([exposed.hits[:, exposed.index(b)] for _, b in pairs])
    lost = before - after
    lo, hi = percentile_interval(cluster_bootstrap(lost, exposed.cases["cluster"], draws=draws, seed=seed))
    return pd.DataFrame(
        {
            "system": [a for a, _ in pairs],
            "n": len(exposed.cases),
            "n_publications": exposed.n_publications,
            "with_own": before.mean(axis=0),
            "without_own": after.mean(axis=0),
            "contamination": lost.mean(axis=0),
            "lo": lo,
            "hi": hi,
        }
    )


def shifts_by_disease(panel: Panel, draws: int, seed: int) -> pd.DataFrame:
    """The overlap shift with whole diseases resampled, for panels where few diseases hold many publications.

    Returns:
        The columns of `overlap_shift`; `n_clusters` counts diseases.
    """
    disease = panel.cases["disease"]
    table = overlap_shift(panel.hits, panel.systems, panel.cases["exposed"], disease, draws=draws, seed=seed)
    return table.assign(n_clusters=disease.nunique(), n_clusters_absent=disease[panel.absent].nunique())


def _standardised(native: Panel) -> Tables:
    result = standardise(native)
    return {"standardised": result.rates, "standardised_strata": result.strata}


def _did(
    panel: Panel, native: Panel, pairs: Sequence[tuple[str, str]], reference: str, draws: int, seed: int
) -> Tables:
    result = did.difference_in_differences(_compared(native, reference), reference, draws, seed)
    effect = counterfactual_effect(panel, pairs, draws, seed).set_index("system")["contamination"]
    further = None
    if reference in effect.index:
        # A shift is absent - present, so losing `contamination` when the paper goes is a shift of minus that.
        others = effect.drop(reference)
        further = pd.DataFrame({"system": others.index, "counterfactual": effect[reference] - others.to_numpy()})
    return {
        "did_shifts": result.shifts,
        "did_differences": result.differences,
        "did_mixed": result.mixed,
        "did_gee": result.gee,
        "did_side_by_side": did.side_by_side(result, further),
    }


def _compared(native: Panel, reference: str) -> Panel:
    """The panel, if it holds a system to compare with the reference."""
    if native.systems == (reference,):
        raise EmptyResultError("comparing systems", f"no system beside {reference}")
    return native


def _density(native: Panel) -> Tables:
    require_both_groups(native, "comparing annotation densities")
    strata, pooled = density.quintile_shifts(native)
    return {
        "density_by_overlap": density.density_by_overlap(native.cases, ["rows_total", "density"]),
        "density_shift": density.density_adjusted_shift(native),
        "quintile_strata": strata,
        "quintiles": pooled,
    }


def _zero(panel: Panel, reference: str, draws: int, seed: int) -> Tables:
    result = zero_density(panel, reference, draws, seed)
    return {"zero_density": result.strata, "zero_gradients": result.gradients}
