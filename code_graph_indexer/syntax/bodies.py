"""Read the bodies of functions that the grammar knows only in part, such as procedures in SQL, by patterns."""

from collections.abc import Iterable, Iterator

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.conditionals import blanked
from code_graph_indexer.syntax.innermost import Span


def bodies(source: bytes, language: Language) -> list[Span]:
    """List the bodies that the patterns of a language read. The same mark stands before and behind a body.

    Example:
        >>> from code_graph_indexer.languages import languages
        >>> bodies(b"do $$ begin perform f(); end $$", languages()["sql"])
        [(5, 29)]
    """
    spans: list[Span] = []
    position = 0
    pattern = language.body_start
    while pattern is not None and (match := pattern.search(source, position)):
        start, mark = match.end(1), match[1]
        end = source.find(mark, start)
        position = start if end < 0 else end + len(mark)
        if end >= 0:
            spans.append((start, end))
    return spans


def without_bodies(source: bytes, spans: Iterable[Span], language: Language) -> bytes:
    """Replace each body by the shortest text that the grammar takes for one. Every byte keeps its place."""
    filling = language.body_filling.encode()
    for start, end in spans:
        if end - start > len(filling):
            source = source[:start] + b" " + filling + blanked(source[start + 1 + len(filling) : end]) + source[end:]
    return source


def names_in(source: bytes, spans: Iterable[Span], language: Language) -> Iterator[tuple[int, str, str]]:
    """Yield the names in bodies: the first byte, the kind of edge (`calls` or `references`) and the name."""
    pattern = language.body_names
    for start, end in spans:
        for match in pattern.finditer(source, start, end) if pattern is not None else ():
            for group, kind in (("call", "calls"), ("value", "references")):
                if match[group]:
                    yield match.start(group), kind, match[group].decode("utf-8", "replace")
