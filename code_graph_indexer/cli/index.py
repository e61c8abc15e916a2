"""The commands `cgi index`, `verify`, `doctor`, `stats` and `export`: build, check, describe and export an index."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import (
    Db,
    Embedder,
    IndexFile,
    Json,
    MinConfidence,
    NoUpdate,
    answering,
    open_folder,
    open_indexes,
    show,
    warn,
)
from code_graph_indexer.errors import BusyError, EmptyIndexError, IndexFormatError, UsageError
from code_graph_indexer.extras import install_command
from code_graph_indexer.freshness import Freshness, FreshnessState
from code_graph_indexer.outside import home_folder, path_of
from code_graph_indexer.results import Progress, Symbol
from code_graph_indexer.storage.address import is_address
from code_graph_indexer.storage.local import sole_watcher

if TYPE_CHECKING:
    from code_graph_indexer.indexer import CodeIndexer

app = typer.Typer(rich_markup_mode=None)

WATCH_SECONDS = 60.0
"""Seconds without a change after which `cgi watch` looks at all files, because a watcher may lose a change."""

RANKED, MOST_CALLED, MAX_RANKED = 40, 3, 200_000
"""The first questions are about the most called of the definitions that rank highest, in an index of at most so many chunks."""

Root = Annotated[Path, typer.Argument(help="Folder of the repository.", show_default=".")]


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress, rate and remaining time on standard error.

    If standard error is not a terminal, the function shows nothing.
    """
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    # Rich takes long to load, and without a terminal nothing needs it.
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
    # Standard output stays free for the answer, which may be JSON.
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, object] = {}

        def show_progress(progress: Progress) -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bar.add_task(progress.stage, total=progress.total, rate="")
            task = next(row for row in bar.tasks if row.id == tasks[progress.stage])
            rate = f"{task.speed:,.1f}/s" if task.speed else ""
            bar.update(task.id, completed=progress.done, rate=rate)

        yield show_progress


def ask_about_home(root: Path) -> None:
    """Ask whether to index a folder that is the user's home, or contains it, such as `/`.

    Raises UsageError if nobody can answer.
    """
    folder, home = path_of(root).resolve(), home_folder()
    if home is None or not home.resolve().is_relative_to(folder):
        return
    what = f"{folder} is or contains your home folder, which is hardly one repository"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"{what}; give the folder of a repository, or index all of it: cgi index {folder} --yes")
    # Standard output stays free for the answer, which may be JSON.
    if not typer.confirm(f"{what}. Index all of it?", err=True):
        raise typer.Exit(UsageError.exit_code)


def first_questions(indexer: "CodeIndexer") -> list[str]:
    """Return questions to begin with, about functions on which much of the repository depends."""
    hubs = [hub for hub in indexer.graph.hubs(RANKED) if hub.symbol.kind in ("function", "method")]
    hubs.sort(key=lambda hub: hub.callers, reverse=True)
    names = list(filter(None, (own_name(indexer, hub.symbol) for hub in hubs[:MOST_CALLED])))
    questions = ("cgi callers {}", "cgi impact {}", 'cgi explore "{}"')
    return [question.format(name) for question, name in zip(questions, cycle(names), strict=False)]


def own_name(indexer: "CodeIndexer", symbol: Symbol) -> str:
    """Return the end of a qualified name that means this definition alone, as short as it can be, or else nothing."""
    parts = symbol.qualified_name.split(".")
    names = (".".join(parts[-length:]) for length in range(1, len(parts) + 1))
    return next((name for name in names if len(indexer.symbol(name)) == 1), "")


