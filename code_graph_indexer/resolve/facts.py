"""Collect the facts of one file that other files may look up: a flat table with one key per fact.

`World` reads the table. The index stores a hash of every key that is read, so that an update knows which files to link
again. Therefore the keys below are part of the index format.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple, cast

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.frames import Frame, frames_of
from code_graph_indexer.resolve.steps import NULL
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.branches import names_at
from code_graph_indexer.syntax.parameters import method_shape
from code_graph_indexer.syntax.records import (
    CLASS_LIKE_KINDS,
    EVERYWHERE,
    MIXED,
    PAYLOAD,
    PUBLIC,
    TABLE_ENTRY,
    TYPE_KINDS,
    Binding,
    Definition,
    Import,
    Syntax,
)

CALLABLE_KINDS = frozenset({"function", "method", "macro"})
VALUE_KINDS = frozenset({"field", "property", "variable", "constant"})
INDEXED_KINDS = TYPE_KINDS | CALLABLE_KINDS

UNION = " | "
"""What stands between the types of a union."""

MAX_UNION = 400
"""Characters of the result types of overloads that are united."""

MAX_SLOTS = 4
"""Most values that are stored for a field, and most results for a function. If there are more, they rarely have one type."""

DEFINITION = "d:"
"""Key prefix, followed by a dotted name, or by no name for the file as a module. The fact is its `Target`."""
BASES = "b:"
"""Key prefix, followed by a class. The fact is the texts of its bases, `tuple[str, ...]`."""
SLOTS = "f:"
"""Key prefix, followed by `class.field` or a variable. The fact is its types or values, `tuple[Slot, ...]`."""
RESULTS = "r:"
"""Key prefix, followed by a function or property. The fact is its result types or returned values, `tuple[Slot, ...]`."""
ALIASED_TYPE = "t:"
"""Key prefix, followed by a type alias. The fact is the text of the type that it is another name for."""
TYPE_BOUND = "v:"
"""Key prefix, followed by a definition, or by no name for the file. The fact is the bounds of its type variables.

These are pairs of name and text: `T` and `Shape` for `T extends Shape`.
"""
PARAMETER_TYPES = "p:"
"""Key prefix, followed by a function. The fact is its parameters with their types, `tuple[Parameter, ...]`.

A parameter without a type has an empty text.
"""
OVERLOADS = "o:"
"""Key prefix, followed by a function. The fact is all definitions of that name in the file, `tuple[Overload, ...]`."""
TWINS = "w*"
"""Key without a name. The fact is the functions that the file has several times, under conditions, by their dotted name.

These are groups of definitions with the same parameters: `dict[str, list[tuple[Target, ...]]]`.
"""
DECORATORS = "w@"
"""Key without a name. The fact is the decorators of the file's functions, by their dotted name: `dict[str, list[str]]`.

A decorator is the expression path of its call: `retry()`, or `retry()()` for `@retry(3)`.
"""
CONDITIONS = "c:"
"""Key prefix, followed by a function that stands under conditions of a preprocessor.

The fact is pairs of the chunk of each definition and the names of its branch: `tuple[tuple[int, tuple[str, ...]], ...]`.
"""
EXPANSION = "y:"
"""Key prefix, followed by a macro. The fact is the names of the functions that its text calls, `tuple[str, ...]`."""
MADE = "g:"
"""Key prefix, followed by a macro. The fact is the names of the functions that its text defines, `tuple[str, ...]`."""
EXTENDED_TYPE = "x:"
"""Key prefix, followed by an extension function. The fact is the text of the type that it extends."""
CLASS_METHOD = "z:"
"""Key prefix, followed by a method that a class has twice. The fact is the `Target` of the method of the class itself.

The method of its objects is the fact DEFINITION.
"""
SHAPE = "h:"
"""Key prefix, followed by a method. The fact is how many parameters and results it has, `2>1`, for structural types."""
METHODS = "m:"
"""Key prefix, followed by an interface. The fact is the names of the methods in its body, `tuple[str, ...]`."""
IMPORT = "i:"
"""Key prefix, followed by a name. The fact is the import that binds the name, `(module, name in the module)`."""
SECOND_IMPORT = "j:"
"""Key prefix, followed by a name. The fact is a second import that binds the same name."""
WHOLE_IMPORTS = "*"
"""Key without a name. The fact is the modules that are imported whole (`from m import *`), `tuple[str, ...]`."""
UNNAMED_IMPORTS = "k:"
"""Key without a name. The fact is the imported modules that may declare a name of their own, as Go packages do,
`tuple[str, ...]`.
"""
HOLDER = "q:"
"""Key prefix, followed by a function to whose objects or itself functions belong: `Old.prototype.draw = function () {}`."""
GETTER = "e:"
"""Key prefix, followed by a method that runs when a member is read or assigned without brackets."""
MODULE = "w:"
"""Key without a name. The answer is the name of the file's module."""
ARGUMENTS = "a:"
"""Key prefix, followed by a simple name. The fact is the arguments of all calls of that name, `tuple[PassedArgument, ...]`."""

