"""A crate verifies itself with plain Python, and whatever is changed in it is named."""

import hashlib
import json
import shutil
import subprocess
import sys

import pandas as pd
import pytest
from small_store import CORE, HARD, PIN, RAW, REPORT, STANDARD, SmallStore

from genoplatform.errors import BadInputError
from genoplatform.provenance.crate import CrateFacts, export_crate, verifier_text
from genoplatform.provenance.sidecar import sidecar_path

CLAIMS = [
    {
        "name": "first",
        "value": "0.5",
        "artefact": "eval/ranks/scores[standard]",
        "column": "score",
        "where": {"id": "a"},
    },
    {"name": "n", "value": "2", "artefact": "core/ontology/terms", "column": "n", "where": {"id": "b"}},
    {"name": "elsewhere", "value": "2", "artefact": "eval/other/table", "column": "n", "where": {}},
]
FACTS = CrateFacts(
    profile="small",
    date="2026-01-02",
    pins={PIN.source_id: {"sha256": PIN.sha256, "version": "1", "license": "CC0-1.0", "license_url": "https://x.org"}},
    claims=[{"tolerance": 0.0, "source": "", **claim} for claim in CLAIMS],
)


@pytest.fixture
def store(tmp_path):
    small = SmallStore(tmp_path)
    small.put(STANDARD, pd.DataFrame({"id": ["a", "b"], "score": [0.5, None]}), parameters={"draw": {"seed": 42}})
    small.put(REPORT, {"index.html": b"<p>", "img/a.png": b"png"})
    for node in (CORE, STANDARD):
        small.check(node, ("not_null", "error", True), ("row_count", "warn", False))
    return small


@pytest.fixture
def crate(store, tmp_path):
    export_crate(store.root, REPORT[0], tmp_path / "crate", FACTS, with_inputs=True)
    return tmp_path / "crate"


def verify(crate, *arguments):
    """Exit code and output of the crate's own verifier, alone: no site packages, no environment, no import path."""
    command = [sys.executable, "-I", "-S", str(crate / "verify.py"), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={}, cwd="/")
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def failures(crate):
    code, text = verify(crate)
    lines = [line.removeprefix("FAILED  ") for line in text.splitlines()[:-1] if line.startswith("FAILED")]
    assert (code == 0) == (lines == []), text
    return lines


def edit(path, change):
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value))


def reseal(crate):
    """What a forger does next: a manifest of the changed files."""
    files = sorted(path for path in crate.rglob("*") if path.is_file() and path.name != "manifest-sha256.txt")
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(crate).as_posix()}\n" for p in files]
    (crate / "manifest-sha256.txt").write_text("".join(lines))


def test_an_honest_crate_verifies(crate):
    code, text = verify(crate)
    assert code == 0, text
    files = sum(path.is_file() for path in crate.rglob("*")) - 1  # the manifest does not list itself
    found = f"VERIFIED  {files} files, 5 steps down to 1 pins, 2 tables, 2 checks passed, 2 claims"
    assert text.splitlines()[-1] == found


def test_its_verifier_uses_the_standard_library_only():
    imported = {
        line.split()[1].split(".")[0] for line in verifier_text().splitlines() if line.startswith(("import", "from"))
    }
    assert imported <= sys.stdlib_module_names | {"__future__"}
    assert "genoplatform" not in imported
    compile(verifier_text(), "verify.py", "exec")


def test_the_same_store_gives_the_same_crate(store, crate, tmp_path):
    again = export_crate(store.root, REPORT[0], tmp_path / "again", FACTS, with_inputs=True)
    assert (tmp_path / "again" / "manifest-sha256.txt").read_bytes() == (crate / "manifest-sha256.txt").read_bytes()
    assert f"sha256:{again.seal}" in verify(crate)[1]
    assert verify(crate, "--seal", again.seal)[0] == 0
    assert verify(crate, "--seal", "0" * 64)[0] == 1


def test_a_named_claim_is_shown_and_an_unknown_one_is_wrong_usage(crate):
    code, text = verify(crate, "--claim", "first")
    assert code == 0
    assert "claim 'first': 0.5 is what eval/ranks/scores[standard] says" in text
    assert verify(crate, "--claim", "elsewhere")[0] == 2, "it is about nothing in the crate"


def test_json_says_the_same(crate):
    code, text = verify(crate, "--json")
    assert (code, json.loads(text)["ok"], json.loads(text)["findings"]) == (0, True, [])


