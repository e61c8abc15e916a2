"""Write the call sites of a C or C++ checkout as libclang sees them, for bench_sites.py.

The script parses every source file below ROOT alone, but no test, example or benchmark. Each INCLUDE is a folder below ROOT
for the include path. The script names files that do not parse on stderr. It needs the package `libclang` and the headers of
a gcc.

usage: clang_calls.py ROOT STANDARD [INCLUDE…] > SITES.tsv     (STANDARD is gnu11, c++17 or the like)
"""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clang import cindex

LEFT_OUT = ("test", "example", "bench", "fuzz", "doc")
DEPTH = 10_000
FUNCTIONS = frozenset(
    {cindex.CursorKind.FUNCTION_DECL, cindex.CursorKind.CXX_METHOD, cindex.CursorKind.FUNCTION_TEMPLATE}
)
SCOPES = frozenset(
    {
        *(cindex.CursorKind.NAMESPACE, cindex.CursorKind.CLASS_DECL, cindex.CursorKind.STRUCT_DECL),
        *(cindex.CursorKind.CLASS_TEMPLATE, cindex.CursorKind.LINKAGE_SPEC, cindex.CursorKind.UNEXPOSED_DECL),
    }
)


def system_includes(compiler: str, language: str) -> list[str]:
    """List the folders in which a compiler looks for headers."""
    output = subprocess.run(
        [compiler, "-E", "-v", "-x", language, "/dev/null"], capture_output=True, text=True, check=True
    )
    listed = output.stderr.partition("search starts here:\n#include <...>")[2] or output.stderr
    return [line.strip() for line in listed.splitlines() if line.startswith(" /")]


class Site(NamedTuple):
    """A call: where its name stands, and the place and the unified symbol resolution (USR) of what it runs."""

    path: str
    line: int
    column: int
    name: str
    target: str
    usr: str


def children(cursor: cindex.Cursor, root: Path) -> Iterator[cindex.Cursor]:
    """Yield what stands in a cursor, but for what comes from files outside the root."""
    for child in cursor.get_children():
        if child.location.file is None or inside(child.location, root) is not None:
            yield child


def calls(cursor: cindex.Cursor, root: Path) -> Iterator[Site]:
    """Yield each call below a cursor."""
    for child in children(cursor, root):
        if child.kind == cindex.CursorKind.CALL_EXPR and child.spelling:
            yield from site(child, root)
        yield from calls(child, root)


def inside(location: cindex.SourceLocation, root: Path) -> str | None:
    """Return a place's path below the root, or None if it is not below."""
    path = Path(location.file.name).resolve() if location.file else None
    return str(path.relative_to(root)) if path is not None and path.is_relative_to(root) else None


def place(cursor: cindex.Cursor, root: Path) -> str:
    """Write where something is declared or defined. Empty outside the root."""
    path = inside(cursor.location, root)
    return f"{path}:{cursor.location.line}:{cursor.location.line}" if path else ""


def site(call: cindex.Cursor, root: Path) -> Iterator[Site]:
    """Yield one call, when its name stands in the text of code and it runs a function."""
    called = call.referenced
    kinds = cindex.CursorKind
    if called is None or called.kind in (kinds.VAR_DECL, kinds.PARM_DECL, kinds.FIELD_DECL, kinds.CONSTRUCTOR):
        return
    name_node = next(call.get_children(), call)
    spelt = [token.location for token in name_node.get_tokens() if token.spelling == call.spelling]
    path = inside(spelt[-1], root) if spelt else None
    if path is None or in_macro(str(root / path), spelt[-1].line):
        return
    target = place(called.get_definition() or called, root) or place(called, root) or "external"
    yield Site(path, spelt[-1].line, spelt[-1].column, call.spelling, target, called.get_usr())


@cache
def lines_of(path: str) -> list[str]:
    """Read a file."""
    return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()


def in_macro(path: str, line: int) -> bool:
    """Say whether a line (from 1) belongs to a preprocessor's directive: what a macro calls is called where it is used."""
    lines = lines_of(path)
    while line > 1 and lines[line - 2].endswith("\\"):
        line -= 1
    return lines[line - 1].lstrip().startswith("#")


def definitions(cursor: cindex.Cursor, root: Path) -> Iterator[tuple[str, str]]:
    """Yield the USR and place of each function that is defined below a cursor."""
    for child in children(cursor, root):
        if child.is_definition() and child.kind in FUNCTIONS:
            yield child.get_usr(), place(child, root)
        if child.kind in SCOPES:
            yield from definitions(child, root)


def main() -> None:
    """Parse every file and write its calls, those of a header once."""
    root, standard = Path(sys.argv[1]).resolve(), sys.argv[2]
    language, compiler, endings = ("c++", "g++", (".cc", ".cpp", ".cxx")) if "++" in standard else ("c", "gcc", (".c",))
    arguments = [f"-std={standard}", "-x", language, *(f"-I{root / folder}" for folder in sys.argv[3:])]
    arguments += [f"-isystem{folder}" for folder in system_includes(compiler, language)]
    sys.setrecursionlimit(DEPTH)
    sites: dict[Site, None] = {}
    defined: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        below = str(path.relative_to(root)).lower()
        if path.suffix not in endings or any(word in below for word in LEFT_OUT):
            continue
        unit = cindex.Index.create().parse(str(path), args=arguments)
        errors = [
            diagnostic.spelling for diagnostic in unit.diagnostics if diagnostic.severity >= cindex.Diagnostic.Error
        ]
        if errors:
            print(f"{below}: {len(errors)} errors, {errors[0]}", file=sys.stderr)
        sites.update(dict.fromkeys(calls(unit.cursor, root)))
        defined.update(definitions(unit.cursor, root))
    for call_site in sites:
        target = call_site.target if call_site.target == "external" else defined.get(call_site.usr, call_site.target)
        print(call_site.path, call_site.line, call_site.name, "call", target, sep="\t")


if __name__ == "__main__":
    main()
