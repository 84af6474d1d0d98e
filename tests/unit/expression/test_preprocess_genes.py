"""From measured rows to the gene table under each family of rules (expression.md B.5 to B.8)."""

import numpy as np
import pandas as pd
import pytest
from test_preprocess_names import ALIASES, GENES

from genoplatform.expression.aliases import aliases_of, dictionary_table, rule_a2_of
from genoplatform.expression.decisions import CohortDecisions
from genoplatform.expression.preprocess import GeneTable, gene_table
from genoplatform.expression.preprocess.mapping import average, map_rows
from genoplatform.expression.preprocess.scale import is_linear, log2_if_linear
from genoplatform.expression.readers.number_table import ExpressionTable
from genoplatform.settings.expression import ExpressionSettings

NAN = np.nan
COMPAT = aliases_of(dictionary_table(rule_a2_of(GENES)))
RULES = {"sound": ALIASES, "compat_v2": COMPAT, "compat_v1": COMPAT}


def decisions(**change):
    known = {
        "trait": "T",
        "cohort": "GSE1",
        "is_gene_available": True,
        "trait_variable": None,
        "needs_mapping": True,
        "id_column": "ID",
        "gene_column": "Symbol",
        "curator": "test",
    }
    return CohortDecisions.model_validate(known | change)


def table(values, ids=None, samples=None):
    values = np.array(values, dtype=float)
    ids = ids or [f"p{i}" for i in range(len(values))]
    return ExpressionTable(ids, samples or [f"S{i}" for i in range(values.shape[1])], values)


def mapping(**genes):
    return pd.DataFrame({"probe": list(genes), "gene": list(genes.values())})


def made(measured, annotation, rules="sound", **change):
    settings = ExpressionSettings(rules=rules, log2=change.pop("log2", "never"), **change.pop("settings", {}))
    return gene_table(measured, annotation, decisions(**change), RULES[rules], settings)


def test_the_value_rules_on_the_specifications_example():
    """B.7: P1 -> {G1, G2}, P2 -> {G2}: G1 = P1/2, G2 = P1/2 + P2."""
    values, rows = np.array([[4.0], [10.0]]), np.arange(2)
    genes_of = [["G1", "G2"], ["G2"]]
    assert map_rows(genes_of, rows, values, "split_sum").values.tolist() == [[2], [12]]
    assert map_rows(genes_of, rows, values, "full_mean").values.tolist() == [[4], [7]]
    sound = map_rows(genes_of, rows, values, "unique_mean")
    assert (sound.genes, sound.values.tolist()) == (["G2"], [[10]])
    assert sound.report["genes measured only by rows of several genes"] == 1


def test_an_unobserved_gene_is_zero_under_release_2_and_missing_under_sound():
    """Marked in B.7."""
    values = np.array([[NAN, 1.0], [NAN, 3.0]])
    genes_of, rows = [["G"], ["G"]], np.arange(2)
    assert map_rows(genes_of, rows, values, "split_sum").values.tolist() == [[0, 4]]
    np.testing.assert_array_equal(map_rows(genes_of, rows, values, "unique_mean").values, [[NAN, 2]])
    assert map_rows(genes_of, rows, values, "full_mean").genes == [], "release 1 drops genes with a missing sample"


def test_means_are_of_what_was_observed():
    names, values = average(["B", None, "A", "B"], np.array([[1.0, NAN], [9, 9], [5, 6], [3, 4]]))
    assert names == ["A", "B"]
    np.testing.assert_array_equal(values, [[5, 6], [2, 4]])


def test_mapping_equals_pandas_grouping():
    rng = np.random.default_rng(5)
    values = np.where(rng.random((300, 7)) < 0.1, NAN, rng.normal(8, 2, (300, 7)))
    genes_of = [[f"G{g}" for g in dict.fromkeys(rng.integers(0, 60, rng.integers(0, 4)))] for _ in range(300)]
    rows = rng.integers(0, 300, 300)
    long = pd.DataFrame(
        [(gene, *(values[row] / len(genes))) for genes, row in zip(genes_of, rows, strict=True) for gene in genes]
    )
    expected = long.groupby(0).sum()
    found = map_rows(genes_of, rows, values, "split_sum")
    assert found.genes == expected.index.tolist()
    np.testing.assert_allclose(found.values, expected.to_numpy(), rtol=1e-13)


def test_sound_mapping_knows_aliases_and_counts_what_it_leaves_out():
    annotation = mapping(p0="P53", p1="TP53 /// RFC1", p2="QARS", p3="U48705", p4="TP53", p9="RFC1")
    found = made(table(np.arange(10).reshape(5, 2)), annotation)
    assert found.genes == ["TP53"]
    assert found.values.tolist() == [[4, 5]], "the mean of p0 and p4"
    assert found.report["rows with several genes"] == 1
    assert found.report["rows without a gene"] == 2
    assert found.report["genes measured only by rows of several genes"] == 1
    assert found.report["names that mean several genes, left out"] == 1
    assert found.report["measured rows in the annotation"] == 5


