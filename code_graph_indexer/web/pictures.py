"""Find the picture that an address asks for, and say where its boxes and edges lead."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup
from starlette.datastructures import QueryParams

from code_graph_indexer.errors import UsageError
from code_graph_indexer.graph.answers import hierarchy_graph, impact_graph
from code_graph_indexer.graph.patch import MAX_HUNKS, Lines, impact_of_lines
from code_graph_indexer.graph.questions import GraphQuestions
from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.picture.svg import draw_svg
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.syntax.records import CLASS_KINDS
from code_graph_indexer.web.links import FILE_KINDS, address, code_link, folder_link

SHOWS = ("", "hierarchy", "impact")
"""What a picture of a definition shows. The empty word is its callers and callees."""

TESTS = {"no": False, "only": True}
"""What an address says of tests."""

WORDS = ("name", "to", "folder", "diff", "repository", "show", "tests", "sure")
"""The words of an address, but for the folds that it opens."""

MAX_OPENED = 60
"""Most folds that an address opens."""

MAX_LINES = 2 * MAX_HUNKS
"""Most places that an address says to be changed."""

_PLACE = re.compile(r"(?P<path>.+):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", re.S)


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """What an address asks to draw. `name` or `folder` say of what, `to` gives the ways from there to another one.

    `repository` says of which repository of a set `diff` is. `lines` are changed lines, as `path:3-7`.
    """

    name: str = ""
    to: str = ""
    folder: str = ""
    diff: str = ""
    repository: str = ""
    show: str = ""
    tests: str = ""
    sure: str = ""
    opened: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    def way(self, **changes: str) -> str:
        """Return the address of the ways between two definitions as code, after some changes."""
        return address("way", **{"name": self.name, "to": self.to, **changes})

    def at(self, **changes: str | tuple[str, ...]) -> str:
        """Return the address of this picture after some changes. Without `opened` among them, its folds are closed."""
        changes.setdefault("opened", ())
        return self._address(replace(self, **changes))  # type: ignore[arg-type]

    def saved(self, form: str) -> str:
        """Return the address of this picture as a file of a format."""
        return self._address(self, form)

    def part(self) -> str:
        """Return the address of this picture as a part of another page."""
        return f"/part{self._address(self)}"

    def opening(self, fold: str) -> str:
        """Return the address of this picture with a fold opened."""
        return self._address(replace(self, opened=(*self.opened, fold)))

    @staticmethod
    def _address(request: "PictureRequest", form: str = "") -> str:
        return address(
            "picture",
            **{name: str(getattr(request, name)) for name in WORDS},
            open=request.opened,
            lines=request.lines,
            format=form,
        )


def read_request(parameters: QueryParams) -> PictureRequest:
    """Read the address of a picture."""
    words = {name: parameters.get(name, "").strip() for name in WORDS}
    words["show"] = words["show"] if words["show"] in SHOWS else ""
    opened = tuple(dict.fromkeys(parameters.getlist("open")))[:MAX_OPENED]
    return PictureRequest(**words, opened=opened, lines=tuple(parameters.getlist("lines")[:MAX_LINES]))


def read_places(texts: Sequence[str]) -> list[Lines]:
    """Read places as they are written in an address, `path:3-7`. A path alone says that its lines are not known."""
    matches = [_PLACE.fullmatch(text) for text in texts]
    return [
        Lines(match["path"], int(match["first"]), int(match["last"] or match["first"])) if match else Lines(text)
        for match, text in zip(matches, texts, strict=True)
    ]


def written_places(places: Sequence[Lines]) -> tuple[str, ...]:
    """Write places as `read_places` reads them."""
    return tuple(
        f"{path}:{first}-{last}" if first < last else f"{path}:{first}" if first else path
        for path, first, last in places
    )


def graph_of(graph: GraphQuestions, request: PictureRequest) -> GraphExport:
    """Return the graph of a picture. Raises what the question raises: NotInIndexError for a name that is not there."""
    if request.lines:
        return impact_graph(impact_of_lines(graph.store, read_places(request.lines)), request.opened)
    if request.diff:
        return impact_graph(graph.impact(diff=request.diff), request.opened)
    if request.name and request.show == "impact":
        return impact_graph(graph.impact(request.name), request.opened)
    if request.name and request.show == "hierarchy":
        return hierarchy_graph(graph.hierarchy(request.name), request.opened)
    if request.to and not (request.name or request.folder):
        raise UsageError(f"{request.to!r} is where the ways end; say also where they begin")
    return graph.picture(
        [request.name] if request.name else (),
        to=request.to,
        folder=None if request.name else request.folder,
        opened=request.opened,
        tests=TESTS.get(request.tests),
        min_confidence=PROVEN if request.sure else 0.0,
    )


def svg_of(graph: GraphExport, request: PictureRequest) -> Markup:
    """Return a graph as a picture whose boxes and edges lead on."""
    return Markup(draw_svg(graph, Links(request, graph.center)))


class Links:
    """Where the boxes and edges of a picture lead. `center` is the id of the box that it is about."""

    def __init__(self, request: PictureRequest, center: str) -> None:
        self._request = request
        self._center = center

    def __call__(self, target: GraphNode | GraphEdge) -> str:
        """Return the address of a box, group or edge: a fold opens, a definition moves to the center, an edge has its line."""
        if isinstance(target, GraphEdge):
            return code_link(target.path, target.line) if target.path else ""
        if target.count:
            return self._request.opening(target.id)
        if target.kind == "folder":
            return address("picture", folder=target.path.strip("/")) if target.path.strip("/") else folder_link("")
        if not target.name or target.kind in FILE_KINDS:
            return code_link(target.path, target.line) if target.path else ""
        if target.id == self._center:
            return address("definition", target.path, name=target.name, line=target.line)
        return picture_link(target.path, target.name)


def picture_link(path: str, name: str, **query: str) -> str:
    """Return the address of the picture of a definition."""
    return address("picture", name=f"{path}:{name}", **query)


def shows_of(symbol: Symbol | None) -> Sequence[tuple[str, str]]:
    """Return what there is to see of a definition, as label and word. Only a class has a hierarchy."""
    if symbol is None:
        return ()
    shows = [("callers and callees", ""), ("hierarchy", "hierarchy"), ("what a change affects", "impact")]
    return [show for show in shows if show[1] != "hierarchy" or symbol.kind in CLASS_KINDS]
