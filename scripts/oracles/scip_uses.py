"""Write the uses of definitions that a SCIP index names, for bench_uses.py.

Make the SCIP index below ROOT with scip-python 0.6.6 or scip-typescript 0.4.0, both from npm. The environment of Python
must have the packages that the code imports, but not the project itself. TypeScript wants them in `node_modules`:

    scip-python index . --project-name NAME --project-version 1 --output INDEX.scip
    scip-typescript index --output INDEX.scip

Tabs part the columns: path, line (from 1), column (bytes, from 0), name, role, kind, targets. A target is PATH:LINE:NAME,
several are parted by `|`. They are the places of the same definition, such as the overloads of a function.

| role | what stands at the place |
|---|---|
| use | a name that leads to a definition of the checkout |
| import | the same in an import or export statement |
| call | the same where the name is called and the definition is a function, method or class, or lies outside |
| called | the same where the name is called and the definition holds a value |
| definition | the name of a definition |
| local | a local variable, parameter or type parameter |
| keyword | the name of an argument, which leads to a parameter. It may stand for a field of that name too |
| outside | a name that leads out of the checkout |

The kind of a local or outside name is `import` if it stands in an import statement. Names of functions and classes that other
functions hold have no row, and names that the SCIP index cannot resolve have none.

The kind is that of the definition. A key in an object that leads to a property of the object's type is a `property_key`.
A SCIP index does not know syntax, so a grammar says what is called or imported, and of what kind a definition is.

usage: scip_uses.py ROOT INDEX.scip > USES.tsv
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from tree_sitter import Language, Node, Parser

from code_graph_indexer.scip import DEFINITION, package_of, parsed, symbol_name

GRAMMARS = {
    ".py": ("tree_sitter_python", "language"),
    ".pyi": ("tree_sitter_python", "language"),
    ".js": ("tree_sitter_typescript", "language_tsx"),
    ".jsx": ("tree_sitter_typescript", "language_tsx"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".mts": ("tree_sitter_typescript", "language_typescript"),
    ".cts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
}
"""The grammar for each ending, as a package and its function."""

CALLS = {"call": "function", "call_expression": "function", "new_expression": "constructor"}
ELEMENTS = frozenset({"jsx_opening_element", "jsx_closing_element", "jsx_self_closing_element"})
MEMBERS = {"attribute": "attribute", "member_expression": "property"}
IMPORTS = frozenset(
    {
        *("import_statement", "import_from_statement", "future_import_statement", "export_clause", "import_alias"),
        *("namespace_export", "import_require_clause"),
    }
)
KINDS = {
    "class_definition": "class",
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "class": "class",
    "interface_declaration": "interface",
    "type_alias_declaration": "alias",
    "type_alias_statement": "alias",
    "enum_declaration": "enum",
    "enum_assignment": "enum_member",
    "enum_body": "enum_member",
    "property_signature": "property",
    "method_signature": "method",
    "abstract_method_signature": "method",
    "public_field_definition": "field",
    "required_parameter": "field",
    "optional_parameter": "field",
    "internal_module": "namespace",
    "module": "namespace",
}
"""The kind of a definition by the node around its name. Others have the kind that their symbol says."""

INNER = frozenset(
    {
        *("function_definition", "class_definition", "function_declaration", "generator_function_declaration"),
        *("class_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration"),
        *("method_definition", "property_signature", "method_signature", "public_field_definition"),
    }
)
"""What a function may hold that is no variable. An index may know it or not."""

HEADS = frozenset({"function_definition", "class_definition"})
"""What scip-python takes for a use of the first definition of that name."""

CALLED = frozenset({"function", "method", "class"})
FUNCTIONS = frozenset({"function", "method"})
ENUM = re.compile(rb"\b(?:Int|Str)?(?:Enum|Flag)\b")
ACCESSOR = re.compile(rb"@\s*(?:[\w.]*property|\w+\.(?:setter|getter|deleter))\b")
LOCAL = "local "
NESTED = re.compile(r"\)\.[^.(\[]")
PARAMETER = re.compile(r"\([^()]*\)$|\[[^\[\]]*\]$")
STAR_READER = "scip-python "
"""The prefix of symbols that may be wrong: `import *` gives every name the symbol of the first one in its module."""

ALIAS = re.compile(rb"\bas\s+(\w+)")
WORD = re.compile(r"[\w$#]+")
CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*")
LITERAL = re.compile(r"\d+:$")

Position = tuple[int, int]
"""A line and a byte column, both from 0."""


class Place(NamedTuple):
    """Where a definition has its name: the path, the line from 1, and the name."""

    path: str
    line: int
    name: str


class Definition(NamedTuple):
    """The kind of a definition, and the places of its name."""

    kind: str
    places: list[Place]


class Token(NamedTuple):
    """A name in a text: its position, its characters, and what the SCIP index says of it."""

    position: Position
    name: str
    symbol: str
    is_definition: bool


class Source:
    """A file that the SCIP index names: its text, its names and its tree."""

    def __init__(self, root: Path, document: Any) -> None:
        self.path: str = document.relative_path
        self.text = (root / self.path).read_bytes()
        self.lines = re.split(r"\r\n|\n|\r", self.text.decode("utf-8", "replace"))
        self.document = document
        self.modules = {
            symbol.symbol for symbol in document.symbols if any("(module)" in text for text in symbol.documentation)
        }

    @cached_property
    def tree(self) -> Node:
        """Parse the text."""
        package, function = GRAMMARS[Path(self.path).suffix]
        return Parser(Language(getattr(import_module(package), function)())).parse(self.text).root_node

    def node(self, position: Position) -> Node | None:
        """Return the smallest node at a position."""
        return self.tree.descendant_for_point_range(position, (position[0], position[1] + 1))

    @cached_property
    def tokens(self) -> list[Token]:
        """Return the names, without modules and without what is no single name."""
        tokens = []
        for occurrence in self.document.occurrences:
            line = occurrence.range[0]
            if len(occurrence.range) != 3 or line >= len(self.lines) or occurrence.symbol in self.modules:
                continue
            units = self.lines[line].encode("utf-16-le")
            start, end = (2 * column for column in occurrence.range[1:])
            before = units[:start].decode("utf-16-le", "ignore")
            # The range of `name as alias` is the whole, and that of a module has dots.
            words = units[start:end].decode("utf-16-le", "ignore").split()
            if not words or not WORD.fullmatch(words[0]):
                continue
            position = line, len(before.encode())
            is_definition = bool(occurrence.symbol_roles & DEFINITION) or self.is_head(position)
            tokens.append(Token(position, words[0], occurrence.symbol, is_definition))
        return tokens

    def is_head(self, position: Position) -> bool:
        """Say whether a name is that of a function or class, as in further overloads and in setters."""
        node = self.node(position)
        parent = node.parent if node else None
        return parent is not None and parent.type in HEADS and parent.child_by_field_name("name") == node

    def is_in_function(self, position: Position) -> bool:
        """Say whether a function or class stands in a function, as its symbol may not say."""
        node = self.node(position)
        around = node.parent.parent if node and node.parent else None
        while around is not None and around.type not in HEADS:
            around = around.parent
        return around is not None and around.type == "function_definition"

    @cached_property
    def unclear(self) -> set[str]:
        """Return the local symbols of inner functions and classes, of lost imports, and of code that nothing reaches."""
        tokens = [token for token in self.tokens if token.symbol.startswith(LOCAL)]
        defined = {token.symbol for token in tokens if token.is_definition}
        return {
            token.symbol
            for token in tokens
            if token.symbol not in defined or self.is_imported(token.position) or self.is_inner(token)
        }

    def is_inner(self, token: Token) -> bool:
        """Say whether a name defines a local function or class, and no variable."""
        node = self.node(token.position) if token.is_definition else None
        parent = node.parent if node else None
        return parent is not None and (parent.type in INNER or holds_function(parent))

    def is_called(self, position: Position) -> bool:
        """Say whether a name is what a call calls."""
        node = self.node(position)
        if node is None or node.parent is None:
            return False
        parent = node.parent
        if (field := MEMBERS.get(parent.type)) and parent.child_by_field_name(field) == node and parent.parent:
            node, parent = parent, parent.parent
        if parent.type in ELEMENTS:
            return parent.child_by_field_name("name") == node
        return parent.type in CALLS and parent.child_by_field_name(CALLS[parent.type]) == node

    def is_keyword(self, position: Position) -> bool:
        """Say whether a name names an argument."""
        node = self.node(position)
        parent = node.parent if node else None
        return parent is not None and parent.type == "keyword_argument" and parent.child_by_field_name("name") == node

    def is_member(self, position: Position) -> bool:
        """Say whether a name follows a dot."""
        node = self.node(position)
        parent = node.parent if node else None
        field = MEMBERS.get(parent.type) if parent else None
        return parent is not None and field is not None and parent.child_by_field_name(field) == node

    def is_key(self, position: Position) -> bool:
        """Say whether a name is a key in an object, which leads to a property only by the type that the object has to have."""
        node = self.node(position)
        parent = node.parent if node else None
        if node is None or parent is None or node.type == "shorthand_property_identifier":
            return node is not None and parent is not None
        if parent.type == "method_definition":
            return parent.parent is not None and parent.parent.type == "object"
        return parent.type == "pair" and parent.child_by_field_name("key") == node

    def is_imported(self, position: Position) -> bool:
        """Say whether a name stands in an import or export statement."""
        node = self.node(position)
        while node is not None:
            if node.type in IMPORTS:
                return True
            node = node.parent
        return False

    def kind(self, token: Token) -> str:
        """Return the kind of a definition."""
        node = self.node(token.position)
        parent = node.parent if node else None
        kind = KINDS.get(parent.type, "") if parent else ""
        if kind:
            return kind
        if parent is not None and holds_function(parent):
            return "function"
        if token.symbol.endswith("()."):
            return self.function_kind(token, parent)
        if token.symbol.endswith("#"):
            return "class"
        if parent is not None and is_of_loop(parent):
            return "loop_variable"
        if LITERAL.search(token.symbol):
            return "property" if parent and is_of_module(parent) else "literal"
        if "#" in token.symbol:
            return "enum_member" if parent and is_of_enum(parent) else "field"
        return "constant" if CONSTANT.fullmatch(token.name) else "variable"

    def function_kind(self, token: Token, parent: Node | None) -> str:
        """Return the kind of what a function defines."""
        if "#" not in token.symbol:
            return "function"
        around = parent.parent if parent else None
        if around is not None and around.type == "decorated_definition" and parent is not None:
            head = self.text[around.start_byte : parent.start_byte]
            return "property" if ACCESSOR.search(head) else "method"
        words = {child.type for child in parent.children} if parent else set()
        return "property" if words & {"get", "set"} else "method"


def holds_function(node: Node) -> bool:
    """Say whether a variable is declared as a function."""
    value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
    return value is not None and value.type in ("arrow_function", "function_expression", "generator_function")


def is_of_module(node: Node) -> bool:
    """Say whether a pair stands in an object that a module's variable holds."""
    around: Node | None = node
    while around is not None and around.type in {
        *("pair", "object", "as_expression", "satisfies_expression", "variable_declarator", "lexical_declaration"),
        *("variable_declaration", "method_definition", "shorthand_property_identifier"),
    }:
        around = around.parent
    return around is not None and around.type in ("program", "export_statement")


