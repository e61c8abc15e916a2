"""Read the cells of a notebook, and its code as one file. A line keeps its number in the notebook's own text if it can."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from code_graph_indexer.languages import languages

IMAGES = ("image/png", "image/jpeg")
"""Types of images in which nothing can run."""

_SOURCE = '"source"'
_MAGIC = ("%", "!", "?")


@dataclass(frozen=True, slots=True)
class Output:
    """An output of a cell: its plain text, an image in base64 in place of it, or the types of what is neither."""

    text: str = ""
    image: str = ""
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook: its type, its text and its outputs.

    Its code stands in the rows [start, end) of the notebook's code, from 0.
    """

    kind: str
    source: str
    outputs: tuple[Output, ...]
    start: int
    end: int


@cache
def _endings() -> tuple[str, ...]:
    """List the endings of notebooks."""
    return tuple(ending for language in languages().values() for ending in language.notebooks)


def is_notebook(path: str) -> bool:
    """Say whether a path is that of a notebook, by its ending."""
    return path.endswith(_endings())


def source_text(path: str, text: bytes) -> bytes | None:
    """Return the text of a file as code: the code cells of a notebook, and the text itself of any other file.

    Return None for a broken notebook.
    """
    if not is_notebook(path):
        return text
    notebook = read_notebook(text)
    return None if notebook is None else notebook[1]


def read_notebook(text: bytes) -> tuple[list[Cell], bytes] | None:
    """Return the cells of a notebook, and its code cells as the text of one file, or None for a broken notebook.

    Each line is put on the row where the notebook has it, and what is for the notebook alone becomes a comment. Lines that
    share a row there follow each other. They push down what is below, until an empty row takes that up.
    """
    rows: list[str] = []
    cells: list[Cell] = []
    try:
        for cell, lines in _numbered(json.loads(text)["cells"], text.decode("utf-8", "replace")):
            start = max(len(rows), lines[0][0]) if lines else 0
            for number, line in lines:
                rows += [""] * (number - len(rows))
                rows.append(f"# {line}" if line.lstrip().startswith(_MAGIC) else line)
            cells.append(Cell(cell["cell_type"], _text(cell["source"]), tuple(_outputs(cell)), start, len(rows)))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return cells, "".join(f"{row}\n" for row in rows).encode("utf-8", "replace")


def _outputs(cell: Mapping[str, Any]) -> Iterator[Output]:
    """Yield the outputs of a cell. What is none is left out, because code can be read without it."""
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        if not isinstance(data, dict):
            yield Output(_text(output.get("text")) or _text(output.get("traceback"), "\n"))
            continue
        image = next((text for kind in IMAGES if (text := _text(data.get(kind)))), "")
        text = "" if image else _text(data.get("text/plain"))
        yield Output(text, image, () if text or image else tuple(data))


def _text(value: object, between: str = "") -> str:
    """Return a text that a notebook writes as a whole or as a list of its lines. Anything else is an empty text."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return between.join(value)
    return value if isinstance(value, str) else ""


def _numbered(cells: list[dict[str, Any]], text: str) -> Iterator[tuple[dict[str, Any], list[tuple[int, str]]]]:
    """Yield each cell with its lines of code, and the number of the line of the notebook where each is written, from 0.

    A source whose spelling in JSON cannot be foreseen keeps the last number, and so does all that follows.
    """
    place, number, is_written_so = 0, 0, True
    for cell in cells:
        source = cell["source"]
        lines: list[tuple[int, str]] = []
        start = text.find(_SOURCE, place)
        for part in source if isinstance(source, list) else [source]:
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
                lines += [(number, line) for line in part.removesuffix("\n").split("\n")]
            start = max(start, 0) + 1
        yield cell, lines
