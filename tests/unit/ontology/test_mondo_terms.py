import json

import pytest
import zstandard

from genoplatform.errors import BadInputError
from genoplatform.ontology import read_mondo_terms, read_mondo_xrefs

JSON = {
    "MONDO:0000002": {"ancestors": {"MONDO:0000001": 1}, "label": "child", "deprecated": False},
    "MONDO:0000001": {"ancestors": {}, "label": "disease", "deprecated": False},
    "MONDO:0000003": {"ancestors": {}, "label": "obsolete x", "deprecated": True, "replaced_by": "MONDO:0000002"},
}
OBO = """format-version: 1.2
data-version: http://purl.obolibrary.org/obo/mondo/releases/2026-05-05/mondo.owl
ontology: mondo

[Term]
id: MONDO:0000002
name: child
xref: OMIM:100001
xref: DOID:7
is_a: MONDO:0000001 ! disease

[Term]
id: MONDO:0000001
name: disease
xref: OMIM:100001
xref: OMIM:100002 {source="MONDO:equivalentTo"}

[Term]
id: MONDO:0000003
name: obsolete x
is_obsolete: true
replaced_by: MONDO:0000002
"""


@pytest.mark.parametrize("kind", ["json", "zst", "obo"])
def test_every_form_gives_the_same_terms_and_ancestors(write, kind):
    plain = json.dumps(JSON)
    content = {"json": plain, "zst": zstandard.compress(plain.encode()), "obo": OBO}[kind]
    release = read_mondo_terms(write(content, "MONDO-ontology-v2026-05-05"))
    assert release.version == "2026-05-05"
    assert release.terms.values.tolist() == [
        ["MONDO:0000001", "disease", False],
        ["MONDO:0000002", "child", False],
        ["MONDO:0000003", "obsolete x", True],
    ]
    assert release.ancestors.values.tolist() == [
        ["MONDO:0000001", "MONDO:0000001"],
        ["MONDO:0000002", "MONDO:0000001"],
        ["MONDO:0000002", "MONDO:0000002"],
        ["MONDO:0000003", "MONDO:0000003"],
    ]


def test_a_version_nobody_states_is_empty(write):
    assert read_mondo_terms(write(json.dumps(JSON), "terms")).version == ""


def test_the_first_term_of_the_file_wins_a_cross_reference(write):
    # rare_disease.md section 4.2; the file need not be sorted
    xrefs = read_mondo_xrefs(write(OBO))
    assert xrefs.values.tolist() == [["OMIM:100001", "MONDO:0000002"], ["OMIM:100002", "MONDO:0000001"]]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"{",
        b'{"a": 1}',
        zstandard.compress(json.dumps(JSON).encode())[:-9],
        json.dumps({"MONDO:1": {"label": "x", "ancestors": {"MONDO:9": 1}}}).encode(),
        b"<html>",
    ],
)
def test_a_file_that_is_none_of_these_is_refused(write, content):
    with pytest.raises(BadInputError):
        read_mondo_terms(write(content, "mondo"))
