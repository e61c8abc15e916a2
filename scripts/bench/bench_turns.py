"""Compare the processor time of a command in several versions of cgi, which take turns so that a busy moment hits them all.

VERSION is a folder with the package of a version. In the command, DB is the index of the version (FOLDER/N.db, where N counts
the versions from 0), and ROOT is the repository. With --edit, a line of the file changes before each run, so that an update
has one edited file. Children count. The last version is the unit.

usage: bench_turns.py ROOT FOLDER [--edit FILE] [--runs N] --versions VERSION... -- COMMAND...

    bench_turns.py django /tmp/indexes --versions new old -- index ROOT --db DB
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage


def seconds_of(version: Path, command: list[str]) -> float:
    """Run a command with a version of the package, and return the user and system time that it took."""
    before = getrusage(RUSAGE_CHILDREN)
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        [sys.executable, "-m", "code_graph_indexer", *command],
        cwd=version,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def edit(path: Path, turn: str) -> None:
    """Write another comment into the last line of a file, in place of that of an earlier call."""
    sign = "#" if path.suffix in (".py", ".rb") else "//"
    text = path.read_text(encoding="utf-8").partition(f"\n{sign} edit ")[0]
    path.write_text(f"{text}\n{sign} edit {turn}\n", encoding="utf-8")


def main() -> None:
    """Run the turns and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("folder", type=Path, help="where the indexes lie")
    parser.add_argument("--edit", type=Path, metavar="FILE", help="file to change before each run, relative to ROOT")
    parser.add_argument("--runs", type=int, default=5, help="turns of each version [5]")
    parser.add_argument("--versions", type=Path, nargs="+", required=True, help="folders with the package")
    parser.add_argument("command", nargs="+", help="arguments of cgi, behind --")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    taken: list[list[float]] = [[] for _ in arguments.versions]
    # The first turn writes byte code and brings each index up to date. It does not count.
    for turn in range(arguments.runs + 1):
        for number, version in enumerate(arguments.versions):
            if arguments.edit:
                edit(root / arguments.edit, f"{turn} {number}")
            places = {"DB": str((arguments.folder / f"{number}.db").resolve()), "ROOT": str(root)}
            seconds = seconds_of(version, [places.get(word, word) for word in arguments.command])
            taken[number] += [seconds] if turn else []
    unit = statistics.median(taken[-1])
    for version, seconds_taken in zip(arguments.versions, taken, strict=True):
        median = statistics.median(seconds_taken)
        print(f"{version}: {median:.3f} s, {median / unit:.2f} of the last version")


if __name__ == "__main__":
    main()
