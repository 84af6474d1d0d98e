import pytest

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.ontology import disease_to_mondo, read_sssom

TEXT = """# curie_map:
#   OMIM: https://omim.org/entry/
subject_id\tsubject_label\tpredicate_id\tobject_id\tobject_label
MONDO:0001046\timperforate "anus\tskos:exactMatch\tOMIM:301800\t
MONDO:0001046\timperforate anus\tskos:exactMatch\tOMIM:207500\t
MONDO:0001046\timperforate anus\tskos:exactMatch\tOMIM:207500\tagain
MONDO:0000005\tx\tskos:exactMatch\tOMIMPS:203655\t
MONDO:0000006\tx\tskos:broadMatch\tOMIM:100000\t
MONDO:0000007\tx\tskos:exactMatch\tOMIM:207500\t
MONDO:0000007\tx\tskos:exactMatch\tOrphanet:93\t
"""


def test_all_exact_matches_are_kept_once(write):
    # inputs.md #24: one MONDO id, two OMIM ids
    assert read_sssom(write(TEXT)).values.tolist() == [
        ["MONDO:0000007", "OMIM:207500"],
        ["MONDO:0001046", "OMIM:207500"],
        ["MONDO:0001046", "OMIM:301800"],
    ]


def test_predicate_and_database_are_parameters(write):
    path = write(TEXT)
    assert read_sssom(path, predicate="skos:broadMatch")["disease_id"].tolist() == ["OMIM:100000"]
    assert read_sssom(path, object_prefix="ORPHA")["disease_id"].tolist() == ["ORPHA:93"]


def test_a_disease_may_have_several_mondo_ids(write):
    table = disease_to_mondo(read_sssom(write(TEXT)))
    assert table.values.tolist() == [
        ["OMIM:207500", ["MONDO:0000007", "MONDO:0001046"]],
        ["OMIM:301800", ["MONDO:0001046"]],
    ]


@pytest.mark.parametrize(
    ("text", "error", "found"),
    [
        ("", BadInputError, "No columns"),
        ("a\tb\n1\t2\n", BadInputError, "subject_id.*found a, b"),
        (TEXT[: TEXT.index("MONDO:0001046")], EmptyResultError, "no skos:exactMatch"),
        (TEXT.replace("MONDO:0000007", "DOID:7"), BadInputError, "not MONDO"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(write, text, error, found):
    with pytest.raises(error, match=found):
        read_sssom(write(text))
