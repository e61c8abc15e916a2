"""Find the possible values of a name: of a local variable, a member of the class around, a variable of the file, an import."""

from collections.abc import Iterable
from typing import cast

from code_graph_indexer.languages.conventions import class_named_by, view_paths
from code_graph_indexer.resolve.annotations import dots
from code_graph_indexer.resolve.classes import class_behind
from code_graph_indexer.resolve.containers import (
    container_element,
)
from code_graph_indexer.resolve.facts import Slot
from code_graph_indexer.resolve.frames import Frame, Local
from code_graph_indexer.resolve.inference_parts import BARE_CALL, Evaluator, Part
from code_graph_indexer.resolve.library import declarations, library_paths
from code_graph_indexer.resolve.notes import noted, remembered
from code_graph_indexer.resolve.registered_names import in_all_views, named
from code_graph_indexer.resolve.resolution import IMPORT, PASSED, PEER, SCOPE, SELF, TYPED, UNIQUE, UNIQUE_METHOD
from code_graph_indexer.resolve.steps import EACH, steps_of
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    MODULE,
    OUTSIDE,
    TYPE,
    UNKNOWN,
    Given,
    Point,
    Value,
    Values,
    distinct,
    value_of,
)
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import ANY_NAME, WHOLE
from code_graph_indexer.syntax.registrations import CONTEXT
from code_graph_indexer.syntax.roles import is_name

NAMED_TYPE = "type.named"
"""The capture of a symbol that names a class."""

SIGNS = "$@"
"""The signs before the names of variables, which a template may have and the code that gives them may not."""


