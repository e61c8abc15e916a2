"""Say what a client needs to start the server, and write it into the file of the client if a user asks for that."""

import json
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from code_graph_indexer.errors import UsageError
from code_graph_indexer.outside import path_of

COMMAND = "cgi"

ABSOLUTE = "absolute"
"""The mark of a client that starts its servers in no folder of the user."""

JSON, TOML = "json", "toml"


@cache
def clients() -> Mapping[str, Mapping[str, Any]]:
    """Return the entries of clients.toml, by the name of the client."""
    return tomllib.loads(files(__package__).joinpath("clients.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Setup:
    """What a client needs: `snippet` in the file at `path`, which `place` names for people."""

    title: str
    place: str
    path: Path
    form: str
    snippet: str

    @property
    def text(self) -> str:
        """What to put into which file."""
        return f"{self.title}: add this to {self.place}\n\n{self.snippet}"

    def write(self) -> None:
        """Write the entry of the server into the file of the client. All else in the file stays.

        Raises UsageError for a file that cannot be read as what it should be, and for one behind a link.
        """
        # A repository that a stranger wrote may bring the file, as a link to another one.
        if self.path.is_symlink() or self.path.parent.is_symlink():
            raise UsageError(f"{self.path} is or lies behind a link; add this to it by hand:\n\n{self.snippet}")
        try:
            before = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
            after = (_with_table if self.form == TOML else _with_entry)(before, self.snippet)
        # The errors of JSON and TOML are of this kind. Some clients allow comments in JSON.
        except (ValueError, OSError) as exc:
            raise UsageError(f"{self.path} cannot be read ({exc}); add this to it by hand:\n\n{self.snippet}") from exc
        if after == before:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_name(f"{self.path.name}.cgi-new")
        new.write_text(after, encoding="utf-8")
        if before:
            shutil.copymode(self.path, new)
        new.replace(self.path)


def setup_of(client: str, folder: Path) -> Setup:
    """Return what a client needs to start the server for a folder.

    Raises UsageError for a client that is not known.

    Example:
        >>> from pathlib import Path
        >>> from code_graph_indexer.mcp.clients import setup_of
        >>> setup_of("codex", Path("shop")).snippet.splitlines()[-1]
        'args = ["mcp"]'
    """
    if client not in clients():
        close = get_close_matches(client.lower(), clients(), n=1)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise UsageError(f"there is no client {client!r}. {hint}Known are: {', '.join(clients())}")
    entry = clients()[client]
    place = str(folder.absolute()) if entry["folder"] == ABSOLUTE else entry["folder"]
    command = _command()
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
    form = entry.get("format", JSON)
    if form == JSON:
        snippet = json.dumps(json.loads(snippet), indent=2, ensure_ascii=False)
    path = entry["path"]
    if isinstance(path, Mapping):
        path = path.get(sys.platform, path["linux"])
    return Setup(entry["title"], file, path_of(path if path.startswith("~") else folder / path), form, snippet)


def _with_entry(before: str, snippet: str) -> str:
    """Return a JSON file with the entry of the server in its object of servers."""
    settings: dict[str, Any] = json.loads(before or "{}")
    for group, servers in json.loads(snippet).items():
        settings.setdefault(group, {}).update(servers)
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _with_table(before: str, snippet: str) -> str:
    """Return a TOML file with the table of the server at its end. Raises ValueError if it has another such table."""
    settings, addition = tomllib.loads(before), tomllib.loads(snippet)
    for group, servers in addition.items():
        for name, server in servers.items():
            if settings.get(group, {}).get(name, server) != server:
                raise ValueError(f"it has another table {group}.{name}")
            if name in settings.get(group, {}):
                return before
    return f"{before.rstrip()}\n\n{snippet}\n".lstrip()


def _command() -> str:
    """Return the full path of this program. A client may start it where no shell has set `PATH`."""
    own = shutil.which(COMMAND, path=str(Path(sys.executable).parent)) or sys.argv[0]
    return str(Path(own).absolute())
