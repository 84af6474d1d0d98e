"""Small ontologies and annotation tables, and a slow, literal Resnik scorer to compare against."""

from itertools import product
from math import log

import pandas as pd
from hypothesis import strategies as st

from genoplatform.ontology.graph import OntologyGraph

ROOT, A, B, C, D, E = (f"HP:000000{i}" for i in range(1, 7))


def graph_of(parents: dict[str, list[str]], alt_ids: dict[str, list[str]] | None = None) -> OntologyGraph:
    terms = pd.DataFrame(
        {
            "id": list(parents),
            "name": list(parents),
            "obsolete": False,
            "replaced_by": [[] for _ in parents],
            "consider": [[] for _ in parents],
            "alt_ids": [(alt_ids or {}).get(term, []) for term in parents],
            "synonyms": [[] for _ in parents],
        }
    )
    edges = [(child, parent, at) for child, above in parents.items() for at, parent in enumerate(above)]
    return OntologyGraph.from_tables(terms, pd.DataFrame(edges, columns=["child", "parent", "order"]))


def diamond() -> OntologyGraph:
    """root over a and b; c below both; d below b; e below d. "HP:0000099" is an old id of d."""
    parents = {ROOT: [], A: [ROOT], B: [ROOT], C: [A, B], D: [B], E: [D]}
    return graph_of(parents, {D: ["HP:0000099"]})


def gene_rows(*rows: tuple[str, str, str]) -> pd.DataFrame:
    """Rows (gene, term, disease) of genes_to_phenotype."""
    table = pd.DataFrame(rows, columns=["gene_symbol", "hpo_id", "disease_id"])
    return table.assign(gene_id="NCBIGene:1", frequency="-", present=True)


def hpoa_rows(*rows: tuple[str, str, list[str]], negated: bool = False, present: bool = True) -> pd.DataFrame:
    """Rows (disease, term, publications) of phenotype.hpoa."""
    table = pd.DataFrame(rows, columns=["disease_id", "hpo_id", "pmids"])
    return table.assign(row=range(1, len(rows) + 1), negated=negated, present=present)


def literal_scores(
    graph: OntologyGraph, profiles: dict[str, set[str]], case: set[str], formula: str
) -> dict[str, float]:
    """Each gene's score by the definitions, term pair by term pair."""
    above = {t: {u for u in graph.ids if graph.is_a(t, u)} for t in graph.ids}
    carried = {gene: set().union(*(above[t] for t in terms)) for gene, terms in profiles.items() if terms}
    counts = {t: sum(t in terms for terms in carried.values()) for t in graph.ids}
    content = {t: -log(n / len(carried)) if n else 0.0 for t, n in counts.items()}
    match = {(s, t): max((content[u] for u in above[s] & above[t]), default=0.0) for s, t in product(above, above)}
    scores = {}
    for gene, terms in profiles.items():
        of_case = [max((match[s, t] for t in terms), default=0.0) for s in case]
        of_gene = [max((match[t, s] for s in case), default=0.0) for t in terms]
        if not case or not terms:
            scores[gene] = 0.0
        elif formula == "average_of_means":
            scores[gene] = 0.5 * (sum(of_case) / len(of_case) + sum(of_gene) / len(of_gene))
        else:
            scores[gene] = (sum(of_case) + sum(of_gene)) / (len(of_case) + len(of_gene))
    return scores


@st.composite
def ontologies(draw: st.DrawFn) -> OntologyGraph:
    """Random directed acyclic graphs of 1 to 12 terms, several roots allowed."""
    ids = [f"HP:{i:07d}" for i in range(1, draw(st.integers(1, 12)) + 1)]
    parents: dict[str, list[str]] = {}
    for at, term in enumerate(ids):
        above = st.lists(st.sampled_from(ids[:at]), unique=True, max_size=3) if at else st.just([])
        parents[term] = draw(above)
    # Ids in an order unrelated to depth: nothing may rely on parents sorting first.
    renamed = dict(zip(ids, draw(st.permutations(ids)), strict=True))
    return graph_of({renamed[t]: [renamed[p] for p in above] for t, above in parents.items()})


def term_sets(graph: OntologyGraph, min_size: int = 0) -> st.SearchStrategy[set[str]]:
    return st.sets(st.sampled_from(graph.ids), min_size=min_size, max_size=6)
