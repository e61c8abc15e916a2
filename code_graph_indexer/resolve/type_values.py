"""Turn the text of a declared type into the possible values of an expression of that type."""

import re

from code_graph_indexer.resolve.annotations import (
    CALLABLE_TYPE,
    CHANNEL_TYPE,
    LIST_TYPE,
    MAP_TYPE,
    RECORD_TYPE,
    TUPLE_TYPE,
    TypeName,
    inside,
    read_type,
)
from code_graph_indexer.resolve.declarations import Declarations
from code_graph_indexer.resolve.notes import Memory, remembered
from code_graph_indexer.resolve.resolution import TYPED
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.values import (
    CALLABLE,
    EXTERNAL,
    INSTANCE,
    MODULE,
    TYPE,
    UNBOUND,
    UNKNOWN,
    Given,
    TypeText,
    Value,
    Values,
    distinct,
    object_of,
)
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import bare

BUILT_IN_TYPES = frozenset({LIST_TYPE, MAP_TYPE, TUPLE_TYPE, RECORD_TYPE, CHANNEL_TYPE})

MAX_VARIABLE_LENGTH = 2
"""Length of the longest name that counts as a type variable although nothing declares it: `T`, `K1`."""


_QUOTES = "'\""
_WORD = re.compile(r"[^\W\d]\w*")


def is_variable(name: str) -> bool:
    """Say whether a name that nothing declares counts as a type variable: `T`, `K1`."""
    return len(name) <= MAX_VARIABLE_LENGTH and name[:1].isupper()


