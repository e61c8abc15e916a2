"""Write what a change affects as a page: what changed, who is affected and how surely, and the tests to run."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from code_graph_indexer.ask.context import one_line
from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.quotes import Quotes
from code_graph_indexer.explore.texts import LEAST_NAME, matching_lines
from code_graph_indexer.explore.topic import Topic, comment_start
from code_graph_indexer.explore.wording import called, counted, hole, sureness
from code_graph_indexer.graph.code_graph import UNLINKED, by_distance
from code_graph_indexer.graph.declared import FUNCTIONS
from code_graph_indexer.graph.results import Impact, Step
from code_graph_indexer.results import Filters, Symbol
from code_graph_indexer.retrieval.query import MAX_QUERY
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.storage import Store
from code_graph_indexer.words import sub_words

MAX_OPEN = 10
"""The most unresolved calls that are listed."""

MAX_PARTNERS = 10
"""The most files that are listed as changed together with the changed ones."""

MAX_WORDED, MAX_SIMILAR = 5, 8
"""The most changed definitions whose names and docs are searched in tests, and the most tests that this finds."""

MAX_NAMING = 12
"""The most chunks of tests that are looked through for a name."""

MAX_TELLING = 10
"""The most tests that are listed with how they reach the change."""

MAX_FILES = 40
"""The most test files that are listed. Below an event loop, most tests reach a change."""

TESTS = 0.5
"""The share of the room that the tests to run may take."""

LISTS = 0.2
"""The share of the room that one list may take, or one quotation."""


def quote_impact(page: Page, store: Store, impact: Impact, retriever: CodeRetriever) -> None:
    """Write the impact of a change on a page: tests first, because they are run in any case, then each use with its line.

    `retriever` also finds tests that read like the change, for those that no call is known to tie to it.
    """
    lines_of = _test_lines(store, impact)
    _list_changed(page, impact)
    _list_tests(page, store, impact, retriever, lines_of)
    rest = _list_affected(page, impact)
    _list_partners(page, store, impact)
    _quote_tests(page, impact.tests, lines_of)
    _quote_changed(page, impact)
    _quote_uses(page, impact)
    _note_gaps(page, impact, rest)


def answer_impact(page: Page, store: Store, impact: Impact, retriever: CodeRetriever, quotes: Quotes) -> None:
    """Write the answer to the question what breaks: who does the work, each use as far as it decides, and then the tests."""
    lines_of = _test_lines(store, impact)
    _list_changed(page, impact)
    rest = _list_affected(page, impact)
    _list_tests(page, store, impact, retriever, lines_of)
    _list_partners(page, store, impact)
    _quote_changed(page, impact)
    quotes.doers(page, impact.changed)
    code = [step for step in impact.affected if step.depth == 1 and not step.symbol.is_test]
    quotes.sites(page, code, wide=True)
    _quote_uses(page, impact)
    _quote_tests(page, impact.tests, lines_of)
    _note_gaps(page, impact, rest)


def _list_changed(page: Page, impact: Impact) -> None:
    page.list("## Changed", [called(symbol) for symbol in impact.changed], share=LISTS)
    page.list("## Removed", list(impact.removed), share=LISTS)
    page.list("## Changed files without definitions in the index", list(impact.unmapped), share=LISTS)


def _list_partners(page: Page, store: Store, impact: Impact) -> None:
    paths = list(dict.fromkeys([*(symbol.file_path for symbol in impact.changed), *impact.unmapped]))
    partners = store.changed_together(paths)
    lines = [f"{path}  ({commits} commits)" for path, commits in partners[:MAX_PARTNERS]]
    page.list("## Files that past commits changed together with these", lines, share=LISTS / 2)


def _quote_changed(page: Page, impact: Impact) -> None:
    for symbol in impact.changed:
        span = page.files.span(symbol)
        if span is not None:
            first = comment_start(page.files.lines(symbol.file_path), span[0])
            page.quote(symbol.file_path, range(first, span[1] + 1), share=LISTS)


def _quote_uses(page: Page, impact: Impact) -> None:
    for step in sorted(impact.affected, key=by_distance):
        _quote_site(page, step.file_path, step.line)
    for site in impact.open_sites:
        _quote_site(page, site.file_path, site.line)


def _note_gaps(page: Page, impact: Impact, rest: int) -> None:
    """Note what the page lacks: `rest` definitions that had no room, and what is not known."""
    if rest:
        page.note(f"{rest} more affected definitions; a larger budget lists them")
    if missing := hole(impact.certainty, "unresolved calls may be affected too"):
        page.note(missing)


def _list_tests(
    page: Page, store: Store, impact: Impact, retriever: CodeRetriever, lines_of: Mapping[str, list[int]]
) -> None:
    """List the tests to run, and those that may be meant although no call is known to tie them to the change."""
    if impact.tests:
        changed = _changed_tests(impact)
        # What stands inside a test is a part of it.
        names = {symbol.qualified_name for symbol in changed}
        telling = [
            f"{symbol.file_path}:{symbol.start_line}  {symbol.name}  (changed itself)"
            for symbol in changed
            if symbol.qualified_name.rpartition(".")[0] not in names
        ]
        telling = [*telling[:MAX_TELLING], *map(_why, _telling(impact))][:MAX_TELLING]
        page.list("## Tests that tell most, and why", telling, share=LISTS)
        rest = len(impact.tests) - MAX_FILES
        more = [f"… and {rest} more"] if rest > 0 else []
        lines = [*impact.tests[:MAX_FILES], *more]
        page.list(f"## Test files to run, the likeliest first (files: {len(impact.tests)})", lines, share=LISTS)
    else:
        page.write("\nNo test is known to reach the change.")
    likely = Counter(site.file_path for site in impact.open_sites if site.is_test and site.file_path not in lines_of)
    lines = [f"{path}  ({count} calls)" for path, count in likely.most_common()]
    page.list("## Tests with calls of a changed name that could not be linked", lines, share=LISTS / 2)
    naming = _naming_tests(store, impact, lines_of)
    page.list("## Tests that name it or its class, without a known call", naming, share=LISTS / 2)
    page.list("## Tests that read like the change", _similar_tests(retriever, impact, lines_of), share=LISTS / 2)


def _changed_tests(impact: Impact) -> list[Symbol]:
    return [symbol for symbol in impact.changed if symbol.is_test and symbol.kind in FUNCTIONS]


def _telling(impact: Impact) -> list[Step]:
    """Return the tests that tell most of a change: the nearest, and among those the ones that are named as it is.

    What other tests lead over is a fixture or a helper, and no test that is run by itself. A changed test is said apart.
    """
    helpers = {step.via for step in impact.test_steps} | {symbol.qualified_name for symbol in _changed_tests(impact)}
    topic = Topic(" ".join(["change", *(symbol.name for symbol in impact.changed)]))
    first: dict[int, Step] = {}
    for step in sorted(impact.test_steps, key=lambda step: (step.depth, step.may, -step.confidence)):
        name = step.symbol.qualified_name
        if step.symbol.kind != "module" and name not in helpers and name.rpartition(".")[0] not in helpers:
            first.setdefault(step.symbol.chunk_id, step)
    steps = list(first.values())
    by_name = [steps[position] for position in topic.ordered([step.symbol for step in steps])]
    return sorted(by_name, key=lambda step: (step.depth, step.may))[:MAX_TELLING]


def _why(step: Step) -> str:
    """Return a test as one line, with how it reaches the change."""
    if step.confidence <= UNLINKED:
        how = f"calls a {step.via or 'function'} of that name, which is not linked"
    elif step.depth == 1:
        how = "calls it" if step.kind == "calls" else f"{step.kind} it"
    else:
        how = f"over {step.via}" if step.via else f"over {step.depth - 1} calls"
    possible = ", by dynamic dispatch" if step.may else ""
    return f"{step.file_path}:{step.line}  {step.symbol.name}  ({how}{possible})"


def _list_affected(page: Page, impact: Impact) -> int:
    """List what the change affects outside of tests. Return how many definitions had no room."""
    code = [step for step in impact.affected if not step.symbol.is_test]
    page.write(f"\nAffected definitions outside tests: {len(code)}. Edges: {counted(impact.certainty)}.")
    rest = page.list(
        "## Affected, by distance, each at the place of its use", [_affected(step) for step in code], share=LISTS
    )
    open_sites = [site for site in impact.open_sites if not site.is_test]
    lines = [f"{site.file_path}:{site.line}  {site.receiver and site.receiver + '.'}{site.name}" for site in open_sites]
    page.list("## Calls that could not be linked and may be affected", lines[:MAX_OPEN], share=LISTS / 2)
    return rest


def _quote_site(page: Page, path: str, line: int) -> None:
    if page.files.site(path, line) is not None:
        page.quote(path, [line], share=LISTS)


def _quote_tests(page: Page, paths: Sequence[str], lines_of: Mapping[str, Sequence[int]]) -> None:
    """Quote the first line of each test, of each file in turn, as long as there is room for the rest of the page."""
    least = page.room * (1 - TESTS)
    for number in range(max(map(len, lines_of.values()), default=0)):
        for path in paths:
            if number < len(lines_of[path]) and page.room > least:
                _quote_site(page, path, lines_of[path][number])


def _test_lines(store: Store, impact: Impact) -> dict[str, list[int]]:
    """Map each test file to the lines of the tests in it that reach the change, nearest first.

    Where tests are no functions, these are the lines of the uses at the top level of the file.
    """
    chunk_ids = [symbol.chunk_id for symbol in impact.changed if symbol.is_test]
    chunk_ids += [step.symbol.chunk_id for step in impact.test_steps]
    name_lines = {chunk.id: chunk.name_line for chunk in store.chunks(list(dict.fromkeys(chunk_ids)))}
    lines: dict[str, dict[int, None]] = {path: {} for path in impact.tests}
    for symbol in impact.changed:
        if symbol.is_test and symbol.file_path in lines:
            lines[symbol.file_path][name_lines.get(symbol.chunk_id, symbol.start_line)] = None
    for step in impact.test_steps:
        symbol = step.symbol
        line = step.line if symbol.kind == "module" else name_lines.get(symbol.chunk_id, symbol.start_line)
        if symbol.file_path == step.file_path in lines:
            lines[step.file_path][line] = None
    return {path: list(numbers) for path, numbers in lines.items()}


def _naming_tests(store: Store, impact: Impact, lines_of: Mapping[str, Sequence[int]]) -> list[str]:
    """Return places in the code of tests that hold the name of a changed function, or of the class of a changed method."""
    names: dict[str, None] = {}
    for symbol in [symbol for symbol in impact.changed if not symbol.is_test][:MAX_WORDED]:
        parts = symbol.qualified_name.split(".")
        name = parts[-2] if symbol.kind == "method" and len(parts) > 1 else symbol.name
        if len(name) >= LEAST_NAME:
            names[name] = None
    code = Filters(tests=True, source_types=("code",))
    first: dict[str, str] = {}
    for name in names:
        chunks = store.chunks(store.substrings(name, code, MAX_NAMING).ids.tolist())
        # The search for substrings takes any case.
        for chunk, number, _ in matching_lines(store, chunks, re.compile(rf"\b{re.escape(name)}\b")):
            if chunk.path not in lines_of:
                first.setdefault(chunk.path, f"{chunk.path}:{number}  {chunk.name}")
    return list(first.values())


def _similar_tests(retriever: CodeRetriever, impact: Impact, lines_of: Mapping[str, Sequence[int]]) -> list[str]:
    """Return the tests that a search for the names and docs of the change finds, without those in the files listed already."""
    code = [symbol for symbol in impact.changed if not symbol.is_test][:MAX_WORDED]
    words = " ".join(f"{symbol.name} {one_line(symbol.doc.partition(chr(10))[0])}" for symbol in code)
    if not words.strip():
        return []
    contexts = retriever.search(words[:MAX_QUERY], Filters(tests=True), limit=MAX_SIMILAR)
    names = [set(sub_words(symbol.name)) for symbol in code]
    return [
        f"{context.file_path}:{context.start_line}  {context.name}"
        for context in contexts
        if context.file_path not in lines_of
        and any(2 * len(name.intersection(sub_words(context.name))) >= len(name) for name in names)
    ]


def _affected(step: Step) -> str:
    via = f" via {step.via}" if step.depth > 1 and step.via else ""
    return f"{'  ' * (step.depth - 1)}{step.file_path}:{step.line}  {step.symbol.qualified_name}{via}{sureness(step)}"
