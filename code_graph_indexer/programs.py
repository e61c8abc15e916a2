"""Start other programs so that nothing runs which the current folder holds. No other module starts a process by name.

A shell finds programs by `PATH`, which may name the current folder, and Windows looks there first. Python looks for modules
in the current folder if it is started with `-m` or `-c`, as `multiprocessing` does. The current folder is often the repository
that is being indexed, and a stranger wrote that.

Here too is what ends processes with those that started them.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Timer
from typing import NamedTuple

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps the current folder out of the module path of a Python that is started."""

ERROR_BYTES = 64_000
"""The most bytes of a program's error output that are kept."""

PARENT_DEATH_SIGNAL = 1
"""The operation of `prctl` that chooses the signal which a process gets when the thread that made it ends."""


class Output(NamedTuple):
    """What a program printed. `code` is its exit code. `late` says that it took too long, `cut` that it printed too much."""

    code: int
    output: bytes
    errors: bytes
    late: bool = False
    cut: bool = False


def find_program(name: str) -> str | None:
    """Return the full path of a program, or None. Entries of PATH that are relative, such as `.`, do not count."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    # With a folder in its name, `which` looks nowhere else, on Windows neither.
    programs = (shutil.which(Path(folder, name)) for folder in folders if Path(folder).is_absolute())
    return next(filter(None, programs), None)


def python_module(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module in another process of this Python."""
    return [sys.executable, "-P", "-m", module, *arguments]


def inherited_environment(*, without: str) -> dict[str, str]:
    """Return the environment for a program, without the variables whose names begin with `without`."""
    return {name: value for name, value in os.environ.items() if not name.startswith(without)}


@contextmanager
def shut_module_path() -> Iterator[None]:
    """Let no Python that starts inside a `with` block import modules from the current folder."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        # Other programs that the caller starts are its own affair.
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


def run_program(
    command: Sequence[str], *, environment: Mapping[str, str], seconds: float | None, most: int, stdin: bytes = b""
) -> Output:
    """Run a command to its end and return what it printed.

    Its whole process group is killed after `seconds`, or once it printed more than `most` bytes. Without `seconds` it stays in
    the group of the caller, whose limits hold for it. Raises OSError if it cannot be started.
    """
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as errors:
        # Files, because a pipe that nobody reads meanwhile would stop the program.
        source.write(stdin)
        source.seek(0)
        process = subprocess.Popen(
            command,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=dict(environment),
            start_new_session=seconds is not None,
        )
        end = process.kill if seconds is None else partial(kill_group, process.pid)
        timer = Timer(seconds or 0.0, end)
        if seconds is not None:
            timer.start()
        assert process.stdout is not None
        try:
            output = process.stdout.read(most + 1)
            cut = len(output) > most
            if cut:
                end()
            code = process.wait()
            late = seconds is not None and not timer.is_alive()
        finally:
            timer.cancel()
            end()
            process.stdout.close()
            process.wait()
        errors.seek(0)
        return Output(code, output[:most], errors.read(ERROR_BYTES), late, cut)


def kill_group(group: int) -> None:
    """Kill a process and those that it started, which are its group. It may be gone."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(group, signal.SIGKILL)
        else:
            os.kill(group, signal.SIGTERM)
    # Windows has several errors for a process that is gone.
    except OSError:
        return


def end_with_parent() -> None:
    """Let the system kill this process when its parent ends, however that ends. Only Linux can.

    A parent that is killed stops no child itself, and a child inside of a parser or a query notices nothing.
    """
    if sys.platform == "linux":
        from ctypes import CDLL  # only children need it

        CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
