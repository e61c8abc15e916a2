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
"""The most words of a question in free words, not counting names, key words and filler words."""

MAX_PHRASE, MAX_TAILS = 5, 3
"""The most words of a phrase in questions.toml, and the most phrases like "in this repo" at the end of a question."""

MAX_QUESTION = 300
"""The most characters of a question on relations. A longer text is searched as it is."""


class Relation(StrEnum):
    """The relation between definitions or files that a question asks for."""

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
    """A question on relations: the relation, the names in the question, and the feature of the text that decided."""

    relation: Relation
    names: tuple[str, ...]
    reason: str


_NAME = r"[`'\"]?(?P<{}>(?:[\w.@+-]+/)*[A-Za-z_$@][\w$]*[!?]?(?:(?:\.|::|->|#|/|\\|:)[\w$~-]+[!?]?)*)(?:\(\))?[`'\"]?(?:'s)?"
"""A pattern for a name in code: simple, qualified in any language's way, or a file's path, also in quotes or with `()`."""

A_NAME = _NAME.format("a")

_SNAKE_OR_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_|_[A-Za-z0-9]|^[A-Z][a-z]+[A-Z]|::|->|#|\w\.\w|/\w|\\\w")
FILE_NAME = re.compile(r"[\w@.+-]+(?:[/\\][\w@.+-]+)*\.[A-Za-z][\w+]{0,9}")

_NAME_ALONE = re.compile(A_NAME)
# Between the ends of an arrow stand names only, also those that are words of questions: `call -> run`.
_ARROW = re.compile(rf"\s*{A_NAME}\s+(?:->|=>|→)\s+{_NAME.format('b')}\s*")
_MENTION = re.compile(rf"(?<![\w$]){A_NAME}")
_PASSIVE = re.compile(
    r"^\W*(?:is|are|was|were|be|been|being|gets?|got)\b.*\b\w+(?:ed|en)\b|^\W*(?:\w+ed|overridden) (?:by|from|in)\b",
    re.I,
)
# In `Cart.add: who calls it`, the name is the topic.
_TOPIC = re.compile(r"\s*(?::|,| [-–] )")
_BY = re.compile(r"\s+(?:by|from|in|inside)\b")
_IS = re.compile(r"\b(?:is|are|was|were|has|have)\W*$", re.I)
_ARTICLE, _NEXT_WORD = re.compile(r"\b(?:the|an?)\s+$", re.I), re.compile(r"\s+([a-z]+)\b")
_FROM_TO = re.compile(
    r"\b(?:to|into|reach\w*|paths?|chains?|between|lands?|ends?|get|leads?|connect\w*|calls?)\b|->|→", re.I
)
# In `who calls add, and with which parent?`, a second question is about the answers of the first.
_SECOND = re.compile(
    r",?\s+and\s+(?:(?:with|in|on|at|to|from|for|by|of)\s+)?(?:which|what|how|whose|whom?|where|when|why)\b", re.I
)
# A question that begins so wants an explanation, and no list of definitions.
_TO_BE_UNDERSTOOD = re.compile(
    r"\W*(?:how (?!many|often|risky|safe|do (?:we|i|you|calls) get)|why|explain|describe|what happens|what is|what's the"
    r"|what does .* do\b|should|when|difference|compare|example)",
    re.I,
)


class Keyword(NamedTuple):
    """A pattern of words that point to a relation, such as "calls".

    The relation depends on the place of the name: `before` the words, `behind` (after) the words, or before a passive
    ("X is used").
    """

    words: re.Pattern[str]
    before: Relation
    behind: Relation
    passive: Relation

    @classmethod
    def of(cls, entry: dict[str, str]) -> "Keyword":
        """Return the keyword for an entry of questions.toml."""
        words = re.compile(rf"\b(?:{entry['words']})\b", re.IGNORECASE)
        return cls(words, *(Relation(entry[key]) for key in ("before", "behind", "passive")))


