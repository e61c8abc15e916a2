"""From a question to a checked answer: route → retrieve → evaluate → expand → synthesize, the order written once."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from code_graph_indexer.ask.answer import answer, configured_model
from code_graph_indexer.ask.context import source_tokens, whole_tokens
from code_graph_indexer.ask.conversation import Turn, standalone
from code_graph_indexer.ask.decompose import decompose
from code_graph_indexer.ask.expand import Expander
from code_graph_indexer.ask.focus import Focus
from code_graph_indexer.ask.gather import Gathered, Gatherer, merge
from code_graph_indexer.ask.graph_retriever import GraphRetriever
from code_graph_indexer.ask.judge import Decision, Evaluation, evaluate
from code_graph_indexer.ask.llm import LanguageModel
from code_graph_indexer.ask.plan import RetrievalRequest, RouterOutput
from code_graph_indexer.ask.rag_router import RAGRouter, RouteDecision
from code_graph_indexer.ask.route import Route
from code_graph_indexer.ask.tree import generate_codebase_tree
from code_graph_indexer.background import in_thread
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import AnswerError
from code_graph_indexer.results import ContextItem, Filters, RAGResult, RequestTrace, RetrievedContext
from code_graph_indexer.retrieval import read_filters
from code_graph_indexer.retrieval.rescore import PairScorer, rescore
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store

if TYPE_CHECKING:
    from code_graph_indexer.ask.structured import StructuredModel

log = logging.getLogger(__name__)

EXPANDED = 5
"""Chunks, from the best, that are given with what stands around them."""

NEAR_THE_BEST = 0.5
"""Share of the best score that a chunk has to have to be given for a question that asks for one thing."""

SUFFICIENT = Evaluation(Decision.SYNTHESIZE, 1.0)

LEAST_GIVEN = 3
"""Chunks that are given for such a question in any case."""

SURE_FIRST = 10
"""Chunks of the first round that stay before those of another."""

SPECIFIC = frozenset({Route.NAME, Route.PHRASE})


@dataclass(slots=True)
class _Timer:
    """The milliseconds that the stages took."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time inside to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.spent[name] = self.spent.get(name, 0.0) + (time.perf_counter() - started) * 1000


@dataclass(slots=True)
class _Retrieved:
    """What was retrieved for a question, over all rounds."""

    contexts: list[RetrievedContext]
    gathered: list[Gathered] = field(default_factory=list)
    summary: str = ""
    evaluation: Evaluation = SUFFICIENT
    rounds: int = 1
    warnings: list[str] = field(default_factory=list)


