"""The index of a folder, which is also written, and the ways to open any index: a file, several as one, a database server."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from code_graph_indexer import ask, indexing
from code_graph_indexer.across import linked_across, unlinked_note
from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import ApiKeyError, BusyError, IndexNotFoundError, UsageError
from code_graph_indexer.freshness import ChangeSource, Freshness, FreshnessCheck, FreshnessState, listed
from code_graph_indexer.git import is_git_folder, is_linked_worktree, repository_of
from code_graph_indexer.index import Index
from code_graph_indexer.outside import path_of
from code_graph_indexer.results import Progress
from code_graph_indexer.seeding import seed, seed_for
from code_graph_indexer.settings import load_settings
from code_graph_indexer.storage import (
    DEFAULT_PLACE,
    Store,
    explains_damage,
    index_places,
    open_many,
    open_store,
    servers,
    writable,
)
from code_graph_indexer.storage.address import Address, is_address
from code_graph_indexer.storage.local import is_being_written
from code_graph_indexer.storage.side import make_folder

# Late, because only one method needs it.
if TYPE_CHECKING:
    from code_graph_indexer import describe as describing
    from code_graph_indexer.ask.llm import LanguageModel
    from code_graph_indexer.describe import DescriptionPlan, DescriptionReport
    from code_graph_indexer.indexing.run import IndexReport
    from code_graph_indexer.storage.publication import Publication
else:
    describing = late_module("code_graph_indexer.describe")


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


def open_index(*places: str | Path, **settings: Any) -> Index:
    """Open indexes to ask them, several as one.

    A place is an index file, the folder of a repository, or a folder of index files or of repositories. If they are several,
    the first folder of a path in an answer is the name of the repository, and the filter `repo:NAME` asks some of them.

    The place may also be the address of a database server: `postgresql://user@host/database` for all repositories that are
    published there, `postgresql://…#name,name` for some, with one for the answers of its index file.

    Without a place, it is the one of the setting `db`, or else the index of the current folder or of the nearest folder above.
    The keywords are fields of `Settings`.

    Raises IndexNotFoundError for a place without an index, IndexFormatError, ServerError, and UsageError for names that do not
    differ, or for a server beside other places.

    Example:
        >>> with open_index(shop) as opened:
        ...     opened.symbol("place_order")[0].file_path
        'shop/orders.py'
    """
    if not places and (default := load_settings().db):
        places = (default,)
    if addresses := [Address.of(str(place)) for place in places if is_address(place)]:
        if len(places) > 1:
            raise UsageError(
                f"{addresses[0]} is asked alone; publish the index files there: cgi publish FILE --db ADDRESS"
            )
        return PublishedIndex(addresses[0], **settings)
    files = index_places(places)
    return IndexSet(files, **settings) if len(files) > 1 else CodeIndexer(db=files[0] if files else None, **settings)


@explains_damage(lambda indexer: indexer.store)
class CodeIndexer(Index):
    """Work with the index of one repository: write it, keep it current, ask it. A context manager, which closes it at its end.

    Several threads may share it.

    `root` is the repository's folder. Without it, the index of the current folder or of the nearest folder above is used.
    `db` is the index file, if it is not in its default place, `.cgi/index.db`. All methods but `index` and `verify` need
    only `db`. The remaining keywords are fields of `Settings`.

    Raises UsageError if `root` is not a folder, `db` is the address of a server, or a setting is not valid.

    Example:
        >>> with CodeIndexer(shop) as opened:
        ...     opened.symbol("place_order")[0].file_path
        'shop/orders.py'
    """

    def __init__(self, root: str | Path | None = None, *, db: str | Path | None = None, **settings: object) -> None:
        start = path_of(root if root is not None else ".")
        if root is not None and not start.is_dir():
            raise UsageError(f"{start} is not a folder; give the folder of a repository")
        if is_address(db):
            raise UsageError(
                f"{Address.of(str(db))} is a database server, and this works on a file; ask the server with open_index, "
                "or run first: cgi pull NAME --db ADDRESS --to FILE"
            )
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
        super().__init__(load_settings(self.root, None, **settings))
        is_default_place = self.root is not None and self.db == default_index(self.root)
        self._check = FreshnessCheck(
            self.root,
            self.db,
            self.settings,
            is_default_place=is_default_place,
            turn=lambda: self.store.changing(),
        )
        self._check_lock = RLock()
        self._checked_at = 0.0
        self._last_freshness = Freshness(FreshnessState.UNCHECKED)

    def _open(self) -> Store:
        """Open the index. If there is none and updates are on, that of another checkout is copied first.

        Raises BusyError while the first is being built, IndexNotFoundError without one, and UsageError for a folder.
        """
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

    def _look(self, during: ExitStack) -> Freshness:
        """Look for changes, and update the index if they are few. Questions that wait here share one look."""
        arrived = time.monotonic()
        # Questions that wait for a look share the next one: it begins after all of them, so it misses no change before them.
        with self._check_lock:
            if self._checked_at < arrived:
                self._checked_at = time.monotonic()
                store = self.store
                self._last_freshness = self._check.before_question()
                store.refresh()
            return self._last_freshness

    @property
    def name(self) -> str:
        """The name of the repository's folder, or that of the index file."""
        return self.db.stem if self.root is None else self.root.name

    @property
    def built(self) -> float:
        """When the index file was written, in seconds since 1970."""
        return self.db.stat().st_mtime

    @property
    def folders(self) -> Mapping[str, Path]:
        """Map the start of the paths to the folder of the repository, if that is known."""
        return {} if self.root is None else {"": self.root}

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
        return indexing.index_repository(self.root, self.db, self.settings, full=full, report=report, scip=scip_paths)

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

    def verify(self, *, report: Callable[[Progress], None] = lambda progress: None) -> list[str]:
        """List the differences between the index and a fresh build. A sound index that is up to date has none.

        `report` is called with the progress of each stage. Raises UsageError if the repository's folder is not known.

        Example:
            >>> indexer.verify()
            []
        """
        if self.root is None:
            raise UsageError(
                f"{self.db} does not say where its repository is; give the folder: cgi verify FOLDER --db FILE"
            )
        # A file with faults cannot be read, so it is not compared.
        return self.doctor() or indexing.verify_index(
            self.root, self.db, self.settings, embedder=self.embedder(), report=report
        )

    def describe(
        self,
        *,
        limit: int | None = None,
        agreed: Callable[[DescriptionPlan], bool] = lambda plan: True,
        language_model: LanguageModel | None = None,
        report: Callable[[Progress], None] = lambda progress: None,
        notice: Callable[[str], None] = lambda sentence: None,
    ) -> DescriptionReport:
        """Bring the index up to date, and let a language model write one sentence for each definition that others can name.

        Definitions in tests, examples, generated and vendored files, and those that have a sentence, are left out. A question
        in plain words finds a definition by its sentence. The sentence stays in the index until the text of the definition
        changes. `limit` is the most definitions, the most used first. `agreed` is called once, with what is going to be asked
        and its price: nothing is asked if it returns False. `language_model` replaces the one of the settings. `report` is
        called with the progress, `notice` with a sentence about each wait. What is written stays, however the run ends.

        Raises ApiKeyError without a key or base URL, AnswerError if the model fails, UsageError for a limit below 1, and what
        `index` raises.

        Example:
            >>> from code_graph_indexer.ask.llm import Reply
            >>> class Model:
            ...     def stream(self, prompt, on_text):
            ...         return Reply("1: Says how much tax a price has in the end.", "my-model")
            >>> indexer.describe(limit=1, language_model=Model()).described
            1
        """
        if limit is not None and limit < 1:
            raise UsageError(f"the limit must be at least 1, not {limit}")
        if self.root is not None:
            self.index(report=report)
        describer = describing.Describer(self.store, self.db, self.settings, limit=limit, report=report, notice=notice)
        plan = describer.plan
        # Without a key, nobody is asked for an agreement.
        model = language_model or ask.configured_model(self.settings) if plan.definitions else None
        if plan.definitions and model is None:
            raise ApiKeyError(
                "descriptions are written by a language model; set ANTHROPIC_API_KEY, or CGI_BASE_URL for a server of your own"
            )
        if model is None or not agreed(plan):
            return describing.DescriptionReport(plan.model, 0, 0, plan.definitions + plan.left, 0, 0, None, 0.0)
        done = describer.run(model)
        self.store.refresh()
        return done

    def watch_with(self, source: ChangeSource | None) -> None:
        """Ask a watcher whether anything changed before each question, in place of a look at all files. None ends that.

        Example:
            >>> indexer.watch_with(None)
        """
        self._check.watch_with(source)

    def publish(
        self, to: str, *, repo_id: str | None = None, report: Callable[[Progress], None] = lambda progress: None
    ) -> Publication:
        """Write the index to a database server, in place of what is published under its name. Readers never see half of it.

        `to` is an address such as `postgresql://user@host/database`. `repo_id` is the name of the repository there. By default,
        it is the name that the address chooses, that in the index, or else that of the repository's folder.

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
        if len(address.repositories) > 1:
            raise UsageError(
                f"{address} names several repositories, and an index is published under one name; give one"
            )
        repo_id = repo_id or "".join(address.repositories)
        self.store.refresh()
        return servers().publish_index(self.db, address, repo_id=repo_id or names_of([self])[0], report=report)

    def _make_folder(self) -> None:
        """Make the default folder. Any other folder is the user's own."""
        if self.root is None or self.db.parent != default_index(self.root).parent:
            return
        with writable(self.db):
            make_folder(self.db.parent)

    def _seed(self) -> bool:
        """Copy the index of another checkout, if this is the default place and has none, and say whether there is one now."""
        if self.root is None or self.db != default_index(self.root) or self.db.is_file():
            return self.db.is_file()
        source = seed_for(self.root, self.db.relative_to(self.root))
        if source is None:
            return False
        self._make_folder()
        seed(self.db, source)
        return True


