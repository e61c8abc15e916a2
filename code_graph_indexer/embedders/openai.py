"""Embedding models on a server with an OpenAI-compatible `/embeddings` endpoint: OpenAI, Ollama, vLLM, LM Studio and others.

The address is not part of the embedder's name. The name is stored in the index, and an index must not decide where text
is sent.
"""

from __future__ import annotations

import random
import re
import threading
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, FiniteFloat, ValidationError

from code_graph_indexer.embedders.base import EmbedderStats, unit_rows
from code_graph_indexer.errors import EmbedderError

if TYPE_CHECKING:
    from code_graph_indexer.embedders.base import Vectors

MODEL = "text-embedding-3-small"
"""The default model: 1,536 dimensions, 8,191 tokens of context, the cheapest of OpenAI."""

BASE_URL = "https://api.openai.com/v1"
"""The address of OpenAI, which offers MODEL and always needs a key."""

RETRIES = 7
"""How many times a failed request is repeated. With the pauses below it takes a minute, in which most rate limits end."""

FIRST_PAUSE = 0.5
"""Seconds before the first retry. Each further pause is twice as long."""

LONGEST_PAUSE = 30.0
"""The longest pause in seconds, unless the endpoint asks for a longer one."""

LONGEST_RETRY_AFTER = 120.0
"""The longest wait in seconds that an endpoint may ask for. If it asks for more, the request fails at once."""

JITTER = 0.25
"""The largest random part that is added to a pause, as a share of it.

So requests that fail together are not repeated together.
"""

QUOTED = 300
"""The number of characters of an endpoint's error message that are shown."""

_PASSING_STATUSES = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
_PASSING = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)
_ADVICE = {
    400: "check the model's name and how long a text it takes",
    401: "set CGI_OPENAI_API_KEY or OPENAI_API_KEY to a key that is valid there",
    403: "this key may not use the model; take another model or key",
    404: "check the model's name and CGI_OPENAI_BASE_URL, which often ends in /v1",
    413: "lower CGI_EMBED_BATCH_SIZE",
    429: "lower CGI_EMBED_CONCURRENCY, or wait until the quota is renewed",
}

_REDIRECTED = "it sends on to another address, which is not asked; set CGI_OPENAI_BASE_URL to the address that answers"


class _Entry(BaseModel):
    index: int
    embedding: list[FiniteFloat]


class _Reply(BaseModel):
    data: list[_Entry]


def create(
    model: str = "",
    *,
    base_url: str = BASE_URL,
    api_key: str = "",
    concurrency: int = 4,
    batch_size: int = 64,
    timeout: float = 60.0,
    retries: int = RETRIES,
    first_pause: float = FIRST_PAUSE,
    transport: httpx.BaseTransport | None = None,
) -> OpenAIEmbedder:
    """Return the embedder. Nothing is sent before the first text, or the first use of `dimensions`.

    At most `concurrency` requests of `batch_size` texts run at the same time. `timeout` and `first_pause` are in
    seconds. Raises EmbedderError if the URL or the key cannot be valid.
    """
    key = api_key.strip()
    if not key and base_url == BASE_URL:
        raise EmbedderError(f"{BASE_URL} needs a key: set CGI_OPENAI_API_KEY or OPENAI_API_KEY")
    # Other characters are not allowed in the header. They come from copying more than the key.
    if not re.fullmatch(r"[!-~]*", key):
        raise EmbedderError("the API key has characters that no key has (not shown); copy it again")
    client = httpx.Client(
        base_url=_checked(base_url),
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=timeout,
        transport=transport,
        # The texts are for the endpoint that the user names, and not for a host to which it sends on.
        follow_redirects=False,
    )
    endpoint = _Endpoint(client, model or MODEL, key, retries, first_pause)
    return OpenAIEmbedder(endpoint, concurrency, batch_size)