class RAGPipeline:
    """Answer questions from one index.

    `embedder` None searches by names and words alone. `language_model` replaces the one that the settings name; without any,
    questions are split and judged by heuristics, and the answer is the context itself, in order and cited. `cross_encoder`
    scores the first results once more.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        settings: Settings,
        *,
        root: Path | None = None,
        language_model: LanguageModel | None = None,
        cross_encoder: PairScorer | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._root = root
        self._model = language_model or configured_model(settings)
        self._cross_encoder = cross_encoder
        self._router = RAGRouter(store, embedder, root=root)
        self._gatherer = Gatherer(store, embedder, settings, root=root)

    async def query(self, question: str, **options: Any) -> RAGResult:
        """Do what `query_now` does without holding up an event loop."""
        return await in_thread(self.query_now, question, **options)

    def query_now(
        self,
        question: str,
        *,
        filters: Filters | None = None,
        folders: Sequence[str] = (),
        history: Sequence[Turn] = (),
        on_text: Callable[[str], None] | None = None,
    ) -> RAGResult:
        """Answer a question; `history` are the turns before it, which it may speak of.

        Filters may stand in the question itself (`lang:go path:web/*`). `on_text` gets a generated answer as it is written.
        Raises UsageError, IndexFormatError, EmbedderError, and AnswerError when the language model fails.
        """
        timer = _Timer()
        text, filters = read_filters(question, filters)
        with timer.stage("route"):
            asked = standalone(text, history)
            decision = self._router.decide(asked)
        found = self._retrieve(asked, decision, filters, folders, timer)
        with timer.stage("expand"):
            items = self._expand(found.contexts, filters)
            if decision.path.route is Route.CONCEPT and self._settings.expansion:
                found.contexts = self._focused(asked, found.contexts, filters)
        with timer.stage("synthesize"):
            # Expansions come last: they fill what the found chunks leave of the budget.
            given = [*found.contexts, *map(_as_context, items)]
            written = answer(
                text,
                given,
                self._settings,
                language_model=self._model,
                on_text=on_text,
                history=history,
                summary=found.summary,
                thin=found.evaluation.decision is Decision.INSUFFICIENT,
            )
        return RAGResult(
            answer=replace(written, warnings=(*found.warnings, *written.warnings)),
            route=decision.path.route.value,
            retriever=decision.retriever.name,
            reason=decision.reason,
            requests=tuple(map(_trace, found.gathered)),
            summary=found.summary,
            items=items,
            decision=found.evaluation.decision.value,
            confidence=found.evaluation.confidence,
            missing=found.evaluation.missing,
            rounds=found.rounds,
            timings=timer.spent,
            cost=self._cost(written.input_tokens, written.output_tokens),
        )

    def _retrieve(
        self, question: str, decision: RouteDecision, filters: Filters, folders: Sequence[str], timer: _Timer
    ) -> _Retrieved:
        """Ask the graph where that is asked for; else search, judge what was found, and search again if it is too little."""
        if decision.retriever.name == "graph":
            with timer.stage("graph"):
                graph = GraphRetriever(self._store, root=self._root)
                contexts, summary = graph.answer(decision.path, filters, limit=self._settings.rrf_top_n)
            if contexts:
                found_for = "the graph of the code"
                return _Retrieved([replace(one, reasoning=found_for) for one in contexts], summary=summary)
            log.info("the graph does not know %s: searching", decision.path.names or decision.path.frames)
        warnings: list[str] = []
        with timer.stage("decompose"):
            output = self._requests(question, decision, warnings)
        requests = [replace(one, folders=one.folders or tuple(folders)) for one in output.requests]
        found = _Retrieved([], warnings=warnings)
        for done in range(1, self._settings.max_rounds + 1):
            found.rounds = done
            with timer.stage("search"):
                keyword_only = decision.retriever.name == "sparse"
                gathered = self._gatherer.gather_now(requests, filters, keyword_only=keyword_only)
                found.gathered += gathered
                more = merge(gathered, k=self._settings.rrf_k, limit=self._settings.rrf_top_n)
                found.contexts = _added(found.contexts, more)[: self._settings.rrf_top_n]
            if self._cross_encoder is not None:
                with timer.stage("rescore"):
                    first = self._settings.first_stage_limit
                    found.contexts = rescore(self._cross_encoder, question, found.contexts, first)
            if decision.path.route is not Route.CONCEPT or not self._settings.evaluator:
                break
            with timer.stage("evaluate"):
                found.evaluation = self._evaluate(question, found.contexts, warnings)
            again = _once_more(question, found)
            if again is None:
                break
            requests = [again]
        found.contexts = _adapted(found.contexts, decision.path.route)
        return found

    def _requests(self, question: str, decision: RouteDecision, warnings: list[str]) -> RouterOutput:
        """Split a question: by the language model where there is one, by its form otherwise."""
        if decision.path.route is Route.PHRASE and (
            phrases := [one for one in decision.path.phrases if '"' not in one]
        ):
            # In quotes, they are looked for as they are written; the words around them may name the error.
            quoted = " ".join(f'"{one}"' for one in phrases)
            return RouterOutput((RetrievalRequest(quoted, reasoning=decision.reason),), decision.reason)
        if decision.path.route is not Route.CONCEPT:
            return RouterOutput((RetrievalRequest(question, reasoning=decision.reason),), decision.reason)
        structured = self._structured() if self._settings.llm_router else None
        if structured is not None:
            from code_graph_indexer.ask.structured import LLMRouter

            tree = generate_codebase_tree(
                [one.path for one in self._store.files() if one.error is None],
                max_depth=self._settings.router_max_tree_depth,
                token_budget=self._settings.router_tree_tokens,
            )
            try:
                output = LLMRouter(structured, tree).route(question)
                # The question itself is always asked too: no plan may lose what its own words would find.
                own = RetrievalRequest(question, reasoning="the question as it was put")
                others = [one for one in output.requests if one.query.casefold() != question.casefold()]
                return RouterOutput((own, *others[: self._settings.max_retrieval_requests - 1]), output.reasoning)
            except AnswerError as exc:
                warnings.append(f"the question was split without the language model: {exc}")
        output = decompose(question)
        return RouterOutput(output.requests[: self._settings.max_retrieval_requests], output.reasoning)

    def _evaluate(self, question: str, contexts: Sequence[RetrievedContext], warnings: list[str]) -> Evaluation:
        structured = self._structured()
        if structured is not None and contexts:
            from code_graph_indexer.ask.structured import judge

            excerpts = "\n\n".join(f"{one.file_path}:{one.start_line}\n{one.content[:600]}" for one in contexts[:10])
            try:
                return judge(structured, question, excerpts)
            except AnswerError as exc:
                warnings.append(f"the context was judged without the language model: {exc}")
        return evaluate(question, contexts)

    def _structured(self) -> "StructuredModel | None":
        """Return the language model, if there is one and it can answer in a given shape."""
        return cast("StructuredModel", self._model) if hasattr(self._model, "structured") else None

    def _expand(self, contexts: Sequence[RetrievedContext], filters: Filters) -> tuple[ContextItem, ...]:
        """List what stands around the best chunks, as far as the filters allow it."""
        if not self._settings.expansion:
            return ()
        items = Expander(self._store, self._settings).expand(contexts[:EXPANDED]).items
        allowed = self._store.allowed([one.node_id for one in items], filters)
        return tuple(one for one in items if one.node_id in allowed)

    def _focused(self, question: str, contexts: Sequence[RetrievedContext], filters: Filters) -> list[RetrievedContext]:
        """Put what is to be read in the first files behind the first chunk, as much of it as is given whole."""
        room = whole_tokens(self._settings.token_budget) - sum(map(source_tokens, contexts[:1]))
        chosen: list[RetrievedContext] = []
        for one in Focus(self._store, self._embedder, root=self._root).chosen(question, contexts, filters):
            room -= source_tokens(one)
            if room < 0:
                break
            chosen.append(one)
        in_order: dict[int, RetrievedContext] = {}
        for one in (*contexts[:1], *chosen, *contexts):
            in_order.setdefault(one.node_id, one)
        return list(in_order.values())

    def _cost(self, input_tokens: int, output_tokens: int) -> float | None:
        prices = self._settings.input_price, self._settings.output_price
        if not any(prices) or not input_tokens:
            return None
        return (input_tokens * prices[0] + output_tokens * prices[1]) / 1_000_000


def _once_more(question: str, found: _Retrieved) -> RetrievalRequest | None:
    """Write the request for another round: what is missing, by itself; None when there is nothing new to ask for."""
    if found.evaluation.decision is not Decision.RETRIEVE or not found.evaluation.missing:
        return None
    words = " ".join(found.evaluation.missing)
    asked = {one.request.query.casefold() for one in found.gathered}
    if words.casefold() in asked:
        return None
    return RetrievalRequest(words, reasoning=f"what was missing: {words}")


def _added(contexts: Sequence[RetrievedContext], more: Sequence[RetrievedContext]) -> list[RetrievedContext]:
    """Put what another round found behind the first of what is there: it was asked for words that are missing."""
    known = {one.node_id for one in contexts}
    first, rest = contexts[:SURE_FIRST], contexts[SURE_FIRST:]
    least = first[-1].score if first else float("inf")
    new = [replace(one, score=min(one.score, least)) for one in more if one.node_id not in known]
    return [*first, *new, *rest]


def _adapted(contexts: list[RetrievedContext], route: Route) -> list[RetrievedContext]:
    """Keep what is near the best, for a question that asks for one thing; all of it for a broad one."""
    if route not in SPECIFIC or not contexts:
        return contexts
    least = contexts[0].score * NEAR_THE_BEST
    near = [one for one in contexts if one.score >= least]
    return near if len(near) >= LEAST_GIVEN else contexts[:LEAST_GIVEN]


def _as_context(item: ContextItem) -> RetrievedContext:
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


def _trace(one: Gathered) -> RequestTrace:
    asked = one.request
    return RequestTrace(
        asked.query,
        asked.reasoning,
        len(one.contexts),
        asked.source_types,
        asked.folders,
        asked.file_patterns,
        one.steps,
    )
