"""The rules shipped for cohort and evaluation tables: a sound table passes, every slip is caught by the rule meant."""

import numpy as np
import pandas as pd
import pytest
from declaring import outcomes_of

from genoplatform.dbt_like_checks.declared import declared_tables

GENES = [f"G{n:02}" for n in range(51)]
OTHERS = {
    "core/ontology/genes": pd.DataFrame(
        {"symbol": [*GENES, "LNC1"], "locus_group": ["protein-coding gene"] * 51 + ["non-coding RNA"]}
    ),
    "core/ontology/hpo_terms": pd.DataFrame(
        {"id": ["HP:0000001", "HP:0000002", "HP:0000009"], "obsolete": [False, False, True]}
    ),
    "core/cohort/cases": pd.DataFrame({"case_id": ["a", "b"]}),
    "core/cohort/candidates": pd.DataFrame({"case_id": ["a", "b"]}),
}
CASES = pd.DataFrame(
    {
        "case_id": ["a", "b"],
        "cohort": "publication_profiles",
        "category": ["other", "metabolic"],
        "stratum": "s",
        "disease_ids": [["OMIM:1"], ["OMIM:1", "MONDO:2"]],
        "hpo_terms": [["HP:0000001", "HP:0000002"], ["HP:0000002"]],
        "excluded_terms": [[], ["HP:0000001"]],
        "causal_gene": ["G00", "G01"],
        "source_pmid": ["PMID:7", ""],
        "cluster": ["PMID:7", "case:b"],
        "inclusion_probability": [1.0, 0.25],
        "exposed": [0, 1],
        "rows_total": [3, 4],
        "rows_own_pmid": [0, 4],
        "density": [3, 0],
        "log_density": [np.log1p(3), 0.0],
        "publication_year": pd.array([2021, None], dtype="Int64"),
        "year_source": ["interpolated", ""],
    }
)
LISTS = pd.DataFrame(
    {
        "case_id": ["a", "b"],
        "difficulty": "hard",
        "candidate_genes": [GENES[:50], GENES[1:]],
        "causal_index": [0, 49],
        "seed": ["0", str(2**64 - 1)],
    }
)
SCORES = pd.DataFrame(
    {
        "system": ["resnik", "resnik_decontaminated"],
        "case_id": "a",
        "gene": "G00",
        "score": [1.5, 0.0],
        "candidate_index": [0, 0],
    }
)
RANKS = pd.DataFrame(
    {
        "system": "resnik",
        "case_id": ["a", "b"],
        "rank": [1.5, np.nan],
        "n_candidates": 50,
        "tied": [2, 0],
        "tie_rule": "mean",
    }
)
REMOVED = pd.DataFrame(
    {"case_id": ["a", "b"]}
    | {
        name: [0, 3]
        for name in ("edges_removed", "genes_affected", "genes_emptied", "causal_terms", "causal_terms_removed")
    }
)
ITEMS = pd.DataFrame(
    {
        "item": ["a", "b"],
        "cluster": ["PMID:7", "case:b"],
        "exposed": [0, 1],
        "recent": pd.array([1, None], dtype="Int64"),
        "system": "resnik",
        "rank": [1.0, np.nan],
    }
)
GOOD = {
    "core/cohort/cases": CASES,
    "core/cohort/candidates": LISTS,
    "eval/prioritisation/resnik_scores": SCORES,
    "eval/prioritisation/ranks": RANKS,
    "eval/prioritisation/removed_evidence": REMOVED,
    "eval/inference/items": ITEMS,
}


def failing(folder, asset, frame, place=None):
    """(test, column) -> severity of every rule that fails, of all rules or those of one place."""
    table = declared_tables()[asset]
    tests = [test for test in table.declared_tests() if place in (None, (test.test, test.column))]
    severities = {(test.test, test.column): test.severity for test in tests}
    found = outcomes_of(folder, table, frame, lambda other, columns: OTHERS[other][columns], tests)
    return {place: severities[place] for place, outcome in found.items() if not outcome.passed}


