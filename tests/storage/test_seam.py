"""Nothing but storage/ and the servers of a team knows which back-end holds the index."""

import ast
from collections.abc import Iterator

from code_graph_indexer import storage, team
from code_graph_indexer.storage import Servers
from tests.sources import nodes

STORAGE = "storage/"
SERVERS = "team/"
DRIVERS = {"apsw", "sqlite3", "psycopg"}
ENGINES = {"team/fleet/queue.py": "psycopg", "team/fleet/register.py": "psycopg"}
"""Modules outside of the back-ends that need a driver for something else: the queue of the fleet is an engine in PostgreSQL."""

DOORS = {"address", "arrays", "vectors", "base", "records", "publication", "local", "snapshot", "side"}
"""Modules of storage/ that other folders may import, besides the package itself."""


def is_outside(path: str) -> bool:
    """Say whether a module is no part of a back-end."""
    is_server = path.startswith(SERVERS) and not path.startswith(f"{SERVERS}fleet/")
    return not is_server and not path.startswith(STORAGE)


def imports() -> Iterator[tuple[str, str]]:
    """Yield (path, name) for everything that a module imports. The name is dotted."""
    yield from ((path, alias.name) for path, node in nodes(ast.Import) for alias in node.names)
    yield from ((path, f"{node.module}.{alias.name}") for path, node in nodes(ast.ImportFrom) for alias in node.names)


def test_the_servers_offer_what_storage_asks_of_them() -> None:
    offered: Servers = team
    assert storage.servers() is offered


def test_no_driver_is_imported_outside_storage() -> None:
    assert [
        (path, name)
        for path, name in imports()
        if is_outside(path) and name.split(".")[0] in DRIVERS - {ENGINES.get(path)}
    ] == []


def test_only_the_doors_of_storage_are_imported_outside_it() -> None:
    prefix = "code_graph_indexer.storage."
    doors = DOORS | set(storage.__all__)
    assert [
        (path, name)
        for path, name in imports()
        if is_outside(path) and name.startswith(prefix) and name.removeprefix(prefix).split(".")[0] not in doors
    ] == []


def test_no_sqlite_class_but_the_cache_is_named_outside_storage() -> None:
    assert [
        (path, node.id)
        for path, node in nodes(ast.Name)
        if is_outside(path) and "sqlite" in node.id.lower() and node.id != "SqliteCache"
    ] == []


def test_no_part_of_storage_but_the_backends_module_chooses_one() -> None:
    choosers = {
        path.removeprefix(STORAGE)
        for path, name in imports()
        if path.startswith(STORAGE) and not path.startswith(f"{STORAGE}sqlite") and ".sqlite" in name
    }
    assert choosers == {"backends.py"}
