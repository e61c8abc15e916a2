"""Every answer is of the files on disk: what changed is seen before a question, and written into the index if it is little."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.freshness import MAX_PATHS, MAX_UPDATE_FILES, FreshnessState
from code_graph_indexer.indexing import pending_changes
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage.local import LocalState, read_snapshot
from code_graph_indexer.storage.snapshot import differences, usable_snapshot
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

CURRENT, UPDATED, STALE, UNCHECKED = FreshnessState

FILES = {
    "app/core.py": "def start():\n    return helper()\n\n\ndef helper():\n    return 1\n",
    "app/deep/er/leaf.py": "from app.core import start\n\n\ndef leaf():\n    return start()\n",
    "app/notes.txt": "some notes\n",
    "build/made.py": "def made():\n    return 1\n",
    "docs/guide.md": "# Guide\n\nText.\n",
    "data.csv": "a,b\n" * 10,
    ".env": "KEY=1\n",
    "big.py": "value = 1\n" * 400,
    ".gitignore": "*.log\n/out/\n",
    "out/hidden.py": "def hidden():\n    return 1\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "repository", FILES)


@pytest.fixture
def indexer(root: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(root, workers=1, max_file_size=2_000) as opened:
        opened.index()
        yield opened


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock of this process run an hour ahead, so that the times of all files are old enough to be trusted."""
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 3_600_000_000_000)


def test_nothing_changed_needs_no_update(later: None, indexer: CodeIndexer) -> None:
    assert indexer.symbol("start")[0].start_line == 1
    assert indexer.freshness.state is CURRENT
    assert indexer.freshness.note == ""


def test_a_definition_just_written_is_known(indexer: CodeIndexer, root: Path) -> None:
    (root / "app" / "core.py").write_text("# a new first line\n" + FILES["app/core.py"], encoding="utf-8")
    assert [(symbol.name, symbol.start_line) for symbol in indexer.symbol("helper")] == [("helper", 6)]
    assert indexer.freshness.state is UPDATED
    assert indexer.freshness.changed == ("app/core.py",)
    indexer.symbol("helper")
    assert indexer.freshness.state is CURRENT


def test_a_file_in_a_new_nested_folder_is_known(later: None, indexer: CodeIndexer, root: Path) -> None:
    write_tree(root, {"new/nested/folder/file.py": "from app.core import helper\n\n\ndef fresh():\n    helper()\n"})
    assert [step.symbol.name for step in indexer.callers("helper")[0].steps] == ["start", "fresh"]
    assert indexer.freshness.new == ("new/nested/folder/file.py",)


def test_a_deleted_file_is_gone(indexer: CodeIndexer, root: Path) -> None:
    assert [step.symbol.name for step in indexer.callers("start")[0].steps] == ["leaf"]
    (root / "app" / "deep" / "er" / "leaf.py").unlink()
    assert indexer.callers("start")[0].steps == ()
    assert indexer.freshness.deleted == ("app/deep/er/leaf.py",)
    with pytest.raises(NotInIndexError):
        indexer.symbol("leaf")


QUESTIONS = (
    lambda indexer: indexer.retrieve("probe"),
    lambda indexer: indexer.retrieve_with_parents("probe"),
    lambda indexer: indexer.retrieve_by_keyword("probe"),
    lambda indexer: indexer.retrieve_symbols("probe"),
    lambda indexer: indexer.retrieve_examples("probe"),
    lambda indexer: indexer.ask("where is probe?"),
    lambda indexer: indexer.symbol("probe"),
    lambda indexer: indexer.callers("probe"),
    lambda indexer: indexer.callees("probe"),
    lambda indexer: indexer.graph.impact("probe.probe"),
    lambda indexer: indexer.outline("probe.py"),
    lambda indexer: indexer.tree(),
    lambda indexer: indexer.stats(),
)


@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_every_question_looks_at_the_disk(indexer: CodeIndexer, root: Path, number: int) -> None:
    (root / "probe.py").write_text("def probe():\n    return 1\n\n\nprobe()\n", encoding="utf-8")
    QUESTIONS[number](indexer)
    assert indexer.freshness.new == ("probe.py",)


