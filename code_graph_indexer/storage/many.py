"""Several opened indexes, read as one: the first folder of a path names the repository.

An id holds the number of its repository in the bits above the id in the repository's own index. Nothing is written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from code_graph_indexer.errors import IndexFormatError, UsageError
from code_graph_indexer.results import Filters, Neighbour, OpenSite, Symbol
from code_graph_indexer.storage.globs import rests
from code_graph_indexer.storage.identity import LOCAL_MASK, global_id, local_id, member_of
from code_graph_indexer.storage.records import (
    ChunkFile,
    Edge,
    FileRow,
    LinkedRegistration,
    LinkRow,
    ResolvedReference,
    StoredChunk,
    StoredDefinition,
    Sums,
    WordCounts,
    by_size,
    caller_order,
)

# As in the back-ends: questions to the graph do without NumPy and start in half the time.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage.arrays import Hits, Ids
    from code_graph_indexer.storage.base import Store

R = TypeVar("R")


class Member:
    """An index of a set, with its name, and its number in ids. It turns the records of the index into those of the set."""

    def __init__(self, number: int, name: str, store: Store) -> None:
        self.number = number
        self.name = name
        self.store = store

    def id(self, local: int) -> int:
        """Return the id in the set."""
        return global_id(self.number, local)

    def path(self, path: str) -> str:
        """Return the path in the set."""
        return f"{self.name}/{path}"

    def row(self, row: FileRow) -> FileRow:
        """Return a file's row in the set."""
        return row._replace(id=self.id(row.id), path=self.path(row.path))

    def file(self, file: ChunkFile) -> ChunkFile:
        """Return the file of a chunk in the set."""
        return file._replace(id=self.id(file.id), path=self.path(file.path))

    def chunk(self, chunk: StoredChunk) -> StoredChunk:
        """Return a chunk in the set."""
        parent_id = None if chunk.parent_id is None else self.id(chunk.parent_id)
        return chunk._replace(
            id=self.id(chunk.id),
            file_id=self.id(chunk.file_id),
            parent_id=parent_id,
            path=self.path(chunk.path),
            repo_id=self.name,
        )

    def local_chunk(self, chunk: StoredChunk) -> StoredChunk:
        """Return a chunk of the set as the index has it, so far as its text is asked for."""
        path = chunk.path.removeprefix(f"{self.name}/")
        return chunk._replace(id=local_id(chunk.id), file_id=local_id(chunk.file_id), path=path)

    def symbol(self, symbol: Symbol) -> Symbol:
        """Return a symbol in the set."""
        return replace(symbol, chunk_id=self.id(symbol.chunk_id), file_path=self.path(symbol.file_path))

    def neighbour(self, neighbour: Neighbour) -> Neighbour:
        """Return an edge and its far end in the set."""
        return replace(neighbour, symbol=self.symbol(neighbour.symbol))

    def edge(self, edge: Edge) -> Edge:
        """Return an edge in the set."""
        return edge._replace(of=self.id(edge.of), chunk_id=self.id(edge.chunk_id))

    def site(self, site: OpenSite) -> OpenSite:
        """Return a call in the set."""
        return replace(site, file_path=self.path(site.file_path))

    def definition(self, definition: StoredDefinition) -> StoredDefinition:
        """Return a stored definition in the set."""
        return definition._replace(path=self.path(definition.path), chunk_id=self.id(definition.chunk_id))

    def reference(self, reference: ResolvedReference) -> ResolvedReference:
        """Return a reference in the set."""
        return reference._replace(
            source_id=self.id(reference.source_id),
            target_id=None if reference.target_id is None else self.id(reference.target_id),
            candidates=tuple(map(self.id, reference.candidates)),
        )

    def registration(self, row: LinkedRegistration) -> LinkedRegistration:
        """Return a registration in the set."""
        target_id = None if row.target_id is None else self.id(row.target_id)
        return row._replace(source_id=self.id(row.source_id), target_id=target_id)

    def hits(self, hits: Hits) -> Hits:
        """Return a ranked list in the set."""
        from code_graph_indexer.storage.arrays import Hits

        return Hits(hits.ids | global_id(self.number, 0), hits.scores)

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
        return replace(filters, repo_id=None, directory=directory or None, file_patterns=patterns, excluded=excluded)

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
        return replace(filters, repo_id=None, directory=directory or None, file_patterns=patterns)

    def _patterns(self, patterns: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rest for pattern in patterns for rest in rests(pattern, f"{self.name}/")))

    def _directory(self, directory: str | None) -> str | None:
        """Return a folder of the set as a folder of the index: empty for all of the index, None for none of it."""
        folder = (directory or "").strip("/").removeprefix("./")
        if folder in ("", ".") or f"{self.name}/".startswith(f"{folder}/"):
            return ""
        prefix = f"{self.name}/"
        return folder.removeprefix(prefix) if folder.startswith(prefix) else None


