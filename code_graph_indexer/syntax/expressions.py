"""Shorten an expression to the path by which its type is found: `self.load(a, b)[0].name` becomes `self.load()[0].name`.

A path is a head (a name, `''` for a text, `0` for any other literal, `<T>` for a cast to T) with steps behind it: `.name`,
`()` for a call, `[n]` for the n-th element, `[]` for one whose place is not known, `[*]` for each in turn, `[:]` for each with
its key, `[>]` for what a `with` binds, `{a.p}` for the p-th parameter of the function that a call is given as its a-th
argument, and `{.p}` for the p-th parameter of a function. Where an expression may mean one of several (`a or b`,
`x if c else y`), their paths are joined by ` or `. An expression that is no path is empty.
"""

import re
from functools import lru_cache

from code_graph_indexer.languages import languages

ALTERNATIVE = " or "
"""Joins the paths of an expression that may mean either."""

MAX_ALTERNATIVES = 4
"""Paths kept of one expression; more say nothing."""

PATH_LIMIT = 160
"""Characters of the longest path; what is longer is a chain that no table of types follows to its end."""

SOURCE_LIMIT = 4_000
"""Bytes of the longest expression that is read."""

_NAME = r"[^\W\d][\w$]*"
_SIMPLE = re.compile(rf"{_NAME}(?:\.{_NAME})*")
_PLAIN = r"""[^()\[\]{}"'`]++|"[^"\\\n]*+"|'[^'\\\n]*+'"""


def _balanced(depth: int) -> str:
    """Write an expression for what may stand between brackets, with so many levels of brackets in it."""
    return rf"(?:{_PLAIN}|[(\[{{]{_balanced(depth - 1)}[)\]}}])*" if depth else rf"(?:{_PLAIN})*"


_INSIDE = _balanced(3)
_BRACKETS = rf"\({_INSIDE}\)|\[{_INSIDE}\]"
_STEPS = re.compile(rf"({_NAME})(?:\.{_NAME}|{_BRACKETS})*")
_BRACKETED = re.compile(_BRACKETS)
_LITERAL = re.compile(rf"""\[{_INSIDE}\]|(?P<text>"[^"\\\n]*+"|'[^'\\\n]*+')""")
_HEAD = re.compile(r"[^\W\d]\w*")
_STRING = r"""\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`"""
_TOKEN = re.compile(
    rf"""(?P<text>[rbfuRBFU]{{0,2}}(?:{_STRING}))
    |(?P<step>\?\.|!!\.|!\.|&\.|->|::|\.(?!\.)|\\)
    |(?P<name>[@$]{{0,2}}[^\W\d][\w$]*)
    |(?P<number>\d[\w.]*)
    |(?P<either>\|\||\?\?|\?:)
    |(?P<mark>=>|[<>=!]=|&&|<<|>>|\S)""",
    re.VERBOSE | re.DOTALL,
)
_PREFIXES = frozenset({"await", "new", "yield", "try", "mut", "typeof", "copy", "move", "&", "*", "!"})
_NULLS = frozenset({"None", "null", "nil", "undefined", "nullptr", "NULL"})
_FUNCTIONS = frozenset({"function", "func", "fn"})
_WORDS = _PREFIXES | _NULLS | _FUNCTIONS | {"lambda", "async", "not"}
_BRACKET = re.compile(rf"""[^()\[\]{{}}"'`]*+(?:([()\[\]{{}}])|{_STRING}|["'`]|\Z)""", re.DOTALL)
_SPREAD = re.compile(r"\.\.\.([^\W\d][\w$]*)\s*[,}\n]")
_GENERIC = re.compile(r"<(?:[\w\s,.:<>\[\]|&?*']|\((?:[^()]|\([^()]*\))*\)(?=\s*>|\s*,[\s\w.:]+>))*>(?=\()")

Token = tuple[str, str, int]


def head_of(path: str) -> str:
    """Return the name at the head of a path, empty when there is none."""
    found = _HEAD.match(path)
    return found[0] if found else ""


