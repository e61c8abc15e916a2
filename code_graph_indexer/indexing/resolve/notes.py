"""Remember answers with what was looked up for them, so that an update knows which answers a change may alter."""

from array import array
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from zlib import crc32

KEY_BYTES = 3
"""Bytes of the hash by which a lookup key is kept: that two keys share one only costs a needless re-link."""

_MASK = (1 << 8 * KEY_BYTES) - 1


def key_hash(key: str) -> int:
    """Hash a lookup key."""
    return crc32(key.encode()) & _MASK


class FactHashes(dict[str, int]):
    """Hash the keys for facts of files, the path of a file only once."""

    def __missing__(self, path: str) -> int:
        made = self[path] = crc32(f"{path}\0".encode())
        return made

    def of(self, path: str, key: str) -> int:
        """Return what key_hash gives for `path`, a null byte and `key`."""
        return crc32(key.encode(), self[path]) & _MASK


class Note:
    """What was looked up for an answer: the hashes of its own keys, and the notes of the answers that it was made from."""

    __slots__ = ("asked", "inner", "kept", "keys", "value")

    def __init__(self) -> None:
        self.keys: set[int] = set()
        self.asked: set[Note] = set()
        self.value: object = None

    def close(self) -> None:
        """Pack what was noted: there are hundreds of thousands."""
        self.kept = array("I", self.keys)
        self.inner = tuple(self.asked)
        del self.keys, self.asked

    def all_hashes(self) -> set[int]:
        """Collect the hashes of a closed note, those of the inner notes included."""
        found: set[int] = set()
        seen, waiting = {self}, [self]
        while waiting:
            one = waiting.pop()
            found.update(one.kept)
            fresh = [inner for inner in one.inner if inner not in seen]
            waiting += fresh
            seen.update(fresh)
        return found


class NoteTaker(Protocol):
    """What has the note of the answer that is being made."""

    note: Note


class Answerer(Protocol):
    """What answers questions and remembers the answers, by method and arguments."""

    @property
    def world(self) -> NoteTaker:
        """Return where notes are taken."""

    @property
    def memory(self) -> dict[tuple[object, ...], Note]:
        """Return the answers."""


S = TypeVar("S", bound=Answerer)
P = ParamSpec("P")
R = TypeVar("R")


def remembered(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Answer a repeated question of any file from memory, noting what was looked up for the answer."""
    name = method.__name__

    def ask(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (name, args, *kwargs.values()) if kwargs else (name, args)
        world = self.world
        known = self.memory.get(key)
        if known is None:
            outer, known = world.note, Note()
            world.note = known
            try:
                known.value = method(self, *args, **kwargs)
            finally:
                world.note = outer
            known.close()
            self.memory[key] = known
        world.note.asked.add(known)
        return known.value  # type: ignore[return-value]

    return ask
