"""The paper's claims: well formed, addressed to cells that exist, and equal to the published values."""

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from reference_tables import reference_tables

import genoplatform.settings
from genoplatform.inference import density, did, judge, lopo, publication_level, recency, standardise, weights
from genoplatform.inference.candidate_lists import candidate_lists
from genoplatform.inference.claims import audit_claims, failing, named_tables, read_claims
from genoplatform.inference.evaluate import evaluate_items
from genoplatform.inference.floor import difficulty_tie_split
from genoplatform.inference.panel import build_panel
from genoplatform.inference.perfect_cells import perfect_cells
from genoplatform.inference.results_table import results_table
from genoplatform.inference.tie_audit import tie_audit
from genoplatform.inference.zero_density import zero_density

PAPER = Path(genoplatform.settings.__file__).parent / "claims" / "paper.yml"
ARTEFACT = re.compile(r"eval/inference/(evaluation|analyses|judge|lopo)\[(standard|hard)\]\.([a-z_]+)")
NOT_MADE_BY_ONE_FUNCTION = {"multiplicity"}
"""holm and benjamini_hochberg give mappings; the table of families is the asset's."""


@pytest.fixture(scope="module")
def claims():
    return read_claims(PAPER)


def test_every_claim_says_where_it_is_published_and_what_it_is_held_against(claims):
    assert len(claims) > 2500
    for claim in claims:
        assert ARTEFACT.fullmatch(claim.artefact), claim.name
        assert re.search(r"\.(json|csv); section \d+", claim.source), claim.name
        assert claim.where, claim.name


def test_tolerances_are_small_beside_what_they_excuse(claims):
    """Counts take none; intervals at most .01 (2,000 draws of an AUROC), every other value less than one per cent."""
    for claim in claims:
        if "." not in claim.value:
            assert claim.tolerance == 0, claim.name
        assert claim.tolerance <= 0.01, claim.name
        if claim.tolerance and claim.column not in ("lo", "hi", "versus_reference"):
            assert claim.tolerance <= 0.011 * abs(float(claim.value)), claim.name


def random_panel() -> pd.DataFrame:
    """120 cases of 60 publications and eight systems: enough for every analysis to have a result."""
    rng = np.random.default_rng(3)
    n = 120
    own = np.where(np.arange(n) % 3 == 0, 0, rng.integers(1, 9, n))
    rest = np.where((own > 0) & (np.arange(n) % 4 == 0), 0, rng.integers(1, 60, n))
    cases = pd.DataFrame(
        {
            "case_id": [f"c{i:03d}" for i in range(n)],
            "cluster": [f"PMID:{i // 2}" for i in range(n)],
            "category": np.resize(["developmental", "immunological", "metabolic", "neurological"], n),
            "exposed": (own > 0).astype(int),
            "recent": np.arange(n) % 2,
            "rows_total": own + rest,
            "density": rest,
            "log_density": np.log1p(rest),
            "weight": 2.0,
        }
    )
    return pd.concat([cases.assign(system=s, rank=rng.integers(1, 12, n)) for s in "KMSOLDNR"], ignore_index=True)