class IndexSet(Index):
    """The indexes of several repositories, asked as one. Each member follows its files as it does alone."""

    def __init__(self, files: Sequence[Path], **settings: Any) -> None:
        # The settings of a repository are for itself.
        super().__init__(load_settings(None, None, **settings))
        self._members = [CodeIndexer(db=file, **settings) for file in files]
        self._reported = False

    @cached_property
    def members(self) -> dict[str, CodeIndexer]:
        """Map the name of each repository to its index. The names are those in the indexes, or else those of their folders."""
        return dict(zip(names_of(self._members), self._members, strict=True))

    @property
    def is_set(self) -> bool:
        """Whether the first folder of each path names a repository."""
        return True

    @property
    def name(self) -> str:
        """The number of repositories."""
        return f"{len(self._members):,} repositories"

    @property
    def built(self) -> float:
        """When the last index was written, in seconds since 1970."""
        return max(member.built for member in self._members)

    @property
    def folders(self) -> Mapping[str, Path]:
        """Map the name of each repository, with a slash, to its folder on disk, as far as that is known."""
        return {f"{name}/": member.root for name, member in self.members.items() if member.root is not None}

    def _open(self) -> Store:
        return linked_across(open_many({name: member.store for name, member in self.members.items()}))

    def _look(self, during: ExitStack) -> Freshness:
        store = self.store
        looks = {name: during.enter_context(member.question()) for name, member in self.members.items()}
        return _together(looks, self._note(store))

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

    def close(self) -> None:
        """Close all index files. The next question opens them again."""
        super().close()
        for member in self._members:
            member.close()