LISTENER = "@"
"""The start of an event's name in ARGUMENTS: the handlers that a framework calls for the event."""
FIXTURE = "z:"
"""Key prefix, followed by the name of a fixture. The fact is the dotted name of the function that makes it."""

NAME = "n:"
"""Key prefix, followed by a simple name: its definitions in all files. This key and the next two belong to no file."""
MODULE_TAIL = "m:"
"""Key prefix, followed by the last word of a module name: all modules that end with it."""
PASSING = "s:"
"""Key prefix, followed by a simple name: all files that pass an argument to a callee of that name."""

_NAME = re.compile(r"[^\W\d]\w*")
_CALLEE = re.compile(rf"{_NAME.pattern}(?:\(\))?")
"""Pattern of what gets an argument: a function, or the function that a call returns, `retry()` in `@retry(3)`."""


class Overload(NamedTuple):
    """A function at linking, in a language where functions with one name may differ in their parameters.

    It takes at least `fewest` and at most `most` arguments. `types` are the simple names of its parameters' types.
    """

    target: Target
    fewest: int
    most: int
    types: tuple[str, ...] = ()


class Slot(NamedTuple):
    """A declared type or an assigned value of a field or variable, or a result of a function.

    If `type_name` is empty, `value` is the expression path of the value. The expression is in the function `frame`, `offset`
    bytes after the start of that function.
    """

    type_name: str
    value: str
    offset: int = 0
    frame: Frame | None = None


class Parameter(NamedTuple):
    """A parameter of a function at linking: its name, and the text of its type or an empty text."""

    name: str
    type_name: str


class PassedArgument(NamedTuple):
    """An argument of a call at linking, for the parameter at `position` (from 0) or the parameter named `keyword`.

    For `run(start)` in the function `main`, `callee` is `run`, `value` is `start` and `dotted` is `main`.
    `callee` and `value` are expression paths. `dotted` is the definition that contains the call. If the value is a parameter
    of that definition, `param` is the position of the parameter, else -1.
    """

    callee: str
    position: int
    keyword: str
    value: str
    dotted: str
    param: int


class FileFacts(NamedTuple):
    """The facts of one file. `table` maps a key (a constant above, with a name) to its fact.

    `by_name` maps a simple name to the definitions that other files may see. `passing` lists the simple names of the callees
    that the file passes arguments to.
    """

    path: str
    language: str
    module: str
    is_test: bool
    table: dict[str, object]
    by_name: dict[str, list[Target]]
    passing: tuple[str, ...]

    @property
    def whole_imports(self) -> tuple[str, ...]:
        """The modules that the file imports whole (`from m import *`, `#include`)."""
        return cast("tuple[str, ...]", self.table.get(WHOLE_IMPORTS, ()))


