"""Parse the text of a query into its words, names, quoted texts and other parts to search for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from code_graph_indexer.results import SourceType
from code_graph_indexer.retrieval.abbreviations import with_other_forms
from code_graph_indexer.retrieval.everyday import related_words
from code_graph_indexer.words import (
    NAME_SEPARATOR,
    dotted_name,
    query_words,
    split_identifier,
    telling_identifiers,
)

MAX_QUERY = 4_000
"""Characters of a query that are read. A longer query is mostly a pasted file, and the start of a file is enough."""

MAX_JOINED = 3
"""Largest number of adjacent words that are joined to a name: `session middleware` → `sessionmiddleware`."""

LEAST_PART = 3
"""Fewest letters of each of the two words that a word may be made of: `readonly` → `read only`."""

MIN_MESSAGE_WORDS = 3
"""Least number of words in a query without quotes that is also searched as a message, such as the text of an error."""

_SENTENCE = re.compile(
    r"\W*(?:(?:how|what|why|when|where|which|who)\s+|(?:what|which|how (?:many|much|often|long|far))\s+(?:\w+\s+){1,2}?)"
    r"(?:do|does|did|is|are|was|were|can|could|will|would|should|has|have|happens?)\b|.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)
"""A question that is a whole sentence, "how does it …", and not a heading, "how it …", which has the code's own words."""

SHORT_STEM, SURE_STEM = 3, 4
"""Least number of first letters for `same_word`: of two forms of a word (`route`, `routing`), and of a short form (`auth`).

A short form needs no known ending: `auth` matches every word that begins with it, such as `authenticate`."""

WORD_ENDINGS = frozenset(
    {
        *("", "e", "s", "es", "d", "ed", "r", "er", "ers", "or", "ors", "y", "ies", "ied", "al", "ly"),
        *("ing", "ings", "ion", "ions", "ation", "ations", "ment", "ments", "able", "ive", "ize", "izer", "ity"),
        *("ate", "ates", "ated", "ating", "ator", "ators", "ence", "ency", "encies"),
        *("ance", "ent", "ant", "ic", "ical"),
    }
)
"""Endings of English words after their stem, such as `ing` in `routing`."""

