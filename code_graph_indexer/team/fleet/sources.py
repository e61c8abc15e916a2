"""Read where a repository is: check a URL or path before git sees it, and derive its names."""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import GIT_ENTRY, is_git_folder
from code_graph_indexer.outside import path_of
from code_graph_indexer.storage.address import check_name

SCHEMES = ("https", "ssh", "http", "git", "file")
"""The protocols that the fleet lets git use. None of them runs a command that the URL names."""

LOCAL = "file"
"""Stands in place of a host in the location of a repository on this machine."""

MAX_LENGTH = 2_000
"""The most characters of a source. Longer ones are no address of anything."""

SHOWN = 80
"""How many characters of a source or name an error quotes."""

_USER = re.compile(r"//[^/]*@")
_SCP = re.compile(r"(?:(?P<user>[\w.-]+)@)?(?P<host>[\w.-]+):(?P<path>(?!//).+)")
_HELPER = re.compile(r"[A-Za-z0-9]+::")
_NAME = re.compile(r"[\w.+][\w.+-]*(?:/[\w.+][\w.+-]*)*")
# The characters and parts that git forbids in the name of a branch, but for those of patterns.
_NO_BRANCH = re.compile(r"[\0-\x20\x7f-\x9f~^:\\\u2028\u2029]|\.\.|//|@\{")
_UNNAMEABLE = re.compile(r"[^\w.+/-]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A place that git can fetch from.

    `address` is what git is told. `location` is host and path, the same for every way to write the URL.
    """

    address: str
    name: str
    location: str


def read_source(text: str, name: str = "") -> Source:
    """Check the URL or path of a repository. `name` replaces the name that is derived from it.

    Raises UsageError if git could take the text for an option or a command, or if it contains a password.
    """
    if not text or len(text) > MAX_LENGTH or not text.isprintable() or text.startswith("-"):
        raise UsageError(f"{_shown(text)} is no URL or path of a git repository")
    if _HELPER.match(text):
        raise UsageError(f"{_shown(text)} names a helper program of git; give a URL ({', '.join(SCHEMES)}) or a path")
    source = _of_url(text) if "://" in text else _of_text(text)
    check_name(name or source.name)
    if not _NAME.fullmatch(name or source.name):
        raise UsageError(
            f"{(name or source.name)[:SHOWN]!r} cannot be the name of a repository; give another: --name team/service"
        )
    return Source(source.address, name or source.name, source.location)


def check_pattern(pattern: str) -> None:
    """Raise UsageError if a text cannot be a pattern of branches, because no branch has such a name."""
    if not pattern or len(pattern) > MAX_LENGTH or pattern.startswith("-") or _NO_BRANCH.search(pattern):
        raise UsageError(f"{pattern[:SHOWN]!r} is no branch and no pattern of branches; give one such as 'release/*'")


def _shown(text: str) -> str:
    """Return a source as errors quote it: not all of a long one, and without what stands before the host."""
    return repr(_USER.sub("//***@", text)[:SHOWN])


def location_of(url: str) -> str:
    """Return the location of a URL that somebody else sent, or "" if it is no URL of a repository."""
    try:
        return read_source(url).location
    except (UsageError, ValueError):
        return ""


def _of_url(text: str) -> Source:
    """Return the source that a URL names. Raises UsageError for a scheme that git may not use, a secret in it, or no host."""
    try:
        parts = urlsplit(text)
        port = f":{parts.port}" if parts.port else ""
    except ValueError as exc:
        raise UsageError(f"{_shown(text)} is no URL; write signs such as [ and : in it as %5B and %3A") from exc
    if parts.scheme not in SCHEMES:
        raise UsageError(f"{_shown(text)}: git may not use {parts.scheme}:// here; use one of {', '.join(SCHEMES)}")
    if parts.password or (parts.username and parts.scheme in ("http", "https")) or (parts.query or parts.fragment):
        # A token may stand in place of the user's name too, or behind a question mark.
        raise UsageError(
            f"the URL of {parts.hostname} contains a name, password or query, which every reader of the queue would see; "
            "leave it out, and give it to git's credential helper"
        )
    if parts.scheme == "file":
        return _of_path(parts.path)
    if not parts.hostname or parts.hostname.startswith("-") or (parts.username or "").startswith("-"):
        raise UsageError(f"{_shown(text)} names no host")
    return _remote(text, parts.hostname + port, parts.path)


def _of_text(text: str) -> Source:
    """Return the source that a text without a scheme names: `user@host:path`, or else a path on this machine."""
    match = _SCP.fullmatch(text)
    if match is None or path_of(text).exists():
        return _of_path(text)
    if any((match[part] or "").startswith("-") for part in ("user", "host", "path")):
        raise UsageError(f"{_shown(text)} is no URL or path of a git repository")
    return _remote(text, match["host"], match["path"])


def _remote(address: str, host: str, path: str) -> Source:
    """Return the source at an address. Its name is the last two parts of the path. Raises UsageError for an empty path."""
    short = path.strip("/").removesuffix(".git")
    if not short:
        raise UsageError(f"{_shown(address)} names no repository of {host}")
    # The last two parts are what people call it: owner and repository.
    name = "/".join(_UNNAMEABLE.sub("-", part).lstrip("-") for part in short.split("/")[-2:])
    return Source(address, name, f"{host.lower()}/{short.lower()}")


def _of_path(path: str) -> Source:
    """Return the source of a folder on this machine. Raises UsageError if it is no git repository."""
    folder = path_of(path)
    if not is_git_folder(folder) and not (folder / GIT_ENTRY).exists():
        raise UsageError(f"{folder} is no git repository; give a URL, or the folder with the repository's .git")
    name = _UNNAMEABLE.sub("-", folder.resolve().name.removesuffix(".git")).strip("-")
    # Git takes a plain path for a reason to copy the folder, whole history and all.
    return Source(f"file://{quote(str(folder))}", name, f"{LOCAL}{folder}")
