"""An opened index: its store, how it follows the files on disk, and the block in which it stays as it is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from threading import RLock, local
from typing import Concatenate, ParamSpec, Protocol, Self, TypeVar, cast

from code_graph_indexer.freshness import Freshness, FreshnessState
from code_graph_indexer.storage import Store, explains_damage

Options = ParamSpec("Options")
Answer = TypeVar("Answer")
Opened = TypeVar("Opened", bound="OpenedIndex")


class Resource(Protocol):
    """What is opened, and closed at the end."""

    def close(self) -> None:
        """Close it."""


def asking(
    method: Callable[Concatenate[Opened, Options], Answer],
) -> Callable[Concatenate[Opened, Options], Answer]:
    """Decorate a method so that it looks for changes on disk once, and its answer is of one version of the index."""

    @wraps(method)
    def ask(self: Opened, /, *args: Options.args, **kwargs: Options.kwargs) -> Answer:
        with self.question():
            return method(self, *args, **kwargs)

    return ask


@explains_damage(lambda index: index.store)
class OpenedIndex(ABC):
    """An index that questions open, and that looks for changes before each of them. A context manager, which closes it."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._resources: dict[str, Resource] = {}
        self._of_thread = local()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _open(self) -> Store:
        """Open the store. Raises what `store` raises."""

    @abstractmethod
    def _look(self, during: ExitStack) -> Freshness:
        """Look for changes on disk, and say how the answer relates to the files. `during` lasts as long as the question."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name for people: of the repository, of the index file, or of what several are.

        Example:
            >>> indexer.name
            'shop'
        """

    @property
    @abstractmethod
    def built(self) -> float:
        """When the index was written, in seconds since 1970. Of several, when the last was.

        Example:
            >>> indexer.built > 0
            True
        """

    @property
    def is_set(self) -> bool:
        """Whether the first folder of each path names a repository.

        Example:
            >>> indexer.is_set
            False
        """
        return False

    @property
    def folders(self) -> Mapping[str, Path]:
        """Map the start of the paths of each repository to its folder on disk, as far as that is known.

        Example:
            >>> [(start, str(folder) == shop) for start, folder in indexer.folders.items()]
            [('', True)]
        """
        return {}

    @property
    def store(self) -> Store:
        """Open the index file, and return the opened index.

        Raises IndexNotFoundError if there is no index, BusyError while another process builds the first, and
        IndexFormatError if the file is no index of this version.

        Example:
            >>> indexer.store.file_text("config/shop.toml") is not None
            True
        """
        return cast(Store, self.once("store", self._open))

    def once(self, name: str, make: Callable[[], Resource]) -> Resource:
        """Return what is opened under a name, and open it with `make` first if it is not. `close` closes it.

        Example:
            >>> indexer.once("store", indexer.store.close) is indexer.store
            True
        """
        with self._lock:
            if name not in self._resources:
                self._resources[name] = make()
            return self._resources[name]

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
        with ExitStack() as during:
            self._of_thread.freshness = self._look(during)
            during.enter_context(self.reading())
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

    def close(self) -> None:
        """Close the index and its cache of answers. The next question opens them again.

        Example:
            >>> opened = CodeIndexer(shop)
            >>> opened.close()
        """
        with self._lock:
            opened, self._resources = self._resources, {}
        # Without the lock, because a question that still runs may need it.
        for resource in opened.values():
            resource.close()
