"""The facade: open an index, bring it up to date, search it, walk its graph, ask it."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from code_graph_indexer.errors import IndexNotFoundError, NotInIndexError, UsageError
from code_graph_indexer.graph import GraphQuestions, Names, Reach
from code_graph_indexer.searching import Searching
from code_graph_indexer.settings import Settings, load_settings
from code_graph_indexer.storage import SqliteStore
from code_graph_indexer.types import FileOutline, IndexReport, Progress, StoredChunk, Symbol

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


class CodeIndexer(Searching):
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
        super().__init__()

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
    def store(self) -> SqliteStore:
        """Return the opened index. Raises IndexNotFoundError or IndexFormatError."""
        if not self.db.is_file():
            where = self.root if self.root is not None else self.db.parent
            raise IndexNotFoundError(f"there is no index at {self.db}; make one with: cgi index {where}")
        return SqliteStore(self.db)

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
