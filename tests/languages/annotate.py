"""Write a file's syntax as the source itself, each fact underlined below its line."""

from collections import defaultdict

from code_graph_indexer.indexing.parameters import ANY
from code_graph_indexer.types import Syntax


def annotate(text: str, syntax: Syntax) -> str:
    """Repeat the text with `^^^^` lines for definitions, references, imports and bindings."""
    source = text.encode()
    notes: dict[int, list[tuple[int, str]]] = defaultdict(list)

    def note(start: int, width: int, fact: str) -> None:
        line = source.count(b"\n", 0, start)
        column = len(source[source.rfind(b"\n", 0, start) + 1 : start].decode())
        notes[line].append((column, "^" * max(1, width) + " " + fact))

    for definition in syntax.definitions:
        end_line = source.count(b"\n", 0, max(definition.end - 1, 0)) + 1
        doc = f" doc={definition.doc.splitlines()[0]!r}" if definition.doc else ""
        kept = f" type={definition.type_name}" if definition.type_name else ""
        if (definition.fewest, definition.most) != (0, ANY):
            kept += f" takes={definition.fewest}-{'any' if definition.most == ANY else definition.most}"
        note(
            definition.name_start,
            len(definition.name),
            f"{definition.kind} {definition.path_name} to {end_line}{kept}{doc} | {definition.signature}",
        )
    for reference in syntax.references:
        receiver = f" on {reference.receiver}" if reference.receiver else ""
        given = f" with {reference.arguments}" if reference.arguments >= 0 else ""
        scope = syntax.definitions[reference.scope].path_name if reference.scope >= 0 else "<module>"
        note(reference.start, len(reference.name), f"{reference.kind} {reference.name}{receiver}{given} in {scope}")
    for found in syntax.imports:
        parts = [found.module, found.name and f"name {found.name}", found.alias and f"as {found.alias}"]
        note(found.start, 1, "import " + " ".join(part for part in parts if part))
    for binding in syntax.bindings:
        owner = f"{binding.owner}." if binding.owner else ""
        known = (f": {binding.type_name}" if binding.type_name else "") + (
            f" = {binding.value}" if binding.value else ""
        )
        part = " in part" if binding.to_byte else ""
        verb = "returns" if not binding.name else "takes" if binding.is_param else "binds"
        note(binding.start, len(binding.name), f"{verb} {owner}{binding.name}{known}{part}")
    for passed in syntax.arguments:
        to = passed.keyword or passed.place
        note(passed.start, len(passed.value), f"passes {passed.value} to {to} of {passed.callee}")
    lines = [f"module {syntax.module or '-'}{' BROKEN' if syntax.broken else ''} | {syntax.module_doc}".rstrip()]
    for number, line in enumerate(text.split("\n")):
        lines.append(f"  {line}".rstrip())
        lines += [f"  {' ' * column}{fact}" for column, fact in sorted(notes[number])]
    return "\n".join(lines) + "\n"
