"""Schema, funnel and acceptance gate of finished cohorts."""

import pandas as pd
import pytest

from genoplatform.cohort.funnel import Funnel
from genoplatform.cohort.gate import gate_failures
from genoplatform.cohort.schema import CASE_COLUMNS, as_candidate_table, as_case_table
from genoplatform.errors import BadInputError, EmptyResultError

CASE = dict.fromkeys(CASE_COLUMNS, "") | {
    "hpo_terms": ["HP:1", "HP:2", "HP:3"], "disease_ids": [], "excluded_terms": [], "publication_year": None,
    "inclusion_probability": 1, "exposed": True, "rows_total": 2.0, "rows_own_pmid": 0, "density": 2, "log_density": 1,
}  # fmt: skip


def cases(*ids):
    return pd.DataFrame([CASE | {"case_id": i, "causal_gene": "A", "category": "metabolic"} for i in ids])


def candidates(genes, index=0, case_id="A:1"):
    row = {"case_id": case_id, "difficulty": "standard", "candidate_genes": genes, "causal_index": index, "seed": "1"}
    return pd.DataFrame([row])


def test_case_table_is_sorted_typed_and_holds_only_its_columns():
    table = as_case_table(cases("B:1", "A:1").assign(extra=1))
    assert table["case_id"].tolist() == ["A:1", "B:1"]
    assert list(table.columns) == list(CASE_COLUMNS)
    types = {c: str(table[c].dtype) for c in ("exposed", "rows_total", "publication_year", "inclusion_probability")}
    assert types == {
        "exposed": "int64", "rows_total": "int64", "publication_year": "Int64", "inclusion_probability": "float64",
    }  # fmt: skip


def test_lists_come_back_as_lists_of_the_same_items_from_parquet(tmp_path):
    as_case_table(cases("A:1")).to_parquet(tmp_path / "cases.parquet")
    assert list(pd.read_parquet(tmp_path / "cases.parquet").loc[0, "hpo_terms"]) == ["HP:1", "HP:2", "HP:3"]


def test_missing_columns_and_repeated_keys_are_errors():
    with pytest.raises(BadInputError, match="density"):
        as_case_table(cases("A:1").drop(columns="density"))
    with pytest.raises(BadInputError, match="A:1"):
        as_case_table(cases("A:1", "A:1"))
    with pytest.raises(BadInputError, match="A:1"):
        as_candidate_table(pd.concat([candidates(["A"])] * 2))


def test_funnel_counts_every_reason_and_an_empty_cohort_says_them():
    funnel = Funnel()
    funnel.start("files", 10)
    funnel.drop("inclusion", 2, {"few_hpo": 5, "multi_gene": 3})
    funnel.drop("category", 0, {"no_category": 2})
    assert funnel.frame().to_dict("list") == {
        "stage": ["files", "inclusion", "inclusion", "category"],
        "n": [10, 5, 2, 0],
        "dropped": [0, 5, 3, 2],
        "reason": ["", "few_hpo", "multi_gene", "no_category"],
    }
    with pytest.raises(EmptyResultError, match="5 few_hpo; inclusion: 3 multi_gene; category: 2 no_category"):
        funnel.require(0, "phenopacket_store")
    funnel.require(1, "phenopacket_store")


@pytest.mark.parametrize(
    ("table", "lists", "rule"),
    [
        (cases("A:1"), candidates(["B", "A"], 0), "causal_in_list"),
        (cases("A:1"), candidates(["A", "B"], 5), "causal_in_list"),
        (cases("A:1"), candidates(["A", "A"], 0), "n_candidates"),
        (cases("A:1"), candidates(["A", "B", "C"], 0), "n_candidates"),
        (cases("A:1"), candidates(["A", "B"], 0, "B:1"), "has_candidates"),
        (cases("A:1").assign(hpo_terms=[["HP:1"]]), candidates(["A", "B"], 0), "min_hpo_terms"),
    ],
)
def test_the_gate_names_each_failure(table, lists, rule):
    assert gate_failures(table, lists, n_candidates=2, balanced=False)["rule"].tolist() == [rule]


def test_the_gate_accepts_the_released_balance_and_refuses_a_lopsided_one():
    """Released: 250, 250, 300 and 247 of 1,047 are within 261.75 +/- 52.35; 400 of 1,197 is not."""
    for metabolic, expected in ((250, []), (400, ["metabolic"])):
        sizes = {"developmental": 250, "immunological": 300, "neurological": 247, "metabolic": metabolic}
        table = pd.DataFrame({"category": [c for c, n in sizes.items() for _ in range(n)]})
        table["case_id"] = [f"A:{i}" for i in range(len(table))]
        table["hpo_terms"], table["causal_gene"] = [["1", "2", "3"]] * len(table), "A"
        lists = pd.concat([candidates(["A", "B"], 0, i) for i in table["case_id"]])
        assert gate_failures(table, lists, n_candidates=2)["subject"].tolist() == expected
    assert gate_failures(table, lists, n_candidates=2, balanced=False).empty
