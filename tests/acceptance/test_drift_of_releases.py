"""Real pairs of releases pass the shipped drift tests with a readable diff; the same releases broken do not."""

import numpy as np
import pytest

from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.dbt_like_checks.drift import breaches, compare
from genoplatform.dbt_like_checks.summaries import summarise
from genoplatform.ontology import read_gene_annotations, read_hgnc, read_hpoa, read_obo
from genoplatform.ontology.annotation_table import annotation_table
from genoplatform.ontology.term_table import term_table

TERMS, ANNOTATIONS = "core/ontology/hpo_terms", "core/ontology/disease_annotations"
GENES, GENE_ANNOTATIONS = "core/ontology/genes", "core/ontology/gene_annotations"


def spec_of(asset):
    (spec,) = (test.arguments for test in declared_tables()[asset].declared_tests() if test.test == "drift")
    return spec


def changes(asset, old, new):
    spec = spec_of(asset)
    return compare(summarise(old, spec), summarise(new, spec), spec)


@pytest.fixture(scope="module")
def annotations(pinned):
    return annotation_table(read_hpoa(pinned("phenotype.hpoa@2025-01-16")))


@pytest.mark.network
def test_the_annotations_of_2025_and_2026_are_one_series(pinned, annotations):
    newer = annotation_table(read_hpoa(pinned("phenotype.hpoa@2026-06-06")))
    found = changes(ANNOTATIONS, annotations, newer)
    assert breaches(found) == []
    texts = {item.text for item in found}
    assert "rows 271,702 -> 284,703 (+4.8%)" in texts
    assert "negated 'true': 711 -> 727 (+2.3%)" in texts


@pytest.mark.network
def test_the_terms_of_2025_and_2026_are_one_series(pinned):
    old, new = (term_table(read_obo(pinned(name))) for name in ("hp.obo@2025-01-16", "hp.obo@2026-06-06"))
    found = changes(TERMS, old, new)
    assert breaches(found) == []
    assert any(item.kind == "rows" for item in found)


@pytest.mark.network
@pytest.mark.parametrize(
    ("broken", "kind", "place"),
    [
        (lambda t: t.iloc[:0], "rows", ""),
        (lambda t: t.iloc[: len(t) // 2], "rows", ""),
        (lambda t: t.assign(negated=False), "vanished", "negated=true"),
        (lambda t: t[~t["negated"].fillna(False).astype(bool)], "vanished", "negated=true"),
        (lambda t: t.rename(columns={"hpo_id": "phenotype_id"}), "columns", "hpo_id"),
        (lambda t: t.rename(columns={"hpo_id": "disease_id", "disease_id": "hpo_id"}), "keys", "disease_id"),
        (lambda t: t.assign(hpo_id=np.roll(t["hpo_id"].to_numpy(), 1_000)), "keys", "disease_id+hpo_id"),
        (lambda t: t[t["aspect"] != "I"], "vanished", "aspect=I"),
    ],
    ids=["empty", "half", "no negations", "negated rows gone", "renamed", "swapped", "shifted", "no inheritance"],
)
def test_broken_annotations_are_flagged_by_what_is_wrong(annotations, broken, kind, place):
    found = {(item.kind, item.place) for item in breaches(changes(ANNOTATIONS, annotations, broken(annotations)))}
    assert (kind, place) in found


@pytest.mark.network
def test_gene_files_of_dashes_or_of_swapped_ids_are_flagged(pinned):
    genes = read_hgnc(pinned("hgnc@2025-06"))
    dashes = {item.place for item in breaches(changes(GENES, genes, genes.assign(symbol="-")))}
    assert {"symbol", "hgnc_id+symbol"} <= dashes
    swapped = genes.assign(hgnc_id=genes["hgnc_id"].to_numpy()[::-1])
    assert {item.place for item in breaches(changes(GENES, genes, swapped))} == {"hgnc_id+symbol"}
    rows = read_gene_annotations(pinned("genes_to_phenotype@2025-01-16")).rows
    emptied = {item.kind for item in breaches(changes(GENE_ANNOTATIONS, rows, rows.iloc[:0]))}
    assert {"rows", "keys", "vanished"} <= emptied
