"""Answer without a language model: show the sources themselves, best first, each with its place."""

import re
from collections.abc import Callable, Sequence
from itertools import islice

from code_graph_indexer.ask.context import content_lines, one_line, related_line
from code_graph_indexer.ask.results import Answer, Citation
from code_graph_indexer.retrieval.excerpt import matched_words
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.words import query_words

MAX_NAMED = 3
"""The most places that the first sentence of the answer names."""

MAX_WORDS = 5
"""The most words of a question that the reason for a place names."""

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


def extract(
    question: str,
    sources: Sequence[RetrievedContext],
    summary: str = "",
    notes: Sequence[str] = (),
    expect: str = "",
    ties: Callable[[], Sequence[str]] = tuple,
) -> Answer:
    """Return an answer that consists of the graph's summary and the sources, best first, each with a citation.

    The first MAX_SHOWN sources are shown with their text. Without sources, the answer says that nothing was found.
    `notes` come before all else. `expect` has words that such code was expected to use. Without a summary, `ties` is called
    for sentences that say how the sources call one another.
    """
    if not sources:
        return Answer(question, NOTHING_FOUND, ())
    head = [one_line(note) for note in notes]
    head += [one_line(summary)] if summary else [_overview(sources), *_reasons(f"{question} {expect}", sources, ties())]
    parts = [*head, *map(_section, sources[:MAX_SHOWN]), *_listed(sources[MAX_SHOWN:]), HOW_TO_GET_WORDS]
    text = "\n\n".join(parts)
    citations = tuple(Citation(source.file_path, source.start_line, _last_line(source)) for source in sources)
    return Answer(question, text, tuple(sources), citations)


def _overview(sources: Sequence[RetrievedContext]) -> str:
    """Return a sentence with the places of the first MAX_NAMED definitions. A definition in several pieces is named once."""
    places = [f"{name} [{source.file_path}:{source.start_line}]" for name, source in _likeliest(sources).items()]
    return f"Most likely: {', '.join(places)}."


def _likeliest(sources: Sequence[RetrievedContext]) -> dict[str, RetrievedContext]:
    """Map the names of the first MAX_NAMED definitions to the first piece of each."""
    first: dict[str, RetrievedContext] = {}
    for source in sources:
        first.setdefault(one_line(source.qualified_name or source.file_path), source)
    return dict(islice(first.items(), MAX_NAMED))


def _reasons(question: str, sources: Sequence[RetrievedContext], ties: Sequence[str]) -> list[str]:
    """Return a list of one text that says of the likeliest definitions why, and then the ties, or an empty list.

    A word that the names of all of them have, such as the name of the repository, is no reason for one.
    """
    words = query_words(question)[::-1]
    likeliest = _likeliest(sources)
    in_names = matched_words(list(likeliest), words)
    in_all = frozenset.intersection(*map(frozenset, in_names)) if len(likeliest) > 1 else frozenset()
    lines = []
    for (name, source), in_name in zip(likeliest.items(), in_names, strict=True):
        where, matches = "its name has", in_name - in_all
        if not matches:
            where, matches = "it has", matched_words([source.content], words)[0]
        if matches:
            reason = ", ".join([word for word in words if word in matches][:MAX_WORDS])
            lines.append(one_line(f"- {name}: {where} {reason}."))
    lines += [f"- {one_line(tie)}" for tie in ties]
    return ["\n".join(lines)] if lines else []


def _listed(sources: Sequence[RetrievedContext]) -> list[str]:
    """Return a Markdown list of the places of sources, as a list of one text. Without sources, the list is empty."""
    if not sources:
        return []
    places = [f"- {_place(source)}" for source in sources[:MAX_LISTED]]
    more = [f"- and {len(sources) - MAX_LISTED} more in `sources`"] if len(sources) > MAX_LISTED else []
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
