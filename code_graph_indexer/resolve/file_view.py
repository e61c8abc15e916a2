"""Say where the references of one file stand: what is around each, and which of them see the same names."""

from functools import cached_property
from typing import NamedTuple

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.classes import class_behind
from code_graph_indexer.resolve.collect import enclosing_class, holders_of
from code_graph_indexer.resolve.frames import Frame, Local, frames_of
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.link_file import LinkFile
from code_graph_indexer.resolve.resolution import SCOPE, Resolution
from code_graph_indexer.resolve.steps import argument_names, calls_at, steps_of
from code_graph_indexer.resolve.values import Point
from code_graph_indexer.resolve.world import World
from code_graph_indexer.results import ALTERNATIVE_DEFINITION
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import ALTERNATIVE
from code_graph_indexer.syntax.records import TYPE_KINDS, Reference

Sight = int | tuple[int | str | Local | None, ...]
"""A key of the names that a reference sees: a definition, several that see the same, or bindings of local variables."""

BOUND, ALONE = 1 << 40, 1 << 41
"""What an expression sees that begins with a local variable, and one that is like no other expression."""


class Surrounding(NamedTuple):
    """What is the same for all references in a definition.

    `point` is the point at its start, and offsets inside it count from the byte `start`. `scope` is the definition. All
    definitions of one number `alike` see the same names, but for their local variables. All of one number `own` have the same
    object itself (`self`). `lends` says that the object itself may be another one in a part of the definition. `sights` has
    what each expression sees, see `FileView.sight`.
    """

    point: Point
    start: int
    scope: int
    alike: int
    own: int
    lends: bool
    sights: dict[str, int]


