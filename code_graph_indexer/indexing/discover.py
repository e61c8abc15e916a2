"""Find the files of a repository, except those that .gitignore, .cgiignore or a built-in rule leave out.

What git tracks is source. Of all outside the root, only git's own folder is read, for the list of tracked files.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import GIT_ENTRY, is_linked_worktree, repository_of
from code_graph_indexer.languages.patterns import PathPatterns, file_patterns
from code_graph_indexer.storage.snapshot import (
    UNTRUSTED,
    Listing,
    SeenFolder,
    change_time,
    listing_version,
    names_digest,
    see_rule,
    see_tracked,
    trusted_time,
)
from code_graph_indexer.syntax.records import SourceFile

GIT_IGNORE = ".gitignore"
CGI_IGNORE = ".cgiignore"

GLOB_CHARACTERS = frozenset("*?[")

TOO_LARGE = "too large"
"""The first words of the error of a file that is not read for its size."""


class Verdict(StrEnum):
    """What the rules say of a path. `INCLUDED` means that a `!` pattern of .cgiignore brings it in, whatever else it is."""

    SOURCE = "source"
    INCLUDED = "included"
    IGNORED = "ignore file"
    BUILT_IN = "built-in rule"
    WORKTREE = "linked worktree"

    @property
    def leaves_out(self) -> bool:
        """Whether the path is left out."""
        return self not in (Verdict.SOURCE, Verdict.INCLUDED)


class LeftOut(NamedTuple):
    """A path that is left out, and the rule that does it, such as `.gitignore:3 "build/"`. A folder's path ends with `/`."""

    path: str
    rule: str


