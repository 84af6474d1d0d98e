"""HPO ids of cases brought to the ontology in use.

Here: resolving every id once and rewriting the cases' lists. Not here: contradictions inside a case
(``term_issues``), the ontology itself (``genoplatform.ontology.graph``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.ontology.graph import OntologyGraph

PHENOTYPIC_ABNORMALITY = "HP:0000118"
LOOKUP_COLUMNS = ("hpo_id", "primary", "status", "detail")
ObsoletePolicy = Literal["unique", "drop", "first", "all"]


@dataclass(frozen=True)
class ResolvedTerms:
    """Cases with resolved lists, and what it took.

    Attributes:
        cases: the input with hpo_terms and excluded_terms as primary ids, first-seen order, no repeats.
        changes: one row per (case, id) that was mapped or dropped: case_id, term, excluded, kind, detail.
        report: features seen, mapped, dropped by reason, and cases touched by a drop.
    """

    cases: pd.DataFrame
    changes: pd.DataFrame
    report: dict[str, int]


def term_lookup(ids: Iterable[str], graph: OntologyGraph, *, obsolete: ObsoletePolicy = "unique") -> pd.DataFrame:
    """What becomes of each distinct id.

    Returns:
        columns hpo_id, primary ("" when dropped), status ("current", the way it was mapped, or the reason it is
        dropped), detail. A term outside HP:0000118 (onset, modifier, inheritance, family history) is no
        phenotype and is dropped as "not-a-phenotype".
    """
    wanted = sorted(set(ids))
    resolution = graph.resolve(wanted, obsolete=obsolete)
    dropped = resolution.dropped.assign(primary="").rename(columns={"id": "hpo_id", "reason": "status"})
    mapped = resolution.mapped.rename(columns={"id": "hpo_id", "to": "primary", "how": "status"}).assign(detail="")
    changed = set(dropped["hpo_id"]) | set(mapped["hpo_id"])
    current = [i for i in wanted if i not in changed]
    same = pd.DataFrame({"hpo_id": current, "primary": current, "status": "current", "detail": ""}, dtype="str")
    parts = [part[list(LOOKUP_COLUMNS)].astype("str") for part in (same, mapped, dropped)]
    table = pd.concat([part for part in parts if len(part)] or [same], ignore_index=True)
    outside = (table["primary"] != "") & ~table["primary"].isin(graph.descendants(PHENOTYPIC_ABNORMALITY))
    table.loc[outside, "detail"] = table.loc[outside, "primary"]
    table.loc[outside, ["primary", "status"]] = ["", "not-a-phenotype"]
    return table.sort_values(["hpo_id", "primary"], kind="stable").reset_index(drop=True)


def resolve_terms(
    cases: pd.DataFrame,
    graph: OntologyGraph,
    *,
    obsolete: ObsoletePolicy = "unique",
    max_unknown_share: float = 0.05,
) -> ResolvedTerms:
    """Rewrite hpo_terms and excluded_terms to primary ids of ``graph``.

    Args:
        cases: columns case_id, hpo_terms, excluded_terms.
        graph: the HPO release in use.
        obsolete: what to do with obsolete terms (see `OntologyGraph.resolve`).
        max_unknown_share: largest share of features the ontology may not know.

    Raises:
        BadInputError: more unknown features than that; the packets belong to a newer release.
    """
    long = long_terms(cases)
    lookup = term_lookup(long["term"], graph, obsolete=obsolete)
    joined = long.merge(lookup.rename(columns={"hpo_id": "term"}), on="term", how="left", sort=False)
    joined = joined.sort_values(["row", "excluded", "position", "primary"], kind="stable")
    report = _report(joined)
    unknown = report.get("dropped_unknown", 0)
    if unknown > max_unknown_share * max(len(long), 1):
        raise BadInputError(
            "resolving the cases' HPO terms",
            f"{unknown} of {len(long)} features are unknown to this ontology (limit {max_unknown_share:.0%})",
            "use an HPO release at least as recent as the cases",
        )
    changes = joined[joined["status"] != "current"].rename(columns={"status": "kind"})
    changes["detail"] = changes["detail"].where(changes["primary"] == "", changes["primary"])
    columns = ["case_id", "term", "excluded", "kind", "detail"]
    changes = changes[columns].sort_values(columns[:4], kind="stable").reset_index(drop=True)
    kept = joined[joined["primary"] != ""]
    out = cases.assign(
        hpo_terms=_lists(kept[~kept["excluded"]], cases.index),
        excluded_terms=_lists(kept[kept["excluded"]], cases.index),
    )
    return ResolvedTerms(out, changes, report)


def long_terms(cases: pd.DataFrame) -> pd.DataFrame:
    """One row per (case, stated term): row (position of the case), case_id, term, excluded, position."""
    parts = []
    for column, excluded in (("hpo_terms", False), ("excluded_terms", True)):
        part = pd.DataFrame(
            {"row": range(len(cases)), "case_id": cases["case_id"].to_numpy(), "term": cases[column].to_numpy()}
        )
        parts.append(part.explode("term").dropna(subset=["term"]).assign(excluded=excluded))
    long = pd.concat(parts, ignore_index=True)
    long["term"] = long["term"].astype("str")
    long["position"] = long.groupby(["row", "excluded"]).cumcount()
    return long


def _lists(kept: pd.DataFrame, index: pd.Index) -> pd.Series:
    unique = kept.drop_duplicates(["row", "primary"])
    lists = unique.groupby("row")["primary"].agg(list).to_dict()
    return pd.Series([lists.get(i, []) for i in range(len(index))], index=index, dtype=object)


def _report(joined: pd.DataFrame) -> dict[str, int]:
    lost = joined["primary"] == ""
    counts = joined["status"].value_counts().sort_index()
    gone = set(joined.loc[lost, "status"])
    report = {"features": int(joined.groupby(["row", "excluded", "position"]).ngroups)}
    report |= {f"dropped_{s}" if s in gone else str(s): int(n) for s, n in counts.items()}
    return report | {"cases_with_a_dropped_term": int(joined.loc[lost, "row"].nunique())}
