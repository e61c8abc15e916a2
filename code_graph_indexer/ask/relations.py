"""Read questions on the relations of definitions: "who calls X", "what breaks if X changes", "path from A to B"."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

MAX_OTHER_WORDS = 3
"""Telling words beside the names and the relation of a question; with more it has to be understood."""

MAX_PHRASE, MAX_TAILS = 5, 3
"""Words of the longest phrase of questions.toml, and phrases like "in this repo" that may end a question."""

MAX_QUESTION = 300
"""Characters of a question; longer ones tell a story, which has to be understood."""


class Relation(StrEnum):
    """What a question to the graph asks for."""

    CALLERS = "callers"
    CALLEES = "callees"
    BASES = "bases"
    SUBCLASSES = "subclasses"
    IMPLEMENTATIONS = "implementations"
    PATH = "path"
    IMPACT = "impact"
    TESTS = "tests"
    IMPORTS = "imports"
    DEPENDENTS = "dependents"


class Asked(NamedTuple):
    """The relation that a question asks for, the names it asks it of, and by what that was told."""

    relation: Relation
    names: tuple[str, ...]
    reason: str


_NAME = r"[`'\"]?(?P<{}>(?:[\w.@+-]+/)*[A-Za-z_$@][\w$]*[!?]?(?:(?:\.|::|->|#|/|\\|:)[\w$~-]+[!?]?)*)(?:\(\))?[`'\"]?(?:'s)?"
"""A name as programmers write it: qualified in any language's way, a path, with brackets or in quotes."""


A_NAME = _NAME.format("a")

_SNAKE_OR_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_|_[A-Za-z0-9]|^[A-Z][a-z]+[A-Z]|::|->|#|\w\.\w|/\w|\\\w")
FILE_NAME = re.compile(r"[\w@.+-]+(?:[/\\][\w@.+-]+)*\.[A-Za-z][\w+]{0,9}")

_NAME_ALONE = re.compile(A_NAME)
_MENTION = re.compile(rf"(?<![\w$]){A_NAME}")
_PASSIVE = re.compile(
    r"^\W*(?:is|are|was|were|be|been|being|gets?|got)\b.*\b\w+(?:ed|en)\b|^\W*(?:\w+ed|overridden) (?:by|from|in)\b",
    re.I,
)
_TOPIC = re.compile(r"\s*(?::|,| [-–] )")
_BY = re.compile(r"\s+(?:by|from|in|inside)\b")
_IS = re.compile(r"\b(?:is|are|was|were|has|have)\W*$", re.I)
_FROM_TO = re.compile(
    r"\b(?:to|into|reach\w*|paths?|chains?|between|lands?|ends?|get|leads?|connect\w*|calls?)\b|->|→", re.I
)
_TO_BE_UNDERSTOOD = re.compile(
    r"\W*(?:how (?!many|often|risky|safe|do (?:we|i|you|calls) get)|why|explain|describe|what happens|what is|what's the"
    r"|what does .* do\b|should|when|difference|compare|example)",
    re.I,
)


class Keyword(NamedTuple):
    """A word that tells the relation asked for, which depends on where the name stands."""

    words: re.Pattern[str]
    before: Relation
    behind: Relation
    passive: Relation

    @classmethod
    def of(cls, entry: dict[str, str]) -> "Keyword":
        """Read an entry of questions.toml."""
        words = re.compile(rf"\b(?:{entry['words']})\b", re.IGNORECASE)
        return cls(words, *(Relation(entry[one]) for one in ("before", "behind", "passive")))


class Part(NamedTuple):
    """A part of a form: a name, or one of several phrases, which may be left out (`optional`) or come again (`many`).

    The phrases are kept by their first words, longest first.
    """

    name: bool
    phrases: Mapping[str, Sequence[tuple[str, ...]]] = MappingProxyType({})
    optional: bool = False
    many: bool = False


Form = tuple[Part, ...]


