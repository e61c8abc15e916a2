"""Link the files of a full build in forked processes, which see the facts of all files without copying them."""

import logging
import multiprocessing
import os
import pickle
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, cast

from code_graph_indexer.resolve.link import LinkedFile, LinkFile, link
from code_graph_indexer.resolve.world import World

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

MIN_FILES = 200
"""Files from which a second process saves more time than it takes to start."""

BATCH = 16
"""Files whose references are sent at once."""

HEAD_BYTES = 4
"""Bytes at the start of each message. They are the number of its stretch."""

STRETCHES = 4
"""Stretches of files for each process.

With fewer, one process ends late. With more, processes answer the same questions.
"""


def link_all(world: World, files: Sequence[LinkFile], *, workers: int) -> Iterator[LinkedFile]:
    """Yield each file linked, in their order. `workers` 0 means one process a core.

    Where the system cannot fork safely, everything is linked in this process.
    """
    count = min(workers or os.cpu_count() or 1, len(files) // MIN_FILES + 1)
    # On macOS a forked process may crash in system libraries, and Windows cannot fork.
    if count < 2 or sys.platform != "linux":
        yield from (link(world, file) for file in files)
        return
    context = multiprocessing.get_context("fork")
    stretches = _stretches(files, count * STRETCHES)
    next_number = context.Value("i", 0)
    pipes = [context.Pipe(duplex=False) for _ in range(count)]
    processes = [
        context.Process(target=_link_stretches, args=(world, stretches, next_number, sender), daemon=True)
        for _, sender in pipes
    ]
    try:
        for process, (_, sender) in zip(processes, pipes, strict=True):
            process.start()
            # While this process has the sending end open, the pipe of an ended process does not end.
            sender.close()
        yield from _in_order([receiver for receiver, _ in pipes], len(stretches))
    finally:
        for process in processes:
            # The caller may stop early or fail. No process must outlive this function.
            process.terminate()
            process.join()


def _stretches(files: Sequence[LinkFile], count: int) -> list[Sequence[LinkFile]]:
    """Cut the files into stretches of about the same size. Neighbours stay together: they look up the same things."""
    total = sum(len(file.packed) for file in files)
    stretches: list[Sequence[LinkFile]] = []
    start = size = 0
    for position, file in enumerate(files):
        size += len(file.packed)
        if size * count >= total * (len(stretches) + 1):
            stretches.append(files[start : position + 1])
            start = position + 1
    return [stretch for stretch in (*stretches, files[start:]) if stretch]


def _link_stretches(
    world: World, stretches: Sequence[Sequence[LinkFile]], next_number: "Synchronized[int]", sender: Connection
) -> None:
    """Run in a process of its own: link the next free stretch until there is none, and send the linked files.

    An exception is sent too.
    """
    try:
        while (number := _take(next_number)) < len(stretches):
            files = stretches[number]
            for start in range(0, len(files), BATCH):
                linked = [link(world, file) for file in files[start : start + BATCH]]
                sender.send_bytes(_headed(number, pickle.dumps(linked, protocol=5)))
            # An empty message ends the stretch.
            sender.send_bytes(_headed(number, b""))
    except KeyboardInterrupt:
        # The main process reports the interrupt, so no traceback is printed here.
        os._exit(1)
    except Exception as exc:
        # The main process raises it again.
        logging.getLogger(__name__).exception("cannot link")
        sender.send_bytes(_headed(number, pickle.dumps(exc)))


def _headed(number: int, packed: bytes) -> bytes:
    return number.to_bytes(HEAD_BYTES, "big") + packed


def _take(next_number: "Synchronized[int]") -> int:
    """Take the number of the next free stretch."""
    with next_number.get_lock():
        next_number.value += 1
        return next_number.value - 1


def _in_order(receivers: list[Connection], count: int) -> Iterator[LinkedFile]:
    """Yield what the processes send, in the order of the stretches. What comes too early waits, still packed.

    Raises EOFError when the processes end before their work.
    """
    waiting: list[deque[bytes]] = [deque() for _ in range(count)]
    for stretch in waiting:
        while True:
            while not stretch:
                _receive(receivers, waiting)
            packed = stretch.popleft()
            if not packed:
                break
            message = pickle.loads(packed)
            if isinstance(message, Exception):
                raise message
            yield from message


def _receive(receivers: list[Connection], waiting: Sequence[deque[bytes]]) -> None:
    """Add the messages that have arrived to their stretches. Drop the pipe of a process that has ended."""
    if not receivers:
        raise EOFError("the processes that link the files have ended early")
    for receiver in wait(receivers):
        try:
            message = cast("Connection", receiver).recv_bytes()
        except EOFError:
            receivers.remove(cast("Connection", receiver))
            continue
        waiting[int.from_bytes(message[:HEAD_BYTES], "big")].append(message[HEAD_BYTES:])
