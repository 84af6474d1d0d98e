"""A panel with the released cases and hits placed so that every published count is met.

Per-case outcomes of the published systems are not released, but their counts are, crossed several ways. For each
system an integer programme finds hits per cell of (category, overlap, zero density, density quintile, recency)
that meet all of them at once; which case of a cell is a hit is then free and follows a fixed order. Every
statistic that depends on counts alone comes out as published; cluster intervals do not.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import LinearConstraint, milp
from scipy.stats import norm

SYSTEMS = ("K", "M", "S", "O", "L", "D")
DESIGN = {  # eligible / analytic, rare-disease specification section 5
    "developmental": 464 / 250,
    "immunological": 390 / 300,
    "metabolic": 672 / 250,
    "neurological": 3144 / 247,
}
_CELL = ["category", "exposed", "zero", "quintile", "recent"]


@cache
def reference(shared: Path) -> dict:
    return json.loads((shared / "released" / "reference_values.json").read_text())


@cache
def released_cases(shared: Path) -> pd.DataFrame:
    """case_table.csv in the platform's column names, with weight and recent."""
    table = pd.read_csv(shared / "released" / "case_table.csv", dtype={"source_pmid": "str"})
    dates = json.loads((shared / "released" / "pmid_dates.json").read_text())["dates"]
    return pd.DataFrame(
        {
            "case_id": table["case_id"],
            "category": table["category"],
            "cluster": "PMID:" + table["source_pmid"],
            "exposed": table["overlap"],
            "rows_total": table["rows_total"],
            "density": table["annotation_density"],
            "log_density": table["log_density"],
            "weight": table["category"].map(DESIGN),
            "recent": [int(dates[pmid] >= "2020-01-01") for pmid in table["source_pmid"]],
        }
    )


@cache
def count_consistent_panel(shared: Path, *, nested: bool = False) -> pd.DataFrame:
    """The long panel frame of the six systems of the difference-in-differences.

    `nested` fills the same cells first for every system, which makes publications easy or hard for all alike.
    """
    cases = released_cases(shared)
    cells = cases.assign(
        zero=cases["density"] == 0,
        quintile=pd.qcut(cases["density"].rank(method="first"), 5, labels=False),
    )
    frames = [cases.assign(system=name, hit=_hits(cells, reference(shared), name, nested)) for name in SYSTEMS]
    return pd.concat(frames, ignore_index=True)


def generated_panel(cases: pd.DataFrame, rates: dict[str, tuple[float, float]], seed: int) -> pd.DataFrame:
    """Hits at the given (present, absent) rates, alike within a publication and, less so, across systems."""
    rng = np.random.default_rng(seed)
    codes, labels = pd.factorize(cases["cluster"])
    common, frames = rng.normal(size=len(labels)), []
    for system, (present, absent) in rates.items():
        effect = (common + rng.normal(size=len(labels)))[codes] + rng.normal(size=len(cases))
        level = np.where(cases["exposed"] == 1, present, absent)
        frames.append(cases.assign(system=system, hit=(norm.cdf(effect / np.sqrt(3)) < level).astype(int)))
    return pd.concat(frames, ignore_index=True)


def _hits(cells: pd.DataFrame, ref: dict, system: str, nested: bool) -> np.ndarray:
    sizes = cells.groupby(_CELL).size()
    index = sizes.index.to_frame(index=False)
    rows, targets = [], []
    for mask, target in _published(index, ref, system):
        rows.append(mask.to_numpy(dtype=float))
        targets.append(target)
    constraint = LinearConstraint(np.array(rows), targets, targets)
    n = len(sizes)
    cost = np.random.default_rng(0).normal(size=n) if nested else np.zeros(n)
    solution = milp(cost, constraints=constraint, integrality=np.ones(n), bounds=(0, sizes.to_numpy()))
    assert solution.success, f"no hits meet the published counts of {system}"
    wanted = pd.Series(np.rint(solution.x).astype(int), index=sizes.index)
    order = cells.sort_values([*_CELL, "cluster", "case_id"])
    place = order.groupby(_CELL).cumcount()
    limit = wanted.loc[pd.MultiIndex.from_frame(order[_CELL])].to_numpy()
    return (place < limit).reindex(cells.index).astype(int).to_numpy()


def _published(index: pd.DataFrame, ref: dict, system: str):
    standardisation = ref["wp3_did"]["direct_standardisation"]
    present = index["exposed"] == 1
    counts = standardisation["systems"][system]
    for i, category in enumerate(standardisation["order"]):
        yield present & (index["category"] == category), counts["present_counts"][i]
        yield ~present & (index["category"] == category), counts["absent_counts"][i]
    zero = ref["a1_zero_density"]["systems"][system]
    yield present & index["zero"], zero["Z"][0]
    yield present & ~index["zero"], zero["P"][0]
    subsets = ref["stratum_table_wp7"]["standard"][system]
    yield index["recent"] == 1, subsets["post2020"]["counts"][0]
    yield (index["recent"] == 1) & ~present, subsets["post2020_overlap_absent"]["counts"][0]
    quintiles = ref["wp6_density"]["quintiles"]
    if system in quintiles:
        for q in range(5):
            for side, group, n in (("p", present, "n_present"), ("a", ~present, "n_absent")):
                if rate := quintiles[system][side][q]:
                    yield group & (index["quintile"] == q), round(rate * quintiles[n][q])
