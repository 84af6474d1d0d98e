"""Cases that are the same profile twice: the same person under two file names, or twins on paper.

Here: finding and weighting them. Not here: clusters by publication (``covariates``).
"""

from __future__ import annotations

import pandas as pd


def profile_duplicates(cases: pd.DataFrame) -> pd.DataFrame:
    """Groups of cases with the same observed and excluded terms, diseases and source publication.

    Args:
        cases: columns case_id, hpo_terms, excluded_terms, disease_ids, source_pmid. Cases without a publication are
            never grouped.

    Returns:
        One row per case, sorted by case_id: case_id, group (smallest case id of the group), size, weight = 1/size,
        so that every distinct profile counts once.
    """
    lists = ["hpo_terms", "excluded_terms", "disease_ids"]
    keys = [
        (pmid or case_id, *map(frozenset, parts))
        for case_id, pmid, *parts in cases[["case_id", "source_pmid", *lists]].itertuples(index=False, name=None)
    ]
    table = pd.DataFrame(
        {"case_id": cases["case_id"].to_numpy(), "key": pd.factorize(pd.Series(keys, dtype=object))[0]}
    )
    groups = table.groupby("key")["case_id"]
    table["group"], table["size"] = groups.transform("min"), groups.transform("size")
    table["weight"] = 1.0 / table["size"]
    return table.drop(columns="key").sort_values("case_id").reset_index(drop=True)


def one_per_profile(cases: pd.DataFrame) -> pd.DataFrame:
    """The first case (by id) of every group of `profile_duplicates`."""
    groups = profile_duplicates(cases)
    firsts = groups.loc[groups["case_id"] == groups["group"], "case_id"]
    return cases[cases["case_id"].isin(firsts)].reset_index(drop=True)
