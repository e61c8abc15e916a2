"""Place the boxes and edges of a graph in layers, from left to right or from top to bottom, so that few edges cross."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.picture.text import printable, shortened, text_width

NAME_SIZE, PATH_SIZE = 12.0, 10.5
"""Font sizes of names and of paths, in pixels."""

MAX_CELLS = 42
"""Largest number of characters of a label. The title of a box, which browsers show on hovering, is whole."""

ROW, ROW_GAP, SUBTITLE = 24.0, 4.0, 15.0
"""Height of a box, the space between two boxes of a group, and what a second line adds."""

HEADER, PADDING = 20.0, 6.0
"""Height of the header of a group, and the space inside its border."""

BLOCK_GAP, LAYER_GAP, MARGIN = 9.0, 88.0, 12.0
"""Space between groups, between layers, and around the picture."""

ROW_LAYER_GAP = 46.0
"""Space between layers that lie above each other."""

FITTING_WIDTH = 1_300.0
"""The width up to which a picture fits on most screens. Of two layouts that fit, the lower is taken."""

HEADING = 24.0
"""Height of the headings of the columns."""

PORT, MAX_PORTS = 6.0, 120.0
"""Height that an edge takes at a box, and the height up to which a box grows for its edges."""

LANE = 5.0
"""Room of an edge that passes a layer."""

SWEEPS = 8
"""How often the layers are ordered by their neighbours. After a few times nothing gets better."""

LEVELS = 4
"""How often boxes are moved towards their neighbours."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node with its place. `subtitle` is a second line, and `badge` a text at the right end."""

    node: GraphNode
    x: float
    y: float
    width: float
    height: float
    text: str
    subtitle: str = ""
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """An edge with its places: points to pass, from the border of a box to the border of another.

    `backward` says that the edge ends at the far side of its target: at the right, or below in a `vertical` layout. A `loop`
    joins boxes of one layer.
    """

    edge: GraphEdge
    points: tuple[tuple[float, float], ...]
    backward: bool = False
    loop: bool = False
    vertical: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A graph with places, in pixels. `frames` are the boxes of groups, and `crossings` counts the edges that cross."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    frames: tuple[Box, ...]
    curves: tuple[Curve, ...]
    headings: tuple[Heading, ...]
    crossings: int = 0


@dataclass(slots=True)
class _Block:
    """What stays together in a layer: a group with its nodes, a single node, or the place of an edge that passes.

    `start` is where the block begins in its layer, and `sizes` are the room of its nodes there: heights, or widths in a
    vertical layout.
    """

    key: str
    nodes: list[GraphNode] = field(default_factory=list)
    group: GraphNode | None = None
    sizes: list[float] = field(default_factory=list)
    start: float = 0.0

    @property
    def size(self) -> float:
        """Return the room of the block in its layer, with the border of a group."""
        if not self.nodes:
            return LANE
        rows = sum(self.sizes) + ROW_GAP * (len(self.nodes) - 1)
        return rows + HEADER + PADDING if self.group is not None else rows

    def places(self) -> Iterator[tuple[GraphNode, float, float]]:
        """Yield the nodes, each with where it begins and its size."""
        start = self.start + (HEADER if self.group is not None else 0.0)
        for node, size in zip(self.nodes, self.sizes, strict=True):
            yield node, start, size
            start += size + ROW_GAP


def lay_out(graph: GraphExport) -> Layout:
    """Place the nodes of a graph in the layers that they name. Without groups, the layers may lie above each other."""
    columns = _Layers(graph, vertical=False).layout()
    if graph.groups or len({node.layer for node in graph.nodes}) < 2:
        return columns
    rows = _Layers(graph, vertical=True).layout()
    return min(columns, rows, key=lambda layout: (max(layout.width, FITTING_WIDTH), layout.height))


