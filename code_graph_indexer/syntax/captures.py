"""Turn the query matches of one file into definitions, references, imports and bindings, by the names of their captures."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice

import tree_sitter

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.arguments import labelled_shapes, shape_of
from code_graph_indexer.syntax.expressions import (
    ALTERNATIVE,
    LAST_ARGUMENT,
    NAMED,
    NULL,
    NUMBER,
    OPERATOR,
    TEXT,
    bare,
    cast_to,
    record_type,
    stepped,
)
from code_graph_indexer.syntax.imports import expand_import_tree
from code_graph_indexer.syntax.macros import MacroUse, macro_arguments, pasted_names
from code_graph_indexer.syntax.parameters import ANY, Parameters, read_parameters
from code_graph_indexer.syntax.records import (
    ANY_NAME,
    COMPUTED,
    EVERYWHERE,
    FUNCTION_KINDS,
    MIXED,
    PAYLOAD,
    PUBLIC,
    TABLE_ENTRY,
    Binding,
    Definition,
    Reference,
)
from code_graph_indexer.syntax.trees import Expressions, Paths, Texts, listed

ANY_NUMBER = "..."
"""The suffix of a parameter's type if the parameter takes any number of arguments: `int...` is a list of `int`."""

_LITERALS = ("[", "{", TEXT, NUMBER, NULL)

Nodes = list[tree_sitter.Node]
Captures = dict[str, Nodes]
Reader = Callable[[Nodes, Captures], None]
_NO_READER: tuple[str, Reader] = ("", lambda nodes, captures: None)


SIGNATURE_LIMIT = 400
"""Most characters of a signature: enough for a long parameter list, too few for a table of defaults."""

NO_PATH = "…"
"""A receiver that has no expression path, or a longer one than the index holds."""

HEAD_LIMIT = 40 * SIGNATURE_LIMIT
"""Most bytes that are read for a signature. Without a limit, a text of nested definitions would be read once for each."""

ANONYMOUS = "<anon>"
"""The name of a class without a name. The second such class in a definition is `<anon:2>`."""

_REFERENCES = {"call": "calls", "value": "references"}
"""The kind of edge for each capture `@reference.…`."""

_RUNS = {"result": "()", "each": "[*]", "enter": "[>]"}
"""The step of an expression path for each capture `@runs.…`.

Such a capture marks an expression that calls a method without naming it, such as a loop that calls `__iter__`.
"""

_READ = "read"
"""The capture `@runs.read`: a member that is no callee. It runs a method if that is a property."""

_NAMED = "named"
"""The capture `@runs.named`: a text to which code adds the rest of a member's name."""

_OPERATOR = "operator"
"""The capture `@runs.operator`: the first value of an operator, which is the capture `@sign`."""

_NAME_START = re.compile(rb"[A-Za-z_]\w{2,}")

_BINDINGS = frozenset(
    {"local", "assigned", "param", "field", "unpack", "member", "result", "yielded", "whole", "public"}
)
_STEPS = {"value": "", "each": "[*]", "pairs": "[:]", "enter": "[>]", "made": "()"}
"""The step from an expression to the value of a variable, by the capture of the expression.

| capture | the variable holds |
|---|---|
| `@value` | the value of the expression |
| `@each` | an element of the value |
| `@pairs` | an element with its key |
| `@enter` | what entering the value gives, as in `with open(path) as stream` |
| `@made` | an instance of the value, which is a class |
"""


DELAYED = "~]"
"""The end of a step that awaits what it takes, as `async for` does."""

MAX_MACRO_VALUE = 400
"""Bytes of the longest text of a macro that is read as an expression."""

MAX_EXPANDED = 12
"""Most functions that are read from the text of a macro. A longer text is a program of its own."""

_MACRO_CALL = re.compile(rb"(?<![\w.>#:])(?:::)?((?:[A-Za-z_]\w{0,80}::){0,8})([A-Za-z_]\w{0,80})(?=\s*\()")
"""Pattern of a function or macro that the text of a macro with parameters calls.

Members (`a->b()`) and names that are pasted together (`a##b()`) are no such calls.
"""

_MEMBER_CALL = re.compile(
    rb"\s*\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)[\s\\]*+(?:\.|->)[\s\\]*+([A-Za-z_]\w{0,80})(?=\s*\()"
)
"""Pattern of what follows the name of a called function, if a member of its result is called: `(1).run(` in `make(1).run()`."""

_CONSTANT_CALL = re.compile(
    rb"(?<![\w.>#:])(?:::)?((?:[A-Za-z_]\w{0,80}::){0,8})((?=[A-Z0-9_]{0,60}[a-z])[A-Za-z_]\w{0,80})(?=\s*\(|\s*\Z)"
)
"""The same for a macro without parameters, which may also be another name of a function, as in `#define read uv_read`.

Most such macros are constants. Those are made of macros in capitals, which are left out.
"""

_TYPE_ARGUMENTS = re.compile(
    rb"\s*(?:<(?:[^<>(){};]|<(?:[^<>(){};]|<[^<>(){};]*>)*>){1,200}>|\[(?:[^\[\](){};]|\[[^\[\](){};]*\]){1,200}\])"
)
"""Pattern of the type arguments behind the name of a base: `<Cart>` or `[Cart]`."""

_WORD = re.compile(rb"[A-Za-z_]\w*")
_SYMBOL = re.compile(r":([^\W\d]\w*[?!]?)")
_BRACKET_OR_COMMA = re.compile(
    rb"""[()\[\]{},]|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|/\*.*?\*/|//[^\n]*""", re.DOTALL
)


