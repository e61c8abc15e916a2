"""Answer the requests of a site: each view reads an address, asks the index, and fills a template."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from urllib.parse import parse_qs

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from code_graph_indexer.errors import CgiError, NotInIndexError, UsageError
from code_graph_indexer.graph.conventions import is_constructor
from code_graph_indexer.graph.draw import FORMATS, draw
from code_graph_indexer.graph.folders import folder_needs
from code_graph_indexer.graph.patch import impact_of_lines, lines_of
from code_graph_indexer.graph.results import Hub, Impact, Route, Step
from code_graph_indexer.languages import languages
from code_graph_indexer.outside import number_of, revisions_of
from code_graph_indexer.render import clean
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.filters import read_filters, written_filters
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.storage import FileRow, Store
from code_graph_indexer.syntax.records import FUNCTION_KINDS
from code_graph_indexer.web import start
from code_graph_indexer.web.answers import Talks
from code_graph_indexer.web.beginnings import Beginning, beginnings, product_code, started
from code_graph_indexer.web.code import Match, code_lines, matching_lines
from code_graph_indexer.web.keys import KeyPlace, key_places
from code_graph_indexer.web.links import (
    FILE_KINDS,
    address,
    crumbs,
    repo_filter,
)
from code_graph_indexer.web.lists import MAX_ROWS, TESTS, Filter, ImpactView, Listing, Lists, impact_view
from code_graph_indexer.web.pages import Pages, definition_of, load_templates
from code_graph_indexer.web.paths import query_path, routes_named
from code_graph_indexer.web.pictures import (
    MAX_LINES,
    graph_of,
    read_places,
    read_request,
    shows_of,
    svg_of,
    written_places,
)
from code_graph_indexer.web.prose import Document
from code_graph_indexer.web.start import Folder
from code_graph_indexer.web.starters import runner_of
from code_graph_indexer.web.tour import Tour, tour

SHOWN_SYMBOLS, SHOWN_PATHS, SHOWN_MATCHES, SHOWN_RESULTS = 8, 3, 6, 12
"""Most definitions, files and results that the box suggests, and most results of a page."""

GETTER_LINES = 5
"""Most lines of a function that only returns a setting."""

SHOWN_ROUTES = 20
"""Most routes that a search for a path lists."""

SHOWN_USES = 6
"""Most callers, readers and so on of the first definition that a search lists."""

MAX_QUESTION = 2_000
"""Most characters of a question in an address."""

MAX_QUERY = 300
"""Most characters of a query."""

MAX_ALONG = 12
"""Most files that are listed as changed together with a change."""

MAX_OFFERS = 4
"""Most repositories that a click restricts a search to."""

MAX_REPOSITORIES = 200
"""Most repositories that the start page lists."""

MAX_FILES = 300
"""Most files of a folder that its page lists, until the reader asks for all of them. Also the most routes."""

HUBS = 12
"""Definitions that the start page lists as what everybody uses."""

OF_MARKED = 5
"""How many definitions are ranked for each that is listed, because those of generated and foreign code are left out."""

MATCHING_LINES = 8
"""Most lines of a result."""

POOL = 24
"""Results that are counted by folder and kind."""

MAX_PAGES = 10
"""Most pages of results. Who has read so many asks another question."""

MAX_FACETS = 8
"""Most folders and kinds by which results are counted."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter of a search: its text, and the address of the search with or without it."""

    text: str
    href: str
    active: bool


