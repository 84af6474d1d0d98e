import pandas as pd
import pytest

from genoplatform.errors import SettingsError
from genoplatform.ontology import OntologyGraph

# id: (obsolete, replaced_by, consider, alt_ids)
TERMS = {
    "HP:0000001": (False, [], [], []),
    "HP:0000002": (False, [], [], ["HP:0000021", "HP:0000015", "HP:0000016"]),
    "HP:0000003": (False, [], [], ["HP:0000031"]),
    "HP:0000010": (True, ["HP:0000002"], [], []),
    "HP:0000011": (True, ["HP:0000002", "HP:0000003"], [], []),  # as HP:0000535 in 2025-01 (inputs.md #2)
    "HP:0000012": (True, [], ["HP:0000002", "HP:0000003"], []),  # the same from 2025-11 on
    "HP:0000013": (True, [], ["HP:0000003"], []),
    "HP:0000014": (True, [], [], []),
    "HP:0000015": (True, [], [], []),  # only the live term's alt_id tells where it went
    "HP:0000016": (True, [], ["HP:0000003"], []),  # alt_id and consider disagree
    "HP:0000017": (True, ["HP:0000010"], [], []),  # a chain
    "HP:0000018": (True, ["HP:0000019"], [], []),
    "HP:0000019": (True, ["HP:0000018"], [], []),  # a ring
    "HP:0000020": (True, ["HP:0099999"], [], []),  # to a term that is not in the release
}


@pytest.fixture(scope="module")
def graph() -> OntologyGraph:
    columns = ["obsolete", "replaced_by", "consider", "alt_ids"]
    terms = pd.DataFrame([dict(zip(["id", *columns], [t, *v], strict=True)) for t, v in TERMS.items()])
    terms["name"] = terms["id"]
    edges = pd.DataFrame(
        [("HP:0000002", "HP:0000001", 0), ("HP:0000003", "HP:0000001", 0)], columns=["child", "parent", "order"]
    )
    return OntologyGraph.from_tables(terms, edges)


@pytest.mark.parametrize(
    ("term", "target", "how"),
    [
        ("HP:0000021", "HP:0000002", "alt_id"),
        ("HP:0000010", "HP:0000002", "replaced_by"),
        ("HP:0000017", "HP:0000002", "replaced_by"),
        ("HP:0000015", "HP:0000002", "alt_id"),
    ],
)
def test_one_certain_successor_is_followed(graph, term, target, how):
    result = graph.resolve([term])
    assert result.ids == [target]
    assert result.mapped.values.tolist() == [[term, target, how]]
    assert result.dropped.empty


@pytest.mark.parametrize(
    ("term", "reason", "detail"),
    [
        ("HP:0099999", "unknown", "not in this release"),
        ("HP:0000014", "obsolete-without-replacement", "no replaced_by"),
        ("HP:0000018", "obsolete-without-replacement", "no live term"),
        ("HP:0000020", "obsolete-without-replacement", "HP:0099999"),
        ("HP:0000011", "obsolete-ambiguous", "replaced_by: HP:0000002, HP:0000003"),
        ("HP:0000012", "obsolete-ambiguous", "consider: HP:0000002, HP:0000003"),
        ("HP:0000013", "obsolete-ambiguous", "consider: HP:0000003"),
        ("HP:0000016", "obsolete-ambiguous", "consider: HP:0000003"),
        ("0000002", "malformed", "PREFIX"),
        ("HP:0000002 ", "malformed", "PREFIX"),
        ("", "malformed", "PREFIX"),
    ],
)
def test_nothing_is_guessed_and_nothing_is_lost_without_a_reason(graph, term, reason, detail):
    result = graph.resolve([term])
    assert result.ids == []
    assert result.dropped["id"].tolist() == [term]
    assert result.dropped["reason"].tolist() == [reason]
    assert detail in result.dropped["detail"].iloc[0]


@pytest.mark.parametrize(
    ("policy", "ids"),
    [
        ("unique", ["HP:0000003"]),
        ("drop", ["HP:0000003"]),
        ("first", ["HP:0000003", "HP:0000002"]),
        ("all", ["HP:0000003", "HP:0000002"]),
    ],
)
def test_policies_for_several_candidates(graph, policy, ids):
    assert graph.resolve(["HP:0000003", "HP:0000012"], obsolete=policy).ids == ids


def test_policy_first_takes_one_and_policy_all_takes_all(graph):
    assert graph.resolve(["HP:0000011"], obsolete="first").ids == ["HP:0000002"]
    assert graph.resolve(["HP:0000011"], obsolete="all").ids == ["HP:0000002", "HP:0000003"]
    assert graph.resolve(["HP:0000011"], obsolete="all").mapped["to"].tolist() == ["HP:0000002", "HP:0000003"]


def test_policy_drop_follows_no_obsolete_id_but_still_reads_alternatives(graph):
    result = graph.resolve(["HP:0000010", "HP:0000031"], obsolete="drop")
    assert result.ids == ["HP:0000003"]
    assert result.dropped[["id", "reason"]].values.tolist() == [["HP:0000010", "obsolete-dropped"]]


def test_order_is_kept_and_repeats_count_once(graph):
    result = graph.resolve(["HP:0000003", "HP:0000021", "HP:0000002", "HP:0000003", "HP:0000010", "x", "x"])
    assert result.ids == ["HP:0000003", "HP:0000002"]
    assert result.mapped["id"].tolist() == ["HP:0000021", "HP:0000010"]
    assert result.dropped["id"].tolist() == ["x"]


def test_an_unknown_policy_is_refused(graph):
    with pytest.raises(SettingsError, match="guess"):
        graph.resolve(["HP:0000001"], obsolete="guess")
