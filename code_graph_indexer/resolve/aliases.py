"""Other names for the folders of a repository, as a compiler's configuration gives them: `"paths"` and `"baseUrl"` of a
tsconfig.json (https://www.typescriptlang.org/tsconfig/#paths).
"""

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

MAX_EXTENDS = 10
"""Configurations that extend each other, before giving up."""

OWN_FOLDER = "${configDir}"

_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


class Alias(NamedTuple):
    """A name that imports may begin with, up to its `*`, what stands behind that, and the paths meant, which have a `*` too."""

    prefix: str
    suffix: str
    is_pattern: bool
    paths: tuple[str, ...]

    def meant(self, text: str) -> tuple[str, ...]:
        """List the paths that an import with this prefix means by this name, in order; none if it has another name."""
        if not self.is_pattern:
            return self.paths if text == self.prefix else ()
        if len(text) < len(self.prefix) + len(self.suffix) or not text.endswith(self.suffix):
            return ()
        rest = text[len(self.prefix) : len(text) - len(self.suffix)]
        return tuple(one.replace("*", rest, 1) for one in self.paths)


class _Folder:
    """The names that the configurations of one folder give, found by their prefixes: a large repository has hundreds."""

    def __init__(self) -> None:
        self._by_prefix: dict[str, list[Alias]] = defaultdict(list)
        self._lengths: list[int] = []

    def add(self, aliases: Iterable[Alias]) -> None:
        # A name without a `*` goes before those with one.
        for one in sorted(aliases, key=lambda each: each.is_pattern):
            self._by_prefix[one.prefix].append(one)
        self._lengths = sorted({len(one) for one in self._by_prefix}, reverse=True)

    def meant(self, text: str) -> Iterator[str]:
        """Yield the paths that an import may mean, by the longest prefix first."""
        for length in self._lengths:
            if length <= len(text):
                for alias in self._by_prefix.get(text[:length], ()):
                    yield from alias.meant(text)


class Aliases:
    """The names that configurations, given as texts by path, give to files below their folders."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._configurations = {path: _read(text) for path, text in texts.items()}
        self._by_folder: dict[str, _Folder] = defaultdict(_Folder)
        # The one without anything between its name and its extension is the folder's own.
        for path in sorted(self._configurations, key=lambda one: (one.count("."), one)):
            self._by_folder[posixpath.dirname(path)].add(self._of(path))

    def meant(self, importer: str, text: str) -> Iterator[str]:
        """Yield the paths that an import may mean, by the nearest configuration first."""
        folder = posixpath.dirname(importer)
        while True:
            if folder in self._by_folder:
                yield from self._by_folder[folder].meant(text)
            if not folder:
                return
            folder = posixpath.dirname(folder)

    def _of(self, path: str) -> Iterator[Alias]:
        """Yield what a configuration says, or else the ones that it extends."""
        own = posixpath.dirname(path)
        base = ""
        paths: tuple[str, dict[str, object]] | None = None
        for _ in range(MAX_EXTENDS):
            configuration = self._configurations.get(path, {})
            folder = posixpath.dirname(path)
            options = configuration.get("compilerOptions")
            if isinstance(options, dict):
                if not base and isinstance(options.get("baseUrl"), str):
                    base = _joined(folder, options["baseUrl"], own)
                if paths is None and isinstance(options.get("paths"), dict):
                    paths = folder, options["paths"]
            path = self._extended(folder, configuration.get("extends"))
            if not path:
                break
        if base:
            yield Alias("", "", True, (f"{base}/*",))
        for name, places in paths[1].items() if paths else ():
            prefix, star, suffix = name.partition("*")
            listed = [one for one in places if isinstance(one, str)] if isinstance(places, list) else []
            at = base or (paths[0] if paths else "")
            yield Alias(prefix, suffix, bool(star), tuple(_joined(at, one, own) for one in listed))

    def _extended(self, folder: str, extends: object) -> str:
        """Find the configuration that one extends; the last that is here of several."""
        named = [one for one in (extends if isinstance(extends, list) else [extends]) if isinstance(one, str)]
        places = [_joined(folder, one) for one in named if one.startswith(".")]
        found = [one for place in places for one in (place, f"{place}.json") if one in self._configurations]
        return found[-1] if found else ""


def _joined(folder: str, path: str, own: str = "") -> str:
    """Join a path to the folder of the configuration that it stands in, or to that of the one that extends it."""
    at = own if path.startswith(OWN_FOLDER) else folder
    return posixpath.normpath(posixpath.join(at, path.removeprefix(OWN_FOLDER).lstrip("/")))


def _read(text: str) -> dict[str, object]:
    """Read JSON with comments and commas behind the last of a list; what is none says nothing."""
    bare = _LAST_COMMA.sub(lambda one: one[1] or "", _COMMENT.sub(lambda one: one[1] or "", text))
    try:
        found = json.loads(bare)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
