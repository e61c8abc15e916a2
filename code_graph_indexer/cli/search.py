"""The commands `cgi search` and `explore`: find code."""

import sys
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.colour import coloured
from code_graph_indexer.cli.common import (
    Budget,
    Db,
    Directory,
    Embedder,
    Expect,
    Json,
    KeywordOnly,
    Language,
    NoUpdate,
    Pattern,
    SearchedTests,
    answering,
    end_search,
    in_shell,
    show,
)
from code_graph_indexer.retrieval.results import LEAST_JUDGED

app = typer.Typer(rich_markup_mode=None)

Kind = Annotated[
    list[str] | None,
    typer.Option("--kind", "-k", help="Search only chunks of this kind: function, class, … (repeatable)."),
]
Source = Annotated[list[str] | None, typer.Option("--source", help="Search only code, markdown or text (repeatable).")]
Folder = Annotated[list[str] | None, typer.Option("--prefer", help="Rank files of this folder higher (repeatable).")]
RepoId = Annotated[list[str] | None, typer.Option("--repo-id", help="Search only this repository (repeatable).")]


Libraries = Annotated[
    str,
    typer.Option("--libraries", metavar="NAME", help="Ask this installed package instead, at its version: requests."),
]


def _in_library(query: str, name: str) -> str:
    """Return a query that asks a package, or the query itself for an empty name."""
    return f"library:{name} {query}" if name else query


@app.command()
def search(
    query: Annotated[list[str], typer.Argument(help="Words, a name, a part of a name, or a question.")],
    expect: Expect = "",
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="Largest number of results.", min=1, max=1000)
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="Leave out results below this share of the best score.", min=0.0, max=1.0)
    ] = None,
    parents: Annotated[bool, typer.Option("--parents", help="Show the definitions that contain the results.")] = False,
    language: Language = None,
    directory: Directory = None,
    path: Pattern = None,
    kind: Kind = None,
    source: Source = None,
    prefer: Folder = None,
    repo_id: RepoId = None,
    tests: SearchedTests = None,
    libraries: Libraries = "",
    keyword_only: KeywordOnly = False,
    full: Annotated[bool, typer.Option("--full", help="Show whole chunks.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show how each score was computed.")] = False,
    no_update: NoUpdate = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Find the code that answers a query."""
    # A user who leaves out the quotes gives several words.
    text = _in_library(" ".join(query), libraries)
    with answering(db, no_update, embedder=embedder) as indexer:
        retrieve = indexer.retrieve_with_parents if parents else indexer.retrieve
        results = retrieve(
            text,
            expect=expect,
            threshold=threshold,
            # Whether the first result is sure depends on those behind it, however few are shown.
            limit=limit if parents or limit is None else max(limit, LEAST_JUDGED),
            repo_id=repo_id,
            language=language or (),
            directory=directory,
            chunk_type=kind or (),
            source_types=source or (),
            file_patterns=path or (),
            folders=prefer or (),
            tests=tests,
            keyword_only=keyword_only,
        )
        doubt = None if parents else indexer.doubt(text, results, expect=expect)
        results = results[:limit]
        expected = indexer.expected(expect)
    if as_json:
        show(render.to_json("search", query=text, expected=expected, doubt=doubt, results=results))
    else:
        if notes := render.search_notes(expected, doubt if results else None):
            show(f"{in_shell(notes)}\n")
        show(coloured(render.results(results, f"{expect} {text}", full=full, explain=explain)))
    end_search(found=bool(results) and not (doubt and doubt.unmatched))


@app.command()
def explore(
    query: Annotated[
        list[str], typer.Argument(help="A question, names, `A -> B`, a path with a line, or a stack trace; - reads it.")
    ],
    expect: Expect = "",
    budget: Budget = None,
    libraries: Libraries = "",
    keyword_only: KeywordOnly = False,
    no_update: NoUpdate = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Show in one text how the code in question hangs together, and its source, for agents."""
    text = sys.stdin.read() if query == ["-"] else " ".join(query)
    text = _in_library(text, libraries)
    with answering(db, no_update, embedder=embedder) as indexer:
        tour = indexer.explore(text, expect=expect, budget=budget, keyword_only=keyword_only)
    show(render.to_json("explore", tour=tour) if as_json else in_shell(render.clean(tour.text)), end="")
