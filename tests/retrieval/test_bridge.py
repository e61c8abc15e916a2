"""The bridge over tests: a question finds a test in everyday words, and the test leads to the code that it calls."""

from collections.abc import Iterator

import pytest

from code_graph_indexer import CodeIndexer, Filters
from code_graph_indexer.retrieval.bridge import bridge_over_tests
from code_graph_indexer.retrieval.query import read_query
from tests.indexing.repository import write_tree

QUESTION = "How does a parcel find its way to the right town?"

FILES = {
    "post/zq.py": "def zq7(a, b):\n    return a ^ b\n\n\ndef zq8(a):\n    return a\n",
    "post/stamp.py": "def stamp(letter):\n    return letter + 1\n",
    "tests/helpers.py": "def parcel():\n    return 7\n",
    "tests/test_ways.py": "from post.zq import zq7\nfrom tests.helpers import parcel\n\n\n"
    "def test_a_parcel_finds_its_way_to_the_right_town():\n    assert zq7(parcel(), 2) == 5\n",
    "tests/test_stamp.py": "from post.stamp import stamp\n\n\ndef test_letters_are_dear():\n    assert stamp(1) == 2\n",
}


@pytest.fixture(scope="module")
def indexer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = write_tree(tmp_path_factory.mktemp("post"), FILES)
    with CodeIndexer(root, workers=1) as opened:
        opened.index()
        yield opened


def reached(indexer: CodeIndexer, text: str, filters: Filters) -> list[str]:
    embedder = indexer.embedder()
    assert embedder is not None
    hits = bridge_over_tests(indexer.store, read_query(text), embedder.embed(text), filters)
    return [chunk.name for chunk in indexer.store.chunks(hits.ids.tolist())]


def test_a_test_leads_to_the_code_it_calls_and_to_no_test(indexer: CodeIndexer) -> None:
    assert reached(indexer, QUESTION, Filters())[0] == "zq7"
    assert "parcel" not in reached(indexer, QUESTION, Filters())


def test_filters_hold_for_the_code_and_not_for_the_tests(indexer: CodeIndexer) -> None:
    assert reached(indexer, QUESTION, Filters(tests=False))[0] == "zq7"
    assert reached(indexer, QUESTION, Filters(directory="post")) == reached(indexer, QUESTION, Filters())
    assert "zq7" not in reached(indexer, QUESTION, Filters(file_patterns=("post/stamp.py",)))


def test_a_question_finds_code_that_shares_no_word_with_it(indexer: CodeIndexer) -> None:
    results = indexer.retrieve(QUESTION, tests=False)
    assert results[0].name == "zq7"
    assert "tests" in {signal.signal for signal in results[0].signals}


@pytest.mark.parametrize("text", ["parcel way", "zq7", "How do tests find a parcel?"])
def test_only_questions_in_everyday_words_cross_the_bridge(indexer: CodeIndexer, text: str) -> None:
    signals = {signal.signal for result in indexer.retrieve(text) for signal in result.signals}
    assert "tests" not in signals


def test_without_tests_the_bridge_leads_nowhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = write_tree(tmp_path_factory.mktemp("bare"), {"post/zq.py": FILES["post/zq.py"]})
    with CodeIndexer(root, workers=1) as opened:
        opened.index()
        assert not reached(opened, QUESTION, Filters())
        assert opened.retrieve(QUESTION)
