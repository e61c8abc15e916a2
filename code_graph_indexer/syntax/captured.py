"""Hold what the query of a language captures in a file, until all definitions of the file are known."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.expressions import bare, stepped
from code_graph_indexer.syntax.limits import Captures, Nodes
from code_graph_indexer.syntax.names import Names
from code_graph_indexer.syntax.parameters import ANY_NUMBER
from code_graph_indexer.syntax.records import Binding, Definition, as_record
from code_graph_indexer.syntax.roles import operand
from code_graph_indexer.syntax.trees import Expressions, Texts

NO_PATH = "…"
"""A receiver that has no expression path, or a longer one than the index holds."""

MAX_NAME = 1_000
"""The most characters of a name in the index. No person writes a longer one, such as a data URL."""

DELAYED = "~]"
"""The end of a step that awaits what it takes, as `async for` does."""


class TemplateUse(NamedTuple):
    """A use of a name in a template, from `start` to `end`: what `kind` says, one of the words of the key `template`.

    `name` begins at the byte `name_start`. `groups` are the groups of the pattern that have names. `arguments` is the number of
    arguments of a call, or -1 if it is not known.
    """

    kind: str
    start: int
    end: int
    name: str
    name_start: int
    groups: dict[str, str]
    arguments: int = -1

    @property
    def receiver(self) -> str:
        """Return what stands before the last dot of the name: `cart` of `cart.total`."""
        return self.name.rpartition(".")[0]


class Match(NamedTuple):
    """A match of a query: the position of its pattern, the name and the nodes of its main capture, and all its captures."""

    order: int
    name: str
    nodes: Nodes
    captures: Captures

    @property
    def kind(self) -> str:
        """Return the last part of the name of the main capture: `call` of `reference.call`."""
        return self.name.rpartition(".")[2]

    def part(self) -> tuple[int, int]:
        """Return the part of the scope in which the match binds names. (0, 0) is the whole scope."""
        within = self.captures.get("within")
        return within[0].byte_range if within else (0, 0)


class Captured:
    """The definitions, references, imports and bindings of one file, as its query captured them.

    The scope of a binding and the parent of a definition are -1 until all definitions of the file are known. Until then,
    `path_name` of a definition is its name inside its parent, and its `doc` is empty. `definitions` pairs each definition
    with the position of its pattern in the query. `marked` holds the matches that need no reading, by the name of their main
    capture up to a dot.
    """

    def __init__(self, source: bytes, language: Language) -> None:
        self.source = source
        self.language = language
        self.texts = Texts()
        self.expressions = Expressions(source, language, self.texts)
        self.path = self.expressions.path
        # Where patterns name the members of what they take apart by their names alone.
        self.has_implicit_members = "implicit" in language.captures
        self.marked: defaultdict[str, list[Match]] = defaultdict(list)
        self.definitions: dict[tuple[int, int, str], tuple[int, Definition]] = {}
        self.members: list[Definition] = []
        self.bodies: set[int] = set()
        self.wrapped: dict[tuple[int, int, str], int] = {}
        self.functions: dict[int, tree_sitter.Node] = {}
        # What was captured as a definition, with the wrappers around it, such as decorators.
        self.outer: dict[tree_sitter.Node, tree_sitter.Node] = {}
        self.references: dict[int, tuple[str, str, str]] = {}
        self.names = Names()
        self.implicit: dict[int, tuple[int, str]] = {}
        self.made: set[int] = set()
        self.bases: dict[int, str] = {}
        self.bare: dict[int, str] = {}
        self.imports: dict[tuple[str, str, str], int] = {}
        self.arguments: dict[int, tuple[str, int, str, str]] = {}
        self.passed_names: dict[int, tree_sitter.Node] = {}
        self.given: dict[int, tuple[int, tuple[str, ...]]] = {}
        self.bindings: dict[tuple[int, str, int], Binding] = {}
        self.parts: dict[tuple[int, str], set[int]] = {}
        self.assigned: set[int] = set()
        self.template: list[TemplateUse] = []

    def text(self, node: tree_sitter.Node, *others: tree_sitter.Node) -> str:
        """Return the text of a node, or of neighbouring nodes from the first to the last."""
        start, end = node.byte_range
        return self.texts[self.source[start : others[-1].end_byte if others else end]]

    def unquoted(self, node: tree_sitter.Node) -> str:
        """Return the text of a node, without the quotes around it, as JSON has them."""
        text = self.text(node)
        return text[1:-1] if len(text) > 2 and text[0] == text[-1] == '"' else text

    def first(self, match: Match, name: str) -> str:
        """Return the text of a capture. The text is empty if the match has no such capture."""
        nodes = match.captures.get(name)
        return self.text(*nodes) if nodes else ""

    def receiver(self, match: Match) -> str:
        """Return the expression path of the receiver: `self` in `self.load`. With `@receiver.named`, a symbol names it.

        The path is empty if there is no receiver, and `…` if the receiver has no expression path. With `@receiver.each`, it is
        the path of an element of the receiver.
        """
        if nodes := match.captures.get("receiver"):
            return self.path(operand(self.expressions, nodes[0]), *nodes[1:]) or NO_PATH
        if nodes := match.captures.get("receiver.named"):
            # A text or symbol names the receiver.
            return self.text(*nodes).strip("\"':") or NO_PATH
        nodes = match.captures.get("receiver.each")
        return (stepped(self.path(*nodes), "[*]") or NO_PATH) if nodes else ""

    def bare_path(self, node: tree_sitter.Node, *others: tree_sitter.Node) -> str:
        """Return the expression path of a node without the arguments of its calls."""
        return bare(self.path(node, *others))

    def spans(self, name: str) -> list[tuple[int, int]]:
        """List the spans of the nodes of marked captures, in the order of the matches."""
        return [node.byte_range for match in self.marked[name] for node in match.nodes]

    def bind(
        self,
        node: tree_sitter.Node,
        value: str = "",
        part: tuple[int, int] = (0, 0),
        *,
        name: str | None = None,
        owner: str = "",
        type_name: str = "",
        table: str = "local",
        is_param: bool = False,
    ) -> None:
        """Record a binding of a name, by default that of the node, in a part of its scope. Fields have a table of their own.

        If several patterns match the same place, combine what each knows: type, value and part of the scope.
        """
        name, start = self.text(node) if name is None else name, node.start_byte
        binding = as_record(Binding, (name, owner, type_name, value, start, -1, *part, is_param, -1))
        key = (start, table, part[0])
        parts = self.parts.get((start, table))
        if parts is None:
            # This is the way of most bindings.
            self.bindings[key] = binding
            self.parts[start, table] = {part[0]}
            return
        # What a pattern sees everywhere, and another pattern only in a part, holds in that part.
        for start_of_part in [start for start in parts if start == key[2] or 0 in (start, key[2])]:
            parts.discard(start_of_part)
            binding = _combined(self.bindings.pop((*key[:2], start_of_part)), binding)
            key = (*key[:2], max(start_of_part, key[2]))
        self.bindings[key] = binding
        parts.add(key[2])

    def add(self, earlier: "Captured", text: bytes) -> None:
        """Add the captures of an earlier reading of the same file that this reading lacks.

        All references and imports are added. Definitions and bindings are added only where `text`, the text of this
        reading, is blank.
        """
        # Where both read the same byte this reading wins, because its tree is the sounder one.
        for name in ("references", "bare", "given", "passed_names", "imports"):
            setattr(self, name, getattr(earlier, name) | getattr(self, name))
        self.definitions |= {
            key: ordered for key, ordered in earlier.definitions.items() if text[key[0] : key[1]].isspace()
        }
        self.bindings |= {
            key: binding for key, binding in earlier.bindings.items() if text[key[0] : key[0] + 1].isspace()
        }


Reader = Callable[[Captured, Match], None]
"""A function that reads the matches with a main capture."""


def _combined(earlier: Binding, binding: Binding) -> Binding:
    """Combine two bindings of one place: the narrower part, and the type and value that say more, or else the earlier ones."""
    # (0, 0) is the whole scope, so the greater span is the narrower one.
    part = max((earlier.from_byte, earlier.to_byte), (binding.from_byte, binding.to_byte))
    types, values = (earlier.type_name, binding.type_name), (earlier.value, binding.value)
    return binding._replace(
        type_name=max(types, key=lambda text: (text.endswith(ANY_NUMBER), bool(text))),
        # A cast says more than a path, and a path more than nothing.
        value=max(values, key=lambda text: (text.startswith("<"), text.endswith(DELAYED), bool(text))),
        from_byte=part[0],
        to_byte=part[1],
        is_param=earlier.is_param or binding.is_param,
    )


def dotted_name(name: str) -> str:
    """Write a qualified name of any language with dots and without type parameters: `std::list<int>` → `std.list`."""
    if not name:
        return ""
    name = re.sub(r"<.*>|\[.*\]", "", "".join(name.split())).replace("::", ".").replace("\\", ".").replace("/", ".")
    return name.strip(".*&()")


def delayed(step: str) -> str:
    """Return the step of `async for` or `async with`, by that of `for` or `with`."""
    return step[:-1] + DELAYED


def without_quotes(text: str) -> str:
    """Strip the quotes or angle brackets around the name of an imported module."""
    return text.strip().strip("\"'`<>")
