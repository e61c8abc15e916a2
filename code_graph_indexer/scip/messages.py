"""Define the messages of SCIP that this package uses.

Field names and numbers are those of https://github.com/sourcegraph/scip/blob/main/scip.proto (Apache-2.0). The parser skips
fields that are not listed here. The classes are built at run time, because generated code ages with protobuf.
"""

from functools import cache
from typing import Any

INT, TEXT, TRUTH = "int32", "string", "bool"
"""The types of scalar fields. Any other type name is the name of a message."""

MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "Index": {
        "metadata": (1, "Metadata"),
        "documents": (2, "Document[]"),
        "external_symbols": (3, "SymbolInformation[]"),
    },
    "Metadata": {
        "version": (1, INT),
        "tool_info": (2, "ToolInfo"),
        "project_root": (3, TEXT),
        "text_document_encoding": (4, INT),
    },
    "ToolInfo": {"name": (1, TEXT), "version": (2, TEXT), "arguments": (3, f"{TEXT}[]")},
    "Document": {
        "relative_path": (1, TEXT),
        "occurrences": (2, "Occurrence[]"),
        "symbols": (3, "SymbolInformation[]"),
        "language": (4, TEXT),
        "text": (5, TEXT),
        "position_encoding": (6, INT),
    },
    "Occurrence": {
        "range": (1, f"{INT}[]"),
        "symbol": (2, TEXT),
        "symbol_roles": (3, INT),
        "enclosing_range": (7, f"{INT}[]"),
    },
    "SymbolInformation": {
        "symbol": (1, TEXT),
        "documentation": (3, f"{TEXT}[]"),
        "relationships": (4, "Relationship[]"),
        "kind": (5, INT),
        "display_name": (6, TEXT),
        "enclosing_symbol": (8, TEXT),
    },
    "Relationship": {"symbol": (1, TEXT), "is_reference": (2, TRUTH), "is_implementation": (3, TRUTH)},
}

DEFINITION = 1
WRITE = 4
READ = 8
FORWARD_DEFINITION = 0x40
"""Bit of `symbol_roles`: the occurrence is the definition of its symbol."""

IMPORT = 2
"""Bit of `symbol_roles`: the occurrence is in an import."""

ENCODINGS = {1: "utf-8", 2: "utf-16-le", 3: "utf-32-le"}
"""Map `position_encoding` to an encoding. Columns count the code units of that encoding."""


@cache
def message(name: str) -> Any:
    """Return the class of a SCIP message by its name, such as `Index`."""
    # protobuf is imported late: only questions about SCIP need it, and every command would wait for it.
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"scip.{name}"))


def parsed(name: str, content: bytes) -> Any:
    """Parse bytes as a SCIP message of this name. Raises ValueError if they are no such message."""
    from google.protobuf.message import DecodeError

    parsed_message = message(name)()
    try:
        parsed_message.ParseFromString(content)
    except DecodeError as exc:
        raise ValueError(str(exc)) from exc
    return parsed_message


@cache
def _pool() -> Any:
    """Return the pool of protobuf with the messages of MESSAGES."""
    from google.protobuf import descriptor_pb2, descriptor_pool

    field = descriptor_pb2.FieldDescriptorProto
    scalars = {INT: field.TYPE_INT32, TEXT: field.TYPE_STRING, TRUTH: field.TYPE_BOOL}
    file = descriptor_pb2.FileDescriptorProto(name="scip.proto", package="scip", syntax="proto3")
    for name, fields in MESSAGES.items():
        descriptor = file.message_type.add(name=name)
        for field_name, (number, kind) in fields.items():
            plain = kind.removesuffix("[]")
            descriptor.field.add(
                name=field_name,
                number=number,
                label=field.LABEL_REPEATED if plain != kind else field.LABEL_OPTIONAL,
                type=scalars.get(plain, field.TYPE_MESSAGE),
                type_name=None if plain in scalars else f".scip.{plain}",
            )
    # A pool of its own, because another package may have put a `scip.proto` into the default one.
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool
