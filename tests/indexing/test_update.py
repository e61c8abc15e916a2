"""An update leaves what a fresh build would make, and writes nothing else."""

import os
import shutil
import tempfile
import zlib
from itertools import count
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.indexing import differences
from code_graph_indexer.indexing import lookups as stored_lookups
from code_graph_indexer.indexing import update as updating
from code_graph_indexer.indexing.file import read_link_input
from code_graph_indexer.indexing.lookups import ENTRY, SHARDS, store_lookups
from code_graph_indexer.resolve import LinkFile, is_linked
from code_graph_indexer.resolve.facts import PASSING
from code_graph_indexer.resolve.notes import KEY_BYTES, key_hash
from code_graph_indexer.resolve.world import MAX_PASSING
from code_graph_indexer.results import Filters
from code_graph_indexer.storage import open_links
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.storage.records import Target
from code_graph_indexer.storage.snapshot import index_stamp
from code_graph_indexer.syntax.records import SourceFile
from tests.indexing.edits import FIXTURES, START, Edit, edits
from tests.indexing.repository import (
    OLD,
    age,
    calls,
    errors,
    index,
    lookups,
    opened,
    raw,
    settings_of,
    write_tree,
)
from tests.storage.full_text import full_text_rows, full_text_terms

pytestmark = pytest.mark.slow

_numbers = count()

CALLER = "from b import target\n\n\ndef caller():\n    target()\n"
TARGET = "def target():\n    return 1\n"


def assert_equals_a_fresh_build(root: Path, db: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.db"
        index(root, fresh)
        with opened(db) as updated, opened(fresh) as rebuilt:
            assert differences(updated, rebuilt) == []
            assert updated.check() == []
        assert lookups(db) == lookups(fresh)
        assert full_text_terms(db) == full_text_terms(fresh)
    assert_lookups_beside_are_those_inside(db)


def assert_lookups_beside_are_those_inside(db: Path) -> None:
    stamp = index_stamp(db)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_links(db) as links,
        LocalState(db) as local,
        LocalState(Path(folder) / "again.db") as again,
    ):
        # A copied index has another stamp until its first update, which makes them anew.
        if local.shards_of() != stamp:
            return
        store_lookups(again, links.lookups(), stamp)
        stored, expected = (
            {number: set(entries_of(packed)) for number, packed in state.shards(range(SHARDS)).items() if packed}
            for state in (local, again)
        )
    assert stored == expected


def entries_of(packed: bytes) -> list[bytes]:
    """Cut a shard into its entries."""
    size = ENTRY.itemsize
    return [packed[start : start + size] for start in range(0, len(packed), size)]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds a repository and its index."""
    folder = tmp_path_factory.mktemp("start")
    index(write_tree(folder / "repository", START), folder / "index.db")
    return folder


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    script=st.lists(st.lists(edits(), min_size=1, max_size=3), min_size=1, max_size=5), most=st.sampled_from([0, 10**6])
)
def test_after_any_edits_an_update_equals_a_fresh_build(start: Path, script: list[list[Edit]], most: int) -> None:
    folder = start.with_name(f"copy-{next(_numbers)}")
    shutil.copytree(start, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_lookups, "SORTED", most)
        _edit_and_compare(folder, script)


def _edit_and_compare(folder: Path, script: list[list[Edit]]) -> None:
    try:
        for step in script:
            for edit in step:
                edit(folder / "repository")
            index(folder / "repository", folder / "index.db")
            assert_equals_a_fresh_build(folder / "repository", folder / "index.db")
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a repository of two files, indexed, whose times lie in the past."""
    write_tree(tmp_path / "repository", {"a.py": CALLER, "b.py": TARGET, "c.md": "# Zebra\n\nquagga\n"})
    age(tmp_path / "repository")
    index(tmp_path / "repository", tmp_path / "index.db")
    return tmp_path


def update(folder: Path) -> None:
    index(folder / "repository", folder / "index.db")


