"""Cells over a list: set-ups, taking over finished cells, and the tables of what came out."""

import json

import pandas as pd
import pytest
from small_world import LittleSearcher, OverlapReranker, ScriptedLlm, hit, lexicon

from genoplatform.agents.campaign import Campaign, cases_digest
from genoplatform.agents.case_files import CaseFacts
from genoplatform.agents.cell_tables import NATIVE, PLUMBING, cell_summary, pass_summary
from genoplatform.agents.cells import Tools
from genoplatform.agents.declared import cases_to_run, cells_to_run, cohort_of, limits_of
from genoplatform.agents.finished import cell_ranks, outcome_table, pass_table
from genoplatform.agents.fused_cell import write_fused
from genoplatform.agents.state import Case
from genoplatform.settings.agents import AgentsSettings

GENES = tuple(f"GENE{n:02d}" for n in range(50))
CASES = pd.DataFrame(
    {
        "case_id": [f"GENE{n:02d}:PMID_{n}" for n in range(3)],
        "hpo_terms": [["HP:0000003", "HP:0000004"]] * 3,
        "causal_gene": [f"GENE{n:02d}" for n in range(3)],
        "category": ["metabolic", "neurological", "metabolic"],
        "source_pmid": [f"PMID:{n}" for n in range(3)],
        "cluster": ["PMID:0", "PMID:1", "PMID:1"],
    }
)
CANDIDATES = pd.DataFrame(
    {
        "case_id": CASES["case_id"],
        "difficulty": "standard",
        "candidate_genes": [list(GENES)] * 3,
        "causal_index": [0, 1, 2],
    }
)
TEXTS = [hit(f"{gene} in a patient with gait ataxia and seizure", f"c{n:02d}") for n, gene in enumerate(GENES[:2])]


def settings(**declared):
    return AgentsSettings.model_validate({"cells": ["D", "L", "S", "O"], "cases_per_category": None} | declared)


def campaign(llm=None, **changed):
    tools = Tools(lexicon(), {}, LittleSearcher(TEXTS), OverlapReranker(), llm)
    facts = cohort_of(CASES, CANDIDATES)
    return Campaign(**{"tools": tools, "difficulty": "standard", "cases": facts, "world": {"index": "x"}} | changed)


def last_first(request):
    head = (
        next(line for line in request.user.splitlines() if line.startswith("Candidate genes"))
        .split(": ")[1]
        .split(", ")
    )
    return json.dumps([{"gene": head[-1], "confidence": 0.9, "rationale": "as PMC77 says"}])


def test_the_cohort_is_the_cases_with_a_list_by_case_id():
    facts = cohort_of(CASES.iloc[::-1], CANDIDATES.iloc[1:])
    assert [each.case_id for each in facts] == ["GENE01:PMID_1", "GENE02:PMID_2"]
    assert facts[0] == CaseFacts(
        Case("GENE01:PMID_1", ("HP:0000003", "HP:0000004"), GENES), "GENE01", "neurological", "PMID:1"
    )


def test_a_handful_is_so_many_of_each_category():
    cohort = cohort_of(CASES, CANDIDATES)
    assert len(cases_to_run(cohort, settings())) == 3
    assert [each.category for each in cases_to_run(cohort, settings(cases_per_category=1))] == [
        "metabolic",
        "neurological",
    ]


def test_the_most_cases_are_the_first_categories():
    cohort = cohort_of(CASES, CANDIDATES)
    assert [each.category for each in cases_to_run(cohort, settings(cases_per_category=1, most_cases=1))] == [
        "metabolic"
    ]
    assert len(cases_to_run(cohort, settings(most_cases=2))) == 2


def test_cells_of_a_list():
    declared = settings(cells=["D", "S", "O", "N"], fusion_first="likelihood")
    assert cells_to_run(declared, "standard") == ["D", "S", "O"]
    assert cells_to_run(declared, "hard") == ["D", "S"]


@pytest.mark.parametrize(
    "declared",
    [
        {"cells": ["N"]},
        {"fusion_first": "likelihood"},
        {"cells": ["D"], "judge": {"per_category": 1}},
        {"cells": ["D", "N"], "fusion_first": "likelihood"},
        {"cells": []},
        {"cells": ["Z"]},
        {"lists_without": {"O": ["easy"]}},
    ],
)
def test_declarations_that_cannot_be_run_are_refused(declared):
    with pytest.raises(ValueError, match=r".+"):
        settings(**declared)


def test_the_declared_limits_are_the_published_ones_by_default():
    limits = limits_of(settings())
    assert (limits.lea.head, limits.lea.chunks_per_gene, limits.lea.chunk_characters, limits.lea.max_tokens) == (
        15,
        3,
        1600,
        1500,
    )
    assert (limits.llm_only.max_tokens, limits.llm_only.labels, limits.rerank_kept) == (4096, 12, 10)
    assert (limits.critic.batch, limits.critic.base_tokens, limits.critic.chunk_tokens) == (10, 1500, 250)


def test_finished_cells_of_the_same_set_up_are_taken_over_and_others_made(tmp_path):
    first = campaign()
    first.run(["D", "L"], tmp_path / "first")
    again = first.run(["D", "L"], tmp_path / "again", tmp_path / "first")
    assert {name: report["resumed"] for name, report in again.items()} == {"D": 3, "L": 3}
    other = campaign(world={"index": "y"}).run(["D"], tmp_path / "other", tmp_path / "first")
    assert other["D"]["resumed"] == 0


