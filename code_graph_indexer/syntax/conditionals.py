"""Make code whole that a preprocessor's conditionals cut in pieces: of their branches inside of braces, the first one stays.

A parser sees all branches at once, as in `if (a) { #else if (b) { #endif`: braces do not match then, and the function, often
the rest of the file, is lost. Every byte keeps its place.
"""

import re
from typing import NamedTuple

import tree_sitter

_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*(\w*)")
_TOKEN = re.compile(rb"""//[^\n]*|/\*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[{}]""")
_LINKAGE = re.compile(rb"""extern\s+"C(?:\+\+)?"\s*\{""")


class _Conditional(NamedTuple):
    """An open `#if`: whether it stands inside of braces, how deep, whether its branch stays, and whether one has."""

    inside: bool
    depth: int
    stays: bool
    had: bool


class _Reader:
    """Go through the lines and count braces, as far as branches stay."""

    def __init__(self) -> None:
        self.depth = 0
        self.in_comment = False
        self.open: list[_Conditional] = []

    @property
    def stays(self) -> bool:
        return not self.open or self.open[-1].stays

    def directive(self, word: bytes, condition: bytes) -> bool:
        """Read a directive; say whether its line stays."""
        if word.startswith(b"if"):
            inside = self.depth > 0 or bool(self.open and self.open[-1].inside)
            stays = self.stays and not (inside and condition == b"0")
            self.open.append(_Conditional(inside, self.depth, stays, stays or not self.stays))
        elif not self.open:
            return True
        elif word == b"endif":
            return not self.open.pop().inside
        else:
            one = self.open[-1]
            if not one.inside:
                # All branches stay, and each begins where the first one began.
                self.depth = one.depth
            stays = not one.inside or not one.had
            self.open[-1] = one._replace(stays=stays, had=one.had or stays)
        return not self.open[-1].inside

    def code(self, line: bytes) -> None:
        """Count the braces of a line."""
        place = 0
        line = _LINKAGE.sub(b"", line)
        while True:
            if self.in_comment:
                end = line.find(b"*/", place)
                if end < 0:
                    return
                self.in_comment, place = False, end + 2
            token = _TOKEN.search(line, place)
            if token is None:
                return
            place = token.end()
            if token[0] == b"/*":
                self.in_comment = True
            elif token[0] in (b"{", b"}"):
                self.depth = max(0, self.depth + (1 if token[0] == b"{" else -1))


def first_branches(source: bytes) -> bytes:
    """Blank the directives of conditionals inside of braces, and all their branches but the first one that may hold."""
    reader = _Reader()
    lines: list[bytes] = []
    directive_goes_on = False
    line_stays = True
    for line in source.split(b"\n"):
        is_directive = directive_goes_on or (not reader.in_comment and line.lstrip().startswith(b"#"))
        found = _DIRECTIVE.match(line) if is_directive and not directive_goes_on else None
        if found is not None:
            line_stays = reader.directive(found[1], found[2])
        elif not directive_goes_on:
            line_stays = reader.stays
        if line_stays and not is_directive:
            reader.code(line)
        directive_goes_on = is_directive and line.rstrip().endswith(b"\\")
        lines.append(line if line_stays else b" " * len(line))
    return b"\n".join(lines)


def broken_bytes(tree: tree_sitter.Tree) -> int:
    """Count the bytes of a tree that the grammar could not read, one for each thing that is missing."""
    total = 0
    nodes = [tree.root_node]
    while nodes:
        node = nodes.pop()
        if node.is_error:
            total += node.end_byte - node.start_byte
        elif node.is_missing:
            total += 1
        elif node.has_error:
            nodes += node.children
    return total
