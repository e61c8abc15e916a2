"""List what may be meant where nothing is sure: without source, which a reader would take for the answer."""

from collections import Counter
from collections.abc import Sequence

from code_graph_indexer.ask.context import one_line
from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.topic import windows
from code_graph_indexer.explore.wording import called
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.words import sub_words

MAX_CANDIDATES, MAX_UNMATCHED, MAX_WORDS = 8, 3, 12
"""The most candidates, also where none has a word of the question, and the most words of their names that are proposed."""

WEAK, NAMELESS = 3_500, 1_100
"""The most characters for the candidates of a question, and for those of a name that does not exist."""

LINE, SHORTEST_WORD = 140, 3
"""The most characters of a line, and the letters that a proposed word has at least."""


def list_candidates(page: Page, store: Store, symbols: Sequence[Symbol], *, unmatched: bool) -> None:
    """List the definitions that may answer a question, by folder, each with the line that has most words of the question.

    If nothing found has a word of it (`unmatched`), they are few.
    """
    page.limit(WEAK)
    symbols = [symbol for symbol in symbols if symbol.kind != "module"]
    few = sorted(
        symbols[: MAX_UNMATCHED if unmatched else MAX_CANDIDATES],
        key=lambda symbol: symbol.file_path.rpartition("/")[0],
    )
    descriptions = store.descriptions([symbol.node_id for symbol in few])
    lines: list[str] = []
    for symbol in few:
        lines.append(called(symbol))
        if doc := one_line(symbol.doc.partition("\n")[0]):
            lines.append(f"    {doc[:LINE]}")
        if symbol.node_id in descriptions:
            lines.append(f"    {descriptions[symbol.node_id]}")
        span = page.files.span(symbol)
        source = page.files.lines(symbol.file_path)
        if runs := windows(source, *span, page.topic) if span else []:
            number = page.topic.best(source, runs[0])
            lines.append(f"    {number}: {source[number - 1].strip()[:LINE]}")
    page.list("## Candidates, without their source", lines)
    propose_words(page, symbols)


def propose_words(page: Page, symbols: Sequence[Symbol]) -> None:
    """Propose words for the next question: those that several of the definitions which were found have in their names."""
    names = [dict.fromkeys(sub_words(symbol.name)) for symbol in symbols]
    words = Counter(word for name in names for word in name if len(word) >= SHORTEST_WORD)
    near = [word for word, count in words.most_common(MAX_WORDS) if count > 1]
    if near:
        page.write(f"\nWords of this code that may help, in `expect`: {' '.join(near)}")


def list_nearest(page: Page, symbols: Sequence[Symbol]) -> None:
    """List the definitions that are nearest to names which do not exist."""
    page.limit(NAMELESS)
    lines = [called(symbol) for symbol in symbols if symbol.kind != "module"]
    if not lines:
        page.write("Nothing in the index is like this name. Look for a part of it, or ask for what it does in words.")
    page.list("## Nearest to the name, by letters or by words", lines[:MAX_CANDIDATES])
