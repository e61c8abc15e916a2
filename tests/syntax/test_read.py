"""Any encoding is read without loss of lines. What a file is shows in its name and its text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.syntax.disk import decode
from code_graph_indexer.syntax.read import LFS_POINTER, read_source, source_on_disk
from code_graph_indexer.syntax.records import SourceFile
from tests.indexing.repository import write_tree

TEXT = "def é():\n    return '文'\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_unicode_is_read_in_any_form(encoding: str) -> None:
    text = TEXT if not encoding.endswith(("le", "be")) else "def f():\n    return 'é'\n"
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert decoded.text == text.encode()


@pytest.mark.parametrize(("bom", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_a_byte_order_mark_says_the_order_and_is_not_text(bom: bytes, encoding: str) -> None:
    decoded = decode(bom + TEXT.encode(encoding))
    assert decoded == (TEXT.encode(), "utf-16")


def test_what_is_no_utf_8_is_latin_1() -> None:
    assert decode(b"caf\xe9 \xa9\n") == ("café ©\n".encode(), "latin-1")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\r\nb\r\n", b"a\nb\n"),
        (b"a\rb\r", b"a\nb\n"),
        (b"a\nb\r\nc\rd", b"a\nb\nc\nd"),
        (b"a\r\r\nb", b"a\n\nb"),
        (b"a\n\rb", b"a\n\nb"),
        (b"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e\n", b"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e\n"),
        (b"", b""),
        (b"\xef\xbb\xbf", b""),
    ],
)
def test_every_line_end_becomes_one_line_feed(content: bytes, text: bytes) -> None:
    decoded = decode(content)
    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize(
    "content", [b"\0", b"abc\0def", b"\x89PNG\r\n\x1a\n\0\0", b"\xff\xfea", b"\0a\0b\0", b"\xff\xfe\0\0\0\0\x11\0"]
)
def test_what_holds_nul_and_is_no_utf_16_is_binary(content: bytes) -> None:
    assert decode(content) is None


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r")), st.sampled_from(["utf-8", "utf-16", "utf-8-sig"])
)
def test_any_text_comes_back(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    if decoded is None or text.startswith("\ufeff"):
        return
    assert decoded.text.decode() == text


@given(st.binary())
def test_any_bytes_are_text_or_binary(content: bytes) -> None:
    decoded = decode(content)
    if decoded is not None:
        decoded.text.decode()
        assert b"\r" not in decoded.text
        assert b"\0" not in decoded.text


def read(root: Path, path: str, content: str | bytes) -> SourceFile:
    return read_source(write_tree(root, {path: content}), SourceFile(path))[0]


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a.py", "", "python"),
        ("a.pyi", "", "python"),
        ("SConstruct", "", "python"),
        ("tool", "#!/usr/bin/env python3\n", "python"),
        ("tool", "#!/usr/bin/python3.11 -u\n", "python"),
        ("tool", "#! /bin/sh\n", "bash"),
        ("tool", "#!/usr/bin/env -S node --flag\n", "javascript"),
        ("tool.py", "#!/bin/sh\n", "python"),
        ("tool.unknown", "#!/bin/sh\n", None),
        ("tool", "# python\n", None),
        ("a.tsx", "", "tsx"),
        ("a.mjs", "", "javascript"),
        ("A.JAVA", "", "java"),
        ("Rakefile", "", "ruby"),
        ("a.c", "", "c"),
        ("README.md", "", "markdown"),
        ("Makefile", "", None),
        (".py", "", None),
    ],
)
def test_a_language_is_known_by_name_extension_or_shebang(
    tmp_path: Path, path: str, text: str, language: str | None
) -> None:
    assert read(tmp_path, path, text).language == language


@pytest.mark.parametrize(
    ("path", "kind"),
    [("a.py", "code"), ("a.md", "markdown"), ("a.toml", "text"), ("a.yaml", "text"), ("LICENSE", "text")],
)
def test_the_source_type_follows_from_the_language(tmp_path: Path, path: str, kind: str) -> None:
    assert read(tmp_path, path, "").source_type == kind


@pytest.mark.parametrize(
    ("path", "marks"),
    [
        ("a.py", ""),
        ("tests/a.py", "test"),
        ("app/Notifications/Test/a.php", ""),
        ("src/commonTest/a.java", "test"),
        ("src/commonTest/a.json", "test"),
        ("src/test_a.py", "test"),
        ("pkg/a_test.go", "test"),
        ("src/a.test.ts", "test"),
        ("src/latest.py", ""),
        ("contest/a.py", ""),
        ("examples/a.py", "example"),
        ("vendor/a.go", "vendored"),
        ("third_party/tests/a.c", "test vendored"),
        ("a_pb2.py", "generated"),
        ("app.min.js", "generated"),
    ],
)
def test_marks_follow_from_the_path(tmp_path: Path, path: str, marks: str) -> None:
    facts = read(tmp_path, path, "x = 1\n")
    seen = {
        "test": facts.is_test,
        "example": facts.is_example,
        "vendored": facts.is_vendored,
        "generated": facts.is_generated,
    }
    assert {name for name, is_so in seen.items() if is_so} == set(marks.split())


def test_code_with_lines_that_nobody_writes_is_generated(tmp_path: Path) -> None:
    bundle = '/*! For licenses see a.js.LICENSE */\n"use strict";' + "f(1);" * 900
    assert read(tmp_path, "a.js", bundle).is_generated
    assert not read(tmp_path, "a.js", bundle.replace(";", ";\n")).is_generated
    # Prose often has a paragraph in a line.
    assert not read(tmp_path, "a.md", "It is so. " * 500).is_generated


def test_a_file_that_says_it_is_generated_is_marked(tmp_path: Path) -> None:
    assert read(tmp_path, "a.go", "// Code generated by tool. DO NOT EDIT.\npackage a\n").is_generated
    assert not read(tmp_path, "a.go", "package a\n" + "//\n" * 1_000 + "// Code generated by tool.\n").is_generated
    assert not read(tmp_path, "a.md", "Do not edit.\n").is_generated


@pytest.mark.parametrize(
    "comment",
    [
        "This file was automatically generated by X.",
        "Generated by wayland-scanner 1.19.0",
        "Auto-generated",
        "autogenerated from a.yml",
        "@generated SignedSource",
    ],
)
def test_a_comment_on_the_whole_file_says_that_it_is_generated(tmp_path: Path, comment: str) -> None:
    assert read(tmp_path, "a.ts", f"// {comment}\nexport const a = 1\n").is_generated


@pytest.mark.parametrize(
    "comment",
    [
        "Naming strategy for auto-generated names.",
        "Keys are automatically generated here.",
        "Values generated by f2 1 by 1.",
    ],
)
def test_a_comment_on_generated_names_says_nothing_of_the_file(tmp_path: Path, comment: str) -> None:
    assert not read(tmp_path, "a.ts", f"/**\n * {comment}\n */\nexport const a = 1\n").is_generated


def test_an_empty_file_is_text(tmp_path: Path) -> None:
    source, text = read_source(write_tree(tmp_path, {"a.py": ""}), SourceFile("a.py"))
    assert (source.error, text) == (None, b"")


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4d7a" * 16 + "\nsize 12345\n"
EXTENDED = POINTER.replace("oid", "ext-0-crypt sha256:" + "ab" * 32 + "\noid", 1)
OLD = "version http://git-media.io/v/2\noid sha256:" + "4d7a" * 16 + "\nsize 12345\n"


@pytest.mark.parametrize("pointer", [POINTER, EXTENDED, OLD, POINTER.replace("\n", "\r\n")])
def test_a_pointer_of_git_lfs_is_no_source(tmp_path: Path, pointer: str) -> None:
    root = write_tree(tmp_path, {"model.py": pointer.encode()})
    source, text = read_source(root, SourceFile("model.py"))
    assert (source.error, text) == (LFS_POINTER, b"")
    assert source.content_hash
    assert source_on_disk(root / "model.py") == b""


@pytest.mark.parametrize(
    "text", [POINTER + "more\n", "# " + POINTER, POINTER.replace("oid", "id"), "version https://x\n"]
)
def test_a_text_about_git_lfs_is_source(tmp_path: Path, text: str) -> None:
    source, read = read_source(write_tree(tmp_path, {"a.md": text}), SourceFile("a.md"))
    assert (source.error, read) == (None, text.encode())


def test_a_file_to_quote_is_decoded_and_has_no_secrets(tmp_path: Path) -> None:
    token = "ghp_" + "aB3d" * 9
    root = write_tree(tmp_path, {"a.txt": f"x\r\n{token}\n".encode("utf-16"), "b.bin": bytes(range(256))})
    (root / "link").symlink_to(root / "a.txt")
    assert source_on_disk(root / "a.txt") == b"x\nghp_REDACTED" + b"x" * 28 + b"\n"
    assert [source_on_disk(root / name) for name in ("b.bin", "link", "none")] == [b"", b"", b""]


@pytest.mark.parametrize(
    ("path", "text", "is_copy"),
    [
        ("public/lib/calendar.js", "/*!\n * Calendar v3.9.0\n */\nvar a = 1;\n", True),
        ("public/lib/map.js", "/* @preserve\n * Map 1.6.0+a, a library\n */\nvar a = 1;\n", True),
        ("public/lib/form.js", "/*!\n * Form Plugin\n * version: 4.2\n */\nvar a = 1;\n", True),
        ("public/lib/form.css", "/*! form v4.2.1 | MIT */\na { b: c }\n", True),
        ("public/js/own.js", "/*\n * Own 1.2.3\n */\nvar a = 1;\n", False),
        ("public/js/own.js", "/*! Own code */\nvar version = '1.2.3';\n", False),
        ("src/js/calendar.js", "/*!\n * Calendar v3.9.0\n */\nvar a = 1;\n", False),
        ("calendar.js", "/*!\n * Calendar v3.9.0\n */\nvar a = 1;\n", False),
        ("lib/doc/calendar.rs", "/*!\nCalendar v3.9.0\n*/\nfn a() {}\n", False),
        ("src/boot/bootstrap.js", "import './start';\n", False),
    ],
)
def test_a_script_with_the_banner_of_a_release_is_foreign(tmp_path: Path, path: str, text: str, is_copy: bool) -> None:
    assert read(tmp_path, path, text).is_vendored is is_copy
