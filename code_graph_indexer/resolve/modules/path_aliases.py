"""Read the path aliases of imports from compiler configurations: `@app/*` for `src/app/*`.

| file | what is read |
|---|---|
| tsconfig.json | `"paths"` and `"baseUrl"`: https://www.typescriptlang.org/tsconfig/#paths |
| package.json | `"imports"`, and `"exports"` for imports by its name: https://nodejs.org/api/packages.html |
| the configuration of a bundler, which is code | `alias: { '@': path.resolve(__dirname, 'src') }` |
"""

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Self, cast

MAX_EXTENDS = 10
"""Length of the longest chain of configurations that extend each other. The rest of a longer chain is ignored."""

OWN_FOLDER = "${configDir}"

BUILT_FOLDERS = frozenset({"dist", "build", "lib", "out", "es", "esm", "cjs", "types"})
"""Folders that a build writes. A package names its files there, and the repository holds the sources of these in `src`."""

_BUILT_ENDING = re.compile(r"(?:\.d)?\.[cm]?[jt]s$")
"""Pattern of the ending of a built file, whose source may have another one."""

MAX_ALIAS_BYTES = 20_000
"""Most bytes of a bundler's configuration that are read after the word `alias`."""

# `alias: {` or `alias: [` in code, then its entries: a name, and an expression that ends the line or goes to a comma.
_ALIAS = re.compile(r"\balias\s*:\s*[\[{]")
_ENTRY = re.compile(
    r"""(?:(?P<quote>['"`]?)(?P<name>[\w@$~#/.*-]+)(?P=quote)\s*:|find:\s*(['"`])(?P<find>[^'"`]+)\3\s*,\s*replacement:)
    \s*(?P<value>(?:[^,(){}\[\]'"`]|'[^']*'|"[^"]*"|`[^`]*`|\((?:[^()]|\([^()]*\))*\))+)""",
    re.VERBOSE,
)
_TEXT = re.compile(r"""['"`]([^'"`]*)['"`]""")

# Both patterns match texts first, so that a `//` or a comma inside of one stays.
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


class Alias(NamedTuple):
    """A pattern of import texts with the paths that it replaces: `@app/*.gen` for `src/app/*.gen`.

    `prefix` is the part of the pattern before the `*`, `suffix` the part after it. The paths contain a `*` too. If the
    pattern has no `*`, `is_pattern` is False.
    """

    prefix: str
    suffix: str
    is_pattern: bool
    paths: tuple[str, ...]

    @classmethod
    def of(cls, name: str, paths: Iterable[str]) -> Self:
        """Make the alias of a name, which may contain a `*`."""
        prefix, star, suffix = name.partition("*")
        return cls(prefix, suffix, bool(star), tuple(paths))

    def paths_of(self, text: str) -> tuple[str, ...]:
        """List the paths that an import text may mean, in the order of the configuration. Empty if the alias does not match.

        The caller has checked that the text begins with the prefix.
        """
        if not self.is_pattern:
            return self.paths if text == self.prefix else ()
        if len(text) < len(self.prefix) + len(self.suffix) or not text.endswith(self.suffix):
            return ()
        rest = text[len(self.prefix) : len(text) - len(self.suffix)]
        return tuple(path.replace("*", rest, 1) for path in self.paths)


class _FolderAliases:
    """The aliases of the configurations in one folder, grouped by prefix. A large repository has hundreds of aliases."""

    def __init__(self) -> None:
        self._by_prefix: dict[str, list[Alias]] = defaultdict(list)
        self._lengths: list[int] = []

    def add(self, aliases: Iterable[Alias]) -> None:
        # A name without a `*` goes before those with one.
        for alias in sorted(aliases, key=lambda alias: alias.is_pattern):
            self._by_prefix[alias.prefix].append(alias)
        self._lengths = sorted({len(prefix) for prefix in self._by_prefix}, reverse=True)

    def paths_of(self, text: str) -> Iterator[str]:
        """Yield the paths that an import text may mean. Those of the alias with the longest prefix come first."""
        for length in self._lengths:
            if length <= len(text):
                for alias in self._by_prefix.get(text[:length], ()):
                    yield from alias.paths_of(text)


