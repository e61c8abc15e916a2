"""The commands `cgi path`, `impact`, `hierarchy` and the other questions to the graph."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

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
from code_graph_indexer.cli.listing import Listing, listing
from code_graph_indexer.doors import late_module
from code_graph_indexer.graph.walk import MAX_PATH_DEPTH
from code_graph_indexer.index import Index
from code_graph_indexer.results import IMPACT_DEPTH
from code_graph_indexer.settings import load_settings

# Late, because no other question needs the write path.
if TYPE_CHECKING:
    from code_graph_indexer import libraries
else:
    libraries = late_module("code_graph_indexer.libraries")

app = typer.Typer(rich_markup_mode=None)

File = Annotated[str, typer.Argument(help="Path of an indexed file, or the end of its path.")]
WithTests = Annotated[bool, typer.Option("--tests", help="Include tests.")]

MAX_HUBS = 20
"""The most hubs without `--limit` and `--all`. Few definitions are hubs, and all have a rank."""


@listing(app)
def path(
    indexer: Index,
    source: Annotated[str, typer.Argument(help="The definition where the path begins.")],
    target: Annotated[str, typer.Argument(help="The definition where the path ends.")],
    depth: Depth = MAX_PATH_DEPTH,
    min_confidence: MinConfidence = 0.0,
) -> Listing:
    """Show the shortest call paths from one definition to another."""
    answer = indexer.graph.paths(source, target, depth=depth, min_confidence=min_confidence)
    return Listing(partial(render.paths, answer), found=answer.paths, answer=answer)


@app.command()
def impact(
    target: Annotated[str, typer.Argument(help="A symbol, or the path of a file or its end.")] = "",
    diff: Annotated[
        str,
        typer.Option("--diff", help="Take the changes from git: REV..REV, or REV to compare with the working tree."),
    ] = "",
    upgrade: Annotated[
        str,
        typer.Option(
            "--upgrade",
            metavar="PACKAGE=VERSION",
            help="Show what another version of a package breaks, in Markdown: requests=2.33.0, requests=OLD..NEW, or with a "
            "wheel, archive or folder in place of a version. The exit code is 1 if a use breaks for certain or likely.",
        ),
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
        if upgrade:
            repository = libraries.Repository(indexer.store, indexer.folders)
            broken = repository.upgrade(upgrade, libraries.cache_of(load_settings()))
            show_listing(
                "impact", lambda most: render.upgrade(broken, limit=most), as_json, limit, everything, upgrade=broken
            )
            if not broken.is_safe:
                raise typer.Exit(1)
            return
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


@listing(app)
def hierarchy(indexer: Index, name: Name, depth: Depth = MAX_PATH_DEPTH) -> Listing:
    """Show the classes above and below a class."""
    answer = indexer.graph.hierarchy(name, depth=depth)
    return Listing(
        partial(render.hierarchy, answer), found=answer.bases or answer.derived or answer.outside, answer=answer
    )


@listing(app)
def implementations(indexer: Index, name: Name) -> Listing:
    """Show the methods that implement or override a method, or the classes derived from a class or interface."""
    answer = indexer.graph.implementations(name)
    return Listing(partial(render.reach, [answer], direction="implementations"), found=answer.steps, answer=answer)


@listing(app)
def imports(indexer: Index, file: File) -> Listing:
    """Show what a file imports."""
    answer = indexer.graph.imports(file)
    return Listing(
        partial(render.file_links, answer, direction="imports"), found=answer.files or answer.outside, answer=answer
    )


@listing(app)
def dependents(indexer: Index, file: File) -> Listing:
    """Show the files that import a file."""
    answer = indexer.graph.dependents(file)
    return Listing(partial(render.file_links, answer, direction="dependents"), found=answer.files, answer=answer)


@listing(app)
def unused(
    indexer: Index,
    min_confidence: Annotated[
        float,
        typer.Option(
            "--min-confidence", help="Show only definitions that are at least this surely unused.", min=0.0, max=1.0
        ),
    ] = 0.5,
    tests: WithTests = False,
) -> Listing:
    """Show definitions without a known reference, and how certain it is that each is unused."""
    answer = indexer.graph.unused(min_confidence=min_confidence, tests=tests)
    return Listing(partial(render.unused, answer), found=answer, definitions=answer)


@listing(app)
def routes(
    indexer: Index,
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
) -> Listing:
    """Show what frameworks call: routes with their handlers, commands, tasks, listeners and plugins."""
    answer = indexer.graph.routes(pattern, kind=kind, framework=framework, path=path, tests=tests)
    return Listing(partial(render.routes, answer), found=answer, routes=answer)


@listing(app)
def cycles(indexer: Index) -> Listing:
    """Show cycles of files that import each other."""
    answer = indexer.graph.cycles()
    return Listing(partial(render.cycles, answer), found=answer, cycles=answer)


@listing(app)
def hubs(indexer: Index, tests: WithTests = False) -> Listing:
    """Show the definitions on which most of the code depends."""
    answer = indexer.graph.hubs(sys.maxsize, tests=tests)
    return Listing(partial(render.hubs, answer), found=answer, most=MAX_HUBS, hubs=answer)


@listing(app)
def communities(indexer: Index, tests: WithTests = False) -> Listing:
    """Show groups of files that refer to each other more than to the rest."""
    answer = indexer.graph.communities(tests=tests)
    return Listing(partial(render.communities, answer), found=answer, communities=answer)


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
