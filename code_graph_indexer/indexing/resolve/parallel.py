"""Link the files of a full build in forked processes, which see the facts of all files without copying them."""

import logging
import multiprocessing
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait

from code_graph_indexer.indexing.packing import plain, records
from code_graph_indexer.indexing.resolve.link import Linked, LinkFile, link
from code_graph_indexer.indexing.resolve.world import World
from code_graph_indexer.types import ResolvedReference

MIN_FILES = 200
"""Files from which a second process saves more time than it takes to start."""

BATCH = 16
"""Files whose references are sent at once."""


def link_all(world: World, files: Sequence[LinkFile], *, workers: int) -> Iterator[Linked]:
    """Yield each file linked, in the order given; `workers` 0 means one process a core.

    Where the system cannot fork safely, everything is linked in this process.
    """
    count = min(workers or os.cpu_count() or 1, len(files) // MIN_FILES + 1)
    if count < 2 or sys.platform != "linux":
        yield from (link(world, one) for one in files)
        return
    context = multiprocessing.get_context("fork")
    parts = _parts(files, count)
    pipes = [context.Pipe(duplex=False) for _ in parts]
    workers_started = [
        context.Process(target=_link_part, args=(world, part, sender), daemon=True)
        for part, (_, sender) in zip(parts, pipes, strict=True)
    ]
    try:
        for process, (_, sender) in zip(workers_started, pipes, strict=True):
            process.start()
            sender.close()
        yield from _in_order([receiver for receiver, _ in pipes])
    finally:
        for process in workers_started:
            process.terminate()
            process.join()


def _parts(files: Sequence[LinkFile], count: int) -> list[Sequence[LinkFile]]:
    """Cut the files into stretches of about the same size: neighbours look up the same things."""
    total = sum(len(one.facts) for one in files)
    parts: list[Sequence[LinkFile]] = []
    start = done = 0
    for place, one in enumerate(files):
        done += len(one.facts)
        if done * count >= total * (len(parts) + 1):
            parts.append(files[start : place + 1])
            start = place + 1
    return [part for part in (*parts, files[start:]) if part]


def _link_part(world: World, files: Sequence[LinkFile], sender: Connection) -> None:
    """Link some files in a process of its own, and send what came of it, or what went wrong."""
    try:
        for start in range(0, len(files), BATCH):
            linked = (link(world, one) for one in files[start : start + BATCH])
            sender.send_bytes(
                pickle.dumps([(one.file_id, plain(one.references), one.lookups) for one in linked], protocol=5)
            )
        sender.send_bytes(b"")
    except KeyboardInterrupt:
        os._exit(1)
    except Exception as exc:
        # It is raised again in the process that asked.
        logging.getLogger(__name__).exception("cannot link")
        sender.send_bytes(pickle.dumps(exc))


def _in_order(receivers: Sequence[Connection]) -> Iterator[Linked]:
    """Yield what the processes send, that of the first one first; what comes too early waits, still packed."""
    waiting: list[list[bytes]] = [[] for _ in receivers]
    open_ones = set(range(len(receivers)))
    for place in range(len(receivers)):
        while True:
            for packed in waiting[place]:
                sent = pickle.loads(packed)
                if isinstance(sent, Exception):
                    raise sent
                for file_id, references, lookups in sent:
                    yield Linked(file_id, list(records(ResolvedReference, references)), lookups)
            waiting[place].clear()
            if place not in open_ones:
                break
            ready = wait([receivers[one] for one in open_ones])
            for one in [each for each in open_ones if receivers[each] in ready]:
                packed = receivers[one].recv_bytes()
                if packed:
                    waiting[one].append(packed)
                else:
                    open_ones.discard(one)
