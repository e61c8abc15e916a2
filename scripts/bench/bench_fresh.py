"""Measure freshness: what it costs that an answer is of the files on disk.

The script copies REPO to a temporary folder and makes a git repository of it, with a branch in which some files differ. Then it
prints, as one Markdown table, wall time and processor time (user and system, child processes included) of:

* a question in a fresh process after one file was edited, and after nothing was
* the same through one open CodeIndexer, and the look alone: in a process, warm, and with a watcher
* the first answer after the switch of a branch, and bringing all of it up to date
* the first answer in a new worktree, and with an index of another commit that came without what lies beside it

Each answer is compared with the truth: the script stops at a wrong one. Machines are noisy, so the processor time is the fairer
figure, and on an idle machine the wall time comes near it.

usage: bench_fresh.py REPO [--runs N] [--files N]
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from code_graph_indexer import CodeIndexer
from code_graph_indexer.indexing.watch import Watcher

LARGEST_EDITED = 20_000
"""Bytes of the file that is edited: larger ones are rare, and edited rarely."""

PAUSE_SECONDS = 2.1
"""After a change, times of files prove something only when they are this old. People edit more slowly than a script."""

LOOK = """
import sys, time, json
from code_graph_indexer.indexer import CodeIndexer
indexer = CodeIndexer(sys.argv[1])
wall, processor = time.perf_counter(), time.process_time()
with indexer.question():
    pass
print(json.dumps([time.perf_counter() - wall, time.process_time() - processor]))
"""


@dataclass
class Row:
    """One line of the table: times in seconds, and the bar of the 95th percentile of the wall time."""

    name: str
    bar: float | None = None
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add the time of a `with` block."""
        before, started = processor_time(), time.perf_counter()
        yield
        self.wall.append(time.perf_counter() - started)
        self.processor.append(processor_time() - before)

    def text(self) -> str:
        """Return the line as Markdown."""
        bar = f"{self.bar:g} s" if self.bar else ""
        figures = [statistics.median(self.wall), percentile(self.wall), statistics.median(self.processor)]
        return f"| {self.name} | {bar} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |"


def percentile(values: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))]