def test_a_changed_file_needs_no_walk_and_changes_the_lookups(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_lookups, "SORTED", 0)
    with monkeypatch.context() as patch:
        patch.delattr("code_graph_indexer.indexing.discover.survey")
        write_tree(folder / "repository", {"b.py": "def other():\n    return target()\n"})
        update(folder)
        update(folder)
    with LocalState(folder / "index.db") as local:
        assert local.shards_of() == index_stamp(folder / "index.db")
    assert_equals_a_fresh_build(folder / "repository", folder / "index.db")


def targets_of(folder: Path, name: str) -> list[str | None]:
    """List the target of each call of a name, None for one without."""
    return [call.target for call in calls(folder / "index.db") if call.name == name]


def test_an_update_without_a_change_leaves_every_byte(folder: Path) -> None:
    before = (folder / "index.db").read_bytes()
    report = index(folder / "repository", folder / "index.db")
    assert (report.changed, report.removed, report.full) == (0, 0, False)
    assert (folder / "index.db").read_bytes() == before


def test_a_touched_file_changes_no_byte_and_is_not_read_twice(folder: Path) -> None:
    before = (folder / "index.db").read_bytes()
    os.utime(folder / "repository" / "a.py", (OLD + 5, OLD + 5))
    report = index(folder / "repository", folder / "index.db")
    assert report.changed == 0
    assert (folder / "index.db").read_bytes() == before


def test_a_change_of_the_same_size_and_second_is_seen(folder: Path) -> None:
    place = folder / "repository" / "b.py"
    for text in (TARGET.replace("1", "2"), TARGET.replace("1", "3")):
        place.write_text(text)
        update(folder)
        with opened(folder / "index.db") as store:
            assert store.file_text("b.py") == text.encode()


def test_a_file_that_cannot_be_indexed_is_not_written_again(folder: Path) -> None:
    write_tree(folder / "repository", {"binary.py": b"\0\1\2", ".env": "KEY=1\n", "big.txt": "x" * 2_000_000})
    (folder / "repository" / "link.py").symlink_to("a.py")
    age(folder / "repository")
    update(folder)
    before = (folder / "index.db").read_bytes()
    assert index(folder / "repository", folder / "index.db").changed == 0
    assert (folder / "index.db").read_bytes() == before


def test_a_deleted_file_leaves_nothing_behind(folder: Path) -> None:
    (folder / "repository" / "c.md").unlink()
    update(folder)
    with opened(folder / "index.db") as store:
        assert [file.path for file in store.files()] == ["a.py", "b.py"]
        assert not store.has_words(["zebra", "quagga"])
        assert store.substrings("zebra", Filters(), 9) == store.substrings("quagga", Filters(), 9) == []
        # It compares the vectors, too, with the chunks that have a text.
        assert store.meta()["dimensions"] != "0" and store.check() == []
        chunks = [chunk for path in ("a.py", "b.py") for chunk in store.file_chunks(path)]
        with_text = sum(chunk.end_byte > chunk.start_byte for chunk in chunks)
    assert not any(
        "zebra" in repr(row) or "quagga" in repr(row) for row in full_text_terms(folder / "index.db")["words"]
    )
    assert full_text_rows(folder / "index.db") == {"words": with_text, "trigrams": 2}
    assert_equals_a_fresh_build(folder / "repository", folder / "index.db")


def test_a_renamed_file_is_found_under_its_new_name_only(folder: Path) -> None:
    (folder / "repository" / "b.py").rename(folder / "repository" / "d.py")
    update(folder)
    assert list(errors(folder / "index.db")) == ["a.py", "c.md", "d.py"]
    assert targets_of(folder, "target") == [None]
    assert_equals_a_fresh_build(folder / "repository", folder / "index.db")


def test_an_added_definition_links_a_call_elsewhere_and_its_removal_unlinks_it(folder: Path) -> None:
    write_tree(folder / "repository", {"b.py": "def other(): pass\n"})
    update(folder)
    assert targets_of(folder, "target") == [None]
    write_tree(folder / "repository", {"b.py": TARGET})
    update(folder)
    assert targets_of(folder, "target") == ["b.target"]


