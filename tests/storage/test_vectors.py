"""Vectors in memory: exact when they are few, nearly so by a shortlist when they are many."""

import numpy as np
import pytest
from numpy.typing import NDArray

from code_graph_indexer.storage.allowed import AllowedChunks
from code_graph_indexer.storage.vectors import SHORTLIST, VectorTable, quantise, rotated, sign_rows, step_rows, unpacked

pytestmark = pytest.mark.slow

COUNT, DIMENSIONS = 20_000, 256


@pytest.fixture(scope="module")
def texts() -> NDArray[np.float32]:
    """Make vectors like those of texts: most of their length lies in few directions."""
    rng = np.random.default_rng(3)
    spread = np.linspace(3, 0.1, DIMENSIONS) ** 2
    turned, _ = np.linalg.qr(rng.standard_normal((DIMENSIONS, DIMENSIONS)))
    rows: NDArray[np.float32] = ((rng.standard_normal((COUNT, DIMENSIONS)) * spread) @ turned).astype(np.float32)
    return rows


@pytest.fixture(scope="module")
def packed(texts: NDArray[np.float32]) -> NDArray[np.int8]:
    return quantise(texts)


@pytest.fixture(scope="module")
def tables(packed: NDArray[np.int8]) -> tuple[VectorTable, ...]:
    """Return a table that compares all vectors, one that compares a shortlist, and one that estimates first."""
    ids = np.arange(COUNT, dtype=np.int64) * 3 + 1
    far = VectorTable(ids, packed.__getitem__, sign_rows(packed), shortlist=1_500, estimated=8_000)
    return VectorTable.of(ids, packed, shortlist=COUNT), VectorTable.of(ids, packed), far


def queries(texts: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    rng = np.random.default_rng(5)
    rows = texts[::1_000] + 4 * rng.standard_normal((COUNT // 1_000, DIMENSIONS))
    return [(row / np.linalg.norm(row)).astype(np.float32) for row in rows]


@pytest.mark.parametrize("which", [1, 2])
def test_a_shortlist_finds_nearly_all_that_every_vector_finds(
    tables: tuple[VectorTable, ...], texts: NDArray[np.float32], which: int
) -> None:
    exact, short = tables[0], tables[which]
    expected_count = kept_count = 0
    for query in queries(texts):
        expected = {hit.chunk_id for hit in exact.nearest(query, 50)}
        hits = short.nearest(query, 50)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        expected_count += len(expected)
        kept_count += len(expected & {hit.chunk_id for hit in hits})
    assert kept_count / expected_count >= 0.99


@pytest.mark.parametrize("which", [0, 1, 2])
def test_what_is_not_allowed_is_not_found(
    tables: tuple[VectorTable, ...], texts: NDArray[np.float32], which: int
) -> None:
    table = tables[which]
    for query in queries(texts)[:3]:
        whole = [hit.chunk_id for hit in table.nearest(query, 1_000)]
        allowed = AllowedChunks([(chunk_id, chunk_id) for chunk_id in whole[1::2]])
        assert [hit.chunk_id for hit in table.nearest(query, 10, allowed=allowed)] == whole[1:20:2]


@pytest.mark.parametrize("which", [0, 1])
def test_chunks_that_are_asked_for_are_ranked_as_among_all(
    tables: tuple[VectorTable, ...], texts: NDArray[np.float32], which: int
) -> None:
    table = tables[which]
    for query in queries(texts)[:3]:
        whole = table.nearest(query, SHORTLIST)
        expected = whole[1:200:20]
        hits = table.similar(query, np.sort(np.append(expected.ids, [2, 10**9])))
        assert [hit.chunk_id for hit in hits] == [hit.chunk_id for hit in expected]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected], abs=1e-5)


@pytest.mark.parametrize("limit", [0, 1, 7, 8, 100, COUNT - 1, COUNT, COUNT + 1])
def test_a_list_of_any_length_begins_the_whole_one(
    tables: tuple[VectorTable, ...], texts: NDArray[np.float32], packed: NDArray[np.int8], limit: int
) -> None:
    exact = tables[0]
    query = queries(texts)[0]
    hits = exact.nearest(query, limit)
    assert hits == exact.nearest(query, COUNT)[:limit]
    assert len(hits) == min(limit, int((_scores(packed, query) > 0).sum()))


def _scores(packed: NDArray[np.int8], query: NDArray[np.float32]) -> NDArray[np.float32]:
    scores: NDArray[np.float32] = packed.astype(np.float32) @ rotated(query)
    return scores


def test_no_vectors_find_nothing() -> None:
    empty = VectorTable.of(np.zeros(0, np.int64), np.zeros((0, 1), np.int8))
    assert empty.nearest(np.ones(1, np.float32), 5) == []
    assert empty.similar(np.ones(1, np.float32), np.array([1])) == []


@pytest.mark.parametrize("dimensions", [1, 2, 7, 96, 256, 384])
def test_a_stored_vector_has_nearly_the_direction_of_its_own(dimensions: int) -> None:
    vectors = np.random.default_rng(2).standard_normal((50, dimensions)).astype(np.float32)
    # Rotating changes no angle.
    assert rotated(vectors) @ rotated(vectors).T == pytest.approx(vectors @ vectors.T, abs=1e-3)
    packed = quantise(vectors)
    assert (unpacked(sign_rows(packed), step_rows(packed), dimensions) == packed).all()
    if dimensions >= 96:
        lengths = np.linalg.norm(packed, axis=1) * np.linalg.norm(vectors, axis=1)
        assert (np.vecdot(packed.astype(np.float32), rotated(vectors)) / lengths).min() > 0.99


def test_each_vector_has_a_sign_so_that_it_is_seen_to_be_there() -> None:
    vectors = np.array([[-1, -1, -1, -1], [0, 0, 0, 0], [1, 2, 3, 4]], np.float32)
    assert sign_rows(quantise(vectors)).any(axis=1).all()


@pytest.mark.parametrize("dimensions", [1, 96, 256, 512, 513, 1024])
def test_the_signs_of_the_rotation_are_those_that_numpy_draws(dimensions: int) -> None:
    drawn = np.random.default_rng(0).choice(np.array([-1, 1], np.int8), dimensions)
    units = rotated(np.eye(dimensions, dtype=np.float32))
    # The first component that a component is mixed into is a sum.
    assert np.array_equal([row[row != 0][0] > 0 for row in units], drawn > 0)