class _Layers:
    """The layers of a picture while it is laid out."""

    def __init__(self, graph: GraphExport, *, vertical: bool) -> None:
        self._graph = graph
        self._vertical = vertical
        layers = sorted({node.layer or 0 for node in graph.nodes})
        rank = {layer: position for position, layer in enumerate(layers)}
        self._layer = {node.id: rank[node.layer or 0] for node in graph.nodes}
        self._chains = [self._chain(number, edge) for number, edge in enumerate(graph.edges)]
        self._layers = self._blocks(len(layers))

    def _chain(self, number: int, edge: GraphEdge) -> list[str]:
        """List the keys of an edge from its first layer to its last: a node, `//number|layer` in each layer between, a node."""
        ends = sorted((edge.source, edge.target), key=self._layer.__getitem__)
        first, last = (self._layer[end] for end in ends)
        return [ends[0], *(f"//{number}|{layer}" for layer in range(first + 1, last)), ends[1]]

    def _blocks(self, count: int) -> list[list[_Block]]:
        """Return the blocks of each layer in no order: a node, the nodes of a group, or a place for a passing edge."""
        degrees: Counter[tuple[str, bool]] = Counter()
        for chain in self._chains:
            degrees[chain[0], True] += 1
            degrees[chain[-1], False] += 1
        groups = {group.id: group for group in self._graph.groups}
        layers: list[dict[str, _Block]] = [{} for _ in range(count)]
        for node in self._graph.nodes:
            layer = layers[self._layer[node.id]]
            key = node.group if node.group in groups else node.id
            block = layer.setdefault(key, _Block(key, group=groups.get(key)))
            edges = max(degrees[node.id, True], degrees[node.id, False])
            least = _width([node]) if self._vertical else ROW + (SUBTITLE if subtitle_of(node) else 0.0)
            block.nodes.append(node)
            block.sizes.append(max(least, min(MAX_PORTS, PORT * edges)))
        for chain in self._chains:
            for key in chain[1:-1]:
                layers[int(key.partition("|")[2])][key] = _Block(key)
        return [list(layer.values()) for layer in layers]

    def _shift(self, margin: float) -> None:
        """Move all blocks so that the first begins at the margin."""
        blocks = self._all_blocks()
        shift = margin - min((block.start for block in blocks), default=0.0)
        for block in blocks:
            block.start += shift

    def layout(self) -> Layout:
        """Order and place everything."""
        self._order()
        self._place()
        # Columns have their headings above them, which rows have no room for.
        headings = self._graph.layers if len(self._graph.layers) == len(self._layers) and not self._vertical else ()
        depths = [self._depth(layer) for layer in self._layers]
        if headings:
            depths = [
                max(pair) for pair in zip(depths, (text_width(text, PATH_SIZE) for text in headings), strict=True)
            ]
        gap = ROW_LAYER_GAP if self._vertical else LAYER_GAP
        starts = [MARGIN + sum(depths[:at]) + gap * at for at in range(len(depths))]
        self._shift(MARGIN + (HEADING if headings else 0.0))
        boxes: list[Box] = []
        frames: list[Box] = []
        for layer, start, depth in zip(self._layers, starts, depths, strict=True):
            for block in layer:
                boxes += self._boxes(block, start, depth)
                if block.group is not None:
                    frames.append(Box(block.group, start, block.start, depth, block.size, group_label(block.group)))
        length = max((block.start + block.size for block in self._all_blocks()), default=MARGIN) + MARGIN
        total = (starts[-1] + depths[-1] if starts else 0.0) + MARGIN
        curves = self._curves({box.node.id: box for box in boxes}, starts, depths)
        titles = [
            Heading(printable(text), start, MARGIN + 12) for text, start in zip(headings, starts, strict=False) if text
        ]
        width, height = (length, total) if self._vertical else (total, length)
        return Layout(width, height, tuple(boxes), tuple(frames), tuple(curves), tuple(titles), self._crossings())

    def _depth(self, layer: Sequence[_Block]) -> float:
        """Return how wide a layer is, or how high if layers are rows (`_vertical`)."""
        if self._vertical:
            return max(
                (ROW + (SUBTITLE if subtitle_of(node) else 0) for block in layer for node in block.nodes), default=ROW
            )
        return max((_width(block.nodes, block.group) for block in layer), default=0.0)

    def _boxes(self, block: _Block, start: float, depth: float) -> Iterator[Box]:
        """Yield the boxes of a block, in a layer that begins at `start` and, as a column, is `depth` wide."""
        inset = PADDING if block.group is not None else 0.0
        for node, place, size in block.places():
            if self._vertical:
                height = ROW + (SUBTITLE if subtitle_of(node) else 0.0)
                yield _box(node, place, start, size, height)
            else:
                yield _box(node, start + inset, place, depth - 2 * inset, size)

    def _order(self) -> None:
        """Order the blocks of each layer by the mean place of their neighbours (barycenter). The best of all sweeps wins."""
        neighbours = self._neighbours()
        best, fewest = self._snapshot(), self._crossings()
        for sweep in range(SWEEPS):
            if not fewest:
                break
            forward = sweep % 2 == 0
            order = range(1, len(self._layers)) if forward else range(len(self._layers) - 2, -1, -1)
            for at in order:
                place = self._places(at - 1 if forward else at + 1)
                means = self._places(at)
                for key in means:
                    beside = [place[far] for far in neighbours[key] if far in place]
                    means[key] = sum(beside) / len(beside) if beside else means[key]
                self._sort(self._layers[at], means)
            count = self._crossings()
            if count < fewest:
                best, fewest = self._snapshot(), count
        self._layers = best

    def _sort(self, layer: list[_Block], means: Mapping[str, float]) -> None:
        """Sort blocks, and the rows of each, by the `means` of their keys. The center stays on top, and a rest at the end."""
        for block in layer:
            rows = sorted(
                zip(block.nodes, block.sizes, strict=True),
                key=lambda row: (row[0].id != self._graph.center, row[0].kind == "rest", means[row[0].id]),
            )
            block.nodes, block.sizes = [node for node, _ in rows], [size for _, size in rows]
        layer.sort(key=lambda block: sum(means[key] for key in _keys(block)) / len(_keys(block)))

    def _all_blocks(self) -> list[_Block]:
        return [block for layer in self._layers for block in layer]

    def _snapshot(self) -> list[list[_Block]]:
        return [[replace(block) for block in layer] for layer in self._layers]

    def _neighbours(self) -> Mapping[str, list[str]]:
        """Map each key to the keys beside it on the chains of edges."""
        neighbours: dict[str, list[str]] = defaultdict(list)
        for chain in self._chains:
            for left, right in pairwise(chain):
                neighbours[left].append(right)
                neighbours[right].append(left)
        return neighbours

    def _places(self, layer: int) -> dict[str, float]:
        """Map the keys of a layer to their places, each between 0 and 1."""
        keys = _all_keys(self._layers[layer])
        return {key: (place + 0.5) / len(keys) for place, key in enumerate(keys)}

    def _crossings(self) -> int:
        """Count how often two edges cross between layers."""
        place = {key: at for layer in self._layers for at, key in enumerate(_all_keys(layer))}
        between: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for chain in self._chains:
            start = self._layer[chain[0]]
            for offset, (left, right) in enumerate(pairwise(chain)):
                between[start + offset].append((place[left], place[right]))
        return sum(_inversions([right for _, right in sorted(pairs)]) for pairs in between.values())

    def _place(self) -> None:
        """Line up the blocks of each layer, and move them towards their neighbours without changing their order."""
        for layer in self._layers:
            start = -sum(block.size + BLOCK_GAP for block in layer) / 2
            for block in layer:
                block.start = start
                start += block.size + BLOCK_GAP
        neighbours = self._neighbours()
        sizes = [sum(block.size + BLOCK_GAP for block in layer) for layer in self._layers]
        # The longest layer stays as it is, and the others follow it.
        fixed = sizes.index(max(sizes)) if sizes else 0
        for _ in range(LEVELS):
            middles = self._middles()
            for at, layer in enumerate(self._layers):
                if at != fixed:
                    wishes = [self._wish(block, neighbours, middles) for block in layer]
                    _settle(layer, wishes)
                    middles.update(self._middles())

    def _middles(self) -> dict[str, float]:
        """Map each key to the middle of its place in its layer."""
        middles: dict[str, float] = {}
        for block in self._all_blocks():
            middles[block.key] = block.start + block.size / 2
            middles.update((node.id, start + size / 2) for node, start, size in block.places())
        return middles

    def _wish(self, block: _Block, neighbours: Mapping[str, Sequence[str]], middles: Mapping[str, float]) -> float:
        """Return the start of a block that makes its edges straight."""
        shifts = [middles[far] - middles[near] for near in _keys(block) for far in neighbours[near]]
        return block.start + (sum(shifts) / len(shifts) if shifts else 0.0)

    def _curves(self, boxes: Mapping[str, Box], starts: Sequence[float], depths: Sequence[float]) -> list[Curve]:
        """Return the curves of all edges. `starts` and `depths` are those of the layers."""
        middles = self._middles()
        ports = self._ports(middles)
        curves: list[Curve] = []
        for number, (edge, chain) in enumerate(zip(self._graph.edges, self._chains, strict=True)):
            near, far = (self._borders(boxes[key]) for key in (chain[0], chain[-1]))
            is_loop = self._layer[chain[0]] == self._layer[chain[-1]]
            points = [(near[1], ports[number, 0])]
            for key in chain[1:-1]:
                layer = int(key.partition("|")[2])
                points += [(starts[layer], middles[key]), (starts[layer] + depths[layer], middles[key])]
            points.append((far[is_loop], ports[number, 1]))
            is_backward = edge.source != chain[0]
            if is_backward:
                points.reverse()
            if self._vertical:
                points = [(y, x) for x, y in points]
            curves.append(Curve(edge, tuple(points), is_backward or is_loop, is_loop, self._vertical))
        return curves

    def _borders(self, box: Box) -> tuple[float, float]:
        """Return where the near and the far side of a box are, across its layer."""
        return (box.y, box.y + box.height) if self._vertical else (box.x, box.x + box.width)

    def _ports(self, middles: Mapping[str, float]) -> dict[tuple[int, int], float]:
        """Map each end (0 first, 1 last) of each edge to its place at the border of its box."""
        spans = {node.id: (start, size) for block in self._all_blocks() for node, start, size in block.places()}
        ends: dict[tuple[str, bool], list[tuple[float, int, int]]] = defaultdict(list)
        for number, chain in enumerate(self._chains):
            is_loop = self._layer[chain[0]] == self._layer[chain[-1]]
            ends[chain[0], True].append((middles[chain[1]], number, 0))
            ends[chain[-1], is_loop].append((middles[chain[-2]], number, 1))
        ports: dict[tuple[int, int], float] = {}
        for (key, _), edges in ends.items():
            start, size = spans[key]
            for at, (_, number, end) in enumerate(sorted(edges)):
                ports[number, end] = start + size * (at + 1) / (len(edges) + 1)
        return ports


