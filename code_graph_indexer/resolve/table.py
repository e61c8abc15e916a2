"""Hold the files of a full build from parsing to linking: a few numbers of each file in memory, and the rest on disk.

Memory for the records of all definitions would grow with the repository. So the facts of a file are collected when a lookup
needs them, and `World` forgets those that no lookup needed for long.
"""

import marshal
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from zlib import adler32, crc32

import numpy as np

from code_graph_indexer.resolve.collect import file_names, is_value
from code_graph_indexer.resolve.facts import FileFacts
from code_graph_indexer.resolve.link_file import LinkFile
from code_graph_indexer.resolve.modules import ModuleFile, Modules
from code_graph_indexer.resolve.notes import key_hash
from code_graph_indexer.resolve.spool import Spool
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage import StoredFileIds
from code_graph_indexer.storage.arrays import distinct
from code_graph_indexer.storage.records import ExactUse, Target
from code_graph_indexer.syntax.packing import unpack
from code_graph_indexer.syntax.records import IndexedFile, Syntax

UNPACKED_FILES = 2
"""Files whose records stay unpacked. A file is read twice in a row: for its references and for its facts."""

NO_NAMES = marshal.dumps((b"", b"", b"", b"", b"", b""))
"""The packed names of a file without any."""


def packed_names(path: str, language: str, syntax: Syntax) -> bytes:
    """Pack what a `LinkTable` takes of a file: names that others may look for, and names that it passes values to.

    For each simple name that other files may see, these are its hash and the length of its record, in four bytes each, then the
    records, then the hashes of the names of callees, in eight bytes, and those of values and of all definitions, in four.
    """
    facts = file_names(path, language, syntax)
    # The path is left out, as the table knows it.
    records = [marshal.dumps((name, [target[1:] for target in targets])) for name, targets in facts.by_name.items()]
    hashes, lengths = array("I", map(key_hash, facts.by_name)), array("I", map(len, records))
    pairs = zip(syntax.definitions, syntax.member_of, strict=True)
    values = {definition.name for definition, member in pairs if is_value(definition.kind, member)}
    # A scope is no definition of its own.
    all_names = {definition.name for definition in syntax.definitions if definition.kind != "scope"}
    written = (array("I", map(key_hash, names)) for names in (values, all_names))
    return marshal.dumps((hashes, lengths, b"".join(records), array("Q", map(_long_hash, facts.arguments)), *written))


def _long_hash(name: str) -> int:
    """Return a hash that no two names of a repository share, in practice: two checksums side by side."""
    content = name.encode()
    return adler32(content) << 32 | crc32(content)


