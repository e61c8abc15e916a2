"""The facade: open an index, bring it up to date, search it, walk its graph, ask it.

One naming rule holds in every class. The plain name is synchronous. The name with an `a` before it is its asynchronous twin,
which does the same on another thread: `retrieve` and `aretrieve`, `query` and `aquery`.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property, wraps
from pathlib import Path
from threading import RLock, local
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from code_graph_indexer.across import linked_across, unlinked_note
from code_graph_indexer.background import in_thread
from code_graph_indexer.errors import BusyError, EmbedderError, IndexNotFoundError, NotInIndexError, UsageError
from code_graph_indexer.freshness import ChangeSource, FreshnessCheck, listed
from code_graph_indexer.git import is_git_folder, is_linked_worktree, repository_of
from code_graph_indexer.graph import IMPACT_DEPTH, GraphQuestions, Names
from code_graph_indexer.outside import inside, path_of
from code_graph_indexer.results import (
    Doubt,
    FileOutline,
    Filters,
    Freshness,
    FreshnessState,
    IndexReport,
    Progress,
    Publication,
    RAGResult,
    Reach,
    RetrievedContext,
    Symbol,
    Tour,
)
from code_graph_indexer.seeding import seed, seed_for
from code_graph_indexer.settings import Settings, load_settings
from code_graph_indexer.storage import (
    DEFAULT_PLACE,
    Store,
    explains_damage,
    index_places,
    open_many,
    open_server,
    open_store,
    publish_index,
    writable,
)
from code_graph_indexer.storage.address import Address, is_address
from code_graph_indexer.storage.local import is_being_written
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.storage.side import CACHE, beside, make_folder

# A method imports the parts that few methods use, because each command of the shell is a new process.
if TYPE_CHECKING:
    from code_graph_indexer.ask.conversation import Turn
    from code_graph_indexer.ask.llm import LanguageModel
    from code_graph_indexer.embedders import Embedder
    from code_graph_indexer.retrieval.cache import SemanticCache
    from code_graph_indexer.retrieval.rescore import PairScorer
    from code_graph_indexer.retrieval.stale import Root
    from code_graph_indexer.storage.cache import CacheStore


def default_index(root: Path) -> Path:
    """Return the default place of a repository's index. Its folder ignores itself in git."""
    return root / DEFAULT_PLACE


def find_index(start: Path) -> Path | None:
    """Find the index of a folder's repository: in the folder, or in the nearest one above it. None without an index.

    A linked worktree is a repository of its own.
    """
    for folder in (start, *start.parents):
        if default_index(folder).is_file():
            return default_index(folder)
        # What lies above a linked worktree is another checkout, with other files.
        if is_linked_worktree(folder):
            return None
    return None


def _seedable_root(start: Path) -> Path | None:
    """Return the folder of a checkout without an index, if another checkout of its repository has one at this place."""
    top = repository_of(start)
    if top is None:
        return None
    folders = (start, *(folder for folder in start.parents if folder.is_relative_to(top)))
    return next((folder for folder in folders if seed_for(folder, default_index(Path()))), None)


Options = ParamSpec("Options")
Answer = TypeVar("Answer")


def _asking(
    method: Callable[Concatenate["CodeIndexer", Options], Answer],
) -> Callable[Concatenate["CodeIndexer", Options], Answer]:
    """Decorate a method so that it looks for changes on disk once, and its answer is of one version of the index."""

    @wraps(method)
    def asking(self: "CodeIndexer", /, *args: Options.args, **kwargs: Options.kwargs) -> Answer:
        with self.question():
            return method(self, *args, **kwargs)

    return asking


