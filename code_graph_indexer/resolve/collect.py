"""Collect the facts of one file from its syntax."""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TypeVar

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.annotations import unwrapped_base
from code_graph_indexer.resolve.facts import (
    CALLABLE_KINDS,
    INDEXED_KINDS,
    MAX_SLOTS,
    FileFacts,
    Overload,
    Parameter,
    PassedArgument,
    Slot,
    numbered,
)
from code_graph_indexer.resolve.frames import frames_of
from code_graph_indexer.resolve.registered_names import context_slots, contexts, registered_names
from code_graph_indexer.resolve.steps import argument_names
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.branches import names_at
from code_graph_indexer.syntax.expressions import NULL
from code_graph_indexer.syntax.parameters import LABEL, method_shape
from code_graph_indexer.syntax.records import (
    ANY_NAME,
    CLASS_KINDS,
    CLASS_LIKE_KINDS,
    EVERYWHERE,
    MACRO_USE,
    MIXED,
    PAYLOAD,
    PUBLIC,
    TABLE_ENTRY,
    VALUE_KINDS,
    WRITTEN_KINDS,
    Binding,
    Definition,
    Import,
    Reference,
    Syntax,
)
from code_graph_indexer.syntax.registrations import PROXY, TEXT

UNION = " | "
"""What stands between the types of a union."""

MAX_UNION = 400
"""Characters of the result types of overloads that are united."""

_NAME = re.compile(r"[^\W\d]\w*")
_CALLEE = re.compile(rf"{_NAME.pattern}(?:\(\))?")
"""Pattern of what gets an argument: a function, or the function that a call returns, `retry()` in `@retry(3)`."""

_SIGN = re.compile(r"\.\W+(?=\w+$)")
"""Pattern of what stands before the name of a variable that has a sign: `Shop.@cart`."""

V = TypeVar("V")


def file_facts(
    path: str, language: str, is_test: bool, syntax: Syntax, chunk_ids: Sequence[int], member_ids: Sequence[int]
) -> FileFacts:
    """Collect the facts of one file. `chunk_ids` and `member_ids` are the ids of its chunks and members."""
    facts = FileFacts(path, language, syntax.module, is_test)
    facts.definitions[""] = Target(path, "", "module", chunk_ids[0], True)
    collector = _Collector(facts, syntax, [chunk_ids[place] for place in syntax.chunk_of])
    collector.collect()
    collector.collect_values(member_ids)
    return facts


def file_names(path: str, language: str, syntax: Syntax) -> FileFacts:
    """Collect `by_name` and `arguments` of the facts of one file, with positions of chunks as ids.

    The rest of the facts would take most of the time.
    """
    facts = FileFacts(path, language, syntax.module)
    _Collector(facts, syntax, syntax.chunk_of).collect_names()
    return facts


def is_value(kind: str, member: int) -> bool:
    """Say whether code reads, writes or names a definition and does not call it. `member` is its position as one, or -1."""
    return (member >= 0 and kind != "namespace") or kind in WRITTEN_KINDS


def is_linked(language: str, kind: str, name: str, dotted: str, has_body: bool) -> bool:
    """Say whether references in other files may resolve to a definition: a type, a function or a variable of the file.

    A function of the platform's library (such as `printf`) is left out if the file only declares it, or defines a macro
    in place of it.
    """
    words = languages()[language]
    if dotted == name and (kind == "macro" or not has_body) and name in words.platform:
        return False
    # A variable or constant at the top of its file is one that other files may see. A linker also ties one of a class.
    is_held = kind != "field" and words.declarations == "linked"
    is_at_top = dotted == name or is_held or "dotted" in words.lookup
    is_seen = (kind in VALUE_KINDS and is_at_top) or words.is_seen_outside(kind)
    return kind in INDEXED_KINDS or is_seen


def _proxies(syntax: Syntax) -> Iterator[tuple[str, str]]:
    """Yield the classes that stand for what a container gives, each with the mark TEXT and the name of that as a base."""
    for row in syntax.registrations:
        if row.kind == PROXY:
            yield row.handlers[0], TEXT + row.name


