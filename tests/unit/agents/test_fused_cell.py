"""Cell N by hand (rare_disease.md section 8)."""

import json

import pandas as pd
import pytest

from genoplatform.agents.case_files import CaseFacts
from genoplatform.agents.fused_cell import fused_records, write_fused
from genoplatform.agents.state import Case


def test_scores_ties_and_missing_ranks():
    first = {"A": 1, "B": 2, "C": 3, "D": 4}
    second = {"B": 1, "A": 2, "D": 3}  # C is missing: rank n + 1 = 5
    records = fused_records(first, second, "D", {"D": ["d1"]})
    # A: 1/61 + 1/62, B: 1/62 + 1/61: equal, so M's rank decides. C: 1/63 + 1/65 < D: 1/64 + 1/63.
    assert [each["symbol"] for each in records] == ["A", "B", "D", "C"]
    assert records[0]["aggregate_confidence"] == pytest.approx(round(1 / 61 + 1 / 62, 6))
    assert records[3]["aggregate_confidence"] == pytest.approx(round(1 / 63 + 1 / 65, 6))
    assert (records[3]["_rrf_m_rank"], records[3]["_rrf_s_rank"]) == (3, 5)
    assert records[2] == {
        "symbol": "D",
        "is_causal": True,
        "aggregate_confidence": round(1 / 64 + 1 / 63, 6),
        "supporting_chunks": ["d1"],
        "final_rank": 3,
        "_rrf_m_rank": 4,
        "_rrf_s_rank": 3,
    }


def test_files_of_cases_both_have_ranked(tmp_path):
    facts = [CaseFacts(Case(name, (), ("A", "B")), "A") for name in ("x:1", "x:2", "x:3")]
    scored = pd.DataFrame({"case_id": ["x:1"] * 2 + ["x:3"] * 2, "gene": ["A", "B"] * 2, "score": [0.1, 0.2, 1.0, 1.0]})
    scored = scored.assign(candidate_index=[0, 1, 0, 1])
    ranked = [{"symbol": g, "final_rank": at, "supporting_chunks": []} for at, g in enumerate(["B", "A"], 1)]
    report = write_fused(tmp_path, facts, scored, {"x:1": ranked, "x:2": ranked})
    assert report == {"cases": 1, "not ranked by the first system": 1, "not ranked by the second system": 1}
    assert [each["symbol"] for each in json.loads((tmp_path / "x%3A1.json").read_text())] == ["B", "A"]
