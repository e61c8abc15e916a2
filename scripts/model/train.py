"""Train the static embedding model from prepared pairs and write it, quantised, where the package finds it.

The model consists of members, which differ by their seeds and by how much they damp counts. What a member learns by chance
the rest do not. Each member is one table of vectors for queries and code. A text is Σ tf^power · vector over its distinct
pieces, scaled to length 1. The loss is symmetric InfoNCE with in-batch negatives (van den Oord et al. 2018). Labels are
smoothed, and the temperature is learnt. Training drops pieces of a query and of code at random. It often takes a
definition's name out of its own code, and adds its path to most. Then the members' vectors of a piece are concatenated and
projected to their principal axes. An earlier model, of other data and pieces, may count as EARLIER_WEIGHT members more. Its
vectors of a piece are summed.

The script keeps finished members in a folder. If a run is interrupted, the next one goes on from there.

usage: train.py DATA.npz --out MODEL.npz [--earlier MODEL.npz] [--keep DIR] [--members N] [--steps N] [--batch N]
                [--processes N] [--validate N]
"""

import argparse
import functools
import math
import multiprocessing
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from code_graph_indexer.embedders.static import Pieces

TF_POWERS = (0.4, 0.5, 0.6)
"""Damping of counts, of the members in turn."""

TITLE_WEIGHT = 4
"""How often the words of a path and a name count."""

QUERY_DROPOUT, CODE_DROPOUT = 0.1, 0.2
NAME_AS_QUERY, NAME_MASKED, PATH_GIVEN = 0.15, 0.3, 0.7
LEARNING_RATE, TEMPERATURE, SMOOTHING = 1e-2, 0.05, 0.1
MEMBER_DIMENSIONS, DIMENSIONS = 384, 256
"""Dimensions of a member, and of the model."""

WHITENING = 0.1
"""Power by which the strongest axes are made weaker: they say what all code has in common."""

EARLIER_WEIGHT = 4
"""Members that an earlier model counts for."""

LONGEST_CODE = 400
"""Pieces of code that are read."""

KIND_NAME = 1

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


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


def bags(rows: Ints, ids: Ints, times: NDArray[np.float64], tf_power: float) -> tuple[torch.Tensor, torch.Tensor, Ints]:
    """Merge equal pieces of a row. Return ids, damped weights, and the row of each piece."""
    keys, inverse = np.unique(rows << 16 | ids, return_inverse=True)
    counts = np.bincount(inverse, times)
    return torch.from_numpy(keys & 0xFFFF), torch.from_numpy((counts**tf_power).astype(np.float32)), keys >> 16


class Batches:
    """Make training batches, with every random choice."""

    def __init__(self, data: Data, seed: int, tf_power: float) -> None:
        self.data = data
        self.random = np.random.default_rng(seed)
        self.tf_power = tf_power

    def query(self, which: Ints) -> tuple[torch.Tensor, torch.Tensor, Ints]:
        """Take the query of each pair, now and then the words of its name instead."""
        rows, ids = self.data.gather("query", which)
        name_rows, name_ids = self.data.gather("name", which)
        has_name = np.bincount(name_rows, minlength=len(which)) > 0
        swapped = (self.random.random(len(which)) < NAME_AS_QUERY) & has_name
        keep, keep_name = ~swapped[rows], swapped[name_rows]
        rows, ids = np.concatenate([rows[keep], name_rows[keep_name]]), np.concatenate([ids[keep], name_ids[keep_name]])
        keep_piece = self.random.random(len(rows)) >= QUERY_DROPOUT
        return bags(rows[keep_piece], ids[keep_piece], np.ones(keep_piece.sum()), self.tf_power)

    def code(self, which: Ints) -> tuple[torch.Tensor, torch.Tensor, Ints]:
        """Take the code of each pair, with its path or without, its name masked or not."""
        rows, ids = self.data.gather("code", which, LONGEST_CODE)
        name_rows, name_ids = self.data.gather("name", which)
        path_rows, path_ids = self.data.gather("path", which)
        masked = self.random.random(len(which)) < np.where(self.data.kind[which] == KIND_NAME, 0.5, NAME_MASKED)
        hidden = np.isin(rows << 16 | ids, (name_rows << 16 | name_ids)[masked[name_rows]])
        keep_piece = (self.random.random(len(rows)) >= CODE_DROPOUT) & ~hidden
        titled = self.random.random(len(which)) < PATH_GIVEN
        with_path, with_name = titled[path_rows], (titled & ~masked)[name_rows]
        parts = [(rows[keep_piece], ids[keep_piece], 1), (path_rows[with_path], path_ids[with_path], TITLE_WEIGHT)]
        parts.append((name_rows[with_name], name_ids[with_name], TITLE_WEIGHT))
        times = np.concatenate([np.full(len(part_rows), weight, dtype=np.float64) for part_rows, _, weight in parts])
        rows = np.concatenate([part_rows for part_rows, _, _ in parts])
        ids = np.concatenate([two for _, two, _ in parts])
        return bags(rows, ids, times, self.tf_power)