class CaptureReader:
    """The definitions, references, imports and bindings of one file, collected from the matches of its query.

    The scope of a binding and the parent of a definition are -1 until all definitions of the file are known. Until then,
    `path_name` of a definition is its name inside its parent, and its `doc` is empty. `definitions` pairs each definition
    with the position of its pattern in the query.
    """

    def __init__(self, source: bytes, language: Language) -> None:
        self.source = source
        self.language = language
        self.texts = Texts()
        # Two tables, because a language ignores other expressions as values than as callees.
        self.expressions = Expressions(source, language, self.texts)
        self.paths = Paths(self.expressions, language.gives_anything)
        self.callees = Paths(self.expressions, language.takes_anything)
        # A macro may paste a name together with an argument. Where overloads need all arguments, the query captures them.
        self.has_plain_macros = language.conditionals and not language.variadic
        self.definitions: dict[tuple[int, int, str], tuple[int, Definition]] = {}
        self.bodies: set[int] = set()
        self.wrapped: dict[tuple[int, int, str], int] = {}
        self.docs: list[tuple[int, int]] = []
        self.comments: list[tuple[int, int]] = []
        self.silent: list[tuple[int, int]] = []
        self.references: dict[int, tuple[str, str, str]] = {}
        self.members: dict[int, tuple[str, str]] = {}
        self.bare: dict[int, str] = {}
        self.imports: dict[tuple[str, str, str], int] = {}
        self.arguments: dict[int, tuple[str, int, str, str]] = {}
        self.passed_names: dict[int, tree_sitter.Node] = {}
        self.given: dict[int, tuple[int, tuple[str, ...]]] = {}
        self.bindings: dict[tuple[int, str, int], Binding] = {}
        self.parts: dict[tuple[int, str], set[int]] = {}
        self.module = ""
        self.module_starts: set[int] = set()
        self.blocks: list[tuple[int, int, bool]] = []
        self.arms: dict[int, tuple[tree_sitter.Node, tree_sitter.Node, bool]] = {}
        self.assigned: set[int] = set()
        self.typevars: list[tuple[int, str, str]] = []
        self.extended: dict[int, str] = {}
        self.statics: set[int] = set()
        self.functions: dict[int, tree_sitter.Node] = {}
        self.bases: dict[int, str] = {}

    def text(self, node: tree_sitter.Node, *others: tree_sitter.Node) -> str:
        """Return the text of a node, or of neighbouring nodes from the first to the last."""
        start, end = node.byte_range
        return self.texts[self.source[start : others[-1].end_byte if others else end]]

    def first(self, captures: Captures, name: str) -> str:
        """Return the text of a capture. The text is empty if the match has no such capture."""
        return self.text(*captures[name]) if name in captures else ""

    def receiver(self, captures: Captures) -> str:
        """Return the expression path of the receiver: `self` in `self.load`.

        The path is empty if there is no receiver, and `…` if the receiver has no expression path. With `@receiver.each`, it is
        the path of an element of the receiver.
        """
        if nodes := captures.get("receiver"):
            return self.path(*nodes) or NO_PATH
        nodes = captures.get("receiver.each")
        return (stepped(self.path(*nodes), "[*]") or "…") if nodes else ""

    def path(self, node: tree_sitter.Node, *others: tree_sitter.Node) -> str:
        """Return the expression path of a node, or of neighbouring nodes that form one expression."""
        return self.paths.of(node, *others)

    def bare_path(self, node: tree_sitter.Node, *others: tree_sitter.Node) -> str:
        """Return the expression path of a node without the arguments of its calls."""
        return bare(self.path(node, *others))

    def read(self, matches: Iterable[tuple[int, Captures]]) -> None:
        """Read all matches of the file, each by the name of its main capture.

        A pattern has the same main capture in nearly every match, so the choice is remembered per pattern.
        """
        readers: dict[int, tuple[str, Reader]] = {}
        plain = self._plain_readers()
        for order, captures in matches:
            name, read = readers.get(order, _NO_READER)
            nodes = captures.get(name)
            # A pattern with alternatives has another main capture in some of its matches.
            if not nodes:
                name, read = readers[order] = self._reader(order, captures, plain)
                nodes = captures.get(name)
            if nodes:
                read(nodes, captures)

    def _plain_readers(self) -> dict[str, Reader]:
        """Return the methods that read a match by the name of its main capture alone.

        They are no attribute: garbage collection alone frees a reader that holds its own methods, and workers switch it off.
        """
        return {
            "arm": partial(self._read_arm, False),
            "arm.rest": partial(self._read_arm, True),
            "argument": self._read_argument,
            "argument.name": self._read_name,
            "argument.value": self._read_value,
            "arguments": self._read_arguments,
            "arity": self._read_arity,
            "piped": self._read_piped,
            "block": partial(self._read_blocks, False),
            "block.whole": partial(self._read_blocks, True),
            "comment": self._read_comments,
            "constant": self._read_constant,
            "doc": self._read_doc,
            "extended": self._read_extended,
            "held": self._read_held,
            "inherits": self._read_bases,
            "lambda": self._read_lambda,
            "lent": self._read_lent,
            "mixed": self._read_mixed,
            "module": self._read_module,
            "typevar": self._read_typevar,
            "silent": self._read_silent,
            "static": self._read_static,
            "payload": self._read_payload,
        }

    def _reader(self, order: int, captures: Captures, plain: Mapping[str, Reader]) -> tuple[str, Reader]:
        """Return the name of a match's main capture, and the method that reads the match. `plain` are the plain readers."""
        if "reference.bare" in captures:
            return "reference.bare", self._read_bare
        if "expands" in captures:
            return "expands", partial(self._read_macro, order)
        if "entry" in captures or "entries" in captures:
            return ("entry" if "entry" in captures else "entries"), self._read_entry
        for name in captures:
            main, _, kind = name.partition(".")
            if name in plain:
                return name, plain[name]
            if name == "anonymous":
                return name, partial(self._read_anonymous, order)
            if name == "opens":
                return name, partial(self._read_opened, order)
            if name == "scope":
                return name, partial(self._read_definition, order, "scope")
            if name in _BINDINGS:
                return name, partial(self._read_binding, name)
            if main == "definition":
                return name, partial(self._read_definition, order, kind)
            if main == "reference":
                return name, partial(self._read_reference, _REFERENCES[kind])
            if main == "runs":
                if kind == _READ:
                    return name, self._read_member
                if kind == _OPERATOR:
                    return name, self._read_operator
                if kind == _NAMED:
                    return name, self._read_start
                return name, partial(self._read_run, _RUNS.get(kind) or f"{OPERATOR}{kind}")
            if name in ("import.module", "import.tree"):
                return name, partial(self._read_import, name)
        return _NO_READER

    def add(self, earlier: "CaptureReader", text: bytes) -> None:
        """Add the captures of an earlier reading of the same file that this reading lacks.

        All references and imports are added. Definitions and bindings are added only where `text`, the text of this
        reading, is blank.
        """
        # Where both read the same byte this reading wins, because its tree is the sounder one.
        self.references = earlier.references | self.references
        self.members = earlier.members | self.members
        self.bare = earlier.bare | self.bare
        self.given = earlier.given | self.given
        self.passed_names = earlier.passed_names | self.passed_names
        self.imports = earlier.imports | self.imports
        self.definitions |= {
            key: ordered for key, ordered in earlier.definitions.items() if text[key[0] : key[1]].isspace()
        }
        self.bindings |= {
            key: binding for key, binding in earlier.bindings.items() if text[key[0] : key[0] + 1].isspace()
        }

    def drop_wrapped(self) -> None:
        """Drop the names of functions that a definition wraps: in `load = memo(function inner() {})`, it is `load`."""
        for key, body_start in self.wrapped.items():
            if body_start in self.bodies:
                self.definitions.pop(key, None)

    def _read_reference(self, kind: str, nodes: Nodes, captures: Captures) -> None:
        """Record a use of a name. The first match at a byte takes precedence."""
        start, end = nodes[0].byte_range
        # What the grammar only supposes to stand here is empty.
        if start not in self.references and start < end:
            name = self.texts[self.source[start:end]]
            receiver = self.receiver(captures)
            if name in self.language.silent and not receiver:
                return
            if "::" in name and not receiver and kind == "calls" and self.language.modules == "declared":
                # Perl's `Shop::Cart::total()` and `$self->SUPER::total()` are one word.
                before, _, name = name.rpartition("::")
                receiver = dotted_name(before)
            if symbol := _SYMBOL.fullmatch(name):
                # Ruby's `send(:load)` names a method of the object by a symbol.
                name, receiver = symbol[1], receiver or min(self.language.self_names, default="")
            self.references[start] = (kind, name, receiver)
            if self.has_plain_macros and kind == "calls" and name.isupper():
                self.given[start] = (-1, macro_arguments(self.source, end))

    def _read_bare(self, nodes: Nodes, _: Captures) -> None:
        """Record a name that stands alone. It is a call, unless a local variable has the name."""
        for node in nodes:
            if (name := self.text(node)) not in self.language.silent:
                self.bare[node.start_byte] = name

    def _read_bases(self, nodes: Nodes, captures: Captures) -> None:
        """Record each base class of a definition as a reference."""
        for node in nodes:
            self._read_reference("inherits", [node], captures)
            if self.language.type_variables and (match := _TYPE_ARGUMENTS.match(self.source, node.end_byte)):
                self.given[node.start_byte] = (-1, (self.texts[match[0].strip()],))

    def _read_run(self, step: str, nodes: Nodes, captures: Captures) -> None:
        """Record that an expression calls a method without naming it, such as a loop that calls `__iter__`."""
        # Keyed by its end, because a name in the expression may be a reference at its start.
        end = nodes[0].end_byte
        if "async" in captures:
            self.references[end] = ("runs", _delayed(step), self.path(*nodes))
        else:
            self.references.setdefault(end, ("runs", step, self.path(*nodes)))

    def _read_member(self, nodes: Nodes, captures: Captures) -> None:
        """Record that a member is used. Most are callees or fields. What is left is dropped where no property has the name."""
        start, end = nodes[0].byte_range
        # The match of a call comes before that of its callee.
        if start in self.references and self.references[start][0] != "references":
            return
        if receiver := self.path(*captures["receiver"]):
            self.members[start] = self.texts[self.source[start:end]], receiver

    def _read_operator(self, nodes: Nodes, captures: Captures) -> None:
        """Record that an operator may run a method of its first value: `a + b`."""
        sign = self.text(*captures["sign"])
        if sign in self.language.operator_methods and (path := self.path(*nodes)):
            self.references.setdefault(nodes[0].end_byte, ("runs", f"{OPERATOR}{sign}", path))

    def _read_start(self, nodes: Nodes, _: Captures) -> None:
        """Record a text that may be the start of a member's name."""
        start, end = nodes[0].byte_range
        if _NAME_START.fullmatch(self.source, start, end):
            self.references.setdefault(start, ("runs", f"{NAMED}{self.text(*nodes)}", ""))

    def _read_arm(self, is_rest: bool, nodes: Nodes, captures: Captures) -> None:
        """Record a part of a statement that runs under a condition."""
        self.arms[nodes[0].start_byte] = nodes[0], captures["choice"][0], is_rest

    def _read_constant(self, nodes: Nodes, captures: Captures) -> None:
        """Record that a constant of an enum calls the constructor of its type."""
        self.references.setdefault(nodes[0].start_byte, ("constant", self.first(captures, "type"), ""))

    def _read_blocks(self, is_whole: bool, nodes: Nodes, _: Captures) -> None:
        """Record the span of a block, with which the variables end that it declares. They may hold in the whole block."""
        self.blocks.append((nodes[0].start_byte, nodes[0].end_byte, is_whole))

    def _read_comments(self, nodes: Nodes, _: Captures) -> None:
        """Record the spans of comments."""
        self.comments += [(node.start_byte, node.end_byte) for node in nodes]

    def _read_silent(self, nodes: Nodes, _: Captures) -> None:
        """Record a span in which nothing is a reference, such as the condition of an attribute."""
        self.silent.append(nodes[0].byte_range)

    def _read_doc(self, nodes: Nodes, _: Captures) -> None:
        """Record the span of a docstring."""
        self.docs.append((nodes[0].start_byte, nodes[-1].end_byte))

    def _read_static(self, nodes: Nodes, _: Captures) -> None:
        """Record that a method belongs to its class, not to the objects of the class."""
        self.statics.update(node.start_byte for node in nodes)

    def _read_extended(self, nodes: Nodes, captures: Captures) -> None:
        """Record that a function is called as a method of a type. The type is the capture `type`."""
        self.extended[nodes[0].start_byte] = self.first(captures, "type")

    def _read_typevar(self, nodes: Nodes, captures: Captures) -> None:
        """Record a type variable and its bound, or one of its bounds."""
        self.typevars.append((nodes[0].start_byte, self.text(nodes[0]), self.first(captures, "type")))

    def _read_lambda(self, nodes: Nodes, captures: Captures) -> None:
        """Record what a call gives to a function without name and declared parameters: `it`, or an object as `this`."""
        callee, node = captures["callee"][0], nodes[0]
        receiver, _, name = self.bare_path(callee).removesuffix("()").rpartition(".")
        span = node.start_byte, node.end_byte
        if name in self.language.lends_self:
            # `with(cart) { … }` has its object in the brackets.
            value = receiver or self.expressions.first_argument(callee)
            if value:
                bound = min(self.language.self_names)
                self._bind("self", Binding(bound, "", "", value, node.start_byte, -1, *span))
        elif not any(
            "parameter" in child.type or child.type == "lambda_function_type" for child in node.named_children[:1]
        ):
            value = self._given(callee, node, 0)
            if value:
                bound = self.language.implicit_parameter
                self._bind("local", Binding(bound, "", "", value, node.start_byte, -1, *span))

    def _read_lent(self, nodes: Nodes, captures: Captures) -> None:
        """Record the object that the word for the object itself, such as `this`, means in the body of a function."""
        value = self.path(*captures["value"])
        start, end = nodes[0].byte_range
        for name in self.language.self_names if value else ():
            self._bind("self", Binding(name, "", "", value, start, -1, start, end))

    def _read_mixed(self, nodes: Nodes, captures: Captures) -> None:
        """Record that an object gets the members of others: `Object.assign(cart, prices)`."""
        name, node = self.text(nodes[0]).removesuffix(".prototype"), captures["value"][0]
        value = self.bare_path(node).removesuffix(".prototype")
        if value and name.isidentifier():
            self.bindings[node.start_byte, MIXED, 0] = Binding(name, MIXED, "", value, node.start_byte, -1)

    def _read_payload(self, nodes: Nodes, captures: Captures) -> None:
        """Record the type of what an object holds at a position, or of what a variant of an enum holds."""
        node, variant = nodes[0], self.first(captures, "variant")
        key = self.first(captures, "key") or str(_place(node))
        name = f"{variant}{PAYLOAD}{key}" if variant else key
        self._bind("field", Binding(name, PAYLOAD, self.text(node).lstrip(": "), "", node.start_byte, -1))

    def _read_held(self, nodes: Nodes, captures: Captures) -> None:
        """Bind a name of a pattern to what the object has there: in `Shape::Circle(size)` and in `Point { x, .. }`.

        The pattern names a variant of an enum, or else a class. Where it does not name the enum, it is that of `@value`.
        """
        node, variant = nodes[0], dotted_name(self.text(captures["variant"][0]))
        within = captures.get("within")
        part = (within[0].start_byte, within[0].end_byte) if within else (0, 0)
        key = self.first(captures, "key") or (self.text(node) if "member" in captures else "")
        place = key or str(_place(node, captures["variant"][0]))
        if "value" in captures:
            value = stepped(self.path(*captures["value"]), f".{variant}{PAYLOAD}{place}")
        else:
            step = f".{key}" if key else f"[{place}]"
            value = f"{variant}{PAYLOAD}{place}{ALTERNATIVE}<{variant}>{step}"
        self._bind("local", Binding(self.text(node), "", "", value, node.start_byte, -1, *part))

    def _given(self, callee: tree_sitter.Node, function: tree_sitter.Node, position: int) -> str:
        """Return the expression path of what a callee gives to a parameter of the function that is its argument."""
        path = self.path(callee)
        if not path:
            return ""
        while function.parent is not None and function.parent.type.endswith("argument"):
            function = function.parent
        is_listed = function.parent is not None and function.parent.type.endswith(("arguments", "list"))
        before = ""
        if path.endswith(")") and (
            callee.type == "call_expression" or (self.language.implicit_parameter and not is_listed)
        ):
            # The function stands behind the brackets.
            path, before = _split_call(path)
        receiver, _, name = bare(path).rpartition(".")
        if receiver and name in self.language.lends:
            return receiver
        place = _position(function) if is_listed or not self.language.implicit_parameter else LAST_ARGUMENT
        return stepped(path, f"{{{place}.{position}{before or self._before(function)}}}")

    def _before(self, function: tree_sitter.Node) -> str:
        """Write the arguments before the one that is a function, as the end of a step: `:carts`. Empty if none has a path."""
        outer, beside = function.parent, function.prev_named_sibling
        if outer is not None and outer.type.endswith(("arguments", "list")):
            arguments = self.expressions.arguments(outer, until=function)
        else:
            # A function behind the brackets.
            is_behind = beside is not None and beside.type.endswith("arguments")
            arguments = self.expressions.arguments(beside) if is_behind else ""
        return f":{arguments}" if arguments else ""

    def _read_module(self, nodes: Nodes, _: Captures) -> None:
        """Record the module that the file declares. The first of several declarations counts."""
        self.module = self.module or dotted_name(self.text(nodes[0]))
        self.module_starts.add(nodes[0].start_byte)

    def _read_argument(self, nodes: Nodes, captures: Captures) -> None:
        """Record an argument of a call, if both the argument and the callee have an expression path."""
        callee_nodes = captures["callee"]
        callee_end = callee_nodes[-1].end_byte
        callee = bare(self.callees.of(*callee_nodes))
        if not callee:
            return
        start, value = nodes[0].start_byte, self.bare_path(nodes[0])
        if value and not value.startswith(_LITERALS):
            keyword = self.first(captures, "keyword")
            # Listing the siblings is slow, so the first argument is recognised by the bracket before it.
            is_first = self.source[callee_end:start].strip() == b"("
            place = -1 if keyword else 0 if is_first else _position(nodes[0])
            self.arguments[start] = (callee, place, keyword, value)

    def _read_name(self, nodes: Nodes, captures: Captures) -> None:
        """Record an argument that is a bare name as a reference. Most are local variables, so `read_passed` reads the rest."""
        start, end = nodes[0].byte_range
        if start not in self.references:
            self.references[start] = "references", self.texts[self.source[start:end]], ""
            self.passed_names[start] = captures["callee"][-1]

    def read_passed(self, references: Iterable[Reference]) -> None:
        """Record the arguments that are bare names and still references, because no local variable has the name.

        Names in capitals are constants.
        """
        for reference in references:
            callee_node = self.passed_names.get(reference.start)
            if callee_node is None or reference.name.isupper():
                continue
            if callee := bare(self.callees.of(callee_node)):
                place = _commas(self.source[callee_node.end_byte : reference.start])
                self.arguments[reference.start] = callee, place, "", reference.name

    def _read_entry(self, nodes: Nodes, captures: Captures) -> None:
        """Record what a table of functions holds, as an argument with the keyword TABLE_ENTRY.

        Its callee is the type or variable of the table, with the name of the entry if it has one: `ops.open`.
        """
        value_nodes = captures.get("value", nodes)
        entry = f".{self.first(captures, 'entry')}" if "entry" in captures else ""
        value = self.bare_path(*value_nodes)
        if value and not value.startswith(_LITERALS):
            self.arguments[value_nodes[0].start_byte] = self.first(captures, "table") + entry, -1, TABLE_ENTRY, value

    def _read_value(self, nodes: Nodes, captures: Captures) -> None:
        """Record an argument that is a name, as in `map(self.load, rows)`, also as a reference."""
        start, end = nodes[0].byte_range
        before, _, name = self.source[start:end].rpartition(b".")
        start = end - len(name)
        receiver = self.texts[before.strip()]
        if name and start not in self.references and (not receiver or receiver.isidentifier()):
            self.references[start] = "references", self.texts[name], receiver
        self._read_argument(nodes, captures)

    def _read_arguments(self, nodes: Nodes, captures: Captures) -> None:
        """Record the number of arguments of a call, and describe each by `shape_of`."""
        called = captures["called"][0].start_byte
        if self.language.labels:
            shapes = labelled_shapes(nodes[0], self.expressions)
            self.given[called] = (len(shapes), shapes)
            return
        # A comment among the arguments is an extra node and no argument.
        shapes = tuple(shape_of(node, self.expressions) for node in listed(nodes[0]))
        # In Kotlin, a function after the brackets is one more argument, which another match captures.
        count, before = self.given.get(called, (0, ()))
        self.given[called] = (count + len(shapes), before + shapes)

    def _read_arity(self, nodes: Nodes, captures: Captures) -> None:
        """Record the number of arguments that the name of a function tells: `run/2`."""
        self.given[captures["called"][0].start_byte] = int(self.text(nodes[0])), ()

    def _read_piped(self, nodes: Nodes, _: Captures) -> None:
        """Record that a call gets one more argument, because it stands behind a pipe."""
        count, shapes = self.given.get(nodes[0].start_byte, (0, ()))
        self.given[nodes[0].start_byte] = count + 1, shapes

    def _read_definition(self, order: int, kind: str, nodes: Nodes, captures: Captures) -> None:
        """Record one definition per captured name.

        It extends from the first node to the last, and includes the wrappers around them, such as decorators.
        """
        names = captures.get("name")
        if not names:
            return
        node = nodes[0]
        inner = node.start_byte
        while (parent := node.parent) is not None and parent.type in self.language.wrappers:
            node = parent
        # Neighbours are one definition, from the first to the last: a signature and its body.
        end = max(node.end_byte, nodes[-1].end_byte)
        if self.language.equations and kind == "function":
            end = max(end, _end_of_equations(node))
        body = captures.get("body")
        if kind in FUNCTION_KINDS and self.language.twins is not None:
            self.functions[names[0].start_byte] = node
        for name_node in names:
            name = COMPUTED if "computed" in captures else self.text(name_node)
            key = (node.start_byte, end, name)
            if body and "wrapped" in captures:
                self.wrapped[key] = body[0].start_byte
            elif body:
                self.bodies.add(body[0].start_byte)
            # Of two patterns for one place the first wins: a language's own come before those that it inherits.
            is_name = name and name not in self.language.reserved
            if is_name and (key not in self.definitions or order < self.definitions[key][0]):
                self.definitions[key] = (
                    order,
                    self._definition(
                        kind,
                        # In Ruby's `attr_reader :total` a symbol names the method.
                        " ".join(name.split()).removeprefix(":"),
                        start=node.start_byte,
                        inner=inner,
                        name_start=name_node.start_byte,
                        body_start=body[0].start_byte if body else end,
                        end=end,
                        owner=dotted_name("::".join(self.text(node) for node in captures.get("owner", ()))),
                        type_name=self.first(captures, "returns") or self.first(captures, "type"),
                    ),
                )

    def _read_macro(self, order: int, nodes: Nodes, captures: Captures) -> None:
        """Record a macro, and each function that its text calls. A constant whose text calls a function is a macro.

        The text is what a use of the macro expands to, and no part of the tree.
        """
        capture = next(name for name in captures if name.startswith("definition."))
        start, end = nodes[0].byte_range
        # Most macros are numbers, which call nothing.
        pattern = _MACRO_CALL if "params" in captures else _CONSTANT_CALL
        calls = [*islice(pattern.finditer(self.source, start, end), MAX_EXPANDED)]
        taken = captures["params"][0] if "params" in captures else None
        params = set(re.split(rb"\W+", self.source[taken.start_byte : start])) if taken is not None else set()
        for call in calls:
            if call[2] not in params:
                # As in code, only the innermost namespace is the receiver.
                receiver = dotted_name(self.texts[call[1]]).rpartition(".")[2]
                name = self.texts[call[2]]
                self.references.setdefault(call.start(2), ("expands", name, receiver))
                if member := _MEMBER_CALL.match(self.source, call.end(), end):
                    made = f"{receiver}.{name}()" if receiver else f"{name}()"
                    self.references.setdefault(member.start(1), ("expands", self.texts[member[1]], made))
        if calls:
            self._read_macro_value(start, end)
        makes = False
        for place, use, name in pasted_names(
            self.source, start, end, taken.named_children if taken is not None else ()
        ):
            self.references.setdefault(place, (use, name, ""))
            makes |= use == "makes"
        kind = "macro" if calls or makes else capture.partition(".")[2]
        self._read_definition(order, kind, captures[capture], captures)

    def _read_macro_value(self, start: int, end: int) -> None:
        """Record the value of a macro whose text is one expression, as the result of a function."""
        text = self.source[start:end].replace(b"\\\n", b" ").strip()
        if len(text) < MAX_MACRO_VALUE and b";" not in text and (value := self.expressions.of_text(text)):
            self.bindings[start, "result", 0] = Binding("", "", "", value, start, -1)

    def _definition(
        self,
        kind: str,
        name: str,
        *,
        start: int,
        inner: int,
        name_start: int,
        body_start: int,
        end: int,
        owner: str = "",
        type_name: str = "",
    ) -> Definition:
        """Return the record of a definition, as far as one match tells."""
        separator = self.language.separator
        parameters = Parameters(0, ANY)
        if kind in ("function", "method") and self.language.variadic:
            parameters = read_parameters(self.source, name_start + len(name.encode()), self.language)
            modifiers = self.source[inner:name_start].decode("utf-8", "replace").split()
            if not self.language.defaults_elsewhere.isdisjoint([*modifiers, "*"]):
                parameters = parameters._replace(fewest=0)
        return Definition(
            kind=kind,
            name=name if kind == "scope" else name.rpartition(separator)[2],
            path_name=f"{owner}{separator}{name}" if owner else name,
            start=start,
            end=end,
            lead=start,
            name_start=name_start,
            signature=self._signature(start, body_start if body_start > start else end),
            doc="",
            parent=-1,
            owner=owner,
            type_name=""
            if not type_name or type_name in self.language.untold_types
            else _line(type_name.lstrip(":-> ")),
            has_body=body_start < end,
            fewest=parameters.fewest,
            most=parameters.most,
            types=parameters.types,
            inner=inner,
        )

    def _signature(self, start: int, end: int) -> str:
        """Return the text of a definition up to its body, on one line."""
        head = self.source[start : min(end, start + HEAD_LIMIT)]
        return " ".join(head.decode("utf-8", "replace").split()).rstrip(" {:=;")[:SIGNATURE_LIMIT].strip()

    def add_made(self, use: MacroUse, made: "CaptureReader") -> None:
        """Add the functions that a use of a macro stands for. `made` has read the text that the use stands for.

        Each function gets its share of the bytes of the use, and its calls get a byte each of that share.
        """
        functions = sorted(
            (order, definition) for order, definition in made.definitions.values() if definition.kind == "function"
        )
        functions = [pair for pair in functions if pair[1].has_body]
        for number, (order, function) in enumerate(functions):
            share = (use.end - use.start) // len(functions)
            start = use.start + number * share
            end = use.end if number == len(functions) - 1 else start + share
            self.definitions[start, end, function.name] = (
                order,
                function._replace(start=start, end=end, lead=start, inner=start, name_start=start),
            )
            # The first byte is that of the name.
            places = iter(range(start + 1, end))
            for offset, reference in made.references.items():
                if (
                    function.start <= offset < function.end
                    and reference[0] == "calls"
                    and reference[1] != function.name
                ):
                    place = next(places, None)
                    if place is not None:
                        self.references[place] = reference

    def add_use(self, start: int, name_end: int, end: int) -> None:
        """Add a use of a macro outside of functions, which is blank in the tree, and its arguments that are names."""
        arguments = macro_arguments(self.source, name_end)
        self.references[start] = "calls", self.texts[self.source[start:name_end]], ""
        self.given[start] = (-1, arguments)
        for argument in _WORD.finditer(self.source, name_end, end):
            name = self.texts[argument[0]]
            if name in arguments:
                self.references.setdefault(argument.start(), ("references", name, ""))

    def _read_anonymous(self, order: int, nodes: Nodes, captures: Captures) -> None:
        """Record a class without a name, and its base: `Base` in `new Base() { … }`."""
        start, end = nodes[0].byte_range
        self.definitions[start, end, ANONYMOUS] = (
            order,
            self._definition("class", ANONYMOUS, start=start, inner=start, name_start=start, body_start=start, end=end),
        )
        base = captures.get("base")
        if base:
            # Keyed by the start of the body, which lies in the scope of the class itself.
            self.bases[start] = self.text(base[0])

    def _read_opened(self, order: int, nodes: Nodes, _: Captures) -> None:
        """Record the namespaces that a macro opens.

        They have no body, because the grammar puts the code that follows outside them.
        """
        start, end = nodes[0].start_byte, nodes[0].end_byte
        if self.language.opens_namespace is None:
            return
        # Definitions have offsets in bytes, so the pattern must match bytes too.
        opening = re.compile(self.language.opens_namespace.pattern.encode())
        for match in opening.finditer(self.source, start, end):
            name = match[1].decode("utf-8", "replace")
            self.definitions[start, end, name] = (
                order,
                self._definition(
                    "namespace", name, start=start, inner=start, name_start=match.start(1), body_start=end, end=end
                ),
            )

    def _read_import(self, capture: str, nodes: Nodes, captures: Captures) -> None:
        """Record an import, or each import of a grouped import."""
        module = _unquote(self.text(nodes[0]))
        if capture == "import.tree":
            imports = expand_import_tree(module, self.language)
        else:
            name = "*" if "import.star" in captures else self.first(captures, "import.name")
            alias = self.first(captures, "import.alias")
            if "import.default" in captures:
                name, alias = self.language.default_export, self.first(captures, "import.default")
            imports = [(module, name, EVERYWHERE + alias if "import.global" in captures else alias)]
        for imported in imports:
            self.imports.setdefault(imported, nodes[0].start_byte)

    def _read_binding(self, name: str, nodes: Nodes, captures: Captures) -> None:
        """Record the variables, fields, parameters or return value that a match binds, with the hints to their types."""
        if len(captures) == 1 and name in ("local", "param"):
            self._read_bare_names(nodes, is_param=name == "param")
            return
        within = captures.get("within")
        part = (within[0].start_byte, within[0].end_byte) if within else (0, 0)
        value = self._value(nodes[0] if name == "result" else None, captures)
        if name in ("yielded", "result", "public", "whole"):
            self._read_unnamed(name, nodes[0], value, part)
        elif name == "unpack":
            self._read_unpacked(nodes[0], value, part, captures)
        elif name == "member":
            for node in nodes:
                bound = self.text(node)
                member = stepped(value, f".{bound}")
                self._bind("local", Binding(bound, "", "", member, node.start_byte, -1, *part))
        else:
            owner = self.receiver(captures) if name == "field" else ""
            type_name = self._bound_type(captures)
            table, is_param = "field" if name == "field" else "local", name == "param"
            if "key" in captures:
                # `const { total: sum } = cart` binds `sum` to a member.
                value = stepped(value, f".{self.first(captures, 'key')}")
            if name == "assigned":
                self.assigned.update(node.start_byte for node in nodes)
            for node in nodes:
                # RSpec's `let(:cart) { … }` names a variable by a symbol.
                bound, node_value = self.text(node).removeprefix(":"), value or self._passed(node, captures)
                self._bind(table, Binding(bound, owner, type_name, node_value, node.start_byte, -1, *part, is_param))

    def _read_bare_names(self, nodes: Nodes, *, is_param: bool) -> None:
        """Record names that only hide others, as of a number in C. There are many of these."""
        for node in nodes:
            start = node.start_byte
            bare = Binding(self.text(node), "", "", "", start, -1, 0, 0, is_param)
            if (start, "local") in self.parts:
                self._bind("local", bare)
            else:
                self.bindings[start, "local", 0] = bare
                self.parts[start, "local"] = {0}

    def _read_unpacked(self, names: tree_sitter.Node, value: str, part: tuple[int, int], captures: Captures) -> None:
        """Record the variables that take the parts of one value, or what a loop takes of several values in turn."""
        paths = self._together(captures)
        for node, path in zip(names.named_children, paths, strict=False):
            if node.type == "identifier":
                self._bind("local", Binding(self.text(node), "", "", path, node.start_byte, -1, *part))
            else:
                self._unpack(node, None, path, part)
        if not paths:
            value = value or self._passed(names, captures)
            self._unpack(names, next(iter(captures.get("value", ())), None), value, part)

    def _read_unnamed(self, name: str, node: tree_sitter.Node, value: str, part: tuple[int, int]) -> None:
        """Record what a function returns or yields, or what a file gives to whoever imports it."""
        start = node.start_byte
        binding = Binding("", "", "", value, start, -1, *part)
        if name == "yielded":
            elements = "|".join(path for path in self.bare_path(node).split(ALTERNATIVE) if path[:1].isidentifier())
            if not elements:
                return
            binding = binding._replace(value=f"[{elements}]")
        elif name == "public":
            binding = Binding(PUBLIC, "", "", " ".join(self._listed(node)) or ANY_NAME, start, -1, 0, 0)
        elif name == "whole":
            # In `const app = module.exports = {}` the name says more than the braces.
            earlier = self.bindings.get((start, name, 0))
            if not value or (earlier and earlier.value.isidentifier()):
                return
            binding = binding._replace(name=self.language.default_export)
        self.bindings[start, name, 0] = binding

    def _bound_type(self, captures: Captures) -> str:
        """Return the text of the type that a match declares for a name, or an empty text."""
        type_name = self.first(captures, "type").lstrip(": ")
        if type_name.startswith("(") and captures["type"][0].type == "tuple":
            # `isinstance(x, (A, B))`
            type_name = " | ".join(self.text(node) for node in captures["type"][0].named_children)
        if "struct" in type_name:
            type_name = record_type(type_name)
        if type_name and "many" in captures:
            type_name = type_name.strip("\"'") + ANY_NUMBER
        # A variable that holds a function without a name hides others of its name.
        return type_name or ("() -> " if "function" in captures else "")

    def _together(self, captures: Captures) -> list[str]:
        """Return the paths of what a loop over several things together takes in turn: over `zip(carts, prices)`.

        The list is empty for any other loop.
        """
        node = captures.get("each", [None])[0]
        function = node.child_by_field_name("function") if node is not None else None
        arguments = node.child_by_field_name("arguments") if node is not None else None
        name = self.text(function) if function is not None else ""
        if arguments is None or name not in self.language.zips | self.language.counts:
            return []
        paths = [stepped(self.path(argument), "[*]") for argument in arguments.named_children]
        return ["0", *paths[:1]] if name in self.language.counts else paths

    def _listed(self, node: tree_sitter.Node) -> list[str]:
        """Return the texts in a list of texts. The list is empty if anything else is in it."""
        texts = [_unquote(self.text(element)) for element in node.named_children if element.type == "string"]
        is_list = node.type in ("list", "tuple", "string")
        elements = [element for element in node.named_children if element.type != "comment"]
        return texts if is_list and len(texts) == len(elements) and all(map(str.isidentifier, texts)) else []

    def _unpack(
        self, names: tree_sitter.Node, value: tree_sitter.Node | None, path: str, bounds: tuple[int, int]
    ) -> None:
        """Bind each name of a list to its part of the value, whose expression path is `path`.

        In `a, b = x, y` the part of `b` is `y`. Any other value is indexed: in `a, b = pair` the part of `b` is
        `pair[1]`. `bounds` is the part of the scope where the names are visible.
        """
        if value is not None and (arguments := value.child_by_field_name("arguments")) is not None:
            # `make_pair(a, b)` is the pair of its arguments.
            callee = self.bare_path(value).removesuffix("()").rpartition(".")[2]
            value = arguments if callee in self.language.pairings else value
        listed = value is not None and any(child.type == "," for child in value.children)
        parts = value.named_children if value is not None and listed else []
        # Rust's `_` is no name.
        targets = [node for node in names.children if node.is_named or node.type == "_"]
        for position, node in enumerate(targets):
            # A starred name makes lists of different lengths, whose parts cannot be matched by position.
            part_node = parts[position] if len(parts) == len(targets) else None
            part_value = self.path(part_node) if part_node is not None else stepped(path, f"[{position}]")
            if part_node is not None and any(child.type == "," for child in node.children):
                self._unpack(node, part_node, part_value, bounds)
            else:
                text = self.text(node)
                # `self.width, self.height = size` binds fields.
                owner, _, name = text.rpartition(".")
                if owner.isidentifier():
                    self._bind("field", Binding(name, owner, "", part_value, node.start_byte, -1, *bounds))
                else:
                    self._bind("local", Binding(text, "", "", part_value, node.start_byte, -1, *bounds))

    def _bind(self, name: str, binding: Binding) -> None:
        """Record a binding of a field or a local variable, which `name` says.

        If several patterns match the same place, combine what each knows: type, value and part of the scope.
        """
        key = (binding.start, name, binding.from_byte)
        parts = self.parts.get(key[:2])
        if parts is None:
            # This is the way of most bindings.
            self.bindings[key] = binding
            self.parts[key[:2]] = {binding.from_byte}
            return
        # What a pattern sees everywhere, and another pattern only in a part, holds in that part.
        for start_of_part in [start for start in parts if start == key[2] or 0 in (start, key[2])]:
            parts.discard(start_of_part)
            earlier = self.bindings.pop((*key[:2], start_of_part))
            key = (*key[:2], max(start_of_part, key[2]))
            # (0, 0) is the whole scope, so the greater span is the narrower one.
            part = max((earlier.from_byte, earlier.to_byte), (binding.from_byte, binding.to_byte))
            binding = binding._replace(
                type_name=max(
                    earlier.type_name, binding.type_name, key=lambda text: (text.endswith(ANY_NUMBER), bool(text))
                ),
                # A cast says more than a path, and a path more than nothing.
                value=max(
                    earlier.value,
                    binding.value,
                    key=lambda text: (text.startswith("<"), text.endswith(DELAYED), bool(text)),
                ),
                from_byte=part[0],
                to_byte=part[1],
                is_param=earlier.is_param or binding.is_param,
            )
        self.bindings[key] = binding
        parts.add(key[2])

    def _passed(self, node: tree_sitter.Node, captures: Captures) -> str:
        """Return the expression path of a parameter of a function without a name, or an empty text.

        In `rows.map(x => x.name)` the path of `x` is `rows.map{0.0}`: argument 0 of the call is a function, and `x` is
        its parameter 0. If a type is declared for the function, the path is `<Type>{.0}`.
        """
        callee, signature = captures.get("callee"), captures.get("signature")
        if not callee and not signature:
            return ""
        while node.parent is not None and not node.parent.type.endswith(("parameters", "parameter_list")):
            # A single parameter without brackets, as in `x => x.name`, is in no list.
            if node.parent == captures["within"][0]:
                break
            node = node.parent
        if callee:
            if len(callee) == 1:
                return self._given(callee[0], captures["within"][0], _position(node))
            function = captures["within"][0]
            step = f"{{{_position(function)}.{_position(node)}{self._before(function)}}}"
            return stepped(self.path(*callee), step)
        return stepped(cast_to(self.first(captures, "signature")), f"{{.{_position(node)}}}")

    def _value(self, result: tree_sitter.Node | None, captures: Captures) -> str:
        """Return the expression path of the value that a variable gets or a function returns.

        The path is empty if the match has no such value.
        """
        if alias := captures.get("alias"):
            return cast_to(self.text(*alias))
        if result is not None:
            return self.path(result)
        for capture, nodes in captures.items():
            if capture in _STEPS:
                step = _delayed(_STEPS[capture]) if "async" in captures else _STEPS[capture]
                return stepped(self.path(*nodes), step)
        return ""


