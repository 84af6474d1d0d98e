"""Fused systems of a cohort: which pairs are fused, and the causal gene's place. Values by hand."""

import pandas as pd
import pytest

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.fused_ranks import Fusion, fused_ranks

CANDIDATES = pd.DataFrame({"case_id": ["c"], "candidate_genes": [["A", "B", "C"]], "causal_index": [1]})


def scored(**systems: list[float]) -> pd.DataFrame:
    rows = [
        (name, "c", gene, score, at)
        for name, scores in systems.items()
        for at, (gene, score) in enumerate(zip("ABC", scores, strict=True))
    ]
    return pd.DataFrame(rows, columns=["system", "case_id", "gene", "score", "candidate_index"])


def test_both_variants_are_fused_and_the_first_system_orders_equal_scores():
    # one: A 1, B 2, C 3; two: B 1, A 2, C 3: A and B tie at 1/61 + 1/62, and `one` puts A first, so B (causal) is 2nd.
    # Without the own publication both put B last: 3rd.
    table = scored(one=[3, 2, 1], two=[2, 3, 1], one_decontaminated=[3, 1, 2], two_decontaminated=[3, 1, 2])
    ranks = fused_ranks(table, CANDIDATES, [Fusion("both", "one", "two")]).set_index("system")["rank"]
    assert ranks.to_dict() == {"both": 2.0, "both_decontaminated": 3.0}
    reversed_ = fused_ranks(table, CANDIDATES, [Fusion("both", "two", "one")]).set_index("system")["rank"]
    assert reversed_["both"] == 1.0


def test_a_counterpart_that_only_one_system_has_is_not_fused():
    table = scored(one=[3, 2, 1], two=[2, 3, 1], one_decontaminated=[1, 2, 3])
    assert fused_ranks(table, CANDIDATES, [Fusion("both", "one", "two")])["system"].tolist() == ["both"]


def test_no_fusion_is_no_row_and_an_unknown_system_is_named():
    assert fused_ranks(scored(one=[1, 2, 3]), CANDIDATES, []).empty
    with pytest.raises(SettingsError, match="three"):
        fused_ranks(scored(one=[1, 2, 3]), CANDIDATES, [Fusion("both", "one", "three")])
