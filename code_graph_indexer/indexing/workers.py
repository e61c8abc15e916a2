"""Index files in worker processes, in order.

What is read of a file depends on its bytes alone (see syntax.limits). The time limit is only for a parser that hangs.
"""

import gc
import logging
import multiprocessing
import os
import signal
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain, islice
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from code_graph_indexer.errors import CgiError
from code_graph_indexer.indexing.few_files import load_needed
from code_graph_indexer.indexing.file import WorkOptions, embed_files, index_file, load_embedder
from code_graph_indexer.languages import (
    detect_language,
    frameworks_of,
    languages,
    load_framework_query,
    load_parser,
    load_query,
    loaded_frameworks,
    parsing_language,
)
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.languages.registry import is_better_in_part, query_name
from code_graph_indexer.programs import end_with_parent, shut_module_path
from code_graph_indexer.syntax.disk import content_hash, file_hash
from code_graph_indexer.syntax.records import IndexedFile, SourceFile
from code_graph_indexer.syntax.secrets import masked

if TYPE_CHECKING:
    from pebble import ProcessPool

BATCH_BYTES, BATCH_FILES = 32_000, 32
"""The largest batch of a worker, in bytes and in files. Sending a batch costs as much as indexing a small file."""

SHARES = 8
"""The fewest batches for each worker, if there are enough files. With small batches, all workers end at about the same time."""

AHEAD = 8
"""Batches in progress for each worker. With fewer, workers would wait. With more, memory would grow."""

FEW_FILES = 2
"""The most files of a language that a process reads with only those patterns of its query that they need."""

_read_files: Counter[str] = Counter()
"""How many files of each language this process has had read."""

_framework_queries: set[tuple[str, str]] = set()
"""Framework and language of the queries that forked processes compiled. The next ones get them from this process."""

MAX_BATCHES = 1_000
"""Batches after which a worker is replaced, so that memory that it leaks cannot grow without end."""


def index_files(
    sources: Sequence[SourceFile], options: WorkOptions, *, workers: int, timeout: float
) -> Iterator[IndexedFile]:
    """Index the files in worker processes, and yield the results in the order of `sources`.

    A file that takes too long or crashes its worker gets an `error`. `timeout` is in seconds for each file. `workers` is the
    number of processes, 0 for one per core.
    """
    if not sources:
        return
    # Where forking is safe it saves a third of a second, most of what an update of one file costs.
    # A worker compiles what its files need of the other queries: those of few files, and of languages known by the content.
    files: defaultdict[str, list[SourceFile]] = defaultdict(list)
    for source in sources:
        if name := detect_language(source.path):
            files[parsing_language(source.path, name)].append(source)
    # A server forks for each update. What its first children compiled is compiled here then, so that later ones inherit it.
    _read_files.update({name: len(of_language) for name, of_language in files.items()})
    names = sorted(
        name for name in files if _read_files[name] > FEW_FILES and languages()[name].template_lines.tags is None
    )
    if sys.platform == "linux":
        in_part = load_needed(_few_files({name: files[name] for name in names}), options.root, timeout)
        names = [name for name in names if query_name(name) not in in_part]
    load(names, options)
    # A copy, as another thread may index another folder.
    for framework, name in tuple(_framework_queries):
        if name in names:
            load_framework_query(framework, name)
    first, *others = islice(_batches(sources, 1), 2)
    # On macOS a forked process may crash in system libraries, and Windows cannot fork.
    if sys.platform == "linux" and not others:
        yield from _forked(first, names, options, timeout)
    else:
        yield from _pooled(sources, names, options, workers=workers, timeout=timeout)


def _few_files(files: Mapping[str, Sequence[SourceFile]]) -> dict[str, list[SourceFile]]:
    """Return the files of the queries that are better compiled in part. `files` has those of each language."""
    queries: defaultdict[str, list[SourceFile]] = defaultdict(list)
    for name, of_language in files.items():
        queries[query_name(name)] += of_language
    return {name: few for name, few in queries.items() if is_better_in_part(name, sum(file.size for file in few))}


