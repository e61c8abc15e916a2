"""`cgi search` and `cgi ask`: find code, and have it explained."""

from typing import Annotated

import typer

from code_graph_indexer import render
from code_graph_indexer.cli.common import Db, Embedder, Json, open_index, show

app = typer.Typer()

Language = Annotated[list[str] | None, typer.Option("--language", "-l", help="Only this language (repeatable).")]
Directory = Annotated[str | None, typer.Option("--directory", "-d", help="Only below this folder of the repository.")]
Pattern = Annotated[
    list[str] | None, typer.Option("--path", "-p", help="Only paths that match this glob (repeatable).")
]
Kind = Annotated[
    list[str] | None, typer.Option("--kind", "-k", help="Only chunks of this kind: function, class, … (repeatable).")
]
Source = Annotated[list[str] | None, typer.Option("--source", help="Only code, markdown or text (repeatable).")]
Folder = Annotated[list[str] | None, typer.Option("--prefer", help="Prefer this folder (repeatable).")]
RepoId = Annotated[str | None, typer.Option("--repo-id", help="Only this repository of the index.")]
Tests = Annotated[bool | None, typer.Option("--tests/--no-tests", help="Only tests, or none of them.")]
KeywordOnly = Annotated[bool, typer.Option("--keyword-only", help="Use no embedder.")]


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words, a name, a part of a name, or a question.")],
    limit: Annotated[int | None, typer.Option("--limit", "-n", help="Results to show.", min=1, max=1000)] = None,
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
    explain: Annotated[bool, typer.Option("--explain", help="Show how each score came about.")] = False,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Find the code that answers a query."""
    with open_index(db, embedder=embedder) as indexer:
        found = indexer.retrieve(
            query,
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
    show(
        render.to_json("search", query=query, results=found)
        if as_json
        else render.results(found, full=full, explain=explain)
    )


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A question about the code.")],
    language: Language = None,
    directory: Directory = None,
    path: Pattern = None,
    tests: Tests = None,
    keyword_only: KeywordOnly = False,
    model: Annotated[str | None, typer.Option("--model", help="The language model that answers.")] = None,
    token_budget: Annotated[int | None, typer.Option("--tokens", help="Tokens of context to give it.", min=200)] = None,
    db: Db = None,
    embedder: Embedder = None,
    as_json: Json = False,
) -> None:
    """Answer a question with citations; without an API key, print the ordered, cited context."""
    streamed = []

    def write(text: str) -> None:
        streamed.append(text)
        show(render.clean(text), end="")

    with open_index(db, embedder=embedder, model=model, token_budget=token_budget) as indexer:
        answer = indexer.ask(
            question,
            on_text=None if as_json else write,
            language=language or (),
            directory=directory,
            file_patterns=path or (),
            tests=tests,
            keyword_only=keyword_only,
        )
    if as_json:
        show(render.to_json("ask", answer=answer))
        return
    show("" if streamed else render.clean(answer.text))
    if notes := render.answer_notes(answer):
        typer.echo(notes, err=True)
