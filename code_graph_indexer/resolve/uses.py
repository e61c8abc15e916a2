"""Find what a name means where code reads, writes or names it and does not call it: a constant, field, property or type."""

from collections.abc import Iterator, Sequence

from code_graph_indexer.languages import OWN_CLASS
from code_graph_indexer.resolve.added_properties import added_property
from code_graph_indexer.resolve.annotations import RECORD_TYPE, field_of
from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.file_view import FileView
from code_graph_indexer.resolve.library import is_library
from code_graph_indexer.resolve.resolution import INHERITED, NOTHING, SCOPE, TYPED, Resolution, first
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.steps import steps_of
from code_graph_indexer.resolve.values import CALLABLE, INSTANCE, LEVELS, MODULE, TYPE, Point, Value, Values
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import VALUE_KINDS, Import, Reference

USE_KINDS = ("reads", "writes", "types", "labels")
"""The kinds of references that are uses of a name. One of a type becomes `types` when it is linked, and a label `writes`."""

BEANS, GETTERS = "jvm", ("get", "is")
"""The family of languages that read a property by a method, and how its name begins (JavaBeans 1.01, section 8.3)."""


class Uses:
    """The uses of names in one file, which see constants and fields beside types and functions."""

    def __init__(self, view: FileView) -> None:
        self._world = view.world
        self._language = view.language
        self._scope = Scope.of(view.world, view.path, view.scope.is_test, written=True)
        self._plain = view.scope
        self._inference = view.inference
        self._has_objects = "definition.object" in view.language.captures
        self._is_written: dict[tuple[str, bool], bool] = {}

    def is_written(self, name: str) -> bool:
        """Say whether any file defines a name. Most names are of what lies outside."""
        return self._answer(name, value=False)

    def is_value(self, name: str) -> bool:
        """Say whether any file defines a constant, field or short type of a name."""
        return self._answer(name, value=True)

    def _answer(self, name: str, *, value: bool) -> bool:
        answer = self._is_written.get((name, value))
        if answer is None:
            getters = self._getters(name)
            answer = self._world.is_written(name, value=value)
            answer = answer or any(self._world.is_written(getter, value=False) for getter in getters)
            self._is_written[name, value] = answer
        return answer

    def _getters(self, name: str) -> Sequence[str]:
        """List the methods that may run where code reads a property of a name."""
        is_bean = self._language.family == BEANS and name[:1].islower()
        return [f"{start}{name[:1].upper()}{name[1:]}" for start in GETTERS] if is_bean else ()

    def imported(self, import_: Import) -> Resolution:
        """Return what an import of a name binds."""
        return self._scope.import_target(import_.module, import_.name)

    def find(self, reference: Reference, point: Point, receivers: Values) -> Resolution:
        """Return what a name means at a point. `receivers` are the values of what stands before it."""
        resolution = self._meaning(reference, point, receivers)
        if any(map(is_library, resolution.targets)):
            return NOTHING
        if reference.kind != "types" and self._has_objects:
            resolution = resolution._replace(targets=tuple(map(self._companion, resolution.targets)))
        if reference.arguments < 0:
            return resolution
        return resolution._replace(
            targets=tuple(self._plain.taking(target, reference.arguments) for target in resolution.targets)
        )

    def _companion(self, target: Target) -> Target:
        """Return the companion object of a class, which its name means in an expression. Any other target stays."""
        return (self._world.class_method(target.path, target.dotted) or target) if target.is_type else target

    def _meaning(self, reference: Reference, point: Point, receivers: Values) -> Resolution:
        if not reference.receiver:
            if reference.kind == "types" and self._is_type_variable(reference.name, point):
                return NOTHING
            typed = self._type(reference.name, point) if reference.kind == "types" else NOTHING
            named = typed if typed.targets else self._bare(reference.name, point)
            # `digest::hash(cart)` names a module from outside, and no function `digest`.
            is_apart = reference.kind == "types" and self._language.import_lookup == "tree"
            return NOTHING if is_apart and all(target.kind in CALLABLE_KINDS for target in named.targets) else named
        if reference.kind == "labels" and not reference.receiver.endswith((")", "]", ">")):
            # The parameters of a function are no definitions. `Self { total: 1 }` makes an object of the class around.
            is_own = reference.receiver in self._language.self_types
            receivers = receivers if is_own else self._made(receivers)
        member = self.of_any(receivers, reference.name)
        if reference.kind == "labels" and any(self._takes(value.target, member) for value in receivers):
            return NOTHING
        member = member if member.targets else self._written_within(reference, point, receivers)
        return member if member.targets else added_property(self._scope, reference.name, receivers, point)

    def _made(self, receivers: Values) -> Values:
        """Return what the labels of a call belong to: a class, or what a function of the library makes (`cart.copy()`)."""
        made: list[Value] = []
        for value in receivers:
            if value.form == TYPE:
                made.append(value)
            elif value.form == CALLABLE and value.target is not None and is_library(value.target):
                made += [result for result in self._inference.call(value, LEVELS) if result.form == INSTANCE]
        return tuple(made)

    def _is_type_variable(self, name: str, point: Point) -> bool:
        """Say whether a definition around a point declares a type variable of a name: `T` in `Box<T>`."""
        dotted = point.dotted
        while dotted:
            if any(name == variable for variable, _ in self._world.type_bounds(self._scope.path, dotted)):
                return True
            dotted = dotted.rpartition(".")[0]
        return False

    def _takes(self, cls: Target | None, member: Resolution) -> bool:
        """Say whether a class has a parameter with the name of a member that it inherits."""
        if cls is None or not member.targets or not cls.is_type:
            return False
        target = member.targets[0]
        is_own = (target.path, target.dotted) == (cls.path, f"{cls.dotted}.{target.name}")
        return not is_own and any(slot.type_name for slot in self._world.slots(cls.path, f"{cls.dotted}.{target.name}"))

    def _written_within(self, reference: Reference, point: Point, receivers: Values) -> Resolution:
        """Return a member of a type that has no name, or a key of a constant object: they stand in another definition.

        `x` in `cart.place.x` stands in the field `place`.
        """
        steps = steps_of(reference.receiver)
        while steps and steps[-1][0] == "[":
            steps = steps[:-1]
        is_unnamed = all(value.target is None for value in receivers)
        for path, dotted, is_holder in self._holders(steps, point, is_unnamed) if steps else ():
            member = self._world.written(path, f"{dotted}.{reference.name}")
            if member is not None and (is_holder or self._is_within(member, receivers)):
                return Resolution((member,), TYPED)
            if is_unnamed and is_holder:
                slots = self._inference.at(path).slot_values(self._world.slots(path, dotted), None, LEVELS)
                if (member_of_slot := self.of_any(slots, reference.name)).targets:
                    return member_of_slot
        return NOTHING

    @staticmethod
    def _is_within(member: Target, receivers: Values) -> bool:
        """Say whether a member of a type in a signature may belong to a value. A function may hold the types of several."""
        return member.kind != "field" and any(
            value.name == RECORD_TYPE
            and field_of(tuple(text.text for text in value.args), member.name)
            and value.args[0].path == member.path
            for value in receivers
        )

    def _holders(self, steps: Sequence[str], point: Point, is_unnamed: bool) -> Iterator[tuple[str, str, bool]]:
        """Yield the path and dotted name of what the end of an expression names, calls or passes an argument to.

        The third item says whether its members are those of the value. A function may hold what is none.
        """
        *before, last = steps
        receiver = "".join(before)
        if last[0] in "({":
            for value in self._inference.values(receiver, point) if before else ():
                function = self._inference.constructor(value.target) if value.form == TYPE and value.target else None
                if (target := function or value.target) is not None:
                    yield target.path, target.dotted, False
            return
        member = Reference("reads", last.lstrip("."), receiver, 0, -1, -1)
        for target in self.find(member, point, self._inference.values(receiver, point) if before else ()).targets:
            yield target.path, target.dotted, is_unnamed or target.holds_value
        if not before:
            # A parameter or local variable is no definition, so the type belongs to the function around it.
            around = point.dotted
            while around:
                yield self._scope.path, around, False
                around = around.rpartition(".")[0]

    def _type(self, name: str, point: Point) -> Resolution:
        """Return the type that a name means. It may share its name with a variable, or with the constructor in it."""
        resolution = self._plain.type_named(name, point.dotted)
        written = (
            (target, self._world.written(target.path, target.dotted)) for target in resolution.targets if target.is_type
        )
        types = tuple(own if own is not None and own.is_type else target for target, own in written)
        return NOTHING if any(map(is_library, types)) else resolution._replace(targets=types)

    def _bare(self, name: str, point: Point) -> Resolution:
        """Return what a name without a receiver means: a member of a class around, what the file sees, or an added property."""
        for cls in self._classes_around(point):
            member = self._scope.at(cls.path).member(cls, name)
            # Where a constructor has the name of its class, the name alone means the class.
            is_maker = OWN_CLASS in self._language.constructors and member is not None and not member.is_type
            if member is not None and self._scope.is_unseen(member):
                continue
            if member is not None and not (is_maker and f".{member.dotted}".endswith(f".{name}.{name}")):
                resolution = Resolution((member,), SCOPE if member.path == cls.path else INHERITED)
                # What a class gives to its base, and to its fields, is its parameter.
                is_parameter = not self._is_inside(point, cls) and self._takes(cls, resolution)
                return NOTHING if is_parameter else resolution
        inner = self._within_function(name, point) or self._scope.in_modules_around(name, point.dotted)
        if inner is not None:
            return Resolution((inner,), SCOPE)
        resolution = self._scope.name(name)
        if "macros" in self._language.lookup and any(target.kind == "macro" for target in resolution.targets):
            # Where macros are looked up apart, only a call means one.
            return NOTHING
        if not resolution.targets:
            return added_property(self._scope, name, (), point)
        return resolution

    def _within_function(self, name: str, point: Point) -> Target | None:
        """Return the function or type of a name that a function around a point defines, or None. A variable is none."""
        frame = point.frame
        while frame is not None:
            inner = self._world.definition(self._scope.path, f"{frame.dotted}.{name}") if frame.has_members else None
            if inner is not None and inner.kind != "method":
                return inner
            frame = frame.outer
        return None

    def _is_inside(self, point: Point, cls: Target) -> bool:
        """Say whether a point is in a function of a class, and not in the class itself or in a field."""
        around = self._scope.definition(self._scope.path, point.dotted)
        return point.dotted != cls.dotted and not (around is not None and around.kind in VALUE_KINDS)

    def _classes_around(self, point: Point) -> Iterator[Target]:
        """Yield the classes whose members are seen by their name alone, the innermost first."""
        around = self._plain.types_around(point.dotted)
        if self._language.implicit_self:
            yield from around
            if point.cls is not None and point.cls not in around:
                yield point.cls
        elif around and not self._is_inside(point, around[0]):
            # The body of a class and its fields see what it has bound, and its methods do not.
            yield around[0]

    def _member(self, value: Value, name: str, level: int = LEVELS) -> Resolution:
        """Return the member of a value: of a module, an object or a type. A function that is read gives one of its result.

        `level` is how many names for other types are followed.
        """
        if value.form == MODULE:
            exported = first(self._scope.exported(path, name, 1) for path in value.paths)
            return exported if exported.targets else self._scope.package_member(value.name, name)
        if value.form == CALLABLE and self._runs_when_read(value.target):
            results = self._inference.call(value, LEVELS)
            return self.of_any(results, name)
        if value.name == RECORD_TYPE and value.args and (member := self._of_record(value, name)) is not None:
            return Resolution((member,), value.confidence)
        cls = value.target
        if value.form not in (INSTANCE, TYPE) or cls is None:
            return NOTHING
        if cls.kind == "type" and self._scope.at(cls.path).own_member(cls, name) is None:
            # A name for other types has the members of those.
            types = self._inference.types.aliased(cls, value.args) if level else None
            return first(self._member(part, name, level - 1) for part in types or ())
        return self._of_class(cls, value, name)

    def _runs_when_read(self, function: Target | None) -> bool:
        """Say whether code may read what a function returns without a call: `carts.last` of a container, a method in Ruby."""
        return function is None or self._language.implicit_self or self._world.is_getter(function)

    def _of_record(self, record: Value, name: str) -> Target | None:
        """Return a member of a type without a name, or None. It stands in the definition that has this type."""
        text = record.args[0]
        return self._world.written(text.path, f"{text.around}.{name}") if text.around else None

    def of_any(self, values: Values, name: str) -> Resolution:
        """Return the member of the first value that has it."""
        return first(self._member(value, name) for value in values)

    def _is_assigned(self, field: Target) -> bool:
        """Say whether only functions give a field its value, and the class does not declare it."""
        slots = self._world.slots(field.path, field.dotted) if field.kind == "field" else ()
        return bool(slots) and all(slot.frame is not None and not slot.type_name for slot in slots)

    def _of_class(self, cls: Target, value: Value, name: str) -> Resolution:
        """Return the own or inherited member that a name means on a value, whose class or namespace is `cls`."""
        # Which files a namespace has here depends on what this file includes.
        scope = self._scope if cls.kind == "namespace" else self._scope.at(cls.path)
        own = None if value.above else scope.own_member(cls, name)
        inherited = scope.inherited(cls, name) if own is None or self._is_assigned(own) else None
        if own is not None and inherited is not None and not self._world.is_getter(inherited):
            # What a method assigns is a field, unless a property of a base takes it.
            inherited = None
        member = inherited or own
        if member is None and scope.is_opened(cls):
            outer = scope.name(name)
            return outer._replace(targets=tuple(target for target in outer.targets if "." not in target.dotted))
        if member is None:
            # Kotlin and templates read `cart.total`, which runs `getTotal()` of a class of Java.
            member = next(filter(None, (scope.member(cls, getter) for getter in self._getters(name))), None)
        if member is None or is_library(member):
            return NOTHING
        return Resolution((member,), min(value.confidence, INHERITED) if member is inherited else value.confidence)
