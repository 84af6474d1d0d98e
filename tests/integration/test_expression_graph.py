"""Expression cohorts in the graph: partitions from a directory, one record each, export, cohorts that come later."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
import yaml
from homes import in_home, open_home
from tiny import write_world

from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.dbt_like_checks.run_tests import run_tests
from genoplatform.expression.linked_tables import linked_from_tables
from genoplatform.provenance import read_sidecar
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.expression_export import export_preprocessed
from genoplatform.resources.geo import GeoResource
from genoplatform.resources.partition_keys import EXPRESSION_COHORT, keys_of

SELECTION = '+key:"core/expression/cohort_info"'
SLOT = "directory:GENOPLATFORM_EXPRESSION/{partition}"
GENES = [f"TG{n:02d}A" for n in range(1, 71)]  # aliases of the tiny world's symbols


def write_series(folder, *, cases=6, controls=6, title="Asthma and controls, expression profiling by array"):
    """A series whose characteristics tell asthma from control, with age and sex."""
    rng = np.random.default_rng(len(str(folder)))
    samples = [f"GSM{i}" for i in range(cases + controls)]
    disease = ["asthma"] * cases + ["healthy control"] * controls
    lines = [f'!Series_title\t"{title}"']
    lines += ["\t".join([name, *(f'"{cell}"' for cell in cells)]) for name, cells in (
        ("!Sample_geo_accession", samples),
        ("!Sample_characteristics_ch1", [f"disease state: {state}" for state in disease]),
        ("!Sample_characteristics_ch1", [f"age: {20 + i}" for i in range(len(samples))]),
        ("!Sample_characteristics_ch1", [f"Sex: {'MF'[i % 2]}" for i in range(len(samples))]),
    )]  # fmt: skip
    lines += ["!series_matrix_table_begin", "\t".join(["ID_REF", *samples])]
    lines += ["\t".join([gene, *(f"{v:.3f}" for v in rng.normal(8, 1, len(samples)))]) for gene in GENES]
    folder.mkdir(parents=True)
    (folder / f"{folder.name}_series_matrix.txt").write_text("\n".join([*lines, "!series_matrix_table_end", ""]))


def write_tcga(folder):
    barcodes = [f"TCGA-AA-{i:04d}-{kind}" for i in range(8) for kind in ("01", "11")] + ["TCGA-AA-0009-20"]
    folder.mkdir(parents=True)
    clinical = ["sampleID\tgender\tdays_to_birth"] + [
        f"{b}\t{'FEMALE' if i % 3 else 'MALE'}\t-{9000 + i}" for i, b in enumerate(barcodes)
    ]
    (folder / "TCGA.BLCA.sampleMap_BLCA_clinicalMatrix").write_text("\n".join(clinical) + "\n")
    rows = ["\t".join(["sample", *barcodes])] + [
        "\t".join([g, *(str(i % 5 - j % 3) for i in range(17))]) for j, g in enumerate(GENES)
    ]
    (folder / "TCGA.BLCA.sampleMap_HiSeqV2_PANCAN").write_text("\n".join(rows) + "\n")


def write_cohorts(root):
    write_series(root / "GEO" / "Asthma" / "GSE11")
    write_series(root / "GEO" / "Asthma" / "GSE12", cases=12, controls=0)
    write_series(root / "GEO" / "Sjögrens_Syndrome" / "GSE13", title="Nothing to do with it")
    write_tcga(root / "TCGA" / "TCGA_Bladder_Cancer_(BLCA)")


@pytest.fixture(scope="module")
def cohorts(tmp_path_factory):
    root = tmp_path_factory.mktemp("cohorts")
    write_cohorts(root)
    return root


def world_with(folder, **expression):
    """The tiny world with a directory of cohorts."""
    world = write_world(folder)
    profiles = yaml.safe_load(world.profiles.read_text())
    profiles["embedded"]["slots"] |= {"expression_cohorts": SLOT}
    profiles["embedded"]["expression"] = {"rules": "sound"} | expression
    world.profiles.write_text(yaml.safe_dump(profiles))
    return world


@pytest.fixture(scope="module")
def made(cohorts, tmp_path_factory):
    """A home with every cohort made, checks included; do not change it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENOPLATFORM_EXPRESSION", str(cohorts))
        folder = tmp_path_factory.mktemp("expression")
        home = open_home(folder / "home", world_with(folder / "world"), checks=[])
        home.run(SELECTION)
        yield home


def stored(home, asset, key=None, kind="tables"):
    return FORMATS[kind].read(home.path(f"core/expression/{asset}", key, kind))


def test_partitions_are_the_cohorts_of_the_directory(made):
    assert keys_of(EXPRESSION_COHORT, made.platform) == [
        "Asthma|GSE11",
        "Asthma|GSE12",
        "Bladder_Cancer|TCGA",
        "Sjögrens_Syndrome|GSE13",
    ]
    assert made.stale(SELECTION) == {}


def test_every_cohort_has_its_record(made):
    info = stored(made, "cohort_info", kind="parquet").set_index(["trait", "cohort"])
    assert info["is_usable"].to_dict() == {
        ("Asthma", "GSE11"): True,
        ("Asthma", "GSE12"): False,
        ("Bladder_Cancer", "TCGA"): True,
        ("Sjögrens_Syndrome", "GSE13"): False,
    }
    assert info.loc[("Asthma", "GSE11"), "sample_size"] == 12
    assert info.loc[("Asthma", "GSE11"), "genes"] == 70
    assert info.loc[("Asthma", "GSE12"), "reason"] == "curation: no trait"
    assert set(info["rules"]) == {"sound"}


