"""A server on loopback that speaks the Messages API: it plays queued answers and records what it was asked."""

import json
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SO_LINGER, SOL_SOCKET
from types import TracebackType
from typing import Literal, Self

Ending = Literal["whole", "silence", "cut", "reset"]

MODEL = "test-model"
INPUT_TOKENS = 1200
OUTPUT_TOKENS = 34
LONGEST_WAIT = 30.0
"""Seconds after which a slow answer gives up waiting for the server to be closed."""


@dataclass(frozen=True, slots=True)
class Played:
    """An answer to play: its status, its body and how its connection ends.

    `silence` sends no more but keeps the connection, `cut` closes it in the middle of a chunk, `reset` resets it.
    """

    body: bytes
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)
    ending: Ending = "whole"


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """What a client asked."""

    path: str
    headers: Mapping[str, str]
    model: str
    max_tokens: int
    system: str
    user: str
    earlier: Sequence[tuple[str, str]] = ()
    cache: Sequence[object] = ()
    shape: object = None

    @property
    def key(self) -> str:
        """Return the key that came, in the header that older SDKs use or that newer ones do."""
        return self.headers.get("x-api-key") or self.headers["authorization"].removeprefix("Bearer ")


def event(kind: str, **fields: object) -> bytes:
    """Return one server-sent event."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def opening() -> bytes:
    """Return the events before the text."""
    usage = {"input_tokens": INPUT_TOKENS, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": []}
    start = event("message_start", message={**message, "stop_reason": None, "stop_sequence": None, "usage": usage})
    return start + event("content_block_start", index=0, content_block={"type": "text", "text": ""})


def pieces(text: str, size: int = 7) -> bytes:
    """Return the text as events of a few characters each, with a ping among them."""
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    deltas = [event("content_block_delta", index=0, delta={"type": "text_delta", "text": part}) for part in parts]
    return b"".join([*deltas[:1], event("ping"), *deltas[1:]])


def closing(stop_reason: str) -> bytes:
    """Return the events behind the text."""
    delta = {"stop_reason": stop_reason, "stop_sequence": None}
    usage = {"output_tokens": OUTPUT_TOKENS}
    return (
        event("content_block_stop", index=0) + event("message_delta", delta=delta, usage=usage) + event("message_stop")
    )


def written(text: str, *, stop_reason: str = "end_turn") -> Played:
    """Return a whole answer."""
    return Played(opening() + pieces(text) + closing(stop_reason))


def planned(plan: object) -> Played:
    """Return a whole structured answer, not streamed."""
    usage = {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS}
    content = [{"type": "text", "text": plan if isinstance(plan, str) else json.dumps(plan)}]
    message = {"id": "msg_2", "type": "message", "role": "assistant", "model": MODEL, "content": content}
    body = json.dumps({**message, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}).encode()
    return Played(body, content_type="application/json")


def broken_off(text: str, ending: Ending) -> Played:
    """Return an answer that ends after some text as no answer should. With `whole` the closing events are missing."""
    return Played(opening() + pieces(text), ending=ending)


def failed(status: int, kind: str, message: str, *, headers: Mapping[str, str] | None = None) -> Played:
    """Return an error response. Unless the headers say otherwise, the client must not retry."""
    body = json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
    return Played(body, status, "application/json", headers or {"x-should-retry": "false"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        *earlier, last = body["messages"]
        headers = {name.lower(): text for name, text in self.headers.items()}
        shape = (body.get("output_config") or {}).get("format") or body.get("output_format")
        recorded = RecordedRequest(
            self.path,
            headers,
            body["model"],
            body["max_tokens"],
            "".join(block["text"] for block in body["system"]),
            last["content"],
            [(message["role"], message["content"]) for message in earlier],
            [block.get("cache_control") for block in body["system"]],
            shape,
        )
        (self.server.plans if shape else self.server.requests).append(recorded)
        self._play(self.server.take_plan() if shape else self.server.take(recorded))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _play(self, played: Played) -> None:
        self.close_connection = True
        self.send_response(played.status)
        for name, text in {"content-type": played.content_type, "connection": "close", **played.headers}.items():
            self.send_header(name, text)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for chunk in self._chunks(played):
            self.wfile.write(chunk)
        self._end(played.ending)

    def _chunks(self, played: Played) -> Iterator[bytes]:
        if played.body:
            yield b"%x\r\n%s\r\n" % (len(played.body), played.body)
        yield {"whole": b"0\r\n\r\n", "cut": b"ff\r\nevent: con"}.get(played.ending, b"")

    def _end(self, ending: Ending) -> None:
        if ending == "silence":
            self.server.closing.wait(LONGEST_WAIT)
        elif ending == "reset":
            self.connection.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            raise ConnectionResetError


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[RecordedRequest] = []
        self.plans: list[RecordedRequest] = []
        self.queued: deque[Played] = deque()
        self.queued_plans: deque[Played] = deque()
        self.closing = threading.Event()
        self.writer: Callable[[RecordedRequest], Played | str] | None = None

    def handle_error(self, request: object, client_address: object) -> None:
        """Report what went wrong here, not that either side hung up, which tests do on purpose."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def take(self, request: RecordedRequest) -> Played:
        if not self.queued and self.writer is not None:
            answer = self.writer(request)
            return written(answer) if isinstance(answer, str) else answer
        return self.queued.popleft() if self.queued else failed(500, "api_error", "no answer is queued")

    def take_plan(self) -> Played:
        return (
            self.queued_plans.popleft() if self.queued_plans else failed(400, "invalid_request_error", "no plans here")
        )


class MessagesServer:
    """Serve while the context lasts. `url` is the base URL for a client, `requests` holds what it asked."""

    def __init__(self) -> None:
        self._server = _Server()
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.requests = self._server.requests
        self.plans = self._server.plans

    def queue(self, *answers: Played | str) -> None:
        """Add answers to play, in their order. A text stands for a whole answer."""
        self._server.queued.extend(written(answer) if isinstance(answer, str) else answer for answer in answers)

    def write_with(self, writer: Callable[[RecordedRequest], Played | str]) -> None:
        """Answer what no queued answer is for by a function of the request."""
        self._server.writer = writer

    def queue_plans(self, *plans: Played | object) -> None:
        """Add structured answers to play. Any other value is sent as JSON."""
        self._server.queued_plans.extend(plan if isinstance(plan, Played) else planned(plan) for plan in plans)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
