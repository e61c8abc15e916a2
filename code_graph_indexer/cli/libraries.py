"""The commands `cgi libraries` and `cgi libraries add`: the packages behind the imports of a repository."""

from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Db, Everything, Json, Limit, NoUpdate, answering, show, show_listing
from code_graph_indexer.indexing.memory import worker_count
from code_graph_indexer.libraries import Repository, cache_of
from code_graph_indexer.outside import path_of
from code_graph_indexer.settings import load_settings

app = typer.Typer(
    rich_markup_mode=None,
    name="libraries",
    invoke_without_command=True,
    help="List the packages that the repository uses and declares: versions, uses, and which are on this machine and indexed.",
)

Environment = Annotated[
    list[str] | None,
    typer.Option(
        "--environment",
        help="Virtual environment of Python (repeatable; default: .venv, venv and env in the repository).",
        show_default=False,
    ),
]


@app.callback()
def libraries(
    context: typer.Context,
    environment: Environment = None,
    limit: Limit = None,
    everything: Everything = False,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """List the packages that the repository uses and declares: versions, uses, and which are on this machine and indexed."""
    if context.invoked_subcommand is not None:
        return
    with answering(db, no_update) as indexer:
        repository = Repository(indexer.store, indexer.folders, map(path_of, environment or ()))
        rows = repository.libraries(cache_of(load_settings()))
    show_listing(
        "libraries", lambda most: render.libraries(rows, limit=most), as_json, limit, everything, libraries=rows
    )


@app.command()
def add(
    names: Annotated[
        list[str] | None, typer.Argument(help="Packages (default: all that are declared or used).")
    ] = None,
    all_installed: Annotated[
        bool, typer.Option("--installed", help="Index all installed packages, also those that others need.")
    ] = False,
    environment: Environment = None,
    workers: Annotated[int, typer.Option("--workers", help="Number of processes (0: one for each core).", min=0)] = 0,
    no_update: NoUpdate = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Index the packages of the repository that are on this machine, each once. Nothing is downloaded or run."""
    settings = load_settings(workers=workers or None)
    cache = cache_of(settings)
    with answering(db, no_update) as indexer:
        repository = Repository(indexer.store, indexer.folders, map(path_of, environment or ()))
    packages = repository.chosen(names or (), everything=all_installed)
    failed: dict[str, str] = {}
    built = 0
    for package, is_new, why in cache.add_all(packages, worker_count(settings)):
        built += is_new
        if why:
            failed[f"{package.name} {package.version}"] = why
            typer.echo(render.clean(f"cgi: {why}"), err=True)
    if as_json:
        show(render.to_json("libraries add", indexed=built, failed=failed, folder=str(cache.folder)))
    else:
        show(
            f"indexed {built:,} of {len(packages):,} packages in {cache.folder}; "
            f"{len(packages) - built - len(failed):,} were there, {len(failed):,} have no index"
        )
