"""Serve the pages of a site over HTTP, to this machine only unless its user says otherwise."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from socket import AF_INET, AF_INET6, create_server

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from code_graph_indexer.errors import CgiError, NotInIndexError, UsageError
from code_graph_indexer.index import Index
from code_graph_indexer.web.api import ADDRESSES, API, json_response, openapi
from code_graph_indexer.web.assets import asset_routes
from code_graph_indexer.web.guard import Guard
from code_graph_indexer.web.pages import Pages, View
from code_graph_indexer.web.reading import Reading
from code_graph_indexer.web.site import Site
from code_graph_indexer.web.views import Views, json_line, read_form
from code_graph_indexer.web.ways import Ways

log = logging.getLogger(__name__)

PAGE_THREADS, ASK_THREADS = 4, 2
"""Threads for pages and for questions. A question waits for a language model, and no page should wait for it."""

LEAST_COMPRESSED, COMPRESSION = 2_000, 3
"""Bytes from which a page is compressed, and how much. More takes longer than it saves."""

MAX_BODY = 20_000
"""Most bytes of a form. A question is a few lines long."""

MAX_DIFF = 1_000_000
"""Most bytes of a form with a diff."""


_PREFIX = re.compile(r"[\w.~-]+(?:/[\w.~-]+)*", re.A)


class Server:
    """The server of one site. `prefix` is the path below which a proxy shows it, such as `/code`."""

    def __init__(self, site: Site, prefix: str = "") -> None:
        self._make = Pages(site, prefix)
        self._views = Views(self._make)
        self.load = self._views.load
        self._reading = Reading(self._make)
        self._pages = ThreadPoolExecutor(PAGE_THREADS, "cgi-page")
        self._questions = ThreadPoolExecutor(ASK_THREADS, "cgi-ask")

    def app(self) -> Starlette:
        """Return the application, without the guard in front of it."""
        views, reading = self._views, self._reading
        # These look for changes on disk first. The others show the index as it is, which a thread brings up to date.
        looking: dict[str, View] = {
            "/search": views.search,
            "/code/{path:path}": reading.code,
            "/definition/{path:path}": reading.definition,
            "/picture": views.picture,
            "/way": Ways(self._make).way,
        }
        steady: dict[str, View] = {
            "/": views.start,
            "/folder/{path:path}": views.folder,
            "/reference/{path:path}": reading.reference,
            "/tour": views.tour,
            "/impact": views.impact,
            "/go/{id}": reading.go,
            "/part/picture": views.picture_part,
            "/part/hubs": views.hubs,
            "/part/suggest": views.suggest,
            "/part/everything": views.everything,
            "/raw/{path:path}": reading.raw,
            "/part/lines/{path:path}": reading.lines,
            "/part/find/{path:path}": reading.find,
            "/part/tree/{path:path}": reading.tree,
            "/part/excerpt/{path:path}": reading.excerpt,
            "/part/routes/{path:path}": views.routes,
            "/part/card": reading.card,
            "/part/impact/{path:path}": views.impact_of,
        }
        pages = {
            **{path: self._make.looking(view) for path, view in looking.items()},
            **{path: self._make.steady(view) for path, view in steady.items()},
            "/stamp": views.stamp,
        }
        routes: list[BaseRoute] = [
            *(Route(path, self._endpoint(view)) for path, view in pages.items()),
            *(Route(f"{API}{path}", self._endpoint(pages[path])) for path in ADDRESSES if path in pages),
            Route(f"{API}/ask", self._ask, methods=["POST"]),
            Route(f"{API}/ask/{{talk}}", self._ask),
            Route("/openapi.json", self._description),
            Route("/healthz", self._health),
            Route("/impact", self._change, methods=["POST"]),
            Route("/ask", self._ask, methods=["GET", "POST"]),
            Route("/ask/stream", self._stream, methods=["POST"]),
            Route("/ask/{talk}", self._ask),
            *asset_routes(),
        ]
        prefix = self._make.prefix
        if prefix:
            routes = [*(Route(path, self._start) for path in ("/", prefix)), Mount(prefix, routes=routes)]
        return Starlette(
            routes=routes,
            exception_handlers={CgiError: self._error, 404: self._missing},
        )

    def close(self) -> None:
        """End the threads."""
        self._pages.shutdown(wait=False, cancel_futures=True)
        self._questions.shutdown(wait=False, cancel_futures=True)

    def _endpoint(self, view: View) -> Callable[[Request], Awaitable[Response]]:

        async def endpoint(request: Request) -> Response:
            return await asyncio.get_running_loop().run_in_executor(self._pages, view, request)

        return endpoint

    async def _error(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, CgiError)
        return await asyncio.get_running_loop().run_in_executor(self._pages, self._make.error, request, error)

    async def _missing(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return await self._error(request, NotInIndexError(f"there is no page {request.url.path}"))

    async def _start(self, request: Request) -> Response:
        """Lead to the start page, which is below the prefix."""
        return self._make.lead("/", 307)

    async def _health(self, request: Request) -> Response:
        """Say that the server answers, without a look at the index."""
        return PlainTextResponse("ok\n")

    async def _description(self, request: Request) -> Response:
        """Describe the addresses that answer with JSON."""
        return json_response(openapi(self._make.prefix))

    async def _ask(self, request: Request) -> Response:
        form = await _form(request) if request.method == "POST" else None
        if isinstance(form, Response):
            return form
        return await asyncio.get_running_loop().run_in_executor(self._questions, self._views.ask, request, form)

    async def _change(self, request: Request) -> Response:
        form = await _form(request, MAX_DIFF)
        if isinstance(form, Response):
            return form
        return await asyncio.get_running_loop().run_in_executor(self._pages, self._views.change, form)

    async def _stream(self, request: Request) -> Response:
        form = await _form(request)
        if isinstance(form, Response):
            return form
        return StreamingResponse(self._answer(form), media_type="application/x-ndjson")

    async def _answer(self, form: Mapping[str, str]) -> AsyncIterator[str]:
        """Yield an answer as lines of JSON: pieces of its text as they come, and then the whole as HTML."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[str | None] = asyncio.Queue()

        def pass_on(piece: str | None) -> None:
            loop.call_soon_threadsafe(pieces.put_nowait, piece)

        answer = loop.run_in_executor(self._questions, self._views.answer, form, pass_on)
        answer.add_done_callback(lambda _: pieces.put_nowait(None))
        while (piece := await pieces.get()) is not None:
            yield json_line({"text": piece})
        yield json_line(await answer)


