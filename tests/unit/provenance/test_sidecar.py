"""Sidecars and check records: what is written is what is read, and nothing half-understood is accepted."""

import json

import pytest
from small_store import CODE, PIN

from genoplatform.errors import GenoplatformError
from genoplatform.provenance import CheckOutcome, CheckRecord, InputRef, Sidecar, read_sidecar
from genoplatform.provenance.sidecar import (
    SidecarError,
    checks_path,
    iter_artefacts,
    read_checks,
    sidecar_path,
    write_record,
)

SIDECAR = Sidecar(
    asset="core/ontology/terms",
    partition="hard",
    file="hard.parquet",
    sha256="a" * 64,
    bytes=12,
    data_version="b" * 64,
    code_version="3",
    code=CODE,
    parameters={"cohort": {"seed": 42, "names": ["Bärbel"], "share": 0.5, "none": None}},
    inputs=[InputRef(asset="raw/ontology/terms", sha256="c" * 64, data_version="d" * 64)],
    pin=PIN,
)
CHECKS = CheckRecord(
    asset="core/ontology/terms",
    sha256="a" * 64,
    checks=[CheckOutcome(name="unique_id_0", severity="error", passed=False, failing_rows=2, detail="2 of 9")],
)


@pytest.fixture
def artefact(tmp_path):
    path = tmp_path / "core" / "hard.parquet"
    write_record(sidecar_path(path), SIDECAR)
    return path


def test_a_sidecar_comes_back_as_it_was(artefact):
    assert read_sidecar(artefact) == SIDECAR
    assert artefact.with_name("hard.parquet.provenance.json").is_file()
    assert read_sidecar(artefact).label == "core/ontology/terms[hard]"


def test_a_check_record_comes_back_as_it_was(artefact):
    assert read_checks(artefact) is None
    write_record(checks_path(artefact), CHECKS)
    assert read_checks(artefact) == CHECKS


def test_the_same_record_is_the_same_bytes(artefact):
    first = sidecar_path(artefact).read_bytes()
    write_record(sidecar_path(artefact), Sidecar.model_validate(dict(reversed(SIDECAR.model_dump().items()))))
    assert sidecar_path(artefact).read_bytes() == first
    assert "Bärbel" in first.decode()


def test_a_missing_sidecar_says_what_to_do(tmp_path):
    with pytest.raises(SidecarError, match="no sidecar beside it") as caught:
        read_sidecar(tmp_path / "a.parquet")
    assert isinstance(caught.value, GenoplatformError)
    assert "materialise" in caught.value.hint


def changed(**changes):
    return json.dumps(SIDECAR.model_dump(mode="json") | changes)


BAD = {
    "an unknown field": changed(signed_by="me"),
    "an unknown field inside": changed(code=CODE.model_dump() | {"host": "mine"}),
    "another format": changed(format="genoplatform-provenance/2"),
    "a wrong type": changed(bytes="many"),
    "a missing field": json.dumps({k: v for k, v in SIDECAR.model_dump(mode="json").items() if k != "sha256"}),
    "no JSON": "{",
    "a list": "[]",
    "empty": "",
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_not_quite_a_sidecar_is_refused(artefact, what):
    sidecar_path(artefact).write_text(BAD[what])
    with pytest.raises(SidecarError, match=r"hard\.parquet\.provenance\.json"):
        read_sidecar(artefact)


@pytest.mark.parametrize("content", ["{}", "", "[1]", json.dumps(CHECKS.model_dump() | {"when": "now"})])
def test_what_is_not_quite_a_check_record_is_refused(artefact, content):
    checks_path(artefact).write_text(content)
    with pytest.raises(SidecarError):
        read_checks(artefact)


def test_bytes_that_are_no_text_are_refused(artefact):
    sidecar_path(artefact).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SidecarError):
        read_sidecar(artefact)


def test_artefacts_are_listed_in_order(tmp_path):
    for name in ("b.parquet", "a/z.json", "a/y"):
        write_record(sidecar_path(tmp_path / name), SIDECAR)
    assert [path.relative_to(tmp_path).as_posix() for path in iter_artefacts(tmp_path)] == [
        "a/y",
        "a/z.json",
        "b.parquet",
    ]


def test_a_sidecar_cannot_be_changed_in_place():
    with pytest.raises(ValueError, match="frozen"):
        SIDECAR.sha256 = "0"
