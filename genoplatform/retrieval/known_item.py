"""Known-item search: do a title, and a sentence from an article's middle, find the article they come from?"""

from __future__ import annotations

import hashlib
import heapq
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from genoplatform.retrieval.hits import Hit, Mode
from genoplatform.retrieval.searcher import IndexSearcher

DEPTH = 10
MODES: tuple[Mode, ...] = ("dense", "sparse", "hybrid")
COLUMNS = ("mode", "kind", "queries", "recall_at_1", "recall_at_10", "mrr", "exact_overlap")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORDS = range(8, 61)


@dataclass(frozen=True)
class KnownItem:
    """A query (`kind` title or sentence) and the article it was taken from."""

    kind: str
    query: str
    pmcid: str


def known_items(shards: Sequence[Path], number: int, seed: int) -> list[KnownItem]:
    """Queries from the indexed articles, sorted by article.

    Args:
        shards: parquet shards with pmcid, title and text, in the articles' order.
        number: articles, at most: those whose BLAKE2b of seed and id is smallest.
        seed: of the choice.
    """
    chosen = set(heapq.nsmallest(number, _articles(shards), key=lambda pmcid: (_draw(seed, pmcid), pmcid)))
    titles: dict[str, str] = {}
    texts: dict[str, list[str]] = {}
    for shard in shards:
        for batch in _batches(shard, ["pmcid", "title", "text"]):
            for row in batch:
                if row["pmcid"] in chosen:
                    titles[row["pmcid"]] = row["title"] or ""
                    texts.setdefault(row["pmcid"], []).append(row["text"])
    items = []
    for pmcid in sorted(chosen):
        items += [KnownItem("title", titles[pmcid], pmcid)] if titles[pmcid] else []
        if sentence := middle_sentence(texts[pmcid]):
            items.append(KnownItem("sentence", sentence, pmcid))
    return items


def middle_sentence(texts: Sequence[str]) -> str:
    """The sentence of 8 to 60 words nearest to the middle of the middle text; "" if it has none."""
    sentences = _SENTENCE.split(texts[len(texts) // 2].strip())
    fitting = [n for n, sentence in enumerate(sentences) if len(sentence.split()) in _WORDS]
    return sentences[min(fitting, key=lambda n: (abs(2 * n - len(sentences) + 1), n))] if fitting else ""


def known_item_search(searcher: IndexSearcher, exact: IndexSearcher, items: Sequence[KnownItem]) -> pd.DataFrame:
    """Recall of the article among the first ten chunks, by mode and kind of query ("all" for both).

    Args:
        searcher: what is evaluated.
        exact: the same index, searched vector by vector.
        items: queries and the articles they come from.

    Returns:
        mode, kind, queries, recall_at_1, recall_at_10, mrr (0 beyond the tenth chunk), and, of dense search over all
        queries, exact_overlap (see `agreement`); sorted by mode and kind.
    """
    queries = [item.query for item in items]
    rows: list[tuple[object, ...]] = []
    for mode in MODES:
        lists = searcher.search(queries, mode=mode, limit=DEPTH)
        ranks = [_rank(item.pmcid, hits) for item, hits in zip(items, lists, strict=True)]
        for kind in ("all", "sentence", "title"):
            mine = [rank for rank, item in zip(ranks, items, strict=True) if kind in ("all", item.kind)]
            overlap = agreement(searcher, exact, queries) if (mode, kind) == ("dense", "all") else float("nan")
            rows.append((mode, kind, len(mine), *_measures(mine), overlap))
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.sort_values(["mode", "kind"], ignore_index=True)


def nothing_searched() -> pd.DataFrame:
    """The table of a profile without an index."""
    empty = pd.DataFrame({name: pd.Series(dtype="float64") for name in COLUMNS})
    return empty.astype({"mode": "str", "kind": "str", "queries": "int64"})


def agreement(searcher: IndexSearcher, exact: IndexSearcher, queries: Sequence[str]) -> float:
    """Mean share of exact search's first ten chunks, by score, that the graph finds too (dense)."""
    pairs = zip(*(side.search(queries, mode="dense", limit=DEPTH) for side in (searcher, exact)), strict=True)
    shares = [len(_ids(found) & _ids(true)) / len(true) for found, true in pairs if true]
    return sum(shares) / len(shares) if shares else 1.0


def _measures(ranks: list[int | None]) -> tuple[float, float, float]:
    found = [rank for rank in ranks if rank is not None]
    number = max(len(ranks), 1)
    return sum(rank == 1 for rank in found) / number, len(found) / number, sum(1 / rank for rank in found) / number


def _rank(pmcid: str, hits: Sequence[Hit]) -> int | None:
    return next((place for place, hit in enumerate(hits, 1) if hit.pmcid == pmcid), None)


def _ids(hits: Sequence[Hit]) -> set[str]:
    return {hit.chunk_id for hit in hits}


def _articles(shards: Sequence[Path]) -> Iterable[str]:
    """Ids of the articles: they stand together, so a repeated neighbour is all there is to leave out."""
    before = None
    for shard in shards:
        for batch in _batches(shard, ["pmcid"]):
            for row in batch:
                if row["pmcid"] != before:
                    before = row["pmcid"]
                    yield before


def _batches(shard: Path, columns: list[str]) -> Iterable[list[dict[str, str]]]:
    with pq.ParquetFile(shard) as file:
        for batch in file.iter_batches(batch_size=2_000, columns=columns):
            yield batch.to_pylist()


def _draw(seed: int, pmcid: str) -> bytes:
    return hashlib.blake2b(f"{seed}|{pmcid}".encode(), digest_size=8).digest()
