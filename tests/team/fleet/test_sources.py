"""What git could take for an option or a command, or what holds a password, is no source of the fleet."""

from pathlib import Path

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.team.fleet.sources import location_of, read_source
from tests.team.fleet.conftest import SOURCE, commit

REFUSED = (
    "",
    "--upload-pack=touch /tmp/x",
    "-",
    "ext::sh -c 'touch /tmp/x'",
    "fd::17/x",
    "https://host/a\nb",
    "javascript://host/x",
    "ftp://host/x",
    "ssh://-oProxyCommand=touch/x",
    "ssh://-l@host/x",
    "-oProxyCommand=touch:x",
    "host:-x",
    "https://user:token@host/team/x.git",
    "https://token@host/team/x.git",
    "https:///x",
    "ftp://user:token@host/x",
    "https://user:token[@host/x",
    "https://host/x.git?private_token=token",
    "https://host/x.git#token",
    "https://host/",
    "https://host:port/x",
    "https://host/" + "x" * 3_000,
    "/no/such/folder",
)


@pytest.mark.parametrize("text", REFUSED)
def test_a_dangerous_source_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as error:
        read_source(text)
    assert "token" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "name", "location"),
    [
        ("https://Host.org/Team/Shop.git", "Team/Shop", "host.org/team/shop"),
        ("https://host.org:8443/a/b/shop/", "b/shop", "host.org:8443/a/b/shop"),
        ("ssh://git@host.org/team/shop", "team/shop", "host.org/team/shop"),
        ("git@host.org:team/shop.git", "team/shop", "host.org/team/shop"),
        ("git@host.org:team/my shop", "team/my-shop", "host.org/team/my shop"),
    ],
)
def test_every_way_to_write_a_url_has_the_same_location(text: str, name: str, location: str) -> None:
    source = read_source(text)
    assert (source.name, source.location, source.address) == (name, location, text)


def test_a_folder_is_fetched_like_a_url(tmp_path: Path) -> None:
    root = commit(tmp_path / "my shop", {"m.py": SOURCE})
    source = read_source(str(root))
    assert source.name == "my-shop"
    assert source.address.startswith("file:///") and source.address.endswith("/my%20shop")
    assert read_source(f"file://{root}") == source
    assert read_source(str(root), "team/x").name == "team/x"


@pytest.mark.parametrize("name", ["-x", "a b", "a@b", "a/../b c", "/a", "a\n", "a" * 201])
def test_a_strange_name_is_refused(tmp_path: Path, name: str) -> None:
    root = commit(tmp_path / "shop", {"m.py": SOURCE})
    with pytest.raises(UsageError, match="cannot be the name of a repository"):
        read_source(str(root), name)


def test_what_strangers_send_has_no_location() -> None:
    assert location_of("ext::sh") == location_of("") == location_of("https://[::1/x") == ""
    assert location_of("git@host.org:team/shop.git") == "host.org/team/shop"
