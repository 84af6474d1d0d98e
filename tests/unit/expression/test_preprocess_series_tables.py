"""What is stored of a cohort before decisions, and the annotation columns that decisions choose (B.6, B.7)."""

import pytest
from geo_files import matrix_text, put, soft_text, tsv

from genoplatform.errors import BadInputError
from genoplatform.expression.decide import decide, overrides_in, platform_by_people
from genoplatform.expression.decisions import CohortDecisions
from genoplatform.expression.readers.platform_choice import CohortSource
from genoplatform.expression.series_tables import cohort_facts, read_chosen_annotation, read_series_tables

KEY = "Asthma|GSE1"
CHARACTERISTICS = [["disease: asthma", "disease: control", "disease: asthma", "disease: control"]]
ANNOTATION = tsv("ID ProbeName Symbol", "1 p1 TP53", "2 p2 ", "3  KRAS", "4 p4 BRCA1")


@pytest.fixture
def source(tmp_path):
    rows = {"p1": [1, 2, 3, 4], "p4": [5, 6, 7, 8]}
    put(tmp_path / "GSE1_series_matrix.txt", matrix_text(rows, characteristics=CHARACTERISTICS, platform="GPL1"))
    put(tmp_path / "GSE1_family.soft", soft_text({"GPL1": ANNOTATION}))
    return CohortSource(KEY, tmp_path)


def decisions(**change):
    known = {"trait": "Asthma", "cohort": "GSE1", "is_gene_available": True, "trait_variable": None, "curator": "test"}
    return CohortDecisions.model_validate(known | {"needs_mapping": True, "gene_column": "Symbol"} | change)


def test_facts_for_the_curator(source):
    facts = cohort_facts(read_series_tables(source))
    assert (facts.trait, facts.cohort, facts.platform) == ("Asthma", "GSE1", "GPL1")
    assert facts.first_ids == ("p1", "p4")
    assert facts.annotation["Symbol"] == ("TP53", None, "KRAS", "BRCA1")
    assert facts.characteristics[0].values == ("disease: asthma", "disease: control")
    assert facts.characteristics[0].counts == (2, 2)


def test_the_id_column_may_have_any_name_under_sound_rules(source):
    """Marked in B.7: release 2 joins on a column that must be called ID."""
    chosen = decisions(id_column="ProbeName")
    sound, counts = read_chosen_annotation(source, "GPL1", chosen, "sound")
    assert sound.to_numpy().tolist() == [["p1", "TP53"], ["p4", "BRCA1"]]
    assert counts == {"annotation rows": 4, "mapping rows": 2}
    compat, _ = read_chosen_annotation(source, "GPL1", chosen, "compat_v2")
    assert compat["probe"].tolist() == ["1", "3", "4"]


@pytest.mark.parametrize(
    ("change", "platform"),
    [
        ({"needs_mapping": False}, "GPL1"),
        ({"gene_column": None}, "GPL1"),
        ({"gene_column": "Gene"}, "GPL1"),
        ({}, "GPL9"),
    ],
)
def test_nothing_to_map_by(source, change, platform):
    table, counts = read_chosen_annotation(source, platform, decisions(**change), "sound")
    assert table.columns.tolist() == ["probe", "gene"]
    assert table.empty
    assert "annotation rows" in counts


def test_people_decide_last(source, tmp_path):
    tables = read_series_tables(source)
    assert decide(tables, "sound").curator == "rules"
    people = put(
        tmp_path / "people" / "a.yml", "GSE1: {by: someone, reason: known, platform: GPL1, gene_column: ProbeName}"
    )
    found = decide(tables, "sound", people.parent)
    assert (found.gene_column, found.curator) == ("ProbeName", "rules, overridden by someone")
    assert platform_by_people(KEY, people) == "GPL1"
    assert platform_by_people(KEY, None) is None
    put(tmp_path / "people" / "b.yaml", "GSE1: {by: another, reason: known}")
    with pytest.raises(BadInputError, match="twice"):
        overrides_in(people.parent)
