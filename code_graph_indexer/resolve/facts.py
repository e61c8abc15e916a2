"""What one file tells the others: a flat table of facts that the resolver looks up by key."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple, cast

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.frames import Frame, frames_of
from code_graph_indexer.syntax.parse import CLASS_KINDS
from code_graph_indexer.syntax.records import Binding, Syntax

TYPE_KINDS = CLASS_KINDS - {"scope"} | {"type", "module", "namespace"}
CALLABLE_KINDS = frozenset({"function", "method", "macro"})
VALUE_KINDS = frozenset({"field", "property", "variable", "constant"})
MAX_SLOTS = 4
"""Values kept of a field, and results of a function; more do not agree on a type."""
INDEXED_KINDS = TYPE_KINDS | CALLABLE_KINDS


_NAME = re.compile(r"[^\W\d]\w*")


class Target(NamedTuple):
    """A definition that a reference may mean; `dotted` is its name inside its file, `chunk_id` its node."""

    path: str
    dotted: str
    kind: str
    chunk_id: int
    has_body: bool

    @property
    def name(self) -> str:
        """Return its simple name."""
        return self.dotted.rpartition(".")[2]

    @property
    def is_type(self) -> bool:
        """Say whether it can be instantiated, inherited from or be a receiver's type."""
        return self.kind in TYPE_KINDS


class Overload(NamedTuple):
    """One of the definitions of a function, how many arguments it takes, and the names of their types."""

    target: Target
    fewest: int
    most: int
    types: tuple[str, ...] = ()


class Slot(NamedTuple):
    """What a field or a variable of a file holds: its annotation, or a path; `at` is where in `frame` that is said."""

    type_name: str
    value: str
    at: int = 0
    frame: Frame | None = None


class Returns(NamedTuple):
    """What a function returns: the type it declares, or the paths that it returns."""

    type_name: str
    results: tuple[Slot, ...] = ()


class Passed(NamedTuple):
    """What a call passes to a parameter: the paths of the callee and of the value, and the definition they stand in.

    `param` is the place of the value among the parameters of that definition, -1 for what is none.
    """

    callee: str
    place: int
    keyword: str
    value: str
    dotted: str
    param: int


class FileFacts(NamedTuple):
    """The facts of one file.

    Keys: `d:<dotted>` a definition (Target; `d:` is the module), `b:<class>` its bases (tuple of type texts),
    `f:<class>.<field>` or `f:<variable>` what it holds (tuple of Slots), `r:<function>` its Returns, `t:<type>` the type
    that it is another name of, `v:<name>` the bound of a type variable, `p:<function>` the types of its parameters,
    `o:<function>` its overloads (tuple of Overloads),
    `a:<name>` what is passed where something of that name is called (tuple of Passed),
    `x:<function>` the type that it extends, `m:<interface>` the names of its own methods,
    `i:<name>` an import bound to the name (module, name), `j:<name>` another one, `*` the modules imported whole,
    `k:` those that may say themselves what they are called.
    """

    path: str
    language: str
    module: str
    is_test: bool
    table: dict[str, object]
    by_name: dict[str, list[Target]]
    passing: tuple[str, ...]


def file_facts(
    path: str, language: str, is_test: bool, syntax: Syntax, nodes: Sequence[int], module_id: int
) -> FileFacts:
    """Collect the facts of one file; `nodes` gives the chunk id of each definition, `module_id` that of the file."""
    table: dict[str, object] = {"d:": Target(path, "", "module", module_id, True)}
    by_name: dict[str, list[Target]] = defaultdict(list)
    overloads: dict[str, list[Overload]] = defaultdict(list)
    has_overloads = bool(languages()[language].variadic)
    for one, chunk_id in zip(syntax.definitions, nodes, strict=True):
        dotted = one.path_name
        if is_top_value(one.kind, one.name, dotted):
            by_name[one.name].append(Target(path, dotted, one.kind, chunk_id, one.has_body))
        if one.kind in INDEXED_KINDS and is_linked(language, one.kind, one.name, dotted, one.has_body):
            target = Target(path, dotted, one.kind, chunk_id, one.has_body)
            known = table.get(f"d:{dotted}")
            # Of overloads and declarations, the one with a body is meant.
            if not isinstance(known, Target) or (one.has_body and not known.has_body):
                table[f"d:{dotted}"] = target
            by_name[one.name].append(target)
            if has_overloads and one.kind in CALLABLE_KINDS:
                overloads[dotted].append(Overload(target, one.fewest, one.most, one.types))
        if one.type_name and one.kind in CALLABLE_KINDS | {"property"}:
            table.setdefault(f"r:{dotted}", Returns(one.type_name))
        if one.type_name and one.kind in VALUE_KINDS:
            table.setdefault(f"f:{dotted}", (Slot(one.type_name, ""),))
        if one.type_name and one.kind == "type":
            table.setdefault(f"t:{dotted}", one.type_name)
        if one.kind == "enum_member" and one.parent >= 0:
            table.setdefault(f"f:{dotted}", (Slot(syntax.definitions[one.parent].name, ""),))
    table.update({f"v:{name}": bound for name, bound in syntax.typevars})
    table.update({f"x:{syntax.definitions[place].path_name}": text for place, text in syntax.extensions if place >= 0})
    table.update({f"o:{name}": tuple(found) for name, found in overloads.items()})
    if languages()[language].structural:
        _add_methods(table, syntax)
    params = _params_of(syntax, language)
    _add_params(table, syntax, params)
    _add_bases(table, syntax)
    told = {one.scope for one in syntax.bindings if one.owner or not one.name}
    _add_values(table, syntax, frames_of(syntax, told))
    passing = _add_passed(table, syntax, params)
    _add_imports(table, syntax, language)
    return FileFacts(path, language, syntax.module, is_test, table, by_name, passing)