class _FactTable:
    """The facts of one file while they are collected, with one method per kind of fact."""

    def __init__(self) -> None:
        self.entries: dict[str, object] = {}

    def put_definition(self, target: Target) -> None:
        """Add a definition. If several have the same name, keep the first with a body, or else the first.

        A function goes before a method of an object that the same function makes.
        """
        first = self.entries.get(DEFINITION + target.dotted)
        is_nearer = isinstance(first, Target) and (first.kind, target.kind) == ("method", "function")
        if not isinstance(first, Target) or (target.has_body and not first.has_body) or is_nearer:
            self.entries[DEFINITION + target.dotted] = target

    def put_class_methods(self, methods: Mapping[str, Target]) -> None:
        """Add methods of classes themselves, after all methods of their objects."""
        for dotted, target in methods.items():
            is_alone = DEFINITION + dotted not in self.entries
            self.entries.setdefault((DEFINITION if is_alone else CLASS_METHOD) + dotted, target)

    def put_declared_result(self, function: str, type_name: str, *, unites: bool) -> None:
        """Add the declared type of a function's result. If there are several, unite them, or keep the first."""
        declared = cast("tuple[Slot, ...]", self.entries.setdefault(RESULTS + function, (Slot(type_name, ""),)))
        text = declared[0].type_name
        if unites and len(text) < MAX_UNION and type_name not in (text, *text.split(UNION)):
            self.entries[RESULTS + function] = (Slot(f"{text}{UNION}{type_name}", ""),)

    def put_results(self, functions: Mapping[str, Sequence[Slot]]) -> None:
        """Add the values that functions return. Where a result type is declared, only functions inside say more."""
        for function, slots in functions.items():
            declared = cast("tuple[Slot, ...]", self.entries.get(RESULTS + function, ()))
            inner = (slot for slot in slots if DEFINITION + f"{function}.{slot.value}" in self.entries)
            self.entries[RESULTS + function] = (*declared, *inner) if declared else tuple(slots[:MAX_SLOTS])

    def put_declared_slot(self, name: str, type_name: str) -> None:
        """Add the declared type of a field or variable. If there are several, keep the first."""
        self.entries.setdefault(SLOTS + name, (Slot(type_name, ""),))

    def put_slots(self, fields: Mapping[str, Sequence[Slot]], *, arrays: bool) -> None:
        """Add the slots of fields and variables: the first declared type, or else the first `MAX_SLOTS` assigned values.

        If `arrays` is true, the declared type of an array is that of its elements, and elements that are written out go first.
        """
        for name, slots in fields.items():
            declared = cast("tuple[Slot, ...]", self.entries.get(SLOTS + name, ()))
            # A declared type says more than any value, and the first one is enough.
            typed = [slot for slot in (*declared, *slots) if slot.type_name]
            if arrays and (elements := [slot for slot in slots if slot.value.startswith("{")]):
                typed = elements
            self.entries[SLOTS + name] = tuple(typed[:1] or slots[:MAX_SLOTS])

    def put_aliased_type(self, alias: str, text: str) -> None:
        """Add the text of the type that a type alias is another name for. If there are several, keep the first."""
        self.entries.setdefault(ALIASED_TYPE + alias, text)

    def put_type_bounds(self, bounds: Iterable[tuple[str, str]]) -> None:
        """Add the upper bounds of type variables, from pairs of dotted name and bound."""
        declared: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for dotted, bound in bounds:
            definition, _, name = dotted.rpartition(".")
            declared[definition].append((name, bound))
        self._put_lists(TYPE_BOUND, declared)

    def put_parameters(self, functions: Mapping[str, Sequence[Parameter]]) -> None:
        """Add the parameters of each function that declares a type of any, by the function's dotted name."""
        typed = {name: params for name, params in functions.items() if any(param.type_name for param in params)}
        self._put_lists(PARAMETER_TYPES, typed)

    def put_overloads(self, functions: Mapping[str, Sequence[Overload]]) -> None:
        """Add all definitions of each function, by the function's dotted name."""
        self._put_lists(OVERLOADS, functions)

    def put_twins(self, functions: Mapping[str, list[tuple[Target, ...]]]) -> None:
        """Add the groups of equal definitions of each function that has any, by the function's dotted name."""
        if twins := {name: groups for name, groups in functions.items() if groups}:
            self.entries[TWINS] = twins

    def put_decorators(self, functions: Mapping[str, list[str]]) -> None:
        """Add the decorators of each function that has any, by the function's dotted name."""
        if functions:
            self.entries[DECORATORS] = functions

    def put_conditions(self, functions: Mapping[str, Sequence[tuple[int, tuple[str, ...]]]]) -> None:
        """Add the chunk of each definition of a function with the conditions around it, by the function's dotted name."""
        self._put_lists(CONDITIONS, functions)

    def put_expansions(self, macros: Mapping[str, Sequence[str]]) -> None:
        """Add the names of the functions that the text of each macro calls."""
        self._put_lists(EXPANSION, macros)

    def put_made(self, macros: Mapping[str, Sequence[str]]) -> None:
        """Add the names of the functions that the text of each macro defines."""
        self._put_lists(MADE, macros)

    def put_extended_types(self, functions: Iterable[tuple[str, int, str]]) -> None:
        """Add the types that extension functions extend, from dotted name, chunk id and type of each function."""
        types: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for function, chunk_id, text in functions:
            types[function].append((chunk_id, text))
        self._put_lists(EXTENDED_TYPE, types)

    def put_bases(self, classes: Mapping[str, Sequence[str]]) -> None:
        """Add the texts of the bases of each class, by the class's dotted name."""
        self._put_lists(BASES, classes)

    def put_methods(self, interfaces: Mapping[str, Sequence[str]]) -> None:
        """Add the names of the methods that each interface requires."""
        self._put_lists(METHODS, interfaces)

    def put_outer_method(self, target: Target, name: str) -> None:
        """Add a method of a class that the rest of the file calls by its name alone."""
        self.entries.setdefault(DEFINITION + name, target)

    def put_holders(self, functions: Iterable[str]) -> None:
        """Add the functions that hold other functions as members."""
        self.entries.update({HOLDER + function: True for function in functions})

    def put_getters(self, methods: Iterable[str]) -> None:
        """Add the methods that run when a member is read or assigned."""
        self.entries.update({GETTER + method: True for method in methods})

    def put_shapes(self, shapes: Mapping[str, str]) -> None:
        """Add how many parameters and results each method has, by its dotted name."""
        for dotted, shape in shapes.items():
            self.entries.setdefault(SHAPE + dotted, shape)

    def put_import(self, name: str, module: str, member: str) -> None:
        """Add the import that binds a name, or a second import of that name. Further ones are dropped."""
        if self.entries.setdefault(IMPORT + name, (module, member)) != (module, member):
            self.entries.setdefault(SECOND_IMPORT + name, (module, member))

    def put_whole_imports(self, modules: Sequence[str]) -> None:
        """Add the modules that the file imports whole (`from m import *`), if there are any."""
        if modules:
            self.entries[WHOLE_IMPORTS] = tuple(modules)

    def put_unnamed_imports(self, modules: Sequence[str]) -> None:
        """Add the imported modules that may declare a name of their own, if there are any."""
        if modules:
            self.entries[UNNAMED_IMPORTS] = tuple(dict.fromkeys(modules))

    def put_arguments(self, callees: Mapping[str, Sequence[PassedArgument]]) -> None:
        """Add the arguments that the file passes, by the simple name of the callee."""
        self._put_lists(ARGUMENTS, callees)

    def _put_lists(self, kind: str, lists: Mapping[str, Sequence[object]]) -> None:
        self.entries.update({kind + name: tuple(values) for name, values in lists.items()})


