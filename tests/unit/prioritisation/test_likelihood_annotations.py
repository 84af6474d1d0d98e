import pandas as pd
import pytest
from likelihood_examples import (
    ALL,
    COURSE,
    DOMINANT,
    INHERITANCE,
    MODIFIER,
    ONSET,
    SEVERITY,
    A,
    B,
    G,
    rows,
    small_graph,
)

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.ontology import with_copies
from genoplatform.ontology.hpoa import read_hpoa
from genoplatform.prioritisation.likelihood import phenotype_rows


def pooled(*given, **options):
    """(disease, term) -> (n, m)."""
    graph = small_graph()
    used = phenotype_rows(rows(*given), graph, **options)
    made = used.pool()
    keys = [(used.diseases[d], graph.ids[t]) for d, t in zip(made.disease, made.term, strict=True)]
    return dict(zip(keys, zip(made.affected.tolist(), made.examined.tolist(), strict=True), strict=True))


@pytest.mark.parametrize(
    ("frequency", "counts"),
    [
        ("", (1, 1)),
        ("NOT", (0, 1)),
        ("3/7", (3, 7)),
        ("0/7", (0, 7)),
        ("NOT 3/7", (4, 7)),
        ("NOT 0/7", (0, 7)),
        ("NOT 7/7", (0, 7)),
        ("HP:0040280", (5, 5)),  # obligate
        ("HP:0040281", (4, 5)),  # .895 * 5 = 4.475
        ("HP:0040282", (3, 5)),  # .545 * 5 = 2.725
        ("HP:0040283", (1, 5)),  # .17 * 5 = .85
        ("HP:0040284", (0, 5)),  # .025 * 5 = .125: "very rare" is absent
        ("HP:0040285", (0, 5)),
        ("NOT HP:0040281", (0, 5)),
        ("30%", (2, 5)),  # 1.5, half up
        ("10%", (1, 5)),  # .5, half up
        ("9%", (0, 5)),
        ("100%", (5, 5)),
        ("NOT 60%", (3, 5)),  # NOT does not turn a percentage
    ],
)
def test_patients_behind_each_spelling_of_a_frequency(frequency, counts):
    assert pooled(("OMIM:1", A, frequency)) == {("OMIM:1", A): counts}


def test_rows_of_one_disease_and_term_add_up():
    assert pooled(("OMIM:1", A, "1/1"), ("OMIM:1", A, "0/7"), ("OMIM:2", A, "1/2")) == {
        ("OMIM:1", A): (1, 8),
        ("OMIM:2", A): (1, 2),
    }


def test_frequency_is_a_single_precision_ratio():
    annotations = phenotype_rows(rows(("OMIM:1", A, "1/3"), ("OMIM:1", B, "0/3")), small_graph()).pool()
    assert annotations.frequency.tolist() == [0.3333333432674408, 0.0]  # 1/3 in 24 bits
    assert annotations.absent.tolist() == [False, True]


def test_only_phenotypes_count_and_every_disease_stays():
    given = [("OMIM:1", term, "") for term in (INHERITANCE, DOMINANT, COURSE, ONSET, MODIFIER)]
    used = phenotype_rows(rows(*given, ("DECIPHER:2", SEVERITY, ""), ("ORPHA:3", A, "")), small_graph())
    assert used.diseases == ["DECIPHER:2", "OMIM:1"]
    assert used.row.tolist() == [5]  # what is below the clinical modifier stays, the modifier itself does not
    assert used.report == {
        "rows": 7,
        "rows_other_database": 1,
        "rows_not_phenotype": 5,
        "rows_unresolved": 0,
        "diseases": 2,
        "diseases_without_phenotype": 1,
    }


def test_other_databases_on_request():
    assert pooled(("ORPHA:3", A, "HP:0040281"), ("OMIM:1", A, ""), prefixes=["ORPHA"]) == {("ORPHA:3", A): (4, 5)}
    with pytest.raises(EmptyResultError):
        pooled(("ORPHA:3", A, ""))


def test_old_ids_pool_with_new_ones_and_unknown_ids_are_counted():
    given = [("OMIM:1", G, "1/2"), ("OMIM:1", "HP:2000000", "1/2"), ("OMIM:1", "HP:9999999", "")]
    assert pooled(*given) == {("OMIM:1", G): (2, 4)}
    assert phenotype_rows(rows(*given), small_graph()).report["rows_unresolved"] == 1


def test_cohort_size_is_a_parameter():
    assert pooled(("OMIM:1", A, "30%"), cohort_size=10) == {("OMIM:1", A): (3, 10)}


HEADER = (
    "database_id\tdisease_name\tqualifier\thpo_id\treference\tevidence\tonset\tfrequency\tsex\tmodifier\taspect\t"
    "biocuration"
)


def release(tmp_path, *lines):
    path = tmp_path / "phenotype.hpoa"
    text = [f"{d}\tname\t{q}\t{t}\t{ref}\tPCS\t\t{f}\t\t\tP\t{stamp}" for d, q, t, ref, f, stamp in lines]
    path.write_text("\n".join(["#version: 2025-01-16", HEADER, *text]) + "\n")
    return read_hpoa(path)


def test_repeated_rows_count_as_often_as_they_stand_in_the_file(tmp_path):
    """As OMIM:266920 HP:0003774 in release 2025-01-16: 3/11, 2/2 and twice 1/1 are 7 of 15."""
    once = ("OMIM:1", "", A, "PMID:1", "3/11", "x")
    twice = ("OMIM:1", "", A, "PMID:2", "1/1", "x")
    absent = ("OMIM:1", "NOT", B, "PMID:2", "", "x")
    table = release(tmp_path, once, twice, (*twice[:5], "y"), absent, absent, absent)
    counted = with_copies(table)
    assert counted["copies"].tolist() == [1, 2, 3]
    made = phenotype_rows(counted, small_graph()).pool()
    assert (made.affected.tolist(), made.examined.tolist()) == ([5, 0], [13, 3])
    made = phenotype_rows(table.rows, small_graph()).pool()
    assert (made.affected.tolist(), made.examined.tolist()) == ([4, 0], [12, 1])


def test_repeats_that_match_no_row_are_an_error(tmp_path):
    row = ("OMIM:1", "", A, "PMID:1", "3/11", "x")
    table = release(tmp_path, row, row)
    table.rows.loc[0, "hpo_id"] = ALL
    with pytest.raises(BadInputError, match="1 repeats, of which 0 match"):
        with_copies(table)


def test_release_without_repeats(tmp_path):
    counted = with_copies(release(tmp_path, ("OMIM:1", "", A, "PMID:1", "", "x")))
    assert counted["copies"].tolist() == [1]
    assert isinstance(counted, pd.DataFrame)
