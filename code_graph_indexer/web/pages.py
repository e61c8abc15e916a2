"""Fill the templates of a site: whole pages, parts of pages, and errors."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import files
from secrets import token_hex
from typing import Any
from zlib import crc32

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from code_graph_indexer.errors import CgiError, IndexFormatError, NotInIndexError
from code_graph_indexer.freshness import Freshness, FreshnessState
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.filters import written_filters
from code_graph_indexer.web.api import API, json_page, json_response
from code_graph_indexer.web.assets import assets_digest
from code_graph_indexer.web.code import HIDDEN
from code_graph_indexer.web.documents import Documents
from code_graph_indexer.web.links import (
    address,
    code_link,
    definition_link,
    folder_link,
    place_link,
    read_lines,
    repo_filter,
    search_link,
)
from code_graph_indexer.web.pictures import picture_link
from code_graph_indexer.web.sentences import first_sentence
from code_graph_indexer.web.site import Site
from code_graph_indexer.web.tree import MAX_LEVEL

MAX_SCOPES = 60
"""Most repositories among which the box lets choose. Of more, write `repo:NAME`."""

SUGGESTED, MAX_CHOICES = 8, 40
"""Most definitions that are proposed for a name that is not there, and among which a name that means several lets choose."""

SHORT_NAME, NAME_END = 20, 10
"""Characters of a name that every box has room for, and those at the end of a longer one that are always shown."""

_ADDRESS = re.compile(r'\s(?:href|src|action|data-src|data-part)="(?=/)')
"""What stands before an address of this server. In a text, the quotation mark is escaped."""

View = Callable[[Request], Response]


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
        # A browser copies no line that is empty.
        br=Markup("<br>"),
        assets=f"/static/{assets_digest()}",
        max_level=MAX_LEVEL,
        code_link=code_link,
        definition_link=definition_link,
        folder_link=folder_link,
        place_link=place_link,
        search_link=search_link,
        picture_link=picture_link,
        cut=cut,
        address=address,
    )
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["middle"] = middle
    environment.filters["sentence"] = first_sentence
    return environment


def load_templates() -> None:
    """Compile all templates, so that no page waits for that."""
    for name in templates().list_templates():
        templates().get_template(name)


def _visible(value: object) -> object:
    """Show characters that control or turn text as a sign. A file may have them in its name."""
    # Nearly all texts are printable, which is seen at once.
    return value.translate(HIDDEN) if type(value) is str and not value.isprintable() else value


def middle(name: str, most: int) -> str:
    """Cut a long name in its middle, because its end tells more.

    Example:
        >>> middle("test_a_long_name.py", 11)
        'test_…me.py'
    """
    return name if len(name) <= most else f"{name[: most // 2]}…{name[len(name) - (most - most // 2 - 1) :]}"


def cut(name: str) -> str:
    """Return a name, a long one in two parts. Where a box is too narrow, the first loses its end, and the last is shown."""
    if len(name) <= SHORT_NAME:
        return name
    parts = (str(_visible(part)) for part in (name[:-NAME_END], name[-NAME_END:]))
    return Markup('<span class="long"><span>{}</span><span>{}</span></span>').format(*parts)


class Pages:
    """The pages of a site, as templates that are filled."""

    def __init__(self, site: Site, prefix: str = "") -> None:
        self.site = site
        self.prefix = prefix
        self.documents = Documents(site)
        self._run = token_hex(4)

    def steady(self, view: View) -> View:
        """Return a view during which the index stays as it is."""
        return self._tagged(view, self.site.reading)

    def looking(self, view: View) -> View:
        """Return a view that looks for changes on disk first, and during which the index stays as it then is."""
        return self._tagged(view, self.site.indexer.question)

    def _tagged(self, view: View, reading: Callable[[], AbstractContextManager[object]]) -> View:
        """Return a view that makes no page which the browser has, because neither the index nor the note has changed."""

        def show(request: Request) -> Response:
            with reading():
                tag = f'W/"{self._run}-{self.site.stamp}-{crc32(self.site.freshness.note.encode()):x}"'
                if tag in request.headers.get("if-none-match", ""):
                    return Response(status_code=304, headers={"etag": tag})
                response = view(request)
            # What git says of a range of commits can change without the index.
            if response.status_code == 200 and not request.query_params.get("diff"):
                response.headers["etag"] = tag
            return response

        return show

    def page(self, template: str, request: Request, status: int = 200, /, **parts: Any) -> Response:
        """Fill the template of a whole page, or return as JSON what it shows."""
        if self.is_for_programs(request):
            return json_page(template, parts, status)
        return HTMLResponse(self._whole(template, request, parts), status)

    def kept(self, template: str, request: Request, **parts: Any) -> Response:
        """Return a page whose parts depend on the index alone, and not on the address. Its HTML is kept until that changes."""
        if self.is_for_programs(request):
            return json_page(template, parts, 200)
        key = ("html", template, self.site.freshness.note)
        return HTMLResponse(self.site.remembered(key, lambda store: self._whole(template, request, parts)))

    def _whole(self, template: str, request: Request, parts: dict[str, Any]) -> str:
        """Fill the template of a whole page."""
        parts.setdefault("query", "")
        return self.html(
            template,
            site=self.site.name,
            stamp=self.site.stamp,
            note=self.note(),
            here=request.url.path.removeprefix(self.prefix),
            scopes=self._scopes(str(parts["query"])),
            **parts,
        )

    def is_for_programs(self, request: Request) -> bool:
        """Say whether a request wants JSON."""
        return request.url.path.startswith(f"{self.prefix}{API}/")

    def part(self, template: str, /, **parts: Any) -> Response:
        """Fill the template of a part of a page."""
        return HTMLResponse(self.html(template, **parts))

    def html(self, template: str, /, **parts: Any) -> str:
        """Fill a template. Its addresses begin with the prefix, if the server has one."""
        html = templates().get_template(f"{template}.html").render(**parts)
        return _ADDRESS.sub(rf"\g<0>{self.prefix}", html) if self.prefix else html

    def lead(self, to: str, status: int) -> Response:
        """Lead to another page."""
        return RedirectResponse(f"{self.prefix}{to}", status)

    def _scopes(self, query: str) -> list[tuple[str, bool]]:
        """List the repositories, each with whether the query is restricted to it. One alone, or too many, give no list."""
        names = self.site.repositories
        filters = written_filters(query)
        return [(name, repo_filter(name) in filters) for name in names] if 1 < len(names) <= MAX_SCOPES else []

    def error(self, request: Request, error: CgiError) -> Response:
        """Show an error, with what to do next, or return it as JSON."""
        status = 404 if isinstance(error, NotInIndexError) else 400
        if self.is_for_programs(request):
            return json_response({"error": str(error)}, status)
        if isinstance(error, IndexFormatError):
            return self._unreadable(request, error)
        heading = "That is not here" if status == 404 else "That does not work"
        return self.page("error", request, status, heading=heading, message=str(error))

    def _unreadable(self, request: Request, error: IndexFormatError) -> Response:
        """Show that the index cannot be read, on a page that does not read it, and have it built anew if it is ours."""
        status, message = 400, str(error)
        if self.site.mend():
            status, message = 503, f"{message}\nIt is being built anew: load this page again in a moment."
        name = self.site.indexer.name
        html = self.html(
            "error",
            site=name,
            stamp="",
            note="",
            here=request.url.path,
            scopes=[],
            query="",
            heading="The index cannot be read",
            message=message,
        )
        return HTMLResponse(html, status)

    def problem(
        self, error: CgiError, *names: tuple[str, Callable[[str], str]]
    ) -> tuple[str, list[tuple[Symbol, str]]]:
        """Return the message of an error, and the definitions that a name may mean, each with the address that means it.

        `names` come with functions from a full name to its address. The first with several definitions is asked for.
        """
        for name, href in names:
            if choices := self._choices(name):
                return str(error).partition("\n")[0], [(symbol, href(full)) for full, symbol in choices]
        return str(error), []

    def _choices(self, name: str) -> list[tuple[str, Symbol]]:
        """List the definitions that a text may mean, or that begin like it, with full names. A single one is no choice."""
        try:
            symbols = self.site.indexer.symbol(name) if name else []
        except CgiError:
            symbols = self.site.complete(name, SUGGESTED, 0)[0]
        else:
            symbols = symbols[:MAX_CHOICES] if len(symbols) > 1 else []
        return [(f"{symbol.file_path}:{symbol.qualified_name}", symbol) for symbol in symbols]

    def note(self) -> str:
        """Return what the page says of changes on disk, or an empty text."""
        freshness: Freshness = self.site.freshness
        # That an index is read as it is says the start page. It is no news for each page.
        return freshness.note if freshness.state is not FreshnessState.UNCHECKED else ""


def definition_of(site: Site, request: Request) -> Symbol:
    """Return the definition that an address names by its path, name and line."""
    line = read_lines(request.query_params.get("line", ""))[0]
    return site.definition(str(request.path_params["path"]), request.query_params.get("name", ""), line)
