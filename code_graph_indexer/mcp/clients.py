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
from itertools import takewhile
from pathlib import Path
from secrets import token_hex
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
    """What a client needs: `snippet` in the file at `path`, which `place` names for people.

    What lies below `root` may come from a stranger.
    """

    title: str
    place: str
    root: Path
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
        # A repository that a stranger wrote may bring the file or a folder, as a link to another place.
        folders = takewhile(lambda folder: folder != self.root, self.path.parents)
        if any(place.is_symlink() for place in (self.path, self.path.parent, *folders)):
            raise UsageError(f"{self.path} is or lies behind a link; add this to it by hand:\n\n{self.snippet}")
        try:
            before = self._content()
            after = (_with_table if self.form == TOML else _with_entry)(before, self.snippet)
            after.encode()
        # The errors of JSON and TOML are of this kind. Some clients allow comments in JSON.
        except (ValueError, OSError, RecursionError) as exc:
            raise UsageError(f"{self.path} cannot be read ({exc}); add this to it by hand:\n\n{self.snippet}") from exc
        if after == before:
            return
        try:
            self._replace(after, keep_mode=bool(before))
        except OSError as exc:
            raise UsageError(f"{self.path} cannot be written ({exc}); add this by hand:\n\n{self.snippet}") from exc

    def _replace(self, text: str, *, keep_mode: bool) -> None:
        """Write the file of the client, all of it or nothing."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # A name that nobody can foresee, and `x`: nothing is written into a link or file that is there already.
        new = self.path.with_name(f"{self.path.name}.{token_hex(8)}")
        try:
            with new.open("x", encoding="utf-8") as file:
                file.write(text)
            if keep_mode:
                shutil.copymode(self.path, new)
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)

    def _content(self) -> str:
        """Return the file of the client, or an empty text if there is none."""
        if not self.path.exists():
            return ""
        # A pipe would wait for a writer.
        if not self.path.is_file():
            raise ValueError("it is no file")
        return self.path.read_text(encoding="utf-8")


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
    # The folders of the home folder are those of the user, who may have linked them.
    target = path_of(path if path.startswith("~") else folder / path)
    root = target.parent if path.startswith("~") else path_of(folder)
    return Setup(entry["title"], file, root, target, form, snippet)


def _with_entry(before: str, snippet: str) -> str:
    """Return a JSON file with the entry of the server in its object of servers."""
    settings = _table(json.loads(before or "{}"))
    for group, servers in json.loads(snippet).items():
        _table(settings.setdefault(group, {})).update(servers)
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _with_table(before: str, snippet: str) -> str:
    """Return a TOML file with the table of the server at its end. Raises ValueError if it has another such table."""
    settings, addition = tomllib.loads(before), tomllib.loads(snippet)
    for group, servers in addition.items():
        for name, server in servers.items():
            known = _table(settings.get(group, {}))
            if known.get(name, server) != server:
                raise ValueError(f"it has another table {group}.{name}")
            if name in known:
                return before
    after = f"{before.rstrip()}\n\n{snippet}\n".lstrip()
    # Not every table can be added to.
    tomllib.loads(after)
    return after


def _table(settings: object) -> dict[str, Any]:
    """Return settings that have names. Raises ValueError for all else."""
    if not isinstance(settings, dict):
        raise ValueError(f"it has {type(settings).__name__} where servers have names")
    return settings


def _command() -> str:
    """Return the full path of this program. A client may start it where no shell has set `PATH`."""
    own = shutil.which(COMMAND, path=str(Path(sys.executable).parent)) or sys.argv[0]
    return str(Path(own).absolute())
