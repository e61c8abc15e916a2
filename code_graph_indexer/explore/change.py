"""Write what a change affects as a page: what changed, who is affected and how surely, and the tests to run."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.sources import SourceFiles
from code_graph_indexer.explore.wording import called, counted, hole, sureness
from code_graph_indexer.results import Impact, Step, Tour
from code_graph_indexer.storage import Store

MAX_OPEN = 10
"""The most unresolved calls that are listed."""

MAX_PARTNERS = 10
"""The most files that are listed as changed together with the changed ones."""

LISTS = 0.3
"""The share of the room that a list of changed or removed definitions may take."""


def change_tour(store: Store, root: Path | None, impact: Impact, query: str, budget: int) -> Tour:
    """Return the impact of a change as a tour of at most `budget` tokens. `query` names the change."""
    page = Page(SourceFiles(store, root), budget, f"# Change of {query}")
    quote_impact(page, store, impact)
    return Tour(query, "change", "a change", page.text(), page.places)


def quote_impact(page: Page, store: Store, impact: Impact) -> None:
    """Write the impact of a change on a page: tests first, because they are run in any case, then each use with its line."""
    page.list("## Changed", [called(symbol) for symbol in impact.changed], share=LISTS)
    page.list("## Removed", list(impact.removed), share=LISTS)
    page.list("## Changed files without definitions in the index", list(impact.unmapped), share=LISTS)
    tests, code = _tests_by_file(impact), [step for step in impact.affected if not step.symbol.is_test]
    lines = [f"{path}{f': {names}' if (names := _names(tests[path])) else ''}" for path in impact.tests]
    page.list(f"## Tests to run (files: {len(impact.tests)})", lines, share=LISTS)
    if not impact.tests:
        page.write("\nNo test is known to reach the change.")
    likely = Counter(site.file_path for site in impact.open_sites if site.is_test and site.file_path not in tests)
    lines = [f"{path}  ({count} calls)" for path, count in likely.most_common()]
    page.list("## Tests with calls of a changed name that could not be linked", lines, share=LISTS / 2)
    page.write(f"\nAffected definitions outside tests: {len(code)}. Edges: {counted(impact.certainty)}.")
    written = [_affected(step) for step in code]
    rest = page.list("## Affected, by distance, each at the place of its use", written, share=LISTS)
    open_sites = [site for site in impact.open_sites if not site.is_test]
    sites = [f"{site.file_path}:{site.line}  {site.receiver and site.receiver + '.'}{site.name}" for site in open_sites]
    page.list("## Calls that could not be linked and may be affected", sites[:MAX_OPEN], share=LISTS / 2)
    paths = list(dict.fromkeys([*(symbol.file_path for symbol in impact.changed), *impact.unmapped]))
    partners = store.changed_together(paths)
    lines = [f"{path}  ({commits} commits)" for path, commits in partners[:MAX_PARTNERS]]
    page.list("## Files that past commits changed together with these", lines, share=LISTS / 2)
    for symbol in impact.changed:
        span = page.files.span(symbol)
        if span is not None:
            page.quote(symbol.file_path, range(span[0], span[1] + 1), share=LISTS)
    for step in sorted(impact.affected, key=lambda step: (step.depth, step.may, -step.confidence)):
        number = page.files.site(step.file_path, step.line)
        if number is not None and not page.quote(step.file_path, [number]):
            break
    for site in impact.open_sites:
        number = page.files.site(site.file_path, site.line)
        if number is not None and not page.quote(site.file_path, [number], share=LISTS):
            break
    if rest:
        page.note(f"{rest} more affected definitions: cgi impact … --all lists them")
    if missing := hole(impact.certainty, "unresolved calls may be affected too"):
        page.note(missing)


def _affected(step: Step) -> str:
    via = f" via {step.via}" if step.depth > 1 and step.via else ""
    return f"{'  ' * (step.depth - 1)}{step.file_path}:{step.line}  {step.symbol.qualified_name}{via}{sureness(step)}"


def _tests_by_file(impact: Impact) -> dict[str, list[str]]:
    tests: dict[str, list[str]] = defaultdict(list)
    steps = sorted(impact.affected, key=lambda step: (step.depth, step.may, -step.confidence))
    for symbol in (*impact.changed, *(step.symbol for step in steps)):
        if symbol.is_test and symbol.kind != "module":
            tests[symbol.file_path].append(f"{symbol.name}:{symbol.start_line}")
    return tests


def _names(tests: Sequence[str]) -> str:
    most = 6
    names = list(dict.fromkeys(tests))
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
