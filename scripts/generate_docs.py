"""Write the parts of the documents that repeat the source, so that they cannot differ from it.

Most parts stand between markers: `<!-- languages -->` … `<!-- /languages -->`. A document may also be written whole.
With --check nothing is written, and the exit code is 1 when a document is not current.

To generate another document, write a function from its present text to its current text, and add it to DOCUMENTS.

usage: generate_docs.py [--check]
"""

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import apsw
import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

import code_graph_indexer
from code_graph_indexer import settings
from code_graph_indexer.cli import app
from code_graph_indexer.languages import Framework, Language, header_keys, languages
from code_graph_indexer.languages import default_text as default_header_text
from code_graph_indexer.settings import ENVIRONMENT_PREFIX, Settings
from code_graph_indexer.syntax.registrations import KINDS, PARTS

REPOSITORY = Path(__file__).resolve().parent.parent
SCHEMA = REPOSITORY / "code_graph_indexer" / "storage" / "sqlite.sql"


def table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("|" + "|".join(cell if cell == "---" else f" {cell} " for cell in line) + "|" for line in lines)


def code(words: tuple[str, ...]) -> str:
    """Return words as Markdown code, parted by blanks."""
    return " ".join(f"`{word}`" for word in words)


def escaped(text: str) -> str:
    """Return a text that may stand in a cell of a Markdown table."""
    return text.replace("<", "&lt;").replace("|", "\\|")


def between(text: str, name: str, part: str, *, inline: bool = False) -> str:
    """Replace the text between the markers of a name, on lines of its own unless inline."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if start not in text or end not in text:
        sys.exit(f"the markers {start} and {end} are missing")
    filled = start + (part if inline else f"\n{part}\n") + end
    return re.sub(f"{start}.*?{end}", lambda _: filled, text, flags=re.DOTALL)


def languages_page(text: str) -> str:
    """Return docs/reference/languages.md with the table of languages as it is now."""
    rows = ((name, code(language.extensions), code(language.filenames)) for name, language in languages().items())
    return between(text, "languages", table(("language", "extensions", "file names"), rows))


def readme(text: str) -> str:
    """Return README.md with its figures as they are in the tables of measurements, and the number of languages."""
    calls, measurements = (f"docs/measured/{page}.md" for page in ("calls", "README"))
    precision, recall = measured(calls, "the three together", "precision", "recall")
    rival, ours = measured(measurements, "NDCG@10 on 631 queries", "the tool", "cgi")
    (build,) = measured(measurements, "full build", "value")
    (search,) = measured(measurements, "`cgi search` as a process", "value")
    rows = (
        (
            f"**{precision} %** of the calls it links are right; it links **{recall} %** of those that a type checker finds",
            f"Python: flask, click and requests, used in development; [other repositories and languages]({calls})",
        ),
        (
            f"search ranks the right files with **{ours}** of 1, [semble](https://github.com/MinishLab/semble) with {rival}",
            f"NDCG@10 on 631 questions of semble's benchmark; [our weights]({measurements}#search-quality) come from them",
        ),
        (
            f"a search takes **{search}**, the first build of Django **{build.partition(',')[0]}**",
            f"700,000 lines on [two slow cores]({measurements}#speed)",
        ),
    )
    text = between(text, "figures", table(("", ""), iter(rows)))
    return re.sub(r"\b\d+(?= languages\b)", str(len(languages())), text)


def measured(page: str, label: str, *columns: str) -> list[str]:
    """Return the cells of a table of measurements, in the columns of these heads and the first row with the label."""
    head: list[str] = []
    for line in (REPOSITORY / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if label in cells and set(columns) <= set(head):
            return [cells[head.index(column)] for column in columns]
        # A gap between the rows of a table leaves its head in force.
        head = cells if set(columns) <= set(cells) else head
    sys.exit(f"{page} has no row {label!r} with the columns {', '.join(columns)}")


def cli_page(text: str) -> str:
    """Return docs/reference/cli.md with the options of every command as they are now."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    commands = [
        (f"{name} {word}".strip(), command)
        for name, entry in group.commands.items()
        for word, command in (entry.commands if isinstance(entry, TyperGroup) else {"": entry}).items()
    ]
    for name, command in commands:
        parameters = [parameter for parameter in command.params if isinstance(parameter, TyperArgument | TyperOption)]
        rows = ((spelling(parameter), escaped(parameter.help or "")) for parameter in parameters)
        text = between(text, f"options {name}", f"{command.help}\n\n" + table(("", ""), rows))
    return text


def spelling(parameter: TyperArgument | TyperOption) -> str:
    """Return an argument or option as its user types it."""
    if isinstance(parameter, TyperArgument):
        return f"`{(parameter.name or '').upper()}`"
    return ", ".join(f"`{option}`" for option in [*parameter.opts, *parameter.secondary_opts])


def settings_page(text: str) -> str:
    """Return docs/reference/settings.md with the settings as they are now."""
    meanings, defaults = setting_meanings(), Settings()
    names = [field.name for field in fields(Settings)]
    rows = (
        (f"`{name}`", f"`{ENVIRONMENT_PREFIX}{name.upper()}`", default_text(getattr(defaults, name)), meanings[name])
        for name in names
    )
    return between(text, "settings", table(("setting", "variable", "default", "meaning"), rows))


def setting_meanings() -> dict[str, str]:
    """Return the text that stands below each field of Settings."""
    module = ast.parse(Path(settings.__file__).read_text(encoding="utf-8"))
    (body,) = (node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == "Settings")
    return {
        field.target.id: ast.literal_eval(below.value)
        for field, below in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr)
    }


