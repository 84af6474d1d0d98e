"""The whole asset graph on the tiny world, for both cohort sources: made once, proven, and then left alone."""

import json

import pandas as pd
import pytest
from tiny import DISEASES, gene, publications

from genoplatform.provenance import read_sidecar
from genoplatform.provenance.sidecar import iter_artefacts

PROFILES = ["embedded", "workstation"]


@pytest.fixture(params=PROFILES)
def home(request):
    return request.getfixturevalue(request.param)


def test_every_artefact_has_a_sidecar(home):
    sidecars = [read_sidecar(path) for path in iter_artefacts(home.platform.store())]
    assert {sidecar.label for sidecar in sidecars} == home.labels()
    assert all(sidecar.code_version == home.nodes[sidecar.asset].code_version for sidecar in sidecars)


def test_audit_verifies_every_artefact_down_to_its_pins(home):
    report = home.audit()
    assert report.findings == []
    assert report.artefacts == len(home.labels())
    slots = {home.nodes[label.partition("[")[0]].slot for label in home.labels()}
    used = [pin for slot, pin in home.platform.settings().slots.model_dump().items() if pin and slot in slots]
    assert report.pins_verified == len(used)
    roots = {root.split()[0] for root in report.roots["out/report/benchmark"]}
    assert roots == set(used), "the report rests on every pin"


def test_a_second_run_makes_nothing(home):
    assert home.stale() == {}
    before = home.files()
    summary = home.run()
    assert summary.made == []
    assert set(summary.skipped) == home.labels()
    assert home.files() == before


def test_the_dagster_runs_have_ended(home):
    assert home.open_runs() == []
    assert {run.status.value for run in home.all_runs()} == {"SUCCESS"}


def test_publication_cases_are_the_ones_the_world_was_made_with(embedded):
    tables = {
        path.stem: pd.read_parquet(path) for path in embedded.path("core/cohort/selection", kind="tables").iterdir()
    }
    funnel = tables["funnel"].to_numpy().tolist()
    assert funnel[:5] == [
        ["publications", 63, 0, ""],  # 27 diseases with two, 8 late ones, one with too few terms
        ["eligible", 62, 1, "few_terms"],
        ["eligible", 60, 2, "no_gene"],
        ["eligible", 58, 2, "several_genes"],
        ["eligible", 56, 2, "not_protein_coding"],
    ]
    cases = pd.read_parquet(embedded.path("core/cohort/cases"))
    late = {publications(disease)[2] for disease in DISEASES if disease % 3 == 0}
    assert set(cases.loc[cases["exposed"] == 0, "source_pmid"]) == late, "all unexposed cases are taken"
    assert (cases.loc[cases["exposed"] == 0, "inclusion_probability"] == 1.0).all()
    drawn = cases[cases["exposed"] == 1].groupby("category").size().to_dict()
    assert drawn == dict.fromkeys(["developmental", "immunological", "metabolic", "neurological", "other"], 6)


def test_a_case_whose_gene_is_not_in_the_pool_is_dropped_and_counted(workstation):
    funnel = pd.read_parquet(workstation.path("core/cohort/selection", kind="tables") / "funnel.parquet")
    assert funnel.to_numpy().tolist() == [
        ["files", 37, 0, ""],
        ["load", 36, 1, "unreadable-json"],
        ["inclusion", 35, 1, "few_hpo"],
        ["inclusion", 34, 1, "no_single_gene"],
        ["inclusion", 33, 1, "excluded_disease"],
        ["category", 26, 7, "no_category"],
        ["sample", 26, 0, "not_drawn"],
        ["gene_pool", 25, 1, "causal_not_in_pool"],
        ["evaluable", 25, 0, ""],
    ]
    cases = pd.read_parquet(workstation.path("core/cohort/cases"))
    assert len(cases) == 25
    assert "NC01" not in set(cases["causal_gene"])


@pytest.mark.parametrize("partition", ["standard", "hard"])
def test_each_list_has_fifty_genes_and_each_case_a_rank(home, partition):
    cases = pd.read_parquet(home.path("core/cohort/cases"))
    lists = pd.read_parquet(home.path("core/cohort/candidates", partition))
    assert lists["case_id"].tolist() == cases["case_id"].tolist()
    assert {len(set(genes)) for genes in lists["candidate_genes"]} == {50}
    ranks = pd.read_parquet(home.path("eval/prioritisation/ranks", partition))
    systems = {"resnik", "likelihood", "likelihood_excluded", "phenodigm", "fusion"}
    both = sorted(name + suffix for name in systems for suffix in ("", "_decontaminated"))
    assert ranks.groupby("system").size().to_dict() == dict.fromkeys(both, len(cases))
    assert ranks["rank"].between(1, 50).all()


def test_a_hard_list_never_holds_a_gene_of_the_case_s_own_disease(workstation):
    lists = pd.read_parquet(workstation.path("core/cohort/candidates", "hard"))
    cases = pd.read_parquet(workstation.path("core/cohort/cases"))
    genes = dict(zip(cases["case_id"], cases["causal_gene"], strict=True))
    for case_id, candidates in zip(lists["case_id"], lists["candidate_genes"], strict=True):
        assert [symbol for symbol in candidates if symbol == genes[case_id]] == [genes[case_id]]
    assert {gene(disease) for disease in DISEASES} & set(lists["candidate_genes"].iloc[0])


def test_removing_the_own_publication_only_moves_exposed_cases(embedded):
    cases = pd.read_parquet(embedded.path("core/cohort/cases")).set_index("case_id")
    ranks = pd.read_parquet(embedded.path("eval/prioritisation/ranks", "standard"))
    wide = ranks.pivot(index="case_id", columns="system", values="rank")
    for system in ("resnik", "likelihood", "likelihood_excluded", "phenodigm"):
        moved = wide.index[wide[system] != wide[f"{system}_decontaminated"]]
        assert set(cases.loc[moved, "exposed"]) <= {1}, system
    assert (wide["resnik"] != wide["resnik_decontaminated"]).any()


def test_the_report_opens_with_the_cohort_s_own_counts(home):
    folder = home.path("out/report/benchmark", kind="directory")
    numbers = json.loads((folder / "headline.json").read_bytes())
    cases = pd.read_parquet(home.path("core/cohort/cases"))
    assert (numbers["cases"], numbers["exposed"]) == (len(cases), int(cases["exposed"].sum()))
    assert set(numbers["difficulties"]) == {"standard", "hard"}
    page = (folder / "index.html").read_text()
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert 'src="http' not in page
