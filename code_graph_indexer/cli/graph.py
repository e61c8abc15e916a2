"""The commands `cgi symbol`, `callers`, `callees`, `outline` and `tree`: look at definitions and walk the graph."""

import sys
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import (
    Db,
    Depth,
    Everything,
    Json,
    Limit,
    MinConfidence,
    Name,
    NoUpdate,
    Tests,
    answering,
    show_listing,
)

app = typer.Typer()


@app.command()
def symbol(
    name: Name,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the definitions of a name with place, signature and documentation."""
    with answering(db, no_update) as indexer:
        answer = indexer.symbol(name)
    show_listing(
        "symbol", lambda most: render.symbols(answer, limit=most), as_json, limit, everything, name=name, symbols=answer
    )


@app.command()
def callers(
    name: Name,
    depth: Depth = 1,
    min_confidence: MinConfidence = 0.0,
    tests: Tests = None,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show who calls a definition, how sure each edge is, and how many calls of that name are unresolved."""
    with answering(db, no_update) as indexer:
        answer = indexer.callers(name, depth=depth, min_confidence=min_confidence, tests=tests, limit=sys.maxsize)
    show_listing(
        "callers",
        lambda most: render.reach(answer, direction="callers", limit=most),
        as_json,
        limit,
        everything,
        name=name,
        definitions=answer,
    )


@app.command()
def callees(
    name: Name,
    depth: Depth = 1,
    min_confidence: MinConfidence = 0.0,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show what a definition calls, how sure each edge is, and how many of its calls are unresolved."""
    with answering(db, no_update) as indexer:
        answer = indexer.callees(name, depth=depth, min_confidence=min_confidence, limit=sys.maxsize)
    show_listing(
        "callees",
        lambda most: render.reach(answer, direction="callees", limit=most),
        as_json,
        limit,
        everything,
        name=name,
        definitions=answer,
    )


@app.command()
def outline(
    path: Annotated[str, typer.Argument(help="Path of an indexed file, or the end of its path.")],
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the definitions of a file."""
    with answering(db, no_update) as indexer:
        answer = indexer.outline(path)
    show_listing(
        "outline",
        lambda most: render.outline(answer, limit=most),
        as_json,
        limit,
        everything,
        path=answer.path,
        symbols=answer.symbols,
        complete=answer.complete,
    )


@app.command()
def tree(
    directory: Annotated[str, typer.Argument(help="A folder of the repository.")] = "",
    depth: Annotated[int, typer.Option("--depth", help="Number of folder levels to show.", min=1)] = 2,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the indexed files as a tree of folders."""
    with answering(db, no_update) as indexer:
        answer = indexer.tree(directory)
    show_listing(
        "tree",
        lambda most: render.tree(answer, depth=depth, limit=most),
        as_json,
        limit,
        everything,
        directory=directory,
        files=answer,
    )