@pytest.mark.parametrize("asset", GOOD)
def test_a_sound_table_passes(tmp_path, asset):
    missed = failing(tmp_path, asset, GOOD[asset])
    assert set(missed.values()) <= {"warn"}, missed  # half of two ranks is missing


@pytest.mark.parametrize("asset", ["core/cohort/cases", "core/cohort/candidates", "eval/prioritisation/ranks"])
def test_an_empty_table_is_an_error(tmp_path, asset):
    assert failing(tmp_path, asset, GOOD[asset].iloc[:0]) == {("row_count", None): "error"}


SLIPS = [
    ("core/cohort/cases", "case_id", "a", "unique", "error"),
    ("core/cohort/cases", "case_id", None, "not_null", "error"),
    ("core/cohort/cases", "cohort", "mine", "accepted_values", "error"),
    ("core/cohort/cases", "category", "cardiac", "accepted_values", "error"),
    ("core/cohort/cases", "stratum", None, "not_null", "error"),
    ("core/cohort/cases", "disease_ids", [], "not_null", "error"),
    ("core/cohort/cases", "disease_ids", ["OMIM:1", "OMIM:1"], "list_unique", "error"),
    ("core/cohort/cases", "disease_ids", ["12345"], "matches_regex", "error"),
    ("core/cohort/cases", "hpo_terms", [], "not_null", "error"),
    ("core/cohort/cases", "hpo_terms", ["HP:0000001", "HP:0000003"], "relationships", "error"),
    ("core/cohort/cases", "hpo_terms", ["HP:0000009"], "relationships", "error"),
    ("core/cohort/cases", "hpo_terms", ["HP:0000001", "HP:0000001"], "list_unique", "error"),
    ("core/cohort/cases", "excluded_terms", ["HP:0000009"], "relationships", "error"),
    ("core/cohort/cases", "causal_gene", None, "not_null", "error"),
    ("core/cohort/cases", "causal_gene", "LNC1", "relationships", "error"),
    ("core/cohort/cases", "causal_gene", "NOGENE", "relationships", "error"),
    ("core/cohort/cases", "source_pmid", "7", "matches_regex", "error"),
    ("core/cohort/cases", "source_pmid", None, "not_null", "error"),
    ("core/cohort/cases", "cluster", "", "matches_regex", "error"),
    ("core/cohort/cases", "inclusion_probability", 0.0, "accepted_range", "error"),
    ("core/cohort/cases", "inclusion_probability", 1.01, "accepted_range", "error"),
    ("core/cohort/cases", "inclusion_probability", np.nan, "not_null", "error"),
    ("core/cohort/cases", "exposed", 2, "accepted_values", "error"),
    ("core/cohort/cases", "rows_total", -1, "accepted_range", "error"),
    ("core/cohort/cases", "density", -1, "accepted_range", "error"),
    ("core/cohort/cases", "log_density", np.nan, "not_null", "error"),
    ("core/cohort/cases", "publication_year", 203, "accepted_range", "warn"),
    ("core/cohort/cases", "year_source", "guessed", "accepted_values", "error"),
    ("core/cohort/candidates", "case_id", "c", "relationships", "error"),
    ("core/cohort/candidates", "case_id", "a", "unique", "error"),
    ("core/cohort/candidates", "difficulty", "easy", "accepted_values", "error"),
    ("core/cohort/candidates", "candidate_genes", GENES[:49], "list_length", "error"),
    ("core/cohort/candidates", "candidate_genes", GENES, "list_length", "error"),
    ("core/cohort/candidates", "candidate_genes", None, "list_length", "error"),
    ("core/cohort/candidates", "candidate_genes", [*GENES[:49], "G00"], "list_unique", "error"),
    ("core/cohort/candidates", "candidate_genes", [*GENES[:49], "LNC1"], "relationships", "error"),
    ("core/cohort/candidates", "causal_index", 50, "accepted_range", "error"),
    ("core/cohort/candidates", "causal_index", -1, "accepted_range", "error"),
    ("core/cohort/candidates", "seed", "-1", "matches_regex", "error"),
    ("eval/prioritisation/resnik_scores", "system", "mine", "accepted_values", "error"),
    ("eval/prioritisation/resnik_scores", "case_id", "c", "relationships", "error"),
    ("eval/prioritisation/resnik_scores", "score", -0.1, "accepted_range", "error"),
    ("eval/prioritisation/resnik_scores", "candidate_index", 50, "accepted_range", "error"),
    ("eval/prioritisation/resnik_scores", "system", "resnik", "unique_combination", "error"),
    ("eval/prioritisation/ranks", "case_id", "c", "relationships", "error"),
    ("eval/prioritisation/ranks", "case_id", "a", "unique_combination", "error"),
    ("eval/prioritisation/ranks", "rank", 0.5, "accepted_range", "error"),
    ("eval/prioritisation/ranks", "rank", 51.0, "accepted_range", "error"),
    ("eval/prioritisation/ranks", "rank", np.nan, "not_null", "warn"),
    ("eval/prioritisation/ranks", "n_candidates", 49, "accepted_values", "error"),
    ("eval/prioritisation/ranks", "tie_rule", "random", "accepted_values", "error"),
    ("eval/prioritisation/removed_evidence", "case_id", "c", "relationships", "error"),
    ("eval/prioritisation/removed_evidence", "edges_removed", -1, "accepted_range", "error"),
    ("eval/inference/items", "item", "c", "relationships", "error"),
    ("eval/inference/items", "item", "a", "unique_combination", "error"),
    ("eval/inference/items", "cluster", None, "not_null", "error"),
    ("eval/inference/items", "exposed", -1, "accepted_values", "error"),
    ("eval/inference/items", "recent", 2, "accepted_values", "error"),
    ("eval/inference/items", "rank", 0.0, "accepted_range", "error"),
]
# asset, column, value in the last row, words of the condition that breaks
CONDITIONS = [
    ("core/cohort/cases", "density", 1, "rows_own_pmid + density = rows_total"),
    ("core/cohort/cases", "exposed", 0, "(exposed = 1) = (rows_own_pmid > 0)"),
    ("core/cohort/cases", "log_density", 0.5, "abs(log_density"),
    ("core/cohort/candidates", "candidate_genes", GENES[:49], "causal_index < len"),
    ("eval/prioritisation/ranks", "tied", 51, "rank <= n_candidates"),
    ("eval/prioritisation/removed_evidence", "causal_terms", 2, "causal_terms_removed <= causal_terms"),
]


