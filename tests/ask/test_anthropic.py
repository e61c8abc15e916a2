"""The real SDK against a server on loopback: what is sent, what is made of each reply and each failure."""

import socket
import sys

import pytest

from code_graph_indexer.ask.anthropic import AnthropicModel
from code_graph_indexer.ask.llm import Prompt, Reply
from code_graph_indexer.ask.llm_router import RouterShape
from code_graph_indexer.errors import AnswerError, ApiKeyError, ContextSizeError, OverloadError
from code_graph_indexer.extras import install_command
from code_graph_indexer.settings import Settings
from tests.ask.conftest import KEY
from tests.ask.messages_server import (
    INPUT_TOKENS,
    MODEL,
    OUTPUT_TOKENS,
    MessagesServer,
    Played,
    broken_off,
    event,
    failed,
    opening,
    pieces,
    written,
)

pytestmark = pytest.mark.slow

PROMPT = Prompt("the rules", "the sources and the question")
RETRY_AT_ONCE = {"retry-after-ms": "1"}


def ask(settings: Settings, heard: list[str] | None = None, *, max_retries: int = 0) -> Reply:
    pieces_heard: list[str] = [] if heard is None else heard
    return AnthropicModel(settings, max_retries=max_retries).stream(PROMPT, pieces_heard.append)


def failure(settings: Settings, *, max_retries: int = 0) -> str:
    with pytest.raises(AnswerError) as caught:
        ask(settings, max_retries=max_retries)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def with_changes(settings: Settings, **changes: object) -> Settings:
    options = {"api_key": settings.api_key, "base_url": settings.base_url, "model": settings.model}
    return Settings(**{**options, **changes})  # type: ignore[arg-type]


def test_a_reply_arrives_in_pieces_and_whole(server: MessagesServer, settings: Settings) -> None:
    server.queue("It splits the text, then builds a tree.")
    heard: list[str] = []
    reply = ask(settings, heard)
    assert reply == Reply("It splits the text, then builds a tree.", MODEL, INPUT_TOKENS, OUTPUT_TOKENS, "end_turn")
    assert len(heard) > 3
    assert "".join(heard) == reply.text


def test_the_request_holds_what_the_settings_say(server: MessagesServer, settings: Settings) -> None:
    server.queue("Yes.")
    ask(settings)
    (request,) = server.requests
    assert (request.path, request.model, request.max_tokens) == ("/v1/messages", MODEL, settings.max_answer_tokens)
    assert (request.system, request.user) == (PROMPT.system, PROMPT.user)
    assert request.key == KEY


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_a_base_url_may_end_in_the_api_version(server: MessagesServer, settings: Settings, ending: str) -> None:
    server.queue("Yes.")
    ask(with_changes(settings, base_url=server.url + ending))
    assert server.requests[0].path == "/v1/messages"


