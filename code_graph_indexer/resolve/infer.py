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

from code_graph_indexer.resolve.calls import Calls
from code_graph_indexer.resolve.elements import Elements
from code_graph_indexer.resolve.generics import Generics, Passed
from code_graph_indexer.resolve.macro_functions import filled
from code_graph_indexer.resolve.members import Members
from code_graph_indexer.resolve.names import Names
from code_graph_indexer.resolve.notes import Memory
from code_graph_indexer.resolve.passing import Passing
from code_graph_indexer.resolve.resolution import INHERITED, PASSED, PEER, SCOPE, TYPED
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.steps import CALL, EACH, arguments_of, calls_at, steps_of
from code_graph_indexer.resolve.substitution import as_type_arguments
from code_graph_indexer.resolve.type_values import TypeReader
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    LEVELS,
    MODULE,
    OUTSIDE,
    TYPE,
    UNKNOWN,
    Point,
    TypeText,
    Value,
    Values,
    distinct,
    value_of,
)
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import ALTERNATIVE, NUMBER, OBJECT, ROOT, SENT, TEXT
from code_graph_indexer.syntax.records import VALUE_KINDS
from code_graph_indexer.syntax.roles import is_name

ELEMENT = "E"
"""The type variable that stands for the elements of a list that is written out."""

