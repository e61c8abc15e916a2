"""Read expressions from the syntax tree, as the paths of `syntax.expressions`.

`syntax.roles` says how each node is read.
"""

import re
from collections.abc import Sequence

import tree_sitter

from code_graph_indexer.languages import Language, libraries_of, load_parser
from code_graph_indexer.syntax.expressions import (
    ALTERNATIVE,
    ARGUMENT_LIMIT,
    MAX_ARGUMENTS,
    NO_ARGUMENT,
    NULL,
    SOURCE_LIMIT,
    TYPE_ARGUMENT,
    cast_to,
    limited,
    parted,
    stepped,
)
from code_graph_indexer.syntax.records import as_record
from code_graph_indexer.syntax.roles import BEFORE, Place, Role, Site, has_keys, is_name, listed, roles_of

DEPTH = 60
"""Most expressions inside of each other that are read. The resolver does not follow a longer chain to its end."""

EACH = "[*]"
"""The step to each element of a list."""

CASCADE = frozenset({"..", "?.."})
"""Marks before a member of what stands before the whole row, as in Dart's `cart..add(item)..total = 1`."""

BETWEEN = frozenset({"(", ")", ".", "::", "?.", "->", "&", "*", "await", "cascade_section", *CASCADE})
"""Nodes between those of a row that change nothing."""

_WORDS = re.compile(r"\w[\w *]*")
_NESTED = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_MODULE_TEXT = re.compile(r"""(["'`])[^"'`\s]{1,120}\1""")
_PLAIN_TYPE = re.compile(r"[^\W\d_][\w.:<>,?\[\]]{0,60}")
"""Pattern of a type argument that is kept: names with type arguments of their own."""


_WORD = re.compile(rb"[A-Za-z_]\w*")


class Texts(dict[bytes, str]):
    """A cache for one file: the bytes of a text → the text as a `str`.

    Most texts occur often. If they are one object, pickle writes them only once. Marks around a word that is reserved, as in
    `` `default` ``, are no part of the name.
    """

    def __missing__(self, raw: bytes) -> str:
        word = raw[1:-1] if raw[:1] == raw[-1:] == b"`" else b""
        text = self[raw] = (word if _WORD.fullmatch(word) else raw).decode("utf-8", "replace")
        return text


