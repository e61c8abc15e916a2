"""Names are read out of the symbols of SCIP, and hostile symbols cost nothing."""

import pytest

from code_graph_indexer.scip import escaped, owner_of, package_of, symbol_name

PACKAGE = "scip-x pip flask 3.0 "


@pytest.mark.parametrize(
    ("descriptors", "name"),
    [
        ("`src.flask.app`/Flask#", "Flask"),
        ("`src.flask.app`/Flask#run().", "run"),
        ("`src.flask.app`/Flask#run(+2).", "run"),
        ("`src.flask.app`/default_config.", "default_config"),
        ("lib/vec!", "vec"),
        ("a/B#[T]", "T"),
        ("a/f().(argument)", "argument"),
        ("a/`operator``s`#", "operator`s"),
        ("a/B#`<constructor>`().", "B"),
        ("a/B#`<init>`(+1).", "B"),
        ("a/", ""),
        ("a/__init__:", ""),
        ("not a descriptor", ""),
        ("", ""),
    ],
)
def test_the_name_is_that_of_the_last_descriptor(descriptors: str, name: str) -> None:
    assert symbol_name(PACKAGE + descriptors) == name


@pytest.mark.parametrize("symbol", ["local 3", "", "one two", "x" * 50_000, " " * 9_999, "a " * 4 + "`" * 9_000])
def test_what_cannot_be_read_has_no_name(symbol: str) -> None:
    assert symbol_name(symbol) == ""


def test_a_made_up_constructor_is_its_class() -> None:
    assert owner_of(f"{PACKAGE}a/B#`<constructor>`().") == f"{PACKAGE}a/B#"
    assert owner_of(f"{PACKAGE}a/B#run().") == f"{PACKAGE}a/B#run()."


def test_blanks_in_a_package_are_doubled() -> None:
    assert package_of("scip-x pip my  package . a/B#") == "scip-x pip my  package . "
    assert symbol_name("scip-x pip my  package . a/B#") == "B"


def test_names_are_escaped_as_needed() -> None:
    assert escaped("plain_name") == "plain_name"
    assert escaped("a b`c") == "`a b``c`"
    assert symbol_name(f"{PACKAGE}a/{escaped('a b`c')}#") == "a b`c"
