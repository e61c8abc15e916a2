"""Bind type variables: by the type arguments of an object, through the bases of its class, and by the arguments of a call.

`T` in the result of `first(xs: list[T]) -> T` is what the elements of the argument are. `E` in a method of `Box[E]` is `Cart`
for an object of `class Carts(Box[Cart])`.

To bind variables is to find their values, as `Given`. To unify is to bind by comparing the type of a parameter with the values
of an argument. `substitution.py` puts what is bound into a value. A variable that nothing binds is a value `?T` (UNBOUND).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from code_graph_indexer.resolve.annotations import CALLABLE_TYPE, TypeName, inside, read_type
from code_graph_indexer.resolve.facts import Parameter
from code_graph_indexer.resolve.labels import taking
from code_graph_indexer.resolve.library import is_library
from code_graph_indexer.resolve.notes import Memory, remembered
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.steps import EACH
from code_graph_indexer.resolve.substitution import merge_bindings, with_bindings
from code_graph_indexer.resolve.type_values import TypeReader, is_variable
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    OUTSIDE,
    TYPE,
    UNBOUND,
    UNKNOWN,
    Given,
    TypeText,
    Value,
    Values,
    distinct,
)
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import TYPE_ARGUMENT
from code_graph_indexer.syntax.parameters import ANY_NUMBER

MAX_BASES = 8
"""Most bases, one above the other, through which type arguments are followed."""

_WORD = re.compile(r"[^\W\d]\w*")


class Walk(Protocol):
    """What unification asks of the inference: the elements of a value, and what calling it gives."""

    def element(self, value: Value, step: str, level: int) -> Values:
        """Return the possible elements of a value."""

    def call(self, value: Value, level: int) -> Values:
        """Return the possible results of calling a value."""

    def callback_argument(self, value: Value, step: str) -> Values:
        """Return the possible values that a callee takes: `{0.}` is what argument 0 has to be."""


Passed = Sequence[tuple[str, Values]]
"""The arguments of a call: pairs of the name of a parameter, or an empty name, and the possible values."""


class Generics:
    """The type variables of the definitions of one file, and what binds them."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.types = TypeReader.of(scope)
        self.world: World = scope.world
        self.memory = Memory()

    @classmethod
    def of(cls, scope: Scope) -> "Generics":
        """Return the generics of a scope's file. The first call makes them."""
        key = (scope.path, scope.is_test)
        generics: Generics | None = scope.world.generics.get(key)
        if generics is None:
            generics = scope.world.generics[key] = cls(scope)
        return generics

    def at(self, path: str) -> "Generics":
        """Return the generics of another file."""
        return self if path == self.scope.path else Generics.of(self.scope.at(path))

    @remembered
    def variables(self, dotted: str) -> tuple[str, ...]:
        """List the type variables that a definition of this file declares itself, in the order of its type arguments."""
        path = self.scope.path
        names = tuple(name for name, _ in self.world.type_bounds(path, dotted))
        if names or not dotted:
            return names
        # In Python the variables of a class are those that its bases name. `Generic[K, V]` names all of them.
        bases = [self._variables_in(text) for text in self.world.bases(path, dotted) if text.endswith(("]", ">"))]
        return tuple(dict.fromkeys(name for names in sorted(bases, key=len, reverse=True) for name in names))

    def _variables_in(self, text: str) -> list[str]:
        """List the words of a type's text that are type variables of the file, or look like variables: `T`, `_K1`."""
        in_file = self.variables("")
        return [word for word in _WORD.findall(text) if word in in_file or is_variable(word.lstrip("_"))]

    @remembered
    def variables_in_sight(self, dotted: str) -> frozenset[str]:
        """Return the type variables that a definition of this file may use: its own, and those of what is around it."""
        names = set(self.variables(dotted))
        return frozenset(names | self.variables_in_sight(dotted.rpartition(".")[0])) if dotted else frozenset(names)

    @remembered
    def variables_of_result(self, function: str) -> frozenset[str]:
        """Return the type variables that the result of a function of this file depends on."""
        slots = self.world.results(self.scope.path, function)
        names = self.variables_in_sight(function)
        if not slots or not slots[0].type_name:
            return names if slots else frozenset()
        text = slots[0].type_name
        words = set(_WORD.findall(text))
        if not words.isdisjoint(self.scope.language.self_types):
            words.update(self.variables(function.rpartition(".")[0]))
        return frozenset(word for word in words if word in names or is_variable(word.lstrip("_")))

    @remembered
    def bind_by_type_arguments(self, cls: Target, args: tuple[TypeText, ...], holder: Target) -> Given:
        """Bind the variables of the class `holder` for an object of the class `cls` of this file with these type arguments.

        `holder` is the class itself or one of its bases.
        """
        return self.bind_through_bases(cls, args, holder, MAX_BASES) or ()

    def bind_through_bases(self, cls: Target, args: tuple[TypeText, ...], holder: Target, depth: int) -> Given | None:
        """Bind as `bind_by_type_arguments`. None if `holder` is neither the class nor a base at most `depth` steps above it."""
        here = tuple(
            (name, values)
            for name, arg in zip(self.variables(cls.dotted), args, strict=False)
            if (values := self.types.values(arg)) and values != OUTSIDE
        )
        if (cls.path, cls.dotted) == (holder.path, holder.dotted):
            return here
        if not depth:
            return None
        around = cls.dotted.rpartition(".")[0]
        # What the type arguments leave open is at least of the bound: `class Opt<T extends Leaf> extends Base<Def<T>>`.
        bound_here = (*here, *self._open_bounds(cls, here))
        for part in self.scope.parts(cls):
            for text in self.world.bases(part.path, part.dotted):
                for base in self.types.at(part.path).values_at(text, cls, around, bound_here):
                    if base.target is not None:
                        above = self.at(base.target.path)
                        given = above.bind_through_bases(base.target, base.args, holder, depth - 1)
                        if given is not None:
                            return given
        return None

    def _open_bounds(self, cls: Target, given: Given) -> Given:
        """Return the type variables of a class of this file that `given` leaves open, each with the values of its bound."""
        bounds, bound = self.world.type_bounds(self.scope.path, cls.dotted), dict(given)
        typed = (
            (name, self.types.values_at(text, cls, cls.dotted)) for name, text in bounds if text and name not in bound
        )
        return tuple((name, values) for name, values in typed if values and values != OUTSIDE)

    def outside_bases(self, value: Value) -> Values:
        """Return an object as one of each class of the library that its class inherits from: `class Carts(list[Cart])`."""
        cls = value.target
        if cls is None or is_library(cls) or not self.scope.has_outside_base(cls):
            return UNKNOWN
        bases: list[Value] = []
        for ancestor in (cls, *self.scope.ancestors(cls)):
            given = self.at(cls.path).bind_by_type_arguments(cls, value.args, ancestor)
            around = ancestor.dotted.rpartition(".")[0]
            for part in self.scope.at(ancestor.path).parts(ancestor):
                for text in self.world.bases(part.path, part.dotted):
                    bases += self.types.at(part.path).values_at(text, ancestor, around, given)
        return distinct(base for base in bases if base.form == EXTERNAL and (base.target is not None or base.args))

    def bind_by_arguments(
        self,
        function: Target,
        arguments: Passed,
        wanted: Iterable[str],
        walk: Walk,
        level: int,
    ) -> Given:
        """Bind the wanted variables of a function of this file by the arguments of a call, see `Passed`.

        Type arguments that the call writes count first, then the values of arguments. A class counts as its constructor.
        """
        unifier = _Unifier(self, frozenset(wanted), walk, level)
        types = [values for name, values in arguments if name == TYPE_ARGUMENT[0]]
        unifier.values.update(zip(self.variables(function.dotted), types, strict=False))
        arguments = arguments[len(types) :]
        matched = self._labelled(function, arguments) if self.scope.language.labels else self._at(function, arguments)
        unifier.unify_all(
            (self.types.raw_text(parameter.type_name.replace(ANY_NUMBER, ""), None, function.dotted), values)
            for parameter, values in matched
            if parameter is not None and parameter.type_name
        )
        return tuple(unifier.values.items())

    def _at(self, function: Target, arguments: Passed) -> Iterator[tuple[Parameter | None, Values]]:
        """Yield the parameter that each argument goes to, by its name or position, with the values of the argument."""
        parameters = self.world.parameters(self.scope.path, function.dotted) or self._unwritten_parameters(
            function, len(arguments)
        )
        for position, (name, values) in enumerate(arguments):
            yield _parameter(parameters, position, name), values

    def _labelled(self, function: Target, arguments: Passed) -> Iterator[tuple[Parameter, Values]]:
        """Yield the parameter that each argument goes to, by the labels, with the values of the argument."""
        overloads = taking(self.world, function, [label for label, _ in arguments])
        parameters, places = next(overloads, ((), ()))
        for place, (_, values) in zip(places, arguments, strict=False):
            yield parameters[place], values

    def bind_by_written_receiver(self, method: Target, text: str, receiver: Value, walk: Walk, level: int) -> Given:
        """Bind the variables of a method that writes its receiver's type (`text`): `E` in Go's `func (b Box[E]) First() E`.

        `receiver` is the object that it is called on.
        """
        unifier = _Unifier(self, frozenset(self.variables(method.dotted)), walk, level)
        unifier.unify(self.types.raw_text(text, None, method.dotted), (receiver,))
        return tuple(unifier.values.items())

    def variables_in_type(self, function: Value) -> frozenset[str]:
        """Return the free type variables in the result of a function type: F in `Callable[[F], F]`."""
        if function.form != CALLABLE or function.target is not None or len(function.args) < 2 or function.name:
            return frozenset()
        words = {word for arg in function.args[-1:] for word in _WORD.findall(arg.text)}
        return frozenset(word for word in words if is_variable(word)) - dict(function.args[-1].given).keys()

    def result_of_function_type(self, function: Value, arguments: Passed, walk: Walk, level: int) -> Values:
        """Return what a call of a function gives that only its type describes: F in `Callable[[F], F]` is what is passed."""
        unifier = _Unifier(self, self.variables_in_type(function), walk, level)
        unifier.unify_all(zip(function.args[:-1], (values for _, values in arguments), strict=False))
        result = function.args[-1]
        return self.types.values(with_bindings(result, merge_bindings(result.given, tuple(unifier.values.items()))))

    def _unwritten_parameters(self, cls: Target, count: int) -> tuple[Parameter, ...]:
        """List `count` parameters of a constructor that no code writes: what a tuple struct holds at each position.

        They have no names, and no types where nothing is declared. Empty if `cls` is no type.
        """
        slots = (
            self.world.slots(self.scope.path, f"{cls.dotted}.{place}") for place in range(count if cls.is_type else 0)
        )
        return tuple(Parameter("", held[0].type_name if held else "") for held in slots)


