"""Measure search by what commits say and where they went: a yardstick without a label that anybody wrote for it.

The script takes the newest QUERIES commits of each git checkout that fit. Such a commit changed one or two files of code that
still exist, and nothing else but tests and documents. Its subject has four words or more. The query is the subject without
issue numbers and prefixes such as `fix:`. The right files are those of the commit, in the index of the present state. Tests
and documents are never right, so they are left out of the results too.

The table has a row for each repository, and the mean over repositories:

* `MRR`: the mean reciprocal rank of the first right file among the files of LIMIT results. `hit@1`: how often it is first.
* `place`: how often the first result in the first right file is a definition that the commit changed. `listed`: how often
  any result is. Both count only commits that changed a definition which still has its name.

usage: bench_commits.py CHECKOUT… [--indexes DIR] [--without SIGNAL…]
"""

import argparse
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench_search import LIMIT, TERMS, give_weights, open_index

from code_graph_indexer import CodeIndexer, RetrievedContext
from code_graph_indexer.graph.changes import changes_of
from code_graph_indexer.retrieval import rank as rerank
from code_graph_indexer.retrieval.signals import SIGNALS

QUERIES = 60
"""Commits of a repository that are asked for."""

COMMITS = 3_000
"""Commits that are looked through for them."""

FILES = 2
"""Files of code that such a commit changes at most."""

WORDS = 4
"""Words of a subject that says what was done."""

CODE = ("code",)
"""The sources that are searched: a document is never a right file."""

FEWEST = 10
"""Queries without which a repository is left out."""

_BESIDE = re.compile(r"test|spec|bench|example|doc|change|\.md$|\.rst$|\.lock$", re.IGNORECASE)
_FORMAL = re.compile(r"\(?#\d+\)?|^\w+(?:\([^)]*\))?!?:\s*")


class Commit(NamedTuple):
    """A commit: its revision, what its subject asks for, and the paths that it changed."""

    revision: str
    query: str
    paths: list[str]


class Found(NamedTuple):
    """How a query went: 1 / rank of the first right file (0: none), whether the first result in it is a definition that was
    changed (None: no right file, or no such definition), and whether any result is.
    """

    reciprocal: float
    place: bool | None
    listed: bool | None


def commits(root: Path) -> Iterator[Commit]:
    """Yield the commits of a repository, newest first."""
    command = ["git", "-C", str(root), "log", "--no-merges", f"-n{COMMITS}", "--format=%x01%H%n%s", "--name-only"]
    log = subprocess.run(command, capture_output=True, check=True, encoding="utf-8", errors="replace").stdout
    for entry in log.split("\x01")[1:]:
        revision, subject, *paths = entry.strip().split("\n")
        # A word before a colon would be read as a filter.
        query = _FORMAL.sub("", subject).replace(":", " ").strip()
        yield Commit(revision, query, [path for path in paths if path])


def queries(root: Path, code: set[str]) -> list[Commit]:
    """List the commits that are asked for, with the files that answer each."""
    chosen: list[Commit] = []
    for commit in commits(root):
        changed = [path for path in commit.paths if not _BESIDE.search(path)]
        if 0 < len(changed) <= FILES and code.issuperset(changed) and len(commit.query.split()) >= WORDS:
            chosen.append(commit._replace(paths=changed))
        if len(chosen) == QUERIES:
            break
    return chosen


def changed_names(indexer: CodeIndexer, root: Path, commit: Commit) -> dict[str, set[str]]:
    """List the definitions of each file that a commit changed, if the index has one of that name there."""
    changes = changes_of(root, f"{commit.revision}^..{commit.revision}")
    names: dict[str, set[str]] = {}
    for path in commit.paths:
        indexed = [symbol.qualified_name for symbol in indexer.outline(path).symbols]
        dotted = [name for name in changes.get(path, ()) if name]
        names[path] = {local_name for local_name in dotted if any(is_named(name, local_name) for name in indexed)}
    return names


def judged(indexer: CodeIndexer, root: Path, commit: Commit, results: Sequence[RetrievedContext]) -> Found:
    """Say how the results of a commit's query went."""
    files = list(dict.fromkeys(result.file_path for result in results))
    rank = next((rank for rank, path in enumerate(files, 1) if path in commit.paths), 0)
    names = changed_names(indexer, root, commit)
    right = [
        any(is_named(result.qualified_name, name) for name in names.get(result.file_path, ())) for result in results
    ]
    place = None
    if rank and names[files[rank - 1]]:
        place = right[[result.file_path for result in results].index(files[rank - 1])]
    return Found(1 / rank if rank else 0.0, place, any(right) if any(names.values()) else None)


def is_named(qualified_name: str, dotted: str) -> bool:
    """Say whether a qualified name is that of a definition inside its file."""
    return f".{qualified_name}".endswith(f".{dotted}")


def measure(indexer: CodeIndexer, root: Path) -> list[Found]:
    """Ask for the commits of a repository."""
    code = {file.path for file in indexer.store.files() if file.language is not None and file.error is None}
    return [
        judged(indexer, root, commit, indexer.retrieve(commit.query, limit=LIMIT, tests=False, source_types=CODE))
        for commit in queries(root, code)
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--indexes", type=Path, help="where index files are kept [a temporary folder]")
    signals = [*SIGNALS, *TERMS, *rerank.PENALTIES]
    parser.add_argument("--without", nargs="*", default=[], choices=signals, help="signals and terms to leave out")
    arguments = parser.parse_args()
    give_weights(dict.fromkeys(arguments.without, 0.0))
    means: list[tuple[float, ...]] = []
    print("| repository | queries | MRR | hit@1 | place | listed |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for root in arguments.checkouts:
            with open_index(root.name, root, arguments.indexes or Path(temporary)) as indexer:
                verdicts = measure(indexer, root)
            if len(verdicts) >= FEWEST:
                ranks = [verdict.reciprocal for verdict in verdicts]
                places = [verdict.place for verdict in verdicts if verdict.place is not None]
                listed = [verdict.listed for verdict in verdicts if verdict.listed is not None]
                means.append((mean(ranks), mean([rank == 1 for rank in ranks]), mean(places), mean(listed)))
                print(
                    f"| {root.name} | {len(verdicts)} | " + " | ".join(f"{value:.3f}" for value in means[-1]) + " |",
                    flush=True,
                )
    if means:
        together = (mean(column) for column in zip(*means, strict=True))
        print(f"| mean of {len(means)} | | " + " | ".join(f"{value:.4f}" for value in together) + " |")


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 of nothing."""
    return statistics.mean(values) if values else 0.0


if __name__ == "__main__":
    main()
