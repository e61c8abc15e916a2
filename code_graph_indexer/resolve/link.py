"""Link files: all of them after a full build, those that a change touches after an update."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from code_graph_indexer.resolve.exact import ExactUse
from code_graph_indexer.resolve.facts import PASSING, FileFacts, Target, file_facts
from code_graph_indexer.resolve.modules import ModuleFile, Modules
from code_graph_indexer.resolve.notes import Note, key_hash, lookup_count, pack_lookups, unpack_lookups
from code_graph_indexer.resolve.references import resolve_file
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage import ReferenceRows
from code_graph_indexer.syntax.packing import unpack
from code_graph_indexer.syntax.records import IndexedFile, LinkInput


class LinkFile(NamedTuple):
    """A file before it is linked: its rows in the store, and what was read of it.

    `packed` is its LinkInput, packed by syntax.packing. `unpacked` is the same where the caller has unpacked it already.
    `exact` are the exact uses of a SCIP index.
    """

    file_id: int
    path: str
    language: str
    module: str
    is_test: bool
    chunk_ids: Sequence[int]
    packed: bytes
    exact: Sequence[ExactUse] = ()
    unpacked: LinkInput | None = None

    @classmethod
    def of(cls, file: IndexedFile, file_id: int, chunk_ids: Sequence[int]) -> "LinkFile":
        """Take from an indexed file what linking needs."""
        source = file.source
        return cls(file_id, source.path, source.language or "", file.module, source.is_test, chunk_ids, file.link_input)

    def link_input(self) -> LinkInput:
        """Unpack what the resolver needs."""
        return self.unpacked or unpack(self.packed)

    def nodes(self, link_input: LinkInput) -> list[int]:
        """List the chunk id of each definition."""
        return [self.chunk_ids[position] for position in link_input.chunk_of]

    def file_facts(self) -> FileFacts:
        """Collect what the file tells the others."""
        link_input = self.link_input()
        nodes = self.nodes(link_input)
        return file_facts(self.path, self.language, self.is_test, link_input.syntax, nodes, self.chunk_ids[0])


class LinkedFile(NamedTuple):
    """A file after it is linked: its references as the index has them, and the packed lookups behind them."""

    file_id: int
    references: ReferenceRows
    lookups: bytes


def world_of(files: Sequence[LinkFile], facts: Mapping[str, FileFacts], manifests: dict[str, str]) -> World:
    """Make the world of a full build, with the facts of every file in memory.

    `facts` and `manifests` are by path. A manifest is given as its text.
    """
    definitions: dict[str, list[Target]] = defaultdict(list)
    for file in facts.values():
        for name, targets in file.by_name.items():
            definitions[name] += targets
    passing: dict[str, list[str]] = defaultdict(list)
    # Sorted as `PassingFiles` sorts, so that a full build and an update link alike.
    for path, file in sorted(facts.items()):
        for name in file.passing:
            passing[name].append(path)
    modules = (ModuleFile(file.path, file.language, file.module, file.is_test) for file in files)
    return World(
        Modules(modules, manifests),
        facts.get,
        lambda name: definitions.get(name, ()),
        lambda name: passing.get(name, ()),
    )


def link(world: World, file: LinkFile) -> LinkedFile:
    """Resolve the references of one file."""
    # By these keys an update finds the files again that pass an argument to a name.
    note = world.note = Note(world.passing_keys(file.path))
    link_input = file.link_input()
    references = resolve_file(
        world,
        file.path,
        file.language,
        file.is_test,
        link_input.syntax,
        file.nodes(link_input),
        file.chunk_ids[0],
        link_input.places,
        file.exact,
    )
    note.close()
    return LinkedFile(file.file_id, ReferenceRows.of(references), pack_lookups(note.all_hashes()))


class Lookups:
    """Find the files that looked something up. `packed` gives the packed lookups of each file id."""

    def __init__(self, packed: Iterable[tuple[int, bytes]]) -> None:
        files = list(packed)
        # Unpacked all at once: a call for each of thousands of files takes longer than their hashes.
        hashes = unpack_lookups(b"".join(lookups for _, lookups in files))
        counts = np.array([lookup_count(lookups) for _, lookups in files], dtype=np.int64)
        holders = np.repeat(np.array([file_id for file_id, _ in files], dtype=np.int64), counts)
        # NumPy sorts 16 bits by counting them, in a tenth of the time that sorting whole hashes takes.
        starts = hashes.astype(np.uint16)
        order = np.argsort(starts, kind="stable")
        self._starts, self._hashes, self._holders = starts[order], hashes[order], holders[order]

    def files(self, keys: Iterable[str]) -> set[int]:
        """Return the ids of the files that looked up any of these keys."""
        hashes = unpack_lookups(pack_lookups([key_hash(key) for key in keys]))
        firsts, lasts = (np.searchsorted(self._starts, hashes.astype(np.uint16), side) for side in ("left", "right"))
        file_ids: set[int] = set()
        for hash_, first, last in zip(hashes, firsts.tolist(), lasts.tolist(), strict=True):
            file_ids.update(self._holders[first:last][self._hashes[first:last] == hash_].tolist())
        return file_ids


class PassingFiles:
    """Find the files that pass an argument to a name, during an update.

    A file that the update has read says it by its new facts (`fresh`), any other file by what it looked up before.
    """

    def __init__(self, lookups: Lookups, paths: Mapping[int, str], fresh: Mapping[str, FileFacts]) -> None:
        self._lookups = lookups
        self._paths = paths
        self._fresh = fresh

    def __call__(self, name: str) -> list[str]:
        """List their paths, sorted."""
        file_ids = self._lookups.files([PASSING + name])
        # What a file passed before the update no longer counts, if the update has read the file.
        stored = {self._paths[file_id] for file_id in file_ids if file_id in self._paths} - self._fresh.keys()
        return sorted(stored | {path for path, facts in self._fresh.items() if name in facts.passing})
