"""Nothing but storage/ and the servers of a team knows which back-end holds the index."""

import ast
from collections.abc import Iterator

from code_graph_indexer import storage, team
from code_graph_indexer.storage import Servers
from tests.sources import trees

STORAGE = "storage/"
SERVERS = "team/"
DRIVERS = {"apsw", "sqlite3", "psycopg"}
ENGINES = {"team/fleet/queue.py": "psycopg", "team/fleet/register.py": "psycopg"}
"""Modules outside of the back-ends that need a driver for something else: the queue of the fleet is an engine in PostgreSQL."""

DOORS = {"address", "arrays", "vectors", "base", "records", "publication", "local", "snapshot", "cache", "side"}
"""Modules of storage/ that other folders may import, besides the package itself."""


def modules_outside() -> Iterator[tuple[str, ast.Module]]:
    """Yield every module of the package that is no part of a back-end, by its path."""
    for path, module in trees().items():
        is_server = path.startswith(SERVERS) and not path.startswith(f"{SERVERS}fleet/")
        if not is_server and not path.startswith(STORAGE):
            yield path, module


def imported(module: ast.Module) -> Iterator[str]:
    """Yield the dotted name of everything that a module imports."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_servers_offer_what_storage_asks_of_them() -> None:
    offered: Servers = team
    assert storage.servers() is offered


def test_no_driver_is_imported_outside_storage() -> None:
    assert [
        (path, name)
        for path, module in modules_outside()
        for name in imported(module)
        if name.split(".")[0] in DRIVERS - {ENGINES.get(path)}
    ] == []


def test_only_the_doors_of_storage_are_imported_outside_it() -> None:
    prefix = "code_graph_indexer.storage."
    doors = DOORS | set(storage.__all__)
    assert [
        (path, name)
        for path, module in modules_outside()
        for name in imported(module)
        if name.startswith(prefix) and name.removeprefix(prefix).split(".")[0] not in doors
    ] == []


def test_no_sqlite_class_but_the_cache_is_named_outside_storage() -> None:
    assert [
        (path, node.id)
        for path, module in modules_outside()
        for node in ast.walk(module)
        if isinstance(node, ast.Name) and "sqlite" in node.id.lower() and node.id != "SqliteCache"
    ] == []


def test_no_part_of_storage_but_the_backends_module_chooses_one() -> None:
    choosers = {
        path.removeprefix(STORAGE)
        for path, module in trees().items()
        if path.startswith(STORAGE)
        and not path.startswith(f"{STORAGE}sqlite")
        and any(".sqlite" in name for name in imported(module))
    }
    assert choosers == {"backends.py"}
