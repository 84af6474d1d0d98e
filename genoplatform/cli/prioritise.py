"""`genoplatform prioritise`: rank all genes for one patient's phenotype, from the store's knowledge base."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName


def prioritise(
    hpo: Annotated[str | None, typer.Option("--hpo", metavar="HP:…,HP:…", help="Observed HPO terms.")] = None,
    phenopacket: Annotated[Path | None, typer.Option("--phenopacket", help="A GA4GH phenopacket, v1 or v2.")] = None,
    genes: Annotated[Path | None, typer.Option("--genes", help="Rank only these symbols, one a line.")] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="Rows to show.")] = 20,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Rank genes by Resnik similarity to the observed terms (research use; not a diagnosis)."""
    from genoplatform.runner.one_patient import observed_terms, rank_genes, wanted_genes

    if (hpo is None) == (phenopacket is None):
        raise typer.BadParameter("give exactly one of --hpo and --phenopacket")
    terms = observed_terms(hpo, phenopacket)
    result = rank_genes(home.resolve(), profile, terms, wanted_genes(genes) if genes else None, top)
    if as_json:
        ranking = result.table.to_dict("records")
        typer.echo(json.dumps({**result.report, "changes": result.changes, "ranking": ranking}))
        return
    for change in result.changes:
        typer.echo(f"note: {change}", err=True)
    typer.echo(f"{'rank':>4}  {'gene':<12} {'score':>8}  diseases")
    for row in result.table.itertuples():
        typer.echo(f"{row.rank:>4}  {row.gene:<12} {row.score:>8.4f}  {row.diseases}")
