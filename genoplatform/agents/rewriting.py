"""Queries rewritten for another pass: other words for the phenotype, more general terms, other names of the gene.

Belongs here: the strategies of the loop that is not inert, and which genes they are for. Does not belong here: the
published queries (planner).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from genoplatform.agents.gene_names import GeneNames
from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.planner import PHRASE_LABELS
from genoplatform.agents.state import Grades
from genoplatform.agents.synthesizer import SUPPORTING

ALIASES_IN_QUERY = 3
STRATEGIES = ("synonyms", "ancestors", "aliases")
"""What passes 1, 2 and 3 change; further passes start over and find nothing to ask."""


def genes_in_need(genes: Sequence[str], grades: Grades) -> list[str]:
    """Genes that fewer chunks name than a confidence is made of: only they can gain by another pass."""
    return [gene for gene in genes if sum(grade.gene_mention_valid for grade in grades.get(gene, ())) < SUPPORTING]


def rewrite(
    strategy: str, genes: Sequence[str], terms: Sequence[str], lexicon: Lexicon, names: GeneNames
) -> dict[str, str]:
    """Gene -> rewritten query; genes the strategy has no other wording for are left out.

    Args:
        strategy: one of `STRATEGIES`. "synonyms": the first other name of each of the patient's first terms.
            "ancestors": the parents of those terms. "aliases": other names of the gene before the patient's labels.
        genes: genes to search again.
        terms: the patient's own terms, not expanded.
        lexicon: names of terms.
        names: names of genes.
    """
    own = list(terms)[:PHRASE_LABELS]
    phrases: dict[str, Callable[[], list[str]]] = {
        "synonyms": lambda: _synonyms(own, lexicon),
        "ancestors": lambda: _parents(own, lexicon),
        "aliases": lambda: lexicon.labels(own),
    }
    phrase = phrases[strategy]()
    if strategy != "aliases":
        return {gene: " ".join([gene, *phrase]) for gene in genes} if phrase else {}
    known = {gene: names.aliases(gene)[:ALIASES_IN_QUERY] for gene in genes}
    return {gene: " ".join([*aliases, *phrase]) for gene, aliases in known.items() if aliases}


def _synonyms(terms: Sequence[str], lexicon: Lexicon) -> list[str]:
    """The first synonym of each term that has one, else its label; nothing if no term has one."""
    firsts = [lexicon.synonyms(term)[:1] for term in terms]
    if not any(firsts):
        return []
    return [name for term, first in zip(terms, firsts, strict=True) for name in first or lexicon.labels([term])]


def _parents(terms: Sequence[str], lexicon: Lexicon) -> list[str]:
    parents = dict.fromkeys(parent for term in terms for parent in lexicon.ancestors(term, 1)[1:])
    return lexicon.labels(parents)[:PHRASE_LABELS]
