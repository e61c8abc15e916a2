"""Rank chunks with the help of their files: first choose the best files, then show the best chunks of each.

A user looks for a file first, and then for a chunk in it. So the hits in all chunks of a file add up, the name of the file
counts, and one file does not fill the list. Every score is a sum of named terms (boosts and penalties).
docs/explanation/ranking.md explains each term and how its weight was chosen.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.retrieval.asides import answering
from code_graph_indexer.retrieval.fuse import Fused, FusedScores, reciprocal_rank
from code_graph_indexer.retrieval.query import SHORT_STEM, Query, same_word
from code_graph_indexer.retrieval.results import SignalRank
from code_graph_indexer.storage import CHUNK_MARKS, ChunkFile, member_of
from code_graph_indexer.storage.arrays import distinct
from code_graph_indexer.words import split_identifier

FILE_WORDS = 1.25
"""Largest boost of a file for the hits by words in all its chunks together."""

WORD_HITS, EVIDENCE_K = 60, 60
"""Number of hits of the words signal that boost their file, and the constant k of their reciprocal ranks."""

STEM_BOOST = 1.8
"""Boost if every word of the file's name is a form of a query word. If the name is generic, its folder's name counts."""

PATH_BOOST = 4.0
"""Boost if all words of the query are in the path, in any form. A share of the words gets this share of the boost."""

FOLDER_BOOST = 1.3
"""Boost of files in a folder that the caller prefers."""

PENALTIES: Mapping[str, float] = {
    **{"test": -2.5, "example": -0.5, "generated": -1.0, "vendored": -1.0, "text": -3.0},
    "declaration": -1.0,
}
"""Penalties of what accompanies the code, and repeats its words, but is rarely asked for.

A declaration without body (a prototype, an abstract method) has one if another chunk has the body."""

DEPTH_PENALTY, MAX_DEPTH = -1.25, 2
"""Penalty per folder by which a file is deeper than the median hit, and the most folders that count: details lie deep."""

REPEAT_PENALTY = -5.0
"""Penalty of a chunk for each better chunk of the same file.

So one file does not fill the list, but a strong second chunk can still appear."""

READER_REPEAT_PENALTY = -3.0
"""The value of REPEAT_PENALTY for results that a language model reads to the end.

The code it needs is more often in the second or third chunk of the best file than in the eighth file."""

WORDS_IN_FILE = 0.6
"""Extra weight of the words signal when the best chunk of a file is chosen.

All chunks of a file have a similar meaning, so their words distinguish them better than vectors do."""

MODULE_MARK, MODULE_IN_FILE = CHUNK_MARKS.index("module"), -3.0
"""Penalty of the imports and constants of a file when its best chunk is chosen, unless the query has a name.

