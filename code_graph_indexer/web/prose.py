"""Show Markdown of a repository as a page: HTML in it as text, its links and images led to files of the index."""

import mimetypes
import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import quote, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup, escape

from code_graph_indexer.languages import languages
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.web.code import snippet_lines
from code_graph_indexer.web.links import FILE_KINDS, code_link, definition_link, folder_link
from code_graph_indexer.words import dotted_name

MAX_TEXT = 200_000
"""Most characters of a document that are read as Markdown. The rest is shown as source."""

MAX_SHOWN = 1_000_000
"""Most characters of a document that are shown. A longer one is data."""

MAX_HTML = 20_000
"""Most characters of a block of HTML that is read. The parser takes the square of the time for twice the text."""

MAX_MARKS = 500
"""Most marks for emphasis in a paragraph that is read as Markdown, for the same reason."""

MAX_NAMES = 500
"""Most names in a document that are looked up."""

HEADING = "h-"
"""The start of the ids of headings, so that no document has an id of the page."""

SCHEMES = frozenset({"http", "https", "mailto"})
"""Links to elsewhere that a document may have."""

_INLINE = """a abbr audio b bdi bdo big br button canvas cite code data del dfn em font i img input ins kbd label mark object
picture q s samp script select small span strike strong style sub sup svg textarea time tt u var video wbr"""

ELEMENTS = frozenset([*block_names, *_INLINE.split()])
"""The names of the elements of HTML. A tag of another name is text."""

PLACE = re.compile(r"(?<![^\s\[\];,`])(?P<path>[^\s\[\];,`]+):L?(?P<start>\d{1,9})(?:[-–]L?(?P<end>\d{1,9}))?")
"""A place in code, as people write it: `path:3-7`. A path begins a word, so that a long word is read only once."""

