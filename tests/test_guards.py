"""What the design asks of the source itself: the public door, the import direction, no strays, documents that are true."""

import ast
import importlib
import re
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

import code_graph_indexer
from code_graph_indexer.cli import app
from code_graph_indexer.languages import languages
from tests.sources import COUNT, PACKAGE, every_node, nodes, trees

REPOSITORY = Path(__file__).parent.parent
NAME = PACKAGE.name
PROSE: dict[str, Any] = runpy.run_path(str(REPOSITORY / "scripts" / "prose.py"))

LAYERS = (
    {"printable"},
    {"errors", "words", "version", "extras", "background", "programs", "threads", "doors"},
    {"results", "git", "outside"},
    {"settings", "languages", "embedders", "picture"},
    {"syntax"},
    {"storage"},
    {"resolve"},
    {"scip"},
    {"indexing", "graph"},
    {"retrieval"},
    {"ask"},
    {"explore"},
    {"freshness", "seeding", "across", "describe"},
    {"libraries"},
    {"opened"},
    {"index"},
    {"indexer"},
    {"team"},
    {"render"},
    {"mcp", "web"},
    {"cli"},
    {"__main__", ""},
)
"""The units of the package; each imports itself and what stands above it. The empty name is the public door."""

LATE_IMPORTS = {
    "__main__.py": {NAME},
    "across/store.py": {NAME},
    "background.py": {"asyncio"},
    "cli/agents.py": {NAME},
    "cli/fleet.py": {"rich", NAME},
    "cli/index.py": {"rich", NAME},
    "cli/web.py": {NAME},
    "embedders/static.py": {"tokenizers"},
    "explore/scan.py": {NAME},
    "extras.py": {"importlib", "urllib"},
    "graph/draw.py": {"networkx"},
    "programs.py": {"ctypes"},
    "retrieval/filters.py": {NAME},
    "indexing/workers.py": {"pebble", "threadpoolctl"},
    "scip/messages.py": {"google"},
    "settings.py": {"tomllib"},
    "mcp/repositories.py": {NAME},
    "mcp/server.py": {"uvicorn"},
    "ask/anthropic.py": {"anthropic", "pydantic"},
    "ask/pipeline.py": {NAME},
    "render.py": {NAME},
}
"""Optional or slow packages that a file imports inside its functions: a search needs no parser, `cgi stats` no search."""

HEAVY = {
    *("anthropic", "fastembed", "httpx", "httpx2", "mcp", "onnxruntime", "openai", "pathspec", "pebble", "pydantic"),
    *("asyncio", "google", "jinja2", "networkx", "starlette", "uvicorn"),
}
"""Packages that may not slow down the start."""

READERS = {
    "embedders/fastembed.py": "models on disk",
    "embedders/static.py": "models on disk",
    "extras.py": "where the package was installed from",
    "team/fleet/watch.py": "what the system says of a process",
    "git/layout.py": "git's own files",
    "indexing/discover.py": "ignore files",
    "mcp/clients.py": "settings of a client that its user asks to change",
    "indexing/memory.py": "what the system says of a process",
    "indexing/packages.py": "lock files, of which only names and versions are kept",
    "libraries/installed.py": "manifests and lists of files of packages",
    "libraries/sources.py": "files of packages",
    "scip/read.py": "SCIP indexes",
    "settings.py": "settings",
    "storage/place.py": "index files",
    "storage/side.py": "headers of files beside an index",
    "storage/snapshot.py": "bytes to hash",
    "storage/sqlite.py": "index files",
    "storage/sqlite_writer.py": "index files",
    "syntax/disk.py": "bytes of source files, which `syntax/read.py` decodes and masks",
    "web/documents.py": "images, which have no text",
}
"""The modules that read files beside those of the package, and which. A text that is shown comes from `syntax/read.py`."""

EDGES = {
    *("team/fleet/child.py", "__main__.py", "cli/__init__.py", "resolve/parallel.py", "indexing/workers.py"),
    "mcp/builds.py",
}
"""Where a process begins, and may catch all that went wrong in it."""

MAX_NOT_NOUNS = 0.005
"""Share of bindings that a pronoun or participle may name."""

MIN_COMMENTS, MAX_COMMENTS = 0.02, 0.07
"""Share of lines that are comments: with fewer a reader guesses, with more the code is not read."""

