"""Show the ways of calls between two definitions: as a picture, and as code, step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from code_graph_indexer.errors import CgiError
from code_graph_indexer.explore.topic import heads
from code_graph_indexer.graph.answers import paths_graph
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.results import CallPaths, Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.web.code import CodeFile, code_lines
from code_graph_indexer.web.lists import fate_of
from code_graph_indexer.web.pages import Pages
from code_graph_indexer.web.pictures import PictureRequest, svg_of

END_DEPTH, MAX_ENDS = 4, 12
"""How many calls away the ends are that a way with one end proposes, and the most of them."""

AROUND = 1
"""Lines before and behind a call that are shown with it."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a way: who calls, the step, how sure it is and why, and its lines below the branches that it stands in."""

    caller: Symbol
    step: Step
    fate: str
    note: str
    lines: tuple[tuple[int, Markup], ...]


class Ways:
    """The page of ways."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.site = pages.site

    def way(self, request: Request) -> Response:
        """Show the ways from one definition to another."""
        name, to = (request.query_params.get(word, "").strip() for word in ("name", "to"))
        asked = PictureRequest(name, to)
        answer, svg, error, choices = None, Markup(""), "", list[tuple[Symbol, str]]()
        if asked.name and asked.to:
            try:
                answer = self.site.remembered(("way", asked), lambda store: self.site.graph.paths(asked.name, asked.to))
                svg = svg_of(paths_graph(answer), asked)
            except CgiError as exc:
                error, choices = self._pages.problem(
                    exc, (asked.name, lambda name: asked.way(name=name)), (asked.to, lambda name: asked.way(to=name))
                )
        ends = self._ends(asked) if not (answer or error) else []
        ways = [list(self._calls(answer, path)) for path in answer.paths] if answer else []
        return self._pages.page(
            "way", request, asked=asked, answer=answer, svg=svg, ways=ways, ends=ends, error=error, choices=choices
        )

    def _ends(self, asked: PictureRequest) -> list[tuple[Symbol, str]]:
        """List what the other end of a way with one end may be, the farthest first, each with the address of the way."""
        name = asked.name or asked.to
        if not name:
            return []
        graph = CodeGraph(self.site.store)
        limits = Limits(END_DEPTH, PROVEN, False)
        try:
            symbol = Names(self.site.store).node(name)
        except CgiError:
            return []
        reach = graph.callees(symbol, limits) if asked.name else graph.callers(symbol, limits, MAX_ENDS)
        steps = sorted(reach.steps, key=lambda step: -step.depth)
        ends = list(dict.fromkeys(step.symbol for step in steps))[:MAX_ENDS]
        return [
            (end, asked.way(**{"to" if asked.name else "name": f"{end.file_path}:{end.qualified_name}"}))
            for end in ends
        ]

    def _calls(self, answer: CallPaths, path: Sequence[Step]) -> Iterator[Call]:
        """Yield the calls of a path with their lines."""
        caller = answer.source
        for step in path:
            first = caller.start_line if caller.file_path == step.file_path else step.line
            code = self.site.code(step.file_path, (min(first, step.line) - AROUND, step.line + AROUND))
            lines = _around(code, caller, step)
            yield Call(caller, step, *fate_of(step), lines)
            caller = step.symbol


def _around(code: CodeFile, caller: Symbol, step: Step) -> tuple[tuple[int, Markup], ...]:
    """Return the lines of a call: the first line of the caller, the branches around the call, and the call itself."""
    text = code.text.decode("utf-8", "replace").split("\n")
    first, last = max(1, step.line - AROUND), min(step.line + AROUND, code.lines)
    numbers = set(range(first, last + 1))
    if caller.file_path == step.file_path and caller.start_line <= step.line <= min(caller.end_line, len(text)):
        numbers = {number for number in numbers if caller.start_line <= number <= caller.end_line}
        numbers.update({caller.start_line, *heads(text, caller.start_line, step.line)})
    return tuple((number, html) for number in sorted(numbers) for html in code_lines(code, number, number))
