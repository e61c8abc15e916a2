"""Read reStructuredText as tokens of Markdown, so that one writer shows both. No file is read, and no directive runs."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain

from docutils import nodes
from docutils.frontend import Values, get_default_settings
from docutils.parsers.rst import Directive, Parser, directives
from docutils.utils import new_document
from markdown_it.token import Token

from code_graph_indexer.syntax.sections import UNDERLINED
from code_graph_indexer.web.prose import HEADING, MAX_SHOWN, Document, Places, slug, source, written

SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "syntax_highlight": "none",
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "line_length_limit": 10_000,
}
"""What the parser may do. A text decides nothing, and all that is wrong in it is shown as it is written."""

REPLACED = ("include", "raw", "role", "default-role", "date", "csv-table", "title", "meta")
"""Directives that read files, write another format, or change what later documents mean. They are shown as unknown ones are."""

MAX_DEPTH = 4
"""How deep directives are read that no parser knows, each inside of another one."""

MAX_LINES = 5_000
"""Most lines that are read. The rest is shown as source. A line takes the parser up to half a millisecond."""

MAX_SUBSTITUTED = 500
"""Most substitutions of a document. A text could name itself in them any number of times."""

TAGS = {
    "paragraph": "p",
    "bullet_list": "ul",
    "enumerated_list": "ol",
    "list_item": "li",
    "definition_list": "dl",
    "field_list": "dl",
    "option_list": "dl",
    "term": "dt",
    "field_name": "dt",
    "option_group": "dt",
    "definition": "dd",
    "field_body": "dd",
    "description": "dd",
    "block_quote": "blockquote",
    "topic": "blockquote",
    "sidebar": "blockquote",
    "footnote": "blockquote",
    "citation": "blockquote",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "row": "tr",
    "entry": "td",
    "emphasis": "em",
    "strong": "strong",
    "subscript": "sub",
    "superscript": "sup",
    "rubric": "p",
    "caption": "p",
    "attribution": "p",
    "line_block": "p",
}
"""The tags of HTML for parts of a document. Of any other part, what is inside is shown."""

_MARK = re.compile(rb"^\.\. (?:[\w:-]+::|_[^:\n]+:)", re.M)
_ROLE = re.compile(r":(?P<role>[\w:.+-]+):`[~!]?(?P<text>[^`<]*?)(?:\s*<(?P<target>[^`<>]*)>)?`", re.S)
_DIRECTIVE = re.compile(r"\.\. *(?P<name>[\w:.+-]+) *::[ \t]*(?P<argument>.*)")
_OPTION = re.compile(r"\s*:[\w -]+:(?: |$)")


class _Unknown(Directive):
    """A directive that is not run. Its text is kept, for the writer to show."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the text of the directive as a part that is not understood."""
        return [nodes.system_message("", nodes.literal_block(self.block_text, self.block_text))]


for _name in REPLACED:
    directives.register_directive(_name, _Unknown)


@cache
def _settings() -> Values:
    """Return the settings of the parser, which take longer to make than a short text to read."""
    settings = get_default_settings(Parser)
    for name, value in SETTINGS.items():
        setattr(settings, name, value)
    return settings


def restructured(text: str, path: str, places: Places) -> Document:
    """Return the reStructuredText of a file as HTML. What no parser can read of it is shown as source."""
    text = text[:MAX_SHOWN].replace("\r\n", "\n")
    lines = text.split("\n", MAX_LINES)
    rest = lines.pop() if len(lines) > MAX_LINES else ""
    try:
        tokens = list(_Reader("\n".join(lines), f".{path.rpartition('.')[2]}").tokens())
    # Lists inside of lists, deeper than people write.
    except RecursionError:
        tokens = []
    if not tokens:
        return Document(source(text), ())
    shown = written(tokens, path, places)
    return Document(shown.html + source(rest), shown.headings)


def is_restructured(path: str, text: bytes) -> bool:
    """Say whether a file is reStructuredText: by its ending, or as a text with marks that no other text has."""
    low = path.lower()
    return low.endswith(UNDERLINED) and (low.endswith((".rst", ".rest")) or _MARK.search(text) is not None)


