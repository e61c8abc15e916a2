"""What the parts of the inference ask of each other: one question a method."""

from typing import Protocol

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.facts import PassedArgument, Slot
from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.generics import Generics, Passed
from code_graph_indexer.resolve.notes import Memory
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.type_values import TypeReader
from code_graph_indexer.resolve.values import LEVELS, MAX_VALUES, Given, Point, TypeText, Value, Values
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import Target

BARE_CALL = "reference.bare"
"""The capture of the languages in which a name that stands alone is a call."""


class Evaluator(Protocol):
    """The inference of a file, as its parts see it."""

    scope: Scope
    types: TypeReader
    generics: Generics
    memory: Memory
    language: Language

    def at(self, path: str) -> "Evaluator":
        """Return the inference of another file."""

    def values(self, expressions: str, point: Point, level: int = LEVELS) -> Values:
        """Return the possible values of an expression, or of several alternatives in one text. Empty if none is known."""

    def module(self, text: str, level: int) -> Values:
        """Return the values of the module that an import's text names: what it exports as its whole value, and itself."""

    def name(self, name: str, point: Point, level: int, *, called: bool) -> Values | None:
        """Return the possible values of a bare name at a point. None if nothing in sight has that name."""

    def top_name(self, name: str, level: int) -> Values | None:
        """Return the possible values of a name at the top of the file. None if nothing has that name."""

    def assigned(self, value: Value, level: int) -> Values:
        """Return the values that were assigned to a variable that holds functions, which counts as an object itself."""

    def variable(self, name: str, level: int) -> Values | None:
        """Return the possible values of a variable at the top of the file, or of an imported one. None if there is none."""

    def slot_values(
        self, slots: tuple[Slot, ...], cls: Target | None, level: int, dotted: str = "", given: Given = ()
    ) -> Values:
        """Return the possible values of slots: of the first declared type, or else of the assigned expressions."""

    def member(self, value: Value, name: str, level: int, called: bool = True) -> Values:
        """Return the possible values of a member of a value. `called` says that a call follows, as in `x.name()`."""

    def wrapped(self, function: Target, level: int) -> Values:
        """Return the values of the calls that wrap a function: `const load = retry(() => …)`, or `@retry` before it."""

    def class_member(self, value: Value, name: str, level: int, *, called: bool = True) -> Values | None:
        """Return the possible values of a member of the value's class or its bases. None if there is no such member."""

    def field_of(self, cls: Target, value: Value, name: str, level: int, *, fields_only: bool) -> Values | None:
        """Return the possible values of a field or property of an object. None if there is no such field."""

    def field(
        self, cls: Target, name: str, level: int, fields_only: bool = False, args: tuple[TypeText, ...] = ()
    ) -> Values | None:
        """Return the possible values of a field or property of a class or its bases. None if there is no such field."""

    def bind_by_type_arguments(self, cls: Target, args: tuple[TypeText, ...], holder: Target) -> Given:
        """Bind the variables of a class or base, `holder`, for an object of the class `cls` with these type arguments."""

    def call(self, value: Value, level: int, given: Given = ()) -> Values:
        """Return the possible values of a call: an instance if the value is a type, the results if it is a function."""

    def bind_by_receiver(self, target: Target, value: Value) -> Given:
        """Bind the type variables of a method by the object that it is called on."""

    def members_run(self, values: Values, names: tuple[str, ...]) -> Values:
        """List the methods of the values that run where a member is read or an operator is used: the first that a class has."""

    def first_argument(self, value: Value) -> int:
        """Return the position of the parameter that takes the first argument of a call: 1 if 0 takes the object."""

    def apply(self, value: Value, step: str, passed: Passed, level: int) -> Values:
        """Return the possible values after a step that passes arguments, which bind type variables."""

    def declared(self, name: str) -> Values:
        """Return the possible values of a name that nothing in the repository defines: what the library declares."""

    def substitute_only_argument(self, result: Value, value: Value) -> Value:
        """Replace an unbound type variable of a result by the type argument of `value`, if that has exactly one."""

    def result(self, target: Target, owner: Target | None, level: int, given: Given = ()) -> Values:
        """Return the possible values that a function of this file returns."""

    def constructor(self, cls: Target) -> Target | None:
        """Return the first constructor that runs when code instantiates a class. None if the class has none."""

    def protocol_result(self, value: Value, protocol: str, level: int, *, is_delayed: bool = False) -> Values | None:
        """Return the possible results of the method that implements a protocol. None if the class has no such method."""

    def element(self, value: Value, step: str, level: int) -> Values:
        """Return the possible elements of a value: at a position or key (`[0]`), in a loop (`[*]`), or in a `with` (`[>]`)."""

    def passed_to(self, name: str, frame: Frame, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values that callers pass to the parameter `name` of the function `frame`."""

    def argument(self, argument: PassedArgument, point: Point, level: int, limit: int = MAX_VALUES) -> Values:
        """Return the possible values of an argument of a call in this file."""

    def parameters_at(self, function: Target, step: str) -> tuple[str, ...]:
        """List the types of the parameters that may take the callback of a step such as `{0.1}`."""

    def callback_argument(self, value: Value, step: str, given: Given = ()) -> Values:
        """Return the possible values that a callee passes to a parameter of its callback."""


class Part:
    """A part of the inference of one file, with what all parts share."""

    __slots__ = ("generics", "inference", "language", "memory", "scope", "types", "world")

    def __init__(self, inference: Evaluator) -> None:
        self.inference = inference
        self.scope: Scope = inference.scope
        self.types: TypeReader = inference.types
        self.generics: Generics = inference.generics
        self.memory: Memory = inference.memory
        self.world: World = inference.scope.world
        self.language: Language = inference.scope.language
