"""Read the code in files of another kind: the scripts of a component, and what its template calls."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.recover import blanked

MAX_TEMPLATE = 500_000
"""Most bytes of a file whose template is read."""

_NAME = re.compile(rb"[^\W\d][\w$]*")
_FLAGS = re.MULTILINE | re.DOTALL


class TemplateUse(NamedTuple):
    """A use of a name in a template, at byte `start`. `kind` is `calls` or `references`."""

    start: int
    kind: str
    name: str
    receiver: str


class _Patterns(NamedTuple):
    script: re.Pattern[bytes]
    components: re.Pattern[bytes] | None
    calls: re.Pattern[bytes] | None
    handlers: re.Pattern[bytes] | None


@cache
def _patterns(language_name: str) -> _Patterns | None:
    language = languages()[language_name]
    if language.script is None:
        return None
    others = (
        re.compile(pattern.pattern.encode(), _FLAGS) if pattern else None
        for pattern in (language.template_components, language.template_calls, language.template_handlers)
    )
    return _Patterns(re.compile(language.script.pattern.encode(), _FLAGS), *others)


def scripts_of(source: bytes, language_name: str) -> bytes:
    """Replace all but the scripts by blanks, in a language whose code stands in scripts. Every byte keeps its place."""
    patterns = _patterns(language_name)
    if patterns is None:
        return source
    text = bytearray(blanked(source))
    for match in patterns.script.finditer(source):
        for group in range(1, match.re.groups + 1):
            start, end = match.span(group)
            # A group that does not take part has no place.
            text[max(start, 0) : max(end, 0)] = source[max(start, 0) : max(end, 0)]
    return bytes(text)


def template_uses(source: bytes, scripts: bytes, language_name: str) -> Iterator[TemplateUse]:
    """Yield the components that a template shows, and the names of its scripts that it calls or passes."""
    patterns = _patterns(language_name)
    if patterns is None or len(source) > MAX_TEMPLATE:
        return
    # The words of the scripts are the only names that a template can use.
    words = {match[0] for match in _NAME.finditer(scripts)}
    template = bytes(mark if code in b" \n" else ord(" ") for mark, code in zip(source, scripts, strict=True))
    for kind, pattern in (
        ("references", patterns.handlers),
        ("calls", patterns.calls),
        ("calls", patterns.components),
    ):
        for match in pattern.finditer(template) if pattern is not None else ():
            receiver, _, name = match[1].rpartition(b".")
            if b"-" in name:
                # `<cart-row>` is the component CartRow.
                name = b"".join(part.capitalize() for part in name.split(b"-"))
            if (receiver.partition(b".")[0] or name) in words:
                yield TemplateUse(match.start(1), kind, name.decode(), receiver.decode())
