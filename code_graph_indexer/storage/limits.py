"""How much a question may take of an index: steps of the database, and memory for what it reads.

Both grow with the size of the index, because an answer is made of what the file holds. Real questions take a tenth of it.
A forged index makes small files ask for endless work.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

BASE_STEPS, STEPS_PER_BYTE = 100_000_000, 10
"""Steps of SQLite's machine, of which a core does some 50 million in a second. Reading a path of calls takes 0.5 per byte."""

BASE_SIZE, SIZE_PER_BYTE = 64_000_000, 10
"""Bytes of values and texts. To read all tables into memory takes 4 per byte of the file."""

BASE_LENGTH, LENGTH_PER_BYTE, MAX_LENGTH = 16_000_000, 2, 1_000_000_000
"""Bytes of one value. A stored value is shorter than its file, and joined ones are not much longer."""

NAME_LENGTH = 400_000
"""Bytes of a value that is no text of a file: a path or a name may stand in each of very many rows."""


class Allowance(NamedTuple):
    """What one question may take of an index: steps, bytes of memory, and bytes of a single value."""

    steps: int
    size: int
    length: int

    @classmethod
    def of(cls, file_size: int) -> "Allowance":
        """Return what a question may take of an index of this size in bytes."""
        return cls(
            BASE_STEPS + STEPS_PER_BYTE * file_size,
            BASE_SIZE + SIZE_PER_BYTE * file_size,
            min(BASE_LENGTH + LENGTH_PER_BYTE * file_size, MAX_LENGTH),
        )


@dataclass(slots=True)
class Spending:
    """What a question has taken of one index so far."""

    steps: int = 0
    size: int = 0


@dataclass(eq=False, slots=True)
class _Question:
    """A question, and what it has taken of each index, by the index's number."""

    spendings: dict[int, Spending] = field(default_factory=dict)


_QUESTION: ContextVar[_Question | None] = ContextVar("question", default=None)


@contextmanager
def single_question() -> Iterator[None]:
    """Count all that is read inside the `with` block as one question. A block inside another belongs to its question."""
    if _QUESTION.get() is not None:
        yield
        return
    token = _QUESTION.set(_Question())
    try:
        yield
    finally:
        _QUESTION.reset(token)


@contextmanager
def single_queries() -> Iterator[None]:
    """Count each query inside the `with` block for itself, because together they read all of an index."""
    token = _QUESTION.set(None)
    try:
        yield
    finally:
        _QUESTION.reset(token)


def spending_of(index: object) -> Spending:
    """Return what the question at hand has taken of an index. Outside of a question, each query is one."""
    question = _QUESTION.get()
    return Spending() if question is None else question.spendings.setdefault(id(index), Spending())
