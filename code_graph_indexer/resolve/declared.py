"""Find what a value of a declared type is."""

from collections import defaultdict

from code_graph_indexer.resolve.annotations import (
    CALLABLE_TYPE,
    LIST_TYPE,
    MAP_TYPE,
    RECORD_TYPE,
    TUPLE_TYPE,
    TypeName,
    read_type,
    wrapped,
)
from code_graph_indexer.resolve.facts import Slot, Target
from code_graph_indexer.resolve.notes import Note, remembered
from code_graph_indexer.resolve.scope import TYPED, Scope
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    TYPE,
    UNKNOWN,
    Place,
    TypeText,
    Value,
    Values,
    distinct,
)
from code_graph_indexer.resolve.world import World

_TYPE_OF = frozenset({"type", "Type", "Class", "KClass", "typeof"})
_SELF_TYPES = frozenset({"Self", "this", "self", "static"})


class TypeReader:
    """Read types as they are seen from one file."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.world: World = scope.world
        self.language = scope.language
        self.memory: defaultdict[str, dict[tuple[object, ...], Note]] = defaultdict(dict)

    def at(self, path: str) -> "TypeReader":
        """Return what another file sees."""
        raise NotImplementedError

    @remembered
    def type_values(self, text: TypeText) -> Values:
        """Find what a value of a declared type is; the text is read in the file it stands in."""
        if text.path != self.scope.path:
            return self.at(text.path).type_values(text)
        return distinct(new for one in read_type(text.text) for new in self._named_type(one, text))

    def _named_type(self, one: TypeName, text: TypeText) -> Values:
        name, texts = one
        args = tuple(text._replace(text=one) for one in texts)
        if name.rpartition(".")[2] in _TYPE_OF and args:
            return tuple(each._replace(form=TYPE) for each in self.type_values(args[0]) if each.form == INSTANCE)
        if name.rpartition(".")[2] in _SELF_TYPES and text.owner is not None:
            return (Value(INSTANCE, text.owner, TYPED),)
        if name == CALLABLE_TYPE:
            return (Value(CALLABLE, args=args),)
        if name in (LIST_TYPE, MAP_TYPE, TUPLE_TYPE, RECORD_TYPE):
            return (Value(EXTERNAL, name=name, args=args),)
        found = self.scope.type_named(name, text.around)
        types = [each for each in found.targets if each.is_type]
        if types:
            return tuple(Value(INSTANCE, each, min(found.confidence, TYPED), args=args) for each in types)
        if inner := wrapped(one):
            return self.type_values(text._replace(text=inner))
        slots: tuple[Slot, ...] | None = self.world.fact(self.scope.path, f"f:{name}")
        if slots is not None:
            # Another name of a type, or a type variable.
            alias = slots[0].value
            if alias.startswith("<"):
                meant_text = text._replace(text=alias[1:-1])
                return self.type_values(meant_text) if name not in alias else UNKNOWN
            meant = self.scope.dotted(alias)
            return tuple(Value(INSTANCE, each, TYPED) for each in meant.targets if each.is_type)
        if bound := self.world.fact(self.scope.path, f"v:{name}"):
            return self.type_values(text._replace(text=bound)) if name not in bound else UNKNOWN
        if len(name) <= 2 and name[:1].isupper():
            return (Value(EXTERNAL, name="?"),)
        return (Value(EXTERNAL, name=name, args=args),)

    def text_at(self, text: str, owner: Target | None, dotted: str) -> TypeText:
        """Say where in this file the text of a type stands."""
        around = self.scope.types_around(dotted)[:1]
        return TypeText(self.scope.path, text, owner, around[0].dotted if around else "")

    def unaliased(self, value: Value, level: int) -> Values:
        """Find the types that a type is another name of, at the end of all names; itself when it is a type of its own."""
        alias = value.target
        if value.form != TYPE or alias is None or alias.kind != "type" or not level:
            return (value,)
        meant = self.meant(alias)
        if meant is None:
            return (value,)
        types = (one._replace(form=TYPE) for one in meant if one.target is not None and one.target != alias)
        return distinct(new for one in types for new in self.unaliased(one, level - 1))

    def meant(self, alias: Target) -> Values | None:
        """Find what a type is another name of; None when that is not said."""
        text: str | None = self.world.fact(alias.path, f"t:{alias.dotted}")
        seen = self.at(alias.path)
        return seen.type_values(seen.text_at(text, None, alias.dotted.rpartition(".")[0])) if text else None

    @remembered
    def has_outside_base(self, cls: Target) -> bool:
        """Say whether a class inherits from something that is not in the repository."""
        for one in (cls, *self.scope.ancestors(cls)):
            scope = self.scope.at(one.path)
            if len(scope.bases(one)) < sum(len(scope.base_names(part)) for part in scope.parts(one)):
                return True
        return False

    def class_around(self, target: Target) -> Target | None:
        """Return the class that a definition stands in."""
        outer = target.dotted.rpartition(".")[0]
        found = self.world.definition(target.path, outer) if outer else None
        return found if found is not None and found.is_type else None

    def around(self, name: str, dotted: str) -> Target | None:
        """Find a definition in the modules around a place, or in the class whose body it stands in."""
        for prefix in self._open_scopes(dotted) if dotted else ():
            if own := self.world.definition(self.scope.path, f"{prefix}.{name}"):
                return own
        return None

    @remembered
    def _open_scopes(self, dotted: str) -> tuple[str, ...]:
        """List the modules around a definition, innermost first, with itself when it is a class."""
        found: list[str] = []
        innermost = True
        while dotted:
            around = self.world.definition(self.scope.path, dotted)
            if around is not None and (around.kind == "module" or (innermost and around.is_type)):
                found.append(dotted)
            dotted, innermost = dotted.rpartition(".")[0], False
        return tuple(found)

    def classes_around(self, place: Place) -> list[Target]:
        """List the class that a place stands in and those around it, innermost first."""
        if place.cls is None:
            return []
        outer = self.scope.at(place.cls.path).types_around(place.cls.dotted.rpartition(".")[0])
        return [place.cls, *(one for one in outer if one.kind != "namespace")]

    def objects_around(self, place: Place) -> Values:
        """List the objects whose members a place sees without naming them."""
        return tuple(Value(INSTANCE, one, TYPED) for one in self.classes_around(place))
