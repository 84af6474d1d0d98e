"""Section 15 of the rare-disease specification: every published figure that follows from counts, recomputed.

The figures are compared as claims: rounded half up to the digits they are printed with. Where the source itself
subtracted rounded rates, the tolerance is one unit of the last place, and the test says so.
"""

import json

import numpy as np
import pandas as pd
import pytest
from released_panel import SYSTEMS, count_consistent_panel, reference, released_cases

from genoplatform.inference.bounds import bounds_from_totals
from genoplatform.inference.claims import Claim, audit_claims, failing
from genoplatform.inference.density import density_by_overlap, quintile_shifts
from genoplatform.inference.did import difference_in_differences, mixed_interactions
from genoplatform.inference.floor import model_free_floor
from genoplatform.inference.judge import ablation_accounting
from genoplatform.inference.lopo import arm_against_systems, lopo_comparison
from genoplatform.inference.panel import build_panel
from genoplatform.inference.recency import recency_shifts
from genoplatform.inference.roc import operating_point
from genoplatform.inference.standardise import standardise
from genoplatform.inference.weights import weighted_deltas, weighted_rates
from genoplatform.inference.zero_density import zero_density

pytestmark = pytest.mark.shared
DRAWS = 20  # intervals are not under test here


@pytest.fixture(scope="module")
def ref(shared):
    return reference(shared)


@pytest.fixture(scope="module")
def panel(shared):
    return build_panel(count_consistent_panel(shared))


def check(table: pd.DataFrame, expected: list[tuple[dict, str, float | int]], tolerance: float = 0.0) -> None:
    claims = [
        Claim(f"{where} {column}", repr(value), "table", column, where, tolerance) for where, column, value in expected
    ]
    wrong = failing(audit_claims(claims, {"table": table}))
    assert wrong.empty, wrong.to_string()


def test_shifts_and_mixed_model_interactions(panel, ref):
    """The interaction coefficient is published to 4 decimals and follows from counts on a balanced panel."""
    result = difference_in_differences(panel, "M", draws=DRAWS)
    for name, published in ref["wp3_did"]["per_system"].items():
        check(result.shifts, [({"system": name}, key, published[key]) for key in ("present", "absent", "shift")])
    terms = ref["wp3_did"]["mixedlm"]["terms"]
    check(result.mixed, [({"system": name}, "coef", terms[name]["coef"]) for name in terms])
    check(result.differences, [({"system": name}, "difference", terms[name]["coef"]) for name in terms])
    check(result.mixed, [({"system": name}, "n_obs", 6282) for name in terms])
    check(result.mixed, [({"system": name}, "n_groups", 415) for name in terms])
    assert result.gee["converged"].all()


def test_published_mixed_model_error_lies_between_two_placements_of_the_same_counts(shared, ref):
    """All five published errors are .0351, as the identity se = sqrt(2 s2 (1/765 + 1/282)) demands. s2 depends on
    how hits cluster by publication, which is not published: hits alike across systems give less, unlike ones more."""
    errors = {
        nested: mixed_interactions(build_panel(count_consistent_panel(shared, nested=nested)), "M")["se"][0]
        for nested in (True, False)
    }
    published = {term["se"] for term in ref["wp3_did"]["mixedlm"]["terms"].values()}
    assert published == {0.0351}
    assert errors[True] < 0.0351 < errors[False]


def test_direct_standardisation(panel, ref):
    table = standardise(panel).rates
    for name, published in ref["wp3_did"]["direct_standardisation"]["systems"].items():
        check(table, [({"system": name}, key, published[key]) for key in ("std_present", "std_absent")])
        shifts = [({"system": name}, key, published[key]) for key in ("shift_crude", "shift_std")]
        check(table, shifts, tolerance=1e-4)  # the source subtracts rates of 4 decimals


def test_design_weighted_rates_and_differences(panel, ref):
    """6 decimals: unweighted, Horvitz-Thompson; equal-weight means over categories as well."""
    table = weighted_rates(panel, draws=DRAWS)
    published = ref["wp5_design_weighted"]
    columns = ("unweighted", "equal", "ht")
    for name in SYSTEMS:
        for subset, values in published["estimates"][name].items():
            check(table, [({"system": name, "subset": subset}, column, values[column]) for column in columns])
    pairs = [("S", "K"), ("S", "M"), ("S", "O"), ("M", "K")]
    deltas = weighted_deltas(panel, pairs, draws=DRAWS)
    for key, values in published["deltas"].items():
        pair, subset = key.split("/")
        first, second = pair.split("-")
        where = {"first": first, "second": second, "subset": subset}
        check(deltas, [(where, "unweighted", values["u"]), (where, "ht", values["ht"])])
    assert len(published["deltas"]) == len(deltas)


