"""Small repositories on disk, indexed for tests."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import apsw

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.indexing import index_repository
from code_graph_indexer.indexing.run import IndexReport
from code_graph_indexer.settings import Settings, load_settings
from code_graph_indexer.storage import open_links
from code_graph_indexer.storage.sqlite import SqliteStore, connect

OLD = 1_600_000_000
"""A modification time that no clock tick can repeat."""


def settings_of(**overrides: object) -> Settings:
    """Return settings for one worker, whatever the environment says."""
    return load_settings(None, {}, **{"workers": 1, **overrides})


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder and return it."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def age(root: Path) -> None:
    """Give every file a modification time in the past, so that times tell what has changed."""
    for place in root.rglob("*"):
        if place.is_file() and not place.is_symlink():
            os.utime(place, (OLD, OLD))


def index(
    root: Path, db: Path, *, full: bool = False, embedder: Embedder | None = None, spec: str = "", **overrides: int
) -> IndexReport:
    """Index a repository with one worker. `spec` names an embedder, `embedder` is the object."""
    return index_repository(root, db, settings_of(embedder=spec, **overrides), full=full, embedder=embedder)


def indexed(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder, index it into `index.db` there, and return the folder."""
    write_tree(root, files)
    index(root, root / "index.db")
    return root


class Call(NamedTuple):
    """A call of an indexed repository: the names and files of both ends. A call without a target has None for it."""

    path: str
    caller: str
    name: str
    target: str | None
    target_path: str | None


def calls(db: Path) -> list[Call]:
    """List every call of an index by path, line and column."""
    with opened(db) as store:
        chunks = {chunk.id: chunk for file in store.files() for chunk in store.file_chunks(file.path)}
        return [
            Call(
                chunk.path,
                chunk.qualified_name,
                reference.name,
                target.qualified_name if target else None,
                target.path if target else None,
            )
            for path in sorted({chunk.path for chunk in chunks.values()})
            for reference in store.reference_fates(path)
            if reference.kind == "calls"
            for chunk in [chunks[reference.source_id]]
            for target in [chunks[reference.target_id] if reference.target_id is not None else None]
        ]


@contextmanager
def opened(db: Path) -> Iterator[SqliteStore]:
    """Open an index and close it."""
    store = SqliteStore(db)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def raw(db: Path) -> Iterator[apsw.Connection]:
    """Open an index for plain SQL."""
    connection = connect(db)
    try:
        yield connection
    finally:
        connection.close()


def errors(db: Path) -> dict[str, str | None]:
    """Give every file's error, by path."""
    with opened(db) as store:
        return {file.path: file.error for file in store.files()}


def lookups(db: Path) -> dict[str, bytes]:
    """Map each file to the packed hashes of the names that its linking looked up, if it has any."""
    with open_links(db) as links:
        paths = links.paths()
        return {paths[file_id]: packed for file_id, packed in links.lookups()}
