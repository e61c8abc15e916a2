"""Answer without a language model: the sources themselves, in order, each under its citation."""

import re
from collections.abc import Sequence

from code_graph_indexer.ask.context import content_lines, one_line, related_line
from code_graph_indexer.results import Answer, Citation, RetrievedContext

MAX_NAMED = 3
"""Places named ahead of the sources."""

MAX_SHOWN = 12
"""Sources shown with their text: a person reads a few pages, of the others their places."""

MAX_LISTED = 12
"""Places listed behind them; all are in the answer's citations."""

SHORTEST_FENCE = 3
"""Backticks; Markdown's least."""

HOW_TO_GET_WORDS = (
    "No language model was asked. For an answer in words, set ANTHROPIC_API_KEY, or CGI_BASE_URL for a compatible "
    "endpoint, and install the extra: pip install 'code-graph-indexer[ask]'."
)
NOTHING_FOUND = (
    "Nothing in the index matches this question. Try the words or names the code itself would use, search for one "
    "symbol (cgi search NAME), or bring the index up to date (cgi index)."
)


def extract(question: str, sources: Sequence[RetrievedContext], summary: str = "") -> Answer:
    """Return the graph's summary and the sources as the answer, best first, each cited.

    The first MAX_SHOWN sources are shown with their text. Without sources, the answer says that nothing was found.
    """
    if not sources:
        return Answer(question, NOTHING_FOUND, ())
    head = [one_line(summary)] if summary else [_overview(sources)]
    parts = [*head, *map(_section, sources[:MAX_SHOWN]), *_listed(sources[MAX_SHOWN:]), HOW_TO_GET_WORDS]
    text = "\n\n".join(parts)
    citations = tuple(Citation(source.file_path, source.start_line, _last_line(source)) for source in sources)
    return Answer(question, text, tuple(sources), citations)


def _overview(sources: Sequence[RetrievedContext]) -> str:
    """Name the places of the sources, the best first. A definition in several pieces is named once."""
    places: dict[str, str] = {}
    for source in sources:
        name = one_line(source.qualified_name or source.file_path)
        places.setdefault(name, f"{name} [{source.file_path}:{source.start_line}]")
    return f"Most likely: {', '.join(list(places.values())[:MAX_NAMED])}."


def _listed(sources: Sequence[RetrievedContext]) -> list[str]:
    """Name the places of sources without their text."""
    if not sources:
        return []
    places = [f"- {_place(source)}" for source in sources[:MAX_LISTED]]
    more = [f"- and {len(sources) - MAX_LISTED} more, which --json lists"] if len(sources) > MAX_LISTED else []
    return ["\n".join(["Further places:", "", *places, *more])]


def _place(source: RetrievedContext) -> str:
    """Name a source by its place, kind and name."""
    name = source.qualified_name or source.name
    return one_line(f"{source.file_path}:{source.start_line}-{_last_line(source)}  {source.type} {name}").rstrip()


def _section(source: RetrievedContext) -> str:
    # Quoted, since what stands around a section of Markdown are headings.
    header = [f"> {line}" for line in source.context_header.strip("\n").splitlines()]
    related = [f"- {related_line(related)}" for related in source.related_definitions]
    parts = [f"## {_place(source)}", "\n".join(header), _fenced(source), "\n".join(related)]
    return "\n\n".join(part for part in parts if part)


def _fenced(source: RetrievedContext) -> str:
    longest = max((len(run) for run in re.findall("`+", source.content)), default=0)
    fence = "`" * max(SHORTEST_FENCE, longest + 1)
    return "\n".join([fence + (source.language or ""), *content_lines(source), fence])


def _last_line(source: RetrievedContext) -> int:
    return source.start_line + len(content_lines(source)) - 1
