"""Measure whether the words of an issue find the functions that its fix edited.

ISSUES is a file with a JSON object a line: `repo`, `commit` (before the fix), `text` and `functions`
(`path:qualified name`). INDEXES holds an index of the repository at that commit, as `<name>-<first eight of commit>.db`.
Issues without an index are left out. Tests are left out of the results.

A result counts as an edited function if its qualified name is that function, or its lines lie in it. Printed are, for the
whole text and for its first line alone: acc@N, the share of issues whose every edited file (function) is among the first
N, recall@10, the share of edited files (functions) among the first ten, hit@N, the share of issues with at least one, and MRR.
The table of sureness judges the first edited file.

usage: bench_loc.py ISSUES.jsonl --indexes DIR [--show]
"""

import argparse
import json
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sureness import Sureness

from code_graph_indexer import CodeIndexer, RetrievedContext
from code_graph_indexer.retrieval.sure import is_sure

DEPTHS = (1, 5, 10)
"""The depths at which a list of results is judged."""

LIMIT = 50
"""Results of a query."""


class Issue(NamedTuple):
    """An issue, the index of its repository, and the functions that its fix edited."""

    db: Path
    text: str
    functions: tuple[str, ...]


class Ranks(NamedTuple):
    """The rank of each edited file and of each edited function, from 1, or 0 where it is not among the results."""

    files: tuple[int, ...]
    functions: tuple[int, ...]


def read_issues(path: Path, indexes: Path) -> Iterator[Issue]:
    """Yield the issues whose index is there."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        index = indexes / f"{row['repo'].rpartition('/')[2]}-{row['commit'][:8]}.db"
        if index.is_file():
            yield Issue(index, row["text"], tuple(row["functions"]))


def is_function(context: RetrievedContext, function: str) -> bool:
    """Return whether a result is a function, or a part of it."""
    path, _, name = function.partition(":")
    qualified = f".{context.qualified_name}."
    return context.file_path == path and f".{name}." in qualified


def ranks_of(contexts: Sequence[RetrievedContext], functions: Sequence[str]) -> Ranks:
    """Return the ranks of the edited files and functions. Files and functions are ranked without repeats."""
    files = list(dict.fromkeys(context.file_path for context in contexts))
    first: dict[tuple[str, str], RetrievedContext] = {}
    for context in contexts:
        first.setdefault((context.file_path, context.qualified_name), context)
    paths = dict.fromkeys(function.partition(":")[0] for function in functions)
    return Ranks(
        tuple(files.index(path) + 1 if path in files else 0 for path in paths),
        tuple(
            next((rank for rank, context in enumerate(first.values(), 1) if is_function(context, function)), 0)
            for function in functions
        ),
    )


def row(name: str, ranks: Sequence[Sequence[int]]) -> str:
    """Write the figures of one kind of targets."""
    within = [[[0 < rank <= depth for rank in targets] for targets in ranks] for depth in DEPTHS]
    accuracies = [statistics.mean(all(targets) for targets in at_depth) for at_depth in within]
    hits = [statistics.mean(any(targets) for targets in at_depth) for at_depth in within]
    recall = statistics.mean(statistics.mean(targets) for targets in within[-1])
    reciprocal = statistics.mean(max((1 / rank for rank in targets if rank), default=0.0) for targets in ranks)
    figures = [*accuracies, *hits, recall, reciprocal]
    return f"| {name} | {len(ranks)} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |"


def main() -> None:
    """Print the figures for whole texts and for titles."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("issues", type=Path)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print each issue with its ranks")
    arguments = parser.parse_args()
    whole: list[Ranks] = []
    titles: list[Ranks] = []
    sureness = {"whole text": Sureness(), "title": Sureness()}
    for issue in read_issues(arguments.issues, arguments.indexes):
        title = issue.text.partition("\n")[0]
        with CodeIndexer(db=issue.db) as indexer:
            for name, text, ranks in (("whole text", issue.text, whole), ("title", title, titles)):
                contexts = indexer.retrieve(text, limit=LIMIT, tests=False)
                ranks.append(ranks_of(contexts, issue.functions))
                sure = is_sure(indexer.store, text, contexts)
                sureness[name].add(sure, min(filter(None, ranks[-1].files), default=0))
        if arguments.show:
            print(f"{issue.db.stem}: {title}\n  {issue.functions}\n  text {whole[-1]}\n  title {titles[-1]}")
    if not whole:
        raise SystemExit(f"{arguments.indexes} has no index of these issues")
    heads = [f"{figure}@{depth}" for figure in ("acc", "hit") for depth in DEPTHS]
    print("| | issues | " + " | ".join([*heads, "recall@10", "MRR"]) + " |")
    print("|---|---|" + "---|" * (len(heads) + 2))
    for name, ranks in (("whole text", whole), ("title", titles)):
        print(row(f"{name}: files", [entry.files for entry in ranks]))
        print(row(f"{name}: functions", [entry.functions for entry in ranks]))
    for name, counts in sureness.items():
        print(f"\n{name}\n\n{counts.table()}")


if __name__ == "__main__":
    main()
