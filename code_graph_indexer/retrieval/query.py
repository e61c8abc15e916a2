"""Read a query: the words it is about, and the names in it that look like code."""

import re
from dataclasses import dataclass

from code_graph_indexer.retrieval.abbreviations import with_other_forms
from code_graph_indexer.words import NAME_SEPARATOR, dotted_name, query_words, split_identifier

MAX_QUERY = 4_000
"""Characters of a query that are read. A longer query is a pasted file, of which the start will do."""

MAX_JOINED = 3
"""Adjacent words that are tried as one name: `session middleware` may be SessionMiddleware."""

MIN_MESSAGE_WORDS = 3
"""Words from which a text without quotes may be a message that the code holds as it is written."""

SHORT_STEM, SURE_STEM = 3, 4
"""Letters that two forms of a word share at least, and letters from which a word may be the short form of any longer one."""

WORD_ENDINGS = frozenset(
    {
        *("", "e", "s", "es", "d", "ed", "r", "er", "ers", "or", "ors", "y", "ies", "ied", "al", "ly"),
        *("ing", "ings", "ion", "ions", "ation", "ations", "ment", "ments", "able", "ive", "ize", "izer", "ity"),
        *("ate", "ates", "ated", "ating", "ator", "ators", "ence", "ency", "encies"),
        *("ance", "ent", "ant", "ic", "ical"),
    }
)
"""What may follow the stem of an English word, such as `ing` in `routing`."""

_NAME = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*(?:(?:\.|::|->|#|/|\\)[A-Za-z_$][\w$]*)*[!?]?")
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|'([^'\n]{3,})'")
_WORD = re.compile(r"[A-Za-z]\w*")
# `-` and `.` are part of the word, so that `bash-it` is compared with the repository's name as a whole.
_SPOKEN = re.compile(r"\w[\w.-]*")
# A checkout may be called `flask-2.0` or `flask-main`, but people write `flask`.
_VERSION = re.compile(r"[-_ ]+(?:v?\d[\w.]*|main|master)$")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_TEST_WORDS = frozenset({"test", "tests", "testing", "spec", "fixture", "unittest", "pytest"})


@dataclass(frozen=True, slots=True)
class Query:
    """A query as the signals need it.

    `words` are the words of the text without stop words, and forms of them that programmers use (configuration: cfg).
    `names` are identifiers without their qualifiers (`a.B.c` is c), `qualified` are those with a qualifier, dotted.
    `joined` are names that adjacent words may form (`session middleware`: SessionMiddleware).
    `phrases` are substrings to find as written, `quoted` are the substrings in quotes. `message` is the whole text if it is
    longer and has no quotes, because the code may print it.
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


def read_query(text: str, repository: str = "") -> Query:
    """Read a query from any text.

    The name of the `repository` is left out of its words, because all of the code is about it.
    """
    # SQLite takes no lone surrogates, and its full-text queries end at a NUL.
    text = text.encode("utf-8", "replace").decode()[:MAX_QUERY].replace("\0", " ").strip()
    quoted = [next(part for part in match if part) for match in _QUOTED.findall(text)]
    spelled = _NAME.findall(text)
    # A word that is all of the query is read as a name, even if it looks like prose.
    alone = len(text.split()) == 1
    # `open(` is a name, while `open` in a sentence is a word.
    called = {name for name in spelled if f"{name}(" in text}
    code = [name for name in spelled if alone or name in called or looks_like_code(name)] + [
        part for part in quoted if _NAME.fullmatch(part)
    ]
    qualified = list(dict.fromkeys(dotted_name(name) for name in code))
    # The trigram index finds nothing under three characters, and quoted text has a signal of its own.
    phrases = [name for name in code if len(name) >= 3 and name not in quoted] + (
        [text] if alone and not quoted else []
    )
    plain = _WORD.findall(text)
    return Query(
        text=text,
        words=with_other_forms(query_words(_without(text, repository))),
        names=tuple(dict.fromkeys(name.rpartition(".")[2] for name in qualified)),
        qualified=tuple(name for name in qualified if "." in name),
        joined=tuple(_joined(plain)),
        phrases=tuple(dict.fromkeys(phrases)),
        quoted=tuple(dict.fromkeys(quoted)),
        message=text.rstrip(".!?: ") if not quoted and len(text.split()) >= MIN_MESSAGE_WORDS else "",
        about_tests=not _TEST_WORDS.isdisjoint(word.lower() for word in plain),
    )


def looks_like_code(name: str) -> bool:
    """Say whether a word of a sentence is an identifier: qualified, snake_case, camelCase or with digits."""
    return (
        "_" in name.strip("_")
        or bool(NAME_SEPARATOR.search(name))
        or len(split_identifier(name)) > 1
        or name.startswith("_")
    )


def _without(text: str, repository: str) -> str:
    """Leave out the name of the repository, however it is written (bash-it, BashIt), unless there is nothing else."""
    name = _plain(_VERSION.sub("", repository.lower()))
    rest = _SPOKEN.sub(lambda spoken: "" if _plain(spoken[0]) == name else spoken[0], text) if name else text
    return rest if rest.strip() else text


def _plain(name: str) -> str:
    return _BETWEEN_WORDS.sub("", name.lower())


def same_word(word: str, other_word: str) -> bool:
    """Say whether two words are forms of one: route and routing, format and formatter, url and urls, auth and authenticate."""
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
    """Join adjacent words to the names they may form, in camel and in snake case (case is ignored later)."""
    names: list[str] = []
    for size in range(2, MAX_JOINED + 1):
        for start in range(len(words) - size + 1):
            part = words[start : start + size]
            names += ["".join(part), "_".join(part)]
    return list(dict.fromkeys(names))
