"""What the design asks of the source itself: the public door, the import direction, no strays, documents that are true."""

import ast
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

import code_graph_indexer
from code_graph_indexer.cli import app
from code_graph_indexer.languages import languages

REPOSITORY = Path(__file__).parent.parent
PACKAGE = REPOSITORY / "code_graph_indexer"
NAME = PACKAGE.name
PROSE: dict[str, Any] = runpy.run_path(str(REPOSITORY / "scripts" / "prose.py"))

LAYERS = (
    {"errors", "words", "version", "background"},
    {"results", "git"},
    {"settings", "languages", "embedders"},
    {"syntax"},
    {"storage"},
    {"resolve"},
    {"scip"},
    {"indexing", "graph"},
    {"retrieval"},
    {"ask"},
    {"indexer"},
    {"render"},
    {"cli"},
    {"__main__", ""},
)
"""The units of the package; each imports itself and what stands above it. The empty name is the public door."""

LATE_IMPORTS = {
    "__main__.py": {NAME},
    "background.py": {"asyncio"},
    "cli/index.py": {"rich"},
    "embedders/static.py": {"tokenizers"},
    "graph/code_graph.py": {NAME},
    "graph/questions.py": {NAME},
    "graph/walk.py": {NAME},
    "retrieval/filters.py": {NAME},
    "indexer.py": {NAME},
    "indexing/workers.py": {"pebble", "threadpoolctl"},
    "scip/messages.py": {"google"},
    "storage/cache.py": {"redis"},
    "ask/anthropic.py": {"anthropic", "pydantic"},
    "ask/pipeline.py": {NAME},
}
"""Optional or slow packages that one file each imports inside its functions; a search needs no parser."""

HEAVY = {
    *("anthropic", "fastembed", "httpx", "httpx2", "mcp", "onnxruntime", "openai", "pathspec", "pebble", "pydantic"),
    *("asyncio", "google", "networkx", "redis"),
}
"""Packages that may not slow down the start."""

EDGES = {"__main__.py", "cli/__init__.py", "resolve/parallel.py", "indexing/workers.py"}
"""Where a process begins, and may catch all that went wrong in it."""

MAX_NOT_NOUNS = 0.005
"""Share of bindings that a pronoun or participle may name."""

MIN_COMMENTS, MAX_COMMENTS = 0.02, 0.07
"""Share of lines that are comments: with fewer a reader guesses, with more the code is not read."""

COMMANDS = (
    *("index", "search", "ask", "chat", "callers", "callees", "symbol", "outline", "tree", "stats", "doctor", "verify"),
    *("path", "impact", "hierarchy", "implementations", "imports", "dependents", "unused", "cycles", "hubs"),
    *("communities", "graph", "export"),
)
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|home/\w+|root|Users/\w+|mnt)/|[A-Z]:\\\\Users")


@cache
def trees() -> dict[str, ast.Module]:
    """Parse every module of the package, by its path inside."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {one.relative_to(PACKAGE).as_posix(): ast.parse(one.read_text(encoding="utf-8")) for one in paths}


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
        return [one.name for one in statement.names]
    return [statement.module or ""] if isinstance(statement, ast.ImportFrom) else []


def own_imports(path: str) -> Iterator[tuple[str, str]]:
    """Yield (module, name) for what a module imports from the package; a submodule counts as the module."""
    modules = set(map(module_of, trees()))
    for node in ast.walk(trees()[path]):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == NAME:
            for one in node.names:
                inner = f"{node.module}.{one.name}"
                yield (inner, "") if inner in modules else (str(node.module), one.name)


def test_the_public_door_is_sorted_and_complete() -> None:
    door = code_graph_indexer.__all__
    assert door == sorted(door)
    statements = trees()["__init__.py"].body
    names = {one.asname or one.name for node in statements if isinstance(node, ast.ImportFrom) for one in node.names}
    assert set(door) == names
    assert all(hasattr(code_graph_indexer, name) for name in door)


def test_every_error_passes_the_public_door() -> None:
    defined = {node.name for node in trees()["errors.py"].body if isinstance(node, ast.ClassDef)}
    assert defined <= set(code_graph_indexer.__all__)


def test_every_module_has_a_layer() -> None:
    known = set().union(*LAYERS)
    assert {unit(module_of(path)) for path in trees()} <= known


@pytest.mark.parametrize("path", trees())
def test_imports_point_one_way(path: str) -> None:
    own = module_of(path)
    wrong = [other for other, _ in own_imports(path) if unit(other) != unit(own) and level(other) >= level(own)]
    assert wrong == []


@pytest.mark.parametrize("path", trees())
def test_no_private_name_crosses_a_module(path: str) -> None:
    private = [f"{module}.{name}" for module, name in own_imports(path) if name.startswith("_")]
    assert private == []


def test_modules_import_each_other_in_no_cycle() -> None:
    graph = {module_of(path): {other for other, _ in own_imports(path)} for path in trees()}
    while graph:
        free = [module for module, needed in graph.items() if not needed & graph.keys()]
        assert free, f"a cycle among {sorted(graph)}"
        for module in free:
            del graph[module]


@pytest.mark.parametrize("path", trees())
def test_only_what_few_need_is_imported_late(path: str) -> None:
    functions = [one for one in ast.walk(trees()[path]) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    late = {name.split(".")[0] for one in functions for node in ast.walk(one) for name in imported(node)}
    assert late <= LATE_IMPORTS.get(path, set())


@pytest.mark.parametrize("start", ["import code_graph_indexer", "from code_graph_indexer.cli import main"])
def test_starting_imports_nothing_heavy(start: str) -> None:
    code = f"import sys; {start}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert HEAVY.isdisjoint(one.split(".")[0] for one in loaded)
    grammars = {one.grammar.partition(":")[0] for one in languages().values()}
    assert grammars.isdisjoint(loaded)


ASKING = """
import sys
from code_graph_indexer import CodeIndexer
with CodeIndexer({root!r}) as indexer:
    assert indexer.callers("add_tax")[0].steps
