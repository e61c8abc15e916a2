"""Write the calls of a C or C++ checkout as libclang sees them, for bench_sites.py.

The script parses each source file that COMMANDS compiles, with the options that COMMANDS gives. COMMANDS is a
compile_commands.json of a build below ROOT or beside it. Write it with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, or record
the compiler's calls of a `make`. You need two packages, and nothing of this project uses them. The second one brings the
compiler's own headers:

    pip install libclang==18.1.1 clang-tidy==18.1.8

A file that is compiled several times is parsed once, with its first command. Files that do not parse are named on stderr.

Tabs part the columns: path, line, name, kind, target, caller. A place is PATH:FIRST:LAST, and a caller PATH:FIRST:LAST:NAME.
Several targets are parted by `|`.

| kind | what the line says |
|---|---|
| call | a function is called by its name, and the name stands in this line |
| new | `new T(…)`, `T(…)` or `T{…}`: the constructor, if the text of the program declares one |
| macro | a call or new, but the name comes from a macro that this line uses |
| init | the constructor of a variable, member or base, or a conversion by a constructor |
| operator | an operator or conversion that the text does not name `operator…`, or a call of a lambda expression by its name |
| pointer | a call through a variable, parameter or field |
| dependent | a call in a template whose target depends on the arguments; the targets are the overloads in sight |
| dropped | a name with brackets among the arguments of a macro, where the compiler sees no call of that name |
| defined | a function is defined: the target is its place |
| seen | lines that were compiled, as a place |

The target is where the function is defined in any of the parsed files. It is `external` outside ROOT, `declared:PLACE` if no
parsed file defines it, and `?` if unknown. A virtual call has the static target, if need be a pure virtual declaration. The
caller is the function around the line that is written. Templates are seen as they are written, not as they are instantiated.

usage: clang_calls.py ROOT COMMANDS > SITES.tsv
"""

import json
import re
import shlex
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from ctypes import POINTER, Structure, byref, c_uint, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from clang import cindex

ENDINGS = (".c", ".cc", ".cpp", ".cxx")
DEPTH = 100_000
TEMPLATE_DEPTH = 8
CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
BUILT_IN = ("__builtin_", "__sync_", "__atomic_")
Kind = cindex.CursorKind
FUNCTIONS = frozenset(
    {
        *(Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE),
        *(Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION),
    }
)
WRAPPERS = frozenset({Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR})
NAMES = frozenset({Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.OVERLOADED_DECL_REF})
POINTERS = frozenset(
    {
        *(cindex.TypeKind.POINTER, cindex.TypeKind.MEMBERPOINTER, cindex.TypeKind.BLOCKPOINTER),
        *(cindex.TypeKind.FUNCTIONPROTO, cindex.TypeKind.FUNCTIONNOPROTO, cindex.TypeKind.LVALUEREFERENCE),
    }
)
TYPES = frozenset({Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.NAMESPACE_REF})
CREATIONS = frozenset({Kind.CXX_NEW_EXPR, Kind.CXX_FUNCTIONAL_CAST_EXPR})
SKIPPED_OPTIONS = frozenset({"-c", "-MD", "-MMD", "-MP", "-MM", "-M", "-fno-canonical-system-headers"})
SKIPPED_PAIRS = frozenset({"-o", "-MF", "-MT", "-MQ"})


class Ranges(Structure):
    """What libclang calls a CXSourceRangeList."""

    _fields_ = (("count", c_uint), ("ranges", POINTER(cindex.SourceRange)))


class Place(NamedTuple):
    """A file below the root, or none, and a line and column (from 1)."""

    path: str | None
    line: int
    column: int


class Site(NamedTuple):
    """A call: where it stands, what is called, and who calls."""

    path: str
    line: int
    name: str
    kind: str
    targets: tuple[str, ...]
    caller: str


def library() -> Any:
    """Return libclang, with the two functions that its Python package leaves out."""
    lib = cindex.conf.lib
    lib.clang_getFileLocation.argtypes = [
        *(cindex.SourceLocation, POINTER(cindex.c_object_p)),
        *(POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)),
    ]
    lib.clang_getAllSkippedRanges.argtypes = [c_void_p]
    lib.clang_getAllSkippedRanges.restype = POINTER(Ranges)
    return lib


LIBRARY = library()


@cache
def lines_of(path: Path) -> list[bytes]:
    """Read a file."""
    return path.read_bytes().split(b"\n")


def resource_options() -> list[str]:
    """Return the option for the folder of the compiler's own headers, if the package that brings them is installed."""
    for folder in (Path(cindex.__file__).parent.parent / "clang_tidy").rglob("stddef.h"):
        return [f"-resource-dir={folder.parent.parent}"]
    return []


