"""Draw answers of `cgi unused` at random, to be judged by hand against the code.

An answer is false if anything in the repository uses the definition, or if a language, a tool or another repository surely
does. The sheet is tab-separated: repository, language, confidence, kind, name, place, and an empty column for the verdict.
Each repository gives the same number of answers, at most `--most`, or all that it has.

usage: sample_unused.py DB… [--count N] [--most N] [--seed N] [--min-confidence N]
"""

import argparse
import random
from pathlib import Path

from code_graph_indexer import CodeIndexer, Unused


def drawn(answers: list[list[Unused]], count: int, most: int, seed: int) -> list[list[Unused]]:
    """Draw answers of each repository, the same number of each as far as they have so many, and at most `most`."""
    chance = random.Random(seed)
    order = [chance.sample(group, len(group))[:most] for group in answers]
    sizes = [0] * len(order)
    while sum(sizes) < count and any(size < len(group) for size, group in zip(sizes, order, strict=True)):
        for place, group in enumerate(order):
            if sizes[place] < len(group) and sum(sizes) < count:
                sizes[place] += 1
    return [group[:size] for size, group in zip(sizes, order, strict=True)]


def main() -> None:
    """Print the sheet, and behind it how many answers there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("indexes", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--most", type=int, default=100, help="the most answers of a repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--min-confidence", type=float, default=0.8)
    arguments = parser.parse_args()
    answers = []
    for db in arguments.indexes:
        with CodeIndexer(db=db) as indexer:
            answers.append(indexer.graph.unused(min_confidence=arguments.min_confidence))
    for db, group, sample in zip(
        arguments.indexes, answers, drawn(answers, arguments.count, arguments.most, arguments.seed), strict=True
    ):
        for unused in sorted(sample, key=lambda unused: (unused.symbol.file_path, unused.symbol.start_line)):
            symbol = unused.symbol
            place = f"{symbol.file_path}:{symbol.start_line}"
            print(db.stem, symbol.language, unused.confidence, symbol.kind, symbol.qualified_name, place, "", sep="\t")
        print(f"# {db.stem}: {len(sample)} of {len(group)} answers")


if __name__ == "__main__":
    main()
