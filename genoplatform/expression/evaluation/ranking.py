"""How high known genes stand in a ranked list: AUROC and enrichment, honest and as published (expression.md D).

Honest: every gene of the cohort is ranked, those not listed share the last place, and every reference gene among them
is a positive. The published forms pad the list to 20,000 and, in the second release, leave missed genes out of the
positives (!), so that a short list of a few right genes scores near 1 whatever it misses.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np

from genoplatform.expression.statistics.scores import auroc

PADDED = 20_000
Published = Literal["v2", "corrected"]


def honest_auroc(ranked: Sequence[str], reference: Collection[str], universe: Collection[str]) -> float:
    """AUROC of a ranked list over all genes that could have been listed; NaN without positives or negatives.

    Args:
        ranked: listed genes, best first. reference: genes to find. universe: genes of the cohort.
    """
    genes = sorted({*universe, *ranked})
    score = {gene: float(len(ranked) - i) for i, gene in enumerate(ranked)}
    wanted = set(reference)
    truth = np.array([float(gene in wanted) for gene in genes])
    return auroc(truth, np.array([score.get(gene, 0.0) for gene in genes]))


def published_auroc(ranked: Sequence[str], reference: Collection[str], variant: Published) -> float:
    """AUROC over 20,000: positives are the listed ones ("v2"), or all reference genes ("corrected")."""
    wanted = set(reference)
    names = list(ranked) if variant == "v2" else [*ranked, *sorted(wanted - set(ranked))]
    length = max(PADDED, len(names))
    truth, score = np.zeros(length), np.zeros(length)
    truth[: len(names)] = [float(gene in wanted) for gene in names]
    score[: len(ranked)] = np.arange(len(ranked), 0, -1)
    return auroc(truth, score)


def enrichment(ranked: Sequence[str], reference: Collection[str], universe: Collection[str]) -> float:
    """Largest value of the running sum (+1/hits per known gene, -1/misses else) over the list and then, evenly, the
    rest.

    Genes not listed share the last place: they are passed in a straight line, which never goes above its ends.
    """
    everything = {*universe, *ranked}
    wanted = set(reference) & everything
    return _largest(ranked, wanted, len(wanted), len(everything) - len(wanted))


def published_enrichment(ranked: Sequence[str], reference: Collection[str], variant: Published) -> float:
    """The same over 20,000, hits counted over all reference genes ("v2") or the listed ones ("corrected")."""
    wanted = set(reference)
    hits = len(wanted) if variant == "v2" else len(wanted & set(ranked))
    return _largest(ranked, wanted, hits, PADDED - hits)


def _largest(ranked: Sequence[str], wanted: Collection[str], hits: int, misses: int) -> float:
    if hits <= 0 or misses <= 0:
        return float("nan")
    steps = [1.0 / hits if gene in wanted else -1.0 / misses for gene in ranked]
    return float(max(0.0, np.cumsum(steps).max())) if steps else 0.0
