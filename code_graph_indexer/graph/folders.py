"""Show a folder or the whole repository: its files and folders, and which depend on which."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from code_graph_indexer.graph.fold import REST, Fold, file_fold, nodes_of, places_of, unfold
from code_graph_indexer.graph.layers import layered, without_implied
from code_graph_indexer.graph.neighbourhood import CALLEES, CALLERS, MAX_SIDE
from code_graph_indexer.picture.graph import GraphEdge, GraphExport
from code_graph_indexer.results import PROVEN, SourceType
from code_graph_indexer.storage import LinkRow, Store

FILE_USES = ("calls", "imports", "inherits", "references")
"""Kinds of edges by which a file depends on another."""

MAX_LONERS = 3
"""Largest number of boxes without an edge. More are folded into a box of their own."""

MAX_FILES = 24
"""Largest number of boxes of a folder before you open a fold. Folders depend on each other in many ways."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """How the code files of an index depend on each other: their paths, those with most links first, and tests among them.

    `links` are in order of their source, and `by_target` are the same in order of their target.
    """

    links: Sequence[LinkRow]
    by_target: Sequence[LinkRow]
    paths: Sequence[str]
    tests: Collection[str]


def dependencies(store: Store) -> Dependencies:
    """Read how files depend on each other. This reads all edges."""
    links = store.links(FILE_USES)
    degree = Counter(path for link in links for path in link[:2])
    files = (file.path for file in store.files() if file.error is None and file.source_type == SourceType.CODE)
    by_target = sorted(links, key=lambda link: link.target)
    return Dependencies(links, by_target, sorted(files, key=lambda path: -degree[path]), _tests(links))


def folder_graph(files: Dependencies, folder: str, opened: Collection[str]) -> GraphExport:
    """Return the graph of the code files below a folder. An empty folder is the whole repository."""
    prefix = f"{folder}/" if folder else ""
    root = Fold("", "", "folder", "")
    # What has most dependencies is shown first where there is no room for all.
    for path in files.paths:
        if path.startswith(prefix):
            file_fold(root, path).test = path in files.tests
    shown = unfold(root, MAX_FILES, opened, largest=True)
    place = places_of(shown)
    edges = _edges((place.get(link.source), place.get(link.target), link) for link in files.links)
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    shown = _without_loners(shown, ends, opened)
    boxes = [replace(node, label=node.label.removeprefix(prefix)) for node in nodes_of(shown, "", 0)[0]]
    nodes, marked = layered(boxes, edges)
    direct = without_implied(nodes, marked)
    return GraphExport(nodes, direct, implied=len(marked) - len(direct), title=folder or "the whole repository")


def _without_loners(folds: Sequence[Fold], ends: Collection[str], opened: Collection[str]) -> list[Fold]:
    """Fold what has no edge, as its id is not in `ends`, into one rest, if it is more than MAX_LONERS and not opened."""
    loners = [fold for fold in folds if fold.id not in ends]
    if len(loners) <= MAX_LONERS or REST in opened:
        return list(folds)
    rest = Fold(REST, "without dependencies", "rest", "", parts={fold.id: fold for fold in loners})
    return [*(fold for fold in folds if fold.id in ends), rest]


def folders_graph(links: Sequence[LinkRow], source: str, target: str, opened: Collection[str]) -> GraphExport:
    """Return the graph of the files of a folder that depend on files of another folder, and of these."""
    between = [link for link in links if link.source.startswith(f"{source}/") and link.target.startswith(f"{target}/")]
    left, right = Fold(CALLERS, "", "folder", ""), Fold(CALLEES, "", "folder", "")
    for link in between:
        file_fold(left, link.source).test = link.from_test
        file_fold(right, link.target).test = link.to_test
    shown = [unfold(fold, MAX_SIDE, opened) for fold in (left, right)]
    nodes = [
        node for side, layer, folds in zip("<>", (0, 1), shown, strict=True) for node in nodes_of(folds, side, layer)[0]
    ]
    place = places_of(fold for folds in shown for fold in folds)
    edges = _edges((place[f"{CALLERS}{link.source}"], place[f"{CALLEES}{link.target}"], link) for link in between)
    headings = (f"{source}/ depends", f"on {target}/") if between else ()
    return GraphExport(tuple(nodes), tuple(edges), title=f"{source}/ to {target}/", layers=headings)


def _tests(links: Iterable[LinkRow]) -> set[str]:
    tests: set[str] = set()
    for link in links:
        tests.update(path for path, is_test in ((link.source, link.from_test), (link.target, link.to_test)) if is_test)
    return tests


def _edges(links: Iterable[tuple[str | None, str | None, LinkRow]]) -> list[GraphEdge]:
    """Return one edge for all links between two nodes. The heaviest link names its place.

    Each of `links` is (source node, target node, link). One inside of a node, or without a node at an end (None), has no edge.
    """
    between: dict[tuple[str, str], list[LinkRow]] = defaultdict(list)
    for source, target, link in links:
        if source is not None and target is not None and source != target:
            between[source, target].append(link)
    edges: list[GraphEdge] = []
    for (source, target), rows in between.items():
        heaviest = max(rows, key=lambda link: link.weight)
        weight, confidence = sum(link.weight for link in rows), max(link.confidence for link in rows)
        sureness = "proven" if confidence >= PROVEN else "guessed"
        edges.append(GraphEdge(source, target, "refers", weight, confidence, heaviest.source, heaviest.line, sureness))
    return edges


@dataclass(frozen=True, slots=True)
class FolderNeeds:
    """What a folder needs and who needs it: paths of folders, each with the number of references, and its test files."""

    needs: Sequence[tuple[str, int]]
    needed_by: Sequence[tuple[str, int]]
    tests: Sequence[tuple[str, int]]


def folder_needs(files: Dependencies, folder: str) -> FolderNeeds:
    """Count the references from and to a folder, by the folder at the other end. References of tests count as tests alone."""
    prefix = f"{folder}/"
    needs, needed_by, tests = Counter[str](), Counter[str](), Counter[str]()
    for link in _below(files.links, prefix, lambda link: link.source):
        if not link.from_test and not link.target.startswith(prefix):
            needs[link.target.rpartition("/")[0]] += link.weight
    for link in _below(files.by_target, prefix, lambda link: link.target):
        if link.from_test:
            tests[link.source] += link.weight
        elif not link.source.startswith(prefix):
            needed_by[link.source.rpartition("/")[0]] += link.weight
    return FolderNeeds(needs.most_common(), needed_by.most_common(), tests.most_common())


def _below(links: Sequence[LinkRow], prefix: str, end: Callable[[LinkRow], str]) -> Sequence[LinkRow]:
    """Return the links whose end is below a folder, of links in order of this end."""
    # Behind a slash comes a zero.
    return links[bisect_left(links, prefix, key=end) : bisect_left(links, f"{prefix[:-1]}0", key=end)]