class Aliases:
    """The aliases of all configurations. `texts` maps the path of each configuration to its text."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._configurations = {path: _read(text) for path, text in texts.items() if path.endswith(".json")}
        self._by_folder: dict[str, _FolderAliases] = defaultdict(_FolderAliases)
        for path in sorted(texts.keys() - self._configurations.keys()):
            self._by_folder[posixpath.dirname(path)].add(_of_bundler(posixpath.dirname(path), texts[path]))
        # `tsconfig.json` belongs to its folder. It goes before `tsconfig.test.json`, which has more dots.
        for path in sorted(self._configurations, key=lambda path: (path.count("."), path)):
            self._by_folder[posixpath.dirname(path)].add(self._of(path))
        # Every file may import a package by its name.
        for path, configuration in sorted(self._configurations.items()):
            if isinstance(name := configuration.get("name"), str):
                exports = configuration.get("exports", [configuration.get(key) for key in ("source", "module", "main")])
                self._by_folder[""].add(_of_exports(posixpath.dirname(path), name, exports))

    def paths_of(self, importer: str, text: str) -> Iterator[str]:
        """Yield the paths that an import text in the file `importer` may mean.

        Those of the nearest configuration, in the folder of the importer or above, come first.
        """
        folder = posixpath.dirname(importer)
        while True:
            if folder in self._by_folder:
                yield from self._by_folder[folder].paths_of(text)
            if not folder:
                return
            folder = posixpath.dirname(folder)

    def _of(self, path: str) -> Iterator[Alias]:
        """Yield the aliases of a configuration. Options that it lacks come from the configuration that it extends."""
        start_folder = posixpath.dirname(path)
        base = ""
        paths: tuple[str, dict[str, object]] | None = None
        # Configurations may extend each other in a circle.
        for _ in range(MAX_EXTENDS):
            configuration = self._configurations.get(path, {})
            folder = posixpath.dirname(path)
            options = configuration.get("compilerOptions")
            if isinstance(options, dict):
                if not base and isinstance(options.get("baseUrl"), str):
                    base = _joined(folder, options["baseUrl"], start_folder)
                # `paths` replace those of the extended configuration as a whole.
                if paths is None and isinstance(options.get("paths"), dict):
                    paths = folder, options["paths"]
            if isinstance(imports := configuration.get("imports"), dict):
                yield from _of_package(folder, imports)
            path = self._extended(folder, configuration.get("extends"))
            if not path:
                break
        # `baseUrl` makes every path below it importable, without any entry of `paths`.
        if base:
            yield Alias.of("*", (f"{base}/*",))
        for name, patterns in paths[1].items() if paths else ():
            texts = [text for text in patterns if isinstance(text, str)] if isinstance(patterns, list) else []
            root = base or (paths[0] if paths else "")
            yield Alias.of(name, (_joined(root, text, start_folder) for text in texts))

    def _extended(self, folder: str, extends: object) -> str:
        """Return the path of the configuration that the option `extends` names, or an empty text.

        If the option is a list, return the last of its configurations that is in the repository.
        """
        texts = [text for text in (extends if isinstance(extends, list) else [extends]) if isinstance(text, str)]
        # A bare name is a package, which the repository does not hold.
        bare = [_joined(folder, text) for text in texts if text.startswith(".")]
        paths = [path for name in bare for path in (name, f"{name}.json") if path in self._configurations]
        return paths[-1] if paths else ""


def _of_package(folder: str, imports: Mapping[str, object]) -> Iterator[Alias]:
    """Yield the aliases of the option `imports` of a package.json, such as `#lib/*` for `./src/lib/*.js`."""
    for name, value in imports.items():
        paths = [_joined(folder, text) for text in _texts(value) if text.startswith(".")]
        if paths and name.startswith("#"):
            yield Alias.of(name, paths)


def _of_exports(folder: str, package: str, exports: object) -> Iterator[Alias]:
    """Yield the aliases for imports of a package, as `exports` of its package.json says: `cart/node` for `./dist/node.js`.

    What a build writes stands for its source too, in `src`.
    """
    has_names = isinstance(exports, dict) and any(key.startswith(".") for key in exports)
    named: Mapping[str, object] = cast("dict[str, object]", exports) if has_names else {".": exports}
    for name, value in named.items():
        paths: dict[str, None] = {}
        for text in _texts(value):
            parts = text.removeprefix("./").split("/")
            paths[_joined(folder, text)] = None
            if parts[0] in BUILT_FOLDERS:
                source = _BUILT_ENDING.sub("", "/".join(parts[1:]))
                paths.update(dict.fromkeys((_joined(folder, f"src/{source}"), _joined(folder, source))))
        yield Alias.of(f"{package}{name.removeprefix('.')}", paths)


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    """Yield the texts in a value, which may choose among them by conditions: `{"node": "./a.js", "default": "./b.js"}`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth < MAX_EXTENDS:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, depth + 1)


def _of_bundler(folder: str, code: str) -> Iterator[Alias]:
    """Yield the aliases in the configuration of a bundler: `'@': path.resolve(__dirname, 'src')` stands for the folder src."""
    for block in _ALIAS.finditer(code):
        for entry in _ENTRY.finditer(code, block.end(), block.end() + MAX_ALIAS_BYTES):
            name = (entry["name"] or entry["find"]).rstrip("/*").removesuffix("$")
            parts = [text for text in _TEXT.findall(entry["value"]) if text]
            path = _joined(folder, "/".join(parts)) if parts else ""
            if name and path and not path.startswith(".."):
                yield Alias(name, "", False, (path,))
                yield Alias(f"{name}/", "", True, (f"{path}/*",))
            if code[entry.end() : entry.end() + 40].lstrip(", \n\t")[:1] in ("}", "]"):
                break


def _joined(folder: str, path: str, start_folder: str = "") -> str:
    """Join a path to the folder of its configuration.

    If the path begins with `${configDir}`, join it to `start_folder`: the folder of the configuration that extends this one.
    """
    root = start_folder if path.startswith(OWN_FOLDER) else folder
    return posixpath.normpath(posixpath.join(root, path.removeprefix(OWN_FOLDER).lstrip("/")))


def _read(text: str) -> dict[str, object]:
    """Parse JSON with comments and trailing commas. Return an empty object if the text is no JSON object."""
    bare = _LAST_COMMA.sub(lambda match: match[1] or "", _COMMENT.sub(lambda match: match[1] or "", text))
    try:
        configuration = json.loads(bare)
    except (ValueError, RecursionError):
        return {}
    return configuration if isinstance(configuration, dict) else {}
