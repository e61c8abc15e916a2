"""Find the code in files of another kind, such as the scripts of a component."""

from collections.abc import Iterator

from code_graph_indexer.languages import Language
from code_graph_indexer.languages.scan import matches
from code_graph_indexer.syntax.conditionals import blanked

SEPARATOR = b";"
"""What ends a statement in every language whose code stands in scripts."""


def scripts_of(source: bytes, language: Language) -> bytes:
    """Replace all but the scripts by blanks, in a language whose code stands in scripts. Every byte keeps its place.

    A group of the pattern with a name is a script that opens a block. Only the indentation closes it, so the name, which
    is the word that closes blocks, stands behind the text once for each.
    """
    if language.script is None:
        return source
    text, closing = bytearray(blanked(source)), bytearray()
    for match in matches(language.script, source):
        for word, script in match.groupdict().items():
            closing += b"" if script is None else SEPARATOR + word.encode()
        for group in range(1, match.re.groups + 1):
            start, end = match.span(group)
            if start >= 0:
                text[start:end] = source[start:end]
                # The next script is another statement. Line ends stay, because a comment reaches to them.
                behind = end + (source[end : end + 1] == b"\n")
                if source[end - 1 : end] != b"\n" and source[behind : behind + 1] not in (b"", b"\n"):
                    text[behind : behind + 1] = SEPARATOR
    return bytes(text + closing)


def embedded_texts(source: bytes, language: Language) -> Iterator[tuple[str, bytes]]:
    """Yield each language of which code stands in the texts of a file, and the file with all but that code as blanks."""
    for name, pattern in language.embedded_patterns:
        text: bytearray | None = None
        for match in matches(pattern, source):
            text = text or bytearray(blanked(source))
            text[slice(*match.span(1))] = match[1]
        if text is not None:
            yield name, bytes(text)
