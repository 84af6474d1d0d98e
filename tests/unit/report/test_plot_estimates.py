"""The forest plot, the leave-one-paper-out plot and the calibration plot: right numbers beside the right marks."""

import pandas as pd
import pytest
from report_frames import shifts

from genoplatform.report import plot_calibration, plot_estimates, plot_lopo
from genoplatform.report.plot_estimates import _rows

NAN = float("nan")


def removed(system="resnik", value=0.5, lo=0.4, hi=0.75):
    return pd.DataFrame({"system": [system], "contamination": [value], "lo": [lo], "hi": [hi]})


def drawn(*tables) -> str:
    return plot_estimates(*tables, fmt="svg").decode()


def test_both_estimates_of_a_system_are_below_zero_where_it_needs_the_publication():
    rows = _rows(shifts(), removed())
    assert [row.label for row in rows] == ["Resnik", "unexposed\nminus exposed", "own publication\nremoved"]
    assert [(row.value, row.lo, row.hi) for row in rows[1:]] == [(-0.3333, -0.6, -0.1), (-0.5, -0.75, -0.4)]


def test_values_and_intervals_are_written_in_points():
    text = drawn(shifts(), removed())
    assert "<!-- −33.3 -->" in text
    assert "<!-- [−60.0, −10.0] -->" in text
    assert "<!-- −50.0 -->" in text
    assert "<!-- [−75.0, −40.0] -->" in text


def test_systems_with_a_counterfactual_come_first():
    table = pd.concat([shifts().assign(system=name) for name in ("K", "M", "resnik")])
    assert [row.label for row in _rows(table, removed()) if not row.group] == ["Resnik", "K", "M"]
    assert [row.group for row in _rows(table, None)].count("decontaminated") == 0


def test_a_missing_interval_and_a_missing_value_are_said_so():
    text = drawn(shifts(lo=NAN, hi=NAN), removed(value=NAN, lo=NAN, hi=NAN))
    assert text.count("<!-- no interval -->") == 1
    assert text.count("<!-- not estimated -->") == 1
    assert "nan" not in text


def test_nothing_to_draw_is_said_so():
    assert "<!-- nothing was estimated -->" in drawn(shifts().iloc[:0], removed().iloc[:0])
    assert "<!-- nothing was estimated -->" in drawn(pd.DataFrame(), None)
    assert b"<!-- nothing was left out -->" in plot_lopo(pd.DataFrame({"subset": []}), fmt="svg")
    assert b"<!-- nothing was judged -->" in plot_calibration(pd.DataFrame({"run": []}), fmt="svg")


def test_lopo_names_the_subset_its_size_and_what_the_publication_was_worth():
    row = {"subset": ["full"], "n": [1047], "control_top1": [0.7259], "left_out_top1": [0.7106], "delta": [0.0153]}
    text = plot_lopo(pd.DataFrame(row), fmt="svg").decode()
    for words in ("All cases", "n = 1,047", "−1.5"):
        assert f"<!-- {words} -->" in text


def test_calibration_names_every_run():
    bins = pd.DataFrame({"run": ["full_n6", "top1only_n6"], "mean_score": 0.5, "accuracy": 0.5, "lo": 0.4, "hi": NAN})
    text = plot_calibration(bins, fmt="svg").decode()
    assert "<!-- full_n6 -->" in text
    assert "<!-- top1only_n6 -->" in text


@pytest.mark.parametrize("fmt", ["png", "svg"])
def test_the_same_inputs_give_the_same_bytes(fmt):
    assert plot_estimates(shifts(), removed(), fmt=fmt) == plot_estimates(shifts(), removed(), fmt=fmt)
