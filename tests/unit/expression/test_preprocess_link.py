"""Linking, missing values, bias and the record of a cohort (expression.md B.9 to B.11)."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.expression.decisions import CohortDecisions, Variable
from genoplatform.expression.preprocess import (
    ClinicalTable,
    GeneTable,
    link,
)
from genoplatform.expression.preprocess.bias import binary_is_biased, continuous_is_biased, is_binary
from genoplatform.expression.preprocess.missing import handle_missing
from genoplatform.settings.expression import ExpressionSettings

NAN = np.nan
SOUND, V2, V1 = (ExpressionSettings(rules=rules) for rules in ("sound", "compat_v2", "compat_v1"))
EVERY = pytest.mark.parametrize("settings", [SOUND, V2], ids=["sound", "compat_v2"])


def frame(trait, **columns):
    index = [f"S{i}" for i in range(len(trait))]
    return pd.DataFrame({"T": trait, **columns}, index=index, dtype=float)


def loop(clinical, genes, values):
    """The rules of B.9 written down sample by sample and gene by gene, as the reference for the arrays."""
    table = clinical.join(pd.DataFrame(values.T, index=clinical.index, columns=genes))
    table = table.dropna(subset=["T"])
    kept = [g for g in genes if table[g].isna().sum() / len(table) <= 0.2]
    table = table[[*clinical.columns, *kept]]
    rows = [s for s in table.index if table.loc[s, kept].isna().sum() / len(kept) <= 0.05]
    table = table.loc[rows]
    for column in table.columns:
        if column == "Gender":
            if table[column].isna().all():
                table = table.drop(columns=column)
            else:
                table[column] = table[column].fillna(table[column].mode().min())
        elif column != "T":
            table[column] = table[column].fillna(table[column].mean())
    return table


def test_missing_values_equal_the_rules_taken_one_by_one():
    rng = np.random.default_rng(3)
    n, p = 40, 60
    values = np.where(rng.random((p, n)) < rng.choice([0.01, 0.04, 0.3], (p, 1)), NAN, rng.normal(size=(p, n)))
    values[:, 5] = np.where(rng.random(p) < 0.5, NAN, values[:, 5])
    trait = np.where(rng.random(n) < 0.1, NAN, rng.integers(0, 2, n))
    clinical = frame(
        trait, Age=np.where(rng.random(n) < 0.2, NAN, 50.0), Gender=np.where(rng.random(n) < 0.2, NAN, 1.0)
    )
    genes = [f"G{i}" for i in range(p)]
    expected = loop(clinical, genes, values)
    found = handle_missing(clinical, genes, values, "T", V2)
    got = found.clinical.join(pd.DataFrame(found.values.T, index=found.clinical.index, columns=found.genes))
    pd.testing.assert_frame_equal(got, expected, rtol=1e-12, check_exact=False)
    assert found.report["samples without a trait"] == int(np.isnan(trait).sum())
    assert 0 < found.report["genes missing too often"] < p
    assert found.report["samples missing too many genes"] > 0


@EVERY
def test_the_bounds_are_inclusive_and_in_order(settings):
    """A gene missing in 20 % of the samples stays; a sample missing 5 % of the genes left stays."""
    values = np.ones((20, 10))
    values[0, :2] = NAN  # 2 of 10
    values[1, :3] = NAN  # 3 of 10: dropped, so that it does not count against the samples
    found = handle_missing(frame([0, 1] * 5), [f"G{i:02d}" for i in range(20)], values, "T", settings)
    assert len(found.genes) == 19
    assert len(found.clinical) == 8, "one of 19 genes is more than 5 %"
    values = np.ones((40, 10))
    values[0, :2] = NAN
    assert (
        len(handle_missing(frame([0, 1] * 5), [f"G{i:02d}" for i in range(40)], values, "T", settings).clinical) == 10
    )


def test_ties_of_gender_and_all_missing_covariates():
    clinical = frame([0, 1, 0, 1, 1], Age=[NAN] * 5, Gender=[0, 1, NAN, 0, 1])
    one = np.ones((3, 5))
    sound, compat = (handle_missing(clinical, list("ABC"), one, "T", s).clinical for s in (SOUND, V2))
    assert compat["Gender"].tolist() == [0, 1, 0, 0, 1], "the smaller of equally frequent values"
    assert sound.columns.tolist() == ["T", "Gender"]
    assert compat.columns.tolist() == ["T", "Age", "Gender"], "release 2 keeps an age that nobody has"
    none = frame([0, 1], Gender=[NAN, NAN])
    assert handle_missing(none, ["A"], np.ones((1, 2)), "T", V2).clinical.columns.tolist() == ["T"]


def test_release_1_drops_every_sample_with_anything_missing():
    clinical = frame([0, 1, 0, NAN], Age=[1, NAN, 3, 4])
    values = np.array([[1, 2, NAN, 4], [1, 2, 3, 4.0]])
    found = handle_missing(clinical, ["A", "B"], values, "T", V1)
    assert found.clinical.index.tolist() == ["S0"]
    assert found.values.tolist() == [[1], [1]]


@pytest.mark.parametrize(
    ("counts", "biased"),
    [
        ((407, 19), False),
        ((50, 5), False),
        ((50, 4), True),
        ((9, 1), False),
        ((40, 4), True),
        ((10, 0), True),
        ((0, 0), True),
    ],
)
def test_bias_of_binary_variables(counts, biased):
    """B.10: biased if the rarer label has a share below .1 and fewer than 5 samples; BLCA's 19 of 426 are fine."""
    values = np.repeat([1.0, 0.0], counts)
    assert binary_is_biased(values, SOUND) is biased