def test_without_updates_the_index_is_read_as_it_is(root: Path, indexer: CodeIndexer) -> None:
    (root / "probe.py").write_text("def probe():\n    return 1\n", encoding="utf-8")
    with CodeIndexer(root, update=False) as second:
        with pytest.raises(NotInIndexError):
            second.symbol("probe")
        assert second.freshness.state is UNCHECKED
        assert second.freshness.note == ""


def test_an_example_of_a_changed_file_is_stale(root: Path, indexer: CodeIndexer) -> None:
    (root / "app" / "deep" / "er" / "leaf.py").write_text("leaf = 1\n", encoding="utf-8")
    with CodeIndexer(root, update=False) as second:
        assert [example.stale for example in second.retrieve_examples("start")] == [True]


def test_an_open_index_sees_what_another_one_updated(root: Path, indexer: CodeIndexer) -> None:
    (root / "probe.py").write_text("def probe():\n    return 1\n", encoding="utf-8")
    with CodeIndexer(root) as second:
        second.symbol("start")
        assert second.freshness.state is UPDATED
    assert indexer.symbol("probe")[0].file_path == "probe.py"
    assert indexer.freshness.state is CURRENT


def test_many_changes_are_named_and_not_waited_for(root: Path, indexer: CodeIndexer) -> None:
    write_tree(root, {f"more/f{number}.py": "def more():\n    return 1\n" for number in range(MAX_UPDATE_FILES + 1)})
    (root / "app" / "core.py").write_text("# first\n" + FILES["app/core.py"], encoding="utf-8")
    assert indexer.symbol("helper")[0].start_line == 5
    freshness = indexer.freshness
    assert freshness.state is STALE
    assert freshness.changed == ("app/core.py",)
    assert len(freshness.new) == MAX_UPDATE_FILES + 1
    assert freshness.stale_paths == {"app/core.py"}
    assert freshness.note.startswith(f"{MAX_UPDATE_FILES + 2} files changed on disk since")
    assert f"and {MAX_UPDATE_FILES + 2 - MAX_PATHS} more (too many to update first; run: cgi index)" in freshness.note
    indexer.index()
    assert indexer.symbol("helper")[0].start_line == 6
    assert indexer.freshness.state is CURRENT


def test_a_block_of_questions_looks_once(root: Path, indexer: CodeIndexer) -> None:
    with indexer.question() as freshness:
        (root / "probe.py").write_text("def probe():\n    return 1\n", encoding="utf-8")
        with pytest.raises(NotInIndexError):
            indexer.symbol("probe")
        assert freshness.state is CURRENT
    assert indexer.symbol("probe")


