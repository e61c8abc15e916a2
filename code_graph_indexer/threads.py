"""Use objects from several threads: by one thread each, or read by many while none changes them.

Native objects that threads share are locked by the class that holds them, or never change. The docstring there says which.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import Condition, RLock, local
from typing import Any, TypeVar, TypeVarTuple

TURN_SECONDS = 5.0
"""The most seconds that a change waits for readers. An answer that takes longer may then be of two versions."""

CLOCK = 8.0
"""How many times longer than its work an answer may take by the clock."""

Arguments = TypeVarTuple("Arguments")
R = TypeVar("R")


class _Values(local):
    """The values of one thread, by the arguments that they were made of."""

    def __init__(self) -> None:
        self.by_arguments: dict[tuple[Any, ...], Any] = {}


def per_thread(make: Callable[[*Arguments], R]) -> Callable[[*Arguments], R]:
    """Decorate a function so that each thread keeps the values of its own calls. They end with the thread."""
    values = _Values()

    @wraps(make)
    def of_thread(*arguments: *Arguments) -> R:
        by_arguments: dict[tuple[Any, ...], R] = values.by_arguments
        if arguments not in by_arguments:
            by_arguments[arguments] = make(*arguments)
        return by_arguments[arguments]

    return of_thread


class _Depth(local):
    """The number of blocks of reading that a thread is inside of."""

    value = 0


class Turns:
    """A lock for what many threads read at once and one changes alone. A change that waits goes before new readers."""

    def __init__(self) -> None:
        self._condition = Condition(RLock())
        self._readers = 0
        self._changes = 0
        self._of_thread = _Depth()

    @property
    def is_reading(self) -> bool:
        """Say whether this thread is reading."""
        return self._of_thread.value > 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let nothing change inside the `with` block. A thread may begin to read again while it reads."""
        if not self.is_reading:
            with self._condition:
                self._condition.wait_for(lambda: not self._changes, TURN_SECONDS)
                self._readers += 1
        self._of_thread.value += 1
        try:
            yield
        finally:
            self._of_thread.value -= 1
            if not self.is_reading:
                with self._condition:
                    self._readers -= 1
                    self._condition.notify_all()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Wait until no other thread reads, and let none begin to read inside the `with` block."""
        own = int(self.is_reading)
        with self._condition:
            self._changes += 1
            self._condition.wait_for(lambda: self._readers <= own, TURN_SECONDS)
        try:
            yield
        finally:
            with self._condition:
                self._changes -= 1
                self._condition.notify_all()


class Allowance:
    """The seconds of work that an answer may take on its thread.

    Beside other threads, work takes longer by the clock, and an answer shall not differ for that. A reader waits CLOCK times as
    long, such as for a slow server.
    """

    def __init__(self, seconds: float) -> None:
        self._work = time.thread_time() + seconds
        self._clock = time.monotonic() + CLOCK * seconds

    @property
    def is_over(self) -> bool:
        """Say whether the seconds are over."""
        return time.thread_time() > self._work or time.monotonic() > self._clock
