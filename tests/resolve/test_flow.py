"""What is passed to a parameter is followed to where the parameter is called; what runs without being named is an edge."""

from pathlib import Path

import apsw
import pytest

from code_graph_indexer.syntax.parse import parse
from tests.indexing.repository import index, write_tree

EDGES = (
    "select c.qualified_name, t.qualified_name, r.confidence from refs as r join chunks as c on c.id = r.source_id "
    "join chunks as t on t.id = r.target_id where r.kind = 'calls' and t.kind != 'class'"
)

FILES = {
    "bus.py": """\
from typing import Callable


def send(message, handler, *, after=None):
    handler(message)
    if after:
        after()


def typed(handler: Callable[[int], None]):
    handler(1)


class Worker:
    def __init__(self, job):
        self.job = job

    def work(self):
        self.job.run()


class Rows:
    def __iter__(self):
        return self

    def __next__(self):
        return row

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


def row(): ...
def popular(handler): handler()
def factory():
    return row
""",
    "app.py": """\
import bus
from bus import Rows, Worker, factory, popular, send as dispatch


class Job:
    def run(self): ...


def on_message(message): ...
def done(): ...
def later(): ...
def on_typed(number): ...


def passes_on(callback):
    dispatch("x", callback)


def main():
    bus.send("a", on_message, after=done)
    bus.typed(on_typed)
    Worker(Job())
    passes_on(later)
    factory()()


def loop():
    for one in Rows():
        one()
    with Rows():
        pass


def decorate(function):
    def wrapper():
        function()
    return wrapper


@decorate
def decorated(): ...
""",
    "tests/test_app.py": "from bus import send\n\n\ndef fake(message): ...\n\n\ndef test_it():\n    send('x', fake)\n",
    "many.py": "from bus import popular\n" + "".join(f"def h{i}(): ...\npopular(h{i})\n" for i in range(9)),
    "copies.py": """\
import bus


class Empty: ...


class One:
    def __init__(self): ...

    def clone(self):
        copy = Empty()
        copy.__class__ = self.__class__
        return copy

    def use(self):
        self.clone().finish_it()

    def finish_it(self): ...


class Two:
    def __init__(self): ...


class Member:
    def save_it(self): ...

    def give(self):
        bus.send("x", save_it)


def save_it(): ...
def make(short):
    kind = One if short else Two
    return kind()


class Task:
    def run_task(self): ...


class Fast(Task):
    def run_task(self): ...


class Slow(Task):
    def run_task(self): ...


def unknown(task):
    task.run_task()
""",
    "wraps.py": """\
import importlib
import json
from functools import partial

from outside import sync_to_async

import copies


class Chain:
    def clone(self):
        made = self.__class__(1)
        made.kept = self.kept
        return made

    def chain(self):
        copy = self.clone()
        return copy

    def steps(self):
        other = self.chain()
        other.settle_it()

    def settle_it(self): ...

    def change(self, query):
        query.__class__ = copies.Task

    async def later(self):
        await sync_to_async(self.settle_it)()


def _route(kind, name): ...


route = partial(_route, "plain")


def routes():
    route("home")


def loaded():
    importlib.import_module("copies").only_there()


def read():
    json.loads("{}").only_there()


class Holder:
    def only_there(self): ...
""",
    "web.js": "function each(then) { then(); }\nfunction seen() {}\neach(seen);\n",
    "web.ts": "export function typed(then: (x: number) => void) { then(1); }\nfunction shown(x: number) {}\ntyped(shown);\n",
}


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    """Return the calls of the repository with their confidence."""
    root = write_tree(tmp_path_factory.mktemp("flow"), FILES)
    index(root, root / "index.db")
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    return {(source, target): confidence for source, target, confidence in connection.execute(EDGES)}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("bus.send", "app.on_message"),
        ("bus.send", "app.done"),
        ("bus.typed", "app.on_typed"),
        ("bus.Worker.work", "app.Job.run"),
        ("app.decorate.wrapper", "app.decorated"),
        ("web.each", "web.seen"),
        ("web.typed", "web.shown"),
    ],
)
def test_a_parameter_is_what_callers_pass(edges: dict[tuple[str, str], float], source: str, target: str) -> None:
    assert 0.7 < edges[source, target] < 0.9