def _keys(block: _Block) -> list[str]:
    """Return the ids of the nodes of a block, or its own key if it is the place of a passing edge."""
    return [node.id for node in block.nodes] or [block.key]


def _all_keys(layer: Sequence[_Block]) -> list[str]:
    return [key for block in layer for key in _keys(block)]


def _inversions(numbers: Sequence[int]) -> int:
    """Count the pairs of numbers in the wrong order, by merge sort."""
    if len(numbers) < 2:
        return 0
    middle = len(numbers) // 2
    left, right = numbers[:middle], numbers[middle:]
    count = _inversions(left) + _inversions(right)
    left, right = sorted(left), sorted(right)
    at = 0
    for number in left:
        while at < len(right) and right[at] < number:
            at += 1
        count += at
    return count


def _settle(layer: Sequence[_Block], wishes: Sequence[float]) -> None:
    """Move the blocks of a layer as near to their wishes as their order and sizes allow.

    Blocks that would overlap are joined, and share the mean of their wishes (pool adjacent violators).
    """
    pools: list[tuple[float, float, list[_Block]]] = []
    for block, wish in zip(layer, wishes, strict=True):
        start, size, members = wish, block.size + BLOCK_GAP, [block]
        while pools and pools[-1][0] + pools[-1][1] > start:
            before, room, earlier = pools.pop()
            start = (before * len(earlier) + (start - room) * len(members)) / (len(earlier) + len(members))
            size, members = room + size, earlier + members
        pools.append((start, size, members))
    for start, _, members in pools:
        for block in members:
            block.start = start
            start += block.size + BLOCK_GAP


