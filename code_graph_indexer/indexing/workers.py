"""Run the per-file work in processes, in order, each file within its time limit."""

import gc
import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import replace

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from code_graph_indexer.indexing.work import WorkOptions, index_file
from code_graph_indexer.types import IndexedFile, SourceFile

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
    count = min(workers or os.cpu_count() or 1, len(sources))
    context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
    # Imported once by the server, not again by every worker: half a second of a core each.
    context.set_forkserver_preload([__name__])
    pool = ProcessPool(max_workers=count, max_tasks=MAX_TASKS, context=context, initializer=start_worker)
    pending: deque[tuple[SourceFile, ProcessFuture[IndexedFile]]] = deque()
    try:
        for source in sources:
            pending.append((source, pool.schedule(index_file, args=(source, options), timeout=timeout)))
            if len(pending) >= AHEAD * count:
                yield _result(*pending.popleft(), timeout)
        while pending:
            yield _result(*pending.popleft(), timeout)
        pool.close()  # type: ignore[no-untyped-call]
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def start_worker() -> None:
    """Prepare a worker process: no cycle collection, which finds nothing in syntax records and costs a sixth."""
    gc.disable()


def _result(source: SourceFile, future: ProcessFuture[IndexedFile], timeout: float) -> IndexedFile:
    try:
        indexed: IndexedFile = future.result()
    except FutureTimeoutError:
        return IndexedFile(replace(source, error=f"timeout (over {timeout:g} s to parse)"))
    except ProcessExpired:
        return IndexedFile(replace(source, error="the parser crashed"))
    except MemoryError:
        return IndexedFile(replace(source, error="out of memory"))
    return indexed
