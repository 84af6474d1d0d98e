"""What a valid set of released rankings must agree with: the cohort's cases and candidate lists, where they are given.

Here: naming the case a file belongs to, and holding its genes against the case's candidate list. Not here: checks
of a file by itself (ranking_file.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.released.layout import Place, stems_of
from genoplatform.prioritisation.released.ranking_file import Ranking, RankingRejectedError


@dataclass(frozen=True)
class Expected:
    """The cohort's side.

    Attributes:
        case_ids: difficulty -> the cases every system should have ranked; empty: whatever the files name.
        stems: file stem -> case id; empty: the stem is the case id.
        genes: (difficulty, case id) -> candidate genes; empty: not checked.
        causal: (difficulty, case id) -> causal gene.
    """

    case_ids: Mapping[str, frozenset[str]]
    stems: Mapping[str, str]
    genes: Mapping[tuple[str, str], frozenset[str]]
    causal: Mapping[tuple[str, str], str]

    def case_id(self, place: Place) -> str:
        """The case of a file.

        Raises:
            RankingRejectedError: unknown-case.
        """
        case_id = self.stems.get(place.stem, "") if self.stems else place.stem
        known = self.case_ids.get(place.difficulty) if self.case_ids else None
        if not case_id or (self.case_ids and (known is None or case_id not in known)):
            raise RankingRejectedError("unknown-case", f"{place.stem} is not a case of the {place.difficulty} cohort")
        return case_id

    def check(self, difficulty: str, case_id: str, ranking: Ranking) -> None:
        """Hold a ranking against the case's candidate list.

        Raises:
            RankingRejectedError: other-candidates, other-causal.
        """
        wanted = self.genes.get((difficulty, case_id))
        if wanted is None:
            return
        if odd := sorted(wanted.symmetric_difference(ranking.genes)):
            shown = ", ".join(odd[:4])
            raise RankingRejectedError("other-candidates", f"{len(odd)} symbols differ from the case's list: {shown}")
        causal, listed = self.causal[difficulty, case_id], ranking.genes[ranking.causal]
        if listed != causal:
            raise RankingRejectedError("other-causal", f"{listed} is marked causal, the case's gene is {causal}")


def expect(case_ids: Iterable[str] | None = None, candidates: pd.DataFrame | None = None) -> Expected:
    """What to hold the files against.

    Args:
        case_ids: cases of either difficulty; None: those of `candidates`, else whatever the files name.
        candidates: case_id, difficulty, candidate_genes, causal_index; one or both difficulties.

    Raises:
        BadInputError: two lists of one case and difficulty.
    """
    if candidates is None:
        ids = frozenset(case_ids if case_ids is not None else ())
        both = {"standard": ids, "hard": ids} if ids else {}
        return Expected(both, stems_of(sorted(ids)), {}, {})
    if candidates.duplicated(["difficulty", "case_id"]).any():
        raise BadInputError("checking released rankings", "several candidate lists of one case and difficulty")
    keys = list(zip(candidates["difficulty"], candidates["case_id"], strict=True))
    lists = dict(zip(keys, candidates["candidate_genes"], strict=True))
    places = dict(zip(keys, candidates["causal_index"], strict=True))
    wanted = frozenset(case_ids) if case_ids is not None else None
    by_difficulty = {
        str(difficulty): wanted if wanted is not None else frozenset(part)
        for difficulty, part in candidates.groupby("difficulty")["case_id"]
    }
    return Expected(
        by_difficulty,
        stems_of(sorted(frozenset().union(*by_difficulty.values()))),
        {key: frozenset(genes) for key, genes in lists.items()},
        {key: lists[key][places[key]] for key in keys},
    )