def test_a_local_server_needs_no_key(
    server: MessagesServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    server.queue("Yes.")
    ask(with_changes(settings, api_key=""))
    assert server.requests[0].key == "none"


def test_a_newline_behind_the_key_is_forgiven(server: MessagesServer, settings: Settings) -> None:
    server.queue("Yes.")
    ask(with_changes(settings, api_key=f"{KEY}\n"))
    assert server.requests[0].key == KEY


def test_lone_surrogates_are_sent_as_question_marks(server: MessagesServer, settings: Settings) -> None:
    server.queue("Yes.")
    AnthropicModel(settings).stream(Prompt("rules", "caf\udce9.py – ünïcode 漢字"), print)
    assert server.requests[0].user == "caf?.py – ünïcode 漢字"


@pytest.mark.parametrize(
    ("status", "kind", "explanation", "expected"),
    [
        (401, "authentication_error", "invalid x-api-key", ["key was refused", "ANTHROPIC_API_KEY"]),
        (402, "billing_error", "no credit", ["billed", "no credit"]),
        (403, "permission_error", "not allowed", ["API key", "not allowed"]),
        (404, "not_found_error", "model: test-model", ["'test-model' is not known", "CGI_MODEL"]),
        (
            400,
            "invalid_request_error",
            "prompt is too long: 9 > 5",
            ["too long", "CGI_TOKEN_BUDGET, now 8000", "9 > 5"],
        ),
        (413, "request_too_large", "Request exceeds the maximum size", ["too long", "CGI_TOKEN_BUDGET"]),
        (400, "invalid_request_error", "temperature: bad", ["not accepted", "temperature: bad"]),
        (418, "teapot", "short and stout", ["not accepted", "HTTP 418", "short and stout"]),
        (429, "rate_limit_error", "slow down", ["rate limit", "slow down"]),
        (500, "api_error", "Internal server error", ["failed", "HTTP 500"]),
        (529, "overloaded_error", "Overloaded", ["overloaded", "CGI_MODEL"]),
    ],
)
def test_an_error_status_says_what_was_wrong_and_what_to_do(
    server: MessagesServer, settings: Settings, status: int, kind: str, explanation: str, expected: list[str]
) -> None:
    server.queue(failed(status, kind, explanation))
    message = failure(settings)
    assert [part for part in expected if part not in message] == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_question_is_not_sent_on_to_another_address(server: MessagesServer, settings: Settings, status: int) -> None:
    with MessagesServer() as elsewhere:
        for queue in (server.queue, server.queue_plans):
            queue(Played(b"", status, "text/plain", {"location": f"{elsewhere.url}/v1/messages"}))
        assert "sends on to another address, which is not asked" in failure(settings)
        with pytest.raises(AnswerError, match="set CGI_BASE_URL to the address that answers"):
            AnthropicModel(settings, max_retries=0).structured(PROMPT, RouterShape)
        assert elsewhere.requests == elsewhere.plans == []
    assert len(server.requests) == len(server.plans) == 1


def test_an_error_page_of_a_proxy_is_shortened(server: MessagesServer, settings: Settings) -> None:
    server.queue(
        Played(b"<html>\nBad gateway\x1b[31m" + b" lost" * 1000, 502, "text/html", {"x-should-retry": "false"})
    )
    message = failure(settings)
    assert "HTTP 502: <html> Bad gateway" in message
    assert "\x1b" not in message
    assert len(message) < 500


def test_a_key_that_the_server_repeats_is_hidden(server: MessagesServer, settings: Settings) -> None:
    server.queue(failed(401, "authentication_error", "x" * 250 + f" no such key {KEY} {KEY} {KEY} {KEY}"))
    message = failure(settings)
    assert "no such key *** ***" in message
    assert KEY[:6] not in message


def test_an_error_in_the_middle_of_a_stream_is_told_as_such(server: MessagesServer, settings: Settings) -> None:
    overloaded = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    server.queue(Played(opening() + pieces("It spl") + overloaded))
    assert "overloaded" in failure(settings)


def test_an_overload_is_asked_again(server: MessagesServer, settings: Settings) -> None:
    server.queue(failed(529, "overloaded_error", "Overloaded", headers=RETRY_AT_ONCE), "Yes.")
    assert ask(settings, max_retries=2).text == "Yes."
    assert len(server.requests) == 2


def test_a_lasting_rate_limit_is_given_up(server: MessagesServer, settings: Settings) -> None:
    server.queue(*[failed(429, "rate_limit_error", "slow down", headers=RETRY_AT_ONCE)] * 5)
    assert "rate limit" in failure(settings, max_retries=2)
    assert len(server.requests) == 3


@pytest.mark.parametrize("ending", ["whole", "cut", "reset"])
def test_a_connection_lost_in_the_middle_is_no_answer(server: MessagesServer, settings: Settings, ending: str) -> None:
    server.queue(broken_off("It splits the te", ending))  # type: ignore[arg-type]
    assert "lost before the answer was complete" in failure(settings)


@pytest.mark.parametrize("played", [broken_off("It spl", "silence"), Played(b"", ending="silence")])
def test_a_silent_server_is_not_waited_for(server: MessagesServer, settings: Settings, played: Played) -> None:
    server.queue(played)
    message = failure(with_changes(settings, llm_timeout=0.2))
    assert "silent for 0.2 s" in message
    assert "CGI_LLM_TIMEOUT" in message


def test_a_refused_connection_names_the_server(settings: Settings) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://user:secret@127.0.0.1:{unused.getsockname()[1]}"
        message = failure(with_changes(settings, base_url=url))
    assert f"cannot reach {url.replace('user:secret@', '')}" in message
    assert "refused" in message
    assert "secret" not in message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Welcome</html>",
        b"event: message_start\ndata: {}\n\n",
        b"event: message_start\ndata: not JSON\n\n",
        b"event: message_start\ndata: []\n\n",
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": "?"}),
        opening() + event("content_block_delta", index=7, delta={"type": "text_delta", "text": "?"}),
        b"event: message_start\ndata: \xff\xfe\n\n",
    ],
)
def test_a_server_of_another_kind_is_told_as_such(server: MessagesServer, settings: Settings, body: bytes) -> None:
    server.queue(Played(body))
    assert "does not answer as the Messages API does" in failure(settings)


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://host", "http://", "http://[::1", "http://host:99999", "x y"])
def test_a_base_url_that_is_none_is_refused(settings: Settings, url: str) -> None:
    assert f"CGI_BASE_URL {url!r} is not a URL" in failure(with_changes(settings, base_url=url))


@pytest.mark.parametrize("key", [f"{KEY}\n{KEY}", f"{KEY}é", f"{KEY} {KEY}"])
def test_a_key_that_cannot_be_sent_is_refused(settings: Settings, key: str) -> None:
    assert "ANTHROPIC_API_KEY" in failure(with_changes(settings, api_key=key))


def test_a_missing_package_is_told_with_the_command_that_installs_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    assert install_command("ask") in failure(settings)


def test_what_the_listener_raises_passes_through(server: MessagesServer, settings: Settings) -> None:
    def stop(_text: str) -> None:
        raise ValueError("closed")

    server.queue("It splits the text.")
    with pytest.raises(ValueError, match="closed"):
        AnthropicModel(settings).stream(PROMPT, stop)


def test_the_notice_that_a_model_is_going_away_reaches_the_reply(
    server: MessagesServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Which models these are changes with every release of the package.
    # Importing it takes two seconds, which the fast tests would pay too.
    from anthropic.resources.messages import messages

    monkeypatch.setitem(vars(messages)["DEPRECATED_MODELS"], "claude-of-old", "January 1st, 2030")
    server.queue(written("Yes."))
    (notice,) = ask(with_changes(settings, model="claude-of-old")).warnings
    assert "deprecated" in notice
    assert "\n" not in notice


@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [
        (401, "authentication_error", ApiKeyError),
        (403, "permission_error", ApiKeyError),
        (413, "request_too_large", ContextSizeError),
        (429, "rate_limit_error", OverloadError),
        (529, "overloaded_error", OverloadError),
    ],
)
def test_what_can_be_mended_differently_is_another_error(
    server: MessagesServer, settings: Settings, status: int, kind: str, error: type[AnswerError]
) -> None:
    server.queue(failed(status, kind, "no"))
    with pytest.raises(error):
        ask(settings)


def test_a_prompt_that_is_too_long_is_told_by_its_words_too(server: MessagesServer, settings: Settings) -> None:
    server.queue(failed(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"))
    with pytest.raises(ContextSizeError):
        ask(settings)
