"""The offline audit: an honest store passes, and every kind of damage is found and named."""

import json

import numpy as np
import pandas as pd
import pytest
from small_store import CORE, HARD, PIN, PINS, RAW, REPORT, STANDARD, SmallStore

from genoplatform.provenance import PinRef, Sidecar, file_sha256, verify_store
from genoplatform.provenance.atomic import remove
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.sidecar import checks_path, sidecar_path
from genoplatform.provenance.summary import upstream_rows


@pytest.fixture
def store(tmp_path):
    return SmallStore(tmp_path)


def audit(store, pins=PINS, **arguments):
    return verify_store(store.root, pins, store.locate, **arguments)


def found(store, level="error", **arguments):
    """(node, problem) of every finding of a level; the report's verdict has to agree."""
    report = audit(store, **arguments)
    assert report.ok == all(finding.level == "warning" for finding in report.findings)
    return [(finding.node, finding.problem) for finding in report.findings if finding.level == level]


def test_an_honest_store_passes(store):
    seen = []
    report = audit(store, progress=seen.append)
    assert report.findings == []
    assert report.ok
    assert (report.artefacts, report.pins_verified) == (5, 1)
    assert report.bytes_hashed == sum(store.sidecar(node).bytes for node in (RAW, CORE, STANDARD, HARD, REPORT))
    assert set(seen) == set(report.roots)
    assert report.roots["out/report/page"] == report.roots["eval/ranks/scores[hard]"] == [f"terms@1 {PIN.sha256}"]


def test_an_empty_store_has_nothing_to_say(tmp_path):
    (tmp_path / "store").mkdir()
    report = verify_store(tmp_path / "store", PINS, lambda pin: None)
    assert (report.artefacts, report.findings, report.ok) == (0, [], True)


@pytest.mark.parametrize("node", [RAW, CORE, HARD])
@pytest.mark.parametrize("place", [0, 10, -1])
def test_a_flipped_bit(store, node, place):
    path, label = store.path(node), store.sidecar(node).label
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert found(store) == [(label, "changed")]


def test_a_flipped_bit_in_a_directory(store):
    (store.path(REPORT) / "img/a.png").write_bytes(b"pnG")
    assert found(store) == [("out/report/page", "changed")]


def test_a_file_added_to_a_directory(store):
    (store.path(REPORT) / "img/b.png").write_bytes(b"")
    assert found(store) == [("out/report/page", "changed")]


def test_an_edited_hash(store):
    store.edit(REPORT, sha256="0" * 64)
    assert found(store) == [("out/report/page", "changed")]


def test_an_edited_hash_also_breaks_what_used_it(store):
    store.edit(CORE, sha256="0" * 64)
    used = ["eval/ranks/scores[hard]", "eval/ranks/scores[standard]", "out/report/page"]
    assert sorted(found(store)) == sorted(
        [("core/ontology/terms", "changed"), *((node, "input-changed") for node in used)]
    )


def test_an_edited_size(store):
    store.edit(REPORT, bytes=1)
    assert found(store) == [("out/report/page", "changed")]


def test_an_edited_data_version(store):
    store.edit(HARD, data_version="0" * 64)
    assert found(store) == [("eval/ranks/scores[hard]", "data-version"), ("out/report/page", "input-changed")]


def test_a_deleted_artefact(store):
    store.path(HARD).unlink()
    assert found(store) == [("eval/ranks/scores[hard]", "missing")]
    remove(store.path(REPORT))
    assert found(store) == [("eval/ranks/scores[hard]", "missing"), ("out/report/page", "missing")]


def test_a_deleted_upstream(store):
    store.path(STANDARD).unlink()
    sidecar_path(store.path(STANDARD)).unlink()
    assert found(store) == [("out/report/page", "input-missing")]


def test_a_changed_upstream(store):
    store.put(STANDARD, pd.DataFrame({"score": [0.75, None]}))
    assert found(store) == [("out/report/page", "input-changed")]


def test_an_input_that_never_was(store):
    used = [
        *store.sidecar(REPORT).model_dump()["inputs"],
        {**store.sidecar(CORE).reference().model_dump(), "asset": "a/b/c"},
    ]
    store.edit(REPORT, inputs=used)
    assert found(store) == [("out/report/page", "input-missing")]


def test_a_pin_that_is_not_in_the_catalogue(store):
    assert found(store, pins={}) == [("raw/ontology/terms", "unknown-pin")]


