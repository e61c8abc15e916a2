"""Show what an example class has in common with others of its kind: what they implement, and the code that collects them."""

import re
from collections.abc import Sequence

from code_graph_indexer.explore.meaning import in_tests
from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.quotes import Quotes
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS

LEAST_KIN = 4
"""The fewest classes of a kind. What fewer have as a base is no kind that another one is added to."""

SHORT = 10
"""The lines of a function that is quoted whole, and not only where it collects a kind."""

EXAMPLE = 0.4
"""The share of the room that the example may take with all its members."""

MAX_EXAMPLES, MAX_BASES, MAX_COLLECTING = 3, 2, 6
"""The most classes tried as the example, the most of its bases that are shown, and the most places that collect its kind."""


class Kin:
    """The kinds that the classes of one index belong to."""

    def __init__(self, store: Store, graph: CodeGraph, quotes: Quotes) -> None:
        self._store = store
        self._graph = graph
        self._quotes = quotes

    def write(self, page: Page, name: str, likely: Sequence[Symbol]) -> None:
        """Quote the class of this name, what it implements with others of its kind, and the code that collects these.

        If no class has the name, it is the first of the `likely` symbols that has others of its kind.
        """
        examples = [symbol for symbol in self._store.symbols([name]) or likely if symbol.kind in CLASS_KINDS]
        for example in [symbol for symbol in examples if not in_tests(symbol)][:MAX_EXAMPLES]:
            above = [step.symbol for step in self._graph.hierarchy(example, 1).bases]
            kinds = {base: [step.file_path for step in self._graph.hierarchy(base, 1).derived] for base in above}
            kinds = {base: files for base, files in kinds.items() if len(files) >= LEAST_KIN}
            if not kinds:
                continue
            # Another one needs the same members.
            if (span := page.files.span(example)) is not None:
                page.quote(example.file_path, range(span[0], span[1] + 1), share=EXAMPLE)
            for base, files in list(kinds.items())[:MAX_BASES]:
                self._write_kind(page, base, files)
            return

    def _write_kind(self, page: Page, base: Symbol, files: Sequence[str]) -> None:
        """Quote what classes in these files implement, and the code that collects them."""
        steps = self._collecting(page, base, files)
        page.list(
            f"## {base.name} is implemented by {len(files)}, and is used outside of them by",
            [f"{step.file_path}:{step.line}  {step.symbol.qualified_name}" for step in steps],
            share=0.2,
        )
        self._quotes.whole(page, base, share=0.3)
        for step in steps:
            is_short = step.symbol.end_line - step.symbol.start_line < SHORT and step.symbol.kind in FUNCTION_KINDS
            if not (is_short and self._quotes.whole(page, step.symbol)):
                self._quotes.site(page, step.symbol, step.file_path, step.line)

    def _collecting(self, page: Page, base: Symbol, kin: Sequence[str]) -> list[Step]:
        """List the uses of a base outside of its kind: first those in a list or type argument."""
        limits = Limits(depth=1, dispatch=False, tests=False)
        pairs = self._graph.references([base.chunk_id], limits, ("types", "references", "calls"), incoming=True)
        of_kin = {*kin, base.file_path}
        steps = [step for _, step in pairs if step.file_path not in of_kin and not in_tests(step.symbol)]
        in_brackets = re.compile(rf"[<\[][^<>\[\]()]*\b{re.escape(base.name)}\b")

        def standing(step: Step) -> tuple[bool, str, int]:
            line = page.files.lines(step.file_path)[step.line - 1 : step.line]
            return not any(map(in_brackets.search, line)), step.file_path, step.line

        first: dict[int, Step] = {}
        for step in sorted(steps, key=standing):
            first.setdefault(step.symbol.node_id, step)
        return list(first.values())[:MAX_COLLECTING]
