"""Ask a language model through the Messages API.

Only this file imports the `anthropic` SDK, and only when it asks a model, because the import takes 0.9 s.
"""

import importlib
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from code_graph_indexer.ask.context import one_line
from code_graph_indexer.ask.llm import Prompt, Reply, Shape
from code_graph_indexer.errors import AnswerError, ApiKeyError, ContextSizeError, OverloadError
from code_graph_indexer.extras import install_command
from code_graph_indexer.settings import Settings

if TYPE_CHECKING:
    import anthropic
    from anthropic.lib.streaming import MessageStream
    from anthropic.types import MessageParam, TextBlockParam

DEFAULT_BASE_URL = "https://api.anthropic.com"
NO_KEY = "none"
"""The API key that is sent if only a base URL is set. The SDK requires a key, and a local server ignores it."""
MAX_RETRIES = 2
"""The number of times that the SDK asks again after an overload, a rate limit, a timeout or a lost connection."""
CONNECT_TIMEOUT = 10.0
"""Seconds to wait for a connection. They are few, so that a dead network is reported soon."""
STRUCTURED_TOKENS = 2_000
"""The most tokens of a structured reply, which is a plan or a judgement."""
QUOTED_LENGTH = 300
"""The most characters of the server's message that an error repeats."""

# An error in the middle of a stream comes with HTTP status 200, so its type has to tell the status.
_STATUS_OF_TYPE = {
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}
_ADVICE = {
    401: ("the API key was refused", "check ANTHROPIC_API_KEY"),
    402: ("the account cannot be billed", "check its credit"),
    403: ("the API key may not be used for this", "check ANTHROPIC_API_KEY and what it may do"),
    404: ("model {model!r} is not known at {url}", "set CGI_MODEL to one that is, and check CGI_BASE_URL"),
    408: ("{url} gave up waiting", "try again"),
    413: ("the question and its sources are too long", "lower CGI_TOKEN_BUDGET, now {budget}"),
    429: ("the rate limit is reached", "wait a little and ask again"),
    529: ("{url} is overloaded", "ask again later or set another CGI_MODEL"),
}
_ERRORS: dict[int, type[AnswerError]] = {
    401: ApiKeyError,
    403: ApiKeyError,
    413: ContextSizeError,
    429: OverloadError,
    529: OverloadError,
}
_NOT_ACCEPTED = ("the request was not accepted", "check CGI_MODEL and CGI_BASE_URL")
_REDIRECTED = ("{url} sends on to another address, which is not asked", "set CGI_BASE_URL to the address that answers")
_SERVER_FAILED = ("{url} failed", "ask again later")
_TOO_LONG = re.compile(r"too long|too large|context (length|window|size)|maximum context|exceed.*tokens", re.IGNORECASE)

