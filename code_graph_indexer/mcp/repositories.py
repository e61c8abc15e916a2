"""Hold the repositories of a server: open their indexes, build missing ones, and choose the one that a question means."""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from code_graph_indexer import explore
from code_graph_indexer.errors import BusyError, CgiError, IndexFormatError, IndexNotFoundError, UsageError
from code_graph_indexer.freshness import Freshness, FreshnessState
from code_graph_indexer.git import checkouts, repository_of
from code_graph_indexer.index import Index
from code_graph_indexer.indexer import CodeIndexer, PublishedIndex, default_index, find_index
from code_graph_indexer.mcp.builds import Build
from code_graph_indexer.mcp.tools import MAX_TOKENS, MIN_TOKENS
from code_graph_indexer.outside import home_folder, path_of
from code_graph_indexer.render import clean
from code_graph_indexer.settings import has_project_folder, project_folder
from code_graph_indexer.storage import servers
from code_graph_indexer.storage.address import Address
from code_graph_indexer.storage.local import sole_watcher
from code_graph_indexer.storage.snapshot import index_stamp
from code_graph_indexer.words import estimate_tokens

# A client waits for the server to start. What only questions need is loaded after that, in the functions below.
if TYPE_CHECKING:
    from code_graph_indexer.explore.page import Tour
    from code_graph_indexer.indexing.watch import Watcher

log = logging.getLogger(__name__)

BUILD_SECONDS = 4.0
"""The most seconds that a question waits for the first build of an index."""

QUIET_SECONDS = 10.0
"""Seconds of one wait for a change. At its end, the thread sees whether the server was closed."""

RETRY_SECONDS = 60.0
"""Seconds until a session tries again to be the one that follows the files."""

WHICH_FOLDER = (
    "Start the server for the folder of a repository: cgi mcp FOLDER, or set CGI_ROOT to it. "
    "To index this folder all the same, run: cgi index {root}"
)
"""What to do if the folder of the server is no repository."""

Question = Callable[[Index, int], "Tour"]
"""A question to an index, with a budget in tokens."""


