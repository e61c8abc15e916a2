"""Count what makes the core heavy or light: fields, keys, lines, classes, branches and late imports of a checkout.

It reads the files of the checkout and imports none of them, so that any revision can be counted.

usage: count_core.py [CHECKOUT] [--list N]
"""

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = "code_graph_indexer"

CORE = ("resolve", "syntax", "languages")
"""The folders that say what code means."""

MANY_BRANCHES = 20
"""Most ways through a function that a reader keeps in mind."""

KEY = re.compile(r"^; ([a-z][a-z0-9-]*):", re.MULTILINE)
"""Pattern of a line in the header of a language file."""

BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.Assert)
"""What adds a way through a function. A boolean operator and a case of `match` add one for each of their values."""


class Size(NamedTuple):
    """A figure of a class or function, with its place in the checkout."""

    figure: int
    place: str


@cache
def trees(checkout: Path) -> dict[str, ast.Module]:
    """Parse the modules of the package, by path."""
    root = checkout / PACKAGE
    paths = sorted(root.rglob("*.py"))
    return {path.relative_to(root).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@cache
def nodes(checkout: Path) -> list[tuple[str, ast.AST]]:
    """List the nodes of all modules, with the paths of their modules."""
    return [(path, node) for path, tree in trees(checkout).items() for node in ast.walk(tree)]


def lines(checkout: Path, folders: tuple[str, ...] = ("",)) -> int:
    """Count the lines of the modules."""
    root = checkout / PACKAGE
    return sum(
        path.read_text(encoding="utf-8").count("\n") for folder in folders for path in (root / folder).rglob("*.py")
    )


def fields(checkout: Path) -> int:
    """Count the fields of `Language`, in whichever module of languages/ it stands."""
    return sum(
        isinstance(node, ast.AnnAssign)
        for path, tree in trees(checkout).items()
        for cls in (tree.body if path.startswith("languages/") else ())
        if isinstance(cls, ast.ClassDef) and cls.name == "Language"
        for node in cls.body
    )


def single_keys(checkout: Path) -> list[str]:
    """List the header keys that exactly one language file sets."""
    files: dict[str, set[str]] = defaultdict(set)
    for path in (checkout / PACKAGE / "languages").glob("*.scm"):
        # The header ends where the queries begin.
        header = re.split(r"(?m)^[^;\s]", path.read_text(encoding="utf-8"), maxsplit=1)[0]
        for key in KEY.findall(header):
            files[key].add(path.stem)
    return sorted(key for key, names in files.items() if len(names) == 1)


def classes(checkout: Path) -> list[Size]:
    """List the classes by their lines, the longest first."""
    sizes = [
        Size((node.end_lineno or node.lineno) - node.lineno + 1, f"{path}: {node.name}")
        for path, node in nodes(checkout)
        if isinstance(node, ast.ClassDef)
    ]
    return sorted(sizes, reverse=True)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of the functions inside."""
    parents = [function]
    while parents:
        for node in ast.iter_child_nodes(parents.pop()):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                parents.append(node)
                yield node


def ways(function: ast.AST) -> int:
    """Count the ways through a function, as McCabe does (1976), and each condition in a comprehension."""
    count = 1
    for node in _own_nodes(function):
        count += isinstance(node, BRANCHES)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += len(node.ifs)
        elif isinstance(node, ast.Match):
            count += len(node.cases)
    return count


@cache
def functions(checkout: Path) -> list[Size]:
    """List the functions by the ways through them, the most branched first."""
    sizes = [
        Size(ways(node), f"{path}: {node.name}")
        for path, node in nodes(checkout)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return sorted(sizes, reverse=True)


def inner_imports(checkout: Path) -> list[tuple[str, ast.Import | ast.ImportFrom]]:
    """List the imports that stand in functions, with the paths of their modules."""
    spans = defaultdict(list)
    for path, node in nodes(checkout):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            spans[path].append(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return [
        (path, node)
        for path, node in nodes(checkout)
        if isinstance(node, ast.Import | ast.ImportFrom) and any(node.lineno in span for span in spans[path])
    ]


def late_imports(checkout: Path) -> int:
    """Count the imports of own modules that stand in functions."""
    statements = [node for _, node in inner_imports(checkout) if isinstance(node, ast.ImportFrom)]
    return sum((node.module or "").startswith(PACKAGE) for node in statements)


@cache
def figures(checkout: Path) -> dict[str, int]:
    """Return the figures by what they count."""
    branched = functions(checkout)
    return {
        "fields of Language": fields(checkout),
        "keys set by one language only": len(single_keys(checkout)),
        f"lines of Python in {', '.join(CORE)}": lines(checkout, CORE),
        "lines of Python in the package": lines(checkout),
        "lines of the longest class": classes(checkout)[0].figure,
        f"functions with more than {MANY_BRANCHES} ways": sum(size.figure > MANY_BRANCHES for size in branched),
        "ways through the most branched function": branched[0].figure,
        "late imports of own modules": late_imports(checkout),
    }


def main() -> None:
    """Print the figures of a checkout, and its largest classes and functions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--list", type=int, default=0, help="how many classes and functions to list")
    arguments = parser.parse_args()
    for name, figure in figures(arguments.checkout).items():
        print(f"{figure:>7,}  {name}")
    for size in (*classes(arguments.checkout)[: arguments.list], *functions(arguments.checkout)[: arguments.list]):
        print(f"{size.figure:>7,}  {size.place}")


if __name__ == "__main__":
    main()
