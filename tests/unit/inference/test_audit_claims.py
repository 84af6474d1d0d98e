import pandas as pd
import pytest

from genoplatform.errors import SettingsError
from genoplatform.inference.claims import Claim, audit_claims, compare, failing, read_claims

TABLE = pd.DataFrame({"system": ["K", "M"], "top1": [0.6905, 0.9236], "n": [1047, 1047], "p": [9.716e-39, None]})


def claim(value: str, system: str = "K", column: str = "top1", **more) -> Claim:
    return Claim(f"{system} {column}", value, "rates", column, {"system": system}, **more)


def status(made: Claim) -> str:
    return audit_claims([made], {"rates": TABLE})["status"].item()


@pytest.mark.parametrize(
    ("claimed", "found", "expected"),
    [
        ("0.691", 0.6905, "OK"),  # half up in decimal; 0.6905 as a binary float lies below and would round down
        ("0.690", 0.6905, "ROUNDING"),
        ("0.689", 0.6905, "MISMATCH"),
        ("-0.691", -0.6905, "OK"),
        ("0.69", 0.6905, "OK"),
        ("0.6905", 0.6905, "OK"),
        ("9.72e-39", 9.716e-39, "OK"),
        ("9.71e-39", 9.716e-39, "ROUNDING"),
        ("9.62e-39", 9.716e-39, "MISMATCH"),
        ("723", 723.0, "OK"),
        ("724", 723.0, "MISMATCH"),
    ],
)
def test_the_claims_own_digits_set_the_comparison(claimed, found, expected):
    assert compare(claimed, found)[0] == expected


def test_a_declared_tolerance_covers_resampling_noise_only_as_far_as_it_goes():
    assert status(claim("0.688", tolerance=0.003)) == "OK"
    assert status(claim("0.687", tolerance=0.003)) == "MISMATCH"


@pytest.mark.parametrize(
    ("made", "detail"),
    [
        (claim("0.5", "S"), "0 rows"),
        (claim("0.5", column="mrr"), "no column mrr"),
        (claim("0.5", "M", "p"), "missing"),
        (Claim("x", "0.5", "elsewhere", "top1"), "no artefact elsewhere"),
        (Claim("x", "0.5", "rates", "top1"), "2 rows"),
        (Claim("x", "0.5", "rates", "system", {"system": "K"}), "not a number"),
    ],
)
def test_a_claim_without_its_cell_has_no_artefact(made, detail):
    row = audit_claims([made], {"rates": TABLE}).iloc[0]
    assert row["status"] == "NO_ARTEFACT"
    assert detail in row["detail"]


def test_one_changed_digit_fails_the_gate_and_is_named():
    good = [claim("0.691"), claim("0.924", "M"), claim("1047", column="n")]
    assert failing(audit_claims(good, {"rates": TABLE})).empty
    for i, wrong in enumerate(["0.692", "0.925", "1048"]):
        changed = [Claim(**{**vars(c), "value": wrong}) if j == i else c for j, c in enumerate(good)]
        assert failing(audit_claims(changed, {"rates": TABLE}))["name"].tolist() == [good[i].name]
    changed_artefact = TABLE.assign(top1=[0.6905, 0.9246])
    assert failing(audit_claims(good, {"rates": changed_artefact}))["name"].tolist() == ["M top1"]


def test_reading_a_claims_file(tmp_path):
    path = tmp_path / "claims.yml"
    path.write_text(
        "claims:\n- {name: a, value: '0.690', artefact: rates, column: top1, where: {system: K}, source: paper}\n"
        "- {name: b, value: 1047, artefact: rates, column: n, where: {system: M}}\n"
    )
    first, second = read_claims(path)
    assert (first.value, first.cell, first.source) == ("0.690", "system=K, top1", "paper")
    assert second.value == "1047"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{name: a, value: 0.690, artefact: r, column: c}", "quote it"),
        ("{name: a, value: 'x', artefact: r, column: c}", "not a number"),
        ("{name: a, value: '1', artefact: r}", r"missing \['column'\]"),
        ("{name: a, value: '1', artefact: r, column: c, colour: red}", "colour"),
        ("{name: a, value: '1', artefact: r, column: c, tolerance: -1.0}", "tolerance"),
        ("{name: a, value: '1', artefact: r, column: c}\n- {name: a, value: '1', artefact: r, column: c}", "twice"),
        ("just text", "mapping"),
    ],
)
def test_a_malformed_claim_is_an_error(tmp_path, entry, message):
    path = tmp_path / "claims.yml"
    path.write_text(f"claims:\n- {entry}\n")
    with pytest.raises(SettingsError, match=message):
        read_claims(path)
    path.write_text("numbers: []\n")
    with pytest.raises(SettingsError, match="'claims'"):
        read_claims(path)
