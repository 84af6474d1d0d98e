"""The graph's walk: router, the inert loop, the loop that rewrites, the model's agents (rare_disease.md section 7)."""

import json

import pytest
from small_world import LittleSearcher, ScriptedLlm, grade, hit, lexicon

from genoplatform.agents.cells import rules_only
from genoplatform.agents.critic import Critic
from genoplatform.agents.gene_names import GeneNames
from genoplatform.agents.graph import AgentGraph, Agents, Flow
from genoplatform.agents.lea import LeaSynthesizer
from genoplatform.agents.llm_critic import LlmCritic
from genoplatform.agents.llm_planner import LlmPlanner
from genoplatform.agents.retriever import Retriever
from genoplatform.agents.state import Case

NAMES = GeneNames({"OLD1": "AAA1"})
CASE = Case("case:1", ("HP:0000003",), ("BBB2", "AAA1"))
TEXTS = [
    hit("AAA1 in a patient with gait ataxia", "k1"),
    hit("A patient with gait ataxia of unknown cause", "k2"),
    hit("OLD1 in a patient with a wobbly gait and unsteady walk", "k3"),
    hit("BBB2 is expressed in liver", "k4"),
]


def agents(searcher=None, *, limit=2, critic=None, **more):
    searcher = searcher or LittleSearcher(TEXTS)
    return Agents(lexicon(), NAMES, Retriever(searcher, limit), critic or rules_only(Critic(NAMES)), **more)


def test_planner_retriever_critic_and_synthesizer_in_turn():
    searcher = LittleSearcher(TEXTS)
    final = AgentGraph(agents(searcher), Flow(loop="none")).run(CASE)
    assert final["expanded_hpo"] == ["HP:0000003", "HP:0000005", "HP:0000002", "HP:0000001"]
    assert searcher.queries[0] == "BBB2 Gait ataxia Abnormal nervous system Abnormal movement All"
    assert searcher.calls == 1
    assert [each.symbol for each in final["ranked"]] == ["AAA1", "BBB2"]
    # AAA1: k1 names it with the label and the cue "patient": 4 x 1.0; k2: 2 x 1.0 x 0.3.
    assert final["ranked"][0].aggregate_confidence == pytest.approx((4 + 0.6) / 15)
    assert final["ranked"][0].supporting_chunks == ("k1", "k2")


def test_raw_terms_where_nothing_is_expanded():
    final = AgentGraph(agents(), Flow(expand=False, loop="none")).run(CASE)
    assert (final["expanded_hpo"], final["labels"]) == (["HP:0000003"], ["Gait ataxia"])


@pytest.mark.parametrize(
    ("iteration", "weak", "loop", "next_node"),
    [
        (0, 6, "repeat", "retriever_loop"),
        (0, 5, "repeat", "synthesizer"),  # more than five are needed
        (2, 6, "repeat", "retriever_loop"),
        (3, 6, "repeat", "synthesizer"),  # no iteration left
        (0, 50, "none", "synthesizer"),
    ],
)
def test_the_router(iteration, weak, loop, next_node):
    grades = {"AAA1": [grade(str(n), 2) for n in range(weak)], "BBB2": [grade("strong", 3)]}
    graph = AgentGraph(agents(), Flow(loop=loop))
    assert graph.route({"iteration": iteration, "grades": grades}) == next_node


def test_the_published_loop_passes_four_times_and_changes_nothing():
    searcher = LittleSearcher(TEXTS)
    looped = AgentGraph(agents(searcher), Flow(weak_allowed=0)).run(CASE)
    single = AgentGraph(agents(), Flow(loop="none")).run(CASE)
    assert looped["iteration"] == 3
    assert [each.number for each in looped["passes"]] == [0, 1, 2, 3]
    later = looped["passes"][1:]
    assert {(p.strategy, p.queries, p.new_chunks, p.confidences_changed, p.order_changed) for p in later} == {
        ("same queries", 0, 0, 0, 0)
    }
    assert searcher.calls == 1
    assert looped["ranked"] == single["ranked"]
    assert looped["retrieved"] == single["retrieved"]


def test_the_rewriting_loop_finds_what_the_labels_do_not_and_measures_it():
    texts = [hit("A patient with gait ataxia", "k2"), hit("A patient with a wobbly gait and unsteady walk: OLD1", "k3")]
    filler = [hit(f"gait ataxia in patient {n}", f"f{n}") for n in range(3)]
    searcher = LittleSearcher([*texts, *filler])
    final = AgentGraph(agents(searcher, limit=1), Flow(expand=False, loop="rewrite", weak_allowed=0)).run(CASE)
    assert [(p.number, p.strategy) for p in final["passes"]] == [
        (0, "planned"),
        (1, "synonyms"),
        (2, "ancestors"),
        (3, "aliases"),
    ]
    assert "AAA1 Unsteady walk" in searcher.queries
    assert "OLD1 Gait ataxia" in searcher.queries
    synonyms = final["passes"][1]
    # The text is new for both genes; only AAA1 is named in it (by its alias), which raises its best grade from 2 to 3.
    assert (synonyms.new_chunks, synonyms.new_mentions, synonyms.grades_raised) == (2, 1, 1)
    assert final["ranked"][0].symbol == "AAA1"
    assert "k3" in final["ranked"][0].supporting_chunks


