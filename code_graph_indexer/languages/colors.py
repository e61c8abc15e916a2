"""Choose the nodes of a grammar that a page shows in a colour, by the names that grammars give to their nodes."""

import json
import re
from functools import cache

import tree_sitter

from code_graph_indexer.languages.registry import load_grammar

COLORS = (
    ("comment", re.compile(r"(^|_)(comment|haddock|shebang_line|hash_bang_line)$")),
    (
        "string",
        re.compile(r"(^|_)(string|char|character|rune|charlist|regex|heredoc_body|template_string)(_literal)?$"),
    ),
    ("string", re.compile(r"^(simple_symbol|atom|code_fence_content|indented_code_block)$")),
    ("plain", re.compile(r"interpolat|substitution")),
    ("number", re.compile(r"(^|_)(number|integer|float|floating_point|int|real|imaginary|hex|oct|bin)(_literal)?$")),
    ("number", re.compile(r"^(true|false|null|nil|none|boolean)(_literal)?$")),
    ("type", re.compile(r"^(type|user_type)$|(^|_)(type_identifier|primitive_type|predefined_type|builtin_type)$")),
    ("type", re.compile(r"^(sized_type_specifier|integral_type|floating_point_type|boolean_type|void_type)$")),
    ("heading", re.compile(r"^(atx|setext)_heading$")),
    ("keyword", re.compile(r"^keyword_(?!argument|separator|list|parameter|pattern)")),
)
"""The colours of the page, each with the names of the nodes that have it. Grammars agree on such names by custom."""

KEYWORD = re.compile(r"[@#]?[A-Za-z][A-Za-z_]+")
"""A token of a grammar that is a word. All other tokens are signs."""


@cache
def load_color_query(name: str) -> tree_sitter.Query:
    """Return a query of a language whose captures are the names of colours. Raises GrammarError without the grammar."""
    grammar = load_grammar(name)
    patterns: dict[str, None] = {}
    for kind in range(grammar.node_kind_count):
        word = grammar.node_kind_for_id(kind)
        if not word or not grammar.node_kind_is_visible(kind):
            continue
        if not grammar.node_kind_is_named(kind):
            if KEYWORD.fullmatch(word):
                patterns[f"{json.dumps(word)} @keyword"] = None
        elif color := next((color for color, names in COLORS if names.search(word)), ""):
            patterns[f"({word}) @{color}"] = None
    return tree_sitter.Query(grammar, "\n".join(patterns))
