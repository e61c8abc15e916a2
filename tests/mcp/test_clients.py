"""What `cgi mcp --setup` prints for each client."""

import json
import tomllib
from pathlib import Path

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.mcp.clients import clients, setup_text

PROMISED = (
    *("claude-code", "claude-desktop", "cursor", "vscode", "copilot-cli", "codex", "gemini", "zed", "windsurf"),
    *("opencode", "cline", "kiro"),
)


def entry(client: str, folder: Path) -> dict[str, object]:
    """Return the entry of the server in what is printed for a client."""
    text = setup_text(client, folder).partition("\n\n")[2]
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
    assert Path(str(command)).name.startswith("cgi")
    folder = {"absolute": [str(tmp_path)], "": []}.get(clients()[client]["folder"], ["${workspaceFolder}"])
    assert arguments == ["mcp", *folder]


def test_the_key_of_vs_code_and_of_zed_is_their_own(tmp_path: Path) -> None:
    assert '"servers"' in setup_text("vscode", tmp_path)
    assert '"context_servers"' in setup_text("zed", tmp_path)


def test_an_unknown_client_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean cursor"):
        setup_text("cursr", tmp_path)
