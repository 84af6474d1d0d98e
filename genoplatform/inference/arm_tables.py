"""The arms of the agentic workflow in numbers: leave-one-paper-out, prompt wordings, other models, the judge.

Belongs here: from the arms' folders to tables. Does not belong here: each statistic (lopo, judge, sensitivity_table).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from genoplatform.agents.case_files import StoredRecords
from genoplatform.agents.prompts import LEA_PARAPHRASES
from genoplatform.agents.sensitivity_table import ranges, sensitivity_table
from genoplatform.inference.judge_tables import COLUMNS as JUDGE_COLUMNS
from genoplatform.inference.judge_tables import judge_tables, no_judge_tables
from genoplatform.inference.lopo_tables import lopo_tables, no_lopo_tables
from genoplatform.prioritisation.released.judge_files import read_judge_files
from genoplatform.prioritisation.released.leaks import read_leaks
from genoplatform.prioritisation.released.rankings import read_rankings

Tables = dict[str, pd.DataFrame]
Report = dict[str, str | float | int]
_LISTED = ("system", "case_id", "score", "is_causal", "final_rank")
TABLES = ("lopo_comparison", "lopo_against_systems", "sensitivity", *(f"judge_{name}" for name in JUDGE_COLUMNS))


def arm_tables(
    folders: Mapping[str, Path],
    cases: pd.DataFrame,
    outcomes: pd.DataFrame,
    ranks: pd.DataFrame,
    *,
    difficulty: str,
    draws: int,
    seed: int,
) -> tuple[Tables, Report]:
    """Every arm's tables, `TABLES`, without a row where an arm did not run.

    Args:
        folders: "lopo", "sensitivity", "ablation" and "judge" -> what each left behind.
        cases: the case table.
        outcomes: of the cells, with those of cell S.
        ranks: ranks of the cells.
        difficulty: of the lists.
        draws: bootstrap draws and permutations. seed: of both.
    """
    s = outcomes[outcomes["cell"] == "S"]
    inside = cases[cases["case_id"].isin(s["case_id"])]
    if inside.empty:
        return _named(no_lopo_tables(), no_judge_tables(), {}), {"report": "cell S did not run"}
    lopo, report = _lopo(folders["lopo"], inside, ranks, difficulty, draws, seed)
    worded = _sensitivity(folders["sensitivity"], inside, s)
    judged = _judge(folders, inside, s, difficulty, draws, seed)
    shown: Report = {f"lopo: {key}": value for key, value in report.items()}
    shown |= {f"prompt wording: {name}, percentage points": value for name, value in ranges(worded).items()}
    return _named(lopo, judged, {"sensitivity": worded}), shown


def _lopo(
    folder: Path, cases: pd.DataFrame, ranks: pd.DataFrame, difficulty: str, draws: int, seed: int
) -> tuple[Tables, Mapping[str, int | str]]:
    if not any(folder.glob("*/leak_S/*.json")):
        return no_lopo_tables(), {"not run": "not used by this profile"}
    both = read_rankings(folder, case_ids=cases["case_id"].tolist(), difficulty=difficulty).ranks(difficulty)
    known = pd.concat([both, ranks], ignore_index=True)
    return lopo_tables(cases, known, read_leaks(folder), draws=draws, seed=seed)


def _sensitivity(folder: Path, cases: pd.DataFrame, s: pd.DataFrame) -> pd.DataFrame:
    records = {variant: StoredRecords(folder / variant) for variant in LEA_PARAPHRASES if (folder / variant).is_dir()}
    correct = dict(zip(s["case_id"], s["rank"] == 1, strict=True))
    table = sensitivity_table(records, correct, dict(zip(cases["case_id"], cases["exposed"], strict=True)))
    return table if records else table.iloc[:0]


def _judge(
    folders: Mapping[str, Path], cases: pd.DataFrame, s: pd.DataFrame, difficulty: str, draws: int, seed: int
) -> Tables:
    paths = [folders[name] for name in ("judge", "ablation")]
    files = read_judge_files(*paths, case_ids=cases["case_id"].tolist(), difficulty=difficulty)
    if files.scores.empty and files.ablation.empty:
        return no_judge_tables()
    first = s.assign(system="S", score=s["confidence"], is_causal=s["rank"] == 1, final_rank=1)[list(_LISTED)]
    return judge_tables(cases, first, files.scores, files.ablation, draws=draws, seed=seed)


def _named(lopo: Tables, judged: Tables, others: Tables) -> Tables:
    found = {f"lopo_{name}": table for name, table in lopo.items()}
    found |= {f"judge_{name}": table for name, table in judged.items()} | others
    empty = sensitivity_table({}, {}, {}).iloc[:0]
    return {name: found.get(name, empty) for name in TABLES}
