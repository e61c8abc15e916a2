"""Resolve the references of one file: scope, imports, receiver type, class hierarchy, and only then the unique name."""

from collections.abc import Iterator, Sequence

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.annotations import dots
from code_graph_indexer.resolve.argument_types import told_apart
from code_graph_indexer.resolve.exact import Exact, ExactUse
from code_graph_indexer.resolve.extensions import extension
from code_graph_indexer.resolve.facts import Target, enclosing_class
from code_graph_indexer.resolve.frames import frames_of
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.overloads import fitting, overridden
from code_graph_indexer.resolve.scope import IMPORT, INHERITED, NOTHING, PEER, SCOPE, UNIQUE, Found
from code_graph_indexer.resolve.structural import satisfied
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    TYPE,
    Place,
    Values,
    distinct,
    steps_of,
    value_of,
)
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import ResolvedReference
from code_graph_indexer.syntax.expressions import ALTERNATIVE
from code_graph_indexer.syntax.records import Import, Reference, Syntax


class FileResolver:
    """Resolve the references of one file."""

    def __init__(self, world: World, path: str, language_name: str, is_test: bool, syntax: Syntax) -> None:
        self.syntax = syntax
        self.language = languages()[language_name]
        self.inference = Inference.of(world, path, is_test)
        self.scope = self.inference.scope
        self.world = world
        self.path = path
        self.frames = frames_of(syntax)
        # Answers within the file; their lookups were noted when they were made.
        self._classes: dict[int, Target | None] = {}
        self._surroundings: dict[int, tuple[Place, int]] = {}
        self._answers: dict[tuple[Target | int, str, str, str, int], Found] = {}

    def resolve(self, reference: Reference) -> Found:
        """Find what a reference means, once for all that say the same in sight of the same names."""
        path = reference.receiver or reference.name
        steps = steps_of(path)
        surrounding, _ = self._around(reference.scope)
        frame = surrounding.frame
        if not steps or ALTERNATIVE in path:
            return self._find(reference, self._place(reference))
        head = steps[0]
        around: Target | int = reference.scope
        if head in self.language.self_names and not (frame and frame.declared(head)):
            # An object itself is the same in all methods of its class.
            around = surrounding.cls or reference.scope
        elif frame is not None and frame.in_sight(head):
            # A local variable may mean another thing in every line.
            return self._find(reference, self._place(reference))
        key = (around, reference.kind, reference.receiver, reference.name, reference.arguments)
        known = self._answers.get(key)
        if known is None:
            # Where between its lines it stands does not matter to what is none of a function's names.
            known = self._answers[key] = self._find(reference, surrounding)
        return known

    def told_apart(self, reference: Reference, found: Found, source: int) -> Found:
        """Put the overloads that fit the types of a call's arguments in the place of those that take as many.

        There are several: what was found is `tied`.
        """
        try:
            return told_apart(self.inference, self._place(reference), reference, found, source)
        except RecursionError:
            return found

    def _find(self, reference: Reference, place: Place) -> Found:
        if reference.kind == "inherits":
            name = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
            found = self.scope.type_named(dots(name), place.dotted.rpartition(".")[0], True)
            return Found(tuple(one for one in found.targets if one.is_type), found.confidence)
        if reference.kind == "runs":
            return self._run(reference, place)
        if reference.kind == "references":
            return self._named_value(reference, place)
        if reference.name in self.language.self_names | self.language.super_names:
            # A constructor that calls another one: of the same class, or of a base.
            above = reference.name in self.language.super_names
            classes = self.scope.bases(place.cls)[:1] if above and place.cls else [place.cls] if place.cls else []
            return Found(tuple(one for one in classes if one), INHERITED)
        if not reference.receiver:
            named = self.inference.name(reference.name, place, LEVELS, called=True)
            meant = self._callees(self._made(named or ()))
            if not meant.targets:
                return extension(self.inference, reference, place)
            found = fitting(self.scope, meant, reference.arguments)
            if found.targets:
                return found
            # What stands at the top of a file is behind members of that name that take other arguments.
            behind = self._called(self.inference.top_name(reference.name, LEVELS) or (), reference)
            return behind if behind.confidence > UNIQUE else NOTHING
        return self._on_receiver(reference, place)

    def source(self, reference: Reference, nodes: Sequence[int], module_id: int) -> int:
        """Return the node that a reference stands in; what an impl block inherits, the type of this file it is for inherits."""
        if reference.scope < 0:
            return module_id
        if reference.kind == "inherits" and self.syntax.definitions[reference.scope].kind == "scope":
            own = self._own_class(reference.scope)
            if own is not None and own.path == self.path:
                return own.chunk_id
        return nodes[reference.scope]

    def _run(self, reference: Reference, place: Place) -> Found:
        """Find what an expression runs without naming it: the result of a call, a loop, a context manager."""
        values = self.inference.values(reference.receiver, place)
        if reference.name != "()":
            values = self.inference.run_by(values, reference.name)
        return self._callees(values)

    def _named_value(self, reference: Reference, place: Place) -> Found:
        """Find the function or type that is passed, kept or returned by its name."""
        path = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
        values = self.inference.values(path, place)
        return self._callees(tuple(one for one in values if one.form != INSTANCE))

    def resolve_import(self, one: Import) -> Found:
        """Find the definition or module that an import means."""
        if one.name and one.name != "*":
            if (found := self.scope.import_target(one.module, one.name)).targets:
                return found
        elif not one.name and (found := self.scope._whole_import((one.module, ""), 0)).targets:
            return found
        named = one.name and one.name != "*"
        paths = self.world.find_modules(self.path, self.scope.joined(one.module, one.name)) if named else ()
        paths = paths or self.world.find_modules(self.path, one.module)
        module = self.world.definition(paths[0], "") if paths else None
        return Found((module,), IMPORT) if module else NOTHING

    def _place(self, reference: Reference) -> Place:
        """Say where a reference stands."""
        around, start = self._around(reference.scope)
        return Place(around.frame, reference.start - start, around.cls, around.dotted)

    def _around(self, scope: int) -> tuple[Place, int]:
        """Return the place of a definition itself, and where the function starts from which places in it count."""
        known = self._surroundings.get(scope)
        if known is None:
            function = scope
            while function >= 0 and self.frames[function] is None:
                function = self.syntax.definitions[function].parent
            dotted = self.syntax.definitions[scope].path_name if scope >= 0 else ""
            place = Place(self.frames[function] if function >= 0 else None, 0, self._own_class(scope), dotted)
            start = self.syntax.definitions[function].start if function >= 0 else 0
            known = self._surroundings[scope] = place, start
        return known

    def _own_class(self, scope: int) -> Target | None:
        if scope not in self._classes:
            self._classes[scope] = self._find_own_class(scope)
        return self._classes[scope]

    def _find_own_class(self, scope: int) -> Target | None:
        """Find the class around a definition; for an impl block or an out-of-class method, the class it speaks of."""
        name = enclosing_class(self.syntax, scope)
        while name:
            found = self.world.definition(self.path, name) or next(iter(self.scope.dotted(name).targets), None)
            if found is not None and found.is_type:
                return found
            if self.language.import_separator == "/" or self.language.modules == "file":
                guess = [one for one in self.scope.unique(name.rpartition(".")[2]).targets if one.is_type]
                return guess[0] if len(guess) == 1 else None
            name = name.rpartition(".")[0]
        return None

    def _on_receiver(self, reference: Reference, place: Place) -> Found:
        """Find a member of what the receiver means; without a clue of that, the only method of a telling name."""
        receivers = self.inference.values(reference.receiver, place)
        members = distinct(new for one in receivers for new in self.inference.member(one, reference.name, LEVELS))
        if (found := self._called(members, reference)).targets and reference.name != "class":
            return found
        # A table or object that functions are put into: `M.f = function`, called as `M.f()`.
        dotted = f"{reference.receiver}.{reference.name}"
        own = self.world.definition(self.path, dotted) if "(" not in dotted else None
        if own and (found := fitting(self.scope, Found((own,), SCOPE), reference.arguments)).targets:
            return found
        if self.language.namespaces and (found := self._in_hidden_namespace(reference)).targets:
            return found
        for path in self.scope.modules_of(reference.receiver) if receivers and not members else ():
            # A module may bear the name of a function.
            if (exported := self.scope.exported(path, reference.name, 1)).targets:
                return exported
        # What stands above a class is no receiver of an extension: by the class's name it would find the class's own methods.
        above = any(one.above for one in receivers)
        if not above and (found := extension(self.inference, reference, place, receivers)).targets:
            return found
        if receivers or any(one.form == EXTERNAL for one in members):
            return NOTHING
        guessed = self._guess_method(reference)
        return fitting(self.scope, guessed, reference.arguments) if len(guessed.targets) == 1 else guessed

    def _in_hidden_namespace(self, reference: Reference) -> Found:
        """Find what a namespace holds that a variable bears the name of: `fmt::print(fmt)` means no member of the variable."""
        spaces = (one for one in self.scope.dotted(reference.receiver).targets if one.kind == "namespace")
        values = distinct(
            new for one in spaces for new in self.inference.member(value_of(one, PEER), reference.name, 0)
        )
        return self._called(values, reference)

    def _made(self, values: Values) -> Values:
        """Put what a type is another name of in its place: that is what calling it makes."""
        if self.language.conversions or not values:
            return values
        return distinct(new for one in values for new in self.inference.unaliased(one, LEVELS))

    def _called(self, values: Values, reference: Reference) -> Found:
        """List the definitions that a call runs whose name has these values: of overloads those that take its arguments."""
        return fitting(self.scope, self._callees(self._made(values)), reference.arguments)

    def _callees(self, values: Values) -> Found:
        """List the definitions that calling these values runs: functions, classes, or the method that makes one callable."""
        if not values:
            return NOTHING
        found: dict[Target, float] = {}
        for one in values:
            if one.target is None:
                continue
            is_object = one.form == TYPE and one.target.kind == "object"
            if one.form == INSTANCE or is_object:
                for name in self.language.protocols["call"]:
                    if (member := self.scope.at(one.target.path).member(one.target, name)) is not None:
                        found.setdefault(member, one.confidence)
            if one.form == CALLABLE or (one.form == TYPE and not (is_object and found)):
                found.setdefault(one.target, one.confidence)
        sure = min(found.values(), default=0.0)
        # What only has the same name is one of them; what a value may be is each of them.
        return Found(tuple(found), sure, each=sure > UNIQUE)

    def _guess_method(self, reference: Reference) -> Found:
        """Take the only method of that name, or the one that all others override, if the name is telling and the receiver is
        no class or literal.
        """
        telling = "_" in reference.name.strip("_") or reference.name.lower() != reference.name
        if not telling or reference.name in self.language.common:
            return NOTHING
        if reference.receiver in self.language.self_names | self.language.super_names:
            return NOTHING
        head = reference.receiver.partition(".")[0]
        if head[:1].isupper() or head == "''" or self.scope.is_external(head):
            return NOTHING
        found = self.scope.unique(reference.name, methods=True)
        root = self.scope.root_method(reference.name) if len(found.targets) > 1 else None
        return Found((root,), found.confidence) if root is not None else found

    def implied(
        self, reference: Reference, row: ResolvedReference, found: Found, nodes: Sequence[int], module_id: int
    ) -> Iterator[ResolvedReference]:
        """Yield the calls that inheriting implies: of the base's constructor, and where a class without a name is made."""
        call = row._replace(kind="calls")
        own = self.syntax.definitions[reference.scope] if reference.scope >= 0 else None
        if own is not None and own.name.startswith("<"):
            maker = nodes[own.parent] if own.parent >= 0 else module_id
            yield call._replace(source_id=maker, name=own.name, target_id=nodes[reference.scope], confidence=SCOPE)
        if self.language.implicit_super and len(found.targets) == 1 and found.targets[0].kind == "class":
            yield from _rows(call, found)
            yield from self.constructed(call, found)

    def constructed(
        self, row: ResolvedReference, found: Found, reference: Reference | None = None
    ) -> Iterator[ResolvedReference]:
        """Yield the call of the constructor where a class is called."""
        for one in found.targets if found.each or len(found.targets) == 1 else ():
            made = self.inference.constructor(one) if one.is_type else None
            if made is None:
                continue
            run = Found((made,), found.confidence)
            if reference is not None:
                run = fitting(self.scope, run, reference.arguments)
                run = self.told_apart(reference, run, row.source_id) if run.tied else run
            if run.targets:
                yield from _rows(row, run)

    def overrides(self, nodes: Sequence[int], places: Sequence[tuple[int, int]]) -> Iterator[ResolvedReference]:
        """Yield what the methods of the file override or implement, in each base of their class."""
        constructors = self.language.constructors
        for position, one in enumerate(self.syntax.definitions):
            if one.kind != "method" or one.name in constructors:
                continue
            cls = self._own_class(position)
            for base in self.scope.at(cls.path).bases(cls) if cls is not None else ():
                named = self.scope.at(base.path).member(base, one.name)
                found = overridden(self.scope, named, one) if named is not None else None
                if found is not None and found.kind == "method" and found.chunk_id != nodes[position]:
                    row = ResolvedReference(
                        nodes[position], "overrides", one.name, base.dotted, *places[position], None, None
                    )
                    yield from _rows(row, Found((found,), INHERITED))
            if self.language.structural and cls is not None and cls.kind != "interface":
                row = ResolvedReference(nodes[position], "overrides", one.name, "", *places[position], None, None)
                for each, asked in satisfied(self.inference, one.name, cls, row):
                    yield from _rows(each, asked)


