"""Nothing that a repository names is run: by no command, server or question, on a repository or on a folder in it."""

import asyncio
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from mcp import Client

from code_graph_indexer import CgiError, CodeIndexer
from code_graph_indexer.cli import Commands
from code_graph_indexer.mcp.builds import Build
from code_graph_indexer.mcp.repositories import Repositories
from code_graph_indexer.mcp.server import build_server
from code_graph_indexer.team.fleet.checkout import check_out, references
from code_graph_indexer.web.server import Server, guarded
from code_graph_indexer.web.site import Site
from tests.git.traps import FILES, TRAPS, Trap, clean_filter, mark_maker, repository
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

REVISIONS = ("HEAD", "HEAD..HEAD", "main")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CGI_WORKERS", "1")
    # What git knows by itself must not hinder a trap.
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "*")
    return tmp_path


def ask_everything(root: Path) -> None:
    """Index a folder, change it, and ask every kind of question through each door."""
    with CodeIndexer(root) as indexer:
        indexer.index()
        write_tree(root, {"a.py": FILES["a.py"] + "\n\ndef third():\n    return first()\n"})
        indexer.retrieve("first second")
        indexer.index(full=True)
        indexer.verify()
        indexer.stats()
        for revisions in REVISIONS:
            try:
                indexer.graph.impact(diff=revisions)
            except CgiError:
                continue
        asyncio.run(pages(indexer))
    repositories = Repositories([root])
    asyncio.run(tools(repositories))
    repositories.close()


async def pages(indexer: CodeIndexer) -> None:
    transport = httpx.ASGITransport(guarded(Server(Site(indexer)), ["127.0.0.1"]))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        for path in ("/", "/search?q=first", *(f"/impact?diff={revision}" for revision in REVISIONS)):
            assert (await client.get(path)).status_code < 500


async def tools(repositories: Repositories) -> None:
    async with Client(build_server(repositories)) as client:
        await client.call_tool("explore", {"query": "first"})
        for revision in REVISIONS:
            await client.call_tool("impact", {"diff": revision})


@pytest.mark.parametrize("folder", [".", "lib"])
@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.__name__)
def test_no_trap_springs(place: Path, trap: Trap, folder: str) -> None:
    root = repository(place / "repository")
    program, mark = mark_maker(place / "traps")
    command = trap(root, program)
    subprocess.run(["git", "-C", str(root), *command], capture_output=True, check=False)
    assert mark.exists(), "the trap does not work, so this test proves nothing"
    mark.unlink()
    ask_everything(root / folder)
    assert not mark.exists()


def test_no_command_springs_a_trap(place: Path) -> None:
    root = repository(place / "repository")
    program, mark = mark_maker(place / "traps")
    for trap in TRAPS:
        # These move the repository, or take what others need of it.
        if trap.__name__ not in ("git_file", "lazy_fetch", "ssh_command", "bare_folder", "submodule"):
            try:
                trap(root, program)
            # An earlier trap is in the way of a later one.
            except subprocess.CalledProcessError:
                continue
    mark.unlink(missing_ok=True)
    endless = {"web", "mcp", "watch", "chat", "fleet"}
    arguments = {"index": ["."], "impact": ["--diff", "HEAD"], "path": ["first", "second"], "imports": ["a.py"]}
    for name in ["index", *sorted(Commands().keys() - endless)]:
        command = [sys.executable, "-P", "-m", "code_graph_indexer", name, *arguments.get(name, ["first"])]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
        assert "unexpected error" not in done.stderr, (name, done.stderr)
    assert not mark.exists()


def test_a_fleet_springs_no_trap(place: Path) -> None:
    for trap in TRAPS:
        root = repository(place / trap.__name__ / "repository")
        program, mark = mark_maker(place / trap.__name__ / "traps")
        trap(root, program)
        mark.unlink(missing_ok=True)
        try:
            references(root.as_uri(), "", ["*"])
            check_out(root.as_uri(), "main", place / trap.__name__ / "tree", sha256=False, depth=1)
        except CgiError:
            continue
        finally:
            assert not mark.exists(), trap.__name__


def test_a_fleet_uses_no_filter_of_the_user(place: Path) -> None:
    root = repository(place / "repository")
    program, mark = mark_maker(place / "traps")
    clean_filter(root, program)
    subprocess.run(["git", "-C", str(root), "config", "--unset", "filter.x.clean"], check=True)
    subprocess.run(["git", "-C", str(root), "add", "."], check=True)
    command = ["git", "-C", str(root), "-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "attributes"]
    subprocess.run(command, check=True)
    (place / ".gitconfig").write_text(f'[filter "x"]\n\tsmudge = {program}\n\tclean = {program}\n')
    check_out(root.as_uri(), "main", place / "tree", sha256=False, depth=1)
    assert (place / "tree" / "a.py").is_file()
    assert not mark.exists()


@pytest.mark.parametrize("name", ["code_graph_indexer", "multiprocessing", "json", "encodings"])
def test_no_module_of_the_repository_is_imported(place: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(place / "repository")
    mark = place / "mark"
    write_tree(root, {f"{name}/__init__.py": f"open({str(mark)!r}, 'w')\n"})
    monkeypatch.chdir(root)
    # As the script `cgi` is started, which has its own folder in the module path.
    script = Path(sys.executable).parent / "cgi"
    subprocess.run([script, "index", "."], check=True, capture_output=True)
    lines = (
        "import multiprocessing, code_graph_indexer.programs as programs",
        "if __name__ == '__main__':",
        "    process = multiprocessing.get_context('spawn').Process(target=print)",
        "    with programs.shut_module_path():",
        "        process.start()",
        "    process.join()",
    )
    (place / "start.py").write_text("\n".join(lines))
    subprocess.run([sys.executable, place / "start.py"], check=True, capture_output=True)
    with CodeIndexer(root) as indexer:
        assert indexer.symbol("first")
    build = Build(root)
    assert build.wait(60)
    assert not build.error
    assert not mark.exists()
