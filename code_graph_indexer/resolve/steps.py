"""Split expression paths into steps: `self.load()[*].name` → `self`, `.load`, `()`, `[*]`, `.name`.

An expression path is the short form in which `syntax` captures an expression. It is the same for all languages.
"""

import re
from functools import lru_cache

from code_graph_indexer.syntax.expressions import NO_ARGUMENT, end_of_cast, parted

CALL = "("
"""The start of a step that calls the value before it: `()`, or `(carts,_)` with the paths of arguments."""

EACH = "[*]"
"""The step from a collection to each of its elements, as in a loop."""

ENTER = "[>]"
"""The step from a value to what `with value as …` assigns."""

DELAYED = "~]"
"""The end of the steps EACH and ENTER where they are awaited: `[*~]` for `async for`."""

PAIRS = "[:]"
"""The step from a mapping to pairs of key and element."""

NULL_ARGUMENT = "null"
LITERAL_ARGUMENTS = ('"', "'", "1", "1.", "true")
"""The literals as arguments of a call, in the order of the header `literal-types` of a language file."""

_CONTAINER = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\{[^{}]*\}")
_STEP = re.compile(
    r"\.?(?:::)?[@$#]{0,2}[^\W\d][\w$]*[?!]?|\$\d+|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\]|\{\d*\.\d*(?::[^{}]*)?\}|''|0"
)


@lru_cache(maxsize=50_000)
def steps_of(expression: str) -> tuple[str, ...]:
    """Split an expression path into its head and its steps. The tuple is empty if the path cannot be read.

    The head may be a type in angle brackets: in `<List<User>>[*]` the head is the type `List<User>`. It may be a list or a
    mapping, as in `[a|b][*]`. It may be a module in quotes.
    """
    if expression.startswith('"'):
        end_of_text = expression.find('"', 1) + 1
        return (expression[:end_of_text], *_STEP.findall(expression[end_of_text:])) if end_of_text else ()
    if expression.startswith(("[", "{")):
        end = _CONTAINER.match(expression)
        return (end[0], *_STEP.findall(expression[end.end() :])) if end else ()
    if not expression.startswith("<"):
        return tuple(_STEP.findall(expression))
    end_of_head = end_of_cast(expression)
    return (expression[:end_of_head], *_STEP.findall(expression[end_of_head:])) if end_of_head else ()


def calls_at(steps: tuple[str, ...], position: int) -> bool:
    """Say whether the step at a position is a call."""
    return len(steps) > position and steps[position][0] == CALL


@lru_cache(maxsize=10_000)
def arguments_of(step: str) -> tuple[tuple[str, str], ...]:
    """Return the arguments in a step as pairs of name and path: `(carts,late=x)` → `carts` without a name, and `x`.

    A step to a parameter of a function has the arguments before the function: `{1.0:carts}`.
    """
    inside = step[1:-1] if step[0] == CALL else step[1:-1].partition(":")[2]
    pairs = (text.rpartition("=") for text in parted(inside)) if inside else ()
    return tuple((name, "" if path == NO_ARGUMENT else path) for name, _, path in pairs)


@lru_cache(maxsize=10_000)
def argument_names(expression: str) -> tuple[str, ...]:
    """Return the names that the arguments in an expression path begin with, on which its value may depend."""
    names: dict[str, None] = {}
    for step in steps_of(expression):
        if step[0] == CALL or ":" in step:
            for _, path in arguments_of(step):
                head = steps_of(path)[:1]
                names.update(dict.fromkeys((*head, *argument_names(path))))
    return tuple(names)


def at_once(step: str) -> str:
    """Return a step as it is where nothing is awaited: `[*~]` → `[*]`."""
    return step.replace(DELAYED, "]")
