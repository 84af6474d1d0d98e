"""The publication_profiles cohort: one case per disease and publication of an annotation release.

A curated publication is a phenotype profile of its own: the terms one article reports for one disease. Built from a
newer phenotype.hpoa against an older one as the knowledge base, most cases are in the knowledge base already and a
few are not, so contamination falls out of two public releases.
Here: finding the profiles, the filters, the sample. Not here: phenopackets (``store``), covariates (``covariates``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd

from genoplatform.cohort.categories import categorise
from genoplatform.cohort.covariates import with_cluster, with_overlap, with_years
from genoplatform.cohort.funnel import Funnel
from genoplatform.cohort.inclusion import first_mondo
from genoplatform.cohort.inputs import DEFAULTS, CohortOptions, References
from genoplatform.cohort.result import Cohort, strata_table
from genoplatform.cohort.sampling import stratified_sample
from genoplatform.cohort.schema import as_case_table
from genoplatform.cohort.term_issues import issue_counts, profile_issues, reduce_profiles
from genoplatform.cohort.terms import ResolvedTerms, resolve_terms

COHORT = "publication_profiles"
PHENOTYPE_ASPECT = "P"


def stated_profiles(rows: pd.DataFrame) -> pd.DataFrame:
    """Every (OMIM disease, PMID) with at least one present phenotype term, terms as stated.

    Args:
        rows: ``HpoaRelease.rows``: disease_id, hpo_id, pmids, present, aspect, in file order.

    Returns:
        columns disease_id, source_pmid, hpo_terms (present), excluded_terms (negated, 0/n or Excluded, and not
        also present), lists in file order without repeats; sorted by disease_id, source_pmid.
    """
    wanted = (rows["aspect"] == PHENOTYPE_ASPECT) & rows["disease_id"].str.startswith("OMIM:")
    long = rows.loc[wanted, ["disease_id", "hpo_id", "pmids", "present"]].explode("pmids")
    long = long.rename(columns={"pmids": "source_pmid"}).dropna(subset=["source_pmid"])
    long = long[long["source_pmid"].str.fullmatch(r"PMID:\d+")]
    key = ["disease_id", "source_pmid"]
    present = long[long["present"]].drop_duplicates([*key, "hpo_id"])
    absent = long[~long["present"]].drop_duplicates([*key, "hpo_id"])
    absent = absent.merge(present[[*key, "hpo_id"]], on=[*key, "hpo_id"], how="left", indicator=True)
    absent = absent[absent["_merge"] == "left_only"]
    out = present.groupby(key)["hpo_id"].agg(list).rename("hpo_terms").to_frame()
    out = out.join(absent.groupby(key)["hpo_id"].agg(list).rename("excluded_terms")).reset_index()
    out["excluded_terms"] = [terms if isinstance(terms, list) else [] for terms in out["excluded_terms"]]
    return out.astype({"hpo_terms": object, "excluded_terms": object})


def publication_profiles(
    rows: pd.DataFrame,
    disease_genes: pd.DataFrame,
    references: References,
    *,
    targets: Mapping[str, int],
    options: CohortOptions = DEFAULTS,
) -> Cohort:
    """Build the cohort: all unexposed cases and a stratified sample of the exposed.

    Args:
        rows: ``HpoaRelease.rows`` of the newer release, where the cases come from.
        disease_genes: disease_id, gene_symbol links of the older release.
        references: with the older release as the knowledge base. Terms are counted after resolving.
        targets: category -> exposed cases wanted ("other" included).
        options: declared parameters.

    Raises:
        EmptyResultError: the filters left no case; the message counts what each removed.
        BadInputError: too many terms unknown to the ontology.
    """
    funnel = Funnel()
    stated = stated_profiles(rows)
    funnel.start("publications", len(stated))
    resolved, eligible = _eligible(stated, disease_genes, references, options, funnel)
    funnel.require(len(eligible), COHORT)
    categorised = _categorise(with_cluster(eligible), references)
    pool = with_overlap(categorised, references.knowledge)
    pool = pool.assign(stratum=pool["category"] + "|" + pool["exposed"].map({0: "unexposed", 1: "exposed"}))
    quotas: dict[str, int | None] = {f"{category}|exposed": n for category, n in targets.items()}
    quotas |= {f"{category}|unexposed": None for category in targets}
    sample = stratified_sample(pool, quotas, by="stratum", seed=options.seed)
    funnel.drop("sample", len(sample), {"not_drawn": len(pool) - len(sample)})
    issues = profile_issues(sample, references.graph)
    cases = reduce_profiles(sample, issues) if options.reduce else sample
    cases = with_years(cases, pmid_dates=references.pmid_dates, anchors=references.anchors)
    changes = resolved.changes[resolved.changes["case_id"].isin(sample["case_id"])].reset_index(drop=True)
    return Cohort(
        cases=as_case_table(cases.assign(cohort=COHORT)),
        funnel=funnel.frame(),
        strata=strata_table(pool["stratum"], sample["stratum"]),
        term_changes=changes,
        term_issues=issues,
        report=resolved.report | issue_counts(issues),
    )


def _eligible(
    stated: pd.DataFrame,
    disease_genes: pd.DataFrame,
    references: References,
    options: CohortOptions,
    funnel: Funnel,
) -> tuple[ResolvedTerms, pd.DataFrame]:
    """Profiles with enough terms and exactly one protein-coding gene, named and counted."""
    linked = stated.merge(_gene_verdicts(disease_genes, references.coding), on="disease_id", how="left")
    linked["reason"] = linked["reason"].fillna("no_gene")
    gene = linked["causal_gene"].fillna("")
    number, disease = linked["source_pmid"].str.slice(5), linked["disease_id"].str.slice(5)
    linked = linked.assign(causal_gene=gene, case_id=gene + ":PMID_" + number + "_OMIM_" + disease)
    resolved = resolve_terms(
        linked, references.graph, obsolete=options.obsolete, max_unknown_share=options.max_unknown_share
    )
    table = resolved.cases
    enough = table["hpo_terms"].map(len) >= options.min_terms
    reason = table["reason"].where(enough, "few_terms")
    counts = reason[reason != ""].value_counts()
    order = ("few_terms", "no_gene", "several_genes", "not_protein_coding")
    funnel.drop("eligible", int((reason == "").sum()), {r: int(counts[r]) for r in order if r in counts})
    kept = table[reason == ""].drop(columns="reason")
    diseases = pd.Series([[d] for d in kept["disease_id"]], index=kept.index, dtype=object)
    return resolved, kept.assign(disease_ids=diseases).reset_index(drop=True)


def _gene_verdicts(disease_genes: pd.DataFrame, coding: Collection[str]) -> pd.DataFrame:
    """One row per disease: disease_id, causal_gene, reason ("" when it has exactly one, protein-coding, gene)."""
    pairs = disease_genes[["disease_id", "gene_symbol"]].drop_duplicates()
    one = pairs.groupby("disease_id")["gene_symbol"].agg(["size", "first"]).reset_index()
    reason = pd.Series("", index=one.index, dtype="str").mask(~one["first"].isin(list(coding)), "not_protein_coding")
    reason = reason.mask(one["size"] > 1, "several_genes")
    return pd.DataFrame({"disease_id": one["disease_id"], "causal_gene": one["first"], "reason": reason})


def _categorise(cases: pd.DataFrame, references: References) -> pd.DataFrame:
    to_mondo = first_mondo(references.mapping)
    mondo = [[to_mondo[d] for d in ids if d in to_mondo] for ids in cases["disease_ids"]]
    with_ids = cases.assign(mondo_ids=pd.Series(mondo, index=cases.index, dtype=object))
    return categorise(with_ids, references.ancestors, keep_other=True).kept
