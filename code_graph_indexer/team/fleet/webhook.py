"""Listen for pushes: a signed message of a git host makes the repository that it names due at once."""

import hmac
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from threading import BoundedSemaphore, Thread, Timer
from typing import Any

from code_graph_indexer.errors import UsageError
from code_graph_indexer.team.fleet.register import UnavailableError
from code_graph_indexer.team.fleet.sources import location_of

MAX_BODY = 25 * 1024 * 1024
"""The longest message that is read, in bytes. It is GitHub's own limit."""

LENGTH_DIGITS = 12
"""The most digits of the length of a message. Python refuses to read numbers of thousands of digits."""

MAX_REQUESTS = 4
"""The most messages that are read at a time. More wait, so that memory stays bounded."""

MAX_CONNECTIONS = 64
"""The most connections at a time. Further ones are closed at once."""

REQUEST_SECONDS = 15.0
"""Time limit for a message, in seconds, however slowly its parts come."""

STOP_SECONDS = 0.05
"""Seconds between two looks whether to stop listening."""

GITHUB_SIGNATURE, GITLAB_TOKEN, GITEA_SIGNATURE = "X-Hub-Signature-256", "X-Gitlab-Token", "X-Gitea-Signature"

_URLS = ("clone_url", "ssh_url", "git_url", "html_url", "git_http_url", "git_ssh_url", "web_url", "url")


def signature(secret: str, body: bytes) -> str:
    """Return the signature of a message, as GitHub sends it."""
    return "sha256=" + hmac.digest(secret.encode(), body, "sha256").hex()


def is_signed(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    """Say whether a message is signed with the secret, in the way of GitHub, Gitea or GitLab."""
    expected = signature(secret, body)
    # Some proxies write the names of headers in lower case.
    values = {name.lower(): value for name, value in headers.items()}
    pairs = (
        (values.get(GITHUB_SIGNATURE.lower()), expected),
        (values.get(GITEA_SIGNATURE.lower()), expected.removeprefix("sha256=")),
        (values.get(GITLAB_TOKEN.lower()), secret),
    )
    # The time of the comparison tells nothing of where the texts differ.
    return any(sent is not None and hmac.compare_digest(sent.encode(), right.encode()) for sent, right in pairs)


def locations(body: bytes) -> set[str]:
    """Return the locations of the repository that a message names. Raises ValueError if the message is no JSON object."""
    message = json.loads(body)
    if not isinstance(message, dict):
        raise ValueError("the message is no object")
    parts = [part for name in ("repository", "project") if isinstance(part := message.get(name), dict)]
    urls = [url for part in parts for name in _URLS if isinstance(url := part.get(name), str)]
    return {location for url in urls if (location := location_of(url))}


class _Server(ThreadingHTTPServer):
    """A server whose connections are few, and short. Strangers may open any number, and send a byte now and then."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], seconds: float) -> None:
        self._slots = BoundedSemaphore(MAX_CONNECTIONS)
        self._seconds = seconds
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer on a thread, if one is free."""
        if self._slots.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, within a time limit."""
        timer = Timer(self._seconds, _hang_up, (request,))
        timer.daemon = True
        timer.start()
        try:
            super().process_request_thread(request, client_address)
        finally:
            timer.cancel()
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that broke: a trace would hold what strangers send."""


def _hang_up(connection: socket) -> None:
    with suppress(OSError):
        connection.shutdown(SHUT_RDWR)


class Webhook:
    """A server that listens on `host` and `port`. `push` gets locations, and returns the repositories that are there."""

    def __init__(
        self,
        host: str,
        port: int,
        secret: str,
        push: Callable[[set[str]], list[str]],
        *,
        seconds: float = REQUEST_SECONDS,
    ) -> None:
        if not secret:
            raise UsageError("the webhook needs the secret that signs the messages; set CGI_FLEET_SECRET")
        slots = BoundedSemaphore(MAX_REQUESTS)

        class Handler(BaseHTTPRequestHandler):
            """Answer a message."""

            timeout = seconds

            def do_POST(self) -> None:
                """Check the signature, and pass the push on."""
                with slots:
                    self._answer(*self._handle())

            def _handle(self) -> tuple[HTTPStatus, dict[str, object]]:
                """Return the answer to a message: a refusal, or the names of the repositories that it makes due."""
                length = self.headers.get("Content-Length", "")
                if not length.isdecimal():
                    return HTTPStatus.LENGTH_REQUIRED, {"error": "send the length of the message"}
                if len(length) > LENGTH_DIGITS or int(length) > MAX_BODY:
                    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": f"send at most {MAX_BODY:,} bytes"}
                body = self.rfile.read(int(length))
                if not is_signed(dict(self.headers.items()), body, secret):
                    return HTTPStatus.UNAUTHORIZED, {"error": "the signature is missing or wrong"}
                try:
                    places = locations(body)
                except (ValueError, RecursionError):
                    return HTTPStatus.BAD_REQUEST, {"error": "send JSON (content type application/json)"}
                try:
                    return HTTPStatus.ACCEPTED, {"repositories": push(places) if places else []}
                except UnavailableError:
                    return HTTPStatus.SERVICE_UNAVAILABLE, {"error": "the database does not answer; send it again"}

            def _answer(self, status: HTTPStatus, answer: dict[str, object]) -> None:
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                # What was not read of a refused message must not count as the next one.
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(text)
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                """Log nothing: the lines would hold what strangers send."""

        self._server = _Server((host, port), Handler, seconds)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self._server.server_address[1])

    def start(self) -> None:
        """Listen on a thread of its own, which ends with the program."""
        Thread(target=self._server.serve_forever, args=(STOP_SECONDS,), daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