def subtitle_of(node: GraphNode) -> str:
    """Return the second line of a box: the path of a definition that stands in no group."""
    return "" if node.group or node.kind in ("file", "folder", "rest") else node.path


def badge_of(node: GraphNode) -> str:
    """Return the text at the right end of a fold: how much is in it."""
    return f"▸ {node.count:,}" if node.count else ""


def _box(node: GraphNode, x: float, y: float, width: float, height: float) -> Box:
    text, subtitle = (shortened(printable(label), MAX_CELLS) for label in (node.label, subtitle_of(node)))
    return Box(node, x, y, width, height, text, subtitle, badge_of(node))


def group_label(group: GraphNode) -> str:
    """Return the header of a group."""
    return shortened(printable(group.label), MAX_CELLS + 6)


def _width(nodes: Sequence[GraphNode], group: GraphNode | None = None) -> float:
    """Return the width that the texts of some boxes need, and the frame of their group, if they have one."""
    widths = [0.0]
    for node in nodes:
        box = _box(node, 0, 0, 0, 0)
        badge = text_width(box.badge, PATH_SIZE) + 12 if box.badge else 0.0
        widths.append(max(text_width(box.text, NAME_SIZE) + badge, text_width(box.subtitle, PATH_SIZE)) + 16)
    if group is None:
        return max(widths)
    return max(text_width(group_label(group), PATH_SIZE), max(widths)) + 2 * PADDING