What imports name is done elsewhere in the file."""

CALLS_BOOST = 2.5
"""Boost of a definition that calls the best hit, for a question in everyday words: what is asked for is put together there."""

FILES_KEPT = 20_000
"""Number of paths whose words are cached between queries."""

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class PathName(NamedTuple):
    """The parts of a file's path that ranking uses.

    * `words`: the words of the path.
    * `stems`: the first SHORT_STEM letters of each word.
    * `name_words`: the words of the file's name up to the first dot. If all are generic (`index`, `main`), the next part of
      the name is taken, and at last the name of the folder.
    * `depth`: the number of folders in the path.
    """

    words: frozenset[str]
    stems: frozenset[str]
    name_words: tuple[str, ...]
    depth: int


class Term(NamedTuple):
    """A boost or penalty of files. `scores` has its raw value for each file, `added` what it adds to the chunks of the file."""

    name: str
    scores: Floats
    added: Floats


@lru_cache(maxsize=FILES_KEPT)
def _read_path(path: str) -> PathName:
    *parents, name = path.split("/")
    # `cart.test.ts` has the parts `cart` and `test`. The leading dot of `.bashrc` begins no extension.
    parts = name.rpartition(".")[0].split(".") if "." in name.lstrip(".") else [name]
    name_words = next(filter(None, map(_name_words, parts)), [])
    words = frozenset(split_identifier(path.replace("/", "_"))).union(name_words)
    return PathName(words, frozenset(word[:SHORT_STEM] for word in words), tuple(name_words), len(parents))


class Reranker:
    """A sorter of fused chunks by boosts and penalties. The `signals` of a result show each of them.

    `folder_boost` is added for a preferred folder. `repeat_penalty` is added for each better chunk of the same file. None
    means REPEAT_PENALTY.

    Example:
        >>> from code_graph_indexer import CodeRetriever
        >>> retriever = CodeRetriever(indexer.store, None, repeat_penalty=-1.0)
        >>> retriever.retrieve("add_tax", limit=1)[0].name
        'add_tax'
    """

    def __init__(self, folder_boost: float = FOLDER_BOOST, repeat_penalty: float | None = None) -> None:
        self._folder_boost = folder_boost
        self._repeat_penalty = REPEAT_PENALTY if repeat_penalty is None else repeat_penalty

    def rank(
        self,
        fused: FusedScores,
        places: NDArray[np.void],
        files: Mapping[int, ChunkFile],
        query: Query,
        *,
        folders: Sequence[str] = (),
        calls: Floats | None = None,
        limit: int,
    ) -> list[Fused]:
        """Return the best chunks, best first, at most `limit`. A score is the fused score plus the terms of the file.

        `places` has the CHUNK_TRAITS record (file id, size, mark) of each chunk, in the order of `fused`. `files` maps file
        ids to files. `calls` has, for each chunk, how much a chunk that it calls answers the query, from 0 to 1.
        """
        if not len(fused):
            return []
        # `of_file` maps a chunk to the position of its file, in `ranked_files` and in all arrays by file.
        numbers = distinct(places["file_id"])
        of_file = np.searchsorted(numbers, places["file_id"])
        ranked_files = [files[file_id] for file_id in numbers.tolist()]
        terms = self._terms_of(ranked_files, of_file, _evidence(fused, of_file), query, folders)
        marks = _marks_of(places["mark"], [ranked_files[signal] for signal in of_file.tolist()], query)
        lost = np.zeros(len(fused))
        lost[list(marks)] = [term.contribution for term in marks.values()]
        called = Term("calls", calls, CALLS_BOOST * calls) if calls is not None else None
        if called is not None:
            lost += called.added
        # From here on, `better`, `scores` and `totals` follow `order`, while `fused` and `of_file` do not.
        behind = np.where((places["mark"] == MODULE_MARK) & (not query.names), MODULE_IN_FILE, 0.0)
        order, better, scores = _in_files(fused, of_file, lost, behind)
        totals = (
            scores
            + self._repeat_penalty * better
            + np.sum([position.added for position in terms], axis=0)[of_file[order]]
        )
        # Only now, because what does not answer still shows which words and folders matter.
        totals[~answering(query, ranked_files)[of_file[order]]] = -np.inf
        ranked: list[Fused] = []
        # Arrays rank all chunks, and only those that are shown become records, which are slow to make.
        for at in np.lexsort((fused.ids[order], -totals))[: min(limit, int(np.isfinite(totals).sum()))].tolist():
            place, before = int(order[at]), int(better[at])
            number = of_file[place]
            # The best chunk of a file is scored by the signals of all its chunks, so it shows these.
            members = order[at : at + 1] if before else order[of_file[order] == number]
            signals = [*_best_parts(fused, members), *([marks[place]] if place in marks else [])]
            signals += _shown_terms(terms, number) + _shown_terms([called] if called else [], place)
            if before:
                signals.append(SignalRank("repeat", before, self._repeat_penalty, self._repeat_penalty * before))
            ranked.append(Fused(int(fused.ids[place]), float(totals[at]), tuple(signals)))
        return ranked

    def _terms_of(
        self,
        files: Sequence[ChunkFile],
        of_file: Places,
        evidence: Floats,
        query: Query,
        folders: Sequence[str],
    ) -> list[Term]:
        """Return all boosts and penalties (terms) of the files, with their values in the order of `files`.

        `of_file` has, for each chunk, the position of its file. `evidence` has the score of each file from `_evidence`.
        """
        nothing = np.zeros(len(files))
        names = [_read_path(file.path) for file in files]
        marks = [_marks(file, query) if file.marks else () for file in files]
        depths = np.array([name.depth for name in names])
        deeper = np.clip(depths - _usual_depths(files, depths, of_file), 0, MAX_DEPTH).astype(np.float64)
        preferred = np.array([_preferred(file, folders) for file in files] if folders else nothing, np.float64)
        stem, path = _named(names, marks, query)
        return [
            Term("file", evidence, evidence),
            Term("stem", stem, STEM_BOOST * stem),
            Term("path", path, PATH_BOOST * path),
            *(
                Term(mark, values, penalty * values)
                for mark, penalty in PENALTIES.items()
                if (values := np.array([mark in file_marks for file_marks in marks], np.float64)).any()
            ),
            Term("folder", preferred, self._folder_boost * preferred),
            # How deep a folder lies says nothing once it is asked for.
            Term("depth", deeper, DEPTH_PENALTY * deeper * (1 - preferred)),
        ]


def _usual_depths(files: Sequence[ChunkFile], depths: Places, of_file: Places) -> Places:
    """Return for each file the median depth of the hits in its repository. In a set, each repository has its own layout."""
    members = np.array([member_of(file.id) for file in files], np.int64)
    usual = np.zeros_like(depths)
    for member in distinct(members):
        inside = members == member
        # The median is that of the chunks: a file counts once for each of its hits.
        of_hits = np.sort(depths[of_file][inside[of_file]])
        usual[inside] = of_hits[len(of_hits) // 2]
    return usual


def _evidence(fused: FusedScores, of_file: Places) -> Floats:
    """Return the score of each file for the hits by words in all its chunks together, in the order of file positions.

    It is the sum of the reciprocal ranks of the file's chunks among the first WORD_HITS hits, divided by the largest such sum,
    times FILE_WORDS. `of_file` has, for each chunk, the position of its file.
    """
    files = int(of_file.max()) + 1
    if (words := fused.row("words")) is None:
        return np.zeros(files)
    ranks = fused.ranks[words]
    first = np.flatnonzero((ranks > 0) & (ranks <= WORD_HITS))
    by_words = np.bincount(of_file[first], reciprocal_rank(ranks[first], EVIDENCE_K), files)
    return FILE_WORDS * by_words / (by_words.max() or 1.0)


def _named(names: Sequence[PathName], marks: Sequence[Collection[str]], query: Query) -> tuple[Floats, Floats]:
    """Return two arrays with a number per file, which compare its name and its path with the words of the query.

    The first is 1 if every word of the file's name is a form of a query word, else 0. The second is the share of the query
    words that the path has. Both are 0 for a test, because its name repeats the name of the code.
    """
    words_by_stem: dict[str, list[str]] = defaultdict(list)
    for word in query.words:
        words_by_stem[word[:SHORT_STEM]].append(word)
    stems, forms = frozenset(words_by_stem), dict[str, frozenset[str]]()
    stem, path = np.zeros(len(names)), np.zeros(len(names))
    for place, name in enumerate(names):
        # Most paths share no first letters with the query, which is quicker to see than to compare their words.
        if name.stems.isdisjoint(stems) or "test" in marks[place]:
            continue
        # Paths repeat their words, so each word is compared with the query only once.
        for word in name.words - forms.keys():
            forms[word] = frozenset(
                query_word for query_word in words_by_stem.get(word[:SHORT_STEM], ()) if same_word(word, query_word)
            )
        path[place] = len(frozenset[str]().union(*(forms[word] for word in name.words))) / len(query.words)
        stem[place] = bool(name.name_words) and all(forms[word] for word in name.name_words)
    return stem, path


def _shown_terms(terms: Sequence[Term], file: int) -> list[SignalRank]:
    """List the boosts and penalties (terms) that are not 0 for a file. `file` is the position of the file."""
    return [
        SignalRank(term.name, 0, float(term.scores[file]), float(term.added[file]))
        for term in terms
        if term.added[file]
    ]


def _marks(file: ChunkFile, query: Query) -> list[str]:
    """List the marks of a file that have a penalty, such as `generated`. `test` is left out if the query is about tests."""
    return [mark for mark in file.marks if mark != "test" or not query.about_tests]


def _preferred(file: ChunkFile, folders: Sequence[str]) -> bool:
    return any(file.path.startswith(folder.strip("/") + "/") for folder in folders)


def _name_words(name: str) -> list[str]:
    return [word for word in split_identifier(name) if not word.isdigit()]


def _marks_of(marks: NDArray[np.int8], files: Sequence[ChunkFile], query: Query) -> dict[int, SignalRank]:
    """Map the positions of chunks to the penalties of their marks, such as `declaration`.

    `marks` has a position in CHUNK_MARKS for each chunk, `files` the file of each chunk, whose own marks do not count twice.
    """
    return {
        place: SignalRank(mark, 0, PENALTIES[mark], PENALTIES[mark])
        for place in np.flatnonzero(marks).tolist()
        if (mark := CHUNK_MARKS[marks[place]]) in PENALTIES
        and mark not in files[place].marks
        and not (mark == "test" and query.about_tests)
    }


def _in_files(fused: FusedScores, of_file: Places, lost: Floats, behind: Floats) -> tuple[Places, Places, Floats]:
    """Sort chunks by file, and within a file by score, best first.

    Returns three arrays in the new order: the old position of each chunk, the number of better chunks in its file, and its
    score. The best chunk of a file gets, for each signal, the largest share that any chunk of the file has.

    `lost` has the penalties and boosts of each chunk, `of_file` the position of its file. `behind` has the penalty that counts
    only among the chunks of the same file.
    """
    scores = fused.shares.sum(axis=0) + lost
    words = fused.row("words")
    merits = behind + (scores if words is None else scores + WORDS_IN_FILE * fused.shares[words])
    order = np.lexsort((fused.ids, -merits, of_file))
    starts = np.searchsorted(of_file[order], np.arange(int(of_file.max()) + 1))
    better = np.arange(len(order)) - starts[of_file[order]]
    merged = scores[order]
    # A cosine may be negative. The 0 of a signal that has not found the chunk must not win over it.
    most = np.maximum.reduceat(np.where(fused.ranks > 0, fused.shares, -np.inf)[:, order], starts, axis=1)
    merged[starts] = np.where(np.isfinite(most), most, 0).sum(axis=0) + lost[order[starts]]
    return order, better, merged


def _best_parts(fused: FusedScores, places: Places) -> list[SignalRank]:
    """Return, for each signal, its largest share among some chunks, with the rank and score there.

    `places` are the positions of the chunks. Signals that found none of the chunks are left out.
    """
    shares = np.where(fused.ranks[:, places] > 0, fused.shares[:, places], -np.inf)
    best = places[shares.argmax(axis=1)].tolist()
    # argmax also answers for a signal that found none of these chunks. Its rank is 0.
    return [fused.part(row, place) for row, place in enumerate(best) if fused.ranks[row, place]]
