"""Clean mined pairs, learn the vocabulary of word pieces, and write both as arrays for training.

A query may come three times at most. Pairs whose code shares a window of lines with a held-out repository are dropped (a
vendored copy, a fork). The vocabulary is byte-pair encoding (Sennrich et al. 2016) over words. The square root damps the
counts of the words, so that rare words of many repositories get pieces of their own.

usage: prepare.py PAIRS.jsonl.gz --out DATA.npz [--held-out DIR] [--pieces N]
"""

import argparse
import gzip
import json
import math
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from code_graph_indexer.embedders.static import MAX_WORD, Pieces
from code_graph_indexer.words import split_identifier, tokens

WINDOW = 4
"""Consecutive lines of code that no two projects write alike by chance."""

MIN_LINE = 12
"""Characters of a line that counts in a window."""

MAX_SAME_QUERY = 3

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"

Pair = dict[str, str]


def windows(text: str) -> Iterator[int]:
    """Hash every window of telling lines."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if len(line) >= MIN_LINE]
    for start in range(len(lines) - WINDOW + 1):
        yield zlib.crc32("\n".join(lines[start : start + WINDOW]).encode())


def held_out_windows(folder: Path) -> set[int]:
    """Hash the windows of every file below a folder."""
    hashes: set[int] = set()
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_size < 2_000_000:
            hashes.update(windows(path.read_text(encoding="utf-8", errors="replace")))
    return hashes


def clean_pairs(path: Path, held_out: set[int]) -> tuple[list[Pair], Counter[str]]:
    """Read the pairs to train on, and count why others were dropped."""
    repeats: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    pairs: list[Pair] = []
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            pair: Pair = json.loads(line)
            repeats[pair["query"].lower()] += 1
            if repeats[pair["query"].lower()] > MAX_SAME_QUERY:
                dropped["repeated"] += 1
            elif held_out and not held_out.isdisjoint(windows(pair["code"])):
                dropped[f"held out: {pair['repo']}"] += 1
            else:
                pairs.append(pair)
    return pairs, dropped


def learn_vocabulary(pairs: list[Pair], size: int) -> list[str]:
    """Learn the pieces."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        for part in (pair["query"], pair["path"], pair["code"]):
            for token in tokens(part):
                counts.update(split_identifier(token))
    usual = ((word, count) for word, count in counts.items() if count > 2 and word.isascii() and len(word) <= MAX_WORD)
    damped = (" ".join([word] * math.isqrt(count)) for word, count in usual)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=size, show_progress=False, initial_alphabet=list(ALPHABET), limit_alphabet=len(ALPHABET)
    )
    tokenizer.train_from_iterator(damped, trainer)
    return sorted(tokenizer.get_vocab())


def main() -> None:
    """Write the arrays: for each part of a pair, its piece ids on end, and where each pair's begin."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--held-out", type=Path, help="folder of repositories that must not be learnt from")
    parser.add_argument("--pieces", type=int, default=32_000)
    arguments = parser.parse_args()
    held_out = held_out_windows(arguments.held_out) if arguments.held_out else set()
    pairs, dropped = clean_pairs(arguments.pairs, held_out)
    for reason, count in dropped.most_common(20):
        print(f"dropped {count}: {reason}")
    vocabulary = learn_vocabulary(pairs, arguments.pieces)
    pieces = Pieces(vocabulary)
    arrays: dict[str, Any] = {}
    for part in ("query", "path", "name", "code"):
        flat, starts = array("H"), array("L", [0])
        for pair in pairs:
            flat.frombytes(pieces.ids(pair[part]))
            starts.append(len(flat))
        arrays[part] = np.frombuffer(flat, dtype=np.uint16)
        arrays[f"{part}_starts"] = np.array(starts, dtype=np.int64)
    repos = {name: number for number, name in enumerate(dict.fromkeys(pair["repo"] for pair in pairs))}
    kinds = ("doc", "name", "comment", "module", "commit")
    np.savez(
        arguments.out,
        vocabulary=np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8),
        repo=np.array([repos[pair["repo"]] for pair in pairs], dtype=np.int32),
        kind=np.array([kinds.index(pair["kind"]) for pair in pairs], dtype=np.int8),
        **arrays,
    )
    counts = Counter(pair["language"] for pair in pairs)
    print(f"{len(pairs)} pairs of {len(repos)} repositories, {len(vocabulary)} pieces; {dict(counts.most_common())}")


if __name__ == "__main__":
    main()
