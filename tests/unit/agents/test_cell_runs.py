"""Cells over a cohort: files, resuming, determinism, replay, and what happens when the model dies."""

import json
from pathlib import Path
from typing import ClassVar

import pytest
from small_world import LittleSearcher, OverlapReranker, ScriptedLlm, hit, lexicon

from genoplatform.agents.case_files import CaseFacts, case_of, file_name, read_records
from genoplatform.agents.cell_run import CellFolder, run_cell
from genoplatform.agents.cells import CELLS, Tools, build_worker, cell
from genoplatform.agents.checkpoints import open_folder
from genoplatform.agents.held_back import ModelUnavailableError
from genoplatform.agents.llm import ChatAnswer
from genoplatform.agents.state import Case
from genoplatform.errors import BadInputError, SettingsError

GENES = tuple(f"GENE{n}" for n in range(1, 5))
TERMS = ("HP:0000003", "HP:0000004")
FACTS = [CaseFacts(Case(f"GENE{n}:PMID_{n}", TERMS, GENES), f"GENE{n}", "metabolic", f"PMID:{n}") for n in range(1, 5)]
TEXTS = [
    hit(f"{gene} in a patient with gait ataxia and seizure", f"c{n}", pmid=str(n)) for n, gene in enumerate(GENES, 1)
]


def tools(llm=None):
    return Tools(lexicon(), {}, LittleSearcher(TEXTS), OverlapReranker(), llm)


def run(root: Path, name: str, llm=None, facts=FACTS, **options):
    folder = CellFolder(open_folder(root, {"cell": name}), CELLS[name], "standard")
    return run_cell(folder, facts, build_worker(CELLS[name], tools(llm)), **options)


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def last_gene_first(request):
    head = (
        next(line for line in request.user.splitlines() if line.startswith("Candidate genes"))
        .split(": ")[1]
        .split(", ")
    )
    return json.dumps([{"gene": head[-1], "confidence": 0.9, "rationale": "x"}])


def test_a_ranking_file_has_the_released_schema(tmp_path):
    report = run(tmp_path, "D")
    assert report.counts() == {"cases": 4, "resumed": 0, "made": 4, "fallbacks": 0}
    path = tmp_path / "eval_1050" / "cell_D_multi_hybrid" / "GENE1%3APMID_1.json"
    entries = json.loads(path.read_text())
    assert list(entries[0]) == ["symbol", "is_causal", "aggregate_confidence", "supporting_chunks", "final_rank"]
    assert [each["final_rank"] for each in entries] == [1, 2, 3, 4]
    assert [each["symbol"] for each in entries if each["is_causal"]] == ["GENE1"]
    assert path.read_text().startswith('[\n  {\n    "symbol"')  # indent 2
    assert case_of(path) == "GENE1:PMID_1"


def test_a_response_file_has_the_released_keys(tmp_path):
    run(tmp_path, "S", ScriptedLlm(last_gene_first))
    record = read_records(tmp_path / "eval_1050" / "cell_S_responses")["GENE1:PMID_1"]
    released = ["case_id", "hpo_terms", "candidate_genes", "causal_gene", "category", "use_lea", "retrieved_per_gene"]
    assert [key for key in (*released, "lea_log", "ranked") if key not in record] == []
    chunk = record["retrieved_per_gene"]["GENE1"][0]
    names = ("chunk_id", "text", "source_pmcid", "section_type", "score_dense", "score_bm25", "score_rrf")
    assert [key for key in names if key not in chunk] == []
    log = record["lea_log"]
    parts = (
        "system_prompt user_prompt top_gene_symbols evidence_per_gene response_raw response_parsed tokens_in tokens_out"
    )
    assert [key for key in parts.split() if f"lea_{key}" not in log] == []
    assert log["lea_finish_reason"] == ""
    assert log["lea_latency_s"] is None
    assert log["lea_fallback_reason"] == ""


@pytest.mark.parametrize("name", ["A", "B", "D", "L", "D_real", "L_real"])
def test_two_runs_give_the_same_bytes(tmp_path, name):
    run(tmp_path / "one", name)
    run(tmp_path / "two", name, block=3)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert len(tree(tmp_path / "one")) == 9  # four rankings, four responses, the set-up


class Remembered:
    """A model's client that answers from what was said before, and has no model."""

    identity: ClassVar = {"server": "scripted", "model": "script", "revision": "1", "evidence": "plumbing"}

    def __init__(self, said):
        self.said = said

    def complete(self, requests):
        return [self.said.get(r.user, ChatAnswer("", error="not_cached")) for r in requests]