def test_linked_tables_hold_official_symbols_and_known_samples(made):
    asthma = linked_from_tables(stored(made, "linked", "Asthma|GSE11"))
    assert asthma.genes[:2] == ["TG01", "TG02"]
    assert asthma.clinical.columns.tolist() == ["Asthma", "Age", "Gender"]
    assert asthma.clinical["Asthma"].tolist() == [1.0] * 6 + [0.0] * 6
    tcga = linked_from_tables(stored(made, "linked", "Bladder_Cancer|TCGA"))
    assert tcga.clinical["Bladder_Cancer"].tolist() == [1.0, 0.0] * 8, "the control sample is unknown"
    assert tcga.clinical["Age"].between(24, 25).all()
    assert len(set(tcga.groups)) == 8


def test_every_artefact_says_which_rules_made_it_and_leads_to_the_directory(made):
    sidecar = read_sidecar(made.path("core/expression/linked", "Asthma|GSE11", "tables"))
    assert sidecar.parameters["expression"]["rules"] == "sound"
    report = made.audit()
    assert report.ok, report.findings
    roots = {pin for node, pins in report.roots.items() if "Asthma|GSE11" in node for pin in pins}
    assert any("GENOPLATFORM_EXPRESSION/Asthma|GSE11" in pin for pin in roots)


def test_export_in_the_benchmarks_layout(made, tmp_path):
    written = dict(export_preprocessed(made.platform, tmp_path))
    assert {trait: len(files) for trait, files in written.items()} == {
        "Asthma": 5,
        "Bladder_Cancer": 4,
        "Sjögrens_Syndrome": 2,
    }
    info = json.loads((tmp_path / "preprocess" / "Asthma" / "cohort_info.json").read_text())
    assert {cohort: record["is_usable"] for cohort, record in info.items()} == {"GSE11": True, "GSE12": False}
    linked = pd.read_csv(tmp_path / "preprocess" / "Asthma" / "GSE11.csv", index_col=0)
    assert linked.shape == (12, 73)


def test_declared_checks_hold(made):
    for asset, key in (
        ("clinical_data", "Asthma|GSE11"),
        ("clinical_data", "Bladder_Cancer|TCGA"),
        ("cohort_info", None),
        ("annotation", "Asthma|GSE11"),
    ):
        declared = declared_tables()[f"core/expression/{asset}"]
        path = made.path(f"core/expression/{asset}", key)
        outcomes = run_tests(path, declared, declared.declared_tests())
        failed = {name for name, outcome in outcomes.items() if not outcome.passed}
        warned = {test.name for test in declared.declared_tests() if test.severity == "warn"}
        assert failed <= warned, (asset, failed)


def test_what_comes_later_is_made_and_nothing_else(cohorts, tmp_path, monkeypatch):
    """A new folder, and an accession in the list, add partitions; compat makes everything of the area again."""
    root = tmp_path / "cohorts"
    shutil.copytree(cohorts, root)
    shutil.rmtree(root / "GEO" / "Asthma" / "GSE12")
    shutil.rmtree(root / "TCGA")
    monkeypatch.setenv("GENOPLATFORM_EXPRESSION", str(root))
    world = world_with(tmp_path / "world")
    home = open_home(tmp_path / "home", world)
    home.run(SELECTION)
    write_series(root / "GEO" / "Asthma" / "GSE14")
    (root / "accessions.tsv").write_text("Asthma\tGSE15\n")
    asked = []

    def obtain(self, accession, folder):
        asked.append(accession)
        write_series(folder)
        return folder

    monkeypatch.setattr(GeoResource, "obtain", obtain)
    again = open_home(tmp_path / "home", world)
    stale = again.stale(SELECTION)
    assert {label.partition("[")[2] for label in stale} == {"Asthma|GSE14]", "Asthma|GSE15]", ""}
    again.run(SELECTION)
    assert asked == ["GSE15"]
    info = stored(again, "cohort_info", kind="parquet")
    assert info["cohort"].tolist() == ["GSE11", "GSE14", "GSE15", "GSE13"]
    with in_home(again):
        compat = open_home(tmp_path / "home", world_with(tmp_path / "compat", rules="compat_v2"))
        assert "core/expression/linked[Asthma|GSE11]" in compat.stale(SELECTION)


def test_decisions_of_people(cohorts, tmp_path, monkeypatch):
    """An override file gives the one-class cohort a trait; who decided stands in the record."""
    override = {
        "Asthma|GSE12": {
            "by": "someone",
            "reason": "the first six are mild",
            "trait": {"source": "characteristics", "key": "Sex", "kind": "binary", "codes": {"Sex: M": 1, "Sex: F": 0}},
        }
    }
    (tmp_path / "people.yml").write_text(yaml.safe_dump(override))
    monkeypatch.setenv("GENOPLATFORM_EXPRESSION", str(cohorts))
    monkeypatch.setenv("GENOPLATFORM_DECISIONS", str(tmp_path / "people.yml"))
    world = world_with(tmp_path / "world")
    profiles = yaml.safe_load(world.profiles.read_text())
    profiles["embedded"]["slots"]["expression_decisions"] = "directory:GENOPLATFORM_DECISIONS"
    world.profiles.write_text(yaml.safe_dump(profiles))
    home = open_home(tmp_path / "home", world)
    home.run('+key:"core/expression/record"', partition="Asthma|GSE12")
    record = stored(home, "record", "Asthma|GSE12", "json")
    assert record["is_usable"]
    assert record["curator"] == "rules, overridden by someone"
