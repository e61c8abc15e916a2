"""Tests for syntax.notebook: the code cells of a notebook as one file."""

import json

from code_graph_indexer.syntax.notebook import source_text

CELLS = [
    {"cell_type": "markdown", "source": ["# Total\n", "x = 1"]},
    {"cell_type": "code", "outputs": [{"text": ["x = 1\n", "output"]}], "source": ["%pylab\n", "x = 1\n", 'y = "é"']},
    {"cell_type": "code", "outputs": [], "source": ["def run():\n", "    return x"]},
]


def notebook(**layout: int) -> bytes:
    """Return the text of a notebook with the cells above."""
    return json.dumps({"cells": CELLS, "nbformat": 4}, **layout).encode()  # type: ignore[arg-type]


def test_code_keeps_the_line_that_it_has_in_the_notebook() -> None:
    text = notebook(indent=1)
    code = source_text("a.ipynb", text)
    assert code is not None
    lines = code.decode().splitlines()
    assert [line for line in lines if line] == ["# %pylab", "x = 1", 'y = "é"', "def run():", "    return x"]
    written = text.decode().splitlines()
    assert '"def run():' in written[lines.index("def run():")]
    # The first line of that text is in the cell of text, the second one in an output.
    assert lines.index("x = 1") == [number for number, line in enumerate(written) if '"x = 1' in line][2]


def test_lines_of_a_notebook_that_is_one_line_follow_each_other() -> None:
    code = source_text("a.ipynb", notebook())
    assert code is not None
    assert code.decode().splitlines() == ["# %pylab", "x = 1", 'y = "é"', "def run():", "    return x"]


def test_a_cell_on_one_line_moves_only_the_lines_right_below_it() -> None:
    cells = [{"cell_type": "code", "source": source} for source in (["a = 1"], "b = 1\nb += 1\nb += 2", ["c = 1"])]
    text = json.dumps({"cells": cells}, indent=1)
    code = source_text("a.ipynb", text.encode())
    assert code is not None
    rows = [next(row for row, line in enumerate(text.splitlines()) if f'"{name} = 1' in line) for name in "abc"]
    lines = code.decode().splitlines()
    assert [lines.index(f"{name} = 1") for name in "abc"] == rows
    assert lines[rows[1] :] == ["b = 1", "b += 1", "b += 2", *[""] * (rows[2] - rows[1] - 3), "c = 1"]


def test_a_broken_notebook_has_no_text() -> None:
    for text in (b"{", b"[]", b'{"cells": 1}', b'{"cells": [{"source": [1]}]}', b'{"cells": [1]}'):
        assert source_text("a.ipynb", text) is None


def test_any_other_file_is_its_own_text() -> None:
    assert source_text("a.py", b"{") == b"{"
