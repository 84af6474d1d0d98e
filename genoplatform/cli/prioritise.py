"""`genoplatform prioritise`: rank genes for one patient, with the evidence for them."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName

if TYPE_CHECKING:
    from genoplatform.runner.one_patient import PatientRanking
    from genoplatform.runner.patient_evidence import Literature


def prioritise(
    hpo: Annotated[str | None, typer.Option("--hpo", metavar="HP:…,HP:…", help="Observed HPO terms.")] = None,
    phenopacket: Annotated[Path | None, typer.Option("--phenopacket", help="A GA4GH phenopacket, v1 or v2.")] = None,
    genes: Annotated[Path | None, typer.Option("--genes", help="Rank only these symbols, one a line.")] = None,
    systems: Annotated[
        str, typer.Option("--systems", metavar="A,B", help="Native systems; the first orders the table.")
    ] = "resnik,likelihood",
    top: Annotated[int, typer.Option("--top", min=1, help="Rows to show.")] = 20,
    evidence: Annotated[
        int, typer.Option("--evidence", min=0, help="Search the literature index for the first so many genes.")
    ] = 0,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page of it here.")] = None,
    home: Home = DEFAULT_HOME,
    profile: ProfileName = DEFAULT_PROFILE,
    as_json: Json = False,
) -> None:
    """Rank genes by similarity and likelihood ratio to one patient's findings (research use; not a diagnosis)."""
    from genoplatform.runner.one_patient import rank_genes
    from genoplatform.runner.patient_evidence import Literature
    from genoplatform.runner.patient_input import findings, wanted_genes

    if (hpo is None) == (phenopacket is None):
        raise typer.BadParameter("give exactly one of --hpo and --phenopacket")
    named = [name.strip() for name in systems.split(",") if name.strip()]
    if not named:
        raise typer.BadParameter("name at least one system", param_hint="--systems")
    asked = findings(hpo, phenopacket)
    result = rank_genes(home.resolve(), profile, asked, wanted_genes(genes) if genes else None, top, named)
    literature = _literature(home, profile, result, evidence) if evidence else Literature()
    if html is not None:
        _write_page(html, result, literature)
    if as_json:
        typer.echo(json.dumps(_as_plain(result, literature)))
        return
    _print(result, literature)


def _literature(home: Path, profile: str, result: PatientRanking, genes: int) -> Literature:
    from genoplatform.resources.platform import PlatformResource
    from genoplatform.runner.patient_evidence import look_up

    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    return look_up(platform, list(result.table["gene"][:genes]), result.report["labels"])


def _write_page(path: Path, result: PatientRanking, literature: Literature) -> None:
    from genoplatform.provenance.atomic import write_text
    from genoplatform.report.patient_page import patient_page

    rows = _rows(result)
    write_text(path, patient_page(result.report, rows, result.changes, literature.genes, literature.missing))
    typer.echo(f"page: {path}", err=True)


def _rows(result: PatientRanking) -> list[dict[str, Any]]:
    # JSON has no infinity, and an absent rank is no number
    table = result.table.astype(object)
    columns = [str(name) for name in table.columns]
    rows = table.where(table.notna(), None).itertuples(index=False, name=None)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _as_plain(result: PatientRanking, literature: Literature) -> dict[str, Any]:
    found = {item.gene: asdict(item) | {"verdict": item.verdict} for item in literature.genes}
    rows = []
    for row in _rows(result):
        plain = {key: None if isinstance(value, float) and math.isinf(value) else value for key, value in row.items()}
        rows.append(plain | ({"evidence": found[row["gene"]]} if row["gene"] in found else {}))
    note = {"literature": literature.missing} if literature.missing else {}
    return {**result.report, "changes": result.changes, **note, "ranking": rows}


def _print(result: PatientRanking, literature: Literature) -> None:
    from genoplatform.report.patient_page import shown_score

    for change in result.changes:
        typer.echo(f"note: {change}", err=True)
    if literature.missing:
        typer.echo(f"note: literature was not searched: {literature.missing}", err=True)
    names = result.report["systems"]
    heads = "".join(f"{name:>14} {'rank':>6}" for name in names[1:])
    typer.echo(f"{'rank':>4}  {'gene':<12} {names[0]:>10}{heads}  diseases")
    found = {item.gene: item for item in literature.genes}
    for row in _rows(result):
        cells = "".join(
            f"{shown_score(row[f'score_{name}']):>14} {row[f'rank_{name}'] or '–':>6}" for name in names[1:]
        )
        typer.echo(f"{row['rank']:>4}  {row['gene']:<12} {shown_score(row['score']):>10}{cells}  {row['diseases']}")
        if row["gene"] in found:
            typer.echo(f"{'':>18}literature: {found[row['gene']].verdict}")
            for cited in found[row["gene"]].citations:
                typer.echo(f"{'':>20}{cited.pmcid} {cited.section}: {cited.passage}")