def file_facts(
    path: str, language: str, is_test: bool, syntax: Syntax, chunk_of: Sequence[int], chunk_ids: Sequence[int]
) -> FileFacts:
    """Collect the facts of one file.

    `chunk_ids` are the ids of its chunks. `chunk_of` has the position of the chunk of each definition of `syntax`.
    """
    table = _FactTable()
    table.put_definition(Target(path, "", "module", chunk_ids[0], True))
    holders = holders_of(syntax, languages()[language])
    nodes = [chunk_ids[place] for place in chunk_of]
    by_name = _collect_definitions(table, path, language, syntax.definitions, nodes, holders)
    _sort_targets(by_name, chunk_ids)
    table.put_type_bounds(syntax.typevars)
    table.put_extended_types(
        (syntax.definitions[position].path_name, nodes[position], text)
        for position, text in syntax.extensions
        if position >= 0
    )
    if languages()[language].structural:
        _collect_methods(table, syntax)
    params = _params_of(syntax, language)
    _collect_parameters(table, syntax, params)
    _collect_bases(table, syntax)
    _collect_expansions(table, syntax)
    if languages()[language].decorators:
        _collect_decorators(table, syntax)
    if syntax.branches:
        _collect_conditions(table, syntax, [chunk_ids[place] for place in chunk_of])
    # Only expressions of fields and results are followed from other files: no other function needs a frame.
    scopes = {binding.scope for binding in syntax.bindings if binding.owner or not binding.name}
    _collect_slots(table, syntax, frames_of(syntax, scopes), holders, languages()[language])
    passing = (*_collect_arguments(table, syntax, params), *_collect_registrations(table, syntax))
    passing += _collect_imports(table, syntax, language)
    return FileFacts(path, language, syntax.module, is_test, table.entries, by_name, passing)


def file_names(
    path: str, language: str, syntax: Syntax, chunk_of: Sequence[int], chunks: int
) -> tuple[dict[str, list[Target]], tuple[str, ...]]:
    """Return the definitions that other files may see, by simple name, and the names of the callees that the file passes to.

    These are `by_name` and `passing` of its facts, with positions of chunks as ids. The file has `chunks` chunks.
    """
    # Only the names are wanted of this table. The rest of the facts would take most of the time.
    table = _FactTable()
    holders = holders_of(syntax, languages()[language])
    by_name = _collect_definitions(table, path, language, syntax.definitions, chunk_of, holders)
    _sort_targets(by_name, range(chunks))
    passing = _collect_arguments(table, syntax, _params_of(syntax, language))
    return by_name, (*passing, *_collect_registrations(table, syntax), *_collect_imports(table, syntax, language))


def is_linked(language: str, kind: str, name: str, dotted: str, has_body: bool) -> bool:
    """Say whether references in other files may resolve to a definition: a type, a function or a variable of the file.

    A function of the platform's library (such as `printf`) is left out if the file only declares it, or defines a macro
    in place of it.
    """
    if dotted == name and (kind == "macro" or not has_body) and name in languages()[language].platform:
        return False
    return kind in INDEXED_KINDS or is_top_value(kind, name, dotted)


def is_top_value(kind: str, name: str, dotted: str) -> bool:
    """Say whether a definition is a variable or constant at the top of its file, which other files may see."""
    return kind in VALUE_KINDS and dotted == name


