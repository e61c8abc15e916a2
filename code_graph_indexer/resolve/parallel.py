"""Link the files of a full build in forked processes, which see the facts of all files without copying them.

To link a file is to resolve its references.
"""

import logging
import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, cast

from code_graph_indexer.errors import CgiError
from code_graph_indexer.programs import end_with_parent
from code_graph_indexer.resolve.link import link
from code_graph_indexer.resolve.link_file import LinkFile
from code_graph_indexer.resolve.table import LinkTable
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import UNLINKED, LinkedFile

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized
    from multiprocessing.synchronize import Semaphore

MIN_FILES = 200
"""Files for each process after the first. With fewer, a process takes more time to start than it saves."""

BATCH = 16
"""Linked files that a process sends in one message."""

HEAD_BYTES = 4
"""Bytes at the start of each message. They hold the number of the stretch that the message belongs to."""

STRETCHES = 4
"""Stretches (runs of neighbouring files) for each process, if the repository is not large.

With fewer stretches, processes do not end at the same time. With more, several processes compute the same answers.
"""

STRETCH_BYTES = 4_000_000
"""Packed bytes of the longest stretch, about 350,000 lines of code. The results of a stretch may have to wait in memory."""

AHEAD = 2
"""Stretches for each process that are linked before the first of them is read. More would wait in memory."""


def link_all(world: World, files: LinkTable, *, workers: int) -> Iterator[LinkedFile]:
    """Link the files, and yield the results in the order of `files`. `workers` is the number of processes, 0 for one per core.

    Everything is linked in this process if there are few files, or if the system cannot fork safely.
    """
    count = min(workers or os.cpu_count() or 1, len(files) // MIN_FILES + 1)
    # On macOS a forked process may crash in system libraries, and Windows cannot fork.
    if count < 2 or sys.platform != "linux":
        yield from (link_safely(world, files.file(number)) for number in range(len(files)))
        return
    context = multiprocessing.get_context("fork")
    stretches = _stretches(files.sizes, count * STRETCHES)
    next_number = context.Value("i", 0)
    places = context.Semaphore(count * AHEAD)
    processes: list[multiprocessing.process.BaseProcess] = []
    receivers: list[Connection] = []
    try:
        for _ in range(count):
            # A pipe for each process, made just before: while another process has its sending end, a pipe does not end.
            receiver, sender = context.Pipe(duplex=False)
            receivers.append(receiver)
            arguments = (world, files, stretches, next_number, places, sender)
            linking = context.Process(target=_link_stretches, args=arguments, daemon=True)
            linking.start()
            processes.append(linking)
            sender.close()
        yield from _in_order(receivers, len(stretches), places)
    finally:
        for process in processes:
            # The caller may stop early or fail. No process must outlive this function.
            process.terminate()
            process.join()


def link_safely(world: World, file: LinkFile) -> LinkedFile:
    """Link a file. One that fails has an `error` and no references, so that a build of many files does not end with it."""
    try:
        return link(world, file)
    except (CgiError, MemoryError):
        raise
    except Exception as exc:
        # The user reads of it among the skipped files. With --debug, there is more.
        logging.getLogger(__name__).debug("cannot link %s", file.path, exc_info=exc)
        return LinkedFile(file.file_id, b"", [], [], [], f"internal error ({type(exc).__name__}) {UNLINKED}")


def _stretches(sizes: Sequence[int], count: int) -> list[range]:
    """Cut files of these sizes into stretches of about the same number of bytes, in order. None is empty.

    There are at most `count`, or more if they would be longer than STRETCH_BYTES. Neighbours stay together, because they
    look up the same names.
    """
    total = sum(sizes)
    count = max(count, -(-total // STRETCH_BYTES))
    stretches: list[range] = []
    start = sum_of_sizes = 0
    for number, size in enumerate(sizes):
        sum_of_sizes += size
        if sum_of_sizes * count >= total * (len(stretches) + 1):
            stretches.append(range(start, number + 1))
            start = number + 1
    return [stretch for stretch in (*stretches, range(start, len(sizes))) if stretch]


def _link_stretches(
    world: World,
    files: LinkTable,
    stretches: Sequence[range],
    next_number: "Synchronized[int]",
    places: "Semaphore",
    sender: Connection,
) -> None:
    """Link stretches in a child process until none is left, and send the linked files through the pipe.

    An empty message ends each stretch. If linking fails, the exception is sent instead. `places` bounds how many stretches are
    linked and not yet read.
    """
    end_with_parent()
    # Ctrl-C reaches every process of a terminal. The main process stops this one, and reports it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while places.acquire() and (number := _take(next_number)) < len(stretches):
            stretch = stretches[number]
            for start in range(0, len(stretch), BATCH):
                linked = [
                    link_safely(world, files.file(number_of_file)) for number_of_file in stretch[start : start + BATCH]
                ]
                sender.send_bytes(_headed(number, pickle.dumps(linked, protocol=5)))
            # An empty message ends the stretch.
            sender.send_bytes(_headed(number, b""))
    except Exception as exc:
        # The main process raises it again.
        logging.getLogger(__name__).exception("cannot link")
        sender.send_bytes(_headed(number, pickle.dumps(exc)))


def _headed(number: int, packed: bytes) -> bytes:
    return number.to_bytes(HEAD_BYTES, "big") + packed


def _take(next_number: "Synchronized[int]") -> int:
    """Return the number of the next stretch to link, and reserve that stretch for this process."""
    with next_number.get_lock():
        next_number.value += 1
        return next_number.value - 1


def _in_order(receivers: list[Connection], count: int, places: "Semaphore") -> Iterator[LinkedFile]:
    """Yield the linked files that the processes send, in the order of the stretches.

    Messages of later stretches are kept in memory, still pickled. Raises the exception that a process sent, or EOFError when
    all processes end too early.
    """
    waiting: list[deque[bytes]] = [deque() for _ in range(count)]
    for stretch in waiting:
        while True:
            while not stretch:
                _receive(receivers, waiting, places)
            packed = stretch.popleft()
            if not packed:
                places.release()
                break
            message = pickle.loads(packed)
            if isinstance(message, Exception):
                raise message
            yield from message


def _receive(receivers: list[Connection], waiting: Sequence[deque[bytes]], places: "Semaphore") -> None:
    """Wait for messages, and append each to the queue in `waiting` of its stretch, a run of files.

    The head of a message has the number of its stretch. Pipes of ended processes are removed, and then `places` has a place
    for every stretch, because such a process may never free its own.

    Raises EOFError if no pipe is left.
    """
    if not receivers:
        raise EOFError("the processes that link the files have ended early")
    for receiver in wait(receivers):
        try:
            message = cast("Connection", receiver).recv_bytes()
        except EOFError:
            receivers.remove(cast("Connection", receiver))
            # A process that was killed never reads its stretch to the end, and the others must not wait for that.
            for _ in waiting:
                places.release()
            continue
        waiting[int.from_bytes(message[:HEAD_BYTES], "big")].append(message[HEAD_BYTES:])
