"""Audits that start from whole candidate lists, not from ranks or metrics: perfect cells, ties, difficulty, floor.

Here: the tables of one difficulty. Not here: any of the audits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from genoplatform.inference.candidate_lists import candidate_lists
from genoplatform.inference.floor import difficulty_tie_split, hardest_distractor, model_free_floor
from genoplatform.inference.multiplicity import benjamini_hochberg, holm
from genoplatform.inference.perfect_cells import perfect_cells
from genoplatform.inference.results_table import results_table
from genoplatform.inference.tie_audit import tie_audit

Tables = dict[str, pd.DataFrame]
Families = Mapping[str, Sequence[Sequence[str]]]


def rank_audit(lists: pd.DataFrame, absent: Sequence[str], list_size: int) -> Tables:
    """Ties and perfect cells.

    Args:
        lists: system, case_id, is_causal, score, final_rank; only full lists.
        absent: ids of the unexposed cases, on which perfect cells are counted.
        list_size: candidates of a list.

    Returns:
        perfect_cells (empty without unexposed lists), tie_audit, tie_sizes.
    """
    audit = tie_audit(candidate_lists(lists, list_size))
    unexposed = lists[lists["case_id"].isin(list(absent))]
    tables = {"tie_audit": audit.systems, "tie_sizes": audit.sizes}
    if len(unexposed):
        tables["perfect_cells"] = perfect_cells(candidate_lists(unexposed, list_size))
    return tables


def difficulty(similarity_lists: pd.DataFrame, name: str, list_size: int) -> Tables:
    """How often a distractor resembles the case as much as the causal gene, and what similarity alone would score.

    Args:
        similarity_lists: case_id, is_causal, score of one similarity system.
        name: the difficulty.
        list_size: candidates of a list.

    Returns:
        difficulty_split, model_free_floor.
    """
    split = difficulty_tie_split(hardest_distractor(similarity_lists).assign(difficulty=name))
    return {"difficulty_split": split, "model_free_floor": model_free_floor(split, list_size)}


def case_bootstrap_table(ranks: pd.DataFrame) -> pd.DataFrame:
    """The published results table: five metrics a system with the case bootstrap of section 10.

    Args:
        ranks: system, case_id, rank.
    """
    by_system = {str(name): part.sort_values("case_id")["rank"] for name, part in ranks.groupby("system", sort=True)}
    return results_table({name: rank.to_numpy(dtype=float) for name, rank in by_system.items()})


def family_wise(contrasts: pd.DataFrame, families: Families) -> pd.DataFrame:
    """Holm and Benjamini-Hochberg inside declared families of contrasts, on the cluster permutation p.

    Args:
        contrasts: subset, system_a, system_b, p_cluster.
        families: family -> (subset, system_a, system_b) of its members; members that were not computed are left out.

    Returns:
        family, subset, system_a, system_b, p_cluster, p_holm, p_bh; in the order declared.
    """
    p = contrasts.set_index(["subset", "system_a", "system_b"])["p_cluster"].dropna()
    rows = []
    for family, members in families.items():
        found = {"|".join(member): float(p[tuple(member)]) for member in members if tuple(member) in p.index}
        if found:
            adjusted = holm(found), benjamini_hochberg(found)
            rows += [(family, *key.split("|"), p_, adjusted[0][key], adjusted[1][key]) for key, p_ in found.items()]
    columns = ["family", "subset", "system_a", "system_b", "p_cluster", "p_holm", "p_bh"]
    return pd.DataFrame(rows, columns=columns)
