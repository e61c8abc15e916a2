"""Find what a name is part of.

That is what it is a member of, what gets it as a label, or the object whose key it is.
"""

import re

import tree_sitter

from code_graph_indexer.syntax.expressions import cast_to, stepped
from code_graph_indexer.syntax.roles import BEFORE, Role, dotted, operand
from code_graph_indexer.syntax.trees import BETWEEN, CASCADE, DEPTH, Expressions

OWNER_DEPTH = 3
"""How many nodes around a name are searched for what it is a member of."""

MAKER_DEPTH = 6
"""How many nodes around a label are searched for what it belongs to."""

KEY_MARK = re.compile(rb"\s*:(?!:)")
"""Pattern of what stands between a key and its value in such a row."""

_JOINTS = frozenset({".", "::", "?.", "->"})
"""Marks between a name and what it is a member of, in a row of nodes."""


class Surroundings:
    """What stands around the names of one file, whose expressions `reader` reads."""

    def __init__(self, reader: Expressions) -> None:
        self._reader = reader

    def owner(self, node: tree_sitter.Node, around: tree_sitter.Node | None) -> str | None:
        """Return the path of what a name is a member of. Empty if it stands alone, None if that has no path.

        `around` is its parent.
        """
        start, end = node.byte_range
        # What stands before a node is found from the root of the tree, and few nodes stand in rows.
        before = node.prev_sibling if around is not None and self._reader.role(around) == "row" else None
        if before is not None and before.type in _JOINTS:
            return self._row_before(before) or None
        for _ in range(OWNER_DEPTH):
            if around is None:
                return ""
            role = self._reader.role_of(around)
            if role is not None and role.name in ("member", "root", "method"):
                named = role.places[1].of(around)
                # A grammar may nest to the right: `Value` in `json::(Value::size)`.
                if (
                    named is not None
                    and named.start_byte <= start
                    and (named.end_byte == end or named.start_byte == start)
                ):
                    return self._before_all(around, role)
            if around.end_byte != end and around.start_byte != start:
                return ""
            if role is not None and role.name == "name" and around.start_byte < start:
                return dotted(self._reader.texts[self._reader.source[around.start_byte : start]]) or None
            around = around.parent
        return ""

    def _row_before(self, mark: tree_sitter.Node) -> str:
        """Return the path of what stands before a mark in a row of nodes. Empty if it has none."""
        row: list[tree_sitter.Node] = []
        before: tree_sitter.Node | None = mark
        while before is not None:
            is_joint = before.type in _JOINTS
            row.insert(0, before)
            node, before = before, before.prev_sibling
            if is_joint or before is None or before.type in _JOINTS:
                continue
            # Brackets are those of a call or an element, unless they stand alone.
            if self._reader.role(node) != "row" or self._reader.role(before) not in ("name", "row"):
                break
        return self._reader.path(*row[:-1]) if row[1:] else ""

    def ends_in_text(self, node: tree_sitter.Node, end: int) -> bool:
        """Say whether text follows a name that ends at a byte: `$name` in a template."""
        around: tree_sitter.Node | None = node
        while around is not None and around.end_byte <= end:
            around = around.parent
        return around is not None and (around == node or self._reader.role(around) == "text")

    def made_by(self, node: tree_sitter.Node) -> str | None:
        """Return the path of what is made with a value for a name: `Cart` in `Cart(total=1)`, `Cart()` in `Cart{Total: 1}`.

        Empty if that has no path. None if the name is no label.
        """
        start, around = node.start_byte, node.parent
        if around is not None and self._reader.role(around) == "row":
            return self._row_before(around) or None if self._is_key_in_row(node, around) else None
        for _ in range(OWNER_DEPTH):
            if around is None or self._reader.source[around.start_byte : start].strip(b"."):
                return None
            role = self._reader.role_of(around)
            if role is not None and (
                role.name in ("key", "labelled") or (role.name == "put" and self._reader.is_passed(around))
            ):
                named = role.places[0].of(around)
                is_name = named is not None and named.byte_range == node.byte_range
                # The name alone is a value with the key of its name, but no label.
                is_label = is_name and (around.end_byte > node.end_byte or role.name == "key")
                return self._maker(around) if is_label else None
            around = around.parent
        return None

    def _is_key_in_row(self, node: tree_sitter.Node, row: tree_sitter.Node) -> bool:
        """Say whether a name in braces whose text is a row of marks and names has a value: `total` in `Cart { total: 1 }`."""
        source = self._reader.source
        if not source.startswith(b"{", row.start_byte) or not KEY_MARK.match(source, node.end_byte):
            return False
        before = node.prev_sibling
        return before is not None and before.type in ("{", ",")

    def _maker(self, label: tree_sitter.Node) -> str:
        """Return the path of the object that a label or key belongs to. Empty if nothing within MAKER_DEPTH tells it."""
        around, lists, inside, inner = label.parent, 0, label.parent.type if label.parent is not None else "", ""
        for _ in range(MAKER_DEPTH):
            if around is None:
                break
            role = self._reader.role_of(around)
            if role is not None and role.name in ("call", "method"):
                return (
                    (self._before(around, role) or "") if role.places[0].name == BEFORE else self._callee(around, role)
                )
            if role is not None and role.name in ("new", "literal"):
                cls = role.places[0].of(around)
                name = dotted(self._reader.text(cls))
                made = f"{name}()" if name else cast_to(self._reader.text(cls))
                return made + "[0]" * lists + inner
            if role is not None and role.name == "cast":
                # The brackets of an array stand with its name.
                return cast_to(self._reader.text(role.places[0].of(around))) + inner
            if role is not None and role.name == "key" and around != label:
                outer = role.places[0].of(around)
                is_member = outer is not None and self._reader.source[outer.start_byte - 1 : outer.start_byte] == b"."
                inner = f".{self._reader.text(outer)}{inner}" if is_member else inner
            around = around.parent
            lists += around is not None and around.type == inside
        return ""

    def _callee(self, call: tree_sitter.Node, role: Role) -> str:
        """Return the path of what a call of this role calls."""
        if role.name == "call":
            function = role.places[0].of(call)
            return self._reader.callee(function) if function is not None else ""
        receiver, name = role.places[0].of(call), self._reader.text(role.places[1].of(call))
        return name if receiver is None else stepped(self._reader.read(receiver, DEPTH), f".{name}")

    def _before_all(self, node: tree_sitter.Node, role: Role) -> str | None:
        """Return the path before the name of a member, also where a grammar nests to the right. Empty or None as `_before`."""
        before = self._before(node, role)
        parts = [before] if before else []
        around = node.parent
        while parts and around is not None and len(parts) < DEPTH:
            outer = self._reader.role_of(around)
            named = outer.places[1].of(around) if outer is not None and outer.name == "member" else None
            if outer is None or named is None or named.byte_range != node.byte_range:
                return ".".join(reversed(parts))
            if further := self._before(around, outer):
                parts.append(further)
            node, around = around, around.parent
        return ".".join(reversed(parts)) if parts else before

    def _before(self, node: tree_sitter.Node, role: Role) -> str | None:
        """Return the path of the first part of a member. Empty if it has none, None if nothing before it has a path."""
        if role.places[0].name != BEFORE:
            part = role.places[0].of(node)
            return (self._reader.read(operand(self._reader, part), DEPTH) or None) if part is not None else ""
        step = node if node.prev_named_sibling is not None or node.parent is None else node.parent
        row: list[tree_sitter.Node] = []
        before = step.prev_sibling
        while before is not None:
            row.insert(0, before)
            if before.type in CASCADE and before.parent is not None:
                # What stands before the whole cascade has this member.
                before = before.parent.prev_sibling
                continue
            # What is no step from something before it is the head.
            before = before.prev_sibling if before.type in BETWEEN or self._reader.is_step(before) else None
        return (self._reader.path(*row) if row else "") or None
