"""Hold the repositories of a server: open their indexes, build missing ones, and choose the one that a question means."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread

from code_graph_indexer.errors import CgiError, IndexNotFoundError, UsageError
from code_graph_indexer.explore import default_budget, scan
from code_graph_indexer.git import checkouts, repository_of
from code_graph_indexer.indexer import CodeIndexer, find_index
from code_graph_indexer.indexing.watch import Watcher
from code_graph_indexer.mcp.builds import Build
from code_graph_indexer.paths import user_path
from code_graph_indexer.render import clean
from code_graph_indexer.results import Freshness, FreshnessState, Tour
from code_graph_indexer.settings import project_folder
from code_graph_indexer.storage import published_repositories
from code_graph_indexer.storage.address import Address
from code_graph_indexer.storage.local import sole_watcher
from code_graph_indexer.words import estimate_tokens

log = logging.getLogger(__name__)

BUILD_SECONDS = 4.0
"""The most seconds that a question waits for the first build of an index."""

QUIET_SECONDS = 10.0
"""Seconds of one wait for a change. At its end, the thread sees whether the server was closed."""

RETRY_SECONDS = 60.0
"""Seconds until a session tries again to be the one that follows the files."""

MAX_TOKENS, MIN_TOKENS = 6_000, 500
"""The most and the least tokens of a reply. Some hosts write replies above 25,000 characters to a file."""

Question = Callable[[CodeIndexer, int], Tour]
"""A question to an index, with a budget in tokens."""


class Repository:
    """A repository that the server answers for. Its index follows the files: before each question, and in quiet moments."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = root.name
        self.build: Build | None = None
        self._indexer: CodeIndexer | None = None
        self._watcher: Watcher | None = None
        self._closed = Event()
        self._lock = Lock()
        # An update in the middle of an answer would give it lines of two versions.
        self._asking = Lock()

    def answer(self, query: str, question: Question, budget: int) -> str:
        """Return the answer to a question as text, within a budget in tokens.

        Without an index, it is built first. If that takes longer than BUILD_SECONDS, the files themselves are searched.
        """
        indexer = self._opened()
        try:
            with self._asking, indexer.question() as freshness:
                budget = budget or default_budget(indexer.store)
                text = clean(question(indexer, min(max(budget, MIN_TOKENS), MAX_TOKENS)).text)
        except IndexNotFoundError:
            return self._while_building(query, question, budget)
        self._after(freshness)
        return text

    def warm(self) -> None:
        """Open the index and load the embedder, so that the first question need not wait for them. Nothing is raised."""
        indexer = self._opened()
        with suppress(CgiError):
            with self._asking, indexer.question() as freshness:
                indexer.embedder()
            self._after(freshness)

    @property
    def progress(self) -> str:
        """Say what a question waits for."""
        if self.build is not None and self.build.running:
            return f"building the index of {self.name}: {self.build.share:.0%}"
        return f"asking {self.name}"

    def close(self) -> None:
        """Close the index, and end the watching and a build."""
        self._closed.set()
        if self.build is not None:
            self.build.stop()
        if self._watcher is not None:
            self._watcher.close()
        if self._indexer is not None:
            self._indexer.close()

    def _opened(self) -> CodeIndexer:
        with self._lock:
            if self._indexer is None:
                self._indexer = CodeIndexer(self.root)
            return self._indexer

    def _after(self, freshness: Freshness) -> None:
        """Bring the index up to date if it was too far behind for the answer, and begin to watch the files."""
        if freshness.state is FreshnessState.STALE:
            self._start_build()
        with self._lock:
            # An index that is read as it is, such as one that cannot be written, has nothing to follow.
            if self._watcher is not None or freshness.state is FreshnessState.UNCHECKED or self._closed.is_set():
                return
            indexer = self._indexer
            assert indexer is not None
            self._watcher = Watcher(self.root, indexer.db, report=log.warning)
            indexer.watch_with(self._watcher)
        Thread(target=self._follow, args=(indexer, self._watcher), name="cgi-follow", daemon=True).start()

    def _follow(self, indexer: CodeIndexer, watcher: Watcher) -> None:
        """Update the index in quiet moments. One process does that for all sessions, so that idle ones cost nothing."""
        while not self._closed.is_set():
            with suppress(CgiError), sole_watcher(indexer.db):
                while not self._closed.is_set():
                    if watcher.wait(QUIET_SECONDS):
                        with self._asking, indexer.question() as freshness:
                            pass
                        if freshness.state is FreshnessState.STALE:
                            self._start_build()
            # Another session has the task, until it ends.
            self._closed.wait(RETRY_SECONDS)

    def _start_build(self) -> Build:
        with self._lock:
            if self.build is None or not self.build.running:
                self.build = Build(self.root)
            return self.build

    def _while_building(self, query: str, question: Question, budget: int) -> str:
        build = self._start_build()
        if build.wait(BUILD_SECONDS):
            if build.error:
                return f"There is no index of {self.root} yet, and it cannot be built: {build.error}"
            return self.answer(query, question, budget)
        head = (
            f"The index is being built ({build.share:.0%} done). Until then, the files themselves were searched for the "
            "names in the question, without a call graph. Ask again for the whole answer."
        )
        lines = scan(self.root, query, budget=min(budget or MAX_TOKENS, MAX_TOKENS) - estimate_tokens(head) - 1)
        return clean(f"{head}\n\n{lines}")


class Published(Repository):
    """The repositories that are published to a database server, or one of them. They are read as they are there."""

    def __init__(self, address: Address) -> None:
        super().__init__(Path())
        self.address = address
        self.name = ", ".join(address.repositories) or str(address)

    def answer(self, query: str, question: Question, budget: int) -> str:
        """Return the answer to a question as text, within a budget in tokens."""
        indexer = self._opened()
        with self._asking, indexer.question():
            budget = budget or default_budget(indexer.store)
            return clean(question(indexer, min(max(budget, MIN_TOKENS), MAX_TOKENS)).text)

    def _opened(self) -> CodeIndexer:
        with self._lock:
            if self._indexer is None:
                url = self.address.url + (
                    "#" + ",".join(self.address.repositories) if self.address.repositories else ""
                )
                self._indexer = CodeIndexer(db=url)
            return self._indexer

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
        self._lock = Lock()

    def warm(self) -> None:
        """Open the indexes on another thread."""
        for repository in self.named(""):
            Thread(target=repository.warm, name="cgi-warm", daemon=True).start()

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
        names = [row.repo_id for row in published_repositories(address)]
        if repo not in names:
            raise UsageError(
                f"no repository is named {repo!r}. This server answers for: {', '.join(names) or 'none yet'}"
            )
        # A path of a repository's name is no folder here.
        return self._repositories.setdefault(Path(repo), Published(replace(address, repositories=(repo,))))

    def _worktree(self, repo: str) -> Repository:
        folder = user_path(repo)
        known = ", ".join(f"{repository.name} ({repository.root})" for repository in self._repositories.values())
        is_full = Path(repo).is_absolute() or repo.startswith("~")
        if not is_full or not folder.is_dir():
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
        """Close all indexes, and end all builds."""
        for repository in self._repositories.values():
            repository.close()


def _root(folder: Path) -> Path:
    """Return the root of a folder's index, or else the top of its git repository, or else the folder."""
    folder = user_path(folder)
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give the folder of a repository: cgi mcp FOLDER")
    index = find_index(folder)
    return index.parent.parent if index is not None else repository_of(folder) or folder
