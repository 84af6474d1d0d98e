"""Conditions of the `expression` test: columns, literals, operators and listed functions get through, nothing else."""

import pytest

from genoplatform.dbt_like_checks.expressions import columns_of, safe_expression

GOOD = {
    "a > 0": ["a"],
    "not (a and b)": ["a", "b"],
    "a between 1 and 2.5e3 or a is null": ["a"],
    "name like 'x; drop -table' and name <> 'it''s'": ["name"],
    "case when a = 1 then b else c end >= 0": ["a", "b", "c"],
    "coalesce(abs(a), b) % 2 = 0": ["a", "b"],
    "list_position(genes, symbol) = place + 1": ["genes", "symbol", "place"],
    "a in (1, 2) AND NOT b": ["a", "b"],
}


@pytest.mark.parametrize("sql", GOOD)
def test_conditions_pass_and_name_their_columns(sql):
    assert safe_expression(sql) == sql
    assert columns_of(sql) == GOOD[sql]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("", "empty"),
        ("a > 0; select 1", "cannot read"),
        ("a > 0 -- comment", "no comments"),
        ("a > 0 /* comment */", "no comments"),
        ("read_parquet('x') = 1", "no function 'read_parquet'"),
        ("exists (select 1)", "no function 'exists'"),
        ("getenv('HOME') = a", "no function 'getenv'"),
        ("(a > 0", "parentheses"),
        ("a > 0)) or ((b", "parentheses"),
        ('"quoted" = 1', "cannot read"),
        ("a = $1", "cannot read"),
        ("a::text = 'x'", "cannot read"),
        ("a > 'open", "cannot read"),
    ],
)
def test_anything_else_is_refused(sql, message):
    with pytest.raises(ValueError, match=message):
        safe_expression(sql)
