"""Read the code cells of a notebook as one file of code. A line keeps its number in the notebook's own text if it can."""

import json
from collections.abc import Iterable, Iterator

from code_graph_indexer.languages import languages

_SOURCE = '"source"'
_MAGIC = ("%", "!", "?")


def source_text(path: str, text: bytes) -> bytes | None:
    """Return the text of a file as code: the code cells of a notebook, and the text itself of any other file.

    Return None for a broken notebook.
    """
    if not path.endswith(_endings()):
        return text
    try:
        notebook = json.loads(text)
        code = _placed(_code_lines(notebook["cells"], text.decode("utf-8", "replace")))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return code.encode("utf-8", "replace")


def _endings() -> tuple[str, ...]:
    """Return the endings of paths to notebooks, of all languages."""
    return tuple(ending for language in languages().values() for ending in language.notebooks)


def _code_lines(cells: list[dict[str, object]], text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of the code cells, each with the number of the line of the notebook where it is written, from 0.

    A source whose spelling in JSON cannot be foreseen keeps the last number, and so does all that follows.
    """
    place, number, is_written_so = 0, 0, True
    for cell in cells:
        source = cell["source"]
        parts = source if isinstance(source, list) else [source]
        start = text.find(_SOURCE, place)
        for part in parts:
            if not isinstance(part, str):
                raise TypeError(part)
            # Whoever writes JSON chooses how other letters than ASCII's are written.
            spellings = {json.dumps(part, ensure_ascii=False), json.dumps(part)} if is_written_so else ()
            places = [at for spelling in spellings if (at := text.find(spelling, max(start, 0))) >= 0]
            is_written_so = bool(places)
            if places:
                number += text.count("\n", place, min(places))
                place = start = min(places)
            if cell["cell_type"] == "code":
                yield from ((number, line) for line in part.removesuffix("\n").split("\n"))
            start = max(start, 0) + 1


def _placed(lines: Iterable[tuple[int, str]]) -> str:
    """Put each line on the row where the notebook has it, and make a comment of what is for the notebook alone.

    Lines that share a row there follow each other. They push down what is below, until an empty row takes that up.
    """
    rows: list[str] = []
    for number, line in lines:
        rows += [""] * (number - len(rows))
        rows.append(f"# {line}" if line.lstrip().startswith(_MAGIC) else line)
    return "".join(f"{row}\n" for row in rows)
