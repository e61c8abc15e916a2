"""Definitions, edges and counts of an index file, and checks of the whole."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.results import Neighbour, OpenSite, Symbol
from code_graph_indexer.storage.records import (
    CHUNK_MARKS,
    MAX_CANDIDATES,
    Edge,
    EdgeEnd,
    PlacedDefinition,
    ResolvedReference,
    StoredChunk,
    Sums,
)
from code_graph_indexer.storage.sqlite_links import DEFINITIONS, placed
from code_graph_indexer.storage.sqlite_search import SqliteSearch
from code_graph_indexer.syntax.records import CLASS_KINDS

_SYMBOL_COLUMNS = (
    "c.id, c.kind, c.name, c.qualified_name, c.signature, c.doc, f.path, c.name_line, c.def_end_line, "
    "f.language, f.is_test"
)

MAX_UNION = 100
"""Chunks whose edges one statement reads; SQLite joins 500 at most."""


class SqliteStore(SqliteSearch):
    """Read an index file: all that retrieval, the graph and the checks ask of it."""

    def symbols(self, names: Iterable[str], *, exact_case: bool = False, suffix: str = "") -> list[Symbol]:
        """List the definitions of these simple names, chunks before members, by path and line.

        `suffix` leaves out those whose qualified names do not end with it, in any case; `_` in it stands for any character.
        """
        wanted = (json.dumps(list(names)), f"%{suffix}")
        # The index of names knows no case: it finds what may be meant, and the second condition what is.
        as_chunk, as_member = (" and c.name = n.value", " and m.name = n.value") if exact_case else ("", "")
        rows = self.rows(
            f"select {_SYMBOL_COLUMNS} from json_each(?) as n join chunks as c on c.name = n.value collate nocase{as_chunk} "
            "join files as f on f.id = c.file_id where c.name != '' and c.kind not in ('block', 'text') "
            "and c.qualified_name like ?2 order by f.path, c.name_line",
            wanted,
        )
        rows += self.rows(
            "select m.chunk_id, m.kind, m.name, m.qualified_name, m.signature, m.doc, f.path, m.line, m.end_line, "
            f"f.language, f.is_test from json_each(?) as n join members as m on m.name = n.value collate nocase{as_member} "
            "join chunks as c on c.id = m.chunk_id join files as f on f.id = c.file_id "
            "where m.qualified_name like ?2 order by f.path, m.line",
            wanted,
        )
        return [_symbol(row) for row in rows]

    def chunk_marks(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return what some of these chunks are, where ranking goes by it."""
        marks = self.places_of(np.array(chunk_ids, np.int64))["mark"].tolist()
        return {chunk_id: CHUNK_MARKS[mark] for chunk_id, mark in zip(chunk_ids, marks, strict=True) if mark}

    def symbol_names(self) -> list[str]:
        """List every name that is defined, once."""
        sql = (
            "select name from chunks where kind not in ('block', 'text') and name != '' union select name from members"
        )
        return [row[0] for row in self.rows(sql, ())]

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List who refers to these chunks, most certain first."""
        order = "r.confidence desc, f.is_test, f.path, r.line"
        return self._neighbours("target_id", "source_id", order, chunk_ids, kind)

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List what these chunks refer to, in order of line."""
        return self._neighbours("source_id", "target_id", "r.source_id, r.ordinal", chunk_ids, kind)

    def _neighbours(self, end: str, other: str, order: str, chunk_ids: Sequence[int], kind: str) -> list[Neighbour]:
        rows = self.rows(
            f"select {_SYMBOL_COLUMNS}, r.kind, r.line, r.confidence, coalesce(r.origin, 'resolver') "
            f"from refs as r join chunks as c on c.id = r.{other} join files as f on f.id = c.file_id "
            f"where r.{end} in (select value from json_each(?)) and r.kind = ? order by {order}",
            (json.dumps(list(chunk_ids)), kind),
        )
        return [Neighbour(_symbol(row[:11]), *row[11:]) for row in rows]

    def callers_of(self, chunk_ids: Sequence[int], most: int) -> list[EdgeEnd]:
        """List the callers of each chunk, at most `most` references of each, in no fair order: a hub has thousands."""
        return self._ends("target_id", "source_id", chunk_ids, most)

    def callees_of(self, chunk_ids: Sequence[int], most: int) -> list[EdgeEnd]:
        """List what each chunk calls, its first `most` references, in order of line."""
        return self._ends("source_id", "target_id", chunk_ids, most)

    def _ends(self, end: str, other: str, chunk_ids: Sequence[int], most: int) -> list[EdgeEnd]:
        one = (
            f"select * from (select {end}, {other}, line, confidence from refs "
            f"where {end} = ? and kind = 'calls' and target_id is not null limit {int(most)})"
        )
        found: list[EdgeEnd] = []
        for start in range(0, len(chunk_ids), MAX_UNION):
            some = chunk_ids[start : start + MAX_UNION]
            found += [EdgeEnd(*row) for row in self.rows(" union all ".join([one] * len(some)), some)]
        return found

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind that lead to these chunks, or leave them, in order of place."""
        end, other = ("target_id", "source_id") if incoming else ("source_id", "target_id")
        rows = self.rows(
            f"select {end}, {other}, kind, line, confidence, receiver from refs "
            f"where {end} in (select value from json_each(?)) and kind = ? and target_id is not null "
            "order by source_id, ordinal",
            (json.dumps(list(chunk_ids)), kind),
        )
        return [Edge(*row) for row in rows]

    def all_edges(self, kinds: Sequence[str]) -> list[Edge]:
        """List every edge of these kinds, from its source."""
        sql = (
            "select source_id, target_id, kind, line, confidence, receiver from refs where target_id is not null "
            "and kind in (select value from json_each(?)) order by source_id, ordinal"
        )
        return [Edge(*row) for row in self.rows(sql, (json.dumps(list(kinds)),))]

    def nodes(self, chunk_ids: Sequence[int] | None = None) -> dict[int, Symbol]:
        """Return the definition that each chunk holds, or those of all chunks that hold one."""
        which = (
            "c.kind not in ('block', 'text', 'section')"
            if chunk_ids is None
            else "c.id in (select value from json_each(?))"
        )
        rows = self.rows(
            f"select {_SYMBOL_COLUMNS} from chunks as c join files as f on f.id = c.file_id where {which}",
            () if chunk_ids is None else (json.dumps(list(chunk_ids)),),
        )
        return {row[0]: _symbol(row) for row in rows}

    def classes_around(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """Return the class that each of these definitions stands in, for those that do."""
        kinds = json.dumps(sorted(CLASS_KINDS))
        rows = self.rows(
            "select c.id, p.id from chunks as c join chunks as p on p.id = c.parent_id where c.id in "
            "(select value from json_each(?)) and p.kind in (select value from json_each(?))",
            (json.dumps(list(chunk_ids)), kinds),
        )
        return dict(rows)

    def open_names(self, chunk_ids: Sequence[int], kind: str) -> list[str]:
        """List the names of the references of a kind in these chunks that have no target, each once."""
        sql = (
            "select distinct iif(receiver = '', name, receiver || '.' || name) from refs where kind = ? and target_id is null "
            "and source_id in (select value from json_each(?)) order by 1"
        )
        return [row[0] for row in self.rows(sql, (kind, json.dumps(list(chunk_ids))))]

    def open_sources(self, kind: str) -> set[int]:
        """Collect the chunks that hold a reference of a kind without a target."""
        return {
            row[0]
            for row in self.rows("select distinct source_id from refs where target_id is null and kind = ?", (kind,))
        }

    def parents(self) -> dict[int, int]:
        """Return the chunk that each chunk stands in."""
        return dict(self.rows("select id, parent_id from chunks where parent_id is not null", ()))

    def marked_files(self) -> set[str]:
        """Collect the files that are examples, generated or vendored."""
        sql = "select path from files where is_example or is_generated or is_vendored"
        return {row[0] for row in self.rows(sql, ())}

    def texts(self) -> Iterator[str]:
        """Yield the text of every file."""
        for (packed,) in self.rows("select text from contents", ()):
            yield self.unpacked(packed).decode("utf-8", "replace")

    def open_call_names(self) -> dict[str, int]:
        """Count the calls without a target by the name they call."""
        sql = "select name, count(*) from refs where target_id is null and kind = 'calls' group by 1"
        return {str(row[0]): int(row[1]) for row in self.rows(sql, ())}

    def file_edges(self, kind: str, path: str, *, incoming: bool) -> list[tuple[str, int]]:
        """List the files at the other end of a file's edges of a kind, with the line of each reference."""
        own, other = ("t", "s") if incoming else ("s", "t")
        sql = (
            f"select {other}f.path, r.line from files as {own}f join chunks as {own} on {own}.file_id = {own}f.id "
            f"join refs as r on r.{'target' if incoming else 'source'}_id = {own}.id and r.kind = ? "
            f"join chunks as {other} on {other}.id = r.{'source' if incoming else 'target'}_id "
            f"join files as {other}f on {other}f.id = {other}.file_id where {own}f.path = ?"
        )
        return [(row[0], row[1]) for row in self.rows(sql, (kind, path))]

    def open_sites(self, names: Sequence[str], chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls of these names that have no target and may mean one of the chunks, by path and line.

        A call that may mean several definitions is left out when these are none of them, unless there are more than are kept.
        """
        rows = self.rows(
            "select f.path, r.line, r.name, r.receiver, f.language, f.is_test, r.ambiguous, "
            "r.ambiguous and (select count(*) from candidates as k where k.source_id = r.source_id and k.ordinal = r.ordinal) "
            f">= {MAX_CANDIDATES}, "
            "r.ambiguous and exists (select 1 from candidates as k where k.source_id = r.source_id and k.ordinal = r.ordinal "
            "and k.chunk_id in (select value from json_each(?2))) from refs as r "
            "join chunks as c on c.id = r.source_id join files as f on f.id = c.file_id "
            "where r.target_id is null and r.kind = 'calls' and r.name in (select value from json_each(?1)) "
            "order by f.path, r.line, r.column",
            (json.dumps(list(names)), json.dumps(list(chunk_ids))),
        )
        return [
            OpenSite(path, line, name, receiver, language, bool(is_test), bool(meant))
            for path, line, name, receiver, language, is_test, ambiguous, cut, meant in rows
            if meant or not ambiguous or cut
        ]

    def overloads(self, chunk_ids: Sequence[int]) -> dict[int, list[Symbol]]:
        """For each of these definitions, list the others of its name in its file."""
        rows = self.rows(
            "select own.id, other.id from json_each(?) as asked join chunks as own on own.id = asked.value "
            "join chunks as other on other.name = own.name collate nocase and other.file_id = own.file_id "
            "and other.id != own.id and other.qualified_name = own.qualified_name where own.name != '' "
            "order by own.id, other.id",
            (json.dumps(list(chunk_ids)),),
        )
        symbols = self.nodes([other for _, other in rows])
        found: dict[int, list[Symbol]] = {}
        for own, other in rows:
            found.setdefault(own, []).append(symbols[other])
        return found

    def tied_sites(self, chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls that lead to these definitions, but may mean overloads that take as many arguments."""
        rows = self.rows(
            "select f.path, r.line, r.name, r.receiver, f.language, f.is_test from json_each(?) as asked "
            "join refs as r on r.target_id = asked.value join chunks as c on c.id = r.source_id "
            "join files as f on f.id = c.file_id "
            "where r.ambiguous and r.kind = 'calls' order by f.path, r.line, r.column",
            (json.dumps(list(chunk_ids)),),
        )
        return [
            OpenSite(path, line, name, receiver, language, bool(is_test), True)
            for path, line, name, receiver, language, is_test in rows
        ]

    def outside_names(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """For each of these files, collect the last words of its imports that lead outside the repository."""
        found: dict[str, set[str]] = {}
        for path, name in self.rows(
            "select f.path, r.name from json_each(?) as p join files as f on f.path = p.value join chunks as c on "
            "c.file_id = f.id join refs as r indexed by refs_open_imports on r.source_id = c.id "
            "where r.kind = 'imports' and r.target_id is null",
            (json.dumps(sorted(paths)),),
        ):
            found.setdefault(path, set()).add(name.replace(".", " ").split(" ")[-1])
        return found

    def open_calls_in(self, chunk_id: int) -> int:
        """Count the calls inside a chunk that have no target."""
        sql = "select count(*) from refs where source_id = ? and kind = 'calls' and target_id is null"
        return int(self.rows(sql, (chunk_id,))[0][0])

    def file_symbols(self, path: str) -> list[Symbol]:
        """List the definitions of a file, members included, in order of line."""
        sql = (
            "select chunk_id, kind, name, qualified_name, signature, doc, path, start_line, end_line, language, is_test "
            "from symbols where path = ? order by start_line, end_line desc"
        )
        sections = (
            f"select {_SYMBOL_COLUMNS} from chunks as c join files as f on f.id = c.file_id "
            "where f.path = ? and c.kind = 'section' order by c.name_line"
        )
        rows = self.rows(sql, (path,)) or self.rows(sections, (path,))
        return [_symbol(row) for row in rows]

    def sums(self) -> Sums:
        """Count files, lines and chunks, which is quick."""
        files, lines = self.rows("select count(*), coalesce(sum(lines), 0) from files where error is null")[0]
        return Sums(files, lines, self.rows("select count(*) from chunks")[0][0])

    def imported_definitions(self, file_id: int) -> list[StoredChunk]:
        """List the definitions that a file imports by their names."""
        rows = self.rows(
            "select distinct r.target_id from refs as r join chunks as c on c.id = r.source_id "
            "where c.file_id = ? and r.kind = 'imports' and r.target_id is not null",
            (file_id,),
        )
        return [one for one in self.chunks([row[0] for row in rows]) if one.kind != "module"]

    def file_definitions(self, path: str) -> list[PlacedDefinition]:
        """List the definitions of a file in order, with the node of the graph that holds each."""
        return placed(self.rows(DEFINITIONS, (path,)))

    def file_references(self, path: str) -> list[ResolvedReference]:
        """List the references of a file that have a target."""
        rows = self.rows(
            "select r.source_id, r.kind, r.name, r.receiver, r.line, r.column, r.target_id, r.confidence from refs as r "
            "join chunks as c on c.id = r.source_id join files as f on f.id = c.file_id "
            "where f.path = ? and r.target_id is not null order by r.line, r.column, r.source_id, r.ordinal",
            (path,),
        )
        return [ResolvedReference(*row) for row in rows]

    def counts(self) -> dict[str, dict[str, int]]:
        """Count files by language and by reason for being skipped, chunks by kind, edges by kind, references by fate."""
        queries = {
            "languages": "select coalesce(language, source_type), count(*) from files where error is null group by 1",
            "lines": "select coalesce(language, source_type), sum(lines) from files where error is null group by 1",
            "skipped": "select case when error like 'unreadable%' then 'unreadable' else error end, count(*) "
            "from files where error is not null group by 1",
            "chunks": "select kind, count(*) from chunks group by 1",
        }
        found = {
            name: Counter({str(key): int(count) for key, count in self.rows(sql)}) for name, sql in queries.items()
        }
        edges = Counter({"child_of": int(self.rows("select count(*) from chunks where parent_id is not null")[0][0])})
        references: Counter[str] = Counter()
        # All references are looked through once, and sorted by no more than they must be.
        sums = "select kind, count(target_id), sum(target_id is null and ambiguous), count(*) from refs group by kind"
        for kind, resolved, ambiguous, every in self.rows(sums):
            edges[kind] += resolved
            if kind == "calls":
                unresolved = every - resolved - ambiguous
                references.update(resolved=resolved, ambiguous=ambiguous, unresolved=unresolved)
        found |= {"edges": +edges, "references": +references}
        return {name: _by_size(counted) for name, counted in found.items()}

    def contents(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """Return all that the index says, table by table, with paths and places instead of ids."""
        place = (
            "(select f.path || ':' || c.position from chunks as c join files as f on f.id = c.file_id where c.id = {})"
        )
        queries = {
            "meta": "select key, value from meta where key != 'head'",
            "files": "select path, repo_id, language, source_type, size, lines, encoding, module, content_hash, is_test, "
            "is_example, is_generated, is_vendored, is_broken, error from files",
            "contents": "select f.path, t.text from contents as t join files as f on f.id = t.file_id",
            "chunks": f"select {place.format('o.id')}, {place.format('o.parent_id')}, kind, name, qualified_name, signature, "
            "doc, start_byte, end_byte, start_line, end_line, name_line, def_end_line, has_body, content_hash from chunks as o",
            "members": f"select {place.format('m.chunk_id')}, kind, name, qualified_name, signature, doc, line, end_line, "
            "has_body from members as m",
            "refs": f"select {place.format('r.source_id')}, ordinal, kind, name, receiver, line, column, "
            f"{place.format('r.target_id')}, confidence, ambiguous, origin from refs as r",
            "candidates": f"select {place.format('k.source_id')}, ordinal, {place.format('k.chunk_id')} from candidates as k",
        }
        if self._meta.get("dimensions", "0") != "0":
            queries["vectors"] = f"select {place.format('v.chunk_id')}, embedding from vectors as v"
        return [(name, self.rows(sql, ())) for name, sql in queries.items()]

    def check(self) -> list[str]:
        """List what is wrong with the file: SQLite's own check, foreign keys, full-text and vector rows."""
        problems: list[str] = []
        try:
            problems.extend(self._problems())
        except IndexFormatError as exc:
            problems.append(str(exc))
        return problems

    def _problems(self) -> Iterator[str]:
        yield from (str(line) for (line,) in self.rows("pragma integrity_check(20)") if line != "ok")
        for row in self.rows("pragma foreign_key_check"):
            yield f"{row[0]}: row {row[1]} refers to a missing {row[2]}"
        targets = "select count(*) from refs where target_id is not null and target_id not in (select id from chunks)"
        if missing := self.rows(targets)[0][0]:
            yield f"refs: {missing} targets are missing"
        expected = self.rows("select count(*) from chunks where end_byte > start_byte")[0][0]
        for table in ("words_docsize", *(("vectors_rowids",) if self._meta.get("dimensions", "0") != "0" else ())):
            if (found := self.rows(f"select count(*) from {table}")[0][0]) != expected:
                yield f"{table.partition('_')[0]}: {found} rows for {expected} chunks"


def _by_size(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _symbol(row: Sequence[Any]) -> Symbol:
    return Symbol(*(*row[:10], bool(row[10])))
