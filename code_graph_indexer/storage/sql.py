"""The read queries in plain SQL, for all back-ends that use SQL.

A back-end inherits `Store` and `LinkReader`, sets a `Dialect` and implements `rows`, which runs a query. It adds its own
connection, signals and checks. A `?` in a query is a parameter.
"""

from __future__ import annotations

import posixpath
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.results import (
    Description,
    ExternalUse,
    Filters,
    Neighbour,
    OpenSite,
    PackageUse,
    Symbol,
    Use,
    is_in_package,
)
from code_graph_indexer.storage.columns import UnsoundError, meta_number, refuse_circles
from code_graph_indexer.storage.globs import plain
from code_graph_indexer.storage.identity import OldMember, is_member
from code_graph_indexer.storage.records import (
    CHUNK_MARKS,
    MAX_CANDIDATES,
    ChunkFile,
    Edge,
    ExactUse,
    FileRow,
    LinkedRegistration,
    LinkRow,
    ResolvedReference,
    StoredChunk,
    StoredDefinition,
    StoredFile,
    Sums,
    Target,
    by_size,
    joined_name,
    name_inside,
    package_order,
    use_order,
)
from code_graph_indexer.syntax.records import CLASS_KINDS, WRITTEN_KINDS, as_records

# Late, because questions to the graph do without NumPy and start in half the time.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage import arrays
    from code_graph_indexer.storage.arrays import Ids
else:
    np = late_module("numpy")
    arrays = late_module("code_graph_indexer.storage.arrays")

MAX_TEXT = 256_000_000
"""The longest text in bytes that is unpacked, so that an index from a stranger cannot fill the memory."""

TEXT_WEIGHT = 4
"""The bytes of memory that a byte of a text counts. Whoever reads a text decodes it and cuts it into lines."""

TEXT_FACTOR, TEXT_SPARE = 3, 1_000
"""How much longer than its file a text may be: the bytes that a byte takes in another encoding, and bytes for short files."""

MAX_ANCESTORS = 1_000
"""The limit on the chunks that ancestors_of() returns. Real code nests far less, but a damaged index may have a long chain."""

MAX_SIZE = 1 << 40
"""The largest size of a chunk in bytes that ranking sees. A damaged index may contain any number."""

MAX_LINES = (1 << 31) - 1
"""More lines than a file has."""

MAX_UNION = 50
"""The number of chunks whose edges one query reads. A driver may cache only short queries: apsw up to 16 KiB."""

FILE_MARKS = ("test", "example", "generated", "vendored", "text")
"""The properties of a file that lower its rank, in the order of the columns that files_by_id() reads."""

_FILE_COLUMNS = "id, path, language, source_type, size, lines, module, content_hash, error"
"""The columns of a FileRow."""

_CHUNK_COLUMNS = (
    "c.id, c.file_id, c.parent_id, c.kind, c.name, c.qualified_name, c.signature, c.doc, c.start_byte, c.end_byte, "
    "c.start_line, c.end_line, c.name_line, c.def_end_line, f.path, f.language, f.source_type, f.repo_id, f.lines"
)
"""The columns of a StoredChunk, and the lines of its file, by which those of the chunk are checked."""

TEXTS = "select t.text, f.size from contents as t join files as f on f.id = t.file_id"
"""The packed text of a file, and the size of the file."""

_CHUNK = f"select {_CHUNK_COLUMNS} from text_chunks as c join files as f on f.id = c.file_id"

_SYMBOL_COLUMNS = (
    "c.id, c.kind, c.name, c.qualified_name, c.signature, c.doc, f.path, c.name_line, c.def_end_line, "
    "f.language, f.is_test, null as own_id"
)

_MEMBER_COLUMNS = (
    "m.chunk_id, m.kind, m.name, m.qualified_name, m.signature, m.doc, f.path, m.line, m.end_line, "
    "f.language, f.is_test, m.id as own_id"
)

_NODE = "case when c.kind in ('block', 'text') then coalesce(c.parent_id, c.id) else c.id end"
"""SQL for the node of a chunk in the graph. A `block` or `text` is not a node, so its node is its parent."""