class ManyStore:
    """Several opened indexes as one store. `stores` maps the name of each repository to its index.

    The order of the mapping does not matter. Raises UsageError if a name is a folder of another name, because then a path
    would lie in two repositories.
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

    # How ids and paths are split over the members, and what they answer is joined.

    def _asked(self, ids: Iterable[int] | None) -> Iterable[tuple[Member, list[int] | None]]:
        """Return the members that hold these ids, with their ids of them, or all members with None."""
        return ((member, None) for member in self.members) if ids is None else self._split(ids).items()

    def _split(self, ids: Iterable[int]) -> dict[Member, list[int]]:
        """Map each member to those ids that are its own, as the member has them, in the same order."""
        split: dict[int, list[int]] = defaultdict(list)
        for chunk_or_file_id in ids:
            split[member_of(chunk_or_file_id)].append(local_id(chunk_or_file_id))
        return {self.members[number]: split[number] for number in sorted(split) if 0 <= number < len(self.members)}

    def _masked(self, ids: Ids) -> Iterator[tuple[Member, NDArray[np.bool_], Ids]]:
        """Yield each member with a mask of its ids in an array, and these ids as the member has them."""
        numbers = ids >> 32
        for member in self.members:
            mask = numbers == member.number
            if mask.any():
                yield member, mask, ids[mask] & LOCAL_MASK

    def _place(self, path: str) -> tuple[Member, str] | None:
        """Return the member of a path, and the path inside it."""
        end = path.find("/")
        while end >= 0:
            member = self._by_name.get(path[:end])
            if member is not None:
                return member, path[end + 1 :]
            end = path.find("/", end + 1)
        return None

    def _placed(self, paths: Iterable[str]) -> dict[Member, list[str]]:
        """Map each member to the paths inside it, in the same order."""
        placed: dict[Member, list[str]] = defaultdict(list)
        for path in paths:
            place = self._place(path)
            if place is not None:
                placed[place[0]].append(place[1])
        return placed

    def _in_file(self, path: str, read: Callable[[Store, str], list[R]], changed: Callable[[Member, R], R]) -> list[R]:
        """Return what the member of a path reads of the file, with each entry as the set has it."""
        place = self._place(path)
        if place is None:
            return []
        member, local = place
        return [changed(member, entry) for entry in read(member.store, local)]

    def _joined(
        self, chunk_ids: Iterable[int], read: Callable[[Store, list[int]], list[R]], changed: Callable[[Member, R], R]
    ) -> list[R]:
        """Join what each member reads of its chunks, in the order of the members, with each entry as the set has it."""
        return [
            changed(member, entry)
            for member, local_ids in self._split(chunk_ids).items()
            for entry in read(member.store, local_ids)
        ]

    def _searched(self, filters: Filters) -> Iterator[tuple[Member, Filters]]:
        """Yield the members that filters allow, and what the filters are inside each."""
        for member in self.members:
            local = member.filters(filters)
            if local is not None:
                yield member, local

    # The index as a whole.

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change with every change of a member."""
        return tuple(chain.from_iterable(member.store.stamp for member in self.members))

    def refresh(self) -> None:
        """Reload each member if it was replaced or updated."""
        for member in self.members:
            member.store.refresh()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let all members stay as they are inside a `with` block, for answers that take several reads."""
        with ExitStack() as stack:
            for member in self.members:
                stack.enter_context(member.store.reading())
            yield

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Let no other thread read inside a `with` block, in which members change."""
        with ExitStack() as stack:
            for member in self.members:
                stack.enter_context(member.store.changing())
            yield

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

    def _embedded(self) -> list[Member]:
        """List the members whose vectors are of the set's embedder. Vectors of two embedders do not compare."""
        meta = self.meta()
        return [
            member for member in self.members if all(member.store.meta().get(key) == meta[key] for key in _VECTOR_KEYS)
        ]

    def without_vectors(self) -> list[str]:
        """List the names of the members that have no vectors of the set's embedder."""
        embedded = {member.name for member in self._embedded()}
        return [member.name for member in self.members if member.name not in embedded]

    def repositories(self) -> list[str]:
        """List the names of the repositories, sorted."""
        return sorted(self._by_name)

    def size(self) -> int:
        """Return how many bytes the members take."""
        return sum(member.store.size() for member in self.members)

    def sums(self) -> Sums:
        """Return the numbers of indexed files, of their lines, and of chunks."""
        return Sums(*map(sum, zip(*(member.store.sums() for member in self.members), strict=True)))

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the sums of the members' statistics."""
        totals: dict[str, Counter[str]] = {}
        for member in self.members:
            for name, counts in member.store.counts().items():
                totals.setdefault(name, Counter()).update(counts)
        return {name: by_size(counter) for name, counter in totals.items()}

    def contents(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """Return the contents of all members, with the member's name before each table."""
        return [(member.path(table), rows) for member in self.members for table, rows in member.store.contents()]

    def damaged(self, reason: object) -> IndexFormatError:
        """Return the error for something that no index holds."""
        return IndexFormatError(
            f"an index is damaged or forged: {reason}; build that one anew: cgi index --full FOLDER"
        )

    def check(self) -> list[str]:
        """List the problems of all members, one sentence per problem."""
        return [f"{member.name}: {problem}" for member in self.members for problem in member.store.check()]

    def chunk_hashes(self) -> dict[bytes, int]:
        """Map the content hash of each chunk with a text to the id of a chunk with this text."""
        return {
            content_hash: member.id(chunk_id)
            for member in self.members
            for content_hash, chunk_id in member.store.chunk_hashes().items()
        }

    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Map these chunk ids to the int8 vectors of the chunks. Chunks without a vector of the set's embedder are left out."""
        embedded = self._embedded()
        return {
            member.id(chunk_id): vector
            for member, local_ids in self._split(chunk_ids).items()
            if member in embedded
            for chunk_id, vector in member.store.vectors_of(local_ids).items()
        }

    # Files, chunks and texts.

    def files(self, paths: Collection[str] | None = None) -> list[FileRow]:
        """List all files in order of path, including the files that were skipped. With `paths`, only these files count."""
        rows = [member.row(row) for member in self.members for row in member.store.files()]
        return rows if paths is None else [row for row in rows if row.path in paths]

    def file_text(self, path: str) -> bytes | None:
        """Return the text of a file, or None if it is not indexed."""
        place = self._place(path)
        return None if place is None else place[0].store.file_text(place[1])

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks with these ids, in the order of the ids. Unknown ids are left out."""
        chunks = {
            chunk.id: chunk
            for chunk in self._joined(chunk_ids, lambda store, local_ids: store.chunks(local_ids), Member.chunk)
        }
        return [chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in chunks]

    def ancestors_of(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return all chunks that contain one of these chunks, directly or at any depth."""
        return self._joined(chunk_ids, lambda store, local_ids: store.ancestors_of(local_ids), Member.chunk)

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the text of each chunk, in the order of the chunks."""
        texts: dict[int, str] = {}
        for member, local_ids in self._split(chunk.id for chunk in chunks).items():
            local_set = set(map(member.id, local_ids))
            members = [chunk for chunk in chunks if chunk.id in local_set]
            local_chunks = [member.local_chunk(chunk) for chunk in members]
            texts.update(zip((chunk.id for chunk in members), member.store.chunk_texts(local_chunks), strict=True))
        return [texts[chunk.id] for chunk in chunks]

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file, in the order of its text."""
        return self._in_file(path, lambda store, local: store.file_chunks(local), Member.chunk)

    def file_states(self, paths: Collection[str]) -> dict[str, tuple[int, bytes]]:
        """Map each of these paths to the file's size and its content hash. Unknown paths are left out."""
        return {
            member.path(path): state
            for member, local in self._placed(paths).items()
            for path, state in member.store.file_states(local).items()
        }

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Map each of these file ids to its file. Unknown ids are left out."""
        return {
            member.id(file_id): member.file(file)
            for member, _, local_ids in self._masked(file_ids)
            for file_id, file in member.store.files_by_id(local_ids).items()
        }

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Map each of these chunk ids to the file of the chunk. Unknown ids are left out."""
        return {
            member.id(chunk_id): member.file(file)
            for member, local_ids in self._split(chunk_ids).items()
            for chunk_id, file in member.store.files_of(local_ids).items()
        }

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """Map each file id to the names that the file imports, in order of line."""
        return {
            member.id(file_id): names
            for member, local_ids in self._split(file_ids).items()
            for file_id, names in member.store.imports_of(local_ids).items()
        }

    def last_commits(self, paths: Sequence[str]) -> dict[str, int]:
        """Map each path to the time of the last commit that changed the file."""
        return {
            member.path(path): when
            for member, local in self._placed(paths).items()
            for path, when in member.store.last_commits(local).items()
        }

    def tag_time(self, name: str) -> int | None:
        """Return the oldest time of a git tag in any repository, or None if no repository has such a tag."""
        times = (member.store.tag_time(name) for member in self.members)
        return min((when for when in times if when is not None), default=None)

    def changed_together(self, paths: Sequence[str]) -> list[tuple[str, int]]:
        """List the files that commits changed with one of these, as (path, number of commits), the most frequent first."""
        partners = [
            (member.path(path), commits)
            for member, local in self._placed(paths).items()
            for path, commits in member.store.changed_together(local)
        ]
        return sorted(partners, key=lambda partner: (-partner[1], partner[0]))

    def texts(self) -> Iterator[str]:
        """Yield the text of each indexed file, in order of file id."""
        return chain.from_iterable(member.store.texts() for member in self.members)

    # Signals.

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
        from code_graph_indexer.storage.arrays import NO_IDS, are_in

        also = NO_IDS if also is None else also
        if counts is None and len(self.members) > 1:
            counts = self.word_counts(terms)
        parts = {member.number: local for member, _, local in self._masked(also)}
        hits = [
            member.hits(member.store.words(terms, local, limit, parts.get(member.number), counts))
            for member, local in self._searched(filters)
        ]
        ranked = _merged(hits)
        required = are_in(ranked.ids, also)
        required[:limit] = True
        return type(ranked)(ranked.ids[required], ranked.scores[required])

    def word_counts(self, terms: Sequence[str]) -> WordCounts:
        """Count the chunks with words, and those that contain each of the terms."""
        counts = [member.store.word_counts(terms) for member in self.members]
        having: Counter[str] = Counter()
        for count in counts:
            # Unlike `+`, this keeps the words that no chunk contains.
            having.update(count.having)
        return WordCounts(sum(count.chunks for count in counts), dict(having))

    def files_holding(self, text: str) -> set[int] | None:
        """Return the ids of the files whose text may contain a text in any case, or None if its words have no three letters.

        Each file that contains it is among them.
        """
        file_ids: set[int] = set()
        for member in self.members:
            ids = member.store.files_holding(text)
            if ids is None:
                return None
            file_ids.update(map(member.id, ids))
        return file_ids

    def has_words(self, terms: Sequence[str]) -> bool:
        """Return whether at least one of the terms occurs in a member."""
        return any(member.store.has_words(terms) for member in self.members)

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Rank the chunks whose text contains a substring, in any case."""
        hits = [member.hits(member.store.substrings(text, local, limit)) for member, local in self._searched(filters)]
        return _merged(hits)[:limit]

    def beside(self, search: Callable[[], Hits]) -> Callable[[], Hits]:
        """Return the search itself, which has not begun."""
        return search

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank the chunks that the filters allow, by the cosine similarity of their vectors to a unit vector, ties by id."""
        embedded = self._embedded()
        hits = [
            member.hits(member.store.nearest(vector, local, limit))
            for member, local in self._searched(filters)
            if member in embedded
        ]
        return _merged(hits)[:limit]

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by the cosine similarity of their vectors to a unit vector."""
        embedded = self._embedded()
        return _merged(
            [
                member.hits(member.store.similar(vector, local_ids))
                for member, _, local_ids in self._masked(chunk_ids)
                if member in embedded
            ]
        )

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Return the ids of those chunks that the filters allow."""
        split = self._split(chunk_ids)
        return {
            member.id(chunk_id)
            for member, local in self._searched(filters)
            if member in split
            for chunk_id in member.store.allowed(split[member], local)
        }

    def traits_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return one row of CHUNK_TRAITS for each chunk id, in the order of the ids. An unknown id gets zeros."""
        import numpy as np

        from code_graph_indexer.storage.arrays import CHUNK_TRAITS

        traits = np.zeros(len(chunk_ids), CHUNK_TRAITS)
        for member, mask, local_ids in self._masked(chunk_ids):
            rows = member.store.traits_of(local_ids)
            present = rows["id"] > 0
            for key in ("id", "file_id"):
                rows[key][present] |= global_id(member.number, 0)
            traits[mask] = rows
        return traits

    def chunk_marks(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Map chunk ids to their marks, such as `test`. Chunks without a mark are left out."""
        return {
            member.id(chunk_id): mark
            for member, local_ids in self._split(chunk_ids).items()
            for chunk_id, mark in member.store.chunk_marks(local_ids).items()
        }

    # The graph.

    def symbols(self, names: Iterable[str], *, exact_case: bool = False, suffix: str = "") -> list[Symbol]:
        """List the definitions with one of these simple names: by repository, then as in its own index."""
        names = list(names)
        return [
            member.symbol(symbol)
            for member in self.members
            for symbol in member.store.symbols(names, exact_case=exact_case, suffix=suffix)
        ]

    def symbol_names(self) -> list[str]:
        """List the simple names of all definitions, each once, sorted by their bytes."""
        return sorted(set(chain.from_iterable(member.store.symbol_names() for member in self.members)))

    def nodes(self, chunk_ids: Sequence[int] | None = None) -> dict[int, Symbol]:
        """Map each of these chunk ids to the chunk as a symbol. With None, map all chunks except blocks, texts and sections."""
        return {
            member.id(chunk_id): member.symbol(symbol)
            for member, local_ids in self._asked(chunk_ids)
            for chunk_id, symbol in member.store.nodes(local_ids).items()
        }

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that refer to one of these chunks: most certain first, code before tests, by path and line."""
        return sorted(
            self._joined(chunk_ids, lambda store, local_ids: store.callers(local_ids, kind), Member.neighbour),
            key=caller_order,
        )

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that these chunks refer to, by referring chunk, in the order of its references."""
        return self._joined(chunk_ids, lambda store, local_ids: store.callees(local_ids, kind), Member.neighbour)

    def callers_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the calls to each chunk, at most `most` per chunk, in order of caller id."""
        return self._joined(chunk_ids, lambda store, local_ids: store.callers_of(local_ids, most), Member.edge)

    def callees_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the calls that each chunk makes: at most the first `most` per chunk, in stored order."""
        return self._joined(chunk_ids, lambda store, local_ids: store.callees_of(local_ids, most), Member.edge)

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind at these chunks, in order of source id and ordinal."""
        return self._joined(
            chunk_ids, lambda store, local_ids: store.edges(local_ids, kind, incoming=incoming), Member.edge
        )

    def all_edges(self, kinds: Sequence[str]) -> list[Edge]:
        """List all edges of these kinds, in order of source id and ordinal."""
        return [member.edge(edge) for member in self.members for edge in member.store.all_edges(kinds)]

    def graph_arrays(self, *, load: bool = False) -> None:
        """Return None, because the graph of many repositories does not fit in memory."""

    def registrations(self) -> list[LinkedRegistration]:
        """List what frameworks call in all members, in order of source id and ordinal."""
        return [member.registration(row) for member in self.members for row in member.store.registrations()]

    def classes_around(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """Map the id of each definition to the id of the class that directly contains it."""
        return {
            member.id(chunk_id): member.id(class_id)
            for member, local_ids in self._split(chunk_ids).items()
            for chunk_id, class_id in member.store.classes_around(local_ids).items()
        }

    def parents(self) -> dict[int, int]:
        """Map each chunk id to the id of the chunk that directly contains it."""
        return {
            member.id(chunk_id): member.id(parent_id)
            for member in self.members
            for chunk_id, parent_id in member.store.parents().items()
        }

    def has_kind(self, kind: str) -> bool:
        """Return whether a member has a chunk of this kind."""
        return any(member.store.has_kind(kind) for member in self.members)

    def has_folder(self, folder: str) -> bool:
        """Return whether the set has a file in a folder or below it. The folder has no slash at its end."""
        if any(f"{member.name}/".startswith(f"{folder}/") for member in self.members):
            return True
        place = self._place(folder)
        return place is not None and place[0].store.has_folder(place[1])

    def unread_files(self) -> list[FileRow]:
        """List the files that were not read whole, by path."""
        return [member.row(row) for member in self.members for row in member.store.unread_files()]

    def marked_files(self) -> set[str]:
        """Return the paths of all files that are examples, generated or vendored."""
        return {member.path(path) for member in self.members for path in member.store.marked_files()}

    def open_names(self, chunk_ids: Sequence[int], kind: str) -> list[str]:
        """List the names of references without a target, of one kind and in these chunks, each once, sorted."""
        split = self._split(chunk_ids)
        names = (member.store.open_names(local_ids, kind) for member, local_ids in split.items())
        return sorted(set(chain.from_iterable(names)))

    def open_sources(self, kind: str, chunk_ids: Sequence[int] | None = None) -> set[int]:
        """Return the ids of the chunks, of these or of all, that have a reference of this kind without a target."""
        return {
            member.id(chunk_id)
            for member, local_ids in self._asked(chunk_ids)
            for chunk_id in member.store.open_sources(kind, local_ids)
        }

    def open_call_names(self) -> dict[str, int]:
        """Map each called name to the number of its calls that have no target."""
        names: Counter[str] = Counter()
        for member in self.members:
            names.update(member.store.open_call_names())
        return dict(names)

    def open_sites(self, names: Sequence[str], chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List calls of these names that have no target and may call one of these chunks, by path, line and column.

        Only the repositories of the chunks are read: another repository knows nothing of them. Without chunks, all are read.
        """
        split: Mapping[Member, list[int]] = (
            self._split(chunk_ids) if chunk_ids else {member: [] for member in self.members}
        )
        return [
            member.site(site)
            for member, local_ids in split.items()
            for site in member.store.open_sites(names, local_ids)
        ]

    def open_edges(self, chunk_ids: Sequence[int], confidence: float) -> list[Edge]:
        """List the calls of `open_sites` that have the name of one of these chunks, each as an edge to that chunk."""
        return self._joined(chunk_ids, lambda store, local_ids: store.open_edges(local_ids, confidence), Member.edge)

    def open_calls_in(self, chunk_id: int) -> int:
        """Count the calls in a chunk that have no target."""
        return sum(member.store.open_calls_in(*local_ids) for member, local_ids in self._split([chunk_id]).items())

    def overloads(self, chunk_ids: Sequence[int]) -> dict[int, list[Symbol]]:
        """Map each definition to its overloads, by id. Definitions without overloads are left out."""
        return {
            member.id(chunk_id): [member.symbol(symbol) for symbol in symbols]
            for member, local_ids in self._split(chunk_ids).items()
            for chunk_id, symbols in member.store.overloads(local_ids).items()
        }

    def tied_sites(self, chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls to these definitions that may call an overload instead, by path, line and column."""
        return self._joined(chunk_ids, lambda store, local_ids: store.tied_sites(local_ids), Member.site)

    def outside_names(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """Map each path to the last words of the file's imports that have no target."""
        return {
            member.path(path): names
            for member, local in self._placed(paths).items()
            for path, names in member.store.outside_names(local).items()
        }

    def open_imports(self) -> list[tuple[str, str]]:
        """List the imports without a target in their own index, each as (path, name), by path and then by name."""
        return sorted(
            (member.path(path), name) for member in self.members for path, name in member.store.open_imports()
        )

    def file_edges(self, kind: str, path: str, *, incoming: bool) -> list[tuple[str, int]]:
        """List the files that this file's edges of a kind lead to, or come from, with the line of each reference."""
        return self._in_file(
            path,
            lambda store, local: store.file_edges(kind, local, incoming=incoming),
            lambda member, end: (member.path(end[0]), end[1]),
        )

    def links(self, kinds: Sequence[str]) -> list[LinkRow]:
        """List the pairs of files that edges of these kinds join, by source path and target path."""
        rows = (
            row._replace(source=member.path(row.source), target=member.path(row.target))
            for member in self.members
            for row in member.store.links(kinds)
        )
        return sorted(rows, key=lambda row: (row.source, row.target))

    def file_symbols(self, path: str) -> list[Symbol]:
        """List the definitions of a file, including members, in order of line."""
        return self._in_file(path, lambda store, local: store.file_symbols(local), Member.symbol)

    def file_definitions(self, path: str) -> list[StoredDefinition]:
        """List the definitions of a file, including members, in the order of their chunks."""
        return self._in_file(path, lambda store, local: store.file_definitions(local), Member.definition)

    def file_references(self, path: str) -> list[ResolvedReference]:
        """List the resolved references of a file, by line and column."""
        return self._in_file(path, lambda store, local: store.file_references(local), Member.reference)

    def reference_fates(self, path: str) -> list[ResolvedReference]:
        """List all references of a file, by line and column."""
        return self._in_file(path, lambda store, local: store.reference_fates(local), Member.reference)

    def imported_definitions(self, file_id: int) -> list[StoredChunk]:
        """List the definitions that a file imports by name, each once, in the order of the imports."""
        return self._joined([file_id], lambda store, local_ids: store.imported_definitions(*local_ids), Member.chunk)


_VECTOR_KEYS = ("embedder", "dimensions")


def _merged(lists: Sequence[Hits]) -> Hits:
    """Return one ranked list of several with scores that compare, ties by id."""
    import numpy as np

    from code_graph_indexer.storage.arrays import NO_IDS, Hits

    ids = np.concatenate([NO_IDS, *(hits.ids for hits in lists)])
    scores = np.concatenate([np.zeros(0), *(hits.scores for hits in lists)])
    order = np.lexsort((ids, -scores))
    return Hits(ids[order], scores[order])
