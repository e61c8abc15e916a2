"""Places that take no index: full or read-only disks, home folders, bare repositories; and an index that is being built."""

import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer, IndexWriteError, UsageError
from code_graph_indexer.storage.local import LocalState, is_being_written
from code_graph_indexer.storage.place import writable
from tests.cli.conftest import Cgi, run_process
from tests.indexing.repository import write_tree

DISK_BYTES = 1_500_000
"""Room for one small index, but not for two."""

LIMITED = """
import resource, sys
from code_graph_indexer.__main__ import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
main()
"""
"""A run of `cgi` whose files may not grow beyond its first argument, in bytes."""


def one_file(folder: Path, text: str = "def wrap(gift):\n    return gift\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gifts.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a small file system."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(disk)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--json", "--full"], ids=["update", "build"])
def test_a_full_disk_is_named_and_the_index_stays_sound(small_disk: Path, option: str) -> None:
    root = one_file(small_disk / "repository")
    assert run_process("index", folder=root).code == 0
    db = root / ".cgi" / "index.db"
    before = db.read_bytes()
    with (small_disk / "filler").open("wb", buffering=0) as filler:
        while os.statvfs(small_disk).f_bavail:
            filler.write(bytes(4_096))
    one_file(root, "def rewrap(gift):\n    return gift\n")
    ran = run_process("index", option, folder=root)
    assert (ran.code, ran.out) == (15, "")
    assert ran.err == (
        f"cgi: there is no room on the disk of {db}; make room, or write the index elsewhere: --db FILE. "
        "An index that was there is unharmed\n"
    )
    assert db.read_bytes() == before
    assert sorted(path.name for path in db.parent.iterdir()) == [".gitignore", "index.db", "index.db.local"]
    (small_disk / "filler").unlink()
    assert run_process("index", folder=root).code == 0
    assert run_process("symbol", "rewrap", folder=root).code == 0


@pytest.mark.slow
def test_a_first_index_on_a_full_disk_leaves_no_half_file(small_disk: Path) -> None:
    root = one_file(small_disk / "repository")
    with (small_disk / "filler").open("wb", buffering=0) as filler:
        while os.statvfs(small_disk).f_bavail:
            filler.write(bytes(4_096))
    ran = run_process("index", folder=root)
    assert (ran.code, "there is no room on the disk of" in ran.err) == (15, True)
    assert [path.name for path in root.rglob("index.db*")] == []
    (small_disk / "filler").unlink()
    assert run_process("index", folder=root).code == 0
    assert (root / ".cgi" / ".gitignore").read_text(encoding="utf-8") == "*\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
@pytest.mark.parametrize("size", [0, 20_000, 100_000])
def test_a_limit_to_the_size_of_files_stops_no_index_halfway(tmp_path: Path, size: int) -> None:
    root = one_file(tmp_path / "repository")
    db = tmp_path / "index.db"
    command = [sys.executable, "-c", LIMITED, str(size), "index", str(root), "--db", str(db)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (15, "")
    assert f"cgi: {db} cannot be written (" in ran.stderr
    assert "or write the index elsewhere: --db FILE" in ran.stderr
    assert not db.exists()
    assert not (tmp_path / "index.db.cgi-new").exists()


def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    root = one_file(tmp_path / "repository")
    root.chmod(0o500)
    try:
        if os.access(root, os.W_OK):
            pytest.skip("this user may write everywhere")
        ran = run_process("index", folder=root)
    finally:
        root.chmod(0o700)
    assert (ran.code, "cannot be written (Permission denied)" in ran.err) == (15, True)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 1])
def test_a_home_folder_is_not_indexed_unasked(tmp_path: Path, depth: int) -> None:
    home = one_file(tmp_path / "people" / "home")
    folder = (home, *home.parents)[depth]
    ran = run_process("index", folder=folder, HOME=str(home))
    assert (ran.code, ran.out) == (2, "")
    assert f"{folder} is or contains your home folder" in ran.err
    assert f"cgi index {folder} --yes" in ran.err
    assert not (folder / ".cgi").exists()


@pytest.mark.slow
def test_a_home_folder_is_indexed_on_request_and_what_lies_in_it_without(tmp_path: Path) -> None:
    home = one_file(tmp_path / "home")
    assert run_process("index", "--yes", folder=home, HOME=str(home)).code == 0
    assert run_process("index", folder=one_file(home / "work"), HOME=str(home)).code == 0


