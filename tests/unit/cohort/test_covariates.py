"""Overlap flag, density, clusters, years and weights on a knowledge base of seven rows."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.cohort.clustering_stats import cluster_counts, clustering_strata
from genoplatform.cohort.covariates import (
    design_weight,
    overlap_table,
    recent,
    source_pmid,
    with_cluster,
    with_overlap,
    with_years,
)
from genoplatform.cohort.pmid_years import parse_year_anchors

KNOWLEDGE = pd.DataFrame(
    [
        ("OMIM:1", "HP:1", ["PMID:10"]),
        ("OMIM:1", "HP:1", ["PMID:10"]),  # a duplicate line counts twice, as published
        ("OMIM:1", "HP:2", ["PMID:10", "PMID:11"]),
        ("OMIM:1", "HP:3", []),
        ("OMIM:2", "", ["PMID:12"]),  # a row without a term counts as a row, not as overlap
        ("OMIM:2", "HP:4", ["PMID:13"]),
        ("ORPHA:1", "HP:5", ["PMID:10"]),
    ],
    columns=["disease_id", "hpo_id", "pmids"],
)


def case(case_id, *diseases):
    return with_cluster(pd.DataFrame({"case_id": [case_id], "disease_ids": [list(diseases)]}))


def covariates(case_id, *diseases):
    row = with_overlap(case(case_id, *diseases), KNOWLEDGE).iloc[0]
    return tuple(int(row[c]) for c in ("exposed", "rows_total", "rows_own_pmid", "density"))


@pytest.mark.parametrize(
    ("case_id", "expected"),
    [
        ("AAGAB:PMID_24573067_CASE_REPORT", "PMID:24573067"),
        ("ACBD6:PMID_37951597_Family_10_Subject_2", "PMID:37951597"),
        ("G:PMID_1_OMIM_2", "PMID:1"),
        ("G:STX_PMID_24573067_1", ""),
        ("G:PMID_unknown_3", ""),
        ("PMID_5:case_1", ""),
    ],
)
def test_source_publication_comes_from_the_start_of_the_suffix_only(case_id, expected):
    assert source_pmid(pd.Series([case_id])).tolist() == [expected]


def test_cluster_is_the_publication_or_the_case_itself():
    assert case("G:PMID_5_a")["cluster"].item() == "PMID:5"
    assert case("G:person")["cluster"].item() == "case:G:person"


@pytest.mark.parametrize(
    ("case_id", "diseases", "expected"),
    [
        ("G:PMID_10_a", ["OMIM:1"], (1, 4, 3, 1)),
        ("G:PMID_11_a", ["OMIM:1"], (1, 4, 1, 3)),
        ("G:PMID_99_a", ["OMIM:1"], (0, 4, 0, 4)),
        ("G:PMID_10_a", ["OMIM:2"], (0, 2, 0, 2)),  # cited, but for another disease
        ("G:PMID_12_a", ["OMIM:2"], (0, 2, 1, 1)),
        ("G:PMID_10_a", ["OMIM:1", "OMIM:2"], (1, 6, 3, 3)),
        ("G:PMID_10_a", ["OMIM:1", "OMIM:1"], (1, 4, 3, 1)),
        ("G:PMID_10_a", ["ORPHA:1"], (0, 0, 0, 0)),  # only OMIM ids count
        ("G:PMID_10_a", [], (0, 0, 0, 0)),
        ("G:person", ["OMIM:1"], (0, 4, 0, 4)),
    ],
)
def test_overlap_and_density(case_id, diseases, expected):
    assert covariates(case_id, *diseases) == expected


def test_log_density_is_natural_log_of_one_plus_density_and_rows_keep_their_order():
    cases = pd.concat([case("Z:PMID_99_a", "OMIM:1"), case("A:PMID_10_a", "OMIM:1")])
    found = with_overlap(cases, KNOWLEDGE)
    assert found["case_id"].tolist() == ["Z:PMID_99_a", "A:PMID_10_a"]
    np.testing.assert_allclose(found["log_density"], [np.log(5), np.log(2)], rtol=1e-15)


def test_the_rows_behind_the_flag():
    found = overlap_table(case("G:PMID_10_a", "OMIM:1"), KNOWLEDGE)
    assert found.to_dict("records") == [
        {"case_id": "G:PMID_10_a", "source_pmid": "PMID:10", "matching_rows": 3, "matching_hpo_ids": ["HP:1", "HP:2"]}
    ]


ANCHORS = parse_year_anchors(
    """
    {source: s, licence: l, method: m, ordered_until: 5000, unordered: [[1500, 1599]],
     first_pmid: {2018: 1000, 2019: 2000, 2020: 3000, 2021: 4000}}
    """
)


def test_years_from_the_file_first_then_interpolated_then_unknown():
    cases = pd.DataFrame({"source_pmid": ["PMID:2500", "PMID:2501", "PMID:999", "PMID:1550", "PMID:5000", ""]})
    found = with_years(cases, pmid_dates={"2500": "2023-04-05"}, anchors=ANCHORS)
    assert found["publication_year"].tolist() == [2023, 2019, pd.NA, pd.NA, pd.NA, pd.NA]
    assert found["year_source"].tolist() == ["file", "interpolated", "", "", "", ""]
    assert with_years(cases)["publication_year"].isna().all()


def test_recency_leaves_unknown_years_unknown_unless_the_number_itself_is_old():
    cases = pd.DataFrame({"source_pmid": ["PMID:3000", "PMID:2999", "PMID:999", "PMID:9999", ""]})
    cases = with_years(cases, anchors=ANCHORS)
    assert recent(cases).tolist() == [1, 0, pd.NA, pd.NA, pd.NA]
    assert recent(cases, anchors=ANCHORS).tolist() == [1, 0, 0, pd.NA, pd.NA]


def test_design_weight_is_the_inverse_inclusion_probability():
    found = design_weight(pd.DataFrame({"inclusion_probability": [250 / 464, 1.0]}))
    assert found.tolist() == pytest.approx([464 / 250, 1.0])


def test_cluster_counts_and_strata():
    cases = pd.DataFrame({"cluster": list("aabccc"), "category": list("xxxyyy"), "exposed": [1, 1, 0, 0, 0, 0]})
    strata = clustering_strata(cases, pd.Series([0, 0, 1, 1, 1, None], dtype="Int64"))
    assert strata["full_cohort"] == {
        "n_cases": 6, "n_unique_pmids": 3, "median_cases_per_pmid": 2, "mean_cases_per_pmid": 2.0,
        "max_cases_per_pmid": 3,
    }  # fmt: skip
    sizes = {name: (s["n_cases"], s["n_unique_pmids"]) for name, s in strata.items()}
    assert sizes["category_y"] == (3, 1)
    assert (sizes["pre_2020"], sizes["post_2020"], sizes["post_2020_x_overlap_absent"]) == ((2, 1), (3, 2), (3, 2))
    assert cluster_counts(pd.Series([], dtype="str"))["n_cases"] == 0
