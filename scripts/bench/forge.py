"""Forge index files of every kind, and ask each of them through every door.

usage: forge.py [--kind TEXT] [--doors TEXT] [--short]

A forged file must cost whoever opens it nothing but a sentence. Each file is made of a sound index of a fixture, and is then
asked by every command, the Python API, the pages and the tools of agents, in a process of its own. The script prints a table
of what broke: a door that took longer than SECONDS or more than MEGABYTES, an unexpected error, several lines where an error
has one, or a text that steers a terminal.
"""

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import re
import resource
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import apsw

from code_graph_indexer import CgiError, CodeIndexer, EmbedderError
from code_graph_indexer.storage import update_index
from code_graph_indexer.storage.place import APPLICATION_ID
from code_graph_indexer.storage.sqlite import SCHEMA_VERSION, schema

SECONDS, MEGABYTES = 10.0, 500
"""The most that a door may take."""

FIXTURE = Path(__file__).parent.parent.parent / "fixtures" / "shop"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
STEER = "\x1b[2J\u202etxt\x9b31m\r"
"""A text that clears a terminal, and shows what follows from right to left."""

ROUTES = """\
from flask import Blueprint, Flask

app = Flask("shop")
admin = Blueprint("admin", "shop")
app.register_blueprint(admin, url_prefix="/admin")


@admin.route("/orders", methods=["POST"])
def orders():
    return place_order()
"""

Forge = Callable[[Path], None]
"""A function that changes a sound index file."""

KEYS = ("meta", "files", "contents", "lookups", "history", "changed_together", "text_chunks", "members", "refs")
TABLES = (*KEYS, "candidates", "registrations", "sentences", "words", "trigrams", "vectors")
FILLED = (
    "meta",
    "files",
    "contents",
    "lookups",
    "text_chunks",
    "members",
    "refs",
    "registrations",
    "sentences",
    "vectors",
)
"""The tables that have rows in the fixture."""

WRONG = {
    "text": ("7", "null", "x'ff00'", "3.5"),
    "blob": ("'text'", "null", "7"),
    "integer": ("'text'", "x'01'", "null", "0.5"),
    "any": ("x'01'", "null", "-7"),
}
"""Values of other types than a column has, by that type."""

NUMBERS = ("-1", "9223372036854775807", "4294967296")
"""Numbers that no column holds."""

ENDLESS = "with recursive n (i) as (select 1 union all select i + 1 from n) select {} from n"
LONG = "x" * 1_000


@contextlib.contextmanager
def opened(db: Path) -> Iterator[apsw.Connection]:
    """Open a file with its schema open to changes."""
    with closing(apsw.Connection(str(db))) as connection:
        connection.pragma("writable_schema", True)
        connection.pragma("foreign_keys", False)
        yield connection


def run(*statements: str) -> Forge:
    """Return a forger that runs statements."""

    def forge(db: Path) -> None:
        with opened(db) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    return forge


def ddl_of(db: Path, name: str) -> str:
    """Return the statement that made a table."""
    with opened(db) as connection:
        return str(connection.execute("select sql from sqlite_schema where name = ?", (name,)).get)


def declare(db: Path, name: str, ddl: str) -> None:
    """Say that another statement made a table, whatever its rows are."""
    with opened(db) as connection:
        connection.execute("update sqlite_schema set sql = ? where name = ?", (ddl, name))


def redeclared(name: str, change: Callable[[str], str]) -> Forge:
    """Return a forger that changes the statement of a table."""
    return lambda db: declare(db, name, change(ddl_of(db, name)))


def spoiled(table: str, *statements: str) -> Forge:
    """Return a forger that writes what a strict table refuses. Its statement is the right one again afterwards."""

    def forge(db: Path) -> None:
        ddl = ddl_of(db, table)
        loose = re.sub(
            r"\)\s*strict\s*(,\s*without rowid)?$", lambda match: ")" + (" without rowid" if match[1] else ""), ddl
        )
        loose = re.sub(r"(?<=\w) (integer|text|blob|any|real)\b(?! primary)", "", loose.replace(" not null", ""))
        declare(db, table, loose)
        run(*statements)(db)
        declare(db, table, ddl)

    return forge


