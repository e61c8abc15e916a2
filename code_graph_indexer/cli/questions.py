"""The commands `cgi path`, `impact`, `hierarchy` and the other questions to the graph."""

import sys
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import (
    Budget,
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
    show,
    show_listing,
)
from code_graph_indexer.graph.walk import MAX_PATH_DEPTH
from code_graph_indexer.results import IMPACT_DEPTH

app = typer.Typer()

File = Annotated[str, typer.Argument(help="Path of an indexed file, or the end of its path.")]
WithTests = Annotated[bool, typer.Option("--tests", help="Include tests.")]


MAX_HUBS = 20
"""The most hubs without `--limit` and `--all`. Few definitions are hubs, and all have a rank."""


@app.command()
def path(
    source: Annotated[str, typer.Argument(help="The definition where the path begins.")],
    target: Annotated[str, typer.Argument(help="The definition where the path ends.")],
    depth: Depth = MAX_PATH_DEPTH,
    min_confidence: MinConfidence = 0.0,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the shortest call paths from one definition to another."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.paths(source, target, depth=depth, min_confidence=min_confidence)
    show_listing("path", lambda most: render.paths(answer, limit=most), as_json, limit, everything, answer=answer)


@app.command()
def impact(
    target: Annotated[str, typer.Argument(help="A symbol, or the path of a file or its end.")] = "",
    diff: Annotated[
        str,
        typer.Option("--diff", help="Take the changes from git: REV..REV, or REV to compare with the working tree."),
    ] = "",
    depth: Depth = IMPACT_DEPTH,
    min_confidence: MinConfidence = 0.0,
    tests: Tests = None,
    limit: Limit = None,
    everything: Everything = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Write one text with the lines in question, within --budget, for agents.")
    ] = False,
    budget: Budget = None,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show what a change of a symbol, of a file or in a git diff affects, and which tests to run."""
    with answering(db, no_update) as indexer:
        if markdown:
            tour = indexer.explore_change(
                target, diff=diff, depth=depth, min_confidence=min_confidence, tests=tests, budget=budget
            )
            show(render.to_json("impact", tour=tour) if as_json else render.clean(tour.text), end="")
            return
        answer = indexer.graph.impact(target, diff=diff, depth=depth, min_confidence=min_confidence, tests=tests)
    show_listing(
        "impact", lambda most: render.impact(answer, tests=tests, limit=most), as_json, limit, everything, answer=answer
    )


@app.command()
def hierarchy(
    name: Name,
    depth: Depth = MAX_PATH_DEPTH,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the classes above and below a class."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.hierarchy(name, depth=depth)
    show_listing(
        "hierarchy", lambda most: render.hierarchy(answer, limit=most), as_json, limit, everything, answer=answer
    )


@app.command()
def implementations(
    name: Name,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the methods that implement or override a method, or the classes derived from a class or interface."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.implementations(name)
    show_listing(
        "implementations",
        lambda most: render.reach([answer], direction="implementations", limit=most),
        as_json,
        limit,
        everything,
        answer=answer,
    )


@app.command()
def imports(
    file: File,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show what a file imports."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.imports(file)
    show_listing(
        "imports",
        lambda most: render.file_links(answer, direction="imports", limit=most),
        as_json,
        limit,
        everything,
        answer=answer,
    )


@app.command()
def dependents(
    file: File,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the files that import a file."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.dependents(file)
    show_listing(
        "dependents",
        lambda most: render.file_links(answer, direction="dependents", limit=most),
        as_json,
        limit,
        everything,
        answer=answer,
    )


@app.command()
def unused(
    min_confidence: Annotated[
        float,
        typer.Option(
            "--min-confidence", help="Show only definitions that are at least this surely unused.", min=0.0, max=1.0
        ),
    ] = 0.5,
    tests: WithTests = False,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show definitions without a known reference, and how certain it is that each is unused."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.unused(min_confidence=min_confidence, tests=tests)
    show_listing(
        "unused", lambda most: render.unused(answer, limit=most), as_json, limit, everything, definitions=answer
    )


@app.command()
def routes(
    pattern: Annotated[str, typer.Argument(help="A part of the route, of the name or of the handler.")] = "",
    kind: Annotated[
        str,
        typer.Option(
            "--kind", help="Only this kind: route, command, task, listener, plugin, entry, dependency or fixture."
        ),
    ] = "",
    framework: Annotated[str, typer.Option("--framework", help="Only this framework, such as flask.")] = "",
    path: Annotated[str, typer.Option("--path", help="Only files whose path starts with this.")] = "",
    tests: WithTests = False,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show what frameworks call: routes with their handlers, commands, tasks, listeners and plugins."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.routes(pattern, kind=kind, framework=framework, path=path, tests=tests)
    show_listing("routes", lambda most: render.routes(answer, limit=most), as_json, limit, everything, routes=answer)


@app.command()
def cycles(
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show cycles of files that import each other."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.cycles()
    show_listing("cycles", lambda most: render.cycles(answer, limit=most), as_json, limit, everything, cycles=answer)


@app.command()
def hubs(
    tests: WithTests = False,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the definitions on which most of the code depends."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.hubs(sys.maxsize, tests=tests)
    show_listing(
        "hubs", lambda most: render.hubs(answer, limit=most), as_json, limit, everything, most=MAX_HUBS, hubs=answer
    )


@app.command()
def communities(
    tests: WithTests = False,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show groups of files that refer to each other more than to the rest."""
    with answering(db, no_update) as indexer:
        answer = indexer.graph.communities(tests=tests)
    show_listing(
        "communities",
        lambda most: render.communities(answer, limit=most),
        as_json,
        limit,
        everything,
        communities=answer,
    )


@app.command()
def graph(
    names: Annotated[list[str] | None, typer.Argument(help="Definitions to draw (default: all files).")] = None,
    form: Annotated[str, typer.Option("--format", help="Output format: dot, graphml, mermaid, json or svg.")] = "dot",
    to: Annotated[
        str, typer.Option("--to", help="Draw the paths to this definition, or what depends on this folder.")
    ] = "",
    folder: Annotated[
        str | None,
        typer.Option("--folder", help="Draw what depends on what in a folder (. for all).", show_default=False),
    ] = None,
    opened: Annotated[
        list[str] | None, typer.Option("--open", help="Open a fold of the picture, by its id. Repeatable.")
    ] = None,
    depth: Depth = 1,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Largest number of nodes.", min=1)] = 200,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Write the graph around definitions, of a folder or of all files, as a picture or for other programs."""
    with answering(db, no_update) as indexer:
        graphs = indexer.graph
        if not as_json:
            text = graphs.draw(
                names or (), form=form, to=to, folder=folder, opened=opened or (), depth=depth, limit=limit
            )
            text = render.clean(text)
        elif to or folder is not None or opened:
            picture = graphs.picture(names or (), to=to, folder=folder, opened=opened or (), depth=depth)
            text = render.to_json("graph", graph=picture)
        else:
            # `--json` writes the records, as every command does. `--format json` writes what networkx reads.
            text = render.to_json("graph", graph=graphs.export(names or (), depth=depth, limit=limit))
    show(text)
