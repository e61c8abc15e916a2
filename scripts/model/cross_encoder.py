"""Train a small cross-encoder on mined pairs, to measure what reading query and code together is worth.

BASE is a folder with a BERT-like encoder (config.json, tokenizer.json, weights). PAIRS is what mine.py writes. The encoder
reads each query with its own code, and with code of the same repository that the product's embedder finds most alike. The
loss is the cross-entropy of the right code. The script writes an ONNX export that `cross_encoder` takes as a folder. It
needs torch, transformers and onnxscript.

usage: cross_encoder.py PAIRS.jsonl.gz --base DIR --out DIR [--steps N] [--seed N]
"""

import argparse
import gzip
import json
import random
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from code_graph_indexer.embedders import create_embedder

KINDS = frozenset({"doc", "comment", "commit"})
"""Pairs whose query a person wrote."""

ALIKE, WRONG = 30, 3
"""Most alike texts of which wrong ones are drawn, and how many of them a query is read with."""

TOKENS, BATCH, RATE = 128, 12, 5e-5
"""Tokens read of a pair, queries a step, the highest learning rate."""

PER_REPOSITORY = 1_500
"""Queries of one repository."""


class Example(NamedTuple):
    """A query, the text that answers it, and others that do not."""

    query: str
    texts: tuple[str, ...]


def examples(pairs: Path, seed: int) -> list[Example]:
    """Read the pairs and give each query wrong texts of its repository."""
    by_repository: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with gzip.open(pairs, "rt", encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            if pair["kind"] in KINDS:
                text = f"{pair['path']} {pair['name']}\n{pair['code']}"
                by_repository[pair["repo"]].append((pair["query"], text))
    draw = random.Random(seed)
    embedder = create_embedder("static")
    drawn: list[Example] = []
    for repository in sorted(by_repository):
        candidates = by_repository[repository]
        candidates = draw.sample(candidates, min(PER_REPOSITORY, len(candidates)))
        queries = embedder.embed_batch([query for query, _ in candidates])
        texts = embedder.embed_batch([text for _, text in candidates])
        alike = np.argsort(-(queries @ texts.T), axis=1)[:, :ALIKE]
        for place, (query, text) in enumerate(candidates):
            similar = [candidates[index] for index in alike[place].tolist() if index != place]
            wrong = [code for question, code in similar if question != query]
            if len(wrong) >= WRONG:
                drawn.append(Example(query, (text, *draw.sample(wrong, WRONG))))
    draw.shuffle(drawn)
    return drawn


def batches(drawn: Sequence[Example]) -> Iterator[Sequence[Example]]:
    """Yield the examples in steps, again and again."""
    while True:
        for start in range(0, len(drawn) - BATCH + 1, BATCH):
            yield drawn[start : start + BATCH]


def main() -> None:
    """Train for so many steps, and export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=1_200, help="one and a half seconds each on two cores [1200]")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    drawn = examples(arguments.pairs, arguments.seed)
    held_out, drawn = drawn[:400], drawn[400:]
    print(f"{len(drawn)} queries", flush=True)
    tokenizer = AutoTokenizer.from_pretrained(arguments.base)
    model = AutoModelForSequenceClassification.from_pretrained(arguments.base, num_labels=1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)

    def logits(examples: Sequence[Example]) -> torch.Tensor:
        pairs = [(example.query, text) for example in examples for text in example.texts]
        encoded = tokenizer(pairs, truncation="longest_first", max_length=TOKENS, padding=True, return_tensors="pt")
        # Half the bits, twice the speed, where the processor has instructions for them.
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = model(**encoded).logits
        return scores.float().view(len(examples), WRONG + 1)

    def accuracy() -> float:
        model.eval()
        with torch.no_grad():
            right = sum(
                int((logits(held_out[at : at + BATCH]).argmax(dim=1) == 0).sum())
                for at in range(0, len(held_out), BATCH)
            )
        model.train()
        return right / len(held_out)

    model.train()
    for step, batch in enumerate(islice(batches(drawn), arguments.steps)):
        # Up in the first tenth of the steps, then down to nothing.
        progress = (step + 1) / (arguments.steps + 1)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(progress / 0.1, (1 - progress) / 0.9)
        loss = torch.nn.functional.cross_entropy(logits(batch), torch.zeros(len(batch), dtype=torch.long))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)
    print(f"the right one of {WRONG + 1}: {accuracy():.3f} of {len(held_out)} held out", flush=True)

    model.eval()
    arguments.out.mkdir(parents=True, exist_ok=True)
    encoded = tokenizer([("query", "text")], return_tensors="pt")
    axes = {name: {0: "batch", 1: "tokens"} for name in encoded}
    model.config.return_dict = False
    torch.onnx.export(
        model,
        tuple(encoded.values()),
        str(arguments.out / "model.onnx"),
        input_names=list(encoded),
        output_names=["logits"],
        dynamic_axes={**axes, "logits": {0: "batch"}},
        dynamo=False,
    )
    model.config.save_pretrained(arguments.out)
    tokenizer.save_pretrained(arguments.out)
    for name in ("tokenizer.json", "special_tokens_map.json", "vocab.txt"):
        if (arguments.base / name).exists():
            shutil.copy(arguments.base / name, arguments.out / name)


if __name__ == "__main__":
    main()
