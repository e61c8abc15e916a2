"""No file stops a run: a bad one costs itself, the others are indexed and the reason is recorded."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from code_graph_indexer.graph.sites import unreadable_files
from tests.indexing.repository import errors, index, opened, write_tree

pytestmark = pytest.mark.slow

GOOD = {"good.py": "def good():\n    return other()\n", "z/last.js": "export function last() { return 1; }\n"}
DEEP = 10_000


def index_beside(
    tmp_path: Path, files: Mapping[str, str | bytes], *, timeout: int = 10, max_size: int = 1_000_000
) -> dict[str, str | None]:
    """Index files beside two good ones. Check that the good ones are whole, and return the errors of the rest."""
    db = tmp_path / "index.db"
    index(write_tree(tmp_path / "repository", {**GOOD, **files}), db, parse_timeout=timeout, max_file_size=max_size)
    with opened(db) as store:
        assert {symbol.name for symbol in store.symbols(["good", "last"])} == {"good", "last"}
        assert store.check() == []
        for file in store.files():
            if file.error is None:
                chunks = store.file_chunks(file.path)
                assert "".join(store.chunk_texts(chunks)).encode() == store.file_text(file.path)
    return {path: error for path, error in errors(db).items() if path not in GOOD}


def test_a_minified_line_over_the_size_limit_is_too_large(tmp_path: Path) -> None:
    line = "var a=function(b){return b+1};" * 170_000
    assert index_beside(tmp_path, {"app.js": line}) == {"app.js": "too large (over 1000000 bytes)"}


def test_the_largest_code_that_is_not_read_is_named(tmp_path: Path) -> None:
    """A table of data is no code, and of many files the largest ones are named."""
    files = {f"part_{size}.py": "#" * size for size in (120, 130, 140, 150)} | {
        "rows.csv": "1," * 200,
        "small.py": "a = 1\n",
    }
    report = index(write_tree(tmp_path, files), tmp_path / "index.db", max_file_size=100)
    assert [warning.partition(" is ")[0] for warning in report.warnings] == [
        "part_150.py",
        "part_140.py",
        "part_130.py",
    ]
    assert report.warnings[0].endswith("too large (over 100 bytes); to read it, run: CGI_MAX_FILE_SIZE=150 cgi index")


@pytest.mark.slow
def test_a_minified_line_under_the_size_limit_is_indexed_and_marked(tmp_path: Path) -> None:
    line = "var a=function(b){return b+1};" * 10_000
    assert index_beside(tmp_path, {"app.js": line}) == {"app.js": None}
    with opened(tmp_path / "index.db") as store:
        files = store.files_of([chunk.id for chunk in store.file_chunks("app.js")])
        assert {file.marks for file in files.values()} == {("generated",)}


@pytest.mark.slow
def test_a_minified_line_of_5_mb_is_indexed_when_the_limit_allows_it(tmp_path: Path) -> None:
    line = "x=1;" * 1_250_000
    errors = index_beside(tmp_path, {"app.txt": line}, timeout=60, max_size=6_000_000)
    assert errors == {"app.txt": None}


CHAIN = "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, 3_000))

NESTED = {
    "calls.py": "f(" * DEEP + ")" * DEEP + "\n",
    "lists.py": "x = " + "[" * DEEP + "]" * DEEP + "\n",
    "blocks.py": "".join(" " * i + "if x:\n" for i in range(1_000)) + " " * 1_000 + "pass\n",
    "functions.js": "function f(){" * 3_000 + "}" * 3_000 + "\n",
    "arrays.js": "x = " + "[" * DEEP + "]" * DEEP + ";\n",
    "unclosed.js": "{(" * DEEP,
    "classes.ts": "class A { f() { " * 1_000 + "} }" * 1_000,
    "types.ts": "type A = " + "Array<" * 2_000 + "number" + ">" * 2_000 + ";\n",
    "generics.ts": "function f(a: " + "Array<" * 900 + "A" + ">" * 900 + ") { a.run(); }\n",
    "data.json": "[" * DEEP + "]" * DEEP + "\n",
    "list.md": "".join("  " * i + "- a\n" for i in range(300)),
    "quote.md": ">" * DEEP + " deep\n",
    "heads.md": "".join("#" * (i % 6 + 1) + f" h{i}\n" for i in range(5_000)),
    "paths.rs": "use " + "a::{" * 3_000 + "b" + "}" * 3_000 + ";\n",
    "names.py": f"import {'.'.join('a' * DEEP)}\n\n\ndef f(x: {'.'.join('a' * DEEP)}):\n    x.run()\n",
    "owners.java": "class A { void f(" + ".".join("a" * 5_000) + " x) { x.run(); } }\n",
    "scopes.cpp": "void " + "a::" * 1_000 + "f() {}\n",
    "chain.py": "x" + ".run()" * 3_000 + "\n",
    "bases.py": f"class C0: pass\n{CHAIN}C2999().run_it()\n",
    "circle.py": "class A(B):\n    def f(self): self.g_h()\n\n\nclass B(A):\n    def g(self): self.f_g()\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NESTED)
def test_a_deeply_nested_file_is_indexed(tmp_path: Path, name: str) -> None:
    assert index_beside(tmp_path, {name: NESTED[name]}, timeout=600) == {name: None}


@pytest.mark.slow
def test_a_text_that_takes_too_much_work_is_left_out_whatever_the_clock_says(tmp_path: Path) -> None:
    # A query would take two minutes for this.
    errors = index_beside(tmp_path, {"brackets.go": "[](" * 50_000}, timeout=600)
    assert errors == {"brackets.go": "too hard to parse (over 20000 signs in a row)"}
    with opened(tmp_path / "index.db") as store:
        # A question must not say that nothing calls what this file may call.
        assert unreadable_files(store)["go"] == 1


def test_bytes_that_are_no_text_are_recorded_or_read_as_latin_1(tmp_path: Path) -> None:
    files = {
        "nul.py": b"def f(): pass\n\0\n",
        "zeros.js": b"\0" * 1_000,
        "invalid.py": b"def caf\xe9(): pass  # \xff\xfe\n",
        "half.py": "x = 'é'\n".encode()[:-3],
        "cut16.txt": b"\xff\xfeabc",
        "lone16.txt": b"\xff\xfe\x00\xd8a\x00",
        "only_bom.py": b"\xef\xbb\xbf",
        "image.py": b"\x89PNG\r\n\x1a\n\0\0\0",
    }
    errors = index_beside(tmp_path, files)
    assert {path for path, error in errors.items() if error == "binary"} == {
        *("nul.py", "zeros.js", "cut16.txt", "lone16.txt", "image.py")
    }
    assert {path for path, error in errors.items() if error is None} == {"invalid.py", "half.py", "only_bom.py"}
    with opened(tmp_path / "index.db") as store:
        assert store.file_text("invalid.py") == "def café(): pass  # ÿþ\n".encode()


def test_characters_that_the_bash_grammar_cannot_bear_do_no_harm(tmp_path: Path) -> None:
    text = "".join(f"{{{chr(code)}`\n" for code in range(0x10000, 0x110000, 0x1111)) + "after() { :; }\n"
    assert index_beside(tmp_path, {"crash.sh": text}) == {"crash.sh": None}


@pytest.mark.slow
def test_a_file_of_100_000_lines_is_indexed(tmp_path: Path) -> None:
    text = "".join(f"def f{i}(): pass\n" if i % 100 == 0 else "# words\n" for i in range(100_000))
    assert index_beside(tmp_path, {"long.py": text}, timeout=60) == {"long.py": None}
    with opened(tmp_path / "index.db") as store:
        assert store.file_chunks("long.py")[-1].end_line == 100_000


def test_strange_file_names_are_kept_as_they_are(tmp_path: Path) -> None:
    names = [
        *(
            "a b.py",
            "quote'\".py",
            "new\nline.py",
            "tab\t.py",
            "emoji 🦓.py",
            "-rf.py",
            "--db",
            "%s{0}.py",
            "[x].py",
            "*.py",
        ),
        *("back\\slash.py", "ümlaut/文件.py", "~.py", "...", "..py", " .py", "a'; drop table files; --.py", "con.py"),
    ]
    errors = index_beside(tmp_path, dict.fromkeys(names, "def strange(): pass\n"))
    assert errors == dict.fromkeys(names)


@pytest.fixture
def misnamed(tmp_path: Path) -> Path:
    """Return a repository with a file whose name is not UTF-8."""
    root = write_tree(tmp_path / "repository", GOOD)
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/x\xff.py")).write_text("def hidden(): pass\n")
    except OSError:
        pytest.skip("the file system takes only UTF-8 names")
    return root


@pytest.mark.usefixtures("misnamed")
def test_a_name_that_is_not_utf_8_is_recorded(tmp_path: Path) -> None:
    assert index_beside(tmp_path, {}) == {"x\\udcff.py": "unreadable: file name is not UTF-8"}


def test_a_file_named_like_one_that_is_not_utf_8_is_indexed(tmp_path: Path, misnamed: Path) -> None:
    root = write_tree(misnamed, {"x\\udcff.py": "def alike(): pass\n"})
    for full in (True, False):
        index(root, tmp_path / "index.db", full=full)
        with opened(tmp_path / "index.db") as store:
            assert store.check() == []
            assert {symbol.name for symbol in store.symbols(["good", "last", "alike"])} == {"good", "last", "alike"}


def test_deep_folders_are_walked(tmp_path: Path) -> None:
    path = "/".join(["d"] * 300) + "/deep.py"
    assert index_beside(tmp_path, {path: "def deep(): pass\n"}) == {path: None}


def test_what_is_no_file_is_recorded(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", {"a.py": ""})
    os.mkfifo(root / "pipe.py")
    (root / "dangling.py").symlink_to("nowhere.py")
    (root / "loop").symlink_to(root)
    assert index_beside(tmp_path, {}) == {
        "a.py": None,
        "dangling.py": "symbolic link",
        "loop": "symbolic link",
        "pipe.py": "not a regular file",
    }


def test_a_file_that_is_not_allowed_to_be_read_is_recorded(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", {"closed.py": "", "folder/inside.py": ""})
    (root / "closed.py").chmod(0)
    (root / "folder").chmod(0)
    try:
        if os.access(root / "closed.py", os.R_OK):
            pytest.skip("this user may read everything")
        assert index_beside(tmp_path, {}) == {
            "closed.py": "unreadable: Permission denied",
            "folder": "unreadable: Permission denied",
        }
    finally:
        (root / "folder").chmod(0o700)
