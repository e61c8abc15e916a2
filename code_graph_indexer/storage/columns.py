"""What each column of an index may hold. All rows that are read pass this check.

An index may come from anybody, and a forged file holds any value of any type anywhere. The columns are known by their
names, so a query says with `as` what an expression is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from math import isnan
from operator import le, ne
from typing import Any, NamedTuple

from code_graph_indexer.printable import NOT_IN_NAME
from code_graph_indexer.results import SourceType
from code_graph_indexer.settings import LEAST

Row = tuple[Any, ...]

MAX_NUMBER = 1 << 53
"""The largest number of a column. JSON and JavaScript hold no larger whole one exactly."""

MAX_ID = (1 << 63) - 1
"""The largest id in a database, whose upper bits number the repository."""

MAX_LINE = (1 << 31) - 1
"""The largest number of a line, or of a place in a list."""

MAX_PATH_LENGTH = 8_192
"""The longest path in characters. The longest of any usual system has half of them."""

MAX_TEXT_LENGTH = 100_000
"""The longest text of a column in characters. What is stored of names, signatures and docs is much shorter."""

MAX_NAME_LENGTH = 20_000
"""The longest name in characters: a receiver and a name, or a module and a name in it."""

MAX_META_DIGITS = 9
"""The most digits of a number in the table `meta`."""

MAX_SENTENCE_LENGTH = 400
"""The longest description in characters. What `cgi describe` writes is shorter."""

CELL_SIZE = 56
"""The bytes that a value takes in memory beside its characters, about."""

SOURCE_TYPES = frozenset(source_type.value for source_type in SourceType)
NONE = type(None)


class UnsoundError(Exception):
    """A signal that a row holds what no index does. The message names the column and the value."""


class Column(NamedTuple):
    """What a column may hold: values of these types, numbers in these limits, and texts up to a length that pass the check."""

    types: frozenset[type]
    least: float = 0
    most: float = MAX_NUMBER
    check: Callable[[Sequence[Any]], Any] = lambda texts: None

    def measure(self, name: str, values: Sequence[Any]) -> int:
        """Return the bytes of these values beside CELL_SIZE. Raises UnsoundError if the column may not hold one of them."""
        types = set(map(type, values))
        if not types <= self.types:
            wrong = next(value for value in values if type(value) not in self.types)
            raise UnsoundError(f"{name} is {_shown(wrong)}")
        if NONE in types:
            values = [value for value in values if value is not None]
        if not values or datetime in types:
            return 0
        if not self.types.isdisjoint(_SIZED):
            wrong = self.check(values)
            if wrong is not None:
                raise UnsoundError(f"{name} is {_shown(wrong)}")
            lengths = list(map(len, values))
            if max(lengths) > self.most:
                raise UnsoundError(f"{name} has {max(lengths):,} characters")
            return sum(lengths)
        # What is not a number fails each comparison, and hides between others.
        low, high = min(values), max(values)
        if not (self.least <= low and high <= self.most) or (float in types and isnan(sum(values))):
            raise UnsoundError(f"{name} is {_shown(low if not self.least <= low else high)}")
        return 0


_SIZED = frozenset({str, bytes, list})


def _shown(value: object) -> str:
    """Return a value as an error shows it: a few characters of it, and none that steers a terminal."""
    return ascii(value[:40] if isinstance(value, str | bytes | list) else value)[:80]


def _first_not_inside(paths: Iterable[str]) -> str | None:
    """Return the first path that is empty, is not inside a folder, or has a NUL or too many characters."""
    return next((path for path in set(paths) if not path or not is_inside(path)), None)


def is_inside(path: str) -> bool:
    """Say whether a path with `/` stays inside the folder that it is joined to."""
    # Most paths hold neither, and only these few are split.
    if "\0" in path or path[:1] == "/" or len(path) > MAX_PATH_LENGTH:
        return False
    return ".." not in path or ".." not in path.split("/")


def _first_unknown_type(values: Iterable[str]) -> str | None:
    return next(iter(set(values) - SOURCE_TYPES), None)


def _first_steering(texts: Sequence[str]) -> str | None:
    """Return the first text with a character that may control a terminal or begin a line."""
    joined = "".join(texts)
    if joined.isprintable() or not NOT_IN_NAME.search(joined):
        return None
    return next(text for text in texts if NOT_IN_NAME.search(text))


def _first_not_name(names: Sequence[str]) -> str | None:
    """Return the first name of a repository that is no path inside a folder, or may steer a terminal. An empty one is right."""
    return _first_not_inside(list(filter(None, names))) or _first_steering(names)


def _first_not_id(lists: Iterable[list[Any]]) -> object:
    return next((value for value in chain.from_iterable(lists) if type(value) is not int or value < 0), None)


def _first_not_text(lists: Iterable[list[Any]]) -> object:
    return next((value for value in chain.from_iterable(lists) if type(value) is not str), None)


ID = Column(frozenset({int}), most=MAX_ID)
GLOBAL_ID = Column(frozenset({int}), most=MAX_ID // 2)
NUMBER = Column(frozenset({int}))
LINE = Column(frozenset({int}), most=MAX_LINE)
TIME = Column(frozenset({int}), least=-MAX_NUMBER)
FLAG = Column(frozenset({int, bool}), most=1)
CONFIDENCE = Column(frozenset({int, float}), most=1)
SCORE = Column(frozenset({int, float}), least=-MAX_NUMBER)
TEXT = Column(frozenset({str}), most=MAX_TEXT_LENGTH)
LINE_TEXT = Column(frozenset({str}), most=MAX_TEXT_LENGTH, check=_first_steering)
NAME = Column(frozenset({str}), most=MAX_NAME_LENGTH, check=_first_steering)
REPOSITORY = Column(frozenset({str}), check=_first_not_name)
SENTENCE = Column(frozenset({str}), most=MAX_SENTENCE_LENGTH, check=_first_steering)
LONG_TEXT = Column(frozenset({str}))
PATH = Column(frozenset({str}), check=_first_not_inside)
SOURCE_TYPE = Column(frozenset({str}), check=_first_unknown_type)
BYTES = Column(frozenset({bytes}))
IDS = Column(frozenset({list}), check=_first_not_id)
NAMES = Column(frozenset({list}), check=_first_not_text)
MOMENT = Column(frozenset({datetime}))


def _or_none(column: Column) -> Column:
    return column._replace(types=column.types | {NONE})


COLUMNS: Mapping[str, Column] = {
    **dict.fromkeys(("id", "file_id", "chunk_id", "source_id", "member_id", "module_id", "repository"), ID),
    **dict.fromkeys(("parent_id", "target_id", "external_id", "first_id", "last_id", "own_id"), _or_none(ID)),
    **dict.fromkeys(("size", "lines", "start_byte", "end_byte", "column", "count", "secrets"), NUMBER),
    **dict.fromkeys(("resolved", "revision", "authors", "commits", "weight", "mark"), NUMBER),
    **dict.fromkeys(("files", "chunks", "chunks_with_text", "words"), NUMBER),
    **dict.fromkeys(("descriptions", "description_words"), NUMBER),
    **dict.fromkeys(("position", "ordinal", "line", "start_line", "end_line", "name_line", "def_end_line"), LINE),
    "last_commit": _or_none(TIME),
    **dict.fromkeys(("is_test", "is_example", "is_generated", "is_vendored", "is_broken", "is_text"), FLAG),
    **dict.fromkeys(("has_body", "ambiguous", "is_cut", "is_candidate", "is_member", "is_tied", "has_text"), FLAG),
    **dict.fromkeys(("from_test", "to_test"), FLAG),
    "is_present": _or_none(FLAG),
    "confidence": CONFIDENCE,
    # That of a reference without a target.
    "any_confidence": _or_none(CONFIDENCE),
    "score": SCORE,
    **dict.fromkeys(("kind", "name", "receiver", "module", "encoding", "ecosystem", "package", "version"), NAME),
    **dict.fromkeys(("qualified_name", "signature"), LINE_TEXT),
    "doc": TEXT,
    **dict.fromkeys(("model", "sentence"), SENTENCE),
    **dict.fromkeys(("framework", "verb", "router", "key", "value"), LINE_TEXT),
    **dict.fromkeys(("term", "problem"), TEXT),
    **dict.fromkeys(("head", "fingerprint"), NAME),
    **dict.fromkeys(("language", "error", "origin"), _or_none(LINE_TEXT)),
    **dict.fromkeys(("chunk", "parent_chunk", "target_chunk"), _or_none(TEXT)),
    **dict.fromkeys(("target_name", "target_module", "target_kind", "member_name", "member_kind"), _or_none(LINE_TEXT)),
    **dict.fromkeys(("path", "partner"), PATH),
    "repo_id": REPOSITORY,
    "target_path": _or_none(PATH),
    "source_type": SOURCE_TYPE,
    **dict.fromkeys(("text", "hashes", "content_hash", "signs", "steps", "packed"), BYTES),
    "numbers": _or_none(LONG_TEXT),
    **dict.fromkeys(("repositories", "sizes", "chunk_ids"), _or_none(IDS)),
    "names": NAMES,
    "rows": _or_none(BYTES),
    "copied": _or_none(LONG_TEXT),
    "global_id": GLOBAL_ID,
    "published": MOMENT,
}
"""What each column of a query may hold, by its name in the result."""


def _has_confidence(target_id: int | None, confidence: float | None) -> bool:
    return target_id is None or confidence is not None


RULES: Sequence[tuple[str, Callable[[Any, Any], bool], str]] = (
    ("parent_id", ne, "id"),
    ("start_byte", le, "end_byte"),
    ("start_line", le, "end_line"),
    ("name_line", le, "def_end_line"),
    ("target_id", _has_confidence, "any_confidence"),
    ("end_line", lambda line, lines: line <= lines + 1, "lines"),
)
"""What two columns of a row must be to each other. A last line without an end counts one more than the lines of its file."""


class Columns:
    """The columns of a query, by their names. Raises KeyError for a name that is not known."""

    def __init__(self, names: Sequence[str], *, max_id: int = MAX_ID) -> None:
        columns = [(name, COLUMNS[name]) for name in names]
        self._columns = [
            (name, column._replace(most=max_id) if column.most == MAX_ID else column) for name, column in columns
        ]
        at = {name: position for position, name in enumerate(names)}
        self._rules = [(at[a], is_right, at[b], f"{a} and {b}") for a, is_right, b in RULES if a in at and b in at]

    def measure(self, rows: Sequence[Row]) -> int:
        """Return how many bytes of memory rows take, about. Raises UnsoundError if one of them holds what no index does."""
        if not rows:
            return 0
        values = list(zip(*rows, strict=True))
        size = CELL_SIZE * len(values) * len(rows)
        for (name, column), cells in zip(self._columns, values, strict=True):
            size += column.measure(name, cells)
        for first, is_right, second, both in self._rules:
            if not all(map(is_right, values[first], values[second])):
                wrong = next(row for row in rows if not is_right(row[first], row[second]))
                raise UnsoundError(f"{both} are {_shown(wrong[first])} and {_shown(wrong[second])}")
        return size


def refuse_circles(parents: Mapping[int, int]) -> None:
    """Raise UnsoundError if something is, by any number of steps, its own parent. `parents` maps ids to those above."""
    ended: set[int] = set()
    for start in parents:
        way: set[int] = set()
        current: int | None = start
        while current is not None and current not in ended:
            if current in way:
                raise UnsoundError(f"the chunk {current} is a part of itself")
            way.add(current)
            current = parents.get(current)
        ended |= way


def meta_number(meta: Mapping[str, str], key: str, default: int = 0) -> int:
    """Return a number of the table `meta`, or the default if there is none that an index may have."""
    text = meta.get(key, "")
    number = int(text) if text.isdecimal() and len(text) <= MAX_META_DIGITS else -1
    return number if number >= LEAST.get(key, 0) else default