print(*sys.modules)
"""


def test_asking_loads_neither_the_write_path_nor_a_grammar(shop: Path) -> None:
    code = ASKING.format(root=str(shop))
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    write_path = (
        f"{NAME}.indexing",
        f"{NAME}.resolve",
        *{each.grammar.partition(":")[0] for each in languages().values()},
    )
    assert [module for module in loaded if module.startswith(write_path)] == []


@pytest.mark.parametrize("path", [path for path in trees() if path.startswith(("graph/", "retrieval/"))])
def test_graph_and_retrieval_import_no_write_path(path: str) -> None:
    assert [module for module, _ in own_imports(path) if unit(module) in ("indexing", "resolve")] == []


def private_attributes(tree: ast.Module) -> Iterator[str]:
    """Yield where a private attribute of another object is used; a NamedTuple's `_replace` and the like are public."""
    public = {"_replace", "_make", "_asdict", "_fields", "_exit"}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr.startswith("__"):
            continue
        is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        if not is_own and node.attr not in public:
            yield f"line {node.lineno}: {node.attr}"


@pytest.mark.parametrize("path", trees())
def test_no_private_attribute_of_another_object_is_used(path: str) -> None:
    assert list(private_attributes(trees()[path])) == []


def test_names_are_nouns_and_verbs() -> None:
    assert PROSE["not_noun_share"](REPOSITORY) <= MAX_NOT_NOUNS


def test_docstrings_begin_with_a_short_sentence() -> None:
    lengths = PROSE["docstring_sentence_lengths"](REPOSITORY)
    assert max(lengths) <= PROSE["LONG_SENTENCE"]


def test_comments_say_why() -> None:
    assert MIN_COMMENTS <= PROSE["comment_share"](REPOSITORY) <= MAX_COMMENTS


def test_exceptions_are_caught_broadly_only_at_the_edge_of_the_process() -> None:
    broad = {
        path
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
    }
    assert broad <= EDGES


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        path
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    }
    assert readers <= {"settings.py"}


@pytest.mark.parametrize("path", trees())
def test_no_module_names_a_language_or_an_extension(path: str) -> None:
    source_types = {one.source_type for one in languages().values()}
    words = languages().keys() | {extension for one in languages().values() for extension in one.extensions}
    texts = {node.value for node in ast.walk(trees()[path]) if isinstance(node, ast.Constant)}
    assert texts & (words - source_types) == set()


def test_nothing_names_a_machine() -> None:
    kinds = ("*.py", "*.md", "*.scm", "*.sql", "*.toml")
    folders = [REPOSITORY / one for one in (NAME, "docs", "scripts", "tests")]
    paths = [one for folder in folders for kind in kinds for one in folder.rglob(kind)]
    paths += [one for kind in kinds for one in REPOSITORY.glob(kind)]
    assert [one for one in paths if MACHINE_PATH.search(one.read_text(encoding="utf-8"))] == []


def command_group() -> TyperGroup:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group


def test_the_commands_are_those_promised() -> None:
    assert sorted(command_group().commands) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_has_help(command: str) -> None:
    found = command_group().commands[command]
    assert found.help
    assert [one.name for one in found.params if not getattr(one, "help", "")] == []
    assert any("--json" in one.opts for one in found.params)


@pytest.mark.parametrize("document", ["README.md", "docs/reference/cli.md"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str, document: str) -> None:
    assert f"cgi {command}" in (REPOSITORY / document).read_text(encoding="utf-8")


def test_generated_documents_are_current() -> None:
    script = REPOSITORY / "scripts" / "generate_docs.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_grammar_is_a_dependency() -> None:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    needed = {one.grammar.partition(":")[0].replace("_", "-") for one in languages().values()}
    assert [one for one in sorted(needed) if f'"{one}>=' not in text] == []
