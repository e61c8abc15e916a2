"""The command `cgi describe`: let a language model write one sentence for each definition."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import IndexFile, Json, open_folder, show, warn
from code_graph_indexer.cli.index import Root, ask_about_home, progress_bar
from code_graph_indexer.describe import DescriptionPlan
from code_graph_indexer.errors import UsageError

app = typer.Typer(rich_markup_mode=None)


@app.command()
def describe(
    root: Root = Path(),
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", help="Describe at most so many definitions, the most used first.", min=1),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="The language model that describes.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the language model is paid for.")] = False,
    db: IndexFile = None,
    as_json: Json = False,
) -> None:
    """Let a language model write a sentence on each definition that others can name. Questions in plain words then find it.

    The code is sent to the model. Before that, the number of definitions, the tokens and the price are shown. A sentence stays
    until the text of its definition changes. After an interrupt, the same command goes on.
    """
    ask_about_home(root)

    def agreed(plan: DescriptionPlan) -> bool:
        typer.echo(render.description_plan(plan), err=True)
        if yes:
            return True
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise UsageError("nobody can answer whether to ask the language model; run: cgi describe --yes")
        if not typer.confirm("Ask the language model?", err=True):
            raise typer.Exit(UsageError.exit_code)
        return True

    with open_folder(root, db=db, model=model) as indexer, progress_bar() as report:
        done = indexer.describe(limit=limit, agreed=agreed, report=report, notice=warn)
    show(render.to_json("describe", report=done) if as_json else render.description_report(done))
