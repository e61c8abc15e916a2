"""Run the per-file work in processes, in order, each file within its time limit."""

import gc
import logging
import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from code_graph_indexer.errors import CgiError
from code_graph_indexer.indexing.read import content_hash, read_regular
from code_graph_indexer.indexing.work import WorkOptions, index_file, load_embedder
from code_graph_indexer.languages import detect_language, load_parser, load_query
from code_graph_indexer.types import IndexedFile, SourceFile

if TYPE_CHECKING:
    from pebble import ProcessFuture, ProcessPool

AHEAD = 32
"""Files under way for each worker: enough that none waits, few enough that memory stays bounded."""

MAX_TASKS = 5_000
"""Files a worker handles before it is replaced, so that nothing it leaks can grow without end."""


def index_files(
    sources: Sequence[SourceFile], options: WorkOptions, *, workers: int, timeout: float
) -> Iterator[IndexedFile]:
    """Yield each file indexed, in the order given; one that hangs or kills its worker comes back with an `error`.

    `timeout` is in seconds a file; `workers` 0 means one a core.
    """
    if not sources:
        return
    from pebble import ProcessPool  # brings asyncio: too slow to start a search with

    count = min(workers or os.cpu_count() or 1, len(sources))
    # Where forking is safe it saves a third of a second, most of what an update of one file costs.
    names = sorted({name for source in sources if (name := detect_language(source.path))})
    load(names, options)
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPool(
        max_workers=count, max_tasks=MAX_TASKS, context=context, initializer=start_worker, initargs=(names, options)
    )
    stopping = Thread(target=_stop, args=(pool,))
    pending: deque[tuple[SourceFile, ProcessFuture[IndexedFile]]] = deque()
    try:
        for source in sources:
            pending.append((source, pool.schedule(index_safely, args=(source, options), timeout=timeout)))
            if len(pending) >= AHEAD * count:
                yield _result(*pending.popleft(), options.root, timeout)
        while len(pending) > 1:
            yield _result(*pending.popleft(), options.root, timeout)
        last = _result(*pending.popleft(), options.root, timeout)
        # It takes a twentieth of a second to end, in which the last file can be stored.
        stopping.start()
        yield last
    finally:
        if stopping.ident is None:
            stopping.start()
        stopping.join()


def _stop(pool: "ProcessPool") -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


def start_worker(names: Sequence[str], options: WorkOptions) -> None:
    """Prepare a worker process for files of these languages.

    Cycle collection finds nothing in syntax records and costs a sixth. Some queries take a second to compile, which must
    not count as a file's time; a forked worker has inherited them, and the embedder's model.
    """
    from threadpoolctl import threadpool_limits  # only workers need it

    gc.disable()
    # There is a worker a core already: threads of NumPy's would wait for each other.
    threadpool_limits(1)
    load(names, options)


def load(names: Sequence[str], options: WorkOptions) -> None:
    """Compile the queries of these languages, and load the embedder. Raises GrammarError for what cannot be loaded."""
    load_embedder(options.embedder)
    for name in names:
        load_query(name)
        load_parser(name)


def index_safely(source: SourceFile, options: WorkOptions) -> IndexedFile:
    """Index one file in a worker; what goes wrong with it is its `error`, unless it would go wrong with every file."""
    try:
        return index_file(source, options)
    except CgiError:
        raise
    except Exception as exc:
        logging.getLogger(__name__).exception("cannot index %s", source.path)
        return _failed(source, options.root, f"internal error ({type(exc).__name__})")


def _result(source: SourceFile, future: "ProcessFuture[IndexedFile]", root: Path, timeout: float) -> IndexedFile:
    from pebble import ProcessExpired

    try:
        indexed: IndexedFile = future.result()
    except FutureTimeoutError:
        return _failed(source, root, f"timeout (over {timeout:g} s to parse)")
    except ProcessExpired:
        return _failed(source, root, "the parser crashed")
    except MemoryError:
        return _failed(source, root, "out of memory")
    return indexed


def _failed(source: SourceFile, root: Path, error: str) -> IndexedFile:
    """Record why a file is not indexed, with the hash of its content, so that it is tried again only when it changes."""
    try:
        content = read_regular(root / source.path)
    except OSError:
        content = b""
    return IndexedFile(replace(source, error=error, content_hash=content_hash(content)))
