"""Answer the requests of a site: each view reads an address, asks the index, and fills a template."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from code_graph_indexer.errors import CgiError, IndexFormatError, NotInIndexError, UsageError
from code_graph_indexer.freshness import Freshness, FreshnessState
from code_graph_indexer.graph.draw import FORMATS, draw
from code_graph_indexer.graph.results import Impact
from code_graph_indexer.outside import number_of, revisions_of
from code_graph_indexer.picture.graph import GraphExport
from code_graph_indexer.picture.svg import draw_svg, stylesheet
from code_graph_indexer.printable import CONTROL_CODES
from code_graph_indexer.render import clean
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.filters import written_filters
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.storage import Store
from code_graph_indexer.web import start
from code_graph_indexer.web.answers import Talks
from code_graph_indexer.web.code import FATES, MAX_CALLERS, WINDOW_LINES, CodeFile, code_lines, snippet_lines
from code_graph_indexer.web.links import (
    address,
    code_link,
    definition_link,
    folder_link,
    read_lines,
    search_link,
)
from code_graph_indexer.web.lists import MAX_ROWS, Filter, Lists, impact_view
from code_graph_indexer.web.pictures import Links, PictureRequest, graph_of, picture_link, read_request, shows_of
from code_graph_indexer.web.site import Site
from code_graph_indexer.web.start import Folder
from code_graph_indexer.web.tree import MAX_LEVEL, Level, levels

SHOWN_SYMBOLS, SHOWN_PATHS, SHOWN_MATCHES, SHOWN_RESULTS = 8, 3, 6, 20
"""Most definitions, files and results that the box suggests, and most results of a page."""

MAX_QUERY = 300
"""Most characters of a query."""

MAX_CHOICES = 40
"""Most definitions of a name among which the page lets choose."""

MAX_OFFERS = 4
"""Most repositories that a click restricts a search to."""

MAX_SCOPES = 60
"""Most repositories among which the box lets choose. Of more, write `repo:NAME`."""

MAX_REPOSITORIES = 200
"""Most repositories that the start page lists."""

MAX_FILES = 300
"""Most files of a folder that its page lists, until the reader asks for all of them."""

HUBS = 12
"""Definitions that the start page lists as those on which most depends."""

SOURCE_LINES = 120
"""Most lines of a definition on its page. The file has them all."""

SNIPPET_LINES = 6
"""Most lines of a result."""

CARD_DOC = 300
"""Most characters of documentation beside a link."""

MAX_CARDS = 5
"""Most candidates that are described beside a link."""

MAX_FOUND = 5_000
"""Most lines of a file that a find returns."""

View = Callable[[Request], Response]

VISIBLE = dict.fromkeys(CONTROL_CODES, "\ufffd")


@dataclass(frozen=True, slots=True)
class Window:
    """Some lines of a file: those from `first` to `last`, or, if `lines` is None, the room for them."""

    first: int
    last: int
    lines: tuple[Markup, ...] | None


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter of a search: its text, and the address of the search with or without it."""

    text: str
    href: str
    active: bool