MAX_STEPS = 40
"""Most steps of an expression. A longer expression has no known value."""


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
        self._super_names = tuple(self.language.super_names)
        self._tree_names = (self.language.tree.root, self.language.tree.parent)
        # Each question goes straight to the part that answers it: there are millions.
        passing = Passing(self)
        self.argument = passing.argument
        self.callback_argument = passing.callback_argument
        self.callbacks = passing.callbacks
        self.parameters_at = passing.parameters_at
        self.passed_to = passing.passed_to
        members = Members(self)
        self.added_method = members.added_method
        self.assigned = members.assigned
        self.class_member = members.class_member
        self.decorated = members.decorated
        self.field = members.field
        self.field_of = members.field_of
        self.bind_by_type_arguments = members.bind_by_type_arguments
        self.member = members.member
        self.wrapped = members.wrapped
        calls = Calls(self)
        self.call = calls.call
        self.constructor = calls.constructor
        self.constructors = calls.constructors
        self.first_argument = calls.first_argument
        self.substitute_only_argument = calls.substitute_only_argument
        self.bind_by_receiver = calls.bind_by_receiver
        self.result = calls.result
        elements = Elements(self)
        self.element = elements.element
        self.members_run = elements.members_run
        self.methods_run = elements.methods_run
        self.protocol_result = elements.protocol_result
        names = Names(self)
        self.name = names.name
        self.objects_around = names.objects_around
        self.slot_values = names.slot_values
        self.top_name = names.top_name
        self.declared = names.declared
        self.variable = names.variable

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
        """Return the possible values of one expression, step by step. Empty if it cannot be read or is too long."""
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
        if expression.startswith(self._super_names):
            for name in self._super_names:
                if expression.startswith(name) and expression[len(name) : len(name) + 1] in ("", "."):
                    above = (Value(INSTANCE, point.cls, INHERITED, above=True),) if point.cls else UNKNOWN
                    return above, len(steps_of(name))
        if head in self._tree_names:
            return self._in_tree(steps, point)
        if not (head[0].isalpha() or head[0] == "_") and (literal := self._literal(head, point, level)) is not None:
            return literal, 1
        if self.language.full_names and head[:1].isupper():
            return self._full_name(steps, point)
        if (values := self.name(head, point, level, called=calls_at(steps, 1))) is not None:
            return values, 1
        # A module may need several parts of its name: `import a.b` binds `a`, and `a.b.f` means f of a/b.
        for length in range(len(steps), 0, -1):
            dotted = "".join(steps[:length])
            if "(" not in dotted and "[" not in dotted and (paths := self.scope.modules_of(dotted)):
                return (Value(MODULE, paths=paths, name=dotted),), length
        return self.declared(head), 1

    def _literal(self, head: str, point: Point, level: int) -> Values | None:
        """Return the possible values of a head that is no name: a text, a cast, a list. None if it is a name after a mark."""
        if head == SENT:
            return self._sent(point)
        if head.startswith("<^"):
            classes = self.scope.type_named(head[2:-1], point.dotted).targets
            return tuple(Value(INSTANCE, cls, INHERITED, above=True) for cls in classes if cls.is_type)
        if head[0] == "<":
            return self.types.values_at(head[1:-1], point.cls, point.dotted)
        if head in (TEXT, NUMBER):
            # Where functions extend types, the call itself knows a text, which may also be a character.
            opens = head == TEXT and self.language.open_types and not self.language.extension_methods
            groups = self.language.literal_types[:1] if opens else ()
            return tuple(Value(EXTERNAL, name=text) for group in groups for text in group[:1]) or OUTSIDE
        if head.startswith(ROOT):
            name = head.removeprefix(ROOT)
            targets = (target for target in self.scope.name(name).targets if target.dotted == name)
            return tuple(value_of(target, PEER) for target in targets) or OUTSIDE
        if head[0] == '"':
            return self.module(head[1:-1], level) or OUTSIDE
        if head == OBJECT:
            return self._literal_object(point)
        return self._written_out(head, point, level) if head[0] in "[{" else None

    def _written_out(self, head: str, point: Point, level: int) -> Values:
        """Return the list or mapping that is written out: `[a|b]`, `{a|b}`. It has one type argument for its elements."""
        # Objects may hold each other, so what stands in one is followed no further than the whole.
        by_element = {element: self.values(element, point, min(level, 1)) for element in head[1:-1].split("|")}
        values = distinct(value for element_values in by_element.values() for value in element_values)
        # A position or key that is not known chooses one of them, and code may add more.
        likely = tuple(value._replace(confidence=min(value.confidence, PASSED)) for value in values)
        # In the braces of JavaScript, a name alone is its own key: `{ load, save }`.
        members = by_element if head[0] == "{" and self.language.object_literals else {}
        given = (
            (ELEMENT, likely),
            *((f".{name}", held) for name, held in members.items() if is_name(name) and held),
        )
        elements = TypeText(self.scope.path, ELEMENT, None, point.dotted, given)
        return (Value(EXTERNAL, args=(elements,) if head[0] == "[" else (elements._replace(text=""), elements)),)

    def _sent(self, point: Point) -> Values:
        """Return what may be sent to the generator around a point: the second argument of its declared type."""
        slots = self.world.results(self.scope.path, point.frame.dotted) if point.frame else ()
        results = self.types.values_at(slots[0].type_name, None, point.dotted) if slots and slots[0].type_name else ()
        return distinct(value for result in results for text in result.args[1:2] for value in self.types.values(text))

    def _in_tree(self, steps: tuple[str, ...], point: Point) -> tuple[Values, int]:
        """Return the module at the head of a path (`crate`, `super.super`), and the number of steps that the head takes."""
        length = 1
        while steps[length : length + 1] == (f".{self.language.tree.parent}",):
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
        """Return the module with the longest name at the head of an expression, and the steps it takes. OUTSIDE if none."""
        names = list(itertools.takewhile(lambda step: step.removeprefix(".")[:1].isupper(), steps))
        for length in range(len(names), 0, -1):
            dotted = "".join(names[:length])
            around = self.scope.in_modules_around(dotted, point.dotted)
            targets = (around,) if around is not None else self.scope.full_name(dotted).targets
            if targets:
                confidence = SCOPE if around is not None else self.scope.full_name(dotted).confidence
                return tuple(value_of(target, confidence) for target in targets), length
        return OUTSIDE, 1

    def step(self, value: Value, step: str, level: int, *, called: bool) -> Values:
        """Return the possible values after one step (`.name`, `()`, `[*]`) from a value. `called`: a call comes next."""
        if step[0] == ".":
            members = self.member(value, step[1:], level, called)
            is_open = called and members in (UNKNOWN, OUTSIDE)
            return (is_open and self.added_method(value, step[1:])) or members
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
        """Return the possible values after a step with arguments, which are pairs of a name and a path.

        Their values are worked out only if the result depends on them.
        """
        if value.target is not None and value.target.kind == "macro" and level:
            slots = self.world.results(value.target.path, value.target.dotted)
            texts = (filled(slot.value, [path for _, path in arguments]) for slot in slots if "{" in slot.value)
            if values := distinct(made for text in texts if text for made in self.values(text, point, level - 1)):
                return values
        wanted = self._wanted(value, step)
        if not wanted:
            return self.step(value, step, level, called=False)
        passed = [(name, self.values(path, point, level) if path else UNKNOWN) for name, path in arguments]
        return self.apply(value, step, passed, level)

    def apply(self, value: Value, step: str, passed: Passed, level: int) -> Values:
        """Return the possible values after a step that passes arguments, which bind type variables."""
        function, wanted = self._function(value), self._wanted(value, step)
        if function is None:
            return (
                self.generics.result_of_function_type(value, passed, self, level) if wanted else self.call(value, level)
            )
        # A function that extends a type may take the object as its first argument.
        passed = [("", UNKNOWN)] * self.first_argument(value) + [*passed]
        given = self.generics.at(function.path).bind_by_arguments(function, passed, wanted, self, level)
        if step[0] == "{":
            return self.callback_argument(value, step, given)
        if value.form == TYPE and value.target is not None:
            variables = self.generics.at(value.target.path).variables(value.target.dotted)
            return self.call(
                value._replace(args=as_type_arguments(value.target, variables, given) or value.args), level
            )
        return self.call(value, level, given)

    def _function(self, value: Value) -> Target | None:
        """Return the function that a call of a value runs, which may be a constructor. None if no code defines it."""
        if value.form == TYPE and value.target is not None and not value.args:
            return self.constructor(value.target) or value.target
        return value.target if value.form in (CALLABLE, TYPE) else None

    def _wanted(self, value: Value, step: str) -> frozenset[str]:
        """Return the type variables that the arguments of a step bind: those that the value after it depends on."""
        function = self._function(value)
        if function is None:
            return self.generics.variables_in_type(value)
        generics = self.generics.at(function.path)
        if step[0] == "{":
            return generics.variables_in_sight(function.dotted) if self.parameters_at(function, step) else frozenset()
        if value.form == TYPE and value.target is not None:
            return frozenset(self.generics.at(value.target.path).variables(value.target.dotted))
        return generics.variables_of_result(function.dotted)
