"""Options and functions that all commands share: open an index, print."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.colour import coloured, linked_folders
from code_graph_indexer.errors import UsageError
from code_graph_indexer.freshness import Freshness
from code_graph_indexer.index import Index
from code_graph_indexer.indexer import CodeIndexer, open_index
from code_graph_indexer.retrieval.results import ASK_AGAIN, EXPECT_ARGUMENT
from code_graph_indexer.settings import load_settings
from code_graph_indexer.storage.address import Address, is_address

NOTHING_FOUND = 1
"""The exit code of a question to which the index holds no answer."""

stale_paths: ContextVar[frozenset[str]] = ContextVar("stale_paths", default=frozenset())
"""The files whose places in the answer may be wrong, because they changed on disk and the index did not."""

Db = Annotated[
    list[str] | None,
    typer.Option(
        "--db",
        help="Index file, or a folder of index files or repositories; repeat it to ask several at once. Or the address of a "
        "server: postgresql://user@host/database, with #NAME,NAME for some repositories "
        "(default: CGI_DB, else .cgi/index.db in this folder or a folder above it).",
        show_default=False,
    ),
]
IndexFile = Annotated[
    str | None,
    typer.Option(
        "--db", help="Index file (default: .cgi/index.db in this folder or a folder above it).", show_default=False
    ),
]
EXPOSED = "other users of this machine can read the password in the list of processes; set CGI_DB, or use ~/.pgpass:"
"""The warning for an address with a password among the arguments."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Embedder = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        help="static, hashing, fastembed:<model or folder>, openai:<model> (default: the embedder of the index).",
    ),
]

Name = Annotated[str, typer.Argument(help="A simple or qualified name: save, Model.save, models.py:save.")]
Depth = Annotated[int, typer.Option("--depth", help="Number of hops to follow.", min=1, max=20)]
MinConfidence = Annotated[
    float, typer.Option("--min-confidence", help="Follow only edges at least this sure.", min=0.0, max=1.0)
]
Tests = Annotated[bool | None, typer.Option("--tests/--no-tests", help="Only tests, or none (default: both).")]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit",
        "-n",
        help="Largest number of entries of each list (default: as many as fit 12,000 characters).",
        min=1,
        show_default=False,
    ),
]
Everything = Annotated[bool, typer.Option("--all", help="List all entries.")]

Language = Annotated[list[str] | None, typer.Option("--language", "-l", help="Search only this language (repeatable).")]
Directory = Annotated[
    str | None, typer.Option("--directory", "-d", help="Search only below this folder of the repository.")
]
Pattern = Annotated[
    list[str] | None, typer.Option("--path", "-p", help="Search only paths that match this glob (repeatable).")
]
SearchedTests = Annotated[
    bool | None, typer.Option("--tests/--no-tests", help="Search only tests, or no tests (default: both).")
]
Expect = Annotated[
    str, typer.Option("--expect", help='Names and words that such code would use: "session save store cookie".')
]
KeywordOnly = Annotated[bool, typer.Option("--keyword-only", help="Search by words only, without an embedder.")]

Budget = Annotated[
    int | None,
    typer.Option(
        "--budget",
        help="Largest number of tokens of the text, four characters each (default: 3,250 to 6,000, by the number of files).",
        min=200,
        show_default=False,
    ),
]

NoUpdate = Annotated[
    bool, typer.Option("--no-update", help="Answer from the index as it is, without a look for changes on disk.")
]


@contextmanager
def answering(db: Sequence[str] | None, no_update: bool, **settings: str | int | None) -> Iterator[Index]:
    """Open the index of a question, and at the end say on standard error if the answer is not of the files on disk.

    Without `no_update`, the index is brought up to date first if little changed.
    """
    with open_indexes(db, update=False if no_update else None, **settings) as indexer:
        linked_folders.set(indexer.folders)
        try:
            yield indexer
        # Also after an error: a name may be missing only because the index is behind.
        finally:
            say_freshness(indexer.freshness)


def say_freshness(freshness: Freshness) -> None:
    """Say on standard error if an answer is not of the files on disk, and mark the places of these files in what is shown."""
    stale_paths.set(freshness.stale_paths)
    if freshness.note:
        warn(freshness.note)


def open_indexes(db: Sequence[str] | None, **settings: str | int | None) -> Index:
    """Open the indexes that `--db` names, as one if they are several. Without any, open the index of the current folder."""
    addresses = [Address.of(place) for place in db or () if is_address(place)]
    if exposed := [str(address) for address in addresses if address.has_password]:
        warn(f"{EXPOSED} {exposed[0]}")
    return open_index(*(db or ()), **settings)


def server_address(option: str, name: str) -> str:
    """Return the address of a server: the value of an option, or else that of CGI_DB. Raises UsageError if it is none."""
    text = option or load_settings().db
    if not text:
        raise UsageError(f"no server is named; give {name} postgresql://user@host/database, or set CGI_DB")
    address = Address.of(text)
    if option and address.has_password:
        warn(f"{EXPOSED} {address}")
    return text


def warn(sentence: str) -> None:
    """Print a warning to standard error."""
    typer.echo(f"cgi: {render.clean(sentence)}", err=True)


def open_folder(root: Path | None = None, *, db: str | Path | None = None, **settings: str | int | None) -> CodeIndexer:
    """Open the index file `db`, or else the index of the folder `root`, or else that of the current folder."""
    # Without a root, the index says where its repository is.
    return CodeIndexer(root, db=db, **settings)


def show_listing(
    command: str,
    text: Callable[[int | None], str],
    as_json: bool,
    limit: int | None,
    everything: bool,
    *,
    most: int = render.MAX_ENTRIES,
    **parts: object,
) -> None:
    """Print a listing, as JSON with these parts, or as text: a function of the largest number of entries of each list.

    Without `limit` and `everything`, as much is printed as a reader has use for.
    """

    def write(entries: int | None) -> str:
        # The shapes of JSON are promised. A program finds the paths in `CodeIndexer.freshness`.
        if as_json:
            return render.listing(command, entries, **parts)
        return render.marked(text(entries), stale_paths.get())

    listing = render.bounded(write, limit, everything=everything, most=most)
    show(listing if as_json else coloured(listing))


def end_search(*, found: bool) -> None:
    """End the command with the exit code 1 if it found nothing, as `grep` does."""
    if not found:
        raise typer.Exit(NOTHING_FOUND)


def in_shell(text: str) -> str:
    """Write the example of how to ask again as a shell takes it."""
    before, again, example = text.partition(ASK_AGAIN)
    return before + again + example.replace(EXPECT_ARGUMENT, " --expect ", 1)


def show(text: str, *, end: str = "\n") -> None:
    """Print a text to standard output. If the reader has closed standard output (`| head`), exit silently."""
    try:
        typer.echo(text + end, nl=False)
    except BrokenPipeError as exc:
        # Python would try to flush the closed pipe at exit, and Typer would report a failure.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from exc