def test_bias_of_continuous_variables():
    assert continuous_is_biased(np.array([3.0, 3, NAN]))
    assert not continuous_is_biased(np.array([3.0, 4]))
    assert [is_binary(np.array(v)) for v in ([0.0, 1, NAN], [0.0, 1, -1], [1.0])] == [True, False, False]


def linked(trait, genes=None, samples=None, settings=SOUND, kind="binary", gene=True, **columns):
    """Link a cohort of six genes; the clinical table has samples S0, S1, ..."""
    ids = [f"S{i}" for i in range(len(trait))]
    table = pd.DataFrame({"sample": ids, "trait": trait, "age": NAN, "gender": NAN, "subject": ""} | columns)
    available = ("trait", *(name for name in ("age", "gender") if name in columns))
    samples = ids if samples is None else samples
    values = np.arange(6.0 * len(samples)).reshape(6, -1) if genes is None else genes
    names = [f"G{i}" for i in range(len(values))]
    variable = Variable(source="title", kind=kind, codes={})
    decided = CohortDecisions(trait="T", cohort="GSE1", is_gene_available=gene, trait_variable=variable, curator="test")
    return link(GeneTable(names, samples, values), ClinicalTable(table, available), decided, settings)


@EVERY
def test_a_usable_cohort(settings):
    found = linked([0, 1, 0, 1, NAN], settings=settings, age=[1, 2, 3, 4, 5.0], gender=[0, 1, 1, NAN, 1])
    assert found.shape == (5, 9)
    assert found.cohort.clinical.to_dict("list") == {"T": [0, 1, 0, 1], "Age": [1, 2, 3, 4], "Gender": [0, 1, 1, 1]}
    assert found.cohort.clinical.index.tolist() == ["S0", "S1", "S2", "S3"]
    assert found.cohort.values[:, 0].tolist() == [0, 1, 2, 3]
    assert found.cohort.values.flags["C_CONTIGUOUS"]
    record = found.record
    assert (record.is_usable, record.is_biased, record.has_age, record.has_gender) == (True, False, True, True)
    assert (record.sample_size, record.genes, record.rules) == (4, 6, settings.rules)
    assert "only 6 genes" in record.note


def test_samples_without_gene_values_do_not_count_as_missing_under_sound_rules():
    """Release 2 keeps the samples of both tables, and every gene is then missing in too many of them."""
    trait = [0, 1] * 5
    sound = linked(trait, samples=["S0", "S1", "S2", "S3", "S4", "S5", "other"])
    assert sound.cohort.clinical.index.tolist() == ["S0", "S1", "S2", "S3", "S4", "S5"]
    assert sound.report["samples without gene values"] == 4
    assert sound.report["samples without clinical values"] == 1
    compat = linked(trait, samples=["S0", "S1", "S2", "S3", "S4", "S5", "other"], settings=V2)
    assert compat.shape == (11, 7)
    assert compat.record.is_available is False


def test_biased_covariates_are_dropped_and_a_biased_trait_makes_the_cohort_unusable():
    found = linked([0, 1] * 10, age=[40.0] * 20, gender=[1.0] * 19 + [0])
    assert found.cohort.clinical.columns.tolist() == ["T"]
    assert (found.record.has_age, found.record.has_gender) == (False, False)
    lopsided = linked([1] * 19 + [0])
    assert (lopsided.record.is_available, lopsided.record.is_biased, lopsided.record.is_usable) == (True, True, False)
    assert lopsided.cohort is not None
    assert "biased" in lopsided.record.reason


@EVERY
def test_one_class_only(settings):
    found = linked([1, 1, 1, 1, 1], settings=settings)
    assert (found.record.is_biased, found.record.is_usable) == (True, False)


def test_all_null_encodings():
    """Section E.4: 30 of 552 labelled encodings are all null; sound says so, compat finds no sample left."""
    sound, compat = linked([NAN] * 4), linked([NAN] * 4, settings=V2)
    assert sound.record.reason == "every trait value is unknown"
    assert compat.record.reason == "no sample is left"
    for found in (sound, compat):
        assert not found.record.is_usable
        assert found.cohort is None


def test_a_code_of_minus_one():
    """Marked in B.12: under compat the trait has three values, counts as continuous and passes; sound knows better."""
    trait = [1] * 30 + [0] + [-1] * 3
    assert linked(trait, settings=V2).record.is_usable
    known = [1] * 30 + [0] + [NAN] * 3
    assert not linked(known).record.is_usable


@pytest.mark.parametrize(
    ("made", "available", "reason"),
    [
        (lambda s: linked([0, 1], gene=False, settings=s), (False, True), ""),
        (lambda s: linked([0, 1, 0], genes=np.ones((2, 3)), settings=s), (False, True), "no gene is left"),
    ],
)
@EVERY
def test_records_of_cohorts_that_fail(made, available, reason, settings):
    record = made(settings).record
    assert (record.is_gene_available, record.is_trait_available) == available
    assert not record.is_available
    assert record.benchmark() | {"note": None} == {
        "is_usable": False,
        "is_gene_available": available[0],
        "is_trait_available": available[1],
        "is_available": False,
        "is_biased": None,
        "has_age": None,
        "has_gender": None,
        "sample_size": None,
        "note": None,
    }
    assert record.reason == reason


def test_persons_go_with_their_samples():
    found = linked([0, 1, NAN, 1], subject=["a", "a", "b", "c"])
    assert found.cohort.groups == ["a", "a", "c"]
    assert linked([0, 1, 1]).cohort.groups is None