class Part(NamedTuple):
    """A part of a form (the pattern of a question): a name, or one of several phrases.

    An `optional` part may be missing. A part with `many` may be repeated. `phrases` maps a first word to the phrases that
    begin with this word, longest first.
    """

    name: bool
    phrases: Mapping[str, Sequence[tuple[str, ...]]] = MappingProxyType({})
    optional: bool = False
    many: bool = False


Form = tuple[Part, ...]


class Forms:
    """The forms (patterns) of questions to the graph, read from the text of questions.toml."""

    def __init__(self, text: str) -> None:
        tables = tomllib.loads(text)
        self._lists: dict[str, list[str]] = tables.pop("lists")
        self.keywords = tuple(Keyword.of(entry) for entry in tables.pop("keywords"))
        self.kind, self.polite, self.tail = (self._phrases(key) for key in ("kind", "polite", "tail"))
        self.relations = tuple(
            (Relation(name), re.compile(entry["needs"], re.IGNORECASE), tuple(map(self._form, entry["forms"])))
            for name, entry in tables.items()
        )
        self.definition = tuple(map(self._form, ("{where} {named*} {a} {behind_name*}", "{named*} {a} {behind_name*}")))
        self.literally = frozenset(self._lists["literally"])
        self.pronouns = frozenset(self._lists["pronouns"])
        # Most texts hold no trigger, and one search is all that they cost.
        triggers = [
            *(keyword.words.pattern for keyword in self.keywords),
            *map(re.escape, self._lists["triggers"]),
            "->|=>|→",
        ]
        self.trigger = re.compile("|".join(triggers), re.IGNORECASE)
        lists = ("polite", "tail", "kind", "who", "things", "aux", "when", "anyone", "breaks", "changing", "covers")
        filling = frozenset(word for key in lists for entry in self._lists[key] for word in entry.split())
        self.empty = filling | self.pronouns

    def _phrases(self, name: str) -> Mapping[str, Sequence[tuple[str, ...]]]:
        return _by_first_word(tuple(phrase.split()) for phrase in self._lists[name])

    def _form(self, form: str) -> Form:
        return tuple(self._part(part) for part in re.findall(r"\([^)]*\)|\[[^\]]*\]|\S+", form))

    def _part(self, part: str) -> Part:
        if part in ("{a}", "{b}"):
            return Part(name=True)
        optional, repeated = part[0] == "[" or part[-2:-1] in "?*", part[-2:] == "*}"
        choices = part[1:-1].split("|") if part[0] in "([" else [part]
        phrases = [phrase for choice in choices for phrase in self._choice(choice)]
        return Part(False, _by_first_word(phrases), optional, repeated)

    def _choice(self, part: str) -> list[tuple[str, ...]]:
        if part[0] == "{":
            return [tuple(phrase.split()) for phrase in self._lists[part.strip("{}?*")]]
        return [tuple(part.split())]


