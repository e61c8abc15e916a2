"""Read imports. A grouped import is one text with several: `a::{b, c as d, e::*}`."""

from collections.abc import Sequence

from code_graph_indexer.languages import Language
from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.captured import MAX_NAME, Captured, Match, Reader, without_quotes
from code_graph_indexer.syntax.innermost import Innermost
from code_graph_indexer.syntax.records import EVERYWHERE, Definition, Import


def _read_import(file: Captured, match: Match) -> None:
    """Read an import, or each import of a grouped import."""
    module = without_quotes(file.text(match.nodes[0]))
    if match.kind == "tree":
        imports = expand_import_tree(module, file.language)
    else:
        name = "*" if "import.star" in match.captures else file.first(match, "import.name")
        alias = file.first(match, "import.alias")
        if "import.default" in match.captures:
            name, alias = file.language.default_export, file.first(match, "import.default")
        imports = [(module, name, EVERYWHERE + alias if "import.global" in match.captures else alias)]
    for module, name, alias in imports:
        if max(map(len, (module, name, alias))) <= MAX_NAME:
            file.imports.setdefault((as_name(module), as_name(name), as_name(alias)), match.nodes[0].start_byte)


IMPORT_READERS: dict[str, Reader] = {"import.module": _read_import, "import.tree": _read_import}


def expand_import_tree(text: str, language: Language) -> list[tuple[str, str, str]]:
    """List (module, name, alias) for each leaf of a grouped import. The name is `*` for all names of a module.

    Braces may be nested to any depth. If the braces do not match, only the complete leaves are listed.
    """
    first_word, *behind = text.split(maxsplit=1)
    if behind and first_word in language.import_words:
        text = behind[0]
    leaves: list[tuple[str, str, str]] = []
    prefixes = [""]
    piece = ""
    # The added comma ends the last leaf.
    for char in f"{text},":
        if char == "{":
            prefixes.append(prefixes[-1] + piece.strip())
            piece = ""
        elif char in ",}":
            if piece.strip():
                leaves.append(_leaf(prefixes[-1] + piece.strip(), language))
            piece = ""
            if char == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            piece += char
    return leaves


def from_top(parts: Sequence[str], modules: Sequence[str], language: Language) -> list[str]:
    """Return a path as the top of a file writes it, from a path in modules inside the file (`modules`, outermost first).

    In `mod tests`, the path `super::Cart` is `self::Cart` for the file. A path that is not relative is returned as it is.
    """
    own, parent = language.own_module, language.parent_module
    if parts[0] not in (own, parent):
        return list(parts)
    inner, rest = list(modules), list(parts[parts[0] == own :])
    while rest[:1] == [parent] and inner:
        del rest[0], inner[-1]
    return rest if rest[:1] == [parent] else [own, *inner, *rest]


def _leaf(path: str, language: Language) -> tuple[str, str, str]:
    """Return (module, name, alias) of one leaf: `a::b as c` → `(a, b, c)`."""
    alias = ""
    if language.import_alias and (match := language.import_alias.search(path)):
        path, alias = path[: match.start()], path[match.end() :]
    module, separator, name = path.strip().rpartition(language.import_separator)
    if not separator:
        return path, "", alias
    if name == language.own_module:
        # `a::{self}` imports the module `a` itself.
        return module, "", alias
    return module, "*" if name in language.import_all else name, alias


def imports_of(file: Captured, scopes: Innermost, definitions: Sequence[Definition]) -> tuple[Import, ...]:
    """Give each captured import the position of the definition around it.

    The relative path of an import in a module inside the file is written as the top of the file would write it.
    """
    language = file.language
    imports: list[Import] = []
    for (names, start), scope in zip(file.imports.items(), scopes.around(file.imports.values()), strict=True):
        import_ = Import(*names, start, scope)
        modules: list[str] = []
        while scope >= 0 and language.parent_module:
            if definitions[scope].kind == "module":
                modules.insert(0, definitions[scope].name)
            scope = definitions[scope].parent
        if modules:
            parts = from_top(import_.module.split(language.import_separator), modules, language)
            import_ = import_._replace(module=language.import_separator.join(parts))
        imports.append(import_)
    return tuple(imports)