def replaced_by_view(table: str) -> Forge:
    """Return a forger that puts an endless view in the place of a table."""

    def forge(db: Path) -> None:
        with opened(db) as connection:
            rows = connection.execute(f"pragma table_xinfo({table})").fetchall()
            connection.execute(f"drop table {table}")
            shown = ", ".join(f"'t' || i as {row[1]}" if row[2] == "text" else f"i as {row[1]}" for row in rows)
            connection.execute(f"create view {table} as {ENDLESS.format(shown or 'i')}")

    return forge


def columns_of(table: str) -> dict[str, str]:
    """Map the columns of a table that are stored, and in no primary key, to their types."""
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute(schema())
        rows = connection.execute(f"pragma table_xinfo({table})").fetchall()
    return {str(row[1]): str(row[2]).lower() for row in rows if not row[5] and not row[6]}


def many_chunks(count: int, **values: str) -> str:
    """Return a statement that adds many copies of a function. `values` replace columns, and `n.i` counts."""
    values = {"position": "1000 + n.i", "name": "'total'", "qualified_name": "'total'", **values}
    columns = columns_of("text_chunks")
    chosen = ", ".join(["100000 + n.i", *(values.get(column, f"c.{column}") for column in columns)])
    return (
        f"insert into text_chunks (id, {', '.join(columns)}) {counting(count)} select {chosen} "
        "from n, (select * from text_chunks where kind = 'function' order by id limit 1) as c"
    )


def counting(count: int) -> str:
    """Return the start of a query that counts in `n.i`."""
    return f"with recursive n (i) as (select 1 union all select i + 1 from n where i < {count})"


def many_refs(count: int, source: str, target: str, kind: int = 0, name: str = "'total'") -> str:
    """Return a statement that adds many references."""
    return (
        "insert or ignore into refs (source_id, ordinal, kind_code, name, receiver, line, column, target_id, confidence_code, "
        f"ambiguous, origin) {counting(count)} "
        f"select {source}, 100000 + n.i, {kind}, {name}, '', 1, 1, {target}, 95, 0, null from n"
    )


