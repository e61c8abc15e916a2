"""Tidy the names that were read of a file: none is longer than a person writes, and each can be shown inside of a line."""

from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.captures import NO_PATH, CaptureReader

MAX_NAME, MAX_RECEIVER = 1_000, 10_000
"""The most characters of a name and of a receiver in the index."""


def tidy_names(reader: CaptureReader) -> None:
    """Drop definitions and imports with names that no person writes, such as a data URL, and make the others printable."""
    for key, (pattern, entry) in list(reader.definitions.items()):
        texts = entry.name, entry.path_name, entry.signature
        if len(entry.name) > MAX_NAME:
            del reader.definitions[key]
        elif not all(map(str.isprintable, texts)):
            name, path_name, signature = map(as_name, texts)
            tidy = entry._replace(name=name, path_name=path_name, signature=signature)
            reader.definitions[key] = pattern, tidy
    for texts, start in list(reader.imports.items()):
        if max(map(len, texts)) > MAX_NAME or not all(map(str.isprintable, texts)):
            del reader.imports[texts]
            if max(map(len, texts)) <= MAX_NAME:
                module, name, alias = map(as_name, texts)
                reader.imports[module, name, alias] = start


def tidy_references(reader: CaptureReader) -> None:
    """Do what `tidy_names` does for references."""
    for start, (kind, name, receiver) in list(reader.references.items()):
        if len(name) > MAX_NAME:
            del reader.references[start]
        elif len(receiver) > MAX_RECEIVER:
            reader.references[start] = kind, as_name(name), NO_PATH
        elif not (name.isprintable() and receiver.isprintable()):
            reader.references[start] = kind, as_name(name), as_name(receiver)