def is_linked(language: str, kind: str, name: str, dotted: str, has_body: bool) -> bool:
    """Say whether a definition is found by its name from other files.

    One that only declares a function of the platform's library, or puts a macro in its place on some platforms, is not.
    """
    if dotted == name and (kind == "macro" or not has_body) and name in languages()[language].platform:
        return False
    return kind in INDEXED_KINDS or is_top_value(kind, name, dotted)


def is_top_value(kind: str, name: str, dotted: str) -> bool:
    """Say whether a definition is a variable at the top of its file, which others may see."""
    return kind in VALUE_KINDS and dotted == name


def _add_bases(table: dict[str, object], syntax: Syntax) -> None:
    bases: dict[str, list[str]] = defaultdict(list)
    for reference in syntax.references:
        if reference.kind == "inherits" and reference.scope >= 0:
            name = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
            bases[syntax.definitions[reference.scope].path_name].append(name)
    table.update({f"b:{name}": tuple(found) for name, found in bases.items()})


def _add_methods(table: dict[str, object], syntax: Syntax) -> None:
    """Note which methods an interface asks for."""
    methods: dict[str, list[str]] = defaultdict(list)
    for one in syntax.definitions:
        if one.kind == "method" and one.parent >= 0 and syntax.definitions[one.parent].kind == "interface":
            methods[syntax.definitions[one.parent].path_name].append(one.name)
    table.update({f"m:{name}": tuple(found) for name, found in methods.items()})


def _params_of(syntax: Syntax, language_name: str) -> dict[int, list[Binding]]:
    """List the parameters of each function, in order, without the object itself."""
    language = languages()[language_name]
    own = language.self_names | language.self_types
    found: dict[int, list[Binding]] = defaultdict(list)
    for binding in syntax.bindings:
        if binding.is_param and not binding.to_byte and binding.scope >= 0 and binding.name not in own:
            found[binding.scope].append(binding)
    return found


def _add_params(table: dict[str, object], syntax: Syntax, params: Mapping[int, Sequence[Binding]]) -> None:
    """Note the declared types of the parameters of each function."""
    types: dict[str, list[str]] = defaultdict(list)
    for scope, bound in params.items():
        types[syntax.definitions[scope].path_name] += [one.type_name for one in bound]
    table.update({f"p:{name}": tuple(found) for name, found in types.items() if any(found)})


def _add_values(table: dict[str, object], syntax: Syntax, frames: Sequence[Frame | None]) -> None:
    """Note what fields and the file's own variables hold, and what functions without a declared type return."""
    fields: dict[str, list[Slot]] = defaultdict(list)
    results: dict[str, list[Slot]] = defaultdict(list)
    given: dict[int, str] = {}
    for binding in syntax.bindings:
        if not binding.type_name and binding.value in ("", "null"):
            continue
        around = syntax.definitions[binding.scope] if binding.scope >= 0 else None
        if not binding.name and around is not None:
            held = results[around.path_name]
        elif binding.owner and (cls := enclosing_class(syntax, binding.scope)):
            held = fields[f"{cls}.{binding.name}"]
        elif around is not None and around.kind in CLASS_KINDS:
            held = fields[f"{around.path_name}.{binding.name}"]
        elif around is None or (around.kind in VALUE_KINDS and around.name == binding.name):
            held = fields[around.path_name if around else binding.name]
            if around is not None and around.path_name == around.name:
                given[binding.scope] = binding.value
        elif binding.value and given.get(binding.scope) == binding.value:
            # Another name that the same statement gives: `a = b = f()`.
            held = fields[binding.name]
        else:
            continue
        frame = frames[binding.scope] if around else None
        place = binding.start - around.start if around and frame else 0
        held.append(Slot(binding.type_name, binding.value, place, frame))
    for name, slots in fields.items():
        known = cast("tuple[Slot, ...]", table.get(f"f:{name}", ()))
        typed = [one for one in (*known, *slots) if one.type_name]
        table[f"f:{name}"] = tuple(typed[:1] or slots[:MAX_SLOTS])
    for name, slots in results.items():
        table.setdefault(f"r:{name}", Returns("", tuple(slots[:MAX_SLOTS])))