def test_an_added_file_links_a_call_elsewhere(folder: Path) -> None:
    (folder / "repository" / "b.py").unlink()
    update(folder)
    assert targets_of(folder, "target") == [None]
    write_tree(folder / "repository", {"b/__init__.py": "from .deep import target\n", "b/deep.py": TARGET})
    update(folder)
    assert targets_of(folder, "target") == ["b.deep.target"]


def test_a_changed_base_class_relinks_the_calls_of_files_that_do_not_import_it(tmp_path: Path) -> None:
    files = {
        "base.py": "class Base:\n    def save(self):\n        pass\n",
        "middle.py": "from base import Base\n\n\nclass Middle(Base):\n    pass\n",
        "user.py": "from middle import Middle\n\n\ndef use(one: Middle):\n    one.save()\n",
    }
    root = write_tree(tmp_path / "repository", files)
    index(root, tmp_path / "index.db")
    assert targets_of(tmp_path, "save") == ["base.Base.save"]
    write_tree(root, {"base.py": "class Base:\n    pass\n"})
    update(tmp_path)
    assert targets_of(tmp_path, "save") == [None]
    write_tree(root, {"middle.py": files["middle.py"].replace("pass", "def save(self): ...")})
    update(tmp_path)
    assert targets_of(tmp_path, "save") == ["middle.Middle.save"]


Files = dict[str, str]

