"""Write results as text for people, and as JSON for programs. No other module decides how output looks."""

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

SNIPPET_LINES = 12
"""The most lines of a result in the terminal. `--full` shows all lines."""

LINE_LENGTH, LINE_CUT = 200, " …"
"""The most characters of a line in the terminal, and the mark at the end of a line that is cut."""

MAX_LISTED = 40
"""The most lines in one part of a long answer. `--json` lists all lines."""

TURNING_CODES = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
CONTROL_CODES = (*range(9), 11, 12, *range(14, 32), *range(127, 160), *TURNING_CODES)
"""Control characters, and characters that reverse the direction of text (CVE-2021-42574). No text may control the terminal."""

CONTROL = dict.fromkeys(CONTROL_CODES)
ESCAPED_CONTROL = {code: f"\\u{code:04x}" for code in CONTROL_CODES}


MAX_PLACES = 5
"""Most places that a headline lists."""


def to_plain(value: object) -> Any:
    """Return a value with its records and named tuples as dicts, and its other collections as lists, as JSON needs them."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    # A named tuple is a tuple too, so it is asked for before the sequences below.
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: to_plain(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(part) for part in value]
    return value


def to_json(command: str, **parts: object) -> str:
    """Write a command's answer as one JSON object: the key `command`, then one key per part."""
    text = json.dumps({"command": command, **to_plain(parts)}, ensure_ascii=False, indent=2)
    # Escapes come after the dump: they are JSON escapes themselves, so a reader gets the text unchanged.
    return text.translate(ESCAPED_CONTROL)


def clean(text: str) -> str:
    """Return a text without control characters, so that the terminal can show it safely."""
    return text.translate(CONTROL)


def place(path: str, start_line: int, end_line: int) -> str:
    """Write a file's path and lines as `path:start-end`."""
    # A line end in a file's name would look like another result.
    escaped = path.replace("\n", "\\n").replace("\r", "\\r")
    return f"{escaped}:{start_line}-{end_line}"


def report(run: IndexReport, db: str) -> str:
    """Write a summary of an index run."""
    if not run.full and not run.changed and not run.removed:
        head = f"up to date: {run.files:,} files ({run.seconds:.2f} s)"
    elif run.full:
        rate = run.lines / run.seconds if run.seconds else 0
        head = f"indexed {run.files:,} files, {run.lines:,} lines in {run.seconds:.1f} s ({rate:,.0f} lines/s)"
    else:
        head = f"updated: {run.changed:,} changed, {run.removed:,} removed ({run.seconds:.2f} s)"
    lines = [head]
    if run.edges or run.references:
        lines += [f"  {run.chunks:,} chunks; edges: {counts(run.edges)}", f"  calls: {counts(run.references)}"]
    if run.skipped:
        lines.append(f"  skipped: {counts(run.skipped)}")
    return "\n".join([*lines, *(f"  {warning}" for warning in run.warnings), f"  {db}"])


def exported(export: ScipExport) -> str:
    """Write a summary of a new SCIP index: its counts and its path."""
    head = f"{export.documents:,} documents, {export.definitions:,} definitions, {export.references:,} references"
    return f"{head}\n  {export.path}"


def counts(values: Mapping[str, int]) -> str:
    """Write counts on one line, largest first: `12 calls, 3 imports`. Without counts, write `none`."""
    return (
        ", ".join(f"{count:,} {name}" for name, count in sorted(values.items(), key=lambda entry: -entry[1])) or "none"
    )


def results(contexts: Sequence[RetrievedContext], query: str = "", *, full: bool = False, explain: bool = False) -> str:
    """Write search results for the terminal.

    Of a long result, only the beginning and the lines with words of the query are shown.
    """
    if not contexts:
        return "nothing found; try other words, fewer filters, or part of a name"
    blocks = []
    for rank, context in enumerate(contexts, 1):
        name = context.qualified_name or context.name
        stale = "  [changed on disk since]" if context.stale else ""
        head = f"{rank}. {place(context.file_path, context.start_line, context.end_line)}  {context.type} {name}{stale}"
        parts = [
            head,
            *(_explained(context) if explain else ()),
            _snippet(context, query, None if full else SNIPPET_LINES),
        ]
        blocks.append("\n".join(parts))
    return clean("\n\n".join(blocks))


def _snippet(context: RetrievedContext, query: str, limit: int | None) -> str:
    # Here, because only a search shows a snippet.
    from code_graph_indexer.retrieval.excerpt import excerpt

    lines = context.content.rstrip("\n").split("\n")
    positions = excerpt(lines, query, limit or len(lines))
    parts: list[str] = []
    # Each line is compared with the line shown before it: a gap between them is marked.
    for before, position in zip([positions[0] - 1, *positions], positions, strict=False):
        parts += _left_out(position - before - 1)
        mark = LINE_CUT if len(lines[position]) > LINE_LENGTH else ""
        parts.append(f"  {context.start_line + position:>5} {lines[position][:LINE_LENGTH]}{mark}")
    return "\n".join([*parts, *_left_out(len(lines) - 1 - positions[-1])])


def _left_out(count: int) -> list[str]:
    """Return a line that says how many lines are left out. For 0 lines, return an empty list."""
    return [f"        … {count} more line{'s' if count > 1 else ''}"] if count else []


def _explained(context: RetrievedContext) -> list[str]:
    signals = [
        f"{signal.signal}{f' #{signal.rank}' if signal.rank else ''} ({signal.contribution:+.4f})"
        for signal in context.signals
    ]
    return [f"     score {context.score:.4f} = {', '.join(signals)}"]


def symbols(definitions: Sequence[Symbol]) -> str:
    """Write definitions, each with its place, its signature and the first lines of its doc."""
    blocks = []
    for symbol in definitions:
        lines = [
            f"{place(symbol.file_path, symbol.start_line, symbol.end_line)}  {symbol.kind} {symbol.qualified_name}"
        ]
        if symbol.signature:
            lines.append(f"    {symbol.signature}")
        lines += [f"      {line}" for line in symbol.doc.split("\n")[:5] if line.strip()]
        blocks.append("\n".join(lines))
    return clean("\n".join(blocks))


def reach(answers: Iterable[Reach], *, direction: str) -> str:
    """Write the steps from each definition of a name, and how certain the steps are.

    `direction` is the first word of the headline, such as `callers`.
    """
    blocks = []
    answers = list(answers)
    name_counts = Counter(answer.symbol.qualified_name for answer in answers)
    for answer in answers:
        head = f"{direction} of {_named(answer.symbol)}"
        if name_counts[answer.symbol.qualified_name] > 1:
            # Overloads have the same name.
            head += f"\n    {answer.symbol.signature}"
        head += _listed("declared in", answer.declarations) + _listed("or, in another build,", answer.alternatives)
        blocks.append(
            "\n".join([head, *(_steps(answer.steps, direction) or ["  none known"]), _certainty(answer.certainty)])
        )
    return clean("\n\n".join(blocks))


def _listed(words: str, definitions: Sequence[Symbol]) -> str:
    """Write the places of definitions on a line of their own, or nothing if there are none."""
    places = [f"{symbol.file_path}:{symbol.start_line}" for symbol in definitions]
    rest = f" and {len(places) - MAX_PLACES} more" if len(places) > MAX_PLACES else ""
    return f"\n    {words} {', '.join(places[:MAX_PLACES])}{rest}" if places else ""


def _named(symbol: Symbol) -> str:
    return f"{symbol.kind} {symbol.qualified_name}  {symbol.file_path}:{symbol.start_line}"


def _steps(steps: Iterable[Step], direction: str = "") -> list[str]:
    """Return one line per step, indented by depth. A step that only dynamic dispatch may take has the mark `may`."""
    lines = []
    for step in steps:
        symbol = step.symbol
        name = symbol.qualified_name or symbol.file_path
        sure = f"({step.confidence:.2f}{', may' if step.may else ''}{'' if step.kind == 'calls' else f', {step.kind}'})"
        # A step is placed at its call. For callees the arrow adds where the definition is.
        there = f" → {symbol.file_path}:{symbol.start_line}" if direction == "callees" else ""
        lines.append(f"{'  ' * step.depth}{step.file_path}:{step.line}{there}  {name}  {sure}")
    return lines


def _certainty(certainty: Certainty) -> str:
    """Write one line that says how certain an answer is, and how many call sites are unresolved."""
    parts = [f"{certainty.proven} proven"]
    parts += [f"{certainty.guessed} guessed by name"] if certainty.guessed else []
    parts += [f"{certainty.may} only by dynamic dispatch"] if certainty.may else []
    # Most of them lead to a standard library or a package, which no index of the repository has.
    noun = "call site" if certainty.unresolved == 1 else "call sites"
    unresolved = f"{certainty.unresolved} {noun} unresolved (outside the index, or not known)"
    parts += [unresolved] if certainty.unresolved else []
    parts += ["cut off by a limit"] if certainty.truncated else []
    return f"  = {', '.join(parts)}"


def paths(answer: CallPaths) -> str:
    """Write the shortest call paths from one definition to another."""
    head = f"from {_named(answer.source)}\nto   {_named(answer.target)}"
    blocks = [head]
    for path in answer.paths:
        blocks.append("\n".join(f"  {step.file_path}:{step.line}  → {_step_name(step)}" for step in path))
    if not answer.paths:
        blocks.append("  no path of calls is known")
    return clean("\n".join([*blocks, _certainty(answer.certainty)]))


def _step_name(step: Step) -> str:
    return f"{step.symbol.qualified_name}  ({step.confidence:.2f}{', may' if step.may else ''})"


def impact(answer: Impact, *, tests: bool | None = None) -> str:
    """Write the definitions that a change affects, by distance, and the tests to run. `tests=False` leaves out the tests."""
    lines = ["changed:"] + [f"  {_named(symbol)}" for symbol in answer.changed]
    lines += [f"  {name}  (removed)" for name in answer.removed]
    lines += [f"  {path}  (no definition of the index)" for path in answer.unmapped]
    # Tests are listed below, as the files to run.
    code = [step for step in answer.affected if not step.symbol.is_test]
    # groupby joins neighbours only, hence the sort.
    for depth, group in groupby(sorted(code, key=lambda step: step.depth), lambda step: step.depth):
        steps = list(group)
        lines.append(f"affected, {depth} {'step' if depth == 1 else 'steps'} away: {len(steps)}")
        lines += _first(f"  {step.symbol.file_path}:{step.line}  {_step_name(step)}  via {step.via}" for step in steps)
    sites = [site for site in answer.open_sites if not site.is_test]
    if sites:
        lines.append("calls that may be affected too, but could not be linked:")
        lines += _first(
            f"  {site.file_path}:{site.line}  {site.name}{'' if site.candidate else '  (by its name)'}"
            for site in sites
        )
    if tests is not False:
        lines.append(
            f"tests to run, nearest first: {len(answer.tests)}" if answer.tests else "no test is known to reach it"
        )
    lines += _first(f"  {path}" for path in answer.tests)
    return clean("\n".join([*lines, _certainty(answer.certainty)]))


def _first(lines: Iterable[str]) -> list[str]:
    """Return the first MAX_LISTED lines, and a last line that says how many are left out."""
    listed = list(lines)
    rest = [f"  … and {len(listed) - MAX_LISTED} more (--json lists all)"] if len(listed) > MAX_LISTED else []
    return listed[:MAX_LISTED] + rest


def hierarchy(answer: Hierarchy) -> str:
    """Write the classes above and below a class."""
    lines = [_named(answer.symbol), "bases:"]
    lines += [f"{'  ' * step.depth}{_named(step.symbol)}" for step in answer.bases]
    lines += [f"  {name}  (outside the repository)" for name in answer.outside]
    lines += ["derived:"] + [f"{'  ' * step.depth}{_named(step.symbol)}" for step in answer.derived]
    return clean("\n".join(lines))


def file_links(links: FileLinks, *, direction: str) -> str:
    """Write the files that a file imports, or the files that import it."""
    lines = [f"{direction} of {links.path}"]
    lines += [f"  {link.path}  line {', '.join(map(str, link.lines))}" for link in links.files]
    lines += [f"  {name}  (outside the repository)" for name in links.outside]
    return clean("\n".join(lines if len(lines) > 1 else [*lines, "  none known"]))


