"""Read the text of a query, and say which of its patterns a tree can match.

To compile a query is nearly all analysis of its patterns, most of a second for C++. A pattern needs nodes of some kinds below
nodes of some others. A file has few of these, so that a third of the patterns can match its tree.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

import tree_sitter

_TOKEN = re.compile(r'(?m)^\s*;.*$|"(?:\\.|[^"\\])*"|[()\[\]]|[^\s()\[\]"]+')


@dataclass(slots=True, eq=False)
class Part:
    """A part of a query that is a node `(kind …)`, a choice `[…]`, a sequence `((a) . (b))` or a predicate `(#eq? …)`.

    Whatever else stands between such parts, as `_` or `"if"`, is taken to match any tree. `start` and `end` are the characters
    of the part in the text, with the quantifier and the captures behind it. `label` is the field before it, or empty. A choice
    and a sequence have no `kind`. `is_free` says that the part matches any tree, because it may be missing, or because a word
    is one of its choices.
    """

    start: int
    end: int = 0
    kind: str = ""
    label: str = ""
    is_choice: bool = False
    is_free: bool = False
    parts: list["Part"] = field(default_factory=list)


@cache
def patterns_of(text: str) -> list[Part]:
    """Return the patterns of a query that can be compiled, in order."""
    stack = [Part(0)]
    before = label = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ("(", "["):
            stack.append(Part(match.start(), label=label, is_choice=token == "["))
        elif token in (")", "]"):
            part = stack.pop()
            part.end = match.end()
            stack[-1].parts.append(part)
        elif before == "(" and token[0] not in '".!' and not token.endswith(":"):
            stack[-1].kind = token
        elif token[0] == "@" or token in ("?", "*", "+"):
            # After `(identifier) @name`, or after a word such as `_`, which is no part.
            if stack[-1].parts and before != "word":
                part = stack[-1].parts[-1]
                part.end = match.end()
                part.is_free |= token in ("?", "*")
                continue
        elif token.lstrip()[0] == ";":
            continue
        elif stack[-1].is_choice and not token.endswith(":"):
            stack[-1].is_free = True
        label = token[:-1] if token.endswith(":") else ""
        before = token if token in ("(", ")", "[", "]") else "word"
    return stack[0].parts


@dataclass(slots=True, eq=False)
class _Shape:
    """The kind of a node, and the shapes of the named nodes in it, each with its field or None. Equal nodes share a shape."""

    kind: str
    inner: frozenset[tuple[str | None, "_Shape"]]


class Shapes:
    """The shapes of all named nodes of a tree. They tell which patterns of a query may match it."""

    def __init__(self, tree: tree_sitter.Tree, grammar: tree_sitter.Language) -> None:
        self._grammar = grammar
        self._shapes = _shapes_of(tree)
        self._by_kind: defaultdict[str, list[_Shape]] = defaultdict(list)
        self._around: defaultdict[str, list[_Shape]] = defaultdict(list)
        for shape in self._shapes:
            self._by_kind[shape.kind].append(shape)
            for kind in {inner.kind for _, inner in shape.inner}:
                self._around[kind].append(shape)
        self._fits: dict[tuple[Part, _Shape], bool] = {}

    def matched(self, patterns: Iterable[Part]) -> tuple[Part, ...]:
        """Return the patterns that may match any node of the tree, in order."""
        return tuple(pattern for pattern in patterns if self._may_match(pattern))

    def _may_match(self, pattern: Part) -> bool:
        if pattern.is_free:
            return True
        if pattern.is_choice:
            return any(map(self._may_match, pattern.parts))
        if pattern.kind:
            kind = _only_kind(pattern.kind, self._grammar)
            return any(self._holds(pattern, shape) for shape in (self._shapes if kind is None else self._by_kind[kind]))
        parts = [part for part in pattern.parts if not part.kind.startswith("#")]
        if len(parts) == 1:
            return self._may_match(parts[0])
        # The nodes of a sequence stand in one node.
        kinds = [_only_kind(part.kind, self._grammar) for part in parts if part.kind and not part.is_free]
        around = next((self._around[kind] for kind in kinds if kind is not None), self._shapes)
        return any(self._has(pattern, shape, "") for shape in around)

    def _has(self, part: Part, shape: _Shape, label: str) -> bool:
        """Say whether a node of a shape may have a part in it. `label` is the field of the choice around the part."""
        if part.is_free or part.kind.startswith("#"):
            return True
        label = part.label or label
        if part.is_choice:
            return any(self._has(choice, shape, label) for choice in part.parts)
        if not part.kind:
            return all(self._has(inner, shape, label) for inner in part.parts)
        kind = _only_kind(part.kind, self._grammar)
        return any(
            label in ("", place) and kind in (None, inner.kind) and self._holds(part, inner)
            for place, inner in shape.inner
        )

    def _holds(self, part: Part, shape: _Shape) -> bool:
        """Say whether a node of a shape may have in it what a part of its kind asks for."""
        key = part, shape
        if key not in self._fits:
            self._fits[key] = all(self._has(inner, shape, "") for inner in part.parts)
        return self._fits[key]


def _shapes_of(tree: tree_sitter.Tree) -> list[_Shape]:
    """List the shapes of the named nodes of a tree, those of inner nodes first."""
    shapes: dict[tuple[str, frozenset[tuple[str | None, _Shape]]], _Shape] = {}
    cursor = tree.walk()
    # For each node around the present one: its kind, its field, and what was found in it. The root is in none.
    around: list[tuple[str, str | None, list[tuple[str | None, _Shape]]]] = [("", None, [])]
    while len(around) > 1 or not around[0][2]:
        node = cursor.node
        is_named = node is not None and node.is_named
        around.append((node.type if node and is_named else "", cursor.field_name if is_named else None, []))
        if cursor.goto_first_child():
            continue
        # The node is left, and each node that it is the last in.
        while len(around) > 1:
            kind, label, inner = around.pop()
            # A token has none.
            if kind:
                key = kind, frozenset(inner)
                around[-1][2].append((label, shapes.setdefault(key, _Shape(*key))))
            if cursor.goto_next_sibling() or not cursor.goto_parent():
                break
    return list(shapes.values())


@cache
def _only_kind(kind: str, grammar: tree_sitter.Language) -> str | None:
    """Return the kind of all nodes that `(kind …)` matches, or None if they are of several kinds."""
    kind = kind.rpartition("/")[2]
    number = grammar.id_for_node_kind(kind, True)
    # A group of kinds, such as `expression`, is hidden.
    return kind if number is not None and grammar.node_kind_is_visible(number) else None