async def _form(request: Request, most: int = MAX_BODY) -> dict[str, str] | Response:
    """Return the fields of a form, or the refusal of one with more than `most` bytes."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return PlainTextResponse(f"a form has at most {most:,} bytes\n", 413)
    return read_form(body)


def read_prefix(text: str) -> str:
    """Read the path below which a proxy shows the server: `code/` is `/code`. Raises UsageError for what is no such path."""
    path = text.strip("/")
    if path and not _PREFIX.fullmatch(path):
        raise UsageError(f"{text!r} is no path for --prefix; give letters, digits and slashes, such as /code")
    return f"/{path}" if path else ""


def guarded(server: Server, names: Collection[str]) -> ASGIApp:
    """Return the application of a server with the guard in front of it. `names` are the hosts that the user gave."""
    return Guard(Compressed(server.app()), names)


class Compressed:
    """An application whose pages are sent compressed. The reply to a question is not, because it comes piece by piece."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._compressed = GZipMiddleware(app, minimum_size=LEAST_COMPRESSED, compresslevel=COMPRESSION)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await (self._compressed if scope.get("method") == "GET" else self._app)(scope, receive, send)


def serve(
    indexer: Index,
    *,
    host: str,
    port: int,
    names: Collection[str] = (),
    prefix: str = "",
    ready: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve the pages of an index until the process is interrupted. `ready` gets the address when the server answers.

    `names` are the host names of proxies before the server, and `prefix` is the path below which they show it.

    Raises UsageError if nobody can listen there, and what opening the index raises.
    """
    prefix = read_prefix(prefix)
    try:
        create_server((host, port), family=AF_INET6 if ":" in host else AF_INET).close()
    except OSError as exc:
        reason = exc.strerror or str(exc)
        raise UsageError(
            f"cannot serve at {host}:{port}: {reason}; give another --port, or end what serves there"
        ) from exc
    site = Site(indexer)
    server = Server(site, prefix)
    site.follow()
    site.warm(server.load)
    config = uvicorn.Config(
        guarded(server, [host, *names]), host=host, port=port, log_level="warning", access_log=False
    )

    class Announcing(uvicorn.Server):
        """A server that says when it answers."""

        async def startup(self, sockets: object = None) -> None:
            """Begin to listen, and say so."""
            await super().startup()
            if self.started:
                ready(f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}/")

    try:
        Announcing(config).run()
    finally:
        server.close()
        site.close()
