"""`cgi index`, `cgi verify`, `cgi doctor`, `cgi stats`: make an index, and see that it is sound."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Db, Embedder, Json, MinConfidence, open_index, show
from code_graph_indexer.indexer import CodeIndexer
from code_graph_indexer.results import Progress

app = typer.Typer()

Root = Annotated[Path, typer.Argument(help="Folder of the repository.", show_default=".")]


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Show progress with rate and remaining time on standard error; nothing when that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description:<8}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, object] = {}

        def show_progress(progress: Progress) -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bar.add_task(progress.stage, total=progress.total, rate="")
            task = next(one for one in bar.tasks if one.id == tasks[progress.stage])
            rate = f"{task.speed:,.0f} files/s" if task.speed else ""
            bar.update(task.id, completed=progress.done, rate=rate)

        yield show_progress


@app.command()
def index(
    root: Root = Path(),
    db: Db = None,
    embedder: Embedder = None,
    full: Annotated[bool, typer.Option("--full", help="Build anew, even if the index could be updated.")] = False,
    workers: Annotated[int | None, typer.Option(help="Parse processes (default: one a core).", min=1)] = None,
    repo_id: Annotated[str | None, typer.Option(help="Name of the repository, for --repo-id of search.")] = None,
    scip: Annotated[
        list[Path] | None, typer.Option(help="SCIP index whose exact references are taken over; repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Index a repository, or bring its index up to date: only what changed is read again."""
    with CodeIndexer(root, db=db, embedder=embedder, workers=workers, repo_id=repo_id) as indexer:
        with progress_bar() as report:
            done = indexer.index(full=full, scip=scip or (), report=report)
        show(
            render.to_json("index", db=str(indexer.db), report=done)
            if as_json
            else render.report(done, str(indexer.db))
        )


@app.command()
def verify(root: Root = Path(), db: Db = None, as_json: Json = False) -> None:
    """Check that an index is sound and equals a fresh build of the repository; exit code 1 when not."""
    with CodeIndexer(root, db=db) as indexer, progress_bar() as report:
        found = indexer.verify(report=report)
    good = "sound, and equal to a fresh build"
    show(render.to_json("verify", problems=found) if as_json else render.problems(found, good=good))
    if found:
        raise typer.Exit(1)


@app.command()
def doctor(db: Db = None, as_json: Json = False) -> None:
    """Check an index file without its repository; exit code 1 when something is wrong."""
    with open_index(db) as indexer:
        found = indexer.doctor()
    show(
        render.to_json("doctor", problems=found) if as_json else render.problems(found, good="the index file is sound")
    )
    if found:
        raise typer.Exit(1)


@app.command()
def stats(db: Db = None, as_json: Json = False) -> None:
    """Say what is in an index: languages, chunks, edges, what was skipped and why."""
    with open_index(db) as indexer:
        found = indexer.stats()
    show(render.to_json("stats", **found) if as_json else render.stats(found))


@app.command()
def export(
    scip: Annotated[Path, typer.Option("--scip", help="SCIP index to write.")],
    min_confidence: MinConfidence = 0.9,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Write the definitions and the sure references of an index as a SCIP index, for other programs."""
    with open_index(db) as indexer, progress_bar() as report:
        done = indexer.graph.export_scip(scip, min_confidence=min_confidence, report=report)
    show(render.to_json("export", **asdict(done)) if as_json else render.exported(done))
