"""`cgi path`, `impact`, `hierarchy` and the other questions to the graph."""

from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Db, Depth, Json, MinConfidence, Name, Tests, open_index, show
from code_graph_indexer.graph import IMPACT_DEPTH, MAX_PATH_DEPTH

app = typer.Typer()

File = Annotated[str, typer.Argument(help="A file of the index, by the end of its path.")]
WithTests = Annotated[bool, typer.Option("--tests", help="Take tests in.")]


@app.command()
def path(
    source: Annotated[str, typer.Argument(help="Where the calls begin.")],
    target: Annotated[str, typer.Argument(help="Where they are to lead.")],
    depth: Depth = MAX_PATH_DEPTH,
    min_confidence: MinConfidence = 0.0,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the shortest ways along calls from one definition to another."""
    with open_index(db) as indexer:
        found = indexer.graph.paths(source, target, depth=depth, min_confidence=min_confidence)
    show(render.to_json("path", answer=found) if as_json else render.paths(found))


@app.command()
def impact(
    target: Annotated[str, typer.Argument(help="A symbol, or a file by the end of its path.")] = "",
    diff: Annotated[
        str, typer.Option("--diff", help="What git says has changed: REV..REV, or REV for since then.")
    ] = "",
    depth: Depth = IMPACT_DEPTH,
    min_confidence: MinConfidence = 0.0,
    tests: Tests = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show who is affected when a symbol, a file or what a git diff touches is changed, and which tests to run."""
    with open_index(db) as indexer:
        found = indexer.graph.impact(target, diff=diff, depth=depth, min_confidence=min_confidence, tests=tests)
    show(render.to_json("impact", answer=found) if as_json else render.impact(found, tests=tests))


@app.command()
def hierarchy(name: Name, depth: Depth = MAX_PATH_DEPTH, db: Db = None, as_json: Json = False) -> None:
    """Show the classes above and below a class."""
    with open_index(db) as indexer:
        found = indexer.graph.hierarchy(name, depth=depth)
    show(render.to_json("hierarchy", answer=found) if as_json else render.hierarchy(found))


@app.command()
def implementations(name: Name, db: Db = None, as_json: Json = False) -> None:
    """Show what implements or overrides a method, or the classes derived from a class or interface."""
    with open_index(db) as indexer:
        found = indexer.graph.implementations(name)
    shown = render.reach([found], direction="implementations")
    show(render.to_json("implementations", answer=found) if as_json else shown)


@app.command()
def imports(file: File, db: Db = None, as_json: Json = False) -> None:
    """Show what a file imports."""
    with open_index(db) as indexer:
        found = indexer.graph.imports(file)
    show(render.to_json("imports", answer=found) if as_json else render.file_links(found, direction="imports"))


@app.command()
def dependents(file: File, db: Db = None, as_json: Json = False) -> None:
    """Show the files that import a file."""
    with open_index(db) as indexer:
        found = indexer.graph.dependents(file)
    show(render.to_json("dependents", answer=found) if as_json else render.file_links(found, direction="dependents"))


@app.command()
def unused(
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", help="How sure it has to be.", min=0.0, max=1.0)
    ] = 0.5,
    tests: WithTests = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show definitions without a known reference, and how sure it is that they are not used."""
    with open_index(db) as indexer:
        found = indexer.graph.unused(min_confidence=min_confidence, tests=tests)
    show(render.to_json("unused", definitions=found) if as_json else render.unused(found))


@app.command()
def cycles(db: Db = None, as_json: Json = False) -> None:
    """Show cycles of files that import each other."""
    with open_index(db) as indexer:
        found = indexer.graph.cycles()
    show(render.to_json("cycles", cycles=found) if as_json else render.cycles(found))


@app.command()
def hubs(
    limit: Annotated[int, typer.Option("--limit", "-n", help="Definitions to show.", min=1)] = 20,
    tests: WithTests = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show the definitions that most depends on."""
    with open_index(db) as indexer:
        found = indexer.graph.hubs(limit, tests=tests)
    show(render.to_json("hubs", hubs=found) if as_json else render.hubs(found))


@app.command()
def communities(tests: WithTests = False, db: Db = None, as_json: Json = False) -> None:
    """Show groups of files that refer to each other more than to others."""
    with open_index(db) as indexer:
        found = indexer.graph.communities(tests=tests)
    show(render.to_json("communities", communities=found) if as_json else render.communities(found))


@app.command()
def graph(
    names: Annotated[
        list[str] | None, typer.Argument(help="Definitions to draw; all files when there is none.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="dot, graphml, mermaid or json.")] = "dot",
    depth: Depth = 1,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Nodes at most.", min=1)] = 200,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Write the graph around definitions, or of all files, for other programs."""
    with open_index(db) as indexer:
        if as_json:
            text = render.to_json("graph", graph=indexer.graph.export(names or (), depth=depth, limit=limit))
        else:
            text = render.clean(indexer.graph.draw(names or (), form=form, depth=depth, limit=limit))
    show(text)
