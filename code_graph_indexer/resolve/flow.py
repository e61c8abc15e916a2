"""Follow values through calls: what callers pass to a parameter, and what a callee passes to the function it is given."""

from code_graph_indexer.resolve.containers import callback_parameter
from code_graph_indexer.resolve.declared import TypeReader
from code_graph_indexer.resolve.facts import Passed, Target
from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.scope import OWN_CLASS, PASSED, SCOPE
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    MAX_VALUES,
    OUTSIDE,
    TYPE,
    UNKNOWN,
    Place,
    TypeText,
    Value,
    Values,
    distinct,
    value_of,
)


class Flow(TypeReader):
    """Follow values into functions as they are seen from one file."""

    def at(self, path: str) -> "Flow":
        """Return what another file sees."""
        raise NotImplementedError

    def values(self, paths: str, place: Place, level: int) -> Values:
        """List what an expression may mean; nothing when that is not known."""
        raise NotImplementedError

    def given(self, name: str, frame: Frame, level: int) -> Values:
        """Find what the callers of a function pass to one of its parameters."""
        function = self.world.definition(self.scope.path, frame.dotted)
        own = self.language.self_names | self.language.self_types
        params = [one for one in frame.params if one not in own]
        if function is None or name not in params:
            return UNKNOWN
        return self.passed(function, params.index(name), name, level)

    @remembered
    def passed(self, function: Target, place: int, name: str, level: int) -> Values:
        """Find what calls of a function pass to the parameter of that place and name; nothing when that is too much."""
        names = [function.name]
        if function.name in self.language.constructors and (cls := self.class_around(function)):
            names.append(cls.name)
        found: dict[Value, None] = {}
        for path, one in (passed for called in names for passed in self.world.passed(called)):
            if (one.place != place and one.keyword != name) or not self.scope.reachable(path):
                continue
            there = self.at(path)
            at = Place(None, None, next(iter(there.scope.types_around(one.dotted)), None), one.dotted)
            if any(self._runs(value) == function for value in there.values(one.callee, at, level)):
                values = there.argument(one, at, level)
                found.update((each._replace(confidence=min(each.confidence, PASSED)), None) for each in values)
        return tuple(found) if len(found) <= MAX_VALUES else UNKNOWN

    def argument(self, one: Passed, place: Place, level: int) -> Values:
        """Find what an argument in this file is: a parameter passed on, a function around or inside, or what its path says."""
        dotted = one.dotted
        if one.param >= 0:
            function = self.world.definition(self.scope.path, dotted)
            return self.passed(function, one.param, one.value, level - 1) if function is not None and level else UNKNOWN
        while dotted:
            around = self.world.definition(self.scope.path, dotted)
            inner = self.world.definition(self.scope.path, f"{dotted}.{one.value}")
            # The members of a class are in sight in its body only, not in its methods.
            if inner is not None and (around is None or not around.is_type or dotted == one.dotted):
                return (value_of(inner, SCOPE),)
            dotted = dotted.rpartition(".")[0]
        return self.values(one.value, place, level)

    def _runs(self, value: Value) -> Target | None:
        """Return the function that calling a value runs."""
        if value.form == TYPE and value.target is not None:
            return self.constructor(value.target)
        return value.target if value.form == CALLABLE else None

    def constructor(self, cls: Target) -> Target | None:
        """Return the constructor that instantiating a class runs."""
        for name in self.language.constructors:
            own = name == OWN_CLASS
            found = self.scope.own_member(cls, cls.name) if own else self.scope.at(cls.path).member(cls, name)
            if found is not None:
                return found
        return None

    def to_callback(self, value: Value, step: str) -> Values:
        """Find what a callee passes to the function that it is given, or what a function of some type is passed."""
        argument, parameter = (int(one or -1) for one in step[1:-1].split("."))
        if argument < 0:
            return self._taken((value,), parameter)
        if value.form == CALLABLE and value.target is None:
            text = callback_parameter(value, parameter)
            return self.type_values(text) if text is not None else UNKNOWN
        if value.form == TYPE and value.target is not None:
            value = value._replace(form=CALLABLE, target=self.constructor(value.target))
        if value.form != CALLABLE or value.target is None:
            return OUTSIDE if value.form == EXTERNAL else UNKNOWN
        target = value.target
        texts: tuple[str, ...] = self.world.fact(target.path, f"p:{target.dotted}") or ()
        if argument >= len(texts) or not texts[argument]:
            return UNKNOWN
        return self._taken(self.type_values(TypeText(target.path, texts[argument], value.owner)), parameter)

    def _taken(self, functions: Values, parameter: int, level: int = LEVELS) -> Values:
        """Find what the types of functions say of one of their parameters."""
        found: list[Value] = []
        for one in functions if level else ():
            if one.form == INSTANCE and one.target is not None and one.target.kind == "type":
                found += self._taken(self.meant(one.target) or (), parameter, level - 1)
            elif one.form == CALLABLE and one.target is None and parameter < len(one.args) - 1:
                found += self.type_values(one.args[parameter])
            elif (text := callback_parameter(one, parameter)) is not None:
                found += self.type_values(text)
        return distinct(found)
