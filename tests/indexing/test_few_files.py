"""Of the query of a language with few files, only the patterns that they need are compiled."""

import os
import signal
import sys
from pathlib import Path

import pytest

from code_graph_indexer.indexing import few_files
from code_graph_indexer.languages import load_parser
from code_graph_indexer.languages.registry import needed_patterns
from code_graph_indexer.syntax.records import SourceFile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")

CODE = "class Cart\n  def total\n    @prices.sum\n  end\nend\n"


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, list[SourceFile]]:
    (tmp_path / "cart.rb").write_text(CODE)
    return {"ruby": [SourceFile("cart.rb", "ruby"), SourceFile("missing.rb", "ruby")]}


def test_what_the_files_need_is_compiled(tmp_path: Path, sources: dict[str, list[SourceFile]]) -> None:
    assert few_files.load_needed(sources, tmp_path, timeout=60) == {"ruby"}
    assert few_files.load_needed({}, tmp_path, timeout=60) == set()


def test_a_file_needs_some_patterns_and_no_text_none() -> None:
    needed = [needed_patterns("ruby", [load_parser("ruby").parse(text)]) for text in (CODE.encode(), b"")]
    assert needed[0] and set(needed[1]) < set(needed[0])


def test_a_crash_leaves_the_query_to_be_compiled_as_a_whole(
    tmp_path: Path, sources: dict[str, list[SourceFile]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(few_files, "needed_patterns", crash)
    assert few_files.load_needed(sources, tmp_path, timeout=60) == set()
