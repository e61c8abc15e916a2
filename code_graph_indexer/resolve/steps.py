"""Split expression paths into steps: `self.load()[*].name` → `self`, `.load`, `()`, `[*]`, `.name`.

An expression path is the short form in which `syntax` captures an expression. It is the same for all languages.
"""

import re
from functools import lru_cache

CALL = "()"
"""The step that calls the value before it."""

EACH = "[*]"
"""The step from a collection to each of its elements, as in a loop."""

ENTER = "[>]"
"""The step from a value to what `with value as …` assigns."""

DELAYED = "~]"
"""The end of the steps EACH and ENTER where they are awaited: `[*~]` for `async for`."""

PAIRS = "[:]"
"""The step from a mapping to pairs of key and element."""

TEXT, NUMBER, NULL = "''", "0", "null"
"""The first parts of expression paths that are literals: a text, any other value, and null."""

NULL_ARGUMENT = "null"
LITERAL_ARGUMENTS = ('"', "'", "1", "1.", "true")
"""The literals as arguments of a call, in the order of the header `literal-types` of a language file."""

_CONTAINER = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\{[^{}]*\}")
_STEP = re.compile(r"\.?(?:::)?[@$#]{0,2}[^\W\d][\w$]*|\(\)|\[[^\]]*\]|\{\d*\.\d+\}|''|0")


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
    depth = 0
    for position, mark in enumerate(expression):
        # The `>` of `->` and `=>` closes nothing.
        depth += (mark == "<") - (mark == ">" and expression[position - 1] not in "-=")
        if depth == 0:
            return (expression[: position + 1], *_STEP.findall(expression[position + 1 :]))
    return ()


def at_once(step: str) -> str:
    """Return a step as it is where nothing is awaited: `[*~]` → `[*]`."""
    return step.replace(DELAYED, "]")