def bomb(files: int, size: int, claimed: int | None = None) -> Forge:
    """Return a forger that makes the texts of some files very long."""

    def forge(db: Path) -> None:
        packed = zlib.compress(b"def total():\n    return add_tax(1)\n" * (size // 35), 9)
        with opened(db) as connection:
            ids = [row[0] for row in connection.execute("select id from files where error is null limit ?", (files,))]
            connection.executemany("update contents set text = ? where file_id = ?", [(packed, key) for key in ids])
            if claimed is not None:
                connection.executemany(
                    "update files set size = ?, lines = ? where id = ?", [(claimed, claimed, key) for key in ids]
                )
                connection.executemany(
                    "update text_chunks set end_byte = ? where file_id = ?", [(claimed, key) for key in ids]
                )

    return forge


def bytes_at(offset: int, content: bytes) -> Forge:
    """Return a forger that overwrites bytes of the file."""

    def forge(db: Path) -> None:
        with db.open("r+b") as stream:
            stream.seek(offset)
            stream.write(content)

    return forge


def written(content: bytes) -> Forge:
    """Return a forger that puts other bytes in the place of the file."""

    def forge(db: Path) -> None:
        db.write_bytes(content)

    return forge


def cut(share: float) -> Forge:
    """Return a forger that cuts the end of the file off."""
    return lambda db: os.truncate(db, int(db.stat().st_size * share))


def in_utf16(db: Path) -> None:
    """Put an empty index in its place whose texts are UTF-16."""
    db.unlink()
    with closing(apsw.Connection(str(db))) as connection:
        connection.pragma("encoding", "UTF-16le")
        connection.execute(schema())
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", SCHEMA_VERSION)


def wrong_types() -> Iterator[tuple[str, Forge]]:
    """Yield a forger for each column: a text for a number, a number for a text, nothing at all, and numbers out of bounds."""
    for table in FILLED:
        for at, (column, kind) in enumerate(columns_of(table).items()):
            value = WRONG[kind][at % len(WRONG[kind])]
            # A path occurs once, so only that of a single file changes.
            chosen = " where id = 3" if column == "path" else ""
            yield f"type: {table}.{column} is {value}", spoiled(table, f"update {table} set {column} = {value}{chosen}")
            if kind == "integer":
                value = NUMBERS[at % len(NUMBERS)]
                yield f"number: {table}.{column} is {value}", spoiled(table, f"update {table} set {column} = {value}")


STATEMENTS: Mapping[str, Sequence[str]] = {
    "extra: a trigger": ("create trigger t after insert on files begin delete from text_chunks; end",),
    "extra: a trigger on a view": ("create trigger t instead of insert on symbols begin select 1; end",),
    "extra: a table": ("create table more (a)",),
    "extra: a virtual table": ("create virtual table more using fts5(a)",),
    "extra: a table of another module": ("create virtual table more using rtree(a, b, c)",),
    "extra: an index": ("create index more on files (size)",),
    "extra: an index of an expression": ("create index more on files (abs(size))",),
    "extra: a partial index": ("create index more on refs (name) where line > 3",),
    "extra: statistics": (
        "analyze",
        "update sqlite_stat1 set stat = '1 1 1 1'",
    ),
    "schema: no statement": ("update sqlite_schema set sql = null where name = 'text_chunks'",),
    "schema: no SQL": ("update sqlite_schema set sql = 'create nonsense' where name = 'text_chunks'",),
    "schema: two tables in one place": (
        "update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'files') "
        "where name = 'text_chunks'",
    ),
    "schema: an index in the place of a table": (
        "update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'text_chunks_by_name') "
        "where name = 'meta'",
    ),
    "schema: a place that is not there": ("update sqlite_schema set rootpage = 999999 where name = 'refs'",),
    "giant: a path": ("update files set path = hex(zeroblob(500000)) where id = 1",),
    "giant: the names of all chunks": ("update text_chunks set name = hex(zeroblob(50000))",),
    "giant: the names of all chunks, if less so": ("update text_chunks set name = hex(zeroblob(9900))",),
    "giant: a documentation": ("update text_chunks set doc = hex(zeroblob(5000000)) where id = 2",),
    "giant: a receiver": ("update refs set receiver = hex(zeroblob(20000))",),
    "giant: a setting": ("update meta set value = hex(zeroblob(5000000))",),
    "giant: a prefix of spaces": ("update text_chunks set signature = printf('%5000000s', 'x') where id < 9",),
    "circle: each chunk is its own parent": ("update text_chunks set parent_id = id",),
    "circle: two chunks hold each other": ("update text_chunks set parent_id = iif(id = 2, 3, 2) where id in (2, 3)",),
    "circle: all chunks in a ring": (
        "update text_chunks set parent_id = coalesce((select min(c.id) from text_chunks as c where c.id > text_chunks.id), 1)",
    ),
    "circle: each reference leads to its source": ("update refs set target_id = source_id",),
    "circle: each is its own base": ("update refs set target_id = source_id, kind_code = 3",),
    "circle: routers hold each other": (
        "update registrations set target_id = source_id, router = name, target_name = name",
    ),
    "count: 30,000 files": (
        "insert into files with recursive n (i) as (select 1 union all select i + 1 from n where i < 30000) select 1000 + i, "
        "'d' || i || '/f.py', '', 'python', 'code', 9, 9, 'utf-8', '', x'00', 0, 0, 0, 0, 0, 0, null from n",
    ),
    "count: 2,000 folders in each other": (
        "update files set path = replace(hex(zeroblob(2000)), '00', 'a/') || id || '.py'",
    ),
    "zip: no zip at all": ("update contents set text = x'00112233'",),
    "zip: a cut one": ("update contents set text = substr(text, 1, length(text) / 2)",),
    "zip: nothing": ("update contents set text = x''",),
    "zip: a text of another file": (
        "update contents set text = (select text from contents order by length(text) limit 1)",
    ),
    "zip: no texts": ("delete from contents",),
    "unknown: a source type": ("update files set source_type = 'zzz'",),
    "unknown: a language": ("update files set language = 'zzz'",),
    "unknown: a kind of chunk": ("update text_chunks set kind = 'zzz'",),
    "unknown: a kind of reference": ("update refs set kind_code = 'zzz'",),
    "unknown: an origin": ("update refs set origin = 'zzz'",),
    "unknown: a confidence": ("update refs set confidence_code = 70000",),
    "unknown: an infinite confidence": ("update refs set confidence_code = 9e999",),
    "unknown: an error": ("update files set error = 'zzz'",),
    "gone: the files": ("delete from files",),
    "gone: the chunks": ("delete from text_chunks",),
    "gone: the modules": ("delete from text_chunks where kind = 'module'",),
    "gone: the settings": ("delete from meta",),
    "gone: the words": (
        "delete from words_data",
        "delete from words_docsize",
    ),
    "lines: behind the end of the file": ("update text_chunks set end_line = 2000000000, def_end_line = 2000000000",),
    "lines: the names behind the end": ("update text_chunks set name_line = 900000, def_end_line = 2000000000",),
    "lines: the references behind the end": ("update refs set line = 2000000000, column = 2000000000",),
    "lines: a file of many": ("update files set lines = 9000000000000000",),
    "bytes: behind the end of the text": ("update text_chunks set end_byte = 9000000000000000",),
    "vectors: of other dimensions": ("update vectors set steps = zeroblob(8)",),
    "vectors: of no dimensions": ("update vectors set steps = x''",),
    "vectors: signs of other dimensions": ("update vectors set signs = substr(signs, 1, 7)",),
    "vectors: very many signs": ("update vectors set signs = zeroblob(60000000)",),
    "vectors: a block far away": ("update vectors set block = 9007199254740990",),
    "vectors: a negative block": ("update vectors set block = -5",),
    "words: a segment of noise": ("update words_data set block = randomblob(4000) where id > 10",),
    "words: a structure of noise": ("update words_data set block = randomblob(200) where id = 10",),
    "words: averages of noise": ("update words_data set block = x'ffffffffffffffffff' where id = 1",),
    "words: no index": ("delete from words_idx",),
    "words: sizes of noise": ("update words_docsize set sz = x'ff'",),
    "words: a version": ("update words_config set v = 99 where k = 'version'",),
    "words: another ranking": ("insert or replace into words_config values ('rank', 'evil()')",),
    "words: settings of other types": ("update words_config set v = x'ff'",),
    "words: rows of no chunk": (
        "insert into words (rowid, body, name, path, signature, doc) values (4000000000, 'total', 'total', 'a', 'b', 'c')",
    ),
    "trigrams: a segment of noise": ("update trigrams_data set block = randomblob(4000) where id > 10",),
    "trigrams: rows of no file": ("insert into trigrams (rowid, body) values (4000000000000, 'total')",),
}
"""Kinds that statements make."""


def kinds() -> dict[str, Forge]:
    """Map the name of each kind to its forger."""
    forgers: dict[str, Forge] = {}
    for table in TABLES:
        forgers[f"view: {table} is endless"] = replaced_by_view(table)
        forgers[f"absent: {table}"] = run(f"drop table {table}")
    for view in ("symbols", "edges", "callers", "unresolved", "skipped"):
        forgers[f"view: {view} is another one"] = run(
            f"drop view {view}", f"create view {view} as {ENDLESS.format('i')}"
        )
    forgers |= dict(wrong_types())
    forgers |= {name: run(*statements) for name, statements in STATEMENTS.items()}
    forgers |= {
        "extra: a view": run(f"create view more as {ENDLESS.format('i')}"),
        "extra: very many views": lambda db: run(*(f"create view v{n} as select {n}" for n in range(3_000)))(db),
        "extra: a name that steers a terminal": run(f'create view "{STEER}" as select 1'),
        "schema: not strict": redeclared("text_chunks", lambda sql: sql.replace(") strict", ")")),
        "schema: no types": redeclared("files", lambda sql: sql.replace(" text not null", "").replace(") strict", ")")),
        "schema: a default that computes": redeclared(
            "files", lambda sql: sql.replace("error text", "error text default (zeroblob(1000000000))")
        ),
        "schema: a generated column": redeclared(
            "files", lambda sql: sql.replace("error text", "error text, more text as (hex(zeroblob(100000000)))")
        ),
        "schema: a generated column in place of a stored one": redeclared(
            "refs",
            lambda sql: sql.replace(
                "case kind_code", "case hex(zeroblob(90000000)) when 1 then 2 else kind_code end + case kind_code"
            ),
        ),
        "schema: a check": redeclared(
            "files", lambda sql: sql.replace("error text", "error text check (length(zeroblob(1000000000)) > 1)")
        ),
        "schema: another collation": redeclared(
            "files", lambda sql: sql.replace("path text not null", "path text collate nocase not null")
        ),
        "schema: another tokenizer": redeclared("words", lambda sql: sql.replace("porter", "unicode61")),
        "schema: another module": redeclared("words", lambda sql: sql.replace("fts5", "fts4")),
        "schema: a long statement": redeclared("meta", lambda sql: sql + " /* " + LONG * 20_000 + " */"),
        "giant: a path of many chunks": run("update files set path = hex(zeroblob(500000))||id", many_chunks(20_000)),
        "giant: the module of many chunks": run("update files set module = hex(zeroblob(500000))", many_chunks(20_000)),
        "circle: each overrides itself": run("update refs set target_id = source_id, kind_code = 4"),
        "circle: each declares itself": run("update refs set target_id = source_id, kind_code = 5"),
        "circle: definitions declare each other": run(*(many_refs(1, a, b, 5) for a, b in (("2", "3"), ("3", "2")))),
        "circle: classes inherit from each other": run(
            *(many_refs(1, a, b, 3) for a, b in (("2", "3"), ("3", "4"), ("4", "2")))
        ),
        "count: 30,000 functions of a name": run(many_chunks(30_000)),
        "count: 30,000 functions and calls of a name": run(
            many_chunks(30_000), many_refs(30_000, "100000 + n.i", "null")
        ),
        "count: everything calls everything": run(
            many_chunks(600), many_refs(300_000, "100001 + n.i % 600", "100001 + n.i / 600")
        ),
        "count: everything overrides everything": run(
            many_chunks(300, kind="'method'"), many_refs(60_000, "100001 + n.i % 300", "100001 + n.i / 300", 4)
        ),
        "count: 200,000 open calls": run(many_refs(200_000, "2", "null")),
        "count: a nest of 20,000 functions": run(many_chunks(20_000, parent_id="iif(n.i = 1, null, 99999 + n.i)")),
        "zip: a text of 200 MB": bomb(1, 200_000_000),
        "zip: a text of 200 MB that the file claims": bomb(1, 200_000_000, 200_000_000),
        "zip: 16 texts of 11 MB": bomb(16, 11_000_000),
        "zip: 16 texts of 11 MB that the files claim": bomb(16, 11_000_000, 11_000_000),
        "file: cut after the first page": cut(0.05),
        "file: cut in the middle": cut(0.5),
        "file: of another application": bytes_at(68, b"ABCD"),
        "file: of another version": bytes_at(60, (99).to_bytes(4, "big")),
        "file: with a log": bytes_at(18, b"\x02\x02"),
        "file: of another page size": bytes_at(16, b"\x10\x00"),
        "file: of texts in UTF-16": in_utf16,
        "file: a free list of noise": bytes_at(32, b"\x00\x00\x00\x05\x00\x00\x00\x09"),
        "file: garbage": written(b"garbage" * 500),
        "file: empty": written(b""),
        "file: zeros": written(bytes(100_000)),
    }
    settings = {
        "dimensions": ("0", "1", "-1", "65536", "99999999999", "9" * 5_000, "\u0661", "x", "", "2.5"),
        "embedder": ("", "zzz", "hashing", "openai:x", "static:/nowhere", "fastembed:/nowhere", STEER),
        "max_chunk_size": ("0", "x", "9" * 5_000),
        "repo_id": ("../..", "/nowhere", "a\nb", STEER, "a/../b", "x" * 100_000),
        "version": (STEER, ""),
    }
    for key, values in settings.items():
        for value in values:
            forgers[f"meta: {key} is {value[:20]!a}"] = partial(set_meta, key=key, value=value)
    for path in (
        "../../../nowhere/passwd",
        "/nowhere/passwd",
        "a/../../b.py",
        "..",
        "a\0b",
        STEER,
        "a\nb.py",
        "",
        "x" * 20_000,
        "~root/x",
    ):
        forgers[f"path: {path[:20]!a}"] = partial(set_path, path=path)
    for table in FILLED[1:]:
        for column in (name for name, kind in columns_of(table).items() if kind == "text"):
            forgers[f"text: {table}.{column} steers a terminal"] = partial(steer, table=table, column=column)
    return forgers


def set_meta(db: Path, *, key: str, value: str) -> None:
    """Change a setting."""
    with opened(db) as connection:
        connection.execute("insert or replace into meta values (?, ?)", (key, value))


def set_path(db: Path, *, path: str) -> None:
    """Change the path of a file that the questions are about."""
    with opened(db) as connection:
        connection.execute("update files set path = ? where path = 'shop/pricing.py'", (path,))


def steer(db: Path, *, table: str, column: str) -> None:
    """Put what steers a terminal, and a line that looks like an answer, behind each text of a column."""
    with opened(db) as connection:
        connection.execute(f"update {table} set {column} = {column} || ?", (f"{STEER}\n/nowhere.py:1  = 9 proven",))


# The doors.


@dataclass(frozen=True, slots=True)
class Answer:
    """What a door said: its name, the text, the exit code, and the seconds and megabytes that it took."""

    door: str
    text: str
    error: str
    code: int
    seconds: float = 0.0
    megabytes: int = 0

    @property
    def fault(self) -> str:
        """Return what is wrong with the answer, or an empty text."""
        if self.seconds > SECONDS:
            return f"took {self.seconds:.0f} s"
        if self.megabytes > MEGABYTES:
            return f"took {self.megabytes:,} MB"
        if "unexpected error" in self.error or "Traceback" in self.error or "Error executing" in self.text:
            return self.error.strip().split("\n")[-1][:200] or self.text[:200]
        if match := STEERING.search(self.text + self.error):
            return f"steers the terminal with {match[0]!a}"
        # A note may come before the error.
        sentence = self.error[self.error.rfind("cgi: ") :].strip()
        return f"says several lines: {sentence[:200]!a}" if self.code == 4 and "\n" in sentence else ""


COMMANDS = (
    *(
        "doctor",
        "stats",
        "search total of an order",
        "search --explain add_tax",
        "search Cart.total",
        "explore add_tax",
    ),
    *(
        "explore how is an order placed",
        "explore place_order -> add_tax",
        "ask who calls add_tax",
        "callers add_tax --depth 3",
    ),
    *(
        "callees place_order --depth 3",
        "symbol total",
        "outline shop/pricing.py",
        "outline shop/cart.py",
        "tree",
        "path place_order add_tax",
    ),
    *(
        "impact add_tax",
        "impact shop/pricing.py",
        "hierarchy Cart",
        "implementations Cart.total",
        "imports shop/cart.py",
    ),
    *("dependents shop/pricing.py", "unused", "unused --min-confidence 0", "routes", "cycles", "hubs", "communities"),
    *("graph", "graph add_tax --format svg", "graph --folder . --format json", "search --parents cart", "chat"),
    *("callers add_tax --json", "export --scip out.scip", "search tax path:shop/*"),
)
PAGES = (
    *(
        "/",
        "/search?q=add_tax",
        "/search?q=how+is+an+order+placed",
        "/code/shop/pricing.py",
        "/code/shop/cart.py",
        "/folder/shop",
    ),
    *(
        "/definition/shop/cart.py?name=shop.cart.Cart.total",
        "/impact?target=add_tax",
        "/picture",
        "/picture?name=add_tax",
    ),
    *("/part/hubs", "/part/suggest?q=ca", "/stamp", "/go/3", "/part/lines/shop/pricing.py?first=1&last=400"),
)


def ask_commands(db: Path, commands: Sequence[str]) -> Iterator[Answer]:
    """Ask a file by commands, in this process."""
    from code_graph_indexer.cli import main

    for command in commands:
        words = command.split()
        arguments = [*words, "--db", str(db)]
        if words[0] not in ("doctor", "export", "chat", "ask"):
            arguments.append("--no-update")
        output, errors, code = io.StringIO(), io.StringIO(), 0
        started = time.perf_counter()
        sys.argv = ["cgi", *arguments]
        sys.stdin = io.StringIO("who calls add_tax\n")
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                main()
            except SystemExit as exc:
                code = exc.code if isinstance(exc.code, int) else 1 if exc.code else 0
        yield Answer(f"cgi {command}", output.getvalue(), errors.getvalue(), code, time.perf_counter() - started)


def ask_pages(db: Path, pages: Sequence[str]) -> Iterator[Answer]:
    """Ask a file by the pages of the web server, in this process."""
    from starlette.testclient import TestClient

    from code_graph_indexer.web.server import Server
    from code_graph_indexer.web.site import Site

    started = time.perf_counter()
    try:
        indexer = CodeIndexer(db=db, update=False)
        server = Server(Site(indexer))
    except CgiError as exc:
        yield Answer("web", "", str(exc), exc.exit_code, time.perf_counter() - started)
        return
    client = TestClient(server.app(), raise_server_exceptions=False)
    for page in pages:
        started = time.perf_counter()
        reply = client.get(page)
        error = "unexpected error: the page says 500" if reply.status_code == 500 and "<html" not in reply.text else ""
        yield Answer(f"web {page}", reply.text, error, reply.status_code, time.perf_counter() - started)
    server.close()
    indexer.close()


def ask_api(db: Path, calls: Sequence[str]) -> Iterator[Answer]:
    """Ask a file by the Python API: by whatever answers in records, not in text."""
    questions: Mapping[str, Callable[[CodeIndexer], object]] = {
        "files": lambda indexer: indexer.store.files(),
        "chunks": lambda indexer: [indexer.store.file_chunks(file.path) for file in indexer.store.files()[:200]],
        "texts": lambda indexer: sum(len(text) for text in indexer.store.texts()),
        "contents": lambda indexer: len(indexer.store.contents()),
        "graph in memory": lambda indexer: indexer.store.graph_arrays(load=True),
        "retrieve": lambda indexer: indexer.retrieve("total of an order"),
        "twice": lambda indexer: [indexer.retrieve(query) for query in ("cart", "order", "tax")],
        "explore_change": lambda indexer: indexer.explore_change("add_tax"),
        "retrieve_with_parents": lambda indexer: indexer.retrieve_with_parents("total"),
        "names": lambda indexer: indexer.store.symbol_names(),
    }
    for name in calls or questions:
        started = time.perf_counter()
        error, code = "", 0
        try:
            with CodeIndexer(db=db, update=False) as indexer:
                questions[name](indexer)
        except CgiError as exc:
            error, code = str(exc), exc.exit_code
        # The edge of this door: what is not ours is a fault.
        except Exception as exc:  # noqa: BLE001
            error, code = f"unexpected error: {type(exc).__name__}: {exc}", 1
        yield Answer(f"api {name}", "", error, code, time.perf_counter() - started)


def ask_own(db: Path, steps: Sequence[str]) -> Iterator[Answer]:
    """Put a file into the place of a repository's own index, and follow the advice of the errors that it gives."""
    root = db.parent / "shop"
    shutil.copytree(FIXTURE, root)
    place = root / ".cgi" / "index.db"
    place.parent.mkdir()
    shutil.copyfile(db, place)
    for step in steps:
        started = time.perf_counter()
        error, code = "", 0
        try:
            with CodeIndexer(root, workers=1) as indexer:
                if step != "callers":
                    indexer.index(full=step == "index --full")
                if step != "index":
                    indexer.callers("add_tax")
                if step == "index --full" and (problems := indexer.doctor()):
                    error, code = f"unexpected error: still unsound: {problems[0]}", 1
        except CgiError as exc:
            error, code = str(exc), exc.exit_code
            # A build keeps the embedder that the index names, and its model may be gone.
            if step == "index --full" and not isinstance(exc, EmbedderError):
                error = f"unexpected error: the advice does not work: {error}"
        # The edge of this door: what is not ours is a fault.
        except Exception as exc:  # noqa: BLE001
            error, code = f"unexpected error: {type(exc).__name__}: {exc}", 1
        yield Answer(f"own {step}", "", error, code, time.perf_counter() - started)


def ask_all(db: Path, doors: str, *, short: bool) -> Iterator[Answer]:
    """Ask a file through every door whose name begins with `doors`."""
    if "cgi".startswith(doors[:3]):
        yield from ask_commands(db, COMMANDS[::6] if short else COMMANDS)
    if "api".startswith(doors[:3]):
        yield from ask_api(db, ("retrieve", "chunks") if short else ())
    if "web".startswith(doors[:3]):
        yield from ask_pages(db, PAGES[:4] if short else PAGES)
    if "own".startswith(doors[:3]):
        yield from ask_own(db, ("index --full",) if short else ("callers", "index", "callers", "index --full"))


def _ask(db: Path, doors: str, short: bool, sender: Connection) -> None:
    os.chdir(db.parent)
    # A forked process begins with what its parent has.
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for answer in ask_all(db, doors, short=short):
        megabytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) // 1_024
        sender.send((answer.door, answer.text[:200_000], answer.error[:20_000], answer.code, answer.seconds, megabytes))
    sender.send(None)


def answers_of(db: Path, doors: str = "", *, short: bool = False) -> Iterator[Answer]:
    """Yield what each door says of a file. A process of its own asks, which is killed if a door takes too long."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_ask, args=(db, doors, short, sender))
    process.start()
    sender.close()
    last = "the first door"
    try:
        while receiver.poll(3 * SECONDS):
            if (parts := receiver.recv()) is None:
                return
            yield Answer(*parts)
            last = f"the door after {parts[0]}"
        yield Answer(last, "", "", 0, 3 * SECONDS)
    except EOFError:
        yield Answer(last, "", "unexpected error: the process ended", 1)
    finally:
        process.kill()
        process.join()
        receiver.close()


def sound_index(folder: Path) -> Path:
    """Index a copy of the fixture, and return the index."""
    root = Path(shutil.copytree(FIXTURE, folder / "shop"))
    (root / "shop" / "routes.py").write_text(ROUTES)
    (root / "picture.bin").write_bytes(bytes(9))
    db = folder / "sound.db"
    with CodeIndexer(root, db=db, workers=1) as indexer:
        indexer.index()
        subjects = indexer.store.undescribed()
    with update_index(db) as writer:
        writer.put_sentences((content_hash, "model", "Adds up what all of it costs.") for _, content_hash in subjects)
        writer.put_described()
    return db


def main() -> None:
    """Forge all kinds, ask them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kind", default="", help="only kinds whose name begins so")
    parser.add_argument("--doors", default="", help="only these doors: cgi, api, web or own")
    parser.add_argument("--short", action="store_true", help="a few doors of each sort")
    options = parser.parse_args()
    forgers = {name: forge for name, forge in kinds().items() if name.startswith(options.kind)}
    asked, faults, longest, largest = 0, 0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        sound = sound_index(Path(folder))
        for name, forge in forgers.items():
            place = Path(folder) / "forged"
            place.mkdir()
            db = Path(shutil.copyfile(sound, place / "x.db"))
            forge(db)
            for answer in answers_of(db, options.doors, short=options.short):
                asked += 1
                longest, largest = max(longest, answer.seconds), max(largest, answer.megabytes)
                if answer.fault:
                    faults += 1
                    print(f"{name} | {answer.door} | {answer.fault}", flush=True)
            shutil.rmtree(place)
    print(
        json.dumps(
            {"files": len(forgers), "asked": asked, "faults": faults, "seconds": round(longest, 1), "MB": largest}
        )
    )


if __name__ == "__main__":
    main()
