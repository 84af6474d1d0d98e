import pytest

from genoplatform.errors import SettingsError
from genoplatform.inference.claims import Claim, read_claims

FILE = """
tables:
- title: shift
  source: paper
  artefact: shifts
  tolerance: 0.1
  where: {reference: M}
  keys: [system, subset]
  columns: [n, {name: low end, column: lo, tolerance: 0.5, where: {metric: top1}}]
  rows:
  - [K, full, 7, "-0.0310"]
  - [S, full, null, "0.5"]
claims:
- {name: lone, value: 1, artefact: shifts, column: n}
"""


def read(tmp_path, text: str) -> list[Claim]:
    (tmp_path / "claims.yml").write_text(text)
    return read_claims(tmp_path / "claims.yml")


def test_a_table_is_read_as_one_claim_a_cell(tmp_path):
    lone, count, low, other = read(tmp_path, FILE)
    assert (lone.name, lone.value) == ("lone", "1")
    where = {"reference": "M", "system": "K", "subset": "full"}
    assert count == Claim("shift: K full n", "7", "shifts", "n", where, 0.1, "paper")
    low_where = {**where, "metric": "top1"}
    assert low == Claim("shift: K full low end", "-0.0310", "shifts", "lo", low_where, 0.5, "paper")
    assert (other.name, other.value) == ("shift: S full low end", "0.5"), "null is no claim"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("title: shift", "title: shift\n  colour: red"), r"unknown keys \['colour'\]"),
        (("  artefact: shifts\n  tol", "  tol"), r"missing \['artefact'\]"),
        (("[K, full, 7,", "[K, full,"), "has not 2 keys and 2 values"),
        (("  - [K, full, 7, ", "  - 7 # "), "has not 2 keys"),
        (("tolerance: 0.5", "tolerance: 5e-01"), "tolerance '5e-01'.*YAML takes"),
        (('"-0.0310"', "-0.0310"), "shift: K full low end: value -0.031 is not text"),
        (("column: lo,", "row: lo,"), "column {'name'"),
        (("[S, full", "[K, full"), r"claimed twice: \['shift: K full low end'\]"),
        (("tables:\n- title: shift", "tables:\n- text\n- title: shift"), "table of claims 'text' is not a mapping"),
    ],
)
def test_a_malformed_table_is_an_error(tmp_path, change, message):
    assert change[0] in FILE
    with pytest.raises(SettingsError, match=f"(?s){message}"):
        read(tmp_path, FILE.replace(*change))
