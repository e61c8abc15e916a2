"""Print the settings that a client needs to start the server. No file of a client is ever written."""

import json
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path

from code_graph_indexer.errors import UsageError

COMMAND = "cgi"

ABSOLUTE = "absolute"
"""The mark of a client that starts its servers in no folder of the user."""


@cache
def clients() -> Mapping[str, Mapping[str, str]]:
    """Return the entries of clients.toml, by the name of the client."""
    return tomllib.loads(files(__package__).joinpath("clients.toml").read_text(encoding="utf-8"))


def setup_text(client: str, folder: Path) -> str:
    """Return what to put into which file so that a client starts the server for a folder.

    Raises UsageError for a client that is not known.

    Example:
        >>> from pathlib import Path
        >>> from code_graph_indexer.mcp.clients import setup_text
        >>> setup_text("codex", Path("shop")).splitlines()[-1]
        'args = ["mcp"]'
    """
    if client not in clients():
        close = get_close_matches(client.lower(), clients(), n=1)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise UsageError(f"there is no client {client!r}. {hint}Known are: {', '.join(clients())}")
    entry = clients()[client]
    place = str(folder.absolute()) if entry["folder"] == ABSOLUTE else entry["folder"]
    command = _command(absolute=entry["folder"] == ABSOLUTE)
    arguments = ["mcp", *([place] if place else [])]
    texts = {
        "@COMMAND@": json.dumps(command),
        "@ARGS@": json.dumps(arguments),
        "@LIST@": json.dumps([command, *arguments]),
        "@SHELL@": shlex.join([command, *arguments]),
    }
    file, snippet = entry["file"], entry["snippet"].strip()
    for mark, text in texts.items():
        file, snippet = file.replace(mark, text), snippet.replace(mark, text)
    if entry.get("format", "json") == "json":
        snippet = json.dumps(json.loads(snippet), indent=2, ensure_ascii=False)
    return f"{entry['title']}: add this to {file}\n\n{snippet}"


def _command(*, absolute: bool) -> str:
    """Return the command that starts this program: its name, if a shell finds this installation by it, or else its path."""
    own = shutil.which(COMMAND, path=str(Path(sys.executable).parent)) or sys.argv[0]
    by_name = shutil.which(COMMAND)
    is_own = by_name is not None and Path(by_name).resolve() == Path(own).resolve()
    return COMMAND if is_own and not absolute else str(Path(own).absolute())
