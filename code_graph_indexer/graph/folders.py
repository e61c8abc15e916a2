"""Show a folder or the whole repository: its files and folders, and which depend on which."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_module
from code_graph_indexer.graph.fold import MAX_FOLDERS, REST, Fold, file_fold, nodes_of, unfold
from code_graph_indexer.graph.layers import layered, without_implied
from code_graph_indexer.graph.neighbourhood import MAX_SIDE
from code_graph_indexer.graph.sides import CALLEES, CALLERS
from code_graph_indexer.picture.graph import GraphEdge, GraphExport
from code_graph_indexer.results import PROVEN, SourceType
from code_graph_indexer.storage import LinkRow, Store

# Late, because most questions to the graph do without NumPy.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage import arrays
    from code_graph_indexer.storage.arrays import GraphArrays
else:
    np = late_module("numpy")
    arrays = late_module("code_graph_indexer.storage.arrays")

FILE_USES = ("calls", "imports", "inherits", "references")
"""Kinds of edges by which a file depends on another."""

MAX_LONERS = 3
"""Largest number of boxes without an edge. More are folded into a box of their own."""

MAX_FILES = 24
"""Largest number of boxes of a folder before you open a fold. Folders depend on each other in many ways."""


LINK = [("source", "i4"), ("target", "i4"), ("weight", "i8"), ("confidence", "f8"), ("line", "i4")]
"""A row of `Dependencies.links`: all references from a file to another file. The files are positions among the paths."""


@dataclass(frozen=True, slots=True, eq=False)
class Dependencies:
    """How the files of an index depend on each other.

    * `paths`: the paths of the code files, those with most links first.
    * `files`: all paths in order. Elsewhere, a file is a position in this list.
    * `code`: which files are code, and `tests`: which hold tests and have a link.
    * `links`: rows of LINK in order of source and target, and `by_target` their places in order of target and source.
    * `folders`: the position of the folder around each file among `folder_paths`.
    * `root`: the code files as a fold of folders.
    """

    paths: Sequence[str]
    files: Sequence[str]
    code: NDArray[np.bool_]
    tests: NDArray[np.bool_]
    links: NDArray[np.void]
    by_target: NDArray[np.int64]
    folders: NDArray[np.int64]
    folder_paths: Sequence[str]
    root: Fold

    def test_paths(self) -> list[str]:
        """List the paths of the files with tests that have a link, in order."""
        return [self.files[place] for place in np.flatnonzero(self.tests).tolist()]

    def below(self, folder: str) -> tuple[int, int]:
        """Return the first position of a file below a folder, and the position behind the last."""
        # Behind a slash comes a zero.
        return bisect_left(self.files, f"{folder}/"), bisect_left(self.files, f"{folder}0")

    def between(self, groups: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Yield how often the code of a group of files refers to another group: both groups and a number, in order of links.

        `groups` has the number of the group of each file, or -1 without one. References of tests and guesses do not count.
        """
        group = np.array(groups, np.int64)
        sources, targets = group[self.links["source"]], group[self.links["target"]]
        counted = (sources >= 0) & (targets >= 0) & (sources != targets) & self.sure(self.links)
        counted &= self.code[self.links["source"]] & self.code[self.links["target"]]
        pairs = sources[counted] * (len(groups) + 1) + targets[counted]
        for pair, weight in _sums(pairs, self.links["weight"][counted]):
            yield *divmod(pair, len(groups) + 1), weight

    def sure(self, links: NDArray[np.void]) -> NDArray[np.bool_]:
        """Say of each link whether it counts as what a file needs: it is proven, and its source holds no tests."""
        return np.asarray(_proven(links) & ~self.tests[links["source"]])

    def unused_files(self, *, alone: bool = False) -> list[str]:
        """List the code files that refer to others, and to which only tests refer, those with most references first.

        With `alone`, files that refer to no other are among them.
        """
        sources, targets = self.links["source"], self.links["target"]
        used = np.zeros(len(self.files), np.bool_)
        used[targets[~self.tests[sources]]] = True
        degree = np.bincount(sources, minlength=len(self.files))
        unused = np.flatnonzero(((degree > 0) | alone) & ~used & self.code)
        return [self.files[place] for place in unused[np.argsort(-degree[unused], kind="stable")].tolist()]

    def reach(self, path: str) -> int:
        """Count the files to which a file refers, through any number of others, with the file itself."""
        place = bisect_left(self.files, path)
        reached = np.zeros(len(self.files), np.bool_)
        layer = np.array([place])
        reached[layer] = True
        sources, targets = self.links["source"], self.links["target"]
        while len(layer):
            first, last = np.searchsorted(sources, layer), np.searchsorted(sources, layer, "right")
            ends = [targets[start:end] for start, end in zip(first.tolist(), last.tolist(), strict=True)]
            # To mark files costs less than to sort them.
            met = np.zeros(len(self.files), np.bool_)
            met[np.concatenate(ends)] = True
            layer = np.flatnonzero(met & ~reached)
            reached |= met
        return int(np.count_nonzero(reached))


