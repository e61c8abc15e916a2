"""Record the names that each function binds: its parameters, local variables and imports."""

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from code_graph_indexer.resolve.notes import Note
from code_graph_indexer.syntax.expressions import ALTERNATIVE, NULL
from code_graph_indexer.syntax.records import FUNCTION_KINDS, Arm, Binding, Syntax, function_around


class Local(NamedTuple):
    """A binding of a name in a function: a parameter or a local variable.

    It is written at `offset` and holds from `start` to `end`, half-open. If `end` is 0, it holds in the whole function. All
    three are counted in bytes from the start of the function. `value` is the expression path of the assigned value.
    """

    offset: int
    start: int
    end: int
    type_name: str
    value: str
    is_param: bool = False
    arm: Arm | None = None

    @property
    def is_empty(self) -> bool:
        """Say whether the binding tells nothing of what the name holds."""
        return not self.type_name and self.value in ("", NULL)

    def is_in(self, arm: Arm) -> bool:
        """Say whether this binding is made in the statement of an arm, or in a statement around that."""
        around = self.arm is not None and self.arm.from_byte <= arm.from_byte < self.arm.to_byte
        return around or self.offset >= arm.from_byte

    def may_hold(self, at: int) -> bool | None:
        """Say whether this binding may hold at an offset after it. None if it certainly was made on the way there."""
        arm = self.arm
        if arm is None or arm.start <= at < arm.end:
            return None
        # After an arm of an `if`, its other arms do not run.
        return not (arm.leaves or arm.from_byte <= at < arm.to_byte)


