"""Objects that threads use at the same time: parsers of their own, and an index that stays as it is while one reads it."""

import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.languages import load_parser
from code_graph_indexer.syntax.highlight import colors
from code_graph_indexer.threads import Allowance, Turns, per_thread

THREADS = 8
PYTHON = "python"
SOURCE = b"".join(
    b"def f%d(x):\n    # why\n    return [str(x) for x in 'text'] if x else %d\n" % (n, n) for n in range(80)
)


def test_each_thread_keeps_a_value_of_its_own() -> None:
    make = per_thread(lambda name: object())
    with ThreadPoolExecutor(1) as pool:
        assert make("a") is make("a")
        assert make("a") is not make("b")
        assert pool.submit(make, "a").result() is pool.submit(make, "a").result() is not make("a")


@pytest.mark.slow
def test_threads_parse_at_the_same_time() -> None:
    expected = colors("a.py", SOURCE, PYTHON)
    assert len(expected) > 80
    with ThreadPoolExecutor(THREADS) as pool:
        runs = [pool.submit(colors, "a.py", SOURCE, PYTHON) for _ in range(20 * THREADS)]
        assert all(run.result() == expected for run in runs)
        # The runs may have shared a thread. The others are idle now, and give their parser.
        parsers = list(pool.map(lambda _: load_parser(PYTHON), range(THREADS)))
    assert load_parser(PYTHON) not in parsers


def test_a_change_waits_for_readers_and_new_readers_for_the_change() -> None:
    turns, order = Turns(), list[str]()
    started, may_end = threading.Event(), threading.Event()

    def read() -> None:
        with turns.reading(), turns.reading():
            started.set()
            may_end.wait()
            order.append("read")

    def change() -> None:
        with turns.changing():
            order.append("changed")

    def read_later() -> None:
        with turns.reading():
            order.append("read later")

    threads = [threading.Thread(target=read)]
    threads[0].start()
    started.wait()
    for act in (change, read_later):
        threads.append(threading.Thread(target=act))
        threads[-1].start()
        time.sleep(0.1)
    assert order == []
    may_end.set()
    for thread in threads:
        thread.join()
    assert order == ["read", "changed", "read later"]


def test_a_thread_that_reads_may_change_and_waits_for_others_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns()
    with turns.reading(), turns.changing():
        assert turns.is_reading
    monkeypatch.setattr("code_graph_indexer.threads.TURN_SECONDS", 0.05)
    with ThreadPoolExecutor(1) as pool, turns.reading():
        pool.submit(turns.changing().__enter__).result(timeout=5)


def version_of(text: str) -> set[str]:
    """Return the versions of the repository that a text is of."""
    return set(re.findall(r"\bv\d+\b", text))


QUESTIONS: dict[str, Callable[[CodeIndexer], str]] = {
    "callees": lambda indexer: str(
        [indexer.callees(name)[0].steps[0].symbol.signature for name in ("first", "second")]
    ),
    "callers": lambda indexer: str([step.symbol.signature for step in indexer.callers("leaf")[0].steps]),
    "impact": lambda indexer: str([step.symbol.signature for step in indexer.graph.impact("leaf").affected]),
    "retrieve": lambda indexer: str([context.content for context in indexer.retrieve("leaf caller", limit=4)]),
}


def write_version(root: Path, number: int) -> None:
    """Write a version of a repository, whose three files name it."""
    texts = {"leaf": f"def leaf(v{number}):\n    return v{number}\n"}
    for name in ("first", "second"):
        texts[name] = f"from leaf import leaf\n\n\ndef {name}(v{number}):\n    return leaf(v{number})\n"
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_an_answer_is_of_one_version_while_the_index_is_updated(tmp_path: Path) -> None:
    write_version(tmp_path, 0)
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        ended = threading.Event()

        def ask(question: Callable[[CodeIndexer], str]) -> list[set[str]]:
            versions = []
            while not ended.is_set():
                with indexer.reading():
                    versions.append(version_of(question(indexer)))
            return versions

        with ThreadPoolExecutor(len(QUESTIONS)) as pool:
            answers = {name: pool.submit(ask, question) for name, question in QUESTIONS.items()}
            for number in range(1, 8):
                write_version(tmp_path, number)
                indexer.update()
            ended.set()
            seen = {name: answer.result() for name, answer in answers.items()}
    assert {name: [len(version) for version in versions if len(version) != 1] for name, versions in seen.items()} == {
        name: [] for name in QUESTIONS
    }
    assert all(len(set.union(*versions)) > 1 for versions in seen.values())


@pytest.mark.slow
def test_an_index_may_be_built_anew_while_others_ask(own_shop: Path) -> None:
    with CodeIndexer(own_shop, workers=1) as indexer:
        expected = indexer.explore("who calls add_tax").text
        ended = threading.Event()

        def ask() -> set[str]:
            texts = set()
            while not ended.is_set():
                texts.add(indexer.explore("who calls add_tax").text)
            return texts

        with ThreadPoolExecutor(3) as pool:
            runs = [pool.submit(ask) for _ in range(3)]
            for _ in range(3):
                indexer.index(full=True)
            ended.set()
            assert [run.result() for run in runs] == [{expected}] * 3


def test_threads_that_come_first_share_what_is_opened(shop: Path) -> None:
    with CodeIndexer(shop) as indexer, ThreadPoolExecutor(THREADS) as pool:
        barrier = threading.Barrier(THREADS)

        def opened(_: int) -> tuple[int, int]:
            barrier.wait()
            return id(indexer.store), id(indexer.embedder())

        assert len(set(pool.map(opened, range(THREADS)))) == 1


def test_an_allowance_counts_the_work_of_its_thread_and_no_waiting() -> None:
    start, allowance = time.thread_time(), Allowance(0.02)
    time.sleep(0.05)
    assert not allowance.is_over
    while time.thread_time() < start + 0.05:
        pass
    assert allowance.is_over
