"""Odd texts from outside: each door gives an answer or an error of the product, and never an error of Python."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from code_graph_indexer import CgiError, CodeIndexer, UsageError, create_embedder, open_index
from code_graph_indexer.cli import main
from code_graph_indexer.outside import inside, number_of, path_of, revisions_of
from tests.web.conftest import LocalSite, served

LONG = "x" * 5_000
ODD = (
    *("\0", "a\0b", "~nosuchuser", "~nosuchuser/x", LONG, "a/" * 2_500, "\ud800", "a\udcffb", "-x", "", " ", "\n"),
    *("\x1b[31m", "%", "🙂", "../../etc/passwd", "/etc/passwd", "[", "a..b..c", "HEAD\nx", "..", ":", ":::", "(", "\\"),
    *("a:1-99999999999", "shop/pricing.py:\0", "lang:\0 x", "path:\ud800 x", f"repo:{LONG}", "\u202e", "9" * 5_000),
    *("a -> \0", "who calls \ud800", "HEAD@{1"),
)
"""Texts that no path, name, revision or question is, and some that are nearly one."""

NO_PATHS = ("\0", "a\0b", "~nosuchuser", "~nosuchuser/x", LONG, "a/" * 2_500, "\ud800", "a\udcffb")
NO_REVISIONS = ("\0", "HEAD\0", "HEAD\nx", "\ud800", "-x", "--output=x", "", " ", "x" * 2_000)

Door = Callable[[CodeIndexer, str], object]

DOORS: dict[str, Door] = {
    "retrieve": lambda indexer, text: indexer.retrieve(text),
    "directory": lambda indexer, text: indexer.retrieve("cart", directory=text),
    "pattern": lambda indexer, text: indexer.retrieve("cart", file_patterns=[text]),
    "language": lambda indexer, text: indexer.retrieve("cart", language=text),
    "kind": lambda indexer, text: indexer.retrieve("cart", chunk_type=text),
    "repository": lambda indexer, text: indexer.retrieve("cart", repo_id=text),
    "folders": lambda indexer, text: indexer.retrieve("cart", folders=[text]),
    "examples": lambda indexer, text: indexer.retrieve_examples(text),
    "symbols": lambda indexer, text: indexer.retrieve_symbols(text),
    "ask": lambda indexer, text: indexer.ask(text),
    "explore": lambda indexer, text: indexer.explore(text),
    "change": lambda indexer, text: indexer.explore_change(text),
    "diff": lambda indexer, text: indexer.explore_change(diff=text),
    "symbol": lambda indexer, text: indexer.symbol(text),
    "outline": lambda indexer, text: indexer.outline(text),
    "tree": lambda indexer, text: indexer.tree(text),
    "paths": lambda indexer, text: indexer.graph.paths("add_tax", text),
    "imports": lambda indexer, text: indexer.graph.imports(text),
    "routes": lambda indexer, text: indexer.graph.routes(text, path=text),
    "form": lambda indexer, text: indexer.graph.draw(form=text),
    "folder": lambda indexer, text: indexer.graph.picture(folder=text),
    "opened": lambda indexer, text: indexer.graph.picture(["add_tax"], to=text, opened=[text]),
    "publish": lambda indexer, text: indexer.publish(f"postgresql://{text}"),
    "root": lambda indexer, text: CodeIndexer(text),
    "db": lambda indexer, text: CodeIndexer(db=text).symbol("add_tax"),
    "many": lambda indexer, text: open_index(text),
    "repo_id": lambda indexer, text: CodeIndexer(indexer.root, repo_id=text),
    "embedder": lambda indexer, text: create_embedder(text),
    "model": lambda indexer, text: create_embedder(f"static:{text or 'x'}"),
    "dimensions": lambda indexer, text: create_embedder(f"hashing:{text}"),
    "endpoint": lambda indexer, text: create_embedder("openai:m", base_url=text, api_key="k"),
}


@pytest.fixture(scope="module")
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_an_odd_text_gives_an_answer_or_an_error_of_the_product(indexer: CodeIndexer, door: str) -> None:
    for text in ODD:
        try:
            DOORS[door](indexer, text)
        except CgiError as exc:
            message = str(exc)
            # Half of a character cannot be printed, and others would control the terminal.
            message.encode()
            assert not {"\0", "\x1b", "\u202e"} & set(message)
            assert len(message) < 5_000


@pytest.mark.parametrize("text", NO_PATHS, ids=ascii)
def test_what_is_no_path_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        path_of(text)
    assert len(str(raised.value)) < 300


def test_a_path_need_not_exist_and_may_begin_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for text in ("~/nothing", "nothing", str(tmp_path / "nothing"), "nothing/"):
        assert path_of(text) == tmp_path / "nothing"
    (tmp_path / "file").touch()
    assert path_of("file/below") == tmp_path / "file" / "below"


@pytest.mark.skipif(sys.platform == "win32", reason="a current folder cannot be removed there")
def test_a_current_folder_that_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="the current folder is gone"):
        path_of(".")


@pytest.mark.parametrize("text", NO_REVISIONS, ids=ascii)
def test_what_is_no_revision_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no revision; give REV\.\.REV"):
        revisions_of(text)


def test_a_number_has_ascii_digits_and_not_too_many() -> None:
    assert number_of("007") == 7
    assert [number_of(text) for text in ("", "-1", "1.0", "²", "٣", "9" * 19, "1 ")] == [None] * 7


def test_absolute_paths_become_those_of_the_index(tmp_path: Path) -> None:
    root = tmp_path / "a.b"
    for text, expected in {
        f"{root}/lib/x.py": "lib/x.py",
        f"{root}/lib/x.py:10-40 and '{root}/y.py'": "lib/x.py:10-40 and 'y.py'",
        f"path:{root}/lib": "path:lib",
        f"{root}": "",
        f"{root}c/x.py": f"{root}c/x.py",
        f"/other{root}/x.py": f"/other{root}/x.py",
        "lib/x.py": "lib/x.py",
    }.items():
        assert inside(text, {"": root}) == expected
    assert inside(f"{root}/x.py", {"na\\1me/": root}) == "na\\1me/x.py"
    assert inside("/etc/x", {"": Path("/")}) == "/etc/x"


ABSOLUTE: dict[str, Door] = {
    "symbol": lambda indexer, path: indexer.symbol(f"{path}:add_tax"),
    "callers": lambda indexer, path: indexer.callers(f"{path}:add_tax"),
    "outline": lambda indexer, path: indexer.outline(path),
    "tree": lambda indexer, path: indexer.tree(path.rpartition("/")[0]),
    "impact": lambda indexer, path: indexer.graph.impact(path),
    "imports": lambda indexer, path: indexer.graph.dependents(path),
    "picture": lambda indexer, path: indexer.graph.picture(folder=path.rpartition("/")[0]),
    "directory": lambda indexer, path: indexer.retrieve("tax", directory=path.rpartition("/")[0]),
    "pattern": lambda indexer, path: indexer.retrieve(f"tax path:{path}"),
    "explore": lambda indexer, path: indexer.explore(path).text,
    "change": lambda indexer, path: indexer.explore_change(path).text,
}


@pytest.mark.parametrize("door", ABSOLUTE)
def test_each_door_takes_absolute_paths(indexer: CodeIndexer, door: str) -> None:
    assert indexer.root is not None
    answer = ABSOLUTE[door](indexer, f"{indexer.root}/shop/pricing.py")
    assert answer
    assert answer == ABSOLUTE[door](indexer, "shop/pricing.py")


COMMANDS = (
    *(("index", "X"), ("index", ".", "--db", "X"), ("index", ".", "--repo-id", "X"), ("index", ".", "--scip", "X")),
    *(("search", "X"), ("explore", "X"), ("impact", "--diff", "X"), ("impact", "X"), ("tree", "X"), ("mcp", "X")),
    *(("export", "--scip", "X/x"), ("stats", "--db", "X"), ("web", "X")),
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="arguments are no bytes there")
@pytest.mark.parametrize("text", [b"~nosuchuser", b"x" * 5_000, b"a\xffb", b"\x1b[31m", b"HEAD\nx"])
def test_a_command_with_an_odd_argument_says_what_is_wrong(
    own_shop: Path, text: bytes, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(own_shop)
    for command in COMMANDS:
        # As Python decodes the arguments of a process.
        monkeypatch.setattr(sys, "argv", ["cgi", *(word.replace("X", os.fsdecode(text)) for word in command)])
        try:
            main()
        except SystemExit as end:
            assert isinstance(end.code or 0, int)
        said = capfd.readouterr().err
        assert "unexpected error" not in said, command
        assert "Traceback" not in said, command


PAGES = (
    *("/search?q=X", "/search?q=cart&repo=X", "/folder/X", "/code/X", "/code/shop/pricing.py?at=X", "/picture?name=X"),
    *("/definition/X?name=a", "/definition/shop/pricing.py?name=X", "/reference/shop/pricing.py?at=X", "/go/X"),
    *("/impact?target=X", "/impact?diff=X", "/impact?diff=HEAD&repository=X", "/picture?folder=X", "/part/card?ids=X"),
    *("/picture?name=add_tax&to=X", "/picture?name=add_tax&format=X", "/picture?name=add_tax&open=X", "/ask?q=X"),
    *("/part/suggest?q=X", "/part/everything?q=X", "/part/lines/shop/pricing.py?from=X", "/part/impact/X?name=a"),
    *("/part/excerpt/X?at=1", "/static/X", "/X", "/reference/shop/pricing.py?at=12-X"),
)


@pytest.mark.slow
def test_a_page_with_an_odd_address_is_no_failure_of_the_server(shop: Path) -> None:
    texts = [quote(text.encode("utf-8", "surrogatepass"), safe="") for text in ODD]
    with served(shop) as site:
        failures = [
            (page, text[:20])
            for page in PAGES
            for text in texts
            if site.get(page.replace("X", text)).status_code >= 500
        ]
        assert failures == []
        check_pages(site)


def check_pages(site: LocalSite) -> None:
    """Check that what is wrong with an address is said on the page."""
    reply = site.get("/impact?diff=%00")
    assert reply.status_code == 400
    assert "is no revision" in reply.text
    assert site.get(f"/go/{'9' * 5_000}").status_code == 404
