"""The memory of a process group and the size of a folder are measured, and a limit that is broken is named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from code_graph_indexer.programs import kill_group
from code_graph_indexer.team.fleet import Limits
from code_graph_indexer.team.fleet.cache import folder_of, make_room, remove_folder
from code_graph_indexer.team.fleet.watch import MIB, Watch, folder_size, group_memory
from tests.team.fleet.conftest import wait_for

HUNGRY = (
    "import os, time; text = bytearray(os.urandom(60 << 20)); os.fork(); print('ready', flush=True); time.sleep(60)"
)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="the system does not tell")
def test_shared_memory_of_a_group_counts_once(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HUNGRY], start_new_session=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 60 * MIB < group_memory(process.pid) < 110 * MIB
        watch = Watch(process.pid, tmp_path, Limits(100, 50 * MIB, 10 * MIB))
        assert watch.breach() == "it used more than 50 MiB of memory"
        assert watch.peak > 60 * MIB
        kill_group(process.pid)
    wait_for(lambda: group_memory(process.pid) == 0, "the group is gone")


def test_time_is_limited(tmp_path: Path) -> None:
    assert Watch(os.getpid(), tmp_path, Limits(-1, 1, 1)).breach() == "it took longer than -1 seconds"


def test_the_size_of_a_folder_is_that_of_its_files_and_no_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(os.urandom(300_000))
    (tmp_path / "link").symlink_to("/")
    assert 300_000 <= folder_size(tmp_path, 10**9) < 400_000
    assert folder_size(tmp_path, 1) > 1
    assert folder_size(tmp_path / "gone", 1) == 0


def test_folders_of_repositories_are_apart_and_make_room(tmp_path: Path) -> None:
    names = ["team/shop", "team-shop", "../../etc", "-x", "é" * 300]
    folders = [folder_of(tmp_path, name) for name in names]
    assert len(set(folders)) == len(names)
    assert all(folder.parent == tmp_path for folder in folders)
    assert make_room(tmp_path, sys.maxsize, spare=folders[0]) == len(names) - 1
    assert list(tmp_path.iterdir()) == [folders[0]]
    assert not remove_folder(tmp_path / "none")
