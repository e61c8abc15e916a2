"""Read imports. A grouped import is one text with several: `a::{b, c as d, e::*}`."""

import re
from collections.abc import Sequence

from code_graph_indexer.languages import Language
from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.captured import MAX_NAME, Captured, Match, Reader, without_quotes
from code_graph_indexer.syntax.innermost import Innermost
from code_graph_indexer.syntax.records import EVERYWHERE, Definition, Import

_TREE_MARK = re.compile("[{},]")

_FIRST_WORD = re.compile(r"(?:import|export|use)\s+")
"""Pattern of the word before a grouped import, where the grammar takes it for a part of the import."""

_ALIAS = re.compile(r"\s+as\s+|\s*=>\s*")
"""Pattern of what stands between a name and its alias in a grouped import."""

_ALL = frozenset({"*", "_", "given"})
"""The last words of a grouped import that mean all names of the module."""

Leaf = tuple[str, str, str]
"""The module, name and alias of an import."""


def _read_import(file: Captured, match: Match) -> None:
    """Read an import, or each import of a grouped import."""
    start = match.nodes[0].start_byte
    text = file.text(match.nodes[0])
    if match.kind == "tree":
        for leaf, offset in expand_import_tree(text, file.language):
            _add_import(file, leaf, start + len(text[:offset].encode()))
        return
    name = "*" if "import.star" in match.captures else file.first(match, "import.name")
    alias = file.first(match, "import.alias")
    if "import.default" in match.captures:
        name, alias = file.language.default_export, file.first(match, "import.default")
    named = match.captures.get("import.name") or match.captures.get("import.default") or match.nodes
    leaf = without_quotes(text), name, EVERYWHERE + alias if "import.global" in match.captures else alias
    _add_import(file, leaf, named[0].start_byte)


def _add_import(file: Captured, leaf: Leaf, start: int) -> None:
    """Add an import, at the first place of the name that it imports, unless a part of it is too long for a name."""
    if max(map(len, leaf)) <= MAX_NAME:
        module, name, alias = map(as_name, leaf)
        file.imports.setdefault((module, name, alias), start)


IMPORT_READERS: dict[str, Reader] = {"import.module": _read_import, "import.tree": _read_import}


def expand_import_tree(text: str, language: Language) -> list[tuple[Leaf, int]]:
    """List each leaf of a grouped import, and where its name begins in the text. The name `*` stands for all of a module.

    Braces may be nested to any depth. If the braces do not match, only the complete leaves are listed.
    """
    word = _FIRST_WORD.match(text)
    start = word.end() if word else 0
    leaves: list[tuple[Leaf, int]] = []
    prefixes = [""]
    # The added comma ends the last leaf.
    for mark in _TREE_MARK.finditer(f"{text},", start):
        path = text[start : mark.start()].rstrip()
        if mark[0] == "{":
            prefixes.append(prefixes[-1] + path.strip())
        elif path.strip():
            leaf, behind = _leaf(prefixes[-1] + path.lstrip(), language)
            leaves.append((leaf, start + len(path) - behind))
        if mark[0] == "}" and len(prefixes) > 1:
            prefixes.pop()
        start = mark.end()
    return leaves


def from_top(parts: Sequence[str], modules: Sequence[str], language: Language) -> list[str]:
    """Return a path as the top of a file writes it, from a path in modules inside the file (`modules`, outermost first).

    In `mod tests`, the path `super::Cart` is `self::Cart` for the file. A path that is not relative is returned as it is.
    """
    own, parent = language.tree.own, language.tree.parent
    if parts[0] not in (own, parent):
        return list(parts)
    inner, rest = list(modules), list(parts[parts[0] == own :])
    while rest[:1] == [parent] and inner:
        del rest[0], inner[-1]
    return rest if rest[:1] == [parent] else [own, *inner, *rest]


def _leaf(path: str, language: Language) -> tuple[Leaf, int]:
    """Return one leaf, and how far its name and alias are from the end: `a::b as c` → `((a, b, c), 6)`."""
    alias, length = "", len(path)
    if match := _ALIAS.search(path):
        path, alias = path[: match.start()], path[match.end() :]
    path = path.rstrip()
    module, separator, name = path.lstrip().rpartition(language.import_separator)
    behind = length - len(path) + len(name)
    if not separator:
        return (name, "", alias), behind
    if name == language.tree.own:
        # `a::{self}` imports the module `a` itself.
        return (module, "", alias), behind
    return (module, "*" if name in _ALL else name, alias), behind


def imports_of(file: Captured, scopes: Innermost, definitions: Sequence[Definition]) -> tuple[Import, ...]:
    """Give each captured import the position of the definition around it.

    The relative path of an import in a module inside the file is written as the top of the file would write it.
    """
    language = file.language
    imports: list[Import] = []
    for (names, start), scope in zip(file.imports.items(), scopes.around(file.imports.values()), strict=True):
        import_ = Import(*names, start, scope)
        modules: list[str] = []
        while scope >= 0 and language.tree.parent:
            if definitions[scope].kind == "module":
                modules.insert(0, definitions[scope].name)
            scope = definitions[scope].parent
        if modules:
            parts = from_top(import_.module.split(language.import_separator), modules, language)
            import_ = import_._replace(module=language.import_separator.join(parts))
        imports.append(import_)
    return tuple(imports)
