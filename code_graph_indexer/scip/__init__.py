"""SCIP, the exchange format of precise code indexes: its messages and its symbols."""

from code_graph_indexer.scip.messages import (
    DEFINITION,
    ENCODINGS,
    FORWARD_DEFINITION,
    IMPORT,
    READ,
    WRITE,
    message,
    parsed,
)
from code_graph_indexer.scip.symbols import escaped, owner_of, package_of, symbol_name

__all__ = [
    "DEFINITION",
    "ENCODINGS",
    "FORWARD_DEFINITION",
    "IMPORT",
    "READ",
    "WRITE",
    "escaped",
    "message",
    "owner_of",
    "package_of",
    "parsed",
    "symbol_name",
]
