"""Show a notebook as a page: its cells in order, its code with links, and of its outputs text and images alone."""

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from markupsafe import Markup

from code_graph_indexer.syntax.notebook import Cell, Output
from code_graph_indexer.web.code import HIDDEN, CodeFile, code_lines
from code_graph_indexer.web.links import code_link
from code_graph_indexer.web.prose import MAX_SHOWN, Document, Heading, Places, document

MAX_CELLS = 1_000
"""Most cells that are shown. The code of all is in the source."""

MAX_OUTPUTS, MAX_OUTPUT = 50, 10_000
"""Most outputs of a cell, and most characters of an output."""

MAX_IMAGE = 5_000_000
"""Most bytes of an image."""

SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""What images begin with, and their types."""

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def notebook(cells: Sequence[Cell], code: CodeFile, places: Places) -> Document:
    """Return the cells of a notebook as HTML. `code` is the text of all its code cells."""
    headings: list[Heading] = []
    counts: dict[str, int] = {}
    pieces: list[Markup] = []
    left = MAX_SHOWN
    for number, cell in enumerate(cells[:MAX_CELLS]):
        # What a cell costs is its text: that of its outputs is bounded.
        left -= len(cell.source)
        if left < 0:
            break
        if cell.kind == "markdown":
            shown = document(cell.source, code.path, places, counts)
            headings += shown.headings
            pieces.append(shown.html)
        elif cell.kind == "code":
            pieces += [_code(cell, code), *_outputs(cell, number, code.path)]
        else:
            pieces.append(_block(_cut(cell.source), "snippet"))
    if len(cells) > MAX_CELLS or left < 0:
        pieces.append(Markup("<p>The rest is not shown.</p>\n"))
    return Document(Markup("").join(pieces), tuple(headings))


def _code(cell: Cell, code: CodeFile) -> Markup:
    """Return a cell of code with its links, below one to its lines in the source."""
    first, last = cell.start + 1, cell.end
    lines = code_lines(code, first, last)
    if not any(lines):
        return Markup("")
    title = f"lines {first} to {last}" if last > first else f"line {first}"
    return Markup('<p class="cell"><a href="{}">{}</a></p>{}').format(
        code_link(code.path, first, last), title, _block(Markup("\n").join(lines), "snippet")
    )


def _outputs(cell: Cell, number: int, path: str) -> Iterator[Markup]:
    """Yield the outputs of a cell."""
    for place, output in enumerate(cell.outputs[:MAX_OUTPUTS]):
        if output.text.strip():
            yield _block(_cut(output.text), "output")
        elif image_of(output) is not None:
            source = f"/raw/{quote(path)}?output={number}-{place}"
            yield Markup('<p class="output"><img src="{}" alt="Output" loading="lazy"></p>\n').format(source)
        elif output.types:
            yield Markup('<p class="output"><small>An output of {} is not shown.</small></p>\n').format(
                ", ".join(output.types)[:200]
            )
    if len(cell.outputs) > MAX_OUTPUTS:
        yield Markup('<p class="output"><small>{} more outputs.</small></p>\n').format(len(cell.outputs) - MAX_OUTPUTS)


def _block(text: str, kind: str) -> Markup:
    """Return lines of text or HTML as they are written."""
    return Markup('<pre class="{}" tabindex="0">{}</pre>\n').format(kind, text)


def _cut(text: str) -> str:
    """Return a text that can be shown, cut at its end."""
    text = _ANSI.sub("", text[:MAX_OUTPUT]) + ("\n…" if len(text) > MAX_OUTPUT else "")
    return text.removesuffix("\n").translate(HIDDEN)


def image_of(output: Output) -> tuple[bytes, str] | None:
    """Return the bytes and the type of an image that a cell made, or None for anything else."""
    if not output.image or len(output.image) * 3 // 4 > MAX_IMAGE:
        return None
    try:
        content = base64.b64decode(output.image)
    except (binascii.Error, ValueError):
        return None
    return next(((content, kind) for start, kind in SIGNATURES.items() if content.startswith(start)), None)
