"""Find the possible values of an expression: the class of an instance, or the type, function or module that it names.

An expression is read step by step: `self.load()[*].name` is `self`, `.load`, `()`, `[*]`, `.name`. Each step leads from
the possible values before it to those after it:

* The head (the first step) gives the values of a name.
* `.name` gives a member.
* `()` gives the result of a call.
* `[*]`, `[>]` and `[0]` give an element.
* `{0.1}` gives what a callee passes to its callback.

If no type is declared, the inference follows values: the value assigned to a variable or field, the result of a function,
the arguments that callers pass. It follows at most `LEVELS` values one after the other: `level` counts down from there. Each
answer is stored with its level. Therefore an answer does not depend on the questions before it, and circles end.
"""

import itertools
import posixpath
from collections.abc import Iterable, Iterator

from code_graph_indexer.languages import OWN_CLASS
from code_graph_indexer.resolve.annotations import LIST_TYPE, MAP_TYPE, RECORD_TYPE, TUPLE_TYPE, dots
from code_graph_indexer.resolve.containers import (
    callback_parameter,
    container_element,
    container_member,
    is_callback,
    is_part,
)
from code_graph_indexer.resolve.declarations import Declarations
from code_graph_indexer.resolve.declared import TypeReader, is_variable
from code_graph_indexer.resolve.facts import VALUE_KINDS, PassedArgument, Slot
from code_graph_indexer.resolve.frames import Frame, Local
from code_graph_indexer.resolve.generics import Generics, arguments_for, filled, merged
from code_graph_indexer.resolve.notes import Memory, remembered
from code_graph_indexer.resolve.scope import IMPORT, INHERITED, PASSED, PEER, SCOPE, SELF, TYPED, UNIQUE, Scope
from code_graph_indexer.resolve.steps import (
    CALL,
    DELAYED,
    EACH,
    ENTER,
    NUMBER,
    TEXT,
    arguments_of,
    at_once,
    calls_at,
    steps_of,
)
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    MAX_VALUES,
    MODULE,
    OUTSIDE,
    TYPE,
    UNBOUND,
    UNKNOWN,
    Given,
    Point,
    TypeText,
    Value,
    Values,
    distinct,
    value_of,
)
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import ALTERNATIVE, LAST_ARGUMENT, ROOT, SENT
from code_graph_indexer.syntax.records import COMPUTED

ELEMENTS = "="
"""The prefix of a text that is no type, but the expression paths of elements, parted by `|`."""

_BRACKET_TYPES = (LIST_TYPE, MAP_TYPE)
"""The types that a language may write with brackets only, in the order of its `bracket-types`."""

MAX_STEPS = 40
"""Most steps of an expression. A longer expression has no known value."""

_PROTOCOLS = {EACH: ("each", "next"), ENTER: ("enter", "exit")}
"""The two protocols whose methods a step runs. For `[*]`, `next` is called on the results of `each`."""

_ELEMENT_PROTOCOLS = {EACH: "each", ENTER: "enter"}
"""The protocol whose method returns an element, by step. For all other steps it is `item`."""


