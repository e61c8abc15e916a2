"""Find the sentence by which a text says what it is about."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice

from code_graph_indexer.words import split_identifier

MAX_SENTENCE = 160
"""Most characters of a sentence."""

MAX_PARAGRAPHS = 12
"""Most paragraphs of a README among which the sentence that says what it is about is looked for."""

MAX_NAME = 4
"""Most words of a name at the beginning of a sentence, and most words between it and its verb."""

_MARKS = re.compile(
    r"^[#=*~\-`>\s!|+]+|[*`]|(?<![^\s(])_(?=[^_\s])|(?<=[^_\s])_(?![^\s.,;:!?)])|(?<!\S)\|(?=\w)|(?<=\w)\|_?(?!\w)|<[^>]*>|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?"
)
_BLOCK = re.compile(
    r"<h(\d)\b.*?</h\1>|</?(?:p|div|br|hr|table|tr|td|li|ul|center)\b[^>]*>\s*|^[^\n]+\n[=~^*-]{3,}[ \t]*$",
    re.I | re.S | re.M,
)
_FENCED = re.compile(r"^(```|~~~)[^\n]*\n.*?^\1", re.S | re.M)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_TITLE = re.compile(
    r"^(?:#[ \t]+(?P<marked>\S.*)|(?P<underlined>\S.*)\n(?:={3,}|\*{3,})[ \t]*|[ \t]*<h1\b[^>]*>(?P<tagged>[^\0]*?)</h1>.*)$",
    re.M,
)
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_TARGET = re.compile(
    r"^[ \t]{0,3}\[[^\]\n]+\]:[^\n]*$|^\.\.[ \t][^\n]*(?:\n[ \t]+\S[^\n]*)*|^[ \t]*\|.*\|[ \t]*$", re.M
)
_LINK = re.compile(
    r"\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|<a\b[^>]*>.*?</a>|`[^`]*<[^>`]*>`__?|\|[^|\n]+\|_?|<?https?:\S+", re.S
)
_TAG = re.compile(r"^@(?:module|file|fileoverview)\s+")
_NO_PROSE = re.compile(
    r"copyright|licen[sc]e|spdx|all rights|you may not use|unless required by|\bbin/(?:env|\w*sh)\b|eslint|^(?:@|https?:|\.\.)",
    re.I,
)
_NOTICE = re.compile(
    r"!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\b|[A-Z]{2,} [A-Z]{2,}\b"
    r"|(?i:(?:please )?(?:note|tip|important|warning|caution|notice)(?:\W*[:!]| that\b))"
)
_INDENTED = re.compile(r"(?: {4}|\t)[^\n]*(?:\n(?: {4}|\t)[^\n]*)*\s*")
_SECTION = re.compile(r"^#{2,}[ \t]|^\S[^\n]*\n(?:-{3,}|~{3,})[ \t]*$|<h[2-6]\b", re.M)
_POINTER = re.compile(r"\breadme\b|^(?:see|for|please|visit)\b[^.]*(?:website|documentation|docs|chat|forum)", re.I)
_IS = re.compile(r"\bis (?:an?|the|one)$|\bis (?:an?|the|one) ")
_KEYWORD = re.compile(r"\$[A-Z]\w*:[^$\n]*\$")
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[eE]\.g\.)(?<!\bi\.e\.)\s")
_HEADING = re.compile(r"^(?:#|[=~\-*^]{3,}$)")


def first_sentence(text: str) -> str:
    """Return the first sentence of a text that is prose, without marks of Markdown.

    Headings, badges, licences, fenced code and what version control filled in, such as `$Id: a.c,v 1.2 $`, are left out. A
    paragraph of one exclamation welcomes the reader, and is taken if there is no other.
    """
    return _first(_paragraphs(text))


def readme_sentence(text: str, folder: str) -> str:
    """Return the sentence of a README that says what a thing is.

    That is one before the first section that says `Koel is a …`, or else the first that leads nowhere else, or else such a
    definition in a section. The name is that of the title or of the `folder`. What stands above the title, such as a notice of
    a sponsor, does not say it.
    """
    text = _COMMENT.sub("", text)
    title = _TITLE.search(text)
    below = text[title.end() :] if title else text
    section = _SECTION.search(below)
    names = {_squashed(name) for name in (folder, *(_names(title) if title else ()))} - {""}
    opening = list(_paragraphs(below[: section.start()] if section else below, is_readme=True))
    whole = list(islice(_paragraphs(below, is_readme=True), MAX_PARAGRAPHS))
    sentences = chain(
        (sentence for sentence in map(_opening, opening) if _defines(sentence, names)),
        (
            sentence
            for sentence in map(_opening, opening)
            if not sentence.endswith("!") and not _POINTER.search(sentence)
        ),
        (sentence for sentence in map(_opening, whole) if _defines(sentence, names)),
    )
    return _cut(next(sentences, "")) or _first([*opening, *whole]) or first_sentence(text)


def _names(title: re.Match[str]) -> Iterator[str]:
    """Yield a title, and its first word if it has several: `ripgrep (rg)`."""
    name = _MARKS.sub(r"\1", _IMAGE.sub("", title["marked"] or title["underlined"] or title["tagged"])).strip()
    name = re.sub(r"^(?:the|an?)\s", "", name, flags=re.I)
    yield name
    yield re.split(r"[\s:–—(]", name)[0]


def _squashed(text: str) -> str:
    """Return the letters and digits of a text: the same for `HTTP Core` and `httpcore`."""
    return re.sub(r"[\W_]", "", text).lower()


def _defines(sentence: str, names: Collection[str]) -> bool:
    """Say whether a sentence says what one of some names is: `Koel (a word) is a …`, `The shop is …`."""
    words = re.sub(r"\([^)]*\)", "", re.sub(r"^(?:the|an?)\s", "", sentence, flags=re.I)).split()
    for end in range(1, min(len(words), MAX_NAME + 1)):
        if _squashed("".join(words[:end])) in names:
            return _IS.search(" ".join(words[end:][:MAX_NAME])) is not None
    return False


def _paragraphs(text: str, *, is_readme: bool = False) -> Iterator[str]:
    """Yield the paragraphs of a text that are prose, without marks. Of a README, code, notices and rows of links are none."""
    text = _IMAGE.sub("", _FENCED.sub("\n\n", _KEYWORD.sub("", _COMMENT.sub("", text))))
    text = _BLOCK.sub("\n\n", _TARGET.sub("", text))
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [line for line in paragraph.strip().split("\n") if not _HEADING.match(line.strip())]
        plain = _TAG.sub("", " ".join(" ".join(_MARKS.sub(r"\1", line) for line in lines).split()))
        bare = _LINK.sub("", "\n".join(lines))
        if len(split_identifier(plain)) < 2 or _NO_PROSE.search(plain):
            continue
        if is_readme and (len(split_identifier(bare)) < 2 or _INDENTED.fullmatch(paragraph) or _NOTICE.match(plain)):
            continue
        yield plain


def _opening(paragraph: str) -> str:
    """Return the first sentence of a paragraph."""
    return _SENTENCE.split(paragraph)[0]


def _first(paragraphs: Iterable[str]) -> str:
    """Return the first sentence of some paragraphs that is more than an exclamation, or else the first exclamation."""
    welcome = ""
    for paragraph in paragraphs:
        sentence = _opening(paragraph)
        if sentence != paragraph or not paragraph.endswith("!"):
            return _cut(sentence)
        welcome = welcome or sentence[:MAX_SENTENCE]
    return welcome


def _cut(sentence: str) -> str:
    """Return a sentence, or its first words if it is long."""
    return sentence if len(sentence) <= MAX_SENTENCE else sentence[:MAX_SENTENCE].rsplit(" ", 1)[0] + " …"
