"""The command line. Arguments, tables and exit codes live here; everything that is computed lives elsewhere.

Exit codes: 0 done; 1 something failed or a check found fault; 2 wrong usage; 3 the home is in use by another command.
"""

from __future__ import annotations

import sys

import typer

from genoplatform.cli.audit import audit_app
from genoplatform.cli.candidates import add_candidate_commands
from genoplatform.cli.checks import checks_app
from genoplatform.cli.doctor import doctor
from genoplatform.cli.evaluate import evaluate
from genoplatform.cli.expression import expression_app
from genoplatform.cli.prioritise import prioritise
from genoplatform.cli.run import demo, run
from genoplatform.cli.search import search
from genoplatform.cli.sources import sources_app
from genoplatform.cli.ui import ui
from genoplatform.errors import GenoplatformError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Rare-disease gene prioritisation, evaluated honestly: assets, audits and rankings.",
)
add_candidate_commands(sources_app)
for command in (demo, run, ui, evaluate, prioritise, doctor, search):
    app.command()(command)
app.add_typer(sources_app, name="sources", no_args_is_help=True)
app.add_typer(audit_app, name="audit", no_args_is_help=True)
app.add_typer(expression_app, name="expression", no_args_is_help=True)
app.add_typer(checks_app, name="checks", no_args_is_help=True)


def main() -> None:
    """Entry point: an explained failure prints its explanation, not a traceback."""
    try:
        app()
    except GenoplatformError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