def test_compat_mapping_divides_by_words_that_are_no_genes():
    """The defect marked in B.7: an accession in the cell halves the value; sound gives the whole."""
    annotation = mapping(p0="U48705 TP53")
    assert made(table([[6, 8]]), annotation, "compat_v2").values.tolist() == [[3, 4]]
    assert made(table([[6, 8]]), annotation).values.tolist() == [[6, 8]]


def test_compat_takes_ambiguous_aliases_and_release_1_leaves_blanks():
    annotation = mapping(p0="QARS", p1="TP53 /// RFC1")
    assert made(table([[6], [8]]), annotation, "compat_v2").genes == ["EPRS1", "RFC1", "TP53"]
    assert made(table([[6], [8]]), annotation, "compat_v1").genes == ["EPRS1"], "'TP53 ' and ' RFC1' are no names"


def test_ids_that_are_symbols_already():
    measured = table([[1, 2], [3, 4], [5, 6], [7, 8]], ["p53", "TP53", "2-Sep", "unknown"])
    found = made(measured, None, needs_mapping=False)
    assert (found.genes, found.values.tolist()) == (["SEPTIN2", "TP53"], [[5, 6], [2, 3]])
    assert found.report["dates turned back into symbols"] == 1
    compat = made(measured, None, "compat_v2", needs_mapping=False)
    assert compat.genes == ["TP53"], "a date is an unknown name there"


def test_repeated_probe_ids_each_count():
    found = made(table([[2], [4]], ["p", "p"]), mapping(p="TP53"))
    assert found.values.tolist() == [[3]]


def test_repeated_samples():
    """Sound takes the first column; compat renames the second, as pandas does."""
    measured = table([[1, 2, 3]], ["TP53"], ["S0", "S1", "S0"])
    sound = made(measured, None, needs_mapping=False)
    assert (sound.samples, sound.values.tolist()) == (["S0", "S1"], [[1, 2]])
    assert sound.report["samples repeated"] == 1
    assert made(measured, None, "compat_v2", needs_mapping=False).samples == ["S0", "S1", "S0.1"]


@pytest.mark.parametrize(
    ("measured", "annotation", "change", "why"),
    [
        (table([[1]]), mapping(p0="TP53"), {"is_gene_available": False}, "no expression data"),
        (table(np.empty((0, 3))), mapping(p0="TP53"), {}, "no table of values"),
        (table([[NAN]]), mapping(p0="TP53"), {}, "no table of values"),
        (table([[1]]), None, {}, "nothing in column"),
        (table([[1]]), mapping(p0="TP53"), {"gene_column": None}, "no annotation column"),
        (table([[1], [2], [3]]), mapping(p0="TP53"), {}, "another platform"),
        (table([[1]]), mapping(p0="no gene"), {}, "known gene name"),
    ],
)
def test_no_genes_and_why(measured, annotation, change, why):
    found = made(measured, annotation, **change)
    assert found.genes == []
    assert why in found.why_empty
    again = GeneTable.from_tables(found.to_tables())
    assert (again.genes, again.samples, again.why_empty) == ([], found.samples, found.why_empty)


def test_another_platform_goes_unnoticed_under_compat():
    """Platform match is checked by the sound rules only (section H)."""
    assert made(table([[1], [2], [3]]), mapping(p0="TP53"), "compat_v2").genes == ["TP53"]


def test_a_table_of_genes_survives_storage():
    found = made(table([[1, NAN], [3, 4]], ["TP53", "RFC1"]), None, needs_mapping=False)
    again = GeneTable.from_tables(found.to_tables())
    assert (again.genes, again.samples, again.report) == (found.genes, found.samples, found.report)
    np.testing.assert_array_equal(again.values, found.values)


def test_linear_values_are_taken_as_such():
    """GEO2R's rule: the 99th percentile above 100, or a range above 50 with the lower quarter above 0."""
    rng = np.random.default_rng(1)
    logs, counts = rng.normal(8, 2, (50, 6)), rng.lognormal(6, 1, (50, 6))
    assert not is_linear(logs)
    assert is_linear(counts)
    assert is_linear(np.linspace(1, 60, 100))
    assert not is_linear(np.linspace(-30, 30, 100))
    assert not is_linear(np.array([[NAN]]))
    values, linear = log2_if_linear(np.array([[1024.0, 0.0], [512, np.inf]]))
    assert linear
    np.testing.assert_array_equal(values, [[10, NAN], [9, NAN]])
    assert made(table([[1024, 256]]), mapping(p0="TP53"), log2="auto").values.tolist() == [[10, 8]]
    assert made(table([[1024, 256]]), mapping(p0="TP53"), "compat_v2", log2="auto").values.tolist() == [[1024, 256]]
