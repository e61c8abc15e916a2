"""Word definitions, steps and holes of answers as short lines for a tour."""

import re
from collections.abc import Sequence

from code_graph_indexer.ask.context import one_line
from code_graph_indexer.results import PROVEN, Certainty, Step, Symbol

MAX_SIGNATURE = 160
"""The most characters of a signature in a line."""


def called(symbol: Symbol) -> str:
    """Return a definition as one line: its place, its qualified name, and what follows the name in its signature."""
    name = symbol.qualified_name or symbol.name or symbol.file_path
    # In `func (m MatcherSet) Match(…)`, the name is also part of a type.
    match = re.search(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", symbol.signature) if symbol.name else None
    rest = " ".join(one_line(symbol.signature[match.end() :]).split()) if match else ""
    rest = "" if rest == symbol.kind else f" {rest}" if rest[:1].isalnum() else rest
    kind = "" if "(" in rest else f"  {symbol.kind}"
    cut = " …" if len(rest) > MAX_SIGNATURE else ""
    return one_line(f"{symbol.file_path}:{symbol.start_line}  {name}{rest[:MAX_SIGNATURE]}{cut}{kind}")


def sureness(step: Step) -> str:
    """Return how sure a step is, in brackets behind a blank. A proven step needs no words."""
    words = []
    if step.may:
        words.append("may, by dynamic dispatch")
    elif step.alternative:
        words.append("dependent on the build")
    elif step.confidence < PROVEN:
        words.append("guessed by name")
    if step.kind != "calls":
        words.append(step.kind)
    return f"  ({', '.join(words)})" if words else ""


def hole(certainty: Certainty, unresolved: str) -> str:
    """Return what an answer may lack, or an empty text. `unresolved` says which unresolved calls are counted."""
    parts = []
    if certainty.unresolved:
        parts.append(f"{certainty.unresolved} {unresolved}")
    if certainty.unread:
        parts.append(f"{certainty.unread} files that may hold more were not read whole")
    if certainty.truncated:
        parts.append("the walk was cut short by a limit")
    return "; ".join(parts)


def counted(certainty: Certainty) -> str:
    """Return the counts of an answer's edges by how sure they are: `3 proven, 1 guessed by name`."""
    counts = (
        (certainty.proven, "proven"),
        (certainty.alternative, "dependent on the build"),
        (certainty.guessed, "guessed by name"),
        (certainty.may, "only by dynamic dispatch"),
    )
    return ", ".join(f"{count} {words}" for count, words in counts if count) or "none known"


def place_list(symbols: Sequence[Symbol], most: int) -> str:
    """Return the places of definitions, at most this many, on one line."""
    places = [f"{symbol.qualified_name} ({symbol.file_path}:{symbol.start_line})" for symbol in symbols[:most]]
    rest = f" and {len(symbols) - most} more" if len(symbols) > most else ""
    return one_line(", ".join(places)) + rest