class LinkTable:
    """The files of a full build that have references, by number, in the order in which they were stored.

    First all files are put into the table. Then it is sealed, and answers the lookups of a `World`. As a context manager it
    removes its file at the end.
    """

    def __init__(self, folder: Path) -> None:
        self._spool = Spool(folder)
        self.modules: list[ModuleFile] = []
        self.exact: Mapping[int, Sequence[ExactUse]] = {}
        self.sizes = array("I")
        self._numbers: dict[str, int] = {}
        # For each file: its id, the ids of its first chunk and member, how many it has, and its places in the spool.
        self._file_ids, self._first_chunks, self._chunk_counts = array("Q"), array("Q"), array("I")
        self._first_members, self._member_counts = array("Q"), array("I")
        self._inputs, self._records = array("Q"), array("Q")
        # For each name of each file: its hash, and the place of its record.
        self._hashes, self._places, self._lengths = array("I"), array("Q"), array("I")
        # For each callee of each file: the hash of its name, and the number of the file.
        self._passing, self._passers = array("Q"), array("I")
        # The hashes of the names of values, and of all definitions.
        self._values, self._written = array("I"), array("I")
        self._opened = lru_cache(maxsize=UNPACKED_FILES)(self._open)

    def __enter__(self) -> "LinkTable":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spool.close()

    def __len__(self) -> int:
        return len(self.modules)

    def put(self, file: IndexedFile, stored: StoredFileIds) -> None:
        """Add a file and the ids that a new index gave to it. Those of its chunks, and of its members, follow each other."""
        source = file.source
        hashes, packed_lengths, records, passing, values, written = marshal.loads(file.names or NO_NAMES)
        self._values.frombytes(values)
        self._written.frombytes(written)
        number = len(self.modules)
        self._numbers[source.path] = number
        self.modules.append(ModuleFile(source.path, source.language or "", file.module, source.is_test))
        self._file_ids.append(stored.file_id)
        self._first_chunks.append(stored.chunk_ids[0])
        self._chunk_counts.append(len(stored.chunk_ids))
        self._first_members.append(stored.member_ids[0] if stored.member_ids else 0)
        self._member_counts.append(len(stored.member_ids))
        self.sizes.append(len(file.link_input))
        self._inputs.append(self._spool.put(file.link_input))
        place = self._spool.put(records)
        self._records.append(place)
        self._hashes.frombytes(hashes)
        lengths = array("I", packed_lengths)
        self._lengths.extend(lengths)
        for length in lengths:
            self._places.append(place)
            place += length
        self._passing.frombytes(passing)
        self._passers.extend([number] * (len(self._passing) - len(self._passers)))

    def seal(self) -> None:
        """Sort the names, so that lookups find them."""
        self._spool.flush()
        self._hashes, self._places, self._lengths = _sorted(self._hashes, self._places, self._lengths)
        self._passing, self._passers = _sorted(self._passing, self._passers)
        self._values, self._written = (
            array("I", distinct(np.frombuffer(hashes, np.uint32)).tobytes()) for hashes in (self._values, self._written)
        )

    def packed(self, number: int) -> bytes:
        """Return what the resolver reads of a file, packed."""
        return self._spool.get(self._inputs[number], self.sizes[number])

    def file(self, number: int) -> LinkFile:
        """Return a file to link."""
        return self._opened(number)

    def _open(self, number: int) -> LinkFile:
        """Read and unpack a file by its number. `_opened` keeps the last ones."""
        first = self._first_chunks[number]
        chunk_ids = range(first, first + self._chunk_counts[number])
        first = self._first_members[number]
        member_ids = range(first, first + self._member_counts[number])
        file_id, packed = self._file_ids[number], self.packed(number)
        return LinkFile(
            file_id,
            *self.modules[number],
            chunk_ids,
            member_ids,
            packed,
            exact=self.exact.get(file_id, ()),
            unpacked=unpack(packed),
        )

    def facts(self, path: str) -> FileFacts | None:
        """Collect the facts of a file. None if it has no references."""
        number = self._numbers.get(path)
        return None if number is None else self._opened(number).file_facts()

    def named(self, name: str) -> Sequence[Target]:
        """List the definitions of a simple name that references in any file may find, in the order of the files."""
        targets: list[Target] = []
        for at in _positions(self._hashes, key_hash(name)):
            place = self._places[at]
            simple, rows = marshal.loads(self._spool.get(place, self._lengths[at]))
            # Two names may share a hash.
            if simple == name:
                number = bisect_right(self._records, place) - 1
                path, first = self.modules[number].path, self._first_chunks[number]
                targets += [
                    Target(path, dotted, kind, first + position, has_body, is_local)
                    for dotted, kind, position, has_body, is_local in rows
                ]
        return targets

    def is_written(self, name: str, *, value: bool) -> bool:
        """Say whether any file defines a simple name, or with `value` a constant, field or short type of the name."""
        hashes, wanted = self._values if value else self._written, key_hash(name)
        at = bisect_left(hashes, wanted)
        return at < len(hashes) and hashes[at] == wanted

    def passing(self, name: str) -> list[str]:
        """List the paths of the files that pass an argument to a callee of this simple name, sorted."""
        # Sorted as `PassingFiles` sorts, so that a full build and an update link alike.
        positions = _positions(self._passing, _long_hash(name))
        return sorted(self.modules[self._passers[at]].path for at in positions)

    def world(self, manifests: Mapping[str, str], memory: int) -> World:
        """Make the World of a full build. `manifests` maps the path of each manifest, such as `go.mod`, to its text.

        `memory` is how many bytes its answers may take in each process.
        """
        return World(
            Modules(self.modules, manifests), self.facts, self.named, self.passing, self.is_written, memory=memory
        )


def _sorted(hashes: "array[int]", *columns: "array[int]") -> "list[array[int]]":
    """Sort columns by the first one, which has hashes. Rows of one hash keep their order."""
    if not hashes:
        return [hashes, *columns]
    order = np.argsort(np.frombuffer(hashes, dtype=hashes.typecode), kind="stable")
    return [
        array(column.typecode, np.frombuffer(column, dtype=column.typecode)[order].tobytes())
        for column in (hashes, *columns)
    ]


def _positions(hashes: "array[int]", wanted: int) -> range:
    """Return the positions of a hash in a sorted column."""
    first = bisect_left(hashes, wanted)
    return range(first, bisect_right(hashes, wanted, first))
