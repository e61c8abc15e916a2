"""The core stays in a head: what `scripts/count_core.py` counts does not grow again."""

from pathlib import Path

import pytest

from tests.sources import COUNT, PACKAGE

REPOSITORY = PACKAGE.parent

MAX_PART = 450
"""Most lines of a part of the inference."""

MOST_WAYS, BRANCHED = 23, 10
"""The ways through the most branched function of the package, and how many of its functions have too many."""

BARS = {
    "fields of Language": 110,
    "keys set by one language only": 25,
    "lines of the longest class": 450,
    "late imports of own modules": 15,
}
"""The figures that were reached. A change may lower them, and then lowers its bar here."""


REASONS = {
    "body-filling": "SQL writes the bodies of functions as texts in another language, which its grammar does not read",
    "body-names": "as body-filling",
    "body-start": "as body-filling",
    "bracket-types": "Swift lets code extend the types that it writes in brackets, by their names",
    "condition": "only C has a preprocessor, and C++ inherits it",
    "hidden-in": "a shell script is a program or is read into others, which its first line tells",
    "import-decoration": "Go's package is called without the version that ends its path",
    "import-prefix": "Dart marks packages by a word, the others mark relative paths",
    "item-chains": "Rust chooses between definitions by macros of libraries, which no code declares",
    "lends-self": "Kotlin runs a lambda as a method of another object; a function's type says so, but the library has no body",
    "macro-use": "as condition: macros that stand alone at the top of a file",
    "notebooks": "Python is the language of notebooks",
    "parsed-as": "a header does not say whether it is C or C++, and C++'s grammar reads both",
    "platform": "C declares what the linker finds elsewhere, so that a declaration defines nothing",
    "pointers": "only C's pointers point at arrays",
    "reflective": "Python's getattr takes the name of a member as a value",
    "root-files": "only Rust's modules form a tree with roots of its own",
    "structural": "Go's types implement interfaces without naming them; elsewhere they may, and most name them",
    "super-calls": "Ruby's `super` is a call, elsewhere it is a receiver",
    "table-types": "Lua makes its types out of tables",
    "tree-words": "as root-files",
    "type-mark": "Julia has two colons between a parameter and its type",
    "type-suffixes": "C# leaves out an ending of the names of attributes",
    "type-words": "Go writes generic types by words without brackets around all arguments",
}
"""Why a header key is there for one language only."""


@pytest.mark.slow
@pytest.mark.parametrize("name", BARS)
def test_the_core_grows_no_heavier(name: str) -> None:
    assert COUNT["figures"](REPOSITORY)[name] <= BARS[name]


@pytest.mark.slow
def test_a_key_of_one_language_has_a_reason() -> None:
    assert sorted(REASONS) == COUNT["single_keys"](REPOSITORY)


@pytest.mark.slow
def test_functions_branch_no_more() -> None:
    ways = [size.figure for size in COUNT["functions"](REPOSITORY)]
    assert max(ways) <= MOST_WAYS
    assert sum(figure > COUNT["MANY_BRANCHES"] for figure in ways) <= BRANCHED


@pytest.mark.slow
def test_no_part_of_the_inference_is_longer_than_a_reader_follows() -> None:
    parts = ("infer", "names", "members", "calls", "passing", "generics", "type_values", "inference_parts")
    sizes = [
        size for size in COUNT["classes"](REPOSITORY) if size.place.startswith(tuple(f"resolve/{p}.py" for p in parts))
    ]
    assert sizes
    assert [size for size in sizes if size.figure > MAX_PART] == []


def test_ways_are_counted_as_mccabe_does(tmp_path: Path) -> None:
    source = "def f(a):\n    if a and a.b:\n        return [x for x in a if x]\n    return 1 if a else 2\n"
    path = tmp_path / "code_graph_indexer" / "f.py"
    path.parent.mkdir()
    path.write_text(source, encoding="utf-8")
    # The function, `if`, `and`, the comprehension and its condition, and the choice.
    assert [size.figure for size in COUNT["functions"](tmp_path)] == [6]
