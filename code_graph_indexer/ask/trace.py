"""Read places (path and line) from a text: stack traces of any language, compiler messages, `path:line`."""

import re
from typing import NamedTuple

MAX_FRAMES = 50
"""The most frames that are read from a stack trace. In a recursion, further frames repeat the first ones."""

MAX_LINES = 200
"""The most lines of a text whose words are read."""

MAX_PATH = 300
"""The most characters of a path in a text, without its extension."""


class TraceFrame(NamedTuple):
    """A place that a text names, such as a stack frame. The path is as written in the text.

    `name` is the function, or empty. `end_line` is the last line of a range, or 0. Lines are 1-based, and 0 if only the
    function is named.
    """

    path: str
    line: int
    name: str = ""
    end_line: int = 0


INSTALLED = r"(?:node_modules|(?:site|dist)-packages)/"
"""Matches the folder that packages of others are installed in."""

# The length is bounded, so that a hostile text is read quickly.
_PATH = rf"(?P<path>(?:[A-Za-z]:)?[\w@.+~/\\-]{{1,{MAX_PATH}}}?\.[A-Za-z][\w+]{{0,9}})"
_LINE = r"(?P<line>\d{1,7})"
# A page of a browser names its server, with a port, and often the version of a file behind it.
_HOST, _REQUEST = r"[\w+-]+://(?:[\w.-]+:\d+/)?", r"(?:\?[\w=&.%-]{0,200})?"
# Earlier forms win over later ones, because they read more of a place.
_FORMS = (
    # File "app/db.py", line 3, in connect
    rf"[Ff]ile \"{_PATH}\", line {_LINE}(?:, in (?P<name>[\w.<>]+))?",
    # at Namespace.Type.Method(String a) in /src/Type.cs:line 12
    rf"\bat (?P<name>[\w.$`<>\[\]]+)\([^()\n]*\) in {_PATH}:line {_LINE}",
    # at a.b.Type.method(Type.java:12), at method (file:///src/a.js:10:5)
    rf"\bat (?:async )?(?P<name>[\w.$<>/@ ]+?) ?\((?:{_HOST}|(?!{INSTALLED})[\w.-]+//?)?{_PATH}{_REQUEST}:{_LINE}(?::\d+)?\)",
    # total@http://localhost:5173/src/cart.ts:24:9
    rf"(?P<name>[\w.$/<*]*)@{_HOST}{_PATH}{_REQUEST}:{_LINE}(?::\d+)?",
    # #1 0x55e in total(Cart*) /src/cart.c:24:9, #1 total (cart=0x1) at cart.c:24, #1 Cart.total (package:shop/cart.dart:24:9)
    rf"#\d+:? +(?:0x[0-9a-f]+ +)?(?:in +)?(?:[\w.+-]+`)?(?P<name>[\w:~$<>.]+)[ (][^#\n]{{0,200}}?(?<![\w/.\\-]){_PATH}:{_LINE}",
    # shop.(*Cart).Total(0xc0001)\n\t/src/cart.go:24 +0x1a, 4: shop::total\n   at src/cart.rs:24:9
    rf"(?m:^) *(?:\d+: +)?(?:created by )?(?P<name>[^\s()]{{1,200}}(?:\(\*?\w+\)[^\s()]{{1,200}})?)(?:\([^\n]*\))?"
    rf"(?: in goroutine \d+)?\n[ \t]+(?:at )?{_PATH}:{_LINE}",
    # #0 /src/Store.php(12): Store->save()
    rf"#\d+ +{_PATH}\({_LINE}\)(?:: (?P<name>[\w\\:>-]+))?",
    # app/db.rb:3:in `connect'
    rf"{_PATH}:{_LINE}:in [`'](?P<name>[^'\n]+)'",
    # shop/cart.py:24: in total, lib/cart.ex:24: Shop.Cart.total/1
    rf"{_PATH}:{_LINE}: (?:in (?P<name>[\w.<>]+)|(?P<function>[\w.]+)/\d)",
    # in /src/Store.php on line 12, in tree.go line 88
    rf"{_PATH}[,:]?(?: on| at)? lines? {_LINE}(?: ?(?:-|–|to) ?(?P<end>\d{{1,7}}))?",
    # line 302 of lib/plug.ex
    rf"\bline {_LINE} (?:of|in) (?:the file )?{_PATH}",
    # lib/cookie.c(932), src/cart.ts(5,27)
    rf"{_PATH}\({_LINE}(?:,\d+)*\)",
    # router.go#L20-L40
    rf"{_PATH}#L{_LINE}(?:-L?(?P<end>\d{{1,7}}))?",
    # tests/test_cart.py::TestCart::test_total
    rf"{_PATH}::(?P<name>\w+(?:::\w+)*)",
    # anything with path:line
    rf"(?:file://)?{_PATH}:{_LINE}(?!\d)(?:-(?P<end>\d{{1,7}}))?",
)
_HEADING = re.compile(rf"(?m:^){_PATH}\n(?P<rows>(?:[ \t]*\d{{1,7}}[:\t -][^\n]*(?:\n|$))+)")
"""Matches a path with rows below that begin with a line: `src/cart.ts`, then `  24:5  error  'x' is not used`."""

_ROW = re.compile(r"(?m:^)[ \t]*(\d{1,7})")


def read_frames(text: str) -> list[TraceFrame]:
    """List the places that a text names, in the order of the text, without repeats."""
    frames: dict[int, TraceFrame] = {}
    spans: list[tuple[int, int]] = []
    # Every form has one of these, so most texts are done here.
    if not any(mark in text for mark in (":", "line", "#", "(")):
        return []
    # Compiled here, because most commands are given no place. Python keeps what it has compiled.
    for form in map(re.compile, _FORMS):
        for match in form.finditer(text):
            # An earlier form has read this place.
            if any(start < match.end() and match.start() < end for start, end in spans):
                continue
            groups = match.groupdict()
            spans.append(match.span())
            name = (groups.get("name") or groups.get("function") or "").strip()
            frames[match.start()] = TraceFrame(
                match["path"], int(groups.get("line") or 0), name, int(groups.get("end") or 0)
            )
            if len(frames) >= MAX_FRAMES:
                break
    for match in _HEADING.finditer(text) if len(frames) < MAX_FRAMES else ():
        for row in _ROW.finditer(match["rows"]):
            start = match.start("rows") + row.start()
            if not any(before <= start < end for before, end in spans):
                frames[start] = TraceFrame(match["path"], int(row[1]))
    # The forms find places in their own order. The order of the text is that of the calls.
    return list(dict.fromkeys(frames[start] for start in sorted(frames)))[:MAX_FRAMES]


def without_frames(text: str) -> str:
    """Return the lines of a text that name no place: the message of a trace, and the source that it quotes.

    >>> without_frames('File "shop/cart.py", line 24, in total\\nKeyError: no such part')
    'KeyError: no such part'
    """
    return "\n".join(line for line in text.split("\n")[:MAX_LINES] if not read_frames(line))
