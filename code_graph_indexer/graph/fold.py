"""Fold many definitions into few boxes: by folder, file and class, as far as the boxes have room."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from code_graph_indexer.graph.code_graph import sureness
from code_graph_indexer.graph.results import CERTAINTIES, Step
from code_graph_indexer.picture.graph import GraphEdge, GraphNode
from code_graph_indexer.results import Symbol

LINKS = ("inherits", "overrides", "calls", "references")
"""Kinds of edges in a picture. Where several join two nodes, the first in this order names their edge."""

MAX_ROWS = 24
"""Largest number of boxes that a fold shows when it is opened. The rest is a fold of its own."""

MAX_FOLDERS = 100
"""The most folders in each other that a picture folds. What is deeper is in the last of them."""

REST = "*"
"""Ends the id of the rest of a fold."""


class Fold:
    """A folder, file, class or definition with what it holds. Count it only when all parts are in it, as counts are kept.

    The id of a fold ends with `/` for a folder. A definition has no parts, and a class in a file has its definitions.
    """

    __slots__ = ("_count", "_is_test", "_parts", "_read", "id", "kind", "label", "path", "symbol", "test")

    def __init__(
        self, id: str, label: str, kind: str, path: str, symbol: Symbol | None = None, test: bool = False
    ) -> None:
        self.id = id
        self.label = label
        self.kind = kind
        self.path = path
        self.symbol = symbol
        self.test = test
        self._parts: dict[str, Fold] = {}
        self._read: Callable[[Fold], None] | None = None
        self._count = 0
        self._is_test: bool | None = None

    def read_later(self, count: int, is_test: bool, read: "Callable[[Fold], None]") -> None:
        """Let `read` put in the parts when somebody looks at them. Until then, only their number is known."""
        self._count, self._is_test, self._read = count, is_test, read

    @property
    def parts(self) -> "dict[str, Fold]":
        """Return what is directly inside, by id."""
        if self._read is not None:
            read, self._read = self._read, None
            read(self)
        return self._parts

    @property
    def opened(self) -> "dict[str, Fold]":
        """Return the parts that somebody looked at, without reading them."""
        return self._parts if self._read is None else {}

    def leaves(self) -> Iterator["Fold"]:
        """Yield the folds inside that have no parts or whose parts were not looked at, or the fold itself."""
        waiting = [self]
        while waiting:
            fold = waiting.pop()
            if fold.opened:
                waiting += reversed(fold.opened.values())
            else:
                yield fold

    @property
    def count(self) -> int:
        """Count the definitions or files inside."""
        if not self._count:
            self._count = sum(part.count for part in self.parts.values()) if self.parts else 1
        return self._count

    @property
    def is_test(self) -> bool:
        """Say whether only tests are inside."""
        if not self.opened and self._read is None:
            return self.test
        if self._is_test is None:
            self._is_test = all(part.is_test for part in self.parts.values())
        return self._is_test


def fold_of(side: str, symbols: Sequence[Symbol], classes: dict[int, Symbol]) -> Fold:
    """Return definitions as a fold of folders. `classes` maps the id of a definition to the class around it.

    `side` begins all ids. It keeps the callers of a definition apart from its callees.
    """
    root = Fold(side, "", "folder", "")
    files: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        files.setdefault(symbol.file_path, []).append(symbol)
    for path, members in files.items():
        fill_file(file_fold(root, path), side, members, classes)
    return root


def fill_file(file: Fold, side: str, symbols: Sequence[Symbol], classes: Mapping[int, Symbol]) -> None:
    """Put definitions of a file into its fold. `classes` maps the id of a definition to the class around it."""
    holders = {classes[symbol.chunk_id].chunk_id for symbol in symbols if symbol.chunk_id in classes}
    for symbol in symbols:
        parent = classes.get(symbol.chunk_id)
        label = symbol_label(symbol, parent)
        # A class is folded together with its members.
        parent = parent or (symbol if symbol.chunk_id in holders else None)
        fold = file
        if parent is not None:
            key = f"{file.id}:{parent.chunk_id}"
            fold = file.parts.setdefault(key, Fold(key, parent.name, parent.kind, symbol.file_path, parent))
        key = f"{side}//{symbol.chunk_id}"
        fold.parts[key] = Fold(key, label, symbol.kind, symbol.file_path, symbol, symbol.is_test)


def file_fold(root: Fold, path: str) -> Fold:
    """Return the fold of a file below a root. It is made, with its folders, if it is not there."""
    fold = root
    for folder in path.split("/")[:-1][:MAX_FOLDERS]:
        folder_path = f"{fold.path}{folder}/"
        fold = _part(fold, f"{root.id}{folder_path}", "folder", folder_path)
    return _part(fold, f"{root.id}{path}", "file", path)


def _part(fold: Fold, key: str, kind: str, path: str) -> Fold:
    """Return the part of a fold with this id, which is made if it is not there."""
    if key not in fold.parts:
        fold.parts[key] = Fold(key, path, kind, path)
    return fold.parts[key]


def symbol_label(symbol: Symbol, parent: Symbol | None) -> str:
    """Return the name of a definition in a picture, with that of its class: `Cart.total`."""
    if symbol.kind == "module":
        return "(top level)"
    return f"{parent.name}.{symbol.name}" if parent is not None else symbol.name


def without_constructors(pairs: Sequence[tuple[int, Step]], classes: Mapping[int, int]) -> list[tuple[int, Step]]:
    """Drop the calls of constructors that stand beside the call of their class, because `Cart()` is a single call.

    `pairs` are (near chunk, step). `classes` maps the id of a definition to the id of the class around it.
    """
    if not classes:
        return list(pairs)
    calls = {(near, step.symbol.chunk_id, step.file_path, step.line) for near, step in pairs}

    def is_double(near: int, step: Step) -> bool:
        far, place = step.symbol.chunk_id, (step.file_path, step.line)
        return (near, classes.get(far, 0), *place) in calls or (classes.get(near, 0), far, *place) in calls

    return [(near, step) for near, step in pairs if not is_double(near, step)]


def short_name(symbol: Symbol) -> str:
    """Return the last two parts of a qualified name, or the path of a file: `cart.Cart`, `Cart.total`."""
    return ".".join(symbol.qualified_name.split(".")[-2:]) or symbol.file_path


def unfold(root: Fold, room: int, opened: Collection[str], *, largest: bool = False) -> list[Fold]:
    """Return the folds to show: as open as fits in `room` boxes. What is in `opened` is open in any case.

    Code is opened before tests, and small folds before large ones, or with `largest` after them.
    """
    while len(root.parts) == 1 and (part := next(iter(root.parts.values()))).parts:
        root = part
    shown: dict[str, Fold] = {}

    def show(fold: Fold) -> None:
        """Show a fold. One that holds a single part shows this part, and one that is in `opened` all its parts."""
        if fold.id in opened or (len(fold.parts) == 1 and REST not in fold.id):
            for part in _rows(fold, MAX_ROWS, opened):
                show(part)
        else:
            shown[fold.id] = fold

    for part in _rows(root, max(1, min(MAX_ROWS, room - 1)), opened):
        show(part)
    while True:
        # Tests may not crowd out what they test.
        fits = [
            fold
            for fold in shown.values()
            if len(fold.parts) > 1
            and fold.kind != "rest"
            and len(shown) + len(fold.parts) - 1 <= (room // 2 if fold.is_test else room)
        ]
        if not fits:
            break
        fold = min(fits, key=lambda fold: (fold.is_test, (-1 if largest else 1) * fold.count, fold.id))
        del shown[fold.id]
        for part in fold.parts.values():
            show(part)
    # A large fold that alone fills half of the room says little, so its largest parts are shown.
    code = [fold for fold in shown.values() if len(fold.parts) > 1 and fold.kind == "folder" and not fold.is_test]
    if code and len(shown) <= room // 2:
        fold = max(code, key=lambda fold: fold.count)
        del shown[fold.id]
        for part in _rows(fold, room - len(shown) - 1, opened):
            show(part)
    return list(shown.values())


def _rows(fold: Fold, most: int, opened: Collection[str]) -> list[Fold]:
    """List the parts of a fold. If two or more come after the largest `most`, they are one rest, unless that is `opened`."""
    parts = list(fold.parts.values())
    rest = f"{fold.id}{REST}"
    if len(parts) <= most + 1 or rest in opened:
        return parts
    hidden = {part.id: part for part in sorted(parts, key=lambda part: -part.count)[most:]}
    more = Fold(rest, "more", "rest", fold.path)
    more.parts.update(hidden)
    return [*(part for part in parts if part.id not in hidden), more]


def nodes_of(folds: Iterable[Fold], side: str, layer: int) -> tuple[list[GraphNode], list[GraphNode]]:
    """Return the nodes that show folds, and the files that hold these nodes as groups."""
    nodes: list[GraphNode] = []
    groups: dict[str, GraphNode] = {}
    for fold in sorted(folds, key=_reading_order):
        symbol, count = fold.symbol, fold.count if fold.parts else 0
        group = ""
        if symbol is not None or (fold.kind == "rest" and fold.path and not fold.path.endswith("/")):
            group = f"{side}{fold.path}"
            groups.setdefault(group, GraphNode(group, fold.path, "file", fold.path, layer=layer))
        nodes.append(
            GraphNode(
                fold.id,
                fold.label,
                fold.kind,
                fold.path,
                symbol.start_line if symbol is not None else 0,
                symbol.qualified_name if symbol is not None else "",
                count,
                group,
                layer,
                fold.is_test,
            )
        )
    return nodes, list(groups.values())


def _reading_order(fold: Fold) -> tuple[bool, str, int]:
    """Return a key that puts code before tests, and the nodes of a file together in the order of their lines."""
    line = fold.symbol.start_line if fold.symbol is not None else 0
    return fold.is_test, f"{fold.path}\uffff" if fold.kind == "rest" else fold.path, line


def places_of(folds: Iterable[Fold]) -> dict[str, str]:
    """Map the id of each leaf to the id of the fold that shows it."""
    return {leaf.id: fold.id for fold in folds for leaf in fold.leaves()}


class Hop(NamedTuple):
    """A reference between two nodes of a picture, by their ids. The step says what it is, and where."""

    source: str
    target: str
    step: Step


def edges_of(hops: Iterable[Hop]) -> list[GraphEdge]:
    """Return one edge for all references between two nodes. The surest names its place and its certainty."""
    steps: dict[tuple[str, str], list[Step]] = defaultdict(list)
    for hop in hops:
        if hop.source != hop.target:
            steps[hop.source, hop.target].append(hop.step)
    return [
        edge_between(
            ends,
            min(between, key=lambda step: (CERTAINTIES.index(sureness(step)), -step.confidence)),
            {step.kind for step in between},
            len(between),
        )
        for ends, between in steps.items()
    ]


def edge_between(ends: tuple[str, str], surest: Step, kinds: Collection[str], count: int) -> GraphEdge:
    """Return the edge for all steps between two boxes (`ends`): their number, their kinds, and the surest one."""
    kind = next((kind for kind in LINKS if kind in kinds), surest.kind)
    place = surest.file_path, surest.line
    return GraphEdge(*ends, kind, count, surest.confidence, *place, certainty=sureness(surest))
