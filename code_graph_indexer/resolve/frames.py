"""What the names inside a function stand for: parameters, local variables, and those of the functions around it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from code_graph_indexer.syntax.records import FUNCTION_KINDS, Binding, Syntax


class Local(NamedTuple):
    """A binding in a function; places count from where the function starts, `to` is 0 for what holds to its end."""

    at: int
    since: int
    to: int
    type_name: str
    value: str
    is_param: bool = False


class Frame(NamedTuple):
    """A function with its local names; `dotted` is its name inside its file, `outer` the function around it.

    `imports` are those that stand in the function: name → (module, name in the module); `holds` says that the
    names of other definitions begin with its own.
    """

    dotted: str
    names: dict[str, tuple[Local, ...]]
    imports: dict[str, tuple[str, str]]
    outer: "Frame | None"
    holds: bool

    def local(self, name: str, at: int | None, *, called: bool = False) -> Local | None:
        """Return what a name is bound to at a place, or at the end when no place is given.

        What holds in a part of the function goes first; then the last binding before the place, or else the first after it.
        A variable that is given what a function of its name returns (`root = root()`) is not what is called there.
        """
        found: Local | None = None
        part: Local | None = None
        for one in self.names.get(name, ()):
            if one.to:
                if at is not None and one.since <= at < one.to and one.at != at:
                    part = one
            elif found is None or ((at is None or one.at < at) and one.value != "null"):
                found = one
        found = part or found
        if called and found is not None and found.value.startswith(f"{name}()"):
            before = self.local(name, found.at)
            return before if before != found else None
        return found

    def in_sight(self, name: str) -> bool:
        """Say whether this function, or one around it, binds a name."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return True
            frame = frame.outer
        return False

    @property
    def params(self) -> list[str]:
        """List the names of the parameters in order, the object itself included where it is one."""
        return [name for name, bound in self.names.items() if bound[0].is_param and not bound[0].to]

    def declared(self, name: str) -> str:
        """Return the type that a name is declared with, empty when it is not."""
        return next((one.type_name for one in self.names.get(name, ()) if one.type_name and not one.to), "")


def frames_of(syntax: Syntax, wanted: Iterable[int] | None = None) -> list[Frame | None]:
    """Make the frame of each definition that is a function, or of the wanted ones and those around them; None for others."""
    kept: set[int] = set()
    for position in wanted or ():
        while position >= 0 and position not in kept:
            kept.add(position)
            position = syntax.definitions[position].parent
    bound: dict[int, list[Binding]] = defaultdict(list)
    defined = {one.name_start for one in syntax.definitions}
    for binding in syntax.bindings:
        # A variable that holds a function is that function.
        local = binding.scope >= 0 and not binding.owner and binding.name and binding.start not in defined
        if local and (wanted is None or binding.scope in kept):
            bound[binding.scope].append(binding)
    imports: dict[int, dict[str, tuple[str, str]]] = defaultdict(dict)
    for each in syntax.imports:
        if each.scope >= 0 and each.name not in ("", "*"):
            imports[each.scope][each.alias or each.name] = (each.module, each.name)
    around = {one.path_name.rpartition(".")[0] for one in syntax.definitions}
    frames: list[Frame | None] = []
    for position, one in enumerate(syntax.definitions):
        if one.kind not in FUNCTION_KINDS or (wanted is not None and position not in kept):
            frames.append(None)
            continue
        names: dict[str, list[Local]] = defaultdict(list)
        for binding in sorted(bound.get(position, ()), key=lambda each: each.start):
            part = (binding.from_byte - one.start, binding.to_byte - one.start) if binding.to_byte else (0, 0)
            names[binding.name].append(
                Local(binding.start - one.start, *part, binding.type_name, binding.value, binding.is_param)
            )
        outer = one.parent
        while outer >= 0 and frames[outer] is None:
            outer = syntax.definitions[outer].parent
        frames.append(
            Frame(
                one.path_name,
                {name: tuple(found) for name, found in names.items()},
                imports.get(position, {}),
                frames[outer] if outer >= 0 else None,
                one.path_name in around,
            )
        )
    return frames
