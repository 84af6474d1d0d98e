"""Preprocessing of real series against the original tools' reference run, and readers against each other.

Source of the figures: the reference data's `reference_runs.json` (expression.md section F), which the original
functions gave on the same files.
"""

import json
import lzma
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from genoplatform.expression.aliases import alias_table, aliases_of, dictionary_table, read_synonyms
from genoplatform.expression.decide import decide
from genoplatform.expression.decisions import CohortDecisions, Variable
from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.preprocess import clinical_table, gene_table, link
from genoplatform.expression.readers.cohort import read_expression
from genoplatform.expression.readers.platform_choice import CohortSource
from genoplatform.expression.readers.series_matrix import read_series_matrix
from genoplatform.expression.series_tables import read_chosen_annotation, read_series_tables
from genoplatform.ontology.hgnc import read_hgnc
from genoplatform.settings.expression import ExpressionSettings

KIDNEY = "Kidney_Clear_Cell_Carcinoma|GSE781"
BLADDER, FLU = "Bladder_Cancer|GSE3167", "Influenza|GSE30550"
COMPAT = ExpressionSettings(rules="compat_v2")


@pytest.fixture(scope="module")
def data(shared):
    return shared / "expression"


@pytest.fixture(scope="module")
def reference(data):
    return json.loads((data / "reference_runs.json").read_text())


@pytest.fixture(scope="module")
def synonyms(data, tmp_path_factory):
    packed = data / "gene_synonym_orgHs.json.xz"
    path = tmp_path_factory.mktemp("names") / "gene_synonym.json"
    path.write_bytes(lzma.decompress(packed.read_bytes()) if packed.exists() else (data / path.name).read_bytes())
    return aliases_of(dictionary_table(read_synonyms(path)))


def characteristic(row, key, kind="binary", **codes):
    return Variable(
        source="characteristics", row=row, key=key, kind=kind, codes={f"{key}: {v}": c for v, c in codes.items()}
    )


DECISIONS = {
    BLADDER: {
        "trait_variable": characteristic(2, "disease state", Cancer=1, Normal=0, Biopsy=None),
        "needs_mapping": True,
        "id_column": "ID",
        "gene_column": "Gene Symbol",
    },
    FLU: {
        "trait_variable": characteristic(2, "clinic_pheno", Symptomatic=1, Asymptomatic=0),
        "age_variable": characteristic(4, "age", "continuous", **{str(age): age for age in range(100)}),
        "gender_variable": characteristic(3, "gender", Female=0, Male=1),
        "needs_mapping": False,
    },
}


def steps(data, key, aliases, settings=COMPAT):
    """Everything preprocessing makes of one series, with the reference run's decisions."""
    trait, cohort = key.split("|")
    rule = "most_samples" if settings.rules == "sound" else "first_file"
    source = CohortSource(key, data / "GEO" / trait / cohort, rule)
    decisions = CohortDecisions(
        trait=trait, cohort=cohort, is_gene_available=True, curator="reference", **DECISIONS[key]
    )
    facts = CohortTables.from_tables(read_series_tables(source))
    measured = read_expression(source, facts.platform)
    mapping, counts = read_chosen_annotation(source, facts.platform, decisions, settings.rules)
    genes = gene_table(measured, mapping, decisions, aliases, settings)
    found = link(genes, clinical_table(facts, decisions, settings), decisions, settings)
    return {"facts": facts, "measured": measured, "counts": counts, "genes": genes, "linked": found}


@pytest.mark.shared
@pytest.mark.parametrize(("key", "name"), [(BLADDER, "bladder"), (FLU, "flu")])
def test_compat_reproduces_the_reference_run(data, reference, synonyms, key, name):
    expected, made = reference[name], steps(data, key, synonyms)
    rows = made["facts"].characteristics.groupby("row")["cell"].nunique()
    assert {str(row): int(n) for row, n in rows.items()} == expected["clinical_rows"]
    assert list(made["measured"].values.shape) == expected["genetic_shape"]
    genes = made["genes"]
    assert [len(genes.genes), len(genes.samples)] == expected["normalized_shape"]
    assert genes.genes[:5] == expected["first_genes"]
    assert genes.mean == pytest.approx(expected["checksum_mean"], rel=1e-14)
    linked = made["linked"]
    assert list(linked.shape) == expected["linked_shape"]
    clinical = linked.cohort.clinical
    assert [len(clinical), clinical.shape[1] + len(linked.cohort.genes)] == expected["after_missing"]
    assert (linked.record.is_biased, linked.record.is_usable) == (expected["biased"], expected["usable"])
    counts = clinical.iloc[:, 0].value_counts()
    assert {str(value): int(n) for value, n in counts.items()} == expected["trait_counts"]


@pytest.mark.shared
def test_annotation_and_mapping_sizes_of_the_reference_run(data, reference, synonyms):
    """89,135 annotation rows are 22,283 and three sample tables of 22,284 lines, which release 2 swallows (!)."""
    expected, made = reference["bladder"], steps(data, BLADDER, synonyms)
    assert made["counts"] == {"annotation rows": expected["annotation_rows"], "mapping rows": expected["mapping_rows"]}
    assert made["genes"].report["names before normalising"] == expected["mapped_shape"][0]
    sound = steps(data, BLADDER, synonyms, ExpressionSettings())
    assert sound["counts"] == {"annotation rows": 22283, "mapping rows": expected["mapping_rows"]}


