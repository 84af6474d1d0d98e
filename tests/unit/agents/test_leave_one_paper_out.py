"""Which chunks the two arms have, and the leak record (rare_disease.md section 12)."""

import json

from small_world import LittleSearcher, OverlapReranker, ScriptedLlm, hit, lexicon

from genoplatform.agents.case_files import CaseFacts
from genoplatform.agents.cells import Tools
from genoplatform.agents.lopo import LopoRun, arm_chunks, leak_record
from genoplatform.agents.state import Case


def pool(*pmids):
    return [hit("text", f"c{n}", pmid=pmid) for n, pmid in enumerate(pmids)]


def ids(hits):
    return [each.chunk_id for each in hits]


def test_the_publications_chunks_are_dropped_before_the_first_are_taken():
    control, left_out = arm_chunks(pool("7", "9", "7", "8", "", "6"), "PMID:7", kept=3)
    assert ids(control) == ["c0", "c1", "c2"]
    assert ids(left_out) == ["c1", "c3", "c4"]  # c4 has no PMID and stays


def test_a_case_without_a_publication_loses_nothing():
    control, left_out = arm_chunks(pool("", "7"), "", kept=2)
    assert control == left_out


def test_eighty_are_fetched_so_that_fifty_are_left():
    control, left_out = arm_chunks(pool(*["7"] * 30, *[str(100 + n) for n in range(50)]), "7")
    assert (len(control), len(left_out)) == (50, 50)
    assert ids(left_out)[0] == "c30"


def test_the_leak_record_counts_places_from_one():
    facts = CaseFacts(Case("x:1", (), ("A", "B")), "A", "metabolic", "PMID:7")
    record = leak_record(facts, {"A": pool("9", "7", "7"), "B": pool("7")})
    assert record == {
        "case_id": "x:1",
        "source_pmid": "PMID:7",
        "source_in_causal_pool": True,
        "source_best_pos_in_causal_pool": 2,
        "source_chunks_in_causal_pool": 2,
        "source_chunks_all_genes": 3,
        "category": "metabolic",
        "n_source_chunks_dropped": 3,
    }
    assert leak_record(facts, {"A": pool("9"), "B": []})["source_best_pos_in_causal_pool"] is None


def test_both_arms_are_written_and_only_one_knows_the_publication(tmp_path):
    texts = [
        hit("AAA1 in a patient with seizure and gait ataxia", "own", pmid="7"),
        hit("BBB2 in a cohort with seizure", "other", pmid="8"),
    ]
    facts = CaseFacts(Case("x:1", ("HP:0000004", "HP:0000003"), ("BBB2", "AAA1")), "AAA1", "metabolic", "PMID:7")
    llm = ScriptedLlm(lambda request: "no JSON")
    tools = Tools(lexicon(), {}, LittleSearcher(texts), OverlapReranker(), llm)
    report = LopoRun(tools, tmp_path).run([facts])
    assert report.counts() == {"cases": 1, "resumed": 0, "made": 1, "fallbacks": 1}

    def first(arm):
        return json.loads((tmp_path / f"cell_S_{arm}" / "x%3A1.json").read_text())[0]["symbol"]

    assert (first("control"), first("lopo")) == ("AAA1", "BBB2")
    leak = json.loads((tmp_path / "leak_S" / "x%3A1.json").read_text())
    assert (leak["source_in_causal_pool"], leak["source_best_pos_in_causal_pool"]) == (True, 1)
    assert LopoRun(tools, tmp_path).run([facts]).counts()["resumed"] == 1
    assert len(llm.requests) == 2