class _Collector:
    """A collector of the facts of one file, with one method for each group of tables.

    `nodes` has the chunk id of each definition.
    """

    def __init__(self, facts: FileFacts, syntax: Syntax, nodes: Sequence[int]) -> None:
        self.facts = facts
        self.syntax = syntax
        self.definitions = syntax.definitions
        self.language = languages()[facts.language]
        self.nodes = nodes
        # The definitions that other files may see, else None, and the place of each overload among those of its name.
        self.targets = [*map(self._target, syntax.definitions, nodes)]
        self._numbers: dict[int, int] = {}

    def _target(self, definition: Definition, node: int) -> Target | None:
        """Return a definition with its chunk id as other files see it, or None if they do not."""
        kind, name, dotted, has_body = definition.kind, definition.name, definition.path_name, definition.has_body
        if not name or not is_linked(self.facts.language, kind, name, dotted, has_body):
            return None
        return Target(self.facts.path, dotted, kind, node, has_body, definition.is_local)

    @cached_property
    def holders(self) -> Set[str]:
        """Return what `holders_of` lists."""
        return holders_of(self.syntax, self.language)

    def collect(self) -> None:
        """Fill in all tables."""
        self.collect_names()
        if self.syntax.branches:
            self._conditions()
        self._holders_and_getters()
        self._definitions()
        self._declared_types()
        self._overloads()
        self._type_bounds()
        self._extended_types()
        self._receivers()
        self._methods()
        self._parameters()
        self._uses()
        self._decorators()
        self._slots()

    def collect_names(self) -> None:
        """Fill in what other files find by a simple name alone."""
        self._by_name()
        self._arguments()
        self._registrations()
        self._imports()

    def collect_values(self, member_ids: Sequence[int]) -> None:
        """Add the definitions that code reads, writes or names as a type: the first of a name, or its first declaration."""
        targets: list[Target] = []
        has_twins = self.language.condition is not None
        for definition, node, member in zip(self.definitions, self.nodes, self.syntax.member_of, strict=True):
            kind, dotted = definition.kind, definition.path_name
            may_be_read = is_value(kind, member)
            if may_be_read or has_twins:
                own_node = member_ids[member] if member >= 0 else node
                target = Target(self.facts.path, dotted, kind, own_node, definition.has_body, definition.is_local)
                targets.append(target)
            if may_be_read:
                first = self.facts.values.setdefault(dotted, target)
                if target.has_body and not first.has_body:
                    self.facts.values[dotted] = target
                if outer := _outside(self.language, self.definitions, definition):
                    self.facts.values.setdefault(outer, target)
        _add_twins(self.facts, targets, _specializations(self.language, self.definitions))

    def _around(self, scope: int) -> str:
        """Return the dotted name of the definition at a position. -1 gives an empty name."""
        return self.definitions[scope].path_name if scope >= 0 else ""

    # Definitions.

    def _by_name(self) -> None:
        """Add the definitions of each simple name as the index lists them: by chunk, then by what they are."""
        by_name = self.facts.by_name
        places: dict[int, int] = {}
        for definition, target, place in zip(self.definitions, self.targets, self.syntax.chunk_of, strict=True):
            if target is not None:
                by_name.setdefault(definition.name, []).append(target)
                places[target.chunk_id] = place
        for targets in by_name.values():
            if len(targets) > 1:
                targets.sort(key=lambda target: (places[target.chunk_id], target.dotted, target.kind, target.has_body))

    def _holders_and_getters(self) -> None:
        """Add the functions that hold other functions as members, and the methods that run when a member is read."""
        getter = self.language.getter
        for definition in self.definitions:
            if definition.kind in CALLABLE_KINDS and definition.path_name in self.holders:
                self.facts.holders[definition.path_name] = True
            if getter is not None and definition.kind == "method" and getter.search(definition.signature):
                self.facts.getters[definition.path_name] = True

    def _definitions(self) -> None:
        """Add the definitions by dotted name. Types come last where nearly all code means a function of that name."""
        has_tables = self.language.table_types
        last: list[Target] = []
        statics: dict[str, Target] = {}
        for definition, target, node in zip(self.definitions, self.targets, self.nodes, strict=True):
            kind, dotted = definition.kind, definition.path_name
            if target is None:
                pass
            elif definition.is_static and kind == "method":
                statics.setdefault(dotted, target)
            elif kind == "type" and self.language.full_names:
                last.append(target)
            elif kind in INDEXED_KINDS or (dotted in self.holders and not has_tables):
                self._put_definition(target)
                if outer := _outside(self.language, self.definitions, definition):
                    # The rest of the file calls such a method by its name alone.
                    self.facts.definitions.setdefault(outer, target)
            if has_tables and kind in VALUE_KINDS and dotted in self.holders:
                self._put_definition(Target(self.facts.path, dotted, "object", node, definition.has_body))
        for target in last:
            self._put_definition(target)
        for dotted, target in statics.items():
            if self.facts.definitions.setdefault(dotted, target) != target or _is_in_module(self.facts, dotted):
                self.facts.class_methods[dotted] = target

    def _put_definition(self, target: Target) -> None:
        """Add a definition. If several have the same name, keep the first with a body, or else the first.

        A function goes before a method of an object that the same function makes, and a class before its companion object.
        """
        first = self.facts.definitions.setdefault(target.dotted, target)
        kinds = (first.kind, target.kind)
        if "object" in kinds and first.kind != target.kind and CLASS_KINDS.issuperset(kinds):
            is_better = first.kind == "object"
            self.facts.class_methods[target.dotted] = first if is_better else target
        else:
            goes_first = target.has_body or self._is_macro_of_all_builds(target)
            is_better = (goes_first and not first.has_body) or kinds == ("method", "function")
        if is_better:
            self.facts.definitions[target.dotted] = target

    def _is_macro_of_all_builds(self, target: Target) -> bool:
        """Say whether a definition is a macro under no condition. It hides functions that are only declared."""
        return target.kind == "macro" and target.chunk_id not in self.facts.conditions.get(target.dotted, ())

    def _declared_types(self) -> None:
        """Add the declared types of results, of fields and variables, and of type aliases."""
        unites = not self.language.variadic
        for definition in self.definitions:
            kind, dotted, type_name = definition.kind, definition.path_name, definition.type_name
            if type_name and (kind in CALLABLE_KINDS or kind == "property"):
                self._put_result(dotted, type_name, unites=unites and not definition.has_body)
            if type_name and kind in VALUE_KINDS:
                self.facts.slots.setdefault(dotted, (Slot(type_name, ""),))
            elif type_name and kind == "type":
                self.facts.aliased_types.setdefault(dotted, type_name)
            elif kind == "enum_member" and definition.parent >= 0:
                # A member of an enum is an object of the enum.
                self.facts.slots.setdefault(dotted, (Slot(self.definitions[definition.parent].name, ""),))

    def _put_result(self, function: str, type_name: str, *, unites: bool) -> None:
        """Add the declared type of a function's result. A second type joins the first if `unites`, or else is dropped."""
        text = self.facts.results.setdefault(function, (Slot(type_name, ""),))[0].type_name
        if unites and len(text) < MAX_UNION and type_name not in (text, *text.split(UNION)):
            self.facts.results[function] = (Slot(f"{text}{UNION}{type_name}", ""),)

    def _overloads(self) -> None:
        """Add all definitions of each function, and the groups of those that stand for each other."""
        has_overloads, any_twins = bool(self.language.variadic), self.language.condition is not None
        overloads: dict[str, list[Overload]] = defaultdict(list)
        twins: dict[str, list[Overload]] = defaultdict(list)
        kinds = CALLABLE_KINDS | CLASS_KINDS if self.language.counts_type_arguments else CALLABLE_KINDS
        for position, (definition, target) in enumerate(zip(self.definitions, self.targets, strict=True)):
            is_twin = any_twins or definition.is_twin
            if target is not None and (has_overloads or is_twin) and definition.kind in kinds:
                overload = Overload(target, definition.fewest, definition.most, definition.types)
                self._numbers[position] = len(overloads[target.dotted])
                overloads[target.dotted].append(overload)
                if is_twin and definition.kind in CALLABLE_KINDS and not self._is_macro_of_all_builds(target):
                    twins[target.dotted].append(overload)
        if has_overloads:
            whole: Callable[[list[Overload]], list[Overload]] = _whole if self.language.clauses == "parts" else list
            self.facts.overloads.update({name: tuple(whole(group)) for name, group in overloads.items()})
        # Where any function may be a twin, one alone is none.
        fewest = 2 if any_twins else 1
        groups = {name: _twins(namesakes) for name, namesakes in twins.items() if len(namesakes) >= fewest}
        if filled := {name: twins_of for name, twins_of in groups.items() if twins_of}:
            self.facts.twins[""] = filled

    def _type_bounds(self) -> None:
        """Add the upper bounds of type variables."""
        bounds = ((dotted.rpartition("."), bound) for dotted, bound in self.syntax.typevars)
        self.facts.type_bounds.update(_grouped((scope, (name, bound)) for (scope, _, name), bound in bounds))

    def _extended_types(self) -> None:
        """Add the types that extension functions extend."""
        for position, text in self.syntax.extensions:
            if position >= 0:
                types = self.facts.extended_types.setdefault(self.definitions[position].path_name, {})
                types.setdefault(self.nodes[position], text)

    def _receivers(self) -> None:
        """Add the types before methods outside of their types, with their type arguments."""
        for definition in self.definitions:
            if definition.owner.endswith((">", "]")):
                self.facts.receivers.setdefault(definition.path_name, definition.owner)

    def _methods(self) -> None:
        """Add the names of the methods that each interface requires, and the shapes of all methods if these matter."""
        for definition in self.definitions:
            if definition.kind == "method":
                if self.language.structural:
                    self.facts.shapes[definition.path_name] = method_shape(definition.signature, definition.name)
                parent = self.definitions[definition.parent] if definition.parent >= 0 else definition
                if parent.kind == "interface":
                    self.facts.methods.setdefault(parent.path_name, []).append(definition.name)

    def _parameters(self) -> None:
        """Add the parameters of each function that declares a type of any, those of a further overload with its number."""
        functions = _grouped(
            (numbered(self.definitions[scope].path_name, self._numbers.get(scope, 0)), parameter)
            for scope, bindings in self.params.items()
            for parameter in _parameters(self.definitions[scope], bindings, self.language)
        )
        typed = (name for name, params in functions.items() if any(param.type_name for param in params))
        self.facts.parameters.update((name, functions[name]) for name in typed)

    def _uses(self) -> None:
        """Add the texts of the bases of each class, and the names that the text of each macro calls or defines, once."""
        tables = {"inherits": self.facts.bases, "expands": self.facts.expansions, "makes": self.facts.macro_functions}
        texts: dict[str, list[tuple[str, str]]] = {kind: [] for kind in tables}
        for reference in self.syntax.references:
            kind = "inherits" if reference.kind == "requires" else reference.kind
            if kind in tables and reference.scope >= 0:
                # A base is given its type arguments. What a trait asks of its users has members as a base has.
                text = "".join((reference.expression, *(reference.given if kind == "inherits" else ())))
                text = unwrapped_base(text, self.language) if kind == "inherits" else text
                texts[kind].append(_held(self.syntax, reference, text, self.facts.definitions))
        texts["inherits"] += _proxies(self.syntax)
        for kind, table in tables.items():
            table.update(_grouped(texts[kind] if kind == "inherits" else dict.fromkeys(texts[kind])))

    def _decorators(self) -> None:
        """Add the decorators of functions. A decorator is a call that gets the function where its name stands."""
        functions = {item.name_start: item.path_name for item in self.definitions if item.kind in CALLABLE_KINDS}
        decorators: dict[str, list[str]] = {}
        for argument in self.syntax.arguments:
            if argument.start in functions and argument.keyword != TABLE_ENTRY:
                decorators.setdefault(functions[argument.start], []).append(f"{argument.callee}()")
        if decorators:
            self.facts.decorators[""] = decorators

    def _conditions(self) -> None:
        """Add the conditions around the definitions of functions."""
        for definition, node in zip(self.definitions, self.nodes, strict=True):
            if definition.kind in CALLABLE_KINDS and (names := names_at(self.syntax.branches, definition.name_start)):
                self.facts.conditions.setdefault(definition.path_name, {}).setdefault(node, names)

    # Values.

    def _slots(self) -> None:
        """Add the slots (types or values) of fields and of variables at the top of the file, and the results of functions."""
        fields: dict[str, list[Slot]] = defaultdict(list)
        results: dict[str, list[Slot]] = defaultdict(list)
        # Only expressions of fields and results are followed from other files: no other function needs a frame.
        scopes = {binding.scope for binding in self.syntax.bindings if binding.owner or not binding.name}
        scopes |= {row.scope for row in contexts(self.syntax)} - {-1}
        frames = frames_of(self.syntax, scopes)
        # The value of each variable at the top of the file, by the position of its definition.
        assigned: dict[int, str] = {}
        for binding in self.syntax.bindings:
            # Neither nothing nor null says what a variable holds.
            if not binding.type_name and binding.value in ("", NULL):
                continue
            around = self.definitions[binding.scope] if binding.scope >= 0 else None
            # A binding without a name is what the function returns.
            if not binding.name and around is not None:
                slots = results[around.path_name]
            elif (field := self._field(binding, around, assigned)) is not None:
                slots = fields[field]
            else:
                continue
            frame = frames[binding.scope] if around else None
            offset = binding.start - around.start if around and frame else 0
            slots.append(Slot(binding.type_name, binding.value, offset, frame))
        for name, slot in context_slots(self.syntax, frames):
            fields[name].append(slot)
        self._put_slots(fields)
        self._put_results(results)

    def _field(self, binding: Binding, around: Definition | None, assigned: dict[int, str]) -> str | None:
        """Return the name of the field or of the variable of the file that a binding sets, or None.

        `around` is the definition around it. `assigned` keeps the values of variables of the file, by position.
        """
        name, owner = binding.name, binding.owner
        if name in (self.language.default_export, PUBLIC):
            return name
        if owner == MIXED:
            return self._defined_around(binding) or None
        if owner == PAYLOAD:
            return f"{enclosing_class(self.syntax, binding.scope)}.{name}"
        if owner in self.holders:
            # `cart.total = …` sets a member of the object `cart`.
            return f"{owner}.{name}"
        if owner and (cls := enclosing_class(self.syntax, binding.scope, self.holders)):
            # `self.name = …` in a method sets a field of the class around it.
            return f"{cls}.{name}"
        if around is None:
            return name
        if around.kind in CLASS_LIKE_KINDS:
            return f"{around.path_name}.{name}"
        # A function that is wrapped, as in `const load = retry(() => …)`, also has the value of that call.
        is_wrapped = around.kind == "function" and around.name_start == binding.start
        if around.name == name and (around.kind in VALUE_KINDS or is_wrapped):
            if around.path_name == name:
                assigned[binding.scope] = binding.value
            return around.path_name
        # The same statement may assign to a second variable: `a = b = f()`.
        return name if binding.value and assigned.get(binding.scope) == binding.value else None

    def _put_slots(self, fields: Mapping[str, Sequence[Slot]]) -> None:
        """Add the slots of fields and variables: the first declared type, or else the first `MAX_SLOTS` assigned values.

        With pointers, the declared type of an array is that of its elements, and elements that are written out go first.
        """
        for name, slots in fields.items():
            # A declared type says more than any value, and the first one is enough.
            typed = [slot for slot in (*self.facts.slots.get(name, ()), *slots) if slot.type_name]
            if self.language.pointers and (elements := [slot for slot in slots if slot.value.startswith("{")]):
                typed = elements
            self.facts.slots[name] = tuple(typed[:1] or slots[:MAX_SLOTS])
        # In Ruby, `attr_reader :cart` gives what `@cart` holds.
        properties = {definition.path_name for definition in self.definitions if definition.kind == "property"}
        for name in fields if properties else ():
            plain = _SIGN.sub(".", name)
            if plain != name and plain in properties:
                # It gives an object, even if no brackets call `Cart.new`.
                made = (
                    slot._replace(value=f"{slot.value}()")
                    if slot.value.rpartition(".")[2] in self.language.class_members
                    else slot
                    for slot in self.facts.slots[name]
                )
                self.facts.slots.setdefault(plain, tuple(made))

    def _put_results(self, functions: Mapping[str, Sequence[Slot]]) -> None:
        """Add the values that functions return. Beside a declared type, only those count that name a function inside."""
        for function, slots in functions.items():
            declared = self.facts.results.get(function, ())
            names = ((slot, (slot.value, *argument_names(slot.value))) for slot in slots if slot.value)
            inner = (
                slot for slot, passed in names if any(f"{function}.{name}" in self.facts.definitions for name in passed)
            )
            self.facts.results[function] = (*declared, *inner) if declared else tuple(slots[:MAX_SLOTS])

    def _defined_around(self, binding: Binding) -> str:
        """Return the dotted name of the nearest definition that a binding's name may mean, or an empty text."""
        names = {definition.path_name for definition in self.definitions if definition.name == binding.name}
        scope = binding.scope
        while scope >= 0:
            dotted = f"{self.definitions[scope].path_name}.{binding.name}"
            if dotted in names:
                return dotted
            scope = self.definitions[scope].parent
        return binding.name if binding.name in names else ""

    # What the file passes on.

    @cached_property
    def params(self) -> Mapping[int, Sequence[Binding]]:
        """Map the position of each function to its parameters, in order, without the object itself (`self`)."""
        self_names = self.language.self_names | self.language.self_types
        params: dict[int, list[Binding]] = defaultdict(list)
        for binding in self.syntax.bindings:
            # A parameter of a lambda holds in a part of the function only, which `to_byte` tells.
            if binding.is_param and not binding.to_byte and binding.scope >= 0 and binding.name not in self_names:
                params[_taking(self.definitions, binding)].append(binding)
        return params

    def _arguments(self) -> None:
        """Add the arguments of calls, by the simple name of the callee: that of `f` after `g = f` or `from m import f as g`."""
        positions = {
            (scope, binding.name): position
            for scope, bindings in self.params.items()
            # Of several parameters with one name, the first one wins, since it is entered last.
            for position, binding in reversed([*enumerate(bindings)])
        }
        aliases = {
            binding.name: binding.value
            for binding in self.syntax.bindings
            if not binding.owner and binding.value and _NAME.fullmatch(binding.value)
        }
        aliases |= {import_.alias: import_.name for import_ in self.syntax.imports if import_.alias and import_.name}
        for callee, place, keyword, value, _, scope in self.syntax.arguments:
            name = callee.rpartition(".")[2]
            if not _CALLEE.fullmatch(name):
                continue
            # A call of `open` passes nothing to the entries `open` of tables.
            is_entry = keyword == TABLE_ENTRY
            name, place = (TABLE_ENTRY + name, -1) if is_entry else (aliases.get(callee, name), place)
            param = positions.get((scope, value), -1)
            self._pass(name, PassedArgument(callee, place, keyword, value, self._around(scope), param))
        for use in self.syntax.references if self.language.macro_use is not None else ():
            around = self._around(use.scope)
            if use.kind == "calls" and use.given and (not around or around.startswith(f"{use.name}(")):
                self._pass(MACRO_USE, PassedArgument(use.name, -1, "", "\n".join(use.given), around, -1))

    def _pass(self, name: str, argument: PassedArgument) -> None:
        """Add an argument that the file passes to a name."""
        self.facts.arguments.setdefault(name, []).append(argument)

    def _registrations(self) -> None:
        """Add fixtures, and what the file registers under names of its own."""
        for row in self.syntax.registrations:
            if row.kind == "fixture" and row.definition >= 0:
                definition = self.definitions[row.definition]
                self.facts.fixtures.setdefault(row.name or definition.name, definition.path_name)
                self.facts.fixtures[ANY_NAME] = ""
        for name, argument in registered_names(self.syntax, self.language):
            self._pass(name, argument)

    def _imports(self) -> None:
        """Add the imports. Those that hold in other files too are passed on under the name EVERYWHERE."""
        unnamed: list[str] = []
        for import_ in _by_rank(self.syntax.imports):
            text = import_.module
            if import_.alias.startswith(EVERYWHERE):
                import_ = import_._replace(alias=import_.alias.removeprefix(EVERYWHERE))
                self._pass(EVERYWHERE, PassedArgument(text, -1, import_.alias, import_.name, "", -1))
            if _is_whole(import_, self.language):
                continue
            if import_.alias or import_.name:
                self._put_import(import_.alias or import_.name, text, import_.name)
            else:
                unnamed.append(text)
                bare = self.language.import_decoration.sub("", text) if self.language.import_decoration else text
                parts = [part for part in re.split(r"[./\\:]+", bare) if part]
                # In Python `import a.b` binds `a`, in Java `import a.b` binds `b`.
                name = (parts[0] if self.language.binds == "first" else parts[-1]) if parts else ""
                self._put_import(name, name if self.language.binds == "first" else text, "")
        if modules := whole_imports(self.syntax.imports, self.facts.language):
            self.facts.whole_imports[""] = modules
        if unnamed and self.language.modules == "folder":
            self.facts.unnamed_imports[""] = tuple(dict.fromkeys(unnamed))

    def _put_import(self, name: str, module: str, member: str) -> None:
        """Add the import that binds a name, or a second import of that name. Further ones are dropped."""
        if self.facts.imports.setdefault(name, (module, member)) != (module, member):
            self.facts.second_imports.setdefault(name, (module, member))