COMMANDS = (
    *(
        "index",
        "describe",
        "search",
        "ask",
        "chat",
        "callers",
        "callees",
        "references",
        "symbol",
        "outline",
        "tree",
        "stats",
        "doctor",
        "verify",
    ),
    *("fleet add", "fleet init", "fleet remove", "fleet retry", "fleet run", "fleet status"),
    *("watch", "publish", "pull", "repositories", "unpublish", "libraries add"),
    *("path", "impact", "hierarchy", "implementations", "imports", "dependents", "unused", "cycles", "hubs"),
    "routes",
    *("communities", "graph", "export", "explore", "mcp", "web"),
)
STARTS = re.compile(r"system|popen|exec[lv]p?e?|p?spawn\w*|posix_spawnp?|startfile")
"""The functions of `os` that start a program."""

MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|home/\w+|root|Users/\w+|mnt)/|[A-Z]:\\\\Users")


def module_of(path: str) -> str:
    parts = path.removesuffix(".py").split("/")
    return ".".join([NAME, *(parts[:-1] if parts[-1] == "__init__" else parts)])


def unit(module: str) -> str:
    """Return the part of the package that a module is of: the folder or file right below it."""
    return [*module.split("."), ""][1]


def level(module: str) -> int:
    return next(at for at, units in enumerate(LAYERS) if unit(module) in units)


def imported(statement: ast.stmt | ast.AST) -> list[str]:
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    return [statement.module or ""] if isinstance(statement, ast.ImportFrom) else []


@cache
def own_imports() -> list[tuple[str, str, str]]:
    """List (path, module, name) for each import from the package. A submodule counts as the module."""
    modules = set(map(module_of, trees()))
    return [
        (path, submodule, "") if submodule in modules else (path, str(node.module), alias.name)
        for path, node in nodes(ast.ImportFrom)
        if (node.module or "").split(".")[0] == NAME
        for alias in node.names
        for submodule in [f"{node.module}.{alias.name}"]
    ]


def test_the_public_door_is_sorted_and_complete() -> None:
    door = code_graph_indexer.__all__
    assert door == sorted(door)
    imports = [node for path, node in nodes(ast.ImportFrom) if path == "__init__.py"]
    names = {
        alias.asname or alias.name: str(node.module)
        for node in imports
        for alias in node.names
        if str(node.module).startswith(NAME) and alias.name != "late_names"
    }
    assert set(door) == names.keys() <= set(dir(code_graph_indexer))
    # A checker reads the imports and a program calls `__getattr__`. Both must get the same object.
    modules = {name: importlib.import_module(module) for name, module in names.items()}
    assert all(
        getattr(code_graph_indexer, name) is getattr(modules[name], name if name != "__version__" else "VERSION")
        for name in door
    )


@pytest.mark.parametrize("folder", ["ask", "explore", "indexing", "retrieval"])
def test_a_door_that_loads_late_gives_what_checkers_see(folder: str) -> None:
    door = importlib.import_module(f"{NAME}.{folder}")
    imports = [node for path, node in nodes(ast.ImportFrom) if path == f"{folder}/__init__.py"]
    modules = {
        alias.name: str(node.module)
        for node in imports
        for alias in node.names
        if str(node.module).startswith(f"{NAME}.{folder}.")
    }
    assert door.__all__ == sorted(modules)
    assert all(getattr(door, name) is getattr(importlib.import_module(modules[name]), name) for name in modules)
    # A module of that name would hide it, once anything imports the module.
    assert {path.stem for path in (PACKAGE / folder).glob("*.py")}.isdisjoint(modules)


def test_the_public_door_refuses_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="'code_graph_indexer' has no attribute 'CodeIndexr'"):
        code_graph_indexer.CodeIndexr  # type: ignore[attr-defined]  # noqa: B018


def test_every_error_passes_the_public_door() -> None:
    defined = {node.name for node in trees()["errors.py"].body if isinstance(node, ast.ClassDef)}
    assert defined <= set(code_graph_indexer.__all__)


def test_every_module_has_a_layer() -> None:
    layered = set().union(*LAYERS)
    assert {unit(module_of(path)) for path in trees()} <= layered


def test_imports_point_one_way() -> None:
    upward = [
        f"{path} imports {module}"
        for path, module, _ in own_imports()
        for importer in [module_of(path)]
        if unit(module) != unit(importer) and level(module) >= level(importer)
    ]
    assert upward == []


def test_nothing_but_the_commands_of_the_fleet_imports_what_a_team_shares() -> None:
    importers = {path for path, module, _ in own_imports() if unit(module) == "team"}
    namers = {path for path, node in nodes(ast.Constant) if node.value == f"{NAME}.team"}
    outside = {path for path in trees() if unit(module_of(path)) != "team"}
    assert (importers & outside, namers & outside) == ({"cli/fleet.py"}, {"storage/backends.py"})


