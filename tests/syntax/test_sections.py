"""Headings of plain text are sections: reStructuredText in .rst and .txt, and AsciiDoc."""

import pytest

from code_graph_indexer.indexing.file import read_link_input
from code_graph_indexer.syntax.chunk import chunk_code
from code_graph_indexer.syntax.records import SourceFile
from code_graph_indexer.syntax.sections import read_sections

MANUAL = """\
==================
Multiple databases
==================

Several databases.

Automatic routing
=================

.. code-block:: python

    =====
    table

Using :setting:`ROUTERS`
------------------------

Überblick
---------

A line of the same length
as the rule below is text.
--------------------------

Limits
======

Last.
"""
GUIDE = """\
= Guide

== Install
----
= no heading
----
=== From source

== Use
"""


def names(path: str, text: str) -> list[str]:
    syntax = read_sections(path, text.encode())
    return [definition.path_name for definition in syntax.definitions] if syntax is not None else []


@pytest.mark.parametrize("path", ["docs/db.rst", "docs/db.txt", "DB.TXT"])
def test_underlined_headings_nest_by_their_style(path: str) -> None:
    assert names(path, MANUAL) == [
        "Multiple databases",
        "Multiple databases › Automatic routing",
        "Multiple databases › Automatic routing › Using ROUTERS",
        "Multiple databases › Automatic routing › Überblick",
        "Multiple databases › Limits",
    ]


def test_headings_of_asciidoc_nest_by_their_signs_and_code_has_none() -> None:
    assert names("guide.adoc", GUIDE) == [
        "Guide",
        "Guide › Install",
        "Guide › Install › From source",
        "Guide › Use",
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", "django\nflask\n"),
        ("notes.txt", "-----\n\n=====\n"),
        ("notes.txt", "=====\nbelow a rule\n"),
        ("notes.rst", "Too long for its rule\n---\n"),
        ("notes.rst", "    indented\n    --------\n"),
        ("table.rst", "a line\nTitle\n=====\n"),
        ("data.json", "Title\n=====\n"),
        ("empty.rst", ""),
    ],
)
def test_other_text_has_no_sections(path: str, text: str) -> None:
    assert read_sections(path, text.encode()) is None


def test_chunks_cover_the_text_and_know_their_parents() -> None:
    text = MANUAL.encode()
    syntax = read_sections("db.txt", text)
    assert syntax is not None
    chunks = chunk_code(text, syntax, module="db.txt", max_size=4_000).chunks
    assert b"".join(text[chunk.start : chunk.end] for chunk in chunks) == text
    by_name = {chunk.name: chunk for chunk in chunks if chunk.kind == "section"}
    assert chunks[by_name["Limits"].parent].name == "Multiple databases"
    assert text[by_name["Überblick"].start :].decode().startswith("Überblick")


@pytest.mark.slow
def test_a_file_of_many_headings_is_read_in_proportion() -> None:
    text = "".join(f"Heading {number}\n{'=' * 13}\n\n" for number in range(20_000))
    assert len(names("long.rst", text)) == 20_000


def test_a_stored_text_is_read_the_same_again() -> None:
    assert read_link_input(SourceFile("db.txt", None), MANUAL.encode(), 4_000)[0] == ""
