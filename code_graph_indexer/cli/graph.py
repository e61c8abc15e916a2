"""The commands `cgi symbol`, `callers`, `callees`, `outline` and `tree`: look at definitions and walk the graph."""

from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Db, Depth, Json, MinConfidence, Name, Tests, open_index, show

app = typer.Typer()

Limit = Annotated[int, typer.Option("--limit", "-n", help="Largest number of call sites for each definition.", min=1)]


@app.command()
def symbol(name: Name, db: Db = None, as_json: Json = False) -> None:
    """Show the definitions of a name with place, signature and documentation."""
    with open_index(db) as indexer:
        answer = indexer.symbol(name)
    show(render.to_json("symbol", name=name, symbols=answer) if as_json else render.symbols(answer))


@app.command()
def callers(
    name: Name,
    depth: Depth = 1,
    min_confidence: MinConfidence = 0.0,
    tests: Tests = None,
    limit: Limit = 50,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show who calls a definition, how sure each edge is, and how many calls of that name are unresolved."""
    with open_index(db) as indexer:
        answer = indexer.callers(name, depth=depth, min_confidence=min_confidence, tests=tests, limit=limit)
    show(
        render.to_json("callers", name=name, definitions=answer)
        if as_json
        else render.reach(answer, direction="callers")
    )


@app.command()
def callees(
    name: Name,
    depth: Depth = 1,
    min_confidence: MinConfidence = 0.0,
    limit: Limit = 50,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show what a definition calls, how sure each edge is, and how many of its calls are unresolved."""
    with open_index(db) as indexer:
        answer = indexer.callees(name, depth=depth, min_confidence=min_confidence, limit=limit)
    show(
        render.to_json("callees", name=name, definitions=answer)
        if as_json
        else render.reach(answer, direction="callees")
    )


@app.command()
def outline(
    path: Annotated[str, typer.Argument(help="Path of an indexed file, or the end of its path.")],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the definitions of a file."""
    with open_index(db) as indexer:
        answer = indexer.outline(path)
    show(render.to_json("outline", path=answer.path, symbols=answer.symbols) if as_json else render.outline(answer))


@app.command()
def tree(
    directory: Annotated[str, typer.Argument(help="A folder of the repository.")] = "",
    depth: Annotated[int, typer.Option("--depth", help="Number of folder levels to show.", min=1)] = 2,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the indexed files as a tree of folders."""
    with open_index(db) as indexer:
        answer = indexer.tree(directory)
    show(render.to_json("tree", directory=directory, files=answer) if as_json else render.tree(answer, depth=depth))
