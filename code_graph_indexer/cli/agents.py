"""The command `cgi mcp`: the server for agents."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from code_graph_indexer.cli.common import server_address, show
from code_graph_indexer.errors import UsageError
from code_graph_indexer.extras import install_command
from code_graph_indexer.mcp.clients import setup_of
from code_graph_indexer.storage.address import Address

DEFAULT_PORT = 8765
"""The port of `cgi mcp --http`, which no other known server has."""

app = typer.Typer(rich_markup_mode=None)


@app.command()
def mcp(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders of repositories (default: CGI_ROOT, CLAUDE_PROJECT_DIR or the current folder)."),
    ] = None,
    db: Annotated[
        str,
        typer.Option(
            "--db",
            help="Address of a database server with published indexes, in place of folders: postgresql://user@host/database.",
        ),
    ] = "",
    http: Annotated[bool, typer.Option("--http", help="Serve HTTP on the loopback interface, not stdio.")] = False,
    port: Annotated[int, typer.Option(help="Port of --http.", min=1, max=65_535)] = DEFAULT_PORT,
    setup: Annotated[
        str,
        typer.Option(
            "--setup",
            metavar="CLIENT",
            help="Print what to put into which file of a client, such as claude-code, cursor or vscode.",
        ),
    ] = "",
    write: Annotated[
        bool, typer.Option("--write", help="With --setup: ask, then write it into the file. What is there stays.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --write: do not ask.")] = False,
) -> None:
    """Serve agents over the Model Context Protocol: the tools explore and impact."""
    if setup:
        wanted = setup_of(setup, (folders or [Path.cwd()])[0])
        show(wanted.text)
        if find_spec("mcp") is None:
            typer.echo(f"\nThe server needs the package mcp; run: {install_command('mcp')}", err=True)
        if write:
            if not yes and not sys.stdin.isatty():
                raise UsageError("nobody can be asked whether to write; add --yes")
            if yes or typer.confirm(f"Write this into {wanted.path}?", err=True):
                wanted.write()
                show(f"\nwritten to {wanted.path}")
        return
    if write:
        raise UsageError("--write goes with --setup CLIENT")
    if db and folders:
        raise UsageError("give folders or --db, not both")
    try:
        from code_graph_indexer.mcp import repositories, server
    except ImportError as exc:
        raise UsageError(f"the server for agents needs the package mcp; run: {install_command('mcp')}") from exc
    address = Address.of(server_address(db, "--db")) if db else None
    served = repositories.Repositories(folders or [], address=address)
    if http:
        server.serve_http(served, port=port)
    else:
        server.serve(served)
