"""Measure embedders alone on the search benchmark: no other signal, no ranking of files.

DATA, CORPORA and INDEXES are those of bench_search.py. The script embeds every chunk of each repository by its text alone.
It embeds it once more as the product does, with its path and qualified name as a title. It ranks a query's chunks by
cosine. The table holds NDCG@10 of the list of chunks and of the best chunk of each file, and chunks a CPU-second.

`static-alone` is the model of `static` with the weights that are best where no other signal knows of paths
(docs/explanation/model.md).
`wordllama` stands for the package of that name as it is, where it is installed (256 dimensions,
github.com/dleemiller/WordLlama, MIT), to compare with.

usage: bench_embedding.py --corpora DIR --data DIR --indexes DIR [--embedder SPEC…]
"""

import argparse
import importlib
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench_search import LIMIT, load_rules, open_index
from numpy.typing import NDArray

from code_graph_indexer import Embedder, create_embedder
from code_graph_indexer.embedders import EmbedderStats
from code_graph_indexer.embedders.static import load_own

Floats = NDArray[np.float32]
Columns = tuple[list[float], list[float]]


class WordLlama:
    """The package of that name as it is."""

    def __init__(self) -> None:
        package = importlib.import_module("wordllama")
        # Its tokenizer lies beside it, where only the cache is looked for.
        self._model = package.WordLlama.load(cache_dir=Path(str(package.__file__)).parent, disable_download=True)
        self.name, self.in_workers, self.dimensions, self.stats = "wordllama", False, 256, EmbedderStats()

    def embed(self, text: str) -> Floats:
        """Embed one text."""
        vector: Floats = self.embed_batch([text])[0]
        return vector

    def embed_batch(self, texts: Sequence[str]) -> Floats:
        """Embed many texts."""
        return np.asarray(self._model.embed(list(texts), norm=True), dtype=np.float32)


def embedding(spec: str) -> Embedder:
    """Return an embedder, the package's model with other weights, or WordLlama."""
    if spec == "static-alone":
        return load_own(tf_power=0.6, title_weight=5)
    return WordLlama() if spec == "wordllama" else create_embedder(spec)


def ranked(places: Sequence[dict[str, Any]], scores: Floats, *, by_file: bool) -> list[dict[str, Any]]:
    """Return the first places by score. With `by_file`, each file counts once, with its best place."""
    best: list[dict[str, Any]] = []
    seen: set[str] = set()
    for number in np.argsort(-scores, kind="stable"):
        place = places[number]
        if by_file and place["path"] in seen:
            continue
        seen.add(place["path"])
        best.append(place)
        if len(best) == LIMIT:
            break
    return best


def main() -> None:
    """Embed everything with each embedder and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument(
        "--embedder", nargs="+", default=["static", "static-alone"], help="embedders [static static-alone]"
    )
    arguments = parser.parse_args()
    rules = load_rules(arguments.data)
    annotated = rules.load_annotations()
    print("| embedder | text | chunks | best of each file | chunks a CPU-second |")
    print("|---|---|---|---|---|")
    for spec in arguments.embedder:
        embedder = embedding(spec)
        scores: dict[str, Columns] = defaultdict(lambda: ([], []))
        count = {"alone": 0, "with title": 0}
        seconds = {"alone": 0.0, "with title": 0.0}
        for repo in json.loads((arguments.data / "repos.json").read_text(encoding="utf-8")):
            name, below = repo["name"], repo.get("benchmark_root") or ""
            prefix = f"{below}/" if below else ""
            items = {query: item for (owner, query), item in annotated.items() if owner == name}
            with open_index(name, arguments.corpora / name / below, arguments.indexes) as indexer:
                paths = [file.path for file in indexer.store.files() if file.error is None]
                chunks = [
                    chunk
                    for path in paths
                    for chunk in indexer.store.file_chunks(path)
                    if chunk.end_byte > chunk.start_byte
                ]
                bodies = indexer.store.chunk_texts(chunks)
            places = [
                {"path": prefix + chunk.path, "start_line": chunk.start_line, "end_line": chunk.end_line}
                for chunk in chunks
            ]
            titled = [
                f"{chunk.path} {chunk.qualified_name}\n{body}" for chunk, body in zip(chunks, bodies, strict=True)
            ]
            # The first line of a text is its title to `static`: a text alone has an empty one.
            for text, texts in (("alone", [f"\n{body}" for body in bodies]), ("with title", titled)):
                started = time.process_time()
                vectors = embedder.embed_batch(texts)
                seconds[text] += time.process_time() - started
                count[text] += len(texts)
                for query, item in items.items():
                    targets = item.get("relevant", []) + item.get("secondary", [])
                    similar = vectors @ embedder.embed(query)
                    lists = [ranked(places, similar, by_file=by_file) for by_file in (False, True)]
                    for column, best in zip(scores[text], lists, strict=True):
                        column.append(rules.ndcg(best, targets))
        for text in count:
            figures = [f"{statistics.mean(column):.4f}" for column in scores[text]]
            print(f"| {spec} | {text} | {' | '.join(figures)} | {count[text] / seconds[text]:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