class Forms:
    """The forms of questions to the graph, read from questions.toml."""

    def __init__(self, text: str) -> None:
        told = tomllib.loads(text)
        self._lists: dict[str, list[str]] = told.pop("lists")
        self.keywords = tuple(Keyword.of(one) for one in told.pop("keywords"))
        self.kind, self.polite, self.tail = (self._phrases(one) for one in ("kind", "polite", "tail"))
        self.relations = tuple(
            (Relation(name), re.compile(entry["needs"], re.IGNORECASE), tuple(map(self._form, entry["forms"])))
            for name, entry in told.items()
        )
        self.definition = tuple(map(self._form, ("{where} {named*} {a} {behind_name*}", "{named*} {a} {behind_name*}")))
        self.literally = frozenset(self._lists["literally"])
        self.pronouns = frozenset(self._lists["pronouns"])
        triggers = [*(one.words.pattern for one in self.keywords), *map(re.escape, self._lists["triggers"]), "->|=>|→"]
        self.trigger = re.compile("|".join(triggers), re.IGNORECASE)
        every = ("polite", "tail", "kind", "who", "things", "aux", "when", "anyone", "breaks", "changing", "covers")
        filling = frozenset(word for one in every for entry in self._lists[one] for word in entry.split())
        self.empty = filling | self.pronouns

    def _phrases(self, name: str) -> Mapping[str, Sequence[tuple[str, ...]]]:
        return _by_first_word(tuple(one.split()) for one in self._lists[name])

    def _form(self, form: str) -> Form:
        return tuple(self._part(one) for one in re.findall(r"\([^)]*\)|\[[^\]]*\]|\S+", form))

    def _part(self, part: str) -> Part:
        if part in ("{a}", "{b}"):
            return Part(name=True)
        optional, many = part[0] == "[" or part[-2:-1] in "?*", part[-2:] == "*}"
        choices = part[1:-1].split("|") if part[0] in "([" else [part]
        phrases = [phrase for one in choices for phrase in self._choice(one)]
        return Part(False, _by_first_word(phrases), optional, many)

    def _choice(self, part: str) -> list[tuple[str, ...]]:
        if part[0] == "{":
            return [tuple(one.split()) for one in self._lists[part.strip("{}?*")]]
        return [tuple(part.split())]