def _grouped(pairs: Iterable[tuple[str, V]]) -> dict[str, tuple[V, ...]]:
    """Group the values of pairs by their names."""
    groups: dict[str, list[V]] = defaultdict(list)
    for name, value in pairs:
        groups[name].append(value)
    return {name: tuple(values) for name, values in groups.items()}


def _whole(clauses: Sequence[Overload]) -> list[Overload]:
    """Replace the clauses with the same number of parameters by the first with a body. Any of them may have defaults."""
    by_most: dict[int, list[Overload]] = defaultdict(list)
    for clause in clauses:
        by_most[clause.most].append(clause)
    return [
        next((clause for clause in group if clause.target.has_body), group[0])._replace(
            fewest=min(clause.fewest for clause in group)
        )
        for group in by_most.values()
    ]


def _twins(functions: Sequence[Overload]) -> list[tuple[Target, ...]]:
    """Group the definitions of one name in a file that stand for each other, under different conditions.

    Those have bodies and the same parameters. A function alone stands for an import of its name.
    A macro stands for any function of its name, even for one that is only declared.
    """
    targets = tuple(overload.target for overload in functions)
    if len({target.kind == "macro" for target in targets}) > 1:
        return [targets]
    groups: dict[tuple[int, tuple[str, ...]], list[Target]] = defaultdict(list)
    for overload in functions:
        if overload.target.has_body:
            groups[overload.most, overload.types].append(overload.target)
    return [tuple(group) for group in groups.values() if len(functions) == 1 or len(group) > 1]


