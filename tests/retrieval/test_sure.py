"""Sureness: a name or a clear lead is sure, and doubt names documentation and words that the index has."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, Doubt, RetrievedContext, SignalRank
from code_graph_indexer.retrieval.everyday import MAX_RELATED, related_words
from code_graph_indexer.retrieval.sure import CLEAR_LEAD, COMPARED, LEAD, PLAIN_LEAD, is_prose, is_sure


@pytest.fixture
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop, workers=1) as opened:
        yield opened


def result(path: str, score: float, *signals: SignalRank, text: str = "place an order, submit") -> RetrievedContext:
    return RetrievedContext(1, path, text, score, "function", 1, 1, signals=signals)


def test_a_name_is_sure_and_nothing_found_is_not(indexer: CodeIndexer) -> None:
    assert is_sure(indexer.store, "place_order", indexer.retrieve("place_order"))
    assert not is_sure(indexer.store, "order", [])


def test_a_small_lead_is_sure_only_if_words_and_vectors_agree(indexer: CodeIndexer) -> None:
    agreed = SignalRank("vector", 1, 0.5, 6.0), SignalRank("words", 1, 9.0, 2.5)
    store, behind = indexer.store, result("b.py", 5.0)
    assert is_sure(store, "order", [result("a.py", 5.0 + LEAD, *agreed), behind])
    assert not is_sure(store, "order", [result("a.py", 5.0 + LEAD, agreed[0]), behind])
    assert is_sure(store, "order", [result("a.py", 5.0 + CLEAR_LEAD, agreed[0]), behind])
    # A quoted text is read by words and vectors alike, so that their agreement says nothing more.
    quoted = SignalRank("quoted", 1, 3.0, 4.0)
    assert not is_sure(store, "'an order'", [result("a.py", 5.0 + LEAD, *agreed, quoted), behind])
    assert is_sure(store, "'an order'", [result("a.py", 5.0 + CLEAR_LEAD, *agreed, quoted), behind])


def test_a_question_in_everyday_words_needs_a_larger_lead(indexer: CodeIndexer) -> None:
    behind, question = result("b.py", 5.0), "how is an order placed?"
    assert not is_sure(indexer.store, question, [result("a.py", 5.0 + CLEAR_LEAD), behind])
    assert is_sure(indexer.store, question, [result("a.py", 5.0 + PLAIN_LEAD), behind])


def test_expected_words_are_sure_if_the_first_has_clearly_more_of_them_than_each_of_the_next(
    indexer: CodeIndexer,
) -> None:
    store, question, words = indexer.store, "what happens to an order?", "place order tax"
    whole, part = result("a.py", 5.0, text="place_order(tax)"), result("b.py", 4.9, text="place_order()")
    rival = result("c.py", 4.9, text=whole.content)
    assert is_sure(store, question, [whole, part, part], words)
    assert not is_sure(store, question, [whole, part, rival], words)
    # Another part of the same definition is no rival.
    assert is_sure(store, question, [whole, result("a.py", 4.9, text=whole.content)], words)
    # Only the next few count: a list may be long.
    assert is_sure(store, question, [whole, *[part] * (COMPARED - 1), rival], words)
    # Nor is that sure which has hardly one of them.
    assert not is_sure(store, question, [result("a.py", 9.0, text="pedido")], words)
    definition = result("a.py", 5.0, SignalRank("definition", 1, 3.0, 7.5), text="place_order")
    assert is_sure(store, question, [definition, part], "place_order")


def test_nothing_is_sure_that_lacks_the_weightiest_words_of_the_query(indexer: CodeIndexer) -> None:
    store, behind = indexer.store, result("b.py", 5.0)
    assert is_sure(store, "order placed", [result("a.py", 5.0 + CLEAR_LEAD), behind])
    assert not is_sure(store, "order placed", [result("a.py", 5.0 + CLEAR_LEAD, text="pedido"), behind])
    # Half of the words are there, but the index has them everywhere, and the others nowhere.
    assert not is_sure(store, "order zebra", [result("a.py", 5.0 + CLEAR_LEAD), behind])
    text = "¿Cómo se guarda la sesión del usuario en d3.js"
    assert not is_sure(store, text, [result("d3.js", 5.0 + CLEAR_LEAD), behind])


def test_an_answer_says_that_nothing_has_the_words_of_the_query(indexer: CodeIndexer) -> None:
    doubt = indexer.doubt("zzzznothing", indexer.retrieve("zzzznothing"))
    assert doubt is not None
    assert doubt.unmatched
    assert doubt.text.startswith("Nothing found has these words")
    query = "where do late orders of cheap people go?"
    doubt = indexer.doubt(query, indexer.retrieve(query))
    assert doubt is not None
    assert not doubt.unmatched


def test_a_doubt_shows_how_to_ask_again_with_expected_words(indexer: CodeIndexer) -> None:
    query = "what gets thrown away when it is too old?"
    doubt = indexer.doubt(query, [])
    assert doubt is not None
    assert doubt.example == f'"{query}", expect="gets thrown away …"'
    assert doubt.example in doubt.text
    # Who expected words knows how.
    again = indexer.doubt(query, [], expect="expire prune")
    assert again is not None
    assert again.example == ""
    assert Doubt().text.startswith("Not sure: ")
    assert Doubt(weak=True).text.startswith("What is found has hardly one of these words: ")


def test_everyday_words_bring_the_words_of_code() -> None:
    assert "evict" in related_words(["throw", "memory"])
    assert len(related_words(["make", "get", "file", "user", "change", "server", "time", "old", "once"])) == MAX_RELATED


def test_a_doubt_says_whether_the_first_result_has_hardly_a_word_of_the_query(indexer: CodeIndexer) -> None:
    question = "penguins migrate over antarctic glaciers with an order"
    doubt = indexer.doubt(question, indexer.retrieve(question))
    assert doubt is not None and doubt.weak
    doubt = indexer.doubt("how is an order placed?", indexer.retrieve("how is an order placed?"))
    assert doubt is None or not doubt.weak


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# When the memory is full, keys are evicted.\n# This is the default of the server.\n", True),
        ('{\n  "body": "what to do when the memory is full",\n  "title": "the memory is full"\n}\n', False),
        ("AC_DEFUN([CURL_CHECK], [\n  OPT=yes\n])\n", False),
        # A piece of a translation, whose line begins in the middle.
        ('to a place that is on your disk","b.no":"It was not to be","b.so":"That is what you have","c":"It is', False),
        (
            'The key "a" is for what you have. It may be "b", "c" or both, and it is what the server reads at its start.',
            True,
        ),
    ],
)
def test_prose_is_told_from_data_and_scripts(text: str, expected: bool) -> None:
    assert is_prose(text) is expected
