"""The process of a run: fetch, index and publish one repository, under limits that the worker watches.

It is forked from a process in which all modules are loaded, because that takes longer than to look at a small repository.
The worker keeps its end of the connection open. If the worker dies, the connection ends, and so does this process.
Each message is a step, and the last one the result.
"""

import fcntl
import json
import os
import resource
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

from code_graph_indexer.errors import BusyError, CgiError
from code_graph_indexer.indexer import CodeIndexer
from code_graph_indexer.results import Progress
from code_graph_indexer.storage.address import Address
from code_graph_indexer.team import publish_index
from code_graph_indexer.team.fleet.cache import INDEX, LOCK_FILE, TREE
from code_graph_indexer.team.fleet.checkout import UnreachableError, check_out, plain_end
from code_graph_indexer.team.fleet.records import Outcome, Result, Task
from code_graph_indexer.team.fleet.register import is_unavailable

STEP_SECONDS = 1.0
"""The shortest time between two reports of progress, in seconds."""

ADDRESS_FACTOR, ADDRESS_SPARE = 2, 2 * 1024**3
"""How much address space a process gets: a multiple of its memory, and bytes for libraries and mapped files.

This stops what allocates faster than the worker looks. The worker's own measure is exact.
"""

MODULES = (
    __name__,
    "numpy",
    "pathspec",
    "pebble",
    "tree_sitter",
    "code_graph_indexer.indexing",
    "code_graph_indexer.resolve",
    "code_graph_indexer.team.postgresql_writer",
)
"""The modules that are loaded before a process is forked."""

Say = Callable[[Mapping[str, object]], None]


def run_task(task: Task, connection: Connection, last_words: str) -> None:
    """Do a task, and send its steps and its result. What libraries print goes to the file `last_words`."""
    os.setsid()
    words = os.open(last_words, os.O_WRONLY | os.O_APPEND)
    os.dup2(words, 1)
    os.dup2(words, 2)
    Thread(target=_die_with_worker, args=(connection,), daemon=True).start()

    def say(message: Mapping[str, object]) -> None:
        # A pickle could make the worker run what a repository wants.
        connection.send_bytes(json.dumps(message).encode())

    _limit(task)
    try:
        result = _run(task, say)
    # The edge of the process: the worker gets a sentence.
    except Exception as exc:  # noqa: BLE001
        sentence = str(exc) if isinstance(exc, CgiError) else f"{type(exc).__name__}: {exc}"
        result = Result(_blame(exc), plain_end(Address.of(task.url).hide(sentence)))
    say({"result": asdict(result)})


def _die_with_worker(connection: Connection) -> None:
    """Wait for the end of the connection, which is the worker's end, and kill the whole process group."""
    # The worker sends nothing.
    connection.poll(None)
    os.killpg(0, signal.SIGKILL)


def _limit(task: Task) -> None:
    """Limit the memory and the file sizes of this process to those of the task, or to what the system allows if it is less."""
    address_space = ADDRESS_FACTOR * task.memory + ADDRESS_SPARE
    for kind, most in (
        (resource.RLIMIT_AS, address_space),
        (resource.RLIMIT_FSIZE, task.disk),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))


def _blame(exc: Exception) -> Outcome:
    """Say who is at fault for an error: the repository, git's other side, or the machine."""
    if isinstance(exc, UnreachableError):
        return Outcome.UNREACHABLE
    return Outcome.POSTPONED if isinstance(exc, BusyError) or is_unavailable(exc) else Outcome.FAILED


def _run(task: Task, say: Say) -> Result:
    """Fetch, index and publish a repository, and tell each stage by `say`. Raises BusyError if another run uses its folder."""
    folder = Path(task.folder)
    # Another worker may have removed it, to make room.
    folder.mkdir(exist_ok=True, mode=0o700)
    with (folder / LOCK_FILE).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            raise BusyError(f"another run uses {folder}") from exc
        os.utime(folder / LOCK_FILE)
        times = [time.perf_counter()]
        say({"stage": "fetch"})
        tree = folder / TREE
        sha256 = len(task.commit_id) > 40
        commit = check_out(task.source, task.branch, tree, sha256=sha256, depth=task.depth)
        times.append(time.perf_counter())
        with CodeIndexer(tree, db=folder / INDEX, repo_id=task.repo_id, workers=task.parsers) as indexer:
            indexer.index(report=_reporter("index", say))
        times.append(time.perf_counter())
        say({"stage": "publish"})
        publication = publish_index(folder / INDEX, task.url, repo_id=task.repo_id, report=_reporter("publish", say))
        times.append(time.perf_counter())
    fetch_seconds, index_seconds, publish_seconds = (end - start for start, end in pairwise(times))
    return Result(
        Outcome.INDEXED,
        commit_id=commit,
        files=publication.files,
        chunks=publication.chunks,
        fetch_seconds=fetch_seconds,
        index_seconds=index_seconds,
        publish_seconds=publish_seconds,
    )


def _reporter(stage: str, say: Say) -> Callable[[Progress], None]:
    """Return a function that tells the worker of progress, now and then."""
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= STEP_SECONDS:
            last = now
            say({"stage": stage, "done": progress.done, "total": progress.total})

    return report
