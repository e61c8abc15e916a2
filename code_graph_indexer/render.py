"""Shape results for people and programs: the one place that decides what output looks like."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import groupby
from typing import Any

from code_graph_indexer.results import (
    CallPaths,
    Certainty,
    Community,
    FileLinks,
    FileOutline,
    Hierarchy,
    Hub,
    Impact,
    IndexReport,
    RAGResult,
    Reach,
    RetrievedContext,
    ScipExport,
    Step,
    Symbol,
    Unused,
)
from code_graph_indexer.retrieval.excerpt import excerpt

SNIPPET_LINES = 12
"""Lines of a result shown in the terminal; --full shows all."""

LINE_LENGTH, LINE_CUT = 200, " …"
"""Characters of a line shown there, and what stands behind one that is longer."""

MAX_LISTED = 40
"""Lines of one part of a long answer; --json has all."""

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
    return "\n".join([*lines, *(f"  {warning}" for warning in one.warnings), f"  {db}"])


def exported(one: ScipExport) -> str:
    """Say what a SCIP index that was written holds."""
    return f"{one.documents:,} documents, {one.definitions:,} definitions, {one.references:,} references\n  {one.path}"


def counts(values: Mapping[str, int]) -> str:
    """Write counts in a line, the largest first."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(values.items(), key=lambda one: -one[1])) or "none"


def results(found: Sequence[RetrievedContext], query: str = "", *, full: bool = False, explain: bool = False) -> str:
    """Write search results for the terminal; of long ones the beginning, and where the query's words stand."""
    if not found:
        return "nothing found; try other words, fewer filters, or part of a name"
    blocks = []
    for rank, one in enumerate(found, 1):
        name = one.qualified_name or one.name
        stale = "  [changed on disk since]" if one.stale else ""
        head = f"{rank}. {place(one.file_path, one.start_line, one.end_line)}  {one.type} {name}{stale}"
        parts = [head, *(_explained(one) if explain else ()), _snippet(one, query, None if full else SNIPPET_LINES)]
        blocks.append("\n".join(parts))
    return clean("\n\n".join(blocks))


def _snippet(one: RetrievedContext, query: str, limit: int | None) -> str:
    lines = one.content.rstrip("\n").split("\n")
    shown = excerpt(lines, query, limit or len(lines))
    parts: list[str] = []
    for before, place in zip([shown[0] - 1, *shown], shown, strict=False):
        parts += _left_out(place - before - 1)
        cut = LINE_CUT if len(lines[place]) > LINE_LENGTH else ""
        parts.append(f"  {one.start_line + place:>5} {lines[place][:LINE_LENGTH]}{cut}")
    return "\n".join([*parts, *_left_out(len(lines) - 1 - shown[-1])])


def _left_out(count: int) -> list[str]:
    """Say how many lines of a result are not shown at a place."""
    return [f"        … {count} more line{'s' if count > 1 else ''}"] if count else []


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


def reach(found: Iterable[Reach], *, direction: str) -> str:
    """Write what is reached from each definition of a name, and what is not known."""
    blocks = []
    found = list(found)
    named = Counter(one.symbol.qualified_name for one in found)
    for one in found:
        head = f"{direction} of {_named(one.symbol)}"
        if named[one.symbol.qualified_name] > 1:
            # Overloads have the same name.
            head += f"\n    {one.symbol.signature}"
        blocks.append("\n".join([head, *(_steps(one.steps, direction) or ["  none known"]), _certainty(one.certainty)]))
    return clean("\n\n".join(blocks))


def _named(symbol: Symbol) -> str:
    return f"{symbol.kind} {symbol.qualified_name}  {symbol.file_path}:{symbol.start_line}"


def _steps(steps: Iterable[Step], direction: str = "") -> list[str]:
    """Write steps, each indented by its depth; what only dispatch may choose is marked."""
    lines = []
    for one in steps:
        other = one.symbol
        name = other.qualified_name or other.file_path
        sure = f"({one.confidence:.2f}{', may' if one.may else ''}{'' if one.kind == 'calls' else f', {one.kind}'})"
        there = f" → {other.file_path}:{other.start_line}" if direction == "callees" else ""
        lines.append(f"{'  ' * one.depth}{one.file_path}:{one.line}{there}  {name}  {sure}")
    return lines


def _certainty(one: Certainty) -> str:
    """Say how sure an answer is, and what it does not know."""
    parts = [f"{one.proven} proven"]
    parts += [f"{one.guessed} guessed by name"] if one.guessed else []
    parts += [f"{one.may} only by dynamic dispatch"] if one.may else []
    # Most of them lead to a standard library or a package, which no index of the repository has.
    unresolved = (
        f"{one.unresolved} call site{'' if one.unresolved == 1 else 's'} unresolved (outside the index, or not known)"
    )
    parts += [unresolved] if one.unresolved else []
    parts += ["cut off by a limit"] if one.truncated else []
    return f"  = {', '.join(parts)}"


def paths(one: CallPaths) -> str:
    """Write the shortest ways from one definition to another."""
    head = f"from {_named(one.source)}\nto   {_named(one.target)}"
    blocks = [head]
    for path in one.paths:
        blocks.append("\n".join(f"  {step.file_path}:{step.line}  → {_step_name(step)}" for step in path))
    if not one.paths:
        blocks.append("  no path of calls is known")
    return clean("\n".join([*blocks, _certainty(one.certainty)]))