def test_zero_density_strata_and_gradients(panel, ref):
    result = zero_density(panel, "M", draws=DRAWS)
    published = ref["a1_zero_density"]
    assert result.n_mixed == 1
    for name, values in published["systems"].items():
        for stratum in "ZPA":
            where, (n, publications) = {"system": name, "stratum": stratum}, published["n"][stratum]
            hits, rate = values[stratum][:2]
            check(result.strata, [(where, "n", n), (where, "n_publications", publications)])
            check(result.strata, [(where, "hits", hits), (where, "rate", rate)])
        check(result.gradients, [({"system": name}, "gradient", values["gradient"])])
        check(result.gradients, [({"system": name}, "versus_reference", values["vs_M"])], tolerance=1.0001e-4)


def test_quintile_stratified_shift(panel, ref):
    strata, pooled = quintile_shifts(panel)
    published = ref["wp6_density"]["quintiles"]
    for b in range(5):
        where = {"system": "M", "bin": b + 1}
        low, high = published["range"][b]
        check(strata, [(where, "density_min", low), (where, "density_max", high)])
        check(strata, [(where, "n_present", published["n_present"][b]), (where, "n_absent", published["n_absent"][b])])
    for name in ("M", "K", "S", "O"):
        check(pooled, [({"system": name}, "shift", published[name]["pooled"])])
        for b in range(5):
            where = {"system": name, "bin": b + 1}
            check(strata, [(where, "present", published[name]["p"][b])])
            if published[name]["a"][b] is not None:
                check(strata, [(where, "absent", published[name]["a"][b])])
    assert (pooled["bins_used"] == 4).all()


def test_density_distribution_and_mann_whitney(shared, ref):
    """U exactly; p to 12 digits, since the same normal approximation with tie and continuity correction is meant."""
    table = density_by_overlap(released_cases(shared), ["rows_total", "density"])
    for column, key in (("rows_total", "total"), ("density", "own_excluded")):
        published = ref["wp6_density"]["by_stratum"][key]
        for group in ("present", "absent"):
            where = {"column": column, "group": group}
            check(table, [(where, name, published[group][name]) for name in ("mean", "median", "q25", "q75")])
            check(table, [(where, "zero", published[group]["zero"]), (where, "mwu_u", published["mwu_U"])])
        p = table.loc[table["column"] == column, "mwu_p"]
        np.testing.assert_allclose(p, published["mwu_p"], rtol=1e-12)


def test_recency_rates(panel, ref):
    table = recency_shifts(panel, draws=DRAWS)
    for name in SYSTEMS:
        published = ref["stratum_table_wp7"]["standard"][name]
        where = {"system": name, "scope": "all"}
        check(table, [(where, "before", published["pre2020"]["top1"]), (where, "after", published["post2020"]["top1"])])
        where = {"system": name, "scope": "overlap_absent"}
        check(table, [(where, "after", published["post2020_overlap_absent"]["top1"]), (where, "n_after", 88)])