def test_genes_with_three_chunks_that_name_them_are_not_searched_again():
    texts = [hit(f"AAA1 text {n}", f"a{n}") for n in range(3)] + [hit("Gait ataxia", "g")]
    searcher = LittleSearcher(texts)
    AgentGraph(agents(searcher, limit=4), Flow(expand=False, loop="rewrite", weak_allowed=0)).run(CASE)
    assert [query for query in searcher.queries if query.startswith("AAA1")] == ["AAA1 Gait ataxia"]


def test_the_models_planner_words_the_queries_and_may_not_name_a_candidate():
    llm = ScriptedLlm(lambda request: '["staggering walk", "AAA1 disease", "", "staggering walk"]')
    searcher = LittleSearcher(TEXTS)
    final = AgentGraph(agents(searcher, planner=LlmPlanner(llm)), Flow(loop="none")).run(CASE)
    assert final["queries"] == {"BBB2": "BBB2 staggering walk", "AAA1": "AAA1 staggering walk"}
    assert final["logs"][0].fallback_reason == ""


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("no list", "llm_call_failed:JSONDecodeError"),
        ('{"a": 1}', "json_response_invalid"),
        ('["AAA1"]', "json_response_invalid"),
    ],
)
def test_without_usable_phrases_the_published_queries_are_asked(said, reason):
    final = AgentGraph(agents(planner=LlmPlanner(ScriptedLlm(lambda r: said))), Flow(loop="none")).run(CASE)
    assert final["queries"]["AAA1"].startswith("AAA1 Gait ataxia")
    assert final["logs"][0].fallback_reason == reason


def test_the_models_critic_is_overruled_where_it_claims_a_mention_that_is_not_there():
    said = {"gene_mention_valid": True, "relevance": 5, "evidence_type": "functional", "rationale": "clear"}
    llm = ScriptedLlm(lambda request: json.dumps({"1": said, "2": said}))
    graph = AgentGraph(agents(critic=LlmCritic(llm, Critic(NAMES))), Flow(loop="none"))
    final = graph.run(CASE)
    grades = {(gene, each.chunk_id): each for gene, of_gene in final["grades"].items() for each in of_gene}
    assert grades["AAA1", "k1"].gene_mention_valid
    assert not grades["AAA1", "k2"].gene_mention_valid
    assert grades["AAA1", "k2"].relevance == 5
    assert [log.details["mentions_overridden"] for log in final["logs"]] == [2, 1]  # BBB2: neither text names it


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"1": None},
        {"1": {"gene_mention_valid": "yes", "relevance": 5, "evidence_type": "functional"}},
        {"1": {"gene_mention_valid": True, "relevance": 6, "evidence_type": "functional"}},
        {"1": {"gene_mention_valid": True, "relevance": 2.5, "evidence_type": "functional"}},
        {"1": {"gene_mention_valid": True, "relevance": 5, "evidence_type": "miracle"}},
    ],
)
def test_a_chunk_the_model_did_not_grade_rightly_has_the_rules_grade(bad):
    rules = Critic(NAMES)
    chunks = {"AAA1": [hit("AAA1 in a patient with gait ataxia", "k1")]}
    grades, logs = LlmCritic(ScriptedLlm(lambda r: json.dumps(bad)), rules)(chunks, ["Gait ataxia"])
    assert grades == rules.grade(chunks, ["Gait ataxia"])
    assert logs[0].details["fallbacks"] == 1


def test_the_models_critic_asks_in_batches_with_the_declared_budget():
    llm = ScriptedLlm(lambda request: "{}")
    chunks = {"AAA1": [hit("t" * 3000, str(n)) for n in range(12)]}
    LlmCritic(llm, Critic(NAMES))(chunks, [f"label {n}" for n in range(20)])
    first, second = llm.requests
    assert (first.max_tokens, second.max_tokens) == (1500 + 250 * 10, 1500 + 250 * 2)
    assert "t" * 2400 in first.user
    assert "t" * 2401 not in first.user
    assert "label 11" in first.user
    assert "label 12" not in first.user


def test_the_aggregation_as_a_node_gives_what_it_gives_for_a_block():
    lea = LeaSynthesizer(ScriptedLlm(lambda request: '[{"gene": "BBB2", "confidence": 0.9, "rationale": ""}]'))
    as_node = AgentGraph(agents(aggregate=lea.aggregate_one), Flow(loop="none")).run(CASE)
    as_block = lea.aggregate([AgentGraph(agents(), Flow(loop="none")).run(CASE)])[0]
    assert [each.symbol for each in as_node["ranked"]] == ["BBB2", "AAA1"]
    assert as_node["ranked"] == as_block["ranked"]
    assert as_node["logs"] == as_block["logs"]


def test_nothing_is_traced_even_where_the_environment_asks_for_it(monkeypatch):
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    seen = []

    def critic(retrieved, labels):
        from langsmith.utils import tracing_is_enabled

        seen.append(tracing_is_enabled())
        return rules_only(Critic(NAMES))(retrieved, labels)

    AgentGraph(agents(critic=critic), Flow(loop="none")).run(CASE)
    assert seen == [False]
