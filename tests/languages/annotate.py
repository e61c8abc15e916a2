"""Write a file's syntax as the source itself, each fact underlined below its line."""

from collections import defaultdict

from code_graph_indexer.syntax.parameters import ANY
from code_graph_indexer.syntax.records import Syntax


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
        details = f" type={definition.type_name}" if definition.type_name else ""
        if (definition.fewest, definition.most) != (0, ANY):
            details += f" takes={definition.fewest}-{'any' if definition.most == ANY else definition.most}"
        note(
            definition.name_start,
            len(definition.name),
            f"{definition.kind} {definition.path_name} to {end_line}{details}{doc} | {definition.signature}",
        )
    for reference in syntax.references:
        receiver = f" on {reference.receiver}" if reference.receiver else ""
        arguments = f" with {reference.arguments}" if reference.arguments >= 0 else ""
        scope = syntax.definitions[reference.scope].path_name if reference.scope >= 0 else "<module>"
        note(reference.start, len(reference.name), f"{reference.kind} {reference.name}{receiver}{arguments} in {scope}")
    for statement in syntax.imports:
        parts = [
            statement.module,
            statement.name and f"name {statement.name}",
            statement.alias and f"as {statement.alias}",
        ]
        note(statement.start, 1, "import " + " ".join(part for part in parts if part))
    for binding in syntax.bindings:
        owner = f"{binding.owner}." if binding.owner else ""
        value = (f": {binding.type_name}" if binding.type_name else "") + (
            f" = {binding.value}" if binding.value else ""
        )
        part = " in part" if binding.to_byte else ""
        verb = "returns" if not binding.name else "takes" if binding.is_param else "binds"
        note(binding.start, len(binding.name), f"{verb} {owner}{binding.name}{value}{part}")
    for argument in syntax.arguments:
        to = argument.keyword or argument.place
        note(argument.start, len(argument.value), f"passes {argument.value} to {to} of {argument.callee}")
    lines = [f"module {syntax.module or '-'}{' BROKEN' if syntax.broken else ''} | {syntax.module_doc}".rstrip()]
    for number, line in enumerate(text.split("\n")):
        lines.append(f"  {line}".rstrip())
        lines += [f"  {' ' * column}{fact}" for column, fact in sorted(notes[number])]
    return "\n".join(lines) + "\n"