CHANGES: dict[str, tuple[Files, Files]] = {
    "a function of the name of a parameter elsewhere": (
        {"a.c": "void reg(int); void g(int *c){ reg(c); }\n", "b.c": "void c(void){}\n"},
        {"b.c": "void d(void){}\n"},
    ),
    "a file of the name of a parameter elsewhere": (
        {"a.c": "void reg(int); void g(int *b){ reg(b); }\n", "b.c": "int one;\n", "d.c": "void b(void){}\n"},
        {"b.c": "int two;\n"},
    ),
    "a member whose name lies in a block": (
        {
            "box.cpp": "template <typename T> class Box {\n  T a;\n" + "  // words\n" * 300 + "  using kind = T;\n};\n",
            "use.cc": "int use(int a) { return static_cast<int>(kind); }\n",
        },
        {"new.cc": ""},
    ),
    "a member among functions": (
        {
            "box.cpp": "class Box {\n  template <typename U> U turn(U other) { return other.get(); }\n  using kind = T;\n};\n",
            "use.cc": "int use(int a) { return static_cast<int>(kind); }\n",
        },
        {"new.cc": ""},
    ),
    "a variable of the platform's library": (
        {"a.h": "extern int stdin;\n", "b.c": "int take(int x) { return take(stdin); }\n"},
        {"c.c": "int stdin;\n"},
    ),
    "a header that becomes another language": (
        {"one.h": "int total(int a);\n", "two.cpp": '#include "one.h"\nint use() { return total(1); }\n'},
        {"one.h": "class Cart { public: int total(int a); };\n"},
    ),
    "a constant that no file had": (
        {
            "rates.py": "LOW = 1\n",
            "use.py": "from rates import HIGH\nimport rates\n\n\ndef most():\n    return HIGH + rates.HIGH\n",
        },
        {"rates.py": "LOW = 1\nHIGH = 5\n"},
    ),
    "a constant that goes": (
        {"rates.py": "LOW = 1\nHIGH = 5\n", "use.py": "import rates\n\n\ndef most():\n    return rates.HIGH\n"},
        {"rates.py": "LOW = 1\n"},
    ),
    "a constant with a new name": (
        {
            "rates.py": "LOW = 1\nHIGH = 5\nTOP = HIGH\n",
            "use.py": "from rates import HIGH\n\n\ndef most():\n    return HIGH\n",
            "late.py": "from rates import PEAK\n\n\ndef most():\n    return PEAK\n",
        },
        {"rates.py": "LOW = 1\nPEAK = 5\nTOP = PEAK\n"},
    ),
    "a constant above another": (
        {"rates.py": "LOW = 1\nHIGH = 5\n", "use.py": "import rates\n\n\ndef most():\n    return rates.HIGH\n"},
        {"rates.py": "IDLE = 0\nHIGH = 5\nLOW = 1\n"},
    ),
    "a constant that becomes a function": (
        {"rates.py": "HIGH = 5\n", "use.py": "import rates\n\n\ndef most():\n    return rates.HIGH\n"},
        {"rates.py": "def HIGH(): ...\n"},
    ),
    "a constant in a file that is new": (
        {"use.ts": "import { LIMIT } from './rates';\nexport function most() { return LIMIT; }\n"},
        {"rates.ts": "export const LIMIT = 5;\n"},
    ),
    "the field of a base": (
        {
            "base.py": "class Base:\n    pass\n",
            "child.py": "from base import Base\n\n\nclass Child(Base):\n    def go(self):\n        return self.width\n",
        },
        {"base.py": "class Base:\n    width: int = 1\n"},
    ),
    "a member of an enum": (
        {
            "State.java": "enum State { OPEN, CLOSED }\n",
            "Use.java": "class Use { boolean is(State state) { return state == State.LOST || state == State.OPEN; } }\n",
        },
        {"State.java": "enum State { LOST, CLOSED }\n"},
    ),
    "a type of a package": (
        {
            "go.mod": "module example.com/x\n",
            "a/one.go": "package a\n\nconst Limit = 1\n",
            "a/two.go": "package a\n\nfunc Use(k Kind) Kind { return k + Limit + More }\n",
        },
        {"a/one.go": "package a\n\ntype Kind int\n\nconst More = 1\n"},
    ),
    "an extension of a type of another package": (
        {"One.swift": "func one() {}\n"},
        {"Two.swift": "extension Store.Shelf { func clear() {} }\nfunc load(_ it: Any) -> Shelf { it as? Shelf }\n"},
    ),
    "a module that code names": (
        {"one.rb": "def most\n  Rates::HIGH + Rates\nend\n", "two.rb": "def least\nend\n"},
        {"two.rb": "module Rates\n  HIGH = 5\nend\n"},
    ),
    "a namespace that code names": (
        {"a.h": "int low();\n", "a.cpp": '#include "a.h"\nint use() { return rates::high; }\n'},
        {"a.h": "namespace rates { const int high = 5; }\n"},
    ),
    "a macro of a header": (
        {"a.h": "#define LOW 1\n", "a.c": '#include "a.h"\nint use(void) { return LOW + HIGH; }\n'},
        {"a.h": "#define HIGH 2\n"},
    ),
    "a second property of a name that a file imports": (
        {
            "added.kt": "package added\nval Tree.leaf: Int get() = 1\n",
            "use.kt": "package use\nimport added.leaf\nfun use(tree: Any) = tree.leaf\n",
        },
        {"added.kt": "package added\nval Tree.leaf: Int get() = 1\nval Bush.leaf: Int get() = 2\n"},
    ),
    "a property of a name that a file imports, for another type": (
        {
            "added.kt": "package added\nval Tree.leaf: Int get() = 1\n",
            "use.kt": "package use\nimport added.leaf\nimport org.trees.Tree\nfun use(tree: Tree) = tree.leaf\n",
        },
        {"added.kt": "package added\nval Bush.leaf: Int get() = 1\n"},
    ),
    "a helper of a template, and the controller behind it": (
        {
            "app/helpers/a_helper.rb": "module AHelper\n  def divider; end\nend\n",
            "app/views/carts/show.html.erb": "<%= divider %><%= @cart %>\n",
        },
        {
            "app/helpers/b_helper.rb": "module BHelper\n  def divider; end\nend\n",
            "app/controllers/carts_controller.rb": "class CartsController\n  def show\n    @cart = 1\n  end\nend\n",
        },
    ),
    "a test that becomes no test": (
        {"tests/helper.py": "def only_here(): pass\n", "app.py": "def use():\n    only_here()\n"},
        {"tests/helper.py": "", "helper.py": "def only_here(): pass\n"},
    ),
}
"""Repositories whose update once differed from a fresh build, or might: the files, and those that are changed."""


@pytest.mark.parametrize("change", CHANGES)
def test_an_update_after_this_change_equals_a_fresh_build(tmp_path: Path, change: str) -> None:
    before, after = CHANGES[change]
    root = write_tree(tmp_path / "repository", before)
    index(root, tmp_path / "index.db")
    write_tree(root, after)
    update(tmp_path)
    assert_equals_a_fresh_build(root, tmp_path / "index.db")


