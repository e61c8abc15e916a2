"""Embedders are made by name, and a name that makes none says why."""

import sys

import pytest

from code_graph_indexer.embedders import create_embedder, embedder_names
from code_graph_indexer.errors import EmbedderError


def test_embedders_are_the_files_of_the_folder() -> None:
    assert {"fastembed", "hashing", "openai"} <= set(embedder_names())
    assert not {"base", "__init__"} & set(embedder_names())


@pytest.mark.parametrize(
    ("typed", "suggestion"), [("hashin", "hashing"), ("fastembedd:x", "fastembed"), ("open-ai", "openai")]
)
def test_a_misspelt_name_is_answered_with_the_one_meant(typed: str, suggestion: str) -> None:
    with pytest.raises(EmbedderError, match=f"Did you mean '{suggestion}'"):
        create_embedder(typed)


def test_a_strange_name_is_answered_with_those_known() -> None:
    with pytest.raises(EmbedderError, match=r"no embedder 'zzz'\. Known: .*hashing") as caught:
        create_embedder("zzz")
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize(("name", "package"), [("fastembed", "fastembed"), ("openai", "httpx")])
def test_a_missing_package_is_answered_with_what_to_install(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"code_graph_indexer.embedders.{name}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbedderError, match=rf"pip install .*\[{name}\]"):
        create_embedder(name)