def column_sets() -> dict[str, set[str]]:
    """Table name -> columns, as the analyses make them."""
    frame = random_panel()
    panel = build_panel(frame)
    cases, draws = panel.cases, 5
    items = frame.rename(columns={"case_id": "item"})[["item", "cluster", "exposed", "recent", "system", "rank"]]
    evaluation = evaluate_items(items, [("S", "K")], n_boot=draws, n_perm=draws)
    differences = did.difference_in_differences(panel, "M", draws=draws)
    zero, standard = zero_density(panel, "M", draws=draws), standardise.standardise(panel)
    lists = candidate_lists(
        pd.DataFrame({"system": "S", "case_id": "x", "is_causal": [True, False], "score": 1.0, "final_rank": [1, 2]}), 2
    )
    ranks = dict(list(frame.groupby("system")))
    scores = pd.DataFrame({"cluster": cases["cluster"], "f": np.linspace(0, 1, len(cases)), "hit": cases["recent"]})
    quality = judge.triage(scores, "f", draws=draws)
    runs = pd.DataFrame({"model": "m", "exposed": [0, 1], "hit": [1, 0], "error": [False, True]})
    similarity = pd.DataFrame({"difficulty": ["hard"], "causal_similarity": 1.0, "hardest_distractor_similarity": 2.0})
    strata, pooled = density.quintile_shifts(panel)
    run = pd.DataFrame(columns=["run"])
    tables = {
        "metrics": evaluation.metrics, "overlap_shift": evaluation.overlap_shift, "contrasts": evaluation.contrasts,
        "did_shifts": differences.shifts, "did_differences": differences.differences,
        "did_mixed": differences.mixed, "did_gee": differences.gee,
        "standardised": standard.rates, "standardised_strata": standard.strata,
        "weighted": weights.weighted_rates(panel, draws=draws),
        "weighted_deltas": weights.weighted_deltas(panel, [("S", "K")], draws=draws),
        "density_by_overlap": density.density_by_overlap(cases, ["rows_total", "density"]),
        "density_shift": density.density_adjusted_shift(panel),
        "density_interaction": density.density_interaction(panel, "M"),
        "quintile_strata": strata, "quintiles": pooled,
        "zero_density": zero.strata, "zero_gradients": zero.gradients,
        "publication_level": publication_level.publication_tests(panel, [("S", "K")]),
        "recency": recency.recency_shifts(panel, draws=draws),
        "perfect_cells": perfect_cells(lists), "tie_audit": tie_audit(lists).systems,
        "tie_sizes": tie_audit(lists).sizes,
        "results_table": results_table({"S": ranks["S"]["rank"].to_numpy()}, draws=100),
        "difficulty_split": difficulty_tie_split(similarity),
        "comparison": lopo.lopo_comparison(cases, ranks["S"], ranks["L"], draws=draws),
        "against_systems": lopo.arm_against_systems(cases, ranks["S"], frame, draws=draws),
        "means": pd.concat([judge.judge_means(scores, ["f"], draws=draws), run]),
        "triage": pd.concat([quality.summary, run]), "points": pd.concat([quality.points, run]),
        "bins": pd.concat([quality.bins, run]),
        "confidence": judge.confidence_thresholds(scores["f"], scores["hit"]),
        "confidence_triage": pd.concat([quality.summary, pd.DataFrame(columns=["system"])]),
        "ablation": judge.ablation_accounting(runs),
    }  # fmt: skip
    return {name: set(table.columns) for name, table in tables.items()}


def test_every_claim_points_at_columns_its_analysis_has(claims):
    columns = column_sets()
    seen = set()
    for claim in claims:
        table = ARTEFACT.fullmatch(claim.artefact).group(3)
        seen.add(table)
        if table not in NOT_MADE_BY_ONE_FUNCTION:
            assert {claim.column, *claim.where} <= columns[table], claim.name
    assert seen == {*columns, *NOT_MADE_BY_ONE_FUNCTION}


@pytest.mark.shared
def test_every_claim_equals_the_published_value(claims, shared):
    """Without any tolerance: it is for recomputed values, not for copied ones."""
    exact = [replace(claim, tolerance=0.0) for claim in claims]
    wrong = failing(audit_claims(exact, reference_tables(shared / "released")))
    assert wrong.empty, wrong[["name", "status", "claimed", "found", "detail"]].to_string()


@pytest.mark.shared
def test_no_published_contrast_interval_or_subset_is_left_out(claims, shared):
    """Every number of the tables the paper stores at full width is claimed."""
    tables = reference_tables(shared / "released")
    for difficulty in ("standard", "hard"):
        for name, keys in (("contrasts", 3), ("results_table", 2)):
            asset = "analyses" if name == "results_table" else "evaluation"
            artefact = f"eval/inference/{asset}[{difficulty}].{name}"
            table = tables[artefact]
            claimed = sum(claim.artefact == artefact for claim in claims)
            assert claimed == table.shape[0] * (table.shape[1] - keys), artefact
        metrics = tables[f"eval/inference/evaluation[{difficulty}].metrics"]
        top1 = metrics[metrics["metric"] == "top1"]
        numbers = metrics["value"].count() + metrics["count"].count() + 2 * len(top1)
        numbers += int(top1[["cluster_lo", "cluster_hi", "case_lo", "case_hi"]].count().sum())
        assert sum(c.artefact.endswith(f"evaluation[{difficulty}].metrics") for c in claims) == numbers


@pytest.mark.shared
def test_a_changed_digit_of_any_claim_is_named(claims, shared):
    """The last digit but one of every 40th claim, so that all tables are met."""
    tables = reference_tables(shared / "released")
    for claim in claims[::40]:
        value = Decimal(claim.value)
        step = Decimal((0, (1,), int(value.as_tuple().exponent) + 1)) if "." in claim.value else Decimal(1)
        changed = replace(claim, value=str(value + step), tolerance=0.0)
        wrong = failing(audit_claims([changed], tables))
        assert wrong[["name", "status"]].to_numpy().tolist() == [[claim.name, "MISMATCH"]]


def test_named_tables_carry_asset_partition_and_table():
    table = pd.DataFrame({"a": [1]})
    assert list(named_tables("eval/x", "hard", {"t": table})) == ["eval/x[hard].t"]
