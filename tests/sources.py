"""The source of the package, parsed once for all tests that read it."""

import ast
import gc
from functools import cache
from pathlib import Path

import code_graph_indexer

PACKAGE = Path(code_graph_indexer.__file__).parent


@cache
def trees() -> dict[str, ast.Module]:
    """Parse every module of the package, by its path inside."""
    sources = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    # Collecting garbage while half a million nodes come up takes twice as long as parsing.
    gc.disable()
    try:
        return {path: ast.parse(sources[path]) for path in sorted(sources)}
    finally:
        gc.enable()
