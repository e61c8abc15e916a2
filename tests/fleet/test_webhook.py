"""A push is believed if it is signed, and names a repository by any of its URLs."""

import hmac
import json
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.fleet.webhook import MAX_BODY, Webhook, locations, signature

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
    connection = HTTPConnection("127.0.0.1", webhook.port, timeout=10)
    connection.request("POST", "/", body, {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    return response.status, answer


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
    for length, status in (("-1", 411), (str(MAX_BODY + 1), 413)):
        connection = HTTPConnection("127.0.0.1", webhook.port, timeout=10)
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", length)
        connection.endheaders()
        assert connection.getresponse().status == status
        connection.close()


def test_gitlab_names_a_project() -> None:
    body = json.dumps(
        {"project": {"git_ssh_url": "git@host.org:team/shop.git", "web_url": "https://host.org/team/shop"}}
    )
    assert locations(body.encode()) == {"host.org/team/shop"}
    assert locations(b'{"repository": [], "project": {"url": "ext::sh"}}') == set()


def test_without_a_secret_nothing_listens() -> None:
    with pytest.raises(UsageError, match="CGI_FLEET_SECRET"):
        Webhook("127.0.0.1", 0, "", lambda places: [])
