"""Read ecosystems.toml: the registries of packages, and how an import, a manifest and a lock file name a package."""

import re
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from code_graph_indexer.doors import late_module

# Late, because most commands read no ecosystem.
if TYPE_CHECKING:
    import tomllib
else:
    tomllib = late_module("tomllib")


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A sort of file that names packages: those whose name matches the glob `file`.

    Packages stand at `keys` of TOML or JSON, or are what `pattern` finds in a text, or in the parts of it that `within` finds.
    `name` finds the name in a key or entry.
    """

    file: str
    keys: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    name: re.Pattern[str] | None = None
    within: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Ecosystem:
    """A registry of packages, such as `npm`: the files that name packages, and which part of a module names one.

    `library` is the own library of its languages, `names` are those that it has without an import, and `standard` matches its
    modules. `installed` says how the packages lie on a machine, or is empty. `literals` are the types of a text, a list and a
    mapping that code writes out.
    """

    name: str
    languages: frozenset[str]
    library: str
    names: frozenset[str]
    standard: re.Pattern[str]
    package: re.Pattern[str]
    declared: tuple[PackageFile, ...]
    locked: tuple[PackageFile, ...]
    installed: str
    literals: tuple[str, ...]

    def literal(self, path: str) -> str | None:
        """Return the type of what code writes out, by its expression path: `''`, `[a|b]`, `{a|b}`. None for others."""
        return dict(zip("'[{", self.literals, strict=False)).get(path[:1])

    def package_of(self, module: str) -> str:
        """Return the package of a module as its text alone tells: `react-dom` for `react-dom/client`."""
        if not module or self.standard.match(module):
            return self.library
        match = self.package.match(module)
        return (match.groupdict().get("name") or match[0]) if match else module


def _package_file(entry: dict[str, Any]) -> PackageFile:
    pattern, name, within = (
        re.compile(entry[key], re.MULTILINE) if key in entry else None for key in ("pattern", "name", "within")
    )
    return PackageFile(entry["file"], tuple(entry.get("keys", ())), pattern, name, within)


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("ecosystems.toml").read_text(encoding="utf-8"))


@cache
def _ecosystem(name: str) -> Ecosystem:
    table = _tables()[name]
    return Ecosystem(
        name,
        frozenset(table["languages"]),
        table["library"],
        frozenset(table.get("names", "").split()),
        _standard(table),
        re.compile(table["package"]),
        tuple(map(_package_file, table["declared"])),
        tuple(map(_package_file, table["locked"])),
        table.get("installed", ""),
        tuple(table.get("literals", ())),
    )


@cache
def ecosystems() -> dict[str, Ecosystem]:
    """Return every ecosystem by its name."""
    return {name: _ecosystem(name) for name in _tables()}


def _standard(table: dict[str, Any]) -> re.Pattern[str]:
    """Return the pattern of the modules of the own library. Without one, no module matches."""
    words = "|".join(map(re.escape, table.get("standard", "").split()))
    patterns = [table["standard-pattern"]] if "standard-pattern" in table else []
    patterns += [rf"^(?:{words})(?![\w-])"] if words else []
    return re.compile("|".join(patterns) or r"(?!)")


def is_package_file(path: str) -> bool:
    """Say whether a file may declare packages or fix their versions."""
    return bool(_package_files().match(path.rpartition("/")[2]))


@cache
def _package_files() -> re.Pattern[str]:
    """Return a pattern that matches the names of the files that name packages, in any ecosystem."""
    sorts = (sort for table in _tables().values() for sort in (*table["declared"], *table["locked"]))
    return re.compile("|".join(sorted({translate(sort["file"]) for sort in sorts})))


@cache
def ecosystem_of(language: str) -> Ecosystem | None:
    """Return the ecosystem that the imports of a language lead to, or None."""
    # Its patterns alone are compiled: most commands follow the imports of few languages.
    return next((_ecosystem(name) for name, table in _tables().items() if language in table["languages"]), None)
