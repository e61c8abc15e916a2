"""The commands `cgi publish`, `pull`, `repositories` and `unpublish`: share indexes through a database server."""

from pathlib import Path
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Json, open_folder, server_address, show
from code_graph_indexer.cli.index import progress_bar
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.outside import path_of
from code_graph_indexer.storage import DEFAULT_PLACE, servers
from code_graph_indexer.storage.address import is_address

app = typer.Typer(rich_markup_mode=None)

ADDRESS = "Address of the server, such as postgresql://user@host/database (default: CGI_DB)."

To = Annotated[str, typer.Option("--db", "--to", help=ADDRESS, show_default=False)]
From = Annotated[str, typer.Option("--db", "--from", help=ADDRESS, show_default=False)]
Name = Annotated[str, typer.Argument(help="Name of the repository on the server.")]


@app.command()
def publish(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="Index file (default: .cgi/index.db in this folder or a folder above it).", show_default=False
        ),
    ] = None,
    to: To = "",
    repo_id: Annotated[
        str | None,
        typer.Option(help="Name of the repository on the server (default: that of the index, else of its folder)."),
    ] = None,
    settle: Annotated[
        bool, typer.Option("--settle", help="Also bring the index of nearest vectors up to date, which takes longer.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write an index to a database server, in place of the one there. Only what differs is sent."""
    address = server_address(to, "--db")
    with open_folder(db=file, update=False) as indexer, progress_bar() as report:
        done = indexer.publish(address, repo_id=repo_id, report=report)
        if settle:
            servers().settle_vectors(address, report=report)
    show(render.to_json("publish", publication=done) if as_json else render.published(done))


@app.command()
def pull(
    name: Name,
    source: Annotated[list[str] | None, typer.Option("--db", "--from", help=ADDRESS, show_default=False)] = None,
    to: Annotated[
        Path, typer.Option("--to", help="Index file to write.", show_default=str(DEFAULT_PLACE))
    ] = DEFAULT_PLACE,
    as_json: Json = False,
) -> None:
    """Write a published index into a file, which gives the same answers."""
    # Before 0.3, `--from` was the server and `--db` the file.
    addresses = [place for place in source or () if is_address(place)]
    file = next((Path(place) for place in source or () if not is_address(place)), to)
    address = server_address(addresses[0] if addresses else "", "--db")
    with progress_bar() as report:
        done = servers().pull_index(address, path_of(file), repo_id=name, report=report)
    show(render.to_json("pull", publication=done, db=str(file)) if as_json else render.pulled(done, str(file)))


@app.command()
def repositories(source: From = "", as_json: Json = False) -> None:
    """List the repositories that are published to a database server."""
    rows = servers().published_repositories(server_address(source, "--db"))
    show(render.to_json("repositories", repositories=rows) if as_json else render.repositories(rows))


@app.command()
def unpublish(name: Name, source: From = "", as_json: Json = False) -> None:
    """Remove a repository from a database server. Index files stay as they are."""
    address = server_address(source, "--db")
    if not servers().remove_repository(address, name):
        published = ", ".join(row.repo_id for row in servers().published_repositories(address)[:10])
        raise NotInIndexError(f"there is no repository {name!r} to remove; published: {published or 'none'}")
    show(render.to_json("unpublish", repo_id=name) if as_json else f"removed {render.clean(name)}")