def _step_name(step: Step) -> str:
    return f"{step.symbol.qualified_name}  ({step.confidence:.2f}{', may' if step.may else ''})"


def impact(one: Impact, *, tests: bool | None = None) -> str:
    """Write who is affected by a change, by distance, and the tests to run, unless none were asked for."""
    lines = ["changed:"] + [f"  {_named(symbol)}" for symbol in one.changed]
    lines += [f"  {name}  (removed)" for name in one.removed]
    lines += [f"  {path}  (no definition of the index)" for path in one.unmapped]
    code = [each for each in one.affected if not each.symbol.is_test]
    for depth, group in groupby(sorted(code, key=lambda each: each.depth), lambda each: each.depth):
        steps = list(group)
        lines.append(f"affected, {depth} {'step' if depth == 1 else 'steps'} away: {len(steps)}")
        lines += _first(f"  {step.symbol.file_path}:{step.line}  {_step_name(step)}  via {step.via}" for step in steps)
    sites = [each for each in one.open_sites if not each.is_test]
    if sites:
        lines.append("calls that may be affected too, but could not be linked:")
        lines += _first(
            f"  {each.file_path}:{each.line}  {each.name}{'' if each.candidate else '  (by its name)'}"
            for each in sites
        )
    if tests is not False:
        lines.append(f"tests to run, nearest first: {len(one.tests)}" if one.tests else "no test is known to reach it")
    lines += _first(f"  {path}" for path in one.tests)
    return clean("\n".join([*lines, _certainty(one.certainty)]))


def _first(lines: Iterable[str]) -> list[str]:
    """Keep so many lines as a person reads, and say how many are left."""
    found = list(lines)
    more = [f"  … and {len(found) - MAX_LISTED} more (--json lists all)"] if len(found) > MAX_LISTED else []
    return found[:MAX_LISTED] + more


def hierarchy(one: Hierarchy) -> str:
    """Write the classes above and below a class."""
    lines = [_named(one.symbol), "bases:"]
    lines += [f"{'  ' * step.depth}{_named(step.symbol)}" for step in one.bases]
    lines += [f"  {name}  (outside the repository)" for name in one.outside]
    lines += ["derived:"] + [f"{'  ' * step.depth}{_named(step.symbol)}" for step in one.derived]
    return clean("\n".join(lines))


def file_links(one: FileLinks, *, direction: str) -> str:
    """Write what a file imports, or what imports it."""
    lines = [f"{direction} of {one.path}"]
    lines += [f"  {link.path}  line {', '.join(map(str, link.lines))}" for link in one.files]
    lines += [f"  {name}  (outside the repository)" for name in one.outside]
    return clean("\n".join(lines if len(lines) > 1 else [*lines, "  none known"]))


def unused(found: Sequence[Unused]) -> str:
    """Write definitions without a known reference, with how sure that is."""
    lines = [f"{one.confidence:.2f}  {_named(one.symbol)}  {one.reason}" for one in found]
    return clean("\n".join([*lines, f"{len(found)} definitions without a known reference"]))


def cycles(found: Sequence[Sequence[str]]) -> str:
    """Write cycles of imports."""
    lines = [" → ".join([*one, one[0]]) for one in found]
    return clean("\n".join([*lines, f"{len(found)} groups of files import each other"]))


def hubs(found: Sequence[Hub]) -> str:
    """Write the definitions that most depends on."""
    return clean(
        "\n".join(
            f"{one.rank:.5f}  {one.callers:>5} callers {one.callees:>5} callees  {_named(one.symbol)}" for one in found
        )
    )


def communities(found: Sequence[Community]) -> str:
    """Write groups of files that refer to each other."""
    lines = []
    for one in found:
        share = one.inside / max(1, one.inside + one.outside)
        lines.append(f"{len(one.files):>5} files  {share:>4.0%} inside  {one.folder or '.'}  {', '.join(one.hubs)}")
    return clean("\n".join(lines))


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


def answer_notes(one: RAGResult) -> str:
    """Write what is to be said after an answer: its citations that do not hold, and warnings."""
    return clean("\n".join(f"warning: {warning}" for warning in one.warnings))


def how_answered(one: RAGResult) -> str:
    """Write how an answer came about: the route, the requests, the judgement, the times."""
    lines = [f"route: {one.route} ({one.reason}) by the {one.retriever} retriever, {one.rounds} round(s)"]
    for asked in one.requests:
        lines.append(f"  {asked.found:>3} found for: {asked.query}  ({asked.reasoning})")
        lines += [f"      {step}" for step in asked.steps]
    missing = f"; not found: {', '.join(one.missing)}" if one.missing else ""
    lines.append(f"context: {one.decision}, confidence {one.confidence:.2f}{missing}; {len(one.items)} expansions")
    lines.append("times: " + ", ".join(f"{name} {value:.0f} ms" for name, value in one.timings.items()))
    if one.cost is not None:
        lines.append(f"cost: {one.cost:.4f} US dollars")
    return clean("\n".join(lines))