class Repository:
    """A repository that the server answers for. Its index follows the files: before each question, and in quiet moments."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = root.name
        self.build: Build | None = None
        self._built = ""
        self._indexer: Index | None = None
        self._watcher: Watcher | None = None
        self._closed = Event()
        self._lock = Lock()

    def answer(self, query: str, question: Question, budget: int) -> str:
        """Return the answer to a question as text, within a budget in tokens.

        Without an index, or with one that nobody can read, it is built first. If that takes longer than BUILD_SECONDS, the
        files themselves are searched.
        """
        try:
            return self._from_index(question, budget)
        except (IndexNotFoundError, BusyError) as exc:
            return self._without_index(query, question, budget, exc)
        except IndexFormatError as exc:
            # One that was just built anew and is refused again stays so.
            if index_stamp(default_index(self.root)) == self._built:
                raise
            return self._without_index(query, question, budget, exc)

    def _from_index(self, question: Question, budget: int) -> str:
        """Answer from the index, and then do what its state asks for. Raises CgiError if there is no index to read."""
        indexer = self._opened()
        with indexer.question() as freshness:
            text = self._ask(indexer, question, budget)
        self._after(freshness)
        return text

    @staticmethod
    def _ask(indexer: Index, question: Question, budget: int) -> str:
        budget = budget or explore.default_budget(indexer.store)
        return clean(question(indexer, min(max(budget, MIN_TOKENS), MAX_TOKENS)).text)

    def warm(self) -> None:
        """Open the index and load the embedder, so that the first question need not wait for them. Nothing is raised."""
        import code_graph_indexer.explore  # noqa: F401  (the first question would wait for it)

        with suppress(CgiError):
            indexer = self._opened()
            with indexer.question() as freshness:
                indexer.embedder()
            self._after(freshness)

    @property
    def progress(self) -> str:
        """Say what a question waits for."""
        if self.build is not None and self.build.running:
            return f"building the index of {self.name}: {self.build.share:.0%}"
        return f"asking {self.name}"

    def close(self) -> None:
        """Close the index, and end the watching. A build goes on, for the next server."""
        self._closed.set()
        if self._watcher is not None:
            self._watcher.close()
        if self._indexer is not None:
            self._indexer.close()

    def _opened(self) -> Index:
        """Return the index, which is opened by the first question."""
        with self._lock:
            if self._indexer is None:
                self._indexer = self._open()
            return self._indexer

    def _open(self) -> Index:
        return CodeIndexer(self.root)

    def _after(self, freshness: Freshness) -> None:
        """Follow an answer from the index: build it if it was too far behind, and begin to watch the files."""
        if freshness.state is FreshnessState.STALE:
            self._start_build()
        with self._lock:
            # An index that is read as it is, such as one that cannot be written, has nothing to follow.
            if self._watcher is not None or freshness.state is FreshnessState.UNCHECKED or self._closed.is_set():
                return
            from code_graph_indexer.indexing.watch import Watcher

            indexer = self._indexer
            assert isinstance(indexer, CodeIndexer)
            self._watcher = Watcher(self.root, indexer.db, report=log.warning)
            indexer.watch_with(self._watcher)
        Thread(target=self._follow, args=(indexer, self._watcher), name="cgi-follow", daemon=True).start()

    def _follow(self, indexer: CodeIndexer, watcher: "Watcher") -> None:
        """Update the index in quiet moments. One process does that for all sessions, so that idle ones cost nothing."""
        while not self._closed.is_set():
            with suppress(CgiError), sole_watcher(indexer.db):
                while not self._closed.is_set():
                    if watcher.wait(QUIET_SECONDS):
                        with indexer.question() as freshness:
                            pass
                        if freshness.state is FreshnessState.STALE:
                            self._start_build()
            # Another session has the task, until it ends.
            self._closed.wait(RETRY_SECONDS)

    def _start_build(self, *, full: bool = False) -> Build:
        with self._lock:
            if self.build is None or not self.build.running:
                self.build = Build(self.root, full=full)
            return self.build

    def _without_index(self, query: str, question: Question, budget: int, error: CgiError) -> str:
        """Return an answer from the files, while this server or another process builds the index.

        `error` says why there is no index. An index that nobody can read is built anew.
        """
        if reason := self.refusal():
            return f"{reason} {WHICH_FOLDER.format(root=self.root)}"
        with self._lock:
            is_building = self.build is not None and self.build.running
        if isinstance(error, BusyError) and not is_building:
            return self._from_files(query, budget, "Another process is writing the index.")
        build = self._start_build(full=isinstance(error, IndexFormatError))
        # Only the first questions wait.
        if build.wait(max(0.0, BUILD_SECONDS - build.age)):
            if build.error:
                return f"There is no index of {self.root} yet, and it cannot be built: {build.error}"
            self._built = index_stamp(default_index(self.root))
            return self._from_index(question, budget)
        return self._from_files(query, budget, f"The index is being built ({build.share:.0%} done).")

    def _from_files(self, query: str, budget: int, reason: str) -> str:
        """Answer by a search of the files, after a sentence that gives the `reason`."""
        head = (
            f"{reason} Until then, the files themselves were searched for the names in the question, without a call graph. "
            "Ask again for the whole answer."
        )
        budget = min(max(budget or MAX_TOKENS, MIN_TOKENS), MAX_TOKENS)
        # Here, because a door may not be named as the module behind it.
        from code_graph_indexer.explore.scan import scan

        return clean(f"{head}\n\n{scan(self.root, query, budget=budget - estimate_tokens(head) - 1)}")

    def refusal(self) -> str:
        """Say why the folder is not indexed without being asked to, or return an empty text."""
        if default_index(self.root).is_file():
            return ""
        if _is_above_all(self.root):
            return f"{self.root} is no repository: it holds the files of all that is on this machine or of a user."
        return "" if explore.has_source(self.root) else f"{self.root} holds no source that could be indexed."


class Published(Repository):
    """The repositories that are published to a database server, or one of them. They are read as they are there."""

    def __init__(self, address: Address) -> None:
        super().__init__(Path())
        self.address = address
        self.name = ", ".join(address.repositories) or str(address)

    def answer(self, query: str, question: Question, budget: int) -> str:
        """Return the answer to a question as text, within a budget in tokens."""
        indexer = self._opened()
        with indexer.question():
            return self._ask(indexer, question, budget)

    def refusal(self) -> str:
        """Return an empty text: there is no folder."""
        return ""

    def _open(self) -> Index:
        return PublishedIndex(self.address)

    def _after(self, freshness: Freshness) -> None:
        """Do nothing: there are no files to follow."""


class Repositories:
    """The repositories of a server. A worktree of one of them is added when a question names it.

    `address` is that of a database server, in place of folders. A question may name each repository that is published there.
    """

    def __init__(self, folders: Sequence[Path], *, address: Address | None = None) -> None:
        self._address = address
        self._repositories: dict[Path, Repository]
        if address is None:
            roots = dict.fromkeys(_root(folder) for folder in folders or [project_folder()])
            self._repositories = {root: Repository(root) for root in roots}
        else:
            self._repositories = {Path(): Published(address)}
        self.is_named = bool(folders) or address is not None or has_project_folder()
        self._is_warm = False
        self._lock = Lock()

    def warm(self) -> None:
        """Open the indexes on other threads, at the first call."""
        with self._lock:
            is_first, self._is_warm = not self._is_warm, True
            repositories = list(self._repositories.values()) if is_first else []
        for repository in repositories:
            Thread(target=repository.warm, name="cgi-warm", daemon=True).start()

    def are_unusable(self) -> bool:
        """Say whether none of the folders can be indexed, and the user named none."""
        return not self.is_named and all(repository.refusal() for repository in self.named(""))

    def take(self, folders: Iterable[Path]) -> None:
        """Answer for the folders that a client works in, in place of the one that the server was started in."""
        roots = dict.fromkeys(_root(folder) for folder in folders if folder.is_dir())
        repositories = {root: Repository(root) for root in roots}
        usable = {root: repository for root, repository in repositories.items() if not repository.refusal()}
        if usable:
            with self._lock:
                self._repositories = {**usable}

    def named(self, repo: str) -> list[Repository]:
        """Return the repositories that a name or a path means, or all of them for an empty text.

        Raises UsageError, which lists the repositories, if it means none of them.
        """
        with self._lock:
            held = list(self._repositories.values())
            if not repo:
                return held
            if self._address is not None:
                return [self._published(repo, self._address)]
            by_name = [repository for repository in held if repo in (repository.name, str(repository.root))]
            return by_name or [self._worktree(repo)]

    def _published(self, repo: str, address: Address) -> Repository:
        """Return a repository that is published. Raises UsageError if it is not, or not among those that were chosen."""
        names = [row.repo_id for row in servers().published_repositories(address)]
        if repo not in names:
            raise UsageError(
                f"no repository is named {repo!r}. This server answers for: {', '.join(names) or 'none yet'}"
            )
        # A path of a repository's name is no folder here.
        return self._repositories.setdefault(Path(repo), Published(replace(address, repositories=(repo,))))

    def _worktree(self, repo: str) -> Repository:
        """Return this server's repository around an absolute path, or a worktree of one. Raises UsageError for any other."""
        folder = path_of(repo)
        known = ", ".join(f"{repository.name} ({repository.root})" for repository in self._repositories.values())
        # A relative path would be one from where the server was started, which an agent does not know.
        if (not repo.startswith("~") and not Path(repo).is_absolute()) or not folder.is_dir():
            raise UsageError(f"no repository is named {repo!r}. This server answers for: {known}")
        root = _root(folder)
        if root not in self._repositories:
            # Any other folder might hold what its user does not want to show to an agent.
            if not {root.resolve(), *checkouts(root)} & {held.resolve() for held in self._repositories}:
                raise UsageError(
                    f"{root} is no repository of this server, nor a worktree of one. It answers for: {known}. "
                    "To add it, start the server with it: cgi mcp FOLDER FOLDER"
                )
            self._repositories[root] = Repository(root)
        return self._repositories[root]

    def close(self) -> None:
        """Close all indexes. Builds go on."""
        for repository in self._repositories.values():
            repository.close()


def _root(folder: Path) -> Path:
    """Return the root of a folder's index, or else of its git repository (unless that is the home folder), or the folder."""
    folder = path_of(folder)
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give the folder of a repository: cgi mcp FOLDER")
    index = find_index(folder)
    if index is not None:
        return index.parent.parent
    top = repository_of(folder)
    # Some keep their whole home folder in git.
    return folder if top is None or _is_above_all(top) else top


def _is_above_all(folder: Path) -> bool:
    """Say whether a folder is the home folder of this user, or holds it, as the root of the file system does."""
    home = home_folder()
    return folder == folder.parent or (home is not None and home.resolve().is_relative_to(folder.resolve()))
