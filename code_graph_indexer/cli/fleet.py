"""The commands of `cgi fleet`: many repositories, indexed by workers into PostgreSQL."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Json, server_address, show
from code_graph_indexer.errors import UsageError
from code_graph_indexer.extras import install_command
from code_graph_indexer.outside import number_of, path_of
from code_graph_indexer.settings import Settings, load_settings

if TYPE_CHECKING:
    from code_graph_indexer.team.fleet import Fleet, FleetStatus, RunReport, WorkerOptions

app = typer.Typer(
    rich_markup_mode=None,
    name="fleet",
    help="Keep many repositories indexed in PostgreSQL, with as many workers as you start.",
    no_args_is_help=True,
)

MIB = 1024 * 1024

MOST_BEAT_SECONDS, BEATS = 10.0, 4
"""The longest time between two signs of life of a run, and how many fit into the time after which it counts as lost."""

MOST_TICK_SECONDS = 30
"""The longest time between two looks at what is due or lost, in seconds."""

COMMIT_LENGTH = 10
"""The characters of a commit that are shown."""

UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))

Database = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help="PostgreSQL database (default: CGI_DB).", show_default=False),
]


@contextmanager
def opened(db: str | None) -> "Iterator[tuple[Fleet, Settings]]":
    """Open the fleet of a database."""
    settings = load_settings(db=server_address(db or "", "--db"))
    try:
        # Here, because the queue takes long to load, and no question needs it.
        from code_graph_indexer.team.fleet import Fleet, UnavailableError
    except ImportError as exc:
        raise UsageError(f"the fleet needs two packages; run: {install_command('fleet')}") from exc
    try:
        yield Fleet(settings.db), settings
    except UnavailableError as exc:
        raise UsageError(f"the database of the fleet does not answer: {exc}") from exc


@app.command("init")
def init(db: Database = None, as_json: Json = False) -> None:
    """Create what the fleet needs in the database. `cgi fleet add` does so too."""
    with opened(db) as (fleet, _):
        fleet.init()
    show(render.to_json("fleet init", done=True) if as_json else "the database is ready")


@app.command()
def add(
    sources: Annotated[
        list[str], typer.Argument(help="URLs or folders of git repositories, or - to read them from stdin.")
    ],
    name: Annotated[str, typer.Option("--name", help="Name of the repository (default: the end of its URL).")] = "",
    branch: Annotated[
        list[str] | None,
        typer.Option("--branch", help="Index these branches too, such as 'release/*', as NAME@BRANCH (repeatable)."),
    ] = None,
    schedule: Annotated[
        str, typer.Option("--schedule", help="When to look for new commits: 30m, 6h, 1d, cron text, or never.")
    ] = "1h",
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Add repositories to the fleet, or change those that are there. Workers index them soon."""
    texts = [text for source in sources for text in (_lines() if source == "-" else [source])]
    with opened(db) as (fleet, _):
        names = fleet.add(texts, name=name, branches=branch or (), schedule=schedule)
    _list_names("fleet add", names, as_json, "added")


