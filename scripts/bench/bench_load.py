"""Let many clients ask a page and a server for agents at once, and compare each answer with that of a lone client.

`cgi web` and `cgi mcp --http` are started for one repository. A lone client asks every question twice: all kinds of page and
part of a page, pictures in every format (JSON among them), questions to `ask` without a key, and both tools. What it is told
twice alike, all clients then ask in an order of their own, until the time is over. Printed are the answers, those that differ,
the failures, the times, the memory, and whether both servers still live.

usage: bench_load.py ROOT [--clients 16] [--minutes 10] [--symbols 6] [--kinds KIND…]
"""

import argparse
import asyncio
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from mcp import Client

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.links import address, code_link, definition_link, folder_link, search_link

START_SECONDS, ANSWER_SECONDS = 60.0, 120.0
"""The most seconds that a server may take to start, and that an answer may take."""

KEYS = ("ANTHROPIC_API_KEY", "CGI_API_KEY", "OPENAI_API_KEY")
"""Variables that would have a language model answer, who never says the same twice."""

PER_AGENT = 4
"""Of so many clients one is an agent, which asks the tools. The others ask for pages, and wait for no tool."""

SEARCHES = 8
"""Searches for two names for each definition that is asked about."""

FORMATS = ("json", "svg", "dot", "graphml", "mermaid")

TALK = re.compile(r'(talk\\?"(?: value=|: )\\?")[\w-]+')
"""Matches the name of a conversation in a reply, which is drawn anew each time."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question: a page, with a form that is sent to it, or a tool, with its arguments."""

    kind: str
    page: str = ""
    form: tuple[tuple[str, str], ...] = ()
    arguments: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Outcome:
    """What the clients were told: times in seconds by kind, differing answers and failures by kind."""

    times: dict[str, list[float]] = field(default_factory=dict)
    differing: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    unsteady: Counter[str] = field(default_factory=Counter)
    memory: Mapping[str, float] = field(default_factory=dict)
    ended: Mapping[str, int] = field(default_factory=dict)

    @property
    def answers(self) -> int:
        """Return the number of answers."""
        return sum(map(len, self.times.values()))

    @property
    def is_right(self) -> bool:
        """Say whether every answer was right, and both servers lived to the end."""
        return bool(self.answers) and not (self.differing or self.failures or self.ended)

    def text(self) -> str:
        """Return the figures."""
        times = [value for values in self.times.values() for value in values]
        rows = [
            f"| {kind} | {len(values)} | {statistics.median(values):.3f} | {p95(values):.3f} |"
            for kind, values in sorted(self.times.items())
        ]
        memory = ", ".join(f"{name} {size:.0f} MB" for name, size in self.memory.items())
        return "\n".join(
            [
                "| kind | answers | median, s | p95, s |\n|---|---|---|---|",
                *rows,
                f"{len(times):,} answers, median {statistics.median(times):.3f} s, p95 {p95(times):.3f} s; memory: {memory}",
                f"differing: {dict(self.differing) or 'none'}; failures: {dict(self.failures) or 'none'}; "
                f"left out, because a lone client was told two things: {dict(self.unsteady) or 'none'}",
                f"servers that ended: {dict(self.ended) or 'none'}",
            ]
        )


