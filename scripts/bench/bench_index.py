"""Measure indexing: what a full build of each repository holds and costs, and what keeping it up to date costs.

For each REPO the script copies the tree to a temporary folder (without .git and .cgi) and prints, as one Markdown table:

* Files, lines, chunks, edges by kind, calls by fate, skipped files by reason.
* Wall time of a full build, each in a fresh process with imports counted (median of --runs), and lines a second.
* Peak memory of the process and its workers together, in one more build. It is the largest sum of their proportional set
  sizes, which count shared pages once. The script samples /proc every 50 ms, which slows that build. Linux only.
* Size of the index file, and its ratio to the text of the indexed files.
* Wall time of `cgi index` with no change, with one function's body edited, and with a function added. Each runs in a fresh
  process (median of --runs). The edited file is the largest code file under 20 kB, an ordinary one.
* The unit: seconds that tree-sitter takes to parse the repository's Python files once, in one process. It is measured
  before and after (median). Machines are noisy and unlike, so compare `full build ÷ unit` between them. A repository
  without Python has no unit.

With --lines, each repository is measured once for each number of lines: whole folders are taken, in an order that depends on
their paths alone, until there are so many lines. So the table shows how time and memory grow.

With --beside NAME=COMMAND, another program's index of the same tree is timed between ours, with its peak memory. The command
runs in the tree. What it writes at the top of the tree is removed before its next run.

usage: bench_index.py REPO [REPO…] [--lines N…] [--runs N] [--workers N] [--beside NAME=COMMAND…] [--json]

The command lines of the programs in docs/measured, after `npm install @optave/codegraph` and `pip install semble` in ~/rivals:

    --beside "codegraph=node $HOME/rivals/node_modules/@optave/codegraph/dist/cli.js build ."
    --beside "semble=python -c 'from semble import SembleIndex; SembleIndex.from_path(\".\")'"
"""

import argparse
import hashlib
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import tree_sitter
import tree_sitter_python

from code_graph_indexer import CodeIndexer

SAMPLE_SECONDS = 0.05
"""Between two looks at the memory of a process tree: a peak is seldom shorter."""

LARGEST_EDITED = 20_000
"""Bytes of the file that is edited: larger ones are rare, and edited rarely."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything measured of one repository. Times are medians in seconds."""

    repository: str
    files: int
    lines: int
    chunks: int
    edges: Mapping[str, int]
    references: Mapping[str, int]
    skipped: Mapping[str, int]
    text_bytes: int
    index_bytes: int
    full_seconds: float
    memory: int
    unchanged_seconds: float
    body_edit_seconds: float
    added_function_seconds: float
    unit_seconds: float | None
    rivals: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    """The seconds and the peak memory in bytes of each other program."""


def tree_memory(pid: int) -> int:
    """Return the proportional set size of a process and all below it, in bytes."""
    total = 0
    for process in descendants(pid):
        try:
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
    return total


def descendants(pid: int) -> Iterator[int]:
    """Yield a process and all that it started, directly or not."""
    yield pid
    # A process or a thread may end while it is looked at.
    tasks: list[Path] = []
    with suppress(OSError):
        tasks += Path(f"/proc/{pid}/task").glob("*/children")
    for task in tasks:
        children: list[str] = []
        with suppress(OSError):
            children += task.read_text(encoding="ascii").split()
        for child in children:
            yield from descendants(int(child))


def run(*command: str | Path, cwd: Path, watch: Callable[[int], None] | None = None) -> float:
    """Run a command to its end and return its wall time in seconds. Raise CalledProcessError when it fails.

    `watch` is called with the process's id, again and again while it runs.
    """
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(list(map(str, command)), cwd=cwd, stdout=output, stderr=subprocess.STDOUT)
        while watch is not None and process.poll() is None:
            watch(process.pid)
            time.sleep(SAMPLE_SECONDS)
        code = process.wait()
        seconds = time.perf_counter() - started
        output.seek(0)
        if code:
            raise subprocess.CalledProcessError(code, list(map(str, command)), output.read().decode(errors="replace"))
    return seconds


def cgi_index(*arguments: str, root: Path, watch: Callable[[int], None] | None = None) -> float:
    """Run `cgi index` on a repository."""
    return run(sys.executable, "-m", "code_graph_indexer", "index", *arguments, cwd=root, watch=watch)


def rival_index(command: Sequence[str], root: Path, watch: Callable[[int], None] | None = None) -> float:
    """Run another program's indexing of a tree, without what it wrote there before."""
    before = set(root.iterdir())
    seconds = run(*command, cwd=root, watch=watch)
    for path in set(root.iterdir()) - before:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return seconds


