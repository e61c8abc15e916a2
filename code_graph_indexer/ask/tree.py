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
    """Draw folders with their files, at most `max_depth` levels deep, as deep as the budget of tokens allows.

    A folder of many files is given by their types; what lies deeper than is drawn is counted.
    """
    kept = [one for one in sorted(paths) if EXCLUDED.isdisjoint(PurePosixPath(one).parts[:-1])]
    drawn = ""
    for depth in range(1, max_depth + 1):
        lines = _lines(kept, depth)
        if estimate_tokens("\n".join(lines)) > token_budget:
            break
        drawn = "\n".join(lines)
    return drawn or "\n".join(_lines(kept, 1))[: token_budget * 3]


def _lines(paths: list[str], max_depth: int) -> list[str]:
    folders: dict[str, list[str]] = defaultdict(list)
    below: Counter[str] = Counter()
    for path in paths:
        parts = path.split("/")
        shown = "/".join(parts[: min(len(parts) - 1, max_depth - 1)])
        if len(parts) <= max_depth:
            folders[shown].append(parts[-1])
        else:
            folders.setdefault(shown, [])
            below[shown] += 1
    lines: list[str] = []
    for folder in sorted(folders):
        indent = "  " * (folder.count("/") + 1) if folder else ""
        if folder:
            lines.append(f"{'  ' * folder.count('/')}{folder.rpartition('/')[2]}/")
        names = folders[folder]
        if len(names) > MAX_FILES:
            types = Counter(PurePosixPath(one).suffix or one for one in names)
            lines.append(indent + ", ".join(f"{count} {suffix} files" for suffix, count in types.most_common(5)))
        else:
            lines += [indent + one for one in names]
        if below[folder]:
            lines.append(f"{indent}… {below[folder]} files deeper")
    return lines
