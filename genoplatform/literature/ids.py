"""Ids of chunks, by content: the same text at the same place of an article has the same id in every run and order.

Belongs here: the id of one chunk, and the address people find an article at. The digest over many ids: `fingerprint`.
"""

from __future__ import annotations

import hashlib
import uuid

NAMESPACE = uuid.UUID("6f9619ff-8b86-d011-b42d-00cf4fc964ff")


def chunk_id(pmcid: str, section_type: str, chunk_index: int, text: str) -> str:
    """Id of a chunk (rare_disease.md section 2.2).

    Args:
        pmcid: what identifies the article.
        section_type: type of its section.
        chunk_index: place in the section, from 0.
        text: the chunk's text.
    """
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return str(uuid.uuid5(NAMESPACE, f"{pmcid}|{section_type}|{chunk_index}|{digest}"))


def article_url(pmcid: str) -> str:
    """Where people read the article: PubMed Central, or the DOI resolver for one identified by its DOI."""
    kind, _, rest = pmcid.partition(":")
    return f"https://doi.org/{rest}" if kind == "doi" else f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
