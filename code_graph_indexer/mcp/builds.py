"""Build an index in a process of its own, so that the server answers meanwhile and its memory stays small.

The process outlives the server and its client. The next server finds the index, or that it is being written.
"""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from code_graph_indexer.errors import CgiError
from code_graph_indexer.indexer import CodeIndexer
from code_graph_indexer.programs import python_module
from code_graph_indexer.results import Progress

STEP_SECONDS = 0.2
"""The least time between two reports of a build."""

FULL = "--full"
"""The argument that asks for an index built anew."""

STAGES = ("index", "resolve")
"""The stages of a build, each of which counts as one half."""


class Build:
    """A build or an update of an index in another process. `error` says why it failed, once it is over.

    With `full`, the index is built anew, whatever is there.
    """

    def __init__(self, root: Path, *, full: bool = False) -> None:
        command = python_module(__name__, str(root), *([FULL] if full else []))
        # In a session of its own, so that neither Ctrl-C nor the end of the client's terminal ends it. The client may wait
        # for the end of the standard error that it gave the server, so the build has none.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self._started = time.monotonic()
        self._done = threading.Event()
        self.share = 0.0
        self.error = ""
        threading.Thread(target=self._follow, name="cgi-build", daemon=True).start()

    @property
    def running(self) -> bool:
        """Say whether the build is not over."""
        return not self._done.is_set()

    @property
    def age(self) -> float:
        """Return the seconds since the build began."""
        return time.monotonic() - self._started

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the build. Return whether it has ended."""
        return self._done.wait(seconds)

    def _follow(self) -> None:
        """Read the messages of the process that builds until it ends, and note its progress and its error."""
        # At its end, `with` closes the pipe and waits for the process, which leaves no zombie.
        with self._process as process:
            for line in process.stdout or ():
                message = json.loads(line)
                self.share = message.get("share", self.share)
                self.error = message.get("error", "")
        if process.returncode and not self.error:
            self.error = f"the process that builds the index ended with code {process.returncode}"
        self._done.set()


def share(progress: Progress) -> float:
    """Return the share of a build that is done, from 0 to 1."""
    stage = STAGES.index(progress.stage) if progress.stage in STAGES else 0
    return (stage + progress.done / max(progress.total, 1)) / len(STAGES)


def main(root: str, *options: str) -> None:
    """Build the index of a folder, and write the progress as JSON, one object a line, as long as somebody reads it."""
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last > STEP_SECONDS:
            last = time.monotonic()
            write({"share": share(progress)})

    try:
        CodeIndexer(root).index(full=FULL in options, report=report)
    except CgiError as exc:
        write({"error": str(exc)})
    # The edge of the process: the server tells its client what happened.
    except Exception as exc:
        write({"error": f"unexpected error: {type(exc).__name__}: {exc}"})
        raise


def write(message: dict[str, object]) -> None:
    """Write a message to standard output. The server that read it may be gone."""
    with suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
