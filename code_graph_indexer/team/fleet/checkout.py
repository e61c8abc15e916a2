"""Ask a repository for its branches, and check out a commit of it, with git and without anything a repository could run."""

import os
import re
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from code_graph_indexer.errors import CgiError, UsageError
from code_graph_indexer.git import (
    GitError,
    GitLimitError,
    clean_environment,
    head_commit,
    run_git,
    without_configuration,
)
from code_graph_indexer.team.fleet.sources import SCHEMES

LOOK_SECONDS = 60.0
"""Time limit of the question for branches, in seconds."""

LOOK_BYTES = 64_000_000
"""The longest list of branches that is read: half a million of them."""

MESSAGE_LENGTH = 500
"""The most characters of git's words that are recorded."""

HEAD = "HEAD"
"""The reference of the default branch."""

_REFERENCE = re.compile(r"(?:(?P<commit>[0-9a-f]{40}|[0-9a-f]{64})|ref: (?P<target>\S+))\t(?P<name>\S+)")
_TOO_LARGE = re.compile(rf"signal {signal.SIGXFSZ:d}\b|File too large")
_BRANCHES = "refs/heads/"
_FETCHED = "refs/cgi/commit"

_HARMLESS = (
    # Nothing of a repository runs, and nothing beside the repository is fetched.
    *("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "core.askPass="),
    *("-c", "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false"),
    # What git tidies up, it tidies up before it ends, under the limits of the run.
    *("-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false"),
    *("-c", "advice.detachedHead=false", "-c", "init.defaultBranch=main", "-c", "http.followRedirects=initial"),
)


class UnreachableError(CgiError):
    """An error for a repository that git could not read."""


class HangingError(CgiError):
    """An error for a repository that did not answer in time, or answered without end."""


@dataclass(frozen=True, slots=True)
class References:
    """The branches of a repository: their commits by name, and the default branch. Its name is "" if git does not tell it."""

    commits: Mapping[str, str]
    default: str

    def commit_of(self, branch: str) -> str:
        """Return the commit of a branch, or of the default one if it is "". Raises UnreachableError if there is none."""
        commit = self.commits.get(branch or HEAD, "")
        if not commit:
            raise UnreachableError(f"there is no branch {branch!r}" if branch else "the repository has no commit yet")
        return commit

    def matching(self, patterns: Sequence[str]) -> list[str]:
        """List the branches beside the default one that match any of some patterns, such as `release/*`."""
        names = (name for name in self.commits if name not in (HEAD, self.default))
        return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def references(address: str, branch: str, patterns: Sequence[str], *, seconds: float = LOOK_SECONDS) -> References:
    """Ask a repository for commits: of the default branch, of `branch`, and of all branches if there are patterns.

    Raises UnreachableError or HangingError.
    """
    names = [HEAD, *([f"{_BRANCHES}*"] if patterns else [f"{_BRANCHES}{branch}"] if branch else [])]
    arguments = [*_HARMLESS, "ls-remote", "--symref", "--", address, *names]
    try:
        answer = run_git(arguments, environment=_remote_environment(), seconds=seconds, most=LOOK_BYTES)
    except GitLimitError as exc:
        raise HangingError(str(exc)) from exc
    except UsageError as exc:
        raise UnreachableError(plain_end(str(exc))) from exc
    matches = list(filter(None, map(_REFERENCE.fullmatch, answer.decode("utf-8", "replace").splitlines())))
    default = next((match["target"] for match in matches if match["target"] and match["name"] == HEAD), "")
    commits = {
        match["name"].removeprefix(_BRANCHES): match["commit"]
        for match in matches
        if match["commit"] and (match["name"] == HEAD or match["name"].startswith(_BRANCHES))
    }
    return References(commits, default.removeprefix(_BRANCHES))


def check_out(address: str, branch: str, tree: Path, *, sha256: bool, depth: int) -> str:
    """Fetch a branch, or the default one if it is "", into the folder `tree`, and return the commit that is there then.

    `depth` is the number of commits that are fetched, 0 for all. What an interrupted run left is used if it is sound. Raises
    UnreachableError or HangingError.
    """
    if (tree / ".git").is_dir():
        try:
            return _fetch(address, branch, tree, depth)
        # An interrupted run may have left anything.
        except UnreachableError:
            shutil.rmtree(tree)
    tree.mkdir(parents=True, exist_ok=True)
    object_format = ["--object-format=sha256"] if sha256 else []
    _git(tree, _own_environment(), "init", "--quiet", "--template=", *object_format)
    return _fetch(address, branch, tree, depth)


def _fetch(address: str, branch: str, tree: Path, depth: int) -> str:
    """Fetch a branch, or HEAD if it is empty, into the folder `tree`, check it out, and return its commit.

    Locks of a killed git are removed, and so is every file that is not of the commit. A depth of 0 is the whole history.
    """
    for lock in (*(tree / ".git").glob("*.lock"), *(tree / ".git" / "refs").rglob("*.lock")):
        lock.unlink(missing_ok=True)
    depth_options = [f"--depth={depth}"] if depth else []
    reference = f"{_BRANCHES}{branch}" if branch else HEAD
    _git(
        tree,
        _remote_environment(),
        *("fetch", "--quiet", "--no-tags", "--force", "--no-recurse-submodules", "--update-shallow", *depth_options),
        *("--", address, f"+{reference}:{_FETCHED}"),
    )
    _git(tree, _own_environment(), "checkout", "--quiet", "--force", "--detach", _FETCHED)
    _git(tree, _own_environment(), "clean", "--quiet", "-ffdx")
    return head_commit(tree / ".git")


def _remote_environment() -> dict[str, str]:
    """Return an environment in which git asks nobody for anything and speaks only the protocols of a fleet.

    The user's configuration counts: it tells how to reach a server.
    """
    return clean_environment() | {"GIT_ALLOW_PROTOCOL": ":".join(SCHEMES), "SSH_ASKPASS_REQUIRE": "never"}


def _own_environment() -> dict[str, str]:
    """Return an environment in which git reads the configuration of the checkout alone, which is ours.

    The attributes of a repository name filters, and without a configuration there are none.
    """
    return clean_environment() | without_configuration()


def _git(tree: Path, environment: Mapping[str, str], *arguments: str) -> None:
    """Run git without a time limit of its own: the limits of the run hold for it."""
    try:
        run_git([*_HARMLESS, "-C", str(tree), *arguments], environment=environment, seconds=None)
    except GitError as exc:
        words = plain_end(exc.message)
        # Git itself ends by the signal, or a program of its that it then tells of.
        if exc.code == -signal.SIGXFSZ or _TOO_LARGE.search(words):
            raise HangingError("a file of it is larger than a run may write") from exc
        raise UnreachableError(f"git {arguments[0]} failed: {words}") from exc
    except UsageError as exc:
        raise UnreachableError(plain_end(str(exc))) from exc


def plain_end(text: str) -> str:
    """Return the end of what a program says, on a single line, without characters that steer a terminal."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line[-MESSAGE_LENGTH:] or "nothing"
