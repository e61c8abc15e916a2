"""Measure what the grammars cannot read, before and after the recovery of files with errors.

A byte is broken if it is under an error of the syntax tree. A token that the grammar misses counts as one byte. "Before" is
the first parse of a file, and "after" is what the index keeps. With --ctags, the definitions of the files that were broken
before are compared with those of Universal Ctags: a tag is found if a definition of its name is at most two lines away.

usage: bench_broken.py REPO [REPO…] [--ctags] [--files N]
"""

import argparse
import json
import runpy
import shutil
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import run
from typing import Any

import tree_sitter

from code_graph_indexer.languages import (
    detect_language,
    languages,
    load_parser,
    load_query,
)
from code_graph_indexer.syntax.captured import Captured
from code_graph_indexer.syntax.disk import decode
from code_graph_indexer.syntax.parse import parse, without_foreign
from code_graph_indexer.syntax.readers import read_captures
from code_graph_indexer.syntax.recover import read_tree, recover

LARGEST = 1_000_000
"""Bytes of the largest file that is indexed."""

SYMBOLS: dict[str, Any] = runpy.run_path(str(Path(__file__).parent / "bench_symbols.py"), run_name="symbols")

Places = dict[str, list[int]]
"""The lines of the definitions of a file, by name."""


@dataclass
class Row:
    """The figures of one language of one repository. `before` and `after` are broken files and broken bytes."""

    repository: str
    language: str
    files: int = 0
    size: int = 0
    before: list[int] = field(default_factory=lambda: [0, 0])
    after: list[int] = field(default_factory=lambda: [0, 0])
    nested: int = 0
    parse_seconds: float = 0.0
    recover_seconds: float = 0.0
    tags: int = 0
    tags_before: int = 0
    tags_after: int = 0
    worst: list[tuple[int, str]] = field(default_factory=list)
    definitions: dict[str, tuple[Places, Places]] = field(default_factory=dict)

    def cells(self) -> list[str]:
        """Return the row of the table."""
        return [
            self.repository,
            self.language,
            f"{self.files}",
            f"{self.size / 1e6:.1f}",
            f"{self.before[0]} → {self.after[0]}",
            f"{100 * self.before[1] / self.size:.3f} → {100 * self.after[1] / self.size:.3f}",
            f"{self.nested}",
            f"{self.parse_seconds:.1f} + {self.recover_seconds:.1f}",
            f"{100 * self.tags_before / self.tags:.1f} → {100 * self.tags_after / self.tags:.1f} of {self.tags}"
            if self.tags
            else "",
        ]


COLUMNS = [
    "repository",
    "language",
    "files",
    "MB",
    "broken_files",
    "broken_%",
    "nested_functions",
    "seconds",
    "tags_found_%",
]


def read_texts(root: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yield path, language and text of each code file."""
    for path in sorted(root.rglob("*")):
        language = detect_language(path.name)
        if language is None or languages()[language].source_type != "code" or path.is_symlink() or not path.is_file():
            continue
        decoded = decode(path.read_bytes())
        if decoded is not None and 0 < len(decoded.text) <= LARGEST:
            yield path.relative_to(root).as_posix(), language, decoded.text


def places(names: Iterator[tuple[str, int]], source: bytes) -> Places:
    """Return the lines of definitions, by the last part of their names."""
    lines: Places = defaultdict(list)
    for name, offset in names:
        lines[SYMBOLS["key"](name)].append(source.count(b"\n", 0, offset) + 1)
    return lines


def measure(row: Row, path: str, source: bytes, with_definitions: bool) -> None:
    """Add the figures of one file."""
    language = languages()[row.language]
    text = without_foreign(source, row.language)
    start = time.perf_counter()
    tree = load_parser(row.language).parse(text)
    parsed = time.perf_counter()
    row.files += 1
    row.size += len(text)
    row.parse_seconds += parsed - start
    if not tree.root_node.has_error:
        return
    whole = read_tree(text, tree)
    recovery = recover(whole, language)
    row.recover_seconds += time.perf_counter() - parsed
    left = sum(reading.broken for reading in recovery.readings)
    row.before = [row.before[0] + 1, row.before[1] + whole.broken]
    row.after = [row.after[0] + (left > 0), row.after[1] + left]
    row.worst.append((left, path))
    definitions = parse(path, source, row.language, definitions_only=True).definitions
    functions = [(definition.kind in ("function", "method"), definition.parent) for definition in definitions]
    row.nested += sum(is_function and parent >= 0 and functions[parent][0] for is_function, parent in functions)
    if with_definitions:
        file = Captured(source, language)
        read_captures(
            file, tree_sitter.QueryCursor(load_query(row.language, definitions_only=True)).matches(tree.root_node)
        )
        captured = ((definition.name, definition.name_start) for _, definition in file.definitions.values())
        names = ((definition.name, definition.name_start) for definition in definitions)
        row.definitions[path] = (places(captured, source), places(names, source))


def compare(row: Row, root: Path) -> None:
    """Compare the definitions of a row's broken files with the tags of ctags."""
    peer, kinds = SYMBOLS["PEERS"][row.language]
    command = ["ctags", *SYMBOLS["OPTIONS"].split(), f"--language-force={peer}"]
    listing = "\n".join(row.definitions).encode()
    output = run(command, cwd=root, input=listing, capture_output=True, check=True).stdout
    for line in output.splitlines():
        tag = json.loads(line.decode(errors="replace"))
        if tag["_type"] != "tag" or tag["kind"] not in kinds.split() or SYMBOLS["ANONYMOUS"].match(tag["name"]):
            continue
        before, after = (
            any(abs(line - tag["line"]) <= SYMBOLS["NEAR"] for line in lines.get(SYMBOLS["key"](tag["name"]), ()))
            for lines in row.definitions[tag["path"]]
        )
        row.tags += 1
        row.tags_before += before
        row.tags_after += after


def main() -> None:
    """Read the arguments, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--ctags", action="store_true", help="compare the definitions with Universal Ctags")
    parser.add_argument("--files", type=int, default=0, help="list the N files of each row that stay broken most")
    arguments = parser.parse_args()
    if arguments.ctags and not shutil.which("ctags"):
        parser.error("there is no ctags; install Universal Ctags (apt install universal-ctags)")
    print(f"| {' | '.join(COLUMNS).replace('_', ' ')} |\n|{'---|' * len(COLUMNS)}")
    for root in arguments.repositories:
        rows: dict[str, Row] = {}
        for path, language, source in read_texts(root):
            row = rows.setdefault(language, Row(root.name, language))
            measure(row, path, source, arguments.ctags and language in SYMBOLS["PEERS"])
        for row in sorted(rows.values(), key=lambda row: row.language):
            if row.definitions:
                compare(row, root)
            if row.before[0]:
                print(f"| {' | '.join(row.cells())} |", flush=True)
                for left, path in sorted(row.worst, reverse=True)[: arguments.files]:
                    print(f"  {left} bytes: {path}")


if __name__ == "__main__":
    main()
