"""What the resolver forgets to save memory changes no answer."""

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from code_graph_indexer.indexing import index_repository
from code_graph_indexer.indexing.memory import LEAST_LINK_MIB, PROCESS_MIB, link_memory, worker_count
from code_graph_indexer.resolve import World
from code_graph_indexer.resolve.file_view import FileView
from code_graph_indexer.resolve.notes import Note
from tests.indexing.repository import settings_of

SHOP = Path(__file__).parents[2] / "fixtures" / "shop"


@pytest.mark.slow
def test_an_index_has_the_same_bytes_however_often_answers_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_of(embedder="hashing")
    index_repository(SHOP, tmp_path / "a.db", settings, full=True)
    ages: list[int] = []

    def settle(world: World) -> None:
        ages.append(world.weight)
        world._age()

    monkeypatch.setattr(World, "settle", settle)
    index_repository(SHOP, tmp_path / "b.db", settings, full=True)
    assert len(ages) > 5
    assert sum(ages) > 100_000
    assert (tmp_path / "a.db").read_bytes() == (tmp_path / "b.db").read_bytes()


@pytest.mark.slow
def test_forgotten_answers_are_freed_without_a_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def notes(settle: Callable[[World], None]) -> int:
        """Return how many answers are in memory when the last file is linked."""
        counts: list[int] = []

        def settle_and_count(world: World) -> None:
            settle(world)
            counts.append(sum(type(part) is Note for part in gc.get_objects()))

        gc.collect()
        monkeypatch.setattr(World, "settle", settle_and_count)
        index_repository(SHOP, tmp_path / "index.db", settings_of(embedder="hashing"), full=True)
        return counts[-1] - counts[0]

    assert notes(World._age) < 0.5 * notes(lambda world: None)


@pytest.mark.slow
def test_a_linked_file_is_let_go_without_a_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    settle = World.settle

    def settle_and_count(world: World) -> None:
        settle(world)
        counts.append(sum(type(part) is FileView for part in gc.get_objects()))

    monkeypatch.setattr(World, "settle", settle_and_count)
    gc.collect()
    gc.disable()
    try:
        index_repository(SHOP, tmp_path / "index.db", settings_of(embedder="hashing"), full=True)
    finally:
        gc.enable()
    assert len(counts) > 5
    assert max(counts) <= counts[0] + 1


def test_an_answer_weighs_what_it_lists() -> None:
    notes = [Note(), Note(range(1000)), Note()]
    notes[2].value = dict.fromkeys(range(1000))
    for note in notes:
        note.close()
    assert notes[1].size >= notes[0].size + 4000
    assert notes[2].size >= notes[0].size + 16_000


def test_more_processes_share_the_same_memory() -> None:
    memory = 8_000
    alone, two, many = (link_memory(settings_of(memory=memory, workers=count)) >> 20 for count in (1, 2, 200))
    # The main process has grown by other tests.
    assert memory / 2 < alone <= memory - 3 * PROCESS_MIB
    assert abs(alone + PROCESS_MIB - 2 * (two + PROCESS_MIB)) < 2 * PROCESS_MIB
    assert many == LEAST_LINK_MIB
    assert 1 <= worker_count(settings_of(memory=1_000, workers=0)) < 1_000 // PROCESS_MIB
    assert worker_count(settings_of(memory=1, workers=0)) == 1
