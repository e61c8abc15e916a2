"""Name what a reference means outside the repository: the module of an import, and the path of names behind it.

After `s = requests.Session()`, the call `s.get(url)` means `Session.get` of the module `requests`. A result that no import
tells is written with its call: `get().json` of `requests`. What neither an import nor the language names has no name.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from code_graph_indexer.languages import ecosystem_of
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.resolve.annotations import LIST_TYPE, MAP_TYPE, base_name, dots
from code_graph_indexer.resolve.facts import Slot
from code_graph_indexer.resolve.file_view import Sight
from code_graph_indexer.resolve.frames import Local
from code_graph_indexer.resolve.references import FileResolver
from code_graph_indexer.resolve.resolution import (
    GLOBALS,
    IMPORT,
    INHERITED,
    METHODS,
    PASSED,
    STAR,
    TYPED,
    UNIQUE,
    UNIQUE_METHOD,
)
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.steps import CALL, ENTER, at_once, calls_at, steps_of
from code_graph_indexer.resolve.type_values import TypeReader
from code_graph_indexer.resolve.values import CALLABLE, EXTERNAL, Point, Value, is_declared
from code_graph_indexer.storage.records import OUTSIDE_KINDS, External, Target
from code_graph_indexer.syntax.expressions import ALTERNATIVE
from code_graph_indexer.syntax.records import Import, Reference
from code_graph_indexer.syntax.registrations import TEXT
from code_graph_indexer.syntax.roles import is_name

OWN = ""
"""The module of a name that the language itself has: what stands in no import."""

HOPS = 4
"""The most variables and fields that are followed, one after the other."""

MAX_INFERRED = 6
"""The most steps of an expression that the inference is asked for. Behind these, names are taken as they are written."""

MAX_LENGTH = 200
"""The most characters of a module, and of a path of names. Nobody looks for a longer one."""

RESULT, ELEMENT = "()", "[]"

_WRITTEN = {LIST_TYPE: "[", MAP_TYPE: "{"}
"""What types in brackets are written out as."""

_GIVEN = re.compile(r"\(\)|\[")
"""Matches what is the result of a call, or an element."""

_WORD = re.compile(r"[^\W\d]\w*")
_WORDS = re.compile(r"\W+")


class Meaning(NamedTuple):
    """What an expression means outside the repository: a module, the path of names in it, and how sure that is.

    `cls` is the class of the repository whose base this is, if the expression is an object of it.
    """

    module: str
    name: str
    confidence: float
    cls: Target | None = None

    def member(self, name: str) -> "Meaning | None":
        """Return the member of that name. None if the path is too long to be of use."""
        path = f"{self.name}.{name}" if self.name else name
        return self._replace(name=path, cls=None) if len(path) <= MAX_LENGTH else None

    def less(self, confidence: float) -> "Meaning":
        """Return the same, at most as sure as that."""
        return self._replace(confidence=min(self.confidence, confidence))


Start = tuple[Meaning | None, tuple[str, ...]]
"""What the start of an expression means, and the steps behind it."""


def _split(path: str, name: str) -> tuple[str, str]:
    """Return what holds a name that stands alone, and its member there: `{ t: say }` of `useText()` is the member `t`."""
    holder, _, last = path.rpartition(".")
    return (path, name) if _GIVEN.search(last) or not holder else (holder, last)


class Externals:
    """The names from outside that the references of one file mean. It keeps answers that repeat within the file."""

    def __init__(self, resolver: FileResolver) -> None:
        self._resolver = resolver
        self._view = resolver.view
        self._scope = resolver.scope
        self._world = resolver.world
        self._language = resolver.language
        self._ecosystem = ecosystem_of(self._language.name)
        # Answers within the file. Their lookups were noted when they were worked out.
        self._meanings: dict[tuple[Sight, bool, str, str], Meaning | None] = {}
        self._receivers: dict[object, Meaning | None] = {}
        self._bases_of: dict[Target, Meaning | None] = {}

    def of(self, reference: Reference | Import) -> tuple[External, float] | None:
        """Return what a reference or import without a target means outside the repository, and how sure that is. Or None."""
        if self._ecosystem is None:
            # Of code without packages, such as a shell script, nothing outside has a name that others know.
            return None
        meaning = self._imported(reference) if isinstance(reference, Import) else self._meaning(reference)
        if meaning is None or len(meaning.module) > MAX_LENGTH:
            return None
        return External(self._ecosystem.name, meaning.module, meaning.name), meaning.confidence

    @cached_property
    def imported_names(self) -> frozenset[str]:
        """The names that imports of the file bind to what is outside the repository, or to a module on the way there."""
        imports = self._view.syntax.imports if self._ecosystem is not None else ()
        return frozenset(
            name
            for entry in imports
            if self._is_outside(entry.module, self._scope)
            for name in (
                entry.alias or entry.name or entry.module.partition(".")[0],
                entry.alias or _WORDS.split(entry.module)[-1],
            )
        )

    def _imported(self, import_: Import) -> Meaning | None:
        """Return what an import from outside means, or None."""
        is_outside = self._is_outside(import_.module, self._scope)
        name = "" if import_.name == "*" else import_.name
        return self._bound((import_.module, name)) if is_outside else None

    def _meaning(self, reference: Reference) -> Meaning | None:
        """Return what a reference means outside the repository, or None. Equal references that see the same are asked once."""
        if reference.kind == "inherits":
            return self._type(dots(reference.expression), self._scope)
        if reference.kind not in OUTSIDE_KINDS:
            return None
        sight, point = self._resolver.sight(reference)
        is_call = reference.kind == "calls"
        if sight is None:
            return self._named(reference, point, None, called=is_call)
        key = (sight, is_call, reference.receiver, reference.name)
        if key not in self._meanings:
            self._meanings[key] = self._named(reference, point, sight, called=is_call)
        return self._meanings[key]

    def _named(self, reference: Reference, point: Point, sight: Sight | None, *, called: bool) -> Meaning | None:
        """Return what the name of a reference means outside the repository at a point, or None."""
        if not reference.receiver:
            meaning = self._head(reference.name, point, HOPS, self._scope, called=called)
            return meaning if meaning is None or self._is_certain(*_split(meaning.name, reference.name)) else None
        if not called:
            # What code reads is named as it is written, without a look at what it may hold.
            receiver = self._path(reference.receiver, point, HOPS, self._scope, sight)
            return (
                receiver.member(reference.name) if receiver is not None and not _GIVEN.search(receiver.name) else None
            )
        key = (sight, reference.receiver)
        if sight is None or key not in self._receivers:
            self._receivers[key] = self._receiver(reference, point, sight)
        receiver = self._receivers[key]
        is_outside = receiver is not None and self._is_certain(receiver.name, reference.name)
        return receiver.member(reference.name) if receiver is not None and is_outside else None

    def _is_certain(self, path: str, member: str) -> bool:
        """Say whether a member of what a path means is from outside. What a call gives may be an object of the repository."""
        given = _GIVEN.search(path)
        if given is None:
            return True
        around = _WORD.findall(path, given.end())
        is_ours = self._resolver.uses.is_written
        return not any(map(is_ours, around)) and not (is_ours(member) and self._is_defined(member))

    def _is_defined(self, name: str) -> bool:
        """Say whether a file that is not vendored defines a name that this file can call, through whatever it gets."""
        # Asked each time, because the files that ask for a name are linked again when it gets another definition.
        targets = self._world.definitions_named(name)
        is_test = self._world.file(self._view.path).is_test
        key = name, self._language.name, is_test
        answer = self._world.defined.get(key)
        if answer is None:
            answer = self._world.defined.put(key, any(self._may_run(target, in_test=is_test) for target in targets))
        return answer

    def _may_run(self, target: Target, *, in_test: bool) -> bool:
        """Say whether a definition may be what code of this language calls: none of tests for what is no test itself."""
        file = self._world.file(target.path)
        is_near = ecosystem_of(file.language) is self._ecosystem and (in_test or not file.is_test)
        is_runnable = target.is_type or target.kind in GLOBALS | METHODS
        return is_near and is_runnable and not target.is_local and not file_patterns().vendored.match(target.path)

    def _receiver(self, reference: Reference, point: Point, sight: Sight | None) -> Meaning | None:
        """Return what stands before the name of a reference: as the code writes it, else as the inference knows it."""
        written = self._path(reference.receiver, point, HOPS, self._scope, sight)
        if written is not None and not _GIVEN.search(written.name):
            return written
        values = self._resolver.values(reference.receiver, point, sight)
        return next(filter(None, (self._of_value(value, self._scope) for value in values)), written)

    def _of_value(self, value: Value, scope: Scope) -> Meaning | None:
        """Return the type of an object that the inference knows, or the base from outside of its class."""
        if value.target is None:
            if value.form != EXTERNAL or not value.name or self._ecosystem is None:
                return None
            if value.name in _WRITTEN:
                name = self._ecosystem.literal(_WRITTEN[value.name])
                return Meaning(OWN, name, TYPED) if name is not None else None
            # The name of a type means what it does in the file that declares it.
            return self._type(value.name, scope.at(value.paths[0]) if value.paths else scope)
        return Meaning(OWN, value.target.dotted, TYPED) if is_declared(value) else self._base(value.target)

    def _base(self, cls: Target) -> Meaning | None:
        """Return the only base outside the repository that a class has, or None."""
        if cls not in self._bases_of:
            bases = set(self._bases(cls)) if cls.is_type else set()
            only = bases.pop() if len(bases) == 1 else None
            self._bases_of[cls] = only.less(PASSED)._replace(cls=cls) if only is not None else None
        return self._bases_of[cls]

    def _bases(self, cls: Target) -> Iterator[Meaning | None]:
        """Yield the bases outside the repository that a class has, itself or through others. None is one without a name."""
        if not self._scope.has_outside_base(cls):
            return
        for ancestor in (cls, *self._scope.ancestors(cls)):
            around = ancestor.dotted.rpartition(".")[0]
            for part in self._scope.at(ancestor.path).parts(ancestor):
                scope = self._scope.at(part.path)
                for text in self._world.bases(part.path, part.dotted):
                    name = base_name(text, scope.language.name)
                    if not text.startswith(TEXT) and scope.first_type(name, around) is None:
                        yield self._type(name, scope)

    def _path(
        self, expression: str, point: Point, hops: int, scope: Scope, sight: Sight | None = None
    ) -> Meaning | None:
        """Return what an expression means, step by step. None if its head means nothing from outside.

        `sight` is what `FileView.sight` says of an expression of this file.
        """
        steps = steps_of(expression)
        if not steps:
            return None
        above = next((steps_of(name) for name in self._language.super_names if expression.startswith(f"{name}.")), ())
        if above:
            rest = steps[len(above) :]
            meaning = self._field(point.cls, rest[0], hops, above=True) if point.cls is not None and rest else None
            rest = rest[1:]
        else:
            meaning, rest = self._start(steps, point, hops, scope)
            if meaning is None and hops:
                meaning, rest = self._inferred(steps, point, hops, scope, sight)
        for step in rest:
            if meaning is None:
                return None
            # A class of the repository may have the member itself.
            meaning = self._step(meaning, step) if meaning.cls is None else self._field(meaning.cls, step, hops)
        return meaning

    def _start(self, steps: tuple[str, ...], point: Point, hops: int, scope: Scope) -> Start:
        """Return what the head of an expression means as code writes it, and the steps behind it."""
        head, rest = steps[0], steps[1:]
        if head[0] == "<":
            return self._type(head[1:-1], scope), rest
        if head in self._language.self_names and point.cls is not None and rest:
            return self._field(point.cls, rest[0], hops), rest[1:]
        if head[0] == "{" and rest and rest[0][1:] in head[1:-1].split("|"):
            # A name alone in the braces of an object is its own key.
            head, rest = rest[0][1:], rest[1:]
        if head[0].isalpha() or head[0] in "_$":
            return self._head(head, point, hops, scope, called=calls_at(rest, 0)), rest
        name = self._ecosystem.literal(head) if self._ecosystem is not None else None
        return Meaning(OWN, name, TYPED) if name is not None else None, rest

    def _step(self, meaning: Meaning, step: str) -> Meaning | None:
        """Return what a step leads to. None if only the inference can tell."""
        if step[0] == ".":
            return meaning.member(step[1:])
        if step[0] == "[" and at_once(step) != ENTER:
            # Of several results, each is what it is. Of elements, only that they come from there is known.
            part = step if step[1:-1].isdigit() else ELEMENT
            is_element = meaning.name.endswith(ELEMENT)
            return meaning if is_element else meaning._replace(name=meaning.name + part).less(UNIQUE_METHOD)
        if step[0] != CALL:
            return meaning if step[0] == "[" else None
        last = (meaning.name or meaning.module).rpartition(".")[2]
        if last[:1].isupper() and self._language.type_calls == "creates":
            # To call a type makes an object of it.
            return meaning
        name = meaning.name or self._language.default_export
        return meaning._replace(name=name + RESULT).less(UNIQUE_METHOD) if name else None

    def _inferred(self, steps: tuple[str, ...], point: Point, hops: int, scope: Scope, sight: Sight | None) -> Start:
        """Return what the longest start of an expression means that the inference knows, and the steps behind it."""
        inference = self._resolver.inference.at(scope.path)
        for end in range(min(len(steps), MAX_INFERRED), 0, -1):
            start = "".join(steps[:end])
            # Expressions with one sight see the same in equal starts, but for a head alone, which is not called.
            is_kept = sight is not None and end > 1
            for value in self._resolver.values(start, point, sight) if is_kept else inference.values(start, point):
                rest = steps[end:]
                if value.target is None or is_declared(value) or not rest:
                    meaning = self._of_value(value, scope)
                elif value.form == CALLABLE and rest[0][0] == CALL:
                    meaning, rest = self._result(value.target, "".join(rest[1:]), hops), ()
                else:
                    meaning, rest = self._field(value.target, rest[0], hops), rest[1:]
                if meaning is not None:
                    return meaning, rest
        return None, ()

    def _result(self, function: Target, rest: str, hops: int) -> Meaning | None:
        """Return what the steps `rest` from what a function of the repository gives back mean, if that is only one thing."""
        slots = self._world.results(function.path, function.dotted)
        slot = slots[0]._replace(value=slots[0].value + rest) if slots else None
        is_clear = (
            slot is not None and len(slots) == 1 and not (slot.type_name and rest) and ALTERNATIVE not in slot.value
        )
        scope = self._scope.at(function.path)
        return self._slot((slot,), None, hops, scope, function.dotted) if slot is not None and is_clear else None

    def _field(self, cls: Target, step: str, hops: int, *, above: bool = False) -> Meaning | None:
        """Return what a field of a class holds, or the member of a base outside the repository that no class here has.

        With `above`, the class itself does not count.
        """
        if step[0] != ".":
            return None
        for ancestor in (*(() if above else (cls,)), *self._scope.ancestors(cls)):
            scope = self._scope.at(ancestor.path)
            if slots := self._world.slots(ancestor.path, ancestor.dotted + step):
                return self._slot(slots, ancestor, hops, scope, ancestor.dotted)
            if scope.own_member(ancestor, step[1:]) is not None:
                return None
        base = self._base(cls)
        return base.member(step[1:]) if base is not None else None

    def _slot(
        self, slots: tuple[Slot, ...], cls: Target | None, hops: int, scope: Scope, dotted: str
    ) -> Meaning | None:
        """Return what a variable or field holds that has only one value."""
        slot = slots[0]
        return self._held(slot, Point(slot.frame, slot.offset, cls, dotted), hops, scope) if len(slots) == 1 else None

    def _held(self, variable: Local | Slot, point: Point, hops: int, scope: Scope) -> Meaning | None:
        """Return what a variable or field holds: an object of its declared type, or the value that it gets at a point."""
        if variable.type_name:
            values = TypeReader.of(scope).values_at(variable.type_name, point.cls, point.dotted)
            return next(filter(None, (self._of_value(value, scope) for value in values)), None)
        if not variable.value or not hops:
            return None
        meaning = self._path(variable.value, point, hops - 1, scope)
        return meaning.less(INHERITED) if meaning is not None else None

    def _head(self, name: str, point: Point, hops: int, scope: Scope, *, called: bool) -> Meaning | None:
        """Return what a name means at a point: what its variable holds, or what an import or the language binds to it."""
        frame, offset, place = point.frame, point.offset, None
        while frame is not None:
            if (local := frame.local(name, offset, called=called, place=place)) is not None:
                return self._held(local, Point(frame, local.offset, point.cls, frame.dotted), hops, scope)
            if (bound := frame.imports.get(name)) is not None:
                return self._bound(bound) if self._is_outside(bound[0], scope) else None
            place, offset, frame = frame.place, None, frame.outer
        return self._at_top(name, hops, scope)

    def _at_top(self, name: str, hops: int, scope: Scope) -> Meaning | None:
        """Return what a name means at the top of a file."""
        if (bound := self._world.import_of(scope.path, name)) is not None:
            return self._bound(bound) if self._is_outside(bound[0], scope) else self._passed_on(bound, hops, scope)
        if scope.name(name).targets:
            return None
        if slots := self._world.slots(scope.path, name):
            return self._slot(slots, None, hops, scope, "")
        if scope.declared(name) is not None:
            return Meaning(OWN, name, TYPED)
        # Where names of other files or of a class need no import, an own name of the language may be one of these.
        is_bound = "global" in self._language.lookup or self._language.implicit_self
        if self._ecosystem is None or is_bound:
            return None
        if name not in self._ecosystem.names:
            return self._in_whole(name, hops, scope)
        return None if self._world.whole_imports(scope.path) else Meaning(OWN, name, UNIQUE)

    def _in_whole(self, name: str, hops: int, scope: Scope) -> Meaning | None:
        """Return what a name means that a file can only have from what it imports whole, if that is one module outside."""
        if not hops or scope.name(name).targets:
            return None
        meanings: set[Meaning | None] = set()
        for module in self._world.whole_imports(scope.path):
            if self._is_outside(module, scope):
                meanings.add(self._bound((module, name)).less(STAR))
            else:
                paths = [path for path in self._world.find_modules(scope.path, module) if path != scope.path]
                meanings.update(self._in_whole(name, hops - 1, scope.at(path)) for path in paths)
        meanings.discard(None)
        return meanings.pop() if len(meanings) == 1 else None

    def _passed_on(self, bound: tuple[str, str], hops: int, scope: Scope) -> Meaning | None:
        """Return what a file of the repository passes on that imports it from outside, as `compat.py` often does."""
        module, name = bound
        paths = self._world.find_modules(scope.path, module) if name and hops else ()
        if len(paths) != 1 or paths[0] == scope.path:
            return None
        passing = scope.at(paths[0])
        return self._at_top(name, hops - 1, passing) or self._in_whole(name, hops - 1, passing)

    def _type(self, text: str, scope: Scope) -> Meaning | None:
        """Return what the name of a type means in a file."""
        head, _, rest = text.partition(".")
        meaning = self._at_top(head, HOPS, scope) if is_name(head) else None
        if meaning is None:
            return None
        meaning = meaning.less(INHERITED)
        return meaning.member(rest) if rest else meaning

    def _is_outside(self, module: str, scope: Scope) -> bool:
        """Say whether the module of an import lies outside the repository."""
        relative = self._language.relative
        is_path = not module or module.startswith("/") or (relative and module.startswith(relative))
        return not is_path and not self._world.find_modules(scope.path, module)

    def _bound(self, bound: tuple[str, str]) -> Meaning:
        """Return what an import of a name (module and name) binds."""
        module, name = bound
        return Meaning(module, "" if name == self._language.default_export else name, IMPORT)
