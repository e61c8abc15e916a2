"""No text of a stranger steers the terminal, or passes for another line."""

import pytest

from code_graph_indexer.printable import MAX_MESSAGE, as_name, clean, in_line, presentable

STEERING = ("\x1b", "\x00", "\x07", "\x08", "\r", "\x0b", "\x7f", "\x9b", "\x85", "\u202e", "\u2066")


@pytest.mark.parametrize("character", STEERING)
def test_a_character_that_steers_is_left_out(character: str) -> None:
    assert clean(f"a{character}[2Jb") == in_line(f"a{character}[2Jb") == "a[2Jb"


def test_a_text_keeps_its_lines_and_other_scripts() -> None:
    text = "def größe():\n\treturn '東京' + 'שלום'  # 👩‍💻\n"
    assert clean(text) == text


def test_what_stands_in_a_line_stays_in_it() -> None:
    assert in_line("a\nb\tc.py") == r"a\nb\tc.py"
    assert in_line("größe 東京.py") == "größe 東京.py"


@pytest.mark.parametrize("character", STEERING)
def test_a_name_shows_that_something_was_there(character: str) -> None:
    assert as_name(f"a{character}b") in ("a\N{REPLACEMENT CHARACTER}b", "a b")


def test_a_name_is_in_one_line() -> None:
    assert as_name("operator\n  +") == "operator   +"


def test_a_message_says_what_stood_in_it() -> None:
    assert presentable("no file a\x1b[2J\udcff") == r"no file a\u001b[2J\udcff"


def test_a_long_message_keeps_both_its_ends() -> None:
    message = presentable("first " + "x" * 10_000 + " last")
    assert message.startswith("first ") and message.endswith(" last") and len(message) < MAX_MESSAGE + 10
