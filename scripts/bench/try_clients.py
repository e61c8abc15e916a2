"""Let several MCP clients ask one server while the files of the repository change, and check every quoted line.

A copy of the repository is changed several times a second: lines are put in front of a file, functions are added, files are
renamed, removed, and made in new nested folders. A quoted line is right if its file had this line at this number at some
moment between the question and the reply. Printed are the calls, errors, wrong lines, times, and the memory of the server
along the way.

Before that, each way to connect is tried once: standard input and output in both eras of the protocol, and the command line
of the MCP Inspector if you name it (npm install @modelcontextprotocol/inspector).

usage: try_clients.py ROOT [--clients 8] [--minutes 10] [--inspector node_modules/.bin/mcp-inspector]
"""

import argparse
import asyncio
import json
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mcp import Client, StdioServerParameters

from code_graph_indexer import CodeIndexer

SEED = 30
EDIT_SECONDS = 0.4
"""Seconds between two changes of files."""

QUOTED = re.compile(r"(\d+)\t(.*)")
LINE_CUT = " …"
ASKED = (
    "{name}",
    "who calls {name}",
    "what does {name} call",
    "tests of {name}",
    "{name} -> {goal}",
    "how does {name} work",
)


class Version(NamedTuple):
    """A version of a file: when it appeared, and its lines, or None for a file that is gone."""

    since: float
    lines: list[str] | None


