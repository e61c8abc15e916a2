"""From question to checked answer, over the real SDK and without a language model."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from code_graph_indexer.ask.answer import answer
from code_graph_indexer.ask.extract import MAX_LISTED, MAX_SHOWN
from code_graph_indexer.ask.llm import Prompt, Reply
from code_graph_indexer.ask.results import Citation
from code_graph_indexer.errors import AnswerError
from code_graph_indexer.settings import Settings
from tests.ask.messages_server import INPUT_TOKENS, MODEL, OUTPUT_TOKENS, MessagesServer, written
from tests.ask.sources import PARSE, SPLIT, numbered_lines, source

QUESTION = "How is text parsed?"
GOOD = "`parse` splits the text [src/parser.py:11] on blanks [src/lexer.py:6], for `main` [src/cli.py:37]."


class Echo:
    """A language model that replies what it is told to, without the SDK, which takes two seconds to import."""

    def __init__(self, text: str, stop_reason: str = "end_turn") -> None:
        self.text, self.stop_reason = text, stop_reason
        self.prompts: list[Prompt] = []

    def stream(self, prompt: Prompt, on_text: Callable[[str], None]) -> Reply:
        self.prompts.append(prompt)
        on_text(self.text)
        return Reply(self.text, "echo", stop_reason=self.stop_reason)


@pytest.mark.parametrize(
    ("text", "stop_reason", "warning"),
    [
        (GOOD, "end_turn", ""),
        ("It just works.", "end_turn", "the answer cites no source, so nothing in it was checked"),
        ("See [src/ghost.py:1-2].", "end_turn", "1 of 1 citations do not hold: src/ghost.py:1-2 (not in the sources)"),
        (GOOD, "max_tokens", "raise CGI_MAX_ANSWER_TOKENS"),
        (GOOD, "model_context_window_exceeded", "CGI_TOKEN_BUDGET"),
    ],
)
def test_what_is_doubtful_about_a_reply_is_said(text: str, stop_reason: str, warning: str) -> None:
    heard: list[str] = []
    got = answer(QUESTION, [PARSE, SPLIT], Settings(), language_model=Echo(text, stop_reason), on_text=heard.append)
    assert (got.generated, "".join(heard), got.sources) == (True, text, (PARSE, SPLIT))
    assert len(got.warnings) == bool(warning)
    assert warning in "".join(got.warnings)


@pytest.mark.parametrize(
    ("text", "stop_reason", "expected"),
    [("I will", "refusal", "declined"), ("", "end_turn", "empty answer"), ("", "max_tokens", "CGI_MAX_ANSWER_TOKENS")],
)
def test_a_reply_without_an_answer_is_an_error(text: str, stop_reason: str, expected: str) -> None:
    with pytest.raises(AnswerError, match=expected):
        answer(QUESTION, [PARSE], Settings(), language_model=Echo(text, stop_reason))


def test_changed_files_are_flagged_without_a_model_too() -> None:
    (warning,) = answer(QUESTION, [replace(PARSE, stale=True), SPLIT], Settings()).warnings
    assert warning == "changed since indexed, so lines may be off: src/parser.py; run cgi index"


def test_a_prompt_holds_the_sources_within_the_budget_and_the_question() -> None:
    model = Echo("It splits [src/other.py:1].")
    unsent = source("src/other.py", 1, "unsent = 1\n")
    got = answer(QUESTION, [PARSE, unsent], Settings(token_budget=130), language_model=model)
    (prompt,) = model.prompts
    assert prompt.user.index("10| def parse(text):") < prompt.user.index(QUESTION)
    assert QUESTION not in prompt.system
    assert "unsent" not in prompt.user
    assert got.sources == (PARSE,)
    assert [citation.valid for citation in got.citations] == [False]


@pytest.mark.slow
def test_an_answer_is_streamed_and_its_citations_checked(server: MessagesServer, settings: Settings) -> None:
    server.queue(GOOD)
    heard: list[str] = []
    got = answer(QUESTION, [PARSE, SPLIT], settings, on_text=heard.append)
    assert got.text == "".join(heard) == GOOD
    assert got.generated
    assert (got.question, got.model) == (QUESTION, MODEL)
    assert (got.input_tokens, got.output_tokens) == (INPUT_TOKENS, OUTPUT_TOKENS)
    assert got.sources == (PARSE, SPLIT)
    assert got.citations == (
        Citation("src/parser.py", 11, 11),
        Citation("src/lexer.py", 6, 6),
        Citation("src/cli.py", 37, 37),
    )
    assert got.warnings == ()


@pytest.mark.slow
def test_the_request_holds_sources_then_question(server: MessagesServer, settings: Settings) -> None:
    server.queue(GOOD)
    answer(QUESTION, [PARSE, SPLIT], settings)
    (request,) = server.requests
    assert (
        request.user.index("10| def parse(text):") < request.user.index("5| def split") < request.user.index(QUESTION)
    )
    assert QUESTION not in request.system


@pytest.mark.slow
def test_sources_beyond_the_budget_are_not_sent_and_not_citable(server: MessagesServer, settings: Settings) -> None:
    server.queue("It splits [src/other.py:1].")
    unsent = source("src/other.py", 1, "unsent = 1\n")
    got = answer(QUESTION, [PARSE, unsent], replace(settings, token_budget=130))
    assert "unsent" not in server.requests[0].user
    assert got.sources == (PARSE,)
    assert [citation.valid for citation in got.citations] == [False]


@pytest.mark.slow
def test_a_hostile_reply_is_marked_and_listed(server: MessagesServer, settings: Settings) -> None:
    server.queue("See [src/ghost.py:1-2], [../../etc/passwd:1], [src/parser.py:1-99999999999999999999].")
    got = answer(QUESTION, [PARSE], settings)
    assert got.text.count(" — not in the sources]") == 2
    assert got.text.count(" — lines not in the sources]") == 1
    assert [citation.valid for citation in got.citations] == [False, False, False]
    assert got.warnings[0].startswith("3 of 3 citations do not hold: src/ghost.py:1-2 (not in the sources), ")


@pytest.mark.slow
def test_an_answer_without_citations_is_flagged(server: MessagesServer, settings: Settings) -> None:
    server.queue("It just works.")
    assert answer(QUESTION, [PARSE], settings).warnings == ("the answer cites no source, so nothing in it was checked",)


@pytest.mark.slow
def test_an_answer_cut_off_says_so(server: MessagesServer, settings: Settings) -> None:
    server.queue(written(GOOD, stop_reason="max_tokens"), written(GOOD, stop_reason="model_context_window_exceeded"))
    first, second = (answer(QUESTION, [PARSE, SPLIT], settings).warnings for _ in range(2))
    assert first == (f"the answer was cut off at {settings.max_answer_tokens} tokens; raise CGI_MAX_ANSWER_TOKENS",)
    assert "CGI_TOKEN_BUDGET" in second[0]


@pytest.mark.slow
def test_changed_files_are_flagged(server: MessagesServer, settings: Settings) -> None:
    server.queue(GOOD)
    stale = [replace(PARSE, stale=True), SPLIT]
    expected = "changed since indexed, so lines may be off: src/parser.py; run cgi index"
    assert answer(QUESTION, stale, settings).warnings == (expected,)
    assert answer(QUESTION, stale, Settings()).warnings == (expected,)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "stop_reason", "expected"),
    [
        ("I will", "refusal", "declined"),
        ("", "refusal", "declined"),
        ("", "end_turn", "empty answer"),
        ("  \n", "end_turn", "empty answer"),
        ("", "max_tokens", "raise CGI_MAX_ANSWER_TOKENS"),
    ],
)
def test_no_answer_is_an_error(
    server: MessagesServer, settings: Settings, text: str, stop_reason: str, expected: str
) -> None:
    server.queue(written(text, stop_reason=stop_reason))
    with pytest.raises(AnswerError, match=expected) as caught:
        answer(QUESTION, [PARSE], settings)
    assert caught.value.exit_code == (13 if stop_reason == "refusal" else 9)


@pytest.mark.slow
def test_a_base_url_alone_is_enough(server: MessagesServer) -> None:
    server.queue(GOOD)
    assert answer(QUESTION, [PARSE, SPLIT], Settings(base_url=server.url, model=MODEL)).generated


def test_a_language_model_given_is_the_one_asked() -> None:
    got = answer(QUESTION, [PARSE, SPLIT], Settings(), language_model=Echo(GOOD))
    assert (got.generated, got.model, got.text) == (True, "echo", GOOD)


def test_pieces_of_one_definition_are_named_once() -> None:
    rest = source("src/parser.py", 40, "    return None\n", type="block", qualified_name="parser.parse")
    got = answer(QUESTION, [PARSE, rest, SPLIT], Settings())
    assert got.text.startswith("Most likely: parser.parse [src/parser.py:10], lexer.split [src/lexer.py:5].\n")


def test_a_word_in_all_the_names_is_no_reason_for_one() -> None:
    names = ("shop.parse", "shop.tax", "shop.send")
    sources = [source(f"shop/{name}.py", 1, "return cart\n", qualified_name=name) for name in names]
    got = answer("how does shop parse a cart", sources, Settings())
    assert [line for line in got.text.splitlines() if line.startswith("- shop.")] == [
        "- shop.parse: its name has parse.",
        "- shop.tax: it has cart.",
        "- shop.send: it has cart.",
    ]


def test_without_a_model_the_sources_are_the_answer() -> None:
    heard: list[str] = []
    ties = ["parser.parse calls lexer.split in line 11."]
    got = answer(QUESTION, [PARSE, SPLIT], Settings(), on_text=heard.append, ties=lambda: ties)
    assert not got.generated
    assert heard == []
    assert got.citations == (Citation("src/parser.py", 10, 12), Citation("src/lexer.py", 5, 6))
    assert got.text.startswith(
        """\