@pytest.mark.parametrize("arguments", [["init", "--quiet", "--bare", "."], ["init", "--quiet", "--bare", ".git"]])
def test_a_bare_repository_is_refused_with_a_hint(tmp_path: Path, arguments: list[str]) -> None:
    subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    root = tmp_path / arguments[-1]
    with CodeIndexer(root) as indexer, pytest.raises(UsageError, match="git worktree add FOLDER"):
        indexer.index()
    assert not (root / ".cgi").exists()


def test_while_the_first_index_is_built_questions_say_so(
    cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = one_file(tmp_path / "repository")
    below = one_file(root / "below")
    (root / ".cgi").mkdir()
    db = root / ".cgi" / "index.db"
    with LocalState(db):
        for folder in (root, below):
            monkeypatch.chdir(folder)
            for command in ("callers", "search", "outline"):
                ran = cgi(command, "wrap")
                assert ran.code == 8
                assert ran.err == f"cgi: another process is building the first index, {db}; ask again when it is done\n"
    monkeypatch.chdir(root)
    assert cgi("callers", "wrap").code == 3
    assert not is_being_written(db)


@pytest.mark.slow
def test_a_disk_that_runs_full_at_any_moment_leaves_the_old_index_or_the_new_one(
    small_disk: Path, tmp_path: Path
) -> None:
    root, db = tmp_path / "repository", small_disk / "index.db"
    one_file(root)
    assert run_process("index", "--db", str(db), folder=root).code == 0
    before = db.read_bytes()
    for number in range(20):
        text = "".join(f"def wrap_{number}_{line}(gift):\n    return wrap(gift, {line})\n\n\n" for line in range(12))
        one_file(root / f"part{number}", text)
    filler = small_disk / "filler"
    for room in (0, 100_000, 200_000, 300_000, 400_000):
        free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_bsize
        filler.write_bytes(bytes(max(0, free - room)))
        ran = run_process("index", "--full", "--db", str(db), folder=root)
        filler.unlink()
        assert (ran.code, ran.out, ran.err) == (
            15,
            "",
            f"cgi: there is no room on the disk of {db}; make room, or write the index elsewhere: --db FILE. "
            "An index that was there is unharmed\n",
        )
        assert db.read_bytes() == before
        assert not {path.name for path in small_disk.iterdir()} - {"index.db", "index.db.local"}
    assert run_process("index", "--full", "--db", str(db), folder=root).code == 0
    assert db.read_bytes() != before


STARVED = """
import resource, sys
from code_graph_indexer.__main__ import main
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
main()
"""
"""A run of `cgi` whose processes may take no more memory than its first argument, in bytes."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of a process")
def test_without_enough_memory_the_old_index_stays(tmp_path: Path) -> None:
    root, db = one_file(tmp_path / "repository"), tmp_path / "index.db"
    assert run_process("index", "--db", str(db), folder=root).code == 0
    before = db.read_bytes()
    one_file(root / "more", "def more(): pass\n")
    for size in (180 << 20, 200 << 20, 220 << 20):
        command = [sys.executable, "-c", STARVED, str(size), "index", str(root), "--full", "--db", str(db)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        # How much a process needs at least depends on the number of cores.
        assert ran.returncode == 0 or db.read_bytes() == before
    command = [sys.executable, "-c", STARVED, str(1 << 31), "index", str(root), "--full", "--db", str(db)]
    subprocess.run(command, capture_output=True, check=True, timeout=120)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        apsw.NoMemError("out of memory"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_a_machine_without_memory_raises_is_one_clear_error(tmp_path: Path, error: Exception) -> None:
    db = tmp_path / "index.db"
    message = re.escape(f"there is not enough memory; use less: --workers 1; {db} is not written")
    with pytest.raises(IndexWriteError, match=message), writable(db):
        raise error


@pytest.mark.parametrize(
    "error", [OSError(errno.EAGAIN, "Resource temporarily unavailable"), RuntimeError("can't start new thread")]
)
def test_a_machine_without_room_for_processes_says_so(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(IndexWriteError, match=r"no further process .*ulimit -u"), writable(tmp_path / "index.db"):
        raise error


@pytest.mark.slow
@pytest.mark.parametrize("most", [12, 16, 18])
def test_too_few_open_files_are_said_to_be_too_few(tmp_path: Path, most: int) -> None:
    # More files than a single process reads.
    files = {f"d{number}/cart.py": "def total():\n    return 1\n" * 20 for number in range(300)}
    root = write_tree(tmp_path / "many", files)
    command = f'ulimit -n {most}; "{sys.executable}" -m code_graph_indexer index "{root}" --workers 2'
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0 or "ulimit -n" in ran.stderr, ran.stderr
    assert len(ran.stderr.strip().split("\n")) <= 1