class Frame(NamedTuple):
    """A function with the names that it binds.

    `dotted` is its dotted name inside the file, `outer` is the function around it. `imports` are the imports inside the
    function: name → (module, name in the module). `has_members` says that the function contains other definitions. `answers`
    has what its bindings may hold, by binding and by who asks. `place` is where the function begins in the one around it, in
    bytes from the start of that one.
    """

    dotted: str
    names: dict[str, tuple[Local, ...]]
    imports: dict[str, tuple[str, str]]
    outer: "Frame | None"
    has_members: bool
    answers: dict[object, Note]
    place: int = 0

    def local(self, name: str, offset: int | None, *, called: bool = False, place: int | None = None) -> Local | None:
        """Return the binding of a name that holds at a byte offset, or at the end of the function if `offset` is None.

        A binding for only a part of the function (a lambda's parameter, a variable of a block) comes first, then the last
        binding before the offset, then the first binding after it. If `offset` is None, the parts around `place` count: there
        stands an inner function, which may run at any time. `called` says that the name is called. In `root = root()` the call
        does not mean the new variable `root`, so an earlier binding is returned, or None.
        """
        at = offset if offset is not None else place
        binding = self._last(name, offset, at)
        if called and binding is not None and binding.value.startswith(f"{name}("):
            # `root = root()` calls what `root` was before, or a function outside if it was nothing.
            before = self.local(name, binding.offset)
            return before if before != binding else None
        return self._joined(name, binding, at) if binding is not None and binding.arm is not None else binding

    def _last(self, name: str, offset: int | None, at: int | None) -> Local | None:
        """Return the binding of a name that `local` finds, if no condition is around it. None if the function does not bind it.

        `offset` is None for the end of the function. `at` is where the parts of the function are looked at.
        """
        whole: Local | None = None
        part: Local | None = None
        for local in self.names.get(name, ()):
            if local.end:
                is_around = at is not None and local.start <= at < local.end and local.offset != offset
                if is_around and (part is None or part.is_empty or local.offset < (at or 0)):
                    part = local
            # An assignment of null does not hide the value before it.
            elif whole is None or ((offset is None or local.offset < offset) and local.value != NULL):
                whole = local
        if part is None or whole is None or not part.is_empty:
            return part or whole
        # What is assigned to a variable of a block that is declared without a type and a value.
        return whole if part.offset < whole.offset < (part.end if offset is None else min(part.end, offset)) else part

    def _joined(self, name: str, last: Local, at: int | None) -> Local | None:
        """Return one binding with all values that a name may have at an offset, if its last binding is made under a condition.

        After `if late: x = A()` and `else: x = B()` the name may be either of them.
        """
        locals_ = self._reaching(name, last, sys.maxsize if at is None else at)
        typed = any(local.type_name for local in locals_)
        if typed or not locals_:
            return locals_[0] if locals_ else last
        values = dict.fromkeys(value for local in locals_ for value in local.value.split(ALTERNATIVE) if value)
        is_param = any(local.is_param for local in locals_)
        return last._replace(value=ALTERNATIVE.join(values), is_param=is_param)

    def _reaching(self, name: str, last: Local, offset: int) -> list[Local]:
        """List the bindings of a name that may hold at an offset, from `last` back to one that certainly was made."""
        locals_: list[Local] = []
        arms: set[Arm] = set()
        rest: Arm | None = None
        for local in reversed(self.names[name]):
            if local.end or local.value == NULL or local.offset > last.offset:
                continue
            if rest is not None and rest.from_byte in {arm.from_byte for arm in arms} and not local.is_in(rest):
                # One of the arms has run.
                break
            may_hold = local.may_hold(offset)
            if may_hold and local.arm not in arms:
                locals_.append(local)
            if may_hold is None:
                locals_.append(local)
                break
            if local.arm is not None and local.arm.is_rest:
                rest = local.arm
            elif local.arm is not None:
                arms.add(local.arm)
        return locals_

    def binds(self, name: str) -> bool:
        """Say whether this function, or a function around it, binds a name."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return True
            frame = frame.outer
        return False

    def outer_of(self, name: str) -> "Frame | None":
        """Return the nearest function around this one that binds a name, if the name is a parameter of it, or None."""
        frame = self.outer.binder(name) if self.outer is not None else None
        return frame if frame is not None and frame.names[name][0].is_param else None

    def binder(self, name: str) -> "Frame | None":
        """Return this function, or else the nearest one around it, that binds a name, or None."""
        frame: Frame | None = self
        while frame is not None and name not in frame.names:
            frame = frame.outer
        return frame

    @property
    def params(self) -> list[str]:
        """List the names of the parameters in order. The object itself (`self`) is in the list if it is a parameter."""
        return [name for name, locals_ in self.names.items() if locals_[0].is_param and not locals_[0].end]

    def declared_type(self, name: str, offset: int = -1) -> str:
        """Return the text of the type that this function declares for a name, at an offset or anywhere, or an empty text."""
        typed = (local for local in self.names.get(name, ()) if local.type_name)
        return next((local.type_name for local in typed if not local.end or local.start <= offset < local.end), "")


def frames_of(syntax: Syntax, scopes: Iterable[int] | None = None) -> list[Frame | None]:
    """Return the frame of each function in the order of `syntax.definitions`, with None for all other definitions.

    If `scopes` is given, only the functions at these positions, and the functions around them, get a frame. The last frame is
    that of the file, with the variables of its functions without a name, or None if there are none.
    """
    positions = None if scopes is None else _with_outer(syntax, scopes)
    bindings = _local_bindings(syntax, positions)
    imports: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
    for import_ in syntax.imports:
        if import_.scope >= 0 and import_.name not in ("", "*"):
            imports[import_.scope][import_.alias or import_.name] = (import_.module, import_.name)
    parents = {definition.path_name.rpartition(".")[0] for definition in syntax.definitions}
    top = Frame("", _locals_of(bindings[-1], 0, syntax.arms), {}, None, False, {}) if -1 in bindings else None
    frames: list[Frame | None] = []
    for position, definition in enumerate(syntax.definitions):
        if definition.kind not in FUNCTION_KINDS or (positions is not None and position not in positions):
            frames.append(None)
            continue
        # A parent comes before its children, so its frame is made already.
        outer = definition.parent
        while outer >= 0 and frames[outer] is None:
            outer = syntax.definitions[outer].parent
        frames.append(
            Frame(
                definition.path_name,
                _locals_of(bindings.get(position, ()), definition.start, syntax.arms),
                imports.get(position, {}),
                frames[outer] if outer >= 0 else top,
                definition.path_name in parents,
                {},
                definition.start - (syntax.definitions[outer].start if outer >= 0 else 0),
            )
        )
    return [*frames, top]


def _with_outer(syntax: Syntax, scopes: Iterable[int]) -> set[int]:
    """Return the positions of definitions, and of all definitions around them."""
    positions: set[int] = set()
    for position in scopes:
        while position >= 0 and position not in positions:
            positions.add(position)
            position = syntax.definitions[position].parent
    return positions


def _local_bindings(syntax: Syntax, positions: Set[int] | None) -> dict[int, list[Binding]]:
    """Map the position of each function, or of these functions, to the bindings of its local variables. -1 is the file."""
    bindings: dict[int, list[Binding]] = defaultdict(list)
    name_starts = {definition.name_start for definition in syntax.definitions}
    for binding in syntax.bindings:
        # In `const ctx = setup(() => { … })` the variables of the callback belong to the function around, or to the file.
        scope = function_around(syntax.definitions, binding.scope) if binding.to_byte else binding.scope
        is_local = (scope >= 0 or binding.to_byte) and not binding.owner and binding.name
        # A variable that holds a function is that function.
        if is_local and (positions is None or scope in positions) and binding.start not in name_starts:
            bindings[scope].append(binding)
    return bindings


def _locals_of(bindings: Iterable[Binding], start: int, arms: Sequence[Arm]) -> dict[str, tuple[Local, ...]]:
    """Map each name that a function binds to its bindings, in the order of the text. `start` is the function's first byte."""
    names: dict[str, list[Local]] = defaultdict(list)
    for binding in sorted(bindings, key=lambda binding: binding.start):
        part = (binding.from_byte - start, binding.to_byte - start) if binding.to_byte else (0, 0)
        arm = _moved(arms[binding.arm], start) if binding.arm >= 0 else None
        names[binding.name].append(
            Local(binding.start - start, *part, binding.type_name, binding.value, binding.is_param, arm)
        )
    return {name: tuple(locals_) for name, locals_ in names.items()}


def _moved(arm: Arm, start: int) -> Arm:
    """Return an arm with its places counted from the start of a function."""
    return arm._replace(
        start=arm.start - start,
        end=arm.end - start,
        from_byte=arm.from_byte - start,
        to_byte=arm.to_byte - start,
    )
