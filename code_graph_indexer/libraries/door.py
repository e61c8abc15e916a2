"""Open packages beside the repository that uses them: both are read as one store, and the calls between them are edges."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from code_graph_indexer.across import linked_across
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.indexing.packages import normal
from code_graph_indexer.libraries.cache import Libraries
from code_graph_indexer.libraries.installed import CONTAINERS, Installed
from code_graph_indexer.libraries.listing import Repository
from code_graph_indexer.libraries.surface import Surface
from code_graph_indexer.outside import shown
from code_graph_indexer.results import ExternalUse
from code_graph_indexer.storage import ResolvedReference, Store, open_many
from code_graph_indexer.storage.records import name_inside

MOST_SURE = 0.9
"""Largest confidence of an edge into a package: its name is known, and which of several definitions it means is not."""

_FRAME = re.compile(rf"[^\s\"'()]*\b(?:{'|'.join(CONTAINERS)})/(?P<path>[^\s\"':()]+)")
"""Matches the path of a file of a package in a trace."""

_ENDS = re.compile(r"[./:\\]|$")


def folder_of(package: Installed) -> str:
    """Return the start of the paths of a package in a set, without a slash: `requests@2.33.0`."""
    return f"{package.name}@{package.version}"


def _tail(package: Installed) -> str:
    """Return the path of a package in the folder of all packages: `@my/dom`, `github.com/spf13/cobra@v1.9.1`."""
    return "/".join(package.folder.parts[-1 - package.name.count("/") :])


class Door:
    """The packages that a repository has installed, found by the names that lead into them."""

    def __init__(self, store: Store, folders: Mapping[str, Path], cache: Libraries) -> None:
        """`folders` are those of the repositories of the index. Of several, no package is found."""
        self._store = store
        self._cache = cache
        self._repository = Repository(store, folders)
        self._places: dict[Installed, Path | None] = {}

    def package(self, name: str) -> tuple[Installed, str] | None:
        """Return the installed package that a name leads into, with the part that names it: `yaml` of `yaml.load`."""
        starts = [name[: match.start()] for match in _ENDS.finditer(name) if match.start()]
        for start in reversed(starts):
            for ecosystem in self._ecosystems:
                if (entry := self._repository.installed_as(ecosystem, start)) is not None:
                    return entry, start
        return None

    def has_index(self, name: str) -> bool:
        """Say whether a name leads into a package that is installed, and indexed at its version with any content."""
        package = self.package(name)
        return package is not None and self._cache.has(package[0])

    @cached_property
    def _ecosystems(self) -> list[str]:
        """The ecosystems of the installed packages, the last one first."""
        return list(dict.fromkeys(entry.ecosystem for entry in self._repository.installed))[::-1]

    def _place(self, package: Installed) -> Path | None:
        """Return the index of a package, or None. All of its content is read for that, so it is asked once."""
        if package not in self._places:
            self._places[package] = self._cache.find(package)
        return self._places[package]

    def named(self, name: str) -> Installed:
        """Return the installed package of a name. Raises NotInIndexError for a name that none has."""
        package, start = self.package(name) or (None, "")
        if package is None or normal(start) != normal(name):
            raise NotInIndexError(f"no package {shown(name)} is installed here; cgi libraries lists those that are")
        return package

    @staticmethod
    def meant(store: Store, package: Installed, start: str, name: str) -> str:
        """Return a name as questions to the opened store take it: `FILE:NAME`, or else the name itself.

        `start` is the part of it that names the package.
        """
        rest = name[len(start) :]
        below, _, inside = rest.partition(".") if rest.startswith("/") else ("", "", rest.lstrip(".:\\"))
        place = Surface(store, f"{folder_of(package)}/").find(start, start + below, inside.replace("::", "."))
        return name if place is None else f"{place.definition.path}:{place.definition.dotted}"

    def places(self, text: str) -> tuple[str, list[Installed], list[Installed]]:
        """Return a trace with the paths of packages as they are in a set, these packages, and those that are not indexed."""
        packages: dict[Installed, bool] = {}

        def place(match: re.Match[str]) -> str:
            package = self._of_path(match["path"])
            if package is None:
                return match[0]
            if package not in packages:
                packages[package] = self._place(package) is not None
            inside = match["path"] if package.paths is not None else match["path"].removeprefix(f"{_tail(package)}/")
            return f"{folder_of(package)}/{inside}" if packages[package] else match[0]

        text = _FRAME.sub(place, text)
        return (
            text,
            [entry for entry in packages if packages[entry]],
            [entry for entry in packages if not packages[entry]],
        )

    def _of_path(self, path: str) -> Installed | None:
        """Return the installed package of a path in the folder of all packages."""
        return next(
            (
                entry
                for entry in self._repository.installed
                if (path in entry.paths if entry.paths is not None else path.startswith(f"{_tail(entry)}/"))
            ),
            None,
        )

    def open(self, packages: Sequence[Installed]) -> Store:
        """Open packages beside the repository. Raises NotInIndexError for one that is not indexed."""
        stores = {"": self._store}
        for package in packages:
            place = self._place(package)
            if place is None:
                raise NotInIndexError(
                    f"{package.name} {package.version} is installed, but not indexed; "
                    f"index it: cgi libraries add {package.name}"
                )
            stores[folder_of(package)] = self._cache.opened(place)
        return linked_across(open_many(stores), lambda store: _Uses(store, self._repository, packages))


class _Uses:
    """The references that lead into opened packages, by the names that the indexes keep of what is outside of them."""

    def __init__(self, store: Store, repository: Repository, packages: Sequence[Installed]) -> None:
        self._store = store
        self._repository = repository
        self._surfaces = {package[:2]: Surface(store, f"{folder_of(package)}/") for package in packages}
        self._ends: dict[tuple[str, str, str], int | None] = {}

    def leaving(self, chunk_ids: Sequence[int], kind: str) -> list[ResolvedReference]:
        """List the references of a kind that lead from these chunks into a package."""
        return self._rows(self._store.externals(chunk_ids, (kind,)))

    def arriving(self, chunk_ids: Sequence[int], kind: str) -> list[ResolvedReference]:
        """List the references of a kind that lead into these chunks."""
        ends = set(chunk_ids)
        return [row for row in self._all if row.target_id in ends and row.kind == kind]

    @cached_property
    def _all(self) -> list[ResolvedReference]:
        """All references into the packages."""
        names = {use.package for use in self._store.packages() if self._surface(use.ecosystem, use.package) is not None}
        return self._rows([use for name in sorted(names) for use in self._store.external_uses(name)])

    def _surface(self, ecosystem: str, package: str) -> Surface | None:
        """Return the definitions of a package that is opened, by the name that the index has for it."""
        entry = self._repository.installed_as(ecosystem, package)
        return self._surfaces.get(entry[:2]) if entry is not None else None

    def _rows(self, uses: Sequence[ExternalUse]) -> list[ResolvedReference]:
        """Return the references among these uses whose definition is known."""
        return [
            ResolvedReference(
                use.chunk_id,
                use.kind,
                use.qualified_name.rpartition(".")[2],
                "",
                use.line,
                use.column,
                end,
                min(use.confidence, MOST_SURE),
                origin="across",
            )
            for use in uses
            if (end := self._end(use)) is not None
        ]

    def _end(self, use: ExternalUse) -> int | None:
        """Return the chunk of the definition that a use means, or None."""
        key = use.ecosystem, use.package, use.qualified_name
        if key not in self._ends:
            surface = self._surface(use.ecosystem, use.package)
            name = name_inside(use.qualified_name, use.module)
            place = surface.find(use.package, use.module, name) if surface is not None else None
            self._ends[key] = None if place is None else place.definition.chunk_id
        return self._ends[key]