def _add_passed(table: dict[str, object], syntax: Syntax, params: Mapping[int, Sequence[Binding]]) -> tuple[str, ...]:
    """Note what is passed to parameters, by the last name of what is called, or of what that is another name of."""
    places = {
        (scope, one.name): place for scope, bound in params.items() for place, one in reversed([*enumerate(bound)])
    }
    aliases = {
        one.name: one.value for one in syntax.bindings if not one.owner and one.value and _NAME.fullmatch(one.value)
    }
    aliases |= {each.alias: each.name for each in syntax.imports if each.alias and each.name}
    passed: dict[str, list[Passed]] = defaultdict(list)
    for one in syntax.arguments:
        name = one.callee.rpartition(".")[2]
        dotted = syntax.definitions[one.scope].path_name if one.scope >= 0 else ""
        if _NAME.fullmatch(name):
            param = places.get((one.scope, one.value), -1)
            row = Passed(one.callee, one.place, one.keyword, one.value, dotted, param)
            passed[aliases.get(one.callee, name)].append(row)
    table.update({f"a:{name}": tuple(found) for name, found in passed.items()})
    return tuple(passed)


def _add_imports(table: dict[str, object], syntax: Syntax, language_name: str) -> None:
    language = languages()[language_name]
    whole: list[str] = []
    unnamed: list[str] = []
    # An import inside a function speaks for the file only where no other does.
    for one in sorted(syntax.imports, key=lambda each: each.scope >= 0):
        if one.name == "*" or (not one.name and language.binds == "all"):
            whole.append(one.module)
            continue
        if one.alias or one.name:
            bound, module = one.alias or one.name, one.module
        else:
            unnamed.append(one.module)
            bare = language.import_decoration.sub("", one.module) if language.import_decoration else one.module
            parts = [part for part in re.split(r"[./\\:]+", bare) if part]
            bound = (parts[0] if language.binds == "first" else parts[-1]) if parts else ""
            module = bound if language.binds == "first" else one.module
        if table.setdefault(f"i:{bound}", (module, one.name)) != (module, one.name):
            table.setdefault(f"j:{bound}", (module, one.name))
    if whole:
        table["*"] = tuple(dict.fromkeys(whole))
    if unnamed and language.modules == "folder":
        table["k:"] = tuple(dict.fromkeys(unnamed))


def enclosing_class(syntax: Syntax, scope: int) -> str:
    """Name the class, or the scope that names one, around a definition; empty when there is none."""
    while scope >= 0:
        one = syntax.definitions[scope]
        if one.kind in CLASS_KINDS or one.kind == "module":
            return one.path_name
        if one.kind == "method" and one.owner:
            return one.path_name.rpartition(".")[0]
        scope = one.parent
    return ""


def changed_keys(old: FileFacts | None, new: FileFacts | None) -> set[str]:
    """List the lookups whose answer a change of one file may alter."""
    if old and new and old.language != new.language:
        return changed_keys(old, None) | changed_keys(None, new)
    keys: set[str] = set()
    path = (new or old).path if (new or old) else ""  # type: ignore[union-attr]
    before, after = (facts.table if facts else {} for facts in (old, new))
    keys |= {f"{path}\0{key}" for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    named_before, named_after = (facts.by_name if facts else {} for facts in (old, new))
    keys |= {
        f"n:{name}"
        for name in named_before.keys() | named_after.keys()
        if named_before.get(name) != named_after.get(name)
    }
    keys |= {key[len(path) + 1 :] for key in keys if key.startswith(f"{path}\0a:")}
    if (old and old.module) != (new and new.module) or (old is None) != (new is None):
        for facts in (old, new):
            if facts is not None:
                keys |= {f"m:{name}" for name in module_tails(facts.path, facts.module)}
    return keys


def moves_package(old: FileFacts | None, new: FileFacts | None) -> bool:
    """Say whether a change gives the files below its folder other names: the index file of a package came or went."""
    facts = old or new
    if facts is None or (old is None) == (new is None):
        return False
    language = languages()[facts.language]
    return language.modules == "path" and PurePosixPath(facts.path).stem in language.index


def module_tails(path: str, module: str) -> set[str]:
    """List the last words by which imports may speak of a file: its stem, its folder, the end of its module's name."""
    folder, _, name = path.rpartition("/")
    return {name.partition(".")[0], folder.rpartition("/")[2], module.rpartition(".")[2]}


@lru_cache(maxsize=100_000)
def import_tail(text: str) -> str:
    """Find the last word of an import's text, without a file extension."""
    parts = [part for part in re.split(r"[/\\:.]+", text) if part]
    if "/" in text and "." in text.rpartition("/")[2].strip("."):
        return text.rpartition("/")[2].partition(".")[0]
    return parts[-1] if parts else ""
