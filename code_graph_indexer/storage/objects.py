"""The objects of a SQLite file's schema: its tables, indexes, views and triggers, compared with those that we make.

Any other object in a stranger's file may run a stranger's SQL: a view in the place of a table, a trigger, an index of an
expression.
"""

from contextlib import closing
from functools import cache
from itertools import islice
from typing import Any

import apsw

MAX_OBJECTS = 1_000
"""More objects than we make, and enough to see that somebody else has made more."""

Object = tuple[Any, ...]
"""An object: its type, its name, the name of its table, and the statement that made it."""


def objects_in(connection: apsw.Connection, database: str = "main") -> frozenset[Object]:
    """Return the objects of an opened file. Of very many, some are enough."""
    rows = connection.execute(f"select type, name, tbl_name, sql from {database}.sqlite_schema")
    return frozenset(islice(rows, MAX_OBJECTS))


@cache
def objects_of(statements: str) -> frozenset[Object]:
    """Return the objects that statements make, with the full-text tables of this version of SQLite."""
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute(statements)
        return objects_in(connection)


def require_objects(connection: apsw.Connection, statements: str, database: str = "main") -> None:
    """Raise apsw.SQLError if a file beside an index has other objects than these statements make."""
    if objects_in(connection, database) != objects_of(statements):
        raise apsw.SQLError("its tables are not ours")