# What the SDK's lenient parsing stumbles with when a server speaks something else.
_MALFORMED = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class AnthropicModel:
    """The language model that the settings name, at Anthropic or at another server with the Messages API."""

    def __init__(self, settings: Settings, *, max_retries: int = MAX_RETRIES) -> None:
        self._settings = settings
        self._max_retries = max_retries
        self._key = _require_key(settings.api_key)
        self._base_url = _require_url(settings.base_url)
        self._url = _without_secrets(self._base_url)
        # Refused here, before the search, rather than when the answer is due.
        _require_sdk()

    def stream(self, prompt: Prompt, on_text: Callable[[str], None]) -> Reply:
        """Send a prompt and return the whole reply. Raises AnswerError on any failure.

        `on_text` is called with each piece of the reply as it arrives.
        """
        import anthropic

        transport = _transport()
        try:
            with self._client() as client:
                return self._ask(client, prompt, on_text)
        except anthropic.APIStatusError as exc:
            raise self._status_error(exc) from exc
        # A timeout is also a connection error, so it has to be caught first.
        except (anthropic.APITimeoutError, transport.TimeoutException) as exc:
            raise self._timeout_error() from exc
        except anthropic.APIConnectionError as exc:
            raise self._connection_error(exc) from exc
        except (anthropic.APIError, transport.HTTPError, transport.InvalidURL) as exc:
            raise self._dropped_error() from exc

    def structured(self, prompt: Prompt, shape: type[Shape]) -> Shape:
        """Send a prompt and return the reply as a `shape`, a pydantic model. Raises AnswerError on any failure.

        A reply that takes longer than the setting `router_timeout` is a failure.
        """
        import anthropic
        import pydantic

        transport = _transport()
        try:
            with self._client(self._settings.router_timeout) as client, self._speaks_messages_api(), _silent():
                reply = client.messages.parse(
                    model=self._settings.model,
                    max_tokens=STRUCTURED_TOKENS,
                    system=_cached(prompt.system),
                    messages=_messages(prompt),
                    output_format=shape,
                )
        except (pydantic.ValidationError, AnswerError) as exc:
            raise self._error("the language model's reply has another shape than was asked for") from exc
        except anthropic.APIStatusError as exc:
            raise self._status_error(exc) from exc
        except (anthropic.APIError, transport.HTTPError, transport.InvalidURL) as exc:
            raise self._error(f"{self._url} gave no plan in {self._settings.router_timeout:g} s") from exc
        if reply.parsed_output is None:
            raise self._error(f"the language model gave no plan (stop reason {reply.stop_reason!r})")
        return reply.parsed_output

    def _client(self, seconds: float | None = None) -> "anthropic.Anthropic":
        import anthropic

        seconds = seconds or self._settings.llm_timeout
        return anthropic.Anthropic(
            api_key=self._key,
            base_url=self._base_url,
            timeout=anthropic.Timeout(seconds, connect=min(seconds, CONNECT_TIMEOUT)),
            max_retries=self._max_retries,
            # The SDK's own client would send the question and its sources on to whatever host a redirect names.
            http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
        )

    def _ask(self, client: "anthropic.Anthropic", prompt: Prompt, on_text: Callable[[str], None]) -> Reply:
        # The SDK warns of models that will be retired. The answer shows the warning, not the terminal.
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            request = client.messages.stream(
                model=self._settings.model,
                max_tokens=self._settings.max_answer_tokens,
                system=_cached(prompt.system),
                messages=_messages(prompt),
            )
        with request as stream:
            for text in self._texts(stream):
                on_text(text)
            return self._reply(stream, tuple(one_line(str(notice.message)) for notice in caught))

    def _texts(self, stream: "MessageStream[None]") -> Iterator[str]:
        # A generator, so that what `on_text` raises passes by and only the SDK's own stumbling is translated.
        with self._speaks_messages_api():
            for event in stream:
                if event.type == "text":
                    yield event.text

    def _reply(self, stream: "MessageStream[None]", notices: tuple[str, ...]) -> Reply:
        with self._speaks_messages_api():
            message = stream.current_message_snapshot
            text = "".join(block.text for block in message.content if block.type == "text")
            used = message.usage
            # A whole reply ends with a stop reason, so this one was broken off.
            if message.stop_reason is None:
                raise self._dropped_error()
            return Reply(text, message.model, used.input_tokens, used.output_tokens, message.stop_reason, notices)

    @contextmanager
    def _speaks_messages_api(self) -> Iterator[None]:
        try:
            yield
        except _MALFORMED as exc:
            raise AnswerError(f"{self._url} does not answer as the Messages API does; check CGI_BASE_URL") from exc

    def _status_error(self, exc: "anthropic.APIStatusError") -> AnswerError:
        kind, words = self._server_words(exc)
        status = _STATUS_OF_TYPE.get(kind, exc.status_code)
        # A prompt that is too long may come back as a plain bad request. Then only its words tell.
        if status == 400 and _TOO_LONG.search(words):
            status = 413
        rest = _SERVER_FAILED if status >= 500 else _REDIRECTED if status < 400 else _NOT_ACCEPTED
        what, advice = _ADVICE.get(status, rest)
        response = f"HTTP {status}: {words}" if words else f"HTTP {status}"
        filled = {"model": self._settings.model, "url": self._url, "budget": self._settings.token_budget}
        kind_of_error = _ERRORS.get(status, AnswerError)
        return kind_of_error(self._presentable(f"{what.format(**filled)} ({response}); {advice.format(**filled)}"))

    def _timeout_error(self) -> AnswerError:
        seconds = self._settings.llm_timeout
        return self._error(f"{self._url} was silent for {seconds:g} s; ask again or raise CGI_LLM_TIMEOUT")

    def _connection_error(self, exc: "anthropic.APIConnectionError") -> AnswerError:
        reason = str(exc.__cause__ or exc)
        return self._error(f"cannot reach {self._url} ({reason}); check the network and CGI_BASE_URL")

    def _dropped_error(self) -> AnswerError:
        return self._error(f"the connection to {self._url} was lost before the answer was complete; ask again")

    def _error(self, message: str) -> AnswerError:
        return AnswerError(self._presentable(message))

    def _server_words(self, exc: "anthropic.APIStatusError") -> tuple[str, str]:
        kind, words = _kind_and_words(exc)
        # A key is taken out before the text is cut, which could leave half of one.
        return kind, textwrap.shorten(self._presentable(words), QUOTED_LENGTH, placeholder=" …")

    def _presentable(self, text: str) -> str:
        line = one_line(text)
        return line if self._key == NO_KEY else line.replace(self._key, "***")