class _Tracked:
    """The files that git tracks, and the folders around them with `/` at the end, by their paths from the root.

    Files in folders of installed packages are left out.
    """

    def __init__(self) -> None:
        self.files: set[str] = set()
        self._folders: dict[str, bool] = {"": True}

    def add(self, root: Path, prefix: str, listing: Listing) -> None:
        """Add the files of the repository in or around a folder, whose path from the root is `prefix`."""
        # Without `/` at its end, because the listing names it to the file system.
        place, rule, names = see_tracked(root, prefix.rstrip("/"))
        listing.rules[place] = rule
        for name in names:
            path = prefix + name
            if self._add_folder(path[: path.rfind("/") + 1]):
                self.files.add(path)

    def _add_folder(self, folder: str) -> bool:
        """Add a folder and those around it. Return False if it is in a folder of installed packages."""
        is_source, end = self._folders.get(folder), 0
        if is_source is not None:
            return is_source
        is_source = True
        # From the top, and without recursion: git's index may hold a path of thousands of folders.
        while end := folder.find("/", end) + 1:
            above = folder[:end]
            if above not in self._folders:
                self._folders[above] = is_source and not file_patterns().packages.match(above)
            is_source = self._folders[above]
        return is_source

    def is_around(self, folder: str) -> bool:
        """Say whether a folder has a tracked file below it."""
        return self._folders.get(folder, False)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ignore rules that apply in a folder, outermost first, as (folder of the ignore file with `/`, its patterns).

    `forced` are the folders below which a `!` pattern of .cgiignore may match. `source_folders` are the folders
    that a `!` pattern of a .gitignore names. A folder's name without `/` means that folder anywhere.
    """

    tracked: _Tracked
    git: tuple[tuple[str, PathPatterns], ...] = ()
    cgi: tuple[tuple[str, PathPatterns], ...] = ()
    forced: tuple[str, ...] = ()
    source_folders: tuple[str, ...] = ()

    def entering(self, folder: str, prefix: str, names: set[str]) -> "_Rules":
        """Return the rules inside a folder: these rules, and those of the folder's own ignore files.

        `folder` is its full path, `prefix` its path from the root with `/`, and `names` are its entries.
        """
        if names.isdisjoint((GIT_IGNORE, CGI_IGNORE)):
            return self
        rules = self
        if GIT_IGNORE in names and (lines := _read_lines(Path(folder, GIT_IGNORE))):
            folders = (_named_folder(prefix, line[1:].rstrip()) for line in lines if line.startswith("!"))
            rules = replace(
                rules,
                git=(*rules.git, (prefix, PathPatterns(lines))),
                source_folders=(*rules.source_folders, *filter(None, folders)),
            )
        if CGI_IGNORE in names and (lines := _read_lines(Path(folder, CGI_IGNORE))):
            forced = (prefix + _literal_prefix(line[1:]) for line in lines if line.startswith("!"))
            rules = replace(rules, cgi=(*rules.cgi, (prefix, PathPatterns(lines))), forced=(*rules.forced, *forced))
        return rules

    def decide(self, path: str, above: Verdict) -> Verdict:
        """Say what the rules make of a path. `above` is the verdict on the folder around it."""
        # The user's own file goes first, so that it can bring back what git leaves out.
        verdict = _last_word(self.cgi, path)
        if verdict is not None:
            return Verdict.IGNORED if verdict else Verdict.INCLUDED
        if path.endswith("/"):
            # A rule is about the folder that it names, so a folder inside is not asked again.
            if file_patterns().ignored.own_verdict(path) and not self._holds_source(path):
                return Verdict.BUILT_IN
        # What git tracks is source. A folder around it stays ignored, or its untracked files would come in too.
        elif path in self.tracked.files:
            return Verdict.SOURCE
        if above.leaves_out:
            # Git reads no .gitignore inside an ignored folder, so a `!` there brings nothing back.
            return above
        return Verdict.IGNORED if self.ignored_by_git(path) else Verdict.SOURCE

    def ignored_by_git(self, path: str) -> bool:
        """Say whether a .gitignore leaves a path out, whose folder is not left out."""
        # As in git, `!folder/` brings back no file inside, so only matches of the path itself count.
        verdicts = (spec.own_verdict(path[len(prefix) :]) for prefix, spec in reversed(self.git))
        return next((verdict for verdict in verdicts if verdict is not None), False)

    def _holds_source(self, folder: str) -> bool:
        """Say whether git tracks a file in a folder, or a `!` pattern of a .gitignore names it."""
        name = folder[folder.rfind("/", 0, -1) + 1 : -1]
        return self.tracked.is_around(folder) or any(
            source == name or source.startswith(folder) for source in self.source_folders
        )

    def may_include_inside(self, folder: str) -> bool:
        """Say whether a folder that is left out may contain files to index.

        These are files that git tracks, or that a `!` pattern of .cgiignore includes.
        """
        return self.tracked.is_around(folder) or any(
            prefix.startswith(folder) or folder.startswith(prefix) for prefix in self.forced
        )

    def rule_for(self, path: str, verdict: Verdict) -> str:
        """Return the rule that leaves a path out: the line of an ignore file, or the name of a built-in rule."""
        if verdict is Verdict.WORKTREE:
            return verdict.value
        if verdict is Verdict.BUILT_IN:
            return f"{verdict.value} {file_patterns().ignored.line_for(path)[1]}"
        for name, specs in ((CGI_IGNORE, self.cgi), (GIT_IGNORE, self.git)):
            for prefix, spec in reversed(specs):
                number, line = spec.line_for(path[len(prefix) :])
                if number:
                    return f'{prefix}{name}:{number} "{line}"'
        return verdict.value


def _last_word(rules: tuple[tuple[str, PathPatterns], ...], path: str) -> bool | None:
    """Return what the innermost rules that speak of a path say: True leaves it out. None if no rules speak of it."""
    for prefix, spec in reversed(rules):
        verdict = spec.verdict(path[len(prefix) :])
        if verdict is not None:
            return verdict
    return None


def _literal_prefix(pattern: str) -> str:
    """Return the folders at the start of a pattern that have no wildcard: `gen/api/*.py` → `gen/api/`.

    Return an empty text if the pattern may match at any depth.
    """
    # Without a slash the pattern matches at any depth, so no folder can be ruled out.
    if "/" not in pattern.rstrip("/"):
        return ""
    parts = pattern.lstrip("/").split("/")
    literal: list[str] = []
    for part in parts[:-1]:
        if GLOB_CHARACTERS & set(part):
            break
        literal.append(part + "/")
    return "".join(literal)


def _named_folder(prefix: str, pattern: str) -> str:
    """Return the path of the folder that a `!` pattern names, or its name alone if it may be anywhere, else an empty text.

    `!/dist/keep.py` names `dist/`, and `!dist/` names `dist`. Wildcards name no folder: `!*/` is said of all folders.
    `prefix` is the folder of the ignore file.
    """
    literal = _literal_prefix(pattern)
    if literal:
        return prefix + literal
    name = pattern.rstrip("/")
    return name if "/" not in name and not GLOB_CHARACTERS & set(name) else ""


def _read_lines(path: Path) -> list[str]:
    """Return the lines of an ignore file. There are none if it cannot be read, or is a link or no regular file."""
    try:
        # A link may lead outside the root, and git follows none. Reading a pipe would wait for a writer.
        if path.is_symlink() or not path.is_file():
            return []
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


class Survey(NamedTuple):
    """The files of a repository, sorted by path, and the folders and rules that decide which files these are."""

    files: list[SourceFile]
    listing: Listing


def discover(root: Path, *, max_file_size: int) -> list[SourceFile]:
    """List the files under the root as `survey` does, without its listing."""
    return survey(root, max_file_size=max_file_size).files


def survey(root: Path, *, max_file_size: int) -> Survey:
    """List the files under the root, sorted by path. A file that must not be read has an `error`.

    A folder that a built-in rule leaves out is listed too, with the rule as its `error`. Symbolic links are not followed.
    Raises UsageError if the root is no folder or cannot be read.
    """
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder; give the folder of a repository")
    # The walk records a folder that it cannot read and goes on, which for the root would give an empty index.
    try:
        os.scandir(root).close()
    except OSError as exc:
        raise UsageError(f"{root} cannot be read: {exc.strerror}; check its permissions") from exc
    listing = Listing(listing_version(root), max_file_size)
    sources = (_source(place, max_file_size) for place in _walk(root, listing))
    files = sorted(filter(None, sources), key=lambda file: (file.path, file.error is None))
    # A name that is not UTF-8 may be written like one that is: the file that can be read counts.
    return Survey(list({file.path: file for file in files}.values()), listing)


def readable_files(root: Path, *, max_file_size: int) -> Iterator[str]:
    """Yield the paths of the files under the root that `survey` lists without an error, in the order of the walk."""
    sources = (_source(place, max_file_size) for place in _walk(root, Listing()))
    yield from (source.path for source in sources if source is not None and source.error is None)


def left_out(root: Path) -> list[LeftOut]:
    """List the files and folders that the rules leave out, sorted by path, without what is inside these folders."""
    places = (place for place in _walk(root, Listing()) if place.verdict.leaves_out)
    return sorted(
        LeftOut(_storable(place.path), _storable(place.rules.rule_for(place.path, place.verdict))) for place in places
    )


class _Place(NamedTuple):
    """A file, or a folder that is left out or cannot be read, on the walk through a repository. A folder has no entry."""

    path: str
    entry: os.DirEntry[str] | None
    verdict: Verdict
    rules: _Rules
    error: str = ""


def _tracked(root: Path, listing: Listing) -> _Tracked:
    """Return the files that git tracks in a folder, and put what that depends on into the rules of `listing`."""
    tracked = _Tracked()
    if (top := repository_of(root)) is not None:
        tracked.add(root, "", listing)
        # A worktree is told from other checkouts by this file.
        if top == root and (root / GIT_ENTRY).is_file():
            listing.rules[GIT_ENTRY] = see_rule(root / GIT_ENTRY)
    return tracked


def _walk(root: Path, listing: Listing) -> Iterator[_Place]:
    """Yield the files of a repository, and what the rules leave out of it. Fill `listing` on the way."""
    tracked = _tracked(root, listing)
    pending: list[tuple[str, str, _Rules, Verdict]] = [(str(root), "", _Rules(tracked), Verdict.SOURCE)]
    while pending:
        folder, prefix, rules, above = pending.pop()
        try:
            # Before it is listed, so that a change in between shows in the time.
            time_ns = change_time(os.lstat(folder))
            with os.scandir(folder) as scanned:
                entries = list(scanned)
        except OSError as exc:
            listing.folders[prefix] = SeenFolder(UNTRUSTED, b"")
            yield _Place(prefix.rstrip("/"), None, above, rules, f"unreadable: {exc.strerror}")
            continue
        names = {entry.name for entry in entries}
        if prefix and GIT_ENTRY in names:
            if Path(folder, GIT_ENTRY).is_file():
                listing.rules[prefix + GIT_ENTRY] = see_rule(Path(folder, GIT_ENTRY))
            # Another checkout of the same files would double every name.
            if above is not Verdict.INCLUDED and is_linked_worktree(Path(folder)):
                if not above.leaves_out:
                    yield _Place(prefix, None, Verdict.WORKTREE, rules)
                continue
            tracked.add(root, prefix, listing)
        listing.folders[prefix] = SeenFolder(trusted_time(time_ns), names_digest(entries))
        for name in filter(names.__contains__, (GIT_IGNORE, CGI_IGNORE)):
            listing.rules[prefix + name] = see_rule(Path(folder, name))
        rules = rules.entering(folder, prefix, names)
        for entry in entries:
            # Where it is a file, it holds a path of this machine.
            if entry.name == GIT_ENTRY:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            path = f"{prefix}{entry.name}{'/' if is_folder else ''}"
            verdict = rules.decide(path, above)
            if is_folder and (not verdict.leaves_out or rules.may_include_inside(path)):
                pending.append((entry.path, path, rules, verdict))
            # What is inside a folder that is left out goes with it, and a folder that is not is walked.
            is_place = not above.leaves_out if verdict.leaves_out else not is_folder
            if is_place:
                yield _Place(path, None if is_folder else entry, verdict, rules)


def _source(place: _Place, max_file_size: int) -> SourceFile | None:
    """Return the record of a place, with the reason if it is not read. None if it is left out on purpose."""
    if place.error:
        return SourceFile(place.path, error=place.error)
    if not place.verdict.leaves_out and place.entry is not None:
        return _examine(place.entry, place.path, max_file_size, place.verdict is Verdict.INCLUDED)
    # What an ignore file leaves out is left out on purpose. What a built-in rule leaves out may be source after all.
    if place.verdict is Verdict.IGNORED or place.rules.ignored_by_git(place.path):
        return None
    if place.verdict is Verdict.BUILT_IN and file_patterns().caches.match(place.path):
        return None
    return SourceFile(_storable(place.path), error=place.rules.rule_for(place.path, place.verdict))


def _storable(path: str) -> str:
    """Return a path as SQLite can store it. A name that is not UTF-8 reaches Python with lone surrogates."""
    return path.encode("utf-8", "backslashreplace").decode()


def _examine(entry: os.DirEntry[str], path: str, max_file_size: int, forced: bool) -> SourceFile:
    """Return the record of a file on disk, with the reason if it is not read. `forced` lifts the rules of names alone."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return SourceFile(_storable(path), error="unreadable: file name is not UTF-8")
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as exc:
        return SourceFile(path, error=f"unreadable: {exc.strerror}")
    if stat.S_ISLNK(status.st_mode):
        return SourceFile(path, error="symbolic link")
    if not stat.S_ISREG(status.st_mode):
        return SourceFile(path, error="not a regular file")
    error = None if forced else file_patterns().why_unread(path) or None
    if error is None and status.st_size > max_file_size:
        error = f"{TOO_LARGE} (over {max_file_size} bytes)"
    return SourceFile(path, size=status.st_size, mtime_ns=change_time(status), error=error)
