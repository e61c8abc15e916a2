"""Measure embedders alone on the search benchmark: no other signal, no ranking of files.

Every chunk of each repository (DATA, CORPORA and INDEXES as for bench_search.py) is embedded by its text alone, and as the
product does it, with its path and qualified name as a title; a query's chunks are ranked by cosine. Printed are NDCG@10 of
the list of chunks and of the best chunk of each file; both again where a chunk is read with its file, its vector being
unit(chunk + FILE_SHARE x unit(mean of the file's chunks)); and chunks a CPU-second.

`static-alone` is the model of `static` with the weights that are best where no other signal knows of paths (docs/model.md).
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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench_search import LIMIT, load_rules, open_index
from numpy.typing import NDArray

from code_graph_indexer import create_embedder
from code_graph_indexer.embedders.base import unit_rows
from code_graph_indexer.embedders.static import load_own

FILE_SHARE = 0.25
"""What the mean of a file's chunks adds to each of them."""

COLUMNS = ((False, False), (False, True), (True, False), (True, True))
"""Whether a chunk is read with its file, and whether a list has the best chunk of each file alone."""

Floats = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]


def embedding(spec: str) -> Embed:
    """Return the function of an embedder, of the package's model with other weights, or of WordLlama."""
    if spec == "static-alone":
        return load_own(tf_power=0.6, title_weight=4).embed_batch
    if spec == "wordllama":
        package = importlib.import_module("wordllama")
        # Its tokenizer lies beside it, where only the cache is looked for.
        model = package.WordLlama.load(cache_dir=Path(str(package.__file__)).parent, disable_download=True)
        return lambda texts: np.asarray(model.embed(list(texts), norm=True), dtype=np.float32)
    return create_embedder(spec).embed_batch


def with_files(vectors: Floats, places: Sequence[dict[str, Any]]) -> Floats:
    """Add to each unit vector its share of the mean of its file's (chunks x dimensions, both)."""
    numbers = {path: number for number, path in enumerate({place["path"]: None for place in places})}
    files = np.array([numbers[place["path"]] for place in places])
    sums = np.zeros((len(numbers), vectors.shape[1]))
    np.add.at(sums, files, vectors)
    return unit_rows(vectors + FILE_SHARE * unit_rows(sums)[files])


def ranked(places: Sequence[dict[str, Any]], scores: Floats, *, by_file: bool) -> list[dict[str, Any]]:
    """Return the first places by score; with `by_file`, the best of each file."""
    found: list[dict[str, Any]] = []
    seen: set[str] = set()
    for number in np.argsort(-scores, kind="stable"):
        place = places[number]
        if by_file and place["path"] in seen:
            continue
        seen.add(place["path"])
        found.append(place)
        if len(found) == LIMIT:
            break
    return found


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
    print(
        "| embedder | text | chunks | best of each file | with its file: chunks | best of each file | chunks a CPU-second |"
    )
    print("|---|---|---|---|---|---|---|")
    for spec in arguments.embedder:
        embed = embedding(spec)
        scores: dict[tuple[str, bool, bool], list[float]] = defaultdict(list)
        count = {"alone": 0, "with title": 0}
        seconds = {"alone": 0.0, "with title": 0.0}
        for repo in json.loads((arguments.data / "repos.json").read_text(encoding="utf-8")):
            name, below = repo["name"], repo.get("benchmark_root") or ""
            prefix = f"{below}/" if below else ""
            with open_index(name, arguments.corpora / name / below, arguments.indexes) as indexer:
                paths = [one.path for one in indexer.store.files() if one.error is None]
                chunks = [
                    one for path in paths for one in indexer.store.file_chunks(path) if one.end_byte > one.start_byte
                ]
                bodies = indexer.store.chunk_texts(chunks)
            places = [
                {"path": prefix + one.path, "start_line": one.start_line, "end_line": one.end_line} for one in chunks
            ]
            titled = [f"{one.path} {one.qualified_name}\n{body}" for one, body in zip(chunks, bodies, strict=True)]
            # The first line of a text is its title to `static`: a text alone has an empty one.
            for text, texts in (("alone", [f"\n{body}" for body in bodies]), ("with title", titled)):
                started = time.process_time()
                vectors = embed(texts)
                seconds[text] += time.process_time() - started
                count[text] += len(texts)
                in_files = with_files(vectors, places)
                for (owner, query), item in annotated.items():
                    if owner == name:
                        asked = embed([query])[0]
                        targets = item.get("relevant", []) + item.get("secondary", [])
                        for in_file, by_file in COLUMNS:
                            similar = (in_files if in_file else vectors) @ asked
                            found = ranked(places, similar, by_file=by_file)
                            scores[text, in_file, by_file].append(rules.ndcg(found, targets))
        for text in count:
            figures = [f"{statistics.mean(scores[text, *column]):.4f}" for column in COLUMNS]
            print(f"| {spec} | {text} | {' | '.join(figures)} | {count[text] / seconds[text]:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