def test_a_name_with_the_hash_of_a_function_is_not_counted_among_its_callers(tmp_path: Path) -> None:
    # More than MAX_PASSING files would end the search for the arguments of `run`.
    namesake = "bgswok"
    short = (1 << 8 * KEY_BYTES) - 1
    assert key_hash(PASSING + namesake) & short == key_hash(PASSING + "run") & short
    imports = "from run import run, start\n\n"
    passing = {f"p{i:02}.py": f"{imports}run(start)\n" for i in range(MAX_PASSING)}
    run = "def start(): pass\n\n\ndef run(then):\n    then()\n"
    files = {**passing, "run.py": run, "other.py": f"{imports}{namesake}(start)\n"}
    root = write_tree(tmp_path / "repository", files)
    index(root, tmp_path / "index.db")
    write_tree(root, {"run.py": run.replace("then()", "return then()")})
    update(tmp_path)
    assert targets_of(tmp_path, "then") == ["run.start"]
    assert_equals_a_fresh_build(root, tmp_path / "index.db")


def test_the_index_lists_the_definitions_of_a_name_as_the_resolver_does(tmp_path: Path) -> None:
    root = tmp_path / "languages"
    shutil.copytree(FIXTURES, root, ignore=shutil.ignore_patterns("*.golden"))
    index(root, tmp_path / "index.db")
    expected: dict[str, list[Target]] = {}
    with open_links(tmp_path / "index.db") as links:
        for path in sorted(links.paths().values()):
            row = links.file(path)
            assert row is not None
            source = SourceFile(path, row.language, is_test=row.is_test)
            module, packed = read_link_input(source, row.text, settings_of().max_chunk_size)
            file = LinkFile(row.id, path, row.language, module, row.is_test, row.chunk_ids, row.member_ids, packed)
            for name, targets in file.file_facts().by_name.items():
                expected.setdefault(name, []).extend(targets)
        for name, targets in expected.items():
            stored = [
                row.target
                for row in links.named(name)
                if is_linked(row.language, row.kind, row.name, row.dotted, row.has_body)
            ]
            assert stored == [target._replace(is_local=False) for target in targets]


def test_lookups_that_are_no_hashes_are_an_error_that_says_what_to_do(folder: Path) -> None:
    with raw(folder / "index.db") as connection:
        connection.execute("update lookups set hashes = x'0102'")
    write_tree(folder / "repository", {"b.py": CALLER})
    with pytest.raises(IndexFormatError, match=r"build it anew: cgi index --full FOLDER"):
        update(folder)


@pytest.mark.parametrize(
    "facts",
    ["delete from link_inputs", "update link_inputs set made_by = 'x'", "update link_inputs set content_hash = x'00'"],
)
def test_facts_that_are_not_there_or_old_are_read_from_the_stored_texts(folder: Path, facts: str) -> None:
    connection = apsw.Connection(str(folder / "index.db.local"))
    assert connection.execute("select count(*) from link_inputs").fetchone() == (3,)
    connection.execute(facts)
    connection.close()
    write_tree(folder / "repository", {"b.py": TARGET.replace("target", "other")})
    index(folder / "repository", folder / "index.db")
    assert_equals_a_fresh_build(folder / "repository", folder / "index.db")


def packed(text: str) -> str:
    """Return a compressed text as SQL."""
    return f"x'{zlib.compress(text.encode()).hex()}'"


@pytest.mark.parametrize(
    ("forged", "reason"),
    [
        (f"update contents set text = {packed(TARGET * 9)}", "do not fit its text"),
        ("update files set language = 'klingon'", r"unknown language \(klingon\)"),
        (f"update files set size = 2100000; update contents set text = {packed(TARGET * 90_000)}", "is longer than"),
    ],
)
def test_stored_files_that_cannot_be_linked_again_are_an_error_that_says_what_to_do(
    folder: Path, forged: str, reason: str
) -> None:
    (folder / "index.db.local").unlink()
    with raw(folder / "index.db") as connection:
        connection.execute(forged)
    write_tree(folder / "repository", {"b.py": CALLER})
    before = (folder / "index.db").read_bytes()
    with pytest.raises(IndexFormatError, match=f"{reason}.*; build the index anew: cgi index --full FOLDER"):
        index(folder / "repository", folder / "index.db")
    assert (folder / "index.db").read_bytes() == before


