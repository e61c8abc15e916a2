"""Resolve names that code writes with all their dots, as their definitions have them: `var.region`, `module.vpc.id`."""

from code_graph_indexer.resolve.file_view import FileView
from code_graph_indexer.resolve.resolution import IMPORT, NOTHING, PEER, SCOPE, Resolution
from code_graph_indexer.resolve.values import Point
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import Reference


class WholeNames:
    """The names that one file uses, in a language that looks names up as `dotted`."""

    def __init__(self, view: FileView) -> None:
        self._world = view.world
        self._path = view.path
        self._language = view.scope.language

    def find(self, reference: Reference, point: Point) -> Resolution:
        """Return what a name means in the module of the file, or in the module that is imported under what stands before it.

        A name without dots that a query captures is a variable of the module that the definition around imports.
        """
        if not reference.receiver:
            (self_name,) = self._language.self_names
            is_given = reference.kind == "references"
            return self._in_imported(point.dotted, f"{self_name}.{reference.name}") if is_given else NOTHING
        own = self._in_module(f"{reference.receiver}.{reference.name}", (self._path,))
        if own is not None:
            return Resolution((own,), SCOPE if own.path == self._path else PEER)
        return self._in_imported(reference.receiver, f"{self._language.default_export}.{reference.name}")

    def _in_imported(self, importing: str, name: str) -> Resolution:
        """Return the definition of a name in the module that a definition of this module imports."""
        target = self._in_module(importing, (self._path,))
        bound = self._world.import_of(target.path, target.name) if target is not None else None
        paths = self._world.find_modules(target.path, bound[0]) if target is not None and bound is not None else ()
        member = self._in_module(name, paths)
        return Resolution((member,), IMPORT) if member is not None else NOTHING

    def _in_module(self, dotted: str, paths: tuple[str, ...]) -> Target | None:
        """Return the definition of a whole name in the module of some files, one of these if it has it. None if none has."""
        targets = {target.path: target for target in reversed(self._world.definitions_of(dotted))}
        near = [path for path in targets if paths and self._world.same_module(path, paths[0])]
        path = min(near, key=lambda path: (path not in paths, path), default=None)
        return self._world.written(path, dotted) or targets[path] if path is not None else None
