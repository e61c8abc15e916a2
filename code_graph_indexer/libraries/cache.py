"""Keep an index of each package and version in a folder of the user, for all repositories of this machine."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote, unquote

from code_graph_indexer import indexing
from code_graph_indexer.errors import CgiError, UsageError
from code_graph_indexer.indexing.discover import CGI_IGNORE
from code_graph_indexer.languages import fingerprint
from code_graph_indexer.libraries.installed import Installed, is_inside
from code_graph_indexer.libraries.sources import Member, files_of, is_archive, members_of, size_of
from code_graph_indexer.outside import path_of, shown
from code_graph_indexer.programs import end_with_parent
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import SCHEMA_VERSION, Store, open_store, update_index
from code_graph_indexer.version import VERSION

BUILD = ".build-"
"""The start of the name of a folder in which an index is built. One that a killed process left is removed."""

LARGE = 3 << 20
"""A package of more bytes of code is indexed alone: its build takes the memory of several."""

BUILD_MEMORY = 240
"""The memory in MiB that the build of a package aims at. Several run side by side."""


def version_of(place: Path) -> str:
    """Return the version that an index in the cache is of."""
    return unquote(place.parent.name)


def _hashed(members: Iterable[Member], digest: blake2b) -> Iterator[Member]:
    """Yield the files of a package, and add them to a digest."""
    for path, content in members:
        digest.update(f"{len(content)} {path}\0".encode(errors="surrogatepass") + content)
        yield path, content


def _digest() -> blake2b:
    """Return a digest without content."""
    return blake2b(digest_size=16)


def reader() -> str:
    """Return a word for what reads packages: another release, format or set of language files makes other indexes of them."""
    return blake2b(f"{VERSION} {SCHEMA_VERSION} {fingerprint()}".encode(), digest_size=4).hexdigest()


def _write(tree: Path, members: Iterable[Member], package: Installed) -> None:
    """Write the files of a package below a folder. Raises UsageError for one that cannot be written there, or for none."""
    count = 0
    for count, (path, content) in enumerate(members, start=1):  # noqa: B007 (counted to the end)
        try:
            if not is_inside(path):
                raise ValueError("it leads out of the package")
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        except (OSError, ValueError) as exc:
            why = exc.strerror if isinstance(exc, OSError) else exc
            raise UsageError(
                f"{package.name} {package.version} has a file {path[:80]!r} that cannot be written ({why}); it is not indexed"
            ) from exc
    if not count:
        raise UsageError(f"{package.name} {package.version} has no code that can be indexed")
    # What a package ships is its code, also in a folder where a repository has the output of a build.
    (tree / CGI_IGNORE).write_text(f"!*\n{CGI_IGNORE}\n")


def cache_of(settings: Settings) -> "Libraries":
    """Return the indexes of packages that the settings name."""
    return Libraries(path_of(settings.libraries), settings.libraries_size << 20)


class Libraries:
    """The indexes of packages in a folder: `ecosystem/package/version/digest.reader.db`. Above a size, the least used ones go.

    The digest is that of the package's content: what one repository has installed under a name and version answers no question
    of a repository that has other content under it. What another `reader` made is as good as not there. Several processes may
    share the folder: an index gets its name when it is complete.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.folder = folder
        self._most_bytes = most_bytes

    def place(self, ecosystem: str, name: str, version: str) -> Path:
        """Return the folder with the indexes of a package at a version. Raises UsageError for a name that no file can have."""
        # No two names have one place.
        parts = [quote(part, safe="@+", errors="surrogatepass") for part in (ecosystem, name, version)]
        if any(not part.strip(".") or len(part) > 200 for part in parts):
            raise UsageError(f"{name[:80]!r} {version[:80]!r} is no package and version; its manifest names it so")
        return self.folder.joinpath(*parts)

    def has(self, package: Installed) -> bool:
        """Say whether a package is indexed at its version, with any content. One whose name is none is not."""
        with suppress(UsageError):
            return any(self._indexes(self.place(*package[:3])))
        return False

    @staticmethod
    def _indexes(version: Path) -> Iterator[Path]:
        """Yield the indexes of a version that this reader made."""
        return version.glob(f"*.{reader()}.db")

    def versions(self, ecosystem: str, name: str) -> list[str]:
        """List the versions of a package that are indexed."""
        package = self.place(ecosystem, name, "0").parent
        return sorted({version_of(place) for version in package.glob("*") for place in self._indexes(version)})

    def opened(self, place: Path) -> Store:
        """Open the index of a package, which counts as its use."""
        with suppress(OSError):
            os.utime(place)
        return open_store(place)

    def find(self, package: Installed) -> Path | None:
        """Return the index of the content that is installed, or None. Raises UsageError for content without an end."""
        version, digest = self.place(*package[:3]), _digest()
        for _ in _hashed(files_of(package), digest):
            pass
        place = version / f"{digest.hexdigest()}.{reader()}.db"
        return place if place.is_file() else None

    def add(self, package: Installed) -> Path:
        """Index an installed package, unless its content is indexed, and return the place of its index.

        Raises UsageError, with one sentence that names the package, for one without code or without an end.
        """
        return self.find(package) or self._build(files_of(package), package)

    def add_archive(self, archive: Path, ecosystem: str, name: str, version: str) -> Path:
        """Index a package out of an archive (a wheel, `.tar.gz`, `.tgz`, zip) or a folder, under this version."""
        package = Installed(ecosystem, name, version, archive)
        if archive.is_dir():
            return self._build(files_of(package), package)
        if is_archive(archive):
            return self._build(members_of(archive), package)
        raise UsageError(f"{archive} is no folder, wheel, zip or tar file; give one of the package")

    def version_at(self, ecosystem: str, name: str, text: str, entry: Installed | None) -> tuple[Path, bool]:
        """Return the index of a version, and whether its content is as the user or this machine's repository has it.

        `text` is a folder or archive, which is indexed now, the version of the installed `entry`, or one that is indexed from
        another repository, whose content nothing tells to be that version. Raises UsageError, with the versions that are there,
        for any other text.
        """
        if entry is not None and text == entry.version:
            return self.add(entry), True
        # A folder with the name of a version, which a repository may hold, is not what the user means.
        is_path = "/" in text or os.sep in text or is_archive(Path(text))
        if is_path and (archive := path_of(text)).exists():
            match = re.search(r"-v?(\d[\w.+]*?)(?:-|\.whl|\.tar|\.tgz|\.zip|$)", archive.name)
            return self.add_archive(archive, ecosystem, name, match[1] if match else archive.name), True
        if is_path:
            raise UsageError(f"nothing is at {shown(text)}; give a wheel, an archive or a folder of {name}")
        places = list(self._indexes(self.place(ecosystem, name, text)))
        if len(places) > 1:
            raise UsageError(
                f"{name} {text} is indexed with {len(places)} different contents, and one of them may not be what it says; "
                "give a wheel, an archive or a folder of it"
            )
        if not places:
            versions = ", ".join(self.versions(ecosystem, name)) or "none"
            raise UsageError(
                f"{name} {text} is not indexed (indexed: {versions}); give a wheel, an archive or a folder of it, "
                "or index it where it is installed: cgi libraries add"
            )
        return places[0], False

    def _build(self, members: Iterable[Member], package: Installed) -> Path:
        """Write the files of a package into a folder for the time of the build, index them, and return the place."""
        version = self.place(*package[:3])
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=BUILD, dir=self.folder) as scratch:
            tree, db, digest = Path(scratch, "tree"), Path(scratch, "index.db"), _digest()
            _write(tree, _hashed(members, digest), package)
            place = version / f"{digest.hexdigest()}.{reader()}.db"
            if place.is_file():
                return place
            indexing.index_repository(tree, db, Settings(workers=1, repo_id=f"{package.name} {package.version}"))
            with update_index(db) as writer:
                writer.set_meta({"licence": package.licence[:200]} if package.licence else {})
            version.mkdir(parents=True, exist_ok=True)
            # Another process may have built the same one meanwhile: they are the same bytes.
            return db.replace(place)

    def add_all(self, packages: Sequence[Installed], workers: int) -> Iterator[tuple[Installed, bool, str]]:
        """Index packages side by side, and then the large ones, one by one.

        Yield each, whether it was indexed now, and why it has no index, or an empty text.
        """
        is_apart = workers > 1 and len(packages) > 1
        sizes = [size_of(package) for package in packages]
        large = [package for package, size in zip(packages, sizes, strict=True) if size > LARGE]
        small = [package for package, size in zip(packages, sizes, strict=True) if size <= LARGE]
        yield from self._add_group(small, workers if is_apart else 0)
        # Their process ends after them, and gives its memory back.
        yield from self._add_group(large, 1 if is_apart else 0)
        self.shrink()

    def _add_group(self, packages: Sequence[Installed], processes: int) -> Iterator[tuple[Installed, bool, str]]:
        """Do what `add_all` does in so many processes, or in this one if the number is 0."""
        with ExitStack() as stack:
            apply: Callable[..., Iterable[tuple[bool, str]]] = map
            if processes and packages:
                apply = stack.enter_context(ProcessPoolExecutor(processes, initializer=end_with_parent)).map
            for package, (is_new, why) in zip(packages, apply(self._tried, packages), strict=True):
                yield package, is_new, why

    def _tried(self, package: Installed) -> tuple[bool, str]:
        """Index a package, unless it is, and say whether it was indexed now, and why it has no index if it has none."""
        try:
            if self.find(package) is not None:
                return False, ""
            self._build(files_of(package), package)
        except CgiError as exc:
            return False, str(exc)
        return True, ""

    def shrink(self) -> None:
        """Remove what was used least recently, until the folder has its size, and what a killed process left."""
        for build in self.folder.glob(f"{BUILD}*"):
            with suppress(OSError):
                # A build takes minutes at most.
                if build.stat().st_mtime + 24 * 3_600 < max(path.stat().st_mtime for path in self.folder.iterdir()):
                    shutil.rmtree(build, ignore_errors=True)
        indexes: list[tuple[float, int, Path]] = []
        for path in self.folder.glob("*/*/*/*.db"):
            with suppress(OSError):
                status = path.stat()
                indexes.append((status.st_mtime, status.st_size, path))
        total = 0
        for _, size, path in sorted(indexes, reverse=True):
            total += size
            if total > self._most_bytes:
                path.unlink(missing_ok=True)
