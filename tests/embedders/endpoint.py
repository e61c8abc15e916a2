"""An embeddings endpoint on the loopback interface that speaks OpenAI's protocol, and misbehaves when asked to."""

import json
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

DIMENSIONS = 12


@dataclass(frozen=True, slots=True)
class Reply:
    """What the endpoint answers: embeddings of the texts, unless a body is given."""

    status: int = 200
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    dimensions: int = DIMENSIONS


@dataclass(frozen=True, slots=True)
class Request:
    """What the endpoint was asked."""

    path: str
    key: str
    model: str
    texts: list[str]


class Endpoint:
    """Hold what the server is to answer next, and what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.usual = Reply()
        self.next: deque[Reply] = deque()
        self.requests: list[Request] = []
        self.peak = 0
        self._busy = 0
        self._lock = threading.Lock()

    def answer(self, request: Request) -> Reply:
        """Note the request and return the reply in turn, as late as it says."""
        with self._lock:
            self.requests.append(request)
            self._busy += 1
            self.peak = max(self.peak, self._busy)
            reply = self.next.popleft() if self.next else self.usual
        time.sleep(reply.delay)
        with self._lock:
            self._busy -= 1
        return reply


def embeddings(texts: list[str], dimensions: int = DIMENSIONS) -> str:
    """Write the body of a good reply, its entries in the order that only `index` tells."""
    entries = [
        {"object": "embedding", "index": index, "embedding": _vector(text, dimensions)}
        for index, text in enumerate(texts)
    ]
    return json.dumps({"object": "list", "data": entries[::-1], "model": "loopback"})


def _vector(text: str, dimensions: int) -> list[float]:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
    return [float(number) for number in np.random.default_rng(seed).normal(size=dimensions)]


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Run an endpoint until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = Request(self.path, self.headers.get("Authorization", ""), payload["model"], payload["input"])
            reply = endpoint.answer(request)
            body = embeddings(request.texts, reply.dimensions) if reply.body is None else reply.body
            self.send_response(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(body.encode()))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test's output clean."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Ignore a client that gave up waiting, as some tests do."""

    server = Server(("127.0.0.1", 0), Handler)
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
