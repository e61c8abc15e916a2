"""Follow what a language runs without naming it: loops, `with`, indexing, and the objects that can be called."""

from code_graph_indexer.resolve.containers import container_element
from code_graph_indexer.resolve.flow import Flow
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

_RUN_BY = {"[*]": ("each", "next"), "[>]": ("enter", "exit")}
"""The protocols whose methods a step runs: of a value, and then of what the first one gives, or of the value again."""


class Protocols(Flow):
    """Follow the steps that run a method of a class by its name in the language."""

    def call(self, value: Value, level: int) -> Values:
        """Find what calling a value gives."""
        raise NotImplementedError

    def class_member(self, value: Value, name: str, level: int) -> Values | None:
        """Find a member of a class or of its bases; None when there is none."""
        raise NotImplementedError

    def protocol(self, value: Value, step: str, level: int) -> Values | None:
        """Find the result of the method that a language calls for a step; None when the class has none."""
        for name in self.language.protocols[step]:
            found = self.class_member(value, name, level)
            if found:
                return distinct(new for one in found if one.form == CALLABLE for new in self.call(one, level))
        return None

    def _next(self, iterator: Value, level: int) -> Values:
        """Find what an iterator gives: by its type's argument, or by its own method."""
        if iterator.form == INSTANCE and iterator.target is not None:
            return self.protocol(iterator, "next", level) or UNKNOWN
        return container_element(iterator, "[*]", self.type_values) if iterator.args else UNKNOWN

    def run_by(self, values: Values, step: str) -> Values:
        """List the methods that a language calls for a step, of these values: `[*]` in a loop, `[>]` in a `with`."""
        first, then = _RUN_BY[step]
        found: list[Value] = []
        for one in values:
            methods = self._protocol_methods(one, first)
            made = distinct(new for method in methods for new in self.call(method, LEVELS)) if step == "[*]" else (one,)
            found += methods
            found += [new for each in made for new in self._protocol_methods(each, then)]
        return distinct(found)

    def _protocol_methods(self, value: Value, step: str) -> Values:
        """List the methods of an instance that a language calls for a step."""
        if value.form != INSTANCE or value.target is None:
            return UNKNOWN
        found = (self.class_member(value, name, LEVELS) for name in self.language.protocols[step])
        return distinct(one for methods in found for one in methods or () if one.form == CALLABLE)

    def element(self, value: Value, step: str, level: int) -> Values:
        """Find an element of a value, each in turn, or what entering it binds."""
        if value.form == CALLABLE:
            return distinct(
                new for one in self.call(value, level) if one.form != CALLABLE for new in self.element(one, step, level)
            )
        if value.form == INSTANCE and value.target is not None:
            name = {"[*]": "each", "[>]": "enter"}.get(step, "item")
            found = self.protocol(value, name, level)
            if found is not None:
                if name != "each":
                    return found
                return distinct(new for one in found for new in self._next(one, level))
            if name == "enter" or (name == "item" and self.language.pointers):
                return (value,)
            meant = self.meant(value.target) if level else None
            if meant is not None:
                return distinct(new for one in meant if one != value for new in self.element(one, step, level - 1))
            return OUTSIDE if self.has_outside_base(value.target) else UNKNOWN
        if value.form == TYPE:
            # A generic class with its arguments.
            return (value,) if step.startswith("[") and step != "[*]" else UNKNOWN
        if value.form != EXTERNAL or not value.args:
            return OUTSIDE if value.form == EXTERNAL else UNKNOWN
        return container_element(value, step, self.type_values)
