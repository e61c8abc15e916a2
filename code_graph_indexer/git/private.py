"""Ask git about the objects of a repository from a git folder of our own, in which nothing names a program to run.

Git runs what a repository's configuration names: a pager, a filter, a signature checker, a monitor of files, a helper that
fetches. So git is never shown that configuration, nor a work tree with attributes and submodules:

    HEAD, packed-refs, shallow   written here, from what the repository's files say
    config                       written here: the form of the hashes, and nothing else
    objects/info/alternates      names the repository's own objects, which are only read

The user's and the system's configuration are switched off too. What is asked is the same on every machine.
"""

import os
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1, sha256
from pathlib import Path

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git.layout import common_folder, folder_prefix, git_folder, hash_size, repository_of
from code_graph_indexer.git.refs import head_commit, pseudo_references, references, shallow_commits
from code_graph_indexer.programs import find_program, inherited_environment, run_program

GIT_SECONDS = 60.0
"""Time limit of a git command, in seconds."""

OUTPUT_BYTES = 256_000_000
"""The most bytes that a git command may print. A tree of a few kilobytes can name millions of files."""

ALLOCATION_LIMIT = "1g"
"""The largest piece of memory that git may ask for, in git's own notation. A packed object can claim any size."""

_USAGE = "\nusage: "
_HEX = re.compile(r"[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class PrivateRepository:
    """A git folder of our own over the objects of a repository. It is used by one thread at a time, inside of its `with`.

    `prefix` is the path of the indexed folder in the repository, with a slash behind it, or empty.
    """

    folder: Path
    prefix: bytes
    long_hashes: bool

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return what a git command prints. Raises UsageError if git is missing, fails, or takes or prints too much."""
        return run_git(arguments, environment=_environment(self.folder), stdin=stdin)

    def tree(self, revision: str) -> str:
        """Return the hash of the tree that a revision has for the indexed folder, or "" if it has no such folder.

        Raises UsageError if the revision is unknown.
        """
        tree = f"{revision}^{{tree}}"
        try:
            top = (
                self.run("rev-parse", "--verify", "--quiet", "--end-of-options", tree)
                .decode("ascii", "replace")
                .strip()
            )
        except UsageError:
            top = ""
        if not _HEX.fullmatch(top):
            raise UsageError(f"git knows no revision {revision!r} here; give a branch, a tag or a commit")
        if not self.prefix:
            return top
        listing = self.run("ls-tree", "-z", "--full-tree", top, "--", os.fsdecode(self.prefix[:-1]))
        head, _, _ = listing.partition(b"\t")
        return head.split()[-1].decode("ascii") if head.split()[1:2] == [b"tree"] else ""

    def hash_of(self, kind: str, content: bytes) -> str:
        """Return git's hash of an object: of a `blob`, which is the content of a file, or of a `tree`."""
        digest = sha256 if self.long_hashes else sha1
        return digest(_with_header(kind, content), usedforsecurity=False).hexdigest()

    def put(self, kind: str, content: bytes) -> str:
        """Write an object into the private folder, and return its hash."""
        name = self.hash_of(kind, content)
        place = self.folder / "objects" / name[:2] / name[2:]
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(zlib.compress(_with_header(kind, content), 1))
        return name


@contextmanager
def private_repository(root: Path) -> Iterator[PrivateRepository]:
    """Make a private git folder over the repository around a folder, for use in a `with` block.

    Raises UsageError if there is no repository.
    """
    top = repository_of(root)
    if top is None:
        raise UsageError(f"{root} is not in a git repository; git tells nothing about it")
    gitdir = git_folder(top)
    common = common_folder(gitdir).resolve()
    long_hashes = hash_size(common) == 32
    with tempfile.TemporaryDirectory(prefix="cgi-git-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        for name in ("objects/info", "refs"):
            (folder / name).mkdir(parents=True)
        # Without the last setting, git writes paths that are not ASCII as octal escapes.
        config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tquotepath = false\n"
        if long_hashes:
            config += "[extensions]\n\tobjectformat = sha256\n"
        files = {
            "config": config.encode(),
            "HEAD": (head_commit(gitdir) or "ref: refs/heads/none").encode() + b"\n",
            "packed-refs": b"".join(b"%b %b\n" % (commit, name) for name, commit in sorted(references(gitdir).items())),
            "objects/info/alternates": _quoted(common / "objects") + b"\n",
            **{name: commit + b"\n" for name, commit in pseudo_references(gitdir).items()},
        }
        if shallow := shallow_commits(common):
            files["shallow"] = shallow
        for name, content in files.items():
            (folder / name).write_bytes(content)
        yield PrivateRepository(folder, folder_prefix(root, top), long_hashes)


def run_git(
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    seconds: float | None = GIT_SECONDS,
    most: int = OUTPUT_BYTES,
) -> bytes:
    """Run git in an environment, and return what it prints. `seconds` is None if there is no time limit.

    Raises UsageError if git is missing or fails, and GitLimitError if it takes or prints too much.
    """
    program = find_program("git")
    if program is None:
        raise UsageError("git is not installed, or PATH does not name its folder")
    if any("\0" in argument for argument in arguments):
        raise UsageError("git takes no text with a NUL character")
    try:
        result = run_program([program, *arguments], environment=environment, seconds=seconds, most=most, stdin=stdin)
    except OSError as exc:
        raise UsageError(f"git could not be run ({exc})") from exc
    if result.late:
        raise GitLimitError(f"git got no answer within {seconds:g} seconds")
    if result.cut:
        raise GitLimitError(f"git printed more than {most:,} bytes")
    if result.code:
        # Behind a wrong use, git prints its whole manual.
        message = result.errors.decode("utf-8", "replace").partition(_USAGE)[0].strip()
        raise GitError(message or f"it ended with {result.code}", result.code)
    return result.output


class GitError(UsageError):
    """An error for a git command that failed. `message` is what git says, and `code` its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(f"git says: {message}")
        self.message = message
        self.code = code


class GitLimitError(UsageError):
    """An error for a git command that took too long or printed too much."""


def clean_environment() -> dict[str, str]:
    """Return the environment without the variables of git, which may name another repository or programs."""
    return inherited_environment(without="GIT_") | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


def without_configuration() -> dict[str, str]:
    """Return the variables that make git read no configuration and no attributes of the system and the user."""
    return {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
    }


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment for git: our git folder, no configuration of the user, no network, and a limit on memory."""
    # Older versions of git know the user's files by these folders alone.
    own = {"GIT_DIR": str(folder), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    limits = {"GIT_ALLOW_PROTOCOL": "", "GIT_ALLOC_LIMIT": ALLOCATION_LIMIT}
    return clean_environment() | without_configuration() | own | limits


def _with_header(kind: str, content: bytes) -> bytes:
    """Return the bytes of an object that git hashes: its kind, its size and its content."""
    return b"%b %d\0%b" % (kind.encode(), len(content), content)


def _quoted(path: Path) -> bytes:
    """Return a path in git's quotes, so that any character may stand in it."""
    text = os.fsencode(path)
    return b'"' + b"".join(b"\\%03o" % byte if byte in b'"\\' or byte < 32 else bytes([byte]) for byte in text) + b'"'