# Columns 12 and 13 are the chunk's position and the member's id: a chunk comes before its members.
_DEFINITIONS = (
    "select f.path, coalesce(f.language, '') as language, c.name_line, c.name, c.qualified_name, f.module, c.kind, c.id, "
    "c.has_body, c.signature, c.doc, c.position, 0 as member_id from text_chunks as c join files as f on f.id = c.file_id "
    "where f.path = ? and c.name != '' and c.kind not in ('block', 'module') "
    "union all select f.path, coalesce(f.language, ''), m.line, m.name, m.qualified_name, f.module, m.kind, "
    f"{_NODE}, m.has_body, m.signature, m.doc, c.position, m.id "
    "from members as m join text_chunks as c on c.id = m.chunk_id join files as f on f.id = c.file_id "
    "where f.path = ? order by 12, 13"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The SQL expressions that each database writes in its own way. A gap is a `{}` for str.format()."""

    ids: str
    """A query that returns the ids in one parameter, as rows of one column, `value`. `pack` makes this parameter of a list."""

    names: str
    """A query like `ids` for a list of texts."""

    in_ids: str
    """The end of a condition: what stands before it is one of the ids in one parameter."""

    in_names: str
    """The end of a condition like `in_ids` for a list of texts."""

    same_name: str
    """A condition with two gaps: two names are equal, without regard to the case of ASCII letters."""

    like: str
    """A condition with one gap: a text matches a parameter, without regard to the case of ASCII letters.

    `%` and `_` are wildcards in the parameter.
    """

    glob: str
    """A condition with one gap: a path matches a parameter, which `glob_pattern` makes of a pattern with `*`, `?` and `[…]`."""

    find: str
    """The name of the function that returns the 1-based position of its second argument in its first, or 0."""

    ancestors_limit: str
    """The clause that ends a recursive query after MAX_ANCESTORS rows, or an empty string."""

    open_imports: str
    """The clause after `refs as r` that makes the database use its index of unresolved imports, or an empty string."""

    open_names: str
    """The condition that makes the database use its index of unresolved names, after `and`, or an empty string."""

    same_repository: str
    """The condition that keeps references `r` of the repository of the chunk `t`, or an empty string in a file."""

    edge_order: str
    """The clause that sorts the references of one chunk by source and ordinal.

    It is empty if the database reads them in this order anyway.
    """

    pack: Callable[[Collection[Any]], Any]
    """The function that turns a list of ids or names into one parameter."""

    glob_pattern: Callable[[str], Any]
    """The function that turns a path pattern into one parameter."""


class SqlRows(ABC):
    """A connection that runs queries in the dialect of one database."""

    dialect: ClassVar[Dialect]

    @abstractmethod
    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return its rows. Errors of the driver become those of the module `errors`."""

    @abstractmethod
    def count(self, size: int) -> None:
        """Count bytes that are unpacked. Raises IndexFormatError if they are too many for the question at hand."""

    @property
    @abstractmethod
    def room(self) -> int:
        """Return how many bytes the question at hand may still take."""

    def unpacked(self, packed: bytes, size: int) -> bytes:
        """Return the stored text of a file of `size` bytes, uncompressed.

        Raises IndexFormatError if it is damaged, or longer than the text of such a file can be.
        """
        most = min(TEXT_FACTOR * size + TEXT_SPARE, MAX_TEXT)
        # No more is unpacked than may be counted.
        limit = min(most, self.room // TEXT_WEIGHT + 1)
        unpacker = zlib.decompressobj()
        try:
            text = unpacker.decompress(packed, limit)
        except zlib.error as exc:
            raise self.damaged(exc) from exc
        self.count(TEXT_WEIGHT * len(text))
        # A rest means that the text was cut at the limit.
        if unpacker.unconsumed_tail:
            raise self.damaged(f"it holds a text of over {most:,} bytes for a file of {size:,}")
        if not unpacker.eof:
            raise self.damaged("it holds a text without its end")
        return text

    def text_of(self, file_id: int) -> bytes:
        """Return the text of the file with this id, or empty bytes if it has none."""
        rows = self.rows(f"{TEXTS} where t.file_id = ?", (file_id,))
        return self.unpacked(*rows[0]) if rows else b""

    @abstractmethod
    def damaged(self, reason: object) -> IndexFormatError:
        """Return the error for something that no index holds, with the way out."""

    def acyclic(self, parents: Mapping[int, int]) -> Mapping[int, int]:
        """Return a map of ids to those above them. Raises IndexFormatError if something in it is above itself."""
        try:
            refuse_circles(parents)
        except UnsoundError as exc:
            raise self.damaged(exc) from exc
        return parents

    @property
    @abstractmethod
    def location(self) -> object:
        """Return the name of the index for error messages: a path, or an address without its password."""


class SqlChunks(SqlRows):
    """A reader of files, chunks and texts, and of what ranking and filters ask of them, in plain SQL."""

    def meta(self) -> Mapping[str, str]:
        """Return the table `meta`: facts about the index by key, such as `dimensions` and `embedder`."""
        return dict(self.rows("select key, value from meta"))

    def files(self, paths: Collection[str] | None = None) -> list[FileRow]:
        """List all files in order of path, including the files that were skipped. With `paths`, only these files count."""
        chosen = "" if paths is None else f" where path {self.dialect.in_names}"
        values = () if paths is None else (self.dialect.pack(list(paths)),)
        rows = self.rows(f"select {_FILE_COLUMNS} from files{chosen} order by path", values)
        return [FileRow(*row) for row in rows]

    def file_text(self, path: str) -> bytes | None:
        """Return the text of a file, or None if it is not indexed."""
        rows = self.rows("select id from files where path = ? and error is null", (path,))
        return self.text_of(rows[0][0]) if rows else None

    def texts(self) -> Iterator[str]:
        """Yield the text of each indexed file, in order of file id."""
        for packed, size in self.rows(f"{TEXTS} order by t.file_id"):
            yield self.unpacked(packed, size).decode("utf-8", "replace")

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks with these ids, in the order of the ids. Unknown ids are left out."""
        rows = self.rows(f"{_CHUNK} where c.id {self.dialect.in_ids}", (self.dialect.pack(chunk_ids),))
        chunks = {chunk.id: chunk for chunk in _chunks(rows)}
        return [chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in chunks]

    def descriptions(self, chunk_ids: Sequence[int]) -> dict[int, Description]:
        """Map these chunk ids to what a language model wrote of the definitions. Chunks without a description are left out."""
        sql = f"select chunk_id, model, sentence from descriptions where chunk_id {self.dialect.in_ids}"
        rows = self.rows(sql, (self.dialect.pack(chunk_ids),)) if chunk_ids else []
        return {chunk_id: Description(model, sentence) for chunk_id, model, sentence in rows}

    def undescribed(self) -> list[tuple[int, bytes]]:
        """List the definitions of code that nothing is written of yet, as (chunk id, content hash), by id.

        Those in tests, examples, generated and vendored files are left out.
        """
        sql = (
            "select c.id, c.content_hash from text_chunks as c join files as f on f.id = c.file_id "
            "where f.source_type = 'code' and c.name != '' and c.kind not in ('block', 'text', 'section', 'module') "
            "and c.end_byte > c.start_byte and not (f.is_test or f.is_example or f.is_generated or f.is_vendored) "
            "and c.id not in (select chunk_id from descriptions) order by c.id"
        )
        return [(chunk_id, content_hash) for chunk_id, content_hash in self.rows(sql)]

    def ancestors_of(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return all chunks that contain one of these chunks, directly or at any depth. Each comes once, in no order."""
        # The cross join keeps this order of tables. In the other order SQLite would search `above` for each chunk.
        rows = self.rows(
            "with recursive above (id) as ("
            f"select parent_id from text_chunks where id {self.dialect.in_ids} and parent_id is not null "
            "union select c.parent_id from above join text_chunks as c on c.id = above.id where c.parent_id is not null "
            f"{self.dialect.ancestors_limit}) "
            f"select {_CHUNK_COLUMNS} from above cross join text_chunks as c join files as f on f.id = c.file_id "
            "where c.id = above.id",
            (self.dialect.pack(chunk_ids),),
        )
        return self._nested(_chunks(rows))

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the text of each chunk, in the order of the chunks. It is the file's text from `start_byte` to `end_byte`."""
        return [
            self.text_of(chunk.file_id)[chunk.start_byte : chunk.end_byte].decode("utf-8", "replace")
            for chunk in chunks
        ]

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file, in the order of its text."""
        return self._nested(_chunks(self.rows(f"{_CHUNK} where f.path = ? order by c.position", (path,))))

    def file_docs(self, paths: Collection[str]) -> dict[str, str]:
        """Map each of these paths to the documentation of its first chunk, which is that of its module."""
        sql = (
            "select f.path, c.doc from text_chunks as c join files as f on f.id = c.file_id "
            f"where f.path {self.dialect.in_names} and c.position = 0"
        )
        return dict(self.rows(sql, (self.dialect.pack(list(paths)),)))

    def top_names(self, paths: Collection[str]) -> dict[str, list[str]]:
        """Map each of these paths to the names of its definitions that are in no other one, the longest definition first.

        Those in a module inside of the file, such as its tests in Rust, come last.
        """
        sql = (
            "select f.path, c.name from text_chunks as c join files as f on f.id = c.file_id "
            "left join text_chunks as p on p.id = c.parent_id "
            f"where f.path {self.dialect.in_names} and c.kind not in ('block', 'text', 'module', 'section') "
            "and (p.id is null or p.kind in ('block', 'text', 'module', 'section')) "
            "order by f.path, (p.kind = 'module' and p.parent_id is not null), c.def_end_line - c.start_line desc, c.position"
        )
        names: dict[str, list[str]] = {}
        for path, name in self.rows(sql, (self.dialect.pack(list(paths)),)):
            names.setdefault(path, []).append(name)
        return names

    def _nested(self, chunks: list[StoredChunk]) -> list[StoredChunk]:
        """Return these chunks. Raises IndexFormatError if one is a part of itself, so that each way up through them ends."""
        self.acyclic({chunk.id: chunk.parent_id for chunk in chunks if chunk.parent_id is not None})
        return chunks

    def file_states(self, paths: Collection[str]) -> dict[str, tuple[int, bytes]]:
        """Map each of these paths to the file's size in bytes and its content hash, as of indexing.

        Unknown paths are left out.
        """
        sql = f"select path, size, content_hash from files where path {self.dialect.in_names}"
        return {path: (size, content_hash) for path, size, content_hash in self.rows(sql, (self.dialect.pack(paths),))}

    def changed_together(self, paths: Sequence[str]) -> list[tuple[str, int]]:
        """List the other indexed files that commits changed with one of these, as (path, number of commits).

        The most frequent come first. The same commit counts once for each of the paths.
        """
        names = self.dialect.names
        sql = f"""
            select partner, cast(sum(commits) as bigint) as commits from changed_together where path in ({names})
            group by partner order by sum(commits) desc, partner
        """
        partners = self.rows(sql, (self.dialect.pack(paths),))
        return [(partner, int(commits)) for partner, commits in partners if partner not in paths]

    def traits_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return one row of CHUNK_TRAITS for each chunk id, in the order of the ids. An unknown id gets zeros."""
        ids = chunk_ids.tolist()
        traits = self._traits_by_id(ids)
        return np.array([traits.get(chunk_id, (0, 0, 0, 0)) for chunk_id in ids], arrays.CHUNK_TRAITS)

    def _traits_by_id(self, chunk_ids: Sequence[int]) -> dict[int, tuple[int, int, int, int]]:
        """Map chunk ids to their traits, in the order of CHUNK_TRAITS. Unknown ids are left out."""
        # `d.name != ''` is what lets SQLite use the index of names, which leaves empty names out.
        sql = (
            "select id, file_id, case when end_byte <= start_byte then 0 "
            f"when end_byte - start_byte > {MAX_SIZE} then {MAX_SIZE} else end_byte - start_byte end as size, "
            "case when not has_body and kind in ('function', 'method') and exists (select 1 from text_chunks as d "
            f"where d.name != '' and {self.dialect.same_name.format('d.name', 'c.name')} and d.name = c.name and d.has_body "
            # The limit keeps PostgreSQL from hashing all chunks for it.
            "limit 1 offset 0) then 1 "
            f"when {self.dialect.find}('.' || qualified_name || '.', '.tests.') > 0 "
            f"or {self.dialect.find}('.' || qualified_name || '.', '.test.') > 0 then 2 "
            "when kind = 'module' then 3 else 0 end as mark "
            f"from text_chunks as c where id {self.dialect.in_ids}"
        )
        return {row[0]: (row[0], row[1], row[2], row[3]) for row in self.rows(sql, (self.dialect.pack(chunk_ids),))}

    def chunk_marks(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Map chunk ids to their marks, such as `test` (see CHUNK_MARKS). Chunks without a mark are left out."""
        traits = self._traits_by_id(chunk_ids)
        return {chunk_id: CHUNK_MARKS[mark] for chunk_id, _, _, mark in traits.values() if mark}

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Map each of these file ids to its file. Unknown ids are left out."""
        sql = (
            "select id, path, is_test, is_example, is_generated, is_vendored, source_type != 'code' as is_text from files "
            f"where id {self.dialect.in_ids}"
        )
        rows = self.rows(sql, (self.dialect.pack(sorted(set(file_ids.tolist()))),))
        return {row[0]: ChunkFile(row[0], row[1], tuple(compress(FILE_MARKS, row[2:]))) for row in rows}

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Map each of these chunk ids to the file of the chunk. Unknown ids are left out."""
        file_ids = self.traits_of(np.array(chunk_ids, np.int64))["file_id"]
        files = self.files_by_id(file_ids)
        pairs = zip(chunk_ids, file_ids.tolist(), strict=True)
        return {chunk_id: files[file_id] for chunk_id, file_id in pairs if file_id in files}

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """Map each file id to the names that the file imports, in order of line."""
        sql = (
            "select c.file_id, r.name from text_chunks as c join refs as r on r.source_id = c.id "
            f"where c.file_id {self.dialect.in_ids} and r.kind = 'imports' order by r.line, r.source_id, r.ordinal"
        )
        names: dict[int, list[str]] = {file_id: [] for file_id in file_ids}
        for file_id, name in self.rows(sql, (self.dialect.pack(file_ids),)) if file_ids else ():
            names[file_id].append(name)
        # A name of a value leads to the value and to its module.
        return {file_id: list(dict.fromkeys(listed)) for file_id, listed in names.items()}

    def imported_definitions(self, file_id: int) -> list[StoredChunk]:
        """List the definitions that a file imports by name, each once, in the order of the imports. Modules are left out."""
        rows = self.rows(
            "select r.target_id from refs as r join text_chunks as c on c.id = r.source_id "
            "where c.file_id = ? and r.kind = 'imports' and r.target_id is not null order by c.position, r.ordinal",
            (file_id,),
        )
        chunk_ids = dict.fromkeys(chunk_id for (chunk_id,) in rows)
        return [chunk for chunk in self.chunks([*chunk_ids]) if chunk.kind != "module"]

    def filter_condition(self, filters: Filters) -> tuple[str, list[Any]]:
        """Return filters as an SQL condition and its parameters. The condition is empty if the filters allow everything.

        It refers to the table `chunks` as `c` and to `files` as `f`.
        """
        parts = [*self.conditions(filters)]
        if filters.excluded is not None:
            # A file without a language has none of the excluded languages.
            excluded = self.conditions(filters.excluded)
            parts += [(f"not coalesce({condition}, false)", values) for condition, values in excluded]
        return " and ".join(condition for condition, _ in parts), [value for _, values in parts for value in values]

    def conditions(self, filters: Filters) -> Iterator[tuple[str, list[Any]]]:
        """Yield an SQL condition and its parameters for each filter field that is set."""
        columns = {
            "f.repo_id": filters.repo_ids or (),
            "f.language": filters.languages,
            "c.kind": filters.chunk_types,
            "f.source_type": filters.source_types,
        }
        for column, values in columns.items():
            if values:
                yield f"{column} {self.dialect.in_names}", [self.dialect.pack(values)]
        if filters.directory and (folder := filters.directory.strip("/").removeprefix("./")) not in ("", "."):
            # `like` would read `_` in the folder's name as any character.
            yield "substr(f.path, 1, ?) = ?", [len(folder) + 1, f"{folder}/"]
        if filters.file_patterns:
            condition = " or ".join(self.dialect.glob.format("f.path") for _ in filters.file_patterns)
            yield f"({condition})", [self.dialect.glob_pattern(plain(pattern)) for pattern in filters.file_patterns]
        if filters.tests is not None:
            yield "f.is_test = ?", [bool(filters.tests)]

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Return the ids of those chunks that the filters allow."""
        condition, values = self.filter_condition(filters)
        if not condition or not chunk_ids:
            return set(chunk_ids)
        sql = (
            f"select c.id from text_chunks as c join files as f on f.id = c.file_id where {condition} "
            f"and c.id {self.dialect.in_ids}"
        )
        return {row[0] for row in self.rows(sql, (*values, self.dialect.pack(chunk_ids)))}

    def allowed_runs(self, condition: str, values: Sequence[Any]) -> list[tuple[int, int]]:
        """List the ids of the chunks that meet a condition, as runs: pairs of first and last id, both inclusive.

        `condition` and `values` come from filter_condition(). The runs are in no order.
        """
        chunks = f"from text_chunks as c join files as f on f.id = c.file_id where {condition}"
        single = f"select c.id as first_id, c.id as last_id {chunks}"
        # A kind picks single chunks out of a file, which make no long runs.
        if "c.kind" in condition:
            return [(first, last) for first, last in self.rows(single, values)]
        files = self.rows(
            f"select min(c.id) as first_id, max(c.id) as last_id, count(*) as count, f.id {chunks} group by f.id",
            values,
        )
        # After an update, ids of other files may be between those of a file.
        spread = [file_id for first, last, count, file_id in files if last - first >= count]
        runs = [(first, last) for first, last, count, _ in files if last - first < count]
        if spread:
            sql = f"{single} and f.id {self.dialect.in_ids}"
            runs += [(first, last) for first, last in self.rows(sql, (*values, self.dialect.pack(spread)))]
        return runs


class SqlGraph(SqlRows):
    """A reader of definitions and the edges between them, in plain SQL."""

    def symbols(self, names: Iterable[str], *, exact_case: bool = False, suffix: str = "") -> list[Symbol]:
        """List the definitions with one of these simple names: first chunks, then members, each by path and line.

        `suffix` keeps only definitions whose qualified name ends with it, in any case. An `_` in it matches any
        character. `exact_case` tells whether the case of a simple name matters.
        """
        values = self.dialect.pack(list(names)), f"%{suffix}"
        # The index of names ignores case. It finds the candidates, and the second condition checks their case.
        chunk_case, member_case = (" and c.name = n.value", " and m.name = n.value") if exact_case else ("", "")
        rows = self.rows(
            f"select {_SYMBOL_COLUMNS} from ({self.dialect.names}) as n "
            f"join text_chunks as c on {self.dialect.same_name.format('c.name', 'n.value')}{chunk_case} "
            "join files as f on f.id = c.file_id where c.name != '' and c.kind not in ('block', 'text') "
            f"and {self.dialect.like.format('c.qualified_name')} order by f.path, c.name_line, c.id",
            values,
        )
        rows += self.rows(
            f"select {_MEMBER_COLUMNS} from ({self.dialect.names}) as n "
            f"join members as m on {self.dialect.same_name.format('m.name', 'n.value')}{member_case} "
            "join text_chunks as c on c.id = m.chunk_id join files as f on f.id = c.file_id "
            f"where {self.dialect.like.format('m.qualified_name')} order by f.path, m.line, m.id",
            values,
        )
        return [_symbol(row) for row in rows]

    def symbol_names(self) -> list[str]:
        """List the simple names of all definitions, each once, sorted by their bytes."""
        sql = (
            "select name from text_chunks where kind not in ('block', 'text') and name != '' "
            "union select name from members order by 1"
        )
        return [name for (name,) in self.rows(sql)]

    def made_symbols(self, name: str) -> list[Symbol]:
        """List the uses of macros that make a function of this name, as far as code calls it or names it."""
        rows = self.rows(
            f"select distinct {_SYMBOL_COLUMNS} from text_chunks as c join files as f on f.id = c.file_id "
            "join refs as r on r.target_id = c.id where c.kind = 'function' and c.name like ? and r.name = ? "
            "order by f.path, c.name_line, c.id",
            ("%(%)", name),
        )
        return [_symbol(row) for row in rows]

    def nodes(self, chunk_ids: Sequence[int] | None = None) -> dict[int, Symbol]:
        """Map these ids of chunks and members to definitions. With None, map all chunks but blocks, texts and sections."""
        which = "c.kind not in ('block', 'text', 'section')" if chunk_ids is None else f"c.id {self.dialect.in_ids}"
        rows = self.rows(
            f"select {_SYMBOL_COLUMNS} from text_chunks as c join files as f on f.id = c.file_id where {which} order by c.id",
            () if chunk_ids is None else (self.dialect.pack(chunk_ids),),
        )
        members = [node_id for node_id in chunk_ids or () if is_member(node_id)]
        if members:
            rows += self.rows(
                f"select {_MEMBER_COLUMNS} from members as m join text_chunks as c on c.id = m.chunk_id "
                f"join files as f on f.id = c.file_id where m.id {self.dialect.in_ids} order by m.id",
                (self.dialect.pack(members),),
            )
        return {symbol.node_id: symbol for symbol in map(_symbol, rows)}

    def uses(self, chunk_ids: Sequence[int]) -> list[Use]:
        """List the uses of these chunks and members, surely or perhaps, by path, line and column. Declarations are none."""
        of_source = "join text_chunks as c on c.id = r.source_id join files as f on f.id = c.file_id where"
        columns = "r.kind, f.path, r.line, r.column, r.name, c.qualified_name"
        ids = self.dialect.pack(chunk_ids)
        rows = self.rows(
            f"select {columns}, r.confidence, f.is_test, 0 as is_candidate from refs as r "
            f"{of_source} r.kind != 'declares' and r.target_id {self.dialect.in_ids}",
            (ids,),
        )
        rows += self.rows(
            f"select {columns}, cast(0 as double precision) as confidence, f.is_test, 1 as is_candidate from candidates as k "
            f"join refs as r on r.source_id = k.source_id and r.ordinal = k.ordinal "
            f"{of_source} r.target_id is null and k.chunk_id {self.dialect.in_ids}",
            (ids,),
        )
        # Sorted here, because each database has its own order of texts.
        return sorted((Use(*(*row[:7], bool(row[7]), bool(row[8]))) for row in rows), key=use_order)

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that refer to one of these chunks, one entry per reference of this kind.

        The most certain come first, then code before tests, then by path and line.
        """
        order = "r.confidence desc, f.is_test, f.path, r.line, r.target_id, r.source_id, r.ordinal"
        return self._neighbours("target_id", "source_id", order, chunk_ids, kind)

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that these chunks refer to, one entry per reference of this kind.

        They are in order of the id of the referring chunk, then in the order of its references.
        """
        return self._neighbours("source_id", "target_id", "r.source_id, r.ordinal", chunk_ids, kind)

    def _neighbours(self, near: str, far: str, order: str, chunk_ids: Sequence[int], kind: str) -> list[Neighbour]:
        """List the definitions at the far end of each reference of this kind whose near end is one of these chunks.

        `near` and `far` are the columns `source_id` and `target_id`, in one order or the other. `order` is SQL.
        """
        rows = self.rows(
            f"select {_SYMBOL_COLUMNS}, r.kind, r.line, r.confidence, coalesce(r.origin, 'resolver') as origin "
            f"from refs as r join text_chunks as c on c.id = r.{far} join files as f on f.id = c.file_id "
            f"where r.{near} {self.dialect.in_ids} and r.kind = ? order by {order}",
            (self.dialect.pack(chunk_ids), kind),
        )
        return [Neighbour(_symbol(row), *row[12:]) for row in rows]

    def callers_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the calls to each chunk, at most `most` per chunk, in order of caller id. A popular function has thousands."""
        return self._first_edges("target_id", "source_id", chunk_ids, most)

    def callees_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the calls that each chunk makes: at most the first `most` per chunk, in stored order."""
        return self._first_edges("source_id", "target_id", chunk_ids, most)

    def _first_edges(self, near: str, far: str, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the first `most` calls of each chunk. `near` is the column for the chunk: `source_id` or `target_id`."""
        # A limit holds for a whole statement, so each chunk has a statement of its own.
        single = (
            f"select * from (select {near}, {far}, kind, line, confidence, receiver from refs "
            f"where {near} = ? and kind = 'calls' and target_id is not null "
            f"{self.dialect.edge_order} limit {int(most)})"
        )
        edges: list[Edge] = []
        for start in range(0, len(chunk_ids), MAX_UNION):
            part = chunk_ids[start : start + MAX_UNION]
            edges += [Edge(*row) for row in self.rows(" union all ".join([single] * len(part)), part)]
        return edges

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind at these chunks, in order of source id and ordinal.

        The ordinal numbers the references of a source. If `incoming`, these chunks are the targets of the edges, else
        their sources.
        """
        near, far = ("target_id", "source_id") if incoming else ("source_id", "target_id")
        rows = self.rows(
            f"select {near}, {far}, kind, line, confidence, receiver from refs "
            f"where {near} {self.dialect.in_ids} and kind = ? and target_id is not null order by source_id, ordinal",
            (self.dialect.pack(chunk_ids), kind),
        )
        return [Edge(*row) for row in rows]

    def all_edges(self, kinds: Sequence[str]) -> list[Edge]:
        """List all edges of these kinds, in order of source id and ordinal, which numbers the references of a source.

        References without a target are left out.
        """
        sql = (
            "select source_id, target_id, kind, line, confidence, receiver from refs where target_id is not null "
            f"and kind {self.dialect.in_names} order by source_id, ordinal"
        )
        return [Edge(*row) for row in self.rows(sql, (self.dialect.pack(kinds),))]

    def registrations(self) -> list[LinkedRegistration]:
        """List what frameworks call, and where they learn of it, in order of source id and ordinal."""
        columns = ", ".join(LinkedRegistration._fields)
        rows = self.rows(f"select {columns} from registrations order by source_id, ordinal")
        return [LinkedRegistration(*row) for row in rows]

    def classes_around(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """Map the id of each definition to the id of the class that directly contains it.

        Definitions outside of classes are left out.
        """
        sql = (
            "select c.id, p.id as parent_id from text_chunks as c join text_chunks as p on p.id = c.parent_id "
            f"where c.id {self.dialect.in_ids} and p.kind {self.dialect.in_names}"
        )
        values = self.dialect.pack(chunk_ids), self.dialect.pack(sorted(CLASS_KINDS))
        return dict(self.rows(sql, values))

    def parents(self) -> dict[int, int]:
        """Map each chunk id to the id of the chunk that directly contains it.

        Chunks at the top level of a file are left out.
        """
        return dict(self.acyclic(dict(self.rows("select id, parent_id from text_chunks where parent_id is not null"))))

    def has_kind(self, kind: str) -> bool:
        """Return whether the index has a chunk of this kind."""
        return bool(self.rows("select 1 as count from text_chunks where kind = ? limit 1", (kind,)))

    def repositories(self) -> list[str]:
        """List the names of the repositories, sorted. The name is empty if the index does not name its repository."""
        return sorted(name for (name,) in self.rows("select distinct repo_id from files"))

    def has_folder(self, folder: str) -> bool:
        """Return whether the index has a file in a folder or below it. The folder has no slash at its end."""
        # "0" is the character after "/": a range is found by the index of paths, a prefix by a scan.
        sql = "select 1 as count from files where path > ? and path < ? limit 1"
        return bool(self.rows(sql, (f"{folder}/", f"{folder}0")))

    def unread_files(self) -> list[FileRow]:
        """List the files that were not read whole, by path: the grammar could not, or `error` says why nothing was read."""
        sql = f"select {_FILE_COLUMNS} from files where is_broken or error is not null order by path"
        return [FileRow(*row) for row in self.rows(sql)]

    def marked_files(self, *, tests: bool = False) -> set[str]:
        """Return the paths of all files that are examples, generated or vendored, and with `tests` also of tests."""
        also = " or is_test" if tests else ""
        sql = f"select path from files where is_example or is_generated or is_vendored{also}"
        return {path for (path,) in self.rows(sql)}

    def open_names(self, chunk_ids: Sequence[int], kind: str) -> list[str]:
        """List the names of references without a target, of one kind and in these chunks, each once, sorted.

        Such a reference is unresolved or ambiguous. The name includes its receiver, the expression before it:
        `self.cart.add`.
        """
        sql = (
            "select distinct case when receiver = '' then name else receiver || '.' || name end as name from refs "
            f"where kind = ? and target_id is null and source_id {self.dialect.in_ids} order by 1"
        )
        return [name for (name,) in self.rows(sql, (kind, self.dialect.pack(chunk_ids)))]

    def open_sources(self, kind: str, chunk_ids: Sequence[int] | None = None) -> set[int]:
        """Return the ids of the chunks, of these or of all, that have a reference of this kind without a target.

        It is unresolved or ambiguous.
        """
        sql = "select distinct source_id from refs where target_id is null and kind = ?"
        if chunk_ids is None:
            return {chunk_id for (chunk_id,) in self.rows(sql, (kind,))}
        rows = self.rows(f"{sql} and source_id {self.dialect.in_ids}", (kind, self.dialect.pack(chunk_ids)))
        return {chunk_id for (chunk_id,) in rows}

    def open_call_names(self) -> dict[str, int]:
        """Map each called name to the number of its calls that have no target (unresolved or ambiguous)."""
        sql = "select name, count(*) as count from refs where target_id is null and kind = 'calls' group by 1"
        return {str(name): int(count) for name, count in self.rows(sql)}

    def open_calls_in(self, chunk_id: int) -> int:
        """Count the unresolved and ambiguous calls in a chunk."""
        sql = (
            "select count(*) as count from refs "
            "where source_id = ? and kind = 'calls' and target_id is null and external_id is null"
        )
        return int(self.rows(sql, (chunk_id,))[0][0])

    def open_sites(self, names: Sequence[str], chunk_ids: Sequence[int], *, outside: bool = False) -> list[OpenSite]:
        """List calls of these names that have no target and may call one of these chunks, by path, line and column.

        The calls are unresolved or ambiguous, or with `outside` known to lead out of the repository. An ambiguous call is
        left out if none of these chunks is among its candidates. It stays if its list of candidates is full, because the
        index does not store more than MAX_CANDIDATES.
        """
        candidates = "from candidates as k where k.source_id = r.source_id and k.ordinal = r.ordinal"
        rows = self.rows(
            "select f.path, r.line, r.name, r.receiver, f.language, f.is_test, r.ambiguous, "
            f"r.ambiguous and (select count(*) {candidates}) >= {MAX_CANDIDATES} as is_cut, "
            f"r.ambiguous and exists (select 1 {candidates} and k.chunk_id {self.dialect.in_ids}) as is_candidate "
            "from refs as r "
            "join text_chunks as c on c.id = r.source_id join files as f on f.id = c.file_id "
            f"where r.target_id is null {'' if outside else 'and r.external_id is null '}and r.kind = 'calls' "
            f"and r.name {self.dialect.in_names} {self.dialect.open_names} "
            f"{self._of_repositories('r.source_id', chunk_ids)}order by f.path, r.line, r.column, r.source_id, r.ordinal",
            (self.dialect.pack(chunk_ids), self.dialect.pack(names)),
        )
        return [
            OpenSite(path, line, name, receiver, language, bool(is_test), bool(is_candidate))
            for path, line, name, receiver, language, is_test, ambiguous, is_cut, is_candidate in rows
            if is_candidate or not ambiguous or is_cut
        ]

    def _of_repositories(self, column: str, chunk_ids: Sequence[int]) -> str:
        """Return the SQL that keeps the ids in a column of these chunks' repositories: all without chunks, or in a file."""
        return ""

    def open_edges(self, chunk_ids: Sequence[int], confidence: float) -> list[Edge]:
        """List the calls of `open_sites` that have the name of one of these chunks, each as an edge to that chunk."""
        candidates = "from candidates as k where k.source_id = r.source_id and k.ordinal = r.ordinal"
        rows = self.rows(
            "select t.id, r.source_id, r.line, r.receiver from text_chunks as t join refs as r on r.name = t.name "
            f"where t.id in ({self.dialect.ids}) and r.target_id is null and r.kind = 'calls' and r.source_id <> t.id "
            f"and r.external_id is null {self.dialect.same_repository} {self.dialect.open_names} and (not r.ambiguous "
            f"or (select count(*) {candidates}) >= {MAX_CANDIDATES} "
            f"or exists (select 1 {candidates} and k.chunk_id = t.id)) order by r.source_id, r.ordinal, t.id",
            (self.dialect.pack(chunk_ids),),
        )
        return [Edge(of, source, "calls", line, confidence, receiver) for of, source, line, receiver in rows]

    def tied_sites(self, chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls to these definitions that may call an overload instead, by path, line and column.

        Such an overload takes the same number of arguments.
        """
        rows = self.rows(
            f"select f.path, r.line, r.name, r.receiver, f.language, f.is_test from ({self.dialect.ids}) as ids "
            "join refs as r on r.target_id = ids.value join text_chunks as c on c.id = r.source_id "
            "join files as f on f.id = c.file_id "
            "where r.ambiguous and r.kind = 'calls' order by f.path, r.line, r.column, r.source_id, r.ordinal",
            (self.dialect.pack(chunk_ids),),
        )
        return [
            OpenSite(path, line, name, receiver, language, bool(is_test), True)
            for path, line, name, receiver, language, is_test in rows
        ]

    def overloads(self, chunk_ids: Sequence[int]) -> dict[int, list[Symbol]]:
        """Map each definition to its overloads: the other definitions in its file with the same qualified name, by id.

        Definitions without overloads are left out.
        """
        rows = self.rows(
            f"select c.id, o.id as chunk_id from ({self.dialect.ids}) as ids join text_chunks as c on c.id = ids.value "
            f"join text_chunks as o on {self.dialect.same_name.format('o.name', 'c.name')} and o.file_id = c.file_id "
            "and o.id != c.id and o.qualified_name = c.qualified_name where c.name != '' and o.name != '' "
            "order by c.id, o.id",
            (self.dialect.pack(chunk_ids),),
        )
        symbols = self.nodes([overload_id for _, overload_id in rows])
        overloads: dict[int, list[Symbol]] = {}
        for chunk_id, overload_id in rows:
            overloads.setdefault(chunk_id, []).append(symbols[overload_id])
        return overloads

    def outside_names(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """Map each path to the last words of the file's imports that have no target: `import os.path` gives `path`."""
        sql = (
            f"select f.path, r.name from ({self.dialect.names}) as p join files as f on f.path = p.value "
            f"join text_chunks as c on c.file_id = f.id join refs as r {self.dialect.open_imports} on r.source_id = c.id "
            "where r.kind = 'imports' and r.target_id is null"
        )
        names: dict[str, set[str]] = {}
        for path, name in self.rows(sql, (self.dialect.pack(sorted(paths)),)):
            names.setdefault(path, set()).add(name.replace(".", " ").split(" ")[-1])
        return names

    def open_imports(self) -> list[tuple[str, str]]:
        """List the imports without a target, each as (path, name), by path and then by name. Each pair comes once.

        The name is `module name`, or the module alone if it is imported as a whole.
        """
        sql = (
            f"select distinct f.path, r.name from refs as r {self.dialect.open_imports} "
            "join text_chunks as c on c.id = r.source_id join files as f on f.id = c.file_id "
            "where r.kind = 'imports' and r.target_id is null"
        )
        return sorted((path, name) for path, name in self.rows(sql))

    def file_edges(self, kind: str, path: str, *, incoming: bool) -> list[tuple[str, int]]:
        """List the files that this file's edges of a kind lead to, with the line of each reference.

        If `incoming`, list the files that the edges come from. A file is listed once per reference.
        """
        near, far = ("target_id", "source_id") if incoming else ("source_id", "target_id")
        sql = (
            "select g.path, r.line from files as f join text_chunks as c on c.file_id = f.id "
            f"join refs as r on r.{near} = c.id and r.kind = ? join text_chunks as d on d.id = r.{far} "
            "join files as g on g.id = d.file_id where f.path = ? order by c.position, r.source_id, r.ordinal"
        )
        return [(far_path, line) for far_path, line in self.rows(sql, (kind, path))]

    def links(self, kinds: Sequence[str]) -> list[LinkRow]:
        """List the pairs of files that edges of these kinds join, by source path and target path.

        No file is joined to itself.
        """
        sql = (
            "select f.path, g.path, l.weight, l.confidence, l.line, f.is_test as from_test, g.is_test as to_test from ("
            "select c.file_id as source, d.file_id as target, count(*) as weight, "
            "max(r.confidence) as confidence, min(r.line) as line from refs as r "
            "join text_chunks as c on c.id = r.source_id join text_chunks as d on d.id = r.target_id "
            f"where r.kind {self.dialect.in_names} and c.file_id <> d.file_id group by 1, 2) as l "
            "join files as f on f.id = l.source join files as g on g.id = l.target"
        )
        # Sorted here, because each database has its own order of texts.
        rows = self.rows(sql, (self.dialect.pack(kinds),))
        links = (LinkRow(*row) for row in rows)
        return sorted(link._replace(from_test=bool(link.from_test), to_test=bool(link.to_test)) for link in links)

    def file_symbols(self, path: str) -> list[Symbol]:
        """List the definitions of a file, including members (such as fields), in order of line.

        A file without definitions gets a list of its sections, such as the headings of a document.
        """
        definitions = (
            f"select {_SYMBOL_COLUMNS}, 0 as is_member, c.position, 0 as member_id from text_chunks as c "
            "join files as f on f.id = c.file_id where f.path = ? "
            "and (c.kind not in ('block', 'text', 'module', 'section') or (c.kind = 'module' and c.signature != '')) "
            f"union all select {_MEMBER_COLUMNS}, 1, c.position, m.id from members as m "
            # Of two definitions on a line the longer one goes first, because it is the outer one.
            "join text_chunks as c on c.id = m.chunk_id "
            "join files as f on f.id = c.file_id where f.path = ? order by 8, 9 desc, 13, 14, 15"
        )
        sections = (
            f"select {_SYMBOL_COLUMNS} from text_chunks as c join files as f on f.id = c.file_id "
            "where f.path = ? and c.kind = 'section' order by c.name_line, c.position"
        )
        return [_symbol(row) for row in self.rows(definitions, (path, path)) or self.rows(sections, (path,))]

    def file_definitions(self, path: str) -> list[StoredDefinition]:
        """List the definitions of a file, including members (such as fields), in the order of their chunks."""
        return _definitions(self.rows(_DEFINITIONS, (path, path)))

    def file_references(self, path: str) -> list[ResolvedReference]:
        """List the resolved references of a file, by line and column."""
        rows = self.rows(
            "select r.source_id, r.kind, r.name, r.receiver, r.line, r.column, r.target_id, r.confidence from refs as r "
            "join text_chunks as c on c.id = r.source_id join files as f on f.id = c.file_id "
            "where f.path = ? and r.target_id is not null order by r.line, r.column, r.source_id, r.ordinal",
            (path,),
        )
        return [ResolvedReference(*row) for row in rows]

    def reference_fates(self, path: str, lines: tuple[int, int] = (0, MAX_LINES)) -> list[ResolvedReference]:
        """List all references of a file, by line and column. `lines` are the first and the last that count.

        A resolved reference has a target, an ambiguous one has candidates, an unresolved one has neither.
        """
        of_file = "join text_chunks as c on c.id = r.source_id join files as f on f.id = c.file_id where f.path = ?"
        candidates: dict[tuple[int, int], tuple[int, ...]] = {}
        for source_id, ordinal, chunk_id in self.rows(
            "select r.source_id, r.ordinal, r.chunk_id from candidates as r "
            f"{of_file} order by r.source_id, r.ordinal, r.chunk_id",
            (path,),
        ):
            candidates[source_id, ordinal] = (*candidates.get((source_id, ordinal), ()), chunk_id)
        rows = self.rows(
            "select r.source_id, r.ordinal, r.kind, r.name, r.receiver, r.line, r.column, r.target_id, "
            "r.confidence as any_confidence, coalesce(r.origin, 'resolver') as origin, "
            "r.ambiguous and r.target_id is not null as is_tied "
            f"from refs as r {of_file} and r.line between ? and ? order by r.line, r.column, r.source_id, r.ordinal",
            (path, *lines),
        )
        return [
            ResolvedReference(
                source_id,
                kind,
                name,
                receiver,
                line,
                column,
                target_id,
                confidence,
                candidates.get((source_id, ordinal), ()),
                origin,
                bool(tied),
            )
            for source_id, ordinal, kind, name, receiver, line, column, target_id, confidence, origin, tied in rows
        ]


_EXTERNALS = (
    "select m.ecosystem, m.package, m.version, m.module, e.name, r.kind, f.path, r.line, r.column, r.confidence, "
    "c.qualified_name, f.is_test, r.source_id from refs as r join externals as e on e.id = r.external_id "
    "join external_modules as m on m.id = e.module_id join text_chunks as c on c.id = r.source_id "
    "join files as f on f.id = c.file_id"
)
"""The references that lead out of the repository, with the columns of ExternalUse."""


class SqlExternals(SqlRows):
    """The questions about names outside the repository."""

    def externals(self, chunk_ids: Sequence[int], kinds: Sequence[str]) -> list[ExternalUse]:
        """List what references of some kinds in these chunks mean outside the repository, by path and line."""
        sql = f"{_EXTERNALS} where r.source_id {self.dialect.in_ids} and r.kind {self.dialect.in_names}"
        return self._external_uses(sql, (self.dialect.pack(chunk_ids), self.dialect.pack(kinds)))

    def external_uses(self, name: str) -> list[ExternalUse]:
        """List the uses of a name outside the repository and of what is in it, by path and line: `requests.get`, `requests`.

        A package counts by its name, and a module or a name in it by the start of the qualified name.
        """
        ids = [
            number
            for number, package, module, inside in self.rows(
                "select e.id, m.package, m.module, e.name from externals as e "
                "join external_modules as m on m.id = e.module_id"
            )
            if is_in_package(name, package, joined_name(module, inside))
        ]
        sql = f"{_EXTERNALS} where r.external_id {self.dialect.in_ids}"
        return self._external_uses(sql, (self.dialect.pack(ids),)) if ids else []

    def _external_uses(self, sql: str, values: Sequence[Any]) -> list[ExternalUse]:
        rows = self.rows(sql, values)
        make: Callable[..., ExternalUse] = ExternalUse
        uses = (make(*row[:4], joined_name(row[3], row[4]), *row[5:-2], bool(row[-2]), row[-1]) for row in rows)
        return sorted(uses, key=lambda use: (use.file_path, use.line, use.column, use.qualified_name, use.kind))

    def packages(self) -> list[PackageUse]:
        """List the packages outside the repository that references name, each with its uses, the most used first."""
        rows = self.rows(
            "select m.ecosystem, m.package, max(m.version) as version, cast(sum(r.count) as bigint) as count "
            "from (select external_id, count(*) as count from refs where external_id is not null group by external_id) as r "
            "join externals as e on e.id = r.external_id join external_modules as m on m.id = e.module_id "
            "group by m.ecosystem, m.package"
        )
        return sorted((PackageUse(*row) for row in rows), key=package_order)


class SqlReader(SqlChunks, SqlGraph, SqlExternals):
    """A reader of an index, in plain SQL."""

    def sums(self) -> Sums:
        """Return the numbers of indexed files, of their lines, and of chunks. This is quick."""
        sql = (
            "select count(*) as count, cast(coalesce(sum(lines), 0) as bigint) as lines, count(language) as count "
            "from files where error is null"
        )
        files, lines, parsed = self.rows(sql)[0]
        return Sums(
            int(files), int(lines), int(self.rows("select count(*) as count from text_chunks")[0][0]), int(parsed)
        )

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the statistics of the index: eight groups of counts, each sorted with the largest count first.

        `languages` counts files and `lines` counts lines, both by language. `text` counts the files without a language, by
        the ending of their names. `skipped` counts skipped files by reason. `masked` counts the `secrets` that are masked in
        texts, and their `files`.
        `chunks` and `edges` are by kind. `references` counts the resolved, ambiguous and unresolved calls, and those that
        lead `outside` the repository. If there are descriptions, `described` counts them by model.
        """
        queries = {
            "languages": "select coalesce(language, source_type) as name, count(*) as count from files "
            "where error is null group by 1",
            "lines": "select coalesce(language, source_type) as name, cast(sum(lines) as bigint) as lines from files "
            "where error is null group by 1",
            "skipped": "select case when error like 'unreadable%' then 'unreadable' else error end as name, "
            "count(*) as count from files where error is not null group by 1",
            "masked": "select 'secrets' as name, cast(sum(secrets) as bigint) as count from files where secrets > 0 "
            "having count(*) > 0 union all select 'files' as name, count(*) as count from files where secrets > 0 "
            "having count(*) > 0",
            "chunks": "select kind, count(*) as count from text_chunks group by 1",
        }
        counts = {
            name: Counter({str(key): int(count) for key, count in self.rows(sql)}) for name, sql in queries.items()
        }
        texts = self.rows("select path from files where error is null and language is null")
        text = Counter(posixpath.splitext(path)[1] for (path,) in texts)
        counts = {"languages": counts["languages"], "lines": counts["lines"], "text": text, **counts}
        edges = Counter(
            {"child_of": int(self.rows("select count(*) as count from text_chunks where parent_id is not null")[0][0])}
        )
        references: Counter[str] = Counter()
        # One pass over all references: there are many more of them than of anything else.
        by_kind = (
            "select kind, count(target_id) as resolved, "
            "count(case when target_id is null and ambiguous then 1 end) as count, count(external_id) as count, "
            "count(*) as count from refs group by kind"
        )
        for kind, resolved, ambiguous, outside, total in self.rows(by_kind):
            edges[kind] += resolved
            if kind == "calls":
                unresolved = total - resolved - ambiguous - outside
                references.update(resolved=resolved, ambiguous=ambiguous, outside=outside, unresolved=unresolved)
        counts |= {"edges": +edges, "references": +references}
        described = self.rows("select model as name, count(*) as count from descriptions group by 1")
        counts |= {"described": Counter({model: int(count) for model, count in described})} if described else {}
        return {name: by_size(counter) for name, counter in counts.items()}

    def contents(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """Return the content of the index, to compare it with another: pairs of a table's name and its rows.

        The rows are in no order. A chunk is written as `path:position`, because its id may differ between two builds.
        Of full-text rows, an index file tells how often each word stands in how many chunks. A server does not tell.
        """
        chunk = "(select f.path || ':' || c.position from text_chunks as c join files as f on f.id = c.file_id where c.id = {})"
        member = (
            "(select f.path || ':' || m.position || ' ' || m.qualified_name from members as m "
            "join text_chunks as c on c.id = m.chunk_id join files as f on f.id = c.file_id where m.id = {})"
        )
        queries = {
            "meta": "select key, value from meta",
            "history": "select path, last_commit, authors from history",
            "changed_together": "select path, partner, commits from changed_together",
            "files": "select path, repo_id, language, source_type, size, lines, encoding, module, content_hash, is_test, "
            "is_example, is_generated, is_vendored, is_broken, secrets, error from files",
            "contents": "select f.path, t.text from contents as t join files as f on f.id = t.file_id",
            "chunks": f"select {chunk.format('o.id')} as chunk, {chunk.format('o.parent_id')} as parent_chunk, kind, name, "
            "qualified_name, signature, doc, start_byte, end_byte, start_line, end_line, name_line, def_end_line, has_body, "
            "content_hash from text_chunks as o",
            "members": f"select {chunk.format('m.chunk_id')} as chunk, m.position, kind, name, qualified_name, signature, doc, "
            "line, end_line, has_body from members as m",
            "refs": f"select {chunk.format('r.source_id')} as chunk, ordinal, kind, name, receiver, line, r.column, "
            f"coalesce({chunk.format('r.target_id')}, {member.format('r.target_id')}) as target_chunk, "
            "confidence as any_confidence, ambiguous, origin, "
            "(select e.name from externals as e where e.id = r.external_id) as target_name, "
            "(select m.ecosystem || ' ' || m.module || ' ' || m.package || ' ' || m.version from externals as e "
            "join external_modules as m on m.id = e.module_id where e.id = r.external_id) as target_module from refs as r",
            "candidates": f"select {chunk.format('k.source_id')} as chunk, ordinal, "
            f"{chunk.format('k.chunk_id')} as target_chunk from candidates as k",
            "registrations": f"select {chunk.format('g.source_id')} as chunk, ordinal, framework, kind, verb, name, router, "
            f"line, {chunk.format('g.target_id')} as target_chunk, target_name from registrations as g",
        }
        tables = [(name, self.rows(sql)) for name, sql in queries.items()]
        # Without vectors there is no such table.
        if meta_number(self.meta(), "dimensions"):
            label = chunk.format("o.id")
            labels = self.rows(f"select o.id, {label} as chunk from text_chunks as o where end_byte > start_byte")
            embedded = self.vectors_of([row[0] for row in labels])
            tables.append(("vectors", [(label, embedded.get(chunk_id)) for chunk_id, label in labels]))
        return tables

    def chunk_hashes(self) -> dict[bytes, int]:
        """Map the content hash of each chunk with a text to the id of a chunk with this text."""
        sql = "select content_hash, id from text_chunks where end_byte > start_byte order by id"
        return dict(self.rows(sql))

    @abstractmethod
    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Map these chunk ids to the vectors of the chunks: the bytes of quantise(). Chunks without a vector are left out."""


class LinkReader(SqlRows):
    """A reader of what the linker needs, in plain SQL, also inside a writer's transaction."""

    def sentences(self) -> list[tuple[bytes, str, str]]:
        """List what a language model wrote of contents, as (hash of the content, model, sentence), by hash."""
        rows = self.rows("select content_hash, model, sentence from sentences order by content_hash")
        return [(content_hash, model, sentence) for content_hash, model, sentence in rows]

    def file(self, path: str) -> StoredFile | None:
        """Return a file with its text, or None if the file is unknown or has no language."""
        rows = self.rows(
            "select f.id, f.path, f.language, f.is_test, t.text, f.size, f.content_hash from files as f "
            "join contents as t on t.file_id = f.id where f.path = ? and f.language is not null",
            (path,),
        )
        if not rows:
            return None
        file_id, path, language, is_test, packed, size, content_hash = rows[0]
        ids = self.rows("select id from text_chunks where file_id = ? order by position", (file_id,))
        chunk_ids = [chunk_id for (chunk_id,) in ids]
        member_ids = [member.member_id for member in self.members(file_id)]
        text = self.unpacked(packed, size)
        return StoredFile(file_id, path, language, bool(is_test), text, chunk_ids, member_ids, content_hash)

    def members(self, file_id: int) -> list[OldMember]:
        """List the members of a file in their order."""
        rows = self.rows(
            "select m.id as member_id, m.kind, m.qualified_name from members as m join text_chunks as c on c.id = m.chunk_id "
            "where c.file_id = ? order by m.position",
            (file_id,),
        )
        return [OldMember(*row) for row in rows]

    def content_hash(self, path: str) -> bytes:
        """Return the hash of a file's content, or empty bytes if the file is unknown."""
        rows = self.rows("select content_hash from files where path = ?", (path,))
        return bytes(rows[0][0] or b"") if rows else b""

    def paths(self, file_ids: Collection[int] | None = None) -> dict[int, str]:
        """Map the id of each indexed file that has a language to its path. With `file_ids`, only these files count."""
        chosen = "" if file_ids is None else f" and id {self.dialect.in_ids}"
        values = () if file_ids is None else (self.dialect.pack(sorted(file_ids)),)
        sql = f"select id, path from files where language is not null and error is null{chosen} order by id"
        return dict(self.rows(sql, values))

    def module_rows(self) -> list[tuple[str, str, str, bool]]:
        """List path, language, module and is_test of each indexed file that has a language, by path."""
        rows = self.rows(
            "select path, language, module, is_test from files where language is not null and error is null order by path"
        )
        return [(path, language, module, bool(is_test)) for path, language, module, is_test in rows]

    def named(self, name: str) -> list[StoredDefinition]:
        """List the definitions with a simple name, in exact case: by path, by chunk, then by what they are.

        A definition that is a member has the node of its chunk.
        """
        same_chunk = self.dialect.same_name.format("c.name", "?")
        same_member = self.dialect.same_name.format("m.name", "?")
        rows = self.rows(
            "select f.path, f.language, c.name_line, c.name, c.qualified_name, f.module, c.kind, c.id, c.has_body, "
            "c.signature, c.doc, c.position, 0 as member_id from text_chunks as c join files as f on f.id = c.file_id "
            # The first chunk of a file is its module, which is no definition.
            f"where {same_chunk} and c.name = ? and c.name != '' and c.position > 0 and f.language is not null "
            "union all select f.path, f.language, m.line, m.name, m.qualified_name, f.module, m.kind, n.id, m.has_body, "
            "m.signature, m.doc, n.position, m.id from members as m join text_chunks as c on c.id = m.chunk_id "
            # The module stands for a namespace, as in `Chunks.chunk_of`.
            "join text_chunks as n on n.id = case when m.kind = 'namespace' then "
            f"(select id from text_chunks where file_id = c.file_id and position = 0) else {_NODE} end "
            "join files as f on f.id = c.file_id "
            f"where {same_member} and m.name = ? and m.name != ''",
            (name, name, name, name),
        )
        # Exactly the order of the facts of a file, so that an update and a full build take the same definition.
        rows.sort(key=lambda row: (row[0], row[11], name_inside(row[4], row[5]), row[6], row[8]))
        return _definitions(rows)

    def is_written(self, name: str, *, value: bool, besides: Collection[int] = ()) -> bool:
        """Say whether any file defines a simple name, in exact case, or with `value` a constant, field or short type of it.

        The files `besides` do not count.
        """
        kinds = f"c.kind {self.dialect.in_names}" if value else "c.kind not in ('block', 'text') and c.position > 0"
        values = (self.dialect.pack(sorted(WRITTEN_KINDS)),) if value else ()
        same_chunk, same_member = (self.dialect.same_name.format(f"{table}.name", "?") for table in "cm")
        elsewhere = f"and not c.file_id {self.dialect.in_ids}" if besides else ""
        ids = (self.dialect.pack(sorted(besides)),) if besides else ()
        rows = self.rows(
            f"select 1 as count from text_chunks as c where {same_chunk} and c.name = ? and c.name != '' "
            f"and {kinds} {elsewhere} limit 1",
            (name, name, *values, *ids),
        ) or self.rows(
            "select 1 as count from members as m join text_chunks as c on c.id = m.chunk_id "
            f"where {same_member} and m.name = ? and (m.kind != 'namespace' or not {value:d} = 1) {elsewhere} limit 1",
            (name, name, *ids),
        )
        return bool(rows)

    def definitions(self, path: str) -> list[StoredDefinition]:
        """List the definitions of a file, including members (such as fields), in the order of their chunks."""
        return _definitions(self.rows(_DEFINITIONS, (path, path)))

    def spans(self, file_id: int) -> list[tuple[int, int]]:
        """List the chunks of a file in order, each as its first line and the id of its node in the graph.

        The references from that line on belong to this node, until the next chunk begins. The node is the chunk itself,
        or its parent if the chunk is a `block` or `text`.
        """
        sql = f"select start_line, {_NODE} as id from text_chunks as c where file_id = ? order by position"
        return [(line, chunk_id) for line, chunk_id in self.rows(sql, (file_id,))]

    def exact(self, file_id: int) -> list[ExactUse]:
        """List those references of a file that a SCIP index resolved, in order of source id and ordinal.

        The ordinal numbers the references of a source, which is a chunk. References to a removed chunk are left out.
        """
        rows = self.rows(
            "select r.line, r.column, r.kind, r.name, r.source_id, f.path as target_path, f.module as target_module, "
            "c.qualified_name as target_name, c.kind as target_kind, c.id as target_id, c.has_body as is_present, "
            "m.qualified_name as member_name, m.kind as member_kind, m.has_body as is_present "
            "from text_chunks as s join refs as r on r.source_id = s.id "
            "left join text_chunks as c on c.id = r.target_id left join files as f on f.id = c.file_id "
            # A chunk may hold several members. The name decides which of them it is.
            "left join members as m on m.chunk_id = c.id and m.name = r.name and c.name != r.name "
            "where s.file_id = ? and r.origin = 'scip' and (r.target_id is null or c.id is not null) "
            "order by r.source_id, r.ordinal, m.id",
            (file_id,),
        )
        uses: list[ExactUse] = []
        for line, column, kind, name, source_id, path, module, qualified, *target_columns in rows:
            chunk_kind, chunk_id, has_body, member, member_kind, member_has_body = target_columns
            target: Target | None = None
            if path is not None and member is not None:
                target = Target(path, name_inside(member, module), member_kind, chunk_id, bool(member_has_body))
            elif path is not None:
                target = Target(path, name_inside(qualified, module), chunk_kind, chunk_id, bool(has_body))
            uses.append(ExactUse(line, column, kind, name, source_id, target))
        return uses

    def lookups(self, file_ids: Collection[int] | None = None) -> list[tuple[int, bytes]]:
        """List the id of each file with its lookups: the packed hashes of the names that its linking looked up.

        The pairs are in order of file id. Files without lookups are left out. With `file_ids`, only these files count.
        """
        chosen = "" if file_ids is None else f" where file_id {self.dialect.in_ids}"
        values = () if file_ids is None else (self.dialect.pack(sorted(file_ids)),)
        return [
            (file_id, packed)
            for file_id, packed in self.rows(f"select file_id, hashes from lookups{chosen} order by file_id", values)
        ]

    def texts_named(self, matches: Callable[[str], bool]) -> dict[str, str]:
        """Map the path of each indexed file whose name `matches` to its text, in order of path. The name has no folder."""
        texts: dict[str, str] = {}
        for path, file_id in self.rows("select path, id from files where error is null order by path"):
            if matches(path.rpartition("/")[2]):
                texts[path] = self.text_of(file_id).decode("utf-8", "replace")
        return texts


def _definitions(rows: Iterable[tuple[Any, ...]]) -> list[StoredDefinition]:
    """Return definitions from rows that have the columns of _DEFINITIONS."""
    return [
        StoredDefinition(
            path, language, line, name, name_inside(qualified, module), kind, chunk_id, bool(has_body), signature, doc
        )
        for path, language, line, name, qualified, module, kind, chunk_id, has_body, signature, doc, _, _ in rows
    ]


def _chunks(rows: Iterable[tuple[Any, ...]]) -> list[StoredChunk]:
    """Return chunks from rows that have the columns of _CHUNK_COLUMNS."""
    return list(as_records(StoredChunk, (row[:-1] for row in rows)))


def _symbol(row: Sequence[Any]) -> Symbol:
    """Return a symbol from a row that has the columns of _SYMBOL_COLUMNS."""
    return Symbol(*(*row[:10], bool(row[10]), row[11]))
