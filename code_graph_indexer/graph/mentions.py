"""Read what the texts of a repository say of names: how often they stand there, and in which ways code may come by them."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import NamedTuple

from code_graph_indexer.languages import languages
from code_graph_indexer.storage import Store

TOKEN = re.compile(r"[^\W\d]\w*")
"""Pattern of a word."""

COMMENT_STARTS = ("//", "/*", "*", "# ")
"""The starts of lines of comments."""

GUESS = 0.6
"""Confidence of a link that follows a name alone: it may mean another definition of this name."""

WHOLE = "its file exports it as a whole, and a loader may take it by the path of the file"
"""Why a default export is hardly unused: a router of files, such as that of Next.js, names no page."""

LOADED = "a text holds its name with those around it, and code may load it by that"
"""Why a definition is hardly unused that a text names in full, as a configuration does: `"shop.cart.Cart"`."""

HANDLED = "a page calls it, in a script or a handler of an event"
"""Why a definition is hardly unused that a page calls, as in `<body onload="start()">`."""

SOUGHT = "a text is its name, and code may look it up by that"
"""Why a definition is hardly unused whose name is a text or symbol, as in `getattr(cart, "total")` and `send(:total)`."""

SHOWN = "an example in a documentation runs it"
"""Why a definition is hardly unused that stands in an example which tests run, such as Python's doctest."""

_PART = re.compile(
    # A text, which may end where a value is put in: "add_", f"add_{key}", "#{name}_handler", "get" + name
    r"""["'`](?:(\w{2,}_)(?:["'`{<%]|\$|\#\{)|(\w{2,})(?:["'`]\s*(?:\+|\.(?!\w))|\{\$?|\$\{|\#\{))"""
    r"""|(?:\}|%[sdr])(\w{2,})["'`]"""
    # A shell needs no quotes: _pack_${command}
    r"""|\b(\w{3,}_)\$(?=[\w{(])"""
)
"""Pattern of a part of a name in a text to which code adds the rest."""

_ADDED = re.compile(r"""(?:\+|<>|\.\.?)\s*["'](\w{3,})["'](?!\s*[:\]])""")
"""Pattern of a text that code adds to the start of a name: `$name . 'Action'`, `name + "_action"`."""

_JOINED = re.compile(r"""%[sr]_%[sr]|\}_(?:\{|\$\{|\#\{)|\w\s*\+\s*["']_["']\s*\+\s*\w""")
"""Pattern of code that joins two parts of a name: `"%s_%s" % (start, type(value).__name__)`."""

_WORD_TEXT = re.compile(r"""["'`](_\w{4,}|\w{2,}_\w{2,})["'`]""")
"""Pattern of a text that may be the first of such parts. It has an underscore, or it would be any word."""

_COMPOUND = re.compile(r"\w+(?:-\w+)*")
"""Pattern of a number, or of words with hyphens, as files are named."""

_EXAMPLE = re.compile(r"^[ \t]*(?:>>>|\.\.\.>?|iex(?:\(\d+\))?>)[ \t](.+)$", re.MULTILINE)
"""Pattern of a line of an example that doctest runs, of Python or of Elixir. The group is its code."""

_FULL_NAME = re.compile(
    r"""(?:["'`>]|[:=][ \t]?|^[ \t]*-[ \t])(\w+(?:(?:\.|::|\\{1,2}|[/:#@])\w+[?!]?){1,12})(?=["'`<,;\s]|$)""",
    re.MULTILINE,
)
"""Pattern of a name with the names around it, in a text or in a file of settings."""

_SEPARATOR = re.compile(r"\W+(?=\w)")
"""Pattern of what stands between the parts of such a name."""

_FENCED = re.compile(
    r"^[ \t]*(```|~~~)(?!\s*(?:diff|console|text)\b)[^\n]*\n(.{0,20000}?)^[ \t]*\1", re.DOTALL | re.MULTILINE
)
"""Pattern of code in a documentation. The second group is the code."""

