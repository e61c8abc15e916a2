"""Expand grouped imports: `a::{b, c as d, e::*}` is four imports in one text."""

import re

_ALIAS = re.compile(r"\s+as\s+|\s*=>\s*")


def expand_import_tree(text: str, separator: str) -> list[tuple[str, str, str]]:
    """List (module, name, alias) for each leaf of a grouped import; the name is `*` for all of a module.

    Braces may be nested to any depth; an unbalanced text yields the leaves that are whole.
    """
    leaves: list[tuple[str, str, str]] = []
    prefixes = [""]
    piece = ""
    for char in f"{text},":
        if char == "{":
            prefixes.append(prefixes[-1] + piece.strip())
            piece = ""
        elif char in ",}":
            if piece.strip():
                leaves.append(_leaf(prefixes[-1] + piece.strip(), separator))
            piece = ""
            if char == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            piece += char
    return leaves


def _leaf(path: str, separator: str) -> tuple[str, str, str]:
    path, *alias = _ALIAS.split(path, maxsplit=1)
    module, found, name = path.strip().rpartition(separator)
    if not found:
        return path, "", alias[0] if alias else ""
    if name == "self":
        return module, "", alias[0] if alias else ""
    return module, "*" if name in ("*", "_", "given") else name, alias[0] if alias else ""