def _parameter(parameters: Sequence[Parameter], position: int, name: str) -> Parameter | None:
    """Return the parameter that an argument goes to: by `name`, or by position if the name is empty. None if there is none.

    A last parameter that takes any number of arguments gets all further ones.
    """
    if name:
        return next((parameter for parameter in parameters if parameter.name == name), None)
    if position < len(parameters):
        return parameters[position]
    return next((parameter for parameter in parameters[-1:] if ANY_NUMBER in parameter.type_name), None)


def _has_functions(pair: tuple[TypeText, Values]) -> bool:
    """Say whether a function is among the values of an argument. `pair` is its parameter's type and these values."""
    return any(value.form == CALLABLE for value in pair[1])


class _Unifier:
    """A comparison of types with values, which binds the variables `names` in the types.

    `values` has the variables that are bound so far, each by the first argument that says what it is. `walk` and `level` find
    the elements of values and what functions return.
    """

    def __init__(self, generics: Generics, names: frozenset[str], walk: Walk, level: int) -> None:
        self.generics = generics
        self.names = names
        self.walk = walk
        self.level = level
        self.values: dict[str, Values] = {}

    def unify_all(self, pairs: Iterable[tuple[TypeText, Values]]) -> None:
        """Bind by several arguments: pairs of the type of a parameter and the values of its argument."""
        typed = [(text, values) for text, values in pairs if values and values != OUTSIDE]
        # Functions come last, because what they give may depend on the other arguments.
        for text, values in sorted(typed, key=_has_functions):
            self.unify(text, values)

    def unify(self, text: TypeText, values: Values) -> None:
        """Bind the variables in the text of a type by values of that type: `T`, `type[T]`, `T | None` or `Box[T]`."""
        language = self.generics.scope.language
        for type_name in read_type(text.text, language.name):
            name, args = type_name
            last = name.rpartition(".")[2]
            if not args and name in self.names:
                self.values.setdefault(name, values)
            elif last in language.type_of and args:
                self.unify(
                    text._replace(text=args[0]),
                    tuple(value._replace(form=INSTANCE) for value in values if value.form == TYPE),
                )
            elif inner := inside(type_name, language):
                for arg in inner:
                    self.unify(text._replace(text=arg), values)
            elif args:
                self._unify_arguments(type_name, text, values)

    def _unify_arguments(self, type_name: TypeName, text: TypeText, values: Values) -> None:
        """Bind the variables in the arguments of the type `type_name`, which is written in `text`, by values of that type.

        A function binds by what it takes and returns, also where the type has a name, an object by its class or its elements,
        and a library type by its own arguments.
        """
        name, args = type_name
        texts = [text._replace(text=arg) for arg in args]
        for value in values:
            if value.form == CALLABLE:
                self._unify_with_function(name, texts, value)
            elif value.target is not None and self._unify_with_class(name, texts, value):
                continue
            elif len(texts) == 1:
                # A loop in Go gives positions, but the type of a list names its elements.
                elements = self.walk.element(value, EACH, self.level)
                self._unify_known(texts[0], elements or self.walk.element(value, "[]", self.level))
            elif value.form == EXTERNAL and len(texts) == len(value.args):
                for inner, arg in zip(texts, value.args, strict=True):
                    self._unify_known(inner, self.generics.types.values(arg))

    def _unify_with_function(self, name: str, texts: Sequence[TypeText], function: Value) -> None:
        """Bind by what a function gives and takes. Its type may be an alias: `type Step<S, A> = (state: S, action: A) => S`."""
        if name == CALLABLE_TYPE:
            self._unify_known(texts[-1], self.walk.call(function, self.level))
            for place, taken in enumerate(texts[:-1]):
                self._unify_known(taken, self.walk.callback_argument(function, f"{{{place}.}}"))
            return
        for alias in self.generics.scope.type_named(name, texts[0].around).targets:
            generics, written = self.generics.at(alias.path), self.generics.world.aliased_type(alias.path, alias.dotted)
            if written:
                variables = generics.variables(alias.dotted)
                inner = _Unifier(generics, frozenset(variables), self.walk, self.level)
                inner.unify(generics.types.raw_text(written, None, alias.dotted), (function,))
                for variable, text in zip(variables, texts, strict=False):
                    self._unify_known(text, inner.values.get(variable, UNKNOWN))

    def _unify_known(self, text: TypeText, values: Values) -> None:
        """Bind by those of the values that say something: nothing unknown from outside, and no unbound variable."""
        known = tuple(value for value in values if value not in OUTSIDE and not value.name.startswith(UNBOUND))
        if known:
            self.unify(text, known)

    def _unify_with_class(self, name: str, texts: Sequence[TypeText], value: Value) -> bool:
        """Bind by an object of the class `name`, or of a class below it. Say whether the object is such a one.

        `texts` are the type arguments that the parameter's type gives to that class.
        """
        generics, cls = self.generics, value.target
        holders = generics.scope.type_named(name, texts[0].around).targets or (generics.scope.declared(name),)
        for holder in holders if cls is not None else ():
            if cls is not None and holder is not None and holder.is_type:
                holder = generics.scope.taking(holder, len(texts))
                given = generics.at(cls.path).bind_through_bases(cls, value.args, holder, MAX_BASES)
                if given is None:
                    continue
                bound = dict(given)
                for variable, inner in zip(generics.at(holder.path).variables(holder.dotted), texts, strict=False):
                    self._unify_known(inner, bound.get(variable, UNKNOWN))
                return True
        return False
