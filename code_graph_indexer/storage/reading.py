"""The one reader of rows of an index file. It checks each value, and limits what a question takes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import apsw

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.storage.apsw_errors import DAMAGE_ERRORS
from code_graph_indexer.storage.columns import Columns, Row, UnsoundError
from code_graph_indexer.storage.identity import LOCAL_MASK
from code_graph_indexer.storage.limits import MAX_LENGTH, NAME_LENGTH, Allowance, Spending, spending_of
from code_graph_indexer.storage.place import damaged, too_much

MAX_UTF8 = 4
"""Most bytes of a character."""

BLOCK_ROWS = 200
"""How many rows are read before they are checked and counted. A forged file may hold a long name in each of them."""

LONG_COLUMNS = re.compile(r"(?<!')\b(text|hashes|signs|packed|embedding|numbers|copied|rows)\b(?!')")
"""Columns whose values may be long."""

STEPS_AT_ONCE = 20_000
"""Steps between two looks at the number of steps. SQLite does them in half a millisecond."""

MAX_QUERIES = 2_000
"""How many queries have the names of their columns in memory."""


class RowReader:
    """A connection to an index file whose rows are checked. Only one thread at a time may use it.

    With `single_queries`, each query counts for itself, also inside of a question.
    """

    def __init__(self, connection: apsw.Connection, path: Path, *, single_queries: bool = False) -> None:
        self.connection = connection
        self.path = path
        self._single_queries = single_queries
        self._allowance = Allowance.of(path.stat().st_size)
        self._columns: dict[str, Columns] = {}
        self._spending: Spending | None = None
        self._lengths: dict[str, int] = {}
        connection.set_progress_handler(self._is_over, STEPS_AT_ONCE)

    def _is_over(self) -> bool:
        """Count steps, and return whether there are too many. SQLite then ends the query."""
        spending = self._spending
        if spending is None:
            return False
        spending.steps += STEPS_AT_ONCE
        return spending.steps > self._allowance.steps

    def rows(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """Run a query and return its rows.

        Raises IndexFormatError if the file is damaged or forged, and other errors of the driver as they are.
        """
        rows: list[Row] = []
        for block in self._blocks(sql, values, self._spending_at_hand()):
            # Nearly all queries have a single block.
            if rows:
                rows += block
            else:
                rows = block
        return rows

    def stream(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Iterator[Row]:
        """Run a query and yield its rows, however many: only a block of them is in memory."""
        spending = Spending()
        for block in self._blocks(sql, values, spending):
            yield from block
            spending.size = 0

    def problem(self, sql: str) -> str:
        """Return what is wrong with the first wrong row of a query, or an empty text."""
        try:
            for _ in self.stream(sql):
                pass
        except IndexFormatError as exc:
            return str(exc.__cause__ or exc)
        return ""

    def count(self, size: int) -> None:
        """Count bytes of memory that a question takes for what it unpacks. Raises IndexFormatError if it takes too many."""
        self._count(self._spending_at_hand(), size)

    @property
    def room(self) -> int:
        """Return how many bytes the question at hand may still take."""
        return max(0, self._allowance.size - self._spending_at_hand().size)

    def _spending_at_hand(self) -> Spending:
        """Return what the question at hand has taken so far, or nothing if each query counts for itself."""
        return Spending() if self._single_queries else spending_of(self)

    def _count(self, spending: Spending, size: int) -> None:
        """Add bytes to what was taken. Raises IndexFormatError if it is more than a question may take."""
        spending.size += size
        if spending.size > self._allowance.size:
            raise too_much(self.path)

    def _blocks(self, sql: str, values: Sequence[Any] | Mapping[str, Any], spending: Spending) -> Iterator[list[Row]]:
        """Yield the rows of a query in blocks, which are checked and counted in `spending`.

        Raises IndexFormatError if the file is damaged or forged, or the query takes too much.
        """
        try:
            self._spending = spending
            self.connection.limit(apsw.SQLITE_LIMIT_LENGTH, max(self._length_of(sql), _length_given(values)))
            cursor = self.connection.execute(sql, values)
            # A query that is over has no more names of its columns.
            first = next(cursor, None)
            if first is None:
                return
            columns, rows = self._columns_of(sql, cursor), chain((first,), cursor)
            while True:
                self._spending = spending
                block = list(islice(rows, BLOCK_ROWS))
                # Whoever gets the block may run a statement of another kind on this connection.
                self._spending = None
                self._count(spending, columns.measure(block))
                yield block
                if len(block) < BLOCK_ROWS:
                    return
        except apsw.InterruptError as exc:
            raise too_much(self.path) from exc
        except (*DAMAGE_ERRORS, UnsoundError) as exc:
            raise damaged(self.path, exc) from exc
        finally:
            self._spending = None
            self.connection.limit(apsw.SQLITE_LIMIT_LENGTH, MAX_LENGTH)

    def _length_of(self, sql: str) -> int:
        """Return how many bytes a value of a query may have: as few as a name, unless it asks for a long column."""
        length = self._lengths.get(sql)
        if length is None:
            if len(self._lengths) >= MAX_QUERIES:
                self._lengths.clear()
            length = self._lengths[sql] = self._allowance.length if LONG_COLUMNS.search(sql) else NAME_LENGTH
        return length

    def _columns_of(self, sql: str, cursor: apsw.Cursor) -> Columns:
        """Return the columns of a query that is running."""
        columns = self._columns.get(sql)
        if columns is None:
            names = [name for name, _ in cursor.get_description()]
            if len(self._columns) >= MAX_QUERIES:
                self._columns.clear()
            columns = self._columns[sql] = Columns(names, max_id=LOCAL_MASK)
        return columns


def _length_given(values: Sequence[Any] | Mapping[str, Any]) -> int:
    """Return how many bytes the longest text may have that we ask with, such as the ids of 60,000 callers."""
    given = values.values() if isinstance(values, Mapping) else values
    longest = max((len(value) for value in given if isinstance(value, str | bytes)), default=0)
    return min(MAX_UTF8 * longest, MAX_LENGTH)
