"""Draw the files of an index as a tree that fits into a language model's prompt."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from code_graph_indexer.words import estimate_tokens

MAX_FILES = 12
"""The most files in a folder that are named. For a larger folder, the files are counted by type."""

EXCLUDED = frozenset({"node_modules", "vendor", "third_party", "dist", "build", "__pycache__", "fixtures", "testdata"})
"""Names of folders that are left out, because they say nothing about the layout of a code base."""


def generate_codebase_tree(paths: Iterable[str], *, max_depth: int = 4, token_budget: int = 2_000) -> str:
    """Draw files as a tree of folders, at most `max_depth` levels deep, and only as deep as fits into `token_budget`.

    A folder with more than 12 files shows counts by file type. Files below the last level are only counted.

    Example:
        >>> from code_graph_indexer import generate_codebase_tree
        >>> print(generate_codebase_tree(["README.md", "shop/cart.py"]))
        README.md
        shop/
          cart.py
    """
    paths_drawn = [path for path in sorted(paths) if EXCLUDED.isdisjoint(PurePosixPath(path).parts[:-1])]
    drawn = ""
    for depth in range(1, max_depth + 1):
        lines = _lines(paths_drawn, depth)
        # Deeper trees are larger still, so the last one that fits is the best.
        if estimate_tokens("\n".join(lines)) > token_budget:
            break
        drawn = "\n".join(lines)
    # Even the first level may be too large. Three characters a token are a cautious estimate.
    return drawn or "\n".join(_lines(paths_drawn, 1))[: token_budget * 3]


def _lines(paths: list[str], max_depth: int) -> list[str]:
    folders: dict[str, list[str]] = defaultdict(list)
    below: Counter[str] = Counter()
    for path in paths:
        parts = path.split("/")
        folder_path = "/".join(parts[: min(len(parts) - 1, max_depth - 1)])
        if len(parts) <= max_depth:
            folders[folder_path].append(parts[-1])
        else:
            folders.setdefault(folder_path, [])
            below[folder_path] += 1
    lines: list[str] = []
    for folder in sorted(folders):
        indent = "  " * (folder.count("/") + 1) if folder else ""
        if folder:
            lines.append(f"{'  ' * folder.count('/')}{folder.rpartition('/')[2]}/")
        names = folders[folder]
        if len(names) > MAX_FILES:
            types = Counter(PurePosixPath(name).suffix or name for name in names)
            lines.append(indent + ", ".join(f"{count} {suffix} files" for suffix, count in types.most_common(5)))
        else:
            lines += [indent + name for name in names]
        if below[folder]:
            lines.append(f"{indent}… {below[folder]} files deeper")
    return lines
