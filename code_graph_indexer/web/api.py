"""Give what pages show as JSON, and describe it as OpenAPI. The description is read from the types of what a view passes on."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

from markupsafe import Markup
from starlette.responses import Response

from code_graph_indexer.graph.folders import FolderNeeds
from code_graph_indexer.graph.results import CallPaths, Route
from code_graph_indexer.picture.graph import GraphExport
from code_graph_indexer.render import LEFT_OUT, to_plain
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.results import Doubt
from code_graph_indexer.version import VERSION
from code_graph_indexer.web.answers import Reply
from code_graph_indexer.web.code import CodeFile, Match
from code_graph_indexer.web.keys import KeyPlace
from code_graph_indexer.web.lists import ImpactView, Listing
from code_graph_indexer.web.prose import Document
from code_graph_indexer.web.start import Entry, Folder, Language
from code_graph_indexer.web.tour import Tour

API = "/api"
"""The path below which pages are JSON."""


class StartPage(TypedDict):
    """What a repository is: its languages, folders and files, and where its programs begin."""

    about: str
    repositories: list[str]
    languages: list[Language]
    folders: list[Folder]
    files: list[Entry]
    entries: list[Symbol]
    skipped: list[tuple[str, int]]
    torn: list[str]
    head: str
    built: float
    document: Document | None


class FolderPage(TypedDict):
    """What is in a folder, what it needs, and who needs it. `count` counts all files."""

    path: str
    about: str
    folders: list[Folder]
    files: list[Entry]
    count: int
    needs: FolderNeeds
    document: Document | None


class TourPage(TypedDict):
    """A tour of a repository."""

    about: str
    tour: Tour


class SearchPage(TypedDict):
    """A page of the results of a search, by file, with the lines that match."""

    query: str
    symbols: list[Symbol]
    routes: list[Route]
    uses: list[Listing]
    keys: list[KeyPlace]
    groups: list[tuple[str, list[Match]]]
    page: int
    is_last: bool
    doubt: Doubt | None
    error: str


class CodePage(TypedDict):
    """A file with its colours, links and definitions. Places in its text are bytes."""

    path: str
    code: CodeFile
    outline: list[Symbol]
    complete: bool


class DocumentPage(TypedDict):
    """A file that is read as a page. With `source=1` it is read as code."""

    path: str
    document: Document


class DefinitionPage(TypedDict):
    """A definition with its documentation as HTML, and with the lists of its page."""

    symbol: Symbol
    doc: Markup
    lists: list[Listing]
    declarations: Sequence[Symbol]
    alternatives: Sequence[Symbol]


class ReferencePage(TypedDict):
    """The definitions that a reference may mean."""

    path: str
    line: int
    name: str
    candidates: list[Symbol]


class PicturePage(TypedDict):
    """A picture as a graph. The choices are definitions that a name may mean, with their addresses."""

    graph: GraphExport | None
    symbol: Symbol | None
    error: str
    choices: list[tuple[Symbol, str]]


class WayPage(TypedDict):
    """The ways of calls from one definition to another. Of an address with one of the two, `ends` are what the other may be."""

    answer: CallPaths | None
    ends: list[tuple[Symbol, str]]
    error: str
    choices: list[tuple[Symbol, str]]


class ImpactPage(TypedDict):
    """What a change affects."""

    view: ImpactView | None
    error: str
    choices: list[tuple[Symbol, str]]


class AskPage(TypedDict):
    """The answers of a conversation. `talk` names it, for its address and for the next question."""

    talk: str
    replies: Sequence[Reply]
    error: str


class Problem(TypedDict):
    """Why there is no answer."""

    error: str


PAGES: Mapping[str, type] = {
    "start": StartPage,
    "folder": FolderPage,
    "tour": TourPage,
    "search": SearchPage,
    "code": CodePage,
    "document": DocumentPage,
    "definition": DefinitionPage,
    "reference": ReferencePage,
    "picture": PicturePage,
    "way": WayPage,
    "impact": ImpactPage,
    "ask": AskPage,
}
"""What is passed on to templates, and is JSON for programs."""

TARGET = "a name, or `path:name`"


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the server: the templates that its view fills, and the words of its query with their meanings.

    With `is_form`, the words are the fields of a form that is sent there. The first of them must be given.
    """

    templates: tuple[str, ...]
    query: Mapping[str, str]
    is_form: bool = False


