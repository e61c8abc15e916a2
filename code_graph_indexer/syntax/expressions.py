"""Shorten an expression to its expression path: `self.load(a, 1)[0].name` → `self.load(a)[0].name`.

The resolver finds the type of an expression by this path. An expression path, here also "path", is a head followed by
steps. It is empty for an expression that has none.

| head | meaning |
|---|---|
| a name | a variable, function or class |
| `''` | a text |
| `0` | any other literal |
| `<T>` | a cast to T |
| `"m"` | the module that the text m names, as in `require("m")` |
| `<yield>` | what is sent to a generator |
| `<^T>` | the bases of T, as in `super(T, self)` |
| `{}` | an object with the functions that stand in its braces |
| `[a|b]`, `{a|b}` | a list of `a` and `b`, and a mapping with these values |

| step | meaning |
|---|---|
| `.name` | a member |
| `()`, `(a,_,key=b)` | a call, with the paths of its arguments; `_` is an argument without a path |
| `[n]`, `[]` | the element at position n, or an element at an unknown position |
| `[*]`, `[:]` | each element in turn, or each with its key |
| `[>]` | the variable that a `with` binds |
| `[*~]`, `[>~]` | the same in `async for` and `async with` |
| `{a.p}`, `{a.p:b}` | parameter p of the function that a call passes as its argument a, after the argument `b` |
| `{.p}` | parameter p of a function |

An expression with several possible values (`a or b`, `x if c else y`) has several paths, joined by ` or `.

Only languages with type variables keep arguments: what `first(carts)` gives depends on what `carts` holds. `bare` drops them.
"""

import re
from functools import lru_cache, partial
from itertools import islice

from code_graph_indexer.languages import Language, languages

ALTERNATIVE = " or "
"""The text between the paths of an expression with several possible values."""

ROOT = "::"
"""What begins the path of a name that is in no other definition."""

LAST_ARGUMENT = 99
"""The position of the last argument of a call, in a step such as `{99.0}`: a function behind the brackets."""

MAX_ALTERNATIVES = 4
"""Most paths of one expression. More paths no longer say which type it has."""

NO_ARGUMENT = "_"
"""What stands for an argument of a call that has no path."""

MAX_ARGUMENTS = 6
"""Most arguments of a call that are read. Later ones seldom say what the call gives."""

ARGUMENT_LIMIT = 60
"""Characters of the longest path of an argument."""

MAX_ELEMENTS = 12
"""Most elements of a list or mapping that are read."""

PATH_LIMIT = 160
"""Characters of the longest path. The resolver does not follow a longer chain to its end."""

SOURCE_LIMIT = 4_000
"""Bytes of the longest expression that is read."""

_NAME = r"[^\W\d][\w$]*"
_SIMPLE = re.compile(rf"{_NAME}(?:\.{_NAME})*")
# Possessive repeats (`++`, `*+`) keep a long text that does not match from being split in every way.
_PLAIN = r"""[^()\[\]{}"'`]++|"[^"\\\n]*+"|'[^'\\\n]*+'"""


def _balanced(depth: int) -> str:
    """Write a regular expression for the text between two brackets, with up to `depth` levels of brackets in it."""
    return rf"(?:{_PLAIN}|[(\[{{]{_balanced(depth - 1)}[)\]}}])*" if depth else rf"(?:{_PLAIN})*"


