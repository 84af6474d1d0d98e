"""The query planner: one query a gene, its symbol and the first phenotype labels.

Belongs here: writing the published queries. Does not belong here: expansion (lexicon), other wordings (rewriting),
the model's planner (llm_planner).
Source: rare-disease specification, section 7; section 8 for the queries of cells L, S and of the single agents.
"""

from __future__ import annotations

from collections.abc import Sequence

PHRASE_LABELS = 5


def plan_queries(
    genes: Sequence[str], labels: Sequence[str], phrase_labels: int | None = PHRASE_LABELS
) -> dict[str, str]:
    """Gene -> its query: the symbol and the labels, blank-separated, the same labels for every gene.

    Args:
        genes: candidate symbols.
        labels: phenotype labels, most important first.
        phrase_labels: labels used; None for all (single agents).
    """
    phrase = labels if phrase_labels is None else labels[:phrase_labels]
    return {gene: " ".join([gene, *phrase]) for gene in genes}
