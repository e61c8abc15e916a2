"""Colour what a terminal shows: the places as links to their files, how sure an edge is, and sums. Other output stays plain."""

import re
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path

import typer

from code_graph_indexer.results import PROVEN
from code_graph_indexer.settings import has_colours

linked_folders: ContextVar[Mapping[str, Path]] = ContextVar("linked_folders")
"""The folders of the repositories that are asked, by the beginning of the paths in the answer."""

_PART = re.compile(
    r"^(?P<lead> *(?:→ |\d+\. )?)(?P<path>[^\s:][^\n:]*):(?P<line>\d+)(?P<end>-\d+)?(?=  )"
    r"|\((?P<sure>[01]\.\d\d|proven)\)"
    r"|^ *(?P<sum>= .*)$",
    re.MULTILINE,
)


def coloured(text: str) -> str:
    """Return a text for standard output: with colours and links if that is a terminal that has them.

    No text from a repository has control characters here, so what colours it is ours.
    """
    return _PART.sub(_paint, text) if has_colours() else text


def _paint(part: re.Match[str]) -> str:
    if total := part["sum"]:
        return part[0].replace(total, typer.style(total, bold=True))
    if sure := part["sure"]:
        is_sure = sure == "proven" or float(sure) >= PROVEN
        return typer.style(part[0], fg="green" if is_sure else "yellow")
    path, place = part["path"], part[0][len(part["lead"]) :]
    return part["lead"] + _link(path, typer.style(place, fg="cyan"))


def _link(path: str, text: str) -> str:
    """Return a text that a terminal shows as a link to a file of a repository (OSC 8)."""
    for start, folder in linked_folders.get({}).items():
        file = folder / path.removeprefix(start).lstrip("/")
        if path.startswith(start) and ".." not in file.parts and file.is_absolute():
            return f"\x1b]8;;{file.as_uri()}\x1b\\{text}\x1b]8;;\x1b\\"
    return text
