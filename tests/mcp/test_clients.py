"""What `cgi mcp --setup` prints for each client."""

import json
import tomllib
from pathlib import Path

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.mcp.clients import clients, setup_of

PROMISED = (
    *("claude-code", "claude-desktop", "cursor", "vscode", "copilot-cli", "codex", "gemini", "zed", "windsurf"),
    *("opencode", "cline", "kiro"),
)


def entry(client: str, folder: Path) -> dict[str, object]:
    """Return the entry of the server in what is printed for a client."""
    text = setup_of(client, folder).snippet
    settings = tomllib.loads(text) if client == "codex" else json.loads(text)
    (servers,) = settings.values()
    server = dict(servers["cgi"])
    return dict(server.get("transport", server))


def test_every_promised_client_is_known() -> None:
    assert set(clients()) == set(PROMISED)


@pytest.mark.parametrize("client", PROMISED)
def test_a_client_is_told_how_to_start_the_server(client: str, tmp_path: Path) -> None:
    server = entry(client, tmp_path)
    if client == "opencode":
        command, *arguments = server["command"]  # type: ignore[misc]
    else:
        command, arguments = server["command"], server["args"]
    assert Path(str(command)).is_absolute()
    folder = {"absolute": [str(tmp_path)], "": []}.get(clients()[client]["folder"], ["${workspaceFolder}"])
    assert arguments == ["mcp", *folder]


def test_the_key_of_vs_code_and_of_zed_is_their_own(tmp_path: Path) -> None:
    assert '"servers"' in setup_of("vscode", tmp_path).text
    assert '"context_servers"' in setup_of("zed", tmp_path).text


def test_an_unknown_client_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean cursor"):
        setup_of("cursr", tmp_path)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder of its own."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    return home


@pytest.mark.parametrize("client", PROMISED)
def test_what_is_written_for_a_client_stands_beside_what_was_there(client: str, home: Path, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    setup = setup_of(client, root)
    assert setup.path.is_relative_to(tmp_path)
    setup.path.parent.mkdir(parents=True, exist_ok=True)
    is_toml = setup.form == "toml"
    setup.path.write_text('model = "x"  # mine\n' if is_toml else '{"model": "x"}', encoding="utf-8")
    setup.write()
    once = setup.path.read_text(encoding="utf-8")
    settings = tomllib.loads(once) if is_toml else json.loads(once)
    snippet = tomllib.loads(setup.snippet) if is_toml else json.loads(setup.snippet)
    assert settings == {"model": "x", **snippet}
    assert not is_toml or "# mine" in once
    setup.write()
    assert setup.path.read_text(encoding="utf-8") == once


def test_a_new_file_is_made_with_its_folder(tmp_path: Path) -> None:
    setup = setup_of("vscode", tmp_path)
    setup.write()
    assert json.loads(setup.path.read_text(encoding="utf-8")) == json.loads(setup.snippet)


@pytest.mark.parametrize(
    ("client", "content"),
    [
        *(("vscode", '{"servers": {} // mine\n}'), ("codex", '[mcp_servers.cgi]\ncommand = "x"\n')),
        *(("vscode", "[]"), ("vscode", "null"), ("vscode", '{"servers": []}'), ("vscode", "[" * 100_000)),
        *(("vscode", r'{"x": "\ud800"}'), ("codex", "mcp_servers = 3\n"), ("codex", "mcp_servers = {}\n")),
    ],
)
def test_a_file_that_cannot_be_changed_safely_stays(client: str, content: str, home: Path, tmp_path: Path) -> None:
    setup = setup_of(client, tmp_path)
    setup.path.parent.mkdir(parents=True)
    setup.path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match="by hand"):
        setup.write()
    assert setup.path.read_text(encoding="utf-8") == content


def test_nothing_is_written_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("{}", encoding="utf-8")
    (tmp_path / ".mcp.json").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="link"):
        setup_of("claude-code", tmp_path).write()
    assert (tmp_path / "elsewhere").read_text(encoding="utf-8") == "{}"


def test_a_link_beside_the_file_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("mine", encoding="utf-8")
    (tmp_path / ".mcp.json").write_text("{}", encoding="utf-8")
    (tmp_path / ".mcp.json.cgi-new").symlink_to(tmp_path / "elsewhere")
    setup_of("claude-code", tmp_path).write()
    assert (tmp_path / "elsewhere").read_text(encoding="utf-8") == "mine"
    assert "cgi" in (tmp_path / ".mcp.json").read_text(encoding="utf-8")
    assert len(list(tmp_path.iterdir())) == 3


def test_nothing_is_written_behind_a_folder_that_is_a_link(tmp_path: Path) -> None:
    written = tmp_path / "elsewhere" / "settings" / "mcp.json"
    written.parent.mkdir(parents=True)
    written.write_text("{}", encoding="utf-8")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / ".kiro").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="link"):
        setup_of("kiro", tmp_path / "shop").write()
    assert written.read_text(encoding="utf-8") == "{}"


def test_a_file_where_a_folder_should_be_stays(tmp_path: Path) -> None:
    (tmp_path / ".kiro").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="by hand"):
        setup_of("kiro", tmp_path).write()
    assert (tmp_path / ".kiro").read_text(encoding="utf-8") == "mine"
