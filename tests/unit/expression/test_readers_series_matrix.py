"""Series matrix files, the well-formed and those that other readers stumble over (expression.md B.2, B.5, E.6)."""

import pytest
from geo_files import SAMPLES, line, matrix_text, put

from genoplatform.errors import BadInputError
from genoplatform.expression.readers.series_matrix import CHARACTERISTICS, read_series_matrix

ROWS = {"p1": [1, 2, 3, 4], "p2": [5, 6, 7, 8]}


@pytest.mark.parametrize("zipped", [True, False])
def test_header_and_table(tmp_path, zipped):
    cells = ["age: 1", "age: 2", "age: 3", "age: 4"]
    text = matrix_text(ROWS, characteristics=[cells], platform="GPL96")
    read = read_series_matrix(put(tmp_path / "GSE1_series_matrix.txt.gz", text, zipped=zipped))
    assert read.series == [("!Series_title", "A series")]
    assert read.samples == SAMPLES == read.table.samples
    assert read.cells(CHARACTERISTICS) == [cells]
    assert read.cells("!Sample_title")[0][0] == "title of GSM1"
    assert read.platform == "GPL96"
    assert read.table.ids == ["p1", "p2"]
    assert read.table.values.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_the_table_can_be_left_alone(tmp_path):
    path = put(tmp_path / "m", matrix_text(ROWS))
    assert read_series_matrix(path, with_table=False).table.ids == []
    assert read_series_matrix(path, with_table=False).samples == SAMPLES


def test_line_breaks_inside_cells(tmp_path):
    """GSE781 and GSE27957 have them; readers that go by line shift or stop there (GEOquery issues 54, 66, 93, 102)."""
    broken = ['probe group file\r\nHuEx"', *['"x"'] * 3]
    text = matrix_text(ROWS, series=[("!Series_summary", "first\nsecond"), ("!Series_title", "t")])
    text = text.replace(
        "!series_matrix_table_begin",
        '!Sample_data_processing\t"' + "\t".join(broken) + "\n!series_matrix_table_begin",
        1,
    )
    read = read_series_matrix(put(tmp_path / "m", text))
    assert read.series[0] == ("!Series_summary", "first second")
    assert len(read.cells("!Sample_data_processing")[0]) == 4
    assert read.table.ids == ["p1", "p2"]


def test_repeated_markers_and_headers(tmp_path):
    """GEOquery issue 110 stops at a second begin marker."""
    text = matrix_text(ROWS)
    header = text[text.index('"ID_REF"') : text.index('"p1"')]
    again = text.replace('"p2"', f'!series_matrix_table_begin\n{header}"p2"')
    read = read_series_matrix(put(tmp_path / "m", again))
    assert read.table.ids == ["p1", "p2"]
    assert read.table.report == {"headers repeated": 1}
    ended = text.replace("!series_matrix_table_end", "!series_matrix_table_end\n!series_matrix_table_end\n")
    assert read_series_matrix(put(tmp_path / "n", ended)).table.ids == ["p1", "p2"]


def test_an_empty_table_is_no_error(tmp_path):
    """Sequencing series have a header and no row (GEOquery issues 54, 78, 108)."""
    read = read_series_matrix(put(tmp_path / "m", matrix_text({})))
    assert read.table.is_empty
    assert read.samples == SAMPLES


def test_header_rows_that_are_too_short_or_too_long(tmp_path):
    text = matrix_text(ROWS, characteristics=[["a: 1", "a: 2", "a: 3"], ["b: 1"] * 5])
    read = read_series_matrix(put(tmp_path / "m", text))
    assert read.cells(CHARACTERISTICS) == [["a: 1", "a: 2", "a: 3", ""]]
    assert read.report == {"header rows too long, left out": 1}


def test_fields_are_found_by_name_not_by_line(tmp_path):
    """GEO makes its files anew, with other lines in other places (biolearn pull request 211)."""
    text = matrix_text(ROWS, characteristics=[["a: 1"] * 4])
    lines = text.split("\n")
    at = next(i for i, item in enumerate(lines) if item.startswith("!Sample_char"))
    moved = [lines[at], line("!Sample_status", ["Public on Jan 1"] * 4), *lines[:at], *lines[at + 1 :]]
    first, second = (read_series_matrix(put(tmp_path / n, t)) for n, t in (("a", text), ("b", "\n".join(moved))))
    assert first.cells(CHARACTERISTICS) == second.cells(CHARACTERISTICS)
    assert first.samples == second.samples


def test_something_else_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="GEO series matrix"):
        read_series_matrix(put(tmp_path / "m", "sample\tage\nA\t1\n"))