@pytest.mark.parametrize(("asset", "column", "value", "rule", "severity"), SLIPS)
def test_a_slip_in_the_last_row_is_caught(tmp_path, asset, column, value, rule, severity):
    frame = GOOD[asset].copy()
    frame[column] = pd.Series([*frame[column][:-1], value], dtype=frame[column].dtype)
    place = (rule, None if rule == "unique_combination" else column)
    assert failing(tmp_path, asset, frame, place) == {place: severity}


@pytest.mark.parametrize("asset", GOOD)
def test_every_column_is_asked_for(tmp_path, asset):
    for column in GOOD[asset].columns:
        place = ("columns", None)
        assert failing(tmp_path, asset, GOOD[asset].drop(columns=column), place) == {place: "error"}


@pytest.mark.parametrize(("asset", "column", "value", "words"), CONDITIONS)
def test_a_condition_between_columns_is_caught(tmp_path, asset, column, value, words):
    (test,) = (item for item in declared_tables()[asset].declared_tests() if words in item.describe())
    frame = GOOD[asset].copy()
    tables = {"load": lambda other, columns: OTHERS[other][columns], "tests": [test]}
    assert outcomes_of(tmp_path, declared_tables()[asset], frame, **tables)["expression", None].passed
    frame[column] = pd.Series([*frame[column][:-1], value], dtype=frame[column].dtype)
    outcome = outcomes_of(tmp_path, declared_tables()[asset], frame, **tables)["expression", None]
    assert (outcome.passed, outcome.failing.tolist()) == (False, [len(frame) - 1])