def commands(path: Path) -> Iterator[tuple[Path, Path, list[str]]]:
    """Yield the file, folder and options of each command that compiles a single file, each file once."""
    seen: set[Path] = set()
    for entry in json.loads(path.read_text(encoding="utf-8")):
        words = entry.get("arguments") or shlex.split(entry["command"])
        folder = Path(entry["directory"])
        sources = [word for word in words[1:] if word.endswith(ENDINGS) and not word.startswith("-")]
        if len(sources) != 1 or "-c" not in words:
            continue
        source = (folder / sources[0]).resolve()
        if source in seen or not source.is_file():
            continue
        seen.add(source)
        yield source, folder, options(words[1:], sources[0], "++" in Path(words[0]).name)


def options(words: Sequence[str], source: str, is_cpp: bool) -> list[str]:
    """Keep the options of a command that change what the compiler reads."""
    chosen = ["-x", "c++" if is_cpp or not source.endswith(".c") else "c"]
    rest = iter(words)
    for word in rest:
        if word in SKIPPED_PAIRS:
            next(rest, None)
        elif word != source and word not in SKIPPED_OPTIONS and not word.startswith("-W"):
            chosen.append(word)
    return [*chosen, "-Wno-everything", "-ferror-limit=0"]


class Oracle:
    """The calls and definitions of all parsed files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root
        self.paths: dict[str, str | None] = {}
        self.sites: dict[Site, None] = {}
        self.definitions: dict[str, dict[str, None]] = defaultdict(dict)
        self.functions: dict[tuple[str, int, str, str], None] = {}
        self.declared: dict[str, str] = {}
        self.arguments: dict[tuple[str, int, str], None] = {}
        self.compiled: dict[str, set[int]] = defaultdict(set)

    def place(self, location: cindex.SourceLocation) -> Place:
        """Return where something stands in a file. What a macro writes stands where the macro is used."""
        file, line, column, offset = cindex.c_object_p(), c_uint(), c_uint(), c_uint()
        LIBRARY.clang_getFileLocation(location, byref(file), byref(line), byref(column), byref(offset))
        if not file:
            return Place(None, 0, 0)
        return Place(self.path_below(cindex.File(file).name), line.value, column.value)

    def path_below(self, name: str) -> str | None:
        """Return a file's path below the root, or None. The compiler may name it from the folder it runs in."""
        if name not in self.paths:
            path = (self.folder / name).resolve()
            self.paths[name] = str(path.relative_to(self.root)) if path.is_relative_to(self.root) else None
        return self.paths[name]

    def extent(self, cursor: cindex.Cursor) -> str:
        """Return the lines of a cursor as PATH:FIRST:LAST. Empty outside the root."""
        first, last = self.place(cursor.extent.start), self.place(cursor.extent.end)
        path = self.place(cursor.location).path
        return f"{path}:{first.line}:{max(first.line, last.line)}" if path else ""

    def key(self, function: cindex.Cursor) -> str:
        """Name a function in all files: by its USR, and by its file if other files cannot call it."""
        usr: str = function.get_usr()
        if function.linkage == cindex.LinkageKind.INTERNAL:
            return f"{self.place(function.canonical.location).path} {usr}"
        return usr

    def read(self, unit: cindex.TranslationUnit, folder: Path) -> None:
        """Add the calls and definitions of a file that was parsed in a folder, those of a header once."""
        if folder != self.folder:
            self.folder, self.paths = folder, {}
        self.read_lines(unit)
        for cursor in unit.cursor.get_children():
            if cursor.kind == Kind.MACRO_INSTANTIATION:
                self.read_arguments(cursor)
            elif not cursor.kind.is_preprocessing():
                self.walk(cursor, unit.cursor, "")

    def read_arguments(self, use: cindex.Cursor) -> None:
        """Add the names with brackets among the arguments of a macro."""
        first, last = self.place(use.extent.start), self.place(use.extent.end)
        if first.path is None or first.path != last.path or first == last:
            return
        for line in range(first.line, last.line + 1):
            text = lines_of(self.root / first.path)[line - 1]
            # The macro's own name stands before its arguments.
            start = first.column - 1 + len(use.spelling) if line == first.line else 0
            for name in CALL.findall(text, start, last.column - 1 if line == last.line else len(text)):
                self.arguments[first.path, line, name.decode("utf-8", "replace")] = None

    def read_lines(self, unit: cindex.TranslationUnit) -> None:
        """Add the lines that the preprocessor did not skip."""
        names = {unit.spelling, *(include.include.name for include in unit.get_includes())}
        paths = {path for path in map(self.path_below, names) if path}
        skipped: dict[str, set[int]] = defaultdict(set)
        ranges = LIBRARY.clang_getAllSkippedRanges(unit)
        for number in range(ranges.contents.count):
            area = ranges.contents.ranges[number]
            first, last = self.place(area.start), self.place(area.end)
            if first.path:
                skipped[first.path].update(range(first.line + 1, last.line))
        for path in paths:
            lines = len(lines_of(self.root / path))
            self.compiled[path].update(line for line in range(1, lines + 1) if line not in skipped[path])

    def walk(self, cursor: cindex.Cursor, parent: cindex.Cursor, caller: str) -> None:
        """Add what stands in a cursor. The caller is the innermost function around it."""
        if cursor.kind.is_declaration():
            path = self.place(cursor.location).path
            if path is None:
                return
            if cursor.kind in FUNCTIONS:
                place = self.extent(cursor)
                if not cursor.is_definition():
                    self.declared.setdefault(self.key(cursor), place)
                    if cursor.is_pure_virtual_method():
                        self.definitions[self.key(cursor)][place] = None
                elif not caller or self.spells(cursor, name_of(cursor)):
                    # A function that a macro writes into another one is a part of it.
                    self.definitions[self.key(cursor)][place] = None
                    self.functions[path, self.place(cursor.location).line, name_of(cursor), place] = None
                    caller = f"{place}:{name_of(cursor)}"
        elif cursor.kind == Kind.CALL_EXPR:
            self.add(cursor, parent, caller)
        for child in cursor.get_children():
            self.walk(child, cursor, caller)

    def add(self, call: cindex.Cursor, parent: cindex.Cursor, caller: str) -> None:
        """Add a call."""
        function = call.referenced
        children = list(call.get_children())
        callee = name_node(children, function)
        if function is None and callee is not None and callee.kind == Kind.OVERLOADED_DECL_REF:
            targets = tuple(self.target(cursor) for cursor in overloads(callee))
            self.put(callee, callee.spelling, "dependent", targets, caller)
        elif function is None:
            if children and (name := last_name(children[0])):
                self.put(children[0], name, "dependent", ("?",), caller)
        elif function.kind == Kind.CONSTRUCTOR:
            is_new = parent.kind in CREATIONS or bool(children and children[0].kind in TYPES)
            name = function.semantic_parent.spelling if function.semantic_parent else function.spelling
            node = next((child for child in children if child.kind in TYPES), call)
            if parent.kind in CREATIONS:
                node = next((child for child in parent.get_children() if child.kind == Kind.TYPE_REF), parent)
            is_text = not self.is_implicit(function)
            kind = "new" if is_new and parent.kind not in (Kind.VAR_DECL, Kind.CONSTRUCTOR) and is_text else "init"
            self.put(node, name, kind, (self.target(function),), caller)
        elif function.kind in FUNCTIONS:
            node = callee if callee is not None else call
            is_text = callee is not None and self.spells(node, "operator")
            hidden = name_of(function).startswith("operator") and not is_text
            self.put(node, name_of(function), "operator" if hidden else "call", (self.target(function),), caller)
            if hidden and children and (value := inner(children[0])).kind in NAMES and value.referenced is not None:
                # A variable with a lambda expression, or of a class with brackets as an operator.
                targets = (self.target(function), self.extent(value.referenced) or "external")
                self.put(value, value.spelling, "operator", targets, caller)
        elif callee is not None and function.type.get_canonical().kind in POINTERS:
            self.put(callee, call.spelling, "pointer", ("external",), caller)
        elif callee is not None:
            # A lambda expression, or something whose type depends on the arguments of a template.
            self.put(callee, call.spelling, "operator", (self.extent(function) or "external",), caller)

    def is_implicit(self, function: cindex.Cursor) -> bool:
        """Say whether the compiler has written a constructor itself."""
        return bool(function.location == function.semantic_parent.location)

    def spells(self, node: cindex.Cursor, name: str) -> bool:
        """Say whether a name stands where a cursor stands."""
        place = self.place(node.location)
        if place.path is None:
            return False
        line = lines_of(self.root / place.path)[place.line - 1]
        return line[place.column - 1 :].startswith(name.encode())

    def put(self, node: cindex.Cursor, name: str, kind: str, targets: tuple[str, ...], caller: str) -> None:
        """Add a call that stands in a file below the root."""
        place = self.place(node.location)
        if place.path is None:
            return
        spelling = node.spelling.rpartition(" ")[2].rpartition("::")[2]
        if kind in ("call", "new") and not self.spells(node, name) and not (spelling and self.spells(node, spelling)):
            kind = "macro"
        self.sites[Site(place.path, place.line, name, kind, targets, caller)] = None

    def target(self, function: cindex.Cursor) -> str:
        """Name what a call runs: the place of its definition in this file, or the key to look it up by at the end."""
        for _ in range(TEMPLATE_DEPTH):
            template = LIBRARY.clang_getSpecializedCursorTemplate(function)
            if template is None or template.kind not in FUNCTIONS:
                break
            function = template
        if self.place(function.location).path is None or function.spelling.startswith(BUILT_IN):
            return "external"
        definition = function.get_definition()
        if definition is not None and (place := self.extent(definition)):
            return place
        key = self.key(function)
        self.declared.setdefault(key, self.extent(function))
        return f"key {key}"

    def places(self, targets: Iterable[str]) -> str:
        """Write where the targets of a call are defined."""
        places: dict[str, None] = {}
        for target in targets:
            key = target.removeprefix("key ")
            if key == target:
                places[target] = None
            else:
                places.update(self.definitions.get(key) or {f"declared:{self.declared[key]}": None})
        return "|".join(places) or "?"

    def rows(self) -> Iterator[tuple[str | int, ...]]:
        """Yield all rows of the table."""
        for path, line, name, place in sorted(self.functions):
            yield path, line, name, "defined", place, ""
        for path, lines in sorted(self.compiled.items()):
            for first, last in runs(sorted(lines)):
                yield path, first, "", "seen", f"{path}:{first}:{last}", ""
        sites = {(site.path, site.line, site.name) for site in self.sites}
        for path, line, name in self.arguments:
            if (path, line, name) not in sites:
                yield path, line, name, "dropped", "?", ""
        for site in self.sites:
            yield site.path, site.line, site.name, site.kind, self.places(site.targets), site.caller


