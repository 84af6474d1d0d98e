"""The same two cases against two releases of one disease's annotations, the later citing what the earlier does not."""

import numpy as np
import pandas as pd
import pytest
from likelihood_examples import D1, A, B, F, G, links, rows, small_graph

from genoplatform.prioritisation.time_travel import COLUMNS, nothing_ranked, rank_with_release
from genoplatform.settings.profiles import load_profile

PARAMETERS = load_profile("embedded").ranking.model_dump()
CASES = pd.DataFrame(
    {
        "case_id": ["early", "late"],
        "cluster": ["PMID:1", "PMID:2"],
        "causal_gene": ["g1", "g2"],
        "hpo_terms": [[D1, F], [G, B]],
        "excluded_terms": [[], []],
        "source_pmid": ["PMID:1", "PMID:2"],
        "disease_ids": [["OMIM:1"], ["OMIM:2"]],
    }
)
GENES = links(g1="OMIM:1", g2="OMIM:2", g3="OMIM:3").assign(hpo_id=A, gene_id="NCBIGene:1", frequency="-", present=True)
OLD = [("OMIM:1", D1, "1/1", ["PMID:1"]), ("OMIM:1", F, "1/1", ["PMID:1"]), ("OMIM:3", G, "1/1", ["PMID:9"])]
NEW = [*OLD, ("OMIM:2", G, "1/1", ["PMID:2"]), ("OMIM:2", B, "1/1", ["PMID:2"])]


def travel(release, given, exposed, systems=("resnik", "likelihood"), **changed):
    table = rows(*given)
    table = table.assign(copies=1, row=range(1, len(table) + 1))
    flags = pd.Series(exposed)
    return rank_with_release(release, CASES, flags, small_graph(), GENES, table, systems, PARAMETERS | changed)


@pytest.fixture(scope="module")
def old():
    return travel("2020", OLD, [1, 0])


@pytest.fixture(scope="module")
def new():
    return travel("2025", NEW, [1, 1])


def test_one_row_a_system_and_case_sorted(old):
    assert list(old.columns) == list(COLUMNS)
    keys = old[["release", "system", "case_id", "cluster"]].to_numpy().tolist()
    assert keys == [
        ["2020", system, case, cluster]
        for system in ("likelihood", "resnik")
        for case, cluster in (("early", "PMID:1"), ("late", "PMID:2"))
    ]


def test_a_release_without_the_gene_s_disease_gives_no_rank(old):
    """The links between diseases and genes are those of today, but what is known of g2's disease is not yet known."""
    rank = old.set_index(["system", "case_id"])["rank"]
    assert rank.loc[:, "early"].tolist() == [1.0, 1.0]
    assert np.isnan(rank["likelihood", "late"])
    assert np.isnan(rank["resnik", "late"])
    assert set(old["n_candidates"]) == {2}


def test_a_later_release_ranks_and_exposes_it(old, new):
    rank = new.set_index(["system", "case_id"])["rank"]
    assert rank.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert (old["exposed"].tolist(), new["exposed"].tolist()) == ([1, 0, 1, 0], [1, 1, 1, 1])
    assert set(new["n_candidates"]) == {3}


def test_gene_profiles_come_from_the_annotations_whatever_the_profile_says(old):
    """genes_to_phenotype would give g2 the finding a, of today's file."""
    pd.testing.assert_frame_equal(travel("2020", OLD, [1, 0], knowledge="genes_to_phenotype"), old)


def test_the_exposure_s_own_index_does_not_matter(old):
    table = rows(*OLD).assign(copies=1, row=[1, 2, 3])
    flags = pd.Series([1, 0], index=[7, 3])
    again = rank_with_release("2020", CASES, flags, small_graph(), GENES, table, ["resnik", "likelihood"], PARAMETERS)
    pd.testing.assert_frame_equal(again, old)


def test_nothing_ranked_has_the_same_columns_and_types(old):
    nothing = nothing_ranked()
    assert nothing.empty
    assert nothing.dtypes.to_dict() == old.dtypes.to_dict()
