"""Keep an index of each package and version in a folder of the user, for all repositories of this machine."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote

from code_graph_indexer.errors import CgiError, UsageError
from code_graph_indexer.indexing.run import index_repository
from code_graph_indexer.libraries.installed import Installed, is_inside
from code_graph_indexer.libraries.sources import Member, files_of, is_archive, members_of
from code_graph_indexer.outside import path_of
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store, open_store, update_index

BUILD = ".build-"
"""The start of the name of a folder in which an index is built. One that a killed process left is removed."""


def version_of(place: Path) -> str:
    """Return the version that an index in the cache is of."""
    return unquote(place.name.removesuffix(".db"))


def _write(tree: Path, members: Iterable[Member], package: Installed) -> int:
    """Write the files of a package below a folder and count them. Raises UsageError for one that cannot be written there."""
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
    return count


def cache_of(settings: Settings) -> "Libraries":
    """Return the indexes of packages that the settings name."""
    return Libraries(path_of(settings.libraries), settings.libraries_size << 20)


class Libraries:
    """The indexes of packages in a folder: `ecosystem/package/version.db`. The least recently used ones go above a size.

    Several processes may share the folder: an index gets its name when it is complete.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.folder = folder
        self._most_bytes = most_bytes

    def place(self, ecosystem: str, name: str, version: str) -> Path:
        """Return where the index of a package is, or would be. Raises UsageError for a name that is no name of a file."""
        # No two names have one place.
        parts = [quote(part, safe="@+", errors="surrogatepass") for part in (ecosystem, name, version)]
        if any(not part.strip(".") or len(part) > 200 for part in parts):
            raise UsageError(f"{name[:80]!r} {version[:80]!r} is no package and version; its manifest names it so")
        return self.folder.joinpath(*parts[:-1], f"{parts[-1]}.db")

    def has(self, package: Installed) -> bool:
        """Say whether a package is indexed at its version. One whose name is none is not."""
        with suppress(UsageError):
            return self.place(*package[:3]).is_file()
        return False

    def versions(self, ecosystem: str, name: str) -> list[str]:
        """List the versions of a package that are indexed."""
        place = self.place(ecosystem, name, "0").parent
        return sorted(version_of(path) for path in place.glob("*.db")) if place.is_dir() else []

    def opened(self, place: Path) -> Store:
        """Open the index of a package, which counts as its use."""
        with suppress(OSError):
            os.utime(place)
        return open_store(place)

    def add(self, package: Installed) -> Path:
        """Index an installed package, unless it is indexed at this version, and return the place of its index.

        Raises UsageError, with one sentence that names the package, for one without code or without an end.
        """
        place = self.place(*package[:3])
        if not place.is_file():
            self._build(files_of(package), place, package)
        return place

    def add_archive(self, archive: Path, ecosystem: str, name: str, version: str) -> Path:
        """Index a package out of an archive (a wheel, `.tar.gz`, `.tgz`, zip) or a folder, under this version."""
        place = self.place(ecosystem, name, version)
        package = Installed(ecosystem, name, version, archive)
        if archive.is_dir():
            self._build(files_of(package), place, package)
        elif is_archive(archive):
            self._build(members_of(archive), place, package)
        else:
            raise UsageError(f"{archive} is no folder, wheel, zip or tar file; give one of the package")
        return place

    def version_at(self, ecosystem: str, name: str, text: str) -> Path:
        """Return the index of a version: one that is indexed, or of a folder or archive, which is indexed now.

        Raises UsageError, with the versions that are there, for any other text.
        """
        # A folder with the name of a version, which a repository may hold, is not what the user means.
        is_path = "/" in text or os.sep in text or is_archive(Path(text))
        if is_path and (archive := path_of(text)).exists():
            match = re.search(r"-v?(\d[\w.+]*?)(?:-|\.whl|\.tar|\.tgz|\.zip|$)", archive.name)
            return self.add_archive(archive, ecosystem, name, match[1] if match else archive.name)
        place = self.place(ecosystem, name, text)
        if not place.is_file():
            versions = ", ".join(self.versions(ecosystem, name)) or "none"
            raise UsageError(
                f"{name} {text} is not indexed (indexed: {versions}); give a wheel, an archive or a folder of it, "
                "or index it where it is installed: cgi libraries add"
            )
        return place

    def _build(self, members: Iterable[Member], place: Path, package: Installed) -> None:
        """Write the files of a package into a folder for the time of the build, index them, and put the index in place."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=BUILD, dir=self.folder) as scratch:
            tree, db = Path(scratch, "tree"), Path(scratch, "index.db")
            if not _write(tree, members, package):
                raise UsageError(f"{package.name} {package.version} has no code that can be indexed")
            index_repository(tree, db, Settings(workers=1, repo_id=f"{package.name} {package.version}"))
            with update_index(db) as writer:
                writer.set_meta({"licence": package.licence[:200]} if package.licence else {})
            place.parent.mkdir(parents=True, exist_ok=True)
            # Another process may have built the same one meanwhile: they are the same bytes.
            db.replace(place)

    def add_all(self, packages: Iterable[Installed], workers: int) -> Iterator[tuple[Installed, str]]:
        """Index packages side by side, and yield each with an empty text, or with the sentence why it is not indexed."""
        missing = [package for package in packages if not self.has(package)]
        if len(missing) < 2 or workers < 2:
            for package in missing:
                yield package, self._tried(package)
        else:
            with ProcessPoolExecutor(min(workers, len(missing))) as pool:
                yield from zip(missing, pool.map(self._tried, missing), strict=True)
        self.shrink()

    def _tried(self, package: Installed) -> str:
        """Index a package, and return an empty text, or the sentence why it has no index."""
        try:
            self.add(package)
        except CgiError as exc:
            return str(exc)
        return ""

    def shrink(self) -> None:
        """Remove what was used least recently, until the folder has its size, and what a killed process left."""
        for build in self.folder.glob(f"{BUILD}*"):
            with suppress(OSError):
                # A build takes minutes at most.
                if build.stat().st_mtime + 24 * 3_600 < max(path.stat().st_mtime for path in self.folder.iterdir()):
                    shutil.rmtree(build, ignore_errors=True)
        indexes: list[tuple[float, int, Path]] = []
        for path in self.folder.glob("*/*/*.db"):
            with suppress(OSError):
                status = path.stat()
                indexes.append((status.st_mtime, status.st_size, path))
        total = 0
        for _, size, path in sorted(indexes, reverse=True):
            total += size
            if total > self._most_bytes:
                path.unlink(missing_ok=True)
