"""The command `cgi`: it reads options, calls the package and prints. It holds no logic."""

import ast
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from code_graph_indexer.errors import CgiError, NotInIndexError, shortage
from code_graph_indexer.printable import clean
from code_graph_indexer.version import VERSION

START = f"""cgi {VERSION}: where code is, who calls it and what a change of it breaks. First, in the folder of a repository:

  cgi index                     index it into one file
  cgi search "what it does"     find code by words, a name or a question
  cgi callers NAME              who calls it, and how sure that is
  cgi impact NAME               what a change of it breaks, and the tests to run
  cgi explore "question"        how code hangs together, with its source

cgi help lists all commands, and cgi help COMMAND says more of one."""
"""What `cgi` alone prints."""

EXIT_CODES = """Exit codes: 0 done; 1 nothing found, a check found problems, or an unexpected error;
2 wrong usage or setting; 3 no index; 4 not an index, damaged or of another version; 5 embedder; 6 grammar;
7 not in the index; 8 busy; 9 no answer, 10 key refused, 11 overloaded, 12 too long, 13 declined;
14 no file could be parsed; 15 index not writable; 16 server refused; 130 interrupted."""

MODULES = {
    "index": ("index", "watch", "verify", "doctor", "stats", "export"),
    "describe": ("describe",),
    "search": ("search", "explore"),
    "ask": ("ask", "chat"),
    "graph": ("symbol", "references", "callers", "callees", "outline", "tree"),
    "questions": (
        *("path", "impact", "hierarchy", "implementations", "imports", "dependents"),
        *("unused", "routes", "cycles", "hubs", "communities", "graph"),
    ),
    "agents": ("mcp",),
    "teams": ("publish", "pull", "repositories", "unpublish"),
    "libraries": ("libraries",),
    "web": ("web",),
    "fleet": ("fleet",),
}
"""The commands of each module of this package, in the order of the help. A run loads the module of its command alone."""

MODULE_OF = {command: module for module, commands in MODULES.items() for command in commands}


@cache
def _commands_of(module: str) -> TyperGroup:
    return typer.main.get_group(import_module(f"{__name__}.{module}").app)


class Commands(Mapping[str, Any]):
    """The commands by name. Each is built when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        group = _commands_of(MODULE_OF[name])
        # The fleet is a group of commands itself.
        return group if group.name == name else group.commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(MODULE_OF)

    def __len__(self) -> int:
        return len(MODULE_OF)


@cache
def helps_of(module: str) -> Mapping[str, str]:
    """Return the help of each command of a module, from its text. To load all modules takes longer than to show the help."""
    helps = {}
    spec = find_spec(f"{__name__}.{module}")
    assert spec is not None
    assert isinstance(spec.loader, InspectLoader)
    for node in ast.parse(spec.loader.get_source(spec.name) or "").body:
        if isinstance(node, ast.FunctionDef):
            helps[node.name] = ast.get_docstring(node) or ""
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            # A group of commands: `app = typer.Typer(name=…, help=…)`.
            options = {
                word.arg: word.value.value for word in node.value.keywords if isinstance(word.value, ast.Constant)
            }
            helps[str(options.get("name"))] = str(options.get("help"))
    return helps


class Outlines(Commands):
    """The commands by name, with nothing but their help."""

    def __getitem__(self, name: str) -> TyperCommand:
        return TyperCommand(name, help=helps_of(MODULE_OF[name])[name])


class CommandGroup(TyperGroup):
    """The command `cgi`, which loads the commands below it late."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"commands": Commands()})

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, for which no command is loaded."""
        self.commands = Outlines()  # type: ignore[assignment]
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first sentences of each command whole, where Click cuts them off."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, (command.help or "").partition("\n\n")[0]) for name, command in self.commands.items()]
            )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take `help COMMAND` for `COMMAND --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return list(super().parse_args(ctx, args))

    def list_commands(self, ctx: Any) -> list[str]:
        """List the commands without loading them."""
        return list(self.commands)


app = typer.Typer(
    name="cgi",
    cls=CommandGroup,
    help="Index a repository into one SQLite file, then search it, follow its call graph and ask questions.",
    epilog=EXIT_CODES,
    invoke_without_command=True,
    # To draw boxes around a help takes as long as all else that a command needs to start.
    rich_markup_mode=None,
    # `main` words every error itself.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_debug = False


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"cgi {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks and log to standard error.")] = False,
    # Typer runs eager options first, so `--version` needs no command.
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Index a repository into one SQLite file, then search it, follow its call graph and ask questions."""
    global _debug
    _debug = debug
    if debug:
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    if ctx.invoked_subcommand is None:
        typer.echo(START)


def main(*, interrupted: Callable[[], bool] = lambda: False) -> None:
    """Run the command line. Every error becomes a message and an exit code.

    `interrupted` says whether Ctrl-C was pressed. Then a KeyboardInterrupt is raised, whatever else happened since.
    """
    try:
        app()
    # The edge of the process: whatever happens, the user reads a sentence and gets an exit code.
    except BaseException as exc:
        # Libraries turn an interrupt into errors of their own, and Typer turns it into an exit.
        if interrupted():
            raise KeyboardInterrupt from exc
        if isinstance(exc, CgiError):
            # Only this door has commands.
            search_for = exc.search_for if isinstance(exc, NotInIndexError) else ""
            _fail(f"{exc} Search for it: cgi search {search_for}" if search_for else str(exc), exc.exit_code)
        if not isinstance(exc, Exception):
            raise
        logging.getLogger(__name__).debug("unexpected error", exc_info=exc)
        if short := shortage(exc):
            _fail(short, 1)
        said = clean(f"{type(exc).__name__}: {exc}")
        _fail(f"unexpected error: {said}; run again with cgi --debug … and report it", 1)


def _fail(message: str, code: int) -> None:
    """Print an error and end with its code. With `--debug`, raise the error that is being handled."""
    # With --debug the error goes on to Python, which prints the traceback.
    if _debug and sys.exc_info()[0] is not None:
        raise
    typer.echo(f"cgi: {message}", err=True)
    sys.exit(code)