class _Reader:
    """Reads one text, and, as a text of its own, what stands in a directive that is not understood."""

    def __init__(self, text: str, ending: str, depth: int = 0, level: int = 0) -> None:
        self._tree = new_document("", _settings())
        Parser().parse(text, self._tree)
        self._ending = ending
        self._depth = depth
        self._level = level
        self._aims = _aims(self._tree)
        self._anonymous = iter(
            [str(target.get("refuri", "")) for target in self._tree.findall(nodes.target) if target.get("anonymous")]
        )
        self._left = MAX_SUBSTITUTED
        self._is_substituted = False

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens of the text."""
        return self._blocks(self._tree.children)

    def _blocks(self, parts: Iterable[nodes.Node]) -> Iterator[Token]:
        for part in parts:
            yield from self._block(part)

    def _block(self, part: nodes.Node) -> Iterator[Token]:
        """Yield the tokens of a part that stands by itself."""
        match part:
            case nodes.literal_block() | nodes.doctest_block() | nodes.math_block():
                language = next((name for name in part["classes"] if name != "code"), "")
                yield Token("fence", "code", 0, content=f"{part.astext()}\n", info=language, block=True)
            case nodes.system_message():
                for block in part.findall(nodes.literal_block):
                    yield from self._directive(block.astext())
            case nodes.comment() | nodes.substitution_definition():
                return
            case nodes.target():
                yield from _line("span", *_anchors(part))
            case nodes.transition():
                yield Token("hr", "hr", 0)
            case nodes.option_string() | nodes.label():
                yield from _line("span", Token("code_inline", "code", 0, content=part.astext()))
            case nodes.image() | nodes.Text() | nodes.Inline():
                yield from _line("p", *self._inline(part))
            case nodes.Element():
                yield from self._container(part)

    def _container(self, part: nodes.Element) -> Iterator[Token]:
        """Yield the tokens of a part that holds others."""
        match part:
            case nodes.section():
                self._level += 1
                yield from self._blocks(part.children)
                self._level -= 1
            case nodes.title() if isinstance(part.parent, nodes.section):
                yield from self._wrapped(part, f"h{min(self._level, 6)}", "heading")
            case nodes.title():
                yield from _line("p", *_strong(part.astext()))
            case nodes.entry() if part.parent is not None and isinstance(part.parent.parent, nodes.thead):
                yield from self._wrapped(part, "th")
            case nodes.Admonition():
                yield Token("note_open", "blockquote", 1)
                if not isinstance(part, nodes.admonition):
                    yield from _line("p", *_strong(str(part.tagname).title()))
                yield from self._blocks(part.children)
                yield Token("note_close", "blockquote", -1)
            case _:
                yield from self._wrapped(part, TAGS.get(str(part.tagname), ""))

    def _wrapped(self, part: nodes.Element, tag: str, kind: str = "") -> Iterator[Token]:
        """Yield a part inside of its tag: as a line if it holds text, or else as the parts in it."""
        kind = kind or str(part.tagname)
        if isinstance(part, nodes.TextElement):
            inside = list(chain.from_iterable(self._inline(child) for child in part.children))
            yield from _line(tag or "p", *inside, kind=kind)
            return
        if tag:
            yield Token(f"{kind}_open", tag, 1)
        yield from self._blocks(part.children)
        if tag:
            yield Token(f"{kind}_close", tag, -1)

    def _inline(self, part: nodes.Node) -> Iterator[Token]:
        """Yield the tokens of a part of a line."""
        match part:
            case nodes.Text():
                yield _words(part.astext())
            case nodes.literal() | nodes.title_reference() | nodes.math():
                yield Token("code_inline", "code", 0, content=part.astext())
            case nodes.image():
                yield Token("image", "img", 0, attrs={"src": part.get("uri", "")}, content=part.get("alt", ""))
            case nodes.problematic():
                yield from self._role(part.astext())
            case nodes.reference():
                yield from self._link(self._aim(part), *chain.from_iterable(map(self._inline, part.children)))
            case nodes.target():
                yield from _anchors(part)
            case nodes.footnote_reference() | nodes.citation_reference():
                yield _words(f"[{part.astext()}]")
            case nodes.substitution_reference():
                yield from self._substituted(part)
            case nodes.line():
                yield from chain.from_iterable(map(self._inline, part.children))
                yield Token("hardbreak", "br", 0)
            case nodes.Element():
                tag = TAGS.get(str(part.tagname), "")
                inside = chain.from_iterable(map(self._inline, part.children))
                yield from (Token("x", tag, 1), *inside, Token("x", tag, -1)) if tag else inside

    def _substituted(self, part: nodes.substitution_reference) -> Iterator[Token]:
        """Yield what stands for a substitution, or its name if it stands for nothing, or in another substitution."""
        definitions: Mapping[str, nodes.Element] = self._tree.substitution_defs
        definition = definitions.get(part["refname"])
        self._left -= 1
        if definition is None or self._left < 0 or self._is_substituted:
            yield _words(part.astext())
            return
        self._is_substituted = True
        yield from chain.from_iterable(map(self._inline, definition.children))
        self._is_substituted = False

    def _aim(self, part: nodes.reference) -> str:
        """Return where a link leads."""
        if part.get("anonymous"):
            return next(self._anonymous, "")
        return str(part.get("refuri") or self._aims.get(part.get("refname", ""), ""))

    def _link(self, href: str, *inside: Token) -> Iterator[Token]:
        yield from (Token("link_open", "a", 1, attrs={"href": href}), *inside, Token("link_close", "a", -1))

    def _role(self, text: str) -> Iterator[Token]:
        """Yield a text with an unknown role, such as the name of a function, as code, or as a link to a document."""
        match = _ROLE.fullmatch(text)
        if match is None:
            yield _words(text)
        elif match["role"] in ("doc", "ref"):
            target = match["target"] or match["text"]
            href = f"{target}{self._ending}" if match["role"] == "doc" else self._aims.get(target.lower(), "")
            yield from self._link(href, _words(match["text"] or target))
        else:
            yield Token("code_inline", "code", 0, content=match["text"] or match["target"] or text)

    def _directive(self, text: str) -> Iterator[Token]:
        """Yield a directive that is not known: its name and argument, and what stands in it as a text of its own."""
        head, _, rest = text.partition("\n")
        match = _DIRECTIVE.match(head.strip())
        lines = nodes.unescape(rest).split("\n")
        while lines and (not lines[0].strip() or _OPTION.match(lines[0])):
            lines.pop(0)
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        inside = "\n".join(line[indent:] for line in lines)
        if match is None:
            yield Token("fence", "code", 0, content=f"{text}\n", block=True)
            return
        if match["name"] == "toctree":
            for line in inside.split("\n"):
                title, _, target = line.strip().removesuffix(">").rpartition("<")
                if target:
                    yield from _line("p", *self._link(f"{target}{self._ending}", _words(title.strip() or target)))
            return
        if match["name"].endswith(("code", "code-block", "sourcecode", "literalinclude")):
            yield Token("fence", "code", 0, content=f"{inside or text}\n", info=match["argument"], block=True)
            return
        yield Token("note_open", "blockquote", 1)
        argument = Token("code_inline", "code", 0, content=match["argument"])
        yield from _line("p", _words(f"{match['name']} "), *([argument] if match["argument"] else ()))
        if inside.strip() and self._depth < MAX_DEPTH:
            yield from _Reader(inside, self._ending, self._depth + 1, self._level).tokens()
        elif inside.strip():
            yield Token("fence", "code", 0, content=f"{inside}\n", block=True)
        yield Token("note_close", "blockquote", -1)


def _strong(text: str) -> tuple[Token, ...]:
    return Token("strong_open", "strong", 1), _words(text), Token("strong_close", "strong", -1)


def _words(text: str) -> Token:
    return Token("text", "", 0, content=text)


def _anchors(target: nodes.target) -> Iterator[Token]:
    """Yield the places in a document to which links of it may lead."""
    for name in () if target.get("refuri") or target.get("refname") else target["names"]:
        yield Token("anchor_open", "span", 1, attrs={"id": f"{HEADING}{slug(name)}"})
        yield Token("anchor_close", "span", -1)


def _line(tag: str, *inside: Token, kind: str = "line") -> Iterator[Token]:
    """Yield a block with a line of text."""
    yield Token(f"{kind}_open", tag, 1, block=True)
    yield Token("inline", "", 0, children=list(inside), content="".join(token.content for token in inside))
    yield Token(f"{kind}_close", tag, -1, block=True)


def _aims(tree: nodes.document) -> dict[str, str]:
    """Map the names of a document's headings and targets to where they lead."""
    aims = {name: f"#{slug(name)}" for section in tree.findall(nodes.section) for name in section["names"]}
    for target in tree.findall(nodes.target):
        aims.update((name, str(target.get("refuri") or f"#{slug(name)}")) for name in target["names"])
    for target in tree.findall(nodes.target):
        if alias := aims.get(target.get("refname", "")):
            aims.update(dict.fromkeys(target["names"], alias))
    return aims
