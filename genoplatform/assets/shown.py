"""What assets show in their metadata: tables as markdown, plots as images. Values only, nothing computed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    import pandas as pd


def markdown_table(table: pd.DataFrame, rows: int = 40) -> dg.MarkdownMetadataValue:
    """The first rows of a table as markdown."""
    head = table.head(rows)
    lines = [" | ".join(map(str, head.columns)), " | ".join("---" for _ in head.columns)]
    lines += [" | ".join(_cell(value) for value in row) for row in head.itertuples(index=False)]
    if len(table) > rows:
        lines.append(f"… {len(table) - rows} more rows")
    return dg.MetadataValue.md("\n".join(lines))


def png(content: bytes) -> dg.MarkdownMetadataValue:
    """An image."""
    from genoplatform.report import as_markdown_image

    return dg.MetadataValue.md(as_markdown_image(content))


def _cell(value: object) -> str:
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
