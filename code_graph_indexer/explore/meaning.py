"""Find the definitions that the words of a query mean, and those that belong to them."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from code_graph_indexer.ask.relations import is_name
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.graph.code_graph import TEST_WORDS
from code_graph_indexer.graph.names import Names
from code_graph_indexer.languages import OWN_CLASS, languages
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.signals import SIGNALS
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import definition_id
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_CENTRES = 8
"""The most definitions in the middle of a tour."""

_SEPARATORS = re.compile(r"[\s,;]+")


def in_tests(symbol: Symbol) -> bool:
    """Say whether a definition is a test: by its file, or by the scope around it in a file of code, as in `mod tests`."""
    scope = set(symbol.qualified_name.split(".")[:-1]) - set(re.split(r"[/.]", symbol.file_path))
    return symbol.is_test or not TEST_WORDS.isdisjoint(scope)


class Meaning:
    """What names and results mean in one index."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names = Names(store)

    def listed(self, text: str) -> tuple[str, ...]:
        """Return the names that a text consists of, if it is a list of several names of definitions."""
        words = tuple(dict.fromkeys(filter(None, _SEPARATORS.split(text.strip()))))
        if not 2 <= len(words) <= MAX_CENTRES or not any(map(is_name, words)):
            return ()
        return words if all(self._is_definition(word) for word in words) else ()

    def _is_definition(self, word: str) -> bool:
        name = re.split(r"[.:#/]", word)[-1]
        return bool(name) and bool(self._store.symbols([name], exact_case=True))

    def centres(self, name: str) -> list[Symbol]:
        """Return the definitions that a name means, code before tests. An empty list means that it may be a file."""
        try:
            symbols = self._names.nodes(name)
        except NotInIndexError:
            if self._is_file(name):
                return []
            # In `app.get`, the first part may be a variable.
            symbols = self._store.symbols([re.split(r"[.:]", name)[-1]], exact_case=True) if "." in name else []
            if not 0 < len(symbols) <= MAX_CENTRES:
                raise
            symbols = self._names.nodes(symbols[0].name)
        symbols = [symbol for symbol in symbols if not symbol.is_test] or symbols
        return [symbol for symbol in symbols if symbol.kind != "module"] or symbols

    def main(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """Return the definitions outside tests, examples, texts, vendored and generated files, or else all."""
        files = self._store.files_of([symbol.chunk_id for symbol in symbols])
        return [
            symbol for symbol in symbols if not (symbol.chunk_id in files and files[symbol.chunk_id].marks)
        ] or list(symbols)

    def knows(self, name: str) -> bool:
        """Say whether a name means any definition."""
        try:
            return bool(self._names.symbols(name))
        except NotInIndexError:
            return False

    def _is_file(self, name: str) -> bool:
        try:
            return bool(("/" in name or "." in name) and self._names.file(name))
        except NotInIndexError:
            return False

    def pinned(self, word: str) -> list[Symbol]:
        """Return the definitions that a word of a question names, if they are few."""
        try:
            symbols = self.centres(word.strip(".:/-#~"))
        except NotInIndexError:
            return []
        return symbols if len(symbols) <= 3 else []

    def in_file(self, names: Sequence[str], path: str) -> list[Symbol]:
        """Return the definitions of these names in a file, or else all definitions of the file."""
        file = self._names.file(path)
        symbols = self._names.of_file(file)
        endings = tuple(f".{name}" for name in names)
        return [symbol for symbol in symbols if f".{symbol.qualified_name}".endswith(endings)] or symbols

    def inside(self, symbol: Symbol) -> list[Symbol]:
        """Return the definitions inside a class, in the order of its file. Any other definition has none."""
        if symbol.kind not in CLASS_KINDS:
            return []
        prefix = f"{symbol.qualified_name}."
        symbols = self._store.file_symbols(symbol.file_path)
        return [
            member
            for member in symbols
            if member.chunk_id != symbol.chunk_id and member.qualified_name.startswith(prefix)
        ]

    def nearest(self, names: Sequence[str], contexts: Sequence[RetrievedContext]) -> list[Symbol]:
        """Return the definitions nearest to names that do not exist: members of a named class, like letters, like words.

        `contexts` are what a search for the names found.
        """
        by_letters = self._store.symbols([word for name in names for word in self._names.close(name)], exact_case=True)
        # Vectors have a nearest chunk for any name.
        by_words = [
            context for context in contexts if {part.signal for part in context.signals} & SIGNALS.keys() > {"vector"}
        ]
        members = [symbol for name in names for symbol in self._beside(name)]
        return list(dict.fromkeys([*members, *by_letters, *self.definitions(by_words)]))

    def _beside(self, name: str) -> list[Symbol]:
        """Return the class that a dotted name without a definition begins with, and its members, the most alike first."""
        owner, _, last = re.sub(r"::|->|#", ".", name).rpartition(".")
        if not owner or not self.knows(owner):
            return []
        classes = [symbol for symbol in self._names.symbols(owner) if symbol.kind in CLASS_KINDS][:1]
        members = [member for symbol in classes for member in self.inside(symbol)]
        return [*classes, *sorted(members, key=lambda member: -SequenceMatcher(None, member.name, last).ratio())]

    def constructors(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """Return the constructors of those that are classes. Whoever calls one makes an object, or a part of it."""
        constructors: list[Symbol] = []
        for symbol in symbols:
            if symbol.kind in CLASS_KINDS and symbol.language in languages():
                names = {
                    symbol.name if name == OWN_CLASS else name for name in languages()[symbol.language].constructors
                }
                owned = {f"{symbol.qualified_name}.{name}" for name in names}
                members = self._store.file_symbols(symbol.file_path)
                constructors += [member for member in members if member.qualified_name in owned]
        return constructors

    def definitions(self, contexts: Sequence[RetrievedContext]) -> list[Symbol]:
        """Return the definitions of found chunks, in the order of the chunks. A piece of a definition stands for it."""
        ids = [context.node_id for context in contexts]
        of = {chunk.id: definition_id(chunk) for chunk in self._store.chunks(ids)}
        nodes = self._store.nodes(list(set(of.values())))
        ordered = dict.fromkeys(of[chunk_id] for chunk_id in ids if chunk_id in of)
        kinds = {"text", "section", "block"}
        return [nodes[chunk_id] for chunk_id in ordered if chunk_id in nodes and nodes[chunk_id].kind not in kinds]
