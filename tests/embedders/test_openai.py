"""The embedder asks a busy endpoint again. A refusal or nonsense is an error. No message shows the key."""

import json
import socket
import time

import numpy as np
import pytest

from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.errors import EmbedderError
from tests.embedders.endpoint import DIMENSIONS, Endpoint, Reply, embeddings, serving

pytestmark = pytest.mark.slow

KEY = "sk-test-0123456789abcdef"


def make(endpoint: Endpoint, **options: object) -> Embedder:
    chosen: dict[str, object] = {"base_url": endpoint.url, "api_key": KEY, "first_pause": 0.01, "retries": 3, **options}
    return create_embedder("openai:tiny", **chosen)


def test_texts_are_sent_with_model_and_key(endpoint: Endpoint) -> None:
    make(endpoint).embed("read a file")
    (request,) = endpoint.requests
    assert request.path == "/v1/embeddings"
    assert request.key == f"Bearer {KEY}"
    assert request.model == "tiny"
    assert request.texts == ["read a file"]


def test_no_key_sends_no_key(endpoint: Endpoint) -> None:
    make(endpoint, api_key="").embed("read a file")
    assert endpoint.requests[0].key == ""


def test_nothing_is_sent_before_it_is_needed(endpoint: Endpoint) -> None:
    embedder = make(endpoint)
    assert endpoint.requests == []
    assert embedder.dimensions == embedder.dimensions == DIMENSIONS
    assert len(endpoint.requests) == 1


def test_blank_texts_are_not_sent(endpoint: Endpoint) -> None:
    make(endpoint).embed_batch(["a", "", " \n", "b"])
    assert [request.texts for request in endpoint.requests] == [["a", "b"]]


def test_batches_are_cut_and_put_together_in_order(endpoint: Endpoint) -> None:
    texts = [f"text {number}" for number in range(50)]
    vectors = make(endpoint, batch_size=7, concurrency=5).embed_batch(texts)
    entries = sorted(json.loads(embeddings(texts))["data"], key=lambda entry: int(entry["index"]))
    expected = np.array([entry["embedding"] for entry in entries])
    assert sorted(len(request.texts) for request in endpoint.requests) == [1, 7, 7, 7, 7, 7, 7, 7]
    assert np.allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True))


def test_requests_are_under_way_at_once_up_to_the_limit(endpoint: Endpoint) -> None:
    endpoint.usual = Reply(delay=0.05)
    make(endpoint, batch_size=1, concurrency=3).embed_batch([f"text {number}" for number in range(9)])
    assert endpoint.peak == 3


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_a_busy_endpoint_is_asked_again(endpoint: Endpoint, status: int) -> None:
    endpoint.next.extend([Reply(status, "busy"), Reply(status, "busy")])
    embedder = make(endpoint)
    vector = embedder.embed("read a file")
    assert np.linalg.norm(vector) == pytest.approx(1)
    assert (embedder.stats.texts, embedder.stats.requests, embedder.stats.retries) == (1, 3, 2)


def test_an_endpoint_that_stays_busy_is_told(endpoint: Endpoint) -> None:
    endpoint.usual = Reply(429, '{"error": {"message": "You exceeded your quota."}}')
    with pytest.raises(EmbedderError, match=r"4 times, status 429.*exceeded your quota.*lower CGI_EMBED_CONCURRENCY"):
        make(endpoint).embed("read a file")
    assert len(endpoint.requests) == 4


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_texts_are_not_sent_on_to_another_address(endpoint: Endpoint, status: int) -> None:
    with serving() as elsewhere:
        endpoint.usual = Reply(status, "", {"Location": f"{elsewhere.url}/embeddings"})
        with pytest.raises(EmbedderError, match=rf"status {status}.*sends on to another address, which is not asked"):
            make(endpoint).embed("read a file")
        assert elsewhere.requests == []
    assert len(endpoint.requests) == 1


def test_a_slow_endpoint_is_asked_again(endpoint: Endpoint) -> None:
    endpoint.next.append(Reply(delay=1.0))
    embedder = make(endpoint, timeout=0.2)
    embedder.embed("read a file")
    assert embedder.stats.retries == 1


def test_an_endpoint_that_stays_slow_is_told(endpoint: Endpoint) -> None:
    endpoint.usual = Reply(delay=0.5)
    with pytest.raises(EmbedderError, match="did not answer 2 times: ReadTimeout"):
        make(endpoint, timeout=0.05, retries=1).embed("read a file")