def default_text(value: object) -> str:
    """Return a default as it is written in Python; numbers with underscores, an empty text as `none`."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"`{value:_}`"
    return f"`{value}`" if value != "" else "none"


def index_file_page(text: str) -> str:
    """Return docs/reference/index-file.md with the columns of every view as they are now."""
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA.read_text(encoding="utf-8"))
    views = [
        name for (name,) in connection.execute("select name from sqlite_schema where type = 'view' order by rowid")
    ]
    for view in views:
        columns = connection.execute("select name from pragma_table_info(?)", (view,))
        text = between(text, f"columns {view}", code(tuple(name for (name,) in columns)), inline=True)
    return text


def barred(text: str) -> str:
    """Return code that may stand in a cell of a Markdown table: its bars would end the cell."""
    return text.replace("|", "\\|")


def language_files_page(text: str) -> str:
    """Return docs/reference/language-files.md with the keys of a header and the kinds as they are now."""
    rows = (
        (
            f"`{name}`",
            key.type,
            barred(key.meaning),
            *(f"`{barred(cell)}`" if cell else "" for cell in cells),
        )
        for name, key in header_keys(Language).items()
        for cells in [(default_header_text(name), key.example)]
    )
    return between(text, "header-keys", table(("key", "type", "meaning", "default", "example"), rows))


def frameworks_page(text: str) -> str:
    """Return docs/how-to/add-a-framework.md with the keys of a header, the kinds and the captures as they are now."""
    rows = (
        (f"`{name}`", barred(key.meaning), f"`{barred(key.example)}`") for name, key in header_keys(Framework).items()
    )
    text = between(text, "framework-keys", table(("key", "meaning", "example"), rows))
    kinds = ((f"`{kind}`", meaning) for kind, meaning in KINDS.items())
    text = between(text, "framework-kinds", table(("kind", "meaning"), kinds))
    parts = ((f"`@{part}`", meaning) for part, meaning in PARTS.items())
    return between(text, "framework-parts", table(("capture", "meaning"), parts))


def python_page(_: str) -> str:
    """Return docs/reference/python.md: a section for each public name, the doors and their methods first."""
    doors: list[type] = [code_graph_indexer.Index, code_graph_indexer.CodeIndexer, code_graph_indexer.GraphQuestions]
    public = [getattr(code_graph_indexer, name) for name in code_graph_indexer.__all__ if not name.startswith("__")]
    head = (
        "# Python reference\n\nYou find every public name of `code_graph_indexer` here. "
        "`scripts/generate_docs.py` writes the page from the docstrings.\n\n"
        "The tests run the examples. In them `indexer` is an opened `CodeIndexer` of the repository in fixtures/shop, "
        "`shop` is its folder, and the public names are imported."
    )
    sections: list[str] = []
    for door in doors:
        sections.append(python_section(door.__name__, door, "##"))
        members = {name: member for base in reversed(door.__mro__) for name, member in vars(base).items()}
        inherited = {name for base in door.__mro__[1:] if base in doors for name in dir(base)}
        sections += [
            python_section(f"{door.__name__}.{name}", member, "###")
            for name, member in members.items()
            if not name.startswith("_") and name not in inherited
            if inspect.isroutine(member) or isinstance(member, property)
        ]
    sections += [python_section(value.__name__, value, "##") for value in public if value not in doors]
    return head + "\n\n<!-- python -->\n" + "\n\n".join(sections) + "\n<!-- /python -->\n"


def python_section(name: str, value: object, level: str) -> str:
    """Return the section of a public name: its signature, its sentences, and its example as Python code."""
    signature = ""
    is_abstract = getattr(value, "_is_protocol", False) or inspect.isabstract(value)
    if callable(value) and not is_abstract and not (isinstance(value, type) and issubclass(value, Exception)):
        parameters = inspect.signature(value)
        visible = [parameter for parameter in parameters.parameters.values() if parameter.name != "self"]
        signature = str(parameters.replace(parameters=visible)).replace("code_graph_indexer.", "")
        signature = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", signature)
        # A quoted annotation names a class that is imported for type checkers only.
        signature = re.sub(r"(: |-> )'([^']+)'", r"\1\2", signature)
        signature = re.sub(r"<function [^>]*<lambda> at \w+>", "...", signature)
        signature = re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", signature).removesuffix(
            " -> None" if isinstance(value, type) else ""
        )
    text, _, example = (inspect.getdoc(value) or "").partition("Example:\n")
    parts = [f"{level} {name}", *([f"```python\n{name}{signature}\n```"] if signature else []), text.strip()]
    if example:
        parts.append(f"```pycon\n{inspect.cleandoc(example)}\n```")
    return "\n\n".join(parts)


DOCUMENTS: dict[str, Callable[[str], str]] = {
    "README.md": readme,
    "docs/reference/cli.md": cli_page,
    "docs/reference/index-file.md": index_file_page,
    "docs/reference/language-files.md": language_files_page,
    "docs/reference/languages.md": languages_page,
    "docs/how-to/add-a-framework.md": frameworks_page,
    "docs/reference/python.md": python_page,
    "docs/reference/settings.md": settings_page,
}
"""The function that brings each document up to date, by its path in the repository."""


def main() -> None:
    """Write the documents, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 when a document is not current"
    )
    check = parser.parse_args().check
    outdated = []
    for name, render in DOCUMENTS.items():
        path = REPOSITORY / name
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        after = render(before)
        if after != before:
            outdated.append(name)
            if not check:
                path.write_text(after, encoding="utf-8")
    for name in outdated:
        print(f"{name} is outdated; run scripts/generate_docs.py" if check else f"{name} was outdated")
    sys.exit(1 if check and outdated else 0)


if __name__ == "__main__":
    main()
