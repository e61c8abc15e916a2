"""Find the definitions and files for the names and paths that a user writes."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.graph.declared import DECLARES, Declared
from code_graph_indexer.outside import inside
from code_graph_indexer.printable import in_line
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS
from code_graph_indexer.words import dotted_name

MAX_TOPS = 12
"""The most folders at the top of a repository that an error names."""

MAX_SUGGESTIONS = 3
"""Largest number of names that an error message suggests."""

MAX_LISTED = 20
"""Largest number of definitions that an error message lists if a name means several."""

PRIVATE_MARK = "#"
"""The sign before the name of a private member, which people leave out. No other name begins with it."""


class Names:
    """A look-up of definitions by name, and of files by path, in a store."""

    def __init__(self, store: Store, folders: Mapping[str, Path] = MappingProxyType({})) -> None:
        """`folders` map the start of paths to the folder on disk, so that absolute paths are understood."""
        self._store = store
        self._folders = folders
        self._declared = Declared(store)

    def symbols(self, name: str) -> list[Symbol]:
        """List the definitions of a name: simple (`save`), qualified (`Model.save`) or in a file (`models.py:save`).

        Parts in the middle of the qualified name may be missing, as after a re-export: `flask.Flask` finds
        `flask.app.Flask`. Code comes before tests, and a definition before its declarations. Then the order is by path and
        line. Raises NotInIndexError, with similar names, if there is no definition.
        """
        matches = self.matches(name)
        if not matches:
            raise self._missing(inside(name, self._folders))
        # A file is often named like the definition in it, and people mean the definition.
        holders = {symbol.qualified_name.rpartition(".")[0] for symbol in matches}
        matches = [symbol for symbol in matches if symbol.qualified_name not in holders or not _is_file(symbol)]
        declared = {
            edge.of for edge in self._store.edges([symbol.chunk_id for symbol in matches], DECLARES, incoming=False)
        }
        return sorted(
            matches,
            key=lambda symbol: (symbol.is_test, symbol.chunk_id in declared, symbol.file_path, symbol.start_line),
        )

    def matches(self, name: str) -> list[Symbol]:
        """List the definitions that a name may mean, in no order. There are none for an unknown name."""
        name = inside(name, self._folders)
        if whole := self._whole(name):
            return whole
        path, dotted = _read(name)
        simple = dotted.rpartition(".")[2]
        # Many definitions may share a simple name. Ask for the full suffix first, because few rows match it.
        for suffix in (dotted, ""):
            candidates = self._store.symbols([simple], suffix=suffix)
            if path:
                candidates = _in_file(path, candidates)
            if matches := _ending_in(dotted, candidates):
                break
        matches = matches or [symbol for symbol in candidates if _in_order(dotted, symbol.qualified_name)]
        matches = matches or self._private(dotted) or self._store.made_symbols(simple)
        return matches or self._of_stem(dotted) or self._store.symbols([name])

    def _of_stem(self, dotted: str) -> list[Symbol]:
        """List the definitions that a text names by the name of their file: `Server.loop` for `loop` in `src/Server.zig`."""
        stem, _, inner = dotted.partition(".")
        symbols = self._store.symbols([inner.rpartition(".")[2]], suffix=inner) if inner else []
        return [symbol for symbol in symbols if symbol.file_path.rpartition("/")[2].partition(".")[0] == stem]

    def _whole(self, name: str) -> list[Symbol]:
        """List the definitions that a text names by path and whole name, `api.zig:@"a/b:c"`. A name may have any signs."""
        path, colon, qualified_name = name.partition(":")
        while colon:
            symbols = [symbol for symbol in self._store.file_symbols(path) if symbol.qualified_name == qualified_name]
            if symbols:
                return symbols
            part, colon, qualified_name = qualified_name.partition(":")
            path = f"{path}:{part}"
        return []

    def _missing(self, name: str) -> NotInIndexError:
        """Return the error for a name without a definition, with similar names, or where code calls the name."""
        path, dotted = _read(name)
        simple = dotted.rpartition(".")[2]
        called = "" if not path and self._store.symbols([simple]) else self._called(simple)
        close = self.close(dotted)
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        message = f"no definition of {name!r} in the index.{called}{hint}"
        return NotInIndexError(message, search_for="" if close else dotted.rpartition(".")[2])

    def _private(self, dotted: str) -> list[Symbol]:
        """List the private members that a dotted name means without their mark: `Hono.dispatch` for `Hono.#dispatch`."""
        path, _, simple = dotted.rpartition(".")
        symbols = self._store.symbols([f"{PRIVATE_MARK}{simple}"])
        return [symbol for symbol in symbols if _in_order(path, symbol.qualified_name)] if path else symbols

    def nodes(self, name: str) -> list[Symbol]:
        """List the definitions of a name, one per node of the graph.

        Of a declaration, such as a prototype in a header, the definitions are listed.
        """
        # Building backwards lets the first symbol of each node win.
        symbols = list({symbol.node_id: symbol for symbol in reversed(self.symbols(name))}.values())[::-1]
        return self._declared.definitions(symbols)

    def alternatives(self, name: str) -> list[Symbol]:
        """List the single definition that a name means, with those that another build takes instead, as on other platforms.

        Raises NotInIndexError as `node` does.
        """
        symbol = self.node(name)
        return [symbol, *self._declared.alternatives(symbol)]

    def node(self, name: str) -> Symbol:
        """Return the single definition that a name means.

        If a name means several, tests and then declarations without body are ruled out. A whole qualified name means the only
        definition of that name, as nothing more can be said of it. Raises NotInIndexError, with the list of definitions, if
        several are left.
        """
        symbols = self.nodes(name)
        symbols = [symbol for symbol in symbols if not symbol.is_test] or symbols
        marks = self._store.chunk_marks([symbol.chunk_id for symbol in symbols]) if len(symbols) > 1 else {}
        symbols = [symbol for symbol in symbols if marks.get(symbol.chunk_id) != "declaration"] or symbols
        whole = [symbol for symbol in symbols if symbol.qualified_name == name]
        symbols = whole if len(whole) == 1 else symbols
        if len(symbols) == 1:
            return symbols[0]
        others = {symbol.chunk_id for symbol in symbols[1:]}
        # One definition for each platform is one definition to whoever asks.
        if others <= {symbol.chunk_id for symbol in self._declared.alternatives(symbols[0])}:
            return symbols[0]
        lines = [
            f"  {symbol.kind} {symbol.qualified_name}  {in_line(symbol.file_path)}:{symbol.start_line}"
            for symbol in symbols
        ]
        rest = [f"  … and {len(symbols) - MAX_LISTED} more"] if len(symbols) > MAX_LISTED else []
        raise NotInIndexError(
            f"{name!r} means {len(symbols)} definitions; say more of its name, or FILE:NAME:\n"
            + "\n".join(lines[:MAX_LISTED] + rest)
        )

    def _called(self, name: str) -> str:
        """Return a sentence that says where the code calls a name that the index does not define, or an empty text."""
        sites = self._store.open_sites([name], [])
        if not sites:
            return ""
        places = ", ".join(f"{in_line(site.file_path)}:{site.line}" for site in sites[:MAX_SUGGESTIONS])
        rest = f" and {len(sites) - MAX_SUGGESTIONS} more" if len(sites) > MAX_SUGGESTIONS else ""
        return f" It is called at {places}{rest}: a library, or a macro that was not expanded, defines it."

    def close(self, name: str) -> list[str]:
        """List the names of definitions that are most like a name, at most MAX_SUGGESTIONS."""
        last = dotted_name(name).rpartition(".")[2]
        # Comparing is slow, and a name of another length is hardly close.
        names = {name.lower(): name for name in self._store.symbol_names() if abs(len(name) - len(last)) <= 3}
        return [names[low] for low in get_close_matches(last.lower(), names, n=MAX_SUGGESTIONS, cutoff=0.7)]

    def file(self, path: str) -> str:
        """Return the full path of the indexed file whose path ends with `path`.

        Raises NotInIndexError if no file or several files match, or if the file could not be indexed.
        """
        ending = inside(path, self._folders).replace("\\", "/").removeprefix("./")
        # An exact path goes first: `a.py` is also the end of `lib/a.py`.
        errors = {file.path: file.error for file in self._store.files([ending]) or self._store.files()}
        paths = list(errors)
        matches = [file_path for file_path in paths if f"/{file_path}".endswith(f"/{ending}")]
        if len(matches) != 1:
            close = matches or get_close_matches(ending, paths, n=MAX_SUGGESTIONS)
            hint = f" Did you mean {', '.join(close[:MAX_SUGGESTIONS])}?" if close else ""
            raise NotInIndexError(
                f"{'several files are' if matches else 'no file is'} named {path!r} in the index.{hint}"
            )
        if (error := errors[matches[0]]) is not None:
            raise NotInIndexError(f"{matches[0]} is not indexed: {error}")
        return matches[0]

    def files_ending_as(self, path: str) -> list[str]:
        """List the indexed files that share the longest end with a path of another machine, mostly one. None share a name."""
        parts = parts_of(inside(path, self._folders))
        alike = [file for file in self._read_files if f"/{file}".endswith(f"/{parts[-1]}")] if parts else []
        for start in range(len(parts)):
            ending = "/".join(parts[start:])
            if ending in alike:
                return [ending]
            if matches := [file for file in alike if f"/{file}".endswith(f"/{ending}")]:
                return matches
        return []

    @cached_property
    def _read_files(self) -> list[str]:
        """List the paths of the files that could be read."""
        return [file.path for file in self._store.files() if file.error is None]

    def folder(self, path: str) -> str:
        """Return the path of an indexed folder, without a slash at its end.

        The root of the repository is an empty path. Raises NotInIndexError if the index has no such folder.
        """
        folder = inside(path, self._folders).replace("\\", "/").removeprefix("./").strip("/")
        if folder in ("", ".") or self._store.has_folder(folder):
            return "" if folder == "." else folder
        folders = {parent for file in self._store.files() for parent in _folders_of(file.path)}
        # The same name elsewhere is nearer than a name that is spelled alike.
        elsewhere = [candidate for candidate in folders if candidate.endswith(f"/{folder}")]
        close = sorted(elsewhere, key=lambda candidate: (len(candidate), candidate))
        close = close or get_close_matches(folder, sorted(folders), n=MAX_SUGGESTIONS)
        tops = sorted(candidate for candidate in folders if "/" not in candidate)[:MAX_TOPS]
        if close:
            hint = f" Did you mean {', '.join(map(repr, close[:MAX_SUGGESTIONS]))}?"
        else:
            hint = f" At the top are {', '.join(map(repr, tops))}." if tops else ""
        raise NotInIndexError(f"there is no folder {folder!r} in the index.{hint}")

    def changed(self, target: str) -> tuple[list[Symbol], list[Symbol]]:
        """Return what changes if a text does: the definition that it names, with its alternatives, or all of a file.

        The second list is what is in a class. Raises NotInIndexError.
        """
        try:
            symbols = self.alternatives(target)
        except NotInIndexError as unknown:
            # Such a text can be no path, so the error about the name is the right one.
            if "." not in target and "/" not in target:
                raise
            try:
                path = self.file(target)
            except NotInIndexError:
                # The message about the name says more than the one about a file.
                raise unknown from None
            members = (symbol for symbol in self._store.file_symbols(path) if symbol.member_id is not None)
            return [*self.of_file(path), *members], []
        return symbols, [member for symbol in symbols if symbol.kind in CLASS_KINDS for member in self._inside(symbol)]

    def _inside(self, symbol: Symbol) -> list[Symbol]:
        """List the definitions in a class, also those that its file writes apart, such as methods of Go."""
        prefix = f"{symbol.qualified_name}."
        return [
            member for member in self._store.file_symbols(symbol.file_path) if member.qualified_name.startswith(prefix)
        ]

    def of_file(self, path: str) -> list[Symbol]:
        """List the definitions of a file that are nodes of the graph, with the module of the file."""
        nodes = self._store.nodes([chunk.id for chunk in self._store.file_chunks(path)])
        return [symbol for symbol in nodes.values() if symbol.kind not in ("block", "text", "section")]


def parts_of(path: str) -> list[str]:
    """Return the folders and the name in a path of any machine, without `.` and `..`."""
    return [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]


def _read(name: str) -> tuple[str, str]:
    """Return the path and the dotted name that a text consists of. Most texts have no path."""
    # `models.py:save` names a file. In `Model::save` the part before the last colon ends with a colon.
    path, colon, last = name.rpartition(":")
    in_file = bool(colon) and not path.endswith(":") and "." in path
    return (path, dotted_name(last)) if in_file else ("", dotted_name(name))


def _is_file(symbol: Symbol) -> bool:
    """Say whether a symbol is the module that a whole file makes, rather than one that is written in it."""
    return symbol.kind == "module" and not symbol.signature


def _in_order(dotted: str, qualified_name: str) -> bool:
    """Return whether a qualified name has the parts of a dotted name in the same order. Other parts may be between them."""
    parts = iter(qualified_name.lower().split("."))
    # `in` advances the iterator, so each part is searched behind the one before.
    return all(part in parts for part in dotted.lower().split("."))


def _folders_of(path: str) -> list[str]:
    """List the folders around a file, the outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _in_file(path: str, symbols: Sequence[Symbol]) -> list[Symbol]:
    """List the symbols in files with this path, or with a path that ends in it."""
    ending = f"/{path.removeprefix('./')}"
    return [symbol for symbol in symbols if f"/{symbol.file_path}".endswith(ending)]


def _ending_in(dotted: str, symbols: Sequence[Symbol]) -> list[Symbol]:
    """List the definitions whose qualified name ends in a name. The case of letters counts only while some name matches."""
    return [symbol for symbol in symbols if f".{symbol.qualified_name}".endswith(f".{dotted}")] or [
        symbol for symbol in symbols if f".{symbol.qualified_name}".lower().endswith(f".{dotted.lower()}")
    ]
