"""Choose between overloads with the same number of parameters, by the types of a call's arguments."""

from collections.abc import Sequence
from functools import cache

from code_graph_indexer.resolve.annotations import LIST_TYPE, base_name
from code_graph_indexer.resolve.facts import Overload
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.overloads import parameter_types, runs, signature
from code_graph_indexer.resolve.resolution import Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.steps import LITERAL_ARGUMENTS
from code_graph_indexer.resolve.values import EXTERNAL, INSTANCE, Point, Values
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import NULL
from code_graph_indexer.syntax.parameters import LABEL
from code_graph_indexer.syntax.records import Reference
from code_graph_indexer.syntax.roles import is_name

ARRAY = "[]"
"""The end of an array's type name: `String[]` is an array of `String`."""

NO_TYPE, UNLIKELY, IMPOSSIBLE = 40, 60, 1_000
"""Costs of passing an argument: the types cannot be compared, are probably different, or exclude each other.

If the parameter's type is the argument's type, the cost is 0. If it is a base of that type, the cost counts the steps to
the base.
"""


def disambiguate(
    inference: Inference, point: Point, reference: Reference, resolution: Resolution, source: int
) -> Resolution:
    """Return the resolution with tied overloads replaced by those that fit the types of the call's arguments.

    If several overloads fit equally well, keep one of them, and `tied` stays set. That one is not the function around the
    call (chunk id `source`), because a call of another overload is more likely.
    """
    is_labelled = inference.language.labels and len(reference.given) == reference.arguments
    labels = [label for label, _, _ in map(_label_and_rest, reference.given)] if is_labelled else []
    given = [rest for _, _, rest in map(_label_and_rest, reference.given)] if is_labelled else reference.given
    values = [
        # Only names and casts have values. Literals are compared by their form.
        inference.values(argument, point) if is_name(argument[:1]) or argument[:1] == "<" else ()
        for argument in given
    ]
    if is_labelled:
        return _labelled(inference.scope, resolution, labels, list(zip(given, values, strict=True)), source)
    fits = [
        _cheapest(inference.scope, runs(inference.scope, target, reference.arguments), reference.given, values)
        for target in resolution.targets
    ]
    targets = dict.fromkeys(min(overloads, key=lambda overload: overload.chunk_id == source) for overloads in fits)
    return resolution._replace(targets=tuple(targets), tied=any(len(overloads) > 1 for overloads in fits))


def _label_and_rest(text: str) -> tuple[str, str, str]:
    """Split a labelled argument or parameter type at its mark: `flag=true` → `flag`, `=`, `true`."""
    return text.partition(LABEL)


def _labelled(
    scope: Scope, resolution: Resolution, labels: Sequence[str], given: Sequence[tuple[str, Values]], source: int
) -> Resolution:
    """Return the resolution with each target replaced by the overloads that have the labels of the call's arguments.

    `given` has each argument with its values. Of several such overloads, the types of the arguments decide, and the function
    around the call (`source`) goes last. A target without such an overload is left out.
    """
    targets: dict[Target, None] = {}
    tied = False
    for target in resolution.targets:
        costs: dict[Target, int] = {}
        for overload in runs(scope, target, len(labels)):
            types = _types_at(signature(scope, overload), labels)
            if types is not None:
                costs[overload] = sum(
                    _cost(scope, type_, *argument) for type_, argument in zip(types, given, strict=True)
                )
        cheapest = [overload for overload, cost in costs.items() if cost == min(costs.values())]
        if cheapest:
            targets[min(cheapest, key=lambda overload: overload.chunk_id == source)] = None
            # A declaration and its definition are no two overloads.
            tied = tied or len({parameter_types(scope, overload) for overload in cheapest}) > 1
    return resolution._replace(targets=tuple(targets), tied=tied)


def _types_at(overload: Overload | None, labels: Sequence[str]) -> list[str] | None:
    """List the parameter types that arguments with these labels go to, in order. None if the parameters have other labels.

    Parameters with a default value may be left out. The label `*` fits any parameter. An argument without a label behind that
    of a variadic parameter is one more of its elements.
    """
    if overload is None or (labels and not overload.types):
        # What cannot be read may be anything.
        return ["" for _ in labels]
    parameters = [_label_and_rest(text) for text in overload.types]
    spare = len(parameters) - overload.fewest
    types: list[str] = []
    place = 0
    for label in labels:
        if (
            types
            and not label
            and place
            and parameters[place - 1][2].endswith(ARRAY)
            and overload.most > len(parameters)
        ):
            types.append(parameters[place - 1][2].removesuffix(ARRAY))
            continue
        while place < len(parameters) and label not in (parameters[place][0], "*"):
            place += 1
            spare -= 1
        if place >= len(parameters) or spare < 0:
            return None
        types.append(parameters[place][2])
        place += 1
    return types


