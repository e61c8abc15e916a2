"""Remember answers with what was looked up for them, so that an update knows which answers a change may alter."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 3
"""Bytes of the hash by which a lookup key is kept: that two keys share one only costs a needless re-link."""

_KEPT_BITS = np.uint32((1 << 8 * KEY_BYTES) - 1)


def key_hash(key: str) -> int:
    """Hash a lookup key by a CRC, which goes on from that of its start."""
    return crc32(key.encode())


def pack_lookups(hashes: Collection[int]) -> bytes:
    """Pack the hashes of lookup keys, sorted."""
    kept = np.sort(np.fromiter(hashes, dtype="<u4", count=len(hashes)) & _KEPT_BITS)
    return kept.view(np.uint8).reshape(-1, 4)[:, :KEY_BYTES].tobytes()


def unpack_lookups(packed: bytes) -> NDArray[np.uint32]:
    """Unpack the hashes of lookup keys, as far as they are kept."""
    padded = np.zeros((lookup_count(packed), 4), dtype=np.uint8)
    padded[:, :KEY_BYTES] = np.frombuffer(packed, dtype=np.uint8).reshape(-1, KEY_BYTES)
    return padded.view("<u4")[:, 0]


def lookup_count(packed: bytes) -> int:
    """Count the lookup keys that are packed."""
    return len(packed) // KEY_BYTES


class Note:
    """What was looked up for an answer: the hashes of its own keys, and the notes of the answers that it was made from.

    They are no sets: a look-up is noted in half the time that a set takes, and few are noted twice.
    """

    __slots__ = ("asked", "inner", "keys", "value")

    def __init__(self, keys: Iterable[int] = ()) -> None:
        self.keys = array("I", keys)
        self.asked: list[Note] = []
        self.inner: tuple[Note, ...] = ()
        self.value: object = None

    def close(self) -> None:
        """Let go of the room that the list has left: there are hundreds of thousands."""
        self.inner = tuple(self.asked)
        del self.asked

    def all_hashes(self) -> set[int]:
        """Collect the hashes of a closed note, those of the inner notes included."""
        found: set[int] = set()
        seen: set[Note] = set()
        fresh = {self}
        while fresh:
            seen |= fresh
            found.update(*[one.keys for one in fresh])
            fresh = set().union(*[one.inner for one in fresh]) - seen
        return found


class NoteTaker(Protocol):
    """What has the note of the answer that is being made."""

    note: Note


class Answerer(Protocol):
    """What answers questions and remembers the answers."""

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
    """Answer a repeated question of any file from memory, noting what was looked up for the answer."""
    name = method.__name__

    def ask(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (args, *kwargs.items()) if kwargs else args
        world, memory = self.world, self.memory[name]
        known = memory.get(key)
        if known is None:
            outer, known = world.note, Note()
            world.note = known
            try:
                known.value = method(self, *args, **kwargs)
            finally:
                world.note = outer
            known.close()
            memory[key] = known
        world.note.asked.append(known)
        return known.value  # type: ignore[return-value]

    return ask
