"""What is wrong inside a case's phenotype: contradictions, redundancy, nothing to rank on, drifting labels.

Here: finding and counting; redundancy can be removed, contradictions are only reported. Not here: resolving ids
(``terms``).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from genoplatform.cohort.terms import long_terms
from genoplatform.ontology.graph import OntologyGraph

ISSUE_COLUMNS = ("case_id", "kind", "term", "other")
EVALUABLE = "evaluable"


def profile_issues(cases: pd.DataFrame, graph: OntologyGraph) -> pd.DataFrame:
    """Contradictions and redundancy among the resolved terms of each case.

    Args:
        cases: columns case_id, hpo_terms, excluded_terms, ids current in ``graph``.

    Returns:
        columns case_id, kind, term, other, sorted. kinds: ``observed-and-excluded`` (same term),
        ``excluded-ancestor`` (observed term, excluded ancestor: a contradiction), ``redundant-observed``
        (observed ancestor of another observed term), ``redundant-excluded`` (excluded descendant of another
        excluded term). ``term`` is the one a clean-up would question, ``other`` its counterpart.
    """
    long = long_terms(cases)[["case_id", "term", "excluded"]].drop_duplicates()
    pairs = _ancestor_pairs(long["term"], graph)
    below = long.merge(pairs, on="term")
    both = below.merge(
        long.rename(columns={"term": "ancestor", "excluded": "ancestor_excluded"}), on=["case_id", "ancestor"]
    )
    excluded, above = both["excluded"], both["ancestor_excluded"]
    same = both["term"] == both["ancestor"]
    found = [
        _issues(both[same & ~excluded & above], "observed-and-excluded", "term", "ancestor"),
        _issues(both[~same & ~excluded & above], "excluded-ancestor", "term", "ancestor"),
        _issues(both[~same & ~excluded & ~above], "redundant-observed", "ancestor", "term"),
        _issues(both[~same & excluded & above], "redundant-excluded", "term", "ancestor"),
    ]
    return pd.concat(found, ignore_index=True).sort_values(list(ISSUE_COLUMNS)).reset_index(drop=True)


def reduce_profiles(cases: pd.DataFrame, issues: pd.DataFrame) -> pd.DataFrame:
    """Keep the most specific observed and the most general excluded terms.

    Args:
        cases: columns case_id, hpo_terms, excluded_terms.
        issues: `profile_issues` of the same cases.
    """
    out = cases.copy()
    for column, kind in (("hpo_terms", "redundant-observed"), ("excluded_terms", "redundant-excluded")):
        redundant = set(issues.loc[issues["kind"] == kind, ["case_id", "term"]].itertuples(index=False, name=None))
        kept = [
            [t for t in terms if (case_id, t) not in redundant]
            for case_id, terms in zip(cases["case_id"], cases[column], strict=True)
        ]
        out[column] = pd.Series(kept, index=cases.index, dtype=object)
    return out


def profile_status(cases: pd.DataFrame, stated: pd.DataFrame | None = None) -> pd.DataFrame:
    """Whether a case can be ranked at all; a case that cannot is a status, never a rank.

    Args:
        cases: resolved cases: case_id, hpo_terms, excluded_terms.
        stated: the same cases before resolving (same order), to tell "nothing stated" from "nothing known".

    Returns:
        columns case_id, status, n_observed, n_excluded. status: evaluable, not-evaluable-no-feature,
        not-evaluable-excluded-only, not-evaluable-no-known-term.
    """
    observed, excluded = cases["hpo_terms"].map(len), cases["excluded_terms"].map(len)
    before = observed if stated is None else stated["hpo_terms"].map(len).set_axis(cases.index)
    status = np.select(
        [observed > 0, before > 0, excluded > 0],
        [EVALUABLE, "not-evaluable-no-known-term", "not-evaluable-excluded-only"],
        "not-evaluable-no-feature",
    )
    table = {"case_id": cases["case_id"], "status": status, "n_observed": observed, "n_excluded": excluded}
    return pd.DataFrame(table).sort_values("case_id").reset_index(drop=True)


def label_drift(features: pd.DataFrame) -> pd.DataFrame:
    """Ids stated with more than one label; the id decides, so this is information only.

    Args:
        features: columns hpo_id, label.

    Returns:
        columns hpo_id, labels (sorted list), n_features.
    """
    named = features[features["label"] != ""]
    groups = named.groupby("hpo_id")["label"]
    table = pd.DataFrame({"labels": groups.agg(lambda s: sorted(set(s))), "n_features": groups.size()})
    return table[table["labels"].map(len) > 1].reset_index()


def issue_counts(issues: pd.DataFrame) -> dict[str, int]:
    """Cases per kind of issue."""
    return {str(kind): int(n) for kind, n in issues.groupby("kind")["case_id"].nunique().sort_index().items()}


def _ancestor_pairs(terms: pd.Series, graph: OntologyGraph) -> pd.DataFrame:
    """(term, ancestor) among the terms in use, reflexive."""
    ids = sorted(set(terms))
    rows = np.array([graph.index[t] for t in ids], dtype=np.intp)
    block = graph.ancestors[rows][:, rows].tocoo()
    names = np.array(ids, dtype=object)
    return pd.DataFrame({"term": names[block.row], "ancestor": names[block.col]}, dtype="str")


def _issues(pairs: pd.DataFrame, kind: str, term: str, other: str) -> pd.DataFrame:
    columns = {"case_id": pairs["case_id"], "kind": kind, "term": pairs[term], "other": pairs[other]}
    return pd.DataFrame(columns, columns=list(ISSUE_COLUMNS)).drop_duplicates()
