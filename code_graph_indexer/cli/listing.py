"""Make commands of functions that ask an index for a list: all of them have the same options, and print in the same way."""

import inspect
from collections.abc import Callable
from typing import Any

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Db, Everything, Json, Limit, NoUpdate, answering, end_search, show_listing
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.index import Behind, Index

OPTIONS = {
    "limit": (Limit, None),
    "everything": (Everything, False),
    "no_update": (NoUpdate, False),
    "db": (Db, None),
    "as_json": (Json, False),
}
"""The options that each of these commands has behind its own, with their types and defaults."""


class Listing:
    """An answer to print: `write` makes a text of it with at most `limit` entries in each list, and JSON has its parts.

    `found` says whether there is anything in it.
    """

    def __init__(
        self, write: Callable[..., str], *, found: object = True, most: int = render.MAX_ENTRIES, **parts: object
    ) -> None:
        self.write = write
        self.found = bool(found)
        self.most = most
        self.parts = parts


def _answer(ask: Callable[..., Listing], indexer: Index, values: dict[str, Any]) -> Listing:
    """Return the answer of an index. For a name that only a package defines, it is that of the package's index."""
    try:
        return ask(indexer, **values)
    except NotInIndexError:
        texts = {key: value for key, value in values.items() if isinstance(value, str) and value}
        behind = Behind(indexer).named(list(texts.values()))
        if behind is None:
            raise
        library, names = behind
        return ask(library, **{**values, **dict(zip(texts, names, strict=True))})


def listing(app: typer.Typer) -> Callable[[Callable[..., Listing]], Callable[..., None]]:
    """Return a decorator that makes a command of a function. The function gets the index that is opened, then its arguments."""

    def decorate(ask: Callable[..., Listing]) -> Callable[..., None]:
        def command(**values: Any) -> None:
            limit, everything, no_update, db, as_json = [values.pop(name) for name in OPTIONS]
            with answering(db, no_update) as indexer:
                answer = _answer(ask, indexer, values)

            def write(entries: int | None) -> str:
                return answer.write(limit=entries)

            show_listing(ask.__name__, write, as_json, limit, everything, most=answer.most, **answer.parts)
            end_search(found=answer.found)

        _, *arguments = inspect.signature(ask).parameters.values()
        options = (
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation, default=default)
            for name, (annotation, default) in OPTIONS.items()
        )
        # Typer reads the arguments of a command here.
        command.__signature__ = inspect.Signature([*arguments, *options])  # type: ignore[attr-defined]
        return app.command(ask.__name__, help=ask.__doc__)(command)

    return decorate
