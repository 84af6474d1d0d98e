"""A small ontology and annotation rows for the disease-based rankers, and likelihood ratios done literally."""

from collections import deque
from functools import cache

import pandas as pd
from hypothesis import strategies as st
from resnik_examples import graph_of

from genoplatform.ontology.frequency import parse_frequency
from genoplatform.ontology.graph import OntologyGraph

ALL, ROOT = "HP:0000001", "HP:0000118"
INHERITANCE, DOMINANT = "HP:0000005", "HP:0000006"
COURSE, ONSET = "HP:0031797", "HP:0003674"
MODIFIER, SEVERITY = "HP:0012823", "HP:0012824"
A, B, C, D, D1, E, F, G, H, T, P, Q1, Q2, Q3 = (f"HP:10000{i:02d}" for i in range(14))


@cache
def small_graph() -> OntologyGraph:
    """All over the phenotypic root and three branches that are no phenotypes.

    Below the root: a over b and c, b over d and e, d over d1; f over g and h; p; q1 over q2 and q3; and t below
    p and q2, in this order.
    """
    parents = {
        ALL: [],
        **{term: [ALL] for term in (ROOT, INHERITANCE, COURSE, MODIFIER)},
        DOMINANT: [INHERITANCE],
        ONSET: [COURSE],
        SEVERITY: [MODIFIER],
        **{term: [ROOT] for term in (A, F, P, Q1)},
        **{B: [A], C: [A], D: [B], E: [B], D1: [D], G: [F], H: [F], Q2: [Q1], Q3: [Q1], T: [P, Q2]},
    }
    return graph_of(parents, {G: ["HP:2000000"]})


def rows(*given: tuple[str, str, str] | tuple[str, str, str, list[str]]) -> pd.DataFrame:
    """Rows (disease, term, frequency, publications) of read_hpoa; a frequency starting with "NOT" is negated."""
    table = pd.DataFrame([(*row, [])[:4] for row in given], columns=["disease_id", "hpo_id", "frequency", "pmids"])
    table["negated"] = table["frequency"].str.startswith("NOT")
    table["frequency"] = table["frequency"].str.removeprefix("NOT").str.strip()
    parsed = parse_frequency(table["frequency"])
    table["frequency_value"] = parsed["value"]
    table["present"] = ~table["negated"] & (parsed["value"].isna() | (parsed["value"] > 0))
    return table.assign(numerator=parsed["numerator"], denominator=parsed["denominator"])


def links(**genes: str) -> pd.DataFrame:
    """disease_id, gene_symbol; genes(g="OMIM:1 OMIM:2")."""
    pairs = [(disease, gene) for gene, diseases in genes.items() for disease in diseases.split()]
    return pd.DataFrame(pairs, columns=["disease_id", "gene_symbol"])


class LiteralRatios:
    """The rules read one disease and one term at a time.

    Args:
        graph: the ontology.
        diseases: disease -> term -> frequency, 0 = absent.
    """

    def __init__(self, graph: OntologyGraph, diseases: dict[str, dict[str, float]]) -> None:
        self.graph, self.diseases = graph, diseases
        self.above = {t: {u for u in graph.ids if graph.is_a(t, u)} for t in graph.ids}
        self.parents = {t: [graph.ids[p] for p in graph.parents_in_order(i)] for t, i in graph.index.items()}
        self.children = {t: sum(t in above for above in self.parents.values()) for t in graph.ids}
        self.raw = {t: sum(self.carried(d, t) or 0.0 for d in diseases) / len(diseases) for t in graph.ids}
        self.background = {t: max(value, 1e-4) for t, value in self.raw.items()}

    def carried(self, disease: str, term: str) -> float | None:
        below = [f for a, f in self.diseases[disease].items() if term in self.above[a]]
        return max(below, default=None)

    def steps(self, term: str) -> dict[str, int]:
        """Shortest distance to each strict ancestor on paths that do not pass through the root."""
        found: dict[str, int] = {}
        queue = deque([(term, 0)])
        while queue:
            reached, distance = queue.popleft()
            if reached == ROOT and distance:
                continue
            for parent in self.parents[reached]:
                if parent not in found:
                    found[parent] = distance + 1
                    queue.append((parent, distance + 1))
        return found

    def observed(self, disease: str, term: str) -> float:
        annotations, background = self.diseases[disease], self.background[term]
        if any(annotations.get(a) == 0 for a in self.above[term]):
            return 0.001
        if term in annotations:
            return annotations[term] / background
        below = self.carried(disease, term)
        if below is not None:
            return below / background
        shared = max((annotations.get(p, 0.0) / self.children[p] for p in self.parents[term]), default=0.0)
        if shared > 0:
            raw = self.raw[term]
            return max(shared, raw * (0.002 + (raw - 0.01) * 0.098 / 0.09)) / background
        return self.common(disease, term)

    def common(self, disease: str, term: str) -> float:
        decayed: dict[str, float] = {}
        for annotation, frequency in self.diseases[disease].items():
            for ancestor, distance in self.steps(annotation).items():
                decayed[ancestor] = max(decayed.get(ancestor, 0.0), frequency / 10**distance)
        queue = deque([term])
        while queue:
            reached = queue.popleft()
            if reached in decayed and reached != ROOT:
                return max(0.01, decayed[reached] / self.background[reached])
            queue.extend(self.parents[reached])
        return 0.01

    def excluded(self, disease: str, term: str) -> float:
        annotations, background = self.diseases[disease], self.background[term]
        if any(f == 0 and term in self.above[a] for a, f in annotations.items()):
            return 1000.0
        if background > 0.99:
            return 1.0
        return max(0.01, 1 - (self.carried(disease, term) or 0.0)) / (1 - background)


@st.composite
def rooted_ontologies(draw: st.DrawFn) -> OntologyGraph:
    """Random graphs with the phenotypic root: terms below it, beside it and above."""
    ids = [ALL, ROOT, *(f"HP:3{i:06d}" for i in range(draw(st.integers(1, 10))))]
    parents: dict[str, list[str]] = {ALL: [], ROOT: [ALL]}
    for at, term in enumerate(ids[2:], start=2):
        parents[term] = draw(st.lists(st.sampled_from(ids[:at]), unique=True, min_size=1, max_size=3))
    return graph_of(parents)
