"""Split the expressions that `syntax` captures into steps: `self.load()[*].name` into `self`, `.load`, `()`, `[*]`, `.name`.

These notations belong to the captures. They are the same for all languages.
"""

import re
from functools import lru_cache

CALL = "()"
"""A call of what stands before."""

EACH = "[*]"
"""Each element of what stands before, in turn: a loop."""

ENTER = "[>]"
"""What entering the value gives: `with value as …`."""

PAIRS = "[:]"
"""Each key with its element."""

TEXT, NUMBER, NULL = "''", "0", "null"
"""The heads that stand for literals: texts, all other values, and nothing."""

NULL_ARGUMENT = "null"
LITERAL_ARGUMENTS = ('"', "'", "1", "1.", "true")
"""How the arguments of a call tell literals, in the order of the header `literal-types`."""

_STEP = re.compile(r"\.?[@$#]{0,2}[^\W\d][\w$]*|\(\)|\[[^\]]*\]|\{\d*\.\d+\}|''|0")


@lru_cache(maxsize=50_000)
def steps_of(expression: str) -> tuple[str, ...]:
    """Split an expression into its head and its steps.

    The head may be a type in angle brackets: `<List<User>>[*]` is an element of such a list.
    """
    if not expression.startswith("<"):
        return tuple(_STEP.findall(expression))
    depth = 0
    for position, mark in enumerate(expression):
        # The `>` of `->` and `=>` closes nothing.
        depth += (mark == "<") - (mark == ">" and expression[position - 1] not in "-=")
        if depth == 0:
            return (expression[: position + 1], *_STEP.findall(expression[position + 1 :]))
    return ()
