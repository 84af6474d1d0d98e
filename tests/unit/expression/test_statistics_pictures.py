"""Pictures and pages: what they say in words, that they can be drawn, and that the same data give the same bytes."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.linked_tables import linked_tables
from genoplatform.expression.pictures.batches import batches_of
from genoplatform.expression.pictures.components import components_picture, principal_components
from genoplatform.expression.pictures.genes import coefficients_picture, volcano_picture
from genoplatform.expression.pictures.missing import missing_picture
from genoplatform.expression.pictures.of_cohort import cohort_pictures, find, page_of
from genoplatform.expression.pictures.p_values import histogram_picture, qq_picture
from genoplatform.expression.statistics.result import gene_table
from genoplatform.report.canvas import draw
from genoplatform.report.images import data_uri


@pytest.fixture(scope="module")
def cohort():
    rng = np.random.default_rng(0)
    y, batch = (np.arange(40) % 2).astype(float), np.arange(40) % 3
    x = rng.normal(size=(40, 120)) + 2.0 * rng.normal(size=(3, 120))[batch]
    x[:, 0] += 2 * y
    clinical = pd.DataFrame(
        {"My_Trait": y, "Age": rng.integers(20, 80, 40).astype(float)}, index=[f"s{i}" for i in range(40)]
    )
    return LinkedCohort("My_Trait", "GSE<1>", clinical, [f"G{i:03d}" for i in range(120)], x)


def test_components_are_those_of_the_singular_value_decomposition(cohort):
    scores, shares = principal_components(cohort.values)
    z = (cohort.values - cohort.values.mean(axis=0)) / cohort.values.std(axis=0)
    u, s, _ = np.linalg.svd(z, full_matrices=False)
    np.testing.assert_allclose(np.abs(scores), np.abs(u[:, :2] * s[:2]), rtol=1e-8)
    np.testing.assert_allclose(shares, (s**2 / (s**2).sum())[:2], rtol=1e-10)
    assert (scores[np.abs(scores).argmax(axis=0), [0, 1]] > 0).all()


def test_words_carry_the_numbers(cohort):
    batch = [f"b{i % 3}" for i in range(40)]
    said = components_picture(cohort.values, {"trait": cohort.clinical["My_Trait"].tolist(), "batch": batch}).words
    assert "batch: 9" in said, "batches are most of the first component"
    p = np.array([0.01, 0.5, 0.6, 0.9])
    assert "1 below 0.05" in histogram_picture(p).words
    assert "mixed model" in qq_picture({"mixed model": p}).words
    genes = gene_table(["A", "B"], np.array([0.5, 0.0]), np.array([True, False]), {"A"}, tested=False)
    assert coefficients_picture(genes).words == "1 genes chosen, 1 of them known for the trait."
    values = np.array([[1.0, np.nan], [np.nan, np.nan], [1.0, 2.0]])
    assert (
        missing_picture(values, 0.5, 0.4).words == "50.00% of values missing; above their limits: 1 genes, 1 samples."
    )


def test_everything_can_be_drawn_and_drawn_again(cohort):
    found = find(cohort, permutations=19)
    pictures = cohort_pictures(found, cohort.values.T, [f"b{i % 3}" for i in range(40)])
    assert [one.name for one in pictures] == ["components", "missing", "volcano", "p_values", "qq"]
    for one in pictures:
        first = draw(one.paint, one.height)
        assert first.startswith(b"\x89PNG")
        assert first == draw(one.paint, one.height)
    empty = gene_table(["A"], np.zeros(1), np.zeros(1, dtype=bool), set(), tested=False)
    assert draw(coefficients_picture(empty).paint, 2.0)
    tested = gene_table(["A"], np.ones(1), np.ones(1, dtype=bool), set(), tested=True, p=np.zeros(1))
    assert draw(volcano_picture(tested, 0.05).paint, 2.0)


def test_the_page_warns_and_escapes(cohort):
    record = pd.DataFrame({"is_usable": [True], "reason": [""]})
    linked = linked_tables(cohort) | {"record": record}
    measured = {"genes": linked["genes"]}
    cells = [(1, f"s{i}", f"scan batch: {i % 3}", "scan batch", str(i % 3)) for i in range(40)]
    series = {"characteristics": pd.DataFrame(cells, columns=["row", "sample", "cell", "key", "value"])}
    arguments = {"permutations": 19, "seed": 1}
    page, pictures = page_of("My_Trait|GSE<1>", linked, measured, series, lambda one: data_uri(b"x"), **arguments)
    text = page.decode()
    assert "GSE&lt;1&gt;" in text
    assert "2 directions of variation beside the trait exceed chance" in text
    assert "The published batch rule does not see it." in text
    assert "20 : 20" in text
    assert "batch:" in pictures[0].words
    assert page == page_of("My_Trait|GSE<1>", linked, measured, series, lambda one: data_uri(b"x"), **arguments)[0]


def test_the_page_of_an_unusable_cohort_says_why():
    record = pd.DataFrame({"is_usable": [False], "reason": ["trait severely biased"]})
    tables = linked_tables(None) | {"record": record}
    page, pictures = page_of("T|GSE2", tables, {}, {}, lambda one: "", permutations=19, seed=1)
    assert "trait severely biased" in page.decode()
    assert pictures == []


def test_batches_are_found_by_name_and_not_when_every_sample_has_its_own():
    def table(key, values):
        rows = [(0, f"s{i}", f"{key}: {value}", key, value) for i, value in enumerate(values)]
        return pd.DataFrame(rows, columns=["row", "sample", "cell", "key", "value"])

    samples = [f"s{i}" for i in range(6)]
    assert batches_of(table("scan batch", "112233"), samples) == list("112233")
    assert batches_of(table("batch", "123456"), samples) is None
    assert batches_of(table("tissue", "112233"), samples) is None
