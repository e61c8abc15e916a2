"""Find the files that pass an argument to a name, in an update, which has read few files."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from code_graph_indexer.resolve.facts import PASSING, FileFacts
from code_graph_indexer.resolve.world import MAX_PASSING


class LookupTable(Protocol):
    """A table from each lookup key to the files that looked it up when they were linked."""

    def files(self, keys: Iterable[str]) -> set[int]:
        """Return the ids of the files that looked up any of the keys. If two keys share a hash, a file too many is returned."""


class PassingFiles:
    """A function from a name to the files that pass an argument to a callee of that name, for an update.

    For a file that the update has read, the new facts (`fresh`) count. For any other file, its stored lookups count.
    `paths` maps file ids to paths, and `names` maps paths to facts, of which the arguments count.
    """

    def __init__(
        self,
        lookups: LookupTable,
        paths: Mapping[int, str],
        fresh: Mapping[str, FileFacts],
        names: Callable[[str], FileFacts],
    ) -> None:
        self._lookups = lookups
        self._paths = paths
        self._fresh = fresh
        self._names = names

    def __call__(self, name: str) -> list[str]:
        """List the paths of the files that pass an argument to a callee of this simple name, sorted."""
        file_ids = self._lookups.files([PASSING + name])
        # What a file passed before the update no longer counts, if the update has read the file.
        stored = {self._paths[file_id] for file_id in file_ids if file_id in self._paths} - self._fresh.keys()
        paths = sorted(stored | {path for path, facts in self._fresh.items() if name in facts.arguments})
        # Two keys may share a hash. That matters only near the limit, since of too many files none is read.
        return (
            paths if len(paths) > 2 * MAX_PASSING else [path for path in paths if name in self._names(path).arguments]
        )
