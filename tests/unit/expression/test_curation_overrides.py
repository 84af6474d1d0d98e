"""People's decisions over a curator's: applied, validated, recorded."""

import pytest

from genoplatform.errors import BadInputError
from genoplatform.expression.curation import CharacteristicsRow, CohortFacts, apply_overrides, curate, read_overrides


@pytest.fixture
def decisions():
    rows = (["disease: OA", "disease: RA"], ["sex: F", "sex: M"])
    facts = CohortFacts(
        trait="Osteoarthritis",
        cohort="GSE1",
        characteristics=tuple(CharacteristicsRow.of(i, cells) for i, cells in enumerate(rows)),
        first_ids=("1007_s_at",),
    )
    return curate(facts)


def entry(**fields):
    return {"GSE1": {"by": "a.name", "reason": "read the paper", **fields}}


def test_without_an_entry_nothing_changes(decisions):
    assert apply_overrides(decisions, {}) is decisions
    assert apply_overrides(decisions, {"GSE2": {"by": "a", "reason": "b"}}) is decisions


def test_single_codes_are_laid_over_and_the_change_is_told(decisions):
    changed = apply_overrides(decisions, entry(trait_codes={"disease: RA": None, "disease: control": 0.0}))
    assert changed.trait_variable.codes == {"disease: OA": 1.0, "disease: RA": None, "disease: control": 0.0}
    assert changed.curator == "rules, overridden by a.name"
    assert (
        changed.why["trait"] == "a.name: read the paper (was: row 0 (disease), 2 codes; is: row 0 (disease), 3 codes)"
    )
    assert changed.gender_variable == decisions.gender_variable


def test_null_means_not_available_and_plain_fields_are_set(decisions):
    changed = apply_overrides(decisions, entry(gender=None, needs_mapping=False, is_gene_available=False))
    assert changed.gender_variable is None
    assert changed.needs_mapping is False
    assert not changed.is_gene_available
    assert "was: row 1 (sex)" in changed.why["gender"]


def test_the_entry_of_the_trait_goes_before_that_of_the_cohort(decisions):
    both = {**entry(gender=None), "Osteoarthritis|GSE1": {"by": "b", "reason": "c", "needs_mapping": False}}
    changed = apply_overrides(decisions, both)
    assert changed.gender_variable is not None
    assert changed.needs_mapping is False


def test_a_whole_variable_from_a_file(decisions, tmp_path):
    path = tmp_path / "people.yml"
    path.write_text(
        "GSE1:\n  by: a.name\n  reason: ages stand in row 3\n"
        "  age: {source: characteristics, key: age, row: 3, kind: continuous,\n"
        '    codes: {"age: 50s": 55, "age: 60s": 65}}\n'
    )
    changed = apply_overrides(decisions, read_overrides(path))
    assert changed.age_variable.codes == {"age: 50s": 55.0, "age: 60s": 65.0}


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"sex": None}, "sex"),
        ({"trait_codes": {"disease: RA": "one"}}, "trait_codes"),
        ({"trait_codes": {"disease: OA": None, "disease: RA": None}}, "all unknown"),
        ({"trait_codes": {"disease: RA": 1.0}}, "constant"),
        ({"trait_codes": {"disease: RA": 2.0}}, "binary"),
        ({"age_codes": {"age: 5": 5.0}}, "age is not available"),
    ],
)
def test_bad_entries_are_explained(decisions, fields, found):
    with pytest.raises(BadInputError, match=found):
        apply_overrides(decisions, entry(**fields))


def test_a_file_that_is_no_mapping_is_explained(tmp_path):
    path = tmp_path / "people.yml"
    path.write_text("- GSE1\n")
    with pytest.raises(BadInputError, match="list"):
        read_overrides(path)
    path.write_text("GSE1: {by: a\n")
    with pytest.raises(BadInputError, match="not YAML"):
        read_overrides(path)