def test_pinned_bytes_can_be_hashed_too(crate, store, tmp_path):
    assert verify(crate, "--pins", str(store.cached.parent))[0] == 0
    (tmp_path / "none").mkdir()
    code, text = verify(crate, "--pins", str(tmp_path / "none"))
    assert code == 1
    assert "terms@1: no file below" in text


FILES = ["data/core/ontology/terms.parquet", "data/out/report/page/img/a.png", "tables/eval/ranks/scores/standard.csv"]
FILES += ["records/eval/ranks/scores/hard.parquet.provenance.json", "records/core/ontology/terms.parquet.checks.json"]
OWNERS = ["core/ontology/terms", "out/report/page", "tables/eval", "eval/ranks/scores[hard]", "core/ontology/terms"]


@pytest.mark.parametrize(("name", "owner"), list(zip(FILES, OWNERS, strict=True)))
@pytest.mark.parametrize("place", [0, 0.5, -1])
def test_one_flipped_byte_is_found_and_its_node_named(crate, name, owner, place):
    path = crate / name
    content = bytearray(path.read_bytes())
    content[int(place * len(content)) if place >= 0 else -1] ^= 1
    path.write_bytes(content)
    lines = failures(crate)
    assert any(line.startswith(owner) and f"{name} was changed" in line for line in lines), lines


def test_a_file_added_or_taken_away_is_found(crate):
    (crate / "extra.txt").write_text("x")
    (crate / "data/core/ontology/terms.parquet").unlink()
    lines = failures(crate)
    assert "extra.txt: extra.txt is not in the manifest" in lines
    assert "core/ontology/terms: data/core/ontology/terms.parquet is missing" in lines