def _parameters(function: Definition, bindings: Sequence[Binding], language: Language) -> Iterator[Parameter]:
    """Yield the parameters of a function, by their labels where arguments have labels."""
    types = function.types if language.labels else ()
    for place, binding in enumerate(bindings):
        name = types[place].partition(LABEL)[0] if len(types) == len(bindings) else binding.name
        yield Parameter(name, binding.type_name)


def _outside(language: Language, definitions: Sequence[Definition], definition: Definition) -> str:
    """Return a second dotted name of a member that code around its type sees: `Shop.RED` for `Shop.Color.RED`. Or empty.

    What a preprocessor defines in a function, and in C the members of enums, is in no scope at all.
    """
    parent = definitions[definition.parent] if definition.parent >= 0 else None
    if parent is None:
        return ""
    if language.condition is not None and (
        (definition.kind in ("constant", "macro") and parent.kind in CALLABLE_KINDS)
        or (definition.kind == "enum_member" and not language.variadic)
    ):
        return definition.name
    is_outside = parent.kind in CLASS_KINDS and language.is_seen_outside(definition.kind, parent.signature)
    return parent.path_name.removesuffix(parent.name) + definition.name if is_outside else ""


def _specializations(language: Language, definitions: Iterable[Definition]) -> set[str]:
    """Return the dotted names of the classes that are written for some arguments of a template: `struct hash<Cart>`."""
    if language.condition is None or not language.variadic:
        return set()
    return {
        definition.path_name
        for definition in definitions
        if definition.kind in CLASS_KINDS and f"{definition.name}<" in definition.signature
    }


