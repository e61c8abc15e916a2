"""Compose a page of text that never exceeds its budget: lists first, then quoted source lines, file by file."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from code_graph_indexer.ask.results import Citation
from code_graph_indexer.explore.sources import SourceFiles
from code_graph_indexer.explore.topic import Topic
from code_graph_indexer.printable import in_line
from code_graph_indexer.words import ASCII_PER_TOKEN, estimate_tokens

LONGEST_LINE, LINE_CUT = 300, " …"
"""The most characters of a quoted line, and the mark of a line that is cut."""

WHOLE_FILE = 0.6
"""The share of a file's lines from which the rest of the file is quoted too. A reader would open the file for the rest."""

WHOLE_PART = 0.5
"""The share of a definition's lines from which the rest of it is quoted too: what is cut may be what it returns."""

MAX_GAP = 2
"""The most lines between quoted lines of a definition that are quoted too. A mark of what is cut costs a reader as much."""

FOR_GAPS = 0.12
"""How much longer the rest of definitions may make a page that has a limit, as a share of it."""

DEADLINE = 5.0
"""Seconds after which a page is given as far as it is. A client that waits longer may call its server dead."""

NOTES, LEAST_NOTE = 700, 80
"""Characters that are kept for the notes at the end of a page, and the fewest that a note is cut to."""

GAP = "…\n"

HEADING = len("\n### \n")
"""Characters around the path of a file above its lines."""


@dataclass(frozen=True, slots=True)
class Tour:
    """An answer for an agent: one text within a token budget, with the structure first and then the source along the way.

    `route` is the kind of query, and `reason` the feature of the query that decided. `text` is Markdown. `places` are the runs
    of lines that it quotes.

    Example:
        >>> tour = indexer.explore("Cart.total -> add_tax")
        >>> tour.route, tour.places[0].path
        ('graph', 'shop/cart.py')
    """

    query: str
    route: str
    reason: str
    text: str
    places: tuple[Citation, ...] = ()

    def _repr_markdown_(self) -> str:
        """Return the text, for notebooks."""
        return self.text


def cost(text: str) -> int:
    """Return the size of a text in ASCII characters. Any other character counts as a whole token."""
    return len(text) if text.isascii() else estimate_tokens(text) * ASCII_PER_TOKEN


