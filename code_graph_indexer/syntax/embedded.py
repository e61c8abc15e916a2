"""Read the code in files of another kind: the scripts of a component, and what its template calls."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.conditionals import blanked

MAX_TEMPLATE = 500_000
"""Most bytes of a file whose template is read."""

_NAME = re.compile(rb"[^\W\d][\w$]*")


SEPARATOR = b";"
"""What ends a statement in every language whose code stands in scripts."""


class TemplateUse(NamedTuple):
    """A use of a name in a template, at byte `start`.

    `kind` is `calls` or `references`. `arguments` is the number of arguments of a call, or -1 if it is not known.
    """

    start: int
    kind: str
    name: str
    receiver: str
    arguments: int


def scripts_of(source: bytes, language: Language) -> bytes:
    """Replace all but the scripts by blanks, in a language whose code stands in scripts. Every byte keeps its place."""
    if language.script is None:
        return source
    text = bytearray(blanked(source))
    for match in language.script.finditer(source):
        for group in range(1, match.re.groups + 1):
            start, end = match.span(group)
            if start >= 0:
                text[start:end] = source[start:end]
                if end < len(source) and source[end - 1 : end] != b"\n":
                    # The next script on the line is another statement.
                    text[end : end + 1] = SEPARATOR
    return bytes(text)


def embedded_texts(source: bytes, language: Language) -> Iterator[tuple[str, bytes]]:
    """Yield each language of which code stands in the texts of a file, and the file with all but that code as blanks."""
    for name, pattern in language.embedded_patterns:
        text: bytearray | None = None
        for match in pattern.finditer(source):
            text = text or bytearray(blanked(source))
            text[slice(*match.span(1))] = match[1]
        if text is not None:
            yield name, bytes(text)


def template_uses(source: bytes, scripts: bytes, language: Language) -> Iterator[TemplateUse]:
    """Yield the components that a template shows, and the names of its scripts that it calls or passes."""
    if len(source) > MAX_TEMPLATE:
        return
    # Where there are no helpers, the words of the scripts are the only names that a template can use.
    words = None if language.helpers else {match[0] for match in _NAME.finditer(scripts)}
    template = bytes(mark if code in b" \n" else ord(" ") for mark, code in zip(source, scripts, strict=True))
    for kind, pattern in language.template_patterns:
        for match in pattern.finditer(template):
            receiver, _, name = match[1].rpartition(b".")
            if b"-" in name:
                # `<cart-row>` is the component CartRow.
                name = b"".join(part.capitalize() for part in name.split(b"-"))
            if words is None or (receiver.partition(b".")[0] or name) in words:
                # A component that is a function gets its attributes as one argument.
                is_function = words is None and match[0].startswith(b"<")
                yield TemplateUse(match.start(1), kind, name.decode(), receiver.decode(), 1 if is_function else -1)
