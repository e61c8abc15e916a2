"""Read a function's parameter list: how many arguments it takes, and of which types."""

import re
from typing import NamedTuple

from code_graph_indexer.languages import Language

ANY = 1_000_000
"""The number for "any number of arguments": more than any call has."""

LIST_LIMIT = 4_000
"""Most bytes of a parameter list. A longer list is not read."""

# Arrows come before single marks, so that their `>` closes no bracket.
_TOKEN = re.compile(
    r"""\s+|/\*.*?\*/|//[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[-=]>|[()\[\]{}<>,]|[^\s"'()\[\]{}<>,/=-]+|.""",
    re.DOTALL,
)
_COMMENTS = ("//", "/*")
_OPENING, _CLOSING = ("(", "[", "{", "<"), (")", "]", "}", ">")

ANY_NUMBER = "..."
"""The suffix of a parameter's type if the parameter takes any number of arguments: `int...` is a list of `int`."""

LABEL = "="
"""The mark between the label and the type of a parameter, or between the label and the value of an argument."""

_SELECTOR = re.compile(r"\s*(?::[^{};]*|(?=[{;]))")
_SELECTOR_PART = re.compile(r"(\w*)\s*:(?!:)")


class Parameters(NamedTuple):
    """The fewest and the most arguments that a function takes, and the simple name of each parameter's type.

    The name is empty if the parameter has no type. An array, or a parameter that takes any number of arguments, is
    written `T[]`, and a pointer `T*`.
    """

    fewest: int
    most: int
    types: tuple[str, ...] = ()


MAX_TYPE_ARGUMENTS = 400
"""Most bytes of the type arguments that are counted."""

_BRACKET_OR_COMMA = re.compile(rb"[<>()\[\],]")


def read_parameters(source: bytes, name_end: int, language: Language) -> Parameters:
    """Read the parameters of the function whose name ends at the byte `name_end`.

    Without a parameter list, return (0, ANY), or (0, 0) in a language whose functions have clauses. A parameter with a
    default need not be passed. A parameter with one of the language's `variadic` words takes any number of arguments.
    """
    text = source[name_end : name_end + LIST_LIMIT].decode("utf-8", "replace")
    if language.labels:
        # `init?(…)` may fail.
        text = text.lstrip("?!")
    if language.labels and (selector := _SELECTOR.match(text)):
        labels = tuple(f"{label}{LABEL}" for label in _SELECTOR_PART.findall(selector[0]))
        return Parameters(len(labels), len(labels), labels)
    parameters = _parameters(text)
    if parameters is None:
        return Parameters(0, 0 if language.clauses == "parts" else ANY)
    parameters = _positional(parameters)
    # As in C's `f(void)`. A clause may match a null.
    if not language.clauses and parameters in ([[word]] for word in language.null_words):
        return Parameters(0, 0)
    if (decoration := language.type_decoration) is not None:
        parameters = [[word for word in words if not decoration.fullmatch(word)] or words for words in parameters]
    variadic = [not language.variadic.isdisjoint(words) for words in parameters]
    # In a clause, `=` is before a pattern.
    mark = "\\" if language.clauses == "parts" else "="
    needed = sum(mark not in words and language.variadic.isdisjoint(words) for words in parameters)
    types = _types_of(parameters, variadic, language)
    return Parameters(needed, ANY if any(variadic) else len(parameters), types)


def _positional(parameters: list[list[str]]) -> list[list[str]]:
    """Leave out the parameters behind a semicolon, which calls pass by name, if at all."""
    for place, words in enumerate(parameters):
        if ";" in words:
            last = words[: words.index(";")]
            return [*parameters[:place], *([last] if last else [])]
    return parameters


def _types_of(parameters: list[list[str]], variadic: list[bool], language: Language) -> tuple[str, ...]:
    """Return the type name of each parameter, with its label before it in a language of labels.

    `parameters` have the words of each, and `variadic` says which take any number. Clauses have patterns and no types.
    """
    # Clauses have patterns in the place of types.
    names = [] if language.clauses == "parts" else [_type_of(words, language.type_mark) for words in parameters]
    if language.labels:
        labels = ("" if words[0] == "_" else words[0] for words in parameters)
        names = [f"{label}{LABEL}{name}" for label, name in zip(labels, names, strict=True)]
    return tuple(
        name + "[]" * (takes_many and not name.endswith("[]"))
        for name, takes_many in zip(names, variadic, strict=False)
    )


