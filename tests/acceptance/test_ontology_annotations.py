"""phenotype.hpoa and genes_to_phenotype.txt of 2025-01-16 against the facts of inputs.md (rows by number)."""

import pytest

from genoplatform.ontology import (
    GeneAnnotations,
    HpoaRelease,
    compare_releases,
    disease_genes,
    pool_annotations,
    read_gene_annotations,
    read_hpoa,
)


@pytest.fixture(scope="module")
def old(pinned) -> HpoaRelease:
    return read_hpoa(pinned("phenotype.hpoa@2025-01-16"))


@pytest.fixture(scope="module")
def new(pinned) -> HpoaRelease:
    return read_hpoa(pinned("phenotype.hpoa@2026-06-06"))


@pytest.fixture(scope="module")
def genes(pinned) -> GeneAnnotations:
    return read_gene_annotations(pinned("genes_to_phenotype@2025-01-16"))


def test_nothing_is_lost(old, new):
    assert (old.version, new.version) == ("2025-01-16", "2026-06-06")
    for release, lines, duplicates in [(old, 271702, 45), (new, 284703, 34)]:
        assert release.report["lines"] == len(release.raw) == lines
        assert release.report["exact duplicate"] == len(release.rejected) == duplicates
        assert len(release.rows) == lines - duplicates


def test_diseases_are_those_the_file_announces(old):
    # "#description: [8359: OMIM; 47: DECIPHER; 4283 ORPHANET]"; the file holds two ORPHA ids fewer than it says
    databases = old.rows.drop_duplicates("disease_id")["disease_id"].str.partition(":")[0].value_counts()
    assert databases.to_dict() == {"OMIM": 8359, "ORPHA": 4281, "DECIPHER": 47}


def test_absence_in_its_spellings(old):
    # inputs.md 4 and 10: 2,000 rows 0/n, no HP:0040285, 711 NOT, all of Orphanet
    rows = old.rows
    assert int((rows["numerator"] == 0).sum()) == 2000
    assert int((rows["frequency"] == "HP:0040285").sum()) == 0
    assert rows.loc[rows["negated"], "disease_id"].str.startswith("ORPHA:").tolist() == [True] * 711
    assert int((~rows["present"]).sum()) == 2711


def test_pairs_in_several_rows(old):
    # inputs.md 7: 451 pairs, 34 of them present and absent, 45 exact duplicate rows
    counts = old.raw.groupby(["disease_id", "hpo_id"]).size()
    assert int((counts > 1).sum()) == 451
    pooled = pool_annotations(old.rows)
    assert len(pooled) == len(counts)
    assert int(pooled["conflict"].sum()) == 34
    assert int(pooled["n_rows"].sum()) == len(old.rows)


def test_ids_with_several_names(old):
    # inputs.md 11
    assert old.report["diseases with several names"] == 80
    assert old.rows.groupby("disease_id")["disease_name"].nunique().max() == 1


def test_features_the_disease_does_not_have(old):
    # inputs.md 29: OMIM:616265, all 0/7
    rows = old.rows[old.rows["disease_id"] == "OMIM:616265"].set_index("hpo_id")
    absent = rows.loc[["HP:0000989", "HP:0001595", "HP:0010783"]]
    assert absent["frequency"].tolist() == ["0/7"] * 3
    assert absent["present"].tolist() == [False] * 3
    assert rows["present"].sum() > 0


def test_no_frequency_is_impossible(old, new):
    # inputs.md 6 and 28: no frequency above 1
    for release in (old, new):
        stated = release.rows["frequency_value"].dropna()
        assert stated.between(0, 1).all()
        assert release.report["impossible frequency"] == 0


def test_no_class_of_statements_vanished_between_the_releases(old, new):
    # inputs.md 10: 711 ORPHA NOT in 2025-01
    table = compare_releases(old, new).set_index(["dimension", "value"])
    assert not table["vanished"].any()
    assert table.loc[("NOT", "ORPHA"), ["old", "new"]].tolist() == [711, 727]
    assert table.loc[("0/n", "OMIM"), ["old", "new"]].tolist() == [2000, 2915]


def test_gene_annotations(genes):
    # inputs.md 1 and 5: few "-" symbols in a sound release; ANTXR2 HP:0001249 0/30 is an absence
    assert genes.report["lines"] == 316589
    assert genes.report["no gene symbol"] == len(genes.rejected) == 289
    probe = genes.rows[(genes.rows["gene_symbol"] == "ANTXR2") & (genes.rows["hpo_id"] == "HP:0001249")]
    assert probe["frequency"].tolist() == ["0/30"]
    assert probe["present"].tolist() == [False]
    assert ["OMIM:228600", "ANTXR2"] in disease_genes(genes.rows).values.tolist()
