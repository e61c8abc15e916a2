"""Parse and query with limits on the work. They depend on the bytes of a file, never on a clock or on the machine.

Some texts take a grammar hours, and a query as long on a tree with a node of a million children.
"""

import threading

import tree_sitter

Nodes = list[tree_sitter.Node]
Captures = dict[str, Nodes]
"""The nodes of each capture of a match."""

STEPS, STEPS_PER_KB = 2_000, 200
"""Most steps of parsing a text: the first number, and the second for each KB. A step is a hundred actions of the parser.

Code of people takes up to 30 steps for each KB, and a table of numbers up to 180.
"""

READ_BYTES, MAX_READS = 1 << 13, 200_000
"""Bytes that the parser reads at a time, and the most reads. Some grammars look ahead to the end of the text at each word."""

NODE_BYTES = 256
"""Bytes that are read at a time for the text of a node, which a predicate of a query compares. Most are names."""

MAX_TREE_DEPTH = 1_000
"""The deepest node at which a match of a query may begin. Each node costs a query as many steps as it is deep."""

MAX_SIGNS = 20_000
"""The most children without a name (brackets, commas) of a node with errors.

A query looks at all following children for each of them.
"""


class HardTextError(Exception):
    """A text takes more work than a parser is given. The message names the limit."""


class _Buffer(threading.local):
    """The bytes that the parser reads now. Each thread has its own."""

    def __init__(self) -> None:
        self.content = bytearray()


_buffer = _Buffer()


def parse_text(parser: tree_sitter.Parser, text: bytes, earlier: tree_sitter.Tree | None = None) -> tree_sitter.Tree:
    """Parse a text. Raises HardTextError if that takes too many steps or reads.

    `earlier` is the edited tree of an earlier text. Its parts that are unchanged are not parsed again.
    """
    most_steps = STEPS + STEPS_PER_KB * len(text) // 1024
    steps = reads = 0
    parsing = True
    # The binding never lets go of what is read. New bytes at each read would be a leak, one buffer is none.
    buffer = _buffer.content

    def read(offset: int, _point: object) -> bytes | bytearray:
        nonlocal reads
        if not parsing:
            # The tree asks for the text of a node, and accepts nothing but `bytes`.
            return text[offset : offset + NODE_BYTES]
        reads += 1
        buffer[:] = text[offset : offset + READ_BYTES]
        return buffer

    def is_over(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > most_steps or reads > MAX_READS

    try:
        if earlier is not None:
            return parser.parse(read, earlier, progress_callback=is_over)
        return parser.parse(read, progress_callback=is_over)
    except ValueError as exc:
        # The parser would go on with this text at the next call.
        parser.reset()
        limit = f"{most_steps} steps" if steps > most_steps else f"{MAX_READS} reads"
        raise HardTextError(f"over {limit} of the parser") from exc
    finally:
        parsing = False


def query_matches(query: tree_sitter.Query, tree: tree_sitter.Tree) -> list[tuple[int, Captures]]:
    """Return the matches of a query in a tree, down to MAX_TREE_DEPTH, each with the position of its pattern.

    Raises HardTextError if a node has too many children that are mere signs.
    """
    return _cursor(query, tree).matches(tree.root_node)


def _cursor(query: tree_sitter.Query, tree: tree_sitter.Tree) -> tree_sitter.QueryCursor:
    """Return a cursor that starts no match below MAX_TREE_DEPTH. Raises HardTextError for errors with too many signs."""
    if tree.root_node.has_error:
        _refuse_flat_errors(tree)
    cursor = tree_sitter.QueryCursor(query)
    cursor.set_max_start_depth(MAX_TREE_DEPTH)
    return cursor


def query_captures(query: tree_sitter.Query, tree: tree_sitter.Tree, start: int, end: int) -> Captures:
    """Return the nodes of each capture of a query that touch a run of bytes, with the limits of `query_matches`."""
    cursor = _cursor(query, tree)
    cursor.set_byte_range(start, end)
    return cursor.captures(tree.root_node)


def _refuse_flat_errors(tree: tree_sitter.Tree) -> None:
    """Raise HardTextError if a node with errors has more than MAX_SIGNS children that are mere signs."""
    nodes = [tree.root_node]
    while nodes:
        node = nodes.pop()
        if node.child_count - node.named_child_count > MAX_SIGNS:
            raise HardTextError(f"over {MAX_SIGNS} signs in a row")
        nodes += [child for child in node.children if child.has_error]