def _cheapest(
    scope: Scope, overloads: tuple[Target, ...], arguments: Sequence[str], values: Sequence[Values]
) -> tuple[Target, ...]:
    """Return the overloads with the lowest cost for the arguments. If none can take the arguments, return all of them.

    `values` are those of each argument. An overload for exactly so many arguments goes before the others, if its cost is low.
    """
    costs = {
        overload: min(
            sum(
                _cost(scope, parameter, argument, argument_values)
                for parameter, argument, argument_values in zip(types, arguments, values, strict=False)
            )
            for types in _spread(signature(scope, overload), len(arguments))
        )
        for overload in overloads
    }
    # An overload that needs a default value or a variable parameter is meant only if no other takes the arguments.
    exact = [overload for overload in overloads if _is_exact(scope, overload, len(arguments))]
    if exact and (min(costs[overload] for overload in exact) < UNLIKELY or min(costs.values()) >= UNLIKELY):
        costs = {overload: costs[overload] for overload in exact}
    lowest = min(costs.values())
    return tuple(overload for overload, cost in costs.items() if cost == lowest or lowest >= IMPOSSIBLE)


def _is_exact(scope: Scope, overload: Target, arguments: int) -> bool:
    """Say whether an overload takes this number of arguments without default values and variable parameters."""
    parameters = signature(scope, overload)
    return parameters is not None and parameters.most == arguments


def _spread(overload: Overload | None, count: int) -> list[tuple[str, ...]]:
    """List the types that parameters may have for this number of arguments.

    The type of a variadic last parameter is repeated: `(int, T[])` with 3 arguments → `(int, T, T)`. A single argument in its
    place may also be the array itself.
    """
    types = overload.types if overload else ()
    missing = count - len(types)
    if overload is None or not types or not types[-1].endswith(ARRAY) or missing < 0 or overload.most == len(types):
        return [types]
    spread = (*types[:-1], *[types[-1].removesuffix(ARRAY)] * (missing + 1))
    return [spread] if missing else [types, spread]


def _cost(scope: Scope, parameter: str, argument: str, values: Values) -> int:
    """Return the cost of passing an argument to a parameter, from 0 (same type) to `IMPOSSIBLE`.

    `parameter` is the name of the parameter's type. `argument` is an expression path, with its possible values, or the kind of
    a literal.
    """
    groups = scope.language.literal_types
    if argument == NULL:
        # Null is no value of a primitive type, such as `int`. `Integer` takes it.
        return IMPOSSIBLE if parameter in _plain(groups) and parameter.islower() else 0
    names = _names_of(scope, argument, values)
    is_any = parameter in scope.language.any_type
    if not names:
        # Of an unknown argument only this is sure: a parameter of any type takes it.
        return 0 if is_any else 1
    if parameter in names:
        # The names begin with the type itself and end with its farthest base.
        return names.index(parameter)
    return NO_TYPE if is_any else _cost_of_another(groups, parameter, argument, names[0], values)


def _names_of(scope: Scope, argument: str, values: Values) -> tuple[str, ...]:
    """List the simple names of an argument's type, then of its bases or of what it converts to. Empty if it is not known."""
    groups = scope.language.literal_types
    if groups and argument in LITERAL_ARGUMENTS:
        return groups[LITERAL_ARGUMENTS.index(argument)]
    names = _type_names(scope, values, groups)
    if not names and argument.endswith("()"):
        # `string("a")` makes a value of that type.
        made = argument.removesuffix("()").rpartition(".")[2]
        return next(((made, *group) for group in groups if made in group), ())
    return names


def _cost_of_another(
    groups: tuple[tuple[str, ...], ...], parameter: str, argument: str, name: str, values: Values
) -> int:
    """Return the cost of passing an argument whose type `name` is no type of the parameter. `groups` are the literal types."""
    plain = _plain(groups)
    are_arrays = [text.endswith(ARRAY) for text in (parameter, name)]
    if all(are_arrays):
        # An array of plain values is no other array. An array of objects may be one of their bases.
        elements = {text.removesuffix(ARRAY) for text in (parameter, name)}
        return IMPOSSIBLE if any(element in plain and element.islower() for element in elements) else NO_TYPE - 1
    # Code of a language without overloads may call a header of one with them, and then there are no groups.
    texts = groups[0] if groups else ()
    if parameter in plain or (parameter in texts and (argument in LITERAL_ARGUMENTS or name in plain)):
        return IMPOSSIBLE
    # A text is no class of the repository, and an object of a class is no text.
    is_defined = any(value.target is not None for value in values)
    return UNLIKELY if is_defined or any(are_arrays) or parameter in texts or name in texts else NO_TYPE


@cache
def _plain(groups: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Return the type names of characters, numbers and truth values. No object has such a type.

    `groups` has the type names for each kind of literal. The first group is for strings. If there are more, each begins with
    such a type.
    """
    if len(groups) > len(LITERAL_ARGUMENTS):
        return frozenset(group[0] for group in groups[1:])
    return frozenset(name for group in groups[1:] for name in group)


def _type_names(scope: Scope, values: Values, groups: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """List the simple names of an argument's type, then of the bases of that type, or of the types that it converts to.

    The first value decides. The list is empty if its type is not known.
    """
    for value in values[:1]:
        if value.form == INSTANCE and value.target is not None:
            ancestors = scope.at(value.target.path).ancestors(value.target)
            return (value.target.name, *(base.name for base in ancestors))
        if value.form == EXTERNAL and value.name:
            name = value.name.rpartition(".")[2]
            if name == LIST_TYPE:
                if not value.args:
                    return ()
                element = value.args[-1]
                return (base_name(element.text, scope.world.file(element.path).language).rpartition(".")[2] + ARRAY,)
            own = next((group for group in groups if group[0] == name), None)
            return own or (name, *next((group for group in groups if name in group), ()))
    return ()