def processor_time() -> float:
    """Return the processor time of this process and of its finished children."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def git(root: Path, *arguments: str) -> str:
    """Run git, with an author of its own."""
    author = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gc.auto=0"]
    command = ["git", "-C", str(root), *author, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def cgi(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `cgi` in a process of its own."""
    command = [sys.executable, "-m", "code_graph_indexer", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def lines_of(root: Path, name: str) -> list[int]:
    """Ask in a process for the first lines of the definitions of a name."""
    symbols = json.loads(cgi(root, "symbol", name, "--json").stdout or "{}").get("symbols", [])
    return [symbol["start_line"] for symbol in symbols]


class Bench:
    """A repository, and the measurements of it."""

    def __init__(self, root: Path, runs: int, files: int) -> None:
        self.root = root
        self.runs = runs
        self.rows: list[Row] = []
        self._number = 0
        git(root, "init", "--quiet", "--initial-branch=trunk")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "-m", "first")
        paths = [root / path for path in git(root, "ls-files", "*.py").splitlines()]
        ordinary = [path for path in paths if 0 < path.stat().st_size <= LARGEST_EDITED]
        self.edited = max(ordinary, key=lambda path: (path.stat().st_size, str(path)))
        git(root, "checkout", "--quiet", "-b", "other")
        step = max(1, len(ordinary) // files)
        for path in ordinary[::step][:files]:
            self._append(path, "def other_branch(): return 1")
        git(root, "commit", "--quiet", "--all", "-m", "other")
        git(root, "checkout", "--quiet", "trunk")
        self.changed = min(files, len(ordinary[::step]))
        print(cgi(root, "index").stdout.splitlines()[0], file=sys.stderr)
        time.sleep(PAUSE_SECONDS)

    def row(self, name: str, bar: float | None = None) -> Row:
        """Add a line to the table."""
        self.rows.append(Row(name, bar))
        return self.rows[-1]

    def _append(self, path: Path, text: str) -> int:
        """Append a line to a file, and return its number."""
        content = path.read_text(encoding="utf-8").rstrip("\n") + f"\n\n\n{text}\n"
        path.write_text(content, encoding="utf-8")
        return content.count("\n")

    def edit(self) -> tuple[str, int]:
        """Write a new function into the edited file. Return its name and its line."""
        self._number += 1
        name = f"bench_probe_{self._number}"
        return name, self._append(self.edited, f"def {name}(): return 1")

    def processes(self) -> None:
        """Measure questions in fresh processes."""
        quiet, edited = self.row("question in a process, nothing changed"), self.row("the same, one file edited", 1.0)
        look = self.row("the look alone, nothing changed, in a process", 0.12)
        for _ in range(self.runs):
            name, line = self.edit()
            with edited.timed():
                lines = lines_of(self.root, name)
            expect(lines == [line], f"{name} is in line {line}, not {lines}")
            time.sleep(PAUSE_SECONDS)
            # The first question after an edit notes that its time proves something now.
            cgi(self.root, "symbol", name)
            with quiet.timed():
                cgi(self.root, "symbol", name)
            command = [sys.executable, "-c", LOOK, str(self.root)]
            wall, processor = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            look.wall.append(wall)
            look.processor.append(processor)

    def opened(self, label: str, look_bar: float | None, prepare: Callable[[CodeIndexer], None]) -> None:
        """Measure questions to one open index."""
        edited, look = self.row(f"edit, then a question, {label}", 0.5), self.row(f"the look, {label}", look_bar)
        with CodeIndexer(self.root) as indexer:
            indexer.tree()
            prepare(indexer)
            for _ in range(self.runs):
                name, line = self.edit()
                with edited.timed():
                    lines = [symbol.start_line for symbol in indexer.symbol(name)]
                expect(lines == [line], f"{name} is in line {line}, not {lines}")
                time.sleep(PAUSE_SECONDS)
                indexer.tree()
                with look.timed(), indexer.question():
                    pass

    def branches(self) -> None:
        """Measure the switch of a branch, and what it takes until all is fresh."""
        first = self.row(f"first answer after a switch over {self.changed} files", 1.0)
        index = self.row("`cgi index` then, all fresh", 6.0)
        git(self.root, "checkout", "--quiet", "--", ".")
        cgi(self.root, "index")
        for branch in ("other", "trunk") * max(1, self.runs // 4):
            git(self.root, "checkout", "--quiet", branch)
            with first.timed():
                answer = cgi(self.root, "symbol", self.edited.stem)
            expect(f"{self.changed} files changed on disk" in answer.stderr, f"stale without a word: {answer.stderr}")
            with index.timed():
                cgi(self.root, "index")
            expect(
                bool(lines_of(self.root, "other_branch")) == (branch == "other"), "the branch is not that of the index"
            )

    def worktrees(self) -> None:
        """Measure the first answer in a new worktree, and with an index that came alone."""
        seeded = self.row("new worktree, one file edited: first answer", 2.0)
        alone = self.row("index of the commit before, without index.db.local: first answer")
        edited = self.edited.relative_to(self.root)
        for number in range(max(2, self.runs // 4)):
            place = self.root.parent / f"worktree{number}"
            git(self.root, "worktree", "add", "--quiet", "--detach", str(place), "trunk")
            line = self._append(place / edited, "def in_worktree(): return 1")
            with seeded.timed():
                lines = lines_of(place, "in_worktree")
            expect(lines == [line], f"in_worktree is in line {line}, not {lines}")
            copy = self.root.parent / f"shipped{number}"
            git(self.root, "clone", "--quiet", "--local", str(self.root), str(copy))
            (copy / ".cgi").mkdir()
            shutil.copyfile(self.root / ".cgi" / "index.db", copy / ".cgi" / "index.db")
            for path in sorted(copy.glob("*/*/*.py"))[:20]:
                line = self._append(path, "def shipped(): return 1")
            with alone.timed():
                lines = lines_of(copy, "shipped")
            expect(len(lines) == 20, f"20 files were edited, not {len(lines)}")
            shutil.rmtree(copy)


def expect(condition: bool, message: str) -> None:
    """Stop at a wrong answer."""
    if not condition:
        raise SystemExit(f"wrong answer: {message}")


def watched(indexer: CodeIndexer) -> None:
    """Let a watcher save the looks, and wait until it has begun."""
    root = Path(indexer.root or ".")
    indexer.watch_with(Watcher(root, indexer.db))
    for _ in range(3):
        indexer.tree()
        time.sleep(1)


def main() -> None:
    """Run all measurements and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("repository", type=Path, help="folder of source files, which is copied")
    parser.add_argument("--runs", type=int, default=12, help="measurements of each line")
    parser.add_argument("--files", type=int, default=300, help="files in which the two branches differ")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repository")
        shutil.copytree(options.repository, root, ignore=shutil.ignore_patterns(".git", ".cgi"), symlinks=True)
        os.sync()
        bench = Bench(root, options.runs, options.files)
        bench.processes()
        bench.opened("one open index", None, lambda indexer: None)
        bench.opened("one open index with a watcher", 0.03, watched)
        bench.branches()
        bench.worktrees()
    print("| what | bar (p95) | median | p95 | processor |\n|---|---|---|---|---|")
    print("\n".join(row.text() for row in bench.rows))


if __name__ == "__main__":
    main()
