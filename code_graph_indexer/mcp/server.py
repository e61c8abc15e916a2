"""The MCP server: two tools that answer from the indexes of its repositories, over standard input and output or HTTP."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from pydantic import Field

from code_graph_indexer.background import in_thread
from code_graph_indexer.errors import CgiError
from code_graph_indexer.mcp.repositories import MAX_TOKENS, MIN_TOKENS, Question, Repositories, Repository
from code_graph_indexer.version import VERSION

log = logging.getLogger(__name__)

INSTRUCTIONS = """\
cgi knows this code base: definitions, calls with their certainty, tests, history. Its index follows the files on disk, so \
quoted lines are current: edit from them, do not read them again.
Use `explore` before grep or reading files whenever you ask how something works, who calls it, how A reaches B, or where \
to change something: one call replaces many. Use `impact` before you change a definition, and before you commit, for what \
breaks and the tests to run. For a literal text, grep is as good."""

EXPLORE = """\
Understand code in one call. `query`: a question ("how are sessions saved?"), names ("Cart.total add_tax"), \
"A -> B" (how A reaches B), "who calls X", "what does X call", "tests of X", "implementations of X", a file, \
"path:10-40", or a stack trace. Filters: lang:go path:src/* -test:yes. \
Returns the structure (calls, callers, callees, tests, classes), then whole definitions as number<TAB>line, then what was \
left out and what is not known."""

IMPACT = """\
What a change breaks, how surely, and which tests to run. Give `target` (a definition or file), or `diff` (REV..REV, or \
REV against the working tree). With neither: the uncommitted changes."""

REPO = "Name or path of the repository or worktree; needed only if you work in several."
BUDGET = f"Most tokens of the reply ({MIN_TOKENS} to {MAX_TOKENS}); default by size of the repository."

HARD_SECONDS = 15.0
"""Seconds after which a question is given up. An answer ends by itself after 5 s, unless the machine is overloaded."""

STEP_SECONDS = 0.5
"""Seconds between two reports of progress."""

ANNOTATIONS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
META = {"anthropic/alwaysLoad": True}
"""Clients that load the definitions of tools late load these at once."""

Repo = Annotated[str, Field(description=REPO)]
Budget = Annotated[int, Field(description=BUDGET)]


def build_server(repositories: Repositories) -> MCPServer:
    """Return a server with the tools `explore` and `impact` for some repositories."""
    server: MCPServer = MCPServer("cgi", instructions=INSTRUCTIONS, version=VERSION, log_level="WARNING")

    @server.tool(description=EXPLORE, annotations=ANNOTATIONS, meta=META, structured_output=False)
    async def explore(query: str, ctx: Context, repo: Repo = "", budget: Budget = 0) -> str:
        return await _answer(
            repositories, repo, query, lambda indexer, tokens: indexer.explore(query, budget=tokens), budget, ctx
        )

    @server.tool(description=IMPACT, annotations=ANNOTATIONS, meta=META, structured_output=False)
    async def impact(
        ctx: Context,
        target: Annotated[str, Field(description="A name (save, Model.save, models.py:save) or a path.")] = "",
        diff: Annotated[str, Field(description="Git revisions: main..HEAD, or HEAD~1.")] = "",
        repo: Repo = "",
        budget: Budget = 0,
    ) -> str:
        return await _answer(
            repositories,
            repo,
            target or diff,
            lambda indexer, tokens: indexer.explore_change(target, diff=diff, budget=tokens),
            budget,
            ctx,
        )

    return server


async def _answer(
    repositories: Repositories, repo: str, query: str, question: Question, budget: int, ctx: Context
) -> str:
    """Ask the repositories that are meant, and return their answers as one text.

    What went wrong is said as text too: an agent that gets errors early stops asking.
    """
    try:
        chosen = repositories.named(repo)
        working = asyncio.ensure_future(in_thread(ask_all, chosen, query, question, budget))
        waited = 0.0
        while not (await asyncio.wait([working], timeout=STEP_SECONDS))[0]:
            waited += STEP_SECONDS
            await ctx.report_progress(waited, HARD_SECONDS, ", ".join(repository.progress for repository in chosen))
            if waited >= HARD_SECONDS:
                working.cancel()
                return "The answer takes too long on this machine at the moment. Ask for less, or again later."
        return working.result()
    except CgiError as exc:
        return f"{exc}\n"


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


def serve(repositories: Repositories) -> None:
    """Answer a client over standard input and output until it closes them."""
    try:
        build_server(repositories).run("stdio")
    finally:
        repositories.close()


def serve_http(repositories: Repositories, *, port: int, host: str = "127.0.0.1") -> None:
    """Answer clients over HTTP at /mcp on the loopback interface. Requests from web pages elsewhere are refused."""
    names = [f"{name}:{port}" for name in (host, "localhost")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
    )
    try:
        build_server(repositories).run("streamable-http", host=host, port=port, transport_security=security)
    finally:
        repositories.close()