def test_a_pin_whose_hash_the_catalogue_changed(store):
    assert found(store, pins={"terms@1": "0" * 64}) == [("raw/ontology/terms", "pin-changed")]


def test_corrupt_bytes_of_a_pin(store):
    store.cached.write_bytes(b"other bytes")
    assert found(store) == [("raw/ontology/terms", "pin-corrupt")]
    assert audit(store).pins_verified == 0


def test_bytes_of_a_pin_that_are_not_here_are_only_a_warning(store):
    store.cached.unlink()
    assert found(store) == []
    assert found(store, "warning") == [("raw/ontology/terms", "pin-not-here")]
    assert audit(store).pins_verified == 0


def test_a_pin_record_that_names_other_bytes_than_its_sidecar(store):
    other = PIN.model_copy(update={"source_id": "terms@2", "sha256": "0" * 64})
    store.edit(RAW, pin=other.model_dump(mode="json"))
    assert found(store, pins=PINS | {"terms@2": "0" * 64}) == [
        ("raw/ontology/terms", "data-version"),
        ("raw/ontology/terms", "pin-corrupt"),
    ]


def test_a_pin_forgotten_by_its_sidecar(store):
    store.edit(RAW, pin=None)
    problems = found(store)
    assert ("raw/ontology/terms", "data-version") in problems
    assert ("out/report/page", "no-root") in problems


def test_a_directory_of_the_user_is_recorded_but_no_pin(store, tmp_path):
    folder = tmp_path / "packets"
    folder.mkdir()
    (folder / "one.json").write_text("{}")
    pin = PinRef(
        source_id="directory:PACKETS", kind="directory", file_name="packets", sha256=file_sha256(folder), bytes=2
    )
    store.put(RAW, pin.model_dump(mode="json"), pin=pin)
    for node in (CORE, STANDARD, HARD, REPORT):
        store.edit(
            node, inputs=[store.sidecar(other).reference().model_dump() for other in {CORE: [RAW]}.get(node, [CORE])]
        )
    report = verify_store(store.root, {}, lambda pin: folder)
    assert [(f.level, f.node, f.problem) for f in report.findings] == [("warning", "raw/ontology/terms", "not-a-pin")]
    (folder / "two.json").write_text("{}")
    report = verify_store(store.root, {}, lambda pin: folder)
    assert [f.problem for f in report.findings if f.level == "error"] == ["pin-corrupt"]


def test_an_artefact_without_a_sidecar(store):
    sidecar_path(store.path(REPORT)).unlink()
    assert found(store) == [
        ("out/report/page/img/a.png", "no-provenance"),
        ("out/report/page/index.html", "no-provenance"),
    ]
    (store.root / "core" / "extra.parquet").write_bytes(b"")
    assert ("core/extra.parquet", "no-provenance") in found(store)


def test_temporaries_of_a_writer_are_no_artefacts(store):
    folder = store.root / "out" / ".page.pid1-0123456789ab.partial"
    folder.mkdir()
    (folder / "index.html").write_bytes(b"half")
    (store.root / "core" / ".t.parquet.pid1-0123456789ab.partial").write_bytes(b"half")
    assert audit(store).findings == []


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", "null", "\ufeff{}", '{"asset": "a/b/c"}'])
def test_a_sidecar_that_is_none(store, content):
    sidecar_path(store.path(REPORT)).write_text(content)
    assert ("out/report/page", "bad-sidecar") in found(store)


def test_a_sidecar_with_a_field_nobody_knows(store):
    store.edit(REPORT, signed_by="me")
    assert ("out/report/page", "bad-sidecar") in found(store)


def test_an_artefact_copied_over_another_with_its_sidecar(store):
    for path in (store.path(HARD), sidecar_path(store.path(HARD))):
        path.write_bytes(path.with_name(path.name.replace("hard", "standard")).read_bytes())
    assert ("eval/ranks/scores/hard.parquet", "misplaced") in found(store)
    assert ("out/report/page", "input-missing") in found(store)


def test_a_sidecar_of_another_partition(store):
    store.edit(HARD, partition="standard")
    assert ("eval/ranks/scores/hard.parquet", "misplaced") in found(store)


def test_two_files_that_claim_to_be_one_artefact(store):
    table = store.path(CORE)
    (twin := table.with_suffix(".json")).write_text("{}")
    sidecar_path(twin).write_text(json.dumps(store.sidecar(CORE).model_dump() | {"file": twin.name}))
    assert ("core/ontology/terms", "duplicate") in found(store)