TERMS_RECORD = "records/core/ontology/terms.parquet.provenance.json"
FORGERIES = {
    "a code version": (
        lambda c: edit(c / TERMS_RECORD, lambda v: v.update(code_version="2")),
        "core/ontology/terms: code version: the description says 1, the record 2",
    ),
    "a parameter": (
        lambda c: edit(
            c / "records/eval/ranks/scores/standard.parquet.provenance.json",
            lambda v: v["parameters"]["draw"].update(seed=43),
        ),
        "eval/ranks/scores[standard]: its record is not the one exported",
    ),
    "a code version in the description": (
        lambda c: edit(
            c / "ro-crate-metadata.json",
            lambda v: [g.update(softwareVersion="2") for g in v["@graph"] if "#tool/core" in g["@id"]],
        ),
        "core/ontology/terms: code version: the description says 2, the record 1",
    ),
    "an input's hash": (
        lambda c: edit(c / TERMS_RECORD, lambda v: v["inputs"][0].update(sha256="0" * 64)),
        "core/ontology/terms: it was made from another state of raw/ontology/terms",
    ),
    "a pin": (
        lambda c: edit(c / "pins.json", lambda v: v["terms@1"].update(sha256="0" * 64)),
        "raw/ontology/terms: pin terms@1 is not declared with sha256 " + PIN.sha256,
    ),
    "a failed check": (
        lambda c: edit(
            c / "records/core/ontology/terms.parquet.checks.json", lambda v: v["checks"][0].update(passed=False)
        ),
        "core/ontology/terms: check not_null failed: why",
    ),
    "a claim": (
        lambda c: edit(c / "claims.json", lambda v: v[0].update(value="0.9")),
        "eval/ranks/scores[standard]: MISMATCH claim 'first': claimed 0.9, found 0.5",
    ),
    "a claim and its cell": (
        lambda c: (
            edit(c / "claims.json", lambda v: v[0].update(value="0.6")),
            (c / "tables/eval/ranks/scores/standard.csv").write_text("id,score\na,0.6\nb,\\N\n"),
        ),
        "eval/ranks/scores[standard]: its tables have content",
    ),
    "a parquet file": (
        lambda c: (c / "data/core/ontology/terms.parquet").write_bytes(b"PAR1"),
        "core/ontology/terms: data/core/ontology/terms.parquet is not what its record names",
    ),
    "a record cut off": (
        lambda c: (c / TERMS_RECORD).write_text("{"),
        "core/ontology/terms: its record cannot be read",
    ),
    "a table cut off": (
        lambda c: (c / "tables/core/ontology/terms.csv").write_text("id,n\na,1\nb\n"),
        "core/ontology/terms: its tables have content",
    ),
    "the list of steps": (lambda c: (c / "workflow.json").write_text("{"), "workflow.json: cannot be read"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_with_a_fresh_manifest_is_still_named(crate, name):
    forge, expected = FORGERIES[name]
    forge(crate)
    reseal(crate)
    lines = failures(crate)
    assert any(line.startswith(expected) for line in lines), lines


def test_a_consistent_forgery_has_another_seal(crate):
    seal = hashlib.sha256((crate / "manifest-sha256.txt").read_bytes()).hexdigest()
    edit(crate / "claims.json", lambda claims: claims.clear())
    reseal(crate)
    assert verify(crate)[0] == 0, "nothing contradicts it"
    assert verify(crate, "--seal", seal)[0] == 1


def test_without_inputs_only_records_of_what_is_upstream_are_taken_along(store, tmp_path):
    made = export_crate(store.root, REPORT[0], tmp_path / "crate", FACTS)
    names = {
        path.relative_to(tmp_path / "crate").as_posix() for path in (tmp_path / "crate").rglob("*") if path.is_file()
    }
    assert {name for name in names if name.startswith("data/")} == {
        "data/out/report/page/index.html",
        "data/out/report/page/img/a.png",
    }
    assert made.steps == 5
    assert verify(tmp_path / "crate")[0] == 0


def test_one_partition_of_a_table_can_be_exported(store, tmp_path):
    made = export_crate(store.root, "eval/ranks/scores[hard]", tmp_path / "crate", FACTS)
    assert made.steps == 3
    assert (tmp_path / "crate/tables/eval/ranks/scores/hard.csv").read_bytes() == b"score\r\n0.25\r\n\\N\r\n"
    assert verify(tmp_path / "crate")[0] == 0


def test_what_cannot_be_proven_is_not_exported(store, tmp_path):
    with pytest.raises(BadInputError, match="did you mean eval/ranks/scores"):
        export_crate(store.root, "core/ranks/scores", tmp_path / "crate", FACTS)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(BadInputError, match="holds something"):
        export_crate(store.root, REPORT[0], tmp_path / "full", FACTS)
    store.put(CORE, pd.DataFrame({"id": ["a"], "n": [1]}))
    with pytest.raises(BadInputError, match="not in the store as it was used"):
        export_crate(store.root, REPORT[0], tmp_path / "crate", FACTS)
    sidecar_path(store.path(RAW)).unlink()
    with pytest.raises(BadInputError, match="raw/ontology/terms"):
        export_crate(store.root, HARD[0], tmp_path / "crate", FACTS)
    assert not (tmp_path / "crate").exists(), "nothing half is left"


def test_the_description_is_a_provenance_run_crate(crate):
    """What RO-Crate 1.1 and the Provenance Run Crate profile 0.5 ask for, in the words of their specifications."""
    graph = {item["@id"]: item for item in json.loads((crate / "ro-crate-metadata.json").read_bytes())["@graph"]}
    root, workflow = graph["./"], graph["workflow.json"]
    assert graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert root["datePublished"] == "2026-01-02"
    assert {"@id": "https://w3id.org/ro/wfrun/provenance/0.5"} in root["conformsTo"]
    assert root["mainEntity"] == {"@id": "workflow.json"}
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"} == set(workflow["@type"])
    named = {part["@id"] for part in root["hasPart"]}
    files = {f.relative_to(crate).as_posix() for f in crate.rglob("*") if f.is_file()}
    inside = {name for name in files if not any(name.startswith(part) for part in named if part.endswith("/"))}
    assert inside - named == {"manifest-sha256.txt", "ro-crate-metadata.json"}
    control = [item for item in graph.values() if item["@type"] == "ControlAction"]
    assert len(control) == 5
    for item in control:
        action = graph[item["object"]["@id"]]
        assert action["@type"] == "CreateAction"
        tool = graph[action["instrument"]["@id"]]
        assert {"@id": tool["@id"]} in workflow["hasPart"]
        assert graph[action["result"]["@id"]]["sha256"]
    seeds = [item["value"] for item in graph.values() if item.get("name") == "draw.seed"]
    assert seeds == [42]
    ids = {reference["@id"] for item in graph.values() for reference in _references(item)}
    assert {ref for ref in ids if not ref.startswith("http")} <= set(graph), "every reference leads somewhere"


def _references(value):
    if isinstance(value, dict):
        if set(value) == {"@id"}:
            yield value
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)


def test_a_symlinked_or_copied_crate_verifies_anywhere(crate, tmp_path):
    shutil.copytree(crate, tmp_path / "an other place")
    (tmp_path / "an other place").chmod(0o500)
    assert verify(tmp_path / "an other place")[0] == 0