class Tree:
    """A repository whose files change, with the versions that each file had."""

    def __init__(self, root: Path, seed: int) -> None:
        """Index the repository, and read its files."""
        self.root = root
        self.random = random.Random(seed)
        self.versions: dict[str, list[Version]] = defaultdict(list)
        with CodeIndexer(root) as indexer:
            indexer.index()
            self.paths = [file.path for file in indexer.store.files() if file.language and file.error is None]
            self.names = sorted(name for name in indexer.store.symbol_names() if len(name) > 3)
            texts = [file.path for file in indexer.store.files() if file.error is None]
        for path in texts:
            self.versions[path].append(Version(0.0, self.read(path)))

    def read(self, path: str) -> list[str]:
        """Return the lines of a file on disk."""
        text = (self.root / path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        return text.split("\n")

    def write(self, path: str, text: str | None) -> None:
        """Write or remove a file. The version is noted before and after, because a reader may meet either."""
        place = self.root / path
        now = time.monotonic()
        if text is None:
            place.unlink()
            self.versions[path].append(Version(now, None))
            return
        self.versions[path].append(Version(now, text.split("\n")))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")

    def change(self) -> None:
        """Make one random change."""
        path = self.random.choice(self.paths)
        text = "\n".join(self.read(path))
        mark = {".py": "#", ".rb": "#", ".sh": "#"}.get(Path(path).suffix, "//")
        number = self.random.randrange(10**6)
        match self.random.randrange(6):
            case 0 | 1 | 2:
                self.write(path, f"{mark} {number}\n{text}")
            case 3:
                self.write(path, f"{text}\n{mark} {number}\n")
            case 4:
                folder = f"new{number % 7}/deep/{number}"
                self.paths.append(f"{folder}/{Path(path).name}")
                self.write(self.paths[-1], text)
            case _:
                if len(self.paths) > 20 and path.startswith("new"):
                    self.paths.remove(path)
                    self.write(path, None)

    def had(self, path: str, number: int, line: str, start: float, end: float) -> bool:
        """Say whether a file had a line at this number at some moment of an interval."""
        versions = self.versions[path]
        for position, version in enumerate(versions):
            until = versions[position + 1].since if position + 1 < len(versions) else end
            # The write itself takes a moment, and the reader may meet the file before or after it.
            if version.since > end or until + 0.5 < start or version.lines is None or number > len(version.lines):
                continue
            real = version.lines[number - 1]
            if real == line or (line.endswith(LINE_CUT) and real.startswith(line.removesuffix(LINE_CUT))):
                return True
        return False


class Tally:
    """What the clients met."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seconds: list[float] = []
        self.quoted = 0
        self.errors: list[str] = []
        self.wrong: list[str] = []

    def check(self, tree: Tree, query: str, text: str, start: float, end: float) -> None:
        """Count a reply, and compare each line that it quotes with the versions of its file."""
        self.seconds.append(end - start)
        path = ""
        for row in text.split("\n"):
            if row.startswith("### "):
                path = row[4:]
            elif (match := QUOTED.fullmatch(row)) and path:
                self.quoted += 1
                if not tree.had(path, int(match[1]), match[2], start, end):
                    self.wrong.append(f"{query!r}: {path}:{match[1]} {match[2][:60]!r}")


async def ask(client: Client, tally: Tally, tree: Tree) -> None:
    """Ask one random question."""
    name, goal = tree.random.choices(tree.names, k=2)
    query = tree.random.choice(ASKED).format(name=name, goal=goal)
    start = time.monotonic()
    reply = await client.call_tool("explore", {"query": query})
    text = str(getattr(reply.content[0], "text", ""))
    if reply.is_error or not text or len(text) > 25_000:
        tally.errors.append(f"{query!r}: {text[:200]!r}")
    tally.check(tree, query, text, start, time.monotonic())


async def client_session(url: str, tally: Tally, tree: Tree, until: float, mode: dict[str, Any]) -> None:
    """Ask until the time is over."""
    async with Client(url, **mode) as client:
        while time.monotonic() < until:
            try:
                await asyncio.wait_for(ask(client, tally, tree), 30)
            # Whatever goes wrong is what is looked for.
            except Exception as exc:  # noqa: BLE001
                tally.errors.append(repr(exc))


async def edit(tree: Tree, until: float) -> None:
    """Change files until the time is over."""
    while time.monotonic() < until:
        tree.change()
        await asyncio.sleep(EDIT_SECONDS)


async def watch_memory(pid: int, until: float, every: float) -> list[int]:
    """Return the megabytes that the server holds, sampled along the way."""
    samples: list[int] = []
    while time.monotonic() < until:
        samples.append(resident(pid))
        await asyncio.sleep(every)
    return samples


def resident(pid: int) -> int:
    """Return the resident memory of a process in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024  # type: ignore[index]


@contextmanager
def server(root: Path) -> Iterator[tuple[int, str]]:
    """Start a server over HTTP, and yield its process id and address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "code_graph_indexer", "mcp", str(root), "--http", "--port", str(port)]
    with subprocess.Popen(command) as process:
        while socket.socket().connect_ex(("127.0.0.1", port)):
            time.sleep(0.1)
        yield process.pid, f"http://127.0.0.1:{port}/mcp"
        process.terminate()


async def try_stdio(root: Path, name: str, mode: dict[str, Any]) -> str:
    """Ask a server of its own over standard input and output."""
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "code_graph_indexer", "mcp", str(root)])
    async with Client(parameters, **mode) as client:
        reply = await client.call_tool("explore", {"query": name})
        return "ok" if not reply.is_error and reply.content else "failed"


def try_inspector(inspector: str, root: Path, name: str) -> str:
    """Ask with the command line of the MCP Inspector."""
    command = [inspector, "--cli", sys.executable, "-m", "code_graph_indexer", "mcp", str(root)]
    call = ["--method", "tools/call", "--tool-name", "explore", "--tool-arg", f"query={name}"]
    done = subprocess.run([*command, *call], capture_output=True, text=True, check=False, timeout=120)
    return (
        "ok" if done.returncode == 0 and json.loads(done.stdout)["isError"] is False else f"failed: {done.stderr[:300]}"
    )


async def run(tree: Tree, clients: int, minutes: float) -> None:
    """Let clients ask one server over HTTP while files change, and print what they met."""
    tally = Tally()
    with server(tree.root) as (pid, url):
        until = time.monotonic() + 60 * minutes
        modes: list[dict[str, Any]] = [{"mode": "legacy"} if number % 2 else {} for number in range(clients)]
        tasks = [client_session(url, tally, tree, until, mode) for mode in modes]
        memory, *_ = await asyncio.gather(watch_memory(pid, until, 60 * minutes / 10), edit(tree, until), *tasks)
    changes = sum(len(versions) - 1 for versions in tree.versions.values())
    print(f"{len(tally.seconds)} replies to {clients} clients in {minutes:g} minutes, {changes} changes of files")
    cuts = statistics.quantiles(tally.seconds, n=20)
    print(
        f"seconds a reply: p50 {statistics.median(tally.seconds):.2f}, p95 {cuts[-1]:.2f}, most {max(tally.seconds):.2f}"
    )
    print(f"{tally.quoted} quoted lines, {len(tally.wrong)} wrong; {len(tally.errors)} errors")
    print(f"memory of the server in MB: {memory}")
    for problem in (tally.wrong + tally.errors)[:20]:
        print(f"  {problem}")


def main() -> None:
    """Run the trial."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--inspector", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / options.root.resolve().name
        shutil.copytree(options.root, root, ignore=shutil.ignore_patterns(".cgi"), symlinks=True)
        tree = Tree(root, SEED)
        for label, mode in (("without handshake", {}), ("with handshake", {"mode": "legacy"})):
            print(f"standard input and output, {label}: {asyncio.run(try_stdio(root, tree.names[0], mode))}")
        if options.inspector:
            print(f"MCP Inspector: {try_inspector(options.inspector, root, tree.names[0])}")
        asyncio.run(run(tree, options.clients, options.minutes))


if __name__ == "__main__":
    main()
