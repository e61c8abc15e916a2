"""The facts of every file, as the resolver asks for them: each lookup is noted, for updates."""

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from code_graph_indexer.resolve.annotations import read_type
from code_graph_indexer.resolve.facts import FileFacts, Passed, Target
from code_graph_indexer.resolve.modules import ModuleFile, Modules
from code_graph_indexer.resolve.notes import Note, key_hash

MAX_PASSING = 20
"""Files that pass something to functions of one name; what more of them pass is not followed."""


Extension = tuple[Target, bool, frozenset[str]]
"""A definition, whether it extends a type that it does not stand in, and the names of the types whose objects have it."""


class World:
    """The facts of every file, looked up with a note of each lookup."""

    def __init__(
        self,
        modules: Modules,
        facts: Callable[[str], FileFacts | None],
        named: Callable[[str], Sequence[Target]],
        passing: Callable[[str], Sequence[str]],
    ) -> None:
        self.modules = modules
        self._facts = facts
        self._named = named
        self._passing = passing
        self._tables: dict[str, tuple[int, dict[str, object]]] = {}
        self._extensions: dict[str, tuple[list[Extension], Note]] = {}
        self._in_full: dict[str, dict[str, list[Target]]] = {}
        self.note = Note()
        self.scopes: dict[tuple[str, bool], Any] = {}
        self.inferences: dict[tuple[str, bool], Any] = {}
        self.tried: set[tuple[str, str]] = set()
        self.candidates: dict[tuple[str, bool, str, bool], tuple[Target, ...]] = {}

    def file(self, path: str) -> ModuleFile:
        """Return what imports see of a file."""
        return self.modules.files[path]

    def fact(self, path: str, key: str) -> Any:
        """Look one fact of a file up; None when it does not say that."""
        path_hash, table = self._tables.get(path) or self._table(path)
        # As key_hash, without its call: there are millions of these.
        self.note.keys.append(crc32(key.encode(), path_hash))
        return table.get(key)

    def _table(self, path: str) -> tuple[int, dict[str, object]]:
        """Return the facts of a file, with the hash by which the keys of its facts start."""
        facts = self._facts(path)
        self._tables[path] = key_hash(f"{path}\0"), facts.table if facts else {}
        return self._tables[path]

    def definition(self, path: str, dotted: str) -> Target | None:
        """Look a definition up by its dotted name inside a file."""
        found: Target | None = self.fact(path, f"d:{dotted}")
        return found

    def named(self, name: str) -> Sequence[Target]:
        """List the definitions of a simple name anywhere."""
        self.note.keys.append(key_hash(f"n:{name}"))
        return self._named(name)

    def named_in_full(self, dotted: str) -> Sequence[Target]:
        """List the definitions of a dotted name anywhere; some simple names have thousands."""
        name = dotted.rpartition(".")[2]
        self.note.keys.append(key_hash(f"n:{name}"))
        if name not in self._in_full:
            found = self._in_full[name] = {}
            for one in self._named(name):
                found.setdefault(one.dotted, []).append(one)
        return self._in_full[name].get(dotted, ())

    def extensions(self, name: str) -> Sequence[Extension]:
        """List the definitions of a name with the types that they may be called on."""
        self.note.keys.append(key_hash(f"n:{name}"))
        if name not in self._extensions:
            named = self._named(name)
            note = Note(key_hash(f"{one.path}\0x:{one.dotted}") for one in named)
            self._extensions[name] = [self._extension(one) for one in named], note
        found, note = self._extensions[name]
        self.note.asked.append(note)
        return found

    def _extension(self, one: Target) -> Extension:
        extended: str | None = self.fact(one.path, f"x:{one.dotted}")
        owner = one.dotted.rpartition(".")[0].rpartition(".")[2] if one.kind == "method" else ""
        return one, bool(extended), frozenset(each.name.rpartition(".")[2] for each in read_type(extended or owner))

    def passed(self, name: str) -> list[tuple[str, Passed]]:
        """List what is passed to anything of that name, with the file in which it is; nothing of a name that many call."""
        self.note.keys.append(key_hash(f"a:{name}"))
        paths = self._passing(name)
        if len(paths) > MAX_PASSING:
            return []
        return [(path, one) for path in paths for one in self.fact(path, f"a:{name}") or ()]

    def passing_keys(self, path: str) -> set[int]:
        """List the hashes of the keys by which an update finds a file again that passes something to a name."""
        facts = self._facts(path)
        return {key_hash(f"s:{name}") for name in facts.passing} if facts else set()

    def holders(self, name: str) -> set[str]:
        """List the files that define a name at their top: looking into each of a large package would take too long."""
        return {one.path for one in self.named(name) if one.dotted == name}

    def find_modules(self, importer: str, text: str) -> tuple[str, ...]:
        """List the files that an import means."""
        found = self.modules.find(importer, text)
        self.note.asked.append(found.note)
        return found.paths

    def same_module(self, one: str, other: str) -> bool:
        """Say whether two files of a language whose modules are folders belong to one."""
        modules = self.file(one).module, self.file(other).module
        self.note.keys.extend(key_hash(f"m:{module.rpartition('.')[2]}") for module in modules)
        return modules[0] == modules[1] and one.rpartition("/")[0] == other.rpartition("/")[0]

    def peers(self, path: str) -> list[str]:
        """List the other files of a file's module."""
        self.note.keys.append(key_hash(f"m:{self.file(path).module.rpartition('.')[2]}"))
        return self.modules.peers(path)
