"""Profile `released`: a release of our own making, in the published layout, through the whole graph to the gates.

What is in it, and what is wrong with it on purpose: see released_world.py: one file of K is missing and one is refused.
"""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml
from homes import Home, in_home, open_home
from released_world import (
    CASES,
    MISSING,
    REFUSED,
    SYSTEMS,
    own_claims,
    place_of,
    rank_file,
    ranking_path,
    released_profile,
    write_release,
)
from tiny import write_world
from typer.testing import CliRunner

from genoplatform.cli import app
from genoplatform.dbt_like_checks.claims import claim_checks
from genoplatform.provenance.sidecar import read_checks
from genoplatform.resources.claims import CLAIMS_CHECK, audited_claims
from genoplatform.runner.failure import RunFailedError

ANALYSED = '+key:"eval/inference/analyses"'
VARIABLE = "TINY_RELEASED"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("released")


@pytest.fixture(scope="module")
def environment(folder):
    """The variable that the profile's slot names, for the whole module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(folder / "release"))
        yield patch


@pytest.fixture(scope="module")
def released(folder, environment) -> Home:
    """The release evaluated, its claims checked and found right; do not change it."""
    write_release(folder / "release")
    world = write_world(folder / "world")
    released_profile(world.profiles, VARIABLE, folder / "claims.yml")
    (folder / "claims.yml").write_text(own_claims())
    home = open_home(folder / "home", world, "released", checks=claim_checks())
    home.run(ANALYSED)
    return home


@pytest.fixture
def copy(released, copy_of, environment, tmp_path) -> Home:
    """A copy of home, release, profile and claims, to be changed."""
    world = write_world(tmp_path / "world")
    write_release(tmp_path / "release")
    environment.setenv(VARIABLE, str(tmp_path / "release"))
    released_profile(world.profiles, VARIABLE, tmp_path / "claims.yml")
    (tmp_path / "claims.yml").write_text(own_claims())
    home = copy_of(released, world, checks=claim_checks())
    yield home
    environment.setenv(VARIABLE, str(Path(released.platform.home_path).parent / "release"))


def ranks(home: Home, difficulty: str = "standard") -> pd.DataFrame:
    return pd.read_parquet(home.path("eval/prioritisation/ranks", difficulty))


@pytest.mark.parametrize("difficulty", ["standard", "hard"])
def test_ranks_are_those_of_the_files(released, difficulty):
    table = ranks(released, difficulty)
    expected = {
        (system, case.case_id): place_of(system, case, difficulty)
        for system in SYSTEMS[difficulty]
        for case in CASES
        if (system, difficulty, case.case_id) not in {MISSING, REFUSED}
    }
    found = table.dropna(subset="rank").set_index(["system", "case_id"])["rank"]
    assert found.to_dict() == expected
    assert set(table["tie_rule"]) == {"as_listed"}


def test_a_missing_and_a_refused_file_are_misses_and_counted(released):
    table = ranks(released)
    assert table.groupby("system").size().to_dict() == {"K": 24, "M": 24, "S": 24}
    missed = table.loc[table["rank"].isna(), ["system", "case_id"]].to_numpy().tolist()
    assert missed == sorted([MISSING[0], case] for case in (MISSING[2], REFUSED[2]))
    stored = released.path("eval/prioritisation/released_rankings", "standard", "tables")
    coverage = pd.read_parquet(stored / "coverage.parquet").set_index("system")
    assert coverage.loc["K", ["expected", "valid", "invalid", "missing"]].tolist() == [24, 22, 1, 1]
    assert coverage.loc["S", ["expected", "valid", "invalid", "missing"]].tolist() == [24, 24, 0, 0]


def test_the_refused_file_is_listed_with_its_reason_and_no_other(released):
    for difficulty, expected in (("standard", [[REFUSED[2], "list-size"]]), ("hard", [])):
        stored = released.path("eval/prioritisation/released_rankings", difficulty, "tables")
        rejected = pd.read_parquet(stored / "rejected.parquet")
        assert rejected.reindex(columns=["case_id", "reason"]).to_numpy().tolist() == expected


def test_right_claims_pass_the_gate(released):
    audit = audited_claims(released.platform)
    assert audit["status"].tolist() == ["OK"] * len(audit)
    assert len(audit) == 7
    for asset in ("eval/inference/evaluation", "eval/inference/analyses"):
        record = read_checks(released.path(asset, "standard", "tables"))
        assert [(check.name, check.passed) for check in record.checks] == [(CLAIMS_CHECK, True)]
    assert released.stale(ANALYSED) == {}
    assert [(finding.level, finding.problem) for finding in released.audit().findings] == [("warning", "not-a-pin")]


def test_one_changed_digit_in_a_claim_fails_the_gate_and_names_it(copy, tmp_path):
    claims = tmp_path / "claims.yml"
    claims.write_text(own_claims().replace('"0.500000"', '"0.500001"'))
    stale = copy.stale(ANALYSED)
    assert stale["eval/inference/evaluation[standard]"] == "the claims changed"
    with pytest.raises(RunFailedError, match=r"ROUNDING top-1: M full value: claimed 0\.500001, found 0\.500000"):
        copy.run(ANALYSED)
    record = read_checks(copy.path("eval/inference/evaluation", "standard", "tables"))
    assert [check.passed for check in record.checks] == [False]
    assert copy.stale(ANALYSED)["eval/inference/evaluation[standard]"] == f"check {CLAIMS_CHECK} failed"


def test_a_claims_file_written_anew_is_checked_anew(copy, tmp_path):
    """Other bytes with the same numbers: asked again, passed again, quiet after."""
    (tmp_path / "claims.yml").write_text("# a comment\n" + own_claims())
    stale = copy.stale(ANALYSED)
    assert stale["eval/inference/evaluation[standard]"] == "the claims changed"
    assert not any(label.startswith(("raw/", "core/", "eval/prioritisation/")) for label in stale)
    copy.run(ANALYSED)
    assert copy.stale(ANALYSED) == {}


def test_one_changed_rank_in_a_file_fails_the_gate_and_names_the_claim(copy, tmp_path):
    case = CASES[0]
    assert place_of("M", case, "standard") == 1
    file = ranking_path(tmp_path / "release", "M", case, "standard")
    file.write_text(json.dumps(rank_file(case, 2, "standard")))
    assert copy.stale(ANALYSED)["raw/cohort/released"] == "the directory changed"
    with pytest.raises(RunFailedError, match=r"MISMATCH top-1: M full value: claimed 0\.500000, found 0\.458333"):
        copy.run(ANALYSED)


def test_one_changed_byte_in_an_artefact_fails_the_audit_and_names_it(copy):
    path = copy.path("eval/inference/evaluation", "standard", "tables") / "metrics.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    findings = [finding for finding in copy.audit().findings if finding.level == "error"]
    assert [(finding.node, finding.problem) for finding in findings] == [
        ("eval/inference/evaluation[standard]", "changed")
    ]
    assert copy.stale(ANALYSED)["eval/inference/evaluation[standard]"] == "its bytes were changed"


def audit_claims_command(home: Home, *options: str):
    """`genoplatform audit claims` on a home whose profile is the package's own, replaced for the test."""
    with in_home(home), pytest.MonkeyPatch.context() as patch:
        patch.setattr("genoplatform.resources.platform.PROFILES_FILE", home.world.profiles)
        arguments = ["audit", "claims", "--home", str(home.platform.home_path), "--profile", "released", *options]
        return CliRunner().invoke(app, arguments)