@lru_cache(maxsize=50_000)
def path_of(text: str, language: str) -> str:
    """Return the path of an expression, empty when it has none; a null is `null`."""
    if _SIMPLE.fullmatch(text):
        return "null" if text in _NULLS else text
    if len(text) > SOURCE_LIMIT:
        return ""
    known = languages()[language]
    steps = _STEPS.fullmatch(text)
    if steps and "cast" not in text and not any(steps[1] in some for some in (_WORDS, known.passes, known.picks)):
        # Nearly all paths are names with calls and elements behind them.
        path = _BRACKETED.sub(_emptied, text)
        return path if len(path) <= PATH_LIMIT else ""
    if literal := _LITERAL.fullmatch(text):
        return "''" if literal["text"] else "0"
    paths = _Reader(text, known.passes, known.picks).alternatives()
    joined = ALTERNATIVE.join(list(dict.fromkeys(one for one in paths if one))[:MAX_ALTERNATIVES])
    return joined if len(joined) <= PATH_LIMIT else ""


class Texts(dict[bytes, str]):
    """Decode each text of a file once: most are there again and again, and what is one object is packed once."""

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = raw.decode("utf-8", "replace")
        return text


class Paths(dict[bytes, str]):
    """Read the path of each expression of a file once; that of one that `ignored` matches is empty."""

    def __init__(self, texts: Texts, language: str, ignored: re.Pattern[str] | None = None) -> None:
        super().__init__()
        self._texts = texts
        self._language = language
        self._ignored = ignored

    def __missing__(self, raw: bytes) -> str:
        path = path_of(self._texts[raw], self._language) if len(raw) < SOURCE_LIMIT else ""
        if self._ignored is not None and self._ignored.fullmatch(path):
            path = ""
        self[raw] = path
        return path


def _emptied(brackets: re.Match[str]) -> str:
    """Write the step that brackets behind a path are."""
    return "()" if brackets[0][0] == "(" else _element(brackets[0][1:-1])


def _element(inside: str) -> str:
    """Write the step to an element, whose place is known when it is a small number."""
    return f"[{inside}]" if inside.isdigit() and len(inside) < 3 else "[]"


