"""A further part of the page: a question in plain words, what its columns mean, and tables.

Belongs here: the shape all such parts share. Does not belong here: what any of them says (part_*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genoplatform.report.tables import Table


@dataclass(frozen=True)
class Part:
    """Title, paragraphs, terms with what they mean, tables; any of the last three may be empty."""

    title: str
    paragraphs: Sequence[str]
    terms: Sequence[tuple[str, str]]
    tables: Sequence[Table]
