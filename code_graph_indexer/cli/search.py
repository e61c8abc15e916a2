"""The commands `cgi search`, `explore`, `ask` and `chat`: find code, and ask questions about code."""

import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Budget, Db, Embedder, Json, NoUpdate, answering, say_freshness, show
from code_graph_indexer.errors import AnswerError, UsageError

if TYPE_CHECKING:
    from code_graph_indexer.ask.conversation import Turn

app = typer.Typer()

Language = Annotated[list[str] | None, typer.Option("--language", "-l", help="Search only this language (repeatable).")]
Directory = Annotated[
    str | None, typer.Option("--directory", "-d", help="Search only below this folder of the repository.")
]
Pattern = Annotated[
    list[str] | None, typer.Option("--path", "-p", help="Search only paths that match this glob (repeatable).")
]
Kind = Annotated[
    list[str] | None,
    typer.Option("--kind", "-k", help="Search only chunks of this kind: function, class, … (repeatable)."),
]
Source = Annotated[list[str] | None, typer.Option("--source", help="Search only code, markdown or text (repeatable).")]
Folder = Annotated[list[str] | None, typer.Option("--prefer", help="Rank files of this folder higher (repeatable).")]
RepoId = Annotated[list[str] | None, typer.Option("--repo-id", help="Search only this repository (repeatable).")]
Tests = Annotated[
    bool | None, typer.Option("--tests/--no-tests", help="Search only tests, or no tests (default: both).")
]
KeywordOnly = Annotated[bool, typer.Option("--keyword-only", help="Search by words only, without an embedder.")]


@app.command()
def search(
    query: Annotated[list[str], typer.Argument(help="Words, a name, a part of a name, or a question.")],
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="Largest number of results.", min=1, max=1000)
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="Leave out results below this share of the best score.", min=0.0, max=1.0)
    ] = None,
    parents: Annotated[bool, typer.Option("--parents", help="Show the definitions that contain the results.")] = False,
    language: Language = None,
    directory: Directory = None,
    path: Pattern = None,
    kind: Kind = None,
    source: Source = None,
    prefer: Folder = None,
    repo_id: RepoId = None,
    tests: Tests = None,
    keyword_only: KeywordOnly = False,
    full: Annotated[bool, typer.Option("--full", help="Show whole chunks.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show how each score was computed.")] = False,
    no_update: NoUpdate = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Find the code that answers a query."""
    # A user who leaves out the quotes gives several words.
    text = " ".join(query)
    with answering(db, no_update, embedder=embedder) as indexer:
        retrieve = indexer.retrieve_with_parents if parents else indexer.retrieve
        results = retrieve(
            text,
            threshold=threshold,
            limit=limit,
            repo_id=repo_id,
            language=language or (),
            directory=directory,
            chunk_type=kind or (),
            source_types=source or (),
            file_patterns=path or (),
            folders=prefer or (),
            tests=tests,
            keyword_only=keyword_only,
        )
        doubt = None if parents else indexer.doubt(text, results)
    if as_json:
        show(render.to_json("search", query=text, doubt=doubt, results=results))
        return
    if doubt is not None and results:
        show(render.clean(f"{doubt.text}\n"))
    show(render.results(results, text, full=full, explain=explain))


@app.command()
def explore(
    query: Annotated[
        list[str], typer.Argument(help="A question, names, `A -> B`, a path with a line, or a stack trace; - reads it.")
    ],
    budget: Budget = None,
    keyword_only: KeywordOnly = False,
    no_update: NoUpdate = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Show in one text how the code in question hangs together, and its source, for agents."""
    text = sys.stdin.read() if query == ["-"] else " ".join(query)
    with answering(db, no_update, embedder=embedder) as indexer:
        tour = indexer.explore(text, budget=budget, keyword_only=keyword_only)
    show(render.to_json("explore", tour=tour) if as_json else render.clean(tour.text), end="")


@app.command()
def ask(
    question: Annotated[list[str], typer.Argument(help="A question about the code.")],
    language: Language = None,
    directory: Directory = None,
    path: Pattern = None,
    tests: Tests = None,
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
    show("" if streamed else render.clean(answer.text))
    if notes := render.answer_notes(answer):
        typer.echo(notes, err=True)


@app.command()
def chat(
    language: Language = None,
    directory: Directory = None,
    path: Pattern = None,
    tests: Tests = None,
    model: Annotated[str | None, typer.Option("--model", help="The language model that answers.")] = None,
    no_update: NoUpdate = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Ask one question per line. A question may refer to earlier questions. An empty line or `exit` ends the chat."""
    from code_graph_indexer.ask.conversation import turn_of

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
