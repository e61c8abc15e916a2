"""Tidy the names that were read of a file: none is longer than a person writes, and each can be shown inside of a line."""

from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.captured import NO_PATH, Captured

MAX_NAME, MAX_RECEIVER = 1_000, 10_000
"""The most characters of a name and of a receiver in the index."""


def tidy_names(file: Captured) -> None:
    """Drop definitions and imports with names that no person writes, such as a data URL, and make the others printable."""
    for key, (pattern, entry) in list(file.definitions.items()):
        texts = entry.name, entry.path_name, entry.signature
        if len(entry.name) > MAX_NAME:
            del file.definitions[key]
        elif not all(map(str.isprintable, texts)):
            name, path_name, signature = map(as_name, texts)
            tidy = entry._replace(name=name, path_name=path_name, signature=signature)
            file.definitions[key] = pattern, tidy
    for texts, start in list(file.imports.items()):
        if max(map(len, texts)) > MAX_NAME or not all(map(str.isprintable, texts)):
            del file.imports[texts]
            if max(map(len, texts)) <= MAX_NAME:
                module, name, alias = map(as_name, texts)
                file.imports[module, name, alias] = start


def tidy_references(file: Captured) -> None:
    """Do what `tidy_names` does for references."""
    for start, (kind, name, receiver) in list(file.references.items()):
        if len(name) > MAX_NAME:
            del file.references[start]
        elif len(receiver) > MAX_RECEIVER:
            file.references[start] = kind, as_name(name), NO_PATH
        elif not (name.isprintable() and receiver.isprintable()):
            file.references[start] = kind, as_name(name), as_name(receiver)
