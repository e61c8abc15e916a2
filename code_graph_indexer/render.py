"""Shape results for people and programs: the one place that decides what output looks like."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from code_graph_indexer.types import Answer, CallSites, FileOutline, IndexReport, Neighbour, RetrievedContext, Symbol

SNIPPET_LINES = 12
"""Lines of a result shown in the terminal; --full shows all."""

TURNING_CODES = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
CONTROL_CODES = (*range(9), 11, 12, *range(14, 32), *range(127, 160), *TURNING_CODES)
"""Control characters, and those that turn the direction of writing (CVE-2021-42574): no text may steer the terminal."""

CONTROL = dict.fromkeys(CONTROL_CODES)
ESCAPED_CONTROL = {code: f"\\u{code:04x}" for code in CONTROL_CODES}


def to_plain(value: object) -> Any:
    """Turn records into dicts and lists that JSON can hold; named tuples become dicts too."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: to_plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: to_plain(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(part) for part in value]
    return value


def to_json(command: str, **parts: object) -> str:
    """Write a command's answer as one JSON object: `command`, then its parts."""
    text = json.dumps({"command": command, **to_plain(parts)}, ensure_ascii=False, indent=2)
    return text.translate(ESCAPED_CONTROL)


def clean(text: str) -> str:
    """Take control characters out of text for the terminal."""
    return text.translate(CONTROL)


def place(path: str, start_line: int, end_line: int) -> str:
    """Write a place as `path:start-end`."""
    one_line = path.replace("\n", "\\n").replace("\r", "\\r")
    return f"{one_line}:{start_line}-{end_line}"


def report(one: IndexReport, db: str) -> str:
    """Say what an index run did."""
    if not one.full and not one.changed and not one.removed:
        head = f"up to date: {one.files:,} files ({one.seconds:.2f} s)"
    elif one.full:
        rate = one.lines / one.seconds if one.seconds else 0
        head = f"indexed {one.files:,} files, {one.lines:,} lines in {one.seconds:.1f} s ({rate:,.0f} lines/s)"
    else:
        head = f"updated: {one.changed:,} changed, {one.removed:,} removed ({one.seconds:.2f} s)"
    lines = [head]
    if one.edges or one.references:
        lines += [f"  {one.chunks:,} chunks; edges: {counts(one.edges)}", f"  calls: {counts(one.references)}"]
    if one.skipped:
        lines.append(f"  skipped: {counts(one.skipped)}")
    return "\n".join([*lines, f"  {db}"])


