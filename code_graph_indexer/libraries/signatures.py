"""Read the parameters of a signature and the arguments of a call, in any language with brackets, and compare them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

CALL_LINES = 40
"""The most lines of a call that are read for its arguments."""

_MARKS = re.compile(r"#\s*(?:type:\s*ignore|noqa)\S*")
_WORD = re.compile(r"[^\W\d][\w$]*")
_NAMED = re.compile(r"([^\W\d]\w*)\s*(?:=(?![=>~])|(:)(?![:=]))")
_STRING = re.compile(r"([\"'`])(?:\\.|(?!\1)[^\\\n])*\1")
_REST = re.compile(r"\.\.\.\s*[\w$*(\[{]")
_OPENS = re.compile(r"[^\W\d][\w$]*[?!]?\s*(?:<[^()<>]*>\s*|\[[^()]*\]\s*)?(?:\?\.)?(?=\()")
_OPEN, _CLOSE = "([{<", ")]}>"
_SELF = ("self", "cls", "&self", "&mut self")


class Parameter(NamedTuple):
    """A parameter as a signature writes it.

    `optional` says that a call may leave it out, and `by_name` that a call passes it by name only.
    """

    name: str
    optional: bool
    text: str
    by_name: bool = False

    @property
    def takes_rest(self) -> bool:
        """Say whether it takes any number of arguments."""
        return self.text.startswith(("*", "&")) or _REST.search(self.text.partition("=")[0]) is not None


class Arguments(NamedTuple):
    """The arguments of a call: how many it passes by position, and the names of the rest.

    `is_open` says that it may pass more: `run(*rest)`.
    """

    by_position: int
    names: tuple[str, ...]
    is_open: bool


def _parts(text: str, start: int, brackets: tuple[str, str]) -> list[str] | None:
    """Return the texts between the commas in the bracket at `start`. None if it does not end. Strings are passed over."""
    opening, closing = brackets
    depth, begin, at, parts = 0, start + 1, start, list[str]()
    while at < len(text):
        character = text[at]
        if (string := _STRING.match(text, at)) is not None and text[at - 1] not in "&<":
            at = string.end() - 1
        elif character in opening:
            depth += 1
        elif character in closing and not (character == ">" and text[at - 1] in "=-"):
            depth -= 1
            if not depth:
                return [*parts, text[begin:at]]
        elif character == "," and depth == 1:
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    return None


def parameters(signature: str, name: str) -> list[Parameter] | None:
    """Read the parameters of a signature in any language with brackets. None if it has none that can be read."""
    signature = _MARKS.sub("", signature)
    start = signature.find("(", max(0, signature.find(name)))
    texts = _parts(signature, start, (_OPEN, _CLOSE)) if start >= 0 else None
    return None if texts is None else list(_parameters(texts))


def _parameters(texts: Sequence[str]) -> Iterator[Parameter]:
    """Read parameters. `*`, `/` and the object itself are none."""
    by_name = False
    for text in (" ".join(text.split()) for text in texts):
        match = _WORD.search(text)
        if match is not None and text not in _SELF:
            head = text.partition("=")[0]
            entry = Parameter(match[0], "=" in text.replace("=>", "") or "?" in head, text, by_name)
            yield entry._replace(optional=entry.optional or entry.takes_rest)
        by_name = by_name or (text.startswith("*") and not text.startswith("**"))


def arguments(text: str) -> Arguments | None:
    """Read the arguments of the call that a text begins with. None if it begins with none that can be read."""
    opening = _OPENS.match(text)
    parts = _parts(text, opening.end(), ("([{", ")]}")) if opening is not None else None
    if parts is None:
        return None
    values = [value for part in parts if (value := part.strip())]
    names = tuple(match[1] for value in values if (match := _NAMED.match(value)) and match[1] != "lambda")
    is_open = any(value.startswith(("*", "...")) or value.endswith("...") for value in values)
    return Arguments(len(values) - len(names), names, is_open)


def least_call(signature: Sequence[Parameter]) -> Arguments:
    """Return the call that passes what the parameters of a signature need, and no more."""
    needed = [entry for entry in signature if not entry.optional]
    names = tuple(entry.name for entry in needed if entry.by_name)
    return Arguments(len(needed) - len(names), names, is_open=False)


def broken(call: Arguments, before: Sequence[Parameter], after: Sequence[Parameter]) -> bool:
    """Say whether a call that fits the parameters before does not fit those after."""
    olds, news = ({entry.name for entry in entries} for entries in (before, after))
    # A name that was no parameter went to the rest, or is a part of an expression.
    passed = olds.intersection(call.names)
    if passed - news and not any(entry.text.startswith("**") for entry in after):
        return True
    places = [entry for entry in after if not entry.by_name and not entry.text.startswith("**")]
    count = call.by_position + len(call.names) - len(passed)
    if not call.is_open and count > len(places) and not any(entry.takes_rest for entry in places):
        return True
    if _is_shifted(before[:count], places, olds, news):
        return True
    reached = passed.union(entry.name for entry in places[:count])
    return not call.is_open and any(not entry.optional and entry.name not in reached for entry in after)


def _is_shifted(before: Sequence[Parameter], after: Sequence[Parameter], olds: set[str], news: set[str]) -> bool:
    """Say whether arguments that are passed by position go to other parameters than before."""
    for was, now in zip(before, after, strict=False):
        if was.takes_rest or now.takes_rest:
            return False
        # A parameter with a new name is still the same one, if the name is new.
        if was.name != now.name and (was.name in news or now.name in olds):
            return True
    return False