def _proven(links: NDArray[np.void]) -> NDArray[np.bool_]:
    """Say of each link whether a reference of it is proven. What a file needs is said of no guess."""
    return np.asarray(links["confidence"] >= PROVEN)


def _sums(keys: NDArray[np.int64], weights: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the sum of the weights of each key, the first key first."""
    distinct, first, places = np.unique(keys, return_index=True, return_inverse=True)
    sums = np.bincount(places, weights, len(distinct)).astype(np.int64)
    order = np.argsort(first)
    return list(zip(distinct[order].tolist(), sums[order].tolist(), strict=True))


def dependencies(store: Store) -> Dependencies:
    """Read how files depend on each other: from the graph in memory, if it is loaded, or else from all edges of the store."""
    rows = [file for file in store.files() if file.error is None and file.source_type == SourceType.CODE]
    graph = store.graph_arrays()
    if graph is not None:
        files, (links, tests) = graph.paths, _links_in(graph)
    else:
        stored = store.links(FILE_USES)
        files = tuple(sorted({file.path for file in rows}.union(path for link in stored for path in link[:2])))
        places = {path: place for place, path in enumerate(files)}
        links = np.array([(places[link.source], places[link.target], *link[2:5]) for link in stored], LINK)
        tests = np.zeros(len(files), np.bool_)
        tests[[places[path] for path in _tests(stored)]] = True
    degree = np.bincount(np.concatenate([links["source"], links["target"]]), minlength=len(files)).tolist()
    degrees = dict(zip(files, degree, strict=True))
    paths = sorted((file.path for file in rows), key=lambda path: -degrees.get(path, 0))
    root = Fold("", "", "folder", "")
    is_test = {files[place] for place in np.flatnonzero(tests).tolist()}
    # What has most dependencies is shown first where there is no room for all.
    for path in paths:
        file_fold(root, path).test = path in is_test
    is_code = frozenset(paths)
    code = np.array([path in is_code for path in files], np.bool_)
    around = [path.rpartition("/")[0] for path in files]
    names = {name: place for place, name in enumerate(dict.fromkeys(around))}
    folders = np.array([names[name] for name in around], np.int64)
    by_target = np.argsort(links["target"], kind="stable")
    return Dependencies(paths, files, code, tests, links, by_target, folders, tuple(names), root)


def _links_in(graph: GraphArrays) -> tuple[NDArray[np.void], NDArray[np.bool_]]:
    """Return the links between the files of a graph in memory, in order, and which files with a link hold tests."""
    edges, count = graph.edges, len(graph.paths)
    file = graph.nodes["file"].astype(np.int64)
    sources, targets = file[edges["source"]], np.repeat(file, np.diff(graph.first))
    followed = np.isin(edges["kind"], [arrays.EDGE_KINDS.index(kind) for kind in FILE_USES]) & (sources != targets)
    edges, pairs = edges[followed], (sources * count + targets)[followed]
    order = np.argsort(pairs, kind="stable")
    edges, pairs = edges[order], pairs[order]
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    links = np.zeros(len(first), LINK)
    if len(first):
        links["source"], links["target"] = np.divmod(pairs[first], count)
        links["weight"] = np.diff(first, append=len(pairs))
        confidence = np.maximum.reduceat(edges["confidence"], first).astype(np.float64)
        links["confidence"] = np.round(confidence, arrays.DIGITS)
        links["line"] = np.minimum.reduceat(edges["line"], first)
    tests = np.zeros(count, np.bool_)
    tests[file[graph.tests]] = True
    linked = np.zeros(count, np.bool_)
    linked[links["source"]] = linked[links["target"]] = True
    return links, tests & linked


def folder_graph(files: Dependencies, folder: str, opened: Collection[str]) -> GraphExport:
    """Return the graph of the code files below a folder. An empty folder is the whole repository."""
    prefix = f"{folder}/" if folder else ""
    shown = unfold(_fold_at(files.root, folder), MAX_FILES, opened, largest=True)
    links = files.links[files.code[files.links["source"]] & files.code[files.links["target"]]]
    edges = _edges(replace(files, links=links), shown, shown)
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    shown = _without_loners(shown, ends, opened)
    boxes = [replace(node, label=node.label.removeprefix(prefix)) for node in nodes_of(shown, "", 0)[0]]
    nodes, marked = layered(boxes, edges)
    direct = without_implied(nodes, marked)
    return GraphExport(nodes, direct, implied=len(marked) - len(direct), title=folder or "The whole repository")


def _fold_at(root: Fold, folder: str) -> Fold:
    """Return the fold of a folder, which has no parts without code files below it."""
    prefix = f"{folder}/" if folder else ""
    fold: Fold | None = root
    for end in [at for at, letter in enumerate(prefix) if letter == "/"][:MAX_FOLDERS]:
        fold = fold.parts.get(prefix[: end + 1]) if fold is not None else None
    if fold is None:
        return Fold("", "", "folder", "")
    inside = Fold(fold.id, fold.label, fold.kind, fold.path)
    inside.parts.update((key, part) for key, part in fold.parts.items() if part.path.startswith(prefix))
    return inside


def _without_loners(folds: Sequence[Fold], ends: Collection[str], opened: Collection[str]) -> list[Fold]:
    """Fold what has no edge, as its id is not in `ends`, into one rest, if it is more than MAX_LONERS and not opened."""
    loners = [fold for fold in folds if fold.id not in ends]
    if len(loners) <= MAX_LONERS or REST in opened:
        return list(folds)
    rest = Fold(REST, "without dependencies", "rest", "")
    rest.parts.update((fold.id, fold) for fold in loners)
    return [*(fold for fold in folds if fold.id in ends), rest]


def folders_graph(files: Dependencies, source: str, target: str, opened: Collection[str]) -> GraphExport:
    """Return the graph of the files of a folder that depend on files of another folder, and of these."""
    first, last = np.searchsorted(files.links["source"], files.below(source))
    start, end = files.below(target)
    below = files.links[first:last]
    links = below[(below["target"] >= start) & (below["target"] < end)]
    left, right = Fold(CALLERS, "", "folder", ""), Fold(CALLEES, "", "folder", "")
    for place, beyond in zip(links["source"].tolist(), links["target"].tolist(), strict=True):
        file_fold(left, files.files[place]).test = bool(files.tests[place])
        file_fold(right, files.files[beyond]).test = bool(files.tests[beyond])
    shown = [unfold(fold, MAX_SIDE, opened) for fold in (left, right)]
    nodes = [
        node for side, layer, folds in zip("<>", (0, 1), shown, strict=True) for node in nodes_of(folds, side, layer)[0]
    ]
    edges = _edges(replace(files, links=links), *shown)
    headings = (f"{source}/ depends", f"on {target}/") if len(links) else ()
    return GraphExport(tuple(nodes), tuple(edges), title=f"{source}/ to {target}/", layers=headings)


def _tests(links: Iterable[LinkRow]) -> set[str]:
    tests: set[str] = set()
    for link in links:
        tests.update(path for path, is_test in ((link.source, link.from_test), (link.target, link.to_test)) if is_test)
    return tests


def _edges(files: Dependencies, sources: Sequence[Fold], targets: Sequence[Fold]) -> list[GraphEdge]:
    """Return one edge for all links from a box to another box. The heaviest link names its place.

    Only sure links count, as everywhere, unless there is none: then those of tests, or else guesses.
    """
    links, count = files.links, len(targets) + 1
    source, target = _places(files, sources)[links["source"]], _places(files, targets)[links["target"]]
    counted = np.flatnonzero((source >= 0) & (target >= 0) & ((source != target) | (sources is not targets)))
    pairs = source[counted] * count + target[counted]
    order = np.argsort(pairs, kind="stable")
    pairs, counted = pairs[order], counted[order]
    bounds = np.flatnonzero(np.diff(pairs, prepend=-1, append=-1)).tolist()
    rows = [counted[first:last] for first, last in pairwise(bounds)]
    edges: list[GraphEdge] = []
    # The edges are in order of their first links.
    for places in sorted(rows, key=lambda places: int(places[0])):
        between = links[places]
        sure, proven = files.sure(between), _proven(between)
        between = between[sure if sure.any() else proven if proven.any() else ~proven]
        heaviest = between[np.argmax(between["weight"])]
        weight, confidence = int(between["weight"].sum()), float(between["confidence"].max())
        ends = sources[source[places[0]]].id, targets[target[places[0]]].id
        sureness = "proven" if confidence >= PROVEN else "guessed"
        path, line = files.files[heaviest["source"]], int(heaviest["line"])
        edges.append(GraphEdge(*ends, "refers", weight, confidence, path, line, sureness))
    return edges


def _places(files: Dependencies, shown: Sequence[Fold]) -> NDArray[np.int64]:
    """Return for each file the position of the fold that shows it, or -1."""
    places = np.full(len(files.files), -1, np.int64)
    for place, fold in enumerate(shown):
        waiting = [fold]
        while waiting:
            part = waiting.pop()
            if part.kind == "rest":
                waiting += part.parts.values()
            elif part.kind == "folder":
                first, last = files.below(part.path[:-1])
                places[first:last] = place
            else:
                places[bisect_left(files.files, part.path)] = place
    return places


@dataclass(frozen=True, slots=True)
class FolderNeeds:
    """What a folder needs and who needs it: paths of folders, each with the number of references, and its test files."""

    needs: Sequence[tuple[str, int]]
    needed_by: Sequence[tuple[str, int]]
    tests: Sequence[tuple[str, int]]


def folder_needs(files: Dependencies, folder: str) -> FolderNeeds:
    """Count the references from and to a folder, by the folder at the other end. References of tests count as tests alone.

    Guesses do not count.
    """
    first, last = files.below(folder)
    rows = files.links[slice(*np.searchsorted(files.links["source"], (first, last)))]
    outside = files.sure(rows) & ((rows["target"] < first) | (rows["target"] >= last))
    needs = _most_common(files.folders[rows["target"][outside]], rows["weight"][outside], files.folder_paths)
    targets = files.links["target"][files.by_target]
    rows = files.links[files.by_target[slice(*np.searchsorted(targets, (first, last)))]]
    rows = rows[_proven(rows)]
    is_test = files.tests[rows["source"]]
    outside = ~is_test & ((rows["source"] < first) | (rows["source"] >= last))
    needed_by = _most_common(files.folders[rows["source"][outside]], rows["weight"][outside], files.folder_paths)
    return FolderNeeds(needs, needed_by, _most_common(rows["source"][is_test], rows["weight"][is_test], files.files))


def _most_common(places: NDArray[np.int64], weights: NDArray[np.int64], paths: Sequence[str]) -> list[tuple[str, int]]:
    """Return the paths at these places with the sums of their weights, the largest sum first."""
    return sorted(((paths[place], weight) for place, weight in _sums(places, weights)), key=lambda pair: -pair[1])