def _add_twins(facts: FileFacts, targets: Iterable[Target], specializations: Set[str]) -> None:
    """Add the groups of values and of types of one name, which stand for each other under different conditions.

    A macro may stand for a variable, and one without parameters for one with them. A specialization stands beside its
    template, which may be in any file, so it is a group alone too.
    """
    groups: dict[tuple[str, str], list[Target]] = defaultdict(list)
    for target in targets:
        if target.kind in ("constant", "variable", "macro"):
            groups[target.dotted, "constant"].append(target)
        elif target.kind in ("field", "enum_member", "type") or (target.kind in CLASS_KINDS and target.has_body):
            groups[target.dotted, target.kind].append(target)
    twins = facts.twins.get("") or {}
    for (dotted, _), group in groups.items():
        is_group = len(group) > 1 or dotted in specializations
        if is_group and any(target.kind != "macro" or not target.has_body for target in group):
            twins.setdefault(dotted, []).append(tuple(group[:MAX_CANDIDATES]))
    if twins:
        facts.twins[""] = twins


def _taking(definitions: Sequence[Definition], param: Binding) -> int:
    """Return the position of the function that takes a parameter.

    That is its scope. A parameter that declares a field has the field as its scope, and the constructor around takes it.
    """
    scope = param.scope
    if definitions[scope].kind not in VALUE_KINDS:
        return scope
    around = (
        position
        for position, definition in enumerate(definitions[:scope])
        if definition.kind in CALLABLE_KINDS and definition.start <= param.start < definition.end
    )
    return max(around, default=scope)


