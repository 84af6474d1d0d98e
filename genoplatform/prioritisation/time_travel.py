"""Time travel: the same cases ranked with the knowledge base of another release.

Here: exposure and rank of every case under one annotation release. Not here: reading releases, rates over cases
(genoplatform.inference).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.ranking import rank_all_genes
from genoplatform.prioritisation.systems import Knowledge, build_system

COLUMNS = ("release", "system", "case_id", "cluster", "exposed", "rank", "n_candidates")


def nothing_ranked() -> pd.DataFrame:
    """The table without a row, for a profile that follows no releases."""
    text = dict.fromkeys(("release", "system", "case_id", "cluster"), pd.Series(dtype="str"))
    numbers = {"exposed": pd.Series(dtype="int64"), "rank": pd.Series(dtype="float64")}
    return pd.DataFrame({**text, **numbers, "n_candidates": pd.Series(dtype="int64")})[list(COLUMNS)]


def rank_with_release(
    release: str,
    cases: pd.DataFrame,
    exposed: pd.Series,
    graph: OntologyGraph,
    gene_rows: pd.DataFrame,
    hpoa_rows: pd.DataFrame,
    systems: Sequence[str],
    parameters: dict[str, Any],
) -> pd.DataFrame:
    """Rank the causal gene of every case among all genes, knowing what one release knew.

    Args:
        release: its version, a label.
        cases: the case table, sorted by case_id.
        exposed: 0/1 for each case: is its publication in this release?
        graph: one ontology for all releases; older ids are resolved against it.
        gene_rows: one table of disease-gene links for all releases (older releases carry none in this form), so
            that a change of rank comes from the annotations alone.
        hpoa_rows: kept rows of the release, with `copies`.
        systems: native systems to run.
        parameters: the ranking parameters; gene profiles always come from the annotation rows.

    Returns:
        COLUMNS, sorted by system and case; rank with mean ties, missing where the release has no profile of the
        causal gene.
    """
    knowledge = Knowledge(graph, gene_rows, hpoa_rows)
    tables = []
    for name in systems:
        system = build_system(name, knowledge, parameters | {"knowledge": "hpoa"})
        chunks, evaluable = system.score(cases)
        ranks = rank_all_genes(chunks, system.genes, cases, system=name, tie_rules=("mean",), evaluable=evaluable)
        tables.append(ranks)
    table = pd.concat(tables, ignore_index=True)
    per_case = pd.DataFrame(
        {"case_id": cases["case_id"], "cluster": cases["cluster"], "exposed": exposed.to_numpy(dtype="int64")}
    )
    table = table.merge(per_case, on="case_id", how="left", validate="many_to_one").assign(release=release)
    return table.sort_values(["system", "case_id"], ignore_index=True)[list(COLUMNS)]
