"""Every native system behind the common interface, on an ontology of five findings and three genes."""

import numpy as np
import pandas as pd
import pytest
from likelihood_examples import ALL, DOMINANT, INHERITANCE, ROOT, rows
from resnik_examples import graph_of

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.ranking import rank_candidates
from genoplatform.prioritisation.systems import BUILDERS, DECONTAMINATED, Knowledge, build_system
from genoplatform.settings.profiles import load_profile

A, B, C, A1, A2, B1, B2 = (f"HP:40000{n:02d}" for n in range(7))
PARAMETERS = load_profile("embedded").ranking.model_dump()
SYSTEMS = sorted(BUILDERS)
UNKNOWN_GENE = "NEW1"


@pytest.fixture(scope="module")
def graph():
    above = {ALL: [], ROOT: [ALL], INHERITANCE: [ALL], DOMINANT: [INHERITANCE], A: [ROOT], B: [ROOT], C: [ROOT]}
    return graph_of(above | {A1: [A], A2: [A], B1: [B], B2: [B]})


@pytest.fixture(scope="module")
def knowledge(graph):
    """Disease n of gene Gn; publication 1 is all that is known of disease 1's findings a1 and b1.

    Twenty further diseases without a gene make findings rare enough (2.5 bits) for PhenoDigm to match.
    """
    annotated = rows(
        ("OMIM:1", A1, "1/1", ["PMID:1"]),
        ("OMIM:1", B1, "1/1", ["PMID:1"]),
        ("OMIM:1", A2, "1/2", ["PMID:2"]),
        ("OMIM:1", DOMINANT, "", ["PMID:2"]),
        ("OMIM:2", A1, "1/2", ["PMID:3"]),
        ("OMIM:2", B2, "1/1", ["PMID:3"]),
        ("OMIM:3", B2, "1/1", ["PMID:4"]),
        *((f"OMIM:{n}", C, "1/1", ["PMID:5"]) for n in range(10, 30)),
    )
    annotated = annotated.assign(copies=1, row=range(1, len(annotated) + 1))
    links = pd.DataFrame({"gene_symbol": ["G1", "G2", "G3"], "disease_id": ["OMIM:1", "OMIM:2", "OMIM:3"]})
    gene_rows = links.assign(hpo_id=A1, gene_id="NCBIGene:1", frequency="-", present=True)
    return Knowledge(graph, gene_rows, annotated)


CASES = pd.DataFrame(
    {
        "case_id": ["cited", "not cited", "no terms"],
        "causal_gene": ["G1", "G1", "G1"],
        "source_pmid": ["PMID:1", "PMID:99", "PMID:1"],
        "disease_ids": [["OMIM:1"]] * 3,
        "hpo_terms": [[A1, B1], [A1, B1], ["HP:9999999"]],
        "excluded_terms": [[B2], [B2], []],
    }
)
LISTS = pd.DataFrame(
    {"case_id": CASES["case_id"], "candidate_genes": [[UNKNOWN_GENE, "G3", "G2", "G1"]] * 3, "causal_index": 3}
)


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request, knowledge):
    return build_system(request.param, knowledge, PARAMETERS)


@pytest.fixture(scope="module")
def result(system):
    return system.score_lists(CASES, LISTS)


@pytest.fixture(scope="module")
def scores(result):
    """(variant, case) -> gene -> score."""
    by_list = result.scored.groupby(["system", "case_id"])
    return {key: dict(zip(part["gene"], part["score"], strict=True)) for key, part in by_list}


def test_the_declared_systems_are_those_a_profile_may_name():
    assert SYSTEMS == ["likelihood", "likelihood_excluded", "phenodigm", "resnik"]
    assert set(SYSTEMS) == set(PARAMETERS["systems"])