def name_of(function: cindex.Cursor) -> str:
    """Return a function's name. A constructor template has the arguments of its class in libclang's name."""
    name: str = function.spelling
    return name if name.startswith("operator") else name.partition("<")[0]


def name_node(children: Sequence[cindex.Cursor], function: cindex.Cursor | None) -> cindex.Cursor | None:
    """Return the part of a call that names what is called."""
    first = children[:1]
    if function is not None and function.spelling.startswith("operator"):
        # The operands of an operator stand on both sides of its name.
        first = [child for child in children if (cursor := inner(child).referenced) and cursor == function] or first
    node = inner(first[0]) if first else None
    return node if node is not None and node.kind in NAMES else None


def inner(node: cindex.Cursor) -> cindex.Cursor:
    """Take off the brackets and the conversions that the compiler puts around a name."""
    while node.kind in WRAPPERS and (content := next(node.get_children(), None)) is not None:
        node = content
    if node.kind == Kind.DECL_REF_EXPR and not node.spelling:
        return next((child for child in node.get_children() if child.kind == Kind.OVERLOADED_DECL_REF), node)
    return node


def last_name(callee: cindex.Cursor) -> str:
    """Read the name of a member that libclang does not name, because its class depends on a template's arguments."""
    words = [token.spelling for token in callee.get_tokens()]
    ends = [number for number, word in enumerate(words) if word in (".", "->", "::", "template")]
    rest = words[ends[-1] + 1 :] if ends else words
    return rest[0] if rest and rest[0].isidentifier() else ""