class PublishedIndex(Index):
    """The indexes that are published to a database server, asked as one. A single one answers as its index file does."""

    def __init__(self, address: Address, **settings: Any) -> None:
        # The settings of the folder in which a question happens to be asked say nothing about the server.
        super().__init__(load_settings(None, None, **settings))
        self.address = address
        self._reported = False

    @property
    def is_set(self) -> bool:
        """Whether the first folder of each path names a repository."""
        return len(self.address.repositories) != 1

    @property
    def name(self) -> str:
        """The names of the chosen repositories, or the address."""
        return ", ".join(self.address.repositories) or str(self.address)

    @property
    def built(self) -> float:
        """When the last repository was published, in seconds since 1970."""
        rows = servers().published_repositories(self.address)
        return max((row.published.timestamp() for row in rows), default=0.0)

    def _open(self) -> Store:
        store = servers().open_server(self.address, sign_memory=self.settings.server_memory)
        return linked_across(store) if self.is_set else store

    def _look(self, during: ExitStack) -> Freshness:
        """See whether a repository was published again."""
        self.store.refresh()
        note = "" if self._reported else unlinked_note(self.store)
        self._reported = True
        return Freshness(FreshnessState.UNCHECKED, note=note)


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
    """Return how an answer of several repositories relates to their files: the worst state, and each note once."""
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
