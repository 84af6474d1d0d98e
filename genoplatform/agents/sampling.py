"""Samples of a cohort for what costs a model: so many cases of each category, the same for the same seed.

Belongs here: the draw. Does not belong here: what is done with it. Source: rare-disease specification, section 12.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from genoplatform.agents.case_files import CaseFacts

SEED = 42


def sample_by_category(cases: Sequence[CaseFacts], per_category: int, seed: int = SEED) -> list[CaseFacts]:
    """`per_category` cases of each category (all of a smaller one), sorted by case id.

    One generator draws from the pools, sorted by case id, in the alphabetical order of the categories.
    """
    pools: dict[str, list[CaseFacts]] = defaultdict(list)
    for facts in sorted(cases, key=lambda each: each.case_id):
        pools[facts.category].append(facts)
    rng = random.Random(seed)
    drawn = [each for name in sorted(pools) for each in rng.sample(pools[name], min(per_category, len(pools[name])))]
    return sorted(drawn, key=lambda each: each.case_id)
