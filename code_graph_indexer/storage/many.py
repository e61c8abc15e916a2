"""Several opened indexes, read as one: the first folder of a path names the repository.

An id holds the number of its repository in the bits above the id in the repository's own index. Nothing is written.

Most questions are a row of a table, `ManyStore`: how an entry of a member's answer reads in the set, and how the entries of all
members become one answer. How the arguments are split over the members follows from their names, in `SPLITS`.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import IndexFormatError, UsageError
from code_graph_indexer.results import Filters, OpenSite, PackageUse
from code_graph_indexer.storage.globs import rests
from code_graph_indexer.storage.identity import LOCAL_MASK, global_id, local_id, member_of
from code_graph_indexer.storage.records import (
    StoredChunk,
    Sums,
    WordCounts,
    by_size,
    caller_order,
    package_order,
    use_order,
)
from code_graph_indexer.storage.store import Store

# Late, because questions to the graph do without NumPy and start in half the time.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage import arrays
    from code_graph_indexer.storage.arrays import Hits, Ids
else:
    np = late_module("numpy")
    arrays = late_module("code_graph_indexer.storage.arrays")


class Member:
    """An index of a set, with its name, and its number in ids. It turns what the index answers into what the set answers."""

    def __init__(self, number: int, name: str, store: Store) -> None:
        self.number = number
        self.name = name
        self.store = store
        # The paths of a repository without a name are its own.
        self.start = name and f"{name}/"

    def id(self, local: int | None) -> int | None:
        """Return the id in the set. A chunk without a parent, or a reference without a target, has none."""
        return None if local is None else global_id(self.number, local)

    def ids(self, local_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the ids in the set."""
        return tuple(global_id(self.number, local) for local in local_ids)

    def path(self, path: str) -> str:
        """Return the path in the set."""
        return f"{self.start}{path}"

    def repository(self, recorded: str) -> str:
        """Return the name of the repository in the set, whatever its index calls it."""
        return self.name

    def record(self, record: Any) -> Any:
        """Return a record in the set: with its ids, paths and repository, in whichever fields they are."""
        changes = {field: convert(self, getattr(record, field)) for field, convert in _changes(record.__class__)}
        return record._replace(**changes) if hasattr(record, "_replace") else dataclasses.replace(record, **changes)

    def records(self, records: Iterable[Any]) -> list[Any]:
        """Return records in the set."""
        return [self.record(record) for record in records]

    def hits(self, hits: Hits) -> Hits:
        """Return a ranked list in the set."""
        return type(hits)(hits.ids | global_id(self.number, 0), hits.scores)

    def same(self, entry: Any) -> Any:
        """Return what is the same in the set."""
        return entry

    def problem(self, problem: str) -> str:
        """Return a sentence about the index as one about the set."""
        return f"{self.name}: {problem}"

    def local_chunk(self, chunk: StoredChunk) -> StoredChunk:
        """Return a chunk of the set as the index has it, so far as its text is asked for."""
        path = chunk.path.removeprefix(self.start)
        return chunk._replace(id=local_id(chunk.id), file_id=local_id(chunk.file_id), path=path)

    def filters(self, filters: Filters) -> Filters | None:
        """Return what filters of the set are inside the index, or None if they allow none of its chunks."""
        if filters.repo_ids is not None and self.name not in filters.repo_ids:
            return None
        directory = self._directory(filters.directory)
        patterns = self._patterns(filters.file_patterns)
        if directory is None or (filters.file_patterns and not patterns):
            return None
        excluded = self._excluded(filters.excluded) if filters.excluded is not None else None
        if excluded is not None and "*" in excluded.file_patterns:
            return None
        # A pattern that allows all paths is no restriction, and costs nothing then.
        patterns = () if "*" in patterns else patterns
        return dataclasses.replace(
            filters, repo_id=None, directory=directory or None, file_patterns=patterns, excluded=excluded
        )

    def _excluded(self, filters: Filters) -> Filters:
        """Return what excluding filters are inside the index. The pattern `*` excludes all of it.

        A chunk is excluded by any field, where a chunk is allowed by all fields together.
        """
        directory = self._directory(filters.directory)
        patterns = self._patterns(filters.file_patterns)
        is_whole = (filters.repo_ids is not None and self.name in filters.repo_ids) or (
            filters.directory is not None and directory == "" and filters.directory.strip("/") not in ("", ".")
        )
        patterns = ("*",) if is_whole else patterns
        return dataclasses.replace(filters, repo_id=None, directory=directory or None, file_patterns=patterns)

    def _patterns(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return patterns of paths in the set as patterns inside the index. One that fits none of its paths is left out."""
        return tuple(dict.fromkeys(rest for pattern in patterns for rest in rests(pattern, self.start)))

    def _directory(self, directory: str | None) -> str | None:
        """Return a folder of the set as a folder of the index: empty for all of the index, None for none of it."""
        folder = (directory or "").strip("/").removeprefix("./")
        if folder in ("", ".") or self.start.startswith(f"{folder}/"):
            return ""
        return folder.removeprefix(self.start) if folder.startswith(self.start) else None


Convert = Callable[[Member, Any], Any]
"""How an entry of a member's answer reads in the set."""

Merge = Callable[[Iterable[Any], Mapping[str, Any]], Any]
"""How the entries of all members, in the order of the members, become one answer. It also gets the arguments."""

FIELDS: dict[str, Convert] = {
    **dict.fromkeys(("id", "file_id", "parent_id", "chunk_id", "member_id", "of", "source_id", "target_id"), Member.id),
    **dict.fromkeys(("path", "file_path", "source", "target"), Member.path),
    "candidates": Member.ids,
    "repo_id": Member.repository,
    "symbol": Member.record,
}
"""The fields of records that read otherwise in a set, by their names."""


@cache
def _changes(record_type: type[Any]) -> list[tuple[str, Convert]]:
    """List the fields of a type of records that read otherwise in a set, each with how it reads."""
    names = getattr(record_type, "_fields", None) or [field.name for field in dataclasses.fields(record_type)]
    return [(name, FIELDS[name]) for name in names if name in FIELDS]


def _pair(first: Convert, second: Convert) -> Convert:
    """Return how a pair, such as a key and a value, reads in the set."""
    return lambda member, pair: (first(member, pair[0]), second(member, pair[1]))


def _into(collect: Callable[[Iterable[Any]], Any]) -> Merge:
    """Return the merge that makes one collection, number or truth of all entries."""
    return lambda entries, arguments: collect(entries)


def _by(key: Callable[[Any], Any]) -> Merge:
    """Return the merge that sorts all entries."""
    return lambda entries, arguments: sorted(entries, key=key)


def _in_order(entries: Iterable[StoredChunk], arguments: Mapping[str, Any]) -> list[StoredChunk]:
    """Return chunks in the order of the ids that were asked for. Unknown ids are left out."""
    chunks = {chunk.id: chunk for chunk in entries}
    return [chunks[chunk_id] for chunk_id in arguments["chunk_ids"] if chunk_id in chunks]


def _totals(entries: Iterable[tuple[str, Mapping[str, int]]]) -> dict[str, dict[str, int]]:
    """Add up the counts of all members by both names. Within the first name, the largest comes first."""
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for name, counts in entries:
        totals[name].update(counts)
    return {name: by_size(counter) for name, counter in totals.items()}


def _sum_by_name(entries: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for name, count in entries:
        sums[name] += count
    return dict(sums)


def _word_counts(entries: Iterable[WordCounts]) -> WordCounts:
    counts = list(entries)
    having = _sum_by_name(chain.from_iterable(count.having.items() for count in counts))
    return WordCounts(sum(count.chunks for count in counts), having)


def _best(entries: Iterable[Hits], arguments: Mapping[str, Any]) -> Hits:
    """Return one ranked list of several with scores that compare, ties by id, cut at the `limit` if there is one."""
    lists = list(entries)
    ids = np.concatenate([arrays.NO_IDS, *(hits.ids for hits in lists)])
    scores = np.concatenate([np.zeros(0), *(hits.scores for hits in lists)])
    order = np.lexsort((ids, -scores))
    return arrays.Hits(ids[order], scores[order])[: arguments.get("limit")]


@contextmanager
def _entered(blocks: Iterable[AbstractContextManager[None]]) -> Iterator[None]:
    """Enter blocks, and leave them in the end."""
    with ExitStack() as stack:
        for block in blocks:
            stack.enter_context(block)
        yield


def _packages(entries: Iterable[PackageUse]) -> list[PackageUse]:
    """Add up the uses of each package, the most used first. Several versions count as one package of the latest text."""
    packages: dict[tuple[str, str], PackageUse] = {}
    for use in entries:
        earlier = packages.get(use.key, PackageUse(*use.key, "", 0))
        packages[use.key] = PackageUse(*use.key, max(use.version, earlier.version), use.uses + earlier.uses)
    return sorted(packages.values(), key=package_order)


LIST, DICT, SET, SUM, ANY = _into(list), _into(dict), _into(set), _into(sum), _into(any)
NAMES = _into(lambda entries: sorted(set(entries)))


class _Question:
    """A question to a set that is answered by asking its members. As an attribute of a store, it is a method."""

    def __init__(self, convert: Convert, merge: Merge, *, of_vectors: bool = False) -> None:
        self._convert = convert
        self._merge = merge
        self._of_vectors = of_vectors

    def __set_name__(self, owner: type, name: str) -> None:
        code = getattr(Store, name).__code__
        self._name = name
        self._parameters = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]

    def __get__(self, store: ManyStore, owner: type) -> Callable[..., Any]:
        def ask(*values: Any, **named: Any) -> Any:
            arguments = dict(zip(self._parameters, values, strict=False)) | named
            return self._merge(self._entries(store, arguments), arguments)

        return ask

    def _entries(self, store: ManyStore, arguments: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the entries of the members' answers as they read in the set."""
        members = store.embedded() if self._of_vectors else store.members
        for member, local_arguments in store.split(members, arguments):
            for entry in _entries_of(getattr(member.store, self._name)(**local_arguments)):
                yield self._convert(member, entry)


def _entries_of(answer: Any) -> Iterable[Any]:
    """Return the entries of a collection. Any other answer is one entry."""
    if isinstance(answer, Mapping):
        return answer.items()
    return answer if isinstance(answer, list | set | Iterator) else (answer,)


class ManyStore:
    """Several opened indexes as one store. `stores` maps the name of each repository to its index.

    One may have an empty name: its paths are as in its own index. The order of the mapping does not matter. Raises UsageError
    if a name is a folder of another name, because then a path would lie in two repositories.
    """

    def __init__(self, stores: Mapping[str, Store]) -> None:
        # With the slash, the paths of a member all come before those of the next.
        names = sorted(stores, key=lambda name: f"{name}/")
        for name, longer in pairwise(names):
            if longer.startswith(f"{name}/"):
                raise UsageError(
                    f"the repository {longer!r} has a name below {name!r}; index it under another: --repo-id NAME"
                )
        self.members = tuple(Member(number, name, stores[name]) for number, name in enumerate(names))
        self._by_name = {member.name: member for member in self.members}

    # The table: how an entry reads in the set, and how all entries become one answer.

    reading = _Question(Member.same, _into(_entered))
    changing = _Question(Member.same, _into(_entered))
    size = _Question(Member.same, SUM)
    sums = _Question(Member.same, _into(lambda entries: Sums(*map(sum, zip(*entries, strict=True)))))
    counts = _Question(Member.same, _into(_totals))
    contents = _Question(_pair(Member.path, Member.same), LIST)
    check = _Question(Member.problem, LIST)
    chunk_hashes = _Question(_pair(Member.same, Member.id), DICT)
    vectors_of = _Question(_pair(Member.id, Member.same), DICT, of_vectors=True)

    files = _Question(Member.record, LIST)
    file_text = _Question(Member.same, _into(lambda entries: next(iter(entries), None)))
    texts = _Question(Member.same, _into(iter))
    chunks = _Question(Member.record, _in_order)
    descriptions = _Question(_pair(Member.id, Member.same), DICT)
    undescribed = _Question(_pair(Member.id, Member.same), LIST)
    ancestors_of = _Question(Member.record, LIST)
    file_chunks = _Question(Member.record, LIST)
    file_docs = _Question(_pair(Member.path, Member.same), DICT)
    top_names = _Question(_pair(Member.path, Member.same), DICT)
    file_states = _Question(_pair(Member.path, Member.same), DICT)
    files_by_id = _Question(_pair(Member.id, Member.record), DICT)
    files_of = _Question(_pair(Member.id, Member.record), DICT)
    imports_of = _Question(_pair(Member.id, Member.same), DICT)
    changed_together = _Question(_pair(Member.path, Member.same), _by(lambda partner: (-partner[1], partner[0])))

    word_counts = _Question(Member.same, _into(_word_counts))
    has_words = _Question(Member.same, ANY)
    described = _Question(Member.hits, _best)
    substrings = _Question(Member.hits, _best)
    nearest = _Question(Member.hits, _best, of_vectors=True)
    similar = _Question(Member.hits, _best, of_vectors=True)
    allowed = _Question(Member.id, SET)
    chunk_marks = _Question(_pair(Member.id, Member.same), DICT)

    symbols = _Question(Member.record, LIST)
    symbol_names = _Question(Member.same, NAMES)
    made_symbols = _Question(Member.record, LIST)
    nodes = _Question(_pair(Member.id, Member.record), DICT)
    uses = _Question(Member.record, _by(use_order))
    callers = _Question(Member.record, _by(caller_order))
    callees = _Question(Member.record, LIST)
    callers_of = _Question(Member.record, LIST)
    callees_of = _Question(Member.record, LIST)
    edges = _Question(Member.record, LIST)
    all_edges = _Question(Member.record, LIST)
    registrations = _Question(Member.record, LIST)
    classes_around = _Question(_pair(Member.id, Member.id), DICT)
    parents = _Question(_pair(Member.id, Member.id), DICT)
    has_kind = _Question(Member.same, ANY)
    unread_files = _Question(Member.record, LIST)
    marked_files = _Question(Member.path, SET)
    open_names = _Question(Member.same, NAMES)
    externals = _Question(Member.record, LIST)
    external_uses = _Question(Member.record, LIST)
    packages = _Question(Member.same, _into(_packages))
    open_sources = _Question(Member.id, SET)
    open_call_names = _Question(Member.same, _into(_sum_by_name))
    open_edges = _Question(Member.record, LIST)
    open_calls_in = _Question(Member.same, SUM)
    overloads = _Question(_pair(Member.id, Member.records), DICT)
    tied_sites = _Question(Member.record, LIST)
    outside_names = _Question(_pair(Member.path, Member.same), DICT)
    open_imports = _Question(_pair(Member.path, Member.same), NAMES)
    file_edges = _Question(_pair(Member.path, Member.same), LIST)
    links = _Question(Member.record, _by(lambda row: (row.source, row.target)))
    file_symbols = _Question(Member.record, LIST)
    file_definitions = _Question(Member.record, LIST)
    file_references = _Question(Member.record, LIST)
    reference_fates = _Question(Member.record, LIST)
    imported_definitions = _Question(Member.record, LIST)

    # How arguments are split over the members. A member that is not in the part of each of them is not asked.

    def split(
        self, members: Iterable[Member], arguments: Mapping[str, Any]
    ) -> Iterator[tuple[Member, Mapping[str, Any]]]:
        """Yield the members that arguments concern, in order, and for each what the arguments are in its own index."""
        parts = {
            name: SPLITS[name](self, value) for name, value in arguments.items() if name in SPLITS and value is not None
        }
        for member in members:
            if all(member in part for part in parts.values()):
                yield member, {**arguments, **{name: part[member] for name, part in parts.items()}}

    def of_ids(self, ids: Any) -> dict[Member, Any]:
        """Map members to those ids of a list or an array that are their own, as the member has them, in the same order."""
        if hasattr(ids, "dtype"):
            return {member: local_ids for member, _, local_ids in self._masked(ids)}
        parts: dict[int, list[int]] = defaultdict(list)
        for chunk_or_file_id in ids:
            parts[member_of(chunk_or_file_id)].append(local_id(chunk_or_file_id))
        return {self.members[number]: part for number, part in parts.items() if 0 <= number < len(self.members)}

    def of_id(self, chunk_or_file_id: int) -> dict[Member, int]:
        """Map the member of an id to the id as the member has it."""
        return {member: local_ids[0] for member, local_ids in self.of_ids([chunk_or_file_id]).items()}

    def of_path(self, path: str) -> dict[Member, str]:
        """Map the member of a path to the path inside it."""
        return {member: paths[0] for member, paths in self.of_paths([path]).items()}

    def of_paths(self, paths: Iterable[str]) -> dict[Member, list[str]]:
        """Map members to the paths inside them, in the same order."""
        parts: dict[Member, list[str]] = defaultdict(list)
        for path in paths:
            end = path.find("/")
            while end >= 0 and path[:end] not in self._by_name:
                end = path.find("/", end + 1)
            if end >= 0:
                parts[self._by_name[path[:end]]].append(path[end + 1 :])
            elif (unnamed := self._by_name.get("")) is not None:
                parts[unnamed].append(path)
        return parts

    def of_filters(self, filters: Filters) -> dict[Member, Filters]:
        """Map the members that filters allow to what the filters are inside them."""
        parts = ((member, member.filters(filters)) for member in self.members)
        return {member: local for member, local in parts if local is not None}

    def _masked(self, ids: Ids) -> Iterator[tuple[Member, NDArray[np.bool_], Ids]]:
        """Yield each member with a mask of its ids in an array, and these ids as the member has them."""
        numbers = ids >> 32
        for member in self.members:
            mask = numbers == member.number
            if mask.any():
                yield member, mask, ids[mask] & LOCAL_MASK

    # What is no question, or is answered in a way of its own.

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change with every change of a member."""
        return tuple(chain.from_iterable(member.store.stamp for member in self.members))

    def refresh(self) -> None:
        """Reload each member if it was replaced or updated."""
        for member in self.members:
            member.store.refresh()

    def close(self) -> None:
        """Close all members."""
        for member in self.members:
            member.store.close()

    def meta(self) -> Mapping[str, str]:
        """Return the facts in which all members agree, and the embedder of the most members with its dimensions."""
        metas = [member.store.meta() for member in self.members]
        shared = {key: value for key, value in metas[0].items() if all(meta.get(key) == value for meta in metas)}
        embedders = Counter((meta.get("embedder", ""), meta.get("dimensions", "0")) for meta in metas)
        # Any vectors are better than none, so an index without them decides nothing.
        (embedder, dimensions), _ = max(embedders.items(), key=lambda item: (item[0][0] != "", item[1], item[0]))
        return {"repo_id": "", **shared, "embedder": embedder, "dimensions": dimensions}

    def embedded(self) -> list[Member]:
        """List the members whose vectors are of the set's embedder. Vectors of two embedders do not compare."""
        meta = self.meta()
        keys = ("embedder", "dimensions")
        return [member for member in self.members if all(member.store.meta().get(key) == meta[key] for key in keys)]

    def repositories(self) -> list[str]:
        """List the names of the repositories, sorted."""
        return sorted(self._by_name)

    def damaged(self, reason: object) -> IndexFormatError:
        """Return the error for something that no index holds."""
        return IndexFormatError(
            f"an index is damaged or forged: {reason}; build that one anew: cgi index --full FOLDER"
        )

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the text of each chunk, in the order of the chunks."""
        chunk_of = {chunk.id: chunk for chunk in chunks}
        texts: dict[int, str] = {}
        for member, local_ids in self.of_ids(chunk_of).items():
            chunk_ids = member.ids(local_ids)
            local_chunks = [member.local_chunk(chunk_of[chunk_id]) for chunk_id in chunk_ids]
            texts.update(zip(chunk_ids, member.store.chunk_texts(local_chunks), strict=True))
        return [texts[chunk.id] for chunk in chunks]

    def words(
        self,
        terms: Sequence[str],
        filters: Filters,
        limit: int,
        also: Ids | None = None,
        counts: WordCounts | None = None,
    ) -> Hits:
        """Rank the chunks that contain any of the terms, by BM25 or a similar formula, ties by id.

        A term weighs the same in all members: by how rare it is in the set, not in the member.
        """
        also = arrays.NO_IDS if also is None else also
        if counts is None and len(self.members) > 1:
            counts = self.word_counts(terms)
        parts = self.of_ids(also)
        hits = [
            member.hits(member.store.words(terms, local, limit, parts.get(member), counts))
            for member, local in self.of_filters(filters).items()
        ]
        ranked = _best(hits, {})
        required = arrays.are_in(ranked.ids, also)
        required[:limit] = True
        return type(ranked)(ranked.ids[required], ranked.scores[required])

    def files_holding(self, text: str) -> set[int] | None:
        """Return the ids of the files whose text may contain a text in any case, or None if its words have no three letters."""
        parts = [(member, member.store.files_holding(text)) for member in self.members]
        ids = [member.ids(list(part)) for member, part in parts if part is not None]
        return {*chain.from_iterable(ids)} if len(ids) == len(parts) else None

    def beside(self, search: Callable[[], Hits]) -> Callable[[], Hits]:
        """Return the search itself, which has not begun."""
        return search

    def traits_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return one row of CHUNK_TRAITS for each chunk id, in the order of the ids. An unknown id gets zeros."""
        traits = np.zeros(len(chunk_ids), arrays.CHUNK_TRAITS)
        for member, mask, local_ids in self._masked(chunk_ids):
            rows = member.store.traits_of(local_ids)
            present = rows["id"] > 0
            for key in ("id", "file_id"):
                rows[key][present] |= global_id(member.number, 0)
            traits[mask] = rows
        return traits

    def graph_arrays(self, *, load: bool = False) -> None:
        """Return None, because the graph of many repositories does not fit in memory."""

    def has_folder(self, folder: str) -> bool:
        """Return whether the set has a file in a folder or below it. The folder has no slash at its end."""
        return any(member.start.startswith(f"{folder}/") for member in self.members) or any(
            member.store.has_folder(local) for member, local in self.of_path(folder).items()
        )

    def open_sites(self, names: Sequence[str], chunk_ids: Sequence[int], *, outside: bool = False) -> list[OpenSite]:
        """List calls of these names that have no target and may call one of these chunks, by path, line and column.

        Only the repositories of the chunks are read: another repository knows nothing of them. Without chunks, all are read.
        """
        parts = self.of_ids(chunk_ids)
        return [
            member.record(site)
            for member in self.members
            if member in parts or not chunk_ids
            for site in member.store.open_sites(names, parts.get(member, []), outside=outside)
        ]


SPLITS: dict[str, Callable[[ManyStore, Any], Mapping[Member, Any]]] = {
    "chunk_ids": ManyStore.of_ids,
    "file_ids": ManyStore.of_ids,
    "chunk_id": ManyStore.of_id,
    "file_id": ManyStore.of_id,
    "path": ManyStore.of_path,
    "paths": ManyStore.of_paths,
    "filters": ManyStore.of_filters,
}
"""How an argument is split over the members, by its name. Any other argument is the same in all members."""
