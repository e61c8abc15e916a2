"""Answer a question in stages: route → retrieve → evaluate → expand → synthesize. Only this file states their order."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import cast

from code_graph_indexer.ask.answer import answer, configured_model
from code_graph_indexer.ask.context import shortened, source_tokens, whole_tokens
from code_graph_indexer.ask.conversation import Turn, standalone
from code_graph_indexer.ask.expand import Expander
from code_graph_indexer.ask.focus import Focus
from code_graph_indexer.ask.gather import Gathered, Gatherer, merge
from code_graph_indexer.ask.graph_retriever import GraphRetriever
from code_graph_indexer.ask.judge import Decision, Evaluation, evaluate
from code_graph_indexer.ask.llm import LanguageModel, StructuredModel
from code_graph_indexer.ask.plan import RetrievalRequest, RouterOutput, decompose
from code_graph_indexer.ask.results import ContextItem, RAGResult, RequestTrace
from code_graph_indexer.ask.route import Route
from code_graph_indexer.ask.router import RAGRouter, RouteDecision
from code_graph_indexer.ask.tree import generate_codebase_tree
from code_graph_indexer.background import twin
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import AnswerError
from code_graph_indexer.results import PROVEN, ExpectedWord, Filters, expected_text
from code_graph_indexer.retrieval.expected import expected_words
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.results import Doubt, RetrievedContext
from code_graph_indexer.retrieval.stale import Root
from code_graph_indexer.retrieval.sure import doubt_of
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import definition_id

log = logging.getLogger(__name__)

FIRST = 5
"""The number of best chunks that come before the chunks that focus adds. They are what a search shows first."""

TIED, MAX_TIES = 10, 5
"""The first results whose calls of one another an answer without a model names, and the most such calls."""

EXPANDED = 5
"""The number of best chunks whose surroundings are added to the context."""

NEAR_THE_BEST = 0.5
"""Share of the best score that a chunk needs to be kept, if the question asks for one thing (a name or a phrase)."""

SUFFICIENT = Evaluation(Decision.SYNTHESIZE, 1.0)

LEAST_GIVEN = 3
"""The fewest chunks that are kept, if the question asks for one thing."""

SURE_FIRST = 10
"""The number of chunks of the first round that are ranked before all chunks of a second round."""

UNSURE_CONFIDENCE = 0.5
"""The most confidence in the sources of a question whose first result is not sure: about half have the answer in five."""

SPECIFIC = frozenset({Route.NAME, Route.PHRASE})


@dataclass(slots=True)
class _Timer:
    """A timer that adds up the milliseconds of each stage."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time inside the `with` block to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.spent[name] = self.spent.get(name, 0.0) + (time.perf_counter() - started) * 1000


@dataclass(slots=True)
class _Retrieved:
    """The results of retrieval for a question, over all rounds of search."""

    contexts: list[RetrievedContext]
    gathered: list[Gathered] = field(default_factory=list)
    summary: str = ""
    evaluation: Evaluation = SUFFICIENT
    rounds: int = 1
    doubt: Doubt | None = None
    warnings: list[str] = field(default_factory=list)
    expect: str = ""
    expected: tuple[ExpectedWord, ...] = ()


