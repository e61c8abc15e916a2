"""Decide how to answer a query, from its text alone: in microseconds, without a language model."""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from code_graph_indexer.ask.relations import A_NAME, FILE_NAME, Relation, forms, is_name, names_by, read_relation
from code_graph_indexer.ask.trace import TraceFrame, read_frames
from code_graph_indexer.retrieval.query import MAX_QUERY, looks_like_code
from code_graph_indexer.retrieval.report import read_report

log = logging.getLogger(__name__)

MAX_WORDS_AROUND = 6
"""The most words beside a quoted text. A query with more words is not a search for the quoted text."""

MAX_FRAGMENTS = 2
"""The most parts of an error message that are searched literally."""

MAX_CODE_WORDS = 4
"""The most words of a query that is an error code with few words beside it."""

MIN_MESSAGE_WORDS = 4
"""The fewest words of an error message without quotes. Fewer words are keywords."""

LINES_OF_FRAME = 3
"""The lines of a text for each place in it, from which on the text is a report that tells more, and no trace."""


class Route(StrEnum):
    """The kind of a query.

    A query is a name, a place (path and line), a stack trace, a phrase to find literally, a question to the graph, or a
    concept (any other text).
    """

    NAME = "name"
    PLACE = "place"
    TRACE = "trace"
    PHRASE = "phrase"
    GRAPH = "graph"
    CONCEPT = "concept"


@dataclass(frozen=True, slots=True)
class FastPath:
    """A decision how to answer a query, made from its text alone, without a language model.

    `route` is the kind of query, and `reason` the feature of the text that decided. `names` are the definitions or files in
    the query, and `relation` is what the query asks about them. `frames` are places (path and line) in the query. `phrases`
    are texts to find literally.
    """

    route: Route
    reason: str
    names: tuple[str, ...] = ()
    relation: Relation | None = None
    frames: tuple[TraceFrame, ...] = ()
    phrases: tuple[str, ...] = ()


_ALONE = re.compile(rf"\W*?{A_NAME}\W*")
_HYPHENATED = re.compile(r"\W*?(?P<a>\w+(?:[-.:/]\w+)+)\W*")

_HEX = re.compile(r"(?<!\w)(?:0[xX][0-9a-fA-F]{2,}|#[0-9a-fA-F]{3,8}|[Uu]\+[0-9A-Fa-f]{4,6}|E?[0-9A-F]{5,}h)(?!\w)")
_QUOTED_WHOLE = re.compile(r"\s*(?:\"[^\"]+\"|'[^']{3,}'|`[^`]+`|“[^”]+”|«[^»]+»)[\s.?!]*")
# The apostrophe of `don't` opens no quotes.
_QUOTED = re.compile(r"\"([^\"\n]{3,})\"|“([^”\n]{3,})”|`([^`\n]{3,})`|(?<!\w)'([^'\n]{3,})'(?!\w)")
_ERROR_CODE = re.compile(
    r"\b(?:E[A-Z]{4,}|ERR_[A-Z_]+|[A-Z]{2,}[-_]?\d{2,}|(?:[A-Z][a-z]*)+(?:Error|Exception|Warning|Panic)):?(?!\w)"
)
_ERROR_TEXT = re.compile(
    r"(?:^|[\s(\[])(?:[\w.$]*(?:Error|Exception|Warning|Fault)|error|fatal|panic|warning|exception|E\d{4}"
    r"|thread '[^']+' panicked|failed|assertion failed|segfault|uncaught \w+)(?:\[\w+\])?: \S",
    re.IGNORECASE,
)
_SAYS_LITERALLY = re.compile(r"\b(?:strings?|literal(?:ly)?|text|phrase|message|exact(?:ly)?|verbatim)\b", re.I)
_SAID = re.compile(
    r"(?:(?:which|what) (?:line|statement|code|function|place|part)s?|what|who|where)(?: in the code)?(?: is responsible for)? "
    r"(?:print|throw|rais|emit|log|output|report)(?:s|es|ing|ed|ged)? (?:the (?:error|message|text|warning|exception) )?"
    r"(?P<text>\S+(?: \S+){2,})$"
    r"|where (?:does|do|is|did) (?:the |this )?(?:error|message|text|warning|exception|log line)s? (?P<text2>\S+(?: \S+){2,}?)"
    r" (?:come|comes|coming|originate|raised|thrown|printed|logged|defined)\b",
    re.I | re.S,
)
_MESSAGE = re.compile(
    r"%[sdrv]|\{\d*\}|\b(?:cannot|can not|could not|must (?:not |be |have )|may not|not found|failed|unexpected|invalid"
    r"|unable to|expected|no such|already|not allowed|denied|refused|died|retrying|does not (?:match|exist|have)"
    r"|is (?:not|required|missing)|are not|unknown|unsupported|detected|undefined|was not|were not|has been|terminate called"
    r"|missing|no \w+ matches)\b",
    re.I,
)
_STATEMENT = re.compile(r"(?:[A-Z\[*<(]|\W*[\w.$]+(?:Error|Exception)\b)[^?]*[.:!]", re.S)
_OPENING = "how|why|what|when|where|which|who|does|do|is|are|can|should|explain|describe|could|would|tell"
_ASKED = re.compile(rf"\?|^\W*(?:{_OPENING}|show|find|list|i|we|give)\b", re.I)
_TOLD = re.compile(
    rf"\?|^\W*(?:{_OPENING}|show|find|list|i)\b"
    r"|\b(?:i|i'm|my|we|our|me|why|how|after|but|because|handling|support|doesn't|isn't|won't|can't|should)\b",
    re.I,
)
"""Words of a person who describes a symptom. A program's message does not contain these words."""