# What nests deeper goes to the slow reader.
_INSIDE = _balanced(3)
_BRACKETS = rf"\({_INSIDE}\)|\[{_INSIDE}\]"
_STEPS = re.compile(rf"({_NAME})(?:\.{_NAME}|{_BRACKETS})*")
_BRACKETED = re.compile(_BRACKETS)
_LITERAL = re.compile(rf"""\[{_INSIDE}\]|(?P<text>"[^"\\\n]*+"|'[^'\\\n]*+')""")
_ELEMENT = re.compile(rf"(?:{_PLAIN.replace('`', '`,')}|[(\[{{]{_balanced(2)}[)\]}}])+")
_LABEL = re.compile(r"(\w+)\s*(?:=(?![=>])|:(?![:=]))\s*")
# Functions, texts and numbers have no path that says what a call gives.
_ARGUMENT = re.compile(rf"[&*(\s]*(?:\w+\s+)*{_NAME}[^{{}}\"'`|=\\]*")
_NESTED = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_ARGUMENTS = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))+\)|(?<=\d):[^{}]*(?=\})")
_CHEAP = re.compile(r"&?[^\W\d][\w.]*(?:\([^()]*\))?")
_HEAD = re.compile(r"[^\W\d]\w*")
_STRING = r"""\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`"""
# The order matters: the prefix of a text would else be a name, and `->` two marks.
_TOKEN = re.compile(
    rf"""(?P<text>[rbfuRBFU]{{0,2}}(?:{_STRING}))
    |(?P<step>\?\.|!!\.|!\.|&\.|->|::|\.(?!\.)|\\)
    |(?P<name>[@$]{{0,2}}[^\W\d][\w$]*|\$\d+)
    |(?P<number>\d[\w.]*)
    |(?P<either>\|\||\?\?|\?:)
    |(?P<mark>=>|[<>=!]=|&&|<<|>>|\S)""",
    re.VERBOSE | re.DOTALL,
)
# A quote without its partner is passed over, so that the brackets after it still count.
_BRACKET = re.compile(rf"""[^()\[\]{{}}"'`]*+(?:([()\[\]{{}}])|{_STRING}|["'`]|\Z)""", re.DOTALL)
_MODULE_TEXT = re.compile(r"""\s*(["'`])([^"'`\s]{1,120})\1\s*(?:,|\Z)""")
_RECORD_TYPE = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_MADE_GENERIC = re.compile(rf"[^\W\d][\w$.]*<(?:[\w\s,.:<>\[\]|&]|{_RECORD_TYPE})+>(?=\(|\s*\{{)")
_SPREAD = re.compile(r"""\.\.\.(?:require\(["']([^"'\n]+)["']\)|([^\W\d][\w$]*))\s*(?:[,}\n]|$)""")
# Without an opening bracket after it, `<` is a comparison.
_GENERIC = re.compile(
    rf"<(?:[\w\s,.:<>\[\]|&?*']|{_RECORD_TYPE}|\((?:[^()]|\([^()]*\))*\)(?=\s*>|\s*,[\s\w.:]+>))*>(?=\()"
)

READ, OPERATOR, NAMED = ".", "=", "~"
"""The starts of the names of references that run a method without a call.

These are a member that is read, a step such as `=size`, and the start of a name that code puts together: `~visit_`.
"""

SENT = "<yield>"
"""The path of what is sent to the generator around an expression."""

_TYPE_LITERAL = re.compile(
    r"(?:\[[^\[\]]*\]|map\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\*|chan\s+)*"
    r"(?:(?P<record>struct\s*\{)|[^\W\d][\w.]*(?:\[[\w.,* \[\]]*\])?)"
)
"""Pattern of a type before the braces of a literal: `[]*Cart`, `map[string]Cart`, `[]struct {`."""

_OPENING = re.compile(r"\s*\{")
_RECORD = re.compile(r"\bstruct\s*\{")
_RECORD_FIELD = re.compile(r"\s*([\w, \t]*?\w)[ \t]+(\S.*)")

Token = tuple[str, str, int]


def _end_of_brackets(text: str, opening: int) -> int:
    """Return the position behind the bracket that closes the one at `opening`, or the end of the text."""
    depth = 0
    for match in _BRACKET.finditer(text, opening):
        if match[1] is not None:
            depth += 1 if match[1] in "([{" else -1
            if depth == 0:
                return match.end()
    return len(text)


def record_type(text: str) -> str:
    """Write the records in a type as others are: `[]struct { a, b int }` → `[]{a: int; b: int}`."""
    match = _RECORD.search(text)
    if match is None:
        return text
    end = _end_of_brackets(text, match.end() - 1)
    fields: list[str] = []
    for line in re.split(r"[;\n]", re.sub(r"//[^\n]*", "", text[match.end() : end - 1])):
        if field := _RECORD_FIELD.match(line):
            fields += [f"{name.strip()}: {field[2].strip()}" for name in field[1].split(",")]
    return f"{text[: match.start()]}{{{'; '.join(fields)}}}{record_type(text[end:])}"


def head_of(path: str) -> str:
    """Return the name at the head of an expression path, or an empty text if the path does not begin with a name."""
    match = _HEAD.match(path)
    return match[0] if match else ""


