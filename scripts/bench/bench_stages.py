"""Measure how long the stages of a question take, in the product's own pipeline and beside the targets of published designs.

The questions are those of QUESTIONS (fixtures/routes) that are concepts, asked of the index of one repository, without a
language model. Filters, words, vectors and fusion are measured by themselves too, as the designs name them.

usage: bench_stages.py INDEX.db --questions QUESTIONS.tsv [--limit N]
"""

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from bench_router import read_questions

from code_graph_indexer import CodeIndexer, RAGPipeline
from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.fuse import fuse_by_score
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.search import HybridSearcher
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store

TARGETS = {"filter": 10, "lexical": 50, "vector": 100, "fusion": 10, "chunk load": 50, "expand": 100}
"""Milliseconds: the lower end of what published designs allow themselves."""


Result = TypeVar("Result")


def _load(store: Store, ids: list[int]) -> list[str]:
    return store.chunk_texts(store.chunks(ids))


def main() -> None:
    """Print p50 and p95 of each stage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=60)
    arguments = parser.parse_args()
    questions = [question.text for question in read_questions(arguments.questions) if question.route == "concept"][
        : arguments.limit
    ]
    times: dict[str, list[float]] = defaultdict(list)

    def timed(stage: str, run: Callable[[], Result]) -> Result:
        started = time.perf_counter()
        result = run()
        times[stage].append((time.perf_counter() - started) * 1000)
        return result

    with CodeIndexer(db=arguments.index) as indexer:
        store, embedder = indexer.store, indexer.embedder()
        pipeline = RAGPipeline(store, embedder, Settings())
        assert embedder is not None
        searcher = HybridSearcher(store, embedder)
        pipeline.query("warm up the pipeline")
        for text in questions:
            query = read_query(text)
            hits = timed("lexical", partial(store.words, query.words, Filters(), 200))
            vector = embedder.embed(text)
            timed("vector", partial(store.nearest, vector, Filters(), 200))
            timed("filter", partial(store.allowed, hits.ids.tolist(), Filters(tests=False)))
            lists = searcher.search(query, Filters(), pool_size=200)
            timed("fusion", partial(fuse_by_score, lists))
            ids = lists[-1].hits.ids[:20].tolist()
            timed("chunk load", partial(_load, store, ids))
            result = pipeline.query(text)
            for stage, spent in result.timings.items():
                times[stage].append(spent)
            times["all"].append(sum(result.timings.values()))
    print("| stage | target, ms | p50, ms | p95, ms |\n|---|---|---|---|")
    for stage, measured in ((name, durations) for name, durations in times.items() if len(durations) > 1):
        slow = statistics.quantiles(measured, n=20)[-1]
        print(f"| {stage} | {TARGETS.get(stage, '')} | {statistics.median(measured):.1f} | {slow:.1f} |")


if __name__ == "__main__":
    main()