class FileView:
    """The definitions of one file, as a reference inside sees them.

    `nodes` has the chunk id of each definition of `syntax`, `module_id` is the chunk of the file. `places` has the line and
    column of each reference, then of each import, of each definition's name and of each registration.
    """

    def __init__(self, world: World, file: LinkFile) -> None:
        self.world = world
        self.path = file.path
        self.syntax = file.syntax()
        self.places = self.syntax.places
        self.nodes = [file.chunk_ids[position] for position in self.syntax.chunk_of]
        self.module_id = file.chunk_ids[0]
        self._member_ids = file.member_ids
        self.language = languages()[file.language]
        self.inference = Inference.of(world, file.path, file.is_test)
        self.scope = self.inference.scope
        self._frames = frames_of(self.syntax)
        self._holders = holders_of(self.syntax, self.language)
        # Whether the object itself is another one in a part of some function.
        self_names = self.language.self_names
        self._lends = any(binding.name in self_names and binding.value for binding in self.syntax.bindings)
        # Answers within the file. Their lookups were noted when they were worked out.
        self._classes: dict[int, Target | None] = {}
        self._surroundings: dict[int, Surrounding] = {}
        self._contexts: dict[object, int] = {}

    def node(self, scope: int) -> int:
        """Return the chunk id of a definition. -1 gives that of the file."""
        return self.nodes[scope] if scope >= 0 else self.module_id

    def target(self, position: int) -> Target:
        """Return a definition of this file as the target of references."""
        definition = self.syntax.definitions[position]
        node = self.nodes[position]
        return Target(self.path, definition.path_name, definition.kind, node, definition.has_body, definition.is_local)

    def nearest(self, resolution: Resolution, scope: int) -> Resolution:
        """Keep those alternatives that are members of the class around a definition, where other classes have its name.

        A template and its specializations have one name, and so do the variants of a class under different conditions.
        """
        targets = resolution.targets
        owner = targets[0].dotted.rpartition(".")[0] if len(targets) > 1 else ""
        is_settled = not owner or resolution.confidence != ALTERNATIVE_DEFINITION
        cls = -1 if is_settled else self._position_above(scope, owner)
        if cls < 0 or any(target.path != self.path for target in targets):
            return resolution
        definitions, members = self.syntax.definitions, self.syntax.member_of
        around = {
            self._member_ids[members[position]] if members[position] >= 0 else self.nodes[position]
            for position, definition in enumerate(definitions)
            if definition.path_name == targets[0].dotted and self._position_above(definition.parent, owner) == cls
        }
        near = tuple(target for target in targets if target.chunk_id in around) or targets
        return resolution._replace(targets=near, confidence=SCOPE if len(near) == 1 else ALTERNATIVE_DEFINITION)

    def _position_above(self, position: int, dotted: str) -> int:
        """Return the position of the innermost definition of a dotted name at or around a definition, or -1."""
        definitions = self.syntax.definitions
        while position >= 0 and definitions[position].path_name != dotted:
            position = definitions[position].parent
        return position

    def point(self, reference: Reference) -> Point:
        """Return the point in the file (function, offset, class) from which the names of a reference are looked up."""
        around = self.around(reference.scope)
        return around.point._replace(offset=reference.start - around.start)

    def around(self, scope: int) -> Surrounding:
        """Return what is the same for all references in a definition."""
        surrounding = self._surroundings.get(scope)
        if surrounding is None:
            function = scope
            while function >= 0 and self._frames[function] is None:
                function = self.syntax.definitions[function].parent
            # The last frame is that of the file.
            frame = self._frames[function]
            dotted = self.syntax.definitions[scope].path_name if scope >= 0 else ""
            cls = self.own_class(scope)
            lends = self._lends and frame is not None and any(name in frame.names for name in self.language.self_names)
            start = self.syntax.definitions[function].start if function >= 0 else 0
            alike = scope
            if not (self.language.lends_self or self.language.extension_methods or _has_inner_names(frame)):
                # A function is no scope itself: it sees what its neighbours see.
                alike = scope if dotted in self._types else self._context((cls, dotted.rpartition(".")[0]))
            own = scope if cls is None else self._context(cls)
            surrounding = self._surroundings[scope] = Surrounding(
                Point(frame, 0, cls, dotted), start, scope, alike, own, lends, {}
            )
        return surrounding

    @cached_property
    def _types(self) -> set[str]:
        """Return the dotted names of the types and modules of the file, and of what holds functions (`holders_of`)."""
        definitions = self.syntax.definitions
        return {definition.path_name for definition in definitions if definition.kind in TYPE_KINDS} | self._holders

    def _context(self, context: object) -> int:
        """Return a number for what a definition sees, the same for equal contexts. It is the position of no definition."""
        return self._contexts.setdefault(context, -2 - len(self._contexts))

    def own_class(self, scope: int) -> Target | None:
        """Return the class around a definition, or None. Impl blocks, and methods outside of their class, name that class."""
        if scope not in self._classes:
            self._classes[scope] = self._find_own_class(scope)
        return self._classes[scope]

    def _find_own_class(self, scope: int) -> Target | None:
        """Find what `own_class` returns: the innermost class around by name, or else the only class of such a name."""
        name = enclosing_class(self.syntax, scope, self._holders)
        if not name and self.language.behind:
            return class_behind(self.scope)
        while name:
            cls = self.world.definition(self.path, name) or next(iter(self.scope.dotted(name).targets), None)
            if cls is not None and (cls.is_type or name in self._holders):
                return cls
            if self.language.import_separator == "/" or self.language.modules == "file":
                guesses = [target for target in self.scope.unique(name.rpartition(".")[2]).targets if target.is_type]
                return guesses[0] if len(guesses) == 1 else None
            name = name.rpartition(".")[0]
        return None

    def sight(self, expression: str, reference: Reference, around: Surrounding) -> tuple[Sight | None, Point]:
        """Return a key for what an expression of a reference sees, and the point from which it looks. Equal keys, equal values.

        None says that it is like no other expression.
        """
        place = around.sights.get(expression)
        if place is None:
            place = around.sights[expression] = self._sight(expression, around)
        if place < BOUND:
            return place, around.point
        frame, _, cls, dotted = around.point
        offset = reference.start - around.start
        point = Point(frame, offset, cls, dotted)
        if place == ALONE or frame is None:
            return None, point
        # A local variable may mean another thing on every line, if it is bound on several.
        steps, names = steps_of(expression), argument_names(expression)
        called = not reference.receiver or calls_at(steps, 1)
        head = frame.local(steps[0], offset, called=called)
        locals_ = [frame.local(name, offset) for name in names] if names else ()
        return (around.scope, steps[0], head, *locals_), point

    def _sight(self, expression: str, around: Surrounding) -> int:
        """Return a number for what an expression sees in a definition: equal numbers, equal values. Or BOUND or ALONE."""
        frame = around.point.frame
        steps = steps_of(expression)
        # What the object itself is may depend on the function without a name around the reference.
        if not steps or ALTERNATIVE in expression or around.lends:
            return ALONE
        head = steps[0]
        names = argument_names(expression)
        if names and frame is not None and any(map(frame.binds, names)):
            return BOUND
        if head in self.language.self_names and not names and not (frame and frame.declared_type(head)):
            # An object itself is the same in all methods of its class.
            return around.own
        if frame is not None and frame.binds(head):
            return BOUND
        # No function around binds the name. Only what is no name may depend on the definition itself.
        is_name = (head[0].isalpha() or head[0] == "_") and head not in self.language.super_calls
        return around.alike if is_name and not names else around.scope


def _has_inner_names(frame: Frame | None) -> bool:
    """Say whether a function, or one around it, contains definitions or imports, whose names only its own code sees."""
    while frame is not None:
        if frame.has_members or frame.imports:
            return True
        frame = frame.outer
    return False