@explains_damage(lambda indexer: indexer.store)
class CodeIndexer:
    """Work with the index of one repository. A context manager, which closes the index at its end.

    Several threads may share it.

    `root` is the repository's folder. Without it, the index of the current folder or of the nearest folder above is used.
    `db` is the index file, if it is not in its default place, `.cgi/index.db`. All methods but `index` and `verify` need
    only `db`. It may also be the address of a database server, `postgresql://user@host/database`, for all repositories that are
    published there, or `postgresql://…#name,name` for some. The remaining keywords are fields of `Settings`.

    Raises UsageError if `root` is not a folder or a setting is not valid.

    Example:
        >>> with CodeIndexer(shop) as opened:
        ...     opened.symbol("place_order")[0].file_path
        'shop/orders.py'
    """

    def __new__(
        cls, root: str | Path | None = None, *, db: str | Path | None = None, **settings: object
    ) -> "CodeIndexer":
        """Make an indexer: of a server if `db` is an address, else of a file."""
        return super().__new__(ServerIndexer if cls is CodeIndexer and is_address(db) else cls)

    def __init__(self, root: str | Path | None = None, *, db: str | Path | None = None, **settings: object) -> None:
        start = path_of(root if root is not None else ".")
        if root is not None and not start.is_dir():
            raise UsageError(f"{start} is not a folder; give the folder of a repository")
        if db is not None:
            self.db = path_of(db)
            # An index that does not exist yet is about to be made, of the current folder if no other is given.
            use_start = root is not None or not self.db.is_file()
            self.root: Path | None = start if use_start else _root_of(self.db)
        else:
            existing = find_index(start) if root is None else None
            if root is None and existing is None:
                start = _seedable_root(start) or start
            self.db = existing or default_index(start)
            # The index found may be that of a folder above, which is the root then.
            self.root = self.db.parent.parent
        self.settings: Settings = load_settings(self.root, None, **settings)
        self._embedder: Embedder | None = None
        self._cross_encoder: PairScorer | None = None
        self._cache_store: CacheStore | None = None
        is_default_place = self.root is not None and self.db == default_index(self.root)
        self._check = FreshnessCheck(
            self.root,
            self.db,
            self.settings,
            is_default_place=is_default_place,
            turn=lambda: self.store.changing(),
        )
        self._check_lock = RLock()
        self._lock = RLock()
        self._store: Store | None = None
        self._checked_at = 0.0
        self._last_freshness = Freshness(FreshnessState.UNCHECKED)
        self._of_thread = local()

    @classmethod
    def open_many(cls, places: Iterable[str | Path], **settings: Any) -> "CodeIndexer":
        """Open several indexes as one, to ask them all at once.

        A place is an index file, the folder of a repository, or a folder of index files or of repositories. The first folder of
        a path in an answer is the name of the repository. The filter `repo:NAME` asks some of them. What changes an index
        raises UsageError, because each is changed by itself.

        Raises IndexNotFoundError for a place without an index, IndexFormatError, and UsageError for names that do not differ.

        Example:
            >>> with CodeIndexer.open_many([shop]) as opened:
            ...     opened.symbol("place_order")[0].file_path.endswith("/shop/orders.py")
            True
        """
        return ManyIndexer(places, **settings)

    def __enter__(self) -> "CodeIndexer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def store(self) -> Store:
        """Open the index file, and return the opened index.

        Raises IndexNotFoundError if there is no index, BusyError while another process builds the first, and
        IndexFormatError if the file is no index of this version.

        Example:
            >>> indexer.store.file_text("config/shop.toml") is not None
            True
        """
        with self._lock:
            if self._store is None:
                self._store = self._open()
            return self._store

    def _open(self) -> Store:
        if self.db.is_dir():
            raise UsageError(f"{self.db} is a folder, and this works on one index; give an index file")
        # Without updates, the answers would be of the other checkout's files.
        if not self.db.is_file() and not (self.settings.update and self._seed()):
            where = self.root if self.root is not None else self.db.parent
            for db in (self.db, *(default_index(folder) for folder in where.parents)):
                if is_being_written(db):
                    raise BusyError(f"another process is building the first index, {db}; ask again when it is done")
            raise IndexNotFoundError(f"there is no index at {self.db}; make one with: cgi index {where}")
        return open_store(self.db)

    @property
    def freshness(self) -> Freshness:
        """How the last answer in this thread relates to the files on disk.

        Example:
            >>> symbols = indexer.symbol("add_tax")
            >>> indexer.freshness.state.value
            'current'
        """
        return getattr(self._of_thread, "freshness", Freshness(FreshnessState.UNCHECKED))

    @contextmanager
    def question(self) -> Iterator[Freshness]:
        """Look for changes on disk once, for all questions that this thread asks inside the `with` block.

        If few files changed, the index is updated first. Without the block, each question looks by itself.

        Example:
            >>> with indexer.question() as freshness:
            ...     names = [symbol.name for symbol in indexer.symbol("add_tax")]
            >>> names, freshness.note
            (['add_tax'], '')
        """
        if getattr(self._of_thread, "in_question", False):
            yield self.freshness
            return
        arrived = time.monotonic()
        # Questions that wait for a look share the next one: it begins after all of them, so it misses no change before them.
        with self._check_lock:
            if self._checked_at < arrived:
                self._checked_at = time.monotonic()
                store = self.store
                self._last_freshness = self._check.before_question()
                store.refresh()
            self._of_thread.freshness = self._last_freshness
        with self.reading():
            yield self._of_thread.freshness

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let the index stay as it is for all questions that this thread asks inside the `with` block, without a look on disk.

        Example:
            >>> with indexer.reading():
            ...     [symbol.name for symbol in indexer.symbol("add_tax")]
            ['add_tax']
        """
        is_outer = not getattr(self._of_thread, "in_question", False)
        with self.store.reading():
            self._of_thread.in_question = True
            try:
                yield
            finally:
                self._of_thread.in_question = not is_outer

    def fresh_store(self) -> Store:
        """Return the opened index, after the look for changes on disk that each question begins with.

        Raises what `store` raises.

        Example:
            >>> indexer.fresh_store().file_text("config/shop.toml") is not None
            True
        """
        with self.question():
            return self.store

    def update(self, *, report: Callable[[Progress], None] = lambda progress: None) -> Freshness:
        """Write all changes on disk into the index, however many, without the counts and git's history that `index` reads.

        Raises UsageError for an index that only `index` can build, and what `index` raises.

        Example:
            >>> indexer.update().state.value
            'current'
        """
        with self._check_lock:
            store = self.store
            freshness = self._check.update(report)
            store.refresh()
        return freshness

    def watch_with(self, source: ChangeSource | None) -> None:
        """Ask a watcher whether anything changed before each question, in place of a look at all files. None ends that.

        Example:
            >>> indexer.watch_with(None)
        """
        self._check.watch_with(source)

    def close(self) -> None:
        """Close the index file. The next question opens it again.

        Example:
            >>> opened = CodeIndexer(shop)
            >>> opened.close()
        """
        with self._lock:
            opened = [resource for resource in (self._cache_store, self._store) if resource is not None]
            self._cache_store = self._store = None
        # Without the lock, because a question that still runs may need it.
        for resource in opened:
            resource.close()

    def embedder(self) -> "Embedder | None":
        """Return the embedder of the index, or None if the index has no vectors.

        Raises EmbedderError if the settings name an embedder that did not make the index.

        Example:
            >>> indexer.embedder().dimensions > 0
            True
        """
        recorded = self.store.meta().get("embedder", "")
        if not recorded:
            return None
        with self._lock:
            # The index may have been built anew with another embedder in the meantime.
            if self._embedder is None or self._embedder.name != recorded:
                self._embedder = _load_embedder(self.settings, recorded)
            return self._embedder

    def cross_encoder(self) -> "PairScorer | None":
        """Return the model that scores the first results again, or None if the settings name none.

        Raises EmbedderError if the model cannot be loaded.

        Example:
            >>> indexer.cross_encoder() is None
            True
        """
        with self._lock:
            if self.settings.cross_encoder and self._cross_encoder is None:
                self._cross_encoder = _load_cross_encoder(self.settings)
            return self._cross_encoder

    def index(
        self,
        *,
        full: bool = False,
        scip: Sequence[str | Path] = (),
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> IndexReport:
        """Bring the index up to date, or build it anew if `full` is set.

        `scip` are SCIP indexes of the repository. Their exact references replace the resolved ones in the files they cover.
        `report` is called with the progress of each stage.

        Raises UsageError, EmbedderError, GrammarError, BusyError (somebody else is indexing), IndexFormatError or
        IndexWriteError.

        Example:
            >>> indexer.index().changed
            0
        """
        # Here, because a question needs none of the write path, which takes time to load.
        from code_graph_indexer.indexing import index_repository

        if self.root is None:
            raise UsageError(
                f"{self.db} does not say where its repository is; give the folder: cgi index FOLDER --db FILE"
            )
        if is_git_folder(self.root):
            raise UsageError(
                f"{self.root} is a bare repository or a .git folder, without source files; "
                "check its files out (git worktree add FOLDER), and index FOLDER"
            )
        # A full build replaces the file. The next question opens the new one.
        self.close()
        self._make_folder()
        if not full:
            self._seed()
        scip_paths = [path_of(path) for path in scip]
        return index_repository(self.root, self.db, self.settings, full=full, report=report, scip=scip_paths)

    def publish(
        self, to: str, *, repo_id: str | None = None, report: Callable[[Progress], None] = lambda progress: None
    ) -> Publication:
        """Write the index to a database server, in place of what is published under its name. Readers never see half of it.

        `to` is an address such as `postgresql://user@host/database`. `repo_id` is the name of the repository there. By default,
        it is the name in the index, or else that of the repository's folder.

        Raises ServerError, IndexNotFoundError, IndexFormatError, BusyError, or UsageError for a name that cannot be used.

        Example:
            >>> from code_graph_indexer import UsageError
            >>> try:
            ...     indexer.publish("localhost")
            ... except UsageError as error:
            ...     print(error)
            'localhost' is no address; give one like postgresql://user@host/database
        """
        address = Address.of(to)
        self.store.refresh()
        return publish_index(self.db, address, repo_id=repo_id or names_of([self])[0], report=report)

    @_asking
    def retrieve(
        self,
        query: str,
        *,
        limit: int | None = None,
        repo_id: str | Sequence[str] | None = None,
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

        The query is words, a name, a question, a path with a line, or a stack trace. It may hold filters, such as
        `lang:go path:web/* -test:yes`. Paths with lines give the chunks at these places.

        Args:
            limit: The most results, 1 or more. Default: the setting `limit`.
            repo_id: Only this repository, or only these.
            language: Only these languages, by name or file extension.
            directory: Only files below this folder, relative to the root.
            chunk_type: Only these kinds of chunk: `function`, `class`, `method` and so on.
            source_types: Only these types of text: `code`, `markdown`, `text`.
            file_patterns: Only paths that match one of these globs. `*` also crosses `/`.
            folders: Prefer files below these folders.
            tests: True for test files only, False for none of them.
            threshold: Leave out results with less than this share (0 to 1) of the best score.
            keyword_only: Search without the embedder.

        Raises UsageError if a filter or limit is not valid, IndexNotFoundError, IndexFormatError or EmbedderError.

        Example:
            >>> [context.qualified_name for context in indexer.retrieve("refuse an empty cart", limit=1)]
            ['shop.orders.place_order']
        """
        from code_graph_indexer.retrieval import CodeRetriever, build_filters, read_filters
        from code_graph_indexer.retrieval.filters import as_tuple
        from code_graph_indexer.retrieval.rescore import rescore

        filters = build_filters(
            repo_id=repo_id,
            language=language,
            directory=None if directory is None else inside(directory, self._folders),
            chunk_type=chunk_type,
            source_types=source_types,
            file_patterns=file_patterns,
            tests=tests,
        )
        query = inside(query, self._folders)
        folders = tuple(inside(folder, self._folders) for folder in as_tuple(folders))
        limit = self.settings.limit if limit is None else limit
        store = self.fresh_store()
        text, filters = read_filters(store, query, filters, folders=folders, limit=limit)
        # A query for a place has one answer, so nothing is searched if the index has it.
        places, alone = self._contexts_at_places(text, filters, limit)
        if places and alone:
            return places
        embedder = None if keyword_only else self.embedder()
        retriever = CodeRetriever(
            self.store,
            embedder,
            root=self._checkout,
            rrf_k=self.settings.rrf_k,
            folder_boost=self.settings.rrf_folder_boost,
        )
        cache = self._cache(embedder) if self.settings.cache else None
        # The stamp changes with the index, so results from before an update are never found. It reads the file, so a search
        # without a cache does not ask for it.
        scope = () if cache is None else (self.store.stamp, filters, limit, folders, keyword_only, self.settings)
        cached = None if cache is None else cache.get(text, scope)
        if cached is not None:
            return _above(threshold, retriever.contexts(cached))
        scorer = self.cross_encoder()
        contexts = retriever.search(
            text,
            filters,
            # The second stage may lift a result from far behind, so it gets more than it returns.
            limit=limit if scorer is None else max(limit, self.settings.first_stage_limit),
            pool_size=self.settings.pool_size,
            folders=folders,
            fusion=self.settings.fusion,
            places=[context.node_id for context in places],
        )
        if scorer is not None:
            contexts = rescore(scorer, text, contexts, self.settings.first_stage_limit)[:limit]
        if cache is not None:
            cache.put(text, scope, contexts)
        return _above(threshold, contexts)

    @_asking
    def doubt(self, query: str, contexts: Sequence[RetrievedContext]) -> Doubt | None:
        """Return None if the first result of `retrieve` is surely right, else documentation and other words to try.

        Example:
            >>> indexer.doubt("place_order", indexer.retrieve("place_order")) is None
            True
        """
        from code_graph_indexer.retrieval import CodeRetriever, read_filters
        from code_graph_indexer.retrieval.sure import doubt_of

        # A place, which a query names with its lines, has no signals, and is what was asked for.
        if contexts and not contexts[0].signals:
            return None
        store = self.fresh_store()
        text, filters = read_filters(store, query)
        return doubt_of(store, CodeRetriever(store, self.embedder(), root=self._checkout), text, filters, contexts)

    async def aretrieve(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> contexts = asyncio.run(indexer.aretrieve("add_tax", limit=1))
            >>> contexts[0].name
            'add_tax'
        """
        return await in_thread(self.retrieve, query, **options)

    def retrieve_by_keyword(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve` does by names, words and substrings alone, without an embedder.

        Example:
            >>> indexer.retrieve_by_keyword("FREE_SHIPPING_FROM", limit=1)[0].file_path
            'shop/pricing.py'
        """
        return self.retrieve(query, keyword_only=True, **options)

    async def aretrieve_by_keyword(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve_by_keyword` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> asyncio.run(indexer.aretrieve_by_keyword("add_tax", limit=1))[0].name
            'add_tax'
        """
        return await in_thread(self.retrieve_by_keyword, query, **options)

    def retrieve_with_parents(
        self, query: str, *, limit: int | None = None, child_limit: int = 50, **options: Any
    ) -> list[RetrievedContext]:
        """Search small chunks, and return the whole classes, functions and sections that hold them, best first.

        `limit` counts the definitions returned, `child_limit` the chunks searched. `options` are those of `retrieve`.

        Raises what `retrieve` raises.

        Example:
            >>> [context.type for context in indexer.retrieve_with_parents("put an item into the cart", limit=1)]
            ['class']
        """
        from code_graph_indexer.retrieval.filters import check_limit
        from code_graph_indexer.retrieval.parents import with_parents

        check_limit(limit)
        with self.question():
            children = self.retrieve(query, limit=child_limit, **options)
            return with_parents(self.store, children, self.settings.limit if limit is None else limit)

    async def aretrieve_with_parents(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve_with_parents` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> asyncio.run(indexer.aretrieve_with_parents("put an item into the cart", limit=1))[0].type
            'class'
        """
        return await in_thread(self.retrieve_with_parents, query, **options)

    @_asking
    def retrieve_examples(self, symbol: str, *, limit: int | None = None) -> list[RetrievedContext]:
        """Return real uses of a definition, the most instructive first.

        Raises NotInIndexError for a name that the index lacks, and UsageError for a limit below 1.

        Example:
            >>> "add_tax(" in indexer.retrieve_examples("add_tax")[0].content
            True
        """
        from code_graph_indexer.retrieval.filters import check_limit
        from code_graph_indexer.retrieval.parents import examples

        check_limit(limit)
        return examples(self.fresh_store(), symbol, self.settings.limit if limit is None else limit, self._checkout)

    async def aretrieve_examples(self, symbol: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve_examples` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> len(asyncio.run(indexer.aretrieve_examples("add_tax", limit=1)))
            1
        """
        return await in_thread(self.retrieve_examples, symbol, **options)

    @_asking
    def retrieve_symbols(self, query: str, *, limit: int | None = None) -> list[Symbol]:
        """List the definitions that a query names, in full or by its words. Raises UsageError for a limit below 1.

        Example:
            >>> [symbol.qualified_name for symbol in indexer.retrieve_symbols("place order", limit=1)]
            ['shop.orders.place_order']
        """
        from code_graph_indexer.retrieval.filters import check_limit
        from code_graph_indexer.retrieval.parents import find_symbols

        check_limit(limit)
        return find_symbols(self.fresh_store(), query, self.settings.limit if limit is None else limit)

    async def aretrieve_symbols(self, query: str, **options: Any) -> list[Symbol]:
        """Do what `retrieve_symbols` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> asyncio.run(indexer.aretrieve_symbols("place order", limit=1))[0].name
            'place_order'
        """
        return await in_thread(self.retrieve_symbols, query, **options)

    def ask(
        self,
        question: str,
        *,
        language_model: "LanguageModel | None" = None,
        on_text: Callable[[str], None] | None = None,
        history: "Sequence[Turn]" = (),
        folders: Sequence[str] = (),
        keyword_only: bool = False,
        **filters: Any,
    ) -> RAGResult:
        """Answer a question: route it, search, judge and expand the context, write the answer, check its citations.

        `language_model` replaces the one of the settings. Without an API key, the answer is the context, in order and cited.
        `on_text` is called with each piece of a generated answer as it arrives. `history` holds the turns before.
        `folders` are preferred. `filters` are the filter arguments of `retrieve`.

        Raises what `retrieve` raises, and AnswerError if the language model fails.

        Example:
            >>> result = indexer.ask("who calls add_tax?")
            >>> result.route, result.sources[0].name
            ('graph', 'add_tax')
        """
        from code_graph_indexer.ask.pipeline import RAGPipeline
        from code_graph_indexer.retrieval.filters import as_tuple, build_filters

        pipeline = RAGPipeline(
            self.fresh_store(),
            None if keyword_only else self.embedder(),
            self.settings,
            root=self._checkout,
            language_model=language_model,
            cross_encoder=self.cross_encoder(),
        )
        question = inside(question, self._folders)
        return pipeline.query(
            question, filters=build_filters(**filters), folders=as_tuple(folders), history=history, on_text=on_text
        )

    async def aask(self, question: str, **options: Any) -> RAGResult:
        """Do what `ask` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> asyncio.run(indexer.aask("who calls add_tax?")).route
            'graph'
        """
        return await in_thread(self.ask, question, **options)

    def explore(self, query: str, *, budget: int | None = None, keyword_only: bool = False) -> Tour:
        """Return a tour: how the code that a query is about hangs together, and the source along the way, in one text.

        The query is a question, names of definitions, `A -> B` for the calls between two, a path with a line, or a stack trace.
        `budget` is the most tokens of the text (by default 3,250 to 6,000, by the number of files).

        Raises UsageError if a filter or the budget is not valid, IndexNotFoundError, IndexFormatError or EmbedderError.

        Example:
            >>> "def add_tax" in indexer.explore("add_tax").text
            True
        """
        from code_graph_indexer.explore import Explorer

        with self.question() as freshness:
            embedder = None if keyword_only else self.embedder()
            explorer = Explorer(self.store, embedder, self.settings, root=self._checkout)
            return explorer.tour(inside(query, self._folders), budget, note=freshness.note)

    async def aexplore(self, query: str, **options: Any) -> Tour:
        """Do what `explore` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> asyncio.run(indexer.aexplore("add_tax")).route
            'name'
        """
        return await in_thread(self.explore, query, **options)

    def explore_change(
        self, target: str = "", *, diff: str = "", depth: int = IMPACT_DEPTH, budget: int | None = None, **options: Any
    ) -> Tour:
        """Return a tour of what a change affects: the tests to run, who is affected and how surely, and the lines in question.

        `target` is a definition or a file, and `diff` is REV..REV, or REV to compare with the working tree. Without either, it
        is what the working tree changed since the last commit. `depth` is the largest number of hops, and `options` are further
        arguments of `graph.impact`.

        Raises NotInIndexError, or UsageError if git fails or the budget is not valid.

        Example:
            >>> "tests/test_cart.py" in indexer.explore_change("add_tax").text
            True
        """
        from code_graph_indexer.explore import Explorer

        diff = diff or ("" if target else "HEAD")
        target = inside(target, self._folders)
        with self.question() as freshness:
            impact = self.graph.impact(target, diff=diff, depth=depth, **options)
            explorer = Explorer(self.store, self.embedder(), self.settings, root=self._checkout)
            return explorer.change(impact, target or f"git diff {diff}", budget, note=freshness.note)

    async def aexplore_change(self, target: str = "", **options: Any) -> Tour:
        """Do what `explore_change` does on another thread, so that an event loop goes on.

        Example:
            >>> import asyncio
            >>> asyncio.run(indexer.aexplore_change("add_tax")).route
            'change'
        """
        return await in_thread(self.explore_change, target, **options)

    @property
    def graph(self) -> GraphQuestions:
        """Ask the call graph: callers, paths, impact, hierarchy, unused definitions and more.

        Example:
            >>> indexer.graph.impact("add_tax").tests
            ('tests/test_cart.py',)
        """
        return GraphQuestions(self.fresh_store(), self.root, folders=self._folders)

    @_asking
    def symbol(self, name: str) -> list[Symbol]:
        """List the definitions of a name, which is simple or qualified by any suffix.

        `save`, `Model.save` and `models.py:save` are such names. A re-exported path gives the definition behind it:
        `flask.Flask` gives `flask.app.Flask`.

        Raises NotInIndexError, which names the nearest definitions.

        Example:
            >>> [symbol.signature for symbol in indexer.symbol("Cart.total")]
            ['def total(self, discount_percent: int = 0) -> int']
        """
        return Names(self.fresh_store(), self._folders).symbols(name)

    @_asking
    def callers(
        self, name: str, *, depth: int = 1, min_confidence: float = 0.0, tests: bool | None = None, limit: int = 50
    ) -> list[Reach]:
        """For each definition of a name, list its callers, the most certain first.

        `depth` is the number of calls to follow. Edges below `min_confidence` (0 to 1) are left out. `tests` keeps only test
        files, or none of them. `limit` is the most callers of each definition.

        Raises NotInIndexError.

        Example:
            >>> [step.symbol.qualified_name for step in indexer.callers("add_tax")[0].steps]
            ['shop.cart.Cart.total']
        """
        return self.graph.callers(name, depth=depth, min_confidence=min_confidence, tests=tests, limit=limit)

    @_asking
    def callees(
        self, name: str, *, depth: int = 1, min_confidence: float = 0.0, tests: bool | None = None, limit: int = 50
    ) -> list[Reach]:
        """For each definition of a name, list the definitions that it calls, in order of line.

        The arguments are those of `callers`. Raises NotInIndexError.

        Example:
            >>> [step.symbol.name for step in indexer.callees("Cart.total")[0].steps]
            ['apply_discount', 'subtotal', 'add_tax', 'shipping_cost', 'weight']
        """
        return self.graph.callees(name, depth=depth, min_confidence=min_confidence, tests=tests, limit=limit)

    @_asking
    def outline(self, path: str) -> FileOutline:
        """List the definitions of a file, nested as in the file. Raises NotInIndexError.

        Example:
            >>> [symbol.name for symbol in indexer.outline("shop/storage.py").symbols][:2]
            ['OrderStore', '__init__']
        """
        store = self.fresh_store()
        path = Names(store, self._folders).file(path)
        complete = path not in {file.path for file in store.unread_files()}
        symbols, depths = tuple(store.file_symbols(path)), _depths(store.file_chunks(path))
        return FileOutline(path, symbols, depths, complete)

    @_asking
    def tree(self, directory: str = "") -> dict[str, int]:
        """Return the number of lines of each indexed file below a directory, by path.

        Raises NotInIndexError if no indexed file is below it.

        Example:
            >>> indexer.tree("config")
            {'config/shop.toml': 6}
        """
        folder = inside(directory, self._folders).replace("\\", "/").strip("/").removeprefix("./")
        # The slash keeps `shop` from matching `shopping/`.
        prefix = f"{folder}/" if folder not in ("", ".") else ""
        files = self.fresh_store().files()
        lines = {file.path: file.lines for file in files if file.error is None and file.path.startswith(prefix)}
        if not lines and prefix:
            raise NotInIndexError(f"no indexed file is below {directory!r}; see: cgi tree")
        return lines

    @_asking
    def stats(self) -> dict[str, dict[str, int] | str | int]:
        """Return what the index says of itself, its size in bytes, and counts of files, chunks, edges and references.

        Example:
            >>> indexer.stats()["languages"]["python"]
            7
        """
        # A search loads no language, and this class serves searches.
        from code_graph_indexer.languages.patterns import with_language

        counts = self.fresh_store().counts()
        texts = {with_language(ending): count for ending, count in counts["text"].items()}
        return {**self.store.meta(), "size": self.store.size(), **counts, "text": texts}

    def doctor(self) -> list[str]:
        """List the faults of the index file. A sound file has none.

        Example:
            >>> indexer.doctor()
            []
        """
        return self.store.check()

    def verify(self, *, report: Callable[[Progress], None] = lambda progress: None) -> list[str]:
        """List the differences between the index and a fresh build. A sound index that is up to date has none.

        `report` is called with the progress of each stage. Raises UsageError if the repository's folder is not known.

        Example:
            >>> indexer.verify()
            []
        """
        from code_graph_indexer.indexing import verify_index

        if self.root is None:
            raise UsageError(
                f"{self.db} does not say where its repository is; give the folder: cgi verify FOLDER --db FILE"
            )
        # A file with faults cannot be read, so it is not compared.
        return self.doctor() or verify_index(self.root, self.db, self.settings, embedder=self.embedder(), report=report)

    @property
    def _checkout(self) -> "Root | None":
        """Where the indexed files are on disk, if that is known."""
        return self.root

    @property
    def _folders(self) -> Mapping[str, Path]:
        """Map the start of the paths of each repository to its folder on disk, as far as that is known."""
        return {} if self.root is None else {"": self.root}

    def _make_folder(self) -> None:
        """Make the default folder. Any other folder is the user's own."""
        if self.root is None or self.db.parent != default_index(self.root).parent:
            return
        with writable(self.db):
            make_folder(self.db.parent)

    def _seed(self) -> bool:
        """Copy the index of another checkout, if there is none here, and say whether there is one now."""
        if self.root is None or self.db != default_index(self.root) or self.db.is_file():
            return self.db.is_file()
        source = seed_for(self.root, self.db.relative_to(self.root))
        if source is None:
            return False
        self._make_folder()
        seed(self.db, source)
        return True

    def _contexts_at_places(self, text: str, filters: Filters, limit: int) -> tuple[list[RetrievedContext], bool]:
        """Return the chunks at the places that a query names, and whether it asks for nothing else. Most queries name none."""
        from code_graph_indexer.ask.trace import read_frames

        # The router takes longer to load than this check.
        if not read_frames(text):
            return [], False
        from code_graph_indexer.ask.graph_retriever import GraphRetriever
        from code_graph_indexer.ask.route import FastPathRouter, places_of_report

        report = places_of_report(text)
        path = report or FastPathRouter.places(text)
        contexts = GraphRetriever(self.store, root=self._checkout).answer(path, filters, limit=limit)[0] if path else []
        return contexts, report is None

    def _cache(self, embedder: "Embedder | None") -> "SemanticCache":
        from code_graph_indexer.retrieval.cache import SemanticCache

        with self._lock:
            if self._cache_store is None:
                self._cache_store = _open_cache(self.settings, self.db)
            return SemanticCache(self._cache_store, embedder, threshold=self.settings.cache_threshold)


class ManyIndexer(CodeIndexer):
    """The indexes of several repositories, asked as one. `db` is the file of the first, and `root` is not known.

    Each member follows its files as it does alone.
    """

    def __init__(self, places: Iterable[str | Path], **settings: Any) -> None:
        files = index_places(places)
        if not files:
            raise UsageError("there is no index to open; give an index file or the folder of a repository")
        super().__init__(db=files[0], **settings)
        self.root = None
        # The settings of a repository are for itself.
        self.settings = load_settings(None, None, **settings)
        self._members = [CodeIndexer(db=file, **settings) for file in files]
        self._reported = False

    @cached_property
    def members(self) -> dict[str, CodeIndexer]:
        """Map the name of each repository to its index. The names are those in the indexes, or else those of their folders."""
        return dict(zip(names_of(self._members), self._members, strict=True))

    def _open(self) -> Store:
        return linked_across(open_many({name: member.store for name, member in self.members.items()}))

    @contextmanager
    def question(self) -> Iterator[Freshness]:
        """Look for changes on disk once in each repository, for all questions that this thread asks inside the `with` block."""
        if getattr(self._of_thread, "in_question", False):
            yield self.freshness
            return
        store = self.store
        with ExitStack() as stack:
            looks = {name: stack.enter_context(member.question()) for name, member in self.members.items()}
            self._of_thread.freshness = _together(looks, self._note(store))
            stack.enter_context(self.reading())
            yield self._of_thread.freshness

    def _note(self, store: Store) -> str:
        """Say once which repositories are searched without vectors, and whether calls between them are followed."""
        if self._reported:
            return ""
        recorded = {name: member.store.meta().get("embedder", "") for name, member in self.members.items()}
        strangers = [name for name, embedder in recorded.items() if embedder != store.meta()["embedder"]]
        notes = [unlinked_note(store)]
        if strangers:
            notes.append(
                f"{listed(strangers)}: searched by words alone, because the vectors are not of the embedder of the others, "
                f"{store.meta()['embedder']}; index it with that one: cgi index --full --embedder SPEC"
            )
        self._reported = any(notes)
        return "\n".join(filter(None, notes))

    @property
    def _checkout(self) -> "Root | None":
        from code_graph_indexer.retrieval.stale import Checkouts

        return Checkouts({name: member.root for name, member in self.members.items() if member.root is not None})

    @property
    def _folders(self) -> Mapping[str, Path]:
        return {f"{name}/": member.root for name, member in self.members.items() if member.root is not None}

    @property
    def graph(self) -> GraphQuestions:
        """Ask the call graphs of all repositories. A diff is of the repository around the current folder."""
        here = Path.cwd().resolve()
        roots = {name: member.root.resolve() for name, member in self.members.items() if member.root is not None}
        around = [name for name, root in roots.items() if here.is_relative_to(root)]
        # Repositories may nest. The innermost is meant.
        name = max(around, key=lambda name: len(roots[name].parts), default="")
        return GraphQuestions(self.fresh_store(), roots.get(name), name, folders=self._folders)

    def close(self) -> None:
        """Close all index files. The next question opens them again."""
        super().close()
        for member in self._members:
            member.close()

    def index(self, **options: Any) -> IndexReport:
        """Raise UsageError: each repository is indexed by itself."""
        raise self._refusal("cgi index FOLDER")

    def update(self, **options: Any) -> Freshness:
        """Raise UsageError: each repository is updated by itself."""
        raise self._refusal("cgi index FOLDER")

    def verify(self, **options: Any) -> list[str]:
        """Raise UsageError: each repository is verified by itself."""
        raise self._refusal("cgi verify FOLDER")

    def watch_with(self, source: ChangeSource | None) -> None:
        """Raise UsageError: each repository is watched by itself."""
        raise self._refusal("cgi watch FOLDER")

    def _refusal(self, command: str) -> UsageError:
        return UsageError(f"{len(self._members)} indexes are open, and this works on one; run for each: {command}")


class ServerIndexer(CodeIndexer):
    """The indexes that are published to a database server, asked as one. `db` is the file that `index` publishes.

    With one repository chosen, the answers are those of its index file. With several, the first folder of a path is the name of
    the repository.
    """

    def __init__(self, root: str | Path | None = None, *, db: str, **settings: Any) -> None:
        self.address = Address.of(db)
        super().__init__(root, **settings)
        self._is_rooted = root is not None
        self._reported = False
        self._options = settings
        # The settings of the folder in which a question happens to be asked say nothing about the server.
        self.settings = load_settings(self.root if self._is_rooted else None, None, **settings)
        if self.settings.cache and not self.settings.cache_url:
            raise UsageError("answers of a database server are cached by Redis alone; give its address: CGI_CACHE_URL")

    def _open(self) -> Store:
        store = open_server(self.address, sign_memory=self.settings.server_memory)
        return store if len(self.address.repositories) == 1 else linked_across(store)

    @contextmanager
    def question(self) -> Iterator[Freshness]:
        """See whether a repository was published again, once for all questions of this thread inside the `with` block."""
        store = self.store
        store.refresh()
        note = "" if self._reported else unlinked_note(store)
        self._reported = True
        self._of_thread.freshness = Freshness(FreshnessState.UNCHECKED, note=note)
        with self.reading():
            yield self._of_thread.freshness

    @property
    def _checkout(self) -> "Root | None":
        return None

    @property
    def _folders(self) -> Mapping[str, Path]:
        return {}

    @property
    def graph(self) -> GraphQuestions:
        """Ask the call graphs of the published repositories."""
        return GraphQuestions(self.fresh_store(), None)

    def index(
        self,
        *,
        full: bool = False,
        scip: Sequence[str | Path] = (),
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> IndexReport:
        """Bring the index file of the repository up to date, and publish it.

        The repository has the name that the address chooses, or else that of its index or folder. Raises UsageError without
        `root`, what `CodeIndexer.index` raises, and what `CodeIndexer.publish` raises.
        """
        if not self._is_rooted or len(self.address.repositories) > 1:
            raise UsageError(
                f"to index into {self.address}, give the folder of one repository: cgi index FOLDER --db ADDRESS"
            )
        chosen = self.address.repositories[0] if self.address.repositories else None
        with CodeIndexer(self.root, **self._options) as local_indexer:
            done = local_indexer.index(full=full, scip=scip, report=report)
            local_indexer.publish(self.address.url, repo_id=chosen, report=report)
        self.close()
        return done

    def publish(
        self, to: str, *, repo_id: str | None = None, report: Callable[[Progress], None] = lambda progress: None
    ) -> Publication:
        """Raise UsageError: an index file is published."""
        raise self._refusal("cgi pull NAME --from ADDRESS --db FILE, then cgi publish FILE --to ADDRESS")

    def update(self, **options: Any) -> Freshness:
        """Raise UsageError: an index file is updated, and then published."""
        raise self._refusal("cgi index FOLDER --db ADDRESS")

    def verify(self, **options: Any) -> list[str]:
        """Raise UsageError: an index file is verified."""
        raise self._refusal("cgi pull NAME --from ADDRESS --db FILE, then cgi verify FOLDER --db FILE")

    def watch_with(self, source: ChangeSource | None) -> None:
        """Raise UsageError: a folder is watched."""
        raise self._refusal("cgi watch FOLDER")

    def _refusal(self, command: str) -> UsageError:
        return UsageError(f"{self.address} is a database server, and this works on a file; run: {command}")


def names_of(members: Sequence[CodeIndexer]) -> list[str]:
    """Return a name for each index: the one that it has, else that of its repository's folder or of its file.

    Equal names get the names of the folders around them in front, as many as it takes.
    """
    places = [member.db.with_suffix("") if member.root is None else member.root for member in members]
    names = [
        member.store.meta().get("repo_id", "").strip("/") or place.name
        for member, place in zip(members, places, strict=True)
    ]
    folders = [place.parent for place in places]
    while clashes := [number for number, name in enumerate(names) if names.count(name) > 1]:
        if any(not folders[number].name for number in clashes):
            raise UsageError(f"two indexes are named {names[clashes[0]]!r}; name one of them: cgi index --repo-id NAME")
        for number in clashes:
            names[number] = f"{folders[number].name}/{names[number]}"
            folders[number] = folders[number].parent
    return names


_STATES = (FreshnessState.STALE, FreshnessState.UNCHECKED, FreshnessState.UPDATED, FreshnessState.CURRENT)
"""The states of members, in the order in which one decides for all."""


def _together(looks: Mapping[str, Freshness], note: str) -> Freshness:
    """Return how an answer of several repositories relates to their files. What holds for several is said once."""
    notes: dict[str, list[str]] = defaultdict(list)
    for name, look in looks.items():
        if look.note:
            notes[look.note].append(name)
    said = [f"{listed(names)}: {text}" for text, names in notes.items()]
    paths = {
        field: tuple(f"{name}/{path}" for name, look in looks.items() for path in getattr(look, field))
        for field in ("changed", "new", "deleted")
    }
    state = next(state for state in _STATES if any(look.state is state for look in looks.values()))
    return Freshness(state, **paths, note="\n".join([*said, *([note] if note else [])]))


def _root_of(db: Path) -> Path | None:
    """Return the repository around an index in its default place, and None for an index elsewhere."""
    # Elsewhere, the place of the file says nothing about its repository.
    root = db.parent.parent
    return root if db == default_index(root) else None


def _load_embedder(settings: Settings, recorded: str) -> "Embedder":
    """Load the embedder of the settings. Raises EmbedderError if it is not the one recorded in the index."""
    from code_graph_indexer.embedders import create_embedder

    spec, options = settings.embedder_choice(recorded)
    embedder = create_embedder(spec, **options)
    # Vectors of two embedders do not compare, so results would be arbitrary.
    if embedder.name != recorded:
        raise EmbedderError(
            f"the index was made with the embedder {recorded!r}, not {embedder.name!r}; "
            f"ask with --embedder {recorded}, or rebuild it: cgi index --full --embedder {embedder.name}"
        )
    return embedder


def _load_cross_encoder(settings: Settings) -> "PairScorer":
    """Load the cross-encoder of the settings. Raises EmbedderError if it or its package cannot be loaded."""
    try:
        from code_graph_indexer.retrieval.cross_encoder import CrossEncoder
    except ImportError as exc:
        raise EmbedderError(
            "a cross-encoder needs fastembed; run: pip install 'code-graph-indexer[fastembed]'"
        ) from exc
    return CrossEncoder(settings.cross_encoder, cache_dir=settings.model_cache)


def _above(threshold: float | None, contexts: list[RetrievedContext]) -> list[RetrievedContext]:
    """Return the results with at least this share of the best score. The cache keeps them all, for other thresholds."""
    if threshold is None or not contexts:
        return contexts
    return [context for context in contexts if context.score >= threshold * contexts[0].score]


def _open_cache(settings: Settings, db: Path) -> "CacheStore":
    """Open the cache of the settings: at a Redis server, or else in a file beside the index.

    Raises UsageError if the Redis package is missing or the URL is not valid.
    """
    from code_graph_indexer.storage.cache import RedisCache, SqliteCache

    ttl, limit = settings.cache_ttl, settings.cache_limit
    try:
        if settings.cache_url:
            return RedisCache(settings.cache_url, ttl=ttl, limit=limit)
        return SqliteCache(beside(db, CACHE), ttl=ttl, limit=limit)
    except ImportError as exc:
        raise UsageError("a cache at Redis needs its package; run: pip install 'code-graph-indexer[redis]'") from exc
    except ValueError as exc:
        raise UsageError(f"CGI_CACHE_URL is no Redis URL: {exc}; give one like redis://localhost:6379/0") from exc


def _depths(chunks: Sequence[StoredChunk]) -> dict[int, int]:
    """Return the nesting of each chunk by its id: 0 directly in the module, 1 inside such a definition, and so on."""
    parents = {chunk.id: chunk.parent_id for chunk in chunks}
    modules = {chunk.id for chunk in chunks if chunk.parent_id is None}
    depths: dict[int, int] = {}
    for chunk in chunks:
        depth, parent_id = 0, chunk.parent_id
        while parent_id is not None and parent_id not in modules:
            depth, parent_id = depth + 1, parents.get(parent_id)
        depths[chunk.id] = depth
    return depths
