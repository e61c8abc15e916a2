"""Write the call sites of a C or C++ checkout as libclang sees them, for bench_sites.py.

Every source file below ROOT that is no test, example or benchmark is parsed alone, with the folders given (below ROOT) on its
include path; files that do not parse are named on stderr. Needs the package `libclang` and the headers of a gcc.

usage: clang_calls.py ROOT STANDARD [INCLUDE…] > SITES.tsv     (STANDARD is c11, c++17 or the like)
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from clang import cindex

LEFT_OUT = ("test", "example", "bench", "fuzz", "doc")
DEPTH = 10_000


def system_includes(compiler: str, language: str) -> list[str]:
    """List the folders in which a compiler looks for headers."""
    said = subprocess.run(
        [compiler, "-E", "-v", "-x", language, "/dev/null"], capture_output=True, text=True, check=True
    )
    listed = said.stderr.partition("search starts here:\n#include <...>")[2] or said.stderr
    return [line.strip() for line in listed.splitlines() if line.startswith(" /")]


def calls(cursor: cindex.Cursor, root: Path) -> Iterator[tuple[str, int, int, str, str]]:
    """Yield path, line, column and name of each call below a cursor, and where what it calls is defined or declared."""
    for child in cursor.get_children():
        place = child.location.file
        if place is not None and not Path(place.name).resolve().is_relative_to(root):
            continue
        if child.kind == cindex.CursorKind.CALL_EXPR and child.spelling:
            yield from site(child, root)
        yield from calls(child, root)


def site(call: cindex.Cursor, root: Path) -> Iterator[tuple[str, int, int, str, str]]:
    """Yield one call, when its name stands in the text and it runs a function."""
    called = call.referenced
    kinds = cindex.CursorKind
    if called is None or called.kind in (kinds.VAR_DECL, kinds.PARM_DECL, kinds.FIELD_DECL, kinds.CONSTRUCTOR):
        return
    named = next(call.get_children(), call)
    spelt = [token.location for token in named.get_tokens() if token.spelling == call.spelling]
    if not spelt:
        return
    target = "external"
    for one in (called.get_definition() or called, called):
        path = Path(one.location.file.name).resolve() if one.location.file else None
        if path is not None and path.is_relative_to(root):
            target = f"{path.relative_to(root)}:{one.location.line}:{one.location.line}"
            break
    at = spelt[-1]
    yield str(Path(at.file.name).resolve().relative_to(root)), at.line, at.column, call.spelling, target


def main() -> None:
    """Parse every file and write its calls, those of a header once."""
    root, standard = Path(sys.argv[1]).resolve(), sys.argv[2]
    language, compiler, endings = ("c++", "g++", (".cc", ".cpp", ".cxx")) if "++" in standard else ("c", "gcc", (".c",))
    arguments = [f"-std={standard}", "-x", language, *(f"-I{root / one}" for one in sys.argv[3:])]
    arguments += [f"-isystem{one}" for one in system_includes(compiler, language)]
    sys.setrecursionlimit(DEPTH)
    seen: set[tuple[str, int, int, str, str]] = set()
    for path in sorted(root.rglob("*")):
        below = str(path.relative_to(root)).lower()
        if path.suffix not in endings or any(word in below for word in LEFT_OUT):
            continue
        unit = cindex.Index.create().parse(str(path), args=arguments)
        errors = [one.spelling for one in unit.diagnostics if one.severity >= cindex.Diagnostic.Error]
        if errors:
            print(f"{below}: {len(errors)} errors, {errors[0]}", file=sys.stderr)
        for one in calls(unit.cursor, root):
            if one not in seen:
                seen.add(one)
                print(one[0], one[1], one[3], "call", one[4], sep="\t")


if __name__ == "__main__":
    main()