def rival_memory(command: Sequence[str], root: Path) -> int:
    """Return the peak memory of another program's indexing, in bytes."""
    samples: list[int] = [0]
    rival_index(command, root, watch=lambda pid: samples.append(tree_memory(pid)))
    return max(samples)


def build_memory(*arguments: str, root: Path) -> int:
    """Return the peak memory of a full build, in bytes."""
    samples: list[int] = [0]
    cgi_index("--full", *arguments, root=root, watch=lambda pid: samples.append(tree_memory(pid)))
    return max(samples)


def parse_unit(root: Path) -> float | None:
    """Return the seconds that parsing all Python files takes, without reading them. None if there are none."""
    sources = [path.read_bytes() for path in sorted(root.rglob("*.py")) if path.is_file()]
    if not sources:
        return None
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    started = time.perf_counter()
    for source in sources:
        parser.parse(source)
    return time.perf_counter() - started


@contextmanager
def copied(repository: Path, lines: int = 0) -> Iterator[Path]:
    """Work on a copy, so that edits and index files leave the repository as it is. With `lines` the copy is cut."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / repository.name
        if lines:
            cut(repository, root, lines)
        else:
            shutil.copytree(repository, root, symlinks=True, ignore=shutil.ignore_patterns(".git", ".cgi"))
        yield root


def cut(repository: Path, root: Path, lines: int) -> None:
    """Copy whole folders until they have so many lines. Their order is that of the hashes of their paths."""
    folders = {
        hashlib.sha1(Path(folder).relative_to(repository).as_posix().encode()).digest(): (Path(folder), names)
        for folder, _, names in os.walk(repository)
        if not {".git", ".cgi"} & set(Path(folder).relative_to(repository).parts)
    }
    copied_lines = 0
    for _, (folder, names) in sorted(folders.items()):
        target = root / folder.relative_to(repository)
        target.mkdir(parents=True, exist_ok=True)
        # The rules of a part that is left out would hide files of the others.
        for path in (folder / name for name in sorted(names) if name != ".gitignore"):
            if path.is_file() and not path.is_symlink():
                shutil.copyfile(path, target / path.name)
                copied_lines += path.read_bytes().count(b"\n")
        if copied_lines >= lines:
            return
    raise SystemExit(f"{repository} has only {copied_lines} lines")


def edited_file(root: Path) -> Path:
    """Choose the file to edit: the largest ordinary one with functions."""
    with CodeIndexer(root) as indexer:
        rows = [file for file in indexer.store.files() if file.error is None and file.source_type == "code"]
        sized = sorted((file for file in rows if file.size <= LARGEST_EDITED), key=lambda file: (-file.size, file.path))
        for file in sized:
            if any(symbol.kind in ("function", "method") for symbol in indexer.outline(file.path).symbols):
                return root / file.path
    raise SystemExit(f"{root.name} has no file with a function to edit")


def edit_body(path: Path, root: Path, number: int) -> None:
    """Put one more comment, of any language's sort, behind the first line of the last function."""
    with CodeIndexer(root) as indexer:
        symbols = indexer.outline(path.relative_to(root).as_posix()).symbols
    last = [symbol for symbol in symbols if symbol.kind in ("function", "method")][-1]
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    mark = "#" if path.suffix in (".py", ".rb", ".sh") else "//"
    lines.insert(last.end_line - 1, f"{mark} edit {number}\n")
    path.write_text("".join(lines), encoding="utf-8")


def add_function(path: Path, number: int) -> None:
    """Write a new function at the end of a file."""
    heads = {".py": "def added_{}():\n    return added_{}\n", ".go": "func added{}() int {{ return {} }}\n"}
    heads |= {".rs": "fn added_{}() -> u32 {{ {} }}\n"}
    head = heads.get(path.suffix, "function added{}() {{ return {}; }}\n")
    with path.open("a", encoding="utf-8") as stream:
        stream.write("\n" + head.format(number, number))


