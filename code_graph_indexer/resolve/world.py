"""Give the resolver the facts of all files, and record each lookup for later updates.

A fact is an entry that one file states about itself, such as "the bases of `Cart`".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar, cast
from zlib import crc32

from code_graph_indexer.languages import frameworks, languages
from code_graph_indexer.resolve.annotations import read_type
from code_graph_indexer.resolve.facts import (
    ARGUMENTS,
    MAX_SLOTS,
    MODULE,
    MODULE_TAIL,
    NAME,
    PASSING,
    PREFIXES,
    WRITTEN,
    WRITTEN_VALUE,
    FileFacts,
    Overload,
    Parameter,
    PassedArgument,
    Slot,
    Table,
    numbered,
)
from code_graph_indexer.resolve.library import MARK, library_facts
from code_graph_indexer.resolve.modules import ModuleFile, Modules
from code_graph_indexer.resolve.notes import NOTE_WEIGHT, Note, key_hash, noted
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import ANY_NAME, EVERYWHERE, MACRO_USE, PUBLIC

MAX_PASSING = 20
"""The most files whose arguments to functions of one name are followed. With more files, none are."""

Import = tuple[str, str]
"""An import as (text of the module, name in the module). The name is empty if the module itself is imported."""


FACT_WEIGHT = 300
"""Bytes that a fact of a file takes, on the average: processes that link Linux grow so, with NOTE_WEIGHT."""

V = TypeVar("V")


class Extended(NamedTuple):
    """The simple names of the types that a function extends, or else of the class around a method. Empty for others."""

    types: frozenset[str]
    is_outside: bool


class Recent(Generic[V]):
    """Answers by name: those that were asked for since the last `age`, and those since the one before."""

    def __init__(self) -> None:
        self._fresh: dict[Any, V] = {}
        self._old: dict[Any, V] = {}

    def get(self, key: object) -> V | None:
        """Return an answer, or None. It is fresh again."""
        value = self._fresh.get(key)
        if value is None and (value := self._old.get(key)) is not None:
            self._fresh[key] = value
        return value

    def put(self, key: object, value: V) -> V:
        """Add an answer, and return it."""
        self._fresh[key] = value
        return value

    def age(self) -> None:
        """Forget the old answers. The fresh ones are old now."""
        self._old, self._fresh = self._fresh, {}


class World:
    """The facts of all files, with one method for each kind of lookup.

    Each lookup adds the hash of its key to `note`, which belongs to the answer that is being computed (see notes.py).

    `facts` maps a path to its facts. `definitions` maps a simple name to its definitions. `passing` maps the simple name of a
    function to the paths of the files that pass arguments to it. All three may be slow: the answers are remembered. `written`
    says whether any file defines a simple name, or with `value=True` a constant, field or short type of the name. In less time
    than all facts take, `whole` maps a path to the modules it imports whole, and `names` to what `file_names` collects.

    `memory` is how many bytes all that is remembered may take, about. What was not asked for lately is forgotten then. It is
    worked out again if a later lookup needs it, so that an answer does not depend on `memory`. With 0 nothing is forgotten.

    The other public attributes are shared by all scopes, type readers and inferences. Each file has one of each for the names
    that tests see, and one for the names that production code sees.
    """

    def __init__(
        self,
        modules: Modules,
        facts: Callable[[str], FileFacts | None],
        definitions: Callable[[str], Sequence[Target]],
        passing: Callable[[str], Sequence[str]],
        written: Callable[..., bool],
        *,
        whole: Callable[[str], tuple[str, ...]] | None = None,
        names: Callable[[str], FileFacts] | None = None,
        memory: int = 0,
    ) -> None:
        self.modules = modules
        self._find_facts, self._find_names = facts, names or self._of
        self._find_definitions, self._find_passing = definitions, passing
        self._find_written, self._find_whole = written, whole
        self._memory = memory
        # Plain, because they are read millions of times.
        self._files: dict[str, FileFacts] = {}
        self._old_files: dict[str, FileFacts] = {}
        self._named: Recent[Sequence[Target]] = Recent()
        self._passers: Recent[Sequence[str]] = Recent()
        self._extensions: Recent[Note] = Recent()
        self._by_dotted: Recent[dict[str, list[Target]]] = Recent()
        self._holders: Recent[frozenset[str]] = Recent()
        self._included: Recent[Note] = Recent()
        self._choices: Recent[Note] = Recent()
        self._runnable: Recent[Note] = Recent()
        self._shared: Recent[Note] = Recent()
        self.note = Note()
        self.weight = 0
        # `Any`, because the modules of these classes import this one.
        self.scopes: dict[tuple[str, bool], Any] = {}
        self.written_scopes: dict[tuple[str, bool], Any] = {}
        self.type_readers: dict[tuple[str, bool], Any] = {}
        self.generics: dict[tuple[str, bool], Any] = {}
        self.inferences: dict[tuple[str, bool], Any] = {}
        self.defined: Recent[bool] = Recent()
        self.declarations: dict[tuple[str, bool], Any] = {}
        self.visited: set[tuple[str, str]] = set()
        """(path, name) of each re-export that the current search has followed."""
        self._candidates: Recent[Note] = Recent()

    def close(self) -> None:
        """Drop all facts and answers. They refer to each other in circles, which the collector takes long to find."""
        self.__dict__.clear()

    def settle(self) -> None:
        """Forget what was not asked for lately, if too much is remembered. To be called between two files."""
        # There are two generations, so each may take a half.
        if self._memory and self.weight > self._memory // 2:
            self._age()

    def _age(self) -> None:
        """Forget the facts and answers that nobody asked for since the last call. Parts of a file go together."""
        self.weight = 0
        self._old_files, self._files = self._files, {}
        for answers in vars(self).values():
            if isinstance(answers, Recent):
                answers.age()
        groups = self.scopes, self.written_scopes, self.type_readers, self.generics, self.inferences, self.declarations
        # Those of one file use each other, so they go together.
        used = {key for group in groups for key, answerer in group.items() if answerer.memory.fresh}
        for group in groups:
            # Also of those that go. They refer to each other in circles, which would hold their answers for ever.
            for answerer in group.values():
                answerer.memory.age()
            for key in group.keys() - used:
                del group[key]

    def _definitions(self, name: str) -> Sequence[Target]:
        """List the definitions of a simple name in all files."""
        targets = self._named.get(name)
        if targets is None:
            targets = self._named.put(name, self._find_definitions(name))
            self.weight += NOTE_WEIGHT + FACT_WEIGHT * len(targets)
        return targets

    def _passing(self, name: str) -> Sequence[str]:
        """List the paths of the files that pass an argument to a callee of this simple name."""
        paths = self._passers.get(name)
        if paths is None:
            paths = self._passers.put(name, self._find_passing(name))
            self.weight += NOTE_WEIGHT
        return paths

    def file(self, path: str) -> ModuleFile:
        """Return the file's module, language and whether it is a test."""
        return self.modules.files[path]

    def _of(self, path: str) -> FileFacts:
        """Return the facts of a file. A file without any has empty tables."""
        return self._files.get(path) or self._read(path)

    def _read(self, path: str) -> FileFacts:
        """Collect the facts of a file, or take them from the age before, and count their weight."""
        facts = self._old_files.get(path)
        if facts is None:
            facts = library_facts(path) if path.startswith(MARK) else self._find_facts(path) or FileFacts(path, "")
        self._files[path] = facts
        self.weight += FACT_WEIGHT * sum(map(len, facts.tables()))
        return facts

    def _fact(self, table: Table[V], name: str) -> V | None:
        """Return the fact of a name, or None if the table has none. The lookup is recorded."""
        # The same as `key_hash` of the whole key, without calls: there are millions of these.
        if table.start:
            self.note.keys.append(crc32(name.encode(), table.start))
        return table.get(name)

    def definition(self, path: str, dotted: str) -> Target | None:
        """Return the definition of a dotted name in a file, or None. An empty name means the file as a module."""
        # `_of` and `_fact` once more: most lookups are of definitions.
        table = (self._files.get(path) or self._read(path)).definitions
        if table.start:
            self.note.keys.append(crc32(dotted.encode(), table.start))
        return table.get(dotted)

    def is_written(self, name: str, *, value: bool) -> bool:
        """Say whether any file defines a simple name, or with `value` a constant, field or short type of the name."""
        self.note.keys.append(key_hash((WRITTEN_VALUE if value else WRITTEN) + name))
        return self._find_written(name, value=value)

    def written(self, path: str, dotted: str) -> Target | None:
        """Return what a dotted name is written for in a file, a constant or field too, or None. It has a node of its own."""
        facts, name = self._files.get(path) or self._read(path), dotted.encode()
        for table in (facts.values, facts.definitions):
            if table.start:
                self.note.keys.append(crc32(name, table.start))
            if dotted in table:
                return table[dotted]
        return None

    def class_method(self, path: str, dotted: str) -> Target | None:
        """Return the method of a class itself that has the name of a method of its objects, or None."""
        return self._fact(self._of(path).class_methods, dotted)

    def is_holder(self, function: Target) -> bool:
        """Say whether functions belong to a function or to the objects that it makes."""
        return self._fact(self._of(function.path).holders, function.dotted) is not None

    def may_run(self, names: tuple[str, ...]) -> bool:
        """Say whether any definition has one of these names."""
        return self._remembered(self._runnable, names, lambda: any(map(self.definitions_named, names)))

    def _remembered(self, recent: Recent[Note], key: object, work_out: Callable[[], V]) -> V:
        """Return the answer under a key, or work it out. Its lookups are noted, in one note for all who ask."""
        note = recent.get(key)
        if note is None:
            note = recent.put(key, noted(self, work_out))
        self.note.used.append(note)
        return cast("V", note.value)

    def candidates(self, key: object, work_out: Callable[[], tuple[Target, ...]]) -> tuple[Target, ...]:
        """Return the definitions that a bare name may mean, which `work_out` finds for all files with the same key."""
        return self._remembered(self._candidates, key, work_out)

    def is_getter(self, method: Target) -> bool:
        """Say whether a method runs when a member is read or assigned without brackets."""
        return self._fact(self._of(method.path).getters, method.dotted) is not None

    def bases(self, path: str, cls: str) -> tuple[str, ...]:
        """List the bases of a class, each as the text in the code."""
        return self._fact(self._of(path).bases, cls) or ()

    def slots(self, path: str, name: str) -> tuple[Slot, ...]:
        """List the types or values of a field (`Class.field`) or of a variable at the top of a file."""
        return self._fact(self._of(path).slots, name) or ()

    def is_public(self, path: str, name: str) -> bool:
        """Say whether an import of all names of a file brings a name. A file may list such names, as in `__all__`."""
        lists = self.slots(path, PUBLIC)
        names = {name for slot in lists for name in slot.value.split()}
        return not names or ANY_NAME in names or name in names or len(lists) == MAX_SLOTS

    def results(self, path: str, function: str) -> tuple[Slot, ...]:
        """List the types or values that a function or property returns."""
        return self._fact(self._of(path).results, function) or ()

    def aliased_type(self, path: str, alias: str) -> str:
        """Return the text of the type that an alias names, or an empty text."""
        return self._fact(self._of(path).aliased_types, alias) or ""

    def type_bounds(self, path: str, dotted: str) -> tuple[tuple[str, str], ...]:
        """List the type variables that a definition declares, each with the text of its bound."""
        return self._fact(self._of(path).type_bounds, dotted) or ()

    def parameters(self, path: str, function: str, number: int = 0) -> tuple[Parameter, ...]:
        """List the parameters of a function, or of one of its overloads, in order. Empty if no parameter has a type."""
        return self._fact(self._of(path).parameters, numbered(function, number)) or ()

    def members_named(self, path: str, name: str) -> list[Target]:
        """List the fields and properties of a simple name that a file has in others, or adds to types: `Tree.leaf`."""
        end, values = f".{name}", self._of(path).values
        self._fact(values, end)  # Notes the lookup.
        return [target for dotted, target in values.items() if dotted.endswith(end)]

    def overloads(self, path: str, function: str) -> tuple[Overload, ...]:
        """List the definitions of a function. The list is empty in languages without overloads."""
        return self._fact(self._of(path).overloads, function) or ()

    def twins(self, target: Target) -> tuple[Target, ...]:
        """List the definitions of a function that its file has under different conditions.

        The list holds `target` itself, alone if the other is an import of its name. It is empty if there is no other.
        """
        twins = self._fact(self._of(target.path).twins, "") or {}
        return next((group for group in twins.get(target.dotted, ()) if target in group), ())

    def decorators(self, target: Target) -> list[str]:
        """List the calls that get a function where it is defined, and whose results take its name: `retry()`."""
        return (self._fact(self._of(target.path).decorators, "") or {}).get(target.dotted, [])

    def conditions(self, target: Target) -> tuple[str, ...]:
        """List the names that a preprocessor must have set, or not set (`!DEBUG`), where a function is defined."""
        return (self._fact(self._of(target.path).conditions, target.dotted) or {}).get(target.chunk_id, ())

    def using_macros(self) -> Sequence[str]:
        """List the files that use macros outside of functions, which may make functions."""
        self.note.keys.append(key_hash(ARGUMENTS + MACRO_USE))
        return self._passing(MACRO_USE)

    def macro_uses(self, path: str) -> Sequence[PassedArgument]:
        """List the uses of macros in a file outside of functions: `callee` is the macro, `value` has an argument a line."""
        return self._fact(self._of(path).arguments, MACRO_USE) or ()

    def expansion(self, macro: Target) -> tuple[str, ...]:
        """List the names of the functions that the text of a macro calls."""
        return self._fact(self._of(macro.path).expansions, macro.dotted) or ()

    def made(self, macro: Target) -> tuple[str, ...]:
        """List the names of the functions that the text of a macro defines. `{0}` stands for its first argument."""
        return self._fact(self._of(macro.path).macro_functions, macro.dotted) or ()

    def receiver(self, path: str, method: str) -> str:
        """Return the text of the type before a method outside of its type, if it has type arguments, or an empty text."""
        return self._fact(self._of(path).receivers, method) or ""

    def methods(self, path: str, interface: str) -> Sequence[str]:
        """List the names of the methods in the body of an interface."""
        return self._fact(self._of(path).methods, interface) or ()

    def shape(self, path: str, method: str) -> str:
        """Return how many parameters and results a method has, as `2>1`, or an empty text if it is not known."""
        return self._fact(self._of(path).shapes, method) or ""

    def fixture(self, path: str, name: str) -> str:
        """Return the dotted name of the function that makes a fixture in a file, or an empty text."""
        return self._fact(self._of(path).fixtures, name) or ""

    def may_use_fixtures(self, path: str) -> bool:
        """Say whether a file has tests or fixtures of its own."""
        return self.file(path).is_test or self._fact(self._of(path).fixtures, ANY_NAME) is not None

    def fixtures(self, path: str, name: str) -> Iterator[Target]:
        """Yield the functions that make a fixture for a file: its own, then those of the folders around, nearest first."""
        folder, paths = path, [path]
        while folder:
            folder = folder.rpartition("/")[0]
            paths += [f"{folder}/{file_name}".lstrip("/") for file_name in _fixture_files()]
        for candidate in paths:
            target = self.definition(candidate, dotted) if (dotted := self.fixture(candidate, name)) else None
            if target is not None:
                yield target

    def import_of(self, path: str, name: str) -> Import | None:
        """Return the import that binds a name in a file, or None."""
        table = (self._files.get(path) or self._read(path)).imports
        if table.start:
            self.note.keys.append(crc32(name.encode(), table.start))
        bound = table.get(name)
        if bound is None and self.file(path).language in _sharing_languages():
            shared = (import_ for import_ in self._shared_imports(path) if import_.keyword == name)
            return next(((import_.callee, import_.value) for import_ in shared), None)
        return bound

    def _shared_imports(self, path: str) -> list[PassedArgument]:
        """List the imports of other files that hold in a file, as C#'s `global using` does in the project of its file."""

        def imports() -> list[PassedArgument]:
            self.note.keys.append(key_hash(ARGUMENTS + EVERYWHERE))
            return [
                import_
                for importer in self._passing(EVERYWHERE)
                if importer != path and self.modules.in_project(importer, path)
                for import_ in self._fact(self._passed(importer), EVERYWHERE) or ()
            ]

        return self._remembered(self._shared, path, imports)

    def second_import_of(self, path: str, name: str) -> Import | None:
        """Return another import that binds the same name in a file, or None."""
        return self._fact(self._of(path).second_imports, name)

    def whole_imports(self, path: str) -> tuple[str, ...]:
        """List the modules whose names a file imports all at once (`from m import *`, `#include`)."""
        texts: tuple[str, ...]
        if self._find_whole is None or path in self._files:
            texts = self._fact(self._of(path).whole_imports, "") or ()
        else:
            self.note.keys.append(key_hash(f"{path}\0{PREFIXES['whole_imports']}"))
            texts = self._find_whole(path)
        if self.file(path).language in _sharing_languages():
            shared = self._shared_imports(path)
            return (*texts, *(import_.callee for import_ in shared if not import_.keyword))
        return texts

    def unnamed_imports(self, path: str) -> tuple[str, ...]:
        """List the imported modules that choose the name they are used by.

        For example, Go's `import "x/go-yaml"` binds the name `yaml`.
        """
        return self._fact(self._of(path).unnamed_imports, "") or ()

    def definitions_named(self, name: str) -> Sequence[Target]:
        """List the definitions of a simple name in all files."""
        self.note.keys.append(key_hash(NAME + name))
        return self._definitions(name)

    def definitions_of(self, dotted: str) -> Sequence[Target]:
        """List the definitions of a dotted name in all files.

        Some simple names have thousands of definitions, so these are grouped by dotted name once.
        """
        name = dotted.rpartition(".")[2]
        self.note.keys.append(key_hash(NAME + name))
        groups = self._by_dotted.get(name)
        if groups is None:
            groups = self._by_dotted.put(name, {})
            for target in self._definitions(name):
                groups.setdefault(target.dotted, []).append(target)
        return groups.get(dotted, ())

    def extensions(self, name: str) -> Mapping[Target, Extended]:
        """Map the definitions of a simple name to the types whose objects may have each as a method."""
        self.note.keys.append(key_hash(NAME + name))

        def types_of() -> dict[Target, Extended]:
            targets = self._definitions(name)
            self.weight += NOTE_WEIGHT * len(targets)
            return {target: _extended(self, target) for target in targets}

        return self._remembered(self._extensions, name, types_of)

    def extended_type(self, target: Target) -> str:
        """Return the text of the type that a function extends, as `fun String.shout()` does in Kotlin, or an empty text."""
        # Functions of one name may extend several types.
        return (self._fact(self._of(target.path).extended_types, target.dotted) or {}).get(target.chunk_id, "")

    def _passed(self, path: str) -> Table[list[PassedArgument]]:
        """Return the arguments that a file passes, without its other facts if these are not read yet."""
        return (self._of if path in self._files else self._find_names)(path).arguments

    def arguments_to(self, name: str) -> list[tuple[str, PassedArgument]]:
        """List the arguments that are passed to functions of a simple name, each with the path of its file.

        The list is empty if more than `MAX_PASSING` files pass arguments.
        """
        self.note.keys.append(key_hash(ARGUMENTS + name))
        # The key is noted even if there are too many files: with fewer files the answer would change.
        paths = self._passing(name)
        if len(paths) > MAX_PASSING:
            return []
        return [(path, argument) for path in paths for argument in self._fact(self._passed(path), name) or ()]

    def passing_keys(self, path: str) -> set[int]:
        """Return the hashes of the lookup keys that say to which functions a file passes arguments.

        By these keys an update finds all files that pass arguments to a function.
        """
        return {key_hash(PASSING + name) for name in self._of(path).arguments}

    def holders(self, name: str) -> frozenset[str]:
        """Return the paths of the files that define a name at their top level.

        One lookup by name replaces a lookup in each file of a large package.
        """
        self.note.keys.append(key_hash(NAME + name))
        holders = self._holders.get(name)
        if holders is None:
            targets = self._definitions(name)
            holders = self._holders.put(
                name, frozenset(target.path for target in targets if self._is_at_top(target, name))
            )
        return holders

    def _is_at_top(self, target: Target, name: str) -> bool:
        """Say whether a definition may be used in its file by this name alone."""
        return target.dotted == name or languages()[self.file(target.path).language].is_seen_outside(target.kind)

    def _meanings(self, path: str) -> Iterator[tuple[str, ...]]:
        """Yield the files that each text means which a file imports whole: those of `#include`, or of `from m import *`."""
        return (self.find_modules(path, text) for text in self.whole_imports(path))

    def included(self, path: str) -> tuple[str, ...]:
        """List the files that a file imports whole, itself."""
        return self._remembered(self._included, path, lambda: tuple(dict.fromkeys(chain(*self._meanings(path)))))

    def choices(self, path: str) -> tuple[str, ...]:
        """List the files of which a build has one: those that the same text means where a file imports it whole."""
        return self._remembered(
            self._choices, path, lambda: tuple(chain(*(paths for paths in self._meanings(path) if len(paths) > 1)))
        )

    def find_modules(self, importer: str, text: str) -> tuple[str, ...]:
        """List the files that the text of an import means in the file `importer`."""
        match = self.modules.find(importer, text)
        self.note.used.append(match.note)
        return match.paths

    def neighbours(self, path: str) -> list[str]:
        """List the files with the name of a file in the folders beside its own, itself included."""
        name = path.rpartition("/")[2]
        self.note.keys.append(key_hash(MODULE_TAIL + name.partition(".")[0]))
        return self.modules.neighbours(path)

    def module(self, path: str) -> str:
        """Return the name of a file's module."""
        self.note.keys.append(key_hash(f"{path}\0{MODULE}"))
        return self.file(path).module

    def same_module(self, path: str, other_path: str) -> bool:
        """Say whether two files belong to the same module, in a language whose modules are folders."""
        return self.module(path) == self.module(other_path) and path.rpartition("/")[0] == other_path.rpartition("/")[0]

    def peers(self, path: str) -> list[str]:
        """List the other files of a file's module."""
        self.note.keys.append(key_hash(MODULE_TAIL + self.module(path).rpartition(".")[2]))
        return self.modules.peers(path)


def _extended(world: World, target: Target) -> Extended:
    owner = target.dotted.rpartition(".")[0].rpartition(".")[2] if target.kind == "method" else ""
    text = world.extended_type(target)
    type_names = read_type(text or owner, world.file(target.path).language)
    return Extended(frozenset(type_name.name.rpartition(".")[2] for type_name in type_names), bool(text))


@cache
def _sharing_languages() -> frozenset[str]:
    """Return the languages in which an import may hold in other files too."""
    return frozenset(name for name, language in languages().items() if "import.global" in language.captures)


@cache
def _fixture_files() -> tuple[str, ...]:
    """Return the names of the files whose fixtures hold in their folder and below, of all frameworks."""
    return tuple(file_name for framework in frameworks().values() for file_name in framework.fixture_files)
