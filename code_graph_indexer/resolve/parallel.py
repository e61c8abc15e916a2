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

from code_graph_indexer.resolve.link import Linked, LinkFile, link
from code_graph_indexer.resolve.world import World

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

MIN_FILES = 200
"""Files from which a second process saves more time than it takes to start."""

BATCH = 16
"""Files whose references are sent at once."""

HEAD_BYTES = 4
"""Bytes before each message: the number of its stretch."""

STRETCHES = 4
"""Stretches of files a process: few enough that answers are remembered, enough that all processes end together."""


def link_all(world: World, files: Sequence[LinkFile], *, workers: int) -> Iterator[Linked]:
    """Yield each file linked, in the order given; `workers` 0 means one process a core.

    Where the system cannot fork safely, everything is linked in this process.
    """
    count = min(workers or os.cpu_count() or 1, len(files) // MIN_FILES + 1)
    if count < 2 or sys.platform != "linux":
        yield from (link(world, one) for one in files)
        return
    context = multiprocessing.get_context("fork")
    stretches = _stretches(files, count * STRETCHES)
    taken = context.Value("i", 0)
    pipes = [context.Pipe(duplex=False) for _ in range(count)]
    started = [
        context.Process(target=_link_stretches, args=(world, stretches, taken, sender), daemon=True)
        for _, sender in pipes
    ]
    try:
        for process, (_, sender) in zip(started, pipes, strict=True):
            process.start()
            sender.close()
        yield from _in_order([receiver for receiver, _ in pipes], len(stretches))
    finally:
        for process in started:
            process.terminate()
            process.join()


def _stretches(files: Sequence[LinkFile], count: int) -> list[Sequence[LinkFile]]:
    """Cut the files into stretches of about the same size: neighbours look up the same things."""
    total = sum(len(one.facts) for one in files)
    found: list[Sequence[LinkFile]] = []
    start = done = 0
    for place, one in enumerate(files):
        done += len(one.facts)
        if done * count >= total * (len(found) + 1):
            found.append(files[start : place + 1])
            start = place + 1
    return [one for one in (*found, files[start:]) if one]


def _link_stretches(
    world: World, stretches: Sequence[Sequence[LinkFile]], taken: "Synchronized[int]", sender: Connection
) -> None:
    """Link, in a process of its own, one stretch after the other that no process has taken; send what comes of it.

    What goes wrong is sent too.
    """
    try:
        while (number := _next(taken)) < len(stretches):
            files = stretches[number]
            for start in range(0, len(files), BATCH):
                linked = [link(world, one) for one in files[start : start + BATCH]]
                sender.send_bytes(_headed(number, pickle.dumps(linked, protocol=5)))
            sender.send_bytes(_headed(number, b""))
    except KeyboardInterrupt:
        os._exit(1)
    except Exception as exc:
        # It is raised again in the process that asked.
        logging.getLogger(__name__).exception("cannot link")
        sender.send_bytes(_headed(number, pickle.dumps(exc)))


def _headed(number: int, packed: bytes) -> bytes:
    return number.to_bytes(HEAD_BYTES, "big") + packed


def _next(taken: "Synchronized[int]") -> int:
    with taken.get_lock():
        taken.value += 1
        return taken.value - 1


def _in_order(receivers: list[Connection], count: int) -> Iterator[Linked]:
    """Yield what the processes send, that of the first stretch first; what comes too early waits, still packed.

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
            sent = pickle.loads(packed)
            if isinstance(sent, Exception):
                raise sent
            yield from sent


def _receive(receivers: list[Connection], waiting: Sequence[deque[bytes]]) -> None:
    """Put what has arrived with its stretch; a process that has ended is asked no more."""
    if not receivers:
        raise EOFError("the processes that link the files have ended early")
    for receiver in wait(receivers):
        try:
            message = cast("Connection", receiver).recv_bytes()
        except EOFError:
            receivers.remove(cast("Connection", receiver))
            continue
        waiting[int.from_bytes(message[:HEAD_BYTES], "big")].append(message[HEAD_BYTES:])
