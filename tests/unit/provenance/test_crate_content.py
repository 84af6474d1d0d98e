"""The digest a crate's verifier computes from CSV, in plain Python, is the one Arrow computes from the table."""

import csv
import io
from decimal import Decimal

import pandas as pd
import pytest
from frames import KEPT

from genoplatform.inference.claims import compare as compare_claim
from genoplatform.provenance.canonical import table_sha256
from genoplatform.provenance.crate_content import BATCH_ROWS, canonical, compare, file_sha256, typed
from genoplatform.provenance.crate_content import table_sha256 as plain_sha256
from genoplatform.provenance.crate_tables import write_tables
from genoplatform.provenance.digests import canonical_json
from genoplatform.provenance.digests import file_sha256 as platform_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.graph import GraphNode


class Labelled:
    """As much of a sidecar as writing tables needs."""

    asset, partition, label = "core/test/table", None, "core/test/table"


def from_csv(folder, table):
    """Digest computed from the CSV of a table, and the CSV's text."""
    path = folder / "table.parquet"
    FORMATS["parquet"].write(path, table)
    entry = write_tables(GraphNode(Labelled(), None, path, path), folder, "out/table")["tables"][0]
    with (folder / entry["file"]).open(newline="", encoding="utf-8") as handle:
        text = handle.read()
    lines = list(csv.reader(io.StringIO(text)))
    kinds = [column["type"] for column in entry["columns"]]
    columns = [[typed(line[place], kind) for line in lines[1:]] for place, kind in enumerate(kinds)]
    return plain_sha256(lines[0], kinds, columns), text


@pytest.mark.parametrize("name", KEPT)
def test_every_kind_of_column_keeps_its_digest(tmp_path, name):
    digest, _ = from_csv(tmp_path, KEPT[name])
    assert digest == table_sha256(KEPT[name])


def test_texts_that_csv_makes_ambiguous_keep_theirs(tmp_path):
    nasty = ["", "\\N", "\\\\N", "a,b", 'a"b', "a\nb", "a\r\nb", "\r", " ", "NaN", "ä\u2028", None]
    frame = pd.DataFrame({"s": pd.Series(nasty, dtype="str"), "l": [[item] if item else [] for item in nasty]})
    digest, text = from_csv(tmp_path, frame)
    assert digest == table_sha256(frame)
    assert "\\N\n" not in text.splitlines()[1]


def test_batches_are_part_of_the_digest(tmp_path):
    frame = pd.DataFrame({"x": range(BATCH_ROWS + 3), "s": [None] * BATCH_ROWS + ["a", None, "b"]})
    assert from_csv(tmp_path, frame)[0] == table_sha256(frame)


def test_json_and_trees_have_the_digests_of_the_platform(tmp_path):
    value = {"b": [1, 0.1, None, "ä"], "a": {"x": True}}
    assert canonical(value) == canonical_json(value)
    (tmp_path / "d" / "deep").mkdir(parents=True)
    (tmp_path / "d" / "deep" / "b").write_bytes(b"2")
    (tmp_path / "d" / "a").write_bytes(b"1")
    assert file_sha256(tmp_path / "d") == platform_sha256(tmp_path / "d")


@pytest.mark.parametrize(
    ("claimed", "found", "tolerance"),
    [
        ("0.79", 0.785, 0),
        ("0.79", 0.78, 0),
        ("0.79", 0.7, 0),
        ("94", 94.4, 0),
        ("94", 93.4, 0),
        ("0.0001", 0.0002, 1e-4),
        ("-0.5", -0.45, 0),
        ("1e3", 1000.4, 0),
        ("0.10", 0.1, 0),
        ("2.5", 2.45, 0),
    ],
)
def test_claims_are_judged_as_the_platform_judges_them(claimed, found, tolerance):
    status, rounded, _ = compare_claim(claimed, found, tolerance)
    assert compare(Decimal(claimed), Decimal(repr(found)), Decimal(repr(float(tolerance)))) == (status, rounded)