def _type_of(words: list[str], mark: str = "") -> str:
    """Return the simple name of a parameter's type, from the words of the parameter, as in `int size` or `size: Int`.

    It ends with `[]` for an array and `*` for a pointer, and is empty if the type is a function type. `mark` is the
    language's mark between a parameter and its type.
    """
    if "=" in words:
        words = words[: words.index("=")]
    if mark:
        _, _, type_name = " ".join(words).partition(" ".join(mark))
        return next((word for word in reversed(type_name.split()) if word.isidentifier()), "")
    # It comes from an arrow, as in Kotlin's `done: (Int) -> Unit`: closing brackets are not among the words.
    if ">" in words:
        return ""
    marks = "".join(mark for mark in ("[]", "*") if mark in words)
    for position, word in enumerate(words):
        # A single colon is before a type. Two of them are part of a name, as in `std::string`.
        if word == ":" and ":" not in words[max(position - 1, 0) : position] + words[position + 1 : position + 2]:
            return next((word for word in reversed(words[position:]) if word.isidentifier()), "") + marks
    names = [word for word in words if word.isidentifier()]
    is_named = len(names) > 1 and [word for word in words if word != "[]"][-1] == names[-1]
    return (names[-2] if is_named else names[-1] if names else "") + marks


def _parameters(text: str) -> list[list[str]] | None:
    """Return the words of each parameter, without the text in inner brackets.

    Return None if the text does not begin with a complete parameter list.
    """
    parameters: list[list[str]] = [[]]
    depth = 0
    opened = False
    for token in (match[0] for match in _TOKEN.finditer(text)):
        if token.isspace() or token.startswith(_COMMENTS):
            continue
        if token in _OPENING:
            if opened and depth == 1:
                parameters[-1].append(token)
            opened = opened or (depth == 0 and token == "(")
            depth += 1
        elif token in _CLOSING:
            depth -= 1
            if depth == 0 and opened:
                return [words for words in map(_words, parameters) if words]
        # Type parameters may stand before the list, but no word: this function has no list.
        elif depth == 0:
            return None
        elif opened and depth == 1:
            if token == ",":
                parameters.append([])
            else:
                parameters[-1].append(token)
    return None


def _words(tokens: list[str]) -> list[str]:
    """Cut the tokens of a parameter into words and marks. A text stays whole."""
    words: list[str] = []
    for token in tokens:
        # Brackets after a type or a name make an array. Those at the start hold attributes.
        if token == "[" and words:
            words.append("[]")
        elif token.isalnum() or token[0] in "\"'":
            words.append(token)
        elif token not in _OPENING:
            words += re.findall(r"\.\.\.|\w+|[^\w\s]", token)
    # A parameter without words is a pattern in brackets, as in `f([first | rest])`.
    return words or ["{}"][: len(tokens)]


def method_shape(signature: str, name: str) -> str:
    """Return how many parameters and results a method has, from the text of its signature.

    An empty text means that the signature cannot be read. Three dots mark a method that takes any number of arguments.

    Example:
        >>> from code_graph_indexer.syntax.parameters import method_shape
        >>> method_shape("func (x X) Write(name string, p []byte) (n int, err error)", "Write")
        '2>2'
    """
    match = re.search(rf"(?<!\w){re.escape(name)}\s*\(", signature)
    counted = _counted(signature, match.end() - 1) if match else None
    if match is None or counted is None:
        return ""
    parameters, end = counted
    rest = signature[end:].strip()
    results = _counted(rest, 0) if rest.startswith("(") else (int(bool(rest)), 0)
    if results is None:
        return ""
    # The receiver stands before the name.
    many = "..." if "..." in signature[match.end() : end] else ""
    return f"{parameters}{many}>{results[0]}"


def _counted(text: str, start: int) -> tuple[int, int] | None:
    """Return the number of entries of the list that opens at `start`, and the place behind it. None if it does not end."""
    depth, count, is_empty = 0, 1, True
    for position in range(start, len(text)):
        character = text[position]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth:
                return (0 if is_empty else count), position + 1
        elif character == "," and depth == 1:
            # A comma may also end the list.
            count += bool(text[position + 1 :].lstrip()[:1] not in (")", "]", "}", ""))
        if depth and not character.isspace() and position > start:
            is_empty = False
    return None


def type_arguments_at(source: bytes, start: int) -> int:
    """Return how many type arguments stand in the brackets that begin at a byte. 0 if none begin there."""
    depth = count = 0
    if source[start : start + 1] != b"<":
        return 0
    for sign in _BRACKET_OR_COMMA.findall(source, start, start + MAX_TYPE_ARGUMENTS):
        depth += (sign in b"<([") - (sign in b">)]")
        count += depth == 1 and sign == b","
        if not depth:
            return count + 1
    return 0


def type_arguments_in(text: str) -> int:
    """Return how many type arguments the text of a type has: 2 for `Map<K, List<V>>`."""
    source = text.encode()
    return type_arguments_at(source, source.find(b"<")) if b"<" in source else 0
