"""Sources for the tests: contexts as retrieval would give them."""

from code_graph_indexer.retrieval.results import RelatedDefinition, RetrievedContext


def source(path: str, start: int, content: str, **fields: object) -> RetrievedContext:
    """Return a context whose last line follows from its content."""
    end = start + content.removesuffix("\n").count("\n")
    defaults = {"node_id": start, "score": 1.0, "type": "function", **fields}
    return RetrievedContext(file_path=path, content=content, start_line=start, end_line=end, **defaults)  # type: ignore[arg-type]


def numbered_lines(count: int, start: int = 1) -> str:
    """Return so many lines of code, each its own."""
    return "".join(f"value_{number} = {number}\n" for number in range(start, start + count))


def related(relation: str, name: str, path: str, start: int, line: int) -> RelatedDefinition:
    """Return a neighbour ten lines long."""
    return RelatedDefinition(relation, start, name, "function", path, start, start + 9, line, 0.9)


PARSE = source(
    "src/parser.py",
    10,
    "def parse(text):\n    tokens = split(text)\n    return tree(tokens)\n",
    qualified_name="parser.parse",
    context_header="module parser",
    language="python",
    related_definitions=(
        related("caller", "cli.main", "src/cli.py", 30, 37),
        related("callee", "lexer.split", "src/lexer.py", 5, 11),
    ),
)
SPLIT = source(
    "src/lexer.py", 5, "def split(text):\n    return text.split()\n", qualified_name="lexer.split", language="python"
)
