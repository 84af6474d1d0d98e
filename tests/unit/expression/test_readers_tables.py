"""Lines and tables of numbers: what is plain, packed, odd or damaged."""

import gzip

import numpy as np
import pytest
from geo_files import put

from genoplatform.errors import BadInputError
from genoplatform.expression.readers.lines import cells_of, opened, text_of
from genoplatform.expression.readers.number_table import parse_number_table


def rows(*lines):
    return [line.encode() + b"\n" for line in lines]


def test_plain_and_gzip_read_the_same_whatever_the_name_says(tmp_path):
    plain, packed = put(tmp_path / "a.txt.gz", "one\ntwo\n"), put(tmp_path / "b.txt", "one\ntwo\n", zipped=True)
    for path in (plain, packed):
        with opened(path) as stream:
            assert list(stream) == [b"one\n", b"two\n"]


def test_a_truncated_archive_is_an_explained_error(tmp_path):
    whole = gzip.compress(b"line\n" * 10_000)
    path = tmp_path / "cut.gz"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInputError, match=r"cut\.gz"), opened(path) as stream:
        list(stream)
    with pytest.raises(BadInputError, match="absent"), opened(tmp_path / "absent") as stream:
        list(stream)


def test_old_submissions_are_latin_1():
    assert text_of("Sjögren".encode("latin-1")) == "Sjögren" == text_of("Sjögren\r\n".encode())
    assert cells_of('"a ""b"""\t c \t') == ['a "b"', "c", ""]


def test_values_missing_values_and_quoted_ids():
    table = parse_number_table(rows('"ID_REF"\t"GSM1"\t"GSM2"', '"1_at"\t1.5\t', "2\tNA\t-1e-3", "x\tnull\t7"))
    assert table.ids == ["1_at", "2", "x"]
    assert table.samples == ["GSM1", "GSM2"]
    np.testing.assert_array_equal(table.values, [[1.5, np.nan], [np.nan, -1e-3], [np.nan, 7]])
    assert table.report == {}
    assert not table.is_empty


def test_a_column_that_begins_with_a_thousand_empty_cells_is_numbers_still():
    """A reader that guesses types from the first rows loses such samples (GEOquery issue 159)."""
    table = parse_number_table(rows("ID\tA\tB", *(f"p{i}\t\t1" for i in range(1200)), "last\t5\t2"))
    assert table.values[-1].tolist() == [5, 2]
    assert int(np.isnan(table.values[:, 0]).sum()) == 1200


def test_rows_of_another_length_and_cells_that_are_no_numbers_are_counted():
    table = parse_number_table(
        rows("ID\tA\tB", "short\t1", "long\t1\t2\t3", "text\tP\t4", "fine\t5\t6", "", "ID\tA\tB")
    )
    assert table.ids == ["short", "text", "fine"]
    np.testing.assert_array_equal(table.values, [[1, np.nan], [np.nan, 4], [5, 6]])
    assert table.report == {
        "rows too long, left out": 1,
        "rows too short, padded": 1,
        "unreadable cells": 1,
        "headers repeated": 1,
    }


def test_blocks_do_not_show(monkeypatch):
    lines = rows("ID\tA", *(f"p{i}\t{i}" for i in range(100)))
    whole = parse_number_table(lines)
    monkeypatch.setattr("genoplatform.expression.readers.number_table.BLOCK", 64)
    pieces = parse_number_table(lines)
    assert pieces.ids == whole.ids
    np.testing.assert_array_equal(pieces.values, whole.values)


def test_empty_tables_and_repeated_ids():
    assert parse_number_table([]).is_empty
    header_only = parse_number_table(rows("ID\tA\tB"))
    assert (header_only.values.shape, header_only.samples, header_only.is_empty) == ((0, 2), ["A", "B"], True)
    assert parse_number_table(rows("ID\tA", "x\t1", "x\t2")).report == {"ids repeated": 1}
    assert parse_number_table(rows("ID\tA", "x\t", "y\tNA")).is_empty
