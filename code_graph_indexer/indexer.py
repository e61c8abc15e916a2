"""The facade: open an index, bring it up to date, search it, walk its graph, ask it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from code_graph_indexer.ask import LanguageModel, RAGPipeline, Turn
from code_graph_indexer.ask.graph_retriever import GraphRetriever
from code_graph_indexer.ask.route import FastPathRouter
from code_graph_indexer.background import in_thread
from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.errors import EmbedderError, IndexNotFoundError, NotInIndexError, UsageError
from code_graph_indexer.graph import GraphQuestions, Names
from code_graph_indexer.results import (
    FileOutline,
    Filters,
    IndexReport,
    Progress,
    RAGResult,
    Reach,
    RetrievedContext,
    SourceType,
    Symbol,
)
from code_graph_indexer.retrieval import CodeRetriever, read_filters
from code_graph_indexer.retrieval.cache import SemanticCache
from code_graph_indexer.retrieval.parents import examples, find_symbols, with_parents
from code_graph_indexer.retrieval.rescore import PairScorer, rescore
from code_graph_indexer.settings import Settings, load_settings
from code_graph_indexer.storage import Store, open_store
from code_graph_indexer.storage.cache import CacheStore, RedisCache, SqliteCache
from code_graph_indexer.storage.records import StoredChunk

DEFAULT_FOLDER, DEFAULT_FILE = ".cgi", "index.db"
"""Where the index of a repository is, unless said otherwise; the folder ignores itself in git."""


def default_index(root: Path) -> Path:
    """Return the default place of a repository's index."""
    return root / DEFAULT_FOLDER / DEFAULT_FILE


def find_index(start: Path) -> Path | None:
    """Find the index of the repository that a folder is in, upwards; None when there is none."""
    for folder in (start, *start.parents):
        if default_index(folder).is_file():
            return default_index(folder)
    return None