def whole_imports(imports: Iterable[Import], language_name: str) -> tuple[str, ...]:
    """Return the modules that a file with these imports imports whole (`from m import *`, `#include`), each once."""
    language = languages()[language_name]
    return tuple(dict.fromkeys(import_.module for import_ in _by_rank(imports) if _is_whole(import_, language)))


def _by_rank(imports: Iterable[Import]) -> list[Import]:
    """Return the imports with those inside functions last: such an import binds a name only if no other import does."""
    return sorted(imports, key=lambda import_: import_.scope >= 0)


def _is_whole(import_: Import, language: Language) -> bool:
    """Say whether an import brings all names of its module."""
    has_alias = import_.alias not in ("", EVERYWHERE)
    return import_.name == "*" or (not import_.name and not has_alias and language.binds == "all")


def holders_of(syntax: Syntax, language: Language) -> Set[str]:
    """Return the dotted names of the variables and functions that hold functions as members.

    An example is `cart` in `cart.total = function () {}` or `const cart = { total() {} }`.
    """
    definitions = syntax.definitions
    owners = {
        definition.path_name.rpartition(".")[0]
        for definition in definitions
        if definition.kind == "method"
        and (
            definition.owner or (definition.parent >= 0 and definitions[definition.parent].kind not in CLASS_LIKE_KINDS)
        )
    }
    if language.table_types:
        owners |= {
            definition.path_name.rpartition(".")[0] for definition in definitions if definition.kind in CALLABLE_KINDS
        }
        owners |= {binding.owner for binding in syntax.bindings if binding.owner}
    if not owners:
        return owners
    return owners & {
        definition.path_name
        for definition in definitions
        if definition.kind in CALLABLE_KINDS or definition.kind in VALUE_KINDS
    }