class TypeReader:
    """A reader of type texts. It looks up the names in them as one file sees them."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.world: World = scope.world
        self.memory = Memory()

    @classmethod
    def of(cls, scope: Scope) -> "TypeReader":
        """Return the type reader of a scope's file. The first call makes it."""
        key = (scope.path, scope.is_test)
        reader: TypeReader | None = scope.world.type_readers.get(key)
        if reader is None:
            reader = scope.world.type_readers[key] = cls(scope)
        return reader

    def at(self, path: str) -> "TypeReader":
        """Return the type reader of another file."""
        return TypeReader.of(self.scope.at(path))

    @remembered
    def values(self, text: TypeText) -> Values:
        """Return the possible values of a declared type. Its names are looked up in the file that contains the text."""
        if text.path != self.scope.path:
            return self.at(text.path).values(text)
        type_names = read_type(text.text, self.scope.language.name)
        return distinct(value for type_name in type_names for value in self._named_type(type_name, text))

    def _named_type(self, type_name: TypeName, text: TypeText) -> Values:
        """Return the possible values of one of the types that were read out of `text`.

        In this order: what a bound variable stands for, a function or a type in brackets, the class around, a type in sight,
        what is inside of a wrapper, and a type from outside.
        """
        name, arg_texts = type_name
        if text.given and not arg_texts:
            for variable, values in text.given:
                if variable == name:
                    return values
        args = tuple(text._replace(text=arg) for arg in arg_texts)
        if name == CALLABLE_TYPE:
            return (Value(CALLABLE, args=args),)
        if name in BUILT_IN_TYPES:
            # The library may declare what stands in brackets under a name.
            named = dict(zip((LIST_TYPE, MAP_TYPE), self.scope.language.bracket_types, strict=False)).get(name)
            return (Value(EXTERNAL, self.scope.declared(named) if named else None, name=name, args=args),)
        if (classes := self._of_class(name, args, text)) is not None:
            return classes
        if arg_texts and arg_texts[0][:1] in _QUOTES and (members := self._member_type(name, arg_texts[0], text)):
            return members
        resolution = self.scope.type_named(name, text.around)
        types = [target for target in resolution.targets if target.is_type or self._makes_objects(target)]
        if types:
            confidence = min(resolution.confidence, TYPED)
            return tuple(object_of(self.scope.taking(target, len(args)), confidence, args) for target in types)
        # A wrapper or union that the repository defines itself was found above as a type.
        if inner := inside(type_name, self.scope.language):
            return distinct(value for arg in inner for value in self.values(text._replace(text=arg)))
        return self._assigned_or_outside(name, args, text)

    def _member_type(self, name: str, key: str, text: TypeText) -> Values:
        """Return the possible values of the type `Cart["total"]`: of a member in brackets. Empty if there is none."""
        member = key.strip(_QUOTES)
        for value in self.values(text._replace(text=name)):
            for cls in (
                (value.target, *self.scope.at(value.target.path).ancestors(value.target)) if value.target else ()
            ):
                dotted = f"{cls.dotted}.{member}"
                if declared := next((slot.type_name for slot in self.world.slots(cls.path, dotted)), ""):
                    return self.at(cls.path).values_at(declared, value.target, dotted)
        return UNKNOWN

    def _of_class(self, name: str, args: tuple[TypeText, ...], text: TypeText) -> Values | None:
        """Return the possible values of the type of a class, `type[Cart]`, or of the class around, `Self`. None for others."""
        language = self.scope.language
        head, _, inner_name = name.partition(".")
        last = name.rpartition(".")[2]
        if last in language.type_of and args:
            classes = tuple(value._replace(form=TYPE) for value in self.values(args[0]) if value.form == INSTANCE)
            # Of a class that is not known, at least the type is: `KClass<*>`.
            return classes or (Value(EXTERNAL, name=name, args=args),)
        if text.owner is None:
            return None
        if last in language.self_types:
            return (object_of(text.owner, TYPED),)
        if inner_name and head in language.self_types:
            member = self.scope.member(text.owner, inner_name)
            return self.aliased(member) or UNKNOWN if member is not None else UNKNOWN
        return None

    def _assigned_or_outside(self, name: str, args: tuple[TypeText, ...], text: TypeText) -> Values:
        """Return the possible values of a type that got its name by assignment, of a type variable, or of the library."""
        if slots := self.world.slots(self.scope.path, name):
            assigned = self._assigned_type(name, slots[0].value, text)
            if assigned or name not in dict(self.world.type_bounds(self.scope.path, "")):
                return assigned
            return (Value(EXTERNAL, name=UNBOUND + name),)
        if is_variable(name):
            return (Value(EXTERNAL, name=UNBOUND + name),)
        is_own = name in self.scope.language.self_types
        if paths := (self.scope.path,) if is_own else self.scope.modules_of(name):
            # A file may be a type, as in Zig.
            return (Value(MODULE, paths=paths, name=name),)
        return self._of_library(name, args)

    def _of_library(self, name: str, args: tuple[TypeText, ...]) -> Values:
        """Return the possible values of a type that the repository does not define, which its library may declare."""
        declared = self.scope.declared(name)
        if declared is None or not declared.is_type:
            return (Value(EXTERNAL, name=name, args=args, paths=(self.scope.path,)),)
        # `type Coroutine[Y, S, R] = R`
        aliased = self.aliased(declared, args)
        if aliased is not None:
            return aliased
        return (Value(EXTERNAL, declared, name=name, args=args),)

    def _makes_objects(self, target: Target) -> bool:
        """Say whether a target is a function with a prototype, which JavaScript's comments name as a type."""
        return self.scope.language.object_literals and target.kind == "function" and self.world.is_holder(target)

    def _assigned_type(self, name: str, value: str, text: TypeText) -> Values:
        """Return the possible values of a type that got its name by assignment: `Customer` after `Customer = User`.

        `value` is the assigned name, or the text of a type in angle brackets.
        """
        if value.startswith("<"):
            # A type that names itself would lead around in circles.
            return self.values(text._replace(text=value[1:-1])) if name not in value else UNKNOWN
        if value in self.scope.language.self_types:
            # At the top of a file, `const Cart = @This();`.
            return self.values(text._replace(text=value, owner=None))
        called = bare(value)
        bare_name = called.removesuffix("()")
        return tuple(
            Value(INSTANCE, target, TYPED)
            for target in self.scope.dotted(bare_name).targets
            # Zig's `const Cogs = List(Cog)`: a call of a function gives a type.
            if (target.is_type if bare_name == called else self.world.is_holder(target))
        )

    def raw_text(self, text: str, owner: Target | None, dotted: str, given: Given = ()) -> TypeText:
        """Return the text of a type with its place: the definition `dotted` of this file. `Self` in it means `owner`."""
        around = self.scope.types_around(dotted)[:1]
        # The members of a type without a name are those of the definition that has it.
        place = dotted if "{" in text else around[0].dotted if around else ""
        return TypeText(self.scope.path, text, owner, place, given)

    def text_at(self, text: str, owner: Target | None, dotted: str, given: Given = ()) -> TypeText:
        """Return the text of a type with its place. A type variable in it that is not given is replaced by its bound."""
        if "typevar" in self.scope.language.captures and (bounds := self._bounds(dotted)):
            # The variables in a bound stay as they are: a bound may name its own variable, as in `T: Comparable<T>`.
            free = bounds.keys() - dict(given).keys()
            text = _WORD.sub(lambda word: bounds[word[0]] if word[0] in free else word[0], text)
        return self.raw_text(text, owner, dotted, given)

    @remembered
    def _bounds(self, dotted: str) -> dict[str, str]:
        """Map each type variable in sight of the definition `dotted` to the text of its bound. The innermost one wins."""
        everything = self.scope.language.any_type
        bounds = {
            name: bound
            for name, bound in self.world.type_bounds(self.scope.path, dotted)
            # Such a bound says less than the name of the variable.
            if bound and bound not in everything
        }
        return self._bounds(dotted.rpartition(".")[0]) | bounds if dotted else bounds

    def values_at(self, text: str, owner: Target | None, dotted: str, given: Given = ()) -> Values:
        """Return the possible values of the type `text`, which stands in the definition `dotted` of this file.

        `Self` in it means `owner`. `given` are its type variables that are bound.
        """
        return self.values(self.text_at(text, owner, dotted, given))

    def unaliased(self, value: Value, level: int) -> Values:
        """Replace a type alias by the types at the end of its chain of aliases. Any other value is returned as it is.

        `level` is the length of the longest chain that is followed.
        """
        alias = value.target
        if value.form != TYPE or alias is None or alias.kind != "type" or not level:
            return (value,)
        aliased = self.aliased(alias)
        if aliased is None:
            return (value,)
        types = (
            instance._replace(form=TYPE)
            for instance in aliased
            if instance.target is not None and instance.target != alias
        )
        # Two aliases may name each other, so the chain has an end of its own.
        return distinct(end for type_ in types for end in self.unaliased(type_, level - 1))

    def aliased(self, alias: Target, args: tuple[TypeText, ...] = ()) -> Values | None:
        """Return the possible values of the type that `alias` is another name for. None if `alias` is no type alias."""
        text = self.world.aliased_type(alias.path, alias.dotted)
        if not text:
            return None
        variables = (variable for variable, _ in self.world.type_bounds(alias.path, alias.dotted)) if args else ()
        given = tuple(zip(variables, map(self.values, args), strict=False))
        values = self.at(alias.path).values_at(text, None, alias.dotted, given)
        if any(value.target == alias for value in values):
            # `typedef struct Cart Cart;` declares a type that another file defines.
            definitions = Declarations.of(self.scope, alias.path).definitions(alias)
            return tuple(object_of(target, TYPED) for target in definitions) or values
        return values