def resolve_file(
    world: World,
    path: str,
    language: str,
    is_test: bool,
    syntax: Syntax,
    nodes: Sequence[int],
    module_id: int,
    places: Sequence[tuple[int, int]],
    uses: Sequence[ExactUse] = (),
) -> list[ResolvedReference]:
    """Resolve all references of a file.

    `nodes` gives the chunk id of each definition, `places` the line and column of each reference, then of each import, then
    of each definition's name; `uses` is what is exactly known of them.
    """
    exact = Exact(world, uses)
    resolver = FileResolver(world, path, language, is_test, syntax)
    rows: list[ResolvedReference] = []
    for reference, place in zip(syntax.references, places, strict=False):
        source = resolver.source(reference, nodes, module_id)
        try:
            found = resolver.resolve(reference)
            found = resolver.told_apart(reference, found, source) if found.tied else found
        except RecursionError:
            # Types or re-exports that lead to each other deeper than any person writes.
            found = NOTHING
        if reference.kind == "references" and not found.targets and not uses:
            # A value that is no function or type of the repository is no reference.
            continue
        row = ResolvedReference(source, reference.kind, reference.name, reference.receiver, *place, None, None)
        if reference.kind == "runs":
            for target in found.targets:
                row = row._replace(kind="calls", name=target.name)
                rows += _rows(row, Found((target,), found.confidence))
                rows += resolver.constructed(row, Found((target,), found.confidence))
            continue
        if reference.kind == "constant":
            # A constant of an enum is made by its constructor; that it is one of its class is no edge.
            rows += resolver.constructed(row._replace(kind="calls"), found, reference)
            continue
        if uses:
            row, found = exact.settle(row, found)
        if resolver.language.conversions and found.targets and all(one.is_type for one in found.targets):
            row = row._replace(kind="references" if row.kind == "calls" else row.kind)
        if not found.targets and reference.kind != "inherits":
            rows += [row] if row.kind != "references" else []
            continue
        rows += _rows(row, found)
        if reference.kind == "inherits":
            rows += resolver.implied(reference, row, found, nodes, module_id)
        if row.kind == "calls":
            rows += resolver.constructed(row, found, reference)
    rows += exact.overrides(resolver.overrides(nodes, places[len(syntax.references) + len(syntax.imports) :]))
    import_places = places[len(syntax.references) :][: len(syntax.imports)]
    for one, place in zip(syntax.imports, import_places, strict=True):
        source = nodes[one.scope] if one.scope >= 0 else module_id
        name = f"{one.module} {one.name}" if one.name else one.module
        rows += _rows(ResolvedReference(source, "imports", name, "", *place, None, None), resolver.resolve_import(one))
    rows += exact.others({line for line, _ in import_places})
    return rows


def _rows(row: ResolvedReference, found: Found) -> list[ResolvedReference]:
    """List a reference with what was found: one row for each target that is meant, or one with candidates."""
    if not found.targets:
        return [row]
    targets = [one.chunk_id for one in found.targets]
    if len(targets) > 1:
        targets = list(dict.fromkeys(targets))
        if len(targets) > 1 and not found.each:
            return [row._replace(candidates=tuple(targets))]
    return [ResolvedReference(*row[:6], one, found.confidence, (), row.origin, found.tied) for one in targets]