@app.command()
def index(
    root: Root = Path(),
    db: IndexFile = None,
    embedder: Embedder = None,
    full: Annotated[bool, typer.Option("--full", help="Build the whole index again instead of updating it.")] = False,
    workers: Annotated[
        int | None, typer.Option(help="Number of parse processes (default: one for each core).", min=1)
    ] = None,
    repo_id: Annotated[
        str | None, typer.Option(help="Name of the repository, which `search --repo-id` selects.")
    ] = None,
    scip: Annotated[
        list[Path] | None, typer.Option(help="Take exact references from this SCIP index (repeatable).")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Index a home folder or a folder around it without asking.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Index a repository, or update its index. An update reads only changed files."""
    if not yes:
        ask_about_home(root)
    server = db if is_address(db) else None
    file = None if server else db
    with open_folder(root, db=file, embedder=embedder, workers=workers, repo_id=repo_id) as indexer:
        with progress_bar() as report:
            # The bar is gone when the report below is printed.
            done = indexer.index(full=full, scip=scip or (), report=report)
            if server:
                indexer.publish(server, report=report)
        show(
            render.to_json("index", db=str(indexer.db), report=done)
            if as_json
            else render.report(done, str(indexer.db))
        )
        if sys.stdout.isatty() and not as_json and done.full and 0 < done.chunks <= MAX_RANKED:
            show(render.clean("\n".join(["", "Try:", *(f"  {command}" for command in first_questions(indexer))])))
    if done.why_empty:
        reasons = "\n  ".join(["no file could be parsed, so the index has no definitions:", *done.why_empty])
        raise EmptyIndexError(render.clean(reasons))


@app.command()
def watch(root: Root = Path(), as_json: Json = False) -> None:
    """Keep the index up to date while files change, until Ctrl-C. Prints a line for each update."""
    try:
        from code_graph_indexer.indexing.watch import Watcher
    except ImportError as exc:
        raise UsageError(f"watching needs a package; run: {install_command('mcp')}") from exc
    ask_about_home(root)
    with open_folder(root) as indexer:
        if not indexer.db.is_file():
            with progress_bar() as report:
                indexer.index(report=report)
        with sole_watcher(indexer.db), closing(Watcher(path_of(root), indexer.db, report=warn)) as watcher:
            indexer.watch_with(watcher)
            while True:
                freshness = brought_up_to_date(indexer)
                if freshness.paths:
                    show(render.to_json("watch", freshness=freshness) if as_json else render.updated(freshness))
                watcher.wait(WATCH_SECONDS)


def brought_up_to_date(indexer: "CodeIndexer") -> Freshness:
    """Write what changed on disk into an index, and return what that was."""
    try:
        with indexer.question() as freshness:
            if freshness.state in (FreshnessState.CURRENT, FreshnessState.UPDATED):
                return freshness
        return indexer.update()
    # Another process is at it. The next change, or the next look, finds what it left.
    except BusyError:
        return Freshness()
    # A build replaces an index that nobody can read, and says so.
    except IndexFormatError:
        for warning in indexer.index(full=True).warnings:
            warn(warning)
        return Freshness()


@app.command()
def verify(root: Root = Path(), db: IndexFile = None, as_json: Json = False) -> None:
    """Check that an index is sound and equals a fresh build of the repository. The exit code is 1 if not."""
    with open_folder(root, db=db) as indexer, progress_bar() as report:
        problems = indexer.verify(report=report)
    good = "sound, and equal to a fresh build"
    show(render.to_json("verify", problems=problems) if as_json else render.problems(problems, good=good))
    if problems:
        raise typer.Exit(1)


@app.command()
def doctor(db: Db = None, as_json: Json = False) -> None:
    """Check an index file without its repository. The exit code is 1 if something is wrong."""
    with open_indexes(db) as indexer:
        problems = indexer.doctor()
    good = "the index file is sound"
    show(render.to_json("doctor", problems=problems) if as_json else render.problems(problems, good=good))
    if problems:
        raise typer.Exit(1)


@app.command()
def stats(no_update: NoUpdate = False, db: Db = None, as_json: Json = False) -> None:
    """Show what an index contains: languages, chunks, edges, skipped files and why they were skipped."""
    with answering(db, no_update) as indexer:
        figures = indexer.stats()
    show(render.to_json("stats", **figures) if as_json else render.stats(figures))


@app.command()
def export(
    scip: Annotated[Path, typer.Option("--scip", help="SCIP index file to write.")],
    min_confidence: MinConfidence = 0.9,
    db: IndexFile = None,
    as_json: Json = False,
) -> None:
    """Write a SCIP index for other programs: all definitions, and the references that are sure enough."""
    with open_indexes([db]) if db else open_folder() as indexer, progress_bar() as report:
        done = indexer.graph.export_scip(scip, min_confidence=min_confidence, report=report)
    show(render.to_json("export", **asdict(done)) if as_json else render.exported(done))
