"""Word definitions, steps and holes of answers as short lines for a tour."""

import re
from collections.abc import Sequence

from code_graph_indexer.ask.context import one_line
from code_graph_indexer.graph.results import Step
from code_graph_indexer.results import PROVEN, Certainty, Symbol
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_PARAMETERS, MAX_RESULT = 110, 40
"""The most characters of the parameters and of the result of a function in a line."""

_COMMENT = re.compile(r"#|//|/\*|=>|\{")
"""Where a comment or a body begins behind a parameter list."""


def called(symbol: Symbol) -> str:
    """Return a definition as one line: its place, its qualified name, and its parameters and result, or else its kind."""
    name = _inside(symbol) or symbol.name or symbol.file_path
    # In `func (m MatcherSet) Match(…)`, the name is also part of a type.
    match = re.search(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", symbol.signature) if symbol.name else None
    shape = _shape(" ".join(one_line(symbol.signature[match.end() :]).split())) if match else ""
    kind = f"  {symbol.kind}" if symbol.kind in CLASS_KINDS or not shape else ""
    return one_line(f"{symbol.file_path}:{symbol.start_line}  {name}{shape}{kind}")


def _inside(symbol: Symbol) -> str:
    """Return the qualified name of a definition without the part that its path says already."""
    parts, folders = symbol.qualified_name.split("."), symbol.file_path.split("/")
    folders[-1] = folders[-1].rpartition(".")[0] or folders[-1]
    for count in range(len(parts) - 1, 0, -1):
        if parts[:count] in (folders[-count:], folders[-count - 1 : -1]):
            return ".".join(parts[count:])
    return symbol.qualified_name


def _shape(rest: str) -> str:
    """Return the parameters and the result in what follows a name in its signature, without defaults of types and comments."""
    depth, start = 0, -1
    for position, character in enumerate(rest):
        if character in "([{":
            start = position if character == "(" and not depth and start < 0 else start
            depth += 1
        elif character in ")]}":
            depth -= 1
            if not depth and start >= 0:
                result = _COMMENT.split(rest[position + 1 :])[0].strip(" :{=")
                parameters = _cut(rest[start : position + 1], MAX_PARAMETERS)
                return parameters + _cut(f" {result}" if result else "", MAX_RESULT)
    # A very long list is cut in the index.
    return _cut(rest[start:], MAX_PARAMETERS) if start >= 0 else ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


def sureness(step: Step, *, kind: bool = True) -> str:
    """Return how sure a step is, in brackets behind a blank. A proven call needs no words, and any other its `kind`."""
    words = []
    if step.may:
        words.append("may, by dynamic dispatch")
    elif step.alternative:
        words.append("dependent on the build")
    elif step.confidence < PROVEN and not step.kind.startswith("possible"):
        words.append("guessed by name")
    if kind and step.kind != "calls":
        words.append(step.kind)
    return f"  ({', '.join(words)})" if words else ""


def hole(certainty: Certainty, unresolved: str) -> str:
    """Return what an answer may lack, or an empty text. `unresolved` says which unresolved calls are counted."""
    parts = []
    if certainty.unresolved:
        parts.append(f"{certainty.unresolved} {unresolved}")
    if certainty.unread:
        files, were = ("file", "was") if certainty.unread == 1 else ("files", "were")
        parts.append(f"{certainty.unread} {files} that may hold more {were} not read whole")
    if certainty.truncated:
        parts.append("the walk was cut short by a limit")
    return "; ".join(parts)


def counted(certainty: Certainty, registered: int = 0) -> str:
    """Return the counts of an answer's edges by how sure they are: `3 proven, 1 guessed by name`.

    Those `registered` with a framework are proven too, and no calls.
    """
    counts = (
        (certainty.proven - registered, "proven"),
        (registered, "registered for a framework to call it"),
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
