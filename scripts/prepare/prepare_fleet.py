"""Fill a folder with 200 git repositories of real projects, for bench_fleet.py and for PostgreSQL in bench_query.py.

Each is the source in a package of PyPI (a wheel, fetched by pip) or npm (fetched by npm), as a repository of two commits:

    python scripts/prepare/prepare_fleet.py FOLDER [--count 200]

A repository that is there stays as it is. What cannot be fetched is named at the end.
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

PROJECTS = Path(__file__).with_name("fleet_projects.txt")
"""The names of the projects on PyPI, the large ones first, and on npm."""

MAX_BYTES = 4_000_000
"""Larger files are left out: they are programs and tables of numbers."""

BINARY = frozenset(
    {".so", ".a", ".dll", ".exe", ".pyd", ".lib", ".dylib", ".bin", ".woff2", ".png", ".gz", ".parquet", ".npz"}
)

NEW_SHARE = 10
"""The second commit adds every tenth file."""

AUTHOR = (
    "-c",
    "user.name=bench",
    "-c",
    "user.email=bench@localhost",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "gc.auto=0",
)


def fetch_wheel(name: str, folder: Path) -> None:
    """Fetch the wheel of a project, without what it depends on."""
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, name], check=True, capture_output=True)


def fetch_tarball(name: str, folder: Path) -> None:
    """Fetch the tarball of a package of npm."""
    subprocess.run(["npm", "pack", "--silent", "--ignore-scripts", name], cwd=folder, check=True, capture_output=True)


def unpack(archive: Path, tree: Path) -> None:
    """Unpack an archive, and remove what is no text."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(tree)
    else:
        with tarfile.open(archive) as tarball:
            tarball.extractall(tree, filter="data")
    for path in list(tree.rglob("*")):
        if path.is_file() and (path.suffix in BINARY or ".so." in path.name or path.stat().st_size > MAX_BYTES):
            path.unlink()


def make_repository(tree: Path) -> None:
    """Commit the files of a tree in two steps."""
    git = ["git", "-C", str(tree), *AUTHOR]
    paths = sorted(path for path in tree.rglob("*") if path.is_file() and path.suffix == ".py")
    late = [path.relative_to(tree).as_posix() for path in paths[::NEW_SHARE]] if len(paths) > 1 else []
    subprocess.run([*git, "init", "--quiet", "--initial-branch=main", "--template="], check=True)
    subprocess.run([*git, "add", "--all", "--force"], check=True)
    if late:
        subprocess.run([*git, "rm", "--quiet", "--cached", "--", *late], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message=The release before"], check=True)
    subprocess.run([*git, "add", "--all", "--force"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message=The release"], check=True)


def prepare(name: str, fetch: Callable[[str, Path], None], folder: Path) -> bool:
    """Make the repository of a project, unless it is there. False if its package cannot be had."""
    if (folder / name).exists():
        return True
    with tempfile.TemporaryDirectory(dir=folder, prefix=".") as scratch:
        downloads, tree = Path(scratch, "downloads"), Path(scratch, name)
        downloads.mkdir()
        try:
            fetch(name, downloads)
            unpack(next(downloads.iterdir()), tree)
        except (subprocess.CalledProcessError, StopIteration, OSError) as exc:
            print(f"{name}: {exc}", file=sys.stderr)
            return False
        make_repository(tree)
        shutil.move(tree, folder / name)
    return True


def main() -> None:
    """Prepare the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, help="how many repositories (default: all)")
    options = parser.parse_args()
    folder: Path = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    python, _, script = PROJECTS.read_text(encoding="utf-8").removeprefix("PyPI:").partition("npm:")
    projects = [(name, fetch_wheel) for name in python.split()] + [(name, fetch_tarball) for name in script.split()]
    chosen = projects[: options.count]
    missing = [name for name, fetch in chosen if not prepare(name, fetch, folder)]
    print(f"{len(chosen) - len(missing)} repositories in {folder}")
    if missing:
        print(f"not to be had: {' '.join(missing)}")


if __name__ == "__main__":
    main()
