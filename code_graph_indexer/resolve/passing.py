"""Find what callers pass to a parameter, and what a callee passes to the parameters of its callback."""

from collections.abc import Sequence

from code_graph_indexer.resolve.containers import (
    callback_parameter,
)
from code_graph_indexer.resolve.declarations import Declarations
from code_graph_indexer.resolve.facts import Parameter, PassedArgument
from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.inference_parts import Part
from code_graph_indexer.resolve.labels import taking
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.resolution import PASSED, SCOPE
from code_graph_indexer.resolve.steps import arguments_of
from code_graph_indexer.resolve.substitution import merge_bindings
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    MAX_VALUES,
    OUTSIDE,
    TYPE,
    UNBOUND,
    UNKNOWN,
    Given,
    Point,
    Value,
    Values,
    distinct,
    value_of,
)
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import LAST_ARGUMENT
from code_graph_indexer.syntax.parameters import ANY_NUMBER


class Passing(Part):
    """The values that calls hand over, as one file sees them."""

    __slots__ = ()

    def passed_to(self, name: str, frame: Frame, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values that callers pass to the parameter `name` of the function `frame`."""
        function = self.world.definition(self.scope.path, frame.dotted)
        self_names = self.language.self_names | self.language.self_types
        params = [param for param in frame.params if param not in self_names]
        if function is None or name not in params:
            return UNKNOWN
        return self.passed(function, params.index(name), name, level, limit)

    def callbacks(self, name: str, frame: Frame, limit: int) -> Values:
        """Return the functions that callers pass to the parameter `name` of `frame`, whose declared type is no help."""
        return self.passed_to(name, frame, LEVELS, limit)

    @remembered
    def passed(self, function: Target, position: int, name: str, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values that calls of a function pass to a parameter. Empty if there are more than `limit`.

        With the calls `run(start)` and `run(stop)`, the first parameter (position 0) of `run` may be `start` or `stop`.
        """
        callees = [function.name]
        # A constructor is called by the name of its class.
        if function.name in self.language.constructors and (cls := self.scope.class_around(function)):
            callees.append(cls.name)
        if (outer := self.world.definition(function.path, function.dotted.rpartition(".")[0])) and not outer.is_type:
            # A call of the function around it returns it: `@retry(3)`.
            callees.append(f"{outer.name}()")
        values: dict[Value, None] = {}
        for path, argument in (entry for callee in callees for entry in self.world.arguments_to(callee)):
            if (argument.position != position and argument.keyword != name) or not self.scope.reachable(path):
                continue
            caller = self.inference.at(path)
            cls_around = next(iter(caller.scope.types_around(argument.dotted)), None)
            point = Point(None, None, cls_around, argument.dotted)
            # Many functions have this name. Only calls that run this very function count.
            if any(self._runs(callee, function) for callee in caller.values(argument.callee, point, level)):
                arguments = caller.argument(argument, point, level, limit)
                values.update((value._replace(confidence=min(value.confidence, PASSED)), None) for value in arguments)
        return tuple(values) if len(values) <= limit else UNKNOWN

    def argument(self, argument: PassedArgument, point: Point, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values of an argument of a call in this file.

        The argument is a parameter of the function around the call, the name of a function in sight, or any other expression.
        """
        dotted, value = argument.dotted, argument.value
        if argument.param >= 0:
            function = self.world.definition(self.scope.path, dotted)
            if function is None or not level:
                return UNKNOWN
            return self.passed(function, argument.param, value, level - 1, limit)
        while dotted:
            around = self.world.definition(self.scope.path, dotted)
            inner = self.world.definition(self.scope.path, f"{dotted}.{value}")
            # The members of a class are in sight in its body only, not in its methods.
            if inner is not None and (around is None or not around.is_type or dotted == argument.dotted):
                return (value_of(inner, SCOPE),)
            dotted = dotted.rpartition(".")[0]
        return self.inference.values(value, point, level)

    def _runs(self, callee: Value, function: Target) -> bool:
        """Say whether a call of the value runs a function, which may be the constructor of a class."""
        if callee.target is None or callee.form not in (TYPE, CALLABLE):
            return False
        target = self.inference.constructor(callee.target) if callee.form == TYPE else callee.target
        if target is None or target == function:
            return target is not None
        # A caller in another file sees only the declaration.
        return not target.has_body and function in Declarations.of(self.scope, target.path).definitions(target)

    def parameters_at(self, function: Target, step: str, first: int = 0) -> tuple[str, ...]:
        """List the types of the parameters that may take the callback of a step such as `{0.1}`, one of each overload.

        The parameter `first` takes the first argument.
        """
        place = _argument_of(step)
        if self.language.labels:
            labels = [label for label, _ in arguments_of(step)]
            overloads = taking(self.world, function, labels)
            taken = [_taker(parameters, places, place) for parameters, places in overloads]
        else:
            parameters = self.world.parameters(function.path, function.dotted)
            place = len(parameters) - 1 if place == LAST_ARGUMENT else place + first
            last = parameters[-1] if parameters and parameters[-1].type_name.endswith(ANY_NUMBER) else None
            taken = [parameters[place] if 0 <= place < len(parameters) else last if place > 0 else None]
        types = (parameter.type_name.removesuffix(ANY_NUMBER) for parameter in taken if parameter is not None)
        return tuple(dict.fromkeys(filter(None, types)))[:MAX_VALUES]

    def callback_argument(self, value: Value, step: str, given: Given = ()) -> Values:
        """Return the possible values that a callee passes to a parameter of its callback.

        The step `{0.1}` means parameter 1 of the callback that is argument 0 of the callee `value`. In `{.1}`, the value is
        the callback itself, described by its type. `{0.}` is what argument 0 has to be. `given` are the type variables of the
        callee that the arguments bind.
        """
        argument, parameter = (int(number or -1) for number in step[1:-1].partition(":")[0].split("."))
        if argument < 0:
            return self._parameter_of((value,), parameter)
        if parameter < 0 and (value.form == INSTANCE or (value.form == CALLABLE and value.target is None)):
            return self._parameter_of((value,), argument)
        if value.form == CALLABLE and value.target is None:
            text = callback_parameter(value, parameter, self.language)
            return self.types.values(text) if text is not None else UNKNOWN
        if value.form == TYPE and value.target is not None:
            constructor = self.inference.constructor(value.target)
            taken = self._taken(constructor, value, step, parameter, given) if constructor is not None else UNKNOWN
            return self._of_field(value, value.target, step, parameter) if self.language.labels and not taken else taken
        if value.form == INSTANCE and self.language.protocols["fill"]:
            # The braces after `new Rules` hold what its method `Add` takes.
            methods = self.inference.members_run((value,), self.language.protocols["fill"])
            return distinct(
                taken for method in methods for taken in self.callback_argument(method, f"{{0.{parameter}}}")
            )
        if value.form != CALLABLE or value.target is None:
            return OUTSIDE if value.form == EXTERNAL else UNKNOWN
        return self._taken(value.target, value, step, parameter, given)

    def _taken(self, function: Target, value: Value, step: str, parameter: int, given: Given) -> Values:
        """Return what a function takes as the argument of a step, or what it passes to a parameter of that."""
        declared = self.parameters_at(function, step, self.inference.first_argument(value))
        if not declared:
            return self._taken_by_holder(function, step, parameter)
        called = value._replace(form=CALLABLE, target=function)
        given = merge_bindings(self.inference.bind_by_receiver(function, called), given)
        types = self.types.at(function.path)
        callbacks = distinct(
            callback for text in declared for callback in types.values_at(text, value.owner, function.dotted, given)
        )
        values = self._parameter_of(callbacks, parameter) if parameter >= 0 else callbacks
        # A variable that nothing binds says nothing.
        return tuple(value for value in values if not value.name.startswith(UNBOUND))

    def _taken_by_holder(self, function: Target, step: str, parameter: int) -> Values:
        """Return what a function without declared parameters takes by the type of its variable: `const add: Reducer = …`."""
        typed = tuple(slot for slot in self.world.slots(function.path, function.dotted) if slot.type_name)
        held = self.inference.at(function.path).slot_values(typed, None, LEVELS) if typed else UNKNOWN
        taken = self._parameter_of(held, _argument_of(step))
        return self._parameter_of(taken, parameter) if parameter >= 0 else taken

    def _of_field(self, value: Value, cls: Target, step: str, parameter: int) -> Values:
        """Return what a labelled argument fills, where no code writes the constructor: a field, or a parameter of its function.

        A negative `parameter` means the field itself.
        """
        labels = [label for label, _ in arguments_of(step)]
        field = self.inference.field_of(cls, value, labels[-1], LEVELS, fields_only=True) if labels else UNKNOWN
        return (field if parameter < 0 else self._parameter_of(field or UNKNOWN, parameter)) or UNKNOWN

    def _parameter_of(self, functions: Values, parameter: int, level: int = LEVELS) -> Values:
        """Return the possible values of a parameter (0 is the first), as the function types in `functions` declare it."""
        values: list[Value] = []
        for function in functions if level else ():
            is_function = function.form == CALLABLE and function.target is None
            if function.form == INSTANCE and function.target is not None and function.target.kind == "type":
                values += self._parameter_of(
                    self.types.aliased(function.target, function.args) or (), parameter, level - 1
                )
            elif is_function and parameter < len(function.args) - 1:
                values += self.types.values(function.args[parameter])
            elif function.form == CALLABLE:
                # A method of an interface, which a method of an object stands for.
                values += self.callback_argument(function, f"{{{parameter}.}}")
            elif (method := self._only_method(function)) is not None:
                values += self._declared_parameter(method, function, parameter)
            elif (text := callback_parameter(function, parameter, self.language)) is not None:
                values += self.types.values(text)
        return distinct(values)

    def _only_method(self, value: Value) -> Target | None:
        """Return the only method of an interface, which a function without a name stands for. None for any other value."""
        cls = value.target
        if cls is None or cls.kind != "interface" or value.form not in (INSTANCE, EXTERNAL):
            return None
        names = self.world.methods(cls.path, cls.dotted)
        return self.world.definition(cls.path, f"{cls.dotted}.{names[0]}") if len(names) == 1 else None

    def _declared_parameter(self, method: Target, value: Value, parameter: int) -> Values:
        """Return the possible values of a parameter of a method of an object, as its declared type says."""
        parameters = self.world.parameters(method.path, method.dotted)
        if value.target is None or parameter >= len(parameters) or not parameters[parameter].type_name:
            return UNKNOWN
        given = self.inference.bind_by_type_arguments(value.target, value.args, value.target)
        types = self.types.at(method.path)
        return types.values_at(parameters[parameter].type_name, value.target, method.dotted, given)


def _argument_of(step: str) -> int:
    """Return the argument that a step such as `{0.1}` is about. -1 stands for none."""
    return int(step[1 : step.index(".")] or -1)


def _taker(parameters: Sequence[Parameter], places: Sequence[int], place: int) -> Parameter | None:
    """Return the parameter of the argument at a place, or of the function behind the brackets. `places` are those of labels."""
    if place != LAST_ARGUMENT:
        return parameters[places[place]] if place < len(places) else None
    rest = parameters[places[-1] + 1 if places else 0 :]
    return next((parameter for parameter in rest if "->" in parameter.type_name), rest[-1] if rest else None)
