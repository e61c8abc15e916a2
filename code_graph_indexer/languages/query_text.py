"""Read the text of a query, and say which of its patterns a tree can match.

To compile a query is nearly all analysis of its patterns, most of a second for C++. A pattern needs nodes of some kinds in
nodes of some others. A file has few of these pairs, so that less than half of the patterns can match its tree.
"""

import re
from collections.abc import Set
from dataclasses import dataclass, field
from functools import cache

import tree_sitter

Pairs = Set[tuple[str, str]]
"""The kinds of a node and of a node in it, for all named nodes of a tree. The root is in the kind ""."""

_TOKEN = re.compile(r'(?m)^\s*;.*$|"(?:\\.|[^"\\])*"|[()\[\]]|[^\s()\[\]"]+')


@dataclass(slots=True)
class Part:
    """A part of a query that is a node `(kind …)`, a choice `[…]`, a sequence `((a) . (b))` or a predicate `(#eq? …)`.

    Whatever else stands between such parts, as `_` or `"if"`, is taken to match any tree. `start` and `end` are the characters
    of the part in the text, with the quantifier and the captures behind it. A choice and a sequence have no `kind`. `is_free`
    says that the part matches any tree, because it may be missing, or because a word is one of its choices.
    """

    start: int
    end: int = 0
    kind: str = ""
    is_choice: bool = False
    is_free: bool = False
    parts: list["Part"] = field(default_factory=list)


@cache
def patterns_of(text: str) -> list[Part]:
    """Return the patterns of a query that can be compiled, in order."""
    stack = [Part(0)]
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ("(", "["):
            stack.append(Part(match.start(), is_choice=token == "["))
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
        before = token if token in ("(", ")", "[", "]") else "word"
    return stack[0].parts


def pairs_of(tree: tree_sitter.Tree) -> set[tuple[str, str]]:
    """Return the pairs of kinds in a tree."""
    pairs = {("", tree.root_node.type)}
    nodes = [tree.root_node]
    while nodes:
        node = nodes.pop()
        kind = node.type
        for child in node.named_children:
            pairs.add((kind, child.type))
            if child.named_child_count:
                nodes.append(child)
    return pairs


def can_match(part: Part, pairs: Pairs, grammar: tree_sitter.Language, above: str | None = None) -> bool:
    """Say whether a tree with these pairs may match a part, in a node of the kind `above`, or for None in any node."""
    if part.is_free or part.kind.startswith("#"):
        return True
    if part.is_choice:
        return any(can_match(choice, pairs, grammar, above) for choice in part.parts)
    if part.kind:
        kind = _only_kind(part.kind, grammar)
        if kind is not None and not _has(pairs, above, kind):
            return False
        above = kind
    return all(can_match(inner, pairs, grammar, above) for inner in part.parts)


def _has(pairs: Pairs, above: str | None, kind: str) -> bool:
    return (above, kind) in pairs if above is not None else any(kind == inner for _, inner in pairs)


@cache
def _only_kind(kind: str, grammar: tree_sitter.Language) -> str | None:
    """Return the kind of all nodes that `(kind …)` matches, or None if they are of several kinds."""
    kind = kind.rpartition("/")[2]
    number = grammar.id_for_node_kind(kind, True)
    # A group of kinds, such as `expression`, is hidden.
    return kind if number is not None and grammar.node_kind_is_visible(number) else None