def test_a_replay_without_a_model_gives_the_same_bytes(tmp_path):
    said = {}

    def remember(request):
        said[request.user] = ChatAnswer(last_gene_first(request), latency_s=1.5)
        return said[request.user]

    run(tmp_path / "first", "S", ScriptedLlm(remember))
    cached = {user: ChatAnswer(answer.text, latency_s=0.0, cached=True) for user, answer in said.items()}
    run(tmp_path / "again", "S", Remembered(cached))
    assert tree(tmp_path / "first") == tree(tmp_path / "again")


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    searched = tools()
    worker = build_worker(CELLS["D"], searched)

    def dies(cases):
        if cases[0].case_id.startswith("GENE3"):
            raise KeyboardInterrupt
        return worker(cases)

    folder = CellFolder(open_folder(tmp_path, {"cell": "D"}), CELLS["D"], "standard")
    with pytest.raises(KeyboardInterrupt):
        run_cell(folder, FACTS, dies)
    before = tree(tmp_path)
    assert run(tmp_path, "D").counts() == {"cases": 4, "resumed": 2, "made": 2, "fallbacks": 0}
    after = tree(tmp_path)
    assert {name: after[name] for name in before} == before
    run(tmp_path.parent / "whole", "D")
    assert after == tree(tmp_path.parent / "whole")


@pytest.mark.parametrize("left", [b"", b'[{"symbol": '])
def test_a_file_that_a_power_cut_left_empty_or_torn_is_made_again(tmp_path, left):
    run(tmp_path, "D")
    before = tree(tmp_path)
    (tmp_path / "eval_1050" / "cell_D_multi_hybrid" / "GENE1%3APMID_1.json").write_bytes(left)
    (tmp_path / "eval_1050" / "cell_D_responses" / "GENE2%3APMID_2.json").write_bytes(left)
    assert run(tmp_path, "D").counts() == {"cases": 4, "resumed": 2, "made": 2, "fallbacks": 0}
    assert tree(tmp_path) == before


def test_files_of_another_set_up_are_not_reused(tmp_path):
    run(tmp_path, "D")
    ranking = tmp_path / "eval_1050" / "cell_D_multi_hybrid" / "GENE1%3APMID_1.json"
    assert open_folder(tmp_path, {"cell": "D"}).joinpath("setup.json").is_file()
    assert ranking.is_file()
    open_folder(tmp_path, {"cell": "D", "limit": 20})
    assert not ranking.exists()


def test_progress_is_told_with_what_was_done_before(tmp_path):
    told = []
    run(tmp_path, "D", facts=FACTS[:2])
    run(tmp_path, "D", progress=lambda done, of: told.append((done, of)))
    assert told == [(3, 4), (4, 4)]


def failing(kinds):
    """Answers, or fails with the kind, call after call."""
    left = iter(kinds)

    def script(request):
        kind = next(left)
        return ChatAnswer("", error=kind) if kind else last_gene_first(request)

    return ScriptedLlm(script)


def test_one_timeout_is_a_counted_fallback(tmp_path):
    report = run(tmp_path, "S", failing(["timeout", "", "", ""]))
    assert report.counts() == {"cases": 4, "resumed": 0, "made": 4, "fallbacks": 1}
    log = read_records(tmp_path / "eval_1050" / "cell_S_responses")["GENE1:PMID_1"]["lea_log"]
    assert log["lea_fallback_reason"] == "llm_call_failed:timeout"


@pytest.mark.parametrize("kind", ["connection", "server_died", "http_503", "timeout"])
def test_a_dead_model_stops_the_run_and_its_cases_are_made_by_the_next(tmp_path, kind):
    with pytest.raises(ModelUnavailableError, match=f"3 cases in a row.*{kind}"):
        run(tmp_path, "S", failing(["", kind, kind, kind]))
    done = read_records(tmp_path / "eval_1050" / CELLS["S"].directory)
    assert list(done) == ["GENE1:PMID_1"]
    assert run(tmp_path, "S", ScriptedLlm(last_gene_first)).counts()["made"] == 3


def test_rubbish_is_a_fallback_case_by_case_and_never_stops_the_run(tmp_path):
    report = run(tmp_path, "S", ScriptedLlm(lambda request: "<html>rubbish</html>"))
    assert report.counts() == {"cases": 4, "resumed": 0, "made": 4, "fallbacks": 4}


def test_texts_may_be_left_out_of_the_responses(tmp_path):
    run(tmp_path, "D", texts=False)
    record = read_records(tmp_path / "eval_1050" / "cell_D_responses")["GENE1:PMID_1"]
    assert {chunk["text"] for chunks in record["retrieved_per_gene"].values() for chunk in chunks} == {None}


@pytest.mark.parametrize(("case_id", "name"), [("A:b c", "A%3Ab%20c.json"), (".hidden/x", "%2Ehidden%2Fx.json")])
def test_file_names_hold_on_every_file_system(case_id, name):
    assert file_name(case_id) == name
    assert case_of(Path(name)) == case_id


@pytest.mark.parametrize("case_id", ["", "x" * 201])
def test_case_ids_that_make_no_name(case_id):
    with pytest.raises(BadInputError):
        file_name(case_id)


@pytest.mark.parametrize(("name", "missing"), [("S", "llm"), ("O", "llm"), ("L", "reranker"), ("D", "searcher")])
def test_a_cell_without_its_tools_says_which(name, missing):
    searcher = None if missing == "searcher" else LittleSearcher([])
    reranker = None if missing == "reranker" else OverlapReranker()
    with pytest.raises(SettingsError, match=f"no {missing}"):
        build_worker(CELLS[name], Tools(lexicon(), {}, searcher, reranker))


def test_an_unknown_cell():
    with pytest.raises(SettingsError, match="no such cell"):
        cell("Z")