def test_the_command_says_ok(released):
    result = audit_claims_command(released)
    assert result.exit_code == 0, result.output
    assert result.output.strip() == "7 claims: 7 OK"


def test_the_command_names_what_is_wrong(copy, tmp_path):
    claims = tmp_path / "claims.yml"
    text = own_claims().replace('"0.500000"', '"0.510000"').replace("[S, full,", "[T, full,")
    claims.write_text(text)
    result = audit_claims_command(copy)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0].startswith(
        "MISMATCH     top-1: M full value: claimed 0.510000, found 0.500000, eval/inference/evaluation"
    )
    assert lines[1].startswith("NO_ARTEFACT  top-1: T full value: claimed 0.916667, found -")
    assert lines[-1] == "7 claims: 1 MISMATCH, 1 NO_ARTEFACT, 5 OK"
    answer = json.loads(audit_claims_command(copy, "--json").output)
    assert (answer["ok"], answer["counts"]) == (False, {"MISMATCH": 1, "NO_ARTEFACT": 1, "OK": 5})
    assert [row["name"] for row in answer["failing"]] == ["top-1: M full value", "top-1: T full value"]


def test_a_profile_that_claims_nothing_says_so(copy):
    content = yaml.safe_load(copy.world.profiles.read_text())
    content["released"]["claims"] = None
    copy.world.profiles.write_text(yaml.safe_dump(content))
    result = audit_claims_command(copy)
    assert result.exit_code != 0
    assert "it claims nothing" in str(result.exception)