def _require_sdk() -> None:
    try:
        importlib.import_module("anthropic")
    except ImportError as exc:
        raise AnswerError(f"the anthropic package cannot be imported ({exc}); run: {install_command('ask')}") from exc


def _transport() -> ModuleType:
    """Return the HTTP library that the SDK uses: httpx in older SDKs, httpx2 in newer.

    While a stream is read, the SDK does not turn the errors of this library into its own.
    """
    import anthropic

    # The SDK's client is a subclass of the library's client, so its base tells the library.
    return importlib.import_module(anthropic.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])


def _require_key(key: str) -> str:
    stripped = key.strip()
    # The key becomes an HTTP header, which can hold neither blanks nor other scripts.
    if not (stripped.isascii() and stripped.isprintable() and " " not in stripped):
        raise AnswerError("the API key holds characters that no key has; set ANTHROPIC_API_KEY to the key alone")
    return stripped or NO_KEY


def _require_url(base_url: str) -> str:
    """Return the base URL without a final `/v1`, which the SDK adds. Raises AnswerError if it is not an HTTP URL.

    An empty text gives the URL of Anthropic.
    """
    url = base_url.strip().rstrip("/").removesuffix("/v1") or DEFAULT_BASE_URL
    try:
        parts = urlsplit(url)
        # Reading `port` raises ValueError if it is not a number.
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and url.isprintable()
    except ValueError:
        valid = False
    if not valid:
        raise AnswerError(f"CGI_BASE_URL {base_url!r} is not a URL; give one like http://localhost:8080")
    return url


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    # A name and a password may stand before the `@`, and no message may repeat them.
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


@contextmanager
def _silent() -> Iterator[None]:
    """Hide the SDK's warnings from the terminal, for example that a model will be retired. `stream` returns them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _cached(system: str) -> "list[TextBlockParam]":
    """Return the system text as one block that the server may cache, because many requests repeat it."""
    return [{"type": "text", "text": _sendable(system), "cache_control": {"type": "ephemeral"}}]


def _messages(prompt: Prompt) -> "list[MessageParam]":
    turns: list[MessageParam] = []
    for question, answer in prompt.history:
        turns.append({"role": "user", "content": _sendable(question)})
        turns.append({"role": "assistant", "content": _sendable(answer)})
    return [*turns, {"role": "user", "content": _sendable(prompt.user)}]


def _sendable(text: str) -> str:
    # File names and arguments may hold lone surrogates, which JSON in UTF-8 cannot.
    return text.encode("utf-8", "replace").decode("utf-8")


def _kind_and_words(exc: "anthropic.APIStatusError") -> tuple[str, str]:
    """Return the type and the message of an error response. A missing part is an empty string."""
    error = exc.body.get("error") if isinstance(exc.body, dict) else None
    if isinstance(error, dict):
        return str(error.get("type", "")), str(error.get("message", ""))
    return "", str(error or exc.body or "")
