"""Turn the references of one file into rows of the index: one for each target, and those that a reference implies."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from operator import itemgetter

from code_graph_indexer.resolve.alternatives import Alternatives
from code_graph_indexer.resolve.declarations import DECLARED_KINDS, Declarations
from code_graph_indexer.resolve.exact import ExactUses
from code_graph_indexer.resolve.external import Externals
from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.macro_functions import MAX_EXPANSIONS, pasted
from code_graph_indexer.resolve.overloads import fitting, overridden
from code_graph_indexer.resolve.references import FileResolver
from code_graph_indexer.resolve.resolution import IMPORT, INHERITED, NOTHING, PASSED, SCOPE, TYPED, UNIQUE, Resolution
from code_graph_indexer.resolve.steps import CALL
from code_graph_indexer.resolve.structural import satisfied
from code_graph_indexer.resolve.uses import USE_KINDS
from code_graph_indexer.resolve.values import CALLABLE
from code_graph_indexer.results import ALTERNATIVE_DEFINITION
from code_graph_indexer.storage.records import OUTSIDE_KINDS, ExactUse, ResolvedReference, Target
from code_graph_indexer.syntax.branches import names_at
from code_graph_indexer.syntax.expressions import bare
from code_graph_indexer.syntax.records import COUNTED, SETTER, Import, Reference

Location = tuple[int, int]
"""A line (from 1) and a column (bytes from 0)."""


def resolve_file(resolver: FileResolver, uses: Sequence[ExactUse] = ()) -> list[ResolvedReference]:
    """Resolve all references of a resolver's file, and return their rows for the index.

    `uses` are the references that a SCIP index resolves.
    """
    syntax, places = resolver.view.syntax, resolver.view.places
    maker = RowMaker(resolver)
    exact = ExactUses(resolver.world, uses)
    imports_start = len(syntax.references)
    names_start = imports_start + len(syntax.imports)
    import_places = places[imports_start:names_start]
    rows: list[ResolvedReference] = []
    taken: dict[Location, set[int | None]] = {}
    for reference, location in zip(syntax.references, places, strict=False):
        if reference.kind in USE_KINDS:
            if use_rows := maker.use_rows(reference, location):
                target_ids = taken.get(location, ())
                rows += [row for row in use_rows if row.target_id not in target_ids]
            elif reference.kind in OUTSIDE_KINDS:
                rows += maker.outside_use_rows(reference, location)
            continue
        edges = maker.named(maker.rows(reference, location, exact if uses else None), reference)
        rows += edges
        if reference.kind == "references" and edges:
            # They come before the uses. A function that is passed is no other use at the same place.
            taken[location] = {edge.target_id for edge in edges}
        elif reference.kind in ("calls", "inherits"):
            rows += maker.holder_rows(reference, location)
    with suppress(RecursionError):
        rows += exact.overrides(maker.overrides(places[names_start:]))
    with suppress(RecursionError):
        rows += maker.declared(places[names_start:])
    for import_, location in zip(syntax.imports, import_places, strict=True):
        rows += maker.import_rows(import_, location)
    rows += exact.unsettled({line for line, _ in import_places})
    return rows


class RowMaker:
    """A maker of rows for the references of one file. It keeps answers that repeat within the file."""

    def __init__(self, resolver: FileResolver) -> None:
        self._resolver = resolver
        self._view = resolver.view
        self._inference = resolver.inference
        self._scope = resolver.scope
        self._world = resolver.world
        self._language = resolver.language
        self._alternatives = Alternatives(resolver.scope)
        self._externals = Externals(resolver)
        self._expansions: set[tuple[int, str]] = set()
        self._wrappers: dict[Target, tuple[Target, ...]] = {}
        # What a preprocessor has set around the reference that `rows` resolves, and the definition around it.
        self._conditions: tuple[str, ...] = ()
        self._around = -1

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
            return [_row(self._source(reference), reference.kind, reference, location)]

    def _rows(self, reference: Reference, location: Location, exact: ExactUses | None) -> list[ResolvedReference]:
        """Return what `rows` returns. Raises RecursionError for classes that lead to each other without an end."""
        kind = reference.kind
        if not self._is_edge(reference):
            return []
        source = self._source(reference)
        branches = self._view.syntax.branches
        self._conditions = names_at(branches, reference.start) if branches else ()
        self._around = reference.scope
        resolution = self._resolved(reference, source)
        if kind == "references" and (
            (not resolution.targets and exact is None) or self._runs_by_name(reference, resolution)
        ):
            # A value that is no function or type of the repository is no reference, and a property that runs is a call.
            return []
        if kind == "runs":
            return self._run_rows(reference, location, resolution)
        kind = self._run_kind(kind, resolution)
        row = _row(source, kind, reference, location)
        if kind == "constant":
            # The constructor of an enum makes its constants. That a constant is one of its class is no edge.
            return list(self._constructor_rows(row._replace(kind="calls"), resolution, reference))
        if exact is not None:
            row, resolution = exact.settle(row, resolution)
        if self._language.type_calls == "converts" and resolution.of_types:
            # `Celsius(20)` converts a value and runs no constructor.
            row = row._replace(kind="references" if row.kind == "calls" else row.kind)
        if not resolution.targets and kind != "inherits":
            # A word before a bracket in a macro is often no function.
            return [row] if row.kind not in ("references", "expands") else []
        if kind == "expands":
            rows = self._edges(row._replace(kind="calls"), resolution)
            return rows if self._alternatives.leads_to(resolution, self._conditions).targets else []
        return [*self._edges(row, resolution), *self._implied(reference, row, resolution)]

    def named(self, rows: list[ResolvedReference], reference: Reference | Import) -> list[ResolvedReference]:
        """Give the row of a reference or import without a target the name that it has outside the repository, if any."""
        if len(rows) == 1 and rows[0].target_id is None and not rows[0].candidates:
            with suppress(RecursionError):
                if (meaning := self._externals.of(reference)) is not None:
                    return [rows[0]._replace(external=meaning[0], confidence=meaning[1])]
        return rows

    def _is_edge(self, reference: Reference) -> bool:
        """Say whether a reference may lead to a definition, and does not only tell what the text of a macro does."""
        if reference.kind == "runs":
            return self._resolver.may_run(reference.name)
        return reference.kind not in ("makes", "requires", "undefines")

    def use_rows(self, reference: Reference, location: Location) -> list[ResolvedReference]:
        """Return the rows of a use of a name that is no call. A name that means nothing in the repository has none."""
        if reference.name.endswith(SETTER):
            rows = self._use_rows(reference, location)
            return rows or self._use_rows(reference._replace(name=reference.name.removesuffix(SETTER)), location)
        return self._use_rows(reference, location)

    def _use_rows(self, reference: Reference, location: Location) -> list[ResolvedReference]:
        may_mean = self._resolver.uses.is_value if reference.kind == "labels" else self._resolver.uses.is_written
        if not may_mean(reference.name) and (reference.receiver or reference.name not in self._given_names):
            return []
        resolution = self._resolved(reference, 0)
        own = self._names.get(reference.start)
        if not resolution.targets or any((target.path, target.dotted) == own for target in resolution.targets):
            # The key of an object may be the definition itself.
            return []
        kind = "writes" if reference.kind == "labels" else reference.kind
        if all(target.is_type for target in resolution.targets) and "dotted" not in self._resolver.language.lookup:
            kind = "types"
        elif kind == "types":
            kind = "reads"
        elif self._runs_by_name(reference, resolution):
            kind = "calls"
        row = _row(self._source(reference), kind, reference, location)
        return _filled(row, self._view.nearest(self._alternatives.defined(resolution), reference.scope))

    def outside_use_rows(self, reference: Reference, location: Location) -> list[ResolvedReference]:
        """Return the row of a read or type whose name begins with one that an import binds outside the repository, or none."""
        head = reference.receiver.partition(".")[0] or reference.name
        # Of `http.HTTPStatus.OK`, the whole is kept and not the parts.
        if head not in self._externals.imported_names or reference.start + len(reference.name) + 1 in self._members:
            return []
        rows = self.named([_row(self._source(reference), reference.kind, reference, location)], reference)
        # A module alone is on the way to what is used of it.
        return [row._replace(receiver="") for row in rows if row.external is not None and row.external.name]

    @cached_property
    def _members(self) -> frozenset[int]:
        """The bytes at which names begin that have a receiver."""
        return frozenset(reference.start for reference in self._view.syntax.references if reference.receiver)

    @cached_property
    def _given_names(self) -> frozenset[str]:
        """Return the names that imports bind and no definition has: given here, or by a file of the repository on the way."""
        return frozenset(
            import_.alias or import_.name
            for import_ in self._view.syntax.imports
            if import_.alias
            or (
                import_.name
                and not self._resolver.uses.is_written(import_.name)
                and self._world.find_modules(self._view.path, import_.module)
            )
        )

    @cached_property
    def _names(self) -> dict[int, tuple[str, str]]:
        """Map the byte at which each definition has its name to the definition: its path and dotted name."""
        return {
            definition.name_start: (self._view.path, definition.path_name)
            for definition in self._view.syntax.definitions
            if definition.kind != "scope"
        }

    def _run_kind(self, kind: str, resolution: Resolution) -> str:
        """Return the kind of a reference, which is a call where a template names a function, as the template runs it."""
        is_template = self._language.template_lines.tags is not None
        return "calls" if kind == "references" and is_template and not resolution.of_types else kind

    def _runs_by_name(self, reference: Reference, resolution: Resolution) -> bool:
        """Say whether a member is a property, which runs when it is read or written."""
        targets = resolution.targets if reference.receiver else ()
        return bool(targets) and all(map(self._world.is_getter, targets))

    def holder_rows(self, reference: Reference, location: Location) -> list[ResolvedReference]:
        """Return the rows of the variable, field or short type whose name a call or base has, beside what that holds."""
        if not self._resolver.uses.is_value(reference.name):
            return []
        resolution = self._resolved(Reference("reads", *reference[1:5], -1), 0)
        own = self._names.get(reference.start)
        holders = tuple(
            target for target in resolution.targets if target.holds_value and (target.path, target.dotted) != own
        )
        if not holders or self._calls_by_name(reference):
            return []
        kind = "types" if all(target.is_type for target in holders) else "reads"
        row = _row(self._source(reference), kind, reference, location)
        return _filled(row, resolution._replace(targets=holders))

    def _calls_by_name(self, reference: Reference) -> bool:
        """Say whether what a call runs has the name that is called. A field or variable of that name is another thing."""
        targets = self._resolved(reference, 0).targets
        return any(target.kind in CALLABLE_KINDS and target.name == reference.name for target in targets)

    def _resolved(self, reference: Reference, source: int) -> Resolution:
        """Resolve a reference in the chunk `source`, and choose between tied overloads. NOTHING if that does not end."""
        try:
            resolution = self._resolver.resolve(reference)
            return self._resolver.overload(reference, resolution, source) if resolution.tied else resolution
        except RecursionError:
            # Types or re-exports that lead to each other deeper than any person writes.
            return NOTHING

    def _implied(
        self, reference: Reference, row: ResolvedReference, resolution: Resolution
    ) -> Iterator[ResolvedReference]:
        """Yield the rows of what a reference runs besides its targets: wrappers, macros, constructors and values of getters."""
        if reference.kind == "calls" and self._runs_by_name(reference, resolution):
            # `cart.check(1)` reads the property `check` and calls its value.
            value = f"{reference.receiver}.{reference.name}()"
            run = reference._replace(kind="runs", name=CALL, receiver=value)
            yield from self._run_rows(run, (row.line, row.column), self._resolved(run, row.source_id))
        if row.kind == "calls":
            yield from self._wrapper_rows(row, resolution)
        if reference.kind == "calls" and any(target.kind == "macro" for target in resolution.targets):
            yield from self._expanded(reference, row, resolution)
        if reference.kind == "inherits":
            yield from self._inherited_calls(reference, row, resolution)
        if row.kind == "calls":
            yield from self._constructor_rows(row, resolution, reference)

    def _expanded(
        self, reference: Reference, row: ResolvedReference, resolution: Resolution
    ) -> Iterator[ResolvedReference]:
        """Yield the `calls` rows of the functions that the text of a macro calls, as calls by whoever uses the macro.

        A function gets one row for each definition that calls it by macros, however often it does.
        """
        called_targets = self._alternatives.defined(resolution).targets
        # A macro under another name makes the function that is called, and does not stand for it.
        macros = [target for target in called_targets if target.kind == "macro" and target.name == reference.name]
        expanded = set(macros)
        for macro in macros:
            for name in self._calls_of(macro, reference.given):
                if (row.source_id, name) in self._expansions:
                    continue
                self._expansions.add((row.source_id, name))
                receiver, _, simple = name.rpartition(".")
                if simple == macro.name:
                    # A macro does not expand inside itself: the function of its name is meant.
                    called = self._scope.function_named(simple)
                else:
                    called = self._resolver.resolve(
                        reference._replace(name=simple, receiver=receiver, arguments=-1, given=())
                    )
                if called.confidence <= UNIQUE and self._scope.path != macro.path:
                    # The file of the macro sees what its text calls, even if it includes this file.
                    there = self._scope.at(macro.path).dotted(name)
                    called = there if there.confidence > called.confidence else called
                # In the text of another macro, more macros may stand.
                macros += [
                    target
                    for target in called.targets
                    if target.kind == "macro" and target.name == simple and target not in expanded
                ]
                expanded.update(macros)
                # A function that the macro may stand for has its row already.
                is_fresh = not set(self._alternatives.defined(called).targets) <= set(called_targets)
                if called.targets and is_fresh and len(macros) <= MAX_EXPANSIONS:
                    yield from self._edges(row._replace(name=simple), called)
                    yield from self._constructor_rows(row._replace(name=simple), called)

    def _calls_of(self, macro: Target, given: Sequence[str]) -> Iterator[str]:
        """Yield the names of the functions and macros that the text of a macro calls, if it gets these arguments.

        Of a list of macros in the text (COUNTED), the number of the arguments chooses one.
        """
        for text in self._world.expansion(macro):
            if not text.startswith(COUNTED):
                name = pasted(text, given)
                yield from (name,) if name else ()
                continue
            names = [
                name
                for name in text.removeprefix(COUNTED).split()
                if any(target.kind == "macro" for target in self._scope.name(name).targets)
            ]
            # The last one takes one argument.
            yield from names[-len(given) :][:1] if 0 < len(given) <= len(names) else names

    def _wrapper_rows(self, row: ResolvedReference, resolution: Resolution) -> Iterator[ResolvedReference]:
        """Yield the `calls` rows of the functions that decorators put in the place of what is called."""
        for target in resolution.targets:
            for wrapper in self._wrappers_of(target) if target.kind in CALLABLE_KINDS else ():
                # What the wrapper itself calls is the function without it.
                if wrapper.chunk_id != row.source_id:
                    yield from _filled(row, Resolution((wrapper,), min(resolution.confidence, TYPED)))

    def _wrappers_of(self, function: Target) -> tuple[Target, ...]:
        """Return the functions inside decorators that a call of a decorated function runs before it."""
        wrappers = self._wrappers.get(function)
        if wrappers is None:
            targets = dict.fromkeys(
                value.target
                for value in self._inference.decorated(function)
                # Less sure is that a decorator may return what it decorates.
                if value.form == CALLABLE and value.confidence > PASSED and value.target not in (None, function)
            )
            wrappers = tuple(target for target in targets if target.kind == "function" and "." in target.dotted)
            self._wrappers[function] = wrappers
        return wrappers

    def _run_rows(self, reference: Reference, location: Location, resolution: Resolution) -> list[ResolvedReference]:
        """Return the `calls` rows of functions that an expression runs without naming them, such as `__iter__` in a loop."""
        rows: list[ResolvedReference] = []
        for target in resolution.targets:
            row = _row(self._source(reference), "calls", reference, location)._replace(name=target.name)
            run = Resolution((target,), resolution.confidence)
            rows += self._edges(row, run)
            rows += self._constructor_rows(row, run)
        return rows

    def import_rows(self, import_: Import, location: Location) -> list[ResolvedReference]:
        """Return the rows of an import for the index. An unresolved import has one row without a target."""
        source = self._view.node(import_.scope)
        is_default = import_.name and import_.name == self._language.default_export
        word = import_.alias if is_default else import_.name
        name = f"{import_.module} {word}" if word else import_.module
        row = ResolvedReference(source, "imports", name, "", *location, None, None)
        imported = self._resolver.imported(import_)
        rows = self.named(self._edges(row, imported), import_)
        # A file on the way may give it a name that no definition has.
        is_renamed = any(target.name != import_.name for target in imported.targets)
        if import_.name and (is_renamed or self._resolver.uses.is_value(import_.name)):
            written = self._resolver.uses.imported(import_)
            values = tuple(target for target in written.targets if target.holds_value)
            rows += _filled(row, written._replace(targets=values)) if values else ()
        return rows

    def overrides(self, locations: Sequence[Location]) -> Iterator[ResolvedReference]:
        """Yield the `overrides` rows of the file: a method, and the base's method that it overrides or implements.

        `locations` has the line and column of each definition's name.
        """
        # A class under a condition overrides in the builds that have it.
        self._conditions = ()
        for position, method in enumerate(self._view.syntax.definitions):
            if method.kind != "method" or method.name in self._language.constructors:
                continue
            if not method.has_body and self._alternatives.behind(self._view.target(position))[0].has_body:
                # Its definition is in another place, and overrides what the declaration says that it does.
                continue
            cls = self._view.own_class(position)
            node = self._view.nodes[position]
            for base in self._scope.at(cls.path).bases(cls) if cls is not None else ():
                member = self._scope.at(base.path).member(base, method.name)
                target = overridden(self._scope, member, method) if member is not None else None
                if target is not None and target.kind == "method" and target.chunk_id != node:
                    row = ResolvedReference(
                        node, "overrides", method.name, base.dotted, *locations[position], None, None
                    )
                    yield from self._edges(row, Resolution((target,), INHERITED))
            if self._language.structural and cls is not None and cls.kind != "interface":
                row = ResolvedReference(node, "overrides", method.name, "", *locations[position], None, None)
                for implied, resolution in satisfied(self._inference, method.name, cls, row):
                    yield from self._edges(implied, resolution)

    def declared(self, locations: Sequence[Location]) -> Iterator[ResolvedReference]:
        """Yield the `declares` rows of the file: a declaration, and each definition behind it.

        `locations` has the line and column of each definition's name.
        """
        if self._language.declarations == "no":
            return
        for position, definition in enumerate(self._view.syntax.definitions):
            if definition.has_body or definition.kind not in DECLARED_KINDS:
                continue
            node = self._view.nodes[position]
            definitions = Declarations.of(self._scope, self._view.path).definitions(self._view.target(position))
            row = ResolvedReference(node, "declares", definition.name, "", *locations[position], None, None)
            confidence = ALTERNATIVE_DEFINITION if len(definitions) > 1 else IMPORT
            targets = [target for target in definitions if target.chunk_id != node]
            yield from _filled(row, Resolution(tuple(targets), confidence, all_meant=True)) if targets else ()

    def _edges(self, row: ResolvedReference, resolution: Resolution) -> list[ResolvedReference]:
        """Fill a resolution into a row, with the definitions behind its declarations. See `_filled`."""
        return _filled(row, self._view.nearest(self._alternatives.leads_to(resolution, self._conditions), self._around))

    def _source(self, reference: Reference) -> int:
        """Return the chunk id of the definition around a reference, or of the file.

        In Rust's `impl Draw for Circle`, the reference to `Draw` belongs to the type `Circle`. A decorator belongs to what it
        decorates, although its names are those of the code around.
        """
        place = bisect_right(self._decorated, reference.start, key=itemgetter(0)) - 1
        if place >= 0 and reference.start < self._decorated[place][1]:
            return self._decorated[place][2]
        if reference.kind == "inherits" and reference.scope >= 0:
            cls = self._view.own_class(reference.scope)
            is_block = self._view.syntax.definitions[reference.scope].kind == "scope"
            if is_block and cls is not None and cls.path == self._view.path:
                return cls.chunk_id
        return self._view.node(reference.scope)

    @cached_property
    def _decorated(self) -> list[tuple[int, int, int]]:
        """Return the parts of the file before definitions that decorate them: start, end, and the node of the definition."""
        definitions = zip(self._view.syntax.definitions, self._view.nodes, strict=True)
        parts = (
            (definition.start, definition.inner, node)
            for definition, node in definitions
            if definition.start < definition.inner
        )
        return sorted(parts)

    def _inherited_calls(
        self, reference: Reference, row: ResolvedReference, resolution: Resolution
    ) -> Iterator[ResolvedReference]:
        """Yield the `calls` rows that inheriting implies: the base's constructor, and the creation of an anonymous class.

        The creator of an anonymous class is the definition around it.
        """
        call = row._replace(kind="calls")
        definition = self._view.syntax.definitions[reference.scope] if reference.scope >= 0 else None
        if definition is not None and definition.name.startswith("<"):
            # An anonymous class is made where it stands.
            maker, node = self._view.node(definition.parent), self._view.node(reference.scope)
            yield call._replace(source_id=maker, name=definition.name, target_id=node, confidence=SCOPE)
        if self._language.implicit_super and len(resolution.targets) == 1 and resolution.targets[0].kind == "class":
            yield from self._edges(call, resolution)
            yield from self._constructor_rows(call, resolution)

    def _constructor_rows(
        self, row: ResolvedReference, resolution: Resolution, reference: Reference | None = None
    ) -> Iterator[ResolvedReference]:
        """Yield `calls` rows to the constructors of each class in a resolution. Ambiguous classes give none.

        With the reference of the call, only constructors that take its arguments count.
        """
        for cls in resolution.targets if resolution.all_meant or len(resolution.targets) == 1 else ():
            # A variant that holds something makes an object of the enum without its constructor.
            is_variant = cls.kind == "enum" and row.name not in (cls.name, *self._language.constructors)
            for constructor in self._inference.constructors(cls) if cls.is_type and not is_variant else ():
                run = Resolution((constructor,), resolution.confidence)
                if reference is not None:
                    run = fitting(self._scope, run, reference.arguments)
                    run = self._resolver.overload(reference, run, row.source_id) if run.tied else run
                if run.targets:
                    yield from self._edges(row, run)


def _row(source: int, kind: str, reference: Reference, location: Location) -> ResolvedReference:
    """Return the row of a reference from a node, without a target."""
    return ResolvedReference(source, kind, reference.name, bare(reference.receiver), *location, None, None)


def _filled(row: ResolvedReference, resolution: Resolution) -> list[ResolvedReference]:
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
