"""Expected words: they find what a question in plain words does not, and an answer says which of them are there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, ExpectedWord
from code_graph_indexer.results import expected_text
from code_graph_indexer.retrieval.expected import MAX_WORDS, expected_words


@pytest.fixture
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop, workers=1) as opened:
        yield opened


QUESTION = "what does the state get of it?"


def test_expected_words_find_the_code_that_a_question_does_not_name(indexer: CodeIndexer) -> None:
    assert indexer.retrieve(QUESTION, limit=1)[0].name != "add_tax"
    contexts = indexer.retrieve(QUESTION, expect="tax rate add", limit=1)
    assert contexts[0].name == "add_tax"
    assert "question" in {
        signal.signal for context in indexer.retrieve("an order", expect="cart") for signal in context.signals
    }


def test_the_question_decides_among_equals(indexer: CodeIndexer) -> None:
    def rank(question: str, name: str) -> int:
        contexts = indexer.retrieve(question, expect="cart", chunk_type=("function", "method"), tests=False, limit=30)
        return [context.name for context in contexts].index(name)

    refused, summed = "refuse one that is empty", "the total with tax"
    assert rank(refused, "add") < rank(summed, "add")
    assert rank(summed, "total") < rank(refused, "total")


def test_an_answer_says_which_words_are_there_and_what_comes_near_to_the_missing(indexer: CodeIndexer) -> None:
    words = indexer.expected("add_tax the place_odrer wombat add_tax")
    assert [word.word for word in words] == ["add_tax", "place_odrer", "wombat"]
    assert words[0].chunks > 0
    assert words[1:] == (ExpectedWord("place_odrer", 0, ("place_order",)), ExpectedWord("wombat", 0))
    assert expected_text(words).endswith("place_odrer (none; near place_order), wombat (none).")
    assert expected_text(()) == ""
    assert indexer.expected(" \0 ") == ()
    assert len(expected_words(indexer.store, " ".join(f"word{number}" for number in range(99)))) == MAX_WORDS


def test_a_name_that_holds_a_missing_word_is_the_nearest(indexer: CodeIndexer) -> None:
    (word,) = indexer.expected("ce_order")
    assert word == ExpectedWord("ce_order", 0, ("place_order",))


@pytest.mark.parametrize("expect", ['"', "a OR b NOT (", "x" * 10_000, "\ud800", "naïve größe 数据", "`a.b` 'c d e'"])
def test_any_text_may_be_expected(indexer: CodeIndexer, expect: str) -> None:
    indexer.retrieve(QUESTION, expect=expect)
    indexer.expected(expect)
    assert indexer.explore(QUESTION, expect=expect).text