# `Paths` remembers the expressions of one file. This cache serves the files that follow.
@lru_cache(maxsize=50_000)
def path_of(text: str, language: str) -> str:
    """Return the expression path of a source text, or an empty text if it has none.

    The path of a null is `null`. Paths of several possible values are joined by ALTERNATIVE.
    """
    grammar = languages()[language]
    if _SIMPLE.fullmatch(text):
        return "null" if text in grammar.null_words else text
    if len(text) > SOURCE_LIMIT:
        return ""
    steps = _STEPS.fullmatch(text)
    # A cast puts a type in the place of the path, which only the slow reader does.
    is_cast = grammar.cast_ending and grammar.cast_ending in text
    if steps and not is_cast and steps[1] not in grammar.special_words and not grammar.has_module_call(text):
        # Nearly all paths are names followed by calls and elements.
        path = _BRACKETED.sub(partial(_step, grammar), text)
        return _limited(path)
    if literal := _LITERAL.fullmatch(text):
        return "''" if literal["text"] else _container(text[0], text[1:-1], language)
    paths = _Reader(text, grammar).alternatives()
    joined = ALTERNATIVE.join(list(dict.fromkeys(path for path in paths if path))[:MAX_ALTERNATIVES])
    return _limited(joined)


def _limited(path: str) -> str:
    """Return a path without its arguments if it is too long, and an empty text if it is too long even so."""
    if len(path) > PATH_LIMIT:
        path = bare(path)
    return path if len(path) <= PATH_LIMIT else ""


@lru_cache(maxsize=50_000)
def bare(path: str) -> str:
    """Return an expression path without the arguments of its calls: `first(carts).total(x)` → `first().total()`."""
    if path.count("(") == path.count("()") and ":" not in path:
        return path
    return ALTERNATIVE.join(_bare(alternative) for alternative in path.split(ALTERNATIVE))


def _bare(path: str) -> str:
    head = path[: end_of_cast(path)]
    return head + _ARGUMENTS.sub(lambda match: "()" if match[0][0] == "(" else "", path[len(head) :])


def end_of_cast(path: str) -> int:
    """Return where the type in angle brackets ends that a path begins with: 6 for `<Cart>.total`. 0 if it has none."""
    depth = 0
    for position, mark in enumerate(path if path.startswith("<") else ""):
        # The `>` of `->` and `=>` closes nothing.
        depth += (mark == "<") - (mark == ">" and path[position - 1] not in "-=")
        if depth == 0:
            return position + 1
    return 0


class Texts(dict[bytes, str]):
    """A cache for one file: the bytes of a text → the text as a `str`.

    Most texts occur often. If they are one object, pickle writes them only once.
    """

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = raw.decode("utf-8", "replace")
        return text


class Paths(dict[bytes, str]):
    """A cache for one file: the source text of an expression → its path, such as `self.cart.total`.

    A path that `ignored` matches is replaced by an empty one.
    """

    def __init__(self, texts: Texts, language: str, ignored: re.Pattern[str] | None = None) -> None:
        super().__init__()
        self._texts = texts
        self._language = language
        self._ignored = ignored

    def __missing__(self, raw: bytes) -> str:
        path = path_of(self._texts[raw], self._language) if len(raw) < SOURCE_LIMIT else ""
        if self._ignored is not None and self._ignored.fullmatch(bare(path)):
            path = ""
        self[raw] = path
        return path


def _container(opening: str, inside: str, language: str) -> str:
    """Write a list or a mapping by the paths of its elements: `a, b` in square brackets → `[a|b]`.

    Of a mapping the values are taken. It is `0` if no element has a path that tells what it is.
    """
    # An object may hold functions beside its values.
    unknown = "{}" if opening == "{" and languages()[language].object_literals else "0"
    paths: dict[str, None] = {}
    for element in islice(_ELEMENT.findall(inside), MAX_ELEMENTS):
        key, colon, value = element.partition(":") if opening == "{" else ("", "", element)
        text = (value if colon else key or value).strip()
        # Elements that are more than names and calls seldom are functions, and reading them takes long.
        path = bare(path_of(text, language)) if _CHEAP.fullmatch(text) else ""
        if path[:1].isidentifier() and ALTERNATIVE not in path and path != "null":
            paths[path] = None
        elif opening == "{" and text:
            # A mapping of different things is a record. Its keys choose different types.
            return unknown
    joined = "|".join(paths)
    return f"{opening}{joined}{']' if opening == '[' else '}'}" if joined and len(joined) < PATH_LIMIT else unknown


