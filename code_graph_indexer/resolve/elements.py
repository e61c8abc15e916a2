"""Find what a container holds, and the methods that a language runs without naming them, as in a loop or at an operator."""

from code_graph_indexer.resolve.containers import container_element, is_position
from code_graph_indexer.resolve.inference_parts import Part
from code_graph_indexer.resolve.steps import DELAYED, EACH, ENTER, at_once
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    OUTSIDE,
    TYPE,
    UNKNOWN,
    Value,
    Values,
    distinct,
)
from code_graph_indexer.storage.records import Target

_PROTOCOLS = {EACH: ("each", "next"), ENTER: ("enter", "exit")}
"""The two protocols whose methods a step runs. For `[*]`, `next` is called on the results of `each`."""

_ELEMENT_PROTOCOLS = {EACH: "each", ENTER: "enter"}
"""The protocol whose method returns an element, by step. For all other steps it is `item`."""


class Elements(Part):
    """The elements of values, as one file sees them."""

    __slots__ = ()

    def protocol_result(self, value: Value, protocol: str, level: int, *, is_delayed: bool = False) -> Values | None:
        """Return the possible results of the method that implements a protocol. None if the class has no such method.

        In Python, `__iter__` implements the protocol `each`.
        """
        for name in self._protocol_names(protocol, is_delayed):
            methods = self.inference.class_member(value, name, level)
            if methods:
                return distinct(
                    result
                    for method in methods
                    if method.form == CALLABLE
                    for result in self.inference.call(method, level)
                )
        return None

    def _next(self, iterator: Value, level: int, is_delayed: bool) -> Values:
        """Return the possible elements of an iterator: what its own method gives, or the argument of its type, or none."""
        if iterator.target is not None and iterator.form in (INSTANCE, EXTERNAL):
            elements = self.protocol_result(iterator, "next", level, is_delayed=is_delayed)
            if elements is not None or iterator.form == INSTANCE:
                return elements or UNKNOWN
        return container_element(iterator, EACH, self.types.values, self.language) if iterator.args else UNKNOWN

    def methods_run(self, values: Values, step: str) -> Values:
        """List the methods of the values that run without being named: in a loop (step `[*]`), or in a `with` (step `[>]`)."""
        is_delayed = step.endswith(DELAYED)
        step = at_once(step)
        first, second = _PROTOCOLS[step]
        runs: list[Value] = []
        for value in values:
            methods = self._protocol_methods(value, first, is_delayed)
            iterators = (
                distinct(result for method in methods for result in self.inference.call(method, LEVELS))
                if step == EACH
                else (value,)
            )
            runs += methods
            runs += [
                method for iterator in iterators for method in self._protocol_methods(iterator, second, is_delayed)
            ]
        return distinct(runs)

    def members_run(self, values: Values, names: tuple[str, ...]) -> Values:
        """List the methods of the values that run where a member is read or an operator is used: the first that a class has."""
        runs: list[Value] = []
        for value in values:
            is_property = value.form == CALLABLE and value.target is not None and self.world.is_getter(value.target)
            for instance in self.inference.call(value, LEVELS) if is_property else (value,):
                if instance.form == INSTANCE and instance.target is not None:
                    members = (self.inference.class_member(instance, name, LEVELS) for name in names)
                    methods = next((methods for methods in members if methods), ())
                    runs += [method for method in methods if method.form == CALLABLE]
        return distinct(runs)

    def _protocol_methods(self, value: Value, protocol: str, is_delayed: bool) -> Values:
        """List the methods of an instance that implement a protocol, such as `__iter__` for `each`. Empty for other values."""
        if value.form != INSTANCE or value.target is None:
            return UNKNOWN
        members = (
            self.inference.class_member(value, name, LEVELS) for name in self._protocol_names(protocol, is_delayed)
        )
        methods = next((methods for methods in members if methods), ())
        return distinct(method for method in methods if method.form == CALLABLE)

    def _protocol_names(self, protocol: str, is_delayed: bool) -> tuple[str, ...]:
        """List the names of the methods that may implement a protocol, the likeliest first.

        Those that are awaited come last in the header of a language. If the step is awaited (`is_delayed`), they go first.
        """
        names = self.language.protocols[protocol]
        return names[::-1] if is_delayed else names

    def element(self, value: Value, step: str, level: int) -> Values:
        """Return the possible elements of a value: at a position or key (`[0]`), in a loop (`[*]`), or in a `with` (`[>]`)."""
        if value.form == CALLABLE:
            return distinct(
                element
                for result in self.inference.call(value, level)
                if result.form != CALLABLE
                for element in self.element(result, step, level)
            )
        if assigned := self.inference.assigned(value, level):
            return distinct(element for content in assigned for element in self.element(content, step, level - 1))
        if value.form == INSTANCE and value.target is not None:
            return self._instance_element(value, value.target, step, level)
        if value.form == TYPE:
            # `Box[User]` is a generic class with its type arguments.
            return (value,) if step.startswith("[") and at_once(step) != EACH else UNKNOWN
        if value.form != EXTERNAL:
            return UNKNOWN
        # A declaration cannot say that a tuple has a type for each position.
        if value.target is not None and not is_position(value, step):
            elements = self._protocol_elements(value, step, level)
            if elements is not None:
                return elements
        return container_element(value, at_once(step), self.types.values, self.language) if value.args else OUTSIDE

    def _protocol_elements(self, value: Value, step: str, level: int) -> Values | None:
        """Return the elements that the method behind a step gives. None if the class of the object has no such method.

        A loop takes them from the iterator that the method gives, any other step takes the results themselves.
        """
        is_delayed = step.endswith(DELAYED)
        protocol = _ELEMENT_PROTOCOLS.get(at_once(step), "item")
        results = self.protocol_result(value, protocol, level, is_delayed=is_delayed)
        if results is None or protocol != "each":
            return results
        return distinct(element for iterator in results for element in self._next(iterator, level, is_delayed))

    def _instance_element(self, value: Value, cls: Target, step: str, level: int) -> Values:
        """Return the possible elements of an object of the class or type alias `cls`.

        They come from a method of the class, a field by its number, the aliased type, or a base in the library. Otherwise,
        `with` and pointers give the object itself. OUTSIDE if a base is not known.
        """
        # Another name for a type has the elements of that type, and no methods.
        if cls.kind != "type" and (elements := self._protocol_elements(value, step, level)) is not None:
            return elements
        protocol = _ELEMENT_PROTOCOLS.get(at_once(step), "item")
        if step[1:-1].isdigit() and (held := self.inference.field_of(cls, value, step[1:-1], level, fields_only=True)):
            return held
        # Without such a method, `with` binds the object itself, and `p[0]` is what the pointer points at.
        if cls.kind != "type" and (protocol == "enter" or (protocol == "item" and self.language.pointers)):
            return (value,)
        aliased = self.types.aliased(cls, value.args) if level else None
        behind = distinct(
            self.inference.substitute_only_argument(element, value)
            for instance in aliased or ()
            if instance != value
            for element in self.element(instance, step, level - 1)
        )
        if not behind and protocol == "item" and self.language.pointers:
            # A name for a structure, to which the pointer points.
            return (value,)
        if aliased is not None:
            return behind
        return self._element_from_outside(value, cls, step, level)

    def _element_from_outside(self, value: Value, cls: Target, step: str, level: int) -> Values:
        """Return the possible elements of an object whose class has no method for them, and names no other type."""
        bases = self.generics.outside_bases(value)
        elements = distinct(element for base in bases for element in self.element(base, step, level))
        if elements or self.scope.has_outside_base(cls):
            return elements or OUTSIDE
        # What no method loops over is worth what it wraps: Scala's `for (cart <- find(name))`.
        return (value,) if at_once(step) == EACH and not self.language.protocols["each"] else UNKNOWN
