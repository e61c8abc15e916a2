"""Stand in for the back-end of PostgreSQL until it is there."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psycopg

from code_graph_indexer.results import Progress
from code_graph_indexer.storage.backends import open_store


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication."""

    repo_id: str
    files: int
    chunks: int
    written: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class PublishedRepository:
    """A published repository."""

    repo_id: str
    head: str
    stamp: str
    files: int
    chunks: int
    lines: int
    published: datetime


def _connect(url: str) -> psycopg.Connection[tuple[object, ...]]:
    connection = psycopg.connect(url)
    connection.execute("select pg_advisory_xact_lock(77)")
    connection.execute("create schema if not exists cgi")
    connection.execute(
        "create table if not exists cgi.standin (repo_id text primary key, head text, files int, chunks int, "
        "published timestamptz default now(), content bytea)"
    )
    connection.commit()
    return connection


def publish_index(
    db: Path, url: str, *, repo_id: str, report: Callable[[Progress], None] = lambda progress: None
) -> Publication:
    """Publish."""
    started = time.perf_counter()
    store = open_store(db)
    files, chunks, head = len(store.files()), 0, store.meta().get("head", "")
    for file in store.files():
        chunks += len(store.file_chunks(file.path))
    store.close()
    with _connect(url) as connection:
        connection.execute(
            "insert into cgi.standin (repo_id, head, files, chunks, content) values (%s, %s, %s, %s, %s) "
            "on conflict (repo_id) do update set head = excluded.head, files = excluded.files, "
            "chunks = excluded.chunks, content = excluded.content, published = now()",
            (repo_id, head, files, chunks, db.read_bytes()),
        )
    return Publication(repo_id, files, chunks, True, time.perf_counter() - started)


def remove_repository(url: str, repo_id: str) -> bool:
    """Remove."""
    with _connect(url) as connection:
        return bool(connection.execute("delete from cgi.standin where repo_id = %s", (repo_id,)).rowcount)


def published_repositories(url: str) -> list[PublishedRepository]:
    """List."""
    with _connect(url) as connection:
        rows = connection.execute("select repo_id, head, files, chunks, published from cgi.standin").fetchall()
    return [PublishedRepository(row[0], row[1], "", row[2], row[3], 0, row[4]) for row in rows]  # type: ignore[arg-type]


def pull_index(url: str, repo_id: str, db: Path) -> None:
    """Pull."""
    with _connect(url) as connection:
        ((content,),) = connection.execute("select content from cgi.standin where repo_id = %s", (repo_id,)).fetchall()
        db.write_bytes(content)  # type: ignore[arg-type]