def _forked(
    batch: Sequence[SourceFile], names: Sequence[str], options: WorkOptions, timeout: float
) -> Iterator[IndexedFile]:
    """Index one batch in a forked process, as an update of few files does. A pool would take longer than the files.

    If the process hangs or is killed, each file runs again alone. `names` are the languages to load.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, batch, names, options), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(timeout):
            raise TimeoutError
        outcome = receiver.recv()
        if isinstance(outcome, Exception):
            raise outcome
        outcome, framework_queries = outcome
        _framework_queries.update(framework_queries)
    # A process that is killed while it sends the files raises OSError, of which TimeoutError is a kind.
    except (EOFError, OSError, MemoryError) as exc:
        if isinstance(exc, EOFError):
            process.join(timeout)
        if (process.exitcode or 0) > 0:
            # No signal ended it, as in a crash of the parser: a library gave up, for want of memory.
            raise MemoryError from exc
        outcome = [_failed(batch[0], options.root, _reason(exc, timeout))] if len(batch) == 1 else None
    finally:
        process.kill()
        process.join()
        receiver.close()
    if outcome is None:
        # Each file runs alone now, so that only the one that hangs or kills its process fails.
        outcome = chain.from_iterable(_forked([source], names, options, timeout) for source in batch)
    yield from outcome


def _send(sender: Connection, batch: Sequence[SourceFile], names: Sequence[str], options: WorkOptions) -> None:
    """Index a batch in a child process. Send the files and its framework queries through the pipe, or the exception."""
    start_worker(names, options)
    try:
        sender.send((index_safely(batch, options), loaded_frameworks()))
    except (CgiError, MemoryError) as exc:
        sender.send(exc)


def _pooled(
    sources: Sequence[SourceFile], names: Sequence[str], options: WorkOptions, *, workers: int, timeout: float
) -> Iterator[IndexedFile]:
    """Index files in a pool of worker processes, in order. Zero `workers` are one for each core.

    If a worker hangs or dies, each file of its batch runs again alone. `names` are the languages to load.
    """
    from pebble import ProcessExpired, ProcessPool  # brings asyncio: too slow to start a search with

    count = min(workers or os.cpu_count() or 1, len(sources))
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPool(
        max_workers=count, max_tasks=MAX_BATCHES, context=context, initializer=start_worker, initargs=(names, options)
    )
    stopping = Thread(target=_stop, args=(pool,))
    pending: deque[Iterator[IndexedFile]] = deque()

    def start(batch: Sequence[SourceFile]) -> Iterator[IndexedFile]:
        """Schedule a batch at once, and return an iterator that waits for its files."""
        # A batch gets the time of one file. If it needs more, its files run again alone.
        future = pool.schedule(index_safely, args=(batch, options), timeout=timeout)

        def results() -> Iterator[IndexedFile]:
            files: Iterable[IndexedFile]
            try:
                files = future.result()
            except (FutureTimeoutError, ProcessExpired, MemoryError) as exc:
                if len(batch) == 1:
                    files = [_failed(batch[0], options.root, _reason(exc, timeout))]
                else:
                    # Each file runs alone now, so that only the one that hangs or kills its worker fails.
                    files = chain.from_iterable([start([source]) for source in batch])
            yield from files

        return results()

    try:
        # A worker that is replaced is started anew.
        with shut_module_path() if sys.platform != "linux" else nullcontext():
            for batch in _batches(sources, count * SHARES):
                pending.append(start(batch))
                # Twice AHEAD stays under way, so that workers are busy while these files are stored.
                if len(pending) >= 3 * AHEAD * count:
                    yield from _together(pending, AHEAD * count)
            while len(pending) > 1:
                yield from pending.popleft()
            last = list(pending.popleft())
        # It takes a twentieth of a second to end, in which the last files can be stored.
        stopping.start()
        yield from last
    finally:
        # The caller may stop early or fail, and no worker must outlive this generator.
        if stopping.ident is None:
            stopping.start()
        stopping.join()


def _together(pending: deque[Iterator[IndexedFile]], count: int) -> Iterator[IndexedFile]:
    """Wait for the first `count` batches, then yield their files.

    Storing many files in a row keeps the core's cache warm.
    """
    for files in [list(pending.popleft()) for _ in range(count)]:
        yield from files


def _batches(sources: Sequence[SourceFile], fewest: int) -> Iterator[Sequence[SourceFile]]:
    """Cut the files into batches, in order: at least `fewest` if there are enough files. A large file is a batch of its own."""
    most_bytes = min(BATCH_BYTES, sum(source.size for source in sources) // fewest)
    most_files = min(BATCH_FILES, len(sources) // fewest)
    batch: list[SourceFile] = []
    size = 0
    for source in sources:
        if batch and (size + source.size > most_bytes or len(batch) >= most_files):
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += source.size
    yield batch


def _stop(pool: "ProcessPool") -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


def start_worker(names: Sequence[str], options: WorkOptions) -> None:
    """Prepare a worker process: load the queries of the languages `names` and the embedder, and switch off garbage collection.

    Garbage collection finds nothing in syntax records, and costs a sixth of the time. Some queries take a second to compile,
    which must not count as the time of a file. A forked worker inherits the queries and the model from its parent.
    """
    from threadpoolctl import threadpool_limits  # only workers need it

    end_with_parent()
    # Ctrl-C reaches every process of a terminal. The main process stops the workers, and reports it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    # There is one worker a core already: the threads of NumPy would wait for each other.
    threadpool_limits(1)
    load(names, options)


def load(names: Sequence[str], options: WorkOptions) -> None:
    """Compile the queries of these languages, the patterns of paths and the forms of secrets, and load the embedder.

    Raises GrammarError if a grammar cannot be loaded.
    """
    load_embedder(options.embedder)
    patterns = file_patterns()
    for kind in (patterns.examples, patterns.vendored, patterns.generated):
        kind.match("")
    masked(b"")
    for name in names:
        patterns.is_test("", name)
        load_query(name)
        load_parser(name)
        frameworks_of(name)


def index_safely(batch: Sequence[SourceFile], options: WorkOptions) -> list[IndexedFile]:
    """Index and embed a batch in a worker. A file that fails gets an `error`.

    Only a CgiError is raised, because it would happen with every file, and a MemoryError, because a file alone may need less.
    """
    files = [_index_safely(source, options) for source in batch]
    try:
        return embed_files(files, options)
    except (CgiError, MemoryError):
        raise
    except Exception as exc:
        logging.getLogger(__name__).exception("cannot embed %s", ", ".join(file.path for file in batch))
        if len(batch) == 1:
            return [_broken(batch[0], options, exc)]
        # Each file is embedded alone now, so that only the one that fails has an error.
        return [file for source in batch for file in index_safely([source], options)]


def _index_safely(source: SourceFile, options: WorkOptions) -> IndexedFile:
    """Index a file. An error that nobody expected is logged, and the file gets it as the reason why it is not read."""
    try:
        return index_file(source, options)
    except (CgiError, MemoryError):
        raise
    except Exception as exc:
        logging.getLogger(__name__).exception("cannot index %s", source.path)
        return _broken(source, options, exc)


def _broken(source: SourceFile, options: WorkOptions, exc: Exception) -> IndexedFile:
    return _failed(source, options.root, f"internal error ({type(exc).__name__})")


def _reason(exc: Exception, timeout: float) -> str:
    if isinstance(exc, FutureTimeoutError):
        return f"timeout (over {timeout:g} s to parse)"
    return "out of memory" if isinstance(exc, MemoryError) else "the parser crashed"


def _failed(source: SourceFile, root: Path, error: str) -> IndexedFile:
    """Return the record of a file that cannot be indexed: the reason, and the hash of its content.

    Because of the hash, an answer does not wait for it again. Only `cgi index` does, and a change of its content.
    """
    try:
        hashed = file_hash(root / source.path)
    except OSError:
        hashed = content_hash(b"")
    return IndexedFile(replace(source, error=error, content_hash=hashed))