_EXPORTED = re.compile(r"\bexport default (?:async )?(?:(?:function\b\*?|class\b|\w+\()\s*)?([^\W\d]\w*)")
"""Pattern of a default export. The group is its name."""

_OUTER_MACRO = re.compile(r"^([A-Z][A-Z0-9_]{4,})[ \t]?\(([^(){};]{4,400})\)", re.MULTILINE)
"""Pattern of a macro at the start of a line, with its arguments, which it may paste into names."""

_WHOLE_TEXT = re.compile(r"""(?<=["'`])[^\W\d]\w*[?!=]?(?=["'`])""")
"""Pattern of a text that is a name."""

_SYMBOL = re.compile(r"(?<=[\s(,]:)[^\W\d]\w*[?!=]?")
"""Pattern of a symbol."""

_CODE = re.compile(r"\b([^\W\d]\w*)(?=[ \t]?\(|\[\w|<\w|\.\w|::)")
"""Pattern of a name in such code that is called, takes types, or has members."""

_PAGE_CODE = re.compile(
    r"""<script\b[^>]{0,300}>(.{0,20000}?)</script>|(?<=[\s"'])on[a-z]{3,30}\s?=\s?(?:"([^"\n]*)"|'([^'\n]*)')""",
    re.DOTALL,
)
"""Pattern of code in a page: a script, or a handler of an event."""

_CALL = re.compile(r"\b([^\W\d]\w*)\s?\((?![^()\n]*\)\s?\{)")
"""Pattern of a call. Its group is the name. A method in an object, `name() {`, is none."""

_USED = re.compile(
    r"(?:(?:\.|::|->|\\)[ \t]*([^\W\d]\w*[?!]?)|\b([^\W\d]\w*[?!]?)(?=[ \t]?\((?![^()\n]*\)\s?\{)|\.\w|::|<-)|(?<=<)([A-Z]\w*))"
)
"""Pattern of a name at a place where code uses it: behind or before what it belongs to, or called."""


class Mentions(NamedTuple):
    """What all texts say of some names.

    `counts` counts each name. `shown` maps the names in examples, pages and texts to the reason why they are hardly unused.
    `starts` and `ends` are parts of names where code adds the rest. `full` maps a name to the names that texts write before it.
    `macro_words` maps a macro that is used outside of functions to the words of its arguments.
    """

    counts: Counter[str]
    shown: dict[str, str]
    starts: set[str]
    ends: set[str]
    full: dict[str, set[str]]
    macro_words: dict[str, set[str]]


def read_mentions(texts: Iterable[str], names: set[str]) -> Mentions:
    """Read what the texts of all files say of these names. A name with a blank is two words that follow each other."""
    mentions = Mentions(Counter(), {}, set(), set(), defaultdict(set), defaultdict(set))
    pairs = {name for name in names if " " in name}
    odd = {name for name in names - pairs if not TOKEN.fullmatch(name)}
    compounds = {name for name in odd if _COMPOUND.fullmatch(name)}
    signs = sorted(odd - compounds)
    odd_names = re.compile("|".join(map(_spelling, signs))) if signs else None
    words: set[str] = set()
    for text in texts:
        tokens = TOKEN.findall(text)
        mentions.counts.update(filter(names.__contains__, tokens))
        mentions.counts.update(filter(pairs.__contains__, map(" ".join, pairwise(tokens))) if pairs else ())
        mentions.counts.update(filter(compounds.__contains__, _COMPOUND.findall(text) if compounds else ()))
        # A name such as `valid?` is no word.
        mentions.counts.update(re.sub(r"\s", "", name) for name in (odd_names.findall(text) if odd_names else ()))
        for reason, shown in _run_in(text):
            mentions.shown.update(dict.fromkeys(names.intersection(shown), reason))
        _read_parts(text, names, mentions)
        words.update(_WORD_TEXT.findall(text))
        if _JOINED.search(text):
            words.add("")
    if "" in words:
        mentions.starts.update(f"{word}_" for word in words)
    return mentions


