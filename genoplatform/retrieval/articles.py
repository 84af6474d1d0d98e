"""Which indexed article has which PMID: the corpus itself says it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import pyarrow.parquet as pq


def articles_by_pmid(shards: Iterable[Path], wanted: Collection[str]) -> dict[str, str]:
    """PMID (digits) -> pmcid of the wanted PMIDs that some shards hold, sorted by PMID."""
    found: dict[str, str] = {}
    for shard in shards:
        with pq.ParquetFile(shard) as file:
            for batch in file.iter_batches(batch_size=50_000, columns=["pmid", "pmcid"]):
                pairs = zip(batch["pmid"].to_pylist(), batch["pmcid"].to_pylist(), strict=True)
                found |= {pmid: pmcid for pmid, pmcid in pairs if pmid in wanted}
    return dict(sorted(found.items()))
