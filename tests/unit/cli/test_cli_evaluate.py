"""`genoplatform evaluate` as a command: one JSON object for scripts, tables for people, errors raised as ours."""

import json

import pytest
import typer
from typer.testing import CliRunner

from genoplatform.cli.evaluate import evaluate
from genoplatform.errors import BadInputError, SettingsError

ITEMS = "item,cluster,exposed,rank_S,rank_M,rank_[x]\na,p1,1,1,2,1\nb,p2,0,3,1,1\nc,p3,0,1,,1\nd,p3,0,1,2,1\n"


@pytest.fixture
def run(tmp_path):
    app = typer.Typer()
    app.command()(evaluate)
    path = tmp_path / "items.csv"
    path.write_text(ITEMS)
    return lambda *args: CliRunner().invoke(app, [str(path), "--boot", "50", "--perm", "50", *args])


def test_json_is_one_object_on_stdout(run):
    result = run("--json", "--contrast", "S,M", "--contrast", "S, [x]", "--seed", "7")
    assert result.exit_code == 0
    parsed = json.loads(result.stdout)
    assert parsed["settings"] == {"n_boot": 50, "n_perm": 50, "seed": 7}
    full = parsed["contrasts"][0]
    assert (full["subset"], full["system_a"], full["correct_a"], full["correct_b"]) == ("full", "S", 3, 1)
    assert result.stdout.count("\n") == 1


def test_tables_for_people(run):
    result = run("--contrast", "S,M", "--contrast", "S,[x]")
    assert result.exit_code == 0
    assert "4 items from 3 publications (largest 2); 1 exposed, 3 not; systems: S, M, [x]" in result.stdout
    assert "A = S against B = [x]" in result.stdout
    assert "Note: M: 1 items without a rank count as misses" in result.stdout
    for title in ("overlap_absent: 3 items, 2 publications", "overlap shift", "top-10", "NDCG@10", "Holm"):
        assert title in result.stdout


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--contrast", "S"], SettingsError),
        (["--contrast", "S,"], SettingsError),
        (["--contrast", "S,Q"], BadInputError),
        (["--boot", "0"], SettingsError),
    ],
)
def test_errors_are_left_to_the_caller(run, args, error):
    result = run(*args)
    assert isinstance(result.exception, error)
    assert result.stdout == ""