_FRONT = re.compile(r"\A---\n.*?\n---\n", re.S)
_MARK = re.compile(r"[*_~]")
_NAME = re.compile(r"[A-Za-z_][\w.:#/-]*(?:\(\))?")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document: its level from 1, its text, and its id."""

    level: int
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document as HTML, with its headings."""

    html: Markup
    headings: tuple[Heading, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """What a link of a document may lead to: files, folders, and definitions by the name that the document writes."""

    files: Collection[str]
    folders: Collection[str]
    names: Callable[[Sequence[str]], Mapping[str, Symbol]]


def names_in(store: Store) -> Callable[[Sequence[str]], Mapping[str, Symbol]]:
    """Return a function that maps written names, such as `Cart.total`, to the only definition that each may mean."""

    def find(texts: Sequence[str]) -> Mapping[str, Symbol]:
        """Map those of the names to a definition that can mean only one."""
        dotted = {text: dotted_name(text.removesuffix("()")) for text in texts}
        symbols = store.symbols({name.rpartition(".")[2] for name in dotted.values()}, exact_case=True)
        definitions: dict[str, Symbol] = {}
        for text, name in dotted.items():
            matches = [
                symbol
                for symbol in symbols
                if not symbol.is_test
                and symbol.kind not in FILE_KINDS
                and f".{symbol.qualified_name}".endswith(f".{name}")
            ]
            if len(matches) == 1:
                definitions[text] = matches[0]
        return definitions

    return find


def document(text: str, path: str, places: Places, counts: dict[str, int] | None = None) -> Document:
    """Return the Markdown of a file as HTML. Its links are read from the folder of the file.

    `counts` has the numbers of equal headings, for a document of several parts.
    """
    text = _FRONT.sub("", text[:MAX_SHOWN].replace("\r\n", "\n"))
    end = (text.rfind("\n", 0, MAX_TEXT) + 1 or MAX_TEXT) if len(text) > MAX_TEXT else len(text)
    shown = written(_parser().parse(text[:end]), path, places, counts)
    return Document(shown.html + source(text[end:]), shown.headings)


def written(tokens: Sequence[Token], path: str, places: Places, counts: dict[str, int] | None = None) -> Document:
    """Return the tokens of a document as HTML."""
    writer = _Writer(path, places)
    parser = _parser()
    rules = parser.renderer.rules  # type: ignore[attr-defined]
    for name in ("html_block", "html_inline", "image", "fence"):
        rules[name] = getattr(writer, name)
    headings = tuple(_headed(tokens, {} if counts is None else counts))
    inline = [token for token in tokens if token.children]
    texts = [child.content for token in inline for child in token.children or () if child.type == "code_inline"]
    names = places.names(list(dict.fromkeys(name for name in texts if _NAME.fullmatch(name)))[:MAX_NAMES])
    for token in inline:
        token.children = list(writer.linked(token.children or (), names))
    return Document(Markup(parser.renderer.render(tokens, parser.options, {})), headings)


def source(text: str) -> Markup:
    """Return a text as it is written, or nothing for an empty one."""
    return Markup('<pre class="snippet" tabindex="0">{}</pre>\n').format(text) if text.strip() else Markup("")


def _parser() -> MarkdownIt:
    """Return a parser of Markdown as repositories write it."""
    # HTML is read, so that its text can be shown without tags. None of it is written.
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.core.ruler.at("inline", _inline)
    return parser


def _inline(state: StateCore) -> None:
    """Read the paragraphs of a document. One with more marks for emphasis than people write stays as it is."""
    for token in state.tokens:
        if token.type == "inline" and len(_MARK.findall(token.content)) > MAX_MARKS:
            token.children = [Token("text", "", 0, content=token.content)]
        elif token.type == "inline":
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _headed(tokens: Sequence[Token], counts: dict[str, int]) -> Iterator[Heading]:
    """Give each heading an id, and yield it. Equal headings have numbers, as on GitHub."""
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            text = "".join(child.content for child in inside.children or () if child.type in ("text", "code_inline"))
            name = slug(text)
            count = counts[name] = counts.get(name, -1) + 1
            name = f"{HEADING}{name}-{count}" if count else f"{HEADING}{name}"
            token.attrSet("id", name)
            yield Heading(int(token.tag[1:]), text, name)


def slug(text: str) -> str:
    """Return the name of a heading in links, as on GitHub."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


class _Writer:
    """Writes what Markdown leaves open: HTML, images, code, and where links lead."""

    def __init__(self, path: str, places: Places) -> None:
        self._folder = path.rpartition("/")[0]
        self._places = places

    def linked(self, tokens: Sequence[Token], names: Mapping[str, Symbol]) -> Iterator[Token]:
        """Yield the tokens of a paragraph. Links lead to files of the index or elsewhere, and names in code to definitions."""
        tags: list[str] = []
        for token in tokens:
            if token.type == "link_open":
                href = self.target(str(token.attrs.get("href", "")))
                token.attrs = {"href": href, "rel": "noreferrer"} if href else {}
                token.tag = "a" if href else "span"
                tags.append(token.tag)
                yield token
            elif token.type == "link_close":
                token.tag = tags.pop()
                yield token
            elif token.type in ("text", "code_inline") and not tags:
                yield from self._named(token, names)
            else:
                yield token

    def _named(self, token: Token, names: Mapping[str, Symbol]) -> Iterator[Token]:
        """Yield a text, as a link if it is code that names a definition, file or folder, or else with links at its places."""
        href = ""
        if token.type == "code_inline":
            target = self.target(token.content)
            href = definition_link(names[token.content]) if token.content in names else ""
            href = href or (target if "/" in target and not urlsplit(target).scheme else "")
        if href:
            yield from (Token("link_open", "a", 1, attrs={"href": href}), token, Token("link_close", "a", -1))
        else:
            yield from with_places([token], self._places.files)

    def target(self, href: str) -> str:
        """Return where a link of the document leads: to the page of a file or folder, to elsewhere, or nowhere."""
        try:
            parts = urlsplit(href.strip())
        except ValueError:
            return ""
        if parts.scheme or parts.netloc:
            return href.strip() if parts.scheme in SCHEMES else ""
        mark = parts.fragment
        if not parts.path:
            return f"#{HEADING}{quote(mark)}" if mark else ""
        path = self.path(parts.path)
        if path in self._places.files:
            line = re.fullmatch(r"L(\d{1,9})(?:-L(\d{1,9}))?", mark)
            if line:
                return code_link(path, int(line[1]), int(line[2] or 0))
            return code_link(path) + (f"#{HEADING}{quote(mark)}" if mark else "")
        return folder_link(path) if path in self._places.folders else ""

    def path(self, href: str) -> str:
        """Return the path in the repository that the path of a link names."""
        path = unquote(href)
        return posixpath.normpath(path.lstrip("/") if path.startswith("/") else posixpath.join(self._folder, path))

    def picture(self, source: str, alt: str) -> str:
        """Return an image of the repository, or the words for one that is elsewhere."""
        try:
            parts = urlsplit(source)
        except ValueError:
            return f"<small>{escape(alt)}</small>" if alt else ""
        path = self.path(parts.path) if not parts.scheme and not parts.netloc else ""
        if path in self._places.files and is_image(path):
            return f'<img src="/raw/{escape(quote(path))}" alt="{escape(alt)}" loading="lazy">'
        return f"<small>{escape(alt)}</small>" if alt else ""

    def image(self, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
        """Write an image of Markdown."""
        token = tokens[at]
        return self.picture(str(token.attrs.get("src", "")), token.content)

    def html_inline(self, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
        """Write a tag inside of a paragraph: an image, or nothing."""
        return _text_of(tokens[at].content, self, links=False)

    def html_block(self, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
        """Write a block of HTML: its text with its links and images."""
        text = _text_of(tokens[at].content, self, links=True)
        return f"<p>{text}</p>\n" if text.strip() else ""

    def fence(self, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
        """Write a block of code, in colours if its language is known."""
        token = tokens[at]
        language = token.info.split()[0].lower() if token.info.split() else ""
        lines = snippet_lines(token.content.rstrip("\n"), language if language in languages() else None)
        return f'<pre class="snippet" tabindex="0">{Markup(chr(10)).join(lines)}</pre>\n'


def _text_of(html: str, writer: _Writer, *, links: bool) -> str:
    """Return safe HTML for a piece of HTML: its escaped text, its images, and its links if `links` is set.

    What is too long, or what the parser does not understand, is escaped whole.
    """
    if len(html) > MAX_HTML:
        return str(escape(html))
    reader = _Reader(writer, links=links)
    # Behind the last `>` is no tag, and the parser would look for its end again and again.
    end = html.rfind(">") + 1
    try:
        reader.feed(html[:end])
        reader.close()
    # The parser of Python 3.11 gives up at `<![x[`.
    except AssertionError:
        return str(escape(html))
    reader.handle_data(html[end:])
    return reader.text()


class _Reader(HTMLParser):
    """Reads text, images and links of HTML, and drops everything else. What it writes is whole: each tag is closed."""

    def __init__(self, writer: _Writer, *, links: bool) -> None:
        super().__init__()
        self._writer = writer
        self._links = links
        self._parts: list[str] = []
        self._in_link = False
        self._hidden = False
        self._begun = False

    def text(self) -> str:
        """Return what was read as HTML."""
        return "".join([*self._parts, "</a>" if self._in_link else ""])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read the start of a tag."""
        if tag not in ELEMENTS and not attrs:
            # Documentation writes `<path>` for what stands there.
            self.handle_data(self.get_starttag_text() or "")
            return
        values = {name: value or "" for name, value in attrs}
        self._hidden = tag in ("script", "style")
        if tag == "img":
            self._add(self._writer.picture(values.get("src", ""), values.get("alt", "")))
        elif tag == "a" and self._links and not self._in_link and (href := self._writer.target(values.get("href", ""))):
            self._add(f'<a href="{escape(href)}" rel="noreferrer">')
            self._in_link = True
        elif tag in ("br", "p", "div", "tr", "li", "h1", "h2", "h3") and self._begun:
            self._parts.append("<br>")

    def handle_endtag(self, tag: str) -> None:
        """Read the end of a tag."""
        self._hidden = False
        if tag == "a" and self._in_link:
            self._parts.append("</a>")
            self._in_link = False

    def handle_data(self, data: str) -> None:
        """Read text."""
        if not self._hidden:
            self._add(str(escape(data)))

    def _add(self, html: str) -> None:
        """Write a piece of HTML, and note whether anything is to be seen yet."""
        self._parts.append(html)
        # To ask all parts at each tag would take the square of the time.
        self._begun = self._begun or bool(html.strip())


def is_image(path: str) -> bool:
    """Say whether a file is an image, by its name."""
    return (mimetypes.guess_type(path)[0] or "").startswith("image/")


def with_places(tokens: Sequence[Token], paths: Collection[str]) -> list[Token]:
    """Return tokens of Markdown in which each place (`path:3-7`) with a path of the index is a link to its lines."""
    pieces: list[Token] = []
    for token in tokens:
        position = 0
        # A place is also linked where the text writes it as code.
        if token.type in ("text", "code_inline"):
            for match in PLACE.finditer(token.content):
                # A path may begin with a parenthesis, and a place may stand in a pair of them.
                path = match["path"] if match["path"] in paths else match["path"].removeprefix("(")
                if path not in paths:
                    continue
                start = match.start() + len(match["path"]) - len(path)
                href = code_link(path, int(match["start"]), int(match["end"] or 0))
                pieces += [
                    _copied(token, token.content[position:start]),
                    Token("link_open", "a", 1, attrs={"href": href, "class": "citation"}),
                    _copied(token, token.content[start : match.end()]),
                    Token("link_close", "a", -1),
                ]
                position = match.end()
        pieces.append(_copied(token, token.content[position:]) if position else token)
    return [token for token in pieces if token.content or token.type not in ("text", "code_inline")]


def _copied(token: Token, content: str) -> Token:
    return Token(token.type, token.tag, token.nesting, content=content, markup=token.markup)