def test_what_is_passed_on_is_followed_through_the_next_call(edges: dict[tuple[str, str], float]) -> None:
    assert ("bus.send", "app.later") in edges
    assert ("app.passes_on", "app.later") not in edges


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("app.main", "bus.row"),
        ("app.loop", "bus.Rows.__iter__"),
        ("app.loop", "bus.Rows.__next__"),
        ("app.loop", "bus.Rows.__enter__"),
        ("app.loop", "bus.Rows.__exit__"),
        ("app.loop", "bus.row"),
        ("copies.One.use", "copies.One.finish_it"),
        ("wraps.Chain.later", "wraps.Chain.settle_it"),
        ("wraps.routes", "wraps._route"),
        ("wraps.loaded", "wraps.Holder.only_there"),
        ("copies.make", "copies.One.__init__"),
        ("copies.make", "copies.Two.__init__"),
    ],
)
def test_what_runs_without_being_named_is_called(edges: dict[tuple[str, str], float], source: str, target: str) -> None:
    assert (source, target) in edges


def test_a_copy_of_an_object_is_followed_through_the_methods_that_make_it(edges: dict[tuple[str, str], float]) -> None:
    assert edges["wraps.Chain.steps", "wraps.Chain.settle_it"] > 0.9


def test_what_comes_from_outside_is_nothing_of_the_repository(edges: dict[tuple[str, str], float]) -> None:
    assert ("wraps.read", "wraps.Holder.only_there") not in edges


def test_members_of_a_class_are_no_names_in_its_methods(edges: dict[tuple[str, str], float]) -> None:
    assert ("bus.send", "copies.save_it") in edges
    assert ("bus.send", "copies.Member.save_it") not in edges


def test_of_methods_that_override_one_that_one_is_guessed(edges: dict[tuple[str, str], float]) -> None:
    assert edges["copies.unknown", "copies.Task.run_task"] == 0.5
    assert ("copies.unknown", "copies.Fast.run_task") not in edges


def test_production_code_does_not_call_what_tests_pass(edges: dict[tuple[str, str], float]) -> None:
    assert ("bus.send", "tests.test_app.fake") not in edges


def test_a_parameter_that_may_be_too_much_is_nothing(edges: dict[tuple[str, str], float]) -> None:
    assert not [target for source, target in edges if source == "bus.popular"]


def test_a_new_caller_links_the_function_that_it_calls_and_its_removal_unlinks_it(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repo", {"bus.py": FILES["bus.py"]})
    db = root / "index.db"

    def callees() -> list[str]:
        index(root, db)
        connection = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
        found = [target for source, target, _ in connection.execute(EDGES) if source == "bus.send"]
        connection.close()
        return sorted(found)

    assert callees() == []
    write_tree(root, {"new.py": "from bus import send\n\n\ndef heard(message): ...\n\n\nsend('x', heard)\n"})
    assert callees() == ["new.heard"]
    write_tree(root, {"bus.py": FILES["bus.py"].replace("row", "line")})
    assert callees() == ["new.heard"]
    (root / "new.py").unlink()
    assert callees() == []


def test_an_argument_that_is_a_name_is_a_reference_and_passed_except_to_what_takes_anything() -> None:
    calls = b"run(go, jobs.stop, key=jobs\n  .start, other=a.b.c)\nprint(go)\nself.assertEqual(go, 1)\n"
    source = b"import jobs\ndef go(): ...\n" + calls
    syntax = parse("app.py", source, "python")
    values = [(one.receiver, one.name) for one in syntax.references if one.kind == "references"]
    assert values == [("", "go"), ("jobs", "stop"), ("jobs", "start"), ("", "go"), ("", "go")]
    passed = [(one.callee, one.place, one.keyword, one.value) for one in syntax.arguments]
    assert passed == [
        ("run", 0, "", "go"),
        ("run", 1, "", "jobs.stop"),
        ("run", -1, "key", "jobs.start"),
        ("run", -1, "other", "a.b.c"),
    ]
