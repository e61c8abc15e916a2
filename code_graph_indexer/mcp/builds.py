"""Build an index in a process of its own, so that the server answers meanwhile and its memory stays small."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

from code_graph_indexer.errors import CgiError
from code_graph_indexer.indexer import CodeIndexer
from code_graph_indexer.programs import python_module
from code_graph_indexer.results import Progress

STEP_SECONDS = 0.2
"""The least time between two reports of a build."""

STAGES = ("index", "resolve")
"""The stages of a build, each of which counts as one half."""


class Build:
    """A build or an update of an index in another process. `error` says why it failed, once it is over."""

    def __init__(self, root: Path) -> None:
        command = python_module(__name__, str(root))
        # A session of its own would survive the server. The pipe ends with the server, and the build with the pipe.
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self._done = threading.Event()
        self.share = 0.0
        self.error = ""
        threading.Thread(target=self._follow, name="cgi-build", daemon=True).start()

    @property
    def running(self) -> bool:
        """Say whether the build is not over."""
        return not self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the build. Return whether it has ended."""
        return self._done.wait(seconds)

    def stop(self) -> None:
        """End the build. The old index stays."""
        self._process.terminate()

    def _follow(self) -> None:
        # At its end, `with` closes the pipe and waits for the process.
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


def main(root: str) -> None:
    """Build the index of a folder, and print the progress as JSON, one object a line."""
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last > STEP_SECONDS:
            last = time.monotonic()
            print(json.dumps({"share": share(progress)}), flush=True)

    try:
        CodeIndexer(root).index(report=report)
    except CgiError as exc:
        print(json.dumps({"error": str(exc)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
