"""Ask a language model for descriptions, several requests at once, and write each reply into the index when it comes."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import NamedTuple

from code_graph_indexer.ask.context import one_line
from code_graph_indexer.ask.llm import LanguageModel, Prompt, Reply
from code_graph_indexer.describe.choice import Material, Subject, materials, undescribed_subjects
from code_graph_indexer.describe.prompt import build_prompt, read_reply
from code_graph_indexer.errors import AnswerError, ApiKeyError, ContextSizeError, OverloadError
from code_graph_indexer.results import Progress
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store, update_index, writable
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.storage.snapshot import index_stamp
from code_graph_indexer.words import estimate_tokens

PER_REQUEST, AT_ONCE = 10, 4
"""Definitions of a request, and requests at once. More definitions make a model careless about the last of them."""

WAITS = (10.0, 30.0, 60.0, 120.0)
"""Seconds to wait after each refusal for a rate limit. The client has asked again by itself before."""

SAMPLE = 200
"""The definitions whose texts are read to estimate the tokens of all."""

SENTENCE_TOKENS = 40
"""The tokens of a sentence with its number, about."""

WRITE_SECONDS = 60.0
"""Seconds to wait for another process that writes the index."""

MAX_MODEL = 80
"""The most characters of a model's name, which its server tells."""


@dataclass(frozen=True, slots=True)
class DescriptionPlan:
    """What a run of `describe` is going to ask for. Tokens are estimated, and `cost` is in US dollars, None without prices.

    `left` is how many definitions a limit leaves for another run.

    Example:
        >>> from code_graph_indexer import DescriptionPlan
        >>> DescriptionPlan("m", 12, 0, 2, 4_000, 480, None).requests
        2
    """

    model: str
    definitions: int
    left: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class DescriptionReport:
    """What a run of `describe` did. `left` counts definitions without a description, `failed` those with no usable reply.

    Tokens are those that the server counted. `cost` is in US dollars, or None without prices.

    Example:
        >>> from code_graph_indexer import DescriptionReport
        >>> DescriptionReport("m", 12, 0, 0, 4_000, 480, None, 1.5).described
        12
    """

    model: str
    described: int
    failed: int
    left: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float


class _Written(NamedTuple):
    """What a language model wrote for a request: sentences by subject, its name, and the tokens that it counted."""

    sentences: list[tuple[Subject, str]]
    model: str
    input_tokens: int
    output_tokens: int


