"""Remember answers together with the lookup keys that they were read from.

A lookup key names one fact, such as "the definition of `Cart` in `shop.py`". When a fact changes, an update finds by its key
the answers that may change.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable
from sys import getsizeof
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.arrays import distinct

KEY_BYTES = 3
"""Bytes of a lookup key's hash in the index. If two keys share a hash, the only harm is that a file is linked without need."""

_HASH_BITS = np.uint32((1 << 8 * KEY_BYTES) - 1)


def key_hash(key: str) -> int:
    """Return the CRC-32 of a lookup key. `crc32(rest, key_hash(start))` gives the hash of `start + rest`."""
    return crc32(key.encode())


def pack_lookups(hashes: NDArray[np.uint32]) -> bytes:
    """Pack the hashes of lookup keys into bytes: sorted, the low `KEY_BYTES` bytes of each."""
    short = np.sort(hashes & _HASH_BITS).astype("<u4", copy=False)
    # Little-endian numbers begin with their low bytes, so the high byte is the one that is cut off.
    return short.view(np.uint8).reshape(-1, 4)[:, :KEY_BYTES].tobytes()


def unpack_lookups(packed: bytes) -> NDArray[np.uint32]:
    """Return the hashes that `pack_lookups` packed, in the same order. Only their low `KEY_BYTES` bytes are set."""
    padded = np.zeros((lookup_count(packed), 4), dtype=np.uint8)
    padded[:, :KEY_BYTES] = np.frombuffer(packed, dtype=np.uint8).reshape(-1, KEY_BYTES)
    return padded.view("<u4")[:, 0]


def lookup_count(packed: bytes) -> int:
    """Return the number of hashes in the packed lookups."""
    return len(packed) // KEY_BYTES


class Note:
    """A remembered answer (`value`), with the hashes of the lookup keys (`keys`) that it was read from.

    `used` lists the notes of other answers that this answer was computed from. `close` moves them to `inner`. Keys and notes
    are lists, not sets: adding to a list takes half the time, and few entries are repeated.
    """

    __slots__ = ("inner", "keys", "used", "value")

    def __init__(self, keys: Iterable[int] = ()) -> None:
        self.keys = array("I", keys)
        self.used: list[Note] = []
        self.inner: tuple[Note, ...] = ()
        self.value: object = None

    def close(self) -> None:
        """Move `used` into the tuple `inner`, which takes no spare memory. There are hundreds of thousands of notes."""
        self.inner = tuple(self.used)
        del self.used

    @property
    def size(self) -> int:
        """Return the bytes of the keys and of the answer, without what the answer holds. It may list thousands of files."""
        return getsizeof(self.keys) + getsizeof(self.inner) + getsizeof(self.value)

    def all_hashes(self) -> NDArray[np.uint32]:
        """Return the hashes of the lookup keys of this closed note, and of all notes that it was computed from, each once."""
        visited: set[Note] = set()
        fresh = {self}
        while fresh:
            visited |= fresh
            # Notes share most of what they rest on, so each is visited once.
            fresh = set().union(*[note.inner for note in fresh]) - visited
        hashes = np.frombuffer(b"".join([note.keys for note in visited]), dtype=np.uintc)
        return distinct(hashes).astype(np.uint32, copy=False)


class NoteTaker(Protocol):
    """An object with `note`, the note of the answer that is being computed now. `World` is the only one.

    `weight` counts the bytes that the answers since its last `age` take.
    """

    note: Note
    weight: int


NOTE_WEIGHT = 700
"""Bytes that a remembered answer takes with its arguments, on the average, without what `Note.size` counts."""


def noted(world: NoteTaker, work_out: Callable[..., object], *args: object, **kwargs: object) -> Note:
    """Work an answer out by a call with these arguments, and return its note, with the lookups that were made for it."""
    outer = world.note
    note = world.note = Note()
    try:
        note.value = work_out(*args, **kwargs)
    finally:
        # Types that lead to each other end in a RecursionError, and the next reference needs the outer note.
        world.note = outer
    note.close()
    world.weight += NOTE_WEIGHT + note.size
    return note


class Answerer(Protocol):
    """An object whose `remembered` methods store their answers in its `memory`."""

    @property
    def world(self) -> NoteTaker:
        """Return the object that has the note of the answer in progress."""

    @property
    def memory(self) -> "Memory":
        """Return the stored answers."""


class Memory:
    """Answers by method name and arguments: those that were asked for since the last `age`, and those since the one before."""

    __slots__ = ("fresh", "old")

    def __init__(self) -> None:
        self.fresh: defaultdict[str, dict[tuple[object, ...], Note]] = defaultdict(dict)
        self.old: defaultdict[str, dict[tuple[object, ...], Note]] = defaultdict(dict)

    def age(self) -> None:
        """Forget the old answers. The fresh ones are old now."""
        self.old, self.fresh = self.fresh, defaultdict(dict)


S = TypeVar("S", bound=Answerer)
P = ParamSpec("P")
R = TypeVar("R")


def remembered(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Decorate a method so that a repeated call with the same arguments is answered from memory.

    Each call adds the note of its answer to the note in progress, because the caller's answer depends on the same lookup keys.
    """
    name = method.__name__

    def note_of(self: S, key: tuple[object, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Note:
        world, memory = self.world, self.memory
        # An answer that is asked for again is fresh again.
        note = memory.old[name].get(key) if memory.old else None
        if note is None:
            note = noted(world, method, self, *args, **kwargs)
        else:
            world.weight += NOTE_WEIGHT + note.size
        memory.fresh[name][key] = note
        return note

    def answer(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        # There are millions of these calls, and nearly all of them end here.
        key: tuple[object, ...] = (args, *kwargs.items()) if kwargs else args
        note = self.memory.fresh[name].get(key) or note_of(self, key, args, kwargs)
        self.world.note.used.append(note)
        return note.value  # type: ignore[return-value]

    return answer
