"""Find the packages that are installed for a repository, each with its version, its files and the modules that it offers.

Nothing is downloaded, and nothing of a package is run: only its own list of files and its manifest are read.
"""

import csv
import json
import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from email.parser import HeaderParser
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.languages.ecosystems import ecosystems
from code_graph_indexer.outside import home_folder

ENVIRONMENTS = (".venv", "venv", "env")
"""The folders of a repository that usually hold a virtual environment of Python."""

CONTAINERS = ("site-packages", "node_modules", "vendor", "pkg/mod", r"registry/src/[^/\s]+")
"""The folders in which packages lie, as patterns. In a path of a trace, what is behind the last one is a package."""

MAX_MANIFEST = 4 << 20
"""The largest manifest, or list of files, that is read."""

MAX_PATH, MAX_NAME = 1_000, 255
"""The most characters of a path in a package, and the most bytes of a part of it, which is what file systems take."""


class Installed(NamedTuple):
    """A package on this machine. `folder` holds its files: those of `paths`, relative to it, or all if that is None.

    `modules` are the names that code imports it by, if they are not the name of the package.
    """

    ecosystem: str
    name: str
    version: str
    folder: Path
    paths: tuple[str, ...] | None = None
    modules: tuple[str, ...] = ()
    licence: str = ""


def installed(root: Path, environments: Iterable[Path] = ()) -> list[Installed]:
    """List the packages that are installed for the repository at `root`, by ecosystem and name.

    `environments` are virtual environments of Python. Without one, those in the repository count.
    """
    own = (root / name for name in ENVIRONMENTS if lies_in(root / name, root))
    place = Place(root, tuple(environments) or tuple(own))
    packages = (
        package
        for ecosystem in ecosystems().values()
        if ecosystem.installed
        for package in FINDERS[ecosystem.installed](place, ecosystem.name)
    )
    return sorted(packages, key=lambda package: (package.ecosystem, package.name, package.version))


class Place(NamedTuple):
    """A repository and the virtual environments of Python that it runs in."""

    root: Path
    environments: tuple[Path, ...]


def read_text(path: Path) -> str:
    """Return the text of a small file, or an empty text for a link, a large file, or what is no text."""
    with suppress(OSError, ValueError):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MAX_MANIFEST:
            return path.read_text(encoding="utf-8")
    return ""


def read_json(path: Path) -> dict[str, object]:
    """Return the object in a file of JSON, or an empty one."""
    with suppress(ValueError, RecursionError):
        content = json.loads(read_text(path))
        return content if isinstance(content, dict) else {}
    return {}


def _folders(place: Path, pattern: str) -> list[Path]:
    """List the folders below a place that a pattern matches, sorted. A folder that cannot be read has none."""
    with suppress(OSError, ValueError):
        return sorted(path for path in place.glob(pattern) if path.is_dir())
    return []


def lies_in(folder: Path, around: Path) -> bool:
    """Say whether a folder lies in another one, all links followed."""
    with suppress(OSError, RuntimeError, ValueError):
        return folder.resolve().is_relative_to(around.resolve())
    return False


def is_inside(path: str) -> bool:
    """Say whether a relative path stays in its folder, and may name a file on any system."""
    # A colon names a drive on Windows, and a backslash is a separator there. An empty part begins or ends the path, or hides
    # a path from the root of the disk: `x//etc`.
    if len(path) > MAX_PATH or not {":", "\\", "\0"}.isdisjoint(path):
        return False
    return all(part not in ("", "..") and len(os.fsencode(part)) <= MAX_NAME for part in path.split("/"))


def _recorded(text: str) -> tuple[str, ...]:
    """Return the paths that a list of files (RECORD) names, sorted. A broken list names none."""
    with suppress(csv.Error):
        return tuple(sorted({row[0] for row in csv.reader(text.splitlines()) if row and is_inside(row[0])}))
    return ()


def _distributions(place: Place, ecosystem: str) -> Iterator[Installed]:
    """Yield the distributions of virtual environments, as their lists of files (RECORD) name them."""
    for environment in place.environments:
        for packages in (
            *_folders(environment, "lib/python*/site-packages"),
            *_folders(environment, "Lib/site-packages"),
        ):
            for information in _folders(packages, "*.dist-info") if lies_in(packages, environment) else ():
                if not lies_in(information, environment):
                    continue
                header = HeaderParser().parsestr(read_text(information / "METADATA"))
                name, version = str(header["Name"] or ""), str(header["Version"] or "")
                paths = _recorded(read_text(information / "RECORD"))
                if name and version and paths:
                    tops = {path.split("/")[0].partition(".")[0] for path in paths}
                    modules = tuple(sorted(top for top in tops if top.isidentifier() and top != "__pycache__"))
                    licence = str(header["License-Expression"] or header["License"] or "").strip().split("\n")[0]
                    yield Installed(ecosystem, name, version, packages, paths, modules, licence)


