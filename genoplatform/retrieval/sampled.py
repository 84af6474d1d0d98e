"""Which chunks a small profile embeds: of every article its first one and others spread evenly over it."""

from __future__ import annotations

from pathlib import Path

from genoplatform.literature.chunk_table import iter_chunks


def kept_rows(chunks: Path, per_article: int | None) -> set[str] | None:
    """Ids of the chunks to embed; None stands for all.

    Args:
        chunks: a chunk directory.
        per_article: chunks of each article: the first (its abstract, if it has one), and the rest at even distances
            up to the last but one step, so that methods, results and discussion are all drawn from.
    """
    if per_article is None:
        return None
    by_article: dict[str, list[str]] = {}
    for batch in iter_chunks(chunks, ["chunk_id", "pmcid"], rows=50_000):
        pairs = zip(batch["chunk_id"].to_pylist(), batch["pmcid"].to_pylist(), strict=True)
        for chunk_id, pmcid in pairs:
            by_article.setdefault(pmcid, []).append(chunk_id)
    return {chunk_id for ids in by_article.values() for chunk_id in spread(ids, per_article)}


def spread(items: list[str], number: int) -> list[str]:
    """The first item and `number - 1` more at even distances; all, if there are no more than that."""
    if len(items) <= number:
        return items
    return [items[position * len(items) // number] for position in range(number)]
