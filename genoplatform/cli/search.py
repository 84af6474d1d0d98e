"""`genoplatform search`: passages of the literature for a person, with what found them and a link to the article."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName

if TYPE_CHECKING:
    from genoplatform.retrieval.bm25 import Bm25
    from genoplatform.retrieval.hits import Hit

_MODES = ("hybrid", "dense", "sparse")


def search(
    query: Annotated[str, typer.Argument(help="What to look for, in words.")],
    gene: Annotated[str | None, typer.Option("--gene", help="Only passages that name this gene symbol.")] = None,
    mode: Annotated[str, typer.Option("--mode", help="hybrid, dense or sparse.")] = "hybrid",
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="Passages to show.")] = 10,
    years: Annotated[
        str | None, typer.Option("--years", metavar="FROM-TO", help="Years of publication: 2010-2015, 2010-, -2015.")
    ] = None,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Search the literature: titles, sections and highlighted passages, best first."""
    from genoplatform.resources.platform import PlatformResource
    from genoplatform.resources.vector_index.opening import open_searcher

    if mode not in _MODES:
        raise typer.BadParameter(f"{mode!r} is not one of {', '.join(_MODES)}", param_hint="--mode")
    span = year_span(years) if years else None
    platform = PlatformResource(home=str(Path(home).resolve()), profile=profile)
    with open_searcher(platform) as searcher:
        (hits,) = searcher.search([query], mode=mode, limit=limit, gene=gene, years=span)  # type: ignore[arg-type]
        bm25 = searcher.bm25
    if as_json:
        asked = {"query": query, "mode": mode, "gene": gene, "years": list(span) if span else None}
        rows = [_row(hit, query, gene, bm25) for hit in hits]
        typer.echo(json.dumps({"profile": profile, **asked, "hits": rows}, ensure_ascii=False))
        return
    if not hits:
        typer.echo("nothing found", err=True)
    for number, hit in enumerate(hits, 1):
        _show(number, hit, query, gene, bm25)


def year_span(text: str) -> tuple[int | None, int | None]:
    """`2010-2015`, `2010-`, `-2015` or `2012` as first and last year.

    Raises:
        typer.BadParameter: it is none of these, or ends before it begins.
    """
    first, dash, last = text.partition("-")
    sides = [side.strip() for side in (first, last if dash else first)]
    if not any(sides) or any(side and not (side.isdecimal() and len(side) == 4) for side in sides):
        raise typer.BadParameter(f"{text!r} is not like 2010-2015, 2010- or -2015", param_hint="--years")
    begin, end = (int(side) if side else None for side in sides)
    if begin is not None and end is not None and begin > end:
        raise typer.BadParameter(f"{text!r} ends before it begins", param_hint="--years")
    return begin, end


def _row(hit: Hit, query: str, gene: str | None, bm25: Bm25) -> dict[str, Any]:
    from dataclasses import asdict

    from genoplatform.retrieval.passages import article_link, passage

    found = passage(hit.text, query, bm25, gene=gene)
    shown = {"link": article_link(hit.pmcid), "passage": found.text, "highlights": [list(span) for span in found.spans]}
    return {**asdict(hit), **shown}


def _show(number: int, hit: Hit, query: str, gene: str | None, bm25: Bm25) -> None:
    from genoplatform.retrieval.passages import article_link, passage

    year = f" ({hit.pub_year})" if hit.pub_year else ""
    typer.echo(f"{number:>2}. {typer.style(hit.title or hit.pmcid, bold=True)}{year}")
    where = hit.section_heading or hit.section_type
    typer.echo(f"    {where} · {article_link(hit.pmcid) or hit.pmcid} · {_scores(hit)}")
    marked = passage(hit.text, query, bm25, gene=gene).marked("\x1b[1;33m", "\x1b[0m")
    typer.echo(f"    {marked}\n")  # click takes the colours out where the output is not a terminal


def _scores(hit: Hit) -> str:
    sides = (("fused", hit.score_rrf), ("dense", hit.score_dense), ("bm25", hit.score_bm25))
    return ", ".join(f"{name} {value:.3f}" for name, value in sides if value is not None)
