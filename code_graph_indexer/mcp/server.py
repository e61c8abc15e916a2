"""The MCP server: two tools that answer from the indexes of its repositories, over standard input and output or HTTP."""

import asyncio
import json
import sys
from collections.abc import Sequence
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import IO, BinaryIO, cast
from urllib.parse import unquote, urlsplit

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListRootsRequest,
    ListRootsResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from code_graph_indexer.background import in_thread
from code_graph_indexer.errors import CgiError
from code_graph_indexer.mcp.repositories import Question, Repositories, Repository
from code_graph_indexer.mcp.tools import INSTRUCTIONS, MAX_TOKENS, MIN_TOKENS, TOOLS
from code_graph_indexer.version import VERSION

HARD_SECONDS = 15.0
"""Seconds after which a question is given up. An answer ends by itself after 5 s, unless the machine is overloaded."""

STEP_SECONDS = 0.5
"""Seconds between two reports of progress."""

ROOTS_SECONDS = 3.0
"""The most seconds that a client takes to say in which folders it works."""

ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
META = {"anthropic/alwaysLoad": True}
"""Clients that load the definitions of tools late load these at once."""

Context = ServerRequestContext[dict[str, object]]


def build_server(repositories: Repositories) -> Server[dict[str, object]]:
    """Return a server with the tools `explore` and `impact` for some repositories."""

    async def list_tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        # Not before: a client waits for the start, and then it asks for the tools.
        repositories.warm()
        tools = [
            Tool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.schema(),
                annotations=ANNOTATIONS,
                _meta=META,
            )
            for tool in TOOLS.values()
        ]
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        text = await answer(repositories, params, context)
        return CallToolResult(content=[TextContent(type="text", text=text)])

    return Server("cgi", instructions=INSTRUCTIONS, version=VERSION, on_list_tools=list_tools, on_call_tool=call_tool)


async def answer(repositories: Repositories, params: CallToolRequestParams, context: Context) -> str:
    """Answer the call of a tool as text.

    What is wrong with the call is said as text too: an agent that gets errors early stops asking.
    """
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(INVALID_PARAMS, f"there is no tool {params.name!r}; the tools are {', '.join(TOOLS)}")
    try:
        sent = tool.read(params.arguments or {})
        query, question = question_of(tool.name, sent)
        if await in_thread(repositories.are_unusable):
            await in_thread(repositories.take, await folders_of(context))
        chosen = repositories.named(sent["repo"])
        return await _within_limits(chosen, query, question, sent["budget"], context)
    except CgiError as exc:
        return f"{exc}\n"


def question_of(tool: str, sent: dict[str, str]) -> tuple[str, Question]:
    """Return the text that a call is about, and the question to an index."""
    if tool == "explore":
        return sent["query"], lambda indexer, tokens: indexer.explore(
            sent["query"], expect=sent["expect"], budget=tokens
        )
    target, diff = sent["target"], sent["diff"]
    return target or diff, lambda indexer, tokens: indexer.explore_change(target, diff=diff, budget=tokens)


async def folders_of(context: Context) -> list[Path]:
    """List the folders that a client works in, which clients told before the protocol of 2026-07-28 did away with that."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return []
    try:
        asked = context.session.send_request(ListRootsRequest(), ListRootsResult)
        reply = await asyncio.wait_for(asked, ROOTS_SECONDS)
    except (TimeoutError, MCPError):
        return []
    return [Path(unquote(urlsplit(str(root.uri)).path)) for root in reply.roots]


async def _within_limits(
    chosen: Sequence[Repository], query: str, question: Question, budget: int, context: Context
) -> str:
    """Ask the repositories that are `chosen`, report progress meanwhile, and give up after HARD_SECONDS with a sentence."""
    working = asyncio.ensure_future(in_thread(ask_all, chosen, query, question, budget))
    waited = 0.0
    while not (await asyncio.wait([working], timeout=STEP_SECONDS))[0]:
        waited += STEP_SECONDS
        progress = ", ".join(repository.progress for repository in chosen)
        await context.session.report_progress(waited, HARD_SECONDS, progress)
        if waited >= HARD_SECONDS:
            working.cancel()
            return "The answer takes too long on this machine at the moment. Ask for less, or again later."
    return working.result()


def ask_all(chosen: Sequence[Repository], query: str, question: Question, budget: int) -> str:
    """Return the answers of several repositories, each below its name, with equal shares of the budget."""
    if len(chosen) == 1:
        return _ask(chosen[0], query, question, budget)
    share = max((budget or MAX_TOKENS) // len(chosen), MIN_TOKENS)
    most = max(1, MAX_TOKENS // share)
    texts = [
        f"# Repository {repository.name}\n\n{_ask(repository, query, question, share)}" for repository in chosen[:most]
    ]
    if len(chosen) > most:
        names = ", ".join(repository.name for repository in chosen[most:])
        texts.append(f"Not asked, for want of room: {names}. Name one with `repo`.\n")
    return "\n".join(texts)


def _ask(repository: Repository, query: str, question: Question, budget: int) -> str:
    try:
        return repository.answer(query, question, budget)
    except CgiError as exc:
        return f"{exc}\n"


class Messages:
    """The lines of a stream with one JSON message each, in which each half of a character is replaced.

    The SDK reads no message with such a half, and gives no answer, so that the client would wait for ever.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> str:
        """Return the next line, or an empty text at the end."""
        line = self._stream.readline().decode("utf-8", "replace")
        # In JSON, a half is an escape such as \ud800.
        if "\\ud" not in line.lower():
            return line
        try:
            return json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"
        except ValueError:
            return line


def serve(repositories: Repositories) -> None:
    """Answer a client over standard input and output until it closes them."""

    # Threads wait in these streams and hold their locks. A process that is forked meanwhile, to read an edited file, closes the
    # standard streams, and would wait for the locks for ever.
    requests, replies = sys.stdin.buffer, TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
    sys.stdin, sys.stdout = StringIO(), StringIO()

    async def run() -> None:
        server = build_server(repositories)
        messages = anyio.wrap_file(cast("IO[str]", Messages(requests)))
        async with stdio_server(stdin=messages, stdout=anyio.wrap_file(replies)) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    try:
        asyncio.run(run())
    finally:
        repositories.close()


def serve_http(repositories: Repositories, *, port: int, host: str = "127.0.0.1") -> None:
    """Answer clients over HTTP at /mcp on the loopback interface. Requests from web pages elsewhere are refused."""
    # Standard input and output do without it.
    import uvicorn

    names = [f"{name}:{port}" for name in (host, "localhost")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
    )
    app = build_server(repositories).streamable_http_app(host=host, transport_security=security)
    try:
        uvicorn.run(app, host=host, port=port, log_level="warning")
    finally:
        repositories.close()