def _step(language: Language, brackets: re.Match[str]) -> str:
    """Write the brackets of a call or an element as a step: `(a, 1)` → `(a)`, `[key]` → `[]`, `[3]` → `[3]`."""
    inside = brackets[0][1:-1]
    return f"({arguments_of(inside, language)})" if brackets[0][0] == "(" else _element(inside)


def arguments_of(inside: str, language: Language) -> str:
    """Write the arguments of a call by their paths: `carts, 1, late=x` → `carts,_,late=x`. Empty if none has a path."""
    if not inside or inside.isspace() or not language.type_variables:
        return ""
    texts = _ELEMENT.findall(inside)
    if len(",".join(texts)) < len(inside.rstrip(", \n")):
        # It nests too deep, and was torn apart.
        return ""
    paths = [_argument(text.strip(), language) for text in texts[:MAX_ARGUMENTS]]
    while paths and paths[-1] == NO_ARGUMENT:
        paths.pop()
    return ",".join(paths)


def _argument(text: str, language: Language) -> str:
    """Write one argument by its path: `carts`, or `xs=carts` if it names its parameter."""
    label = _LABEL.match(text)
    if label:
        text = text[label.end() :]
    # Labels, as in Swift, are no names of parameters.
    name = f"{label[1]}=" if label and not language.labels else ""
    if _SIMPLE.fullmatch(text):
        is_literal = text in language.null_words or text in language.truth_values
        return NO_ARGUMENT if is_literal or len(text) > ARGUMENT_LIMIT else name + text
    if len(text) > 2 * ARGUMENT_LIMIT or not _ARGUMENT.fullmatch(text):
        return NO_ARGUMENT
    path = path_of(text, language.name)
    is_plain = (path[:1].isidentifier() or path[:1] == "<") and path.isprintable()
    is_short = len(path) <= ARGUMENT_LIMIT and ALTERNATIVE not in path and not any(mark in path for mark in '{}"|:')
    # What nests deeper could not be told from the brackets around it.
    is_flat = "(" not in _NESTED.sub("", path) and ")" not in path[: end_of_cast(path)]
    return name + path if is_plain and is_short and is_flat else NO_ARGUMENT


def _element(inside: str) -> str:
    """Write the step to an element, such as `[3]`. The position is kept only if it is a number below 100."""
    return f"[{inside}]" if inside.isdigit() and len(inside) < 3 else "[]"