def test_both_variants_score_every_candidate(system, result):
    names = [system.name, system.name + DECONTAMINATED]
    assert result.scored.groupby("system").size().to_dict() == dict.fromkeys(names, 12)
    assert {key.partition(": ")[0] for key in result.report} == set(names)
    assert result.report[f"{system.name}: candidates_unknown"] == 3
    assert result.report[f"{system.name}: cases_not_scored"] == 1


def test_an_unknown_gene_scores_the_lowest_of_the_scale(system, scores):
    """0 where no resemblance is 0; minus infinity where the scale is a logarithm, or it would beat a poor fit."""
    lowest = -np.inf if system.name.startswith("likelihood") else 0.0
    for variant in (system.name, system.name + DECONTAMINATED):
        for case in ("cited", "not cited"):
            found = scores[variant, case]
            assert found[UNKNOWN_GENE] == lowest == min(found.values())


def test_removing_a_publication_that_nothing_cites_changes_nothing(system, scores):
    assert scores[system.name, "not cited"] == scores[system.name + DECONTAMINATED, "not cited"]


def test_removing_the_own_publication_takes_the_causal_gene_s_lead(system, scores):
    assert scores[system.name, "cited"] == scores[system.name, "not cited"], "the publication is no part of the query"
    before, after = scores[system.name, "cited"], scores[system.name + DECONTAMINATED, "cited"]
    assert max(before, key=before.get) == "G1"
    assert after["G1"] < before["G1"]
    assert max(after, key=after.get) == "G2"
    assert {gene: after[gene] for gene in ("G2", "G3")} == {gene: before[gene] for gene in ("G2", "G3")}


def test_a_case_without_usable_terms_has_no_scores_and_misses(system, result, scores):
    for variant in (system.name, system.name + DECONTAMINATED):
        assert np.isnan(list(scores[variant, "no terms"].values())).all()
    ranks = rank_candidates(result.scored, LISTS, tie_rule="candidate_order").set_index(["system", "case_id"])["rank"]
    assert np.isnan(ranks[system.name, "no terms"])
    assert (ranks[system.name, "cited"], ranks[system.name + DECONTAMINATED, "cited"] > 1) == (1, True)


def test_the_summary_counts_what_is_taken_away(system):
    summary = system.summary(CASES)
    assert summary["case_id"].tolist() == CASES["case_id"].tolist()
    numbers = summary.set_index("case_id").iloc[:, [0, 1, 2, -1]]
    assert numbers.loc["cited"].tolist() == [2, 1, 0, 2], "two of disease 1's findings, which keeps another"
    assert numbers.loc["not cited"].tolist() == [0, 0, 0, 0]


def test_excluded_terms_count_in_the_system_that_says_so_and_in_no_other(system, knowledge, scores):
    """G2's disease always has b2, which the case was looked at for and has not."""
    without = CASES.assign(excluded_terms=[[], [], []])
    chunks, _ = system.score(without)
    block = np.concatenate([block for _, block in chunks])
    plain = dict(zip(system.genes, block[0], strict=True))
    found = scores[system.name, "cited"]
    if system.name == "likelihood_excluded":
        assert found["G2"] < plain["G2"]
        assert found["G1"] > plain["G1"]
    else:
        assert {gene: found[gene] for gene in plain} == plain


def test_gene_profiles_of_the_gene_table_are_another_knowledge_base(knowledge):
    """The gene table of this world gives every gene a1 alone, so that nobody stands out."""
    system = build_system("resnik", knowledge, PARAMETERS | {"knowledge": "genes_to_phenotype"})
    chunks, evaluable = system.score(CASES)
    block = np.concatenate([block for _, block in chunks])
    assert system.genes == ["G1", "G2", "G3"]
    assert evaluable.tolist() == [True, True, False]
    assert len(set(block[0])) == 1


def test_a_system_nobody_built_is_named_with_those_that_are(knowledge):
    with pytest.raises(SettingsError, match=r"'exomizer'") as error:
        build_system("exomizer", knowledge, PARAMETERS)
    assert error.value.hint == "one of resnik, likelihood, likelihood_excluded, phenodigm"
