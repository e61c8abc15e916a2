"""Answer requests for code: a file, parts of it, a definition, and what a reference leads to."""

import mimetypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.outside import number_of
from code_graph_indexer.results import Symbol
from code_graph_indexer.web.code import FATES, MAX_CALLERS, WINDOW_LINES, CodeFile, code_lines
from code_graph_indexer.web.docstrings import as_markdown
from code_graph_indexer.web.guard import IMAGE_POLICY
from code_graph_indexer.web.links import code_link, crumbs, definition_link, read_lines
from code_graph_indexer.web.lists import MAX_ROWS, Filter, Lists
from code_graph_indexer.web.pages import Pages, definition_of
from code_graph_indexer.web.prose import document, is_image

SOURCE_LINES = 120
"""Most lines of a definition on its page. The file has them all."""

LEAST_FOLDED = 4
"""Lines of documentation from which they are folded in the source below."""

CARD_DOC = 300
"""Most characters of documentation beside a link."""

MAX_CARDS = 5
"""Most candidates that are described beside a link."""

MAX_FOUND = 5_000
"""Most lines of a file that a find returns."""


@dataclass(frozen=True, slots=True)
class Window:
    """Some lines of a file: those from `first` to `last`, or, if `lines` is None, the room for them."""

    first: int
    last: int
    lines: tuple[Markup, ...] | None