class Table:
    """One vector a piece, and the temperature."""

    def __init__(self, pieces: int, dimensions: int) -> None:
        self.bag = torch.nn.EmbeddingBag(pieces, dimensions, mode="sum", include_last_offset=True)
        torch.nn.init.normal_(self.bag.weight, std=0.1)
        self.log_scale = torch.nn.Parameter(torch.tensor(math.log(1 / TEMPERATURE)))
        self.parameters = [*self.bag.parameters(), self.log_scale]

    def embed(self, bag: tuple[torch.Tensor, torch.Tensor, Ints], count: int) -> torch.Tensor:
        """Embed the rows of a batch to unit length."""
        ids, weights, rows = bag
        offsets = torch.from_numpy(np.searchsorted(rows, np.arange(count + 1)))
        return torch.nn.functional.normalize(self.bag(ids, offsets, per_sample_weights=weights), dim=1)


def train_member(seed: int, path: Path, repos_back: Ints, steps: int, batch: int, keep: Path) -> Floats:
    """Return the table (pieces x MEMBER_DIMENSIONS) of a member, from the folder or newly trained."""
    member_file = keep / f"{seed}.npy"
    if member_file.exists():
        table: Floats = np.load(member_file)
        return table
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    data = Data(path)
    random = np.random.default_rng(seed)
    train = np.flatnonzero(~np.isin(data.repo, repos_back))
    model = Table(len(data.vocabulary), MEMBER_DIMENSIONS)
    optimizer = torch.optim.Adam(model.parameters, lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    batches = Batches(data, seed, TF_POWERS[seed % len(TF_POWERS)])
    cross = functools.partial(torch.nn.functional.cross_entropy, label_smoothing=SMOOTHING)
    order = random.permutation(train)
    place, started = 0, time.monotonic()
    for step in range(1, steps + 1):
        if place + batch > len(order):
            order, place = random.permutation(train), 0
        which = np.sort(order[place : place + batch])
        place += batch
        queries = model.embed(batches.query(which), len(which))
        codes = model.embed(batches.code(which), len(which))
        logits = queries @ codes.T * model.log_scale.exp().clamp(max=100)
        labels = torch.arange(len(which))
        loss = (cross(logits, labels) + cross(logits.T, labels)) / 2
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        schedule.step()
        if step % 100 == 0 or step == steps:
            seconds, scale = time.monotonic() - started, model.log_scale.exp().item()
            print(f"member {seed}, step {step}: loss {loss.item():.3f}, scale {scale:.1f}, {seconds:.0f} s", flush=True)
    table = model.bag.weight.detach().numpy()
    np.save(member_file.with_suffix(".part.npy"), table)
    member_file.with_suffix(".part.npy").replace(member_file)
    return table


def earlier_member(path: Path, vocabulary: list[str]) -> Floats:
    """Give each piece of a vocabulary what an earlier model makes of it (pieces x its dimensions)."""
    arrays = np.load(path)
    table = arrays["table"].astype(np.float32) * arrays["scales"].astype(np.float32)[:, None]
    splitter = Pieces(arrays["pieces"].tobytes().decode().split("\n"))
    ids = [np.frombuffer(splitter.ids(piece), dtype=splitter.packing) for piece in vocabulary]
    return np.stack([table[piece_ids].sum(axis=0) for piece_ids in ids])


def project(members: list[Floats], counts: NDArray[np.float64]) -> Floats:
    """Project the members' vectors to their common principal axes, pieces weighted by the root of their counts.

    The angle of two texts in all members together is the mean over the members. The strongest axes hold most of it.
    """
    weights = np.sqrt(counts + 1)[:, None]
    sizes = [np.sqrt((weights * member**2).sum() / weights.sum()) for member in members]
    together = np.concatenate([member / size for member, size in zip(members, sizes, strict=True)], axis=1)
    strengths, axes = np.linalg.eigh((together * weights).T @ together)
    strengths, axes = strengths[::-1][:DIMENSIONS], axes[:, ::-1][:, :DIMENSIONS]
    projected: Floats = (together @ axes * (strengths / strengths[0]) ** -WHITENING).astype(np.float32)
    return projected


def validate(table: Floats, data: Data, which: Ints) -> float:
    """Return the mean reciprocal rank of each pair's code among all of its repository's held-back pairs, names hidden."""
    model = Table(len(table), table.shape[1])
    model.bag.weight.data = torch.from_numpy(table)
    ranks: list[float] = []
    with torch.no_grad():
        for repo in np.unique(data.repo[which]):
            pairs = which[data.repo[which] == repo]
            rows, ids = data.gather("query", pairs)
            queries = model.embed(bags(rows, ids, np.ones(len(rows)), TF_POWERS[0]), len(pairs))
            rows, ids = data.gather("code", pairs, LONGEST_CODE)
            codes = model.embed(bags(rows, ids, np.ones(len(rows)), TF_POWERS[0]), len(pairs))
            scores = queries @ codes.T
            better = (scores > scores.diagonal()[:, None]).sum(dim=1)
            ranks += (1.0 / (better + 1.0)).tolist()
    return float(np.mean(ranks))


def quantise(table: Floats) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Turn rows into int8 with a scale each."""
    scales = np.maximum(np.abs(table).max(axis=1), 1e-8) / 127
    return np.rint(table / scales[:, None]).astype(np.int8), scales.astype(np.float16)


def main() -> None:
    """Train the members, project, validate and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--earlier", type=Path, help="an earlier model that takes part")
    parser.add_argument(
        "--keep", type=Path, help="folder of the members [OUT.members]; for each data and recipe its own"
    )
    parser.add_argument("--members", type=int, default=8)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--batch", type=int, default=2_048)
    parser.add_argument("--processes", type=int, default=2, help="members trained at the same time, a core each [2]")
    parser.add_argument("--validate", type=int, default=0, help="repositories held back to validate on [0]")
    arguments = parser.parse_args()
    data = Data(arguments.data)
    repos_back = np.random.default_rng(1).permutation(data.repo.max() + 1)[: arguments.validate]
    keep = arguments.keep or arguments.out.with_suffix(".members")
    keep.mkdir(parents=True, exist_ok=True)
    train = functools.partial(
        train_member,
        path=arguments.data,
        repos_back=repos_back,
        steps=arguments.steps,
        batch=arguments.batch,
        keep=keep,
    )
    with multiprocessing.get_context("spawn").Pool(arguments.processes) as pool:
        members = pool.map(train, range(1, arguments.members + 1), chunksize=1)
    if arguments.earlier:
        members = [earlier_member(arguments.earlier, data.vocabulary)] * EARLIER_WEIGHT + members
    counts = np.bincount(data.parts["code"][0], minlength=len(data.vocabulary)).astype(np.float64)
    model = project(members, counts)
    validation = np.flatnonzero(np.isin(data.repo, repos_back) & (data.kind == 0))
    if len(validation):
        alone, together = validate(members[-1], data, validation), validate(model, data, validation)
        print(f"MRR on {len(validation)} pairs held back: {alone:.4f} by the last member, {together:.4f} by the model")
    table, scales = quantise(model)
    pieces = np.frombuffer("\n".join(data.vocabulary).encode(), dtype=np.uint8)
    np.savez(arguments.out, table=table, scales=scales, pieces=pieces)


if __name__ == "__main__":
    main()
