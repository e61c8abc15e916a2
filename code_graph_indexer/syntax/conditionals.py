"""Repair code that a preprocessor's conditionals cut in pieces: inside braces, keep only the first branch of each.

A parser sees all branches at once, as in `if (a) { #else if (b) { #endif`. The braces then do not match, and the
function, often the rest of the file, is lost. Removed text becomes blanks, so that every byte keeps its offset.
"""

import re
from typing import NamedTuple

_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*(\w*)")
_NAMED = re.compile(
    rb"[ \t]*#[ \t]*if(n?)(?:def\b)?[ \t]*(!?)[ \t]*(?:defined\b[ \t(]*+)?([A-Za-z_]\w*+)[ \t)\r]*+(?:$|/[/*])"
)
"""A directive that asks for one name alone, with a mark in a group if the name must be unset."""

_OPENING = re.compile(rb"#[ \t]*if")
_DIRECTIVE_LINE = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif)(?:\\\n|[^\n])*", re.MULTILINE)
_TOKEN = re.compile(rb"""//[^\n]*|/\*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[{}]""")
_IN_HEAD = re.compile(
    rb"^[ \t]*+#[ \t]*+if[^\n]*+\n(?:(?![ \t]*+#[ \t]*+(?:if|endif))[^\n]*+\n){1,60}+[ \t]*+#[ \t]*+endif[^\n]*+\n(?=\s*+\{)",
    re.MULTILINE,
)
"""Pattern of a conditional before the body of a function, which writes the head, or its end, in several ways."""

_BRANCH = re.compile(rb"^[ \t]*+#[^\n]*+\n((?:(?![ \t]*+#)[^\n]*+\n)*+)", re.MULTILINE)
_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
"""A table that maps every byte but a line end to a blank."""
# `extern "C" {` is around a whole header: if it counted, no conditional would stand outside of braces.
_LINKAGE = re.compile(rb"""extern\s+"C(?:\+\+)?"\s*\{""")


class _Conditional(NamedTuple):
    """An open `#if`, which stays open up to its `#endif`.

    `inside` says that it is inside braces, and `depth` is the number of braces open before it. `stays` says that the
    current branch is kept, and `had` that a branch was kept already.
    """

    inside: bool
    depth: int
    stays: bool
    had: bool


class _Reader:
    """A reader of one file, line by line, that counts the open braces in the branches that are kept.

    `assumed` has the names that a kept branch takes for set, or not: `#ifndef DEBUG }` closes what `#ifndef DEBUG {` opens.
    """

    def __init__(self, outside: bool) -> None:
        self.outside = outside
        self.depth = 0
        self.in_comment = False
        self.open: list[_Conditional] = []
        self.assumed: dict[bytes, bool] = {}

    @property
    def stays(self) -> bool:
        """Return whether the current branch is kept."""
        return not self.open or self.open[-1].stays

    def directive(self, word: bytes, condition: bytes, line: bytes) -> bool:
        """Process a directive such as `#if 0`, and return whether its line is kept."""
        if word.startswith(b"if"):
            inside = self.outside or self.depth > 0 or bool(self.open and self.open[-1].inside)
            # `#if 0` is never compiled, so that another branch stays.
            stays = self.stays and not (inside and condition == b"0")
            if inside and stays and (name := _NAMED.match(line)) is not None:
                is_set = name[1] == name[2]
                stays = self.assumed.setdefault(name[3], is_set) == is_set
            # In a branch that goes, no inner branch may stay: it counts as having had one.
            self.open.append(_Conditional(inside, self.depth, stays, stays or not self.stays))
        elif not self.open:
            return True
        elif word == b"endif":
            return not self.open.pop().inside
        else:
            conditional = self.open[-1]
            if not conditional.inside:
                # All branches stay, and each begins where the first one began.
                self.depth = conditional.depth
            stays = not conditional.inside or not conditional.had
            self.open[-1] = conditional._replace(stays=stays, had=conditional.had or stays)
        return not self.open[-1].inside

    def code(self, line: bytes) -> None:
        """Count the braces of a line, except those in comments and texts."""
        offset = 0
        line = _LINKAGE.sub(b"", line)
        while True:
            if self.in_comment:
                end = line.find(b"*/", offset)
                if end < 0:
                    return
                self.in_comment, offset = False, end + 2
            token = _TOKEN.search(line, offset)
            if token is None:
                return
            offset = token.end()
            if token[0] == b"/*":
                self.in_comment = True
            elif token[0] in (b"{", b"}"):
                # A stray closing brace, as that of `extern "C"`, must not make the depth negative.
                self.depth = max(0, self.depth + (1 if token[0] == b"{" else -1))


def first_branches(source: bytes, *, outside: bool = False) -> bytes:
    """Blank out the conditionals inside braces: their directives, and all branches except the first one.

    A branch of `#if 0` is never the first one, and one that contradicts a branch before is none. Conditionals outside braces
    are kept, unless `outside`.
    """
    if not _OPENING.search(source):
        # This is the way of nearly all pieces of a broken file.
        return source
    reader = _Reader(outside)
    lines: list[bytes] = []
    directive_goes_on = False
    line_stays = True
    for line in source.split(b"\n"):
        # A line that begins with `#` inside of a comment is no directive.
        is_directive = directive_goes_on or (not reader.in_comment and line.lstrip().startswith(b"#"))
        directive = _DIRECTIVE.match(line) if is_directive and not directive_goes_on else None
        if directive is not None:
            line_stays = reader.directive(directive[1], directive[2], line)
        elif not directive_goes_on:
            line_stays = reader.stays
        # A macro's definition may hold braces that do not match.
        if line_stays and not is_directive:
            reader.code(line)
        directive_goes_on = is_directive and line.rstrip().endswith(b"\\")
        lines.append(line if line_stays else b" " * len(line))
    return b"\n".join(lines)


def one_head(source: bytes) -> bytes:
    """Keep one branch of each conditional before a body: the first that ends as the head of a function does.

    The oldest way to write a head declares its parameters behind it: `(level) int level; {`.

    Example:
        >>> one_head(b"#ifdef OLD\\n(a) int a;\\n#else\\n(int a)\\n#endif\\n{}").split()
        [b'(int', b'a)', b'{}']
    """

    def chosen(match: re.Match[bytes]) -> bytes:
        branches = [branch.span(1) for branch in _BRANCH.finditer(match[0])]
        start, end = next(
            ((*span,) for span in branches if match[0][slice(*span)].rstrip().endswith(b")")), branches[0]
        )
        return blanked(match[0][:start]) + match[0][start:end] + blanked(match[0][end:])

    return _IN_HEAD.sub(chosen, source)


def blanked(text: bytes) -> bytes:
    """Replace a text by blanks. Line ends are kept."""
    return text.translate(_BLANKS)


def halves(source: bytes) -> list[tuple[int, int]]:
    """List the spans of the directives of conditionals that begin before a text or end after it."""
    opened: list[list[tuple[int, int]]] = []
    lone: list[tuple[int, int]] = []
    for directive in _DIRECTIVE_LINE.finditer(source):
        if directive[1].startswith(b"if"):
            opened.append([directive.span()])
        elif not opened:
            lone.append(directive.span())
        elif directive[1] == b"endif":
            opened.pop()
        else:
            opened[-1].append(directive.span())
    return lone + [span for spans in opened for span in spans]
