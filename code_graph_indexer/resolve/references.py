"""Resolve the references of one file: by scope, imports, receiver type and class hierarchy, and only then by unique name."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple, cast

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.annotations import dots
from code_graph_indexer.resolve.argument_types import disambiguate
from code_graph_indexer.resolve.collect import enclosing_class, holders_of
from code_graph_indexer.resolve.declarations import DECLARED_KINDS, Declarations, nearest
from code_graph_indexer.resolve.exact import ExactUses
from code_graph_indexer.resolve.extensions import extension
from code_graph_indexer.resolve.facts import CALLABLE_KINDS, VALUE_KINDS, PassedArgument
from code_graph_indexer.resolve.frames import Frame, Local, frames_of
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.overloads import fitting, overridden
from code_graph_indexer.resolve.scope import (
    IMPORT,
    INCLUDED,
    INHERITED,
    NOTHING,
    PASSED,
    PEER,
    SCOPE,
    TABLE,
    TYPED,
    UNIQUE,
    UNIQUE_METHOD,
    Resolution,
)
from code_graph_indexer.resolve.steps import CALL, TEXT, argument_names, calls_at, steps_of
from code_graph_indexer.resolve.structural import satisfied
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    MODULE,
    TYPE,
    Point,
    Value,
    Values,
    distinct,
    value_of,
)
from code_graph_indexer.resolve.world import World
from code_graph_indexer.results import ALTERNATIVE_DEFINITION, ANOTHER_BUILD
from code_graph_indexer.storage.records import MAX_CANDIDATES, ExactUse, ResolvedReference, Target
from code_graph_indexer.syntax.branches import are_opposite, names_at
from code_graph_indexer.syntax.expressions import ALTERNATIVE, NAMED, OPERATOR, READ, bare
from code_graph_indexer.syntax.records import (
    COMPUTED,
    INTERFACE_KINDS,
    TABLE_ENTRY,
    TYPE_KINDS,
    Import,
    Reference,
    Syntax,
)

_PLACE = re.compile(r"\{(\d+)\}")

MAX_NAMED = 50
"""Most functions that a name may mean whose start alone is known."""

MAX_EXPANSIONS = 20
"""Most macros that one use of a macro expands, one inside the other."""

TABLE_LEVELS = 2
"""Most values that are followed to a function that a table holds: a parameter, and what its callers pass on."""

Location = tuple[int, int]
"""A line (from 1) and a column (bytes from 0)."""


def resolve_file(
    resolver: "FileResolver", locations: Sequence[Location], uses: Sequence[ExactUse] = ()
) -> list[ResolvedReference]:
    """Resolve all references of a resolver's file, and return their rows for the index.

    `locations` has the line and column of each reference, then of each import, then of each definition's name. `uses` are the
    references that a SCIP index resolves.
    """
    syntax = resolver.syntax
    exact = ExactUses(resolver.world, uses)
    imports_start = len(syntax.references)
    names_start = imports_start + len(syntax.imports)
    import_locations = locations[imports_start:names_start]
    rows: list[ResolvedReference] = []
    for reference, location in zip(syntax.references, locations, strict=False):
        rows += resolver.rows(reference, location, exact if uses else None)
    with suppress(RecursionError):
        rows += exact.overrides(resolver.overrides(locations[names_start:]))
    with suppress(RecursionError):
        rows += resolver.declared(locations[names_start:])
    for import_, location in zip(syntax.imports, import_locations, strict=True):
        rows += resolver.import_rows(import_, location)
    rows += exact.unsettled({line for line, _ in import_locations})
    return rows


Sight = int | tuple[int | str | Local | None, ...]
"""A key of the names that a reference sees: a definition, several that see the same, or bindings of local variables."""


BOUND, ALONE = 1 << 40, 1 << 41
"""What an expression sees that begins with a local variable, and one that is like no other expression."""


class Surrounding(NamedTuple):
    """What is the same for all references in a definition.

    `point` is the point at its start, and offsets inside it count from the byte `start`. `scope` is the definition. All
    definitions of one number `alike` see the same names, but for their local variables. All of one number `own` have the same
    object itself (`self`). `lends` says that the object itself may be another one in a part of the definition. `sights` has
    what each expression sees, see `FileResolver.resolve`.
    """

    point: Point
    start: int
    scope: int
    alike: int
    own: int
    lends: bool
    sights: dict[str, int]


class FileResolver:
    """A resolver for the references of one file. It keeps answers that repeat within the file.

    `nodes` has the chunk id of each definition of `syntax`, `module_id` is the chunk of the file.
    """

    def __init__(
        self,
        world: World,
        path: str,
        language_name: str,
        is_test: bool,
        syntax: Syntax,
        nodes: Sequence[int],
        module_id: int,
    ) -> None:
        self.syntax = syntax
        self.language = languages()[language_name]
        self.inference = Inference.of(world, path, is_test)
        self.scope = self.inference.scope
        self.world = world
        self.path = path
        self.nodes = nodes
        self.module_id = module_id
        self.frames = frames_of(syntax)
        # Whether the object itself is another one in a part of some function.
        self_names = self.language.self_names
        self._lends = any(binding.name in self_names and binding.value for binding in syntax.bindings)
        self._holders = holders_of(syntax, self.language)
        # Where no language has overloads, the number of arguments chooses nothing.
        family = [language for language in languages().values() if language.family == self.language.family]
        self._counts_arguments = any(language.variadic or language.extension_methods for language in family)
        # Answers within the file. Their lookups were noted when they were worked out.
        self._classes: dict[int, Target | None] = {}
        self._surroundings: dict[int, Surrounding] = {}
        self._contexts: dict[object, int] = {}
        self._expansions: set[tuple[int, str]] = set()
        self._runnable: dict[str, bool] = {}
        self._definitions: dict[Target, tuple[Target, ...]] = {}
        self._wrappers: dict[Target, tuple[Target, ...]] = {}
        self._made_functions: dict[str, Target] | None = None
        # What a preprocessor has set around the reference that `rows` resolves.
        self._conditions: tuple[str, ...] = ()
        self._answers: dict[tuple[Sight, str, str, str, int], Resolution] = {}
        self._receivers: dict[tuple[Sight, str], Values] = {}

    # Rows of the index.

    def rows(self, reference: Reference, location: Location, exact: ExactUses | None) -> list[ResolvedReference]:
        """Return the rows of a reference for the index: one for each target, or one without a target if it is unresolved.

        An ambiguous reference has one row with candidates. A value that is no definition of the repository has no row. Calls
        and base classes may add rows for constructors. `exact` has the references that a SCIP index resolves.
        """
        try:
            return self._rows(reference, location, exact)
        except RecursionError:
            # Classes that lead to each other without an end cost this reference its target, and the build nothing.
            if reference.kind not in ("calls", "inherits"):
                return []
            source = self._source(reference)
            return [
                ResolvedReference(
                    source, reference.kind, reference.name, bare(reference.receiver), *location, None, None
                )
            ]

    def _rows(self, reference: Reference, location: Location, exact: ExactUses | None) -> list[ResolvedReference]:
        kind = reference.kind
        if kind == "makes" or (kind == "runs" and not self._may_run(reference.name)):
            return []
        source = self._source(reference)
        self._conditions = names_at(self.syntax.branches, reference.start) if self.syntax.branches else ()
        try:
            resolution = self.resolve(reference)
            resolution = self._disambiguate(reference, resolution, source) if resolution.tied else resolution
        except RecursionError:
            # Types or re-exports that lead to each other deeper than any person writes.
            resolution = NOTHING
        if kind == "references" and not resolution.targets and exact is None:
            # A value that is no function or type of the repository is no reference.
            return []
        row = ResolvedReference(source, kind, reference.name, bare(reference.receiver), *location, None, None)
        if kind == "runs":
            return self._run_rows(row, resolution)
        if kind == "constant":
            # The constructor of an enum makes its constants. That a constant is one of its class is no edge.
            return list(self._constructor_rows(row._replace(kind="calls"), resolution, reference))
        if exact is not None:
            row, resolution = exact.settle(row, resolution)
        if self.language.conversions and resolution.targets and all(target.is_type for target in resolution.targets):
            # `Celsius(20)` converts a value and runs no constructor.
            row = row._replace(kind="references" if row.kind == "calls" else row.kind)
        if not resolution.targets and kind != "inherits":
            # A word before a bracket in a macro is often no function.
            return [row] if row.kind not in ("references", "expands") else []
        if kind == "expands":
            return self._edges(row._replace(kind="calls"), resolution)
        rows = self._edges(row, resolution)
        if self.language.decorators and row.kind == "calls":
            rows += self._wrapper_rows(row, resolution)
        if kind == "calls" and any(target.kind == "macro" for target in resolution.targets):
            rows += self._expanded(reference, row, resolution)
        if kind == "inherits":
            rows += self._inherited_calls(reference, row, resolution)
        if row.kind == "calls":
            rows += self._constructor_rows(row, resolution, reference)
        return rows

    def _expanded(
        self, reference: Reference, row: ResolvedReference, resolution: Resolution
    ) -> Iterator[ResolvedReference]:
        """Yield the `calls` rows of the functions that the text of a macro calls, as calls by whoever uses the macro.

        A function gets one row for each definition that calls it by macros, however often it does.
        """
        called_targets = self._defined(resolution).targets
        # A macro under another name makes the function that is called, and does not stand for it.
        macros = [target for target in called_targets if target.kind == "macro" and target.name == reference.name]
        expanded = set(macros)
        for macro in macros:
            for text in self.world.expansion(macro):
                name = _pasted(text, reference.given)
                if not name or (row.source_id, name) in self._expansions:
                    continue
                self._expansions.add((row.source_id, name))
                receiver, _, simple = name.rpartition(".")
                if simple == macro.name:
                    # A macro does not expand inside itself: the function of its name is meant.
                    called = self.scope.function_named(simple)
                else:
                    called = self.resolve(reference._replace(name=simple, receiver=receiver, arguments=-1, given=()))
                # In the text of another macro, more macros may stand.
                macros += [
                    target
                    for target in called.targets
                    if target.kind == "macro" and target.name == simple and target not in expanded
                ]
                expanded.update(macros)
                # A function that the macro may stand for has its row already.
                is_fresh = not set(self._defined(called).targets) <= set(called_targets)
                if called.targets and is_fresh and len(macros) <= MAX_EXPANSIONS:
                    yield from self._edges(row._replace(name=simple), called)
                    yield from self._constructor_rows(row._replace(name=simple), called)

    def _wrapper_rows(self, row: ResolvedReference, resolution: Resolution) -> Iterator[ResolvedReference]:
        """Yield the `calls` rows of the functions that decorators put in the place of what is called."""
        for target in resolution.targets:
            for wrapper in self._wrappers_of(target) if target.kind in CALLABLE_KINDS else ():
                # What the wrapper itself calls is the function without it.
                if wrapper.chunk_id != row.source_id:
                    yield from _rows(row, Resolution((wrapper,), min(resolution.confidence, TYPED)))

    def _wrappers_of(self, function: Target) -> tuple[Target, ...]:
        """Return the functions inside decorators that a call of a decorated function runs before it."""
        wrappers = self._wrappers.get(function)
        if wrappers is None:
            targets = dict.fromkeys(
                value.target
                for value in self.inference.decorated(function)
                # Less sure is that a decorator may return what it decorates.
                if value.form == CALLABLE and value.confidence > PASSED and value.target not in (None, function)
            )
            wrappers = tuple(target for target in targets if target.kind == "function" and "." in target.dotted)
            self._wrappers[function] = wrappers
        return wrappers

    def _run_rows(self, row: ResolvedReference, resolution: Resolution) -> list[ResolvedReference]:
        """Return the `calls` rows of functions that an expression runs without naming them, such as `__iter__` in a loop."""
        rows: list[ResolvedReference] = []
        for target in resolution.targets:
            row = row._replace(kind="calls", name=target.name)
            run = Resolution((target,), resolution.confidence)
            rows += self._edges(row, run)
            rows += self._constructor_rows(row, run)
        return rows

    def import_rows(self, import_: Import, location: Location) -> list[ResolvedReference]:
        """Return the rows of an import for the index. An unresolved import has one row without a target."""
        source = self.nodes[import_.scope] if import_.scope >= 0 else self.module_id
        is_default = import_.name and import_.name == self.language.default_export
        imported = import_.alias if is_default else import_.name
        name = f"{import_.module} {imported}" if imported else import_.module
        row = ResolvedReference(source, "imports", name, "", *location, None, None)
        return self._edges(row, self._resolve_import(import_))

    def overrides(self, locations: Sequence[Location]) -> Iterator[ResolvedReference]:
        """Yield the `overrides` rows of the file: a method, and the base's method that it overrides or implements.

        `locations` has the line and column of each definition's name.
        """
        # A class under a condition overrides in the builds that have it.
        self._conditions = ()
        for position, method in enumerate(self.syntax.definitions):
            if method.kind != "method" or method.name in self.language.constructors:
                continue
            if not method.has_body and self._behind(self._target(position))[0].has_body:
                # Its definition is in another place, and overrides what the declaration says that it does.
                continue
            cls = self._own_class(position)
            node = self.nodes[position]
            for base in self.scope.at(cls.path).bases(cls) if cls is not None else ():
                member = self.scope.at(base.path).member(base, method.name)
                target = overridden(self.scope, member, method) if member is not None else None
                if target is not None and target.kind == "method" and target.chunk_id != node:
                    row = ResolvedReference(
                        node, "overrides", method.name, base.dotted, *locations[position], None, None
                    )
                    yield from self._edges(row, Resolution((target,), INHERITED))
            if self.language.structural and cls is not None and cls.kind != "interface":
                row = ResolvedReference(node, "overrides", method.name, "", *locations[position], None, None)
                for implied, resolution in satisfied(self.inference, method.name, cls, row):
                    yield from self._edges(implied, resolution)

    def declared(self, locations: Sequence[Location]) -> Iterator[ResolvedReference]:
        """Yield the `declares` rows of the file: a declaration, and each definition behind it.

        `locations` has the line and column of each definition's name.
        """
        if self.language.declarations == "no":
            return
        for position, definition in enumerate(self.syntax.definitions):
            if definition.has_body or definition.kind not in DECLARED_KINDS:
                continue
            node = self.nodes[position]
            definitions = Declarations.of(self.scope, self.path).definitions(self._target(position))
            row = ResolvedReference(node, "declares", definition.name, "", *locations[position], None, None)
            confidence = ALTERNATIVE_DEFINITION if len(definitions) > 1 else IMPORT
            targets = [target for target in definitions if target.chunk_id != node]
            yield from _rows(row, Resolution(tuple(targets), confidence, all_meant=True)) if targets else ()

    def _target(self, position: int) -> Target:
        """Return a definition of this file as the target of references."""
        definition = self.syntax.definitions[position]
        node = self.nodes[position]
        return Target(self.path, definition.path_name, definition.kind, node, definition.has_body, definition.is_local)

    def _edges(self, row: ResolvedReference, resolution: Resolution) -> list[ResolvedReference]:
        """Fill a resolution into a row, with the definitions behind its declarations. See `_rows`."""
        resolution = self._defined(resolution)
        return _rows(row, self._built(resolution) if self._conditions else resolution)

    def _built(self, resolution: Resolution) -> Resolution:
        """Leave out the definitions that are in no build together with the reference.

        If that leaves none, the build that has them is another one.
        """
        targets = tuple(
            target for target in resolution.targets if not are_opposite(self._conditions, self.world.conditions(target))
        )
        if targets or not resolution.targets:
            return resolution._replace(targets=targets)
        return resolution._replace(confidence=min(resolution.confidence, ANOTHER_BUILD))

    def _defined(self, resolution: Resolution) -> Resolution:
        """Replace each declaration by the definitions behind it, and each definition by its alternatives.

        A declaration without a known definition stays.
        """
        if len(resolution.targets) == 1:
            # This is the way of nearly all references.
            (target,) = resolution.targets
            definitions = self._definitions.get(target) or self._behind(target)
            if definitions == resolution.targets:
                return resolution
        behind = [self._behind(target) for target in resolution.targets]
        if all(len(targets) == 1 for targets in behind):
            return resolution._replace(targets=tuple(targets[0] for targets in behind))
        targets = tuple(dict.fromkeys(target for targets in behind for target in targets))
        # All alternatives of one definition are meant. Of several definitions, one is.
        all_meant = resolution.all_meant or len(behind) == 1
        return Resolution(targets, min(resolution.confidence, ALTERNATIVE_DEFINITION), all_meant, resolution.tied)

    def _behind(self, target: Target) -> tuple[Target, ...]:
        """Return the definitions behind a declaration as this file sees them, or else the target with its alternatives."""
        definitions = self._definitions.get(target)
        if definitions is None:
            language = self.scope.at(target.path).language
            has_twins = target.has_body and target.kind in CALLABLE_KINDS
            group = self.world.twins(target) if has_twins and (language.conditionals or language.twins) else ()
            if len(group) == 1:
                group += self.scope.at(target.path).imported(target.name).targets
            if has_twins and language.modules == "folder" and not language.variadic:
                group = self._in_other_builds(target)
            behind = (
                twin
                for member in group or (target,)
                for twin in (
                    (member,) if member.has_body else Declarations.of(self.scope, member.path).definitions(member)
                )
            )
            definitions = tuple(dict.fromkeys(behind)) or (target,)
            if len(definitions) > 1:
                definitions = nearest(definitions, target.path, self.path)
            self._definitions[target] = definitions
        return definitions

    def _in_other_builds(self, target: Target) -> tuple[Target, ...]:
        """List a function and those of its name in other files of its package, of which a build has one: `run_linux.go`."""
        twins = (
            twin
            for twin in self.world.definitions_of(target.dotted)
            if twin.path != target.path
            and twin.kind == target.kind
            and twin.has_body
            and self.world.same_module(twin.path, target.path)
            and self.world.file(twin.path).is_test == self.world.file(target.path).is_test
        )
        return (target, *list(twins)[: MAX_CANDIDATES - 1])

    def _source(self, reference: Reference) -> int:
        """Return the chunk id of the definition around a reference, or of the file.

        In Rust's `impl Draw for Circle`, the reference to `Draw` belongs to the type `Circle`.
        """
        if reference.scope < 0:
            return self.module_id
        if reference.kind == "inherits" and self.syntax.definitions[reference.scope].kind == "scope":
            cls = self._own_class(reference.scope)
            if cls is not None and cls.path == self.path:
                return cls.chunk_id
        return self.nodes[reference.scope]

    def _inherited_calls(
        self, reference: Reference, row: ResolvedReference, resolution: Resolution
    ) -> Iterator[ResolvedReference]:
        """Yield the `calls` rows that inheriting implies: the base's constructor, and the creation of an anonymous class.

        The creator of an anonymous class is the definition around it.
        """
        call = row._replace(kind="calls")
        definition = self.syntax.definitions[reference.scope] if reference.scope >= 0 else None
        if definition is not None and definition.name.startswith("<"):
            # An anonymous class is made where it stands.
            maker = self.nodes[definition.parent] if definition.parent >= 0 else self.module_id
            node = self.nodes[reference.scope]
            yield call._replace(source_id=maker, name=definition.name, target_id=node, confidence=SCOPE)
        if self.language.implicit_super and len(resolution.targets) == 1 and resolution.targets[0].kind == "class":
            yield from self._edges(call, resolution)
            yield from self._constructor_rows(call, resolution)

    def _constructor_rows(
        self, row: ResolvedReference, resolution: Resolution, reference: Reference | None = None
    ) -> Iterator[ResolvedReference]:
        """Yield a `calls` row to the constructor of each class that is called. Ambiguous classes give none."""
        for cls in resolution.targets if resolution.all_meant or len(resolution.targets) == 1 else ():
            # A variant that holds something makes an object of the enum without its constructor.
            is_variant = cls.kind == "enum" and row.name not in (cls.name, *self.language.constructors)
            for constructor in self.inference.constructors(cls) if cls.is_type and not is_variant else ():
                run = Resolution((constructor,), resolution.confidence)
                if reference is not None:
                    run = fitting(self.scope, run, reference.arguments)
                    run = self._disambiguate(reference, run, row.source_id) if run.tied else run
                if run.targets:
                    yield from self._edges(row, run)

    # What a reference means.

    def resolve(self, reference: Reference) -> Resolution:
        """Return the definitions that a reference may mean.

        References with the same text and the same names in sight are resolved once.
        """
        kind, name, receiver, start, scope, arguments, _ = reference
        around = self._surroundings.get(scope) or self._around(scope)
        expression = receiver or name
        place = around.sights.get(expression)
        if place is None:
            place = around.sights[expression] = self._sight(expression, around)
        point, sight = around.point, cast("Sight", place)
        if place >= BOUND:
            frame, _, cls, dotted = point
            offset = start - around.start
            point = Point(frame, offset, cls, dotted)
            if place == ALONE or frame is None:
                return self._find(reference, point, None)
            # A local variable may mean another thing on every line, if it is bound on several.
            steps = steps_of(expression)
            called = not receiver or calls_at(steps, 1)
            locals_ = (frame.local(name, offset) for name in argument_names(expression))
            sight = (scope, steps[0], frame.local(steps[0], offset, called=called), *locals_)
        elif place == around.alike and (kind == "inherits" or name.startswith(NAMED)):
            sight = scope
        key = (sight, kind, receiver, name, arguments if self._counts_arguments else -1)
        resolution = self._answers.get(key)
        if resolution is None:
            resolution = self._answers[key] = self._find(reference, point, sight)
        return resolution

    def _sight(self, expression: str, around: "Surrounding") -> int:
        """Return a number for what an expression sees in a definition: equal numbers, equal values. Or BOUND or ALONE."""
        frame = around.point.frame
        steps = steps_of(expression)
        # What the object itself is may depend on the function without a name around the reference.
        if not steps or ALTERNATIVE in expression or around.lends:
            return ALONE
        head = steps[0]
        names = argument_names(expression)
        if frame is not None and any(map(frame.binds, names)):
            return BOUND
        if head in self.language.self_names and not names and not (frame and frame.declared_type(head)):
            # An object itself is the same in all methods of its class.
            return around.own
        if frame is not None and frame.binds(head):
            return BOUND
        # No function around binds the name. Only what is no name may depend on the definition itself.
        is_name = (head[0].isalpha() or head[0] == "_") and head not in self.language.super_calls
        return around.alike if is_name and not names else around.scope

    def _disambiguate(self, reference: Reference, resolution: Resolution, source: int) -> Resolution:
        """Choose among tied overloads by the types of the call's arguments."""
        try:
            point = self._point(reference, self._around(reference.scope))
            return disambiguate(self.inference, point, reference, resolution, source)
        except RecursionError:
            return resolution

    def _values(self, expression: str, point: Point, sight: "Sight | None") -> Values:
        """Return the possible values of an expression at a point. They are worked out once for points that are alike."""
        if sight is None:
            return self.inference.values(expression, point)
        values = self._receivers.get((sight, expression))
        if values is None:
            values = self._receivers[sight, expression] = self.inference.values(expression, point)
        return values

    def _find(self, reference: Reference, point: Point, sight: "Sight | None") -> Resolution:
        if reference.kind == "inherits":
            return self._base(reference, point)
        if reference.kind == "runs":
            return self._run(reference, point, sight)
        if reference.kind == "references":
            return self._passed_by_name(reference, point, sight)
        if reference.name in self.language.self_names | self.language.super_names:
            is_object = reference.name in self.language.self_names and self.language.protocols["call"]
            values = self.inference.name(reference.name, point, LEVELS, called=True) if is_object else ()
            # `$this()` runs the object itself, if its class says how.
            called = self._callees(values or ())
            return called if called.targets else self._constructor_call(reference, point)
        if reference.name in self.language.super_calls and not reference.receiver:
            return self._super_call(reference, point)
        if reference.receiver in self.language.super_names and point.cls is None:
            # A file that is a class imports its bases whole, as in Perl.
            return self.scope.starred(reference.name, 1)._replace(confidence=INHERITED)
        if reference.receiver:
            return self._on_receiver(reference, point, sight)
        return self._bare_name(reference, point)

    def _bare_name(self, reference: Reference, point: Point) -> Resolution:
        """Return the definitions that a call of a name without a receiver may mean."""
        values = self.inference.name(reference.name, point, LEVELS, called=True)
        callees = self._callees(self._made(values or ()))
        if callees.targets and self.language.tags_apart and all(target.is_type for target in callees.targets):
            function = self.scope.function_named(reference.name)
            callees = function if function.targets else callees
        if not callees.targets:
            return self._without_callee(reference, point, values or ())
        resolution = fitting(self.scope, callees, reference.arguments)
        if resolution.targets:
            return resolution
        # No member of that name takes the arguments. Then a function at the top of the file is meant.
        top = self._called(self.inference.top_name(reference.name, LEVELS) or (), reference)
        return top if top.confidence > UNIQUE else NOTHING

    def _without_callee(self, reference: Reference, point: Point, values: Values) -> Resolution:
        """Return what a call of a name may run that is no function in sight: a callback, an extension, an entry of a table."""
        frame = point.frame
        local = frame.local(reference.name, point.offset, called=True) if frame is not None else None
        if frame is not None and local is not None:
            # A parameter or variable hides every function of its name, also one whose value is not known.
            in_table = self._in_table(reference, ())
            # What a parameter without a type holds was asked for above. A pointer to a function may hold more.
            is_pointer = local.is_param and (local.type_name or self.language.pointers)
            return self._callback(reference.name, frame) if is_pointer and not in_table.targets else in_table
        if frame is not None and (wrapper := frame.outer_of(reference.name)) is not None:
            return self._callback(reference.name, wrapper, MAX_NAMED)
        if any(value.form == CALLABLE and not value.name for value in values):
            # A field of the object, or a variable of the file, that holds a function.
            in_table, extending = self._in_table(reference, ()), extension(self.inference, reference, point)
            return extending if not in_table.targets and extending.confidence == TYPED else in_table
        if maker := self._makers().get(reference.name) if reference.kind == "calls" else None:
            return Resolution((maker,), INCLUDED)
        extending = extension(self.inference, reference, point)
        if extending.targets:
            return extending
        for suffix in self.language.type_suffixes:
            types = [target for target in self.scope.name(reference.name + suffix).targets if target.is_type]
            if types:
                return Resolution(tuple(types), PEER)
        in_table = self._in_table(reference, ())
        return in_table if in_table.targets else self._below(reference, point)

    def _base(self, reference: Reference, point: Point) -> Resolution:
        """Return the class that a definition inherits from."""
        resolution = self.scope.type_named(dots(reference.expression), point.dotted.rpartition(".")[0], True)
        if not resolution.targets and reference.scope < 0:
            # The base of a file that is a class, as in Perl.
            bases = (self.world.definition(path, "") for path in self.scope.modules_of(dots(reference.expression)))
            resolution = Resolution(tuple(base for base in bases if base is not None), IMPORT)
        types = (self.scope.unaliased(target) for target in resolution.targets if target.is_type)
        return Resolution(tuple(dict.fromkeys(types)), resolution.confidence)

    def _constructor_call(self, reference: Reference, point: Point) -> Resolution:
        """Return the class whose constructor is called by `this(…)` (the own class) or `super(…)` (the first base)."""
        if point.cls is None:
            return Resolution((), INHERITED)
        is_super = reference.name in self.language.super_names
        classes = self.scope.bases(point.cls)[:1] if is_super else [point.cls]
        return Resolution(tuple(classes), INHERITED)

    def _super_call(self, reference: Reference, point: Point) -> Resolution:
        """Return the method of a base that has the name of the method around the call, as Ruby's `super` calls it."""
        if point.cls is None:
            return NOTHING
        above = Value(INSTANCE, point.cls, INHERITED, above=True)
        return self._called(self.inference.member(above, point.dotted.rpartition(".")[2], LEVELS), reference)

    def _run(self, reference: Reference, point: Point, sight: "Sight | None") -> Resolution:
        """Return the functions that an expression runs without naming them.

        Examples are `make()()`, a loop, and a context manager.
        """
        if reference.name.startswith(NAMED):
            return self._named(reference, point)
        values = self._values(reference.receiver, point, sight)
        if reference.name.startswith((READ, OPERATOR)):
            values = self.inference.members_run(values, self._names_run(reference.name))
            if reference.name.startswith(READ):
                member = reference.name.removeprefix(READ)
                getters = (value for value in values if value.target is not None and value.target.name == member)
                values = tuple(value for value in getters if value.target and self.world.is_getter(value.target))
        elif not reference.name.startswith(CALL):
            values = self.inference.methods_run(values, reference.name)
        elif len(values) > 1:
            # `@action(…)` runs the function inside of `action`. That it may return what it decorates is another use of it.
            values = tuple(value for value in values if value.confidence > PASSED) or values
        return self._callees(values)

    def _named(self, reference: Reference, point: Point) -> Resolution:
        """Return the methods of the class around that a name may mean whose start is known: `getattr(self, f"visit_{kind}")`.

        Outside of classes, these are the functions of the file.
        """
        if reference.scope not in self._reflective:
            return NOTHING
        start, around = reference.name.removeprefix(NAMED), f"{point.cls.dotted}." if point.cls is not None else ""
        targets = [
            self._target(place)
            for place, definition in enumerate(self.syntax.definitions)
            if definition.kind in CALLABLE_KINDS
            and definition.name.startswith(start)
            and definition.path_name == f"{around}{definition.name}"
        ]
        return Resolution(tuple(targets[:MAX_NAMED]), UNIQUE, all_meant=True)

    @cached_property
    def _reflective(self) -> set[int]:
        """Return the functions that look a member up by a name that they put together."""
        names = self.language.reflective
        return {reference.scope for reference in self.syntax.references if reference.name in names} if names else set()

    def _names_run(self, name: str) -> tuple[str, ...]:
        """List the names of the methods that a member or operator may run, the likeliest first."""
        step = name[1:]
        if method := "" if name.startswith(READ) else self.language.operator_methods.get(step, ""):
            return (method,)
        return (step,) if name.startswith(READ) else self.language.protocols[step]

    def _may_run(self, name: str) -> bool:
        """Say whether any class of the repository has a method that a member or operator may run. Most members are fields."""
        if not name.startswith((READ, OPERATOR)):
            return True
        if (answer := self._runnable.get(name)) is None:
            answer = self._runnable[name] = self.world.may_run(self._names_run(name), getters=name.startswith(READ))
        return answer

    def _passed_by_name(self, reference: Reference, point: Point, sight: "Sight | None") -> Resolution:
        """Return the function or type that an expression names without calling it: `run(callback)` → `callback`."""
        values = (value for value in self._values(reference.expression, point, sight) if value.form != INSTANCE)
        if not reference.receiver and self.language.import_lookup == "tree":
            # Here code imports every function that it names alone. Any other name is a variable of a pattern.
            values = (
                value
                for value in values
                if value.confidence > UNIQUE and value.target is not None and value.target.kind != "method"
            )
        return self._callees(tuple(values))

    def _resolve_import(self, import_: Import) -> Resolution:
        """Return the definition or the module that an import means."""
        is_named = import_.name and import_.name != "*"
        if is_named:
            resolution = self.scope.import_target(import_.module, import_.name)
        else:
            resolution = self.scope.import_in_full(import_.module) if not import_.name else NOTHING
        if resolution.targets:
            return resolution
        joined = self.scope.joined(import_.module, import_.name)
        paths = self.world.find_modules(self.path, joined) if is_named else ()
        paths = paths or self.world.find_modules(self.path, import_.module)
        module = self.world.definition(paths[0], "") if paths else None
        return Resolution((module,), IMPORT) if module else NOTHING

    def _on_receiver(self, reference: Reference, point: Point, sight: "Sight | None") -> Resolution:
        """Return the member that a reference names on its receiver: `cart.total` → `Cart.total`.

        If nothing is known about the receiver, guess the member by its name (see `_guess_method`).
        """
        receivers = self._values(reference.receiver, point, sight)
        members = distinct(
            member for receiver in receivers for member in self.inference.member(receiver, reference.name, LEVELS)
        )
        if (called := self._called(members, reference)).targets and reference.name not in self.language.class_getters:
            return called
        # A table or object that functions are put into: `M.f = function`, called as `M.f()`.
        dotted = f"{reference.receiver}.{reference.name}"
        target = self.world.definition(self.path, dotted) if "(" not in dotted else None
        if target and (called := fitting(self.scope, Resolution((target,), SCOPE), reference.arguments)).targets:
            return called
        if self.language.namespaces and (called := self._in_hidden_namespace(reference)).targets:
            return called
        is_object = reference.receiver.partition(".")[0] in self.language.self_names
        for path in self.scope.modules_of(reference.receiver) if receivers and not members and not is_object else ():
            # A module may bear the name of a function.
            exported = self.scope.exported(path, reference.name, 1)
            if exported.targets and not any(target.kind in VALUE_KINDS for target in exported.targets):
                return exported
        # `super` is no receiver of an extension: its class's name would lead to the methods of the class itself.
        is_above = any(receiver.above for receiver in receivers)
        if not is_above and (extending := extension(self.inference, reference, point, receivers)).targets:
            return extending
        if (in_table := self._in_table(reference, receivers)).targets:
            return in_table
        if receivers or any(member.form == EXTERNAL for member in members):
            # `static_cast<Derived*>(this)->run()` calls a method of the class that inherits from its own base.
            is_cast = reference.receiver.startswith("<") and reference.receiver.endswith(">")
            is_own = is_cast or reference.receiver in self.language.self_names
            return self._below(reference, point) if is_own else NOTHING
        if self.language.object_literals and (member := self._in_namesake(reference)) is not None:
            return Resolution((member,), UNIQUE_METHOD)
        guess = self._guess_method(reference)
        return fitting(self.scope, guess, reference.arguments) if len(guess.targets) == 1 else guess

    def _below(self, reference: Reference, point: Point) -> Resolution:
        """Return the methods that classes below the class around a call have, where that class itself has none.

        A mixin calls so what the classes that include it define.
        """
        if not self.language.late_members or point.cls is None or reference.kind != "calls":
            return NOTHING
        targets: dict[str, Target] = {}
        for method in self.world.definitions_named(reference.name):
            owner = self.scope.class_around(method) if method.kind == "method" else None
            if owner is None or not self.scope.reachable(method.path):
                continue
            if point.cls in self.scope.at(owner.path).ancestors(owner):
                # A class may have a method of that name for its objects and another one for itself.
                targets.setdefault(method.dotted, self.world.definition(method.path, method.dotted) or method)
            if len(targets) > MAX_CANDIDATES:
                return NOTHING
        return Resolution(tuple(targets.values()), PASSED)

    def _in_table(self, reference: Reference, receivers: Values) -> Resolution:
        """Return the functions that tables hold under the name of a call: `ops->open()` may run what `.open = my_open` names.

        The table must be of the receiver's type, or the receiver itself. Without a receiver, `table[0]()` runs any function
        of the table of that name.
        """
        if not self.language.tables or reference.kind != "calls":
            return NOTHING
        head, *_ = steps_of(reference.receiver or reference.name) or ("",)
        entries = self.world.arguments_to(TABLE_ENTRY + reference.name) if reference.receiver else []
        if entries:
            types = {value.target.name for value in receivers if value.target is not None}
            # A variable of that name in another file is another one, unless it is imported.
            is_imported = self.world.import_of(self.path, head) is not None
            entries = [
                entry
                for entry in entries
                if (holder := _holder(entry[1])) in types
                or (holder in ("", reference.receiver) and (entry[0] == self.path or (holder and is_imported)))
            ]
        entries += [
            entry
            for entry in self.world.arguments_to(TABLE_ENTRY + head)
            if entry[1].callee == head and entry[0] == self.path
        ]
        targets: dict[Target, None] = {}
        for path, argument in entries:
            if self.scope.reachable(path):
                point = Point(None, None, None, argument.dotted)
                values = self.inference.at(path).argument(argument, point, TABLE_LEVELS, MAX_CANDIDATES)
                targets.update(
                    (value.target, None) for value in values if value.form == CALLABLE and value.target is not None
                )
        return Resolution(tuple(targets), TABLE, all_meant=True) if len(targets) <= MAX_CANDIDATES else NOTHING

    def _callback(self, name: str, frame: Frame, limit: int = MAX_CANDIDATES) -> Resolution:
        """Return the functions that a call of a parameter may run, because callers pass them. None if there are too many."""
        values = self.inference.callbacks(name, frame, limit)
        targets = (value.target for value in values if value.form == CALLABLE and value.target is not None)
        return Resolution(tuple(dict.fromkeys(targets)), PASSED, all_meant=True)

    def _makers(self) -> dict[str, Target]:
        """Map the functions that uses of macros make in this file to the macros whose texts define them.

        `DEFINE(start)` makes `start_run`, if the text of the macro, or of a macro that it uses, defines `name##_run`.
        """
        if self._made_functions is None:
            self._made_functions = {}
            for use in self.syntax.references if self.language.macro_use else ():
                if use.scope < 0 and use.kind == "calls" and use.given:
                    self._made_functions |= self._made_by(use)
        return self._made_functions

    def _made_by(self, use: Reference) -> dict[str, Target]:
        """Map the functions that a use of a macro makes to the macros whose texts define them."""
        makers: dict[str, Target] = {}
        macros = [target for target in self.scope.name(use.name).targets if target.kind == "macro"]
        for macro in macros:
            for name in self.world.made(macro):
                # A macro may pass its arguments on to the next one in another order.
                made = (_pasted(name, [argument] * len(use.given)) for argument in use.given)
                makers |= {function: macro for function in made if function}
            inner = (target for name in self.world.expansion(macro) for target in self.scope.name(name).targets)
            macros += [target for target in dict.fromkeys(inner) if target.kind == "macro" and target not in macros]
            del macros[MAX_EXPANSIONS:]
        return makers

    def _in_hidden_namespace(self, reference: Reference) -> Resolution:
        """Find a member of a namespace that a variable hides: in `fmt::print(fmt)`, the receiver is not the variable."""
        targets = self.scope.dotted(reference.receiver).targets
        values = distinct(
            member
            for namespace in targets
            if namespace.kind == "namespace"
            for member in self.inference.member(value_of(namespace, PEER), reference.name, 0)
        )
        return self._called(values, reference)

    def _made(self, values: Values) -> Values:
        """Replace each type alias by the type itself, because a call of the alias creates an object of that type.

        With `using Shape = Circle`, the call `Shape()` creates a Circle.
        """
        if self.language.conversions or not values:
            return values
        return distinct(end for value in values for end in self.inference.types.unaliased(value, LEVELS))

    def _called(self, values: Values, reference: Reference) -> Resolution:
        """Return the definitions that a call of these values runs. Overloads that do not take its arguments are left out."""
        return fitting(self.scope, self._callees(self._made(values)), reference.arguments)

    def _callees(self, values: Values) -> Resolution:
        """Return the definitions that a call of these values runs.

        A function or a class runs its own definition. An object runs the method that makes it callable, such as `__call__`.
        """
        if not values:
            return NOTHING
        targets: dict[Target, float] = {}
        for value in values:
            if value.target is None:
                continue
            for content in self.inference.assigned(value, LEVELS):
                if content.form in (CALLABLE, TYPE) and content.target is not None:
                    targets.setdefault(content.target, content.confidence)
            is_object = value.form == TYPE and value.target.kind == "object"
            if value.form == INSTANCE or is_object:
                for name in self.language.protocols["call"]:
                    if (member := self.scope.at(value.target.path).member(value.target, name)) is not None:
                        targets.setdefault(member, value.confidence)
            is_component = value.form == MODULE and self.scope.at(value.target.path).language.script
            is_variant = value.form == INSTANCE and value.target.kind == "enum" and not targets
            if (
                value.form == CALLABLE
                or is_component
                or is_variant
                or (value.form == TYPE and not (is_object and targets))
            ):
                targets.setdefault(value.target, value.confidence)
        confidence = min(targets.values(), default=0.0)
        # Of definitions that only have the same name, one is meant. Of what a value may be, all are meant.
        return Resolution(tuple(targets), confidence, all_meant=confidence > UNIQUE)

    def _in_namesake(self, reference: Reference) -> Target | None:
        """Return the member of an object of the same folder that has the name of the receiver, whose value is not known.

        With `app.start = function` in a file beside it, `this.app.start()` most likely means that function.
        """
        holder, folder = reference.receiver.rpartition(".")[2], posixpath.dirname(self.path)
        names = [reference.name]
        if reference.name in self.language.computed_members:
            names.append(COMPUTED)
        members = [
            target
            for name in names
            for target in self.world.definitions_named(name)
            if target.dotted == f"{holder}.{name}"
            and posixpath.dirname(target.path) == folder
            and self.scope.reachable(target.path)
        ]
        return members[0] if len(members) == 1 else None

    def _guess_method(self, reference: Reference) -> Resolution:
        """Return the only method of that name, or the one that all others override.

        Nothing is guessed if the name is too common (`get`, unlike `load_user`), or if the receiver is a class, a literal,
        `self` or imported from outside the repository.
        """
        is_telling = "_" in reference.name.strip("_") or reference.name.lower() != reference.name
        if not is_telling or reference.name in self.language.common:
            return NOTHING
        if reference.receiver in self.language.self_names | self.language.super_names:
            return NOTHING
        head = reference.receiver.partition(".")[0]
        is_platform = head == TEXT or any(head in names for names in self.language.literal_types)
        if head[:1].isupper() or is_platform or self.scope.is_external(head):
            return NOTHING
        resolution = self.scope.unique(reference.name, methods=True)
        root = self.scope.root_method(reference.name) if len(resolution.targets) > 1 else None
        if root is not None:
            return Resolution((root,), resolution.confidence)
        declared = self._in_interfaces(reference.name) if resolution.targets else ()
        if not declared:
            # Where every method begins with a capital letter, a name of one word says little.
            is_common = self.language.capital_methods and reference.name[1:].islower()
            return NOTHING if is_common else resolution
        # What an interface declares is a better guess than the method of a class that has nothing to do with it. Where objects
        # need not name their interfaces, either may be meant.
        is_named = not (self.language.structural or self.language.object_literals)
        targets = declared if is_named else dict.fromkeys((*declared, *resolution.targets))
        return resolution._replace(targets=tuple(targets)[:MAX_CANDIDATES])

    def _in_interfaces(self, name: str) -> tuple[Target, ...]:
        """List the methods of a name that interfaces declare without a body."""
        declared = [
            method
            for method in self.world.definitions_named(name)
            if method.kind == "method" and not method.has_body and self.scope.reachable(method.path)
        ]
        owners = ((method, self.scope.class_around(method)) for method in declared[:MAX_CANDIDATES])
        return tuple(method for method, owner in owners if owner is not None and owner.kind in INTERFACE_KINDS)

    # Where a reference stands.

    @staticmethod
    def _point(reference: Reference, around: "Surrounding") -> Point:
        """Return the point in the file (function, offset, class) from which the names of a reference are looked up."""
        frame, _, cls, dotted = around.point
        return Point(frame, reference.start - around.start, cls, dotted)

    def _around(self, scope: int) -> "Surrounding":
        """Return what is the same for all references in a definition."""
        surrounding = self._surroundings.get(scope)
        if surrounding is None:
            function = scope
            while function >= 0 and self.frames[function] is None:
                function = self.syntax.definitions[function].parent
            # The last frame is that of the file.
            frame = self.frames[function]
            dotted = self.syntax.definitions[scope].path_name if scope >= 0 else ""
            cls = self._own_class(scope)
            lends = self._lends and frame is not None and any(name in frame.names for name in self.language.self_names)
            start = self.syntax.definitions[function].start if function >= 0 else 0
            alike = scope
            if not (self.language.lends_self or self.language.extension_methods or _has_inner_names(frame)):
                # A function is no scope itself: it sees what its neighbours see.
                alike = scope if dotted in self._types else self._context((cls, dotted.rpartition(".")[0]))
            own = scope if cls is None else self._context(cls)
            surrounding = self._surroundings[scope] = Surrounding(
                Point(frame, 0, cls, dotted), start, scope, alike, own, lends, {}
            )
        return surrounding

    @cached_property
    def _types(self) -> set[str]:
        """Return the dotted names of the types and modules that the file defines, and of what counts as one."""
        definitions = self.syntax.definitions
        return {definition.path_name for definition in definitions if definition.kind in TYPE_KINDS} | self._holders

    def _context(self, context: object) -> int:
        """Return a number for what a definition sees. It is the number of no definition."""
        return self._contexts.setdefault(context, -2 - len(self._contexts))

    def _own_class(self, scope: int) -> Target | None:
        if scope not in self._classes:
            self._classes[scope] = self._find_own_class(scope)
        return self._classes[scope]

    def _find_own_class(self, scope: int) -> Target | None:
        """Return the class around a definition, or None.

        Impl blocks, and methods written outside of their class, name that class.
        """
        name = enclosing_class(self.syntax, scope, self._holders)
        while name:
            cls = self.world.definition(self.path, name) or next(iter(self.scope.dotted(name).targets), None)
            if cls is not None and (cls.is_type or name in self._holders):
                return cls
            if self.language.import_separator == "/" or self.language.modules == "file":
                guesses = [target for target in self.scope.unique(name.rpartition(".")[2]).targets if target.is_type]
                return guesses[0] if len(guesses) == 1 else None
            name = name.rpartition(".")[0]
        return None


