"""Train the static embedding model from prepared pairs and write it, quantised, where the package finds it.

One table of vectors serves queries and code. A text is Σ tf^0.4 · vector over its distinct pieces, scaled to length 1; the
loss is symmetric InfoNCE with in-batch negatives (van den Oord et al. 2018), the temperature learnt. Pieces of a query and
of code are dropped at random, a definition's name is often taken out of its own code, and its path is added to most.

usage: train.py DATA.npz --out MODEL.npz [--steps N] [--batch N] [--validate N] [--seed N]
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

TF_POWER = 0.4
TITLE_WEIGHT = 3
"""How often the words of a path and a name count: the same as at run time."""

QUERY_DROPOUT, CODE_DROPOUT = 0.1, 0.2
NAME_AS_QUERY, NAME_MASKED, PATH_GIVEN = 0.15, 0.3, 0.7
LEARNING_RATE, TEMPERATURE = 1e-2, 0.05
DIMENSIONS = 256
LONGEST_CODE = 400
"""Pieces of code that are read."""

KIND_NAME = 1

Ints = NDArray[np.int64]


class Data:
    """The prepared pairs."""

    def __init__(self, path: Path) -> None:
        arrays = np.load(path)
        self.vocabulary = arrays["vocabulary"].tobytes().decode().split("\n")
        self.kind, self.repo = arrays["kind"], arrays["repo"]
        self.parts = {name: (arrays[name], arrays[f"{name}_starts"]) for name in ("query", "path", "name", "code")}

    def gather(self, part: str, which: Ints, longest: int = 10_000) -> tuple[Ints, Ints]:
        """Return the rows (positions in `which`) and the ids of a part of these pairs."""
        flat, starts = self.parts[part]
        begin = starts[which]
        length = np.minimum(starts[which + 1] - begin, longest)
        rows = np.repeat(np.arange(len(which)), length)
        offsets = np.arange(len(rows)) - np.repeat(np.cumsum(length) - length, length)
        return rows, flat[np.repeat(begin, length) + offsets].astype(np.int64)


def bags(rows: Ints, ids: Ints, times: NDArray[np.float64]) -> tuple[torch.Tensor, torch.Tensor, Ints]:
    """Merge equal pieces of a row; return ids, damped weights, and the row of each."""
    keys, inverse = np.unique(rows << 16 | ids, return_inverse=True)
    counts = np.bincount(inverse, times)
    return torch.from_numpy(keys & 0xFFFF), torch.from_numpy((counts**TF_POWER).astype(np.float32)), keys >> 16


class Batches:
    """Make training batches, with every random choice."""

    def __init__(self, data: Data, seed: int) -> None:
        self.data = data
        self.random = np.random.default_rng(seed)

    def query(self, which: Ints) -> tuple[torch.Tensor, torch.Tensor, Ints]:
        """Take the query of each pair, now and then the words of its name instead."""
        rows, ids = self.data.gather("query", which)
        name_rows, name_ids = self.data.gather("name", which)
        named = np.bincount(name_rows, minlength=len(which)) > 0
        swapped = (self.random.random(len(which)) < NAME_AS_QUERY) & named
        keep, keep_name = ~swapped[rows], swapped[name_rows]
        rows, ids = np.concatenate([rows[keep], name_rows[keep_name]]), np.concatenate([ids[keep], name_ids[keep_name]])
        kept = self.random.random(len(rows)) >= QUERY_DROPOUT
        return bags(rows[kept], ids[kept], np.ones(kept.sum()))

    def code(self, which: Ints) -> tuple[torch.Tensor, torch.Tensor, Ints]:
        """Take the code of each pair, with its path or without, its name masked or not."""
        rows, ids = self.data.gather("code", which, LONGEST_CODE)
        name_rows, name_ids = self.data.gather("name", which)
        path_rows, path_ids = self.data.gather("path", which)
        masked = self.random.random(len(which)) < np.where(self.data.kind[which] == KIND_NAME, 0.5, NAME_MASKED)
        hidden = np.isin(rows << 16 | ids, (name_rows << 16 | name_ids)[masked[name_rows]])
        kept = (self.random.random(len(rows)) >= CODE_DROPOUT) & ~hidden
        titled = self.random.random(len(which)) < PATH_GIVEN
        with_path, with_name = titled[path_rows], (titled & ~masked)[name_rows]
        parts = [(rows[kept], ids[kept], 1), (path_rows[with_path], path_ids[with_path], TITLE_WEIGHT)]
        parts.append((name_rows[with_name], name_ids[with_name], TITLE_WEIGHT))
        times = np.concatenate([np.full(len(one), weight, dtype=np.float64) for one, _, weight in parts])
        return bags(np.concatenate([one for one, _, _ in parts]), np.concatenate([two for _, two, _ in parts]), times)


class Table:
    """One vector a piece, and the temperature."""

    def __init__(self, pieces: int) -> None:
        self.bag = torch.nn.EmbeddingBag(pieces, DIMENSIONS, mode="sum", include_last_offset=True)
        torch.nn.init.normal_(self.bag.weight, std=0.1)
        self.log_scale = torch.nn.Parameter(torch.tensor(math.log(1 / TEMPERATURE)))
        self.parameters = [*self.bag.parameters(), self.log_scale]

    def embed(self, bag: tuple[torch.Tensor, torch.Tensor, Ints], count: int) -> torch.Tensor:
        """Embed the rows of a batch to unit length."""
        ids, weights, rows = bag
        offsets = torch.from_numpy(np.searchsorted(rows, np.arange(count + 1)))
        return torch.nn.functional.normalize(self.bag(ids, offsets, per_sample_weights=weights), dim=1)


def validate(model: Table, data: Data, which: Ints) -> float:
    """Return the mean reciprocal rank of each pair's code among all of its repository's held-back pairs, names hidden."""
    ranks: list[float] = []
    with torch.no_grad():
        for repo in np.unique(data.repo[which]):
            some = which[data.repo[which] == repo]
            rows, ids = data.gather("query", some)
            queries = model.embed(bags(rows, ids, np.ones(len(rows))), len(some))
            rows, ids = data.gather("code", some, LONGEST_CODE)
            codes = model.embed(bags(rows, ids, np.ones(len(rows))), len(some))
            scores = queries @ codes.T
            better = (scores > scores.diagonal()[:, None]).sum(dim=1)
            ranks += (1.0 / (better + 1.0)).tolist()
    return float(np.mean(ranks))


def quantise(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Turn rows into int8 with a scale each."""
    scales = np.maximum(np.abs(table).max(axis=1), 1e-8) / 127
    return np.rint(table / scales[:, None]).astype(np.int8), scales.astype(np.float16)