class Page:
    """A page of at most `budget` tokens. What does not fit is left out, and counted in the notes at its end.

    Quoted lines stand below a heading with the path of their file, each as its number, a tab and the line.
    """

    def __init__(self, files: SourceFiles, budget: int, title: str, topic: Topic) -> None:
        self._deadline = time.monotonic() + DEADLINE
        self.files = files
        self.topic = topic
        self._head = [title[: budget * ASCII_PER_TOKEN - 1]]
        self._quoted: dict[str, dict[int, str]] = {}
        self._notes: list[str] = []
        self._parts: dict[tuple[str, int, int], str] = {}
        self._last: dict[str, set[int]] = {}
        self._room = budget * ASCII_PER_TOKEN - cost(self._head[0]) - 1
        self._for_notes = min(NOTES, self._room // 5)
        self._room -= self._for_notes
        # A blank line stands before them.
        self._for_notes -= 1
        self._for_gaps = 0

    def limit(self, characters: int) -> None:
        """Give this many ASCII characters at most to the page from here on. An answer that is not sure is short."""
        self._for_gaps = min(int(characters * FOR_GAPS), max(self._room - characters, 0))
        self._room = min(self._room, characters)

    def end_at(self, characters: int) -> None:
        """Give this many ASCII characters at most to the whole page, with what it has already and the notes at its end."""
        taken = sum(cost(line) + 1 for line in self._head) + self._for_notes
        taken += sum(cost(path) + HEADING + _cost_of(lines) for path, lines in self._quoted.items())
        self._for_gaps = 0
        self._room = min(self._room, max(characters - taken, 0))

    @property
    def room(self) -> int:
        """Return how many ASCII characters still fit, apart from the notes."""
        return self._room

    @property
    def late(self) -> bool:
        """Say whether the time for the page is over. Its reader then gets what is there."""
        late = time.monotonic() > self._deadline
        if late:
            self.note("the time ran out, so that lists may be missing")
        return late

    @property
    def places(self) -> tuple[Citation, ...]:
        """Return the quoted places: runs of lines, in the order of the page."""
        return tuple(
            Citation(path, run[0], run[-1]) for path, lines in self._quoted.items() for run in _runs(sorted(lines))
        )

    def write(self, line: str) -> bool:
        """Add a line to the head of the page. Return whether it fits."""
        if cost(line) + 1 > self._room:
            return False
        self._head.append(line)
        self._room -= cost(line) + 1
        return True

    def list(self, title: str, lines: Sequence[str], *, share: float = 1.0) -> int:
        """Add a list with a title to the head of the page, in at most this share of the room.

        Return how many lines were left out. Without lines, nothing is added.
        """
        title, lines = in_line(title), list(dict.fromkeys(map(in_line, lines)))
        if not lines:
            return 0
        room = min(self._room, int(self._room * share)) - cost(title) - 30
        shown: list[str] = []
        for line in lines:
            room -= cost(line) + 1
            if room < 0:
                break
            shown.append(line)
        rest = len(lines) - len(shown)
        if shown:
            self.write(f"\n{title}")
            for line in (*shown, *([f"… and {rest} more"] if rest else [])):
                self.write(line)
        return rest

    def quote(self, path: str, numbers: Iterable[int], *, share: float = 1.0) -> bool:
        """Quote lines of a file, if all of them fit into this share of the room. Return whether they did."""
        source = self.files.lines(path)
        quoted = self._quoted.get(path, {})
        new = {number: cut(source[number - 1]) for number in numbers if 0 < number <= len(source)}
        new = {number: line for number, line in new.items() if number not in quoted}
        price = _cost_of(new) + len(_runs(sorted(new))) * cost(GAP) + (0 if quoted else cost(path) + HEADING)
        if price > self._room * share:
            return False
        if new:
            self._quoted.setdefault(path, {}).update(new)
            self._room -= price
        return True

    def quotes(self, path: str, line: int) -> bool:
        """Say whether a line of a file is quoted."""
        return line in self._quoted.get(path, ())

    def quoted_lines(self) -> set[str]:
        """Return the quoted lines, without their indentation."""
        return {line.strip() for lines in self._quoted.values() for line in lines.values()}

    def note(self, line: str) -> None:
        """Add a note for the end of the page. It is cut if there is little room for notes, and left out if there is none."""
        line, most = in_line(line), self._for_notes - 3
        if cost(line) > most:
            count = (most if line.isascii() else most // ASCII_PER_TOKEN) - 2 * ASCII_PER_TOKEN
            line = f"{line[:count]}{LINE_CUT}" if most >= LEAST_NOTE else ""
        if line and line not in self._notes:
            self._notes.append(line)
            self._for_notes -= cost(line) + 3

    def part(self, path: str, first: int, last: int, name: str) -> None:
        """Note at the end how many of these lines are quoted, unless all are: a definition of this name."""
        self._parts[path, first, last] = name

    def put_last(self, path: str, first: int, last: int) -> None:
        """Show these lines behind all that is quoted from elsewhere: they are not what was asked for."""
        self._last.setdefault(path, set()).update(range(first, last + 1))

    def text(self) -> str:
        """Return the page."""
        self._complete()
        for (path, first, last), name in self._parts.items():
            # Counted at the end, as what came later may have quoted more of it.
            shown = self.shown(path, first, last)
            if 0 < shown <= last - first:
                self.note(f"{path}:{first}-{last} {name} is quoted in part: {shown} of {last - first + 1} lines")
        parts = list(self._head)
        for path, lines in self._in_order():
            parts.append(f"\n### {in_line(path)}")
            runs = _runs(sorted(lines))
            for before, run in zip([[0], *runs], runs, strict=False):
                parts += ["…"] if run[0] > before[-1] + 1 and run is not runs[0] else []
                parts += [f"{number}\t{lines[number]}" for number in run]
        parts += ["", *(f"- {note}" for note in self._notes)] if self._notes else []
        return "\n".join(parts) + "\n"

    def _in_order(self) -> Iterator[tuple[str, dict[int, str]]]:
        """Yield the quoted lines of each file, and then those that are put last."""
        for is_last in (False, True):
            for path, lines in self._quoted.items():
                last = self._last.get(path, set())
                if part := {number: line for number, line in lines.items() if (number in last) is is_last}:
                    yield path, part

    def shown(self, path: str, first: int, last: int) -> int:
        """Return how many of these lines are quoted."""
        return len(self._within(path, first, last))

    def _within(self, path: str, first: int, last: int) -> Sequence[int]:
        """List those of these lines that are quoted, in any order. A forged index may tell of billions of lines."""
        return [number for number in self._quoted.get(path, ()) if first <= number <= last]

    def _complete(self) -> None:
        """Quote the rest of each definition and each file that is mostly quoted."""
        self._room, self._for_gaps = self._room + self._for_gaps, 0
        for path, first, last in self._parts:
            if self.shown(path, first, last) >= WHOLE_PART * (last + 1 - first):
                self.quote(path, range(first, last + 1))
        for path, first, last in self._parts:
            runs = _runs(sorted(self._within(path, first, last)))
            for before, run in pairwise(runs):
                if run[0] - before[-1] - 1 <= MAX_GAP:
                    self.quote(path, range(before[-1] + 1, run[0]))
        for path, lines in self._quoted.items():
            count = len(self.files.lines(path))
            if WHOLE_FILE * count <= len(lines) < count:
                self.quote(path, range(1, count + 1))


def _cost_of(lines: Mapping[int, str]) -> int:
    """Return the size of quoted lines by their numbers: each stands between its number with a tab and a line end."""
    return sum(cost(line) + len(str(number)) + 2 for number, line in lines.items())


def cut(line: str) -> str:
    """Return a line for quotation, cut if it is very long."""
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + LINE_CUT


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Group sorted numbers into runs without gaps."""
    if not numbers:
        return []
    runs = [[numbers[0]]]
    for before, number in pairwise(numbers):
        if number == before + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs
