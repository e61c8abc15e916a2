"""Write results as text for people, and as JSON for programs. Only the commands of the fleet write their own texts."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from code_graph_indexer.ask.results import RAGResult
    from code_graph_indexer.describe import DescriptionPlan, DescriptionReport
    from code_graph_indexer.freshness import Freshness
    from code_graph_indexer.graph.results import (
        CallPaths,
        Community,
        FileLinks,
        Hierarchy,
        Hub,
        Impact,
        Reach,
        References,
        Route,
        Step,
        Unused,
    )
    from code_graph_indexer.indexing.run import IndexReport
    from code_graph_indexer.libraries import Library, Upgrade
    from code_graph_indexer.results import Certainty, ExpectedWord, ExternalUse, FileOutline, Symbol, Use
    from code_graph_indexer.retrieval.results import Doubt, RetrievedContext
    from code_graph_indexer.scip.write import ScipExport
    from code_graph_indexer.storage.publication import Publication, PublishedRepository

from code_graph_indexer import languages
from code_graph_indexer.printable import CONTROL_CODES as CONTROL_CODES
from code_graph_indexer.printable import ESCAPED_CONTROL, in_line
from code_graph_indexer.printable import clean as clean
from code_graph_indexer.results import PROVEN, expected_text
from code_graph_indexer.syntax.records import VALUE_KINDS

SNIPPET_LINES = 12
"""The most lines of a result in the terminal. `--full` shows all lines."""

LINE_LENGTH, LINE_CUT = 200, " …"
"""The most characters of a line in the terminal, and the mark at the end of a line that is cut."""

MAX_LISTING = 12_000
"""The most characters of a listing without `--limit` and `--all`. A language model reads them as 3,000 to 4,000 tokens."""

MAX_ENTRIES = 200
"""The most entries of each list in a listing without `--limit` and `--all`. Shorter lines than 60 characters are rare."""

CUT_OFF = "cut off by a limit"

HOLES = {
    "callers": ("of that name", "that may call it"),
    "callees": ("in it", "on the way"),
    "path": ("that may lie on it", "that may lie on it"),
    "impact": ("of that name", "that may use it"),
    "": ("that may belong here", "that may belong here"),
}
"""Which unresolved calls may hide an answer, and which files, by the question."""

REST = "… and {:,} more (--all lists them)"
"""The last line of a list that is cut."""

RULES = ("built-in rule", "linked worktree", "data", "secret")
"""How the reasons for skipping begin that .cgiignore can overrule."""

MAX_PLACES = 5
"""Most places that a headline lists."""


def to_plain(value: object) -> Any:
    """Return a value with its records and named tuples as dicts, and its other collections as lists, as JSON needs them."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_plain(part) for name, part in _parts(value)}
    # A named tuple is a tuple too, so it is asked for before the sequences below.
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: to_plain(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(part) for part in value]
    return value


LEFT_OUT = frozenset({"description"})
"""The fields of records that JSON has only where they say something."""


def _parts(record: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a record, each with its value. A description that nobody wrote is left out."""
    for field in fields(record):
        value = getattr(record, field.name)
        if value is not None or field.name not in LEFT_OUT:
            yield field.name, value


def to_json(command: str, **parts: object) -> str:
    """Write a command's answer as one JSON object: the key `command`, then one key per part."""
    text = json.dumps({"command": command, **to_plain(parts)}, ensure_ascii=False, indent=2)
    # Escapes come after the dump: they are JSON escapes themselves, so a reader gets the text unchanged.
    return text.translate(ESCAPED_CONTROL)


def listing(command: str, limit: int | None, **parts: object) -> str:
    """Write an answer as `to_json` does, with at most `limit` entries in each list. None sets no limit.

    The key `left_out` says how many entries are left out.
    """
    left_out: list[int] = []
    shown = _cut(parts, limit, left_out)
    return to_json(command, **shown, left_out=sum(left_out))


def _cut(value: Any, limit: int | None, left_out: list[int]) -> Any:
    """Return a value as `to_plain` does, with lists and mappings cut. Append to `left_out` how many entries each lacks."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _cut(part, limit, left_out) for name, part in _parts(value)}
    if isinstance(value, dict | list | tuple):
        left_out.append(max(0, len(value) - (limit or len(value))))
    if isinstance(value, Mapping):
        return {key: _cut(part, limit, left_out) for key, part in islice(value.items(), limit)}
    if isinstance(value, list | tuple):
        return [_cut(part, limit, left_out) for part in value[:limit]]
    return value


def bounded(
    write: Callable[[int | None], str], limit: int | None, *, everything: bool = False, most: int = MAX_ENTRIES
) -> str:
    """Write a listing with at most `limit` entries in each list, or with all of them if `everything` is set.

    `write` gets the limit, or None for no limit. Without either, each list has as many entries as fit MAX_LISTING
    characters in all, at least 1 and at most `most`.
    """
    if everything or limit is not None:
        return write(None if everything else limit)
    text = write(most)
    if len(text) > MAX_LISTING:
        # The size grows with the number of entries, so half of the numbers are ruled out each time.
        text = write(max(1, bisect_right(range(most), MAX_LISTING, lo=1, key=lambda count: len(write(count))) - 1))
    return text


def _first(lines: Sequence[str], limit: int | None, indent: str = "  ") -> list[str]:
    """Return the first lines of a list, and a last line that says how many are left out. None sets no limit."""
    return [*lines[:limit], *_rest(len(lines), limit, indent)]


def _rest(count: int, limit: int | None, indent: str = "  ") -> list[str]:
    """Return the last line of a list of `count` entries that is cut at `limit`. If nothing is cut, return an empty list."""
    return [indent + REST.format(count - limit)] if limit is not None and count > limit else []


def place(path: str, start_line: int, end_line: int) -> str:
    """Write a file's path and lines as `path:start-end`."""
    return f"{in_line(path)}:{start_line}-{end_line}"


MAX_UPDATED = 3
"""The most paths that the line of an update names."""

STALE = "  [changed on disk since]"
"""The mark of a line with a place in a file that changed since it was indexed."""


def marked(text: str, stale_paths: Collection[str]) -> str:
    """Return a text in which each line that names one of these files, and so may name a wrong line of it, is marked."""
    if not stale_paths:
        return text
    names = [in_line(path) for path in stale_paths]
    return "\n".join(line + STALE if any(name in line for name in names) else line for line in text.split("\n"))


def updated(freshness: Freshness) -> str:
    """Write one line for an update: how many files it wrote, and the first of them."""
    paths = freshness.paths
    more = f" and {len(paths) - MAX_UPDATED:,} more" if len(paths) > MAX_UPDATED else ""
    files = "1 file" if len(paths) == 1 else f"{len(paths):,} files"
    return f"updated {files}: {', '.join(map(in_line, paths[:MAX_UPDATED]))}{more}"


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


def description_plan(plan: DescriptionPlan) -> str:
    """Write what a language model is going to be asked for, and what that costs."""
    requests = "1 request" if plan.requests == 1 else f"{plan.requests:,} requests"
    rest = f"; the limit leaves {plan.left:,} for another run" if plan.left else ""
    return clean(
        f"{plan.definitions:,} definitions to describe in {requests} to {plan.model}{rest}\n"
        f"  about {plan.input_tokens:,} tokens to read and {plan.output_tokens:,} to write: {_price(plan.cost)}"
    )


def description_report(report: DescriptionReport) -> str:
    """Write a summary of a run of descriptions."""
    if not report.described + report.failed + report.left:
        return "every definition that others can name has a description"
    head = f"described {report.described:,} definitions by {report.model} ({report.seconds:.1f} s)"
    failed = f"; {report.failed:,} replies cannot be used" if report.failed else ""
    left = f"; {report.left:,} have no description yet" if report.left else ""
    tokens = f"  {report.input_tokens:,} tokens read, {report.output_tokens:,} written: {_price(report.cost)}"
    return clean(f"{head}{failed}{left}\n{tokens}")


def _price(cost: float | None) -> str:
    if cost is None:
        return "unknown price (CGI_INPUT_PRICE and CGI_OUTPUT_PRICE tell it)"
    return f"{cost:.2f} US dollars"


def published(publication: Publication) -> str:
    """Write a summary of a publication."""
    size = f"{publication.files:,} files, {publication.chunks:,} chunks ({publication.seconds:.1f} s)"
    head = "published" if publication.written else "up to date"
    return clean(f"{head}: {publication.repo_id}, {size}")


def pulled(publication: Publication, db: str) -> str:
    """Write a summary of an index that was written from a server into a file."""
    size = f"{publication.files:,} files, {publication.chunks:,} chunks ({publication.seconds:.1f} s)"
    return clean(f"pulled: {publication.repo_id}, {size}\n  {db}")


def repositories(rows: Sequence[PublishedRepository]) -> str:
    """Write the repositories of a server, one per line: name, size, commit, and when it was published (UTC)."""
    width = max((len(row.repo_id) for row in rows), default=0)
    lines = [
        f"{row.repo_id:<{width}}  {row.files:>7,} files {row.lines:>11,} lines  {row.head[:10] or '-':<10}  "
        f"{row.published.astimezone(UTC):%Y-%m-%d %H:%M}"
        for row in rows
    ]
    return clean("\n".join(lines) or "nothing is published")


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
        stale = STALE if context.stale else ""
        head = f"{rank}. {place(context.file_path, context.start_line, context.end_line)}  {context.type} {name}{stale}"
        parts = [
            head,
            *([f"     {context.description}"] if context.description else ()),
            *(_explained(context) if explain else ()),
            _snippet(context, query, None if full else SNIPPET_LINES),
        ]
        blocks.append("\n".join(parts))
    return clean("\n\n".join(blocks))


def search_notes(expected: Sequence[ExpectedWord], doubt: Doubt | None) -> str:
    """Write what stands above search results: which expected words are in the index, and the doubt about the results."""
    return clean("\n".join(filter(None, [expected_text(expected), doubt.text if doubt is not None else ""])))


def _snippet(context: RetrievedContext, query: str, limit: int | None) -> str:
    """Write the lines of a result that fit the query, at most `limit`, with their numbers and marks for what is left out."""
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


def symbols(definitions: Sequence[Symbol], *, limit: int | None = None) -> str:
    """Write definitions, each with its place, its signature and the first lines of its doc."""
    blocks = []
    for symbol in definitions:
        lines = [
            f"{place(symbol.file_path, symbol.start_line, symbol.end_line)}  {symbol.kind} {symbol.qualified_name}"
        ]
        if symbol.signature:
            lines.append(f"    {symbol.signature}")
        lines += [f"      {line}" for line in symbol.doc.split("\n")[:5] if line.strip()]
        lines += [f"      {symbol.description}"] if symbol.description else []
        blocks.append("\n".join(lines))
    return clean("\n".join(_first(blocks, limit)))


def reach(answers: Sequence[Reach], *, direction: str, limit: int | None = None) -> str:
    """Write the steps from each definition of a name, and how certain the steps are.

    `direction` is the first word of the headline, such as `callers`.
    """
    blocks = []
    name_counts = Counter(answer.symbol.qualified_name for answer in answers)
    shown: dict[tuple[str, ...], Symbol] = {}
    for answer in answers[:limit]:
        head = f"{direction} of {_symbol_line(answer.symbol)}"
        if name_counts[answer.symbol.qualified_name] > 1:
            # Overloads have the same name.
            head += f"\n    {answer.symbol.signature}"
        head += _listed("declared in", answer.declarations) + _listed("or, in another build,", answer.alternatives)
        steps = _first(_steps(answer.steps, direction), limit)
        values = _values(answer.references)
        head += f"\n    used as a value {values}" if values and steps else ""
        holes = _holes(answer.certainty, direction, values)
        outside = _first(_external(answer.external), limit)
        nothing = f"none known{holes}"
        if direction == "callers" and answer.symbol.kind in VALUE_KINDS:
            nothing = f"a value is not called: `cgi references {in_line(answer.symbol.name)}` shows who reads it"
        body = [*steps, _certainty(answer.certainty)] if steps else [f"  {nothing}"]
        body = [*body[:-1], *outside, *body[-1:]]
        # Definitions for several builds have the same callers.
        first = shown.setdefault(tuple(body), answer.symbol) if len(body) > 1 else answer.symbol
        if first is not answer.symbol:
            body = [f"  the same as for {in_line(first.file_path)}:{first.start_line}, above", body[-1]]
        blocks.append("\n".join([head, *body]))
    return clean("\n\n".join([*blocks, *_rest(len(answers), limit, "")]))


USE_WORDS = {
    "calls": "called",
    "references": "passed as a value",
    "reads": "read",
    "writes": "written",
    "types": "named as a type",
    "inherits": "inherited from",
    "overrides": "overridden",
    "imports": "imported",
    "docs": "in prose, by its name",
}
"""How a list of uses of a kind is headed."""


def references(answers: Sequence[References], *, limit: int | None = None) -> str:
    """Write the uses of each definition of a name, by kind, each with its line of source."""
    blocks = []
    for answer in answers[:limit]:
        lines = [f"references to {_symbol_line(answer.symbol)}"]
        groups = {kind: [use for use in answer.uses if use.kind == kind] for kind in USE_WORDS}
        for kind, uses in groups.items():
            if uses:
                lines += [
                    f"  {USE_WORDS[kind]} ({len(uses):,})",
                    *_first([*dict.fromkeys(map(_use, uses))], limit, "    "),
                ]
        if not answer.uses:
            lines.append("  none known")
        if answer.unlinked_lines:
            lines.append(f"  the name also stands {_unlinked(answer)}")
        blocks.append("\n".join(lines))
    return clean("\n\n".join([*blocks, *_rest(len(answers), limit, "")]))


def external(uses: Sequence[ExternalUse], *, limit: int | None = None) -> str:
    """Write the references to names outside the repository, by name, each with its places."""
    head = f"{_counted(len(uses), 'reference')} to what is outside the repository"
    return clean("\n".join([head, *_first(_external(uses), limit)]))


def _external(uses: Iterable[ExternalUse]) -> list[str]:
    """Write each name outside the repository on one line: its package with the version, how sure it is, and the places."""
    groups: dict[tuple[str, str, str, float], list[ExternalUse]] = {}
    for use in uses:
        groups.setdefault((use.qualified_name, use.package, use.version, use.confidence), []).append(use)
    return [
        f"  outside: {in_line(name)}  [{in_line(f'{package} {version}'.strip())}]  ({confidence:.2f})  "
        f"{_places((use.file_path, use.line) for use in group)}"
        for (name, package, version, confidence), group in groups.items()
    ]


def libraries(rows: Sequence[Library], *, limit: int | None = None) -> str:
    """Write the packages of a repository, one on a line: versions, uses, what is wrong with it, and whether it is indexed."""
    states = Counter(row.state for row in rows)
    head = f"{_counted(len(rows), 'package')}: {', '.join(f'{count:,} {state}' for state, count in sorted(states.items()))}"
    lines = [
        f"  {in_line(row.package)} {in_line(row.installed or row.version or '?')}  [{row.ecosystem}]  "
        f"{_counted(row.uses, 'use')}  {row.state}{', indexed' if row.indexed else ''}"
        + (f", locked {in_line(row.version)}" if row.version and row.installed not in ("", row.version) else "")
        for row in rows
    ]
    return clean("\n".join([head, *_first(lines, limit)]))


def upgrade(answer: Upgrade, *, limit: int | None = None) -> str:
    """Write in Markdown what an upgrade of a package breaks, the surest first, with both signatures, places and tests."""
    counts = Counter(change.certainty for change in answer.breaks)
    summary = (
        ", ".join(f"{counts[sure]} {sure}" for sure in ("certain", "likely", "possible") if counts[sure]) or "none"
    )
    lines = [
        f"## {in_line(answer.package)} {in_line(answer.old)} → {in_line(answer.new)}",
        "",
        f"Breaks: {summary}. {_counted(answer.uses, 'use')} of the package"
        + (f", {answer.unknown:,} of names that {in_line(answer.old)} does not define" if answer.unknown else "")
        + f". {_counted(answer.gone, 'public name')} gone in all.",
    ]
    if answer.unchecked:
        versions = in_line(" and ".join(answer.unchecked))
        lines += [
            "",
            f"Not checked: {versions} is what another repository has installed. Give a wheel or archive to be sure.",
        ]
    for change in answer.breaks[:limit]:
        detail = f": {in_line(change.detail)}" if change.detail else ""
        lines += ["", f"### {in_line(change.qualified_name)}: {change.change}, {change.certainty}{detail}", ""]
        lines += [f"- was `{in_line(change.before)}`"] if change.before else []
        lines += [f"- is `{in_line(change.after)}`"] if change.after and change.after != change.before else []
        lines += [f"- used {_places((use.file_path, use.line) for use in change.uses)}"]
        lines += [f"- tests: {', '.join(map(in_line, change.tests))}"] if change.tests else []
    return clean("\n".join([*lines, *_rest(len(answer.breaks), limit, "")]))


def _unlinked(answer: References) -> str:
    """Write how often the name of a definition stands where no use of it is known."""
    places = f"on {_counted(answer.unlinked_lines, 'line')} of {_counted(answer.unlinked_files, 'file')}"
    return f"{places} that {'is' if answer.unlinked_lines == 1 else 'are'} not linked to it"


def _use(use: Use) -> str:
    """Write a use on one line: its place, how sure it is, the definition around it and the line of source."""
    guessed = "one of several" if use.candidate else f"guessed {use.confidence:.2f}"
    sure = "proven" if use.confidence >= PROVEN else guessed
    around = f"  {use.source}" if use.source else ""
    return f"    {in_line(use.file_path)}:{use.line}{around}  ({sure})  {in_line(use.text)}"


def _listed(words: str, definitions: Sequence[Symbol]) -> str:
    """Write the places of definitions on a line of their own, or nothing if there are none."""
    places = _places((symbol.file_path, symbol.start_line) for symbol in definitions)
    return f"\n    {words} {places}" if places else ""


def _values(references: Sequence[Step]) -> str:
    """Write the places that use a function as a value, or nothing if there are none."""
    places = _places((step.file_path, step.line) for step in references)
    return f"at {places}" if places else ""


def _places(places: Iterable[tuple[str, int]]) -> str:
    """Write places as `path:line`, at most MAX_PLACES of them, and how many more there are."""
    written = [f"{in_line(path)}:{line}" for path, line in dict.fromkeys(places)]
    rest = f" and {len(written) - MAX_PLACES} more" if len(written) > MAX_PLACES else ""
    return f"{', '.join(written[:MAX_PLACES])}{rest}"


def _symbol_line(symbol: Symbol) -> str:
    return f"{symbol.kind} {symbol.qualified_name}  {in_line(symbol.file_path)}:{symbol.start_line}"


def _steps(steps: Iterable[Step], direction: str = "") -> list[str]:
    """Return one line per step, indented by depth."""
    lines = []
    for step in steps:
        symbol = step.symbol
        name = symbol.qualified_name or in_line(symbol.file_path)
        sure = f"({_sureness(step)}{'' if step.kind == 'calls' else f', {step.kind}'})"
        # A step is placed at its call. For callees the arrow adds where the definition is.
        there = f" → {in_line(symbol.file_path)}:{symbol.start_line}" if direction == "callees" else ""
        lines.append(f"{'  ' * step.depth}{in_line(step.file_path)}:{step.line}{there}  {name}  {sure}")
    return lines


def _certainty(certainty: Certainty) -> str:
    """Write one line that says how certain an answer is, and how many call sites are unresolved."""
    parts = [f"{certainty.proven} proven"]
    parts += [f"{certainty.alternative} dependent on the build"] if certainty.alternative else []
    parts += [f"{certainty.guessed} guessed by name"] if certainty.guessed else []
    parts += [f"{certainty.may} only by dynamic dispatch"] if certainty.may else []
    # Most of them lead to a standard library or a package, which no index of the repository has.
    noun = "call site" if certainty.unresolved == 1 else "call sites"
    unresolved = f"{certainty.unresolved} {noun} unresolved (outside the index, or not known)"
    parts += [unresolved] if certainty.unresolved else []
    parts += [f"{_counted(certainty.unread, 'file')} not read whole that may hold more"] if certainty.unread else []
    parts += [CUT_OFF] if certainty.truncated else []
    return f"  = {', '.join(parts)}"


def _holes(certainty: Certainty, direction: str, values: str = "") -> str:
    """Write what may hide an answer where none is known, and how much of it there is. Without holes, return an empty text.

    `values` are the places that use a function as a value.
    """
    calls, files = HOLES.get(direction, HOLES[""])
    parts = [f"used as a value {values}, so it may be called"] if values else []
    parts += (
        [f"{_counted(certainty.unresolved, 'call')} {calls} without a known target"] if certainty.unresolved else []
    )
    parts += [f"{_counted(certainty.unread, 'file')} not read whole {files}"] if certainty.unread else []
    parts += [CUT_OFF] if certainty.truncated else []
    return f"; {', '.join(parts)}" if parts else ""


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def paths(answer: CallPaths, *, limit: int | None = None) -> str:
    """Write the shortest call paths from one definition to another."""
    head = f"from {_symbol_line(answer.source)}\nto   {_symbol_line(answer.target)}"
    blocks = [
        "\n".join(_first([f"  {in_line(step.file_path)}:{step.line}  → {_step_name(step)}" for step in path], limit))
        for path in answer.paths
    ]
    blocks = [head, *_first(blocks, limit)]
    if not answer.paths:
        blocks.append(f"  no path of calls is known{_holes(answer.certainty, 'path')}")
        return clean("\n".join([*blocks, *_path_ends(answer)]))
    return clean("\n".join([*blocks, _certainty(answer.certainty)]))


def _path_ends(answer: CallPaths) -> list[str]:
    """Write where the known calls from the source end, and what these calls might run."""
    heads = {
        True: "  a call without a known target might lead on to it:",
        False: "  the known calls end at calls without a known target:",
    }
    groups = groupby(answer.ends, lambda end: end.leads)
    return [line for leads, ends in groups for line in (heads[leads], *(f"    {end}" for end in ends))]


def _step_name(step: Step) -> str:
    return f"{step.symbol.qualified_name}  ({_sureness(step)})"


def _sureness(step: Step) -> str:
    """Write the confidence of a step, with a mark if dynamic dispatch or the build decides whether it is taken."""
    return f"{step.confidence:.2f}{', may' if step.may else ''}{', alternative' if step.alternative else ''}"


def impact(answer: Impact, *, tests: bool | None = None, limit: int | None = None) -> str:
    """Write the definitions that a change affects, by distance, and the tests to run. `tests=False` leaves out the tests."""
    if not (answer.changed or answer.removed or answer.unmapped):
        return "nothing changed"
    lines = ["changed:", *_first([f"  {_symbol_line(symbol)}" for symbol in answer.changed], limit)]
    lines += _first([f"  {name}  (removed)" for name in answer.removed], limit)
    lines += _first([f"  {in_line(path)}  (no definition of the index)" for path in answer.unmapped], limit)
    if not answer.affected:
        lines.append(f"affected: none known{_holes(answer.certainty, 'impact')}")
    lines += _affected(answer, limit)
    sites = [site for site in answer.open_sites if not site.is_test]
    if sites:
        lines.append("calls that may be affected too, but could not be linked:")
        places = [
            f"  {in_line(site.file_path)}:{site.line}  {site.name}{'' if site.candidate else '  (by its name)'}"
            for site in sites
        ]
        lines += _first(places, limit)
    if tests is not False:
        lines.append(
            f"tests to run, likeliest first: {len(answer.tests)}" if answer.tests else "no test is known to reach it"
        )
    lines += _first([f"  {in_line(path)}" for path in answer.tests], limit)
    if tests is not False:
        lines += [f"tests that may be missing: {way}" for way in answer.silent]
    return clean("\n".join([*lines, *([_certainty(answer.certainty)] if answer.affected else [])]))


def _affected(answer: Impact, limit: int | None) -> list[str]:
    """Write the affected definitions outside of tests by distance. Tests are listed as the files to run."""
    code = [step for step in answer.affected if not step.symbol.is_test]
    lines: list[str] = []
    # groupby joins neighbours only, hence the sort.
    for depth, group in groupby(sorted(code, key=lambda step: step.depth), lambda step: step.depth):
        steps = list(group)
        lines.append(f"affected, {depth} {'step' if depth == 1 else 'steps'} away: {len(steps)}")
        names = [
            f"  {in_line(step.symbol.file_path)}:{step.line}  {_step_name(step)}  via {step.via}" for step in steps
        ]
        lines += _first(names, limit)
    return lines


def hierarchy(answer: Hierarchy, *, limit: int | None = None) -> str:
    """Write the classes above and below a class."""
    lines = [_symbol_line(answer.symbol), "bases:"]
    lines += _first([f"{'  ' * step.depth}{_symbol_line(step.symbol)}" for step in answer.bases], limit)
    lines += _first([f"  {name}  (outside the repository)" for name in answer.outside], limit)
    lines += ["derived:"]
    lines += _first([f"{'  ' * step.depth}{_symbol_line(step.symbol)}" for step in answer.derived], limit)
    return clean("\n".join(lines))


def file_links(links: FileLinks, *, direction: str, limit: int | None = None) -> str:
    """Write the files that a file imports, or the files that import it."""
    lines = [f"{direction} of {in_line(links.path)}"]
    lines += _first([f"  {in_line(link.path)}  line {', '.join(map(str, link.lines))}" for link in links.files], limit)
    lines += _first([f"  {name}  (outside the repository)" for name in links.outside], limit)
    return clean("\n".join(lines if len(lines) > 1 else [*lines, "  none known"]))


def unused(definitions: Sequence[Unused], *, limit: int | None = None) -> str:
    """Write definitions without a known reference, and how certain it is that each is unused."""
    lines = [
        f"{definition.confidence:.2f}  {_symbol_line(definition.symbol)}  {definition.reason}"
        for definition in definitions
    ]
    count = f"{len(definitions)} definitions without a known reference"
    hint = "--min-confidence 0 adds those that unresolved calls, or files not read whole, may use"
    return clean("\n".join([*_first(lines, limit, ""), count, hint]))


def routes(entries: Sequence[Route], *, limit: int | None = None) -> str:
    """Write what frameworks call, one entry per line: verb, name, handler and place."""
    lines = []
    for route in entries:
        what = f"{route.verb or 'any'} {route.name or '/'}" if route.kind == "route" else f"{route.kind} {route.name}"
        handler = route.symbol.qualified_name if route.symbol is not None else route.handler or "(in place)"
        lines.append(f"{what.strip()}  → {handler}  {in_line(route.file_path)}:{route.line}  {route.framework}")
    kinds = Counter(route.kind for route in entries)
    counts = ", ".join(f"{count} of kind {kind}" for kind, count in kinds.most_common())
    if not entries:
        labels = sorted({name.partition("_")[0] for name in languages.frameworks()})
        counts = f"no framework registers anything that is known. Known frameworks: {', '.join(labels)}"
    return clean("\n".join([*_first(lines, limit, ""), counts]))


def cycles(loops: Sequence[Sequence[str]], *, limit: int | None = None) -> str:
    """Write cycles of files that import each other, one per line."""
    lines = [" → ".join(map(in_line, [*loop, loop[0]])) for loop in loops]
    return clean("\n".join([*_first(lines, limit, ""), f"{len(loops)} groups of files import each other"]))


def hubs(definitions: Sequence[Hub], *, limit: int | None = None) -> str:
    """Write the definitions on which most of the code depends."""
    lines = [
        f"{hub.rank:.5f}  {hub.callers:>5} callers {hub.callees:>5} callees  {_symbol_line(hub.symbol)}"
        + _listed("or, in another build,", hub.alternatives)
        for hub in definitions
    ]
    return clean("\n".join(_first(lines, limit, "")))


def communities(groups: Sequence[Community], *, limit: int | None = None) -> str:
    """Write groups of files that refer to each other."""
    lines = []
    for group in groups:
        share = group.inside / max(1, group.inside + group.outside)
        lines.append(
            f"{len(group.files):>5} files  {share:>4.0%} inside  {in_line(group.folder) or '.'}  {', '.join(group.hubs)}"
        )
    return clean("\n".join(_first(lines, limit, "")))


def outline(file: FileOutline, *, limit: int | None = None) -> str:
    """Write the definitions of a file as an indented list."""
    lines = []
    for symbol in file.symbols:
        # A field shares the chunk of its class, so its own indent is one step more.
        member = symbol.kind in ("constant", "variable", "field", "property", "enum_member", "type", "namespace")
        depth = file.depths.get(symbol.chunk_id, 0) + (
            1 if member and file.depths.get(symbol.chunk_id) is not None else 0
        )
        text = symbol.signature or symbol.name
        lines.append(f"{symbol.start_line:>6}-{symbol.end_line:<6} {'  ' * depth}{symbol.kind} {text[:140]}")
    note = "" if file.complete else "  (not read whole, so definitions may be missing)"
    return clean("\n".join([f"{in_line(file.path)}{note}", *_first(lines, limit)]))


def tree(files: Mapping[str, int], *, depth: int, limit: int | None = None) -> str:
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
                lines.append(f"{'  ' * (level - 1)}{in_line(parts[level - 1])}/  ({number:,} files, {total:,} lines)")
        if len(parts) <= depth:
            lines.append(f"{'  ' * (len(parts) - 1)}{in_line(parts[-1])}  ({count:,} lines)")
    return clean("\n".join(_first(lines, limit, ""))) or "no file is indexed"


def stats(values: Mapping[str, object]) -> str:
    """Write the properties and counts of an index, one per line."""
    lines = []
    for name, value in values.items():
        text = counts(value) if isinstance(value, Mapping) else f"{value:,}" if isinstance(value, int) else str(value)
        lines.append(f"{name:<16} {text}")
        if name == "skipped" and isinstance(value, Mapping) and any(reason.startswith(RULES) for reason in value):
            lines.append(f"{'':<16} to index what a rule skips, add its path to .cgiignore: !/build/ or !/.env")
        if name == "masked" and value:
            lines.append(f"{'':<16} keys and tokens are masked in every file, also in one that .cgiignore forces in")
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
        expected = f"; expected: {request.expect}" if request.expect else ""
        lines.append(f"  {request.found:>3} found for: {request.query}  ({request.reasoning}){expected}")
        lines += [f"      {step}" for step in request.steps]
    missing = f"; not found: {', '.join(answer.missing)}" if answer.missing else ""
    lines.append(
        f"context: {answer.decision}, confidence {answer.confidence:.2f}{missing}; {len(answer.items)} expansions"
    )
    lines.append("times: " + ", ".join(f"{name} {value:.0f} ms" for name, value in answer.timings.items()))
    if answer.cost is not None:
        lines.append(f"cost: {answer.cost:.4f} US dollars")
    return clean("\n".join(lines))
