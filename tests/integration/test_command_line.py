"""The commands on made homes of the tiny world: what they print, how they exit, and that nobody meets a traceback."""

import functools
import json
import shutil
import sys
from pathlib import Path

import pytest
from homes import SPINE, in_home
from tiny import findings_of

from genoplatform.cli import main
from genoplatform.definitions import build_defs
from genoplatform.provenance import read_sidecar
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.execute import exclusive

LISTS = 'key:"core/cohort/candidates"'


@pytest.fixture
def command(embedded, tmp_path, monkeypatch, capsys):
    """`command(*arguments)` -> (exit code, stdout, stderr), on a copy of the made embedded home (`command.home`)."""
    path = tmp_path / "home"
    shutil.copytree(embedded.platform.home_path, path)
    resource = functools.partial(
        PlatformResource, profiles_file=str(embedded.world.profiles), catalogue=str(embedded.world.catalogue)
    )
    for module in ("resources.platform", "runner.one_patient", "runner.session"):
        monkeypatch.setattr(f"genoplatform.{module}.PlatformResource", resource)
    monkeypatch.setattr("genoplatform.definitions.build_defs", functools.partial(build_defs, checks=[]))

    def run(name, *arguments, home=path):
        words = name.split()
        monkeypatch.setattr(sys, "argv", ["genoplatform", *words, *arguments, "--home", str(home)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended, in_home(embedded):
            main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return ended.value.code, captured.out, captured.err

    run.home = path
    return run


def one_object(text):
    """The JSON object that is all of a command's output."""
    assert text.endswith("}\n")
    assert text.count("\n") == 1
    return json.loads(text)


def test_a_run_with_nothing_to_do(command):
    code, out, err = command("run", "--select", SPINE)
    assert code == 0
    assert out.startswith("0 made, ")
    assert err == ""


def test_a_run_as_json_is_one_object_and_silent(command):
    code, out, err = command("run", "--select", LISTS, "--force", "--json")
    assert (code, err) == (0, "")
    lists = ["core/cohort/candidates[standard]", "core/cohort/candidates[hard]"]
    assert one_object(out) == {"made": 2, "unchanged": 0, "warnings": [], "assets": lists}


def test_a_run_tells_people_what_it_made(command):
    code, out, err = command("run", "--select", LISTS, "--force", "--partition", "hard")
    assert code == 0
    assert out == f"1 made, 0 unchanged, in {command.home / 'store' / 'embedded'}\n"
    assert err == "  made core/cohort/candidates[hard]\n"


def test_a_plan_changes_nothing_and_says_why(command, embedded):
    victim = command.home / "store" / "embedded" / "core" / "ontology" / "genes.parquet"
    victim.unlink()
    code, out, _ = command("run", "--select", SPINE, "--plan")
    assert code == 0
    reasons = dict(line.split(maxsplit=2)[1:] for line in out.splitlines())
    assert reasons["core/ontology/genes"] == "not made yet"
    assert reasons["core/cohort/selection"] == "core/ontology/genes changes"
    assert reasons["core/ontology/hpo_terms"] == "unchanged"
    code, out, _ = command("run", "--select", SPINE, "--plan", "--json")
    rows = one_object(out)["plan"]
    assert {row["asset"] for row in rows if row["reason"]} == {
        label.partition("[")[0] for label in embedded.downstream("core/ontology/genes")
    }
    assert not victim.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--select", "(("], 2, "error: selecting '((': Invalid selection string"),
        (["--select", 'key:"no/such/asset"'], 2, "error: selecting"),
        (["--select", LISTS, "--partition", "soft"], 2, "error: partition 'soft': no selected asset has it"),
        (["--profile", "nobody"], 1, "error: loading profile 'nobody': no such profile\n  -> one of embedded, "),
        (["--nonsense"], 2, "No such option"),
    ],
)
def test_wrong_usage(command, arguments, code, says):
    found, out, err = command("run", *arguments)
    assert (found, out) == (code, "")
    assert says in err


def test_an_asset_that_fails_says_what_its_own_error_says(command, world):
    (command.home / "store" / "embedded" / "raw" / "ontology" / "hgnc.json").unlink()
    shutil.rmtree(command.home / "cache")
    mirror = command.home.parent / "empty"
    mirror.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("genoplatform.resources.platform.mirror_from_environment", lambda: mirror)
        code, out, err = command("run", "--select", 'key:"raw/ontology/hgnc"', "--json")
    assert (code, out) == (1, "")
    assert err.startswith(
        "error: making raw/ontology/hgnc: fetching hgnc@tiny: no mirror delivered it\n  local hgnc.txt"
    )


def test_a_busy_home(command):
    with exclusive(command.home):
        code, out, err = command("run", "--select", LISTS)
    assert (code, out) == (3, "")
    assert "another genoplatform command is running there" in err


def test_a_home_that_cannot_be_made(command, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = command("run", home=tmp_path / "file")
    assert code == 1
    assert err.startswith(f"error: opening the home {tmp_path / 'file'}: ")


def test_audit_of_a_sound_home(command, embedded):
    code, out, _ = command("audit verify")
    assert code == 0
    assert f"{len(embedded.labels())} artefacts" in out
    assert out.endswith(" 0 findings: OK\n")
    code, out, _ = command("audit verify", "--json")
    report = one_object(out)
    assert (code, report["ok"], report["findings"]) == (0, True, [])
    assert any(root.startswith("hgnc@tiny ") for root in report["roots"]["out/report/benchmark"])


def test_audit_finds_a_flipped_byte_and_the_next_run_repairs_it(command):
    victim = command.home / "store" / "embedded" / "core" / "cohort" / "candidates" / "hard.parquet"
    sound = victim.read_bytes()
    victim.write_bytes(sound[:50] + bytes([sound[50] ^ 1]) + sound[51:])
    code, out, _ = command("audit verify")
    assert code == 1
    assert "error    core/cohort/candidates[hard]: changed: " in out
    assert out.endswith("FAILED\n")
    code, out, _ = command("audit verify", "--json")
    assert (code, one_object(out)["ok"]) == (1, False)
    assert command("run", "--select", LISTS)[0] == 0
    assert victim.read_bytes() == sound
    assert command("audit verify")[0] == 0


def test_audit_of_nothing(command, tmp_path):
    code, out, err = command("audit verify", home=tmp_path / "nowhere")
    assert (code, out) == (1, "")
    assert "there is no store" in err


def test_prioritise_ranks_the_gene_whose_phenotype_was_given(command):
    terms = findings_of(6)
    code, out, err = command("prioritise", "--hpo", ",".join(terms), "--top", "3")
    assert (code, err) == (0, "")
    header, first, *rest = out.splitlines()
    assert header.split() == ["rank", "gene", "resnik", "likelihood", "rank", "diseases"]
    assert (first.split()[:2], first.split()[5]) == (["1", "TG06"], "OMIM:900006")
    assert first.split()[4] == "1", "the likelihood ratio agrees"
    assert len(rest) == 2


def test_prioritise_as_json(command, tmp_path):
    genes = tmp_path / "genes.txt"
    genes.write_text("TG07 TG01\nNOSUCH\n")
    asked = f"{findings_of(7)[0]},HP:9009001,HP:9009003"
    code, out, err = command("prioritise", "--hpo", asked, "--genes", str(genes), "--json")
    assert (code, err) == (0, "")
    found = one_object(out)
    assert found["terms"] == list(dict.fromkeys([findings_of(7)[0], "HP:9000101"]))
    assert {row["gene"] for row in found["ranking"]} == {"TG07", "TG01"}
    assert [row["rank"] for row in found["ranking"]] == [1, 2]
    assert found["changes"] == [
        "HP:9009001 -> HP:9000101 (replaced_by)",
        "HP:9009003 left out: obsolete-without-replacement",
        "NOSUCH left out: no annotation",
    ]


def test_prioritise_reads_observed_features_of_a_phenopacket(command, tmp_path):
    packet = tmp_path / "case.json"
    features = [{"type": {"id": term}} for term in findings_of(6)] + [{"type": {"id": "HP:9000605"}, "excluded": True}]
    packet.write_text(json.dumps({"id": "x", "subject": {"id": "s"}, "phenotypicFeatures": features}))
    code, out, _ = command("prioritise", "--phenopacket", str(packet), "--json")
    assert code == 0
    found = one_object(out)
    assert found["terms"] == findings_of(6)
    assert found["ranking"][0]["gene"] == "TG06"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "give exactly one of --hpo and --phenopacket"),
        (["--hpo", "HP:9000101", "--phenopacket", "x.json"], 2, "give exactly one of"),
        (["--hpo", "HP:1234567,nonsense"], 1, "no usable HPO term: HP:1234567 unknown; nonsense malformed"),
        (["--hpo", ""], 1, "no usable HPO term: none given"),
        (["--phenopacket", "no-such.json"], 1, "error: reading no-such.json"),
        (["--hpo", "HP:9000101", "--genes", "no-such.txt"], 1, "error: reading no-such.txt"),
    ],
)
def test_prioritise_refuses(command, arguments, code, says):
    found, out, err = command("prioritise", *arguments)
    assert (found, out) == (code, "")
    assert says in " ".join(err.split())


