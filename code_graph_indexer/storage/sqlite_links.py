"""What the linker reads of an index that is being written."""

import zlib
from collections.abc import Callable, Iterable
from typing import Any, cast

import apsw

from code_graph_indexer.storage.records import PlacedDefinition, StoredDefinition, StoredFile, StoredUse, name_inside

_NODE = "case when c.kind in ('block', 'text') then coalesce(c.parent_id, c.id) else c.id end"
"""The node of the graph that a chunk belongs to: parts of a definition or module are none of their own."""


DEFINITIONS = (
    "select c.name_line, c.name, c.qualified_name, f.module, c.kind, c.id, c.has_body, c.signature, c.doc, c.position, 0 "
    "from chunks as c join files as f on f.id = c.file_id "
    "where f.path = ?1 and c.name != '' and c.kind not in ('block', 'module') "
    f"union all select m.line, m.name, m.qualified_name, f.module, m.kind, {_NODE}, m.has_body, m.signature, m.doc, "
    "c.position, m.id from members as m join chunks as c on c.id = m.chunk_id join files as f on f.id = c.file_id "
    "where f.path = ?1 order by 10, 11"
)
"""The columns of PlacedDefinition for the definitions of a file, for `placed`."""


class SqliteLinks:
    """Read through the connection of a writer, inside its transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def file(self, path: str) -> StoredFile | None:
        """Return a file of a known language, or None."""
        row = self._connection.execute(
            "select f.id, f.path, f.language, f.is_test, t.text, f.content_hash "
            "from files as f join contents as t on t.file_id = f.id "
            "where f.path = ? and f.language is not null",
            (path,),
        ).fetchone()
        if row is None:
            return None
        ids = self._connection.execute("select id from chunks where file_id = ? order by position", (row[0],))
        chunk_ids = [one for (one,) in ids]
        return StoredFile(row[0], row[1], row[2], bool(row[3]), zlib.decompress(row[4]), chunk_ids, row[5])

    def paths(self) -> dict[int, str]:
        """Return the path of every file of a known language, by file id."""
        return dict(self._connection.execute("select id, path from files where language is not null and error is null"))

    def module_rows(self) -> list[tuple[str, str, str, bool]]:
        """List path, language, module and whether it is a test, of every file of a known language, by path."""
        rows = self._connection.execute(
            "select path, language, module, is_test from files where language is not null and error is null order by path"
        )
        return [(path, language, module, bool(is_test)) for path, language, module, is_test in rows]

    def named(self, name: str) -> list[StoredDefinition]:
        """List the definitions of a simple name, by path and place."""
        rows = self._connection.execute(
            "select f.path, c.qualified_name, f.module, c.kind, c.id, c.has_body, c.position, 0, f.language from chunks as c "
            "join files as f on f.id = c.file_id where c.name = ?1 collate nocase and c.name = ?1 "
            "and c.name != '' "
            "and f.language is not null "
            "union all select f.path, m.qualified_name, f.module, m.kind, m.chunk_id, m.has_body, c.position, m.id, f.language "
            "from members as m join chunks as c on c.id = m.chunk_id join files as f on f.id = c.file_id "
            "where m.name = ?1 collate nocase and m.name = ?1 order by 1, 7, 8",
            (name,),
        )
        return [
            StoredDefinition(path, name_inside(qualified, module), kind, one, bool(body), language)
            for path, qualified, module, kind, one, body, _, _, language in rows
            if (qualified != module or not module)
        ]

    def definitions(self, path: str) -> list[PlacedDefinition]:
        """List the definitions of a file in order."""
        return placed(self._connection.execute(DEFINITIONS, (path,)))

    def spans(self, file_id: int) -> list[tuple[int, int]]:
        """List the lines at which the chunks of a file start, with the chunk that a reference there is said to stand in."""
        sql = f"select start_line, {_NODE} from chunks as c where file_id = ? order by position"
        return [(line, chunk_id) for line, chunk_id in self._connection.execute(sql, (file_id,))]

    def exact(self, file_id: int) -> list[StoredUse]:
        """List the references of a file that are exactly known, those whose target is gone left out."""
        rows = self._connection.execute(
            "select r.line, r.column, r.kind, r.name, r.source_id, f.path, f.module, c.qualified_name, c.kind, c.id, "
            "c.has_body, m.qualified_name, m.kind, m.has_body from chunks as s join refs as r on r.source_id = s.id "
            "left join chunks as c on c.id = r.target_id left join files as f on f.id = c.file_id "
            "left join members as m on m.chunk_id = c.id and m.name = r.name and c.name != r.name "
            "where s.file_id = ? and r.origin = 'scip' and (r.target_id is null or c.id is not null) "
            "order by r.source_id, r.ordinal",
            (file_id,),
        )
        return [
            StoredUse._make(
                (
                    *use,
                    path,
                    None if path is None else name_inside(member or qualified, module),
                    member_kind or kind,
                    chunk_id,
                    bool(body) if member is None else bool(member_body),
                )
            )
            for *use, path, module, qualified, kind, chunk_id, body, member, member_kind, member_body in rows
        ]

    def lookups(self) -> Iterable[tuple[int, bytes]]:
        """Yield the packed lookups of each file."""
        yield from self._connection.execute("select file_id, lookups from contents where lookups != x''")

    def texts_named(self, wanted: Callable[[str], bool]) -> dict[str, str]:
        """Return the texts of the files whose names are wanted, by path."""
        rows = cast(
            "list[tuple[str, int]]",
            self._connection.execute("select path, id from files where error is null order by path").fetchall(),
        )
        found: dict[str, str] = {}
        for path, file_id in rows:
            if wanted(path.rpartition("/")[2]):
                (text,) = self._connection.execute(
                    "select text from contents where file_id = ?", (file_id,)
                ).fetchone() or (b"",)
                found[path] = zlib.decompress(text).decode("utf-8", "replace") if text else ""
        return found


def placed(rows: Iterable[tuple[Any, ...]]) -> list[PlacedDefinition]:
    """Read the rows of DEFINITIONS."""
    return [
        PlacedDefinition(line, name, name_inside(qualified, module), kind, chunk_id, bool(body), signature, doc)
        for line, name, qualified, module, kind, chunk_id, body, signature, doc, _, _ in rows
    ]
