"""The page: self-contained, safe, the same every time, and honest where a number is missing."""

import math
import re
from base64 import b64encode
from html.parser import HTMLParser

import pandas as pd
import pytest
from report_frames import (
    contrasts,
    evaluation,
    four_systems,
    metrics,
    overlap_shift,
    profile,
    ranks,
    report_inputs,
    without_unexposed,
)

from genoplatform.report import build_report, figures
from genoplatform.report import page as page_module

VOID = {"meta", "img", "br", "hr", "link", "input"}


class Page(HTMLParser):
    """Tags with attributes, visible text, and whether every tag is closed in order."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.words, self.open = [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self.words))


def page(inputs):
    return Page(build_report(inputs).decode("utf-8"))


@pytest.fixture
def undrawn(monkeypatch):
    """Empty images in place of the plots, which have tests of their own."""
    monkeypatch.setattr(
        page_module, "figures", lambda inputs: {f"{name}.svg": b"<svg/>" for name in page_module._painters(inputs)}
    )


@pytest.fixture
def plain(undrawn):
    return page(report_inputs())


@pytest.mark.usefixtures("undrawn")
def test_same_inputs_same_bytes():
    assert build_report(report_inputs()) == build_report(report_inputs())


def test_the_drawn_figures_are_in_the_page(monkeypatch):
    kept = {}
    monkeypatch.setattr(page_module, "figures", lambda inputs: kept.update(figures(inputs)) or kept)
    html = build_report(report_inputs())
    assert list(kept) == [
        *("overlap_standard.svg", "recall_standard.svg", "ranks_standard.svg"),
        *("overlap_hard.svg", "recall_hard.svg", "ranks_hard.svg"),
        *("cohort_funnel.svg", "cohort_categories.svg", "cohort_density.svg", "cohort_years.svg"),
    ]
    for image in kept.values():
        assert image.startswith(b"<?xml")
        assert b64encode(image) in html


def test_html_is_well_formed(plain):
    assert plain.open == []
    ids = [attrs["id"] for _, attrs in plain.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"] for tag, attrs in plain.tags if tag == "a"]
    assert {link.removeprefix("#") for link in links} <= set(ids)


def test_nothing_is_loaded_and_nothing_runs(plain):
    for tag, attrs in plain.tags:
        assert tag not in {"script", "link", "iframe", "object", "embed"}
        assert not [name for name in attrs if name.startswith("on")]
        for name in ("src", "href", "srcset"):
            assert attrs.get(name, "#").startswith(("#", "data:image/svg+xml;base64,"))
    html = build_report(report_inputs()).decode()
    assert not re.search(r"https?:|url\(|@import|file:", html)


def test_every_image_has_an_alternative_text_with_its_numbers(plain):
    alts = [attrs["alt"] for tag, attrs in plain.tags if tag == "img"]
    assert len(alts) == 10
    assert all(len(alt) > 40 for alt in alts)
    assert "Exposed: Top-1 83.3 % [73.3, 93.3]" in alts[0].replace("\xa0", " ")
    assert "4 cases rank lower, 2 the same, 0 higher" in alts[4]


def test_numbers_of_the_tables_are_on_the_page(plain):
    for text in ("66.7 points [40.0, 90.0] of the 83.3 %", "p = 0.012", "92.3 %", "8 cases, 4 publications"):
        assert text in plain.text
    assert "Unexposed minus exposed: −33.3 points [−60.0, −10.0]." in plain.text
    assert "it did for 1 of the 6 exposed cases" in plain.text


def test_provenance_and_parameters_are_on_the_page(plain):
    for text in ("a" * 64, "c" * 64, "eval/prioritisation/ranks [hard]", "bootstrap_draws", "metabolic 3"):
        assert text in plain.text
    assert "genoplatform audit verify" in plain.text


@pytest.mark.usefixtures("undrawn")
def test_parameters_may_come_as_sections_of_their_own():
    body = profile()
    sections = {name: body.pop(name) for name in ("cohort", "inference")}
    assert build_report(report_inputs(profile=body | {"parameters": sections})) == build_report(report_inputs())


@pytest.mark.usefixtures("undrawn")
def test_without_unexposed_cases_a_sentence_stands_where_the_number_would():
    text = page(without_unexposed()).text
    assert "There are no unexposed cases, so exposed and unexposed cannot be compared." in text
    assert "Nothing can be said about cases that the knowledge base has not seen." in text
    assert not re.search(r"\bnan\b|\bNone\b|<NA>", text)


@pytest.mark.usefixtures("undrawn")
def test_without_exposed_cases_there_is_nothing_to_remove():
    table = metrics()
    unexposed = table[table["subset"] == "overlap_absent"]
    tables = {"metrics": unexposed, "contrasts": contrasts().iloc[:0], "overlap_shift": overlap_shift().iloc[:0]}
    cases = report_inputs().cases.assign(exposed=0)
    text = page(report_inputs(cases=cases, evaluations={"hard": tables}, ranks={"hard": ranks()})).text
    assert "There are no exposed cases, so there is no contamination to measure." in text


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("p", [0.2, float("nan")])
def test_a_difference_that_chance_explains_or_that_was_not_tested_is_called_so(p):
    table = contrasts(p=p, lo=-0.1)
    text = page(report_inputs(evaluations={"hard": evaluation() | {"contrasts": table}})).text
    assert ("one publication, so no test" in text) == math.isnan(p)
    assert ("chance explains it (p = 0.200)" in text) == (not math.isnan(p))


@pytest.mark.usefixtures("undrawn")
def test_hostile_strings_are_shown_and_do_nothing():
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7 * 7 }}"
    inputs = report_inputs()
    strings = {
        "profile": inputs.profile
        | {"name": evil, "title": evil, "slots": {evil: evil}, "parameters": {evil: {evil: evil}}},
        "cases": inputs.cases.assign(category=evil, disease_ids=[[evil]] * 8),
        "funnel": inputs.funnel.assign(stage=evil, reason=evil),
        "strata": inputs.strata.assign(stratum=evil),
        "provenance": [{"asset": evil, "partition": evil, "sha256": evil, "pins": [evil]}],
        "notes": [evil],
        "evaluations": {evil: evaluation(evil)},
        "ranks": {evil: ranks(system=evil)},
    }
    shown = page(report_inputs(**strings))
    assert {tag for tag, _ in shown.tags} <= {tag for tag, _ in page(inputs).tags}
    assert not [attrs for _, attrs in shown.tags if "onerror" in attrs]
    assert shown.text.count("{{ 7 * 7 }}") >= 8
    assert "49" not in shown.text


@pytest.mark.usefixtures("undrawn")
def test_many_systems_are_tables_instead_of_cards():
    shown = page(four_systems())
    assert "article" not in {tag for tag, _ in shown.tags}
    assert shown.text.index("Likelihood ratio with excluded terms") < shown.text.index("PhenoDigm")
    assert "On hard lists, 66.7 points (Likelihood ratio) to 66.7 points (Resnik) of the top-1" in shown.text


@pytest.mark.usefixtures("undrawn")
def test_weighted_rates_get_a_table_when_they_are_given():
    columns = ["system", "subset", "n", "n_publications", "unweighted", "u_lo", "u_hi", "equal", "ht", "ht_lo", "ht_hi"]
    row = ("resnik", "full", 8, 4, 0.75, 0.5, 0.9, 0.7, 0.8888, 0.6, 0.95)
    weighted = pd.DataFrame([row], columns=columns)
    text = page(report_inputs(evaluations={"hard": evaluation() | {"weighted": weighted}})).text
    assert "88.9 %" in text
    assert "Rates weighted by design have tables of their own." in text
    assert "No rate here is weighted by design." in page(report_inputs()).text
