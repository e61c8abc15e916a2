"""Read the code in files of another kind: the scripts of a component, and what its template calls."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.conditionals import blanked

MAX_TEMPLATE = 500_000
"""Most bytes of a file whose template is read."""

_NAME = re.compile(rb"[^\W\d][\w$]*")


class TemplateUse(NamedTuple):
    """A use of a name in a template, at byte `start`. `kind` is `calls` or `references`."""

    start: int
    kind: str
    name: str
    receiver: str


def scripts_of(source: bytes, language: Language) -> bytes:
    """Replace all but the scripts by blanks, in a language whose code stands in scripts. Every byte keeps its place."""
    if language.script is None:
        return source
    text = bytearray(blanked(source))
    for match in language.script.finditer(source):
        for group in range(1, match.re.groups + 1):
            start, end = match.span(group)
            # A group that does not take part has no place.
            text[max(start, 0) : max(end, 0)] = source[max(start, 0) : max(end, 0)]
    return bytes(text)


def template_uses(source: bytes, scripts: bytes, language: Language) -> Iterator[TemplateUse]:
    """Yield the components that a template shows, and the names of its scripts that it calls or passes."""
    if len(source) > MAX_TEMPLATE:
        return
    # The words of the scripts are the only names that a template can use.
    words = {match[0] for match in _NAME.finditer(scripts)}
    template = bytes(mark if code in b" \n" else ord(" ") for mark, code in zip(source, scripts, strict=True))
    for kind, pattern in language.template_patterns:
        for match in pattern.finditer(template):
            receiver, _, name = match[1].rpartition(b".")
            if b"-" in name:
                # `<cart-row>` is the component CartRow.
                name = b"".join(part.capitalize() for part in name.split(b"-"))
            if (receiver.partition(b".")[0] or name) in words:
                yield TemplateUse(match.start(1), kind, name.decode(), receiver.decode())