def test_a_pause_is_as_long_as_the_endpoint_asks(endpoint: Endpoint) -> None:
    endpoint.next.append(Reply(429, "busy", {"Retry-After": "0.3"}))
    started = time.monotonic()
    make(endpoint).embed("read a file")
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize("value", ["0", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00 -0000"])
def test_a_pause_that_is_over_is_not_made_longer(endpoint: Endpoint, value: str) -> None:
    endpoint.next.append(Reply(503, "busy", {"Retry-After": value}))
    started = time.monotonic()
    make(endpoint, first_pause=20.0).embed("read a file")
    assert time.monotonic() - started < 10


def test_a_pause_asked_for_in_other_words_is_ours(endpoint: Endpoint) -> None:
    endpoint.next.append(Reply(503, "busy", {"Retry-After": "soon"}))
    make(endpoint).embed("read a file")
    assert len(endpoint.requests) == 2


def test_a_pause_too_long_to_wait_is_told(endpoint: Endpoint) -> None:
    endpoint.usual = Reply(429, "come back tomorrow", {"Retry-After": "86400"})
    with pytest.raises(EmbedderError, match=r"status 429.*come back tomorrow"):
        make(endpoint).embed("read a file")
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "how long a text it takes"),
        (401, "OPENAI_API_KEY"),
        (403, "take another model or key"),
        (404, "CGI_OPENAI_BASE_URL"),
        (413, "CGI_EMBED_BATCH_SIZE"),
        (418, "ask who runs the endpoint"),
    ],
)
def test_a_refusal_is_told_at_once_with_a_way_out(endpoint: Endpoint, status: int, advice: str) -> None:
    endpoint.usual = Reply(status, '{"error": {"message": "no"}}')
    with pytest.raises(EmbedderError, match=f"'tiny', status {status}.*{advice}"):
        make(endpoint).embed("read a file")
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_a_message_never_shows_the_key(endpoint: Endpoint, status: int) -> None:
    endpoint.usual = Reply(status, f"Incorrect API key provided: {KEY}. " * 9)
    with pytest.raises(EmbedderError) as caught:
        make(endpoint, retries=0).embed("read a file")
    assert KEY not in str(caught.value)
    assert KEY[:12] not in str(caught.value)


@pytest.mark.parametrize("key", ["sk test", "sk-\ntest", "sk-é"])
def test_a_key_that_cannot_be_one_is_refused_unseen(endpoint: Endpoint, key: str) -> None:
    with pytest.raises(EmbedderError, match="characters that no key has") as caught:
        make(endpoint, api_key=key)
    assert key not in str(caught.value)


GOOD = [0.5] * DIMENSIONS


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("<html>Welcome</html>", "did not answer with embeddings: Invalid JSON"),
        ("", "did not answer with embeddings"),
        ('{"object": "list"}', "did not answer with embeddings: Field required"),
        (json.dumps({"data": [{"index": 0, "embedding": "AAAA"}]}), "did not answer with embeddings"),
        (json.dumps({"data": [{"index": 0, "embedding": [None] * 4}]}), "did not answer with embeddings"),
        (json.dumps({"data": [{"index": 0, "embedding": [float("nan")] * 4}]}), "finite number"),
        (json.dumps({"data": [{"index": 0, "embedding": [float("inf")] * 4}]}), "finite number"),
        (json.dumps({"data": [{"index": 0, "embedding": GOOD}]}), "1 embeddings for 2 texts"),
        (json.dumps({"data": [{"index": 1, "embedding": GOOD}] * 2}), "2 embeddings for 2 texts"),
        (json.dumps({"data": [{"index": index, "embedding": GOOD} for index in range(3)]}), "3 embeddings for 2"),
        (json.dumps({"data": [{"index": index, "embedding": GOOD[index:]} for index in range(2)]}), "mixes embeddings"),
        (json.dumps({"data": [{"index": index, "embedding": []} for index in range(2)]}), r"\[0\] dimensions"),
    ],
)
def test_an_answer_that_is_no_embeddings_is_told(endpoint: Endpoint, body: str, complaint: str) -> None:
    endpoint.usual = Reply(body=body)
    with pytest.raises(EmbedderError, match=complaint):
        make(endpoint).embed_batch(["read a file", "write a file"])
    assert len(endpoint.requests) == 1


def test_an_endpoint_that_changes_its_dimensions_is_told(endpoint: Endpoint) -> None:
    embedder = make(endpoint)
    embedder.embed("read a file")
    endpoint.usual = Reply(dimensions=DIMENSIONS + 4)
    with pytest.raises(EmbedderError, match="16 dimensions after 12"):
        embedder.embed("write a file")


def test_an_endpoint_that_is_not_there_is_told_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nowhere = Endpoint(f"http://user:password@127.0.0.1:{unused.getsockname()[1]}/v1")
    with pytest.raises(EmbedderError, match=r"cannot be reached: ConnectError.*is CGI_OPENAI_BASE_URL right") as caught:
        make(nowhere, first_pause=30.0).embed("read a file")
    assert "password" not in str(caught.value)


@pytest.mark.parametrize("url", ["localhost:11434/v1", "ftp://example.org", "http://", "", "http://[::"])
def test_a_url_that_cannot_be_one_is_told(url: str) -> None:
    with pytest.raises(EmbedderError, match=r"CGI_OPENAI_BASE_URL .* https://api\.openai\.com/v1"):
        create_embedder("openai", base_url=url)


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(EmbedderError, match="set CGI_OPENAI_API_KEY or OPENAI_API_KEY"):
        create_embedder("openai")


def test_a_model_with_a_colon_keeps_its_name(endpoint: Endpoint) -> None:
    embedder = create_embedder("openai:nomic-embed-text:latest", base_url=endpoint.url)
    embedder.embed("read a file")
    assert embedder.name == "openai:nomic-embed-text:latest"
    assert endpoint.requests[0].model == "nomic-embed-text:latest"