def _read_parts(text: str, names: set[str], mentions: Mentions) -> None:
    """Add the parts of names that a text holds, where code adds the rest, and the names around others."""
    for start, begun, end, bare in _PART.findall(text):
        mentions.starts.add(start or begun or bare)
        mentions.ends.add(end)
    mentions.ends.update(_ADDED.findall(text))
    for before, name in _full_names(text):
        if name in names:
            mentions.full[name].add(before)
    for macro, arguments in _OUTER_MACRO.findall(text):
        mentions.macro_words[macro].update(TOKEN.findall(arguments))


def _run_in(text: str) -> Iterable[tuple[str, Iterable[str]]]:
    """Yield the names in texts, examples and pages, by the reason why they are hardly unused."""
    yield SOUGHT, _WHOLE_TEXT.findall(text)
    yield SOUGHT, _SYMBOL.findall(text) if " :" in text or "(:" in text else ()
    yield WHOLE, _EXPORTED.findall(text) if "export default" in text else ()
    if "> " in text:
        yield SHOWN, TOKEN.findall("\n".join(_EXAMPLE.findall(text)))
    if "```" in text or "~~~" in text:
        yield SHOWN, (name for _, code in _FENCED.findall(text) for name in _CODE.findall(code))
    if "<script" in text or "on" in text:
        yield HANDLED, (name for page in _PAGE_CODE.findall(text) for name in _CALL.findall(" ".join(page)))


def _full_names(text: str) -> Iterable[tuple[str, str]]:
    """Yield the last two parts of each name that a text writes with the names around it."""
    for name in _FULL_NAME.findall(text):
        *_, before, last = _SEPARATOR.split(name)
        yield before, last


def loose_names(store: Store, names: Collection[str]) -> set[tuple[str, str]]:
    """Return those of these names that code uses where nothing is linked, or only guessed, each with its family of languages.

    The family is empty in a file that no grammar reads. A name that is linked to another file has the path of its own file
    instead: a definition of this file may pass on what the link leads to.
    """
    symbols = {symbol.node_id: symbol for symbol in store.symbols(names, exact_case=True)}
    heads = {(symbol.file_path, symbol.start_line, symbol.name) for symbol in symbols.values()}
    settled: dict[tuple[str, int, str], bool] = dict.fromkeys(heads, True)
    for symbol in symbols.values():
        for use in store.uses([symbol.node_id]):
            place = use.file_path, use.line, use.name
            if use.confidence > GUESS and not use.candidate:
                settled[place] = settled.get(place, False) or use.file_path == symbol.file_path
    loose: set[tuple[str, str]] = set()
    for file in store.files():
        language = languages().get(file.language or "")
        # No grammar reads the files of yacc, and those of prose hold no code.
        family = language.family if language is not None else ""
        if file.error is None and (language is None or language.source_type == "code"):
            text = (store.file_text(file.path) or b"").decode("utf-8", "replace")
            for number, name in _used_in(_USED if family else _CALL, text, names):
                is_own = settled.get((file.path, number, name))
                if not is_own:
                    loose.add((name, family if is_own is None else file.path))
    return loose


def _used_in(pattern: re.Pattern[str], text: str, names: Collection[str]) -> Iterable[tuple[int, str]]:
    """Yield those of the names that code uses by a pattern, outside of lines of comments, each with the number of its line."""
    for match in pattern.finditer(text):
        name = match[match.lastindex or 0]
        if name in names:
            start = text.rfind("\n", 0, match.start()) + 1
            if not text[start : match.start()].lstrip().startswith(COMMENT_STARTS):
                yield text.count("\n", 0, start) + 1, name


def _spelling(name: str) -> str:
    """Return a pattern of a name that is no word. A blank may stand in one of a setter: `cart.total = 1` runs `total=`."""
    return rf"{re.escape(name[:-1])}[ \t]*=(?![=~>])" if re.fullmatch(r"\w+=", name) else re.escape(name)
