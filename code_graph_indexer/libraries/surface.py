"""Find the definitions of a package by the names that other code uses. Only the files that a name may lead to are read."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from code_graph_indexer.languages import OWN_CLASS, languages
from code_graph_indexer.storage import Store, StoredDefinition
from code_graph_indexer.storage.records import joined_name
from code_graph_indexer.syntax.parse import parse

CALLABLE = ("function", "method", "macro")
"""The kinds of definitions that have parameters themselves. A class has those of its constructor."""

MAX_CLASSES = 300
"""The most classes in which a member is looked for. No class has as many above it, unless to make this slow."""

VALUES = ("constant", "field", "variable", "property", "enum_member")
"""The kinds of definitions that share the chunk of another one."""

_RESULT = re.compile(r"->\s*[\"']?([\w.]+)")
"""Matches the type that a signature declares for the result."""


class Place(NamedTuple):
    """A definition of a package, with the module of its file."""

    module: str
    definition: StoredDefinition


class _File:
    """What a file of a package defines, and what it passes on from other files."""

    def __init__(self, store: Store, path: str, module: str) -> None:
        self.places = [Place(module, definition) for definition in store.file_definitions(path)]
        self.by_name = {place.definition.dotted: place for place in reversed(self.places)}
        self.by_chunk = {
            place.definition.chunk_id: place for place in reversed(self.places) if place.definition.kind not in VALUES
        }
        self.bases: dict[int, list[int]] = defaultdict(list)
        self.imported: dict[str, int] = {}
        for reference in store.file_references(path):
            if reference.kind == "inherits":
                self.bases[reference.source_id].append(reference.target_id or 0)
            elif reference.kind == "imports":
                # What a module passes on has a second name there.
                self.imported.setdefault(re.split(r"[\s./\\:]+", reference.name)[-1], reference.target_id or 0)


class Surface:
    """The definitions of a package by the names that other code uses.

    `folder` is where its files lie in a store that also holds others. It ends with a slash, or is empty.
    """

    def __init__(self, store: Store, folder: str = "") -> None:
        self._store = store
        self._folder = folder
        files = [file for file in store.files() if file.error is None and file.path.startswith(folder)]
        self._modules = {file.path: file.module for file in files if file.language}
        self._languages = {file.path: languages()[file.language] for file in files if file.language in languages()}
        self._paths: dict[str, list[str]] = defaultdict(list)
        for path, module in self._modules.items():
            self._paths[module].append(path)
        self._files: dict[str, _File] = {}

    def _file(self, path: str) -> _File:
        """Return what a file of the package defines."""
        if path not in self._files:
            self._files[path] = _File(self._store, path, self._modules[path])
        return self._files[path]

    @cached_property
    def by_name(self) -> dict[str, Place]:
        """Map each full name to its definition: those of all files, then those that modules pass on. All files are read."""
        places = [place for path in self._modules for place in self._file(path).places]
        names = {joined_name(place.module, place.definition.dotted): place for place in reversed(places)}
        for path, module in self._modules.items():
            for name, chunk_id in self._file(path).imported.items():
                if (origin := self._of_chunk(chunk_id)) is not None:
                    names.setdefault(joined_name(module, name), origin)
        return names

    @cached_property
    def dotted(self) -> dict[str, list[Place]]:
        """Map each name inside a file to the definitions that have it, the nearest to the root first. All files are read."""
        names: dict[str, list[Place]] = defaultdict(list)
        for path in sorted(self._modules, key=_nearness):
            for place in self._file(path).places:
                names[place.definition.dotted].append(place)
        return names

    def whole(self) -> list[Place] | None:
        """List the definitions that are the whole value of a package, as `export default load` says, declarations first.

        It is empty if that value has no name, or nothing tells where the package begins. None if it has no such value.
        """
        places: list[Place] = []
        is_whole = not self._begins
        for path in self._begins:
            language = self._languages[path]
            syntax = parse(path, self._store.file_text(path) or b"", language.name)
            values = [binding.value for binding in syntax.bindings if binding.name == language.default_export]
            # `export { default } from "./pair"` passes it on. An import of it has an alias.
            is_whole |= bool(values) or any(
                (entry.alias or entry.name) == language.default_export for entry in syntax.imports
            )
            names = self._file(path).by_name
            places += [names[value] for value in values if value in names]
        return places if is_whole else None

    @cached_property
    def _begins(self) -> list[str]:
        """What an import of the package reads: those that its manifest names, else its indexes, declarations first."""
        paths = [path for path, language in self._languages.items() if language.default_export]
        manifests = {name for path in paths for name, _ in self._languages[path].manifest}
        text = "".join(
            (self._store.file_text(self._folder + name) or b"").decode("utf-8", "replace") for name in sorted(manifests)
        )
        named = [
            path
            for path in paths
            if re.search(rf"[\"/]{re.escape(_bare(path.removeprefix(self._folder)))}(?:\.[\w.]+)?\"", text)
        ]
        nearest = min((path.count("/") for path in paths), default=0)
        indexes = [
            path
            for path in paths
            if path.count("/") == nearest and _bare(path).rpartition("/")[2] in self._languages[path].index
        ]
        return sorted(named or indexes, key=lambda path: (not self._declares(path), _nearness(path)))

    def _declares(self, path: str) -> bool:
        """Say whether a file holds declarations alone, such as a `.d.ts` or a `.pyi`."""
        return path in self._languages and path.endswith(self._languages[path].declaration_files or "\0")

    def _of_chunk(self, chunk_id: int) -> Place | None:
        """Return the definition of a chunk, if it is one of the package."""
        file = self._store.files_of([chunk_id]).get(chunk_id)
        return self._file(file.path).by_chunk.get(chunk_id) if file is not None and file.path in self._modules else None

    def _named(self, words: Sequence[str]) -> Place | None:
        """Return the definition of a full name, or what the module passes on under it, or None."""
        for end in range(len(words) - 1, 0, -1):
            dotted = ".".join(words[end:])
            for path in self._paths.get(".".join(words[:end]), ()):
                file = self._file(path)
                if (place := file.by_name.get(dotted)) is not None:
                    return place
                if dotted in file.imported and (origin := self._of_chunk(file.imported[dotted])) is not None:
                    return origin
        return None

    def _inside(self, dotted: str, folder: str) -> Iterator[Place]:
        """Yield the definitions with a name inside their files, in a folder or a file of that name."""
        symbols = self._store.symbols([dotted.rpartition(".")[2]], exact_case=True)
        paths = {symbol.file_path for symbol in symbols} & self._modules.keys()
        for path in sorted(paths, key=lambda path: (not self._declares(path), _nearness(path))):
            if not folder or f"/{path}".find(f"/{folder}/") >= 0 or path.rpartition(".")[0].endswith(folder):
                yield from (place for place in self._file(path).places if place.definition.dotted == dotted)

    def find(self, package: str, module: str, name: str) -> Place | None:
        """Return the definition that a name in a module means to other code, or None.

        The result of a call, as in `get().json`, is followed if the signature of the function declares its type.
        """
        call, is_result, rest = name.rpartition("().")
        if is_result:
            function = self.find(package, module, call)
            result = _RESULT.search(function.definition.signature) if function is not None else None
            cls = self._seen_from(function, result[1]) if function is not None and result is not None else None
            return self._member(cls, rest.split(".")) if cls is not None else None
        if not name or "()" in name:
            return None
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            if (place := self._named(joined_name(module, ".".join(parts[:end])).split("."))) is not None:
                return self._member(place, parts[end:])
        # Other languages have no module names in their files: the folder or the file stands for the module.
        inside = module.removeprefix(package).strip("/.:\\")
        folder = "/".join(re.split(r"[/.:\\]+", inside)) if inside else ""
        members = (
            self._member(place, parts[end:])
            for end in range(len(parts), 0, -1)
            for place in self._inside(".".join(parts[:end]), folder)
        )
        return next((member for member in members if member is not None), None)

    def _seen_from(self, place: Place, name: str) -> Place | None:
        """Return what a name means in the file of a definition: what it defines, or imports from another file."""
        file, last = self._file(place.definition.path), name.rpartition(".")[2]
        return file.by_name.get(name) or (self._of_chunk(file.imported[last]) if last in file.imported else None)

    def run_by(self, place: Place) -> list[StoredDefinition]:
        """List what a call of a definition runs: its overloads, or of a class its constructor, if one is written."""
        definition = place.definition
        if definition.kind not in CALLABLE:
            names = languages()[definition.language].constructors if definition.language else ()
            names = tuple(definition.name if name == OWN_CLASS else name for name in names)
            runs = (self._own_or_inherited(place, name) for name in names)
            constructor = next(filter(None, runs), None)
            if constructor is None:
                return [definition]
            definition = constructor.definition
        places = self._file(definition.path).places
        return [place.definition for place in places if place.definition.dotted == definition.dotted] or [definition]

    def _member(self, place: Place, names: Sequence[str]) -> Place | None:
        """Return a member of a definition, its own or inherited."""
        for name in names:
            member = self._own_or_inherited(place, name)
            if member is None:
                return None
            place = member
        return place

    def _own_or_inherited(self, place: Place, name: str) -> Place | None:
        """Return a member of a class or of `MAX_CLASSES` above it, the first base with all above it first."""
        pending, visited = [place], set[int]()
        while pending and len(visited) < MAX_CLASSES:
            place = pending.pop()
            if place.definition.chunk_id in visited:
                continue
            visited.add(place.definition.chunk_id)
            file = self._file(place.definition.path)
            if (member := file.by_name.get(f"{place.definition.dotted}.{name}")) is not None:
                return member
            bases = file.bases.get(place.definition.chunk_id, ())
            pending += reversed([above for base in bases if (above := self._of_chunk(base)) is not None])
        return None


def _bare(path: str) -> str:
    """Return a path without its endings: `dist/index` of `dist/index.d.ts`."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}"


def _nearness(path: str) -> tuple[int, str]:
    """Return what sorts paths by their distance to the root, then by name."""
    return path.count("/"), path
