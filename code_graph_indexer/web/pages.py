"""Fill the templates of a site: whole pages, parts of pages, and errors."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from code_graph_indexer.errors import CgiError, IndexFormatError, NotInIndexError
from code_graph_indexer.freshness import Freshness, FreshnessState
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.filters import written_filters
from code_graph_indexer.web.code import HIDDEN
from code_graph_indexer.web.documents import Documents
from code_graph_indexer.web.links import (
    address,
    code_link,
    definition_link,
    folder_link,
    read_lines,
    repo_filter,
    search_link,
)
from code_graph_indexer.web.pictures import picture_link
from code_graph_indexer.web.site import Site
from code_graph_indexer.web.start import first_sentence
from code_graph_indexer.web.tree import MAX_LEVEL

MAX_SCOPES = 60
"""Most repositories among which the box lets choose. Of more, write `repo:NAME`."""

SUGGESTED, MAX_CHOICES = 8, 40
"""Most definitions that are proposed for a name that is not there, and among which a name that means several lets choose."""

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
        max_level=MAX_LEVEL,
        code_link=code_link,
        definition_link=definition_link,
        folder_link=folder_link,
        search_link=search_link,
        picture_link=picture_link,
        address=address,
    )
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["middle"] = middle
    environment.filters["sentence"] = first_sentence
    return environment


def _visible(value: object) -> object:
    """Show characters that control or turn text as a sign. A file may have them in its name."""
    return value.translate(HIDDEN) if type(value) is str else value


def middle(name: str, most: int) -> str:
    """Cut a long name in its middle, because its end tells more.

    Example:
        >>> middle("test_a_long_name.py", 11)
        'test_…me.py'
    """
    return name if len(name) <= most else f"{name[: most // 2]}…{name[len(name) - (most - most // 2 - 1) :]}"


class Pages:
    """The pages of a site, as templates that are filled."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.documents = Documents(site)

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
                note=self.note(),
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
        return [(name, repo_filter(name) in filters) for name in names] if 1 < len(names) <= MAX_SCOPES else []

    def error(self, request: Request, error: CgiError) -> Response:
        """Show an error, with what to do next."""
        status = 404 if isinstance(error, NotInIndexError) else 400
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
        return HTMLResponse(
            templates()
            .get_template("error.html")
            .render(
                site=name,
                stamp="",
                note="",
                here=request.url.path,
                scopes=[],
                query="",
                heading="The index cannot be read",
                message=message,
            ),
            status,
        )

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