ADDRESSES: Mapping[str, Address] = {
    "/": Address(("start",), {}),
    "/folder/{path:path}": Address(("folder",), {"all": "1 for files beyond the first 300"}),
    "/tour": Address(("tour",), {}),
    "/search": Address(
        ("search",),
        {"q": "words, a name or a question, with filters", "expect": "words that its code would use", "page": "from 1"},
    ),
    "/code/{path:path}": Address(("code", "document"), {"source": "1 for the code of a document"}),
    "/definition/{path:path}": Address(
        ("definition",),
        {
            "name": "qualified name",
            "line": "its line, if there are several",
            "tests": "`no` or `only`",
            "sure": "`proven` for what is proven",
            "all": "the list of which all rows are wanted",
        },
    ),
    "/reference/{path:path}": Address(("reference",), {"at": "line and column, such as `12-7`"}),
    "/picture": Address(
        ("picture",),
        {"name": TARGET, "to": TARGET, "folder": "a folder", "show": "`hierarchy` or `impact`", "open": "a fold"},
    ),
    "/way": Address(("way",), {"name": TARGET, "to": TARGET}),
    "/impact": Address(
        ("impact",),
        {"target": TARGET, "diff": "commits", "lines": "changed lines, `path:3-7`", "all": "1 for all rows"},
    ),
    "/ask": Address(
        ("ask",),
        {
            "q": "a question",
            "expect": "words that its code would use",
            "talk": "the conversation that it goes on with",
        },
        is_form=True,
    ),
    "/ask/{talk}": Address(("ask",), {}),
}
"""The addresses whose pages are JSON below API. A word of the query may stand there several times only as `open` or `lines`."""

_SIMPLE: Mapping[Any, Mapping[str, str]] = {
    str: {"type": "string"},
    bytes: {"type": "string"},
    Markup: {"type": "string", "contentMediaType": "text/html"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


def json_page(template: str, parts: Mapping[str, Any], status: int) -> Response:
    """Return as JSON what a template shows, or what is wrong."""
    if parts.get("error"):
        return json_response({"error": parts["error"], "choices": parts.get("choices", ())}, max(status, 400))
    return json_response({name: parts[name] for name in get_type_hints(PAGES[template])}, status)


def json_response(value: Mapping[str, Any], status: int = 200) -> Response:
    """Return a value as JSON. Bytes in it are text."""
    text = json.dumps(to_plain(value), ensure_ascii=False, default=lambda text: text.decode("utf-8", "replace"))
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")


def openapi(prefix: str) -> dict[str, Any]:
    """Return the description of all addresses below API, as OpenAPI 3.1."""
    records: dict[str, Any] = {}
    paths = {
        API + re.sub(r":\w+\}", "}", path): {"post" if address.is_form else "get": _operation(path, address, records)}
        for path, address in ADDRESSES.items()
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "cgi web", "version": VERSION},
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {"schemas": records},
    }


def _operation(path: str, address: Address, records: dict[str, Any]) -> dict[str, Any]:
    """Describe what an address takes and answers."""
    pages = [PAGES[template] for template in address.templates]
    shapes = [_schema(page, records) for page in pages]
    places = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)", path)
    ]
    fields = {name: {"type": "string", "description": about} for name, about in address.query.items()}
    words = [
        {"name": name, "in": "query", "description": about, "schema": {"type": "string"}}
        for name, about in address.query.items()
        if not address.is_form
    ]
    form = {"type": "object", "properties": fields, "required": [*fields][:1]}
    body = {"requestBody": {"required": True, "content": {"application/x-www-form-urlencoded": {"schema": form}}}}
    problem = _answer("What is wrong", _schema(Problem, records))
    answer = _answer("What the page shows", shapes[0] if len(shapes) == 1 else {"anyOf": shapes})
    return {
        "summary": _summary(pages[0]),
        "parameters": [*places, *words],
        **(body if address.is_form else {}),
        "responses": {"200": answer, "400": problem, "404": problem},
    }


def _answer(about: str, shape: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": shape}}}


def _summary(kind: type) -> str:
    """Return the first sentence about a type."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def _schema(kind: Any, records: dict[str, Any]) -> dict[str, Any]:
    """Describe a type. Its records are noted by their names."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _SIMPLE:
        return dict(_SIMPLE[kind])
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(argument, records) for argument in arguments]}
    if origin is tuple and arguments[-1:] != (...,):
        parts = [_schema(argument, records) for argument in arguments]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(arguments[1], records)}
    if isinstance(origin, type) and issubclass(origin, Collection):
        return {"type": "array", "items": _schema(arguments[0], records)}
    if issubclass(kind, StrEnum):
        return {"enum": [str(member) for member in kind]}
    if kind.__name__ not in records:
        records[kind.__name__] = {}
        records[kind.__name__] = _record(kind, records)
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _record(kind: type, records: dict[str, Any]) -> dict[str, Any]:
    """Describe a record: a data class, a named tuple, or what a page passes on."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(hints)
    properties = {name: _schema(hints[name], records) for name in names}
    # What a page passes on may grow, and a problem has more than its reason.
    is_open = {} if is_typeddict(kind) else {"additionalProperties": False}
    return {
        "type": "object",
        "description": _summary(kind),
        "properties": properties,
        "required": [name for name in names if name not in LEFT_OUT],
        **is_open,
    }
