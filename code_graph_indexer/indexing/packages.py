"""Read which packages manifests declare and lock files fix, and say to which of them the module of an import belongs."""

import json
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from code_graph_indexer.git import checkout_file
from code_graph_indexer.languages import is_package_file
from code_graph_indexer.languages.ecosystems import Ecosystem, PackageFile, ecosystems
from code_graph_indexer.storage import IndexWriter

MAX_LOCK_BYTES = 32 << 20
"""The largest lock file that is read. The one of a repository with two thousand packages has a few megabytes."""

Packages = dict[str, str]
"""Packages by name, each with its version or an empty text."""

_NAME = re.compile(r"@?[A-Za-z0-9][\w./@-]*")
_FIXED = re.compile(r"==\s*([\w.+!-]+)\s*(?:;|$)")
_SEPARATORS = re.compile(r"[-._/:\\]+")


def name_packages(root: Path, writer: IndexWriter) -> None:
    """Write into the index to which package the modules outside belong, and at which version."""
    modules = writer.externals.modules()
    if not modules:
        return
    texts = package_texts(root, writer)
    rows: list[tuple[str, str, int]] = []
    for ecosystem in ecosystems().values():
        members = [(number, module) for number, name, module in modules if name == ecosystem.name]
        if members:
            declared, locked = read_packages(texts, ecosystem)
            finder = _Finder(ecosystem, declared | locked)
            for number, module in members:
                package = finder.package(module)
                rows.append((package, finder.version(package), number))
    writer.externals.put_packages(rows)


def rename_packages(root: Path, writer: IndexWriter, paths: Iterable[str]) -> None:
    """Write the packages anew after an update of these files, if it may have changed them."""
    if writer.externals.has_unnamed() or any(map(is_package_file, paths)):
        name_packages(root, writer)


def package_texts(root: Path, writer: IndexWriter) -> dict[str, str]:
    """Map the path of each file of the index that names packages to its text."""
    texts = dict(writer.links.texts_named(is_package_file))
    for path in writer.externals.data_paths():
        if is_package_file(path) and (text := read_lock(root, path)) is not None:
            texts[path] = text
    return texts


def read_lock(root: Path, path: str) -> str | None:
    """Read a lock file, whose text the index does not hold. None if it is too large, a link, outside or no text."""
    with suppress(OSError, UnicodeDecodeError, ValueError):
        file = checkout_file(root, path)
        if file is not None and file.is_file() and not file.is_symlink() and file.stat().st_size <= MAX_LOCK_BYTES:
            return file.read_text(encoding="utf-8")
    return None


def read_packages(texts: Mapping[str, str], ecosystem: Ecosystem) -> tuple[Packages, Packages]:
    """Return the packages that these files declare, and those whose version they fix.

    Of several files with a name, the one nearest to the root counts.
    """
    return _packages(texts, ecosystem.declared), {
        name: version for name, version in _packages(texts, ecosystem.locked).items() if version
    }


def _packages(texts: Mapping[str, str], sorts: Iterable[PackageFile]) -> Packages:
    """Map the packages that files of these sorts name to their versions."""
    packages: Packages = {}
    for path in sorted(texts, key=lambda path: (path.count("/"), path)):
        for sort in sorts:
            if fnmatchcase(posixpath.basename(path), sort.file):
                # A file that is no TOML or JSON names no package.
                with suppress(ValueError, RecursionError, AttributeError):
                    for name, version in _entries(texts[path], sort):
                        packages.setdefault(name, version)
    return packages


def _entries(text: str, sort: PackageFile) -> Iterator[tuple[str, str]]:
    """Yield the packages that a file names, each with a version or an empty text."""
    if sort.pattern is not None:
        parts = [part[0] for part in sort.within.finditer(text)] if sort.within is not None else [text]
        for match in (match for part in parts for match in sort.pattern.finditer(part)):
            yield match["name"], match.groupdict().get("version") or ""
        return
    content = json.loads(text) if text.lstrip()[:1] == "{" else tomllib.loads(text)
    for key in sort.keys:
        for table in _at(content, key.split(".")):
            entries = table.items() if isinstance(table, dict) else ((entry, entry) for entry in table)
            for name, entry in entries:
                yield from _entry(name, entry, sort.name)


def _at(content: Any, keys: list[str]) -> Iterator[Any]:
    """Yield the tables and lists at a place of TOML or JSON. `*` is any key."""
    if not keys:
        if isinstance(content, dict | list):
            yield content
    elif isinstance(content, dict):
        for key in content if keys[0] == "*" else (keys[0],):
            yield from _at(content.get(key), keys[1:])


def _entry(name: object, entry: object, pattern: re.Pattern[str] | None) -> Iterator[tuple[str, str]]:
    """Yield the package that an entry names: `requests==2.33`, `{"name": …, "version": …}`, or a key with either."""
    text = entry.get("version", "") if isinstance(entry, dict) else entry
    name = name.get("name", "") if isinstance(name, dict) else name
    match = (pattern or _NAME).search(name) if isinstance(name, str) and isinstance(text, str) else None
    if match is None:
        return
    fixed = _FIXED.search(str(text))
    version = fixed[1] if fixed else str(text) if isinstance(entry, dict) else ""
    yield match.groupdict().get("name") or match[0], version.removeprefix("==")


def normal(name: str) -> str:
    """Return a name of a package or module as it is compared: `Google.Cloud-storage` is `google_cloud_storage`."""
    return _SEPARATORS.sub("_", name).casefold().strip("_@")


class _Finder:
    """A finder of the package of a module: the declared one with the longest name that begins it, else its first part."""

    def __init__(self, ecosystem: Ecosystem, packages: Packages) -> None:
        self._ecosystem = ecosystem
        self._versions = {normal(name): version for name, version in packages.items() if version}
        self._names = {normal(name): name for name in sorted(packages, reverse=True)}

    def package(self, module: str) -> str:
        """Return the package of a module."""
        start = self._ecosystem.package_of(module)
        name = "" if start == self._ecosystem.library else normal(module)
        while name:
            if name in self._names:
                return self._names[name]
            name = name.rpartition("_")[0]
        return start

    def version(self, package: str) -> str:
        """Return the version of a package that a lock file fixes, or an empty text."""
        return self._versions.get(normal(package), "")