def _is_in_module(facts: FileFacts, dotted: str) -> bool:
    """Say whether a definition of a file is in a module, which keeps its own methods from the classes that include it."""
    owner = facts.definitions.get(dotted.rpartition(".")[0])
    return owner is not None and owner.kind == "module"


def _held(syntax: Syntax, reference: Reference, text: str, names: Container[str]) -> tuple[str, str]:
    """Return the name of the definition that a reference belongs to, and the text of the reference as it means there.

    `names` are those of the definitions of the file.
    """
    holder = syntax.definitions[reference.scope]
    if reference.kind != "inherits" or holder.kind not in CALLABLE_KINDS | {"module"}:
        return holder.path_name, text
    # What a module does when a class includes it: `def self.included(base) base.extend(ClassMethods) end`.
    cls = enclosing_class(syntax, reference.scope) or holder.path_name
    return cls, f"{cls.rpartition('.')[2]}.{text}" if f"{cls}.{text}" in names else text


def enclosing_class(syntax: Syntax, scope: int, holders: Set[str] = frozenset()) -> str:
    """Return the dotted name of the class or module around a definition. Empty if there is none.

    `scope` is the position of the definition in `syntax.definitions`. A method that is written outside of its class names
    the class itself, as `func (c *Cart) Total()` does. What `holders_of` lists counts as a class.
    """
    holder = ""
    while scope >= 0:
        definition = syntax.definitions[scope]
        if definition.kind in CLASS_LIKE_KINDS or definition.kind == "module":
            return definition.path_name
        if definition.kind == "method" and definition.owner:
            return definition.path_name.rpartition(".")[0]
        if holders and not holder:
            # A class around the object goes before it: most functions in its literal are arrows.
            names = (definition.path_name.rpartition(".")[0], definition.path_name)
            holder = next((name for name in names if name in holders), "")
        scope = definition.parent
    return holder