def counts(values: Mapping[str, int]) -> str:
    """Write counts in a line, the largest first."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(values.items(), key=lambda one: -one[1])) or "none"


def results(found: Sequence[RetrievedContext], *, full: bool = False, explain: bool = False) -> str:
    """Write search results for the terminal."""
    if not found:
        return "nothing found; try other words, fewer filters, or part of a name"
    blocks = []
    for rank, one in enumerate(found, 1):
        name = one.qualified_name or one.name
        stale = "  [changed on disk since]" if one.stale else ""
        head = f"{rank}. {place(one.file_path, one.start_line, one.end_line)}  {one.type} {name}{stale}"
        parts = [head, *(_explained(one) if explain else ()), _snippet(one, None if full else SNIPPET_LINES)]
        blocks.append("\n".join(parts))
    return clean("\n\n".join(blocks))


def _snippet(one: RetrievedContext, limit: int | None) -> str:
    lines = one.content.rstrip("\n").split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    kept = lines[first:][:limit]
    more = [f"        … {len(lines) - first - len(kept)} more lines"] if len(lines) - first > len(kept) else []
    return "\n".join([*(f"  {one.start_line + first + i:>5} {line[:200]}" for i, line in enumerate(kept)), *more])


def _explained(one: RetrievedContext) -> list[str]:
    signals = [
        f"{signal.signal}{f' #{signal.rank}' if signal.rank else ''} ({signal.contribution:+.4f})"
        for signal in one.signals
    ]
    return [f"     score {one.score:.4f} = {', '.join(signals)}"]


def symbols(found: Sequence[Symbol]) -> str:
    """Write definitions, each with its place, signature and the first lines of its doc."""
    blocks = []
    for one in found:
        lines = [f"{place(one.file_path, one.start_line, one.end_line)}  {one.kind} {one.qualified_name}"]
        if one.signature:
            lines.append(f"    {one.signature}")
        lines += [f"      {line}" for line in one.doc.split("\n")[:5] if line.strip()]
        blocks.append("\n".join(lines))
    return clean("\n".join(blocks))


def call_sites(found: Iterable[CallSites], *, direction: str) -> str:
    """Write callers or callees of each definition of a name, and what is not known of them."""
    blocks = []
    for one in found:
        symbol = one.symbol
        head = f"{direction} of {symbol.kind} {symbol.qualified_name}  {symbol.file_path}:{symbol.start_line}"
        lines = [f"  {_site(symbol, near, direction)}" for near in one.neighbours]
        hole = "of this name elsewhere" if direction == "callers" else "inside it"
        rest = f"  + {one.unresolved} unresolved calls {hole}" if one.unresolved else ""
        blocks.append("\n".join([head, *(lines or ["  none known"]), *([rest] if rest else [])]))
    return clean("\n\n".join(blocks))


def _site(symbol: Symbol, near: Neighbour, direction: str) -> str:
    other = near.symbol
    name = f"{other.qualified_name or other.file_path}  ({near.confidence:.2f})"
    if direction == "callers":
        return f"{other.file_path}:{near.line}  {name}"
    return f"{symbol.file_path}:{near.line} → {other.file_path}:{other.start_line}  {name}"


def outline(one: FileOutline) -> str:
    """Write the definitions of a file as an indented list."""
    lines = [one.path]
    for symbol in one.symbols:
        member = symbol.kind in ("constant", "variable", "field", "property", "enum_member", "type", "namespace")
        depth = one.depths.get(symbol.chunk_id, 0) + (
            1 if member and one.depths.get(symbol.chunk_id) is not None else 0
        )
        text = symbol.signature or symbol.name
        lines.append(f"{symbol.start_line:>6}-{symbol.end_line:<6} {'  ' * depth}{symbol.kind} {text[:140]}")
    return clean("\n".join(lines))


def tree(files: Mapping[str, int], *, depth: int) -> str:
    """Write files as a tree of folders down to a depth, with their lines; deeper ones are counted."""
    folders: dict[str, list[int]] = {}
    lines: list[str] = []
    for path, count in sorted(files.items()):
        parts = path.split("/")
        for level in range(1, len(parts)):
            entry = folders.setdefault("/".join(parts[:level]), [0, 0])
            entry[0] += 1
            entry[1] += count
    seen: set[str] = set()
    for path, count in sorted(files.items()):
        parts = path.split("/")
        for level in range(1, min(len(parts), depth + 1)):
            folder = "/".join(parts[:level])
            if folder not in seen:
                seen.add(folder)
                number, total = folders[folder]
                lines.append(f"{'  ' * (level - 1)}{parts[level - 1]}/  ({number:,} files, {total:,} lines)")
        if len(parts) <= depth:
            lines.append(f"{'  ' * (len(parts) - 1)}{parts[-1]}  ({count:,} lines)")
    return clean("\n".join(lines)) or "no file is indexed"


def stats(values: Mapping[str, object]) -> str:
    """Write what an index is, and its counts."""
    lines = []
    for name, value in values.items():
        shown = counts(value) if isinstance(value, Mapping) else f"{value:,}" if isinstance(value, int) else str(value)
        lines.append(f"{name:<16} {shown}")
    return clean("\n".join(lines))


def problems(found: Sequence[str], *, good: str) -> str:
    """Write a list of problems, or that there is none."""
    return clean("\n".join(f"- {one}" for one in found)) if found else good


def answer_notes(one: Answer) -> str:
    """Write what is to be said after an answer: its citations that do not hold, and warnings."""
    return clean("\n".join(f"warning: {warning}" for warning in one.warnings))