def test_a_set_up_names_the_model_only_where_it_is_asked():
    made = campaign(ScriptedLlm(last_first))
    assert made.setup({}, asks_model=True)["model"]["model"] == "script"
    assert made.setup({}, asks_model=False)["model"] is None


def test_the_digest_of_the_cases_sees_every_given():
    base = cohort_of(CASES, CANDIDATES)
    changed = [CaseFacts(base[0].case, "GENE09", base[0].category, base[0].source_pmid), *base[1:]]
    assert cases_digest(base) != cases_digest(changed)
    assert cases_digest(base) == cases_digest(cohort_of(CASES, CANDIDATES))


@pytest.fixture
def finished(tmp_path):
    campaign().run(["D", "D_real"], tmp_path / "search")
    campaign(ScriptedLlm(last_first)).run(["S", "O"], tmp_path / "model")
    scored = CANDIDATES.explode("candidate_genes").rename(columns={"candidate_genes": "gene"})
    scored = scored.assign(score=0.5, candidate_index=scored.groupby("case_id").cumcount())
    from genoplatform.agents.campaign import stored_rankings
    from genoplatform.agents.cells import CELLS

    second = stored_rankings(tmp_path / "model" / "S", CELLS["S"], "standard")
    folder = tmp_path / "fused" / "N" / "eval_1050" / "cell_N_rrf_m_s"
    write_fused(folder, cohort_of(CASES, CANDIDATES), scored, second)
    (tmp_path / "fused" / "N" / "setup.json").write_text("{}")
    return [tmp_path / name for name in ("search", "model", "fused")]


def test_outcomes_of_every_cell(finished):
    table = outcome_table(finished, CASES, "standard")
    assert table.groupby("cell").size().to_dict() == {"D": 3, "D_real": 3, "N": 3, "O": 3, "S": 3}
    evidence = table.drop_duplicates("cell").set_index("cell")["evidence"].to_dict()
    assert evidence == {"D": NATIVE, "D_real": NATIVE, "N": PLUMBING, "O": PLUMBING, "S": PLUMBING}
    first = table[(table["cell"] == "D") & (table["case_id"] == "GENE01:PMID_1")].iloc[0]
    # GENE01 is named in c01 with both labels, a case cue: 5; the other chunk does not name it: 2 x 1.0 x 0.3 = 0.6.
    assert (first["rank"], first["top1"], first["cluster"]) == (2, "GENE00", "PMID:1")
    assert first["confidence"] == pytest.approx(5.6 / 15)
    s = table[table["cell"] == "S"].iloc[0]
    assert (s["claims"], s["citation_not_retrieved"], s["fallback_reason"]) == (1, 1, "")


def test_the_summary_counts_and_rates(finished):
    summary = cell_summary(outcome_table(finished, CASES, "standard")).set_index("cell")
    # D ranks GENE00 and GENE01 first and second (both named), GENE02 third: ranks 1, 2, 3.
    assert summary.loc["D", ["cases", "top1", "top5", "fallbacks"]].tolist() == [3, pytest.approx(1 / 3), 1.0, 0]
    assert summary.loc["D", "mrr"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert summary.loc["S", "faults"] == 3


def test_passes(finished):
    table = pass_table(finished, "standard")
    assert set(table["cell"]) == {"D", "D_real", "S"}
    by_pass = pass_summary(table).set_index(["cell", "number"])
    assert by_pass.loc[("D", 1), ["strategy", "queries", "new_chunks", "order_changed"]].tolist() == [
        "same queries",
        0,
        0,
        0,
    ]
    assert by_pass.loc[("D_real", 1), "strategy"] == "synonyms"
    assert by_pass.loc[("D_real", 1), "queries"] == 150  # every gene, in each of three cases
    assert ("S", 1) not in by_pass.index


def test_ranks_are_read_by_the_reader_of_released_files(finished):
    outcomes = outcome_table(finished, CASES, "standard")
    ranks = cell_ranks(finished, outcomes, CANDIDATES, "standard")
    assert set(ranks["system"]) == {"D", "D_real", "S", "O", "N"}
    both = ranks.merge(outcomes, left_on=["system", "case_id"], right_on=["cell", "case_id"], suffixes=("", "_outcome"))
    assert len(both) == 15
    assert (both["rank"] == both["rank_outcome"]).all()
    assert set(ranks["tie_rule"]) == {"as_listed"}


def test_tables_without_any_cell(tmp_path):
    (tmp_path / "not_used.json").write_text("{}")
    assert outcome_table([tmp_path], CASES, "standard").empty
    assert pass_table([tmp_path], "standard").empty
    assert pass_summary(pass_table([tmp_path], "standard")).empty
    assert cell_summary(outcome_table([tmp_path], CASES, "standard")).empty


def test_the_reader_knows_every_cell_by_its_directory():
    from genoplatform.agents.cells import CELLS
    from genoplatform.prioritisation.released.layout import place_of

    assert {name: place_of(("eval_1050", each.directory), "x").system for name, each in CELLS.items()} == {
        name: name for name in CELLS
    }