class OpenAIEmbedder:
    """An embedder that sends texts to an endpoint, in several batches at the same time."""

    in_workers = False

    def __init__(self, endpoint: _Endpoint, concurrency: int, batch_size: int) -> None:
        self.name = f"openai:{endpoint.model}"
        self._endpoint = endpoint
        self._concurrency = concurrency
        self._batch_size = batch_size
        self._texts = 0
        self._seconds = 0.0

    @property
    def dimensions(self) -> int:
        """Return the length of a vector. If no text was embedded yet, this asks the endpoint."""
        return self._endpoint.dimensions or self._endpoint.embed(["probe"]).shape[1]

    @property
    def stats(self) -> EmbedderStats:
        """Return the counts up to now. A repeated request counts as a request and as a retry."""
        return EmbedderStats(self._texts, self._endpoint.requests, self._endpoint.retries, self._seconds)

    def embed(self, text: str) -> Vectors:
        """Return the vector of a query."""
        vector: Vectors = self.embed_batch([text])[0]
        return vector

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of documents, one row per text, in order.

        Blank texts get zeros. They are not sent, because endpoints refuse them.
        """
        started = time.perf_counter()
        filled = [row for row, text in enumerate(texts) if text.strip()]
        batches = [filled[start : start + self._batch_size] for start in range(0, len(filled), self._batch_size)]
        with ThreadPoolExecutor(self._concurrency) as pool:
            parts = list(pool.map(lambda rows: self._endpoint.embed([texts[row] for row in rows]), batches))
        # `dimensions` is asked after the batches, because their answers tell it without another request.
        vectors = np.zeros((len(texts), self.dimensions))
        for rows, part in zip(batches, parts, strict=True):
            vectors[rows] = part
        self._texts += len(texts)
        self._seconds += time.perf_counter() - started
        return unit_rows(vectors)


class _Endpoint:
    """A client of an endpoint. It asks for the embeddings of a batch, and asks again if the endpoint is busy.

    Several threads share it, as they may share the HTTP client. A lock guards its counts.
    """

    def __init__(self, client: httpx.Client, model: str, key: str, retries: int, first_pause: float) -> None:
        self.model = model
        self.dimensions = 0
        self.requests = 0
        self.retries = 0
        self._client = client
        self._key = key
        self._retries = retries
        self._first_pause = first_pause
        self._url = _without_secrets(client.base_url)
        self._lock = threading.Lock()
        # An embedder is never closed, so its connections end with the object.
        weakref.finalize(self, client.close)

    def embed(self, texts: list[str]) -> NDArray[np.float64]:
        """Return the embeddings of the texts as the endpoint sends them, one row per text, in order.

        Raises EmbedderError if the endpoint refuses, or sends vectors of another length than before.
        """
        reply = self._post(texts)
        if not reply.is_success:
            raise EmbedderError(self._refusal(reply))
        vectors = self._read(reply, len(texts))
        with self._lock:
            self.dimensions = self.dimensions or vectors.shape[1]
        if vectors.shape[1] != self.dimensions:
            change = f"{vectors.shape[1]} dimensions after {self.dimensions}"
            raise EmbedderError(f"{self._url} changed the length of its embeddings: {change}; is one model behind it?")
        return vectors

    def _post(self, texts: list[str]) -> httpx.Response:
        """Send the texts, and repeat while the endpoint is busy. Return its last reply.

        Raises EmbedderError if the last request got no reply.
        """
        for retry in range(self._retries + 1):
            outcome = self._send(texts, is_retry=retry > 0)
            if isinstance(outcome, httpx.Response) and not _is_busy(outcome):
                return outcome
            if retry < self._retries:
                time.sleep(_pause(outcome, self._first_pause * 2**retry))
        if isinstance(outcome, httpx.Response):
            return outcome
        raise EmbedderError(f"{self._url} did not answer {self._retries + 1} times: {_reason(outcome)}") from outcome

    def _send(self, texts: list[str], *, is_retry: bool) -> httpx.Response | httpx.RequestError:
        """Send the texts once. Return the reply, or an error that may pass.

        Raises EmbedderError for any other error, and for a refused connection if nothing has answered before.
        """
        # Batches are sent by several threads.
        with self._lock:
            self.requests += 1
            self.retries += is_retry
        try:
            return self._client.post("embeddings", json={"model": self.model, "input": texts})
        except httpx.RequestError as exc:
            # An endpoint that has answered before may come back. One that never did is not there.
            if isinstance(exc, _PASSING) and (self.dimensions or not isinstance(exc, httpx.ConnectError)):
                return exc
            advice = "is CGI_OPENAI_BASE_URL right, and the endpoint running?"
            raise EmbedderError(f"{self._url} cannot be reached: {_reason(exc)}; {advice}") from exc

    def _read(self, reply: httpx.Response, count: int) -> NDArray[np.float64]:
        """Return the embeddings in a reply, in the order of the `count` texts. Raises EmbedderError if it does not have all."""
        try:
            # An endpoint may answer in another order. The index of each entry tells its text.
            entries = sorted(_Reply.model_validate_json(reply.content).data, key=lambda entry: entry.index)
        except ValidationError as exc:
            problem = f"{exc.errors()[0]['msg']} at {exc.errors()[0]['loc']}"
            raise EmbedderError(f"{self._url} did not answer with embeddings: {problem}; is it compatible?") from exc
        if [entry.index for entry in entries] != list(range(count)):
            counts = f"{len(entries)} embeddings for {count} texts"
            raise EmbedderError(f"{self._url} answered with {counts}; lower CGI_EMBED_BATCH_SIZE")
        lengths = sorted({len(entry.embedding) for entry in entries})
        if len(lengths) != 1 or lengths[0] == 0:
            raise EmbedderError(f"{self._url} mixes embeddings of {lengths} dimensions; is one model behind it?")
        return np.array([entry.embedding for entry in entries])

    def _refusal(self, reply: httpx.Response) -> str:
        """Return the sentence for a reply that refuses the texts: its status, its complaint and what to do."""
        rest = _REDIRECTED if reply.is_redirect else "try again later, or ask who runs the endpoint"
        advice = _ADVICE.get(reply.status_code, rest)
        # A complaint about a key may quote it, in part.
        complaint = "" if reply.status_code == HTTPStatus.UNAUTHORIZED else self._quote(reply.text)
        tried = f" {self._retries + 1} times" if _is_busy(reply) else ""
        status = f"{reply.status_code} {reply.reason_phrase}".strip()
        return f"{self._url} refused {self.model!r}{tried}, status {status}{complaint}; {advice}"

    def _quote(self, text: str) -> str:
        """Return the start of a reply behind a colon, on one line and without the key."""
        safe = text.replace(self._key, "***") if self._key else text
        return f": {' '.join(safe.split())[:QUOTED]}"


def _checked(base_url: str) -> httpx.URL:
    """Return a base URL as the client takes it. Raises EmbedderError if it is no URL of HTTP."""
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, UnicodeError) as exc:
        raise EmbedderError(f"CGI_OPENAI_BASE_URL is no URL: {exc}; it looks like {BASE_URL}") from exc
    if url.scheme not in ("http", "https") or not url.host:
        raise EmbedderError(f"CGI_OPENAI_BASE_URL must look like {BASE_URL}, not {_without_secrets(url)!r}")
    return url


def _without_secrets(url: httpx.URL) -> str:
    """Return a URL without the parts that may be secret: user, password and query."""
    return str(url.copy_with(userinfo=b"", query=None)).rstrip("/")


def _reason(error: httpx.RequestError) -> str:
    return f"{type(error).__name__} {error}".strip()


def _is_busy(reply: httpx.Response) -> bool:
    """Return whether the request may succeed later, and the endpoint asks for at most LONGEST_RETRY_AFTER seconds."""
    passing = reply.status_code in _PASSING_STATUSES or reply.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    return passing and (_retry_after(reply) or 0) <= LONGEST_RETRY_AFTER


def _pause(outcome: httpx.Response | httpx.RequestError, backoff: float) -> float:
    """Return the seconds to wait: what the endpoint asks for, else `backoff` up to LONGEST_PAUSE, plus a random part."""
    retry_after = _retry_after(outcome) if isinstance(outcome, httpx.Response) else None
    seconds = min(backoff, LONGEST_PAUSE) if retry_after is None else retry_after
    return seconds * random.uniform(1, 1 + JITTER)


def _retry_after(reply: httpx.Response) -> float | None:
    """Return the seconds in a reply's Retry-After header (RFC 9110, 10.2.3), which has a number or a date.

    It is None without a valid header.
    """
    value = reply.headers.get("Retry-After", "")
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    # A date of HTTP is in GMT, even if it does not say so.
    return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - time.time())
