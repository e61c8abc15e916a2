"""Find the files of a repository, except those that .gitignore or .cgiignore leave out. Nothing outside the root is read."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import git, in_repository
from code_graph_indexer.languages.patterns import PathPatterns, file_patterns
from code_graph_indexer.syntax.records import SourceFile

GIT_IGNORE = ".gitignore"
CGI_IGNORE = ".cgiignore"

GLOB_CHARACTERS = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class _Rules:
    """The ignore rules that apply in a folder, outermost first, as (folder of the ignore file with `/`, its patterns).

    `forced` are the folders below which a `!` pattern of .cgiignore may match. `tracked` are files that git tracks although a
    .gitignore names them, and the folders around them. No pattern of a .gitignore leaves such a file out.
    """

    git: tuple[tuple[str, PathPatterns], ...] = ()
    cgi: tuple[tuple[str, PathPatterns], ...] = ()
    forced: tuple[str, ...] = ()
    tracked: frozenset[str] = frozenset()

    def entering(self, folder: str, prefix: str, names: set[str]) -> "_Rules":
        """Return the rules inside a folder: these rules, and those of the folder's own ignore files.

        `folder` is its full path, `prefix` its path from the root with `/`, and `names` are its entries.
        """
        if names.isdisjoint((GIT_IGNORE, CGI_IGNORE)):
            return self
        git, cgi, forced = self.git, self.cgi, self.forced
        if GIT_IGNORE in names and (lines := _read_lines(Path(folder, GIT_IGNORE))):
            git = (*git, (prefix, PathPatterns(lines)))
        if CGI_IGNORE in names and (lines := _read_lines(Path(folder, CGI_IGNORE))):
            cgi = (*cgi, (prefix, PathPatterns(lines)))
            forced = (*forced, *(prefix + _literal_prefix(line[1:]) for line in lines if line.startswith("!")))
        return _Rules(git, cgi, forced, self.tracked)

    def decide(self, path: str, ignored_above: bool) -> bool | None:
        """Say whether a path is left out. None means that a `!` pattern of .cgiignore includes it.

        `ignored_above` says that a folder around the path is left out.
        """
        # The user's own file goes first, so that it can bring back what git leaves out.
        verdict = _last_word(self.cgi, path)
        if verdict is not None:
            return True if verdict else None
        # Tool folders such as node_modules stay out even where git tracks them.
        if path.endswith("/") and file_patterns().ignored.match(path):
            return True
        if ignored_above:
            # Git reads no .gitignore inside an ignored folder, so a `!` there brings nothing back.
            return path not in self.tracked
        # A folder around a tracked file stays ignored, or its untracked files would come in too.
        if path in self.tracked and not path.endswith("/"):
            return False
        # As in git, `!folder/` brings back no file inside, so only matches of the path itself count.
        verdicts = (spec.own_verdict(path[len(prefix) :]) for prefix, spec in reversed(self.git))
        return next((verdict for verdict in verdicts if verdict is not None), False)

    def may_force_inside(self, folder: str) -> bool:
        """Say whether an ignored folder may contain files to index.

        These are files that git tracks, or that a `!` pattern of .cgiignore includes.
        """
        return folder in self.tracked or any(
            prefix.startswith(folder) or folder.startswith(prefix) for prefix in self.forced
        )


def _last_word(rules: tuple[tuple[str, PathPatterns], ...], path: str) -> bool | None:
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


def _read_lines(path: Path) -> list[str]:
    try:
        # A link may lead outside the root, and git follows none. Reading a pipe would wait for a writer.
        if path.is_symlink() or not path.is_file():
            return []
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def discover(root: Path, *, max_file_size: int) -> list[SourceFile]:
    """List the files under the root, sorted by path. A file that must not be read has an `error`.

    Symbolic links are not followed. Raises UsageError if the root is no folder or cannot be read.
    """
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder; give the folder of a repository")
    # The walk records a folder that it cannot read and goes on, which for the root would give an empty index.
    try:
        os.scandir(root).close()
    except OSError as exc:
        raise UsageError(f"{root} cannot be read: {exc.strerror}; check its permissions") from exc
    files = sorted(_walk(root, max_file_size), key=lambda file: (file.path, file.error is None))
    # A name that is not UTF-8 may be written like one that is: the file that can be read counts.
    return list({file.path: file for file in files}.values())


def _tracked(root: Path) -> frozenset[str]:
    """Return the files that git tracks although a .gitignore names them, and the folders around them, with `/` at the end."""
    if not in_repository(root):
        return frozenset()
    paths: set[str] = set()
    ignored = file_patterns().ignored
    for path in git(root, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard").split("\0"):
        parts = path.split("/")
        folders = ["/".join(parts[:length]) + "/" for length in range(1, len(parts))]
        # A tracked file would force the walk into its folder, even into node_modules.
        if path and not any(map(ignored.match, folders)):
            paths.update((path, *folders))
    return frozenset(paths)


def _walk(root: Path, max_file_size: int) -> Iterator[SourceFile]:
    pending: list[tuple[str, str, _Rules, bool]] = [(str(root), "", _Rules(tracked=_tracked(root)), False)]
    while pending:
        folder, prefix, rules, ignored_above = pending.pop()
        try:
            with os.scandir(folder) as scanned:
                entries = list(scanned)
        except OSError as exc:
            yield SourceFile(prefix.rstrip("/"), error=f"unreadable: {exc.strerror}")
            continue
        rules = rules.entering(folder, prefix, {entry.name for entry in entries})
        for entry in entries:
            path = prefix + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder:
                path += "/"
            verdict = rules.decide(path, ignored_above)
            if is_folder:
                if not verdict or rules.may_force_inside(path):
                    pending.append((entry.path, path, rules, bool(verdict)))
            elif not verdict and (file := _examine(entry, path, max_file_size, verdict is None)) is not None:
                yield file


def _examine(entry: os.DirEntry[str], path: str, max_file_size: int, forced: bool) -> SourceFile | None:
    patterns = file_patterns()
    try:
        # A name that is not UTF-8 reaches Python with lone surrogates, which SQLite cannot store as text.
        path.encode("utf-8")
    except UnicodeEncodeError:
        return SourceFile(path.encode("utf-8", "backslashreplace").decode(), error="unreadable: file name is not UTF-8")
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as exc:
        return SourceFile(path, error=f"unreadable: {exc.strerror}")
    if stat.S_ISLNK(status.st_mode):
        return SourceFile(path, error="symbolic link")
    if not stat.S_ISREG(status.st_mode):
        return SourceFile(path, error="not a regular file")
    error = None
    if not forced and patterns.left_out.match(path):
        error = "secret" if patterns.secrets.match(path) else "data"
    elif status.st_size > max_file_size:
        error = f"too large (over {max_file_size} bytes)"
    return SourceFile(path, size=status.st_size, mtime_ns=status.st_mtime_ns, error=error)
