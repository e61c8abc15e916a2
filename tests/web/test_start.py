"""The line about a repository is the first sentence of prose in its README."""

import pytest

from code_graph_indexer.web.start import first_sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# Shop\n\n[![badge](x.svg)](y)\n\nA *shop* for `books`. It is small.\n", "A shop for books."),
        ("<h3>Every site</h3>\n<p>Caddy is a server.</p>\n", "Caddy is a server."),
        ("ripgrep (rg)\n------------\nripgrep is a search tool.\n", "ripgrep is a search tool."),
        ("Hono - _means flame_ - is small.\n", "Hono - means flame - is small."),
        ("Reads snake_case_names and __init__ files.\n", "Reads snake_case_names and __init__ files."),
        ("Copyright 2020 by us.\n\nThe code of a thing.\n", "The code of a thing."),
        ("# Only a title\n", ""),
    ],
)
def test_the_first_sentence_is_prose(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence
