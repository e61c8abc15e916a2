"""Remember answers together with the lookup keys behind them, so that an update knows which answers a change may alter."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 3
"""Bytes of a lookup key's hash in the index. If two keys share a hash, a file is linked again without need, no more."""

_HASH_BITS = np.uint32((1 << 8 * KEY_BYTES) - 1)


def key_hash(key: str) -> int:
    """Hash a lookup key by a CRC. The CRC of a text can be continued from the CRC of its start."""
    return crc32(key.encode())


def pack_lookups(hashes: Collection[int]) -> bytes:
    """Pack the hashes of lookup keys, sorted, `KEY_BYTES` each."""
    short = np.sort(np.fromiter(hashes, dtype="<u4", count=len(hashes)) & _HASH_BITS)
    # Little-endian numbers begin with their low bytes, so the high byte is the one that is cut off.
    return short.view(np.uint8).reshape(-1, 4)[:, :KEY_BYTES].tobytes()


def unpack_lookups(packed: bytes) -> NDArray[np.uint32]:
    """Unpack the hashes of lookup keys. Only their low `KEY_BYTES` bytes are there."""
    padded = np.zeros((lookup_count(packed), 4), dtype=np.uint8)
    padded[:, :KEY_BYTES] = np.frombuffer(packed, dtype=np.uint8).reshape(-1, KEY_BYTES)
    return padded.view("<u4")[:, 0]


def lookup_count(packed: bytes) -> int:
    """Count the packed lookup keys."""
    return len(packed) // KEY_BYTES


class Note:
    """An answer with what it rests on: the hashes of the keys looked up for it, and the notes of the answers used in it.

    Both are lists and not sets: adding to a list takes half the time, and few entries come twice.
    """

    __slots__ = ("inner", "keys", "used", "value")

    def __init__(self, keys: Iterable[int] = ()) -> None:
        self.keys = array("I", keys)
        self.used: list[Note] = []
        self.inner: tuple[Note, ...] = ()
        self.value: object = None

    def close(self) -> None:
        """Turn the list into a tuple of exact size. There are hundreds of thousands of notes."""
        self.inner = tuple(self.used)
        del self.used

    def all_hashes(self) -> set[int]:
        """Collect the hashes of a closed note and of all notes below it."""
        hashes: set[int] = set()
        visited: set[Note] = set()
        fresh = {self}
        while fresh:
            visited |= fresh
            hashes.update(*[note.keys for note in fresh])
            # Notes share most of what they rest on, so each is visited once.
            fresh = set().union(*[note.inner for note in fresh]) - visited
        return hashes


class NoteTaker(Protocol):
    """The world, as far as notes go: `note` belongs to the answer that is being worked out."""

    note: Note


class Answerer(Protocol):
    """An object with methods whose answers are remembered."""

    @property
    def world(self) -> NoteTaker:
        """Return where notes are taken."""

    @property
    def memory(self) -> defaultdict[str, dict[tuple[object, ...], Note]]:
        """Return the answers, by method and arguments."""


S = TypeVar("S", bound=Answerer)
P = ParamSpec("P")
R = TypeVar("R")


def remembered(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Decorate a method so that it answers a repeated question from memory.

    The caller's note gets the note of the answer both times: a remembered answer rests on the same lookups.
    """
    name = method.__name__

    def answer(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (args, *kwargs.items()) if kwargs else args
        world, memory = self.world, self.memory[name]
        note = memory.get(key)
        if note is None:
            outer, note = world.note, Note()
            world.note = note
            try:
                note.value = method(self, *args, **kwargs)
            finally:
                # Types that lead to each other end in a RecursionError, and the next reference needs the outer note.
                world.note = outer
            note.close()
            memory[key] = note
        world.note.used.append(note)
        return note.value  # type: ignore[return-value]

    return answer
