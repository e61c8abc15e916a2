"""A mistake in a header is an error with the file, the line and the nearest key or the allowed values."""

from collections.abc import Iterator
from dataclasses import fields

import pytest

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages import Language, blank_patterns, default_text, frameworks, header_keys, languages
from code_graph_indexer.languages.header import Described, read_header
from code_graph_indexer.languages.registry import _read_language


def read(*lines: str) -> dict[str, object]:
    header = read_header("go.scm", "\n".join(["; grammar: tree_sitter_go", *lines]))
    go = Language(name="go", query="", header=header)
    return {name: getattr(go, name) for _, name in keys_in(go)}


def keys_in(record: Described) -> Iterator[tuple[str, str]]:
    """Yield the keys that a header has, each with the name of its field."""
    kind: type = type(record)
    names = (spec.name for spec in fields(record) if spec.metadata)
    pairs = zip(header_keys(kind), names, strict=True)
    return ((key, name) for key, name in pairs if key in record.header)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("; structrual: yes", "go.scm:2: there is no header key 'structrual'; did you mean 'structural'?"),
        ("; Open_Types: yes", "go.scm:2: there is no header key 'Open_Types'; did you mean 'open-types'?"),
        ("; structural: true", "go.scm:2: the header key 'structural' is 'true'; it may be yes or no"),
        (
            "; lookup: file modul",
            "go.scm:2: the header key 'lookup' has the place 'modul'; a place may be class, modules",
        ),
        ("; runs: entr __enter__", "go.scm:2: the header key 'runs' has the step 'entr'; a step may be call, item,"),
        ("; binds: none", "go.scm:2: the header key 'binds' is 'none'; it may be first or last or all"),
        ("; roots:", "go.scm:2: the header key 'roots' has no value"),
        ("; getter: (", "go.scm:2: the header key 'getter' is no regular expression"),
        ("; manifest: go.mod", "go.scm:2: the header key 'manifest' must be a file's name, a blank and a regular expr"),
        ("; tree-words: crate self", "go.scm:2: the header key 'tree-words' must be 3 words"),
        (";structural: yes", "go.scm:2: the header key 'structural' stands below the header"),
        ("; grammar: tree_sitter_c", "go.scm:2: the header key 'grammar' stands in line 1 too"),
    ],
)
def test_a_wrong_line_is_named_with_what_would_be_right(line: str, message: str) -> None:
    with pytest.raises(GrammarError) as error:
        read(line)
    assert str(error.value).startswith(message)


def test_a_name_that_is_near_to_no_key_lists_the_keys() -> None:
    with pytest.raises(GrammarError, match="there is no header key 'xyzzy'; the keys are grammar, inherits, "):
        read("; xyzzy: yes")


def test_a_key_below_the_header_is_refused() -> None:
    with pytest.raises(GrammarError, match=r"go\.scm:4: the header key 'structural' stands below the header"):
        read("", "(identifier) @name", "; structural: yes")


def test_a_comment_below_the_header_may_have_a_colon() -> None:
    assert read("", "; Two patterns: one for each.") == {"grammar": "tree_sitter_go"}


def test_values_are_read_by_the_types_of_their_keys() -> None:
    values = read(
        "; structural: yes",
        "; pointers: no",
        "; self: self this",
        "; constructors: b a",
        "; import-separator: ␠›␠",
        "; literal-types: String | char",
        r"; manifest: go.mod ^module\s+(\S+)",
        "; blank: ^a b",
        "; blank: ^c",
    )
    assert values == {
        "grammar": "tree_sitter_go",
        "structural": True,
        "pointers": False,
        "self_names": frozenset({"self", "this"}),
        "constructors": ("b", "a"),
        "import_separator": " › ",
        "literal_types": (("String",), ("char",)),
        "manifest": (("go.mod", r"^module\s+(\S+)"),),
        "blank": ("^a b", "^c"),
    }


def test_every_key_is_described_by_a_sentence_and_an_example_that_it_reads() -> None:
    for key in header_keys(Language).values():
        assert key.meaning.endswith(".")
        key.read(key.example)


def test_a_default_is_written_as_a_header_would_write_it() -> None:
    assert default_text("structural") == "no"
    assert default_text("comparisons").split() == sorted(languages()["go"].comparisons)
    assert default_text("roots") == ""


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_blank_patterns_of_a_language_compile(language: str) -> None:
    assert len(blank_patterns(language)) == len(languages()[language].blank)


@pytest.mark.parametrize("record", [*languages().values(), *frameworks().values()], ids=lambda record: record.name)
def test_every_value_can_be_read(record: Described) -> None:
    kind: type = type(record)
    values = {name: header_keys(kind)[key].read(record.header[key].text) for key, name in keys_in(record)}
    assert {name: getattr(record, name) for name in values} == values


def test_a_value_is_read_when_it_is_asked_for() -> None:
    go = Language(name="go", query="", header=read_header("go.scm", "; grammar: tree_sitter_go\n; twins: (\n"))
    assert go.grammar == "tree_sitter_go"
    assert go.roots == languages()["go"].roots
    with pytest.raises(GrammarError, match=r"go.scm:2: the header key 'twins' is no regular expression"):
        go.twins  # noqa: B018 - the look is what fails


def test_rows_of_an_unknown_language_are_refused() -> None:
    texts = {"go": "; grammar: tree_sitter_go\n; expression: like cobol\n"}
    with pytest.raises(GrammarError, match=r"go.scm:2: there is no language 'cobol', which the row 'like cobol' names"):
        _read_language("go", texts)
