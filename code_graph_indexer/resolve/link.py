"""Resolve the references of many files: all of them after a full build, those that a change touches after an update."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from code_graph_indexer.resolve.exact import ExactUse
from code_graph_indexer.resolve.facts import FileFacts, Target, file_facts
from code_graph_indexer.resolve.modules import ModuleFile, Modules
from code_graph_indexer.resolve.notes import Note, key_hash, lookup_count, pack_lookups, unpack_lookups
from code_graph_indexer.resolve.references import resolve_file
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage import ReferenceRows
from code_graph_indexer.syntax.packing import unpack
from code_graph_indexer.syntax.records import IndexedFile, LinkInput


class LinkFile(NamedTuple):
    """A file as the linker sees it: its rows in the store, its packed LinkInput, and what is known exactly."""

    file_id: int
    path: str
    language: str
    module: str
    is_test: bool
    chunk_ids: Sequence[int]
    facts: bytes
    exact: Sequence[ExactUse] = ()
    unpacked: LinkInput | None = None

    @classmethod
    def of(cls, one: IndexedFile, file_id: int, chunk_ids: Sequence[int]) -> "LinkFile":
        """Keep of an indexed file what linking needs."""
        source = one.source
        return cls(file_id, source.path, source.language or "", one.module, source.is_test, chunk_ids, one.facts)

    def link_input(self) -> LinkInput:
        """Unpack what the resolver needs."""
        return self.unpacked or unpack(self.facts)

    def nodes(self, unpacked: LinkInput) -> list[int]:
        """Give the chunk id of each definition."""
        return [self.chunk_ids[position] for position in unpacked.chunk_of]

    def file_facts(self) -> FileFacts:
        """Collect what the file tells the others."""
        unpacked = self.link_input()
        return file_facts(
            self.path, self.language, self.is_test, unpacked.syntax, self.nodes(unpacked), self.chunk_ids[0]
        )


class Linked(NamedTuple):
    """The references of one file, as the index keeps them, and the packed lookups behind them."""

    file_id: int
    references: ReferenceRows
    lookups: bytes


def world_of(files: Sequence[LinkFile], facts: Mapping[str, FileFacts], manifests: dict[str, str]) -> World:
    """Make the world of a full build, with the facts of every file in memory."""
    named: dict[str, list[Target]] = defaultdict(list)
    for one in facts.values():
        for name, targets in one.by_name.items():
            named[name] += targets
    passing: dict[str, list[str]] = defaultdict(list)
    for path, one in sorted(facts.items()):
        for name in one.passing:
            passing[name].append(path)
    modules = (ModuleFile(one.path, one.language, one.module, one.is_test) for one in files)
    return World(
        Modules(modules, manifests), facts.get, lambda name: named.get(name, ()), lambda name: passing.get(name, ())
    )


def link(world: World, one: LinkFile) -> Linked:
    """Resolve one file."""
    # By these an update finds again who passes something to a name.
    note = world.note = Note(world.passing_keys(one.path))
    unpacked = one.link_input()
    references = resolve_file(
        world,
        one.path,
        one.language,
        one.is_test,
        unpacked.syntax,
        one.nodes(unpacked),
        one.chunk_ids[0],
        unpacked.places,
        one.exact,
    )
    note.close()
    return Linked(one.file_id, ReferenceRows.of(references), pack_lookups(note.all_hashes()))


class Lookups:
    """Tell which files looked something up, given the packed lookups of each file id."""

    def __init__(self, packed: Iterable[tuple[int, bytes]]) -> None:
        found = list(packed)
        # Unpacked all at once: a call for each of thousands of files takes longer than their hashes.
        hashes = unpack_lookups(b"".join(one for _, one in found))
        counts = np.array([lookup_count(one) for _, one in found], dtype=np.int64)
        holders = np.repeat(np.array([one for one, _ in found], dtype=np.int64), counts)
        # NumPy sorts 16 bits by counting them, in a tenth of the time that sorting whole hashes takes.
        starts = hashes.astype(np.uint16)
        order = np.argsort(starts, kind="stable")
        self._starts, self._hashes, self._holders = starts[order], hashes[order], holders[order]

    def files(self, keys: Iterable[str]) -> set[int]:
        """List the files that a change of these keys may answer differently."""
        wanted = unpack_lookups(pack_lookups([key_hash(one) for one in keys]))
        firsts, lasts = (np.searchsorted(self._starts, wanted.astype(np.uint16), side) for side in ("left", "right"))
        found: set[int] = set()
        for one, first, last in zip(wanted, firsts.tolist(), lasts.tolist(), strict=True):
            found.update(self._holders[first:last][self._hashes[first:last] == one].tolist())
        return found


class PassingFiles:
    """Find the files that pass something to a name: by what they looked up, or by what the new version of a file says."""

    def __init__(self, lookups: Lookups, paths: Mapping[int, str], now: Mapping[str, FileFacts]) -> None:
        self._lookups = lookups
        self._paths = paths
        self._now = now

    def __call__(self, name: str) -> list[str]:
        """List their paths."""
        holders = self._lookups.files([f"s:{name}"])
        found = {self._paths[one] for one in holders if one in self._paths} - self._now.keys()
        return sorted(found | {path for path, facts in self._now.items() if name in facts.passing})
