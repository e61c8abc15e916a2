"""Put what type variables are bound to (`Given`) into values and the texts of types."""

import re
from collections.abc import Sequence

from code_graph_indexer.resolve.values import EXTERNAL, UNBOUND, Given, TypeText, Value, Values
from code_graph_indexer.storage.records import Target

_WORD = re.compile(r"[^\W\d]\w*")


def merge_bindings(given: Given, later: Given) -> Given:
    """Join two groups of bindings. Where both bind a name, the binding of `later` counts."""
    return tuple((dict(given) | dict(later)).items()) if given and later else given or later


def substitute(result: Value, given: Given) -> Values:
    """Replace the type variables that a value still has, or that its type arguments name, by their bindings.

    Most are replaced before, when the text of a type is read (`TypeText.given`). These are the variables that were left.
    """
    if not given:
        return (result,)
    if result.form == EXTERNAL and result.name.startswith(UNBOUND):
        return dict(given).get(result.name.removeprefix(UNBOUND)) or (result,)
    if any(not arg.given for arg in result.args):
        return (result._replace(args=tuple(arg if arg.given else with_bindings(arg, given) for arg in result.args)),)
    return (result,)


def without_unbound(results: Values, given: Given) -> Values:
    """Return the values without the type variables that nothing binds, or all of them if nothing else is left."""
    if len(results) < 2:
        return results
    names = {UNBOUND + name for name, _ in given}
    return tuple(result for result in results if not result.name.startswith(UNBOUND) or result.name in names) or results


def with_bindings(text: TypeText, given: Given) -> TypeText:
    """Return the text of a type with those of the bindings that it names. They replace what was bound in it before."""
    words = _WORD.findall(text.text)
    kept = tuple((name, values) for name, values in given if name in words)
    return text._replace(given=kept) if kept else text


def as_type_arguments(cls: Target, variables: Sequence[str], given: Given) -> tuple[TypeText, ...]:
    """Write bindings as the type arguments of an object of a class, one for each of its `variables`. Empty if none is bound."""
    known = dict(given)
    if not any(name in known for name in variables):
        return ()
    return tuple(
        TypeText(cls.path, name, None, cls.dotted, ((name, known[name]),) if name in known else ())
        for name in variables
    )