class Inference:
    """The possible values of expressions, as one file sees them. A value is an instance, a type, a function or a module.

    The file's `Scope` looks names up, and its `TypeReader` reads the texts of types. In all methods, `level` counts the values
    that may still be followed where no type is declared, and a `Point` is the place of the expression.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.types = TypeReader.of(scope)
        self.generics = Generics.of(scope)
        self.world: World = scope.world
        self.language = scope.language
        self.memory = Memory()

    @classmethod
    def of(cls, world: World, path: str, is_test: bool) -> "Inference":
        """Return the inference of a file. Tests and production code have different ones, because only tests see tests."""
        inference: Inference | None = world.inferences.get((path, is_test))
        if inference is None:
            inference = world.inferences[path, is_test] = cls(Scope.of(world, path, is_test))
        return inference

    def at(self, path: str) -> "Inference":
        """Return the inference of another file."""
        return Inference.of(self.world, path, self.scope.is_test)

    # Expressions.

    def values(self, expressions: str, point: Point, level: int = LEVELS) -> Values:
        """Return the possible values of an expression, or of several alternatives in one text. Empty if none is known.

        `point` is the place of the expression: its file's function, class and offset.
        """
        if ALTERNATIVE in expressions:
            return distinct(
                value
                for expression in expressions.split(ALTERNATIVE)
                for value in self._expression_values(expression, point, level)
            )
        return self._expression_values(expressions, point, level)

    def _expression_values(self, expression: str, point: Point, level: int) -> Values:
        steps = steps_of(expression)
        if not steps or len(steps) > MAX_STEPS:
            return UNKNOWN
        values, position = self._head(expression, steps, point, level)
        while values and position < len(steps):
            # What is called next matters: `x.name()` is a method where `x.name` may be a field.
            called = calls_at(steps, position + 1)
            step = steps[position]
            if arguments := arguments_of(step) if len(step) > 2 and step[0] in "({" else ():
                values = distinct(
                    after for value in values for after in self._applied(value, step, arguments, point, level)
                )
            elif len(values) == 1:
                values = self.step(values[0], step, level, called=called)
            else:
                values = distinct(after for value in values for after in self.step(value, step, level, called=called))
            position += 1
        return values

    def _head(self, expression: str, steps: tuple[str, ...], point: Point, level: int) -> tuple[Values, int]:
        """Return the possible values of an expression's head (its first name), and the number of steps that the head takes."""
        head = steps[0]
        for name in self.language.super_names:
            if expression.startswith(name) and expression[len(name) : len(name) + 1] in ("", "."):
                above = (Value(INSTANCE, point.cls, INHERITED, above=True),) if point.cls else UNKNOWN
                return above, len(steps_of(name))
        if head == SENT:
            return self._sent(point), 1
        if head.startswith("<^"):
            classes = self.scope.type_named(head[2:-1], point.dotted).targets
            return tuple(Value(INSTANCE, cls, INHERITED, above=True) for cls in classes if cls.is_type), 1
        if head[0] == "<":
            return self.types.values_at(head[1:-1], point.cls, point.dotted), 1
        if head in (TEXT, NUMBER):
            # Where functions extend types, the call itself knows a text, which may also be a character.
            opens = head == TEXT and self.language.open_types and not self.language.extension_methods
            texts = self.language.literal_types[0][:1] if opens else ()
            return tuple(Value(EXTERNAL, name=text) for text in texts) or OUTSIDE, 1
        if head.startswith(ROOT):
            name = head.removeprefix(ROOT)
            targets = (target for target in self.scope.name(name).targets if target.dotted == name)
            return tuple(value_of(target, PEER) for target in targets) or OUTSIDE, 1
        if head in (self.language.root_module, self.language.parent_module):
            return self._in_tree(steps, point)
        if head[0] == '"':
            return self.module(head[1:-1], level) or OUTSIDE, 1
        if head == "{}":
            return self._literal_object(point), 1
        if head[0] in "[{":
            elements = TypeText(self.scope.path, ELEMENTS + head[1:-1], around=point.dotted)
            return (Value(EXTERNAL, args=(elements,) if head[0] == "[" else (elements._replace(text=""), elements)),), 1
        if self.language.full_names and head[:1].isupper():
            return self._full_name(steps, point)
        if (values := self.name(head, point, level, called=calls_at(steps, 1))) is not None:
            return values, 1
        # A module may need several parts of its name: `import a.b` binds `a`, and `a.b.f` means f of a/b.
        for length in range(len(steps), 0, -1):
            dotted = "".join(steps[:length])
            if "(" not in dotted and "[" not in dotted and (paths := self.scope.modules_of(dotted)):
                return (Value(MODULE, paths=paths, name=dotted),), length
        return (OUTSIDE if self.scope.is_external(head) else UNKNOWN), 1

    def _sent(self, point: Point) -> Values:
        """Return what may be sent to the generator around a point: the second argument of its declared type."""
        slots = self.world.results(self.scope.path, point.frame.dotted) if point.frame else ()
        results = self.types.values_at(slots[0].type_name, None, point.dotted) if slots and slots[0].type_name else ()
        return distinct(value for result in results for text in result.args[1:2] for value in self._read(text))

    def _in_tree(self, steps: tuple[str, ...], point: Point) -> tuple[Values, int]:
        """Return the module at the head of a path (`crate`, `super.super`), and the number of steps that the head takes."""
        length = 1
        while steps[length : length + 1] == (f".{self.language.parent_module}",):
            length += 1
        text = self.scope.from_file("".join(steps[:length]), point.dotted)
        if (inner := self.world.definition(self.scope.path, text)) is not None:
            return (value_of(inner, SCOPE),), length
        paths = self.scope.modules_of(text)
        return ((Value(MODULE, paths=paths, name=text),) if paths else OUTSIDE), length

    def module(self, text: str, level: int) -> Values:
        """Return the values of the module that an import's text names: what it exports as its whole value, and itself."""
        paths = self.world.find_modules(self.scope.path, text)
        itself = (Value(MODULE, paths=paths, name=text),) if paths else UNKNOWN
        whole = self.language.default_export
        values = (
            value
            for path in paths
            if whole and level
            for value in self.at(path).top_name(whole, level - 1) or ()
            if value.form != EXTERNAL and (value.form != MODULE or value.paths != paths)
        )
        return distinct((*values, *itself))

    def _literal_object(self, point: Point) -> Values:
        """Return the object that braces write: its functions are members of the definition around it, or of the file."""
        if not point.dotted:
            return (Value(MODULE, paths=(self.scope.path,)),)
        holder = self.world.definition(self.scope.path, point.dotted)
        is_held = holder is not None and (holder.kind in VALUE_KINDS or self.world.is_holder(holder))
        return (Value(INSTANCE, holder, TYPED),) if is_held else OUTSIDE

    def _full_name(self, steps: tuple[str, ...], point: Point) -> tuple[Values, int]:
        """Return the module at the head of an expression, such as `Shop.Cart`, and the number of steps that its name takes."""
        names = list(itertools.takewhile(lambda step: step.removeprefix(".")[:1].isupper(), steps))
        for length in range(len(names), 0, -1):
            dotted = "".join(names[:length])
            around = self.scope.definition_around(dotted, point.dotted)
            targets = (around,) if around is not None else self.scope.full_name(dotted).targets
            if targets:
                confidence = SCOPE if around is not None else self.scope.full_name(dotted).confidence
                return tuple(value_of(target, confidence) for target in targets), length
        return OUTSIDE, 1

    def _read(self, text: TypeText) -> Values:
        """Return the possible values of a declared type, or of the elements of a list that is written out."""
        if not text.text.startswith(ELEMENTS):
            return self.types.values(text)
        inference = self.at(text.path)
        # A generator yields its own variables.
        results = self.world.results(text.path, text.around)
        cls = next(iter(inference.scope.types_around(text.around)), None)
        point = Point(results[0].frame if results else None, None, cls, text.around)
        values = distinct(
            value for element in text.text[len(ELEMENTS) :].split("|") for value in inference.values(element, point, 1)
        )
        # A position or key that is not known chooses one of them, and code may add more.
        return tuple(value._replace(confidence=min(value.confidence, PASSED)) for value in values)

    def step(self, value: Value, step: str, level: int, *, called: bool) -> Values:
        """Return the possible values after one step (`.name`, `()`, `[*]`) from a value. `called`: a call comes next."""
        if step[0] == ".":
            return self.member(value, step[1:], level, called)
        if step[0] == CALL:
            return self.call(value, level)
        if step[0] == "{":
            return self.callback_argument(value, step)
        if called and value.target is not None and value.target.kind == "function" and step != EACH:
            # `make[User]()` calls a generic function with its type arguments.
            return (value,)
        return self.element(value, step, level)

    def _applied(
        self, value: Value, step: str, arguments: tuple[tuple[str, str], ...], point: Point, level: int
    ) -> Values:
        """Return the possible values after a step that has arguments. They are asked only for what the result depends on."""
        function = value.target
        if function is not None and value.form == TYPE and not value.args:
            function = self.constructor(function) or function
        if function is None or value.form not in (CALLABLE, TYPE):
            return self.step(value, step, level, called=False)
        generics = self.generics.at(function.path)
        if step[0] == "{":
            place = self._callback_place(function, step)
            parameters = self.world.parameters(function.path, function.dotted)
            wanted = generics.in_sight(function.dotted) if 0 <= place < len(parameters) else frozenset()
        elif value.form == TYPE and value.target is not None:
            wanted = frozenset(self.generics.at(value.target.path).variables(value.target.dotted))
        else:
            wanted = generics.of_result(function.dotted)
        if not wanted:
            return self.step(value, step, level, called=False)
        passed = [(name, self.values(path, point, level) if path else UNKNOWN) for name, path in arguments]
        given = generics.bound(function, passed, wanted, self, level)
        if step[0] == "{":
            return self.callback_argument(value, step, given)
        if value.form == TYPE and value.target is not None:
            variables = self.generics.at(value.target.path).variables(value.target.dotted)
            return self.call(value._replace(args=arguments_for(value.target, variables, given)), level)
        return self.call(value, level, given)

    # Names.

    def name(self, name: str, point: Point, level: int, *, called: bool) -> Values | None:
        """Return the possible values of a bare name at a point. None if nothing in sight has that name.

        `called` says that a call follows, as in `name()`.
        """
        # TypeScript may declare `this` as a parameter with a type of its own.
        if name in self.language.self_names and not self._is_other_object(name, point):
            if point.cls is None and self.language.script:
                # In Vue, `this` is the component, which its file describes.
                return (Value(MODULE, paths=(self.scope.path,)),)
            return (Value(INSTANCE, point.cls, SELF),) if point.cls else UNKNOWN
        if name in self.language.self_types and not self._is_variable(name, point):
            return (Value(TYPE, point.cls, SELF),) if point.cls else UNKNOWN
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
        frame = point.frame
        while frame is not None and self_type not in frame.names:
            frame = frame.outer
        if frame is None:
            return False
        local = frame.local(self_type, point.offset if frame is point.frame else None)
        is_first = frame.params[:1] == [self_type] and point.cls is not None
        if local is None:
            return False
        return bool(local.value or local.type_name) if is_first else point.cls is None or not local.is_param

    def _outer_name(self, name: str, point: Point, level: int, called: bool) -> Values | None:
        """Return the possible values of a name that no function around the point binds. None if nothing has that name."""
        if (target := self.scope.definition_around(name, point.dotted)) is not None:
            return (value_of(target, SCOPE),)
        if self.language.implicit_self:
            if (members := self._lent_member(name, point, level, called)) is not None:
                return members
            classes = self.classes_around(point)
            for cls in classes if self.language.functions_apart and not called else ():
                # A variable of an outer class goes before a function of an inner one.
                if values := self._field_of(cls, Value(INSTANCE, cls, SELF), name, level, fields_only=True):
                    return values
            for cls in classes:
                members = self.class_member(Value(INSTANCE, cls, SELF), name, level, called=called)
                if members is not None:
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
                    and (members := self.class_member(value, name, level, called=called)) is not None
                ):
                    return members
        return None

    def _in_namespaces(self, name: str, point: Point, level: int) -> Values | None:
        """Return the possible values of a name in the nearest namespace around a point that has it. None if none has it."""
        for around in self.scope.types_around(point.dotted) if self.language.namespaces else ():
            if around.kind != "namespace":
                continue
            if (member := self.scope.own_member(around, name)) is not None:
                return (value_of(member, SCOPE if member.path == self.scope.path else PEER),)
            if (values := self.field(around, name, level)) is not None:
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
            if level and (values := self.at(path).variable(name, level - 1)) is not None:
                return values
        if paths := self.world.find_modules(self.scope.path, self.scope.joined(module, name)):
            return (Value(MODULE, paths=paths),)
        return (self._of_class(module, name, level - 1) if level else UNKNOWN) or OUTSIDE

    def _of_class(self, module: str, name: str, level: int) -> Values:
        """Return the possible values of a class member that is imported by its full name: `import static a.b.Class.NAME`."""
        classes = (target for target in self.scope.dotted(dots(module)).targets if target.is_type)
        return distinct(
            value for cls in classes for value in self.class_member(value_of(cls, IMPORT), name, level) or ()
        )

    def _local(self, name: str, local: Local, frame: Frame, point: Point, level: int) -> Values:
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
        arguments = self._passed_to(name, frame, level - 1) if is_followed else UNKNOWN
        if local.type_name:
            return distinct((*arguments, *typed))
        inner = Point(frame, local.offset, point.cls, frame.dotted)
        assigned = self.values(local.value, inner, level - 1) if local.value and level else UNKNOWN
        if assigned == OUTSIDE and self.language.object_literals and local.value.replace(".", "").isidentifier():
            # An outer object that a function of the file makes: `const { app } = ctx`.
            member = self.world.definition(self.scope.path, local.value)
            assigned = (value_of(member, SCOPE),) if member is not None and "." in local.value else assigned
        if assigned or arguments:
            return distinct((*assigned, *arguments))
        declared = frame.declared_type(name, local.offset)
        if declared:
            return self.types.values_at(declared, point.cls, frame.dotted)
        is_given = self.language.fixtures and is_followed
        return self._fixture(name, level - 1) if is_given else UNKNOWN

    @remembered
    def _fixture(self, name: str, level: int) -> Values:
        """Return the possible values of a parameter that a test runner fills: the result of the fixture of its name.

        The fixture is one of this file, or else of the nearest file of fixtures in a folder around it.
        """
        fixtures = [
            (
                posixpath.dirname(path).count("/") + len(path) * (path == self.scope.path),
                path,
                f"{argument.dotted}.{name}",
            )
            for decorator in self.language.fixtures
            for path, argument in self.world.arguments_to(decorator)
            if argument.value == name and self._shares_fixtures(path)
        ]
        if not fixtures:
            return UNKNOWN
        _, path, around = max(fixtures)
        fixture = self.world.definition(path, around.lstrip("."))
        results = self.at(path).call(value_of(fixture, PASSED), level) if fixture is not None and level > 0 else UNKNOWN
        # A fixture that yields gives what it yields.
        values = (
            container_element(value, EACH, self._read, self.language)
            if value.form == EXTERNAL and value.args
            else (value,)
            for value in results
        )
        return distinct(value._replace(confidence=min(value.confidence, PASSED)) for part in values for value in part)

    def _shares_fixtures(self, path: str) -> bool:
        """Say whether tests of this file get the fixtures of the file `path`."""
        folder, _, name = path.rpartition("/")
        return path == self.scope.path or (
            name in self.language.fixture_files and f"/{self.scope.path}".startswith(f"/{folder}/".replace("//", "/"))
        )

    @remembered
    def top_name(self, name: str, level: int) -> Values | None:
        """Return the possible values of a name at the top of the file. None if nothing has that name."""
        resolution = self.scope.name(name)
        bound = self.world.import_of(self.scope.path, name) if self.language.default_export else None
        if bound and not bound[1]:
            # The functions of a module may also be members of its whole value.
            return self.module(bound[0], level) or (OUTSIDE if self.scope.is_external(name) else None)
        if resolution.targets:
            return tuple(value_of(target, resolution.confidence) for target in resolution.targets)
        return self.variable(name, level)

    def assigned(self, value: Value, level: int) -> Values:
        """Return the values that were assigned to a variable that holds functions, which counts as an object itself."""
        holder = value.target
        if value.form != INSTANCE or holder is None or holder.kind not in VALUE_KINDS or not level:
            return UNKNOWN
        values = self.at(holder.path).variable(holder.dotted, level - 1) or UNKNOWN
        return tuple(content for content in values if content.target != holder)

    @remembered
    def variable(self, name: str, level: int) -> Values | None:
        """Return the possible values of a variable at the top of the file, or of an imported one. None if there is none."""
        for path in (self.scope.path, *self.scope.peers_holding(name)):
            if slots := self.world.slots(path, name):
                return self.at(path).slot_values(slots, None, level)
        if not level:
            return None
        bound = self.world.import_of(self.scope.path, name)
        if not bound:
            starred = self._starred_variable(name, level)
            return self._global_table(name) if starred is None and self.language.table_types else starred
        if not bound[1]:
            return None
        for path in self.world.find_modules(self.scope.path, bound[0]):
            if (values := self.at(path).variable(bound[1], level - 1)) is not None:
                return values
        worth = self.module(bound[0], level) if self.language.default_export else UNKNOWN
        members = distinct(
            member
            for part in worth
            if part.form != MODULE or part.name != bound[0]
            for member in self.member(part, bound[1], level - 1)
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
                return self.at(path).slot_values(slots, None, level)
            is_imported = self.language.reexports and level and self.world.import_of(path, name)
            if is_imported and (values := self.at(path).variable(name, level - 1)) is not None:
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
                values += self.values(slot.value, Point(slot.frame, slot.offset, cls, dotted), level - 1)
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

    # Members.

    @remembered
    def member(self, value: Value, name: str, level: int, called: bool = True) -> Values:
        """Return the possible values of a member of a value. `called` says that a call follows, as in `x.name()`."""
        if value.form == MODULE:
            return self._module_member(value, name, level)
        if value.form == EXTERNAL:
            if self.language.open_types and value.name and (added := self._added(value.name, name)) is not None:
                return (value_of(added, TYPED),)
            if value.name == TUPLE_TYPE and not is_part(name):
                elements = distinct(element for arg in value.args for element in self._read(arg))
                return distinct(member for element in elements for member in self.member(element, name, 0)) or OUTSIDE
            return container_member(value, name, self._read)
        if value.form == CALLABLE:
            if name in self.language.invokes:
                return (value,)
            if value.target is not None and (held := self._held_by(value.target, name)) is not None:
                return (value_of(held, value.confidence),)
            wrapped = self._wrapped(value.target, level) if value.target is not None else UNKNOWN
            if wrapped and (wrapper_members := self._member_of(wrapped, name, level - 1, called)):
                return wrapper_members
            # A property, or a function whose call needs no brackets.
            results = self.call(value, level)
            return distinct(
                member for result in results if result.form != CALLABLE for member in self.member(result, name, level)
            )
        target = value.target
        is_opened = target is not None and target.kind == "namespace" and self.scope.is_opened(target)
        members = self.top_name(name, level) if is_opened else None
        if members is None:
            members = self.class_member(value, name, level, called=called)
        if members is not None:
            return members
        if assigned := self.assigned(value, level):
            return distinct(member for content in assigned for member in self.member(content, name, level - 1, called))
        if value.form == INSTANCE and value.target is not None and (mixed := self._wrapped(value.target, level)):
            # An object that a function makes, which has got the members of others.
            return self._member_of(mixed, name, level - 1, called)
        if value.form == INSTANCE and (members := self._behind_wrapper(value, name, level, called)):
            return members
        if value.form == TYPE and name in self.language.self_names:
            # `Outer.this`
            return (value._replace(form=INSTANCE),)
        if name in self.language.class_members and value.target is not None:
            return (value._replace(form=TYPE),)
        return OUTSIDE if value.target is not None and self.scope.has_outside_base(value.target) else UNKNOWN

    def _added(self, type_name: str, name: str) -> Target | None:
        """Return the method that this repository adds to a type that it does not define: `extension String`. None if none."""
        last = type_name.rpartition(".")[2]
        if type_name in _BRACKET_TYPES and self.language.bracket_types:
            last = self.language.bracket_types[_BRACKET_TYPES.index(type_name)]
        if any(target.is_type for target in self.world.definitions_named(last)):
            # The repository has a type of that name, which is another one.
            return None
        added = (
            target
            for target in self.world.definitions_named(name)
            if target.dotted == f"{last}.{name}" and target.kind == "method" and self.scope.reachable(target.path)
        )
        return next(added, None)

    def _member_of(self, values: Values, name: str, level: int, called: bool) -> Values:
        """Return the possible values of a member of one of several objects. What lies outside counts if no other has it."""
        members = distinct(member for value in values for member in self.member(value, name, level, called))
        return tuple(member for member in members if member.form != EXTERNAL) or members

    def _held_by(self, function: Target, name: str) -> Target | None:
        """Return the function that was assigned to a member of a function, or None."""
        is_held = self.world.is_holder(function)
        return self.world.definition(function.path, f"{function.dotted}.{name}") if is_held else None

    def _wrapped(self, function: Target, level: int) -> Values:
        """Return the values of the calls that wrap a function: `const load = retry(() => …)`, or `@retry` before it."""
        if function.kind != "function" or not level:
            return UNKNOWN
        if slots := self.world.slots(function.path, function.dotted):
            return self.at(function.path).slot_values(slots, None, level - 1)
        return distinct(self.decorated(function, level - 1))

    def decorated(self, function: Target, level: int = LEVELS) -> Iterator[Value]:
        """Yield what the decorators before a function return: other functions, or objects that take its name."""
        inference = self.at(function.path)
        if not inference.language.decorators:
            return
        point = Point(None, None, self.scope.class_around(function), function.dotted.rpartition(".")[0])
        for decorator in self.world.decorators(function):
            yield from inference.values(decorator, point, level)

    def _behind_wrapper(self, value: Value, name: str, level: int, called: bool) -> Values:
        """Return the possible values of a member that an object does not have itself.

        A member that unwraps gives the object itself. Any other is one of what the object stands for (`deref`).
        """
        if name in self.language.unwraps:
            # A function without a definition, whose result is an object of its owner.
            return (value._replace(form=CALLABLE, target=None, owner=value.target) if called else value,)
        takes_callback = self.language.unwraps and self.language.self_type_names and is_callback(name)
        if value.target is not None and takes_callback:
            # What may be missing calls a function with what it holds: `cart.map(|c| …)`.
            own_type = TypeText(value.target.path, min(self.language.self_type_names), value.target)
            return (Value(CALLABLE, name=RECORD_TYPE, args=(own_type,)),)
        results = self._protocol_result(value, "deref", level) if level and self.language.on_deref else None
        return distinct(member for result in results or () for member in self.member(result, name, level - 1, called))

    def class_member(self, value: Value, name: str, level: int, *, called: bool = True) -> Values | None:
        """Return the possible values of a member of the value's class or its bases. None if there is no such member.

        `called` says that a call follows, as in `x.name()`.
        """
        cls = value.target
        if cls is None:
            return None
        is_variable = not called and self.language.functions_apart
        if is_variable and (values := self._field_of(cls, value, name, level, fields_only=True)):
            return values
        scope = self.scope.at(cls.path)
        direct = None if value.above else scope.own_member(cls, name)
        member = direct or scope.inherited(cls, name)
        if member is not None and member.is_local and member.path != self.scope.path:
            # A private function of a module.
            return None
        if member is not None and value.form == TYPE and scope.language.static_namesakes:
            member = self.world.class_method(member.path, member.dotted) or member
        if member is not None and (direct or value.above or not self._declares(cls, name)):
            confidence = value.confidence if direct else min(value.confidence, INHERITED)
            owner = self.scope.class_around(member) if OWN_CLASS in self.language.constructors else None
            if owner is not None and owner.name == member.name:
                # Inside of it, the name of a class is the class, not its constructor.
                return (Value(TYPE, owner, confidence),)
            return (value_of(member, confidence)._replace(owner=cls, args=value.args),)
        if (values := self._field_of(cls, value, name, level, fields_only=False)) is not None:
            return values
        if cls.kind == "type":
            return self._through_alias(cls, value, name, level)
        if called and name in self.language.computed_members and (made := scope.own_member(cls, COMPUTED)) is not None:
            return (value_of(made, PASSED),)
        return None

    def _declares(self, cls: Target, name: str) -> bool:
        """Say whether a class itself declares a field or property of this name, which then hides a member of its bases."""
        for part in self.scope.at(cls.path).parts(cls):
            dotted = f"{part.dotted}.{name}"
            if any(slot.type_name for slot in self.world.slots(part.path, dotted)):
                return True
            if self.world.results(part.path, dotted):
                return True
        return False

    def _field_of(self, cls: Target, value: Value, name: str, level: int, *, fields_only: bool) -> Values | None:
        """Return the possible values of a field or property of an object. None if there is no such field.

        `fields_only` leaves properties out.
        """
        fields = self.at(cls.path).field(cls, name, level, fields_only, value.args)
        if fields is None:
            return None
        return tuple(
            self._filled(field, value)._replace(confidence=min(field.confidence, value.confidence)) for field in fields
        )

    def _through_alias(self, alias: Target, value: Value, name: str, level: int) -> Values | None:
        """Return the possible values of a member of the type that `alias` is another name for. None if nothing is known."""
        aliased = self.types.aliased(alias) if level else None
        if aliased is None:
            return None
        members = distinct(
            member
            for instance in (self._filled(instance, value, is_alias=True) for instance in aliased)
            if instance.target != alias
            for member in self.member(
                instance._replace(form=value.form) if instance.target is not None else instance, name, level - 1
            )
            # What a library type has is not known in full.
            if member not in OUTSIDE
        )
        return members or None

    @remembered
    def field(
        self, cls: Target, name: str, level: int, fields_only: bool = False, args: tuple[TypeText, ...] = ()
    ) -> Values | None:
        """Return the possible values of a field or property of a class or its bases. None if there is no such field.

        `args` are the type arguments of the object.
        """
        for part in (part for ancestor in (cls, *self.scope.ancestors(cls)) for part in self.scope.parts(ancestor)):
            dotted = f"{part.dotted}.{name}"
            if slots := self.world.slots(part.path, dotted):
                given = self._given_by_class(cls, args, part)
                values = self.at(part.path).slot_values(slots, cls, level, part.dotted, given)
                return distinct(content for value in values for content in filled(value, given))
            # A property is called by its name alone. Its declared result is what the field gives.
            results = self.world.results(part.path, dotted)
            if results and results[0].type_name and not fields_only:
                given = self._given_by_class(cls, args, part)
                return self.types.at(part.path).values_at(results[0].type_name, cls, part.dotted, given)
        return None

    def _given_by_class(self, cls: Target, args: tuple[TypeText, ...], holder: Target) -> Given:
        """Bind the variables of a class or base, `holder`, for an object of the class `cls` with these type arguments."""
        if not self.generics.at(holder.path).variables(holder.dotted):
            return ()
        return self.generics.at(cls.path).of_class(cls, args, holder)

    def _module_member(self, value: Value, name: str, level: int) -> Values:
        for path in value.paths:
            exported = self.scope.exported(path, name, 1)
            # A local function is seen from other files only where the module gives it out under a name.
            if exported.targets and not all(target.is_local for target in exported.targets):
                return tuple(value_of(target, exported.confidence) for target in exported.targets)
        for path in value.paths:
            if (values := self.at(path).variable(name, level)) is not None:
                return tuple(value._replace(confidence=min(value.confidence, IMPORT)) for value in values)
        if value.name and (paths := self.scope.modules_of(f"{value.name}.{name}")):
            return (Value(MODULE, paths=paths, name=f"{value.name}.{name}"),)
        return UNKNOWN

    # Calls.

    @remembered
    def call(self, value: Value, level: int, given: Given = ()) -> Values:
        """Return the possible values of a call: an instance if the value is a type, the results if it is a function.

        `given` are the type variables of the function that the arguments bind.
        """
        if value.form == TYPE:
            return (value._replace(form=INSTANCE),)
        if value.form == CALLABLE:
            if value.target is not None:
                return self._filled_result(value.target, value, level, given)
            if value.owner is not None:
                return (value._replace(form=INSTANCE, target=value.owner, owner=None),)
            if value.name:
                return (value._replace(form=EXTERNAL),)
            return distinct(result for arg in value.args[-1:] for result in self._read(arg))
        if value.form == INSTANCE and value.target is not None:
            assigned = self.assigned(value, level)
            if assigned:
                return distinct(result for content in assigned for result in self.call(content, level - 1))
            # A variant of an enum that holds something makes an object of the enum.
            variant = (value,) if value.target.kind == "enum" else UNKNOWN
            return self._protocol_result(value, "call", level) or variant
        if value.form == EXTERNAL and value.args and self.language.calls_index:
            return container_element(value, "[]", self._read, self.language)
        if value.form == EXTERNAL and value.args and value.args[0].text.startswith(ELEMENTS):
            # Swift's `[Cart]()` is an empty list of carts.
            return self.types.values(value.args[0]._replace(text=f"[{value.args[0].text[len(ELEMENTS) :]}]"))
        return OUTSIDE if value.form == EXTERNAL else UNKNOWN

    def _filled_result(self, target: Target, value: Value, level: int, given: Given) -> Values:
        if value.owner is not None and (wanted := self.generics.at(target.path).of_result(target.dotted)):
            holder = self.scope.at(target.path).class_around(target)
            by_class = self._given_by_class(value.owner, value.args, holder) if holder is not None else ()
            given = merged(tuple(pair for pair in by_class if pair[0] in wanted), given)
        results = self.at(target.path).result(target, value.owner, level, given)
        types = self.language.type_of
        if types and any(result.name in types for result in results) and self.world.is_holder(target):
            # Zig's generic types are functions that return a type.
            return (Value(TYPE, target, value.confidence),)
        if not results and self.world.is_holder(target):
            # A function with a prototype makes objects.
            return (Value(INSTANCE, target, value.confidence),)
        if not results and (wrapped := self._wrapped(target, level)):
            return distinct(result for content in wrapped for result in self.call(content, level - 1))
        if not given and not value.args:
            return results
        return distinct(
            self._filled(self._of_own_class(content, value, given), value)
            for result in results
            for content in filled(result, given)
        )

    def _of_own_class(self, result: Value, value: Value, given: Given) -> Value:
        """Give the type arguments of the object to a result of its own class, such as `Self`."""
        if result.form != INSTANCE or result.args or result.target is None or result.target != value.owner:
            return result
        variables = self.generics.at(result.target.path).variables(result.target.dotted)
        return result._replace(args=arguments_for(result.target, variables, given) or value.args)

    def _filled(self, result: Value, value: Value, *, is_alias: bool = False) -> Value:
        """Replace the type variable of a result by the type argument of `value`, if that has exactly one or is an alias.

        A method of `Box<T>` that returns T returns a User when it is called on a `Box<User>`.
        """
        if result.form == EXTERNAL and result.name.startswith(UNBOUND) and len(value.args) == 1:
            return next(iter(self._read(value.args[0])), result)
        if result.args and (is_alias or len(value.args) == 1):
            # `Box<T>` may return a `List<T>`. An alias has its variables in the order of its type.
            variables = dict.fromkeys(arg.text for arg in result.args if is_variable(arg.text))
            filled = dict(zip(variables, value.args, strict=False))
            if filled:
                return result._replace(args=tuple(filled.get(arg.text, arg) for arg in result.args))
        return result

    @remembered
    def result(self, target: Target, owner: Target | None, level: int, given: Given = ()) -> Values:
        """Return the possible values that a function of this file returns.

        `owner` is the class that the call was made on, which may inherit the function. `given` are its type variables that are
        bound.
        """
        slots = self.world.results(target.path, target.dotted)
        if not slots:
            return UNKNOWN
        if slots[0].type_name and len(slots) == 1:
            return self.types.values_at(slots[0].type_name, owner, target.dotted, given)
        slots = tuple(slot for slot in slots if not slot.type_name)
        cls = owner or self.scope.class_around(target)
        return self.slot_values(slots, cls, level, target.dotted)

    def constructor(self, cls: Target) -> Target | None:
        """Return the first constructor that runs when code instantiates a class. None if the class has none."""
        return next(self.constructors(cls), None)

    def constructors(self, cls: Target) -> Iterator[Target]:
        """Yield the constructors that run when code instantiates a class, such as `__init__` and `__new__`."""
        for name in self.language.constructors:
            has_class_name = name == OWN_CLASS
            member = (
                self.scope.own_member(cls, cls.name) if has_class_name else self.scope.at(cls.path).member(cls, name)
            )
            if member is not None:
                yield member

    # Methods that a language runs without naming them.

    def _protocol_result(self, value: Value, protocol: str, level: int, *, is_delayed: bool = False) -> Values | None:
        """Return the possible results of the method that implements a protocol. None if the class has no such method.

        In Python, `__iter__` implements the protocol `each`.
        """
        for name in self._protocol_names(protocol, is_delayed):
            methods = self.class_member(value, name, level)
            if methods:
                return distinct(
                    result for method in methods if method.form == CALLABLE for result in self.call(method, level)
                )
        return None

    def _next(self, iterator: Value, level: int, is_delayed: bool) -> Values:
        """Return the possible elements of an iterator: the results of its own method, or values of its type's argument."""
        if iterator.form == INSTANCE and iterator.target is not None:
            return self._protocol_result(iterator, "next", level, is_delayed=is_delayed) or UNKNOWN
        return container_element(iterator, EACH, self._read, self.language) if iterator.args else UNKNOWN

    def methods_run(self, values: Values, step: str) -> Values:
        """List the methods of the values that run without being named: in a loop (step `[*]`), or in a `with` (step `[>]`)."""
        is_delayed = step.endswith(DELAYED)
        step = at_once(step)
        first, second = _PROTOCOLS[step]
        runs: list[Value] = []
        for value in values:
            methods = self._protocol_methods(value, first, is_delayed)
            iterators = (
                distinct(result for method in methods for result in self.call(method, LEVELS))
                if step == EACH
                else (value,)
            )
            runs += methods
            runs += [
                method for iterator in iterators for method in self._protocol_methods(iterator, second, is_delayed)
            ]
        return distinct(runs)

    def members_run(self, values: Values, names: tuple[str, ...]) -> Values:
        """List the methods of the values that run where a member is read or an operator is used: the first that a class has."""
        runs: list[Value] = []
        for value in values:
            is_property = value.form == CALLABLE and value.target is not None and self.world.is_getter(value.target)
            for instance in self.call(value, LEVELS) if is_property else (value,):
                if instance.form == INSTANCE and instance.target is not None:
                    members = (self.class_member(instance, name, LEVELS) for name in names)
                    methods = next((methods for methods in members if methods), ())
                    runs += [method for method in methods if method.form == CALLABLE]
        return distinct(runs)

    def _protocol_methods(self, value: Value, protocol: str, is_delayed: bool) -> Values:
        """List the methods of an instance that implement a protocol, such as `__iter__` for `each`."""
        if value.form != INSTANCE or value.target is None:
            return UNKNOWN
        members = (self.class_member(value, name, LEVELS) for name in self._protocol_names(protocol, is_delayed))
        methods = next((methods for methods in members if methods), ())
        return distinct(method for method in methods if method.form == CALLABLE)

    def _protocol_names(self, protocol: str, is_delayed: bool) -> tuple[str, ...]:
        """List the names of the methods that may implement a protocol, the likeliest first.

        Those that are awaited come last in the header of a language.
        """
        names = self.language.protocols[protocol]
        return names[::-1] if is_delayed else names

    def element(self, value: Value, step: str, level: int) -> Values:
        """Return the possible elements of a value: at a position or key (`[0]`), in a loop (`[*]`), or in a `with` (`[>]`)."""
        if value.form == CALLABLE:
            return distinct(
                element
                for result in self.call(value, level)
                if result.form != CALLABLE
                for element in self.element(result, step, level)
            )
        if assigned := self.assigned(value, level):
            return distinct(element for content in assigned for element in self.element(content, step, level - 1))
        if value.form == INSTANCE and value.target is not None:
            return self._instance_element(value, value.target, step, level)
        if value.form == TYPE:
            # `Box[User]` is a generic class with its type arguments.
            return (value,) if step.startswith("[") and at_once(step) != EACH else UNKNOWN
        if value.form != EXTERNAL or not value.args:
            return OUTSIDE if value.form == EXTERNAL else UNKNOWN
        return container_element(value, at_once(step), self._read, self.language)

    def _instance_element(self, value: Value, cls: Target, step: str, level: int) -> Values:
        """Return the possible elements of an object, from a method of its class, or from the type that a type alias names."""
        is_delayed = step.endswith(DELAYED)
        protocol = _ELEMENT_PROTOCOLS.get(at_once(step), "item")
        results = self._protocol_result(value, protocol, level, is_delayed=is_delayed)
        if results is not None:
            if protocol != "each":
                return results
            return distinct(element for iterator in results for element in self._next(iterator, level, is_delayed))
        if step[1:-1].isdigit() and (held := self._field_of(cls, value, step[1:-1], level, fields_only=True)):
            return held
        # Without such a method, `with` binds the object itself, and `p[0]` is what the pointer points at.
        if cls.kind != "type" and (protocol == "enter" or (protocol == "item" and self.language.pointers)):
            return (value,)
        aliased = self.types.aliased(cls) if level else None
        elements = distinct(
            self._filled(element, value)
            for instance in aliased or ()
            if instance != value
            for element in self.element(self._filled(instance, value, is_alias=True), step, level - 1)
        )
        if not elements and protocol == "item" and self.language.pointers:
            # A name for a structure, to which the pointer points.
            return (value,)
        if aliased is not None:
            return elements
        return OUTSIDE if self.scope.has_outside_base(cls) else UNKNOWN

    # Arguments: what callers pass to a parameter, and what a callee passes to its callback.

    def _passed_to(self, name: str, frame: Frame, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values that callers pass to the parameter `name` of the function `frame`."""
        function = self.world.definition(self.scope.path, frame.dotted)
        self_names = self.language.self_names | self.language.self_types
        params = [param for param in frame.params if param not in self_names]
        if function is None or name not in params:
            return UNKNOWN
        return self.passed(function, params.index(name), name, level, limit)

    def callbacks(self, name: str, frame: Frame, limit: int) -> Values:
        """Return the functions that callers pass to the parameter `name` of `frame`, whose declared type is no help."""
        return self._passed_to(name, frame, LEVELS, limit)

    @remembered
    def passed(self, function: Target, position: int, name: str, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values that calls of a function pass to a parameter. Empty if there are more than `limit`.

        With the calls `run(start)` and `run(stop)`, the first parameter (position 0) of `run` may be `start` or `stop`.
        """
        callees = [function.name]
        # A constructor is called by the name of its class.
        if function.name in self.language.constructors and (cls := self.scope.class_around(function)):
            callees.append(cls.name)
        if (outer := self.world.definition(function.path, function.dotted.rpartition(".")[0])) and not outer.is_type:
            # A call of the function around it returns it: `@retry(3)`.
            callees.append(f"{outer.name}()")
        values: dict[Value, None] = {}
        for path, argument in (entry for callee in callees for entry in self.world.arguments_to(callee)):
            if (argument.position != position and argument.keyword != name) or not self.scope.reachable(path):
                continue
            caller = self.at(path)
            cls_around = next(iter(caller.scope.types_around(argument.dotted)), None)
            point = Point(None, None, cls_around, argument.dotted)
            # Many functions have this name. Only calls that run this very function count.
            if any(self._runs(callee, function) for callee in caller.values(argument.callee, point, level)):
                arguments = caller.argument(argument, point, level, limit)
                values.update((value._replace(confidence=min(value.confidence, PASSED)), None) for value in arguments)
        return tuple(values) if len(values) <= limit else UNKNOWN

    def argument(self, argument: PassedArgument, point: Point, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values of an argument of a call in this file.

        The argument is a parameter of the function around the call, the name of a function in sight, or any other expression.
        """
        dotted, value = argument.dotted, argument.value
        if argument.param >= 0:
            function = self.world.definition(self.scope.path, dotted)
            if function is None or not level:
                return UNKNOWN
            return self.passed(function, argument.param, value, level - 1, limit)
        while dotted:
            around = self.world.definition(self.scope.path, dotted)
            inner = self.world.definition(self.scope.path, f"{dotted}.{value}")
            # The members of a class are in sight in its body only, not in its methods.
            if inner is not None and (around is None or not around.is_type or dotted == argument.dotted):
                return (value_of(inner, SCOPE),)
            dotted = dotted.rpartition(".")[0]
        return self.values(value, point, level)

    def _runs(self, callee: Value, function: Target) -> bool:
        """Say whether a call of the value runs a function, which may be the constructor of a class."""
        if callee.target is None or callee.form not in (TYPE, CALLABLE):
            return False
        target = self.constructor(callee.target) if callee.form == TYPE else callee.target
        if target is None or target == function:
            return target is not None
        # A caller in another file sees only the declaration.
        return not target.has_body and function in Declarations.of(self.scope, target.path).definitions(target)

    def _callback_place(self, function: Target, step: str) -> int:
        """Return the position of the parameter that takes the callback of a step such as `{0.1}`. -1 if it is not known."""
        place = int(step[1 : step.index(".")] or -1)
        parameters = self.world.parameters(function.path, function.dotted)
        return len(parameters) - 1 if place == LAST_ARGUMENT else place

    def callback_argument(self, value: Value, step: str, given: Given = ()) -> Values:
        """Return the possible values that a callee passes to a parameter of its callback.

        The step `{0.1}` means parameter 1 of the callback that is argument 0 of the callee `value`. In `{.1}`, the value is
        the callback itself, described by its type. `given` are the type variables of the callee that the arguments bind.
        """
        argument, parameter = (int(number or -1) for number in step[1:-1].partition(":")[0].split("."))
        if argument < 0:
            return self._parameter_of((value,), parameter)
        if value.form == CALLABLE and value.target is None:
            text = callback_parameter(value, parameter, self.language)
            return self.types.values(text) if text is not None else UNKNOWN
        if value.form == TYPE and value.target is not None:
            value = value._replace(form=CALLABLE, target=self.constructor(value.target))
        if value.form != CALLABLE or value.target is None:
            return OUTSIDE if value.form == EXTERNAL else UNKNOWN
        target = value.target
        parameters = self.world.parameters(target.path, target.dotted)
        argument = self._callback_place(target, step)
        if argument < 0 or argument >= len(parameters) or not parameters[argument].type_name:
            return UNKNOWN
        holder = self.scope.at(target.path).class_around(target)
        if value.owner is not None and holder is not None:
            given = merged(self._given_by_class(value.owner, value.args, holder), given)
        declared = parameters[argument].type_name
        callbacks = self.types.at(target.path).values_at(declared, value.owner, target.dotted, given)
        values = self._parameter_of(callbacks, parameter)
        # A variable that nothing binds says nothing.
        return tuple(value for value in values if not value.name.startswith(UNBOUND))

    def _parameter_of(self, functions: Values, parameter: int, level: int = LEVELS) -> Values:
        """Return the possible values of a parameter (0 is the first), as the function types in `functions` declare it."""
        values: list[Value] = []
        for function in functions if level else ():
            is_function = function.form == CALLABLE and function.target is None
            if function.form == INSTANCE and function.target is not None and function.target.kind == "type":
                values += self._parameter_of(self.types.aliased(function.target) or (), parameter, level - 1)
            elif is_function and parameter < len(function.args) - 1:
                values += self._read(function.args[parameter])
            elif (text := callback_parameter(function, parameter, self.language)) is not None:
                values += self.types.values(text)
        return distinct(values)
