"""Measure questions to the graph: callers of many names, impact of git diffs, and jedi on the same call sites.

usage: bench_graph.py REPO [--names N] [--diff REV..REV …] [--jedi]

REPO has an index. The script asks for the callers of N definitions, spread evenly over the index, in a warm process. It asks
for each diff three times, and the median counts. With --jedi (a package to install) it also gives every call site in the
repository's Python files to jedi's `goto`. It compares that time with a full build in the same run. Both start from
nothing, jedi without what it keeps between runs.
"""

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import apsw

from code_graph_indexer import CodeIndexer

SITES = """
select f.path, r.line, r.column from refs as r join chunks as c on c.id = r.source_id join files as f on f.id = c.file_id
where r.kind = 'calls' and f.language = 'python' group by 1, 2, 3
"""


def seconds(question: Callable[[], object]) -> float:
    """Time one question."""
    started = time.perf_counter()
    question()
    return time.perf_counter() - started


def callers(indexer: CodeIndexer, count: int) -> str:
    """Ask for the callers of definitions spread over the index."""
    symbols = [symbol for symbol in indexer.store.nodes().values() if symbol.kind in ("function", "method", "class")]
    names = [symbol.qualified_name for symbol in symbols[:: max(1, len(symbols) // count)]][:count]
    for name in names:
        indexer.callers(name)
    times = sorted(1e3 * seconds(lambda name=name: indexer.callers(name)) for name in names)  # type: ignore[misc]
    middle, high = statistics.median(times), times[int(0.95 * len(times))]
    return f"callers, warm, {len(times)} definitions: p50 {middle:.1f} ms, p95 {high:.1f} ms"


def impact(indexer: CodeIndexer, diff: str) -> str:
    """Ask for the impact of a diff."""
    times = [seconds(lambda: indexer.graph.impact(diff=diff)) for _ in range(3)]
    result = indexer.graph.impact(diff=diff)
    files = len({symbol.file_path for symbol in result.changed})
    return (
        f"impact --diff {diff}: {1e3 * statistics.median(times):.0f} ms; {len(result.changed)} definitions of {files} files "
        f"changed, {len(result.affected)} affected, {len(result.tests)} test files"
    )


def beside_jedi(root: Path) -> str:
    """Build an index, and give its call sites to jedi."""
    import jedi

    with tempfile.TemporaryDirectory() as scratch:
        db = Path(scratch) / "index.db"
        with CodeIndexer(root, db=db) as indexer:
            ours = seconds(lambda: indexer.index(full=True))
        sites: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for path, line, column in apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY).execute(SITES):
            sites[str(path)].append((int(str(line)), int(str(column))))
        jedi.settings.cache_directory = str(Path(scratch) / "jedi")
        project = jedi.Project(str(root))
        started = time.perf_counter()
        resolved = 0
        for path, places in sites.items():
            script = jedi.Script(path=str(root / path), project=project)
            for line, column in places:
                resolved += bool(script.goto(line, column, follow_imports=True))
        theirs = time.perf_counter() - started
    total = sum(map(len, sites.values()))
    jedis = f"jedi goto on its {total} call sites {theirs:.1f} s ({resolved} found)"
    return f"full build {ours:.2f} s; {jedis}: {theirs / ours:.0f} times ours"


def main() -> int:
    """Ask, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--names", type=int, default=200)
    parser.add_argument("--diff", nargs="+", default=[])
    parser.add_argument("--jedi", action="store_true")
    args = parser.parse_args()
    with CodeIndexer(args.repo, update=False) as indexer:
        print(callers(indexer, args.names))
        for diff in args.diff:
            print(impact(indexer, diff))
    if args.jedi:
        print(beside_jedi(args.repo))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
