"""Hold the repositories of a server: open their indexes, build missing ones, and choose the one that a question means."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from code_graph_indexer.errors import CgiError, IndexNotFoundError, UsageError
from code_graph_indexer.explore import default_budget, scan
from code_graph_indexer.git import common_folder, repository_of
from code_graph_indexer.indexer import CodeIndexer, find_index
from code_graph_indexer.mcp.builds import Build
from code_graph_indexer.render import clean
from code_graph_indexer.results import Tour
from code_graph_indexer.settings import project_folder

BUILD_SECONDS = 4.0
"""The most seconds that a question waits for the first build of an index."""

MAX_TOKENS, MIN_TOKENS = 6_000, 500
"""The most and the least tokens of a reply. Some hosts write replies above 25,000 characters to a file."""

Question = Callable[[CodeIndexer, int], Tour]
"""A question to an index, with a budget in tokens."""


class Repository:
    """A repository that the server answers for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = root.name
        self.build: Build | None = None
        self._indexer: CodeIndexer | None = None
        self._lock = Lock()

    def answer(self, query: str, question: Question, budget: int) -> str:
        """Return the answer to a question as text, within a budget in tokens.

        Without an index, it is built first. If that takes longer than BUILD_SECONDS, the files themselves are searched.
        """
        try:
            indexer = self._opened()
            budget = budget or default_budget(indexer.store)
            return clean(question(indexer, min(max(budget, MIN_TOKENS), MAX_TOKENS)).text)
        except IndexNotFoundError:
            pass
        return self._while_building(query, question, budget)

    def warm(self) -> None:
        """Open the index and load the embedder, so that the first question need not wait for them. Nothing is raised."""
        with suppress(CgiError):
            self._opened().embedder()

    @property
    def progress(self) -> str:
        """Say what a question waits for."""
        if self.build is not None and self.build.running:
            return f"building the index of {self.name}: {self.build.share:.0%}"
        return f"asking {self.name}"

    def close(self) -> None:
        """Close the index, and end a build."""
        if self.build is not None:
            self.build.stop()
        if self._indexer is not None:
            self._indexer.close()

    def _opened(self) -> CodeIndexer:
        with self._lock:
            if self._indexer is None:
                self._indexer = CodeIndexer(self.root)
            return self._indexer

    def _while_building(self, query: str, question: Question, budget: int) -> str:
        with self._lock:
            if self.build is None or (not self.build.running and self.build.error):
                self.build = Build(self.root)
            build = self.build
        if build.wait(BUILD_SECONDS):
            if build.error:
                return f"There is no index of {self.root} yet, and it cannot be built: {build.error}"
            return self.answer(query, question, budget)
        head = (
            f"The index is being built ({build.share:.0%} done). Until then, the files themselves were searched for the "
            "names in the question, without a call graph. Ask again for the whole answer."
        )
        found = scan(self.root, query, budget=min(budget or MAX_TOKENS, MAX_TOKENS) - 60)
        return clean(f"{head}\n\n{found}")


class Repositories:
    """The repositories of a server. A worktree of one of them is added when a question names it."""

    def __init__(self, folders: Sequence[Path]) -> None:
        roots = dict.fromkeys(_root(folder) for folder in folders or [project_folder()])
        self._repositories = {root: Repository(root) for root in roots}
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
            by_name = [repository for repository in held if repo in (repository.name, str(repository.root))]
            return by_name or [self._worktree(repo)]

    def _worktree(self, repo: str) -> Repository:
        folder = Path(repo).expanduser()
        known = ", ".join(f"{repository.name} ({repository.root})" for repository in self._repositories.values())
        if not folder.is_absolute() or not folder.is_dir():
            raise UsageError(f"no repository is named {repo!r}. This server answers for: {known}")
        root = _root(folder)
        if root not in self._repositories:
            # Any other folder might hold what its user does not want to show to an agent.
            common = common_folder(root)
            if common is None or all(common_folder(held) != common for held in self._repositories):
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
    folder = folder.expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give the folder of a repository: cgi mcp FOLDER")
    index = find_index(folder)
    return index.parent.parent if index is not None else repository_of(folder) or folder
