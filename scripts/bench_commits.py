"""Measure search by what commits say and where they went: a yardstick without a label that anybody wrote for it.

Of each git checkout, the newest QUERIES commits are taken that changed one or two files of code, still there, and nothing
else but tests and documents, and that say so in four words or more. The subject, without issue numbers and prefixes such
as `fix:`, is the query, and those files are what is looked for, in the index of the present state. Printed are the mean
reciprocal rank of the first of them among the files of LIMIT results, and how often it is the first, by repository and in
the mean over repositories.

usage: bench_commits.py CHECKOUT… [--indexes DIR] [--without SIGNAL…]
"""

import argparse
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench_search import LIMIT, TERMS, give_weights, open_index

from code_graph_indexer import CodeIndexer
from code_graph_indexer.retrieval import fuse, rerank

QUERIES = 60
"""Commits of a repository that are asked for."""

COMMITS = 3_000
"""Commits that are looked through for them."""

FILES = 2
"""Files of code that such a commit changes at most."""

WORDS = 4
"""Words of a subject that says what was done."""

FEWEST = 10
"""Queries without which a repository is left out."""

_BESIDE = re.compile(r"test|spec|bench|example|doc|change|\.md$|\.rst$|\.lock$", re.IGNORECASE)
_FORMAL = re.compile(r"\(?#\d+\)?|^\w+(?:\([^)]*\))?!?:\s*")


def commits(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the subjects of the commits of a repository, newest first, and the paths that they changed."""
    command = ["git", "-C", str(root), "log", "--no-merges", f"-n{COMMITS}", "--format=%x01%s", "--name-only"]
    log = subprocess.run(command, capture_output=True, check=True, encoding="utf-8", errors="replace").stdout
    for entry in log.split("\x01")[1:]:
        subject, *paths = entry.strip().split("\n")
        # A word before a colon would be read as a filter.
        yield _FORMAL.sub("", subject).replace(":", " ").strip(), [one for one in paths if one]


def queries(root: Path, code: set[str]) -> list[tuple[str, list[str]]]:
    """List queries and the files that answer each."""
    found: list[tuple[str, list[str]]] = []
    for subject, paths in commits(root):
        changed = [one for one in paths if not _BESIDE.search(one)]
        if 0 < len(changed) <= FILES and code.issuperset(changed) and len(subject.split()) >= WORDS:
            found.append((subject, changed))
        if len(found) == QUERIES:
            break
    return found


def measure(indexer: CodeIndexer, root: Path) -> list[float]:
    """Return the reciprocal rank of the first right file for each query; 0 where it is not found."""
    code = {one.path for one in indexer.store.files() if one.language is not None and one.error is None}
    ranks: list[float] = []
    for query, wanted in queries(root, code):
        files = list(dict.fromkeys(one.file_path for one in indexer.retrieve(query, limit=LIMIT)))
        ranks.append(next((1 / place for place, one in enumerate(files, 1) if one in wanted), 0.0))
    return ranks


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--indexes", type=Path, help="where index files are kept [a temporary folder]")
    signals = [*fuse.SCORE_WEIGHTS, *TERMS, *rerank.PENALTIES]
    parser.add_argument("--without", nargs="*", default=[], choices=signals, help="signals and terms to leave out")
    given = parser.parse_args()
    give_weights(dict.fromkeys(given.without, 0.0))
    means: list[tuple[float, float]] = []
    print("| repository | queries | MRR | hit@1 |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for root in given.checkouts:
            with open_index(root.name, root, given.indexes or Path(temporary)) as indexer:
                ranks = measure(indexer, root)
            if len(ranks) >= FEWEST:
                means.append((statistics.mean(ranks), statistics.mean(one == 1 for one in ranks)))
                print(f"| {root.name} | {len(ranks)} | {means[-1][0]:.3f} | {means[-1][1]:.3f} |", flush=True)
    if means:
        first, second = (statistics.mean(column) for column in zip(*means, strict=True))
        print(f"| mean of {len(means)} | | {first:.4f} | {second:.4f} |")


if __name__ == "__main__":
    main()
