"""Direct standardisation of the overlap shift to the whole cohort's mix of disease categories.

Belongs here: rates by category and overlap, and their average under the cohort's category shares. Does not
belong here: design weights (`weights.py`), which point at the eligible population and not at the cohort.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from genoplatform.inference.panel import Panel, require_both_groups


@dataclass(frozen=True)
class Standardised:
    """Standardised rates.

    Attributes:
        rates: system, crude_present, crude_absent, shift_crude, std_present, std_absent, shift_std.
        strata: system, exposed, category, n, hits, rate, weight; categories without cases left out.
    """

    rates: pd.DataFrame
    strata: pd.DataFrame


def standardise(panel: Panel) -> Standardised:
    """Standardise every system to the category shares of all cases of the panel.

    A category without cases in an overlap group adds nothing to that group's sum; the remaining shares are
    not rescaled (as the reference does it), so such a rate is a lower bound.
    """
    require_both_groups(panel, "standardising over categories")
    shares = panel.cases["category"].value_counts(normalize=True)
    wide = pd.DataFrame(panel.hits, columns=list(panel.systems))
    long = (
        pd.concat([panel.cases[["exposed", "category"]], wide], axis=1)
        .melt(["exposed", "category"], var_name="system", value_name="hit")
        .groupby(["system", "exposed", "category"], as_index=False, sort=True)["hit"]
        .agg(n="size", hits="sum")
    )
    strata = long.assign(
        hits=long["hits"].astype("int64"),
        rate=long["hits"] / long["n"],
        weight=long["category"].map(shares),
    )
    return Standardised(_rates(strata, panel.systems), strata)


def _rates(strata: pd.DataFrame, systems: tuple[str, ...]) -> pd.DataFrame:
    parts = strata.assign(part=strata["rate"] * strata["weight"])
    sums = parts.groupby(["system", "exposed"])[["n", "hits", "part"]].sum()
    sums["crude"] = sums["hits"] / sums["n"]
    crude, std = sums["crude"].unstack(), sums["part"].unstack()
    table = pd.DataFrame(
        {
            "crude_present": crude[1],
            "crude_absent": crude[0],
            "shift_crude": crude[0] - crude[1],
            "std_present": std[1],
            "std_absent": std[0],
            "shift_std": std[0] - std[1],
        }
    )
    return table.loc[list(systems)].rename_axis("system").reset_index()
