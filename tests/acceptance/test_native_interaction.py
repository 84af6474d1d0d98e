"""The system-by-overlap interaction of the native rankers on the 1,047 released cases, by all four estimates.

Knowledge base and ontology are the pinned ones of 2025-01-16, so exposure is decided by that release: 236 of the 765
cases published as exposed rest on publications that it does not cite yet. The figures asserted below are this
code's own, first computed here; a change means that a ranker, a pin or an estimator changed.
"""

import numpy as np
import pandas as pd
import pytest
from disease_rankers import read_release

from genoplatform.cohort.candidates import standard_candidates
from genoplatform.cohort.covariates import with_overlap
from genoplatform.cohort.phenopackets import read_phenopackets
from genoplatform.cohort.store import released_cases
from genoplatform.inference.suite import panel_of, run_suite
from genoplatform.ontology import protein_coding, read_gene_annotations, read_hgnc, with_copies
from genoplatform.prioritisation.ranking import rank_candidates
from genoplatform.prioritisation.released import read_case_table
from genoplatform.prioritisation.systems import Knowledge, build_system
from genoplatform.settings.profiles import load_profile

pytestmark = pytest.mark.shared
REFERENCE = "likelihood"


@pytest.fixture(scope="module")
def release(pinned):
    return read_release(pinned)


@pytest.fixture(scope="module")
def cases(shared, release):
    """Terms of the packets, covariates of the released case table, exposure by the release that is used."""
    folder = shared / "released"
    table = read_case_table(folder / "case_table.csv", pmid_dates=folder / "pmid_dates.json")
    records = read_phenopackets(shared / "phenopackets" / "phenopacket-store-0.1.26.tar.xz").records
    terms = released_cases(records, table["case_id"].tolist())
    own = ["hpo_terms", "excluded_terms", "disease_ids", "causal_gene"]
    joined = table.drop(columns=own).merge(terms[["case_id", *own]], on="case_id", validate="1:1")
    counted = ["exposed", "rows_total", "rows_own_pmid", "density", "log_density"]
    published = joined["exposed"]
    return with_overlap(joined.drop(columns=counted), release.hpoa.raw).assign(published=published.to_numpy())


@pytest.fixture(scope="module")
def ranks(cases, release, pinned):
    coding = protein_coding(read_hgnc(pinned("hgnc@2025-06")))
    candidates = standard_candidates(cases, coding).table
    genes = read_gene_annotations(pinned("genes_to_phenotype@2025-01-16")).rows
    knowledge = Knowledge(release.graph, genes, with_copies(release.hpoa))
    parameters = load_profile("embedded").ranking.model_dump()
    systems = (build_system(name, knowledge, parameters) for name in ("likelihood", "resnik", "phenodigm"))
    scored = pd.concat([system.score_lists(cases, candidates).scored for system in systems], ignore_index=True)
    return rank_candidates(scored, candidates, tie_rule="candidate_order")


@pytest.fixture(scope="module")
def tables(cases, ranks):
    return run_suite(panel_of(cases, ranks, 2020), REFERENCE, draws=2_000)


@pytest.fixture(scope="module")
def table(tables):
    return tables["did_side_by_side"].set_index("system")


def test_the_release_in_use_knows_fewer_of_the_publications(cases):
    assert (len(cases), cases["cluster"].nunique(), cases["published"].sum()) == (1047, 415, 765)
    assert (cases["exposed"] <= cases["published"]).all()
    assert cases["exposed"].sum() == 529


def test_four_estimates_side_by_side(table, record_property):
    """Every estimate says the same: the likelihood ratio leans on the own publication more than either similarity."""
    record_property("did_side_by_side", table.to_string())
    assert set(table.index) == {"resnik", "phenodigm"}
    assert (table["reference"] == REFERENCE).all()
    np.testing.assert_allclose(table["mixed"], table["raw"], atol=1e-6, rtol=0)
    assert (table["raw_lo"] > 0).all()
    assert (table["mixed_p"] < 0.01).all()
    assert table["gee_converged"].all()
    assert (table["odds_ratio"] > 1).all()
    figures = {"raw": [0.0578, 0.0539], "odds_ratio": [1.7188, 1.6901], "counterfactual": [0.1210, 0.1815]}
    found = table.loc[["phenodigm", "resnik"], list(figures)]
    np.testing.assert_allclose(found, pd.DataFrame(figures), atol=1e-4, rtol=0)


def test_the_odds_ratios_alone_would_not_convince(table):
    """On the logit scale, where the exposed rates are near 1, both intervals hold 1."""
    assert (table["odds_ratio_lo"] < 1).all()
    assert (table["odds_ratio_hi"] > 1).all()


def test_taking_the_own_publication_away_costs_the_likelihood_ratio_most(tables):
    effect = tables["counterfactual"].set_index("system")
    assert (effect["n"] == 529).all()
    assert effect["contamination"].round(4).to_dict() == {
        "likelihood": 0.4348,
        "phenodigm": 0.3138,
        "resnik": 0.2533,
    }
    assert (effect["lo"] > 0).all()


def test_every_analysis_could_be_estimated(tables):
    assert tables["not_estimated"].empty
