"""Resolve the references of one file: by scope, imports, receiver type and class hierarchy, and only then by unique name."""

from collections.abc import Iterator
from functools import cached_property

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.annotations import dots
from code_graph_indexer.resolve.callees import called, callees, created
from code_graph_indexer.resolve.extensions import extension
from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.file_view import FileView, Sight
from code_graph_indexer.resolve.frames import Frame, Local
from code_graph_indexer.resolve.guesses import below, in_namesake, only_method
from code_graph_indexer.resolve.held_functions import callback, in_table
from code_graph_indexer.resolve.macros_in_force import Macros
from code_graph_indexer.resolve.overloads import fitting
from code_graph_indexer.resolve.overloads_by_type import disambiguate
from code_graph_indexer.resolve.resolution import (
    IMPORT,
    INHERITED,
    NOTHING,
    PASSED,
    PEER,
    SCOPE,
    TYPED,
    UNIQUE,
    UNIQUE_METHOD,
    Resolution,
    first,
)
from code_graph_indexer.resolve.steps import CALL
from code_graph_indexer.resolve.uses import USE_KINDS, Uses
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    Point,
    Value,
    Values,
    distinct,
    is_declared,
    value_of,
)
from code_graph_indexer.resolve.whole_names import WholeNames
from code_graph_indexer.syntax.expressions import NAMED, OPERATOR
from code_graph_indexer.syntax.parameters import type_arguments_in
from code_graph_indexer.syntax.records import VALUE_KINDS, Import, Reference
from code_graph_indexer.syntax.roles import is_name

MAX_NAMED = 50
"""Most functions that a name may mean whose start alone is known."""