def p95(values: Sequence[float]) -> float:
    """Return the value that 95 % of the values do not exceed."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def questions_of(root: Path, symbols: int) -> list[Question]:
    """List questions of every kind about the definitions on which most depends, and about their files."""
    with CodeIndexer(root) as indexer:
        hubs = [hub.symbol for hub in indexer.graph.hubs(symbols)]
        ids = ",".join(str(symbol.chunk_id) for symbol in hubs[:3])
        names = sorted(name for name in indexer.store.symbol_names() if len(name) > 3)
        folder = next((symbol.file_path.rpartition("/")[0] for symbol in hubs if "/" in symbol.file_path), "")
    pages = {
        "start": ["/", "/part/hubs", "/ask", "/picture.css", "/static/page.js"],
        "folder": [folder_link(folder), address("folder", folder, all="1")] if folder else [],
        "card": [f"/part/card?ids={ids}"],
        "picture": [
            "/picture",
            address("picture", folder=folder),
            *(address("picture", name=hubs[0].name, format=form) for form in FORMATS),
        ],
        "impact": ["/impact"],
        "stamp": ["/stamp"],
        "missing": ["/nothing", "/impact?diff=%00", address("code", "nothing.py")],
    }
    questions = [Question(kind, page) for kind, addresses in pages.items() for page in addresses]
    # Results of all sorts, because a page parses the first lines of each of them.
    draw = random.Random(0)
    pairs = [" ".join(draw.sample(names, 2)).replace("_", " ") for _ in range(SEARCHES * symbols)]
    questions += [Question("search", search_link(text)) for text in pairs]
    for symbol in hubs:
        name, path, line = f"{symbol.file_path}:{symbol.qualified_name}", symbol.file_path, symbol.start_line
        words = symbol.name.replace("_", " ")
        texts = (
            symbol.name,
            f"how does {words} work",
            f"{symbol.name} test:no",
            f"{words} error",
            f"def {words} class",
        )
        questions += [Question("search", search_link(text)) for text in texts]
        questions += [Question("search", address("search", q=symbol.name, explain="1"))]
        questions += [
            Question("suggest", address(f"part/{part}", q=symbol.name[:4])) for part in ("suggest", "everything")
        ]
        questions += [
            Question("code", code_link(path, line)),
            Question("code", address("part/lines", path, **{"from": "1"})),
            Question("code", address("part/excerpt", path, at=str(line))),
            Question("definition", definition_link(symbol)),
            Question("definition", address("definition", path, name=symbol.qualified_name, tests="no")),
            Question("definition", f"/go/{symbol.chunk_id}"),
            Question("impact", address("impact", target=name)),
            Question("impact", address("part/impact", path, name=symbol.qualified_name)),
            Question("picture", address("picture", name=name)),
            Question("picture", address("picture", name=name, show="impact")),
        ]
        asked = f"who calls {symbol.name}?"
        questions += [Question("ask", page, (("q", asked),)) for page in ("/ask", "/ask/stream")]
        explored = (symbol.name, asked, f"{hubs[0].name} -> {symbol.name}", f"how does {symbol.name} work", path)
        questions += [Question("explore", arguments=(("query", text),)) for text in explored]
        questions += [Question("impact tool", arguments=(("target", text),)) for text in (name, path, "no such name")]
    return list(dict.fromkeys(questions))


@contextmanager
def server(*command: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends, from when it takes connections."""
    environment = {name: value for name, value in os.environ.items() if name not in KEYS}
    process = subprocess.Popen(
        [sys.executable, "-m", "code_graph_indexer", *command, "--port", str(port)],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _takes_connections(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{' '.join(command)} does not start")
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait()


def _takes_connections(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Asker:
    """A client of both servers."""

    def __init__(self, web: httpx.AsyncClient, tools: Client) -> None:
        self._web = web
        self._tools = tools

    async def answer(self, question: Question) -> tuple[int, str]:
        """Return the status and the text of an answer. A tool has the status 200, or 500 for an error."""
        if question.arguments:
            tool = "explore" if question.kind == "explore" else "impact"
            reply = await self._tools.call_tool(tool, dict(question.arguments))
            return 500 if reply.is_error else 200, "".join(
                str(getattr(block, "text", block)) for block in reply.content
            )
        if question.form:
            page = await self._web.post(question.page, data=dict(question.form))
        else:
            page = await self._web.get(question.page)
        return page.status_code, TALK.sub(r"\1", page.text)


def page_client(url: str) -> httpx.AsyncClient:
    """Return a client of the page, which takes no proxy on the way to it."""
    return httpx.AsyncClient(base_url=url, timeout=ANSWER_SECONDS, trust_env=False, headers={"origin": url})


async def load(web: str, tools: str, questions: Sequence[Question], clients: int, seconds: float) -> Outcome:
    """Ask as a lone client, and then as many, until the time is over."""
    outcome = Outcome()
    expected: dict[Question, tuple[int, str]] = {}
    async with page_client(web) as page, Client(tools) as client:
        lone = Asker(page, client)
        # The first time, much is loaded and remembered.
        for question in questions:
            await lone.answer(question)
        for question in questions:
            answers = [await lone.answer(question) for _ in range(2)]
            if answers[0] == answers[1] and answers[0][0] < 500:
                expected[question] = answers[0]
            else:
                outcome.unsteady[question.kind] += 1
    end = time.monotonic() + seconds
    agents = [seed % PER_AGENT == 0 for seed in range(clients)]
    asking = []
    for seed, is_agent in enumerate(agents):
        share = {question: answer for question, answer in expected.items() if bool(question.arguments) == is_agent}
        # Between them, the clients of a kind ask each question at least once, however slow the machine is.
        first = list(share)[agents[:seed].count(is_agent) :: agents.count(is_agent)]
        asking.append(_ask(web, tools, share or expected, first, outcome, end, seed))
    await asyncio.gather(*asking)
    return outcome


async def _ask(
    web: str,
    tools: str,
    expected: Mapping[Question, tuple[int, str]],
    first: list[Question],
    outcome: Outcome,
    end: float,
    seed: int,
) -> None:
    """Ask the `first` questions, and then those of `expected` in any order, until the time is over."""
    draw = random.Random(seed)
    async with page_client(web) as page, Client(tools) as client:
        asker = Asker(page, client)
        waiting: list[Question] = []
        while first or time.monotonic() < end:
            waiting = waiting or draw.sample(list(expected), len(expected))
            question = first.pop() if first else waiting.pop()
            started = time.perf_counter()
            try:
                answer = await asker.answer(question)
            except httpx.HTTPError as exc:
                outcome.failures[f"{question.kind}: {type(exc).__name__}"] += 1
                # A server that is gone refuses at once.
                await asyncio.sleep(0.1)
                continue
            outcome.times.setdefault(question.kind, []).append(time.perf_counter() - started)
            if answer != expected[question]:
                outcome.differing[question.kind] += 1


def run(root: Path, *, clients: int, seconds: float, symbols: int, kinds: Collection[str] = ()) -> Outcome:
    """Start both servers, and return what the clients were told: questions of some kinds, or of all."""
    questions = [question for question in questions_of(root, symbols) if not kinds or question.kind in kinds]
    ports = free_port(), free_port()
    with (
        server("web", str(root), port=ports[0]) as page,
        server("mcp", str(root), "--http", port=ports[1]) as tools,
    ):
        urls = [f"http://127.0.0.1:{port}" for port in ports]
        outcome = asyncio.run(load(urls[0], f"{urls[1]}/mcp", questions, clients, seconds))
        processes = {"web": page, "mcp": tools}
        outcome.ended = {name: code for name, process in processes.items() if (code := process.poll()) is not None}
        outcome.memory = {name: memory(process.pid) for name, process in processes.items()}
    return outcome


def memory(process: int) -> float:
    """Return the memory of a process in MB, or 0 where the system does not tell."""
    path = Path(f"/proc/{process}/statm")
    return int(path.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if path.exists() else 0.0


def main() -> None:
    """Print the figures, and fail if an answer was wrong or a server ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--symbols", type=int, default=6, help="definitions that are asked about")
    parser.add_argument("--kinds", nargs="*", default=(), help="kinds of questions, such as search (default: all)")
    options = parser.parse_args()
    outcome = run(
        options.root.absolute(),
        clients=options.clients,
        seconds=60 * options.minutes,
        symbols=options.symbols,
        kinds=options.kinds,
    )
    print(outcome.text())
    sys.exit(not outcome.is_right)


if __name__ == "__main__":
    main()