class _Reader:
    """A reader of one expression, from left to right.

    It is slower than the regular expressions in `path_of`, which read most expressions.
    """

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.language = language
        self._ahead: list[Token] = []
        self._end = 0

    def token(self, ahead: int = 0) -> Token:
        """Return the token that is `ahead` tokens after the next one, as (kind, text, offset).

        Kind and text are empty at the end of the expression.
        """
        while len(self._ahead) <= ahead:
            match = _TOKEN.search(self.text, self._end)
            if match is None:
                return "", "", len(self.text)
            self._ahead.append((match.lastgroup or "", match[0], match.start()))
            self._end = match.end()
        return self._ahead[ahead]

    def skip(self) -> None:
        """Move past the next token."""
        if self.token()[1]:
            del self._ahead[0]

    def peek(self, ahead: int = 0) -> str:
        """Return the text of the token that is `ahead` tokens after the next one."""
        return self.token(ahead)[1]

    def kind(self, ahead: int = 0) -> str:
        """Return the kind of the token that is `ahead` tokens after the next one: the name of a group of `_TOKEN`."""
        return self.token(ahead)[0]

    def alternatives(self) -> list[str]:
        """Read the paths of all possible values, up to a closing bracket, a comma or the end of the text.

        Several values come from `or`, `||`, `??` or a condition. For a new value, as in `a + b`, the list is empty.
        """
        paths = self.path()
        while (mark := self.peek()) and mark not in ")]},;":
            if mark in self.language.alternative_operators:
                self.skip()
                paths = paths + self.path()
            # In `x if c else y` the first value comes before the condition, which is skipped.
            elif mark in self.language.conditional_words[:1]:
                self.skip_to(self.language.conditional_words[1])
                paths = paths + self.path()
            # In `c ? x : y` what was read so far is the condition, which gives no value.
            elif mark == "?":
                self.skip()
                paths = self.path()
                self.skip_to(":")
                paths = paths + self.path()
            elif mark == "=" or (mark == ":" and self.peek(1) == "="):
                # An assignment is worth what it assigns.
                while self.peek() in (":", "="):
                    self.skip()
                paths = self.path()
            elif mark in self.language.cast_operators:
                self.skip()
                paths = [self.type_text()]
            elif method := self.language.operator_methods.get(mark):
                self.skip()
                self.path()
                paths = [f"{path}.{method}()" for path in paths]
            else:
                # Any other operator makes a new value, whose type is not followed.
                self.skip_to("")
                return []
        return paths

    def skip_to(self, word: str) -> None:
        """Move past the next `word` outside inner brackets, or to the end of the current brackets if it does not follow.

        An empty word always moves to the end.
        """
        while (mark := self.peek()) and mark not in ")]},;":
            if mark in "([{":
                self.skip_brackets()
                continue
            self.skip()
            if mark == word:
                return

    def skip_brackets(self) -> str:
        """Move past the closing bracket, and return the text between the brackets without parsing it."""
        opening = self.token()[2]
        depth = 0
        # Looking for brackets in the text is faster than reading tokens. Those read ahead are stale then.
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
        """Read the type of a cast, up to the end of the current brackets, and return it as the head of a path."""
        start = self.token()[2]
        self.skip_to("")
        return cast_to(self.text[start : self.token()[2]])

    def path(self) -> list[str]:
        """Read a path with all its steps. The list has several paths if the head is in brackets, as in `(a or b).c`."""
        # Before a step such a word is a name, as in `copy.copy(x)`.
        makes = False
        while self.peek() in self.language.value_prefixes and self.kind(1) not in ("", "step"):
            makes = makes or self.peek() == "new"
            self.skip()
            if self.peek() == "?":
                # Swift's `try? load()`
                self.skip()
        if makes and self.kind() == "name" and self.kind(1) in ("", "either"):
            # `new Cart` without brackets makes an object too.
            return [f"{self.head()[0]}()"]
        if makes and self.kind() == "name" and (made := self.made_generic()):
            # A class inside a function is found by its name alone.
            heads = [f"{made[1:].partition('<')[0]}()", made]
        else:
            heads = self.head()
        while heads and self.peek():
            if self.peek() == "{" and heads[0].endswith(")"):
                # The body of a class without a name, or a function after the arguments.
                self.skip_brackets()
                continue
            step = self.step()
            if step is None:
                break
            heads = [step if step.startswith(("<", '"')) else head + step for head in heads]
        return heads

    def made_generic(self) -> str:
        """Read a new object of a generic class up to its arguments: `Map<string, Cart>()`. Else move nothing."""
        match = _MADE_GENERIC.match(self.text, self.token()[2])
        if match is None:
            return ""
        while self.peek() and self.token()[2] < match.end():
            self.skip()
        self.skip_brackets()
        return cast_to(match[0])

    def head(self) -> list[str]:
        """Read the head of a path.

        The list has several heads for an expression in brackets, and is empty if there is no path.
        """
        kind, mark = self.kind(), self.peek()
        if kind == "step" and mark in ("::", "\\"):
            # A name from the root, as `::std::move`.
            self.skip()
            is_constant = self.language.root_names and self.kind() == "name" and self.peek()[:1].isupper()
            return [f"{ROOT}{head}" for head in self.head()] if is_constant else self.head()
        if mark == "(":
            return self.bracketed()
        is_typed = self.language.type_literals and (mark in ("[", "struct") or mark in self.language.map_types)
        if is_typed and (cast := self.type_literal()):
            return [cast]
        if mark in ("[", "{"):
            inside = self.skip_brackets()
            # An object made of others has the members of each.
            if mark == "{" and "..." in inside:
                return [
                    f'"{module}"' if module else name for module, name in _SPREAD.findall(inside)[:MAX_ALTERNATIVES]
                ]
            return [_container(mark, inside, self.language.name)]
        self.skip()
        if kind == "text":
            return ["''"]
        if kind == "number":
            return ["0"]
        if kind != "name" or mark in self.language.pathless_words or self.is_function(mark):
            self.skip_to("")
            return []
        if mark in self.language.null_words:
            return ["null"]
        if mark in self.language.sends:
            self.skip_to("")
            return [SENT]
        if mark in self.language.super_functions and self.peek() == "(" and (base := self.super_of()):
            return [base]
        if mark == self.language.own_module and self.peek() == "::":
            # Rust's `self::name` is the name itself.
            self.skip()
            return self.head()
        if mark in self.language.module_calls and self.peek() == "(":
            return [self.module_path() or f"{mark}()"]
        # C++ writes `static_cast<T>(x)`.
        if self.language.casts(mark) and (generic := self.generic()):
            self.skip_brackets()
            return [cast_to(generic[1:-1])]
        if mark in self.language.makers and (generic := self.generic()):
            self.skip_brackets()
            return [cast_to(mark + generic)]
        if mark in self.language.branch_words[:1]:
            return self.branches()
        if self.peek() == "(" and (
            mark in self.language.passes
            or mark in self.language.picks
            or mark in self.language.passes_last
            or mark in self.language.class_of
            or self.language.casts(mark)
        ):
            return self.passed_on(mark)
        if self.peek() == "." and self.peek(2) == "(" and (dotted := f"{mark}.{self.peek(1)}") in self.language.passes:
            self.skip()
            self.skip()
            return self.passed_on(dotted)
        return [mark]

    def type_literal(self) -> str:
        """Read a literal that begins with its type, and return the type as the head of a path. Else move nothing."""
        match = _TYPE_LITERAL.match(self.text, self.token()[2])
        if match is None:
            return ""
        end = match.end()
        if match["record"]:
            end = _end_of_brackets(self.text, match.end() - 1)
        opening = _OPENING.match(self.text, end)
        if opening is None:
            return ""
        start = self.token()[2]
        self._ahead.clear()
        self._end = _end_of_brackets(self.text, opening.end() - 1)
        return cast_to(self.text[start:end])

    def branches(self) -> list[str]:
        """Read the condition and the branches of a value such as `if (late) x else y`, and return the paths of both."""
        if self.peek() == "(":
            self.skip_brackets()
        else:
            while self.peek() and self.peek() != "{":
                self.skip()
        paths = self.branch()
        if self.peek() == self.language.branch_words[1]:
            self.skip()
            paths = paths + self.branch()
        return paths

    def branch(self) -> list[str]:
        """Read a branch, which is an expression or a block that ends with one."""
        if self.peek() != "{":
            return self.path()
        statements = [line for line in re.split(r"[;\n]", self.skip_brackets()) if line.strip()]
        return _Reader(statements[-1], self.language).alternatives() if statements else []

    def is_function(self, mark: str) -> bool:
        """Return whether the word `mark` begins a function without a name.

        `func(a int) T {` begins one, but `func(a)` is a call.
        """
        if mark not in self.language.function_words:
            return False
        before = list(self._ahead), self._end
        if self.peek() == "(":
            self.skip_brackets()
        literal = bool(self.peek()) and self.peek() not in ")]},;.([" and self.kind() != "either"
        self._ahead, self._end = before
        return literal

    def super_of(self) -> str:
        """Read the arguments of `super(T, self)`, and return `<^T>`. Without any, return an empty text and move nothing."""
        before = list(self._ahead), self._end
        cls, comma, _ = self.skip_brackets().partition(",")
        if comma and _SIMPLE.fullmatch(cls.strip()):
            return f"<^{cls.strip()}>"
        self._ahead, self._end = before
        return ""

    def module_path(self) -> str:
        """Read the arguments of a call that loads a module, and return its path: `("./cart")` → `"./cart"`.

        The path is empty if the first argument is no plain text.
        """
        match = _MODULE_TEXT.match(self.skip_brackets())
        return f'"{match[2]}"' if match else ""

    def bracketed(self) -> list[str]:
        """Read `(…)`: a cast if a name follows the brackets, otherwise the paths of the expression inside."""
        inside = self.skip_brackets()
        if self.kind() == "name" and self.peek() not in self.language.infix_words:
            # The operand is read only to move past it: its type is that of the cast.
            self.path()
            return [cast_to(inside)]
        return _Reader(inside, self.language).alternatives()

    def passed_on(self, name: str) -> list[str]:
        """Read a call whose value comes from its argument, and return the paths of that value.

        `sorted(x)` → `x`, `next(x)` → `x[*]`, `type(x)` → `x.__class__`, `cast(T, x)` → `<T>`.
        """
        inside = self.skip_brackets()
        if self.language.casts(name):
            return [cast_to(inside.partition(",")[0].strip().strip("\"'"))]
        if name in self.language.passes_last:
            return self.inner_paths((_ELEMENT.findall(inside) or [""])[-1])
        if name in self.language.class_of:
            member = min(self.language.class_members)
            return (
                [] if len(_ELEMENT.findall(inside)) > 1 else [f"{path}.{member}" for path in self.inner_paths(inside)]
            )
        if name in self.language.picks and any("=" not in element for element in _ELEMENT.findall(inside)[1:]):
            # `max(a, b)` is one of its arguments, not an element of the first.
            return []
        paths = [path for path in self.inner_paths(inside) if path != "null"]
        if not paths and self.peek() == "(" and name in self.language.passes:
            # `lru_cache(maxsize=9)(load)`
            paths = self.inner_paths(self.skip_brackets())
        return [path + "[*]" for path in paths] if name in self.language.picks else paths

    def inner_paths(self, inside: str) -> list[str]:
        """Return the paths of the first expression of a text that stands in brackets."""
        return _Reader(inside, self.language).alternatives()

    def step(self) -> str | None:
        """Read the next step of a path, such as `.name`, or a cast `<T>`, which replaces the path so far.

        The text is empty for a mark that does not change the type, as in `x!`. Return None at the end of the path.
        """
        kind, mark = self.kind(), self.peek()
        if self.language.unwrap_mark and mark == self.language.unwrap_mark:
            self.skip()
            return "[>]"
        if kind == "step" or (mark in self.language.member_marks and self.kind(1) == "name"):
            self.skip()
            if self.language.unwrap_mark and mark == f"{self.language.unwrap_mark}." and self.kind() == "name":
                name = self.peek()
                self.skip()
                return f"[>].{name}"
            if self.peek() == "(":
                # Go writes a cast as a step: `x.(T)`.
                return cast_to(self.skip_brackets())
            if self.peek() in ("?", "*"):
                # Zig's `cart.?` and `cart.*` are worth what they hold.
                self.skip()
                return ""
            if self.peek() == "?.":
                self.skip()
            if self.kind() == "number":
                # Rust and Swift write the element of a tuple as a member: `pair.0`.
                return self.position()
            # JavaScript marks private fields so: `this.#total`.
            private = "#" if self.peek() == "#" else ""
            if private:
                self.skip()
            if self.kind() != "name":
                return None
            # PHP's `self::$shared` is the member `shared`.
            name = private + (self.peek().lstrip("$") if mark == "::" else self.peek())
            self.skip()
            if self.language.casts(name) and self.peek() in ("(", "["):
                return cast_to(self.skip_brackets().partition(",")[0].strip("\"' "))
            if name in self.language.module_calls and self.peek() == "(":
                return self.module_path() or f".{name}()"
            return f".{name}"
        if mark == "(":
            return f"({arguments_of(self.skip_brackets(), self.language)})"
        if mark == "[":
            return _element(self.skip_brackets())
        if mark == "{":
            self.skip_brackets()
            return "()"
        if mark == "<" and self.generic():
            return ""
        # `x!` and `x?` leave the type as it is, but `!` before an operand belongs to an operator.
        if mark in ("!", "?") and (self.kind(1) in ("", "step") or self.peek(1) in ")]["):
            self.skip()
            return ""
        return None

    def position(self) -> str:
        """Read the number of an element that is written as a member, and return the step to it: `[0]`."""
        start = self.token()[2]
        digits = len(self.text[start:]) - len(self.text[start:].lstrip("0123456789"))
        # The rest of the token belongs to the next step: `pair.0.name`.
        self._ahead.clear()
        self._end = start + digits
        return _element(self.text[start : self._end])

    def generic(self) -> str:
        """Move past the type arguments of a call, and return them with their brackets: `<int>`.

        Return an empty text if none come next.
        """
        match = _GENERIC.match(self.text, self.token()[2])
        while match and self.peek() and self.token()[2] < match.end():
            self.skip()
        return match[0] if match else ""


def cast_to(type_text: str) -> str:
    """Write a cast as the head of a path: `T` → `<T>`. The head is empty if the type is empty or names several types."""
    bare = " ".join(record_type(type_text).split())
    return f"<{bare}>" if bare and ALTERNATIVE not in bare else ""
