"""List the names in the trees of a file, with what tells of a name where it stands: keys of objects, labels and imports."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import tree_sitter

from code_graph_indexer.languages.registry import load_grammar
from code_graph_indexer.syntax.innermost import Span
from code_graph_indexer.syntax.limits import Nodes
from code_graph_indexer.syntax.roles import Role, has_keys, named_types, roles_of, types_of

IMPORTS = re.compile(r"import|(?:^|_)us(?:e|ing)(?:_|$)|combinator|package")
"""Pattern of the types of nodes in which an import names what it binds."""

EXPORT = "export_statement"
"""The type of an export. One from another file imports its names. Any other names what this file has."""

Entry = tuple[tree_sitter.Node, tree_sitter.Node]
"""The parent of a key, and the object or pattern that it is a key of. They are one for a name that is key and value."""


@dataclass
class Names:
    """The names in the trees of a file, in no order, the keys among them, and the spans of all labels, keys and imports.

    The way from a name to its parent begins at the root of the tree. With these, most names need not go it.
    """

    nodes: Nodes = field(default_factory=list)
    keys: dict[tree_sitter.Node, Entry] = field(default_factory=dict)
    labels: set[Span] = field(default_factory=set)
    imports: list[Span] = field(default_factory=list)

    def add(self, further: "Names", nodes: Sequence[tree_sitter.Node] | None = None) -> None:
        """Add the names of another tree, or only `nodes` of them."""
        self.nodes += further.nodes if nodes is None else nodes
        self.keys |= further.keys
        self.labels |= further.labels
        self.imports += further.imports


@cache
def _query(name: str) -> tree_sitter.Query | None:
    """Return the query of all names in a language's trees, and of what tells of them. None if the language has no names."""
    grammar = load_grammar(name)
    keyed = has_keys(name)
    types = {
        "name": types_of(name, "name"),
        "object": types_of(name, "mapping", "object") if keyed else (),
        "labelled": types_of(name, "key", "labelled", "put") if keyed else (),
        "import": [
            kind for kind in named_types(name, range(grammar.node_kind_count)) if IMPORTS.search(kind) or kind == EXPORT
        ],
    }
    patterns = [f"({kind}) @{capture}" for capture, kinds in types.items() for kind in kinds]
    return tree_sitter.Query(grammar, "\n".join(patterns)) if types["name"] else None


def names_of(tree: tree_sitter.Tree, language: str) -> Names:
    """List the names of a tree of a language."""
    query = _query(language)
    captures = tree_sitter.QueryCursor(query).captures(tree.root_node) if query is not None else {}
    roles = roles_of(language) if "object" in captures or "labelled" in captures else {}
    labels = (roles[node.kind_id].places[0].of(node) for node in captures.get("labelled", ()))
    return Names(
        captures.get("name", []),
        _keys(captures.get("object", ()), roles),
        {label.byte_range for label in labels if label is not None},
        [node.byte_range for node in captures.get("import", ())],
    )


def _keys(objects: Sequence[tree_sitter.Node], roles: dict[int, Role]) -> dict[tree_sitter.Node, Entry]:
    """Map each key of an object or pattern to its parent and the object. Other parts may be mapped too."""
    keys: dict[tree_sitter.Node, Entry] = {}
    for node in objects:
        for part in node.named_children:
            role = roles.get(part.kind_id)
            # A place in a part is that of no child.
            is_pair = role is not None and role.name in ("key", "put") and role.places[0].inner is None
            key = role.places[0].of(part) if role is not None and is_pair else None
            if key is not None:
                keys[key] = part, node
            elif role is not None and role.name == "name":
                keys[part] = node, node
    return keys