def measure(repository: Path, *, lines: int, runs: int, workers: int, rivals: Mapping[str, Sequence[str]]) -> Figures:
    """Measure one repository. Our builds and the rivals' take turns, so that a busy machine slows all alike."""
    with copied(repository, lines) as root:
        units = [parse_unit(root)]
        builds: list[float] = []
        rival_seconds: dict[str, list[float]] = {name: [] for name in rivals}
        for _ in range(runs):
            builds.append(cgi_index("--full", "--workers", str(workers), root=root))
            for name, command in rivals.items():
                rival_seconds[name].append(rival_index(command, root))
        units.append(parse_unit(root))
        memory = build_memory("--workers", str(workers), root=root)
        rival_bytes = {name: rival_memory(command, root) for name, command in rivals.items()}
        with CodeIndexer(root) as indexer:
            counts, files = indexer.store.counts(), indexer.store.files()
            index_bytes = indexer.db.stat().st_size
            text_bytes = sum(len(indexer.store.file_text(file.path) or b"") for file in files if file.error is None)
        unchanged = [cgi_index(root=root) for _ in range(runs)]
        path = edited_file(root)
        body: list[float] = []
        added: list[float] = []
        for number in range(runs):
            edit_body(path, root, number)
            body.append(cgi_index(root=root))
            add_function(path, number)
            added.append(cgi_index(root=root))
    known_units = [unit for unit in units if unit is not None]
    return Figures(
        repository=f"{repository.name}, {lines / 1e6:g} M" if lines else repository.name,
        files=sum(counts["languages"].values()),
        lines=sum(counts["lines"].values()),
        chunks=sum(counts["chunks"].values()),
        edges=counts["edges"],
        references=counts["references"],
        skipped=counts["skipped"],
        text_bytes=text_bytes,
        index_bytes=index_bytes,
        full_seconds=statistics.median(builds),
        memory=memory,
        unchanged_seconds=statistics.median(unchanged),
        body_edit_seconds=statistics.median(body),
        added_function_seconds=statistics.median(added),
        unit_seconds=statistics.median(known_units) if known_units else None,
        rivals={name: (statistics.median(seconds), rival_bytes[name]) for name, seconds in rival_seconds.items()},
    )


def rows(figures: Figures) -> Iterator[tuple[str, str]]:
    """Write the figures of a repository, each with its name."""

    def seconds(value: float) -> str:
        return f"{value:.2f} s" + (f" ({value / figures.unit_seconds:.2f} units)" if figures.unit_seconds else "")

    def counts(values: Mapping[str, int]) -> str:
        return ", ".join(f"{count:,} {name}" for name, count in values.items()) or "none"

    yield "files", f"{figures.files:,}"
    yield "lines", f"{figures.lines:,}"
    yield "chunks", f"{figures.chunks:,}"
    yield "edges", counts(figures.edges)
    yield "calls", counts(figures.references)
    yield "skipped", counts(figures.skipped)
    yield "full build", seconds(figures.full_seconds)
    yield "lines a second", f"{figures.lines / figures.full_seconds:,.0f}"
    yield "peak memory", f"{figures.memory / 2**20:,.0f} MiB"
    yield "index file", f"{figures.index_bytes / 1e6:.1f} MB, {figures.index_bytes / figures.text_bytes:.2f} × the text"
    yield "update, nothing changed", seconds(figures.unchanged_seconds)
    yield "update, a body edited", seconds(figures.body_edit_seconds)
    yield "update, a function added", seconds(figures.added_function_seconds)
    yield "unit (parsing its Python)", f"{figures.unit_seconds:.2f} s" if figures.unit_seconds else "no Python"
    for name, (rival_seconds, rival_bytes) in figures.rivals.items():
        yield (
            f"{name}, full build",
            f"{seconds(rival_seconds)}; ours is {figures.full_seconds / rival_seconds:.2f} × that",
        )
        yield f"{name}, peak memory", f"{rival_bytes / 2**20:,.0f} MiB"


def table(measured: list[Figures]) -> str:
    """Write the figures as a Markdown table, a column a repository."""
    columns = [dict(rows(figures)) for figures in measured]
    names = list(dict.fromkeys(name for column in columns for name in column))
    lines = ["| | " + " | ".join(figures.repository for figures in measured) + " |", "|---" * (len(measured) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(column.get(name, "") for column in columns) + " |" for name in names]
    return "\n".join(lines)


def main() -> None:
    """Measure the repositories named and print the table."""
    # An installed package has its bytecode; without, every process would compile it anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    parser.add_argument(
        "--lines", type=int, nargs="+", metavar="N", help="measure trees of so many lines, cut from each REPO"
    )
    parser.add_argument("--runs", type=int, default=3, help="runs whose median is taken [3]")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="parse processes [one a core]")
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="another program, timed in turns with ours",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list instead of the table")
    arguments = parser.parse_args()
    rivals = {name: shlex.split(command) for name, _, command in (text.partition("=") for text in arguments.beside)}
    measured = [
        measure(repository.resolve(), lines=lines, runs=arguments.runs, workers=arguments.workers, rivals=rivals)
        for repository in arguments.repositories
        for lines in arguments.lines or [0]
    ]
    print(json.dumps([asdict(figures) for figures in measured], indent=2) if arguments.json else table(measured))


if __name__ == "__main__":
    main()
