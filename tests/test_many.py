"""Several repositories are asked at once, through the facade."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer import CodeIndexer, FreshnessState, Index, IndexNotFoundError, UsageError, open_index
from code_graph_indexer.storage import index_places
from tests.indexing.repository import write_tree
from tests.shop import copy_shop

TOOLS = {"tools/parcel.py": "def weigh(parcel):\n    return parcel.weight\n\n\ndef send(parcel):\n    weigh(parcel)\n"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of two indexed repositories, `shop` and `tools`. Do not change it."""
    folder = tmp_path_factory.mktemp("repositories")
    copy_shop(folder)
    write_tree(folder / "tools", TOOLS)
    for name in ("shop", "tools"):
        with CodeIndexer(folder / name, workers=1) as indexer:
            indexer.index()
    return folder


@pytest.fixture
def indexer(folder: Path) -> Iterator[Index]:
    """Open both repositories."""
    with open_index(folder) as opened:
        yield opened


@pytest.mark.slow
def test_a_question_is_answered_from_all_repositories(indexer: Index) -> None:
    results = indexer.retrieve("weight of a parcel", limit=20)
    assert {result.repo_id for result in results} == {"shop", "tools"}
    assert all(result.file_path.startswith(f"{result.repo_id}/") for result in results)
    assert asyncio.run(indexer.aretrieve("weigh", limit=1))[0].file_path == "tools/tools/parcel.py"
    assert indexer.ask("who calls weigh?").sources[0].file_path == "tools/tools/parcel.py"
    assert indexer.retrieve_with_parents("cart", limit=1)[0].repo_id == "shop"
    assert "shop/shop/pricing.py" in indexer.explore("add_tax").text


@pytest.mark.slow
def test_a_filter_selects_repositories(indexer: Index) -> None:
    def repositories(query: str, **options: Any) -> set[str]:
        return {result.repo_id for result in indexer.retrieve(query, limit=50, **options)}

    assert repositories("repo:tools parcel") == repositories("parcel", repo_id="tools") == {"tools"}
    assert repositories("repo:shop repo:tools parcel") == {"shop", "tools"}
    assert repositories("-repo:tools parcel") == {"shop"}
    assert repositories("path:tools/* parcel") == repositories("parcel", directory="tools/tools") == {"tools"}
    with pytest.raises(UsageError, match=r"there is no repository 'tool'\. Did you mean 'tools'"):
        indexer.retrieve("repo:tool parcel")


def test_definitions_and_the_graph_have_the_paths_of_the_set(indexer: Index) -> None:
    assert [step.symbol.name for step in indexer.callers("parcel.py:weigh")[0].steps] == ["send"]
    assert indexer.symbol("add_tax")[0].file_path == "shop/shop/pricing.py"
    assert indexer.outline("tools/parcel.py").path == "tools/tools/parcel.py"
    assert set(indexer.tree("tools")) == {"tools/tools/parcel.py"}
    assert indexer.graph.impact("weigh").affected[0].symbol.file_path == "tools/tools/parcel.py"
    assert dict(indexer.stats()["languages"])["python"] == 8  # type: ignore[arg-type]
    assert indexer.doctor() == []


def test_several_indexes_are_asked_and_not_changed(indexer: Index) -> None:
    assert not {"index", "publish", "update", "verify", "watch_with"} & set(dir(indexer))
    with pytest.raises(UsageError, match="does not say where the repository of the diff is"):
        indexer.graph.impact(diff="HEAD")


@pytest.mark.slow
def test_each_repository_follows_its_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_tree(tmp_path / name, TOOLS)
        with CodeIndexer(tmp_path / name, workers=1) as alone:
            alone.index()
    with open_index(tmp_path / "a", tmp_path / "b") as opened:
        assert len(opened.symbol("weigh")) == 2
        assert opened.freshness.state is FreshnessState.CURRENT
        (tmp_path / "b/tools/more.py").write_text("def weigh_more():\n    return 2\n")
        assert opened.symbol("weigh_more")[0].file_path == "b/tools/more.py"
        assert (opened.freshness.state, opened.freshness.new) == (FreshnessState.UPDATED, ("b/tools/more.py",))
    with open_index(tmp_path / "a", tmp_path / "b", update=False) as opened:
        (tmp_path / "a/tools/parcel.py").write_text("def weigh(parcel):\n    return 0\n")
        assert {result.file_path: result.stale for result in opened.retrieve("weigh")} == {
            "a/tools/parcel.py": True,
            "b/tools/parcel.py": False,
            "b/tools/more.py": False,
        }


@pytest.mark.slow
def test_equal_names_get_the_folders_around_them(tmp_path: Path) -> None:
    for name in ("x/api", "y/api", "web"):
        write_tree(tmp_path / name, TOOLS)
        with CodeIndexer(tmp_path / name, workers=1, db=tmp_path / f"{name}.db") as alone:
            alone.index()
    with open_index(tmp_path, tmp_path / "x", tmp_path / "y/api.db", tmp_path / "web.db") as opened:
        assert opened.store.repositories() == ["web", "x/api", "y/api"]
        assert opened.retrieve("repo:x/api weigh")[0].file_path == "x/api/tools/parcel.py"


def test_a_single_place_is_opened_as_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "tools")
    for places in ((), (folder / "tools",), (folder / "tools/.cgi/index.db",)):
        with open_index(*places) as opened:
            assert (opened.name, opened.is_set) == ("tools", False)
            assert opened.symbol("weigh")[0].file_path == "tools/parcel.py"
    monkeypatch.setenv("CGI_DB", str(folder / "shop"))
    with open_index() as opened:
        assert opened.name == "shop"


def test_places_are_files_and_folders(folder: Path, tmp_path: Path) -> None:
    defaults = [folder / name / ".cgi/index.db" for name in ("shop", "tools")]
    assert index_places([folder]) == index_places([folder / "shop", folder / "tools", folder]) == defaults
    assert index_places([tmp_path / "none.db"]) == [tmp_path / "none.db"]
    (tmp_path / "other.db").write_text("no index")
    with pytest.raises(IndexNotFoundError, match="there is no index in"):
        index_places([tmp_path])
    with (
        pytest.raises(IndexNotFoundError, match="there is no index at"),
        open_index(folder, tmp_path / "none.db") as opened,
    ):
        opened.symbol("weigh")