def _by_first_word(phrases: Iterable[tuple[str, ...]]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for one in sorted(phrases, key=len, reverse=True):
        found[one[0]].append(one)
    return found


@cache
def forms() -> Forms:
    """Return the forms, read once."""
    return Forms(files(__package__).joinpath("questions.toml").read_text(encoding="utf-8"))


def read_relation(text: str, *, loosely: bool = False) -> Asked | None:
    """Read a question on relations; None for any other.

    Without `loosely` it has one of the forms of questions.toml; with it, it names code and has one of the key words.
    """
    read = _loosely if loosely else _by_form
    if len(text) > MAX_QUESTION or "\n" in text or not forms().trigger.search(text):
        return None
    sentences = [text, *(one for one in re.split(r"[?!.]\s+", text) if one)]
    found = next(filter(None, map(read, sentences)), None)
    if found is None:
        return None
    # A question mark ends the question, not the name, wherever no name of the code may end so.
    names = tuple(one.rstrip("?") if "?" in text else one for one in found.names)
    return found._replace(names=names)


def is_name(text: str) -> bool:
    """Say whether a word is written as only code is."""
    return bool(_SNAKE_OR_CAMEL.search(text)) or bool(FILE_NAME.fullmatch(text))


def names_by(several: Iterable[Form], text: str) -> tuple[str, ...]:
    """Return the names in a text that has one of these forms; nothing when it has none."""
    written = [one.strip(",;") for one in text.strip().rstrip("?!. ").split()]
    words = [one.lower() for one in written]
    known = forms()
    start = 0
    while start < len(words) and (taken := next(_taken(known.polite, words, start), 0)):
        start += taken
    # The polite words may be part of the form ("show"), and so may the words of the tail.
    for first in dict.fromkeys((start, 0)):
        for last in _ends(words):
            for form in several:
                found = _Match(form, written[:last], words[:last]).names(0, first)
                if found and all(map(_may_be_a_name, found)):
                    return found
    return ()


def _ends(words: Sequence[str]) -> Iterator[int]:
    """Yield where a question may end: at its end, before words like "in this repo", before a last "in X"."""
    last = len(words)
    yield last
    for _ in range(MAX_TAILS):
        for start in range(max(0, last - MAX_PHRASE), last):
            if start + next(_taken(forms().tail, words[:last], start), 0) == last:
                last = start
                yield last
                break
        else:
            break
    if last > MAX_PHRASE and words[last - 2] in ("in", "from", "within", "of", "across"):
        yield last - 2


def _taken(phrases: Mapping[str, Sequence[tuple[str, ...]]], words: Sequence[str], at: int) -> Iterator[int]:
    """Yield the lengths of the phrases that stand at a place, longest first."""
    for one in phrases.get(words[at], ()) if at < len(words) else ():
        if tuple(words[at : at + len(one)]) == one:
            yield len(one)


class _Match:
    """One form against the words of a question; where it cannot go on is remembered, so that no text takes long."""

    def __init__(self, form: Form, written: Sequence[str], words: Sequence[str]) -> None:
        self._form = form
        self._written = written
        self._words = words
        self._failed: set[tuple[int, int]] = set()

    def names(self, part_at: int, at: int) -> tuple[str, ...] | None:
        """Match the rest of the form to the rest of the words; return the names in it."""
        if part_at == len(self._form):
            return () if at == len(self._words) else None
        if (part_at, at) in self._failed:
            return None
        found = self._named(part_at, at) if self._form[part_at].name else self._phrased(part_at, at)
        if found is None:
            self._failed.add((part_at, at))
        return found

    def _phrased(self, part_at: int, at: int) -> tuple[str, ...] | None:
        part = self._form[part_at]
        for length in _taken(part.phrases, self._words, at):
            for following in (part_at, part_at + 1) if part.many else (part_at + 1,):
                found = self.names(following, at + length)
                if found is not None:
                    return found
        return self.names(part_at + 1, at) if part.optional else None

    def _named(self, part_at: int, at: int) -> tuple[str, ...] | None:
        """Match a name, with words for its kind before it and one behind it."""
        kind = forms().kind
        starts = [at]
        while (taken := next(_taken(kind, self._words, starts[-1]), 0)) and len(starts) < MAX_PHRASE:
            starts.append(starts[-1] + taken)
        for start in reversed(starts):
            name = _NAME_ALONE.fullmatch(self._written[start]) if start < len(self._words) else None
            if name is None:
                continue
            for end in (start + 1, start + 1 + next(_taken(kind, self._words, start + 1), 0)):
                found = self.names(part_at + 1, end)
                if found is not None:
                    return (name["a"].rstrip(".:"), *found)
        return None


def _by_form(text: str) -> Asked | None:
    """Find a question on the relations of definitions that has one of the forms."""
    for relation, needs, several in forms().relations:
        if needs.search(text) and (names := names_by(several, text)):
            return Asked(relation, names, f"asks for the {relation} of a name")
    return None


def _loosely(text: str) -> Asked | None:
    """Find a question on the relations of names written as code that has few other words, in any order."""
    if _TO_BE_UNDERSTOOD.match(text):
        return None
    places = [one for one in _MENTION.finditer(text) if _is_mentioned(one)]
    names = tuple(dict.fromkeys(one["a"].rstrip(".:") for one in places))
    if not 1 <= len(names) <= 2:
        return None
    known = forms()
    rest = _MENTION.sub(lambda one: " " if _is_mentioned(one) else one[0], text)
    found = next(((one, at) for one in known.keywords if (at := one.words.search(rest))), None)
    telling = [
        one
        for one in re.findall(r"[a-z]+", rest.lower())
        if one not in known.empty and not any(each.words.fullmatch(one) for each in known.keywords)
    ]
    if len(telling) > MAX_OTHER_WORDS:
        return None
    if len(names) == 2 and _FROM_TO.search(rest):
        return Asked(Relation.PATH, names, "names two definitions and a way")
    if found is None or len(names) == 2:
        return None
    entry = found[0]
    keyword = entry.words.search(text)
    at = places[0]
    behind = keyword is not None and keyword.start() < at.start()
    if _TOPIC.match(text[at.end() :]):
        relation = entry.behind
    elif keyword is not None and behind and _BY.match(text[keyword.end() : at.start()]):
        relation = entry.before
    elif not behind and (_PASSIVE.search(text[at.end() :]) or _IS.search(text[: at.start()])):
        relation = entry.passive
    else:
        relation = entry.behind if behind else entry.before
    return Asked(relation, names, f"names a definition, and says {found[1][0]!r}")


def _may_be_a_name(text: str) -> bool:
    """Say whether a word that stands where a name is expected may be one."""
    return text.lower() not in forms().pronouns and len(text) > 1


def _is_mentioned(found: re.Match[str]) -> bool:
    """Say whether a word of a sentence is a name of code: written so, in quotes, with brackets, or with a capital inside."""
    name, whole = found["a"], found[0]
    return (
        is_name(name)
        or whole[0] in "`'\""
        or whole.rstrip("`'\"").endswith(")")
        or (name[0].isupper() and found.start() > 0 and name.lower() not in forms().pronouns)
    )
