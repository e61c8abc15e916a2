"""Code-aware words: identifiers split as a reader would, any text survives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.words import (
    GRAM_SIZE,
    STOP_WORDS,
    WORD_LIMIT,
    identifiers,
    index_words,
    query_words,
    split_identifier,
    sub_words,
    tokens,
    trigrams,
    words_and_grams,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getHTTPUrl_2", ("get", "http", "url", "2")),
        ("snake_case_name", ("snake", "case", "name")),
        ("__init__", ("init",)),
        ("XMLHttpRequest", ("xml", "http", "request")),
        ("plain", ("plain",)),
        ("SCREAMING_CASE", ("screaming", "case")),
        ("0xDEADbeef", ("0xdeadbeef",)),
        ("3fa9c1d", ("3fa9c1d",)),
        ("deadbeef", ("deadbeef",)),
        ("défaut_été", ("défaut", "été")),
        ("Zählbilder", ("zählbilder",)),
        ("größeÄndern2", ("größe", "ändern", "2")),
        ("ÜBERGRÖSSE", ("übergrösse",)),
        ("leseДанныеHTTP", ("lese", "данные", "http")),
        ("get数据", ("get", "数据")),
        ("___", ()),
    ],
)
def test_an_identifier_is_split_where_a_reader_would(name: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(name) == parts


@given(st.text().map(tokens) | st.from_regex(r"[a-zA-Z0-9_$]{1,100}", fullmatch=True).map(tokens))
def test_words_that_are_known_split_a_token_the_same_way(tokens_read: list[str]) -> None:
    assert [list(sub_words(token)) for token in tokens_read] == [list(split_identifier(token)) for token in tokens_read]


def test_a_compound_is_found_by_its_parts_and_as_a_whole() -> None:
    assert index_words("setName(value)") == "set name setname value"


def test_a_word_too_long_to_be_language_is_left_out() -> None:
    assert index_words("a" * WORD_LIMIT) == "a" * WORD_LIMIT
    assert index_words("a" * (WORD_LIMIT + 1)) == ""


def test_a_question_loses_its_stop_words() -> None:
    assert query_words("how does the cart compute its total?") == ["cart", "compute", "total"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wie werden die Zählbilder aus dem Speicher geworfen?", ["zählbilder", "speicher", "geworfen"]),
        ("¿Cómo se guarda la sesión en el servidor?", ["guarda", "sesión", "servidor"]),
        ("où est-ce que la clé est vérifiée ?", ["clé", "vérifiée"]),
        ("onde é que os dados são gravados?", ["dados", "gravados"]),
        ("dove viene salvata la sessione?", ["salvata", "sessione"]),
        ("waar wordt het bestand gelezen?", ["bestand", "gelezen"]),
        ("где хранится сессия в памяти?", ["хранится", "сессия", "памяти"]),
        ("die in the pool", ["die", "pool"]),
        ("para alignment", ["para", "alignment"]),
    ],
)
def test_a_question_loses_the_stop_words_of_its_language(text: str, words: list[str]) -> None:
    assert query_words(text) == words


def test_a_query_of_stop_words_alone_keeps_them() -> None:
    assert query_words("what is it") == ["what", "is", "it"]


def test_identifiers_come_once_and_as_written() -> None:
    assert identifiers("Cart.add(cart, Cart)") == ["Cart", "add", "cart"]


def test_a_trigram_lies_within_one_token() -> None:
    assert trigrams("abcd ef ghi") == ["abc", "bcd", "ghi"]


@given(st.text())
def test_every_token_of_a_text_occurs_in_it(text: str) -> None:
    assert all(token in text for token in tokens(text))


@given(st.lists(st.text()))
def test_words_and_grams_agree_with_the_words_of_the_index(texts: list[str]) -> None:
    words, grams = words_and_grams(texts)
    assert words == [index_words(text) for text in texts]
    assert set(trigrams(grams)) == {gram for text in texts for gram in trigrams(text)}
    assert len(grams.split()) == len(set(grams.split()))


@given(st.text())
def test_the_words_of_a_query_are_distinct_words_of_the_index(text: str) -> None:
    words = query_words(text)
    assert len(words) == len(set(words))
    assert set(words) <= set(index_words(text).split())


@given(st.text(alphabet=st.sampled_from("abcXYZ019_"), min_size=1))
def test_the_parts_of_an_identifier_make_up_its_letters(name: str) -> None:
    assert "".join(split_identifier(name)).replace("_", "") == name.replace("_", "").lower()


def test_the_stop_words_are_lower_case_words_of_prose() -> None:
    assert all(word.isalpha() and word.islower() for word in STOP_WORDS)
    assert GRAM_SIZE == 3