def is_of_loop(node: Node) -> bool:
    """Say whether a module's variable is one of a loop or `with`, which others seldom name."""
    around: Node | None = node
    while around is not None and around.type in ("pattern_list", "tuple_pattern", "as_pattern_target", "as_pattern"):
        around = around.parent
    return around is not None and around.type in ("for_statement", "with_item", "except_clause")


def is_of_enum(node: Node) -> bool:
    """Say whether an assignment stands right in the body of an enumeration."""
    around = node
    while around.type in ("assignment", "expression_statement", "block", "pattern_list") and around.parent:
        around = around.parent
    bases = around.child_by_field_name("superclasses") if around.type == "class_definition" else None
    return bases is not None and ENUM.search(bases.text or b"") is not None


class Oracle:
    """The definitions and uses of a SCIP index."""

    def __init__(self, root: Path, index: Any) -> None:
        self.sources = [
            Source(root, document)
            for document in index.documents
            if Path(document.relative_path).suffix in GRAMMARS and (root / document.relative_path).is_file()
        ]
        self.definitions: dict[str, Definition] = {}
        self.inner: set[str] = set()
        self.tails: dict[str, set[str]] = defaultdict(set)
        for source in self.sources:
            for token in source.tokens:
                if token.is_definition and not token.symbol.startswith(LOCAL):
                    self.define(source, token)
        self.packages = {package_of(symbol) for symbol in self.definitions}
        self.aliases = {match.decode() for source in self.sources for match in ALIAS.findall(source.text)}

    def define(self, source: Source, token: Token) -> None:
        """Add the place of a definition."""
        symbol = token.symbol
        if source.is_head(token.position) and source.is_in_function(token.position):
            self.inner.add(symbol)
        if symbol not in self.definitions:
            self.definitions[symbol] = Definition(source.kind(token), [])
            self.tails[tail_of(symbol)].add(symbol)
        self.definitions[symbol].places.append(Place(source.path, token.position[0] + 1, token.name))

    def definition(self, symbol: str) -> Definition | None:
        """Look up a symbol. A module below `src` may have its name with or without that folder."""
        if symbol not in self.definitions and package_of(symbol) in self.packages:
            symbols = self.tails[tail_of(symbol)]
            return self.definitions[next(iter(symbols))] if len(symbols) == 1 else None
        return self.definitions.get(symbol)

    def rows(self) -> Iterator[tuple[str, int, int, str, str, str, str]]:
        """Yield what stands at each name, in the order of the text."""
        for source in self.sources:
            places: dict[Position, list[Token]] = defaultdict(list)
            for token in source.tokens:
                places[token.position].append(token)
            for position in sorted(places):
                row = self.row(source, places[position])
                if row is not None:
                    name = places[position][0].name
                    yield source.path, position[0] + 1, position[1], name, *row

    def row(self, source: Source, tokens: list[Token]) -> tuple[str, str, str] | None:
        """Return role, kind and targets of the names at a place. What leads into the checkout comes first."""
        uses = [token for token in tokens if not token.is_definition]
        targets = [target for token in uses if (target := self.target(token.symbol))]
        if targets and tokens[0].symbol.startswith(STAR_READER) and not self.is_named(tokens[0], targets[0]):
            return None
        if targets:
            # A name may be of a type and of a value.
            kind = next((target.kind for target in targets if target.kind in CALLED), targets[0].kind)
            places = dict.fromkeys(place for target in targets for place in target.places)
            if kind in ("property", "field", "method") and source.is_key(tokens[0].position):
                kind = "property_key"
            joined = "|".join(f"{place.path}:{place.line}:{place.name}" for place in places)
            return self.role(source, tokens[0].position, kind), kind, joined
        if len(uses) < len(tokens):
            return "definition", "", ""
        position = tokens[0].position
        role = self.unrelated_role(source, position, {token.symbol for token in uses})
        if role is None:
            return None
        if source.is_imported(position):
            return role, "import", ""
        if source.is_called(position):
            return "call", "", ""
        return ("keyword" if role == "local" and source.is_keyword(position) else role), "", ""

    def unrelated_role(self, source: Source, position: Position, symbols: set[str]) -> str | None:
        """Return the role of a name that does not lead to what others can name, or none where the oracle knows too little."""
        if symbols & source.unclear or symbols & self.inner:
            return None
        if any(NESTED.search(symbol) and not PARAMETER.search(symbol) for symbol in symbols):
            return None
        if any(self.is_local(symbol) for symbol in symbols):
            # What follows a dot is no variable, but the oracle does not know it.
            return None if source.is_member(position) else "local"
        # A symbol of the checkout without a definition is one that the oracle made up.
        is_outside = all(package_of(symbol) not in self.packages and symbol_name(symbol) for symbol in symbols)
        # A class may define such a name itself, but pyright sees the one of every object.
        is_special = any(symbol_name(symbol).startswith("__") for symbol in symbols)
        return "outside" if is_outside and not is_special else None

    def is_named(self, token: Token, target: Definition) -> bool:
        """Say whether a name is that of its definition, or an alias somewhere."""
        return token.name in self.aliases or any(place.name == token.name for place in target.places)

    def target(self, symbol: str) -> Definition | None:
        """Return the definition that others can name, or none."""
        return None if self.is_local(symbol) or symbol in self.inner else self.definition(symbol)

    def is_local(self, symbol: str) -> bool:
        """Say whether only the code around a definition can name it."""
        return bool(symbol.startswith(LOCAL) or PARAMETER.search(symbol) or NESTED.search(symbol))

    def role(self, source: Source, position: Position, kind: str) -> str:
        """Return the role of a name that leads into the checkout."""
        if source.is_imported(position):
            return "import"
        if source.is_called(position):
            return "call" if kind in CALLED else "called"
        return "use"


def tail_of(symbol: str) -> str:
    """Return a symbol without package and without the folder of sources before the module."""
    return symbol.removeprefix(package_of(symbol)).removeprefix("`").removeprefix("src.").replace("`/", "/", 1)


def print_rows(rows: Iterable[tuple[object, ...]]) -> None:
    """Print rows with tabs between the columns."""
    for row in rows:
        print(*row, sep="\t")


def main() -> None:
    """Read, and print the uses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("index", type=Path)
    arguments = parser.parse_args()
    print_rows(Oracle(arguments.root, parsed("Index", arguments.index.read_bytes())).rows())


if __name__ == "__main__":
    main()
