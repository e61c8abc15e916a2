"""Write an expression as an expression path: `self.load(a, 1)[0].name` → `self.load(a)[0].name`.

The resolver finds the type of an expression by this path. An expression path, here also "path", is a head followed by
steps. It is empty for an expression that has none. `syntax.trees` reads it from the syntax tree.

| head | meaning |
|---|---|
| a name | a variable, function or class |
| `''` | a text |
| `0` | any other literal |
| `<T>` | a cast to T |
| `"m"` | the module that the text m names, as in `require("m")` |
| `<yield>` | what is sent to a generator |
| `<^T>` | the bases of T, as in `super(T, self)` |
| `{}` | an object with the functions that stand in its braces |
| `[a|b]`, `{a|b}` | a list of `a` and `b`, and a mapping with these values |

| step | meaning |
|---|---|
| `.name` | a member |
| `()`, `(:=<T>,a,_,key=b)` | a call, with its type arguments, and the paths of its arguments or `_` |
| `[n]`, `[]` | the element at position n, or an element at an unknown position |
| `[*]`, `[:]` | each element in turn, or each with its key |
| `[>]` | the variable that a `with` binds |
| `[*~]`, `[>~]` | the same in `async for` and `async with` |
| `{a.p}`, `{a.p:b}` | parameter p of the function that a call passes as its argument a, after the argument `b` |
| `{.p}` | parameter p of a function |
| `{a.}` | what the parameter a takes |

An expression with several possible values (`a or b`, `x if c else y`) has several paths, joined by ` or `.

Only languages with type variables keep arguments: what `first(carts)` gives depends on what `carts` holds. `bare` drops them.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

ALTERNATIVE = " or "
"""The text between the paths of an expression with several possible values."""

ROOT = "::"
"""What begins the path of a name that is in no other definition."""

LAST_ARGUMENT = 99
"""The position of the last argument of a call, in a step such as `{99.0}`: a function behind the brackets."""

MAX_ALTERNATIVES = 4
"""Most paths of one expression. More paths no longer say which type it has."""

NO_ARGUMENT = "_"
"""What stands for an argument of a call that has no path."""

TYPE_ARGUMENT = ":="
"""What stands before a type argument of a call, which is a cast: `(:=<Cart>,carts)`."""

MAX_ARGUMENTS = 6
"""Most arguments of a call that are read. Later ones seldom say what the call gives."""

ARGUMENT_LIMIT = 60
"""Characters of the longest path of an argument."""

MAX_ELEMENTS = 24
"""Most elements of a list or mapping that are read."""

ELEMENTS_LIMIT = 320
"""Characters of the longest path of a list or mapping."""

PATH_LIMIT = 160
"""Characters of the longest path. The resolver does not follow a longer chain to its end."""

SOURCE_LIMIT = 4_000
"""Bytes of the longest expression that is read."""

OPERATOR, NAMED = "=", "~"
"""The starts of the names of references that run a method without a call.

These are a step such as `=size`, and the start of a name that code puts together: `~visit_`.
"""

SENT = "<yield>"
"""The path of what is sent to the generator around an expression."""

TEXT, NUMBER, NULL, OBJECT = "''", "0", "null", "{}"
"""The heads of paths that are literals."""

_ARGUMENTS = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))+\)|(?<=\d):[^{}]*(?=\})")
_HEAD = re.compile(r"[^\W\d]\w*")
_BRACKET = re.compile(r"[()\[\]{}]")
_RECORD = re.compile(r"\bstruct\s*\{")
_RECORD_FIELD = re.compile(r"\s*([\w, \t]*?\w)[ \t]+(\S.*)")


def _end_of_brackets(text: str, opening: int) -> int:
    """Return the position behind the bracket that closes the one at `opening`, or the end of the text."""
    depth = 0
    for match in _BRACKET.finditer(text, opening):
        depth += 1 if match[0] in "([{" else -1
        if depth == 0:
            return match.end()
    return len(text)


def record_type(text: str) -> str:
    """Write the records in a type as others are: `[]struct { a, b int }` → `[]{a: int; b: int}`."""
    match = _RECORD.search(text)
    if match is None:
        return text
    end = _end_of_brackets(text, match.end() - 1)
    fields: list[str] = []
    for line in re.split(r"[;\n]", re.sub(r"//[^\n]*", "", text[match.end() : end - 1])):
        if field := _RECORD_FIELD.match(line):
            fields += [f"{name.strip()}: {field[2].strip()}" for name in field[1].split(",")]
    return f"{text[: match.start()]}{{{'; '.join(fields)}}}{record_type(text[end:])}"


def parted(text: str) -> list[str]:
    """Split a text at the commas that are in no brackets: `a,f(b,c)` → `a`, `f(b,c)`."""
    parts = [""]
    depth = 0
    for mark in text:
        depth += (mark in "([<") - (mark in ")]>")
        if mark == "," and not depth:
            parts.append("")
        else:
            parts[-1] += mark
    return parts


def head_of(path: str) -> str:
    """Return the name at the head of an expression path, or an empty text if the path does not begin with a name."""
    match = _HEAD.match(path)
    return match[0] if match else ""


@lru_cache(maxsize=50_000)
def bare(path: str) -> str:
    """Return an expression path without the arguments of its calls: `first(carts).total(x)` → `first().total()`."""
    if path.count("(") == path.count("()") and ":" not in path:
        return path
    return ALTERNATIVE.join(_bare(alternative) for alternative in path.split(ALTERNATIVE))


def _bare(path: str) -> str:
    """Drop the arguments of the calls in one path, but none of the cast at its head."""
    head = path[: end_of_cast(path)]
    return head + _ARGUMENTS.sub(lambda match: "()" if match[0][0] == "(" else "", path[len(head) :])


def end_of_cast(path: str) -> int:
    """Return where the type in angle brackets ends that a path begins with: 6 for `<Cart>.total`. 0 if it has none."""
    depth = 0
    for position, mark in enumerate(path if path.startswith("<") else ""):
        # The `>` of `->` and `=>` closes nothing.
        depth += (mark == "<") - (mark == ">" and path[position - 1] not in "-=")
        if depth == 0:
            return position + 1
    return 0


def stepped(path: str, step: str) -> str:
    """Append a step to each of the alternatives of a path: `a or b` with the step `()` → `a() or b()`."""
    if ALTERNATIVE not in path:
        return path + step if path else ""
    return ALTERNATIVE.join(alternative + step for alternative in path.split(ALTERNATIVE))


def joined(paths: Iterable[str]) -> str:
    """Write several paths as the alternatives of one."""
    alternatives = dict.fromkeys(
        alternative for path in paths for alternative in path.split(ALTERNATIVE) if alternative
    )
    return ALTERNATIVE.join([*alternatives][:MAX_ALTERNATIVES])


def limited(path: str) -> str:
    """Return a path without its arguments if it is too long, and an empty text if it is too long even so."""
    limit = ELEMENTS_LIMIT if path.startswith(("[", "{")) else PATH_LIMIT
    if len(path) > limit:
        path = bare(path)
    return path if len(path) <= limit else ""


def position_step(text: str) -> str:
    """Write the step to an element. The position is kept only if it is a number below 100."""
    return f"[{text}]" if text.isdigit() and len(text) < 3 else "[]"


def cast_to(type_text: str) -> str:
    """Write a cast as the head of a path: `T` → `<T>`. The head is empty if the type is empty or names several types."""
    bare = " ".join(record_type(type_text).split())
    return f"<{bare}>" if bare and ALTERNATIVE not in bare else ""
