"""Fixtures of the synthesis tests: a Messages API on loopback, settings that point at it."""

from collections.abc import Iterator

import pytest

from code_graph_indexer.settings import Settings
from tests.ask.messages_server import MODEL, MessagesServer

KEY = "sk-test-7f3a9c"


@pytest.fixture(autouse=True)
def no_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer() as serving:
        yield serving


@pytest.fixture
def settings(server: MessagesServer) -> Settings:
    return Settings(api_key=KEY, base_url=server.url, model=MODEL, llm_timeout=10.0)
