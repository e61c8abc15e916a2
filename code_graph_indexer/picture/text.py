"""Measure and shorten the texts of a picture, which are set in a monospaced font."""

import unicodedata

CELL = 0.602
"""Width of a character, as a share of the font size. Common monospaced fonts have 0.55 to 0.61."""

ELLIPSIS = "…"


def printable(text: str) -> str:
    """Replace what cannot be seen, such as control characters and marks that turn the direction of a text."""
    # Nearly all texts are printable, which is seen at once.
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)


def text_width(text: str, size: float) -> float:
    """Return the width of a text in pixels at a font size."""
    return cell_count(text) * CELL * size


def cell_count(text: str) -> int:
    """Return how many cells a text takes in a monospaced font."""
    return len(text) if text.isascii() and text.isprintable() else sum(map(_cells, text))


def _cells(char: str) -> int:
    """Return how many cells a character takes in a monospaced font."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shortened(text: str, cells: int) -> str:
    """Cut a text to a number of cells. A path loses its first folders, and a name its middle."""
    if cell_count(text) <= cells:
        return text
    if "/" in text:
        return ELLIPSIS + _end(text, cells - 1)
    tail = _end(text, cells // 3)
    return _start(text, cells - 1 - cell_count(tail)) + ELLIPSIS + tail


def _start(text: str, cells: int) -> str:
    """Return as much of the start of a text as fits into so many cells."""
    kept = 0
    for position, char in enumerate(text):
        kept += _cells(char)
        if kept > cells:
            return text[:position]
    return text


def _end(text: str, cells: int) -> str:
    return _start(text[::-1], cells)[::-1]
