"""Write an answer from a question and its sources: pack the sources → prompt → generate → check the citations."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from code_graph_indexer.ask.anthropic import AnthropicModel
from code_graph_indexer.ask.citations import check_citations
from code_graph_indexer.ask.context import pack
from code_graph_indexer.ask.conversation import Turn
from code_graph_indexer.ask.extract import extract
from code_graph_indexer.ask.llm import LanguageModel, Reply
from code_graph_indexer.ask.prompt import build_prompt
from code_graph_indexer.ask.results import Answer, Citation
from code_graph_indexer.errors import AnswerError, RefusalError
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.settings import Settings

CUT_SHORT = frozenset({"max_tokens", "model_context_window_exceeded"})
"""Stop reasons of the Messages API that mean that a limit cut the reply off."""


def answer(
    question: str,
    sources: Iterable[RetrievedContext],
    settings: Settings,
    *,
    language_model: LanguageModel | None = None,
    on_text: Callable[[str], None] | None = None,
    history: Sequence[Turn] = (),
    summary: str = "",
    thin: bool = False,
    notes: Sequence[str] = (),
    expect: str = "",
    ties: Callable[[], Sequence[str]] = tuple,
) -> Answer:
    """Answer a question from its sources, and check the citations in the answer.

    `sources` come best first. `language_model` replaces the model that the settings name (by an API key or a base URL).
    Without a language model, the answer is the text of the sources that fit the budget, and `generated` is False.
    `on_text` is called with each piece of a generated answer, before its citations are checked. `history` holds the
    earlier turns. `summary` is the graph's answer in words. `thin` tells the model that little in the sources is about the
    question. `notes` stand at the top of an answer without a model, and are warnings beside a generated one.
    Without a model, `expect` (words that such code was expected to use) tells why a place is named, and `ties` is called for
    sentences that say how the sources call one another. Raises AnswerError if the language model cannot be asked or does not
    answer.
    """
    packed = pack(sources, budget=settings.token_budget)
    model = language_model or configured_model(settings)
    # Without sources a model could only guess, so none is asked.
    if model is None or not packed:
        return replace(extract(question, packed, summary, notes, expect, ties), warnings=tuple(_stale_warnings(packed)))
    reply = model.stream(
        build_prompt(question, packed, history=history, summary=summary, thin=thin), on_text or _ignore
    )
    checked = _checked(question, packed, _require_text(reply, settings), settings)
    return replace(checked, warnings=(*notes, *checked.warnings))


def configured_model(settings: Settings) -> LanguageModel | None:
    """Return the language model that the settings name, or None if they hold neither a key nor a base URL."""
    return AnthropicModel(settings) if settings.api_key.strip() or settings.base_url.strip() else None


def _ignore(_text: str) -> None:
    return None


def _require_text(reply: Reply, settings: Settings) -> Reply:
    if reply.stop_reason == "refusal":
        raise RefusalError(
            f"model {reply.model!r} declined to answer; rephrase the question or choose another CGI_MODEL"
        )
    if reply.text.strip():
        return reply
    if reply.stop_reason == "max_tokens":
        # A model that thinks first may use up its tokens before the answer begins.
        limit = settings.max_answer_tokens
        raise AnswerError(
            f"model {reply.model!r} spent all {limit} tokens before its answer; raise CGI_MAX_ANSWER_TOKENS"
        )
    raise AnswerError(f"model {reply.model!r} gave an empty answer (stop reason {reply.stop_reason!r}); ask again")


def _checked(question: str, packed: tuple[RetrievedContext, ...], reply: Reply, settings: Settings) -> Answer:
    checked = check_citations(reply.text, packed)
    return Answer(
        question=question,
        text=checked.text,
        sources=packed,
        citations=checked.citations,
        generated=True,
        model=reply.model,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        warnings=(
            *reply.warnings,
            *_length_warnings(reply, settings),
            *_citation_warnings(checked.citations),
            *_stale_warnings(packed),
        ),
    )


def _length_warnings(reply: Reply, settings: Settings) -> list[str]:
    if reply.stop_reason not in CUT_SHORT:
        return []
    if reply.stop_reason == "max_tokens":
        return [f"the answer was cut off at {settings.max_answer_tokens} tokens; raise CGI_MAX_ANSWER_TOKENS"]
    return [f"the answer was cut off where the model's context ends; lower CGI_TOKEN_BUDGET ({settings.token_budget})"]


def _citation_warnings(citations: Sequence[Citation]) -> list[str]:
    if not citations:
        return ["the answer cites no source, so nothing in it was checked"]
    wrong = [citation for citation in citations if not citation.valid]
    if not wrong:
        return []
    listed = ", ".join(
        f"{citation.path}:{citation.start_line}-{citation.end_line} ({citation.problem})" for citation in wrong
    )
    return [f"{len(wrong)} of {len(citations)} citations do not hold: {listed}"]


def _stale_warnings(sources: Sequence[RetrievedContext]) -> list[str]:
    paths = sorted({source.file_path for source in sources if source.stale})
    return [f"changed since indexed, so lines may be off: {', '.join(paths)}; run cgi index"] if paths else []
