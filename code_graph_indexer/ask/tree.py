"""Draw the files of an index as a tree that fits a language model's prompt."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from code_graph_indexer.words import estimate_tokens

MAX_FILES = 12
"""Files of a folder that are named; of more, only their types are counted."""

EXCLUDED = frozenset({"node_modules", "vendor", "third_party", "dist", "build", "__pycache__", "fixtures", "testdata"})
"""Folders that tell nothing of how a code base is laid out."""


def generate_codebase_tree(paths: Iterable[str], *, max_depth: int = 4, token_budget: int = 2_000) -> str:
    """Draw folders with their files, at most `max_depth` levels deep, as deep as `token_budget` allows.

    A folder of more than 12 files shows counts by file type. Deeper files are counted.

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
        if estimate_tokens("\n".join(lines)) > token_budget:
            break
        drawn = "\n".join(lines)
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
