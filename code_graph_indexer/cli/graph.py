"""The commands `cgi symbol`, `callers`, `callees`, `outline` and `tree`: look at definitions and walk the graph."""

import sys
from functools import partial
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Depth, MinConfidence, Name, Tests
from code_graph_indexer.cli.listing import Listing, listing
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.graph.uses import USE_KINDS
from code_graph_indexer.index import Index

app = typer.Typer(rich_markup_mode=None)


@listing(app)
def symbol(indexer: Index, name: Name) -> Listing:
    """Show the definitions of a name with place, signature and documentation."""
    answer = indexer.symbol(name)
    return Listing(partial(render.symbols, answer), name=name, symbols=answer)


@listing(app)
def references(
    indexer: Index,
    name: Name,
    kind: Annotated[str, typer.Option("--kind", help=f"Only uses of this kind: {', '.join(USE_KINDS)}.")] = "",
    file: Annotated[str, typer.Option("--file", help="Only files whose path begins so.")] = "",
    tests: Tests = None,
) -> Listing:
    """Show every use of a definition: calls, reads, writes, types, imports, bases and prose, each with its line.

    Of a name that the repository does not define, such as `requests.get` or the package `requests`, show the calls, imports and
    bases that lead to it.
    """
    try:
        answer = indexer.references(name, kind=kind, file=file, tests=tests)
    except NotInIndexError:
        uses = [
            use
            for use in indexer.graph.external(name, tests=tests)
            if use.file_path.startswith(file) and kind in ("", use.kind)
        ]
        if uses:
            return Listing(partial(render.external, uses), name=name, external=uses)
        raise
    return Listing(
        partial(render.references, answer), found=any(entry.uses for entry in answer), name=name, definitions=answer
    )


@listing(app)
def callers(
    indexer: Index, name: Name, depth: Depth = 1, min_confidence: MinConfidence = 0.0, tests: Tests = None
) -> Listing:
    """Show who calls a definition, how sure each edge is, and how many calls of that name are unresolved."""
    answer = indexer.callers(name, depth=depth, min_confidence=min_confidence, tests=tests, limit=sys.maxsize)
    return Listing(
        partial(render.reach, answer, direction="callers"),
        found=any(entry.steps for entry in answer),
        name=name,
        definitions=answer,
    )


@listing(app)
def callees(indexer: Index, name: Name, depth: Depth = 1, min_confidence: MinConfidence = 0.0) -> Listing:
    """Show what a definition calls, how sure each edge is, and how many of its calls are unresolved."""
    answer = indexer.callees(name, depth=depth, min_confidence=min_confidence, limit=sys.maxsize)
    return Listing(
        partial(render.reach, answer, direction="callees"),
        found=any(entry.steps for entry in answer),
        name=name,
        definitions=answer,
    )


@listing(app)
def outline(
    indexer: Index, path: Annotated[str, typer.Argument(help="Path of an indexed file, or the end of its path.")]
) -> Listing:
    """Show the definitions of a file."""
    answer = indexer.outline(path)
    return Listing(partial(render.outline, answer), path=answer.path, symbols=answer.symbols, complete=answer.complete)


@listing(app)
def tree(
    indexer: Index,
    directory: Annotated[str, typer.Argument(help="A folder of the repository.")] = "",
    depth: Annotated[int, typer.Option("--depth", help="Number of folder levels to show.", min=1)] = 2,
) -> Listing:
    """Show the indexed files as a tree of folders."""
    answer = indexer.tree(directory)
    return Listing(partial(render.tree, answer, depth=depth), found=answer, directory=directory, files=answer)