def _by_first_word(phrases: Iterable[tuple[str, ...]]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    by_first_word: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for phrase in sorted(phrases, key=len, reverse=True):
        by_first_word[phrase[0]].append(phrase)
    return by_first_word


@cache
def forms() -> Forms:
    """Return the forms (patterns of questions) in questions.toml. The file is read only once."""
    return Forms(files(__package__).joinpath("questions.toml").read_text(encoding="utf-8"))


def read_relation(text: str, *, loosely: bool = False) -> Asked | None:
    """Return the question on relations that a text asks, or None for any other text.

    Without `loosely`, a sentence must match one of the forms (patterns) in questions.toml. With `loosely`, one or two names
    of code and one key word suffice.
    """
    read = _loosely if loosely else _by_form
    if arrow := _ARROW.fullmatch(text[:MAX_QUESTION]):
        return Asked(Relation.PATH, (arrow["a"], arrow["b"]), "names two definitions and an arrow")
    if len(text) > MAX_QUESTION or "\n" in text or not forms().trigger.search(text):
        return None
    # A question may stand before another, or behind other sentences, so each is also tried alone.
    first = _SECOND.split(text, maxsplit=1)[0]
    sentences = dict.fromkeys([first, text, *(sentence for sentence in re.split(r"[?!.]\s+", text) if sentence)])
    question = next(filter(None, map(read, sentences)), None)
    if question is None:
        return None
    # A question mark ends the question, not the name, wherever no name of the code may end so.
    names = tuple(name.rstrip("?") if "?" in text else name for name in question.names)
    return question._replace(names=names)


def further_words(text: str) -> list[str]:
    """Return the words of a question on relations beyond its names, its key words and filler: what else it is about."""
    rest = _MENTION.sub(lambda match: " " if _is_mentioned(match) else match[0], text)
    asking = forms()
    words = re.findall(r"[a-z]+", rest.lower())
    return [
        word
        for word in words
        if word not in asking.empty and not any(keyword.words.fullmatch(word) for keyword in asking.keywords)
    ]


def is_name(text: str) -> bool:
    """Say whether a word is spelled like code or a path, not like prose: `add_tax`, `addTax`, `Cart.add`, `src/cart.py`."""
    return bool(_SNAKE_OR_CAMEL.search(text)) or bool(FILE_NAME.fullmatch(text))


def names_by(candidates: Iterable[Form], text: str) -> tuple[str, ...]:
    """Return the names in a text that matches one of these forms (patterns). Without a match, return an empty tuple."""
    spelled = [word.strip(",;") for word in text.strip().rstrip("?!. ").split()]
    words = [word.lower() for word in spelled]
    all_forms = forms()
    start = 0
    while start < len(words) and (length := next(_taken(all_forms.polite, words, start), 0)):
        start += length
    # The polite words may be part of the form ("show"), and so may the words of the tail.
    for first in dict.fromkeys((start, 0)):
        for last in _ends(words):
            for form in candidates:
                names = _Match(form, spelled[:last], words[:last]).names(0, first)
                if names and all(map(_may_be_a_name, names)):
                    return names
    return ()


def _ends(words: Sequence[str]) -> Iterator[int]:
    """Yield each number of words after which a question may end: all, or without a last "in this repo" or "in X"."""
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
    """Yield the number of words of each phrase that begins at position `at` of `words`, longest first."""
    for phrase in phrases.get(words[at], ()) if at < len(words) else ():
        if tuple(words[at : at + len(phrase)]) == phrase:
            yield len(phrase)


class _Match:
    """A match of one form, such as "who calls NAME", with the words of a question, by backtracking.

    Pairs of positions that failed are remembered, so the time is polynomial.
    """

    def __init__(self, form: Form, spelled: Sequence[str], words: Sequence[str]) -> None:
        self._form = form
        self._written = spelled
        self._words = words
        self._failed: set[tuple[int, int]] = set()

    def names(self, part_at: int, at: int) -> tuple[str, ...] | None:
        """Match the form from part `part_at` with the words from `at`. Return the names, or None without a match."""
        if part_at == len(self._form):
            return () if at == len(self._words) else None
        if (part_at, at) in self._failed:
            return None
        names = self._named(part_at, at) if self._form[part_at].name else self._phrased(part_at, at)
        if names is None:
            self._failed.add((part_at, at))
        return names

    def _phrased(self, part_at: int, at: int) -> tuple[str, ...] | None:
        part = self._form[part_at]
        for length in _taken(part.phrases, self._words, at):
            # A part that may come again is first tried again.
            for following in (part_at, part_at + 1) if part.many else (part_at + 1,):
                names = self.names(following, at + length)
                if names is not None:
                    return names
        return self.names(part_at + 1, at) if part.optional else None

    def _named(self, part_at: int, at: int) -> tuple[str, ...] | None:
        """Match a name, with or without a word for its kind (`the method add`, `add method`), then the rest of the form."""
        kind = forms().kind
        starts = [at]
        while (length := next(_taken(kind, self._words, starts[-1]), 0)) and len(starts) < MAX_PHRASE:
            starts.append(starts[-1] + length)
        # As many words of a kind as possible are skipped first. The last one may be the name itself.
        for start in reversed(starts):
            name = _NAME_ALONE.fullmatch(self._written[start]) if start < len(self._words) else None
            if name is None:
                continue
            for end in (start + 1, start + 1 + next(_taken(kind, self._words, start + 1), 0)):
                names = self.names(part_at + 1, end)
                if names is not None:
                    return (name["a"].rstrip(".:"), *names)
        return None


_CONDITION = re.compile(r"\s(?:if|when|while|because|unless|although|until)\s", re.IGNORECASE)
"""Matches the word between what is asked and a condition. The name of a condition is not what is asked."""


def _by_form(text: str) -> Asked | None:
    """Return the question on relations if the text matches one of the forms, else None."""
    for relation, needs, candidates in forms().relations:
        if needs.search(text) and (names := names_by(candidates, text)):
            return Asked(relation, names, f"asks for the {relation} of a name")
    return None


def _loosely(text: str) -> Asked | None:
    """Return the question on relations if the text has one or two names of code, a key word and few other words, else None."""
    # In `inside X, what happens when …`, the question stands behind a clause.
    if any(map(_TO_BE_UNDERSTOOD.match, re.split(r"[,;:]\s", text))):
        return None
    places = [mention for mention in _MENTION.finditer(text) if _is_mentioned(mention)]
    names = tuple(dict.fromkeys(mention["a"].rstrip(".:") for mention in places))
    if not 1 <= len(names) <= 2:
        return None
    all_forms = forms()
    # Names are taken out first, because `test_call` would pass for a key word.
    rest = _MENTION.sub(lambda match: " " if _is_mentioned(match) else match[0], text)
    hit = next(((keyword, at) for keyword in all_forms.keywords if (at := keyword.words.search(rest))), None)
    if len(further_words(text)) > MAX_OTHER_WORDS:
        return None
    if len(names) == 2 and _FROM_TO.search(rest):
        return Asked(Relation.PATH, names, "names two definitions and a way")
    if hit is None or len(names) == 2:
        return None
    # In `which codec is used if nobody can do Opus`, what is used is not the name.
    apart = text[hit[1].end() : places[0].start()]
    if hit[0].behind is not Relation.IMPACT and _CONDITION.search(apart):
        return None
    return Asked(_relation(hit[0], text, places[0]), names, f"names a definition, and says {hit[1][0]!r}")


def _relation(entry: Keyword, text: str, name: re.Match[str]) -> Relation:
    """Return the relation that a keyword asks of a name, by their order and the words before, between and behind them."""
    # Searched once more, because it was found in a text without the names.
    keyword = entry.words.search(text)
    behind = keyword is not None and keyword.start() < name.start()
    if _TOPIC.match(text[name.end() :]):
        return entry.behind
    if keyword is not None and behind and _BY.match(text[keyword.end() : name.start()]):
        return entry.before
    if not behind and (_PASSIVE.search(text[name.end() :]) or _IS.search(text[: name.start()])):
        return entry.passive
    return entry.behind if behind else entry.before


def _may_be_a_name(text: str) -> bool:
    """Say whether a word at the place of a name may be a name: longer than one letter, and not a pronoun."""
    return text.lower() not in forms().pronouns and len(text) > 1


def _is_mentioned(mention: re.Match[str]) -> bool:
    """Say whether a word in a text is a name of code: by its spelling, quotes, brackets, or a capital after the first word."""
    name, whole = mention["a"], mention[0]
    return (
        is_name(name)
        or whole[0] in "`'\""
        or whole.rstrip("`'\"").endswith(")")
        # At the start of a sentence, any word has a capital.
        or (
            name[0].isupper()
            and mention.start() > 0
            and name.lower() not in forms().pronouns
            and not _tells_a_noun(mention)
        )
    )


def _tells_a_noun(mention: re.Match[str]) -> bool:
    """Say whether a capitalised word only tells which thing of another kind is meant: `the Chrome executable`."""
    word = _NEXT_WORD.match(mention.string, mention.end())
    if word is None or not _ARTICLE.search(mention.string[: mention.start()]):
        return False
    asking = forms()
    is_kind = word[1] in asking.kind or word[1] in asking.empty
    return not is_kind and not any(keyword.words.fullmatch(word[1]) for keyword in asking.keywords)
