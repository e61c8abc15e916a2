"""The source of the package, parsed and walked once for all tests that read it."""

import ast
import gc
import runpy
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import code_graph_indexer

PACKAGE = Path(code_graph_indexer.__file__).parent
COUNT: dict[str, Any] = runpy.run_path(str(PACKAGE.parent / "scripts" / "count_core.py"))

Node = TypeVar("Node", bound=ast.AST)


@cache
def trees() -> dict[str, ast.Module]:
    """Parse every module of the package, by its path inside."""
    modules: dict[str, ast.Module] = COUNT["trees"](PACKAGE.parent)
    return modules


@cache
def _nodes_by_type() -> dict[type[ast.AST], list[tuple[str, ast.AST]]]:
    """Map the types to their nodes."""
    lists = defaultdict(list)
    # To visit half a million nodes, the garbage collector takes longer than all that is done with them.
    gc.disable()
    try:
        for path, node in COUNT["nodes"](PACKAGE.parent):
            lists[type(node)].append((path, node))
        gc.freeze()
    finally:
        gc.enable()
    return lists


def every_node() -> list[ast.AST]:
    """List the nodes of all modules."""
    return [node for nodes_of_type in _nodes_by_type().values() for _, node in nodes_of_type]


def nodes(kind: type[Node]) -> list[tuple[str, Node]]:
    """List the nodes of a type in all modules, with the paths of their modules."""
    return _nodes_by_type().get(kind, [])  # type: ignore[return-value]
