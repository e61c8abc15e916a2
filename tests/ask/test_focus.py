"""In the files that a question led to, what fits it and what that calls is chosen to be read."""

from collections.abc import Iterator

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.ask.focus import Focus
from code_graph_indexer.ask.pipeline import FIRST
from code_graph_indexer.results import Filters
from tests.indexing.repository import write_tree

QUESTION = "how is a parcel weighed at the counter?"

COUNTER = '''
def unrelated(one, two, three):
    return one + two + three

def weigh_parcel(parcel):
    """Weigh a parcel at the counter."""
    return _settle(parcel)

def _settle(thing):
    first, second = thing.left(), thing.right()
    return first - second

def another(one, two, three):
    return one * two * three
'''
TESTS = '''
def test_a_parcel_is_weighed_at_the_counter():
    """A parcel is weighed at the counter."""
    assert weigh_parcel(parcel)
'''
OTHER = '''
def send(parcel):
    """Send it on."""
    return parcel
'''
GUIDE = "# Counter\n\nA parcel is weighed at the counter by a clerk.\n"


@pytest.fixture(scope="module")
def indexer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = write_tree(
        tmp_path_factory.mktemp("post"),
        {"post/counter.py": COUNTER, "post/send.py": OTHER, "tests/test_counter.py": TESTS, "guide.md": GUIDE},
    )
    with CodeIndexer(root, workers=1) as opened:
        opened.index()
        yield opened


def chosen(indexer: CodeIndexer, question: str = QUESTION, filters: Filters | None = None) -> list[str]:
    results = indexer.retrieve(question, limit=10)
    focus = Focus(indexer.store, indexer.embedder(), root=indexer.root)
    return [context.name for context in focus.chosen(question, results, filters or Filters()) if context.name]


@pytest.mark.slow
def test_what_the_best_definition_calls_is_chosen_before_what_it_does_not_call(indexer: CodeIndexer) -> None:
    names = chosen(indexer)
    assert names[0] == "weigh_parcel"
    assert names.index("_settle") < min(names.index("unrelated"), names.index("another"))


def test_words_suffice_without_an_embedder(indexer: CodeIndexer) -> None:
    results = indexer.retrieve(QUESTION, limit=10)
    contexts = Focus(indexer.store, None).chosen(QUESTION, results, Filters())
    assert [context.name for context in contexts][:2] == ["weigh_parcel", "_settle"]
    assert "first - second" in contexts[1].content


def test_tests_are_left_out_unless_they_are_asked_for(indexer: CodeIndexer) -> None:
    test = "test_a_parcel_is_weighed_at_the_counter"
    assert test not in chosen(indexer)
    assert test in chosen(indexer, "which tests check that a parcel is weighed at the counter?")
    assert set(chosen(indexer, filters=Filters(tests=True))) == {test, "test_counter"}


def test_filters_hold(indexer: CodeIndexer) -> None:
    assert chosen(indexer, filters=Filters(file_patterns=("*send*",))) == ["send", "send"]


def test_prose_alone_leads_to_no_code(indexer: CodeIndexer) -> None:
    prose = indexer.retrieve(QUESTION, source_types="markdown")
    assert {result.file_path for result in prose} == {"guide.md"}
    assert Focus(indexer.store, indexer.embedder()).chosen(QUESTION, prose, Filters()) == []
    assert Focus(indexer.store, indexer.embedder()).chosen(QUESTION, [], Filters()) == []


def test_an_answer_gives_the_code_that_does_it_behind_the_best_result(indexer: CodeIndexer) -> None:
    with CodeIndexer(db=indexer.db) as wide, CodeIndexer(db=indexer.db, expansion=False) as plain:
        first = [source.name for source in plain.ask(QUESTION).sources]
        names = [source.name for source in wide.ask(QUESTION).sources]
    assert names[0] == first[0]
    assert "_settle" in names[: FIRST + 1]
    assert len(set(names)) == len(names)


def test_a_small_budget_goes_to_what_was_found(indexer: CodeIndexer) -> None:
    budget = 400
    with (
        CodeIndexer(db=indexer.db, token_budget=budget) as small,
        CodeIndexer(db=indexer.db, token_budget=budget, expansion=False) as plain,
    ):
        sources = plain.ask(QUESTION).sources
        assert small.ask(QUESTION).sources == sources
    assert len(sources) > 1