def _end_of_equations(equation: tree_sitter.Node) -> int:
    """Return the end of the last equation of a function, whose first equation is `equation`."""
    name = equation.child_by_field_name("name")
    end, sibling = equation.end_byte, equation.next_named_sibling
    while name is not None and sibling is not None:
        if not sibling.is_extra:
            next_name = sibling.child_by_field_name("name") if sibling.type == equation.type else None
            if next_name is None or next_name.text != name.text:
                break
            end = sibling.end_byte
        sibling = sibling.next_named_sibling
    return end


def _line(text: str) -> str:
    """Return the text of a type on one line."""
    return " ".join(record_type(text).split())[:SIGNATURE_LIMIT]


def _delayed(step: str) -> str:
    """Return the step of `async for` or `async with`, by that of `for` or `with`."""
    return step[:-1] + DELAYED


def _position(node: tree_sitter.Node) -> int:
    """Return the position of a node among its named siblings."""
    return node.parent.named_children.index(node) if node.parent else 0


def _place(node: tree_sitter.Node, before: tree_sitter.Node | None = None) -> int:
    """Return the position of a node in the list around it, or in the list that `before` is the head of.

    The node may be inside of the element of the list: the type of a parameter.
    """
    while (
        node.parent is not None
        and node.parent.parent is not None
        and (before is None or node.parent != before.parent)
        and not node.parent.type.endswith(("parameters", "list", "patterns"))
    ):
        node = node.parent
    siblings = node.parent.children if node.parent is not None else []
    return sum(sibling.type == "," and sibling.start_byte < node.start_byte for sibling in siblings)


