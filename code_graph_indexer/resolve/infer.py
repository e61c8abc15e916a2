"""Find what an expression means by its path: which class it is an instance of, which function or module it names.

Where no type is declared, values are followed: to what a variable was given, what a field was assigned, what a function
returns. That is followed only so many levels deep, each answer remembered for its level, so that answers neither depend on
the order of the questions nor run in circles.
"""

from code_graph_indexer.resolve.annotations import TUPLE_TYPE, dots
from code_graph_indexer.resolve.containers import container_member
from code_graph_indexer.resolve.facts import Returns, Slot, Target
from code_graph_indexer.resolve.frames import Frame, Local
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.protocols import Protocols
from code_graph_indexer.resolve.scope import IMPORT, INHERITED, OWN_CLASS, PEER, SCOPE, SELF, Scope
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    MODULE,
    OUTSIDE,
    TYPE,
    UNKNOWN,
    Place,
    Value,
    Values,
    distinct,
    steps_of,
    value_of,
)
from code_graph_indexer.resolve.world import World
from code_graph_indexer.syntax.expressions import ALTERNATIVE

MAX_STEPS = 40
"""Steps of the longest path that is followed."""


class Inference(Protocols):
    """Find what expressions mean as they are seen from one file."""

    @classmethod
    def of(cls, world: World, path: str, is_test: bool) -> "Inference":
        """Return the inference of a file of the world."""
        known: Inference | None = world.inferences.get((path, is_test))
        if known is None:
            known = world.inferences[path, is_test] = cls(Scope.of(world, path, is_test))
        return known

    def at(self, path: str) -> "Inference":
        """Return what another file sees."""
        return Inference.of(self.world, path, self.scope.is_test)

    def values(self, paths: str, place: Place, level: int = LEVELS) -> Values:
        """List what an expression may mean; nothing when that is not known."""
        if ALTERNATIVE in paths:
            return distinct(one for path in paths.split(ALTERNATIVE) for one in self._path_values(path, place, level))
        return self._path_values(paths, place, level)

    def _path_values(self, path: str, place: Place, level: int) -> Values:
        steps = steps_of(path)
        if not steps or len(steps) > MAX_STEPS:
            return UNKNOWN
        values, done = self._head(path, steps, place, level)
        while values and done < len(steps):
            called = steps[done + 1 : done + 2] == ("()",)
            step = steps[done]
            if len(values) == 1:
                values = self.step(values[0], step, level, called=called)
            else:
                values = distinct(new for one in values for new in self.step(one, step, level, called=called))
            done += 1
        return values

    def _head(self, path: str, steps: tuple[str, ...], place: Place, level: int) -> tuple[Values, int]:
        """Find what the head of a path means, and how many steps that takes."""
        head = steps[0]
        for name in self.language.super_names:
            if path == name or path.startswith(f"{name}."):
                above = (Value(INSTANCE, place.cls, INHERITED, above=True),) if place.cls else UNKNOWN
                return above, len(steps_of(name))
        if head[0] == "<":
            return self.type_values(self.text_at(head[1:-1], place.cls, place.dotted)), 1
        if head in ("''", "0"):
            return OUTSIDE, 1
        if (found := self.name(head, place, level, called=steps[1:2] == ("()",))) is not None:
            return found, 1
        # A module may need several parts of its name: `import a.b` binds `a`, and `a.b.f` means f of a/b.
        for length in range(len(steps), 0, -1):
            dotted = "".join(steps[:length])
            if "(" not in dotted and "[" not in dotted and (paths := self.scope.modules_of(dotted)):
                return (Value(MODULE, paths=paths, name=dotted),), length
        return (OUTSIDE if self.scope.is_external(head) else UNKNOWN), 1

    def name(self, name: str, place: Place, level: int, *, called: bool) -> Values | None:
        """Find what a bare name means, where it is called or where it is not; None when nothing in sight has that name."""
        if name in self.language.self_names and not (place.frame and place.frame.declared(name)):
            return (Value(INSTANCE, place.cls, SELF),) if place.cls else UNKNOWN
        if name in self.language.self_types:
            return (Value(TYPE, place.cls, SELF),) if place.cls else UNKNOWN
        frame, at = place.frame, place.at
        hidden: tuple[Local, Frame] | None = None
        while frame is not None:
            if (local := frame.local(name, at, called=called)) is not None:
                if not (called and self.language.functions_apart):
                    return self._local(name, local, frame, place, level)
                hidden = hidden or (local, frame)
            if name in frame.imports:
                return self._imported(*frame.imports[name], level)
            if frame.holds and (own := self.world.definition(self.scope.path, f"{frame.dotted}.{name}")):
                return (value_of(own, SCOPE),)
            frame, at = frame.outer, None
        found = self._outer_name(name, place, level, called)
        if hidden and not any(one.form in (CALLABLE, TYPE) for one in found or ()):
            return self._local(name, *hidden, place, level)
        return found

    def _outer_name(self, name: str, place: Place, level: int, called: bool) -> Values | None:
        """Find what a name means outside of the functions around a place, where it is called or where it is not."""
        if (own := self.around(name, place.dotted)) is not None:
            return (value_of(own, SCOPE),)
        if self.language.implicit_self:
            classes = self.classes_around(place)
            for cls in classes if self.language.functions_apart and not called else ():
                # A variable of an outer class goes before a function of an inner one.
                if held := self._held(cls, Value(INSTANCE, cls, SELF), name, level, True):
                    return held
            for cls in classes:
                found = self.class_member(Value(INSTANCE, cls, SELF), name, level, called=called)
                if found is not None:
                    return found
        return self._in_namespaces(name, place, level) or self.top_name(name, level)

    def _in_namespaces(self, name: str, place: Place, level: int) -> Values | None:
        """Find what the namespaces around a place hold under a name, in this file or another one."""
        for around in self.scope.types_around(place.dotted) if self.language.namespaces else ():
            if around.kind != "namespace":
                continue
            if (own := self.scope.own_member(around, name)) is not None:
                return (value_of(own, SCOPE if own.path == self.scope.path else PEER),)
            if (held := self.field(around, name, level)) is not None:
                return held
        return None

    def _imported(self, module: str, name: str, level: int) -> Values:
        """Find what an import gives: a definition, a variable, a module, or something outside."""
        found = self.scope.import_target(module, name)
        if found.targets:
            return tuple(value_of(one, found.confidence) for one in found.targets)
        for path in self.world.find_modules(self.scope.path, module):
            if level and (held := self.at(path).variable(name, level - 1)) is not None:
                return held
        if paths := self.world.find_modules(self.scope.path, self.scope.joined(module, name)):
            return (Value(MODULE, paths=paths),)
        return (self._of_class(module, name, level - 1) if level else UNKNOWN) or OUTSIDE

    def _of_class(self, module: str, name: str, level: int) -> Values:
        """Find a member that is imported by the full name of its class: `import static a.b.Class.NAME`."""
        classes = (one for one in self.scope.dotted(dots(module)).targets if one.is_type)
        return distinct(new for one in classes for new in self.class_member(value_of(one, IMPORT), name, level) or ())

    def _local(self, name: str, local: Local, frame: Frame, place: Place, level: int) -> Values:
        """Find what a local variable holds: its declared type, or what it was given, which may be narrower."""
        typed = UNKNOWN
        if local.type_name:
            typed = self.type_values(self.text_at(local.type_name, place.cls, frame.dotted))
        if not all(one.form == CALLABLE for one in typed):
            return typed
        # Which function it is, a function's type does not say.
        given = self.given(name, frame, level - 1) if local.is_param and level and not local.to else UNKNOWN
        if local.type_name:
            return distinct((*given, *typed))
        inner = Place(frame, local.at, place.cls, frame.dotted)
        found = self.values(local.value, inner, level - 1) if local.value and level else UNKNOWN
        if found or given:
            return distinct((*found, *given))
        declared = frame.declared(name)
        return self.type_values(self.text_at(declared, place.cls, frame.dotted)) if declared else UNKNOWN

    @remembered
    def top_name(self, name: str, level: int) -> Values | None:
        """Find what a name means at the top of the file."""
        found = self.scope.name(name)
        if found.targets:
            return tuple(value_of(one, found.confidence) for one in found.targets)
        return self.variable(name, level)

    @remembered
    def variable(self, name: str, level: int) -> Values | None:
        """Find what a variable at the top of the file holds, or one that is imported."""
        for path in (self.scope.path, *self.scope.peers_holding(name)):
            if slots := self.world.fact(path, f"f:{name}"):
                return self.at(path)._slots(slots, None, level)
        if not level:
            return None
        bound: tuple[str, str] | None = self.world.fact(self.scope.path, f"i:{name}")
        if not bound:
            return self._starred_variable(name, level)
        if not bound[1]:
            return None
        for path in self.world.find_modules(self.scope.path, bound[0]):
            if (held := self.at(path).variable(bound[1], level - 1)) is not None:
                return held
        return self._of_class(*bound, level) or None

    def _starred_variable(self, name: str, level: int) -> Values | None:
        """Find a variable of the files that this one imports whole."""
        reach = self.scope.star_reach()
        if reach and not self.language.reexports:
            # A header may include hundreds; only those matter that define the name.
            holders = self.world.holders(name)
            reach = tuple(one for one in reach if one in holders) if holders else ()
        for path in reach:
            if slots := self.world.fact(path, f"f:{name}"):
                return self.at(path)._slots(slots, None, level)
        return None

    def _slots(self, slots: tuple[Slot, ...], cls: Target | None, level: int, dotted: str = "") -> Values:
        """Find what a field or variable of this file holds; `cls` is the class of a field, `dotted` where it stands."""
        found: list[Value] = []
        for one in slots:
            if one.type_name:
                return self.type_values(self.text_at(one.type_name, cls, dotted))
            if level:
                found += self.values(one.value, Place(one.frame, one.at, cls, dotted), level - 1)
        return distinct(found)

    def step(self, value: Value, step: str, level: int, *, called: bool) -> Values:
        """Take one step from a value; `called` says that its result is called next."""
        if step[0] == ".":
            return self.member(value, step[1:], level, called=called)
        if step == "()":
            return self.call(value, level)
        if step[0] == "{":
            return self.to_callback(value, step)
        if called and value.target is not None and value.target.kind == "function" and step != "[*]":
            # A generic function with its arguments.
            return (value,)
        return self.element(value, step, level)

    def member(self, value: Value, name: str, level: int, *, called: bool = True) -> Values:
        """Find a member of a value, where it is called or where it is not."""
        if value.form == MODULE:
            return self._module_member(value, name, level)
        if value.form == EXTERNAL:
            if value.name == TUPLE_TYPE:
                held = distinct(one for arg in value.args for one in self.type_values(arg))
                return distinct(new for one in held for new in self.member(one, name, 0)) or OUTSIDE
            return container_member(value, name, self.type_values)
        if value.form == CALLABLE:
            given = self.call(value, level)
            return distinct(new for one in given if one.form != CALLABLE for new in self.member(one, name, level))
        is_opened = value.target is not None and self.scope.is_opened(value.target)
        found = self.top_name(name, level) if is_opened else None
        if found is None:
            found = self.class_member(value, name, level, called=called)
        if found is not None:
            return found
        if value.form == TYPE and name in self.language.self_names:
            # `Outer.this`
            return (value._replace(form=INSTANCE),)
        if name in ("new", "__class__", "class", "init") and value.target is not None:
            return (value._replace(form=TYPE),)
        return OUTSIDE if value.target is not None and self.has_outside_base(value.target) else UNKNOWN

    def class_member(self, value: Value, name: str, level: int, *, called: bool = True) -> Values | None:
        """Find a member of a class or of its bases, where it is called or where it is not; None when there is none."""
        cls = value.target
        if cls is None:
            return None
        if not called and self.language.functions_apart and (held := self._held(cls, value, name, level, True)):
            return held
        scope = self.scope.at(cls.path)
        own = None if value.above else scope.own_member(cls, name)
        found = own or scope.inherited(cls, name)
        if found is not None and (own or value.above or not self._is_declared(cls, name)):
            confidence = value.confidence if own else min(value.confidence, INHERITED)
            owner = self.class_around(found) if OWN_CLASS in self.language.constructors else None
            if owner is not None and owner.name == found.name:
                # Inside of it, the name of a class is the class, not its constructor.
                return (Value(TYPE, owner, confidence),)
            return (value_of(found, confidence)._replace(owner=cls, args=value.args),)
        if (held := self._held(cls, value, name, level, False)) is not None:
            return held
        if cls.kind == "type":
            return self._through_alias(cls, value, name, level)
        return None

    def _is_declared(self, cls: Target, name: str) -> bool:
        """Say whether a class itself declares a field or property of a name: it hides what its bases have."""
        for part in self.scope.at(cls.path).parts(cls):
            slots: tuple[Slot, ...] = self.world.fact(part.path, f"f:{part.dotted}.{name}") or ()
            if any(one.type_name for one in slots) or self.world.fact(part.path, f"r:{part.dotted}.{name}"):
                return True
        return False

    def _held(self, cls: Target, value: Value, name: str, level: int, fields_only: bool) -> Values | None:
        """Find what a field of an object holds, or a property gives; None when there is none of that name."""
        slots = self.at(cls.path).field(cls, name, level, fields_only)
        if slots is None:
            return None
        return tuple(
            self._filled(one, value)._replace(confidence=min(one.confidence, value.confidence)) for one in slots
        )

    def _through_alias(self, alias: Target, value: Value, name: str, level: int) -> Values | None:
        """Find a member of what a type is another name of."""
        meant = self.meant(alias) if level else None
        if meant is None:
            return None
        found = distinct(
            new
            for one in meant
            if one.target != alias
            for new in self.member(one._replace(form=value.form), name, level - 1)
        )
        return found or None

    @remembered
    def field(self, cls: Target, name: str, level: int, fields_only: bool = False) -> Values | None:
        """Find what a field or property of a class of this file holds, the bases' included; None when there is none."""
        for one in (part for each in (cls, *self.scope.ancestors(cls)) for part in self.scope.parts(each)):
            slots: tuple[Slot, ...] | None = self.world.fact(one.path, f"f:{one.dotted}.{name}")
            if slots:
                return self.at(one.path)._slots(slots, cls, level, one.dotted)
            returned: Returns | None = self.world.fact(one.path, f"r:{one.dotted}.{name}")
            if returned and returned.type_name and not fields_only:
                seen = self.at(one.path)
                return seen.type_values(seen.text_at(returned.type_name, cls, one.dotted))
        return None

    def _module_member(self, value: Value, name: str, level: int) -> Values:
        for path in value.paths:
            found = self.scope.exported(path, name, 1)
            if found.targets:
                return tuple(value_of(one, found.confidence) for one in found.targets)
        for path in value.paths:
            if (held := self.at(path).variable(name, level)) is not None:
                return held
        if value.name and (paths := self.scope.modules_of(f"{value.name}.{name}")):
            return (Value(MODULE, paths=paths, name=f"{value.name}.{name}"),)
        return UNKNOWN

    def call(self, value: Value, level: int) -> Values:
        """Find what calling a value gives."""
        if value.form == TYPE:
            return (value._replace(form=INSTANCE),)
        if value.form == CALLABLE:
            if value.target is not None:
                return self._filled_result(value.target, value, level)
            if value.name:
                return (value._replace(form=EXTERNAL),)
            return distinct(one for arg in value.args[-1:] for one in self.type_values(arg))
        if value.form == INSTANCE and value.target is not None:
            return self.protocol(value, "call", level) or UNKNOWN
        return OUTSIDE if value.form == EXTERNAL else UNKNOWN

    def _filled_result(self, target: Target, value: Value, level: int) -> Values:
        found = self.at(target.path).result(target, value.owner, level)
        return tuple(self._filled(one, value) for one in found)

    def _filled(self, result: Value, value: Value) -> Value:
        """Put the only argument of a generic class in the place of a type variable."""
        if result.form == EXTERNAL and result.name == "?" and len(value.args) == 1:
            return next(iter(self.type_values(value.args[0])), result)
        return result

    @remembered
    def result(self, target: Target, owner: Target | None, level: int) -> Values:
        """Find what a function of this file returns; `owner` is the class it was reached through."""
        returned: Returns | None = self.world.fact(target.path, f"r:{target.dotted}")
        if returned is None:
            return UNKNOWN
        if returned.type_name:
            return self.type_values(self.text_at(returned.type_name, owner, target.dotted))
        cls = owner or self.class_around(target)
        return self._slots(returned.results, cls, level, target.dotted)
