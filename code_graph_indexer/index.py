"""Ask an index: search it, walk its graph, have a question answered. It is of any store.

One naming rule holds in every class. The plain name is synchronous. The name with an `a` before it is its asynchronous twin,
which does the same on another thread: `retrieve` and `aretrieve`, `query` and `aquery`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from code_graph_indexer import ask, explore, retrieval
from code_graph_indexer.background import twin
from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import EmbedderError, NotInIndexError
from code_graph_indexer.freshness import Freshness
from code_graph_indexer.graph.names import Names
from code_graph_indexer.opened import OpenedIndex, asking
from code_graph_indexer.outside import inside
from code_graph_indexer.results import IMPACT_DEPTH, ExpectedWord, FileOutline, Filters, Symbol
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store, explains_damage
from code_graph_indexer.storage.records import StoredChunk

# Late, because each command of the shell is a new process, and few methods use these parts.
if TYPE_CHECKING:
    from code_graph_indexer import embedders, libraries
    from code_graph_indexer.ask.conversation import Turn
    from code_graph_indexer.ask.llm import LanguageModel
    from code_graph_indexer.ask.results import RAGResult
    from code_graph_indexer.embedders import Embedder
    from code_graph_indexer.explore.page import Tour
    from code_graph_indexer.graph import questions
    from code_graph_indexer.graph.questions import GraphQuestions
    from code_graph_indexer.graph.results import Reach, References
    from code_graph_indexer.languages import patterns
    from code_graph_indexer.retrieval import CodeRetriever
    from code_graph_indexer.retrieval.results import Doubt, RetrievedContext
    from code_graph_indexer.retrieval.stale import Root
else:
    embedders = late_module("code_graph_indexer.embedders")
    libraries = late_module("code_graph_indexer.libraries")
    patterns = late_module("code_graph_indexer.languages.patterns")
    questions = late_module("code_graph_indexer.graph.questions")


Search = TypeVar("Search", bound=Callable[..., Any])

_LIBRARY = re.compile(r"(?<!\S)library:(\S+)")
"""Matches the filter by which a search asks a package that the repository uses: `library:requests`."""

_IN_PACKAGE = re.compile(r"site-packages|node_modules|vendor|pkg/mod|registry/src")
"""Matches the folders in which packages lie: `CONTAINERS` of libraries, which is loaded for a trace with one of them."""

_QUALIFIED = re.compile(r"@?[\w$][\w$/@-]*(?:(?:\.|::|/)[\w$-]+)+")
"""Matches a name with its package or module before it: `requests.get`."""


def _of_library(method: Search) -> Search:
    """Decorate a search so that `library:NAME` in its query asks that package in place of the repository."""

    @wraps(method)
    def ask(self: Index, query: str, *args: Any, **options: Any) -> Any:
        match = _LIBRARY.search(query)
        if match is None:
            return method(self, query, *args, **options)
        library = Behind(self).library(match[1])
        rest = f"{query[: match.start()]} {query[match.end() :]}".strip()
        return getattr(library, method.__name__)(f"repo:{library.name} {rest}", *args, **options)

    return cast(Search, ask)


def _followed(method: Search) -> Search:
    """Decorate a tour so that it follows names and traces into packages, and also asks the one of `library:NAME`."""

    @wraps(method)
    def ask(self: Index, query: str, *args: Any, **options: Any) -> Any:
        with self.question():
            asked, text, note = Behind(self).followed(query)
            tour = method(asked, text, *args, **options)
        return replace(tour, text=f"{tour.text}- {note}\n") if note else tour

    return _of_library(cast(Search, ask))


@explains_damage(lambda index: index.store)
class Index(OpenedIndex):
    """Ask an index, whatever holds it. A context manager, which closes the index at its end.

    Several threads may share it. `open_index` opens an index file, several as one, or a database server. `CodeIndexer` is the
    index of a folder, and also writes it.

    Example:
        >>> with open_index(shop) as opened:
        ...     opened.symbol("place_order")[0].file_path
        'shop/orders.py'
        >>> import asyncio
        >>> asyncio.run(indexer.aretrieve("add_tax", limit=1))[0].name
        'add_tax'
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self._embedder: Embedder | None = None

    def embedder(self) -> Embedder | None:
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

    @_of_library
    @asking
    def retrieve(
        self,
        query: str,
        *,
        expect: str = "",
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
            expect: Names and words that such code would use, four to eight. A question in plain words finds little without.
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
        filters = retrieval.build_filters(
            repo_id=repo_id,
            language=language,
            directory=None if directory is None else inside(directory, self.folders),
            chunk_type=chunk_type,
            source_types=source_types,
            file_patterns=file_patterns,
            tests=tests,
        )
        query = inside(query, self.folders)
        folders = tuple(inside(folder, self.folders) for folder in retrieval.as_tuple(folders))
        limit = self.settings.limit if limit is None else limit
        store = self.fresh_store()
        text, filters = retrieval.read_filters(store, query, filters, folders=folders, limit=limit)
        # A query for a place has one answer, so nothing is searched if the index has it.
        places, alone = _contexts_at_places(store, self._checkout, text, filters, limit)
        if places and alone:
            return places
        embedder = None if keyword_only else self.embedder()
        retriever = _retriever(self.store, embedder, self.settings, self._checkout)
        contexts = retriever.search(
            text,
            filters,
            limit=limit,
            pool_size=self.settings.pool_size,
            folders=folders,
            places=[context.node_id for context in places],
            expect=expect,
        )
        return _above(threshold, contexts)

    @_of_library
    @asking
    def doubt(self, query: str, contexts: Sequence[RetrievedContext], *, expect: str = "") -> Doubt | None:
        """Return None if the first of five or more results is surely right, else documentation to read and how to ask again.

        Example:
            >>> indexer.doubt("place_order", indexer.retrieve("place_order")) is None
            True
        """
        # A place, which a query names with its lines, has no signals, and is what was asked for.
        if contexts and not contexts[0].signals:
            return None
        store = self.fresh_store()
        text, filters = retrieval.read_filters(store, query)
        return retrieval.doubt_of(store, text, filters, contexts, expect)

    @asking
    def expected(self, expect: str) -> tuple[ExpectedWord, ...]:
        """Return which expected words the index has, in how many chunks, and what comes near to the words that it lacks.

        Example:
            >>> [word.chunks > 0 for word in indexer.expected("cart invoice")]
            [True, False]
        """
        return retrieval.expected_words(self.fresh_store(), expect)

    def retrieve_by_keyword(self, query: str, **options: Any) -> list[RetrievedContext]:
        """Do what `retrieve` does by names, words and substrings alone, without an embedder.

        Example:
            >>> indexer.retrieve_by_keyword("FREE_SHIPPING_FROM", limit=1)[0].file_path
            'shop/pricing.py'
        """
        return self.retrieve(query, keyword_only=True, **options)

    def retrieve_with_parents(
        self, query: str, *, limit: int | None = None, child_limit: int = 50, **options: Any
    ) -> list[RetrievedContext]:
        """Search small chunks, and return the whole classes, functions and sections that hold them, best first.

        `limit` counts the definitions returned, `child_limit` the chunks searched. `options` are those of `retrieve`.

        Raises what `retrieve` raises.

        Example:
            >>> [context.type for context in indexer.retrieve_with_parents("empty cart", limit=1)]
            ['class']
        """
        retrieval.check_limit(limit)
        with self.question():
            children = self.retrieve(query, limit=child_limit, **options)
            return retrieval.with_parents(self.store, children, self.settings.limit if limit is None else limit)

    @asking
    def retrieve_examples(self, symbol: str, *, limit: int | None = None) -> list[RetrievedContext]:
        """Return real uses of a definition, the most instructive first.

        Raises NotInIndexError for a name that the index lacks, and UsageError for a limit below 1.

        Example:
            >>> "add_tax(" in indexer.retrieve_examples("add_tax")[0].content
            True
        """
        retrieval.check_limit(limit)
        return retrieval.examples(
            self.fresh_store(), symbol, self.settings.limit if limit is None else limit, self._checkout
        )

    @asking
    def retrieve_symbols(self, query: str, *, limit: int | None = None) -> list[Symbol]:
        """List the definitions that a query names, in full or by its words. Raises UsageError for a limit below 1.

        Example:
            >>> [symbol.qualified_name for symbol in indexer.retrieve_symbols("place order", limit=1)]
            ['shop.orders.place_order']
        """
        retrieval.check_limit(limit)
        return retrieval.find_symbols(self.fresh_store(), query, self.settings.limit if limit is None else limit)

    def ask(
        self,
        question: str,
        *,
        expect: str = "",
        language_model: LanguageModel | None = None,
        on_text: Callable[[str], None] | None = None,
        history: Sequence[Turn] = (),
        folders: Sequence[str] = (),
        keyword_only: bool = False,
        **filters: Any,
    ) -> RAGResult:
        """Answer a question: route it, search, judge and expand the context, write the answer, check its citations.

        `expect` is that of `retrieve`. Without it, the language model that splits the question says what it expects.
        `language_model` replaces the one of the settings. Without an API key, the answer is the context, in order and cited.
        `on_text` is called with each piece of a generated answer as it arrives. `history` holds the turns before.
        `folders` are preferred. `filters` are the filter arguments of `retrieve`.

        Raises what `retrieve` raises, and AnswerError if the language model fails.

        Example:
            >>> result = indexer.ask("who calls add_tax?")
            >>> result.route, result.sources[0].name
            ('graph', 'add_tax')
        """
        pipeline = ask.RAGPipeline(
            self.fresh_store(),
            None if keyword_only else self.embedder(),
            self.settings,
            root=self._checkout,
            language_model=language_model,
        )
        return pipeline.query(
            inside(question, self.folders),
            expect=expect,
            filters=retrieval.build_filters(**filters),
            folders=retrieval.as_tuple(folders),
            history=history,
            on_text=on_text,
        )

    @_followed
    def explore(self, query: str, *, expect: str = "", budget: int | None = None, keyword_only: bool = False) -> Tour:
        """Return a tour: how the code that a query is about hangs together, and the source along the way, in one text.

        The query is a question, names of definitions, `A -> B` for the calls between two, a path with a line, or a stack trace.
        `expect` has names and words that code for a question would use: without them, a question in plain words finds little.
        `budget` is the most tokens of the text (by default 3,250 to 6,000, by the number of files).

        Raises UsageError if a filter or the budget is not valid, IndexNotFoundError, IndexFormatError or EmbedderError.

        Example:
            >>> "def add_tax" in indexer.explore("add_tax").text
            True
        """
        with self.question() as freshness:
            explorer = explore.Explorer(
                self.store, None if keyword_only else self.embedder(), self.settings, root=self._checkout
            )
            return explorer.tour(inside(query, self.folders), budget, expect=expect, note=freshness.note)

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
        diff = diff or ("" if target else "HEAD")
        target = inside(target, self.folders)
        with self.question() as freshness:
            impact = self.graph.impact(target, diff=diff, depth=depth, **options)
            explorer = explore.Explorer(self.store, self.embedder(), self.settings, root=self._checkout)
            return explorer.change(impact, target or f"git diff {diff}", budget, note=freshness.note)

    @property
    def graph(self) -> GraphQuestions:
        """Ask the call graph: callers, paths, impact and more. In a set, a diff is of the repository around this folder.

        Example:
            >>> indexer.graph.impact("add_tax").tests
            ('tests/test_cart.py',)
        """
        start = _start_here(self.folders)
        return questions.GraphQuestions(
            self.fresh_store(), self.folders.get(start), start.rstrip("/"), folders=self.folders
        )

    @asking
    def symbol(self, name: str) -> list[Symbol]:
        """List the definitions of a name, which is simple or qualified by any suffix.

        `save`, `Model.save` and `models.py:save` are such names. A re-exported path gives the definition behind it:
        `flask.Flask` gives `flask.app.Flask`.

        Raises NotInIndexError, which names the nearest definitions.

        Example:
            >>> [symbol.signature for symbol in indexer.symbol("Cart.total")]
            ['def total(self, discount_percent: int = 0) -> int']
        """
        store = self.fresh_store()
        return _described(store, Names(store, self.folders).symbols(name))

    @asking
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

    @asking
    def references(
        self, name: str, *, kind: str = "", file: str = "", tests: bool | None = None, limit: int | None = None
    ) -> list[References]:
        """For each definition of a name, list its uses: calls, reads, writes, types, imports, bases and prose.

        `kind` keeps one kind, `file` the files whose path begins so, and `tests` only tests or none. `limit` is the most uses
        of each definition. Raises NotInIndexError, or UsageError for an unknown kind.

        Example:
            >>> [(use.kind, use.file_path, use.line) for use in indexer.references("TAX_PERCENT")[0].uses]
            [('reads', 'shop/pricing.py', 14)]
        """
        return self.graph.references(name, kind=kind, file=file, tests=tests, limit=limit)

    @asking
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

    @asking
    def outline(self, path: str) -> FileOutline:
        """List the definitions of a file, nested as in the file. Raises NotInIndexError.

        Example:
            >>> [symbol.name for symbol in indexer.outline("shop/storage.py").symbols][:2]
            ['OrderStore', '__init__']
        """
        store = self.fresh_store()
        path = Names(store, self.folders).file(path)
        complete = path not in {file.path for file in store.unread_files()}
        symbols, depths = tuple(store.file_symbols(path)), _depths(store.file_chunks(path))
        return FileOutline(path, symbols, depths, complete)

    @asking
    def tree(self, directory: str = "") -> dict[str, int]:
        """Return the number of lines of each indexed file below a directory, by path.

        Raises NotInIndexError if no indexed file is below it.

        Example:
            >>> indexer.tree("config")
            {'config/shop.toml': 6}
        """
        folder = inside(directory, self.folders).replace("\\", "/").strip("/").removeprefix("./")
        # The slash keeps `shop` from matching `shopping/`.
        prefix = f"{folder}/" if folder not in ("", ".") else ""
        files = self.fresh_store().files()
        lines = {file.path: file.lines for file in files if file.error is None and file.path.startswith(prefix)}
        if not lines and prefix:
            raise NotInIndexError(f"no indexed file is below {directory!r}")
        return lines

    @asking
    def stats(self) -> dict[str, dict[str, int] | str | int]:
        """Return what the index says of itself, its size in bytes, and counts of files, chunks, edges and references.

        Example:
            >>> indexer.stats()["languages"]["python"]
            7
        """
        counts = self.fresh_store().counts()
        texts = {patterns.with_language(ending): count for ending, count in counts["text"].items()}
        return {**self.store.meta(), "size": self.store.size(), **counts, "text": texts}

    def doctor(self) -> list[str]:
        """List the faults of the index file. A sound file has none.

        Example:
            >>> indexer.doctor()
            []
        """
        return self.store.check()

    @property
    def _checkout(self) -> Root | None:
        """Where the indexed files are on disk, if that is known."""
        if self.is_set:
            return retrieval.Checkouts({start.rstrip("/"): folder for start, folder in self.folders.items()})
        return self.folders.get("")

    aretrieve = twin(retrieve)
    adoubt = twin(doubt)
    aexpected = twin(expected)
    aretrieve_by_keyword = twin(retrieve_by_keyword)
    aretrieve_with_parents = twin(retrieve_with_parents)
    aretrieve_examples = twin(retrieve_examples)
    aretrieve_symbols = twin(retrieve_symbols)
    aask = twin(ask)
    aexplore = twin(explore)
    aexplore_change = twin(explore_change)
    asymbol = twin(symbol)
    acallers = twin(callers)
    areferences = twin(references)
    acallees = twin(callees)
    aoutline = twin(outline)
    atree = twin(tree)


class LibraryIndex(Index):
    """The index of a repository and of packages that it uses. Paths in a package begin with its name and version."""

    def __init__(self, own: Index, name: str, open_store: Callable[[], Store]) -> None:
        super().__init__(own.settings)
        self._own = own
        self._name = name
        self._open_store = open_store

    @property
    def name(self) -> str:
        """The names and versions of the packages."""
        return self._name

    @property
    def built(self) -> float:
        """When the index of the repository was written."""
        return self._own.built

    def _open(self) -> Store:
        return self._open_store()

    def _look(self, during: ExitStack) -> Freshness:
        """Look for changes of the repository. A package at a version does not change."""
        return during.enter_context(self._own.question())


class Behind:
    """The packages behind the imports of a repository, as its index leads into them: by their names, and by traces."""

    def __init__(self, index: Index) -> None:
        self._index = index

    @cached_property
    def _door(self) -> libraries.Door:
        """The packages that are installed for the repository."""
        index = self._index
        return libraries.Door(index.fresh_store(), index.folders, libraries.cache_of(index.settings))

    def has_index(self, name: str) -> bool:
        """Say whether a name outside the repository leads into a package that is indexed."""
        return self._door.has_index(name)

    def _beside(self, *packages: libraries.Installed) -> LibraryIndex:
        """Return the index of the repository and of packages. Raises NotInIndexError for one that is not indexed."""
        name = ", ".join(map(libraries.folder_of, packages))
        make = partial(LibraryIndex, self._index, name, partial(self._door.open, packages))
        return cast(LibraryIndex, self._index.once(f"library {name}", make))

    def library(self, name: str) -> LibraryIndex:
        """Return the index of the repository and an installed package. Paths in the package begin with `requests@2.33.0/`.

        Raises NotInIndexError for a package that is not installed for the repository, or not indexed (`cgi libraries add`).
        """
        return self._beside(self._door.named(name))

    def named(self, names: Sequence[str]) -> tuple[Index, list[str]] | None:
        """Return the index that knows names which the repository lacks, because packages define them, and the names in it.

        None if no installed package does. Raises NotInIndexError if one does that is not indexed.
        """
        own = Names(self._index.fresh_store(), self._index.folders)
        unknown = [name for name in names if not own.matches(name)]
        packages = {name: pair for name in unknown if (pair := self._door.package(name)) is not None}
        if not packages:
            return None
        library = self._beside(*dict.fromkeys(package for package, _ in packages.values()))
        store = library.store
        return library, [self._door.meant(store, *packages[name], name) if name in packages else name for name in names]

    def followed(self, query: str) -> tuple[Index, str, str]:
        """Return the index to explore for a query, the query as it takes it, and a sentence on what is missing.

        It is another index if the query has names that only packages define, or is a trace that leads into packages.
        """
        if isinstance(self._index, LibraryIndex):
            return self._index, query, ""
        if ask.read_frames(query):
            text, packages, missing = self._door.places(query) if _IN_PACKAGE.search(query) else (query, [], [])
            unread = " ".join(package.name for package in missing)
            note = unread and f"the lines of {unread} are not shown; index them: cgi libraries add {unread}"
            return (self._beside(*packages) if packages else self._index), text, note
        names = list(dict.fromkeys(_QUALIFIED.findall(query)))
        try:
            behind = self.named(names) if names else None
        except NotInIndexError as exc:
            return self._index, query, str(exc)
        if behind is None:
            return self._index, query, ""
        library, meant = behind
        for name, exact in zip(names, meant, strict=True):
            query = query.replace(name, exact)
        return library, query, ""


def _retriever(store: Store, embedder: Embedder | None, settings: Settings, root: Root | None) -> CodeRetriever:
    """Return a search with the constants of the settings."""
    return retrieval.CodeRetriever(store, embedder, root=root, folder_boost=settings.rrf_folder_boost)


def _start_here(folders: Mapping[str, Path]) -> str:
    """Return the start of the paths of the repository around the current folder, the innermost of several, or an empty text."""
    if len(folders) == 1 and "" in folders:
        return ""
    here = Path.cwd().resolve()
    roots = {start: folder.resolve() for start, folder in folders.items()}
    around = [start for start, root in roots.items() if here.is_relative_to(root)]
    # Repositories may nest. The innermost is meant.
    return max(around, key=lambda start: len(roots[start].parts), default="")


def _contexts_at_places(
    store: Store, root: Root | None, text: str, filters: Filters, limit: int
) -> tuple[list[RetrievedContext], bool]:
    """Return the chunks at the places that a query names, and whether it asks for nothing else. Most queries name none."""
    # The router takes longer to load than this check.
    if not ask.read_frames(text):
        return [], False
    report = ask.places_of_report(text)
    path = report or ask.FastPathRouter.places(text)
    contexts = ask.GraphRetriever(store, root=root).answer(path, filters, limit=limit)[0] if path else []
    return contexts, report is None


def _described(store: Store, symbols: Sequence[Symbol]) -> list[Symbol]:
    """Return definitions with what a language model wrote of them."""
    descriptions = store.descriptions([symbol.node_id for symbol in symbols])
    # Most have none, and stay as they are.
    return [
        replace(symbol, description=descriptions[symbol.node_id]) if symbol.node_id in descriptions else symbol
        for symbol in symbols
    ]


def _load_embedder(settings: Settings, recorded: str) -> Embedder:
    """Load the embedder of the settings. Raises EmbedderError if it is not the one recorded in the index."""
    spec, options = settings.embedder_choice(recorded)
    embedder = embedders.create_embedder(spec, **options)
    # Vectors of two embedders do not compare, so results would be arbitrary.
    if embedder.name != recorded:
        raise EmbedderError(
            f"the index was made with the embedder {recorded!r}, not {embedder.name!r}; "
            f"ask with --embedder {recorded}, or rebuild it: cgi index --full --embedder {embedder.name}"
        )
    return embedder


def _above(threshold: float | None, contexts: list[RetrievedContext]) -> list[RetrievedContext]:
    """Return the results with at least this share of the best score."""
    if threshold is None or not contexts:
        return contexts
    return [context for context in contexts if context.score >= threshold * contexts[0].score]


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
