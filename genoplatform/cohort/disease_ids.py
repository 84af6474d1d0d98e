"""Disease ids that mean the same disease, and cases a knowledge base cannot reach.

Here: the id set a case's disease may be found under, and the report of unreachable cases. Not here: ranking.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd


def disease_id_sets(
    cases: pd.DataFrame, mapping: pd.DataFrame, *, moved: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Every id a case's diseases may be listed under; a system's rank is the best over the set.

    Args:
        cases: columns case_id, disease_ids.
        mapping: MONDO exact matches to any database, columns mondo_id, disease_id. One MONDO id may have several.
        moved: old id -> current id.

    Returns:
        columns case_id, disease_id, how ("own", "moved", "mondo"), via (the id or MONDO id it came through);
        one row per case and id, the first of own, moved, mondo that applies; sorted.
    """
    own = cases[["case_id", "disease_ids"]].explode("disease_ids").dropna(subset=["disease_ids"])
    own = own.rename(columns={"disease_ids": "disease_id"}).assign(how="own", via="")
    forward = own.assign(via=own["disease_id"], how="moved")
    forward = forward.assign(disease_id=forward["disease_id"].map(dict(moved or {}))).dropna(subset=["disease_id"])
    base = pd.concat([own, forward], ignore_index=True)
    same = mapping.merge(mapping, on="mondo_id", suffixes=("", "_other"))
    hop = base[["case_id", "disease_id"]].merge(same, on="disease_id")
    direct = base[["case_id", "disease_id"]].merge(
        mapping.rename(columns={"mondo_id": "disease_id", "disease_id": "disease_id_other"}), on="disease_id"
    )
    direct = direct.assign(mondo_id=direct["disease_id"])
    through = pd.concat([hop, direct], ignore_index=True)
    through = through[["case_id", "disease_id_other", "mondo_id"]].set_axis(["case_id", "disease_id", "via"], axis=1)
    table = pd.concat([base, through.assign(how="mondo")], ignore_index=True)
    table["rank"] = table["how"].map({"own": 0, "moved": 1, "mondo": 2})
    table = table.sort_values(["case_id", "disease_id", "rank", "via"]).drop_duplicates(["case_id", "disease_id"])
    return table[["case_id", "disease_id", "how", "via"]].reset_index(drop=True)


def reachability(
    cases: pd.DataFrame, genes: Collection[str], diseases: Collection[str], links: pd.DataFrame
) -> pd.DataFrame:
    """Which cases a knowledge base can reach at all.

    Args:
        cases: columns case_id, causal_gene, disease_ids.
        genes: symbols with annotations.
        diseases: disease ids with annotations.
        links: disease_id, gene_symbol pairs.

    Returns:
        columns case_id, gene_known, disease_known, link_known (the causal gene is linked to one of the case's
        diseases), all bool; sorted by case_id.
    """
    known_genes, known_diseases = set(genes), set(diseases)
    pairs = set(links[["disease_id", "gene_symbol"]].itertuples(index=False, name=None))
    rows = [
        (case_id, gene in known_genes, any(d in known_diseases for d in ids), any((d, gene) in pairs for d in ids))
        for case_id, gene, ids in zip(cases["case_id"], cases["causal_gene"], cases["disease_ids"], strict=True)
    ]
    table = pd.DataFrame(rows, columns=["case_id", "gene_known", "disease_known", "link_known"])
    return table.sort_values("case_id").reset_index(drop=True)


def reachability_counts(table: pd.DataFrame) -> dict[str, int]:
    """Cases, and those whose gene, disease or gene-disease link the knowledge base lacks."""
    names = {"gene_known": "gene_missing", "disease_known": "disease_missing", "link_known": "link_missing"}
    return {"cases": len(table)} | {out: int((~table[column]).sum()) for column, out in names.items()}
