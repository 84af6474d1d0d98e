"""`genoplatform expression`: obtain series, export cohorts in the benchmark's layout, ask for gene names once.

Belongs here: arguments and what is printed. Reading artefacts, verified, and writing files is done elsewhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from genoplatform.cli.curate_acceptance import acceptance
from genoplatform.cli.expression_evaluate import evaluate
from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, ProfileName

expression_app = typer.Typer(help="Gene-expression cohorts: obtain, export, gene names.")
To = Annotated[Path, typer.Option("--to", metavar="DIR", help="Where files are written.")]


expression_app.command("acceptance")(acceptance)
expression_app.command("evaluate")(evaluate)


@expression_app.callback()
def _group() -> None:
    """Gene-expression cohorts."""


@expression_app.command("export")
def export(to: To, home: Home = DEFAULT_HOME, profile: ProfileName = DEFAULT_PROFILE) -> None:
    """Write cohorts and answers as the benchmark does: preprocess/<Trait>/ and regress/<Trait>/."""
    from genoplatform.resources.expression_evaluation import export_regressions
    from genoplatform.resources.expression_export import export_preprocessed
    from genoplatform.resources.platform import PlatformResource

    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    for trait, files in export_preprocessed(platform, to):
        typer.echo(f"{trait}: {len(files)} files")
    typer.echo(f"{len(export_regressions(platform, to))} regression files")


@expression_app.command("fetch")
def fetch(
    trait: Annotated[str, typer.Argument(help="Trait the series is about, as its folder is to be called.")],
    accessions: Annotated[list[str], typer.Argument(metavar="GSE...", help="Series accessions.")],
    to: To,
) -> None:
    """Bring series from GEO into DIR/GEO/<Trait>/<GSE>/, where slot `expression_cohorts` finds them."""
    from genoplatform.expression.layout import trait_name
    from genoplatform.resources.geo import GeoResource

    for accession in accessions:
        folder = GeoResource().obtain(accession, to / "GEO" / trait_name(trait) / accession)
        typer.echo(f"{accession}: {', '.join(sorted(path.name for path in folder.iterdir()))}")


@expression_app.command("names")
def names(
    name_file: Annotated[Path, typer.Argument(metavar="NAMES", help="Gene names, one a line.")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The synonym file to write.")],
) -> None:
    """Ask MyGene.info for official symbols once, and keep the answer as a file that slot `gene_synonyms` can take."""
    from genoplatform.resources.gene_names import GeneNamesResource

    wanted = [line.strip() for line in name_file.read_text(encoding="utf-8").splitlines() if line.strip()]
    found = GeneNamesResource().write_synonyms(wanted, to)
    typer.echo(f"{found} of {len(set(wanted))} names known, written to {to}")
