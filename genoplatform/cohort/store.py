"""The phenopacket_store cohort: packets through inclusion, categories and the stratified sample to cases.

Here: putting the steps together, and the released cases by id. Not here: the steps themselves.
Source: geno_agent cohort pipeline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from genoplatform.cohort.candidates import split_by_pool
from genoplatform.cohort.categories import categorise
from genoplatform.cohort.covariates import with_cluster, with_overlap, with_years
from genoplatform.cohort.funnel import Funnel
from genoplatform.cohort.inclusion import apply_inclusion
from genoplatform.cohort.inputs import DEFAULTS, CohortOptions, References
from genoplatform.cohort.phenopackets import PhenopacketRelease
from genoplatform.cohort.result import Cohort, strata_table
from genoplatform.cohort.sampling import (
    RELEASED_ORDER,
    RELEASED_TARGETS,
    stratified_sample,
    with_inclusion_probability,
)
from genoplatform.cohort.schema import as_case_table
from genoplatform.cohort.term_issues import EVALUABLE, issue_counts, profile_issues, profile_status, reduce_profiles
from genoplatform.cohort.terms import ResolvedTerms, resolve_terms
from genoplatform.errors import BadInputError

COHORT = "phenopacket_store"


def phenopacket_cohort(
    release: PhenopacketRelease,
    references: References,
    *,
    targets: Mapping[str, int] = RELEASED_TARGETS,
    order: Sequence[str] = RELEASED_ORDER,
    options: CohortOptions = DEFAULTS,
) -> Cohort:
    """Build the cohort as published: load, include, categorise, draw, drop cases whose gene is not in the pool.

    Args:
        release: from `read_phenopackets`.
        references: what the drawn cases are resolved and measured against; inclusion counts terms as stated.
        targets: category -> cases wanted.
        order: categories in drawing order.
        options: declared parameters.

    Raises:
        EmptyResultError: the filters left no case; the message counts what each removed.
        BadInputError: too many terms unknown to the ontology.
    """
    funnel = Funnel()
    pool = _pool(release, references, options.min_terms, funnel)
    drawn = stratified_sample(pool, dict(targets), order=order, seed=options.seed)
    funnel.drop("sample", len(drawn), {"not_drawn": len(pool) - len(drawn)})
    inside, outside = split_by_pool(drawn, list(references.coding))
    funnel.drop("gene_pool", len(inside), dict(Counter(outside["reason"])))
    resolved, rankable = _rankable(inside.reset_index(drop=True), references, options, funnel)
    funnel.require(len(rankable), COHORT)
    issues = profile_issues(rankable, references.graph)
    cases = reduce_profiles(rankable, issues) if options.reduce else rankable
    cases = with_overlap(with_cluster(cases), references.knowledge)
    cases = with_years(cases, pmid_dates=references.pmid_dates, anchors=references.anchors)
    cases = with_inclusion_probability(cases, Counter(pool["category"]))
    return Cohort(
        cases=as_case_table(cases.assign(cohort=COHORT, stratum=cases["category"])),
        funnel=funnel.frame(),
        strata=strata_table(pool["category"], cases["category"]),
        term_changes=resolved.changes,
        term_issues=issues,
        report=resolved.report | issue_counts(issues),
    )


def released_cases(records: pd.DataFrame, case_ids: Sequence[str]) -> pd.DataFrame:
    """Published cases by id, straight from the packets.

    Args:
        records: ``PhenopacketRelease.records``.
        case_ids: the ids wanted.

    Returns:
        columns case_id, causal_gene, hpo_terms and excluded_terms (as stated), disease_ids, source_pmid, cluster;
        sorted by case_id. `with_overlap`, `with_years` and `resolve_terms` take it from there.

    Raises:
        BadInputError: an id without a packet, or a packet without exactly one ascertained gene.
    """
    found = records[records["case_id"].isin(list(case_ids))]
    missing = sorted(set(case_ids) - set(found["case_id"]))
    if missing:
        raise BadInputError("looking up released cases", f"no packet for {len(missing)} id(s), first {missing[0]}")
    no_mondo = pd.DataFrame({"mondo_id": [], "disease_id": []}, dtype="str")
    no_ancestors = pd.DataFrame({"id": [], "ancestor": []}, dtype="str")
    included = apply_inclusion(found, no_mondo, no_ancestors, min_terms=0)
    if len(included.dropped):
        first = included.dropped.iloc[0]
        raise BadInputError("looking up released cases", f"{first['case_id']}: {first['reason']} ({first['detail']})")
    columns = ["case_id", "causal_gene", "hpo_terms", "excluded_terms", "disease_ids", "source_pmid", "cluster"]
    return with_cluster(included.kept)[columns].sort_values("case_id").reset_index(drop=True)


def _pool(release: PhenopacketRelease, references: References, min_terms: int, funnel: Funnel) -> pd.DataFrame:
    funnel.start("files", release.report["files"])
    refused = Counter(release.issues["reason"])
    funnel.drop("load", len(release.records), {reason: refused[reason] for reason in sorted(refused)})
    included = apply_inclusion(release.records, references.mapping, references.ancestors, min_terms=min_terms)
    lost = {k: v for k, v in included.report.items() if k != "kept" and v}
    funnel.drop("inclusion", len(included.kept), lost)
    categorised = categorise(included.kept, references.ancestors)
    funnel.drop("category", len(categorised.kept), dict(Counter(categorised.dropped["reason"])))
    funnel.require(len(categorised.kept), COHORT)
    return categorised.kept


def _rankable(
    cases: pd.DataFrame, references: References, options: CohortOptions, funnel: Funnel
) -> tuple[ResolvedTerms, pd.DataFrame]:
    """Cases that still have an observed term once resolved."""
    resolved = resolve_terms(
        cases, references.graph, obsolete=options.obsolete, max_unknown_share=options.max_unknown_share
    )
    status = profile_status(resolved.cases, cases).set_index("case_id")["status"]
    rankable = resolved.cases["case_id"].map(status) == EVALUABLE
    funnel.drop("evaluable", int(rankable.sum()), dict(Counter(status[status != EVALUABLE])))
    return resolved, resolved.cases[rankable]
