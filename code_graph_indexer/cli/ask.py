"""The commands `cgi ask` and `chat`: answer questions about code in words."""

import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.ask.conversation import Turn, turn_of
from code_graph_indexer.cli.common import (
    Db,
    Directory,
    Embedder,
    Expect,
    Json,
    KeywordOnly,
    Language,
    NoUpdate,
    Pattern,
    SearchedTests,
    answering,
    in_shell,
    say_freshness,
    show,
)
from code_graph_indexer.errors import AnswerError, UsageError

app = typer.Typer(rich_markup_mode=None)


@app.command()
def ask(
    question: Annotated[list[str], typer.Argument(help="A question about the code.")],
    expect: Expect = "",
    language: Language = None,
    directory: Directory = None,
    path: Pattern = None,
    tests: SearchedTests = None,
    keyword_only: KeywordOnly = False,
    model: Annotated[str | None, typer.Option("--model", help="The language model that answers.")] = None,
    token_budget: Annotated[
        int | None, typer.Option("--tokens", help="Number of context tokens for the language model.", min=200)
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show the searches and how long each step took.")] = False,
    no_update: NoUpdate = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Answer a question with citations. Without an API key, print the retrieved code, best first, with citations."""
    streamed = []

    def write(text: str) -> None:
        streamed.append(text)
        # An answer may quote a hostile file, so nothing in it may steer the terminal.
        show(render.clean(text), end="")

    with answering(db, no_update, embedder=embedder, model=model, token_budget=token_budget) as indexer:
        answer = indexer.ask(
            " ".join(question),
            expect=expect,
            on_text=None if as_json else write,
            language=language or (),
            directory=directory,
            file_patterns=path or (),
            tests=tests,
            keyword_only=keyword_only,
        )
    if as_json:
        show(render.to_json("ask", **{field.name: getattr(answer, field.name) for field in fields(answer)}))
        return
    if explain:
        typer.echo(render.how_answered(answer), err=True)
    # A streamed answer lacks only its last line end. Without a language model nothing was streamed.
    show("" if streamed else in_shell(render.clean(answer.text)))
    if notes := render.answer_notes(answer):
        typer.echo(notes, err=True)


@app.command()
def chat(
    language: Language = None,
    directory: Directory = None,
    path: Pattern = None,
    tests: SearchedTests = None,
    model: Annotated[str | None, typer.Option("--model", help="The language model that answers.")] = None,
    no_update: NoUpdate = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Ask one question per line. A question may refer to earlier questions. An empty line or `exit` ends the chat."""
    with answering(db, no_update, embedder=embedder, model=model) as indexer:
        turns: list[Turn] = []
        for question in questions():
            try:
                answer = indexer.ask(
                    question,
                    history=turns,
                    language=language or (),
                    directory=directory,
                    file_patterns=path or (),
                    tests=tests,
                )
                say_freshness(indexer.freshness)
            except (AnswerError, UsageError) as exc:
                # One question that failed does not end a conversation.
                typer.echo(f"error: {render.clean(str(exc))}", err=True)
                continue
            # Only answered questions belong to the history that the next question may refer to.
            turns.append(turn_of(question, answer))
            # The record is not passed whole: its fields stand at the top of the JSON object, as for `ask`.
            fields_of = {field.name: getattr(answer, field.name) for field in fields(answer)}
            show(render.to_json("chat", **fields_of) if as_json else render.clean(answer.text))
            if not as_json and (notes := render.answer_notes(answer)):
                typer.echo(notes, err=True)


def questions() -> Iterator[str]:
    """Yield questions from standard input, until an empty line, `exit` or the end of the input. A terminal shows a prompt."""
    while True:
        # The prompt is no part of an answer, so it goes to standard error.
        if sys.stdin.isatty():
            typer.echo("> ", nl=False, err=True)
        line = sys.stdin.readline()
        if line.strip() in ("", "exit", "quit"):
            return
        yield line.strip()