@cache
def templates() -> Environment:
    """Return the templates. Everything that they show is escaped."""
    environment = Environment(
        loader=FileSystemLoader(str(files(__package__) / "templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    environment.globals.update(
        max_level=MAX_LEVEL,
        code_link=code_link,
        definition_link=definition_link,
        folder_link=folder_link,
        search_link=search_link,
        picture_link=picture_link,
        address=address,
    )
    environment.filters["count"] = lambda number: f"{number:,}"
    return environment


def _visible(value: object) -> object:
    """Show characters that control or turn text as a sign. A file may have them in its name."""
    return value.translate(VISIBLE) if type(value) is str else value


class Views:
    """The views of a site."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.talks = Talks(site)

    def steady(self, view: View) -> View:
        """Return a view during which the index stays as it is."""

        def show(request: Request) -> Response:
            with self.site.reading():
                return view(request)

        return show

    def page(self, template: str, request: Request, status: int = 200, /, **parts: Any) -> Response:
        """Fill the template of a whole page."""
        parts.setdefault("query", "")
        text = (
            templates()
            .get_template(f"{template}.html")
            .render(
                site=self.site.name,
                stamp=self.site.stamp,
                note=self._note(),
                here=request.url.path,
                scopes=self._scopes(str(parts["query"])),
                **parts,
            )
        )
        return HTMLResponse(text, status)

    def part(self, template: str, /, **parts: Any) -> Response:
        """Fill the template of a part of a page."""
        return HTMLResponse(templates().get_template(f"{template}.html").render(**parts))

    def _scopes(self, query: str) -> list[tuple[str, bool]]:
        """List the repositories, each with whether the query is restricted to it. One alone, or too many, give no list."""
        names = self.site.repositories
        filters = written_filters(query)
        return [(name, _repo_filter(name) in filters) for name in names] if 1 < len(names) <= MAX_SCOPES else []

    def error(self, request: Request, error: CgiError) -> Response:
        """Show an error, with what to do next."""
        status = 404 if isinstance(error, NotInIndexError) else 400
        if isinstance(error, IndexFormatError):
            return self._unreadable(request, error)
        return self.page("error", request, status, message=str(error))

    def _unreadable(self, request: Request, error: IndexFormatError) -> Response:
        """Show that the index cannot be read, on a page that does not read it, and have it built anew if it is ours."""
        status, message = 400, str(error)
        if self.site.mend():
            status, message = 503, f"{message}\nIt is being built anew: load this page again in a moment."
        name = self.site.indexer.name
        return HTMLResponse(
            templates()
            .get_template("error.html")
            .render(site=name, stamp="", note="", here=request.url.path, scopes=[], query="", message=message),
            status,
        )

    def _note(self) -> str:
        """Return what the page says of changes on disk, or an empty text."""
        freshness: Freshness = self.site.freshness
        # That an index is read as it is says the start page. It is no news for each page.
        return freshness.note if freshness.state is not FreshnessState.UNCHECKED else ""

    def start(self, request: Request) -> Response:
        """Show what the repository is."""
        files = self.site.files()
        parts: Mapping[str, Any] = self.site.remembered(("start",), lambda store: self._start(store, dict(files)))
        return self.page("start", request, freshness=self.site.freshness.note, **parts)

    def _start(self, store: Store, files: dict[str, Any]) -> dict[str, Any]:
        """Return what the template of the start page shows, by name. `files` are the rows of all files, by path."""
        meta = store.meta()
        return {
            "languages": self.site.languages(),
            "folders": self._folders(store, files),
            "repositories": self.site.repositories,
            "hidden": max(0, len(self.site.repositories) - MAX_REPOSITORIES),
            "entries": start.entries(store, files),
            "about": start.about_folder(store, "", list(files.values())),
            "sums": store.sums(),
            "skipped": start.skipped(files),
            "head": meta.get("head", ""),
            "built": self.site.indexer.built,
            "files": start.folder_files(store, files, "")[0],
        }

    def _folders(self, store: Store, files: dict[str, Any]) -> list[Folder]:
        """Return the folders of the start page. Of several indexes, they are the repositories."""
        if self.site.indexer.is_set:
            return start.repositories(store, files, self.site.repositories)[:MAX_REPOSITORIES]
        return start.folders(store, files)

    def hubs(self, request: Request) -> Response:
        """List the definitions on which most of the code depends."""
        hubs = self.site.remembered(("hubs",), lambda store: self.site.graph.hubs(HUBS))
        return self.part("hubs", hubs=hubs)

    def folder(self, request: Request) -> Response:
        """List what is in a folder."""
        path = str(request.path_params["path"]).strip("/")
        rows = self.site.files()

        most = None if request.query_params.get("all") else MAX_FILES

        def listed(store: Store) -> tuple[list[start.Folder], tuple[list[start.Entry], int]]:
            return start.folders(store, rows, path, depth=1), start.folder_files(store, rows, path, most)

        inside, (entries, count) = self.site.remembered(("folder", path, most), listed)
        if not inside and not entries:
            raise NotInIndexError(f"no file of the index is below {path!r}")
        return self.page("folder", request, path=path, folders=inside, files=entries, count=count, crumbs=_crumbs(path))

    def search(self, request: Request) -> Response:
        """Show the results of a search."""
        query = _scoped(request)
        explain = bool(request.query_params.get("explain"))
        with self.site.indexer.question():
            contexts, error = self._results(query, SHOWN_RESULTS)
            symbols = self.site.complete(query, SHOWN_SYMBOLS, 0)[0]
        return self.page(
            "search",
            request,
            query=query,
            explain=explain,
            symbols=symbols,
            chips=self._chips(query, explain),
            results=[(context, _snippet(context)) for context in contexts],
            error=error,
        )

    def _results(self, query: str, most: int) -> tuple[list[RetrievedContext], str]:
        """Return the results of a query and an empty text, or no results and what is wrong with the query."""
        try:
            return self.site.indexer.retrieve(query, limit=most) if query else [], ""
        except UsageError as exc:
            return [], str(exc)

    def _chips(self, query: str, explain: bool) -> list[Chip]:
        """Return the filters of a query, which a click removes, and then those of other kinds, which a click adds."""
        active = written_filters(query)
        chips = [
            Chip(text, address("search", q=" ".join(query.replace(text, " ").split()), explain=int(explain)), True)
            for text in active
        ]
        names = [language.name for language in self.site.languages()[:3]]
        offers = [f"lang:{name}" for name in names if len(names) > 1] + ["test:no", "type:function", "type:class"]
        offers += [_repo_filter(name) for name in self.site.repositories[:MAX_OFFERS]]
        keys = {text.lstrip("-").partition(":")[0] for text in active}
        return chips + [
            Chip(text, address("search", q=f"{query} {text}".strip(), explain=int(explain)), False)
            for text in offers
            if text.partition(":")[0] not in keys
        ]

    def suggest(self, request: Request) -> Response:
        """Return the definitions and files that a text in the box begins, and its filters."""
        query = _scoped(request)
        symbols, paths = self.site.complete(query, SHOWN_SYMBOLS, SHOWN_PATHS)
        return self.part("suggest", symbols=symbols, paths=paths, chips=self._chips(query, False))

    def everything(self, request: Request) -> Response:
        """Return the first results of a search for the box."""
        query = _scoped(request)
        contexts, error = self._results(query, SHOWN_MATCHES)
        return self.part("everything", query=query, contexts=contexts, error=error)

    def code(self, request: Request) -> Response:
        """Show a file."""
        path = str(request.path_params["path"])
        first, last = read_lines(request.query_params.get("at", ""))
        with self.site.indexer.question():
            code = self.site.code(path)
            outline = self.site.remembered(("outline", path), lambda store: self.site.indexer.outline(path))
            around = {(line - 1) // WINDOW_LINES for line in (1, first - 40, first, first + 60) if line > 0}
            windows = [
                self._window(code, number, loaded=number in around)
                for number in range(-(-max(code.lines, 1) // WINDOW_LINES))
            ]
            file = self.site.files()[path]
            gutters = self._gutters(code, [window for window in windows if window.lines is not None])
        return self.page(
            "code",
            request,
            path=path,
            levels=self._levels(),
            fates=_counted_fates(code),
            readable=False,
            file=file,
            code=code,
            windows=windows,
            gutters=gutters,
            outline=[symbol for symbol in outline.symbols if symbol.kind not in ("module", "text", "block")],
            depths=outline.depths,
            complete=outline.complete,
            first=first,
            last=last,
            crumbs=_crumbs(path),
        )

    def lines(self, request: Request) -> Response:
        """Return one window of the lines of a file."""
        code = self.site.code(str(request.path_params["path"]))
        number = max(0, (read_lines(request.query_params.get("from", ""))[0] - 1) // WINDOW_LINES)
        window = self._window(code, number, loaded=True)
        return self.part("lines", window=window, gutters=self._gutters(code, [window]), first=0, last=0)

    def find(self, request: Request) -> Response:
        """Return the numbers of the lines of a file that hold a text, whatever its capital letters."""
        words = request.query_params.get("q", "").lower()
        text = self.site.code(str(request.path_params["path"])).text.decode("utf-8", "replace").lower()
        lines = [number for number, line in enumerate(text.split("\n"), 1) if words in line] if words else []
        return JSONResponse({"lines": lines[:MAX_FOUND], "total": len(lines)})

    def _levels(self) -> Mapping[str, Level]:
        """Return what each folder holds, without files that are not indexed."""
        paths = (file.path for file in self.site.files().values() if file.error is None)
        return self.site.remembered(("levels",), lambda store: levels(paths))

    def tree(self, request: Request) -> Response:
        """Return what is in a folder, for the tree of files."""
        folder = str(request.path_params["path"]).strip("/")
        if folder not in self._levels():
            raise NotInIndexError(f"no file of the index is below {folder!r}")
        return self.part("tree", levels=self._levels(), folder=folder)

    def excerpt(self, request: Request) -> Response:
        """Return the lines of a file around a place, to be shown beside an answer."""
        path = str(request.path_params["path"])
        first, last = read_lines(request.query_params.get("at", ""))
        code = self.site.code(path)
        start_line, end_line = max(1, first - 10), min(code.lines, max(last, first) + 30)
        window = Window(start_line, end_line, tuple(code_lines(code, start_line, end_line)))
        return self.part("excerpt", path=path, window=window, gutters={}, first=first, last=last)

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
        callers: dict[int, set[int]] = {}
        for edge in self.site.store.callers_of([symbol.chunk_id for symbol in symbols.values()], MAX_CALLERS + 1):
            callers.setdefault(edge.of, set()).add(edge.chunk_id)
        return {
            line: (symbol, len(callers[symbol.chunk_id]))
            for line, symbol in symbols.items()
            if symbol.chunk_id in callers
        }

    def go(self, request: Request) -> Response:
        """Lead to the page of a definition, by the id of its node. A member, such as a constant, is shown on its line."""
        symbol = self._node(number_of(str(request.path_params["id"])))
        is_chunk = symbol.member_id is None
        return RedirectResponse(
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
        shown = Filter(*(request.query_params.get(name, "") for name in ("tests", "sure", "all")))
        with self.site.indexer.question():
            symbol = self._definition_of(request)
            store = self.site.store
            code = self.site.code(symbol.file_path)
            lists = Lists(store, self.site.files(), symbol, shown)
            parts: dict[str, Any] = {
                "lists": lists.all(),
                "declarations": lists.callers.declarations if symbol.member_id is None else (),
                "alternatives": lists.callers.alternatives if symbol.member_id is None else (),
            }
        last = min(symbol.end_line, symbol.start_line + SOURCE_LINES - 1)
        return self.page(
            "definition",
            request,
            symbol=symbol,
            shown=shown,
            window=Window(symbol.start_line, last, tuple(code_lines(code, symbol.start_line, last))),
            crumbs=_crumbs(symbol.file_path),
            owner=symbol.qualified_name.removesuffix(symbol.name),
            gutters={},
            **parts,
        )

    def _definition_of(self, request: Request) -> Symbol:
        line = read_lines(request.query_params.get("line", ""))[0]
        return self.site.definition(str(request.path_params["path"]), request.query_params.get("name", ""), line)

    def card(self, request: Request) -> Response:
        """Describe the definitions that a link leads to."""
        texts = request.query_params.get("ids", "").split(",")[:MAX_CARDS]
        ids = [number for text in texts if (number := number_of(text)) is not None]
        nodes = self.site.store.nodes(ids)
        callers: dict[int, set[int]] = {}
        for edge in self.site.store.callers_of(ids, MAX_CALLERS + 1):
            callers.setdefault(edge.of, set()).add(edge.chunk_id)
        cards = [
            (symbol, symbol.doc.strip().split("\n\n")[0][:CARD_DOC], len(callers.get(symbol.chunk_id, ())))
            for symbol in nodes.values()
        ]
        return self.part("card", cards=cards, most=MAX_CALLERS)

    def reference(self, request: Request) -> Response:
        """List the definitions that a reference may mean."""
        path = str(request.path_params["path"])
        line, column = read_lines_and_column(request.query_params.get("at", ""))
        store = self.site.store
        matches = [
            reference
            for reference in store.reference_fates(path)
            if (reference.line, reference.column) == (line, column)
        ]
        if not matches:
            raise NotInIndexError(f"{path} has no reference at line {line} any more")
        candidates = store.nodes(list(matches[0].candidates))
        return self.page(
            "reference", request, path=path, line=line, name=matches[0].name, candidates=list(candidates.values())
        )

    def impact(self, request: Request) -> Response:
        """Show what a change affects: of the working tree, of a range of commits, or of a definition."""
        parameters = request.query_params
        target, diff, repository = (parameters.get(name, "").strip() for name in ("target", "diff", "repository"))
        whole = bool(parameters.get("all"))
        # What is no revision is an error of the address, and not one of git's.
        diff = diff and revisions_of(diff)
        view, error, choices = None, "", list[tuple[str, Symbol]]()
        if target or diff:
            try:
                if target:
                    impact = self._impact(target, whole=whole)
                else:
                    impact = self.site.graph_in(repository).impact(diff=diff, limit=None if whole else MAX_ROWS)
                view = impact_view(impact, self.site.files(), whole=whole)
            except CgiError as exc:
                choices = self._choices(target)
                error = _problem(exc, choices)
        return self.page(
            "impact",
            request,
            target=target,
            diff=diff,
            repository=repository,
            checkouts=self.site.checkouts,
            view=view,
            error=error,
            choices=[(symbol, address("impact", target=name)) for name, symbol in choices],
        )

    def impact_of(self, request: Request) -> Response:
        """Return what a change of a definition affects, for its page."""
        symbol = self._definition_of(request)
        impact = self._impact(f"{symbol.file_path}:{symbol.qualified_name}")
        return self.part("impact_part", view=impact_view(impact, self.site.files()), symbol=symbol)

    def _choices(self, name: str) -> list[tuple[str, Symbol]]:
        """List the definitions that a text may mean, or that begin like it, with full names. A single one is no choice."""
        try:
            symbols = self.site.indexer.symbol(name) if name else []
        except CgiError:
            symbols = self.site.complete(name, SHOWN_SYMBOLS, 0)[0]
        else:
            symbols = symbols[:MAX_CHOICES] if len(symbols) > 1 else []
        return [(f"{symbol.file_path}:{symbol.qualified_name}", symbol) for symbol in symbols]

    def _impact(self, target: str, *, whole: bool = False) -> Impact:
        """Return the impact of a target, with at most MAX_ROWS rows unless `whole`. It is cached until the index changes."""
        limit = None if whole else MAX_ROWS
        return self.site.remembered(
            ("impact", target, whole), lambda store: self.site.graph.impact(target, limit=limit)
        )

    def picture(self, request: Request) -> Response:
        """Show a picture, or return it as a file of a format."""
        asked = read_request(request.query_params)
        form = request.query_params.get("format", "")
        graph, svg, symbol, error, choices = None, Markup(""), None, "", list[tuple[Symbol, str]]()
        try:
            with self.site.indexer.question():
                graph = self.site.remembered(
                    ("picture", asked), lambda store: graph_of(self.site.graph_in(asked.repository), asked)
                )
                nodes = {node.id: node for node in (*graph.nodes, *graph.groups)}
                center = nodes.get(graph.center)
                if center is not None and center.name:
                    symbol = self.site.definition(center.path, center.name, center.line)
            if form:
                return self._file(draw(graph, form), form, graph.title)
            svg = self.site.remembered(("picture", asked, "svg"), lambda store: _svg(graph, asked))
        except CgiError as exc:
            if form:
                raise
            first, last = self._choices(asked.name), self._choices(asked.to if asked.name else "")
            choices = [(symbol, asked.at(name=name)) for name, symbol in first]
            choices = choices or [(symbol, asked.at(to=name)) for name, symbol in last]
            error = _problem(exc, choices)
        return self.page(
            "picture",
            request,
            400 if error and not asked.name else 200,
            asked=asked,
            graph=graph,
            svg=svg,
            symbol=symbol,
            error=error,
            choices=choices,
            shows=shows_of(symbol),
            formats=FORMATS,
            crumbs=_crumbs(f"{asked.folder.strip('/')}/x" if asked.folder else ""),
        )

    def _file(self, text: str, form: str, title: str) -> Response:
        """Return a picture as a file to be saved. No browser shows it as a page of this server."""
        name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in title)[:60].strip("-")
        return Response(
            clean(text),
            media_type="image/svg+xml" if form == "svg" else "text/plain",
            headers={"content-disposition": f'attachment; filename="{name or "graph"}.{form}"'},
        )

    def picture_style(self, request: Request) -> Response:
        """Return the style sheet of pictures."""
        return Response(stylesheet(), media_type="text/css")

    def ask(self, request: Request, form: Mapping[str, str] | None = None) -> Response:
        """Show the form for a question, and the answer to the one that was sent."""
        reply, error = None, ""
        question = (form or {}).get("q", "").strip() or request.query_params.get("q", "")
        if form and question:
            try:
                reply = self.talks.ask(question, form.get("talk", ""), form.get("expect", ""))
            except CgiError as exc:
                error = str(exc)
        return self.page("ask", request, reply=reply, error=error, question=question if not form else "")

    def answer(self, form: Mapping[str, str], on_text: Any) -> dict[str, str]:
        """Answer the question of a form, and return the last line of the streamed reply."""
        try:
            reply = self.talks.ask(form.get("q", ""), form.get("talk", ""), form.get("expect", ""), on_text)
        except CgiError as exc:
            return {"error": str(exc)}
        html = templates().get_template("answer.html").render(reply=reply)
        return {"html": html, "talk": reply.talk}

    def stamp(self, request: Request) -> Response:
        """Return the stamp of the index, by which a page sees that it is out of date."""
        self.site.look_again()
        return JSONResponse({"stamp": self.site.stamp, "note": self._note()})


def read_lines_and_column(text: str) -> tuple[int, int]:
    """Read a place as `/reference` writes it: `12-7` is column 7 of line 12."""
    line, _, column = text.partition("-")
    return number_of(line) or 0, number_of(column) or 0


def read_form(body: bytes) -> dict[str, str]:
    """Read the fields of a form."""
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[0] for name, values in fields.items()}


def json_line(parts: Mapping[str, str]) -> str:
    """Return one line of a streamed reply."""
    return json.dumps(parts) + "\n"


def _counted_fates(code: CodeFile) -> list[tuple[str, int]]:
    """Count the links of a file by how sure they are, the surest first."""
    counts = Counter(link.fate for link in code.links)
    return [(fate, counts[fate]) for fate in FATES if counts[fate]]


def _problem(error: CgiError, choices: Sequence[object]) -> str:
    """Return the message of an error. Above `choices`, the definitions that it may mean, it is only the first line."""
    return str(error).partition("\n")[0] if choices else str(error)


def _scoped(request: Request) -> str:
    """Return the query of a request, with a filter for the repository that was chosen beside the box."""
    query = request.query_params.get("q", "").strip()[:MAX_QUERY]
    repository = request.query_params.get("repo", "")
    is_free = repository and not any(text.lstrip("-").startswith("repo:") for text in written_filters(query))
    return f"{query} {_repo_filter(repository)}" if query and is_free else query


def _repo_filter(name: str) -> str:
    return f'repo:"{name}"' if " " in name else f"repo:{name}"


def _svg(graph: GraphExport, asked: PictureRequest) -> Markup:
    return Markup(draw_svg(graph, Links(asked, graph.center)))


def _snippet(context: RetrievedContext) -> list[Markup]:
    return snippet_lines(context.file_path, context.content, context.language, SNIPPET_LINES)


def _crumbs(path: str) -> list[tuple[str, str]]:
    """Return the folders around a path, outermost first, as name and path."""
    parts = path.split("/")[:-1]
    return [(part, "/".join(parts[: at + 1])) for at, part in enumerate(parts)]
