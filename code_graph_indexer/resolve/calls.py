"""Find what a call gives: an instance of a class, or the result of a function with its type variables bound."""

from collections.abc import Iterator

from code_graph_indexer.languages import OWN_CLASS
from code_graph_indexer.resolve.inference_parts import Part
from code_graph_indexer.resolve.library import is_library
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.substitution import as_type_arguments, merge_bindings, substitute, without_unbound
from code_graph_indexer.resolve.type_values import is_variable
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    OUTSIDE,
    TYPE,
    UNBOUND,
    UNKNOWN,
    Given,
    TypeText,
    Value,
    Values,
    distinct,
    object_of,
)
from code_graph_indexer.storage.records import Target


class Calls(Part):
    """The results of calls, as one file sees them."""

    __slots__ = ()

    @remembered
    def call(self, value: Value, level: int, given: Given = ()) -> Values:
        """Return the possible values of a call: an instance if the value is a type, the results if it is a function.

        `given` are the type variables of the function that the arguments bind.
        """
        if value.form == TYPE:
            if value.target is not None and is_library(value.target):
                return (object_of(value.target, value.confidence, value.args),)
            return (value._replace(form=INSTANCE),)
        if value.form == CALLABLE:
            return self._function_result(value, level, given)
        if value.form == INSTANCE and value.target is not None:
            return self._object_result(value, value.target, level)
        if value.form == EXTERNAL and (results := self.inference.protocol_result(value, "call", level)):
            return results
        if value.form == EXTERNAL and value.args and not value.name:
            # Swift's `[Cart]()` is an empty list of carts.
            return (value._replace(args=tuple(self._of_objects(arg) for arg in value.args)),)
        return OUTSIDE if value.form == EXTERNAL else UNKNOWN

    def _object_result(self, value: Value, target: Target, level: int) -> Values:
        """Return the possible results of a call of an object of the type `target`.

        They are those of a function that the object holds or that its type names, or of a method such as `__call__`. A variant
        of an enum gives itself.
        """
        assigned = self.inference.assigned(value, level)
        if assigned:
            return distinct(result for content in assigned for result in self.call(content, level - 1))
        if target.kind == "type" and level and (behind := self.types.aliased(target, value.args)):
            # `type Maker = () => Cart`
            return distinct(
                result for function in behind if function != value for result in self.call(function, level - 1)
            )
        # A variant of an enum that holds something makes an object of the enum.
        variant = (value,) if target.kind == "enum" else UNKNOWN
        return self.inference.protocol_result(value, "call", level) or variant

    def _of_objects(self, elements: TypeText) -> TypeText:
        """Return the text of a list's elements with objects in place of the types that its variables stand for."""
        given = (
            (name, distinct(made for value in values for made in self.call(value, 1)))
            for name, values in elements.given
        )
        return elements._replace(given=tuple(given))

    def _function_result(self, value: Value, level: int, given: Given) -> Values:
        """Return the possible results of a function: of a definition what it returns, else what its type says.

        A function type gives its last type argument. A function with a name, as containers have, gives a value of that type.
        """
        if value.target is not None:
            return self._result_of_definition(value.target, value, level, given)
        if value.name:
            return (value._replace(form=EXTERNAL),)
        return distinct(result for arg in value.args[-1:] for result in self.types.values(arg))

    def _result_of_definition(self, target: Target, value: Value, level: int, given: Given) -> Values:
        """Return the possible results of the function `target`. `value` is the same, with the class of its receiver (`owner`).

        The receiver and the arguments (`given`) bind its type variables, while its result type is read. What is still unbound
        then is replaced once more. A function with a prototype makes objects, a wrapped one gives what its wrapper returns.
        """
        if value.owner is not None and (wanted := self.generics.at(target.path).variables_of_result(target.dotted)):
            given = merge_bindings(
                tuple(pair for pair in self.bind_by_receiver(target, value) if pair[0] in wanted), given
            )
        results = self.inference.at(target.path).result(target, value.owner, level, given)
        types = self.language.type_of
        if types and any(result.name in types for result in results) and self.world.is_holder(target):
            # Zig's generic types are functions that return a type.
            return (Value(TYPE, target, value.confidence),)
        if not results and self.world.is_holder(target):
            # A function with a prototype makes objects.
            return (Value(INSTANCE, target, value.confidence),)
        if not results and (wrapped := self.inference.wrapped(target, level)):
            return distinct(result for content in wrapped for result in self.call(content, level - 1))
        results = without_unbound(results, given)
        if given or value.args:
            results = distinct(
                self.substitute_only_argument(self._with_own_arguments(content, value, given), value)
                for result in results
                for content in substitute(result, given)
            )
        # A variable that nothing binds says nothing of what the library gives.
        return tuple(result for result in results if not (is_library(target) and result.name.startswith(UNBOUND)))

    def bind_by_receiver(self, target: Target, value: Value) -> Given:
        """Bind the type variables of a method by the object that it is called on, which `value` knows as `owner` and `args`."""
        if value.owner is None:
            return ()
        if text := self.world.receiver(target.path, target.dotted) or self.world.extended_type(target):
            receiver = object_of(value.owner, value.confidence, value.args)
            return self.generics.at(target.path).bind_by_written_receiver(
                target, text, receiver, self.inference, LEVELS
            )
        holder = self.scope.at(target.path).class_around(target)
        return self.inference.bind_by_type_arguments(value.owner, value.args, holder) if holder is not None else ()

    def first_argument(self, value: Value) -> int:
        """Return the position of the parameter that takes the first argument of a call: 1 if 0 takes the object."""
        function = value.target
        if function is None or value.owner is None or "extended.parameter" not in self.language.captures:
            return 0
        return int(bool(self.world.extended_type(function)) and self.scope.class_around(function) != value.owner)

    def _with_own_arguments(self, result: Value, value: Value, given: Given) -> Value:
        """Give a result of the receiver's own class, such as `Self`, type arguments: what is bound, or else the receiver's.

        `value` is the method, with its receiver's class. Any other result is returned as it is.
        """
        if (
            result.form not in (INSTANCE, EXTERNAL)
            or result.args
            or result.target is None
            or result.target != value.owner
        ):
            return result
        variables = self.generics.at(result.target.path).variables(result.target.dotted)
        return result._replace(args=as_type_arguments(result.target, variables, given) or value.args)

    def substitute_only_argument(self, result: Value, value: Value) -> Value:
        """Replace an unbound type variable of a result by the type argument of `value`, if that has exactly one.

        A method of `Box<T>` that returns T returns a User when it is called on a `Box<User>`.
        """
        if result.form == EXTERNAL and result.name.startswith(UNBOUND) and len(value.args) == 1:
            return next(iter(self.types.values(value.args[0])), result)
        if result.args and len(value.args) == 1:
            # `Box<T>` may return a `List<T>`.
            own = self.generics.at(value.target.path).variables(value.target.dotted) if value.target else ()
            variables = dict.fromkeys(
                arg.text for arg in result.args if is_variable(arg.text) and not arg.given and arg.text not in own
            )
            arguments = dict(zip(variables, value.args, strict=False))
            if arguments:
                return result._replace(
                    args=tuple(arg if arg.given else arguments.get(arg.text, arg) for arg in result.args)
                )
        return result

    @remembered
    def result(self, target: Target, owner: Target | None, level: int, given: Given = ()) -> Values:
        """Return the possible values that a function of this file returns.

        `owner` is the class that the call was made on, which may inherit the function. `given` are its type variables that are
        bound.
        """
        slots = self.world.results(target.path, target.dotted)
        if not slots:
            return UNKNOWN
        if slots[0].type_name and len(slots) == 1:
            return self.types.values_at(slots[0].type_name, owner, target.dotted, given)
        slots = tuple(slot for slot in slots if not slot.type_name)
        cls = owner or self.scope.class_around(target)
        return self.inference.slot_values(slots, cls, level, target.dotted)

    def constructor(self, cls: Target) -> Target | None:
        """Return the first constructor that runs when code instantiates a class. None if the class has none."""
        return next(self.constructors(cls), None)

    def constructors(self, cls: Target) -> Iterator[Target]:
        """Yield the constructors that run when code instantiates a class, such as `__init__` and `__new__`."""
        for name in self.language.constructors:
            has_class_name = name == OWN_CLASS
            member = (
                self.scope.own_member(cls, cls.name) if has_class_name else self.scope.at(cls.path).member(cls, name)
            )
            if member is not None:
                yield member