@app.command()
def remove(
    names: Annotated[list[str], typer.Argument(help="Names of repositories of the fleet.")],
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Remove repositories and their branches from the fleet, with what is published of them."""
    with opened(db) as (fleet, _):
        removed = fleet.remove(names)
    _list_names("fleet remove", removed, as_json, "removed")


@app.command()
def retry(
    names: Annotated[list[str] | None, typer.Argument(help="Repositories (default: all).")] = None,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Look at repositories now, also at those in quarantine, whose failures are forgotten."""
    with opened(db) as (fleet, _):
        chosen = fleet.retry(names or ())
    _list_names("fleet retry", chosen, as_json, "to be tried again")


@app.command()
def status(
    state: Annotated[
        str, typer.Option("--state", help="Only repositories in this state: waiting, running, indexed, quarantined, ….")
    ] = "",
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Show the repositories, the queue, and the workers that are alive."""
    with opened(db) as (fleet, _):
        answer = fleet.status()
    show(render.to_json("fleet status", status=answer) if as_json else status_text(answer, state))


@app.command()
def run(
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", help="Number of repositories at a time.", min=1, max=64)
    ] = 1,
    once: Annotated[bool, typer.Option("--once", help="Stop as soon as the queue is empty.")] = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", help="Number of parse processes of a run (default: cores / concurrency).", min=1),
    ] = None,
    cache: Annotated[
        Path | None, typer.Option("--cache", help="Folder for checkouts and indexes (default: CGI_FLEET_CACHE).")
    ] = None,
    webhook: Annotated[
        str,
        typer.Option("--webhook", metavar="[HOST:]PORT", help="Listen for pushes too, signed with CGI_FLEET_SECRET."),
    ] = "",
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Run a worker until Ctrl-C: it indexes and publishes repositories from the queue. Start as many as you like."""
    with opened(db) as (fleet, settings):
        from code_graph_indexer.team.fleet import Webhook, Worker

        fleet.init()
        options = _options(settings, concurrency, workers, cache, once=once)
        if webhook:
            host, port = _address(webhook)
            server = Webhook(host, port, settings.fleet_secret, fleet.push)
            server.start()
            _say(f"listening for pushes on {host}:{server.port}")
        with _progress(as_json) as report:
            Worker(settings.db, options, report=report, warn=_say).run()


def _options(
    settings: Settings, concurrency: int, workers: int | None, cache: Path | None, *, once: bool
) -> "WorkerOptions":
    """Return the options of a worker, from the settings and the command line. Make its cache folder."""
    from code_graph_indexer.team.fleet import Limits, WorkerOptions

    folder = path_of(cache or settings.fleet_cache)
    folder.mkdir(parents=True, exist_ok=True)
    return WorkerOptions(
        cache=folder,
        limits=Limits(settings.fleet_seconds, settings.fleet_memory * MIB, settings.fleet_disk * MIB),
        concurrency=concurrency,
        parsers=workers or max(1, (os.cpu_count() or 1) // concurrency),
        depth=settings.fleet_depth,
        max_failures=settings.fleet_failures,
        beat_seconds=min(MOST_BEAT_SECONDS, settings.fleet_lost / BEATS),
        lost_seconds=settings.fleet_lost,
        tick_seconds=max(1, min(MOST_TICK_SECONDS, int(settings.fleet_lost))),
        look_seconds=min(settings.fleet_look, settings.fleet_seconds),
        grace_seconds=settings.fleet_grace,
        once=once,
    )


def _address(text: str) -> tuple[str, int]:
    """Read an address to listen on. Without a host it is the loopback interface."""
    host, _, port = text.rpartition(":")
    number = number_of(port)
    if number is None or number > 65_535:
        raise UsageError(f"{text!r} is no address to listen on; give a port or host:port, such as 127.0.0.1:8766")
    return host.strip("[]") or "127.0.0.1", number


def _lines() -> list[str]:
    """Return the lines of the standard input, without blank ones and comments (`#`)."""
    return [text for line in sys.stdin if (text := line.strip()) and not text.startswith("#")]


def _say(sentence: str) -> None:
    typer.echo(f"cgi: {render.clean(sentence)}", err=True)


def _list_names(command: str, names: Sequence[str], as_json: bool, what: str) -> None:
    show(render.to_json(command, repositories=names) if as_json else names_text(names, what))


@contextmanager
def _progress(as_json: bool) -> "Iterator[Callable[[RunReport], None]]":
    """Yield a function that shows the steps of a worker: bars on a terminal, else a line for the end of each run."""

    def show_end(report: "RunReport") -> None:
        if report.result is not None:
            show(render.to_json("fleet run", run=report) if as_json else run_text(report))

    if as_json or not sys.stderr.isatty():
        yield show_end
        return
    # Rich takes long to load, and without a terminal nothing needs it.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        TextColumn("{task.fields[stage]:<8}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bar:

        def show_step(report: "RunReport") -> None:
            task = next((row for row in bar.tasks if row.fields["repo_id"] == report.repo_id), None)
            if report.result is not None:
                if task is not None:
                    bar.remove_task(task.id)
                console.print(run_text(report), markup=False, highlight=False)
                return
            total = report.total or None
            if task is None:
                name = render.clean(report.repo_id)
                bar.add_task(name, total=total, stage=report.stage, repo_id=report.repo_id)
            else:
                bar.update(task.id, stage=report.stage, completed=report.done, total=total)

        yield show_step


def names_text(names: Sequence[str], what: str) -> str:
    """Return the names of repositories, and what happened to them."""
    if len(names) == 1:
        return render.clean(f"{names[0]}: {what}")
    return "\n".join([f"{len(names):,} repositories {what}", *(render.clean(f"  {name}") for name in names)])


def run_text(report: "RunReport") -> str:
    """Return a line on the end of a run of the fleet."""
    result = report.result
    if result is None:
        return render.clean(f"{report.repo_id}: {report.stage}")
    words = [f"{report.repo_id}: {result.outcome}", result.commit_id[:COMMIT_LENGTH], f"in {report.seconds:.1f} s"]
    if result.files is not None:
        words.append(f"({result.files:,} files, {result.chunks:,} chunks)")
    return render.clean(" ".join(filter(None, words)) + (f": {result.error}" if result.error else ""))


def status_text(status: "FleetStatus", state: str = "") -> str:
    """Return the repositories of the fleet as a table, and its queue and workers. `state` selects repositories."""
    now = datetime.now(UTC)
    rows = [("repository", "state", "commit", "looked", "next", "error")]
    for repository in status.repositories:
        if state in ("", repository.state):
            # An unset time is never in the future: the repository waits for its first look.
            looked = _duration((now - repository.checked).total_seconds()) if repository.checked else "never"
            wait = _duration((repository.due - now).total_seconds()) if repository.due else "-"
            shown = repository.stage if repository.state == "running" else repository.state
            commit = repository.commit_id[:COMMIT_LENGTH]
            rows.append((repository.repo_id, shown, commit, looked, wait, repository.reason))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
    states = Counter(repository.state for repository in status.repositories)
    lines += [
        "",
        f"{len(status.repositories):,} repositories: {render.counts(states)}",
        f"queue: {status.queue.get('todo', 0):,} waiting, {status.queue.get('doing', 0):,} taken; workers: {status.workers:,}",
        f"last hour: {render.counts(status.last_hour)}",
    ]
    return render.clean("\n".join(lines))


def _duration(seconds: float) -> str:
    """Return a time span in its largest unit. One that is over is `now`."""
    return next((f"{int(seconds // size)} {unit}" for size, unit in UNITS if seconds >= size), "now")