def test_no_private_name_crosses_a_module() -> None:
    private = [f"{path} imports {module}.{name}" for path, module, name in own_imports() if name.startswith("_")]
    assert private == []


def test_modules_import_each_other_in_no_cycle() -> None:
    graph: dict[str, set[str]] = {module_of(path): set() for path in trees()}
    for path, imported_module, _ in own_imports():
        graph[module_of(path)].add(imported_module)
    while graph:
        free = [module for module, needed in graph.items() if not needed & graph.keys()]
        assert free, f"a cycle among {sorted(graph)}"
        for module in free:
            del graph[module]


def test_only_what_few_need_is_imported_late() -> None:
    late = {(path, name.split(".")[0]) for path, node in COUNT["inner_imports"](REPOSITORY) for name in imported(node)}
    assert late <= {(path, package) for path, packages in LATE_IMPORTS.items() for package in packages}


@pytest.mark.parametrize("start", ["import code_graph_indexer", "from code_graph_indexer.cli import main"])
def test_starting_imports_nothing_heavy(start: str) -> None:
    code = f"import sys; {start}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert HEAVY.isdisjoint(module.split(".")[0] for module in loaded)
    grammars = {language.grammar.partition(":")[0] for language in languages().values()}
    assert grammars.isdisjoint(loaded)


ASKING = """
import sys
from code_graph_indexer import CodeIndexer
with CodeIndexer({root!r}) as indexer:
    assert indexer.callers("add_tax")[0].steps
print(*sys.modules)
"""


@pytest.mark.slow
def test_asking_loads_neither_the_write_path_nor_a_grammar(shop: Path) -> None:
    code = ASKING.format(root=str(shop))
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    write_path = (
        f"{NAME}.indexing.",
        f"{NAME}.resolve",
        *{language.grammar.partition(":")[0] for language in languages().values()},
    )
    assert [module for module in loaded if module.startswith(write_path)] == []


