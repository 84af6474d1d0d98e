import json

import pytest
from released_examples import SIZE, entry, ranking

from genoplatform.prioritisation.released.ranking_file import Ranking, RankingRejectedError, parse_ranking

GOOD = [entry("A", 1, 0.9), entry("CAUSE", 2, 0.5, causal=True), entry("B", 3, 0.1)]


def test_a_ranking_is_read_in_rank_order_with_its_own_confidence():
    found = parse_ranking(ranking("A", "CAUSE", "B", confidence=(0.05, 0.12, 0.12)), SIZE)
    assert found == Ranking(["A", "CAUSE", "B"], [0.05, 0.12, 0.12], 1)


def test_further_fields_of_an_entry_do_no_harm():
    fused = [{**item, "_rrf_m_rank": 1, "_rrf_s_rank": 2} for item in GOOD]
    assert parse_ranking(json.dumps(fused).encode(), SIZE).genes == ["A", "CAUSE", "B"]


def changed(at: int, **fields) -> list[dict]:
    return [{**item, **(fields if i == at else {})} for i, item in enumerate(GOOD)]


def without(field: str) -> list[dict]:
    return [{k: v for k, v in item.items() if k != field} for item in GOOD]


@pytest.mark.parametrize(
    ("document", "reason", "detail"),
    [
        ("[{", "not-json", "line 1"),
        ("[" * 100_000, "not-json", ""),
        ({"ranked": GOOD}, "not-a-list", "dict"),
        ([GOOD[0], "B", GOOD[2]], "entry-fields", "entry 1 lacks"),
        (without("final_rank"), "entry-fields", "final_rank"),
        (changed(0, symbol=""), "entry-fields", "symbol"),
        (changed(0, is_causal=1), "entry-fields", "is_causal 1"),
        (GOOD[:2], "list-size", "2 candidates, not 3"),
        (changed(2, symbol="A"), "repeated-symbol", "A"),
        (changed(1, is_causal=False), "causal-count", "0 causal"),
        (changed(0, is_causal=True), "causal-count", "2 causal"),
        (changed(2, final_rank=2), "rank-permutation", "2 where 3 should be"),
        (changed(0, final_rank=0), "rank-permutation", "0 where 1 should be"),
        (changed(0, final_rank=1.0), "rank-permutation", "1.0"),
        (changed(0, final_rank=True), "rank-permutation", "True"),
        (changed(0, aggregate_confidence="0.9"), "confidence-not-numeric", "A: '0.9'"),
        (changed(0, aggregate_confidence=None), "confidence-not-numeric", "None"),
        (changed(0, aggregate_confidence=True), "confidence-not-numeric", "True"),
        (changed(0, aggregate_confidence=float("nan")), "confidence-not-numeric", "nan"),
        (changed(0, aggregate_confidence=10**400), "confidence-not-numeric", "A: 1000"),
    ],
)
def test_an_invalid_ranking_is_refused_with_its_reason(document, reason, detail):
    content = document if isinstance(document, str) else json.dumps(document)
    with pytest.raises(RankingRejectedError) as caught:
        parse_ranking(content.encode(), SIZE)
    assert caught.value.reason == reason
    assert detail in caught.value.detail