class Expressions:
    """The expressions of one file. The path of an expression is empty if it has none."""

    def __init__(self, source: bytes, language: Language, texts: Texts) -> None:
        self.source = source
        self.language = language
        self.texts = texts
        self._roles = roles_of(language.name)
        self.has_keys = has_keys(language.name)
        # What a generic function gives depends on its arguments.
        self._has_macros = "expands" in language.captures
        self._keeps_arguments = "typevar" in language.captures or self._has_macros or bool(libraries_of(language.name))
        # Equal texts are equal expressions, and most occur often.
        self._paths: dict[bytes, str] = {}
        self.shapes: dict[tuple[int, bytes], str] = {}

    def path(self, node: tree_sitter.Node, *others: tree_sitter.Node) -> str:
        """Return the path of a node, or of neighbouring nodes that form one expression."""
        start, end = node.byte_range
        if others:
            end = others[-1].end_byte
        if end - start > SOURCE_LIMIT:
            return ""
        raw = self.source[start:end]
        path = self._paths.get(raw)
        if path is None:
            path = limited(self.row((node, *others), DEPTH)) if others else self._read(node, DEPTH)
            self._paths[raw] = path
        return path

    def of_text(self, text: bytes) -> str:
        """Return the path of an expression that stands in no tree, such as the text of a macro."""
        # An expression alone is a statement.
        source = text + b";"
        node = load_parser(self.language.name).parse(source).root_node.descendant_for_byte_range(0, len(text))
        is_whole = node is not None and not node.has_error and node.end_byte - node.start_byte == len(text)
        return Expressions(source, self.language, self.texts).path(node) if node is not None and is_whole else ""

    def read(self, node: tree_sitter.Node, depth: int) -> str:
        """Return the path of a node. `depth` is how many expressions inside of it may be read."""
        start, end = node.byte_range
        raw = self.source[start:end]
        path = self._paths.get(raw)
        if path is None:
            path = self._paths[raw] = self._read(node, depth)
        return path

    def _read(self, node: tree_sitter.Node, depth: int) -> str:
        """Return the path of a node by its role. Empty if it has no role, or `depth` is 0."""
        role = self._roles.get(node.kind_id)
        if role is None or not depth:
            return ""
        return limited(role.read(as_record(Site, (self, node, role.places, "", depth - 1))))

    def after(self, node: tree_sitter.Node, before: str, depth: int) -> str:
        """Return the path of a node that is a step from what stands before it."""
        role = self._roles.get(node.kind_id)
        if role is None or not before or not depth:
            return ""
        places = role.places
        if places and places[0].name != BEFORE:
            # The first part of the node is the step: `?.b` in `a?.b.c()`.
            part = places[0].of(node)
            before = self.after(part, before, depth - 1) if part is not None else ""
            places = (Place(None, 0, BEFORE, None), *places[1:])
        return role.read(Site(self, node, places, before, depth - 1))

    def row(self, nodes: Sequence[tree_sitter.Node], depth: int) -> str:
        """Return the path of nodes in a row: the first is the head, and each of the others a step.

        In the text of a macro, names, marks and brackets are all that the grammar tells.
        """
        path = ""
        for node in nodes:
            role = self.role(node)
            if node.type == ",":
                break
            if not role:
                if node.is_extra or node.type in BETWEEN or node.type.endswith("specifier"):
                    continue
                return ""
            if not path:
                path = self.read(node, depth)
            else:
                path = stepped(path, f".{self.text(node)}") if role == "name" else self.after(node, path, depth)
            if not path:
                return ""
        return path

    def is_step(self, node: tree_sitter.Node) -> bool:
        """Say whether a node is a step from what stands before it, or holds such a step."""
        role = self._roles.get(node.kind_id)
        if role is None or not role.places:
            return False
        part = role.places[0].of(node) if role.name == "same" else None
        return role.places[0].name == BEFORE or (part is not None and self.is_step(part))

    def role(self, node: tree_sitter.Node) -> str:
        """Return the name of a node's role, or an empty text."""
        role = self._roles.get(node.kind_id)
        return role.name if role is not None else ""

    def role_of(self, node: tree_sitter.Node) -> Role | None:
        """Return the role of a node with its places, or None."""
        return self._roles.get(node.kind_id)

    def leaves(self, node: tree_sitter.Node) -> bool:
        """Say whether a statement leaves the block, so that the code below it does not run."""
        return self.role(node) == "leave"

    def text(self, node: tree_sitter.Node | None) -> str:
        """Return the text of a node. Empty for None."""
        return self.texts[self.source[node.start_byte : node.end_byte]] if node is not None else ""

    def is_passed(self, node: tree_sitter.Node) -> bool:
        """Say whether a node is an argument of a call."""
        call = node.parent.parent if node.parent is not None else None
        role = self._roles.get(call.kind_id) if call is not None else None
        is_call = role is not None and role.name in ("call", "new") and len(role.places) > 1
        return call is not None and role is not None and is_call and role.places[1].of(call) == node.parent

    def callee(self, function: tree_sitter.Node, depth: int = DEPTH) -> str:
        """Return the path of the function of a call, without its type arguments."""
        role = self._roles.get(function.kind_id)
        named = role.places[0].of(function) if role is not None and role.name == "generic" else None
        return self.read(named or function, depth)

    def name_of(self, node: tree_sitter.Node) -> tree_sitter.Node:
        """Return the node of the name in a node that is a member. Any other node is returned as it is."""
        role = self._roles.get(node.kind_id)
        return (role.places[1].of(node) if role is not None and role.name == "member" else None) or node

    def type_arguments(self, node: tree_sitter.Node) -> str:
        """Return the text of the type arguments of a generic function or type, with their brackets."""
        return self.text(self._roles[node.kind_id].places[1].of(node))

    def first_argument(self, call: tree_sitter.Node) -> str:
        """Return the path of the first argument of a call. Empty if it has none."""
        role = self._roles.get(call.kind_id)
        arguments = role.places[1].of(call) if role is not None and role.name == "call" and role.places[1:] else None
        first = listed(arguments)[:1] if arguments is not None else []
        return self.path(*first) if first else ""

    def arguments(
        self,
        node: tree_sitter.Node | None,
        until: tree_sitter.Node | None = None,
        *,
        depth: int = DEPTH,
        labels: bool = False,
    ) -> str:
        """Write the arguments in a list by their paths: `carts,_,late=x`. Empty if none has a path.

        Only the arguments before the node `until` count. With `labels`, those of arguments without a path are kept.
        """
        if node is None or not self._keeps_arguments:
            return ""
        paths: list[str] = []
        for argument in listed(node)[:MAX_ARGUMENTS]:
            if self.role(argument) == "spread" or (until is not None and argument.start_byte >= until.start_byte):
                # What stands behind several arguments in one has no certain position.
                break
            path = self._argument(argument, depth)
            if labels or not path.endswith(f"={NO_ARGUMENT}"):
                paths.append(path)
        while paths and paths[-1] == NO_ARGUMENT:
            paths.pop()
        return ",".join(paths)

    def _argument(self, node: tree_sitter.Node, depth: int) -> str:
        """Write one argument by its path: `carts`, or `xs=carts` if it has the name or the label of its parameter."""
        role = self._roles.get(node.kind_id)
        name, value = "", node
        if role is not None and role.name == "labelled":
            label, inner = (place.of(node) for place in role.places)
            if inner is None:
                return NO_ARGUMENT
            value = inner
            name = f"{self.text(label)}=" if label is not None and label != value else ""
        unread = name + NO_ARGUMENT if self.language.labels else NO_ARGUMENT
        if value.end_byte - value.start_byte > 2 * ARGUMENT_LIMIT:
            return unread
        if self._has_macros and self.role(value) == "number":
            return self._pasted(value) or unread
        path = self.read(value, depth)
        return name + path if self._is_written(path) else unread

    def _pasted(self, number: tree_sitter.Node) -> str:
        """Return the text of a number, which a macro may paste to a name. Empty if it is no word.

        A mend puts a number where a type stands: `container_of(at, struct shop, list)`.
        """
        end = number.next_sibling.start_byte if number.next_sibling is not None else number.end_byte
        text = self.texts[self.source[number.start_byte : end].strip()]
        return text if len(text) <= ARGUMENT_LIMIT and _WORDS.fullmatch(text) else ""

    def _is_written(self, path: str) -> bool:
        """Say whether the path of an argument is written into that of a call: one plain expression, and no literal."""
        is_plain = (is_name(path[:1]) or path[:1] == "<") and path.isprintable()
        is_short = len(path) <= ARGUMENT_LIMIT and ALTERNATIVE not in path and not any(mark in path for mark in '{}"|:')
        # What nests deeper could not be told from the brackets around it.
        is_flat = "(" not in _NESTED.sub("", path)
        return is_plain and is_short and is_flat and path != NULL and path not in self.language.truth_values

    def called(self, callee: str, arguments: tree_sitter.Node | None, depth: int, types: str = "") -> str:
        """Return the path of a call with its type arguments, or of a module or a cast, where a known function gives this."""
        if types and self.language.casts(callee):
            return cast_to(types[1:-1])
        if callee and ALTERNATIVE not in callee:
            path = self._worth(callee, listed(arguments) if arguments is not None else [], depth)
            if path is not None:
                return path
        return stepped(callee, f"({self._passed(types, self.arguments(arguments, depth=depth))})")

    def before(self, function: tree_sitter.Node, arguments: tree_sitter.Node, argument: tree_sitter.Node) -> str:
        """Write what binds type variables of a call before one of its arguments: `:=<Cart>,carts` in `each<Cart>(carts, f)`."""
        types = self.types_between(function, arguments)
        return self._passed(types, self.arguments(arguments, until=argument, labels=True))

    def _passed(self, types: str, arguments: str) -> str:
        """Join the text of the type arguments of a call and its written arguments."""
        return ",".join(filter(None, [*(self._type_arguments(types) if types else ()), arguments]))

    def types_between(self, function: tree_sitter.Node, arguments: tree_sitter.Node) -> str:
        """Return the type arguments of a call with their brackets, behind the function or at its end, or an empty text."""
        named = self.name_of(function)
        if self.role(named) == "generic":
            return self.type_arguments(named)
        between = self.source[function.end_byte : arguments.start_byte].decode("utf-8", "replace").strip()
        return between if between.startswith("<") else ""

    def _type_arguments(self, types: str) -> list[str]:
        """Write the type arguments of a call: `<Cart>` → `:=<Cart>`. None if one is not plain, or the language keeps none."""
        texts = ["".join(text.split()) for text in parted(types.strip(":")[1:-1])]
        is_plain = self._keeps_arguments and all(map(_PLAIN_TYPE.fullmatch, texts))
        return [f"{TYPE_ARGUMENT}<{text}>" for text in texts] if is_plain else []

    def _worth(self, callee: str, arguments: Sequence[tree_sitter.Node], depth: int) -> str | None:
        """Return the cast, module or bases that a function known to the language gives, or None for any other function."""
        language = self.language
        first = arguments[0] if arguments else None
        if language.casts(callee):
            return cast_to(self.text(first).strip("\"' ")) if first is not None else None
        if callee.rpartition(".")[2] in language.module_calls:
            return f'"{self.text(first)[1:-1]}"' if _MODULE_TEXT.fullmatch(self.text(first)) else ""
        if callee in language.super_functions and len(arguments) == 2:
            return f"<^{self.text(first)}>"
        return None
