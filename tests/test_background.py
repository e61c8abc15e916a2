"""A method has an asynchronous twin, which does the same on another thread."""

import asyncio
import threading
from abc import ABC, abstractmethod

from code_graph_indexer.background import twin


class Reader(ABC):
    @abstractmethod
    def read(self, word: str, *, loud: bool = False) -> tuple[str, int]:
        """Read a word."""

    aread = twin(read)


class ThreadReader(Reader):
    def read(self, word: str, *, loud: bool = False) -> tuple[str, int]:
        return word.upper() if loud else word, threading.get_ident()


def test_a_twin_runs_the_method_of_its_class_on_another_thread() -> None:
    word, thread = asyncio.run(ThreadReader().aread("tax", loud=True))
    assert (word, thread == threading.get_ident()) == ("TAX", False)


def test_a_twin_is_named_and_described_by_its_method() -> None:
    assert Reader.aread.__name__ == "aread"
    assert Reader.aread.__doc__ == "Do what `read` does on another thread, so that an event loop goes on."