Most likely: parser.parse [src/parser.py:10], lexer.split [src/lexer.py:5].

- parser.parse: its name has parsed.
- lexer.split: it has text.
- parser.parse calls lexer.split in line 11.

## src/parser.py:10-12  function parser.parse

> module parser

```python
def parse(text):
    tokens = split(text)
    return tree(tokens)
```

- caller: cli.main (src/cli.py:37)
- callee: lexer.split (src/lexer.py:5)

## src/lexer.py:5-6  function lexer.split

```python
"""
    )
    closing = got.text.splitlines()[-1]
    assert all(hint in closing for hint in ("ANTHROPIC_API_KEY", "CGI_BASE_URL"))


def test_without_a_model_the_best_are_shown_the_next_listed_and_the_rest_counted() -> None:
    methods = [source(f"m{place}.py", 1, numbered_lines(2), qualified_name=f"m{place}.run") for place in range(25)]
    got = answer(QUESTION, methods, Settings(token_budget=100_000))
    assert len(got.citations) == 25
    assert got.text.count("\n## m") == MAX_SHOWN
    places = [line for line in got.text.splitlines() if line.startswith("- m")]
    assert places[0] == f"- m{MAX_SHOWN}.py:1-2  function m{MAX_SHOWN}.run"
    assert len(places) == MAX_LISTED
    assert f"- and {25 - MAX_SHOWN - MAX_LISTED} more in `sources`" in got.text


def test_an_excerpt_cannot_end_its_fence() -> None:
    got = answer(QUESTION, [source("README.md", 1, "````\ncode\n````\n", language="markdown")], Settings())
    assert "\n`````markdown\n````\ncode\n````\n`````\n" in got.text


def test_with_nothing_found_a_model_given_is_not_asked() -> None:
    model = Echo(GOOD)
    got = answer(QUESTION, [], Settings(), language_model=model)
    assert (got.generated, got.sources, got.citations, model.prompts) == (False, (), (), [])
    assert "Nothing in the index matches" in got.text


@pytest.mark.slow
def test_with_nothing_found_no_model_is_asked(server: MessagesServer, settings: Settings) -> None:
    got = answer(QUESTION, [], settings)
    assert not got.generated
    assert got.sources == ()
    assert got.citations == ()
    assert "Nothing in the index matches" in got.text
    assert "names the code itself would use" in got.text
    assert server.requests == []


@pytest.mark.slow
def test_the_sdk_is_imported_only_to_ask() -> None:
    code = "import sys, code_graph_indexer.ask.pipeline; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
