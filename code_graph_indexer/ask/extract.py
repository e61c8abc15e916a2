"""Answer without a language model: show the sources themselves, best first, each with its place."""

import re
from collections.abc import Sequence

from code_graph_indexer.ask.context import content_lines, one_line, related_line
from code_graph_indexer.ask.results import Answer, Citation
from code_graph_indexer.retrieval.results import RetrievedContext

MAX_NAMED = 3
"""The most places that the first sentence of the answer names."""

MAX_SHOWN = 12
"""The most sources that are shown with their text, because a person reads a few pages. The others are only listed."""

MAX_LISTED = 12
"""The most further places that are listed in the text. The answer's citations contain all places."""

SHORTEST_FENCE = 3
"""Number of backticks in the shortest code fence that Markdown allows."""

HOW_TO_GET_WORDS = (
    "No language model was asked. For an answer in words, set ANTHROPIC_API_KEY, or CGI_BASE_URL for a compatible "
    "endpoint, and ask again."
)
NOTHING_FOUND = (
    "Nothing in the index matches this question. Try the words or names the code itself would use, or one name "
    "alone. If the code is new, bring the index up to date."
)


def extract(question: str, sources: Sequence[RetrievedContext], summary: str = "", notes: Sequence[str] = ()) -> Answer:
    """Return an answer that consists of the graph's summary and the sources, best first, each with a citation.

    The first MAX_SHOWN sources are shown with their text. Without sources, the answer says that nothing was found.
    `notes` come before all else.
    """
    if not sources:
        return Answer(question, NOTHING_FOUND, ())
    head = [one_line(note) for note in notes]
    head += [one_line(summary)] if summary else [_overview(sources)]
    parts = [*head, *map(_section, sources[:MAX_SHOWN]), *_listed(sources[MAX_SHOWN:]), HOW_TO_GET_WORDS]
    text = "\n\n".join(parts)
    citations = tuple(Citation(source.file_path, source.start_line, _last_line(source)) for source in sources)
    return Answer(question, text, tuple(sources), citations)


def _overview(sources: Sequence[RetrievedContext]) -> str:
    """Return a sentence with the places of the first MAX_NAMED definitions. A definition in several pieces is named once."""
    places: dict[str, str] = {}
    for source in sources:
        name = one_line(source.qualified_name or source.file_path)
        places.setdefault(name, f"{name} [{source.file_path}:{source.start_line}]")
    return f"Most likely: {', '.join(list(places.values())[:MAX_NAMED])}."


def _listed(sources: Sequence[RetrievedContext]) -> list[str]:
    """Return a Markdown list of the places of sources, as a list of one text. Without sources, the list is empty."""
    if not sources:
        return []
    places = [f"- {_place(source)}" for source in sources[:MAX_LISTED]]
    more = [f"- and {len(sources) - MAX_LISTED} more, which --json lists"] if len(sources) > MAX_LISTED else []
    return ["\n".join(["Further places:", "", *places, *more])]


def _place(source: RetrievedContext) -> str:
    """Return one line with the path, lines, kind and name of a source."""
    name = source.qualified_name or source.name
    return one_line(f"{source.file_path}:{source.start_line}-{_last_line(source)}  {source.type} {name}").rstrip()


def _section(source: RetrievedContext) -> str:
    # Quoted, because the header of a Markdown section holds headings, which would look like those of the answer.
    header = [f"> {line}" for line in source.context_header.strip("\n").splitlines()]
    related = [f"- {related_line(related)}" for related in source.related_definitions]
    parts = [f"## {_place(source)}", "\n".join(header), _fenced(source), "\n".join(related)]
    return "\n\n".join(part for part in parts if part)


def _fenced(source: RetrievedContext) -> str:
    # The fence is longer than any run of backticks in the text, so the text cannot end it.
    longest = max((len(run) for run in re.findall("`+", source.content)), default=0)
    fence = "`" * max(SHORTEST_FENCE, longest + 1)
    return "\n".join([fence + (source.language or ""), *content_lines(source), fence])


def _last_line(source: RetrievedContext) -> int:
    return source.start_line + len(content_lines(source)) - 1