_NAME = re.compile(r"(?<![\w$])(?:[^\W\d]|\$)[\w$]*(?:(?:\.|::|->|#|/|\\)(?:[^\W\d]|\$)[\w$]*)*[!?]?")
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|'([^'\n]{3,})'")
_WORD = re.compile(r"[^\W\d_]\w*")
# `-` and `.` are part of the word, so that `bash-it` is compared with the repository's name as a whole.
_SPOKEN = re.compile(r"\w[\w.-]*")
# A checkout may be called `flask-2.0` or `flask-main`, but people write `flask`.
_VERSION = re.compile(r"[-_ ]+(?:v?\d[\w.]*|main|master)$")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_DOCS = re.compile(
    r"\b(?:docs?|documentation|documented|readme|guides?|tutorials?|changelog|release notes|contributing|manual)\b",
    re.I,
)
_CONFIG = re.compile(
    r"\b(?:config(?:uration)? files?|settings? files?|workflows?|ci pipelines?|github actions|manifests?|build files?"
    r"|dependencies (?:declared|listed)|env files?|dockerfile|docker compose)\b",
    re.I,
)
_SPOKEN_OF = ((SourceType.MARKDOWN, _DOCS), (SourceType.TEXT, _CONFIG))
_TEST_WORDS = frozenset({"test", "tests", "testing", "spec", "fixture", "unittest", "pytest"})


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query, with the parts that the signals search for.

    * `words`: the words of the text without stop words, with other forms of them (`configuration` adds `cfg`).
    * `names`: the identifiers in the text, without qualifier (`a.B.c` → `c`).
    * `qualified`: the identifiers with a qualifier, joined by dots (`a::B` → `a.B`).
    * `joined`: names that adjacent words may form (`session middleware` → `sessionmiddleware`, `session_middleware`).
    * `phrases`: identifiers to find as substrings of the code. A query of one word is also a phrase.
    * `quoted`: the texts in quotes, to find as substrings.
    * `message`: the whole text, to find as a substring. Empty if the text has quotes, fewer than MIN_MESSAGE_WORDS words, or
      is `plain`: no code prints the question of a user.
    * `about_tests`: whether the text has a word such as `test`.
    * `documents`: the source types of the documents that the text speaks of: markdown (guides), text (settings).
    * `plain`: whether the text is a question in everyday words: a sentence without names and quotes.
    * `related`: for a plain text, the words that code has for its everyday words (`throw out` → `evict`).
    * `question`: beside expected words, which are then the `words`, the words of the question.
    """

    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    qualified: tuple[str, ...]
    joined: tuple[str, ...]
    phrases: tuple[str, ...]
    quoted: tuple[str, ...]
    message: str
    about_tests: bool
    documents: tuple[str, ...]
    plain: bool
    related: tuple[str, ...]
    question: tuple[str, ...] = ()

    @property
    def is_question(self) -> bool:
        """Whether the text asks in everyday words, alone or beside expected words."""
        return self.plain or bool(self.question)

    @property
    def terms(self) -> tuple[str, ...]:
        """The words to look for. A text of few words has compounds too: `readonly` ↔ `read only`, which is a phrase."""
        compounds = [name for name in self.joined if "_" not in name]
        if self.text.isalpha() and len(split_identifier(self.text)) == 1:
            ends = range(LEAST_PART, len(self.text) - LEAST_PART + 1)
            compounds = [f"{self.text[:end]} {self.text[end:]}" for end in ends]
        return (*self.words, *compounds) if len(self.text.split()) <= MAX_JOINED else self.words


def read_query(text: str, repository: str = "", expect: str = "") -> Query:
    """Parse the text of a query.

    `words` leaves out the name of the `repository`, because all of its code is about that name. `expect` has names and words
    that code for it would use: they are searched first, and the words of the text come second, as `question`.
    """
    if expect.strip():
        return _with_question(read_query(expect, repository), read_query(text, repository))
    # SQLite takes no lone surrogates, and its full-text queries end at a NUL.
    text = text.encode("utf-8", "replace").decode()[:MAX_QUERY].replace("\0", " ").strip()
    quoted = [next(part for part in match if part) for match in _QUOTED.findall(text)]
    alone = len(text.split()) == 1
    code = [*_code_names(text, alone), *filter(_NAME.fullmatch, quoted)]
    qualified = list(dict.fromkeys(dotted_name(name) for name in code))
    plain = _WORD.findall(text)
    words = query_words(_without(text, repository))
    is_plain = not code and not quoted and not alone and _SENTENCE.match(text) is not None
    return Query(
        text=text,
        words=with_other_forms(words),
        names=tuple(dict.fromkeys(name.rpartition(".")[2] for name in qualified)),
        qualified=tuple(name for name in qualified if "." in name),
        joined=tuple(_joined(plain)),
        phrases=_phrases(code, quoted, text if alone else ""),
        quoted=tuple(dict.fromkeys(quoted)),
        message="" if quoted or is_plain else _message(text),
        about_tests=not _TEST_WORDS.isdisjoint(word.lower() for word in plain),
        documents=tuple(kind.value for kind, form in _SPOKEN_OF if form.search(text)),
        plain=is_plain,
        related=related_words(list(dict.fromkeys(word.lower() for word in plain))) if is_plain else (),
    )


def _message(text: str) -> str:
    """Return a text without the sign at its end, as a message of the code may have it. Empty if it has too few words."""
    return text.rstrip(".!?: ") if len(text.split()) >= MIN_MESSAGE_WORDS else ""


def _with_question(expected: Query, question: Query) -> Query:
    """Return the query for expected words, with the words of the question second, and with its names and quoted texts."""
    # One word may be the whole name too.
    words = telling_identifiers(expected.text)
    return replace(
        expected,
        names=tuple(dict.fromkeys([*expected.names, *question.names])),
        joined=tuple(dict.fromkeys([*words, *expected.joined])),
        qualified=tuple(dict.fromkeys([*expected.qualified, *question.qualified])),
        phrases=tuple(dict.fromkeys([*expected.phrases, *question.phrases])),
        quoted=tuple(dict.fromkeys([*expected.quoted, *question.quoted])),
        about_tests=expected.about_tests or question.about_tests,
        documents=question.documents,
        plain=False,
        related=(),
        question=tuple(word for word in question.words if word not in expected.words),
    )


def _phrases(code: Sequence[str], quoted: Sequence[str], word: str) -> tuple[str, ...]:
    """List the identifiers to find as substrings, and the `word` that a query consists of, if it is alone, each once."""
    # The trigram index finds nothing under three characters, and quoted text has a signal of its own.
    names = [name for name in code if len(name) >= 3 and name not in quoted]
    return tuple(dict.fromkeys([*names, word] if word and not quoted else names))


def _code_names(text: str, alone: bool) -> list[str]:
    """List the names of code that a query spells."""
    # A word that is all of the query is read as a name, even if it looks like prose.
    # `open(` is a name, while `open` in a sentence is a word.
    return [name for name in _NAME.findall(text) if alone or f"{name}(" in text or looks_like_code(name)]


def looks_like_code(name: str) -> bool:
    """Return whether a word in a sentence looks like an identifier: qualified, snake_case, camelCase or with digits."""
    return (
        "_" in name.strip("_")
        or bool(NAME_SEPARATOR.search(name))
        or len(split_identifier(name)) > 1
        or name.startswith("_")
    )


def _without(text: str, repository: str) -> str:
    """Return a text without the name of the repository, in any spelling (`bash-it`, `BashIt`).

    A text that has no other word is returned unchanged.
    """
    name = _plain(_VERSION.sub("", repository.lower()))
    rest = _SPOKEN.sub(lambda spoken: "" if _plain(spoken[0]) == name else spoken[0], text) if name else text
    return rest if rest.strip() else text


def _plain(name: str) -> str:
    return _BETWEEN_WORDS.sub("", name.lower())


def same_word(word: str, other_word: str) -> bool:
    """Return whether two words are forms of the same word, such as `route` and `routing`, or `auth` and `authenticate`."""
    if word == other_word:
        return True
    # Nearly all pairs end here, which spares them the search for their common beginning.
    if word[:SHORT_STEM] != other_word[:SHORT_STEM]:
        return False
    common = next(
        (place for place, (a, b) in enumerate(zip(word, other_word, strict=False)) if a != b),
        min(len(word), len(other_word)),
    )
    endings = word[common:], other_word[common:]
    # One word begins the other (auth, authenticate), so its ending need not be a known one.
    if "" in endings and common >= SURE_STEM:
        return True
    return common >= SHORT_STEM and WORD_ENDINGS.issuperset(endings)


def _joined(words: list[str]) -> list[str]:
    """List the names that two or three adjacent words may form: `a b` → `ab`, `a_b`.

    The case of letters does not matter, because the search ignores it.
    """
    names: list[str] = []
    for size in range(2, MAX_JOINED + 1):
        for start in range(len(words) - size + 1):
            part = words[start : start + size]
            names += ["".join(part), "_".join(part)]
    return list(dict.fromkeys(names))