def main() -> None:
    """Train, validate and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=2_048)
    parser.add_argument(
        "--validate", type=int, default=12, help="repositories held back to validate on; 0 trains on all"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    data = Data(arguments.data)
    random = np.random.default_rng(arguments.seed)
    repos = random.permutation(data.repo.max() + 1)
    back = np.isin(data.repo, repos[: arguments.validate])
    held = np.flatnonzero(back & (data.kind == 0))
    train = np.flatnonzero(~back)
    model = Table(len(data.vocabulary))
    optimizer = torch.optim.Adam(model.parameters, lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, arguments.steps)
    batches = Batches(data, arguments.seed)
    order = random.permutation(train)
    place, started = 0, time.monotonic()
    for step in range(1, arguments.steps + 1):
        if place + arguments.batch > len(order):
            order, place = random.permutation(train), 0
        which = np.sort(order[place : place + arguments.batch])
        place += arguments.batch
        queries = model.embed(batches.query(which), len(which))
        codes = model.embed(batches.code(which), len(which))
        logits = queries @ codes.T * model.log_scale.exp().clamp(max=100)
        labels = torch.arange(len(which))
        cross = torch.nn.functional.cross_entropy
        loss = (cross(logits, labels) + cross(logits.T, labels)) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == arguments.steps:
            seconds, score = time.monotonic() - started, validate(model, data, held) if len(held) else float("nan")
            scale = model.log_scale.exp().item()
            print(
                f"step {step}: loss {loss.item():.3f}, scale {scale:.1f}, MRR {score:.4f}, {seconds:.0f} s", flush=True
            )
    table, scales = quantise(model.bag.weight.detach().numpy())
    pieces = np.frombuffer("\n".join(data.vocabulary).encode(), dtype=np.uint8)
    np.savez(arguments.out, table=table, scales=scales, pieces=pieces)


if __name__ == "__main__":
    main()