class Views:
    """The views of a site."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.site = pages.site
        self.talks = Talks(pages.site)

    def start(self, request: Request) -> Response:
        """Show what the repository is."""
        files = self.site.files()
        return self._pages.kept(
            "start", request, freshness=self.site.freshness.note, document=self._readme("", files), **self._overview()
        )

    def load(self) -> None:
        """Load what the first pages need: the templates, and what the start page and the tour have in common."""
        load_templates()
        self._overview()
        self._routes()

    def _overview(self) -> Mapping[str, Any]:
        files = self.site.files()
        return self.site.remembered(("start",), lambda store: self._start(store, dict(files)))

    def _readme(self, folder: str, files: Mapping[str, FileRow]) -> Document | None:
        """Return the document that says what a folder is, or None. `files` are those below it."""
        path = self.site.remembered(("readme", folder), lambda store: start.readme(files, folder))
        return self._pages.documents.read(path) if path in self._pages.documents else None

    def _start(self, store: Store, files: dict[str, Any]) -> dict[str, Any]:
        """Return what the template of the start page shows, by name. `files` are the rows of all files, by path."""
        meta = store.meta()
        return {
            "languages": self.site.languages(),
            "folders": self._folders(store, files),
            "repositories": self.site.repositories,
            "hidden": max(0, len(self.site.repositories) - MAX_REPOSITORIES),
            "entries": [beginning.symbol for beginning in self._beginnings(files)],
            "about": start.about_folder(store, "", list(files.values())),
            "sums": store.sums(),
            "skipped": start.skipped(files),
            "torn": [file.path for file in store.unread_files() if file.error is None],
            "head": meta.get("head", ""),
            "built": self.site.indexer.built,
            "files": start.folder_files(store, files, "")[0],
        }

    def _beginnings(self, files: Mapping[str, FileRow]) -> list[Beginning]:
        """List where the programs of the repository begin."""
        needs = self.site.graph.dependencies()
        return self.site.remembered(("beginnings",), lambda store: beginnings(store, needs, product_code(store, files)))

    def _routes(self) -> Sequence[Route]:
        """List what frameworks call."""
        return self.site.remembered(("routes",), lambda store: self.site.graph.routes())

    def _folders(self, store: Store, files: dict[str, Any]) -> list[Folder]:
        """Return the folders of the start page. Of several indexes, they are the repositories."""
        if self.site.indexer.is_set:
            return start.repositories(store, files, self.site.repositories)[:MAX_REPOSITORIES]
        return start.folders(store, files)

    def tour(self, request: Request) -> Response:
        """Show a tour of the repository."""
        files = self.site.files()

        def read(store: Store) -> tuple[Tour, str]:
            """Return the tour, and a line about the repository."""
            graph, code = self.site.graph, product_code(store, files)
            routes = started(store, self._routes(), code)
            shown = tour(store, graph.dependencies(), files, code, self._beginnings(files), routes)
            return shown, start.about_folder(store, "", list(files.values()))

        shown, about = self.site.remembered(("tour",), read)
        return self._pages.page(
            "tour",
            request,
            tour=shown,
            ways=[(way, [(step, self._line(step)) for step in way.steps]) for way in shown.ways],
            around=shown.parts[0].path.rpartition("/")[0] if shown.parts else "",
            about=about,
            runner_of=runner_of,
        )

    def _line(self, step: Step) -> Markup:
        """Return the line of a call, with its colours."""
        lines = code_lines(self.site.code(step.file_path, (step.line, step.line)), step.line, step.line)
        return Markup("").join(lines).strip()

    def hubs(self, request: Request) -> Response:
        """List the definitions with most callers. Those of generated and foreign code are left out."""

        def listed(store: Store) -> list[Hub]:
            marked = store.marked_files()
            hubs = self.site.graph.hubs(HUBS * OF_MARKED, by_callers=True)
            used = (hub for hub in hubs if hub.callers and hub.symbol.file_path not in marked)
            return list(islice(_distinct(used), HUBS))

        return self._pages.part("hubs", hubs=self.site.remembered(("hubs",), listed))

    def folder(self, request: Request) -> Response:
        """List what is in a folder."""
        path = str(request.path_params["path"]).strip("/")
        rows = self.site.files_below(path)
        most = None if request.query_params.get("all") else MAX_FILES

        def listed(store: Store) -> dict[str, Any]:
            """Return what the template shows of the folder, by name."""
            entries, count = start.folder_files(store, rows, path, most)
            inside = start.folders(store, rows, path, depth=1)
            if not inside and not entries:
                raise NotInIndexError(f"no file of the index is below {path!r}")
            return {
                "folders": inside,
                "files": entries,
                "count": count,
                "needs": folder_needs(self.site.graph.dependencies(), path),
                "about": start.about_folder(store, path, [rows[entry.path] for entry in entries]),
            }

        return self._pages.page(
            "folder",
            request,
            path=path,
            whole=most is None,
            crumbs=crumbs(path),
            levels=self.site.levels(),
            is_file=False,
            document=self._readme(path, rows),
            **self.site.remembered(("folder", path, most), listed),
        )

    def routes(self, request: Request) -> Response:
        """Return the routes and commands that a folder handles."""
        path = f"{str(request.path_params['path']).strip('/')}/".lstrip("/")
        # What copied scripts listen to, the product does not answer.
        marked = self.site.store.marked_files()
        below = [
            route for route in self._routes() if route.file_path.startswith(path) and route.file_path not in marked
        ]
        return self._pages.part("routes", routes=below[:MAX_FILES], most=MAX_ROWS, count=len(below))

    def search(self, request: Request) -> Response:
        """Show a page of the results of a search: the lines that match, by file."""
        query = _scoped(request)
        explain = bool(request.query_params.get("explain"))
        page = min(max(1, number_of(request.query_params.get("page", "")) or 1), MAX_PAGES)
        pool = max(POOL, page * SHOWN_RESULTS + 1)
        expect = request.query_params.get("expect", "").strip()[:MAX_QUERY]
        contexts, error = self._results(query, pool, expect)
        is_first = page == 1 and not error
        keys = key_places(self.site.store, self.site.files(), query) if is_first else []
        symbols = self._definitions(query, keys, contexts) if is_first else []
        doubt = self.site.indexer.doubt(query, contexts, expect=expect) if contexts else None
        words = read_filters(self.site.store, query)[0] if contexts else ""
        shown = contexts[(page - 1) * SHOWN_RESULTS : page * SHOWN_RESULTS]
        return self._pages.page(
            "search",
            request,
            query=query,
            explain=explain,
            symbols=symbols,
            routes=routes_named(self._routes(), query)[:SHOWN_ROUTES] if is_first and query_path(query) else [],
            uses=self._uses(query, symbols[:1]) if symbols else [],
            chips=self._chips(query, explain),
            facets=_facets(query, contexts),
            pool=len(contexts),
            groups=_by_file(shown, words),
            keys=keys,
            most=SHOWN_SYMBOLS,
            page=page,
            is_last=len(contexts) <= page * SHOWN_RESULTS or page == MAX_PAGES,
            doubt=doubt,
            expect=expect,
            error=error,
        )

    def _definitions(self, query: str, keys: Sequence[KeyPlace], contexts: Sequence[RetrievedContext]) -> list[Symbol]:
        """List the definitions that a query may mean: those that hold a setting, then those that it spells or begins.

        Of several definitions of one name, the best result of the search comes first.
        """
        spelled = self.site.spelled(query, SHOWN_SYMBOLS)
        begun = self.site.complete(query, SHOWN_SYMBOLS, 0)[0]
        symbols = list(dict.fromkeys([*self._holders(keys), *spelled, *begun]))[:SHOWN_SYMBOLS]
        best = {(context.file_path, context.qualified_name): place for place, context in enumerate(contexts)}
        same = [symbol for symbol in symbols if symbol.name == symbols[0].name]
        same.sort(key=lambda symbol: best.get((symbol.file_path, symbol.qualified_name), len(best)))
        return list(dict.fromkeys([*same, *symbols]))

    def _holders(self, keys: Sequence[KeyPlace]) -> list[Symbol]:
        """List what holds a setting: fields and constants on lines that name its key, and short functions that return it."""
        lines: dict[str, set[int]] = {}
        for place in keys:
            if not place.is_given:
                lines.setdefault(place.path, set()).add(place.line)
        symbols = [
            (symbol, number)
            for path in list(lines)[:SHOWN_SYMBOLS]
            for symbol in self.site.store.file_symbols(path)
            for number in lines[path]
            if symbol.start_line <= number <= symbol.end_line and not symbol.is_test
        ]
        members = [symbol for symbol, number in symbols if symbol.member_id is not None and symbol.start_line == number]
        getters = [symbol for symbol, _ in symbols if _is_getter(symbol)]
        return list(dict.fromkeys([*members, *getters]))[:SHOWN_SYMBOLS]

    def _uses(self, query: str, symbols: Sequence[Symbol]) -> list[Listing]:
        """List the first of who calls, reads, writes or names these definitions, in tests or in code if the query says so."""
        store, files = self.site.store, self.site.files()
        tests = {wanted: word for word, wanted in TESTS.items()}[read_filters(store, query)[1].tests]
        shown = Filter(tests, rows=SHOWN_USES)
        return [listing for symbol in symbols for listing in Lists(store, files, symbol, shown).brief()]

    def _results(self, query: str, most: int, expect: str = "") -> tuple[list[RetrievedContext], str]:
        """Return the results of a query and an empty text, or no results and what is wrong with the query.

        `expect` are words that its code would use.
        """
        try:
            return self.site.indexer.retrieve(query, expect=expect, limit=most) if query else [], ""
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
        offers += [repo_filter(name) for name in self.site.repositories[:MAX_OFFERS]]
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
        return self._pages.part("suggest", symbols=symbols, paths=paths, chips=self._chips(query, False))

    def everything(self, request: Request) -> Response:
        """Return the first results of a search for the box."""
        query = _scoped(request)
        contexts, error = self._results(query, SHOWN_MATCHES)
        return self._pages.part("everything", query=query, contexts=contexts, error=error)

    def impact(self, request: Request) -> Response:
        """Show what a change affects: of the working tree, of a range of commits, or of a definition."""
        parameters = request.query_params
        target, diff, repository = (parameters.get(name, "").strip() for name in ("target", "diff", "repository"))
        whole = bool(parameters.get("all"))
        # What is no revision is an error of the address, and not one of git's.
        diff = diff and revisions_of(diff)
        asked = replace(read_request(parameters), name=target, diff=diff, show="impact" if target else "")
        view, error, choices = None, "", list[tuple[Symbol, str]]()
        if target or diff or asked.lines:
            try:
                if target:
                    impact = self._impact(target, whole=whole)
                elif asked.lines:
                    impact = self._impact_of_lines(asked.lines, whole=whole)
                else:
                    impact = self.site.graph_in(repository).impact(diff=diff, limit=None if whole else MAX_ROWS)
                view = self._impact_view(impact, whole=whole)
            except CgiError as exc:
                error, choices = self._pages.problem(exc, (target, lambda name: address("impact", target=name)))
        return self._pages.page(
            "impact",
            request,
            target=target,
            diff=diff,
            repository=repository,
            asked=asked,
            checkouts=self.site.checkouts,
            view=view,
            error=error,
            choices=choices,
        )

    def change(self, form: Mapping[str, str]) -> Response:
        """Lead to what a pasted diff affects. The address holds the changed lines, and not their text."""
        places = lines_of(self.site.store, form.get("patch", ""))
        return self._pages.lead(address("impact", lines=written_places(places[:MAX_LINES])), 303)

    def impact_of(self, request: Request) -> Response:
        """Return what a change of a definition affects, for its page."""
        symbol = definition_of(self.site, request)
        impact = self._impact(f"{symbol.file_path}:{symbol.qualified_name}")
        return self._pages.part("impact_part", view=self._impact_view(impact), symbol=symbol)

    def _impact_view(self, impact: Impact, *, whole: bool = False) -> ImpactView:
        """Return what a change affects as a page shows it, with the files that past commits changed together with it."""
        paths = list(dict.fromkeys([*(symbol.file_path for symbol in impact.changed), *impact.unmapped]))
        along = self.site.store.changed_together(paths)
        return impact_view(impact, self.site.files(), along[:MAX_ALONG], whole=whole)

    def _impact_of_lines(self, lines: tuple[str, ...], *, whole: bool) -> Impact:
        """Return what a change of some lines affects. It is cached until the index changes."""
        limit = None if whole else MAX_ROWS
        return self.site.remembered(
            ("impact", lines, whole), lambda store: impact_of_lines(store, read_places(lines), limit)
        )

    def _impact(self, target: str, *, whole: bool = False) -> Impact:
        """Return the impact of a target, with at most MAX_ROWS rows unless `whole`. It is cached until the index changes."""
        limit = None if whole else MAX_ROWS
        return self.site.remembered(
            ("impact", target, whole), lambda store: self.site.graph.impact(target, limit=limit)
        )

    def picture_part(self, request: Request) -> Response:
        """Return a picture for a page that shows it below a list."""
        asked = read_request(request.query_params)
        graph = self.site.remembered(
            ("picture", asked), lambda store: graph_of(self.site.graph_in(asked.repository), asked)
        )
        return self._pages.part("picture_part", asked=asked, title=graph.title, svg=svg_of(graph, asked))

    def picture(self, request: Request) -> Response:
        """Show a picture, or return it as a file of a format."""
        asked = read_request(request.query_params)
        form = request.query_params.get("format", "")
        graph, svg, symbol, error, choices = None, Markup(""), None, "", list[tuple[Symbol, str]]()
        try:
            graph = self.site.remembered(
                ("picture", asked), lambda store: graph_of(self.site.graph_in(asked.repository), asked)
            )
            nodes = {node.id: node for node in (*graph.nodes, *graph.groups)}
            center = nodes.get(graph.center)
            if center is not None and center.name and center.kind not in FILE_KINDS:
                symbol = self.site.definition(center.path, center.name, center.line)
            if form:
                return self._file(draw(graph, form), form, graph.title)
            svg = self.site.remembered(("picture", asked, "svg"), lambda store: svg_of(graph, asked))
        except CgiError as exc:
            if form:
                raise
            error, choices = self._pages.problem(
                exc,
                (asked.name, lambda name: asked.at(name=name)),
                (asked.to if asked.name else "", lambda name: asked.at(to=name)),
            )
        return self._pages.page(
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
            crumbs=crumbs(f"{asked.folder.strip('/')}/x" if asked.folder else ""),
        )

    def _file(self, text: str, form: str, title: str) -> Response:
        """Return a picture as a file to be saved. No browser shows it as a page of this server."""
        name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in title)[:60].strip("-")
        return Response(
            clean(text),
            media_type="image/svg+xml" if form == "svg" else "text/plain",
            headers={"content-disposition": f'attachment; filename="{name or "graph"}.{form}"'},
        )

    def ask(self, request: Request, form: Mapping[str, str] | None = None) -> Response:
        """Show the form for a question with the answers of a conversation, or lead to the answer of the one that was sent.

        A program gets the answer at once. A question in the address is answered with code alone, so that a link costs nothing.
        """
        error, talk = "", request.path_params.get("talk", "")
        question = (form or {}).get("q", "").strip() or request.query_params.get("q", "")
        if form and question:
            try:
                reply = self.talks.ask(question, form.get("talk", ""), form.get("expect", ""))
                talk = reply.talk
                if not self._pages.is_for_programs(request):
                    return self._pages.lead(address("ask", talk, q=question), 303)
            except CgiError as exc:
                error = str(exc)
        replies = self.talks.replies(talk)
        if talk and not replies:
            error = "This answer is no longer remembered. Ask again."
        if form is not None and not question:
            error = "Write a question."
        if form is None and question and not talk:
            try:
                replies = (self.talks.evidence(question[:MAX_QUESTION]),)
            except CgiError as exc:
                error = str(exc)
        return self._pages.page(
            "ask",
            request,
            404 if talk and not replies else 200,
            replies=replies,
            talk=talk,
            error=error,
            question="" if talk and replies else question,
        )

    def answer(self, form: Mapping[str, str], on_text: Any) -> dict[str, str]:
        """Answer the question of a form, and return the last line of the streamed reply."""
        try:
            reply = self.talks.ask(form.get("q", ""), form.get("talk", ""), form.get("expect", ""), on_text)
        except CgiError as exc:
            return {"error": str(exc)}
        return {"html": self._pages.html("answer", reply=reply), "talk": reply.talk}

    def stamp(self, request: Request) -> Response:
        """Return the stamp of the index, by which a page sees that it is out of date."""
        self.site.look_again()
        return JSONResponse({"stamp": self.site.stamp, "note": self._pages.note()})


def read_form(body: bytes) -> dict[str, str]:
    """Read the fields of a form."""
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[0] for name, values in fields.items()}


def json_line(parts: Mapping[str, str]) -> str:
    """Return one line of a streamed reply."""
    return json.dumps(parts) + "\n"


def _is_getter(symbol: Symbol) -> bool:
    return symbol.kind in FUNCTION_KINDS and symbol.end_line - symbol.start_line < GETTER_LINES


def _scoped(request: Request) -> str:
    """Return the query of a request, with a filter for the repository that was chosen beside the box."""
    query = request.query_params.get("q", "").strip()[:MAX_QUERY]
    repository = request.query_params.get("repo", "")
    is_free = repository and not any(text.lstrip("-").startswith("repo:") for text in written_filters(query))
    return f"{query} {repo_filter(repository)}" if query and is_free else query


def _distinct(hubs: Iterable[Hub]) -> Iterator[Hub]:
    """Yield hubs without those for which another stands: of a constructor its class, and of several by a name the first."""
    met: set[tuple[str, str]] = set()
    for hub in hubs:
        path, name = hub.symbol.file_path, hub.symbol.qualified_name
        language = languages().get(hub.symbol.language or "")
        is_made = language is not None and is_constructor(hub.symbol, language)
        if (path, name) not in met and not (is_made and (path, name.rpartition(".")[0]) in met):
            met.add((path, name))
            yield hub


def _by_file(contexts: Sequence[RetrievedContext], words: str) -> list[tuple[str, list[Match]]]:
    """Group results by file, the file of the best first, each with the lines of it that match."""
    groups: dict[str, list[Match]] = {}
    for context in contexts:
        lines = matching_lines(context.file_path, context.content, context.language, words, MATCHING_LINES)
        numbered = tuple((context.start_line + position, html) for position, html in lines)
        groups.setdefault(context.file_path, []).append(Match(context, numbered))
    return list(groups.items())


def _facets(query: str, contexts: Sequence[RetrievedContext]) -> list[tuple[str, list[tuple[Chip, int]]]]:
    """Count results by folder and by kind. Each count is a filter to add, unless all results are of one."""
    folders = Counter(context.file_path.partition("/")[0] + "/" for context in contexts if "/" in context.file_path)
    kinds = Counter(context.type for context in contexts)
    facets = []
    for title, key, counts in (("Folder", "path", folders), ("Kind", "type", kinds)):
        chips = [
            (Chip(name, address("search", q=f"{query} {key}:{name}{'**' if key == 'path' else ''}"), False), count)
            for name, count in counts.most_common(MAX_FACETS)
            if " " not in name
        ]
        if len(chips) > 1:
            facets.append((title, chips))
    return facets
