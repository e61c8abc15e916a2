"""Read exact references from SCIP indexes.

A definition of a SCIP index is matched to ours by line and name. A use counts only if the text at its position is the name of
its symbol.
"""

import posixpath
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from code_graph_indexer.errors import UsageError
from code_graph_indexer.printable import as_name
from code_graph_indexer.scip import DEFINITION, ENCODINGS, FORWARD_DEFINITION, IMPORT, owner_of, parsed, symbol_name
from code_graph_indexer.storage import LinkReader, StoredDefinition, StoredFile
from code_graph_indexer.storage.records import ExactUse, Target

MAX_WRONG = 0.1
"""The largest share of a document's definitions without a match.

With more, the file has changed since the SCIP index was made.
"""

LOCAL = "local "
"""Prefix of symbols that are valid only inside their document."""


class ScipIndex(NamedTuple):
    """A SCIP index: its documents (one for each file), and the path that it was read from."""

    path: Path
    documents: Sequence[Any]


@dataclass(slots=True)
class ExactReferences:
    """The linked references of SCIP indexes, by file id, and warnings about the references that cannot be used."""

    uses: dict[int, list[ExactUse]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_scip(path: Path) -> ScipIndex:
    """Read a SCIP index from a file. Raises UsageError if the file is missing, is no SCIP index, or has no documents."""
    try:
        index = parsed("Index", path.read_bytes())
    except OSError as exc:
        raise UsageError(f"{path} cannot be read: {exc.strerror}") from exc
    except ValueError as exc:
        raise UsageError(f"{path} is no SCIP index; make one with a SCIP indexer, such as scip-python") from exc
    if not index.documents:
        raise UsageError(f"{path} is a SCIP index without documents; was it made in the folder of the sources?")
    return ScipIndex(path, index.documents)


def indexed_paths(index: ScipIndex, paths: Collection[str]) -> dict[str, str]:
    """Map the paths of a SCIP index's documents to the paths of our files. Other documents are left out.

    If the SCIP index was made in a subfolder, that folder is put before its paths. It is the folder that fits most documents.
    Raises UsageError if no document fits.
    """
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_name[posixpath.basename(path)].append(path)
    documents = [document.relative_path for document in index.documents]
    # For `lib/a.py` here and `a.py` in the SCIP index, `lib/` is put before.
    folders = Counter(
        path.removesuffix(document)
        for document in documents
        for path in by_name[posixpath.basename(document)]
        if path == document or path.endswith("/" + document)
    )
    if not folders:
        raise UsageError(f"{index.path} is of another repository: none of its {len(documents):,} documents is here")
    # Of folders that fit as many documents, the one nearest to the root goes first.
    best = min(folders, key=lambda folder: (-folders[folder], len(folder), folder))
    indexed = set(paths)
    return {document: best + document for document in documents if best + document in indexed}


def exact_references(links: LinkReader, indexes: Sequence[ScipIndex]) -> ExactReferences:
    """Read the references that SCIP indexes resolve.

    `links` reads the index under construction, which must contain all files already.
    """
    references = ExactReferences()
    # There is seldom an index, and the paths of all files take time.
    paths = links.paths().values() if indexes else ()
    documents = [_documents(links, index, paths, references) for index in indexes]
    symbols: dict[str, list[Target]] = {}
    # A use may mean a definition in another index, so all definitions are read before any use.
    for document in (document for fitting in documents for document in fitting):
        symbols.update(document.symbols)
    for index, fitting in zip(indexes, documents, strict=True):
        mistrusted = sum(_add_uses(links, document, symbols, references) for document in fitting)
        if mistrusted:
            references.warnings.append(
                f"{index.path}: {mistrusted:,} uses are written otherwise than their symbol (aliases, re-exports): not used"
            )
    return references


class _Document:
    """A document of a SCIP index, paired with the indexed file.

    `symbols` maps the keys of its symbols to their definitions in the file. `is_stale` says that the file has changed since the
    SCIP index was made.
    """

    def __init__(self, document: Any, file: StoredFile, definitions: Sequence[StoredDefinition]) -> None:
        self.document = document
        self.file = file
        self.lines = file.text.decode("utf-8", "replace").split("\n")
        self.symbols: dict[str, list[Target]] = {}
        by_line: dict[tuple[int, str], list[StoredDefinition]] = defaultdict(list)
        for definition in definitions:
            by_line[definition.line, definition.name].append(definition)
        wrong = checked = 0
        for occurrence in document.occurrences:
            name = symbol_name(occurrence.symbol)
            if not occurrence.symbol_roles & DEFINITION or not _is_token(occurrence.range):
                continue
            # A local symbol contains no name. The text at its place is taken for it.
            token = self.token(occurrence.range, name or self.text_at(occurrence.range))
            # A constructor with an artificial name may stand anywhere in its class, so it does not prove a file stale.
            if name and owner_of(occurrence.symbol) == occurrence.symbol:
                checked += 1
                wrong += token is None
            matches = by_line.get((occurrence.range[0] + 1, token[0]), ()) if token else ()
            targets = self.symbols.setdefault(self.key(occurrence.symbol), [])
            targets.extend(definition.target for definition in matches)
        # Many indexes leave out the text. Then misplaced definitions tell that the file has changed.
        changed = bool(document.text) and _plain(document.text) != _plain(file.text.decode("utf-8", "replace"))
        self.is_stale = changed or wrong > checked * MAX_WRONG

    def key(self, symbol: str) -> str:
        """Return a key for a symbol that is unique in all documents. A local symbol gets the path of its file."""
        return f"{symbol} {self.file.path}" if symbol.startswith(LOCAL) else symbol

    def token(self, token_range: Sequence[int], name: str) -> tuple[str, int] | None:
        """Return the name and the byte of the line where it starts, or None if the text at the range is not the name."""
        if token_range[0] >= len(self.lines):
            return None
        line = self.lines[token_range[0]]
        declared = ENCODINGS.get(self.document.position_encoding)
        # Many indexers do not declare what their columns count, so every encoding is tried.
        for encoding in (declared,) if declared else ENCODINGS.values():
            start, end = (_character(line, column, encoding) for column in (token_range[1], token_range[2]))
            if line[start:end] == name:
                return name, len(line[:start].encode())
        return None

    def text_at(self, token_range: Sequence[int]) -> str:
        """Return the text at a range. Columns count UTF-16 code units, unless the document declares another encoding."""
        line = self.lines[token_range[0]] if token_range[0] < len(self.lines) else ""
        encoding = ENCODINGS.get(self.document.position_encoding, ENCODINGS[2])
        return line[_character(line, token_range[1], encoding) : _character(line, token_range[2], encoding)]


def _documents(
    links: LinkReader, index: ScipIndex, paths: Collection[str], references: ExactReferences
) -> list[_Document]:
    """Return the documents whose file is indexed and has not changed since the SCIP index was made.

    `paths` are those of the indexed files. How many documents are left out is added to the warnings of `references`.
    """
    file_paths = indexed_paths(index, paths)
    fitting, stale = [], 0
    for message in index.documents:
        path = file_paths.get(message.relative_path)
        file = links.file(path) if path else None
        if file is None:
            continue
        document = _Document(message, file, links.definitions(file.path))
        stale += document.is_stale
        if not document.is_stale:
            fitting.append(document)
    missing = len(index.documents) - len(file_paths)
    if missing:
        references.warnings.append(
            f"{index.path}: {missing:,} of {len(index.documents):,} documents are not indexed: not used"
        )
    if stale:
        references.warnings.append(
            f"{index.path}: {stale:,} files have changed since it was made: not used; make it anew"
        )
    return fitting


def _add_uses(
    links: LinkReader, document: _Document, symbols: dict[str, list[Target]], references: ExactReferences
) -> int:
    """Add the uses of symbols in a document to `references`, and what its methods override, without definitions and imports.

    Returns how many were left out, because the text at their position is not the name of their symbol.
    """
    uses = references.uses.setdefault(document.file.id, [])
    spans = links.spans(document.file.id)
    starts = [start for start, _ in spans]
    mistrusted = 0
    for occurrence in document.document.occurrences:
        if occurrence.symbol_roles & (DEFINITION | FORWARD_DEFINITION | IMPORT) or not _is_token(occurrence.range):
            continue
        line, key = occurrence.range[0] + 1, document.key(owner_of(occurrence.symbol))
        is_local = occurrence.symbol.startswith(LOCAL)
        name = document.text_at(occurrence.range) if is_local else symbol_name(occurrence.symbol)
        if not name:
            continue
        token = document.token(occurrence.range, name)
        if token is None:
            mistrusted += 1
            continue
        target = _chosen(symbols[key]) if key in symbols else None
        # A symbol without a definition lies outside the repository: the use is exact, and leads to nothing here.
        if target is not None or not (key in symbols or key.startswith(LOCAL)):
            # Spans are sorted by first line. The last one that starts at the line or above holds the use.
            source_id = spans[bisect_right(starts, line) - 1][1]
            uses.append(ExactUse(line, token[1], "references", as_name(name), source_id, target))
    uses += _overrides(document, symbols)
    return mistrusted


def _overrides(document: _Document, symbols: dict[str, list[Target]]) -> Iterator[ExactUse]:
    """Yield a use for each method of a document that overrides or implements another method."""
    for information in document.document.symbols:
        method = _chosen(symbols.get(information.symbol, ()))
        if method is None or method.path != document.file.path or method.kind != "method":
            continue
        for relation in information.relationships:
            target = _chosen(symbols.get(relation.symbol, ())) if relation.is_implementation else None
            if target is not None and target.kind == "method" and target.chunk_id != method.chunk_id:
                # An override is looked up by its two methods, so it needs no line.
                yield ExactUse(0, 0, "overrides", method.name, method.chunk_id, target)


def carry_over(links: LinkReader, old: LinkReader) -> ExactReferences:
    """Copy the exact references from another index of the same files, and replace its chunk ids by those of this index.

    A file that is cut into another number of chunks is left out.
    """
    references = ExactReferences()
    ids: dict[int, int] = {}
    files: dict[int, int] = {}
    for old_id, path in old.paths().items():
        before, after = old.file(path), links.file(path)
        # Chunks are paired by their order, which works only if the file was cut alike.
        if before is not None and after is not None and len(before.chunk_ids) == len(after.chunk_ids):
            ids.update(zip(before.chunk_ids, after.chunk_ids, strict=True))
            files[old_id] = after.id
    for old_id, file_id in files.items():
        for use in old.exact(old_id):
            target = use.target and use.target._replace(chunk_id=ids.get(use.target.chunk_id, 0))
            if use.source_id in ids:
                moved = use._replace(source_id=ids[use.source_id], target=target)
                references.uses.setdefault(file_id, []).append(moved)
    return references


def _chosen(targets: Sequence[Target]) -> Target | None:
    """Choose one of the definitions of a symbol: the first with a body, else the first. None if there is no definition.

    None too if the definitions have different names: some indexers give one symbol to all local functions of a name.
    """
    if len({(target.path, target.dotted) for target in targets}) > 1:
        return None
    return next((target for target in targets if target.has_body), targets[0] if targets else None)


def _is_token(token_range: Sequence[int]) -> bool:
    """Say whether a range lies in a single line and is not empty. Such a range is [line, start, end), 0-based."""
    return len(token_range) == 3 and 0 <= token_range[1] < token_range[2] and token_range[0] >= 0


def _character(line: str, units: int, encoding: str) -> int:
    """Convert a column in code units of an encoding to a column in characters."""
    if line.isascii():
        return units
    # A count that ends inside a character is damaged. `ignore` drops the broken part.
    size = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[encoding]
    return len(line.encode(encoding)[: units * size].decode(encoding, "ignore"))


def _plain(text: str) -> str:
    """Return a text with `\\n` as line ends and without a byte order mark. Checkouts of one file may differ in both."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
