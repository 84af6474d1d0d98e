"""What a retrieval pass of the loop added: chunks, mentions, better grades, another order.

Belongs here: comparing the graph's state before and after a pass. Does not belong here: making the pass (graph).
"""

from __future__ import annotations

from collections.abc import Sequence

from genoplatform.agents.state import Grade, Grades, PassRecord
from genoplatform.agents.synthesizer import confidence, synthesize


def first_pass(queries: int, grades: Grades) -> PassRecord:
    """The record of the first retrieval: everything in it is new."""
    graded = [grade for of_gene in grades.values() for grade in of_gene]
    return PassRecord(0, "planned", queries, len(graded), sum(grade.gene_mention_valid for grade in graded))


def later_pass(
    number: int, strategy: str, queries: int, genes: Sequence[str], before: Grades, after: Grades
) -> PassRecord:
    """The record of a later pass.

    Args:
        number: from 1.
        strategy: how its queries were written.
        queries: queries sent.
        genes: candidate genes, in their order.
        before, after: grades of all chunks retrieved until then.
    """
    if before is after:  # nothing was found, so nothing was graded
        return PassRecord(number, strategy, queries, 0)
    new = [grade for gene in genes for grade in _new(before.get(gene, ()), after.get(gene, ()))]
    places = [{c.symbol: c.final_rank for c in synthesize(genes, grades)} for grades in (before, after)]
    return PassRecord(
        number,
        strategy,
        queries,
        new_chunks=len(new),
        new_mentions=sum(grade.gene_mention_valid for grade in new),
        grades_raised=sum(_best(after.get(gene, ())) > _best(before.get(gene, ())) for gene in genes),
        confidences_changed=sum(confidence(after.get(g, ())) != confidence(before.get(g, ())) for g in genes),
        order_changed=sum(places[0][gene] != places[1][gene] for gene in genes),
    )


def _new(before: Sequence[Grade], after: Sequence[Grade]) -> list[Grade]:
    known = {grade.chunk_id for grade in before}
    return [grade for grade in after if grade.chunk_id not in known]


def _best(grades: Sequence[Grade]) -> int:
    return max((grade.relevance for grade in grades), default=0)
