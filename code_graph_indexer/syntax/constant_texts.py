"""Read the texts that an expression may be, such as the paths of a route: texts, joined texts, lists and names of constants."""

import re
from itertools import product

import tree_sitter

from code_graph_indexer.syntax.captured import Captured

UNKNOWN = "{?}"
"""A part of a path that cannot be read."""

CONSTANT = re.compile(r"(?P<slash>/?)\{\?(?P<name>[^}]+)\}")
"""Pattern of a constant in a path, as `constant` writes it, with the slash before it."""

MAX_TEXTS = 20
"""The most texts of one expression."""

MAX_DEPTH = 20
"""The most expressions one inside the other that are read."""

_QUOTES = re.compile(
    r"""^(?:[a-zA-Z]{0,2}|[@$]{0,2}|:)#*(?P<quote>["'`]{3}|["'`])(?P<text>.*)(?P=quote)#*$""", re.DOTALL
)
_TEXT = re.compile(r"string|template|char_lit|symbol|heredoc|name_literal|quote_scalar")
_LIST = re.compile(r"array|list|collection|tuple|vector|set_literal")
_JOINED = re.compile(r"binary|additive|infix|concat|operator")
_VALUE = re.compile(r"pair$|element_initializer$")
_INSERTED = re.compile(r"interpol|substitution|variable_name")
_NAME = re.compile(r"[\w.]+")


def constant(expression: str) -> str:
    """Return how a path writes the value of an expression until the constant that it names is found."""
    return f"{{?{expression}}}" if _NAME.fullmatch(expression) else UNKNOWN


def quoted_text(literal: str) -> str | None:
    """Return the text inside the quotes of a literal, which may have a mark before them, or None if it has no quotes.

    Example:
        >>> quoted_text('r"/carts"')
        '/carts'
    """
    match = _QUOTES.match(literal)
    return match["text"] if match else None


def constants_in(path: str) -> list[str]:
    """List the names of the constants in a path.

    Example:
        >>> constants_in("/{?PREFIX}/carts{?}")
        ['PREFIX']
    """
    return [match["name"] for match in CONSTANT.finditer(path)]


class PathTexts:
    """Reads the texts of expressions in one file."""

    def __init__(self, file: Captured) -> None:
        self._file = file

    def of(self, node: tree_sitter.Node, depth: int = 0) -> list[str]:
        """List the texts that an expression may be. What cannot be read is `{?}`, and a constant `{?NAME}`."""
        if depth > MAX_DEPTH:
            return [UNKNOWN]
        children = [child for child in node.named_children if "comment" not in child.type]
        if _VALUE.search(node.type) and children:
            return self.of(children[-1], depth + 1)
        if node.type.startswith("concatenated"):
            return ["".join(self.of(child, depth + 1)[0] for child in children)]
        if _TEXT.search(node.type):
            return [self._literal(node)]
        if _LIST.search(node.type):
            return [text for child in children for text in self.of(child, depth + 1)][:MAX_TEXTS] or [""]
        if _JOINED.search(node.type) and len(children) == 2:
            sides = (self.of(child, depth + 1) for child in children)
            return ["".join(parts) for parts in product(*sides)][:MAX_TEXTS]
        path = self._file.bare_path(node)
        if len(children) == 1 and not _NAME.fullmatch(path):
            # Parentheses, an argument, an element of a list.
            return self.of(children[0], depth + 1)
        text = self._file.text(node)
        return [constant(path) if text.replace("::", ".").endswith(path) else UNKNOWN]

    def _literal(self, node: tree_sitter.Node) -> str:
        """Return the text of a literal, in which `{?}` stands for what is inserted."""
        text, offset = self._file.source[node.start_byte : node.end_byte], node.start_byte
        parts: list[bytes] = []
        end = 0
        for child in node.named_children:
            if _INSERTED.search(child.type):
                start = child.start_byte - offset
                inner = self._file.bare_path(child.named_children[0]) if child.named_children else ""
                parts += [text[end:start], constant(inner).encode()]
                end = child.end_byte - offset
        written = b"".join([*parts, text[end:]]).decode(errors="replace").strip()
        quoted = quoted_text(written)
        return written.strip(":") if quoted is None else quoted
