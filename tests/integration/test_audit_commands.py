"""`genoplatform audit export|diff|lineage` on made homes of the tiny world."""

import functools
import json
import shutil
import subprocess
import sys

import pytest
import yaml
from homes import open_home
from tiny import World

from genoplatform.cli import main
from genoplatform.resources.platform import PlatformResource

REPORT = "out/report/benchmark"


@pytest.fixture
def command(world, tmp_path, monkeypatch, capsys):
    """`command(*words)` -> (exit code, stdout, stderr) of `genoplatform audit`; the profile claims a number."""
    claims = {"name": "cases", "value": "8", "column": "n", "artefact": "eval/inference/evaluation[standard].metrics"}
    where = {"metric": "top1", "system": "resnik", "subset": "overlap_absent"}
    (tmp_path / "claims.yml").write_text(yaml.safe_dump({"claims": [{**claims, "where": where}]}))
    profiles = yaml.safe_load(world.profiles.read_text())
    profiles["embedded"]["claims"] = str(tmp_path / "claims.yml")
    (tmp_path / "claiming.yml").write_text(yaml.safe_dump(profiles))
    resource = functools.partial(
        PlatformResource, profiles_file=str(tmp_path / "claiming.yml"), catalogue=str(world.catalogue)
    )
    monkeypatch.setattr("genoplatform.resources.platform.PlatformResource", resource)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["genoplatform", "audit", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return ended.value.code, captured.out, captured.err

    return run


def verify(crate, *arguments):
    command = [sys.executable, "-I", "-S", str(crate / "verify.py"), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={}, cwd="/")
    return done.returncode, done.stdout


def test_the_report_of_a_home_is_exported_and_verifies_alone(command, embedded, tmp_path):
    home, crate = embedded.platform.home_path, tmp_path / "crate"
    before = embedded.files()
    code, out, _ = command("export", REPORT, "--to", crate, "--home", home, "--with-inputs", "--date", "2026-01-02")
    assert code == 0
    seal = out.split("sha256:")[1].split()[0]
    assert embedded.files() == before
    code, out = verify(crate, "--seal", seal)
    assert code == 0, out
    assert "8 is what eval/inference/evaluation[standard].metrics says" in verify(crate, "--claim", "cases")[1]
    steps = json.loads((crate / "workflow.json").read_bytes())["steps"]
    assert {step["label"] for step in steps} == embedded.labels()
    pins = json.loads((crate / "pins.json").read_bytes())
    assert {"hgnc@tiny", "phenotype.hpoa@tiny-old"} <= set(pins)
    assert pins["hgnc@tiny"]["license"] == "CC0-1.0"


def test_a_corrupted_store_is_exported_and_its_crate_says_so(command, embedded, copy_of, world, tmp_path):
    """The drill: a byte flips on disk; the audit, the crate's verifier and the next run all name the artefact."""
    home = copy_of(embedded, world)
    victim = home.path("core/ontology/genes")
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 1
    victim.write_bytes(content)
    crate = tmp_path / "crate"
    command("export", REPORT, "--to", crate, "--home", home.platform.home_path, "--with-inputs")
    code, out = verify(crate)
    assert code == 1
    assert "FAILED  core/ontology/genes: data/core/ontology/genes.parquet is not what its record names" in out
    code, out, _ = command("verify", "--home", home.platform.home_path)
    assert code == 1
    assert "error    core/ontology/genes: changed" in out
    assert home.stale()["core/ontology/genes"] == "its bytes were changed"
    home.run()
    assert home.stale() == {}
    assert home.audit().ok
    again = tmp_path / "again"
    command("export", REPORT, "--to", again, "--home", home.platform.home_path, "--with-inputs")
    assert verify(again)[0] == 0


def test_a_changed_parameter_explains_a_difference(command, embedded, copy_of, tmp_path, world):
    profiles = yaml.safe_load(world.profiles.read_text())
    profiles["embedded"]["inference"]["seed"] = 7
    other = tmp_path / "profiles.yml"
    other.write_text(yaml.safe_dump(profiles))
    copied = copy_of(embedded, world)
    home = open_home(copied.platform.home_path, World(world.mirror, world.catalogue, other))
    home.run()
    code, out, _ = command("diff", embedded.platform.home_path, home.platform.home_path, "--json")
    changes = {change["artefact"]: change for change in json.loads(out)["changes"]}
    assert code == 1
    seed = ["parameter", "inference.seed 42 -> 7"]
    assert changes["eval/inference/evaluation[standard]"]["status"] == "changed"
    assert changes["eval/inference/evaluation[standard]"]["causes"] == [seed]
    assert seed in changes["out/report/benchmark"]["causes"]
    assert "eval/inference/evaluation[standard]" in changes["out/report/benchmark"]["inputs"]
    assert "core/cohort/cases" not in changes
    code, out, _ = command("diff", embedded.platform.home_path, home.platform.home_path)
    assert out.startswith("Causes:\n")
    assert "parameter: inference.seed 42 -> 7" in out


def test_the_same_home_twice_has_no_difference(command, embedded):
    home = embedded.platform.home_path
    assert command("diff", home, home)[:2] == (0, "nothing changed\n")


def test_lineage_ends_in_pins(command, embedded):
    code, out, _ = command("lineage", "core/cohort/cases", "--home", embedded.platform.home_path)
    assert code == 0
    assert out.splitlines()[0].startswith("core/cohort/cases  code ")
    assert "pin phenotype.hpoa@tiny-old" in out
    code, out, _ = command("lineage", "core/cohort/cases", "--home", embedded.platform.home_path, "--json")
    rows = json.loads(out)["lineage"]
    assert rows[-1]["artefact"] == "core/cohort/cases"
    assert {"hp.obo@tiny", "hgnc@tiny"} <= {row["pin"]["source_id"] for row in rows if row["pin"]}


def test_what_is_not_there_is_explained(command, embedded, tmp_path):
    home = embedded.platform.home_path
    code, _, err = command("lineage", "core/cohort/case", "--home", home)
    assert code == 1
    assert "it is not there" in err
    code, _, err = command("diff", tmp_path / "nowhere", home)
    assert code == 1
    assert "no provenance records" in err
    code, _, err = command("export", REPORT, "--to", tmp_path / "crate", "--home", home, "--date", "today")
    assert code == 2
    assert "--date" in err
    shutil.copytree(home / "dagster", tmp_path / "full")
    code, _, err = command("export", REPORT, "--to", tmp_path / "full", "--home", home)
    assert code == 1
    assert "it holds something" in err
