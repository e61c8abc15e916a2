"""Take exact references out of SCIP indexes: definitions are matched by place, uses by the token that stands there."""

import posixpath
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from code_graph_indexer.errors import UsageError
from code_graph_indexer.resolve import ExactUse, Target
from code_graph_indexer.scip import DEFINITION, ENCODINGS, IMPORT, owner_of, parsed, symbol_name
from code_graph_indexer.storage import LinkReader, PlacedDefinition, StoredFile

MAX_WRONG = 0.1
"""Share of a document's definitions that may not stand where it says; with more, the file has changed since."""

LOCAL = "local "
"""What the symbols begin with that are known in their document only."""


class ScipIndex(NamedTuple):
    """A SCIP index as it was read, with the path that it was read from."""

    path: Path
    documents: Sequence[Any]


@dataclass(slots=True)
class Exactness:
    """What SCIP indexes say of the files of an index, by file id, and what of them could not be used."""

    uses: dict[int, list[ExactUse]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_scip(path: Path) -> ScipIndex:
    """Read a SCIP index. Raises UsageError for a file that is missing, none, or empty."""
    try:
        index = parsed("Index", path.read_bytes())
    except OSError as exc:
        raise UsageError(f"{path} cannot be read: {exc.strerror}") from exc
    except ValueError as exc:
        raise UsageError(f"{path} is no SCIP index; make one with a SCIP indexer, such as scip-python") from exc
    if not index.documents:
        raise UsageError(f"{path} is a SCIP index without documents; was it made in the folder of the sources?")
    return ScipIndex(path, index.documents)


def places_of(index: ScipIndex, paths: Collection[str]) -> dict[str, str]:
    """Map the documents of a SCIP index to indexed files, below the folder that most of them lie in.

    Raises UsageError when none of them is indexed.
    """
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_name[posixpath.basename(path)].append(path)
    documents = [one.relative_path for one in index.documents]
    folders = Counter(
        path.removesuffix(one)
        for one in documents
        for path in by_name[posixpath.basename(one)]
        if path == one or path.endswith("/" + one)
    )
    if not folders:
        raise UsageError(f"{index.path} is of another repository: none of its {len(documents):,} documents is here")
    folder = min(folders, key=lambda one: (-folders[one], len(one), one))
    known = set(paths)
    return {one: folder + one for one in documents if folder + one in known}


def exactness(links: LinkReader, indexes: Sequence[ScipIndex]) -> Exactness:
    """Read what SCIP indexes say of an index under construction, whose files are all written."""
    found = Exactness()
    known = links.paths().values()
    documents = [_documents(links, index, known, found) for index in indexes]
    symbols: dict[str, list[Target]] = {}
    for one in (each for several in documents for each in several):
        symbols.update(one.symbols)
    for index, several in zip(indexes, documents, strict=True):
        mistrusted = sum(_take(links, one, symbols, found) for one in several)
        if mistrusted:
            found.warnings.append(
                f"{index.path}: {mistrusted:,} uses are written otherwise than their symbol (aliases, re-exports): not used"
            )
    return found


class _Document:
    """A document of a SCIP index beside the indexed file: what it defines, and whether it fits."""

    def __init__(self, document: Any, file: StoredFile, definitions: Sequence[PlacedDefinition]) -> None:
        self.document = document
        self.file = file
        self.lines = file.text.decode("utf-8", "replace").split("\n")
        self.symbols: dict[str, list[Target]] = {}
        by_place: dict[tuple[int, str], list[PlacedDefinition]] = defaultdict(list)
        for one in definitions:
            by_place[one.line, one.name].append(one)
        wrong = checked = 0
        for one in document.occurrences:
            name = symbol_name(one.symbol)
            if not one.symbol_roles & DEFINITION or not _is_token(one.range):
                continue
            token = self.token(one.range, name or self.text_at(one.range))
            if name and owner_of(one.symbol) == one.symbol:
                checked += 1
                wrong += token is None
            at = by_place.get((one.range[0] + 1, token[0]), ()) if token else ()
            self.symbols.setdefault(self.key(one.symbol), []).extend(_target(file.path, each) for each in at)
        changed = bool(document.text) and _plain(document.text) != _plain(file.text.decode("utf-8", "replace"))
        self.is_stale = changed or wrong > checked * MAX_WRONG

    def key(self, symbol: str) -> str:
        """Tell the local symbols of a document from those of others."""
        return f"{symbol} {self.file.path}" if symbol.startswith(LOCAL) else symbol

    def token(self, place: Sequence[int], name: str) -> tuple[str, int] | None:
        """Return the token at a place and the byte where it starts, if it is this name; else None."""
        if place[0] >= len(self.lines):
            return None
        line = self.lines[place[0]]
        declared = ENCODINGS.get(self.document.position_encoding)
        for encoding in (declared,) if declared else ENCODINGS.values():
            start, end = (_character(line, one, encoding) for one in (place[1], place[2]))
            if line[start:end] == name:
                return name, len(line[:start].encode())
        return None

    def text_at(self, place: Sequence[int]) -> str:
        """Return what stands at a place, as UTF-16 counts, which most languages' tools do."""
        line = self.lines[place[0]] if place[0] < len(self.lines) else ""
        encoding = ENCODINGS.get(self.document.position_encoding, ENCODINGS[2])
        return line[_character(line, place[1], encoding) : _character(line, place[2], encoding)]


def _documents(links: LinkReader, index: ScipIndex, paths: Collection[str], found: Exactness) -> list[_Document]:
    """Read the documents of files that are indexed and have not changed since."""
    places = places_of(index, paths)
    fitting, stale = [], 0
    for document in index.documents:
        path = places.get(document.relative_path)
        file = links.file(path) if path else None
        if file is None:
            continue
        one = _Document(document, file, links.definitions(file.path))
        stale += one.is_stale
        if not one.is_stale:
            fitting.append(one)
    missing = len(index.documents) - len(places)
    if missing:
        found.warnings.append(
            f"{index.path}: {missing:,} of {len(index.documents):,} documents are not indexed: not used"
        )
    if stale:
        found.warnings.append(f"{index.path}: {stale:,} files have changed since it was made: not used; make it anew")
    return fitting


def _take(links: LinkReader, one: _Document, symbols: dict[str, list[Target]], found: Exactness) -> int:
    """Add the uses of a document; return how many are not spelt as their symbol."""
    uses = found.uses.setdefault(one.file.id, [])
    spans = links.spans(one.file.id)
    starts = [start for start, _ in spans]
    mistrusted = 0
    for each in one.document.occurrences:
        if each.symbol_roles & (DEFINITION | IMPORT) or not _is_token(each.range):
            continue
        line, key = each.range[0] + 1, one.key(owner_of(each.symbol))
        name = one.text_at(each.range) if each.symbol.startswith(LOCAL) else symbol_name(each.symbol)
        if not name:
            continue
        token = one.token(each.range, name)
        if token is None:
            mistrusted += 1
            continue
        target = _meant(symbols[key]) if key in symbols else None
        if target is not None or not (key in symbols or key.startswith(LOCAL)):
            source_id = spans[bisect_right(starts, line) - 1][1]
            uses.append(ExactUse(line, token[1], "references", name, source_id, target))
    uses += _overrides(one, symbols)
    return mistrusted


def _overrides(one: _Document, symbols: dict[str, list[Target]]) -> Iterator[ExactUse]:
    """Yield what the methods of a document override or implement."""
    for information in one.document.symbols:
        own = _meant(symbols.get(information.symbol, ()))
        if own is None or own.path != one.file.path or own.kind != "method":
            continue
        for relation in information.relationships:
            target = _meant(symbols.get(relation.symbol, ())) if relation.is_implementation else None
            if target is not None and target.kind == "method" and target.chunk_id != own.chunk_id:
                yield ExactUse(0, 0, "overrides", own.name, own.chunk_id, target)


def carried(links: LinkReader, old: LinkReader) -> Exactness:
    """Take what another index of the same files knows exactly, under the ids of this one."""
    found = Exactness()
    ids: dict[int, int] = {}
    files: dict[int, int] = {}
    for old_id, path in old.paths().items():
        was, now = old.file(path), links.file(path)
        if was is not None and now is not None and len(was.chunk_ids) == len(now.chunk_ids):
            ids.update(zip(was.chunk_ids, now.chunk_ids, strict=True))
            files[old_id] = now.id
    for old_id, file_id in files.items():
        for one in stored_uses(old, old_id):
            target = one.target and one.target._replace(chunk_id=ids.get(one.target.chunk_id, 0))
            if one.source_id in ids:
                moved = one._replace(source_id=ids[one.source_id], target=target)
                found.uses.setdefault(file_id, []).append(moved)
    return found


def stored_uses(links: LinkReader, file_id: int) -> list[ExactUse]:
    """Read what an index knows exactly of a file; what led to a definition that is gone is known no longer."""
    return [
        ExactUse(
            *one[:5], Target(one.path, str(one.dotted), str(one.target_kind), one.target_id or 0, bool(one.has_body))
        )
        if one.path is not None
        else ExactUse(*one[:5], None)
        for one in links.exact(file_id)
    ]


def _meant(targets: Sequence[Target]) -> Target | None:
    """Choose among the definitions of a symbol: of overloads and declarations, the one with a body is meant.

    Definitions of several names are none: some indexers give one symbol to all local functions of a name.
    """
    if len({(one.path, one.dotted) for one in targets}) > 1:
        return None
    return next((one for one in targets if one.has_body), targets[0] if targets else None)


def _target(path: str, one: PlacedDefinition) -> Target:
    return Target(path, one.dotted, one.kind, one.chunk_id, one.has_body)


def _is_token(place: Sequence[int]) -> bool:
    """Say whether a range lies in one line and is not empty or backwards."""
    return len(place) == 3 and 0 <= place[1] < place[2] and place[0] >= 0


def _character(line: str, units: int, encoding: str) -> int:
    """Turn a count of code units into one of characters."""
    if line.isascii():
        return units
    size = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[encoding]
    return len(line.encode(encoding)[: units * size].decode(encoding, "ignore"))


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
