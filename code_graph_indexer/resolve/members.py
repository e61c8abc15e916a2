"""Find the possible values of a member: of an instance, a type, a function, a module, or a value from outside."""

import itertools
from collections.abc import Iterator

from code_graph_indexer.languages import OWN_CLASS
from code_graph_indexer.resolve.annotations import LIST_TYPE, MAP_TYPE, TUPLE_TYPE
from code_graph_indexer.resolve.containers import (
    container_member,
    is_part,
)
from code_graph_indexer.resolve.inference_parts import BARE_CALL, Part
from code_graph_indexer.resolve.library import MARK, everything_of
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.resolution import IMPORT, INHERITED, PASSED, TYPED, UNIQUE_METHOD
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.steps import CALL
from code_graph_indexer.resolve.substitution import substitute
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    MODULE,
    OUTSIDE,
    TYPE,
    UNKNOWN,
    Given,
    Point,
    TypeText,
    Value,
    Values,
    distinct,
    is_declared,
    object_of,
    value_of,
)
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import COMPUTED, VALUE_KINDS

_BRACKET_TYPES = (LIST_TYPE, MAP_TYPE)
"""The types that a language may write with brackets only, in the order of its `bracket-types`."""


class Members(Part):
    """The members of the values that one file sees."""

    __slots__ = ()

    def assigned(self, value: Value, level: int) -> Values:
        """Return the values that were assigned to a variable that holds functions, which counts as an object itself."""
        holder = value.target
        if value.form != INSTANCE or holder is None or holder.kind not in VALUE_KINDS or not level:
            return UNKNOWN
        values = self.inference.at(holder.path).variable(holder.dotted, level - 1) or UNKNOWN
        return tuple(content for content in values if content.target != holder)

    @remembered
    def member(self, value: Value, name: str, level: int, called: bool = True) -> Values:
        """Return the possible values of a member of a value. `called` says that a call follows, as in `x.name()`."""
        if value.form == MODULE:
            exported = self._module_member(value, name, level)
            return exported or self._of_everything(value, name, level, called) or UNKNOWN
        if value.form == EXTERNAL:
            return self._outside_member(value, name, level, called)
        if value.form == CALLABLE:
            return self._function_member(value, name, level, called)
        target = value.target
        is_opened = target is not None and target.kind == "namespace" and self.scope.is_opened(target)
        members = self.inference.top_name(name, level) if is_opened else None
        if members is None:
            members = self.class_member(value, name, level, called=called)
        if members is None:
            members = self._indirect_member(value, name, level, called)
        # What a library gives to a guessed object is a guess too.
        return UNKNOWN if value.confidence <= UNIQUE_METHOD and members == OUTSIDE else members

    def added_method(self, value: Value, name: str) -> Values:
        """Return the extension function that a call of a member means, as a method of the value. Empty if there is none.

        Functions of several names that extend the value's types give none.
        """
        if value.form not in (INSTANCE, EXTERNAL) or not self.language.extension_methods:
            return UNKNOWN
        added = self.world.extensions(name)
        types = type_names(self.scope, value) if added else ()
        targets = [
            target
            for target, extended in added.items()
            if extended.is_outside and not extended.types.isdisjoint(types) and self.scope.reachable(target.path)
        ]
        if len({target.dotted for target in targets}) != 1:
            return UNKNOWN
        return (value_of(targets[0], TYPED)._replace(owner=value.target, args=value.args),)

    def _outside_member(self, value: Value, name: str, level: int, called: bool) -> Values:
        """Return the possible values of a member of a value that the repository does not define.

        The library declares it, the repository adds it to the type, or containers have it. Else it is OUTSIDE.
        """
        if value.args and not value.name and (written := dict(value.args[-1].given).get(f".{name}")):
            return written
        if (
            value.target is not None
            and (members := self._declared_member(value, value, name, level, called)) is not None
        ):
            return members
        if self.language.open_types and value.name and (added := self._added(value.name, name)) is not None:
            return (value_of(added, TYPED),)
        if value.name == TUPLE_TYPE and not is_part(name):
            elements = distinct(element for arg in value.args for element in self.types.values(arg))
            return distinct(member for element in elements for member in self.member(element, name, 0)) or OUTSIDE
        members = container_member(value._replace(target=None), name, self.types.values)
        if members == OUTSIDE and value not in OUTSIDE:
            return self._of_everything(value, name, level, called) or members
        return members

    def _function_member(self, value: Value, name: str, level: int, called: bool) -> Values:
        """Return the possible values of a member of a function: itself for `__call__`, its own, its wrapper's or result's."""
        if name in self.language.protocols["call"]:
            return (value,)
        if value.target is not None and (held := self._held_by(value.target, name)) is not None:
            return (value_of(held, value.confidence),)
        wrapped = self.wrapped(value.target, level) if value.target is not None else UNKNOWN
        if wrapped and (wrapper_members := self._member_of(wrapped, name, level - 1, called)):
            return wrapper_members
        # A property, or a function whose call needs no brackets.
        results = self.inference.call(value, level)
        return distinct(
            member for result in results if result.form != CALLABLE for member in self.member(result, name, level)
        )

    def _indirect_member(self, value: Value, name: str, level: int, called: bool) -> Values:
        """Return the possible values of a member that the class of an object lacks: of what the object holds or wraps.

        A word such as `this` after a type gives an object or the type. Next come the bases in the library. Otherwise it is
        OUTSIDE if a class of the library may have it, and empty if not.
        """
        if assigned := self.assigned(value, level):
            return distinct(member for content in assigned for member in self.member(content, name, level - 1, called))
        if value.form == INSTANCE and value.target is not None and (mixed := self.wrapped(value.target, level)):
            # An object that a function makes, which has got the members of others.
            return self._member_of(mixed, name, level - 1, called)
        if value.form == INSTANCE and (members := self._behind_wrapper(value, name, level, called)):
            return members
        if name in self.language.class_members and value.target is not None:
            return (value._replace(form=TYPE),)
        if value.form == TYPE and name in self.language.self_names:
            # `Outer.this`
            return (value._replace(form=INSTANCE),)
        if (inherited := self._inherited_from_outside(value, name, level, called)) is not None:
            return inherited
        # A library does not declare all that its classes have.
        is_open = is_declared(value) or (value.target is not None and self.scope.has_outside_base(value.target))
        return OUTSIDE if is_open else UNKNOWN

    def _inherited_from_outside(self, value: Value, name: str, level: int, called: bool) -> Values | None:
        """Return the possible values of a member that a class has from a class of the library. None if there is none."""
        for base in self.generics.outside_bases(value):
            if value.form == TYPE:
                base = base._replace(form=TYPE)
            inherited = self._declared_member(base, value, name, level, called)
            if inherited is None:
                # A container of which the library of the language does not declare all.
                inherited = container_member(base._replace(target=None), name, self.types.values)
            if inherited != OUTSIDE:
                # A method of the base that gives `static` gives an object of the class itself.
                return tuple(
                    member._replace(owner=value.target) if member.owner == base.target and not base.args else member
                    for member in inherited
                )
        return None

    def _declared_member(self, base: Value, value: Value, name: str, level: int, called: bool) -> Values | None:
        """Return a member that a class of the library declares, or what runs for methods that it lacks. None if it has none.

        `value` is what the member is of: a type, an object, or a value from outside, which may be either.
        """
        declared = self.class_member(base, name, level, called=called)
        if declared is not None or not (called or BARE_CALL in self.language.captures):
            return declared
        protocols = self.language.protocols
        names = {TYPE: protocols["static"], INSTANCE: protocols["missing"]}.get(
            value.form, protocols["missing"] + protocols["static"]
        )
        return next(filter(None, (self.class_member(base, method, level) for method in names)), None)

    def _added(self, type_name: str, name: str) -> Target | None:
        """Return the method that this repository adds to a type that it does not define: `extension String`. None if none."""
        last = type_name.rpartition(".")[2]
        if type_name in _BRACKET_TYPES and self.language.bracket_types:
            last = self.language.bracket_types[_BRACKET_TYPES.index(type_name)]
        if any(target.is_type for target in self.world.definitions_named(last)):
            # The repository has a type of that name, which is another one.
            return None
        added = (
            target
            for target in self.world.definitions_named(name)
            if target.dotted == f"{last}.{name}" and target.kind == "method" and self.scope.reachable(target.path)
        )
        return next(added, None)

    def _member_of(self, values: Values, name: str, level: int, called: bool) -> Values:
        """Return the possible values of a member of one of several objects. What lies outside counts if no other has it."""
        members = distinct(member for value in values for member in self.member(value, name, level, called))
        return tuple(member for member in members if member.form != EXTERNAL) or members

    def _held_by(self, function: Target, name: str) -> Target | None:
        """Return the function that was assigned to a member of a function, or None."""
        is_held = self.world.is_holder(function)
        return self.world.definition(function.path, f"{function.dotted}.{name}") if is_held else None

    def wrapped(self, function: Target, level: int) -> Values:
        """Return the values of the calls that wrap a function: `const load = retry(() => …)`, or `@retry` before it."""
        if function.kind != "function" or not level:
            return UNKNOWN
        if slots := self.world.slots(function.path, function.dotted):
            return self.inference.at(function.path).slot_values(slots, None, level - 1)
        return distinct(self.decorated(function, level - 1))

    def decorated(self, function: Target, level: int = LEVELS) -> Iterator[Value]:
        """Yield what the decorators before a function return: other functions, or objects that take its name."""
        inference = self.inference.at(function.path)
        point = Point(None, None, self.scope.class_around(function), function.dotted.rpartition(".")[0])
        passed = [("", (value_of(function, PASSED),))]
        for decorator in self.world.decorators(function):
            for value in inference.values(decorator.removesuffix("()"), point, level):
                yield from inference.apply(value, CALL, passed, level)

    def _behind_wrapper(self, value: Value, name: str, level: int, called: bool) -> Values:
        """Return the possible values of a member that an object does not have itself.

        It is one that the library declares for everything, or one of what the object stands for (`deref`).
        """
        if (members := self._of_everything(value, name, level, called)) is not None:
            return members
        results = (
            self.inference.protocol_result(value, "deref", level)
            if level and self.language.protocols["deref"]
            else None
        )
        return distinct(member for result in results or () for member in self.member(result, name, level - 1, called))

    def _of_everything(self, value: Value, name: str, level: int, called: bool) -> Values | None:
        """Return the possible values of a member that the library declares for every value, in its class `Everything<T>`."""
        everything = everything_of(self.language.name)
        if everything is None:
            return None
        # T is the type of the value itself.
        own_type = TypeText(everything.path, "T", None, "", (("T", (value,)),))
        return self.class_member(object_of(everything, value.confidence, (own_type,)), name, level, called=called)

    def class_member(self, value: Value, name: str, level: int, *, called: bool = True) -> Values | None:
        """Return the possible values of a member of the value's class or its bases. None if there is no such member.

        `called` says that a call follows, as in `x.name()`.
        """
        cls = value.target
        if cls is None:
            return None
        is_variable = not called and self.language.functions_apart
        if is_variable and (values := self.field_of(cls, value, name, level, fields_only=True)):
            return values
        if (methods := self._defined_member(cls, value, name)) is not None:
            return methods or None
        if (values := self.field_of(cls, value, name, level, fields_only=False)) is not None:
            return values
        if cls.kind == "type":
            return self._through_alias(cls, value, name, level)
        is_computed = called and name in self.language.computed_members
        computed = self.scope.at(cls.path).own_member(cls, COMPUTED) if is_computed else None
        return (value_of(computed, PASSED),) if computed is not None else None

    def _defined_member(self, cls: Target, value: Value, name: str) -> Values | None:
        """Return what a class or its bases define under a name. Empty if this file does not see it. None if there is none."""
        scope = self.scope.at(cls.path)
        direct = None if value.above else scope.own_member(cls, name)
        member = direct or scope.inherited(cls, name)
        if member is None or not (direct or value.above or not self._declares(cls, name)):
            return None
        if member.is_local and member.path != self.scope.path:
            # A private function of a module.
            return UNKNOWN
        if value.form == TYPE and "static" in scope.language.captures:
            member = self.world.class_method(member.path, member.dotted) or member
        confidence = value.confidence if direct else min(value.confidence, INHERITED)
        owner = self.scope.class_around(member) if OWN_CLASS in self.language.constructors else None
        if owner is not None and owner.name == member.name:
            # Inside of it, the name of a class is the class, not its constructor.
            return (Value(TYPE, owner, confidence),)
        return (value_of(member, confidence)._replace(owner=cls, args=value.args),)

    def _declares(self, cls: Target, name: str) -> bool:
        """Say whether a class itself declares a field or property of this name, which then hides a member of its bases."""
        for part in self.scope.at(cls.path).parts(cls):
            dotted = f"{part.dotted}.{name}"
            if any(slot.type_name for slot in self.world.slots(part.path, dotted)):
                return True
            if self.world.results(part.path, dotted):
                return True
        return False

    def field_of(self, cls: Target, value: Value, name: str, level: int, *, fields_only: bool) -> Values | None:
        """Return the possible values of a field or property of an object. None if there is no such field.

        `fields_only` leaves properties out.
        """
        fields = self.inference.at(cls.path).field(cls, name, level, fields_only, value.args)
        if fields is None:
            return None
        contents = (self.inference.substitute_only_argument(field, value) for field in fields)
        return tuple(content._replace(confidence=min(content.confidence, value.confidence)) for content in contents)

    def _through_alias(self, alias: Target, value: Value, name: str, level: int) -> Values | None:
        """Return the possible values of a member of the type that `alias` is another name for. None if nothing is known."""
        aliased = self.types.aliased(alias, value.args) if level else None
        if aliased is None:
            return None
        members = distinct(
            member
            for instance in aliased
            if instance.target != alias
            for member in self.member(
                instance._replace(form=value.form) if instance.target is not None else instance, name, level - 1
            )
            # What a library type has is not known in full.
            if member not in OUTSIDE
        )
        return members or None

    @remembered
    def field(
        self, cls: Target, name: str, level: int, fields_only: bool = False, args: tuple[TypeText, ...] = ()
    ) -> Values | None:
        """Return the possible values of a field or property of a class or its bases. None if there is no such field.

        `args` are the type arguments of the object.
        """
        classes = (cls, *self.scope.ancestors(cls))
        added = (cls._replace(path=added.path) for cls in classes for added in self.scope.added(cls, name))
        for part in itertools.chain((part for ancestor in classes for part in self.scope.parts(ancestor)), added):
            dotted = f"{part.dotted}.{name}"
            slots = self.world.slots(part.path, dotted)
            # A property is called by its name alone. Its declared result is what the field gives.
            results = self.world.results(part.path, dotted)[:1] if not slots and not fields_only else ()
            declared = next((slot.type_name for slot in (*slots, *results) if slot.type_name), "")
            if not slots and not declared:
                continue
            given = self.bind_by_type_arguments(cls, args, part)
            if declared:
                return self.types.at(part.path).values_at(declared, cls, dotted, given)
            values = self.inference.at(part.path).slot_values(slots, cls, level, part.dotted, given)
            return distinct(content for value in values for content in substitute(value, given))
        return None

    def bind_by_type_arguments(self, cls: Target, args: tuple[TypeText, ...], holder: Target) -> Given:
        """Bind the variables of a class or base, `holder`, for an object of the class `cls` with these type arguments."""
        if not self.generics.at(holder.path).variables(holder.dotted):
            return ()
        return self.generics.at(cls.path).bind_by_type_arguments(cls, args, holder)

    def _module_member(self, value: Value, name: str, level: int) -> Values:
        """Return what a module has under a name: what its files export, a variable, or a module inside. Else empty.

        A module of the library may have more than it declares, so it gives OUTSIDE.
        """
        for path in value.paths:
            exported = self.scope.exported(path, name, 1)
            # A local function is seen from other files only where the module gives it out under a name.
            if exported.targets and not all(target.is_local for target in exported.targets):
                return tuple(value_of(target, exported.confidence) for target in exported.targets)
        for path in value.paths:
            if (values := self.inference.at(path).variable(name, level)) is not None:
                return tuple(value._replace(confidence=min(value.confidence, IMPORT)) for value in values)
        if value.name and self.scope.package_member(value.name, name).targets:
            objects = (value_of(outer, IMPORT) for outer in self.scope.opened_by(value.name))
            return distinct(member for outer in objects for member in self.class_member(outer, name, level) or ())
        if value.name and (paths := self.scope.modules_of(f"{value.name}.{name}")):
            return (Value(MODULE, paths=paths, name=f"{value.name}.{name}"),)
        return OUTSIDE if value.paths and value.paths[0].startswith(MARK) else UNKNOWN


def type_names(scope: Scope, value: Value) -> list[str]:
    """List the simple names of a value's type and of the bases of that type."""
    if value.target is None:
        return [value.name.rpartition(".")[2]]
    return [cls.name for cls in (value.target, *scope.at(value.target.path).ancestors(value.target))]