class _Reader:
    """Read one expression from left to right."""

    def __init__(self, text: str, passes: frozenset[str], picks: frozenset[str]) -> None:
        self.text = text
        self.passes = passes
        self.picks = picks
        self._ahead: list[Token] = []
        self._end = 0

    def token(self, ahead: int = 0) -> Token:
        """Return the next token or one behind it; an empty one at the end of the text."""
        while len(self._ahead) <= ahead:
            match = _TOKEN.search(self.text, self._end)
            if match is None:
                return "", "", len(self.text)
            self._ahead.append((match.lastgroup or "", match[0], match.start()))
            self._end = match.end()
        return self._ahead[ahead]

    def skip(self) -> None:
        """Go behind the next token."""
        if self.token()[1]:
            del self._ahead[0]

    def peek(self, ahead: int = 0) -> str:
        return self.token(ahead)[1]

    def kind(self, ahead: int = 0) -> str:
        return self.token(ahead)[0]

    def alternatives(self) -> list[str]:
        """Read the paths joined by `or`, `||`, `??` or a condition, up to a closing bracket, a comma or the end."""
        found = self.path()
        while (mark := self.peek()) and mark not in ")]},;":
            kind = self.kind()
            if kind == "either" or mark == "or":
                self.skip()
                found = found + self.path()
            elif mark == "if":
                self.skip_to("else")
                found = found + self.path()
            elif mark == "?":
                self.skip()
                found = self.path()
                self.skip_to(":")
                found = found + self.path()
            elif mark == "=" or (mark == ":" and self.peek(1) == "="):
                # An assignment is worth what it assigns.
                while self.peek() in (":", "="):
                    self.skip()
                found = self.path()
            elif mark in ("as", "satisfies"):
                self.skip()
                found = [self.type_text()]
            else:
                self.skip_to("")
                return []
        return found

    def skip_to(self, word: str) -> None:
        """Go behind the next `word` on this level, or to the end of the level."""
        while (mark := self.peek()) and mark not in ")]},;":
            if mark in "([{":
                self.skip_brackets()
                continue
            self.skip()
            if mark == word:
                return

    def skip_brackets(self) -> str:
        """Go behind the bracket that closes the one here; return what they hold, which is read no further."""
        opening = self.token()[2]
        depth = 0
        self._ahead.clear()
        for match in _BRACKET.finditer(self.text, opening):
            bracket = match[1]
            if bracket is None:
                continue
            depth += 1 if bracket in "([{" else -1
            if depth == 0:
                self._end = match.end()
                return self.text[opening + 1 : match.start(1)]
        self._end = len(self.text)
        return self.text[opening + 1 :]

    def type_text(self) -> str:
        """Read the type of a cast, up to the end of the level."""
        start = self.token()[2]
        self.skip_to("")
        return cast_to(self.text[start : self.token()[2]])

    def path(self) -> list[str]:
        """Read one path with all its steps; an expression in brackets may have several."""
        while self.peek() in _PREFIXES and self.kind(1) not in ("", "step"):
            self.skip()
        heads = self.head()
        while heads and self.peek():
            if self.peek() == "{" and heads[0].endswith("()"):
                # The body of a class without a name, or a function behind the arguments.
                self.skip_brackets()
                continue
            step = self.step()
            if step is None:
                break
            heads = [step if step.startswith("<") else one + step for one in heads]
        return heads

    def head(self) -> list[str]:
        kind, mark = self.kind(), self.peek()
        if kind == "step" and mark in ("::", "\\"):
            self.skip()
            return self.head()
        if mark == "(":
            return self.bracketed()
        if mark in ("[", "{"):
            inside = self.skip_brackets()
            # An object made of others has the members of each.
            return _SPREAD.findall(inside)[:MAX_ALTERNATIVES] if mark == "{" and "..." in inside else ["0"]
        self.skip()
        if kind == "text":
            return ["''"]
        if kind == "number":
            return ["0"]
        if kind != "name" or mark in ("lambda", "async", "not") or self.is_function(mark):
            self.skip_to("")
            return []
        if mark in _NULLS:
            return ["null"]
        if mark.endswith("cast") and (generic := self.generic()):
            self.skip_brackets()
            return [cast_to(generic[1:-1])]
        if self.peek() == "(" and (mark in self.passes or mark in self.picks or mark.endswith("cast")):
            return self.passed_on(mark)
        return [mark]

    def is_function(self, mark: str) -> bool:
        """Say whether a function without a name stands here: `func(a int) T {` is one, `func(a)` calls what is named so."""
        if mark not in _FUNCTIONS:
            return False
        before = list(self._ahead), self._end
        if self.peek() == "(":
            self.skip_brackets()
        literal = bool(self.peek()) and self.peek() not in ")]},;.([" and self.kind() != "either"
        self._ahead, self._end = before
        return literal

    def bracketed(self) -> list[str]:
        """Read `(…)`: what it holds, or a cast when a name follows."""
        inside = self.skip_brackets()
        if self.kind() == "name" and self.peek() not in ("or", "if", "as", "and", "in", "is", "else"):
            self.path()
            return [cast_to(inside)]
        return _Reader(inside, self.passes, self.picks).alternatives()

    def passed_on(self, name: str) -> list[str]:
        """Read a call that means its argument: `sorted(x)` has the elements of x, `next(x)` is one, a cast has a type."""
        inside = self.skip_brackets()
        if name.endswith("cast"):
            return [cast_to(inside.partition(",")[0].strip().strip("\"'"))]
        paths = _Reader(inside, self.passes, self.picks).alternatives()
        return [one + "[*]" for one in paths] if name in self.picks else paths

    def step(self) -> str | None:
        """Read one step behind a path; None where it ends."""
        kind, mark = self.kind(), self.peek()
        if kind == "step":
            self.skip()
            if self.peek() == "(":
                return cast_to(self.skip_brackets())
            private = "#" if self.peek() == "#" else ""
            if private:
                self.skip()
            if self.kind() != "name":
                return None
            name = private + self.peek()
            self.skip()
            if name.endswith("cast") and self.peek() == "(":
                return cast_to(self.skip_brackets().partition(",")[0].strip("\"' "))
            return f".{name}"
        if mark == "(":
            self.skip_brackets()
            return "()"
        if mark == "[":
            return _element(self.skip_brackets())
        if mark == "{":
            self.skip_brackets()
            return "()"
        if mark == "<" and self.generic():
            return ""
        if mark in ("!", "?") and (self.kind(1) in ("", "step") or self.peek(1) in ")]"):
            self.skip()
            return ""
        return None

    def generic(self) -> str:
        """Go behind the type arguments of a call, if they are here; return them with their brackets."""
        found = _GENERIC.match(self.text, self.token()[2])
        while found and self.peek() and self.token()[2] < found.end():
            self.skip()
        return found[0] if found else ""


def cast_to(type_text: str) -> str:
    """Write a cast as the head of a path."""
    bare = " ".join(type_text.split())
    return f"<{bare}>" if bare and ALTERNATIVE not in bare else ""
