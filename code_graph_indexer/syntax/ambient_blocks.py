"""Find the blocks of a file whose definitions are for code outside of the repository, such as `declare global { … }`."""

from functools import lru_cache

from code_graph_indexer.languages import load_outer_query, load_parser
from code_graph_indexer.syntax.limits import HardTextError, parse_text, query_matches


# The definitions of a file are asked for one after another.
@lru_cache(maxsize=8)
def outer_blocks(source: bytes, language_name: str) -> tuple[tuple[int, int], ...]:
    """List the first and the last line of each block that the query of a language captures as `@outer`.

    >>> outer_blocks(b"declare global {\\n  interface Window { cart: string }\\n}\\n", "typescript")
    ((1, 3),)
    """
    query = load_outer_query(language_name)
    if query is None:
        return ()
    try:
        matches = query_matches(query, parse_text(load_parser(language_name), source))
        nodes = [node for _, captures in matches for node in captures.get("outer", ())]
    except HardTextError:
        return ()
    return tuple((node.start_point.row + 1, node.end_point.row + 1) for node in nodes)