class RAGPipeline:
    """A pipeline that answers questions from one opened index.

    If `embedder` is None, the pipeline searches by names and words alone. `language_model` replaces the model that the
    settings name. Without a language model, heuristics split the question and judge the context, and the answer is the
    context itself, in order and with citations.

    Example:
        >>> from code_graph_indexer import RAGPipeline
        >>> pipeline = RAGPipeline(indexer.store, indexer.embedder(), indexer.settings)
        >>> pipeline.query("who calls add_tax?").retriever
        'graph'
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        settings: Settings,
        *,
        root: Root | None = None,
        language_model: LanguageModel | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._root = root
        self._model = language_model or configured_model(settings)
        self._router = RAGRouter(store, embedder, root=root)
        self._gatherer = Gatherer(store, embedder, settings, root=root)

    def query(
        self,
        question: str,
        *,
        expect: str = "",
        filters: Filters | None = None,
        folders: Sequence[str] = (),
        history: Sequence[Turn] = (),
        on_text: Callable[[str], None] | None = None,
    ) -> RAGResult:
        """Answer a question, which may refer to the earlier turns in `history`.

        `expect` has names and words that such code would use. Without it, the language model that splits the question names
        some. The question may contain filters (`lang:go path:web/*`). Files in `folders` rank higher. `on_text` is called with
        each piece of a generated answer as it arrives. Raises UsageError, IndexFormatError, EmbedderError, and AnswerError if
        the language model fails.
        """
        timer = _Timer()
        text, filters = read_filters(self._store, question, filters, folders=folders)
        with timer.stage("route"):
            standalone_question = standalone(text, history)
            decision = self._router.route(standalone_question)
        retrieval = self._retrieve(standalone_question, decision, filters, folders, expect, timer)
        with timer.stage("expand"):
            items = self._expand(retrieval.contexts, filters)
            # Afterwards, because the chunks that focus adds are not to bring surroundings of their own.
            if decision.path.route is Route.CONCEPT and self._settings.expansion:
                retrieval.contexts = self._focused(standalone_question, retrieval, filters)
        doubt, words = retrieval.doubt, expected_text(retrieval.expected)
        with timer.stage("synthesize"):
            # Expansions come last: they fill what the found chunks leave of the budget.
            sources = [*retrieval.contexts, *map(_as_context, items)]
            written_answer = answer(
                text,
                sources,
                self._settings,
                language_model=self._model,
                on_text=on_text,
                history=history,
                summary=retrieval.summary,
                thin=retrieval.evaluation.decision is Decision.INSUFFICIENT,
                notes=[*([words] if words else []), *([doubt.text] if doubt else [])],
                expect=retrieval.expect,
                ties=lambda: self._ties(retrieval.contexts),
            )
        return RAGResult(
            answer=replace(written_answer, warnings=(*retrieval.warnings, *written_answer.warnings)),
            route=decision.path.route.value,
            retriever=decision.retriever.name,
            reason=decision.reason,
            requests=tuple(map(_trace, retrieval.gathered)),
            summary=retrieval.summary,
            items=items,
            decision=retrieval.evaluation.decision.value,
            confidence=retrieval.evaluation.confidence,
            missing=retrieval.evaluation.missing,
            rounds=retrieval.rounds,
            doubt=doubt,
            expected=retrieval.expected,
            timings=timer.spent,
            cost=self._settings.cost(written_answer.input_tokens, written_answer.output_tokens)
            if written_answer.input_tokens
            else None,
        )

    aquery = twin(query)

    def _ties(self, contexts: Sequence[RetrievedContext]) -> list[str]:
        """Return the calls between the definitions of the first results, as sentences, at most MAX_TIES."""
        chunks = self._store.chunks([context.node_id for context in contexts[:TIED]])
        nodes = self._store.nodes(list(dict.fromkeys(map(definition_id, chunks))))
        edges = self._store.edges(list(nodes), "calls", incoming=False)
        ties = [
            f"{nodes[edge.of].qualified_name} calls {nodes[edge.chunk_id].qualified_name} in line {edge.line}."
            for edge in edges
            if edge.chunk_id in nodes and edge.chunk_id != edge.of and edge.confidence >= PROVEN
        ]
        return list(dict.fromkeys(ties))[:MAX_TIES]

    def _retrieve(
        self,
        question: str,
        decision: RouteDecision,
        filters: Filters,
        folders: Sequence[str],
        expect: str,
        timer: _Timer,
    ) -> _Retrieved:
        """Return the graph's chunks if the router chose the graph. Otherwise search, judge, and search again if necessary.

        The search also runs if the graph has no answer.
        """
        if decision.retriever.name == "graph":
            with timer.stage("graph"):
                graph = GraphRetriever(self._store, root=self._root)
                contexts, summary = graph.answer(decision.path, filters, limit=self._settings.rrf_top_n)
            if contexts:
                found_for = "the graph of the code"
                return _Retrieved([replace(context, reasoning=found_for) for context in contexts], summary=summary)
            log.info("the graph does not know %s: searching", decision.path.names or decision.path.frames)
        warnings: list[str] = []
        with timer.stage("decompose"):
            output = self._requests(question, decision, warnings)
            expect = expect or output.expect
        requests = [replace(request, folders=request.folders or tuple(folders)) for request in output.requests]
        # The first is the whole question, for which the words are expected.
        requests[0] = replace(requests[0], expect=expect)
        retrieval = _Retrieved([], warnings=warnings, expect=expect, expected=expected_words(self._store, expect))
        for done in range(1, self._settings.max_rounds + 1):
            retrieval.rounds = done
            with timer.stage("search"):
                keyword_only = decision.retriever.name == "sparse"
                gathered = self._gatherer.gather(requests, filters, keyword_only=keyword_only)
                retrieval.gathered += gathered
                more = merge(gathered, k=self._settings.rrf_k, limit=self._settings.rrf_top_n)
                retrieval.contexts = _added(retrieval.contexts, more)[: self._settings.rrf_top_n]
                if done == 1 and decision.path.route is Route.CONCEPT:
                    # The whole question comes first, and its results alone have scores that compare.
                    retrieval.doubt = doubt_of(self._store, question, filters, gathered[0].contexts, expect)
            # Only a concept can be put into other words, so nothing else gets a second round.
            if decision.path.route is not Route.CONCEPT or not self._settings.evaluator:
                break
            with timer.stage("evaluate"):
                retrieval.evaluation = self._evaluate(question, retrieval.contexts, warnings)
                if retrieval.doubt is not None:
                    # The words of the question may all be there, and the answer be elsewhere.
                    confidence = min(retrieval.evaluation.confidence, UNSURE_CONFIDENCE)
                    retrieval.evaluation = replace(retrieval.evaluation, confidence=confidence)
            again = _once_more(question, retrieval)
            if again is None:
                break
            requests = [again]
        retrieval.contexts = _adapted(retrieval.contexts, decision.path.route)
        return retrieval

    def _requests(self, question: str, decision: RouteDecision, warnings: list[str]) -> RouterOutput:
        """Return the requests (searches) of a question.

        Only a concept is split: by the language model if there is one, else by the wording of the question.
        """
        if decision.path.route is Route.PHRASE and (
            # A phrase with a quote in it cannot be put into quotes.
            phrases := [phrase for phrase in decision.path.phrases if '"' not in phrase]
        ):
            # In quotes they are searched as they are written. The words around them may only name the error.
            quoted = " ".join(f'"{phrase}"' for phrase in phrases)
            return RouterOutput((RetrievalRequest(quoted, reasoning=decision.reason),), decision.reason)
        if decision.path.route is not Route.CONCEPT:
            return RouterOutput((RetrievalRequest(question, reasoning=decision.reason),), decision.reason)
        structured = self._structured() if self._settings.llm_router else None
        if structured is not None:
            # Here, because it loads pydantic, which takes a quarter of a search from the shell.
            from code_graph_indexer.ask.llm_router import LLMRouter

            tree = generate_codebase_tree(
                [file.path for file in self._store.files() if file.error is None],
                max_depth=self._settings.router_max_tree_depth,
                token_budget=self._settings.router_tree_tokens,
            )
            try:
                output = LLMRouter(structured, tree).route(question)
                # The question itself is always asked too: no plan may lose what its own words would find.
                whole_question = RetrievalRequest(question, reasoning="the question as it was put")
                parts = [request for request in output.requests if request.query.casefold() != question.casefold()]
                return RouterOutput(
                    (whole_question, *parts[: self._settings.max_retrieval_requests - 1]),
                    output.reasoning,
                    expect=output.expect,
                )
            except AnswerError as exc:
                warnings.append(f"the question was split without the language model: {exc}")
        output = decompose(question)
        return RouterOutput(output.requests[: self._settings.max_retrieval_requests], output.reasoning)

    def _evaluate(self, question: str, contexts: Sequence[RetrievedContext], warnings: list[str]) -> Evaluation:
        structured = self._structured()
        if structured is not None and contexts:
            from code_graph_indexer.ask.llm_judge import judge

            # The beginnings of the first results suffice to judge, and keep the prompt small.
            excerpts = "\n\n".join(
                f"{context.file_path}:{context.start_line}\n{context.content[:600]}" for context in contexts[:10]
            )
            try:
                return judge(structured, question, excerpts)
            except AnswerError as exc:
                warnings.append(f"the context was judged without the language model: {exc}")
        return evaluate(question, contexts)

    def _structured(self) -> StructuredModel | None:
        """Return the language model if it can answer with a record of a given type, else None."""
        # A caller's own model has to stream, but need not answer in shapes.
        return cast(StructuredModel, self._model) if hasattr(self._model, "structured") else None

    def _expand(self, contexts: Sequence[RetrievedContext], filters: Filters) -> tuple[ContextItem, ...]:
        """Return the chunks around the EXPANDED best contexts, without the chunks that the filters exclude."""
        if not self._settings.expansion:
            return ()
        items = Expander(self._store, self._settings).expand(contexts[:EXPANDED]).items
        allowed = self._store.allowed([item_around.node_id for item_around in items], filters)
        return tuple(item_around for item_around in items if item_around.node_id in allowed)

    def _focused(self, question: str, retrieval: _Retrieved, filters: Filters) -> list[RetrievedContext]:
        """Return the contexts of a retrieval with chunks that `Focus` chooses inserted after the first FIRST.

        As many chunks are inserted as fit into the budget for whole chunks. Of the first, the best is whole, and those that
        Focus chooses too.
        """
        contexts = retrieval.contexts
        first = [*contexts[:1], *map(shortened, contexts[1:FIRST])]
        room = whole_tokens(self._settings.token_budget) - sum(map(source_tokens, first))
        chosen: dict[int, RetrievedContext] = {}
        focus = Focus(self._store, self._embedder, root=self._root)
        for context in focus.chosen(question, contexts, filters, retrieval.expect):
            room -= source_tokens(context)
            if room < 0:
                break
            chosen[context.node_id] = context
        # A chunk may be in several of the lists. Its first place counts.
        in_order = {context.node_id: chosen.get(context.node_id, context) for context in first}
        for context in (*chosen.values(), *contexts):
            in_order.setdefault(context.node_id, context)
        return list(in_order.values())


def _once_more(question: str, retrieval: _Retrieved) -> RetrievalRequest | None:
    """Return the request for another round, which expects the words that are missing, or None if it would find nothing new."""
    if retrieval.evaluation.decision is not Decision.RETRIEVE or not retrieval.evaluation.missing:
        return None
    words = " ".join(retrieval.evaluation.missing)
    expected = {gathered.request.expect.casefold() for gathered in retrieval.gathered}
    # The same words would find the same again.
    if words.casefold() in expected:
        return None
    return RetrievalRequest(question, reasoning=f"what was missing: {words}", expect=words)


def _added(contexts: Sequence[RetrievedContext], more: Sequence[RetrievedContext]) -> list[RetrievedContext]:
    """Insert the results of another round after the first SURE_FIRST contexts.

    They come later, because that round searched only for the missing words.
    """
    node_ids = {context.node_id for context in contexts}
    first, rest = contexts[:SURE_FIRST], contexts[SURE_FIRST:]
    lowest = first[-1].score if first else float("inf")
    # The rounds' scores do not compare, so none may exceed the scores that it stands behind.
    new = [replace(context, score=min(context.score, lowest)) for context in more if context.node_id not in node_ids]
    return [*first, *new, *rest]


def _adapted(contexts: list[RetrievedContext], route: Route) -> list[RetrievedContext]:
    """Keep only contexts with a score near the best if the question asks for one thing. Otherwise, keep all contexts."""
    if route not in SPECIFIC or not contexts:
        return contexts
    lowest = contexts[0].score * NEAR_THE_BEST
    near = [context for context in contexts if context.score >= lowest]
    return near if len(near) >= LEAST_GIVEN else contexts[:LEAST_GIVEN]


def _as_context(item: ContextItem) -> RetrievedContext:
    # The last line may lack its newline.
    lines = item.content.count("\n") + (not item.content.endswith("\n"))
    return RetrievedContext(
        node_id=item.node_id,
        file_path=item.file_path,
        content=item.content,
        score=0.0,
        type=item.chunk_kind,
        start_line=item.start_line,
        end_line=item.start_line + max(lines - 1, 0),
        qualified_name=item.qualified_name,
        language=item.language,
        source_type=item.source_type,
        repo_id=item.repo_id,
        reasoning=item.reasoning,
    )


def _trace(gathered: Gathered) -> RequestTrace:
    request = gathered.request
    return RequestTrace(
        request.query,
        request.reasoning,
        len(gathered.contexts),
        request.source_types,
        request.folders,
        request.file_patterns,
        gathered.steps,
        request.expect,
    )
