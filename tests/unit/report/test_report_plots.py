"""Plots: the same bytes every time, readable files, and no number where there is none."""

import subprocess
import sys
from base64 import b64decode
from xml.etree import ElementTree

import matplotlib
import pytest
from report_frames import cases, contrasts, evaluation, metrics, overlap_shift, ranks, removed, report_inputs

from genoplatform.report import (
    as_markdown_image,
    plot_cohort,
    plot_overlap,
    plot_rank_change,
    plot_recall_curves,
)
from genoplatform.report.plot_recall import recall

HOSTILE = "<script>\x00 $\\frac{1}{0}$ & 文 " + "long " * 30


def plots(fmt, system="resnik"):
    tables = {"metrics": metrics(system), "contrasts": contrasts(), "overlap_shift": overlap_shift(system)}
    listed = ranks(system=system)
    return {
        "overlap": plot_overlap({"hard": tables}, fmt=fmt),
        "recall": plot_recall_curves({"hard": listed}, cases(), {"hard": tables}, fmt=fmt),
        "ranks": plot_rank_change({"hard": listed}, cases(), removed(), fmt=fmt),
        "cohort": plot_cohort(cases(), report_inputs().funnel, fmt=fmt),
    }


@pytest.fixture(scope="module")
def drawn():
    """Every plot by format."""
    return {fmt: plots(fmt) for fmt in ("png", "svg")}


@pytest.mark.parametrize("fmt", ["png", "svg"])
def test_same_inputs_same_bytes_whatever_the_users_settings(drawn, fmt):
    with matplotlib.rc_context({"font.size": 30, "svg.hashsalt": "other", "axes.grid": True}):
        assert plots(fmt) == drawn[fmt]


def test_svg_holds_no_date_and_no_version(drawn):
    for image in drawn["svg"].values():
        text = image.decode()
        ElementTree.fromstring(text)  # noqa: S314  our own drawing
        assert "<dc:date>" not in text
        assert matplotlib.__version__ not in text


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hostile_system_names_are_drawn_as_text():
    for image in plots("svg", HOSTILE).values():
        root = ElementTree.fromstring(image)  # noqa: S314  our own drawing
        assert not [node for node in root.iter() if node.tag.endswith("script")]


def test_recall_counts_an_unranked_case_as_never_found():
    found = recall(ranks()["rank"].iloc[8:16], 30)
    assert found[0] == 2 / 8
    assert found[3] == 5 / 8
    assert found[29] == 7 / 8


def test_groups_without_cases_are_drawn_without_a_mark():
    exposed = metrics()[metrics()["subset"] != "overlap_absent"]
    tables = {"hard": evaluation() | {"metrics": exposed}}
    with_rows, without = plot_overlap({"hard": evaluation()}, fmt="svg"), plot_overlap(tables, fmt="svg")
    assert b"no such cases" not in with_rows
    assert b"no such cases" in without
    assert plot_recall_curves({"hard": ranks()}, cases((1,) * 8), tables, fmt="svg").count(b"no such cases") == 1
    assert b"no exposed cases" in plot_rank_change({"hard": ranks()}, cases((0,) * 8), removed(), fmt="svg")


def test_an_interval_of_one_publication_is_said_to_be_missing():
    assert b"no interval" in plot_overlap({"hard": evaluation()}, fmt="svg")


def test_markdown_image_holds_the_bytes(drawn):
    png = drawn["png"]["overlap"]
    text = as_markdown_image(png)
    assert text.startswith("![plot](data:image/png;base64,")
    assert b64decode(text.split("base64,")[1].rstrip(")")) == png


def test_importing_the_package_loads_no_matplotlib_and_no_jinja2_and_drawing_no_pyplot():
    code = (
        "import sys, genoplatform.report as r\n"
        "assert not {'matplotlib', 'jinja2', 'scipy', 'dagster'} & set(sys.modules)\n"
        "from genoplatform.report.canvas import draw\n"
        "draw(lambda figure: None, 1.0)\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