def _node_modules(place: Place, ecosystem: str) -> Iterator[Installed]:
    """Yield the packages in the `node_modules` of a repository and of its workspaces. A link may lead elsewhere in there."""
    root = place.root
    places = [*_folders(root, "node_modules"), *_folders(root, "*/node_modules"), *_folders(root, "*/*/node_modules")]
    for modules in places:
        if modules.parent.parent.name == "node_modules":
            continue
        for folder in (*_folders(modules, "[!.@]*"), *_folders(modules, "@*/*")):
            # A link to a workspace leads out of `node_modules`: it is the repository itself.
            if not lies_in(folder, root) or "node_modules" not in folder.resolve().parts:
                continue
            manifest = read_json(folder / "package.json")
            name, version, licence = (manifest.get(key) for key in ("name", "version", "license"))
            if isinstance(name, str) and isinstance(version, str) and name and version:
                yield Installed(
                    ecosystem, name, version, folder.resolve(), licence=licence if isinstance(licence, str) else ""
                )


def _modules(place: Place, ecosystem: str) -> Iterator[Installed]:
    """Yield the modules in the `vendor` folder of a repository, else those of its go.mod in the module cache."""
    root = place.root
    vendor = root / "vendor"
    modules = read_text(vendor / "modules.txt") if lies_in(vendor, root) else ""
    vendored = re.findall(r"^# (\S+) (v\S+)", modules, re.MULTILINE)
    for name, version in vendored:
        if is_inside(name) and (vendor / name).is_dir() and lies_in(vendor / name, root):
            yield Installed(ecosystem, name, version, vendor / name)
    if vendored:
        return
    if (home := home_folder()) is not None:
        cache = home / "go/pkg/mod"
        for name, version in re.findall(
            r"^[ \t]*(?:require[ \t]+)?([\w.-]+/\S+) (v\S+)", read_text(root / "go.mod"), re.MULTILINE
        ):
            # The cache writes a capital as `!` and the small letter.
            folder = cache / re.sub(r"[A-Z]", lambda letter: f"!{letter[0].lower()}", f"{name}@{version}")
            if is_inside(f"{name}@{version}") and folder.is_dir() and lies_in(folder, cache):
                yield Installed(ecosystem, name, version, folder)


def _crates(place: Place, ecosystem: str) -> Iterator[Installed]:
    """Yield the crates in the `vendor` folder of a repository, and those of its Cargo.lock that Cargo has unpacked."""
    root = place.root
    for folder in _folders(root, "vendor/*"):
        manifest = "\n" + read_text(folder / "Cargo.toml")
        package = manifest.partition("\n[package]\n")[2].partition("\n[")[0]
        name = re.search(r'^name = "([\w-]+)"$', package, re.MULTILINE)
        version = re.search(r'^version = "([\w.+-]+)"$', package, re.MULTILINE)
        if name and version and lies_in(folder, root):
            yield Installed(ecosystem, name[1], version[1], folder, licence=_licence(package))
    if (home := home_folder()) is not None:
        sources = _folders(home / ".cargo" / "registry" / "src", "*")
        for crate_name, crate_version in re.findall(
            r'^name = "([\w-]+)"\nversion = "([\w.+-]+)"', read_text(root / "Cargo.lock"), re.M
        ):
            unpacked = (source / f"{crate_name}-{crate_version}" for source in sources)
            crate = next(filter(Path.is_dir, unpacked), None)
            if crate is not None and lies_in(crate, crate.parent):
                licence = _licence(read_text(crate / "Cargo.toml"))
                yield Installed(ecosystem, crate_name, crate_version, crate, licence=licence)


def _licence(manifest: str) -> str:
    """Return the licence that a Cargo.toml names, or an empty text."""
    match = re.search(r'^license = "([^"\n]+)"$', manifest, re.MULTILINE)
    return match[1] if match else ""


FINDERS = {"distributions": _distributions, "node_modules": _node_modules, "modules": _modules, "crates": _crates}
"""How packages lie on a machine, by the word of `installed` in ecosystems.toml."""


def module_names(package: Installed) -> tuple[str, ...]:
    """Return the names that code imports a package by."""
    return package.modules or (posixpath.normpath(package.name),)
