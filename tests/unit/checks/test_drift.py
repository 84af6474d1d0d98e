"""Drift: broken releases of a table are told by what is wrong with them, an ordinary new release passes."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from declaring import declared, frame_of
from hypothesis import given, settings
from hypothesis import strategies as st

from genoplatform.dbt_like_checks.drift import breaches, compare, population_stability, share_kept
from genoplatform.dbt_like_checks.run_tests import Around, run_tests
from genoplatform.dbt_like_checks.summaries import SKETCH, TableSummary, summarise
from genoplatform.dbt_like_checks.vocabulary import Drift
from genoplatform.provenance.formats import FORMATS

SPEC = Drift(classes=["negated", "aspect"], numbers=["patients"], keys=["disease", "gene", "disease+gene"], min_class=5)


def release(diseases=2_000, start=0):
    """A made-up annotation table: one gene a disease, 2 % negated, three aspects, patients from 1 to 40."""
    n = np.arange(start, start + diseases)
    return pd.DataFrame(
        {
            "disease": [f"OMIM:{i}" for i in n],
            "gene": [f"G{i}" for i in n],
            "negated": n % 50 == 0,
            "aspect": np.array(["P", "P", "P", "I", "C"])[n % 5],
            "patients": n * 7 % 40 + 1,
        }
    )


OLD = release()


def found(new, old=OLD, spec=SPEC):
    return breaches(compare(summarise(old, spec), summarise(new, spec), spec))


def kinds(new, **arguments):
    return {(item.kind, item.place) for item in found(new, **arguments)}


def test_the_same_table_in_another_order_has_not_changed():
    shuffled = OLD.sample(frac=1, random_state=1)
    assert compare(summarise(OLD, SPEC), summarise(shuffled, SPEC), SPEC) == []


def test_an_ordinary_new_release_passes_and_its_changes_can_be_read():
    newer = pd.concat([release(1_980, start=20), release(160, start=5_000)])
    changes = compare(summarise(OLD, SPEC), summarise(newer, SPEC), SPEC)
    assert breaches(changes) == []
    texts = [item.text for item in changes]
    assert "rows 2,000 -> 2,140 (+7.0%)" in texts
    assert any(text.startswith("disease: ") and "distinct 2,000 -> 2,140 (+7.0%)" in text for text in texts)


BROKEN = {
    "empty": (OLD.iloc[:0], {("rows", ""), ("vanished", "negated=true"), ("vanished", "aspect=P"), ("keys", "gene")}),
    "half the rows": (OLD.iloc[:1_000], {("rows", ""), ("keys", "disease")}),
    "symbols all -": (OLD.assign(gene="-"), {("keys", "gene"), ("keys", "disease+gene")}),
    "renamed column": (OLD.rename(columns={"gene": "symbol"}), {("columns", "gene")}),
    "vanished negations": (OLD.assign(negated=False), {("vanished", "negated=true")}),
    "a class that shrinks": (OLD[(OLD["aspect"] != "C") | (OLD.index % 15 == 4)], {("class", "aspect=C")}),
    "swapped ids": (OLD.assign(gene=OLD["gene"].to_numpy()[::-1]), {("keys", "disease+gene")}),
    "ids in each other's column": (
        OLD.rename(columns={"gene": "disease", "disease": "gene"}),
        {("keys", "disease"), ("keys", "gene"), ("keys", "disease+gene")},
    ),
    "values missing": (OLD.assign(patients=OLD["patients"].where(OLD.index % 3 > 0)), {("missing", "patients")}),
    "another unit": (OLD.assign(patients=OLD["patients"] * 12), {("distribution", "patients")}),
    "twice everything": (pd.concat([OLD, OLD]), {("rows", "")}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_release_is_flagged_by_what_is_wrong_with_it(name):
    frame, expected = BROKEN[name]
    assert expected <= kinds(frame)


def test_what_only_swapped_ids_change_is_only_their_combination():
    assert kinds(BROKEN["swapped ids"][0]) == {("keys", "disease+gene")}


def test_a_file_a_frame_and_an_arrow_table_have_one_summary(tmp_path):
    path = tmp_path / "t.parquet"
    FORMATS["parquet"].write(path, OLD)
    halves = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for part, half in zip((OLD.iloc[:700], OLD.iloc[700:]), halves, strict=True):
        FORMATS["parquet"].write(half, part)
    summary = summarise(OLD, SPEC)
    assert summarise(path, SPEC) == summarise(halves, SPEC) == summarise(pa.Table.from_pandas(OLD), SPEC) == summary
    assert TableSummary.model_validate_json(summary.model_dump_json()) == summary
    assert len(summary.model_dump_json()) < 100_000


def test_lists_are_counted_by_element_and_where_keeps_its_rows():
    frame = pd.DataFrame({"x": [["a", "b"], ["a"], [], None], "w": ["y", "y", "y", "n"]})
    summary = summarise(frame, Drift(classes=["x"], where={"w": "y"}))
    assert (summary.rows, summary.classes, summary.missing) == (3, {"x": {"a": 2, "b": 1}}, {"x": 0})


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 9_000), st.integers(1, 9_000))
def test_the_share_of_keys_kept_is_estimated_within_five_points(lost, kept):
    """Four standard errors of a share estimated from about a thousand keys; exact while both fit the sketch."""
    spec = Drift(keys=["k"])
    old = summarise(pd.DataFrame({"k": np.arange(lost + kept).astype(str)}), spec).keys["k"]
    new = summarise(pd.DataFrame({"k": np.arange(lost, lost + 2 * kept).astype(str)}), spec).keys["k"]
    exact = kept / (lost + kept)
    allowed = 1e-12 if max(lost + kept, 2 * kept) <= SKETCH else 4 * math.sqrt(0.25 / (SKETCH / 4))
    assert share_kept(old, new) == pytest.approx(exact, abs=allowed)


def test_the_stability_index_is_the_published_formula():
    """Half ones, half twos becoming three quarters and one: 0.25 ln 1.5 - 0.25 ln 0.5 = 0.25 ln 3."""
    old, new = [1.0] * 100 + [2.0] * 100, [1.0] * 150 + [2.0] * 50
    assert population_stability(old, new) == pytest.approx(0.25 * math.log(3))
    assert population_stability(old, old) == 0
    empty = 0.5 / 200  # a bin that had nothing counts as half a grid point
    moved = population_stability(old, [1.0] * 100 + [3.0] * 100)
    assert moved == pytest.approx((0.5 - empty) * math.log(0.5 / empty) * 2)


def test_the_test_compares_with_the_last_good_summary(tmp_path):
    table = declared(
        {"disease": "string", "gene": "string", "negated": "bool", "aspect": "string", "patients": "int"},
        [{"drift": {"classes": ["negated", "aspect"], "keys": ["disease+gene"]}}],
    )
    (test,) = (item for item in table.declared_tests() if item.test == "drift")
    path = tmp_path / "t.parquet"
    FORMATS["parquet"].write(path, OLD.assign(negated=False))
    first = run_tests(path, table, [test])[test.name]
    assert (first.passed, first.detail) == (True, "nothing earlier to compare with")
    before = summarise(OLD, test.arguments)
    outcome = run_tests(path, table, [test], Around(last_good=lambda spec: before))[test.name]
    assert not outcome.passed
    assert outcome.detail == "negated 'true': 40 -> 0 (-100.0%): the class has vanished"
    assert [item["place"] for item in outcome.examples] == ["negated=true"]
    gone = frame_of(table, disease=["a"], gene=["b"], negated=[True], aspect=["P"], patients=[1]).drop(columns="gene")
    FORMATS["parquet"].write(path, gone)
    lost = run_tests(path, table, [test], Around(last_good=lambda spec: before))[test.name]
    assert "column gene is gone" in lost.detail