@pytest.mark.shared
def test_what_the_curator_decides_leads_to_the_same_linked_tables(data, synonyms):
    for key in (BLADDER, FLU):
        trait, cohort = key.split("|")
        decided = decide(read_series_tables(CohortSource(key, data / "GEO" / trait / cohort)), "sound")
        assert decided.trait_variable.key == DECISIONS[key]["trait_variable"].key
        assert decided.needs_mapping is DECISIONS[key]["needs_mapping"]
        assert (decided.age_variable is None) == ("age_variable" not in DECISIONS[key])


@pytest.mark.shared
def test_persons_of_the_influenza_series(data, synonyms):
    groups = steps(data, FLU, synonyms)["linked"].cohort.groups
    assert len(groups) == 252
    assert len(set(groups)) == 17


@pytest.mark.shared
@pytest.mark.network
@pytest.mark.parametrize("platform", ["GPL96", "GPL97"])
def test_a_matrix_from_sample_tables_equals_the_matrix_file(data, pinned, platform):
    """GSE781 has no matrix file where it is pinned; the reference data's were made from the same tables."""
    made = read_expression(CohortSource(KIDNEY, pinned("gse781-soft@2.66.0"), platform=platform), platform)
    folder = data / "GEO" / "Kidney_Clear_Cell_Carcinoma" / "GSE781"
    expected = read_series_matrix(folder / f"GSE781-{platform}_series_matrix.txt.gz").table
    assert made.samples == expected.samples
    assert len(made.ids) == len(expected.ids) == {"GPL96": 22283, "GPL97": 22645}[platform]
    order = pd.Index(made.ids).get_indexer(expected.ids)
    np.testing.assert_array_equal(made.values[order], expected.values)


@pytest.mark.shared
def test_a_series_without_characteristics_and_without_annotation(data):
    key, folder = KIDNEY, data / "GEO" / "Kidney_Clear_Cell_Carcinoma" / "GSE781"
    tables = read_series_tables(CohortSource(key, folder))
    facts = CohortTables.from_tables(tables)
    assert (facts.platform, facts.platforms) == ("GPL96", {"GPL96": 17, "GPL97": 17})
    assert facts.characteristics.empty
    assert tables["annotation_preview"].empty


@pytest.mark.network
def test_the_embedded_cohort_end_to_end(pinned):
    """GSE781: facts in free text, two platforms, linear values; tumour against normal tissue of mostly the same people.

    That carbonic anhydrase 9 and VEGFA are high, and uromodulin and aldolase B low, in clear-cell carcinoma is textbook
    knowledge of the disease (VHL loss; loss of the tubule).
    """
    settings = ExpressionSettings(subjects={KIDNEY: r"\b[NC](\d+)\b"})
    source = CohortSource(KIDNEY, pinned("gse781-soft@2.66.0"))
    tables = read_series_tables(source)
    facts, decided = CohortTables.from_tables(tables), decide(tables, "sound")
    mapping, _ = read_chosen_annotation(source, facts.platform, decided, "sound")
    aliases = aliases_of(alias_table(read_hgnc(pinned("hgnc@2025-06"))))
    genes = gene_table(read_expression(source, facts.platform), mapping, decided, aliases, settings)
    clinical = clinical_table(facts, decided, settings)
    found = link(genes, clinical, decided, settings)
    assert facts.platform == "GPL96", "of 17 and 17 samples the smaller number"
    assert found.record.is_usable
    assert (found.record.has_age, found.record.has_gender, found.record.sample_size) == (True, True, 17)
    assert found.cohort.clinical.iloc[:, 0].value_counts().to_dict() == {1: 9, 0: 8}
    assert len(set(found.cohort.groups)) == 10
    assert len(genes.genes) > 12_000
    high, low = (
        _difference(found.cohort, names) for names in (["CA9", "VEGFA", "NDUFA4L2"], ["UMOD", "ALDOB", "KNG1"])
    )
    assert min(high) > 1.5, "log2: nearly three times as much"
    assert max(low) < -1.5


def _difference(cohort, names):
    case = cohort.clinical.iloc[:, 0].to_numpy() == 1
    columns = [cohort.genes.index(name) for name in names]
    return (cohort.values[case].mean(axis=0) - cohort.values[~case].mean(axis=0))[columns]


@pytest.mark.network
def test_ambiguous_names_of_the_pinned_symbols(pinned):
    """HGNChelper issue 14: QARS was EPRS1's and QARS1's symbol; the benchmark's rule gives it to one of them."""
    from genoplatform.expression.aliases import rule_a2_of

    genes = read_hgnc(pinned("hgnc@2025-06"))
    sound = aliases_of(alias_table(genes))
    assert sound.resolve("QARS") is None
    assert sound.ambiguous["QARS"] == ("EPRS1", "QARS1")
    assert rule_a2_of(genes)["QARS"] == "EPRS1"
    assert [sound.resolve(name) for name in ("AARS", "SEPT2", "MARCH1", "ENSG00000141510")] == [
        "AARS1", "SEPTIN2", "MARCHF1", "TP53",
    ]  # fmt: skip


def test_no_path_of_the_reference_data_is_needed_by_the_product():
    package = Path(__file__).parents[2] / "genoplatform" / "expression"
    assert not [path for path in package.rglob("*.py") if "shared/data" in path.read_text()]