def two_arms(cases: pd.DataFrame, both: int, only_a: int, only_b: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ranks 1 or 2 on the given cases with the wanted numbers of concordant and discordant hits."""
    n = np.arange(len(cases))
    a = n < both + only_a
    b = (n < both) | ((n >= both + only_a) & (n < both + only_a + only_b))
    return tuple(pd.DataFrame({"case_id": cases["case_id"], "rank": np.where(hit, 1, 2)}) for hit in (a, b))


def test_leave_one_paper_out_rates_and_tests(shared, ref):
    """McNemar p from the published discordant counts, rates from the published totals (760 control hits)."""
    published = ref["lopo_cell_S"]
    cases = released_cases(shared)
    groups = [cases[cases["exposed"] == flag] for flag in (1, 0)]
    arms = [two_arms(groups[0], 502, 16, 0), two_arms(groups[1], 242, 0, 0)]
    control, left_out = (pd.concat([arm[j] for arm in arms]) for j in (0, 1))
    table = lopo_comparison(cases, control, left_out, draws=DRAWS)
    for subset in ("full", "overlap_present", "overlap_absent"):
        where, values = {"subset": subset}, published[subset]
        check(table, [(where, "n", values["n"]), (where, "control_top1", values["control"])])
        check(table, [(where, "left_out_top1", values["lopo"]), (where, "delta", values["delta"])])
        check(table, [(where, "b", values["disc"][0]), (where, "c", values["disc"][1])])
        check(table, [(where, "p_mcnemar", values["p"])])


@pytest.mark.parametrize("system", ["K", "M"])
def test_leave_one_paper_out_against_other_systems(shared, ref, system):
    """Overlap-absent and full discordant counts; the exposed cases take the difference of the two."""
    cases = released_cases(shared)
    published = ref["lopo_cell_S"][f"lopo_vs_{system}"]
    absent, full = published["overlap_absent"][1:3], published["full"][1:3]
    parts = [
        two_arms(cases[cases["exposed"] == 1], 100, full[0] - absent[0], full[1] - absent[1]),
        two_arms(cases[cases["exposed"] == 0], 100, *absent),
    ]
    arm, other = (pd.concat([part[j] for part in parts]) for j in (0, 1))
    table = arm_against_systems(cases, arm, other.assign(system=system), draws=DRAWS)
    for subset in ("full", "overlap_absent"):
        delta, b, c, p = published[subset]
        where = {"system": system, "subset": subset}
        check(table, [(where, "delta", delta), (where, "b", b), (where, "c", c), (where, "p_mcnemar", p)])


def test_published_mcnemar_p_lies_inside_the_bounds_of_its_totals(ref):
    for contrast in ref["wp4_contrasts"].values():
        bounds = bounds_from_totals(contrast["correct_a"], contrast["correct_b"], contrast["n"])
        assert bounds.p_min - 5e-7 <= contrast["p_mcnemar"] <= bounds.p_max + 5e-7
        assert round(bounds.delta_min, 6) == contrast["delta"]


def test_model_free_floor_is_the_similarity_rankers_top1(shared, ref):
    """No ties: cell R's published top-1 counts, 969 and 599, are what the difficulty split leaves."""
    variants = json.loads((shared / "released" / "difficulty_tie_split.json").read_text())["variants"]
    split = pd.DataFrame([{"difficulty": name, **values} for name, values in variants.items()])
    floor = model_free_floor(split, n_candidates=50).set_index("difficulty")
    for difficulty in ("standard", "hard"):
        top1 = ref["stratum_table_wp7"][difficulty]["R"]["full"]["counts"][0]
        assert floor.loc[difficulty, ["lower_hits", "upper_hits"]].tolist() == [top1, top1]


def test_triage_and_confidence_operating_points(ref):
    """Scores on either side of the threshold with the published numbers of right answers."""
    judge = ref["wp8_judge"]
    points = [
        run[key]
        for run in (judge["triage"]["top1only_n100"], judge["triage"]["full_n600"])
        for key in ("median_split", "youden")
    ]
    rule = judge["confidence"]["any_threshold_0.5_to_0.9"]
    points.append([0.5, rule["n_above"], rule["n_below"], rule["acc_above"], rule["acc_below"], None])
    for threshold, above, below, acc_above, acc_below, recall in points:
        right = [round(acc_above * above), round(acc_below * below)]
        score = np.repeat([threshold, threshold - 0.1], [above, below])
        hit = np.concatenate([np.arange(above) < right[0], np.arange(below) < right[1]])
        found = operating_point(score, hit, threshold)
        assert (found["n_above"], found["n_below"]) == (above, below)
        assert round(found["accuracy_above"], 4) == acc_above
        assert round(found["accuracy_below"], 4) == acc_below
        assert recall is None or round(found["recall"], 4) == recall


def test_ablation_rates(ref):
    """Hits with and without errored records from the published rates; Sonnet's 230 and 226 show that four of its
    errored records count as hits as run."""
    for model, values in ref["wp8_judge"]["ablation"].items():
        fair = ablation_counts(values["n_fair"], values["n_fair_ok"], values["fair_as_run"], values["fair_err_excl"])
        every = ablation_counts(values["n"], values["n_ok"], values["as_run"], values["err_excl"])
        rest = [a - b for a, b in zip(every, fair, strict=True)]
        table = ablation_accounting(pd.concat([ablation_runs(model, 0, *fair), ablation_runs(model, 1, *rest)]))
        where = {"model": model, "scope": "all"}
        check(table, [(where, "as_run", values["as_run"]), (where, "error_excluded", values["err_excl"])])
        check(table, [(where, "errors", values["errors"])])
        where = {"model": model, "scope": "overlap_absent"}
        check(table, [(where, "as_run", values["fair_as_run"]), (where, "error_excluded", values["fair_err_excl"])])


def ablation_counts(n: int, n_ok: int, as_run: float, error_excluded: float) -> list[int]:
    """Records without and with error, hits without and with error."""
    hits = round(error_excluded * n_ok)
    return [n_ok, n - n_ok, hits, round(as_run * n) - hits]


def ablation_runs(model: str, exposed: int, ok: int, errors: int, hits: int, errored_hits: int) -> pd.DataFrame:
    hit = np.concatenate([np.arange(ok) < hits, np.arange(errors) < errored_hits])
    return pd.DataFrame({"model": model, "exposed": exposed, "hit": hit * 1.0, "error": [False] * ok + [True] * errors})
