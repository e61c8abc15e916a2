"""Pack the declarations of each library, `languages/<name>.lib.<extension>`, so that no start has to parse them.

usage: python scripts/pack_libraries.py
"""

from collections.abc import Iterator
from pathlib import Path

from code_graph_indexer.indexing.file import read_link_input
from code_graph_indexer.syntax.records import SourceFile

LANGUAGES = Path(__file__).parent.parent / "code_graph_indexer" / "languages"
MAX_CHUNK = 2_000
"""Most bytes of a chunk. Nobody searches a library, so that any size will do."""


def packs() -> Iterator[tuple[Path, bytes]]:
    """Yield the path of each packed library, and its bytes."""
    for declarations in sorted(LANGUAGES.glob("*.lib.*")):
        language, _, ending = declarations.name.partition(".lib.")
        if ending != "pack":
            text = declarations.read_bytes()
            source = SourceFile(declarations.name, language)
            yield LANGUAGES / f"{language}.lib.pack", read_link_input(source, text, MAX_CHUNK)[1]


if __name__ == "__main__":
    for path, packed in packs():
        path.write_bytes(packed)
