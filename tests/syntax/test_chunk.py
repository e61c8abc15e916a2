"""The chunks of any text are ordered, disjoint and cover it, and their parents make a tree."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.chunk import Chunks, chunk_code, chunk_text
from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.records import Chunk

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
SIZES = [20, 300, 1_600]

LINES = st.sampled_from(
    [
        *(
            "class A(B):",
            "class C:",
            "def f(x):",
            "async def g(self):",
            "@decorated",
            "    def h(self):",
            "        def deep():",
        ),
        *(
            "    x = 1",
            "NAME: int = 2",
            "    return f(x)",
            "    # a comment",
            "# another",
            '"""Doc."""',
            "    '''doc'''",
        ),
        *(
            "",
            "\t",
            "if True:",
            "    pass",
            "else:",
            "lambda: (",
            ")",
            "}",
            "\\",
            "f(a).b(c)",
            "é = '文件'",
            "type X = int",
            "\f",
        ),
    ]
)
PYTHON = st.lists(LINES, max_size=40).map("\n".join)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=400)


def cut(text: str, language: str, size: int) -> Chunks:
    source = text.encode()
    return chunk_code(source, parse("src/a.x", source, language), module="a", max_size=size)


def assert_sound(text: str, chunking: Chunks, size: int) -> None:
    source = text.encode()
    chunks = chunking.chunks
    assert b"".join(source[chunk.start : chunk.end] for chunk in chunks) == source
    assert [chunk.start for chunk in chunks] == [0, *(chunk.end for chunk in chunks[:-1])]
    for position, chunk in enumerate(chunks):
        assert chunk.end - chunk.start <= size
        assert chunk.start_line == source.count(b"\n", 0, chunk.start) + 1
        assert chunk.end_line == source.count(b"\n", 0, max(chunk.start, chunk.end - 1)) + 1
        assert -1 <= chunk.parent < len(chunks)
        source[chunk.start : chunk.end].decode()
        assert_leads_to_the_top(position, chunks)
    for member in chunking.members:
        chunk_of_member = chunks[member.parent]
        assert (
            chunk_of_member.start_line <= member.name_line <= max(chunk_of_member.end_line, chunk_of_member.start_line)
        )
    assert all(0 <= position < len(chunks) for position in chunking.chunk_of)


def assert_leads_to_the_top(position: int, chunks: tuple[Chunk, ...]) -> None:
    seen = set()
    while position >= 0:
        assert position not in seen
        seen.add(position)
        position = chunks[position].parent


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(text=PYTHON | TEXTS, size=st.sampled_from(SIZES))
@example("class A:\n    def f(self): pass\n    x = 1\n    def g(self): pass\n", 20)
@example("def f(): pass", 20)
@example("x\n" * 500, 300)
@example("文" * 300, 20)
def test_python_is_cut_soundly(text: str, size: int) -> None:
    assert_sound(text, cut(text, "python", size), size)


@pytest.mark.slow
# Always the same examples: a grammar that crashes would take the test run with it.
@settings(deadline=None, max_examples=100, derandomize=True)
@given(text=TEXTS | PYTHON, language=st.sampled_from(sorted(languages())))
def test_any_text_is_cut_soundly_in_any_language(text: str, language: str) -> None:
    assert_sound(text, cut(text, language, 100), 100)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(text=TEXTS, size=st.sampled_from([4, 20, 300]))
@example("", 20)
@example("\n\n\n", 4)
@example("𝄞𝄞𝄞𝄞", 4)
def test_text_without_a_language_is_cut_soundly(text: str, size: int) -> None:
    assert_sound(text, chunk_text(text.encode(), name="notes.txt", max_size=size), size)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "path", sorted(path for path in FIXTURES.iterdir() if path.suffix != ".golden"), ids=lambda p: p.name
)
def test_a_language_fixture_is_cut_soundly(path: Path, size: int) -> None:
    text = path.read_text(encoding="utf-8")
    assert_sound(text, cut(text, path.name.split(".")[0], size), size)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    path=st.sampled_from(sorted(path for path in FIXTURES.iterdir() if path.suffix != ".golden")),
    start=st.floats(0, 1),
    end=st.floats(0, 1),
)
def test_any_part_of_a_language_fixture_is_cut_soundly(path: Path, start: float, end: float) -> None:
    text = path.read_text(encoding="utf-8")
    part = text[int(start * len(text)) : int(end * len(text))]
    assert_sound(part, cut(part, path.name.split(".")[0], 200), 200)


def tree(text: str, language: str, size: int = 1_600) -> list[str]:
    """Write the chunks of a text as `kind name lines < parent`."""
    chunks = cut(text, language, size).chunks
    parents = [chunks[chunk.parent].name if chunk.parent >= 0 else None for chunk in chunks]
    return [
        f"{chunk.kind} {chunk.name} {chunk.start_line}-{chunk.end_line} < {parent}"
        for chunk, parent in zip(chunks, parents, strict=True)
    ]


def test_a_long_definition_goes_on_in_blocks_under_it() -> None:
    body = "".join(f"    value_{i} = compute({i})\n" for i in range(40))
    text = f"def short():\n    pass\n\n\ndef long():\n{body}"
    lines = tree(text, "python", 400)
    assert lines[:3] == ["module a 1-1 < None", "function short 1-4 < a", "function long 5-20 < a"]
    assert {line.split(" < ")[1] for line in lines[3:]} == {"long"}
    assert {line.split(" ")[0] for line in lines[3:]} == {"block"}


def test_methods_are_children_of_their_class_and_classes_of_the_module() -> None:
    methods = "".join(f"\n    def {name}(self):\n        pass\n" for name in "fg")
    text = f"import os\n\n\nclass A:\n    x = 1\n{methods}\n\nlast = A()\n"
    assert tree(text, "python") == [
        "module a 1-3 < None",
        "class A 4-6 < a",
        "method f 7-9 < A",
        "method g 10-11 < A",
        "block  12-14 < a",
    ]


def test_a_go_method_is_a_child_of_its_type() -> None:
    text = "package a\n\ntype E struct {\n\tN int\n}\n\nfunc (e *E) Run() {}\n"
    assert tree(text, "go")[-1] == "method Run 7-7 < E"


def test_comments_above_a_definition_belong_to_it() -> None:
    assert tree("x = 1\n\n# About f,\n# at length.\ndef f():\n    pass\n", "python") == [
        "module a 1-2 < None",
        "function f 3-6 < a",
    ]


def test_markdown_is_cut_by_its_headings() -> None:
    text = "Intro.\n\n# One\n\nFirst.\n\n## Deep\n\n```python\n# no heading\n```\n\n# Two\n\nSecond.\n"
    assert tree(text, "markdown") == [
        "module a 1-2 < None",
        "section One 3-6 < a",
        "section Deep 7-12 < One",
        "section Two 13-15 < a",
    ]


def test_text_is_cut_at_blank_lines_near_the_limit() -> None:
    text = "".join(f"paragraph {i}, line one\nline two\n\n" for i in range(30))
    chunks = chunk_text(text.encode(), name="notes.txt", max_size=200).chunks
    assert {chunk.kind for chunk in chunks} == {"text"}
    assert all(text.encode()[: chunk.end].endswith(b"\n\n") for chunk in chunks)


def test_a_single_long_line_is_cut_between_characters() -> None:
    text = "ä文𝄞" * 1_000
    chunks = chunk_text(text.encode(), name="notes.txt", max_size=100).chunks
    assert "".join(text.encode()[chunk.start : chunk.end].decode() for chunk in chunks) == text
    assert {chunk.start_line for chunk in chunks} == {1}
