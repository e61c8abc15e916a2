"""The command `cgi web`: the local page for people."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from code_graph_indexer.cli.common import Db, open_folder, open_indexes
from code_graph_indexer.errors import UsageError
from code_graph_indexer.extras import install_command

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8766
"""Where `cgi web` serves: on this machine only, at a port beside that of `cgi mcp --http`."""

app = typer.Typer(rich_markup_mode=None)


@app.command()
def web(
    root: Annotated[
        Path | None,
        typer.Argument(
            help="Folder of an indexed repository (default: the current folder or one above it).", show_default=False
        ),
    ] = None,
    db: Db = None,
    host: Annotated[
        str, typer.Option(help="Address to serve at. Any but 127.0.0.1 shows your code to other machines.")
    ] = DEFAULT_HOST,
    port: Annotated[int, typer.Option(help="Port to serve at.", min=1, max=65_535)] = DEFAULT_PORT,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", help="Host name by which a proxy reaches the server. Give it once for each name."),
    ] = None,
    prefix: Annotated[
        str,
        typer.Option(help="Path below which a proxy shows the server, such as /code. It passes the path on as it is."),
    ] = "",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
) -> None:
    """Serve a local page on which you look around in the code: search, read, follow calls, see what a change breaks."""
    if root is not None and len(db or ()) > 1:
        raise UsageError("give either the folder of a repository, or several indexes with --db")
    with open_indexes(db) if root is None else open_folder(root, db=db[0] if db else None) as indexer:
        # Without an index there is nothing to show, and the error says what to do.
        _ = indexer.store
        try:
            from code_graph_indexer.web.server import serve
        except ImportError as exc:
            raise UsageError(f"the page needs packages that are not installed; run: {install_command('web')}") from exc

        def ready(url: str) -> None:
            typer.echo(f"{url} (Ctrl-C ends it)", err=True)
            if open_page:
                webbrowser.open(url)

        serve(indexer, host=host, port=port, names=names or (), prefix=prefix, ready=ready)
