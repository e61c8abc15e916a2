"""Look up what the imports of a file bind: definitions, modules, whole files, and what those export in turn."""

import itertools
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.annotations import dots
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.resolution import (
    IMPORT,
    MAX_DEPTH,
    MAX_PARTS,
    NOTHING,
    STAR,
    UNIQUE,
    Resolution,
)
from code_graph_indexer.resolve.scope_parts import Part, View
from code_graph_indexer.resolve.world import Import
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.roles import is_name

MANY_FILES = 8
"""With so many files in a module, it is asked first which files define a name."""


class Imports(Part):
    """The names that the imports of one file bring."""

    __slots__ = ()

    def imported(self, name: str, depth: int = 0, own_only: bool = False) -> Resolution:
        """Return the definition that an import binds to the name.

        If that import leads nowhere, a second import of the same name is tried. `depth` counts the re-exports followed so far.
        If `own_only` is true, what a class inherits is not searched.
        """
        bound = self.world.import_of(self.path, name)
        resolution = self._import_bound(bound, depth, own_only)
        if resolution.targets or not bound:
            return resolution
        return self._import_bound(self.world.second_import_of(self.path, name), depth, own_only)

    def _import_bound(self, bound: Import | None, depth: int, own_only: bool) -> Resolution:
        """Return the definition that an import means: the name in its module, or else what the whole module means."""
        if not bound:
            return NOTHING
        module, name = bound
        if name:
            return self.import_target(module, name, depth, own_only)
        if not self.language.default_export:
            return self.import_in_full(module, depth)
        return self.whole(module, depth)

    def whole(self, module: str, depth: int = 0) -> Resolution:
        """Return the definition that is the whole value of a module, as `module.exports = Cart` says."""
        if depth <= MAX_DEPTH:
            for path in self.world.find_modules(self.path, module):
                if (exported := self.exported(path, self.language.default_export, depth + 1)).targets:
                    return exported
        return NOTHING

    def import_in_full(self, text: str, depth: int = 0) -> Resolution:
        """Return the definition that an import of a full name means, such as `import a.b.Name`."""
        module, separator, last = text.rpartition(self.language.import_separator)
        return self.import_target(module, last, depth) if separator and module else NOTHING

    def import_target(self, module: str, name: str, depth: int = 0, own_only: bool = False) -> Resolution:
        """Return the definition of `name` in the files of a module. Re-exports are followed."""
        if depth > MAX_DEPTH:
            return NOTHING
        paths = self.world.find_modules(self.path, module)
        if not paths and self.language.import_lookup == "tree":
            paths = self.modules_of(module.replace(self.language.import_separator, "."), depth)
        for path in _exporting(self, paths, name):
            if (exported := self.exported(path, name, depth + 1)).targets:
                twins = self._twins(paths, path, name, depth) if len(paths) > 1 else ()
                return Resolution(exported.targets + twins, UNIQUE if twins else IMPORT)
        if self.language.import_separator not in module and (
            target := self.view.definition(self.path, f"{module}.{name}")
        ):
            # A module inside this file.
            return Resolution((target,), IMPORT)
        if (member := self.package_member(module, name)).targets:
            return member
        return self._of_class(module, name, depth, own_only)

    def _of_class(self, module: str, name: str, depth: int, own_only: bool) -> Resolution:
        """Return the member of a class whose name is the end of that of a module: `import a.b.Class.member`."""
        outer, dotted = module, name
        # To find a base must not need the bases again.
        inherits = self.language.modules == "declared" and not (depth or own_only)
        for _ in range(MAX_PARTS):
            outer, separator, last = outer.rpartition(self.language.import_separator)
            if not (separator and outer):
                break
            # The members of a companion are those of its class.
            dotted = dotted if last in self.language.class_members else f"{last}.{dotted}"
            for path in self.world.find_modules(self.path, outer):
                if target := self.view.definition(path, dotted):
                    return Resolution((target,), IMPORT)
                cls = self.view.definition(path, dotted.removesuffix(f".{name}")) if inherits else None
                if cls is not None and cls.is_type and (target := self.view.inherited(cls, name)):
                    return Resolution((target,), IMPORT)
                if (
                    self._holds_module(path, last)
                    and (imported := self.view.at(path).imported(name, depth + 1)).targets
                ):
                    return imported
        return NOTHING

    def _twins(self, paths: tuple[str, ...], chosen: str, name: str, depth: int) -> tuple[Target, ...]:
        """List what a name means in files that are the imported module just as well as the chosen one, in other roots."""
        if self.language.modules != "path":
            return ()
        stems = {posixpath.splitext(chosen)[0]}
        targets: list[Target] = []
        for path in paths:
            if (stem := posixpath.splitext(path)[0]) not in stems and len(targets) < MAX_CANDIDATES - 1:
                stems.add(stem)
                targets += self.exported(path, name, depth + 1).targets[:1]
        return tuple(targets)

    def exported(self, path: str, name: str, depth: int) -> Resolution:
        """Return what a name means to files that import it from the file `path`.

        `depth` counts the re-exports followed so far. A new search begins with 1.
        """
        if depth == 1:
            # Two files may re-export each other. `visited` ends that, and belongs to one search.
            self.world.visited.clear()
        if depth > MAX_DEPTH:
            return NOTHING
        if target := self.view.definition(path, name):
            return Resolution((target,), IMPORT)
        scope = self.view.at(path)
        if (renamed := scope.renamed(name, depth)).targets:
            return renamed
        if scope.language.script and name == scope.language.default_export:
            # A component is the whole value of its file.
            component = self.view.definition(path, "")
            return Resolution((component,), IMPORT) if component else NOTHING
        return scope.reexported(name, depth) if self.language.reexports else NOTHING

    def renamed(self, name: str, depth: int) -> Resolution:
        """Return the class that a variable of this file is another name for: `Base = Other`, `export { Other as Base }`.

        What a module exports under another name, or as its whole value, may also be a function.
        """
        slots = self.world.slots(self.path, name)
        if not slots:
            # This is the way of nearly all names.
            return NOTHING
        values = {slot.value.removesuffix("[]") for slot in slots if not slot.type_name}
        value = next(iter(values), "")
        # A variable with several values is no other name of a class.
        if len(values) != 1 or value == name:
            return NOTHING
        if value.startswith('"') and value.endswith('"'):
            resolution = self.whole(value.strip('"'), depth + 1)
        elif "definition.namespace" in self.language.captures and value.rpartition(".")[2] == name:
            # C++'s `using shop::total`.
            return self.view.dotted(value)
        elif is_name(value):
            target = self.view.definition(self.path, value)
            resolution = Resolution((target,), IMPORT) if target else self.imported(value, depth + 1)
        elif (bound := self.world.import_of(self.path, value.partition(".")[0])) and not bound[1]:
            # `Cart = shop.Cart`, with a module `shop`.
            resolution = self.import_target(bound[0], value.partition(".")[2], depth + 1)
        else:
            return NOTHING
        # Where nothing else has the name, an export gives it: `export { total as sum }`.
        may_be_value = name == self.language.default_export or self.world.written(self.path, name) is None
        return resolution if may_be_value or all(target.is_type for target in resolution.targets) else NOTHING

    def reexported(self, name: str, depth: int) -> Resolution:
        """Return what a name means among the imports of this file. A search visits each name of a file only once."""
        if (self.path, name) in self.world.visited:
            return NOTHING
        self.world.visited.add((self.path, name))
        if (imported := self.imported(name, depth + 1)).targets:
            return imported
        return NOTHING if self.is_outside(name, depth + 1) else self.starred(name, depth + 1)

    def starred(self, name: str, depth: int, own_only: bool = False) -> Resolution:
        """Return what a name means in the files that this file imports whole, as with `from m import *`.

        `depth` counts the re-exports followed so far. A new search begins with 1. Of an opened class, only a new search finds
        what it inherits, and none does with `own_only`.
        """
        if depth == 1:
            self.world.visited.clear()
        holders = self.reached_holders(name)
        alias: Target | None = None
        if (
            self.language.condition is not None
            and len(holders) > 1
            and (macro := self._macro(name, holders)) is not None
        ):
            return Resolution((macro,), IMPORT)
        # What is not re-exported comes only from the files that hold it. A header may include hundreds of others.
        for path in self.star_reach() if self.language.reexports else holders:
            if self.language.reexports and not self.world.is_public(path, name):
                continue
            target = self.view.definition(path, name) if path in holders else None
            if target is not None and (target.kind != "macro" or target.has_body):
                confidence = STAR if path in self._chosen_by_build() else IMPORT
                resolution = Resolution(self._alternatives(target, holders), confidence)
                return _with_others(self.view, resolution, name, holders) if depth == 1 else resolution
            # `#define read my_read` often stands under a condition that is false. A function of that name goes before it.
            alias = alias or target
            if self.language.reexports and (outer := self._of_reexports(path, name, depth + 1)).targets:
                return _with_others(self.view, outer, name, holders) if depth == 1 else outer
        if alias is not None:
            return Resolution((alias,), IMPORT)
        return self.opened_member(name, own_only or depth > 1)

    def _of_reexports(self, path: str, name: str, depth: int) -> Resolution:
        """Return what a name means in a file that passes on what it imports: by its name, or as a member that it opens."""
        imported = self.view.at(path).imported(name, depth)
        return imported if imported.targets else self.view.at(path).opened_member(name, True)

    def _macro(self, name: str, holders: list[str]) -> Target | None:
        """Return the macro that one of these files defines in every build, or None. It hides functions of its name."""
        targets = (self.view.definition(path, name) for path in holders)
        macros = (target for target in targets if target is not None and target.kind == "macro")
        chosen = self._chosen_by_build()
        return next((macro for macro in macros if macro.path not in chosen and not self.world.conditions(macro)), None)

    @remembered
    def _chosen_by_build(self) -> frozenset[str]:
        """Return the included files of which a build has one: an `#include` means files of one name in several folders."""
        reach = self.star_reach() if self.language.condition is not None else {}
        names = Counter(path.rpartition("/")[2] for path in reach)
        twice = {name for name, count in names.items() if count > 1}
        choices = (choice for path in ((self.path, *reach) if twice else ()) for choice in self.world.choices(path))
        return frozenset(choice for choice in choices if choice.rpartition("/")[2] in twice)

    def _alternatives(self, target: Target, holders: list[str]) -> tuple[Target, ...]:
        """List the target, and what its name means in other builds: in `holders`, the included files that define the name.

        A build chooses between files of one name, and between local functions with a body.
        """
        if target.path in self._chosen_by_build():
            name = target.path.rpartition("/")[2]
            twins = (self.view.definition(holder, target.dotted) for holder in holders if holder.endswith(f"/{name}"))
            return tuple(dict.fromkeys((target, *filter(None, twins))))
        if not (target.is_local and target.has_body):
            return (target,)
        included = (self.view.definition(holder, target.dotted) for holder in holders)
        return tuple(twin for twin in included if twin and twin.is_local and twin.has_body)

    def opened_member(self, name: str, own_only: bool) -> Resolution:
        """Return the member of this name of a definition whose members this file imports whole. `own_only`: not inherited."""
        for outer in self._opened():
            member = self.view.own_member(outer, name)
            if member is None and not own_only:
                # To find a base here would need the bases, which are searched with `own_only`.
                member = self.view.inherited(outer, name)
            if member is not None:
                return Resolution((member,), IMPORT)
        return NOTHING

    def reached_holders(self, name: str) -> list[str]:
        """List the files that this file imports whole, directly or not, and that define a name at their top level."""
        reach = self.star_reach()
        return among(reach, self.world.holders(name)) if reach else []

    @remembered
    def _opened(self) -> tuple[Target, ...]:
        """List the definitions whose members this file imports whole: `open Shop.Cart`, `import static a.Names.*`."""
        texts = self.world.whole_imports(self.path)
        if _has_package_objects(self.language) and (module := self.world.module(self.path)):
            # Scala's `package object shop` holds what all files of the package `shop` see.
            texts = (*texts, module)
        return tuple(dict.fromkeys(target for text in texts for target in self.opened_by(text)))

    @remembered
    def package_member(self, package: str, name: str) -> Resolution:
        """Return what the object of a package has under a name: `package object shop { val limit = 3 }`."""
        outers = self.opened_by(package) if _has_package_objects(self.language) else ()
        members = (self.view.own_member(outer, name) for outer in outers if outer.kind == "object")
        member = next(filter(None, members), None)
        return Resolution((member,), IMPORT) if member is not None else NOTHING

    @remembered
    def opened_by(self, text: str) -> tuple[Target, ...]:
        """List the definitions whose members an import of `text` brings into this file."""
        if namespace := self._namespace(text):
            return (namespace,)
        is_declared = self.language.modules == "declared"
        if not is_declared and self.world.find_modules(self.path, text):
            return ()
        named = self.import_in_full(text).targets if is_declared else ()
        if not named and _has_package_objects(self.language) and self.language.import_separator not in text:
            named = tuple(target for target in self.world.definitions_of(text) if not self.world.module(target.path))
        written = (self.view.definition(path, dotted) for path, dotted in self._places_of(text))
        opened = (target for target in written if target is not None and target.is_type)
        return (*(cls for cls in named if cls.is_type), *itertools.islice(opened, 1))

    def _namespace(self, text: str) -> Target | None:
        """Return a namespace that included files open, for `using namespace shop`."""
        reach = self.star_reach() if self.language.declarations == "linked" else {}
        targets = self.world.definitions_of(dots(text)) if reach else ()
        return next((target for target in targets if target.kind == "namespace" and target.path in reach), None)

    def _places_of(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the files and dotted names of what an import of `text` may open.

        The first words name a file, and the last ones a definition in it. All of them may name one in this file.
        """
        separator = self.language.import_separator
        words = text.removeprefix(f"{self.language.tree.own}{separator}").split(separator)
        if len(words) > MAX_PARTS:
            return
        yield self.path, ".".join(words)
        for length in range(len(words) - 1, 0, -1):
            for path in self.world.find_modules(self.path, separator.join(words[:length])):
                yield path, ".".join(words[length:])
        holders = self.world.holders(text)
        yield from ((path, text) for path in (self.world.peers(self.path) if holders else ()) if path in holders)
        if self.language.reexports:
            yield from self._named_in_reach(text)

    def _named_in_reach(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield where a name may be defined that this file sees by an import, its own or one of a file that it imports whole.

        In Rust, `use super::*; use Error::*;` opens what the module around imports as `Error`.
        """
        for importer in (self.path, *self.star_reach()):
            yield importer, name
            if bound := self.world.import_of(importer, name):
                yield from ((path, bound[1] or name) for path in self.world.find_modules(importer, bound[0]))

    @remembered
    def star_reach(self) -> dict[str, int]:
        """Map the files that this file imports whole (`from m import *`), and those that these import whole, to their places.

        The nearest come first. In some languages, only direct imports count.
        """
        reach = {self.path: None}
        level: Iterable[str] = [self.path]
        # What an included header includes is in sight too. C#'s `using shop` brings no more than is in `shop`.
        includes = self.language.binds == "all" and self.language.modules != "declared"
        is_transitive = self.language.reexports or includes
        for _ in range(MAX_DEPTH if is_transitive else 1):
            near = (path for importer in level for path in self.world.included(importer) if path not in reach)
            level = dict.fromkeys(near)
            reach.update(level)
        del reach[self.path]
        return places(reach)

    @remembered
    def modules_of(self, dotted: str, depth: int = 0) -> tuple[str, ...]:
        """List the files that a name (`a`, `a.b`) means as a module, after `depth` re-exports.

        Usually an import binds the name. In languages whose modules declare their names, it may also be a module's full name.
        """
        head, _, rest = dotted.partition(".")
        bound = self.world.import_of(self.path, head)
        if not bound:
            return self._unbound_modules(dotted, depth)
        module, name = bound
        if name == self.language.default_export and name and not rest:
            # A module without a whole value of its own is that value itself.
            return self.world.find_modules(self.path, module)
        if name and self.language.reexports and depth < MAX_DEPTH:
            paths = self._reexported_modules(module, name, rest, depth + 1)
            if paths:
                return paths
        text = self.joined(module, name) if name else module
        if rest:
            separator = self.language.import_separator
            text = f"{text}{separator}{rest.replace('.', separator)}"
        paths = self.world.find_modules(self.path, text)
        if not (paths or name) and rest and self.language.reexports and depth < MAX_DEPTH:
            inner, _, further = rest.partition(".")
            return self._reexported_modules(module, inner, further, depth + 1)
        return paths

    def _unbound_modules(self, dotted: str, depth: int) -> tuple[str, ...]:
        """List the files that a name means as a module, where no import binds it."""
        if self.language.modules == "folder":
            return self._self_named().get(dotted, ())
        if self.language.import_lookup == "tree":
            if not self.world.modules.begins_path(dotted.partition(".")[0], self.language):
                return ()
            paths = self.world.find_modules(self.path, dotted.replace(".", self.language.import_separator))
            return paths or self._modules_inside(dotted, depth)
        own_module = self.world.module(self.path) if "below" in self.language.lookup else ""
        if own_module and (paths := self.world.find_modules(self.path, f"{own_module}.{dotted}")):
            return paths
        return self.world.find_modules(self.path, dotted) if self.language.modules in ("stem", "declared") else ()

    def _modules_inside(self, dotted: str, depth: int) -> tuple[str, ...]:
        """List the files of what a module imports and so re-exports, a module too: `tools.cli` after `extern crate cli`."""
        outer, _, last = dotted.rpartition(".")
        for path in self.modules_of(outer, depth + 1) if outer and depth < MAX_DEPTH else ():
            if (
                path != self.path
                and self.world.import_of(path, last)
                and (paths := self.view.at(path).modules_of(last, depth + 1))
            ):
                return paths
        return ()

    @remembered
    def _self_named(self) -> dict[str, tuple[str, ...]]:
        """Map the names that imported modules declare for themselves to their files: Go's `import "x/go-yaml"` binds `yaml`."""
        texts = self.world.unnamed_imports(self.path)
        modules = [paths for text in texts if (paths := self.world.find_modules(self.path, text))]
        return {self.world.module(paths[0]): paths for paths in modules}

    def _reexported_modules(self, module: str, name: str, rest: str, depth: int) -> tuple[str, ...]:
        """List the files of what `module` re-exports as `name`, a module too: `export * as util from "./util"`.

        `rest` is the dotted name of a module inside the re-exported one, or an empty text.
        """
        paths = self.world.find_modules(self.path, module)
        if not paths and self.language.import_lookup == "tree":
            separator = self.language.import_separator
            outer, _, last = module.rpartition(separator)
            holders = self.world.find_modules(self.path, outer) if outer else ()
            paths = tuple(path for path in holders if self._holds_module(path, last))
            paths = paths or self.modules_of(module.replace(separator, "."), depth)
        for path in paths:
            bound = self.world.import_of(path, name)
            dotted = f"{name}.{rest}" if rest else name
            if path != self.path and bound and (paths := self.view.at(path).modules_of(dotted, depth)):
                return paths
            is_open = not bound and self.language.import_lookup == "tree"
            for whole in self.world.whole_imports(path) if is_open else ():
                # `pub use generator::*` passes on the modules of `generator` too.
                separator = self.language.import_separator
                if paths := self.world.find_modules(path, separator.join([whole, *dotted.split(".")])):
                    return paths
        return ()

    def _holds_module(self, path: str, name: str) -> bool:
        """Say whether a file writes out a module, as in `pub mod kit { pub use crate::parts::Gear; }`."""
        if self.language.import_lookup != "tree":
            return False
        module = self.view.definition(path, name)
        return module is not None and module.kind == "module"

    def joined(self, module: str, name: str) -> str:
        """Join a module and a name in it to the text of an import: `a.b` and `c` → `a.b.c`, `..` and `c` → `..c`."""
        relative = module.endswith(self.language.relative or "\0")
        return module + name if relative else f"{module}{self.language.import_separator}{name}"

    @remembered
    def is_external(self, name: str) -> bool:
        """Say whether an import binds the name to a definition outside the repository."""
        return (
            self.world.import_of(self.path, name) is not None
            and not self.modules_of(name)
            and not self.imported(name).targets
        )

    def is_outside(self, name: str, depth: int = 0, own_only: bool = False) -> bool:
        """Say whether an import binds the name to something of a module outside the repository, after `depth` re-exports."""
        bound = self.world.import_of(self.path, name)
        return (
            bound is not None
            and not self.world.find_modules(self.path, bound[0])
            and not self.modules_of(name, depth)
            and not self.imported(name, depth, own_only).targets
        )


def places(paths: Iterable[str]) -> dict[str, int]:
    """Map paths to their places in an order. A path that comes twice has the first place."""
    return {path: place for place, path in enumerate(dict.fromkeys(paths))}


def among(places: Mapping[str, int], holders: Set[str]) -> list[str]:
    """List the paths of an order that are among `holders`, in that order."""
    # A file may include a thousand others, and a thousand files may define a common name.
    if len(places) < len(holders):
        return [path for path in places if path in holders]
    return sorted([path for path in holders if path in places], key=places.__getitem__)


def _has_package_objects(language: Language) -> bool:
    """Say whether an object may add to the package of its full name: where a package has a body, as in Scala."""
    return language.modules == "declared" and language.captures >= {"definition.object", "scope"}


def _with_others(view: View, resolution: Resolution, name: str, holders: list[str]) -> Resolution:
    """Add what other files define by a name that a file imports whole itself: a build or a condition chooses one.

    Examples: `import 'io.dart' if (dart.library.html) 'web.dart'`, and `from fast import *` in a `try`.
    """
    if not view.language.reexports or not holders:
        return resolution
    paths = {target.path for target in resolution.targets}
    beside = [path for path in view.world.included(view.path) if path in holders and path not in paths]
    targets = (view.definition(path, name) for path in beside if view.world.is_public(path, name))
    others = tuple(target for target in targets if target is not None)
    return Resolution((*resolution.targets, *others), STAR, all_meant=True) if others else resolution


def _exporting(view: Imports, paths: Sequence[str], name: str) -> Sequence[str]:
    """Leave out the files of a module of many files that cannot export a name, by one lookup in place of one in each."""
    if len(paths) < MANY_FILES or view.language.reexports or view.world.is_written(name, value=True):
        return paths
    holders = view.world.holders(name)
    return [path for path in paths if path in holders]
