"""Released rankings as tables: every valid list, every refused file with its reason, and what is missing.

Here: reading many files and laying them out. Not here: the checks of one file (ranking_file.py), tie audits and
metrics (`genoplatform.inference` takes `ReleasedRankings.lists` and the ranks).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from genoplatform.cohort.archives import Skipped
from genoplatform.errors import EmptyResultError
from genoplatform.prioritisation.candidate_scores import SCORED_COLUMNS
from genoplatform.prioritisation.listed_ranks import listed_ranks
from genoplatform.prioritisation.released.expected import Expected, expect
from genoplatform.prioritisation.released.layout import Member, Place, iter_members, place_of
from genoplatform.prioritisation.released.ranking_file import (
    LIST_SIZE,
    Ranking,
    RankingRejectedError,
    parse_ranking,
)

REJECTED_COLUMNS = ("path", "difficulty", "system", "case_id", "reason", "detail")
_LIST_COLUMNS = ("difficulty", "system", "case_id", "gene", "score", "candidate_index", "is_causal", "final_rank")


@dataclass(frozen=True)
class ReleasedRankings:
    """Rankings read from released files.

    Attributes:
        lists: difficulty, system, case_id, gene, score (the confidence), candidate_index (final rank - 1), is_causal,
            final_rank; one row per candidate of every valid file, sorted; the input of the tie audits.
        coverage: difficulty, system, expected, valid, invalid (a file, but no valid one), missing (no file).
        rejected: path, difficulty, system, case_id, reason, detail of every file that was not used.
        report: files, valid, rejected, not_rankings (files outside the cells), other_difficulty (files not asked for),
            missing, candidate_sets_differ (lists whose genes differ from another system's of the same case), and
            rejected files by reason.
        case_ids: difficulty -> sorted cases every system should have ranked.
        list_size: candidates of a list.
    """

    lists: pd.DataFrame
    coverage: pd.DataFrame
    rejected: pd.DataFrame
    report: dict[str, int]
    case_ids: dict[str, list[str]]
    list_size: int

    def scored(self, difficulty: str) -> pd.DataFrame:
        """SCORED_COLUMNS of one difficulty, in each system's own order of candidates."""
        return self._of(difficulty)[list(SCORED_COLUMNS)]

    def ranks(self, difficulty: str) -> pd.DataFrame:
        """RANK_COLUMNS: final rank of the causal gene for every system and expected case; NaN (a miss) without one.

        A system whose every file was refused has a row of misses for each case too.
        """
        covered = self.coverage.loc[self.coverage["difficulty"] == difficulty, "system"]
        cases = self.case_ids.get(difficulty, [])
        return listed_ranks(self._of(difficulty), cases, list_size=self.list_size, systems=covered.tolist())

    def _of(self, difficulty: str) -> pd.DataFrame:
        return self.lists[self.lists["difficulty"] == difficulty].reset_index(drop=True)


def read_rankings(
    *paths: Path,
    case_ids: Iterable[str] | None = None,
    candidates: pd.DataFrame | None = None,
    list_size: int = LIST_SIZE,
    difficulty: str | None = None,
) -> ReleasedRankings:
    """Read every ranking below the paths.

    Args:
        paths: directories or deposit archives in the released layout.
        case_ids: the cases every system should have ranked; None: those of `candidates`, else all that any system of
            the difficulty has a file for, so that a release without a cohort file still counts its gaps.
        candidates: case_id, difficulty, candidate_genes, causal_index: a file whose genes differ is refused.
        list_size: candidates every list must have.
        difficulty: read the rankings of this one only; None: of both.

    Raises:
        BadInputError: a path that cannot be read, or `candidates` with two lists of one case.
        EmptyResultError: no valid ranking anywhere.
    """
    expected = expect(case_ids, candidates)
    gathered = _Gathered(list_size, difficulty)
    for member in iter_members(paths, gathered.skipped):
        gathered.take(member, expected)
    if not gathered.valid:
        reasons = dict(Counter(row[4] for row in gathered.rejected)) or f"{gathered.outside} files outside any cell"
        raise EmptyResultError(
            "reading released rankings",
            f"no valid ranking ({reasons})",
            "give a directory or archive that holds eval_1050/cell_*/<case_id>.json",
        )
    return gathered.result(expected)


@dataclass
class _Gathered:
    """What has been read so far."""

    list_size: int
    difficulty: str | None = None
    valid: dict[tuple[str, str, str], Ranking] = field(default_factory=dict)
    rejected: list[tuple[str, ...]] = field(default_factory=list)
    skipped: Skipped = field(default_factory=list)
    outside: int = 0
    elsewhere: int = 0
    files: int = 0

    def take(self, member: Member, expected: Expected) -> None:
        self.files += 1
        place = place_of(member.directories, member.stem)
        if place is None:
            self.outside += 1
            return
        if self.difficulty is not None and place.difficulty not in ("", self.difficulty):
            self.elsewhere += 1
            return
        try:
            self._add(place, member, expected)
        except RankingRejectedError as error:
            case_id = expected.stems.get(place.stem, place.stem)
            self.rejected.append((member.path, place.difficulty, place.system, case_id, error.reason, error.detail))

    def _add(self, place: Place, member: Member, expected: Expected) -> None:
        if not place.difficulty:
            raise RankingRejectedError("unknown-cohort", "no eval_1050 or eval_hard directory above the cell")
        case_id = expected.case_id(place)
        key = (place.difficulty, place.system, case_id)
        ranking = parse_ranking(member.content, self.list_size)
        expected.check(place.difficulty, case_id, ranking)
        if key in self.valid:
            same = "the same list" if self.valid[key] == ranking else "another list"
            raise RankingRejectedError("second-file", f"{same} of this case was read before")
        self.valid[key] = ranking

    def result(self, expected: Expected) -> ReleasedRankings:
        rejected = self.rejected + [_skipped(*row) for row in self.skipped]
        table = pd.DataFrame(rejected, columns=list(REJECTED_COLUMNS), dtype="str")
        table = table.sort_values(["path", "reason"], ignore_index=True)
        lists = _lists(self.valid, self.list_size)
        case_ids = _case_ids(self.valid, table, expected)
        coverage = _coverage(self.valid, table, case_ids)
        report = {
            "files": self.files + len(self.skipped),
            "valid": len(self.valid),
            "rejected": len(table),
            "not_rankings": self.outside,
            "other_difficulty": self.elsewhere,
            "missing": int(coverage["missing"].sum()),
            "candidate_sets_differ": _differing_sets(self.valid),
            **dict(sorted(Counter(table["reason"]).items())),
        }
        return ReleasedRankings(lists, coverage, table, report, case_ids, self.list_size)


def _skipped(path: str, reason: str, detail: str) -> tuple[str, ...]:
    """A member the container reader refused, as a row of the rejected table."""
    *directories, file = path.split("/")
    place = None if reason == "hidden" else place_of(tuple(directories), file.rpartition(".")[0])
    head = (place.difficulty, place.system, place.stem) if place else ("", "", "")
    return (path, *head, reason, detail)


def _lists(valid: dict[tuple[str, str, str], Ranking], size: int) -> pd.DataFrame:
    keys = sorted(valid)
    rankings = [valid[key] for key in keys]
    order = np.tile(np.arange(size), len(keys))
    at = np.repeat(np.arange(len(keys)), size)
    names = {name: pd.array([key[i] for key in keys], dtype="str").take(at) for i, name in enumerate(_LIST_COLUMNS[:3])}
    return pd.DataFrame(
        {
            **names,
            "gene": pd.array([gene for ranking in rankings for gene in ranking.genes], dtype="str"),
            "score": np.array([value for ranking in rankings for value in ranking.confidence], dtype=np.float64),
            "candidate_index": order,
            "is_causal": order == np.repeat([ranking.causal for ranking in rankings], size),
            "final_rank": order + 1,
        }
    )[list(_LIST_COLUMNS)]


def _case_ids(
    valid: dict[tuple[str, str, str], Ranking], rejected: pd.DataFrame, expected: Expected
) -> dict[str, list[str]]:
    if expected.case_ids:
        return {difficulty: sorted(ids) for difficulty, ids in sorted(expected.case_ids.items())}
    seen = {(difficulty, case_id) for difficulty, _, case_id in valid}
    seen |= set(zip(rejected["difficulty"], rejected["case_id"], strict=True))
    return {d: sorted(case_id for at, case_id in seen if at == d) for d in sorted({d for d, _ in seen if d})}


def _coverage(
    valid: dict[tuple[str, str, str], Ranking], rejected: pd.DataFrame, case_ids: dict[str, list[str]]
) -> pd.DataFrame:
    refused = set(zip(rejected["difficulty"], rejected["system"], rejected["case_id"], strict=True)) - set(valid)
    refused = {key for key in refused if key[2] in case_ids.get(key[0], [])}
    n_valid, n_invalid = (Counter(key[:2] for key in keys) for keys in (valid, refused))
    rows = []
    for difficulty, system in sorted({*n_valid, *n_invalid}):
        expected, good, bad = len(case_ids[difficulty]), n_valid[difficulty, system], n_invalid[difficulty, system]
        rows.append((difficulty, system, expected, good, bad, expected - good - bad))
    return pd.DataFrame(rows, columns=["difficulty", "system", "expected", "valid", "invalid", "missing"])


def _differing_sets(valid: dict[tuple[str, str, str], Ranking]) -> int:
    """Lists that do not hold the genes, or the causal gene, that the first system's list of the case holds."""
    first: dict[tuple[str, str], tuple[frozenset[str], str]] = {}
    differing = 0
    for difficulty, system, case_id in sorted(valid):
        ranking = valid[difficulty, system, case_id]
        content = (frozenset(ranking.genes), ranking.genes[ranking.causal])
        differing += first.setdefault((difficulty, case_id), content) != content
    return differing