def _commas(text: bytes) -> int:
    """Count the commas behind the first bracket of a text that are in no other bracket. Texts and comments are passed over."""
    if text.isspace() or text == b"(":
        return 0
    depth = commas = 0
    for mark in _BRACKET_OR_COMMA.findall(text):
        depth += (mark in b"([{") - (mark in b")]}")
        commas += mark == b"," and depth == 1
    return commas


def _split_call(path: str) -> tuple[str, str]:
    """Split the last call off a path, with its arguments as the end of a step: `each(carts)` → `each` and `:carts`."""
    depth = 0
    for position in range(len(path) - 1, -1, -1):
        depth += (path[position] == ")") - (path[position] == "(")
        if not depth:
            arguments = path[position + 1 : -1]
            return path[:position], f":{arguments}" if arguments else ""
    return path, ""


def dotted_name(name: str) -> str:
    """Write a qualified name of any language with dots and without type parameters: `std::list<int>` → `std.list`."""
    if not name:
        return ""
    name = re.sub(r"<.*>|\[.*\]", "", "".join(name.split())).replace("::", ".").replace("\\", ".").replace("/", ".")
    return name.strip(".*&()")


def _unquote(text: str) -> str:
    """Strip the quotes or angle brackets around the name of an imported module."""
    return text.strip().strip("\"'`<>")
