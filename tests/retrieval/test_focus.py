"""From the best files for a report to the definitions in them that have to change."""

from collections.abc import Iterator

import pytest

from code_graph_indexer import CodeIndexer, CodeRetriever, Filters, RetrievedContext
from code_graph_indexer.retrieval.focus import RESULT_TERM, Focus
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.search import HybridSearcher
from code_graph_indexer.retrieval.signals import SIGNAL_NAMES
from code_graph_indexer.retrieval.sure import is_sure
from tests.indexing.repository import write_tree

QUESTION = "How is a parcel put on the scales by the clerk?"

COUNTER = '''
SCALES = 1

class Counter:
    """The counter."""

    def open(self):
        return self.clerk

    def weigh(self, parcel):
        """Put a parcel on the scales."""
        return self.clerk.scales.measure(parcel)

    def close(self):
        return None
'''
VAN = '''
def drive(parcel):
    """Drive a parcel of the clerk through the town."""
    return parcel
'''
TESTS = '''
def test_a_parcel_is_put_on_the_scales_by_the_clerk():
    """A parcel is put on the scales by the clerk."""
    assert Counter().weigh(parcel)
'''
REPORT = f"""The scales of the counter show nothing for a parcel

A clerk puts a parcel on the counter, and the weight stays empty.
{"We have looked at the cable, and the lamp of the scales is on." * 2}
The line is post/counter.py:8 or near.

Nobody knows since when.
"""


@pytest.fixture(scope="module")
def indexer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = write_tree(
        tmp_path_factory.mktemp("post"),
        {"post/counter.py": COUNTER, "post/van.py": VAN, "tests/test_counter.py": TESTS},
    )
    with CodeIndexer(root, workers=1) as opened:
        opened.index()
        yield opened


def focused(indexer: CodeIndexer, filters: Filters | None = None) -> list[RetrievedContext]:
    """Return what Focus makes of the search for QUESTION."""
    hits = [Fused(context.node_id, context.score, context.signals) for context in indexer.retrieve(QUESTION, limit=20)]
    focus = Focus(indexer.store, HybridSearcher(indexer.store, indexer.embedder()).vector_of, SIGNAL_NAMES)
    ranked = focus.ranked([(read_query(QUESTION), 1.0)], hits, filters or Filters())
    return CodeRetriever(indexer.store, None).contexts(ranked)


def compared(contexts: list[RetrievedContext]) -> list[RetrievedContext]:
    return [context for context in contexts if any(signal.signal == RESULT_TERM for signal in context.signals)]


@pytest.mark.slow
def test_the_function_that_does_it_is_first(indexer: CodeIndexer) -> None:
    assert compared(focused(indexer))[0].name == "weigh"


def test_each_score_is_the_sum_of_its_terms_and_none_exceeds_the_score_before(indexer: CodeIndexer) -> None:
    contexts = focused(indexer)
    assert len({context.node_id for context in contexts}) == len(contexts)
    for context in contexts:
        assert context.score == pytest.approx(sum(signal.contribution for signal in context.signals))
    scores = [context.score for context in contexts]
    assert scores == pytest.approx(sorted(scores, reverse=True))


def test_tests_are_compared_only_if_they_are_asked_for(indexer: CodeIndexer) -> None:
    test = "tests/test_counter.py"
    assert test not in {context.file_path for context in compared(focused(indexer))}
    assert {context.file_path for context in compared(focused(indexer, Filters(tests=True)))} == {test}


def test_what_had_to_be_compared_is_not_sure(indexer: CodeIndexer) -> None:
    assert is_sure(indexer.store, "Counter.weigh", indexer.retrieve("Counter.weigh"))
    assert not is_sure(indexer.store, QUESTION, focused(indexer))


def test_a_report_keeps_the_places_in_it_among_the_functions_to_change(indexer: CodeIndexer) -> None:
    names = [context.name for context in indexer.retrieve(REPORT, limit=20)]
    assert names[0] == "weigh"
    assert "open" in names
    assert "drive" in names


def test_a_trace_alone_is_still_its_places(indexer: CodeIndexer) -> None:
    trace = 'Traceback (most recent call last):\n  File "post/counter.py", line 12, in weigh\n    return 1\nTypeError: none\n'
    assert [context.name for context in indexer.retrieve(trace)] == ["weigh"]