def _collect_definitions(
    table: _FactTable,
    path: str,
    language: str,
    definitions: Sequence[Definition],
    nodes: Sequence[int],
    holders: Set[str],
) -> dict[str, list[Target]]:
    """Add the definitions and their declared types. Return the definitions that other files may see, by simple name."""
    table.put_holders(
        definition.path_name
        for definition in definitions
        if definition.path_name in holders and definition.kind in CALLABLE_KINDS
    )
    if (getter := languages()[language].getter) is not None:
        table.put_getters(
            definition.path_name
            for definition in definitions
            if definition.kind == "method" and getter.search(definition.signature)
        )
    by_name: dict[str, list[Target]] = defaultdict(list)
    functions: dict[str, list[Overload]] = defaultdict(list)
    twins: dict[str, list[Overload]] = defaultdict(list)
    has_overloads = bool(languages()[language].variadic)
    any_twins = languages()[language].conditionals
    has_tables = languages()[language].table_types
    methods_outside = languages()[language].methods_outside
    # A function may have the name of a type, and is what nearly all code means.
    callables_first = languages()[language].full_names
    statics: dict[str, Target] = {}
    types: list[Target] = []
    for definition, chunk_id in zip(definitions, nodes, strict=True):
        kind, name, dotted, has_body = definition.kind, definition.name, definition.path_name, definition.has_body
        if name and is_linked(language, kind, name, dotted, has_body):
            target = Target(path, dotted, kind, chunk_id, has_body, definition.is_local)
            by_name[name].append(target)
            if definition.is_static and kind == "method":
                statics.setdefault(dotted, target)
            elif kind == "type" and callables_first:
                types.append(target)
            elif kind in INDEXED_KINDS or (dotted in holders and not has_tables):
                table.put_definition(target)
                if kind == "method" and methods_outside and definitions[definition.parent].kind == "class":
                    table.put_outer_method(target, name)
            is_twin = any_twins or definition.is_twin
            if (has_overloads or is_twin) and kind in CALLABLE_KINDS:
                overload = Overload(target, definition.fewest, definition.most, definition.types)
                if has_overloads:
                    functions[dotted].append(overload)
                if is_twin:
                    twins[dotted].append(overload)
        if dotted in holders and kind in VALUE_KINDS and has_tables:
            table.put_definition(Target(path, dotted, "object", chunk_id, has_body))
        if definition.type_name:
            if kind in CALLABLE_KINDS or kind == "property":
                table.put_declared_result(dotted, definition.type_name, unites=not has_body and not has_overloads)
            if kind in VALUE_KINDS:
                table.put_declared_slot(dotted, definition.type_name)
            elif kind == "type":
                table.put_aliased_type(dotted, definition.type_name)
        # A member of an enum is an object of the enum.
        if kind == "enum_member" and definition.parent >= 0:
            table.put_declared_slot(dotted, definitions[definition.parent].name)
    for target in types:
        table.put_definition(target)
    table.put_class_methods(statics)
    if has_overloads:
        has_clauses = languages()[language].clauses
        table.put_overloads(
            {name: _whole(clauses) for name, clauses in functions.items()} if has_clauses else functions
        )
    # Where any function may be a twin, one alone is none.
    fewest = 2 if any_twins else 1
    table.put_twins({dotted: _twins(namesakes) for dotted, namesakes in twins.items() if len(namesakes) >= fewest})
    return by_name


def _whole(clauses: Sequence[Overload]) -> list[Overload]:
    """Replace the clauses with the same number of parameters by the first with a body. Any of them may have defaults."""
    by_most: dict[int, list[Overload]] = defaultdict(list)
    for clause in clauses:
        by_most[clause.most].append(clause)
    return [
        next((clause for clause in group if clause.target.has_body), group[0])._replace(
            fewest=min(clause.fewest for clause in group)
        )
        for group in by_most.values()
    ]


def _sort_targets(by_name: Mapping[str, list[Target]], chunk_ids: Sequence[int]) -> None:
    """Sort the definitions of each name as the index lists them: by chunk, then by what they are."""
    places = {chunk_id: place for place, chunk_id in enumerate(chunk_ids)}
    for targets in by_name.values():
        if len(targets) > 1:
            targets.sort(key=lambda target: (places[target.chunk_id], target.dotted, target.kind, target.has_body))


def _twins(functions: Sequence[Overload]) -> list[tuple[Target, ...]]:
    """Group the definitions of one name in a file that stand for each other, under different conditions.

    Those have bodies and the same parameters. A function alone stands for an import of its name.
    A macro stands for any function of its name, even for one that is only declared.
    """
    targets = tuple(overload.target for overload in functions)
    if len({target.kind == "macro" for target in targets}) > 1:
        return [targets]
    groups: dict[tuple[int, tuple[str, ...]], list[Target]] = defaultdict(list)
    for overload in functions:
        if overload.target.has_body:
            groups[overload.most, overload.types].append(overload.target)
    return [tuple(group) for group in groups.values() if len(functions) == 1 or len(group) > 1]


def _collect_bases(table: _FactTable, syntax: Syntax) -> None:
    bases: dict[str, list[str]] = defaultdict(list)
    for reference in syntax.references:
        if reference.kind == "inherits" and reference.scope >= 0:
            # A base is given its type arguments.
            text = "".join((reference.expression, *reference.given))
            bases[syntax.definitions[reference.scope].path_name].append(text)
    table.put_bases(bases)


