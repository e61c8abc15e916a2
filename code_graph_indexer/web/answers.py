"""Keep the conversations of a site, and write answers as HTML whose citations lead to the code."""

from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from threading import Lock

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from code_graph_indexer.ask.conversation import turn_of
from code_graph_indexer.ask.pipeline import RAGPipeline
from code_graph_indexer.ask.results import RAGResult
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.web.code import code_lines
from code_graph_indexer.web.links import code_link
from code_graph_indexer.web.prose import with_places
from code_graph_indexer.web.site import Site

MAX_TALKS = 50
"""Most conversations that are remembered. Older ones are forgotten first."""

MAX_SOURCE_LINES = 24
"""Most lines of a source that are shown. The link above them leads to all."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of an answer: the chunk, the address of its lines, and its first lines as HTML."""

    context: RetrievedContext
    href: str
    lines: tuple[Markup, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Reply:
    """An answered question, as a page shows it. `talk` names the conversation, for its address and the next question."""

    question: str
    result: RAGResult
    html: Markup
    summary: Markup
    sources: tuple[Source, ...]
    talk: str


class Talks:
    """The conversations of the people who ask a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._replies: OrderedDict[str, tuple[Reply, ...]] = OrderedDict()
        self._lock = Lock()

    def ask(self, question: str, talk: str, expect: str = "", on_text: Callable[[str], None] | None = None) -> Reply:
        """Answer a question, as the next one of a conversation if `talk` names one that is remembered.

        `expect` has words that its code would use.
        """
        replies = self.replies(talk)
        turns = [turn_of(reply.question, reply.result) for reply in replies]
        result = self._site.indexer.ask(question, expect=expect, history=turns, on_text=on_text)
        name = talk if replies else token_urlsafe(12)
        reply = self._reply(question, result, name)
        with self._lock:
            self._replies[name] = (*replies, reply)
            self._replies.move_to_end(name)
            while len(self._replies) > MAX_TALKS:
                self._replies.popitem(last=False)
        return reply

    def evidence(self, question: str) -> Reply:
        """Return the code that answers a question. No language model is asked, and the answer belongs to no conversation."""
        indexer = self._site.indexer
        settings = replace(indexer.settings, api_key="", base_url="")
        pipeline = RAGPipeline(indexer.store, indexer.embedder(), settings)
        return self._reply(question, pipeline.query(question), "")

    def _reply(self, question: str, result: RAGResult, talk: str) -> Reply:
        paths = self._site.files()
        # Without a language model, the text repeats the sources, which stand below with links of their own.
        html = markdown(result.text, paths) if result.generated else Markup("")
        sources = tuple(self._source(source) for source in result.sources)
        return Reply(question, result, html, linked(result.summary, paths), sources, talk)

    def replies(self, talk: str) -> tuple[Reply, ...]:
        """Return the answers of a conversation, in order. One that is not remembered has none."""
        with self._lock:
            return self._replies.get(talk, ())

    def _source(self, context: RetrievedContext) -> Source:
        """Return a source with its first lines."""
        href = code_link(context.file_path, context.start_line, context.end_line)
        last = min(context.end_line, context.start_line + MAX_SOURCE_LINES - 1)
        try:
            lines = code_lines(self._site.code(context.file_path, (context.start_line, last)), context.start_line, last)
        except NotInIndexError:
            lines = []
        return Source(context, href, tuple(lines), context.end_line - last)


def markdown(text: str, paths: Collection[str]) -> Markup:
    """Return Markdown as HTML, in which places of these files are links.

    HTML in the text is shown as text, and images are not loaded.
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.children:
            token.children = with_places(token.children, paths)
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def linked(text: str, paths: Collection[str]) -> Markup:
    """Return a plain text as HTML, in which places of these files are links."""
    parser = _parser()
    tokens = with_places([Token("text", "", 0, content=text)], paths)
    return Markup(parser.renderer.render([Token("inline", "", 0, children=tokens)], parser.options, {}))


def _parser() -> MarkdownIt:
    """Return a parser of Markdown that a model wrote."""
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
