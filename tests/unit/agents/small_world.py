"""A small world for the agents: an ontology, articles about invented genes, a searcher, a reranker, a scripted model.

Nothing in it is true. Articles are short JATS texts of our own; a section is a chunk, its id `<pmcid>-<n>`.
"""

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Sequence
from typing import ClassVar

import pandas as pd

from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.llm import ChatAnswer, ChatRequest
from genoplatform.agents.state import Grade
from genoplatform.retrieval.hits import Hit

SECTION_TYPES = {
    "Abstract": "abstract",
    "Introduction": "introduction",
    "Results": "results",
    "Case report": "case_report",
}

# id -> (label, parents, synonyms). HP:0000003's parents stand in an order that is not that of their ids.
TERMS = {
    "HP:0000001": ("All", [], []),
    "HP:0000002": ("Abnormal movement", ["HP:0000001"], []),
    "HP:0000003": ("Gait ataxia", ["HP:0000005", "HP:0000002"], ["Unsteady walk", "Wobbly gait"]),
    "HP:0000004": ("Seizure", ["HP:0000005"], ["Epileptic fit"]),
    "HP:0000005": ("Abnormal nervous system", ["HP:0000001"], []),
    "HP:0000006": ("Hearing loss", ["HP:0000007"], ["Deafness"]),
    "HP:0000007": ("Abnormal ear", ["HP:0000001"], []),
}


def term_table() -> pd.DataFrame:
    """As `ontology.term_table` stores it."""
    rows = [
        {
            "id": term,
            "name": label,
            "obsolete": False,
            "replaced_by": [],
            "consider": [],
            "alt_ids": ["HP:0000099"] if term == "HP:0000004" else [],
            "synonyms": synonyms,
            "parents": parents,
        }
        for term, (label, parents, synonyms) in TERMS.items()
    ]
    return pd.DataFrame(rows)


def lexicon() -> Lexicon:
    return Lexicon.from_table(term_table())


def hit(text: str, chunk_id: str = "c1", section_type: str = "results", **fields: object) -> Hit:
    return Hit(
        chunk_id, str(fields.pop("pmcid", "PMC1")), text, section_type, float(fields.pop("score", 1.0)), **fields
    )


def grade(chunk_id: str, relevance: int, kind: str = "case_report", mention: bool = True) -> Grade:
    return Grade(chunk_id, mention, relevance, kind)


def article(pmcid: str, pmid: str, title: str, **sections: str) -> str:
    """A JATS article; section names are headings with "_" for blanks."""
    body = "".join(
        f"<sec><title>{name.replace('_', ' ')}</title><p>{text}</p></sec>" for name, text in sections.items()
    )
    ids = f'<article-id pub-id-type="pmc">{pmcid}</article-id><article-id pub-id-type="pmid">{pmid}</article-id>'
    titles = f"<title-group><article-title>{title}</article-title></title-group>"
    front = f"<front><article-meta>{ids}{titles}</article-meta></front>"
    return f'<article article-type="research-article">{front}<body>{body}</body></article>'


def chunks(articles: Sequence[str]) -> list[Hit]:
    """Every section of the articles, score 0."""
    found = []
    for text in articles:
        root = ET.fromstring(text)  # noqa: S314  (our own text)
        ids = {each.get("pub-id-type"): each.text or "" for each in root.iter("article-id")}
        for number, section in enumerate(root.iter("sec")):
            heading = section.findtext("title") or ""
            words = "\n\n".join("".join(p.itertext()) for p in section.findall("p"))
            kind = SECTION_TYPES.get(heading, "other")
            found.append(Hit(f"{ids['pmc']}-{number}", ids["pmc"], words, kind, 0.0, pmid=ids["pmid"]))
    return found


class LittleSearcher:
    """TF-IDF over words, ties by chunk id; counts its calls and queries."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self.hits = sorted(hits, key=lambda each: each.chunk_id)
        self.words = [Counter(_words(each.text)) for each in self.hits]
        df = Counter(word for words in self.words for word in words)
        self.idf = {word: math.log(1 + len(self.hits) / n) for word, n in df.items()}
        self.calls = 0
        self.queries: list[str] = []

    def search(self, queries, *, mode="hybrid", limit=10, prefetch=None, gene=None, years=None):
        self.calls += 1
        self.queries += list(queries)
        return [self._one(query, limit) for query in queries]

    def _one(self, query: str, limit: int) -> list[Hit]:
        wanted = set(_words(query))
        scored = [sum(self.idf.get(w, 0) * words[w] for w in sorted(wanted)) for words in self.words]
        order = sorted(range(len(scored)), key=lambda at: (-scored[at], self.hits[at].chunk_id))
        kept = [at for at in order if scored[at] > 0][:limit]
        return [_scored(self.hits[at], scored[at]) for at in kept]


class OverlapReranker:
    """Share of the query's words in the text."""

    identity: ClassVar = {"kind": "overlap"}

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        wanted = set(_words(query))
        return [len(wanted & set(_words(text))) / len(wanted) for text in texts]


class ScriptedLlm:
    """Answers by a function of the request; counts what it was asked."""

    def __init__(self, script: Callable[[ChatRequest], str | ChatAnswer], evidence: str = "plumbing") -> None:
        self.script = script
        self.identity = {"server": "scripted", "model": "script", "revision": "1", "evidence": evidence}
        self.requests: list[ChatRequest] = []

    def complete(self, requests: Sequence[ChatRequest]) -> list[ChatAnswer]:
        self.requests += list(requests)
        said = [self.script(request) for request in requests]
        return [
            each if isinstance(each, ChatAnswer) else ChatAnswer(each, latency_s=len(self.requests)) for each in said
        ]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _scored(found: Hit, score: float) -> Hit:
    return Hit(**{**vars(found), "score": score, "score_rrf": score})
