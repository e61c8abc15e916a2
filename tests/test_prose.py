"""The documents stay short and readable, and what the explanations name is there."""

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parent.parent
PACKAGE = REPOSITORY / "code_graph_indexer"
PROSE: dict[str, Any] = runpy.run_path(str(REPOSITORY / "scripts" / "prose.py"))

MAX_WORDS = 27_150
"""Words in README.md, CONTRIBUTING.md and all of docs/: every token with a letter, in prose, headings, tables and examples.

Only what a script generates between `<!-- name … -->` and `<!-- /name -->` does not count: options, settings, header keys
and the reference of the Python names. 2,000 of them are for the door for agents, 3,500 for those of teams and people, and
1,250 for recipes, one for each thing that people come for, and for releases.
1,400 are for the libraries behind imports.
"""

MAX_LONG = 0.1
"""Share of the sentences of prose that may be longer than 25 words."""

EXPLANATIONS = sorted((REPOSITORY / "docs" / "explanation").glob("*.md"))


def test_the_documents_hold_no_more_words_than_a_reader_has_time_for() -> None:
    assert PROSE["doc_words"](REPOSITORY) <= MAX_WORDS


def test_tables_and_examples_count_and_generated_blocks_do_not(tmp_path: Path) -> None:
    (tmp_path / "docs" / "measured").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# Head\n\nTwo words.\n\n```sh\ncgi ask\n```\n", encoding="utf-8")
    (tmp_path / "docs" / "measured" / "page.md").write_text(
        "| a | 1 |\n|---|---|\n| b | c |\n\n<!-- options index -->\n| generated |\n<!-- /options index -->\n",
        encoding="utf-8",
    )
    assert PROSE["doc_words"](tmp_path) == 9


def test_nine_of_ten_sentences_of_the_documents_are_short() -> None:
    assert PROSE["long_share"](PROSE["sentence_lengths"](REPOSITORY)) <= MAX_LONG


def test_generated_blocks_code_and_tables_are_no_sentences() -> None:
    page = PROSE["read_markdown"](
        "# Head\n\nRun `cgi index .` now. Then ask.\n\n- An item\n  goes on.\n\n| a | b |\n|---|---|\n| c | 1 |\n"
        "\n```sh\ncgi ask\n```\n\n<!-- options index -->\n| generated | text |\n<!-- /options -->\n"
    )
    assert page.headings == ("Head",)
    assert page.prose == ("Run `code` now. Then ask.", "An item goes on.")
    assert page.cells == ("a", "b", "c", "1")
    assert [PROSE["word_count"](sentence) for sentence in PROSE["sentences"](page.prose[0])] == [3, 2]


def test_every_way_to_bind_a_name_is_counted() -> None:
    source = (
        "a = 1\nfor b in c: pass\n[d for d in c]\nwith x as e: pass\ndef f(g, *h, i=1, **j): pass\n"
        "if (k := 1): pass\ntry: pass\nexcept E as l: pass\na += 1\nm: int = 2\n"
    )
    assert sorted(PROSE["bindings"](list(ast.walk(ast.parse(source))))) == list("abdeghijklm")


@pytest.mark.parametrize("page", EXPLANATIONS, ids=lambda path: path.stem)
def test_modules_and_functions_that_an_explanation_names_exist(page: Path) -> None:
    quoted = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S))
    modules = [
        name
        for name in quoted
        if re.fullmatch(r"[a-z]+/[a-z_]+\.py", name) and not name.startswith(("v1/", "src/", "shop/", "scripts/"))
    ]
    assert [name for name in modules if not (PACKAGE / name).is_file()] == []
    source = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    functions = [name[:-2].rpartition(".")[2] for name in quoted if page.stem == "architecture" and name.endswith("()")]
    assert [name for name in functions if f"def {name}(" not in source] == []
