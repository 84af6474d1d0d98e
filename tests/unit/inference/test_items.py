"""Item tables as people bring them: layouts, aliases, and every refusal with the lines at fault."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.errors import BadInputError
from genoplatform.inference.items import read_items, validate_items

LONG = "item,cluster,exposed,system,rank\na,p1,1,S,1\nb,p2,0,S,3\na,p1,1,M,2\nb,p2,0,M,\n"


@pytest.fixture
def read(tmp_path):
    def read_text(text, encoding="utf-8"):
        path = tmp_path / "items.csv"
        path.write_bytes(text.encode(encoding))
        return read_items(path)

    return read_text


def columns(table, *names):
    return table.rows[list(names)].to_numpy().tolist()


def test_long_table(read):
    table = read(LONG)
    assert columns(table, "item", "cluster", "system", "hit", "ranked", "exposed") == [
        ["a", "p1", "S", 1.0, True, 1.0],
        ["b", "p2", "S", 0.0, True, 0.0],
        ["a", "p1", "M", 0.0, True, 1.0],
        ["b", "p2", "M", 0.0, True, 0.0],
    ]
    assert table.rows["rank"].tolist()[:3] == [1.0, 3.0, 2.0]
    assert table.notes == ["M: 1 items without a rank count as misses"]


def test_wide_table_with_aliases_is_the_same_table(read):
    wide = read("Case_ID,PMID,overlap,rank_S,rank_M\na,p1,1,1,2\nb,p2,0,3,\n")
    pd.testing.assert_frame_equal(wide.rows, read(LONG).rows)


def test_ranks_and_hits_side_by_side(read):
    table = read("item,cluster,rank_S,hit_T\na,p1,1,0\nb,p2,4,1\n")
    assert columns(table, "item", "system", "hit", "ranked") == [
        ["a", "S", 1.0, True],
        ["b", "S", 0.0, True],
        ["a", "T", 0.0, False],
        ["b", "T", 1.0, False],
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_separators_and_byte_order_mark(read, separator, encoding):
    pd.testing.assert_frame_equal(read(LONG.replace(",", separator), encoding).rows, read(LONG).rows)


def test_quotes_line_ends_and_blank_lines(read):
    table = read('item,cluster,rank_S\r\n"a, ""x""\ny",p1,1\r\n\r\n,,\r\nb, p2 ,2\r\n')
    assert columns(table, "item", "cluster", "rank") == [['a, "x"\ny', "p1", 1.0], ["b", "p2", 2.0]]


def test_unknown_columns_and_flags_are_told(read):
    table = read("item,cluster,exposed,year,rank_S,note\na,p1,1,2019,1,x\nb,p2,,2020,1,y\n")
    assert table.notes == [
        "columns not used: note",
        "1 of 2 items have no exposed flag: they count in 'full' only",
    ]
    assert table.rows["recent"].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("dtype", ["float64", "Float64", "Int64", "object", "str"])
def test_frames_of_any_dtype(dtype):
    rank = pd.Series(["1", None] if dtype == "str" else [1, None], dtype=dtype)
    pmid = pd.Series([36189931.0, 12.0])
    table = validate_items(pd.DataFrame({"item": [7, 8], "pmid": pmid, "exposed": [True, False], "rank_S": rank}))
    assert table.rows["cluster"].tolist() == ["36189931", "12"]
    assert table.rows["item"].tolist() == ["7", "8"]
    assert table.rows["exposed"].tolist() == [1.0, 0.0]
    assert table.rows["rank"].iloc[0] == 1.0
    assert np.isnan(table.rows["rank"].iloc[1])


def test_an_items_table_goes_through_its_own_check():
    first = validate_items(pd.DataFrame({"item": ["a", "b"], "cluster": ["p", "q"], "rank_S": [1, 2]}))
    again = validate_items(first.rows.drop(columns="ranked"))
    pd.testing.assert_frame_equal(again.rows, first.rows)


HEADER = "item,cluster,exposed,system,rank\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        (HEADER, "the table has no rows"),
        ("item,cluster,system\na,p,S\n", "no column rank or hit; columns found: item, cluster, system"),
        ("item,rank_S\na,1\n", "no column cluster"),
        ("case,cluster,rank_S\na,p,1\n", "no column item"),
        ("item,cluster,rank\na,p,1\n", "no column system"),
        ("item,cluster,rank,rank_S\na,p,1,1\n", "column 'rank' beside 'rank_S' but no column 'system'"),
        ("item,Item,cluster,rank_S\na,b,p,1\n", "a column name occurs twice"),
        ("item,pmid,source_pmid,rank_S\na,1,2,1\n", "columns source_pmid and pmid could both be the cluster"),
        ("item,cluster,rank_S,RANK_S\na,p,1,1\n", "occurs twice"),
        (HEADER + "a,p1,1,S,1\nb,p2,0,S\n", "line 3 has 4 fields, the header 5"),
        (HEADER + "a,p1,1,S,1\n\nb,,0,S,1\n", r"column cluster: blank or missing \(1 rows: line 4\)"),
        (HEADER + "a,p1,1,S,1\nb,NaN,0,S,1\n", "column cluster: blank or missing"),
        (HEADER + "a,p1,1,S,1\n,p2,0,S,1\n", "column item: blank or missing"),
        (HEADER + "a,p1,1,S,1\nb,p2,0,,1\n", "column system: blank or missing"),
        (HEADER + "a,p1,1,S,1\nb,p2,0,S,x\nc,p2,0,S,2\n", r"column rank: not a number \['x'\] \(1 rows: line 3\)"),
        (HEADER + "a,p1,1,S,1\nb,p2,0,S,-2\n", r"column rank: below 1 or infinite \[-2.0\]"),
        (HEADER + "a,p1,1,S,0\nb,p2,0,S,inf\n", r"below 1 or infinite \[0.0, inf\] \(2 rows: line 2, 3\)"),
        (HEADER + "a,p1,2,S,1\nb,p2,0,S,1\n", r"column exposed: not 0 or 1 \['2'\] \(1 rows: line 2\)"),
        (HEADER + "a,p1,yes,S,1\nb,p2,0,S,1\n", "column exposed: not a number"),
        (HEADER + "a,p1,1,S,1\na,p1,1,S,2\nb,p2,0,S,1\n", r"same item and system more than once \(2 rows: line 2, 3\)"),
        (HEADER + "a,p1,1,S,1\na,p2,1,M,2\n", r"item 'a' has more than one cluster \(line 2, 3\)"),
        (HEADER + "a,p1,1,S,1\na,p1,0,M,2\nb,p2,0,S,1\n", "item 'a' has more than one exposed"),
        (HEADER + "a,p1,1,S,1\na,p1,,M,2\nb,p2,0,S,1\n", "item 'a' has more than one exposed"),
        (HEADER + "a,p1,1,S,1\nb,p1,0,S,1\n", r"one cluster only \('p1'\)"),
        ("item,cluster,hit_S\na,p1,1\nb,p2,\n", "column hit: blank cells"),
        ("item,cluster,hit_S\na,p1,1\nb,p2,0.5\n", "column hit: not 0 or 1"),
        ("item,cluster,rank_S,hit_S\na,p1,1,1\nb,p2,2,1\n", r"hit contradicts rank \(1 rows: line 3\)"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(read, text, message):
    with pytest.raises(BadInputError, match=message):
        read(text)


def test_files_that_are_no_tables(tmp_path):
    with pytest.raises(BadInputError, match="No such file"):
        read_items(tmp_path / "missing.csv")
    with pytest.raises(BadInputError, match="directory"):
        read_items(tmp_path)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(BadInputError, match=r"not UTF-8 text \(byte 4\)"):
        read_items(binary)