def _holder(entry: PassedArgument) -> str:
    """Return the type or variable that a table's entry belongs to, or an empty text if it is not known."""
    return entry.callee.rpartition(".")[0]


def _pasted(text: str, arguments: Sequence[str]) -> str:
    """Return the name that a macro pastes together with an argument: `LOG_{0}` with the argument `ERROR` → `LOG_ERROR`.

    Any other name is returned as it is. The name is empty if an argument is not known.
    """
    if "{" not in text:
        return text
    values = [argument if argument.isidentifier() else "" for argument in arguments]
    places = [int(place) for place in _PLACE.findall(text)]
    if not all(place < len(values) and values[place] for place in places):
        return ""
    return _PLACE.sub(lambda place: values[int(place[1])], text)


def _rows(row: ResolvedReference, resolution: Resolution) -> list[ResolvedReference]:
    """Fill a resolution into a row: one row for each target that is meant, or one row with all targets as candidates.

    Without targets, the row is returned as it is.
    """
    if not resolution.targets:
        return [row]
    nodes = [target.chunk_id for target in resolution.targets]
    if len(nodes) > 1:
        nodes = list(dict.fromkeys(nodes))
        if len(nodes) > 1 and not resolution.all_meant:
            return [row._replace(candidates=tuple(nodes))]
    return [ResolvedReference(*row[:6], node, resolution.confidence, (), row.origin, resolution.tied) for node in nodes]


def _has_inner_names(frame: Frame | None) -> bool:
    """Say whether a function, or one around it, contains definitions or imports, whose names only its own code sees."""
    while frame is not None:
        if frame.has_members or frame.imports:
            return True
        frame = frame.outer
    return False