class Names(Part):
    """The names that code at a point of one file sees, and what they stand for."""

    __slots__ = ("_names_by_class", "_own_words")

    def __init__(self, inference: Evaluator) -> None:
        super().__init__(inference)
        self._own_words = self.language.self_names | self.language.self_types
        self._names_by_class = self.language.is_template or NAMED_TYPE in self.language.captures

    def name(self, name: str, point: Point, level: int, *, called: bool) -> Values | None:
        """Return the possible values of a bare name at a point. None if nothing in sight has that name.

        `called` says that a call follows, as in `name()`. A template, and a language in which a symbol names a class, name what
        they hold after its class: `@cart` for a `Cart`.
        """
        values = self._in_sight(name, point, level, called)
        if called or not self._names_by_class or any(value.form != EXTERNAL for value in values or ()):
            return values
        return self._namesake(name) or values

    def _namesake(self, variable: str) -> Values:
        """Return an object of the only class that a variable is named after. It is a guess."""
        name = class_named_by(variable)
        classes = name and (self.scope.name(name).targets or self.scope.unique(name).targets)
        if not classes or len({cls.dotted for cls in classes}) != 1 or not classes[0].is_type:
            return UNKNOWN
        # A part of a class has a name that says little without it.
        around = self.scope.class_around(classes[0])
        is_part = around is not None and around.kind not in ("module", "namespace")
        return UNKNOWN if is_part else (value_of(classes[0], UNIQUE_METHOD)._replace(form=INSTANCE),)

    def _in_sight(self, name: str, point: Point, level: int, called: bool) -> Values | None:
        """Return the possible values of a bare name from what binds it. None if nothing in sight has that name."""
        if name in self._own_words and (values := self._own_object(name, point)) is not None:
            return values
        frame, offset, place = point.frame, point.offset, None
        hidden: tuple[Local, Frame] | None = None
        while frame is not None:
            if (local := frame.local(name, offset, called=called, place=place)) is not None:
                # A variable of a function type can be called, and then it hides a function even so.
                if not (called and self.language.functions_apart) or "->" in local.type_name:
                    return self._local(name, local, frame, point, level)
                contents = self._local(name, local, frame, point, level)
                if any(value.form == CALLABLE for value in contents):
                    return contents
                # A variable does not hide a function: the nearest one counts only if there is no such function.
                hidden = hidden or (local, frame)
            if name in frame.imports:
                return self._imported(*frame.imports[name], level)
            inner = self.world.definition(self.scope.path, f"{frame.dotted}.{name}") if frame.has_members else None
            # A method in a function belongs to an object that the function makes.
            if inner is not None and (inner.kind != "method" or not self.language.object_literals):
                return (value_of(inner, SCOPE),)
            # An inner function may run at any time, so all bindings of the outer one count.
            place, offset, frame = frame.place, None, frame.outer
        values = self._outer_name(name, point, level, called)
        if hidden and not any(value.form in (CALLABLE, TYPE) for value in values or ()):
            return self._local(name, *hidden, point, level)
        return values

    def _own_object(self, name: str, point: Point) -> Values | None:
        """Return the object itself, or its class, if the name is the word for it. It is empty outside of a class.

        None for any other name.
        """
        # TypeScript may declare `this` as a parameter with a type of its own.
        if name in self.language.self_names and not self._is_other_object(name, point):
            if point.cls is None and self.language.script:
                # In Vue, `this` is the component, which its file describes.
                return (Value(MODULE, paths=(self.scope.path,)),)
            return (Value(INSTANCE, point.cls, SELF),) if point.cls else UNKNOWN
        if name in self.language.self_types and not self._is_variable(name, point):
            return (Value(TYPE, point.cls, SELF) if point.cls else Value(MODULE, paths=(self.scope.path,)),)
        return None

    def _is_other_object(self, self_name: str, point: Point) -> bool:
        """Say whether the word for the object itself means another object at a point, which the function binds to it."""
        frame = point.frame
        if frame is None or self_name not in frame.names:
            return False
        local = frame.local(self_name, point.offset)
        is_lent = local is not None and (self.language.lends_self or local.value)
        return bool(is_lent or frame.declared_type(self_name))

    def _is_variable(self, self_type: str, point: Point) -> bool:
        """Say whether the word for the class around a point is a variable: `for cls in classes`, or a parameter `cls`."""
        frame = point.frame.binder(self_type) if point.frame is not None else None
        if frame is None:
            return False
        local = frame.local(self_type, point.offset if frame is point.frame else None)
        is_first = frame.params[:1] == [self_type] and point.cls is not None
        if local is None:
            return False
        return bool(local.value or local.type_name) if is_first else point.cls is None or not local.is_param

    def _outer_name(self, name: str, point: Point, level: int, called: bool) -> Values | None:
        """Return the possible values of a name that no function around the point binds. None if nothing has that name.

        In this order: the modules and classes around, a lent object, the namespaces around, and the top of the file.
        """
        if (target := self.scope.in_modules_around(name, point.dotted)) is not None:
            return (value_of(target, SCOPE),)
        if self.language.implicit_self:
            if (members := self._lent_member(name, point, level, called)) is not None:
                return members
            classes = self.classes_around(point)
            for cls in classes if self.language.functions_apart and not called else ():
                # A variable of an outer class goes before a function of an inner one.
                if values := self.inference.field_of(cls, Value(INSTANCE, cls, SELF), name, level, fields_only=True):
                    return values
            for cls in classes:
                members = self.inference.class_member(Value(INSTANCE, cls, SELF), name, level, called=called)
                if members is not None and not any(self.scope.is_unseen(value.target) for value in members):
                    return members
        values = self._in_namespaces(name, point, level) or self.top_name(name, level)
        makes = called and name in self.language.class_members - self.language.class_getters
        if values is None and makes and self.language.implicit_self and point.cls is not None:
            # In a method of a class, Ruby's `new()` makes an object of the class.
            return (Value(TYPE, point.cls, SELF),)
        return values

    def _lent_member(self, name: str, point: Point, level: int, called: bool) -> Values | None:
        """Return the possible values of a member of the object that a function without a name runs as a method of.

        Example: `total()` in `with(cart) { total() }`. None if there is no such object, or it has no such member.
        """
        frame = point.frame if self.language.lends_self else None
        for self_name in self.language.self_names if frame is not None and level else ():
            local = frame.local(self_name, point.offset) if frame is not None else None
            objects = self._local(self_name, local, frame, point, level - 1) if local and frame else UNKNOWN
            for value in objects:
                if (
                    value.form == INSTANCE
                    and (members := self.inference.class_member(value, name, level, called=called)) is not None
                ):
                    return members
        return None

    def _in_namespaces(self, name: str, point: Point, level: int) -> Values | None:
        """Return the possible values of a name in the nearest namespace around a point that has it. None if none has it."""
        for around in self.scope.types_around(point.dotted) if "definition.namespace" in self.language.captures else ():
            if around.kind != "namespace":
                continue
            if (member := self.scope.own_member(around, name)) is not None:
                return (value_of(member, SCOPE if member.path == self.scope.path else PEER),)
            if (values := self.inference.field(around, name, level)) is not None:
                return values
        return None

    def _imported(self, module: str, name: str, level: int) -> Values:
        """Return the possible values of a name that is imported from a module.

        In `from a import b`, `b` may be a function or variable of the file a, the module a.b, or a member of a class a. If none
        of them is in the repository, the answer is `OUTSIDE`.
        """
        resolution = self.scope.import_target(module, name)
        if resolution.targets:
            return tuple(value_of(target, resolution.confidence) for target in resolution.targets)
        for path in self.world.find_modules(self.scope.path, module):
            if level and (values := self.inference.at(path).variable(name, level - 1)) is not None:
                return values
        if paths := self.world.find_modules(self.scope.path, self.scope.joined(module, name)):
            return (Value(MODULE, paths=paths),)
        return (self._of_class(module, name, level - 1) if level else UNKNOWN) or self._from_outside(name)

    def declared(self, name: str) -> Values:
        """Return the possible values of a name that nothing in the repository defines: what the library declares."""
        bound = self.world.import_of(self.scope.path, name)
        if bound is not None:
            return self._from_outside(bound[1]) if self.scope.is_external(name) else UNKNOWN
        target = self.scope.declared(name)
        if target is None and name[:1].isupper() and "scope" in self.language.captures:
            # Code may add to a type from outside, and needs no import of what it adds.
            return (Value(EXTERNAL, name=name),) if "global" in self.language.lookup else UNKNOWN
        return (value_of(target, TYPED),) if target is not None else UNKNOWN

    def _from_outside(self, name: str) -> Values:
        """Return what code imports from a module outside: what the library declares under the name, or all of that."""
        paths = library_paths(self.language.name)
        if name in ("", self.language.default_export) and paths:
            return (Value(MODULE, paths=paths),)
        target = declarations(self.language.name).get(name)
        return (value_of(target, TYPED),) if target is not None else OUTSIDE

    def _of_class(self, module: str, name: str, level: int) -> Values:
        """Return the possible values of a class member that is imported by its full name: `import static a.b.Class.NAME`."""
        classes = (target for target in self.scope.dotted(dots(module)).targets if target.is_type)
        return distinct(
            value for cls in classes for value in self.inference.class_member(value_of(cls, IMPORT), name, level) or ()
        )

    def _local(self, name: str, local: Local, frame: Frame, point: Point, level: int) -> Values:
        """Return the possible values of a local variable. The function remembers them, as it names the variable often."""
        key = (name, local, point.cls, level, self.scope.is_test)
        note = frame.answers.get(key)
        if note is None:
            note = frame.answers[key] = noted(self.world, self._contents, name, local, frame, point, level)
        self.world.note.used.append(note)
        return cast("Values", note.value)

    def _contents(self, name: str, local: Local, frame: Frame, point: Point, level: int) -> Values:
        """Return the possible values of a local variable: of its declared type, or else those assigned or passed to it.

        A declared function type does not say which function it is, so passed arguments count too.
        """
        typed = UNKNOWN
        if local.type_name:
            typed = self.types.values_at(local.type_name, point.cls, frame.dotted)
        # The type of a function does not say which function it is.
        if not all(value.form == CALLABLE for value in typed):
            return typed
        # A parameter that holds in a part of the function is a lambda's: callers of the function do not pass it.
        is_followed = local.is_param and level and not local.end
        arguments = self.inference.passed_to(name, frame, level - 1) if is_followed else UNKNOWN
        if local.type_name:
            return distinct((*arguments, *typed))
        if values := distinct((*self._assigned(name, local, frame, point, level), *arguments)):
            return values
        declared = frame.declared_type(name, local.offset)
        if declared:
            return self.types.values_at(declared, point.cls, frame.dotted)
        is_given = is_followed and self.world.may_use_fixtures(self.scope.path)
        return self._fixture(name, frame.dotted, level - 1) if is_given else UNKNOWN

    def _assigned(self, name: str, local: Local, frame: Frame, point: Point, level: int) -> Values:
        """Return the possible values of what is assigned to a local variable, or of the default of a parameter."""
        inner = Point(frame, local.offset, point.cls, frame.dotted)
        if local.is_param and frame.outer is not None and steps_of(local.value)[:1] == (name,):
            # In `def inner(cart=cart)` the parameter gets what the function around has under its name.
            inner = Point(frame.outer, frame.place, point.cls, frame.outer.dotted)
        assigned = self.inference.values(local.value, inner, level - 1) if local.value and level else UNKNOWN
        if assigned == OUTSIDE and self.language.object_literals and is_name(local.value.replace(".", "")):
            # An outer object that a function of the file makes: `const { app } = ctx`.
            member = self.world.definition(self.scope.path, local.value)
            assigned = (value_of(member, SCOPE),) if member is not None and "." in local.value else assigned
        return assigned

    @remembered
    def _fixture(self, name: str, around: str, level: int) -> Values:
        """Return the possible values of a parameter that a test runner fills: the result of the fixture of its name.

        A fixture whose parameter has its own name, as `around` tells, gets the outer fixture of the name.
        """
        fixtures = self.world.fixtures(self.scope.path, name) if level > 0 else ()
        fixture = next(
            (fixture for fixture in fixtures if (fixture.path, fixture.dotted) != (self.scope.path, around)), None
        )
        if fixture is None:
            return UNKNOWN
        # A fixture that yields gives what it yields.
        values = (
            container_element(value, EACH, self.types.values, self.language)
            if value.form == EXTERNAL and value.args
            else (value,)
            for value in self.inference.at(fixture.path).call(value_of(fixture, PASSED), level)
        )
        return distinct(value._replace(confidence=min(value.confidence, PASSED)) for part in values for value in part)

    @remembered
    def top_name(self, name: str, level: int) -> Values | None:
        """Return the possible values of a name at the top of the file. None if nothing has that name."""
        resolution = self.scope.name(name)
        bound = self.world.import_of(self.scope.path, name) if self.language.default_export else None
        if bound and not bound[1]:
            # The functions of a module may also be members of its whole value.
            return self.inference.module(bound[0], level) or (
                self.declared(name) if self.scope.is_external(name) else None
            )
        # A variable of this file goes before what another file defines unseen.
        if resolution.targets and (resolution.confidence > UNIQUE or not self.world.slots(self.scope.path, name)):
            return tuple(value_of(target, resolution.confidence) for target in resolution.targets)
        values = self.variable(name, level)
        return self._shown_with(name, level) if values is None and self.language.is_template else values

    def _shown_with(self, name: str, level: int) -> Values | None:
        """Return the possible values of a variable that code gives to this template. None if no code gives it any."""
        values: dict[Value, None] = {}
        for view in (*view_paths(self.scope.path), in_all_views(name.lstrip(SIGNS))):
            key = named(CONTEXT, view)
            for path, argument in self.world.arguments_to(key):
                if argument.keyword == ANY_NAME and name != WHOLE and level and path != self.scope.path:
                    values |= dict.fromkeys(self.inference.at(path).top_name(name, level - 1) or ())
                elif argument.keyword == name.lstrip(SIGNS) and level:
                    giver = self.scope.at(path)
                    cls = next(iter(giver.types_around(argument.dotted)), None) or class_behind(giver)
                    slots = self.world.slots(path, f"{key}:{argument.keyword}")
                    values |= dict.fromkeys(self.inference.at(path).slot_values(slots, cls, level - 1, argument.dotted))
            if values:
                break
        if BARE_CALL in self.language.captures:
            # `comment: find_comment` gives what the function returns.
            values = dict.fromkeys(
                part
                for value in values
                for part in (self.inference.call(value, level) if value.form == CALLABLE else (value,))
            )
        # A template gets objects. Where code makes one without brackets, its value looks like that of the class.
        return (
            tuple(
                value._replace(
                    confidence=min(value.confidence, PASSED), form=INSTANCE if value.form == TYPE else value.form
                )
                for value in values
            )
            or None
        )

    @remembered
    def variable(self, name: str, level: int) -> Values | None:
        """Return the possible values of a variable at the top of the file, or of an imported one. None if there is none."""
        for path in (self.scope.path, *self.scope.peers_holding(name)):
            if slots := self.world.slots(path, name):
                # A variable of a template may come from the class behind it.
                cls = class_behind(self.scope) if self.language.behind and path == self.scope.path else None
                return self.inference.at(path).slot_values(slots, cls, level)
        if not level:
            return None
        bound = self.world.import_of(self.scope.path, name)
        if not bound:
            starred = self._starred_variable(name, level)
            return self._global_table(name) if starred is None and self.language.table_types else starred
        if not bound[1]:
            return None
        for path in self.world.find_modules(self.scope.path, bound[0]):
            if (values := self.inference.at(path).variable(bound[1], level - 1)) is not None:
                return values
        worth = self.inference.module(bound[0], level) if self.language.default_export else UNKNOWN
        members = distinct(
            member
            for part in worth
            if part.form != MODULE or part.name != bound[0]
            for member in self.inference.member(part, bound[1], level - 1)
        )
        return members or self._of_class(*bound, level) or None

    def _global_table(self, name: str) -> Values | None:
        """Return the only table of this name that any file makes for all files, as a guess. None if there is none."""
        tables = [
            table
            for target in self.world.definitions_named(name)
            if target.dotted == name and not target.is_local and self.scope.reachable(target.path)
            if (table := self.world.definition(target.path, name)) is not None and table.is_type
        ]
        return (value_of(tables[0], UNIQUE),) if len({table.path for table in tables}) == 1 else None

    def _starred_variable(self, name: str, level: int) -> Values | None:
        """Return the possible values of a variable of the files that this file imports whole. None if there is none."""
        reach: Iterable[str] = self.scope.star_reach()
        if reach and not self.language.reexports:
            # A header may include hundreds of files. Only those matter that define the name.
            reach = self.scope.reached_holders(name)
        for path in reach:
            if self.language.reexports and not self.world.is_public(path, name):
                continue
            if slots := self.world.slots(path, name):
                return self.inference.at(path).slot_values(slots, None, level)
            is_imported = self.language.reexports and level and self.world.import_of(path, name)
            if is_imported and (values := self.inference.at(path).variable(name, level - 1)) is not None:
                return values
        return None

    def slot_values(
        self, slots: tuple[Slot, ...], cls: Target | None, level: int, dotted: str = "", given: Given = ()
    ) -> Values:
        """Return the possible values of slots: of the first declared type, or else of the assigned expressions.

        `cls` is the class of a field. `dotted` is the definition of this file that contains the slots. `given` are the type
        variables that are bound.
        """
        values: list[Value] = []
        for slot in slots:
            if slot.type_name:
                # A declared type ends the search, whatever else is assigned.
                return self.types.values_at(slot.type_name, cls, dotted, given)
            if level:
                values += self.inference.values(slot.value, Point(slot.frame, slot.offset, cls, dotted), level - 1)
        return distinct(values)

    def classes_around(self, point: Point) -> list[Target]:
        """List the classes around a point, innermost first."""
        if point.cls is None:
            return []
        outer = self.scope.at(point.cls.path).types_around(point.cls.dotted.rpartition(".")[0])
        return [point.cls, *(cls for cls in outer if cls.kind != "namespace")]

    def objects_around(self, point: Point) -> Values:
        """Return an instance of each class around a point. Code at the point may use their members without a receiver."""
        return tuple(Value(INSTANCE, cls, TYPED) for cls in self.classes_around(point))
