"""What is passed to a parameter is followed to where the parameter is called, and followed anew after an update."""

from pathlib import Path

import pytest

from code_graph_indexer.syntax.parse import parse
from tests.indexing.repository import calls, index, write_tree

BUS = """\
from typing import Callable


def send(message, handler, *, after=None):
    handler(message)
    if after:
        after()


def row(): ...
"""


@pytest.mark.slow
def test_a_new_caller_links_the_function_that_it_calls_and_its_removal_unlinks_it(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repo", {"bus.py": BUS})
    db = root / "index.db"

    def callees() -> list[str]:
        index(root, db)
        return sorted(call.target for call in calls(db) if call.caller == "bus.send" and call.target)

    assert callees() == []
    write_tree(root, {"new.py": "from bus import send\n\n\ndef heard(message): ...\n\n\nsend('x', heard)\n"})
    assert callees() == ["new.heard"]
    write_tree(root, {"bus.py": BUS.replace("row", "line")})
    assert callees() == ["new.heard"]
    (root / "new.py").unlink()
    assert callees() == []


def test_an_argument_that_is_a_name_is_a_reference_and_passed() -> None:
    calls = b"run(go, jobs.stop, key=jobs\n  .start, other=a.b.c)\nprint(go)\nself.assertEqual(go, 1)\n"
    source = b"import jobs\ndef go(): ...\n" + calls
    syntax = parse("app.py", source, "python")
    values = [(reference.receiver, reference.name) for reference in syntax.references if reference.kind == "references"]
    assert values == [("", "go"), ("jobs", "stop"), ("jobs", "start"), ("", "go"), ("", "go")]
    arguments = [(argument.callee, argument.place, argument.keyword, argument.value) for argument in syntax.arguments]
    assert arguments == [
        ("run", 0, "", "go"),
        ("run", 1, "", "jobs.stop"),
        ("run", -1, "key", "jobs.start"),
        ("run", -1, "other", "a.b.c"),
        ("print", 0, "", "go"),
        ("self.assertEqual", 0, "", "go"),
    ]