def _collect_conditions(table: _FactTable, syntax: Syntax, nodes: Sequence[int]) -> None:
    """Add the conditions around the definitions of functions."""
    functions: dict[str, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for definition, node in zip(syntax.definitions, nodes, strict=True):
        if definition.kind in CALLABLE_KINDS and (names := names_at(syntax.branches, definition.name_start)):
            functions[definition.path_name].append((node, names))
    table.put_conditions(functions)


def _collect_decorators(table: _FactTable, syntax: Syntax) -> None:
    """Add the decorators of functions. A decorator is a call that gets the function where its name stands."""
    functions = {item.name_start: item.path_name for item in syntax.definitions if item.kind in CALLABLE_KINDS}
    decorators: dict[str, list[str]] = {}
    for argument in syntax.arguments:
        if argument.start in functions and argument.keyword != TABLE_ENTRY:
            decorators.setdefault(functions[argument.start], []).append(f"{argument.callee}()")
    table.put_decorators(decorators)


def _collect_expansions(table: _FactTable, syntax: Syntax) -> None:
    """Add the names of the functions that the text of each macro calls or defines, each name once."""
    called: dict[str, dict[str, None]] = defaultdict(dict)
    made: dict[str, dict[str, None]] = defaultdict(dict)
    for reference in syntax.references:
        if reference.kind in ("expands", "makes") and reference.scope >= 0:
            macros = called if reference.kind == "expands" else made
            macros[syntax.definitions[reference.scope].path_name][reference.expression] = None
    table.put_expansions({macro: tuple(names) for macro, names in called.items()})
    table.put_made({macro: tuple(names) for macro, names in made.items()})


def _collect_methods(table: _FactTable, syntax: Syntax) -> None:
    """Add the names of the methods that each interface requires, and the shapes of all methods."""
    methods: dict[str, list[str]] = defaultdict(list)
    shapes: dict[str, str] = {}
    for definition in syntax.definitions:
        if definition.kind == "method":
            shapes[definition.path_name] = method_shape(definition.signature, definition.name)
        if definition.kind == "method" and definition.parent >= 0:
            parent = syntax.definitions[definition.parent]
            if parent.kind == "interface":
                methods[parent.path_name].append(definition.name)
    table.put_methods(methods)
    table.put_shapes(shapes)


def _params_of(syntax: Syntax, language_name: str) -> dict[int, list[Binding]]:
    """Map the position of each function to its parameters, in order, without the object itself (`self`)."""
    language = languages()[language_name]
    self_names = language.self_names | language.self_types
    params: dict[int, list[Binding]] = defaultdict(list)
    for binding in syntax.bindings:
        # A parameter of a lambda holds in a part of the function only, which `to_byte` tells.
        if binding.is_param and not binding.to_byte and binding.scope >= 0 and binding.name not in self_names:
            params[_taking(syntax.definitions, binding)].append(binding)
    return params


def _taking(definitions: Sequence[Definition], param: Binding) -> int:
    """Return the position of the function that takes a parameter. The parameter may declare a field of the class."""
    scope = param.scope
    if definitions[scope].kind not in VALUE_KINDS:
        return scope
    around = (
        position
        for position, definition in enumerate(definitions[:scope])
        if definition.kind in CALLABLE_KINDS and definition.start <= param.start < definition.end
    )
    return max(around, default=scope)


def _collect_parameters(table: _FactTable, syntax: Syntax, params: Mapping[int, Sequence[Binding]]) -> None:
    functions: dict[str, list[Parameter]] = defaultdict(list)
    for scope, bindings in params.items():
        functions[syntax.definitions[scope].path_name] += [
            Parameter(binding.name, binding.type_name) for binding in bindings
        ]
    table.put_parameters(functions)


def _collect_slots(
    table: _FactTable, syntax: Syntax, frames: Sequence[Frame | None], holders: Set[str], language: Language
) -> None:
    """Add the slots (types or values) of fields and of variables at the top of the file, and the results of functions."""
    fields: dict[str, list[Slot]] = defaultdict(list)
    results: dict[str, list[Slot]] = defaultdict(list)
    # The value of each variable at the top of the file, by the position of its definition.
    assigned: dict[int, str] = {}
    for binding in syntax.bindings:
        # Neither nothing nor null says what a variable holds.
        if not binding.type_name and binding.value in ("", NULL):
            continue
        around = syntax.definitions[binding.scope] if binding.scope >= 0 else None
        if not binding.name and around is not None:
            # A binding without a name is what the function returns.
            slots = results[around.path_name]
        elif binding.name in (language.default_export, PUBLIC):
            slots = fields[binding.name]
        elif binding.owner == MIXED:
            dotted = _defined_around(syntax, binding)
            if not dotted:
                continue
            slots = fields[dotted]
        elif binding.owner == PAYLOAD:
            slots = fields[f"{enclosing_class(syntax, binding.scope)}.{binding.name}"]
        elif binding.owner in holders:
            # `cart.total = …` sets a member of the object `cart`.
            slots = fields[f"{binding.owner}.{binding.name}"]
        elif binding.owner and (cls := enclosing_class(syntax, binding.scope, holders)):
            # `self.name = …` in a method sets a field of the class around it.
            slots = fields[f"{cls}.{binding.name}"]
        elif around is not None and around.kind in CLASS_LIKE_KINDS:
            slots = fields[f"{around.path_name}.{binding.name}"]
        elif around is None or (
            around.name == binding.name
            # A function that is wrapped, as in `const load = retry(() => …)`, also has the value of that call.
            and (around.kind in VALUE_KINDS or (around.kind == "function" and around.name_start == binding.start))
        ):
            slots = fields[around.path_name if around else binding.name]
            if around is not None and around.path_name == around.name:
                assigned[binding.scope] = binding.value
        elif binding.value and assigned.get(binding.scope) == binding.value:
            # The same statement assigns to a second variable: `a = b = f()`.
            slots = fields[binding.name]
        else:
            continue
        frame = frames[binding.scope] if around else None
        offset = binding.start - around.start if around and frame else 0
        slots.append(Slot(binding.type_name, binding.value, offset, frame))
    table.put_slots(fields, arrays=language.pointers)
    table.put_results(results)


def _defined_around(syntax: Syntax, binding: Binding) -> str:
    """Return the dotted name of the nearest definition that a binding's name may mean, or an empty text."""
    names = {definition.path_name for definition in syntax.definitions if definition.name == binding.name}
    scope = binding.scope
    while scope >= 0:
        dotted = f"{syntax.definitions[scope].path_name}.{binding.name}"
        if dotted in names:
            return dotted
        scope = syntax.definitions[scope].parent
    return binding.name if binding.name in names else ""


def _collect_arguments(table: _FactTable, syntax: Syntax, params: Mapping[int, Sequence[Binding]]) -> tuple[str, ...]:
    """Add the arguments of calls, by the simple name of the callee. Return these names.

    If the file gives the callee another name (`from m import f as g`, or `g = f`), a call of `g` counts as a call of `f`.
    """
    positions = {
        (scope, binding.name): position
        for scope, bindings in params.items()
        # Of several parameters with one name, the first one wins, since it is entered last.
        for position, binding in reversed([*enumerate(bindings)])
    }
    aliases = {
        binding.name: binding.value
        for binding in syntax.bindings
        if not binding.owner and binding.value and _NAME.fullmatch(binding.value)
    }
    aliases |= {import_.alias: import_.name for import_ in syntax.imports if import_.alias and import_.name}
    arguments: dict[str, list[PassedArgument]] = defaultdict(list)
    for argument in syntax.arguments:
        callee, value = argument.callee, argument.value
        name = callee.rpartition(".")[2]
        if _CALLEE.fullmatch(name):
            around = syntax.definitions[argument.scope].path_name if argument.scope >= 0 else ""
            param = positions.get((argument.scope, value), -1)
            if argument.keyword == TABLE_ENTRY:
                # A call of `open` passes nothing to the entries `open` of tables.
                arguments[TABLE_ENTRY + name].append(PassedArgument(callee, -1, TABLE_ENTRY, value, around, param))
                continue
            arguments[aliases.get(callee, name)].append(
                PassedArgument(callee, argument.place, argument.keyword, value, around, param)
            )
    table.put_arguments(arguments)
    return tuple(arguments)


def event_name(text: str) -> str:
    """Return the last word of the expression or text that names an event: `signals.paid` → `paid`."""
    return text.rpartition(".")[2]


def _collect_registrations(table: _FactTable, syntax: Syntax) -> tuple[str, ...]:
    """Collect fixtures and the listeners of events. Return the names under which the listeners are passed on."""
    listeners: dict[str, list[PassedArgument]] = defaultdict(list)
    for row in syntax.registrations:
        around = syntax.definitions[row.scope].path_name if row.scope >= 0 else ""
        if row.kind == "listener":
            for handler in row.handlers:
                name = LISTENER + event_name(row.name)
                listeners[name].append(PassedArgument(row.router, -1, LISTENER, handler, around, -1))
        elif row.kind == "fixture" and row.definition >= 0:
            definition = syntax.definitions[row.definition]
            table.entries.setdefault(FIXTURE + (row.name or definition.name), definition.path_name)
    table.put_arguments(listeners)
    return tuple(listeners)


def _collect_imports(table: _FactTable, syntax: Syntax, language_name: str) -> tuple[str, ...]:
    """Collect the imports. Return the name under which those are passed on that hold in other files too."""
    language = languages()[language_name]
    unnamed: list[str] = []
    shared: list[PassedArgument] = []
    for import_ in _by_rank(syntax.imports):
        text = import_.module
        if import_.alias.startswith(EVERYWHERE):
            import_ = import_._replace(alias=import_.alias.removeprefix(EVERYWHERE))
            shared.append(PassedArgument(text, -1, import_.alias, import_.name, "", -1))
        if _is_whole(import_, language):
            continue
        if import_.alias or import_.name:
            table.put_import(import_.alias or import_.name, text, import_.name)
        else:
            unnamed.append(text)
            bare = language.import_decoration.sub("", text) if language.import_decoration else text
            parts = [part for part in re.split(r"[./\\:]+", bare) if part]
            # In Python `import a.b` binds `a`, in Java `import a.b` binds `b`.
            name = (parts[0] if language.binds == "first" else parts[-1]) if parts else ""
            table.put_import(name, name if language.binds == "first" else text, "")
    table.put_whole_imports(whole_imports(syntax.imports, language_name))
    if language.modules == "folder":
        table.put_unnamed_imports(unnamed)
    table.put_arguments({EVERYWHERE: shared} if shared else {})
    return (EVERYWHERE,) if shared else ()


def whole_imports(imports: Iterable[Import], language_name: str) -> tuple[str, ...]:
    """Return the modules that a file with these imports imports whole (`from m import *`, `#include`), each once."""
    language = languages()[language_name]
    return tuple(dict.fromkeys(import_.module for import_ in _by_rank(imports) if _is_whole(import_, language)))


def _by_rank(imports: Iterable[Import]) -> list[Import]:
    """Return the imports with those inside functions last: such an import binds a name only if no other import does."""
    return sorted(imports, key=lambda import_: import_.scope >= 0)


def _is_whole(import_: Import, language: Language) -> bool:
    """Say whether an import brings all names of its module."""
    has_alias = import_.alias not in ("", EVERYWHERE)
    return import_.name == "*" or (not import_.name and not has_alias and language.binds == "all")


def holders_of(syntax: Syntax, language: Language) -> Set[str]:
    """Return the dotted names of the variables and functions that hold functions as members.

    An example is `cart` in `cart.total = function () {}` or `const cart = { total() {} }`.
    """
    definitions = syntax.definitions
    owners = {
        definition.path_name.rpartition(".")[0]
        for definition in definitions
        if definition.kind == "method"
        and (
            definition.owner or (definition.parent >= 0 and definitions[definition.parent].kind not in CLASS_LIKE_KINDS)
        )
    }
    if language.table_types:
        owners |= {
            definition.path_name.rpartition(".")[0] for definition in definitions if definition.kind in CALLABLE_KINDS
        }
        owners |= {binding.owner for binding in syntax.bindings if binding.owner}
    if not owners:
        return owners
    return owners & {
        definition.path_name
        for definition in definitions
        if definition.kind in CALLABLE_KINDS or definition.kind in VALUE_KINDS
    }


def enclosing_class(syntax: Syntax, scope: int, holders: Set[str] = frozenset()) -> str:
    """Return the dotted name of the class or module around a definition. Empty if there is none.

    `scope` is the position of the definition in `syntax.definitions`. A method that is written outside of its class names
    the class itself, as `func (c *Cart) Total()` does. What `holders_of` lists counts as a class.
    """
    holder = ""
    while scope >= 0:
        definition = syntax.definitions[scope]
        if definition.kind in CLASS_LIKE_KINDS or definition.kind == "module":
            return definition.path_name
        if definition.kind == "method" and definition.owner:
            return definition.path_name.rpartition(".")[0]
        if holders and not holder:
            # A class around the object goes before it: most functions in its literal are arrows.
            names = (definition.path_name.rpartition(".")[0], definition.path_name)
            holder = next((name for name in names if name in holders), "")
        scope = definition.parent
    return holder


def changed_keys(old: FileFacts | None, new: FileFacts | None) -> set[str]:
    """Return the keys whose lookups may have another answer after a change of one file.

    `old` is None for an added file, `new` is None for a deleted file.
    """
    if old and new and old.language != new.language:
        return changed_keys(old, None) | changed_keys(None, new)
    keys: set[str] = set()
    path = (new or old).path if (new or old) else ""  # type: ignore[union-attr]
    before, after = (facts.table if facts else {} for facts in (old, new))
    for key in before.keys() | after.keys():
        if before.get(key) != after.get(key):
            keys.add(f"{path}\0{key}")
            # `World.arguments_to` asks all files at once, by the key without a path.
            if key.startswith(ARGUMENTS):
                keys.add(key)
    names_before, names_after = (facts.by_name if facts else {} for facts in (old, new))
    for name in names_before.keys() | names_after.keys():
        if names_before.get(name) != names_after.get(name):
            # Whoever looked for the name anywhere may find more or fewer definitions now.
            keys.add(NAME + name)
    if (old and old.module) != (new and new.module) or (old is None) != (new is None):
        keys.add(f"{path}\0{MODULE}")
        for facts in (old, new):
            if facts is not None:
                keys |= {MODULE_TAIL + name for name in module_tails(facts.path, facts.module)}
    return keys


def moves_package(old: FileFacts | None, new: FileFacts | None) -> bool:
    """Say whether a package's module index file (`__init__.py`) was added or deleted, which renames the modules below it."""
    facts = old or new
    if facts is None or (old is None) == (new is None):
        return False
    language = languages()[facts.language]
    return language.modules == "path" and PurePosixPath(facts.path).stem in language.index


def module_tails(path: str, module: str) -> set[str]:
    """Return the words that an import of a file may end with: its stem, its folder, the last word of its module name."""
    folder, _, name = path.rpartition("/")
    return {name.partition(".")[0], folder.rpartition("/")[2], module.rpartition(".")[2]}


@lru_cache(maxsize=100_000)
def import_tail(text: str) -> str:
    """Return the last word of an import's text, without a file extension: `./lib/cart.js` → `cart`."""
    parts = [part for part in re.split(r"[/\\:.]+", text) if part]
    if "/" in text and "." in text.rpartition("/")[2].strip("."):
        # The first dot ends the word, as in `module_tails`: `./cart.test.js` is noted as `cart`.
        return text.rpartition("/")[2].partition(".")[0]
    return parts[-1] if parts else ""