class Reading:
    """The views of a site in which code is read."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.site = pages.site

    def code(self, request: Request) -> Response:
        """Show a file."""
        path = str(request.path_params["path"])
        first, last = read_lines(request.query_params.get("at", ""))
        is_prose = path in self._pages.documents
        if is_prose and not first and "source" not in request.query_params:
            return self._document(request, path)
        code = self.site.code(path)
        outline = self.site.remembered(("outline", path), lambda store: self.site.indexer.outline(path))
        around = {(line - 1) // WINDOW_LINES for line in (1, first - 40, first, first + 60) if line > 0}
        windows = [
            self._window(code, number, loaded=number in around)
            for number in range(-(-max(code.lines, 1) // WINDOW_LINES))
        ]
        file = self.site.files()[path]
        gutters = self._gutters(code, [window for window in windows if window.lines is not None])
        return self._pages.page(
            "code",
            request,
            path=path,
            levels=self.site.levels(),
            is_file=True,
            fates=_counted_fates(code),
            is_prose=is_prose,
            file=file,
            code=code,
            windows=windows,
            gutters=gutters,
            outline=[symbol for symbol in outline.symbols if symbol.kind not in ("module", "text", "block")],
            depths=outline.depths,
            complete=outline.complete,
            first=first,
            last=last,
            crumbs=crumbs(path),
        )

    def _document(self, request: Request, path: str) -> Response:
        """Show a document as a page."""
        shown = self._pages.documents.read(path)
        return self._pages.page(
            "document",
            request,
            path=path,
            levels=self.site.levels(),
            is_file=True,
            document=shown,
            crumbs=crumbs(path),
        )

    def raw(self, request: Request) -> Response:
        """Return an image of the repository. Nothing in it may run or load anything."""
        path = str(request.path_params["path"])
        place = read_numbers(request.query_params.get("output", ""))
        content = self._pages.documents.image(path) if is_image(path) else None
        kind = mimetypes.guess_type(path)[0]
        if output := self._pages.documents.output(path, *place):
            content, kind = output
        if content is None:
            raise NotInIndexError(f"there is no image {path!r}")
        return Response(content, media_type=kind, headers={"content-security-policy": IMAGE_POLICY})

    def lines(self, request: Request) -> Response:
        """Return one window of the lines of a file."""
        number = max(0, (read_lines(request.query_params.get("from", ""))[0] - 1) // WINDOW_LINES)
        code = self.site.code(
            str(request.path_params["path"]), (number * WINDOW_LINES + 1, (number + 1) * WINDOW_LINES)
        )
        window = self._window(code, number, loaded=True)
        return self._pages.part("lines", window=window, gutters=self._gutters(code, [window]), first=0, last=0)

    def find(self, request: Request) -> Response:
        """Return the numbers of the lines of a file that hold a text, whatever its capital letters."""
        words = request.query_params.get("q", "").lower()
        text = self.site.code(str(request.path_params["path"])).text.decode("utf-8", "replace").lower()
        lines = [number for number, line in enumerate(text.split("\n"), 1) if words in line] if words else []
        return JSONResponse({"lines": lines[:MAX_FOUND], "total": len(lines)})

    def tree(self, request: Request) -> Response:
        """Return what is in a folder, for the tree of files."""
        folder = str(request.path_params["path"]).strip("/")
        if folder not in self.site.levels():
            raise NotInIndexError(f"no file of the index is below {folder!r}")
        return self._pages.part("tree", levels=self.site.levels(), folder=folder)

    def excerpt(self, request: Request) -> Response:
        """Return the lines of a file around a place, to be shown beside an answer."""
        path = str(request.path_params["path"])
        first, last = read_lines(request.query_params.get("at", ""))
        start_line, end_line = max(1, first - 10), max(last, first) + 30
        code = self.site.code(path, (start_line, end_line))
        end_line = min(code.lines, end_line)
        window = Window(start_line, end_line, tuple(code_lines(code, start_line, end_line)))
        return self._pages.part("excerpt", path=path, window=window, gutters={}, first=first, last=last)

    def _window(self, code: CodeFile, number: int, *, loaded: bool) -> Window:
        """Return a part of a file, WINDOW_LINES long, by its number from 0. The lines of one that is not `loaded` are None."""
        first = number * WINDOW_LINES + 1
        last = min(first + WINDOW_LINES - 1, code.lines)
        return Window(first, last, tuple(code_lines(code, first, last)) if loaded else None)

    def _gutters(self, code: CodeFile, windows: list[Window]) -> dict[int, tuple[Symbol, int]]:
        """Map the lines of definitions in some windows to each that has callers, and to their number, up to a limit."""
        symbols = {
            line: symbol
            for line, symbol in code.definitions.items()
            if any(window.first <= line <= window.last for window in windows)
        }
        counts = self._caller_counts([symbol.chunk_id for symbol in symbols.values()])
        return {
            line: (symbol, counts[symbol.chunk_id]) for line, symbol in symbols.items() if symbol.chunk_id in counts
        }

    def _caller_counts(self, chunk_ids: list[int]) -> dict[int, int]:
        """Count the callers of chunks, up to a limit. Those without any are left out."""
        callers: dict[int, set[int]] = {}
        for edge in self.site.store.callers_of(chunk_ids, MAX_CALLERS + 1):
            callers.setdefault(edge.of, set()).add(edge.chunk_id)
        return {chunk_id: len(ids) for chunk_id, ids in callers.items()}

    def go(self, request: Request) -> Response:
        """Lead to the page of a definition, by the id of its node. A member, such as a constant, is shown on its line."""
        symbol = self._node(number_of(str(request.path_params["id"])))
        is_chunk = symbol.member_id is None
        return self._pages.lead(
            definition_link(symbol) if is_chunk else code_link(symbol.file_path, symbol.start_line), 302
        )

    def _node(self, node_id: int | None) -> Symbol:
        """Return the definition with an id. Raises NotInIndexError if the index has none (any more)."""
        nodes = {} if node_id is None else self.site.store.nodes([node_id])
        if node_id is None or node_id not in nodes:
            raise NotInIndexError(
                "the index changed, and this link led to a definition that is gone; go back, and reload"
            )
        return nodes[node_id]

    def definition(self, request: Request) -> Response:
        """Show a definition, and all that the graph knows of it."""
        tests, sure, whole = (request.query_params.get(name, "") for name in ("tests", "sure", "all"))
        shown = Filter(tests, sure, whole)
        symbol = definition_of(self.site, request)
        store = self.site.store
        last = min(symbol.end_line, symbol.start_line + SOURCE_LINES - 1)
        code = self.site.code(symbol.file_path, (symbol.start_line, last))
        lists = Lists(store, self.site.files(), symbol, shown)
        parts: dict[str, Any] = {
            "lists": lists.all(),
            "declarations": lists.callers.declarations if symbol.member_id is None else (),
            "alternatives": lists.callers.alternatives if symbol.member_id is None else (),
        }
        return self._pages.page(
            "definition",
            request,
            symbol=symbol,
            shown=shown,
            sources=list(_sources(code, symbol, last)),
            last=last,
            doc=self._doc(symbol),
            description=self.site.store.descriptions([symbol.node_id]).get(symbol.node_id),
            crumbs=crumbs(symbol.file_path),
            owner=symbol.qualified_name.removesuffix(symbol.name),
            gutters={},
            most=MAX_ROWS,
            **parts,
        )

    def _doc(self, symbol: Symbol) -> Markup:
        """Return the documentation of a definition as HTML."""
        places = self._pages.documents.places()
        return document(as_markdown(symbol.doc), symbol.file_path, places).html if symbol.doc else Markup("")

    def card(self, request: Request) -> Response:
        """Describe the definitions that a link leads to."""
        texts = request.query_params.get("ids", "").split(",")[:MAX_CARDS]
        ids = [number for text in texts if (number := number_of(text)) is not None]
        nodes = self.site.store.nodes(ids)
        counts = self._caller_counts(ids)
        cards = [
            (symbol, symbol.doc.strip().split("\n\n")[0][:CARD_DOC], counts.get(symbol.chunk_id, 0))
            for symbol in nodes.values()
        ]
        return self._pages.part("card", cards=cards, most=MAX_CALLERS)

    def reference(self, request: Request) -> Response:
        """List the definitions that a reference may mean."""
        path = str(request.path_params["path"])
        line, column = read_numbers(request.query_params.get("at", ""))
        store = self.site.store
        matches = [reference for reference in store.reference_fates(path, (line, line)) if reference.column == column]
        if not matches:
            raise NotInIndexError(f"{path} has no reference at line {line} any more")
        candidates = store.nodes(list(matches[0].candidates))
        return self._pages.page(
            "reference", request, path=path, line=line, name=matches[0].name, candidates=list(candidates.values())
        )


def _sources(code: CodeFile, symbol: Symbol, last: int) -> Iterator[tuple[Window, bool]]:
    """Yield the source of a definition in parts, each with whether it is the documentation that the page shows above."""
    doc = symbol.doc.strip().split("\n")
    text = code.text[code.starts[symbol.start_line - 1] : code.starts[last]].decode("utf-8", "replace").split("\n")
    first = next((number for number, line in enumerate(text) if doc[0].strip() in line), 0) if doc[0] else 0
    end = first + len(doc)
    is_repeated = first and len(doc) >= LEAST_FOLDED and end <= len(text) and doc[-1].strip() in text[end - 1]
    marks = [0, first, end] if is_repeated else [0]
    for place, start in enumerate(marks):
        begin, stop = (
            symbol.start_line + start,
            symbol.start_line + marks[place + 1] - 1 if place + 1 < len(marks) else last,
        )
        if begin <= stop:
            yield Window(begin, stop, tuple(code_lines(code, begin, stop))), place == 1


def read_numbers(text: str) -> tuple[int, int]:
    """Read two numbers of an address: `12-7` is column 7 of line 12, or output 7 of cell 12."""
    first, _, second = text.partition("-")
    return number_of(first) or 0, number_of(second) or 0


def _counted_fates(code: CodeFile) -> list[tuple[str, int]]:
    """Count the links of a file by how sure they are, the surest first."""
    counts = Counter(link.fate for link in code.links)
    return [(fate, counts[fate]) for fate in FATES if counts[fate]]