def overloads(callee: cindex.Cursor) -> Iterator[cindex.Cursor]:
    """Yield the functions that an overloaded name may mean."""
    for number in range(LIBRARY.clang_getNumOverloadedDecls(callee)):
        yield LIBRARY.clang_getOverloadedDecl(callee, number)


def runs(lines: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of numbers without a gap."""
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or lines[end] != lines[end - 1] + 1:
            yield lines[start], lines[end - 1]
            start = end


def main() -> None:
    """Parse every file and write its calls."""
    root = Path(sys.argv[1]).resolve()
    sys.setrecursionlimit(DEPTH)
    oracle, extra = Oracle(root), resource_options()
    files = errors = 0
    flags = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    for source, folder, arguments in commands(Path(sys.argv[2])):
        words = [f"-working-directory={folder}", *arguments, *extra]
        unit = cindex.Index.create().parse(str(source), args=words, options=flags)
        faults = [fault for fault in unit.diagnostics if fault.severity >= cindex.Diagnostic.Error]
        files, errors = files + 1, errors + len(faults)
        if faults:
            print(f"{source}: {len(faults)} errors: {'; '.join(map(str, faults[:3]))}", file=sys.stderr)
        oracle.read(unit, folder)
    for row in oracle.rows():
        print(*row, sep="\t")
    print(f"{files} files, {errors} errors, {len(oracle.sites)} calls", file=sys.stderr)


if __name__ == "__main__":
    main()
