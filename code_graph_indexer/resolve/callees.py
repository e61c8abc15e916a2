"""Find what a call of some values runs."""

from collections.abc import Iterator

from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.library import is_library
from code_graph_indexer.resolve.overloads import fitting
from code_graph_indexer.resolve.resolution import NOTHING, UNIQUE, Resolution
from code_graph_indexer.resolve.values import CALLABLE, INSTANCE, LEVELS, MODULE, TYPE, Value, Values, distinct
from code_graph_indexer.storage.records import Target


def called(inference: Inference, values: Values, arguments: int) -> Resolution:
    """Return the definitions that a call of these values runs. Overloads that do not take its arguments are left out."""
    return fitting(inference.scope, callees(inference, created(inference, values)), arguments)


def created(inference: Inference, values: Values) -> Values:
    """Replace each type alias by the type itself, because a call of the alias creates an object of that type.

    With `using Shape = Circle`, the call `Shape()` creates a Circle.
    """
    if inference.language.type_calls == "converts" or not values:
        return values
    return distinct(end for value in values for end in inference.types.unaliased(value, LEVELS))


def callees(inference: Inference, values: Values) -> Resolution:
    """Return the definitions that a call of these values runs.

    A function or a class runs its own definition. An object runs the method that makes it callable, such as `__call__`.
    """
    if not values:
        return NOTHING
    targets: dict[Target, float] = {}
    for value in values:
        if value.target is not None and not is_library(value.target):
            for target, confidence in _behind(inference, value, value.target):
                targets.setdefault(target, confidence)
            if _is_run(inference, value, value.target, is_alone=not targets):
                targets.setdefault(value.target, value.confidence)
    confidence = min(targets.values(), default=0.0)
    # Of definitions that only have the same name, one is meant. Of what a value may be, all are meant.
    return Resolution(tuple(targets), confidence, all_meant=confidence > UNIQUE)


def _behind(inference: Inference, value: Value, target: Target) -> Iterator[tuple[Target, float]]:
    """Yield what a call of a value runs in its place: what is assigned to it, and the method that makes it callable."""
    for content in inference.assigned(value, LEVELS):
        if content.form in (CALLABLE, TYPE) and content.target is not None and not is_library(content.target):
            yield content.target, content.confidence
    if value.form == INSTANCE or (value.form == TYPE and target.kind == "object"):
        for name in inference.language.protocols["call"]:
            if (member := inference.scope.at(target.path).member(target, name)) is not None:
                yield member, value.confidence


def _is_run(inference: Inference, value: Value, target: Target, *, is_alone: bool) -> bool:
    """Say whether a call of a value runs `target` itself: of a function, a class, or a file with scripts such as a component.

    A single object and a variant of an enum do so only if nothing runs in their place (`is_alone`), any other object never.
    """
    if value.form == MODULE:
        # A component is the file that defines it.
        return bool(inference.scope.at(target.path).language.script)
    if value.form == TYPE:
        return target.kind != "object" or is_alone
    # A variant of an enum is made by a call. Through a pointer to a function, its result would seem to be called.
    makes_variant = target.kind == "enum" and is_alone and not inference.language.pointers
    return value.form == CALLABLE or (value.form == INSTANCE and makes_variant)
