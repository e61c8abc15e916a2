"""Find the innermost of nested spans around a byte: the definition, the block or the condition that it stands in."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence

Span = tuple[int, int]
"""The first byte of a part of a text, and the byte after its last one."""


class Innermost:
    """A table of the innermost span around each byte of a text. Of several spans around it, that is the last in the list."""

    def __init__(self, spans: Sequence[Span]) -> None:
        # From one bound to the next the innermost span is the same, so that it is looked for once.
        self._bounds = sorted({offset for span in spans for offset in span})
        # One entry more than there are bounds: text before the first bound is in no span.
        self._places = [-1]
        opening = sorted(range(len(spans)), key=lambda place: spans[place][0])
        around: list[int] = []
        following = 0
        for bound in self._bounds:
            while following < len(opening) and spans[opening[following]][0] <= bound:
                insort(around, opening[following])
                following += 1
            around = [place for place in around if spans[place][1] > bound]
            self._places.append(around[-1] if around else -1)

    def around(self, offsets: Iterable[int]) -> list[int]:
        """Return, for each byte offset, the position of the innermost span around it, or -1."""
        return [self._places[bisect_right(self._bounds, offset)] for offset in offsets]


def bounds(spans: Iterable[Span]) -> list[int]:
    """Return the bytes where spans begin and end in turn, after those that touch are joined."""
    bounds: list[int] = []
    for start, end in sorted(spans):
        if bounds and start <= bounds[-1]:
            bounds[-1] = max(bounds[-1], end)
        else:
            bounds += start, end
    return bounds
