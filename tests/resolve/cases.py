"""Resolver cases as text: small repositories in which each call bears a mark that says where it leads.

A file of tests/resolve/cases is one case. It begins with the facts it shows, a line each. Then come the files of a
repository, each under its path:

    Calls follow the type of their receiver.

    === shapes.py
    class Store:
        def load(self): ...

        def reload(self):
            self.load()  # -> shapes.Store.load 0.98
            other()  # -> none

A mark is the comment at the end of a line, in the comment syntax of any language. It is cut off before the file is
indexed. It names the definition that the call leads to and the confidence of the edge. What else a mark may say:

| mark | meaning |
|---|---|
| `none` | the call has no target |
| `a.f \\| b.f` | the call has no target, and these candidates |
| `a.f 0.9 tied` | another overload that takes as many arguments may be meant |
| `a.f@12 0.9` | of the definitions called a.f, the one on line 12 of this file |
| `a.f@x/b.c:12 0.9` | the one on line 12 of x/b.c |
| `load: a.f 0.9, save: none` | the calls of a line in order of column, by the name that is called |
| `inherits a.B 0.9` | an edge of another kind. A call names no kind |
| `from a.g, a.f 0.9` | the edge starts at a.g, not at the innermost definition around the line |

Every call of a case has its mark: a call that the resolver sees and no mark names is a failure, and so is a mark without
a call. A line `kinds: calls inherits` above the first file has edges of those kinds checked as well.

To add a case, write the facts and the files without marks, run `pytest tests/resolve/test_cases.py --update-golden`, and read
what it wrote: a mark that you would not have written yourself is a bug, or a case to leave out.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from code_graph_indexer import CodeIndexer
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import ResolvedReference, StoredChunk
from tests.indexing.repository import write_tree

CASES = Path(__file__).parent / "cases"

MARK = re.compile(r"(?:^|  )(?://|#|--|;|%|/\*|\(\*|\{-|<!--) -> (?P<edges>.+?)(?: (?:\*/|\*\)|-\}|-->))?$")
"""The comment at the end of a line that says where its calls lead."""

HASH_COMMENTS = frozenset({".py", ".pyi", ".rb", ".sh", ".ex", ".exs", ".r", ".jl", ".pl", ".nix", ".toml", ".tf"})
"""Files in which `#` begins a comment. In all others a mark is written with `//`: marks are cut off before indexing."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case: the facts it shows, the kinds of edges it checks, its files, and the marks by path and line from 1."""

    facts: tuple[str, ...]
    kinds: tuple[str, ...]
    files: dict[str, str]
    marks: dict[tuple[str, int], str]


def read_case(text: str) -> Case:
    """Read the text of a case."""
    head, *sections = re.split(r"(?m)^=== ", text)
    facts = [line for line in head.splitlines() if line and not line.startswith("kinds:")]
    kinds = re.findall(r"(?m)^kinds: (.+)$", head)
    files: dict[str, str] = {}
    marks: dict[tuple[str, int], str] = {}
    for section in sections:
        path, _, marked = section.partition("\n")
        lines = marked.rstrip("\n").split("\n")
        for position, line in enumerate(lines):
            if mark := MARK.search(line):
                marks[path, position + 1] = mark["edges"]
                lines[position] = line[: mark.start()]
        files[path] = "\n".join(lines) + "\n"
    return Case(tuple(facts), tuple(kinds[0].split()) if kinds else ("calls",), files, marks)


def write_case(case: Case) -> str:
    """Return the text of a case, marks included."""
    head = "\n".join(case.facts) + "\n"
    if case.kinds != ("calls",):
        head += f"\nkinds: {' '.join(case.kinds)}\n"
    sections = []
    for path, text in case.files.items():
        sign = "#" if Path(path).suffix in HASH_COMMENTS else "//"
        lines = text.rstrip("\n").split("\n")
        for position, line in enumerate(lines):
            if edges := case.marks.get((path, position + 1)):
                lines[position] = f"{line}  {sign} -> {edges}"
        sections.append("\n".join([f"=== {path}", *lines]) + "\n")
    return "\n".join([head, *sections])


def index_case(case: Case, root: Path) -> Case:
    """Index the files of a case below a folder. Return the case with the marks that the resolver earns."""
    write_tree(root, case.files)
    with CodeIndexer(root, workers=1, embedder="") as indexer:
        indexer.index()
        return replace(case, marks=dict(resolved_marks(indexer.store, case)))


def resolved_marks(store: Store, case: Case) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield path, line and mark of each line of the files that has edges of the kinds of the case."""
    targets = Targets(store)
    for path in case.files:
        by_line: dict[int, list[ResolvedReference]] = defaultdict(list)
        for reference in store.reference_fates(path):
            if reference.kind in case.kinds:
                by_line[reference.line].append(reference)
        chunks = store.file_chunks(path)
        for line, references in sorted(by_line.items()):
            yield (path, line), line_mark(references, innermost(chunks, line), targets, path)


def innermost(chunks: list[StoredChunk], line: int) -> StoredChunk | None:
    """Return the smallest of the definitions around a line."""
    around = [chunk for chunk in chunks if min(chunk.start_line, chunk.name_line) <= line <= chunk.def_end_line]
    return min(around, key=lambda chunk: chunk.def_end_line - chunk.start_line, default=None)


def line_mark(references: list[ResolvedReference], source: StoredChunk | None, targets: "Targets", path: str) -> str:
    """Write the mark of a line: its references in order of column, with their names if there is more than one name."""
    ambiguous = len({(reference.kind, reference.name) for reference in references}) > 1
    marks = []
    for reference in references:
        if reference.target_id is not None:
            mark = f"{targets.name(reference.target_id, path)} {reference.confidence:g}{' tied' * reference.tied}"
        else:
            mark = " | ".join(sorted(targets.name(chunk_id, path) for chunk_id in reference.candidates)) or "none"
        if ambiguous and reference.kind == "calls":
            mark = f"{reference.name}: {mark}"
        if reference.kind != "calls":
            mark = f"{reference.kind} {mark}"
        if source is None or targets.chunk(reference.source_id).qualified_name != source.qualified_name:
            mark = f"from {targets.name(reference.source_id, path)}, {mark}"
        marks.append(mark)
    return ", ".join(marks)


class Targets:
    """Name the definitions of an index as marks do."""

    def __init__(self, store: Store) -> None:
        chunks = [chunk for file in store.files() for chunk in store.file_chunks(file.path)]
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._shared: dict[str, set[int]] = defaultdict(set)
        for chunk in chunks:
            self._shared[chunk.qualified_name].add(chunk.id)

    def chunk(self, chunk_id: int) -> StoredChunk:
        """Return a chunk by id."""
        return self._chunks[chunk_id]

    def name(self, chunk_id: int, path: str) -> str:
        """Return the qualified name of a definition, with its line if others share the name, as seen from a file."""
        chunk = self._chunks[chunk_id]
        if len(self._shared[chunk.qualified_name]) == 1:
            return chunk.qualified_name
        file = "" if chunk.path == path else f"{chunk.path}:"
        return f"{chunk.qualified_name}@{file}{chunk.name_line}"


def differences(expected: Case, actual: Case) -> list[str]:
    """List the lines of a case whose marks differ: path and line, what the case expects, what the resolver says."""
    places = sorted(expected.marks.keys() | actual.marks.keys())
    return [
        f"{path}:{line}: expected {expected.marks.get((path, line), 'no call')}, "
        f"got {actual.marks.get((path, line), 'no call')}"
        for path, line in places
        if expected.marks.get((path, line)) != actual.marks.get((path, line))
    ]
