"""Leave-one-paper-out of a made-up release; every value counted by hand."""

import pandas as pd
import pytest

from genoplatform.inference.lopo_tables import COLUMNS, lopo_tables, no_lopo_tables

NAN = float("nan")
RANKS = {"S_control": [1, 1, 2, 1], "S_lopo": [1, 3, 2, NAN], "K": [2, 1, 1, 2], "S": [1, 1, 1, 1]}


@pytest.fixture
def cases() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "case_id": list("abcd"),
            "cluster": ["p1", "p1", "p2", "p3"],
            "exposed": [1, 1, 1, 0],
            "category": ["x", "x", "y", "y"],
        }
    )


def ranks(*systems) -> pd.DataFrame:
    tables = [pd.DataFrame({"system": name, "case_id": list("abcd"), "rank": RANKS[name]}) for name in systems]
    return pd.concat(tables, ignore_index=True)


def leaks(*flags, system="S") -> pd.DataFrame:
    return pd.DataFrame({"system": system, "case_id": list("abcd")[: len(flags)], "source_in_causal_pool": flags})


def test_arms_by_subset_and_the_left_out_arm_against_every_other_system(cases):
    known = pd.concat([leaks(True, True, False, False), leaks(False, False, True, True, system="L")])
    tables, report = lopo_tables(cases, ranks(*RANKS), known, draws=100)
    assert {name: tuple(table.columns) for name, table in tables.items()} == COLUMNS
    arms = tables["comparison"].set_index("subset")
    assert arms.index.tolist() == ["full", "overlap_present", "overlap_absent", "category:x", "category:y"]
    row = ["control_top1", "left_out_top1", "left_out_top5", "delta", "b", "c", "p_mcnemar", "source_in_pool"]
    # Control hits a, b and d; left out only a. Two discordant cases on one side: p = 2 * (1/2)^2.
    assert arms.loc["full", row].tolist() == [0.75, 0.25, 0.75, 0.5, 2, 0, 0.5, 0.5]
    assert arms.loc["overlap_absent", ["n", "control_top1", "left_out_top1"]].tolist() == [1, 1.0, 0.0]
    others = tables["against_systems"].set_index(["system", "subset"])
    assert set(others.index.get_level_values("system")) == {"K", "S"}
    # K hits b and c, the left-out arm only a.
    assert others.loc[("K", "full"), ["delta", "b", "c"]].tolist() == [-0.25, 1, 2]
    assert report == {
        "S_control: cases without a rank": 0,
        "S_lopo: cases without a rank": 1,
        "cases without a leak record": 0,
    }


def test_without_leak_records_or_with_too_few_the_share_is_missing_and_counted(cases):
    for known, absent in ((leaks(), 4), (leaks(True, True), 2)):
        tables, report = lopo_tables(cases, ranks("S_control", "S_lopo"), known, draws=50)
        assert tables["comparison"].set_index("subset")["source_in_pool"].isna()["full"]
        assert report["cases without a leak record"] == absent
        assert tables["against_systems"].empty


@pytest.mark.parametrize(("systems", "missing"), [(["S", "K"], "S_control, S_lopo"), (["S_control", "K"], "S_lopo")])
def test_a_missing_arm_is_named_and_nothing_compared(cases, systems, missing):
    tables, report = lopo_tables(cases, ranks(*systems), leaks(True, True, True, True))
    assert report == {"not compared": f"the release has no rankings of {missing} on these lists"}
    assert {name: tuple(table.columns) for name, table in tables.items()} == COLUMNS
    assert [len(table) for table in tables.values()] == [0, 0]
    assert [len(table) for table in no_lopo_tables().values()] == [0, 0]