def test_a_failed_check(store):
    store.check(CORE, ("unique_id_0", "error", False), ("not_null_n_0", "error", True))
    assert found(store) == [("core/ontology/terms", "check-failed")]
    assert "unique_id_0" in audit(store).findings[0].detail


def test_a_failed_warning_is_a_warning(store):
    store.check(CORE, ("unique_id_0", "warn", False))
    assert found(store) == []
    assert found(store, "warning") == [("core/ontology/terms", "check-failed")]


@pytest.mark.parametrize("passed", [True, False])
def test_checks_of_an_earlier_state_say_nothing_of_this_one(store, passed):
    store.check(CORE, ("unique_id_0", "error", passed), sha256="0" * 64)
    assert found(store) == []
    assert found(store, "warning") == [("core/ontology/terms", "checks-outdated")]


def test_a_check_record_that_is_none(store):
    checks_path(store.path(CORE)).write_text("{}")
    assert found(store) == [("core/ontology/terms", "bad-check-record")]


def test_an_artefact_that_leads_to_no_pin(store):
    store.edit(HARD, inputs=[])
    assert ("eval/ranks/scores[hard]", "no-root") in found(store)


def test_a_raw_slot_the_profile_leaves_empty_needs_no_pin(store):
    store.put(RAW, {"slot": "terms", "source_id": None})
    assert [problem for node, problem in found(store) if node == "raw/ontology/terms"] == []


def test_what_is_made_of_empty_slots_only_needs_no_pin(store):
    store.put(RAW, {"slot": "terms", "source_id": None})
    store.edit(CORE, inputs=[store.sidecar(RAW).reference().model_dump()])
    assert [problem for node, problem in found(store) if node == "core/ontology/terms"] == []
    store.edit(CORE, inputs=[])
    assert ("core/ontology/terms", "no-root") in found(store)
    store.edit(CORE, recorded={"unused": "the profile has none here"})
    assert ("core/ontology/terms", "no-root") not in found(store)


def test_a_circle_of_inputs_ends(store):
    store.edit(CORE, inputs=[store.sidecar(HARD).reference().model_dump()])
    report = audit(store)
    assert report.roots["core/ontology/terms"] == []
    assert ("core/ontology/terms", "no-root") in [(f.node, f.problem) for f in report.findings]


def spoiled(store, node, content):
    """Damage an artefact whose sidecar was made to agree with the damaged bytes."""
    store.path(node).write_bytes(content)
    store.edit(node, sha256=file_sha256(store.path(node)), bytes=len(content))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet", b"PAR1" + b"\xff" * 400 + b"PAR1"])
def test_an_unreadable_table(store, content):
    spoiled(store, HARD, content)
    assert ("eval/ranks/scores[hard]", "unreadable") in found(store)
    assert audit(store).artefacts == 5


@pytest.mark.parametrize("damage", range(0, 60, 7))
def test_a_table_damaged_anywhere_is_found_and_ends_no_audit(store, damage):
    content = bytearray(store.path(HARD).read_bytes())
    at = int(np.linspace(4, len(content) - 9, 60)[damage])
    content[at : at + 4] = b"\xff" * 4
    spoiled(store, HARD, bytes(content))
    problems = {problem for node, problem in found(store) if node == "eval/ranks/scores[hard]"}
    same_content = False
    if not problems:  # a byte no reader looks at: then the content must be the recorded one
        same_content = content_sha256(pd.read_parquet(store.path(HARD))) == store.sidecar(HARD).data_version
    assert problems & {"unreadable", "data-version"} or same_content


def test_what_a_report_rests_on_as_rows(store):
    rows = upstream_rows(store.root, ["eval/ranks/scores"])
    assert [(row["asset"], row["partition"]) for row in rows] == [CORE, HARD, STANDARD, RAW]
    assert all(row["pins"] == [f"terms@1 {PIN.sha256}"] for row in rows)
    assert rows[0]["sha256"] == file_sha256(store.path(CORE))
    assert upstream_rows(store.root, ["not/there/yet"]) == []


def test_the_sidecar_knows_itself_as_an_input(store):
    sidecar = store.sidecar(HARD)
    assert isinstance(sidecar, Sidecar)
    assert sidecar.reference().model_dump() == {
        "asset": "eval/ranks/scores",
        "partition": "hard",
        "sha256": file_sha256(store.path(HARD)),
        "data_version": content_sha256(pd.read_parquet(store.path(HARD))),
    }
