"""Find the definitions and files that a user means."""

from difflib import get_close_matches

from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.words import dotted_name

MAX_SUGGESTIONS = 3

MAX_LISTED = 20
"""Definitions listed of a name that means several."""


class Names:
    """Look names and paths up in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def symbols(self, name: str) -> list[Symbol]:
        """List the definitions of a name, simple or qualified by any suffix (`save`, `Model.save`, `models.py:save`).

        A path through a re-export (`flask.Flask` for `flask.app.Flask`) finds what it leads to: its parts stand in the
        real name, in order. Raises NotInIndexError, with the nearest names.
        """
        path, colon, last = name.rpartition(":")
        in_file = bool(colon) and not path.endswith(":") and "." in path
        wanted = dotted_name(last if in_file else name)
        simple = wanted.rpartition(".")[2]
        # Many definitions may have the simple name; few are named in full as this one is.
        for suffix in (wanted, ""):
            named = self._store.symbols([simple], suffix=suffix)
            if in_file:
                named = [one for one in named if f"/{one.file_path}".endswith(f"/{path.removeprefix('./')}")]
            found = [one for one in named if f".{one.qualified_name}".endswith(f".{wanted}")]
            found = found or [one for one in named if f".{one.qualified_name}".lower().endswith(f".{wanted.lower()}")]
            if found:
                break
        found = found or [one for one in named if _in_order(wanted, one.qualified_name)]
        if not found:
            raise NotInIndexError(f"no definition of {name!r} in the index.{self._suggest(wanted)}")
        return sorted(found, key=lambda one: (one.is_test, one.file_path, one.start_line))

    def nodes(self, name: str) -> list[Symbol]:
        """List the definitions of a name, each node of the graph once."""
        return list({one.chunk_id: one for one in reversed(self.symbols(name))}.values())[::-1]

    def node(self, name: str) -> Symbol:
        """Return the one definition that a name means; raise NotInIndexError with all of them when they are several.

        Tests and mere declarations are not meant where there is something else of that name.
        """
        found = self.nodes(name)
        found = [one for one in found if not one.is_test] or found
        marks = self._store.chunk_marks([one.chunk_id for one in found]) if len(found) > 1 else {}
        found = [one for one in found if marks.get(one.chunk_id) != "declaration"] or found
        if len(found) == 1:
            return found[0]
        listed = [f"  {one.kind} {one.qualified_name}  {one.file_path}:{one.start_line}" for one in found]
        more = [f"  … and {len(found) - MAX_LISTED} more"] if len(found) > MAX_LISTED else []
        raise NotInIndexError(
            f"{name!r} means {len(found)} definitions; say more of its name, or FILE:NAME:\n"
            + "\n".join(listed[:MAX_LISTED] + more)
        )

    def _suggest(self, wanted: str) -> str:
        last = wanted.rpartition(".")[2]
        names = {one.lower(): one for one in self._store.symbol_names() if abs(len(one) - len(last)) <= 3}
        close = get_close_matches(last.lower(), names, n=MAX_SUGGESTIONS, cutoff=0.7)
        if not close:
            return f" Search for it: cgi search {last}"
        return f" Did you mean {', '.join(names[one] for one in close)}?"

    def file(self, path: str) -> str:
        """Return the path of the indexed file that the end of a path means. Raises NotInIndexError."""
        wanted = path.replace("\\", "/").removeprefix("./")
        errors = {one.path: one.error for one in self._store.files()}
        paths = list(errors)
        found = [one for one in paths if one == wanted] or [one for one in paths if one.endswith(f"/{wanted}")]
        if len(found) != 1:
            close = found or get_close_matches(wanted, paths, n=MAX_SUGGESTIONS)
            hint = f" Did you mean {', '.join(close[:MAX_SUGGESTIONS])}?" if close else ""
            raise NotInIndexError(
                f"{'several files are' if found else 'no file is'} named {path!r} in the index.{hint}"
            )
        if (error := errors[found[0]]) is not None:
            raise NotInIndexError(f"{found[0]} is not indexed: {error}")
        return found[0]

    def of_file(self, path: str) -> list[Symbol]:
        """List the nodes of the graph that a file holds, its module included."""
        found = self._store.nodes([one.id for one in self._store.file_chunks(path)])
        return [one for one in found.values() if one.kind not in ("block", "text", "section")]


def _in_order(wanted: str, qualified_name: str) -> bool:
    """Say whether the parts of a dotted name stand in another one in the same order, other parts between them."""
    parts = iter(qualified_name.lower().split("."))
    return all(part in parts for part in wanted.lower().split("."))
