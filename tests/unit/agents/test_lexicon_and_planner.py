"""Expansion order, labels, synonyms and queries (rare_disease.md sections 6 and 7)."""

from small_world import lexicon

from genoplatform.agents.planner import plan_queries


def test_ancestors_are_breadth_first_in_the_order_of_the_is_a_lines():
    # Gait ataxia's is_a lines name HP:5 before HP:2; both have HP:1 above them, two edges away.
    assert lexicon().ancestors("HP:0000003") == ["HP:0000003", "HP:0000005", "HP:0000002", "HP:0000001"]
    assert lexicon().ancestors("HP:0000003", 1) == ["HP:0000003", "HP:0000005", "HP:0000002"]
    assert lexicon().ancestors("HP:0000003", 0) == ["HP:0000003"]


def test_expansion_is_the_union_in_first_seen_order():
    found = lexicon().expand(["HP:0000004", "HP:0000003"])
    assert found == ["HP:0000004", "HP:0000005", "HP:0000001", "HP:0000003", "HP:0000002"]


def test_unknown_terms_give_nothing_and_alternative_ids_are_mapped():
    words = lexicon()
    assert words.resolve(["HP:0000099", "HP:7654321", "HP:0000006"]) == ["HP:0000004", "HP:0000006"]
    assert words.ancestors("HP:7654321") == []
    assert words.labels(["HP:0000006", "HP:7654321", "HP:0000006"]) == ["Hearing loss"]


def test_a_query_is_the_symbol_and_the_first_five_labels_the_same_for_every_gene():
    queries = plan_queries(["AAA1", "BBB2"], ["one", "two", "three", "four", "five", "six"])
    assert queries == {"AAA1": "AAA1 one two three four five", "BBB2": "BBB2 one two three four five"}


def test_single_agents_use_every_label():
    labels = [f"label{n}" for n in range(8)]
    assert plan_queries(["AAA1"], labels, None) == {"AAA1": "AAA1 " + " ".join(labels)}


def test_without_labels_the_query_is_the_symbol():
    assert plan_queries(["AAA1"], []) == {"AAA1": "AAA1"}