class Describer:
    """A run over one index file. Only the thread that calls it reads and writes the index.

    `notice` is called with a sentence about each wait and each reply that cannot be used.
    """

    def __init__(
        self,
        store: Store,
        db: Path,
        settings: Settings,
        *,
        limit: int | None = None,
        report: Callable[[Progress], None] = lambda progress: None,
        notice: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._store = store
        self._db = db
        self._settings = settings
        self._report = report
        self._notice = notice
        self._stop = Event()
        subjects = undescribed_subjects(store)
        self._subjects = subjects[:limit]
        self._left = len(subjects) - len(self._subjects)
        self._done = self._described = self._input_tokens = self._output_tokens = 0
        self._model = settings.model

    @property
    def plan(self) -> DescriptionPlan:
        """Return what the run is going to ask for, with its cost by a sample of the definitions."""
        count = len(self._subjects)
        requests = -(-count // PER_REQUEST)
        sample = self._subjects[:: max(1, count // SAMPLE)]
        prompts = [build_prompt(part) for part in self._parts(sample)]
        # The rules stand in every prompt, also in one that is not full.
        read = sum(estimate_tokens(prompt.user) for prompt in prompts) * count // max(1, len(sample))
        read += requests * sum(estimate_tokens(prompt.system) for prompt in prompts[:1])
        written = count * SENTENCE_TOKENS
        cost = self._settings.cost(read, written)
        return DescriptionPlan(self._settings.model, count, self._left, requests, read, written, cost)

    def _parts(self, subjects: Sequence[Subject]) -> Iterator[list[Material]]:
        """Yield what is asked for in each request."""
        for start in range(0, len(subjects), PER_REQUEST):
            yield materials(self._store, subjects[start : start + PER_REQUEST])

    def run(self, model: LanguageModel) -> DescriptionReport:
        """Ask for all descriptions, and return what was done. What is written stays, however the run ends.

        Raises AnswerError if the model cannot be asked, BusyError or IndexWriteError.
        """
        started = time.perf_counter()
        pool = ThreadPoolExecutor(AT_ONCE, "cgi-describe")
        waiting: set[Future[_Written]] = set()
        try:
            for part in self._parts(self._subjects):
                waiting.add(pool.submit(self._ask, model, part))
                if len(waiting) >= AT_ONCE:
                    waiting = self._take(waiting)
            while waiting:
                waiting = self._take(waiting)
        finally:
            self._stop.set()
            # After an interrupt, nobody waits for the requests on their way.
            pool.shutdown(wait=False, cancel_futures=True)
        return DescriptionReport(
            model=self._model,
            described=self._described,
            failed=self._done - self._described,
            left=self._left + len(self._subjects) - self._described,
            input_tokens=self._input_tokens,
            output_tokens=self._output_tokens,
            cost=self._settings.cost(self._input_tokens, self._output_tokens),
            seconds=time.perf_counter() - started,
        )

    def _take(self, waiting: set[Future[_Written]]) -> set[Future[_Written]]:
        """Write the replies that have come, and return the requests that are on their way.

        After an error, the requests on their way are waited for, because they are paid for. Then it is raised.
        """
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        errors = [error for future in done if (error := future.exception()) is not None]
        if errors:
            self._stop.set()
            done |= wait(waiting).done
        self._write([future.result() for future in done if future.exception() is None])
        if errors:
            raise errors[0]
        self._report(Progress("describe", self._done, len(self._subjects)))
        return waiting

    def _write(self, replies: Sequence[_Written]) -> None:
        """Write the sentences of replies into the index, in one transaction."""
        rows = [
            (subject, reply.model, sentence) for reply in replies for subject, sentence in reply.sentences if sentence
        ]
        self._done += sum(len(reply.sentences) for reply in replies)
        self._described += len(rows)
        self._input_tokens += sum(reply.input_tokens for reply in replies)
        self._output_tokens += sum(reply.output_tokens for reply in replies)
        if not rows:
            return
        self._model = rows[-1][1]
        with writable(self._db), LocalState(self._db, wait=WRITE_SECONDS) as local:
            stamp = index_stamp(self._db)
            is_current, has_lookups = local.index() == stamp, local.shards_of() == stamp
            with update_index(self._db) as writer:
                writer.put_sentences((subject.content_hash, model, sentence) for subject, model, sentence in rows)
                # An update may have changed a chunk meanwhile. Then its content has another hash, and no sentence.
                writer.put_described([chunk_id for subject, _, _ in rows for chunk_id in subject.chunk_ids])
            # What is known of the files on disk is still true.
            if is_current:
                local.set_index(index_stamp(self._db))
            if has_lookups:
                local.set_shards((), index_stamp(self._db))

    # In other threads, which leave the index alone.

    def _ask(self, model: LanguageModel, part: Sequence[Material]) -> _Written:
        """Ask for the descriptions of some definitions. A reply that is no list of them is asked for once more.

        Definitions that are too long together are asked for in halves. Raises AnswerError.
        """
        try:
            return self._asked(model, part)
        except ContextSizeError:
            if len(part) < 2:
                raise
            first, second = (self._ask(model, half) for half in (part[: len(part) // 2], part[len(part) // 2 :]))
            return _Written(
                first.sentences + second.sentences,
                second.model,
                first.input_tokens + second.input_tokens,
                first.output_tokens + second.output_tokens,
            )

    def _patient(self, model: LanguageModel, prompt: Prompt) -> Reply:
        """Return the reply to a prompt. A rate limit is waited for, and a lost connection is tried once more."""
        waits, lost = iter(WAITS), False
        while True:
            try:
                return model.stream(prompt, lambda text: None)
            except OverloadError as exc:
                if (seconds := next(waits, None)) is None:
                    raise
                self._notice(f"{exc}; waiting {seconds:g} s")
                if self._stop.wait(seconds):
                    raise
            # To ask again would help in neither case.
            except (ApiKeyError, ContextSizeError):
                raise
            except AnswerError:
                if lost:
                    raise
                lost = True

    def _asked(self, model: LanguageModel, part: Sequence[Material]) -> _Written:
        prompt = build_prompt(part)
        read = written = 0
        name, sentences = "", dict[int, str]()
        for last in (False, True):
            reply = self._patient(model, prompt)
            read, written = read + reply.input_tokens, written + reply.output_tokens
            name = one_line(reply.model).strip()[:MAX_MODEL]
            try:
                if reply.stop_reason != "end_turn":
                    raise AnswerError(f"the model stopped early ({one_line(reply.stop_reason)[:40]})")
                sentences = read_reply(reply.text, len(part))
                break
            except AnswerError as exc:
                self._notice(f"{exc}; {'these are left out' if last else 'asking once more'}")
        pairs = [(material.subject, sentences.get(place, "")) for place, material in enumerate(part)]
        return _Written(pairs, name or self._settings.model, read, written)