def test_unchanged_chunks_keep_their_ids(folder: Path) -> None:
    def ids() -> dict[str, int]:
        with opened(folder / "index.db") as store:
            return {chunk.qualified_name: chunk.id for path in ("a.py", "b.py") for chunk in store.file_chunks(path)}

    before = ids()
    write_tree(folder / "repository", {"b.py": "def first():\n    return 0\n\n\n" + TARGET})
    update(folder)
    after = ids()
    assert {name: after[name] for name in before} == before
    assert after["b.first"] > max(before.values())


def test_an_index_made_with_other_language_files_is_built_anew(folder: Path) -> None:
    with raw(folder / "index.db") as connection:
        connection.execute("update meta set value = 'others' where key = 'languages'")
    assert index(folder / "repository", folder / "index.db").full
    assert not index(folder / "repository", folder / "index.db").full


def test_a_setting_that_shapes_the_index_builds_it_anew(folder: Path) -> None:
    assert index(folder / "repository", folder / "index.db", max_chunk_size=200).full
    assert not index(folder / "repository", folder / "index.db", max_chunk_size=200).full


@pytest.mark.parametrize(("count", "is_built"), [(1, True), (3, False)])
def test_more_new_source_than_memory_should_hold_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, is_built: bool
) -> None:
    monkeypatch.setattr(updating, "HELD_BYTES", 10)
    root, db = tmp_path / "root", tmp_path / "index.db"
    write_tree(root, {f"a{number}.py": TARGET for number in range(count)})
    age(root)
    index(root, db)
    before = db.stat().st_ino
    write_tree(root, {"b.py": TARGET, "c.py": CALLER})

    index(root, db)

    assert (db.stat().st_ino != before) == is_built
    assert_equals_a_fresh_build(root, db)


def test_what_begins_to_be_source_is_updated(tmp_path: Path) -> None:
    files = {"a.py": CALLER, "build/b.py": TARGET, "venv/b.py": TARGET, "shape.h": "struct shape { int side; };\n"}
    root, db = write_tree(tmp_path / "repository", files), tmp_path / "index.db"
    index(root, db)
    # The last changes the language of a header, and the others change which folders are source.
    changes: list[dict[str, str]] = [
        {".gitignore": "!/build/\n"},
        {".gitignore": "/build/\n"},
        {".cgiignore": "!venv/\n"},
        {"shape.h": "class shape { int side; };\n"},
    ]
    languages = []
    for change in changes:
        write_tree(root, change)
        assert not index(root, db).full
        assert_equals_a_fresh_build(root, db)
        with opened(db) as store:
            languages.append({file.path: file.language for file in store.files()})
    assert [("build/b.py" in rows, "venv/b.py" in rows) for rows in languages[:3]] == [
        (True, False),
        (False, False),
        (False, True),
    ]
    assert [rows["shape.h"] for rows in languages[2:]] == ["c", "cpp"]


def test_a_pointer_of_git_lfs_is_skipped_until_its_content_comes(tmp_path: Path) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'4d7a' * 16}\nsize 12345\n"
    root = write_tree(tmp_path / "repository", {"model.py": pointer, "a.py": "x = 1\n"})
    db = tmp_path / "index.db"
    assert index(root, db).skipped == {"Git LFS pointer": 1}
    write_tree(root, {"model.py": "def load():\n    return 1\n"})
    index(root, db)
    with opened(db) as store:
        assert [chunk.name for chunk in store.file_chunks("model.py")] == ["model", "load"]
        assert store.counts()["skipped"] == {}
    write_tree(root, {"model.py": pointer})
    index(root, db)
    with opened(db) as store:
        assert store.counts()["skipped"] == {"Git LFS pointer": 1}
        assert store.file_chunks("model.py") == []