UNUSED = {
    "import code_graph_indexer": (".ask", ".cli", ".graph", ".indexer", ".results", ".retrieval", ".storage", "numpy"),
    "cli.app(['stats', '--db', db])": (
        ".ask.pipeline",
        ".retrieval.search",
        ".embedders",
        ".scip",
        ".storage.sqlite_writer",
        "numpy",
    ),
    "cli.app(['callers', 'add_tax', '--db', db])": (
        ".ask.pipeline",
        ".retrieval.search",
        ".embedders",
        ".scip",
        ".storage.sqlite_writer",
        "numpy",
    ),
    "cli.app(['search', 'add', 'tax', '--db', db])": (".ask.pipeline", ".ask.route", ".scip", ".storage.sqlite_writer"),
}
"""The modules that a start does not load, because they make it slower. A dot begins a module of the package."""


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(start, marks=pytest.mark.slow if "'--db'" in start and "stats" not in start else ())
        for start in UNUSED
    ],
)
def test_a_command_loads_only_what_it_uses(start: str, shop: Path) -> None:
    lines = [
        "import contextlib, sys",
        f"db = {str(shop / '.cgi' / 'index.db')!r}",
        "with contextlib.suppress(SystemExit):",
    ]
    if start.startswith("cli"):
        lines.append("    from code_graph_indexer import cli")
    code = "\n".join([*lines, f"    {start}", "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert NAME in loaded
    unused = ("psycopg", ".team", *UNUSED[start])
    assert loaded.isdisjoint(NAME + module if module.startswith(".") else module for module in unused)


def test_graph_and_retrieval_import_no_write_path() -> None:
    readers = [path for path in trees() if path.startswith(("graph/", "retrieval/"))]
    assert readers
    assert [
        f"{path} imports {module}"
        for path, module, _ in own_imports()
        if path in readers and unit(module) in ("indexing", "resolve")
    ] == []


def reads_file(call: ast.Call) -> bool:
    """Say whether a call reads a file that is no part of the package: it opens one, or reads a path whole."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method not in ("read_bytes", "read_text", "fdopen", "open"):
        return False
    if re.search(r"files\(|__file__|resources|entry\.", ast.unparse(call.func)):
        return False
    # What is opened to be written, or to be shown in a browser, is not read.
    writes = re.search(r"O_WRONLY|O_APPEND|webbrowser|'[wa]b?'", ast.unparse(call))
    return method != "open" or not writes


def test_only_a_few_modules_read_files() -> None:
    readers = {path for path, call in nodes(ast.Call) if reads_file(call)}
    assert readers == READERS.keys()
    raw = {path for path, _, name in own_imports() if name == "read_regular"}
    # The former tells whether a file is the indexed one, and masks it before a name is read of it. The latter masks.
    assert raw == {"graph/changes.py", "syntax/read.py"}


def test_no_private_attribute_of_another_object_is_used() -> None:
    # Of a NamedTuple, they are public.
    public = {"_replace", "_make", "_asdict", "_fields", "_exit"}
    assert [
        f"{path}, line {node.lineno}: {node.attr}"
        for path, node in nodes(ast.Attribute)
        if node.attr.startswith("_") and not node.attr.startswith("__") and node.attr not in public
        if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ] == []


def test_names_are_nouns_and_verbs() -> None:
    assert PROSE["not_noun_share"](every_node()) <= MAX_NOT_NOUNS


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["scripts", "tests"])
def test_names_in_scripts_and_tests_are_nouns_and_verbs(folder: str) -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in (REPOSITORY / folder).rglob("*.py")}
    assert [
        f"{path.name}: {name}"
        for path, source in sources.items()
        for name in PROSE["bindings"](list(ast.walk(ast.parse(source))))
        if name in PROSE["NOT_NOUNS"]
    ] == []


def test_docstrings_begin_with_a_short_sentence() -> None:
    lengths = PROSE["docstring_sentence_lengths"](every_node())
    assert max(lengths) <= PROSE["LONG_SENTENCE"]


@pytest.mark.slow
def test_comments_say_why() -> None:
    assert MIN_COMMENTS <= PROSE["comment_share"](REPOSITORY) <= MAX_COMMENTS


def test_exceptions_are_caught_broadly_only_at_the_edge_of_the_process() -> None:
    broad = {
        path
        for path, node in nodes(ast.ExceptHandler)
        if (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
    }
    assert broad <= EDGES


NATIVE = frozenset(
    {
        *("Parser", "QueryCursor", "Connection", "open_checked", "connect", "ConnectionPool", "Tokenizer", "from_file"),
        *("TextEmbedding", "TextCrossEncoder", "Client", "from_url", "watch"),
    }
)
"""What makes an object of a native library that a thread may not use while another does, or a pool of such."""

UNSHARED = re.compile(r"\b(Parser|QueryCursor|Tree|Node|Connection|Cursor|InferenceSession)\b")


def called(node: ast.AST) -> set[str]:
    """Return the last names of what an expression calls."""
    calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    return {name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "") for name in calls}


def test_no_cache_gives_an_object_of_one_thread_to_others() -> None:
    assert [
        f"{path}: {node.name}"
        for path, node in nodes(ast.FunctionDef)
        if any("cache" in ast.unparse(decorator) for decorator in node.decorator_list)
        and not any("cached_property" in ast.unparse(decorator) for decorator in node.decorator_list)
        and node.returns is not None
        and UNSHARED.search(ast.unparse(node.returns))
    ] == []


def test_a_class_with_a_native_object_says_which_threads_may_use_it() -> None:
    holders = {
        f"{path}: {owner.name}": ast.get_docstring(owner) or ""
        for path, owner in nodes(ast.ClassDef)
        for node in ast.walk(owner)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute) and called(node.value) & NATIVE
    }
    assert {"storage/sqlite.py: SqliteStore", "team/postgresql.py: _ServerRows"} <= holders.keys()
    assert [holder for holder, text in holders.items() if "thread" not in text.lower()] == []


def test_no_client_of_a_model_follows_redirects() -> None:
    calls = [
        (path, call)
        for path, call in nodes(ast.Call)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in ("Client", "AsyncClient", "DefaultHttpxClient", "DefaultAsyncHttpxClient")
    ]
    assert len(calls) == 2
    assert all("follow_redirects=False" in ast.unparse(call) for _, call in calls)


def test_only_one_module_expands_the_home_folder() -> None:
    # Elsewhere, `~nosuchuser` and the like would end in an error of Python.
    assert {path for path, node in nodes(ast.Attribute) if node.attr in ("expanduser", "home")} == {"outside.py"}


def test_only_the_settings_read_the_environment() -> None:
    readers = {path for path, node in nodes(ast.Attribute) if node.attr in ("environ", "getenv")}
    assert readers <= {"settings.py", "programs.py"}


def test_paths_of_users_are_read_in_one_place() -> None:
    readers = {path for path, node in nodes(ast.Attribute) if node.attr == "expanduser"}
    assert readers == {"outside.py"}


def test_programs_are_started_in_one_place() -> None:
    importers = {path for path, node in [*nodes(ast.Import), *nodes(ast.ImportFrom)] if "subprocess" in imported(node)}
    starters = {
        path for path, node in nodes(ast.Attribute) if STARTS.fullmatch(node.attr) and ast.unparse(node.value) == "os"
    }
    # The build of the agents' server follows a process of this package while it runs.
    assert importers | starters <= {"programs.py", "mcp/builds.py"}


def callers(name: str) -> set[str]:
    """Return the paths of the modules that call a function by its bare name."""
    return {path for path, call in nodes(ast.Call) if isinstance(call.func, ast.Name) and call.func.id == name}


def test_git_is_run_over_folders_of_our_own_alone() -> None:
    # The fleet makes its checkouts itself, and fetches into them.
    assert callers("run_git") == {"git/private.py", "team/fleet/checkout.py"}
    assert callers("find_program") == {"git/private.py", "storage/sqlite.py"}


def test_no_python_that_is_started_looks_for_modules_in_the_current_folder() -> None:
    unsafe = {
        path
        for path, node in nodes(ast.Attribute)
        if node.attr == "executable" and ast.unparse(node) == "sys.executable"
    }
    # The agents' door prints the path for a client's configuration, and an error the one to install a package.
    assert unsafe == {"programs.py", "mcp/clients.py", "extras.py"}
    starters = {path for path, node in nodes(ast.Constant) if node.value in ("spawn", "forkserver")}
    assert starters == callers("shut_module_path") != set()


def test_no_module_names_a_language_or_an_extension() -> None:
    source_types = {language.source_type for language in languages().values()}
    extensions = {extension for language in languages().values() for extension in language.extensions}
    # Pages of the web are HTML, which is a template only if its text says so.
    names = (languages().keys() | extensions) - source_types - {".html"}
    assert [f"{path}: {node.value}" for path, node in nodes(ast.Constant) if node.value in names] == []


TYPE_WORDS = (
    "wrapper_types",
    "union_types",
    "function_types",
    "type_words",
)
"""The keys of language files for words in the texts of types."""


def test_no_word_for_types_of_a_language_stands_in_a_module() -> None:
    words = {word for language in languages().values() for key in TYPE_WORDS for word in getattr(language, key)}
    texts = [
        (path, node.value)
        for path, node in nodes(ast.Constant)
        if path.startswith(("resolve/", "syntax/")) and isinstance(node.value, str)
    ]
    assert texts
    # Docstrings and messages have blanks.
    codes = [(path, text) for path, text in texts if " " not in text]
    assert [
        f"{path}: {word}" for path, code in codes for word in re.findall(r"[A-Za-z_]+", code) if word in words
    ] == []


def test_nothing_names_a_machine() -> None:
    patterns = ("*.py", "*.md", "*.scm", "*.sql", "*.toml")
    folders = [REPOSITORY / name for name in (NAME, "docs", "scripts", "tests")]
    paths = [path for folder in folders for pattern in patterns for path in folder.rglob(pattern)]
    paths += [path for pattern in patterns for path in REPOSITORY.glob(pattern)]
    assert [path for path in paths if MACHINE_PATH.search(path.read_text(encoding="utf-8"))] == []


def commands() -> dict[str, Any]:
    """Map the commands to their names, those of a group by both words."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    commands: dict[str, Any] = dict(group.commands)
    for name, inner in group.commands.items():
        if isinstance(inner, TyperGroup):
            del commands[name]
            commands |= {f"{name} {word}": command for word, command in inner.commands.items()}
    return commands


def test_the_commands_are_those_promised() -> None:
    assert sorted(commands()) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_has_help(command: str) -> None:
    cli_command = commands()[command]
    assert cli_command.help
    assert [option.name for option in cli_command.params if not getattr(option, "help", "")] == []
    # A server prints no answer.
    assert command in ("mcp", "web") or any("--json" in option.opts for option in cli_command.params)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert f"cgi {command}" in (REPOSITORY / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")


def test_generated_documents_are_current() -> None:
    script = REPOSITORY / "scripts" / "generate_docs.py"
    check = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stdout + check.stderr


def test_every_grammar_is_a_dependency() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    grammars = {language.grammar.partition(":")[0].replace("_", "-") for language in languages().values()}
    assert [grammar for grammar in sorted(grammars) if f'"{grammar}>=' not in text] == []