def test_an_index_elsewhere_is_read_as_it_is_and_says_so_once(root: Path, indexer: CodeIndexer, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(indexer.db.read_bytes())
    with CodeIndexer(db=copy) as second:
        assert second.symbol("start")
        assert second.freshness.state is UNCHECKED
        assert "read as it is" in second.freshness.note
        assert second.symbol("start")
        assert second.freshness.note == ""


def test_an_index_without_its_checkout_is_read_as_it_is(indexer: CodeIndexer, tmp_path: Path) -> None:
    lonely = tmp_path / "lonely"
    (lonely / ".cgi").mkdir(parents=True)
    (lonely / ".cgi" / "index.db").write_bytes(indexer.db.read_bytes())
    with CodeIndexer(lonely) as second:
        assert second.symbol("start")[0].file_path == "app/core.py"
        assert second.freshness.state is UNCHECKED
        assert "none of its files is in its folder" in second.freshness.note


def test_while_another_process_updates_the_answer_says_so(
    root: Path, indexer: CodeIndexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("code_graph_indexer.freshness.WAIT_SECONDS", 0.05)
    (root / "app" / "core.py").write_text("# first\n" + FILES["app/core.py"], encoding="utf-8")
    with LocalState(indexer.db):
        assert indexer.symbol("helper")[0].start_line == 5
        assert indexer.freshness.state is STALE
        assert indexer.freshness.changed == ("app/core.py",)
        assert "another process is updating it" in indexer.freshness.note
    assert indexer.symbol("helper")[0].start_line == 6


def test_an_index_that_cannot_be_written_names_what_changed(
    root: Path, indexer: CodeIndexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "app" / "core.py").write_text("# first\n" + FILES["app/core.py"], encoding="utf-8")
    # A folder in place of the local state cannot be opened as a file, whoever the user is.
    local = indexer.db.with_name("index.db.local")
    local.unlink()
    local.mkdir()
    assert indexer.symbol("helper")[0].start_line == 5
    assert indexer.freshness.state is STALE
    assert indexer.freshness.changed == ("app/core.py",)
    assert "cannot be written" in indexer.freshness.note


def test_the_settings_of_the_index_outlive_a_question(root: Path) -> None:
    with CodeIndexer(root, max_file_size=2_000, repo_id="mine", max_chunk_size=400) as builder:
        builder.index()
    (root / "app" / "core.py").write_text("# first\n" + FILES["app/core.py"], encoding="utf-8")
    with CodeIndexer(root) as reader:
        reader.symbol("helper")
        assert reader.freshness.changed == ("app/core.py",)
        errors = {file.path: file.error for file in reader.store.files()}
        assert errors["big.py"] == "too large (over 2000 bytes)"
        assert reader.store.meta()["repo_id"] == "mine"


def test_a_forged_state_makes_no_secret_read(root: Path, indexer: CodeIndexer, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("def outside():\n    return 1\n", encoding="utf-8")
    with LocalState(indexer.db) as local:
        times = local.times()
        local.put_times(dict.fromkeys(("../outside.py", ".env", "out/hidden.py"), times["app/core.py"]))
    indexer.symbol("start")
    indexer.index()
    paths = {file.path: file.error for file in indexer.store.files()}
    assert paths[".env"] == "secret"
    assert paths.keys().isdisjoint({"../outside.py", "out/hidden.py"})


def test_damage_beside_the_index_costs_no_answer(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "many", {f"f{number}.py": f"def f{number}():\n    pass\n" * 9 for number in range(99)})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    local = indexer.db.with_name("index.db.local")
    good, sound = local.read_bytes(), indexer.db.read_bytes()
    for seed in range(20):
        rng = random.Random(seed)
        content = bytearray(good)
        for _ in range(rng.choice([1, 3, 20])):
            place, size = rng.randrange(100, len(content) - 600), rng.choice([1, 16, 500])
            content[place : place + size] = rng.randbytes(size)
        local.write_bytes(content)
        indexer.db.write_bytes(sound)
        lines = "# line\n" * (seed % 5 + 1)
        write_tree(root, {"f3.py": f"{lines}def f3():\n    return 1\n"})
        with CodeIndexer(root, workers=1) as reader:
            assert [symbol.start_line for symbol in reader.symbol("f3.f3")] == [seed % 5 + 2]
            assert reader.freshness.note == ""


ASK = """
import sys
from code_graph_indexer import CodeIndexer
with CodeIndexer(sys.argv[1]) as indexer:
    print(indexer.symbol("probe")[0].start_line, indexer.freshness.state.value)
"""


def test_two_processes_at_once_update_once(root: Path, indexer: CodeIndexer) -> None:
    (root / "probe.py").write_text("def probe():\n    return 1\n", encoding="utf-8")
    running = [
        subprocess.Popen([sys.executable, "-c", ASK, str(root)], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    answers = sorted(process.communicate()[0].strip() for process in running)
    assert answers == ["1 current", "1 current", "1 updated"]


# What a look says, against what a walk would find.


def edit_file(root: Path, rng: random.Random) -> None:
    path = rng.choice(["app/core.py", "app/deep/er/leaf.py", "docs/guide.md", "app/notes.txt"])
    if (root / path).is_file():
        with (root / path).open("a", encoding="utf-8") as stream:
            stream.write(f"# {rng.random()}\n")


def edit_in_place(root: Path, rng: random.Random) -> None:
    """Change a file, but neither its size nor its time of writing."""
    path = root / "app" / "core.py"
    if path.is_file():
        status = path.stat()
        content = path.read_bytes()
        path.write_bytes(content.replace(b"1", b"2") if b"1" in content else content.replace(b"2", b"1"))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def new_file(root: Path, rng: random.Random) -> None:
    folder = rng.choice(["", "app/", "app/deep/", "build/", "out/", "x/y/z/"])
    ending = rng.choice([".py", ".log", ".csv", ".pem"])
    write_tree(root, {f"{folder}n{rng.randrange(100)}{ending}": f"x = {rng.random()}\n"})


def delete_file(root: Path, rng: random.Random) -> None:
    paths = [path for path in sorted(root.rglob("*")) if path.is_file() and ".git" not in path.parts]
    paths = [path for path in paths if ".cgi" not in path.parts]
    rng.choice(paths).unlink()


def rename(root: Path, rng: random.Random) -> None:
    paths = [path for path in sorted(root.iterdir()) if path.name not in (".git", ".cgi")]
    path = rng.choice(paths)
    path.rename(path.with_name(f"r{rng.randrange(1000)}-{path.name}"))


def touch(root: Path, rng: random.Random) -> None:
    if (root / "app" / "core.py").is_file():
        os.utime(root / "app" / "core.py")


def edit_rules(root: Path, rng: random.Random) -> None:
    rules = rng.choice(["*.log\n", "*.md\n", "/out/\n", "*.log\n/out/\n", "", "app/deep/\n"])
    write_tree(root, {rng.choice([".gitignore", ".cgiignore", "app/.gitignore"]): rules})


def track(root: Path, rng: random.Random) -> None:
    path = rng.choice(["build/made.py", "out/hidden.py"])
    if (root / path).is_file():
        subprocess.run(["git", "-C", str(root), "add", "--force", path], check=True)


def change_size_of_forbidden(root: Path, rng: random.Random) -> None:
    for path in ("data.csv", ".env", "big.py"):
        if (root / path).is_file():
            (root / path).write_text("1,2\n" * rng.randrange(1, 900), encoding="utf-8")


def link(root: Path, rng: random.Random) -> None:
    path = root / "app" / "notes.txt"
    if path.is_file():
        path.unlink()
        path.symlink_to("core.py")


EDITS = (
    *(edit_file, edit_in_place, new_file, delete_file, rename, touch, edit_rules, track, change_size_of_forbidden),
    link,
)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("waits", [False, True])
def test_a_look_overlooks_nothing_that_a_walk_finds(
    root: Path, seed: int, waits: bool, request: pytest.FixtureRequest
) -> None:
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "add", "app"], check=True)
    if waits:
        # Then all times are trusted, else none is.
        request.getfixturevalue("later")
    rng = random.Random(seed)
    settings = Settings(max_file_size=2_000)
    with CodeIndexer(root, workers=1, max_file_size=2_000) as indexer:
        indexer.index()
        quiet = 0
        for _ in range(15):
            # The times of the file system have a resolution, below which trusted times would prove too much.
            time.sleep(0.02 if waits else 0)
            for edit in rng.sample(EDITS, rng.choice([0, 1, 1, 2])):
                edit(root, rng)
            snapshot = usable_snapshot(read_snapshot(indexer.db), root, indexer.db)
            assert snapshot is not None
            seen = differences(root, snapshot)
            quiet += seen.nothing
            pending = pending_changes(root, indexer.db, settings)
            assert not (seen.nothing and pending.paths), pending
            indexer.tree()
            assert set(indexer.freshness.changed) == set(pending.changed)
            assert set(indexer.freshness.new) == set(pending.new)
            assert set(indexer.freshness.deleted) == set(pending.deleted)
            assert pending_changes(root, indexer.db, settings).paths == ()
        assert quiet
        assert indexer.verify() == []