def unused(definitions: Sequence[Unused]) -> str:
    """Write definitions without a known reference, and how certain it is that each is unused."""
    lines = [
        f"{definition.confidence:.2f}  {_named(definition.symbol)}  {definition.reason}" for definition in definitions
    ]
    return clean("\n".join([*lines, f"{len(definitions)} definitions without a known reference"]))


def cycles(loops: Sequence[Sequence[str]]) -> str:
    """Write cycles of files that import each other, one per line."""
    lines = [" → ".join([*loop, loop[0]]) for loop in loops]
    return clean("\n".join([*lines, f"{len(loops)} groups of files import each other"]))


def hubs(definitions: Sequence[Hub]) -> str:
    """Write the definitions on which most of the code depends."""
    return clean(
        "\n".join(
            f"{hub.rank:.5f}  {hub.callers:>5} callers {hub.callees:>5} callees  {_named(hub.symbol)}"
            for hub in definitions
        )
    )


def communities(groups: Sequence[Community]) -> str:
    """Write groups of files that refer to each other."""
    lines = []
    for group in groups:
        share = group.inside / max(1, group.inside + group.outside)
        lines.append(
            f"{len(group.files):>5} files  {share:>4.0%} inside  {group.folder or '.'}  {', '.join(group.hubs)}"
        )
    return clean("\n".join(lines))


def outline(file: FileOutline) -> str:
    """Write the definitions of a file as an indented list."""
    lines = [file.path]
    for symbol in file.symbols:
        # A field shares the chunk of its class, so its own indent is one step more.
        member = symbol.kind in ("constant", "variable", "field", "property", "enum_member", "type", "namespace")
        depth = file.depths.get(symbol.chunk_id, 0) + (
            1 if member and file.depths.get(symbol.chunk_id) is not None else 0
        )
        text = symbol.signature or symbol.name
        lines.append(f"{symbol.start_line:>6}-{symbol.end_line:<6} {'  ' * depth}{symbol.kind} {text[:140]}")
    return clean("\n".join(lines))


def tree(files: Mapping[str, int], *, depth: int) -> str:
    """Write files and their numbers of lines as a tree of folders. Files below level `depth` are only counted."""
    # A folder is listed before its files, so its files and lines are summed first.
    folders: dict[str, list[int]] = {}
    lines: list[str] = []
    for path, count in sorted(files.items()):
        parts = path.split("/")
        for level in range(1, len(parts)):
            entry = folders.setdefault("/".join(parts[:level]), [0, 0])
            entry[0] += 1
            entry[1] += count
    # A folder is written at its first file, since sorted paths keep its files together.
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
    """Write the properties and counts of an index, one per line."""
    lines = []
    for name, value in values.items():
        text = counts(value) if isinstance(value, Mapping) else f"{value:,}" if isinstance(value, int) else str(value)
        lines.append(f"{name:<16} {text}")
    return clean("\n".join(lines))


def problems(messages: Sequence[str], *, good: str) -> str:
    """Write a list of problems, or the text `good` if there are none."""
    return clean("\n".join(f"- {message}" for message in messages)) if messages else good


def answer_notes(answer: RAGResult) -> str:
    """Write the warnings of an answer, such as citations that do not hold."""
    return clean("\n".join(f"warning: {warning}" for warning in answer.warnings))


def how_answered(answer: RAGResult) -> str:
    """Write how an answer was made: route, requests, verdict on the context, times, cost."""
    lines = [f"route: {answer.route} ({answer.reason}) by the {answer.retriever} retriever, {answer.rounds} round(s)"]
    for request in answer.requests:
        lines.append(f"  {request.found:>3} found for: {request.query}  ({request.reasoning})")
        lines += [f"      {step}" for step in request.steps]
    missing = f"; not found: {', '.join(answer.missing)}" if answer.missing else ""
    lines.append(
        f"context: {answer.decision}, confidence {answer.confidence:.2f}{missing}; {len(answer.items)} expansions"
    )
    lines.append("times: " + ", ".join(f"{name} {value:.0f} ms" for name, value in answer.timings.items()))
    if answer.cost is not None:
        lines.append(f"cost: {answer.cost:.4f} US dollars")
    return clean("\n".join(lines))