_ERROR_NAME = re.compile(
    r"^(?:[\w.$]*(?:Error|Exception|Warning|Fault|Configured)|error|fatal|panic|warning)(?:\[\w+\])?: ", re.I
)
_FILLED_IN = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|%[a-z]|\{\w*\}|\b\d+\b|[<(\[][^>)\]]*[>)\]]")
_TODO = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b(?:[:(]| \w)")
_TRACE_WORD = re.compile(
    r"Traceback|stack ?trace|goroutine \d|panicked at|Exception in thread|Caused by|^\s*at |\n\s*at |\n\s*from |#\d+ "
    r"|Stack backtrace|Unhandled|\d+: 0x|panic:|:in [`']"
)
_QUESTION = re.compile(rf"\?\s*$|^(?:{_OPENING})\b", re.IGNORECASE)


def _ends(text: str) -> str:
    """Return a text without its middle if it is long: the innermost frame of a trace is its first or its last one."""
    return text if len(text) <= 2 * MAX_QUERY else f"{text[:MAX_QUERY]}\n{text[-MAX_QUERY:]}"


def places_of_report(text: str) -> FastPath | None:
    """Return the places in a report that tells more than them. Return None for a text that is mostly a trace."""
    text = _ends(text)
    frames = read_frames(text)
    if not frames or len(frames) * LINES_OF_FRAME >= len(text.split("\n")) or read_report(text) is None:
        return None
    return FastPath(Route.TRACE, f"{len(frames)} places in a report", frames=tuple(frames))


class FastPathRouter:
    """A router that decides the kind of a query from its text alone, without a language model.

    A query of no other kind is a concept, for which all signals search.

    Example:
        >>> from code_graph_indexer import FastPathRouter
        >>> path = FastPathRouter().route("who calls add_tax?")
        >>> path.route.value, path.names
        ('graph', ('add_tax',))
    """

    def route(self, text: str) -> FastPath:
        """Return the kind of a query, with the names, places or phrases in it. Of a long text, the ends count."""
        # Places come first, because a trace also holds names and messages. The loose reading guesses, so it comes last.
        path = self.places(text)
        text = text[:MAX_QUERY].strip()
        path = path or self._graph(text) or self._literal(text) or self._name(text)
        path = path or self._graph(text, loosely=True)
        path = path or FastPath(Route.CONCEPT, "words that are to be understood")
        log.debug("%r: %s", text[:200], path)
        return path

    @staticmethod
    def places(text: str) -> FastPath | None:
        """Return the stack frames, or the one place, that a query names. Return None if it names none, or tells more."""
        text = _ends(text.strip())
        frames = read_frames(text)
        if not frames or places_of_report(text):
            return None
        if len(frames) > 1 or "\n" in text or _TRACE_WORD.search(text):
            return FastPath(Route.TRACE, f"{len(frames)} stack frames", frames=tuple(frames))
        if len(text.split()) <= len(frames[0].name.split()) + 12:
            return FastPath(Route.PLACE, "a path with a line", (frames[0].path,), frames=tuple(frames))
        return None

    @staticmethod
    def _graph(text: str, *, loosely: bool = False) -> FastPath | None:
        """Return the question on relations of definitions that a query asks, or None."""
        question = read_relation(text, loosely=loosely)
        return FastPath(Route.GRAPH, question.reason, question.names, question.relation) if question else None

    @staticmethod
    def _literal(text: str) -> FastPath | None:
        """Return the text in a query to search literally: quoted text, a code or an error message. None without one."""
        quoted = tuple(next(part for part in match if part) for match in _QUOTED.findall(text))
        for reason, read in LITERALS:
            if phrases := read(text, quoted):
                return FastPath(Route.PHRASE, reason, phrases=phrases)
        return None

    @staticmethod
    def _name(text: str) -> FastPath | None:
        """Return the name of the definition or file that a query asks for, alone or with few other words, or None."""
        words = text.split()
        if len(words) == 1 and (alone := _ALONE.fullmatch(text) or _HYPHENATED.fullmatch(text)):
            return FastPath(Route.NAME, "one name", (alone["a"],))
        if len(words) == 1 and FILE_NAME.fullmatch(text.strip("`'\"?")):
            return FastPath(Route.NAME, "a file", (text.strip("`'\"?"),))
        names = names_by(forms().definition, text)
        if names and is_name(names[0]):
            return FastPath(Route.NAME, "asks where a name is", names)
        code = [word.strip("`'\"?!,.()") for word in words if is_name(word.strip("`'\"?!,.()"))]
        if len(words) <= 3 and len(code) == 1 and not _QUESTION.search(text):
            return FastPath(Route.NAME, "a name with a word beside it", tuple(code))
        return None


def _fragments(message: str) -> tuple[str, ...]:
    """Return the parts of an error message that the source code contains literally, longest first, at most MAX_FRAGMENTS.

    The name of the error and the values that the program filled in are left out.
    """
    bare = _ERROR_NAME.sub("", message.strip())
    parts = [part.strip(" .:,;!-") for part in _FILLED_IN.split(bare)]
    # The longest parts tell most.
    telling = sorted((part for part in parts if len(part.split()) > 1), key=len, reverse=True)
    return tuple(telling[:MAX_FRAGMENTS]) or (bare,)


Phrases = tuple[str, ...]


def _whole_quotes(text: str, quoted: Phrases) -> Phrases:
    # A single name in quotes is a name, not a phrase.
    if not _QUOTED_WHOLE.fullmatch(text) or (quoted and _ALONE.fullmatch(quoted[0])):
        return ()
    return quoted or (text.strip("\"'`“”«» "),)


def _hex_codes(text: str, quoted: Phrases) -> Phrases:
    codes = _HEX.findall(text)
    return (*quoted, *codes) if codes else ()


def _quotes_among_words(text: str, quoted: Phrases) -> Phrases:
    longest = max(quoted, key=len, default="")
    if " " not in longest and (not longest or _ALONE.fullmatch(longest)):
        return ()
    rest = [word for word in re.findall(r"\w+", _QUOTED.sub("", text)) if word.lower() not in forms().literally]
    return quoted if len(rest) <= MAX_WORDS_AROUND else ()


def _said(text: str, quoted: Phrases) -> Phrases:
    match = _SAID.match(text)
    return (quoted or ((match["text"] or match["text2"]).strip(" ?"),)) if match else ()


def _asked_literally(text: str, quoted: Phrases) -> Phrases:
    return quoted if _SAYS_LITERALLY.search(text) else ()


def _message(text: str, _: Phrases) -> Phrases:
    reads_as_message = (_MESSAGE.search(text) and not _TOLD.search(text)) or (
        _STATEMENT.fullmatch(text) and not _ASKED.search(text)
    )
    return _fragments(text) if reads_as_message and len(text.split()) >= MIN_MESSAGE_WORDS else ()


def _error_message(text: str, quoted: Phrases) -> Phrases:
    return (quoted or _fragments(text)) if _ERROR_TEXT.search(text) or _TODO.search(text) else ()


def _error_codes(text: str, _: Phrases) -> Phrases:
    words, codes = text.split(), tuple(_ERROR_CODE.findall(text))
    # `KeyError` as a word of its own is the name of a class.
    is_name = any(looks_like_code(code) and code in words for code in codes)
    return codes if len(words) <= MAX_CODE_WORDS and not is_name else ()


LITERALS: tuple[tuple[str, Callable[[str, Phrases], Phrases]], ...] = (
    ("text in quotes", _whole_quotes),
    ("a code", _hex_codes),
    ("text in quotes", _quotes_among_words),
    ("asks what says a text", _said),
    ("text that is asked for literally", _asked_literally),
    ("reads as a message of a program", _message),
    ("an error message", _error_message),
    ("an error code", _error_codes),
)
"""What reads the phrases to search literally from a text and its quotes, with the reason. The first that has some decides."""
