"""A push is believed if it is signed, and names a repository by any of its URLs."""

import hmac
import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.team.fleet import UnavailableError
from code_graph_indexer.team.fleet.webhook import (
    MAX_BODY,
    MAX_CONNECTIONS,
    MAX_REQUESTS,
    Webhook,
    locations,
    signature,
)

SECRET = "a secret"
BODY = json.dumps(
    {"ref": "refs/heads/main", "repository": {"clone_url": "https://host.org/Team/Shop.git", "url": 5}}
).encode()


@pytest.fixture
def pushes() -> list[set[str]]:
    return []


@pytest.fixture
def webhook(pushes: list[set[str]]) -> Iterator[Webhook]:
    def push(places: set[str]) -> list[str]:
        pushes.append(places)
        return ["team/shop"]

    opened = Webhook("127.0.0.1", 0, SECRET, push)
    opened.start()
    yield opened
    opened.close()


def send(webhook: Webhook, body: bytes, **headers: str) -> tuple[int, dict[str, object]]:
    # The server may refuse it at any step.
    with closing(HTTPConnection("127.0.0.1", webhook.port, timeout=10)) as connection:
        connection.request("POST", "/", body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, json.loads(response.read())


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Hub_Signature_256": signature(SECRET, BODY)},
        {"X_Gitea_Signature": hmac.digest(SECRET.encode(), BODY, "sha256").hex()},
        {"X_Gitlab_Token": SECRET},
    ],
)
def test_a_signed_push_is_passed_on(webhook: Webhook, pushes: list[set[str]], headers: dict[str, str]) -> None:
    assert send(webhook, BODY, **headers) == (202, {"repositories": ["team/shop"]})
    assert pushes == [{"host.org/team/shop"}]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X_Hub_Signature_256": signature("another", BODY)},
        {"X_Hub_Signature_256": signature(SECRET, BODY + b" ")},
        {"X_Hub_Signature_256": ""},
        {"X_Hub_Signature_256": "sha256=\u00e9"},
        {"X_Gitlab_Token": SECRET + "x"},
        {"X_Gitlab_Token": signature(SECRET, BODY)},
    ],
)
def test_a_push_with_a_wrong_signature_is_refused(
    webhook: Webhook, pushes: list[set[str]], headers: dict[str, str]
) -> None:
    status, answer = send(webhook, BODY, **headers)
    assert (status, pushes) == (401, [])
    assert SECRET not in str(answer)


@pytest.mark.parametrize("body", [b"", b"[]", b"payload=%7B", b"[" * 100_000, b"\xff"])
def test_a_signed_text_that_is_no_push_is_refused(webhook: Webhook, pushes: list[set[str]], body: bytes) -> None:
    assert send(webhook, body, X_Hub_Signature_256=signature(SECRET, body))[0] == 400
    assert pushes == []


def test_a_message_without_length_or_too_long_is_not_read(webhook: Webhook) -> None:
    for length, status in (("-1", 411), (str(MAX_BODY + 1), 413), ("9" * 5_000, 413)):
        connection = HTTPConnection("127.0.0.1", webhook.port, timeout=10)
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", length)
        connection.endheaders()
        assert connection.getresponse().status == status
        connection.close()


def test_who_sends_slowly_holds_up_nobody(pushes: list[set[str]]) -> None:
    def push(places: set[str]) -> list[str]:
        pushes.append(places)
        return []

    server = Webhook("127.0.0.1", 0, SECRET, push, seconds=0.5)
    server.start()
    slow = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(MAX_REQUESTS)]
    for connection in slow:
        connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n")
    ends = time.monotonic() + 1.5
    with suppress(OSError):
        # A byte now and then is a sign of life, but no reason to wait.
        while time.monotonic() < ends:
            slow[0].sendall(b"x")
            time.sleep(0.1)
    assert send(server, BODY, X_Hub_Signature_256=signature(SECRET, BODY))[0] == 202
    assert len(pushes) == 1
    for connection in slow:
        connection.close()
    server.close()


@pytest.mark.slow
def test_more_connections_than_a_few_are_closed(webhook: Webhook) -> None:
    waiting = [socket.create_connection(("127.0.0.1", webhook.port), timeout=10) for _ in range(MAX_CONNECTIONS)]
    with pytest.raises(OSError):
        for _ in range(20):
            send(webhook, BODY)
    for connection in waiting:
        connection.close()


def test_a_database_that_is_down_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    def push(places: set[str]) -> list[str]:
        raise UnavailableError("host db.example")

    server = Webhook("127.0.0.1", 0, SECRET, push)
    server.start()
    status, answer = send(server, BODY, x_hub_signature_256=signature(SECRET, BODY))
    server.close()
    assert (status, "db.example" in str(answer)) == (503, False)
    assert capfd.readouterr().err == ""


def test_gitlab_names_a_project() -> None:
    body = json.dumps(
        {"project": {"git_ssh_url": "git@host.org:team/shop.git", "web_url": "https://host.org/team/shop"}}
    )
    assert locations(body.encode()) == {"host.org/team/shop"}
    assert locations(b'{"repository": [], "project": {"url": "ext::sh"}}') == set()


def test_without_a_secret_nothing_listens() -> None:
    with pytest.raises(UsageError, match="CGI_FLEET_SECRET"):
        Webhook("127.0.0.1", 0, "", lambda places: [])
