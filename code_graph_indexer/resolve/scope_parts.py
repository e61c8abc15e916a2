"""What the parts of a file's scope ask of each other: one question a method."""

from collections.abc import Callable
from typing import Protocol

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.notes import Memory
from code_graph_indexer.resolve.resolution import Resolution
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import Target


class View(Protocol):
    """The names that one file can see, as the parts of its scope ask for them."""

    world: World
    path: str
    language: Language
    memory: Memory

    definition: Callable[[str, str], Target | None]
    is_written: bool

    def opened_member(self, name: str, own_only: bool) -> Resolution:
        """Return the member of this name of a definition whose members this file imports whole. `own_only`: not inherited."""

    def star_reach(self) -> dict[str, int]:
        """Map the files that this file imports whole to their places."""

    def reached_holders(self, name: str) -> list[str]:
        """List the files that this file imports whole, directly or not, and that define a name at their top level."""

    def macro_functions(self) -> dict[str, Target]:
        """Map the functions that uses of macros in this file make to these uses."""

    def at(self, path: str) -> "View":
        """Return the view from another file."""

    def reachable(self, path: str) -> bool:
        """Say whether this file may call the definitions of another file."""

    def dotted(self, text: str, own_only: bool = False) -> Resolution:
        """Return what a dotted name means at the top of the file."""

    def first_type(self, text: str, dotted: str) -> Target | None:
        """Return the type that the name `text` means in the body of the class `dotted`, or None."""

    def imported(self, name: str, depth: int = 0) -> Resolution:
        """Return the definition that an import binds to the name."""

    def renamed(self, name: str, depth: int) -> Resolution:
        """Return the class that a variable of this file is another name for."""

    def reexported(self, name: str, depth: int) -> Resolution:
        """Return what a name means among the imports of this file."""

    def modules_of(self, dotted: str, depth: int = 0) -> tuple[str, ...]:
        """List the files that a name (`a`, `a.b`) means as a module."""

    def types_around(self, dotted: str) -> tuple[Target, ...]:
        """List the classes and namespaces around a definition, innermost first."""

    def member(self, cls: Target, name: str) -> Target | None:
        """Return the member of a class that has this name, its own or inherited, or None."""

    def own_member(self, cls: Target, name: str) -> Target | None:
        """Return a member that the class does not inherit, or None."""

    def inherited(self, cls: Target, name: str) -> Target | None:
        """Return the member of this name from the nearest base that has it, or None."""

    def linear(self, cls: Target, depth: int) -> list[Target]:
        """List a class and its bases in the order in which methods are looked up."""

    def ancestors(self, cls: Target) -> list[Target]:
        """List the direct and indirect bases of a class, nearest first, each once."""

    def bases(self, cls: Target) -> list[Target]:
        """List the direct bases of a class, in the order of the code."""

    def parts(self, cls: Target) -> tuple[Target, ...]:
        """List the definitions that form one class, `cls` first."""


class Part:
    """A part of the scope of one file, with what all parts share."""

    __slots__ = ("language", "memory", "path", "view", "world")

    def __init__(self, view: View) -> None:
        self.view = view
        self.world: World = view.world
        self.path: str = view.path
        self.language: Language = view.language
        self.memory: Memory = view.memory
