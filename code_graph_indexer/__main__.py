"""Start the command `cgi`, also as `python -m code_graph_indexer`. Little is loaded before Ctrl-C is obeyed."""

import os
import signal
import sys
from io import TextIOWrapper
from types import FrameType

INTERRUPTED = 130
"""The exit code after Ctrl-C, as of every program in a shell: 128 and the number of the signal."""


def main() -> None:
    """Run the command line. Ctrl-C at any moment gives one line and the exit code 130."""
    interrupts: list[int] = []
    process = os.getpid()

    def interrupt(number: int, frame: FrameType | None) -> None:
        # A forked worker inherits this function. It works on until the main process stops it.
        if os.getpid() == process:
            interrupts.append(number)
            raise KeyboardInterrupt

    # Arguments and the names of files may hold bytes that are no text, and an answer repeats them.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    # A shell starts a background job with the signal ignored, which stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    try:
        # Late, because an interrupt while it loads must find the function above.
        from code_graph_indexer.cli import main as run

        run(interrupted=lambda: bool(interrupts))
    except BaseException as exc:
        if not interrupts and not isinstance(exc, KeyboardInterrupt):
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("cgi: interrupted; run the same command again to go on\n")
        sys.stderr.flush()
        # Python's own exit may be interrupted again, and may end with the signal in place of the code.
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