class CodeIndexer:
    """Work with the index of one repository.

    `root` is its folder (default: the current one, or the one above it that has an index); `db` is the index file when it
    is elsewhere, and suffices for everything but indexing. Other keywords are settings, as in `Settings`. A context manager.
    """

    def __init__(self, root: str | Path | None = None, *, db: str | Path | None = None, **settings: object) -> None:
        start = Path(root if root is not None else ".").expanduser().absolute()
        if root is not None and not start.is_dir():
            raise UsageError(f"{start} is not a folder; give the folder of a repository")
        if db is not None:
            self.db = Path(db).expanduser().absolute()
            known = root is not None or not self.db.is_file()
            self.root: Path | None = start if known else self._root_of(self.db)
        else:
            found = find_index(start) if root is None else None
            self.db = found or default_index(start)
            self.root = self.db.parent.parent
        self.settings: Settings = load_settings(self.root, None, **settings)
        self._embedder: Embedder | None = None
        self._cross_encoder: PairScorer | None = None
        self._cache_store: CacheStore | None = None

    @staticmethod
    def _root_of(db: Path) -> Path | None:
        """Return the repository around an index in its default place; an index elsewhere has none."""
        return db.parent.parent if (db.parent.name, db.name) == (DEFAULT_FOLDER, DEFAULT_FILE) else None

    def __enter__(self) -> "CodeIndexer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the index file back."""
        if self._cache_store is not None:
            self._cache_store.close()
            self._cache_store = None
        if "store" in self.__dict__:
            self.store.close()
            del self.__dict__["store"]

    @cached_property
    def store(self) -> Store:
        """Return the opened index. Raises IndexNotFoundError or IndexFormatError."""
        if not self.db.is_file():
            where = self.root if self.root is not None else self.db.parent
            raise IndexNotFoundError(f"there is no index at {self.db}; make one with: cgi index {where}")
        return open_store(self.db)

    def index(
        self,
        *,
        full: bool = False,
        scip: Sequence[str | Path] = (),
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> IndexReport:
        """Bring the index up to date; `full` builds it anew. `report` is told the progress.

        `scip` are SCIP indexes of the repository, whose exact references replace what was guessed in the files they cover.

        Raises UsageError, EmbedderError, GrammarError, BusyError, IndexFormatError.
        """
        from code_graph_indexer.indexing import index_repository

        if self.root is None:
            raise UsageError(
                f"{self.db} does not say where its repository is; give the folder: cgi index FOLDER --db FILE"
            )
        self.close()
        if self.db.parent == self.root / DEFAULT_FOLDER:
            self.db.parent.mkdir(exist_ok=True)
            ignore = self.db.parent / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        exact = [Path(one).expanduser() for one in scip]
        return index_repository(self.root, self.db, self.settings, full=full, report=report, scip=exact)

    @property
    def graph(self) -> GraphQuestions:
        """Ask the call graph: callers, paths, impact, hierarchy, what is unused, and more."""
        self.store.refresh()
        return GraphQuestions(self.store, self.root)

    def symbol(self, name: str) -> list[Symbol]:
        """List the definitions of a name, simple or qualified by any suffix (`save`, `Model.save`, `models.py:save`).

        A path through a re-export (`flask.Flask` for `flask.app.Flask`) finds what it leads to. Raises NotInIndexError, with
        the nearest names.
        """
        self.store.refresh()
        return Names(self.store).symbols(name)

    def callers(
        self, name: str, *, depth: int = 1, min_confidence: float = 0.0, tests: bool | None = None, limit: int = 50
    ) -> list[Reach]:
        """For each definition of a name, list who calls it, most certain first. Raises NotInIndexError."""
        return self.graph.callers(name, depth=depth, min_confidence=min_confidence, tests=tests, limit=limit)

    def callees(
        self, name: str, *, depth: int = 1, min_confidence: float = 0.0, tests: bool | None = None, limit: int = 50
    ) -> list[Reach]:
        """For each definition of a name, list what it calls, in order of line. Raises NotInIndexError."""
        return self.graph.callees(name, depth=depth, min_confidence=min_confidence, tests=tests, limit=limit)

    def outline(self, path: str) -> FileOutline:
        """List the definitions of a file, nested as in the file. Raises NotInIndexError."""
        found = Names(self.store).file(path)
        return FileOutline(found, tuple(self.store.file_symbols(found)), _depths(self.store.file_chunks(found)))

    def tree(self, directory: str = "") -> dict[str, int]:
        """Return the indexed files below a directory with their number of lines, by path."""
        folder = directory.replace("\\", "/").strip("/").removeprefix("./")
        prefix = f"{folder}/" if folder not in ("", ".") else ""
        files = {one.path: one.lines for one in self.store.files() if one.error is None and one.path.startswith(prefix)}
        if not files and prefix:
            raise NotInIndexError(f"no indexed file is below {directory!r}; see: cgi tree")
        return files

    def stats(self) -> dict[str, dict[str, int] | str | int]:
        """Return what the index is and counts of what is in it."""
        return {**self.store.meta(), "size": self.db.stat().st_size, **self.store.counts()}

    def doctor(self) -> list[str]:
        """List what is wrong with the index file; nothing when it is sound."""
        return self.store.check()

    def verify(self, *, report: Callable[[Progress], None] = lambda progress: None) -> list[str]:
        """List how the index differs from a fresh build of the repository; nothing when it is sound and up to date."""
        from code_graph_indexer.indexing import verify_index

        if self.root is None:
            raise UsageError(
                f"{self.db} does not say where its repository is; give the folder: cgi verify FOLDER --db FILE"
            )
        return self.doctor() or verify_index(self.root, self.db, self.settings, embedder=self.embedder(), report=report)

    def embedder(self) -> Embedder | None:
        """Return the embedder of the index; None when it has no vectors.

        Raises EmbedderError when the settings name another one than the index was made with.
        """
        recorded = self.store.meta().get("embedder", "")
        if not recorded:
            return None
        if self._embedder is None or self._embedder.name != recorded:
            spec, options = self.settings.embedder_choice(recorded)
            made = create_embedder(spec, **options)
            if made.name != recorded:
                raise EmbedderError(
                    f"the index was made with the embedder {recorded!r}, not {made.name!r}; "
                    f"ask with --embedder {recorded}, or rebuild it: cgi index --full --embedder {made.name}"
                )
            self._embedder = made
        return self._embedder

    def cross_encoder(self) -> PairScorer | None:
        """Return the model that scores the first results once more; None when the settings name none.

        Raises EmbedderError when it cannot be loaded.
        """
        if self.settings.cross_encoder and self._cross_encoder is None:
            try:
                from code_graph_indexer.retrieval.cross_encoder import CrossEncoder
            except ImportError as exc:
                raise EmbedderError(
                    "a cross-encoder needs fastembed; run: pip install 'code-graph-indexer[fastembed]'"
                ) from exc
            self._cross_encoder = CrossEncoder(self.settings.cross_encoder, cache_dir=self.settings.model_cache)
        return self._cross_encoder

    def _cache(self, embedder: Embedder | None) -> SemanticCache:
        """Return the cache that the settings ask for. Raises UsageError when Redis is asked for and not installed."""
        if self._cache_store is None:
            ttl, most = self.settings.cache_ttl, self.settings.cache_limit
            try:
                url = self.settings.cache_url
                beside = self.db.with_name(self.db.name + ".cache")
                self._cache_store = (
                    RedisCache(url, ttl=ttl, limit=most) if url else SqliteCache(beside, ttl=ttl, limit=most)
                )
            except ImportError as exc:
                raise UsageError(
                    "a cache at Redis needs its package; run: pip install 'code-graph-indexer[redis]'"
                ) from exc
            except ValueError as exc:
                raise UsageError(
                    f"CGI_CACHE_URL is no Redis URL: {exc}; give one like redis://localhost:6379/0"
                ) from exc
        return SemanticCache(self._cache_store, embedder, threshold=self.settings.cache_threshold)

    def retrieve(
        self,
        query: str,
        *,
        limit: int | None = None,
        repo_id: str | None = None,
        language: str | Sequence[str] = (),
        directory: str | None = None,
        chunk_type: str | Sequence[str] = (),
        source_types: Sequence[str] = (),
        file_patterns: Sequence[str] = (),
        folders: Sequence[str] = (),
        tests: bool | None = None,
        threshold: float | None = None,
        keyword_only: bool = False,
    ) -> list[RetrievedContext]:
        """Return the chunks that answer a query, best first.

        A query may hold filters itself (`lang:go path:web/* -test:yes`); a path with a line, or a stack trace, gives the
        chunks at these places. `threshold` (0 to 1) leaves out what has less than this share of the best score.

        The filters restrict what is searched: `directory` is below the root, `file_patterns` are globs over the path,
        `tests` keeps or drops test files, `source_types` are code, markdown, text. `folders` only prefers.
        `keyword_only` needs no embedder. Raises UsageError, IndexNotFoundError, IndexFormatError, EmbedderError.
        """
        given = self._filters(
            repo_id=repo_id,
            language=language,
            directory=directory,
            chunk_type=chunk_type,
            source_types=source_types,
            file_patterns=file_patterns,
            tests=tests,
        )
        self.store.refresh()
        text, filters = _read(query, given)
        limit = self.settings.limit if limit is None else limit
        if placed := self._placed(text, filters, limit):
            return placed
        embedder = None if keyword_only else self.embedder()
        retriever = CodeRetriever(
            self.store,
            embedder,
            root=self.root,
            rrf_k=self.settings.rrf_k,
            folder_boost=self.settings.rrf_folder_boost,
        )
        told = (self.store.stamp, filters, limit, folders, self.settings) if self.settings.cache else ()
        cache = self._cache(embedder) if told else None
        if cache is not None and (kept := cache.get(text, told)) is not None:
            return retriever.contexts(kept)
        scorer = self.cross_encoder()
        found = retriever.retrieve(
            text,
            filters,
            limit=limit if scorer is None else max(limit, self.settings.first_stage_limit),
            pool_size=self.settings.pool_size,
            folders=_several(folders),
            fusion=self.settings.fusion,
        )
        if scorer is not None:
            found = rescore(scorer, text, found, self.settings.first_stage_limit)[:limit]
        if threshold is not None and found:
            found = [one for one in found if one.score >= threshold * found[0].score]
        if cache is not None:
            cache.put(text, told, found)
        if not found and filters.chunk_types:
            _require_known("kind of chunk", filters.chunk_types, self.store.counts()["chunks"])
        return found

    def _filters(
        self,
        *,
        repo_id: str | None = None,
        language: str | Sequence[str] = (),
        directory: str | None = None,
        chunk_type: str | Sequence[str] = (),
        source_types: Sequence[str] = (),
        file_patterns: Sequence[str] = (),
        tests: bool | None = None,
    ) -> Filters:
        return Filters(
            repo_id=repo_id,
            languages=_several(language),
            directory=directory,
            chunk_types=_several(chunk_type),
            source_types=_several(source_types),
            file_patterns=_several(file_patterns),
            tests=tests,
        )

    def _placed(self, text: str, filters: Filters, limit: int) -> list[RetrievedContext]:
        """Return the chunks at the places that a query names, if it asks for places and they are in the index."""
        path = FastPathRouter.places(text)
        return GraphRetriever(self.store, root=self.root).answer(path, filters, limit=limit)[0] if path else []

    def retrieve_by_keyword(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve` does by names, words and substrings alone, without an embedder."""
        return self.retrieve(query, keyword_only=True, **options)

    def retrieve_with_parents(
        self, query: str, *, limit: int | None = None, child_limit: int = 50, **options: Any
    ) -> list[RetrievedContext]:
        """Search small chunks and return the classes, functions and sections that hold them, whole, best first."""
        children = self.retrieve(query, limit=child_limit, **options)
        return with_parents(self.store, children, self.settings.limit if limit is None else limit)

    def retrieve_examples(self, symbol: str, *, limit: int | None = None) -> list[RetrievedContext]:
        """Return real uses of a definition, the most instructive first. Raises NotInIndexError."""
        return examples(self.store, symbol, self.settings.limit if limit is None else limit)

    def retrieve_symbols(self, query: str, *, limit: int | None = None) -> list[Symbol]:
        """List the definitions whose names a query has, or its words form."""
        return find_symbols(self.store, query, self.settings.limit if limit is None else limit)

    async def aretrieve(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve` does without holding up an event loop."""
        return await in_thread(self.retrieve, query, **options)

    async def aretrieve_by_keyword(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve_by_keyword` does without holding up an event loop."""
        return await in_thread(self.retrieve_by_keyword, query, **options)

    async def aretrieve_with_parents(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve_with_parents` does without holding up an event loop."""
        return await in_thread(self.retrieve_with_parents, query, **options)

    async def aretrieve_examples(self, symbol: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve_examples` does without holding up an event loop."""
        return await in_thread(self.retrieve_examples, symbol, **options)

    async def aretrieve_symbols(self, query: str, **options: Any) -> list[Symbol]:
        """Do what `retrieve_symbols` does without holding up an event loop."""
        return await in_thread(self.retrieve_symbols, query, **options)

    def ask(
        self,
        question: str,
        *,
        language_model: LanguageModel | None = None,
        on_text: Callable[[str], None] | None = None,
        history: Sequence[Turn] = (),
        folders: Sequence[str] = (),
        keyword_only: bool = False,
        **filters: Any,
    ) -> RAGResult:
        """Answer a question: route it, search, judge what was found, expand it, have it explained, check the citations.

        Without a key the answer is the context, in order and cited. `filters` are those of `retrieve`, `history` are the
        turns before. Raises AnswerError when the language model fails.
        """
        self.store.refresh()
        text, given = _read(question, self._filters(**filters))
        pipeline = RAGPipeline(
            self.store,
            None if keyword_only else self.embedder(),
            self.settings,
            root=self.root,
            language_model=language_model,
            cross_encoder=self.cross_encoder(),
        )
        return pipeline.query_now(text, filters=given, folders=_several(folders), history=history, on_text=on_text)

    async def aask(self, question: str, **options: Any) -> RAGResult:
        """Do what `ask` does without holding up an event loop."""
        return await in_thread(self.ask, question, **options)


def _depths(chunks: Sequence[StoredChunk]) -> dict[int, int]:
    """Give the nesting of each chunk: 0 for what stands in the module."""
    parents = {one.id: one.parent_id for one in chunks}
    modules = {one.id for one in chunks if one.parent_id is None}
    depths: dict[int, int] = {}
    for one in chunks:
        depth, at, seen = 0, one.parent_id, {one.id}
        while at is not None and at not in modules and at not in seen:
            seen.add(at)
            depth, at = depth + 1, parents.get(at)
        depths[one.id] = depth
    return depths


def _read(query: str, given: Filters) -> tuple[str, Filters]:
    """Take the filters out of a query, and check them with those given. Raises UsageError for what does not exist."""
    text, filters = read_filters(query, given)
    _require_known("source type", filters.source_types, [one.value for one in SourceType])
    return text, _with_known_languages(filters)


def _with_known_languages(filters: Filters) -> Filters:
    """Write the languages of filters by their names, which may be given by an extension too. Raises UsageError."""
    excluded = filters.excluded and _with_known_languages(filters.excluded)
    if not filters.languages:
        return replace(filters, excluded=excluded)
    from code_graph_indexer.languages import languages

    by_extension = {one.lstrip("."): name for name, each in languages().items() for one in each.extensions}
    named = tuple(one if one in languages() else by_extension.get(one, one) for one in filters.languages)
    _require_known("language", named, languages())
    return replace(filters, languages=named, excluded=excluded)


def _require_known(what: str, wanted: Iterable[str], known: Collection[str]) -> None:
    for one in wanted:
        if one not in known:
            begun = [name for name in known if one.startswith(name)]
            close = get_close_matches(one, known, n=1) or sorted(begun, key=len)[-1:]
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise UsageError(f"there is no {what} {one!r}.{hint} Known: {', '.join(sorted(known))}.")


def _several(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value else tuple(value)
