"""The words by which a search finds a chunk, in five fields: its name, path, signature, doc and body."""

from collections.abc import Sequence
from typing import Protocol

from code_graph_indexer.words import index_words


class Named(Protocol):
    """A chunk, as far as its words are concerned."""

    @property
    def name(self) -> str:
        """Return the simple name, empty for a block."""

    @property
    def qualified_name(self) -> str:
        """Return the full dotted name."""

    @property
    def signature(self) -> str:
        """Return the signature of a definition."""

    @property
    def doc(self) -> str:
        """Return the doc of a definition."""


def word_fields(
    path: str, chunks: Sequence[Named], members: Sequence[tuple[int, str]], bodies: Sequence[str]
) -> list[tuple[str, str, str, str, str]]:
    """Return five texts of search words for each chunk of a file: its name (with its members), path, signature, doc and body.

    `members` has the position of a chunk and the name of its member. `bodies` has the words of each chunk's body.
    """
    path_words = index_words(path)
    member_names: dict[int, list[str]] = {}
    for position, name in members:
        member_names.setdefault(position, []).append(name)
    return [
        (
            index_words(" ".join([chunk.name, *member_names.get(position, ())])),
            f"{path_words} {index_words(chunk.qualified_name)}",
            index_words(chunk.signature),
            index_words(chunk.doc),
            body,
        )
        for position, (chunk, body) in enumerate(zip(chunks, bodies, strict=True))
    ]
