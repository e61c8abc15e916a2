"""Say how far weights of the ranking that are fitted to some repositories hold on others.

The script searches every query of an annotated benchmark once (see bench_search.py, which kept INDEXES). Then it ranks the
hits under every combination of the weights in GRID. The table holds NDCG@10 and hit@1 with the product's weights, and with
the combination that is best on all repositories. Its last rows rank each fold of repositories with the combination that is
best on the rest. They hold the mean over several ways to cut the repositories into folds, and the least and the most
NDCG@10 of these ways.

usage: tune_search.py --corpora DIR --data DIR --indexes DIR [--folds N…] [--cuts N]
"""

import argparse
import itertools
import json
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from bench_search import LIMIT, Key, give_weights, load_rules, open_index
from numpy.typing import NDArray

from code_graph_indexer import Filters, HybridSearcher, Reranker, Settings
from code_graph_indexer.retrieval.fuse import fuse_by_score
from code_graph_indexer.retrieval.query import Query, read_query
from code_graph_indexer.retrieval.signals import RankedList
from code_graph_indexer.storage import ChunkFile

GRID: Mapping[str, Sequence[float]] = {
    "vector": (5.0, 6.0, 7.0),
    "path": (3.0, 4.0, 5.0),
    "repeat": (-5.0, -7.0),
    "depth": (0.0, -0.75, -1.25),
}
"""The weights that are tried."""

POOL_SIZE = Settings().pool_size
"""The product's default."""

Place = dict[str, object]
Scores = dict[Key, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Searched:
    """A query with all that its ranking needs."""

    query: Query
    lists: Sequence[RankedList]
    chunk_places: NDArray[np.void]
    files: Mapping[int, ChunkFile]
    places: Mapping[int, Place]
    targets: Sequence[Any]

    def ranked(self) -> list[Place]:
        """Rank it with the weights of this moment."""
        fused = fuse_by_score(self.lists)
        chunk_places = self.chunk_places[np.searchsorted(self.chunk_places["id"], fused.ids)]
        ranking = Reranker().rank(fused, chunk_places, self.files, self.query, limit=LIMIT)
        return [self.places[hit.chunk_id] for hit in ranking]


def search(name: str, root: Path, indexes: Path, prefix: str, items: Mapping[str, Any]) -> dict[str, Searched]:
    """Search the queries of one repository."""
    searched: dict[str, Searched] = {}
    with open_index(name, root, indexes) as indexer:
        searcher = HybridSearcher(indexer.store, indexer.embedder())
        for text, item in items.items():
            query = read_query(text, name)
            lists = searcher.search(query, Filters(), pool_size=POOL_SIZE)
            chunks = indexer.store.chunks(sorted({hit.chunk_id for hits in lists for hit in hits.hits}))
            chunk_places = indexer.store.traits_of(np.array([chunk.id for chunk in chunks], np.int64))
            places: dict[int, Place] = {
                chunk.id: {"path": prefix + chunk.path, "start_line": chunk.start_line, "end_line": chunk.end_line}
                for chunk in chunks
            }
            targets = item.get("relevant", []) + item.get("secondary", [])
            files = indexer.store.files_by_id(chunk_places["file_id"])
            searched[text] = Searched(query, lists, chunk_places, files, places, targets)
    return searched


def score(searched: Mapping[Key, Searched], rules: ModuleType) -> Scores:
    """Return NDCG@10 and hit@1 of every query, with the weights of this moment."""
    scores: Scores = {}
    for key, query in searched.items():
        results = query.ranked()
        hit = any(rules.covers(first, target) for first in results[:1] for target in query.targets)
        scores[key] = float(rules.ndcg(results, query.targets)), float(hit)
    return scores


def mean(scores: Scores, among: Collection[str]) -> tuple[float, float]:
    """Average over the queries of some repositories."""
    chosen = [score for (repo, _), score in scores.items() if repo in among]
    return sum(ndcg for ndcg, _ in chosen) / len(chosen), sum(hit for _, hit in chosen) / len(chosen)


def main() -> None:
    """Search once, rank under every combination, and print what holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument(
        "--folds",
        type=int,
        nargs="+",
        default=[8, 32],
        help="numbers of groups of repositories, left out in turn [8 32]",
    )
    parser.add_argument("--cuts", type=int, default=20, help="ways to cut the repositories into groups [20]")
    arguments = parser.parse_args()
    rules = load_rules(arguments.data)
    annotated = rules.load_annotations()
    searched: dict[Key, Searched] = {}
    repos = json.loads((arguments.data / "repos.json").read_text(encoding="utf-8"))
    for repo in repos:
        name, below = repo["name"], repo.get("benchmark_root") or ""
        items = {query: item for (owner, query), item in annotated.items() if owner == name}
        prefix = f"{below}/" if below else ""
        found_queries = search(name, arguments.corpora / name / below, arguments.indexes, prefix, items)
        searched |= {(name, query): query_searched for query, query_searched in found_queries.items()}
    names = sorted({repo for repo, _ in searched})
    print("| weights | NDCG@10 | hit@1 |\n|---|---|---|")
    print("| the product's | {:.4f} | {:.3f} |".format(*mean(score(searched, rules), names)))
    tried: list[tuple[dict[str, float], Scores]] = []
    for values in itertools.product(*GRID.values()):
        weights = dict(zip(GRID, values, strict=True))
        give_weights(weights)
        tried.append((weights, score(searched, rules)))
    best, scores = max(tried, key=lambda trial: mean(trial[1], names)[0])
    print("| best of {}: {} | {:.4f} | {:.3f} |".format(len(tried), best, *mean(scores, names)))
    for folds in arguments.folds:
        # Where each repository is a fold, there is one way only.
        cuts = arguments.cuts if folds < len(names) else 1
        means = [mean(left_out(tried, names, folds, seed), names) for seed in range(cuts)]
        ndcg = [ndcg_mean for ndcg_mean, _ in means]
        print(
            f"| each of {folds} folds with the best of the others, {cuts} cuts ({min(ndcg):.4f} to {max(ndcg):.4f}) "
            f"| {sum(ndcg) / cuts:.4f} | {sum(hit for _, hit in means) / cuts:.3f} |"
        )


def left_out(
    tried: Sequence[tuple[Mapping[str, float], Scores]], names: Sequence[str], folds: int, seed: int
) -> Scores:
    """Score each fold of repositories with the combination that is best on the others."""
    shuffled = random.Random(seed).sample(names, len(names))
    scored: Scores = {}
    for fold in range(folds):
        out = set(shuffled[fold::folds])
        _, scores = max(tried, key=lambda trial: mean(trial[1], set(names) - out)[0])
        scored |= {key: pair_score for key, pair_score in scores.items() if key[0] in out}
    return scored


if __name__ == "__main__":
    main()
