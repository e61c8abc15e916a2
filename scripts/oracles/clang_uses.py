"""Write the uses of definitions in a C or C++ checkout as libclang sees them, for bench_uses.py.

scip_uses.py explains the columns, and clang_calls.py what COMMANDS is and which packages you need. A use in the text of a macro
has no row, and neither has a name that depends on a template's arguments. A target is where something is defined in any of the
parsed files, or else where it is declared. What the text of a macro defines stands where the macro is used, and in the text.
A `typedef` and the structure of its name are the same thing.

usage: clang_uses.py ROOT COMMANDS > USES.tsv
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from clang import cindex
from clang_calls import DEPTH, LIBRARY, Oracle, Place, commands, inner, lines_of, name_node, resource_options

Kind = cindex.CursorKind
KINDS = {
    Kind.FIELD_DECL: "field",
    Kind.ENUM_CONSTANT_DECL: "enum_member",
    Kind.STRUCT_DECL: "struct",
    Kind.UNION_DECL: "union",
    Kind.CLASS_DECL: "class",
    Kind.CLASS_TEMPLATE: "class",
    Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION: "class",
    Kind.ENUM_DECL: "enum",
    Kind.TYPEDEF_DECL: "alias",
    Kind.TYPE_ALIAS_DECL: "alias",
    Kind.TYPE_ALIAS_TEMPLATE_DECL: "alias",
    Kind.VAR_DECL: "variable",
    Kind.FUNCTION_DECL: "function",
    Kind.FUNCTION_TEMPLATE: "function",
    Kind.CXX_METHOD: "method",
    Kind.CONSTRUCTOR: "method",
    Kind.DESTRUCTOR: "method",
    Kind.CONVERSION_FUNCTION: "method",
}
LOCAL = frozenset(
    {
        *(Kind.PARM_DECL, Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_NON_TYPE_PARAMETER),
        Kind.TEMPLATE_TEMPLATE_PARAMETER,
    }
)
NAMES = frozenset(
    {
        *(Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.MEMBER_REF, Kind.TYPE_REF, Kind.TEMPLATE_REF),
        Kind.VARIABLE_REF,
    }
)
FUNCTIONS = frozenset({"function", "method"})
ALIASES = frozenset({Kind.TYPEDEF_DECL, Kind.TYPE_ALIAS_DECL})
BODIES = frozenset({Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.FUNCTION_TEMPLATE})
CREATIONS = frozenset({Kind.CXX_NEW_EXPR, Kind.CXX_FUNCTIONAL_CAST_EXPR})
TYPES = frozenset({Kind.TYPE_REF, Kind.TEMPLATE_REF})
SPECIAL = ("operator", "~")
WORD = re.compile(rb"[A-Za-z_]\w*")

LIBRARY.clang_Cursor_isMacroFunctionLike.argtypes = [cindex.Cursor]


class Spot(NamedTuple):
    """Where a name stands: path, line from 1, and byte column from 0."""

    path: str
    line: int
    column: int


class Entry(NamedTuple):
    """What a name is: its characters, role, kind, and the keys of what it leads to."""

    name: str
    role: str
    kind: str
    keys: tuple[str, ...]


class UseOracle(Oracle):
    """The names of all parsed files."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.entries: dict[Spot, Entry] = {}
        self.defined: dict[str, dict[str, None]] = defaultdict(dict)
        self.announced: dict[str, dict[str, None]] = defaultdict(dict)
        self.visited: set[tuple[str, int, int, int]] = set()
        self.called: set[Spot] = set()
        self.twins: dict[str, dict[str, None]] = defaultdict(dict)
        self.texts: dict[bytes, dict[Place, Sequence[bytes]]] = defaultdict(dict)

    def read(self, unit: cindex.TranslationUnit, folder: Path) -> None:
        """Add the names of a file that was parsed in a folder, those of a header once."""
        if folder != self.folder:
            self.folder, self.paths = folder, {}
        for cursor in unit.cursor.get_children():
            place = self.place(cursor.location)
            if place.path is None:
                continue
            if cursor.kind == Kind.MACRO_INSTANTIATION:
                self.add_macro(cursor)
            elif cursor.kind == Kind.MACRO_DEFINITION:
                self.define(cursor, cursor.spelling)
            elif not cursor.kind.is_preprocessing():
                area = (place.path, place.line, place.column, cursor.extent.end.offset)
                if area not in self.visited:
                    self.visited.add(area)
                    self.descend(cursor, False)

    def descend(self, cursor: cindex.Cursor, is_creation: bool) -> None:
        """Add the names in a cursor."""
        if cursor.kind.is_declaration() and not self.declare(cursor):
            return
        if cursor.kind == Kind.CALL_EXPR:
            callee = callee_of(cursor)
            if callee is not None and (spot := self.spot(callee, callee.spelling)):
                self.called.add(spot)
        elif cursor.kind in NAMES:
            self.add_name(cursor, is_creation)
        makes = cursor.kind in CREATIONS or (cursor.kind == Kind.CALL_EXPR and is_construction(cursor))
        for child in cursor.get_children():
            self.descend(child, makes and child.kind in TYPES)

    def spot(self, cursor: cindex.Cursor, name: str) -> Spot | None:
        """Return where a name stands, or none where the text has another one, as in the text of a macro."""
        place = self.place(cursor.location)
        if place.path is None or not name or place.line < 1:
            return None
        line = lines_of(self.root / place.path)[place.line - 1]
        column = place.column - 1
        text = name.encode()
        rest = line[column + len(text) : column + len(text) + 1]
        if line[column : column + len(text)] != text or rest.isalnum() or rest == b"_":
            return None
        return Spot(place.path, place.line, column)

    def declare(self, cursor: cindex.Cursor) -> bool:
        """Add a definition or declaration, and say whether what is in it counts."""
        if self.place(cursor.location).path is None:
            return False
        name = plain_name(cursor)
        if (kind_of(cursor) or cursor.kind in LOCAL) and (spot := self.spot(cursor, name)):
            self.entries.setdefault(spot, Entry(name, "definition", "", ()))
            if cursor.kind not in LOCAL:
                places = self.defined if is_defined(cursor) else self.announced
                places[self.key(cursor)][f"{spot.path}:{spot.line}:{name}"] = None
            if (structure := structure_of(cursor)) is not None:
                for key in (self.key(structure), self.announce(structure)):
                    self.twins[key][f"{spot.path}:{spot.line}:{name}"] = None
        return True

    def define(self, cursor: cindex.Cursor, name: str) -> None:
        """Add the definition of a macro."""
        if spot := self.spot(cursor, name):
            self.entries.setdefault(spot, Entry(name, "definition", "", ()))
            self.defined[f"macro {spot.path}:{spot.line}"][f"{spot.path}:{spot.line}:{name}"] = None
            place, last = self.place(cursor.location), self.place(cursor.extent.end).line
            self.texts[name.encode()][place] = lines_of(self.root / spot.path)[spot.line - 1 : last]

    def add_macro(self, use: cindex.Cursor) -> None:
        """Add the use of a macro. One with parameters is called."""
        spot, definition = self.spot(use, use.spelling), use.referenced
        if spot is None or definition is None:
            return
        place = self.place(definition.location)
        # A macro without parameters may stand for the name of a function.
        rest = lines_of(self.root / spot.path)[spot.line - 1][spot.column + len(use.spelling) :].lstrip()
        role = "call" if LIBRARY.clang_Cursor_isMacroFunctionLike(definition) or rest.startswith(b"(") else "use"
        if place.path is None:
            self.entries[spot] = Entry(use.spelling, "call" if role == "call" else "outside", "", ())
        else:
            self.entries[spot] = Entry(use.spelling, role, "macro", (f"macro {place.path}:{place.line}",))

    def add_name(self, cursor: cindex.Cursor, is_creation: bool) -> None:
        """Add a name that leads to a definition. A macro of that name comes first."""
        target = cursor.referenced
        name = plain_name(target) if target is not None else ""
        spot = self.spot(cursor, name)
        if target is None or spot is None or name.startswith(SPECIAL):
            return
        kind = kind_of(target)
        if target.kind in LOCAL or (kind == "variable" and is_local(target)):
            self.add_entry(spot, Entry(name, "local", "", ()))
        elif not kind or is_local(target):
            return
        elif self.place(target.location).path is None:
            self.add_entry(spot, Entry(name, "outside", kind, ()))
        else:
            role = "call" if is_creation and kind != "alias" else "use"
            self.add_entry(spot, Entry(name, role, kind, tuple(self.keys(target))))

    def add_entry(self, spot: Spot, entry: Entry) -> None:
        """Add an entry, unless a macro stands there. A name in several files may lead to several definitions."""
        present = self.entries.get(spot)
        if present is None or present.role == "definition":
            self.entries[spot] = entry
        elif present.kind == entry.kind and present.kind != "macro":
            keys = tuple(dict.fromkeys((*present.keys, *entry.keys)))
            self.entries[spot] = present._replace(keys=keys)

    def keys(self, target: cindex.Cursor) -> Iterator[str]:
        """Yield the keys of what a name leads to: of an alias also that of the structure with its name."""
        for _ in range(8):
            template = LIBRARY.clang_getSpecializedCursorTemplate(target)
            if template is None or template.location != target.location:
                break
            target = template
        yield self.announce(target)
        structure = structure_of(target)
        if structure is not None and self.place(structure.location).path is not None:
            yield self.announce(structure)

    def announce(self, target: cindex.Cursor) -> str:
        """Return the key of a definition: its place if the parsed file has it. The name there may be written by a macro."""
        definition = target.get_definition() or target
        place = self.place(definition.location)
        if is_defined(definition) and place.path is not None:
            key = f"at {place.path}:{place.line} {plain_name(target)}"
        else:
            key = self.key(target)
        places = self.defined if is_defined(definition) else self.announced
        if place.path is not None:
            for path, line in ((place.path, place.line), *self.written(place, plain_name(target))):
                places[key].setdefault(f"{path}:{line}:{plain_name(target)}", None)
        return key

    def written(self, place: Place, name: str) -> Iterator[tuple[str | None, int]]:
        """Yield the lines in the texts of macros that define a name where the macro at a place is used."""
        used = WORD.match(lines_of(self.root / (place.path or ""))[place.line - 1], max(place.column - 1, 0))
        macros = [used[0]] if used and used[0] != name.encode() else []
        for macro in macros:
            for (path, first, _), lines in self.texts.get(macro, {}).items():
                for number, line in enumerate(lines):
                    words = WORD.findall(line)
                    if name.encode() in words:
                        yield path, first + number
                    macros += [word for word in words if word in self.texts and word not in macros]

    def uses(self) -> Iterator[tuple[str | int, ...]]:
        """Yield all rows of the table, in the order of the text."""
        for spot in sorted(self.entries):
            name, role, kind, keys = self.entries[spot]
            places = dict.fromkeys(
                place for key in keys for place in (*(self.defined.get(key) or self.announced[key]), *self.twins[key])
            )
            if spot in self.called and kind != "macro" and role != "definition":
                if role == "local" or kind in FUNCTIONS or not places:
                    role = "call"
                elif role == "use":
                    role = "called" if kind in ("variable", "field") else "call"
            yield *spot, name, role, kind if places else "", "|".join(places)


