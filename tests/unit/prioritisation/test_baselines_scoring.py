import json

import numpy as np
import pandas as pd
import pytest
from baseline_outputs import gene_row, gene_tsv

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.baselines.exomiser import EXOMISER_TIE_RULE, run_exomiser
from genoplatform.prioritisation.baselines.lirical import LIRICAL_TIE_RULE, LiricalRecipe, run_lirical
from genoplatform.prioritisation.baselines.tool import ToolOutcome, ToolOutputError
from genoplatform.prioritisation.ranking import rank_candidates

CASES = pd.DataFrame(
    {
        "case_id": ["c1", "c2", "c3", "c4"],
        "hpo_terms": [["HP:0000001"], ["HP:0000002"], [], ["HP:0000004"]],
        "excluded_terms": [["HP:0000005"], [], ["HP:0000005"], []],
    }
)
LISTS = pd.DataFrame(
    {
        "case_id": ["c3", "c1", "c2"],
        "candidate_genes": [["A", "B"], ["Z", "B", "A"], ["B", "A"]],
        "causal_index": [0, 2, 0],
    }
)
LINKS = pd.DataFrame({"disease_id": ["OMIM:1", "OMIM:2"], "gene_symbol": ["A", "B"]})


class Recorded:
    """A runner whose tool wrote these files; an exception's name stands for a failed process."""

    def __init__(self, folder, outputs):
        self.folder, self.outputs, self.jobs = folder, outputs, []

    def identity(self):
        return {"version": "14.0.2", "jar": "ab12"}

    def run(self, jobs, read):
        self.jobs += jobs
        return [self._outcome(job, read) for job in jobs]

    def _outcome(self, job, read):
        output = self.outputs[job.case_id]
        if output is None:
            return ToolOutcome(job.case_id, None, "crashed", "exit status 1")
        folder = self.folder / job.case_id
        folder.mkdir()
        (folder / output[0]).write_text(output[1])
        try:
            return ToolOutcome(job.case_id, read(job, folder))
        except ToolOutputError as error:
            return ToolOutcome(job.case_id, None, error.reason, error.found)


def tsv(*rows):
    return "result.genes.tsv", gene_tsv(*rows)


def test_candidates_get_the_tools_score_and_zero_if_it_does_not_know_them(tmp_path):
    runner = Recorded(
        tmp_path,
        {"c1": tsv(gene_row(1, "A", "0.5000"), gene_row(2, "B", "0.5000")), "c2": tsv(gene_row(1, "A", "0.9000"))},
    )
    found = run_exomiser(CASES, LISTS, runner)
    table = found.scored[found.scored["case_id"] != "c3"]
    assert table.to_numpy().tolist() == [
        ["exomiser", "c1", "Z", 0.0, 0],
        ["exomiser", "c1", "B", 0.5, 1],
        ["exomiser", "c1", "A", 0.5, 2],
        ["exomiser", "c2", "B", 0.0, 0],
        ["exomiser", "c2", "A", 0.9, 1],
    ]
    assert found.tool == {"version": "14.0.2", "jar": "ab12"}
    assert [job.case_id for job in runner.jobs] == ["c1", "c2"]  # c4 has no list, c3 nothing to ask with


def test_a_failed_case_keeps_its_rows_without_scores_and_is_counted_and_named(tmp_path):
    runner = Recorded(tmp_path, {"c1": None, "c2": ("result.genes.tsv", "")})
    found = run_exomiser(CASES, LISTS, runner)
    assert len(found.scored) == 7
    assert found.scored["score"].isna().all()
    assert found.failures.to_numpy().tolist() == [
        ["c1", "crashed", "exit status 1"],
        ["c2", "empty output", "an empty file"],
        ["c3", "no observed term", "the case has no observed term"],
    ]
    assert found.report == {
        "cases": 3,
        "candidates": 7,
        "candidates_unknown": 0,
        "cases_not_scored": 3,
        "failed: crashed": 1,
        "failed: empty output": 1,
        "failed: no observed term": 1,
    }
    ranks = rank_candidates(found.scored, LISTS, tie_rule=EXOMISER_TIE_RULE)
    assert ranks["case_id"].tolist() == ["c1", "c2", "c3"]
    assert ranks["rank"].isna().all()


def test_exomiser_ties_are_alphabetical_and_lirical_ties_keep_the_lists_order(tmp_path):
    runner = Recorded(
        tmp_path,
        {"c1": tsv(gene_row(1, "A", "0.5000"), gene_row(2, "B", "0.5000")), "c2": tsv(gene_row(1, "A", "0.9000"))},
    )
    scored = run_exomiser(CASES, LISTS, runner).scored
    by_name = rank_candidates(scored, LISTS, tie_rule=EXOMISER_TIE_RULE)
    by_place = rank_candidates(scored, LISTS, tie_rule=LIRICAL_TIE_RULE)
    assert by_name["rank"].tolist()[:2] == [1.0, 2.0]
    assert by_place["rank"].tolist()[:2] == [2.0, 2.0]


def test_lirical_scores_are_the_best_diseases(tmp_path):
    answer = {"analysisResults": [{"diseaseId": "OMIM:1", "posttestProbability": 0.7}]}
    outputs = {case: ("result.json", json.dumps(answer)) for case in ("c1", "c2")}
    runner = Recorded(tmp_path, outputs)
    found = run_lirical(CASES, LISTS, runner, LINKS)
    assert found.scored["score"].tolist()[:5] == [0.0, 0.0, 0.7, 0.0, 0.7]
    assert np.isnan(found.scored["score"].to_numpy()[5:]).all()
    assert found.report["candidates_unknown"] == 3
    assert "-n" not in runner.jobs[0].arguments


def test_excluded_terms_are_passed_only_where_the_recipe_says_so(tmp_path):
    answer = {"analysisResults": [{"diseaseId": "OMIM:1", "posttestProbability": 0.7}]}
    runner = Recorded(tmp_path, {case: ("result.json", json.dumps(answer)) for case in ("c1", "c2")})
    run_lirical(CASES, LISTS, runner, LINKS, recipe=LiricalRecipe(use_excluded=True))
    assert [("-n" in job.arguments) for job in runner.jobs] == [True, False]


def test_lists_must_belong_to_the_cases(tmp_path):
    runner = Recorded(tmp_path, {})
    with pytest.raises(BadInputError, match="the first c1"):
        run_exomiser(CASES[1:], LISTS, runner)
    with pytest.raises(BadInputError, match="repeated case ids among the candidate lists"):
        run_exomiser(CASES, pd.concat([LISTS, LISTS]), runner)
    assert runner.jobs == []


def test_no_list_gives_an_empty_table(tmp_path):
    found = run_exomiser(CASES, LISTS[:0], Recorded(tmp_path, {}))
    assert found.scored.empty
    assert found.scored.columns.tolist() == ["system", "case_id", "gene", "score", "candidate_index"]
    assert found.failures.columns.tolist() == ["case_id", "reason", "detail"]