class FileResolver:
    """A resolver for the references of one file. It keeps answers that repeat within the file."""

    def __init__(self, view: FileView) -> None:
        self.view = view
        self.world = view.world
        self.path = view.path
        self.language = view.language
        self.inference = view.inference
        self.scope = view.scope
        # Where no language has overloads, the number of arguments chooses nothing.
        family = [language for language in languages().values() if language.family == self.language.family]
        self._counts_arguments = any(language.variadic or language.extension_methods for language in family)
        # Answers within the file. Their lookups were noted when they were worked out.
        self._runnable: dict[str, bool] = {}
        self._macros = Macros(view)
        self.uses = Uses(view)
        self._whole_names = WholeNames(view) if "dotted" in self.language.lookup else None
        self._answers: dict[tuple[Sight, str, str, str, int], Resolution] = {}
        self._receivers: dict[tuple[Sight, str], Values] = {}

    def resolve(self, reference: Reference) -> Resolution:
        """Return the definitions that a reference may mean.

        References with the same text and the same names in sight are resolved once.
        """
        kind, name, receiver, _, _, arguments, _ = reference
        if not receiver and (meaning := self._macros.meaning(reference)) is not None:
            return meaning
        sight, point = self.sight(reference)
        if sight is None:
            return self._find(reference, point, None)
        key = (sight, kind, receiver, name, arguments if self._counts_arguments else -1)
        resolution = self._answers.get(key)
        if resolution is None:
            resolution = self._answers[key] = self._find(reference, point, sight)
        return resolution

    def sight(self, reference: Reference) -> tuple[Sight | None, Point]:
        """Return a key for what the receiver or bare name of a reference sees, or None, and the point from which it looks.

        References with equal keys, kinds and texts have equal answers.
        """
        kind, name, receiver, _, scope, _, _ = reference
        around = self.view.around(scope)
        sight, point = self.view.sight(receiver or name, reference, around)
        if sight == around.alike:
            is_apart = kind == "inherits" or name.startswith(NAMED) or name in self._type_variables
            if is_apart or self._is_field(kind, scope):
                sight = scope
        return sight, point

    @cached_property
    def _type_variables(self) -> frozenset[str]:
        """The names of the type variables that definitions of the file declare, each for itself."""
        return frozenset(dotted.rpartition(".")[2] for dotted, _ in self.view.syntax.typevars)

    def _is_field(self, kind: str, scope: int) -> bool:
        """Say whether a use stands in a field, which sees what the body of its class has bound. A method does not."""
        return kind in USE_KINDS and scope >= 0 and self.view.syntax.definitions[scope].kind in VALUE_KINDS

    def overload(self, reference: Reference, resolution: Resolution, source: int) -> Resolution:
        """Choose among tied overloads by the types of the call's arguments. `source` is the chunk around the call."""
        try:
            return disambiguate(self.inference, self.view.point(reference), reference, resolution, source)
        except RecursionError:
            return resolution

    def values(self, expression: str, point: Point, sight: Sight | None) -> Values:
        """Return the possible values of an expression at a point. They are kept by `sight`, its key from `FileView.sight`."""
        if sight is None:
            return self.inference.values(expression, point)
        values = self._receivers.get((sight, expression))
        if values is None:
            values = self._receivers[sight, expression] = self.inference.values(expression, point)
        return values

    def _find(self, reference: Reference, point: Point, sight: Sight | None) -> Resolution:
        """Resolve a reference by its kind, name and receiver. `point` and `sight` are what `FileView.sight` says of it."""
        if self._whole_names is not None:
            return self._whole_names.find(reference, point)
        if reference.kind == "inherits":
            return self._base(reference, point)
        if reference.kind == "runs":
            return self._run(reference, point, sight)
        if reference.kind == "references":
            return self._passed_by_name(reference, point, sight)
        if reference.kind in USE_KINDS:
            return self._use(reference, point, sight)
        if reference.name in self.language.self_names | self.language.super_names:
            is_object = reference.name in self.language.self_names and self.language.protocols["call"]
            values = self.inference.name(reference.name, point, LEVELS, called=True) if is_object else ()
            # `$this()` runs the object itself, if its class says how.
            run = callees(self.inference, values or ())
            return run if run.targets else self._constructor_call(reference, point)
        if reference.name in self.language.super_calls and not reference.receiver:
            return self._super_call(reference, point)
        if reference.receiver in self.language.super_names and point.cls is None:
            # A file that is a class imports its bases whole, as in Perl.
            return self.scope.starred(reference.name, 1)._replace(confidence=INHERITED)
        if reference.receiver:
            return self._on_receiver(reference, point, sight)
        return self._bare_name(reference, point)

    def _use(self, reference: Reference, point: Point, sight: Sight | None) -> Resolution:
        """Return what code reads, writes or names without a call."""
        receivers = self.values(reference.receiver, point, sight) if reference.receiver else ()
        meaning = self.uses.find(reference, point, receivers)
        may_be_module = reference.kind == "types" or self.language.import_lookup == "tree"
        if meaning.targets or not may_be_module or not reference.receiver or point.frame is None:
            return meaning
        if point.frame.binder(reference.receiver.partition(".")[0]) is None:
            return meaning
        # A variable has the name of the module before a type or constant: `config: config::Config`.
        outside = point._replace(frame=None)
        return self.uses.find(reference, outside, self.inference.values(reference.receiver, outside))

    def _called(self, values: Values, reference: Reference) -> Resolution:
        return called(self.inference, values, reference.arguments)

    def _bare_name(self, reference: Reference, point: Point) -> Resolution:
        """Return the definitions that a call of a name without a receiver may mean."""
        values = self.inference.name(reference.name, point, LEVELS, called=True) or ()
        resolution = callees(self.inference, created(self.inference, values))
        if self.language.type_calls == "nothing" and resolution.of_types:
            function = self.scope.function_named(reference.name)
            resolution = function if function.targets else resolution
        if not resolution.targets:
            return self._without_callee(reference, point, values)
        resolution = fitting(self.scope, resolution, reference.arguments)
        if resolution.targets:
            return resolution
        # No member of that name takes the arguments. Then a function at the top of the file is meant.
        top = self._called(self.inference.top_name(reference.name, LEVELS) or (), reference)
        return top if top.confidence > UNIQUE else NOTHING

    def _without_callee(self, reference: Reference, point: Point, values: Values) -> Resolution:
        """Return what a call of a name may run whose `values` are no function in sight.

        It is a callback, an entry of a table, a function that a macro makes, an extension, or a guess.
        """
        frame = point.frame
        local = frame.local(reference.name, point.offset, called=True) if frame is not None else None
        if frame is not None and local is not None:
            return self._local(reference, frame, local)
        if frame is not None and (wrapper := frame.outer_of(reference.name)) is not None:
            return callback(self.inference, reference.name, wrapper, MAX_NAMED)
        if any(value.form == CALLABLE and not value.name and not is_declared(value) for value in values):
            # A field of the object, or a variable of the file, that holds a function.
            held, extending = in_table(self.inference, reference, ()), extension(self.inference, reference, point)
            return extending if not held.targets and extending.confidence == TYPED else held
        function = self.scope.macro_function(reference.name)
        return function if function.targets else first(self._unseen(reference, point))

    def _local(self, reference: Reference, frame: Frame, local: Local) -> Resolution:
        """Return what a call of a local variable of the function `frame` may run. It hides every function of its name.

        It runs what a table of its name holds. Else, a parameter that may be a function runs what callers pass to it.
        """
        held = in_table(self.inference, reference, ())
        # What a parameter without a type holds was asked for above. A pointer to a function may hold more.
        is_pointer = local.is_param and (local.type_name or self.language.pointers)
        return callback(self.inference, reference.name, frame) if is_pointer and not held.targets else held

    def _unseen(self, reference: Reference, point: Point) -> Iterator[Resolution]:
        """Yield what a call of an unseen name may run, the likeliest first: an extension, type, entry of a table, or guess."""
        yield extension(self.inference, reference, point)
        for suffix in self.language.type_suffixes:
            types = [target for target in self.scope.name(reference.name + suffix).targets if target.is_type]
            yield Resolution(tuple(types), PEER)
        yield in_table(self.inference, reference, ())
        yield below(self.scope, reference, point)

    def _base(self, reference: Reference, point: Point) -> Resolution:
        """Return the class that a definition inherits from."""
        resolution = self.scope.type_named(dots(reference.expression), point.dotted.rpartition(".")[0], True)
        if not resolution.targets and reference.scope < 0:
            # The base of a file that is a class, as in Perl.
            bases = (self.world.definition(path, "") for path in self.scope.modules_of(dots(reference.expression)))
            resolution = Resolution(tuple(base for base in bases if base is not None), IMPORT)
        count = type_arguments_in("".join(reference.given))
        types = (
            self.scope.unaliased(self.scope.taking(target, count)) for target in resolution.targets if target.is_type
        )
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

    def _run(self, reference: Reference, point: Point, sight: Sight | None) -> Resolution:
        """Return the functions that an expression, the receiver, runs without naming them.

        `reference.name` says how: by a call (`()`, as in `make()()`), in a loop (`[*]`) or a `with` (`[>]`), by an operator or
        another step (`=+`, `=store`), or by a member whose name code puts together, with its known start (`~visit_`).
        """
        if reference.name.startswith(NAMED):
            return self._named(reference, point)
        values = self.values(reference.receiver, point, sight)
        if reference.name.startswith(OPERATOR):
            values = self.inference.members_run(values, self._names_run(reference.name))
        elif not reference.name.startswith(CALL):
            values = self.inference.methods_run(values, reference.name)
        elif len(values) > 1:
            # `@action(…)` runs the function inside of `action`. That it may return what it decorates is another use of it.
            values = tuple(value for value in values if value.confidence > PASSED) or values
        return callees(self.inference, values)

    def _named(self, reference: Reference, point: Point) -> Resolution:
        """Return the methods of the class around, or functions of the file without one, whose names begin with the known start.

        NOTHING if the function around looks no member up by a name.
        """
        if reference.scope not in self._reflective:
            return NOTHING
        start, around = reference.name.removeprefix(NAMED), f"{point.cls.dotted}." if point.cls is not None else ""
        targets = [
            self.view.target(place)
            for place, definition in enumerate(self.view.syntax.definitions)
            if definition.kind in CALLABLE_KINDS
            and definition.name.startswith(start)
            and definition.path_name == f"{around}{definition.name}"
        ]
        return Resolution(tuple(targets[:MAX_NAMED]), UNIQUE, all_meant=True)

    @cached_property
    def _reflective(self) -> set[int]:
        """Return the positions of the functions that look a member up by a name that they put together."""
        names = self.language.reflective
        return (
            {reference.scope for reference in self.view.syntax.references if reference.name in names}
            if names
            else set()
        )

    def _names_run(self, name: str) -> tuple[str, ...]:
        """List the names of the methods that an operator or step (`=+`, `=store`) may run, the likeliest first."""
        step = name[1:]
        method = self.language.operator_methods.get(step, "")
        return (method,) if method else self.language.protocols[step]

    def may_run(self, name: str) -> bool:
        """Say whether any class of the repository has a method that an operator may run."""
        if not name.startswith(OPERATOR):
            return True
        if (answer := self._runnable.get(name)) is None:
            answer = self._runnable[name] = self.world.may_run(self._names_run(name))
        return answer

    def _passed_by_name(self, reference: Reference, point: Point, sight: Sight | None) -> Resolution:
        """Return the function or type that an expression names without calling it: `run(callback)` → `callback`."""
        values = (value for value in self.values(reference.expression, point, sight) if value.form != INSTANCE)
        if not reference.receiver and self.language.import_lookup == "tree":
            # Here code imports every function that it names alone. Any other name is a variable of a pattern.
            values = (
                value
                for value in values
                if value.confidence > UNIQUE and value.target is not None and value.target.kind != "method"
            )
        resolution = callees(self.inference, tuple(values))
        if resolution.targets:
            return resolution
        # A template runs the functions that it names, so a member of anything may be guessed as that of a call is.
        if self.language.template_lines.tags is not None and not self.uses.is_value(reference.name):
            # `build-env` is a name, but no expression.
            plain = NOTHING if reference.receiver else self.scope.name(reference.name)
            return plain if plain.targets else only_method(self.scope, reference)
        if reference.receiver:
            return resolution
        function = self.scope.macro_function(reference.name)
        # The argument of a macro is no use of the function that the macro makes of it.
        is_own = reference.scope >= 0 and self.view.target(reference.scope) in function.targets
        return NOTHING if is_own else function

    def imported(self, import_: Import) -> Resolution:
        """Return the definition or the module that an import means."""
        is_named = import_.name and import_.name != "*"
        if import_.name == "*" and (opened := self.scope.opened_by(import_.module)):
            return Resolution(opened[:1], IMPORT)
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

    def _on_receiver(self, reference: Reference, point: Point, sight: Sight | None) -> Resolution:
        """Return the member that a reference names on its receiver: `cart.total` → `Cart.total`.

        If nothing is known about the receiver, guess the member by its name (see guesses.py).
        """
        receivers = self.values(reference.receiver, point, sight)
        outer, _, last = reference.receiver.rpartition(".")
        if not receivers and is_name(outer) and "definition.namespace" in self.language.captures:
            # `shop::detail::total()` where `shop` is not known: any `detail` in sight.
            return self._on_receiver(reference._replace(receiver=last), point, None)
        members = distinct(
            member for receiver in receivers for member in self.inference.member(receiver, reference.name, LEVELS)
        )
        member = first(self._members(reference, point, receivers, members))
        if member.targets:
            return member
        if self._is_known(receivers, reference.name) or any(member.form == EXTERNAL for member in members):
            # `static_cast<Derived*>(this)->run()` calls a method of the class that inherits from its own base.
            is_cast = reference.receiver.startswith("<") and reference.receiver.endswith(">")
            is_own = is_cast or reference.receiver in self.language.self_names
            return below(self.scope, reference, point) if is_own else NOTHING
        if self.language.object_literals and (namesake := in_namesake(self.scope, reference)).targets:
            return namesake
        guess = only_method(self.scope, reference)
        return fitting(self.scope, guess, reference.arguments) if len(guess.targets) == 1 else guess

    def _is_known(self, receivers: Values, name: str) -> bool:
        """Say whether it is known what has a member of a name: not if the receivers are guessed and no such value is theirs."""
        is_certain = any(receiver.confidence > UNIQUE_METHOD for receiver in receivers)
        return is_certain or bool(receivers and self.uses.of_any(receivers, name).targets)

    def _members(self, reference: Reference, point: Point, receivers: Values, members: Values) -> Iterator[Resolution]:
        """Yield what a reference may mean on its receiver, the likeliest first. `members` are those of its values."""
        member = self._called(members, reference)
        yield member if reference.name not in self.language.class_getters else NOTHING
        # A table or object that functions are put into: `M.f = function`, called as `M.f()`.
        dotted = f"{reference.receiver}.{reference.name}"
        target = self.world.definition(self.path, dotted) if "(" not in dotted else None
        if target:
            yield fitting(self.scope, Resolution((target,), SCOPE), reference.arguments)
        if "definition.namespace" in self.language.captures:
            yield self._in_hidden_namespace(reference)
        is_object = reference.receiver.partition(".")[0] in self.language.self_names
        for path in self.scope.modules_of(reference.receiver) if receivers and not members and not is_object else ():
            # A module may bear the name of a function.
            exported = self.scope.exported(path, reference.name, 1)
            yield NOTHING if any(target.kind in VALUE_KINDS for target in exported.targets) else exported
        # `super` is no receiver of an extension: its class's name would lead to the methods of the class itself.
        if not any(receiver.above for receiver in receivers):
            yield extension(self.inference, reference, point, receivers)
        yield in_table(self.inference, reference, receivers)

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
