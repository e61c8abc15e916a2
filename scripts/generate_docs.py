"""Write the parts of the documents that repeat the source, so that they cannot differ from it.

docs/settings.md is written whole; the table of languages in README.md and the options of each command in docs/cli.md
stand between markers (`<!-- languages -->` … `<!-- /languages -->`). With --check nothing is written: the exit code is 1
when a document is not current.

usage: generate_docs.py [--check]
"""

import argparse
import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from code_graph_indexer import settings
from code_graph_indexer.cli import app
from code_graph_indexer.languages import languages
from code_graph_indexer.settings import ENVIRONMENT_PREFIX, Settings

REPOSITORY = Path(__file__).resolve().parent.parent

SETTINGS_HEAD = f"""# Settings

<!-- Written by scripts/generate_docs.py from settings.py. -->

A setting is given, in this order of precedence, as a keyword of `CodeIndexer` (some are options of `cgi` too), as an
environment variable, as a key of `{settings.CONFIG_FILE}` in the root of the repository, or of `[tool.cgi]` in its
`{settings.PROJECT_FILE}`. Keys, endpoints and models are never read from these files: a repository must not choose where its
text is sent, or what is loaded.

| setting | variable | default | meaning |
|---|---|---|---|
"""


def meanings() -> dict[str, str]:
    """Return what stands below each field of Settings."""
    source = Path(settings.__file__).read_text(encoding="utf-8")
    (body,) = (one.body for one in ast.parse(source).body if isinstance(one, ast.ClassDef) and one.name == "Settings")
    found: dict[str, str] = {}
    for field, below in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            found[field.target.id] = ast.literal_eval(below.value)
    return found


def settings_document() -> str:
    """Return docs/settings.md."""
    said, default = meanings(), Settings()
    rows = (
        f"| `{name}` | `{ENVIRONMENT_PREFIX}{name.upper()}` | {_default(getattr(default, name))} | {said[name]} |"
        for name in (one.name for one in fields(Settings))
    )
    return SETTINGS_HEAD + "\n".join(rows) + "\n"


def _default(value: object) -> str:
    return f"`{value:,}`".replace(",", "_") if isinstance(value, int) else f"`{value}`" if value != "" else "none"


def language_table() -> str:
    """Return the table of languages for README.md."""
    rows = (f"| {one.name} | {_code(one.extensions)} | {_code(one.filenames)} |" for one in languages().values())
    return "\n".join(["| language | extensions | file names |", "|---|---|---|", *rows])


def _code(words: tuple[str, ...]) -> str:
    return " ".join(f"`{one}`" for one in words)


def option_tables() -> Iterator[tuple[str, str]]:
    """Yield the name of each command with the table of its arguments and options."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    for name, command in group.commands.items():
        params = [one for one in command.params if isinstance(one, TyperArgument | TyperOption)]
        rows = [f"| {_written(one)} | {_escaped(one.help or '')} |" for one in params]
        yield name, "\n".join([f"{command.help}\n", "| | |", "|---|---|", *rows])


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("|", "\\|")


def _written(one: TyperArgument | TyperOption) -> str:
    if isinstance(one, TyperArgument):
        return f"`{(one.name or '').upper()}`"
    return ", ".join(f"`{spelling}`" for spelling in [*one.opts, *one.secondary_opts])


def between(text: str, name: str, part: str) -> str:
    """Replace what stands between the markers of a name."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if start not in text or end not in text:
        sys.exit(f"the markers {start} and {end} are missing")
    return re.sub(rf"{start}.*?{end}", lambda _: f"{start}\n{part}\n{end}", text, flags=re.DOTALL)


def readme(text: str) -> str:
    """Return README.md with the table of languages as it is now."""
    return between(text, "languages", language_table())


def cli_document(text: str) -> str:
    """Return docs/cli.md with the options as they are now."""
    for name, table in option_tables():
        text = between(text, f"options {name}", table)
    return text


DOCUMENTS: dict[str, Callable[[str], str]] = {
    "README.md": readme,
    "docs/cli.md": cli_document,
    "docs/settings.md": lambda text: settings_document(),
}


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
        print(f"{name} was outdated" if not check else f"{name} is outdated; run scripts/generate_docs.py")
    sys.exit(1 if check and outdated else 0)


if __name__ == "__main__":
    main()
