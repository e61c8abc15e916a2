"""List the packages of a repository: those that it uses and declares, and which of them are on this machine and indexed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from code_graph_indexer.errors import UsageError
from code_graph_indexer.indexing.packages import Packages, normal, read_lock, read_packages
from code_graph_indexer.languages import is_package_file
from code_graph_indexer.languages.ecosystems import Ecosystem, ecosystems
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.libraries.cache import Libraries, version_of
from code_graph_indexer.libraries.installed import Installed, installed, module_names
from code_graph_indexer.libraries.upgrade import Upgrade, upgrade_of
from code_graph_indexer.outside import shown
from code_graph_indexer.results import ExternalUse
from code_graph_indexer.storage import Store

_PAIR = re.compile(r"(.*?[^./\\])\.\.(.+)", re.DOTALL)
"""Matches two versions or paths with two dots between. In a path alone, such dots are a part of it: `../kit.whl`."""


@dataclass(frozen=True, slots=True)
class Library:
    """A package that a repository uses, declares or fixes.

    `version` is that of its lock file, and `installed` the one on this machine: empty texts if there is none. `uses` counts
    references of the repository to it. `indexed` says whether its index is in the cache.
    """

    ecosystem: str
    package: str
    version: str
    installed: str
    uses: int
    declared: bool
    indexed: bool

    @property
    def state(self) -> str:
        """Say in a word or two what is wrong with the package, or that it is found."""
        if self.declared and not self.installed:
            return "not installed"
        if self.uses and not self.declared:
            return "not declared"
        return "found" if self.uses else "not imported"


def manifests(store: Store, root: Path | None) -> dict[str, str]:
    """Map the path of each manifest and lock file of an index to its text."""
    texts: dict[str, str] = {}
    for row in store.files():
        if is_package_file(row.path):
            if row.error is None:
                texts[row.path] = (store.file_text(row.path) or b"").decode("utf-8", "replace")
            elif row.error == "data" and root is not None and (text := read_lock(root, row.path)) is not None:
                texts[row.path] = text
    return texts


class Repository:
    """What a repository says of its packages, and what of them is installed."""

    def __init__(self, store: Store, folders: Mapping[str, Path], environments: Iterable[Path] = ()) -> None:
        """`folders` are those of the repositories of the index. Of several, none is looked at for packages."""
        root = next(iter(folders.values())) if len(folders) == 1 else None
        self._store = store
        self._uses = store.packages()
        texts = manifests(store, root)
        self.installed = installed(root, environments) if root is not None else []
        keys = [((entry.ecosystem, normal(entry.name)), entry) for entry in self.installed]
        keys += [((entry.ecosystem, normal(name)), entry) for entry in self.installed for name in module_names(entry)]
        # The first counts: a package of a name goes before those with a module of that name.
        self._installed_by_name = dict(reversed(keys))
        self.declared: dict[str, tuple[Packages, Packages]] = {
            ecosystem.name: read_packages(texts, ecosystem) for ecosystem in ecosystems().values()
        }

    def installed_as(self, ecosystem: str, package: str) -> Installed | None:
        """Return the installed package that a name in a manifest or an import means, or None."""
        return self._installed_by_name.get((ecosystem, normal(package)))

    def libraries(self, cache: Libraries) -> list[Library]:
        """List the packages, the most used first."""
        rows: list[Library] = []
        for ecosystem in ecosystems().values():
            rows += self._of(ecosystem, cache)
        return sorted(rows, key=lambda row: (-row.uses, row.ecosystem, row.package))

    def _of(self, ecosystem: Ecosystem, cache: Libraries) -> Iterator[Library]:
        """Yield the packages of an ecosystem."""
        declared, locked = self.declared[ecosystem.name]
        versions = {normal(name): version for name, version in locked.items()}
        uses: dict[str, int] = {}
        declared_names = {normal(name): name for name in declared}
        names = dict(declared_names)
        for use in self._uses:
            if use.ecosystem == ecosystem.name and use.package != ecosystem.library:
                entry = self.installed_as(ecosystem.name, use.package)
                name = entry.name if entry is not None else use.package
                key = normal(name)
                uses[key] = uses.get(key, 0) + use.uses
                names.setdefault(key, name)
        for key, name in names.items():
            entry = self.installed_as(ecosystem.name, name)
            yield Library(
                ecosystem.name,
                name,
                versions.get(key, ""),
                entry.version if entry is not None else "",
                uses.get(key, 0),
                key in declared_names,
                entry is not None and cache.has(entry),
            )

    def chosen(self, names: Iterable[str], *, everything: bool) -> list[Installed]:
        """List the installed packages of these names, or else those that are worth an index. Raises UsageError for others."""
        texts = list(names)
        if not texts:
            return self.wanted(everything=everything)
        packages = []
        for name in texts:
            entries = [entry for entry in self.installed if normal(entry.name) == normal(name)]
            if not entries:
                raise UsageError(
                    f"{shown(name)} is not installed here; install it, or name its environment: --environment"
                )
            packages += entries
        return packages

    def upgrade(self, text: str, cache: Libraries) -> Upgrade:
        """Say what an upgrade breaks: `requests=2.33.0`, `requests=dist/requests-2.33.0.whl`, `requests=2.31.0..2.33.0`.

        The old version is the installed one, or the one before `..`. Raises UsageError for a text or version that is none.
        """
        name, _, versions = text.partition("=")
        pair = _PAIR.fullmatch(versions)
        before, after = pair.groups() if pair is not None else ("", versions)
        if not after:
            raise UsageError(
                f"{shown(text)} names no package of this repository with a version; give one as requests=2.33.0"
            )
        entry, name, uses = self._used(name)
        if entry is not None and pair is None:
            before = entry.version
        elif pair is None:
            raise UsageError(f"{shown(name)} is not installed here; give both versions: {name}=OLD..NEW")
        ecosystem = entry.ecosystem if entry is not None else uses[0].ecosystem
        places = [cache.version_at(ecosystem, name, version, entry) for version in (before, after)]
        (old, _), (new, _) = places
        unchecked = tuple(version_of(place) for place, is_checked in places if not is_checked)
        with closing(cache.opened(old)) as old_store, closing(cache.opened(new)) as new_store:
            upgrade = upgrade_of(self._store, old_store, new_store, uses, (version_of(old), version_of(new)))
            return replace(upgrade, unchecked=unchecked)

    def _used(self, name: str) -> tuple[Installed | None, str, list[ExternalUse]]:
        """Return the installed package of a name, its one spelling in the cache, and its uses.

        Raises UsageError for a package that is neither installed nor used.
        """
        entry = next((entry for entry in self.installed if normal(entry.name) == normal(name)), None)
        # The name in the index is that of the import, if no manifest declares the package.
        packages = [
            use
            for use in self._uses
            if normal(use.package) == normal(name) or (entry is not None and self.installed_as(*use.key) == entry)
        ]
        uses = [use for package in packages for use in self._store.external_uses(package.package)]
        # Without a manifest, the package of a module is its first part: `ruamel` of `ruamel.yaml`.
        uses = uses or self._store.external_uses(name)
        # A vendored copy comes with the upgrade: what it uses of itself is not for the repository to mend.
        vendored = file_patterns().vendored
        uses = [use for use in uses if not vendored.match(use.file_path)]
        if entry is None and not uses:
            raise UsageError(f"the repository does not use {shown(name)}; cgi libraries lists what it uses")
        return entry, entry.name if entry is not None else packages[0].package if packages else name, uses

    def wanted(self, *, everything: bool) -> list[Installed]:
        """List the installed packages that are worth an index: those that are declared, fixed or used, or `everything`."""
        if everything:
            return self.installed
        names = {
            (ecosystem, normal(name)) for ecosystem, pair in self.declared.items() for part in pair for name in part
        }
        entries = {self.installed_as(use.ecosystem, use.package) for use in self._uses}
        return [entry for entry in self.installed if (entry.ecosystem, normal(entry.name)) in names or entry in entries]