def test_prioritise_without_a_store(command, tmp_path):
    code, _, err = command("prioritise", "--hpo", "HP:9000101", home=tmp_path / "nowhere")
    assert code == 1
    assert "it is not in the store" in err
    assert "run `genoplatform demo`" in err


def test_doctor_counts_the_pins_in_the_cache(command):
    code, out, _ = command("doctor", "--json")
    report = one_object(out)
    findings = {item["what"]: item for item in report["findings"]}
    assert findings["pinned inputs"]["found"] == "7 of 10 in the cache"
    assert findings["intact cache"]["ok"] is True
    assert code == int(any(item["needed"] and not item["ok"] for item in report["findings"]))


def test_doctor_names_a_corrupt_pin_and_the_command_that_mends_it(command):
    (cached,) = (command.home / "cache" / "sha256").rglob("hgnc.txt")
    cached.chmod(0o644)
    cached.write_text("rot")
    code, out, _ = command("doctor")
    assert code == 1
    (line,) = [line for line in out.splitlines() if "intact cache" in line]
    assert line.startswith("LACK")
    assert "hgnc@tiny  -> genoplatform sources fetch --profile embedded --home" in line


def test_demo_makes_what_is_stale_and_prints_the_headline(command):
    sidecar = read_sidecar(command.home / "store" / "embedded" / "core" / "cohort" / "cases.parquet")
    code, out, err = command("demo", "--json")
    assert (code, err) == (0, "")
    found = one_object(out)
    assert found["headline"]["cases"] == 38
    assert found["report"] == str(command.home / "store" / "embedded" / "out" / "report" / "benchmark" / "index.html")
    assert Path(found["report"]).exists()
    assert found["unchanged"] > 0
    code, out, _ = command("demo")
    assert code == 0
    assert "38 cases from " in out
    assert f"Report: {found['report']}\n" in out
    assert read_sidecar(command.home / "store" / "embedded" / "core" / "cohort" / "cases.parquet") == sidecar