def is_construction(call: cindex.Cursor) -> bool:
    """Say whether a call makes or converts an object, so that its first part is an argument."""
    return call.referenced is not None and call.referenced.kind in (Kind.CONSTRUCTOR, Kind.CONVERSION_FUNCTION)


def callee_of(call: cindex.Cursor) -> cindex.Cursor | None:
    """Return the part of a call that names what is called."""
    if is_construction(call):
        return None
    children = list(call.get_children())
    callee = name_node(children, call.referenced)
    if callee is None and children and inner(children[0]).kind in NAMES:
        return inner(children[0])
    return callee


def structure_of(alias: cindex.Cursor) -> cindex.Cursor | None:
    """Return the structure or enumeration that a `typedef` gives its own name again."""
    if alias.kind not in ALIASES:
        return None
    structure = alias.underlying_typedef_type.get_declaration()
    return structure if plain_name(structure) == plain_name(alias) else None


def is_defined(cursor: cindex.Cursor) -> bool:
    """Say whether a declaration defines what it names, as a variable of a file does without `extern` or a value."""
    is_tentative = (
        cursor.kind == Kind.VAR_DECL
        and cursor.semantic_parent.kind == Kind.TRANSLATION_UNIT
        and cursor.storage_class != cindex.StorageClass.EXTERN
    )
    return bool(cursor.is_definition() or is_tentative)


def kind_of(cursor: cindex.Cursor) -> str:
    """Return the kind of what others can name, or nothing."""
    kind = KINDS.get(cursor.kind, "")
    return "constant" if kind == "variable" and cursor.type.is_const_qualified() and not is_local(cursor) else kind


def is_local(cursor: cindex.Cursor) -> bool:
    """Say whether a function is around a declaration."""
    parent = cursor.semantic_parent
    while parent is not None and parent.kind != Kind.TRANSLATION_UNIT:
        if parent.kind in BODIES:
            return True
        parent = parent.semantic_parent
    return False


def plain_name(cursor: cindex.Cursor) -> str:
    """Return a name without the arguments of its template."""
    name: str = cursor.spelling
    return name if name.startswith(SPECIAL) else name.partition("<")[0]


def main() -> None:
    """Parse every file and write its uses."""
    root = Path(sys.argv[1]).resolve()
    sys.setrecursionlimit(DEPTH)
    oracle, extra = UseOracle(root), resource_options()
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
    for row in oracle.uses():
        print(*row, sep="\t")
    print(f"{files} files, {errors} errors, {len(oracle.entries)} names", file=sys.stderr)


if __name__ == "__main__":
    main()
